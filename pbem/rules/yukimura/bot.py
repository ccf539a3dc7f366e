"""A computer player that plays sensibly by rules of thumb; ties are broken by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

from pbem.maps.hexes import Hex, distance
from pbem.rules.requests import Chance, Choose
from pbem.rules.yukimura import fire, melee, posting
from pbem.rules.yukimura.advance import FREE
from pbem.rules.yukimura.aims import FAR, course, leaders, way
from pbem.rules.yukimura.board import EAST, OSAKA
from pbem.rules.yukimura.combat import groups, participants, targets
from pbem.rules.yukimura.held import barred, crosses, is_held
from pbem.rules.yukimura.orders import DONE, Advance, AdvancePlan, Beside, Fire, Hold, Melee, Order, Path
from pbem.rules.yukimura.retreat import outs
from pbem.rules.yukimura.stakes import REMOVAL, RETREAT, by_fire, by_melee
from pbem.rules.yukimura.state import State
from pbem.rules.yukimura.weights import BOLD, Style, local

__all__ = ["advise"]

T = TypeVar("T")

EACH = 0.4
"""What a unit that takes part must add: it could do something else."""


def advise(s: State, choose: Choose, chance: Chance, style: Style = BOLD) -> Order:
    """A sensible answer to a pending decision."""
    match choose.kind:
        case "move":
            return posting.next_move(s, choose.side, chance, style)
        case "combat":
            return _combat(s, choose.side, chance, style)
        case "advance":
            return _advance(s, choose, chance, style)
        case "beside":
            return _beside(s, choose)
    if choose.default is not None:
        answer: Order = choose.default()  # defensive fire, retreat, displacement: the rulings answer well
    else:
        answer = chance.choice(list(choose.options()))
    return answer


def _beside(s: State, choose: Choose) -> Order:
    """The place of a force beside the map: at the road that is the nearest to where most of the East makes for."""
    ends = Counter(course(s.board, EAST, h)[-1] for h in sorted(s.stands[EAST]))
    roads = [order for order in choose.options() if isinstance(order, Beside)]
    return min(roads, key=lambda road: [distance(road.at, h) for h, _ in ends.most_common(1)])


def _combat(s: State, side: str, chance: Chance, style: Style) -> Order:
    """The best fire while it is better than the hand-to-hand combat it would cost, then the best of those."""
    if s.step == "fire":
        fires = [(worth, chance.random(), order) for worth, order in _fires(s, side, style)]
        if fires:
            return _drawn(fires)[1]
    attacks = [(worth, chance.random(), order) for worth, order in _attacks(s, side, style) if worth > style.worth]
    return _with_advance(s, _drawn(attacks)[1]) if attacks else DONE


def _fires(s: State, side: str, style: Style) -> Iterator[tuple[float, Fire]]:
    """For each target the best fire that doesn't spoil a better attack."""
    for target in targets(s, side, fire.FIRE):
        firers = _willing(s, side, fire.firers(s, side, s.at[target]))
        if not firers:
            continue
        free, here = outs(s, s.board.enemy[side], s.at[target]), local(s.board, style, s.at[target])
        orders = [Fire(unit, target, tuple(more)) for unit, *more in groups(s, firers)]
        ranked = [(_fire_worth(s, order, here, free) - EACH * len(order.support), order) for order in orders]
        worth, order = max(ranked, key=lambda each: each[0])
        others = _willing(s, side, melee.attackers(s, side, s.at[target])) if worth > 0 else []
        left = [unit for unit in others if unit != order.unit and unit not in order.support]
        if worth > 0 and (
            left == others
            or worth + _best_attack(s, target, left, style, free) >= _best_attack(s, target, others, style, free)
        ):
            yield worth, _with_step(s, order)


def _attacks(s: State, side: str, style: Style) -> Iterator[tuple[float, Melee]]:
    """For each target the hand-to-hand combat that promises the most."""
    for target in targets(s, side, melee.MELEE):
        free = outs(s, s.board.enemy[side], s.at[target])
        ranked = list(_ranked(s, target, _willing(s, side, melee.attackers(s, side, s.at[target])), style, free))
        if ranked:
            yield max(ranked, key=lambda each: each[0])


def _best_attack(s: State, target: str, units: list[str], style: Style, free: Sequence[Hex]) -> float:
    """What the best hand-to-hand combat by some of these units promises, 0 when it isn't worth it."""
    if target in s.attacked:
        return 0.0
    return max((worth for worth, _ in _ranked(s, target, units, style, free) if worth > style.worth), default=0.0)


