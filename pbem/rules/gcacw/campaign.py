"""What the computer player does in the advanced game alone: mergings, foraging, ways by rail, the pontoon bridge."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw import may_march
from pbem.rules.gcacw.actions import going_along, rails
from pbem.rules.gcacw.aims import FAR, aims, way_to
from pbem.rules.gcacw.board import UNION
from pbem.rules.gcacw.goals import NEARER, Goal
from pbem.rules.gcacw.orders import Forage, March, Merge, Place, PutOff, Rail
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.substitutes import is_substitute, merges
from pbem.rules.gcacw.supply import fed_by_county, foragers

__all__ = ["by_rail", "foraging", "merging", "stays_fed", "unbridging", "worth_of_arrival"]

SAVED = 20
"""The half points of its way that a unit must save for it to go by rail."""

A_DAY = 20
"""The half points of a way that reinforcements must save for who puts them off by a turn."""

GUARD, BESIDE = 24, 2
"""The value of guards that makes it half as urgent to come to a place, and how near they are."""

HUNGER = 4.0
"""What a goal must be worth for a unit to leave its supply right before it is looked at."""

PRESSING = 0.3
"""What two actions less must cost for a unit to go on all the same."""

FEW = 3
"""The manpower below which infantry of the Union that may merge does, as it is an easy prey."""

COMES = 4
"""How near the pontoon bridge the enemy is when it is taken away."""


def worth_of_arrival(s: State, order: Place | PutOff) -> float:
    """What it brings that reinforcements come in there, or a turn later elsewhere: by what is worth most near them.

    What the Union guards already is worth the less to it.
    """
    starts = s.board.arrivals[order.arrival].late if isinstance(order, PutOff) else (order.at,)
    more = A_DAY * isinstance(order, PutOff)
    if more and s.turn == s.board.turns:
        return -1.0
    guards = s.own(UNION) if s.board.arrivals[order.arrival].side == UNION else []

    def left(h: Hex) -> float:
        return 1 / (1 + sum(s.value(unit) for unit in guards if distance(s.at[unit], h) <= BESIDE) / GUARD)

    ways = ((aim.worth * left(aim.at), way_to(s.board, aim.at)) for aim in aims(s))
    return max((worth / (1 + (way.get(h, FAR) + more) / NEARER) for worth, way in ways for h in starts), default=0.0)


def merging(s: State, side: str) -> Merge | None:
    """A substitute or a weak regiment of infantry into a unit that it makes neither tired nor hungry (21.2-4)."""
    for order in merges(s, side):
        tires = s.fatigue.get(order.unit, 0) > s.fatigue.get(order.into, 0)
        starves = order.unit in s.hungry and order.into not in s.hungry
        weak = side == UNION and s.board.units[order.unit].infantry and s.manpower[order.unit] < FEW
        if (weak or is_substitute(s, order.unit)) and not (tires or starves or order.unit in s.demoralised):
            return order
    return None


def foraging(s: State, side: str) -> Forage | None:
    """All who can forage and don't work in this recovery (20.4-1, 20.4-2)."""
    units = tuple(unit for order in foragers(s, side) for unit in order.units)
    return Forage(units) if units else None


def stays_fed(s: State, unit: str, goal: Goal) -> bool:
    """Whether a unit stays in its supply, which is looked at next turn, rather than go to what is worth little."""
    advanced, region = s.board.advanced, s.board.map.region
    if advanced is None or s.turn + 1 not in advanced.supply or goal.worth >= HUNGER or goal.spared > PRESSING:
        return False
    county = region.get(s.at[unit], "")
    if county == region.get(goal.aim.at):
        return False
    return bool(fed_by_county(s, unit)) if s.board.units[unit].side == UNION else county in advanced.home


def by_rail(s: State, side: str, wanted: Mapping[str, Goal]) -> Rail | None:
    """The way by rail that saves a unit most of its way on foot, if it is much (16.0)."""
    best, most = None, SAVED - 1
    for unit, goal in wanted.items() if s.board.advanced is not None and side == UNION else ():
        way = way_to(s.board, goal.aim.at)
        here = way.get(s.at[unit], FAR)
        for order in rails(s, side, unit) if here > most else ():
            saved = here - way.get(order.path[-1], FAR)
            if saved > most:
                best, most = order, saved
    return best


def unbridging(s: State, side: str) -> March | None:
    """Who takes the pontoon bridge away before enemies who come near it (19.0, std-10.0-4)."""
    pontoon = s.board.advanced.pontoon if s.board.advanced is not None else None
    if pontoon is None or side != pontoon.side or s.bridge_between(*pontoon.ends) != side:
        return None
    enemies = [s.at[enemy] for enemy in s.own(s.board.enemy[side])]
    if all(distance(enemy, end) > COMES for enemy in enemies for end in pontoon.ends):
        return None
    for unit in (unit for end in pontoon.ends for unit in s.units_in(end, side)):
        order = March(unit, (), going_along(s, unit), unbridge=pontoon.ends)
        if may_march.why_not(s, side, order) is None:
            return order
    return None
