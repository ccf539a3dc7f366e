"""The dice and draws that are worst for a side, for a game in which its secret is lost."""

from __future__ import annotations

from pbem.rules.bakumatsu.sequence import side_of
from pbem.rules.bakumatsu.state import State
from pbem.rules.requests import Draw, Roll

__all__ = ["worst"]

GOOD_FOR_THE_PHASE = {"fire": True, "melee": True, "recover": False, "reinforcement": True, "check": True}
"""Stem of a label -> whether high dice help the side whose phase it is; a check is made by its enemy's unit."""


def worst(s: State, request: Roll | Draw, side: str) -> tuple[int, ...] | tuple[str, ...]:
    """The answer to a pending chance that is worst for `side`: lowest or highest dice, weakest or best units."""
    own = side_of(s) == side
    if isinstance(request, Draw):
        ranked = sorted(request.cup, key=lambda unit: (_worth(s, unit), unit), reverse=not own)
        return tuple(ranked[: request.count])
    high = GOOD_FOR_THE_PHASE[request.label.split("/")[0]] != own
    return (request.sides if high else 1,) * request.dice


def _worth(s: State, unit: str) -> int:
    """How much a unit adds to its side: the sum of what is printed on it."""
    printed = s.board.units[unit]
    return printed.fire + printed.melee + printed.morale + printed.move + printed.range
