"""Fire combat (rulebook 9), clause by clause, on small fields; what melee has too is in test_9_10_combat.py."""

from __future__ import annotations

import pytest

from pbem.errors import MalformedOrder
from pbem.rules import bakumatsu
from pbem.rules.requests import Choose, Roll

FLAT = """
    . . . . . .
     . . . . . .
    . . . . . .
     . . . . . .
    . . . . . .
"""
NEIGHBOURS = ("0202", "0203", "0302", "0304", "0402", "0403")
"""The hexes around 0303, where the target stands."""

TARGET = "0303 4-4-3-4"
FIRER = "0302 4-4-3-4"
RING = {f"sa-{i}": f"{number} 6-4-3-4" for i, number in enumerate(NEIGHBOURS, 2) if number != "0302"}
"""The firer's friends on all other hexes round the target."""


def duel(field, more=None, rows=FLAT, **how):
    """sa-1 at 0302 beside sg-1 at 0303, in the middle of Satsuma-Choshu's fire phase, which doesn't end of itself."""
    return field(rows, {"sa-1": FIRER, "sg-1": TARGET, **(more or {})}, phase="satcho-fire", idle=True, **how)


# 9-1: who fires, at whom, how often


@pytest.mark.clause("9-1(0)")
@pytest.mark.parametrize(
    ("phase", "firer", "other"), [("satcho-fire", "sa-1", "sg-1"), ("shogunate-fire", "sg-1", "sa-1")]
)
def test_only_the_non_active_side_fires(field, phase, firer, other):
    battle = field(FLAT, {"sa-1": FIRER, "sg-1": TARGET}, phase=phase, idle=True)
    assert battle.refused(f"fire {other} at {firer}") == "9-1(0)"
    battle.do(f"fire {firer} at {other}", 1, 1)
    assert battle.facts("fire")["unit"] == firer


@pytest.mark.clause("9-1(1)a")
@pytest.mark.parametrize("number", ["0301", "0201", "0103", "0305", "0504"])
def test_infantry_never_fires_at_distance_two(field, number):
    units = {"sa-1": f"{number} 4-4-3-4", "sa-2": FIRER, "sg-1": TARGET}
    battle = field(FLAT, units, phase="satcho-fire", idle=True)
    assert battle.refused("fire sa-1 at sg-1") == "9-1(1)a"
    assert "fire sa-1 at sg-1" not in battle.options()
    assert battle.why_not("fire sa-2 at sg-1") is None


@pytest.mark.clause("9-1(1)a", "9-2(4)1a")
@pytest.mark.parametrize(
    ("side", "total"),
    [
        ({"rivers": ("0302/0303",)}, 6),
        ({"ponds": ("0302/0303",)}, 7),
        ({"streams": ("0302/0303",)}, 7),
        ({"rivers": ("0302/0303",), "roads": ("0302 0303",)}, 6),
        ({}, 7),
    ],
)
def test_rivers_ponds_and_bridges_do_not_prevent_fire_but_their_modifier_counts(field, side, total):
    """Ruling R27."""
    battle = duel(field, **side)
    battle.do("fire sa-1 at sg-1", 3, 4)
    assert battle.facts("fire")["total"] == total


@pytest.mark.clause("9-1(1)a")
def test_a_target_is_an_enemy_unit_on_the_map(field):
    battle = duel(field, {"sa-2": "0203 4-4-3-4", "sg-2": "removed 4-4-3-4", "sg-3": "cup 4-4-3-4"})
    assert battle.refused("fire sa-1 at sa-2") == "9-1(1)a"
    assert battle.refused("fire sa-1 at sg-2") == "2-1-1(0)a"
    assert battle.refused("fire sa-1 at sg-3") == "4(3)b"
    assert battle.why_not("fire sa-1 at sg-1") is None


@pytest.mark.clause("9-1(1)b")
def test_a_disordered_unit_does_not_fire(field):
    battle = duel(field, {"sa-2": "0203 4-4-3-4 disordered"})
    assert battle.refused("fire sa-2 at sg-1") == "9-1(1)b"
    assert not any(order.startswith("fire sa-2") for order in battle.options())
    assert battle.why_not("fire sa-1 at sg-1") is None


