"""The table itself: its edges with coordinates, thirds and middle, where units set up, the ground that lies on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import product

from pbem.language import say, shown
from pbem.maps.tabletop import Piece, Spot, Tabletop
from pbem.picture.paper import MARGIN, Box, Point, element, number, polygon, text
from pbem.picture.terrain import Look, ground_look

__all__ = ["BAND", "INCH", "Cloth", "draw_cloth", "draw_pieces", "draw_zones", "piece_sample", "rulers"]

INCH = 30.0
"""How long a hundred hundredths are in picture units: a figure's place has this square."""
BAND = 23.0
"""How wide the rulers are along the edges of a part."""
_HIGH = 17.0  # the upper one
_EDGE = 56.0  # round the table: ticks, numbers, names
_HEAD = 34.0  # for the title
_INK = "#4a4636"
_STEP, _LONG = 1, 6  # a tick at each of the measure, a number and a line at each so many
_SIGN = 36.0  # what the sign of a piece of ground needs to each side of its middle
_NUMBER = 12.0


class Cloth:
    """Where a table lies on the picture: below the head, with its edges round it, north up."""

    def __init__(self, table: Tabletop) -> None:
        self.table = table
        self.left, self.top = MARGIN + _EDGE / 2, MARGIN + _HEAD + _EDGE / 2
        self.right = self.left + table.width * INCH / 100
        self.bottom = self.top + table.depth * INCH / 100
        self.box = Box(0, MARGIN + _HEAD - 8, self.right + self.left, self.bottom + _EDGE)
        """All that is drawn of the table, its edges as well."""

    def at(self, x: float, y: float) -> Point:
        """The point of a place in hundredths."""
        return Point(self.left + x * INCH / 100, self.bottom - y * INCH / 100)

    def spot_at(self, at: Point) -> Spot:
        """The place of a point, in hundredths; one beside the table counts as one at its edge."""
        x, y = round((at.x - self.left) * 100 / INCH), round((self.bottom - at.y) * 100 / INCH)
        return Spot(min(max(x, 0), self.table.width), min(max(y, 0), self.table.depth))

    def spot(self, at: Sequence[int]) -> Point:
        """The same of a pair."""
        return self.at(at[0], at[1])


