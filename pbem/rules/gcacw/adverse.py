"""Whose a pending die is, and the answer to it that is worst for a side."""

from __future__ import annotations

from pbem.rules.gcacw.sequence import side_of
from pbem.rules.gcacw.situation import GOOD
from pbem.rules.gcacw.state import State
from pbem.rules.kit import throws
from pbem.rules.requests import Draw, Roll

__all__ = ["worst"]


def worst(s: State, request: Roll | Draw, side: str) -> tuple[int, ...] | tuple[str, ...]:
    """The answer to a pending chance that is worst for a side: the lowest or the highest dice."""
    return throws.worst(request, side, _owner(s, request.label), GOOD)


def _owner(s: State, label: str) -> str | None:
    """The side for which a die is good as `GOOD` says: who rolls it; of a defence or a way back not the active side."""
    what, _, whose = label.partition("/")
    if what == "initiative":
        return whose
    if whose in s.board.units:
        return s.board.units[whose].side
    active = side_of(s)
    return s.board.enemy[active] if active is not None and what in ("defence", "evade") else active
