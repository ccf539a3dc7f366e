"""The key of a picture: scale, ground, sides, formations, counters and marks, of each what the picture shows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Protocol, TypeVar

from pbem.language import say, shown
from pbem.maps.hexes import Hex
from pbem.picture.arrows import PALER, entry_arrow, move_arrow
from pbem.picture.beside import Tracked
from pbem.picture.counters import (
    COUNTER,
    SIZES,
    Colours,
    CounterView,
    band,
    colours_of,
    counter,
    disc,
    leads,
    star,
    stripes,
    symbol,
    tint_of,
)
from pbem.picture.crossings import crossing_sample, crossings
from pbem.picture.fights import attack_line, burst, fire_line, numbered, swords
from pbem.picture.lines import CROSSINGS, border_sample, side_sample, way_sample
from pbem.picture.paper import Point, element, number, text, width_of
from pbem.picture.rings import NOBODYS, flag, goal_ring, place_sign, prize_ring
from pbem.picture.shields import shield
from pbem.picture.terrain import SIGNS, terrain_sample
from pbem.picture.views import GoalView, Scene, ShieldView
from pbem.records import NamedTuple
from pbem.words import the

__all__ = ["Item", "draw_legend", "laid_out", "marks_of", "track_items"]

T = TypeVar("T")

_SIZE = 15.0
_LINE = 42.0
_GAP = 26.0
_INK = "#2a2416"


class Item(NamedTuple):
    """One entry: a sample drawn around its left middle, how wide it is, and what it means."""

    sample: Callable[[Point], str]
    width: float
    words: str


def draw_legend(scene: Scene, top: float, width: float) -> tuple[list[str], float]:
    """The key's elements from `top` down, in lines of that width, and where it ends."""
    return laid_out(_items(scene), top, width)


def laid_out(items: Iterable[Item], top: float, width: float) -> tuple[list[str], float]:
    """The entries of a key from `top` down, in lines of that width, and where it ends."""
    drawn, left = [], 34.0 if width > 600 else 14.0
    x, y = left, top + 44
    for item in items:
        wide = item.width + 8 + width_of(item.words, _SIZE) + _GAP
        if x + wide - _GAP > width - left and x > left:
            x, y = left, y + _LINE
        drawn.append(item.sample(Point(x, y)))
        drawn.append(text(Point(x + item.width + 8, y + 5), item.words, _SIZE, fill=_INK))
        x += wide
    return drawn, y + 40


def _items(scene: Scene) -> Iterator[Item]:
    yield from _scale(scene)
    yield from _terrain(scene)
    yield from _courses(scene)
    yield from _rings(scene)
    yield from track_items(scene)
    yield from _counters(scene)
    yield from _states(scene.units)
    yield from _marks(scene)


# --- the ground --------------------------------------------------------------------------------------------------


def _scale(scene: Scene) -> Iterator[Item]:
    yield Item(_north, 20, say("north"))
    yield Item(_hex_wide, 70, _one_hex(scene.board.scale))


def _one_hex(scale: str) -> str:
    """How wide a hex is."""
    return say("one hex: %(scale)s", scale=shown(scale)) if scale else say("one hex")


def _terrain(scene: Scene) -> Iterator[Item]:
    board = scene.board
    printed_over = {"victory_hex", *(road.kind for road in board.roads)}
    plain = {features - printed_over for features in _shown(scene, board.terrain)}
    for features in sorted(plain, key=lambda f: (len(f), sorted(f))):
        names = (shown(f.replace("_", " ")) for f in sorted(features, key=lambda f: (f in SIGNS, f)))
        words = " + ".join(names) or say("open")
        yield Item(partial(_hex_sample, features), 40, words)
    for kind in sorted(_shown(scene, board.water)):
        yield Item(partial(_hex_sample, None), 40, say("%(ground)s (not in play)", ground=shown(kind)))
    for sign in sorted(_shown(scene, board.signs)):
        yield Item(partial(_hex_sample, frozenset({sign})), 40, shown(sign.replace("_", " ")))


