"""The hexes that a unit can move to, each by its canonical way, and random moves."""

from __future__ import annotations

from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.movement import ROAD_RATE, by_road, on_foot
from pbem.rules.bakumatsu.orders import Path
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit import reach
from pbem.rules.requests import Chance

__all__ = ["can_move", "march_destinations", "move_destinations", "random_march", "random_move"]


def can_move(s: State, unit: Unit, start: Hex) -> bool:
    """Whether any step is open to the unit; one step is never too dear (8-1(4)a)."""
    step, _, _ = on_foot(s, unit, start)
    for h in s.board.ground.cost[start]:  # noqa: SIM110 asked after every order: a generator takes twice the time
        if not isinstance(step(start, h), str):
            return True
    return False


def move_destinations(s: State, unit: Unit, start: Hex) -> dict[Hex, tuple[int, Path]]:
    """Every hex in reach by normal movement, with the cost and the path of the cheapest way there."""
    step, stops, spent = on_foot(s, unit, start)
    return reach.cheapest(start, unit.move, s.board.ground.cost, step, stops, spent, one=True)  # 8(2)a, 8-1(4)a


def march_destinations(s: State, unit: Unit, start: Hex) -> dict[Hex, Path]:
    """Every hex in reach by road movement, with the shortest way there."""
    step = by_road(s, unit, start)
    if isinstance(step, str):
        return {}
    return reach.shortest(start, ROAD_RATE * unit.move, s.board.ground.roads, step)  # 8-2(1)


def random_move(s: State, unit: Unit, start: Hex, chance: Chance) -> Path:
    """A random path by normal movement; empty when no step is open."""
    step, stops, spent = on_foot(s, unit, start)
    return reach.random_way(start, unit.move - spent, s.board.ground.cost, step, stops, (), chance, one=True)


def random_march(s: State, unit: Unit, start: Hex, chance: Chance) -> Path:
    """A random path by road movement; empty when there is none."""
    step = by_road(s, unit, start)
    if isinstance(step, str):
        return ()
    return reach.random_march(start, ROAD_RATE * unit.move, s.board.ground.roads, step, (), chance)
