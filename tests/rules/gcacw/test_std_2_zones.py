"""Combat values, zones of control and command radius (std-2.2 to std-2.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.field import Battle

from pbem.errors import BadScenario
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.harm import tire
from pbem.rules.gcacw.leaders import in_radius
from pbem.rules.gcacw.scenario import board
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import in_zone, restricted, stops, zone

Field = Callable[..., State]
Fields = Callable[..., Battle]
OPEN = ". . . . .\n" * 5

DISORGANISED = {
    1: 1, 2: 2, 3: 4, 4: 6, 5: 6, 6: 8, 7: 10, 8: 12, 9: 12, 10: 14, 11: 16, 12: 16, 13: 18, 14: 20, 15: 20, 16: 22,
    17: 24, 18: 24, 19: 26, 20: 28, 21: 28,
}  # fmt: skip
"""Manpower -> the combat value of a disorganised unit, in halves, typed a second time."""


def zone_of(s: State, side: str) -> set[str]:
    """The numbers of the hexes in a side's zones of control."""
    return {s.board.label[h] for h in zone(s, side)}


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-2.2-3", "std-2.2-4")
def test_a_disorganised_unit_has_the_value_of_the_table_and_halves_are_kept(field: Field) -> None:
    s = field(OPEN, {"king": "0101 14", "bayard": "0102 1 disorganised", "buford": "0102 1 disorganised"})
    for manpower, halves in DISORGANISED.items():
        s.manpower["king"] = manpower
        assert s.value("king") == 2 * manpower
        s.disorganise("king")
        assert s.value("king") == halves
        s.organise("king")
    assert (s.value("bayard"), s.value_in(s.board.parse("0102"), "union")) == (1, 2)  # 1/2 and 1/2 are 1


@pytest.mark.clause("std-2.2-5", "std-2.2-6")
def test_fatigue_ends_at_4_and_changes_no_value(field: Field) -> None:
    s = field(OPEN, {"king": "0101 14 F3"})
    for to, fatigue, tells in ((4, 4, 1), (5, 4, 0), (6, 4, 0)):
        assert len(list(tire(s, "king", to, "std-4.0-7"))) == tells
        assert s.fatigue["king"] == fatigue
        assert s.value("king") == 28
    assert [*tire(s, "king", 2, "std-4.0-7")] == []  # it never falls by this
    assert s.board.units["king"].artillery == 4


@pytest.mark.clause("std-2.2-7")
def test_no_kind_of_movement_enters_an_enemys_hex(battle: Fields, game: Fields) -> None:
    units = {"king": "0101 18", "mcdowell": "0101", "hood": "0201 8"}
    b = battle(OPEN, units, choice="union")
    assert b.refused("march king with mcdowell 0201") == "std-2.2-7"
    assert b.refused("activate mcdowell march king with mcdowell 0201") == "std-2.2-7"
    assert b.why_not("march king with mcdowell 0102") is None
    b = game("to-bull-run", {"va-2": "N5521"}, turn=3, choice="union")
    assert b.refused("rail taylor N5521") == "std-2.2-7"
    assert b.why_not("rail scammon N5720") is None


# --- kinds of ground --------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-2.3-1")
def test_the_loader_knows_the_kinds_of_ground_and_no_others(field_data: Callable[..., dict[str, Any]]) -> None:
    data = field_data(
        ". o w r\nh m s c",
        {"king": "0101 18"},
        roads={
            "road": "0101 0201",
            "pike": "0201 0301",
            "railroad": "0301 0401",
            "trail": "0101 0102",
            "bridge": "0102 0202",
            "ford": "0101 0102",
            "ferry": "0202 0302",
            "dam": "0302 0402",
        },
        sides={"creek": "0101/0201", "minor_river": ["0101/0102"], "major_river": ["0102/0202"], "ridge": "0301/0302"},
    )
    b = board(data)
    kinds = {"clear", "rolling", "woods", "rough", "hill", "mountain", "swamp", "city"}
    assert set(b.ground.terrain.values()) == kinds
    step = b.ground.between[b.parse("0301")][b.parse("0302")]
    back = b.ground.between[b.parse("0302")][b.parse("0301")]
    assert (step.up, step.down, back.up, back.down) == (True, False, False, True)
    data["maps"]["field"]["terrain"]["legend"]["o"] = ["moor"]
    data["maps"]["field"]["roads"]["chains"][0]["kind"] = "lane"
    data["maps"]["field"]["hexsides"]["chains"][0]["kind"] = "brook"
    with pytest.raises(BadScenario) as caught:
        board(data)
    assert "hex 0201 is moor" in str(caught.value)
    assert "'lane' is no way of these rules" in str(caught.value)
    assert "'brook' is no hexside of these rules" in str(caught.value)


