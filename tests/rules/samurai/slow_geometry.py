"""A second reading of the geometry: polygons cut with fractions, ways walked step by step, without code of pbem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

Place: TypeAlias = tuple[int | Fraction, int | Fraction]
Polygon: TypeAlias = list[Place]
Piece: TypeAlias = tuple[int, int, int, int, int]
"""Centre, facing, width, depth."""

AHEAD = {0: (0, 1), 1: (1, 1), 2: (1, 0), 3: (1, -1), 4: (0, -1), 5: (-1, -1), 6: (-1, 0), 7: (-1, 1)}


def half(extent: int, diagonal: bool) -> int:
    """Half of an extent; of a diagonal one the number of steps (1, 1) nearest to extent / sqrt 8, by trying."""
    if not diagonal:
        return extent // 2
    r = 0
    while Fraction(2 * r + 1, 2) ** 2 * 8 < extent * extent:
        r += 1
    return r


def polygon(x: int, y: int, facing: int, width: int, depth: int, abreast: int = 1, behind: int = 1) -> Polygon:
    """The corners of a base, against the clock."""
    dx, dy = AHEAD[facing]
    w, d = abreast * half(width, facing % 2 == 1), behind * half(depth, facing % 2 == 1)
    found = [
        (x + sx * w * dy + sy * d * dx, y - sx * w * dx + sy * d * dy)
        for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ]
    return list(found)


def edges(p: Polygon) -> Iterable[tuple[Place, Place]]:
    """The edges one after another."""
    return zip(p, [*p[1:], p[0]], strict=True)


def _left(a: Place, b: Place, q: Place) -> int | Fraction:
    return (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])


def area(p: Polygon) -> Fraction:
    """The area of a polygon whose corners go against the clock."""
    return Fraction(sum(a[0] * b[1] - b[0] * a[1] for a, b in edges(p))) / 2


def common(p: Polygon, q: Polygon) -> Polygon:
    """What two convex polygons share, by cutting the first along each edge of the second."""
    found = p
    for a, b in edges(q):
        kept: Polygon = []
        for one, other in edges(found) if found else ():
            at, to = _left(a, b, one), _left(a, b, other)
            if at >= 0:
                kept.append(one)
            if at * to < 0:
                share = Fraction(at) / (at - to)
                kept.append((one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])))
        found = kept
    return found


def overlap(p: Polygon, q: Polygon) -> bool:
    """Whether they share more than a line."""
    found = common(p, q)
    return len(found) > 2 and area(found) > 0


def from_segment(q: Place, a: Place, b: Place) -> Fraction:
    """The squared distance of a point from a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    share = Fraction((q[0] - a[0]) * dx + (q[1] - a[1]) * dy) / (dx * dx + dy * dy)
    share = min(max(share, Fraction(0)), Fraction(1))
    return Fraction((a[0] + share * dx - q[0]) ** 2 + (a[1] + share * dy - q[1]) ** 2)


def squared(p: Polygon, q: Polygon) -> Fraction:
    """The squared distance of two polygons."""
    if len(common(p, q)) > 0:
        return Fraction(0)
    sides = [(corner, edge) for one, other in ((p, q), (q, p)) for corner in one for edge in edges(other)]
    return min(from_segment(corner, *edge) for corner, edge in sides)


def touching(p: Polygon, q: Polygon) -> bool:
    """No more than 0.02 inch apart."""
    return squared(p, q) <= 4


def enters(a: Place, b: Place, p: Polygon) -> bool:
    """Whether a segment meets the open inside of a convex polygon, by cutting it along every edge."""
    low, high = Fraction(-1), Fraction(2)
    for one, other in edges(p):
        at, to = _left(one, other, a), _left(one, other, b)
        if at == to:
            if at <= 0:
                return False
        elif to > at:
            low = max(low, Fraction(at) / (at - to))
        else:
            high = min(high, Fraction(at) / (at - to))
    return low < high and low < 1 and high > 0


def inside_table(p: Polygon, width: int, depth: int) -> bool:
    """Whether all corners lie on the table."""
    return all(0 <= x <= width and 0 <= y <= depth for x, y in p)


def walked(
    start: Piece,
    way: int,
    budget: Callable[[int], bool],
    stops: Sequence[Polygon],
    slow: Sequence[Polygon],
    table: tuple[int, int],
    size: tuple[int, int] = (1, 1),
) -> int:
    """How many steps a base makes: one after another, until the next would overlap, leave the table or cost too much.

    `budget` says whether so many steps, those in slow ground counted twice, may be made.
    """
    dx, dy = AHEAD[way]
    done = cost = 0
    while True:
        x, y = start[0] + (done + 1) * dx, start[1] + (done + 1) * dy
        there = polygon(x, y, *start[2:], *size)
        cost += 2 if any(overlap(there, ground) for ground in slow) else 1
        if not budget(cost) or not inside_table(there, *table) or any(overlap(there, stop) for stop in stops):
            return done
        done += 1
