"""Where the computer player's daimyos go: beside those who need them, as many as they can touch, in nobody's way."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules.samurai import moving
from pbem.rules.samurai.daimyos import beside
from pbem.rules.samurai.geometry import Base, right
from pbem.rules.samurai.orders import SIDES, Go
from pbem.rules.samurai.paths import first_overlap
from pbem.rules.samurai.state import BEHIND, State

__all__ = ["next_lead"]

NEEDED = 20.0
"""What it is worth to lead a unit of two stands that has no other daimyo."""

LED = 0.2
"""The same for each figure of a unit; three times as much in contact with an enemy."""

ALONE = 4.0
"""What it counts against a place that a daimyo touches no friend there."""

BARS = 3.0
"""The same for each friend in whose way he stands there."""

LEAST = 0.1
"""What a place must be better than where he stands."""

TRIES = 6
"""Of so many places the best that is legal is taken."""


def next_lead(s: State, side: str) -> Go | None:
    """The next daimyo's move, when all units have moved; None where all stay."""
    for unit in s.on(side):
        if s.board.units[unit].daimyo and unit not in s.moved:
            order = _lead(s, side, unit)
            if order is not None:
                return order
    return None


def _lead(s: State, side: str, unit: str) -> Go | None:
    most = _value(s, side, unit, s.at[unit]) + LEAST
    found = [(-_value(s, side, unit, b), n, order) for n, (order, b) in enumerate(_ways(s, side, unit))]
    better = sorted(each for each in found if -each[0] > most)
    legal = (order for _, _, order in better[:TRIES] if moving.why_not(s, side, order) is None)
    return next(legal, None)


def _ways(s: State, side: str, unit: str) -> Iterator[tuple[Go, Base]]:
    """Free places beside units that are near enough: behind, at the rear corners, where he may touch two, and aside."""
    at, most = s.at[unit], s.board.units[unit].kind.move
    for leader in s.troops(side):
        b = s.at[leader]
        if max(abs(b.x - at.x), abs(b.y - at.y)) > most + b.hw + b.hd:
            continue
        (rx, ry), aside = right(b), beside(s, unit, b)
        behind = aside[BEHIND]
        for there in (*(aside[where] for where in SIDES), behind.moved(rx, ry), behind.moved(-rx, -ry)):
            if (there.x - at.x) ** 2 + (there.y - at.y) ** 2 <= most * most and s.free(there, {unit}):
                yield Go(unit, there.x, there.y, there.facing), there


def _value(s: State, side: str, unit: str, b: Base) -> float:
    """What a daimyo is worth in a place: to those whom he would lead there, and to a routed unit that could rally."""
    own = [other for other in s.touched(b, side, unit) if s.board.units[other].troops]
    worth = 0.0 if own else -ALONE
    for other in own:
        if other in s.routed:
            worth += s.left(other) * s.board.units[other].kind.points / 2
        elif s.daimyos(other) in ([], [unit]):
            worth += NEEDED * s.doubled(other) + LED * s.left(other) * (3 if s.enemies(other) else 1)
    return worth - BARS * sum(_bars(s, other, b) for other in s.troops(side) if other not in s.routed)


def _bars(s: State, unit: str, b: Base) -> bool:
    """Whether a base lies in a unit's way straight ahead."""
    own = s.at[unit]
    h = first_overlap(own, own.facing, b)
    return h is not None and h <= s.board.units[unit].kind.move
