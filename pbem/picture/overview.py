"""A whole map at a glance: provinces, coasts, rivers, castles by name, who stands where, and what parts show of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.maps.hexes import Hex, neighbours, unpack
from pbem.maps.map import Map
from pbem.picture.counters import colours_of
from pbem.picture.lines import region_borders
from pbem.picture.paper import MARGIN, Box, Paper, Point, broken, element, number, polygon, text, width_of
from pbem.picture.svg import page, sheet
from pbem.picture.terrain import look_of, outlines
from pbem.picture.views import Scene

__all__ = ["LARGE", "overview"]

LARGE = 1200
"""From so many hexes in play on a map has an overview: whole, its numbers would be too small to be read."""
_WIDE = 1100  # as it is shown
_NAME, _REGION = 34.0, 44.0  # letters, on a map of 60 columns about 10 and 13 pixels high
_DOT = 15.0  # half of a castle's side
_WATER, _LAND, _SHORE, _RIVER, _BORDER = "#a0c4df", "#f2ecd4", "#24506f", "#3573a8", "#7d2a55"
_FLOWER = 7  # a sign for so many hexes
_SIGN = 2.2  # times as large as in the hexes
_TIDES = "M-26 -4q8 -9 16 0t16 0t16 0"


def overview(scene: Scene, title: str, parts: Sequence[Box] = (), *, plain: bool = False) -> str:
    """The map as SVG text; `parts` are windows on it, which get a frame and the number of their picture.

    A `plain` one tells land from water alone, so that little is left of it as PNG.
    """
    board, paper = scene.board, Paper(scene.board)
    frame = Box(0, paper.top - MARGIN, paper.width, paper.bottom + MARGIN)
    drawn = [
        sheet("100%", frame),
        *(_land(board, paper) if plain else _ground(board, paper)),
        *_courses(board, paper),
        *_castles(scene, paper),
        *_standing(scene, paper),
        element("g", [*_names(scene, paper)], text_anchor="middle"),
        *_frames(parts),
    ]
    return page(title, frame, drawn, _WIDE)


def _ground(board: Map, paper: Paper) -> Iterator[str]:
    """Each kind of ground as one surface; a large sign for every seven hexes of it, so that grey tells it too."""
    yield element("path", d="".join(map(polygon, outlines(board.water, paper))), fill=_WATER)
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


def _land(board: Map, paper: Paper) -> Iterator[str]:
    """Water and land, each as one surface."""
    for hexes, fill in ((board.water, _WATER), (board.hexes, _LAND)):
        yield element("path", d="".join(map(polygon, outlines(hexes, paper))), fill=fill)


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
    """Borders of provinces, shores, lakes as narrow as a hexside, rivers, roads over bridges and the bridges."""
    line = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    borders = "".join(map(broken, region_borders(board, paper)))
    yield element("path", d=borders, **line, stroke=_BORDER, stroke_width="6", stroke_dasharray="1 13")
    shores = [broken(paper.side(h, n)) for h in sorted(board.water) for n in neighbours(h) if n in board]
    yield element("path", d="".join(shores), **line, stroke=_SHORE, stroke_width="7")
    wide = {"lake": "26", "sea": "26"}
    for course in board.hexsides:
        if course.kind != "line":
            path = "".join(broken(paper.side(*pair)) for pair in course.sides)
            yield element("path", d=path, **line, stroke=_RIVER, stroke_width=wide.get(course.kind, "9"))
    for road in board.roads:
        path = broken([paper.centre(h) for h in road.hexes])
        yield element("path", d=path, **line, stroke="#5a3c17", stroke_width="14" if road.kind == "bridge" else "5")


def _castles(scene: Scene, paper: Paper) -> Iterator[str]:
    """A square at each castle, in the colour of who holds it where that is told."""
    for h in sorted(scene.board.signs):
        held, at = scene.held.get(h), paper.centre(h)
        fill = colours_of(held, scene.sides).card if held else "#ffffff" if h in scene.held else "#111111"
        corner = {"x": number(at.x - _DOT), "y": number(at.y - _DOT)}
        size = {"width": number(2 * _DOT), "height": number(2 * _DOT)}
        yield element("rect", **corner, **size, fill=fill, stroke="#111111", stroke_width="7")


def _standing(scene: Scene, paper: Paper) -> Iterator[str]:
    """A disc for each side that has units in a hex."""
    for side, h in sorted({(unit.side, unit.at) for unit in scene.units if unit.at in scene.board}):
        at = paper.centre(h).by(-14 + 28 * scene.sides.index(side), 24)
        colours = colours_of(side, scene.sides)
        centre = {"cx": number(at.x), "cy": number(at.y)}
        yield element("circle", **centre, r="16", fill=colours.card, stroke=colours.ink, stroke_width="5")


def _names(scene: Scene, paper: Paper) -> Iterator[str]:
    """Castles by name, each beside its dot, then provinces, each where it covers least."""
    board = scene.board
    taken = [Box(p.x - 22, p.y - 22, p.x + 22, p.y + 22) for p in map(paper.centre, sorted(board.signs))]
    for h in sorted(board.signs):
        words = board.place_names[h]
        spots = _beside(paper.centre(h), width_of(words, _NAME, bold=True))
        at, box = _best(spots, words, _NAME, taken, paper.width)
        taken.append(box)
        yield text(at, words, _NAME, halo="#fffdf2", fill="#1c160a", font_weight="bold")
    for name, hexes, ink in sorted(_areas(board), key=lambda one: (len(one[1]), one[0])):  # those with least room first
        centres = [paper.centre(h) for h in hexes]
        middle = Point(sum(p.x for p in centres) / len(centres), sum(p.y for p in centres) / len(centres))
        spots = sorted(centres, key=lambda p: ((p.x - middle.x) ** 2 + (p.y - middle.y) ** 2, p))
        at, box = _best([p.by(0, _REGION / 3) for p in spots], name, _REGION, taken, paper.width)
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


def _best(spots: Sequence[Point], words: str, size: float, taken: Sequence[Box], width: float) -> tuple[Point, Box]:
    """The first of the spots at which a name on the paper covers the least, and what it covers there."""
    half = width_of(words, size, bold=True) / 2
    boxes = [Box(at.x - half, at.y - 0.8 * size, at.x + half, at.y + 0.25 * size) for at in spots]
    costs = [
        sum(box.overlap(other) for other in taken) + 1e6 * (box.left < 4 or box.right > width - 4) for box in boxes
    ]
    best = costs.index(min(costs))
    return spots[best], boxes[best]


def _frames(parts: Sequence[Box]) -> Iterator[str]:
    """The windows of the other pictures, numbered as these are."""
    for i, box in enumerate(parts, 1):
        size = {"width": number(box.width), "height": number(box.height)}
        at = {"x": number(box.left), "y": number(box.top)}
        yield element("rect", **at, **size, fill="none", stroke="#111111", stroke_width="9")
        words = text(Point(box.left + 30, box.top + 58), str(i), 56, halo="#ffffff", font_weight="bold", fill="#111111")
        yield element("g", words, text_anchor="middle")
