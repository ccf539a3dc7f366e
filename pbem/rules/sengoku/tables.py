"""The tables of the quick reference, read from data: battles, sieges, surrender, terrain, replenishment (28-3)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pbem.errors import Defects, shown, stands
from pbem.records import NamedTuple
from pbem.rules.kit.tables import ResultsTable, number, read_results

__all__ = ["DESERTED", "FALL", "LEVELS", "Effect", "Loss", "Tables", "read_tables"]

LEVELS = range(6)  # 8-1
FALL = 0
"""The row of the surrender table for a castle that falls (21.0(3))."""

DESERTED = -2
"""The most steps that a replenishment loses, below zero (14-2-4)."""

KEYS = (
    "battle_results", "siege_unit_limit", "siege_results", "incidents", "surrender", "terrain", "replenishment",
    "entering",
)  # fmt: skip
MOST_LOSS = 15
MARK = "*"
LOSSES = tuple(f"{loss}{mark}" for loss in range(MOST_LOSS + 1) for mark in ("", MARK))
SIEGE = ("incident", "durability-1", "none")  # table-siege-result
INCIDENTS = (
    "traitor-2", "traitor-1", "durability-2", "durability-1", "castle-morale-1", "besieger-morale-1",
)  # fmt: skip
SURRENDER = ("A", "B", "C", "D", "E", "F", "G", "H")  # 20-3
FACES = ("1", "2", "3", "4", "5", "6")
INSIDE = ("within the limit", "over the limit")
DICE = ("<=-1", "0", "1", "2", "3", "4", "5", "6+")
MOST_STEPS = 3
STEPS = tuple(str(steps) for steps in range(DESERTED, MOST_STEPS + 1))
PLACES = ("own", "other")
BEGINS = ("o", "-")
"""Whether armies begin to act (32-1(2))."""
TERRAIN = ("plain", "rough", "mountain", "impassable_mountain", "swamp", "river")
EFFECT = ("tactical", "strategic", "line", "attack", "counterattack", "assault")
BLANKS = ("--",)


class Loss(NamedTuple):
    """A result of the battle results table: losses, and whether one unit at least must be eliminated (23-3-3)."""

    losses: int
    marked: bool


class Effect(NamedTuple):
    """A line of the terrain table: points to enter by kind of movement, None where that can't be; shifts of the die."""

    tactical: int | None
    strategic: int | None
    line: int | None
    attack: int
    counterattack: int
    assault: int


class Tables(NamedTuple):
    """All tables of the quick reference.

    battle           rows by the modified die, columns by strength; cells as `loss` reads them
    limit[level]     units that a besieged castle holds
    siege[over][die - 1]  what a siege check brings, within the limit and over it
    incidents        by the die with the difference of morale;  surrender: rows by the modified die, by durability
    replenishment    column -> place, "own" or "other" -> steps by the die from -1 on
    entering         name -> whether armies begin to act: by the modified die and the enemy's strength
    """

    battle: ResultsTable
    limit: tuple[int, ...]
    siege: tuple[tuple[str, ...], tuple[str, ...]]
    incidents: ResultsTable
    surrender: ResultsTable
    terrain: Mapping[str, Effect]
    replenishment: Mapping[str, Mapping[str, tuple[int, ...]]]
    entering: Mapping[str, ResultsTable]

    def loss(self, die: int, strength: int) -> Loss:
        """The battle result of a modified die at a strength (23-2)."""
        cell = self.battle.result(die, strength)
        return Loss(int(cell.rstrip(MARK)), cell.endswith(MARK))

    def siege_result(self, die: int, units: int, level: int) -> str:
        """What a siege check brings with so many units shut in: incident, durability-1 or none (18-2-1)."""
        return self.siege[units > self.limit[level]][die - 1]

    def incident(self, die: int) -> str:
        """What an incident is by the modified die (18-2-1(3))."""
        return self.incidents.result(die, 0)

    def answer(self, die: int, durability: int) -> str:
        """The answer A to H to a call to surrender by the modified die; at durability 0 the fall (20-2, 21.0(3))."""
        return self.surrender.result(die, durability)

    def steps(self, column: str, place: str, die: int) -> int:
        """The steps that a replenishment brings by the modified die, below zero: loses (14-2-2)."""
        row = self.replenishment[column][place]
        return row[min(max(die, -1) + 1, len(row) - 1)]

    def begins(self, table: str, die: int, strength: int) -> bool:
        """Whether armies begin to act by the modified die at the enemy's strength (32-1(2))."""
        return self.entering[table].result(die, strength) == BEGINS[0]


def read_tables(data: Mapping[str, Any], defects: Defects) -> Tables:
    """The tables of a tables file; whatever is wrong with them goes into `defects`."""
    data = defects.keys(data, KEYS, "tables")
    entering = defects.block(data, "entering", "tables")
    return Tables(
        battle=_results(data, "battle_results", "columns_strength", LOSSES, defects),
        limit=_limits(data, defects),
        siege=_sieges(data, defects),
        incidents=_results(data, "incidents", "columns_units_inside", INCIDENTS, defects),
        surrender=_results(data, "surrender", "columns_durability", SURRENDER, defects),
        terrain=_terrain(data, defects),
        replenishment=_replenishment(data, defects),
        entering={
            name: _results(entering, name, "columns_strength", BEGINS, defects, "tables.entering") for name in entering
        },
    )


