"""The printed map: terrain, water, hexsides, roads and hex numbers, each told apart by shape as well as colour."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from pbem.hexes import Hex, neighbours
from pbem.mapfile import Chain, Crossing
from pbem.maps import Map
from pbem.plane import RADIUS, Paper, Point, bent, broken, element, number, polygon, rounded, step

__all__ = [
    "SIGNS", "Look", "draw_ground", "draw_numbers", "look_of", "outlines", "side_sample", "terrain_sample",
    "way_sample",
]  # fmt: skip

Mark = Callable[[Point], str]  # path data of the sign in a hex


class Look(NamedTuple):
    """How a feature is drawn: the fill of its hex, the sign in it, the sign's colour and width."""

    fill: str
    mark: Mark | None
    ink: str = "#000"
    width: float = 1.4


class Line(NamedTuple):
    """How a hexside or road is drawn: casing under core, each colour and width, and the core's dashes."""

    casing: str
    casing_width: float
    core: str
    core_width: float
    dashes: str = ""


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
    "wetland":      Look("#d5e6d2", _tufts,  "#3f7a58"),
    "hill":         Look("#e2cf9d", _slopes, "#86612a", 1.8),
    "woods":        Look("#bcd3a0", _trees,  "#4a6b35"),
    "mountain":     Look("#c3a36f", _peaks,  "#5c3f1c", 1.6),
    "mountain_top": Look("#b48f58", _summit, "#3c2810", 2.4),
    "city":         Look("#e6cdbd", _blocks, "#8c5f4d", 1.2),
    "large_river":  Look("#c3dcee", _current, "#3a719f", 1.8),
}
SIGNS: dict[str, Look] = {  # what stands on the ground: drawn over it, each with a fill of its own
    "mound":        Look("#8d9a58", _keyhole, "#2f3a14", 1.6),
    "star":         Look("#f4d23c", _star,    "#111111", 1.8),
}
_ALIKE = {
    "clear": "flat", "plain": "flat", "marsh": "wetland", "swamp": "wetland", "rough": "hill", "forest": "woods",
    "town": "city",
}
_WATER = Look("#a9c9e2", _waves, "#5485ad", 1.4)
_SIDES: dict[str, Line] = {
    "pond":       Line("#2f6188", 4,  "#2f6188", 3),
    "stream":     Line("#f8f7ea", 6,  "#3f83b5", 3.2),
    "river":      Line("#2c5d87", 13, "#8fbfe0", 9.5),
    "impassable": Line("#f8f7ea", 8,  "#222222", 6, "3 4"),
    "line":       Line("#ffffff", 7,  "#8a0f3c", 3.4, "15 6 3 6"),  # a border, over all else
}
_SAME_SIDES = {"small_river": "stream", "brook": "stream", "cliff": "impassable"}
_WAYS: dict[str, Line] = {
    "trail":    Line("#f8f7ea", 5, "#6b4a22", 2, "6 4"),
    "road":     Line("#5a3c17", 7, "#f6d58e", 4),
    "pike":     Line("#5a3c17", 9, "#ffffff", 5),
    "railroad": Line("#111111", 6, "#ffffff", 3, "8 8"),
}
# fmt: on
_EASE = 0.35
_BRIDGED = frozenset({"river", "stream"})


def _side_line(kind: str) -> Line:
    """How a kind of hexside is drawn; a kind that isn't known is drawn as one that nobody crosses."""
    return _SIDES.get(_SAME_SIDES.get(kind, kind), _SIDES["impassable"])


def look_of(features: frozenset[str]) -> Look:
    """The look of a hex's terrain: that of its most telling feature; open ground when none is known."""
    known = {_ALIKE.get(feature, feature) for feature in features}
    return [look for name, look in _LOOKS.items() if name in known or name == "flat"][-1]


def draw_ground(board: Map, paper: Paper) -> Iterator[str]:
    """All printed layers but numbers and names, from the paper up."""
    yield from _terrain(board, paper)
    yield from _grid(board, paper)
    yield from _signs(board, paper)
    yield from _shores(board, paper)
    yield from _hexsides(board, paper)
    yield from _roads(board, paper)
    yield from _bridges(board, paper)


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
    """Mounds and stars."""
    for name, sign in SIGNS.items():
        yield from _sign(sign, [paper.centre(h) for h in board.hexes if name in board.terrain[h]])


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


def _shores(board: Map, paper: Paper) -> Iterator[str]:
    shores = [paper.side(h, n) for h in sorted(board.water) for n in neighbours(h) if n in board]
    if shores:
        yield from _stroked(_SIDES["pond"], "".join(rounded(side) for side in shores))


def _hexsides(board: Map, paper: Paper) -> Iterator[str]:
    for line in _SIDES.values():
        courses = [c for c in board.hexsides if _side_line(c.kind) is line and c.kind != "bridge"]
        if courses:
            yield from _stroked(line, "".join(bent(run) for c in courses for run in _runs(c, paper)))


def _runs(course: Crossing, paper: Paper) -> Iterator[list[Point]]:
    """The corner points along a river, from end to end; a new run where it has a gap."""
    run: list[Point] = []
    for a, b in course.sides:
        ends = paper.side(a, b)
        if run and (old := _meeting(run, ends)) is not None:
            run.append(ends[1 - old])
        else:
            if run:
                yield run
            run = list(ends)
    if run:
        yield run


