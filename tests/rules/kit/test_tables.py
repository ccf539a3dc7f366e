"""Results tables and charts of a made-up game: every cell and both ends, and all defects of a bad one at once."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pbem.errors import Defects
from pbem.rules.kit.tables import ResultsTable, number, read_results

KEYS = ("rows", "columns")
RESULTS = ("-", "A", "B")
GOOD: dict[str, Any] = {
    "columns": ["<=-3", "-2..-1", "0", "+1..2", "3-4", "5+"],
    "rows": {
        "<=2": ["-", "-", "-", "-", "-", "A"],
        "3-4": ["-", "-", "-", "-", "A", "A"],
        "5": ["-", "-", "-", "A", "A", "B"],
        ">=6": ["-", "-", "A", "A", "B", "B"],
    },
}


def read(data: dict[str, Any]) -> tuple[ResultsTable, list[str]]:
    defects = Defects()
    return read_results(data, "tables.duel", KEYS, RESULTS, defects), [str(defect) for defect in defects.found]


@pytest.mark.parametrize(
    ("value", "heading"),
    [(-40, "<=-3"), (-3, "<=-3"), (-2, "-2..-1"), (-1, "-2..-1"), (0, "0"), (1, "+1..2"), (2, "+1..2"), (3, "3-4"),
     (4, "3-4"), (5, "5+"), (77, "5+")],
)  # fmt: skip
def test_a_number_belongs_to_the_column_that_names_it(value: int, heading: str) -> None:
    table, defects = read(GOOD)
    assert not defects
    assert table.headings[table.column(value)] == heading


def test_a_shift_stops_at_the_ends() -> None:
    table, _ = read(GOOD)
    assert [table.column(0, shift) for shift in (-9, -2, -1, 0, 1, 3, 4)] == [0, 0, 1, 2, 3, 5, 5]


def test_each_roll_has_its_row_and_the_ends_go_on() -> None:
    table, _ = read(GOOD)
    for total, row in {-5: "<=2", 2: "<=2", 3: "3-4", 4: "3-4", 5: "5", 6: ">=6", 19: ">=6"}.items():
        assert [table.cell(total, i) for i in range(6)] == GOOD["rows"][row]
    assert table.result(5, 2) == "A"
    assert table.result(5, 5) == table.result(5, 50) == "B"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda t: t["columns"].remove("0"), ["tables.duel.columns: '+1..2' doesn't follow -1"]),
        (lambda t: t["columns"].insert(3, "0"), ["tables.duel.columns: '0' doesn't follow 0"]),
        (lambda t: t["rows"].pop("5"), ["tables.duel.rows: '>=6' doesn't follow 4"]),
        (lambda t: t["rows"].pop("<=2"), []),
        (lambda t: t["rows"].pop(">=6"), []),
        (lambda t: t["columns"].pop(), ["tables.duel.columns: '3-4' can't stand there"]),
        (lambda t: t["columns"].__setitem__(5, "<=5"), ["tables.duel.columns: '<=5' can't stand there"]),
        (lambda t: t["columns"].__setitem__(1, "-2+"), ["'-2+' can't stand there"]),
        (lambda t: t["columns"].__setitem__(2, "many"), ["'many' can't stand there"]),
        (lambda t: t["rows"]["5"].pop(), ["tables.duel row 5: has 5 cells; there are 6 columns"]),
        (lambda t: t["rows"]["5"].__setitem__(0, "C"), ["tables.duel row 5: 'C' is no result; results are -, A, B"]),
        (lambda t: t["rows"].__setitem__("5", "- A B"), ["tables.duel row 5: has 0 cells"]),
        (lambda t: t.pop("columns"), ["tables.duel.columns: is missing"]),
        (lambda t: t.pop("rows"), ["tables.duel.rows: is missing"]),
        (lambda t: t.__setitem__("rows", ["-"]), ["tables.duel.rows: is [-]", "tables.duel.rows: is missing"]),
    ],
)
def test_a_gap_an_overlap_and_what_cannot_be_read_are_named(change: Any, says: list[str]) -> None:
    data = copy.deepcopy(GOOD)
    change(data)
    _, found = read(data)
    for part in says:
        assert any(part in line for line in found), found
    assert bool(found) == bool(says)


def test_all_defects_are_named_at_once() -> None:
    data = copy.deepcopy(GOOD)
    data["columns"] = ["<=-3", "-1", "few", "5", ">=4"]
    data["rows"]["3-4"][1] = "?"
    data["rows"]["5"] = []
    data["rows"]["9+"] = data["rows"].pop(">=6")
    _, found = read(data)
    told = [line.removeprefix("tables.duel").split(";")[0] for line in found]
    assert told == [
        " row <=2: has 6 cells", " row 3-4: has 6 cells", " row 3-4: '?' is no result", " row 5: has 0 cells",
        " row 9+: has 6 cells", ".rows: '9+' doesn't follow 5", ".columns: '-1' doesn't follow -3",
        ".columns: 'few' can't stand there", ".columns: '>=4' doesn't follow 5",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "least", "value", "defect"),
    [("2", 0, 2, ""), ("+2", 0, 2, ""), (-1, -99, -1, ""), ("0", 0, 0, ""), ("--", 0, None, ""), ("-1", 0, None, "is"),
     ("no", 0, None, "is"), (None, 0, None, "is"), ("1/2", 0, None, "is"), ("100", 0, None, "is")],
)  # fmt: skip
def test_a_number_of_a_chart(text: object, least: int, value: int | None, defect: str) -> None:
    defects = Defects()
    assert number({"mp": text}, "mp", "chart line 2", defects, least) == value
    assert len(defects.found) == bool(defect)
    assert all(str(line).startswith("chart line 2.mp: is ") and "or `--`" in str(line) for line in defects.found)
