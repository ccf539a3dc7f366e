"""The courses on the printed map: hexsides, lines and ways, each told apart by shape as well as colour."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise

from pbem.maps.courses import Crossing, Road
from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map
from pbem.picture.paper import Paper, Point, bent, broken, element, rounded
from pbem.records import NamedTuple

__all__ = [
    "CROSSINGS", "SIDE_KINDS", "WAY_KINDS", "border_sample", "draw_borders", "draw_courses", "region_borders",
    "side_line", "side_sample", "way_sample",
]  # fmt: skip


class Line(NamedTuple):
    """How a hexside or road is drawn: casing under core, each colour and width, and the core's dashes."""

    casing: str
    casing_width: float
    core: str
    core_width: float
    dashes: str = ""


# fmt: off
_SIDES: dict[str, Line] = {
    "pond":       Line("#2f6188", 4,  "#2f6188", 3),
    "lake":       Line("#2f6188", 22, "#a9c9e2", 16),
    "creek":      Line("#f8f7ea", 5,  "#3f83b5", 2.2),
    "stream":     Line("#f8f7ea", 6,  "#3f83b5", 3.2),
    "minor_river": Line("#2c5d87", 10, "#8fbfe0", 6.2),
    "river":      Line("#2c5d87", 13, "#8fbfe0", 9.5),
    "major_river": Line("#1b4468", 21, "#8fbfe0", 15),
    "ridge":      Line("#f8f7ea", 9,  "#7a5a32", 6, "2 3"),
    "impassable": Line("#f8f7ea", 8,  "#222222", 6, "3 4"),
    "line":       Line("#ffffff", 7,  "#8a0f3c", 3.4, "15 6 3 6"),  # a border, over all else
}
_SAME_SIDES = {"small_river": "stream", "brook": "stream", "cliff": "impassable", "sea": "lake"}
_WAYS: dict[str, Line] = {
    "trail":    Line("#f8f7ea", 5, "#6b4a22", 2, "6 4"),
    "road":     Line("#7a5630", 6.4, "#fff9e8", 3.4),  # pale, unlike any side's arrows
    "pike":     Line("#5a3c17", 9, "#ffffff", 5),
    "railroad": Line("#111111", 6, "#ffffff", 3, "8 8"),
    "highroad": Line("#7a5630", 5, "#f6dfae", 2.6),
}
_BORDER = Line("#fffdf2", 7, "#7d2a55", 3, "12 7")  # between regions
# fmt: on
CROSSINGS = frozenset({"bridge", "ford", "ferry"})
"""The kinds of way that lead over one hexside; crossings.py draws them."""
SIDE_KINDS = frozenset({*_SIDES, *_SAME_SIDES, "bridge"})
WAY_KINDS = frozenset({*_WAYS, *CROSSINGS})
"""The kinds of hexside and road that are drawn as what they are."""
_BROAD = frozenset({"minor_river", "river", "major_river", "lake"})
"""The hexsides that are broader than a border."""
_EASE = 0.35
_BESIDE = 7.0
"""So far beside a road that it keeps company with a railroad is drawn."""


def side_line(kind: str) -> Line:
    """How a kind of hexside is drawn; a kind that isn't known is drawn as one that nobody crosses."""
    return _SIDES.get(_SAME_SIDES.get(kind, kind), _SIDES["impassable"])


def draw_courses(board: Map, paper: Paper) -> Iterator[str]:
    """Shores, hexsides and ways, from the paper up."""
    yield from _shores(board, paper)
    yield from _hexsides(board, paper)
    yield from _borders_in_rivers(board, paper)
    yield from _roads(board, paper)


def draw_borders(board: Map, paper: Paper) -> Iterator[str]:
    """Borders between regions, but for those that a broad river hides."""
    if pairs := [pair for pair in _parted(board) if not board.side(*pair) & _BROAD]:
        yield from _stroked(_BORDER, "".join(broken(paper.side(*pair)) for pair in pairs))


def region_borders(board: Map, paper: Paper) -> list[tuple[Point, Point]]:
    """The sides between hexes of two regions."""
    return [paper.side(*pair) for pair in _parted(board)]


def _parted(board: Map) -> list[tuple[Hex, Hex]]:
    """The hexes of two regions that lie side by side."""
    region = board.region
    return [(h, n) for h in region for n in neighbours(h) if h < n and region.get(n, region[h]) != region[h]]


