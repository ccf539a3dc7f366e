"""The order form: for each force what it may do now and whom it can reach, with odds; the castles under siege."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.fates import odds
from pbem.rules.kit import form as kit
from pbem.rules.kit.form import Line
from pbem.rules.requests import Choose, FormEntry
from pbem.rules.sengoku import battle, changes, deployment, movement, operation, recovery, replenishment, talks
from pbem.rules.sengoku.acting import (
    besiegers,
    forces_inside,
    friendly_castle,
    open_in,
    side_of,
    threshold,
    why_not_act,
)
from pbem.rules.sengoku.board import Castle
from pbem.rules.sengoku.castles import castle_morale, units_inside
from pbem.rules.sengoku.command import rank_words
from pbem.rules.sengoku.harm import strength
from pbem.rules.sengoku.lines import in_line, why_cut
from pbem.rules.sengoku.odds import siege_odds, tell_odds
from pbem.rules.sengoku.orders import (
    DEPLOYMENT,
    SITUATION,
    Assault,
    Besiege,
    Close,
    Declare,
    Move,
    Offer,
    Order,
    Place,
    Recover,
    Retreat,
)  # fmt: skip
from pbem.rules.sengoku.organising import takes
from pbem.rules.sengoku.retreat import way_words
from pbem.rules.sengoku.sequence import at_first_stage
from pbem.rules.sengoku.standing import SENSIBLE, STATES
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.victory import for_good, lead_words, points_words, score, total
from pbem.rules.sengoku.wording import CLOSING, order_words
from pbem.words import listed, the

__all__ = ["form", "tell_cost"]

STRATEGIC = " of strategic movement"
ONE_BY_ONE = "they assault one after another, each as told of it alone"


class _End(NamedTuple):
    """A hex in reach of a force: the points that it costs and the way there."""

    points: int
    order: Move


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form of a pending decision; the closing order last where it is one."""
    if not choose.reaction:
        fallen = "`fallen CASTLE`: it isn't its first owner's side's any more"
        words = f"`is U WORD` asks of a unit one of {', '.join(STATES)}"
        yield FormEntry("tests of these rules", (), (fallen, words))
        yield from _PHASES.get(choose.kind, _operation)(s, choose.side)
        yield kit.closing(CLOSING)._replace(notes=tuple(_points(s)))
        return
    first = choose.default() if choose.default is not None else None
    lines = [_line(s, order, _chosen(s, order, first=order == first)) for order in choose.options()]
    yield FormEntry(choose.prompt, tuple(lines), tuple(_about(s, choose)))


def _chosen(s: State, order: Order, *, first: bool) -> str:
    """What is said of an answer: what a way back costs, and which is that of the rules."""
    told = ["as the rules would choose"] * first + ([way_words(s, order)] if isinstance(order, Retreat) else [])
    return "; ".join(told)


def _about(s: State, choose: Choose) -> Iterator[str]:
    """The forces that a question concerns."""
    for force in choose.about:
        if force in s.forces:
            yield _heading(s, force)


def _line(s: State, order: Order, note: str = "", odds_in: State | None = None) -> Line:
    """An order with what is told of it: its odds, in another state where those are told so, unless there is a note."""
    return order_words(s.board, order), note or tell_odds(odds_in or s, order)


def _points(s: State) -> Iterator[str]:
    """The score as it would be if the campaign ended now, item by item, and what nobody can win back."""
    yield lead_words(s)
    for side in s.board.sides:
        items = [f"{item.what} {item.points:+d}" for item in score(s) if item.side == side.id]
        told = f": {', '.join(items)}" if items else ""
        yield f"if the campaign ended now, {the(side.title)} has {points_words(total(s, side.id))}{told}"
    yield from for_good(s)


# --- before the first stage -------------------------------------------------------------------------------------------