def draw_cloth(cloth: Cloth) -> Iterator[str]:
    """The cloth with its lines and edges, from the paper up."""
    table, width, depth = cloth.table, cloth.right - cloth.left, cloth.bottom - cloth.top
    corner: dict[str, str | float] = {"x": number(cloth.left), "y": number(cloth.top), "width": width, "height": depth}
    yield element("rect", **corner, fill="#e9ead3", stroke="none")
    inches = _LONG * 100
    lines = [_across(cloth, x) for x in range(inches, table.width, inches)]
    lines += [_along(cloth, y) for y in range(inches, table.depth, inches)]
    yield element("path", d="".join(lines), fill="none", stroke="#8d8c70", stroke_width="1", stroke_opacity="0.45")
    thirds = "".join(_across(cloth, table.width * part // 3) for part in (1, 2))
    yield element("path", d=thirds, fill="none", stroke="#5d5a48", stroke_width="1.4", stroke_dasharray="2 7")
    middle = _along(cloth, table.depth // 2)
    yield element("path", d=middle, fill="none", stroke="#5d5a48", stroke_width="1.4", stroke_dasharray="14 7")
    yield element("rect", **corner, fill="none", stroke="#5a3c17", stroke_width="4")
    yield from _edges(cloth)


def _across(cloth: Cloth, x: int) -> str:
    at = cloth.at(x, 0)
    return f"M{number(at.x)} {number(at.y)}V{number(cloth.top)}"


def _along(cloth: Cloth, y: int) -> str:
    at = cloth.at(0, y)
    return f"M{number(at.x)} {number(at.y)}H{number(cloth.right)}"


def _edges(cloth: Cloth) -> Iterator[str]:
    """Ticks, coordinates, and what thirds and edges are called."""
    table, ticks = cloth.table, ""
    numbers: list[str] = []
    for inch in range(0, table.width // 100 + 1, _STEP):
        across, long = number(cloth.at(100 * inch, 0).x), 9 if inch % _LONG == 0 else 5
        ticks += f"M{across} {number(cloth.top)}v{-long}M{across} {number(cloth.bottom)}v{long}"
        if inch % _LONG == 0:
            numbers += [element("text", str(inch), x=across, y=number(y)) for y in (cloth.top - 13, cloth.bottom + 22)]
    for inch in range(0, table.depth // 100 + 1, _STEP):
        y, long = cloth.at(0, 100 * inch).y, 9 if inch % _LONG == 0 else 5
        ticks += f"M{number(cloth.left)} {number(y)}h{-long}M{number(cloth.right)} {number(y)}h{long}"
        if inch % _LONG == 0:
            beside = (cloth.left - 19, cloth.right + 19)
            numbers += [element("text", str(inch), x=number(x), y=number(y + 4.5)) for x in beside]
    yield element("path", d=ticks, fill="none", stroke=_INK, stroke_width="1.2")
    yield element("g", numbers, fill=_INK, font_size=number(13.0), text_anchor="middle")
    thirds = (say("left third"), say("centre third"), say("right third"))
    names = []
    for edge, y in (("north", cloth.top - 30), ("south", cloth.bottom + 42)):
        for i, third in enumerate(thirds):
            words = say("%(edge)s edge, %(third)s", edge=shown(table.edges[edge]), third=third) if i == 1 else third
            names.append(text(Point(cloth.at(table.width * (2 * i + 1) / 6, 0).x, y), words, 15))
    yield element("g", names, fill=_INK, font_style="italic", text_anchor="middle")


def draw_zones(cloth: Cloth) -> Iterator[str]:
    """Where each side's units set up."""
    for zone in cloth.table.zones:
        a, b = cloth.spot(zone.low), cloth.spot(zone.high)
        size: dict[str, str | float] = {
            "x": number(a.x + 4),
            "y": number(b.y + 4),
            "width": b.x - a.x - 8,
            "height": a.y - b.y - 8,
        }
        title = element("title", escape(say("set-up area: %(name)s", name=zone.title)))
        look = {"fill": "none", "stroke": "#a01468", "stroke_width": "3", "stroke_dasharray": "8 6"}
        yield element("g", title + element("rect", **size, **look))
        yield text(
            Point((a.x + b.x) / 2, (a.y + b.y) / 2 + 5), zone.title, 15, fill="#a01468", text_anchor="middle",
            font_weight="bold",
        )  # fmt: skip


# --- the ground ------------------------------------------------------------------------------------------------------


def draw_pieces(cloth: Cloth, japanese: Mapping[str, str]) -> Iterator[str]:
    """Each piece of ground in the look of its kind, with as many of its signs as have room, its edge and its names."""
    for piece in cloth.table.pieces:
        look, corners = ground_look(piece.kind), [cloth.spot(at) for at in piece.corners]
        drawn = element("path", d=polygon(corners), fill=look.fill)
        if look.mark is not None and (
            signs := "".join(map(look.mark, _sign_places(cloth.table.width, cloth.table.depth, piece)))
        ):
            drawn += _signs(look, signs)
        edge: dict[str, str | float] = {
            "fill": "none",
            "stroke": "#4d4a38",
            "stroke_width": "2.4",
            "stroke_linejoin": "round",
        }
        name = f"{piece.name} {japanese.get(piece.name, '')}".rstrip()
        title = element("title", escape(f"{name} ({shown(piece.kind)})"))
        yield element("g", title + drawn + element("path", d=polygon(corners), **edge))


def _signs(look: Look, signs: str) -> str:
    return element("path", d=signs, fill="none", stroke=look.ink, stroke_width=look.width, stroke_opacity="0.75")


@lru_cache(maxsize=64)
def _sign_places(width: int, depth: int, piece: Piece) -> list[Point]:
    """A grid of places in a piece that are so far inside that a sign has room, its middle at least, on a table of that
    size in hundredths."""
    cloth = Cloth(Tabletop(width, depth, ("", ""), {}))
    corners = [cloth.spot(at) for at in piece.corners]
    xs, ys = sorted(p.x for p in corners), sorted(p.y for p in corners)
    middle = Point((xs[0] + xs[-1]) / 2, (ys[0] + ys[-1]) / 2)
    reach = range(-8, 9)
    found = [middle.by(2 * _SIGN * i, 2 * _SIGN * j) for j, i in product(reach, reach)]
    free = [at for at in found if all(_inside(cloth, piece, at.by(x, y)) for x in (-_SIGN, _SIGN) for y in (-24, 24))]
    return free or [middle]


def _inside(cloth: Cloth, piece: Piece, at: Point) -> bool:
    return piece.holds(cloth.spot_at(at))


def piece_sample(kind: str, at: Point) -> str:
    """A small piece of ground for the key."""
    look = ground_look(kind)
    box = [at.by(-34, -24), at.by(34, -24), at.by(34, 24), at.by(-34, 24)]
    drawn = element("path", d=polygon(box), fill=look.fill, stroke="#4d4a38", stroke_width="2.4")
    return drawn + (_signs(look, look.mark(at)) if look.mark else "")


# --- coordinates of a part -------------------------------------------------------------------------------------------


def rulers(cloth: Cloth, window: Box) -> Iterator[str]:
    """Coordinates along the upper and the left edge of a part of the table."""
    table = cloth.table
    low, right = max(window.left, cloth.left), min(window.right, cloth.right)
    top, bottom = max(window.top, cloth.top), min(window.bottom, cloth.bottom)
    band: dict[str, str | float] = {"fill": "#fbfaf3", "fill_opacity": "0.9"}
    yield element("rect", x=window.left, y=window.top, width=window.width, height=_HIGH, **band)
    yield element("rect", x=window.left, y=window.top, width=BAND, height=window.height, **band)
    ticks = ""
    for inch in range(0, table.width // 100 + 1, _STEP):
        x = cloth.at(100 * inch, 0).x
        if low + _HIGH + 16 <= x <= right:
            ticks += f"M{number(x)} {number(window.top + _HIGH)}v{-3 if inch % 2 else -4}"
            if inch % 2 == 0 and x < window.right - 8:
                yield _number(Point(x, window.top + 11), inch)
    for inch in range(0, table.depth // 100 + 1, _STEP):
        y = cloth.at(0, 100 * inch).y
        if top + _HIGH + 10 <= y <= bottom:
            ticks += f"M{number(window.left + BAND)} {number(y)}h{-3 if inch % 2 else -4}"
            if inch % 2 == 0 and y < window.bottom - 6:
                yield _number(Point(window.left + 9, y + 4), inch)
    yield element("path", d=ticks or "M0 0", fill="none", stroke=_INK, stroke_width="1.2")


def _number(at: Point, inch: int) -> str:
    return text(at, str(inch), _NUMBER, fill=_INK, text_anchor="middle")
