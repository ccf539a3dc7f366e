"""Melee combat (rulebook 10), clause by clause, on small fields; what fire has too is in test_9_10_combat.py."""

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
"""The hexes around 0303, where the defender stands."""

DEFENDER = "0303 4-4-3-4"
ATTACKER = "0302 4-4-3-4"
RING = {f"sa-{i}": f"{number} 4-6-3-4" for i, number in enumerate(NEIGHBOURS, 2) if number != "0302"}
"""The attacker's friends on all other hexes round the defender."""

# At a difference of 0 a roll of 5 gives -, 6 and 7 M0, 8 and 9 M1, 10 and 11 M2, 12 M3.


def duel(field, more=None, rows=FLAT, **how):
    """sa-1 at 0302 beside sg-1 at 0303, in the middle of Satsuma-Choshu's melee phase, which doesn't end of itself."""
    units = {"sa-1": ATTACKER, "sg-1": DEFENDER, **(more or {})}
    return field(rows, units, **{"phase": "satcho-melee", "idle": True, **how})


# 10-1: who attacks, whom, how often


@pytest.mark.clause("10-1(0)")
@pytest.mark.parametrize(
    ("phase", "attacker", "other"), [("satcho-melee", "sa-1", "sg-1"), ("shogunate-melee", "sg-1", "sa-1")]
)
def test_only_the_active_side_attacks(field, phase, attacker, other):
    battle = duel(field, phase=phase)
    assert battle.refused(f"melee {other} at {attacker}") == "10-1(0)"
    battle.do(f"melee {attacker} at {other}", 1, 1)
    assert battle.facts("melee")["unit"] == attacker


@pytest.mark.clause("10-1(1)a", "10-2(10)", "10-2(11)", "10-1(3)b")
@pytest.mark.parametrize(
    ("more", "chance"),
    [
        ({}, (2, 3)),  # no effect
        ({}, (3, 3, 3)),  # check passed
        ({"sg-1": DEFENDER + " disordered"}, (3, 3, 4)),  # removed
        ({"sg-1": "0303 4-4-3-4 range 3"}, (3, 3)),  # artillery removed
        ({"sa-2": "0203 4-4-3-4", "sa-3": "0403 4-4-3-4"}, (3, 3, 4)),  # no retreat open
        ({"sa-2": "0203 4-4-3-4"}, (3, 3, 4)),  # one retreat open
    ],
)
def test_the_attacker_is_disordered_and_marked_whatever_the_result(field, more, chance):
    """Ruling R43."""
    battle = duel(field, more)
    battle.do("melee sa-1 at sg-1", *chance)
    assert battle.request.kind == "melee"
    assert battle.words("sa-1") == {"disordered", "done"}
    assert battle.events()[-1] == "disorder"
    assert (battle.told[-1].facts["unit"], battle.told[-1].clause) == ("sa-1", "10-2(10)")


@pytest.mark.clause("10-1(1)b")
def test_a_unit_disordered_by_fire_just_before_does_not_attack(field):
    battle = duel(field, {"sg-2": "0203 4-4-3-4", "sa-2": "0204 4-4-3-4"}, phase="satcho-fire")
    battle.do("fire sa-1 at sg-1", 3, 4)
    assert battle.words("sg-1") == {"disordered"}
    battle.do("done")
    assert battle.phase == "shogunate-melee"
    assert battle.refused("melee sg-1 at sa-1") == "10-1(1)b"
    assert not any("sg-1" in order for order in battle.options())
    assert battle.why_not("melee sg-2 at sa-2") is None


@pytest.mark.clause("10-1(2)")
@pytest.mark.parametrize("unit", ["0301 4-4-3-4", "0103 4-4-3-4", "0305 5-4-3-3 range 3"])
def test_nobody_attacks_at_distance_two(field, unit):
    battle = duel(field, {"sa-2": unit})
    assert battle.refused("melee sa-2 at sg-1") == "10-1(2)"
    assert not any(order.startswith("melee sa-2") for order in battle.options())
    assert battle.why_not("melee sa-1 at sg-1") is None


@pytest.mark.clause("10-1(2)")
def test_a_defender_is_an_enemy_unit_on_the_map(field):
    battle = duel(field, {"sa-2": "0301 4-4-3-4", "sg-2": "removed 4-4-3-4"})
    assert battle.refused("melee sa-1 at sa-2") == "10-1(2)"
    assert battle.refused("melee sa-1 at sg-2") == "2-1-1(0)a"


