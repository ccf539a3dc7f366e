"""What the computer player makes for: how far every hex is from a side's goals, and from the nearest enemy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from pbem.maps.hexes import ByHex, Hex, OnDemand, distance
from pbem.records import NamedTuple
from pbem.rules.yukimura.board import EAST, Board
from pbem.rules.yukimura.state import State

__all__ = [
    "FAR", "Ways", "contact", "course", "detour", "distances", "enemies_of", "files", "leaders", "lined", "nearness",
    "passes", "plugs", "way",
]  # fmt: skip

FAR = 999
"""Farther than any hex of a map."""

BOTH = 2
"""The ends of a ford, by which alone it is entered and left."""

DEEP = 3
"""Steps beyond the Ishikawa Line to which the East goes on, to make room for those who follow."""

STUCK, ZOC, HELD = 2, 1, 4
"""Movement points by which a hex counts as farther where a friend is stuck, for each enemy next to it, in it."""

Ways = Mapping[Hex, int]
"""Hex -> movement points or hexes to the nearest goal, without units in the way."""


def leaders(board: Board, side: str) -> tuple[str, ...]:
    """The units of a side whose leaving of their start hexes loses the battle (14-2(6)1-2)."""
    return board.collapse.get(side, ())


@lru_cache(maxsize=16)
def _goals(board: Board, side: str) -> frozenset[Hex]:
    """What a side wants to come to: the enemy's leaders, Komatsuyama; the East the west edge and the line, too."""
    starts = (board.units[unit].start for unit in leaders(board, board.enemy[side]))
    found = {h for h in (*starts, board.star) if h is not None}
    if side == EAST:
        found |= board.breakthrough | _beyond(board)
    return frozenset(found)


@lru_cache(maxsize=16)
def way(board: Board, side: str) -> Ways:
    """Movement points from every hex to the side's nearest goal."""
    return _ways(board, _goals(board, side), {})


@lru_cache(maxsize=4096)
def course(board: Board, side: str, h: Hex) -> tuple[Hex, ...]:
    """The shortest way from a hex to the side's nearest goal, without units in the way."""
    ways, found = way(board, side), [h]
    while True:
        here = found[-1]
        costs = board.ground.cost[here]
        step = min(costs, key=lambda n: (ways[n] + costs[n], n), default=here)
        if ways[step] >= ways[here]:
            return tuple(found)
        found.append(step)


@lru_cache(maxsize=4)
def detour(board: Board, side: str, enemies: frozenset[Hex], friends: frozenset[Hex]) -> Ways:
    """As `way`, but round the hexes that enemies hold or control and those where friends are stuck."""
    toll = dict.fromkeys(friends, STUCK)
    for h in enemies:
        for n in board.ground.open_to[h]:
            toll[n] = toll.get(n, 0) + ZOC
    toll.update(dict.fromkeys(enemies, HELD))
    return _ways(board, _goals(board, side), toll)


@lru_cache(maxsize=16)
def contact(board: Board, enemies: frozenset[Hex]) -> Ways:
    """Hexes from every hex to the nearest of these hexes with an enemy."""
    return _rings(board, enemies)


@lru_cache(maxsize=4)
def passes(board: Board) -> frozenset[Hex]:
    """The fords and bridges: whoever stands there retreats along the road alone (12-1(6))."""
    costs, roads = board.ground.cost, board.ground.roads
    return frozenset(h for h in board.ground.near if len(costs[h]) == BOTH and len(roads[h]) == BOTH)


@lru_cache(maxsize=4)
def lined(board: Board) -> frozenset[Hex]:
    """The hexes of the map with the Ishikawa Line; none where it decides nothing."""
    found = [m for m in board.maps.values() if board.west_needed and any(h in m for h in board.west)]
    return frozenset(h for h in board.ground.near if any(h in m for m in found))


