"""What is known about where everybody stands: who is near, who touches whom, and whatever else has been worked out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Mapping
from typing import Any, TypeAlias

from pbem.rules.samurai.board import Board
from pbem.rules.samurai.geometry import Base, Four, spans, touches
from pbem.rules.samurai.paths import steps_over

__all__ = ["TOUCHING", "Known"]

TOUCHING = 2
"""Bases that touch are no farther apart than so along x, and along y."""

Row: TypeAlias = tuple[int, str, int, int, int, int, Four, Four, Base, str]
"""Where a base stands from the west to the east, whose it is, its edges in the south, north, west and east, where it
`lie`s, the base, its side."""


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

    __slots__ = ("_board", "_far", "_rows", "_xs", "at", "contacts", "doubled", "found", "lasting", "linked")

    def __init__(self, at: Mapping[str, Base], figures: Mapping[str, tuple[int, ...]], board: Board) -> None:
        self.at, self._board = at, board
        self.found: dict[object, Any] = {}
        self.linked: dict[object, Any] = {}
        self.lasting: dict[object, Any] = {}
        self.doubled = _doubled(figures)
        self._rows: list[Row] = sorted(self._row(unit, b) for unit, b in at.items())
        self._xs = [row[0] for row in self._rows]
        self._far = max((row[7][0] for row in self._rows), default=0)
        self.contacts: Mapping[str, tuple[str, ...]] = {unit: self._touching(unit, b) for unit, b in at.items()}

    def reduced(self, figures: Mapping[str, tuple[int, ...]]) -> Known:
        """What is known when units have so many figures left, or stand in another shape."""
        now = Known.__new__(Known)
        now.at, now._board, now._rows, now._xs, now._far = self.at, self._board, self._rows, self._xs, self._far
        now.found, now.linked, now.lasting = {}, {}, {}
        now.doubled, now.contacts = _doubled(figures), self.contacts
        return now

    def moved(self, unit: str, at: Mapping[str, Base]) -> Known:
        """What is known when one unit has come, gone or moved."""
        now, rows, xs = Known.__new__(Known), self._rows.copy(), self._xs.copy()
        now.at, now._board, now._rows, now._xs, now._far = at, self._board, rows, xs, self._far
        now.found, now.linked, now.lasting, now.doubled = {}, self.linked, self.lasting, self.doubled
        before, there = self.at.get(unit), at.get(unit)
        if before is not None:
            number = bisect_left(xs, before[0])
            while rows[number][1] != unit:
                number += 1
            del rows[number], xs[number]
        if there is not None:
            row, number = self._row(unit, there), bisect_left(xs, there[0])
            rows.insert(number, row)
            xs.insert(number, there[0])
            if row[7][0] > self._far:
                now._far = row[7][0]
        if before is None or there is None:
            now.lasting = {}
        touched, touching = self.contacts.get(unit), None if there is None else now._touching(unit, there)
        if touched == touching:
            now.contacts = self.contacts
        else:
            now.contacts, now.linked = self._contacts_with(unit, touching), {}
        return now

    def _contacts_with(self, unit: str, touching: tuple[str, ...] | None) -> Mapping[str, tuple[str, ...]]:
        """Who touches whom when one unit touches these, or is gone, and all others stand as they did."""
        found, order = dict(self.contacts), self._board.order
        for other in found.pop(unit, ()):
            found[other] = tuple(o for o in found[other] if o != unit)
        if touching is not None:
            found[unit] = touching
            for other in touching:
                found[other] = tuple(sorted((*found[other], unit), key=order.__getitem__))
        return found

    def _touching(self, unit: str, b: Base) -> tuple[str, ...]:
        """Who touches a unit that stands there, by id."""
        found = self.touching(b, unit)
        if len(found) > 1:
            found.sort(key=self._board.order.__getitem__)
        return tuple(found)

    def _row(self, unit: str, b: Base) -> Row:
        x, y, facing, hw, hd = b
        reach = wide, deep, _, _ = spans(facing, hw, hd)
        side = self._board.units[unit].side
        return x, unit, y - deep, y + deep, x - wide, x + wide, (x, y, x + y, x - y), reach, b, side

    def near(self, west: int, east: int, south: int, north: int, side: str = "") -> list[tuple[str, Base]]:
        """Who lies in part in a rectangle, of a side if one is named, in no order."""
        return [
            (row[1], row[8])
            for row in self._between(west, east)
            if row[2] <= north and row[3] >= south and row[4] <= east and row[5] >= west and side in ("", row[9])
        ]

    def _between(self, west: int, east: int) -> list[Row]:
        """Who may lie in part between two places from the west to the east."""
        xs, far = self._xs, self._far
        return self._rows[bisect_left(xs, west - far) : bisect_left(xs, east + far + 1)]

    def over(self, b: Base, but: Container[str] = ()) -> list[str]:
        """Who lies under a base, `but` these, in no order: `overlap` of each, without a call for each."""
        x, y, facing, hw, hd = b
        wide, deep, s, t = spans(facing, hw, hd)
        west, east, south, north = x - wide, x + wide, y - deep, y + deep
        near = [
            row
            for row in self._between(west, east)
            if row[2] < north and row[3] > south and row[4] < east and row[5] > west and row[1] not in but
        ]
        if not near:
            return []
        return [
            unit
            for _, unit, _, _, _, _, (_, _, its_s, its_t), (_, _, far_s, far_t), _, _ in near
            if abs(x + y - its_s) < s + far_s and abs(x - y - its_t) < t + far_t
        ]

    def ahead(self, mover: str, b: Base, way: int, steps: int, within: Four) -> list[tuple[int, str]]:
        """After which of so many steps in the direction of a facing a unit's base, which is `swept` over a rectangle,
        first lies over whom, in no order."""
        west, east, south, north = within
        near = [
            (row[1], row[6], row[7])
            for row in self._between(west, east)
            if row[2] < north and row[3] > south and row[4] < east and row[5] > west and row[1] != mover
        ]
        return [(h, unit) for h, _, unit in steps_over(b, way, 1, steps, near)] if near else []

    def touching(self, b: Base, but: str = "") -> list[str]:
        """Who touches a base, `but` this one, in no order; who stands in it does too."""
        x, y, facing, hw, hd = b
        wide, deep, _, _ = spans(facing, hw, hd)
        wide, deep = wide + TOUCHING, deep + TOUCHING
        west, east, south, north = x - wide, x + wide, y - deep, y + deep
        return [
            row[1]
            for row in self._between(west, east)
            if row[2] <= north and row[3] >= south and row[4] <= east and row[5] >= west
            if row[1] != but and touches(row[8], b)
        ]


def _doubled(figures: Mapping[str, tuple[int, ...]]) -> frozenset[str]:
    return frozenset(unit for unit, left in figures.items() if len(left) > 1 and all(left))