@pytest.mark.clause("10-1(3)a", "10-1(4)", "10-1(5)b")
def test_the_second_melee_meets_the_defender_where_the_first_left_it(field):
    """Ruling R10."""
    stays = duel(field, {"sa-2": "0402 4-4-3-4"})
    stays.do("melee sa-1 at sg-1", 3, 3, 3)
    assert stays.why_not("melee sa-2 at sg-1") is None

    retreats = duel(field, {"sa-2": "0402 4-4-3-4"})
    retreats.do("melee sa-1 at sg-1", 3, 3, 4)
    retreats.do("retreat sg-1 0304")
    assert retreats.refused("melee sa-2 at sg-1") == "10-1(2)"
    assert "done" not in retreats.words("sa-2")


@pytest.mark.clause("10-1(5)b", "10-2(8)2", "10-1(3)a")
@pytest.mark.parametrize(("die", "gone"), [(3, False), (4, True)])
def test_several_units_may_attack_the_same_defender_one_after_another(field, die, gone):
    battle = duel(field, {"sg-1": DEFENDER + " disordered", "sa-2": "0402 4-4-3-4", "sa-3": "0203 4-4-3-4"})
    battle.do("melee sa-1 at sg-1", 2, 3)
    battle.do("melee sa-2 at sg-1", 3, 3, die)
    assert (battle.at("sg-1") is None) is gone
    if gone:
        assert battle.refused("melee sa-3 at sg-1") == "2-1-1(0)a"
    else:
        assert battle.why_not("melee sa-3 at sg-1") is None


@pytest.mark.clause("10-1(4)", "10-2(9)a")
def test_an_advance_closes_a_way_of_retreat_in_the_next_melee(field):
    """After the advance the attacker's ZOC reaches the only hex that was open to the second defender."""
    rows = ". . . . . . .\n . . . . . . .\n. . . . . . .\n"
    units = {
        "sa-1": "0202 4-4-3-4",
        "sg-1": "0203 4-4-3-4 disordered",
        "sa-2": "0306 4-4-3-4",
        "sg-2": "0305 4-4-3-4",
        "sa-3": "0106 4-4-3-4",
    }
    for advance, gone in (("", False), (" advance", True)):
        battle = field(rows, units, phase="satcho-melee", idle=True)
        battle.do("melee sa-1 at sg-1" + advance, 6, 6, 6)
        battle.do("melee sa-2 at sg-2", 6, 6, 6)
        assert (battle.at("sg-2") is None) is gone


@pytest.mark.clause("10-1(6)")
def test_melee_is_voluntary(field):
    battle = duel(field, {"sa-2": "0402 4-4-3-4"})
    battle.do("melee sa-2 at sg-1", 1, 1)
    before = bakumatsu.dump(battle.state)
    battle.do("done")
    after = bakumatsu.dump(battle.state)
    assert "melee" not in battle.events()
    assert (battle.phase, battle.state.turn) == ("shogunate-move", 2)
    assert battle.words("sa-1") == {"normal"}
    assert {key: after[key] for key in ("at", "disordered", "removed")} == {
        key: before[key] for key in ("at", "disordered", "removed")
    }


@pytest.mark.clause("10-1(7)")
def test_markers_come_off_at_the_end_of_the_phase(field):
    battle = duel(field, {"sa-2": "0402 4-4-3-4"}, phase="shogunate-melee")
    battle.do("melee sg-1 at sa-1", 1, 1)
    assert battle.words("sg-1") == {"disordered", "done"}
    battle.do("done")
    assert battle.phase == "satcho-move"
    assert battle.words("sg-1") == {"disordered"}
    assert not battle.state.done


# 10-2(0) to 10-2(4): the declaration, supporters, the difference


@pytest.mark.clause("10-2(0)")
def test_only_the_defending_hex_suffers(field):
    battle = duel(field, {"sg-1": DEFENDER + " disordered", "sg-2": "0202 4-4-3-4 disordered"})
    battle.do("melee sa-1 at sg-1", 6, 6, 6)
    assert battle.at("sg-1") is None
    assert (battle.at("sg-2"), battle.words("sg-2")) == ("0202", {"disordered"})


