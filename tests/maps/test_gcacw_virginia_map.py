"""The map of Northern Virginia: sheets, counties, set-up hexes, rivers that only crossings lead over, ways unbroken."""

from __future__ import annotations

import copy
from collections.abc import Collection
from itertools import pairwise
from typing import Any

import pytest

from pbem import strictyaml
from pbem.errors import MalformedOrder
from pbem.maps.check import doubts
from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map
from pbem.picture.check import doubts as seen_badly
from pbem.picture.overview import overview
from pbem.picture.views import Scene
from pbem.resources import data_folder

RIVERS = frozenset({"minor_river", "major_river"})
CROSSINGS = frozenset({"bridge", "ford", "ferry"})
WAYS = frozenset({"road", "pike", "railroad"})
FILE = data_folder("scenarios") / "gcacw" / "maps" / "virginia.yaml"

COUNTIES = {
    "Caroline", "Clarke", "Culpeper", "Fairfax", "Fauquier", "Frederick", "King George", "Loudoun", "Madison",
    "Montgomery", "Orange", "Prince William", "Rappahannock", "Spotsylvania", "Stafford", "Warren",
}  # fmt: skip
LIE = {
    "Culpeper": "S0614 S0815 S1128 S1210 S1418 S1419 S1319 S1710 S1808 S1824 S1916 S1920 S2219",
    "Madison": "S0124 S0628",
    "Orange": "S0233 S0333 S0832 S1429 S1430",
    "Rappahannock": "S0108 S0206 S0410 S1010",
    "Fauquier": "N1510 N1615 S1905 N2018 S2004 S2007 S2109 S2111 S2403 S2414 N2518 S2612 N2720 S2907 S3108 S3307 S3410",
    "Prince William": "N3022 N3220 S3201 N3421 N3719 N3720 S3703 N3820 N3920 S4004 S4101 N4322",
    "Fairfax": "N4312 N4318 N4422 N4721 N4917 N5017 N5020 N5214 N5220 N5517 N5618 N5620 N5715 N5810 N5811 N5814 N5816 "
    "N5818 N5819 S5802",
    "Stafford": "S4426 S5021", "Spotsylvania": "S3734 S4233 S4328", "Loudoun": "N3502", "Clarke": "N1006",
    "Warren": "N0214", "Frederick": "N0301", "Montgomery": "N5809",
}  # fmt: skip
"""The counties of towns, stations and depots, by what the rulebook tells of them or by their history."""

SET_UPS = {
    # the hexes of the five basic scenarios, on one sheet each, then those of the two advanced ones on both
    ("S", 1): "S0107 S0108 S0124 S0206 S0310 S0333 S0614 S0628 S0632 S0733 S0815 S0825 S0832 S0833 S1128 S1415 S1418 "
    "S1624",
    ("S", 2): "S0124 S0422 S0623 S0725 S0832 S0925 S1125 S1128 S1130 S1417 S1418 S1429 S1430 S1524 S1529 S1625 S1727 "
    "S1728 S1729 S1824 S1825 S1828 S1829 S1923 S2403 S2414 S2612 S2820 S3108 S3307 S3703 S4101 S4328 S4426 S5021",
    ("S", 3): "S1913 S2007 S2109 S2111 S2414 S1905",
    ("N", 4): "N1628 N1731 N1928 N2030 N2228 N2232 N2319 N2334 N2418 N2426 N2518 N2719 N2930 N3032 N3131 N3231 N4422 "
    "N5020 N5220 N3720 N3421 N3220 N3726 N4318 N3330",
    ("N", 5): "N0433 N0833 N1033 N1233 N1529 N1630 N1633 N1731 N1733 N1828 N1829 N1831 N1928 N1931 N2024 N2027 N2030 "
    "N2228 N2229 N2232 N2334 N2426 N2734 N2930 N2934 N3131 N3433 N3534 N3633 N4124 N5517 N5618 N5620 N5715 N5816 N5819 "
    "N5825",
    ("", 6): "N0214 N0301 N3502 N5017 N5715 N5809 N5810 N5811 N5819 S0134 S0233 S0334 S0832 S0833 S1130 S1319 S1418 "
    "S1419 S1429 S1430 S1529 S1625 S1727 S1728 S1729 S1824 S1825 S1828 S1829 S1916 S1920 S2007 S2219 S2403 S2820 S3033 "
    "S3108 S3534 S3734 S3934 S4101 S4233 S4328 S4426 S5021 S5802",
    ("", 7): "N5816 N5818 N5819 N5814 S0134 S0233 S0334 S0833 S3033 S3534 S3734 S3934 S4233 S5021",
}  # fmt: skip
STATIONS = (
    "S0832 S1128 S1418 S1916 S2414 S2612 S3108 S3307 S3703 S4101 N4422 N4721 N5020 N5220 N5620 N5819 S2907 S2403 N1615 "
    "N2018 N2518 N3421 N3220 N0214 N3502 N5214 S4426 S4328 S5021"
)
MOUTHS = {
    "Rapidan": "Rappahannock", "Robertson": "Rapidan", "Hazel": "Rappahannock", "Bull Run": "Occoquan",
    "Occoquan": "Potomac", "Broad Run": "Cedar Run", "Kettle Run": "Broad Run", "Cub Run": "Bull Run",
    "Mountain Run": "Rappahannock", "Goose Creek": "Potomac", "Aquia Creek": "Potomac", "Difficult Run": "Potomac",
}  # fmt: skip


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    data = strictyaml.load(FILE.read_bytes(), FILE.name)
    assert isinstance(data, dict)
    return data


