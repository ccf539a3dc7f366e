"""Why an order can't be given in what is left of a turn, whatever the dice bring and the other side does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from pbem.errors import Refusal
from pbem.rules.gcacw import arrivals, assault, may_march, railway, recovery
from pbem.rules.gcacw.board import CONFEDERATE, Board
from pbem.rules.gcacw.events import due_in, paralysed
from pbem.rules.gcacw.holds import why_closed, why_held_for_good
from pbem.rules.gcacw.leaders import is_corps
from pbem.rules.gcacw.orders import (
    NEVER,
    Activate,
    Assault,
    Bridge,
    Entrench,
    Forage,
    Grand,
    March,
    Merge,
    Place,
    PutOff,
    Raid,
    Rail,
    Transfer,
)
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.substitutes import is_substitute, why_never_detach

__all__ = ["spends", "why_never"]

Found = Refusal | None


def why_never(s: State, side: str, order: Any) -> Found:
    """Why an action, a transfer, an arrival or a work can't be ordered any more in this turn."""
    return JUDGES[type(order)](s, side, order) if type(order) in JUDGES else None


def spends(board: Board, order: Any) -> dict[str, Refusal]:
    """What an order takes of which there is one a turn: a unit's work in recovery, a leader's transfer, with why."""
    match order:
        case Entrench(unit) | Bridge(unit):
            return {f"work {unit}": _one_work(board, unit)}
        case Forage(units):
            return {f"work {unit}": _one_work(board, unit) for unit in units}
        case Transfer(leader):
            return {f"transfer {leader}": Refusal("std-3.0-2", f"{board.units[leader].name} goes over once a turn")}
    return {}


def _one_work(board: Board, unit: str) -> Refusal:
    what = "entrenches, builds a bridge or forages" if board.advanced is not None else "entrenches or builds a bridge"
    return Refusal("std-9.0-3", f"{board.units[unit].name} {what}, one of these in a turn")


def _first(found: Iterable[Found]) -> Found:
    return next((refusal for refusal in found if refusal is not None), None)


def _why_not_unit(s: State, side: str, unit: str) -> Found:
    """Why a combat unit does nothing any more in this turn: in it nobody's fatigue falls (std-8.0-1)."""
    return _why_not_there(s, side, unit) or (why_held_for_good(s, unit) if _stays(s, unit) else None)


def _stays(s: State, unit: str) -> bool:
    """Whether a unit stays who it is; a substitute that is detached, perhaps once more, has the corps, the fatigue and
    the spirit of the unit whose men it has (21.1-2, 21.1-7, 21.1-8, 21.2)."""
    return not is_substitute(s, unit)


def _commands(s: State, leader: str, unit: str) -> bool:
    """Whether a leader commands a unit, or may come to (21.1-8)."""
    return s.commands(leader, unit) or not _stays(s, unit)


def _why_not_there(s: State, side: str, unit: str) -> Found:
    """Why a unit is no combat unit of a side that is on the map in this turn, or may come."""
    found = s.board.units[unit]
    if found.side != side:
        return Refusal("std-4.0-3", f"{s.board.describe(unit)} isn't yours")
    if found.leader:
        return Refusal("std-2.2-1", f"{s.board.describe(unit)} is a leader, no combat unit")
    if unit in s.removed:
        return Refusal("std-7.5-2", f"{s.board.describe(unit)} was lost in turn {s.removed[unit]}")
    if unit not in s.manpower and not _may_come(s, unit):
        return Refusal("std-4.0-6", f"{s.board.describe(unit)} isn't on the map")
    return None


def _may_come(s: State, unit: str) -> bool:
    """Whether a unit is of the reinforcements that are due and haven't come in (3.0-3), or can be detached (21.1-2)."""
    if is_substitute(s, unit):
        return True
    due = (s.board.arrivals[arrival] for arrival in s.waiting)
    return any(start.unit == unit for arrival in due if due_in(s, arrival) <= s.turn for start in arrival.starts)


def _why_not_acting(s: State, side: str, unit: str) -> Found:
    """Why a combat unit can't be chosen for an action any more."""
    refusal = _why_not_unit(s, side, unit)
    if refusal is None and s.fatigue.get(unit, 0) >= MOST_FATIGUE and _stays(s, unit):
        return Refusal("std-4.0-6", f"{s.board.units[unit].name} is at fatigue 4, and can't act")
    return refusal