def _courses(scene: Scene) -> Iterator[Item]:
    board = scene.board
    courses = [c for c in board.hexsides if any(_seen(scene, *pair) for pair in c.sides)]
    for kind in sorted({c.kind for c in courses} - {"line"}):
        yield Item(partial(side_sample, kind), 42, say("%(kind)s hexside", kind=shown(kind.replace("_", " "))))
    if lines := [c.name for c in courses if c.kind == "line"]:
        yield Item(partial(side_sample, "line"), 42, ", ".join(dict.fromkeys(lines)))
    if len(_shown(scene, board.region)) > 1:
        yield Item(border_sample, 42, say("border of a %(region)s", region=shown(board.region_called)))
    for kind in sorted({road.kind for road in board.roads if _seen(scene, *road.hexes)} - CROSSINGS):
        yield Item(partial(way_sample, kind), 42, shown(kind.replace("_", " ")))
    for kind in sorted({kind for pair, kind in crossings(board).items() if _seen(scene, *pair)}):
        yield Item(partial(crossing_sample, kind), 42, shown(kind))


def _shown(scene: Scene, of: Mapping[Hex, T]) -> set[T]:
    """What the hexes have that the key explains."""
    return {of[h] for h in scene.hexes if h in of} if scene.hexes else {*of.values()}


def _seen(scene: Scene, *hexes: int) -> bool:
    """Whether the key explains one of these hexes."""
    return not scene.hexes or not scene.hexes.isdisjoint(hexes)


def track_items(scene: Tracked) -> Iterator[Item]:
    """What the signs on the track of turns mean, those of both sides alike."""
    for sign, words in dict.fromkeys((mark.sign, mark.title) for mark in scene.track):
        wide = width_of(sign, _SIZE, bold=True)
        yield Item(partial(_sign, sign=sign), wide, say("on the track: %(what)s", what=words))


def _rings(scene: Scene) -> Iterator[Item]:
    sides = scene.sides
    for side in sides:
        if side in scene.held.values():
            yield Item(
                partial(_ring, colour=colours_of(side, sides).card),
                36,
                say("%(prize)s of %(side)s", prize=scene.prize, side=the(scene.called(side))),
            )
    if None in scene.held.values():
        yield Item(partial(_ring, colour=NOBODYS), 36, say("%(prize)s of nobody", prize=scene.prize))
    for goal in sorted({*scene.goals.values()}):
        yield Item(partial(_goal, goal=goal, sides=sides), 42, goal.title)
    if scene.shields:
        title = min(view.title for view in scene.shields.values())
        yield Item(partial(_shield, view=min(scene.shields.values())), 20, title)
    for side in sides:
        if side in scene.entries.values():
            sample = partial(_entry, colours=colours_of(side, sides))
            yield Item(sample, 34, say("%(side)s enters here", side=the(scene.called(side))))
    for mark in sorted({*scene.signs.values()}):
        yield Item(partial(_place_sign, mark.sign), 16, mark.title)
    if scene.areas and scene.board.areas:
        yield Item(_area_sample, 40, say("set-up area"))


# --- counters ----------------------------------------------------------------------------------------------------


def _counters(scene: Scene) -> Iterator[Item]:
    units, sides = scene.units, scene.sides
    for side in sides:
        if any(u.side == side for u in units):
            colour = colours_of(side, sides).card
            yield Item(
                partial(_patch, colours=[colour], width=34, height=34),
                34,
                say("units of %(side)s", side=the(scene.called(side))),
            )
    for row in dict.fromkeys(u.row for u in units if u.row):
        sample = min((u for u in units if u.row == row), key=lambda unit: leads(unit.symbol))
        sample = sample._replace(badges=tuple(badge for badge in sample.badges if badge.look != "band"))
        look = partial(_counter, view=sample, colours=colours_of(sample.side, sides))
        yield Item(look, COUNTER, say("id for orders, name, %(values)s", values="-".join(row)))
    for name in dict.fromkeys(name for u in units for name, _ in u.extra[:1]):
        yield Item(partial(_letter, sign=name[:1].upper()), 12, name)
    by_id = sorted((u for u in units if u.formation in scene.formations), key=lambda u: (sides.index(u.side), u.id))
    for formation in dict.fromkeys(u.formation for u in by_id):
        tints = tint_of(formation, scene.formations).split()
        yield Item(partial(_patch, colours=tints, width=26, height=17), 26, scene.called(formation))
    for kind in sorted({u.symbol for u in units}):
        branch, _, size = kind.rpartition("-")
        words = shown(f"{branch} {size}" if size in SIZES or (branch and leads(kind)) else kind.replace("_", " "))
        yield Item(partial(_symbol, kind), 38 if size in SIZES else 26, words)


