"""Ways of a unit as things stand, from its hex to all others: round the enemy, and over no ford that rain closes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw.aims import FAR
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.holds import closed
from pbem.rules.gcacw.orders import Path
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import FEW, value_of, zone

__all__ = ["Ways", "ways"]

SEEN = 16
"""The hexes within which an enemy bars a way; who is further off will have gone when the unit comes there."""

BARS, WEAKLY, BESIDE = 24, 6, 12
"""What an enemy on the way costs in half points, one whom a unit drives before it, and a zone of control."""

FLOODED = 6
"""The half points that a ford costs in rain: rather than go far about a unit waits before it."""


class Ways(NamedTuple):
    """The half points of the way to every hex that one leads to, and the hex before each on it."""

    far: Mapping[Hex, int]
    before: Mapping[Hex, Hex]

    def to(self, h: Hex) -> int:
        """The half points of the way to a hex, FAR where there is none."""
        return self.far.get(h, FAR)

    def path(self, h: Hex) -> Path:
        """The hexes of the way to a hex; none where there is no way, or nothing to go."""
        found: list[Hex] = []
        while h in self.before:
            found.append(h)
            h = self.before[h]
        return tuple(reversed(found))


def ways(s: State, unit: str, leaders: tuple[str, ...] = ()) -> Ways:
    """The ways of a unit, with leaders who go along."""
    key = ("ways", unit, leaders)
    if key not in s.memo:
        here, side = s.at[unit], s.board.units[unit].side
        enemy, value = s.board.enemy[side], s.value_in(here, side)
        near = {s.at[e] for e in s.own(enemy) if distance(s.at[e], here) <= SEEN}
        weak = frozenset(h for h in near if value >= FEW * value_of(s, h, enemy))
        barred = closed(s, unit).union(*(closed(s, leader) for leader in leaders))
        only = s.board.one_sided.get(s.turn)
        if only is not None and only.no_zoc:
            barred |= frozenset(zone(s, enemy))
        s.memo[key] = _ways(s.board, here, frozenset(near) - weak, weak, barred, s.raining)
    known: Ways = s.memo[key]
    return known


@lru_cache(maxsize=1 << 10)
def _ways(
    board: Board, start: Hex, enemies: frozenset[Hex], weak: frozenset[Hex], barred: frozenset[Hex], rain: bool
) -> Ways:
    ground = board.ground
    more = dict.fromkeys((n for e in enemies for n in ground.zoc[e]), BESIDE)
    more |= dict.fromkeys(weak, WEAKLY) | dict.fromkeys(enemies, BARS)
    far, before = {start: 0}, dict[Hex, Hex]()
    queue = [(0, start)]
    while queue:
        gone, here = heappop(queue)
        if gone > far[here]:
            continue
        for h, price in ground.cost[here].items():
            if h in barred:
                continue
            there = gone + price + more.get(h, 0)
            if rain and not ground.between[here][h].wet:
                there += FLOODED
            if there < far.get(h, FAR):
                far[h], before[h] = there, here
                heappush(queue, (there, h))
    return Ways(far, before)
