"""Marches along a way from wherever their unit stands on it then, `march U along HEX HEX ...`, read at a position.

A way has each hex once, so where the unit stands tells what is left of it: protocol.md 4.10 has how.
"""

from __future__ import annotations

from pbem.errors import Refusal
from pbem.rules.gcacw.orders import Activate, March, Order
from pbem.rules.gcacw.state import State

__all__ = ["from_here", "from_there"]


def from_there(s: State, order: Order) -> Order | Refusal:
    """An order with the hexes that each of its marches along a way still has to go, or why one can't go on along it."""
    if isinstance(order, March):
        return from_here(s, order)
    if not isinstance(order, Activate):
        return order
    marches: list[March] = []
    for one in order.marches:
        found = from_here(s, one)
        if isinstance(found, Refusal):
            return found
        marches.append(found)
    return order._replace(marches=tuple(marches))


def from_here(s: State, order: March) -> March | Refusal:
    """A march with the hexes that it still has to go: of a way along which it goes those behind where its unit stands.

    All of them where the unit stands beside the first.
    """
    here = s.at.get(order.unit)
    if not (order.along and order.path) or here is None:
        return order._replace(along=False)
    name, way = s.board.units[order.unit].name, order.path
    if here not in way and here not in s.board.ground.near[way[0]]:
        what = f"{name} stands in {s.board.place(here)}, neither on that way nor beside its first hex"
        return Refusal("std-6.1-1", what)
    left = way[way.index(here) + 1 :] if here in way else way
    if not left and order.only_goes:
        return Refusal("std-5.1-1", f"{name} stands at the end of that way already")
    return order._replace(path=left, along=False)
