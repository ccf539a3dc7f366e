"""About how likely a side is to win: the measure of the computer player's play-outs."""

from __future__ import annotations

from math import exp

from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.victory import total

__all__ = ["prospect"]

EARLY, LATE = 40.0, 6.0
"""The lead, in points beyond the one needed, that makes a win 2.7 times as likely: in the first inning and the last."""


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win, from 0 to 1."""
    given = s.board.victory
    lead = total(s, given.leader) - total(s, s.board.enemy[given.leader]) - given.lead
    done = (s.turn - 1) / max(1, s.board.turns - 1)
    wins = 1 / (1 + exp(-lead / (EARLY + (LATE - EARLY) * done)))
    return wins if side == given.leader else 1 - wins
