"""Fire over the table: where a stand fires from, where at, range, arc and what hides the target."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pbem.rules.samurai.geometry import DIRECTIONS, Base, Point, corners, middles, spans

__all__ = [
    "aim_points", "blocks", "fire_point", "hidden", "in_arc", "in_range", "maybe_in_arc", "open_inside", "thinned",
]  # fmt: skip

DEEP = (100, 71)
"""How deep one sees into a wood, and is seen in it: an inch off each edge; in an odd facing in diagonal steps."""


def fire_point(stand: Base) -> Point:
    """Where a stand fires from: the middle of its front edge."""
    x, y, facing, _, hd = stand
    dx, dy = DIRECTIONS[facing]
    return Point(x + hd * dx, y + hd * dy)


@lru_cache(2048)
def aim_points(stand: Base) -> tuple[Point, ...]:
    """Where a stand can be hit, in the order in which they are tried: centre, corners, middles of the edges."""
    return (Point(stand.x, stand.y), *corners(stand), *middles(stand))


def in_range(p: Point, q: Point, most: int) -> bool:
    """Whether a point is no farther than a range (fire_combat.4)."""
    return (q.x - p.x) ** 2 + (q.y - p.y) ** 2 <= most * most


def in_arc(p: Point, q: Point, facing: int) -> bool:
    """Whether a point lies within 45 degrees of a facing (fire_combat.5)."""
    dx, dy = DIRECTIONS[facing]
    a, b = q.x - p.x, q.y - p.y
    v = a * dx + b * dy
    return v > 0 and abs(a * dy - b * dx) <= v


def maybe_in_arc(p: Point, b: Base, facing: int) -> bool:
    """Whether any point of a base may lie within 45 degrees of a facing: False only where none does."""
    dx, dy = DIRECTIONS[facing]
    x, y, s, t = spans(b.facing, b.hw, b.hd)
    if facing % 2:
        deep, wide = (s, t) if dx == dy else (t, s)
    else:
        deep, wide = (x, y) if dx else (y, x)
    east, north = b.x - p.x, b.y - p.y
    most = east * dx + north * dy + deep
    return most > 0 and abs(east * dy - north * dx) - wide <= most


def blocks(p: Point, q: Point, b: Base) -> bool:
    """Whether the line between two points meets the open inside of a base; along an edge, through a corner it doesn't.

    On each of the base's own axes the line is inside during an open range of t from 0 to 1, as fractions of its change.
    """
    x, y, s, t = spans(b.facing, b.hw, b.hd)
    if max(p.x, q.x) <= b.x - x or min(p.x, q.x) >= b.x + x or max(p.y, q.y) <= b.y - y or min(p.y, q.y) >= b.y + y:
        return False
    px, py, dx, dy = p.x - b.x, p.y - b.y, q.x - p.x, q.y - p.y
    axes = ((px, dx, x), (py, dy, y)) if b.facing % 2 == 0 else ((px + py, dx + dy, s), (px - py, dx - dy, t))
    low, high = (-1, 1), (2, 1)  # wider than 0 to 1, whose ends belong to the line
    for at, change, most in axes:
        if change == 0:
            if not -most < at < most:
                return False
            continue
        if change < 0:
            at, change = -at, -change
        begin, end = (-most - at, change), (most - at, change)
        low = begin if begin[0] * low[1] > low[0] * begin[1] else low
        high = end if end[0] * high[1] < high[0] * end[1] else high
    return low[0] * high[1] < high[0] * low[1] and low[0] < low[1] and high[0] > 0


def open_inside(p: Point, b: Base) -> bool:
    """Whether a point lies strictly inside a base."""
    x, y, s, t = spans(b.facing, b.hw, b.hd)
    dx, dy = abs(p.x - b.x), abs(p.y - b.y)
    if b.facing % 2 == 0:
        return dx < x and dy < y
    return abs(p.x - b.x + p.y - b.y) < s and abs(p.x - b.x - p.y + b.y) < t


def thinned(p: Point, q: Point, wood: Base) -> Base | None:
    """What of a wood or hill hides a point from another: all of it, or the inside an inch off its edges when one of the
    points lies in it; None if that leaves nothing."""
    if not open_inside(p, wood) and not open_inside(q, wood):
        return wood
    off = DEEP[wood.facing % 2]
    return wood._replace(hw=wood.hw - off, hd=wood.hd - off) if min(wood.hw, wood.hd) > off else None


def hidden(p: Point, q: Point, bases: Iterable[Base]) -> bool:
    """Whether any of these bases hides a point from another."""
    return any(blocks(p, q, b) for b in bases)
