"""Movement of a force: tactical, strategic, into castles and out of them, units left behind (rulebook 15, 16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.errors import Refusal
from pbem.maps.hexes import ByHex, Hex
from pbem.records import NamedTuple
from pbem.rules.kit import reach
from pbem.rules.requests import Chance, Tell
from pbem.rules.sengoku.acting import closed_to, friendly_castle, open_in, side_of, why_closed, why_not_act
from pbem.rules.sengoku.areas import Area, hexes_in, rings, touched
from pbem.rules.sengoku.command import why_not_force
from pbem.rules.sengoku.control import strong
from pbem.rules.sengoku.harm import check_markers, lift
from pbem.rules.sengoku.lines import in_line, why_cut
from pbem.rules.sengoku.orders import Drop, Move, Path
from pbem.rules.sengoku.state import State

__all__ = [
    "POINTS", "Reach", "carry_out", "cost", "destinations", "in_reach", "options", "path_to", "points_of",
    "sample", "why_not",
]  # fmt: skip

POINTS = 8  # 15-2-1
DOOR = 1
"""What it costs to shut oneself up in a castle, and to leave it (16-1-1, 16-3)."""

OFTEN_STRATEGIC, OFTEN_IN, OFTEN_DROPS = 0.2, 0.5, 0.1
"""How likely a random move is strategic, ends in a castle, and leaves units behind, where it can."""


class _Walk(NamedTuple):
    """What the steps of a force hang on: the points of the ground, and hexes by the clause they concern.

    toll    in strong control of the enemy without another force of one's own: 1 point to enter, 1 to leave (15-4)
    closed  barred by the scenario;  held: with open enemies
    near    of strategic movement: with enemies or their castles, or next to them
    """

    costs: ByHex[Mapping[Hex, int]]
    bit: Mapping[Hex, Area]
    toll: Area
    closed: Area
    held: Area
    near: Area


def points_of(s: State, force: str) -> int:
    """The movement points of a force (15-2-1, 15-6-3)."""
    return POINTS + s.morale.get(force, 0)


def why_not(s: State, side: str, order: Move) -> Refusal | None:
    """Why a force can't move so."""
    refusal = why_not_act(s, side, order.force)
    return refusal or _why_not_begin(s, order) or _why_not_drop(s, order) or _why_no_way(s, order)


def cost(s: State, order: Move) -> int:
    """The points that a move over allowed steps costs, castle doors included."""
    return sum(price for _, _, price in _steps(s, order) if not isinstance(price, str)) + _doors(s, order)


def _doors(s: State, order: Move) -> int:
    """The points for leaving a castle and shutting oneself up in one."""
    return DOOR * ((order.force in s.shut_in) + order.enter)


# --- the steps of a way -----------------------------------------------------------------------------------------------


def _walk(s: State, force: str, *, strategic: bool) -> _Walk:
    """What the steps of a force hang on, worked out once for a position."""
    key = ("walk", force, strategic, len(s.declared))
    found: _Walk | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = _hanging_on(s, force, strategic=strategic)
    return found


def _hanging_on(s: State, force: str, *, strategic: bool) -> _Walk:
    """What the steps of a force hang on as things stand."""
    board, side, start = s.board, side_of(s, force), s.at[force]
    enemy = board.enemy[side]
    toll = strong(s, enemy) & ~s.present[side]  # 15-4-6
    alone = all(other == force or side_of(s, other) != side for other in s.stands[start])
    if alone and (force in s.besieging or strong(s, enemy) & board.ground.bit[start]):
        toll |= board.ground.bit[start]
    costs, near = (board.ground.strategic, _alarmed(s, side)) if strategic else (board.ground.tactical, 0)
    return _Walk(costs, board.ground.bit, toll, closed_to(s, side), s.in_the_open[enemy], near)


def _alarmed(s: State, side: str) -> Area:
    """The hexes with enemies of a side or their castles, or next to them, worked out once for a position (15-3-1)."""
    found: Area | None = s.memo.get(("alarmed", side))
    if found is None:
        enemy = s.board.enemy[side]
        theirs = s.present[enemy] | s.held[enemy]
        found = s.memo["alarmed", side] = touched(s.board.ground.leads["near"], theirs)
    return found


