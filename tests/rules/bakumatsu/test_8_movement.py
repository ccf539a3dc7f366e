"""Chapter 8, movement: normal and by road, what it costs, what forbids it; and artillery that moves (12(1))."""

from __future__ import annotations

import pytest

from pbem.errors import MalformedOrder
from pbem.rules import bakumatsu
from pbem.rules.bakumatsu.orders import March, Move

PLAIN = """
    . . . . . .
     . . . . . .
    . . . . . .
     . . . . . .
    . . . . . .
"""
LANE = ". . . . . . . . . . ."
"""Eleven flat hexes in a row."""


def east(first, count):
    """The numbers of `count` hexes of the first row, from a column on."""
    return " ".join(f"01{column:02}" for column in range(first, first + count))


def clause(battle, order):
    """The clause that refuses an order, None when it is legal."""
    refusal = battle.why_not(order)
    return refusal and refusal.clause


def assert_cost(field, rows, path, cost, at="0101", others=None, **more):
    """The move costs this much: it is told so, legal with that allowance and illegal with a point less."""
    others = others or {}
    enough = field(rows, {"sg-1": f"{at} 4-3-3-{cost}", **others}, phase="shogunate-move", idle=True, **more)
    enough.do(f"move sg-1 {path}")
    assert enough.facts("move")["cost"] == cost
    assert enough.at("sg-1") == path.split()[-1]
    short = field(rows, {"sg-1": f"{at} 4-3-3-{cost - 1}", **others}, phase="shogunate-move", **more)
    assert short.refused(f"move sg-1 {path}") == "8(2)a"


# --- 8 general


@pytest.mark.clause("8(0)")
def test_only_the_active_player_moves_his_units(field):
    units = {"sg-1": "0101 4-3-3-4", "sa-1": "0505 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move", roads=("0505 0506",))
    assert battle.refused("move sa-1 0506") == "8(0)"
    assert battle.refused("march sa-1 0506") == "8(0)"
    battle.do("move sg-1 0102")
    assert battle.phase == "satcho-move"
    assert battle.refused("move sg-1 0101") == "8(0)"
    assert battle.why_not("move sa-1 0506") is None


@pytest.mark.clause("8(0)", "5(0)a")
@pytest.mark.parametrize("phase", ["satcho-fire", "shogunate-melee", "shogunate-fire", "satcho-melee"])
def test_nobody_moves_in_another_phase(field, phase):
    battle = field(PLAIN, {"sg-1": "0101 4-3-3-4", "sa-1": "0505 4-3-3-4"}, phase=phase, idle=True)
    assert battle.refused("move sg-1 0102") == "5(0)a"
    assert battle.refused("move sa-1 0506") == "5(0)a"


@pytest.mark.clause("8(1)")
@pytest.mark.parametrize("number", ["0304", "0203", "0202", "0302", "0402", "0403"])
def test_a_unit_moves_in_any_direction(field, number):
    battle = field(PLAIN, {"sg-1": "0303 4-3-3-1"}, phase="shogunate-move", idle=True)
    battle.do(f"move sg-1 {number}")
    assert battle.at("sg-1") == number


@pytest.mark.clause("8(1)")
@pytest.mark.parametrize("path", ["0305", "0204", "0404", "0103", "0303", "0304 0306", "0304 0303 0305"])
def test_a_step_leads_to_an_adjacent_hex(field, path):
    battle = field(PLAIN, {"sg-1": "0303 4-3-3-6"}, phase="shogunate-move")
    assert battle.refused(f"move sg-1 {path}") == "8(1)"


@pytest.mark.clause("8(1)", "8(2)a")
def test_a_unit_may_turn_and_come_back(field):
    battle = field(PLAIN, {"sg-1": "0303 4-3-3-4"}, phase="shogunate-move", idle=True)
    assert battle.refused("move sg-1 0304 0203 0303 0302 0301") == "8(2)a"
    battle.do("move sg-1 0304 0203 0303 0302")
    assert (battle.at("sg-1"), battle.facts("move")["cost"]) == ("0302", 4)