# --- zones of control -------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-2.4-1")
def test_a_unit_controls_the_six_hexes_around_it(field: Field) -> None:
    s = field(OPEN, {"va-2": "0303 1"})
    assert zone_of(s, "confederate") == {"0302", "0304", "0202", "0203", "0402", "0403"}


@pytest.mark.clause("std-2.4-2")
@pytest.mark.parametrize(
    ("crossing", "controlled"), [("", False), ("bridge", True), ("ford", True), ("ferry", True), ("dam", True)]
)
@pytest.mark.parametrize("river", ["minor_river", "major_river", "creek"])
def test_no_zone_goes_over_a_river_without_a_crossing(
    field: Field, river: str, crossing: str, controlled: bool
) -> None:
    roads = {crossing: "0303 0304"} if crossing else {}
    s = field(OPEN, {"va-2": "0303 1"}, sides={river: "0303/0304"}, roads=roads)
    assert ("0304" in zone_of(s, "confederate")) == (controlled or river == "creek")


@pytest.mark.clause("std-2.4-2", "std-10.0-4")
def test_a_zone_goes_over_a_built_bridge_for_its_owner_alone(field: Field) -> None:
    for owner in ("union", "confederate"):
        s = field(OPEN, {"va-2": "0303 1"}, sides={"minor_river": "0303/0304"})
        s.build("0303/0304", owner)
        assert ("0304" in zone_of(s, "confederate")) == (owner == "confederate")


@pytest.mark.clause("std-2.4-3")
@pytest.mark.parametrize("ground", ["m", "s"])
def test_zones_pass_into_and_out_of_swamp_and_mountain_along_a_way_alone(field: Field, ground: str) -> None:
    rows = f". . .\n. . .\n. . {ground}\n. . .\n"
    for kind in ("", "road", "pike", "trail", "railroad"):
        ways = {kind: "0303 0304"} if kind else {}
        s = field(rows, {"va-2": "0303 1"}, roads=ways)
        assert zone_of(s, "confederate") == ({"0304"} if kind else set())
        s = field(rows, {"va-2": "0304 1"}, roads=ways)
        assert ("0303" in zone_of(s, "confederate")) == bool(kind)
    s = field(rows, {"va-2": "0303 1"}, roads={"ford": "0303 0304"}, sides={"creek": "0303/0304"})
    assert zone_of(s, "confederate") == set()  # a ford is no way


@pytest.mark.clause("std-2.4-4", "13.5-sp5c")
def test_leaders_and_depots_have_no_zone(field: Field) -> None:
    s = field(OPEN, {"mcdowell": "0303", "king": "0303 1"}, scenario={"depots": ["0501"]})
    assert "0303" not in zone_of(s, "union")
    assert len(zone_of(s, "union")) == 6
    s.put("king", s.board.parse("0105"))
    assert zone_of(s, "union") == {"0104", "0204", "0205"}
    assert s.depots == {"0501"}


@pytest.mark.clause("std-2.4-5", "std-2.4-12")
def test_a_zone_is_restricted_against_five_times_its_value(field: Field) -> None:
    """R210: by the option alone; else no value makes a zone less."""
    s = field(OPEN, {"buford": "0303 3", "hood": "0101 15"})
    h = s.board.parse("0303")
    for value, narrow in ((2 * 14, False), (2 * 14 + 1, False), (2 * 15, True), (2 * 16, True)):
        assert restricted(s, h, "union", value) == narrow
    s.disorganise("buford")  # worth 2
    assert restricted(s, h, "union", 2 * 10)
    assert not restricted(s, h, "union", 2 * 10 - 1)


