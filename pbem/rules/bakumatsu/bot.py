"""A computer player by rules of thumb: makes for the enemy's victory hexes, shoots with all, attacks at good odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from pbem.maps.hexes import Hex, distance
from pbem.rules.bakumatsu.board import Board, Unit
from pbem.rules.bakumatsu.fire import fire_modifiers, fire_strength
from pbem.rules.bakumatsu.melee import strength_difference
from pbem.rules.bakumatsu.movement import ROAD_RATE, march_destinations, move_destinations
from pbem.rules.bakumatsu.orders import DONE, Enter, Fire, March, Melee, Move, Order, Recover, Retreat, SetUpUnit
from pbem.rules.bakumatsu.recovery_movement import options_of
from pbem.rules.bakumatsu.reinforcements import can_enter
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.reach import distances
from pbem.rules.requests import Chance, Choose

__all__ = ["FAR", "advise", "best_of", "far_from", "goals_of", "how_far"]

FAR = 999
"""Farther than any hex of the map."""

ENTRY = 6
"""Movement points that the enemy's entry hex counts as farther than it is: the way is long, and it is guarded."""


def advise(s: State, choose: Choose, chance: Chance) -> Order:
    """A sensible answer to a pending decision."""
    rank = _RANKS[choose.kind](s, choose.side)
    listed = _moves(s, choose.side, rank) if choose.kind == "move" else choose.options()
    return best_of(((rank(order), order) for order in listed), chance)


def best_of(options: Iterable[tuple[tuple[float, ...], Order]], chance: Chance) -> Order:
    """The order that is worth the most; of several chance takes one."""
    listed = list(options)
    best = max(worth for worth, _ in listed)
    answer: Order = chance.choice(sorted((order for worth, order in listed if worth == best), key=repr))
    return answer


Rank = Callable[[Order], tuple[float, ...]]
"""How good an order is; the greatest is the best."""


def _setup(s: State, side: str) -> Rank:
    """As near to the enemy's as may be, the strongest first."""
    ways = how_far(s, side)

    def rank(order: Order) -> tuple[float, ...]:
        if not isinstance(order, SetUpUnit):
            return (-FAR,)
        unit = s.board.units[order.unit]
        return unit.fire + unit.melee, -ways[order.at]

    return rank


def _move(s: State, side: str) -> Rank:
    """First recover; then the move that brings a unit nearer to a goal by the most; done when none does."""
    ways = how_far(s, side)

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
    found: list[Order] = [DONE, *_entries(s, side, rank)]
    best = max(map(rank, found))[0]
    free = [s.board.units[unit] for unit in idle if not _keeps(s, side, unit)]
    for ways in (_marches, _walks, _rides):
        for unit in free:
            fresh = list(ways(s, unit, best))
            best = max([best, *(rank(order)[0] for order in fresh)])
            found += fresh
    return found


def _entries(s: State, side: str, rank: Rank) -> Iterator[Order]:
    """The best ways to come on; whoever moves alike has the same ways."""
    alike: dict[tuple[int, bool], list[str]] = {}
    for piece in can_enter(s, side):
        unit = s.board.units[piece]
        alike.setdefault((unit.move, unit.command is None), []).append(piece)
    for pieces in alike.values():
        ways = [(rank(way), way) for way in options_of(s, side, pieces[0]) if isinstance(way, Enter)]
        most = max(worth for worth, _ in ways)
        yield from (way._replace(unit=piece) for worth, way in ways if worth == most for piece in pieces)


def _marches(s: State, unit: Unit, best: float) -> Iterator[Order]:
    """The best ways of a combat unit by road, if one may be as good: it brings it nearer by what is paid at most."""
    if unit.command is None and ROAD_RATE * unit.move - 0.5 >= best:
        ends, ways = march_destinations(s, unit, s.at[unit.id]), how_far(s, unit.side)
        least = min((ways[h] for h in ends), default=FAR)
        yield from (March(unit.id, path) for h, path in ends.items() if ways[h] == least)


def _walks(s: State, unit: Unit, best: float) -> Iterator[Order]:
    """The best ways of a combat unit on foot, if one may be as good."""
    start = s.at[unit.id]
    if unit.command is None and max((unit.move, *s.board.ground.cost[start].values())) - 0.5 >= best:
        ends, ways = move_destinations(s, unit, start), how_far(s, unit.side)
        least = min((ways[h] for h in ends), default=FAR)
        yield from (Move(unit.id, path) for h, (_, path) in ends.items() if ways[h] == least)


def _rides(s: State, unit: Unit, best: float) -> Iterator[Order]:
    """The ways of a commander to where the most friends are in his range, if one may be as good."""
    if unit.command is None:
        return
    start, posts = s.at[unit.id], _posts(s.board, frozenset(s.stands[unit.side]), unit.command.range)
    least = posts.get(start, 0.0) + best + 0.4  # half a friend pays for the way; how near the others are is a trifle
    near = min((distance(start, h) for h, worth in posts.items() if worth > least), default=FAR)
    ways: list[March | Move] = []
    if near <= ROAD_RATE * unit.move:
        ways += (March(unit.id, path) for path in march_destinations(s, unit, start).values())
    if near <= unit.move:
        ways += (Move(unit.id, path) for _, path in move_destinations(s, unit, start).values())
    worth = [posts.get(way.path[-1], 0.0) for way in ways]
    most = max(worth, default=0.0)
    yield from (way for way, each in zip(ways, worth, strict=True) if each == most > least)


@lru_cache(maxsize=8)
def _posts(board: Board, friends: frozenset[Hex], reach: int) -> Mapping[Hex, float]:
    """How many friends are in range of a commander in a hex, with half of one more for who is in his hex."""
    found = dict.fromkeys(friends, 1.5)
    for there in friends:
        for h in board.ground.reach[reach][there]:
            found[h] = found.get(h, 0.0) + 1.0
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
    goals = goals_of(s, side)

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
    ways = how_far(s, side)

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


def goals_of(s: State, side: str) -> frozenset[Hex]:
    """The victory hexes that are the enemy's or nobody's."""
    return frozenset(h for h in s.board.victory_hexes if s.control.get(h) != side)


def how_far(s: State, side: str) -> Mapping[Hex, int]:
    """Movement points from every hex to the nearest goal of a side, the enemy's entry hex a little farther."""
    entry = s.board.side[s.board.enemy[side]].entry
    return far_from(s.board, goals_of(s, side), entry)


@lru_cache(maxsize=128)
def far_from(board: Board, goals: frozenset[Hex], entry: Hex | None) -> Mapping[Hex, int]:
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