def _deploying(s: State, side: str) -> Iterator[FormEntry]:
    """Each deployment as it stands if nothing is said."""
    for found in deployment.placing(s, side):
        h, groups = deployment.usual(s, found), deployment.grouped(s.board, s.waiting[found.id])
        lines = tuple(_line(s, Place(units, h), _placed(s, units)) for units in groups)
        others = " ".join(s.board.label[other] for other in deployment.places(s, found))
        notes = ((f"or at any of {others}",) if len(found.hexes) > 1 else ()) + tuple(_men(s, groups))
        count = kit.counted(len(s.waiting[found.id]), "unit")
        yield FormEntry(f"{found.id}: {count}, at {s.board.place(h)} if you don't say otherwise", lines, notes)
    notes = ("a force with `enter` behind its hex is shut up in the castle there, all others stand in the open",)
    yield FormEntry("Standing orders for a beginning, to be changed whenever you like", (), _standing())
    told = "the rest stands as written above"
    if side == s.board.sides[0].id:
        told = f"{told}; what is said in the situation change and the orders of stage 1 may follow"
    yield FormEntry("The deployment", (_line(s, Close(DEPLOYMENT), told),), notes)


def _placed(s: State, units: Sequence[str]) -> str:
    """A force that is placed: who leads it, his rank and boxes, its strength."""
    front = sum(s.board.units[unit].front for unit in units)
    leader = s.board.units[units[0]]
    return ", ".join([leader.name, rank_words(leader), f"strength {front}"])


def _men(s: State, groups: Sequence[Sequence[str]]) -> Iterator[str]:
    """Those who are placed under others, by name, each with his strength."""
    men = [unit for led in groups for unit in led[1:]]
    if men:
        told = (f"{s.board.describe(unit)} {s.board.units[unit].front}" for unit in men)
        yield f"under them, with their strength: {', '.join(told)}"


def _standing() -> tuple[str, ...]:
    """A set of standing orders, each to be copied without the quotation marks."""
    return tuple(f"`standing {' '.join(words)};`" for words in SENSIBLE)


def _changing(s: State, side: str) -> Iterator[FormEntry]:
    """Declarations and entries, then the first stage, whose orders may stand in the same mail."""
    orders = list(changes.options(s, side))
    for found in deployment.placing(s, side, s.declared):
        waiting = set(s.waiting[found.id])
        own = [o for o in orders if isinstance(o, Place) and not o.enter and waiting.issuperset(o.units)]
        last = {order.units: order for order in own}.values()
        places = " ".join(dict.fromkeys(s.board.label[order.at] for order in own))
        yield FormEntry(f"{found.id} may enter", tuple(_line(s, o) for o in last), (f"at any of {places}",))
    begins = "begins to act, for good; behind it its forces can have orders, too"
    lines = [_line(s, o, begins) for o in orders if isinstance(o, Declare)]
    lines.append(_line(s, Close(SITUATION), "the orders of stage 1 may follow, told as lines leave morale"))
    yield FormEntry("The situation change", tuple(lines))
    yield from _operation(at_first_stage(s), side, odds_in=s)


# --- the operation phase ----------------------------------------------------------------------------------------------


def _operation(s: State, side: str, odds_in: State | None = None) -> Iterator[FormEntry]:
    """Each force that may act, then those that can't with why not, then the castles under siege.

    `odds_in` is the state by which odds are told: in the situation change that one, whose odds say what lines do to
    morale before the first stage.
    """
    refused: dict[str, list[Refusal]] = {}
    told: dict[tuple[str, ...], str] = {}
    found: dict[tuple[object, ...], list[tuple[str, FormEntry]]] = {}
    for force in s.own_forces(side):
        refusal = why_not_act(s, side, force)
        if refusal is None:
            entry, alike = _force(s, side, force, told, odds_in or s)
            found.setdefault(alike, []).append((force, entry))
        else:
            refused[force] = [refusal]
    for several in found.values():
        yield several[0][1] if len(several) == 1 else _several(s, several)
    yield from kit.idle(s.board.describe, refused)
    for castle in s.board.castles.values():
        if besiegers(s, castle.id):
            yield _siege(s, side, castle)


