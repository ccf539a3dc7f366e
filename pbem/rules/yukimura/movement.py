"""Movement, normal, by road and off the map (rulebook 7): the check of a path, the walk along it, hexes in reach."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit import reach
from pbem.rules.kit.going import FAR
from pbem.rules.kit.reach import Step
from pbem.rules.requests import Chance, Tell
from pbem.rules.yukimura import victory
from pbem.rules.yukimura.acting import enemy_zoc, in_enemy_zoc, why_not_act, zoc_of
from pbem.rules.yukimura.board import Board, Unit
from pbem.rules.yukimura.held import LINE, NOWHERE, barred, crosses, is_held, west_of_line
from pbem.rules.yukimura.held import why_not_move as why_not_held
from pbem.rules.yukimura.orders import March, Move, Path
from pbem.rules.yukimura.state import State

__all__ = [
    "ROAD_RATE", "can_move", "carry_out", "cost", "cost_to", "is_idle", "march_destinations", "march_off",
    "move_destinations", "move_off", "on_no_road", "path_cost", "random_march", "random_move", "road_over_line",
    "roads", "ways", "why_not", "why_not_path",
]  # fmt: skip

ROAD_RATE = 8  # 7-5-2
EXIT_COST = 1  # 7-6-1

KEPT = 2048
"""How many results of each kind are kept: what is in reach of a hex among some enemies is asked again and again."""

Ways: TypeAlias = Mapping[Hex, tuple[int, Path]]
"""Hex -> the cost of the cheapest way there, and the way."""


def is_idle(s: State, unit: str) -> bool:
    """Whether a unit on the map may still move in this phase, as far as nothing but itself is concerned."""
    if unit in s.moved or unit in s.pinned or unit in s.out_of_command:  # 13-1(3)b, R88
        return False
    return not is_held(s, unit)


def why_not(s: State, side: str, order: Move | March) -> Refusal | None:
    """Why a unit can't move along a path."""
    unit_id = order.unit
    refusal = why_not_act(s, side, unit_id, "7-1")
    if refusal is not None:
        return refusal
    if not is_idle(s, unit_id):
        return _why_not_idle(s, unit_id)
    unit, start = s.board.units[unit_id], s.at[unit_id]
    if isinstance(order, Move):
        return why_not_path(s, unit, start, order.path, off=order.off)
    return _why_not_march(s, unit, start, order.path, order.off)


def why_not_path(
    s: State, unit: Unit, start: Hex, path: Path, *, off: bool = False, entering: int = 0
) -> Refusal | None:
    """Why a unit can't go along a path by normal movement, and off the map then.

    `entering` is what a reinforcement has paid for its entry hex `start`; for other units 0.
    """
    if not path and not off and not entering:
        return Refusal("7-1", "a move has at least one step")
    step, stops = _on_foot(s, unit)
    here, spent, entered = start, entering, bool(entering)  # 8-1.b
    for h in path:
        if entered and stops(here):
            return _stop(s, here)
        price = step(here, h)
        if isinstance(price, str):
            return _why_not_step(s, price, here, h)
        spent += price  # 7-2-2
        here, entered = h, True
    if off and entered and stops(here):
        return _stop(s, here)
    refusal = _why_not_off(s, here) if off else _why_not_end(s, unit, here)
    if refusal is not None:
        return refusal
    if spent + (EXIT_COST if off else 0) > unit.move:  # 7-2.b, 7-2-1, 7-6-1, R76
        clause, total = ("7-6-1", spent + EXIT_COST) if off else ("7-2.b", spent)
        return Refusal(clause, f"the path costs {total} movement points, {s.board.describe(unit.id)} has {unit.move}")
    return None


def _on_foot(s: State, unit: Unit, *, over_line: bool = False) -> tuple[Step, Callable[[Hex], bool]]:
    """Normal movement of a unit, friends in the way or not: a step's price or the clause that forbids it; and where
    the unit must stop when it comes there."""
    west = NOWHERE if over_line else barred(s, unit.side)
    return _foot_step(s.board, s.stands[s.board.enemy[unit.side]], west), enemy_zoc(s, unit.side)  # 7-3-1


