"""The ground of the printed map: terrain, water and hex numbers, each told apart by shape as well as colour."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map
from pbem.picture.crossings import draw_crossings
from pbem.picture.lines import draw_borders, draw_courses
from pbem.picture.paper import NUMBER_SIZE, Paper, Point, broken, element, number, polygon, step, width_of
from pbem.records import NamedTuple

__all__ = [
    "FEATURES", "SIGNS", "Look", "draw_ground", "draw_numbers", "ground_look", "look_of", "outlines", "terrain_sample",
]  # fmt: skip

Mark = Callable[[Point], str]  # path data of the sign in a hex


class Look(NamedTuple):
    """How a feature is drawn: the fill of its hex, the sign in it, the sign's colour and width."""

    fill: str
    mark: Mark | None
    ink: str = "#000"
    width: float = 1.4


def _lines(at: Point, strokes: list[tuple[float, float, float, float]]) -> str:
    """Strokes from (x, y) beside the point by (dx, dy); each is written from the end of the one before."""
    path, pen = f"M{number(at.x)} {number(at.y)}", Point(0, 0)
    for x, y, dx, dy in strokes:
        path += step(x - pen.x, y - pen.y, "m") + step(dx, dy)
        pen = Point(x + dx, y + dy)
    return path


def _tufts(at: Point) -> str:
    """Marsh grass: three blades on a stroke, five times."""
    spots = [(-18, -10), (14, -12), (0, 6), (-21, 16), (20, 17)]
    blades = [(-6, 0, 12, 0), (0, -1, 0, -6), (-3, -1, -2, -4), (3, -1, 2, -4)]
    return _lines(at, [(x + bx, y + by, dx, dy) for x, y in spots for bx, by, dx, dy in blades])


def _slopes(at: Point) -> str:
    """Two round hills."""
    return "".join(f"M{number(at.x + x)} {number(at.y + y)}q9 -15 18 0" for x, y in [(-25, 2), (-3, 10), (6, -8)])


def _swells(at: Point) -> str:
    """Long low waves of the ground."""
    return "".join(f"M{number(at.x + x)} {number(at.y + y)}q13 -7 26 0" for x, y in [(-27, -4), (2, 7), (-22, 19)])


def _gullies(at: Point) -> str:
    """Broken ground: short jagged edges."""
    return "".join(
        f"M{number(at.x + x)} {number(at.y + y)}l5 -9l5 9l6 -11l5 6" for x, y in [(-26, 0), (4, 6), (-20, 20)]
    )


def _peaks(at: Point) -> str:
    """Pointed mountains with a shaded flank."""
    return "".join(
        f"M{number(at.x + x)} {number(at.y + y)}l10 -18l10 18"
        + _lines(at.by(x + 10, y - 18), [(1, 6, 3, 10), (4, 8, 4, 9)])
        for x, y in [(-27, 8), (-8, 18), (6, 2)]
    )


def _summit(at: Point) -> str:
    """One high peak with a triangulation point."""
    p = f"M{number(at.x)} {number(at.y)}"
    return p + "m-24 20l24 -38l24 38z" + p + "m-13 2l26 0" + p + "m-19 11l38 0"


def _blocks(at: Point) -> str:
    """Town blocks between streets."""
    spots = [(-24, -14), (-7, -14), (10, -14), (-24, 2), (-7, 2), (10, 2), (-16, 18), (2, 18)]
    return "".join(f"M{number(at.x + x)} {number(at.y + y)}h13v9h-13z" for x, y in spots)


def _trees(at: Point) -> str:
    """Round tree tops."""
    spots = [(-16, -8), (12, -12), (0, 8), (-20, 14), (18, 12)]
    return "".join(f"M{number(at.x + x - 6)} {number(at.y + y)}a6 6 0 1 1 12 0a6 6 0 1 1 -12 0" for x, y in spots)


def _current(at: Point) -> str:
    """Long lines of a broad river, from edge to edge of the hex."""
    spots = [(-26, -14), (-31, -3), (-31, 8), (-24, 19)]
    return "".join(f"M{number(at.x + x)} {number(at.y + y)}q9 -5 {number(-x)} 0t{number(-x)} 0" for x, y in spots)


def _keyhole(at: Point) -> str:
    """A burial mound from above: a round tumulus and its spreading front, either end seen beside a counter."""
    outline = f"M{number(at.x - 7)} {number(at.y - 3)}a14 14 0 1 0 0 14l37 7v-28z"
    return outline + f"M{number(at.x - 24)} {number(at.y + 4)}a6 6 0 1 1 12 0a6 6 0 1 1 -12 0"


