"""The tables by double entry: typed a second time here, in another form, and compared cell by cell."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pbem.errors import BadScenario, Defects
from pbem.rules.yukimura.tables import Tables, read_tables

FIRING = {  # strength of the firers: from left to right what dice of 2 to 12 give
    "1-2": "- - - - - - - 0 1 2 3",
    "3-4": "- - - - - - 0 1 1 2 3",
    "5-6": "- - - - - 0 1 1 2 2 3",
    "7-8": "- - - - 0 1 1 2 2 3 4",
    "9-10": "- - - 0 1 1 2 2 3 3 4",
    "11-12": "- - 0 0 1 2 2 3 3 4 E",
    "13+": "- 0 0 1 1 2 3 3 4 4 E",
}

LADDER = ["AE"] * 4 + ["A4", "A3", "A2", "A1", "A1", "B1", "D1", "D1", "D2", "D3", "D4", "D4", "DE", "DE"]
"""The hand-to-hand results from the worst for the attackers to the best; index 5 is an index of 3."""

OFFSETS = {"<=-4": -4, "-3..-2": -3, "-1": -2, "0": -1, "+1": 0, "+2..+3": 1, "+4..+5": 2, ">=+6": 3}
"""Difference: what is added to the dice before the ladder is climbed."""

CHART = """
    flat         hex      1   0
    marsh        hex      2   0
    mountain     hex      2   1
    mound        hex      --  --
    road         hex      1   --
    large_river  hex      no  0
    small_river  hexside  +1  1
    impassable   hexside  no  0