@pytest.mark.clause("10-2(1)a", "10-2(5)a", "10-2(7)")
def test_two_dice_are_asked_for_once_the_declaration_is_found_legal_then_one_for_the_check(field):
    battle = duel(field, {"sa-2": "0301 4-4-3-4"})
    assert battle.refused("melee sa-1 at sg-1 with sa-2") == "10-2(2)a"
    assert isinstance(battle.request, Choose)
    battle.game.apply(battle.order("melee sa-1 at sg-1"))
    assert battle.request == Roll("melee/0303", dice=2, sides=6)
    battle.game.apply((2, 4))
    assert battle.facts("melee")["dice"] == [2, 4]
    assert battle.request == Roll("check/0303", dice=1, sides=6)
    battle.do("", 2)
    assert battle.facts("check")["die"] == 2
    assert isinstance(battle.request, Choose)


@pytest.mark.clause("10-2(1)b")
@pytest.mark.parametrize(
    ("side", "why"),
    [
        ({"rivers": ("0302/0303",)}, "10-2(1)b"),
        ({"ponds": ("0302/0303",)}, "10-2(1)b"),
        ({"rivers": ("0302/0303",), "roads": ("0302 0303",)}, "10-2(1)b"),  # no exception for a bridge
        ({"ponds": ("0302/0303",), "roads": ("0302 0303",)}, "10-2(1)b"),
        ({"streams": ("0302/0303",)}, None),
        ({"rivers": ("0302/0402",)}, None),  # beside the way
    ],
)
def test_no_melee_over_a_river_or_pond_not_even_over_a_bridge(field, side, why):
    """Ruling R38."""
    battle = duel(field, **side)
    offered = [order for order in battle.options() if order.startswith("melee sa-1")]
    if why is None:
        assert battle.why_not("melee sa-1 at sg-1") is None
        assert offered
    else:
        assert battle.refused("melee sa-1 at sg-1") == why
        assert not offered


@pytest.mark.clause("10-2(2)a")
@pytest.mark.parametrize("count", range(6))
def test_every_other_friend_beside_the_defender_may_support(field, count):
    """Ruling R35."""
    battle = duel(field, RING)
    names = list(RING)[:count]
    battle.do("melee sa-1 at sg-1" + (" with " + " ".join(names) if names else ""), 3, 3, 1)
    melee = battle.facts("melee")
    assert (melee["strength"], melee["difference"]) == (4 + count, count)
    assert {unit for unit in RING if "done" in battle.words(unit)} == set(names)


@pytest.mark.clause("10-2(2)a")
@pytest.mark.parametrize("unit", ["0301 4-4-3-4", "0103 4-4-3-4", "0305 5-4-3-3 range 3"])
def test_a_friend_two_hexes_from_the_defender_cannot_support(field, unit):
    battle = duel(field, {"sa-2": unit, "sa-3": "0402 4-4-3-4"})
    assert battle.refused("melee sa-1 at sg-1 with sa-2") == "10-2(2)a"
    assert battle.refused("melee sa-1 at sg-1 with sa-3 sa-2") == "10-2(2)a"
    assert battle.why_not("melee sa-1 at sg-1 with sa-3") is None


@pytest.mark.clause("10-2(2)a", "10-2(1)b", "10-2(5)b")
@pytest.mark.parametrize(
    ("side", "why"),
    [
        ({"rivers": ("0203/0303",)}, "10-2(1)b"),
        ({"ponds": ("0203/0303",)}, "10-2(1)b"),
        ({"rivers": ("0203/0303",), "roads": ("0203 0303",)}, "10-2(1)b"),
        ({"streams": ("0203/0303",)}, None),
    ],
)
def test_no_melee_support_over_a_river_or_pond_and_a_stream_in_its_way_costs_nothing(field, side, why):
    """Ruling R39."""
    battle = duel(field, {"sa-2": "0203 4-4-3-4"}, **side)
    offered = "melee sa-1 at sg-1 with sa-2" in battle.options()
    if why is not None:
        assert battle.refused("melee sa-1 at sg-1 with sa-2") == why
        assert not offered
        return
    assert offered
    battle.do("melee sa-1 at sg-1 with sa-2", 1, 1)
    assert (battle.facts("melee")["modifiers"], battle.facts("melee")["strength"]) == ([], 5)


