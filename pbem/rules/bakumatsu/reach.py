"""The hexes that a unit can move to, each by its canonical way, and random moves."""

from __future__ import annotations

from heapq import heappop, heappush

from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.movement import ROAD_RATE, is_free
from pbem.rules.bakumatsu.orders import Path
from pbem.rules.bakumatsu.state import State
from pbem.rules.bakumatsu.zoc import in_enemy_zoc
from pbem.rules.requests import Chance

__all__ = ["can_move", "march_destinations", "move_destinations", "random_march", "random_move"]


def can_move(s: State, unit: Unit, start: Hex) -> bool:
    """Whether any step is open to the unit; one step is never too dear (8-1(4)a)."""
    threatened = in_enemy_zoc(s, unit.side, start)
    return any(_open(s, unit, h, threatened) for h in s.board.ground.cost[start])


def move_destinations(s: State, unit: Unit, start: Hex) -> dict[Hex, tuple[int, Path]]:
    """Every hex in reach by normal movement, with the cost and the path of the cheapest way there."""
    costs, threatened = s.board.ground.cost, in_enemy_zoc(s, unit.side, start)
    found: dict[Hex, tuple[int, Path]] = {}
    queue: list[tuple[int, Path]] = [(1 if threatened else 0, ())]  # 8-1(3)2
    while queue:
        cost, path = heappop(queue)
        here = path[-1] if path else start
        if path:
            if here in found:
                continue
            found[here] = (cost, path)
            if in_enemy_zoc(s, unit.side, here):  # 8-1(3)1
                continue
        for h, price in costs[here].items():
            affordable = cost + price <= unit.move  # 8(2)a
            if affordable and h != start and h not in found and _open(s, unit, h, threatened and not path):
                heappush(queue, (cost + price, (*path, h)))
    for h in costs[start]:
        if h not in found and _open(s, unit, h, threatened):
            found[h] = (unit.move, (h,))  # 8-1(4)a
    return found


def march_destinations(s: State, unit: Unit, start: Hex) -> dict[Hex, Path]:
    """Every hex in reach by road movement, with the shortest way there."""
    found: dict[Hex, Path] = {}
    if in_enemy_zoc(s, unit.side, start):  # 8-2(2)b
        return found
    edge: list[tuple[Hex, Path]] = [(start, ())]
    for _ in range(ROAD_RATE * unit.move):  # 8-2(1)
        steps = [(h, (*path, h)) for here, path in edge for h in s.board.ground.roads[here]]
        edge = []
        for h, path in steps:
            if h != start and h not in found and _open(s, unit, h, True):  # 8-2(5)
                found[h] = path
                edge.append((h, path))
    return found


def random_move(s: State, unit: Unit, start: Hex, chance: Chance) -> Path:
    """A random path by normal movement; empty when no step is open."""
    costs = s.board.ground.cost
    threatened = in_enemy_zoc(s, unit.side, start)
    here, path, left = start, [start], unit.move - threatened  # 8-1(3)2
    while True:
        ways = list(costs[here])
        turn = int(chance.random() * len(ways))
        for h in ways[turn:] + ways[:turn]:
            affordable = costs[here][h] <= left or here == start  # 8-1(4)a
            if affordable and h not in path and _open(s, unit, h, threatened):
                break
        else:
            return tuple(path[1:])
        path.append(h)
        left -= costs[here][h]
        here, threatened = h, False
        if left <= 0 or chance.random() < 0.2 or in_enemy_zoc(s, unit.side, here):  # 8-1(3)1
            return tuple(path[1:])


def random_march(s: State, unit: Unit, start: Hex, chance: Chance) -> Path:
    """A random path by road movement; empty when there is none."""
    path = [start]
    if in_enemy_zoc(s, unit.side, start):  # 8-2(2)b
        return ()
    while len(path) <= ROAD_RATE * unit.move:  # 8-2(1)
        ways = [h for h in s.board.ground.roads[path[-1]] if h not in path and _open(s, unit, h, True)]
        if not ways:
            break
        path.append(ways[int(chance.random() * len(ways))])
        if chance.random() < 0.1:
            break
    return tuple(path[1:])


def _open(s: State, unit: Unit, h: Hex, threatened: bool) -> bool:
    """Whether a unit may enter a hex: free, and out of enemy ZOC for one that comes from such a ZOC or marches."""
    return is_free(s, unit, h) and not (threatened and in_enemy_zoc(s, unit.side, h))  # 8-1(3)3