@pytest.mark.clause("std-2.4-5", "std-2.4-6", "std-2.4-12")
def test_a_restricted_zone_stops_nobody_by_the_option_alone(battle: Fields) -> None:
    """R210: without it a regiment stops a division like any other."""
    for manpower, option, reaches in ((4, "pass", False), (5, "pass", True), (5, "stop", False), (5, None, False)):
        units = {"waagner": "0302 1", "hood": f"0105 {manpower}"}
        b = battle(
            OPEN,
            units,
            roads={"road": "0105 0204 0304 0303"},
            choice="confederate",
            options={"restricted-zones": option} if option else None,
        )
        b.do("march hood 0204 0304 0303", 6)
        assert b.at("hood") == "0303"
        b = battle(
            OPEN,
            {"waagner": "0303 1", "hood": f"0105 {manpower}"},
            roads={"road": "0105 0204 0203 0202 0201"},
            choice="confederate",
            options={"restricted-zones": option} if option else None,
        )
        b.do("march hood 0204 0203 0202 0201", 6)
        # 0203 and 0202 are in the zone of 0303: from zone to zone once, and no third step
        assert b.at("hood") == ("0201" if reaches else "0202")


@pytest.mark.clause("std-2.4-12")
def test_friends_in_the_hex_entered_count_with_the_marcher(field: Field) -> None:
    units = {"ny-6": "0303 1", "hood": "0105 3", "evans": "0203 2", "king": "0505 1"}
    assert stops(field(OPEN, units), "hood", field(OPEN, units).board.parse("0203")), "without the option"
    s = field(OPEN, units, options={"restricted-zones": "pass"})
    assert stops(s, "hood", s.board.parse("0202"))  # 3 alone
    assert not stops(s, "hood", s.board.parse("0203"))  # 3 and 2
    assert stops(s, "evans", s.at["evans"])
    s.put("hood", s.at["evans"])
    assert not stops(s, "evans", s.at["evans"])  # where a march starts all who are there count


@pytest.mark.clause("std-2.4-12")
def test_a_regiment_stops_a_brigade_and_no_division_but_counts_in_full_for_all_else(field: Field) -> None:
    units = {"ny-6": "0303 1", "evans": "0105 4", "ap-hill": "0104 18", "jackson": "0104"}
    s = field(OPEN, units)
    assert stops(s, "ap-hill", s.board.parse("0203")), "by default it stops divisions, too (R210)"
    s = field(OPEN, units, options={"restricted-zones": "pass"})
    h = s.board.parse("0203")
    assert stops(s, "evans", h)
    assert not stops(s, "ap-hill", h)
    assert in_zone(s, "confederate", h)  # for retreats, radius, transfers, by rail


@pytest.mark.clause("std-2.4-6")
def test_who_enters_a_zone_stops_and_who_starts_in_one_may_leave_it(battle: Fields) -> None:
    road = {"road": "0105 0104 0103 0102 0101"}
    b = battle(OPEN, {"king": "0203 18", "hood": "0105 8"}, roads=road, choice="confederate")
    assert zone_of(b.state, "union") == {"0103", "0104", "0202", "0204", "0303", "0304"}
    b.do("march hood 0104 0103 0102 0101", 6)
    assert b.at("hood") == "0103"
    assert b.facts("march")["short"] == "a zone of control stops it"
    b = battle(OPEN, {"king": "0203 18", "hood": "0104 8"}, roads=road, choice="confederate")
    b.do("march hood 0105 0104", 6)  # it leaves the zone in which it started, and goes on
    assert b.at("hood") == "0104"
    b = battle(OPEN, {"king": "0203 18", "hood": "0104 8"}, roads=road, choice="confederate")
    b.do("march hood 0105 0104 0103 0102", 6)  # free, into a zone, once from zone to zone, and no further
    assert b.at("hood") == "0103"


@pytest.mark.clause("std-2.4-7")
def test_one_step_leads_from_zone_to_zone_in_a_march(battle: Fields) -> None:
    road = {"road": "0104 0103 0102 0101"}
    units = {"king": "0203 18", "ricketts": "0202 18", "hood": "0104 8"}
    b = battle(OPEN, units, roads=road, choice="confederate")
    b.do("march hood 0103 0102", 6)
    assert b.at("hood") == "0103"
    assert b.facts("march")["short"] == "it may go from zone of control to zone of control only once in a march"


