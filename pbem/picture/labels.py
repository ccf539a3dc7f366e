"""Names on the map, each where it covers least: no counter, hex number or other name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.picture.paper import RADIUS, Box, Paper, Point, text, width_of

__all__ = ["Name", "around", "draw_names", "placed_names"]

# Where the middle of a place name's baseline may lie, from the hex's centre: first choice first.
_ABOVE_AND_BELOW = ((0.0, 23.0), (0.0, -6.0), (0.0, 41.0), (0.0, -36.0))
_BESIDE = (6.0, 23.0, -10.0)
_SQUARE = 60
_COSTS = {"counter": 4.0, "number": 2.5, "name": 8.0}


class Style(NamedTuple):
    """How one kind of name is written."""

    size: float
    fill: str
    weight: str = "normal"
    slant: str = "normal"


_PLACE = Style(13, "#1c160a")
_VICTORY = Style(13, "#1c160a", weight="bold")
_RIVER = Style(13, "#1d4a73", slant="italic")
_LINE = Style(13, "#8a0f3c", weight="bold", slant="italic")
_AREA = Style(13, "#a01468", weight="bold")


class Name(NamedTuple):
    """A name in its place: the middle of its baseline, and what it covers; `where` it stands in the map file."""

    where: str
    words: str
    style: Style
    at: Point
    box: Box


class _Labels:
    """The names placed so far and all else that shouldn't be covered, in squares of the paper to be found quickly."""

    def __init__(self, taken: list[tuple[str, Box]], limit: float) -> None:
        self.limit = limit
        self.squares: dict[tuple[int, int], list[tuple[str, Box]]] = {}
        for kind, box in taken:
            self._take(kind, box)

    def _take(self, kind: str, box: Box) -> None:
        for square in _squares(box):
            self.squares.setdefault(square, []).append((kind, box))

    def place(self, where: str, words: str, style: Style, spots: Sequence[Point]) -> Name:
        """The name at the spot that costs least; earlier spots are better ones."""
        costs = [self._cost(around(p, words, style.size)) + 3 * i for i, p in enumerate(spots)]
        at = spots[costs.index(min(costs))]
        name = Name(where, words, style, at, around(at, words, style.size))
        self._take("name", name.box)
        return name

    def _cost(self, box: Box) -> float:
        beyond = max(0.0, 4 - box.left) + max(0.0, box.right - self.limit)
        near = dict.fromkeys(item for square in _squares(box) for item in self.squares.get(square, ()))
        return 40 * beyond + sum(_COSTS[kind] * box.overlap(other) for kind, other in near)


def _squares(box: Box) -> Iterator[tuple[int, int]]:
    """The squares of the paper that a box touches."""
    for x in range(int(box.left // _SQUARE), int(box.right // _SQUARE) + 1):
        for y in range(int(box.top // _SQUARE), int(box.bottom // _SQUARE) + 1):
            yield x, y


def draw_names(
    board: Map, paper: Paper, counters: Sequence[Box], held: Mapping[Hex, str], *, areas: bool
) -> Iterator[str]:
    """The names of places, rivers and lines, and of set-up areas when they are shown."""
    for name in placed_names(board, paper, counters, held, areas=areas):
        look = {"font_weight": name.style.weight, "font_style": name.style.slant, "text_anchor": "middle"}
        yield text(name.at, name.words, name.style.size, halo="#fffdf2", fill=name.style.fill, **look)


def placed_names(
    board: Map, paper: Paper, counters: Sequence[Box], held: Mapping[Hex, str], *, areas: bool
) -> Iterator[Name]:
    """Each name where it covers least; victory hexes are placed first, and in bold."""
    taken = [("counter", box) for box in counters]
    taken += [("number", around(paper.number_at(h), board.label(h), 10)) for h in board.hexes]
    labels = _Labels(taken, paper.width - 4)
    for h in sorted(board.place_names, key=lambda h: (h not in held, h)):
        name, style = board.place_names[h], _VICTORY if h in held else _PLACE
        yield labels.place(f"places {name}", name, style, _spots_of_place(paper.centre(h), name, style.size))
    for name, hexes in sorted(board.areas.items()) if areas else ():
        spots = [paper.centre(h).by(0, y) for y in (6.0, 23.0, -6.0) for h in hexes]
        if spots:
            yield labels.place(f"areas {name}", name, _AREA, spots)
    for course in board.hexsides:
        middles = [_middle(paper.side(a, b)) for a, b in course.sides]
        style = _LINE if course.kind == "line" else _RIVER
        if middles and course.kind != "impassable":  # a moat has the name of what stands in it
            spots = _spots_of_river(middles, course.name, style.size)
            yield labels.place(f"hexsides {course.name}", course.name, style, spots)


def _spots_of_place(centre: Point, name: str, size: float) -> list[Point]:
    aside = width_of(name, size) / 2 + 27
    beside = [(x, y) for y in _BESIDE for x in (aside, -aside)]
    return [centre.by(x, y) for x, y in (*_ABOVE_AND_BELOW, *beside)]


def _spots_of_river(middles: list[Point], name: str, size: float) -> list[Point]:
    """Beside or below the course, from its middle towards both ends."""
    aside = width_of(name, size) / 2 + 0.7 * RADIUS
    nearest = sorted(range(len(middles)), key=lambda i: abs(2 * i - len(middles)))
    offsets = ((aside, 5.0), (-aside, 5.0), (0.0, 28.0), (0.0, -18.0))
    return [middles[i].by(x, y) for i in nearest[: 2 + len(nearest) // 2] for x, y in offsets]


def _middle(ends: tuple[Point, Point]) -> Point:
    return ends[0].towards(ends[1], 0.5)


def around(at: Point, words: str, size: float) -> Box:
    """What a line of text covers."""
    half = width_of(words, size) / 2
    return Box(at.x - half, at.y - 0.8 * size, at.x + half, at.y + 0.2 * size)
