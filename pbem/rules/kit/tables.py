"""Results tables by rows and ranges, and the numbers of terrain charts, read from data; all defects at once."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pbem.errors import Defects, shown, stands
from pbem.records import NamedTuple
from pbem.rules.fates import result_words
from pbem.rules.kit.throws import runs

__all__ = ["ResultsTable", "number", "read_results"]


class ResultsTable(NamedTuple):
    """A results table: rows and columns are ranges of numbers without a gap.

    headings     the columns as printed;  rows, columns    the least number of each; the first serves for all below, too
    """

    headings: tuple[str, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    cells: tuple[tuple[str, ...], ...]

    def column(self, number: int, shift: int = 0) -> int:
        """The column of a number after a shift; it stops at the table's ends."""
        plain = max(bisect(self.columns, number) - 1, 0)
        return min(max(plain + shift, 0), len(self.columns) - 1)

    def cell(self, total: int, column: int) -> str:
        """The cell of a roll in a column; beyond the table its first or last row serves."""
        return self.cells[max(bisect(self.rows, total) - 1, 0)][column]

    def result(self, total: int, number: int) -> str:
        """The cell of a roll in the column of a number."""
        return self.cell(total, self.column(number))

    def by_throw(self, column: int, add: int = 0) -> str:
        """What two dice bring in a column, so much added to them: `no effect (2 to 5), D (6 to 9), DD (10 to 12)`."""
        return runs(range(2, 13), lambda total: result_words(self.cell(total + add, column)))


def read_results(
    table: Mapping[str, Any], where: str, keys: tuple[str, str], results: Collection[str], defects: Defects
) -> ResultsTable:
    """A results table of a tables file; whatever is wrong with it goes into `defects`, keys that nobody reads too.

    `keys` are those of its rows (heading -> cells) and of its columns (headings). Headings are `2`, `3-4`, `-3..-2`, in
    front `<=1`, at the end `13+` or `>=13`; each begins where the one before ends, and the last column is open.
    """
    table = defects.keys(table, (*keys, "given", "provenance"), where)
    rows = defects.block(table, keys[0], where)
    listed = table.get(keys[1])
    headings = tuple(map(str, listed)) if isinstance(listed, list) else ()
    cells = []
    for key, row in rows.items():
        cells.append(tuple(map(str, row)) if isinstance(row, list) else ())
        if len(cells[-1]) != len(headings):
            defects.wrong(f"{where} row {key}", f"has {len(cells[-1])} cells", f"there are {len(headings)} columns")
        for cell in cells[-1]:
            if cell not in results:
                right = f"results are {', '.join(results)}"
                defects.wrong(f"{where} row {key}", f"{shown(cell)} is no result", right)
    return ResultsTable(
        headings,
        _starts([*map(str, rows)], f"{where}.{keys[0]}", defects),
        _starts(headings, f"{where}.{keys[1]}", defects, open_end=True),
        tuple(cells),
    )


def number(
    line: Mapping[str, Any], key: str, where: str, defects: Defects, least: int = -99, blanks: Collection[str] = ("--",)
) -> int | None:
    """A whole number of a chart, from `least` to 99, with or without a sign; None where one of `blanks` stands."""
    text = str(line.get(key))
    if re.fullmatch(r"[+-]?[0-9]{1,2}", text) and int(text) >= least:
        return int(text)
    if text not in blanks:
        words = " or ".join(f"`{word}`" for word in blanks)
        right = f"write a number from {least} to 99" + (f", or {words}" if words else "")
        defects.wrong(f"{where}.{key}", stands(line.get(key)), right)
    return None


def _starts(headings: Sequence[str], where: str, defects: Defects, *, open_end: bool = False) -> tuple[int, ...]:
    """The least number of each row or column; of one that is open below the greatest."""
    starts: list[int] = []
    end: int | None = None
    for i, heading in enumerate(headings):
        least, most = span = _span(heading)
        last = i == len(headings) - 1
        if (
            span == (None, None)
            or (least is None and i)
            or (most is None and not last)
            or (open_end and last and most is not None)
        ):
            right = "write `<=1` or `1-2` first, `2`, `3-4` or `-3..-2` then, `13+` or `>=13` last"
            defects.wrong(where, f"{shown(heading)} can't stand there", right)
        begin = least if least is not None else most
        if begin is not None and end is not None and begin != end + 1:
            defects.wrong(where, f"{shown(heading)} doesn't follow {end}", "each number follows the one before")
        starts.append(begin or 0)
        end = most
    if not headings:
        defects.wrong(where, "is missing", "write the numbers of the printed table")
    return tuple(starts)


def _span(heading: str) -> tuple[int | None, int | None]:
    """The least and the greatest number of a range, None where it is open; both are when it can't be read."""
    number = r"[+-]?[0-9]{1,3}"
    if match := re.fullmatch(f"<=({number})", heading):
        return None, int(match[1])
    if match := re.fullmatch(rf">=({number})|({number})\+", heading):
        return int(match[1] or match[2]), None
    if match := re.fullmatch(rf"({number})(?:\.\.({number})|-([0-9]{{1,3}}))?", heading):
        return int(match[1]), int(match[2] or match[3] or match[1])
    return None, None
