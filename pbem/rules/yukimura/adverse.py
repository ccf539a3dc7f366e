"""The dice that are worst for a side, for a game in which its secret is lost."""

from __future__ import annotations

from pbem.rules.requests import Draw, Roll
from pbem.rules.yukimura.board import OSAKA
from pbem.rules.yukimura.sequence import side_of
from pbem.rules.yukimura.state import State

__all__ = ["worst"]


def worst(s: State, request: Roll | Draw, side: str) -> tuple[int, ...] | tuple[str, ...]:
    """The answer to a pending chance that is worst for `side`: the lowest or the highest dice."""
    if isinstance(request, Draw):
        raise AssertionError(request)  # these rules draw no counters
    return (1 if _high_helps(s, request.label) == side else request.sides,) * request.dice


def _high_helps(s: State, label: str) -> str | None:
    """The side that high dice help: who fires or attacks; the enemy of a unit that checks, of a force that waits."""
    what, _, place = label.partition("/")
    if what in ("fire", "melee"):
        return side_of(s)
    if what == "check":
        unit = s.unit_in(s.board.parse(place))
        owner = s.board.units[unit].side if unit is not None else OSAKA
    else:
        owner = s.board.forces[place].side
    return s.board.enemy[owner]
