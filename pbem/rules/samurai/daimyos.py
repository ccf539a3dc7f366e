"""Daimyos on the table: their ways, places beside a unit, and out of the way of an enemy that ends its move there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbem.errors import Refusal
from pbem.rules.requests import Tell
from pbem.rules.samurai.board import FACINGS, inches
from pbem.rules.samurai.geometry import DIRECTIONS, Base, Point, Size, outline, overlap, spans
from pbem.rules.samurai.ground import near_by
from pbem.rules.samurai.orders import LEFT, RIGHT, SIDES, Follow, Go
from pbem.rules.samurai.paths import free_places, line, line_stops, within
from pbem.rules.samurai.state import BEHIND, ENEMY, State, label

__all__ = [
    "around", "attached", "beside", "beside_at", "comes", "following", "going", "pushed", "put_out", "unled",
    "why_not_follow", "why_not_go",
]  # fmt: skip

OUT = {BEHIND: (0, -1), LEFT: (-1, 0), RIGHT: (1, 0), "behind left": (-1, -1), "behind right": (1, -1)}
"""Where a daimyo is put who stands in an enemy's way, in the order in which places are tried: how often his and his
unit's half widths to the right, and their half depths ahead."""


def stranger(s: State, unit: str, b: Base) -> str:
    """The enemy whom a unit that began the movement step in contact may not touch there, in words (movement.5b)."""
    return f"{s.board.describe(s.strangers(unit, b)[0])}, an enemy not touched before"


def barrier(s: State, b: Base) -> str:
    """What a base would lie over that can't stand there: a piece of ground that can't be entered, or the edge."""
    return next((wall.piece.name for wall in s.board.walls if overlap(b, wall.piece.base)), "the edge of the table")


def beside(s: State, daimyo: str, leader: Base) -> Mapping[str, Base]:
    """The bases of a daimyo beside a unit, in its facing."""
    return {where: beside_at(s, daimyo, leader, where) for where in OUT}


def beside_at(s: State, daimyo: str, leader: Base, where: str) -> Base:
    """One of the bases of a daimyo beside a unit, as `behind` it."""
    return _beside(s.size(daimyo), leader, where)


@lru_cache(8192)
def _beside(size: Size, leader: Base, where: str) -> Base:
    """A base of that size beside another one: kept, as it hangs on nothing else."""
    own, (dx, dy), (u, v) = size.at(leader.x, leader.y, leader.facing), DIRECTIONS[leader.facing], OUT[where]
    wide, deep = u * (leader.hw + own.hw), v * (leader.hd + own.hd)
    return own.moved(wide * dy + deep * dx, deep * dy - wide * dx)


@lru_cache(4096)
def around(size: Size, leader: Base) -> Sequence[Base]:
    """Where a base of that size touches another one, in its facing: at corners, ends and middles of its edges; kept."""
    own = size.at(leader.x, leader.y, leader.facing)
    dx, dy = DIRECTIONS[leader.facing]
    wide, deep = leader.hw + own.hw, leader.hd + own.hd
    ends = (
        (u, v)
        for u in (0, wide, -wide, leader.hw - own.hw, own.hw - leader.hw)
        for v in (deep, -deep, *((0, leader.hd - own.hd, own.hd - leader.hd) if abs(u) == wide else ()))
    )
    return tuple(own.moved(u * dy + v * dx, v * dy - u * dx) for u, v in ends)


def attached(s: State, side: str) -> list[str]:
    """A side's daimyos who touch a unit of theirs: no obstacle to enemy units (daimyos.5)."""
    return [unit for unit in s.all_daimyos(side) if s.friends(unit)]


def pushed(s: State, mover: str, end: Base, found: list[str]) -> tuple[dict[str, Base], str | None]:
    """Where the attached daimyos go who lie under the end of an enemy's move, by id; and who can't be put anywhere."""
    placed: dict[str, Base] = {}
    for daimyo in s.by_id(found):
        place = next(_out(s, mover, end, daimyo, placed), None)
        if place is None:
            return {}, daimyo
        placed[daimyo] = place
    return placed, None


