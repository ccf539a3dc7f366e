"""Where the computer player's daimyos go: beside those who need them, and as many as they can touch."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules.samurai import moving
from pbem.rules.samurai.daimyos import beside
from pbem.rules.samurai.geometry import Base, right
from pbem.rules.samurai.orders import SIDES, Follow, Go
from pbem.rules.samurai.paths import first_overlap
from pbem.rules.samurai.state import State

__all__ = ["next_lead"]

NEEDED = 20.0
BARS = 3.0


def next_lead(s: State, side: str) -> Go | Follow | None:
    """The next daimyo's move; None where all stay."""
    for unit in s.on(side):
        if s.board.units[unit].daimyo and unit not in s.moved:
            order = _lead(s, side, unit)
            if order is not None:
                return order
    return None


def _lead(s: State, side: str, unit: str) -> Go | Follow | None:
    here = _value(s, side, unit, s.at[unit])
    ranked = sorted(
        ((worth, n, order) for n, (order, b) in enumerate(_ways(s, side, unit)) if (worth := _value(s, side, unit, b)) > here + 0.1),
        key=lambda each: (-each[0], each[1]),
    )
    for _, _, order in ranked[:6]:
        if moving.why_not(s, side, order) is None:
            return order
    return None


def _ways(s: State, side: str, unit: str) -> Iterator[tuple[Go, Base]]:
    """Places beside units: behind them, at their corners too, so that he may touch two; left and right of them."""
    at, most = s.at[unit], s.board.units[unit].kind.move
    for leader in s.troops(side):
        b = s.at[leader]
        if max(abs(b.x - at.x), abs(b.y - at.y)) > most + 200:
            continue
        (rx, ry), places = right(b), [beside(s, unit, b, where) for where in SIDES]
        behind = places[0]
        for there in (*places, behind.moved(rx, ry), behind.moved(-rx, -ry)):
            if (there.x - at.x) ** 2 + (there.y - at.y) ** 2 <= most * most and s.free(there, {unit}):
                yield Go(unit, there.x, there.y, there.facing), there


def _value(s: State, side: str, unit: str, b: Base) -> float:
    """What a daimyo is worth in a place."""
    worth = 0.0
    own = [other for other in s.touched(b, side, unit) if s.board.units[other].troops]
    for other in own:
        others = [dm for dm in s.daimyos(other) if dm != unit]
        if other in s.routed:
            worth += 0.5 * s.left(other) * s.board.units[other].kind.points
            continue
        if others:
            continue
        if s.doubled(other):
            worth += NEEDED
        worth += 0.2 * s.left(other) * (3.0 if s.enemies(other) else 1.0)
    if not own:
        worth -= 4.0
    return worth - BARS * sum(_bars(s, other, b) for other in s.troops(side) if other not in s.routed)


def _bars(s: State, unit: str, b: Base) -> bool:
    """Whether a base lies in a unit's way straight ahead."""
    own = s.at[unit]
    h = first_overlap(own, own.facing, b)
    return h is not None and h <= s.board.units[unit].kind.move
