"""Where the computer player's units go: each to the place that promises the most for what it may cost there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

from pbem.rules.samurai import moving, straight
from pbem.rules.samurai.combat import BONUS
from pbem.rules.samurai.geometry import Base, Contact, Point, nearest_facing, side_of, spans, touches
from pbem.rules.samurai.menace import Foe, danger, foes, spared, under_fire
from pbem.rules.samurai.orders import TURNS, Move
from pbem.rules.samurai.sight import fire_point, in_arc, in_range
from pbem.rules.samurai.state import State
from pbem.rules.samurai.weights import Style
from pbem.rules.samurai.worth import against, blow

__all__ = ["next_move"]

FAR = 2100
"""Between the middles of bases: from here on nobody can do anything to anybody in this turn or the next."""

INCH = 100

TOUCHING = 2
"""Bases that touch are no farther apart along any axis."""

SQRT2 = sqrt(2)

LEAST = 0.01
"""What a place must be better than where a unit stands."""


def next_move(s: State, side: str, style: Style) -> Move | None:
    """The next unit's move, from the enemy's side to one's own; None where all stay."""
    ahead = 1 if s.board.side[side].ahead == 0 else -1
    units = [unit for unit in s.troops(side) if unit not in s.moved and unit not in s.routed]
    for unit in sorted(units, key=lambda unit: -ahead * s.at[unit].y):
        order = _next(s, side, unit, style)
        if order is not None:
            return order
    return None


def _next(s: State, side: str, unit: str, style: Style) -> Move | None:
    """A unit's move, if it has a good one."""
    b, enemies = s.at[unit], foes(s, side)
    near = [foe for foe in enemies if _apart(b, foe.base) <= FAR]
    if not near:
        march = _march(s, side, unit, enemies)
        return march if march is not None and moving.why_not(s, side, march) is None else None
    most, found = _value(s, side, unit, b, near, style) + LEAST, None
    for order, end in _ways(s, unit):
        worth = _value(s, side, unit, end, near, style)
        if worth > most and moving.why_not(s, side, order) is None:
            most, found = worth, order
    return found


def _apart(a: Base, b: Base) -> int:
    """About how far the middles of two bases are apart."""
    return max(abs(a.x - b.x), abs(a.y - b.y))


def _march(s: State, side: str, unit: str, enemies: Sequence[Foe]) -> Move | None:
    """Straight ahead with the slowest of its wing, after a turn towards the enemy where it faces elsewhere."""
    b, wing = s.at[unit], s.board.units[unit].wing
    if not enemies:
        return None
    foe = min((foe.base for foe in enemies), key=lambda base: _apart(b, base))
    off = (nearest_facing(foe.x - b.x, foe.y - b.y) - b.facing) % 8
    first = "" if off in (0, 1, 7) else TURNS[off < 4]
    pace = min(s.board.units[other].kind.move for other in s.troops(side) if s.board.units[other].wing == wing)
    order = moving.farthest(s, unit, first)
    if order is None:
        return Move(unit, first=first) if first else None
    return order if order.length <= pace else Move(unit, pace, first=first)


def _ways(s: State, unit: str) -> Iterator[tuple[Move, Base]]:
    """The moves that are looked at, with the bases at their ends: the farthest in each heading, and shorter ones."""
    for first in ("", *TURNS):
        turned = straight.turned(s, unit, first)
        if first and not straight.why_no_room(s, unit, turned):
            yield Move(unit, first=first), turned
        most = moving.farthest(s, unit, first)
        if most is None:
            continue
        found = straight.run(s, most)
        yield most, found.end
        if found.cut:
            continue
        for order in [Move(unit, most.length, last=last) for last in TURNS if not first]:
            end, left_out = straight.end_facing(s, order, found)
            if not left_out:
                yield order, end
        for length in range(INCH, most.length, 2 * INCH if first else INCH):
            order = Move(unit, length, first=first)
            yield order, straight.run(s, order).end
    back = moving.farthest(s, unit, back=True)
    if back is not None:
        yield back, straight.run(s, back).end


# --- what a place is worth --------------------------------------------------------------------------------------------


def _value(s: State, side: str, unit: str, e: Base, enemies: Sequence[Foe], style: Style) -> float:
    """What it is worth to a unit to stand there at the end of the step."""
    led = bool(s.daimyos(unit))
    gaps = [_gap(e, foe.base) for foe in enemies]
    gap = min(gaps)
    nearest = enemies[gaps.index(gap)].base
    touched = [foe for foe, gap in zip(enemies, gaps, strict=True) if gap <= TOUCHING and touches(e, foe.base)]
    worth = 0.0
    if touched:
        worth += max(_strike(s, side, unit, e, foe, led=led) for foe in touched)
    else:
        worth += style.aim * _aim(s, unit, e, enemies)
        off = (e.facing - nearest_facing(nearest.x - e.x, nearest.y - e.y)) % 8
        worth -= style.face * min(off, 8 - off)
    risks = [(foe, risk) for foe in enemies if (risk := danger(s, unit, e, foe, led=led))]
    worth -= style.fear * sum(max(0.0, risk - spared(s, side, foe, unit)) for foe, risk in risks)
    worth -= style.shy * max(under_fire(s, unit, e, foe) for foe in enemies)
    return worth - style.press * gap / INCH - style.close * _alone(s, side, unit, e)


def _gap(a: Base, b: Base) -> float:
    """About how many hundredths lie between two bases, never more than do: the widest gap along any of four axes."""
    one, other = spans(a.facing, a.hw, a.hd), spans(b.facing, b.hw, b.hd)
    dx, dy = a.x - b.x, a.y - b.y
    straight = max(abs(dx) - one[0] - other[0], abs(dy) - one[1] - other[1])
    slanting = max(abs(dx + dy) - one[2] - other[2], abs(dx - dy) - one[3] - other[3])
    return max(0.0, straight, slanting / SQRT2)


def _strike(s: State, side: str, unit: str, e: Base, foe: Foe, *, led: bool) -> float:
    """The points that an attack from there may cost an enemy, when others who touch him have attacked."""
    if not s.board.units[unit].kind.attack or side_of(e, foe.base) is not Contact.FRONT:
        return 0.0
    others = [other for other in s.touching(foe.id, side) if other != unit and s.board.units[other].troops]
    dead = sum(s.left(other) for other in others if s.board.units[other].kind.attack) // 3
    return blow(s, unit, foe.id, BONUS[side_of(foe.base, e)], led=led, dead=dead)


def _aim(s: State, unit: str, e: Base, enemies: Sequence[Foe]) -> float:
    """The points that fire from there may cost one of these enemies, if nobody hides him."""
    kind = s.board.units[unit].kind
    if not kind.reach:
        return 0.0
    p = fire_point(e)
    aims = [(foe, Point(foe.base.x, foe.base.y)) for foe in enemies]
    seen = [foe.id for foe, q in aims if in_range(p, q, kind.reach) and in_arc(p, q, e.facing)]
    return max((against(s, target, s.left(unit), kind.rank, led=False) for target in seen), default=0.0)


def _alone(s: State, side: str, unit: str, e: Base) -> float:
    """About how many inches lie between a unit that stands there and the next friend."""
    gaps = [_apart(e, s.at[other]) - e.hw - s.at[other].hw for other in s.troops(side) if other != unit]
    return max(0, min(gaps, default=0)) / INCH
