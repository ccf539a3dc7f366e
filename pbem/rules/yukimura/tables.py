"""The tables printed on the maps, read from data: firing results, hand-to-hand results, terrain effects (2-1-4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pbem.errors import Defects
from pbem.records import NamedTuple
from pbem.rules.kit import scenario as kit
from pbem.rules.kit.tables import ResultsTable, number, read_results

__all__ = ["Chart", "Effect", "Tables", "read_tables"]

FIRING_RESULTS = ("-", "0", "1", "2", "3", "4", "E")  # 9-2-1
HAND_TO_HAND_RESULTS = ("AE", "A4", "A3", "A2", "A1", "B1", "D1", "D2", "D3", "D4", "DE")  # 10-3-1
ROWS = tuple(str(roll) for roll in range(2, 13))

HEXES = ("flat", "marsh", "mountain", "mound", "road", "large_river")  # 12-1
HEXSIDES = ("small_river", "impassable")  # 12-2
KEYS = ("firing_results_table", "hand_to_hand_results_table", "terrain_effects_chart")
LINE = ("terrain", "where", "mp", "shift", "given", "provenance")
BLANKS = ("--", "no")
"""What stands in the chart where there is nothing of its own, and no way."""


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
    data = defects.keys(data, KEYS, "tables")
    return Tables(
        firing=_results(data, "firing_results_table", "columns_combat_strength", FIRING_RESULTS, defects),
        hand_to_hand=_results(
            data, "hand_to_hand_results_table", "columns_strength_difference", HAND_TO_HAND_RESULTS, defects
        ),
        chart=_chart(data, defects),
    )


def _results(
    data: Mapping[str, Any], name: str, columns: str, results: Collection[str], defects: Defects
) -> ResultsTable:
    """A results table; its rows are the sums of two dice, and shifts stop at its ends (R96)."""
    where = f"tables.{name}"
    table = defects.block(data, name, "tables")
    rows = defects.block(table, "rows_2d6", where)
    if tuple(map(str, rows)) != ROWS:
        defects.wrong(f"{where}.rows_2d6", f"has the rows {', '.join(rows) or 'none'}", "write 2 to 12 in order")
    return read_results(table, where, ("rows_2d6", columns), results, defects)


def _chart(data: Mapping[str, Any], defects: Defects) -> Chart:
    found: dict[str, dict[str, Effect]] = {"hex": {}, "hexside": {}}
    for where, given in defects.items(data, "terrain_effects_chart", "tables"):
        line = defects.keys(given, LINE, where)
        name = defects.text(line, "terrain", where)
        kind = kit.known(line.get("where"), [*found], f"{where}.where", defects)
        if kind not in found:
            continue
        kit.known(name, HEXES if kind == "hex" else HEXSIDES, f"{where}.terrain", defects)
        found[kind][name] = Effect(
            number(line, "mp", f"{where} ({name})", defects, 0, BLANKS),
            number(line, "shift", f"{where} ({name})", defects, 0, BLANKS) or 0,
        )
    for kind, names in (("hex", HEXES), ("hexside", HEXSIDES)):
        for name in names:
            if name not in found[kind]:
                defects.wrong("tables.terrain_effects_chart", f"the {kind} {name} is missing", "the rules name it")
                found[kind][name] = Effect(1, 0)
    return Chart(found["hex"], found["hexside"])
