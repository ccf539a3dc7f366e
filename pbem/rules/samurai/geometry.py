"""Bases on the table, in whole hundredths of an inch: corners, overlap, distance, touches, front, flank and rear.

x runs to the east, y to the north. Facings are 0 to 7, an eighth of a circle each, clockwise from north. Bases with an
even facing have their edges along the axes x and y, those with an odd one along s = x + y and t = x - y. As
s*s + t*t = 2 (x*x + y*y), doubled squares of lengths are whole numbers on both pairs, and nothing is ever rounded but
the half extents of a base in an odd facing (`half`). There is no float here and no root but the whole one, so that both
players' machines find the same.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from math import isqrt
from typing import TypeAlias

from pbem.records import NamedTuple

__all__ = [
    "DIRECTIONS", "TOUCH", "Base", "Contact", "Four", "Point", "Size", "ahead", "apart", "corners", "distance",
    "flight", "half", "lie", "middles", "nearest_facing", "on_table", "outline", "overlap", "point_distance", "reaches",
    "right", "side_of", "spans", "stands_of", "swept", "touches",
]  # fmt: skip

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Facing -> one step straight ahead (movement.2)."""

TOUCH = 8
"""The greatest doubled squared distance of bases that touch: 0.02 inch."""


Four: TypeAlias = tuple[int, int, int, int]
"""Whole numbers along x, y, s and t."""


class Point(NamedTuple):
    """A place on the table."""

    x: int
    y: int


class Base(NamedTuple):
    """A base where it stands: its centre, its facing, its half extents sideways and ahead in that facing.

    In an odd facing the half extents are counted in steps of the direction: 106 of them are 1.5 inches.
    """

    x: int
    y: int
    facing: int
    hw: int
    hd: int

    def moved(self, dx: int, dy: int) -> Base:
        """The base moved in its facing."""
        x, y, facing, hw, hd = self
        return Base(x + dx, y + dy, facing, hw, hd)


class Size(NamedTuple):
    """What a base measures: width and depth of a stand, how many stand abreast and how many behind each other."""

    width: int
    depth: int
    abreast: int = 1
    behind: int = 1

    def at(self, x: int, y: int, facing: int) -> Base:
        """A base of this size with its centre there."""
        hw, hd = _halves(self, facing % 2)
        return Base(x, y, facing, hw, hd)


class Contact(StrEnum):
    """The side on which a base is touched (definitions.6, definitions.7, definitions.8)."""

    FRONT = "front"
    FLANK = "flank"
    REAR = "rear"


