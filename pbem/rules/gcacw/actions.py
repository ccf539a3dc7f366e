"""The actions of a cycle: which there are, why one can't be ordered, all that can, and a random one (std-4.0-5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.records import NamedTuple
from pbem.rules.gcacw import activation, assault, march, may_march, raid, railway
from pbem.rules.gcacw.along import from_there
from pbem.rules.gcacw.board import UNION
from pbem.rules.gcacw.leaders import RADIUS, follows, in_radius, is_army, is_corps
from pbem.rules.gcacw.orders import (
    ACTION,
    DONE,
    PASS,
    Activate,
    Assault,
    Close,
    Detach,
    Done,
    Grand,
    March,
    Merge,
    Order,
    Pass,
    Path,
    Place,
    PutOff,
    Raid,
    Rail,
    Strike,
    Transfer,
)
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.substitutes import free_substitutes, most_of
from pbem.rules.gcacw.wording import order_words
from pbem.rules.gcacw.zones import is_open, points, stacking, stops
from pbem.rules.kit import reach
from pbem.rules.kit.ask import OF_THE_PHASE
from pbem.rules.requests import Activity, Chance, Choose

__all__ = [
    "DECISION",
    "acts",
    "can_act",
    "carry_out",
    "fights",
    "given_to",
    "marches",
    "options",
    "sample",
    "why_never",
    "why_not",
]


DECISION = "action"
"""The kind of decision that a side is asked in the action cycle."""

OF_THE_CYCLE = "units and leaders act in the action cycle, or a side passes"
ELSEWHERE = {
    Place: "reinforcements are placed before the action cycle",
    PutOff: "reinforcements are put off before the action cycle",
    Transfer: "leaders are transferred before the action cycle",
    Merge: "units merge in the attachment phase, not in the action cycle",
}
"""Orders of other phases -> why they aren't given in the action cycle; of all else what is."""


class _Action(NamedTuple):
    """What one kind of order is judged and carried out by."""

    why_not: Callable[[State, str, Any], Refusal | None]
    carry_out: Callable[[State, Any], Activity]


ACTIONS: dict[type, _Action] = {
    March: _Action(may_march.why_not, march.carry_out),
    Rail: _Action(railway.why_not_rail, railway.go_by_rail),
    Activate: _Action(activation.why_not, activation.carry_out),
    Assault: _Action(assault.why_not, assault.carry_out),
    Grand: _Action(assault.why_not_grand, assault.grand),
    Raid: _Action(raid.why_not, raid.carry_out),
}
"""The actions (std-4.0-5)."""

CLOSE = Close(ACTION)
"""The side passes for the rest of the cycle; its works may follow."""

OFTEN_PASS, OFTEN_ATTACK, OFTEN_LEAD, OFTEN_STRIKE = 0.08, 0.4, 0.3, 0.6
"""How likely a random side passes, assaults or raids, activates a leader, and ends a march with an attack."""
OFTEN_DETACH, OFTEN_RAIL = 0.1, 0.3
"""How likely it leaves a part of a unit behind, and goes by rail where it can."""

MANY = 6
"""Of more units of a corps in a hex not every group is listed: there are twice as many with each unit more."""

MOST = 24
"""The half points for which ways are sought: two dice at their best."""


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in the action cycle."""
    if isinstance(order, Pass | Done) or order == CLOSE:
        return None
    action = ACTIONS.get(type(order))
    if action is None:
        return Refusal(OF_THE_PHASE, ELSEWHERE.get(type(order), OF_THE_CYCLE))
    there = from_there(s, order)
    return there if isinstance(there, Refusal) else action.why_not(s, side, there)


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no action cycle."""
    if isinstance(order, Pass | Done) or order == CLOSE:
        return None
    if type(order) not in ACTIONS:
        return Refusal("std-4.0-5", ELSEWHERE.get(type(order), OF_THE_CYCLE), elsewhere=True)
    from pbem.rules.gcacw.never import why_never  # only plans are asked for

    return why_never(s, side, order)


