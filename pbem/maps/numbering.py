"""Hex numbers: how a map's "2411" or "N4422" stands for a hex, read from the map file's `numbering` block.

The block's keys (all but `first` and `shifted` may be left out):

    first: row | column      what the first two digits count
    rows: from south | from north (default)       columns always count from the west
    shifted: even | odd      the lines half a hex further: rows to the east (pointy), columns to the south (flat)
    sheets: [{prefix: S, rows: [1, 34], columns: [1, 58], shifted: [1, 33], row_offset: 23, column_offset: 0}, ...]
                             for maps made of several sheets; a number is prefix + digits, counted from the sheet's
                             own corner: map row = row on the sheet + row_offset. The first sheet with a hex names it.
                             `shifted`: what the shifted columns have for rows (pointy: the shifted rows for columns),
                             where the sheet's straight edges leave them one hex less than the others
    origin: [q, r]           moves the whole grid, so that two maps of one game share no hex (both even)

Numbers may be written as text, as the reader of map files gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Literal

from pbem.errors import Defect, stands, unknown_keys
from pbem.maps.hexes import Hex, pack, unpack
from pbem.records import NamedTuple
from pbem.words import closest

__all__ = ["KEYS", "NUMBER", "Cell", "Numbering", "Sheet"]

NUMBER = re.compile("([A-Za-z]*)([0-9]{2})([0-9]{2})")
"""How a hex number is written, whatever the map."""

Layout = Literal["pointy", "flat"]


class Cell(NamedTuple):
    """A place in the map's rows of letters: its row and column, numbered as the map numbers them."""

    row: int
    column: int


class Sheet(NamedTuple):
    """One sheet of a map: the prefix of its numbers, its own rows and columns, and where they lie on the whole map."""

    prefix: str = ""
    rows: tuple[int, int] = (0, 99)
    columns: tuple[int, int] = (0, 99)
    row_offset: int = 0
    column_offset: int = 0
    shifted: tuple[int, int] | None = None


