"""The tables of Toba-Fushimi by double entry: typed a second time here, in another form, and compared cell by cell."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from pbem import strictyaml
from pbem.errors import BadScenario
from pbem.resources import data_folder
from pbem.scenario import load_scenario

ROLLS = ["<=1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", ">=13"]

FIRE = {  # total fire strength: the lowest modified roll for D, for DD
    "1": (9, 13),
    "2": (8, 12),
    "3": (7, 11),
    "4": (7, 10),
    "5": (6, 10),
    "6": (6, 9),
    "7": (5, 9),
    "8": (5, 8),
    "9": (4, 8),
    "10+": (4, 7),
}

MELEE = {  # strength difference: what rolls of 1 to 13 give, "." no effect, a digit the x of Mx
    "<=-4": ".........0011",
    "-3": "........00112",
    "-2": ".......001122",
    "-1": "......0011223",
    "0": ".....00112233",
    "+1": "....001122334",
    "+2": "...0011223344",
    "+3": "..00112233444",
    "+4": ".001122334444",
    "+5": "0011223344444",
    ">=+6": "0112233444444",
}

CHART = """
    flat          hex   1            0   0
    hill          hex   2           -1  -1
    mountain      hex   3           -2  -2
    mountain_top  hex   --          --  --
    wetland       hex   3            0  -1
    city          hex   --          -1  -1
    victory_hex   hex   --          --  --
    road          hex   --          --  --
    stream_side   hex_side  +1            0  -1
    river_side    hex_side  not_allowed  -1  not_allowed
    pond_side     hex_side  not_allowed   0  not_allowed
"""


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    tables = load_scenario("toba-fushimi").data["tables"]
    assert isinstance(tables, dict)
    return tables


@pytest.mark.clause("2-1-2.1")
def test_fire_results_table_cell_by_cell(tables: dict[str, Any]) -> None:
    table = tables["fire_results_table"]
    assert table["columns_total_fire_strength"] == list(FIRE)
    assert list(table["rows_modified_2d6"]) == ROLLS
    for roll, label in enumerate(ROLLS, start=1):
        row = table["rows_modified_2d6"][label]
        assert len(row) == len(FIRE), label
        for (strength, (disordered, driven_off)), cell in zip(FIRE.items(), row, strict=True):
            right = "DD" if roll >= driven_off else "D" if roll >= disordered else "-"
            assert cell == right, f"roll {label}, strength {strength}"


@pytest.mark.clause("2-1-2.2")
def test_melee_results_table_cell_by_cell(tables: dict[str, Any]) -> None:
    table = tables["melee_results_table"]
    assert table["columns_strength_difference"] == list(MELEE)
    assert list(table["rows_modified_2d6"]) == ROLLS
    for roll, label in enumerate(ROLLS):
        row = table["rows_modified_2d6"][label]
        assert len(row) == len(MELEE), label
        for (difference, results), cell in zip(MELEE.items(), row, strict=True):
            assert len(results) == len(ROLLS)
            right = "-" if results[roll] == "." else f"M{results[roll]}"
            assert cell == right, f"roll {label}, difference {difference}"


def test_terrain_effects_chart_cell_by_cell(tables: dict[str, Any]) -> None:
    typed = [line.split() for line in CHART.strip().splitlines()]
    chart = [
        [row[key].replace(" ", "_") for key in ("terrain", "where", "mp", "fire", "melee")]
        for row in tables["terrain_effects_chart"]
    ]
    assert chart == typed


def test_movement_along_roads_and_fire_from_mountain_tops(tables: dict[str, Any]) -> None:
    rows = {row["terrain"]: row for row in tables["terrain_effects_chart"]}
    assert {name: row["mp-along"] for name, row in rows.items() if "mp-along" in row} == {
        "road": "1",
        "stream_side": "1",
        "river_side": "1",
        "pond_side": "1",
    }
    assert {name: row["mp-march"] for name, row in rows.items() if "mp-march" in row} == {"road": "1/2"}
    assert {name: row["fire-from"] for name, row in rows.items() if "fire-from" in row} == {"mountain_top": "+2"}


@pytest.mark.parametrize(
    ("name", "columns", "order"),
    [
        ("fire_results_table", "columns_total_fire_strength", ["-", "D", "DD"]),
        ("melee_results_table", "columns_strength_difference", ["-", "M0", "M1", "M2", "M3", "M4"]),
    ],
)
def test_more_never_gives_less(tables: dict[str, Any], name: str, columns: str, order: list[str]) -> None:
    rows = [[order.index(cell) for cell in row] for row in tables[name]["rows_modified_2d6"].values()]
    assert len(rows[0]) == len(tables[name][columns])
    for row in rows:
        assert row == sorted(row)
    for column in zip(*rows, strict=True):
        assert list(column) == sorted(column)
        assert max(after - before for before, after in pairwise(column)) == 1
    assert {cell for row in rows for cell in row} == set(range(len(order)))  # every result can happen


def test_the_cell_of_the_rulebooks_example(tables: dict[str, Any]) -> None:
    """9-2(5): strength 3, dice 7, target in a mountain, firer on a mountain top: 7 - 2 + 2 = 7 gives D."""
    table = tables["fire_results_table"]
    column = table["columns_total_fire_strength"].index("3")
    assert table["rows_modified_2d6"]["7"][column] == "D"
    # the other reading, +2 to the strength, would give no effect: so the example tells the readings apart
    assert table["rows_modified_2d6"]["5"][table["columns_total_fire_strength"].index("5")] == "-"


def test_cover_is_never_a_bonus(tables: dict[str, Any]) -> None:
    for row in tables["terrain_effects_chart"]:
        for key in ("fire", "melee"):
            assert row[key] in ("--", "not allowed") or int(row[key]) <= 0, row["terrain"]


def test_every_table_says_where_it_comes_from(tables: dict[str, Any]) -> None:
    assert tables["fire_results_table"]["provenance"] == "reconstructed"
    assert tables["melee_results_table"]["provenance"] == "reconstructed"
    for row in tables["terrain_effects_chart"]:
        assert row["provenance"] in ("rulebook", "reconstructed")
        if row["provenance"] == "rulebook":
            assert row["given"]
            assert row["fire"] == row["melee"] == "--", "the rulebook gives no other modifier to the dice whole"


def test_the_map_uses_only_terrain_of_the_chart(tables: dict[str, Any]) -> None:
    known = {row["terrain"] for row in tables["terrain_effects_chart"]}
    board = load_scenario("toba-fushimi").data["maps"]["toba-fushimi"]
    in_hexes = {
        name for terrain in board["terrain"]["legend"].values() if isinstance(terrain, list) for name in terrain
    }
    on_sides = {f"{chain['kind']}_side" for chain in board["hexsides"]["chains"]}
    assert {"flat", "mountain", "mountain_top", "city"} <= in_hexes
    assert in_hexes | on_sides <= known


def test_a_row_typed_twice_is_refused() -> None:
    text = (data_folder("scenarios") / "bakumatsu" / "tables.yaml").read_text(encoding="utf-8")
    assert text.count('    "7":    [ "-",  "-",    D,') == 1
    strictyaml.load(text, "tables.yaml")
    with pytest.raises(BadScenario, match="'8' stands twice"):
        strictyaml.load(text.replace('    "7":    [ "-",  "-",    D,', '    "8":    [ "-",  "-",    D,'), "tables.yaml")
