"""Movement, normal and by road (rulebook 8): the check of a path, the walk along it, and the hexes in reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from functools import lru_cache

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu import victory
from pbem.rules.bakumatsu.acting import enemy_zoc, in_enemy_zoc, why_not_act
from pbem.rules.bakumatsu.board import Board, Unit
from pbem.rules.bakumatsu.commanders import taken, why_not_stay
from pbem.rules.bakumatsu.orders import March, Move, Path
from pbem.rules.bakumatsu.state import State
from pbem.rules.bakumatsu.tables import BARRIERS
from pbem.rules.kit import reach
from pbem.rules.kit.reach import Step
from pbem.rules.requests import Chance, Tell

__all__ = [
    "ROAD_RATE", "by_road", "can_move", "carry_out", "march_destinations", "move_cost", "move_destinations", "on_foot",
    "random_march", "random_move", "walk", "why_not", "why_not_march_path", "why_not_move_path",
]  # fmt: skip

ROAD_RATE = 2  # 8-2(1)

SHUT = ("8(1)", "8-1(2)2", "8(4)")
"""The clauses that forbid a step to everybody; they come before the stop in enemy ZOC."""


def why_not(s: State, side: str, order: Move | March) -> Refusal | None:
    """Why a unit on the map can't move along a path."""
    refusal = why_not_act(s, side, order.unit, owner="8(0)", marked="6(3)")  # 6(2), 8(5)
    if refusal is not None:
        return refusal
    unit, start = s.board.units[order.unit], s.at[order.unit]
    if isinstance(order, Move):
        return why_not_move_path(s, unit, start, order.path)
    return why_not_march_path(s, unit, start, order.path)


def why_not_move_path(s: State, unit: Unit, start: Hex, path: Path) -> Refusal | None:
    """Why a unit can't go along a path by normal movement (8-1); enemy ZOC restrict it (3-2(3)1)."""
    if not path:
        return Refusal("8(5)", "a move has at least one step")
    step, stops, cost = on_foot(s, unit, start)
    here, entered = start, False
    for h in path:
        price = step(here, h)
        if entered and stops(here) and price not in SHUT:
            return Refusal("8-1(3)1", f"{s.board.place(here)} is in an enemy ZOC: the unit must stop there")
        if isinstance(price, str):
            return _why_not_step(s, price, here, h)
        cost += price
        here, entered = h, True
    if cost > unit.move and len(path) > 1:  # 2-2-1(2)5, 8(2)b, 8-1(4)a
        return Refusal("8(2)a", f"the path costs {cost} movement points, {s.board.describe(unit.id)} has {unit.move}")
    return why_not_stay(s, unit, path[-1])


def why_not_march_path(s: State, unit: Unit, start: Hex, path: Path) -> Refusal | None:
    """Why a unit can't go along a path by road movement (8-2), the whole of it (8(3))."""
    if not path:
        return Refusal("8(5)", "a march has at least one step")
    step, here = by_road(s, unit, start), start
    if isinstance(step, str):
        return _why_not_step(s, step, start, start)
    for h in path:
        price = step(here, h)
        if isinstance(price, str):
            return _why_not_step(s, price, here, h)
        here = h
    if len(path) > ROAD_RATE * unit.move:
        most = f"{s.board.describe(unit.id)} marches {ROAD_RATE * unit.move} at most"
        return Refusal("8-2(1)", f"the march is {len(path)} hexes long, {most}")
    return why_not_stay(s, unit, path[-1])


def on_foot(s: State, unit: Unit, start: Hex) -> tuple[Step, Callable[[Hex], bool], int]:
    """Normal movement of a unit from `start`: a step's price or the clause that forbids it; where the unit must stop
    when it comes there; and the movement points that are gone before the first step."""
    return _on_foot(s.board, unit.id, start, _in_the_way(s, unit), s.stands[s.board.enemy[unit.side]].keys())