@pytest.mark.clause("9-1(1)a")
@pytest.mark.parametrize("strength", ["x", "0"])
def test_a_fire_strength_of_none_or_0_is_no_fire_capability(field, strength):
    """Ruling R7."""
    battle = duel(field, {"sa-2": f"0203 {strength}-4-3-4"})
    assert battle.refused("fire sa-2 at sg-1") == "2-2-1(2)2"
    assert battle.refused("fire sa-1 at sg-1 with sa-2") == "9-2(2)c"
    assert not any("sa-2" in order for order in battle.options())


@pytest.mark.clause("9-1(2)a", "9-2(5)0b", "9-1(4)b", "9-2(5)2a", "9-2(5)2b")
def test_the_second_fire_meets_the_target_as_the_first_left_it(field):
    battle = duel(field, {"sa-2": "0402 4-4-3-4"})
    battle.do("fire sa-1 at sg-1", 3, 4)  # D on a normal unit
    assert battle.words("sg-1") == {"disordered"}
    assert battle.at("sg-1") == "0303"
    battle.do("fire sa-2 at sg-1", 3, 4)  # D on a disordered one
    assert (battle.request.kind, battle.request.about) == ("retreat", ("sg-1",))
    battle.do("retreat sg-1 0203")
    assert battle.at("sg-1") == "0203"
    assert battle.words("sg-1") == {"disordered"}


@pytest.mark.clause("9-1(4)b", "9-2(5)2b", "9-2(5)3b")
def test_several_results_on_one_target_follow_one_another(field):
    """D turns it over, D drives it back next to another firer, DD removes it (R36)."""
    battle = duel(field, {"sa-2": "0402 4-4-3-4", "sa-3": "0305 4-4-3-4"}, rivers=("0204/0305 0304/0305 0404/0305",))
    battle.do("fire sa-1 at sg-1", 3, 4)
    battle.do("fire sa-2 at sg-1", 3, 4)
    battle.do("retreat sg-1 0304")
    assert battle.why_not("fire sa-3 at sg-1") is None
    battle.do("fire sa-3 at sg-1", 6, 5)
    assert battle.facts("fire")["total"] == 10
    assert battle.facts("fire")["result"] == "DD"
    assert battle.at("sg-1") is None
    assert battle.facts("remove")["at"] == "0304"


@pytest.mark.clause("9-1(2)a", "9-1(3)", "9-2(1)")
def test_a_target_that_retreated_out_of_reach_is_no_target_any_more(field):
    """Ruling R10."""
    battle = duel(field, {"sa-2": "0402 4-4-3-4"})
    assert battle.why_not("fire sa-2 at sg-1") is None
    battle.do("fire sa-1 at sg-1", 6, 6)
    battle.do("retreat sg-1 0304")
    assert battle.refused("fire sa-2 at sg-1") == "9-1(1)a"
    assert "done" not in battle.words("sa-2")


@pytest.mark.clause("9-1(2)a")
def test_a_removed_target_is_no_target_any_more(field):
    """Ruling R10."""
    battle = duel(field, {"sg-1": TARGET + " disordered", "sa-2": "0402 4-4-3-4"})
    battle.do("fire sa-1 at sg-1", 6, 6)
    assert battle.refused("fire sa-2 at sg-1") == "2-1-1(0)a"


@pytest.mark.clause("9-1(2)b", "9-2(7)", "9-2(5)1")
@pytest.mark.parametrize(("dice", "result"), [((1, 1), "-"), ((3, 4), "D"), ((6, 6), "DD")])
def test_main_unit_and_supporters_are_marked_whatever_the_result(field, dice, result):
    battle = duel(field, {"sa-2": "0402 4-4-3-4", "sa-3": "0202 4-4-3-4"})
    battle.do("fire sa-1 at sg-1 with sa-2", *dice)
    assert battle.facts("fire")["result"] == result
    assert {unit for unit in ("sa-1", "sa-2", "sa-3") if "done" in battle.words(unit)} == {"sa-1", "sa-2"}
    assert battle.words("sa-1") == {"normal", "done"}
    assert "done" not in battle.words("sg-1")


@pytest.mark.clause("9-1(5)")
def test_firing_is_voluntary(field):
    battle = duel(field)
    before = bakumatsu.dump(battle.state)
    battle.do("done")
    after = bakumatsu.dump(battle.state)
    assert "fire" not in battle.events()
    assert battle.phase == "shogunate-melee"
    assert {key: after[key] for key in ("at", "disordered", "removed")} == {
        key: before[key] for key in ("at", "disordered", "removed")
    }


