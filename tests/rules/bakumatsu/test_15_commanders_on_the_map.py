"""Commanders on the map (rulebook 15-2-7-2(4)): how they move, where they can't stay, and how they are lost."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pbem.rules import bakumatsu
from pbem.rules.requests import Choose, Draw

FLAT = """
    . . . . . . .
     . . . . . . .
    . . . . . . .
     . . . . . . .
    . . . . . . .
"""
ROW = ". . . . . . . . . ."
LORD = "2/+1/+1/5/6"


def clause(refusal):
    return None if refusal is None else refusal.clause


@pytest.fixture
def ride(field):
    """The builder of a battle in the middle of the Shogunate's movement phase, its commander sgc-1 at 0101."""

    def build(units=None, rows=FLAT, **more):
        given = {"sgc-1": f"0101 {LORD}", **(units or {})}
        return field(rows, given, **{"phase": "shogunate-move", "idle": True, **more})

    return build


# --- 15-2-7-2(4)0: as combat units move


@pytest.mark.clause("15-2-7-2(4)0", "8-1(1)1", "8(2)a", "15-2-7-2(3)6")
@pytest.mark.parametrize(("letter", "cost"), [(".", 1), ("h", 2), ("m", 3), ("w", 3), ("c", 1), ("C", 2)])
def test_terrain_costs_a_commander_what_it_costs_a_unit(ride, letter, cost):
    battle = ride(rows=f". {letter} . . . . . . .", units={"sgc-1": "0101 2/0/0/5/5"})
    last = 2 + 5 - cost
    path = [f"01{column:02}" for column in range(2, last + 2)]
    assert battle.refused("move sgc-1 " + " ".join(path)) == "8(2)a"
    battle.do("move sgc-1 " + " ".join(path[:-1]))
    assert battle.facts("move")["cost"] == 5


@pytest.mark.clause("15-2-7-2(4)0", "8-1(2)1", "8-1(2)2", "8-1(2)3", "8(1)")
@pytest.mark.parametrize(
    ("more", "refused", "cost"),
    [
        ({"streams": ("0101/0102",)}, None, 2),
        ({"rivers": ("0101/0102",)}, "8-1(2)2", 0),
        ({"ponds": ("0101/0102",)}, "8-1(2)2", 0),
        ({"rivers": ("0101/0102",), "roads": ("0101 0102",)}, None, 1),
        ({"streams": ("0101/0102",), "roads": ("0101 0102",)}, None, 1),
    ],
)
def test_water_hinders_a_commander_as_it_hinders_a_unit(ride, more, refused, cost):
    battle = ride(rows=ROW, **more)
    assert clause(battle.why_not("move sgc-1 0102")) == refused
    assert clause(battle.why_not("move sgc-1 0103")) == "8(1)"
    if refused is None:
        battle.do("move sgc-1 0102")
        assert battle.facts("move")["cost"] == cost


@pytest.mark.clause("15-2-7-2(4)0", "8-2(1)", "8-2(2)a", "8-2(2)b", "8-2(3)", "8-2(5)")
def test_a_commander_marches_by_road_as_a_unit_does(ride):
    """Ruling R112."""
    road = [f"01{column:02}" for column in range(1, 11)]
    more = {"rows": ROW + "\n" + " " + ROW, "roads": (" ".join(road),)}
    battle = ride({"sgc-1": "0101 2/0/0/5/4"}, **more)
    assert battle.refused("march sgc-1 " + " ".join(road[1:10])) == "8-2(1)"
    assert battle.refused("march sgc-1 0102 0202") == "8-2(3)"
    battle.do("march sgc-1 " + " ".join(road[1:9]))
    assert battle.at("sgc-1") == "0109"
    assert ride({"sgc-1": f"0201 {LORD}"}, **more).refused("march sgc-1 0202") == "8-2(2)a"
    assert ride({"sa-1": "0201 4-4-3-4"}, **more).refused("march sgc-1 0102") == "8-2(2)b"
    assert ride({"sa-1": "0203 4-4-3-4"}, **more).refused("march sgc-1 0102 0103") == "8-2(5)"