"""


def rung(total: int, offset: int) -> str:
    """The hand-to-hand result as it was built: dice and offset, 1 or less is AE, 14 or more DE."""
    return LADDER[min(max(total + offset, 1), 14) + 2]


def read(data: Mapping[str, Any]) -> Tables:
    defects = Defects()
    found = read_tables(data, defects)
    defects.raise_any("tables")
    return found


def differences(data: Mapping[str, Any]) -> Iterator[str]:
    """Where the tables differ from what is typed here."""
    fire, melee = data["firing_results_table"], data["hand_to_hand_results_table"]
    for total in range(2, 13):
        for i, heading in enumerate(FIRING):
            if fire["rows_2d6"][str(total)][i] != FIRING[heading].split()[total - 2]:
                yield f"fire {total} {heading}"
        for i, (heading, offset) in enumerate(OFFSETS.items()):
            if melee["rows_2d6"][str(total)][i] != rung(total, offset):
                yield f"melee {total} {heading}"


@pytest.mark.clause("2-1-4", "9-2.a", "10-3")
def test_every_cell_is_as_typed_twice(tables: Mapping[str, Any]) -> None:
    assert tables["firing_results_table"]["columns_combat_strength"] == list(FIRING)
    assert tables["hand_to_hand_results_table"]["columns_strength_difference"] == list(OFFSETS)
    for name in ("firing_results_table", "hand_to_hand_results_table"):
        assert list(tables[name]["rows_2d6"]) == [str(total) for total in range(2, 13)]
        assert tables[name]["provenance"] == "reconstructed"
    assert not list(differences(tables))


def test_any_one_cell_changed_is_found(tables: Mapping[str, Any]) -> None:
    changed = 0
    for name in ("firing_results_table", "hand_to_hand_results_table"):
        results = sorted({cell for row in tables[name]["rows_2d6"].values() for cell in row})
        for key, row in tables[name]["rows_2d6"].items():
            for i, cell in enumerate(row):
                wrong = copy.deepcopy(tables)
                wrong[name]["rows_2d6"][key][i] = results[results.index(cell) - 1]
                assert len(list(differences(wrong))) == 1, (name, key, i)
                changed += 1
    assert changed == 11 * (7 + 8)


@pytest.mark.clause("12.a", "12-1(1)", "12-1(2)", "12-1(3)a", "12-1(6)", "12-2(1)a")
def test_the_terrain_chart_is_as_typed_twice(tables: Mapping[str, Any]) -> None:
    rows = [[row[key] for key in ("terrain", "where", "mp", "shift")] for row in tables["terrain_effects_chart"]]
    assert rows == [line.split() for line in CHART.strip().splitlines()]
    assert all(row["provenance"] == "rulebook" and row["given"] for row in tables["terrain_effects_chart"])


def test_more_never_gives_less(tables: Mapping[str, Any]) -> None:
    """For the attacker: a higher roll and a column further right are never worse."""
    worth = {
        "firing_results_table": ["-", "0", "1", "2", "3", "4", "E"],
        "hand_to_hand_results_table": ["AE", "A4", "A3", "A2", "A1", "B1", "D1", "D2", "D3", "D4", "DE"],
    }
    for name, order in worth.items():
        rows = [[order.index(cell) for cell in row] for row in tables[name]["rows_2d6"].values()]
        assert all(row == sorted(row) for row in rows)
        assert all(list(column) == sorted(column) for column in zip(*rows, strict=True))
        assert {cell for row in rows for cell in row} == set(range(len(order))), "every result can happen"


@pytest.mark.parametrize(
    ("strength", "heading"),
    [(1, "1-2"), (2, "1-2"), (3, "3-4"), (4, "3-4"), (7, "7-8"), (12, "11-12"), (13, "13+"), (60, "13+")],
)
def test_firing_columns(tables: Mapping[str, Any], strength: int, heading: str) -> None:
    table = read(tables).firing
    assert table.headings[table.column(strength)] == heading


@pytest.mark.parametrize(
    ("difference", "heading"),
    [(-9, "<=-4"), (-4, "<=-4"), (-3, "-3..-2"), (-2, "-3..-2"), (-1, "-1"), (0, "0"), (1, "+1"), (2, "+2..+3"),
     (3, "+2..+3"), (4, "+4..+5"), (5, "+4..+5"), (6, ">=+6"), (30, ">=+6")],
)  # fmt: skip
def test_hand_to_hand_columns(tables: Mapping[str, Any], difference: int, heading: str) -> None:
    table = read(tables).hand_to_hand
    assert table.headings[table.column(difference)] == heading


def test_shifts_stop_at_the_ends(tables: Mapping[str, Any]) -> None:
    table = read(tables).firing
    assert table.column(1, -1) == table.column(1) == 0
    assert table.column(4, -1) == 0
    assert table.column(12, 1) == table.column(13) == table.column(13, 2) == 6


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("firing_results_table", "rows_2d6", "7"), ["-"] * 6, "has 6 cells; there are 7 columns"),
        (("firing_results_table", "rows_2d6", "7"), ["-"] * 6 + [""], "'' is no result"),
        (("firing_results_table", "rows_2d6", "7"), ["-"] * 6 + ["5"], "'5' is no result"),
        (("hand_to_hand_results_table", "rows_2d6", "2"), ["B2"] * 8, "'B2' is no result"),
        (("hand_to_hand_results_table", "rows_2d6"), {"2": ["AE"] * 8}, "write 2 to 12 in order"),
        (("firing_results_table", "columns_combat_strength"), [], "is missing"),
        (("firing_results_table", "columns_combat_strength"), ["1-2", "4-5", "6+"], "doesn't follow 2"),
        (("firing_results_table", "columns_combat_strength"), ["1-2", "3-4"], "can't stand there"),
        (("firing_results_table", "columns_combat_strength"), ["few", "3+"], "can't stand there"),
        (("firing_results_table",), {}, "columns_combat_strength: is missing"),
        (("terrain_effects_chart",), [], "the hex mountain is missing"),
        (("terrain_effects_chart",), [{"terrain": "flat", "where": "hex", "mp": "x", "shift": "0"}], "mp: is 'x'"),
        (("terrain_effects_chart",), [{"terrain": "flat", "where": "side", "mp": "1", "shift": "0"}], "is 'side'"),
    ],
)
@pytest.mark.clause("2-1-4")
def test_a_hole_or_a_wrong_word_is_named(
    tables: Mapping[str, Any], path: tuple[str, ...], value: object, says: str
) -> None:
    wrong = copy.deepcopy(dict(tables))
    block = wrong
    for key in path[:-1]:
        block = block[key]
    block[path[-1]] = value
    with pytest.raises(BadScenario) as caught:
        read(wrong)
    assert says in str(caught.value)
