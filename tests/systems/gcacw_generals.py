"""Generals of the Great Campaigns for the tests: they go for aims, fight where they are strong, and rest."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from matches import Chooser

from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw import actions
from pbem.rules.gcacw.board import CONFEDERATE, DESTROYED, Board
from pbem.rules.gcacw.leaders import in_radius, is_corps
from pbem.rules.gcacw.orders import (
    ACTION,
    ATTACHMENT,
    RECOVERY,
    TRANSFER,
    Activate,
    Close,
    Detach,
    Entrench,
    Forage,
    March,
    Merge,
    Order,
    Raid,
)
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.substitutes import free_substitutes, most_of
from pbem.rules.kit.reach import distances
from pbem.rules.requests import Choose
from systems.random_play import sampled

__all__ = ["GENERALS", "General", "chooser"]

NEAR = 14
"""The half points of a die's best march."""

FAR = 9999
"""Farther than any hex is, in half points."""

GARRISON, STRONG = 2, 8
"""The men whom a unit leaves behind now and then, if it has so many."""

BREASTWORKS = 2
"""The stage up to which they dig."""

OFTEN_LED, SELDOM = 0.8, 0.15
"""How often a corps is led, and a garrison left behind."""

IN_SIGHT = 4
"""So near is an enemy before whom units entrench."""


class General(NamedTuple):
    """What a side goes for: stations that it raids, objectives that aren't its own, other hexes; else the enemy.

    Each unit has one of what is left of them, by its place in the set-up; the first ones are for the first.
    `daring`: it attacks where its value is so many times the defender's. `rested`: the fatigue to which it marches.
    """

    aims: tuple[str, ...]
    daring: float
    rested: int = 2
    raids: bool = False


def chooser(general: General) -> Chooser:
    """A player who does as a general does."""

    def choose(s: State, request: Choose, chance: random.Random) -> Order:
        if request.reaction:
            return request.default() if request.default is not None else request.sample(chance)
        match request.kind:
            case "action":
                return _act(s, request.side, general, chance)
            case "transfer":
                return sampled(s, request, chance) if chance.random() < 0.3 else Close(TRANSFER)
            case "attachment":
                merges = [one for one in request.options() if isinstance(one, Merge)]
                return chance.choice(merges) if merges and chance.random() < 0.6 else Close(ATTACHMENT)
            case "recovery":
                return next(_works(s, request, chance), Close(RECOVERY))
        return sampled(s, request, chance)

    return choose


def _works(s: State, request: Choose, chance: random.Random) -> Iterator[Order]:
    """All who can forage, then breastworks before the enemy now and then."""
    options = [*request.options()]
    hungry = tuple(unit for one in options if isinstance(one, Forage) for unit in one.units)
    if hungry:
        yield Forage(hungry)
    foes = [s.at[foe] for foe in s.own(s.board.enemy[request.side])]
    for one in options:
        low = isinstance(one, Entrench) and s.works.get(one.unit, 0) < BREASTWORKS
        if low and chance.random() < 0.4 and any(distance(s.at[one.unit], h) <= IN_SIGHT for h in foes):
            yield one


# --- actions ----------------------------------------------------------------------------------------------------------


def _act(s: State, side: str, general: General, chance: random.Random) -> Order:
    """An action of some unit, or the end of the side's actions."""
    aims = tuple(h for h in map(s.board.parse, general.aims) if not _had(s, side, h, general))
    foes = tuple(sorted({s.at[foe] for foe in s.own(s.board.enemy[side])}))
    goals = {
        unit: (aims[number % len(aims)],) if aims else foes
        for number, unit in enumerate(s.own(side))
        if actions.can_act(s, unit)
    }
    for unit in chance.sample([*goals], len(goals)):
        if general.raids and s.at[unit] in aims and actions.why_not(s, side, Raid(unit)) is None:
            return Raid(unit)
        order = _fight(s, side, unit, general, chance)
        tired = s.fatigue.get(unit, 0) >= general.rested
        if (order := order or (None if tired else _approach(s, side, unit, goals, general, chance))) is not None:
            return order
    return Close(ACTION)


def _had(s: State, side: str, h: Hex, general: General) -> bool:
    """Whether a side has all that it can have of an aim; it stays where nothing else is to be had than the hex."""
    objective, station = h in s.board.objectives, general.raids and h in s.board.stations
    taken = not objective or (s.board.label[h] in s.controlled) == (side == CONFEDERATE)
    return (objective or station) and taken and (not station or s.station.get(h) == DESTROYED)


