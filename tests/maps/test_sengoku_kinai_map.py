"""The map of Kinai: castles, provinces and rivers where they belong, every castle reached, bridges over rivers."""

from __future__ import annotations

import copy
import heapq
from itertools import pairwise
from typing import Any

import pytest

from pbem import strictyaml
from pbem.errors import BadScenario
from pbem.maps.check import doubts
from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map
from pbem.picture.check import doubts as seen_badly
from pbem.picture.overview import overview
from pbem.picture.views import Scene
from pbem.resources import data_folder

BARRED = {"lake", "sea"}
DATA = data_folder("scenarios") / "sengoku"
LINE = {"plain": 1, "rough": 1, "mountain": 3}
"""What a line of communication costs by table-terrain, a river 1 more."""
MARCH = {"plain": 1, "rough": 2, "mountain": 4, "swamp": 4}
"""Tactical movement, a river 1 more but for its bridges."""


def _file(name: str) -> dict[str, Any]:
    data = strictyaml.load((DATA / name).read_bytes(), name)
    assert isinstance(data, dict)
    return data


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return _file("maps/kinai.yaml")


@pytest.fixture(scope="module")
def kinai(data: dict[str, Any]) -> Map:
    return Map.from_data(data, barred=BARRED)


@pytest.fixture(scope="module")
def castles() -> dict[str, str]:
    """The castles of the scenario: their names and hexes."""
    return {castle["name"]: castle["at"] for castle in _file("shizugatake.yaml")["castles"]}


def turned(data: dict[str, Any], block: str, number: str, letter: str) -> Map:
    """The map with another letter in one hex of its terrain or regions."""
    data = copy.deepcopy(data)
    lines = data[block]["rows"].splitlines()
    column, row = int(number[:2]), number[2:]
    for i, line in enumerate(lines):
        if line.split()[0] == row:
            words = line.split()
            lines[i] = f"{row}  {' '.join([*words[1:column], letter, *words[column + 1 :]])}"
    data[block]["rows"] = "\n".join(lines)
    return Map.from_data(data, barred=BARRED)


def far(board: Map, start: str, points: dict[str, int], *, most: int = 999, bridges: bool = True) -> dict[str, int]:
    """Every hex that is reached from a start for so many points, with those that it takes."""
    found: dict[Hex, int] = {}
    todo = [(0, board.parse(start))]
    while todo:
        spent, h = heapq.heappop(todo)
        if h in found or spent > most:
            continue
        found[h] = spent
        for link in board.links[h]:
            (ground,) = board.terrain[link.to] & {"plain", "rough", "mountain", "swamp", "impassable_mountain"}
            if ground in points and not link.side & BARRED:
                river = "river" in link.side and not (bridges and "bridge" in link.ways)
                heapq.heappush(todo, (spent + points[ground] + river, link.to))
    return {board.label(h): cost for h, cost in found.items()}


def test_the_map_raises_no_doubt(kinai: Map) -> None:
    assert [*doubts(kinai), *seen_badly(kinai)] == []
    assert kinai.labels[kinai.parse("0111")] == "0111"
    assert len(kinai.hexes) + len(kinai.water) == 60 * 34


def test_at_a_glance_it_has_each_castle_province_and_lake_by_name(kinai: Map, castles: dict[str, str]) -> None:
    drawn = overview(Scene(board=kinai), kinai.title)
    assert not {name for name in (*castles, *kinai.regions, "Lake Biwa") if f">{name}</text>" not in drawn}


def test_every_castle_of_the_scenario_is_a_place_of_that_name_with_a_castle(
    kinai: Map, castles: dict[str, str]
) -> None:
    assert {kinai.label(h) for h, sign in kinai.signs.items() if sign == "castle"} == {*castles.values()}
    assert {name: kinai.label(kinai.places[name]) for name in castles} == castles


def test_castles_lie_in_their_provinces(kinai: Map) -> None:
    lie = {
        "Hoki": "0312 0113", "Bitchu": "0126", "Mimasaka": "0419", "Bizen": "0326", "Harima": "1623 1020 2224",
        "Inaba": "0911 0611 1114", "Tajima": "2011", "Tango": "2511", "Wakasa": "3512", "Tamba": "3220",
        "Settsu": "3126 3223 3224 2926", "Izumi": "2830", "Yamato": "3527", "Yamashiro": "3422 3520",
        "Omi": "3719 4015 4217 4413 4415 4416 4420", "Echizen": "4301 4203 4802 4008", "Owari": "5416 5613",
        "Mino": "5313 5013 5012 5606 5812", "Ise": "5119 5120 4923 4723 4822 4924 4825 4928",
    }  # fmt: skip
    found = {number: kinai.region[h] for h, number in kinai.labels.items() if h in kinai.signs}
    assert found == {number: name for name, numbers in lie.items() for number in numbers.split()}


