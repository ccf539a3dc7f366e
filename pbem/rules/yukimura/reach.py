"""The hexes that a unit can move to, each by its canonical way, and random moves."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

from pbem.maps.hexes import Hex
from pbem.rules.requests import Chance
from pbem.rules.yukimura.board import Unit
from pbem.rules.yukimura.held import barred
from pbem.rules.yukimura.movement import EXIT_COST, ROAD_RATE
from pbem.rules.yukimura.orders import Path
from pbem.rules.yukimura.state import State

__all__ = [
    "can_move",
    "march_destinations",
    "march_off",
    "move_destinations",
    "move_off",
    "random_march",
    "random_move",
]


def can_move(s: State, unit: Unit, start: Hex) -> bool:
    """Whether any move, march or exit is open to a unit that may move."""
    ground, west = s.board.ground, barred(s, unit.side)
    if start in ground.edge:
        return unit.move >= EXIT_COST
    friends, enemies = s.stands[unit.side], s.stands[s.board.enemy[unit.side]]
    for h, price in ground.cost[start].items():
        if price <= unit.move and h not in friends and h not in enemies and (h not in west or start in west):
            return True
    return bool(move_destinations(s, unit, start) or march_destinations(s, unit, start)) or (
        move_off(s, unit, start) is not None or march_off(s, unit, start) is not None
    )


def move_destinations(s: State, unit: Unit, start: Hex, spent: int = 0) -> dict[Hex, tuple[int, Path]]:
    """Every free hex in reach by normal movement, with the cost and the path of the cheapest way there.

    `spent` points are gone already: what a reinforcement has paid for its entry hex `start`.
    """
    friends = s.stands[unit.side]
    return {h: way for h, way in _ways(s, unit, start, spent).items() if h not in friends}


def move_off(s: State, unit: Unit, start: Hex) -> Path | None:
    """The cheapest way to a hex from which a unit can leave the map, friends there or not; None without one."""
    edge = s.board.ground.edge
    if start in edge:
        return () if unit.move >= EXIT_COST else None
    found = _ways(s, unit, start, EXIT_COST)
    ways = [(cost, path) for h, (cost, path) in found.items() if h in edge and not _threatened(s, unit, h)]
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
    costs, open_to = s.board.ground.cost, s.board.ground.open_to
    friends, enemies, west = s.stands[unit.side], s.stands[s.board.enemy[unit.side]], barred(s, unit.side)
    here, path, left, free = start, [start], unit.move - spent, 1
    while True:
        steps = costs[here]
        ways = list(steps)
        turn = int(chance.random() * len(ways))
        for h in ways[turn:] + ways[:turn]:
            if steps[h] <= left and h not in path and h not in enemies and (h not in west or here in west):
                if h not in friends:
                    break
                if enemies.keys().isdisjoint(open_to[h]):  # 7-3-1, 7-4-1.b
                    break
        else:
            return tuple(path[1:free])
        path.append(h)
        left -= steps[h]
        here = h
        if h not in friends:
            free = len(path)
            if left <= 0 or chance.random() < 0.2 or not enemies.keys().isdisjoint(open_to[h]):  # 7-3-1
                return tuple(path[1:])


def random_march(s: State, unit: Unit, start: Hex, chance: Chance) -> Path:
    """A random path by road movement to a free hex; empty when the walk finds none."""
    roads, friends, west = s.board.ground.roads, s.stands[unit.side], barred(s, unit.side)
    path, free = [start], 1
    while len(path) <= ROAD_RATE:
        here = path[-1]
        ways = [h for h in roads[here] if h not in path and _on_road(s, unit, here, h, west)]
        if not ways:
            break
        path.append(ways[int(chance.random() * len(ways))])
        if path[-1] not in friends:
            free = len(path)
            if chance.random() < 0.1:
                break
    return tuple(path[1:free])


def _ways(s: State, unit: Unit, start: Hex, spent: int) -> dict[Hex, tuple[int, Path]]:
    """The cheapest way to every hex that a unit can enter by normal movement, friends there or not, nearest first."""
    costs, open_to = s.board.ground.cost, s.board.ground.open_to
    enemies, west = s.stands[s.board.enemy[unit.side]].keys(), barred(s, unit.side)
    found: dict[Hex, tuple[int, Path]] = {}
    queue: list[tuple[int, Path]] = [(spent, ())]
    while queue:
        cost, path = heappop(queue)
        here = path[-1] if path else start
        if path:
            if here in found:
                continue
            found[here] = (cost, path)
            if not enemies.isdisjoint(open_to[here]):  # 7-3-1
                continue
        for h, price in costs[here].items():
            fresh = cost + price <= unit.move and h != start and h not in found and h not in enemies
            if fresh and (h not in west or here in west):
                heappush(queue, (cost + price, (*path, h)))
    return found


def _roads(s: State, unit: Unit, start: Hex, rate: int) -> Mapping[Hex, Path]:
    """The shortest way to every hex that a unit can enter by road movement, friends there or not, nearest first."""
    found: dict[Hex, Path] = {}
    roads, west = s.board.ground.roads, barred(s, unit.side)
    edge: list[tuple[Hex, Path]] = [(start, ())] if roads[start] and not _threatened(s, unit, start) else []
    for _ in range(rate):  # 7-5-2
        steps = [(here, h, (*path, h)) for here, path in edge for h in roads[here]]
        edge = []
        for here, h, path in steps:
            if h != start and h not in found and _on_road(s, unit, here, h, west):
                found[h] = path
                edge.append((h, path))
    return found


def _on_road(s: State, unit: Unit, here: Hex, h: Hex, west: frozenset[Hex]) -> bool:
    """Whether road movement may take a step: no enemy there, not in enemy ZOC (7-5-1(2)), not barred."""
    enemy = s.stands[s.board.enemy[unit.side]]
    return h not in enemy and not _threatened(s, unit, h) and (h not in west or here in west)


def _threatened(s: State, unit: Unit, h: Hex) -> bool:
    return not s.stands[s.board.enemy[unit.side]].keys().isdisjoint(s.board.ground.open_to[h])