def _foot_step(board: Board, enemies: Container[Hex], west: frozenset[Hex]) -> Step:
    """A step by normal movement among enemies, where hexes may be barred."""
    costs, near = board.ground.cost, board.ground.near

    def step(here: Hex, h: Hex) -> int | str:
        price = costs[here].get(h)
        if price is None:
            if h not in near[here]:
                return "7-1-2"
            return "7-4-2" if "impassable" in board.map_of(h).side(here, h) else "12-1(6)"
        if h in enemies:
            return "7-4-1.a"
        return LINE if west and crosses(west, here, h) else price

    return step


def _by_road(s: State, unit: Unit, *, over_line: bool = False) -> Step:
    """Road movement of a unit, friends in the way or not: whether it takes a step, 1 or the clause that forbids it."""
    west = NOWHERE if over_line else barred(s, unit.side)
    return _road_step(s.board, s.stands[s.board.enemy[unit.side]], enemy_zoc(s, unit.side), west)


def _road_step(board: Board, enemies: Container[Hex], shut: Callable[[Hex], bool], west: frozenset[Hex]) -> Step:
    """A step by road among enemies, whose ZOC shuts hexes, where others may be barred."""
    roads = board.ground.roads

    def step(here: Hex, h: Hex) -> int | str:
        if h not in roads[here]:
            return "7-5-1(1)"
        if h in enemies:
            return "7-4-1.a"
        if shut(h):
            return "7-5-1(2)"  # R75
        return LINE if west and crosses(west, here, h) else 1

    return step


def path_cost(s: State, start: Hex, path: Path) -> int:
    """The movement points of a path by normal movement."""
    costs = s.board.ground.cost
    return sum(costs[a][b] for a, b in zip((start, *path), path, strict=False))


def cost(s: State, order: Move | March) -> int:
    """The points of a move, or the hexes of a march; off the map each takes one more."""
    spent = path_cost(s, s.at[order.unit], order.path) if isinstance(order, Move) else len(order.path)
    return spent + (EXIT_COST if order.off else 0)


def carry_out(s: State, order: Move | March) -> Iterator[Tell]:
    """A legal move; the game may end by it."""
    unit, start, path, label = order.unit, s.at[order.unit], order.path, s.board.label
    how = "move" if isinstance(order, Move) else "march"
    numbers = [label[h] for h in path]
    facts = {"unit": unit, "from": label[start], "path": numbers, "how": how, "cost": cost(s, order), "off": order.off}
    s.moved.add(unit)  # 7-1-1.b, 7-2.a
    if not order.off:
        s.put(unit, path[-1])
    yield Tell("move", "7-1" if how == "move" else "7-5-2", facts)
    if order.off:
        yield s.leave(unit, path[-1] if path else start)
    yield from victory.moved(s, unit, forced=False, way=(start, *path))


def _why_not_march(s: State, unit: Unit, start: Hex, path: Path, off: bool) -> Refusal | None:
    """Why a unit can't go along a path by road movement (7-5-1)."""
    board, ground = s.board, s.board.ground
    if not path and not off:
        return Refusal("7-1", "a march has at least one step")
    if on_no_road(s, start):
        return Refusal("7-5-1(1)", f"{board.place(start)} is no road hex: use `move`")
    step, here = _by_road(s, unit), start
    for h in path:
        price = step(here, h)
        if isinstance(price, str):
            return _why_not_step(s, price, here, h)
        here = h
    if off and here not in ground.off_road:
        return Refusal("7-5-1(1)", f"no road leads off the map from {board.place(here)}")
    refusal = None if off else _why_not_end(s, unit, here)  # 7-5-1(3)
    if refusal is None and len(path) + off > ROAD_RATE:  # R74
        return Refusal("7-5-2", f"the march is {len(path) + off} hexes long, {ROAD_RATE} are the most")
    return refusal


def on_no_road(s: State, start: Hex) -> bool:
    """Whether no road leads from a hex, on the map or off it."""
    return not s.board.ground.roads[start] and start not in s.board.ground.off_road


def _why_not_idle(s: State, unit: str) -> Refusal | None:
    name = s.board.describe(unit)
    if unit in s.moved:
        return Refusal("7-2.a", f"{name} has moved: each unit moves once in a phase")
    if is_held(s, unit):
        return why_not_held(s, unit)
    if unit in s.pinned:
        return Refusal("7-3-2", f"{name} began the phase in an enemy ZOC and can't move")
    return Refusal("13-1(3)b", f"{name} was out of command range when the phase began and can't move")