def _price(s: State, walk: _Walk, here: Hex, h: Hex) -> int | str:
    """The points of a step, or the clause that forbids it."""
    costs, bit, toll, closed, held, near = walk
    price = costs[here].get(h)
    if price is None:
        return _forbidden(s, here, h)
    after = bit[h]
    if held & after:
        return "15-6-2"
    if closed & after:
        return "36.7"
    before = bit[here]
    if near and near & (before | after):
        return "15-3-1"
    if toll & before:
        price += 1  # 15-4-1, 15-4-3
    return price + 1 if toll & after else price  # 15-4-5


def _forbidden(s: State, here: Hex, h: Hex) -> str:
    """The clause by which the ground forbids a step."""
    ground = s.board.ground
    if h not in ground.near[here]:
        return "15-1-2"
    if h in s.board.outside:
        return "36.1"
    return "15-6(terrain)" if h in ground.open_to[here] else "15-6-1"


def _steps(s: State, order: Move) -> Iterator[tuple[Hex, Hex, int | str]]:
    """Each step of an order with its points or the clause that forbids it, the units left behind on the way counted."""
    walk, here = _walk(s, order.force, strategic=order.strategic), s.at[order.force]
    left = {drop.at for drop in order.drops}
    for h in order.path:
        if here in left:  # 15-4-6
            walk = walk._replace(toll=walk.toll & ~walk.bit[here])
        yield here, h, _price(s, walk, here, h)
        here = h


# --- why a move is refused --------------------------------------------------------------------------------------------


def _why_not_begin(s: State, order: Move) -> Refusal | None:
    """Why a force can't begin such a move in its hex."""
    force, h = order.force, s.at[order.force]
    name, place = s.board.describe(force), s.board.place(h)
    inside = force in s.shut_in
    if not order.path and (not order.enter and not inside):
        return Refusal("15-1", f"{name} stays where it is: name the hexes of its way")
    if not order.path and order.enter and inside:
        return Refusal("16.0", f"{name} is shut up in {place} already")
    return _why_shut_up(s, force) or (_why_not_strategic(s, force) if order.strategic else None)


def _why_shut_up(s: State, force: str) -> Refusal | None:
    """Why a force can't leave the castle in which it is shut up."""
    h = s.at[force]
    if force not in s.shut_in or not open_in(s, h, s.board.enemy[side_of(s, force)]):
        return None
    reason = f"an enemy is at {s.board.place(h)}: {s.board.describe(force)} can't leave the castle"
    return Refusal("16-3-1", reason)


def _why_not_strategic(s: State, force: str) -> Refusal | None:
    """Why a force can't move strategically at all now (15-3)."""
    name, place = s.board.describe(force), s.board.place(s.at[force])
    match clause := _lacks(s, force):
        case "15-3-1":
            reason = f"{place} is next to an enemy or his castle: {name} moves tactically"
        case "15-3-2":
            reason = f"{name} has no line of communication: {why_cut(s, force).reason}"
        case "15-3-3":
            reason = f"the morale of {name} is {s.morale[force]}: it moves tactically"
        case _:
            return None
    return Refusal(clause, reason)


def _lacks(s: State, force: str) -> str:
    """The clause by which a force can't move strategically at all now; empty when it can."""
    if _alarmed(s, side_of(s, force)) & s.board.ground.bit[s.at[force]]:
        return "15-3-1"
    if force in s.morale:
        return "15-3-3"
    return "" if in_line(s, force) else "15-3-2"  # 11-3(3), 11-3-2, 11-4-2


def _why_not_drop(s: State, order: Move) -> Refusal | None:
    """Why units can't be left behind so (15-5)."""
    left = [unit for drop in order.drops for unit in drop.units]
    way = (s.at[order.force], *order.path)
    goes_on = len(way) if order.enter or len(way) == 1 else len(way) - 1  # through a castle's gate from the last one
    for drop in order.drops:
        if drop.at not in way[:goes_on]:
            reason = "the force ends its way there" if drop.at in way else "it is no hex of the way"
            return Refusal("15-5", f"nobody can be left behind at {s.board.place(drop.at)}: {reason}")
        refusal = why_not_force(s.board, drop.units) if s.board.units[drop.units[0]].commander else None  # 9-2
        if refusal is not None:
            return refusal
    for unit in left:
        if unit == order.force:
            return Refusal("15-5", f"{s.board.describe(unit)} leads the force that moves: he goes with it")
        if s.leader.get(unit) != order.force:
            return Refusal("15-5", f"{s.board.describe(unit)} isn't under {s.board.describe(order.force)}")
        if left.count(unit) > 1:
            return Refusal("15-5", f"{s.board.describe(unit)} is left behind twice")
    return None


