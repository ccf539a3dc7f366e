"""What a unit may lose in a fire or a hand-to-hand combat, by exact chances, and what that is worth."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product

from pbem.rules.kit.throws import by_sum, throws
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.retreat import REMOVED_AT, check_value

__all__ = ["REMOVAL", "RETREAT", "by_fire", "by_melee"]

REMOVAL, RETREAT = 10.0, 3.5
"""What a common unit's removal and retreat are worth."""


@lru_cache(maxsize=1024)
def by_fire(board: Board, column: int, morale: int | None, shut: bool) -> tuple[float, float]:
    """The chances of a retreat and of a removal by fire in a column."""

    def added(total: int) -> int | None:
        cell = board.tables.firing.cell(total, column)
        return None if cell == "-" else 99 if cell == "E" else int(cell)

    return _chances(by_sum(added), morale, shut)


@lru_cache(maxsize=1024)
def by_melee(board: Board, column: int, morale: int | None, shut: bool, *, target: bool) -> tuple[float, float]:
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
            found = check_value(morale, die, add)
            gone += times * (found >= REMOVED_AT or (shut and found > 0))
            back += times * (not shut and 0 < found < REMOVED_AT)
    count = adds.total() * 6
    return back / count, gone / count
