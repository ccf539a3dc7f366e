"""Where shields and the signs of places lie: beside the counters of their hex, where they hide no number."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence

from pbem.maps.hexes import Hex, neighbours
from pbem.picture.counters import DISC, CounterView, card, printed_lines
from pbem.picture.numbers import number_boxes
from pbem.picture.paper import RADIUS, Box, Paper, Point
from pbem.picture.views import Scene
from pbem.records import NamedTuple

__all__ = ["Spots", "Taken", "boxes_of", "clearest", "spots_of"]

_SHIELD, _SIGN = 9.0, 7.5  # half of what each covers
_LOWER_LEFT, _LOWER_RIGHT = Point(-26.0, 24.0), Point(0.5 * RADIUS, 0.56 * RADIUS)
"""Where a shield and a sign lie from the middle of a hex in which nobody stands."""
_BESIDE = (20.0, 16.0, 12.0, 8.0, 4.0, 0.0, -4.0, -8.0, -12.0, -16.0)  # how far below the middle of the hex it may lie
_COSTS = {"card": 0.3, "number": 4.0, "mark": 8.0}
"""What it costs to cover so much of a counter, of a number on it or the map, of another such mark."""

Taken = tuple[Box, float]  # what shouldn't be covered, and the cost of it


class Spots(NamedTuple):
    """The middle of each shield and of each sign, by its hex."""

    shields: dict[Hex, Point]
    signs: dict[Hex, Point]


def spots_of(scene: Scene, paper: Paper, units: Iterable[tuple[CounterView, Point]]) -> Spots:
    """Where each lies, with the counters placed so: shields rather left of them, signs right."""
    found = Spots({}, {})
    hexes = sorted({*scene.shields, *scene.signs})
    if not hexes:
        return found
    near = {other for h in hexes for other in (h, *neighbours(h))}
    there = [(unit, at) for unit, at in units if unit.at in near]
    taken = [*_printed(scene, paper, there, near)]
    for h in hexes:
        cards = [card(at) for unit, at in there if unit.at == h]
        close = paper.hex_box(h, 2 * RADIUS)
        beside = [one for one in taken if one[0].overlap(close)]
        for marks, spots, half in ((scene.shields, found.shields, _SHIELD), (scene.signs, found.signs, _SIGN)):
            if h in marks:
                spots[h] = clearest(
                    _places(paper.centre(h), cards, half, left=marks is scene.shields), half, beside, 2.0
                )
                beside.append((_square(spots[h], half), _COSTS["mark"]))
                taken.append(beside[-1])
    return found


def boxes_of(spots: Spots) -> Iterator[Box]:
    """What the shields and signs cover."""
    for found, half in ((spots.shields, _SHIELD), (spots.signs, _SIGN)):
        yield from (_square(at, half) for at in found.values())


def clearest(places: Iterable[Point], half: float, taken: Sequence[Taken], step: float) -> Point:
    """The place that covers least of what is taken; each one is so much worse than the one before."""
    best, least = Point(0, 0), math.inf
    for late, place in enumerate(places):
        if late * step >= least:
            break
        left, top, right, bottom = place.x - half, place.y - half, place.x + half, place.y + half
        cost = late * step
        for box, each in taken:
            if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]:
                cost += each * (min(right, box[2]) - max(left, box[0])) * (min(bottom, box[3]) - max(top, box[1]))
                if cost >= least:
                    break
        else:
            best, least = place, cost
    return best


def _places(centre: Point, cards: Sequence[Box], half: float, *, left: bool) -> Iterator[Point]:
    """Where a mark may lie, first choice first: in its corner of the hex, beside the counters, near the edge."""
    side = -1 if left else 1
    corners = [_LOWER_LEFT, _LOWER_RIGHT][::-side]
    yield from (centre.by(*corner) for corner in corners)
    out = [box.left - half - 1 - centre.x for box in cards] + [box.right + half + 1 - centre.x for box in cards]
    ends = [min(out), max(out)][::-side] if out else []
    spots = [Point(x, y) for x in (*ends, 26.0 * side, -26.0 * side, 31.0 * side, -31.0 * side) for y in _BESIDE]
    yield from (centre.by(*spot) for spot in spots if math.hypot(*spot) <= RADIUS)  # else it seems another hex's


def _printed(
    scene: Scene, paper: Paper, there: Sequence[tuple[CounterView, Point]], hexes: Collection[Hex]
) -> Iterator[Taken]:
    """The numbers of hexes, and the counters in them with what is printed on them and its discs."""
    for box in number_boxes(scene.board, paper, there, [h for h in sorted(hexes) if h in scene.board.hexes]):
        yield box, _COSTS["number"]
    for unit, at in there:
        box = card(at)
        yield box, _COSTS["card"]
        yield from ((line, _COSTS["number"]) for line in printed_lines(box))
        if unit.extra:  # beside the symbol
            yield Box(box.right - 13, at.y - 4, box.right, at.y + 7), _COSTS["number"]
        for look, x in (("disc", box.right), ("corner", box.left)):
            if unit.badge(look):
                yield _square(Point(x, box.top), DISC), _COSTS["number"]


def _square(at: Point, half: float) -> Box:
    return Box(at.x - half, at.y - half, at.x + half, at.y + half)