@lru_cache(maxsize=200)
def _far(board: Board, goals: Sequence[Hex]) -> Mapping[Hex, int]:
    """Half points from each hex to the nearest goal."""
    cost, open_to = board.ground.cost, board.ground.open_to
    return distances(dict.fromkeys(goals, 0), lambda h: ((n, cost[n][h]) for n in open_to[h] if h in cost[n]))


def _fight(s: State, side: str, unit: str, general: General, chance: random.Random) -> Order | None:
    """An attack of a unit that is strong enough for it, now and then an assault of a leader in its place."""
    orders = [one for one in actions.marches(s, side, unit, NEAR) if one.strike is not None]
    fights = [one for one in orders if _odds(s, side, unit, one.strike.at) >= general.daring]
    if not fights:
        return None
    march = chance.choice(fights)
    leaders = s.leaders(side)
    found = [*actions.assaults(s, side, chance.choice(leaders))] if leaders and chance.random() < 0.7 else []
    assaults = [one for one in found if one.at == march.strike.at]
    return chance.choice(assaults or [march])


def _odds(s: State, side: str, unit: str, at: Hex) -> float:
    """The value of a unit by that of those in a hex behind their works."""
    there = s.units_in(at, s.board.enemy[side])
    worth = sum(s.value(one) * s.board.tables.works[s.works.get(one, 0)] for one in there)
    return s.value(unit) / max(1, worth)


def _approach(
    s: State, side: str, unit: str, goals: Mapping[str, Sequence[Hex]], general: General, chance: random.Random
) -> Order | None:
    """By rail, with a corps or alone nearer to a goal; now and then with a garrison left behind."""
    far, here = _far(s.board, goals[unit]), s.at[unit]
    rails = [*actions.rails(s, side, unit)]
    rail = min(rails, key=lambda one: far.get(one.path[-1], FAR), default=None)
    if rail is not None and far.get(rail.path[-1], FAR) + 2 * NEAR < far.get(here, FAR):
        return rail
    march = _nearer(s, side, unit, goals)
    if march is None:
        return None
    leaders = [one for one in s.leaders(side) if is_corps(s, one) and s.commands(one, unit)]
    if leaders and chance.random() < OFTEN_LED:
        return _led(s, side, chance.choice(leaders), march, goals, general)
    free = free_substitutes(s, unit)
    if free and s.manpower[unit] >= STRONG and chance.random() < SELDOM:
        left = march._replace(detached=(Detach(free[0], min(GARRISON, most_of(s, free[0]))),))
        march = left if actions.why_not(s, side, left) is None else march
    return march


def _nearer(s: State, side: str, unit: str, goals: Mapping[str, Sequence[Hex]]) -> March | None:
    """The march of a unit that ends nearest to its goal, if one ends nearer than it is."""
    far = _far(s.board, goals[unit])
    ways = (one for one in actions.marches(s, side, unit, NEAR) if one.strike is None and one.path)
    best = min(ways, key=lambda one: far.get(one.path[-1], FAR), default=None)
    return best if best is not None and far.get(best.path[-1], FAR) < far.get(s.at[unit], FAR) else None


def _led(s: State, side: str, leader: str, march: March, goals: Mapping[str, Sequence[Hex]], general: General) -> Order:
    """An activation of a leader with a march and those of all others of his who can go, as far as he can lead them."""
    goes = s.at[leader] == s.at[march.unit] and leader not in march.leaders
    order = Activate(leader, (march._replace(leaders=(*march.leaders, leader)) if goes else march,))
    if actions.why_not(s, side, order) is not None:
        return march
    for unit in goals:
        rested = unit != march.unit and s.commands(leader, unit) and s.fatigue.get(unit, 0) < general.rested
        more = _nearer(s, side, unit, goals) if rested and in_radius(s, leader, unit) else None
        if more is not None:
            along = tuple(one for one in more.leaders if one != leader)
            wider = order._replace(marches=(*order.marches, more._replace(leaders=along)))
            order = wider if actions.why_not(s, side, wider) is None else order
    return order


GENERALS = {
    "to Aquia": General(("S4426", "S5021"), daring=3.0),
    "to Alexandria": General(("N5819",), daring=3.0),
    "on the railroad": General(("S2414", "S2612", "S3307", "S4101"), daring=1.5),
    "in works": General((), daring=9.0, rested=0),
    "hunting": General((), daring=1.0),
    "raiding": General(("S2414", "S3307", "S4101", "S3703", "N4422", "S1418", "S2403"), daring=1.0, raids=True),
    "watching": General(("S2414", "S3307", "S4101", "N5020"), daring=2.0, rested=1),
    "probing": General(("S2414", "S2403", "S3307", "S4101", "S3703"), daring=1.6, rested=1, raids=True),
}
"""Generals by what they do."""
