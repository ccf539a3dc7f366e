"""Where ways cross water: bridges with parapets, fords with stepping stones in the stream, ferries with a boat."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise

from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.picture.lines import CROSSINGS, side_line, way_sample
from pbem.picture.paper import Paper, Point, element, number, polygon

__all__ = ["crossing_sample", "crossings", "draw_crossings"]

_INK = "#221507"
_BRIDGED = frozenset({"river", "small_river", "stream", "brook"})
"""The hexsides that a road crosses by a bridge, where the map doesn't say by what."""
_BROADEST = ("major_river", "river", "minor_river", "stream", "small_river", "brook", "creek")
_FLOWS = 10.0  # so far on both sides of the way a ford's water is drawn over it


@lru_cache(maxsize=4)
def crossings(board: Map) -> dict[tuple[Hex, Hex], str]:
    """The hexsides at which a way crosses water, each as its two hexes, and by what: bridge, ford or ferry."""
    bridged = _BRIDGED | {"bridge"}
    wet = not bridged.isdisjoint([*(course.kind for course in board.hexsides), *board.water.values()])
    ways = [road for road in board.roads if wet or road.kind in CROSSINGS]
    crossed = {(min(a, b), max(a, b)) for road in ways for a, b in pairwise(road.hexes)}
    found = {}
    for pair in sorted(crossed):
        if said := board.ways(*pair) & CROSSINGS:
            found[pair] = min(said)
        elif wet and board.side(*pair) & bridged:
            found[pair] = "bridge"
    return found


def draw_crossings(board: Map, paper: Paper) -> Iterator[str]:
    """Every crossing of the map, over the ways."""
    found: dict[str, list[tuple[Hex, Hex]]] = {}
    for pair, kind in crossings(board).items():
        found.setdefault(kind, []).append(pair)
    if parapets := "".join(
        _parapets(paper.centre(a), paper.centre(b), _half(board, a, b) + 3.5) for a, b in found.get("bridge", ())
    ):
        yield element("path", d=parapets, fill="none", stroke=_INK, stroke_width="3", stroke_linecap="round")
    for kind, shape in _SHAPES.items():
        pairs = found.get(kind, [])
        for water in _BROADEST:
            sides = [paper.side(*pair) for pair in pairs if _water(board, *pair) == water]
            yield from _flowing(water, sides)
        path = "".join(shape(paper.centre(a), paper.centre(b), _half(board, a, b)) for a, b in pairs)
        yield from _outlined(path)


def _water(board: Map, a: Hex, b: Hex) -> str:
    """The kind of water between two hexes; of several the broadest."""
    side = board.side(a, b)
    return next((kind for kind in _BROADEST if kind in side), "stream")


def _half(board: Map, a: Hex, b: Hex) -> float:
    """Half of how broad the water between two hexes is drawn, at least that of a brook."""
    return max(2.5, side_line(_water(board, a, b)).casing_width / 2)


def _flowing(kind: str, sides: list[tuple[Point, Point]]) -> Iterator[str]:
    """The water over the way that goes through it."""
    if sides:
        path = ""
        for one, other in sides:
            middle, part = one.towards(other, 0.5), _FLOWS / math.dist(one, other)
            start, end = middle.towards(one, 2 * part), middle.towards(other, 2 * part)
            path += f"M{number(start.x)} {number(start.y)}L{number(end.x)} {number(end.y)}"
        line = side_line(kind)
        yield element("path", d=path, fill="none", stroke=line.core, stroke_width=line.core_width)


def _outlined(path: str) -> Iterator[str]:
    if path:
        yield element("path", d=path, fill="#ffffff", stroke=_INK, stroke_width="1.5", stroke_linejoin="round")


def _parapets(start: Point, end: Point, long: float) -> str:
    """Path data beside the middle between two points, half so long on either side of it."""
    ux, uy = _towards(start, end)
    middle, path = start.towards(end, 0.5), ""
    for aside in (-6, 6):
        p = middle.by(-uy * aside - ux * long, ux * aside - uy * long)
        path += f"M{number(p.x)} {number(p.y)}l{number(2 * long * ux)} {number(2 * long * uy)}"
    return path


def _stones(start: Point, end: Point, half: float) -> str:
    """Path data of stepping stones from bank to bank."""
    ux, uy = _towards(start, end)
    middle, path = start.towards(end, 0.5), ""
    for i in (-1, 0, 1):
        at = middle.by(ux * i * (half + 2.2), uy * i * (half + 2.2))
        path += f"M{number(at.x - 3)} {number(at.y)}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z"
    return path


def _boat(start: Point, end: Point, half: float) -> str:
    """Path data of a flat boat under way from bank to bank."""
    ux, uy = _towards(start, end)
    middle, long = start.towards(end, 0.5), half + 5
    hull = [
        (-long, -3),
        (-long, 3),
        (-long + 4, 6),
        (long - 4, 6),
        (long, 3),
        (long, -3),
        (long - 4, -6),
        (-long + 4, -6),
    ]
    thwart = [(-2, -6), (-2, 6), (2, 6), (2, -6)]
    corners = ([middle.by(ux * x - uy * y, uy * x + ux * y) for x, y in line] for line in (hull, thwart))
    return "".join(map(polygon, corners))


def _towards(start: Point, end: Point) -> tuple[float, float]:
    far = math.dist(start, end)
    return (end.x - start.x) / far, (end.y - start.y) / far


_SHAPES: dict[str, Callable[[Point, Point, float], str]] = {"ford": _stones, "ferry": _boat}
"""What stands in the water where a way goes through it."""


def crossing_sample(kind: str, at: Point) -> str:
    """A crossing on a piece of road for the legend."""
    end = at.by(42, 0)
    if kind == "bridge":
        path = _parapets(at, end, 8)
        stone = element("path", d=path, fill="none", stroke=_INK, stroke_width="3", stroke_linecap="round")
        return way_sample("road", at) + stone
    water = _flowing("minor_river", [(at.by(21, -15), at.by(21, 15))])
    return way_sample("road", at) + "".join([*water, *_outlined(_SHAPES[kind](at, end, 4))])