@pytest.mark.clause("9-1(5)")
def test_some_units_may_fire_and_others_not(field):
    battle = duel(field, {"sa-2": "0402 4-4-3-4"})
    battle.do("fire sa-2 at sg-1", 3, 4)
    battle.do("done")
    assert battle.phase == "shogunate-melee"
    assert battle.words("sg-1") == {"disordered"}


@pytest.mark.clause("9-1(6)")
def test_a_phase_in_which_nobody_can_fire_is_over_at_once(field):
    """Ruling R9."""
    units = {"sa-1": "0301 4-4-3-4", "sg-1": TARGET}
    battle = field(FLAT, units, phase="satcho-fire")
    assert battle.phase == "satcho-move"


@pytest.mark.clause("9-1(6)", "9-1(4)a")
def test_markers_come_off_so_a_unit_that_fired_may_attack_in_its_own_melee_phase(field):
    """Ruling R11."""
    battle = duel(field)
    battle.do("fire sa-1 at sg-1", 1, 1)
    assert "done" in battle.words("sa-1")
    battle.do("done")
    assert battle.words("sa-1") == {"normal"}
    for phase in ("shogunate-melee", "satcho-move", "shogunate-fire"):
        assert battle.phase == phase
        battle.do("done")
    assert battle.phase == "satcho-melee"
    assert battle.why_not("melee sa-1 at sg-1") is None


# 9-2(0) to 9-2(3): the declaration, supporters, strength


@pytest.mark.clause("9-2(0)")
def test_only_the_target_hex_suffers(field):
    battle = duel(field, {"sg-2": "0202 4-4-3-4"})
    battle.do("fire sa-1 at sg-1", 3, 4)
    assert battle.words("sg-1") == {"disordered"}
    assert battle.words("sg-2") == {"normal"}


@pytest.mark.clause("9-2(1)", "9-2(4)0")
def test_two_dice_are_asked_for_once_the_declaration_is_found_legal(field):
    battle = duel(field, {"sa-2": "0301 4-4-3-4"})
    assert battle.refused("fire sa-1 at sg-1 with sa-2") == "9-2(2)a"
    assert isinstance(battle.request, Choose)
    battle.game.apply(battle.order("fire sa-1 at sg-1"))
    assert battle.request == Roll("fire/0303", dice=2, sides=6)
    battle.do("", 2, 5)
    assert (battle.facts("fire")["dice"], battle.facts("fire")["total"]) == ([2, 5], 7)
    assert isinstance(battle.request, Choose)


@pytest.mark.clause("9-2(2)a", "9-2(3)")
@pytest.mark.parametrize("count", range(6))
def test_every_other_friend_beside_the_target_may_support(field, count):
    """Ruling R35."""
    battle = duel(field, RING)
    names = list(RING)[:count]
    battle.do("fire sa-1 at sg-1" + (" with " + " ".join(names) if names else ""), 1, 1)
    assert battle.facts("fire")["strength"] == 4 + count
    assert {unit for unit in RING if "done" in battle.words(unit)} == set(names)


@pytest.mark.clause("9-2(2)a")
def test_a_friend_two_hexes_from_the_target_cannot_support_even_artillery_in_range(field):
    """Ruling R29."""
    battle = duel(field, {"sa-2": "0301 4-4-3-4", "sa-3": "0501 5-x-3-3 range 4", "sa-4": "0402 5-x-3-3 range 4"})
    assert battle.why_not("fire sa-3 at sg-1") is None
    assert battle.refused("fire sa-1 at sg-1 with sa-2") == "9-2(2)a"
    assert battle.refused("fire sa-1 at sg-1 with sa-3") == "9-2(2)a"
    assert battle.refused("fire sa-1 at sg-1 with sa-4 sa-3") == "9-2(2)a"
    assert battle.why_not("fire sa-1 at sg-1 with sa-4") is None
    assert not any(" with " in order and "sa-3" in order.split(" with ")[1] for order in battle.options())


@pytest.mark.clause("9-2(2)a", "9-2(4)1a")
def test_a_supporter_may_fire_over_a_river_and_its_hexside_never_counts(field):
    """Rulings R28, R35."""
    battle = duel(field, {"sa-2": "0203 4-4-3-4", "sg-2": "0204 4-4-3-4"}, rivers=("0203/0303",))
    battle.do("fire sa-1 at sg-1 with sa-2", 3, 4)
    fire = battle.facts("fire")
    assert (fire["strength"], fire["modifiers"], fire["total"]) == (5, [], 7)