@pytest.mark.clause("8(2)a", "2-2-1(2)5")
@pytest.mark.parametrize("allowance", [2, 4, 5])
def test_a_unit_spends_at_most_its_allowance(field, allowance):
    battle = field(LANE, {"sg-1": f"0101 4-3-3-{allowance}"}, phase="shogunate-move", idle=True)
    assert battle.refused(f"move sg-1 {east(2, allowance + 1)}") == "8(2)a"
    battle.do(f"move sg-1 {east(2, allowance)}")
    assert battle.facts("move") == {
        "unit": "sg-1",
        "from": "0101",
        "path": east(2, allowance).split(),
        "how": "move",
        "cost": allowance,
    }


@pytest.mark.clause("8(2)b")
def test_unspent_points_are_lost(field):
    units = {"sg-1": "0101 4-3-3-4", "sg-2": "0201 4-3-3-4"}
    battle = field(LANE + "\n " + LANE, units, phase="shogunate-move", idle=True)
    battle.do("move sg-1 0102")
    assert battle.refused("move sg-2 0202 0203 0204 0205 0206") == "8(2)a"  # nor are they handed on
    for _ in range(6):
        battle.do("done")
    assert battle.refused(f"move sg-1 {east(3, 5)}") == "8(2)a"
    assert battle.why_not(f"move sg-1 {east(3, 4)}") is None


@pytest.mark.clause("8(3)", "8-2(3)")
@pytest.mark.parametrize(("allowance", "normal"), [(3, None), (2, "8(2)a")])
def test_a_unit_uses_normal_or_road_movement_for_the_whole_of_its_way(field, allowance, normal):
    units = {"sg-1": f"0101 4-3-3-{allowance}"}
    battle = field(PLAIN, units, phase="shogunate-move", roads=("0101 0102 0103",))
    assert battle.refused("march sg-1 0102 0103 0104") == "8-2(3)"
    assert clause(battle, "move sg-1 0102 0103 0104") == normal
    battle.do("march sg-1 0102 0103")
    assert battle.facts("move")["cost"] == 1


@pytest.mark.clause("8(3)", "8(5)")
def test_a_unit_that_marched_does_not_move_on_in_the_other_way(field):
    battle = field(PLAIN, {"sg-1": "0101 4-3-3-4"}, phase="shogunate-move", roads=("0101 0102 0103",), idle=True)
    battle.do("march sg-1 0102")
    assert battle.refused("move sg-1 0202") == "6(3)"
    assert battle.refused("march sg-1 0103") == "6(3)"


@pytest.mark.clause("8(4)", "3-1(0)b")
@pytest.mark.parametrize("other", ["sg-2", "sa-1"])
def test_a_unit_neither_enters_nor_passes_an_occupied_hex(field, other):
    units = {"sg-1": "0101 4-3-3-4", other: "0103 4-3-3-4"}
    battle = field(LANE, units, phase="shogunate-move", rivers=("0102/0103", "0103/0104"), roads=("0102 0103 0104",))
    assert battle.refused("move sg-1 0102 0103") == "8(4)"
    assert battle.refused("move sg-1 0102 0103 0104") == "8(4)"
    assert battle.why_not("move sg-1 0102") is None
    assert [order for order in battle.options() if order.startswith("move sg-1")] == ["move sg-1 0102"]


@pytest.mark.clause("8(4)")
@pytest.mark.parametrize("state", ["", "disordered", "done"])
def test_no_state_of_a_friend_lets_a_unit_pass(field, state):
    units = {"sg-1": "0101 4-3-3-4", "sg-2": f"0102 4-3-3-4 {state}"}
    assert field(PLAIN, units, phase="shogunate-move").refused("move sg-1 0102 0103") == "8(4)"


@pytest.mark.clause("8(5)", "6(3)")
def test_a_moved_unit_is_done_for_the_phase(field):
    battle = field(PLAIN, {"sg-1": "0101 4-3-3-4"}, phase="shogunate-move", idle=True)
    battle.do("move sg-1 0102")
    assert "done" in battle.words("sg-1")
    assert battle.refused("move sg-1 0103") == "6(3)"


