"""Control areas: the hexes that units and castles hold against the enemy, strongly or weakly (rulebook 5; R151)."""

from __future__ import annotations

from typing import NamedTuple

from pbem.rules.sengoku.areas import Area
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
    board, bit, controls = s.board, s.board.ground.bit, s.board.ground.controls
    besieged = {s.at[force] for force in s.besieging}
    own = units = around = 0
    for castle, army in s.owner.items():
        if board.armies[army].side == side:
            h = board.castles[castle].at
            own |= bit[h]
            if h not in besieged:  # 5-4-3
                units |= bit[h]
                around |= controls[h]
    units |= present(s, side).controlled  # 5.0, 5-2, 5-3-3
    return _Areas(units, around & ~units, own)  # 5-3-2


class Present(NamedTuple):
    """The hexes with forces of a side in the open, those with any, and those that the open ones control."""

    in_the_open: Area
    at_all: Area
    controlled: Area


def present(s: State, side: str) -> Present:
    """Where forces of a side are, worked out once for a position."""
    found: dict[str, Present] | None = s.memo.get("present")
    if found is None:
        found = s.memo["present"] = _find(s)
    return found[side]


def _find(s: State) -> dict[str, Present]:
    """Where forces of each side are."""
    units, bit, controls, shut_in = s.board.units, s.board.ground.bit, s.board.ground.controls, s.shut_in
    found = {side.id: [0, 0, 0] for side in s.board.sides}
    for force, h in s.at.items():
        own = found[units[force].side]
        own[1] |= bit[h]
        if force not in shut_in:  # 5-3-3(shut-in)
            own[0] |= bit[h]
            own[2] |= controls[h]
    return {side: Present(*own) for side, own in found.items()}
