"""The dice that are worst for a side, for a game in which its secret is lost."""

from __future__ import annotations

from pbem.rules.kit import throws
from pbem.rules.requests import Draw, Roll
from pbem.rules.yukimura.board import OSAKA
from pbem.rules.yukimura.sequence import side_of
from pbem.rules.yukimura.state import State

__all__ = ["GOOD", "worst"]

GOOD: throws.Good = {"fire": "high", "melee": "high", "check": "low", "release": "low", "arrival": "low"}
"""Stem of a roll's label -> which dice are good for the side whose unit acts or checks, or whose force waits."""


def worst(s: State, request: Roll | Draw, side: str) -> tuple[int, ...] | tuple[str, ...]:
    """The answer to a pending chance that is worst for `side`: the lowest or the highest dice."""
    return throws.worst(request, side, _owner(s, request.label), GOOD)


def _owner(s: State, label: str) -> str | None:
    """The side whose phase it is, who has the unit that checks, or the force that waits."""
    what, _, place = label.partition("/")
    if what in ("fire", "melee"):
        return side_of(s)
    if what == "check":
        unit = s.unit_in(s.board.parse(place))
        return s.board.units[unit].side if unit is not None else OSAKA
    return s.board.forces[place].side