def _meeting(run: list[Point], ends: tuple[Point, Point]) -> int | None:
    """Which end of the next side lies at the run's end; a run of one side may still be turned round."""
    for tail in (-1, 0) if len(run) == 2 else (-1,):
        for i, end in enumerate(ends):
            if abs(run[tail].x - end.x) + abs(run[tail].y - end.y) < 1:
                if tail == 0:
                    run.reverse()
                return i
    return None


def _stroked(line: Line, path: str) -> Iterator[str]:
    common = {"d": path, "fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    yield element("path", **common, stroke=line.casing, stroke_width=line.casing_width)
    core = {**common, "stroke_linecap": "butt"} if line.dashes else common
    dashed = {"stroke_dasharray": line.dashes} if line.dashes else {}
    yield element("path", **core, stroke=line.core, stroke_width=line.core_width, **dashed)


def _roads(board: Map, paper: Paper) -> Iterator[str]:
    for kind in sorted(
        {road.kind for road in board.roads}, key=lambda k: (list(_WAYS).index(k) if k in _WAYS else 9, k)
    ):
        path = "".join(rounded(_course(board, paper, road)) for road in board.roads if road.kind == kind)
        yield from _stroked(_WAYS.get(kind, _WAYS["road"]), path)


def _course(board: Map, paper: Paper, road: Chain) -> list[Point]:
    """A point in each hex of a road, led on to the map's edge where it leaves the map.

    At junctions and ends it is the centre; elsewhere a little inside the bend, so that roads don't zigzag.
    """
    points = [paper.centre(h) for h in road.hexes]
    for before, i, after in zip(points[:-2], range(1, len(points) - 1), points[2:], strict=True):
        if sum(bool(link.ways) for link in board.links[road.hexes[i]]) == 2:
            points[i] = paper.centre(road.hexes[i]).towards(before.towards(after, 0.5), _EASE)
    for end, inner, place in ((road.hexes[0], road.hexes[1], 0), (road.hexes[-1], road.hexes[-2], len(points) + 1)):
        beyond = Hex(2 * end - inner)
        if beyond not in board and beyond not in board.water:
            points.insert(place, paper.centre(end).towards(paper.centre(beyond), 0.5))
    return points


def _bridges(board: Map, paper: Paper) -> Iterator[str]:
    """Two parapets where a road crosses water, drawn along the road."""
    parapets = ""
    crossed = {(min(a, b), max(a, b)) for road in board.roads for a, b in pairwise(road.hexes)}
    for a, b in sorted(crossed):
        kinds = board.side(a, b)
        if {_SAME_SIDES.get(kind, kind) for kind in kinds} & _BRIDGED or "bridge" in kinds:
            (x, y), (x2, y2) = paper.centre(a), paper.centre(b)
            ux, uy = (x2 - x) / (2 * RADIUS), (y2 - y) / (2 * RADIUS)
            long = 10 if "river" in kinds else 6
            middle = Point((x + x2) / 2, (y + y2) / 2)
            for aside in (-6, 6):
                p = middle.by(-uy * aside - ux * long, ux * aside - uy * long)
                parapets += f"M{number(p.x)} {number(p.y)}l{number(2 * long * ux)} {number(2 * long * uy)}"
    if parapets:
        yield element("path", d=parapets, fill="none", stroke="#221507", stroke_width="3", stroke_linecap="round")


_UNDER_NUMBERS = frozenset({"victory_hex", *SIGNS})


def draw_numbers(board: Map, paper: Paper) -> Iterator[str]:
    """The hex numbers, on a plate of the ground's colour where roads, rivers or rings run beneath."""
    plates: dict[str, str] = {}
    for h in board.hexes:
        if board.terrain[h] & _UNDER_NUMBERS or any(link.ways or link.side for link in board.links[h]):
            x, y = paper.number_at(h)
            fill = look_of(board.terrain[h]).fill
            wide = number(6.5 * len(board.label(h)))
            plate = f"M{number(x - float(wide) / 2)} {number(y - 8.5)}h{wide}v9.5h-{wide}z"
            plates[fill] = plates.get(fill, "") + plate
    for fill, path in sorted(plates.items()):
        yield element("path", d=path, fill=fill, fill_opacity="0.75")
    numbers = []
    for h in board.hexes:
        x, y = paper.number_at(h)
        numbers.append(element("text", board.label(h), x=number(x), y=number(y)))
    yield element("g", numbers, fill="#4a4636", font_size="10", text_anchor="middle")


def terrain_sample(features: frozenset[str] | None, corners: list[Point], centre: Point) -> str:
    """A hex of the legend with the look of these features; None for open water."""
    look = _WATER if features is None else look_of(features)
    frame = element("path", d=polygon(corners), fill="none", stroke="#6f6a55", stroke_width="0.8")
    signs = (part for name, sign in SIGNS.items() if name in (features or ()) for part in _sign(sign, [centre]))
    return "".join(_drawn(look, [corners], [centre])) + frame + "".join(signs)


def side_sample(kind: str, at: Point) -> str:
    """A piece of a hexside for the legend."""
    points = [at.by(0, 6), at.by(14, -6), at.by(28, 6), at.by(42, -6)]
    return "".join(_stroked(_side_line(kind), bent(points)))


def way_sample(kind: str, at: Point) -> str:
    """A piece of a road for the legend."""
    points = [at.by(0, 4), at.by(14, -3), at.by(28, 3), at.by(42, -4)]
    return "".join(_stroked(_WAYS.get(kind, _WAYS["road"]), rounded(points)))