def acts(order: Order) -> bool:
    """Whether an order is an action, which the end of the cycle takes away."""
    return type(order) in ACTIONS


def fights(order: Order) -> bool:
    """Whether an order is one to attack."""
    marches = order.marches if isinstance(order, Activate) else (order,)
    return isinstance(order, Assault | Grand) or any(isinstance(one, March) and one.strike for one in marches)


def can_act(s: State, unit: str) -> bool:
    """Whether a combat unit on the map is eligible: not barred from every kind of action (std-4.0-10)."""
    side = s.board.units[unit].side
    if may_march.why_not_act(s, side, unit) is not None:
        return False
    if may_march.why_no_extended(s, unit) is None or s.turn not in s.board.no_assault:
        return True
    return raid.why_not(s, side, Raid(unit)) is None


def carry_out(s: State, _: str, order: Order) -> Activity:
    """A legal action and all that follows from it."""
    there = from_there(s, order)
    assert not isinstance(there, Refusal)  # noqa: S101 it is legal
    return ACTIONS[type(there)].carry_out(s, there)


# --- what can be ordered ----------------------------------------------------------------------------------------------


def going_along(s: State, unit: str) -> tuple[str, ...]:
    """The leaders who would be left alone if a unit marched away, and so go along (std-6.3-1)."""
    side, h = s.board.units[unit].side, s.at[unit]
    others = [other for other in s.units_in(h, side) if other != unit]
    return tuple(
        leader
        for leader in s.leaders_in(h, side)
        if follows(s, leader, unit) and not any(follows(s, leader, other) for other in others)
    )


def ways(s: State, unit: str, most: int, leaders: Sequence[str] = ()) -> dict[Hex, tuple[int, Path]]:
    """Every hex that a unit reaches with so many half points, with cost and cheapest way."""
    side = s.board.units[unit].side

    def step(here: Hex, h: Hex) -> int | str:
        if may_march.why_no_step(s, unit, here, h, leaders) is not None:
            return "closed"
        return (points(s, side, here, h) or 0) + stacking(s, side, h, (unit,))

    return reach.cheapest(s.at[unit], most, s.board.ground.near, step, lambda h: stops(s, unit, h))


def marches(s: State, side: str, unit: str, most: int = MOST) -> Iterator[March]:
    """The marches of a unit: to each hex in reach by the cheapest way, and attacks from its hex and from there."""
    leaders = going_along(s, unit)
    if may_march.why_not(s, side, March(unit, (), leaders)) is not None:
        return
    ends: dict[Hex, Path] = {s.at[unit]: (), **{h: way for h, (_, way) in ways(s, unit, most, leaders).items()}}
    for h, way in ends.items():
        if may_march.why_not(s, side, March(unit, way, leaders)) is not None:
            continue
        yield March(unit, way, leaders)
        for at in _targets(s, side, unit, h):
            yield March(unit, way, leaders, strike=Strike(at))


def _targets(s: State, side: str, unit: str, h: Hex) -> Iterator[Hex]:
    """The hexes that a unit could attack from a hex."""
    enemy = s.board.enemy[side]
    for at in s.board.ground.near[h] if unit not in s.demoralised else ():
        if at in s.stands and s.holder(at) == enemy and s.units_in(at, enemy) and is_open(s, side, h, at):
            yield at


def options(s: State, side: str) -> Iterator[Order]:
    """Legal actions, a canonical one for each end: marches, also by a leader, assaults, raids; then pass.

    There are more: other ways, activations of several, groups of many units of a hex for an assault.
    """
    for unit in s.own(side):
        yield from _of_unit(s, side, unit)
    for leader in s.leaders(side):
        yield from _of_leader(s, side, leader)
    yield PASS
    yield DONE