@pytest.mark.clause("15-2-7-2(4)0", "8-1(3)1", "8-1(3)2", "8-1(3)3")
def test_enemy_zones_hinder_a_commander(ride):
    """Ruling R112."""
    stopped = ride({"sa-1": "0203 4-4-3-4"})
    assert stopped.refused("move sgc-1 0102 0103 0104") == "8-1(3)1"
    assert stopped.why_not("move sgc-1 0102 0103") is None
    held = ride({"sgc-1": "0102 2/0/0/5/2", "sa-1": "0202 4-4-3-4"})
    assert held.refused("move sgc-1 0103") == "8-1(3)3"
    assert held.refused("move sgc-1 0101 0201") in ("8-1(3)3", "8(2)a")
    free = ride({"sgc-1": "0103 2/0/0/5/2", "sa-1": "0202 4-4-3-4"})
    assert free.refused("move sgc-1 0104 0105") == "8(2)a"  # 1 to leave the zone
    free.do("move sgc-1 0104")
    assert free.facts("move")["cost"] == 2


@pytest.mark.clause("15-2-7-2(4)0", "8-1(3)1", "15-2-7-2(4)1a", "15-2-7-2(4)2a")
@pytest.mark.parametrize(
    ("there", "path", "refused"),
    [
        ({"sg-1": "0103 4-4-3-4"}, "0102 0103 0104", "8-1(3)1"),  # a friend in the zone doesn't help him through
        ({"sg-1": "0103 4-4-3-4"}, "0102 0103", None),  # he may stop with him
        ({"sgc-2": "0103 1/0/0/5/6"}, "0102 0103", "15-2-7-2(4)2a"),  # nor where another commander is
        ({"sac-1": "0103 1/0/0/5/6"}, "0102 0103", "15-2-7-2(4)4b"),
    ],
)
def test_in_an_enemy_zone_he_stops_in_a_friends_hex_but_not_with_another_commander(ride, there, path, refused):
    """Ruling R112."""
    battle = ride({"sa-1": "0203 4-4-3-4", **there})
    assert clause(battle.why_not(f"move sgc-1 {path}")) == refused


@pytest.mark.clause("15-2-7-2(4)0", "8-1(4)a")
def test_a_commander_short_of_points_moves_one_hex(ride):
    battle = ride({"sgc-1": "0101 2/0/0/5/1"}, rows=". m .")
    assert battle.refused("move sgc-1 0102 0103") == "8(2)a"
    battle.do("move sgc-1 0102")
    assert battle.facts("move")["cost"] == 1
    shut = ride({"sgc-1": "0101 2/0/0/5/1", "sgc-2": "0102 1/0/0/5/6 done"}, rows=". m .")
    assert shut.refused("move sgc-1 0102") == "15-2-7-2(4)2a"


@pytest.mark.clause("15-2-7-2(4)0", "6(2)", "6(3)", "8(0)", "8(5)")
def test_a_commander_moves_on_his_own_order_once_in_his_sides_movement_phase(ride):
    battle = ride({"sg-1": "0101 4-4-3-4", "sac-1": f"0305 {LORD}"})
    assert battle.refused("move sac-1 0304") == "8(0)"
    battle.do("move sg-1 0102")
    assert battle.at("sgc-1") == "0101"  # each piece by itself
    battle.do("move sgc-1 0102")
    assert battle.refused("move sgc-1 0103") == "6(3)"
    assert battle.why_not("enter sgc-1").clause == "13-2(1)"
    battle.do("done")
    assert battle.phase == "satcho-fire"
    assert battle.refused("move sac-1 0304") == "5(0)a"


@pytest.mark.clause("15-2-7-2(4)0", "7(0)")
def test_a_commander_has_no_disordered_side(ride):
    battle = ride()
    assert battle.refused("recover sgc-1") == "7(0)"
    battle.do("move sgc-1 0102")
    assert battle.words("sgc-1") == {"normal", "done"}