def _several(s: State, several: Sequence[tuple[str, FormEntry]]) -> FormEntry:
    """Units that stand together, each by itself, and have the same choices: only to go somewhere."""
    first, entry = several[0]
    units = _all_who(s, {force: [f"action power {s.board.units[force].power}"] for force, _ in several})
    notes = tuple(note.replace(f"`move {first} ", "`move FORCE ") for note in entry.notes)
    return FormEntry(f"{_stands(s, first)}, {_morale(s, first)}, each by itself: {units}", (), notes)


def _force(
    s: State, side: str, force: str, told: dict[tuple[str, ...], str], odds_in: State
) -> tuple[FormEntry, tuple[object, ...]]:
    """A force: whom it leads, its line, what it can fight, restore, and where it comes; what is so of others alike.

    `told` has what was said of where forces come, and of which; by the state `odds_in` odds are told.
    """
    orders: list[Order] = [*battle.options(s, force), *operation.attacks(s, side, force)]
    orders += operation.before_castle(s, side, force)
    orders += [*recovery.options(s, force), *replenishment.options(s, force)]
    lines = [_line(s, order, _note(s, order, odds_in), odds_in) for order in orders]
    ends = _ends(s, force)
    moves = [
        (end.order, f"{kit.counted(end.points, 'point')}{_how(end)}, {why}") for end, why in _facing(s, side, ends)
    ]
    short = {order_words(s.board, order): _short(s, order) for order, _ in moves}
    lines += [(order_words(s.board, order), note) for order, note in moves]
    reach = tuple(_reach(s, ends))
    other = told.setdefault(reach, force)
    notes = [*_led(s, force), _line_of(s, force), *_company(s, force), *_door(s, force, ends), *_leaves(s, force)]
    alone = not lines and len(s.forces[force]) == 1
    alike = (
        (_stands(s, force), _morale(s, force), other, *(note.replace(f"`move {force} ", "") for note in notes))
        if alone
        else (force,)
    )
    notes += reach if other == force else [f"comes to the same hexes as {other}"]
    return FormEntry(_heading(s, force), tuple(lines), tuple(notes), short), alike


def _heading(s: State, force: str) -> str:
    """A force: its leader, strength, morale, action power, and where it stands."""
    unit = s.board.units[force]
    told = [rank_words(unit), f"strength {strength(s, [force])}", _morale(s, force), f"action power {unit.power}"]
    return f"{s.board.describe(force)}: {', '.join([*told, _stands(s, force)])}"


def _morale(s: State, force: str) -> str:
    """`morale normal`."""
    morale = s.morale.get(force, 0)
    return f"morale {f'{morale:+d}' if morale else 'normal'}"


def _stands(s: State, force: str) -> str:
    """`at 0326 Okayama`."""
    where = "shut up in the castle at" if force in s.shut_in else "besieging" if force in s.besieging else "at"
    return f"{where} {s.board.place(s.at[force])}"


def _all_who(s: State, more: Mapping[str, Sequence[str]]) -> str:
    """`gm-01 Gamo Ujisato, general with 8 boxes, strength 7; hb-04 Asano Nagamasa and hb-06 ..., strength 2 each`.

    Of who leads others the strength is that of all; `more` has units, and what is told of each behind that. Those of
    whom the same is told stand together.
    """
    alike: dict[str, list[str]] = {}
    for unit, behind in more.items():
        values = s.board.units[unit]
        alone = values.back if unit in s.reduced else values.front
        rank = [rank_words(values)] if values.commander else []
        told = ", ".join([*rank, f"strength {strength(s, [unit]) if unit in s.forces else alone}", *behind])
        alike.setdefault(told, []).append(s.board.describe(unit))
    return "; ".join(f"{listed(units)}, {told}{' each' * (len(units) > 1)}" for told, units in alike.items())


