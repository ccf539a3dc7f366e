"""Choosers for the Siege of Osaka: generals who send their units somewhere and hurry to a battle's end.

They pick among what the rules allow in order of numbers and words, so their games don't depend on the order in which
the rules list it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any

from matches import Chooser

from pbem.maps.hexes import Hex
from pbem.rules import State
from pbem.rules.requests import Choose, Order
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.movement import is_idle, march_destinations, move_destinations
from pbem.rules.yukimura.movement_phase import ENTRY_COST, free_entries
from pbem.rules.yukimura.orders import DONE, Advance, Beside, Enter, Fire, Hold, March, Melee, Move, order_words

__all__ = ["General", "by_turns", "player"]

FAR = 9999
SHY = 5
"""Movement points that a hex next to an enemy seems to cost more: who comes there must stop."""


@dataclass(frozen=True)
class General:
    """A player who sends units to places and fights those he means to.

    going   id of a unit, or the two letters of its force -> the number of the hex where it shall go; the longest fits
    prey    the enemy units that he fires at and attacks: ids or letters of forces; "" for all
    guns    whether riflemen fire or fight hand-to-hand with the others
    bold    whether he advances where he is asked
    beside  the number of the hex beside which the force is put that comes later
    """

    going: Mapping[str, str] = field(default_factory=dict)
    prey: tuple[str, ...] = ()
    guns: bool = True
    bold: bool = False
    beside: str = ""

    def __call__(self, state: State, request: Choose, chance: random.Random) -> Order:
        """Decide."""
        if request.kind == "move":
            return self._movement(state, request.side)
        options = sorted(request.options(), key=lambda order: order_words(state.board, order))
        if request.kind == "beside":
            wanted = [o for o in options if isinstance(o, Beside) and state.board.label[o.at] == self.beside]
            return (wanted or options)[0]
        if request.kind in ("combat", "defence"):
            return self._combat(state, options)
        if request.kind == "advance":
            return chance.choice([o for o in options if isinstance(o, Advance if self.bold else Hold)])
        return chance.choice(options)

    def _goal(self, state: State, unit: str) -> Hex | None:
        number = self.going.get(unit, self.going.get(unit[:2]))
        return state.board.parse(number) if number else None

    def _movement(self, s: State, side: str) -> Order:
        """The first unit that can come nearer to its goal goes as near as it can."""
        for unit in s.board.of_side[side]:
            goal = self._goal(s, unit)
            if goal is None:
                continue
            way = ways_to(s.board, goal, threats(s, side))
            order = _step(s, unit, way) if unit in s.at else _entry(s, unit, way)
            if order is not None:
                return order
        return DONE

    def _combat(self, s: State, options: list[Order]) -> Order:
        """All who can at one target, by fire first."""
        meant = [o for o in options if isinstance(o, Fire | Melee) and o.target.startswith(self.prey)]
        for kind in (Fire, Melee) if self.guns else (Melee, Fire):
            fights = [o for o in meant if isinstance(o, kind)]
            if fights:
                return max(fights, key=lambda order: len(order.support))
        return DONE


def by_turns(first: Chooser, **later: Chooser) -> Chooser:
    """Another general from some turns on: `by_turns(first, from_4=second)`."""
    starts = {int(name.removeprefix("from_")): general for name, general in later.items()}

    def choose(state: State, request: Choose, chance: random.Random) -> Order:
        due = max((turn for turn in starts if turn <= state.turn), default=0)
        return starts.get(due, first)(state, request, chance)

    return choose


def player(said: Mapping[str, Any]) -> Chooser:
    """A general by his fields; behind `from_N` the fields of the one who takes over in turn N."""
    later = {name: player(fields) for name, fields in said.items() if name.startswith("from_")}
    fields = {name: value for name, value in said.items() if name not in later}
    general = General(**fields | {"prey": tuple(fields.get("prey", ()))})
    return by_turns(general, **later) if later else general


def threats(s: State, side: str) -> frozenset[Hex]:
    """The hexes of the enemy."""
    return frozenset(s.stands[s.board.enemy[side]])


def _step(s: State, unit_id: str, way: Mapping[Hex, int]) -> Order | None:
    """The move or march that brings a unit nearest to its goal; None when none does."""
    if not is_idle(s, unit_id):
        return None
    unit, start = s.board.units[unit_id], s.at[unit_id]
    moves: list[Move | March] = [Move(unit_id, path) for _, path in move_destinations(s, unit, start).values()]
    moves += [March(unit_id, path) for path in march_destinations(s, unit, start).values()]
    return _nearest(s, [move for move in moves if way[move.path[-1]] < way[start]], way)


def _entry(s: State, unit_id: str, way: Mapping[Hex, int]) -> Order | None:
    """The entry that brings a waiting unit nearest to its goal; None when it can't enter."""
    unit = s.board.units[unit_id]
    if unit_id not in s.waiting.get(unit.force, ()):
        return None
    found = []
    for entry in free_entries(s, unit.force):
        found.append(Enter(unit_id, (entry,)))
        if threats(s, unit.side).isdisjoint(s.board.ground.open_to[entry]):
            on = move_destinations(s, unit, entry, ENTRY_COST)
            found += [Enter(unit_id, (entry, *path)) for _, path in on.values()]
    return _nearest(s, found, way)


def _nearest(s: State, moves: Iterable[Move | March | Enter], way: Mapping[Hex, int]) -> Order | None:
    label = s.board.label
    return min(moves, key=lambda move: (way[move.path[-1]], len(move.path), label[move.path[-1]]), default=None)


@lru_cache(maxsize=256)
def ways_to(board: Board, goal: Hex, enemies: frozenset[Hex]) -> dict[Hex, int]:
    """Movement points from every hex to a goal, round the enemy if that isn't too far."""
    ground = board.ground
    shunned = {n for h in enemies if h != goal for n in ground.near[h]} - set(ground.near[goal])
    found: dict[Hex, int] = {}
    queue: list[tuple[int, Hex]] = [(0, goal)]
    while queue:
        cost, here = heappop(queue)
        if here in found:
            continue
        found[here] = cost
        for h in ground.near[here]:
            price = ground.cost[h].get(here)
            if price is not None:
                extra = SHY * (here in shunned) + 4 * SHY * (here in enemies and here != goal)
                heappush(queue, (cost + price + extra, h))
    return {h: found.get(h, FAR) for h in board.label}