def test_no_castle_stands_where_no_line_could_end(kinai: Map) -> None:
    assert not any(kinai.terrain[h] & {"swamp", "impassable_mountain"} for h in kinai.signs)


def test_every_castle_is_reached_from_himeji_and_no_island_is(kinai: Map, castles: dict[str, str]) -> None:
    for points in (LINE, MARCH):
        assert {*castles.values()} <= far(kinai, "1623", points).keys()
    islands = {kinai.label(h) for name in ("Awaji", "Shikoku") for h in kinai.regions[name]}
    assert not islands & far(kinai, "1623", MARCH).keys()


def test_shibatas_line_reaches_the_battlefield_in_one_leg(kinai: Map) -> None:
    found = far(kinai, "4301", LINE)  # a main castle's leg has 16 points
    assert (found["4309"], found["4311"]) == (14, 16)


def relayed(board: Map, castles: dict[str, str]) -> set[str]:
    """The hexes of castles to which lines lead from Himeji by castles alone: a leg of 16 points, then legs of 8."""
    found: set[str] = set()
    todo, most = ["1623"], 16
    while todo:
        new = far(board, todo.pop(), LINE, most=most).keys() & {*castles.values()} - found
        found |= new
        todo, most = [*todo, *sorted(new)], 8
    return found


def test_lines_lead_to_inaba_by_the_valley_of_chizu_alone(
    data: dict[str, Any], kinai: Map, castles: dict[str, str]
) -> None:
    inaba = {"0911", "0611", "1114"}
    assert {*inaba, "2224", "3126", "3520", "4217", "4413"} <= relayed(kinai, castles)
    assert not inaba & relayed(turned(data, "terrain", "1015", "m"), castles)


def test_a_province_is_in_one_piece_unless_it_is_said_to_be_apart(data: dict[str, Any], kinai: Map) -> None:
    assert len(kinai.regions) == 27
    assert kinai.apart == {"Awaji", "Shikoku", "Harima", "Kii", "Mikawa"}
    (apart,) = doubts(turned(data, "regions", "1623", "O"))
    assert apart.what == "1623 of Omi lie apart"


def test_ground_is_drawn_where_hexes_are_in_play(data: dict[str, Any]) -> None:
    with pytest.raises(BadScenario, match="hex 1623 of Harima is sea"):
        turned(data, "terrain", "1623", "~")


def test_rivers_run_to_sea_lake_edge_or_another_river(kinai: Map) -> None:
    """Each by its last side: one of its free ends is at water, off the map, or at a side of another river."""
    rivers = {course.name: course.sides for course in kinai.hexsides if course.kind == "river"}
    assert len(rivers) == 30
    for name, sides in rivers.items():
        others = {frozenset(pair) for other, pairs in rivers.items() if other != name for pair in pairs}
        others |= {frozenset(pair) for course in kinai.hexsides if course.kind == "lake" for pair in course.sides}
        a, b = sides[-1]
        corners = {n for n in neighbours(a) if n in neighbours(b)} - {*sides[-2]}
        assert any(
            n in kinai.water or n not in kinai or {frozenset((a, n)), frozenset((b, n))} & others for n in corners
        ), name


def test_a_river_with_a_gap_is_refused(data: dict[str, Any]) -> None:
    data = copy.deepcopy(data)
    river = next(chain for chain in data["hexsides"]["chains"] if chain["name"] == "Kiso")
    river["sides"] = river["sides"].replace("5613/5513 ", "").replace("5612/5613 ", "")
    with pytest.raises(BadScenario, match="hexsides Kiso: gap between"):
        Map.from_data(data, barred=BARRED)


def test_bridges_lead_over_rivers_along_a_highroad(kinai: Map) -> None:
    bridges = [road for road in kinai.roads if road.kind == "bridge"]
    assert [road.name for road in bridges] == ["Seta bridge", "Uji bridge", "Yasu bridge"]
    for road in bridges:
        assert kinai.side(*road.hexes) == {"river"}
        assert kinai.ways(*road.hexes) == {"bridge", "highroad"}


def test_no_highroad_crosses_water_but_by_a_bridge(kinai: Map) -> None:
    for road in kinai.roads:
        for a, b in pairwise(road.hexes):
            assert not kinai.side(a, b) or "bridge" in kinai.ways(a, b), f"{road.name} {kinai.label(a)}"


def test_nothing_crosses_the_south_end_of_lake_biwa_but_at_seta(kinai: Map) -> None:
    assert kinai.side(kinai.parse("3719"), kinai.parse("3819")) == {"lake"}
    assert far(kinai, "3720", MARCH)["3820"] == 4  # by Ishiyama and the bridge
    assert far(kinai, "3720", MARCH, bridges=False)["3820"] == 5