def _on_foot(
    board: Board, me: str, start: Hex, friends: Mapping[Hex, str], enemies: Set[Hex]
) -> tuple[Step, Callable[[Hex], bool], int]:
    """`on_foot` among these friends and enemies."""
    costs, near, zoc = board.ground.cost, board.ground.near, board.ground.zoc

    def stops(h: Hex) -> bool:
        return not enemies.isdisjoint(zoc[h])  # 3-2(0), 8-1(3)1

    held = start if stops(start) else None

    def step(here: Hex, h: Hex) -> int | str:
        price = costs[here].get(h)
        if price is None:
            return "8-1(2)2" if h in near[here] else "8(1)"
        if h in enemies or friends.get(h, me) != me:
            return "8(4)"  # 3-1(0)a, 3-1(0)b
        if here == held and stops(h):
            return "8-1(3)3"  # 8-1(4)b; from other hexes in ZOC it goes nowhere
        return price

    return step, stops, 0 if held is None else 1  # 8-1(3)2


def by_road(s: State, unit: Unit, start: Hex) -> Step | str:
    """Road movement of a unit from `start`: whether it takes a step, 1 or the clause that forbids it.

    Where it can't even set out, the clause that forbids that.
    """
    roads, shut, me = s.board.ground.roads, enemy_zoc(s, unit.side), unit.id
    friends, enemies = _in_the_way(s, unit), s.stands[s.board.enemy[unit.side]]

    def step(here: Hex, h: Hex) -> int | str:
        if h not in roads[here]:
            return "8-2(3)"
        if h in enemies or friends.get(h, me) != me:
            return "8(4)"
        return "8-2(5)" if shut(h) else 1

    if not roads[start]:
        return "8-2(2)a"
    return "8-2(2)b" if shut(start) else step


def _in_the_way(s: State, unit: Unit) -> Mapping[Hex, str]:
    """The friends through whose hexes a piece can't go: a commander goes through all (15-2-7-2(4)1b, 15-2-7-2(4)2b)."""
    return s.stands[unit.side] if unit.command is None else {}


def move_cost(s: State, unit: Unit, start: Hex, path: Path) -> int:
    """The movement points of a legal path by normal movement; never more than the unit has."""
    cost = int(in_enemy_zoc(s, unit.side, start))  # 8-1(3)2
    for a, b in zip((start, *path), path, strict=False):
        cost += s.board.ground.cost[a][b]
    return min(cost, unit.move)  # 8-1(4)a


def carry_out(s: State, order: Move | March) -> Iterator[Tell]:
    """A legal move; the game may end on the way."""
    unit, start = s.board.units[order.unit], s.at[order.unit]
    how = "move" if isinstance(order, Move) else "march"
    yield from walk(s, unit, start, order.path, how)


def walk(s: State, unit: Unit, start: Hex, path: Path, how: str) -> Iterator[Tell]:
    """Walk from a hex, where the unit stands, along a path by `move` or `march`."""
    label = s.board.label
    cost = move_cost(s, unit, start, path) if how == "move" else len(path) / ROAD_RATE
    told, prizes = [], s.board.prizes
    hunted = bool(s.board.commanders[s.board.enemy[unit.side]])
    for i, h in enumerate(path if unit.command is None else ()):  # 2-2-1(0): a commander takes nothing
        if hunted or h in prizes:
            told += victory.enter(s, unit.id, h)
            if s.ended is not None:
                path = path[: i + 1]
                break
    s.put(unit.id, path[-1])
    s.done.add(unit.id)  # 6(3), 8(5)
    facts = {"unit": unit.id, "from": label[start], "path": [label[h] for h in path], "how": how, "cost": cost}
    yield Tell("move", "8-1(1)0" if how == "move" else "8-2(1)", facts)
    yield from told
    if unit.artillery and unit.id not in s.disordered and s.ended is None:
        yield s.disorder(unit.id, "artillery moved", "12(1)")  # 12(1)