def _station(at: Point) -> str:
    """A platform along the lower edge with a post at either end, which are seen beside a counter."""
    p = f"M{number(at.x)} {number(at.y)}"
    return p + "m-31 25h62v7h-62z" + p + "m-31 25v-8h9v8z" + p + "m22 25v-8h9v8z"


def _village(at: Point) -> str:
    """The ring of a small place, of which more than the half is seen beside a counter."""
    p = f"M{number(at.x)} {number(at.y + 4)}"
    return p + "m-29 0a29 29 0 1 0 58 0a29 29 0 1 0 -58 0z" + p + "m-24 0a24 24 0 1 0 48 0a24 24 0 1 0 -48 0z"


def _castle(at: Point) -> str:
    """A square wall with a tower at each corner, which stands out from under a counter, and the keep inside."""
    middle = at.by(0, 4)
    walls = "".join(f"M{number(middle.x - r)} {number(middle.y - r)}h{2 * r}v{2 * r}h-{2 * r}z" for r in (27, 21))
    towers = [f"M{number(middle.x + x)} {number(middle.y + y)}h10v10h-10z" for x in (-31, 21) for y in (-31, 21)]
    return walls + "".join(towers) + f"M{number(middle.x)} {number(middle.y)}m-11 13v-14h4v-10h14v10h4v14z"


def _star(at: Point) -> str:
    """A five-pointed star whose points stand out from under a counter."""
    return polygon([at.by(0, 1).at(-90 + 36 * i, 33 if i % 2 == 0 else 14) for i in range(10)])


def _waves(at: Point) -> str:
    return "".join(
        f"M{number(at.x + x)} {number(at.y + y)}q4 -5 8 0t8 0t8 0" for x, y in [(-22, -8), (-4, 4), (-20, 16)]
    )


# fmt: off
_LOOKS: dict[str, Look] = {  # the later one wins where a hex has several
    "flat":         Look("#f3f1da", None),
    "rolling":      Look("#ebe8bd", _swells, "#8d8846", 1.2),
    "wetland":      Look("#d5e6d2", _tufts,  "#3f7a58"),
    "rough":        Look("#dccba6", _gullies, "#7a5c33", 1.5),
    "hill":         Look("#e2cf9d", _slopes, "#86612a", 1.8),
    "woods":        Look("#bcd3a0", _trees,  "#4a6b35"),
    "mountain":     Look("#c3a36f", _peaks,  "#5c3f1c", 1.6),
    "mountain_top": Look("#b48f58", _summit, "#3c2810", 2.4),
    "impassable_mountain": Look("#8a6c48", _summit, "#241605", 2.4),
    "city":         Look("#e6cdbd", _blocks, "#8c5f4d", 1.2),
    "large_river":  Look("#c3dcee", _current, "#3a719f", 1.8),
}
SIGNS: dict[str, Look] = {  # what stands on the ground or at a place: drawn over it, each with a fill of its own
    "mound":        Look("#8d9a58", _keyhole, "#2f3a14", 1.6),
    "star":         Look("#f4d23c", _star,    "#111111", 1.8),
    "castle":       Look("#3b3a4a", _castle,  "#16151d", 1.0),
    "station":      Look("#ffffff", _station, "#111111", 1.6),
    "village":      Look("#8c5f4d", _village, "#3a2118", 0.8),
}
_ALIKE = {
    "clear": "flat", "plain": "flat", "marsh": "wetland", "swamp": "wetland", "forest": "woods", "town": "city",
}
_WATER = Look("#a9c9e2", _waves, "#5485ad", 1.4)
# fmt: on
_GROUND = {"wood": "woods", "building": "city", "rough": "wetland"}
"""Kinds of ground on a table -> the feature of a hex that looks like it."""
FEATURES = frozenset({*_LOOKS, *_ALIKE, *SIGNS, "victory_hex"})
"""What a hex may have to be drawn as what it is; the kinds of its roads besides."""


def look_of(features: frozenset[str]) -> Look:
    """The look of a hex's terrain: that of its most telling feature; open ground when none is known."""
    known = {_ALIKE.get(feature, feature) for feature in features}
    return [look for name, look in _LOOKS.items() if name in known or name == "flat"][-1]


def ground_look(kind: str) -> Look:
    """The look of a piece of ground on a table; open ground for a kind that isn't known."""
    return _WATER if kind == "water" else look_of(frozenset({_GROUND.get(kind, kind)}))


def draw_ground(board: Map, paper: Paper) -> Iterator[str]:
    """All printed layers but numbers and names, from the paper up."""
    yield from _terrain(board, paper)
    yield from _grid(board, paper)
    yield from draw_borders(board, paper)
    yield from _signs(board, paper)
    yield from draw_courses(board, paper)
    yield from draw_crossings(board, paper)


