"""Hexes on paper: centres, corners and smooth curves in picture units, and the few SVG elements all layers use."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise
from unicodedata import normalize

from pbem.maps.hexes import Hex, neighbours, pack, unpack
from pbem.maps.map import Map
from pbem.records import NamedTuple

__all__ = [
    "BOLDER", "MARGIN", "NUMBER_SIZE", "RADIUS", "Box", "Paper", "Point", "bent", "broken", "element", "number",
    "paper_of", "polygon", "rounded", "step", "text", "width_of",
]  # fmt: skip

RADIUS = 40.0  # centre to corner of a hex, in picture units
MARGIN = 34.0
NUMBER_SIZE = 12.0  # of the letters of hex numbers
_HEAD = 34.0  # for the title
_ROOT = math.sqrt(3)


class Point(NamedTuple):
    """A point of the picture, x to the right, y down."""

    x: float
    y: float

    def by(self, dx: float, dy: float) -> Point:
        """The point moved by (dx, dy)."""
        return Point(self.x + dx, self.y + dy)

    def towards(self, other: Point, part: float) -> Point:
        """The point at a part (0 to 1) of the way to another."""
        return Point(self.x + (other.x - self.x) * part, self.y + (other.y - self.y) * part)

    def at(self, angle: float, length: float) -> Point:
        """The point so far off in the direction of an angle (degrees, clockwise from the right)."""
        return self.by(length * math.cos(math.radians(angle)), length * math.sin(math.radians(angle)))


class Box(NamedTuple):
    """A rectangle of the picture."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        """The area shared with another rectangle."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    def union(self, other: Box) -> Box:
        """The smallest rectangle round both."""
        left, top = min(self.left, other.left), min(self.top, other.top)
        return Box(left, top, max(self.right, other.right), max(self.bottom, other.bottom))

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """How high it is."""
        return self.bottom - self.top


class Paper:
    """Where a map's hexes lie on the picture: below the head, with a margin all round."""

    def __init__(self, board: Map) -> None:
        self.pointy = board.layout == "pointy"
        self._centres: dict[Hex, Point] = {}
        half_x, half_y = (_ROOT / 2 * RADIUS, RADIUS) if self.pointy else (RADIUS, _ROOT / 2 * RADIUS)
        self._step = (_ROOT * RADIUS, 1.5 * RADIUS) if self.pointy else (1.5 * RADIUS, _ROOT * RADIUS)
        cells = [unpack(h) for h in (*board.hexes, *board.water)]
        halves = [2 * q + r if self.pointy else 2 * r + q for q, r in cells]  # of steps in a row, or in a column
        whole = [cell[self.pointy] for cell in cells]
        ends = [(min(halves) / 2, max(halves) / 2), (min(whole), max(whole))]
        (west, east), (north, south) = ends if self.pointy else ends[::-1]
        wide, high = self._step
        self._dx = MARGIN + half_x - wide * west
        self._dy = MARGIN + _HEAD + half_y - high * north
        self.width = wide * east + self._dx + half_x + MARGIN
        self.top = MARGIN + _HEAD
        self.bottom = high * south + self._dy + half_y

    def centre(self, h: Hex) -> Point:
        """The centre of a hex, on the map or beyond its edge."""
        at = self._centres.get(h)
        if at is None:
            (q, r), (wide, high) = unpack(h), self._step
            x, y = (q + r / 2, r) if self.pointy else (q, r + q / 2)
            at = self._centres[h] = Point(wide * x + self._dx, high * y + self._dy)
        return at

    def centred(self, box: Box) -> Iterator[Hex]:
        """The hexes, on the map or beyond its edge, whose centres lie in a rectangle, left and upper edge among it."""
        wide, high = self._step
        west, north = (box.left - self._dx) / wide, (box.top - self._dy) / high
        east, south = (box.right - self._dx) / wide, (box.bottom - self._dy) / high
        if self.pointy:
            cells = ((q, r) for r in _between(north, south) for q in _between(west - r / 2, east - r / 2))
        else:
            cells = ((q, r) for q in _between(west, east) for r in _between(north - q / 2, south - q / 2))
        for q, r in cells:
            x, y = self.centre(h := pack(q, r))
            if box.left <= x < box.right and box.top <= y < box.bottom:
                yield h

    def corners(self, h: Hex, radius: float = RADIUS) -> list[Point]:
        """The six corners of a hex; the side towards neighbour i lies between corners i and i + 1."""
        first = 30 if self.pointy else 60
        return [self.centre(h).at(first - 60 * i, radius) for i in range(6)]

    def side(self, a: Hex, b: Hex, radius: float = RADIUS) -> tuple[Point, Point]:
        """The two ends of the side of a towards the adjacent hex b."""
        i = neighbours(a).index(b)
        corners = self.corners(a, radius)
        return corners[i], corners[(i + 1) % 6]

    def hex_box(self, h: Hex, radius: float = RADIUS) -> Box:
        """The rectangle round a hex."""
        corners = self.corners(h, radius)
        xs, ys = [p.x for p in corners], [p.y for p in corners]
        return Box(min(xs), min(ys), max(xs), max(ys))

    def room(self, h: Hex) -> Box:
        """Where a counter in a hex lies."""
        x, y = self.centre(h).by(0, 4)
        return Box(x - 23, y - 23, x + 23, y + 23)

    def number_at(self, h: Hex) -> Point:
        """The middle of the hex number's baseline, near the upper edge."""
        return self.centre(h).by(0, -0.56 * RADIUS)


