"""The hexes that a unit can move to, each by its canonical way, and random moves."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.maps.hexes import Hex
from pbem.rules.kit import reach
from pbem.rules.requests import Chance
from pbem.rules.yukimura.board import Unit
from pbem.rules.yukimura.movement import EXIT_COST, ROAD_RATE, by_road, on_foot
from pbem.rules.yukimura.orders import Path
from pbem.rules.yukimura.state import State

__all__ = [
    "can_move", "march_destinations", "march_off", "move_destinations", "move_off", "random_march", "random_move",
]  # fmt: skip


def can_move(s: State, unit: Unit, start: Hex) -> bool:
    """Whether any move, march or exit is open to a unit that may move."""
    if start in s.board.ground.edge:
        return unit.move >= EXIT_COST
    (step, _), friends = on_foot(s, unit), s.stands[unit.side]
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
    return {h: way for h, way in _ways(s, unit, start, spent, entered=spent > 0).items() if h not in friends}


def move_off(s: State, unit: Unit, start: Hex) -> Path | None:
    """The cheapest way to a hex from which a unit can leave the map, friends there or not; None without one."""
    edge, (_, stops) = s.board.ground.edge, on_foot(s, unit)
    if start in edge:
        return () if unit.move >= EXIT_COST else None
    found = _ways(s, unit, start, EXIT_COST)
    ways = [(cost, path) for h, (cost, path) in found.items() if h in edge and not stops(h)]
    return min(ways)[1] if ways else None


def march_destinations(s: State, unit: Unit, start: Hex) -> dict[Hex, Path]:
    """Every free hex in reach by road movement, with the shortest way there."""
    friends = s.stands[unit.side]
    return {h: path for h, path in _roads(s, unit, start, ROAD_RATE).items() if h not in friends}


def march_off(s: State, unit: Unit, start: Hex) -> Path | None:
    """The shortest road off the map; None without one."""
    off_road = s.board.ground.off_road
    if start in off_road:
        return ()
    return next((path for h, path in _roads(s, unit, start, ROAD_RATE - 1).items() if h in off_road), None)  # R74


def random_move(s: State, unit: Unit, start: Hex, chance: Chance, spent: int = 0) -> Path:
    """A random path by normal movement to a free hex; empty when the walk finds none."""
    step, stops = on_foot(s, unit)
    if spent and stops(start):
        return ()  # 8-1.b
    return reach.random_way(start, unit.move - spent, s.board.ground.cost, step, stops, s.stands[unit.side], chance)


def random_march(s: State, unit: Unit, start: Hex, chance: Chance) -> Path:
    """A random path by road movement to a free hex; empty when the walk finds none."""
    roads, step = s.board.ground.roads, by_road(s, unit)
    return reach.random_march(start, ROAD_RATE, roads, step, s.stands[unit.side], chance)


def _ways(s: State, unit: Unit, start: Hex, spent: int, *, entered: bool = False) -> dict[Hex, tuple[int, Path]]:
    """The cheapest way to every hex that a unit can enter by normal movement, friends there or not, nearest first.

    `entered`: `start` is where it has come onto the map.
    """
    step, stops = on_foot(s, unit)
    if entered and stops(start):
        return {}  # 8-1.b
    return reach.cheapest(start, unit.move, s.board.ground.cost, step, stops, spent)


def _roads(s: State, unit: Unit, start: Hex, rate: int) -> Mapping[Hex, Path]:
    """The shortest way to every hex that a unit can enter by road movement, friends there or not, nearest first."""
    return reach.shortest(start, rate, s.board.ground.roads, by_road(s, unit))  # 7-5-2