@pytest.mark.clause("8(5)", "12(1)")
def test_a_move_of_no_hex_is_no_move(field):
    """R23: a move order has at least one step; staying turns no gun over."""
    battle = field(PLAIN, {"sg-1": "0101 5-x-3-3 range 3"}, phase="shogunate-move", idle=True, roads=("0101 0102",))
    for keyword, order in (("move", Move("sg-1", ())), ("march", March("sg-1", ()))):
        with pytest.raises(MalformedOrder):
            battle.order(f"{keyword} sg-1")
        assert battle.request.why_not(order).clause == "8(5)"
    battle.do("done")
    assert battle.words("sg-1") == {"normal", "artillery"}


@pytest.mark.clause("8(0)", "2-1-1(0)a")
def test_a_unit_off_the_map_does_not_move(field):
    units = {"sg-1": "removed 4-3-3-4", "sg-2": "0101 4-3-3-4", "sg-3": "cup 4-3-3-4", "sg-4": "received 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move")
    for unit, right in (("sg-1", "2-1-1(0)a"), ("sg-3", "4(3)b"), ("sg-4", "13-2(1)")):
        assert battle.refused(f"move {unit} 0102") == right


# --- 8-1 normal movement: terrain


@pytest.mark.clause("8-1(1)0", "8-1(1)1")
@pytest.mark.parametrize(("letter", "cost"), [(".", 1), ("h", 2), ("m", 3), ("w", 3)])
def test_a_hex_costs_what_the_chart_says(field, letter, cost):
    assert_cost(field, f". . {letter}", "0102 0103", 1 + cost)
    assert_cost(field, f". {letter} .", "0102 0103", cost + 1)


@pytest.mark.clause("8-1(1)0")
@pytest.mark.parametrize("letter", ["h", "m", "w"])
def test_the_hex_a_unit_starts_from_costs_nothing(field, letter):
    assert_cost(field, f"{letter} . .", "0102 0103", 2)


@pytest.mark.clause("8-1(1)0", "8-1(2)1", "8-1(3)2")
def test_the_cost_of_a_path_is_the_sum_of_hexes_sides_and_the_way_out_of_an_enemy_zoc(field):
    more = {"at": "0102", "streams": ("0104/0105",)}
    assert_cost(field, ". . . h m", "0103 0104 0105", 1 + 2 + 3 + 1, **more)
    assert_cost(field, ". . . h m", "0103 0104 0105", 1 + 1 + 2 + 3 + 1, others={"sa-1": "0101 4-3-3-4"}, **more)


@pytest.mark.clause("8-1(1)2", "2-1-2.3b")
@pytest.mark.parametrize(("letter", "cost"), [("c", 1), ("C", 2), ("M", 3), ("t", 3)])
def test_cities_and_mountain_tops_cost_as_their_other_terrain(field, letter, cost):
    """R26: a mountain top also is its mountain."""
    assert_cost(field, f". . {letter}", "0102 0103", 1 + cost)


@pytest.mark.clause("8-1(1)2")
@pytest.mark.parametrize(("letter", "cost"), [(".", 1), ("h", 2), ("m", 3), ("w", 3), ("c", 1)])
@pytest.mark.parametrize("holder", ["shogunate", "satcho"])
def test_victory_hexes_cost_as_their_other_terrain(field, letter, cost, holder):
    assert_cost(field, f". . {letter}", "0102 0103", 1 + cost, control={holder: "0103"})


@pytest.mark.clause("8-1(1)3", "8-1(2)3")
@pytest.mark.parametrize(("letter", "cost"), [(".", 1), ("h", 2), ("m", 3), ("w", 3), ("C", 2)])
def test_a_road_hex_costs_1_over_the_road_and_its_terrain_otherwise(field, letter, cost):
    rows = f". {letter} .\n - . -"
    assert_cost(field, rows, "0102 0103", 2, roads=("0101 0102 0103",))
    assert_cost(field, rows, "0102 0103", cost + 1, roads=("0102 0103",))
    assert_cost(field, rows, "0102 0103", cost + 1)


# --- 8-1 normal movement: hexsides and roads


@pytest.mark.clause("8-1(2)1")
@pytest.mark.parametrize(("letter", "cost"), [(".", 2), ("h", 3), ("m", 4), ("w", 4), ("c", 2)])
def test_a_stream_costs_1_more(field, letter, cost):
    assert_cost(field, f". . {letter}", "0102 0103", 1 + cost, streams=("0102/0103",))
    assert_cost(field, f". . {letter}", "0102 0103", cost, streams=("0102/0202",))  # beside the way


