"""Control areas: the hexes that units and castles hold against the enemy, strongly or weakly (rulebook 5; R151)."""

from __future__ import annotations

from typing import NamedTuple

from pbem.maps.hexes import Hex
from pbem.rules.sengoku.acting import castle_side
from pbem.rules.sengoku.board import SWAMP
from pbem.rules.sengoku.state import State

__all__ = ["Present", "present", "strong", "weak"]


def strong(s: State, side: str) -> frozenset[Hex]:
    """The hexes in strong control of a side: its open forces with what is around them, and its castles (5-1-1).

    It costs the enemy movement (15-4) and steps in retreat (23-4-4), and blocks his lines (11-1-3). What the other side
    controls takes nothing from it (5-4-1).
    """
    return _areas(s, side)[0]


def weak(s: State, side: str) -> frozenset[Hex]:
    """The hexes around the castles of a side that aren't in strong control; they only block enemy lines (5-1-2)."""
    return _areas(s, side)[1]


def _areas(s: State, side: str) -> tuple[frozenset[Hex], frozenset[Hex]]:
    """Strong and weak control of a side, worked out once for a position."""
    found: tuple[frozenset[Hex], frozenset[Hex]] | None = s.memo.get(("areas", side))
    if found is None:
        found = s.memo["areas", side] = _work_out(s, side)
    return found


def _work_out(s: State, side: str) -> tuple[frozenset[Hex], frozenset[Hex]]:
    """Strong and weak control of a side."""
    ground, castles = s.board.ground, s.board.castles
    units: set[Hex] = set()
    around: set[Hex] = set()
    for h in present(s, side).in_the_open:  # 5-3-3, 5-3-3(shut-in)
        units.update(ground.controls[h])  # 5.0, 5-2
        if ground.terrain[h] != SWAMP:  # 5-2(2)
            units.add(h)
    besieged = {s.at[force] for force in s.besieging}
    for castle in s.owner:
        h = castles[castle].at
        if castle_side(s, castle) == side and h not in besieged:  # 5-4-3
            units.add(h)
            around.update(ground.controls[h])
    return frozenset(units), frozenset(around - units)  # 5-3-2


class Present(NamedTuple):
    """The hexes with forces of a side in the open, and those with any."""

    in_the_open: frozenset[Hex]
    at_all: frozenset[Hex]


def present(s: State, side: str) -> Present:
    """Where forces of a side are, worked out once for a position."""
    found: Present | None = s.memo.get(("present", side))
    if found is None:
        units = s.board.units
        own = [(force, h) for force, h in s.at.items() if units[force].side == side]
        in_the_open = frozenset(h for force, h in own if force not in s.shut_in)
        found = s.memo["present", side] = Present(in_the_open, frozenset(h for _, h in own))
    return found
