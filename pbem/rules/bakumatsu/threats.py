"""What threatens a side before it can move again: an entry hex left empty (rulebook 13-2(1), 14(4)1)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.maps.hexes import Hex, distance
from pbem.rules.bakumatsu import movement, sequence
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.state import State
from pbem.rules.requests import Danger

__all__ = ["dangers"]

NAMED = 3
"""So many enemies are named."""


def dangers(s: State, side: str, *, behind: int = 0) -> Iterator[Danger]:
    """What may befall a side as things stand, before it moves; or would, so many phases `behind` this one."""
    if s.ended is None and sequence.next_to_move(s, behind) == s.board.enemy[side]:
        yield from _open_entry(s, side)


def _open_entry(s: State, side: str) -> Iterator[Danger]:
    """The danger of a side whose entry hex is empty and within reach of enemy units."""
    entry, enemy = s.board.side[side].entry, s.board.side[s.board.enemy[side]]
    if entry is None or s.unit_in(entry) is not None:
        return
    units = (s.board.units[unit] for unit in s.board.combat[enemy.id] if unit in s.at)
    near = [s.board.describe(unit.id) for unit in units if _reaches(s, unit, entry)]
    if near:
        first, place = ", ".join(near[:NAMED]), s.board.place(entry)
        who = f"{first} and {len(near) - NAMED} more" if len(near) > NAMED else first
        told = f"your entry hex {place} is empty: in the next movement of {enemy.title} {who} can enter it, and win"
        yield Danger(told, "14(4)1")


def _reaches(s: State, unit: Unit, entry: Hex) -> bool:
    """Whether an enemy unit can come into a hex in its side's next movement."""
    start = s.at[unit.id]
    far = distance(start, entry)
    if far <= unit.move and entry in movement.move_destinations(s, unit, start):
        return True
    return far <= movement.ROAD_RATE * unit.move and entry in movement.march_destinations(s, unit, start)