def _between(low: float, high: float) -> range:
    """The whole numbers between two, and one that is as good as either."""
    return range(math.ceil(low - 1e-6), math.floor(high + 1e-6) + 1)


@lru_cache(maxsize=4)
def paper_of(board: Map) -> Paper:
    """The paper of a map, once for all that is drawn on it."""
    return Paper(board)


@lru_cache(maxsize=1 << 12)
def number(value: float) -> str:
    """A coordinate with at most one decimal, without needless zeros."""
    written = f"{value:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written


def _pair(p: Point) -> str:
    return f"{number(p.x)} {number(p.y)}"


def step(dx: float, dy: float, letter: str = "l") -> str:
    """Path data of one step, as short as it can be written; the letter is l to draw, m to move only."""
    x, y = number(dx), number(dy)
    if letter == "l" and "0" in (x, y):
        return f"h{x}" if y == "0" else f"v{y}"
    return f"{letter}{x}{y}" if y.startswith("-") else f"{letter}{x} {y}"


def broken(points: Sequence[Point]) -> str:
    """Path data of straight lines from point to point, written as steps, which are shorter than places."""
    corners = [Point(round(p.x, 1), round(p.y, 1)) for p in points]
    return f"M{_pair(corners[0])}{''.join(step(b.x - a.x, b.y - a.y) for a, b in pairwise(corners))}"


def polygon(points: Sequence[Point]) -> str:
    """Path data of a closed polygon."""
    return f"{broken(points)}z"


def bent(points: Sequence[Point]) -> str:
    """Path data along the given points with softened corners; each leg's middle stays on the path."""
    path = f"M{_pair(points[0])}"
    for here, after in pairwise(points[1:]):
        path += f"Q{_pair(here)} {_pair(here.towards(after, 0.5))}"
    return path + f"L{_pair(points[-1])}"


def rounded(points: Sequence[Point]) -> str:
    """Path data of a smooth curve through all the given points."""
    path = f"M{_pair(points[0])}"
    framed = [points[0], *points, points[-1]]
    for before, here, after, beyond in zip(framed, framed[1:], framed[2:], framed[3:], strict=False):
        out = here.by((after.x - before.x) / 6, (after.y - before.y) / 6)
        back = after.by((here.x - beyond.x) / 6, (here.y - beyond.y) / 6)
        path += f"C{_pair(out)} {_pair(back)} {_pair(after)}"
    return path


def element(tag: str, content: str | Iterable[str] = "", /, **attributes: str | float) -> str:
    """An SVG element; underscores in names become hyphens, values are escaped, content is taken as it is."""
    written = "".join([_attribute(name, value) for name, value in attributes.items()])
    inside = content if isinstance(content, str) else "".join(content)
    return f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>"


@lru_cache(maxsize=1 << 12, typed=True)
def _attribute(name: str, value: str | float) -> str:
    """An attribute as it is written; most are those of many elements."""
    return (
        f' {name.rstrip("_").replace("_", "-")}="{number(value) if isinstance(value, float) else escape(str(value))}"'
    )


def text(at: Point, words: str, size: float, *, halo: str = "", **attributes: str | float) -> str:
    """A centred line of text; with a halo colour it is first drawn fat in that colour, so that it stands out."""
    base, said = f'<text x="{number(at.x)}" y="{number(at.y)}" font-size="{number(size)}"', _escaped(words)
    plain = f"{base}{_look(*attributes.items())}>{said}</text>" if said else f"{base}{_look(*attributes.items())}/>"
    if not halo:
        return plain
    # drawn by stroke alone, its words left to the line above for whoever searches or reads aloud
    fat = {"stroke": halo, "stroke_width": number(size / 3.2), "stroke_linejoin": "round", "aria_hidden": "true"}
    return f"{base}{_look(*{**attributes, **fat}.items())}>{said}</text>{plain}"


@lru_cache(maxsize=1 << 10)
def _look(*attributes: tuple[str, str | float]) -> str:
    """Attributes as they are written, those of many lines of text together."""
    return "".join([_attribute(name, value) for name, value in attributes])


_escaped = lru_cache(maxsize=1 << 12)(escape)


# fmt: off
_WIDTHS = {  # in thousandths of the letter size, of Helvetica, Arial and the program's own font
    191: "'", 222: "ijl", 260: "|", 278: " !,./:;I[\\]ft", 333: "()-`r", 334: "{}", 355: '"', 389: "*", 469: "^",
    500: "Jcksvxyz", 556: "#$0123456789?L_abdeghnopqu", 584: "+<=>~", 611: "FTZ", 667: "&ABEKPSVXY", 722: "CDHNRUw",
    778: "GOQ", 833: "Mm", 889: "%", 944: "W", 1015: "@",
}
# fmt: on
_WIDTH_OF = {letter: width / 1000 for width, letters in _WIDTHS.items() for letter in letters}
BOLDER = 1.08  # bold letters are so much wider, at most


@lru_cache(maxsize=1 << 12)
def width_of(words: str, size: float, *, bold: bool = False) -> float:
    """About how wide a line of text is; an accent adds nothing, a Japanese letter is a square."""
    wide = sum(_WIDTH_OF.get(letter) or _foreign(letter) for letter in words)
    return size * wide * (BOLDER if bold else 1.0)


def _foreign(letter: str) -> float:
    """The width of a letter beyond ASCII."""
    return _WIDTH_OF.get(normalize("NFD", letter)[0], 1.0)