def _stop(s: State, here: Hex) -> Refusal:
    return Refusal("7-3-1", f"{s.board.place(here)} is in an enemy ZOC: the unit must stop there")


def _why_not_end(s: State, unit: Unit, here: Hex) -> Refusal | None:
    """Why a move can't end in a hex."""
    other = s.stands[unit.side].get(here)
    if other == unit.id:
        return Refusal("7-1", f"the path ends where it began, in {s.board.place(here)}")
    if other is not None:  # 5.a, 5.b, 7-4-1.a
        reason = f"{s.board.place(here)} is occupied by {s.board.describe(other)}: go on to a free hex"
        return Refusal("7-4-1.b", reason)
    return None


def _why_not_off(s: State, here: Hex) -> Refusal | None:
    if here in s.board.ground.edge:
        return None
    return Refusal("7-6.a", f"{s.board.place(here)} isn't on the edge of the map")


def _why_not_step(s: State, clause: str, here: Hex, h: Hex) -> Refusal:
    """The refusal of a step that a clause forbids."""
    label, place = s.board.label, s.board.place(h)
    match clause:
        case "7-1-2":
            reason = f"{label[here]} and {label[h]} aren't adjacent: name every hex of the way"
        case "7-4-1.a":
            other = s.unit_in(h)
            reason = f"{place} is occupied by {s.board.describe(other)}" if other else f"{place} is occupied"
        case "7-4-2":
            reason = f"the side between {label[here]} and {place} is impassable"
        case "12-1(6)":
            reason = f"a large river is crossed by road alone: none leads from {label[here]} to {place}"
        case "7-5-1(1)":
            reason = f"no road leads from {label[here]} straight to {label[h]}"
        case "7-5-1(2)":
            reason = f"{place} is in an enemy ZOC: road movement can't enter it"
        case _:
            reason = west_of_line(s, h)
    return Refusal(clause, reason)


# --- the hexes in reach, each by its canonical way, and random moves --------------------------------------------------


def can_move(s: State, unit: Unit, start: Hex) -> bool:
    """Whether any move, march or exit is open to a unit that may move."""
    if start in s.board.ground.edge:
        return unit.move >= EXIT_COST
    (step, _), friends = _on_foot(s, unit), s.stands[unit.side]
    for h in s.board.ground.cost[start]:
        price = step(start, h)
        if h not in friends and not isinstance(price, str) and price <= unit.move:
            return True
    return bool(move_destinations(s, unit, start) or march_destinations(s, unit, start)) or (
        move_off(s, unit, start) is not None or march_off(s, unit, start) is not None
    )


def move_destinations(s: State, unit: Unit, start: Hex, spent: int = 0) -> dict[Hex, tuple[int, Path]]:
    """Every free hex in reach by normal movement, with the cost and the path of the cheapest way there.

    `spent` points are gone already: what a reinforcement has paid for its entry hex `start`.
    """
    friends = s.stands[unit.side]
    return {h: way for h, way in ways(s, unit, start, spent, entered=spent > 0).items() if h not in friends}


def move_off(s: State, unit: Unit, start: Hex, at: Hex | None = None) -> Path | None:
    """The cheapest way to a hex (`at`, or any) from which a unit can leave the map, friends there or not, or None."""
    edge, (_, stops) = s.board.ground.edge, _on_foot(s, unit)
    edge = edge if at is None else edge & {at}
    if start in edge:
        return () if unit.move >= EXIT_COST else None
    found = ways(s, unit, start, EXIT_COST)
    ends = [(cost, path) for h, (cost, path) in found.items() if h in edge and not stops(h)]
    return min(ends)[1] if ends else None


def cost_to(s: State, unit: Unit, start: Hex, h: Hex, spent: int = 0, *, over_line: bool = False) -> int | None:
    """The movement points of the cheapest way to a hex, though the unit may have fewer; None without one.

    `spent` as in `move_destinations`; `over_line` as if the Ishikawa Line barred nobody.
    """
    step, stops = _on_foot(s, unit, over_line=over_line)
    if spent and stops(start):
        return None  # 8-1.b
    found = reach.cheapest(start, FAR, s.board.ground.cost, step, stops, spent).get(h)
    return None if found is None else found[0]


def road_over_line(s: State, unit: Unit, start: Hex, h: Hex) -> bool:
    """Whether a road would lead to a hex if the Ishikawa Line barred nobody."""
    return h in reach.shortest(start, ROAD_RATE, s.board.ground.roads, _by_road(s, unit, over_line=True))


