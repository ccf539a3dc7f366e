"""Chapter 3, the basics: stacking and zones of control."""

from __future__ import annotations

import pytest

from pbem.rules.bakumatsu.acting import in_enemy_zoc

PLAIN = """
    . . . . . .
     . . . . . .
    . . . . . .
     . . . . . .
    . . . . . .
"""


def zoc(battle):
    """The numbers of the hexes that Satsuma-Choshu's units control."""
    return {battle.board.label[h] for h in battle.board.map.hexes if in_enemy_zoc(battle.state, "shogunate", h)}


# --- 3-1 stacking


@pytest.mark.clause("3-1(0)a", "15-1-4(0)")
def test_one_unit_in_a_hex_at_the_set_up(field):
    battle = field(PLAIN, {"sg-1": "setup 4-3-3-4", "sg-2": "setup 4-3-3-4", "sa-1": "setup 4-3-3-4"}, phase="start")
    assert battle.why_not("done").reason == "2 units have still to be set up, sg-1 first"
    battle.do("setup sg-1 0101")
    assert battle.why_not("done").reason == "1 unit has still to be set up, sg-2 first"
    assert battle.refused("setup sg-2 0101") == "15-1-4(0)"
    battle.do("setup sg-2 0102")
    assert battle.refused("setup sa-1 0102") == "15-1-4(0)"
    assert "setup sa-1 0102" not in battle.options()
    assert battle.why_not("setup sa-1 0103") is None


@pytest.mark.clause("3-1(0)a", "3-1(0)b", "8(4)")
@pytest.mark.parametrize("other", ["sg-2", "sa-1"])
@pytest.mark.parametrize("how", ["move", "march"])
def test_a_move_neither_ends_on_a_unit_nor_passes_it(field, other, how):
    units = {"sg-1": "0101 4-3-3-4", other: "0103 4-3-3-4"}
    roads, rivers = ("0101 0102 0103 0104",), ("0102/0103", "0103/0104")  # no ZOC over the rivers
    battle = field(". . . .", units, phase="shogunate-move", roads=roads, rivers=rivers)
    assert battle.refused(f"{how} sg-1 0102 0103") == "8(4)"
    assert battle.refused(f"{how} sg-1 0102 0103 0104") == "8(4)"
    assert battle.why_not(f"{how} sg-1 0102") is None
    battle.state.remove(other, "the test's will", "3-1(0)a")
    assert battle.why_not(f"{how} sg-1 0102 0103 0104") is None


@pytest.mark.clause("3-1(0)b", "11(4)a")
def test_a_retreat_passes_a_friend_but_does_not_end_on_him(field):
    units = {"sa-1": "0302 4-5-5-5", "sg-1": "0303 4-3-3-4", "sg-2": "0304 4-3-3-4", "sg-idle": "0601 4-3-3-4"}
    battle = field(PLAIN + "\n . . .", units, phase="satcho-fire")
    battle.do("fire sa-1 at sg-1", 5, 6)
    assert battle.refused("retreat sg-1 0304") == "11(4)a"
    assert battle.why_not("retreat sg-1 0403") is None
    battle.do("retreat sg-1 0304 0305")
    assert (battle.at("sg-1"), battle.at("sg-2")) == ("0305", "0304")


@pytest.mark.clause("3-1(0)b", "10-2(9)a")
@pytest.mark.parametrize(("die", "advances"), [(3, False), (4, True)])
def test_an_advance_needs_an_empty_hex(field, die, advances):
    units = {"sa-1": "0103 4-4-5-5", "sg-1": "0102 4-4-3-4"}
    battle = field(". . .", units, phase="satcho-melee", idle=True)
    battle.do("melee sa-1 at sg-1 advance", 3, 4, die)
    assert ("advance" in battle.events()) is advances
    assert battle.at("sa-1") == ("0102" if advances else "0103")
    assert battle.at("sg-1") == ("0101" if advances else "0102")


# --- 3-2 zones of control