@pytest.fixture(scope="module")
def sheets(data: dict[str, Any]) -> dict[str, Map]:
    return {sheet: Map.from_data(data, barred=RIVERS, sheet=sheet) for sheet in ("", "N", "S")}


@pytest.fixture(scope="module")
def virginia(sheets: dict[str, Map]) -> Map:
    return sheets[""]


def test_the_map_and_each_of_its_sheets_raise_no_doubt(sheets: dict[str, Map]) -> None:
    assert {sheet: [*doubts(board), *seen_badly(board)] for sheet, board in sheets.items()} == {
        "": [],
        "N": [],
        "S": [],
    }
    assert {sheet: len(board.hexes) + len(board.water) for sheet, board in sheets.items()} == {
        "": 29 * 57 + 29 * 56, "N": 29 * 34 + 29 * 33, "S": 29 * 34 + 29 * 33,
    }  # fmt: skip


# --- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("south", "north", "name"),
    [
        ("S4101", "N4124", "Manassas Junction"),
        ("S2403", "N2426", "Warrenton"),
        ("S3108", "N3131", "Warrenton Junction"),
        ("S2007", "N2030", "White Sulphur Springs"),
        ("S5802", "N5825", "Accotink"),
        ("S1905", "N1928", "Waterloo"),
    ],
)
def test_a_hex_of_both_sheets_has_two_names_and_is_called_by_that_of_the_south(
    sheets: dict[str, Map], south: str, north: str, name: str
) -> None:
    """13.0-5, 22.0-2; on one sheet alone it is called by that sheet's."""
    for sheet, called in (("", south), ("S", south), ("N", north)):
        board = sheets[sheet]
        assert board.parse(south) == board.parse(north)
        assert board.describe(board.parse(north)) == f"{called} {name}"


def test_a_move_to_the_other_sheet_is_refused_in_a_basic_scenario(sheets: dict[str, Map]) -> None:
    """13.0-4."""
    assert sheets[""].label(sheets[""].parse("N3502")) == "N3502"
    with pytest.raises(MalformedOrder, match="hex N3502 is only on sheet N, and this game is played on sheet S alone"):
        sheets["S"].parse("N3502")
    with pytest.raises(MalformedOrder, match="hex S1418 is only on sheet S, and this game is played on sheet N alone"):
        sheets["N"].parse("S1418")


def test_the_halved_hexes_of_the_south_sheet_are_whole_ones(sheets: dict[str, Map]) -> None:
    """22.0-3."""
    for column in range(1, 59, 2):
        assert sheets["S"].find(f"S{column:02}01")
        assert sheets["S"].find(f"S{column:02}34")
        assert sheets[""].numbering.cell(f"S{column + 1:02}34") is None
    assert sheets["S"].parse("0101") == sheets["S"].parse("S0101")


def test_places_that_the_rulebook_names_have_its_hexes(virginia: Map) -> None:
    named = {
        "Sperryville": "S0108", "Culpeper": "S1418", "Warrenton": "S2403", "Fredericksburg": "S4328",
        "Falmouth": "S4426", "Leesburg": "N3502", "Front Royal": "N0214", "Winchester Toll House": "N0301",
        "Fairfax Court House": "N5017", "Falls Church": "N5715", "Ft. Ripley": "N5809", "Ft. Marcy": "N5810",
        "Upton's Hill": "N5814", "6-Mile Post": "N5819", "Bull Run Bridge": "N4422", "Aquia Creek Station": "S5021",
        "Fox Mill": "S2111", "Foxville": "S2109", "Woodville": "S0410", "Homeland PO": "S1210",
    }  # fmt: skip
    assert {name: virginia.label(virginia.places[name]) for name in named} == named
    assert {virginia.label(h) for h, sign in virginia.signs.items() if sign == "station"} == {*STATIONS.split()}


