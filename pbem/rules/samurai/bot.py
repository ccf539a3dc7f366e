"""A sensible answer by rules of thumb: shoot, close in, lead, rally, attack where it is easiest."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules.requests import Chance, Choose
from pbem.rules.samurai import combat, fire, moving, rally, setup
from pbem.rules.samurai.geometry import Base, distance, nearest_facing
from pbem.rules.samurai.movement import end_facing, run
from pbem.rules.samurai.odds import at
from pbem.rules.samurai.orders import DONE, TURNS, Attack, End, Fire, Follow, Move, Order, Rally
from pbem.rules.samurai.state import State, Step

__all__ = ["advise"]

NEAR = 1500
"""From so many hundredths on a unit turns towards its enemy."""


def advise(s: State, choose: Choose, chance: Chance) -> Order:
    """A sensible answer to a pending decision."""
    match choose.kind:
        case "setup":
            return next(setup.suggested(s, choose.side), None) or setup.sample(s, choose.side, chance)
        case Step.FIRE:
            return _fire(s, choose.side, chance)
        case Step.MOVE:
            return _move(s, choose.side)
        case Step.RALLY:
            return _rally(s, choose.side)
    return _attack(s, choose.side, chance)


def _fire(s: State, side: str, chance: Chance) -> Order:
    """Fire where most points fall, at whom the fewest have fired."""
    found = fire.shooters(s, side)
    if not found:
        return End(Step.FIRE)
    unit = found[0]
    best = _best([(_worth(s, Fire(unit, target), target), target) for target in fire.targets(s, unit)], chance)
    return Fire(unit, best)


def _worth(s: State, order: Fire | Attack, target: str) -> int:
    """What a fire or attack is worth: points that fall in 144 tries, no more than there are."""
    dice, needed = at(s, order, target)
    return dice * max(0, 13 - needed) * s.board.units[target].kind.points * 2 - s.left(target)


def _best(found: Sequence[tuple[int, str]], chance: Chance) -> str:
    most = max(worth for worth, _ in found)
    return chance.choice([target for worth, target in found if worth == most])


def _move(s: State, side: str) -> Order:
    """Each unit towards the nearest enemy; shooters stay where they can fire; daimyos behind units of two stands."""
    for unit in moving.movers(s, side):
        if unit in s.moved:
            continue
        order = _lead(s, side, unit) if s.board.units[unit].daimyo else _close_in(s, side, unit)
        if order is not None and moving.why_not(s, side, order) is None:
            return order
    return next(iter(moving.mend(s, side) or ()), End(Step.MOVE))


def _close_in(s: State, side: str, unit: str) -> Move | None:
    """The move that brings a unit nearest to an enemy, if it isn't in contact or about to fire."""
    enemies = [s.at[other] for other in s.on(s.board.enemy[side]) if s.counts(other)]
    if not enemies or s.enemies(unit):
        return None
    kind = s.board.units[unit].kind
    b = s.at[unit]
    if kind.reach and 2 * kind.reach**2 >= min(distance(b, enemy) for enemy in enemies):
        return _turn_to(s, unit, enemies)
    orders = [order for first in ("", *TURNS) if (order := moving.farthest(s, unit, first)) is not None]
    scored = [(_far(end_facing(s, order, run(s, order))[0], enemies), n) for n, order in enumerate(orders)]
    best = min(scored, default=None)
    return orders[best[1]] if best is not None and best[0] < _far(b, enemies) else None


def _turn_to(s: State, unit: str, enemies: Sequence[Base]) -> Move | None:
    """A turn towards the nearest enemy."""
    b = s.at[unit]
    enemy = min(enemies, key=lambda enemy: (distance(b, enemy), enemy))
    off = (nearest_facing(enemy.x - b.x, enemy.y - b.y) - b.facing) % 8
    return None if off == 0 else Move(unit, first=TURNS[off < 4])


def _far(b: Base, enemies: Sequence[Base]) -> int:
    return min(distance(b, enemy) for enemy in enemies)


def _lead(s: State, side: str, unit: str) -> Follow | None:
    """A daimyo follows a unit of two stands that has none, else stays with his own; else a routed unit, else any."""
    own = s.friends(unit)
    doubled = [other for other in s.troops(side) if s.doubled(other)]
    alone = [other for other in doubled if not s.daimyos(other)]
    if alone and not any(s.doubled(other) and len(s.daimyos(other)) < 2 for other in own):
        return Follow(unit, alone[0])
    if own and not any(other in s.routed for other in own):
        return None
    return next((Follow(unit, other) for other in (*s.by_id(s.routed & set(s.troops(side))), *s.troops(side))), None)


def _rally(s: State, side: str) -> Order:
    """Rally whoever can."""
    found = rally.able(s, side)
    if not found:
        return End(Step.RALLY)
    unit, b = found[0], s.at[found[0]]
    ahead = s.board.side[side].ahead
    return Rally(unit, about=(b.facing - ahead) % 8 in (3, 4, 5))


def _attack(s: State, side: str, chance: Chance) -> Order:
    """Attack with everybody, each where it is worth most."""
    found = combat.attackers(s, side)
    if not found:
        return DONE
    unit = found[0]
    worth = [(_worth(s, Attack(unit, (target,)), target), target) for target in combat.targets(s, unit)]
    return Attack(unit, (_best(worth, chance),))