def given_to(s: State, choose: Choose, counter: str) -> Iterator[Order]:
    """Those of a decision's options that are given to a counter, "" for none: those of an action are many."""
    side, board = choose.side, s.board
    if choose.kind != DECISION:
        own = frozenset(board.of_side[side])
        for order in choose.options():
            if next((word for word in order_words(board, order)[1:] if word in own), "") == counter:
                yield order
    elif not counter:
        yield from (PASS, DONE)
    elif counter in s.leaders(side):
        yield from _of_leader(s, side, counter)
    elif counter in s.own(side):
        yield from _of_unit(s, side, counter)


def _of_unit(s: State, side: str, unit: str) -> Iterator[Order]:
    if may_march.why_not_act(s, side, unit) is None:
        yield from marches(s, side, unit)
        if raid.why_not(s, side, Raid(unit)) is None:
            yield Raid(unit)
        yield from rails(s, side, unit)
        yield from detaching(s, unit)


def _of_leader(s: State, side: str, leader: str) -> Iterator[Order]:
    yield from led(s, side, leader)
    yield from assaults(s, side, leader)


def rails(s: State, side: str, unit: str) -> Iterator[Rail]:
    """The ways of a unit by rail: to each hex that it may reach."""
    most = _rail_hexes(s, unit)
    if not most:
        return
    leaders = going_along(s, unit)
    found = reach.shortest(s.at[unit], most, s.board.ground.rail, lambda *_: 1)
    orders = (Rail(unit, way, leaders) for way in found.values())
    yield from (order for order in orders if railway.why_not_rail(s, side, order) is None)


def _rail_hexes(s: State, unit: str) -> int:
    """How far a unit could go by rail in this turn, were it at a station and the way free (13.5-sp3e1, 16.0-4)."""
    if s.board.advanced is not None:
        rails = s.board.advanced.rails
        goes = s.turn in rails.turns and s.at[unit] in rails.starts and s.board.units[unit].infantry
        return rails.hexes if goes and s.board.units[unit].side == UNION else 0
    return next((rail.hexes for rail in s.board.rails if unit in rail.units and rail.turn == s.turn), 0)