@pytest.mark.clause("3-2(0)")
@pytest.mark.parametrize(
    ("at", "controlled"),
    [
        ("0303", {"0303", "0302", "0304", "0202", "0203", "0402", "0403"}),
        ("0203", {"0203", "0202", "0204", "0103", "0104", "0303", "0304"}),
        ("0101", {"0101", "0102", "0201"}),
        ("0206", {"0206", "0205", "0106", "0306"}),
    ],
)
def test_a_unit_controls_its_hex_and_the_adjacent_ones(field, at, controlled):
    battle = field(PLAIN, {"sa-1": f"{at} 4-3-3-4"}, phase="satcho-move")
    assert zoc(battle) == controlled
    assert len(controlled) == 7 or at in ("0101", "0206")


@pytest.mark.clause("3-2(0)", "3-2(3)1", "8-1(3)1")
def test_a_zoc_reaches_one_hex_in_each_direction_and_no_farther(field):
    for at in ("0302", "0304", "0202", "0203", "0402", "0403"):
        units = {"sa-1": f"{at} 4-3-3-4", "sg-1": "0303 4-3-3-6"}
        away = {"0302": "0304", "0304": "0302", "0202": "0403", "0203": "0402", "0402": "0203", "0403": "0202"}[at]
        battle = field(PLAIN, units, phase="shogunate-move", idle=True)
        battle.do(f"move sg-1 {away}")
        assert battle.facts("move")["cost"] == 2  # in the ZOC at the beginning
    for at in ("0301", "0305", "0503", "0103", "0102", "0204", "0401", "0404"):
        battle = field(PLAIN, {"sa-1": f"{at} 4-3-3-4", "sg-1": "0303 4-3-3-6"}, phase="shogunate-move", idle=True)
        step = next(n for n in ("0304", "0302", "0402", "0203") if n not in zoc(battle))
        battle.do(f"move sg-1 {step}")
        assert battle.facts("move")["cost"] == 1


@pytest.mark.clause("3-2(1)")
@pytest.mark.parametrize(
    "enemy",
    [
        "4-3-3-4",
        "4-3-3-4 disordered",
        "5-x-3-3 range 3",
        "5-x-3-3 range 3 disordered",
        "x-x-3-4",
        "4-3-3-4 done",
    ],
)
def test_every_unit_has_a_zoc(field, enemy):
    units = {"sg-1": "0101 4-3-3-5", "sa-1": f"0203 {enemy}"}
    battle = field(PLAIN, units, phase="shogunate-move")
    assert zoc(battle) == {"0203", "0202", "0204", "0103", "0104", "0303", "0304"}
    assert battle.refused("move sg-1 0102 0103 0104") == "8-1(3)1"
    assert battle.why_not("move sg-1 0102 0103") is None
    assert battle.refused("move sg-1 0102 0202 0302") == "8-1(3)1"


@pytest.mark.clause("3-2(1)")
def test_a_friend_has_no_zoc_against_his_own_side(field):
    units = {"sg-1": "0101 4-3-3-5", "sg-2": "0203 4-3-3-5"}
    assert field(PLAIN, units, phase="shogunate-move").why_not("move sg-1 0102 0103 0104") is None


@pytest.mark.clause("3-2(2)", "8-1(3)1")
@pytest.mark.parametrize(
    ("side", "clause"), [("rivers", None), ("ponds", None), ("streams", "8-1(3)1"), ("none", "8-1(3)1")]
)
def test_a_zoc_does_not_reach_over_a_river_or_pond(field, side, clause):
    units = {"sg-1": "0101 4-3-3-5", "sa-1": "0203 4-3-3-5"}
    sides = {} if side == "none" else {side: ("0103/0203 0104/0203",)}
    battle = field(PLAIN, units, phase="shogunate-move", **sides)
    refusal = battle.why_not("move sg-1 0102 0103 0104")
    assert (refusal and refusal.clause) == clause
    assert battle.refused("move sg-1 0102 0202 0302") == "8-1(3)1"  # the other sides of the enemy stay open


@pytest.mark.clause("3-2(2)", "8-2(5)", "8-1(2)2")
@pytest.mark.parametrize("kind", ["rivers", "ponds"])
def test_a_bridge_lets_no_zoc_over(field, kind):
    """R18: no ZOC over a river or pond side, even where a road crosses it."""
    units = {"sg-1": "0101 4-3-3-5", "sa-1": "0203 4-3-3-5"}
    roads = ("0101 0102 0103 0104 0105", "0103 0203")
    battle = field(PLAIN, units, phase="shogunate-move", roads=roads, **{kind: ("0103/0203 0104/0203",)})
    assert battle.why_not("march sg-1 0102 0103 0104 0105") is None
    assert battle.why_not("move sg-1 0102 0103 0104 0105") is None
    assert battle.refused("march sg-1 0102 0103 0203") == "8(4)"
    open_side = field(PLAIN, units, phase="shogunate-move", roads=roads)
    assert open_side.refused("march sg-1 0102 0103 0104 0105") == "8-2(5)"