def _led(s: State, force: str) -> Iterator[str]:
    """Whom a force's leader leads, and who of them has a single step."""
    leader, *others = s.forces[force]
    if others:
        boxes = s.board.units[leader].boxes
        yield f"leads {', '.join(others)}: {len(others)} of {kit.counted(boxes, 'box')}"
    reduced = [unit for unit in s.forces[force] if unit in s.reduced]
    if reduced:
        yield f"on one step: {', '.join(reduced)}"


def _line_of(s: State, force: str) -> str:
    """A force's line of communication, and what cuts it."""
    if in_line(s, force):
        return "has a line of communication"
    cut = why_cut(s, force)
    return f"has no line of communication: {cut.reason} [{cut.clause}]"


def _company(s: State, force: str) -> Iterator[str]:
    """Whom a commander can take under him, and that he can let units go."""
    if not s.board.units[force].commander or force in s.under_superior:
        return
    if taken := takes(s, force):
        told = _all_who(s, dict.fromkeys(taken, ()))
        yield f"`organise {force} takes U ...` puts units under it: {told}"
    if len(s.forces[force]) > 1:
        yield f"`organise {force} leaves U ...` lets units go"


def _note(s: State, order: Order, odds_in: State) -> str:
    """Of a siege the strength that it has and needs; of several that assault only that they do; "" for other orders."""
    match order:
        case Besiege(castle, forces, assault):
            strong = strength(s, {*forces, *besiegers(s, castle)})
            told = f"strength {strong}, {threshold(s.board, castle)} needed"
            if not assault:
                return told
            return f"{told}; {tell_odds(odds_in, order) if len(forces) == 1 else ONE_BY_ONE}"
        case Assault(_, forces) if len(forces) > 1:
            return ONE_BY_ONE
        case Recover(force) if in_line(s, force):
            return "recovers without a die, by its line of communication"
    return ""


# --- where a force comes ----------------------------------------------------------------------------------------------


def _ends(s: State, force: str) -> list[_End]:
    """The hexes in reach of a force by the way that `to` takes, the cheapest first, strategic ones last."""
    found: dict[Hex, _End] = {}
    for strategic in (False, True):
        for h, (points, path) in movement.destinations(s, force, strategic=strategic).items():
            found.setdefault(h, _End(points, Move(force, path, strategic)))
    return [*found.values()]


def tell_cost(s: State, order: Order) -> str:
    """The points of a move, castle doors included; "" for other orders."""
    if not isinstance(order, Move):
        return ""
    return kit.counted(movement.cost(s, order), "point") + (STRATEGIC if order.strategic else "")


def _how(end: _End) -> str:
    return STRATEGIC if end.order.strategic else ""


def _facing(s: State, side: str, ends: Sequence[_End]) -> Iterator[tuple[_End, str]]:
    """The cheapest ends next to enemies in the open or before a castle of theirs, each of whom no end before faces."""
    enemy, near = s.board.enemy[side], s.board.ground.open_to

    def faced(end: _End) -> list[str]:
        h = end.order.path[-1]
        castle = friendly_castle(s, h, enemy)
        forces = [force for n in near[h] for force in open_in(s, n, enemy)]
        if castle is None:
            return forces
        return [*forces, f"{s.board.castles[castle].name} ({threshold(s.board, castle)} needed to besiege)"]

    yield from kit.facing(ends, faced)


def _short(s: State, order: Move) -> tuple[str, ...]:
    """The words of a move that name only where it ends."""
    return ("move", order.force, "to", s.board.label[order.path[-1]], *(("strategic",) if order.strategic else ()))


def _reach(s: State, ends: Sequence[_End]) -> Iterator[str]:
    """Where moves lead, tactical and strategic ones."""
    for strategic in (False, True):
        places = [(s.board.place(e.order.path[-1]), e.points) for e in ends if e.order.strategic == strategic]
        if places:
            told = kit.destinations("move FORCE", places, "point")
            yield f"strategically, {told}" if strategic else told


