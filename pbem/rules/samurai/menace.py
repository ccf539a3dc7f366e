"""Who can come to attack whom: straight ways with a turn first, as the computer player foresees them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pbem.rules.samurai.geometry import Base, Point, Size, side_of
from pbem.rules.samurai.paths import first_overlap, place, steps_of
from pbem.rules.samurai.sight import fire_point, in_arc, in_range
from pbem.rules.samurai.state import State
from pbem.rules.samurai.worth import BONUS, against

__all__ = ["Foe", "best_side", "danger", "foes", "headings", "spared", "under_fire"]

Heading = tuple[Base, int]
"""The base of a unit in a facing, and the steps that it can go straight ahead."""


class Foe(NamedTuple):
    """An enemy as one has to reckon with it: its base, its three headings, dice and class of its attack, its fire."""

    id: str
    base: Base
    ways: tuple[Heading, ...]
    dice: int
    rank: int
    far: int
    reach: int


@lru_cache(1 << 12)
def headings(b: Base, size: Size, move: int) -> tuple[Heading, ...]:
    """The ways in which a unit can go: straight ahead, or after a turn of 45 degrees."""
    facings = [(b.facing + turn) % 8 for turn in (0, 7, 1)]
    return tuple((size.at(b.x, b.y, facing), steps_of(move, facing)) for facing in facings)


@lru_cache(1 << 15)
def best_side(ways: tuple[Heading, ...], b: Base) -> int:
    """By how much an attack is raised, at best, by the side on which a unit comes to touch a base; -1 if on none."""
    best = -1
    for turned, steps in ways:
        h = first_overlap(turned, turned.facing, b)
        if h is not None and h <= steps + 1:
            best = max(best, BONUS[side_of(b, place(turned, turned.facing, h - 1))])
    return best


def foes(s: State, side: str) -> list[Foe]:
    """The enemies of a side on the table, units and lone daimyos."""
    places, key = s.places(), ("foes", side)
    if key not in places:
        places[key] = [_foe(s, unit) for unit in s.on(s.board.enemy[side]) if s.counts(unit)]
    found: list[Foe] = places[key]
    return found


def _foe(s: State, unit: str) -> Foe:
    u, b = s.board.units[unit], s.at[unit]
    fights = unit not in s.routed and u.kind.attack and u.troops
    rank = u.kind.attack + bool(s.daimyos(unit)) if fights else 0
    ways = headings(b, s.size(unit), u.kind.move) if fights else ()
    reach = 0 if unit in s.routed else u.kind.reach
    return Foe(unit, b, ways, s.left(unit), rank, u.kind.move + 2 * (b.hw + b.hd), reach)


def danger(s: State, unit: str, e: Base, foe: Foe, *, led: bool) -> float:
    """The points that a unit may lose by an enemy's attack where it stands, if nobody is in its way."""
    if not foe.rank or max(abs(foe.base.x - e.x), abs(foe.base.y - e.y)) > foe.far + e.hw + e.hd:
        return 0.0
    best = best_side(foe.ways, e)
    return against(s, unit, foe.dice, foe.rank + best, led=led) if best >= 0 else 0.0


def spared(s: State, side: str, foe: Foe, but: str) -> float:
    """The most that an enemy's attack may cost a side where its units stand, but for one of them."""
    places, key = s.places(), ("spared", foe.id)
    if key not in places:
        own = [unit for unit in s.troops(side) if unit not in s.routed]
        found = [(danger(s, unit, s.at[unit], foe, led=bool(s.daimyos(unit))), unit) for unit in own]
        places[key] = sorted(found, reverse=True)[:2]
    return next((worth for worth, unit in places[key] if unit != but), 0.0)


def under_fire(s: State, unit: str, e: Base, foe: Foe) -> float:
    """The points that a unit may lose by an enemy's fire where it stands, if nobody hides it."""
    if not foe.reach or max(abs(foe.base.x - e.x), abs(foe.base.y - e.y)) > foe.reach + 400:
        return 0.0
    p = fire_point(foe.base)
    if not in_range(p, Point(e.x, e.y), foe.reach) or not in_arc(p, Point(e.x, e.y), foe.base.facing):
        return 0.0
    return against(s, unit, foe.dice, s.board.units[foe.id].kind.rank, led=False)