@pytest.mark.clause("std-2.4-6", "std-2.4-7", "std-2.4-8")
def test_example_25_of_a_march_past_an_enemy(battle: Fields) -> None:
    """Six points on a road of free, free, zone, zone, free: the fourth hex is reached, and the fifth isn't."""
    rows = ". . . . . . .\n" * 4
    b = battle(
        rows,
        {"king": "0403 18", "hood": "0103 8"},
        roads={"road": "0103 0202 0302 0402 0502 0602"},
        choice="confederate",
    )
    assert zone_of(b.state, "union") == {"0402", "0404", "0303", "0304", "0503", "0504"}
    way = "0103 0104 0203 0303 0402 0502"  # free, free, zone, zone, free
    b = battle(rows, {"king": "0403 18", "hood": "0102 8"}, roads={"road": f"0102 {way}"}, choice="confederate")
    found = b.do("march hood 0103 0104 0203 0303 0402 0502", 5)
    assert b.at("hood") == "0402"
    assert "hood" not in b.state.disorganised
    assert (b.facts("march")["short"], b.facts("march")["left"]) == ("a zone of control stops it", 2)
    assert [tell.what for tell in found if tell.what == "disorganised"] == []


@pytest.mark.clause("std-2.4-8", "std-2.4-9", "std-5.1-10")
def test_from_zone_to_zone_off_the_road_disorganises_or_costs_manpower(battle: Fields) -> None:
    start = {"king": "0203 18", "hood": "0104 5"}
    for link, mark, after in (
        ("", "", (5, True)),
        ("trail", "", (5, True)),
        ("road", "", (5, False)),
        ("pike", "", (5, False)),
        ("railroad", "", (5, False)),
        ("", " disorganised", (4, True)),
        ("road", " disorganised", (5, True)),
    ):
        units = {**start, "hood": f"0104 5{mark}"}
        b = battle(OPEN, units, roads={link: "0104 0103"} if link else {}, choice="confederate")
        b.do("march hood 0103 0102", 6)
        assert (b.state.manpower["hood"], "hood" in b.state.disorganised) == after
        assert b.at("hood") == "0103"
        assert b.state.lost == {"union": 0, "confederate": 0}  # it scores nothing
        short = b.facts("march")["short"]
        assert short == (
            "a zone of control stops it"
            if link in ("road", "pike", "railroad")
            else "it went from zone to zone off the road"
        )


@pytest.mark.clause("std-2.4-9", "std-5.1-15")
def test_the_last_man_is_lost_in_a_step_from_zone_to_zone(battle: Fields) -> None:
    units = {"king": "0203 18", "hood": "0104 1 disorganised", "longstreet": "0104", "kemper": "0505 9"}
    b = battle(OPEN, units, choice="confederate")
    b.do("march hood with longstreet 0103", 6)
    assert b.at("hood") is None
    assert b.at("longstreet") == "0505"  # std-6.3-2
    assert b.state.lost == {"union": 0, "confederate": 0}


@pytest.mark.clause("std-5.1-15", "std-2.4-9")
@pytest.mark.parametrize(("manpower", "whats"), [
    (1, ["tired", "allowance", "march", "loss", "remove", "relocated"]),
    (2, ["tired", "allowance", "loss", "march"]),
])  # fmt: skip
def test_the_way_is_told_on_which_the_last_man_is_lost(battle: Fields, manpower: int, whats: list[str]) -> None:
    """Nothing was told of the march of who died on it."""
    units = {"king": "0203 18", "hood": f"0105 {manpower} disorganised", "longstreet": "0105", "kemper": "0505 9"}
    b = battle(OPEN, units, choice="confederate")
    b.do("march hood with longstreet 0104 0103 0102", 6)
    assert [tell.what for tell in b.told if tell.what in {*whats}] == whats
    (march,) = [tell.facts for tell in b.told if tell.what == "march"]
    assert (march["from"], march["path"], march.get("lost")) == ("0105", ["0104", "0103"], manpower == 1 or None)
    assert march["short"] == ("" if manpower == 1 else "it went from zone to zone off the road")


@pytest.mark.clause("std-2.4-10")
def test_a_friend_in_the_hex_cancels_no_zone_for_marchers(battle: Fields) -> None:
    units = {"king": "0203 18", "kemper": "0104 10", "hood": "0105 8"}
    b = battle(OPEN, units, roads={"road": "0105 0104 0103 0102"}, choice="confederate")
    b.do("march hood 0104 0103 0102", 6)
    assert b.at("hood") == "0103"  # one step from zone to zone, and then it's over
    s = b.state
    h = s.board.parse("0104")
    assert in_zone(s, "confederate", h)
    assert not in_zone(s, "confederate", h, friends=True)  # but for retreats, radius and transfers


