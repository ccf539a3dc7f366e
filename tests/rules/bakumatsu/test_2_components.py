"""Chapter 2, the components: map, tables, tracks, units and markers."""

from __future__ import annotations

import copy

import pytest

from pbem.errors import BadScenario, MalformedOrder
from pbem.match.game import Game
from pbem.rules import bakumatsu, rules_of
from pbem.scenario import load_scenario

PLAIN = ". . . . . .\n . . . . . .\n. . . . . ."
ONE = {"sg-1": "0101 4-3-3-4"}


@pytest.fixture(scope="module")
def toba():
    """The board of the whole battle."""
    return bakumatsu.board(load_scenario("toba-fushimi").data)


@pytest.fixture
def data(field_data):
    """Sound data of a small scenario, free to be spoilt."""
    return copy.deepcopy(field_data(PLAIN, ONE))


def chart_line(data, name):
    """The line of a terrain in the terrain effects chart."""
    return next(line for line in data["tables"]["terrain_effects_chart"] if line["terrain"] == name)


def with_letter(data, features):
    """The data with terrain `x` of these features in 0101."""
    terrain = data["maps"]["field"]["terrain"]
    terrain["legend"] = {**terrain["legend"], "x": features}
    terrain["rows"] = terrain["rows"].replace("01 .", "01 x", 1)
    return data


def with_side(data, kind):
    """The data with a hexside of this kind between 0101 and 0102."""
    data["maps"]["field"]["hexsides"]["chains"] = [{"name": "line", "kind": kind, "sides": "0101/0102"}]
    return data


# --- 2-1 the map


@pytest.mark.clause("2-1(0)", "15-1-2(0)")
def test_a_battle_finds_its_own_map_and_no_other(data):
    assert bakumatsu.maps(bakumatsu.board(data)).keys() == {"field"}
    data["maps"] = {"tabaruzaka": data["maps"]["field"]}
    with pytest.raises(BadScenario, match="no map 'field'"):
        bakumatsu.board(data)


@pytest.mark.clause("2-1(0)")
def test_another_battles_map_under_the_name_of_this_one_is_refused(data):
    data["maps"]["field"]["map"] = "tabaruzaka"
    with pytest.raises(BadScenario, match="tabaruzaka"):
        bakumatsu.board(data)


@pytest.mark.clause("2-1-1(0)a")
@pytest.mark.parametrize("nowhere", ["0107", "0401", "9999"])
def test_a_unit_is_placed_on_a_hex_of_the_map_only(field, nowhere):
    battle = field(PLAIN, {"sg-1": "setup 4-3-3-4"}, phase="start")
    with pytest.raises(MalformedOrder, match=nowhere):
        battle.order(f"setup sg-1 {nowhere}")
    battle.do("setup sg-1 0106")
    assert battle.at("sg-1") == "0106"


@pytest.mark.clause("2-1-1(0)a")
def test_open_water_is_no_hex_for_a_unit(field):
    battle = field(". ~ .", {"sg-1": "setup 4-3-3-4"}, phase="start")
    with pytest.raises(MalformedOrder, match="open water"):
        battle.order("setup sg-1 0102")
    assert battle.why_not("setup sg-1 0103") is None


@pytest.mark.clause("2-1-1(0)a")
def test_a_unit_stands_in_one_hex_and_leaves_the_old_one(field):
    battle = field(PLAIN, ONE, phase="shogunate-move", idle=True)
    battle.do("move sg-1 0102 0103")
    assert battle.at("sg-1") == "0103"
    for number, empty in (("0101", True), ("0102", True), ("0103", False)):
        assert bakumatsu.test(battle.state, ("empty", number)) is empty
    assert list(battle.state.stands["shogunate"].values()).count("sg-1") == 1


@pytest.mark.clause("2-1-1(0)b")
def test_streams_lie_on_hexsides_and_hills_fill_hexes(data):
    wrong_hex = with_letter(copy.deepcopy(data), ["flat", "stream"])
    with pytest.raises(BadScenario, match="'stream' lies on hexsides"):
        bakumatsu.board(wrong_hex)
    wrong_side = with_side(copy.deepcopy(data), "hill")
    with pytest.raises(BadScenario, match="'hill' isn't a hexside"):
        bakumatsu.board(wrong_side)
    board = bakumatsu.board(with_side(with_letter(data, ["hill"]), "stream"))
    a, b = board.map.parse("0101"), board.map.parse("0102")
    assert "hill" in board.map.terrain[a]
    assert board.map.side(a, b) == {"stream"}


