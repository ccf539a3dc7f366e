"""Rulebook 1 to 3, 15 and 17: sides, components and set-up, on the scenario files themselves."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from pbem.errors import BadScenario, MalformedOrder
from pbem.rules import yukimura
from pbem.rules.yukimura.board import Board
from pbem.scenario import load_scenario

SCENARIOS = ("domyoji", "yao", "connected", "gotos-dream")

COUNTS = {
    "goto": 10, "akashi": 10, "mori": 10, "sanada": 14, "hideyori": 10, "kimura": 16, "chosokabe": 10,
    "mizuno": 11, "honda": 9, "tadaaki": 9, "date": 26, "tadateru": 18, "ii": 16, "todo": 17,
    "sakakibara": 10, "ogasawara": 8, "hoshina": 3, "suwa": 3, "sakai": 5, "sengoku": 5, "tadayoshi": 3, "yasunaga": 3,
    "naito": 3,
}  # fmt: skip
MARKERS = {"inning": 1, "chain retreat": 22}

PERSONS = {
    10: {
        "Date Masamune", "Matsudaira Tadateru", "Ii Naotaka", "Todo Takatora", "Kimura Shigenari",
        "Chosokabe Morichika", "Toyotomi Hideyori",
    },
    5: {
        "Sanada Yukimura", "Goto Mototsugu", "Mori Katsunaga", "Akashi Morishige", "Mizuno Katsunari", "Honda Tadamasa",
        "Sakakibara Yasukatsu", "Ogasawara Hidemasa",
    },
    3: {
        "Hoshina Masamitsu", "Suwa Tadatsune", "Sakai Ietsugu", "Sengoku Tadamasa", "Matsudaira Tadayoshi",
        "Matsudaira Yasunaga", "Naito Tadaoki", "Katakura Kagetsuna", "Okuyama Kanekiyo", "Kawate Yoshiyuki",
        "Ihara Tomomasa", "Watanabe Satoru", "Todo Yoshikatsu", "Susukida Kanesuke", "Sanada Nobumasu",
        "Yamaguchi Hirosada", "Naito Nagaki", "Ono Harunaga", "Tsugawa Chikayuki", "Kori Yoshiyuki",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def boards() -> dict[str, Board]:
    return {name: yukimura.board(load_scenario(name).data) for name in SCENARIOS}


@pytest.fixture
def domyoji() -> dict[str, Any]:
    """The data of Domyoji, to be spoiled."""
    return copy.deepcopy(load_scenario("domyoji").data)


def defects(data: dict[str, Any]) -> str:
    """What the reader of scenarios says is wrong with data."""
    with pytest.raises(BadScenario) as caught:
        yukimura.board(data)
    return str(caught.value)


# --- 1: the sides


@pytest.mark.clause("1-a")
def test_each_player_commands_exactly_one_side(field: Callable[..., Any], boards: dict[str, Board]) -> None:
    for board in boards.values():
        assert [side.id for side in board.sides] == ["east", "osaka"]
        assert [side.title for side in board.sides] == ["Eastern Army", "Osaka Army"]
    battle = field(". . . . .", {"go-01": "0101", "da-01": "0105"}, phase="osaka-move")
    assert battle.refused("move da-01 0104") == "1-a"
    assert battle.why_not("move go-01 0102") is None


@pytest.mark.clause("1-a")
def test_the_sides_are_those_two_in_that_order(domyoji: dict[str, Any]) -> None:
    domyoji["scenario"]["sides"].reverse()
    assert "scenario.sides" in defects(domyoji)


# --- 2: components


@pytest.mark.clause("2.a")
def test_two_maps_and_252_counters(boards: dict[str, Board]) -> None:
    board = boards["connected"]
    assert list(board.maps) == ["domyoji", "yao"]
    assert {force.id: len(force.units) for force in board.forces.values()} == COUNTS
    assert len(board.units) == sum(COUNTS.values()) == 229
    assert len(board.units) + sum(MARKERS.values()) == 252


@pytest.mark.clause("2-1-2", "3(3)")
@pytest.mark.parametrize("name", SCENARIOS)
def test_units_start_in_hexes_of_their_map_or_wait_beside_it(boards: dict[str, Board], name: str) -> None:
    board = boards[name]
    state = yukimura.start(board, {})
    assert len(set(state.at.values())) == len(state.at)
    waiting = {unit for units in state.waiting.values() for unit in units}
    assert state.at.keys() | waiting == board.units.keys()
    assert not state.at.keys() & waiting
    for unit, h in state.at.items():
        assert board.map_of(h).name == board.forces[board.units[unit].force].map


@pytest.mark.clause("2-1-2")
def test_a_hex_that_the_map_has_not_is_refused(boards: dict[str, Board]) -> None:
    board = boards["domyoji"]
    order = yukimura.read_order(board, "osaka", ("move", "go-01", "2122"))
    assert yukimura.order_words(board, order) == ("move", "go-01", "2122")
    with pytest.raises(MalformedOrder):
        yukimura.read_order(board, "osaka", ("move", "go-01", "9999"))
    with pytest.raises(MalformedOrder):
        yukimura.read_order(board, "osaka", ("move", "go-01", "D2122"))


@pytest.mark.clause("2-1-2", "14-3(1)")
def test_with_two_maps_a_number_tells_its_map(boards: dict[str, Board]) -> None:
    board = boards["connected"]
    assert board.map_of(board.parse("D2022")).name == "domyoji"
    assert board.map_of(board.parse("y2001")).name == "yao"
    assert board.parse("D2001") != board.parse("Y2001")
    for number in ("2001", "Z2001", "D9999"):
        with pytest.raises(MalformedOrder):
            board.parse(number)


@pytest.mark.clause("2-1-2")
def test_a_start_hex_off_the_map_is_a_defect(domyoji: dict[str, Any]) -> None:
    domyoji["armies"]["domyoji"]["forces"][0]["units"][0]["at"] = "9999"
    assert "unit go-01.at" in defects(domyoji)


@pytest.mark.clause("2-1-3", "12.a")
def test_every_hex_has_one_base_terrain_and_roads_and_sides_are_layers(
    boards: dict[str, Board], field_data: Callable[..., dict[str, Any]]
) -> None:
    kinds = {"flat", "marsh", "mountain", "large_river"}
    for board in boards.values():
        for m in board.maps.values():
            assert all(len(m.terrain[h] & kinds) == 1 for h in m.hexes)
            assert {crossing.kind for crossing in m.hexsides} <= {"small_river", "impassable", "line"}
            assert {road.kind for road in m.roads} == {"road"}
    data = field_data(". . .", {"go-01": "0101", "da-01": "0103"})
    yukimura.board(data)
    data["maps"]["field"]["terrain"]["legend"]["."] = ["swamp"]
    assert "'swamp' isn't a terrain" in defects(data)
    data["maps"]["field"]["terrain"]["legend"]["."] = ["star"]
    assert "hex 0101 has no terrain" in defects(data)


@pytest.mark.clause("2-1-4")
def test_a_battle_without_one_of_the_tables_does_not_load(domyoji: dict[str, Any]) -> None:
    yukimura.board(domyoji)
    for name in ("firing_results_table", "hand_to_hand_results_table"):
        spoiled = copy.deepcopy(domyoji)
        del spoiled["tables"][name]
        assert name in defects(spoiled)


@pytest.mark.clause("2-2(1)A", "17-4")
def test_commanders_are_the_persons_of_the_rulebook(boards: dict[str, Board]) -> None:
    units = boards["connected"].units.values()
    for rng, persons in PERSONS.items():
        assert persons <= {unit.name for unit in units if unit.command == rng}
    known = set().union(*PERSONS.values())
    others = {unit.name for unit in units if unit.commander} - known
    assert all(name.startswith(("Mori ", "Matsudaira Tada")) for name in others), others  # as the glossary has them
    assert sum("Tadakira" in u.name or "Tadaaki" in u.name for u in units if u.commander) == 2
    assert sum(unit.commander for unit in units if unit.side == "osaka") == 15
    assert sum(unit.commander for unit in units if unit.side == "east") == 23
    assert not any("Naomasa" in unit.name for unit in units)


@pytest.mark.clause("2-2(1)A")
def test_a_commander_has_a_range_and_nobody_else(domyoji: dict[str, Any]) -> None:
    units = domyoji["armies"]["domyoji"]["forces"][0]["units"]
    units[0]["command"], units[4]["command"] = "4", "5"
    assert "unit go-01.command" in defects(domyoji)
    assert "unit go-05.command" in defects(domyoji)


@pytest.mark.clause("2-2(1)B")
def test_every_unit_belongs_to_a_force(boards: dict[str, Board]) -> None:
    board = boards["connected"]
    for force in board.forces.values():
        assert all(board.units[unit].force == force.id and board.units[unit].side == force.side for unit in force.units)
    assert Counter(unit.force for unit in board.units.values()) == COUNTS


@pytest.mark.clause("2-2(2)", "17-2")
def test_a_unit_is_of_one_of_four_branches(boards: dict[str, Board], domyoji: dict[str, Any]) -> None:
    branches = {unit.branch for unit in boards["connected"].units.values()}
    assert branches == {"mounted", "mounted-rifle", "rifle", "foot"}
    assert {unit.force for unit in boards["connected"].units.values() if unit.branch == "mounted-rifle"} == {"date"}
    domyoji["armies"]["domyoji"]["forces"][0]["units"][0]["branch"] = "artillery"
    assert "unit go-01.branch" in defects(domyoji)


@pytest.mark.clause("17-2")
def test_commander_is_a_flag_beside_the_branch(boards: dict[str, Board]) -> None:
    unit = boards["domyoji"].units["go-01"]
    assert unit.commander
    assert unit.branch == "mounted"
    assert unit.mounted
    assert not unit.rifle


@pytest.mark.clause("2-2(3)", "2-2(4)", "2-2(5)")
@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [("strength", "5", "0"), ("strength", "1", "x"), ("morale", "*", "?"), ("morale", "5", "0"), ("move", "3", "-1")],
)
def test_printed_values_are_numbers_and_morale_may_be_an_asterisk(
    domyoji: dict[str, Any], key: str, good: str, bad: str
) -> None:
    unit = domyoji["armies"]["domyoji"]["forces"][0]["units"][0]
    unit[key] = good
    printed = getattr(yukimura.board(domyoji).units["go-01"], key)
    assert printed == (None if good == "*" else int(good))
    unit[key] = bad
    assert f"unit go-01.{key}" in defects(domyoji)


@pytest.mark.clause("2-2(3)")
def test_one_strength_serves_fire_and_melee(field: Callable[..., Any]) -> None:
    units = {"da-01": "0101 3-3-3 rifle", "go-01": "0102"}
    battle = field(". . . . .", units, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01 hold", 1, 1)
    assert battle.facts("fire")["strength"] == 3
    battle = field(". . . . .", units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01 hold", 6, 1, 1)
    assert battle.facts("melee")["strength"] == 3


@pytest.mark.clause("2-2.note")
def test_the_back_of_a_counter_shows_only_that_it_fired(field: Callable[..., Any]) -> None:
    units = {"da-01": "0101 rifle", "go-01": "0102"}
    battle = field(". . . . .", units, phase="east-combat", idle=True)
    assert not battle.is_("da-01", "fired")
    battle.do("fire da-01 at go-01 hold", 1, 1)
    assert battle.is_("da-01", "fired")
    assert "fired" in unit_words(battle, "da-01")
    battle.do("done")
    assert not battle.is_("da-01", "fired")


def unit_words(battle: Any, unit: str) -> list[str]:
    found: list[str] = next(u for u in yukimura.situation(battle.state)["units"] if u["id"] == unit)["words"]
    return found


@pytest.mark.clause("2-2-2")
def test_no_chain_retreat_marker_outlives_its_combat(field: Callable[..., Any]) -> None:
    rows = (". " * 8 + "\n") * 5
    units = {"da-01": "0302 9-3-3", "go-01": "0303 3-2-3", "go-02": "0304 3-6-3"}
    battle = field(rows, units, phase="east-combat", idle=True)
    before = yukimura.dump(battle.state)
    battle.game.apply(battle.order("melee da-01 at go-01 hold"))
    battle.game.apply((4, 4))
    battle.game.apply((1,))
    battle.do("retreat go-01 0304 0305", 1)
    assert "mark" in battle.events()
    after = yukimura.dump(battle.state)
    changed = {key for key in after if after[key] != before[key]}
    assert changed == {"at", "fought", "attacked", "step"}


# --- 3: before the game begins


@pytest.mark.clause("3(1)")
@pytest.mark.parametrize("key", ["scenario", "sides"])
def test_no_game_without_a_scenario_and_both_sides(domyoji: dict[str, Any], key: str) -> None:
    del domyoji["scenario"][key]
    assert f"scenario.{key}" in defects(domyoji)


@pytest.mark.clause("3(2)", "14-1(1)", "14-2(1)", "14-3(1)")
@pytest.mark.parametrize(
    ("name", "maps"),
    [("domyoji", ["domyoji"]), ("yao", ["yao"]), ("connected", ["domyoji", "yao"]), ("gotos-dream", ["domyoji"])],
)
def test_a_scenario_has_its_maps_and_the_units_of_both_sides(
    boards: dict[str, Board], name: str, maps: list[str]
) -> None:
    board = boards[name]
    assert list(board.maps) == list(yukimura.maps(board)) == maps
    assert {unit.side for unit in board.units.values()} == {"east", "osaka"}
    assert all(force.map in (*maps, "") for force in board.forces.values())


@pytest.mark.clause("3(2)")
def test_a_scenario_without_its_map_does_not_load(domyoji: dict[str, Any]) -> None:
    domyoji["maps"] = {}
    assert "there is no map 'domyoji'" in defects(domyoji)


@pytest.mark.clause("3(3)")
def test_two_units_in_a_start_hex_or_a_unit_without_one_are_defects(domyoji: dict[str, Any]) -> None:
    units = domyoji["armies"]["domyoji"]["forces"][0]["units"]
    units[1]["at"] = units[0]["at"]
    del units[2]["at"]
    found = defects(domyoji)
    assert "army unit go-02: stands in the hex of go-01" in found
    assert "army unit go-03: has no hex" in found


@pytest.mark.clause("3(4)")
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_inning_marker_starts_on_1(boards: dict[str, Board], name: str) -> None:
    state = yukimura.start(boards[name], {})
    assert yukimura.clock(state) == (1, "start" if name == "connected" else "east-move")


def test_every_defect_is_told_at_once(domyoji: dict[str, Any]) -> None:
    domyoji["scenario"]["turns"] = "many"
    domyoji["scenario"]["held"][0]["force"] = "nobody"
    domyoji["scenario"]["victory"]["otherwise"] = "both"
    domyoji["scenario"]["options"]["command-range"]["values"] = ["maybe"]
    found = defects(domyoji)
    for place in ("scenario.turns", "scenario.held 1.force", "scenario.victory.otherwise", "command-range"):
        assert place in found


def test_options_are_the_scenarios_own(boards: dict[str, Board]) -> None:
    assert yukimura.start(boards["domyoji"], {"ishikawa-reading": "release"}).options.ishikawa_reading == "release"
    assert yukimura.start(boards["domyoji"], {}).options.ishikawa_reading == "gate"
    with pytest.raises(BadScenario, match="isn't an option"):
        yukimura.start(boards["yao"], {"ishikawa-reading": "release"})
    with pytest.raises(BadScenario, match="can't be"):
        yukimura.start(boards["yao"], {"command-range": "perhaps"})


@pytest.mark.clause("15.a")
def test_a_reserve_behind_the_line_stops_the_pursuit(field: Callable[..., Any]) -> None:
    """The same retreat by two hexes: over free ground the attacker follows, over a reserve that stays he can't."""
    rows = (". " * 8 + "\n") * 5
    line = {"da-01": "0302 9-3-3", "go-01": "0303 3-2-3"}
    stops = {}
    for reserve in ({}, {"go-02": "0304 3-6-3"}):
        battle = field(rows, {**line, **reserve}, phase="east-combat", idle=True)
        battle.game.apply(battle.order("melee da-01 at go-01 advance da-01"))
        battle.game.apply((4, 4))
        battle.game.apply((1,))
        battle.do("retreat go-01 0304 0305", *([1] if reserve else []))
        stops[len(reserve)] = battle.at("da-01")
    assert stops == {0: "0304", 1: "0303"}


