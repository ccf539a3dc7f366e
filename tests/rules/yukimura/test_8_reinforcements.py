"""Rulebook 8: reinforcements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ROWS = (". " * 8 + "\n") * 5
BASE = {"ho-01": "0101", "go-01": "0501"}
DATE = {"reinforcements": [{"force": "date", "turn": 3, "edge": "east", "clause": "14-1(4)1"}]}
GATES = {"entries": {"east": "0208 0408", "west": "0301"}}


@pytest.mark.clause("8.a")
def test_units_enter_when_and_where_the_scenario_says(field: Callable[..., Any]) -> None:
    units = {**BASE, "da-01": "waiting"}
    early = field(ROWS, units, phase="east-move", turn=2, opened=False, **DATE, **GATES)
    assert early.refused("enter da-01 0208") == "8.a"
    battle = field(ROWS, units, phase="east-move", turn=3, opened=False, **DATE, **GATES)
    assert battle.refused("enter da-01 0301") == "14-1(4)1"
    assert battle.refused("enter da-01 0108") == "14-1(4)1"
    assert battle.refused("enter ho-01 0208") == "8.a"
    assert battle.refused("move da-01 0208") == "8.a"
    for entry in ("0208", "0408"):
        assert battle.why_not(f"enter da-01 {entry}") is None
    battle.do("enter da-01 0208")
    assert battle.at("da-01") == "0208"
    assert battle.state.waiting["date"] == ()


@pytest.mark.clause("8.a")
def test_the_arrival_is_told_once(field: Callable[..., Any]) -> None:
    units = {**BASE, "da-01": "waiting", "da-02": "waiting"}
    battle = field(ROWS, units, phase="osaka-combat", turn=2, idle=True, **DATE, **GATES)
    battle.do("done")
    assert battle.facts("reinforcements") == {
        "side": "east",
        "force": "date",
        "title": "Date",
        "die": None,
        "units": ["da-01", "da-02"],
    }
    for _ in range(3):
        assert "reinforcements" not in [tell.what for tell in battle.do("done")]


@pytest.mark.clause("8-1.a")
def test_entering_costs_one_point_whatever_the_terrain(field: Callable[..., Any]) -> None:
    rows = ROWS.replace(". \n", "w \n")
    for ground in (ROWS, rows):
        units = {**BASE, "da-01": "waiting 3-3-3"}
        battle = field(ground, units, phase="east-move", turn=3, opened=False, **DATE, **GATES)
        assert battle.refused("enter da-01 0208 0207 0206 0205") == "7-2.b"
        assert battle.why_not("enter da-01 0208") is None
        battle.do("enter da-01 0208 0207 0206")
        assert battle.at("da-01") == "0206"
        assert battle.facts("move")["cost"] == 3
        assert battle.facts("move")["from"] is None


@pytest.mark.clause("8-1.a")
def test_an_entry_is_the_move_of_the_phase(field: Callable[..., Any]) -> None:
    units = {**BASE, "da-01": "waiting 3-3-5"}
    battle = field(ROWS, units, phase="east-move", turn=3, opened=False, roads=("0208 0207",), **DATE, **GATES)
    battle.do("enter da-01 0208")
    assert battle.refused("move da-01 0207") == "7-2.a"
    assert battle.refused("march da-01 0207") == "7-2.a"


@pytest.mark.clause("8-1.b")
def test_a_reinforcement_may_enter_enemy_zoc_and_stops_there(field: Callable[..., Any]) -> None:
    units = {"ho-01": "0101", "go-01": "0207", "da-01": "waiting 3-3-5"}
    battle = field(ROWS, units, phase="east-move", turn=3, opened=False, **DATE, **GATES)
    assert battle.refused("enter da-01 0208 0308") == "7-3-1"
    assert [order for order in battle.options() if order.startswith("enter da-01 0208")] == ["enter da-01 0208"]
    battle.do("enter da-01 0208")
    assert battle.at("da-01") == "0208"


@pytest.mark.clause("8-2")
def test_an_occupied_entry_hex_is_closed(field: Callable[..., Any]) -> None:
    units = {"ho-01": "0208", "go-01": "0408", "da-01": "waiting 3-3-5", "da-02": "waiting"}
    battle = field(ROWS, units, phase="east-move", turn=3, opened=False, **DATE, **GATES)
    assert battle.refused("enter da-01 0208 0207") == "8-2"
    assert battle.refused("enter da-01 0408") == "8-2"
    battle.do("move ho-01 0207")
    battle.do("enter da-01 0208 0108")
    battle.do("enter da-02 0208")
    assert (battle.at("da-01"), battle.at("da-02")) == ("0108", "0208")


@pytest.mark.clause("8-3")
def test_with_all_entry_hexes_occupied_a_unit_waits(field: Callable[..., Any]) -> None:
    units = {"ho-01": "0208", "ho-02": "0408", "go-01": "0501", "da-01": "waiting"}
    battle = field(ROWS, units, phase="east-move", turn=3, opened=False, **DATE, **GATES)
    assert not [order for order in battle.options() if order.startswith("enter")]
    while battle.state.turn == 3:
        battle.do("done")
    assert battle.state.waiting["date"] == ("da-01",)
    battle.do("move ho-02 0407")
    assert "enter da-01 0408" in battle.options()
    battle.do("enter da-01 0408")
    assert battle.at("da-01") == "0408"


def test_the_options_of_a_waiting_unit_are_legal_and_complete(field: Callable[..., Any]) -> None:
    units = {**BASE, "da-01": "waiting 3-3-3"}
    battle = field(ROWS, units, phase="east-move", turn=3, opened=False, **DATE, **GATES)
    offered = [order for order in battle.options() if order.startswith("enter da-01 0408")]
    assert all(battle.why_not(order) is None for order in offered)
    assert {order.split()[-1] for order in offered} == {
        "0408", "0407", "0406", "0308", "0307", "0207", "0208", "0508", "0507",
    }  # fmt: skip
