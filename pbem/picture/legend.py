"""The key beside the map: scale, terrain, hexsides, roads, sides, formations and marks that this picture shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.picture.counters import COUNTER, CounterView, colours_of, disc, star, symbol, tint_of
from pbem.picture.lines import side_sample, way_sample
from pbem.picture.paper import Paper, Point, element, number, polygon, text, width_of
from pbem.picture.terrain import SIGNS, terrain_sample

__all__ = ["PALER", "draw_legend"]

_SIZE = 15.0
_LINE = 46.0
_GAP = 26.0
PALER = "0.4"


class Item(NamedTuple):
    """One entry: a sample drawn around its left middle, how wide it is, and what it means."""

    sample: Callable[[Point], str]
    width: float
    words: str


def draw_legend(
    board: Map,
    paper: Paper,
    units: Sequence[CounterView],
    held: Mapping[Hex, str],
    sides: tuple[str, ...],
    formations: tuple[str, ...],
    *,
    areas: bool,
    titles: Mapping[str, str],
    earlier: bool,
    prize: str,
) -> tuple[list[str], float]:
    """The key's elements below the map, in lines as wide as the map, and the height of the whole picture.

    `titles` are what sides and formations are called; others show their ids. `earlier`: old moves or fights are drawn.
    `prize` is what a hex is called that counts for victory.
    """
    items = [*_ground_items(board), *_piece_items(units, held, sides, formations, titles, prize)]
    if areas and board.areas:
        items.append(Item(_area_sample, 40, "set-up area"))
    if earlier:
        items.append(Item(_earlier, 40, "paler: moves and fights before the newest"))
    drawn, x, y = [], 34.0, paper.bottom + 44
    for item in items:
        wide = item.width + 8 + width_of(item.words, _SIZE) + _GAP
        if x + wide > paper.width and x > 34:
            x, y = 34.0, y + _LINE
        drawn.append(item.sample(Point(x, y)))
        drawn.append(text(Point(x + item.width + 8, y + 5), item.words, _SIZE, fill="#2a2416"))
        x += wide
    return drawn, y + 40


def _ground_items(board: Map) -> Iterator[Item]:
    if board.layout == "pointy":
        yield Item(_north, 20, "north")
    yield Item(_hex_wide, 70, f"one hex: {board.scale}" if board.scale else "one hex")
    printed_over = {"victory_hex", *(road.kind for road in board.roads)}
    plain = {features - printed_over for features in board.terrain.values()}
    for features in sorted(plain, key=lambda f: (len(f), sorted(f))):
        words = " + ".join(f.replace("_", " ") for f in sorted(features, key=lambda f: (f in SIGNS, f))) or "open"
        yield Item(partial(_hex_sample, features), 40, words)
    for kind in sorted(set(board.water.values())):
        yield Item(partial(_hex_sample, None), 40, f"{kind} (not in play)")
    for kind in sorted({c.kind for c in board.hexsides} - {"line"}):
        yield Item(partial(side_sample, kind), 42, f"{kind.replace('_', ' ')} hexside")
    if lines := [c.name for c in board.hexsides if c.kind == "line"]:
        yield Item(partial(side_sample, "line"), 42, ", ".join(dict.fromkeys(lines)))
    for kind in sorted({road.kind for road in board.roads}):
        yield Item(partial(way_sample, kind), 42, kind.replace("_", " "))


def _piece_items(
    units: Sequence[CounterView],
    held: Mapping[Hex, str],
    sides: tuple[str, ...],
    formations: tuple[str, ...],
    titles: Mapping[str, str],
    prize: str,
) -> Iterator[Item]:
    for side in sides:
        called = titles.get(side, side)
        if side in held.values():
            yield Item(partial(_ring, colour=colours_of(side, sides).card), 36, f"{prize} of {called}")
        if any(u.side == side for u in units):
            yield Item(
                partial(_patch, colour=colours_of(side, sides).card, width=34, height=34), 34, f"units of {called}"
            )
    for formation in sorted({u.formation for u in units} & {*formations}):
        words = titles.get(formation, formation)
        yield Item(partial(_patch, colour=tint_of(formation, formations), width=26, height=17), 26, words)
    for kind in sorted({u.symbol for u in units}):
        yield Item(partial(_symbol, kind), 26, kind.replace("_", " "))
    for starred in sorted({badge for u in units if (badge := u.badge("star"))}):
        yield Item(_star, 14, starred.title)
    for marked in sorted({badge for u in units if (badge := u.badge("disc"))}):
        yield Item(partial(_disc, marked.sign), 15, marked.title)


def _hex_corners(at: Point, radius: float) -> list[Point]:
    return [at.at(30 - 60 * i, radius) for i in range(6)]


def _hex_sample(features: frozenset[str] | None, at: Point) -> str:
    """A small hex with the terrain's sign, drawn at the map's size and shrunk."""
    scaled = f"translate({number(at.x + 20)} {number(at.y)}) scale(.55)"
    origin = Point(0, 0)
    return element("g", terrain_sample(features, _hex_corners(origin, 40), origin), transform=scaled)


def _ring(at: Point, colour: str) -> str:
    ring = polygon(_hex_corners(at.by(18, 0), 17))
    edge = element("path", d=ring, fill="none", stroke="#111111", stroke_width="7")
    return edge + element("path", d=ring, fill="none", stroke=colour, stroke_width="4.4")


def _patch(at: Point, colour: str, width: float, height: float) -> str:
    corner = at.by(0, -height / 2)
    size = {"width": width, "height": height, "rx": 4 if height > COUNTER / 2 else 0}
    return element("rect", x=number(corner.x), y=number(corner.y), **size, fill=colour, stroke="#111")


def _symbol(kind: str, at: Point) -> str:
    return element("g", symbol(kind, at.by(13, 0), "#ffffff"), text_anchor="middle")


def _star(at: Point) -> str:
    return "".join(star(at.by(7, 0)))


def _disc(sign: str, at: Point) -> str:
    return element("g", disc(sign, at.by(7.5, 0)), text_anchor="middle")


def _north(at: Point) -> str:
    x, y = number(at.x + 10), number(at.y)
    arrow = element("path", d=f"M{x} {y}m0 -18l8 34l-8 -8l-8 8z", fill="#2a2416")
    return arrow + text(at.by(10, -21), "N", 12, fill="#2a2416", text_anchor="middle", font_weight="bold")


def _hex_wide(at: Point) -> str:
    bar = f"M{number(at.x)} {number(at.y)}m0 -6v12m0 -6h69.3m0 -6v12"
    return element("path", d=bar, fill="none", stroke="#2a2416", stroke_width="2")


def _earlier(at: Point) -> str:
    """A dark line that grows pale."""
    x, y = number(at.x), number(at.y)
    line = element("path", d=f"M{x} {y}h18", stroke="#111111", stroke_width="8")
    return line + element("path", d=f"M{x} {y}m22 0h18", stroke="#111111", stroke_width="8", opacity=PALER)


def _area_sample(at: Point) -> str:
    line = {"d": f"M{number(at.x)} {number(at.y)}h40", "stroke": "#a01468", "stroke_width": "3"}
    return element("path", **line, stroke_dasharray="8 6")