def _why_not_step(s: State, clause: str, here: Hex, h: Hex) -> Refusal:
    """The refusal of a step, or of a march that would begin in `h`, by the clause that forbids it."""
    place, label = s.board.place(h), s.board.label
    match clause:
        case "8(1)":
            reason = f"{label[here]} and {label[h]} aren't adjacent"
        case "8-1(2)2":
            kind = " and ".join(sorted(s.board.map.side(here, h) & BARRIERS))
            reason = f"a {kind} without a bridge lies between {label[here]} and {place}"
        case "8(4)":
            other = s.unit_in(h)
            reason = f"{place} is occupied by {s.board.describe(other)}" if other else f"{place} is occupied"
        case "8-1(3)3":
            reason = f"{label[here]} and {label[h]} are both in enemy ZOC: no direct step between them"
        case "8-2(2)a":
            reason = f"{place} is no road hex: use `move`"
        case "8-2(2)b":
            reason = f"{place} is in an enemy ZOC: use `move`"
        case "8-2(3)":
            reason = f"no road leads from {label[here]} straight to {label[h]}"
        case _:
            reason = f"{place} is in an enemy ZOC: road movement can't enter it"  # 8-2(5)
    return Refusal(clause, reason)


# --- the hexes in reach, and random moves -----------------------------------------------------------------------------


def can_move(s: State, unit: Unit, start: Hex) -> bool:
    """Whether any step is open to the unit; one step is never too dear (8-1(4)a)."""
    if unit.command is not None:
        return bool(move_destinations(s, unit, start) or march_destinations(s, unit, start))
    step, _, _ = on_foot(s, unit, start)
    for h in s.board.ground.cost[start]:  # noqa: SIM110 asked after every order: a generator takes twice the time
        if not isinstance(step(start, h), str):
            return True
    return False


def move_destinations(s: State, unit: Unit, start: Hex) -> Mapping[Hex, tuple[int, Path]]:
    """Every hex in reach by normal movement, with the cost and the path of the cheapest way there."""
    near = s.board.ground.reach
    friends = frozenset(_in_the_way(s, unit).keys() & near[unit.move][start])
    enemies = frozenset(s.stands[s.board.enemy[unit.side]].keys() & near[unit.move + 1][start])
    found = _in_reach(s.board, unit.move, start, friends, enemies)
    full = taken(s, unit)
    return {h: way for h, way in found.items() if h not in full} if full else found


@lru_cache(maxsize=2048)
def _in_reach(
    board: Board, move: int, start: Hex, friends: frozenset[Hex], enemies: frozenset[Hex]
) -> Mapping[Hex, tuple[int, Path]]:
    """`move_destinations` among the friends and enemies who are near enough to matter; asked again and again."""
    step, stops, spent = _on_foot(board, "", start, dict.fromkeys(friends, "a friend"), enemies)
    return reach.cheapest(start, move, board.ground.cost, step, stops, spent, one=True)  # 8(2)a, 8-1(4)a


def march_destinations(s: State, unit: Unit, start: Hex) -> dict[Hex, Path]:
    """Every hex in reach by road movement, with the shortest way there."""
    step = by_road(s, unit, start)
    if isinstance(step, str):
        return {}
    found = reach.shortest(start, ROAD_RATE * unit.move, s.board.ground.roads, step)  # 8-2(1)
    full = taken(s, unit)
    return {h: path for h, path in found.items() if h not in full} if full else found


def random_move(s: State, unit: Unit, start: Hex, chance: Chance) -> Path:
    """A random path by normal movement; empty when no step is open."""
    step, stops, spent = on_foot(s, unit, start)
    full = taken(s, unit)
    return reach.random_way(start, unit.move - spent, s.board.ground.cost, step, stops, full, chance, one=True)


def random_march(s: State, unit: Unit, start: Hex, chance: Chance) -> Path:
    """A random path by road movement; empty when there is none."""
    step = by_road(s, unit, start)
    if isinstance(step, str):
        return ()
    return reach.random_march(start, ROAD_RATE * unit.move, s.board.ground.roads, step, taken(s, unit), chance)
