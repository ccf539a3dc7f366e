"""The tables of the quick reference, read from data: battles, sieges, surrender, terrain, replenishment (28-3)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.errors import Defects, shown, stands
from pbem.rules.kit import scenario as kit
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
FACES = 6
ROWS = ("<=-1", "0", "1", "2", "3", "4", "5", "6+")
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
        battle=_results(data, "battle_results", "strength", LOSSES, defects),
        limit=_limits(data, defects),
        siege=_sieges(data, defects),
        incidents=_results(data, "incidents", "any", INCIDENTS, defects),
        surrender=_results(data, "surrender", "durability", SURRENDER, defects),
        terrain=_terrain(data, defects),
        replenishment=_replenishment(data, defects),
        entering={name: _results(entering, name, "strength", BEGINS, defects, "tables.entering") for name in entering},
    )


def _results(
    data: Mapping[str, Any], name: str, columns: str, results: Collection[str], defects: Defects, inside: str = "tables"
) -> ResultsTable:
    """A results table by the modified die."""
    return read_results(defects.block(data, name, inside), f"{inside}.{name}", ("die", columns), results, defects)


def _table(data: Mapping[str, Any], name: str, keys: Sequence[str], defects: Defects) -> Mapping[str, Any]:
    """A table of its own kind, with these keys."""
    return defects.keys(defects.block(data, name, "tables"), (*keys, "provenance"), f"tables.{name}")


def _limits(data: Mapping[str, Any], defects: Defects) -> tuple[int, ...]:
    """Units by level (table-siege-limit)."""
    table = _table(data, "siege_unit_limit", [str(level) for level in LEVELS], defects)
    return tuple(defects.number(table.get(str(level)), f"tables.siege_unit_limit.{level}", 0, 999) for level in LEVELS)


def _sieges(data: Mapping[str, Any], defects: Defects) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Six results for the faces of a die, within the limit and over it (table-siege-result)."""
    table = _table(data, "siege_results", ("within", "over"), defects)
    within, over = (_six(table, key, defects) for key in ("within", "over"))
    return within, over


def _six(table: Mapping[str, Any], key: str, defects: Defects) -> tuple[str, ...]:
    where, words = f"tables.siege_results.{key}", defects.words(table, key, "tables.siege_results")
    if len(words) != FACES:
        defects.wrong(where, f"has {len(words)} results", "write one for each face of a die")
    return tuple(kit.known(word, SIEGE, where, defects) for word in words)


def _terrain(data: Mapping[str, Any], defects: Defects) -> dict[str, Effect]:
    """The terrain table (table-terrain)."""
    table, found = _table(data, "terrain", TERRAIN, defects), {}
    for name in TERRAIN:
        where = f"tables.terrain.{name}"
        if name not in table:
            defects.wrong(where, "is missing", "the rules name it")
        line = defects.keys(defects.block(table, name, "tables.terrain"), EFFECT, where) if name in table else {}
        points = [number(line, key, where, defects, 0, BLANKS) if line else 1 for key in EFFECT[:3]]
        shifts = [number(line, key, where, defects, -9, BLANKS) or 0 if line else 0 for key in EFFECT[3:]]
        found[name] = Effect(points[0], points[1], points[2], shifts[0], shifts[1], shifts[2])
    return found


def _replenishment(data: Mapping[str, Any], defects: Defects) -> dict[str, dict[str, tuple[int, ...]]]:
    """Steps by army, place and die (table-replenishment)."""
    table, found = _table(data, "replenishment", ("die", "columns"), defects), {}
    where = "tables.replenishment"
    if tuple(defects.words(table, "die", where)) != ROWS:
        defects.wrong(f"{where}.die", stands(table.get("die")), f"write [{', '.join(ROWS)}]")
    columns = defects.block(table, "columns", where)
    for name in columns:
        inside = f"{where}.columns.{name}"
        places = defects.keys(defects.block(columns, name, f"{where}.columns"), PLACES, inside)
        found[name] = {place: _steps(places, place, inside, defects) for place in PLACES}
    return found


def _steps(places: Mapping[str, Any], place: str, where: str, defects: Defects) -> tuple[int, ...]:
    words = defects.words(places, place, where)
    if len(words) != len(ROWS):
        defects.wrong(f"{where}.{place}", f"has {len(words)} numbers", f"write {len(ROWS)}, one for each row of dice")
    for word in words:
        if word not in [str(steps) for steps in range(DESERTED, 4)]:
            defects.wrong(f"{where}.{place}", f"{shown(word)} is no number of steps", f"write {DESERTED} to 3")
    return tuple(int(word) if word.lstrip("-").isdigit() else 0 for word in words) or (0,)
