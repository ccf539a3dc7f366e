"""Hexes as packed integers: six constants lead to the neighbours; distance, lines and directions.

A hex is axial (q, r) packed into one int, r above q. In a pointy-top grid q grows to the east and r to the
south-east; in a flat-top grid q grows to the south-east and r to the south. So the same six steps serve both
layouts, and sorting hexes of a pointy-top grid reads them row by row from the north-west. Numbers such as
"0812" are a notation of the map (numbering.py), never used inside.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, NewType, Protocol, TypeVar

__all__ = [
    "STEPS",
    "ByHex",
    "Direction",
    "Hex",
    "OnDemand",
    "are_adjacent",
    "corner",
    "direction",
    "distance",
    "line",
    "neighbours",
    "opposite",
    "pack",
    "step",
    "unpack",
]

Hex = NewType("Hex", int)

_STRIDE = 1 << 12
_BIAS = 1 << 11  # q and r may lie in [-2048, 2047]
_MASK = _STRIDE - 1


V = TypeVar("V")
W = TypeVar("W", covariant=True)


class ByHex(Protocol[W]):
    """What each hex of a map has; it is looked up, never gone through."""

    def __getitem__(self, h: Hex, /) -> W: ...


class OnDemand(dict[Hex, V]):
    """What each hex has, by a function of a module and what it goes by: worked out when first asked for, to be handed
    on as a ByHex. A copy knows that function and works it out anew.
    """

    def __init__(self, work: Callable[..., V], *by: Any) -> None:
        self._work, self._by = work, by

    def __missing__(self, h: Hex) -> V:
        found = self[h] = self._work(*self._by, h)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return OnDemand, (self._work, *self._by)


class Direction(IntEnum):
    """The six directions, anticlockwise, named for a pointy-top grid (in a flat-top grid 30 degrees clockwise)."""

    EAST = 0
    NORTH_EAST = 1
    NORTH_WEST = 2
    WEST = 3
    SOUTH_WEST = 4
    SOUTH_EAST = 5


STEPS: tuple[int, ...] = (1, 1 - _STRIDE, -_STRIDE, -1, _STRIDE - 1, _STRIDE)
_DIRECTIONS = {offset: Direction(i) for i, offset in enumerate(STEPS)}
_EAST, _NORTH_EAST, _NORTH_WEST, _WEST, _SOUTH_WEST, _SOUTH_EAST = STEPS


def pack(q: int, r: int) -> Hex:
    """The hex at axial (q, r), each in [-2048, 2047]."""
    return Hex(((r + _BIAS) << 12) + q + _BIAS)


def unpack(h: Hex) -> tuple[int, int]:
    """Axial (q, r) of a hex."""
    return (h & _MASK) - _BIAS, (h >> 12) - _BIAS


def neighbours(h: Hex) -> tuple[Hex, Hex, Hex, Hex, Hex, Hex]:
    """The six adjacent hexes in the order of Direction, whether a map has them or not."""
    return (  # type: ignore[return-value]  # Hex(...) six times would cost more than all the rest
        h + _EAST,
        h + _NORTH_EAST,
        h + _NORTH_WEST,
        h + _WEST,
        h + _SOUTH_WEST,
        h + _SOUTH_EAST,
    )


def step(h: Hex, towards: Direction) -> Hex:
    """The adjacent hex in one direction."""
    return Hex(h + STEPS[towards])


def are_adjacent(a: Hex, b: Hex) -> bool:
    """True when the two hexes share a side."""
    return b - a in _DIRECTIONS


def direction(a: Hex, b: Hex) -> Direction | None:
    """The direction from a to the adjacent hex b; None when they aren't adjacent."""
    return _DIRECTIONS.get(b - a)


def opposite(d: Direction) -> Direction:
    """The reverse direction."""
    return Direction((d + 3) % 6)


def distance(a: Hex, b: Hex) -> int:
    """Steps from a to b over open ground; 0 for the same hex."""
    dq = (b & _MASK) - (a & _MASK)
    dr = (b >> 12) - (a >> 12)
    if (dq < 0) == (dr < 0):
        return abs(dq + dr)
    return max(abs(dq), abs(dr))


def line(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """The hexes under the straight line from a to b, both ends included, each adjacent to the one before.

    Where the line runs along a hexside the same hex is taken from both ends: line(b, a) is line(a, b) reversed.
    """
    length = distance(a, b)
    if length == 0:
        return (a,)
    (aq, ar), (bq, br) = unpack(a), unpack(b)
    return tuple(_rounded(aq * (length - i) + bq * i, ar * (length - i) + br * i, length) for i in range(length + 1))


def _rounded(q: int, r: int, parts: int) -> Hex:
    """The hex nearest to the point (q/parts, r/parts), a hair off so that no point lies on a side."""
    scale = 1000 * parts
    cube = [1000 * q + 1, 1000 * r + 2, -1000 * (q + r) - 3]
    near = [(2 * x + scale) // (2 * scale) for x in cube]
    off = [abs(n * scale - x) for n, x in zip(near, cube, strict=True)]
    worst = off.index(max(off))
    near[worst] -= sum(near)
    return pack(near[0], near[1])


def corner(a: Hex, b: Hex, c: Hex) -> frozenset[Hex] | None:
    """The vertex where three hexes meet, as the set of the three; None when they don't meet in one point."""
    meet = are_adjacent(a, b) and are_adjacent(b, c) and are_adjacent(a, c)
    return frozenset((a, b, c)) if meet else None
