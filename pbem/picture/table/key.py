"""The key of a picture of a table: scale, ground, sides, troops, states and marks, of each what the picture shows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pbem.language import say, shown
from pbem.picture.arrows import draw_arrows
from pbem.picture.counters import band, disc
from pbem.picture.legend import Item, marks_of, track_items
from pbem.picture.paper import Point, element, number, text
from pbem.picture.table.cloth import INCH, Cloth, piece_sample
from pbem.picture.table.figures import BaseView, StandView, draw_base, figure, hull, look_of_side, lost_figure
from pbem.picture.table.marks import draw_reach, ghost, strikes_of
from pbem.picture.table.views import Battle
from pbem.words import the

__all__ = ["items"]

_INK = "#2a2416"


def items(battle: Battle) -> Iterator[Item]:
    """Each sign of the picture with its meaning."""
    many, edge = shown(battle.table.measure[1]), shown(battle.table.edges["south"])
    yield Item(_north, 20, say("north"))
    yield Item(_scale, 5 * INCH, f"5 {many}")
    yield Item(partial(_line, dashes="14 7"), 60, say("middle of the table"))
    yield Item(partial(_line, dashes="2 7"), 60, say("thirds, as seen from the %(edge)s edge", edge=edge))
    cloth = Cloth(battle.table)
    seen = [
        piece.kind
        for piece in battle.table.pieces
        if battle.window is None or battle.window.overlap(hull(tuple(map(cloth.spot, piece.corners))))
    ]
    for kind in dict.fromkeys(seen):
        yield Item(partial(_piece, kind), 40, shown(kind.replace("_", " ")))
    yield from _troops(battle)
    yield from _states(battle)
    for side in battle.sides:
        if any(move.side == side for move in battle.moves):
            sample = partial(_way, side=side, sides=battle.sides)
            yield Item(sample, 96, say("where a unit of %(side)s stood, and its way", side=the(battle.called(side))))
    yield from track_items(battle)
    yield from marks_of(battle.moves, battle.fights, ("1", "2"))
    if any(fight.whom for fight in battle.fights) and any(strike.whom for strike in strikes_of(battle)):
        yield Item(_whom, 42, say("whom a mark was at, where another unit is nearer now"))
    for ray in {ray.look: ray for unit in battle.units for ray in unit.reach}.values():
        words = say("range and arc of fire") if ray.look == "fire" else say("full move")
        yield Item(partial(_reach, look=ray.look), 44, words)


def _troops(battle: Battle) -> Iterator[Item]:
    units, sides = battle.units, battle.sides
    for side in sides:
        if any(u.side == side for u in units):
            words = say("%(side)s: base, tooth at its front", side=battle.called(side))
            yield Item(partial(_base, side=side, sides=sides), 44, words)
    for symbol in sorted({u.symbol for u in units}):
        side = next(u.side for u in units if u.symbol == symbol)
        words = shown(battle.table.kinds.get(symbol, symbol))
        yield Item(partial(_figure, symbol=symbol, side=side, sides=sides), 32, words)
    if any(stand.figures < stand.of for u in units for stand in u.stands):
        yield Item(_lost, 14, say("lost figure"))


def _states(battle: Battle) -> Iterator[Item]:
    for banded in sorted({badge for u in battle.units if (badge := u.badge("band"))}):
        yield Item(partial(_band, banded.sign), 24, say("%(state)s: striped base", state=banded.title))
    for marked in sorted({badge for u in battle.units if (badge := u.badge("disc"))}):
        yield Item(partial(_disc, marked.sign), 15, marked.title)


# --- samples ---------------------------------------------------------------------------------------------------------


def _north(at: Point) -> str:
    x, y = number(at.x + 10), number(at.y)
    return element("path", d=f"M{x} {y}m0 -18l8 34l-8 -8l-8 8z", fill=_INK)


def _scale(at: Point) -> str:
    ticks = "".join(f"M{number(at.x + i * INCH)} {number(at.y - 6)}v12" for i in range(6))
    bar = f"M{number(at.x)} {number(at.y)}h{number(5 * INCH)}{ticks}"
    return element("path", d=bar, fill="none", stroke=_INK, stroke_width="2")


def _line(at: Point, dashes: str) -> str:
    line = {"d": f"M{number(at.x)} {number(at.y)}h60", "fill": "none", "stroke": "#5d5a48", "stroke_width": "1.6"}
    return element("path", **line, stroke_dasharray=dashes)


def _piece(kind: str, at: Point) -> str:
    placed = f"translate({number(at.x + 20)} {number(at.y)}) scale(0.55)"
    return element("g", piece_sample(kind, Point(0, 0)), transform=placed)


def _base(at: Point, side: str, sides: tuple[str, ...]) -> str:
    stand = StandView((at.by(1, -14), at.by(43, -14), at.by(43, 16), at.by(1, 16)), 1, 1)
    return draw_base(BaseView("", side, "", (stand,), 0), sides)


def _figure(at: Point, symbol: str, side: str, sides: tuple[str, ...]) -> str:
    placed = f"translate({number(at.x + 17)} {number(at.y + 2)}) scale(1.3)"
    return element("g", figure(symbol, Point(0, 0), 0, look_of_side(side, sides)), transform=placed)


def _lost(at: Point) -> str:
    return lost_figure(at.by(7, 0))


def _band(sign: str, at: Point) -> str:
    return element("g", band(sign, at.by(12, 0), 20), text_anchor="middle")


def _disc(sign: str, at: Point) -> str:
    return element("g", disc(sign, at.by(7.5, 0)), text_anchor="middle")


def _whom(at: Point) -> str:
    return text(at.by(21, 5), "sp-1", 12, fill="#b3140f", font_weight="bold", text_anchor="middle")


def _way(at: Point, side: str, sides: tuple[str, ...]) -> str:
    stood = [at.by(26, -14), at.by(26, 14), at.by(2, 14), at.by(2, -14)]
    arrow = draw_arrows([([at.by(14, 0), at.by(94, 0)], look_of_side(side, sides).arrow)])
    return ghost(stood, side, sides) + "".join(arrow)


def _reach(at: Point, look: str) -> str:
    from pbem.picture.table.figures import RayView

    ray = RayView(look, "", at.by(4, 14 if look == "fire" else 0), 34, 45 if look == "fire" else 90, 0)
    return "".join(draw_reach([ray._replace(arc=90 if look == "fire" else 0)]))