def _states(units: Iterable[CounterView]) -> Iterator[Item]:
    for banded in sorted({badge for u in units if (badge := u.badge("band"))}):
        yield Item(partial(_band, banded.sign), 34, banded.title)
    for striped in sorted({badge for u in units if (badge := u.badge("stripes"))}):
        yield Item(_striped, 34, striped.title)
    for starred in sorted({badge for u in units if (badge := u.badge("star"))}):
        yield Item(_star, 14, starred.title)
    for marked in sorted({badge for u in units for look in ("corner", "disc") if (badge := u.badge(look))}):
        yield Item(partial(_disc, marked.sign), 15, marked.title)


# --- what happened -----------------------------------------------------------------------------------------------


def _marks(scene: Scene) -> Iterator[Item]:
    moves = [move for move in scene.moves if len(move.path) > 1]
    for side in scene.sides:
        if any(move.side == side for move in moves):
            colours = colours_of(side, scene.sides)
            yield Item(
                partial(_move, colours=colours), 46, say("way of a unit of %(side)s", side=the(scene.called(side)))
            )
    yield from marks_of(moves, scene.fights)


class Mark(Protocol):
    """A move or fight: an old one is drawn paler."""

    @property
    def old(self) -> bool:
        """Whether it came before the newest."""


class Fought(Mark, Protocol):
    """A fight on any ground."""

    @property
    def kind(self) -> str:
        """`fire`, or how it was fought else."""

    @property
    def number(self) -> int:
        """Its number in the report; 0 for none."""

    @property
    def result(self) -> str:
        """The result to print."""


def marks_of(
    moves: Collection[Mark], fights: Collection[Fought], results: tuple[str, str] | None = None
) -> Iterator[Item]:
    """The marks of fights, with a result of a fire and of an attack for a sample, and of what is older.

    Where no samples are given, and all results of a kind that are shown are numbers, the greatest of them is it.
    """
    usual_fire, usual_attack = results or ("D", "M1")
    for fires, sign, usual, words, loss in (
        (
            True, _fire, usual_fire,
            say("fire: who fires, at whom, the result"), say("fire: who fires, at whom, how much is lost"),
        ),
        (
            False, _melee, usual_attack,
            say("attack: who attacks, whom, the result"), say("attack: who attacks, whom, how much is lost"),
        ),
    ):  # fmt: skip
        results_shown = [fight.result for fight in fights if (fight.kind == "fire") == fires]
        numbers = results is None and bool(results_shown) and all(result.isdigit() for result in results_shown)
        if results_shown:
            yield Item(
                partial(sign, result=max(results_shown, key=int) if numbers else usual),
                60,
                loss if numbers else words,
            )
    if any(fight.number for fight in fights):
        yield Item(_number, 18, say("number of the fight in the report"))
    if any(move.old for move in moves) or any(fight.old for fight in fights):
        yield Item(_earlier, 40, _paler(any(moves), any(fights)))


def _paler(moves: bool, fights: bool) -> str:
    """What the paler ones of the marks are."""
    if moves and fights:
        return say("paler: moves and fights before the newest")
    return say("paler: moves before the newest") if moves else say("paler: fights before the newest")


# --- samples -----------------------------------------------------------------------------------------------------


def _hex_corners(at: Point, radius: float) -> list[Point]:
    return [at.at(30 - 60 * i, radius) for i in range(6)]


def _shrunk(drawn: str, at: Point, scale: float) -> str:
    """What is drawn round the origin, at a point."""
    return element("g", drawn, transform=f"translate({number(at.x)} {number(at.y)}) scale({scale})")


def _hex_sample(features: frozenset[str] | None, at: Point) -> str:
    """A small hex with the terrain's sign, drawn at the map's size and shrunk."""
    return _shrunk(_large_sample(features), at.by(20, 0), 0.55)


@lru_cache(maxsize=64)
def _large_sample(features: frozenset[str] | None) -> str:
    """A hex at the map's size, round nothing: a page has its map's key, and that of the parts of it."""
    origin = Point(0, 0)
    return terrain_sample(features, _hex_corners(origin, 40), origin)


def _ring(at: Point, colour: str) -> str:
    return prize_ring(_hex_corners(at.by(18, 0), 17), colour)


def _goal(at: Point, goal: GoalView, sides: tuple[str, ...]) -> str:
    middle, colour = at.by(22, 0), colours_of(goal.side, sides).card
    ring = goal_ring(_hex_corners(middle, 17), colour)
    return ring + (flag(middle.by(-12, 8), colour) if goal.look == "reach" else "")


