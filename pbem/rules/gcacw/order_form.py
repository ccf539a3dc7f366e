"""The order form: each corps with its leader and units, where they come and what they can attack; works; the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw import (
    actions,
    activation,
    arrivals,
    leaders,
    march,
    may_march,
    raid,
    recovery,
    substitutes,
    supply,
)  # fmt: skip
from pbem.rules.gcacw.board import CAVALRY, INFANTRY, Arrival
from pbem.rules.gcacw.going import along_rails
from pbem.rules.gcacw.halves import half
from pbem.rules.gcacw.holds import why_held
from pbem.rules.gcacw.in_force import left_on_rails
from pbem.rules.gcacw.odds import dice_words, in_short, tell_odds
from pbem.rules.gcacw.orders import Assault, Entrench, Grand, March, Order, PutOff, Raid, Rail, Strike, Transfer
from pbem.rules.gcacw.outreach import PAST, End, ends, kinds, marks, places, prices, range_of
from pbem.rules.gcacw.situation import WORKS, formation
from pbem.rules.gcacw.standing import STATES
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import score
from pbem.rules.gcacw.wording import CLOSING, order_words
from pbem.rules.gcacw.zones import in_zone, is_open
from pbem.rules.kit import form as kit
from pbem.rules.kit.form import Line
from pbem.rules.kit.going import TO
from pbem.rules.requests import Choose, FormEntry, Words
from pbem.words import listed

__all__ = ["form"]

MAY_GO = "; less what cavalry takes that goes back before it"

IN_CAMPAIGNS = ", `weather rain` it rains in this turn, `panic SIDE`, `paralysed SIDE` it is so in this turn"

BEFORE_ACTIONS = ("reinforcements", "transfer")
"""The decisions behind which leaders may still be transferred."""

ENEMIES = 2
"""So many enemies before whom a unit can come are told, the nearest."""


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form of a pending decision; the closing order last where it is one."""
    if choose.reaction:
        first = choose.default() if choose.default is not None else None
        lines = [_line(s, order, "as the rules would choose" if order == first else "") for order in choose.options()]
        yield FormEntry(choose.prompt, tuple(lines), tuple(_head(s, unit) for unit in choose.about if unit in s.at))
        return
    what = "The turn in one mail" if choose.kind != "recovery" else "Works in one mail"
    yield FormEntry(what, (), tuple(_plan(s, choose.kind)))
    for chapter in _CHAPTERS[choose.kind]:
        yield from chapter(s, choose.side)
    yield kit.closing(CLOSING, "turn")._replace(notes=tuple(_score(s)))


def _plan(s: State, kind: str) -> Iterator[str]:
    """What one mail can still have in this turn, and how long it lasts."""
    if kind == "recovery":
        yield "all works may stand in one mail; they are carried out one after another, one of each unit [std-9.0-3]"
        yield _tests(s)
        return
    worked = not (s.board.no_works or recovery.is_last(s))
    steps = [*(["transfers"] if kind in BEFORE_ACTIONS else []), "actions", *(["works"] if worked else [])]
    yield (
        f"{listed(steps)} may stand in one mail; each time that I may act the next action is carried out, whatever the "
        "other side has done in between"
    )
    if recovery.is_last(s):
        yield "so may mergings, before the actions [3.0-6]"
        yield (
            "the score hangs on no works and no foraging in the last turn, and nobody is asked for them, but the Union "
            "for a bridge by which it may shut in a division [22.1-vp10]"
        )
    elif s.board.advanced is not None:
        yield "so may mergings, before the actions, and foraging, with the works [3.0-6, 20.4-4]"
    yield "the units of `activate LEADER` march one after another, each with the points of one throw [std-5.2-2]"
    yield (
        f"`pass` lets one chance to act go; `{CLOSING}`{', or works,' if worked else ''} behind the last "
        "action: I pass until the cycle is over; otherwise I am asked again when my actions are used up"
    )
    told = prices(s, (INFANTRY, CAVALRY))
    yield (
        f"an attack at the end of a march is the best that its points left pay for: {told}; "
        "`attack HEX normal` makes none that is worse [std-7.1-2]"
    )
    yield (
        "`march U along HEX HEX` goes on along that way from where U stands on it then: behind a march of U whose "
        "dice may leave it short; `march U to HEX`, written twice, is read so"
    )
    yield (
        "`stop if short U` behind a march: the rest waits for me where it fell short; `stop whenever near U 2`: as "
        "soon as an enemy comes within 2 hexes of U; `stop if not fought HEX` behind a march that attacks: where none "
        "was fought, as cavalry went back or the points didn't suffice"
    )
    yield _tests(s)


