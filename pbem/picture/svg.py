"""The map with its counters, moves and fights as one SVG text; a pure function of plain data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map
from pbem.picture.counters import COUNTER, Colours, CounterView, colours_of, counter, tint_of
from pbem.picture.labels import draw_names
from pbem.picture.legend import PALER, draw_legend
from pbem.picture.paper import RADIUS, Box, Paper, Point, element, number, polygon, rounded, text
from pbem.picture.terrain import draw_ground, draw_numbers

__all__ = ["PRIZE", "TITLE_SIZE", "CounterView", "FightView", "MoveView", "Printed", "ground", "svg"]

TITLE_SIZE = 24.0
PRIZE = "victory hex"
"""What a hex is called that counts for victory, where the rules have no word of their own."""
_STACKED = 4.0  # how far the next counter of a stack is set off


class MoveView(NamedTuple):
    """A move: the hexes from the first to the last, and whose it was; an old one is drawn paler."""

    path: tuple[Hex, ...]
    side: str
    old: bool = False


class FightView(NamedTuple):
    """A fire or melee from one hex at another; result is the word to print, "D", "M2", "-"; an old one is paler."""

    source: Hex
    target: Hex
    kind: str
    result: str
    old: bool = False


class Printed(NamedTuple):
    """What is printed on a map and never changes: terrain with its courses, and the hex numbers that lie over it."""

    terrain: str
    numbers: str


@lru_cache(maxsize=4)
def ground(board: Map) -> Printed:
    """The ground of a map, drawn: most of the work of a picture, so it is done once."""
    paper = Paper(board)
    return Printed("\n".join(draw_ground(board, paper)), "\n".join(draw_numbers(board, paper)))


def svg(
    board: Map,
    *,
    title: str,
    sides: Sequence[str] = (),
    units: Sequence[CounterView] = (),
    control: Mapping[Hex, str] | None = None,
    moves: Sequence[MoveView] = (),
    fights: Sequence[FightView] = (),
    highlights: Iterable[Hex] = (),
    areas: bool = False,
    formations: Sequence[str] = (),
    titles: Mapping[str, str] | None = None,
    printed: Printed | None = None,
    prize: str = PRIZE,
) -> str:
    """The picture as SVG, the same text for the same input.

    sides fixes the sides' colours (default: in the order of the map's and the units' names), formations those of the
    formations (default: those of the units); control tells who holds which victory hex (default: as at the start);
    areas outlines the set-up areas; titles are what the key calls sides and formations, prize what it calls such a hex;
    printed is the map's ground, where it is drawn already.
    """
    held = dict(control) if control is not None else {h: side for side, hexes in board.victory.items() for h in hexes}
    known = tuple(sides) or tuple(sorted({*held.values(), *(u.side for u in units), *(m.side for m in moves)}))
    tinted = tuple(sorted(formations or {u.formation for u in units}))
    paper = Paper(board)
    placed = list(_placed(units, paper))
    earlier = any(move.old for move in moves) or any(fight.old for fight in fights)
    legend, height = draw_legend(
        board, paper, units, held, known, tinted, areas=areas, titles=titles or {}, earlier=earlier, prize=prize
    )
    printed = printed or ground(board)
    layers = [
        printed.terrain,
        *(_areas(board, paper) if areas else ()),
        *_victory_hexes(held, paper, known, board, prize),
        printed.numbers,
        *_entries(board, paper, known),
        *_paler(_moves([move for move in moves if move.old], paper, known)),
        *_moves([move for move in moves if not move.old], paper, known),
        *draw_names(board, paper, [_box(at) for _, at in placed], held, areas=areas),
        *(counter(u, at, colours_of(u.side, known), tint_of(u.formation, tinted)) for u, at in placed),
        *_highlights(highlights, paper),
        *_paler(_fights([fight for fight in fights if fight.old], paper)),
        *_fights([fight for fight in fights if not fight.old], paper),
        *legend,
    ]
    return _page(title, paper.width, height, layers)


def _page(title: str, width: float, height: float, layers: list[str]) -> str:
    sheet = element("rect", width="100%", height="100%", fill="#fbfaf3")
    heading = text(Point(width / 2, 38), title, TITLE_SIZE, font_weight="bold", fill="#2a2416")
    return element(
        "svg",
        [
            element("title", escape(title)),
            sheet,
            element("g", heading, text_anchor="middle"),
            *(layer + "\n" for layer in layers),
        ],
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {math.ceil(width)} {math.ceil(height)}",
        width=math.ceil(width),
        height=math.ceil(height),
        font_family="Helvetica, Arial, sans-serif",
        role="img",
    )


def _placed(units: Sequence[CounterView], paper: Paper) -> Iterator[tuple[CounterView, Point]]:
    """Each counter with its centre; the units of one hex fan out a little, the last one on top."""
    count: dict[Hex, int] = {}
    for unit in units:
        before = count.get(unit.at, 0)
        count[unit.at] = before + 1
        yield unit, paper.centre(unit.at).by(_STACKED * before, 4 - _STACKED * before)


def _box(at: Point) -> Box:
    half = COUNTER / 2
    return Box(at.x - half, at.y - half, at.x + half, at.y + half)


def _victory_hexes(
    held: Mapping[Hex, str], paper: Paper, sides: tuple[str, ...], board: Map, prize: str
) -> Iterator[str]:
    for h, side in sorted(held.items()):
        ring = polygon(paper.corners(h, RADIUS - 3.8))
        yield element(
            "g",
            [
                element("title", escape(f"{prize} {board.describe(h)}: {side}")),
                element("path", d=ring, fill="none", stroke="#111111", stroke_width="7"),
                element("path", d=ring, fill="none", stroke=colours_of(side, sides).card, stroke_width="4.4"),
            ],
        )


def _entries(board: Map, paper: Paper, sides: tuple[str, ...]) -> Iterator[str]:
    for side, hexes in sorted(board.entries.items()):
        for h in hexes:
            outside = [n for n in neighbours(h) if n not in board and n not in board.water]
            if outside:
                at = paper.centre(h)
                mean = [sum(c) / len(outside) for c in zip(*(paper.centre(n) for n in outside), strict=True)]
                angle = math.degrees(math.atan2(mean[1] - at.y, mean[0] - at.x))
                meaning = f"{side} enters" if side in sides else f"entry {side}"
                yield _arrow_head(at.at(angle, RADIUS * 0.85), angle + 180, 32, colours_of(side, sides), meaning)


def _arrow_head(tip: Point, angle: float, length: float, colours: Colours, meaning: str = "") -> str:
    wings = [
        tip,
        tip.at(angle + 180 - 24, length),
        tip.at(angle + 180, length * 0.72),
        tip.at(angle + 180 + 24, length),
    ]
    look = {"fill": colours.card, "stroke": "#111", "stroke_width": "2", "stroke_linejoin": "round"}
    inside = element("title", escape(meaning)) if meaning else ""
    return element("path", inside, d=polygon(wings), **look)


def _paler(marks: Iterable[str]) -> Iterator[str]:
    """Marks of what happened earlier, one on the other without becoming darker."""
    if drawn := "".join(marks):
        yield element("g", drawn, opacity=PALER)


def _moves(moves: Sequence[MoveView], paper: Paper, sides: tuple[str, ...]) -> Iterator[str]:
    for move in moves:
        if len(move.path) < 2:
            continue
        colours = colours_of(move.side, sides)
        points = [paper.centre(h).by(0, 4) for h in move.path]
        last, before = points[-1], points[-2]
        angle = math.degrees(math.atan2(last.y - before.y, last.x - before.x))
        points[-1] = last.at(angle + 180, RADIUS * 0.85)
        course = {"d": rounded(points), "fill": "none", "stroke_linecap": "round"}
        for colour, wide in (("#ffffff", "12"), ("#111111", "8"), (colours.card, "5")):
            yield element("path", **course, stroke=colour, stroke_width=wide)
        yield _arrow_head(last.at(angle + 180, RADIUS * 0.6), angle, 19, colours)


def _fights(fights: Sequence[FightView], paper: Paper) -> Iterator[str]:
    for fight in fights:
        start, end = paper.centre(fight.source).by(0, 4), paper.centre(fight.target).by(0, 4)
        spot = start.towards(end, 0.62 if fight.kind == "fire" else 0.5)
        course = f"M{number(start.x)} {number(start.y)}L{number(spot.x)} {number(spot.y)}"
        if fight.kind == "fire":
            yield element("path", d=course, stroke="#fff", stroke_width="5")
            yield element("path", d=course, stroke="#b3140f", stroke_width="2.4", stroke_dasharray="7 4")
            burst = [spot.at(22.5 * i, 15 if i % 2 == 0 else 8) for i in range(16)]
            yield element("path", d=polygon(burst), fill="#ffd83d", stroke="#b3140f", stroke_width="1.6")
        else:
            yield element("circle", cx=number(spot.x), cy=number(spot.y), r="12", fill="#fff", stroke="#b3140f")
            yield _swords(spot)
        words = {"font_weight": "bold", "fill": "#7a0d0a", "text_anchor": "middle"}
        if fight.kind != "fire":
            spot = spot.by(0, 18)
            pill = {"x": number(spot.x - 14), "y": number(spot.y - 8), "width": "28", "height": "16", "rx": "8"}
            yield element("rect", **pill, fill="#fff", stroke="#b3140f")
        yield text(spot.by(0, 4.3), "\N{EN DASH}" if fight.result == "-" else fight.result, 12, **words)


def _swords(at: Point) -> str:
    x, y = number(at.x), number(at.y)
    blades = f"M{x} {y}m-7 7l14 -14m-14 0l14 14m-14 -4l4 4m6 0l4 -4"
    return element("path", d=blades, fill="none", stroke="#b3140f", stroke_width="2.6")


def _highlights(highlights: Iterable[Hex], paper: Paper) -> Iterator[str]:
    rings = "".join(polygon(paper.corners(h, RADIUS - 2)) for h in sorted(set(highlights)))
    if rings:
        yield element("path", d=rings, fill="none", stroke="#000", stroke_width="6")
        yield element("path", d=rings, fill="none", stroke="#ffee33", stroke_width="4", stroke_dasharray="9 4")


def _areas(board: Map, paper: Paper) -> Iterator[str]:
    """Each set-up area's outer boundary, and its name in the middle of its top."""
    for name, hexes in sorted(board.areas.items()):
        outside = [(h, n) for h in sorted(hexes) for n in neighbours(h) if n not in hexes]
        ends = [paper.side(h, n, RADIUS - 2.5) for h, n in outside]
        border = "".join(f"M{number(a.x)} {number(a.y)}L{number(b.x)} {number(b.y)}" for a, b in ends)
        look = {"d": border, "fill": "none", "stroke_linecap": "round"}
        yield element("g", [
            element("title", escape(f"set-up area {name}")),
            element("path", **look, stroke="#fff", stroke_width="6", stroke_opacity="0.8"),
            element("path", **look, stroke="#a01468", stroke_width="3", stroke_dasharray="8 6"),
        ])  # fmt: skip