def _ranked(
    s: State, target: str, units: list[str], style: Style, free: Sequence[Hex]
) -> Iterator[tuple[float, Melee]]:
    """What the hand-to-hand combats by some of these units promise; the target could retreat to the `free` hexes."""
    here = local(s.board, style, s.at[target])
    for unit, *more in groups(s, units):
        order = Melee(unit, target, tuple(more))
        yield _melee_worth(s, order, here, free) - EACH * len(more), order


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
    free = outs(s, s.board.units[order.target].side, at)
    path = _onward(s, found[0], at) if _trapped(s, at, free, units) else ()
    return Melee(order.unit, order.target, order.support, (AdvancePlan(found[0], path),))


def _wants(s: State, unit: str, h: Hex) -> bool:
    """Whether a unit wants to advance into a hex: the East towards its goals, Osaka into Komatsuyama."""
    side, here = s.board.units[unit].side, s.at[unit]
    if is_held(s, unit) or h not in s.board.ground.open_to[here] or here == s.board.star:
        return False
    if crosses(barred(s, side), here, h):
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


def _advance(s: State, choose: Choose, chance: Chance, style: Style) -> Order:
    """How far a unit advances that may: to the best of the hexes it can come to, or not at all."""
    unit = choose.about[0]
    stay = Hold(unit)
    if unit in leaders(s.board, choose.side):
        return stay
    moves = [order for order in choose.options() if isinstance(order, Advance) and order.path]
    moves = [order for order in moves if _leads(s, unit, order.path)]
    if not moves:
        return stay
    post = posting.Post(s, s.board.units[unit], s.at[unit], style)
    worths = {h: post.worth(h) for h in {order.path[-1] for order in moves}}  # many ways lead to the same hex
    worth, best = _drawn([(worths[order.path[-1]], chance.random(), order) for order in moves])
    return best if worth > post.worth(s.at[unit]) else stay


def _drawn(found: list[tuple[float, float, T]]) -> tuple[float, T]:
    """The best with its worth, by the lot among equals; orders are never compared, two lots may be the same."""
    worth, _, order = max(found, key=lambda each: each[:2])
    return worth, order


def _leads(s: State, unit: str, path: Path) -> bool:
    """Whether an advance leads where the unit may want to be."""
    return s.board.units[unit].side == EAST or s.board.star in path[-1:]


# --- what a combat is worth to who gives it: by exact chances, and rules of thumb for the rest ------------------------


VICTORY = 1000.0
"""What the retreat of a leader is worth that wins the battle."""

PRESSING = {EAST: 0.3, OSAKA: 0.5}
"""What a side's own losses in an attack count to it; least to the East, whose time runs out."""


def _fire_worth(s: State, order: Fire, style: Style, free: Sequence[Hex]) -> float:
    """What a legal fire is worth, at a target that could retreat to the `free` hexes."""
    unit, at = s.board.units[order.target], s.at[order.target]
    shut = _trapped(s, at, free, participants(order))
    back, gone = by_fire(s.board, fire.column(s, order), unit.morale, shut)
    return _stake(s, order.target, back, gone) + (back + gone) * posting.foothold(s, at, style)


def _melee_worth(s: State, order: Melee, style: Style, free: Sequence[Hex]) -> float:
    """What a legal hand-to-hand combat is worth: the target's loss less one's own."""
    board, units, at = s.board, participants(order), s.at[order.target]
    column, shut = melee.column(s, order), _trapped(s, at, free, units)
    back, gone = by_melee(board, column, board.units[order.target].morale, shut, target=True)
    total = _stake(s, order.target, back, gone) + (back + gone) * posting.foothold(s, at, style)
    for unit in units:
        back, gone = by_melee(board, column, board.units[unit].morale, shut=False, target=False)
        total -= _stake(s, unit, back, gone) * PRESSING[board.units[unit].side] * style.losses
    return total


def _trapped(s: State, here: Hex, free: Sequence[Hex], units: tuple[str, ...]) -> bool:
    """Whether no hex of those that are free is farther from all these units (11-1-1, 11-1-3)."""
    threats = [(at, distance(here, at)) for at in (s.at[unit] for unit in units)]
    return not any(all(distance(h, at) > far for at, far in threats) for h in free)


def _stake(s: State, unit_id: str, back: float, gone: float) -> float:
    """What these chances of a unit's retreat and removal are worth."""
    unit = s.board.units[unit_id]
    if unit_id in leaders(s.board, unit.side):
        return VICTORY * (back + gone)
    kept = RETREAT * 3 if s.at[unit_id] == s.board.star else RETREAT
    return back * kept + gone * REMOVAL * (1.2 if unit.commander else unit.strength / 3)