@pytest.mark.clause("10-2(2)c")
@pytest.mark.parametrize("strength", ["x", "0"])
def test_a_unit_without_melee_strength_neither_supports_nor_attacks(field, strength):
    """Ruling R7."""
    battle = duel(field, {"sa-2": f"0402 4-{strength}-3-4", "sa-3": "0403 4-1-3-4"})
    assert battle.refused("melee sa-1 at sg-1 with sa-2") == "10-2(2)c"
    assert battle.refused("melee sa-2 at sg-1") == "2-2-1(2)3"
    assert not any("sa-2" in order for order in battle.options())
    assert battle.why_not("melee sa-1 at sg-1 with sa-3") is None
    assert battle.why_not("melee sa-3 at sg-1") is None


@pytest.mark.clause("10-2(2)a", "10-2(2)b", "10-2(2)c")
def test_supporters_that_became_illegal_are_dropped_and_the_melee_stays(field):
    """Ruling R33."""
    units = {
        "sa-2": "0402 4-4-3-4",
        "sa-3": "0403 4-4-3-4 disordered",
        "sa-4": "0301 4-4-3-4",
        "sa-5": "0203 4-4-3-4 done",
        "sa-6": "0304 4-4-3-4",
    }
    battle = duel(field, units, rivers=("0303/0304",))
    whole = battle.order("melee sa-1 at sg-1 with sa-3 sa-2 sa-4 sa-5 sa-6 advance")
    found = bakumatsu.remainder(battle.state, "satcho", whole)
    assert found is not None
    order, told = found
    assert order == battle.order("melee sa-1 at sg-1 with sa-2 advance")
    assert [(t.what, t.clause, t.facts["unit"]) for t in told] == [
        ("drop", "10-2(2)b", "sa-3"),
        ("drop", "10-2(2)a", "sa-4"),
        ("drop", "10-1(5)a", "sa-5"),
        ("drop", "10-2(1)b", "sa-6"),
    ]


@pytest.mark.clause("10-2(2)a")
@pytest.mark.parametrize(
    "order", ["melee sa-1 at sg-1 with sa-2", "melee sa-1 at sg-1", "melee sa-4 at sg-1 with sa-3"]
)
def test_nothing_remains_of_a_melee_that_is_legal_or_illegal_in_its_main_part(field, order):
    units = {"sa-2": "0402 4-4-3-4", "sa-3": "0403 4-4-3-4 disordered", "sa-4": "0301 4-4-3-4"}
    battle = duel(field, units)
    assert bakumatsu.remainder(battle.state, "satcho", battle.order(order)) is None


@pytest.mark.clause("10-2(3)", "10-2(4)")
@pytest.mark.parametrize(
    ("own", "enemy", "state", "difference"),
    [
        ("4-3-3-4", "4-6-3-4", "", -3),
        ("4-3-3-4", "4-6-3-4", " disordered", -3),  # printed values count in both states
        ("4-6-3-4", "4-6-3-4", "", 0),
        ("4-6-3-4", "4-2-3-4", "", 4),
        ("4-3-3-4", "4-x-3-4", "", 3),  # a defender without melee strength counts as 0
    ],
)
def test_the_difference_may_be_negative(field, own, enemy, state, difference):
    """Ruling R42."""
    battle = duel(field, {"sa-1": f"0302 {own}", "sg-1": f"0303 {enemy}{state}"})
    battle.do("melee sa-1 at sg-1", 5, 5, 1)
    assert battle.facts("melee")["difference"] == difference


# 10-2(5) and 10-2(6): the dice, what changes them, the table