def _why_not_leader(s: State, side: str, leader: str, clause: str) -> Found:
    """Why a leader leads nobody in this turn."""
    unit = s.board.units[leader]
    if unit.side != side or not unit.leader:
        return Refusal(clause, f"{s.board.describe(leader)} is no leader of yours")
    return why_held_for_good(s, leader)


def _why_not_with(s: State, leaders: Sequence[str]) -> Found:
    """Why leaders never go along."""
    for leader in leaders:
        if not s.board.units[leader].leader:
            return Refusal("std-5.1-1", f"{s.board.describe(leader)} is no leader: units march one by one")
        if (refusal := why_held_for_good(s, leader)) is not None:
            return refusal
    return None


def _why_no_way(s: State, order: March) -> Found:
    """Why a way can't be gone from wherever it is begun: a gap in it, a hex closed for good, or what is attacked from
    its end lies elsewhere. Bridges and weather may change before a later turn."""
    board = s.board
    if (gap := _first(may_march.why_apart(board, here, h) for here, h in pairwise(order.path))) is not None:
        return gap
    if order.path and order.strike is not None:
        at = order.strike.at
        gap = may_march.why_apart(board, order.path[-1], at, "std-7.1-1")
        into = f"the way leads into {board.place(at)}, which is attacked: end it beside that hex"
        if gap is not None:
            return gap._replace(reason=into) if at in order.path else gap
    if any(hold.release and order.unit in hold.units for hold in board.holds):
        return None  # 13.5-sp3: an enemy who comes near opens all
    return _first(why_closed(s, order.unit, h) for h in order.path)


def _march(s: State, side: str, order: March) -> Found:
    refusal, stays = _why_not_acting(s, side, order.unit), _stays(s, order.unit)
    if refusal is None and stays:
        refusal = may_march.why_no_extended(s, order.unit)
    refusal = refusal or _why_not_with(s, order.leaders) or why_never_detach(s, side, order) or _why_no_way(s, order)
    if refusal is None and order.force != NEVER:
        refusal = may_march.why_no_force(s, side)
    if refusal is None and order.strike is not None and order.unit in s.demoralised and stays:
        return Refusal("std-11.0-2", f"{s.board.units[order.unit].name} is demoralised, and can't attack")
    return refusal


def _rail(s: State, side: str, order: Rail) -> Found:
    refusal = _why_not_acting(s, side, order.unit) or _why_not_with(s, order.leaders)
    refusal = refusal or why_never_detach(s, side, order)
    return refusal or railway.why_no_rail(s, order.unit)


def _raid(s: State, side: str, order: Raid) -> Found:
    if (refusal := _why_not_acting(s, side, order.unit)) is None and side != CONFEDERATE:
        return Refusal("std-5.4-1", "the Union raids no stations")
    return refusal


def _activate(s: State, side: str, order: Activate) -> Found:
    refusal = _why_not_leader(s, side, order.leader, "std-5.2-1")
    leader = s.board.units[order.leader]
    if refusal is None and not is_corps(s, order.leader):
        return Refusal("std-5.2-3", f"{leader.name} is an army leader, and activates nobody")
    for one in order.marches if refusal is None else ():
        if (refusal := _march(s, side, one)) is not None:
            return refusal
        if not _commands(s, order.leader, one.unit):
            return Refusal("std-5.2-1", f"{s.board.units[one.unit].name} isn't of {leader.name}'s command")
    return refusal


def _why_not_assaulting(s: State, side: str, unit: str) -> Found:
    """Why a combat unit takes part in no assault any more."""
    refusal = _why_not_acting(s, side, unit)
    if refusal is None and unit in s.demoralised and _stays(s, unit):
        return Refusal("std-5.3-6", f"{s.board.units[unit].name} is demoralised, and can't attack")
    if refusal is None and paralysed(s, side):
        return Refusal("14.0-par4", f"the command is paralysed: nobody assaults in turn {s.turn}")
    if refusal is None and s.turn in s.board.no_assault and s.fatigue.get(unit, 0) + 1 >= may_march.EXTENDED:
        return Refusal("13.1-sp1b", f"{s.board.units[unit].name} would come to fatigue 3, barred in turn {s.turn}")
    return refusal


