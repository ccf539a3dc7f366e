"""What is known about where everybody stands: who is near, who touches whom, and whatever else has been worked out."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping
from typing import Any, TypeAlias

from pbem.rules.samurai.geometry import Base, spans, touches

__all__ = ["Known"]

Row: TypeAlias = tuple[int, str, Base, int, int]
"""Where a base stands from the west to the east, whose it is, the base, how far it reaches to both sides and north."""

NOTHING: Mapping[str, Any] = {}


class Known:
    """What has been worked out about units that stand there, in that shape and with so many figures.

    What it tells stays so, and copies of a state share it; a state that changes gets another one, which takes over what
    a moved unit leaves as it is.

    at, figures, shape  as in the state
    found               question -> answer, filled by who asks
    """

    __slots__ = ("_contacts", "_far", "_moved", "_rows", "at", "figures", "found", "shape")

    def __init__(
        self,
        at: Mapping[str, Base] = NOTHING,
        figures: Mapping[str, tuple[int, ...]] = NOTHING,
        shape: Mapping[str, str] = NOTHING,
    ) -> None:
        self.at, self.figures, self.shape = at, figures, shape
        self.found: dict[object, Any] = {}
        self._rows: list[Row] = sorted(_row(unit, b) for unit, b in at.items())
        self._far = max((wide for _, _, _, wide, _ in self._rows), default=0)
        self._contacts: Mapping[str, tuple[str, ...]] = NOTHING
        self._moved = tuple(at)

    def since(self, at: Mapping[str, Base], figures: Mapping[str, tuple[int, ...]], shape: Mapping[str, str]) -> Known:
        """What is known when these are so."""
        if at is not self.at:
            return Known(at, figures, shape)
        return self._as_before(at, figures, shape)

    def _as_before(
        self, at: Mapping[str, Base], figures: Mapping[str, tuple[int, ...]], shape: Mapping[str, str]
    ) -> Known:
        now = Known.__new__(Known)
        now.at, now.figures, now.shape, now.found = at, figures, shape, {}
        now._rows, now._far, now._contacts, now._moved = self._rows, self._far, self._contacts, self._moved
        return now

    def moved(self, unit: str, at: Mapping[str, Base]) -> Known:
        """What is known when one unit has come, gone or moved."""
        now = self._as_before(at, self.figures, self.shape)
        now._moved, rows = (*self._moved, unit), self._rows.copy()
        if unit in self.at:
            del rows[bisect_left(rows, _row(unit, self.at[unit]))]
        if unit in at:
            row = _row(unit, at[unit])
            insort(rows, row)
            now._far = max(self._far, row[3])
        now._rows = rows
        return now

    def near(self, west: int, east: int, south: int, north: int) -> list[tuple[str, Base]]:
        """Who may lie in part in a rectangle, in no order: everybody who does, and some who are next to it."""
        rows = self._rows
        some = rows[bisect_left(rows, (west - self._far,)) : bisect_left(rows, (east + self._far + 1,))]
        return [
            (unit, b)
            for x, unit, b, wide, deep in some
            if west - wide <= x <= east + wide and south - deep <= b[1] <= north + deep
        ]

    def touching(self, b: Base) -> list[str]:
        """Who touches a base, in no order; who stands in it does too."""
        x, y, facing, hw, hd = b
        wide, deep, _, _ = spans(facing, hw, hd)
        near = self.near(x - wide - 2, x + wide + 2, y - deep - 2, y + deep + 2)
        return [unit for unit, o in near if touches(o, b)]

    def contacts(self, order: Mapping[str, int]) -> Mapping[str, tuple[str, ...]]:
        """Unit on the table -> who touches it, in this order of all units; worked out for those moved since."""
        if self._moved:
            found = dict(self._contacts)
            for unit in self._moved:
                for other in found.pop(unit, ()):
                    if other in found:
                        found[other] = tuple(o for o in found[other] if o != unit)
            for unit in dict.fromkeys(self._moved):
                if unit in self.at:
                    touched = [other for other in self.touching(self.at[unit]) if other in found]
                    found[unit] = tuple(sorted(touched, key=order.__getitem__))
                    for other in touched:
                        found[other] = tuple(sorted((*found[other], unit), key=order.__getitem__))
            self._contacts, self._moved = found, ()
        return self._contacts


def _row(unit: str, b: Base) -> Row:
    wide, deep, _, _ = spans(b.facing, b.hw, b.hd)
    return b.x, unit, b, wide, deep