@pytest.mark.clause("3-2(2)", "8-2(5)")
def test_a_march_over_a_bridge_beside_an_enemy_on_the_far_bank_fears_other_enemies(field):
    """R18: it is legal only as long as no other enemy's ZOC is entered."""
    roads, rivers = ("0101 0102 0103",), ("0102/0103 0102/0202",)
    units = {"sg-1": "0101 4-3-3-5", "sa-1": "0202 4-3-3-5"}
    beside = field(PLAIN, units, phase="shogunate-move", roads=roads, rivers=rivers)
    assert beside.why_not("march sg-1 0102") is None
    assert beside.refused("march sg-1 0102 0103") == "8-2(5)"  # the bank where the enemy stands


@pytest.mark.clause("3-2(3)1", "8-1(3)1", "8-1(3)2", "8-1(3)3", "8-2(2)b", "8-2(5)")
def test_enemy_zoc_restricts_movement(field):
    units = {"sg-1": "0301 4-3-3-4", "sg-2": "0303 4-3-3-4", "sa-1": "0203 4-3-3-4"}
    roads = ("0301 0302 0402", "0303 0403")
    battle = field(PLAIN, units, phase="shogunate-move", roads=roads)
    assert battle.refused("move sg-1 0201 0202 0102") == "8-1(3)1"
    assert battle.refused("move sg-2 0304") == "8-1(3)3"
    assert battle.refused("move sg-2 0403 0503 0504 0505") == "8(2)a"
    assert battle.why_not("move sg-2 0403 0503 0504") is None
    assert battle.refused("march sg-2 0403") == "8-2(2)b"
    assert battle.why_not("march sg-1 0302 0402") is None
    units["sa-1"] = "0202 4-3-3-4"
    assert field(PLAIN, units, phase="shogunate-move", roads=roads).refused("march sg-1 0302 0402") == "8-2(5)"


@pytest.mark.clause("3-2(3)2", "11(1)2")
def test_enemy_zoc_blocks_retreat(field):
    units = {"sa-1": "0302 4-5-5-5", "sg-1": "0303 4-3-3-4", "sa-2": "0505 4-5-5-5 disordered"}
    battle = field(PLAIN, units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1", 5, 6)
    assert battle.options() == ["retreat sg-1 0203", "retreat sg-1 0304", "retreat sg-1 0403"]
    assert battle.refused("retreat sg-1 0202") == "11(1)2"
    assert battle.refused("retreat sg-1 0402") == "11(1)2"

    nearer = field(PLAIN, {**units, "sa-2": "0404 4-5-5-5 disordered"}, phase="satcho-fire", idle=True)
    nearer.do("fire sa-1 at sg-1", 5, 6)
    assert nearer.at("sg-1") == "0203"  # 0304 and 0403 lie in the second enemy's ZOC
    assert nearer.facts("retreat")["how"] == "only way"


@pytest.mark.clause("3-2(3)2", "11(1)2", "11(2)")
def test_a_friend_does_not_lift_an_enemy_zoc(field):
    """R16: a unit in enemy ZOC can't be retreated over either."""
    units = {"sa-1": "0104 4-5-5-5", "sg-1": "0103 4-3-3-4", "sg-2": "0102 4-3-3-4"}
    free = field(". . . .", units, phase="satcho-fire", idle=True)
    free.do("fire sa-1 at sg-1", 5, 6)
    assert free.at("sg-1") == "0101"
    held = field(". . . .\n - . - -", {**units, "sa-2": "0202 4-5-5-5"}, phase="satcho-fire", idle=True)
    assert zoc(held) >= {"0102", "0103"}
    assert "0101" not in zoc(held)
    held.do("fire sa-1 at sg-1", 5, 6)
    assert held.at("sg-1") is None
    assert (held.at("sg-2"), held.words("sg-2")) == ("0102", {"normal"})