def _shield(at: Point, view: ShieldView) -> str:
    return shield(view, at.by(10, 0))


def _place_sign(sign: str, at: Point) -> str:
    return element("g", place_sign(sign, at.by(8, 0)), text_anchor="middle")


def _entry(at: Point, colours: Colours) -> str:
    return entry_arrow(at.by(33, 0), 0, colours)


def _patch(at: Point, colours: list[str], width: float, height: float) -> str:
    corner = at.by(0, -height / 2)
    size = {"width": width, "height": height, "rx": 4 if height > COUNTER / 2 else 0}
    patch = element("rect", x=number(corner.x), y=number(corner.y), **size, fill=colours[0], stroke="#111")
    for colour in colours[1:]:
        half = {"width": width, "height": height / 2}
        patch += element("rect", x=number(corner.x), y=number(at.y), **half, fill=colour, stroke="#111")
    return patch


def _counter(at: Point, view: CounterView, colours: Colours) -> str:
    return _shrunk(counter(view, Point(0, 0), colours, "#ffffff", titled=False), at.by(COUNTER / 2, 0), 0.9)


def _letter(at: Point, sign: str) -> str:
    return text(at.by(6, 5), sign, 14, fill=_INK, font_weight="bold", text_anchor="middle")


def _sign(at: Point, sign: str) -> str:
    return text(at.by(0, 5), sign, _SIZE, fill=_INK, font_weight="bold")


def _symbol(kind: str, at: Point) -> str:
    aside = 12 if kind.rpartition("-")[2] in SIZES else 0
    return element("g", symbol(kind, at.by(13 + aside, 0), "#ffffff"), text_anchor="middle")


def _band(sign: str, at: Point) -> str:
    return element("g", band(sign, at.by(17, 0), 34), text_anchor="middle")


def _striped(at: Point) -> str:
    """A card with stripes and a dashed edge."""
    half, colours = COUNTER / 2, Colours("#ffffff", "#111111", "#9a9a9a")
    size: dict[str, str | float] = {"width": COUNTER, "height": COUNTER, "rx": "4", "stroke": "#111", "fill": "none"}
    card = element("rect", x=number(-half), y=number(-half), **size, stroke_width="1.8", stroke_dasharray="5 3")
    return _shrunk(stripes(Point(-half, -half), colours) + card, at.by(17, 0), 0.74)


def _star(at: Point) -> str:
    return "".join(star(at.by(7, 0)))


def _disc(sign: str, at: Point) -> str:
    return element("g", disc(sign, at.by(7.5, 0)), text_anchor="middle")


def _move(at: Point, colours: Colours) -> str:
    return move_arrow([at.by(4, 4), at.by(20, -4), at.by(44, 0)], colours)


def _fire(at: Point, result: str) -> str:
    return fire_line(at, at.by(44, 0)) + burst(at.by(44, 0), result)


def _melee(at: Point, result: str) -> str:
    return attack_line(at, at.by(44, 0)) + swords(at.by(44, 0), result)


def _number(at: Point) -> str:
    return numbered(at.by(9, 0), 1)


def _north(at: Point) -> str:
    x, y = number(at.x + 10), number(at.y)
    arrow = element("path", d=f"M{x} {y}m0 -18l8 34l-8 -8l-8 8z", fill=_INK)
    return arrow + text(at.by(10, -21), "N", 12, fill=_INK, text_anchor="middle", font_weight="bold")


def _hex_wide(at: Point) -> str:
    bar = f"M{number(at.x)} {number(at.y)}m0 -6v12m0 -6h69.3m0 -6v12"
    return element("path", d=bar, fill="none", stroke=_INK, stroke_width="2")


def _earlier(at: Point) -> str:
    """A dark line that grows pale."""
    x, y = number(at.x), number(at.y)
    line = element("path", d=f"M{x} {y}h18", stroke="#111111", stroke_width="8")
    return line + element("path", d=f"M{x} {y}m22 0h18", stroke="#111111", stroke_width="8", opacity=PALER)


def _area_sample(at: Point) -> str:
    line = {"d": f"M{number(at.x)} {number(at.y)}h40", "stroke": "#a01468", "stroke_width": "3"}
    return element("path", **line, stroke_dasharray="8 6")
