"""A computer player by rules of thumb: besieges what scores, relieves castles, strikes where it loses less."""

from __future__ import annotations

from pbem.rules.requests import Chance, Choose
from pbem.rules.sengoku import battle, operation, recovery, replenishment
from pbem.rules.sengoku.acting import (
    able,
    castle_side,
    forces_inside,
    live_castle,
    open_in,
    ready,
    side_of,
    why_truce,
)
from pbem.rules.sengoku.aims import FAR, aims, way_to
from pbem.rules.sengoku.answers import dear
from pbem.rules.sengoku.assault import skill_inside
from pbem.rules.sengoku.board import SOTAISHO
from pbem.rules.sengoku.castles import MOST_DURABILITY, castle_morale
from pbem.rules.sengoku.harm import strength
from pbem.rules.sengoku.hazard import ahead, losses, outfights
from pbem.rules.sengoku.marches import enemies_near, march, march_out, refuge, threatened
from pbem.rules.sengoku.orders import (
    DEPLOYMENT,
    DONE,
    SITUATION,
    Accept,
    Assault,
    Attack,
    Besiege,
    Call,
    Close,
    Declare,
    FightOn,
    GiveBattle,
    GiveWay,
    Lift,
    Order,
    Place,
    Recover,
)
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.victory import winner
from pbem.rules.sengoku.weights import BOLD, Style, careful

__all__ = ["advise"]

WORN, CRACKED = 3, 6
"""Of so many units one on its back is enough to replenish them; the durability of a castle below which it is."""

LOST, SOONER = 0.4, 0.2
"""The points that a step is worth, and what a castle's fall comes sooner by its durability lowered by 1."""


def advise(s: State, choose: Choose, chance: Chance, style: Style = BOLD) -> Order:
    """A sensible answer to a pending decision."""
    if choose.reaction:
        return _answer(s, choose, chance, style)
    match choose.kind:
        case kind if kind == DEPLOYMENT:
            return Close(DEPLOYMENT)
        case kind if kind == SITUATION:
            return _change(s, choose)
    return _act(s, choose.side, careful(style) if winner(s) == choose.side else style)


def _answer(s: State, choose: Choose, chance: Chance, style: Style) -> Order:
    """Take a castle that is offered, fight battles where it is ahead, go back where that is cheap; else the default."""
    options: list[Order] = [*choose.options()]
    enemies = [e for force in choose.about[:1] if force in s.at for e in enemies_near(s, choose.side, s.at[force])]
    chiefs = [e for e in enemies if s.board.units[e].rank == SOTAISHO]
    match options[0]:
        case Accept():
            return Accept(made=True)
        case GiveBattle(()) if chiefs:
            along, every = open_in(s, s.at[chiefs[0]], side_of(s, chiefs[0])), options[1]
            if isinstance(every, GiveBattle) and outfights(s, every.forces, along, style.odds):
                return every
        case GiveWay():
            ways = [order for order in options if isinstance(order, GiveWay)]
            return min(ways, key=lambda order: dear(s, choose.about, order.hexes))
        case FightOn() if chiefs:
            along = open_in(s, s.at[chiefs[0]], side_of(s, chiefs[0]))
            return FightOn(outfights(s, [force for force in choose.about if force in s.forces], along, 1))
    default: Order = choose.default() if choose.default is not None else choose.sample(chance)
    return default


def _change(s: State, choose: Choose) -> Order:
    """Declare armies when the score asks it; let all who enter come in where the way to an enemy castle is short."""
    orders = [*choose.options()]
    for order in orders:
        if isinstance(order, Declare) and _must_act(s, choose.side):
            return order
    first = next((order.units for order in orders if isinstance(order, Place)), None)
    if first is None:
        return Close(SITUATION)
    goals = [s.board.castles[c].at for c in s.owner if castle_side(s, c) == s.board.enemy[choose.side]]
    return min(
        (order for order in orders if isinstance(order, Place) and order.units == first),
        key=lambda order: min((way_to(s.board, goal).get(order.at, FAR) for goal in goals), default=0),
    )


def _must_act(s: State, side: str) -> bool:
    """Whether a side would lose as it stands, and no die holds its other armies back any more."""
    return winner(s) != side and all(s.turn > rule.until for rule in s.board.idle)


def _act(s: State, side: str, style: Style) -> Order:
    """The order of the strongest force that has something to do."""
    for force in sorted(ready(s, side), key=lambda force: -strength(s, [force])):
        order = _order(s, side, force, style)
        if order is not None:
            return order
    return DONE