def _out(s: State, mover: str, end: Base, daimyo: str, placed: dict[str, Base]) -> Iterator[Base]:
    """The free places round the units that a daimyo touched, the lowest id first."""
    away = {mover, daimyo, *placed}
    for unit in s.friends(daimyo):
        for b in beside(s, daimyo, s.at[unit]).values():
            if s.free(b, away) and not any(overlap(b, other) for other in (end, *placed.values())):
                yield b


def put_out(s: State, mover: str, placed: dict[str, Base]) -> Iterator[Tell]:
    """Put daimyos out of the way of a unit that has ended its move."""
    for daimyo, b in placed.items():
        before = s.at[daimyo]
        s.put(daimyo, b)
        facts: dict[str, Any] = {"unit": daimyo, "from": label(before), "to": label(b), "facing": FACINGS[b.facing]}
        yield Tell("push", "daimyos.5", facts | {"by": mover, "stood": outline(before)})


def unled(s: State, side: str) -> list[str]:
    """The units of two stands that a daimyo touched in this movement step and none touches now (daimyos.1)."""
    escorted = s.escorted(side)
    if s.led <= escorted:
        return []
    alone = (s.led & s.known.doubled) - s.routed - escorted
    return s.by_id(unit for unit in alone if s.board.units[unit].side == side)


# --- their own ways ---------------------------------------------------------------------------------------------------


def going(s: State, order: Go) -> tuple[Base, Refusal | None]:
    """Where a daimyo ends who goes to a place, and why not there; the reason is ENEMY where one is in the way."""
    places, key = s.known.found, (order, s.met.get(order.unit))
    if key not in places:
        places[key] = _going(s, order)
    found: tuple[Base, Refusal | None] = places[key]
    return found


def _going(s: State, order: Go) -> tuple[Base, Refusal | None]:
    b, enemy = s.at[order.unit], s.board.enemy[s.board.units[order.unit].side]
    end = Point(order.x, order.y)
    facing = b.facing if order.facing is None else order.facing
    n = max(abs(end.x - b.x), abs(end.y - b.y))
    free_of_enemies, free_of_ground = (line_stops(b, end, others) for others in _in_the_way(s, b, enemy, end))
    last = min(free_of_enemies, free_of_ground)
    start, size = Point(b.x, b.y), s.size(order.unit)
    why: Refusal | None = None
    if last < n:
        at = size.at(*line(start, end, last + 1), b.facing)
        what = ENEMY if free_of_enemies <= free_of_ground else f"he would stand over {barrier(s, at)}"
        why = Refusal("movement.6", what)
    obstacles, held = _obstacles(s, order), list[Base]()
    for way in dict.fromkeys((facing, b.facing)):
        for j in free_places(size.at(b.x, b.y, way), end, last, obstacles, s.board.width, s.board.depth):
            there = size.at(*line(start, end, j), way)
            if not s.obeys(order.unit, there):
                held.append(there)
            elif why and why.reason == ENEMY and held:
                return there, _touches_another(s, order.unit, held[0])
            else:
                arrives = j == n and way == facing
                return there, why or (None if arrives else _why_short(s, order.unit, end, facing))
    return b, why or _why_short(s, order.unit, end, facing)


def _obstacles(s: State, order: Go) -> list[Base]:
    """What a daimyo may lie over somewhere on his way, in whatever facing: others and ground that can't be entered."""
    x, y, _, hw, hd = s.at[order.unit]
    far = 2 * (hw + hd)
    near = s.near(min(x, order.x) - far, max(x, order.x) + far, min(y, order.y) - far, max(y, order.y) + far)
    return [*(o for other, o in near if other != order.unit), *s.board.stops]


def _why_short(s: State, unit: str, end: Point, facing: int) -> Refusal:
    """Why a daimyo can't stand in the place to which he goes."""
    there = s.size(unit).at(end.x, end.y, facing)
    if s.stopped(there):
        return Refusal("movement.6", f"he would stand over {barrier(s, there)}")
    under = s.by_id(s.over(there, {unit}))
    own = s.board.units[unit].side
    friends = [other for other in under if s.board.units[other].side == own]
    if friends:
        return Refusal("movement.6", f"he would stand over {s.board.describe(friends[0])}")
    return Refusal("movement.6", ENEMY) if under else _touches_another(s, unit, there)


