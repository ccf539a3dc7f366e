"""Chapter 7, recovery: a disordered unit, one die, its morale value."""

from __future__ import annotations

import pytest

PLAIN = """
    . . . .
     . . . .
"""


@pytest.mark.clause("7(0)")
def test_only_a_disordered_unit_recovers(field):
    units = {"sg-1": "0101 4-3-3-4", "sg-2": "0103 4-3-3-4 disordered"}
    battle = field(PLAIN, units, phase="shogunate-move")
    assert battle.refused("recover sg-1") == "7(0)"
    assert battle.why_not("recover sg-2") is None
    assert [order for order in battle.options() if order.startswith("recover")] == ["recover sg-2"]


@pytest.mark.clause("7(0)", "8(0)")
def test_only_the_active_player_recovers_his_units(field):
    units = {"sg-1": "0101 4-3-3-4 disordered", "sa-1": "0104 4-3-3-4 disordered"}
    battle = field(PLAIN, units, phase="shogunate-move", idle=True)
    assert battle.refused("recover sa-1") == "7(0)"
    for _ in range(3):
        battle.do("done")
    assert battle.phase == "satcho-move"
    assert battle.refused("recover sg-1") == "7(0)"
    assert battle.why_not("recover sa-1") is None


@pytest.mark.clause("7(0)")
def test_enemy_zoc_does_not_hinder_recovery(field):
    units = {"sg-1": "0102 4-3-3-4 disordered", "sa-1": "0101 4-3-3-4", "sa-2": "0103 4-3-3-4", "sa-3": "0201 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move", idle=True)
    battle.do("recover sg-1", 3)
    assert battle.words("sg-1") == {"normal", "done"}


@pytest.mark.clause("7(0)")
@pytest.mark.parametrize("letter", ["h", "m", "t", "w", "c"])
def test_terrain_does_not_hinder_recovery(field, letter):
    battle = field(f"{letter} . .", {"sg-1": "0101 4-3-3-4 disordered"}, phase="shogunate-move", idle=True)
    battle.do("recover sg-1", 3)
    assert battle.words("sg-1") == {"normal", "done"}
    assert battle.facts("recover") == {"unit": "sg-1", "at": "0101", "die": 3, "morale": 3, "success": True}
    failed = field(f"{letter} . .", {"sg-1": "0101 4-3-3-4 disordered"}, phase="shogunate-move", idle=True)
    failed.do("recover sg-1", 4)
    assert failed.words("sg-1") == {"disordered", "done"}


@pytest.mark.clause("7(0)", "2-2-1(1)2d")
def test_artillery_recovers_like_any_unit(field):
    battle = field(PLAIN, {"sg-1": "0101 5-x-3-3 range 3 disordered"}, phase="shogunate-move", idle=True)
    battle.do("recover sg-1", 3)
    assert battle.words("sg-1") == {"normal", "artillery", "done"}


@pytest.mark.clause("7(0)", "2-1-1(0)a")
def test_a_unit_off_the_map_does_not_recover(field):
    units = {"sg-1": "removed 4-3-3-4", "sg-2": "0101 4-3-3-4", "sg-3": "cup 4-3-3-4", "sg-4": "received 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move")
    assert battle.refused("recover sg-1") == "2-1-1(0)a"
    assert "removed in turn 1" in battle.why_not("recover sg-1").reason
    assert battle.refused("recover sg-3") == "4(3)b"
    assert battle.refused("recover sg-4") == "13-2(1)"


@pytest.mark.clause("7(1)")
@pytest.mark.parametrize("morale", [1, 3, 4, 5, 6])
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_a_die_up_to_the_morale_value_succeeds(field, morale, die):
    battle = field(PLAIN, {"sg-1": f"0101 4-3-{morale}-4 disordered"}, phase="shogunate-move", idle=True)
    battle.do("recover sg-1", die)
    assert battle.facts("recover") == {
        "unit": "sg-1",
        "at": "0101",
        "die": die,
        "morale": morale,
        "success": die <= morale,
    }
    assert ("normal" in battle.words("sg-1")) is (die <= morale)


@pytest.mark.clause("7(1)")
def test_the_check_is_one_die(field):
    battle = field(PLAIN, {"sg-1": "0103 4-3-3-4 disordered"}, phase="shogunate-move", idle=True)
    battle.game.apply(battle.order("recover sg-1"))
    assert (battle.request.label, battle.request.dice, battle.request.sides) == ("recover/0103", 1, 6)


@pytest.mark.clause("7(2)a", "7(2)b")
@pytest.mark.parametrize(("die", "word", "clause"), [(4, "normal", "7(2)a"), (5, "disordered", "7(2)b")])
def test_success_turns_the_unit_over_and_failure_leaves_it_as_it_is(field, die, word, clause):
    battle = field(PLAIN, {"sg-1": "0101 4-3-4-4 disordered"}, phase="shogunate-move", idle=True)
    told = battle.do("recover sg-1", die)
    assert battle.words("sg-1") == {word, "done"}
    assert battle.at("sg-1") == "0101"
    assert battle.state.removed == {}
    assert [(tell.what, tell.clause) for tell in told] == [("recover", clause)]


@pytest.mark.clause("7(3)", "6(3)")
@pytest.mark.parametrize("die", [3, 4])
def test_the_try_uses_up_the_units_action(field, die):
    battle = field(PLAIN, {"sg-1": "0101 4-3-3-4 disordered"}, phase="shogunate-move", idle=True, roads=("0101 0102",))
    battle.do("recover sg-1", die)
    for order in ("move sg-1 0102", "march sg-1 0102", "recover sg-1"):
        assert battle.refused(order) == "6(3)"


@pytest.mark.clause("7(2)b", "7(3)")
def test_a_unit_that_failed_tries_again_in_the_next_turn(field):
    battle = field(PLAIN, {"sg-1": "0101 4-3-3-4 disordered"}, phase="shogunate-move", idle=True)
    battle.do("recover sg-1", 6)
    for _ in range(6):
        battle.do("done")
    assert battle.state.turn == 2
    battle.do("recover sg-1", 1)
    assert battle.words("sg-1") == {"normal", "done"}
