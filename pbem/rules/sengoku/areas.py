"""Areas: sets of hexes as whole numbers, a bit for each hex, so that they are joined, cut and moved at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pbem.maps.hexes import ByHex, Hex, pack, unpack

__all__ = ["Area", "Grid", "Leads", "area_of", "dearer", "grid_of", "hexes_in", "leads_of", "rings", "within"]

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


def dearer(leads: Leads, toll: Area) -> Leads:
    """The same steps, those into the hexes of an area a point dearer."""

    def split(into: Iterable[tuple[int, Area]]) -> list[tuple[int, Area]]:
        parts = ((points + more, area & part) for points, area in into for more, part in ((0, ~toll), (1, toll)))
        return [(points, area) for points, area in parts if area]

    return [(by, split(into)) for by, into in leads] if toll else leads


def rings(leads: Leads, begin: Area, most: int, shut: Area = 0, toll: Area = 0) -> Iterator[Area]:
    """The hexes to which the cheapest ways from an area over hexes that aren't shut cost 0, 1, 2 ... points.

    At most `most` points, and no more rings behind the last hex. A step out of a hex of the `toll` costs a point more.
    """
    ahead, free, points = {0: begin}, ~shut | begin, 0
    while ahead:
        ring = ahead.pop(points, 0) & free
        yield ring
        free &= ~ring
        for part, more in ((ring & ~toll, points), (ring & toll, points + 1)):
            for by, into in leads if part else ():
                moved = (part << by if by > 0 else part >> -by) & free
                for price, area in into:
                    if more + price <= most and (reached := moved & area):
                        ahead[more + price] = ahead.get(more + price, 0) | reached
        points += 1


def within(leads: Leads, begin: Area, most: int, shut: Area) -> Area:
    """The hexes to which ways of `most` points lead from those of an area over hexes that aren't shut."""
    found = 0
    for ring in rings(leads, begin, most, shut):
        found |= ring
    return found
