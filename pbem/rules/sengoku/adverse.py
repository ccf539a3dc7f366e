"""Whose a pending die is, and the answer to it that is worst for a side."""

from __future__ import annotations

from pbem.rules.kit import throws
from pbem.rules.requests import Draw, Roll
from pbem.rules.sengoku.acting import castle_side
from pbem.rules.sengoku.assault import INTERCEPTION
from pbem.rules.sengoku.castles import FALL
from pbem.rules.sengoku.changes import BEGIN, THAW
from pbem.rules.sengoku.sequence import side_of
from pbem.rules.sengoku.siege import INCIDENT, SIEGE
from pbem.rules.sengoku.situation import GOOD
from pbem.rules.sengoku.skirmish import COUNTERATTACK
from pbem.rules.sengoku.state import State

__all__ = ["worst"]


def worst(s: State, request: Roll | Draw, side: str) -> tuple[int, ...] | tuple[str, ...]:
    """The answer to a pending chance that is worst for a side: the lowest or the highest dice."""
    return throws.worst(request, side, _owner(s, request.label), GOOD)


def _owner(s: State, label: str) -> str | None:
    """The side for which a die is good as `GOOD` says: who fights, checks or waits, of a siege whose castle it is."""
    what, _, place = label.partition("/")
    board, now = s.board, side_of(s)
    if what in (SIEGE, INCIDENT, FALL):
        owner = castle_side(s, board.castle_in[board.parse(place)])
        return board.enemy[owner] if owner is not None and what == FALL else owner
    if what == BEGIN:
        return board.entering[place].side
    if what == THAW:
        return board.armies[place].side
    if place in board.units:
        return board.units[place].side
    return board.enemy[now] if now is not None and what in (COUNTERATTACK, INTERCEPTION) else now
