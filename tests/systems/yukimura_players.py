"""Choosers for the Siege of Osaka: generals who send their units somewhere and hurry to a battle's end.

They pick among what the rules allow in order of numbers and words, so their games don't depend on the order in which
the rules list it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from matches import Chooser

from pbem.maps.hexes import Hex
from pbem.rules import State
from pbem.rules.requests import Choose, Order
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.held import is_held
from pbem.rules.yukimura.movement_phase import options_of
from pbem.rules.yukimura.orders import DONE, Advance, AdvancePlan, Beside, Fire, Hold, Melee, order_words
from systems.random_play import far_from, sampled

__all__ = ["player"]

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
            if goal is not None:
                order = nearer(s, unit, ways_to(s.board, goal, frozenset(s.stands[s.board.enemy[side]])))
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


def player(said: Mapping[str, Any] | str) -> Chooser:
    """A general by his fields, behind `from_N` those of the one who takes over in turn N; others by their names."""
    if isinstance(said, str):
        return {"sampled": sampled, "any option": any_option, "fierce": fierce}[said]
    later = {int(name.removeprefix("from_")): player(said[name]) for name in said if name.startswith("from_")}
    fields = {name: value for name, value in said.items() if not name.startswith("from_")}
    first = General(**fields | {"prey": tuple(fields.get("prey", ()))})

    def choose(state: State, request: Choose, chance: random.Random) -> Order:
        return later.get(max((turn for turn in later if turn <= state.turn), default=0), first)(state, request, chance)

    return choose


def nearer(s: State, unit: str, way: Mapping[Hex, int]) -> Order | None:
    """What brings a unit nearest to where a way leads: one on the map nearer than it is, one that waits at all."""
    here, label = s.at.get(unit), s.board.label
    found = [o for o in options_of(s, s.board.units[unit].side, unit) if not getattr(o, "off", False)]
    best = min(found, key=lambda o: (way[o.path[-1]], len(o.path), label[o.path[-1]]), default=None)
    return None if best is None or (here is not None and way[best.path[-1]] >= way[here]) else best


@lru_cache(maxsize=256)
def ways_to(board: Board, goal: Hex, enemies: frozenset[Hex]) -> dict[Hex, int]:
    """Movement points from every hex to a goal, round the enemy if that isn't too far."""
    ground = board.ground
    shunned = {n for h in enemies if h != goal for n in ground.near[h]} - set(ground.near[goal])

    def price(h: Hex, here: Hex) -> int | None:
        points = ground.cost[h].get(here)
        shy = SHY * (here in shunned) + 4 * SHY * (here in enemies and here != goal)
        return None if points is None else points + shy

    return far_from([goal], board.label, ground.near, price)


@lru_cache(maxsize=4)
def gaps(board: Board, enemies: frozenset[Hex]) -> dict[Hex, int]:
    """How far every hex is from the nearest enemy."""
    return far_from(sorted(enemies), board.label, board.ground.near, lambda *_: 1)


# --- players of random games ---------------------------------------------------------------------------------------


def movers(s: State, side: str, chance: random.Random) -> list[str]:
    """The units in any order, but not leaders whose move would lose the battle."""
    units = [unit for unit in s.board.of_side[side] if unit not in s.board.collapse.get(side, ())]
    return chance.sample(units, len(units))


def any_option(s: State, request: Choose, chance: random.Random) -> Order:
    """Any option: in a Movement Phase of some unit, one time in forty the end of the phase."""
    if request.kind != "move":
        return chance.choice(list(request.options()))
    for unit in movers(s, request.side, chance) if chance.randrange(40) else ():
        options = list(options_of(s, request.side, unit))
        if options:
            return chance.choice(options)
    return DONE


def fierce(s: State, request: Choose, chance: random.Random) -> Order:
    """Everybody goes for the nearest enemy, fires and fights with all who can, and follows as far as he may."""
    if request.kind == "move":
        gap = gaps(s.board, frozenset(s.stands[s.board.enemy[request.side]]))
        orders = (nearer(s, unit, gap) for unit in movers(s, request.side, chance))
        return next((order for order in orders if order is not None), DONE)
    options = list(request.options())
    if request.kind in ("defence", "combat"):
        target = chance.choice([order.target for order in options if order != DONE] or [""])
        order = max((o for o in options if o != DONE and o.target == target), key=lambda o: len(o.support))
        if request.kind == "combat" and isinstance(order, Melee) and chance.random() < 0.5:
            free = [AdvancePlan(u) for u in (order.unit, *order.support) if not is_held(s, u)]
            return Melee(order.unit, order.target, order.support, tuple(free))
        return order
    if request.kind == "advance":
        return max((o for o in options if isinstance(o, Advance)), key=lambda o: len(o.path))
    return chance.choice(options)
