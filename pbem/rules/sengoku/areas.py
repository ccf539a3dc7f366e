"""Areas: sets of hexes as whole numbers, a bit for each hex, so that they are joined, cut and moved at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pbem.maps.hexes import ByHex, Hex, pack, unpack

__all__ = ["Area", "Grid", "Leads", "area_of", "grid_of", "hexes_in", "leads_of", "within"]

Area: TypeAlias = int
"""A set of hexes: `a | b` has those of both, `a & b` what they share, `a & ~b` what b hasn't; 0 has none."""

Leads: TypeAlias = Sequence[tuple[int, Sequence[tuple[int, Area]]]]
"""For each direction by how many bits a step in it moves an area, and points -> the hexes that it enters for them."""


class Grid(NamedTuple):
    """How hexes are numbered: `bit` has the area of each alone, the first that of (west, north), `wide` in a row.

    A row is one wider than the map, so that no step leads from its end to the beginning of the next.
    """

    bit: Mapping[Hex, Area]
    west: int
    north: int
    wide: int


def grid_of(hexes: Sequence[Hex]) -> Grid:
    """The grid of the hexes of a map."""
    cells = {h: unpack(h) for h in hexes}
    west, north = (min((cell[i] for cell in cells.values()), default=0) for i in (0, 1))
    wide = max((q for q, _ in cells.values()), default=0) - west + 2
    return Grid({h: 1 << (r - north) * wide + q - west for h, (q, r) in cells.items()}, west, north, wide)


def area_of(by: ByHex[Area], hexes: Iterable[Hex]) -> Area:
    """The area that hexes make, each with what it has: by the `bit` of a grid itself alone."""
    found = 0
    for h in hexes:
        found |= by[h]
    return found


def hexes_in(grid: Grid, area: Area) -> Iterator[Hex]:
    """The hexes of an area, row by row."""
    _, west, north, wide = grid
    while area:
        lowest = area & -area
        r, q = divmod(lowest.bit_length() - 1, wide)
        yield pack(q + west, r + north)
        area ^= lowest


def leads_of(grid: Grid, steps: ByHex[Mapping[Hex, int]]) -> Leads:
    """All steps between hexes of a grid, as areas are moved by them."""
    bit, found = grid.bit, dict[int, dict[int, Area]]()
    for here in bit:
        for h, points in steps[here].items():
            into = found.setdefault(bit[h].bit_length() - bit[here].bit_length(), {})
            into[points] = into.get(points, 0) | bit[h]
    return [(by, [*into.items()]) for by, into in found.items()]


def within(leads: Leads, begin: Area, most: int, shut: Area) -> Area:
    """The hexes to which ways of `most` points lead from those of an area over hexes that aren't shut."""
    found, free, left = 0, ~shut | begin, [0] * most + [begin]  # points left -> hexes
    for points in range(most, 0, -1):
        fresh = left[points] & free
        if fresh:
            found |= fresh
            free &= ~fresh
            for by, into in leads:
                moved = fresh << by if by > 0 else fresh >> -by
                for price, area in into:
                    if price <= points:
                        left[points - price] |= moved & area
    return found | left[0] & free
