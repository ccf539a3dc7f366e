"""The dice and draws that are worst for a side, for a game in which its secret is lost."""

from __future__ import annotations

from pbem.rules.bakumatsu.sequence import side_of
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit import throws
from pbem.rules.requests import Draw, Roll

__all__ = ["GOOD", "worst"]

GOOD: throws.Good = {"fire": "high", "melee": "high", "reinforcement": "high", "recover": "low", "check": "low"}
"""Stem of a roll's label -> which dice are good for the side whose unit acts or checks."""


def worst(s: State, request: Roll | Draw, side: str) -> tuple[int, ...] | tuple[str, ...]:
    """The answer to a pending chance that is worst for `side`: lowest or highest dice, weakest or best units."""
    return throws.worst(request, side, _owner(s, request.label), GOOD, lambda unit: _worth(s, unit))


def _owner(s: State, label: str) -> str | None:
    """The side whose unit acts or checks: whose phase it is, but for checks its enemy."""
    side = side_of(s)
    return s.board.enemy[side] if side is not None and label.startswith("check/") else side


def _worth(s: State, unit: str) -> int:
    """How much a unit adds to its side: the sum of what is printed on it."""
    printed = s.board.units[unit]
    return printed.fire + printed.melee + printed.morale + printed.move + printed.range
