"""Ways over the table: how far a base goes straight before it lies over something, and a daimyo's line of places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from typing import TypeVar

from pbem.records import NamedTuple
from pbem.rules.samurai.geometry import DIRECTIONS, Base, Four, Point, lie, spans

__all__ = [
    "FAR", "SHORT_OF", "Range", "extra_steps", "first_overlap", "free_places", "last_on_table", "line", "line_over",
    "line_stops", "merged", "over", "place", "reach", "steps_of", "steps_over", "within",
]  # fmt: skip


def _axes(dx: int, dy: int) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Of the axes x, y, s and t the one along which a step changes nothing; of the others number, sign and length of
    the step along each."""
    steps = (dx, dy, dx + dy, dx - dy)
    moving = ((axis, 1 if step > 0 else -1, abs(step)) for axis, step in enumerate(steps) if step)
    return steps.index(0), tuple(moving)


AXES = tuple(_axes(dx, dy) for dx, dy in DIRECTIONS)
"""Facing -> what a step in it does along the axes: each facing leaves one of them as it is."""

FAR = 1 << 40
"""More steps than lie on any table."""

SHORT_OF = 11
"""So many steps before the first at which it would lie over an enemy or ground a router stops: ten steps short."""


T = TypeVar("T")


class Range(NamedTuple):
    """The numbers from `low` to `high`, both among them."""

    low: int
    high: int