def detaching(s: State, unit: str) -> Iterator[March]:
    """A march without a step that detaches half of a unit as each kind of substitute there is (21.1)."""
    for substitute in free_substitutes(s, unit)[:1]:
        half = min(s.manpower[unit] // 2, most_of(s, substitute))
        order = March(unit, (), going_along(s, unit), detached=(Detach(substitute, half),))
        if half and may_march.why_not(s, s.board.units[unit].side, order) is None:
            yield order


def led(s: State, side: str, leader: str) -> Iterator[Activate]:
    """Activations of a leader where he is, in each one unit marches as it can alone."""
    if not is_corps(s, leader):
        return
    for unit in s.own(side):
        if s.commands(leader, unit) and in_radius(s, leader, unit):
            for one in marches(s, side, unit):
                order = Activate(leader, (one,))
                if activation.why_not(s, side, order) is None:
                    yield order


def assaults(s: State, side: str, leader: str) -> Iterator[Assault | Grand]:
    """Assaults that a leader can order: by all units of his in a hex, and by all of an army."""
    enemy = s.board.enemy[side]
    targets = sorted({s.at[unit] for unit in s.own(enemy) if distance(s.at[unit], s.at[leader]) <= 1 + RADIUS})
    for at in targets:
        beside = [h for h in s.board.ground.near[at] if s.holder(h) == side and is_open(s, side, h, at)]
        if is_corps(s, leader):
            yield from _corps(s, side, leader, at, beside)
        elif is_army(s, leader):
            yield from _grands(s, side, leader, at, beside)


def _corps(s: State, side: str, leader: str, at: Hex, beside: Sequence[Hex]) -> Iterator[Assault]:
    """The assaults of a leader's units of one hex: of any of them together, of many by one, two, all or all but one."""
    for h in beside:
        able = [unit for unit in s.units_in(h, side) if assault.why_not(s, side, Assault(leader, at, (unit,))) is None]
        most = len(able)
        for together in range(1, most + 1) if most <= MANY else (1, 2, most - 1, most):
            yield from (Assault(leader, at, units) for units in combinations(able, together))


def _grands(s: State, side: str, leader: str, at: Hex, beside: Sequence[Hex]) -> Iterator[Grand]:
    for chief in s.leaders(side):
        for first in _corps(s, side, chief, at, beside) if is_corps(s, chief) else ():
            others = tuple(u for h in beside for u in s.units_in(h, side) if u not in first.units)
            able = tuple(u for u in others if _joins(s, side, leader, first, u))
            order = Grand(leader, at, chief, first.units, able)
            if able and assault.why_not_grand(s, side, order) is None:
                yield order


def _joins(s: State, side: str, leader: str, first: Assault, unit: str) -> bool:
    order = Grand(leader, first.at, first.leader, first.units, (unit,))
    return assault.why_not_grand(s, side, order) is None


# --- a random one -----------------------------------------------------------------------------------------------------


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random action, or a pass."""
    if chance.random() < OFTEN_PASS:
        return PASS
    if chance.random() < OFTEN_ATTACK:
        leaders = s.leaders(side)
        found: list[Order] = [*assaults(s, side, chance.choice(leaders))] if leaders else []
        found += [Raid(u) for u in s.own(side) if s.at[u] in s.board.stations and not raid.why_not(s, side, Raid(u))]
        if found:
            return chance.choice(found)
    units = [unit for unit in s.own(side) if can_act(s, unit)]
    if not units:
        return PASS
    unit = chance.choice(units)
    if _rail_hexes(s, unit) and chance.random() < OFTEN_RAIL and (found_rails := [*rails(s, side, unit)]):
        return chance.choice(found_rails)
    order = _random_march(s, side, unit, chance)
    if order is None:
        return PASS
    if chance.random() < OFTEN_LEAD:
        lead = [x for x in s.leaders(side) if is_corps(s, x) and s.commands(x, unit)]
        orders = [Activate(x, (order,)) for x in lead]
        able = [one for one in orders if activation.why_not(s, side, one) is None]
        if able:
            return able[0]
    return order


def _random_march(s: State, side: str, unit: str, chance: Chance) -> March | None:
    """A random march of a unit, with an attack if there is one to make."""
    leaders = going_along(s, unit)
    if may_march.why_not(s, side, March(unit, (), leaders)) is not None:
        return None

    def step(here: Hex, h: Hex) -> int | str:
        if may_march.why_no_step(s, unit, here, h, leaders) is not None:
            return "closed"
        return points(s, side, here, h) or 0

    most = 2 * 6 if s.board.units[unit].infantry else 2 * 12
    way = reach.random_way(s.at[unit], most, s.board.ground.near, step, lambda h: stops(s, unit, h), (), chance)
    if may_march.why_not(s, side, March(unit, way, leaders)) is not None:
        way = ()
    targets = [*_targets(s, side, unit, way[-1] if way else s.at[unit])]
    strike = Strike(chance.choice(targets)) if targets and chance.random() < OFTEN_STRIKE else None
    return March(unit, way, leaders, strike=strike, detached=_random_detached(s, unit, way, chance))


def _random_detached(s: State, unit: str, way: Path, chance: Chance) -> tuple[Detach, ...]:
    """Now and then a part of the unit that stays behind on its way."""
    if s.board.advanced is None or chance.random() >= OFTEN_DETACH:
        return ()
    able, most = free_substitutes(s, unit), s.manpower[unit] - 1
    if not able or not most:
        return ()
    substitute = chance.choice(able)
    number = chance.choice(range(1, min(most, most_of(s, substitute)) + 1))
    return (Detach(substitute, number, chance.choice([None, *way])),)
