"""A computer player that plays boldly: makes for the enemy's victory hexes, shoots with all, attacks at good odds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from pbem.maps.hexes import Hex, distance
from pbem.rules.bakumatsu.board import Board
from pbem.rules.bakumatsu.fire import fire_modifiers, fire_strength
from pbem.rules.bakumatsu.melee import strength_difference
from pbem.rules.bakumatsu.movement import march_destinations, move_destinations
from pbem.rules.bakumatsu.orders import DONE, Enter, Fire, March, Melee, Move, Order, Recover, Retreat, SetUpUnit
from pbem.rules.bakumatsu.recovery_movement import options_of
from pbem.rules.bakumatsu.reinforcements import can_enter
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
    rank = _RANKS[choose.kind](s, choose.side)
    listed = _moves(s, choose.side, rank) if choose.kind == "move" else choose.options()
    options = [(rank(order), order) for order in listed]
    best = max(worth for worth, _ in options)
    answer: Order = chance.choice(sorted((order for worth, order in options if worth == best), key=repr))
    return answer


Rank = Callable[[Order], tuple[float, ...]]
"""How good an order is; the greatest is the best."""


def _setup(s: State, side: str) -> Rank:
    """As near to the enemy's as may be, the strongest first."""
    ways = _way(s, side)

    def rank(order: Order) -> tuple[float, ...]:
        if not isinstance(order, SetUpUnit):
            return (-FAR,)
        unit = s.board.units[order.unit]
        return unit.fire + unit.melee, -ways[order.at]

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
        if s.board.units[order.unit].command is not None:
            return (_led(s, order.unit, end) - _led(s, order.unit, start) - 0.5,)
        return (float(ways[start] - ways[end]) - 0.5,)

    return rank


def _moves(s: State, side: str, rank: Rank) -> list[Order]:
    """The options of movement without those that are surely not the best."""
    idle = [unit for unit in s.board.of_side[side] if unit in s.at and unit not in s.done]
    weak = [unit for unit in idle if unit in s.disordered]
    if weak:
        return [Recover(unit) for unit in weak]
    free = [s.board.units[unit] for unit in idle if not _keeps(s, side, unit)]
    found: list[Order] = [DONE, *(order for unit in can_enter(s, side) for order in options_of(s, side, unit))]
    for unit in free:
        found += (March(unit.id, path) for path in march_destinations(s, unit, s.at[unit.id]).values())
    best = max(map(rank, found))
    for unit in free:
        start = s.at[unit.id]
        most = max(unit.move, *s.board.ground.cost[start].values())  # a move brings it nearer by what it pays at most
        if unit.command is not None or (most - 0.5,) >= best:
            found += (Move(unit.id, path) for _, path in move_destinations(s, unit, start).values())
    return found


def _keeps(s: State, side: str, unit: str) -> bool:
    """Whether a unit doesn't move: artillery, and the guard of a victory hex."""
    printed = s.board.units[unit]
    return printed.artillery or (printed.command is None and _stays(s, side, s.at[unit]))


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


def _led(s: State, commander: str, h: Hex) -> float:
    """How well a commander stands in a hex: the friends in his range, with one in his hex best."""
    printed = s.board.units[commander]
    reach = printed.command.range if printed.command is not None else 0
    near = [distance(h, there) for there in s.stands[printed.side]]
    return sum(far <= reach for far in near) + 0.5 * (0 in near) - min(near, default=0) / FAR


def _goals(s: State, side: str) -> frozenset[Hex]:
    """The victory hexes that are the enemy's or nobody's."""
    return frozenset(h for h in s.board.victory_hexes if s.control.get(h) != side)


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