# --- 15-2-7-2(4)1: with and through combat units of his side


@pytest.mark.clause("15-2-7-2(4)1a", "8(4)")
def test_a_commander_may_be_stacked_with_one_unit_of_his_side(ride):
    battle = ride({"sg-1": "0103 4-4-3-4", "sg-2": "0203 4-4-3-4"})
    battle.do("move sgc-1 0102 0103")
    assert battle.at("sgc-1") == battle.at("sg-1") == "0103"
    assert battle.refused("move sg-2 0103") == "8(4)"  # one unit
    battle.do("move sg-1 0104")
    battle.do("move sg-2 0103")  # to him
    assert battle.at("sg-2") == battle.at("sgc-1")


@pytest.mark.clause("15-2-7-2(4)1a", "8(4)")
@pytest.mark.parametrize(
    ("start", "order"),
    [("0302", "move sg-1 0201 0101"), ("0103", "move sg-1 0102 0101"), ("0201", "move sg-1 0101 0102")],
)
def test_a_unit_may_end_with_or_pass_its_own_commander(ride, start, order):
    battle = ride({"sg-1": f"{start} 4-4-3-4"})
    battle.do(order)
    assert battle.at("sg-1") == order[-4:]
    assert battle.at("sgc-1") == "0101"


@pytest.mark.clause("15-2-7-2(4)1b", "8(4)")
@pytest.mark.parametrize(
    ("unit", "refused"),
    [
        ("sg-1", None),
        ("sa-1", "8(4)"),
    ],
)
@pytest.mark.parametrize("how", ["move", "march"])
def test_a_commander_may_pass_friendly_units_and_no_enemies(ride, unit, refused, how):
    """R113; no zone reaches over these rivers."""
    more = {"rows": ROW, "roads": ("0101 0102 0103 0104 0105",), "rivers": ("0102/0103", "0103/0104")}
    battle = ride({unit: "0103 4-4-3-4"}, **more)
    assert clause(battle.why_not(f"{how} sgc-1 0102 0103 0104")) == refused
    assert clause(battle.why_not(f"{how} sgc-1 0102 0103")) == refused
    if refused is None:
        battle.do(f"{how} sgc-1 0102 0103 0104")
        assert (battle.at("sgc-1"), battle.at(unit), battle.words(unit)) == ("0104", "0103", {"normal"})


@pytest.mark.clause("15-2-7-2(4)1b")
def test_he_passes_disordered_and_marked_friends_without_harm(ride):
    battle = ride({"sg-1": "0102 4-4-3-4 disordered", "sg-2": "0103 5-x-3-3 range 3 done"}, rows=ROW)
    battle.do("move sgc-1 0102 0103 0104")
    assert battle.words("sg-1") == {"disordered"}
    assert battle.words("sg-2") == {"normal", "artillery", "done"}


# --- 15-2-7-2(4)2 and 15-2-7-2(4)4b: with and through other commanders


@pytest.mark.clause("15-2-7-2(4)2a", "15-2-7-2(4)2b", "15-2-7-2(4)4b")
@pytest.mark.parametrize(("other", "refused"), [("sgc-2", "15-2-7-2(4)2a"), ("sac-1", "15-2-7-2(4)4b")])
@pytest.mark.parametrize("how", ["move", "march"])
def test_a_commander_may_pass_another_but_not_stay_with_him(ride, other, refused, how):
    battle = ride({other: f"0103 {LORD}"}, rows=ROW, roads=("0101 0102 0103 0104",))
    assert battle.refused(f"{how} sgc-1 0102 0103") == refused
    assert not any(order.startswith(how) and order.endswith(" 0103") for order in battle.options() if "sgc-1" in order)
    battle.do(f"{how} sgc-1 0102 0103 0104")
    assert (battle.at("sgc-1"), battle.at(other)) == ("0104", "0103")
    assert "remove" not in battle.events()


