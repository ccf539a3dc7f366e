"""What happened on a table: ghosts of where units stood with arrows, fires and attacks; and how far a unit reaches."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from pbem.picture.arrows import draw_arrows, paler
from pbem.picture.fights import Taken, attack_line, covered, fight_sign, fire_line, settled
from pbem.picture.labels import around
from pbem.picture.paper import Box, Point, element, number, polygon, text
from pbem.picture.table.figures import RayView, cells, look_of_side
from pbem.picture.table.signs import covered_by
from pbem.picture.table.views import Battle, StrikeView, WayView
from pbem.records import NamedTuple

__all__ = ["Strike", "draw_contacts", "draw_lines", "draw_reach", "draw_strikes", "draw_ways", "ghost", "strikes_of"]

_FIRE_AWAY = (46.0, 34.0, 60.0, 26.0, 78.0)
_ATTACK_AWAY = (30.0, 44.0, 22.0, 60.0, 14.0)
"""How far from the middle of its target the mark of a fire and of an attack may lie, first choice first."""
_FIGURE, _SIGN, _ID = 3.0, 3.0, 60.0  # what it costs to cover so much of a figure, an id or sign, a target's id
_SHORT = 14.0  # a way shorter than that has no arrow
_END = 17.0  # an arrow ends so far before the middle of a base
_ID_SIZE, _ID_AT = 12.0, ((0.0, 26.0), (0.0, -18.0), (34.0, 4.0), (-34.0, 4.0))
"""How large the id of a target is, and where it may stand from the middle of its mark, first choice first."""
_LATER = 40.0  # so much worse is a place for it than the one before
_PALE = "0.75"


class Strike(NamedTuple):
    """A fire or attack, the middles of its mark, its number, and its target's id where another unit is nearest."""

    fight: StrikeView
    spot: Point
    disc: Point
    whom: Point | None

    def box(self) -> Box:
        """What the mark, its number, and who is concerned cover."""
        points = [self.spot, self.disc, self.fight.target, *self.fight.sources, *([self.whom] if self.whom else ())]
        xs, ys = [p.x for p in points], [p.y for p in points]
        return Box(min(xs) - 20, min(ys) - 20, max(xs) + 20, max(ys) + 20)


def strikes_of(battle: Battle) -> list[Strike]:
    """Each fight with its mark beside its target, or where that stood; clear of figures, ids, signs and other marks."""
    figures = [(box, _FIGURE) for unit in battle.units for box in cells(unit)]
    signs = [(box, _SIGN) for box in covered_by(battle.units)]
    marked: list[Taken] = []
    found = []
    for fight in battle.fights:
        at = fight.target
        near = Box(at.x - 130, at.y - 130, at.x + 130, at.y + 130)
        taken = [one for one in (*figures, *signs, *marked) if one[0].overlap(near)]
        away: tuple[float, ...] = _FIRE_AWAY if fight.kind == "fire" else _ATTACK_AWAY
        if not any(box.overlap(Box(at.x - 1, at.y - 1, at.x + 1, at.y + 1)) for box, _ in figures):
            away = (0.0, *away)
        spot, disc = settled(fight.sources[0], at, away, taken, lambda _: True)
        marked += covered(spot, disc)
        whom = None
        if fight.whom and _nearest(battle, spot) != fight.whom:
            whom = _beside(spot, fight.whom, [*taken, *covered(spot, disc)])
            marked.append((_id_box(whom, fight.whom), _ID))
        found.append(Strike(fight, spot, disc, whom))
    return found


def _beside(spot: Point, whom: str, taken: Sequence[Taken]) -> Point:
    """Where the id of a target covers least of what is taken, below its mark if it may."""
    places = [spot.by(*at) for at in _ID_AT]
    costs = [sum(each * _id_box(at, whom).overlap(box) for box, each in taken) for at in places]
    return places[min(range(len(places)), key=lambda late: costs[late] + late * _LATER)]


def _id_box(at: Point, whom: str) -> Box:
    return around(at, whom, _ID_SIZE, bold=True)


def _nearest(battle: Battle, spot: Point) -> str:
    """The unit one of whose stands is nearest to a mark; "" on an empty table."""
    found = [(math.dist(stand.middle, spot), unit.id) for unit in battle.units for stand in unit.stands]
    return min(found, default=(0.0, ""))[1]


def draw_lines(strikes: Iterable[Strike]) -> Iterator[str]:
    """The lines from whoever fires or attacks to the marks."""
    for fight, spot, *_ in strikes:
        line = fire_line if fight.kind == "fire" else attack_line
        yield from (line(source, spot) for source in dict.fromkeys(fight.sources))


def draw_contacts(strikes: Iterable[Strike]) -> Iterator[str]:
    """Where bases touch whose units attack: a wedge from the attacker towards whom he attacks."""
    for fight, *_ in strikes:
        for source in dict.fromkeys(fight.sources) if fight.kind != "fire" else ():
            angle = math.degrees(math.atan2(fight.target.y - source.y, fight.target.x - source.x))
            middle = source.towards(fight.target, 0.5)
            wedge = polygon([middle.at(angle, 9), middle.at(angle + 130, 10), middle.at(angle - 130, 10)])
            yield element(
                "path", d=wedge, fill="#b3140f", stroke="#ffffff", stroke_width="1.6", stroke_linejoin="round"
            )


