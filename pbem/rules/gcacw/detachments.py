"""Whom the computer player leaves behind on a march: raiders at stations that it passes, garrisons where it scores."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.maps.hexes import Hex, distance
from pbem.records import NamedTuple
from pbem.rules.gcacw.aims import aims
from pbem.rules.gcacw.board import CONFEDERATE
from pbem.rules.gcacw.goals import Goal
from pbem.rules.gcacw.orders import Detach, Path
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.substitutes import free_substitutes

__all__ = ["left_behind"]

KEEPS = 6
"""The manpower that a unit has at least behind whom it has left."""

RAIDERS, GARRISON = 1, 2
"""The manpower of who destroys a station, and of who keeps cavalry out of one."""

WORTH = 3.0
"""What a place must be worth for somebody to be left there."""

COMES = 12
"""How many hexes away an enemy is against whom a garrison is left."""


class _Post(NamedTuple):
    """A place on the way and how much manpower is to stay there."""

    at: Hex
    manpower: int


def left_behind(s: State, unit: str, path: Path, wanted: Mapping[str, Goal]) -> tuple[Detach, ...]:
    """Whom a unit leaves on its way, by its goal and those of all others: one substitute at most."""
    able = free_substitutes(s, unit) if path and s.board.units[unit].infantry else []
    if not able:
        return ()
    raids = s.board.units[unit].side == CONFEDERATE
    post = _raiders(s, path, wanted) if raids else _garrison(s, unit, path, wanted)
    if post is None or s.manpower[unit] - post.manpower < KEEPS:
        return ()
    return (Detach(able[0], post.manpower, post.at if post.at != s.at[unit] else None),)


def _raiders(s: State, path: Path, wanted: Mapping[str, Goal]) -> _Post | None:
    """The station on the way that brings most, if nobody else is there or goes there."""
    taken = {goal.aim.at for goal in wanted.values()}
    worth = {aim.at: aim.worth for aim in aims(s) if aim.actions and aim.infantry and aim.worth >= WORTH}
    passed = [h for h in path[:-1] if h in worth and h not in taken and not s.units_in(h, CONFEDERATE)]
    return _Post(max(passed, key=worth.__getitem__), RAIDERS) if passed else None


def _garrison(s: State, unit: str, path: Path, wanted: Mapping[str, Goal]) -> _Post | None:
    """The first place on the way, from its beginning on, that would be left empty before an enemy who is near."""
    side, here = s.board.units[unit].side, s.at[unit]
    enemies = [s.at[enemy] for enemy in s.own(s.board.enemy[side])]
    strong = [s.at[enemy] for enemy in s.own(s.board.enemy[side]) if s.board.units[enemy].infantry]
    for h in (here, *path[:-1]):
        there = (other for other in s.units_in(h, side) if other != unit)
        stays = any(other not in wanted or wanted[other].aim.at == h for other in there)
        worth = sum(aim.worth for aim in aims(s) if aim.at == h and not aim.late)
        if worth >= WORTH and not stays and any(distance(h, enemy) <= COMES for enemy in enemies):
            if not s.panic and any(distance(h, enemy) <= COMES for enemy in strong):
                continue  # who is so weak before infantry is the panic of his side (18.0-1)
            return _Post(h, GARRISON)
    return None
