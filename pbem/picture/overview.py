"""A whole map at a glance: provinces, coasts, rivers, castles by name, who stands where, and what parts show of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.maps.map import Map
from pbem.picture.counters import colours_of
from pbem.picture.glance import LAND, WATER, Glance, glance
from pbem.picture.paper import MARGIN, Box, Paper, Point, element, number, paper_of, polygon, text
from pbem.picture.svg import page, sheet
from pbem.picture.terrain import outlines
from pbem.picture.views import Scene

__all__ = ["overview"]

_WIDE = 1100  # as it is shown
_DOT = 15.0  # half of a castle's side


def overview(
    scene: Scene, title: str, parts: Sequence[Box] = (), printed: Glance | None = None, *, plain: bool = False
) -> str:
    """The map as SVG text; `parts` are windows on it, which get a frame and the number of their picture.

    `printed` is what never changes of it, if that is drawn already. A `plain` one tells land from water alone, so that
    little is left of it as PNG.
    """
    board, paper = scene.board, paper_of(scene.board)
    printed = printed or glance(board, paper)
    frame = Box(0, paper.top - MARGIN, paper.width, paper.bottom + MARGIN)
    drawn = [
        sheet("100%", frame),
        *(_land(board, paper) if plain else [printed.ground]),
        printed.courses,
        *_castles(scene, paper),
        *_standing(scene, paper),
        printed.names,
        *_frames(parts),
    ]
    return page(title, frame, drawn, _WIDE)


def _land(board: Map, paper: Paper) -> Iterator[str]:
    """Water and land, each as one surface."""
    for hexes, fill in ((board.water, WATER), (board.hexes, LAND)):
        yield element("path", d="".join(map(polygon, outlines(hexes, paper))), fill=fill)


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


def _frames(parts: Sequence[Box]) -> Iterator[str]:
    """The windows of the other pictures, numbered as these are."""
    for i, box in enumerate(parts, 1):
        size = {"width": number(box.width), "height": number(box.height)}
        at = {"x": number(box.left), "y": number(box.top)}
        yield element("rect", **at, **size, fill="none", stroke="#111111", stroke_width="9")
        words = text(Point(box.left + 30, box.top + 58), str(i), 56, halo="#ffffff", font_weight="bold", fill="#111111")
        yield element("g", words, text_anchor="middle")
