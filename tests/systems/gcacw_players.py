"""Players of the Great Campaigns for the tests: who seeks the enemy, who does nothing, who makes for a place."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from matches import Chooser

from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw import actions, bot
from pbem.rules.gcacw.leaders import is_corps
from pbem.rules.gcacw.orders import DONE, PASS, Activate, Close, March, Order, Raid
from pbem.rules.gcacw.state import State
from pbem.rules.kit.reach import distances
from pbem.rules.requests import Choose
from systems.gcacw_generals import GENERALS, chooser
from systems.random_play import sampled

__all__ = ["PLAYERS"]

NEAR = 14
"""The half points of a die's best march."""

FEW = 3
"""So many units of a side are looked at before one is chosen."""


def eager(s: State, request: Choose, chance: random.Random) -> Order:
    """Attack where it can be done, else come closer to the enemy; anything sensible where something else is asked."""
    if request.kind != "action" or chance.random() < 0.1:
        return sampled(s, request, chance)
    side = request.side
    leaders = s.leaders(side)
    found: list[Order] = [*actions.assaults(s, side, chance.choice(leaders))] if leaders else []
    if found and chance.random() < 0.7:
        return chance.choice(found)
    units = [unit for unit in s.own(side) if actions.can_act(s, unit)]
    for unit in chance.sample(units, min(FEW, len(units))):
        order = _toward(s, side, unit, chance)
        if order is not None:
            return order
    return PASS


def _toward(s: State, side: str, unit: str, chance: random.Random) -> Order | None:
    """A march of a unit that ends with an attack, or beside the enemy or as near to him as it comes."""
    orders = [*actions.marches(s, side, unit)]
    fights = [order for order in orders if order.strike is not None]
    if fights:
        order = chance.choice(fights)
    elif orders:
        foes = [s.at[foe] for foe in s.own(s.board.enemy[side])]

        def far(one: March) -> int:
            return min((distance(h, (s.at[unit], *one.path)[-1]) for h in foes), default=0)

        order = min(orders, key=lambda one: (far(one), len(one.path)))
    else:
        return None
    order = _forced(s, side, order, chance)
    led = [
        Activate(leader, (order,))
        for leader in s.leaders(side)
        if is_corps(s, leader) and s.board.units[leader].commands(s.board.units[unit]) and chance.random() < 0.5
    ]
    return next((one for one in led if actions.why_not(s, side, one) is None), order)


def _forced(s: State, side: str, order: March, chance: random.Random) -> March:
    """Now and then the same march, forced where it can be."""
    forced = March(order.unit, order.path, order.leaders, chance.choice(("route", "always")), order.strike)
    return forced if chance.random() < 0.3 and actions.why_not(s, side, forced) is None else order


def idle(_: State, request: Choose, __: random.Random) -> Order:
    """Do nothing, and let all be answered as by default."""
    if request.reaction:
        return request.default() if request.default is not None else next(iter(request.options()))
    return next(iter(request.options())) if request.kind == "reinforcements" else DONE


def raider(s: State, request: Choose, chance: random.Random) -> Order:
    """Go for the stations that are whole and raid them; nothing else."""
    return _going(s, request, [h for h in s.board.stations if not s.station.get(h)], raids=True)


def homing(*labels: str) -> Chooser:
    """Who brings his infantry into, or as near as can be to, one of some hexes, and does nothing else."""

    def choose(s: State, request: Choose, chance: random.Random) -> Order:
        return _going(s, request, [s.board.parse(label) for label in labels], raids=False)

    return choose


def _going(s: State, request: Choose, goals: Sequence[Hex], *, raids: bool) -> Order:
    """A march that brings some unit nearer to a goal than it was, or a raid; pass where there is none."""
    if request.kind in ("transfer", "attachment"):
        return Close(request.kind)
    if request.kind != "action":
        return idle(s, request, random.Random(0))
    return next(_better(s, request.side, goals, raids), PASS)


def _better(s: State, side: str, goals: Sequence[Hex], raids: bool) -> Iterator[Order]:
    ground = s.board.ground
    far = distances(dict.fromkeys(goals, 0), lambda h: ((n, ground.cost[n][h]) for n in ground.open_to[h]))
    for unit in s.own(side):
        if not actions.can_act(s, unit):
            continue
        if raids and s.at[unit] in goals and actions.why_not(s, side, Raid(unit)) is None:
            yield Raid(unit)
        if (raids or s.board.units[unit].infantry) and far.get(s.at[unit], 0):
            orders = [one for one in actions.marches(s, side, unit, NEAR) if one.strike is None and one.path]
            best = min(orders, key=lambda one: far.get(one.path[-1], 999), default=None)
            if best is not None and far.get(best.path[-1], 999) < far[s.at[unit]]:
                yield best


def computer(s: State, request: Choose, chance: random.Random) -> Order:
    """The computer player."""
    return bot.advise(s, request, chance)


PLAYERS: dict[str, Chooser] = {
    "sampled": sampled,
    "eager": eager,
    "idle": idle,
    "raider": raider,
    "to Culpeper": homing("S1418"),
    "to Warrenton": homing("S2403"),
    "to Groveton": homing("N3720"),
    "computer": computer,
    **{said: chooser(general) for said, general in GENERALS.items()},
}
