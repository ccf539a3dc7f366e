"""What a place may cost: who can come to attack it, straight ahead or after a turn, and who can fire at it."""

from __future__ import annotations

from functools import lru_cache

from pbem.records import NamedTuple
from pbem.rules.samurai.combat import BONUS
from pbem.rules.samurai.geometry import Base, Point, Size, side_of
from pbem.rules.samurai.paths import first_overlap, place, steps_of
from pbem.rules.samurai.sight import fire_point, in_arc, in_range
from pbem.rules.samurai.state import State
from pbem.rules.samurai.worth import against

__all__ = ["Foe", "danger", "foes", "spared", "under_fire"]

Heading = tuple[Base, int]
"""The base of a unit in a facing, and the steps that it can go straight ahead."""


class Foe(NamedTuple):
    """An enemy as one has to reckon with it.

    ways    its headings, none of one that can't attack;  far: beyond so many hundredths it comes to nobody
    dice    its figures;  rank: the class as which it attacks
    reach   of its fire, 0 for none;  fires: the class as which it fires
    """

    id: str
    base: Base
    ways: tuple[Heading, ...]
    far: int
    dice: int
    rank: int
    reach: int
    fires: int


def foes(s: State, side: str) -> list[Foe]:
    """The enemies of a side on the table, units and lone daimyos."""
    places, key = s.known.found, ("foes", side)
    if key not in places:
        places[key] = [_foe(s, unit) for unit in s.on(s.board.enemy[side]) if s.counts(unit)]
    found: list[Foe] = places[key]
    return found


def _foe(s: State, unit: str) -> Foe:
    """A routed unit, or a daimyo, is no threat."""
    kind, b = s.board.units[unit].kind, s.at[unit]
    able = s.board.units[unit].troops and unit not in s.routed
    ways = _headings(b, s.size(unit), kind.move) if able and kind.attack else ()
    far, rank = kind.move + 2 * (b.hw + b.hd), kind.attack + bool(s.daimyos(unit))
    return Foe(unit, b, ways, far, s.left(unit), rank, kind.reach if able else 0, kind.rank)


@lru_cache(1 << 12)
def _headings(b: Base, size: Size, move: int) -> tuple[Heading, ...]:
    facings = [(b.facing + turn) % 8 for turn in (0, 7, 1)]
    return tuple((size.at(b.x, b.y, facing), steps_of(move, facing)) for facing in facings)


@lru_cache(1 << 15)
def _best_side(ways: tuple[Heading, ...], b: Base) -> int:
    """By how much an attack is raised, at best, by the side on which a unit comes to touch a base; -1 if on none."""
    best = -1
    for turned, steps in ways:
        h = first_overlap(turned, turned.facing, b)
        if h is not None and h <= steps + 1:
            best = max(best, BONUS[side_of(b, place(turned, turned.facing, h - 1))])
    return best


def danger(s: State, unit: str, b: Base, foe: Foe, *, led: bool) -> float:
    """The points that an enemy's attack may cost a unit that stands there, if nobody is in his way."""
    if not foe.ways or max(abs(foe.base.x - b.x), abs(foe.base.y - b.y)) > foe.far + b.hw + b.hd:
        return 0.0
    best = _best_side(foe.ways, b)
    return against(s, unit, foe.dice, foe.rank + best, led=led) if best >= 0 else 0.0


def spared(s: State, side: str, foe: Foe, but: str) -> float:
    """The most that an enemy's attack may cost a side where its units stand, but for one of them.

    He attacks once: so much he can do already, whoever else comes near him.
    """
    places, key = s.known.found, ("spared", foe.id)
    if key not in places:
        own = [unit for unit in s.troops(side) if unit not in s.routed]
        found = [(danger(s, unit, s.at[unit], foe, led=bool(s.daimyos(unit))), unit) for unit in own]
        places[key] = sorted(found, reverse=True)[:2]
    worst: list[tuple[float, str]] = places[key]
    return next((worth for worth, unit in worst if unit != but), 0.0)


def under_fire(s: State, unit: str, b: Base, foe: Foe) -> float:
    """The points that an enemy's fire may cost a unit that stands there, if nobody hides it."""
    if not foe.reach:
        return 0.0
    p, q = fire_point(foe.base), Point(b.x, b.y)
    if not in_range(p, q, foe.reach) or not in_arc(p, q, foe.base.facing):
        return 0.0
    return against(s, unit, foe.dice, foe.fires, led=False)
