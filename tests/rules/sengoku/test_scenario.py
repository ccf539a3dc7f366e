"""Chapters 2, 3, 7, 8, 28, 30, 34 and 36: what the shipped data say, and what a file may not say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import pytest

from pbem.errors import BadScenario, MalformedOrder
from pbem.maps.hexes import distance
from pbem.rules.sengoku.areas import hexes_in
from pbem.rules.sengoku.board import BUSHO, SOTAISHO, TAISHO, Board
from pbem.rules.sengoku.scenario import board
from pbem.rules.sengoku.state import State, copy, dump, load, start


@pytest.fixture
def data(shipped: Mapping[str, Any]) -> dict[str, Any]:
    """The shipped scenario, to be changed."""
    return deepcopy(dict(shipped))


@pytest.fixture
def b(data: dict[str, Any]) -> Board:
    """The board of the shipped scenario."""
    return board(data)


def wrong(data: dict[str, Any]) -> str:
    """What is said of data that are refused."""
    with pytest.raises(BadScenario) as caught:
        board(data)
    return str(caught.value)


# --- components -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("2-1-1", "28-1")
def test_the_map_runs_from_takamatsu_to_okazaki_in_columns_and_rows(b: Board) -> None:
    assert b.map.region[b.parse("0126")] == "Bitchu"
    assert b.map.region[b.parse("6021")] == "Mikawa"
    assert b.label[b.map.places["Himeji"]] == "1623"
    columns, rows = ({b.label[h][part] for h in b.map.hexes} for part in (slice(2), slice(2, 4)))
    assert columns == {f"{column:02}" for column in range(1, 61)}
    assert rows == {f"{row:02}" for row in range(1, 35)}
    for h, near in b.ground.near.items():
        assert len(near) <= 6
        assert all(h in b.ground.near[n] for n in near)


def test_a_wrong_number_is_told_how_numbers_are_written(b: Board) -> None:
    with pytest.raises(MalformedOrder) as caught:
        b.parse("602")
    assert "numbers are CCRR (column from the west, row from the north), such as" in str(caught.value)
    assert b.label[b.parse("6021")] == "6021"


@pytest.mark.clause("2-1-2", "28-1-3")
def test_ground_that_the_terrain_table_has_not_is_refused(data: dict[str, Any]) -> None:
    legend = data["maps"]["kinai"]["terrain"]["legend"]
    legend |= {"s": ["moor"], "A": ["rough", "mountain"]}
    found = wrong(data)
    assert "is moor; each hex is one of plain, rough, mountain, impassable_mountain, swamp" in found
    assert "is mountain, rough; each" in found
    legend |= {"s": ["swamp"], "A": ["rough"]}
    assert board(data).ground.terrain[board(data).parse("5118")] == "swamp"


@pytest.mark.clause("2-1-2")
def test_hexsides_that_the_terrain_table_has_not_are_refused(b: Board, data: dict[str, Any]) -> None:
    seta, lake = ("3721", "3820"), ("3817", "3918")
    for numbers, river, bare in ((seta, True, False), (lake, False, False), (("3719", "3720"), False, False)):
        step = (b.parse(numbers[0]), b.parse(numbers[1]))
        assert (step in b.ground.river) == river
        assert (step in b.ground.unbridged) == bare
        assert (step[1] in b.ground.open_to[step[0]]) == (numbers != lake)
    assert len(b.ground.unbridged) == len(b.ground.river) - 2 * 3  # three bridges, both ways
    data["maps"]["kinai"]["hexsides"]["chains"][0]["kind"] = "ditch"
    assert "'ditch' is no hexside of these rules" in wrong(data)


@pytest.mark.clause("2-2-1(1)", "30-2")
def test_names_and_ids_are_unique(b: Board, data: dict[str, Any]) -> None:
    assert len(b.units) == 209
    assert len({unit.name for unit in b.units.values()}) == 209  # one counter of each officer
    saika = [b.units[unit].name for unit in b.of_army["saika"]]
    assert saika[2:] == [f"Saika-shu {i}" for i in range(1, 9)]
    data["armies"]["hashiba"]["armies"][0]["units"][1]["name"] = "Hashiba Hideyoshi"
    data["armies"]["hashiba"]["armies"][0]["units"][2]["id"] = "hb-01"
    data["armies"]["anti-hashiba"]["armies"][0]["units"][3]["name"] = "Niwa Nagahide"
    found = wrong(data)
    assert "'Hashiba Hideyoshi' stands there twice" in found
    assert "unit hb-01: stands there twice" in found
    assert "'Niwa Nagahide' stands there twice" in found


@pytest.mark.parametrize("word", ["takes", "castle", "if-half-hurts", "then", "any"])
def test_no_unit_is_called_by_a_word_of_orders(data: dict[str, Any], word: str) -> None:
    data["armies"]["hashiba"]["armies"][0]["units"][2]["id"] = word
    assert f"'{word}' is a word of orders; give it another id" in wrong(data)


@pytest.mark.clause("2-2-1(4)")
@pytest.mark.parametrize(("power", "good"), [("0", False), ("1", True), ("4", True), ("5", False)])
def test_action_power_is_1_to_4(data: dict[str, Any], power: str, good: bool) -> None:
    data["armies"]["hashiba"]["armies"][0]["units"][3]["power"] = power
    if good:
        assert board(data).units["hb-04"].power == int(power)
    else:
        assert "unit hb-04.power" in wrong(data)


@pytest.mark.clause("2-2-1(5)", "28-1-2")
def test_only_the_two_upper_ranks_have_command_boxes(b: Board, data: dict[str, Any]) -> None:
    assert BUSHO < TAISHO < SOTAISHO
    for unit in b.units.values():
        assert unit.commander == (unit.rank > BUSHO) == (unit.boxes > 0), unit
    assert [u.id for u in b.units.values() if u.rank == SOTAISHO] == ["hb-01", "sb-01", "mr-01"]
    units = data["armies"]["hashiba"]["armies"][0]["units"]
    units[0].pop("boxes")
    units[3]["boxes"] = "1"
    found = wrong(data)
    assert "unit hb-01.boxes: is missing" in found
    assert "unit hb-04.boxes: is '1'" in found


@pytest.mark.parametrize(
    ("unit", "values"),
    [
        ("sb-01", "2-3-4"),
        ("sb-02", "2-3-3"),
        ("md-01", "2-2-4"),
        ("tk-01", "2-3-4"),
        ("kt-05", "2-0-3"),
        ("hb-01", "3-3-4"),
    ],
)
def test_the_values_that_sources_have(b: Board, unit: str, values: str) -> None:
    assert b.units[unit].values == values


def test_where_an_armys_data_come_from_is_said_in_words(b: Board, data: dict[str, Any]) -> None:
    assert any(text.startswith("army hashiba values: reconstructed") for text in b.reconstructed)
    data["armies"]["hashiba"]["provenance"] |= {"values": ["x"], "names": ""}
    found = wrong(data)
    assert "army hashiba.provenance.values" in found
    assert "army hashiba.provenance.names" in found


@pytest.mark.clause("28-3")
def test_every_table_has_its_rows_and_columns(b: Board) -> None:
    tables = b.tables
    assert [len(table.rows) for table in (tables.battle, tables.incidents, tables.surrender)] == [12, 10, 11]
    assert [len(table.columns) for table in (tables.battle, tables.surrender)] == [14, 11]
    assert len(tables.replenishment) == 6
    assert {name: len(table.columns) for name, table in tables.entering.items()} == {
        "mori_begin_to_act": 5,
        "saika_and_negoro_begin_to_act": 6,
    }


# --- sides, armies, castles -------------------------------------------------------------------------------------------


@pytest.mark.clause("3.0(2)", "36.3")
def test_the_two_sides_in_the_order_of_their_phases(b: Board, data: dict[str, Any]) -> None:
    assert [side.id for side in b.sides] == ["anti-hashiba", "hashiba"]
    assert b.enemy == {"hashiba": "anti-hashiba", "anti-hashiba": "hashiba"}
    data["scenario"]["sides"].append({"id": "tokugawa", "title": "Tokugawa"})
    assert "scenario.sides: are 3" in wrong(data)


@pytest.mark.clause("7-1", "7-1-2", "30-1", "30-1-1")
def test_armies_by_group_and_the_small_daimyo_who_follow(b: Board) -> None:
    of = {group: {a for a in b.armies if b.group(a) == group} for group in map(b.group, b.armies)}
    assert of["shibata"] == {"shibata", "maeda", "kanamori"}
    assert of["kobe"] == {"kobe", "takigawa"}
    assert of["kitabatake"] == {"kitabatake"}
    followers = [army for army in b.armies.values() if army.follows]
    assert len(followers) == 17  # the eighteen of 30-1 but for Kuki, who aren't in play
    assert b.armies["mori-mino"].side == "hashiba"
    assert b.armies["mori"].side == "anti-hashiba"


def test_who_can_lead_whom(b: Board) -> None:
    assert b.led_by("ukita", "hashiba")
    assert b.led_by("ukita", "ukita")
    assert not b.led_by("nanjo", "ukita")
    assert not b.led_by("gamo", "niwa")
    assert not b.led_by("hashiba", "ukita")
    assert not b.led_by("kitabatake", "hashiba")


def test_an_army_follows_one_of_its_side_that_follows_none(data: dict[str, Any]) -> None:
    groups = {group["army"]: group for group in data["scenario"]["groups"]}
    groups["maeda"]["follows"] = "hashiba"
    groups["gamo"]["follows"] = "niwa"
    found = wrong(data)
    assert "scenario.groups maeda.follows" in found
    assert "scenario.groups gamo.follows" in found


@pytest.mark.clause("8-3")
def test_main_castles_and_the_edges_of_those_who_have_none(b: Board, data: dict[str, Any]) -> None:
    assert b.armies["hashiba"].main == ("himeji",)
    assert b.armies["maeda"].main == ("kitanosho",)
    assert b.armies["kitabatake"].main == ("kiyosu", "matsusaka")
    assert [b.label[h] for h in b.armies["mori"].sources] == [f"01{row}" for row in range(11, 29)]
    assert [b.label[h] for h in b.armies["saika"].sources] == [f"{column}34" for column in range(24, 36)]
    del data["scenario"]["groups"][0]["main"]
    assert "scenario.groups hashiba.main: is missing" in wrong(data)


@pytest.mark.clause("34.2(1)", "36.5")
def test_every_castle_has_level_durability_and_owner(b: Board, data: dict[str, Any]) -> None:
    assert len(b.castles) == 49
    assert all(castle.durability == 10 and castle.owner in b.armies for castle in b.castles.values())
    assert {castle.level for castle in b.castles.values()} == {0, 1, 2, 3, 4}
    data["scenario"]["castles"][0] |= {"level": "6", "durability": "11"}
    data["scenario"]["castles"][1] |= {"owner": "tokugawa"}
    found = wrong(data)
    assert "scenario.castles 1.level: is '6'" in found
    assert "scenario.castles 1.durability: is '11'" in found
    assert "scenario.castles 2.owner" in found
    data["scenario"]["castles"][0] |= {"level": "5", "durability": "0"}
    del data["scenario"]["castles"][1]["owner"]
    assert board(data).castles["okayama"].owner is None


def test_no_castle_stands_in_a_swamp_or_with_another(data: dict[str, Any]) -> None:
    castles = data["scenario"]["castles"]
    data["maps"]["kinai"]["places"]["hexes"]["Himeji"] = castles[0]["at"] = "5118"
    castles[2]["at"] = castles[1]["at"]
    found = wrong(data)
    assert "5118 is swamp" in found
    assert "scenario.castles 3.at: okayama stands in this hex; one castle in a hex" in found
    assert "'Hagoromoishi' is no place of the map in this hex" in found


def test_no_castle_stands_there_twice(data: dict[str, Any]) -> None:
    castles = data["scenario"]["castles"]
    castles.append(castles[0] | {"level": "1", "owner": "ukita"})
    twice = f"scenario.castles {len(castles)}: the castle himeji stands there twice; give each castle its own id"
    assert twice in wrong(data)
    castles[-1]["at"] = "1624"
    assert twice in wrong(data)
    del castles[-1]
    assert board(data).castles["himeji"].level == 3


@pytest.mark.clause("3.0(4)")
def test_every_unit_is_deployed_once(b: Board, data: dict[str, Any]) -> None:
    deployed = [unit for deployment in b.deployments.values() for unit in deployment.units]
    assert sorted(deployed) == sorted(b.units)
    himeji = next(line for line in data["scenario"]["deployment"] if line["id"] == "himeji")
    himeji["units"] = [*himeji["units"][1:], "nj-01"]
    found = wrong(data)
    assert "unit hb-01: is deployed 0 times" in found
    assert "unit nj-01: is deployed 2 times" in found


@pytest.mark.parametrize("units", [{"hb-01": ""}, [["hb-01"]], []])
def test_units_of_a_deployment_that_cant_be_read_are_the_only_defect(data: dict[str, Any], units: object) -> None:
    himeji = next(line for line in data["scenario"]["deployment"] if line["id"] == "himeji")
    himeji["units"] = units
    found = wrong(data)
    assert "1 defect" in found
    assert "scenario.deployment 1.units" in found


def test_units_of_an_army_that_cant_be_read_are_the_only_defect(data: dict[str, Any]) -> None:
    shibata = data["armies"]["anti-hashiba"]["armies"][0]
    whole, shibata["units"] = shibata["units"], {"sb-01": "", "sb-02": ""}
    data["scenario"]["victory"]["bonuses"][0]["unit"] = "kn-01"
    found = wrong(data)
    assert "1 defect" in found
    assert "army anti-hashiba.armies 1.units: is {sb-01: , sb-02: }" in found
    shibata["units"] = whole
    data["scenario"]["deployment"][0]["units"] = ["hb-98", "hb-99"]
    assert all(word in wrong(data) for word in ("hb-98", "hb-99"))


def test_a_campaign_without_a_deployment_is_refused_by_one_line(data: dict[str, Any]) -> None:
    del data["scenario"]["deployment"]
    found = wrong(data)
    assert "1 defect" in found
    assert "scenario.deployment: is missing" in found


def test_where_units_are_deployed_freely(b: Board) -> None:
    assert b.side["hashiba"].deploys == 0
    assert b.side["anti-hashiba"].deploys == 1
    owari, takigawa = b.deployments["owari"], b.deployments["takigawa"]
    assert len(owari.units) == 13
    assert {b.province[h] for h in owari.hexes} == {"Owari"}
    assert {b.castles[b.castle_in[h]].owner for h in takigawa.hexes} == {"takigawa"}
    assert len(takigawa.hexes) == 4
    assert [b.label[h] for h in b.deployments["gifu"].hexes] == ["5313"]


@pytest.mark.clause("36.4")
def test_two_sides_are_not_deployed_into_one_hex(data: dict[str, Any]) -> None:
    lines = {line["id"]: line for line in data["scenario"]["deployment"]}
    lines["gifu"]["at"] = lines["ogaki"]["at"]
    found = wrong(data)
    assert "scenario.deployment gifu: the other side is deployed at 5013 too" in found
    assert "scenario.deployment ogaki: the other side is deployed at 5013 too" in found
    lines["gifu"]["at"] = "5416"  # a castle of Owari, where the other side has more hexes
    assert "gifu: the other side is deployed at 5416" in wrong(data)
    lines["gifu"]["at"], lines["mori"]["at"] = "5313", "0326"  # who enters later finds whoever stands there
    assert board(data).deployments["mori"].enters == "mori"


@pytest.mark.parametrize("number", ["5901", "5917", "4302", "5314"])
def test_nobody_is_deployed_where_his_side_cant_stand(data: dict[str, Any], number: str) -> None:
    """Not on a peak, outside the play area, in Echizen and near Gifu (36.1, 36.7-4, 36.7-5)."""
    ogaki = next(line for line in data["scenario"]["deployment"] if line["id"] == "ogaki")
    ogaki["at"] = number
    assert f"scenario.deployment ogaki: {number} can't be entered" in wrong(data)
    ogaki["at"] = "5014"
    board(data)


# --- the scenario's special rules and what scores ---------------------------------------------------------------------


@pytest.mark.clause("36.1")
def test_the_play_area_and_the_innings(b: Board) -> None:
    assert b.turns == 12
    assert {b.province[h] for h in b.outside} == {"Mikawa", "Shima"}
    inside, beyond = b.parse("5816"), b.parse("5917")
    assert (b.province[inside], b.province[beyond]) == ("Owari", "Mikawa")
    assert beyond in b.ground.open_to[inside]
    assert all(beyond not in steps[inside] for steps in (b.ground.tactical, b.ground.strategic, b.ground.line))
    assert inside in b.ground.tactical[beyond]


@pytest.mark.clause("32-2", "36.7-9(units)")
def test_who_enters_later(b: Board) -> None:
    assert len(b.of_army["mori"]) == 34
    assert len(b.of_army["saika"]) + len(b.of_army["negoro"]) == 20
    assert b.deployments["mori"].enters == "mori"
    assert b.deployments["mori"].hexes == b.armies["mori"].sources
    assert b.entering["saika-negoro"].armies == ("saika", "negoro")
    assert b.entering["mori"].provinces == {"Hoki", "Mimasaka", "Bitchu", "Bizen", "Harima", "Inaba"}


def test_who_is_held_back(b: Board) -> None:
    assert [(rule.clause, rule.until, rule.die, rule.declared) for rule in b.idle] == [
        ("36.7-2", 4, 6, None),
        ("36.7-3", 0, 0, "kobe"),
        ("36.7-6", 0, 0, "kobe"),
    ]
    echizen, gifu = b.closed
    assert {b.province[h] for h in hexes_in(b.ground.grid, echizen.hexes)} == {"Echizen"}
    at, around = b.castles["gifu"].at, [*hexes_in(b.ground.grid, gifu.hexes)]
    assert len(around) == 19
    assert max(distance(at, h) for h in around) == 2
    assert {distance(at, b.castles[name].at) for name in ("ogaki", "sone")} == {3}
    assert b.left_by["sb-01"] == "Echizen"
    assert "hb-01" not in b.left_by


def test_what_is_closed_lies_somewhere(data: dict[str, Any]) -> None:
    echizen, gifu = data["scenario"]["closed"]
    del echizen["province"], gifu["round"]
    found = wrong(data)
    right = "write `province`, or `round` a castle and `within`"
    assert f"scenario.closed 1: has no hexes; {right}" in found
    assert f"scenario.closed 2: has no hexes; {right}" in found
    echizen["round"], gifu["province"] = "kitanosho", "Shima"
    assert len(board(data).closed) == 2


@pytest.mark.parametrize("ground", [{}, {"water": "lake"}, {"r": "lake"}])
def test_a_closed_province_may_have_hexes_out_of_play_only_as_a_defect_of_the_map(
    data: dict[str, Any], ground: object
) -> None:
    data["maps"]["kinai"]["terrain"]["legend"]["A"] = ground
    found = wrong(data)
    assert "map kinai terrain.legend 'A'" in found if ground == {"r": "lake"} else "of Echizen is " in found


def test_a_truce_is_with_enemies_and_somewhere(data: dict[str, Any]) -> None:
    (truce,) = data["scenario"]["truces"]
    del truce["province"], truce["armies"]
    found = wrong(data)
    assert "scenario.truces 1.province: is missing; write `province: [NAME, ...]`" in found
    assert "scenario.truces 1.armies: is missing; write `armies: [NAME, ...]`" in found
    truce |= {"province": "Echizen", "armies": ["shibata", "ukita"]}
    assert "scenario.truces 1.armies: ukita is of the side hashiba; name armies of the enemy" in wrong(data)
    truce["armies"] = "shibata"
    assert board(data).truces[0].armies == ("shibata",)


def test_what_scores(b: Board, data: dict[str, Any]) -> None:
    assert b.victory.castles == (1, 2, 3, 5, 10, 10)
    assert b.victory.lost == {BUSHO: 1, TAISHO: 3, SOTAISHO: 5}
    assert (b.victory.leader, b.victory.lead) == ("hashiba", 30)
    data["scenario"]["victory"]["castles"] = ["1"]
    assert "scenario.victory.castles: has 1 numbers" in wrong(data)


def test_names_of_what_there_is_not_are_told_together(data: dict[str, Any]) -> None:
    scenario = data["scenario"]
    scenario["idle"][0]["armies"] = ["shibatta"]
    scenario["closed"][1]["round"] = "gifuu"
    scenario["entering"][0]["table"] = "otomo"
    scenario["victory"]["bonuses"][0]["unit"] = "sb-99"
    found = wrong(data)
    assert all(word in found for word in ("shibatta", "gifuu", "otomo", "sb-99"))


# --- the state --------------------------------------------------------------------------------------------------------


def test_the_start_holds_no_unit_on_the_map(b: Board) -> None:
    s = start(b, {})
    assert s.forces == {}
    assert sum(map(len, s.waiting.values())) == 209
    assert s.owner["osaka"] == "ikeda"
    assert set(s.durability.values()) == {10}


@pytest.mark.clause("7-2")
def test_each_hex_has_its_province(b: Board) -> None:
    assert b.province[b.castles["kitanosho"].at] == "Echizen"
    assert b.province[b.castles["kiyosu"].at] == "Owari"


@pytest.fixture
def s(field: Callable[..., State]) -> State:
    """A field with two sides, a siege and a stack."""
    return field(
        ". . . .\n . . . .",
        {
            "hb-01 hb-04 hb-06": "0101 morale -1 reduced hb-06",
            "hb-02": "0101 acted",
            "hb-03 hb-07": "0203 besieging",
            "kb-01 kb-03": "0203 shut-in morale -3",
        },
        castles={"gifu": "0203 kobe 4 7"},
        main={"kobe": "gifu"},
    )


@pytest.mark.clause("2-2-2")
def test_markers_of_castles_and_forces(s: State) -> None:
    found = dump(s)
    assert found["owner"] == {"gifu": "kobe"}
    assert found["durability"] == {"gifu": 7}
    assert found["besieging"] == ["hb-03"]
    assert found["shut_in"] == ["kb-01"]
    assert found["morale"] == {"hb-01": -1, "kb-01": -3}
    s.set_castle_morale("gifu", -2)
    assert dump(s)["castle_morale"] == {"gifu": -2}
    s.shut("kb-01")
    assert dump(s)["castle_morale"] == {}  # 10-4


def test_a_state_is_copied_dumped_and_loaded(s: State) -> None:
    other = copy(s)
    assert dump(load(s.board, dump(s))) == dump(s) == dump(other)
    loaded = load(s.board, dump(s))
    assert (loaded.leader, loaded.stands) == (s.leader, s.stands)
    other.put("hb-01", s.board.parse("0102"))
    assert dump(other) != dump(s)
    assert s.at["hb-01"] == s.board.parse("0101")


def test_units_part_and_join_and_each_is_in_one_force(s: State) -> None:
    h = s.board.parse("0101")
    s.part("hb-01", ["hb-06"])
    assert s.stands[h] == ("hb-01", "hb-02", "hb-06")
    assert s.morale["hb-06"] == -1
    assert s.leader["hb-06"] == "hb-06"
    s.join("hb-02", ["hb-06"])
    assert s.forces["hb-02"] == ("hb-02", "hb-06")
    assert s.morale["hb-02"] == -1  # the lowest, 13-2-5
    assert s.stands[h] == ("hb-01", "hb-02")
    assert "hb-06" not in s.at
    assert sorted(unit for units in s.forces.values() for unit in units) == sorted(s.leader)


@pytest.mark.clause("2-2-1(6)")
def test_a_unit_has_two_steps(s: State) -> None:
    assert not s.reduce("hb-02")
    assert "hb-02" in s.reduced
    assert s.reduce("hb-02")
    assert "hb-02" not in s.leader
    assert s.removed["hb-02"] == s.turn
    assert "hb-02" not in s.reduced


def test_units_without_their_leader_are_forces_of_their_own(s: State) -> None:
    s.remove("hb-03")
    assert s.forces["hb-03"] == ("hb-07",)
    s.regroup()
    assert s.forces["hb-07"] == ("hb-07",)
    assert "hb-07" in s.besieging
    assert "hb-03" not in s.forces
    assert "hb-03" not in s.besieging
    assert s.stands[s.board.parse("0203")] == ("hb-07", "kb-01")


def test_who_leaves_his_province_is_noted(field: Callable[..., State]) -> None:
    truce = {"side": "hashiba", "armies": ["shibata"], "province": "Echizen", "clause": "36.7-7"}
    s = field(
        ". . .",
        {"sb-01 sb-04": "0101", "hb-01": "0102"},
        provinces={"Echizen": "0101 0102"},
        scenario={"truces": [truce]},
    )
    s.put("sb-01", s.board.parse("0102"))
    s.put("hb-01", s.board.parse("0103"))
    assert s.left == set()
    s.put("sb-01", s.board.parse("0103"))
    assert s.left == {"sb-01", "sb-04"}