@pytest.mark.clause("2-1-1(0)b")
def test_a_hex_may_carry_several_features(field):
    battle = field("t .\n . .", ONE, phase="shogunate-move", roads=("0101 0102",), control={"satcho": "0101"})
    terrain = battle.board.map.terrain[battle.hex("0101")]
    assert terrain == {"mountain", "mountain_top", "victory_hex", "road"}


# --- 2-1-2 charts and tables

RESULTS = [
    pytest.param("fire", "fire_results_table", "columns_total_fire_strength", 1, marks=pytest.mark.clause("2-1-2.1")),
    pytest.param(
        "melee", "melee_results_table", "columns_strength_difference", -4, marks=pytest.mark.clause("2-1-2.2")
    ),
]


@pytest.mark.parametrize(("kind", "name", "columns", "first"), RESULTS)
def test_every_roll_and_strength_has_one_cell(toba, tables, kind, name, columns, first):
    """R32: beyond the table its last row or column serves."""
    rows, width = list(tables[name]["rows_modified_2d6"].values()), len(tables[name][columns])
    table = getattr(toba.tables, kind)
    for total in range(-4, 19):
        for strength in range(first - 3, first + width + 3):
            right = rows[min(max(total, 1), 13) - 1][min(max(strength, first), first + width - 1) - first]
            assert table.result(total, strength) == right, (total, strength)


@pytest.mark.parametrize(("kind", "name", "columns", "first"), RESULTS)
def test_a_results_table_with_a_hole_is_refused(data, kind, name, columns, first):
    bakumatsu.board(data)
    spoilt = []
    for _ in range(5):
        spoilt.append(copy.deepcopy(data))
    del spoilt[0]["tables"][name]["rows_modified_2d6"]["7"][-1]
    del spoilt[1]["tables"][name]["rows_modified_2d6"]["7"]
    del spoilt[2]["tables"][name][columns][2]
    spoilt[3]["tables"][name]["rows_modified_2d6"]["7"][0] = "DDD"
    del spoilt[4]["tables"][name]
    for each, match in zip(
        spoilt, ("row 7: has", "each number follows", "each number", "'DDD'", "missing"), strict=True
    ):
        with pytest.raises(BadScenario, match=match):
            bakumatsu.board(each)


@pytest.mark.clause("2-1-2.3a")
def test_every_terrain_of_the_battle_stands_in_the_chart(toba):
    used = {feature for features in toba.map.terrain.values() for feature in features}
    sides = {kind for h in toba.map.hexes for link in toba.map.links[h] for kind in link.side}
    assert used <= toba.tables.chart.terrain.keys()
    assert sides <= toba.tables.chart.sides.keys() == {"river", "pond", "stream"}


@pytest.mark.clause("2-1-2.3a")
def test_terrain_that_the_chart_does_not_know_is_refused(data):
    with pytest.raises(BadScenario, match="'bog' isn't in the terrain effects chart"):
        bakumatsu.board(with_letter(copy.deepcopy(data), ["bog"]))
    with pytest.raises(BadScenario, match="'canal' isn't a hexside"):
        bakumatsu.board(with_side(copy.deepcopy(data), "canal"))
    bakumatsu.board(with_side(with_letter(data, ["wetland"]), "river"))


@pytest.mark.clause("2-1-2.3a")
@pytest.mark.parametrize("key", ["mp", "fire", "melee"])
@pytest.mark.parametrize("name", ["hill", "stream_side"])
def test_a_line_of_the_chart_has_cost_and_both_modifiers(data, name, key):
    del chart_line(data, name)[key]
    with pytest.raises(BadScenario, match=key):
        bakumatsu.board(data)


@pytest.mark.clause("2-1-2.3b", "8-1(1)2")
@pytest.mark.parametrize(("letter", "cost"), [("c", 1), ("C", 2), ("M", 3), ("t", 3)])
def test_a_dash_in_the_chart_follows_the_other_terrain_of_the_hex(field, letter, cost):
    battle = field(f". . {letter}", {"sg-1": f"0101 4-3-3-{cost + 1}"}, phase="shogunate-move", idle=True)
    battle.do("move sg-1 0102 0103")
    assert battle.facts("move")["cost"] == cost + 1
    short = field(f". . {letter}", {"sg-1": f"0101 4-3-3-{cost}"}, phase="shogunate-move")
    assert short.refused("move sg-1 0102 0103") == "8(2)a"


@pytest.mark.clause("2-1-2.3b")
@pytest.mark.parametrize("features", [["city"], ["mountain_top"], ["city", "mountain_top"]])
def test_a_hex_with_dashes_only_is_refused(data, features):
    with pytest.raises(BadScenario, match="0101: 0 of its terrains have a cost"):
        bakumatsu.board(with_letter(copy.deepcopy(data), features))
    bakumatsu.board(with_letter(data, [*features, "mountain"]))


