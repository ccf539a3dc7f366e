"""The tables printed on the map, read from data: fire results, melee results, terrain effects (2-1-2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from pbem.errors import Defects, stands
from pbem.records import NamedTuple
from pbem.rules.kit.tables import ResultsTable, number, read_results

__all__ = ["BARRIERS", "Chart", "Effect", "Tables", "read_tables"]

BARRIERS = frozenset({"river", "pond"})
"""Hexsides that stop movement, ZOC, melee and retreat: 3-2(2), 8-1(2)2, 10-2(1)b, 11(1)3."""

FIRE_RESULTS = ("-", "D", "DD")  # 9-2(5)
MELEE_RESULTS = ("-", *(f"M{x}" for x in range(10)))  # 10-2(6)


KEYS = ("fire_results_table", "melee_results_table", "terrain_effects_chart")
LINE = (
    "terrain", "where", "mp", "mp-along", "mp-march", "fire", "melee", "fire-from", "given", "provenance",
)  # fmt: skip


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
    data = defects.keys(data, KEYS, "tables")
    return Tables(
        fire=_results(data, "fire_results_table", "columns_total_fire_strength", FIRE_RESULTS, defects),  # 2-1-2.1
        melee=_results(data, "melee_results_table", "columns_strength_difference", MELEE_RESULTS, defects),  # 2-1-2.2
        chart=_chart(data, defects),
    )


def _results(
    data: Mapping[str, Any], name: str, columns: str, results: Collection[str], defects: Defects
) -> ResultsTable:
    """A results table; beyond it its last row or column serves: 9-2(5)0a, 10-2(6)0."""
    table = defects.block(data, name, "tables")
    return read_results(table, f"tables.{name}", ("rows_modified_2d6", columns), results, defects)


def _chart(data: Mapping[str, Any], defects: Defects) -> Chart:
    terrain: dict[str, Effect] = {}
    sides: dict[str, Effect] = {}
    for where, given in defects.items(data, "terrain_effects_chart", "tables"):
        line = defects.keys(given, LINE, where)
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
        defects.wrong(f"{where}.mp", stands(line.get("mp")), "write the surcharge, `+1`")
    return Effect(int(match[1]) if match else 0, fire, _modifier(line, "melee", where, defects))


def _modifier(line: Mapping[str, Any], key: str, where: str, defects: Defects) -> int:
    """A modifier to the dice; `--` follows the other terrain of the hex, so it adds nothing of its own (2-1-2.3b)."""
    return number(line, key, where, defects) or 0
