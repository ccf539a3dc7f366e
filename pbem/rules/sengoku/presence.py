"""Where the sides are, as areas: the hexes with their forces, and with their castles."""

from __future__ import annotations

from collections.abc import Container, Mapping

from pbem.maps.hexes import Hex
from pbem.rules.sengoku.areas import Area
from pbem.rules.sengoku.board import Board

__all__ = ["held", "note", "present"]


def present(board: Board, at: Mapping[str, Hex], without: Container[str] = ()) -> dict[str, Area]:
    """Side -> the hexes with forces of it, but for those `without`, by where each force is."""
    bit, found = board.ground.bit, dict.fromkeys(board.side, 0)
    for force, h in at.items():
        if force not in without:
            found[board.units[force].side] |= bit[h]
    return found


def held(board: Board, owner: Mapping[str, str]) -> dict[str, Area]:
    """Side -> the hexes with castles of it, by the army that owns each."""
    bit, found = board.ground.bit, dict.fromkeys(board.side, 0)
    for castle, army in owner.items():
        found[board.armies[army].side] |= bit[board.castles[castle].at]
    return found


def note(where: dict[str, Area], side: str, h: Area, *, there: bool) -> None:
    """Note that a side is in a hex, or that it isn't."""
    where[side] = where[side] | h if there else where[side] & ~h
