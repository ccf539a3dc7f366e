"""Whose a pending die is, the answer to it that is worst for a side, and how badly a side stands."""

from __future__ import annotations

from pbem.rules.gcacw import victory
from pbem.rules.gcacw.board import CONFEDERATE, UNION
from pbem.rules.gcacw.sequence import side_of
from pbem.rules.gcacw.situation import GOOD
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.tables import PARALYSIS
from pbem.rules.kit import throws
from pbem.rules.requests import Draw, Roll

__all__ = ["harmed", "worst"]


def worst(s: State, request: Roll | Draw, side: str) -> tuple[int, ...] | tuple[str, ...]:
    """The answer to a pending chance that is worst for a side: the lowest or the highest dice.

    Of an event that is the paralysis of its command. A cycle goes on: its end would spare the side what the other one
    has ordered and rolled for; where that costs the side alone `Roll.cut` ends it. A leader in danger is killed by an
    even die, for the Confederates (17.0-2).
    """
    what = request.label.partition("/")[0]
    if what == "event":
        return _paralysing(s, side)
    if what == "cycle":
        return (6,)
    if what == "leader":
        return (6,) if side == CONFEDERATE else (1,)
    return throws.worst(request, side, _owner(s, request.label), GOOD)


def _paralysing(s: State, side: str) -> tuple[int, ...]:
    """Two dice of a sum that paralyses a side's command (14.0-table)."""
    total = next(n for n, event in s.board.tables.events.items() if (event.kind, event.side) == (PARALYSIS, side))
    return total // 2, total - total // 2


def _owner(s: State, label: str) -> str | None:
    """The side for which a die is good as `GOOD` says: who rolls it; of a defence or a way back not the active side."""
    what, _, whose = label.partition("/")
    if what == "initiative":
        return whose
    if what == "repair":
        return UNION
    if whose in s.board.units:
        return s.board.units[whose].side
    active = side_of(s)
    return s.board.enemy[active] if active is not None and what in ("defence", "evade") else active


def harmed(s: State, side: str) -> tuple[int, ...]:
    """How badly a side stands: the enemy's points, manpower lost, and marks; both of these less the enemy's own."""
    enemy, points = s.board.enemy[side], victory.total(s)
    lost, marks = (of(s, side) - of(s, enemy) for of in (_lost, _marks))
    return points if side == UNION else -points, lost, marks


def _lost(s: State, side: str) -> int:
    """The manpower that a side has lost in all, by marches too: what its units came with, less what they have."""
    arrived = (one for arrival in s.board.arrivals.values() if arrival.id not in s.waiting for one in arrival.starts)
    came = sum(one.manpower for one in (*s.board.starts.values(), *arrived) if s.board.units[one.unit].side == side)
    return came - sum(s.manpower[unit] for unit in s.own(side))


def _marks(s: State, side: str) -> int:
    """Disorganised units of a side, and their levels of demoralisation and fatigue."""
    own = s.own(side)
    levels = sum(s.demoralised.get(unit, 0) + s.fatigue.get(unit, 0) for unit in own)
    return sum(unit in s.disorganised for unit in own) + levels