@pytest.mark.clause("8-1(2)1", "8-1(2)3")
@pytest.mark.parametrize("letter", [".", "h", "m"])
def test_along_a_road_a_stream_costs_nothing_more(field, letter):
    """R17: a step along a road costs 1, stream or not."""
    assert_cost(field, f". . {letter}", "0102 0103", 2, roads=("0101 0102 0103",), streams=("0102/0103",))


@pytest.mark.clause("8-1(1)3", "8-1(2)1", "8-1(2)3")
@pytest.mark.parametrize(("letter", "cost"), [(".", 2), ("h", 3)])
def test_between_two_road_hexes_without_a_road_terrain_and_stream_count(field, letter, cost):
    """R17: two road hexes that the road doesn't join are joined by open ground."""
    rows, roads = f". . .\n . {letter} .", ("0101 0102 0103", "0201 0202 0203")
    assert_cost(field, rows, "0102 0202", 1 + cost, roads=roads, streams=("0102/0201 0102/0202",))


@pytest.mark.clause("8-1(2)2", "8-1(2)3")
@pytest.mark.parametrize("kind", ["rivers", "ponds"])
def test_a_river_or_pond_is_crossed_on_a_road_only(field, kind):
    """R19: a road over a pond side is a bridge too."""
    units, sides = {"sg-1": "0101 4-3-3-4"}, {kind: ("0102/0103",)}
    barred = field("- . . .", {"sg-1": "0102 4-3-3-4", "sg-2": "0104 1-1-1-1"}, phase="shogunate-move", **sides)
    assert barred.refused("move sg-1 0103") == "8-1(2)2"
    assert field(LANE, units, phase="shogunate-move", **sides).refused("move sg-1 0102 0103") == "8-1(2)2"
    ends = field(LANE, units, phase="shogunate-move", roads=("0101 0102", "0103 0104"), **sides)
    assert ends.refused("move sg-1 0102 0103") == "8-1(2)2"  # roads on both banks are no bridge
    assert_cost(field, ". . m .", "0102 0103 0104", 3, roads=("0101 0102 0103",), **sides)


@pytest.mark.clause("8-1(2)2", "8-2(3)", "8-1(2)3")
@pytest.mark.parametrize("kind", ["rivers", "ponds", "streams"])
def test_road_movement_uses_bridges(field, kind):
    """R19: and causeways."""
    units, roads = {"sg-1": "0101 4-3-3-1"}, ("0101 0102 0103",)
    battle = field(LANE, units, phase="shogunate-move", roads=roads, idle=True, **{kind: ("0102/0103",)})
    battle.do("march sg-1 0102 0103")
    assert battle.facts("move")["cost"] == 1
    without = field(LANE, units, phase="shogunate-move", roads=("0101 0102",), **{kind: ("0102/0103",)})
    assert without.refused("march sg-1 0102 0103") == "8-2(3)"


@pytest.mark.clause("8-1(2)3", "8-1(3)2")
@pytest.mark.parametrize(("allowance", "right"), [(3, None), (2, "8(2)a")])
def test_leaving_an_enemy_zoc_along_a_road_costs_1_more(field, allowance, right):
    units = {"sg-1": f"0102 4-3-3-{allowance}", "sa-1": "0101 4-3-3-4"}
    battle = field(". . m m", units, phase="shogunate-move", roads=("0102 0103 0104",))
    assert clause(battle, "move sg-1 0103 0104") == right
    battle.do("move sg-1 0103")
    assert battle.facts("move")["cost"] == 2


# --- 8-1 normal movement: enemy ZOC


@pytest.mark.clause("8-1(3)1")
def test_a_unit_stops_in_the_first_hex_in_enemy_zoc(field):
    units = {"sg-1": "0301 4-3-3-6", "sa-1": "0304 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move", idle=True)
    assert battle.refused("move sg-1 0302 0303 0402") == "8-1(3)1"
    assert battle.refused("move sg-1 0302 0303 0203") == "8-1(3)1"
    assert battle.why_not("move sg-1 0302 0402") is None
    battle.do("move sg-1 0302 0303")
    assert battle.at("sg-1") == "0303"


