"""About how likely a side is to win: the measure of the computer player's play-outs."""

from __future__ import annotations

from math import exp

from pbem.rules.samurai.sequence import side_of
from pbem.rules.samurai.state import State
from pbem.rules.samurai.victory import lost

__all__ = ["prospect"]

LEAD, TURN = 6.3, 0.45
"""What the logarithm of the odds grows by, by a lead of as many points as break an army, and by having the turn.

Fitted to the beginnings of the turns of some hundred games between bold players.
"""


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win, from 0 to 1."""
    share = {one.id: 100 * lost(s, one.id) / (s.board.tables.broken * s.board.points[one.id]) for one in s.board.sides}
    z = LEAD * (share[s.board.enemy[side]] - share[side]) + TURN * (1 if side_of(s) == side else -1)
    return 1 / (1 + exp(-z))