def _why_not_corps(s: State, side: str, leader: str, units: Sequence[str]) -> Found:
    """Why a corps leader's units never assault together in this turn."""
    for unit in units:
        if (refusal := _why_not_assaulting(s, side, unit)) is not None:
            return refusal
        if not _commands(s, leader, unit):
            what = f"{s.board.units[unit].name} isn't of {s.board.units[leader].name}'s corps"
            return Refusal("std-5.3-1", what)
    return None


def _assault(s: State, side: str, order: Assault) -> Found:
    if (refusal := _why_not_leader(s, side, order.leader, "std-5.3-1")) is not None:
        return refusal
    if not is_corps(s, order.leader):
        return Refusal("std-5.3-1", f"{s.board.units[order.leader].name} is an army leader: he leads a grand assault")
    return _why_not_corps(s, side, order.leader, order.units)


def _grand(s: State, side: str, order: Grand) -> Found:
    refusal = _first(_why_not_leader(s, side, leader, "std-5.3-1") for leader in (order.leader, order.chief))
    if (refusal := refusal or assault.why_not_ranks(s, order)) is not None:
        return refusal
    leader = s.board.units[order.leader]
    if (refusal := _why_not_corps(s, side, order.chief, order.first)) is not None:
        return refusal
    for unit in (*order.first, *order.others):
        if (refusal := _why_not_assaulting(s, side, unit)) is not None:
            return refusal
        if not _commands(s, order.leader, unit):
            return Refusal("std-6.3-3", f"{s.board.units[unit].name} isn't of {leader.name}'s army")
    return None


def _transfer(s: State, side: str, order: Transfer) -> Found:
    leader, unit = s.board.units[order.leader], s.board.units[order.unit]
    if leader.side != side or not leader.leader:
        return Refusal("std-3.0-2", f"{s.board.describe(order.leader)} is no leader of yours")
    if order.leader in s.transferred:
        return Refusal("std-3.0-2", f"{leader.name} has been transferred in this turn")
    if not _commands(s, order.leader, order.unit):
        return Refusal("std-3.0-2", f"{unit.name} isn't of {leader.name}'s command")
    return None


def _work(s: State, side: str, order: Entrench | Bridge) -> Found:
    if isinstance(order, Entrench) and s.board.no_works:
        return recovery.why_not_entrench(s, side, order)
    clause = "std-9.0-1" if isinstance(order, Entrench) else "std-10.0-1"
    refusal = _why_not_unit(s, side, order.unit) or recovery.why_unable(s, order.unit, clause)
    return refusal or (recovery.why_rain_bars(s) if isinstance(order, Bridge) else None)  # rain lasts to the turn's end


def _merge(s: State, side: str, order: Merge) -> Found:
    if s.board.advanced is None:
        return Refusal("14.0-0", "nobody merges in the basic game")
    for unit in (order.unit, order.into):
        if s.board.units[unit].side != side or s.board.units[unit].leader:
            return Refusal("21.2-1", f"{s.board.describe(unit)} is no combat unit of yours")
    return None


def _forage(s: State, side: str, order: Forage) -> Found:
    if s.board.advanced is None:
        return Refusal("14.0-0", "nobody forages in the basic game")
    return _first(_why_not_there(s, side, unit) for unit in order.units)


def _put_off(s: State, side: str, order: PutOff) -> Found:
    """The rules let it be done in the last turn, but what it is for never comes: no player means that."""
    refusal = arrivals.why_never(s, side, order)
    if refusal is None and s.turn >= s.board.turns:
        what = f"turn {s.turn} is the last: {order.arrival} would never come"
        return Refusal(s.board.arrivals[order.arrival].put_off, what)
    return refusal


JUDGES: dict[type, Callable[[State, str, Any], Found]] = {
    March: _march,
    Rail: _rail,
    Activate: _activate,
    Assault: _assault,
    Grand: _grand,
    Raid: _raid,
    Transfer: _transfer,
    Place: arrivals.why_never,
    PutOff: _put_off,
    Merge: _merge,
    Forage: _forage,
    Entrench: _work,
    Bridge: _work,
}
"""Kind of order -> what judges it."""