@pytest.mark.clause("std-2.4-11", "std-7.7-5")
def test_when_cavalry_goes_back_the_marcher_may_go_on(battle: Fields) -> None:
    rows = ". . . . . .\n" * 6
    road = {"road": "0106 0105 0104 0103 0102 0101"}
    units = {"ny-6": "0203 1", "evans": "0106 4"}
    b = battle(rows, units, roads=road, choice="confederate")
    b.do("march evans 0105 0104 0103 0102", 6)
    assert b.at("evans") == "0104"
    assert b.request.kind == "evade"
    b.do("evade yes", 1)
    assert b.request.kind == "retreat"
    b.do("retreat 0303 0402")
    assert b.at("evans") == "0102"
    units["buford"] = "0202 3"  # it stays, and its zone with it
    b = battle(rows, units | {"evans": "0105 4"}, roads=road, choice="confederate")
    b.do("march evans 0104 0103 0102 0101", 6)
    b.do("evade yes", 1)
    b.do("retreat 0303 0402")
    b.do("evade no")
    assert b.at("evans") == "0102"  # from zone to zone once: Buford's


# --- command radius ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-2.5-1", "std-2.5-3")
def test_the_radius_is_3_hexes_of_any_ground(field: Field) -> None:
    s = field(
        "m . . . .\ns . . . .\nm . . . .\nr . . . .\n. . . . .",
        {"mcdowell": "0101", "ricketts": "0101 1", "king": "0104 9"},
    )
    assert in_radius(s, "mcdowell", "king")
    s.put("king", s.board.parse("0105"))
    assert not in_radius(s, "mcdowell", "king")
    assert in_radius(s, "mcdowell", "king", s.board.parse("0103"))


@pytest.mark.clause("std-2.5-2", "std-2.4-12")
def test_the_way_of_an_order_keeps_off_the_enemy_and_his_zones_without_friends(field: Field) -> None:
    rows = "- . -\n- . -\n- . .\n- . ."
    units = {"mcdowell": "0201", "ricketts": "0201 1", "king": "0204 9", "va-2": "0304 1"}
    s = field(rows, units)
    assert not in_radius(s, "mcdowell", "king")  # 0203 is in a zone; that it is restricted doesn't matter
    s = field(rows, units | {"schurz": "0203 2"})
    assert in_radius(s, "mcdowell", "king")
    s = field(rows, units | {"va-2": "0203 1"})
    assert not in_radius(s, "mcdowell", "king")  # the enemy himself


@pytest.mark.clause("std-2.5-3")
def test_the_radius_goes_over_no_river_without_a_crossing(field: Field) -> None:
    units = {"mcdowell": "0101", "ricketts": "0101 1", "king": "0102 9"}
    rows = ". -\n. -"
    assert in_radius(field(rows, units), "mcdowell", "king")
    river = {"minor_river": "0101/0102"}
    assert not in_radius(field(rows, units, sides=river), "mcdowell", "king")
    assert in_radius(field(rows, units, sides=river, roads={"ford": "0101 0102"}), "mcdowell", "king")
    around = field(". .\n. .", units, sides=river)
    assert in_radius(around, "mcdowell", "king")  # round by 0201


@pytest.mark.clause("2.0-1", "std-2.4-2", "std-2.5-1")
@pytest.mark.parametrize("name", ["cedar-mountain", "lee-vs-pope", "stuarts-raid", "jacksons-march", "to-bull-run"])
def test_zones_and_radius_are_in_force_in_every_scenario(
    board_of: Callable[[str], Board], campaign: Callable[..., State], name: str
) -> None:
    b, s = board_of(name), campaign(name)
    for side in b.side:
        units = s.own(side)
        assert zone(s, side)
        for h, by in zone(s, side).items():
            assert all(b.ground.between[a][h].open and s.units_in(a, side) for a in by)
        assert units
    leader = next(unit for unit in b.units.values() if unit.size == "corps" and unit.id in s.at)
    near = [u for u in s.own(leader.side) if leader.commands(b.units[u]) and s.at[u] == s.at[leader.id]]
    assert all(in_radius(s, leader.id, unit) for unit in near)