def _shores(board: Map, paper: Paper) -> Iterator[str]:
    shores = [paper.side(h, n) for h in sorted(board.water) for n in neighbours(h) if n in board]
    if shores:
        yield from _stroked(_SIDES["pond"], "".join(rounded(side) for side in shores))


def _hexsides(board: Map, paper: Paper) -> Iterator[str]:
    for line in _SIDES.values():
        courses = [c for c in _joined(board.hexsides) if side_line(c.kind) is line and c.kind != "bridge"]
        if courses:
            yield from _stroked(line, "".join(bent(run) for c in courses for run in _runs(c, paper)))


def _joined(courses: Iterable[Crossing]) -> list[Crossing]:
    """Courses of one name and kind as one, so that a river that is written in parts bends on where they meet."""
    found: dict[tuple[str, str], Crossing] = {}
    for course in courses:
        key = (course.name, course.kind)
        found[key] = course._replace(sides=found[key].sides + course.sides) if key in found else course
    return [*found.values()]


def _borders_in_rivers(board: Map, paper: Paper) -> Iterator[str]:
    """Borders between regions in the middle of broad rivers, along their bends."""
    parted = {frozenset(pair) for pair in _parted(board)}
    courses = [course for course in _joined(board.hexsides) if course.kind in _BROAD]
    along = [c._replace(sides=tuple(pair for pair in c.sides if frozenset(pair) in parted)) for c in courses]
    if path := "".join(bent(run) for course in along for run in _runs(course, paper)):
        line = {"stroke": _BORDER.core, "stroke_width": "2.2", "stroke_dasharray": _BORDER.dashes}
        yield element("path", d=path, fill="none", **line)


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
        {road.kind for road in board.roads} - CROSSINGS, key=lambda k: (list(_WAYS).index(k) if k in _WAYS else 9, k)
    ):
        path = "".join(rounded(_course(board, paper, road)) for road in board.roads if road.kind == kind)
        yield from _stroked(_WAYS.get(kind, _WAYS["road"]), path)


def _course(board: Map, paper: Paper, road: Road) -> list[Point]:
    """A point in each hex of a road, led on to the map's edge where it leaves the map.

    At junctions and ends it is the centre; elsewhere a little inside the bend, so that roads don't zigzag. A railroad
    keeps beside the roads that go its way.
    """
    centres = [paper.centre(h) for h in road.hexes]
    points = [*centres]
    for before, i, after in zip(centres[:-2], range(1, len(points) - 1), centres[2:], strict=True):
        if sum(bool(link.ways) for link in board.links[road.hexes[i]]) == 2 or road.kind == "railroad":
            points[i] = centres[i].towards(before.towards(after, 0.5), _EASE)
    if road.kind == "railroad":
        points = list(_beside(board, road, points))
    for end, inner, place in ((road.hexes[0], road.hexes[1], 0), (road.hexes[-1], road.hexes[-2], len(points) + 1)):
        beyond = Hex(2 * end - inner)
        if beyond not in board and beyond not in board.water:
            points.insert(place, paper.centre(end).towards(paper.centre(beyond), 0.5))
    return points


def _beside(board: Map, road: Road, points: list[Point]) -> Iterator[Point]:
    """The points of a railroad, those moved to one side that roads go to or come from, too; never where rails meet."""
    shared = [bool(board.ways(*step) - CROSSINGS - {road.kind}) for step in pairwise(road.hexes)]
    yield points[0]
    for i, (before, point, after) in enumerate(zip(points, points[1:], points[2:], strict=False), 1):
        meet = sum(road.kind in link.ways for link in board.links[road.hexes[i]]) > 2
        far = 0.0 if meet or not any(shared[i - 1 : i + 1]) else _BESIDE / math.dist(before, after)
        yield point.by((before.y - after.y) * far, (after.x - before.x) * far)
    yield points[-1]


def border_sample(at: Point) -> str:
    """A piece of a border between regions for the legend."""
    return "".join(_stroked(_BORDER, bent([at.by(0, 6), at.by(14, -6), at.by(28, 6), at.by(42, -6)])))


def side_sample(kind: str, at: Point) -> str:
    """A piece of a hexside for the legend."""
    points = [at.by(0, 6), at.by(14, -6), at.by(28, 6), at.by(42, -6)]
    return "".join(_stroked(side_line(kind), bent(points)))


def way_sample(kind: str, at: Point) -> str:
    """A piece of a road for the legend."""
    points = [at.by(0, 4), at.by(14, -3), at.by(28, 3), at.by(42, -4)]
    return "".join(_stroked(_WAYS.get(kind, _WAYS["road"]), rounded(points)))
