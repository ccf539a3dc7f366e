"""The tables of the quick reference, cell by cell, written a second time in another form (28-3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import pytest

from pbem.errors import BadScenario
from pbem.rules.sengoku.scenario import board
from pbem.rules.sengoku.tables import Effect, Tables

ROWS = range(-2, 10)

BATTLE = {
    0: "0 0 0 0 0 0 0 0 1 1 1 1",
    3: "0 0 0 0 0 0 0 1 1 1 1 2",
    5: "0 0 0 0 0 1 1 1 1 1 2 2",
    9: "0 0 0 0 1 1 1 1 2 2 3 4",
    13: "0 0 0 0 1 1 2 2 3 3 4 5",
    19: "0 0 0 1 2 2 2 3 3 4 5 6",
    25: "0 0 1 2 2 2 3 3 4 5 6 7",
    31: "0 1 1 2 3 3 4 4 5 6 7 8",
    41: "0 1 2 3 4 4 5 5 6 7 9 10",
    51: "1 2 3 4 5 5 6 6 7 8 10 12",
    61: "1 2 4 5 5 6 7 8 9 10 12 15",
    73: "2 3 5 6 7 7 8 9 10 11 13 15",
    85: "2 4 7 8 8 9 9 10 11 12 14 15",
    99: "3 5 8 9 10 10 11 11 12 13 14 15",
}
"""The least strength of each column -> its results from -2 to 9, downwards."""

SURRENDER = {
    10: "A4 B6 C8 D10",
    9: "A3 B6 C8 D10",
    8: "A1 B4 C8 D9 E10",
    7: "A0 B3 C7 D8 E9 F10",
    6: "A0 B2 C7 D8 E9 H10",
    5: "B1 C6 D7 E8 G9 H10",
    4: "B0 C5 D6 E7 G8 H10",
    3: "B0 C4 D5 E6 F7 G8 H10",
    2: "B0 C3 D5 E6 G7 H10",
    1: "C2 D4 E6 G7 H10",
    0: "D1 E2 G4 H10",
}
"""Durability -> each answer with the highest modified die that brings it."""


@pytest.fixture
def t(field_data: Callable[..., dict[str, Any]]) -> Tables:
    """The tables as they are read."""
    return board(field_data(".")).tables


@pytest.mark.clause("table-battle")
def test_battle_results_in_every_cell(t: Tables) -> None:
    ends = [*[least - 1 for least in BATTLE][1:], 200]
    for (least, column), most in zip(BATTLE.items(), ends, strict=True):
        for die, losses in zip(ROWS, map(int, column.split()), strict=True):
            marked = die >= 8 and losses >= 2
            assert t.loss(die, least) == t.loss(die, most) == (losses, marked), (die, least)


@pytest.mark.clause("table-battle")
def test_battle_results_end_at_their_rows(t: Tables) -> None:
    for strength in BATTLE:
        assert t.loss(-5, strength) == t.loss(-2, strength)
        assert t.loss(14, strength) == t.loss(9, strength)


def test_the_results_of_the_examples(t: Tables) -> None:
    assert t.loss(3, 10).losses == 1  # 23ex-attack
    assert t.loss(5, 6).losses == 1  # 23ex-counter
    assert t.loss(4, 8).losses == 1
    assert t.loss(5, 20).losses == 3


@pytest.mark.clause("table-siege-limit", "table-siege-result")
@pytest.mark.parametrize(("level", "limit"), [(0, 5), (1, 10), (2, 20), (3, 30), (4, 50), (5, 100)])
def test_siege_results_within_the_limit_and_over_it(t: Tables, level: int, limit: int) -> None:
    within = ["incident", "durability-1", "durability-1", "none", "none", "none"]
    over = ["incident", "durability-1", "durability-1", "durability-1", "none", "none"]
    for units, results in ((0, within), (limit, within), (limit + 1, over)):
        assert [t.siege_result(die, units, level) for die in range(1, 7)] == results


@pytest.mark.clause("table-incident")
def test_incidents_by_the_modified_die(t: Tables) -> None:
    assert [t.incident(die) for die in range(-3, 9)] == [
        *["traitor-2"] * 2,
        "traitor-1",
        "durability-2",
        *["castle-morale-1"] * 4,
        *["durability-1"] * 2,
        *["besieger-morale-1"] * 2,
    ]


@pytest.mark.clause("table-surrender")
@pytest.mark.parametrize("durability", SURRENDER)
def test_answers_to_a_call_to_surrender(t: Tables, durability: int) -> None:
    expected, die = {}, -5
    for word in SURRENDER[durability].split():
        while die <= int(word[1:]):
            expected[die] = word[0]
            die += 1
    assert die == 11
    assert {die: t.answer(die, durability) for die in expected} == expected
    assert t.answer(15, durability) == t.answer(10, durability)


@pytest.mark.clause("table-terrain", "28-1-3")
@pytest.mark.parametrize(
    ("terrain", "effect"),
    [
        ("plain", Effect(1, 1, 1, 0, 0, 0)),
        ("rough", Effect(2, 1, 1, -1, 0, -1)),
        ("mountain", Effect(4, 3, 3, -2, -1, -2)),
        ("impassable_mountain", Effect(None, None, None, 0, 0, 0)),
        ("river", Effect(1, 1, 1, -2, -2, 0)),
        ("swamp", Effect(4, None, None, -1, -1, 0)),
    ],
)
def test_the_terrain_table(t: Tables, terrain: str, effect: Effect) -> None:
    assert t.terrain[terrain] == effect


@pytest.mark.clause("table-replenishment")
@pytest.mark.parametrize(
    ("column", "own", "other"),
    [
        ("hashiba", "-1 0 0 1 1 1 2 3", "-1 -1 0 0 0 1 1 1"),
        ("mori", "-1 0 0 1 1 1 1 2", "-1 -1 0 0 0 1 1 1"),
        ("kobe", "-1 -1 0 0 1 1 1 2", "-1 -1 0 0 0 0 1 1"),
        ("small", "-1 -1 0 0 1 1 1 1", "-1 -1 0 0 0 0 1 1"),
        ("saika", "-1 -1 0 1 1 1 2 3", "-2 -1 0 0 1 1 1 1"),
        ("shibata", "-1 0 0 1 1 1 2 2", "-1 -1 0 0 0 1 1 1"),
    ],
)
def test_steps_by_army_and_place(t: Tables, column: str, own: str, other: str) -> None:
    for place, steps in (("own", own), ("other", other)):
        assert [t.steps(column, place, die) for die in range(-1, 7)] == [*map(int, steps.split())]
        assert t.steps(column, place, -4) == t.steps(column, place, -1)


@pytest.mark.parametrize(
    ("table", "least"),
    [
        ("mori_begin_to_act", {0: 3, 37: 4, 43: 5, 50: 6, 57: 7}),
        ("saika_and_negoro_begin_to_act", {0: 2, 5: 3, 9: 4, 13: 5, 19: 6, 25: 7}),
    ],
)
def test_the_die_with_which_armies_begin_to_act(t: Tables, table: str, least: Mapping[int, int]) -> None:
    ends = [*[strength - 1 for strength in least][1:], 200]
    for (strength, die), most in zip(least.items(), ends, strict=True):
        for total in (strength, most):
            assert [roll for roll in range(-1, 10) if t.begins(table, roll, total)] == [*range(die, 10)]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("battle_results/rows_die/3", ["0"] * 14 + ["1"], "has 15 cells"),
        ("battle_results/rows_die/3", ["0"] * 13 + ["16"], "'16' is no result"),
        ("siege_unit_limit/rows_at_most/units", ["many"] * 6, "tables.siege_unit_limit.rows_at_most.units"),
        ("siege_results/rows_units_inside/over the limit", ["incident"] * 5, "has 5 cells"),
        ("siege_results/rows_units_inside/over the limit", ["incident"] * 5 + ["plague"], "'plague'"),
        ("siege_results/rows_units_inside", {"within the limit": ["none"] * 6}, "over the limit: is missing"),
        ("incidents/rows_die/0", ["famine"], "'famine' is no result"),
        ("terrain/0/terrain", "moor", "'moor'"),
        ("terrain/1/tactical", "x", "tables.terrain 2 (rough).tactical"),
        ("terrain/0/line", "0", "tables.terrain 1 (plain).line: is '0'"),
        ("terrain", [], "river is missing"),
        ("replenishment/columns_die", ["1"], "tables.replenishment.columns_die"),
        ("replenishment/rows_army_and_place/kobe own", ["1"] * 7, "has 7 cells"),
        ("replenishment/rows_army_and_place/kobe home", ["1"] * 8, "kobe home: is no row"),
        ("replenishment/rows_army_and_place/kobe own", ["1"] * 7 + ["9"], "'9' is no number of steps"),
        ("entering/mori_begin_to_act/rows_die/4", ["o", "o", "x", "-", "-"], "'x' is no result"),
    ],
)
def test_tables_that_are_wrong_are_refused(
    field_data: Callable[..., dict[str, Any]], path: str, value: object, said: str
) -> None:
    data = field_data(".")
    data["tables"] = inner = deepcopy(data["tables"])
    *way, last = path.split("/")
    for key in way:
        inner = inner[int(key) if key.isdigit() and isinstance(inner, list) else key]
    inner[last] = value
    with pytest.raises(BadScenario) as caught:
        board(data)
    assert said in str(caught.value)
