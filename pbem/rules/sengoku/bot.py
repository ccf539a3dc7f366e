"""A computer player by rules of thumb: relieves castles, besieges those that score, strikes where it is stronger."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pbem.maps.hexes import Hex
from pbem.rules.requests import Chance, Choose
from pbem.rules.sengoku import movement, operation, recovery, replenishment
from pbem.rules.sengoku.acting import (
    able,
    besiegers,
    castle_side,
    closed_to,
    friendly_castle,
    live_castle,
    open_in,
    ready,
    threshold,
)
from pbem.rules.sengoku.areas import hexes_in, rings
from pbem.rules.sengoku.board import Board
from pbem.rules.sengoku.castles import MOST_DURABILITY
from pbem.rules.sengoku.harm import strength
from pbem.rules.sengoku.orders import (
    DEPLOYMENT,
    DONE,
    SITUATION,
    Assault,
    Besiege,
    Call,
    Close,
    Declare,
    Move,
    Order,
    Path,
    Place,
    Recover,
)
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.weights import BOLD, Style

__all__ = ["advise"]

ENOUGH = 1.5
"""So many times the strength that a siege needs are enough before a castle."""

WEAK = 4
"""A force of less strength stays where it is, as a garrison."""

WORN, CRACKED = 3, 6
"""Of so many units one on its back is enough to replenish them; the durability of a castle below which it is."""

FAR = 10_000


def advise(s: State, choose: Choose, chance: Chance, style: Style = BOLD) -> Order:
    """A sensible answer to a pending decision."""
    if choose.reaction:
        order: Order = choose.default() if choose.default is not None else choose.sample(chance)
        return order
    match choose.kind:
        case kind if kind == DEPLOYMENT:
            return Close(DEPLOYMENT)
        case kind if kind == SITUATION:
            return _change(s, choose)
    return _act(s, choose.side, style)


def _change(s: State, choose: Choose) -> Order:
    """Declare armies at once; let all who may enter come in where the way to an enemy castle is short."""
    orders = [*choose.options()]
    for order in orders:
        if isinstance(order, Declare):
            return order
    first = next((order.units for order in orders if isinstance(order, Place)), None)
    if first is None:
        return Close(SITUATION)
    goals = [c for c in s.owner if castle_side(s, c) == s.board.enemy[choose.side]]
    return min(
        (order for order in orders if isinstance(order, Place) and order.units == first),
        key=lambda order: min((_way(s.board, goal).get(order.at, FAR) for goal in goals), default=0),
    )


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
    return (
        _fight(s, side, force, style)
        or _at_castle(s, side, force, style)
        or _mend(s, force)
        or (None if force in s.besieging else _march(s, side, force, style))
    )


# --- fights -----------------------------------------------------------------------------------------------------------


def _fight(s: State, side: str, force: str, style: Style) -> Order | None:
    """The attack in which a force is most ahead, if it is far enough."""
    own = strength(s, [force])
    orders = [(own / strength(s, order.targets), order) for order in operation.attacks(s, side, force)]
    ahead, order = max(orders, key=lambda found: found[0], default=(0, None))
    return order if ahead >= style.odds else None


def _at_castle(s: State, side: str, force: str, style: Style) -> Order | None:
    """What a force does against the enemy castle of its hex: with all that can, by storm where it is strong."""
    h = s.at[force]
    castle = live_castle(s, h)
    if castle is None or force in s.shut_in or castle_side(s, castle) == side:
        return None
    storms = strength(s, [force]) >= style.storm * s.board.castles[castle].level
    others = tuple(other for other in open_in(s, h, side) if other not in s.besieging and able(s, other))
    for order in (
        Besiege(castle, others, assault=storms),
        Call(castle, force) if s.durability[castle] <= style.patience else None,
        Assault(castle, (force,)) if storms else None,
    ):
        if order is not None and operation.why_not(s, side, order) is None:
            return order
    return None


def _mend(s: State, force: str) -> Order | None:
    """Steps for a worn force, or the walls of its castle."""
    units = s.forces[force]
    worn = WORN * len(s.reduced.intersection(units)) >= len(units)
    for order in replenishment.options(s, force):
        if worn if order.castle is None else s.durability[order.castle] < min(CRACKED, MOST_DURABILITY):
            return order
    return None


# --- marches ----------------------------------------------------------------------------------------------------------


def _march(s: State, side: str, force: str, style: Style) -> Order | None:
    """A step on the way to the castle that is worth most; into its own castle before a stronger enemy."""
    here, own = s.at[force], strength(s, [force])
    near = [other for h in s.board.ground.near[here] for other in open_in(s, h, s.board.enemy[side])]
    if force not in s.shut_in and strength(s, near) > own and friendly_castle(s, here, side):
        return Move(force, enter=True)
    goal = _goal(s, side, force, style) if own >= WEAK else None
    if goal is None:
        return None
    way = _way(s.board, goal)
    least, best = way.get(here, FAR), Move(force)
    for strategic in (False, True):
        reach = movement.in_reach(s, force, strategic=strategic)
        nearest = min((way.get(h, FAR) for h in reach.cost), default=FAR)
        if nearest < least:
            ends = [h for h in reach.cost if way.get(h) == nearest]
            known: dict[Hex, Path] = {}
            paths = [(reach.cost[h], movement.path_to(s, reach, h, known)) for h in ends]
            least, best = nearest, Move(force, min(paths)[1], strategic)
    return best if best.path else None


def _goal(s: State, side: str, force: str, style: Style) -> str | None:
    """The castle that a force goes for: an enemy's that it can besiege, or one of its own under siege."""
    points, closed, own = s.board.victory.castles, closed_to(s, side), strength(s, [force])
    sieges = {s.board.castle_in[s.at[besieger]] for besieger in s.besieging}
    found = []
    for castle, army in s.owner.items():
        given, ours = s.board.castles[castle], s.board.armies[army].side == side
        if ours and castle not in sieges:
            continue
        if ours or (not closed & s.board.ground.bit[given.at] and _wanted(s, own, castle)):
            dear = style.far * _way(s.board, castle).get(s.at[force], FAR)
            found.append((points[given.level] * (style.relief if ours else 1) - dear, castle))
    return max(found)[1] if found else None


def _wanted(s: State, own: int, castle: str) -> bool:
    """Whether a force of a strength makes a siege, and those before the castle haven't strength enough."""
    needed, there = threshold(s.board, castle), strength(s, besiegers(s, castle))
    return there < ENOUGH * needed and there + own >= needed


@lru_cache(maxsize=256)
def _way(board: Board, castle: str) -> Mapping[Hex, int]:
    """The movement points from every hex to a castle, about: whoever stands on the way."""
    grid, begin = board.ground.grid, board.ground.bit[board.castles[castle].at]
    found = rings(board.ground.leads["tactical"], begin, FAR)
    return {h: far for far, ring in enumerate(found) for h in hexes_in(grid, ring)}
