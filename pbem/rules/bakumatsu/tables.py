"""The tables printed on the map, read from data: fire results, melee results, terrain effects (2-1-2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from pbem.errors import Defects, shown

__all__ = ["BARRIERS", "Chart", "Effect", "ResultsTable", "Tables", "read_tables"]

BARRIERS = frozenset({"river", "pond"})
"""Hexsides that stop movement, ZOC, melee and retreat: 3-2(2), 8-1(2)2, 10-2(1)b, 11(1)3."""

FIRE_RESULTS = ("-", "D", "DD")  # 9-2(5)
MELEE_RESULTS = ("-", *(f"M{x}" for x in range(10)))  # 10-2(6)


class ResultsTable(NamedTuple):
    """A results table; rows are modified rolls, columns strengths or differences, both without gaps."""

    first_row: int
    first_column: int
    cells: tuple[tuple[str, ...], ...]

    def result(self, total: int, column: int) -> str:
        """The cell of a modified roll; beyond the table its last row or column serves."""
        row = min(max(total - self.first_row, 0), len(self.cells) - 1)  # 9-2(5)0a, 10-2(6)0
        cells = self.cells[row]
        return cells[min(max(column - self.first_column, 0), len(cells) - 1)]


class Effect(NamedTuple):
    """A line of the terrain effects chart; `mp` is None for "--" and for sides that can't be crossed.

    `fire_from` is the modifier for a main firing unit that stands there (9-2(4)2).
    """

    mp: int | None
    fire: int
    melee: int
    fire_from: int = 0


class Chart(NamedTuple):
    """The terrain effects chart: what fills hexes and what lies on hexsides (2-1-1(0)b)."""

    terrain: Mapping[str, Effect]
    sides: Mapping[str, Effect]


class Tables(NamedTuple):
    """All tables of a scenario."""

    fire: ResultsTable
    melee: ResultsTable
    chart: Chart


def read_tables(data: Mapping[str, Any], defects: Defects) -> Tables:
    """The tables of a tables file; whatever is wrong with them goes into `defects`."""
    fire = defects.block(data, "fire_results_table", "tables")
    melee = defects.block(data, "melee_results_table", "tables")
    return Tables(
        fire=_results(fire, "fire_results_table", "columns_total_fire_strength", FIRE_RESULTS, defects),  # 2-1-2.1
        melee=_results(melee, "melee_results_table", "columns_strength_difference", MELEE_RESULTS, defects),  # 2-1-2.2
        chart=_chart(data, defects),
    )


def _results(
    data: Mapping[str, Any], name: str, columns_key: str, results: Collection[str], defects: Defects
) -> ResultsTable:
    where = f"tables.{name}"
    rows = defects.block(data, "rows_modified_2d6", where)
    columns = data.get(columns_key)
    first_row = _axis(list(rows), f"{where}.rows_modified_2d6", defects)
    first_column = _axis(columns, f"{where}.{columns_key}", defects)
    width = len(columns) if isinstance(columns, list) else 0
    cells = []
    for key, row in rows.items():
        cells.append(tuple(map(str, row)) if isinstance(row, list) else ())
        if len(cells[-1]) != width:
            defects.wrong(f"{where} row {key}", f"has {len(cells[-1])} cells", f"there are {width} columns")
        for cell in cells[-1]:
            if cell not in results:
                defects.wrong(f"{where} row {key}", f"{cell!r} is no result", f"results are {', '.join(results)}")
    return ResultsTable(first_row, first_column, tuple(cells) or (("-",),))


def _axis(keys: object, where: str, defects: Defects) -> int:
    """The first number of an axis whose keys (`<=1`, `2`, ..., `>=13` or `10+`) must follow one another."""
    numbers = []
    for key in keys if isinstance(keys, list) else []:
        match = re.fullmatch(r"(?:<=|>=)?([+-]?[0-9]{1,3})\+?", str(key))
        if match is None:
            defects.wrong(where, f"{key!r} is no number", "write `<=1`, `2`, ... `>=13`")
        else:
            numbers.append(int(match[1]))
    if not numbers:
        defects.wrong(where, "is missing", "write the numbers of the printed table")
        return 0
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        defects.wrong(where, f"goes {numbers}", "each number follows the one before")
    return numbers[0]


def _chart(data: Mapping[str, Any], defects: Defects) -> Chart:
    terrain: dict[str, Effect] = {}
    sides: dict[str, Effect] = {}
    for where, line in defects.items(data, "terrain_effects_chart", "tables"):
        name = defects.text(line, "terrain", where)
        if str(line.get("where", "")).startswith("hex side"):
            side = name.removesuffix("_side")
            sides[side] = _side(line, side, f"{where} ({name})", defects)
        elif name == "road":
            terrain[name] = Effect(None, 0, 0)  # its cost is the rulebook's: 8-1(1)3, 8-1(2)3, 8-2(1)
        else:
            terrain[name] = Effect(
                None if line.get("mp") == "--" else defects.number(line.get("mp"), f"{where} ({name}).mp", 1),
                _modifier(line, "fire", f"{where} ({name})", defects),
                _modifier(line, "melee", f"{where} ({name})", defects),
                _modifier({"fire-from": "--", **line}, "fire-from", f"{where} ({name})", defects),
            )
    for kind in sorted(BARRIERS - set(sides)):
        defects.wrong("tables.terrain_effects_chart", f"{kind}_side is missing", "the rules name it")
    return Chart(terrain, sides)


def _side(line: Mapping[str, Any], kind: str, where: str, defects: Defects) -> Effect:
    """A hexside: `mp` is the surcharge, `+1`."""
    fire = _modifier(line, "fire", where, defects)
    if kind in BARRIERS:
        return Effect(None, fire, 0)  # 8-1(2)2
    match = re.match(r"\+([0-9]{1,2})(?![0-9])", str(line.get("mp")))
    if match is None:
        defects.wrong(f"{where}.mp", f"is {shown(line.get('mp'))}", "write the surcharge, `+1`")
    return Effect(int(match[1]) if match else 0, fire, _modifier(line, "melee", where, defects))


def _modifier(line: Mapping[str, Any], key: str, where: str, defects: Defects) -> int:
    """A modifier to the dice; `--` follows the other terrain of the hex, so it adds nothing of its own (2-1-2.3b)."""
    text = str(line.get(key))
    if re.fullmatch(r"[+-]?[0-9]{1,2}", text):
        return int(text)
    if text != "--":
        defects.wrong(f"{where}.{key}", f"is {shown(line.get(key))}", "write a number up to 99, or `--`")
    return 0