@pytest.mark.clause("8-1(3)1")
def test_a_road_does_not_lead_past_an_enemy(field):
    units = {"sg-1": "0301 4-3-3-6", "sa-1": "0203 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move", roads=("0301 0302 0303 0304 0305",))
    assert battle.refused("move sg-1 0302 0303 0304") == "8-1(3)1"
    assert battle.why_not("move sg-1 0302 0303") is None


@pytest.mark.clause("8-1(3)1", "8-1(3)3")
def test_a_friend_beside_does_not_lift_an_enemy_zoc(field):
    """R16: not even when the enemy is beset on all sides."""
    units = {"sg-1": "0301 4-3-3-6", "sa-1": "0304 4-3-3-4", "sg-2": "0403 4-3-3-4", "sg-3": "0204 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move")
    assert battle.refused("move sg-1 0302 0303 0202") == "8-1(3)1"
    assert battle.refused("move sg-2 0303") == "8-1(3)3"


@pytest.mark.clause("8-1(3)2")
@pytest.mark.parametrize(("count", "right"), [(3, None), (4, "8(2)a")])
def test_leaving_an_enemy_zoc_costs_a_point(field, count, right):
    units = {"sg-1": "0102 4-3-3-4", "sa-1": "0101 4-3-3-4"}
    assert clause(field(LANE, units, phase="shogunate-move"), f"move sg-1 {east(3, count)}") == right
    away = {"sg-1": "0102 4-3-3-4", "sa-1": "0111 4-3-3-4"}
    assert clause(field(LANE, away, phase="shogunate-move"), f"move sg-1 {east(3, 4)}") is None


@pytest.mark.clause("8-1(3)2")
def test_two_enemies_cost_no_more_than_one(field):
    units = {"sg-1": "0302 4-3-3-4", "sa-1": "0301 4-3-3-4", "sa-2": "0201 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move", idle=True)
    battle.do("move sg-1 0303 0304 0305")
    assert battle.facts("move")["cost"] == 4


@pytest.mark.clause("8-1(3)2")
def test_an_enemy_over_a_river_makes_leaving_no_dearer(field):
    units = {"sg-1": "0102 4-3-3-4", "sa-1": "0101 4-3-3-4"}
    battle = field(LANE, units, phase="shogunate-move", rivers=("0101/0102",), idle=True)
    battle.do(f"move sg-1 {east(3, 4)}")
    assert battle.facts("move")["cost"] == 4


@pytest.mark.clause("8-1(3)3", "3-2(2)")
def test_no_step_leads_from_enemy_zoc_to_enemy_zoc(field):
    """R15: neither of the same enemy nor of another, and along roads neither."""
    same = {"sg-1": "0303 4-3-3-4", "sa-1": "0203 4-3-3-4"}
    battle = field(PLAIN, same, phase="shogunate-move", roads=("0303 0202", "0303 0304"))
    assert battle.refused("move sg-1 0202") == "8-1(3)3"
    assert battle.refused("move sg-1 0304") == "8-1(3)3"
    assert battle.why_not("move sg-1 0302") is None

    other = {"sg-1": "0302 4-3-3-4", "sa-1": "0301 4-3-3-4", "sa-2": "0304 4-3-3-4"}
    battle = field(PLAIN, other, phase="shogunate-move")
    assert battle.refused("move sg-1 0303") == "8-1(3)3"
    assert battle.why_not("move sg-1 0202") is None
    river = field(PLAIN, other, phase="shogunate-move", rivers=("0303/0304",))
    assert river.why_not("move sg-1 0303") is None  # where a river keeps the ZOC out there is none
    start = field(PLAIN, other, phase="shogunate-move", rivers=("0301/0302",))
    assert start.why_not("move sg-1 0303") is None


@pytest.mark.clause("8-1(3)3", "8-1(3)1", "8-1(3)2")
@pytest.mark.parametrize(("allowance", "right"), [(3, None), (2, "8(2)a")])
def test_by_a_free_hex_a_unit_may_go_from_enemy_zoc_to_enemy_zoc(field, allowance, right):
    units = {"sg-1": f"0303 4-3-3-{allowance}", "sa-1": "0203 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move")
    assert clause(battle, "move sg-1 0302 0202") == right
    assert battle.refused("move sg-1 0302 0202 0201") == "8-1(3)1"