def _order(s: State, side: str, force: str, style: Style) -> Order | None:
    """What a force does now, if anything."""
    if s.morale.get(force, 0) <= style.tired and recovery.why_not(s, side, Recover(force)) is None:
        return Recover(force)
    if _spent(s, side, force, style):
        return Lift(force) if force in s.besieging else refuge(s, side, force, style) or _mend(s, force)
    if force in s.besieging and (_elsewhere(s, side, force, style) or _disturbed(s, side, force, style)):
        return Lift(force)
    return (
        march_out(s, side, force, style)
        or _fight(s, side, force, style)
        or (None if _elsewhere(s, side, force, style) else _at_castle(s, side, force, style))
        or _mend(s, force)
        or (None if force in s.besieging else march(s, side, force, style))
    )


def _elsewhere(s: State, side: str, force: str, style: Style) -> bool:
    """Whether a force is worth more in another hex."""
    return aims(s, side, style).get(force, s.at[force]) != s.at[force]


def _spent(s: State, side: str, force: str, style: Style) -> bool:
    """Whether so many units of a force have one step that it had better leave the enemies beside it."""
    return _worn(s, force, style) and force not in s.shut_in and bool(enemies_near(s, side, s.at[force]))


def _worn(s: State, force: str, style: Style) -> bool:
    """Whether so many units of a force have one step that more losses would cost their lives."""
    return len(s.reduced.intersection(s.forces[force])) >= style.spent * len(s.forces[force])


def _disturbed(s: State, side: str, force: str, style: Style) -> bool:
    """Whether a besieger does better in the open: against enemies whom it can beat, or away from those too strong."""
    near = [open_in(s, h, s.board.enemy[side]) for h in s.board.ground.open_to[s.at[force]]]
    orders = [Attack(force, (target,)) for targets in near for target in targets]
    if any(ahead(s, order, style.odds) > 0 and why_truce(s, force, order.targets) is None for order in orders):
        return True
    return threatened(s, side, force, s.at[force], style)


# --- fights -----------------------------------------------------------------------------------------------------------


def _fight(s: State, side: str, force: str, style: Style) -> Order | None:
    """A battle of commanders-in-chief in which a force and who stands with it are ahead, or the best attack."""
    for order in battle.options(s, force):
        if outfights(s, (force, *order.others), open_in(s, s.at[order.target], s.board.enemy[side]), style.battle):
            return order
    orders = [(ahead(s, order, style.odds), order) for order in operation.attacks(s, side, force)]
    most, attack = max(orders, key=lambda found: found[0], default=(0, None))
    return attack if most > 0 else None


def _at_castle(s: State, side: str, force: str, style: Style) -> Order | None:
    """What a force does against the enemy castle of its hex: with all that can, by storm where it is strong."""
    h = s.at[force]
    castle = live_castle(s, h)
    if castle is None or force in s.shut_in or castle_side(s, castle) == side:
        return None
    storms, likely = _storms(s, force, castle, style)
    open_here = [other for other in open_in(s, h, side) if other not in s.besieging and able(s, other)]
    others = tuple(other for other in open_here if not _elsewhere(s, side, other, style))
    for order in (
        Besiege(castle, others, assault=storms),
        Call(castle, force) if s.durability[castle] <= style.patience and not likely else None,
        Assault(castle, (force,)) if storms else None,
    ):
        if order is not None and operation.why_not(s, side, order) is None:
            return order
    return None


def _storms(s: State, force: str, castle: str, style: Style) -> tuple[bool, bool]:
    """Whether an assault is worth what the interception costs, and whether the castle is likely to fall by it."""
    level, inside = s.board.castles[castle].level, forces_inside(s, castle)
    ground = s.board.tables.terrain[s.board.ground.terrain[s.at[force]]].assault
    better = s.morale.get(force, 0) - castle_morale(s, castle)
    damage = losses(s.board, strength(s, [force]), ground + better - level)
    suffered = losses(s.board, strength(s, inside), 1 + skill_inside(s, castle) - better)
    points = s.board.victory.castles[level] + sum(len(s.forces[force]) for force in inside)
    worth = damage * (points / MOST_DURABILITY + SOONER)
    return worth >= style.storm * LOST * suffered and damage > 0, damage >= s.durability[castle] > 0


def _mend(s: State, force: str) -> Order | None:
    """Steps for a worn force, or the walls of its castle."""
    units = s.forces[force]
    worn = WORN * len(s.reduced.intersection(units)) >= len(units)
    for order in replenishment.options(s, force):
        if worn if order.castle is None else s.durability[order.castle] < min(CRACKED, MOST_DURABILITY):
            return order
    return None