@pytest.mark.clause("17-4")
def test_every_force_is_on_its_side(boards: dict[str, Board]) -> None:
    osaka = {"goto", "akashi", "mori", "sanada", "hideyori", "kimura", "chosokabe"}
    assert {force.id for force in boards["connected"].forces.values() if force.side == "osaka"} == osaka


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_state_survives_its_dump(boards: dict[str, Board], name: str) -> None:
    state = yukimura.start(boards[name], {})
    again = yukimura.load(boards[name], yukimura.dump(state))
    assert again == state
    assert yukimura.copy(again) == state


# --- what is wrong with data


@pytest.mark.parametrize(
    ("more", "defect"),
    [
        ({"victory": {"west-of-line": "10"}}, "`line`: is missing"),
        ({"victory": {"west-of-line": "10"}, "line": ("0102/0103",)}, "`line`: doesn't part the map"),
        ({"held": [{"force": "goto", "until": "soon"}]}, "scenario.held goto.until"),
        ({"held": [{"force": "goto", "until": 5}, {"force": "goto", "until": 6}]}, "stands there twice"),
        ({"held": [{"force": "goto", "until": 5, "die": 7}]}, "scenario.held goto.die"),
        ({"reinforcements": [{"force": "goto", "turn": 1, "edge": "east"}]}, "no road leads over the east edge"),
        ({"reinforcements": [{"force": "goto", "turn": 1, "edge": "up"}]}, "scenario.reinforcements goto.edge"),
        ({"victory": {"star": "0101"}}, "has no star on the map"),
        ({"victory": {"collapse": {"osaka": ["go-01"]}}}, "isn't a commander of the side"),
        ({"victory": {"collapse": {"osaka": ["da-02"]}}}, "isn't a commander of the side"),
        ({"victory": {"breakthrough": ["9999"]}}, "scenario.victory"),
    ],
)
def test_defects_of_small_scenarios(
    field_data: Callable[..., dict[str, Any]], more: dict[str, Any], defect: str
) -> None:
    rows = (". " * 6 + "\n") * 3
    units = {"go-01": "0101", "da-01": "0106", "da-02": "0206 2-5-5 command 5"}
    yukimura.board(field_data(rows, units))
    assert defect in defects(field_data(rows, units, **more))


def test_two_maps_need_two_prefixes() -> None:
    data = copy.deepcopy(load_scenario("connected").data)
    for prefixes in ({"domyoji": "D", "yao": "D"}, {"domyoji": "D"}, {"domyoji": "d", "yao": "Y"}):
        data["scenario"]["prefixes"] = prefixes
        with pytest.raises(BadScenario, match=r"scenario\.prefixes"):
            yukimura.board(data)


@pytest.mark.parametrize("damage", [None, 7, "text", [], {"scenario": []}])
def test_anything_is_read_or_refused(domyoji: dict[str, Any], damage: Any) -> None:
    for block in ("scenario", "maps", "armies", "tables"):
        with pytest.raises(BadScenario):
            yukimura.board({**domyoji, block: damage})
    for key in ("maps", "sides"):
        with pytest.raises(BadScenario):
            yukimura.board({**domyoji, "scenario": {**domyoji["scenario"], key: damage}})
