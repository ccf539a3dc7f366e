"""Rulebook 4 and 5: the sequence of play, and one unit in a hex."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules import yukimura
from pbem.rules.requests import Choose
from pbem.rules.yukimura.orders import DONE, Fire, Melee, Move

ROWS = (". " * 8 + "\n") * 4
FACING = {"da-01": "0203 rifle", "go-01": "0204 rifle", "da-02": "0103", "go-02": "0306"}
ORDER = ["east-move", "osaka-defence", "east-combat", "osaka-move", "east-defence", "osaka-combat"]


def to_the_phase(battle: Any, phase: str) -> None:
    """Say `done` until a phase is there."""
    for _ in range(8):
        if battle.phase == phase:
            return
        battle.do("done")
    raise AssertionError(phase)


def play(battle: Any, turns: int) -> list[tuple[int, str]]:
    """Say `done` for whole turns; every phase that began, with its turn."""
    begun = []
    while battle.outcome is None and battle.state.turn <= turns:
        begun += [(t.facts["turn"], t.facts["phase"]) for t in battle.do("done") if t.what == "phase"]
    return begun


@pytest.mark.clause("4.a", "4-1.end")
def test_the_six_phases_come_in_order_and_the_turn_advances(field: Callable[..., Any]) -> None:
    battle = field(ROWS, FACING, phase="east-move", turns=3)
    begun = play(battle, 2)
    assert begun == [(turn, phase) for turn in (1, 2, 3) for phase in ORDER][1 : len(begun) + 1]
    assert begun[len(ORDER) - 1] == (2, "east-move")
    assert yukimura.clock(battle.state) == (3, "east-move")


@pytest.mark.clause("4.a")
def test_an_order_of_another_phase_is_refused(field: Callable[..., Any]) -> None:
    battle = field(ROWS, FACING, phase="east-move")
    assert battle.refused("fire da-01 at go-01") == "4.a"
    assert battle.refused("melee da-01 at go-01") == "4.a"
    assert battle.why_not("move da-02 0102") is None


@pytest.mark.clause("4.b", "14-1(2)", "14-2(2)", "14-3(2)")
def test_the_game_ends_after_the_last_turn(field: Callable[..., Any]) -> None:
    battle = field(ROWS, FACING, phase="osaka-combat", turn=11)
    battle.do("done")
    assert battle.outcome is None
    assert yukimura.clock(battle.state) == (12, "east-move")
    battle = field(ROWS, FACING, phase="osaka-combat", turn=12)
    assert battle.outcome is None
    battle.do("done")
    assert battle.outcome is not None
    assert battle.request is None
    assert battle.events() == ["end"]
    assert battle.state.turn == 12


@pytest.mark.clause("4-1(1)")
def test_phase_1_is_eastern_movement(field: Callable[..., Any]) -> None:
    battle = field(ROWS, FACING, phase="east-move")
    assert battle.refused("move go-02 0307") == "1-a"
    battle.do("move da-02 0102")
    assert battle.at("da-02") == "0102"


@pytest.mark.clause("4-1(4)")
def test_phase_4_is_osaka_movement(field: Callable[..., Any]) -> None:
    battle = field(ROWS, FACING, phase="osaka-move")
    assert battle.refused("move da-02 0102") == "1-a"
    battle.do("move go-02 0307")
    assert battle.at("go-02") == "0307"


@pytest.mark.clause("4-1(1)A", "4-1(4)A")
@pytest.mark.parametrize(
    ("unit", "phase", "other"), [("da-11", "east-move", "osaka-move"), ("go-11", "osaka-move", "")]
)
def test_reinforcements_enter_in_the_movement_phase_of_their_side(
    field: Callable[..., Any], unit: str, phase: str, other: str
) -> None:
    force = "date" if unit.startswith("da") else "goto"
    units = {unit: "waiting", "ho-01": "0202", "ak-01": "0207"}
    more = {"entries": {"east": "0108"}, "reinforcements": [{"force": force, "turn": 1, "edge": "east"}]}
    battle = field(ROWS, units, phase=other or "east-move", **more)
    assert battle.refused(f"enter {unit} 0108") == "1-a"
    battle = field(ROWS, units, phase=phase, **more)
    battle.do(f"enter {unit} 0108")
    assert battle.at(unit) == "0108"


@pytest.mark.clause("4-1(2)", "4-1(5)")
@pytest.mark.parametrize(
    ("phase", "fires", "foot", "enemy"),
    [
        ("osaka-defence", "fire go-01 at da-01", "melee go-02 at da-01", "fire da-01 at go-01"),
        ("east-defence", "fire da-01 at go-01", "melee da-02 at go-01", "fire go-01 at da-01"),
    ],
)
def test_in_defensive_fire_only_riflemen_of_the_side_fire(
    field: Callable[..., Any], phase: str, fires: str, foot: str, enemy: str
) -> None:
    units = {"da-01": "0203 rifle", "go-01": "0204 rifle", "da-02": "0103", "go-02": "0303"}
    battle = field(ROWS, units, phase=phase)
    request = battle.request
    assert isinstance(request, Choose)
    assert request.reaction
    assert battle.refused(foot)
    assert battle.refused(enemy)
    assert battle.why_not(fires) is None
    assert battle.why_not("done") is None


@pytest.mark.clause("4-1(3)", "4-1(6)", "4-1(3)A", "4-1(3)B", "4-1(6)A", "4-1(6)B")
@pytest.mark.parametrize(("side", "own", "enemy"), [("east", "da", "go"), ("osaka", "go", "da")])
def test_in_combat_all_fire_comes_before_melee_and_only_the_phasing_side_attacks(
    field: Callable[..., Any], side: str, own: str, enemy: str
) -> None:
    units = {f"{own}-01": "0203 rifle", f"{own}-02": "0202", f"{own}-03": "0302 rifle", f"{enemy}-01": "0204 3-6-3"}
    units |= {f"{enemy}-02": "0303 3-6-3 rifle"}
    battle = field(ROWS, units, phase=f"{side}-combat", idle=True)
    assert battle.state.step == "fire"
    assert battle.refused(f"fire {enemy}-02 at {own}-02")
    assert battle.refused(f"melee {enemy}-02 at {own}-02")
    assert battle.refused(f"fire {own}-02 at {enemy}-02") == "9.b"
    battle.do(f"fire {own}-01 at {enemy}-01 hold", 1, 1)
    battle.do(f"melee {own}-02 at {enemy}-02 hold", 4, 3, *[1] * 1)
    assert battle.state.step == "melee"
    assert battle.refused(f"fire {own}-03 at {enemy}-02") == f"4-1({3 if side == 'east' else 6})"


@pytest.mark.clause("4-1(3)", "4-1(6)")
def test_orders_are_sorted_into_the_steps_of_the_phase() -> None:
    fire, melee = Fire("da-01", "go-01"), Melee("da-02", "go-01")
    given = [melee, DONE, fire, Move("da-03", ())]
    assert sorted(given, key=yukimura.step) == [fire, Move("da-03", ()), melee, DONE]


@pytest.mark.clause("4-1.end")
def test_the_checks_of_the_turns_end_come_between_phase_6_and_phase_1(field: Callable[..., Any]) -> None:
    units = {"da-01": "0101", "go-01": "0102"}
    more = {"victory": {"breakthrough": ["0101"]}, "idle": True}
    battle = field(ROWS, units, phase="osaka-move", **more)
    to_the_phase(battle, "osaka-combat")
    assert battle.outcome is None
    battle.do("done")
    assert battle.outcome.clause == "14-2(6)3"


# --- 5: one unit in a hex


@pytest.mark.clause("5.a")
def test_at_most_one_unit_stands_in_a_hex(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0101", "da-02": "0102", "go-01": "0408"}, phase="east-move")
    assert battle.refused("move da-01 0102") == "7-4-1.b"
    battle.do("move da-02 0103")
    battle.do("move da-01 0102")
    assert battle.at("da-01") == "0102"


@pytest.mark.clause("5.b")
def test_passing_over_a_friend_breaks_nothing(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0101", "da-02": "0102", "go-01": "0108 rifle"}, phase="east-move", idle=True)
    battle.do("move da-01 0102 0103")
    assert (battle.at("da-01"), battle.at("da-02")) == ("0103", "0102")
    for phase in ("east-move", "osaka-defence", "east-combat"):
        assert len(set(battle.state.at.values())) == len(battle.state.at), phase
        battle.do("done")


@pytest.mark.clause("5.b", "5.c")
def test_of_two_units_in_a_hex_the_later_one_is_removed_when_the_phase_closes(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0101", "da-02": "0102", "go-01": "0408"}, phase="east-move", idle=True)
    battle.state.put("da-01", battle.hex("0102"))
    told = battle.do("done")
    removed = [tell for tell in told if tell.what == "remove"]
    assert [(tell.clause, tell.facts["unit"], tell.facts["at"]) for tell in removed] == [("5.c", "da-01", "0102")]
    assert battle.at("da-02") == "0102"
    assert battle.state.unit_in(battle.hex("0102")) == "da-02"
    assert "da-01" in battle.state.removed


@pytest.mark.clause("5.c")
def test_without_a_second_unit_nothing_is_removed(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0101", "da-02": "0102", "go-01": "0408"}, phase="east-move", idle=True)
    assert "remove" not in [tell.what for tell in battle.do("done")]