def draw_strikes(strikes: Sequence[Strike]) -> Iterator[str]:
    """The marks of fights and their numbers, older ones paler; with the id of the target where another is nearer."""
    for old in (True, False):
        drawn = [
            fight_sign(one.fight.kind, one.fight.result, one.fight.number, one.fight.title, one.spot, one.disc)
            + (_whom(one.whom, one.fight.whom) if one.whom else "")
            for one in strikes
            if one.fight.old == old
        ]
        yield from paler(drawn, _PALE) if old else drawn


def _whom(at: Point, whom: str) -> str:
    """The id of a target, by which it is known though others stand nearer to the mark: they came there later."""
    look = {"fill": "#b3140f", "font_weight": "bold", "text_anchor": "middle"}
    return text(at, whom, _ID_SIZE, halo="#fffdf2", **look)


# --- ways ------------------------------------------------------------------------------------------------------------


def draw_ways(moves: Iterable[WayView], sides: tuple[str, ...]) -> Iterator[str]:
    """The ghost of each base where it stood, and an arrow to where it came; older ones paler."""
    told = list(moves)
    for old in (True, False):
        of = [move for move in told if move.old == old]
        drawn = [ghost(move.stood, move.side, sides, move.title) for move in of if move.stood]
        drawn += draw_arrows(
            [(points, look_of_side(move.side, sides).arrow) for move in of if (points := _arrow(move))]
        )
        yield from paler(drawn) if old else drawn


def ghost(stood: Sequence[Point], side: str, sides: tuple[str, ...], title: str = "") -> str:
    """The outline of a base where it isn't any more, its front in a full line."""
    look = look_of_side(side, sides)
    inside = element("title", escape(title)) if title else ""
    drawn = element("path", inside, d=polygon(stood), fill=look.base, fill_opacity="0.45", stroke=look.arrow.card,
                    stroke_width="1.6", stroke_dasharray="4 3")  # fmt: skip
    a, b = stood[0], stood[1]
    front = f"M{number(a.x)} {number(a.y)}L{number(b.x)} {number(b.y)}"
    return drawn + element("path", d=front, stroke=look.arrow.card, stroke_width="2.6")


def _arrow(move: WayView) -> list[Point]:
    """From the middle of the first base to the edge of the last; none for a way too short to be seen."""
    before, end = move.path[-2], move.path[-1]
    long = math.dist(before, end)
    if len(move.path) == 2 and long < _SHORT + _END:
        return []
    return [*move.path[:-1], end.towards(before, min(_END / max(long, 1), 1))]


# --- reach -----------------------------------------------------------------------------------------------------------


def draw_reach(rays: Iterable[RayView], taken: Sequence[Box] = ()) -> Iterator[str]:
    """Rings, arcs and lines of how far a unit fires and moves, their words where they cover least of what is taken."""
    for ray in rays:
        colour, dashes = ("#b3140f", "9 5") if ray.look == "fire" else ("#0b4f8a", "3 5")
        title = element("title", escape(ray.title))
        look = {"fill": colour if ray.arc else "none", "fill_opacity": "0.07", "stroke": colour, "stroke_width": "2.2"}
        yield element("path", title, d=_ray(ray), **look, stroke_dasharray=dashes)
        if not ray.arc:
            yield _end(ray, colour)
        else:
            yield _words(ray, colour, taken)


def _ray(ray: RayView) -> str:
    ahead = ray.facing - 90  # degrees clockwise from the right
    x, y, r = number(ray.at.x), number(ray.at.y), number(ray.radius)
    if ray.arc == 360:
        wide = number(2 * ray.radius)
        return f"M{x} {y}m-{r} 0a{r} {r} 0 1 0 {wide} 0a{r} {r} 0 1 0 -{wide} 0"
    a, b = ray.at.at(ahead - ray.arc / 2, ray.radius), ray.at.at(ahead + ray.arc / 2, ray.radius)
    if not ray.arc:
        return f"M{x} {y}L{number(a.x)} {number(a.y)}"
    return f"M{x} {y}L{number(a.x)} {number(a.y)}A{r} {r} 0 {int(ray.arc > 180)} 1 {number(b.x)} {number(b.y)}z"


def _end(ray: RayView, colour: str) -> str:
    """A stroke across the end of a straight way."""
    end = ray.at.at(ray.facing - 90, ray.radius)
    a, b = end.at(ray.facing, 12), end.at(ray.facing + 180, 12)
    return element("path", d=f"M{number(a.x)} {number(a.y)}L{number(b.x)} {number(b.y)}", stroke=colour, stroke_width=3)


def _words(ray: RayView, colour: str, taken: Sequence[Box]) -> str:
    """How far it is, along the rim of a ring or arc."""
    ahead, aside = (-90, range(0, 180, 15)) if ray.arc == 360 else (ray.facing - 90, range(0, ray.arc // 2, 10))
    away = ray.radius - (10 if ray.arc == 360 else 12)
    spots = [ray.at.at(ahead + way * turn, away) for turn in aside for way in ((1, -1) if turn else (1,))]
    covers = [sum(around(at, ray.title, _ID_SIZE, bold=True).overlap(box) for box in taken) for at in spots]
    at = spots[covers.index(min(covers))]
    return text(at, ray.title, _ID_SIZE, halo="#fffdf2", fill=colour, font_weight="bold", text_anchor="middle")
