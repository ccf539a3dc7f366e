"""What is known about where everybody stands: who is near, who touches whom, and whatever else has been worked out."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping
from typing import Any, TypeAlias

from pbem.rules.samurai.geometry import Base, spans, touches

__all__ = ["Known"]

Row: TypeAlias = tuple[int, str, Base, int, int, int, int]
"""Where a base stands from the west to the east, whose it is, the base, how far it reaches west, east, south, north."""


class Known:
    """What has been worked out about units that stand there, in that shape and with so many figures.

    What it tells stays so, and copies of a state share it; a state that changes gets another one, which takes over what
    a moved unit, or the loss of figures, leaves as it is.

    at          as in the state
    contacts    unit on the table -> who touches it, by `order`
    doubled     units that have two stands left
    found       question -> answer, filled by who asks;  lasting: of what stays so as long as units only move
    """

    __slots__ = ("_far", "_order", "_rows", "at", "contacts", "doubled", "found", "lasting")

    def __init__(
        self, at: Mapping[str, Base], figures: Mapping[str, tuple[int, ...]], order: Mapping[str, int]
    ) -> None:
        self.at, self._order = at, order
        self.found: dict[object, Any] = {}
        self.lasting: dict[object, Any] = {}
        self.doubled = _doubled(figures)
        self._rows: list[Row] = sorted(_row(unit, b) for unit, b in at.items())
        self._far = max((row[4] - row[0] for row in self._rows), default=0)
        self.contacts: Mapping[str, tuple[str, ...]] = {unit: self._touching(unit) for unit in at}

    def reduced(self, figures: Mapping[str, tuple[int, ...]]) -> Known:
        """What is known when units have so many figures left, or stand in another shape."""
        now = self._as_before(self.at)
        now.lasting, now.doubled = {}, _doubled(figures)
        return now

    def _as_before(self, at: Mapping[str, Base]) -> Known:
        now = Known.__new__(Known)
        now.at, now.found, now.lasting, now.doubled = at, {}, self.lasting, self.doubled
        now.contacts, now._order, now._rows, now._far = self.contacts, self._order, self._rows, self._far
        return now

    def moved(self, unit: str, at: Mapping[str, Base]) -> Known:
        """What is known when one unit has come, gone or moved."""
        now, rows = self._as_before(at), self._rows.copy()
        if unit in self.at:
            del rows[bisect_left(rows, (self.at[unit].x, unit))]
        if unit in at:
            row = _row(unit, at[unit])
            insort(rows, row)
            now._far = max(self._far, row[4] - row[0])
        if len(rows) != len(self._rows):
            now.lasting = {}
        now._rows = rows
        now.contacts = now._contacts_since(self.contacts, unit)
        return now

    def _contacts_since(self, before: Mapping[str, tuple[str, ...]], unit: str) -> Mapping[str, tuple[str, ...]]:
        """Who touches whom, as it was but for one unit."""
        found = dict(before)
        for other in found.pop(unit, ()):
            found[other] = tuple(o for o in found[other] if o != unit)
        if unit in self.at:
            found[unit] = self._touching(unit)
            for other in found[unit]:
                found[other] = tuple(sorted((*found[other], unit), key=self._order.__getitem__))
        return found

    def _touching(self, unit: str) -> tuple[str, ...]:
        """Who touches a unit, by id."""
        return tuple(sorted((o for o in self.touching(self.at[unit]) if o != unit), key=self._order.__getitem__))

    def near(self, west: int, east: int, south: int, north: int) -> list[tuple[str, Base]]:
        """Who may lie in part in a rectangle, in no order: everybody who does, and some who are next to it."""
        rows = self._rows
        some = rows[bisect_left(rows, (west - self._far,)) : bisect_left(rows, (east + self._far + 1,))]
        return [
            (unit, b)
            for _, unit, b, least_x, most_x, least_y, most_y in some
            if least_y <= north and most_y >= south and least_x <= east and most_x >= west
        ]

    def touching(self, b: Base) -> list[str]:
        """Who touches a base, in no order; who stands in it does too."""
        x, y, facing, hw, hd = b
        wide, deep, _, _ = spans(facing, hw, hd)
        near = self.near(x - wide - 2, x + wide + 2, y - deep - 2, y + deep + 2)
        return [unit for unit, o in near if touches(o, b)]


def _doubled(figures: Mapping[str, tuple[int, ...]]) -> frozenset[str]:
    return frozenset(unit for unit, left in figures.items() if len(left) > 1 and all(left))


def _row(unit: str, b: Base) -> Row:
    x, y, facing, hw, hd = b
    wide, deep, _, _ = spans(facing, hw, hd)
    return x, unit, b, x - wide, x + wide, y - deep, y + deep