def steps_of(length: int, facing: int) -> int:
    """The steps that a length allows: one a hundredth straight, fewer along a diagonal (movement.1)."""
    return length if facing % 2 == 0 else isqrt(length * length // 2)


def place(b: Base, way: int, j: int) -> Base:
    """A base after `j` steps in the direction of a facing, its own kept."""
    (x, y, facing, hw, hd), (dx, dy) = b, DIRECTIONS[way]
    return Base(x + j * dx, y + j * dy, facing, hw, hd)


def over(b: Base, way: int, obstacle: Base) -> Range | None:
    """The steps, before and behind the start too, after which a base lies over an obstacle; None if after none."""
    found = steps_over(b, way, -FAR, FAR, ((obstacle, *lie(obstacle)),))
    return Range(*found[0][:2]) if found else None


def steps_over(
    b: Base, way: int, least: int, most: int, obstacles: Iterable[tuple[T, Four, Four]]
) -> list[tuple[int, int, T]]:
    """The first and the last of the steps between two after which a base lies over an obstacle, and the obstacle.

    Of each obstacle is known where it `lie`s; left out are those over which it doesn't come to lie.
    """
    x, y, facing, hw, hd = b
    start, own, (still, moving) = (x, y, x + y, x - y), spans(facing, hw, hd), AXES[way]
    across, wide = start[still], own[still]
    found: list[tuple[int, int, T]] = []
    for obstacle, at, its in obstacles:
        if not -wide - its[still] < across - at[still] < wide + its[still]:  # a step changes nothing along this axis
            continue
        low, high = least, most
        for axis, sign, step in moving:
            off, reach = sign * (start[axis] - at[axis]), own[axis] + its[axis]
            first = (-reach - off) // step + 1  # the least j with -reach < off + j * step
            last = (reach - off - 1) // step  # the greatest j with off + j * step < reach
            if first > low:
                low = first
            if last < high:
                high = last
            if low > high:
                break
        else:
            found.append((low, high, obstacle))
    return found


def first_overlap(b: Base, way: int, obstacle: Base) -> int | None:
    """The first step, from 1 on, after which a base lies over an obstacle; None if it never does."""
    found = over(b, way, obstacle)
    return max(found.low, 1) if found is not None and found.high >= 1 else None


def last_on_table(b: Base, way: int, width: int, depth: int) -> int:
    """The last step after which a base that goes straight still lies wholly on the table; -1 for none."""
    x, y, _, _ = spans(b.facing, b.hw, b.hd)
    low, high = 0, FAR
    for at, step, least, most in ((b.x, DIRECTIONS[way][0], x, width - x), (b.y, DIRECTIONS[way][1], y, depth - y)):
        if step == 0:
            if not least <= at <= most:
                return -1
            continue
        if step < 0:
            at, step, least, most = -at, -step, -most, -least
        low, high = max(low, least - at), min(high, most - at)
    return high if low <= high else -1


def reach(steps: int, double: Sequence[Range]) -> int:
    """How many steps can be made where those in these ranges, `merged`, count twice."""
    if not double:
        return steps
    done, left = 0, steps
    for low, high in double:
        plain = min(low - 1 - done, left)
        done, left = done + plain, left - plain
        if done < low - 1:
            return done
        twice = min(high - done, left // 2)
        done, left = done + twice, left - 2 * twice
        if done < high:
            return done
    return done + left


def extra_steps(upto: int, double: Sequence[Range]) -> int:
    """How many of the steps from 1 to `upto` lie in these ranges, which are `merged`."""
    return sum(max(0, min(high, upto) - low + 1) for low, high in double) if double else 0


def merged(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """The same steps from 1 on in ranges apart from each other, in order."""
    found: list[Range] = []
    for one in sorted(Range(max(r.low, 1), r.high) for r in ranges if r.high >= 1):
        if found and one.low <= found[-1].high + 1:
            found[-1] = Range(found[-1].low, max(found[-1].high, one.high))
        else:
            found.append(one)
    return tuple(found)


# --- a daimyo's line --------------------------------------------------------------------------------------------------


def line(start: Point, end: Point, j: int) -> Point:
    """Place `j` of the way from one point to another, of as many as the longer of its two distances (movement.6)."""
    dx, dy = end.x - start.x, end.y - start.y
    n = max(abs(dx), abs(dy))
    if n == 0:
        return start
    return Point(start.x + (2 * j * dx + n) // (2 * n), start.y + (2 * j * dy + n) // (2 * n))


def line_over(b: Base, end: Point, obstacle: Base) -> Range | None:
    """The places of the way of a base to a point, from 0 on, at which it lies over an obstacle; None if at none.

    From one place to the next it goes on by one along the longer distance and by one at most along the other: so along
    x, y, s and t it only rises or only falls, and it comes to lie over an obstacle once.
    """
    x, y, facing, hw, hd = b
    dx, dy = end.x - x, end.y - y
    ox, oy, o_facing, o_hw, o_hd = obstacle
    one, other = spans(facing, hw, hd), spans(o_facing, o_hw, o_hd)
    x, y, wide, deep = x - ox, y - oy, one[0] + other[0], one[1] + other[1]
    if min(x, x + dx) >= wide or max(x, x + dx) <= -wide or min(y, y + dy) >= deep or max(y, y + dy) <= -deep:
        return None
    n = max(abs(dx), abs(dy))
    t, dt = (x - y, dx - dy) if abs(dy) == n else (y - x, dy - dx)  # what is rounded isn't taken off: so `line` has it
    low, high = 0, n
    for at, d, mine, its in zip((x, y, x + y, t), (dx, dy, dx + dy, dt), one, other, strict=True):
        first, last = _between(d, n, -mine - its - at, mine + its - at)
        low, high = max(low, first), min(high, last)
        if low > high:
            return None
    return Range(low, high)


def _between(d: int, n: int, low: int, high: int) -> Range:
    """The places j of a way of n at which j * d / n, rounded as in `line`, lies between these two and is neither."""
    if d == 0:
        return Range(0, n) if low < 0 < high else Range(1, 0)
    least, most = -n * (2 * low + 1) // (2 * abs(d)), -n * (2 * high - 1) // (2 * abs(d))
    return Range(-least, -most - 1) if d > 0 else Range(most + 1, least)


def line_stops(b: Base, end: Point, obstacles: Sequence[Base]) -> int:
    """The last place of the way of a base to a point before the first at which it lies over an obstacle."""
    last = max(abs(end.x - b.x), abs(end.y - b.y))
    for o in obstacles:
        over = line_over(b, end, o)
        if over is not None and over.high > 0:
            last = min(last, max(over.low - 1, 0))
    return last


def free_places(b: Base, end: Point, last: int, obstacles: Iterable[Base], width: int, depth: int) -> Iterator[int]:
    """The places of the way of a base to a point, from one back to 0, at which it lies over no obstacle and wholly on
    the table."""
    dx, dy = end.x - b.x, end.y - b.y
    n, (wide, deep, _, _) = max(abs(dx), abs(dy)), spans(b.facing, b.hw, b.hd)
    along = _between(dx, n, wide - b.x - 1, width - wide - b.x + 1)
    up = _between(dy, n, deep - b.y - 1, depth - deep - b.y + 1)
    taken = [r for o in obstacles if (r := line_over(b, end, o)) is not None]
    j = min(last, along.high, up.high)
    while j >= max(0, along.low, up.low):
        under = [r.low for r in taken if r.low <= j <= r.high]
        if not under:
            yield j
        j = min(under, default=j) - 1


def within(b: Base, end: Point, limit: int, difficult: Sequence[Base]) -> bool:
    """Whether the way to a point is no longer than a limit, places in difficult ground counting twice."""
    dx, dy = end.x - b.x, end.y - b.y
    n = max(abs(dx), abs(dy))
    if dx * dx + dy * dy > limit * limit:
        return False
    if 4 * (dx * dx + dy * dy) <= limit * limit:
        return True
    double = merged(r for ground in difficult if (r := line_over(b, end, ground)) is not None)
    more = extra_steps(n, double)
    return (dx * dx + dy * dy) * (n + more) ** 2 <= limit * limit * n * n
