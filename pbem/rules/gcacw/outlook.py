"""About how likely a side is to win: the measure of the computer player's play-outs."""

from __future__ import annotations

from math import exp

from pbem.rules.gcacw.board import CONFEDERATE
from pbem.rules.gcacw.designs import designs
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import total

__all__ = ["prospect"]

HOPED = 0.6
"""The share of what the Confederates go for that they get, about."""

WIDE = 6.0
"""The levels lie so many points apart, divided by this, as make a win 2.7 times as likely at the end."""


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win, from 0 to 1: by the points now, and those that the Confederates go for."""
    given = [level.least for level in s.board.victory.levels if level.least is not None]
    least = min(
        level.least for level in s.board.victory.levels if level.side == CONFEDERATE and level.least is not None
    )
    left = (s.board.turns - s.turn) / s.board.turns
    hoped = HOPED * sum(max(0.0, goal.worth) for goal in designs(s, CONFEDERATE).values())
    spread = max(1.0, (max(given) - min(given)) / WIDE) * (1 + left)
    wins = 1 / (1 + exp(-(total(s) + hoped - least) / spread))
    return wins if side == CONFEDERATE else 1 - wins