def half(extent: int, *, odd: bool) -> int:
    """Half of an even extent; in an odd facing the whole number next to extent / (2 * sqrt 2), in diagonal steps."""
    if not odd:
        return extent // 2
    k = isqrt(extent * extent // 8)
    return k + 1 if 2 * (2 * k + 1) ** 2 < extent * extent else k


@lru_cache(64)
def _halves(size: Size, odd: int) -> tuple[int, int]:
    """The half extents of a base of that size, in an even facing (0) or an odd one (1)."""
    return size.abreast * half(size.width, odd=odd == 1), size.behind * half(size.depth, odd=odd == 1)


@lru_cache(1024)
def spans(facing: int, hw: int, hd: int) -> Four:
    """How far a base reaches from its centre along x, y, s and t."""
    if facing % 2 == 0:
        x, y = (hw, hd) if facing % 4 == 0 else (hd, hw)
        return x, y, x + y, x + y
    s, t = (2 * hd, 2 * hw) if facing % 4 == 1 else (2 * hw, 2 * hd)
    return hw + hd, hw + hd, s, t


@lru_cache(1024)
def lie(b: Base) -> tuple[Four, Four]:
    """Where the centre of a base lies along x, y, s and t, and how far it reaches from there."""
    x, y, facing, hw, hd = b
    return (x, y, x + y, x - y), spans(facing, hw, hd)


def ahead(b: Base) -> Point:
    """From the centre of a base to the middle of its front edge."""
    dx, dy = DIRECTIONS[b.facing]
    return Point(b.hd * dx, b.hd * dy)


def right(b: Base) -> Point:
    """From the centre of a base to the middle of its right edge."""
    dx, dy = DIRECTIONS[b.facing]
    return Point(b.hw * dy, -b.hw * dx)


@lru_cache(4096)
def corners(b: Base) -> tuple[Point, Point, Point, Point]:
    """Front right, rear right, rear left, front left."""
    (fx, fy), (rx, ry) = ahead(b), right(b)
    return (
        Point(b.x + rx + fx, b.y + ry + fy),
        Point(b.x + rx - fx, b.y + ry - fy),
        Point(b.x - rx - fx, b.y - ry - fy),
        Point(b.x - rx + fx, b.y - ry + fy),
    )


def outline(b: Base) -> list[list[int]]:
    """The corners of a base as pictures take them: front left, front right, rear right, rear left."""
    x, y, facing, hw, hd = b
    dx, dy = DIRECTIONS[facing]
    fx, fy, rx, ry = hd * dx, hd * dy, hw * dy, -hw * dx
    px, py, qx, qy = rx + fx, ry + fy, rx - fx, ry - fy
    return [[x - qx, y - qy], [x + px, y + py], [x + qx, y + qy], [x - px, y - py]]


def middles(b: Base) -> tuple[Point, Point, Point, Point]:
    """The middles of the front, rear, right and left edge."""
    (fx, fy), (rx, ry) = ahead(b), right(b)
    return (
        Point(b.x + fx, b.y + fy),
        Point(b.x - fx, b.y - fy),
        Point(b.x + rx, b.y + ry),
        Point(b.x - rx, b.y - ry),
    )


def overlap(a: Base, b: Base) -> bool:
    """Whether two bases lie over each other; those whose edges or corners only meet don't."""
    ax, ay, facing, hw, hd = a
    one = spans(facing, hw, hd)
    bx, by, facing, hw, hd = b
    other = spans(facing, hw, hd)
    dx, dy = ax - bx, ay - by
    return (
        -one[0] - other[0] < dx < one[0] + other[0]
        and -one[1] - other[1] < dy < one[1] + other[1]
        and -one[2] - other[2] < dx + dy < one[2] + other[2]
        and -one[3] - other[3] < dx - dy < one[3] + other[3]
    )


def point_distance(q: Point, b: Base) -> int:
    """The doubled squared distance of a point from a base; 0 in it."""
    x, y, s, t = spans(b.facing, b.hw, b.hd)
    dx, dy = q.x - b.x, q.y - b.y
    if b.facing % 2 == 0:
        du, dv = max(abs(dx) - x, 0), max(abs(dy) - y, 0)
        return 2 * (du * du + dv * dv)
    du, dv = max(abs(dx + dy) - s, 0), max(abs(dx - dy) - t, 0)
    return du * du + dv * dv


def distance(a: Base, b: Base) -> int:
    """The doubled squared distance of two bases; 0 where they overlap or meet."""
    if overlap(a, b):
        return 0
    return min(*(point_distance(q, b) for q in corners(a)), *(point_distance(q, a) for q in corners(b)))


def apart(a: Base, b: Base) -> int:
    """The doubled squared distance of two bases at least, quickly found: that of the rectangles round them."""
    wide, deep, _, _ = spans(a.facing, a.hw, a.hd)
    its_wide, its_deep, _, _ = spans(b.facing, b.hw, b.hd)
    dx, dy = max(abs(a.x - b.x) - wide - its_wide, 0), max(abs(a.y - b.y) - deep - its_deep, 0)
    return 2 * (dx * dx + dy * dy)


def touches(a: Base, b: Base) -> bool:
    """Whether two bases touch: they are at most 0.02 inch apart."""
    ax, ay, own, hw, hd = a
    one = spans(own, hw, hd)
    bx, by, its, hw, hd = b
    other = spans(its, hw, hd)
    dx, dy = ax - bx, ay - by
    x, y = abs(dx) - one[0] - other[0], abs(dy) - one[1] - other[1]
    if x > 2 or y > 2:
        return False
    s, t = abs(dx + dy) - one[2] - other[2], abs(dx - dy) - one[3] - other[3]
    if x <= 0 and y <= 0 and s <= 0 and t <= 0:
        return True
    if own % 2 != its % 2:
        return s <= 2 and t <= 2 and distance(a, b) <= TOUCH  # two hundredths are less than three along s and t
    if own % 2 == 0:
        return 2 * (max(x, 0) ** 2 + max(y, 0) ** 2) <= TOUCH
    return max(s, 0) ** 2 + max(t, 0) ** 2 <= TOUCH


def reaches(b: Base, west: int, east: int, south: int, north: int) -> bool:
    """Whether the rectangle round a base meets another one."""
    x, y, _, _ = spans(b.facing, b.hw, b.hd)
    return b.x - x <= east and b.x + x >= west and b.y - y <= north and b.y + y >= south


def swept(b: Base, way: int, steps: int) -> Four:
    """The rectangle in which a base goes so many steps in the direction of a facing: west, east, south, north."""
    x, y, facing, hw, hd = b
    (dx, dy), (wide, deep, _, _) = DIRECTIONS[way], spans(facing, hw, hd)
    west, east, south, north = x - wide, x + wide, y - deep, y + deep
    if dx > 0:
        east += steps
    elif dx < 0:
        west -= steps
    if dy > 0:
        return west, east, south, north + steps
    return west, east, south - steps if dy else south, north


def on_table(b: Base, width: int, depth: int) -> bool:
    """Whether a base lies wholly on a table."""
    x, y, _, _ = spans(b.facing, b.hw, b.hd)
    return x <= b.x <= width - x and y <= b.y <= depth - y


def side_of(d: Base, a: Base) -> Contact:
    """The side on which a base `d` is touched by a base `a`.

    Front is the whole front edge with its corners, flank the forward half of a side edge with its middle, rear all
    else; of an edge that is touched along a length its middle counts. Where a corner of `d` meets a slanting edge the
    corner counts.
    """
    dx, dy = DIRECTIONS[d.facing]
    own = [((x - d.x) * dy - (y - d.y) * dx, (x - d.x) * dx + (y - d.y) * dy) for x, y in corners(a)]
    scale = dx * dx + dy * dy
    most_u, most_v = scale * d.hw, scale * d.hd
    us, vs = [u for u, _ in own], [v for _, v in own]
    if min(vs) >= most_v:
        return Contact.FRONT  # definitions.6
    if max(vs) <= -most_v:
        return Contact.REAR  # definitions.8
    if min(us) >= most_u or max(us) <= -most_u:
        near = min(us) if min(us) >= most_u else max(us)
        beside = [min(max(v, -most_v), most_v) for u, v in own if u == near]
        low, high = min(beside), max(beside)
        if low == most_v:
            return Contact.FRONT
        return Contact.FLANK if low + high >= 0 else Contact.REAR  # definitions.7
    front_right, rear_right, rear_left, front_left = (point_distance(q, a) for q in corners(d))
    return Contact.FRONT if min(front_right, front_left) <= min(rear_right, rear_left) else Contact.REAR


def stands_of(b: Base, size: Size) -> tuple[Base, ...]:
    """The bases of the stands that fill the base of a unit: from the left to the right, from the front to the rear."""
    if size.abreast * size.behind == 1:
        return (b,)
    hw, hd = b.hw // size.abreast, b.hd // size.behind
    stand = Base(b.x, b.y, b.facing, hw, hd)
    (fx, fy), (rx, ry) = ahead(stand), right(stand)
    if size.abreast == 2:
        return stand.moved(-rx, -ry), stand.moved(rx, ry)
    return stand.moved(fx, fy), stand.moved(-fx, -fy)


def nearest_facing(gx: int, gy: int) -> int:
    """The facing next to a vector other than (0, 0); the root of two being irrational, there never are two."""
    a, b = abs(gx), abs(gy)
    sx, sy = (gx > 0) - (gx < 0), (gy > 0) - (gy < 0)
    if (a + b) ** 2 < 2 * a * a:
        sy = 0
    elif (a + b) ** 2 < 2 * b * b:
        sx = 0
    return DIRECTIONS.index((sx, sy))


def flight(b: Base, enemy: Base) -> int:
    """The facing next to the direction from the nearest point of an enemy's base to the centre of a base."""
    x, y, s, t = spans(enemy.facing, enemy.hw, enemy.hd)
    dx, dy = b.x - enemy.x, b.y - enemy.y
    if enemy.facing % 2 == 0:
        return nearest_facing(2 * _beyond(dx, x), 2 * _beyond(dy, y))
    gs, gt = _beyond(dx + dy, s), _beyond(dx - dy, t)
    return nearest_facing(gs + gt, gs - gt)


def _beyond(value: int, most: int) -> int:
    """How far a value lies outside of -most to most, with its sign."""
    return value - min(max(value, -most), most)