class Numbering(NamedTuple):
    """Turns numbers into cells and hexes and back; arithmetic only, it doesn't know which hexes the map has."""

    layout: Layout
    row_first: bool
    rows_from_south: bool
    shifted_even: bool
    sheets: tuple[Sheet, ...] = (Sheet(),)
    origin: tuple[int, int] = (0, 0)

    def hex_at(self, cell: Cell) -> Hex:
        """The hex of a cell."""
        down = -cell.row if self.rows_from_south else cell.row
        even = 1 if self.shifted_even else 0
        if self.layout == "pointy":
            r = down + even
            q = cell.column + (r % 2 - r) // 2
        else:
            q = cell.column + even
            r = down + (q % 2 - q) // 2
        return pack(q + self.origin[0], r + self.origin[1])

    def row(self, row: int, width: int) -> list[Hex]:
        """The hexes of the first cells of a row, so many, as `hex_at` has each of them."""
        (q, r), even = self.origin, 1 if self.shifted_even else 0
        if self.layout == "pointy":
            first = self.hex_at(Cell(row, 1))
            return [Hex(first + aside) for aside in range(width)]
        down = (-row if self.rows_from_south else row) + r
        return [pack(c + q, down + (c % 2 - c) // 2) for c in range(1 + even, width + 1 + even)]

    def cell_of(self, h: Hex) -> Cell:
        """The cell of a hex."""
        q, r = unpack(h)
        q, r = q - self.origin[0], r - self.origin[1]
        even = 1 if self.shifted_even else 0
        if self.layout == "pointy":
            down, column = r - even, q - (r % 2 - r) // 2
        else:
            down, column = r - (q % 2 - q) // 2, q - even
        return Cell(-down if self.rows_from_south else down, column)

    def label(self, h: Hex) -> str:
        """The number of a hex, "2411"; where no sheet has it something that is no number."""
        return self.label_of(self.cell_of(h))

    def label_of(self, cell: Cell) -> str:
        """The same of a cell."""
        return self.number(cell) or f"{cell.row:+d},{cell.column:+d}"

    def number(self, cell: Cell) -> str:
        """The number of a cell, the first sheet's where several have it; empty where none has."""
        for sheet in self.sheets:
            if self.has(sheet, cell):
                row, column = cell.row - sheet.row_offset, cell.column - sheet.column_offset
                return sheet.prefix + (f"{row:02}{column:02}" if self.row_first else f"{column:02}{row:02}")
        return ""

    def has(self, sheet: Sheet, cell: Cell) -> bool:
        """Whether a cell lies on a sheet."""
        _, rows, columns, down, aside, shifted = sheet
        row, column = cell.row - down, cell.column - aside
        if shifted is not None and self.is_shifted(cell):
            rows, columns = (rows, shifted) if self.layout == "pointy" else (shifted, columns)
        return rows[0] <= row <= rows[1] and columns[0] <= column <= columns[1]

    def cell(self, text: str) -> Cell | None:
        """The cell that a number stands for; None when it isn't written as this map writes numbers."""
        match = NUMBER.fullmatch(text)
        if match is None:
            return None
        first, second = int(match[2]), int(match[3])
        row, column = (first, second) if self.row_first else (second, first)
        prefix = match[1].upper()
        for sheet in self.sheets:
            if sheet.prefix == prefix:
                cell = Cell(row + sheet.row_offset, column + sheet.column_offset)
                if self.has(sheet, cell):
                    return cell
        return None

    def pattern(self) -> str:
        """The way numbers are written, for messages: "RRCC (row from the south, column from the west)"."""
        row, column = f"row from the {'south' if self.rows_from_south else 'north'}", "column from the west"
        told = f"RRCC ({row}, {column})" if self.row_first else f"CCRR ({column}, {row})"
        prefixes = [sheet.prefix for sheet in self.sheets if sheet.prefix]
        start = f"{' or '.join(prefixes)} + " if prefixes else ""
        return f"{start}{told}"

    def is_shifted(self, cell: Cell) -> bool:
        """True when the cell's line stands half a hex further than its neighbours."""
        line = cell.row if self.layout == "pointy" else cell.column
        return (line % 2 == 0) == self.shifted_even

    @classmethod
    def from_data(cls, layout: Layout, data: Mapping[str, object]) -> tuple[list[Numbering], list[Defect]]:
        """The numbering block of a map file, and what is wrong with it.

        When nothing is, there is one numbering; else there are all that may be meant, the likeliest first, which serve
        to read on.
        """
        wrong = [*_wrong(data)]
        sheets, origin = data.get("sheets"), data.get("origin", [0, 0])
        may_be = [_may_be(data, key) for key in _CHOICES]
        return [
            cls(
                layout,
                row_first=first == "row",
                rows_from_south=rows == "from south",
                shifted_even=shifted == "even",
                sheets=tuple(map(_sheet, sheets)) if isinstance(sheets, list) and sheets else (Sheet(),),
                origin=_pair(origin) if _is_pair(origin, even=True) else (0, 0),
            )
            for first, rows, shifted in product(*may_be)
        ], wrong


_CHOICES = {"first": ("row", "column"), "rows": ("from south", "from north"), "shifted": ("even", "odd")}
KEYS = (*_CHOICES, "sheets", "origin", "provenance")
"""The keys of a numbering block, unknown ones left to the reader of map files."""
_SHEET = (
    "{prefix: LETTERS, rows: [FROM, TO], columns: [FROM, TO], shifted: [FROM, TO], row_offset: NUMBER, "
    "column_offset: NUMBER}"
)
_RANGES = ("rows", "columns", "shifted")
_SHEETS_MAX = 50
_NUMBER = "-?[0-9]{1,4}"


def _may_be(data: Mapping[str, object], key: str) -> list[str]:
    """What stands under a key of the numbering; where it can't be read all that may be meant, the nearest first."""
    value = data.get(key, "from north" if key == "rows" else None)
    if isinstance(value, str) and value in _CHOICES[key]:
        return [value]
    near = closest(str(value), _CHOICES[key]) or _CHOICES[key][0]
    return sorted(_CHOICES[key], key=near.__ne__)


def _wrong(data: Mapping[str, object]) -> Iterator[Defect]:
    for key, allowed in _CHOICES.items():
        value = data.get(key, "from north" if key == "rows" else None)
        if value not in allowed:
            yield Defect(f"numbering.{key}", stands(value), f"it must be one of: {', '.join(allowed)}")
    if not _is_pair(data.get("origin", [0, 0]), even=True):
        yield Defect("numbering.origin", stands(data["origin"]), "write two even numbers [q, r]")
    sheets = data.get("sheets", [{}])
    if not isinstance(sheets, list) or not 1 <= len(sheets) <= _SHEETS_MAX:
        yield Defect("numbering.sheets", stands(sheets), f"list {_SHEET}, {_SHEETS_MAX} at most")
        return
    for i, sheet in enumerate(sheets, 1):
        if isinstance(sheet, Mapping):
            yield from unknown_keys(sheet, Sheet._fields, f"numbering.sheets {i}")
        if not _is_sheet(sheet):
            yield Defect(f"numbering.sheets {i}", stands(sheet), f"write {_SHEET}")


def _is_pair(value: object, *, even: bool = False) -> bool:
    return (
        isinstance(value, list) and len(value) == 2 and all(_is_number(n) and not (even and int(n) % 2) for n in value)
    )


def _is_number(value: object) -> bool:
    written = isinstance(value, str) and re.fullmatch(_NUMBER, value) is not None
    return (written or type(value) is int) and -1000 <= int(str(value)) <= 1000


def _is_sheet(value: object) -> bool:
    return (
        isinstance(value, Mapping)
        and re.fullmatch("[A-Z]{0,9}", str(value.get("prefix", ""))) is not None
        and all(_is_pair(value.get(key, [0, 99])) for key in _RANGES)
        and all(_is_number(value.get(key, 0)) for key in ("row_offset", "column_offset"))
    )


def _pair(value: Any) -> tuple[int, int]:
    return int(value[0]), int(value[1])


def _sheet(value: object) -> Sheet:
    """A sheet from its data; what can't be read of it is as if it weren't there."""
    data = value if isinstance(value, Mapping) else {}
    prefix = str(data.get("prefix", "")).upper()
    pairs = {key: _pair(data[key]) for key in _RANGES if _is_pair(data.get(key))}
    numbers = {key: int(data[key]) for key in ("row_offset", "column_offset") if _is_number(data.get(key))}
    known: dict[str, Any] = {**pairs, **numbers, "prefix": prefix if re.fullmatch("[A-Z]{0,9}", prefix) else ""}
    return Sheet()._replace(**known)
