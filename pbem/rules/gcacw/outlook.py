"""About how likely a side is to win: the measure of the computer player's play-outs."""

from __future__ import annotations

from math import exp

from pbem.rules.gcacw.board import CONFEDERATE
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import total

__all__ = ["prospect"]


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win, from 0 to 1."""
    levels = s.board.victory.levels
    least = min(level.least for level in levels if level.side == CONFEDERATE and level.least is not None)
    spread = max(1.0, max(level.least or 0 for level in levels) / 4)
    wins = 1 / (1 + exp(-(total(s) - least) / spread))
    return wins if side == CONFEDERATE else 1 - wins