# --- 8-1 normal movement: at least one hex


@pytest.mark.clause("8-1(4)a")
def test_a_unit_short_of_points_moves_one_hex(field):
    battle = field(". m .", {"sg-1": "0101 4-3-3-2"}, phase="shogunate-move", idle=True)
    assert battle.refused("move sg-1 0102 0103") == "8(2)a"
    assert "move sg-1 0102" in battle.options()
    battle.do("move sg-1 0102")
    assert battle.at("sg-1") == "0102"
    assert battle.facts("move")["cost"] == 2  # all it has
    assert battle.refused("move sg-1 0103") == "6(3)"


@pytest.mark.clause("8-1(4)a")
def test_it_is_the_only_step_of_the_move(field):
    """R13: none of the points may have been spent before."""
    battle = field(". . m .", {"sg-1": "0101 4-3-3-3"}, phase="shogunate-move")
    assert battle.refused("move sg-1 0102 0103") == "8(2)a"
    beside = field(". . m .", {"sg-1": "0102 4-3-3-1"}, phase="shogunate-move")
    assert beside.why_not("move sg-1 0103") is None


@pytest.mark.clause("8-1(4)a", "8-1(3)2")
def test_the_point_for_leaving_an_enemy_zoc_may_be_lacking_too(field):
    """R14: it is a lack of points like any other."""
    units = {"sg-1": "0102 4-3-3-2", "sa-1": "0101 4-3-3-4"}
    battle = field(". . h .", units, phase="shogunate-move", idle=True)
    assert battle.refused("move sg-1 0103 0104") == "8(2)a"
    battle.do("move sg-1 0103")
    assert battle.facts("move")["cost"] == 2


@pytest.mark.clause("8-1(4)b", "8-1(2)2", "8(4)")
@pytest.mark.parametrize("allowance", [1, 4])
def test_only_a_lack_of_points_is_forgiven(field, allowance):
    """R14: not the river, the occupied hex, the edge or the step from enemy ZOC to enemy ZOC."""
    units = {"sg-1": f"0302 4-3-3-{allowance}", "sa-1": "0301 4-3-3-4", "sg-2": "0303 4-3-3-4"}
    rows = ". . .\n m m .\n. . .\n . . ."
    battle = field(rows, units, phase="shogunate-move", rivers=("0302/0402",))
    assert battle.refused("move sg-1 0402") == "8-1(2)2"
    assert battle.refused("move sg-1 0303") == "8(4)"
    assert battle.refused("move sg-1 0301") == "8(4)"
    assert battle.refused("move sg-1 0201") == "8-1(3)3"
    assert battle.refused("move sg-1 0401") == "8-1(3)3"
    assert battle.why_not("move sg-1 0202") is None  # a mountain out of the ZOC: 3 + 1 points
    assert [order for order in battle.options() if "sg-1" in order.split()] == ["move sg-1 0202"]
    edge = field(rows, {"sg-1": f"0101 4-3-3-{allowance}"}, phase="shogunate-move")
    with pytest.raises(MalformedOrder, match="0104"):
        edge.order("move sg-1 0104")


# --- 8-2 road movement


@pytest.mark.clause("8-2(1)")
@pytest.mark.parametrize("allowance", [1, 4, 5])
def test_two_road_hexes_for_a_point(field, allowance):
    """R20: any number up to twice the allowance; half points are allowed on the way."""
    units, roads = {"sg-1": f"0101 4-3-3-{allowance}"}, (east(1, 11),)
    battle = field(LANE + " .", units, phase="shogunate-move", roads=(east(1, 12),), idle=True)
    assert battle.refused(f"march sg-1 {east(2, 2 * allowance + 1)}") == "8-2(1)"
    offered = [order for order in battle.options() if order.startswith("march sg-1")]
    assert offered == [f"march sg-1 {east(2, count)}" for count in range(1, 2 * allowance + 1)]
    for count in range(1, 2 * allowance + 1):
        battle = field(LANE, units, phase="shogunate-move", roads=roads, idle=True)
        battle.do(f"march sg-1 {east(2, count)}")
        assert battle.facts("move") == {
            "unit": "sg-1",
            "from": "0101",
            "path": east(2, count).split(),
            "how": "march",
            "cost": count / 2,
        }