def _terrain(board: Map, paper: Paper) -> Iterator[str]:
    looks: dict[Look, list[Hex]] = {}
    for h in board.hexes:
        looks.setdefault(look_of(board.terrain[h]), []).append(h)
    looks[_WATER] = sorted(board.water)
    for look in (*_LOOKS.values(), _WATER):
        hexes = looks.get(look, [])
        yield from _drawn(look, outlines(hexes, paper), [paper.centre(h) for h in hexes])


def outlines(hexes: Iterable[Hex], paper: Paper) -> list[list[Point]]:
    """The borders of an area: closed lines of corners, each with the area on its left; a hole has a border, too."""
    around = {h: neighbours(h) for h in hexes}
    sides = {(h, i): None for h in around for i in range(6) if around[h][i] not in around}
    found = []
    while sides:
        h, i = next(iter(sides))
        line = []
        while (h, i) in sides:
            del sides[h, i]
            line.append(paper.corners(h)[i])
            ahead = around[h][(i + 1) % 6]
            h, i = (ahead, (i - 1) % 6) if ahead in around else (h, (i + 1) % 6)
        found.append(line)
    return found


def _signs(board: Map, paper: Paper) -> Iterator[str]:
    """Mounds, stars and castles."""
    for name, sign in SIGNS.items():
        found = [h for h in board.hexes if name in board.terrain[h] or name == board.signs.get(h)]
        yield from _sign(sign, [paper.centre(h) for h in found])


def _sign(sign: Look, centres: list[Point]) -> Iterator[str]:
    if centres and sign.mark is not None:
        path = "".join(sign.mark(centre) for centre in centres)
        fill = {"fill": sign.fill, "fill_opacity": "0.8", "fill_rule": "evenodd"}
        yield element("path", d=path, **fill, stroke=sign.ink, stroke_width=sign.width, stroke_linejoin="round")


def _drawn(look: Look, borders: list[list[Point]], centres: list[Point]) -> Iterator[str]:
    if not centres:
        return
    yield element("path", d="".join(map(polygon, borders)), fill=look.fill)
    if look.mark is not None:
        signs = "".join(map(look.mark, centres))
        yield element("path", d=signs, fill="none", stroke=look.ink, stroke_width=look.width, stroke_opacity="0.75")


def _grid(board: Map, paper: Paper) -> Iterator[str]:
    """Each side of a hex once: three of its own, the others only at the edge."""
    every = {*board.hexes, *board.water}
    lines = []
    for h in sorted(every):
        corners = paper.corners(h)
        lines.append(broken(corners[:4]))
        edges = [i for i, n in enumerate(neighbours(h)) if i >= 3 and n not in every]
        lines += [broken([corners[i], corners[(i + 1) % 6]]) for i in edges]
    yield element("path", d="".join(lines), fill="none", stroke="#6f6a55", stroke_width="0.8", stroke_opacity="0.85")


_UNDER_NUMBERS = frozenset({"victory_hex", *SIGNS})


def draw_numbers(board: Map, paper: Paper) -> Iterator[str]:
    """The hex numbers, on a plate of the ground's colour where roads, rivers or rings run beneath."""
    plates: dict[str, str] = {}
    for h in board.hexes:
        beneath = h in board.signs or board.terrain[h] & _UNDER_NUMBERS
        if beneath or any(link.ways or link.side for link in board.links[h]):
            x, y = paper.number_at(h)
            fill = look_of(board.terrain[h]).fill
            wide = number(width_of(board.label(h), NUMBER_SIZE) + 2)
            plate = f"M{number(x - float(wide) / 2)} {number(y - 9.5)}h{wide}v10.5h-{wide}z"
            plates[fill] = plates.get(fill, "") + plate
    for fill, path in sorted(plates.items()):
        yield element("path", d=path, fill=fill, fill_opacity="0.75")
    numbers = []
    for h in board.hexes:
        x, y = paper.number_at(h)
        numbers.append(element("text", board.label(h), x=number(x), y=number(y)))
    yield element("g", numbers, fill="#4a4636", font_size=number(NUMBER_SIZE), text_anchor="middle")


def terrain_sample(features: frozenset[str] | None, corners: list[Point], centre: Point) -> str:
    """A hex of the legend with the look of these features; None for open water."""
    look = _WATER if features is None else look_of(features)
    frame = element("path", d=polygon(corners), fill="none", stroke="#6f6a55", stroke_width="0.8")
    signs = (part for name, sign in SIGNS.items() if name in (features or ()) for part in _sign(sign, [centre]))
    return "".join(_drawn(look, [corners], [centre])) + frame + "".join(signs)
