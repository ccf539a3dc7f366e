"""Reinforcements: what the scenario brings in a turn, and where (3.0-3, 13.5-re1, 13.5-re3)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw.board import Arrival
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.events import due_in
from pbem.rules.gcacw.leaders import meet
from pbem.rules.gcacw.orders import Place, PutOff
from pbem.rules.gcacw.state import State, enter
from pbem.rules.requests import Tell

__all__ = [
    "choices", "due", "free_hexes", "held_up", "place", "put_off", "puttings_off", "why_never", "why_not",
    "why_not_put_off",
]  # fmt: skip


def due(s: State, side: str) -> list[Arrival]:
    """The arrivals of a side that are due and not on the map, in their order; who found no hex comes later."""
    found = (one for one in s.board.arrivals.values() if one.id in s.waiting)
    return [one for one in found if one.side == side and due_in(s, one) <= s.turn]


def free_hexes(s: State, arrival: Arrival) -> list[Hex]:
    """The hexes in which an arrival may be placed: its own, others while the enemy is in that."""
    enemy = s.board.enemy[arrival.side]
    if arrival.id in s.put_off:
        return [h for h in arrival.late if s.holder(h) != enemy]  # 22.1-re2, 22.1-re5
    if arrival.choice:
        return [h for h in (arrival.at, *arrival.else_at) if s.holder(h) != enemy]  # 22.1-re4
    if s.holder(arrival.at) != enemy:
        return [arrival.at]
    return [h for h in arrival.else_at if s.holder(h) != enemy]


def choices(s: State, side: str) -> list[Place]:
    """The placings that a side can order."""
    return [Place(one.id, h) for one in due(s, side) for h in free_hexes(s, one)]


def puttings_off(s: State, side: str) -> list[PutOff]:
    """The arrivals that a side can put off."""
    return [PutOff(one.id) for one in due(s, side) if why_not_put_off(s, side, PutOff(one.id)) is None]


def why_not_put_off(s: State, side: str, order: PutOff) -> Refusal | None:
    """Why reinforcements can't be put off by a turn (22.1-re2, 22.1-re5)."""
    arrival = s.board.arrivals.get(order.arrival)
    if arrival is None or arrival.side != side:
        return Refusal("3.0-3", f"{order.arrival} is no arrival of yours")
    if not arrival.late:
        return Refusal(arrival.clause, f"{order.arrival} comes when it is due")
    if arrival.id not in s.waiting:
        return Refusal("3.0-3", f"{order.arrival} has come in")
    if arrival.id in s.put_off:
        return Refusal(arrival.put_off, f"{order.arrival} has been put off once")
    if due_in(s, arrival) > s.turn:
        return Refusal(arrival.put_off, f"{order.arrival} is due in turn {due_in(s, arrival)}")
    if any(other not in s.waiting for other in arrival.together):
        return Refusal(arrival.put_off, f"some of those who come with {order.arrival} are in: all are put off, or none")
    return None


def put_off(s: State, order: PutOff) -> Iterator[Tell]:
    """Put reinforcements off by a turn, and those who go with them (22.1-re2, 22.1-re5)."""
    arrival = s.board.arrivals[order.arrival]
    for one in (arrival, *(s.board.arrivals[other] for other in arrival.together if other in s.waiting)):
        s.due[one.id] = max(due_in(s, one), s.turn if one is arrival else 0) + 1
        s.put_off.add(one.id)
        units = [start.unit for start in one.starts]
        yield Tell("put-off", arrival.put_off, {"side": one.side, "units": units, "turn": s.due[one.id]})


def held_up(s: State, arrival: Arrival) -> bool:
    """Whether the enemy has the hex of an arrival that can only come in elsewhere then, a turn later (22.1-re3)."""
    if not arrival.late or arrival.choice or arrival.id in s.put_off:
        return False
    return s.holder(arrival.at) == s.board.enemy[arrival.side] or s.board.label[arrival.at] in s.controlled


def why_never(s: State, side: str, order: Place | PutOff) -> Refusal | None:
    """Why reinforcements come in this turn no more: they are in, due later or put off (3.0-3, 22.1-re2, 22.1-re5)."""
    arrival = s.board.arrivals.get(order.arrival)
    if arrival is None or arrival.side != side:
        return Refusal("3.0-3", f"{order.arrival} is no arrival of yours")
    if arrival.id not in s.waiting:
        return Refusal("3.0-3", f"{order.arrival} has come in")
    if (turn := due_in(s, arrival)) <= s.turn:
        return None
    if arrival.id in s.put_off:
        return Refusal(arrival.put_off, f"{order.arrival} has been put off, and comes in turn {turn}")
    return Refusal("3.0-3", f"{order.arrival} comes in turn {turn}")


def why_not(s: State, side: str, order: Place) -> Refusal | None:
    """Why reinforcements can't be placed so."""
    if (refusal := why_never(s, side, order)) is not None:
        return refusal
    arrival = s.board.arrivals[order.arrival]
    hexes = free_hexes(s, arrival)
    if order.at not in hexes:
        if not hexes:
            return Refusal(arrival.clause, "the enemy is in all its hexes: it waits")
        where = " or ".join(map(s.board.place, hexes))
        return Refusal(arrival.clause, f"{order.arrival} comes in at {where}")
    return None


def place(s: State, order: Place) -> Iterator[Tell]:
    """Put reinforcements on the map."""
    arrival = s.board.arrivals[order.arrival]
    s.waiting.discard(arrival.id)
    for one in arrival.starts:
        enter(s, one.unit, order.at, one.manpower, one.fatigue)
    units = [one.unit for one in arrival.starts]
    yield Tell("reinforcements", arrival.clause, {"units": units, "side": arrival.side, "at": s.board.label[order.at]})
    yield from entered(s, units, order.at)
    meet(s, arrival.side)
