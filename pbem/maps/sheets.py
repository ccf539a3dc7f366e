"""A map cut to one of its sheets, for games that are played on that alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby

from pbem.errors import Defect, shown
from pbem.maps.courses import Road
from pbem.maps.hexes import Hex
from pbem.maps.mapfile import Drawing

__all__ = ["cut"]


def cut(drawing: Drawing, sheet: str) -> tuple[Drawing, list[Defect]]:
    """What of a drawing lies on the sheet with this prefix, called by that sheet's numbers; all of it with a defect.

    The hexes that the sheet's edges halve are whole ones. Roads and rivers end at the edge. Numbers of other sheets
    are still read, and those of this one without their prefix, too.
    """
    numbering = drawing.numbering
    known = [one.prefix for one in numbering.sheets]
    if sheet not in known:
        right = f"sheets are {', '.join(known)}" if any(known) else "the map has no sheets: leave it out"
        return drawing, [Defect("sheet", f"there is no sheet {shown(sheet)}", right)]
    own = numbering.sheets[known.index(sheet)]
    others = [one for one in numbering.sheets if one != own]
    bare = [] if "" in known else [own._replace(prefix="")]
    numbering, cells = numbering._replace(sheets=(own, *others, *bare)), drawing.cells

    @cache
    def on(h: Hex) -> bool:
        return numbering.has(own, cells.get(h) or numbering.cell_of(h))

    def hexes_on(named: Mapping[str, tuple[Hex, ...]]) -> dict[str, tuple[Hex, ...]]:
        kept = {name: tuple(filter(on, hexes)) for name, hexes in named.items()}
        return {name: hexes for name, hexes in kept.items() if hexes}

    terrain = {h: features for h, features in drawing.terrain.items() if on(h)}
    if not terrain:
        return drawing, [Defect("sheet", f"no hex of sheet {sheet} is in play", "name another sheet")]
    sides = [
        river._replace(sides=tuple(pair for pair in river.sides if all(map(on, pair)))) for river in drawing.hexsides
    ]
    regions = hexes_on(drawing.regions)
    return drawing._replace(
        numbering=numbering,
        terrain=terrain,
        numbers={h: numbering.label_of(cells[h]) for h in drawing.numbers if h in terrain},
        water={h: kind for h, kind in drawing.water.items() if on(h)},
        roads=tuple(stretch for road in drawing.roads for stretch in _stretches(road, terrain)),
        hexsides=tuple(river for river in sides if river.sides),
        places={name: h for name, h in drawing.places.items() if on(h)},
        areas=hexes_on(drawing.areas),
        victory=hexes_on(drawing.victory),
        entries=hexes_on(drawing.entries),
        signs={h: sign for h, sign in drawing.signs.items() if on(h)},
        regions=regions,
        apart=drawing.apart & regions.keys(),
        sheet=sheet,
        beyond=frozenset(drawing.terrain.keys() - terrain.keys()),
    ), []


def _stretches(road: Road, terrain: Mapping[Hex, object]) -> Iterator[Road]:
    """The stretches of a road that lie in these hexes."""
    for kept, run in groupby(road.hexes, terrain.__contains__):
        hexes = tuple(run)
        if kept and len(hexes) > 1:
            yield road._replace(hexes=hexes)
