"""The rulebook's worked examples of Toba-Fushimi's rules, played on small fields."""

from __future__ import annotations

import pytest

RIDGE = """
    . . .
     t m .
    . . .
"""


@pytest.mark.clause("9-2(3)", "9-2(2)a")
def test_two_supporters_add_two_whatever_their_own_strength(field):
    units = {
        "sa-1": "0201 6-5-5-5",
        "sa-2": "0102 3-5-5-5",
        "sa-3": "0103 2-5-5-5",
        "sg-1": "0202 4-3-3-4",
    }
    battle = field(". . .\n . . .", units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1 with sa-2 sa-3", 1, 1)
    assert battle.facts("fire")["strength"] == 8
    assert all("done" in battle.words(unit) for unit in ("sa-1", "sa-2", "sa-3"))


@pytest.mark.clause("9-2(3)")
def test_without_supporters_the_strength_is_the_main_units(field):
    units = {"sa-1": "0201 6-5-5-5", "sa-2": "0102 3-5-5-5", "sg-1": "0202 4-3-3-4"}
    battle = field(". . .\n . . .", units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1", 1, 1)
    assert battle.facts("fire")["strength"] == 6
    assert "done" in battle.words("sa-1")
    assert "done" not in battle.words("sa-2")


@pytest.mark.clause("9-2(5)0a", "9-2(4)1a", "9-2(4)2", "9-2(5)2a")
def test_fire_from_a_mountain_top_into_a_mountain(field):
    battle = field(RIDGE, {"sa-1": "0201 3-5-5-5", "sg-1": "0202 4-3-3-4"}, phase="satcho-fire")
    battle.do("fire sa-1 at sg-1", 3, 4)
    fire = battle.facts("fire")
    assert sorted((m["what"], m["value"]) for m in fire["modifiers"]) == [("from mountain top", 2), ("mountain", -2)]
    assert (fire["total"], fire["strength"], fire["result"]) == (7, 3, "D")
    assert battle.words("sg-1") == {"disordered"}
    assert battle.at("sg-1") == "0202"


@pytest.mark.clause("9-2(4)2")
def test_the_other_reading_of_the_mountain_top_gives_another_result(field):
    units = {"sa-1": "0201 3-5-5-5", "sg-1": "0202 4-3-3-4"}
    battle = field(RIDGE, units, phase="satcho-fire", options={"mountain-top": "strength"})
    battle.do("fire sa-1 at sg-1", 3, 4)
    fire = battle.facts("fire")
    assert (fire["total"], fire["strength"], fire["result"]) == (5, 5, "-")
    assert battle.words("sg-1") == {"normal"}


@pytest.mark.clause("9-2(4)2")
def test_only_the_main_firing_units_mountain_top_counts(field):
    units = {"sa-1": "0102 3-5-5-5", "sa-2": "0201 3-5-5-5", "sg-1": "0202 4-3-3-4"}
    battle = field(". . .\n t . .", units, phase="satcho-fire")
    battle.do("fire sa-1 at sg-1 with sa-2", 3, 2)
    fire = battle.facts("fire")
    assert (fire["modifiers"], fire["total"], fire["strength"]) == ([], 5, 4)


@pytest.mark.clause("10-2(3)", "10-2(4)")
def test_melee_strength_difference_with_two_supporters(field):
    units = {
        "sa-1": "0201 6-5-5-5",
        "sa-2": "0102 6-5-5-5",
        "sa-3": "0103 6-5-5-5",
        "sg-1": "0202 4-6-3-4",
    }
    battle = field(". . .\n . . .", units, phase="satcho-melee", idle=True)
    battle.do("melee sa-1 at sg-1 with sa-2 sa-3", 1, 1)
    melee = battle.facts("melee")
    assert (melee["strength"], melee["difference"], melee["result"]) == (7, 1, "-")
    assert battle.words("sa-1") == {"disordered", "done"}
    assert battle.words("sa-2") == {"normal", "done"}


@pytest.mark.clause("10-2(6)2", "10-2(7)")
@pytest.mark.parametrize(("die", "passed"), [(4, False), (3, True)])
def test_morale_check_against_m2_with_morale_5(field, die, passed):
    units = {"sa-1": "0201 6-5-5-5", "sg-1": "0202 4-4-5-4"}
    battle = field(". . . .\n . . . .\n. . . .", units, phase="satcho-melee")
    battle.do("melee sa-1 at sg-1", 4, 5, die)  # a difference of +1 and a roll of 9
    assert battle.facts("melee")["result"] == "M2"
    assert battle.facts("check") == {"unit": "sg-1", "die": die, "add": 2, "morale": 5, "passed": passed}


@pytest.mark.clause("10-2(8)0", "10-2(8)1", "11(3)")
def test_a_failed_check_disorders_and_asks_for_a_retreat_and_a_passed_one_does_nothing(field):
    units = {"sa-1": "0201 6-5-5-5", "sg-1": "0202 4-4-5-4"}
    failed = field(". . . .\n . . . .\n. . . .", units, phase="satcho-melee")
    failed.do("melee sa-1 at sg-1", 4, 5, 4)
    assert (failed.request.kind, failed.request.side, failed.words("sg-1")) == ("retreat", "shogunate", {"disordered"})
    assert failed.refused("retreat sg-1 0102") == "11(1)2"
    failed.do("retreat sg-1 0203")
    assert failed.at("sg-1") == "0203"

    passed = field(". . . .\n . . . .\n. . . .", units, phase="satcho-melee")
    passed.do("melee sa-1 at sg-1", 4, 5, 3)
    assert (passed.at("sg-1"), passed.words("sg-1")) == ("0202", {"normal"})
