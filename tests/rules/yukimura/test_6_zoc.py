"""Rulebook 6: zones of control."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules.yukimura.acting import in_enemy_zoc

ROWS = (". " * 8 + "\n") * 5
AROUND = {"0303", "0305", "0203", "0204", "0403", "0404"}
"""The hexes next to 0304."""


def controlled(battle: Any, side: str) -> set[str]:
    """The numbers of the hexes that a side controls."""
    enemy = battle.board.enemy[side]
    return {label for h, label in battle.board.label.items() if in_enemy_zoc(battle.state, enemy, h)}


@pytest.mark.clause("6.a")
def test_zoc_are_the_six_adjacent_hexes(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"go-01": "0304", "da-01": "0101"}, phase="east-move")
    assert controlled(battle, "osaka") == AROUND
    assert not in_enemy_zoc(battle.state, "east", battle.hex("0302"))
    assert in_enemy_zoc(battle.state, "east", battle.hex("0303"))
    assert not in_enemy_zoc(battle.state, "osaka", battle.hex("0303"))


@pytest.mark.clause("6-1")
@pytest.mark.parametrize("branch", ["mounted", "mounted-rifle", "rifle", "foot", "mounted command 5"])
def test_every_unit_has_a_zoc(field: Callable[..., Any], branch: str) -> None:
    units = {"go-01": f"0304 2-3-3 {branch}", "da-01": "0301 3-3-5"}
    battle = field(ROWS, units, phase="east-move")
    assert controlled(battle, "osaka") == AROUND
    assert battle.why_not("move da-01 0302 0303") is None
    assert battle.refused("move da-01 0302 0303 0403") == "7-3-1"


@pytest.mark.clause("6-2.a")
def test_zoc_does_not_cross_an_impassable_side(field: Callable[..., Any]) -> None:
    units = {"go-01": "0304", "da-01": "0301 3-3-5", "da-02": "0403"}
    battle = field(ROWS, units, phase="east-move", impassable=("0304/0303", "0304/0403"))
    assert controlled(battle, "osaka") == AROUND - {"0303", "0403"}
    assert battle.why_not("move da-01 0302 0303 0202") is None
    assert battle.why_not("move da-02 0402") is None
    open_ground = field(ROWS, units, phase="east-move")
    assert open_ground.refused("move da-01 0302 0303 0202") == "7-3-1"
    assert open_ground.refused("move da-02 0402") == "7-3-2"


RIVER = """
. . . . . . . .
 . . . . . . . .
. . ~ ~ . . . .
 . . . . . . . .
. . . . . . . .
"""


@pytest.mark.clause("6-2.b")
def test_zoc_does_not_extend_into_a_large_river_without_a_road(field: Callable[..., Any]) -> None:
    battle = field(RIVER, {"go-01": "0305", "da-01": "0101"}, phase="east-move")
    assert "0304" not in controlled(battle, "osaka")
    assert {"0306", "0204", "0205", "0404", "0405"} <= controlled(battle, "osaka")


@pytest.mark.clause("6-2.b")
def test_zoc_goes_into_a_river_hex_with_a_road_over_every_side(field: Callable[..., Any]) -> None:
    """The road runs 0302, 0303, 0304, 0305; ZOC goes both ways over all sides but impassable ones (R71)."""
    road = ("0302 0303 0304 0305",)
    for at in ("0305", "0204", "0404"):
        beside = field(RIVER, {"go-01": at, "da-01": "0101"}, phase="east-move", roads=road)
        assert "0304" in controlled(beside, "osaka")
    units = {"go-01": "0204", "da-01": "0101"}
    closed = field(RIVER, units, phase="east-move", impassable=("0204/0304",), roads=road)
    assert "0304" not in controlled(closed, "osaka")
    inside = field(RIVER, {"go-01": "0304", "da-01": "0101"}, phase="east-move", roads=road)
    assert controlled(inside, "osaka") == {"0303", "0305", "0203", "0204", "0403", "0404"}
    short = field(RIVER, {"go-01": "0304", "da-01": "0101"}, phase="east-move", roads=("0304 0305",))
    assert "0303" not in controlled(short, "osaka")  # river without a road


@pytest.mark.clause("6-2.b", "7-3-1", "7-5-1(2)")
def test_who_passes_a_ford_stops_beside_an_enemy_on_the_bank(field: Callable[..., Any]) -> None:
    """0304 lies next to 0404 over a side of the river, 0303 doesn't."""
    units = {"da-01": "0302 3-3-4", "go-01": "0404"}
    battle = field(RIVER, units, phase="east-move", roads=("0302 0303 0304 0305",))
    assert battle.why_not("move da-01 0303 0304") is None
    assert battle.refused("move da-01 0303 0304 0305") == "7-3-1"
    assert battle.why_not("march da-01 0303") is None
    assert battle.refused("march da-01 0303 0304") == "7-5-1(2)"
    free = field(RIVER, {**units, "go-01": "0504"}, phase="east-move", roads=("0302 0303 0304 0305",))
    assert free.why_not("move da-01 0303 0304 0305") is None
    assert free.why_not("march da-01 0303 0304 0305") is None
    units = {"da-01": "0304", "go-01": "0404"}
    inside = field(RIVER, units, phase="east-move", roads=("0302 0303 0304 0305",), idle=True)
    assert inside.refused("move da-01 0305") == "7-3-2"


@pytest.mark.clause("6-3(1)")
def test_zoc_limits_movement(field: Callable[..., Any]) -> None:
    units = {"go-01": "0304", "da-01": "0303", "da-02": "0301 3-3-5"}
    battle = field(ROWS, units, phase="east-move", roads=("0301 0302 0303",))
    assert battle.refused("move da-01 0302") == "7-3-2"
    assert battle.refused("move da-02 0302 0402 0403 0503") == "7-3-1"
    assert battle.refused("march da-02 0302 0303") == "7-5-1(2)"
    assert battle.why_not("move da-02 0302 0402 0403") is None


@pytest.mark.clause("6-3(2)")
def test_zoc_blocks_retreat(field: Callable[..., Any]) -> None:
    """The target can only go through hexes that a second attacker's friend controls: it is removed."""
    line = {"da-01": "0302 9-3-3", "go-01": "0303 3-2-3"}
    free = field(ROWS, line, phase="east-combat", idle=True)
    free.game.apply(free.order("melee da-01 at go-01 hold"))
    free.game.apply((4, 4))
    free.do("", 1)
    assert "remove" not in free.events()
    shut = field(ROWS, {**line, "da-02": "0305", "da-03": "0104", "da-04": "0504"}, phase="east-combat", idle=True)
    shut.do("melee da-01 at go-01 hold", 4, 4, 1)
    assert shut.facts("remove")["unit"] == "go-01"
