"""What a whole map at a glance shows in each of its pictures: regions, coasts, rivers, ways, and names of places."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from pbem.maps.hexes import Hex, neighbours, unpack
from pbem.maps.map import Map
from pbem.picture.crossings import crossings
from pbem.picture.lines import region_borders
from pbem.picture.paper import Box, Paper, Point, broken, element, number, polygon, text, width_of
from pbem.picture.terrain import look_of, outlines
from pbem.records import NamedTuple

__all__ = ["LAND", "LARGE", "WATER", "Glance", "glance", "least_covered"]

LARGE = 1200
"""From so many hexes in play on a map has an overview: whole, its numbers would be too small to be read."""
WATER, LAND = "#a0c4df", "#f2ecd4"
_NAME, _REGION = 34.0, 44.0  # letters, on a map of 60 columns about 10 and 13 pixels high
_SHORE, _RIVER, _BORDER = "#24506f", "#3573a8", "#7d2a55"
_FLOWER = 7  # a sign for so many hexes
_SIGN = 2.2  # times as large as in the hexes
_BROAD = {"lake": "26", "sea": "26", "creek": "4", "major_river": "18"}
_WAY = "#5a3c17"
_WIDE = {"road": "5", "pike": "9", "railroad": "9", "bridge": "14"}
"""How broad ways are, from the paper up."""
_TIDES = "M-26 -4q8 -9 16 0t16 0t16 0"


class Glance(NamedTuple):
    """What never changes of a map at a glance, as SVG text: its ground, the courses over it, and over all the names."""

    ground: str
    courses: str
    names: str


def glance(board: Map, paper: Paper) -> Glance:
    """The map at a glance without anybody on it."""
    names = element("g", [*_names(board, paper)], text_anchor="middle")
    return Glance("\n".join(_ground(board, paper)), "\n".join(_courses(board, paper)), names)


def _ground(board: Map, paper: Paper) -> Iterator[str]:
    """Each kind of ground as one surface; a large sign for every seven hexes of it, so that grey tells it too."""
    yield element("path", d="".join(map(polygon, outlines(board.water, paper))), fill=WATER)
    waves = [h for h in sorted(board.water) if _chosen(h)]
    yield _signs("#3f6f96", [(_TIDES, paper.centre(h)) for h in waves])
    looks: dict[frozenset[str], list[Hex]] = {}
    roads = {road.kind for road in board.roads}
    for h in board.hexes:
        looks.setdefault(board.terrain[h] - roads, []).append(h)
    for features, hexes in looks.items():
        look = look_of(features)
        yield element("path", d="".join(map(polygon, outlines(hexes, paper))), fill=look.fill)
        if look.mark is not None:
            sign = look.mark(Point(0, 0))
            yield _signs(look.ink, [(sign, paper.centre(h)) for h in hexes if _chosen(h)])


def _chosen(h: Hex) -> bool:
    """One hex of each seven, all as far from each other."""
    q, r = unpack(h)
    return (q - 2 * r) % _FLOWER == 0


def _signs(ink: str, signs: Iterable[tuple[str, Point]]) -> str:
    drawn = [
        element("path", d=sign, transform=f"translate({number(at.x)} {number(at.y)}) scale({_SIGN})")
        for sign, at in signs
    ]
    return element("g", drawn, fill="none", stroke=ink, stroke_width="2.2", stroke_opacity="0.55")


def _courses(board: Map, paper: Paper) -> Iterator[str]:
    """Borders of regions, shores, lakes as narrow as a hexside, rivers, ways, and where these cross a river."""
    line = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    borders = "".join(map(broken, region_borders(board, paper)))
    yield element("path", d=borders, **line, stroke=_BORDER, stroke_width="6", stroke_dasharray="1 13")
    shores = [broken(paper.side(h, n)) for h in sorted(board.water) for n in neighbours(h) if n in board]
    yield element("path", d="".join(shores), **line, stroke=_SHORE, stroke_width="7")
    for course in board.hexsides:
        if course.kind != "line":
            path = "".join(broken(paper.side(*pair)) for pair in course.sides)
            yield element("path", d=path, **line, stroke=_RIVER, stroke_width=_BROAD.get(course.kind, "9"))
    for kind, width in _WIDE.items():
        path = "".join(
            broken([paper.centre(h) for h in road.hexes]) for road in board.roads if _drawn(road.kind) == kind
        )
        if path:
            yield element("path", d=path, **line, stroke=_WAY, stroke_width=width)
        if path and kind == "railroad":
            yield element("path", d=path, fill="none", stroke="#ffffff", stroke_width="4", stroke_dasharray="16 16")
    waded = [pair for pair, kind in crossings(board).items() if kind in ("ford", "ferry")]
    for one, other in (paper.side(*pair) for pair in waded):
        at = one.towards(other, 0.5)
        centre = {"cx": number(at.x), "cy": number(at.y)}
        yield element("circle", **centre, r="10", fill="#ffffff", stroke=_WAY, stroke_width="5")


def _drawn(kind: str) -> str:
    """A kind of way as it is drawn; nothing for one that is only a sign at a river."""
    return "" if kind in ("ford", "ferry") else kind if kind in _WIDE else "road"


def _names(board: Map, paper: Paper) -> Iterator[str]:
    """Castles by name, each beside its dot, then provinces, each where it covers least."""
    taken = [Box(p.x - 22, p.y - 22, p.x + 22, p.y + 22) for p in map(paper.centre, sorted(board.signs))]
    for h in sorted(board.signs):
        words = board.place_names[h]
        spots = _beside(paper.centre(h), width_of(words, _NAME, bold=True))
        at, box = least_covered(spots, words, _NAME, taken, paper.width)
        taken.append(box)
        yield text(at, words, _NAME, halo="#fffdf2", fill="#1c160a", font_weight="bold")
    for name, hexes, ink in sorted(_areas(board), key=lambda one: (len(one[1]), one[0])):  # those with least room first
        centres = [paper.centre(h) for h in hexes]
        middle = Point(sum(p.x for p in centres) / len(centres), sum(p.y for p in centres) / len(centres))
        spots = sorted(centres, key=lambda p: ((p.x - middle.x) ** 2 + (p.y - middle.y) ** 2, p))
        at, box = least_covered([p.by(0, _REGION / 3) for p in spots], name, _REGION, taken, paper.width)
        taken.append(box)
        yield text(at, name, _REGION, halo="#fffdf2", font_style="italic", font_weight="bold", fill=ink)


def _areas(board: Map) -> Iterator[tuple[str, list[Hex], str]]:
    """Provinces, and the lakes that have a name where they are as narrow as a hexside: name, hexes, colour."""
    for name, hexes in board.regions.items():
        yield name, [*hexes], _BORDER
    for course in board.hexsides:
        if waters := sorted(h for h, kind in board.water.items() if kind == course.kind):
            yield course.name, waters, _SHORE


def _beside(at: Point, wide: float) -> list[Point]:
    """Where a castle's name may stand: right, left, above, below, and at the corners."""
    aside, up, down, level = wide / 2 + 26, -30.0, 54.0, _NAME / 3
    level_with = [at.by(x, level) for x in (aside, -aside)]
    return [*level_with, at.by(0, up), at.by(0, down), *(at.by(x, y) for x in (aside, -aside) for y in (up, down))]


def least_covered(
    spots: Sequence[Point], words: str, size: float, taken: Sequence[Box], width: float, wider: float = 1.0
) -> tuple[Point, Box]:
    """The first of the spots at which a name on the paper covers the least, and what it covers there.

    It stays on the paper in a font, too, in which it is so many times `wider`.
    """
    half, least = width_of(words, size, bold=True) / 2, math.inf
    best, covered = spots[0], Box(0, 0, 0, 0)
    for at in spots:
        box = Box(at.x - half, at.y - 0.8 * size, at.x + half, at.y + 0.25 * size)
        beyond = 1e6 * (at.x - half * wider < 4 or at.x + half * wider > width - 4)
        cost = beyond + sum(box.overlap(other) for other in taken)
        if cost < least:
            best, covered, least = at, box, cost
        if not cost:
            break
    return best, covered
