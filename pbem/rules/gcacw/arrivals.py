"""Reinforcements: what the scenario brings in a turn, and where (3.0-3, 13.5-re1, 13.5-re3)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw.board import Arrival
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.orders import Place
from pbem.rules.gcacw.state import State, enter
from pbem.rules.requests import Tell

__all__ = ["choices", "due", "free_hexes", "place", "why_not"]


def due(s: State, side: str) -> list[Arrival]:
    """The arrivals of a side that are due and not on the map, in their order; who found no hex comes later."""
    found = (one for one in s.board.arrivals.values() if one.id in s.waiting)
    return [one for one in found if one.side == side and one.turn <= s.turn]


def free_hexes(s: State, arrival: Arrival) -> list[Hex]:
    """The hexes in which an arrival may be placed: its own, others while the enemy is in that."""
    enemy = s.board.enemy[arrival.side]
    if s.holder(arrival.at) != enemy:
        return [arrival.at]
    return [h for h in arrival.else_at if s.holder(h) != enemy]


def choices(s: State, side: str) -> list[Place]:
    """The placings that a side can order."""
    return [Place(one.id, h) for one in due(s, side) for h in free_hexes(s, one)]


def why_not(s: State, side: str, order: Place) -> Refusal | None:
    """Why reinforcements can't be placed so."""
    arrival = s.board.arrivals.get(order.arrival)
    if arrival is None or arrival.side != side:
        return Refusal("3.0-3", f"{order.arrival} is no arrival of yours")
    if arrival.id not in s.waiting:
        return Refusal("3.0-3", f"{order.arrival} has come in")
    if arrival.turn > s.turn:
        return Refusal("3.0-3", f"{order.arrival} comes in turn {arrival.turn}")
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
