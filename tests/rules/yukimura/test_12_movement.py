"""Rulebook 12: what terrain does to movement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ROWS = """
. w m o O ~ . . . . .
 . . . . . ~ . . . . .
. . . . . ~ . . . . .
"""
FAR = {"go-01": "0311"}


def cost(battle: Any, here: str, to: str) -> int | None:
    """The movement points of a step; None where it is forbidden."""
    found: int | None = battle.board.ground.cost[battle.hex(here)].get(battle.hex(to))
    return found


@pytest.mark.clause("12.a", "12-1(1)", "12-1(2)", "12-1(3)a", "12-1(4)b", "12-1.a")
@pytest.mark.parametrize(("number", "points"), [("0201", 1), ("0102", 2), ("0103", 2), ("0104", 1), ("0105", 2)])
def test_what_a_hex_costs(field: Callable[..., Any], number: str, points: int) -> None:
    """Flat, marsh, mountain; a burial mound has the cost of the ground that it stands on."""
    start = {"0201": "0202", "0102": "0201", "0103": "0202", "0104": "0203", "0105": "0204"}[number]
    for allowance in (points, points - 1):
        battle = field(ROWS, {"da-01": f"{start} 3-3-{allowance or 1}", **FAR}, phase="east-move")
        assert cost(battle, start, number) == points
        if allowance == points:
            assert battle.why_not(f"move da-01 {number}") is None
        elif allowance:
            assert battle.refused(f"move da-01 {number}") == "7-2.b"


@pytest.mark.clause("12-1.a")
def test_of_two_terrains_in_a_hex_the_harder_counts(field_data: Callable[..., dict[str, Any]]) -> None:
    """Large river over mountain over marsh over flat (R102)."""
    from pbem.rules import yukimura

    data = field_data(ROWS, {"da-01": "0201", **FAR})
    data["maps"]["field"]["terrain"]["legend"]["w"] = ["flat", "marsh"]
    data["maps"]["field"]["terrain"]["legend"]["O"] = ["marsh", "mountain"]
    board = yukimura.board(data)
    assert board.ground.cost[board.parse("0101")][board.parse("0102")] == 2
    assert board.parse("0105") in board.ground.mountain
    assert board.parse("0102") not in board.ground.mountain


@pytest.mark.clause("12-1(4)a", "12-1(4)b")
def test_a_burial_mound_is_closed_by_its_sides_alone(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0203", **FAR}, phase="east-move", impassable=("0203/0104",))
    assert battle.refused("move da-01 0104") == "7-4-2"
    assert cost(battle, "0203", "0104") is None
    assert (cost(battle, "0204", "0104"), cost(battle, "0103", "0104")) == (1, 1)
    assert battle.hex("0104") not in battle.board.ground.mountain


@pytest.mark.clause("12-1(5)a")
def test_along_a_road_each_hex_costs_1(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0101", **FAR}, phase="east-move", roads=("0101 0102 0103",))
    assert (cost(battle, "0101", "0102"), cost(battle, "0102", "0103")) == (1, 1)
    assert (cost(battle, "0201", "0102"), cost(battle, "0202", "0103")) == (2, 2)
    assert battle.why_not("move da-01 0102 0103") is None


@pytest.mark.clause("12-1(6)")
def test_a_large_river_is_entered_along_a_road_alone(field: Callable[..., Any]) -> None:
    roads = ("0205 0206 0207",)
    units = {"da-01": "0205 3-3-3", "da-02": "0305 3-3-3", "da-03": "0206 3-3-3", **FAR}
    battle = field(ROWS, units, phase="east-move", roads=roads)
    assert battle.refused("move da-01 0306") == "12-1(6)"
    assert battle.refused("move da-02 0206") == "7-1-2"
    assert battle.refused("move da-03 0307") == "12-1(6)"  # nor left but along it (R71)
    assert battle.refused("move da-03 0106") == "12-1(6)"
    assert battle.refused("move da-03 0306") == "12-1(6)"
    assert (cost(battle, "0205", "0206"), cost(battle, "0206", "0207")) == (1, 1)
    battle.do("move da-01 0206 0207")
    assert battle.at("da-01") == "0207"


@pytest.mark.clause("12-2(1)a")
def test_a_small_river_costs_1_more(field: Callable[..., Any]) -> None:
    units = {"da-01": "0201 3-3-1", "da-02": "0203 3-3-2", "da-03": "0301 3-3-3", **FAR}
    sides = ("0201/0202", "0203/0204", "0201/0102")
    battle = field(ROWS, units, phase="east-move", rivers=sides)
    assert cost(battle, "0201", "0202") == 2
    assert cost(battle, "0202", "0201") == 2
    assert cost(battle, "0201", "0102") == 3
    assert battle.refused("move da-01 0202") == "7-2.b"
    assert battle.why_not("move da-02 0204") is None
    assert battle.hex("0201") in {a for a, _ in battle.board.ground.small_river}


@pytest.mark.clause("12-2(1)a", "12-1(5)a")
def test_a_road_over_a_small_river_is_a_bridge(field: Callable[..., Any]) -> None:
    """Along a road the extra point is waived; the combat shift stays (R74)."""
    battle = field(ROWS, {"da-01": "0201", **FAR}, phase="east-move", rivers=("0201/0202",), roads=("0201 0202",))
    assert cost(battle, "0201", "0202") == 1
    assert (battle.hex("0201"), battle.hex("0202")) in battle.board.ground.small_river


@pytest.mark.clause("12-2(2)a")
def test_a_road_over_an_impassable_side_is_a_defect(field_data: Callable[..., dict[str, Any]]) -> None:
    from pbem.errors import BadScenario
    from pbem.rules import yukimura

    data = field_data(ROWS, {"da-01": "0201", **FAR}, roads=("0201 0202",), impassable=("0201/0202",))
    with pytest.raises(BadScenario, match="0201/0202"):
        yukimura.board(data)