@pytest.mark.clause("8-2(1)")
def test_terrain_does_not_slow_a_march(field):
    battle = field(". m w C h", {"sg-1": "0101 4-3-3-2"}, phase="shogunate-move", roads=(east(1, 5),))
    assert battle.why_not(f"march sg-1 {east(2, 4)}") is None


@pytest.mark.clause("8-2(2)a")
def test_a_march_starts_on_a_road(field):
    units = {"sg-1": "0201 4-3-3-4", "sg-2": "0101 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move", roads=("0101 0102 0103",))
    assert battle.refused("march sg-1 0102 0103") == "8-2(2)a"
    assert battle.why_not("move sg-1 0102 0103") is None
    assert battle.why_not("march sg-2 0102 0103") is None


@pytest.mark.clause("8-2(2)b", "8-1(2)3")
def test_a_march_does_not_start_in_an_enemy_zoc(field):
    units = {"sg-1": "0102 4-3-3-4", "sa-1": "0101 4-3-3-4"}
    battle = field(LANE, units, phase="shogunate-move", roads=(east(1, 11),))
    assert battle.refused("march sg-1 0103") == "8-2(2)b"
    assert battle.why_not("move sg-1 0103") is None
    assert not any(order.startswith("march") for order in battle.options())
    river = field(LANE, units, phase="shogunate-move", roads=(east(1, 11),), rivers=("0101/0102",))
    assert river.why_not("march sg-1 0103") is None


@pytest.mark.clause("8-2(3)")
def test_a_march_stays_on_the_road(field):
    roads = ("0101 0102 0103", "0201 0202 0203")
    battle = field(PLAIN, {"sg-1": "0101 4-3-3-4"}, phase="shogunate-move", roads=roads)
    assert battle.refused("march sg-1 0102 0103 0104") == "8-2(3)"
    assert battle.refused("march sg-1 0102 0202 0203") == "8-2(3)"  # road hexes, but no road between
    assert battle.refused("march sg-1 0103") == "8-2(3)"
    assert battle.why_not("move sg-1 0102 0202 0203") is None
    joined = field(PLAIN, {"sg-1": "0101 4-3-3-4"}, phase="shogunate-move", roads=(*roads, "0102 0202"))
    assert joined.why_not("march sg-1 0102 0202 0203") is None


@pytest.mark.clause("8-2(5)")
@pytest.mark.parametrize(("allowance", "normal"), [(4, None), (2, "8(2)a")])
def test_a_march_does_not_enter_an_enemy_zoc_even_at_its_end(field, allowance, normal):
    units = {"sg-1": f"0101 4-3-3-{allowance}", "sa-1": "0105 4-3-3-4"}
    battle = field(LANE, units, phase="shogunate-move", roads=(east(1, 11),))
    assert battle.refused("march sg-1 0102 0103 0104") == "8-2(5)"
    assert battle.why_not("march sg-1 0102 0103") is None
    assert clause(battle, "move sg-1 0102 0103 0104") == normal
    river = field(LANE, units, phase="shogunate-move", roads=(east(1, 11),), rivers=("0104/0105",))
    assert river.why_not("march sg-1 0102 0103 0104") is None


# --- what the game offers is what it allows

VARIED = """
    . h m . .
     . c w . t
    . . . h .
     m . . . .
"""
CROWD = {
    "sg-1": "0202 4-3-3-3",
    "sg-2": "0303 4-3-3-2",
    "sg-3": "0402 4-3-3-4 disordered",
    "sa-1": "0204 4-3-3-4",
    "sa-2": "0401 4-3-3-4",
}


