"""Where the computer player's units go: each to the place that promises the most for what it may cost there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.rules.samurai import movement, moving
from pbem.rules.samurai.geometry import Base, Contact, Point, distance, nearest_facing, side_of, touches
from pbem.rules.samurai.menace import Foe, best_side, danger, foes, headings, spared, under_fire
from pbem.rules.samurai.orders import LEFT, TURNS, Move
from pbem.rules.samurai.sight import fire_point, in_arc, in_range
from pbem.rules.samurai.state import State
from pbem.rules.samurai.weights import Style
from pbem.rules.samurai.worth import BONUS, blow, shot

__all__ = ["next_move"]

FAR = 2100
"""From here on nobody can do anything to anybody in this turn or the next."""

INCH = 100


def next_move(s: State, side: str, style: Style) -> Move | None:
    """The next unit's move, from the enemy's side to one's own; None where all stay."""
    ahead = 1 if s.board.side[side].ahead == 0 else -1
    enemies = foes(s, side)
    if not enemies:
        return None
    units = [unit for unit in s.troops(side) if unit not in s.moved and unit not in s.routed]
    units.sort(key=lambda unit: -ahead * s.at[unit].y)
    for unit in units:
        order = _next(s, side, unit, enemies, style)
        if order is not None and moving.why_not(s, side, order) is None:
            return order
    return None


def _gap(a: Base, b: Base) -> int:
    """About how far two bases are apart, in hundredths."""
    return max(abs(a.x - b.x), abs(a.y - b.y))


def _next(s: State, side: str, unit: str, enemies: Sequence[Foe], style: Style) -> Move | None:
    b = s.at[unit]
    nearest = min(_gap(b, foe.base) for foe in enemies)
    if nearest > FAR:
        return _march(s, side, unit, enemies)
    near = [foe for foe in enemies if _gap(b, foe.base) <= FAR]
    here = _value(s, side, unit, b, near, style)
    best, found = here + 0.01, None
    for order, end in _ways(s, unit):
        worth = _value(s, side, unit, end, near, style) - (style.back if order.back else 0.0)
        if worth > best and moving.why_not(s, side, order) is None:
            best, found = worth, order
    return found


def _march(s: State, side: str, unit: str, enemies: Sequence[Foe]) -> Move | None:
    """Straight ahead with the slowest of its wing; a turn towards the enemy where it faces elsewhere."""
    b, wing = s.at[unit], s.board.units[unit].wing
    foe = min(enemies, key=lambda foe: _gap(b, foe.base)).base
    off = (nearest_facing(foe.x - b.x, foe.y - b.y) - b.facing) % 8
    first = "" if off in (0, 1, 7) else TURNS[off < 4]
    pace = min(s.board.units[other].kind.move for other in s.troops(side) if s.board.units[other].wing == wing)
    order = moving.farthest(s, unit, first)
    if order is None:
        return Move(unit, first=first) if first else None
    return order if order.length <= pace else Move(unit, pace, first=first)


def _ways(s: State, unit: str) -> Iterator[tuple[Move, Base]]:
    """Moves that are worth looking at, with the bases at their ends."""
    for first in ("", *TURNS):
        most = moving.farthest(s, unit, first)
        if first:
            b = movement.turned(s, unit, first)
            if not movement.why_no_room(s, unit, b):
                yield Move(unit, first=first), b
        if most is None:
            continue
        found = movement.run(s, most)
        yield most, found.end
        if found.cut:
            continue
        for last in () if first else TURNS:
            order = Move(unit, most.length, last=last)
            end, out = movement.end_facing(s, order, found)
            if not out:
                yield order, end
        for length in range(INCH, most.length, INCH if not first else 2 * INCH):
            order = Move(unit, length, first=first)
            yield order, movement.run(s, order).end
    back = moving.farthest(s, unit, back=True)
    if back is not None:
        yield back, movement.run(s, back).end


def _value(s: State, side: str, unit: str, e: Base, enemies: Sequence[Foe], style: Style) -> float:
    """What it is worth to stand there at the end of the step."""
    u = s.board.units[unit]
    led = bool(s.daimyos(unit))
    risk = shots = 0.0
    strike = hope = aim = 0.0
    touched: list[str] = []
    p = fire_point(e)
    ways = headings(e, s.size(unit), u.kind.move) if u.kind.attack else ()
    nearest, next_foe = 1 << 30, None
    for foe in enemies:
        d = distance(e, foe.base)
        if d < nearest:
            nearest, next_foe = d, foe
        if d <= 8:
            touched.append(foe.id)
            if u.kind.attack and side_of(e, foe.base) is Contact.FRONT:
                worth = blow(s, unit, foe.id, BONUS[side_of(foe.base, e)], led=led, dead=_engaged(s, unit, foe.id, side))
                strike = max(strike, worth)
        elif ways and d < 2 * 700 * 700:
            bonus = best_side(ways, foe.base)
            if bonus >= 0:
                hope = max(hope, blow(s, unit, foe.id, bonus, led=led))
        risked = danger(s, unit, e, foe, led=led)
        if risked:
            risk += max(0.0, risked - spared(s, side, foe, unit)) + style.share * risked
        shots = max(shots, under_fire(s, unit, e, foe))
        if u.kind.reach:
            q = Point(foe.base.x, foe.base.y)
            if in_range(p, q, u.kind.reach) and in_arc(p, q, e.facing):
                aim = max(aim, shot(s, unit, foe.id, s.left(unit)))
    if touched:
        aim = 0.0
    inches = (nearest / 2) ** 0.5 / INCH
    off = 0
    if next_foe is not None and not touched:
        turn = (e.facing - nearest_facing(next_foe.base.x - e.x, next_foe.base.y - e.y)) % 8
        off = max(0, min(turn, 8 - turn))
    return (
        style.strike * strike
        - style.fear * risk
        - style.shy * shots
        + style.hope * hope
        + style.aim * aim
        - style.press * inches
        - style.face * off
        - style.close * _apart(s, side, unit, e)
    )


def _engaged(s: State, unit: str, foe: str, side: str) -> int:
    """About how many figures of an enemy fall to others who touch it."""
    others = [other for other in s.touching(foe, side) if other != unit and s.board.units[other].troops]
    return sum(s.left(other) for other in others if s.board.units[other].kind.attack) // 3


def _apart(s: State, side: str, unit: str, e: Base) -> float:
    """Inches to the next friend."""
    gaps = [_gap(e, s.at[other]) - e.hw - s.at[other].hw for other in s.troops(side) if other != unit]
    return max(0, min(gaps, default=0)) / INCH
