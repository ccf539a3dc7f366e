"""Bases from above, to scale: the figures that are left with headgear and weapons, front, and state."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from html import escape

from pbem.picture.counters import BadgeView, Colours
from pbem.picture.paper import Box, Point, element, number, polygon
from pbem.records import NamedTuple

__all__ = [
    "BaseView",
    "RayView",
    "StandView",
    "cells",
    "draw_base",
    "figure",
    "hats",
    "hull",
    "leads",
    "look_of_side",
    "lost_figure",
]

_HAT = 6.6  # radius of a figure's hat
_AHEAD = 4.5  # how far before the middle of a stand its figures stand
_MEETS = 2.0  # stands of a unit behind each other are so near at most
_TOOTH = 6.0  # how far the tooth stands out that shows the front


class Look(NamedTuple):
    """How a side is seen from above: hats with their rims and knobs, bases with their stripes, arrows."""

    hat: str
    rim: str
    knob: str
    base: str
    stripe: str
    arrow: Colours


# Told apart in grey as well: a light base under middle hats with a white knob, a dark base under black ones.
_LOOKS = (
    Look("#d5392c", "#5c0d06", "#ffffff", "#fbeed6", "#e6c48e", Colours("#d5392c", "#ffffff", "#e6c48e")),
    Look("#16130f", "#000000", "", "#b3bdb8", "#8a978f", Colours("#3a3632", "#ffffff", "#8a978f")),
)


class StandView(NamedTuple):
    """A stand: its corners on the picture, from front left clockwise; the figures left, and those at first."""

    corners: tuple[Point, ...]
    figures: int
    of: int

    @property
    def middle(self) -> Point:
        """The middle of it."""
        return self.corners[0].towards(self.corners[2], 0.5)

    @property
    def front(self) -> Point:
        """The middle of its front edge."""
        return self.corners[0].towards(self.corners[1], 0.5)

    @property
    def rear(self) -> Point:
        """The middle of its rear edge."""
        return self.corners[2].towards(self.corners[3], 0.5)


class RayView(NamedTuple):
    """How far a unit fires or moves: a point, a radius, a facing and an arc round it; 360 is a ring, 0 a line."""

    look: str
    title: str
    at: Point
    radius: float
    facing: int
    arc: int


class BaseView(NamedTuple):
    """A unit on the table: what it is, its stands, its facing in degrees clockwise from up, and all of it in words."""

    id: str
    side: str
    symbol: str
    stands: tuple[StandView, ...]
    facing: int
    badges: tuple[BadgeView, ...] = ()
    title: str = ""
    reach: tuple[RayView, ...] = ()

    def badge(self, look: str) -> BadgeView | None:
        """The first badge of that look."""
        return next((badge for badge in self.badges if badge.look == look), None)


def look_of_side(side: str, sides: tuple[str, ...]) -> Look:
    """How a side looks, by its place among the sides: the first has red hats, the second black ones."""
    return _LOOKS[sides.index(side) % len(_LOOKS)] if side in sides else _LOOKS[1]


def hull(corners: tuple[Point, ...]) -> Box:
    """The rectangle round points."""
    xs, ys = [p.x for p in corners], [p.y for p in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def cells(view: BaseView) -> Iterator[Box]:
    """What its figures cover, each a square: a slanting base covers little of the rectangle round it."""
    for stand in view.stands:
        for at in _places(stand, 0.0):
            yield Box(at.x - 15, at.y - 15, at.x + 15, at.y + 15)


def draw_base(view: BaseView, sides: tuple[str, ...]) -> str:
    """A unit; its title tells all of it in words."""
    look, routed = look_of_side(view.side, sides), view.badge("band") is not None
    parts = [element("title", escape(view.title))] if view.title else []
    for stand in view.stands:
        parts += _stand(view, stand, look, routed=routed)
    return element("g", parts)


def leads(view: BaseView, stand: StandView) -> bool:
    """Whether a stand of a unit has a front: none of its other stands is before it."""
    return not any(math.dist(stand.front, other.rear) < _MEETS for other in view.stands)


def hats(stand: StandView) -> Iterator[Point]:
    """Where the figures of a stand are, those that are lost too, from the left to the right."""
    return _places(stand, _AHEAD)


def _stand(view: BaseView, stand: StandView, look: Look, *, routed: bool) -> Iterator[str]:
    """A stand with its figures; a routed one is striped, with a dashed edge."""
    corners = list(stand.corners)
    yield element("path", d=polygon(corners), fill=look.base, stroke="none")
    if routed:
        yield element("path", d=_stripes(stand), stroke=look.stripe, stroke_width="5", fill="none")
    dashes = {"stroke_dasharray": "6 4"} if routed else {}
    yield element("path", d=polygon(corners), fill="none", stroke="#111111", stroke_width="1.6", **dashes)
    if leads(view, stand):
        yield from _front(stand)
    for i, at in enumerate(hats(stand)):
        if i < stand.figures:
            yield figure(view.symbol, at, view.facing, look)
        else:
            yield lost_figure(at)


def _front(stand: StandView) -> Iterator[str]:
    """The front edge: fat, with a tooth."""
    left, right = stand.corners[0], stand.corners[1]
    edge = f"M{number(left.x)} {number(left.y)}L{number(right.x)} {number(right.y)}"
    yield element("path", d=edge, stroke="#111111", stroke_width="3.6", stroke_linecap="square")
    middle, wide = stand.front, math.dist(left, right)
    tip = middle.towards(stand.middle, -_TOOTH / max(math.dist(middle, stand.middle), 1))
    tooth = [middle.towards(left, 10 / wide), tip, middle.towards(right, 10 / wide)]
    yield element("path", d=polygon(tooth), fill="#111111", stroke="none")


def _stripes(stand: StandView) -> str:
    """Slanting stripes from the front edge to the rear edge."""
    front_left, front_right, rear_right, rear_left = stand.corners
    wide, path = math.dist(front_left, front_right), ""
    many = max(2, round(wide / 13))
    for i in range(many):
        a = front_left.towards(front_right, (i + 0.75) / many)
        b = rear_left.towards(rear_right, (i + 0.25) / many)
        path += f"M{number(a.x)} {number(a.y)}L{number(b.x)} {number(b.y)}"
    return path


def _places(stand: StandView, ahead: float) -> Iterator[Point]:
    """Where its figures stand, from the left to the right."""
    front_left, front_right, rear_right, rear_left = stand.corners
    part = 0.5 - ahead / max(math.dist(front_left, rear_left), 1)
    left, right = front_left.towards(rear_left, part), front_right.towards(rear_right, part)
    for i in range(stand.of):
        yield left.towards(right, (2 * i + 1) / (2 * stand.of))


# --- figures ---------------------------------------------------------------------------------------------------------


def figure(symbol: str, at: Point, facing: int, look: Look) -> str:
    """A figure from above: its weapon, and its hat over it."""
    drawn = _WEAPONS.get(symbol, "")
    great = symbol == "daimyo"
    hat = element("circle", r=number(_HAT + great), fill=look.hat, stroke=look.rim, stroke_width="1.2")
    knob = element("circle", r="2.3", fill=look.knob) if look.knob else ""
    return element("g", drawn + hat + knob, transform=_placed(at, facing))


def _placed(at: Point, facing: int) -> str:
    turned = f" rotate({facing})" if facing else ""
    return f"translate({number(at.x)} {number(at.y)}){turned}"


def lost_figure(at: Point) -> str:
    """An empty place."""
    look = {"fill": "none", "stroke": "#6d675a", "stroke_width": "1.2", "stroke_dasharray": "2.4 2.2"}
    return element("circle", cx=number(at.x), cy=number(at.y), r="5", **look)


def _strokes(path: str, wide: str, colour: str = "#3c2810") -> str:
    return element("path", d=path, fill="none", stroke=colour, stroke_width=wide, stroke_linecap="round")


_STEEL = "#2f3f4f"
_HORNS = element(
    "path", d="M-11 -1Q-10 -13 0 -8Q10 -13 11 -1Q7 -8 0 -4Q-7 -8 -11 -1z", fill="#f2c230", stroke="#3c2810"
)
_WEAPONS: Mapping[str, str] = {  # of a figure that looks up, its hat round the origin
    "spear": _strokes("M10 9V-9", "1.8") + element("path", d="M10 -17l-3 8h6z", fill=_STEEL),
    "gunner": _strokes("M10 -9V-1", "2.6", "#111111") + _strokes("M10 0V8", "4.4"),
    "bow": _strokes("M-11 -5Q0 -17 11 -5", "2.2") + _strokes("M-11 -5L0 -7L11 -5M0 -7V-16", "1"),
    "sword": _strokes("M9 8Q15 0 10 -13", "2.4", _STEEL) + _strokes("M8.5 1.5H14.5", "1.8"),
    "ronin": _strokes("M6 4L13 -10M-6 4L-13 -10", "2", _STEEL),
    "daimyo": _HORNS,
}
"""Symbol of a unit -> the weapon, or sign of rank, by which its figures are known."""