@pytest.mark.clause("10-2(5)b", "10-2(5)c")
@pytest.mark.parametrize(
    ("letter", "modifiers"),
    [
        (".", {}),
        ("w", {"wetland": -1}),
        ("h", {"hill": -1}),
        ("m", {"mountain": -2}),
        ("t", {"mountain": -2}),
        ("c", {"city": -1}),
        ("C", {"hill": -1, "city": -1}),
        ("M", {"mountain": -2, "city": -1}),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_terrain_of_the_defenders_hex_and_of_the_side_lowers_the_roll(field, letter, modifiers, stream):
    rows = f". . .\n . . .\n. . {letter}"
    battle = duel(field, rows=rows, streams=("0302/0303",) if stream else ())
    battle.do("melee sa-1 at sg-1", 1, 1)
    melee = battle.facts("melee")
    right = {**modifiers, **({"stream hexside": -1} if stream else {})}
    assert {m["what"]: m["value"] for m in melee["modifiers"]} == right
    assert (melee["total"], melee["difference"]) == (2 + sum(right.values()), 0)


@pytest.mark.clause("10-2(5)b")
@pytest.mark.parametrize("letter", ["w", "h", "m", "t", "c"])
def test_terrain_in_the_attackers_own_hex_does_not_count(field, letter):
    battle = duel(field, rows=f". . .\n . . .\n. {letter} .")
    battle.do("melee sa-1 at sg-1", 1, 1)
    assert (battle.facts("melee")["modifiers"], battle.facts("melee")["total"]) == ([], 2)


@pytest.mark.clause("10-2(6)0")
@pytest.mark.parametrize(
    ("dice", "chance", "result"),
    [((2, 3), (), "-"), ((3, 3), (1,), "M0"), ((4, 4), (1,), "M1"), ((5, 5), (1,), "M2"), ((6, 6), (1,), "M3")],
)
def test_the_result_is_the_cell_of_roll_and_difference(field, dice, chance, result):
    battle = duel(field, {"sg-1": "0303 4-4-6-4"})
    battle.do("melee sa-1 at sg-1", *dice, *chance)
    melee = battle.facts("melee")
    assert (melee["result"], melee["check"]) == (result, int(result[1:]) if chance else None)


@pytest.mark.clause("10-2(6)0")
@pytest.mark.parametrize(
    ("own", "enemy", "dice", "chance", "result"),
    [
        (1, 9, (6, 6), (1,), "M1"),  # difference -8 reads -4
        (1, 5, (6, 6), (1,), "M1"),
        (1, 9, (5, 4), (), "-"),
        (9, 1, (1, 1), (1,), "M1"),  # +8 reads +6
        (7, 1, (1, 1), (1,), "M1"),
        (6, 1, (1, 1), (1,), "M0"),  # +5 is a column of its own
    ],
)
def test_differences_beyond_the_table_read_its_end_columns(field, own, enemy, dice, chance, result):
    """Ruling R32."""
    battle = duel(field, {"sa-1": f"0302 4-{own}-3-4", "sg-1": f"0303 4-{enemy}-6-4"})
    battle.do("melee sa-1 at sg-1", *dice, *chance)
    assert battle.facts("melee")["result"] == result


@pytest.mark.clause("10-2(6)0")
def test_a_roll_below_the_table_reads_its_first_row(field):
    """Ruling R32."""
    battle = duel(field, {"sa-1": "0302 4-9-3-4"}, rows=". . .\n . . .\n. . M", streams=("0302/0303",))
    battle.do("melee sa-1 at sg-1", 1, 1, 1)
    melee = battle.facts("melee")
    assert (melee["total"], melee["difference"], melee["result"]) == (-2, 5, "M0")


@pytest.mark.clause("10-2(6)0")
def test_every_cell_of_the_table_is_found_and_its_ends_go_on(field, tables):
    """Ruling R32."""
    found = duel(field).board.tables.melee
    data = tables["melee_results_table"]
    rows = list(data["rows_modified_2d6"].values())
    for total in range(-6, 20):
        row = rows[0 if total <= 1 else len(rows) - 1 if total >= 13 else total - 1]
        for difference in range(-9, 12):
            assert found.result(total, difference) == row[min(max(difference, -4), 6) + 4], (total, difference)


@pytest.mark.clause("10-2(6)1")
@pytest.mark.parametrize("state", ["", " disordered"])
def test_no_effect_leaves_the_defender_as_it_is_and_costs_the_attacker_his_order(field, state):
    battle = duel(field, {"sg-1": DEFENDER + state})
    before = battle.words("sg-1")
    battle.do("melee sa-1 at sg-1 advance", 2, 3)
    assert battle.events() == ["melee", "disorder"]
    assert (battle.at("sg-1"), battle.words("sg-1")) == ("0303", before)
    assert (battle.at("sa-1"), battle.words("sa-1")) == ("0302", {"disordered", "done"})


@pytest.mark.clause("10-2(6)2", "10-2(7)")
@pytest.mark.parametrize(
    ("morale", "dice", "add", "die", "passed"),
    [
        (3, (3, 3), 0, 3, True),  # M0 calls for a check too
        (3, (3, 3), 0, 4, False),
        (5, (5, 5), 2, 3, True),
        (5, (5, 5), 2, 4, False),
        (6, (3, 3), 0, 6, True),
        (3, (6, 6), 3, 1, False),
    ],
)
def test_die_and_x_up_to_the_morale_value_pass(field, morale, dice, add, die, passed):
    battle = duel(field, {"sg-1": f"0303 4-4-{morale}-4"})
    battle.do("melee sa-1 at sg-1", *dice, die)
    assert battle.facts("check") == {"unit": "sg-1", "die": die, "add": add, "morale": morale, "passed": passed}
    assert battle.words("sg-1") == ({"normal"} if passed else {"disordered"})


@pytest.mark.clause("10-2(7)")
def test_the_defenders_morale_counts_not_the_attackers(field):
    battle = duel(field, {"sa-1": "0302 4-4-6-4", "sg-1": "0303 4-4-2-4"})
    battle.do("melee sa-1 at sg-1", 3, 3, 3)
    assert battle.facts("check")["passed"] is False


# 10-2(8): what a failed check brings


@pytest.mark.clause("10-2(8)0")
@pytest.mark.parametrize("state", ["", " disordered"])
def test_a_passed_check_changes_nothing_for_the_defender(field, state):
    """Ruling R44."""
    battle = duel(field, {"sg-1": DEFENDER + state})
    before = battle.words("sg-1")
    battle.do("melee sa-1 at sg-1 advance", 3, 3, 3)
    assert (battle.at("sg-1"), battle.words("sg-1")) == ("0303", before)
    assert battle.at("sa-1") == "0302"
    assert battle.events() == ["melee", "check", "disorder"]


@pytest.mark.clause("10-2(8)1")
def test_a_normal_defender_that_fails_is_disordered_and_retreats_one_hex(field):
    battle = duel(field)
    battle.do("melee sa-1 at sg-1", 3, 3, 4)
    assert battle.events() == ["melee", "check", "disorder"]
    assert (battle.request.kind, battle.request.side, battle.request.about) == ("retreat", "shogunate", ("sg-1",))
    assert battle.refused("retreat sg-1 0305") == "11(1)0"
    battle.do("retreat sg-1 0203")
    assert (battle.at("sg-1"), battle.words("sg-1")) == ("0203", {"disordered"})


@pytest.mark.clause("10-2(8)1")
def test_a_normal_defender_that_fails_without_a_way_out_is_removed(field):
    battle = duel(field, {"sa-2": "0304 4-4-3-4"})
    battle.do("melee sa-1 at sg-1", 3, 3, 4)
    assert battle.at("sg-1") is None
    assert [tell.clause for tell in battle.told if tell.what == "remove"] == ["11(2)"]


@pytest.mark.clause("10-2(8)2")
def test_a_disordered_defender_that_fails_is_removed_without_retreat(field):
    battle = duel(field, {"sg-1": DEFENDER + " disordered"})
    battle.do("melee sa-1 at sg-1", 3, 3, 4)
    assert battle.at("sg-1") is None
    assert battle.events() == ["melee", "check", "remove", "disorder"]
    assert [tell.clause for tell in battle.told if tell.what == "remove"] == ["10-2(8)2"]


# 10-2(9) to 10-2(11): advance, the attacker's disorder, markers


@pytest.mark.clause("10-2(9)a", "10-2(10)")
@pytest.mark.parametrize(("flag", "end"), [(" advance", "0303"), ("", "0302")])
@pytest.mark.parametrize("state", ["", " disordered"])
def test_the_attacker_may_advance_into_the_emptied_hex(field, state, flag, end):
    """After a removal and after a retreat alike; with the word only; and disordered in the new hex (R45)."""
    battle = duel(field, {"sg-1": DEFENDER + state, "sa-2": "0402 4-4-3-4"})
    battle.do("melee sa-1 at sg-1 with sa-2" + flag, 3, 4, 4)
    if not state:
        battle.do("retreat sg-1 0304")
    assert battle.at("sa-1") == end
    assert battle.words("sa-1") == {"disordered", "done"}
    assert battle.at("sa-2") == "0402"


@pytest.mark.clause("10-2(9)a")
@pytest.mark.parametrize("order", ["melee sa-1 at sg-1 with sa-2 sa-2 advance sa-2", "melee sa-1 at sg-1 advance sa-2"])
def test_a_supporter_never_advances(field, order):
    battle = duel(field, {"sa-2": "0402 4-4-3-4"})
    with pytest.raises(MalformedOrder):
        battle.order(order)
    assert battle.why_not("melee sa-1 at sg-1 with sa-2 advance") is None


@pytest.mark.clause("10-2(9)a", "10-2(10)", "10-1(1)a")
def test_the_advance_comes_after_the_retreat_and_before_the_attackers_disorder(field):
    """Ruling R41."""
    battle = duel(field)
    battle.do("melee sa-1 at sg-1 advance", 3, 3, 4)
    assert (battle.at("sa-1"), battle.words("sa-1")) == ("0302", {"normal"})
    battle.do("retreat sg-1 0304")
    assert battle.events() == ["retreat", "advance", "disorder"]
    assert battle.facts("advance") == {"unit": "sa-1", "from": "0302", "to": "0303"}
    assert battle.facts("disorder")["at"] == "0303"


@pytest.mark.clause("10-2(9)a", "12(4)")
def test_the_attacker_may_advance_over_lost_artillery(field):
    battle = duel(field, {"sg-1": "0303 4-4-3-4 range 3"})
    battle.do("melee sa-1 at sg-1 advance", 3, 3)
    assert battle.at("sa-1") == "0303"


@pytest.mark.clause("10-2(9)b")
def test_an_advance_ignores_enemy_zoc(field):
    more = {"sg-1": DEFENDER + " disordered", "sg-2": "0203 4-4-3-4", "sg-3": "0402 4-4-3-4"}
    battle = duel(field, more)
    battle.do("melee sa-1 at sg-1 advance", 6, 6, 6)
    assert battle.at("sa-1") == "0303"

    twin = duel(field, {"sg-1": "removed 4-4-3-4", "sg-2": more["sg-2"], "sg-3": more["sg-3"]}, phase="satcho-move")
    assert twin.refused("move sa-1 0303") == "8-1(3)3"


@pytest.mark.clause("10-2(9)c")
@pytest.mark.parametrize(("letter", "stream"), [("M", False), ("w", True), ("t", True)])
def test_an_advance_ignores_terrain_and_costs_no_points(field, letter, stream):
    """Ruling R46."""
    rows = f". . . .\n . . . .\n. . {letter} ."
    more = {"sa-1": "0302 4-6-3-1", "sg-1": DEFENDER + " disordered"}
    battle = duel(field, more, rows=rows, streams=("0302/0303",) if stream else ())
    battle.do("melee sa-1 at sg-1 advance", 6, 6, 6)
    assert battle.at("sa-1") == "0303"


@pytest.mark.clause("10-2(9)c", "12(1)")
def test_an_advance_is_no_movement_of_artillery(field):
    """The gun is turned over once, for its attack; artillery is only turned over by moving otherwise (R46)."""
    battle = duel(field, {"sa-1": "0302 5-4-3-3 range 3", "sg-1": DEFENDER + " disordered"})
    battle.do("melee sa-1 at sg-1 advance", 6, 6, 6)
    assert battle.at("sa-1") == "0303"
    assert [tell.clause for tell in battle.told if tell.what == "disorder"] == ["10-2(10)"]


@pytest.mark.clause("10-2(9)a", "14(2)")
@pytest.mark.parametrize(("flag", "held"), [(" advance", "satcho"), ("", "shogunate")])
def test_an_advance_takes_a_victory_hex(field, flag, held):
    """Ruling R46."""
    battle = duel(field, {"sg-1": DEFENDER + " disordered"}, control={"shogunate": "0303"})
    battle.do("melee sa-1 at sg-1" + flag, 6, 6, 6)
    assert battle.state.control[battle.hex("0303")] == held


@pytest.mark.clause("10-2(10)", "10-2(11)", "10-1(3)b")
def test_supporters_are_marked_but_keep_their_order(field):
    """Ruling R40."""
    battle = duel(field, {"sa-2": "0402 4-4-3-4", "sa-3": "0202 4-4-3-4"})
    battle.do("melee sa-1 at sg-1 with sa-2", 1, 1)
    assert battle.words("sa-1") == {"disordered", "done"}
    assert battle.words("sa-2") == {"normal", "done"}
    assert battle.words("sa-3") == {"normal"}
    assert battle.words("sg-1") == {"normal"}
