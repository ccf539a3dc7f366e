"""Fights: lines from whoever fires or attacks to a mark at the target, with the fight's number and its result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape
from itertools import product

from pbem.maps.hexes import neighbours
from pbem.picture.arrows import head_boxes
from pbem.picture.aside import Taken, boxes_of, clearest, spots_of
from pbem.picture.counters import CounterView, name_line, printed_lines
from pbem.picture.numbers import number_boxes
from pbem.picture.paper import RADIUS, Box, Paper, Point, element, number, polygon, text
from pbem.picture.views import FightView, Scene
from pbem.records import NamedTuple

__all__ = [
    "FightMark",
    "Taken",
    "attack_line",
    "burst",
    "covered",
    "draw_fights",
    "draw_lines",
    "fight_marks",
    "fight_sign",
    "fire_line",
    "kept_clear",
    "numbered",
    "settled",
    "swords",
]

_RED, _DARK = "#b3140f", "#7a0d0a"
_MARK = 15.0  # half of what a mark covers
_DISC = 8.0  # half of what a number covers
_REACH = 0.85 * RADIUS + 2 * _MARK + 2 * _DISC  # farther from its target no mark or number reaches
_CARD = 25.0  # half of what a counter covers
_TURNS = tuple(way * turn for turn in range(0, 181, 15) for way in ((1, -1) if 0 < turn < 180 else (1,)))
"""Where a mark may go, in degrees from its first choice."""
_NEARER = (1.0, 1.15, 0.8, 0.6, 0.4)  # how far from the target's middle it may lie, in parts of its first choice
_ROUND = (-135, -45, 135, 45, 180, 0, -90, 90, -160, -20, 160, 20, -115, -65, 115, 65)
"""Where its number may go, in degrees."""
_COSTS = {"card": 0.5, "name": 4.0, "line": 250.0, "clear": 30.0, "rim": 6.0, "mark": 250.0}
"""What it costs to cover so much of a counter, its name, its id or values, what else is clear, a mark's rim, a mark."""


class FightMark(NamedTuple):
    """A fight, the middle of its mark, and the middle of its number."""

    fight: FightView
    spot: Point
    disc: Point

    def boxes(self, paper: Paper) -> Iterator[Box]:
        """What the mark, its number and the lines to it cover."""
        yield from self.signs()
        for start in self.starts(paper):
            yield from (_square(start.towards(self.spot, part), 5) for part in (0.0, 0.25, 0.5, 0.75))

    def signs(self) -> Iterator[Box]:
        """What the mark and its number cover."""
        yield _square(self.spot, _MARK + 2)
        yield _square(self.disc, _DISC + 1)

    def starts(self, paper: Paper) -> Iterator[Point]:
        """Where the line of each unit begins: at the edge of its counter."""
        for source in dict.fromkeys(self.fight.sources):
            start = paper.centre(source).by(0, 4)
            long = math.dist(start, self.spot)
            if long > _CARD:
                yield start.towards(self.spot, _CARD / long)


def fight_marks(
    fights: Iterable[FightView], cards: Sequence[Box], paper: Paper, clear: Sequence[Box] = ()
) -> list[FightMark]:
    """Each fight's mark in the target's hex, towards the main unit, clear of ids, values, arrow heads, other marks."""
    found: list[FightMark] = []
    marked: list[Taken] = []
    for fight in fights:
        start, target = paper.centre(fight.sources[0]).by(0, 4), paper.centre(fight.target).by(0, 4)
        near = _square(target, _REACH)
        beside = [box for box in cards if box.overlap(near)]
        taken = [(box, _COSTS["card"]) for box in beside] + [(name_line(box), _COSTS["name"]) for box in beside]
        taken += [(line, _COSTS["line"]) for box in beside for line in printed_lines(box)]
        taken += [(box, _COSTS["clear"]) for box in clear if box.overlap(near)]
        taken += [one for one in marked if one[0].overlap(near)]
        away, centre = (0.75 if fight.kind == "fire" else 0.85) * RADIUS, paper.centre(fight.target)
        within = partial(_within, centre=centre, paper=paper)
        spot, disc = settled(start, target, [away * part for part in _NEARER], taken, within)
        marked += covered(spot, disc)
        found.append(FightMark(fight, spot, disc))
    return found


def kept_clear(scene: Scene, paper: Paper, units: Sequence[tuple[CounterView, Point]]) -> list[Box]:
    """What marks keep clear of beside counters: arrow heads, shields, signs, numbers of hexes fought for and near."""
    fought = dict.fromkeys(h for fight in scene.fights for h in (fight.target, *neighbours(fight.target)))
    numbers = number_boxes(scene.board, paper, units, [h for h in fought if h in scene.board.hexes])
    return [*head_boxes(scene.moves, paper), *boxes_of(spots_of(scene, paper, units)), *numbers]