def _why_no_way(s: State, order: Move) -> Refusal | None:
    """Why a force can't go its way, or not shut itself up at the end."""
    force, points = order.force, points_of(s, order.force)
    for here, h, price in _steps(s, order):
        if isinstance(price, str):
            return _why_not_step(s, force, price, here, h)
    end, side = (s.at[force], *order.path)[-1], side_of(s, force)
    if order.enter and friendly_castle(s, end, side) is None:
        return Refusal("16.0", f"no castle of its side stands at {s.board.place(end)}")
    spent = cost(s, order)
    if spent > points:  # 15-4-4
        clause = "15-6-3" if force in s.morale else "16-1-1" if order.enter and spent == points + DOOR else "15-2-1"
        return Refusal(clause, f"the way costs {spent} movement points, {s.board.describe(force)} has {points}")
    return None


def _why_not_step(s: State, force: str, clause: str, here: Hex, h: Hex) -> Refusal | None:
    """The refusal of a step that a clause forbids."""
    label, place, side = s.board.label, s.board.place(h), side_of(s, force)
    match clause:
        case "15-1-2":
            reason = f"{label[here]} and {place} aren't adjacent: name every hex of the way"
        case "15-6(terrain)":
            reason = f"{place} is {s.board.ground.terrain[h].replace('_', ' ')}: it can't be entered so"
        case "15-6-1":
            reason = f"the side between {label[here]} and {place} is sea or lake"
        case "15-6-2":
            reason = f"{s.board.describe(open_in(s, h, s.board.enemy[side])[0])} is in the open at {place}"
        case "15-3-1":
            reason = f"the way from {label[here]} to {place} passes next to an enemy or his castle: move tactically"
        case _:
            return why_closed(s, side, h)
    return Refusal(clause, reason)


# --- carrying it out --------------------------------------------------------------------------------------------------


def carry_out(s: State, order: Move) -> Iterator[Tell]:
    """A legal move; the siege that the force took part in is lifted by it (R157)."""
    force, start, label = order.force, s.at[order.force], s.board.label
    facts = {
        "unit": force,
        "from": label[start],
        "path": [label[h] for h in order.path],
        "how": "strategic" if order.strategic else "tactical",
        "cost": cost(s, order),
        "out-of": s.board.castle_in[start] if force in s.shut_in else None,
        "into": s.board.castle_in[(start, *order.path)[-1]] if order.enter else None,
    }
    s.acted.update(s.forces[force])  # 12-1-2
    if force in s.besieging:
        yield from lift(s, (force,), s.board.castle_in[start])
        yield from check_markers(s)  # 18-3
    yield Tell("move", "15-3" if order.strategic else "15.0", facts)
    yield from _leave(s, order, start)  # who stays in the castle is still shut in
    s.let_out(force)  # 16-3
    for stretch in _stretches(order):
        s.put(force, *stretch)
        yield from _leave(s, order, stretch[-1])
    if order.enter:
        s.shut(force)  # 16-1-3


def _stretches(order: Move) -> Iterator[Path]:
    """The way of an order, cut behind each hex where units are left."""
    path, stops, begin = order.path, {drop.at for drop in order.drops}, 0
    for end, h in enumerate(path, 1):
        if end == len(path) or h in stops:
            yield path[begin:end]
            begin = end


def _leave(s: State, order: Move, h: Hex) -> Iterator[Tell]:
    """Leave the units behind that are dropped in a hex, at the first time that the force is there (15-5)."""
    for drop in order.drops:
        first, *others = drop.units
        if drop.at == h and s.leader[first] == order.force:
            s.part(order.force, drop.units)
            if s.board.units[first].commander:
                s.join(first, others)
            facts = {"unit": order.force, "at": s.board.label[h], "units": list(drop.units)}
            yield Tell("left-behind", "15-5", facts)


# --- where a force can come, and random moves -------------------------------------------------------------------------


class Reach(NamedTuple):
    """Where a force can come, and how: points of the cheapest way to each hex, nearest first, its own among them."""

    start: Hex
    walk: _Walk
    cost: Mapping[Hex, int]