def _results(
    data: Mapping[str, Any], name: str, columns: str, results: Collection[str], defects: Defects, inside: str = "tables"
) -> ResultsTable:
    """A results table by the modified die."""
    where = f"{inside}.{name}"
    return read_results(defects.block(data, name, inside), where, ("rows_die", columns), results, defects)


def _rows(
    data: Mapping[str, Any], name: str, columns: str, headings: Sequence[str], rows: str, defects: Defects
) -> dict[str, list[str]]:
    """The cells of a table with these headings, by its rows."""
    where = f"tables.{name}"
    table = defects.keys(defects.block(data, name, "tables"), (columns, rows, "provenance"), where)
    if defects.words(table, columns, where) != [*headings]:
        defects.wrong(f"{where}.{columns}", stands(table.get(columns)), f"write [{', '.join(headings)}]")
    lines = defects.block(table, rows, where)
    found = {row: defects.words(lines, row, f"{where}.{rows}") for row in lines}
    for row, cells in found.items():
        if len(cells) != len(headings):
            defects.wrong(f"{where}.{rows}.{row}", f"has {len(cells)} cells", f"write {len(headings)}, one a column")
    return found


def _row(lines: Mapping[str, list[str]], row: str, count: int, where: str, defects: Defects) -> list[str]:
    """A row that must be there; so many empty cells for one that isn't good."""
    if row not in lines:
        defects.wrong(f"{where}.{row}", "is missing", "the rules name it")
    cells = lines.get(row, [])
    return cells if len(cells) == count else [""] * count


def _limits(data: Mapping[str, Any], defects: Defects) -> tuple[int, ...]:
    """Units by level (table-siege-limit)."""
    where = "tables.siege_unit_limit.rows_at_most"
    lines = _rows(data, "siege_unit_limit", "columns_level", [str(n) for n in LEVELS], "rows_at_most", defects)
    cells = _row(lines, "units", len(LEVELS), where, defects)
    return tuple(defects.number(cell, f"{where}.units", 0, 999) for cell in cells if cell) or (0,) * len(LEVELS)


def _sieges(data: Mapping[str, Any], defects: Defects) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Six results for the faces of a die, within the limit and over it (table-siege-result)."""
    from pbem.rules.kit.scenario import known  # tables that are kept need no reading

    where = "tables.siege_results.rows_units_inside"
    lines = _rows(data, "siege_results", "columns_die", FACES, "rows_units_inside", defects)
    cells = [_row(lines, row, len(FACES), where, defects) for row in INSIDE]
    within, over = (tuple(known(cell, SIEGE, where, defects) for cell in row if cell) for row in cells)
    return within, over


def _terrain(data: Mapping[str, Any], defects: Defects) -> dict[str, Effect]:
    """The terrain table (table-terrain)."""
    from pbem.rules.kit.scenario import known  # tables that are kept need no reading

    found = {}
    for where, given in defects.items(data, "terrain", "tables"):
        line = defects.keys(given, ("terrain", *EFFECT, "provenance"), where)
        name = known(line.get("terrain"), TERRAIN, f"{where}.terrain", defects)
        river = name == TERRAIN[-1]  # it costs points besides those of the ground, and bars nobody (15-2-4)
        least, blanks = (0, ()) if river else (1, BLANKS)
        points = [number(line, key, f"{where} ({name})", defects, least, blanks) for key in EFFECT[:3]]
        shifts = [number(line, key, f"{where} ({name})", defects, -9, BLANKS) or 0 for key in EFFECT[3:]]
        found[name] = Effect(points[0], points[1], points[2], shifts[0], shifts[1], shifts[2])
    for name in TERRAIN:
        if name not in found:
            defects.wrong("tables.terrain", f"{name} is missing", "the rules name it")
            found[name] = Effect(1, 1, 1, 0, 0, 0)
    return found


def _replenishment(data: Mapping[str, Any], defects: Defects) -> dict[str, dict[str, tuple[int, ...]]]:
    """Steps by army, place and die (table-replenishment)."""
    where = "tables.replenishment.rows_army_and_place"
    lines = _rows(data, "replenishment", "columns_die", DICE, "rows_army_and_place", defects)
    names = dict.fromkeys(row.rpartition(" ")[0] for row in lines)
    for row in lines:
        if row.rpartition(" ")[2] not in PLACES:
            defects.wrong(f"{where}.{row}", "is no row", f"write the army and {' or '.join(PLACES)}")
    return {
        name: {
            place: _steps(_row(lines, f"{name} {place}", len(DICE), where, defects), where, defects) for place in PLACES
        }
        for name in names
    }


def _steps(cells: Sequence[str], where: str, defects: Defects) -> tuple[int, ...]:
    for cell in cells:
        if cell and cell not in STEPS:
            defects.wrong(where, f"{shown(cell)} is no number of steps", f"write {DESERTED} to {MOST_STEPS}")
    return tuple(int(cell) if cell in STEPS else 0 for cell in cells)