def _door(s: State, force: str, ends: Sequence[_End]) -> Iterator[str]:
    """How a force leaves the castle of its hex, or enters it."""
    if force in s.shut_in:
        yield f"`move {force} out` leaves the castle" if ends else "can't leave the castle: an enemy is before it"
    elif friendly_castle(s, s.at[force], side_of(s, force)) is not None:
        yield f"`move {force} enter` shuts it up in the castle here"


def _leaves(s: State, force: str) -> Iterator[str]:
    """What comes of it when a force gives up the siege in which it takes part (18-3, R157)."""
    if force not in s.besieging:
        return
    castle = s.board.castle_in[s.at[force]]
    left, needed = [other for other in besiegers(s, castle) if other != force], threshold(s.board, castle)
    strong = strength(s, left)
    given_up = f"`lift {force}`, or any move, gives up its siege of {s.board.castles[castle].name}"
    if strong >= needed:
        yield f"{given_up}, which goes on, with {strong} where {needed} are needed"
    elif left:
        why = f"as {strong} of the {needed} needed are left"
        yield f"{given_up}, which ends, {why}, and the morale of the castle and of all inside is normal again"
    else:
        yield f"{given_up}, which ends, and the morale of the castle and of all inside is normal again"


# --- castles under siege ----------------------------------------------------------------------------------------------


def _siege(s: State, side: str, castle: Castle) -> FormEntry:
    """A castle under siege: its durability, who is inside and before it, and what its next siege check may bring."""
    morale, inside, before = castle_morale(s, castle.id), forces_inside(s, castle.id), besiegers(s, castle.id)
    army = s.board.armies[s.owner[castle.id]]
    held, room = kit.counted(len(units_inside(s, castle.id)), "unit"), s.board.tables.limit[castle.level]
    whose, told = s.board.side[army.side].title, f" ({', '.join(inside)})" if inside else ""
    notes = (
        f"durability {s.durability[castle.id]}, morale {f'{morale:+d}' if morale else 'normal'}",
        f"inside: {held} where {room} have room, strength {strength(s, inside)}{told}",
        f"before it: strength {strength(s, before)}, {threshold(s.board, castle.id)} needed ({', '.join(before)})",
        f"the siege check behind the phase of the {whose}: {odds(siege_odds(s, castle.id))}",
    )
    heading = f"The siege of {s.board.place(castle.at)}, castle of level {castle.level} of the {army.title}"
    offers = [_line(s, offer, _price(s, offer)) for offer in talks.offers(s, side) if offer.castle == castle.id]
    return FormEntry(heading, tuple(offers), (*notes, *_offered(s, side, castle)))


def _price(s: State, offer: Offer) -> str:
    """What an offer to open a castle costs those inside, if it is accepted (20-4)."""
    lost = ", ".join(map(s.board.describe, offer.units))
    return f"{lost} is removed{_out(s, offer)}" if lost else "all march out, nobody is removed"


def _out(s: State, offer: Offer) -> str:
    """Whether anybody is left inside to march out behind those who are removed."""
    return "" if set(units_inside(s, offer.castle)) <= set(offer.units) else ", the others march out"


def _offered(s: State, side: str, castle: Castle) -> Iterator[str]:
    """What a side that is besieged may offer, or has offered (20-4)."""
    if talks.why_not(s, side, Offer(castle.id)) is not None:
        return
    if castle.id in s.offers:
        yield f"offered to open in this phase; then {_price(s, Offer(castle.id, s.offers[castle.id]))}"
        yield f"`offer {castle.id} U ...` or `offer {castle.id} none` takes its place"
    else:
        yield f"`offer {castle.id} U ...` offers to open it at the price of any of those inside"
    yield "the besieger answers before the siege check; if he accepts, no check is made"
    yield "he refuses where he isn't asked and has no `standing accept`, as `check` tells of the orders in force"


_PHASES: dict[str, Callable[[State, str], Iterator[FormEntry]]] = {DEPLOYMENT: _deploying, SITUATION: _changing}
"""Kind of decision of a phase -> its entries; all others are operation phases."""