@pytest.mark.clause("9-2(2)c")
def test_a_unit_without_fire_strength_cannot_support(field):
    battle = duel(field, {"sa-2": "0402 x-4-3-4", "sa-3": "0403 1-4-3-4"})
    assert battle.refused("fire sa-1 at sg-1 with sa-2") == "9-2(2)c"
    assert battle.why_not("fire sa-1 at sg-1 with sa-3") is None


@pytest.mark.clause("9-2(2)a", "9-2(2)b", "9-2(2)c")
def test_supporters_that_became_illegal_are_dropped_and_the_fire_stays(field):
    """Ruling R33."""
    units = {
        "sa-2": "0402 4-4-3-4",
        "sa-3": "0403 4-4-3-4 disordered",
        "sa-4": "0301 4-4-3-4",
        "sa-5": "0203 4-4-3-4 done",
        "sa-6": "removed 4-4-3-4",
    }
    battle = duel(field, units)
    whole = battle.order("fire sa-1 at sg-1 with sa-3 sa-2 sa-4 sa-5 sa-6")
    found = bakumatsu.remainder(battle.state, "satcho", whole)
    assert found is not None
    order, told = found
    assert order == battle.order("fire sa-1 at sg-1 with sa-2")
    assert [(t.what, t.clause, t.facts["unit"]) for t in told] == [
        ("drop", "9-2(2)b", "sa-3"),
        ("drop", "9-2(2)a", "sa-4"),
        ("drop", "9-1(4)a", "sa-5"),
        ("drop", "2-1-1(0)a", "sa-6"),
    ]
    assert all(t.facts["order"] == "fire sa-1 at sg-1 with sa-3 sa-2 sa-4 sa-5 sa-6" for t in told)
    assert all(t.facts["reason"] for t in told)


@pytest.mark.clause("9-2(2)a")
@pytest.mark.parametrize(
    "order",
    [
        "fire sa-1 at sg-1 with sa-2",  # nothing to drop
        "fire sa-1 at sg-1",
        "fire sa-4 at sg-1 with sa-3",  # the main shot is illegal itself
        "done",
    ],
)
def test_nothing_remains_of_an_order_that_is_legal_or_illegal_in_its_main_part(field, order):
    units = {"sa-2": "0402 4-4-3-4", "sa-3": "0403 4-4-3-4 disordered", "sa-4": "0301 4-4-3-4"}
    battle = duel(field, units)
    assert bakumatsu.remainder(battle.state, "satcho", battle.order(order)) is None


# 9-2(4): the dice and what changes them


@pytest.mark.clause("9-2(4)1a", "9-2(4)1b")
@pytest.mark.parametrize(
    ("letter", "modifiers"),
    [
        (".", {}),
        ("w", {}),
        ("h", {"hill": -1}),
        ("m", {"mountain": -2}),
        ("t", {"mountain": -2}),  # a mountain top is its mountain and nothing more
        ("c", {"city": -1}),
        ("C", {"hill": -1, "city": -1}),
        ("M", {"mountain": -2, "city": -1}),
    ],
)
def test_terrain_in_the_targets_hex_lowers_the_roll(field, letter, modifiers):
    battle = duel(field, rows=". . .\n . . .\n. . " + letter)
    battle.do("fire sa-1 at sg-1", 4, 4)
    fire = battle.facts("fire")
    assert {m["what"]: m["value"] for m in fire["modifiers"]} == modifiers
    assert (fire["total"], fire["strength"]) == (8 + sum(modifiers.values()), 4)


@pytest.mark.clause("9-2(4)1a")
@pytest.mark.parametrize("letter", ["w", "h", "m", "c", "M"])
def test_terrain_in_the_firers_own_hex_does_not_count(field, letter):
    battle = duel(field, rows=f". . .\n . . .\n. {letter} .")
    battle.do("fire sa-1 at sg-1", 4, 4)
    assert (battle.facts("fire")["modifiers"], battle.facts("fire")["total"]) == ([], 8)


@pytest.mark.clause("9-2(4)1b")
def test_negative_modifiers_of_hex_and_hexside_add_up(field):
    battle = duel(field, rows=". . .\n . . .\n. . M", rivers=("0302/0303",))
    battle.do("fire sa-1 at sg-1", 6, 4)
    fire = battle.facts("fire")
    assert sum(m["value"] for m in fire["modifiers"]) == -4
    assert (fire["total"], fire["result"]) == (6, "-")