@pytest.mark.clause("8(1)", "8(2)a", "8-1(1)0", "8-1(3)1", "8-1(3)3", "8-1(4)a", "8-2(1)", "8-2(3)", "8-2(5)")
@pytest.mark.parametrize("unit", ["sg-1", "sg-2", "sg-3"])
@pytest.mark.parametrize("turned", [False, True])
def test_the_moves_offered_lead_to_every_hex_that_can_be_reached(field, unit, turned):
    at = {True: {"sg-1": "0104 4-3-3-3", "sg-2": "0302 4-3-3-2", "sa-1": "0305 4-3-3-4"}, False: {}}[turned]
    roads, rivers = ("0101 0102 0202 0302 0303 0304", "0302 0402"), ("0202/0302 0302/0201", "0303/0403")
    battle = field(VARIED, {**CROWD, **at}, phase="shogunate-move", roads=roads, rivers=rivers, streams=("0302/0402",))
    board, start = battle.board, battle.state.at[unit]
    for keyword, order, longest in (("move", Move, 4), ("march", March, 7)):
        legal, edge = set(), [(start,)]
        for _ in range(longest):
            edge = [(*path, h) for path in edge for h in board.ground.near[path[-1]] if h not in path]
            edge = [path for path in edge if keyword == "move" or board.map.road(*path[-2:])]
            legal |= {path[-1] for path in edge if battle.request.why_not(order(unit, path[1:])) is None}
        offered = [battle.order(text) for text in battle.options() if text.startswith(f"{keyword} {unit}")]
        assert {each.path[-1] for each in offered} == legal
        assert len(offered) == len(legal)
        assert all(battle.request.why_not(each) is None for each in offered)


# --- 12(1) artillery


@pytest.mark.clause("12(1)")
@pytest.mark.parametrize("state", ["", "disordered"])
@pytest.mark.parametrize("order", ["move sg-1 0102", "move sg-1 0102 0103 0104", "march sg-1 0102"])
def test_artillery_that_moves_is_disordered_at_the_end(field, state, order):
    """R24: a disordered gun stays disordered."""
    units = {"sg-1": f"0101 5-x-3-3 range 3 {state}", "sg-2": "0105 5-x-3-3 range 3"}
    battle = field(LANE, units, phase="shogunate-move", roads=(east(1, 11),), idle=True)
    told = battle.do(order)
    assert battle.words("sg-1") == {"disordered", "artillery", "done"}
    assert battle.words("sg-2") == {"normal", "artillery"}
    assert battle.at("sg-1") == order.split()[-1]
    assert [tell.clause for tell in told if tell.what == "disorder"] == ([] if state else ["12(1)"])


@pytest.mark.clause("12(1)")
def test_artillery_that_stays_is_unchanged(field):
    units = {"sg-1": "0101 5-x-3-3 range 3", "sg-2": "0105 5-x-3-3 range 3 disordered", "sg-3": "0109 4-3-3-4"}
    battle = field(LANE, units, phase="shogunate-move", idle=True)
    battle.do("move sg-3 0110")
    battle.do("done")
    assert battle.words("sg-1") == {"normal", "artillery"}
    assert battle.words("sg-2") == {"disordered", "artillery"}
    assert battle.words("sg-3") == {"normal"}


@pytest.mark.clause("12(1)", "10-2(9)a", "10-2(10)")
def test_an_advance_is_no_movement_of_artillery(field):
    """R46: it is disordered as an attacker, not as a gun that moved."""
    units = {"sa-1": "0103 6-4-4-3 range 3", "sg-1": "0102 4-4-3-4"}
    battle = field(". . .", units, phase="satcho-melee", idle=True)
    told = battle.do("melee sa-1 at sg-1 advance", 3, 4, 4)
    assert battle.at("sa-1") == "0102"
    turned = [tell.clause for tell in told if tell.what == "disorder" and tell.facts["unit"] == "sa-1"]
    assert turned == ["10-2(10)"]


@pytest.mark.clause("8(0)", "14(2)")
def test_control_changes_in_passing(field):
    """R64: at the moment the unit enters; it stays when the unit goes on."""
    units = {"sg-1": "0101 4-3-3-4"}
    for keyword in ("move", "march"):
        battle = field(LANE, units, phase="shogunate-move", roads=(east(1, 11),), control={"satcho": "0102 0104"})
        battle.do(f"{keyword} sg-1 0102 0103")
        control = bakumatsu.dump(battle.state)["control"]
        assert (control["0102"], control["0104"]) == ("shogunate", "satcho")
