"""Control areas: the hexes that units and castles hold against the enemy, strongly or weakly (rulebook 5; R151)."""

from __future__ import annotations

from functools import lru_cache

from pbem.rules.sengoku.areas import Area, area_of, touched
from pbem.rules.sengoku.board import Board
from pbem.rules.sengoku.state import State

__all__ = ["strong", "weak"]


def strong(s: State, side: str) -> Area:
    """The hexes in strong control of a side: its open forces with what is around them, and its castles (5-1-1).

    It costs the enemy movement (15-4) and steps in retreat (23-4-4), and blocks his lines (11-1-3). What the other side
    controls takes nothing from it (5-4-1).
    """
    return _free(s, side) | _around(s.board, s.in_the_open[side])  # 5.0, 5-2, 5-3-3


def weak(s: State, side: str) -> Area:
    """The hexes around the castles of a side that aren't in strong control; they only block enemy lines (5-1-2)."""
    return _around(s.board, _free(s, side)) & ~strong(s, side)  # 5-3-2


def _free(s: State, side: str) -> Area:
    """The hexes with castles of a side that aren't besieged."""
    return s.held[side] & ~area_of(s.board.ground.bit, {s.at[force] for force in s.besieging})  # 5-4-3


@lru_cache(maxsize=1 << 6)
def _around(board: Board, area: Area) -> Area:
    """An area with what is around it; that of a side stays the same while the other one moves."""
    return touched(board.ground.leads["control"], area)