def _tests(s: State) -> str:
    """The tests of these rules, each in words."""
    return (
        "tests of these rules: `near U N` an enemy is within N hexes, `tired U N` fatigue N or more, `short U` its "
        "last march of the turn fell short, `row SIDE N` that side has acted N times in a row, `fought HEX` a combat "
        f"was there in this turn{IN_CAMPAIGNS * (s.board.advanced is not None)}; `is U WORD` asks for "
        f"{', '.join(STATES)}"
    )


def _score(s: State) -> Iterator[str]:
    yield score(s)


def _line(s: State, order: Order, note: str = "") -> Line:
    return order_words(s.board, order), note or tell_odds(s, order)


def _why(refusal: Refusal) -> str:
    return f"{refusal.reason} [{refusal.clause}]"


# --- units ------------------------------------------------------------------------------------------------------------


def _head(s: State, unit: str) -> str:
    """A counter: what it is, how it stands and where."""
    what = s.board.units[unit]
    if what.leader:
        return f"{s.board.describe(unit)}, leader, at {s.board.place(s.at[unit])}"
    told = [f"{s.board.describe(unit)}: value {half(s.value(unit))}, fatigue {s.fatigue.get(unit, 0)}"]
    if unit in s.disorganised:
        told.append("disorganised")
    if unit in s.demoralised:
        told.append(f"demoralised {s.demoralised[unit]}")
    if s.works.get(unit):
        told.append(WORKS[s.works[unit]])
    told.append(what.branch if what.cavalry else what.size)
    zone = " in a zone of control" if in_zone(s, what.side, s.at[unit]) else ""
    return f"{', '.join(told)}, at {s.board.place(s.at[unit])}{zone}"


def _acting(s: State, side: str) -> Iterator[FormEntry]:
    """The entries of all corps and armies: their leaders with who can't act, then each unit that can."""
    of: dict[str, list[str]] = {}
    for unit in s.board.of_side[side]:
        if unit in s.at:
            of.setdefault(formation(s.board.units[unit]), []).append(unit)
    known: dict[tuple[str, ...], str] = {}
    for name, units in of.items():
        able = [unit for unit in units if unit in s.manpower and may_march.why_not_act(s, side, unit) is None]
        led = [unit for unit in units if unit not in s.manpower]
        notes = [note for leader in led for note in _leading(s, side, leader)]
        fought = [order for leader in led for order in _assaults(s, side, leader)]
        lines = [_line(s, order, f"{_at(s, side, order.at)}; {tell_odds(s, order)}") for order in fought]
        rest = [*_idle(s, side, [unit for unit in units if unit in s.manpower and unit not in able])]
        if notes or lines or rest:
            yield FormEntry(name, tuple(lines), (*notes, *rest))
        for unit in able:
            yield _unit(s, side, unit, known)


def _idle(s: State, side: str, units: Sequence[str]) -> Iterator[str]:
    """Units that can't act, those together of which the same is the reason."""
    refused: dict[str, list[str]] = {}
    for unit in units:
        if (refusal := may_march.why_not_act(s, side, unit)) is not None:
            why = _why(refusal).removeprefix(f"{s.board.units[unit].name} ")
            refused.setdefault(why, []).append(_head(s, unit))
    for why, heads in refused.items():
        yield f"{'; '.join(heads)}: {'each ' * (len(heads) > 1)}{why}"


def _unit(s: State, side: str, unit: str, known: dict[tuple[str, ...], str]) -> FormEntry:
    """A unit that can act: where it comes, whom it can attack from its hex and after a march, raids, rails."""
    found = [] if may_march.why_no_extended(s, unit) is not None else ends(s, unit, march.allowance(s, unit))
    lines = [_line(s, order, f"{_at(s, side, h)}; {tell_odds(s, order)}") for h, order in _strikes(s, side, unit)]
    typed: dict[Words, Words] = {}
    notes = [*_marching(s, unit, found, known)]
    for order, note, known_odds in _comings(s, side, unit, found):
        words = order_words(s.board, order)
        short = _short(s, order)
        if known_odds:
            lines.append((words, note))
            typed |= {words: short} if short != words else {}
        else:
            notes.append(f"`{' '.join(short)}`: {note}")
    if raid.why_not(s, side, Raid(unit)) is None:
        lines.append((order_words(s.board, Raid(unit)), f"succeeds without a die: {s.board.place(s.at[unit])}"))
    for rail in [*actions.rails(s, side, unit)][-1:]:
        lines.append(_line(s, rail, f"to {s.board.place(rail.path[-1])}{_strains(s, rail)}"))
        if along_rails(s, rail, s.at[unit], rail.path[-1]) == rail.path and len(rail.path) > 1:
            typed[lines[-1][0]] = ("rail", unit, TO, s.board.label[rail.path[-1]])
        if left := left_on_rails(s):
            notes.append(
                f"`rail {unit} to PLACE`: the railroad takes combat value {half(left)} more in this turn, and all of "
                "its own counts, also of what it detaches on the way [16.0-8]"
            )
    notes += _unbridging(s, side, unit)
    return FormEntry(_head(s, unit), tuple(lines), tuple(notes), typed)


