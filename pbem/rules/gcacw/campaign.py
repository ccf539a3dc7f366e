"""What the computer player does in the advanced game alone: mergings, foraging, ways by rail, the pontoon bridge."""

from __future__ import annotations

from pbem.rules.gcacw.orders import Forage, Merge
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.substitutes import is_substitute, merges
from pbem.rules.gcacw.supply import foragers

__all__ = ["foraging", "merging"]


def merging(s: State, side: str) -> Merge | None:
    """A substitute back into a unit that it makes neither tired nor hungry (21.2-4)."""
    for order in merges(s, side):
        tires = s.fatigue.get(order.unit, 0) > s.fatigue.get(order.into, 0)
        starves = order.unit in s.hungry and order.into not in s.hungry
        if is_substitute(s, order.unit) and not (tires or starves or order.unit in s.demoralised):
            return order
    return None


def foraging(s: State, side: str) -> Forage | None:
    """All who can forage and don't work in this recovery (20.4-1, 20.4-2)."""
    units = tuple(unit for order in foragers(s, side) for unit in order.units)
    return Forage(units) if units else None