@pytest.mark.clause("15-2-7-2(4)2a", "15-2-7-2(4)1a")
def test_not_with_a_unit_between_them_either(ride):
    battle = ride({"sg-1": "0102 4-4-3-4", "sgc-2": f"0102 {LORD}"}, rows=ROW)
    assert battle.refused("move sgc-1 0102") == "15-2-7-2(4)2a"
    battle.do("move sgc-2 0103")
    battle.do("move sgc-1 0102")
    assert battle.at("sgc-1") == battle.at("sg-1")


@pytest.mark.clause("15-2-7-2(4)2a", "15-2-7-2(2)0")
def test_nor_at_the_end_of_an_entry(field):
    units = {"sgc-1": f"received {LORD}", "sgc-2": f"0103 {LORD}", "sac-1": f"0104 {LORD}"}
    battle = field(ROW, units, phase="shogunate-move", entry="0101", idle=True)
    assert battle.refused("enter sgc-1 move 0102 0103") == "15-2-7-2(4)2a"
    assert battle.refused("enter sgc-1 move 0102 0103 0104") == "15-2-7-2(4)4b"
    battle.do("enter sgc-1 move 0102 0103 0104 0105")
    assert battle.at("sgc-1") == "0105"


# --- 15-2-7-2(4)3: no zone of control


@pytest.mark.clause("15-2-7-2(4)3", "3-2(1)", "8-1(3)1", "8-2(5)")
@pytest.mark.parametrize(("enemy", "refused"), [(f"sac-1 0203 {LORD}", None), ("sa-1 0203 4-4-3-4", "8-1(3)1")])
def test_a_lone_commander_stops_nobody(field, enemy, refused):
    name, text = enemy.split(" ", 1)
    units = {"sg-1": "0101 4-4-3-4", name: text}
    battle = field(FLAT, units, phase="shogunate-move", roads=("0101 0102 0103 0104",), idle=True)
    assert clause(battle.why_not("move sg-1 0102 0103 0104")) == refused
    assert clause(battle.why_not("march sg-1 0102 0103 0104")) == (refused and "8-2(5)")


