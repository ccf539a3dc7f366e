"""A computer player that plays boldly: makes for the enemy's victory hexes, shoots with all, attacks at good odds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu.board import Board
from pbem.rules.bakumatsu.fire import fire_modifiers, fire_strength
from pbem.rules.bakumatsu.melee import strength_difference
from pbem.rules.bakumatsu.orders import Enter, Fire, March, Melee, Move, Order, Recover, Retreat, SetUpUnit
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.reach import distances
from pbem.rules.requests import Chance, Choose

__all__ = ["advise"]

FAR = 999
"""Farther than any hex of the map."""

ENTRY = 6
"""Movement points that the enemy's entry hex counts as farther than it is: the way is long, and it is guarded."""


def advise(s: State, choose: Choose, chance: Chance) -> Order:
    """A sensible answer to a pending decision."""
    options = sorted(choose.options(), key=repr)
    rank = _RANKS[choose.kind](s, choose.side)
    best = max(map(rank, options))
    answer: Order = chance.choice([order for order in options if rank(order) == best])
    return answer


Rank = Callable[[Order], tuple[float, ...]]
"""How good an order is; the greatest is the best."""


def _setup(s: State, side: str) -> Rank:
    """As near to the enemy's as may be, the strongest first."""

    def rank(order: Order) -> tuple[float, ...]:
        if not isinstance(order, SetUpUnit):
            return (-FAR,)
        unit = s.board.units[order.unit]
        return unit.fire + unit.melee, -_way(s, side)[order.at]

    return rank


def _move(s: State, side: str) -> Rank:
    """First recover; then the move that brings a unit nearer to a goal by the most; done when none does."""
    ways = _way(s, side)

    def rank(order: Order) -> tuple[float, ...]:
        if isinstance(order, Recover):
            return (FAR,)
        if isinstance(order, Enter):
            entry = s.board.side[side].entry
            end = order.path[-1] if order.path else entry
            return (FAR / 2 - (ways[end] if end is not None else FAR),)
        if not isinstance(order, Move | March):
            return (0.0,)  # done
        start, end = s.at[order.unit], order.path[-1]
        if _stays(s, side, start) or s.board.units[order.unit].artillery:
            return (-1.0,)
        return (float(ways[start] - ways[end]) - 0.5,)

    return rank


def _fire(s: State, _: str) -> Rank:
    """The strongest fire, with all who can support it."""

    def rank(order: Order) -> tuple[float, ...]:
        if not isinstance(order, Fire):
            return (-FAR,)
        return fire_strength(s, order) + sum(m.value for m in fire_modifiers(s, order)), len(order.support)

    return rank


def _melee(s: State, side: str) -> Rank:
    """The attack with the greatest lead, on a victory hex first; none against the odds."""
    goals = _goals(s, side)

    def rank(order: Order) -> tuple[float, ...]:
        if not isinstance(order, Melee):
            return (0.0,)
        lead, at = strength_difference(s, order), s.at[order.target]
        prize = at in goals
        holding = s.control.get(s.at[order.unit]) == side
        advances = float(order.advance) * (1.0 if prize or not holding else -1.0)
        return (lead + 3.0 * prize - 0.5, advances)

    return rank


def _retreat(s: State, side: str) -> Rank:
    """The shortest way that stays nearest to one's own goals."""
    ways = _way(s, side)

    def rank(order: Order) -> tuple[float, ...]:
        return (-len(order.path), -ways[order.path[-1]]) if isinstance(order, Retreat) else (-FAR,)

    return rank


_RANKS: dict[str, Callable[[State, str], Rank]] = {
    "setup": _setup,
    "move": _move,
    "fire": _fire,
    "melee": _melee,
    "retreat": _retreat,
}
"""Kind of decision -> how its orders are ranked."""


def _stays(s: State, side: str, start: Hex) -> bool:
    """Whether a unit keeps the victory hex in which it stands: an enemy is near."""
    if s.control.get(start) != side:
        return False
    enemies = s.stands[s.board.enemy[side]]
    return any(n in enemies for h in s.board.ground.near[start] for n in s.board.ground.near[h])


def _goals(s: State, side: str) -> frozenset[Hex]:
    """The victory hexes that the enemy controls."""
    return frozenset(h for h, holder in s.control.items() if holder != side)


def _way(s: State, side: str) -> Mapping[Hex, int]:
    entry = s.board.side[s.board.enemy[side]].entry
    return _ways(s.board, _goals(s, side), entry)


@lru_cache(maxsize=32)
def _ways(board: Board, goals: frozenset[Hex], entry: Hex | None) -> Mapping[Hex, int]:
    """Movement points from every hex to the nearest of the goals, without units in the way."""
    far = {} if entry is None else {entry: ENTRY}
    found = distances({**far, **dict.fromkeys(goals, 0)}, lambda here: _into(board, here))
    return {h: found.get(h, FAR) for h in board.ground.near}


def _into(board: Board, here: Hex) -> Iterator[tuple[Hex, int]]:
    """The hexes from which a unit can step into a hex, with the price."""
    for h in board.ground.near[here]:
        price = board.ground.cost[h].get(here)
        if price is not None:
            yield h, price