@lru_cache(maxsize=4)
def plugs(board: Board) -> frozenset[Hex]:
    """The hexes at the far end of a ford or bridge, from where one unit bars it to the East (12-1(6))."""
    ways, costs = way(board, EAST), board.ground.cost
    ends = {min(costs[h], key=lambda n: (ways[n], n)) for h in passes(board) if ways[h] < FAR}
    lined = [m for m in board.maps.values() if any(h in m for h in board.west)]
    return frozenset(h for h in ends if h in board.west or not any(h in m for m in lined))


@lru_cache(maxsize=4)
def distances(board: Board) -> ByHex[Mapping[Hex, int]]:
    """For every hex how far each hex is from it over open ground."""
    return OnDemand(lambda to: {h: distance(h, to) for h in board.ground.near})


@lru_cache(maxsize=4)
def nearness(board: Board) -> ByHex[Mapping[Hex, int]]:
    """For every hex the place of each hex among all, the nearest first."""

    def ranked(to: Hex) -> Mapping[Hex, int]:
        far = distances(board)[to]
        hexes = sorted(far, key=lambda h: (far[h], h))
        return {h: place for place, h in enumerate(hexes)}

    return OnDemand(ranked)


@lru_cache(maxsize=16)
def files(board: Board, side: str) -> Mapping[str, int]:
    """The place of each unit of a side in the order in which they move: force by force, those in front first."""
    ways = way(board, EAST)
    forces = list(board.forces)

    def rank(unit: str) -> tuple[int, int, str]:
        start = board.units[unit].start
        ahead = ways[start] if start is not None else 0
        return forces.index(board.units[unit].force), ahead if side == EAST else -ahead, unit

    return {unit: place for place, unit in enumerate(sorted(board.of_side[side], key=rank))}


def enemies_of(s: State, side: str) -> frozenset[Hex]:
    """The hexes in which a side's enemies stand."""
    return frozenset(s.stands[s.board.enemy[side]])


def _beyond(board: Board) -> set[Hex]:
    """The hexes a few steps beyond the line; none where it decides nothing."""
    if not board.west_needed:
        return set()
    east = [h for h in board.ground.near if h not in board.west]
    maps = [m for m in board.maps.values() if any(h in m for h in board.west)]
    return {h for h, far in _rings(board, east).items() if far == DEEP and any(h in m for m in maps)}


class Net(NamedTuple):
    """The hexes of a board, each by its place among them; for each those beside it, and the steps into it."""

    hexes: tuple[Hex, ...]
    place: Mapping[Hex, int]
    near: list[list[int]]
    into: list[list[tuple[int, int]]]


@lru_cache(maxsize=4)
def _net(board: Board) -> Net:
    near, costs = board.ground.near, board.ground.cost
    place = {h: number for number, h in enumerate(near)}
    into = [[(place[h], costs[h][here]) for h in costs[here]] for here in near]
    return Net(tuple(near), place, [[place[n] for n in around] for around in near.values()], into)


def _rings(board: Board, start: Iterable[Hex]) -> Ways:
    """Hexes from every hex to the nearest of some, ring by ring."""
    net = _net(board)
    edge, found, far = [net.place[h] for h in start], [FAR] * len(net.hexes), 0
    for here in edge:
        found[here] = 0
    while edge:
        far += 1
        ring = []
        for here in edge:
            for n in net.near[here]:
                if found[n] > far:
                    found[n] = far
                    ring.append(n)
        edge = ring
    return dict(zip(net.hexes, found, strict=True))


def _ways(board: Board, to: Iterable[Hex], toll: Ways) -> Ways:
    """Movement points from every hex to the nearest of some, by as many shells as there are points."""
    net, far = _net(board), 0
    found, more = [FAR] * len(net.hexes), [0] * len(net.hexes)
    for h, points in toll.items():
        more[net.place[h]] = points
    shells = defaultdict(list, {0: [net.place[h] for h in to]})
    for here in shells[0]:
        found[here] = 0
    while shells:
        if far not in shells:
            far += 1
            continue
        for here in shells.pop(far):
            if found[here] == far:
                through = far + more[here]
                for n, price in net.into[here]:
                    points = through + price
                    if points < found[n]:
                        found[n] = points
                        shells[points].append(n)
    return dict(zip(net.hexes, found, strict=True))
