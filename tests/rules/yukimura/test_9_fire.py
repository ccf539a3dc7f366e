"""Rulebook 9: firing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.errors import MalformedOrder

OPEN = """
. . . . . . .
 . . . . . . .
. . . . . . .
 . . . . . . .
. . . . . . .
 . . . . . . .
. . . . . . .
"""

# 0404 is the middle: next to it are 0403, 0405, 0304, 0305, 0504, 0505
RIFLES = {"da-01": "0403 3-3-3 rifle", "da-02": "0304 4-4-4 rifle", "da-03": "0504 2-3-3 mounted-rifle"}
TARGET = {"go-01": "0404 3-4-3"}


@pytest.mark.clause("9.a", "4-1(3)A", "4-1(6)A")
@pytest.mark.parametrize(
    ("phase", "fires"),
    [
        ("osaka-defence", "fire go-01 at da-01"),
        ("east-combat", "fire da-01 at go-01"),
        ("east-defence", "fire da-01 at go-01"),
        ("osaka-combat", "fire go-01 at da-01"),
    ],
)
def test_riflemen_fire_in_their_two_phases(field: Callable[..., Any], phase: str, fires: str) -> None:
    units = {"da-01": "0403 3-3-3 rifle", "go-01": "0404 3-3-3 rifle"}
    battle = field(OPEN, units, phase=phase, idle=True)
    other = "fire da-01 at go-01" if fires.startswith("fire go") else "fire go-01 at da-01"
    assert battle.why_not(other).clause == "1-a"
    battle.do(fires, 1, 1)
    assert battle.facts("fire")["result"] == "-"


@pytest.mark.clause("9.a", "4-1(2)", "4-1(5)", "10.a")
def test_nobody_fires_while_he_moves_and_nobody_fights_in_defence(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 3-3-3 rifle", "go-01": "0404 3-3-3 rifle"}
    for phase in ("east-move", "osaka-move"):
        battle = field(OPEN, units, phase=phase, idle=True)
        shooter, target = ("da-01", "go-01") if phase == "east-move" else ("go-01", "da-01")
        assert battle.refused(f"fire {shooter} at {target}") == "4.a"
    battle = field(OPEN, units, phase="osaka-defence", idle=True)
    assert battle.refused("melee go-01 at da-01") == "10.a"
    assert battle.refused("move go-01 0405") == "4-1(2)"
    assert battle.why_not("fire go-01 at da-01") is None


@pytest.mark.clause("9.b")
@pytest.mark.parametrize(
    ("branch", "legal"), [("rifle", True), ("mounted-rifle", True), ("foot", False), ("mounted", False)]
)
def test_only_rifle_branches_fire(field: Callable[..., Any], branch: str, legal: bool) -> None:
    battle = field(OPEN, {"da-01": f"0403 3-3-3 {branch}", **TARGET}, phase="east-combat", idle=True)
    if legal:
        assert battle.why_not("fire da-01 at go-01") is None
    else:
        assert battle.refused("fire da-01 at go-01") == "9.b"


@pytest.mark.clause("9.c", "9-1-1")
def test_targets_are_adjacent_enemies(field: Callable[..., Any]) -> None:
    units = {**RIFLES, **TARGET, "go-02": "0405", "da-04": "0402", "go-03": "removed"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    assert battle.why_not("fire da-01 at go-01") is None
    assert battle.refused("fire da-01 at go-02") == "9.c"  # two hexes away
    assert battle.refused("fire da-01 at da-04") == "9-1-1"
    assert battle.refused("fire da-01 at go-03") == "9-1-1"
    assert battle.refused("fire da-01 at go-01 with da-04") == "9.b"


@pytest.mark.clause("9.d", "9-2.b", "9-1-5")
def test_one_target_after_another_on_the_board_as_it_is_then(field: Callable[..., Any]) -> None:
    units = {**RIFLES, "go-01": "0404 3-1-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01 hold", 4, 5, 1)  # strength 3, dice 9: 1; die 1 + 1 - morale 1 = 1
    assert battle.at("go-01") == "0405"  # the only way
    assert battle.refused("fire da-02 at go-01") == "9-1-5"


@pytest.mark.clause("9-1")
@pytest.mark.parametrize("words", ["fire da-01", "fire da-01 at", "fire at go-01", "fire da-01 at go-01 with"])
def test_firers_and_target_are_named(field: Callable[..., Any], words: str) -> None:
    battle = field(OPEN, {**RIFLES, **TARGET}, phase="east-combat", idle=True)
    with pytest.raises(MalformedOrder):
        battle.order(words)
    assert battle.order("fire da-01 at go-01 with da-02").support == ("da-02",)


@pytest.mark.clause("9-1-2")
def test_each_unit_fires_once_in_each_of_its_phases(field: Callable[..., Any]) -> None:
    units = {"go-01": "0404 3-3-3 rifle", "da-01": "0403", "da-02": "0405"}
    battle = field(OPEN, units, phase="osaka-defence", idle=True)
    battle.do("fire go-01 at da-01", 1, 1)
    assert battle.refused("fire go-01 at da-02") == "9-1-2"
    assert battle.refused("fire go-99 at da-99 with go-99") == "9-1-2"
    battle.do("done")
    battle = field(OPEN, units, phase="osaka-combat", idle=True)
    assert battle.why_not("fire go-01 at da-02") is None


@pytest.mark.clause("9-1-2", "9-1-5", "9-1-7.c")
def test_defensive_fire_counts_apart_from_the_combat_phase(field: Callable[..., Any]) -> None:
    units = {"go-01": "0404 3-3-3 rifle", "da-01": "0403 3-6-3"}
    battle = field(OPEN, units, phase="osaka-defence")
    battle.do("fire go-01 at da-01", 1, 1)
    assert battle.phase == "east-combat"
    battle.do("done")
    battle.do("done")  # nobody can move: both stand in enemy ZOC, but the phases pass
    while battle.phase != "osaka-combat":
        battle.do("done")
    assert battle.why_not("fire go-01 at da-01") is None
    assert battle.why_not("melee go-01 at da-01") is None


@pytest.mark.clause("9-1-3")
def test_firing_is_voluntary(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**RIFLES, **TARGET}, phase="east-defence", idle=True)
    before = battle.state.at.copy()
    battle.do("done")
    assert battle.state.at == before
    assert battle.phase == "osaka-combat"


@pytest.mark.clause("9-1-4")
def test_fire_from_several_hexes_is_one_attack(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**RIFLES, **TARGET}, phase="east-combat", idle=True)
    battle.do("fire da-02 at go-01 with da-01 da-03", 1, 1)
    facts = battle.facts("fire")
    assert (facts["strength"], facts["column"], facts["with"]) == (9, "9-10", ["da-01", "da-03"])
    assert battle.state.fired == {"da-01", "da-02", "da-03"}
    for other in ("da-01", "da-02", "da-03"):
        assert battle.refused(f"fire {other} at go-01") == "9-1-5"


@pytest.mark.clause("9-1-5")
def test_a_target_once_even_for_fresh_firers_and_after_its_retreat(field: Callable[..., Any]) -> None:
    units = {
        "da-01": "0403 3-3-3 rifle",
        "da-02": "0305 3-3-3 rifle",
        "da-03": "0306 3-3-3 rifle",
        "go-01": "0404 3-2-3",
    }
    battle = field(OPEN, {**units, "go-02": "0407"}, phase="east-combat", idle=True)
    assert battle.why_not("fire da-02 at go-01") is None
    battle.do("fire da-01 at go-01", 1, 2)
    assert battle.facts("fire")["result"] == "-"
    assert battle.refused("fire da-02 at go-01") == "9-1-5"
    assert battle.refused("fire da-02 at go-02") == "9.c"


@pytest.mark.clause("9-1-6")
def test_impassable_sides_do_not_hinder_fire(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 3-3-3 rifle", **TARGET}
    battle = field(OPEN, units, phase="east-combat", idle=True, impassable=["0403/0404"])
    assert battle.refused("melee da-01 at go-01") == "10-1-6"
    battle.do("fire da-01 at go-01", 1, 1)
    assert battle.events() == ["fire"]


@pytest.mark.clause("9-1-7.a", "9-1-7.b", "10-1-7", "4-1(3)")
def test_fire_and_melee_exclude_one_another(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**RIFLES, **TARGET, "go-02": "0503 3-6-3"}, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01", 1, 1)
    assert battle.refused("melee da-01 at go-01") == "9-1-7.a"
    assert battle.why_not("melee da-02 at go-01") is None
    battle.do("melee da-03 at go-02", 3, 4, 1)  # -1: A2, die 1 + 2 - 3: passed
    assert battle.refused("fire da-02 at go-01") == "4-1(3)"  # the melee closed the fire step
    battle.state.step = "fire"
    assert battle.refused("fire da-03 at go-02") == "9-1-7.b"  # the guard behind it
    assert battle.refused("fire da-02 at go-02 with da-03") == "9.c"


@pytest.mark.clause("9-1-7.a")
def test_a_group_with_one_unit_that_fired_is_refused_whole(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**RIFLES, **TARGET}, phase="east-combat", idle=True)
    battle.do("fire da-03 at go-01", 1, 1)
    assert battle.refused("melee da-01 at go-01 with da-03") == "9-1-7.a"
    assert battle.why_not("melee da-01 at go-01 with da-02") is None


@pytest.mark.clause("9-2.a")
def test_sum_and_dice_meet_in_the_table(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**RIFLES, "go-01": "0404 3-9-3"}, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01 with da-02", 5, 4, 6)
    facts = battle.facts("fire")
    assert (facts["strength"], facts["column"], facts["total"], facts["result"]) == (7, "7-8", 9, "2")
    assert facts["dice"] == [5, 4]
    assert (battle.facts("check")["value"], battle.facts("check")["passed"]) == (-1, True)


@pytest.mark.clause("9-2-1(-)")
def test_a_dash_does_nothing(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**RIFLES, **TARGET}, phase="east-combat", idle=True)
    assert [tell.what for tell in battle.do("fire da-01 at go-01", 3, 4)] == ["fire"]
    assert battle.at("go-01") == "0404"


@pytest.mark.clause("9-2-1(0-4)", "11(1)")
@pytest.mark.parametrize(("die", "value", "events"), [(1, -1, ["fire", "check"]), (2, 0, ["fire", "check"])])
def test_the_number_is_added_to_the_die_passed(
    field: Callable[..., Any], die: int, value: int, events: list[str]
) -> None:
    battle = field(OPEN, {**RIFLES, **TARGET}, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01", 5, 6, die)  # strength 3, dice 11: 2
    assert (battle.facts("check")["add"], battle.facts("check")["value"]) == (2, value)
    assert battle.events() == events


@pytest.mark.clause("9-2-1(0-4)", "11(1)")
def test_the_number_is_added_to_the_die_failed(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**RIFLES, **TARGET}, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01 hold", 5, 6, 3)  # 3 + 2 - 4 = 1
    assert battle.facts("check")["retreat"] == 1
    assert battle.events() == ["fire", "check", "retreat"]
    assert battle.at("go-01") == "0405"


@pytest.mark.clause("9-2-1(E)", "11.b")
@pytest.mark.parametrize("morale", ["6", "*"])
def test_e_removes_without_a_check(field: Callable[..., Any], morale: str) -> None:
    units = {"da-01": "0403 6-3-3 rifle", "da-02": "0304 5-4-4 rifle", "go-01": f"0404 3-{morale}-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01 with da-02 hold", 6, 6)
    assert battle.events() == ["fire", "remove"]
    assert battle.at("go-01") is None


@pytest.mark.clause("9-2-1(0-4)", "11.b")
def test_an_asterisk_ignores_numbers(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**RIFLES, "go-01": "0404 3-*-3"}, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01 with da-02 da-03", 6, 6)  # strength 9: 4, but nobody rolls
    assert battle.facts("fire")["result"] == "4"
    assert battle.events() == ["fire", "exempt"]
    assert battle.at("go-01") == "0404"


@pytest.mark.clause("11-3-2")
def test_no_advance_after_defensive_fire(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 9-3-3 rifle", "da-02": "0304 5-4-4 rifle", "go-01": "0404 3-3-3 rifle"}
    battle = field(OPEN, units, phase="east-defence", idle=True)
    assert battle.refused("fire da-01 at go-01 with da-02 advance da-01") == "11-3-2"
    battle.do("fire da-01 at go-01 with da-02", 6, 6)
    assert battle.at("go-01") is None
    assert battle.request.kind == "defence"  # nobody is asked for an advance
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01 with da-02 advance da-01", 6, 6)
    assert battle.at("da-01") == "0404"


@pytest.mark.clause("4-1(2)", "4-1(5)")
def test_defensive_fire_is_a_reaction_with_a_policy(field: Callable[..., Any]) -> None:
    """R100: highest column, then lowest morale, then hex; with no more units than the column needs."""
    units = {
        "go-01": "0404 3-3-3 rifle", "go-02": "0405 3-3-3 rifle", "go-03": "0406 2-3-3 rifle",
        "da-01": "0504 3-4-3", "da-02": "0505 3-2-3", "da-03": "0506 3-2-3",
    }  # fmt: skip
    battle = field(OPEN, units, phase="osaka-defence", idle=True)
    choose = battle.request
    assert choose.reaction
    # 0505 and 0506 both lie next to two of them (6 or 5, one column); 0506's is da-03, 0505's da-02: the same morale
    assert battle.order("fire go-01 at da-02 with go-02") == choose.default()
    assert choose.standing([("defence", "none")]) == battle.order("done")
    assert choose.standing([("defence", "none"), ("defence", "best")]) == choose.default()
    assert choose.standing([("defence", "none"), ("defence",)]) is None
    assert choose.standing([("retreat", "any", "0101")]) is None
    battle.do("done")
    assert battle.phase == "east-combat"


def test_the_best_fire_spends_no_unit_that_the_column_does_not_need(field: Callable[..., Any]) -> None:
    units = {"go-01": "0404 3-3-3 rifle", "go-02": "0305 1-3-3 rifle", "da-01": "0405 3-4-3"}
    battle = field(OPEN, units, phase="osaka-defence", idle=False)
    assert battle.request.default() == battle.order("fire go-01 at da-01")  # 3 and 4 are one column
    battle = field(OPEN, {**units, "go-02": "0305 2-3-3 rifle"}, phase="osaka-defence")
    assert battle.request.default() == battle.order("fire go-01 at da-01 with go-02")


@pytest.mark.clause("4-1(2)")
def test_the_best_fire_goes_on_until_nobody_can(field: Callable[..., Any]) -> None:
    units = {"go-01": "0404 2-3-3 rifle", "go-02": "0405 2-3-3 rifle", "da-01": "0403 3-4-3", "da-02": "0406 3-*-3"}
    battle = field(OPEN, units, phase="osaka-defence")
    assert battle.request.default() == battle.order("fire go-01 at da-01")  # the asterisk comes last
    battle.do("fire go-01 at da-01", 1, 1)
    assert battle.request.default() == battle.order("fire go-02 at da-02")
    battle.do("fire go-02 at da-02", 1, 1)
    assert battle.phase == "east-combat"


def test_options_are_legal_and_few(field: Callable[..., Any]) -> None:
    around = ["0403", "0405", "0304", "0305", "0504", "0505"]
    units = {f"da-0{i}": f"{h} 3-3-3 rifle" for i, h in enumerate(around, 1)} | TARGET
    battle = field(OPEN, units, phase="east-combat")
    options = battle.options()
    assert len(options) == len(set(options)) == 2 * (6 + 5) + 1
    assert all(battle.why_not(order) is None for order in options)
    assert options[-1] == "done"


def test_a_phase_in_which_nobody_can_fire_is_over(field: Callable[..., Any]) -> None:
    units = {"go-01": "0404", "da-01": "0403"}
    battle = field(OPEN, units, phase="osaka-defence")
    assert battle.phase == "east-combat"
    battle = field(OPEN, {**units, "go-01": "0404 3-3-3 rifle"}, phase="osaka-defence")
    assert battle.phase == "osaka-defence"
