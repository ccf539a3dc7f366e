"""Control areas: the hexes that units and castles hold against the enemy, strongly or weakly (rulebook 5; R151)."""

from __future__ import annotations

from typing import NamedTuple

from pbem.rules.sengoku.areas import Area, area_of, touched
from pbem.rules.sengoku.state import State

__all__ = ["Present", "castles", "present", "strong", "weak"]


def strong(s: State, side: str) -> Area:
    """The hexes in strong control of a side: its open forces with what is around them, and its castles (5-1-1).

    It costs the enemy movement (15-4) and steps in retreat (23-4-4), and blocks his lines (11-1-3). What the other side
    controls takes nothing from it (5-4-1).
    """
    return _areas(s, side).strong


def weak(s: State, side: str) -> Area:
    """The hexes around the castles of a side that aren't in strong control; they only block enemy lines (5-1-2)."""
    return _areas(s, side).weak


def castles(s: State, side: str) -> Area:
    """The hexes with castles of a side, besieged or not."""
    return _areas(s, side).castles


class _Areas(NamedTuple):
    """What a side controls, and where its castles are."""

    strong: Area
    weak: Area
    castles: Area


def _areas(s: State, side: str) -> _Areas:
    """What a side controls, worked out once for a position."""
    found: _Areas | None = s.memo.get(("areas", side))
    if found is None:
        found = s.memo["areas", side] = _work_out(s, side)
    return found


def _work_out(s: State, side: str) -> _Areas:
    """What a side controls."""
    board, ground = s.board, s.board.ground
    held = (board.castles[castle].at for castle, army in s.owner.items() if board.armies[army].side == side)
    own = area_of(ground.bit, held)
    free = own & ~area_of(ground.bit, {s.at[force] for force in s.besieging})  # 5-4-3
    units = free | touched(ground.leads["control"], present(s, side).in_the_open)  # 5.0, 5-2, 5-3-3
    return _Areas(units, touched(ground.leads["control"], free) & ~units, own)  # 5-3-2


class Present(NamedTuple):
    """The hexes with forces of a side in the open, and those with any."""

    in_the_open: Area
    at_all: Area


def present(s: State, side: str) -> Present:
    """Where forces of a side are, worked out once for a position."""
    found: Present | None = s.memo.get(("present", side))
    if found is None:
        at, bit = s.at, s.board.ground.bit
        own = at.keys() & s.board.of_side[side]
        in_the_open = area_of(bit, {at[force] for force in own - s.shut_in})  # 5-3-3(shut-in)
        at_all = in_the_open | area_of(bit, {at[force] for force in own & s.shut_in})
        found = s.memo["present", side] = Present(in_the_open, at_all)
    return found
