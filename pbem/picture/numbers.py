"""Hex numbers that counters would hide: upright beside them; and what the number of a hex covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.picture.counters import DISC, CounterView, card
from pbem.picture.labels import around
from pbem.picture.paper import NUMBER_SIZE, Box, Paper, Point, number, text, width_of

__all__ = ["draw_hidden", "number_boxes"]


def draw_hidden(board: Map, paper: Paper, units: Iterable[tuple[CounterView, Point]]) -> Iterator[str]:
    """The numbers of hexes that the counters in them cover, upright to the left of these."""
    for h, at in _hidden(board, paper, units).items():
        turned = {"transform": f"rotate(-90 {number(at.x)} {number(at.y)})", "text_anchor": "middle"}
        yield text(at, board.label(h), NUMBER_SIZE, halo="#fffdf2", fill="#4a4636", **turned)


def number_boxes(
    board: Map, paper: Paper, units: Iterable[tuple[CounterView, Point]], hexes: Iterable[Hex]
) -> Iterator[Box]:
    """What the numbers of some hexes cover."""
    hidden = _hidden(board, paper, units)
    for h in hexes:
        if h in hidden:
            half, at = width_of(board.label(h), NUMBER_SIZE) / 2, hidden[h]
            yield Box(at.x - 0.8 * NUMBER_SIZE, at.y - half, at.x, at.y + half)
        else:
            yield around(paper.number_at(h), board.label(h), NUMBER_SIZE)


def _hidden(board: Map, paper: Paper, units: Iterable[tuple[CounterView, Point]]) -> dict[Hex, Point]:
    """Hexes whose numbers the counters in them cover -> where these stand: left of the counters, below their discs."""
    left: dict[Hex, float] = {}
    discs: dict[Hex, float] = {}
    for unit, at in units:
        box, number_box = card(at), around(paper.number_at(unit.at), board.label(unit.at), NUMBER_SIZE)
        if unit.at in left or box.overlap(number_box) > 0:
            left[unit.at] = min(left.get(unit.at, box.left), box.left)
        if unit.badge("corner"):
            discs[unit.at] = max(discs.get(unit.at, box.top), box.top)
    found = {}
    for h, x in left.items():
        middle, half = paper.centre(h).y + 4, width_of(board.label(h), NUMBER_SIZE) / 2
        found[h] = Point(x - 3, max(middle, discs[h] + DISC + 2 + half) if h in discs else middle)
    return found
