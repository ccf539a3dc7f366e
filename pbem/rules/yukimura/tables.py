"""The tables printed on the maps, read from data: firing results, hand-to-hand results, terrain effects (2-1-4)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from pbem.errors import Defects

__all__ = ["Chart", "Effect", "ResultsTable", "Tables", "read_tables"]

FIRING_RESULTS = ("-", "0", "1", "2", "3", "4", "E")  # 9-2-1
HAND_TO_HAND_RESULTS = ("AE", "A4", "A3", "A2", "A1", "B1", "D1", "D2", "D3", "D4", "DE")  # 10-3-1
ROWS = tuple(str(roll) for roll in range(2, 13))

HEXES = ("flat", "marsh", "mountain", "mound", "road", "large_river")  # 12-1
HEXSIDES = ("small_river", "impassable")  # 12-2


class ResultsTable(NamedTuple):
    """A results table: a row for each sum of two dice, columns for ranges of a strength or difference.

    `starts[i]` is the least number of column i; the first column serves for all that is less, too.
    """

    headings: tuple[str, ...]
    starts: tuple[int, ...]
    cells: tuple[tuple[str, ...], ...]

    def column(self, number: int, shift: int = 0) -> int:
        """The column of a strength or difference after a shift, which stops at the table's ends (R96)."""
        plain = max((i for i, least in enumerate(self.starts) if least <= number), default=0)
        return min(max(plain + shift, 0), len(self.starts) - 1)

    def result(self, total: int, column: int) -> str:
        """The cell of a sum of two dice in a column."""
        return self.cells[total - 2][column]


class Effect(NamedTuple):
    """A line of the terrain effects chart.

    `mp` is the cost of the hex, or the surcharge of the hexside; None where there is none or no way. `shift` is the
    number of columns by which the side is favoured that the terrain favours.
    """

    mp: int | None
    shift: int


class Chart(NamedTuple):
    """The terrain effects chart: what fills hexes and what lies on hexsides (12.a)."""

    terrain: Mapping[str, Effect]
    sides: Mapping[str, Effect]


class Tables(NamedTuple):
    """All tables of a scenario."""

    firing: ResultsTable
    hand_to_hand: ResultsTable
    chart: Chart


def read_tables(data: Mapping[str, Any], defects: Defects) -> Tables:
    """The tables of a tables file; whatever is wrong with them goes into `defects`."""
    return Tables(
        firing=_results(data, "firing_results_table", "columns_combat_strength", FIRING_RESULTS, defects),
        hand_to_hand=_results(
            data, "hand_to_hand_results_table", "columns_strength_difference", HAND_TO_HAND_RESULTS, defects
        ),
        chart=_chart(data, defects),
    )


def _results(
    data: Mapping[str, Any], name: str, columns_key: str, results: Collection[str], defects: Defects
) -> ResultsTable:
    where = f"tables.{name}"
    table = defects.block(data, name, "tables")
    columns = table.get(columns_key)
    headings = tuple(map(str, columns)) if isinstance(columns, list) else ()
    starts = _starts(headings, f"{where}.{columns_key}", defects)
    rows = defects.block(table, "rows_2d6", where)
    if tuple(map(str, rows)) != ROWS:
        defects.wrong(f"{where}.rows_2d6", f"has the rows {', '.join(map(str, rows))}", "write 2 to 12 in order")
    cells = []
    for key, row in rows.items():
        cells.append(tuple(map(str, row)) if isinstance(row, list) else ())
        if len(cells[-1]) != len(headings):
            defects.wrong(f"{where} row {key}", f"has {len(cells[-1])} cells", f"there are {len(headings)} columns")
        for cell in cells[-1]:
            if cell not in results:
                defects.wrong(f"{where} row {key}", f"{cell!r} is no result", f"results are {', '.join(results)}")
    return ResultsTable(headings, starts, tuple(cells))


def _starts(headings: tuple[str, ...], where: str, defects: Defects) -> tuple[int, ...]:
    """The least number of each column; headings are `1-2`, `-3..-2`, `0`, `<=-4`, `>=+6` or `13+`, without a hole."""
    starts: list[int] = []
    end: int | None = None
    for i, heading in enumerate(headings):
        span = _span(heading)
        open_low, open_high = i == 0, i == len(headings) - 1
        if span is None or (span[0] is None and not open_low) or (span[1] is None) != open_high:
            defects.wrong(where, f"{heading!r} can't stand there", "write `<=-4` or `1-2` first, `13+` or `>=+6` last")
            return tuple(range(len(headings)))
        least = span[0] if span[0] is not None else span[1]
        if least is None or (end is not None and least != end + 1):
            defects.wrong(where, f"{heading!r} doesn't follow {end}", "each column begins where the one before ends")
            return tuple(range(len(headings)))
        starts.append(least)
        end = span[1]
    if not starts:
        defects.wrong(where, "is missing", "write the headings of the printed table")
    return tuple(starts)


def _span(heading: str) -> tuple[int | None, int | None] | None:
    """The least and the greatest number of a column, None where it is open; None when it can't be read."""
    number = r"[+-]?[0-9]{1,2}"
    if match := re.fullmatch(f"<=({number})", heading):
        return None, int(match[1])
    if match := re.fullmatch(rf">=({number})|([0-9]{{1,2}})\+", heading):
        return int(match[1] or match[2]), None
    if match := re.fullmatch(rf"({number})(?:\.\.({number})|-([0-9]{{1,2}}))?", heading):
        return int(match[1]), int(match[2] or match[3] or match[1])
    return None


def _chart(data: Mapping[str, Any], defects: Defects) -> Chart:
    found: dict[str, dict[str, Effect]] = {"hex": {}, "hexside": {}}
    for where, line in defects.items(data, "terrain_effects_chart", "tables"):
        name = defects.text(line, "terrain", where)
        kind = str(line.get("where"))
        if kind not in found:
            defects.wrong(f"{where}.where", f"is {kind!r}", "write `hex` or `hexside`")
            continue
        found[kind][name] = Effect(
            _number(line, "mp", f"{where} ({name})", defects), _number(line, "shift", f"{where} ({name})", defects) or 0
        )
    for kind, names in (("hex", HEXES), ("hexside", HEXSIDES)):
        for name in names:
            if name not in found[kind]:
                defects.wrong("tables.terrain_effects_chart", f"the {kind} {name} is missing", "the rules name it")
                found[kind][name] = Effect(1, 0)
    return Chart(found["hex"], found["hexside"])


def _number(line: Mapping[str, Any], key: str, where: str, defects: Defects) -> int | None:
    """A number of the chart; None for `--`, nothing of its own, and `no`, not allowed."""
    text = str(line.get(key))
    if re.fullmatch(r"\+?[0-9]", text):
        return int(text)
    if text not in ("--", "no"):
        defects.wrong(f"{where}.{key}", f"is {text!r}", "write a number, `--` or `no`")
    return None