@pytest.mark.clause("2-1-2.3b", "9-2(4)2")
@pytest.mark.parametrize(("start", "modifiers"), [(".", [("mountain", -2)]), ("t", [("mountain", -2), ("top", 2)])])
def test_a_target_on_a_mountain_top_has_the_cover_of_the_mountain_only(field, start, modifiers):
    """R26: a mountain top is also its mountain, and adds nothing as a target."""
    units = {"sa-1": "0101 4-5-5-5", "sg-1": "0102 4-3-3-4"}
    battle = field(f"{start} t", units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1", 1, 1)
    found = [(m["what"].removeprefix("from mountain "), m["value"]) for m in battle.facts("fire")["modifiers"]]
    assert found == modifiers


@pytest.mark.clause("2-1-2.4")
def test_every_unit_has_a_side_and_a_formation(data, toba):
    for key in ("side", "formation"):
        spoilt = copy.deepcopy(data)
        del spoilt["scenario"]["units"][0][key]
        with pytest.raises(BadScenario, match=f"{key}: is missing"):
            bakumatsu.board(spoilt)
    data["scenario"]["units"][0]["side"] = "government"
    with pytest.raises(BadScenario, match="'government'"):
        bakumatsu.board(data)
    assert {(unit.side, unit.formation) for unit in toba.units.values()} == {
        *(("shogunate", name) for name in ("shogunate-army", "shinsengumi", "various", "aizu", "domains")),
        *(("satcho", name) for name in ("satsuma", "choshu", "tosa")),
    }


# --- 2-1-3 tracks


@pytest.mark.clause("2-1-3.1", "2-2-3.1", "4(4)")
def test_the_turn_record_track(toba):
    """R3: the R of the former Shogunate stands on the turns 2 to 8."""
    turn = bakumatsu.situation(bakumatsu.start(toba, {}))["turn"]
    assert (type(turn), turn) == (int, 1)
    assert toba.side["shogunate"].reinforcement_turns == {2, 3, 4, 5, 6, 7, 8}
    assert toba.side["satcho"].reinforcement_turns == frozenset()


@pytest.mark.clause("2-1-3.1")
def test_turns_with_an_r_must_be_numbers_and_need_an_entry_hex(data):
    side = data["scenario"]["sides"][0]
    side["reinforcement-turns"] = ["2", "0"]
    with pytest.raises(BadScenario, match="reinforcement-turns: is '0'"):
        bakumatsu.board(data)
    side["reinforcement-turns"] = ["2", "1"]
    assert bakumatsu.board(data).side["shogunate"].reinforcement_turns == {1, 2}
    del side["entry"], data["maps"]["field"]["entries"]["hexes"]["shogunate"]
    with pytest.raises(BadScenario, match="no entry hex"):
        bakumatsu.board(data)


@pytest.mark.clause("2-1-3.2", "2-2-3.2", "5-1.1", "5-1.2", "5-1.3", "5-2.4", "5-2.5", "5-2.6")
@pytest.mark.parametrize(
    ("phase", "active", "clause", "title"),
    [
        ("start", None, "4(4)", "Set-up"),
        ("shogunate-move", "shogunate", "5-1.1", "Former Shogunate Recovery/Movement Phase"),
        ("satcho-fire", "satcho", "5-1.2", "Satsuma-Choshu Fire Phase"),
        ("shogunate-melee", "shogunate", "5-1.3", "Former Shogunate Melee Phase"),
        ("satcho-move", "satcho", "5-2.4", "Satsuma-Choshu Recovery/Movement Phase"),
        ("shogunate-fire", "shogunate", "5-2.5", "Former Shogunate Fire Phase"),
        ("satcho-melee", "satcho", "5-2.6", "Satsuma-Choshu Melee Phase"),
    ],
)
def test_the_phase_record_track_has_the_start_and_six_phases(field, phase, active, clause, title):
    units = {"sg-1": "setup 4-3-3-4"} if phase == "start" else ONE
    battle = field(PLAIN, units, phase=phase, idle=phase != "start")
    situation = bakumatsu.situation(battle.state)
    once = {"once": True} if phase == "start" else {}
    assert situation["phase"] == {"id": phase, "side": active, "title": title, "clause": clause} | once
    assert situation["active"] == (active or "shogunate") == battle.request.side
    assert bakumatsu.clock(battle.state) == (1, phase)
    assert battle.request.clause == clause


@pytest.mark.clause("2-1-3.2", "4(4)")
def test_the_phase_record_track_begins_at_the_start(toba):
    game = Game.new(rules_of("bakumatsu"), toba, {})
    assert bakumatsu.situation(game.state)["phase"]["id"] == "start"


# --- 2-2 the pieces


@pytest.mark.clause("2-2(0)")
def test_a_commander_has_no_place_in_toba_fushimi(data):
    unit = data["scenario"]["units"][0]
    bakumatsu.board(data)
    unit["symbol"] = "commander"
    with pytest.raises(BadScenario, match="is a commander"):
        bakumatsu.board(data)


@pytest.mark.clause("2-2-1(0)", "14(2)")
def test_a_combat_unit_that_enters_an_enemy_victory_hex_takes_it(field):
    battle = field(PLAIN, ONE, phase="shogunate-move", control={"satcho": "0102 0104"}, idle=True)
    battle.do("move sg-1 0102 0103")
    assert battle.state.control[battle.hex("0102")] == "shogunate"
    assert battle.state.control[battle.hex("0104")] == "satcho"
    assert battle.facts("control") == {"hex": "0102", "place": None, "side": "shogunate", "from": "satcho"}


@pytest.mark.clause("2-2-1(1)1", "12(1)")
def test_units_begin_normal_and_only_artillery_is_turned_over_by_moving(field):
    units = {"sg-1": "setup 4-3-3-4", "sg-2": "setup 5-x-3-3 range 3"}
    battle = field(PLAIN, units, phase="start")
    battle.do("setup sg-1 0101")
    battle.do("setup sg-2 0301")
    assert battle.phase == "shogunate-move"
    assert battle.words("sg-1") == {"normal"}
    assert battle.words("sg-2") == {"normal", "artillery"}
    battle.do("move sg-1 0102")
    assert battle.words("sg-1") == {"normal", "done"}
    battle.do("move sg-2 0302")
    assert battle.events() == ["move", "disorder", "phase", "phase", "phase", "phase", "phase", "phase"]
    assert "disordered" in battle.words("sg-2")


@pytest.mark.clause("2-2-1(1)1", "9-2(5)2a", "10-2(10)", "11(4)b")
def test_fire_attacking_in_melee_and_being_passed_in_a_retreat_turn_a_unit_over(field):
    shot = field(PLAIN, {"sg-1": "0101 4-3-3-4", "sa-1": "0102 4-5-5-5"}, phase="satcho-fire", idle=True)
    shot.do("fire sa-1 at sg-1", 3, 4)
    assert shot.words("sg-1") == {"disordered"}
    assert shot.words("sa-1") == {"normal", "done"}

    fought = field(PLAIN, {"sg-1": "0101 4-3-3-4", "sa-1": "0102 4-5-5-5"}, phase="satcho-melee", idle=True)
    fought.do("melee sa-1 at sg-1", 1, 1)
    assert fought.words("sa-1") == {"disordered", "done"}
    assert fought.words("sg-1") == {"normal"}

    units = {"sa-1": "0104 4-5-5-5", "sg-1": "0103 4-3-3-4", "sg-2": "0102 4-3-3-4"}
    passed = field(". . . .", units, phase="satcho-fire", idle=True)
    passed.do("fire sa-1 at sg-1", 5, 6)
    assert (passed.at("sg-1"), passed.words("sg-1")) == ("0101", {"disordered"})
    assert (passed.at("sg-2"), passed.words("sg-2")) == ("0102", {"disordered"})


@pytest.mark.clause("2-2-1(1)2a", "5-2(0)end")
def test_disorder_lasts_through_a_turn_without_orders(field):
    units = {"sg-1": "0101 4-3-3-4 disordered", "sa-1": "0301 4-3-3-4 disordered"}
    battle = field(PLAIN, units, phase="shogunate-move", idle=True)
    for _ in range(6):
        assert battle.words("sg-1") == battle.words("sa-1") == {"disordered"}
        battle.do("done")
    assert bakumatsu.clock(battle.state) == (2, "shogunate-move")
    assert battle.words("sg-1") == battle.words("sa-1") == {"disordered"}


@pytest.mark.clause("2-2-1(1)2b", "9-1(1)b", "9-2(2)b")
def test_a_disordered_unit_can_neither_fire_nor_support_fire(field):
    units = {"sa-1": "0101 4-5-5-5 disordered", "sg-1": "0102 4-3-3-4", "sa-2": "0103 4-5-5-5"}
    battle = field(PLAIN, units, phase="satcho-fire")
    assert battle.refused("fire sa-1 at sg-1") == "9-1(1)b"
    assert battle.refused("fire sa-2 at sg-1 with sa-1") == "9-2(2)b"
    battle.state.disordered.clear()
    assert battle.why_not("fire sa-1 at sg-1") is None
    assert battle.why_not("fire sa-2 at sg-1 with sa-1") is None


@pytest.mark.clause("2-2-1(1)2b", "10-1(1)b", "10-2(2)b")
def test_a_disordered_unit_can_neither_attack_nor_support_a_melee(field):
    units = {"sa-1": "0101 4-5-5-5 disordered", "sg-1": "0102 4-3-3-4", "sa-2": "0103 4-5-5-5"}
    battle = field(PLAIN, units, phase="satcho-melee")
    assert battle.refused("melee sa-1 at sg-1") == "10-1(1)b"
    assert battle.refused("melee sa-2 at sg-1 with sa-1") == "10-2(2)b"
    battle.state.disordered.clear()
    assert battle.why_not("melee sa-1 at sg-1") is None
    assert battle.why_not("melee sa-2 at sg-1 with sa-1") is None


@pytest.mark.clause("2-2-1(1)2b", "6(0)")
def test_a_disordered_unit_can_move_or_recover_even_out_of_an_enemy_zoc(field):
    """R22: a disordered unit moves as a normal one."""
    units = {"sg-1": "0102 4-3-3-4 disordered", "sa-1": "0103 4-5-5-5"}
    battle = field(PLAIN, units, phase="shogunate-move", idle=True)
    assert battle.why_not("recover sg-1") is None
    assert battle.refused("move sg-1 0101 0301 0302") == "8(1)"
    battle.do("move sg-1 0101 0201 0301")
    assert battle.facts("move")["cost"] == 4
    assert battle.words("sg-1") == {"disordered", "done"}


@pytest.mark.clause("2-2-1(1)2b")
def test_a_disordered_unit_can_be_a_target_and_a_defender(field):
    units = {"sa-1": "0101 4-5-5-5", "sg-1": "0102 4-3-3-4 disordered"}
    assert field(PLAIN, units, phase="satcho-fire").why_not("fire sa-1 at sg-1") is None
    assert field(PLAIN, units, phase="satcho-melee").why_not("melee sa-1 at sg-1") is None


@pytest.mark.clause("2-2-1(1)2c", "9-2(5)2a", "9-2(5)2b", "9-2(5)3a", "9-2(5)3b")
@pytest.mark.parametrize(
    ("dice", "result", "state", "events"),
    [
        ((3, 4), "D", "", ["fire", "disorder"]),
        ((3, 4), "D", "disordered", ["fire", "retreat"]),
        ((4, 6), "DD", "", ["fire", "disorder", "retreat"]),
        ((4, 6), "DD", "disordered", ["fire", "remove"]),
    ],
)
def test_the_same_fire_result_is_harsher_for_a_disordered_unit(field, dice, result, state, events):
    units = {"sg-1": f"0102 4-3-3-4 {state}", "sa-1": "0103 4-5-5-5"}
    battle = field(". . .", units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1", *dice)
    assert battle.facts("fire")["result"] == result
    assert battle.events() == events
    assert battle.at("sg-1") == {"disorder": "0102", "retreat": "0101", "remove": None}[events[-1]]
    assert battle.words("sg-1") == (set() if events[-1] == "remove" else {"disordered"})


@pytest.mark.clause("2-2-1(1)2c", "10-2(8)1", "10-2(8)2")
@pytest.mark.parametrize(
    ("state", "events", "at"), [("", ["disorder", "retreat"], "0101"), ("disordered", ["remove"], None)]
)
def test_a_failed_check_is_harsher_for_a_disordered_unit(field, state, events, at):
    units = {"sg-1": f"0102 4-4-3-4 {state}", "sa-1": "0103 4-4-5-5"}
    battle = field(". . .", units, phase="satcho-melee", idle=True)
    battle.do("melee sa-1 at sg-1", 3, 4, 4)
    assert battle.facts("melee")["result"] == "M0"
    assert battle.events() == ["melee", "check", *events, "disorder"]
    assert battle.at("sg-1") == at


@pytest.mark.clause("2-2-1(1)2d", "7(2)a")
def test_neither_a_retreat_nor_an_advance_nor_a_move_nor_a_city_turns_a_unit_back(field):
    units = {"sg-1": "0102 4-3-3-4 disordered", "sa-1": "0103 4-5-5-5"}
    beaten = field("c . .", units, phase="satcho-fire", idle=True)
    beaten.do("fire sa-1 at sg-1", 3, 4)
    assert (beaten.at("sg-1"), beaten.words("sg-1")) == ("0101", {"disordered"})

    winner = field("c . .", {**units, "sg-1": "0102 4-4-3-4 disordered"}, phase="satcho-melee", idle=True)
    winner.do("melee sa-1 at sg-1 advance", 3, 4, 4)
    assert (winner.at("sa-1"), winner.words("sa-1")) == ("0102", {"disordered", "done"})

    mover = field("c . . .", {**units, "sa-1": "0104 4-5-5-5"}, phase="shogunate-move", idle=True)
    mover.do("move sg-1 0101")
    mover.do("done")
    assert (mover.at("sg-1"), mover.words("sg-1")) == ("0101", {"disordered"})


@pytest.mark.clause("2-2-1(1)2d")
def test_recovery_turns_a_unit_back(field):
    battle = field(PLAIN, {"sg-1": "0102 4-3-3-4 disordered"}, phase="shogunate-move", idle=True)
    battle.do("recover sg-1", 3)
    assert battle.words("sg-1") == {"normal", "done"}


@pytest.mark.clause("2-2-1(2)0", "2-2-1(2)6")
def test_a_range_makes_artillery_whatever_the_picture_shows(data):
    unit = data["scenario"]["units"][0]
    for symbol, number in (("artillery", None), ("artillery", "0"), ("infantry", "3")):
        unit["symbol"], unit["range"] = symbol, number
        with pytest.raises(BadScenario, match="only artillery has a range"):
            bakumatsu.board(data)
    unit["symbol"], unit["range"] = "artillery", "3"
    assert bakumatsu.board(data).units["sg-1"].artillery
    unit["symbol"] = "swordsmen"
    del unit["range"]
    assert not bakumatsu.board(data).units["sg-1"].artillery


@pytest.mark.clause("2-2-1(2)1")
def test_a_unit_has_a_name_and_an_id_of_its_own(data):
    twin = copy.deepcopy(data)
    twin["scenario"]["units"].append(dict(twin["scenario"]["units"][0], name="Another"))
    with pytest.raises(BadScenario, match="stands there twice"):
        bakumatsu.board(twin)
    twin["scenario"]["units"][1]["id"] = "sg-2"
    assert bakumatsu.board(twin).of_side["shogunate"] == ("sg-1", "sg-2")
    for key in ("id", "name"):
        nameless = copy.deepcopy(data)
        nameless["scenario"]["units"][0][key] = " "
        with pytest.raises(BadScenario, match=f"{key}: is missing"):
            bakumatsu.board(nameless)


@pytest.mark.clause("2-2-1(2)1")
def test_orders_name_units_by_their_ids(field):
    units = {"sg-1": "0101 4-3-3-4", "sg-2": "0103 4-3-3-4"}
    battle = field(PLAIN, units, phase="shogunate-move", idle=True)
    with pytest.raises(MalformedOrder, match="sg-3"):
        battle.order("move sg-3 0201")
    battle.do("move sg-2 0104")
    assert (battle.at("sg-1"), battle.at("sg-2")) == ("0101", "0104")


@pytest.mark.clause("2-2-1(2)2", "9-2(2)c")
@pytest.mark.parametrize("none", ["x", "0"])
def test_without_fire_strength_a_unit_neither_fires_nor_supports(field, none):
    """R7: a printed 0 and no value are the same."""
    units = {"sa-1": f"0101 {none}-5-5-5", "sg-1": "0102 4-3-3-4", "sa-2": "0103 1-5-5-5"}
    battle = field(PLAIN, units, phase="satcho-fire")
    assert battle.refused("fire sa-1 at sg-1") == "2-2-1(2)2"
    assert battle.refused("fire sa-2 at sg-1 with sa-1") == "9-2(2)c"
    assert battle.options() == ["fire sa-2 at sg-1", "done"]
    units["sa-1"] = "0101 1-5-5-5"
    battle = field(PLAIN, units, phase="satcho-fire")
    assert battle.why_not("fire sa-1 at sg-1") is None
    assert battle.why_not("fire sa-2 at sg-1 with sa-1") is None


@pytest.mark.clause("2-2-1(2)3", "10-2(2)c")
@pytest.mark.parametrize("none", ["x", "0"])
def test_without_melee_strength_a_unit_neither_attacks_nor_supports(field, none):
    """R7: a printed 0 and no value are the same."""
    units = {"sa-1": f"0101 4-{none}-5-5", "sg-1": "0102 4-3-3-4", "sa-2": "0103 4-1-5-5"}
    battle = field(PLAIN, units, phase="satcho-melee")
    assert battle.refused("melee sa-1 at sg-1") == "2-2-1(2)3"
    assert battle.refused("melee sa-2 at sg-1 with sa-1") == "10-2(2)c"
    assert battle.options() == ["melee sa-2 at sg-1", "melee sa-2 at sg-1 advance", "done"]
    units["sa-1"] = "0101 4-1-5-5"
    battle = field(PLAIN, units, phase="satcho-melee")
    assert battle.why_not("melee sa-1 at sg-1") is None
    assert battle.why_not("melee sa-2 at sg-1 with sa-1") is None


@pytest.mark.clause("2-2-1(2)3", "2-2-1(1)2c", "10-2(4)")
@pytest.mark.parametrize(("melee", "difference"), [("x", 4), ("0", 4), ("3", 1)])
@pytest.mark.parametrize("state", ["", "disordered"])
def test_a_defender_uses_its_printed_strength_or_none(field, melee, difference, state):
    """R42: a defender without melee strength counts as 0; its front values hold on both sides."""
    units = {"sa-1": "0101 4-4-5-5", "sg-1": f"0102 4-{melee}-3-4 {state}"}
    battle = field(PLAIN, units, phase="satcho-melee", idle=True)
    battle.do("melee sa-1 at sg-1", 1, 1, *([1] if difference == 4 else []))
    assert battle.facts("melee")["difference"] == difference


@pytest.mark.clause("2-2-1(2)4", "7(1)")
@pytest.mark.parametrize(("die", "success"), [(5, True), (6, False)])
def test_the_morale_value_is_the_limit_of_a_check(field, die, success):
    battle = field(PLAIN, {"sg-1": "0101 4-3-5-4 disordered"}, phase="shogunate-move", idle=True)
    battle.do("recover sg-1", die)
    assert ("normal" in battle.words("sg-1")) is success


@pytest.mark.clause("2-2-1(2)5", "8(2)a")
@pytest.mark.parametrize("allowance", [2, 3, 4])
def test_the_movement_allowance_is_the_limit_of_a_move(field, allowance):
    battle = field(". . . . . .", {"sg-1": f"0101 4-3-3-{allowance}"}, phase="shogunate-move")
    path = ["0102", "0103", "0104", "0105", "0106"]
    assert battle.why_not(f"move sg-1 {' '.join(path[:allowance])}") is None
    assert battle.refused(f"move sg-1 {' '.join(path[: allowance + 1])}") == "8(2)a"


@pytest.mark.clause("2-2-1(2)6", "12(2)a")
@pytest.mark.parametrize(("start", "clause"), [("0103", None), ("0102", None), ("0101", "12(2)a")])
def test_the_range_is_the_reach_of_artillery(field, start, clause):
    units = {"sa-1": f"{start} 6-x-4-3 range 3", "sa-2": "0204 4-5-5-5", "sg-1": "0105 4-3-3-4"}
    battle = field(PLAIN, units, phase="satcho-fire")
    refusal = battle.why_not("fire sa-1 at sg-1")
    assert (refusal and refusal.clause) == clause


@pytest.mark.clause("2-2-1(2)6", "9-1(1)a")
def test_without_a_range_fire_reaches_adjacent_hexes_only(field):
    units = {"sa-1": "0103 6-x-4-3", "sa-2": "0204 4-5-5-5", "sg-1": "0105 4-3-3-4"}
    battle = field(PLAIN, units, phase="satcho-fire")
    assert battle.refused("fire sa-1 at sg-1") == "9-1(1)a"
    assert battle.why_not("fire sa-2 at sg-1") is None


@pytest.mark.clause("2-2-1(2)7")
def test_the_deployment_code_says_where_a_unit_starts(data):
    """The boundary is the edge of the area: one hex on is too far."""
    data["maps"]["field"]["areas"]["hexes"] |= {"shogunate-west": "0101 0102", "satsuma-west": "0105 0106"}
    game = Game.new(rules_of("bakumatsu"), bakumatsu.board(data), {})
    orders = {n: bakumatsu.read_order(game.board, "shogunate", ("setup", "sg-1", n)) for n in ("0102", "0103", "0105")}
    assert {n: r and r.clause for n, r in ((n, game.request.why_not(o)) for n, o in orders.items())} == {
        "0102": None,
        "0103": "2-2-1(2)7",
        "0105": "2-2-1(2)7",
    }


# --- 2-2-3 markers

MARKED = {
    "sg-1": "0101 4-3-3-4",
    "sg-2": "0103 4-3-3-4 disordered",
    "sa-1": "0301 4-3-3-4 disordered",
}


@pytest.mark.clause("2-2-3.1", "2-2-3.2")
def test_turn_and_phase_are_told(field):
    situation = bakumatsu.situation(field(PLAIN, ONE, phase="satcho-melee", turn=3, idle=True).state)
    assert (situation["turn"], situation["turns"], situation["phase"]["id"]) == (3, 8, "satcho-melee")


@pytest.mark.clause("2-2-3.3", "6(3)", "8(5)", "7(3)")
@pytest.mark.parametrize("die", [3, 4])
def test_a_unit_that_moved_or_tried_to_recover_is_marked_and_done(field, die):
    battle = field(PLAIN, MARKED, phase="shogunate-move", idle=True)
    battle.do("move sg-1 0102")
    battle.do("recover sg-2", die)
    assert "done" in battle.words("sg-1")
    assert "done" in battle.words("sg-2")
    assert bakumatsu.situation(battle.state)["units"][0]["words"] == ["done"]
    for order in ("move sg-1 0101", "recover sg-1", "move sg-2 0104", "recover sg-2", "march sg-1 0101"):
        assert battle.refused(order) == "6(3)"


@pytest.mark.clause("2-2-3.4a", "9-1(2)b", "9-2(7)", "9-1(4)a")
def test_shooter_and_supporters_are_marked(field):
    """R34: a unit takes part once in a phase, as main unit or as supporter."""
    units = {
        "sa-1": "0101 1-5-5-5",
        "sa-2": "0103 1-5-5-5",
        "sa-3": "0201 1-5-5-5",
        "sg-1": "0102 4-3-3-4",
        "sg-2": "0104 4-3-3-4",
    }
    battle = field(PLAIN, units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1 with sa-2", 1, 1)
    assert [unit for unit in units if "done" in battle.words(unit)] == ["sa-1", "sa-2"]
    for order in ("fire sa-1 at sg-1", "fire sa-2 at sg-2", "fire sa-3 at sg-1 with sa-2"):
        assert battle.refused(order) == "9-1(4)a"
    assert battle.why_not("fire sa-3 at sg-1") is None


@pytest.mark.clause("2-2-3.4a", "10-1(3)b", "10-2(11)", "10-1(5)a")
def test_attacker_and_supporters_are_marked(field):
    """R34: a unit takes part once in a phase, as attacker or as supporter."""
    units = {
        "sa-1": "0101 1-1-5-5",
        "sa-2": "0103 1-1-5-5",
        "sa-3": "0201 1-1-5-5",
        "sg-1": "0102 4-6-3-4",
        "sg-2": "0104 4-6-3-4",
    }
    battle = field(PLAIN, units, phase="satcho-melee", idle=True)
    battle.do("melee sa-1 at sg-1 with sa-2", 1, 1)
    assert [unit for unit in units if "done" in battle.words(unit)] == ["sa-1", "sa-2"]
    for order in ("melee sa-1 at sg-1", "melee sa-2 at sg-2", "melee sa-3 at sg-1 with sa-2"):
        assert battle.refused(order) == "10-1(5)a"
    assert battle.why_not("melee sa-3 at sg-1") is None


@pytest.mark.clause("2-2-3.4b", "9-1(6)", "10-1(7)")
def test_firing_does_not_keep_a_unit_from_attacking_in_its_own_half_of_the_turn(field):
    """R11: fire and melee share a kind of marker, not a marker; it comes off at the end of each phase."""
    units = {"sa-1": "0101 1-5-5-5", "sg-1": "0102 4-3-3-4"}
    battle = field(PLAIN, units, phase="satcho-fire", idle=True)
    battle.do("fire sa-1 at sg-1", 1, 1)
    for phase in ("shogunate-melee", "satcho-move", "shogunate-fire", "satcho-melee"):
        battle.do("done")
        assert battle.phase == phase
    assert battle.why_not("melee sa-1 at sg-1") is None


@pytest.mark.clause("2-2-3.4b")
@pytest.mark.parametrize("phase", ["satcho-move", "satcho-fire", "satcho-melee"])
def test_a_marker_changes_nothing_but_what_its_own_unit_may_do(field, phase):
    units = {
        "sa-1": "0102 4-5-5-5",
        "sa-2": "0104 4-5-5-5",
        "sg-1": "0103 4-3-3-4",
        "sg-2": "0305 4-3-3-4",
        "sa-3": "0301 4-5-5-5 disordered",
    }
    free = field(PLAIN, units, phase=phase).options()
    marked = {**units, "sa-1": "0102 4-5-5-5 done", "sg-1": "0103 4-3-3-4 done"}
    left = field(PLAIN, marked, phase=phase).options()
    assert left == [order for order in free if "sa-1" not in order.split()]
    assert 1 < len(left) < len(free)