@pytest.mark.clause("9-2(4)2")
@pytest.mark.parametrize(("option", "total", "strength"), [("dice", 7, 4), ("strength", 5, 6)])
def test_fire_from_a_mountain_top_gets_2_to_the_dice_or_by_option_to_the_strength(field, option, total, strength):
    """Ruling R25."""
    battle = duel(field, rows=". . .\n . . .\n. t .", options={"mountain-top": option})
    battle.do("fire sa-1 at sg-1", 2, 3)
    fire = battle.facts("fire")
    assert (fire["total"], fire["strength"]) == (total, strength)


@pytest.mark.clause("9-2(4)2")
@pytest.mark.parametrize(("option", "total", "strength"), [("dice", 7, 4), ("strength", 5, 6)])
def test_between_mountain_tops_the_mountain_of_the_target_counts_against_the_2(field, option, total, strength):
    """Ruling R26."""
    battle = duel(field, rows=". . .\n . . .\n. t t", options={"mountain-top": option})
    battle.do("fire sa-1 at sg-1", 3, 4)
    fire = battle.facts("fire")
    assert (fire["total"], fire["strength"]) == (total, strength)


@pytest.mark.clause("9-2(4)2")
@pytest.mark.parametrize("option", ["dice", "strength"])
def test_a_supporter_on_a_mountain_top_gives_its_1_only(field, option):
    """Ruling R26."""
    rows = ". . .\n . t .\n. . ."
    battle = duel(field, {"sa-2": "0202 4-4-3-4"}, rows=rows, options={"mountain-top": option})
    battle.do("fire sa-1 at sg-1 with sa-2", 2, 3)
    assert (battle.facts("fire")["total"], battle.facts("fire")["strength"]) == (5, 5)


# 9-2(5): the table and its results


@pytest.mark.clause("9-2(5)0a")
@pytest.mark.parametrize(
    ("dice", "result"),
    [((3, 3), "-"), ((3, 4), "D"), ((5, 4), "D"), ((6, 4), "DD")],
)
def test_the_result_is_the_cell_of_roll_and_strength(field, dice, result):
    battle = duel(field)  # strength 4: D from 7, DD from 10
    battle.do("fire sa-1 at sg-1", *dice)
    assert battle.facts("fire")["result"] == result


@pytest.mark.clause("9-2(5)0a")
def test_a_roll_below_the_table_reads_its_first_row(field):
    """Ruling R32."""
    battle = duel(field, rows=". . .\n . . .\n. . M", rivers=("0302/0303",))
    battle.do("fire sa-1 at sg-1", 1, 1)
    assert (battle.facts("fire")["total"], battle.facts("fire")["result"]) == (-2, "-")


@pytest.mark.clause("9-2(5)0a")
def test_a_roll_above_the_table_reads_its_last_row(field):
    """Ruling R32."""
    battle = duel(field, {"sa-1": "0302 1-4-3-4"}, rows=". . .\n . . .\n. t .")
    battle.do("fire sa-1 at sg-1", 6, 6)
    assert (battle.facts("fire")["total"], battle.facts("fire")["result"]) == (14, "DD")


@pytest.mark.clause("9-2(5)0a")
def test_dice_are_not_clamped_before_all_modifiers_are_added(field):
    """Ruling R32."""
    battle = duel(field, rows=". . .\n . . .\n. t M", rivers=("0302/0303",))
    battle.do("fire sa-1 at sg-1", 6, 6)  # 12 + 2 - 4, never 13 - 4
    assert battle.facts("fire")["total"] == 10


@pytest.mark.clause("9-2(5)0a")
def test_a_strength_beyond_the_table_reads_its_last_column(field):
    """Ruling R32."""
    battle = duel(field, {**RING, "sa-1": "0302 9-4-3-4"})
    battle.do("fire sa-1 at sg-1 with " + " ".join(RING), 3, 4)
    assert (battle.facts("fire")["strength"], battle.facts("fire")["result"]) == (14, "DD")


