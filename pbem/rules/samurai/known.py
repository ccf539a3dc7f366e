"""What is known about where everybody stands: who is near, who touches whom, and whatever else has been worked out."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping
from typing import Any, TypeAlias

from pbem.rules.samurai.geometry import DIRECTIONS, Base, Four, spans, touches
from pbem.rules.samurai.paths import steps_over

__all__ = ["TOUCHING", "Known"]

TOUCHING = 2
"""Bases that touch are no farther apart than so along x, and along y."""

Row: TypeAlias = tuple[int, str, Base, int, int, int, int, int, Four, Four]
"""Where a base stands from the west to the east, whose it is, the base, how far from the south it stands, how far it
reaches from its centre along x, y, s and t; where it stands along these four, and how far it reaches, once more."""


class Known:
    """What has been worked out about units that stand there, in that shape and with so many figures.

    What it tells stays so, and copies of a state share it; a state that changes gets another one, which takes over what
    a moved unit, or the loss of figures, leaves as it is.

    at          as in the state
    contacts    unit on the table -> who touches it, by `order`
    doubled     units that have two stands left
    found       question -> answer, filled by who asks;  linked: of what stays so as long as the same touch each other;
                lasting: of what stays so as long as units only move
    """

    __slots__ = ("_far", "_order", "_rows", "at", "contacts", "doubled", "found", "lasting", "linked")

    def __init__(
        self, at: Mapping[str, Base], figures: Mapping[str, tuple[int, ...]], order: Mapping[str, int]
    ) -> None:
        self.at, self._order = at, order
        self.found: dict[object, Any] = {}
        self.linked: dict[object, Any] = {}
        self.lasting: dict[object, Any] = {}
        self.doubled = _doubled(figures)
        self._rows: list[Row] = sorted(_row(unit, b) for unit, b in at.items())
        self._far = max((row[4] for row in self._rows), default=0)
        self.contacts: Mapping[str, tuple[str, ...]] = {unit: self._touching(unit) for unit in at}

    def reduced(self, figures: Mapping[str, tuple[int, ...]]) -> Known:
        """What is known when units have so many figures left, or stand in another shape."""
        now = self._as_before(self.at)
        now.linked, now.lasting, now.doubled = {}, {}, _doubled(figures)
        return now

    def _as_before(self, at: Mapping[str, Base]) -> Known:
        now = Known.__new__(Known)
        now.at, now.found, now.linked, now.lasting, now.doubled = at, {}, self.linked, self.lasting, self.doubled
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
            now._far = max(self._far, row[4])
        if len(rows) != len(self._rows):
            now.lasting = {}
        now._rows = rows
        now.contacts = now._contacts_since(self.contacts, unit)
        if now.contacts is not self.contacts:
            now.linked = {}
        return now

    def _contacts_since(self, before: Mapping[str, tuple[str, ...]], unit: str) -> Mapping[str, tuple[str, ...]]:
        """Who touches whom, as it was but for one unit."""
        touched, touching = before.get(unit), self._touching(unit) if unit in self.at else None
        if touched == touching:
            return before
        found = dict(before)
        for other in found.pop(unit, ()):
            found[other] = tuple(o for o in found[other] if o != unit)
        if touching is not None:
            found[unit] = touching
            for other in touching:
                found[other] = tuple(sorted((*found[other], unit), key=self._order.__getitem__))
        return found

    def _touching(self, unit: str) -> tuple[str, ...]:
        """Who touches a unit, by id."""
        found = self.touching(self.at[unit], unit)
        if len(found) > 1:
            found.sort(key=self._order.__getitem__)
        return tuple(found)

    def near(self, west: int, east: int, south: int, north: int) -> list[tuple[str, Base]]:
        """Who may lie in part in a rectangle, in no order: everybody who does, and some who are next to it."""
        return [
            (unit, b)
            for x, unit, b, y, wide, deep, _, _, _, _ in self._between(west, east)
            if y - deep <= north and y + deep >= south and x - wide <= east and x + wide >= west
        ]

    def _between(self, west: int, east: int) -> list[Row]:
        """Who may lie in part between two places from the west to the east."""
        rows, far = self._rows, self._far
        return rows[bisect_left(rows, (west - far,)) : bisect_left(rows, (east + far + 1,))]

    def over(self, b: Base) -> list[str]:
        """Who lies under a base, in no order: `overlap` of each, without a call for each."""
        x, y, facing, hw, hd = b
        wide, deep, s, t = spans(facing, hw, hd)
        return [
            unit
            for ox, unit, _, oy, its_wide, its_deep, its_s, its_t, _, _ in self._between(x - wide, x + wide)
            if -deep - its_deep < y - oy < deep + its_deep
            and -wide - its_wide < x - ox < wide + its_wide
            and -s - its_s < x - ox + y - oy < s + its_s
            and -t - its_t < x - ox - y + oy < t + its_t
        ]

    def ahead(self, mover: str, b: Base, way: int, steps: int) -> list[tuple[int, str]]:
        """After which of so many steps in the direction of a facing a unit's base first lies over whom, in no order."""
        x, y, facing, hw, hd = b
        (dx, dy), (wide, deep, _, _) = DIRECTIONS[way], spans(facing, hw, hd)
        south, north = y - deep + min(steps * dy, 0), y + deep + max(steps * dy, 0)
        rows = self._between(x - wide + min(steps * dx, 0), x + wide + max(steps * dx, 0))
        near = [row for row in rows if south - row[5] < row[3] < north + row[5] and row[1] != mover]
        if not near:
            return []
        return [(h, unit) for h, _, unit in steps_over(b, way, 1, steps, [(row[1], row[8], row[9]) for row in near])]

    def touching(self, b: Base, but: str = "") -> list[str]:
        """Who touches a base, `but` this one, in no order; who stands in it does too."""
        x, y, facing, hw, hd = b
        wide, deep, _, _ = spans(facing, hw, hd)
        wide, deep = wide + TOUCHING, deep + TOUCHING
        return [
            unit
            for ox, unit, o, oy, its_wide, its_deep, _, _, _, _ in self._between(x - wide, x + wide)
            if abs(y - oy) <= deep + its_deep and abs(x - ox) <= wide + its_wide and unit != but and touches(o, b)
        ]


def _doubled(figures: Mapping[str, tuple[int, ...]]) -> frozenset[str]:
    return frozenset(unit for unit, left in figures.items() if len(left) > 1 and all(left))


def _row(unit: str, b: Base) -> Row:
    x, y, facing, hw, hd = b
    reach = spans(facing, hw, hd)
    return x, unit, b, y, *reach, (x, y, x + y, x - y), reach