def test_stuart_starts_one_hex_outside_of_what_is_closed_to_him(virginia: Map) -> None:
    """13.3-sp5."""
    stuart = virginia.parse("S1913")
    assert virginia.distance(stuart, virginia.parse("S2414")) == 5
    assert min(virginia.distance(stuart, virginia.parse(h)) for h in ("S2111", "S2109")) > 1


@pytest.mark.parametrize(("sheet", "scenario"), SET_UPS)
def test_every_hex_of_a_scenario_lies_on_its_sheet(sheets: dict[str, Map], sheet: str, scenario: int) -> None:
    board = sheets[sheet]
    numbers = SET_UPS[sheet, scenario].split()
    assert [board.label(board.parse(number)) for number in numbers] == numbers


# --- counties and ground ---------------------------------------------------------------------------------------------


def test_every_hex_in_play_is_of_one_of_sixteen_counties(virginia: Map) -> None:
    assert {*virginia.regions} == COUNTIES
    assert sorted(h for hexes in virginia.regions.values() for h in hexes) == sorted(virginia.hexes)
    assert virginia.region_called == "county"


def test_towns_stations_and_depots_lie_in_their_counties(virginia: Map) -> None:
    expected = {number: name for name, numbers in LIE.items() for number in numbers.split()}
    assert {number: virginia.region[virginia.parse(number)] for number in expected} == expected


def test_each_county_has_its_ground_but_for_ridges_hills_woods_and_towns(virginia: Map) -> None:
    """rc-terrain."""
    clear, rough, woods = {"Culpeper", "Clarke", "Frederick"}, {"Rappahannock", "Warren"}, {"Fairfax", "Stafford"}
    usual = {**dict.fromkeys(COUNTIES, "rolling"), **dict.fromkeys(clear, "clear"), **dict.fromkeys(rough, "rough")}
    usual |= dict.fromkeys(woods | {"Spotsylvania"}, "woods")
    others = [h for h in virginia.hexes if usual[virginia.region[h]] not in virginia.terrain[h]]
    grounds = {ground for h in others for ground in virginia.terrain[h] - WAYS - CROSSINGS}
    assert grounds == {"mountain", "hill", "rough", "woods", "city"}
    assert len(others) < len(virginia.hexes) / 10
    cities = {virginia.label(h) for h in virginia.hexes if "city" in virginia.terrain[h]}
    assert cities == {"N0214", "N0301", "N3502", "N5017", "S0832", "S1418", "S2403", "S4328"}


def test_the_defence_area_of_the_capital_has_both_forts_and_lies_on_the_potomac(virginia: Map) -> None:
    """20.1-6."""
    area = {virginia.label(h) for h in virginia.areas["dc-defence"]}
    assert {"N5809", "N5810"} <= area
    assert {h for h in area if virginia.region[virginia.parse(h)] == "Fairfax"} == {"N5810"}
    assert "N5811" not in area


# --- ways ------------------------------------------------------------------------------------------------------------


def test_ways_are_unbroken_and_no_step_is_written_twice(virginia: Map) -> None:
    steps = [(frozenset(step), road.kind) for road in virginia.roads for step in pairwise(road.hexes)]
    assert all(b in virginia.neighbours[a] for (a, b) in (tuple(step) for step, _ in steps))
    assert len(steps) == len({*steps})
    assert {road.kind for road in virginia.roads} == WAYS | CROSSINGS
    on_pike = {step for step, kind in steps if kind == "pike"}
    assert not [step for step, kind in steps if kind == "road" and step in on_pike]


def railroad(board: Map, start: str) -> dict[str, int]:
    """Every hex that rails lead to from a start, with how many hexes away it is."""
    found, todo = {board.parse(start): 0}, [board.parse(start)]
    for h in todo:
        for link in board.links[h]:
            if "railroad" in link.ways and link.to not in found:
                found[link.to] = found[h] + 1
                todo.append(link.to)
    return {board.label(h): far for h, far in found.items()}


