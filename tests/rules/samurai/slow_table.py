"""A second reading of the table, for whole games: bases, contact, sides, sight, directions; without code of pbem.

Lengths are hundredths of an inch, axes and facings those of the rules. What needs a root is done with sixty decimals or
with fractions.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import TypeAlias

Place: TypeAlias = tuple[int | Fraction, int | Fraction]

AHEAD = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
WORDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
TOUCH = 4
"""The square of the gap, two hundredths, at which bases touch."""


@cache
def half(extent: int, facing: int) -> int:
    """Half an extent; in a diagonal facing the number of steps (1, 1) that comes nearest."""
    if facing % 2 == 0:
        return extent // 2
    with localcontext() as exact:
        exact.prec = 60
        return int((Decimal(extent) / (2 * Decimal(2).sqrt())).to_integral_value())


class Rect:
    """A base: centre, facing, half extents; the lowest and highest place of the box round it."""

    __slots__ = ("facing", "hd", "high", "hw", "low", "x", "y")

    def __init__(self, x: int, y: int, facing: int, hw: int, hd: int) -> None:
        self.x, self.y, self.facing, self.hw, self.hd = x, y, facing, hw, hd
        dx, dy = AHEAD[facing]
        u, v = abs(hw * dy) + abs(hd * dx), abs(hw * dx) + abs(hd * dy)
        self.low, self.high = (x - u, y - v), (x + u, y + v)

    @property
    def corners(self) -> list[tuple[int, int]]:
        """From the front right one on by way of the rear."""
        (fx, fy), (rx, ry), x, y = self.front, self.right, self.x, self.y
        return [
            (x + rx + fx, y + ry + fy),
            (x + rx - fx, y + ry - fy),
            (x - rx - fx, y - ry - fy),
            (x - rx + fx, y - ry + fy),
        ]

    @property
    def key(self) -> tuple[int, int, int, int, int]:
        """What tells it from others."""
        return self.x, self.y, self.facing, self.hw, self.hd

    @property
    def front(self) -> tuple[int, int]:
        """From the centre to the middle of the front edge."""
        dx, dy = AHEAD[self.facing]
        return self.hd * dx, self.hd * dy

    @property
    def right(self) -> tuple[int, int]:
        """From the centre to the middle of the right edge."""
        dx, dy = AHEAD[self.facing]
        return self.hw * dy, -self.hw * dx

    def at(self, x: int, y: int) -> Rect:
        """The same base elsewhere."""
        return Rect(x, y, self.facing, self.hw, self.hd)

    def going(self, way: int, steps: int) -> Rect:
        """The same base so many steps on."""
        dx, dy = AHEAD[way]
        return self.at(self.x + steps * dx, self.y + steps * dy)

    def aims(self) -> list[Place]:
        """Where it can be hit: centre, corners, middles of the edges."""
        (fx, fy), (rx, ry) = self.front, self.right
        x, y = self.x, self.y
        return [(x, y), *self.corners, (x + fx, y + fy), (x - fx, y - fy), (x + rx, y + ry), (x - rx, y - ry)]

    def own(self, q: Place) -> tuple[Fraction, Fraction]:
        """A place in its own axes, to the right and ahead, in half extents."""
        dx, dy = AHEAD[self.facing]
        n, x, y = dx * dx + dy * dy, q[0] - self.x, q[1] - self.y
        return Fraction(x * dy - y * dx, n * self.hw), Fraction(x * dx + y * dy, n * self.hd)

    def holds(self, q: Place) -> bool:
        """Whether a place lies inside, not on an edge."""
        return all(-1 < t < 1 for t in self.own(q))


def apart(a: Rect, b: Rect, gap: int = 0) -> bool:
    """Whether the boxes round two bases are apart, by more than a gap."""
    (al, ab), (ar, at), (bl, bb), (br, bt) = a.low, a.high, b.low, b.high
    far = gap or -1
    return al - br > far or bl - ar > far or ab - bt > far or bb - at > far


def overlap(a: Rect, b: Rect) -> bool:
    """Whether two bases share more than a line: on no axis of either they are apart."""
    if apart(a, b):
        return False
    for facing in {a.facing % 4, b.facing % 4}:
        dx, dy = AHEAD[facing]
        for nx, ny in ((dx, dy), (dy, -dx)):
            one, other = ([x * nx + y * ny for x, y in base.corners] for base in (a, b))
            if max(one) <= min(other) or max(other) <= min(one):
                return False
    return True


def from_base(q: Place, b: Rect) -> Fraction:
    """The squared distance of a place from a base."""
    x, y = nearest(q, b)
    return Fraction((q[0] - x) ** 2 + (q[1] - y) ** 2)


def nearest(q: Place, b: Rect) -> tuple[Fraction, Fraction]:
    """The place in a base that is nearest to another one."""
    u, v = (max(Fraction(-1), min(Fraction(1), t)) for t in b.own(q))
    (fx, fy), (rx, ry) = b.front, b.right
    return b.x + u * rx + v * fx, b.y + u * ry + v * fy


def squared(a: Rect, b: Rect) -> Fraction:
    """The squared distance of two bases."""
    if overlap(a, b):
        return Fraction(0)
    return min(*(from_base(q, b) for q in a.corners), *(from_base(q, a) for q in b.corners))


def touch(a: Rect, b: Rect) -> bool:
    """Whether two bases are no more than two hundredths apart."""
    return not apart(a, b, 2) and squared(a, b) <= TOUCH


def side(of: Rect, by: Rect) -> str:
    """The side on which a base is touched by another: front, flank or rear."""
    places = [of.own(q) for q in by.corners]
    us, vs = [u for u, _ in places], [v for _, v in places]
    if min(vs) >= 1:
        return "front"
    if max(vs) <= -1:
        return "rear"
    if min(us) >= 1 or max(us) <= -1:
        edge = min(us) if min(us) >= 1 else max(us)
        along = [max(Fraction(-1), min(Fraction(1), v)) for u, v in places if u == edge]
        if min(along) == 1:
            return "front"
        return "flank" if min(along) + max(along) >= 0 else "rear"
    front_right, rear_right, rear_left, front_left = (from_base(q, by) for q in of.corners)
    return "front" if min(front_right, front_left) <= min(rear_right, rear_left) else "rear"


def crosses(p: Place, q: Place, b: Rect, less: int = 0) -> bool:
    """Whether a line meets the inside of a base, its half extents less so many: somewhere both its axes are inside."""
    if any(max(p[i], q[i]) <= b.low[i] or min(p[i], q[i]) >= b.high[i] for i in (0, 1)):
        return False
    base = Rect(b.x, b.y, b.facing, b.hw - less, b.hd - less) if less else b
    low, high = Fraction(0), Fraction(1)
    for start, end in zip(base.own(p), base.own(q), strict=True):
        if start == end:
            if not -1 < start < 1:
                return False
            continue
        first, last = sorted(((-1 - start) / (end - start), (1 - start) / (end - start)))
        low, high = max(low, first), min(high, last)
        if low > high:
            return False
    middle = (low + high) / 2
    return base.holds((p[0] + (q[0] - p[0]) * middle, p[1] + (q[1] - p[1]) * middle))


def towards(x: Fraction, y: Fraction) -> int:
    """The facing nearest to a direction: the one along which most of it lies."""
    with localcontext() as exact:
        exact.prec = 60
        root, (dx, dy) = Decimal(2).sqrt(), (Decimal(t.numerator) / t.denominator for t in (x, y))
        along = [(dx * a + dy * b) / (root if a and b else 1) for a, b in AHEAD]
    return along.index(max(along))


def box(bases: Iterable[Rect]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The box round some bases."""
    found = list(bases)
    low = min(b.low[0] for b in found), min(b.low[1] for b in found)
    return low, (max(b.high[0] for b in found), max(b.high[1] for b in found))


def near(b: Rect, of: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    """Whether a base lies in a box, at least in part."""
    (low, high) = of
    return all(b.high[i] > low[i] and b.low[i] < high[i] for i in (0, 1))
