"""Ids along the rear of stands, and signs of states beside their corners, each where it covers least."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce

from pbem.picture.counters import band, disc
from pbem.picture.paper import Box, Point, element, number, text, width_of
from pbem.picture.table.figures import BaseView, StandView, hats, leads
from pbem.records import NamedTuple

__all__ = ["Label", "covered_by", "draw_badges", "draw_labels", "labels_of"]

_SIZE = 14.0  # of the letters of an id
_BEHIND = 9.2  # how far behind the middle of its stand it stands
_MARGIN = 1.0  # what it leaves free at either end
_OUT = 7.0  # by how much an id may be longer than that on the base of a single figure
_LETTER = 5.0  # half of the square that stands for a part of it
_TOOTH = 9.0  # the same of the tooth of a front, or of a daimyo's horns
_BESIDE, _FARTHER = 5.0, 15.0  # how far beyond a corner a sign has its middle
_HALF = 8.0  # of a sign
_LATER = 2.0  # so much worse is a spot than the one before it
_COSTS = {"id": 3.0, "figure": 1.0, "sign": 4.0}
"""What it costs a sign to cover so much of an id, of a figure, of another sign."""
_CORNERS = {"band": (3, 2, 0, 1), "disc": (2, 3, 1, 0)}
"""Look of a sign -> the corners of a stand, from front left clockwise, beside which it may lie, the best first."""


class Label(NamedTuple):
    """An id: its middle, the size of its letters, how it is turned, and what it covers."""

    words: str
    at: Point
    size: float
    angle: int
    covers: tuple[Box, ...]


def labels_of(units: Iterable[BaseView]) -> Sequence[Label]:
    """The ids of units, one along the rear of each stand, beside the fronts of those that stand behind it."""
    return _labels_of(tuple(units))


@lru_cache(maxsize=4)
def _labels_of(units: tuple[BaseView, ...]) -> Sequence[Label]:
    """The same, looked for once for all that keeps clear of them."""
    fronts = [(unit.id, _square(stand.front, _TOOTH)) for unit in units for stand in unit.stands if leads(unit, stand)]
    order = sorted(range(len(fronts)), key=lambda number: fronts[number][1].left)
    lefts = [fronts[number][1].left for number in order]
    found = []
    for unit in units:
        for stand in unit.stands:
            spots = list(_spots(unit, stand))
            area = reduce(Box.union, (box for one in spots for box in one.covers))
            near = order[bisect_left(lefts, area.left - 2 * _TOOTH) : bisect_right(lefts, area.right)]
            others = [box for other, box in (fronts[number] for number in sorted(near)) if other != unit.id]
            found.append(min(spots, key=lambda one: sum(a.overlap(b) for a in one.covers for b in others)))
    return found


def draw_labels(labels: Iterable[Label]) -> Iterator[str]:
    """The ids, upright as far as can be."""
    for words, at, size, angle, _ in labels:
        turned = {"transform": f"rotate({angle} {number(at.x)} {number(at.y)})"} if angle else {}
        look = {"fill": "#111111", "font_weight": "bold", "text_anchor": "middle"}
        yield text(at.by(0, 0.36 * size), words, size, **look, **turned)


def _spots(unit: BaseView, stand: StandView) -> Iterator[Label]:
    """Where the id of a stand may stand: in the middle, at the left and the right."""
    deep = max(math.dist(stand.front, stand.middle), 1)
    wide = math.dist(stand.corners[0], stand.corners[1]) - 2 * _MARGIN
    size = min(_SIZE, _SIZE * (wide + _OUT) / max(width_of(unit.id, _SIZE, bold=True), 1))
    long = width_of(unit.id, size, bold=True)
    angle = unit.facing % 360 - (180 if 90 < unit.facing % 360 <= 270 else 0)
    middle = stand.middle.towards(stand.front, -_BEHIND / deep)
    free = max(wide - long, 0) / 2
    for aside in (0.0, -free, free):
        at = middle.at(angle, aside)
        parts = max(2, round(long / (2 * _LETTER)))
        along = [(2 * i + 1 - parts) * long / (2 * parts) for i in range(parts)]
        yield Label(unit.id, at, size, angle, tuple(_square(at.at(angle, by), _LETTER) for by in along))


def badges_of(units: Sequence[BaseView], labels: Iterable[Label]) -> Iterator[tuple[str, str, Point]]:
    """The signs of the units' states: look, sign and middle of each, beside a corner of its base."""
    taken = [("id", box) for label in labels for box in label.covers]
    taken += [("figure", _square(at, _HALF)) for unit in units for stand in unit.stands for at in hats(stand)]
    for unit in units:
        for look, corners in _CORNERS.items():
            if (badge := unit.badge(look)) is None:
                continue
            at = _beside(unit.stands[0], corners, taken)
            taken.append(("sign", _square(at, _HALF)))
            yield look, badge.sign, at


def draw_badges(units: Sequence[BaseView], labels: Iterable[Label]) -> Iterator[str]:
    """The signs of the units' states; they lie over all bases."""
    for look, sign, at in badges_of(units, labels):
        drawn = band(sign, at, 2 * _HALF + 1) if look == "band" else disc(sign, at)
        yield element("g", drawn, text_anchor="middle")


def covered_by(units: Sequence[BaseView]) -> Iterator[Box]:
    """What the ids and signs of units cover."""
    labels = labels_of(units)
    yield from (box for label in labels for box in label.covers)
    yield from (_square(at, _HALF) for _, _, at in badges_of(units, labels))


def _beside(stand: StandView, corners: Sequence[int], taken: Iterable[tuple[str, Box]]) -> Point:
    """The spot beside a corner that covers least, the first of equal ones."""
    box = _square(stand.middle, 2 * max(math.dist(stand.middle, corner) for corner in stand.corners))
    near = [(kind, other) for kind, other in taken if box.overlap(other)]
    ways = [(stand.corners[which], away) for away in (_BESIDE, _FARTHER) for which in corners]
    spots = [at.towards(stand.middle, -away / max(math.dist(at, stand.middle), 1)) for at, away in ways]

    def cost(late: int) -> float:
        own = _square(spots[late], _HALF)
        return _LATER * late + sum(_COSTS[kind] * own.overlap(other) for kind, other in near)

    return spots[min(range(len(spots)), key=cost)]


def _square(at: Point, half: float) -> Box:
    return Box(at.x - half, at.y - half, at.x + half, at.y + half)