def _strains(s: State, order: Rail) -> str:
    """What the extended march of who goes by rail may bring, if it is one (16.0-3)."""
    told = tell_odds(s, order)
    return f"; {told}" if told else ""


def _unbridging(s: State, side: str, unit: str) -> Iterator[str]:
    """The bridges that a side has built at the hex of a unit, which it may take away in a march (std-10.0-4, 19.0)."""
    here = s.at[unit]
    for h in s.board.ground.near[here]:
        order = March(unit, (), actions.going_along(s, unit), unbridge=(here, h))
        if s.bridge_between(here, h) == side and may_march.why_not(s, side, order) is None:
            words = " ".join(order_words(s.board, order))
            yield f"`{words}`: takes the bridge to {s.board.place(h)} away; so may a march that comes there"


def _short(s: State, order: March) -> Words:
    """The words of a march that name only where it ends, if these mean the same (going)."""
    if len(order.path) > 1 and distance(s.at[order.unit], order.path[-1]) == 1:
        return order_words(s.board, order)
    words = order_words(s.board, order._replace(path=order.path[-1:], leaders=()))
    return (*words[:2], TO, *words[2:])


def _marching(s: State, unit: str, found: Sequence[End], known: dict[tuple[str, ...], str]) -> Iterator[str]:
    """Where a unit comes by one march; what others have been told of is told by the first of them."""
    if (refusal := may_march.why_no_extended(s, unit)) is not None:
        yield _why(refusal)
        return
    if s.fatigue.get(unit, 0) + 1 >= may_march.EXTENDED:
        yield f"its march is an extended one, to fatigue {s.fatigue[unit] + 1} [std-5.1-5]"
    told = (dice_words(march.allowance(s, unit)), *places(s, unit, found, range_of(march.allowance(s, unit))))
    if not found:
        yield _why_stays(s, unit)
    elif len(told) == 1:
        yield f"`march {unit} to HEX`, {told[0]}: no place with a name in reach"
    elif known.setdefault(told, unit) != unit:
        yield f"`march {unit} to HEX` comes to the same places for the same points as {known[told]}"
    else:
        yield f"`march {unit} to HEX`, {told[0]}: {'; '.join(told[1:])}"


def _why_stays(s: State, unit: str) -> str:
    """Why a unit can leave its hex by no march: a leader can't go along, or no step can be made."""
    side, along = s.board.units[unit].side, actions.going_along(s, unit)
    steps = [may_march.why_not(s, side, March(unit, (h,), along)) for h in s.board.ground.near[s.at[unit]]]
    first = may_march.why_not(s, side, March(unit, (), along)) or steps[0]
    if first is None or None in steps:
        return "has no way out of its hex for the points of a march"
    return _why(first)


def _comings(s: State, side: str, unit: str, found: Sequence[End]) -> Iterator[tuple[March, str, bool]]:
    """Marches to the nearest hexes from which a unit may attack enemies whom it isn't beside, with what may come.

    And whether that is known: where cavalry may go back on the way too much may come to be counted in a form.
    """
    enemy, near = s.board.enemy[side], s.board.ground.near
    seen = {h for h in near[s.at[unit]] if h in s.stands}
    along, allowance, count = actions.going_along(s, unit), march.allowance(s, unit), 0
    for end in found if unit not in s.demoralised else ():
        for h in near[end.at]:
            if h in seen or h not in s.stands or not s.units_in(h, enemy) or count == ENEMIES:
                continue
            if is_open(s, side, end.at, h) and kinds(s, unit, allowance, end.points):
                seen.add(h)
                count += 1
                order = March(unit, end.path, along, strike=Strike(h))
                told = f"{_at(s, side, h)}, {_points(end.points)} to {s.board.label[end.at]}"
                if s.board.units[unit].infantry and PAST in marks(s, unit, (*end.path, h)):
                    yield order, f"{told}: {kinds(s, unit, allowance, end.points)}{MAY_GO}", False
                else:
                    yield order, f"{told}: {in_short(s, order)}", True


def _points(halves: int) -> str:
    return f"{half(halves)} point{'s' * (halves > 2)}"


