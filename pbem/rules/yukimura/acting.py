"""Whether a unit may act at all: one's own and on the map; and what every chapter shares."""

from __future__ import annotations

from pbem.errors import Refusal
from pbem.rules.yukimura.orders import Order, order_words
from pbem.rules.yukimura.state import State

__all__ = ["asked_refusal", "phase_refusal", "stem", "why_not_act", "why_not_on_map"]


def why_not_act(s: State, side: str, unit: str, clause: str) -> Refusal | None:
    """Why a unit can't act for `side`: another's, or not on the map; `clause` is that of the phase."""
    owner = s.board.units[unit].side
    if owner != side:
        whose, ours = s.board.side[owner].title, s.board.side[side].title
        return Refusal("1-a", f"{s.board.describe(unit)} belongs to the {whose}; this order is for units of the {ours}")
    if unit not in s.at:
        return why_not_on_map(s, unit, clause)
    return None


def why_not_on_map(s: State, unit: str, clause: str) -> Refusal:
    """The refusal for a unit that isn't on the map, with where it is."""
    name = s.board.describe(unit)
    if unit in s.removed:
        return Refusal(clause, f"{name} isn't on the map: it was removed in turn {s.removed[unit]}")
    if unit in s.exited:
        return Refusal("7-6-2", f"{name} left the map in turn {s.exited[unit]} and can't return")
    force = s.board.units[unit].force
    if force in s.arrived:
        return Refusal("8.a", f"{name} isn't on the map yet: `enter {unit} HEX` in a Movement Phase brings it on")
    if force in s.board.arrivals:
        return Refusal("8.a", f"{name} isn't on the map: it is a reinforcement of turn {s.board.arrivals[force].turn}")
    return Refusal(clause, f"{name} isn't on the map")


def phase_refusal(s: State, order: object, clause: str, usual: str) -> Refusal:
    """The refusal of an order of another phase; `usual` lists the orders of this one."""
    if not isinstance(order, Order):
        return Refusal(clause, f"{order!r} is no order: write {usual}")
    return Refusal(clause, f"`{order_words(s.board, order)[0]}` isn't an order of this phase: write {usual}")


def asked_refusal(s: State, order: object, clause: str, unit: str, usual: str) -> Refusal:
    """The refusal of an answer that isn't about the unit that is asked for; `usual` lists the answers."""
    if isinstance(order, Order) and unit not in order_words(s.board, order)[1:2]:
        return Refusal(clause, f"the question is about {s.board.describe(unit)}: write {usual}")
    return phase_refusal(s, order, clause, usual)


def stem(what: str, s: State, unit: str) -> str:
    """The stem of a roll's label: what is rolled for, and the hex of the unit it concerns."""
    return f"{what}/{s.board.label[s.at[unit]].lower()}"