def _touches_another(s: State, daimyo: str, there: Base) -> Refusal:
    return Refusal("movement.5b", f"he would touch {stranger(s, daimyo, there)}")  # movement.5b


def why_not_go(s: State, order: Go) -> Refusal | None:
    name, most = s.board.describe(order.unit), s.board.units[order.unit].kind.move
    if not within(s.at[order.unit], Point(order.x, order.y), most, s.board.slows):
        return Refusal("movement.1", f"{name} goes {inches(most)} inches at most")
    there, why = going(s, order)
    if why is None or why.reason == ENEMY:
        return None
    return Refusal(why.clause, f"{name} comes to {inches(there.x)} {inches(there.y)} at most: {why.reason}")


def following(s: State, order: Follow) -> tuple[str, Base] | None:
    """Where a daimyo stands who follows a unit; None where no place beside it is free or near enough."""
    places, key = s.known.found, (order, s.met.get(order.unit))
    if key not in places:
        leader = s.at[order.leader]
        wheres = dict.fromkeys((order.where, *SIDES))
        tries = ((where, beside_at(s, order.unit, leader, where)) for where in wheres)
        ways = ((where, there) for where, there in tries if comes(s, order.unit, there))
        places[key] = next(ways, None)
    found: tuple[str, Base] | None = places[key]
    return found


def comes(s: State, daimyo: str, there: Base, but: str = "") -> bool:
    """Whether a daimyo can go to a place and stand there, if this one isn't in his way."""
    places, key = s.known.found, ("comes", daimyo, there, s.met.get(daimyo))
    if key not in places:
        places[key] = _under(s, daimyo, there)
    under: list[str] | None = places[key]
    return under is not None and all(other == but for other in under)


def _under(s: State, daimyo: str, there: Base) -> list[str] | None:
    """Who lies in a place to which a daimyo can go, one at most; None where there is no way or no room."""
    b, u, end = s.at[daimyo], s.board.units[daimyo], Point(there.x, there.y)
    if not within(b, end, u.kind.move, s.board.slows) or s.stopped(there):
        return None
    under = s.over(there, {daimyo})
    if len(under) > 1 or not s.obeys(daimyo, there):
        return None
    n = max(abs(end.x - b.x), abs(end.y - b.y))
    enemies, walls = _in_the_way(s, b, s.board.enemy[u.side], end)
    return under if line_stops(b, end, walls) == n and line_stops(b, end, enemies) == n else None


def _in_the_way(s: State, b: Base, enemy: str, end: Point) -> tuple[list[Base], list[Base]]:
    """What may stop a base on its way to a point: enemies and ground near the rectangle round it."""
    x, y, _, _ = spans(b.facing, b.hw, b.hd)
    west, east, south, north = min(b.x, end.x) - x, max(b.x, end.x) + x, min(b.y, end.y) - y, max(b.y, end.y) + y
    walls = [wall.piece.base for wall in near_by(s.board.walls, west, east, south, north)]
    return [o for _, o in s.near(west, east, south, north, enemy)], walls


def why_not_follow(s: State, order: Follow) -> Refusal | None:
    leader, kind = s.board.units[order.leader], s.board.units[order.unit].kind
    name, whom = s.board.describe(order.unit), s.board.describe(order.leader)
    if order.leader in s.gone:
        return Refusal("movement.6", s.board.left(order.leader, s.gone[order.leader]))
    if leader.side != s.board.units[order.unit].side or not leader.troops or order.leader not in s.at:
        return Refusal("movement.6", f"{name} can't follow {whom}: name a unit of yours in play")
    if following(s, order) is not None:
        return None
    b, end = s.at[order.unit], s.at[order.leader]
    aside = [Point(there.x, there.y) for where, there in beside(s, order.unit, end).items() if where in SIDES]
    near = any(within(b, there, kind.move, s.board.slows) for there in aside)
    what = "what is near enough is taken or barred" if near else f"all are farther than his {inches(kind.move)} inches"
    fled = f", who have fled to {inches(end.x)} {inches(end.y)}" if order.leader in s.routed else ""
    return Refusal("movement.6", f"{name} can come to no place beside {whom}{fled}: {what}")