@pytest.mark.clause("15-2-7-2(4)3", "11(1)2", "11(2)")
@pytest.mark.parametrize(("enemy", "gone"), [(f"sac-1 0205 {LORD}", False), ("sa-2 0205 4-4-3-4", True)])
def test_a_retreat_next_to_a_commander_is_open(field, enemy, gone):
    """The one free hex is 0204; the enemy is beside it."""
    name, text = enemy.split(" ", 1)
    rows = "- - - - - -\n - . . . . .\n- - - - - -"
    units = {"sg-1": "0203 4-4-3-4 disordered", "sa-1": "0202 9-9-3-4", name: text}
    battle = field(rows, units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1", 3, 4)
    assert (battle.at("sg-1") is None) is gone
    assert battle.at("sg-1") == (None if gone else "0204")


# --- 15-2-7-2(4)4a, 15-2-7-2(4)6: no hindrance, and lost when an enemy unit enters


@pytest.mark.clause("15-2-7-2(4)4a", "15-2-7-2(4)6")
@pytest.mark.parametrize(
    "order",
    ["move sa-1 0102", "move sa-1 0102 0103", "march sa-1 0102 0103", "march sa-1 0102", "enter sa-2 move 0102"],
)
def test_an_enemy_unit_that_enters_or_passes_his_hex_removes_him(field, order):
    units = {"sa-1": "0101 4-4-3-4", "sgc-1": f"0102 {LORD}"}
    if order.startswith("enter"):
        units = {"sa-2": "received 4-4-3-4", "sgc-1": f"0102 {LORD}"}
    battle = field(
        FLAT, units, phase="satcho-move", satcho_entry="0101", chooses="satcho", roads=("0101 0102 0103",), idle=True
    )
    battle.do(order)
    assert battle.at("sgc-1") is None
    assert battle.state.removed == {"sgc-1": 1}
    assert battle.facts("remove") == {"unit": "sgc-1", "at": "0102", "why": f"{order.split()[1]} entered his hex"}
    assert [tell.clause for tell in battle.told if tell.what == "remove"] == ["15-2-7-2(4)6"]
    assert battle.at(order.split()[1]) == order[-4:]


@pytest.mark.clause("15-2-7-2(4)4a", "15-2-7-2(4)6")
def test_a_unit_that_goes_round_him_leaves_him_and_one_way_may_cost_several(field):
    units = {"sa-1": "0101 4-4-3-4", "sgc-1": f"0102 {LORD}", "sgc-2": f"0103 {LORD}", "sgc-3": f"0203 {LORD}"}
    round_him = field(FLAT, units, phase="satcho-move", idle=True)
    round_him.do("move sa-1 0201 0202")
    assert round_him.state.removed == {}
    battle = field(FLAT, units, phase="satcho-move", idle=True)
    battle.do("move sa-1 0102 0103 0104")
    assert sorted(battle.state.removed) == ["sgc-1", "sgc-2"]
    assert battle.at("sgc-3") == "0203"


@pytest.mark.clause("15-2-7-2(4)6", "15-2-7-2(4)4b")
def test_an_enemy_commander_who_passes_removes_nobody_nor_do_friends(field):
    units = {"sac-1": f"0101 {LORD}", "sgc-1": f"0102 {LORD}", "sg-1": "0105 4-4-3-4"}  # a unit removes him, though
    battle = field(FLAT, units, phase="satcho-move", idle=True)
    battle.do("move sac-1 0102 0103")
    assert battle.state.removed == {}
    for _ in range(3):
        battle.do("done")
    assert battle.phase == "shogunate-move"
    battle.do("move sg-1 0104 0103 0102")
    assert (battle.at("sac-1"), battle.at("sgc-1")) == (None, "0102")


@pytest.mark.clause("15-2-7-2(4)6", "10-2(9)a", "15-2-7-2(4)5b")
@pytest.mark.parametrize(("flag", "lost"), [(" advance", True), ("", False)])
@pytest.mark.parametrize("state", ["", " disordered"])
def test_an_advance_removes_him_and_his_hex_counts_as_empty(field, flag, lost, state):
    """R114; the unit with him retreats, or is removed when it was disordered."""
    units = {"sg-1": f"0203 4-4-3-4{state}", "sgc-1": "0203 0/0/0/1/6", "sa-1": "0202 4-9-3-4"}
    battle = field(FLAT, units, phase="satcho-melee", idle=True)
    battle.do(f"melee sa-1 at sg-1{flag}", 6, 6, 6)
    if battle.request.kind == "retreat":
        battle.do("retreat sg-1 0204")
    assert (battle.at("sg-1") is None) is (state != "")
    assert (battle.at("sgc-1") is None) is lost
    assert battle.at("sa-1") == ("0203" if lost else "0202")


@pytest.mark.clause("15-2-7-2(4)6", "11(1)1", "11(4)a")
def test_a_retreat_into_his_hex_is_open_and_removes_him(field):
    """R114: with a unit there it is not open."""
    rows = "- - - - - -\n - . . . - -\n- - - - - -"
    units = {"sg-1": "0203 4-4-3-4 disordered", "sa-1": "0202 9-9-3-4", "sac-1": "0204 0/0/0/5/6"}
    battle = field(rows, units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1", 3, 4)
    assert (battle.at("sg-1"), battle.at("sac-1")) == ("0204", None)
    assert battle.events()[-2:] == ["retreat", "remove"]
    shut = field(rows, {**units, "sa-2": "0204 1-1-3-4"}, phase="satcho-fire", idle=True)
    shut.do("fire sa-1 at sg-1", 3, 4)
    assert (shut.at("sg-1"), shut.at("sac-1")) == (None, "0204")


@pytest.mark.clause("15-2-7-2(4)1a", "11(4)a", "11(4)b")
@pytest.mark.parametrize("friend", [True, False])
def test_a_retreat_may_end_with_a_friendly_commander_and_harms_none(field, friend):
    rows = "- - - - - -\n - . . . . -\n- - - - - -"
    units = {"sg-1": "0203 4-4-3-4 disordered", "sa-1": "0202 9-9-3-4", "sgc-1": f"0204 {LORD}"}
    units |= {"sg-2": "0204 4-4-3-4"} if friend else {}
    battle = field(rows, units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1", 3, 4)
    assert battle.at("sg-1") == ("0205" if friend else "0204")
    assert (battle.at("sgc-1"), battle.state.removed) == ("0204", {})
    if friend:
        assert battle.words("sg-2") == {"disordered"}


# --- 15-2-7-2(4)5: fire and melee leave him alone


@pytest.mark.clause("15-2-7-2(4)5a", "15-2-7-2(4)5b")
@pytest.mark.parametrize(
    ("unit", "dice", "ends"),
    [
        ("0203 4-4-3-4", (1, 1), "0203"),  # no effect
        ("0203 4-4-3-4", (3, 4), "0203"),  # D
        ("0203 4-4-3-4", (6, 6), "0204"),  # DD: retreats
        ("0203 4-4-3-4 disordered", (6, 6), None),  # removed
        ("0203 5-x-3-3 range 3", (6, 6), None),
    ],
)
def test_fire_at_a_stack_harms_the_unit_alone(field, unit, dice, ends):
    units = {"sg-1": unit, "sgc-1": f"0203 {LORD}", "sa-1": "0202 9-9-3-4"}
    battle = field(FLAT, units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1", *dice)
    if battle.request.kind == "retreat":
        battle.do("retreat sg-1 0204")
    assert battle.at("sg-1") == ends
    assert (battle.at("sgc-1"), battle.words("sgc-1")) == ("0203", {"normal"})


@pytest.mark.clause("15-2-7-2(4)5a", "2-2-1(0)")
@pytest.mark.parametrize("word", ["fire", "melee"])
@pytest.mark.parametrize("unit", [{}, {"sg-1": "0203 4-4-3-4"}])
def test_a_commander_is_no_target(field, word, unit):
    """R117: alone or not."""
    units = {"sgc-1": f"0203 {LORD}", "sa-1": "0202 9-9-3-4", "sa-2": "0204 5-x-3-3 range 3", **unit}
    battle = field(FLAT, units, phase=f"satcho-{word}", idle=True)
    assert battle.refused(f"{word} sa-1 at sgc-1") == "15-2-7-2(4)5a"
    assert not any("sgc-1" in order for order in battle.options())
    assert clause(battle.why_not(f"{word} sa-1 at sg-1") if unit else None) is None


@pytest.mark.clause("2-2-1(0)", "15-2-7-2(4)5a", "2-2-1(2)2", "2-2-1(2)3")
@pytest.mark.parametrize(("word", "weak"), [("fire", "2-2-1(2)2"), ("melee", "2-2-1(2)3")])
def test_a_commander_neither_fires_nor_attacks_nor_supports(field, word, weak):
    units = {"sgc-1": f"0203 {LORD}", "sg-1": "0302 4-4-3-4", "sa-1": "0202 9-9-3-4"}
    battle = field(FLAT, units, phase=f"shogunate-{word}", idle=True)
    assert battle.refused(f"{word} sgc-1 at sa-1") == weak
    assert battle.refused(f"{word} sg-1 at sa-1 with sgc-1") == {"fire": "9-2(2)c", "melee": "10-2(2)c"}[word]
    assert battle.why_not(f"{word} sg-1 at sa-1") is None


# --- 2-2-1(0): what is for combat units


@pytest.mark.clause("2-2-1(0)", "14(2)", "15-2-6(0)b")
@pytest.mark.parametrize("holder", ["satcho", "nobody"])
@pytest.mark.parametrize(("piece", "takes"), [("sgc-1", False), ("sg-1", True)])
def test_a_commander_takes_no_victory_hex(field, holder, piece, takes):
    units = {"sgc-1": f"0101 {LORD}", "sg-1": "0201 4-4-3-4"}
    battle = field(FLAT, units, phase="shogunate-move", control={holder: "0102 0106"}, idle=True)
    before = battle.state.control.get(battle.hex("0102"))
    battle.do(f"move {piece} 0102 0103")
    assert battle.state.control.get(battle.hex("0102")) == ("shogunate" if takes else before)
    assert ("control" in battle.events()) is takes


@pytest.mark.clause("2-2-1(0)", "14(4)1")
@pytest.mark.parametrize(("piece", "wins"), [("sgc-1", False), ("sg-1", True)])
def test_a_commander_in_the_enemys_entry_hex_wins_nothing(field, piece, wins):
    """Ruling R116."""
    units = {"sgc-1": f"0101 {LORD}", "sg-1": "0201 4-4-3-4"}
    battle = field(FLAT, units, phase="shogunate-move", satcho_entry="0102", chooses="satcho", idle=True)
    battle.do(f"move {piece} 0102")
    assert (battle.outcome is not None) is wins


@pytest.mark.clause("2-2-1(0)", "14(2)", "15-2-7-2(2)0")
@pytest.mark.parametrize(("piece", "takes"), [("sgc-1", False), ("sg-1", True)])
def test_nor_does_he_take_the_entry_hex_back_by_entering(field, piece, takes):
    units = {"sgc-1": f"received {LORD}", "sg-1": "received 4-4-3-4"}
    battle = field(FLAT, units, phase="shogunate-move", entry="0101", control={"satcho": "0101"}, idle=True)
    battle.do(f"enter {piece}")
    assert battle.state.control[battle.hex("0101")] == ("shogunate" if takes else "satcho")


@pytest.mark.clause("14(4)1", "2-2-1(0)")
@pytest.mark.parametrize(
    ("order", "may"),
    [
        ("move sg-1 0102", True),
        ("move sg-1 0202", False),
        ("move sgc-1 0102", False),
        ("march sgc-1 0102", False),
        ("enter sg-2 move 0102", True),
        ("enter sgc-2 move 0102", False),
    ],
)
def test_an_order_for_a_commander_never_ends_the_game(field, order, may):
    units = {"sgc-1": f"0101 {LORD}", "sg-1": "0201 4-4-3-4", "sgc-2": f"received {LORD}", "sg-2": "received 4-4-3-4"}
    battle = field(FLAT, units, phase="shogunate-move", entry="0103", satcho_entry="0102", chooses="satcho", idle=True)
    assert bakumatsu.decisive(battle.state, battle.order(order)) is may


@pytest.mark.clause("6(5)a", "15-2-7-2(4)0", "15-2-7-2(2)0")
@pytest.mark.parametrize(
    ("units", "open_"),
    [
        ({"sgc-1": f"0101 {LORD}"}, True),
        ({"sgc-1": f"0101 {LORD} done"}, False),
        ({"sgc-1": f"received {LORD}"}, True),
        ({"sgc-1": f"received {LORD}", "sgc-2": f"0105 {LORD} done"}, False),  # he can't enter
        ({"sgc-1": f"0101 {LORD}", "sgc-2": f"0102 {LORD} done", "sac-1": f"0201 {LORD}"}, True),  # through them
        ({"sgc-1": "0101 2/0/0/5/1", "sgc-2": f"0102 {LORD} done", "sac-1": f"0201 {LORD}"}, False),  # not far enough
    ],
)
def test_a_phase_stays_open_while_a_commander_can_still_move_or_enter(field, units, open_):
    """Nobody else of the Shogunate can do anything."""
    battle = field(FLAT, {**units, "sa-1": "0507 4-4-3-4"}, phase="shogunate-move", entry="0105")
    assert (battle.phase == "shogunate-move") is open_
    if open_:
        assert all(order == "done" or "sgc-1" in order for order in battle.options())


# --- 15-2-7-2(4)7: gone for good


@pytest.mark.clause("15-2-7-2(4)7", "15-2-7-1(1)0")
@pytest.mark.parametrize("turn", [2, 3, 7])
def test_a_removed_commander_never_returns(field, turn):
    units = {"sgc-1": f"removed {LORD} since 1", "sg-1": "removed 4-4-3-4 since 1"}
    more = {"reorganises": "shogunate", "entry": "0101", "idle": True, "turn": turn, "lx": {"shogunate": (turn,)}}
    battle = field(FLAT, units, phase="shogunate-move", opened=False, **more)
    assert isinstance(battle.request, Choose)  # nor is he drawn again
    assert battle.refused("enter sgc-1") == "15-2-7-2(4)7"
    assert battle.why_not("enter sg-1") is None
    assert not battle.is_("sgc-1", "received")


@pytest.mark.clause("15-2-7-2(4)7", "15-2-7-2(4)6")
def test_nor_one_of_the_other_side(at):
    battle = at(3, 1, sc_01="2403", go_01="2402")
    battle.do("", 1, "gc-01")
    battle.do("move go-01 2403")
    assert battle.state.removed == {"sc-01": 3}
    while battle.phase != "saigo-move":
        battle.do("done")
    battle.do("", 1)
    assert battle.refused("enter sc-01") == "2-1-1(0)a"
    assert "sc-01" not in battle.state.commander_cups["saigo"]


# --- what must hold between any two answers


CROWD = {f"sg-{n}": f"01{n:02} 3-4-3-4" for n in range(1, 6)} | {f"sa-{n}": f"05{n:02} 3-4-3-4" for n in range(1, 6)}
LORDS = {f"{side}c-{n}": f"0{row}{n:02} {LORD}" for side, row in (("sg", 2), ("sa", 4)) for n in range(1, 5)}


@pytest.mark.clause("15-2-7-2(4)2a", "15-2-7-2(4)4b", "15-2-7-2(4)6", "15-2-7-2(4)1a", "3-1(0)a")
@pytest.mark.parametrize("seed", range(6))
def test_no_two_commanders_and_no_commander_and_enemy_unit_ever_share_a_hex(field, seed):
    """In random games on a narrow field; every order that is offered or drawn at random is legal."""
    chance = random.Random(seed)
    battle = field("\n".join([". . . . ."] * 5), CROWD | LORDS, phase="shogunate-move", turns=9)
    game, met = battle.game, Counter()
    while game.request is not None:
        request = game.request
        if isinstance(request, Choose):
            *some, last = request.options()
            order = request.sample(chance) if chance.random() < 0.1 else chance.choice(some or [last])
            assert request.why_not(order) is None, order
            game.apply(order)
        elif isinstance(request, Draw):
            game.apply(tuple(chance.sample(request.cup, request.count)))
        else:
            game.apply(tuple(chance.randint(1, request.sides) for _ in range(request.dice)))
        met += stacked(game.state)
    assert met["stacks"] > 0
    assert any(piece in LORDS for piece in game.state.removed)
    assert len([piece for piece in LORDS if piece in game.state.at]) < len(LORDS)


def stacked(state):
    """See that a hex holds one piece, or a commander and a unit of his side; how many hold two."""
    stacks: dict[object, list[str]] = {}
    for piece, h in state.at.items():
        stacks.setdefault(h, []).append(piece)
    for here in (here for here in stacks.values() if len(here) > 1):
        assert len(here) == 2, here
        assert len({piece[:2] for piece in here}) == 1, here
        assert sum(piece in LORDS for piece in here) == 1, here
    assert not LORDS.keys() & state.disordered
    assert not LORDS.keys() & {unit for side in state.stands.values() for unit in side.values()}
    return Counter(stacks=sum(len(here) > 1 for here in stacks.values()))
