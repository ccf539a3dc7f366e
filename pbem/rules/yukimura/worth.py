"""What a fire or a hand-to-hand combat is worth to who gives it, by exact chances and rules of thumb for the rest."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product

from pbem.rules.kit.throws import by_sum, throws
from pbem.rules.yukimura import fire, melee
from pbem.rules.yukimura.aims import leaders
from pbem.rules.yukimura.board import EAST, OSAKA, Board
from pbem.rules.yukimura.groups import participants
from pbem.rules.yukimura.orders import Fire, Melee
from pbem.rules.yukimura.retreat import REMOVED_AT, steps
from pbem.rules.yukimura.state import State

__all__ = ["fire_worth", "melee_worth", "trapped"]

REMOVAL, RETREAT, VICTORY = 10.0, 3.5, 1000.0
"""What a common unit's removal and retreat are worth, and the retreat of a leader that wins the battle."""

PRESSING = {EAST: 0.3, OSAKA: 0.5}
"""What a side's own losses in an attack count to it; least to the East, whose time runs out."""


def fire_worth(s: State, order: Fire) -> float:
    """What a legal fire is worth."""
    shut = trapped(s, order.target, participants(order))
    unit = s.board.units[order.target]
    back, gone = _by_fire(s.board, fire.column(s, order), unit.morale, shut)
    return _stake(s, order.target, back, gone)


def melee_worth(s: State, order: Melee) -> float:
    """What a legal hand-to-hand combat is worth: the target's loss less one's own."""
    board, units = s.board, participants(order)
    column = melee.column(s, order)
    shut = trapped(s, order.target, units)
    back, gone = _by_melee(board, column, board.units[order.target].morale, shut, target=True)
    total = _stake(s, order.target, back, gone)
    for unit in units:
        back, gone = _by_melee(board, column, board.units[unit].morale, shut=False, target=False)
        total -= _stake(s, unit, back, gone) * PRESSING[board.units[unit].side]
    return total


def trapped(s: State, target: str, units: tuple[str, ...]) -> bool:
    """Whether a unit has no hex to retreat to from these units (11-1-3)."""
    threats = frozenset(s.at[unit] for unit in units)
    return not steps(s, s.board.units[target].side, threats)(s.at[target])


def _stake(s: State, unit_id: str, back: float, gone: float) -> float:
    """What these chances of a unit's retreat and removal are worth."""
    unit = s.board.units[unit_id]
    if unit_id in leaders(s.board, unit.side):
        return VICTORY * (back + gone)
    kept = RETREAT * 3 if s.at[unit_id] == s.board.star else RETREAT
    return back * kept + gone * REMOVAL * (1.2 if unit.commander else unit.strength / 3)


@lru_cache(maxsize=1024)
def _by_fire(board: Board, column: int, morale: int | None, shut: bool) -> tuple[float, float]:
    """The chances of a retreat and of a removal by fire in a column."""

    def added(total: int) -> int | None:
        cell = board.tables.firing.cell(total, column)
        return None if cell == "-" else 99 if cell == "E" else int(cell)

    return _chances(by_sum(added), morale, shut)


@lru_cache(maxsize=1024)
def _by_melee(board: Board, column: int, morale: int | None, shut: bool, *, target: bool) -> tuple[float, float]:
    """The chances of a retreat and of a removal by hand-to-hand combat in a column, of the target or an attacker."""
    side = "D" if target else "A"

    def added(total: int) -> int | None:
        cell = board.tables.hand_to_hand.cell(total, column)
        return 99 if cell == f"{side}E" else int(cell[1]) if cell[0] in (side, "B") and cell[1] != "E" else None

    return _chances(by_sum(added), morale, shut)


def _chances(adds: Counter[int | None], morale: int | None, shut: bool) -> tuple[float, float]:
    """Of the numbers added to a check (None: no check, 99: removed) the chances of a retreat and of a removal."""
    back = gone = 0
    for (add, times), (die,) in product(adds.items(), throws(1)):
        if add == 99:
            gone += times
        elif add is not None:
            found = _value(morale, die, add)
            gone += times * (found >= REMOVED_AT or (shut and found > 0))
            back += times * (not shut and 0 < found < REMOVED_AT)
    count = adds.total() * 6
    return back / count, gone / count


def _value(morale: int | None, die: int, add: int) -> int:
    return 0 if morale is None else die + add - morale