def settled(
    start: Point, target: Point, away: Sequence[float], taken: list[Taken], within: Callable[[Point], bool]
) -> tuple[Point, Point]:
    """Where the mark of a fight lies, towards whoever began it, so far `away` from its target; and where its number.

    Both keep clear of what is `taken`; the mark lies `within`.
    """
    angle = math.degrees(math.atan2(start.y - target.y, start.x - target.x))
    spots = (target.at(angle + turn, part) for turn, part in product(_TURNS, away))
    spot = clearest(filter(within, spots), _MARK, taken, 8.0)
    taken += [(_square(spot, _MARK), _COSTS["rim"]), (_square(start.towards(spot, 0.6), 5.0), 4.0)]
    return spot, clearest((spot.at(turn, _MARK + 3) for turn in _ROUND), _DISC, taken, 4.0)


def covered(spot: Point, disc: Point) -> list[Taken]:
    """What a mark and its number take from those that come after it."""
    return [
        (_square(spot, _MARK), _COSTS["rim"]),
        (_square(spot, _DISC), _COSTS["mark"]),
        (_square(disc, _DISC), _COSTS["mark"]),
    ]


def _within(spot: Point, centre: Point, paper: Paper) -> bool:
    """Whether a point lies in the hex round a centre."""
    angle = math.degrees(math.atan2(spot.y - centre.y, spot.x - centre.x))
    aside = (angle + (30 if paper.pointy else 0)) % 60 - 30
    return math.dist(spot, centre) * math.cos(math.radians(aside)) < 0.86 * RADIUS


def _square(at: Point, half: float) -> Box:
    return Box(at.x - half, at.y - half, at.x + half, at.y + half)


def draw_lines(marks: Iterable[FightMark], paper: Paper) -> Iterator[str]:
    """The lines of fights; they lie under the counters, so that none crosses a name or a value."""
    for mark in marks:
        line = fire_line if mark.fight.kind == "fire" else attack_line
        yield from (line(start, mark.spot) for start in mark.starts(paper))


def draw_fights(marks: Iterable[FightMark]) -> Iterator[str]:
    """The marks of fights and their numbers."""
    for fight, spot, disc in marks:
        yield fight_sign(fight.kind, fight.result, fight.number, fight.title, spot, disc)


def fight_sign(kind: str, result: str, count: int, title: str, spot: Point, disc: Point) -> str:
    """The mark of a fight with its number; its title tells it in words."""
    drawn = burst(spot, result) if kind == "fire" else swords(spot, result)
    if count:
        drawn += numbered(disc, count)
    return element("g", element("title", escape(title)) + drawn) if title else drawn


def fire_line(start: Point, end: Point) -> str:
    """A dashed line from a unit that fires."""
    course = _line(start, end)
    white = element("path", d=course, stroke="#fff", stroke_width="5")
    return white + element("path", d=course, stroke=_RED, stroke_width="2.4", stroke_dasharray="7 4")


def attack_line(start: Point, end: Point) -> str:
    """A fat line from a unit that attacks."""
    course = _line(start, end)
    white = element("path", d=course, stroke="#fff", stroke_width="7")
    return white + element("path", d=course, stroke=_RED, stroke_width="4")


def _line(start: Point, end: Point) -> str:
    return f"M{number(start.x)} {number(start.y)}L{number(end.x)} {number(end.y)}"


def burst(spot: Point, result: str) -> str:
    """The mark of a fire."""
    points = [spot.at(22.5 * i, 15 if i % 2 == 0 else 9.5) for i in range(16)]
    star = element("path", d=polygon(points), fill="#ffd83d", stroke=_RED, stroke_width="1.6")
    return star + _result(spot, result)


def swords(spot: Point, result: str) -> str:
    """The mark of a melee: crossed swords over the result."""
    plate = element("circle", cx=number(spot.x), cy=number(spot.y), r="14", fill="#fff", stroke=_RED)
    x, y = number(spot.x), number(spot.y - 6)
    blades = f"M{x} {y}m-6 6l12 -12m-12 0l12 12m-12 -3.5l3.5 3.5m5 0l3.5 -3.5"
    return (
        plate + element("path", d=blades, fill="none", stroke=_RED, stroke_width="2.2") + _result(spot.by(0, 7), result)
    )


def _result(at: Point, result: str) -> str:
    words = "\N{EN DASH}" if result == "-" else result
    look = {"font_weight": "bold", "fill": _DARK, "text_anchor": "middle"}
    return text(at.by(0, 4.2), words, 12 if len(words) < 3 else 10, **look)


def numbered(at: Point, count: int) -> str:
    """A fight's number, white on a dark disc."""
    disc = element("circle", cx=number(at.x), cy=number(at.y), r=_DISC, fill=_DARK, stroke="#fff")
    look = {"font_weight": "bold", "fill": "#ffffff", "text_anchor": "middle"}
    return disc + text(at.by(0, 3.8), str(count), 11 if count < 100 else 8.5, **look)
