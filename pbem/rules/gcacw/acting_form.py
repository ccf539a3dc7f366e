"""What the order form tells of the action cycle: each corps with its leader and units, where they come and attack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw import (
    actions,
    activation,
    leaders,
    march,
    may_march,
    raid,
)  # fmt: skip
from pbem.rules.gcacw.board import CONFEDERATE, DAMAGED
from pbem.rules.gcacw.going import along_rails
from pbem.rules.gcacw.halves import half
from pbem.rules.gcacw.holds import why_held
from pbem.rules.gcacw.in_force import left_on_rails
from pbem.rules.gcacw.odds import dice_words, in_short, tell_odds
from pbem.rules.gcacw.orders import Activate, Assault, Grand, March, Order, Raid, Rail, Strike
from pbem.rules.gcacw.outreach import PAST, End, ends, kinds, marks, places, range_of
from pbem.rules.gcacw.situation import WORKS, formation
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.wording import order_words
from pbem.rules.gcacw.zones import in_zone, is_open
from pbem.rules.kit.form import Line, counted
from pbem.rules.kit.going import TO
from pbem.rules.requests import FormEntry, Words
from pbem.words import listed

__all__ = ["acting", "counter", "line", "raided", "tell_cost"]

ENEMIES = 2
"""So many enemies before whom a unit can come are told, the nearest."""


def line(s: State, order: Order, note: str = "") -> Line:
    """An order with what is told of it: its odds, unless there is a note."""
    return order_words(s.board, order), note or tell_odds(s, order)


def _why(refusal: Refusal) -> str:
    return f"{refusal.reason} [{refusal.clause}]"


# --- units ------------------------------------------------------------------------------------------------------------


def counter(s: State, unit: str) -> str:
    """A counter: what it is, how it stands and where."""
    what = s.board.units[unit]
    if what.leader:
        return f"{s.board.describe(unit)}, leader, at {s.board.place(s.at[unit])}"
    value_figure, fatigue_figure = half(s.value(unit)), s.fatigue.get(unit, 0)
    told = ["disorganised"] if unit in s.disorganised else []
    if unit in s.demoralised:
        told.append(f"demoralised {s.demoralised[unit]}")
    if s.works.get(unit):
        told.append(WORKS[s.works[unit]])
    more = ", ".join((*told, what.branch if what.cavalry else what.size))
    head, hex_place = s.board.describe(unit), s.board.place(s.at[unit])
    if in_zone(s, what.side, s.at[unit]):
        return f"{head}: value {value_figure}, fatigue {fatigue_figure}, {more}, at {hex_place} in a zone of control"
    return f"{head}: value {value_figure}, fatigue {fatigue_figure}, {more}, at {hex_place}"


def raided(s: State) -> str:
    """The stations that can be raided, as they stand."""
    how = {None: "", DAMAGED: " (damaged)"}
    told = [f"{s.board.place(h)}{how.get(s.station.get(h), ' (destroyed)')}" for h in s.board.stations]
    return f"`raid U` in the hex of a station that the rulebook names, no other: {', '.join(told)} [std-5.4-1]"


def acting(s: State, side: str) -> Iterator[FormEntry]:
    """The entries of all corps and armies, as in reports: their leaders with who can't act, then each unit that can."""
    of: dict[str, list[str]] = {}
    for unit in s.board.of_side[side]:
        of.setdefault(formation(s.command_of(unit)), []).extend([unit] if unit in s.at else [])  # 21.1-8
    known: dict[tuple[str, ...], str] = {}
    for name, units in of.items():
        able = [unit for unit in units if unit in s.manpower and may_march.why_not_act(s, side, unit) is None]
        led = [unit for unit in units if unit not in s.manpower]
        notes = [note for leader in led for note in _leading(s, side, leader)]
        fought = [order for leader in led for order in _assaults(s, side, leader)]
        lines = [line(s, order, f"{_at(s, side, order.at)}; {tell_odds(s, order)}") for order in fought]
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
            refused.setdefault(why, []).append(counter(s, unit))
    for why, heads in refused.items():
        yield f"{'; '.join(heads)}: {'each ' * (len(heads) > 1)}{why}"


