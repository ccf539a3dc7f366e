"""Orders that only the position makes plain: `march U to PLACE`, `retreat to PLACE`."""

from __future__ import annotations

from dataclasses import replace

from pbem.errors import IllegalOrder, Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw import march
from pbem.rules.gcacw.actions import going_along
from pbem.rules.gcacw.orders import Activate, March, Order, Path
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.wording import as_meant, read_order
from pbem.rules.gcacw.zones import points, stacking, stops
from pbem.rules.kit import reach
from pbem.rules.kit.going import FAR, TO
from pbem.rules.requests import Choose, Words

__all__ = ["WAYS", "way"]

WAYS = {"march": "the cheapest way", "activate": "the cheapest ways", "rail": "along the railroad"}
"""Keyword -> what is said of the way found for an order with `to`."""


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words with `to PLACE` mean now, of marches, also of an activation, and by rail; None for others.

    A leader who would be left alone goes along where none is named.
    """
    words = as_meant(s.board, words)
    if TO not in words or words[0] not in WAYS:
        return None
    plain = tuple(word for word in words if word != TO)
    order = read_order(s.board, choose.side, plain)
    if isinstance(order, March):
        return _filled(s, order, words)
    if isinstance(order, Activate):
        marches = tuple(_filled(s, one, words, order) for one in order.marches)
        return replace(order, marches=marches)
    return None


def _filled(s: State, order: March, words: Words, led: Activate | None = None) -> March:
    """The march with its way filled in: between the hexes that it names along the cheapest steps."""
    if order.unit not in s.at or not order.path:
        return order
    path: list[Hex] = []
    here = s.at[order.unit]
    for goal in order.path:
        path += _between(s, order, here, goal, words)
        here = goal
    leaders = order.leaders or ((), going_along(s, order.unit))[led is None]
    return replace(order, path=tuple(path), leaders=leaders)


def _between(s: State, order: March, here: Hex, goal: Hex, words: Words) -> Path:
    """The cheapest way from one hex to another, one that no zone of control stops before where there is one."""
    if here == goal:
        return ()
    if distance(here, goal) == 1 and march.why_no_step(s, order.unit, here, goal, order.leaders) is None:
        return (goal,)
    side = s.board.units[order.unit].side

    def step(a: Hex, b: Hex) -> int | str:
        if march.why_no_step(s, order.unit, a, b, order.leaders) is not None:
            return "closed"
        return (points(s, side, a, b) or 0) + stacking(s, side, b, (order.unit,))

    found = reach.cheapest(here, FAR, s.board.ground.near, step, lambda h: h == goal or stops(s, order.unit, h))
    if goal not in found:
        found = reach.cheapest(here, FAR, s.board.ground.near, step, lambda h: h == goal)
    if goal not in found:
        refusal = Refusal("std-6.1-1", f"no way leads to {s.board.place(goal)}")
        raise IllegalOrder(f"`{' '.join(words)}`: {refusal.reason}", clause=refusal.clause)
    return found[goal][1]