def march_destinations(s: State, unit: Unit, start: Hex) -> dict[Hex, Path]:
    """Every free hex in reach by road movement, with the shortest way there."""
    friends = s.stands[unit.side]
    return {h: path for h, path in roads(s, unit, start).items() if h not in friends}


def march_off(s: State, unit: Unit, start: Hex, at: Hex | None = None) -> Path | None:
    """The shortest road off the map, `at` a hex or anywhere; None without one."""
    off_road = s.board.ground.off_road
    off_road = off_road if at is None else off_road & {at}
    if start in off_road:
        return ()
    return next((path for h, path in roads(s, unit, start, ROAD_RATE - 1).items() if h in off_road), None)  # R74


def random_move(s: State, unit: Unit, start: Hex, chance: Chance, spent: int = 0) -> Path:
    """A random path by normal movement to a free hex; empty when the walk finds none."""
    step, stops = _on_foot(s, unit)
    if spent and stops(start):
        return ()  # 8-1.b
    return reach.random_way(start, unit.move - spent, s.board.ground.cost, step, stops, s.stands[unit.side], chance)


def random_march(s: State, unit: Unit, start: Hex, chance: Chance) -> Path:
    """A random path by road movement to a free hex; empty when the walk finds none."""
    roads, step = s.board.ground.roads, _by_road(s, unit)
    return reach.random_march(start, ROAD_RATE, roads, step, s.stands[unit.side], chance)


def ways(s: State, unit: Unit, start: Hex, spent: int = 0, *, entered: bool = False) -> Ways:
    """The cheapest way to every hex that a unit can enter by normal movement, friends there or not, nearest first.

    `entered`: `start` is where it has come onto the map.
    """
    if entered and in_enemy_zoc(s, unit.side, start):
        return {}  # 8-1.b
    enemies = _foot_area(s.board, start, unit.move).intersection(s.stands[s.board.enemy[unit.side]])
    return _ways_among(s.board, start, unit.move, spent, enemies, barred(s, unit.side))


def roads(s: State, unit: Unit, start: Hex, rate: int = ROAD_RATE) -> Mapping[Hex, Path]:
    """The shortest way to every hex that a unit can enter by road movement, friends there or not, nearest first."""
    if not s.board.ground.roads[start]:
        return {}
    enemies = _road_area(s.board, start, rate).intersection(s.stands[s.board.enemy[unit.side]])
    return _roads_among(s.board, start, rate, enemies, barred(s, unit.side))


@lru_cache(maxsize=KEPT)
def _ways_among(board: Board, start: Hex, most: int, spent: int, enemies: frozenset[Hex], west: frozenset[Hex]) -> Ways:
    """The cheapest ways from a hex, as far as so many points lead, among the enemies that can be met on them."""
    step, stops = _foot_step(board, enemies, west), zoc_of(board, enemies)
    return reach.cheapest(start, most, board.ground.cost, step, stops, spent)


@lru_cache(maxsize=KEPT)
def _roads_among(
    board: Board, start: Hex, rate: int, enemies: frozenset[Hex], west: frozenset[Hex]
) -> Mapping[Hex, Path]:
    """The shortest ways by road from a hex, among the enemies that can be met on them."""
    step = _road_step(board, enemies, zoc_of(board, enemies), west)
    return reach.shortest(start, rate, board.ground.roads, step)  # 7-5-2


@lru_cache(maxsize=KEPT)
def _foot_area(board: Board, start: Hex, most: int) -> frozenset[Hex]:
    """The hexes in which enemies can matter to ways from a hex of at most so many points, and others around them."""
    found = _ways_among(board, start, most, 0, NOWHERE, NOWHERE)
    return _with_beside(board, start, found)


@lru_cache(maxsize=KEPT)
def _road_area(board: Board, start: Hex, rate: int) -> frozenset[Hex]:
    """The same of ways by road."""
    return _with_beside(board, start, _roads_among(board, start, rate, NOWHERE, NOWHERE))


def _with_beside(board: Board, start: Hex, hexes: Iterable[Hex]) -> frozenset[Hex]:
    """A hex, some hexes and all beside them."""
    near = board.ground.near
    return frozenset((start, *near[start], *hexes, *(n for h in hexes for n in near[h])))