def test_every_station_lies_on_rails_and_those_of_the_army_on_one_line(virginia: Map) -> None:
    assert all("railroad" in virginia.terrain[virginia.parse(number)] for number in STATIONS.split())
    apart = {"S4426", "S4328", "S5021", "N3502", "N5214"}
    reached = railroad(virginia, "N5819")
    assert {*STATIONS.split()} - reached.keys() == apart
    assert reached["S4101"] <= 35 < reached["S2414"]  # as far as the special rail move of 13.5-sp3e1 goes
    assert {"N3502", "N5214", "N5814"} <= railroad(virginia, "N5814").keys()
    assert {"S4426", "S4427"} <= railroad(virginia, "S5021").keys()
    assert "S4328" not in railroad(virginia, "S5021")  # the bridge was burnt


def test_who_comes_later_comes_by_a_road(virginia: Map) -> None:
    later = "S0134 S0233 S0334 S0833 S3033 S3534 S3734 S3934 S4233 S5021 N5819 N5816 N5818"
    for number in later.split():
        assert any(link.ways & WAYS for link in virginia.links[virginia.parse(number)]), number


# --- rivers ----------------------------------------------------------------------------------------------------------


def _corners(a: Hex, b: Hex) -> set[frozenset[Hex]]:
    """Both ends of a hexside."""
    return {frozenset((a, b, n)) for n in neighbours(a) if n in neighbours(b)}


def _ends(sides: tuple[tuple[Hex, Hex], ...]) -> tuple[frozenset[Hex], frozenset[Hex]]:
    """Where a river begins and where it ends."""
    (start,) = _corners(*sides[0]) - _corners(*sides[1])
    (end,) = _corners(*sides[-1]) - _corners(*sides[-2])
    return start, end


def test_each_hexside_of_a_river_goes_on_from_the_one_before(virginia: Map) -> None:
    for course in virginia.hexsides:
        met = [_corners(*one) & _corners(*other) for one, other in pairwise(course.sides)]
        assert all(len(corner) == 1 for corner in met), course.name
        assert all(one != other for one, other in pairwise(met)), course.name
    assert {course.kind for course in virginia.hexsides} == RIVERS | {"creek"}


def test_rivers_flow_down_to_another_the_potomac_or_the_edge(virginia: Map) -> None:
    """The first corner lies at the source, the last at the mouth."""
    courses: dict[str, list[tuple[tuple[Hex, Hex], ...]]] = {}
    for course in virginia.hexsides:
        courses.setdefault(course.name, []).append(course.sides)
    touched = {
        name: {corner for sides in parts for side in sides for corner in _corners(*side)}
        for name, parts in courses.items()
    }
    flows = [(name, 0, mouth) for name, mouth in MOUTHS.items()]
    for name, part, mouth in (*flows, ("Cedar Run", 0, "Occoquan"), ("Cedar Run", 1, "Rapidan")):
        start, end = _ends(courses[name][part])
        assert end in touched[mouth], name
        assert start not in touched[mouth], name
    assert {*courses} == {*MOUTHS, "Cedar Run", "Rappahannock", "Shenandoah", "Potomac"}
    for one, other in pairwise(courses["Rappahannock"]):
        assert _ends(one)[1] == _ends(other)[0]
    for name, most in (("Rappahannock", "S5833"), ("Shenandoah", "N1901")):
        end = _ends(courses[name][-1])[1]
        assert virginia.parse(most) in end
        assert not end <= {*virginia.hexes}  # at the edge


def test_every_crossing_leads_over_a_river_and_carries_a_way(virginia: Map) -> None:
    crossings = [road for road in virginia.roads if road.kind in CROSSINGS]
    assert len({road.name for road in crossings}) == len(crossings) == 43
    for road in crossings:
        assert len(road.hexes) == 2
        assert virginia.side(*road.hexes) & RIVERS, road.name
        assert virginia.ways(*road.hexes) & WAYS, road.name
        assert len(virginia.ways(*road.hexes) & CROSSINGS) == 1, road.name


def test_every_way_over_a_river_has_a_crossing(virginia: Map) -> None:
    for (a, b), kinds in virginia.crossings():
        if kinds & RIVERS and virginia.ways(a, b):
            assert virginia.ways(a, b) & CROSSINGS, (virginia.label(a), virginia.label(b))