def _unit(s: State, side: str, unit: str, known: dict[tuple[str, ...], str]) -> FormEntry:
    """A unit that can act: where it comes, whom it can attack from its hex and after a march, raids, rails."""
    found = [] if may_march.why_no_extended(s, unit) is not None else ends(s, unit, march.allowance(s, unit))
    lines = [line(s, order, f"{_at(s, side, h)}; {tell_odds(s, order)}") for h, order in _strikes(s, side, unit)]
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
    if (refusal := raid.why_not(s, side, Raid(unit))) is None:
        lines.append((order_words(s.board, Raid(unit)), f"succeeds without a die: {s.board.place(s.at[unit])}"))
    elif side == CONFEDERATE and raid.is_by_rail(s, s.at[unit]):
        notes.append(f"no `raid`: {_why(refusal)}")
    for rail in [*actions.rails(s, side, unit)][-1:]:
        lines.append(line(s, rail, _by_rail(s, rail)))
        if along_rails(s, rail, s.at[unit], rail.path[-1]) == rail.path and len(rail.path) > 1:
            typed[lines[-1][0]] = ("rail", unit, TO, s.board.label[rail.path[-1]])
        if left := left_on_rails(s):
            notes.append(
                f"`rail {unit} to PLACE`: the railroad takes combat value {half(left)} more in this turn, and all of "
                "its own counts, also of what it detaches on the way [16.0-8]"
            )
    notes += _unbridging(s, side, unit)
    return FormEntry(counter(s, unit), tuple(lines), tuple(notes), typed)


def _by_rail(s: State, order: Rail) -> str:
    """The name of where a way by rail ends, and what the extended march may bring, if it is one (16.0-3)."""
    name = s.board.map.place_names.get(order.path[-1])
    return "; ".join(filter(None, [f"to {name}" if name else "", tell_odds(s, order)]))


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
                who, at = _at(s, side, h), s.board.label[end.at]
                if s.board.units[unit].infantry and PAST in marks(s, unit, (*end.path, h)):
                    told = f"{kinds(s, unit, allowance, end.points)}; less what cavalry takes that goes back before it"
                    yield order, _to(who, end.points, at, told), False
                else:
                    yield order, _to(who, end.points, at, in_short(s, order)), True


def _to(who: str, halves: int, at: str, told: str) -> str:
    """Whom a unit can attack from where it comes for so many half points, and what comes of it."""
    figure = half(halves)
    return f"{who}, {figure} points to {at}: {told}" if halves > 2 else f"{who}, {figure} point to {at}: {told}"


def _points(halves: int) -> str:
    figure = half(halves)
    return f"{figure} points" if halves > 2 else f"{figure} point"


def tell_cost(s: State, order: Order) -> str:
    """The points that the ways of marches cost as things stand, the hexes of one by rail; "" for other orders."""
    if isinstance(order, Rail):
        return counted(len(order.path), "hex")
    marches = order.marches if isinstance(order, Activate) else (order,)
    ways = [one for one in marches if isinstance(one, March) and one.path]
    costs = [_points(march.way_cost(s, one.unit, s.at[one.unit], one.path)) for one in ways]
    if len(costs) < 2:
        return "".join(costs)
    return ", ".join(f"{one.unit} {cost}" for one, cost in zip(ways, costs, strict=True))


def _at(s: State, side: str, h: Hex) -> str:
    """The enemies in a hex and what they are worth: `king, ricketts, value 8`."""
    enemy = s.board.enemy[side]
    figure = half(s.value_in(h, enemy))
    return f"{', '.join(s.units_in(h, enemy))}, value {figure}"


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
    head = counter(s, leader)
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
        those = _along(s, leader, here, s.at[leader])
        if known:
            dice = dice_words(march.allowance(s, here[0], led=True))
            yield f"`activate {leader} march U ... march U ...`, {dice}: {those}"
        else:
            yield f"`activate {leader} march U ... march U ...`: {those}"
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
    told = ", ".join(f"{unit} with {' '.join(along)}" if along else unit for unit, along in alone.items())
    for one, those in activation.left_alone(s, leader, start, units).items():
        if len(those) > 1:
            told = f"{told} (one of {listed(those)} `with {one}`, if all march)"
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