@pytest.mark.clause("9-2(5)0a")
def test_every_cell_of_the_table_is_found_and_its_ends_go_on(field, tables):
    """Ruling R32."""
    found = duel(field).board.tables.fire
    data = tables["fire_results_table"]
    rows, columns = list(data["rows_modified_2d6"].values()), data["columns_total_fire_strength"]
    for total in range(-6, 22):
        row = rows[0 if total <= 1 else len(rows) - 1 if total >= 13 else total - 1]
        for strength in range(1, 18):
            cell = row[len(columns) - 1 if strength >= 10 else strength - 1]
            assert found.result(total, strength) == cell, (total, strength)


@pytest.mark.clause("9-2(5)1")
@pytest.mark.parametrize("state", ["", " disordered"])
def test_no_effect_leaves_the_target_as_it_is(field, state):
    battle = duel(field, {"sg-1": TARGET + state})
    before = battle.words("sg-1")
    battle.do("fire sa-1 at sg-1", 3, 3)
    assert battle.events() == ["fire"]
    assert (battle.at("sg-1"), battle.words("sg-1")) == ("0303", before)
    assert "done" in battle.words("sa-1")


@pytest.mark.clause("9-2(5)2a")
def test_d_disorders_a_normal_unit_which_stays(field):
    battle = duel(field)
    battle.do("fire sa-1 at sg-1", 3, 4)
    assert battle.events() == ["fire", "disorder"]
    assert (battle.at("sg-1"), battle.words("sg-1")) == ("0303", {"disordered"})
    assert battle.request.kind == "fire"


@pytest.mark.clause("9-2(5)2b", "9-2(5)3a")
@pytest.mark.parametrize(("state", "dice", "result"), [(" disordered", (3, 4), "D"), ("", (6, 6), "DD")])
def test_d_on_a_disordered_and_dd_on_a_normal_unit_bring_a_retreat_of_one_hex(field, state, dice, result):
    battle = duel(field, {"sg-1": TARGET + state})
    battle.do("fire sa-1 at sg-1", *dice)
    assert battle.facts("fire")["result"] == result
    assert battle.request.kind == "retreat"
    assert battle.refused("retreat sg-1 0305") == "11(1)0"
    battle.do("retreat sg-1 0304")
    assert (battle.at("sg-1"), battle.words("sg-1")) == ("0304", {"disordered"})


@pytest.mark.clause("9-2(5)2b", "9-2(5)3a")
@pytest.mark.parametrize(("state", "dice"), [(" disordered", (3, 4)), ("", (6, 6))])
def test_without_a_hex_to_retreat_to_the_target_is_removed(field, state, dice):
    battle = duel(field, {"sg-1": TARGET + state, "sa-2": "0304 4-4-3-4"})  # ZOC on both sides
    battle.do("fire sa-1 at sg-1", *dice)
    assert battle.at("sg-1") is None
    assert bakumatsu.test(battle.state, ("gone", "sg-1"))
    assert [tell.clause for tell in battle.told if tell.what == "remove"] == ["11(2)"]


@pytest.mark.clause("9-2(5)2a")
def test_d_on_a_surrounded_normal_unit_leaves_it_there(field):
    battle = duel(field, {"sa-2": "0304 4-4-3-4"})
    battle.do("fire sa-1 at sg-1", 3, 4)
    assert (battle.at("sg-1"), battle.words("sg-1")) == ("0303", {"disordered"})


@pytest.mark.clause("9-2(5)3b")
def test_dd_removes_a_disordered_unit_without_retreat(field):
    battle = duel(field, {"sg-1": TARGET + " disordered"})
    battle.do("fire sa-1 at sg-1", 6, 6)
    assert battle.events() == ["fire", "remove"]
    assert battle.told[-1].clause == "9-2(5)3b"
    assert battle.at("sg-1") is None
    assert bakumatsu.dump(battle.state)["removed"] == {"sg-1": 1}


@pytest.mark.clause("9-2(6)")
def test_there_is_no_advance_after_fire(field):
    battle = duel(field, {"sg-1": TARGET + " disordered", "sa-2": "0402 4-4-3-4"})
    with pytest.raises(MalformedOrder):
        battle.order("fire sa-1 at sg-1 advance")
    assert battle.refused("melee sa-1 at sg-1 advance") == "5(0)a"
    battle.do("fire sa-1 at sg-1", 6, 6)
    assert battle.at("sg-1") is None
    assert battle.at("sa-1") == "0302"
    assert battle.refused("move sa-2 0303") == "5(0)a"
    assert "advance" not in battle.events()
