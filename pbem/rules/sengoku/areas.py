"""Areas: sets of hexes as whole numbers, a bit for each hex, so that they are joined, cut and moved at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TypeAlias

from pbem.maps.hexes import STEPS, ByHex, Hex, pack, unpack
from pbem.records import NamedTuple

__all__ = [
    "Area", "Grid", "Leads", "area_of", "far_from", "grid_of", "hexes_in", "leads_of", "rings", "touched", "within",
]  # fmt: skip

Area: TypeAlias = int
"""A set of hexes: `a | b` has those of both, `a & b` what they share, `a & ~b` what b hasn't; 0 has none."""

Step: TypeAlias = tuple[Hex, Hex]
"""From one hex to an adjacent one."""


class Grid(NamedTuple):
    """How hexes are numbered: `bit` has the area of each alone, `hexes` those of the bits in order, `wide` in a row.

    A row is one wider than the map, so that no step leads from its end to the beginning of the next.
    """

    bit: Mapping[Hex, Area]
    hexes: Sequence[Hex]
    wide: int


def grid_of(hexes: Sequence[Hex]) -> Grid:
    """The grid of the hexes of a map."""
    cells = [unpack(h) for h in hexes]
    west, north = (min((cell[i] for cell in cells), default=0) for i in (0, 1))
    east, south = (max((cell[i] for cell in cells), default=0) for i in (0, 1))
    every = [pack(q, r) for r in range(north, south + 1) for q in range(west, east + 2)]
    place = {h: i for i, h in enumerate(every)}
    return Grid({h: 1 << place[h] for h in hexes}, every, east - west + 2)


def area_of(by: ByHex[Area], hexes: Iterable[Hex]) -> Area:
    """The area that hexes make, each with what it has: by the `bit` of a grid itself alone."""
    return reduce(or_, map(by.__getitem__, hexes), 0)


def hexes_in(grid: Grid, area: Area) -> Iterator[Hex]:
    """The hexes of an area, row by row."""
    hexes = grid.hexes
    while area:
        lowest = area & -area
        yield hexes[lowest.bit_length() - 1]
        area ^= lowest


class Leads(NamedTuple):
    """How steps move an area.

    ways   for each direction by how many bits a step moves an area, and the hexes that it enters by land and by river
    enter  points -> the hexes that a step enters for them;  every: all of these
    river  the points that a river costs besides
    """

    ways: Sequence[tuple[int, Area, Area]]
    enter: Sequence[tuple[int, Area]]
    every: Area
    river: int


def leads_of(grid: Grid, enter: Mapping[Hex, int], closed: Iterable[Step], rivers: Iterable[Step], river: int) -> Leads:
    """The steps between adjacent hexes into those that have points, but for those that are closed."""
    bit, wide, by_price = grid.bit, grid.wide, dict[int, Area]()
    for h, price in enter.items():
        by_price[price] = by_price.get(price, 0) | bit[h]
    shift = dict(zip(STEPS, (1, 1 - wide, -wide, -1, wide - 1, wide), strict=True))
    wet, shut = dict.fromkeys(shift.values(), 0), dict.fromkeys(shift.values(), 0)
    for steps, found in ((rivers, wet), (closed, shut)):
        for here, there in steps:
            found[shift[there - here]] |= bit[there]
    every = reduce(or_, by_price.values(), 0)
    ways = [(by, every & ~(wet[by] | shut[by]), wet[by] & ~shut[by]) for by in shift.values()]
    return Leads(ways, sorted(by_price.items()), every, river)


def rings(leads: Leads, begin: Area, most: int, shut: Area = 0, toll: Area = 0) -> Iterator[Area]:
    """The hexes to which the cheapest ways from an area over hexes that aren't shut cost 0, 1, 2 ... points.

    At most `most` points, and no more rings behind the last hex. A step into a hex of the `toll` costs a point more,
    one out of it too.
    """
    ahead, free, points, (ways, enter, _, river) = {0: begin}, ~shut | begin, 0, leads
    if toll:
        enter = [
            *((price, area & ~toll) for price, area in enter),
            *((price + 1, area & toll) for price, area in enter),
        ]
    while ahead:
        ring = ahead.pop(points, 0) & free
        yield ring
        free &= ~ring
        for part, spent in ((ring & ~toll, points), (ring & toll, points + 1)):
            if part:
                land, wet = _moved(ways, part, free)
                for price, area in enter:
                    for moved, far in ((land, spent + price), (wet, spent + price + river)):
                        if far <= most and (reached := moved & area):
                            ahead[far] = ahead.get(far, 0) | reached
        points += 1


def far_from(grid: Grid, leads: Leads, begin: Mapping[Hex, int], shut: Area) -> dict[Hex, int]:
    """The points of the cheapest way over hexes that aren't shut to each hex, from one of those that begin with some.

    Hexes to which no way leads aren't in it.
    """
    starts, ahead, found = dict[int, Area](), dict[int, Area](), dict[Hex, int]()
    for h, points in begin.items():
        starts[points] = starts.get(points, 0) | grid.bit[h]
    free, points = -1, min(starts, default=0)
    while starts or ahead:
        ring = (ahead.pop(points, 0) & ~shut | starts.pop(points, 0)) & free
        free &= ~ring
        found |= dict.fromkeys(hexes_in(grid, ring), points)
        land, wet = _moved(leads.ways, ring, free & ~shut) if ring else (0, 0)
        for price, area in leads.enter:
            for moved, far in ((land, points + price), (wet, points + price + leads.river)):
                if reached := moved & area:
                    ahead[far] = ahead.get(far, 0) | reached
        points += 1
    return found


def _moved(ways: Sequence[tuple[int, Area, Area]], area: Area, free: Area) -> tuple[Area, Area]:
    """The free hexes into which steps lead from those of an area: by land, and by river."""
    land = wet = 0
    for by, dry, across in ways:
        moved = area << by if by > 0 else area >> -by
        land |= moved & dry
        wet |= moved & across
    return land & free, wet & free


def within(leads: Leads, begin: Area, most: int, shut: Area) -> Area:
    """The hexes to which ways of `most` points lead from those of an area over hexes that aren't shut."""
    (ways, enter, _, river), free = leads, ~shut | begin
    found, land, wet = begin, list[Area](), list[Area]()
    for points in range(1, most + 1):
        dry = across = 0
        for by, over_land, over_river in ways:  # as in `_moved`: most of random play's lines is spent here
            moved = (found << by if by > 0 else found >> -by) & free
            dry |= moved & over_land
            across |= moved & over_river
        land.append(dry)
        wet.append(across)
        for price, area in enter:
            if price <= points:
                found |= land[points - price] & area
            if price + river <= points:
                found |= wet[points - price - river] & area
    return found


def touched(leads: Leads, area: Area) -> Area:
    """The hexes of an area and those into which a step leads from them, as far as they can be entered."""
    land, wet = _moved(leads.ways, area, leads.every)
    return land | wet | area & leads.every
