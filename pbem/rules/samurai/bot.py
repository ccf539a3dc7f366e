"""A computer player by rules of thumb: shoots before it closes, keeps its line, strikes together, leads and rallies."""

from __future__ import annotations

from pbem.rules.requests import Chance, Choose
from pbem.rules.samurai import combat, fire, leading, moving, posting, rally, setup
from pbem.rules.samurai.orders import DONE, Attack, End, Fire, Order, Rally
from pbem.rules.samurai.state import State, Step
from pbem.rules.samurai.weights import BOLD, Style
from pbem.rules.samurai.worth import against, blow

__all__ = ["advise"]

HALF = 50
"""Half an inch."""

DEEPEST = 8
"""So many of them at most a line stands behind its front edge."""


def advise(s: State, choose: Choose, chance: Chance, style: Style = BOLD) -> Order:
    """A sensible answer to a pending decision."""
    match choose.kind:
        case "setup":
            return _set_up(s, choose.side, chance)
        case Step.FIRE:
            return _fire(s, choose.side, chance)
        case Step.MOVE:
            return _move(s, choose.side, style)
        case Step.RALLY:
            return _rally(s, choose.side)
    return _attack(s, choose.side, chance)


def _set_up(s: State, side: str, chance: Chance) -> Order:
    """The line-up, so far behind the front edge as chance wills: who comes into whose reach hangs on it."""
    back = next((_behind(s, side, unit) for unit in s.troops(side)), chance.randrange(DEEPEST + 1) * HALF)
    return next(setup.suggested(s, side, back), None) or setup.sample(s, side, chance)


def _behind(s: State, side: str, unit: str) -> int:
    """How far behind the front edge of its part of the table a unit has been set up."""
    b, zone = s.at[unit], s.board.zones[side][s.board.units[unit].wing]
    return (b.y - b.hd - zone.south) if s.board.side[side].ahead else (zone.north - b.y - b.hd)


def _fire(s: State, side: str, chance: Chance) -> Order:
    """Fire of the next unit where the most points may fall, behind what others have declared."""
    found = fire.shooters(s, side)
    if not found:
        return End(Step.FIRE)
    unit = found[0]
    worth = [(_shot(s, unit, target), chance.random(), target) for target in fire.targets(s, unit)]
    return Fire(unit, max(worth)[2])


def _shot(s: State, unit: str, target: str) -> float:
    """What a fire is worth, when those declared before have taken their toll."""
    dice = sum(shot.dice for shot in fire.shots(s, unit, target))
    before = [other for other, at in s.fires if at == target]
    dead = sum(s.left(other) * (13 - fire.needed(s, other, target)) for other in before) // 12
    return against(s, target, dice, s.board.units[unit].kind.rank, led=False, dead=dead)


def _move(s: State, side: str, style: Style) -> Order:
    """Units first, then daimyos to them; the end of the turn where nobody can rally or attack."""
    order = posting.next_move(s, side, style) or leading.next_lead(s, side)
    if order is not None:
        return order
    idle = not rally.able(s, side) and not combat.attackers(s, side)
    return next(iter(moving.mend(s, side) or ()), DONE if idle else End(Step.MOVE))


def _rally(s: State, side: str) -> Order:
    """Rally whoever can."""
    found = rally.able(s, side)
    if not found:
        return End(Step.RALLY)
    unit, b = found[0], s.at[found[0]]
    ahead = s.board.side[side].ahead
    return Rally(unit, about=(b.facing - ahead) % 8 in (3, 4, 5))


def _attack(s: State, side: str, chance: Chance) -> Order:
    """Attack with everybody, who has the fewest enemies to choose from first, each where the most points may fall."""
    found = [(len(at := combat.targets(s, unit)), chance.random(), unit, at) for unit in combat.attackers(s, side)]
    if not found:
        return DONE
    _, _, unit, targets = min(found)
    led = bool(s.daimyos(unit))
    worth = {at: blow(s, unit, at, combat.BONUS[combat.fight(s, unit, at).side], led=led) for at in targets}
    return Attack(unit, tuple(sorted(targets, key=lambda at: (-worth[at], s.board.order[at]))))