def _at(s: State, side: str, h: Hex) -> str:
    """The enemies in a hex and what they are worth: `king, ricketts, value 8`."""
    enemy = s.board.enemy[side]
    return f"{', '.join(s.units_in(h, enemy))}, value {half(s.value_in(h, enemy))}"


def _strikes(s: State, side: str, unit: str) -> Iterator[tuple[Hex, March]]:
    """The attacks of a unit from its hex, each with the hex of the enemy."""
    if may_march.why_no_extended(s, unit) is not None:
        return
    along = actions.going_along(s, unit)
    for h in s.board.ground.near[s.at[unit]]:
        if h in s.stands:
            order = March(unit, (), along, strike=Strike(h))
            if may_march.why_not(s, side, order) is None:
                yield h, order


# --- leaders ----------------------------------------------------------------------------------------------------------


def _leading(s: State, side: str, leader: str) -> Iterator[str]:
    """A leader: whom he can activate from where he is, and whom when he goes to a unit first."""
    head = _head(s, leader)
    if (refusal := why_held(s, leader)) is not None:
        yield f"{head}: {_why(refusal)}"
    elif leaders.is_army(s, leader):
        yield f"{head}: leads grand assaults, joined by {s.command_value(leader)} or less"
    else:
        yield f"{head}: {'; '.join(_activating(s, side, leader))}"


def _activating(s: State, side: str, leader: str) -> Iterator[str]:
    able = [u for u in s.own(side) if s.commands(leader, u) and _marches(s, side, u)]
    here = _led(s, leader, able, s.at[leader])
    if not here:
        yield "activates nobody from here"
    else:
        known = (side, s.board.units[here[0]].branch) in s.board.tables.activation
        dice = march.allowance(s, here[0], led=True) if known else None
        those = _along(s, leader, here, s.at[leader])
        yield f"`activate {leader} march U ... march U ...`{f', {dice_words(dice)}' if dice else ''}: {those}"
    told: dict[str, list[str]] = {}
    for unit in leaders.hops(s, leader):
        there = _led(s, leader, able, s.at[unit])
        if there and not {*there} <= {*here}:
            told.setdefault(_along(s, leader, there, s.at[unit]), []).append(unit)
    for those, units in told.items():
        yield f"`hop {' or '.join(units)}` first: {those}"


def _marches(s: State, side: str, unit: str) -> bool:
    """Whether a unit may march in this turn as tired as it is."""
    return may_march.why_not_act(s, side, unit) is None and may_march.why_no_extended(s, unit) is None


def _along(s: State, leader: str, units: Sequence[str], start: Hex) -> str:
    """Units as they are written behind `march`: with a leader who would be left alone, by one of them or by all."""
    alone = {unit: activation.left_alone(s, leader, start, [unit]) for unit in units}
    told = ", ".join(" ".join((unit, *(("with", *along) if along else ()))) for unit, along in alone.items())
    for one, those in activation.left_alone(s, leader, start, units).items():
        if len(those) > 1:
            told += f" (one of {listed(those)} `with {one}`, if all march)"
    return told


def _led(s: State, leader: str, able: Sequence[str], start: Hex) -> list[str]:
    return [unit for unit in able if leaders.in_radius(s, leader, unit, start)]


def _assaults(s: State, side: str, leader: str) -> Iterator[Assault | Grand]:
    """The largest assault of a leader from each hex on each enemy, and his largest grand assault on each."""
    best: dict[tuple[object, ...], Assault | Grand] = {}
    for order in actions.assaults(s, side, leader):
        if isinstance(order, Assault):
            key: tuple[object, ...] = (order.at, s.at[order.units[0]])
            size = len(order.units)
        else:
            key, size = (order.at,), len(order.first) + len(order.others)
        known = best.get(key)
        if known is None or size > _size(known):
            best[key] = order
    yield from best.values()


def _size(order: Assault | Grand) -> int:
    return len(order.units) if isinstance(order, Assault) else len(order.first) + len(order.others)


# --- reinforcements, transfers, works ---------------------------------------------------------------------------------


def _arriving(s: State, side: str) -> Iterator[FormEntry]:
    """Reinforcements of which the hex can be chosen."""
    for one in arrivals.due(s, side):
        orders = [order for order in arrivals.choices(s, side) if order.arrival == one.id]
        units = ", ".join(s.board.describe(start.unit) for start in one.starts)
        lines = [(order_words(s.board, order), s.board.place(order.at)) for order in orders]
        if s.turn < s.board.turns and arrivals.why_not_put_off(s, side, PutOff(one.id)) is None:
            lines.append((order_words(s.board, PutOff(one.id)), _later(s, one)))
        if lines:
            yield FormEntry(f"Reinforcements: {units}", tuple(lines), ())