@pytest.mark.parametrize(
    ("name", "kind", "a", "b"),
    [
        ("Chatham Bridge", "bridge", "S4328", "S4427"),
        ("Kelly's Ford", "ford", "S2518", "S2617"),
        ("Germanna Ford", "ford", "S2623", "S2624"),
        ("Stone Bridge", "bridge", "N3819", "N3919"),
        ("Sudley Ford", "ford", "N3718", "N3719"),
        ("Rappahannock railroad bridge", "bridge", "S2315", "S2414"),
        ("Chain Bridge", "bridge", "N5809", "N5810"),
    ],
)
def test_crossings_of_the_campaign_lie_where_they_are_known(
    virginia: Map, name: str, kind: str, a: str, b: str
) -> None:
    (road,) = [road for road in virginia.roads if road.name == name]
    assert (road.kind, {*road.hexes}) == (kind, {virginia.parse(a), virginia.parse(b)})


def test_the_rappahannock_is_a_major_river_from_chatham_down(virginia: Map) -> None:
    assert virginia.side(virginia.parse("S4328"), virginia.parse("S4427")) == {"major_river"}
    assert virginia.side(virginia.parse("S4327"), virginia.parse("S4426")) == {"minor_river"}


def reached(board: Map, start: str, shut: Collection[str] = (), *, mountains: bool = True) -> set[str]:
    """The hexes that are reached from a start over rivers at crossings alone; none whose name is shut."""
    closed = {frozenset(road.hexes) for road in board.roads if road.kind in CROSSINGS and road.name in shut}
    found, todo = {board.parse(start)}, [board.parse(start)]
    while todo:
        h = todo.pop()
        for link in board.links[h]:
            barred = link.side & RIVERS and (not link.ways & CROSSINGS or frozenset((h, link.to)) in closed)
            if not barred and link.to not in found and (mountains or "mountain" not in board.terrain[link.to]):
                found.add(link.to)
                todo.append(link.to)
    return {board.label(h) for h in found}


def test_everything_is_reached_by_crossings(virginia: Map) -> None:
    assert reached(virginia, "S2403") == {*virginia.labels.values()}


def test_north_and_south_of_the_rappahannock_meet_at_its_crossings_alone(sheets: dict[str, Map]) -> None:
    """On the south sheet; on both one goes round its source over the Blue Ridge, too."""
    board = sheets["S"]
    over = {
        road.name
        for road in board.roads
        if road.kind in CROSSINGS
        and any(
            course.name == "Rappahannock" and set(road.hexes) in map(set, course.sides) for course in board.hexsides
        )
    }
    assert len(over) == 13
    north = reached(board, "S2403", over)
    assert {"S1905", "S2414", "S4426", "S5021", "S4101"} <= north
    assert not {"S1418", "S1306", "S4328", "S1529", "S0108", "S0832"} & north
    for name in over:
        assert "S1418" in reached(board, "S2403", over - {name}), name
    whole = sheets[""]
    every = {road.name for road in whole.roads if road.kind in CROSSINGS}
    assert "S1418" in reached(whole, "S2403", over | {"Crest Hill ford"})
    assert "S0801" not in reached(whole, "S2403", every, mountains=False)


def test_no_crossing_at_all_leaves_each_bank_to_itself(sheets: dict[str, Map]) -> None:
    board = sheets["S"]
    every = {road.name for road in board.roads if road.kind in CROSSINGS}
    pieces = [reached(board, start, every) for start in ("S2403", "S1418", "S1306", "S1529", "S0124", "S5802")]
    assert sum(map(len, pieces)) == len(set().union(*pieces))


def test_maryland_is_reached_by_chain_bridge_alone(virginia: Map) -> None:
    assert "N5001" in reached(virginia, "S2403")
    alone = reached(virginia, "N5001", {"Chain Bridge"})
    assert {virginia.region[virginia.parse(number)] for number in alone} == {"Montgomery"}


def test_a_river_without_its_bridge_cannot_be_crossed_there(data: dict[str, Any]) -> None:
    data = copy.deepcopy(data)
    data["roads"]["chains"] = [chain for chain in data["roads"]["chains"] if chain["name"] != "Chain Bridge"]
    board = Map.from_data(data, barred=RIVERS)
    assert "N5001" not in reached(board, "S2403")


# --- at a glance -----------------------------------------------------------------------------------------------------


def test_at_a_glance_it_has_its_counties_and_stations_by_name(virginia: Map) -> None:
    drawn = overview(Scene(board=virginia), virginia.title).replace("&#x27;", "'")
    named = {*virginia.regions, *(virginia.place_names[h] for h in virginia.signs)}
    assert not {name for name in named if f">{name}</text>" not in drawn}