def in_reach(s: State, force: str, *, strategic: bool, points: int | None = None) -> Reach:
    """Where a force can come as one. Of a force shut in the points to leave its castle are counted.

    Whether it may act isn't asked. `points` are its own, if none are given.
    """
    start, walk, cost = s.at[force], _walk(s, force, strategic=strategic), dict[Hex, int]()
    if not (_why_shut_up(s, force) or (strategic and _lacks(s, force))):
        spent, most = DOOR * (force in s.shut_in), points_of(s, force) if points is None else points
        leads = s.board.ground.leads["strategic" if strategic else "tactical"]
        shut = walk.held | walk.closed | walk.near
        for far, ring in enumerate(rings(leads, walk.bit[start], most - spent, shut, walk.toll), spent):
            cost.update(dict.fromkeys(hexes_in(s.board.ground.grid, ring), far))
    return Reach(start, walk, cost)


def path_to(s: State, reach: Reach, h: Hex, known: dict[Hex, Path]) -> Path:
    """The cheapest way to a hex in reach, of several the one with the lower hexes; `known` keeps those found before."""
    start, walk, cost = reach
    if h == start:
        return ()
    if h not in known:
        near = (n for n in s.board.ground.open_to[h] if n in cost and _price(s, walk, n, h) == cost[h] - cost[n])
        known[h] = min((*path_to(s, reach, n, known), h) for n in near)
    return known[h]


def destinations(s: State, force: str, *, strategic: bool, points: int | None = None) -> dict[Hex, tuple[int, Path]]:
    """Every hex in reach of a force, as one, with the points and path of the cheapest way there, nearest first."""
    reach, known = in_reach(s, force, strategic=strategic, points=points), dict[Hex, Path]()
    ways = [(cost, path_to(s, reach, h, known)) for h, cost in reach.cost.items() if h != reach.start]
    return {way[1][-1]: way for way in sorted(ways)}


def options(s: State, force: str) -> Iterator[Move]:
    """The legal moves of a force that may act: the cheapest way to each end; strategic where nothing else leads."""
    start, side, points = s.at[force], side_of(s, force), points_of(s, force)
    if force in s.shut_in:
        if not _why_shut_up(s, force):
            yield Move(force)
    elif friendly_castle(s, start, side):
        yield Move(force, enter=True)
    offered: set[tuple[Hex, bool]] = set()
    for strategic in (False, True):
        for h, (spent, path) in destinations(s, force, strategic=strategic).items():
            inside = spent + DOOR <= points and friendly_castle(s, h, side) is not None
            for enter in (False, True)[: 1 + inside]:
                if (h, enter) not in offered:
                    offered.add((h, enter))
                    yield Move(force, path, strategic, enter)


def sample(s: State, force: str, chance: Chance) -> Move | None:
    """A random legal move of a force that may act; None when the walk finds none."""
    start, side, points, inside = s.at[force], side_of(s, force), points_of(s, force), force in s.shut_in
    if inside and _why_shut_up(s, force):
        return None
    strategic = chance.random() < OFTEN_STRATEGIC and not _lacks(s, force)
    walk = _walk(s, force, strategic=strategic)
    most = points - DOOR * inside
    path = reach.random_way(start, most, walk.costs, _step(s, walk), _never, (), chance)
    order = Move(force, path, strategic, drops=_random_drops(s, force, path, chance))
    can_enter = friendly_castle(s, (start, *path)[-1], side) is not None and cost(s, order) + DOOR <= points
    if can_enter and (path or not inside) and (not path or chance.random() < OFTEN_IN):
        return order._replace(enter=True)
    return order if path or inside else None


def _random_drops(s: State, force: str, path: Path, chance: Chance) -> tuple[Drop, ...]:
    """Now and then one unit under command, left behind somewhere on the way."""
    units = s.forces[force][1:]
    if not path or not units or chance.random() >= OFTEN_DROPS:
        return ()
    return (Drop(chance.choice((s.at[force], *path[:-1])), (chance.choice(units),)),)


def _step(s: State, walk: _Walk) -> reach.Step:
    """The steps of a walk as the kit's ways ask for them."""
    return lambda here, h: _price(s, walk, here, h)


def _never(_: Hex) -> bool:
    """No hex stops a force."""
    return False
