"""The weights by which the computer player chooses, and the sets of them that it compares, by what wins a scenario."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pbem.rules.yukimura.board import EAST, Board

__all__ = ["BOLD", "Style", "styles"]


class Style(NamedTuple):
    """The weights of a rule of thumb; those that stand here are the bold player's.

    ahead, crowd, clash, guard, offence   how much more what they are called after counts than with the bold player;
                                          with a crowd below 0 units keep together
    losses   the same of a side's own losses in an attack;  worth  what a hand-to-hand combat must promise
    guards   units beside a threatened leader that are enough
    hope     the share that counts of the strength which may still come to bear on an enemy in this phase
    front    what each hex is worth from which an enemy could attack; below 0 units shun the front
    ground   what it is worth in the last turn to drive an enemy from Komatsuyama or a hex beyond the line
    """

    ahead: float = 1.0
    crowd: float = 1.0
    clash: float = 1.0
    guard: float = 1.0
    offence: float = 1.0
    losses: float = 1.0
    worth: float = 0.5
    guards: int = 3
    hope: float = 0.0
    front: float = 0.0
    ground: float = 0.0


BOLD = Style()

KILL = BOLD._replace(clash=3.0, hope=0.7)
"""The East where a leader of Osaka's is to be driven away: to grips wherever many can come."""

CROSS = KILL._replace(crowd=-1.0, losses=0.5)
"""The East where units beyond the line count: the same, close together, and losses don't matter."""

CLIMB = BOLD._replace(clash=2.0, hope=0.7, losses=0.3, worth=0.0, ground=20.0)
"""The East where Komatsuyama is to be taken: all combats that promise anything, there above all."""

DUEL = BOLD._replace(front=-1.0, losses=1.5)
"""Osaka where either side has leaders to lose."""

SHIELD = BOLD._replace(guards=4)
"""Osaka where only its own leaders matter."""

BANK = BOLD._replace(front=2.0, losses=2.0)
"""Osaka where the line is to be held: on the bank, and no combats that cost much."""

HOLD = BOLD._replace(front=1.0, losses=2.0)
"""Osaka where Komatsuyama is to be kept."""


@lru_cache(maxsize=16)
def styles(board: Board, side: str) -> tuple[Style, ...]:
    """The rules of thumb of a side, the best one first."""
    best = _best_of_east(board) if side == EAST else _best_of_osaka(board)
    return (
        best,
        best._replace(losses=best.losses / 4, worth=best.worth - 1.0),
        best._replace(losses=best.losses * 3, worth=best.worth + 1.5),
        best._replace(ahead=0.3, clash=best.clash / 3),
        best._replace(clash=best.clash * 3, hope=1.0),
        best._replace(guard=2.0, guards=best.guards + 2),
    )


def _best_of_east(board: Board) -> Style:
    if board.star is not None:
        return CLIMB
    return CROSS if board.west_needed and not board.collapse else KILL


def _best_of_osaka(board: Board) -> Style:
    if board.star is not None:
        return HOLD
    if board.collapse:
        return DUEL if EAST in board.collapse else SHIELD
    return BANK
