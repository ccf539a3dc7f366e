"""Arrows: the moves, paler what is older, and where a side enters the map."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise

from pbem.language import say
from pbem.maps.hexes import neighbours
from pbem.picture.counters import COUNTER, Colours, colours_of
from pbem.picture.paper import RADIUS, Box, Paper, Point, element, polygon, rounded
from pbem.picture.views import MoveView, Scene

__all__ = [
    "PALER",
    "arrow_head",
    "draw_arrows",
    "draw_entries",
    "draw_moves",
    "entry_arrow",
    "entry_boxes",
    "head_boxes",
    "move_arrow",
    "paler",
    "trail",
]

PALER = "0.45"
_MANY = 10  # of more arrows each line is thin
_FAT, _THIN = ("12", "8", "5"), ("7", "4.6", "2.6")  # widths of a line: its white edge, its outline, its core
_HEAD = 19.0  # length of a head
_STEP = 12.0  # an arrow covers about so much at each of its points


def paler(marks: Iterable[str], opacity: str = PALER) -> Iterator[str]:
    """Marks of what happened earlier, one on the other without becoming darker."""
    if drawn := "".join(marks):
        yield element("g", drawn, opacity=opacity)


def draw_moves(moves: Iterable[MoveView], paper: Paper, sides: tuple[str, ...]) -> Iterator[str]:
    """An arrow along each move; heads last, so that no other arrow's line hides one."""
    yield from draw_arrows([(_points(move, paper), colours_of(move.side, sides)) for move in moves if move.path[1:]])


def draw_arrows(arrows: Sequence[tuple[list[Point], Colours]]) -> Iterator[str]:
    """An arrow along points in the colours of its side; of many each is thin, and heads come last."""
    thin = len(arrows) > _MANY
    yield from (_shaft(points, colours, thin=thin) for points, colours in arrows)
    yield from (_head(points, colours) for points, colours in arrows)


def move_arrow(points: list[Point], colours: Colours) -> str:
    """An arrow along points, its tip at the last one."""
    return _shaft(points, colours) + _head(points, colours)


def _shaft(points: list[Point], colours: Colours, *, thin: bool = False) -> str:
    course = {"d": rounded([*points[:-1], points[-1].at(_angle(points) + 180, 10)]), "fill": "none"}
    looks = zip(("#ffffff", "#111111", colours.card), _THIN if thin else _FAT, strict=True)
    lines = (
        element("path", **course, stroke_linecap="round", stroke=colour, stroke_width=wide) for colour, wide in looks
    )
    return "".join(lines)


def _head(points: list[Point], colours: Colours) -> str:
    return arrow_head(points[-1], _angle(points), _HEAD, colours)


def _angle(points: list[Point]) -> float:
    """Where an arrow points, in degrees."""
    return math.degrees(math.atan2(points[-1].y - points[-2].y, points[-1].x - points[-2].x))


def _points(move: MoveView, paper: Paper) -> list[Point]:
    """Centre to centre, the last point at the edge of the counter."""
    points = [paper.centre(h).by(0, 4) for h in move.path]
    end, before = points[-1], points[-2]
    part = (COUNTER / 2 + 1) / max(abs(end.x - before.x), abs(end.y - before.y))
    return [*points[:-1], end.towards(before, part)]


def trail(move: MoveView, paper: Paper) -> Iterator[Box]:
    """What an arrow covers, step by step."""
    points = _points(move, paper) if len(move.path) > 1 else []
    for a, b in pairwise(points):
        parts = max(1, int(math.dist(a, b) // _STEP))
        for part in range(parts + 1):
            x, y = a.towards(b, part / parts)
            yield Box(x - _STEP / 2, y - _STEP / 2, x + _STEP / 2, y + _STEP / 2)


def head_boxes(moves: Iterable[MoveView], paper: Paper) -> Iterator[Box]:
    """What the heads of arrows cover."""
    for move in moves:
        if len(move.path) > 1:
            points = _points(move, paper)
            x, y = points[-1].at(_angle(points) + 180, _HEAD / 2)
            yield Box(x - _HEAD / 2, y - _HEAD / 2, x + _HEAD / 2, y + _HEAD / 2)


def draw_entries(scene: Scene, paper: Paper) -> Iterator[str]:
    """An arrow from beyond the edge into each hex by which a side enters."""
    for side, tip, angle in _entries(scene, paper):
        yield entry_arrow(tip, angle, colours_of(side, scene.sides), say("%(side)s enters", side=scene.called(side)))


def _entries(scene: Scene, paper: Paper) -> Iterator[tuple[str, Point, float]]:
    """Who enters, where the arrow's tip lies, and its angle."""
    for h, side in sorted(scene.entries.items()):
        outside = [n for n in neighbours(h) if n not in scene.board and n not in scene.board.water]
        if outside:
            at = paper.centre(h)
            mean = [sum(c) / len(outside) for c in zip(*(paper.centre(n) for n in outside), strict=True)]
            angle = math.degrees(math.atan2(mean[1] - at.y, mean[0] - at.x))
            yield side, at.at(angle, RADIUS * 0.85), angle + 180


def entry_boxes(scene: Scene, paper: Paper) -> Iterator[Box]:
    """What the arrows of entries cover."""
    for _, tip, angle in _entries(scene, paper):
        x, y = tip.at(angle + 180, 16)
        yield Box(x - 14, y - 14, x + 14, y + 14)


def entry_arrow(tip: Point, angle: float, colours: Colours, meaning: str = "") -> str:
    """The arrow of an entry hex."""
    return arrow_head(tip, angle, 32, colours, meaning)


def arrow_head(tip: Point, angle: float, length: float, colours: Colours, meaning: str = "") -> str:
    """A barbed head with its tip there, pointing along the angle."""
    wings = [
        tip,
        tip.at(angle + 180 - 24, length),
        tip.at(angle + 180, length * 0.72),
        tip.at(angle + 180 + 24, length),
    ]
    look = {"fill": colours.card, "stroke": "#111", "stroke_width": "2", "stroke_linejoin": "round"}
    inside = element("title", escape(meaning)) if meaning else ""
    return element("path", inside, d=polygon(wings), **look)
