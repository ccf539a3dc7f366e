"""Random events, and the weather that they bring (14.0)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules.gcacw.board import UNION, Arrival
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.tables import EARLY, LATE, PARALYSIS, RAIN, Event
from pbem.rules.requests import Activity, Roll, Tell

__all__ = ["due_in", "happens", "less", "paralysed"]


def due_in(s: State, arrival: Arrival) -> int:
    """The turn in which an arrival is due as things stand."""
    return s.due.get(arrival.id, arrival.turn)


def may_come(s: State, arrival: Arrival) -> bool:
    """Whether an arrival still can come: in a turn of the game, or early, by the event of a last turn to come."""
    return due_in(s, arrival) <= s.board.turns or (due_in(s, arrival) == s.board.turns + 1 and s.turn < s.board.turns)


def happens(s: State) -> Activity:
    """The random events phase: two dice, and what their sum brings (14.0-1, 14.0-table)."""
    dice = yield Roll("event", 2, settled=True)
    event = s.board.tables.events[sum(dice)]
    facts = {"dice": [*dice], "kind": event.kind, "side": event.side, "step": "event", "whose": {"event": UNION}}
    yield Tell("event", f"14.0-{_clause(event)}", facts)
    if event.kind == RAIN:
        yield from _rain(s, event)
    elif event.kind == PARALYSIS:
        s.paralysed.add(event.side)  # 14.0-par1
        s.memo.clear()
    else:
        yield from _moved(s, event)


def _clause(event: Event) -> str:
    """The end of the clause that tells of an event."""
    if event.kind == RAIN:
        return f"rain-now{event.turns or ''}"
    return {EARLY: "early1", LATE: "late1", PARALYSIS: "par1"}[event.kind]


def _rain(s: State, event: Event) -> Iterator[Tell]:
    """Rain, unless it rains already (14.0-rain-now, -now1, -now2, -other)."""
    if s.raining:
        yield Tell("no-rain", "14.0-rain-other", {"until": s.rain})
        return
    s.weather(s.turn + event.turns)
    yield Tell("rain", f"14.0-{_clause(event)}", {"until": s.rain})


def _moved(s: State, event: Event) -> Iterator[Tell]:
    """Bring a side's arrivals of the next turn forward, or put those of this one off (14.0-early1, 14.0-late1)."""
    turn, by = (s.turn + 1, -1) if event.kind == EARLY else (s.turn, 1)
    found = [one for one in s.board.arrivals.values() if one.side == event.side and one.id in s.waiting]
    moved = [one for one in found if due_in(s, one) == turn]
    for one in moved:
        s.due[one.id] = turn + by
    clause = "14.0-early2" if event.kind == EARLY else "14.0-late3"
    if not moved:
        yield Tell("no-arrivals", clause, {"side": event.side, "kind": event.kind})
        return
    units = [start.unit for one in moved for start in one.starts]
    yield Tell("moved-arrivals", f"14.0-{_clause(event)}", {"side": event.side, "units": units, "turn": turn + by})


# --- command paralysis ------------------------------------------------------------------------------------------------


def paralysed(s: State, side: str) -> bool:
    """Whether a side's command is paralysed in this turn (14.0-par1 to -par4)."""
    return side in s.paralysed


def less(s: State, unit: str) -> int:
    """The points, in halves, that paralysis takes from a march (14.0-par1, 14.0-par2)."""
    one = s.board.units[unit]
    return s.board.tables.paralysis[one.branch] if one.side in s.paralysed else 0
