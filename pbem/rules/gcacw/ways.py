"""Ways of a unit as things stand, from its hex to all others: round the enemy, and over no ford that rain closes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush

from pbem.maps.hexes import Hex, distance
from pbem.records import NamedTuple
from pbem.rules.gcacw.aims import FAR
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.holds import closed
from pbem.rules.gcacw.orders import Path
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import FEW, value_of, zone

__all__ = ["Ways", "ways"]

SEEN, FAR_OFF = 12, 28
"""The hexes within which an enemy bars a way, and within which he does by half; others will have gone by then."""

BARS, WEAKLY, BESIDE = 20, 6, 8
"""What an enemy on the way costs in half points, one whom a unit drives before it, and a zone of control."""

FLOODED = 14
"""The half points that a ford costs for each turn of rain that is left: rather than go far about a unit waits."""


class _Net(NamedTuple):
    """The map as a net: the hexes by number, the number of each, and from each the numbers, points and floods of steps.

    Numbers make the search for ways, which comes with nearly every order, twice as fast.
    """

    hexes: tuple[Hex, ...]
    number: Mapping[Hex, int]
    steps: tuple[tuple[tuple[int, int, int], ...], ...]


@lru_cache(maxsize=8)
def _net(board: Board) -> _Net:
    ground = board.ground
    hexes = tuple(ground.near)
    number = {h: n for n, h in enumerate(hexes)}
    steps = tuple(
        tuple((number[to], price, 0 if ground.between[h][to].wet else FLOODED) for to, price in ground.cost[h].items())
        for h in hexes
    )
    return _Net(hexes, number, steps)


class Ways(NamedTuple):
    """The half points of the way to every hex, FAR where there is none, and the hex before each on it, by number."""

    net: _Net
    far: Sequence[int]
    before: Sequence[int]

    def to(self, h: Hex) -> int:
        """The half points of the way to a hex, FAR where there is none."""
        return self.far[self.net.number[h]]

    def path(self, h: Hex) -> Path:
        """The hexes of the way to a hex; none where there is no way, or nothing to go."""
        found: list[Hex] = []
        here = self.net.number[h]
        while self.before[here] >= 0:
            found.append(self.net.hexes[here])
            here = self.before[here]
        return tuple(reversed(found))

    def within(self, most: int) -> Iterator[tuple[int, Hex]]:
        """The hexes that so many half points lead to, with those of the way."""
        return ((far, h) for far, h in zip(self.far, self.net.hexes, strict=True) if far <= most)


def ways(s: State, unit: str, leaders: tuple[str, ...] = ()) -> Ways:
    """The ways of a unit, with leaders who go along."""
    key = ("ways", unit, leaders)
    if key not in s.memo:
        here, side = s.at[unit], s.board.units[unit].side
        enemy, value = s.board.enemy[side], s.value_in(here, side)
        seen = {s.at[e]: distance(s.at[e], here) for e in s.own(enemy)}
        strong = {h for h in seen if value < FEW * value_of(s, h, enemy)}
        near = frozenset(h for h in strong if seen[h] <= SEEN)
        off = frozenset(h for h in strong if SEEN < seen[h] <= FAR_OFF)
        weak = frozenset(h for h in seen if seen[h] <= SEEN and h not in strong)
        barred = closed(s, unit).union(*(closed(s, leader) for leader in leaders))
        only = s.board.one_sided.get(s.turn)
        if only is not None and only.no_zoc:
            barred |= frozenset(zone(s, enemy))
        s.memo[key] = _ways(s.board, here, near, weak, off, barred, s.rain - s.turn + 1 if s.raining else 0)
    known: Ways = s.memo[key]
    return known


@lru_cache(maxsize=1 << 10)
def _ways(
    board: Board,
    start: Hex,
    enemies: frozenset[Hex],
    weak: frozenset[Hex],
    off: frozenset[Hex],
    barred: frozenset[Hex],
    rain: int,
) -> Ways:
    net, ground = _net(board), board.ground
    number, steps = net.number, net.steps
    more = [0] * len(net.hexes)
    beside, beside_off = ({n for e in hexes for n in ground.zoc[e]} for hexes in (enemies, off))
    for price, hexes in (
        (BESIDE // 2, beside_off), (BARS // 2, off), (BESIDE, beside), (WEAKLY, weak), (BARS, enemies),
    ):  # fmt: skip
        for h in hexes:
            more[number[h]] = price
    for h in barred:
        more[number[h]] = FAR
    far, before = [FAR] * len(net.hexes), [-1] * len(net.hexes)
    far[number[start]] = 0
    many = len(net.hexes)
    queue = [number[start]]  # half points and number of a hex in one
    while queue:
        gone, here = divmod(heappop(queue), many)
        if gone > far[here]:
            continue
        for to, price, flood in steps[here]:
            there = gone + price + more[to] + flood * rain
            if there < far[to]:
                far[to], before[to] = there, here
                heappush(queue, there * many + to)
    return Ways(net, far, before)
