"""A computer player that plays sensibly by rules of thumb; ties are broken by chance."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.maps.hexes import Hex
from pbem.rules.requests import Chance, Choose
from pbem.rules.yukimura import fire, melee, posting
from pbem.rules.yukimura.aims import FAR, leaders, way
from pbem.rules.yukimura.board import EAST
from pbem.rules.yukimura.groups import groups
from pbem.rules.yukimura.held import barred, is_held
from pbem.rules.yukimura.orders import DONE, Advance, AdvancePlan, Fire, Hold, Melee, Order, Path
from pbem.rules.yukimura.state import State
from pbem.rules.yukimura.worth import fire_worth, melee_worth, trapped

__all__ = ["advise"]

WORTH_IT = 0.5
"""What a hand-to-hand combat must promise to be fought."""

EACH = 0.4
"""What a unit that takes part must add: it could do something else."""

FREE = 4
"""Hexes of an advance after an elimination (11-3-4.a)."""


def advise(s: State, choose: Choose, chance: Chance) -> Order:
    """A sensible answer to a pending decision."""
    match choose.kind:
        case "move":
            return posting.next_move(s, choose.side, chance)
        case "combat":
            return _combat(s, choose.side, chance)
        case "advance":
            return _advance(s, choose, chance)
    if choose.default is not None:
        answer: Order = choose.default()  # defensive fire, retreat, displacement: the rulings answer well
    else:
        answer = chance.choice(list(choose.options()))
    return answer


def _combat(s: State, side: str, chance: Chance) -> Order:
    """The best fire while it is better than the hand-to-hand combat it would cost, then the best of those."""
    if s.step == "fire":
        fires = [(worth, chance.random(), order) for worth, order in _fires(s, side)]
        if fires:
            return max(fires)[2]
    attacks = [(worth, chance.random(), order) for worth, order in _attacks(s, side) if worth > WORTH_IT]
    return _with_advance(s, max(attacks)[2]) if attacks else DONE


def _fires(s: State, side: str) -> Iterator[tuple[float, Fire]]:
    """For each target the best fire that doesn't spoil a better attack."""
    for target in fire.targets(s, side):
        firers = _willing(s, side, fire.firers(s, side, s.at[target]))
        orders = [Fire(unit, target, tuple(more)) for unit, *more in groups(s, firers)]
        ranked = [(fire_worth(s, order) - EACH * len(order.support), order) for order in orders]
        if not ranked:
            continue
        worth, order = max(ranked, key=lambda each: each[0])
        others = _willing(s, side, melee.attackers(s, side, s.at[target]))
        left = [unit for unit in others if unit != order.unit and unit not in order.support]
        if worth > 0 and worth + _best_attack(s, target, left) >= _best_attack(s, target, others):
            yield worth, _with_step(s, order)


def _attacks(s: State, side: str) -> Iterator[tuple[float, Melee]]:
    """For each target the hand-to-hand combat that promises the most."""
    for target in melee.targets(s, side):
        ranked = list(_ranked(s, target, _willing(s, side, melee.attackers(s, side, s.at[target]))))
        if ranked:
            yield max(ranked, key=lambda each: each[0])


def _best_attack(s: State, target: str, units: list[str]) -> float:
    """What the best hand-to-hand combat by some of these units promises, 0 when it isn't worth it."""
    if target in s.attacked:
        return 0.0
    return max((worth for worth, _ in _ranked(s, target, units) if worth > WORTH_IT), default=0.0)


def _ranked(s: State, target: str, units: list[str]) -> Iterator[tuple[float, Melee]]:
    for unit, *more in groups(s, units):
        order = Melee(unit, target, tuple(more))
        yield melee_worth(s, order) - EACH * len(more), order


def _willing(s: State, side: str, units: list[str]) -> list[str]:
    """Those that may be risked: not the leaders whose retreat loses the battle."""
    own = leaders(s.board, side)
    return [unit for unit in units if unit not in own]


def _with_step(s: State, order: Fire) -> Fire:
    """A fire with who advances after it."""
    at = s.at[order.target]
    found = [unit for unit in (order.unit, *order.support) if _wants(s, unit, at)]
    plans = tuple(AdvancePlan(unit) for unit in found[:1])
    return Fire(order.unit, order.target, order.support, plans, hold=not plans)


def _with_advance(s: State, order: Melee) -> Melee:
    """A hand-to-hand combat with who advances first after it; the others are asked."""
    at, units = s.at[order.target], (order.unit, *order.support)
    found = [unit for unit in units if _wants(s, unit, at)]
    if not found:
        return Melee(order.unit, order.target, order.support, (), hold=True)
    path = _onward(s, found[0], at) if trapped(s, order.target, units) else ()
    return Melee(order.unit, order.target, order.support, (AdvancePlan(found[0], path),))


def _wants(s: State, unit: str, h: Hex) -> bool:
    """Whether a unit wants to advance into a hex: the East towards its goals, Osaka into Komatsuyama."""
    side, here = s.board.units[unit].side, s.at[unit]
    if is_held(s, unit) or h not in s.board.ground.open_to[here] or here == s.board.star:
        return False
    if h in barred(s, side) and here not in barred(s, side):
        return False
    ways = way(s.board, EAST)
    return h == s.board.star or (side == EAST and ways[h] < ways[here])


def _onward(s: State, unit: str, h: Hex) -> Path:
    """The way of a free advance from a hex on towards the goals, as far as free hexes lead."""
    side, ways = s.board.units[unit].side, way(s.board, EAST)
    friends, enemies, shut = s.stands[side], s.stands[s.board.enemy[side]], barred(s, side)
    path = [h]
    while len(path) < FREE and side == EAST:
        here = path[-1]
        found = [n for n in s.board.ground.open_to[here] if n not in friends and n not in enemies and n not in shut]
        best = min(found, key=lambda n: (ways[n], n), default=here)
        if ways[best] >= min(ways[here], FAR):
            break
        path.append(best)
    return tuple(path)


def _advance(s: State, choose: Choose, chance: Chance) -> Order:
    """How far a unit advances that may: to the best of the hexes it can come to, or not at all."""
    unit = choose.about[0]
    stay = Hold(unit)
    moves = [order for order in choose.options() if isinstance(order, Advance) and order.path]
    if unit in leaders(s.board, choose.side):
        return stay
    post = posting.Post(s, s.board.units[unit], s.at[unit])
    found = [(post.worth(order.path[-1]), chance.random(), order) for order in moves if _leads(s, unit, order.path)]
    if not found:
        return stay
    worth, _, best = max(found)
    return best if worth > post.worth(s.at[unit]) else stay


def _leads(s: State, unit: str, path: Path) -> bool:
    """Whether an advance leads where the unit may want to be."""
    return s.board.units[unit].side == EAST or s.board.star in path[-1:]