def _later(s: State, one: Arrival) -> str:
    """Where reinforcements come in that are put off, and who is put off with them (22.1-re2, 22.1-re5)."""
    where = listed(map(s.board.place, one.late), "or")
    others = [other for other in one.together if other in s.waiting]
    return f"in turn {s.turn + 1} at {where}{f', and so {listed(others)}' if others else ''}"


def _merging(s: State, side: str) -> Iterator[FormEntry]:
    """The mergings of substitutes, and of units that may do as they (21.2)."""
    lines = []
    for order in substitutes.merges(s, side):
        more, had = s.manpower[order.unit], s.manpower[order.into]
        for_good = "" if substitutes.is_substitute(s, order.unit) else ", for good"
        lines.append((order_words(s.board, order), f"manpower {had} and {more}{for_good}"))
    if lines:
        yield FormEntry("Mergings, as things stand", tuple(lines), ())


def _detaching(s: State, side: str) -> Iterator[FormEntry]:
    """Which substitutes are free, how many men they take, and how a march leaves them behind (21.0-1, 21.1)."""
    advanced = s.board.advanced
    free = [sub for sub in advanced.substitutes[side] if sub not in s.at] if advanced is not None else []
    able = [unit for unit in s.own(side) if s.manpower[unit] > 1 and may_march.why_not_act(s, side, unit) is None]
    notes = []
    for branch in (INFANTRY, CAVALRY):
        subs = [sub for sub in free if s.board.units[sub].branch == branch]
        if subs and any(s.board.units[unit].branch == branch for unit in able):
            notes.append(f"{branch}: {', '.join(subs)}, {substitutes.most_of(s, subs[0])} manpower at most each")
    if notes:
        yield FormEntry(
            "Substitutes, which a march of a unit with 2 manpower or more may leave behind",
            (),
            (
                "`march U HEX HEX detach SUBSTITUTE N` where it begins, `detach SUBSTITUTE N HEX` in a hex of its way, "
                "for N manpower, several one behind another, behind `rail` likewise; U keeps 1 at least [21.1-3, "
                "21.1-13]",
                *notes,
            ),
        )


def _foraging(s: State, side: str) -> Iterator[FormEntry]:
    """Who is out of supply and can forage at the end of the turn, as things stand (20.4)."""
    lines = [_line(s, order) for order in supply.foragers(s, side) if not recovery.is_idle(s, side, order)]
    if lines:
        yield FormEntry("Foraging at the end of the turn, of who is out of supply, as things stand", tuple(lines), ())


def _transferring(s: State, side: str) -> Iterator[FormEntry]:
    """The transfers of leaders, by leader."""
    found: dict[str, list[Transfer]] = {}
    for order in leaders.transfers(s, side):
        found.setdefault(order.leader, []).append(order)
    notes = []
    for leader, orders in found.items():
        told = ", ".join(f"{order.unit} at {s.board.place(s.at[order.unit])}" for order in orders)
        head = _head(s, leader) if leader in s.at else f"{s.board.describe(leader)}, off the map"
        notes.append(f"{head}: `transfer {leader} U` to {told}")
    if notes:
        yield FormEntry("Leader transfers, once each in a turn", (), tuple(notes))


def _working(s: State, side: str) -> Iterator[FormEntry]:
    """Works and bridges, which are ordered for the end of the turn."""
    stages: dict[int, list[str]] = {}
    lines: list[Line] = []
    for order in recovery.works(s, side):
        if recovery.is_idle(s, side, order):
            continue
        if isinstance(order, Entrench):
            stages.setdefault(s.works.get(order.unit, 0) + 1, []).append(order.unit)
        else:
            lines.append(_line(s, order))
    notes = [f"`entrench U` to {WORKS[stage]}: {', '.join(units)}" for stage, units in sorted(stages.items())]
    if notes or lines:
        yield FormEntry("Works at the end of the turn, as things stand", tuple(lines), tuple(notes))


_CHAPTERS: dict[str, tuple[Callable[[State, str], Iterator[FormEntry]], ...]] = {
    "reinforcements": (_arriving, _transferring, _merging, _acting, _detaching, _working, _foraging),
    "transfer": (_transferring, _merging, _acting, _detaching, _working, _foraging),
    "attachment": (_merging, _acting, _detaching, _working, _foraging),
    "action": (_acting, _detaching, _working, _foraging),
    "recovery": (_working, _foraging),
}
"""Kind of decision -> the chapters of its form: its own, and those of later steps that the same mail may order."""
