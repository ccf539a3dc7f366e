"""Maps: numbering, what the reader refuses, what the checker finds, and the facts of the Toba-Fushimi map."""

from __future__ import annotations

import copy
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from yardstick import within

from pbem import strictyaml
from pbem.errors import BadScenario, MalformedOrder
from pbem.maps.check import doubts, reachable
from pbem.maps.hexes import Hex, are_adjacent
from pbem.maps.map import Map
from pbem.maps.numbering import Cell, Numbering, Sheet

TERRAIN = {"flat", "hill", "mountain", "mountain_top", "wetland", "city", "road", "victory_hex"}
SIDES = {"river", "stream", "pond"}
BARRED = {"river", "pond"}
MAPS = Path(__file__).parents[2] / "scenarios" / "bakumatsu" / "maps"

SMALL: dict[str, Any] = {
    "map": "small",
    "title": "Small",
    "scale": "100 m",
    "layout": "pointy",
    "numbering": {"provenance": "reconstructed", "first": "row", "rows": "from south", "shifted": "even"},
    "terrain": {
        "provenance": "reconstructed",
        "legend": {".": ["flat"], "h": ["hill"], "~": {"water": "pond"}, "-": {}},
        "rows": "04  . . . .\n03 . . h .\n02  . . . .\n01 . . ~ -\n",
    },
    "roads": {
        "provenance": "reconstructed",
        "chains": [{"name": "lane", "kind": "road", "hexes": "0401 0301 0201 0202"}],
    },
    "hexsides": {
        "provenance": "reconstructed",
        "chains": [{"name": "brook", "kind": "river", "sides": "0401/0301 0401/0302 0402/0302 0402/0303"}],
    },
    "places": {"provenance": "reconstructed", "hexes": {"Mill": "0301", "Inn": "0403"}},
    "areas": {"provenance": "reconstructed", "hexes": {"red": "0401 0402", "blue": "0201 0202 0203"}},
    "victory": {"provenance": "reconstructed", "hexes": {"red": "0403", "blue": "0202"}},
    "entries": {"provenance": "reconstructed", "hexes": {"blue": "0101"}},
}

REGIONS: dict[str, Any] = {
    "provenance": "reconstructed",
    "legend": {"H": "Harima", "T": "Tamba"},
    "rows": "04  H H T T\n03 H H T T\n02  H T T T\n01 H T . .\n",
}


def changed(path: str, value: object) -> dict[str, Any]:
    """The small map's data with one value replaced; the path's parts are keys or list indices."""
    data = copy.deepcopy(SMALL | {"regions": copy.deepcopy(REGIONS)} if path.startswith("regions") else SMALL)
    *parts, last = [int(p) if p.isdigit() else p for p in path.split("/")]
    place: Any = data
    for part in parts:
        place = place[part]
    place[last] = value
    return data


@pytest.fixture
def small() -> Map:
    return Map.from_data(SMALL)


# numbering

numberings = st.builds(
    Numbering,
    st.sampled_from(["pointy", "flat"]),
    row_first=st.booleans(),
    rows_from_south=st.booleans(),
    shifted_even=st.booleans(),
    sheets=st.just((Sheet(),)),
    origin=st.sampled_from([(0, 0), (40, -60)]),
)


@given(numberings, st.integers(1, 60), st.integers(1, 60))
def test_numbers_lead_to_the_hex_and_back(n: Numbering, row: int, column: int) -> None:
    h = n.hex_at(Cell(row, column))
    assert n.cell_of(h) == (row, column)
    assert n.cell(n.label(h)) == (row, column)


@given(numberings, st.integers(1, 60), st.integers(0, 30))
def test_a_row_has_the_hexes_of_its_cells(n: Numbering, row: int, width: int) -> None:
    assert n.row(row, width) == [n.hex_at(Cell(row, column)) for column in range(1, width + 1)]


@given(numberings)
def test_every_line_is_a_chain_of_neighbours(n: Numbering) -> None:
    for i, j in ((3, 4), (4, 5), (5, 6)):
        assert are_adjacent(
            n.hex_at(Cell(i, i)), n.hex_at(Cell(i, j)) if n.layout == "pointy" else n.hex_at(Cell(j, i))
        )


@pytest.mark.parametrize(
    ("first", "near", "far"),
    [("0201", ["0301", "0302", "0101", "0102", "0202"], "0303"), ("0302", ["0201", "0202", "0401", "0402"], "0203")],
)
def test_even_rows_stand_half_a_hex_east(small: Map, first: str, near: list[str], far: str) -> None:
    numbering = small.numbering

    def hex_(text: str) -> Hex:
        cell = numbering.cell(text)
        assert cell is not None
        return numbering.hex_at(cell)

    assert all(are_adjacent(hex_(first), hex_(n)) for n in near)
    assert not are_adjacent(hex_(first), hex_(far))


def test_flat_top_columns_with_the_even_ones_half_a_hex_lower() -> None:
    n = Numbering("flat", row_first=False, rows_from_south=False, shifted_even=True)
    assert n.label(n.hex_at(Cell(row=9, column=43))) == "4309"
    for near in (Cell(8, 43), Cell(10, 43), Cell(8, 42), Cell(9, 42), Cell(8, 44), Cell(9, 44)):
        assert are_adjacent(n.hex_at(Cell(9, 43)), n.hex_at(near))
    assert not are_adjacent(n.hex_at(Cell(9, 43)), n.hex_at(Cell(10, 44)))


def test_a_hex_on_two_sheets_has_two_names_and_is_called_by_the_first() -> None:
    sheets = (Sheet("N", (1, 33), (1, 60)), Sheet("S", (1, 33), (1, 60), row_offset=23))
    n = Numbering("flat", row_first=False, rows_from_south=False, shifted_even=True, sheets=sheets)
    assert n.cell("N4424") == n.cell("S4401") == Cell(24, 44)
    assert n.label(n.hex_at(Cell(24, 44))) == "N4424"
    assert n.label(n.hex_at(Cell(40, 44))) == "S4417"
    assert n.cell("N4434") is None  # the north sheet has 33 rows
    assert n.cell("4424") is None


def test_of_two_hexes_with_one_number_the_first_sheets_is_found() -> None:
    """Such a map is read all the same."""
    sheets = [{"rows": [1, 2]}, {"rows": [1, 2], "row_offset": 2}]
    board, _ = Map.read(changed("numbering/sheets", sheets))
    assert board is not None
    first, second = (board.numbering.hex_at(Cell(row, 1)) for row in (1, 3))
    assert board.label(first) == board.label(second) == "0101"
    assert board.find("0101") == board.parse("0101") == first


def two_maps(layout: str = "pointy") -> tuple[Map, Map]:
    """The small map twice, as the maps D and Y of one game; flat-topped without what only fits a pointy one."""
    data = changed("layout", layout)
    if layout == "flat":
        data["terrain"]["rows"] = "04 . . . .\n03 . . h .\n02 . . . .\n01 . . ~ -\n"
        data["roads"]["chains"] = []
        data["hexsides"]["chains"] = []
    return Map.from_data(data, "D"), Map.from_data(data | {"title": "Yonder"}, "Y", 1)


@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_two_maps_of_one_game_differ_in_prefix_and_place(layout: str) -> None:
    near, far = two_maps(layout)
    assert not set(near.hexes) & set(far.hexes)
    assert min(Map.distance(a, b) for a in near.hexes for b in far.hexes) > 200
    for own, prefix in ((near, "D"), (far, "Y")):
        assert {own.label(h)[0] for h in own.hexes} == {prefix}
        assert all(own.parse(own.label(h)) == own.find(own.label(h)) == h for h in own.hexes)
        assert own.label(own.places["Mill"]) == f"{prefix}0301"
    assert [near.label(h)[1:] for h in near.hexes] == [far.label(h)[1:] for h in far.hexes]
    assert [h + 256 for h in near.hexes] == list(far.hexes)  # lines that stood half a hex further still do
    around = [
        {one.label(n)[1:] for n in one.neighbours[one.parse(number)]}
        for one, number in ((near, "D0302"), (far, "Y0302"))
    ]
    assert len(around[0]) == 6
    assert around[0] == around[1]


def test_a_number_of_the_other_map_is_refused_with_a_hint() -> None:
    near, far = two_maps()
    for text in ("D0302", "0302", "X0302", "D03022"):
        assert far.find(text) is None
        with pytest.raises(MalformedOrder) as caught:
            far.parse(text)
        assert f"{text!r} isn't a hex number of Yonder; numbers are Y + RRCC (row from the south" in str(caught.value)
        assert "such as Y0401 or Y0102" in str(caught.value)
    assert near.find("D0302") == near.parse("d0302")
    assert near.find("D0103") is None  # water
    assert near.find("D0909") is None


def test_roads_rivers_and_areas_go_with_their_map() -> None:
    near, far = two_maps()
    assert far.road(far.parse("Y0401"), far.parse("Y0301"))
    assert not far.road(far.parse("Y0401"), far.parse("Y0402"))
    assert far.side(far.parse("Y0401"), far.parse("Y0301")) == {"river"}
    assert [far.label(h) for h in far.areas["red"]] == ["Y0401", "Y0402"]
    assert far.victory["blue"][0] == near.victory["blue"][0] + 256
    assert doubts(far) == []


def test_a_prefix_stands_before_those_of_the_sheets_and_the_files_origin_stays() -> None:
    data = changed("numbering/sheets", [{"prefix": "N"}])
    data["numbering"]["origin"] = [10, -4]
    for block in ("roads", "hexsides", "areas", "victory", "entries", "places"):
        data[block] = {"provenance": "reconstructed"}
    own = Map.from_data(data)
    moved = Map.from_data(data, "D", -2)
    assert own.label(own.hexes[0]) == "N0401"
    assert moved.label(moved.hexes[0]) == "DN0401"
    assert [h - 512 for h in own.hexes] == list(moved.hexes)


@pytest.mark.parametrize("prefix", ["d", "D-", "Ö", "D1", "ABCDEFG", " "])
def test_a_prefix_that_is_none_is_refused(prefix: str) -> None:
    with pytest.raises(BadScenario, match="can't stand before hex numbers; one to six letters A to Z"):
        Map.from_data(SMALL, prefix)


def test_maps_have_room_aside_up_to_a_bound() -> None:
    assert Map.from_data(SMALL, "D", 6).label(Map.from_data(SMALL, "D", 6).hexes[0]) == "D0401"
    assert Map.from_data(SMALL, "D", -6).label(Map.from_data(SMALL, "D", -6).hexes[0]) == "D0401"
    for shift in (7, -7):
        with pytest.raises(BadScenario, match=f"no room for a map {shift} places aside; -6 to 6"):
            Map.from_data(SMALL, "D", shift)
    with pytest.raises(BadScenario, match=r"terrain.rows line 1: lies too far out"):
        Map.from_data(changed("numbering/origin", [1000, 0]), "D", 6)


def test_another_origin_keeps_two_maps_apart(small: Map) -> None:
    other = Map.from_data(changed("numbering/origin", [100, 0]))
    assert not set(small.hexes) & set(other.hexes)
    assert other.label(other.parse("0302")) == "0302"
    with pytest.raises(BadScenario, match="two even numbers"):
        Map.from_data(changed("numbering/origin", [101, 0]))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0103", "open water \\(pond\\).*nearest hex in play is 0202"),
        ("0104", "isn't on the map.*nearest hex in play is"),
        ("0909", "isn't on the map.*nearest hex in play is 0404"),
        ("302", "isn't a hex number.*RRCC"),
        ("03-02", "isn't a hex number"),
        ("٠٣٠٢", "isn't a hex number"),
        ("", "isn't a hex number"),
    ],
)
def test_a_wrong_number_is_refused_with_a_right_one(small: Map, text: str, says: str) -> None:
    with pytest.raises(MalformedOrder, match=says) as refused:
        small.parse(text, "orders.txt line 3")
    assert refused.value.where == "orders.txt line 3"


# what a map answers


def test_terrain_sides_and_roads(small: Map) -> None:
    h = small.parse
    assert small.terrain[h("0303")] == {"hill"}
    assert small.terrain[h("0202")] == {"flat", "road", "victory_hex"}
    assert small.side(h("0401"), h("0301")) == small.side(h("0301"), h("0401")) == {"river"}
    assert small.side(h("0301"), h("0201")) == frozenset()
    assert small.road(h("0401"), h("0301"))
    assert small.road(h("0301"), h("0401"))
    assert not small.road(h("0402"), h("0302"))
    assert not small.road(h("0401"), h("0402"))


def test_water_is_no_neighbour_and_its_shore_is_a_side(small: Map) -> None:
    (pond,) = small.water
    assert pond not in small
    assert all(pond not in small.neighbours[h] for h in small.hexes)
    assert small.side(small.parse("0202"), pond) == {"pond"}


def test_links_repeat_neighbours_sides_and_ways(small: Map) -> None:
    for h in small.hexes:
        assert tuple(link.to for link in small.links[h]) == small.neighbours[h]
        for link in small.links[h]:
            assert link.side == small.side(h, link.to)
            assert bool(link.ways) == small.road(h, link.to)


def test_direction_words(small: Map) -> None:
    h = small.parse
    assert small.direction(h("0302"), h("0303")) == "east"
    assert small.direction(h("0302"), h("0401")) == "north-west"
    assert small.direction(h("0302"), h("0202")) == "south-east"
    assert small.direction(h("0302"), h("0304")) == ""
    assert small.describe(h("0301")) == "0301 Mill"
    assert small.describe(h("0302")) == "0302"


# what the reader refuses; SMALL itself is the legal twin of each


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("terrain/rows", "04  . . . .\n03 . . x .\n02  . . . .\n", "line 2 hex 3: the letter 'x' isn't in the legend"),
        ("terrain/rows", "04  . . . .\n03 . . .\n02  . . . .\n01 . . ~ -", "line 2: has 3 hexes; the rows have 4"),
        ("terrain/rows", "04  . . . .\n02 . . . .\n", "line 2: is labelled '02'; the row here is 03"),
        ("terrain/rows", "04 . . . .\n03 . . h .\n", "line 2: its first letter stands at column 4"),
        ("terrain/rows", "", "no rows"),
        ("terrain/legend", {".": "flat"}, "write \\[flat\\]"),
        ("terrain/legend", None, "legend: is missing"),
        ("places/hexes/Inn", "0301", "has a name already"),
        ("places/hexes/Inn", "0103", "hex 0103 is pond"),
        ("places/hexes/Inn", "0104", "hex 0104 is out of play"),
        ("places/hexes/Inn", "0901", "there is no hex '0901'"),
        ("places/hexes/Inn", 622, "put it in quotes"),
        ("areas/hexes/red", "0401 0401", "hex 0401 stands there twice"),
        ("areas/hexes", ["0401"], "isn't a mapping"),
        ("victory/hexes/red", "0405", "there is no hex '0405'"),
        ("entries/hexes/blue", {"0101": ""}, "entries blue: is {0101: }; write the numbers of hexes: '0101 0102'"),
        ("hexsides/chains/0/sides", "0401/0303", "aren't adjacent"),
        ("hexsides/chains/0/sides", "0401", "isn't a hexside"),
        ("roads/chains/0", {"name": "lane", "hexes": "0401 0301"}, r"roads\.chains 1\.kind: is missing"),
        ("roads/provenance", None, "roads: has no provenance"),
        ("layout", "square", "write pointy or flat"),
        ("numbering/shifted", "odd rows", "must be one of: even, odd"),
        ("numbering/sheets", [{"prefix": "n"}], r"numbering\.sheets 1: is {prefix: n}; write {prefix: LETTERS"),
        ("title", None, "title: is missing"),
        ("weather", {}, "weather: is no key that is known here; known are map, title, layout, scale, numbering"),
        ("roads/chains/0/hexes", "0401 0301 0202", "roads lane: gap between 0301 and 0202; each hex adjoins"),
        ("roads/chains/0/hexes", "0401", "roads lane: has fewer than two hexes"),
        ("roads/chains/0/hexes", "", "roads lane: has fewer than two hexes"),
        ("hexsides/chains/0/sides", "0401/0301 0402/0302", "brook: gap between 0401/0301 and 0402/0302; sides join"),
        ("hexsides/chains/0/sides", "0401/0301 0401/0302 0301/0302", "brook: forks at 0401/0302; write the branch"),
        ("hexsides/chains/0/sides", "", "hexsides brook: has no sides"),
        ("victory/hexes/red", "0202 0403", "victory blue: hex 0202 is held by red too"),
        ("places/signs", {"castle": "0402"}, r"places\.signs castle: hex 0402 has no name; name the place"),
        ("places/signs", {"castle": "0301", "pass": "0301"}, "signs pass: hex 0301 has the sign castle already"),
        ("places/signs", ["0301"], r"places\.signs: isn't a mapping"),
        ("regions/called", "", r"regions\.called: is empty; write what one region is called in small letters"),
        ("regions/called", "County", r"regions\.called: is 'County'; write what one region is called"),
        ("regions/legend", ["H"], r"regions\.legend: is missing"),
        ("regions/legend/.", "Sea", r"regions\.legend: \. stands there; \. is a hex of no region"),
        ("regions/legend/H", "", r"regions\.legend 'H': is empty; write the name of a region"),
        ("regions/legend/S", "Harima", r"regions\.legend 'S': 'Harima' has a letter already"),
        ("regions/legend/S", "Settsu", r"regions\.legend: no hex is of Settsu"),
        ("regions/apart", "Harima Kii", r"regions\.apart: there is no region 'Kii'; regions are Harima, Tamba"),
        ("regions/rows", "", r"regions\.rows: no rows"),
        ("regions/rows", "04 H H T T\n03 H H T T\n02 H T T T", r"regions\.rows: row 01 is missing"),
        ("regions/rows", REGIONS["rows"] + "05 H H H H", r"rows line 5: is labelled '05'; write the number of a row"),
        ("regions/rows", REGIONS["rows"] + "04 H H H H", r"regions\.rows: row 04 stands there 2 times"),
        ("regions/rows", REGIONS["rows"].replace("H T . .", "H T ."), "rows line 4: has 3 hexes; row 01 of the terr"),
        (
            "regions/rows",
            REGIONS["rows"].replace("T . .", "K . ."),
            "rows line 4 hex 2: 'K' isn't in the legend; use H",
        ),
        ("regions/rows", REGIONS["rows"].replace("T . .", ". . ."), "1 hexes in play have no region: 0102"),
        ("regions/rows", REGIONS["rows"].replace("T . .", "T T ."), "hex 0103 of Tamba is pond; write . there"),
        ("regions/rows", REGIONS["rows"].replace("T . .", "T . T"), "hex 0104 of Tamba is out of play"),
    ],
)
def test_a_defect_is_refused_where_it_stands(path: str, value: object, says: str) -> None:
    with pytest.raises(BadScenario, match=says):
        Map.from_data(changed(path, value))


def test_the_small_map_itself_is_taken(small: Map) -> None:
    assert len(small.hexes) == 14
    assert doubts(small) == []


def test_all_defects_are_told_at_once() -> None:
    data = changed("places/hexes/Inn", "0901")
    data["areas"]["hexes"]["red"] = "0401 0777"
    data["roads"]["chains"][0]["hexes"] = "0401 0301 0202"
    with pytest.raises(BadScenario, match=r"3 defects(?s:.)*gap between(?s:.)*0901(?s:.)*0777"):
        Map.from_data(data)


def test_regions_have_each_hex_in_play_once() -> None:
    board = Map.from_data({**SMALL, "regions": REGIONS})
    assert {name: len(hexes) for name, hexes in board.regions.items()} == {"Harima": 6, "Tamba": 8}
    assert board.region[board.parse("0302")] == "Harima"
    assert board.region.keys() == {*board.hexes}
    assert doubts(board) == []


def test_a_place_has_the_sign_of_what_stands_there() -> None:
    board = Map.from_data(changed("places/signs", {"castle": "0301 0403"}))
    assert board.signs == dict.fromkeys(map(board.parse, ("0301", "0403")), "castle")


def test_wrong_ground_and_wrong_regions_are_told_at_once_each_mistake_once() -> None:
    data = changed("regions/legend/S", "Harima")
    data["terrain"]["rows"] = data["terrain"]["rows"].replace(". . h .", ". . h")
    with pytest.raises(BadScenario) as caught:
        Map.from_data(data)
    assert [(defect.where, defect.what) for defect in caught.value.defects] == [
        ("terrain.rows line 2", "has 3 hexes"),
        ("regions.legend 'S'", "'Harima' has a letter already"),
    ]


def test_a_hex_that_is_no_hex_makes_no_gap() -> None:
    data = changed("roads/chains/0/hexes", "0401 0901 0202")
    data["hexsides"]["chains"][0]["sides"] = "0401/0301 0901/0302 0402/0303"
    with pytest.raises(BadScenario) as caught:
        Map.from_data(data)
    assert [(defect.where, defect.what) for defect in caught.value.defects] == [
        ("roads lane", "there is no hex '0901'"),
        ("hexsides brook", "there is no hex '0901'"),
    ]


@pytest.mark.parametrize("data", [None, [], "map", {"map": 1}, {"terrain": []}])
def test_what_is_no_map_at_all(data: object) -> None:
    with pytest.raises(BadScenario, match="defect"):
        Map.from_data(data)


# what is hardly meant, though it can be played; test_the_small_map_itself_is_taken is the passing twin of each


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("areas/hexes/red", "0401 0201", "areas blue: hex 0201 belongs to red too"),
        ("entries/hexes/blue", "0302", "entries blue: hex 0302 lies inside the map"),
        ("terrain/rows", "04  . . . .\n03 . - - -\n02  - - . .\n01 . - - .\n", "no way leads to 0101;"),
        ("terrain/rows", "04  . . . .\n03 . - - -\n02  - - . .\n01 . - - .\n", "no way leads to 0203 0204 0104;"),
    ],
)
def test_a_doubt_about_a_map_that_is_taken(path: str, value: object, says: str) -> None:
    data = changed(path, value)
    if path == "terrain/rows":  # only the ground matters here
        for block, entries in (("roads", "chains"), ("hexsides", "chains"), ("places", "hexes"), ("areas", "hexes")):
            data[block][entries] = [] if entries == "chains" else {}
        data["victory"]["hexes"], data["entries"]["hexes"] = {}, {}
    found = doubts(Map.from_data(data))
    assert [str(d) for d in found if says in str(d)], found


def test_ground_behind_a_river_is_cut_off_until_a_road_crosses_it() -> None:
    data = changed("hexsides/chains/0/sides", "0401/0301 0401/0302 0402/0302 0402/0303 0403/0303 0403/0304 0404/0304")
    assert doubts(Map.from_data(data, barred=BARRED)) == []  # the lane crosses at 0401/0301
    data["roads"]["chains"][0]["hexes"] = "0301 0201 0202"
    (cut_off,) = doubts(Map.from_data(data, barred=BARRED))
    assert "0401 0402 0403 0404" in cut_off.what
    assert doubts(Map.from_data(data, barred={"pond"})) == []
    assert doubts(Map.from_data(data)) == []


def test_a_region_in_pieces_is_doubted_unless_it_is_said_to_be_apart() -> None:
    data = changed("regions/rows", REGIONS["rows"].replace("04  H H T T", "04  H H T H"))
    (apart,) = doubts(Map.from_data(data))
    assert (apart.where, apart.what) == ("regions.rows", "0404 of Harima lie apart")
    data["regions"]["apart"] = "Harima"
    assert doubts(Map.from_data(data)) == []


def test_an_island_is_cut_off_unless_all_its_regions_are_apart() -> None:
    data = changed("regions/legend/A", "Awaji")
    data["terrain"]["rows"] = "04  . ~ . .\n03 . . ~ ~\n02  . . . .\n01 . . ~ -\n"
    data["regions"]["rows"] = "04  H . A A\n03 H H . .\n02  H T T T\n01 H T . .\n"
    data["places"]["hexes"], data["areas"]["hexes"] = {}, {}
    data["victory"]["hexes"] = {}
    (cut_off,) = doubts(Map.from_data(data))
    assert cut_off.what == "no way leads to 0403 0404"
    data["regions"]["apart"] = "Awaji"
    assert doubts(Map.from_data(data)) == []
    data["regions"]["rows"] = data["regions"]["rows"].replace("A A", "A T")
    assert "no way leads to 0403 0404" in [doubt.what for doubt in doubts(Map.from_data(data))]


# Toba-Fushimi


@pytest.fixture(scope="module")
def toba() -> Map:
    return Map.from_data(yaml.safe_load((MAPS / "toba-fushimi.yaml").read_text(encoding="utf-8")), barred=BARRED)


AREAS = {"shogunate-west": 7, "shogunate-east": 10, "satsuma-west": 6, "satsuma-east": 6, "choshu": 3, "tosa": 2}


@pytest.mark.clause("2-1-1(0)b", "2-1-2.3a", "15-1-4(0)")
def test_toba_raises_no_doubt_and_has_room_for_its_units(toba: Map) -> None:
    assert toba.barred == BARRED
    assert doubts(toba) == []
    assert {feature for features in toba.terrain.values() for feature in features} == TERRAIN
    assert {course.kind for course in toba.hexsides} | set(toba.water.values()) == SIDES
    assert {name: len(toba.areas[name]) >= least for name, least in AREAS.items()} == dict.fromkeys(AREAS, True)


@pytest.mark.clause("14(0)", "15-1-6(0)a", "15-1-6(0)b")
def test_toba_has_thirteen_victory_hexes_four_of_them_satcho(toba: Map) -> None:
    assert [toba.label(h) for h in toba.victory["satcho"]] == ["2411", "2419", "2424", "1122"]
    assert len(toba.victory["shogunate"]) == 9
    assert len({*toba.victory["satcho"], *toba.victory["shogunate"]}) == 13
    assert all("victory_hex" in toba.terrain[h] for side in toba.victory.values() for h in side)
    assert sum("victory_hex" in toba.terrain[h] for h in toba.hexes) == 13


def test_toba_roads_leave_the_north_edge_at_the_rulebooks_hexes(toba: Map) -> None:
    north = [toba.label(h) for h in toba.hexes if toba.label(h)[:2] == "24" and "road" in toba.terrain[h]]
    assert north == ["2411", "2419", "2424"]
    assert [toba.label(road.hexes[-1]) for road in toba.roads[:3]] == north
    assert toba.place_names[toba.parse("1122")] == "Gokonomiya"


def test_toba_victory_hexes_lie_on_roads(toba: Map) -> None:
    for h in (h for side in toba.victory.values() for h in side):
        assert "road" in toba.terrain[h], toba.label(h)
        assert any(toba.road(h, n) for n in toba.neighbours[h])


@pytest.mark.clause("15-1-4(1)2b")
def test_toba_shogunate_east_is_in_two_parts(toba: Map) -> None:
    left = set(toba.areas["shogunate-east"])
    parts = []
    while left:
        part, todo = set(), [min(left)]
        while todo:
            h = todo.pop()
            part.add(h)
            todo += [n for n in toba.neighbours[h] if n in left and n not in part]
        parts.append(part)
        left -= part
    assert sorted(map(len, parts)) == [6, 10]


def test_toba_set_up_areas_keep_a_hex_between_the_sides(toba: Map) -> None:
    for (one, hexes), (two, others) in combinations(toba.areas.items(), 2):
        if one.startswith("shogunate") != two.startswith("shogunate"):
            assert min(toba.distance(a, b) for a in hexes for b in others) >= 2, (one, two)


def test_toba_every_victory_hex_can_be_reached_from_every_area(toba: Map) -> None:
    goals = {h for side in toba.victory.values() for h in side}
    for name, hexes in {**toba.areas, **toba.entries}.items():
        assert goals <= reachable(toba, hexes[0], BARRED), name


def test_toba_the_kamo_is_crossed_at_koeda_bridge_alone(toba: Map) -> None:
    kamo = next(c for c in toba.hexsides if c.name == "Kamo river")
    bridges = [{toba.label(a), toba.label(b)} for a, b in kamo.sides if toba.road(a, b)]
    assert bridges == [{"2011", "2111"}]
    assert toba.parse("2411") not in reachable(Map.from_data(_without_bridge()), toba.parse("2412"), BARRED)


def _without_bridge() -> dict[str, Any]:
    data = yaml.safe_load((MAPS / "toba-fushimi.yaml").read_text(encoding="utf-8"))
    road = data["roads"]["chains"][0]
    road["hexes"] = road["hexes"].split(" 2111")[0]
    assert isinstance(data, dict)
    return data


def test_toba_two_roads_lead_from_the_entry_hex(toba: Map) -> None:
    (entry,) = toba.entries["shogunate"]
    assert toba.label(entry) == "0106"
    assert sum(toba.road(entry, n) for n in toba.neighbours[entry]) == 2


def test_toba_roads_are_unbroken(toba: Map) -> None:
    for road in toba.roads:
        assert all(toba.road(a, b) for a, b in pairwise(road.hexes)), road.name


def test_toba_every_block_tells_its_source(toba: Map) -> None:
    assert all(words.split(":")[0].split(" ")[0] for words in toba.provenance.values())
    assert "rulebook" in toba.provenance["victory"]
    assert "reconstructed" in toba.provenance["terrain"]


# numbers as the reader of map files gives them

NUMBERING = """
first: row
rows: from south
shifted: even
origin: [100, "-2"]
sheets:
  - {prefix: N, rows: [1, 33], columns: ["1", "60"], row_offset: 23}
  - {prefix: S, columns: [1, 60], column_offset: -4}
"""


def test_a_numbering_out_of_a_file() -> None:
    """Every scalar of a file is text; numbers written as text are numbers."""
    data = strictyaml.load(NUMBERING, "map.yaml")
    assert isinstance(data, dict)
    assert data["origin"] == ["100", "-2"]
    (found,), wrong = Numbering.from_data("pointy", data)
    sheets = (Sheet("N", (1, 33), (1, 60), 23, 0), Sheet("S", (0, 99), (1, 60), 0, -4))
    assert (found, wrong) == (Numbering("pointy", True, True, True, sheets, (100, -2)), [])
    same = {**yaml.safe_load(NUMBERING), "origin": [100, -2]}
    assert Numbering.from_data("pointy", same) == ([found], [])
    assert found.cell("N0307") == Cell(26, 7)
    assert found.cell("S0307") == Cell(3, 3)
    assert found.label(found.hex_at(Cell(3, 3))) == "S0307"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("origin", "[1, 2]"),
        ("origin", "[2, 2, 2]"),
        ("origin", "[2]"),
        ("origin", "2 2"),
        ("origin", "[2, x]"),
        ("origin", "[2, '']"),
        ("origin", "[2, 2.0]"),
        ("origin", "[2, +2]"),
        ("origin", "[2, 1e2]"),
        ("origin", "[2, 0x2]"),
        ("origin", "[2, 1_0]"),
        ("origin", "[2, ' 2']"),
        ("origin", "[2, 1002]"),
        ("origin", "[2, 20000]"),
        ("origin", "[2, \u0664]"),
        ("origin", "[2, \u00b2]"),
        ("origin", "[2, [2]]"),
        ("sheets", "[]"),
        ("sheets", "N"),
        ("sheets", "[N]"),
        ("sheets", "[{prefix: n}]"),
        ("sheets", "[{prefix: ABCDEFGHIJ}]"),
        ("sheets", "[{sheet: N}]"),
        ("sheets", "[{rows: [1]}]"),
        ("sheets", "[{rows: [1, no]}]"),
        ("sheets", "[{columns: '1 60'}]"),
        ("sheets", "[{shifted: 33}]"),
        ("sheets", "[{row_offset: [1]}]"),
        ("sheets", "[{row_offset: 1.5}]"),
        ("sheets", "[{column_offset: }]"),
        ("sheets", f"[{', '.join(['{prefix: N}'] * 51)}]"),
    ],
)
def test_a_numbering_that_is_no_numbering(key: str, value: str) -> None:
    data = strictyaml.load(f"first: row\nshifted: even\n{key}: {value}\n", "map.yaml")
    assert isinstance(data, dict)
    _, found = Numbering.from_data("pointy", data)
    assert {defect.where.split(" ")[0].split(".")[1] for defect in found} == {key}


@pytest.mark.parametrize("value", [True, 2.0, None, 2000, [2]])
def test_a_number_of_another_kind_is_refused(value: object) -> None:
    _, found = Numbering.from_data("pointy", {"first": "row", "shifted": "even", "origin": [0, value]})
    assert [(defect.where, defect.right) for defect in found] == [("numbering.origin", "write two even numbers [q, r]")]


SHEETS = """
map: two
title: Two Sheets
layout: flat
scale: none
numbering:
  provenance: test
  first: column
  shifted: even
  origin: [40, -20]
  sheets:
    - {prefix: N, rows: [1, 3], columns: [1, 4]}
    - {prefix: S, rows: [1, 3], columns: [1, 4], row_offset: 2}
terrain:
  provenance: test
  legend: {".": [flat]}
  rows: |
    01 . . . .
    02 . . . .
    03 . . . .
    04 . . . .
    05 . . . .
roads: {provenance: test, chains: [{name: pike, kind: pike, hexes: N0101 N0102 S0101 S0102 S0103}]}
hexsides: {provenance: test, chains: [{name: brook, kind: stream, sides: N0102/N0202 N0102/N0201}]}
places: {provenance: test, hexes: {Mill: S0402}}
areas: {provenance: test, hexes: {red: N0401 S0403}}
victory: {provenance: test, hexes: {}}
entries: {provenance: test, hexes: {red: S0103}}
"""


def test_a_map_of_two_sheets_out_of_a_file() -> None:
    """The sheets share a row: its hexes have two numbers, and are called by the first."""
    board = Map.from_data(strictyaml.load(SHEETS, "map.yaml"))
    assert doubts(board) == []
    assert len(board.hexes) == 20
    assert board.parse("N0103") == board.parse("S0101")
    assert board.label(board.parse("S0101")) == "N0103"
    assert board.road(board.parse("N0103"), board.parse("S0102"))
    assert board.place_names[board.parse("S0402")] == "Mill"
    assert {board.label(h)[0] for h in board.hexes} == {"N", "S"}
    assert not set(board.hexes) & set(Map.from_data(strictyaml.load(SHEETS.replace("[40, -20]", "[2, 8]"), "x")).hexes)
    with pytest.raises(BadScenario, match=r"places Mill: there is no hex 'N0402'|there is no hex 'S0404'"):
        Map.from_data(strictyaml.load(SHEETS.replace("S0402", "S0404"), "x"))


# a map cut to one of its sheets


@pytest.fixture
def south() -> Map:
    """The map of two sheets, the columns that stand lower a hex shorter on each, cut to the south one."""
    return Map.from_data(strictyaml.load(HALVED, "map.yaml"), sheet="S")


HALVED = (
    SHEETS.replace("rows: [1, 3], columns: [1, 4]", "rows: [1, 3], columns: [1, 4], shifted: [1, 2]")
    .replace('{".": [flat]}', '{".": [flat], "-": {}, "~": {water: pond}}')
    .replace("05 . . . .", "05 . - . -")
    .replace("04 . . . .", "04 . . ~ .")
    .replace("N0101 N0102 S0101 S0102 S0103", "N0101 N0102 S0101 S0102 S0201 S0301 N0302 N0202 N0201")
    .replace("sides: N0102/N0202 N0102/N0201", "sides: N0102/N0202 S0101/N0202 S0101/S0201 S0102/S0201 S0102/S0202")
    .replace("{Mill: S0402}", "{Mill: S0402, Inn: N0402}, signs: {castle: S0402 N0402}")
    .replace("{red: N0401 S0403}", "{red: N0401 S0402, blue: N0301}")
    .replace("hexes: {red: S0103}", "hexes: {red: S0103, blue: N0101}")
)


def test_columns_that_stand_lower_may_have_a_hex_less_on_each_sheet() -> None:
    board = Map.from_data(strictyaml.load(HALVED, "map.yaml"))
    assert len(board.hexes) == 17
    assert board.parse("N0303") == board.parse("S0301")
    for number in ("N0203", "S0203"):  # N0203 would be S0201
        with pytest.raises(MalformedOrder, match=f"'{number}' isn't a hex number of Two Sheets"):
            board.parse(number)


def test_a_map_cut_to_a_sheet_has_its_hexes_alone_the_halved_ones_too(south: Map) -> None:
    """Called by that sheet's numbers; those of other sheets are still read, and so is one without the sheet."""
    assert sorted(south.labels.values()) == [
        "S0101", "S0102", "S0103", "S0201", "S0202", "S0301", "S0303", "S0401", "S0402",
    ]  # fmt: skip
    assert [south.label(h) for h in south.water] == ["S0302"]
    assert south.parse("N0103") == south.parse("S0101") == south.parse("0101")
    assert south.direction(south.parse("0101"), south.parse("0201")) == "south-east"
    whole = Map.from_data(strictyaml.load(HALVED, "map.yaml"))
    assert whole.label(whole.parse("S0101")) == "N0103"
    assert whole.find("0101") is None
    assert (whole.sheet, whole.beyond) == ("", frozenset())
    north = Map.from_data(strictyaml.load(HALVED, "map.yaml"), sheet="N")
    assert {north.label(h) for h in north.hexes} == {
        *(f"N{c:02}{r:02}" for c in range(1, 5) for r in (1, 2)),
        "N0103",
        "N0303",
    }


def test_a_hex_of_another_sheet_is_refused_and_said_to_be_there(south: Map) -> None:
    for number in ("N0101", "n0402"):
        with pytest.raises(MalformedOrder) as refused:
            south.parse(number, "orders.txt line 3")
        assert refused.value.what == f"hex {number} is only on sheet N, and this game is played on sheet S alone"
        assert refused.value.hint.startswith("the nearest hex in play is S0")
        assert south.find(number) is None
    with pytest.raises(MalformedOrder, match="'N0104' isn't a hex number of Two Sheets"):
        south.parse("N0104")
    moved = Map.from_data(strictyaml.load(HALVED, "map.yaml"), "D", sheet="S")
    with pytest.raises(
        MalformedOrder, match="hex DN0101 is only on sheet DN, and this game is played on sheet DS alone"
    ):
        moved.parse("DN0101")


def test_roads_rivers_and_names_end_at_the_edge_of_a_sheet(south: Map) -> None:
    """A road that comes back is two; a hex of it without a way on has none."""
    (road,) = south.roads
    assert [south.label(h) for h in road.hexes] == ["S0101", "S0102", "S0201", "S0301"]
    assert "pike" in south.terrain[south.parse("0101")]
    (brook,) = south.hexsides
    assert [[south.label(h) for h in pair] for pair in brook.sides] == [
        ["S0101", "S0201"], ["S0102", "S0201"], ["S0102", "S0202"],
    ]  # fmt: skip
    assert {name: south.label(h) for name, h in south.places.items()} == {"Mill": "S0402"}
    assert {south.label(h): sign for h, sign in south.signs.items()} == {"S0402": "castle"}
    assert {name: [*map(south.label, hexes)] for name, hexes in south.areas.items()} == {"red": ["S0402"]}
    assert [*south.entries] == ["red"]
    assert doubts(south) == []


def test_what_hangs_together_beyond_the_edge_of_a_sheet_is_no_doubt() -> None:
    """Land and regions in pieces on the sheet alone; a piece inside it is one still."""
    data: Any = strictyaml.load(HALVED, "map.yaml")
    data["terrain"]["rows"] = "01 . . . .\n02 . . . .\n03 . ~ . .\n04 . ~ ~ .\n05 . - . -\n"
    data["roads"]["chains"], data["hexsides"]["chains"] = [], []
    data["regions"] = {"provenance": "test", "legend": {"A": "Avon", "B": "Brent"}}
    data["regions"]["rows"] = "01 A A A A\n02 A A A A\n03 A . A A\n04 A . . A\n05 A . B .\n"
    whole, south = Map.from_data(data), Map.from_data(data, sheet="S")
    assert doubts(whole) == []
    assert doubts(south) == []
    data["regions"]["rows"] = "01 A A A A\n02 A A A A\n03 A . A A\n04 A . . A\n05 B . B .\n"
    (apart,) = doubts(Map.from_data(data, sheet="S"))
    assert apart.what == "S0103 of Brent lie apart"


@pytest.mark.parametrize(
    ("sheet", "says"),
    [
        ("X", "sheet: there is no sheet 'X'; sheets are N, S"),
        ("s", "sheet: there is no sheet 's'; sheets are N, S"),
    ],
)
def test_a_sheet_that_is_none_is_refused(sheet: str, says: str) -> None:
    with pytest.raises(BadScenario, match=says):
        Map.from_data(strictyaml.load(HALVED, "map.yaml"), sheet=sheet)


def test_a_sheet_of_a_map_without_sheets_or_without_ground_is_refused() -> None:
    with pytest.raises(BadScenario, match="there is no sheet 'S'; the map has no sheets: leave it out"):
        Map.from_data(SMALL, sheet="S")
    bare = changed("numbering/sheets", [{"prefix": "N"}, {"prefix": "S", "rows": [1, 9], "row_offset": 50}])
    for block in ("roads", "hexsides", "areas", "victory", "entries", "places"):
        bare[block] = {"provenance": "reconstructed"}
    with pytest.raises(BadScenario, match="sheet: no hex of sheet S is in play; name another sheet"):
        Map.from_data(bare, sheet="S")


# maps that are too large


def test_a_map_has_a_bounded_number_of_hexes() -> None:
    """And a list of hexes that names one many times is refused at once."""
    rows = "\n".join(f"{number:02}{' ' * (number % 2 == 0)}{' .' * 201}" for number in range(100, 0, -1))
    with within(400), pytest.raises(BadScenario, match=r"terrain\.rows: 20100 hexes; a map has 20000 at most"):
        Map.from_data(changed("terrain/rows", rows))
    with within(400), pytest.raises(BadScenario, match="areas red: hex 0401 stands there twice"):
        Map.from_data(changed("areas/hexes/red", "0401 " * 50_000))
    with within(400), pytest.raises(BadScenario, match="roads lane: hex 0301 stands there twice"):
        Map.from_data(changed("roads/chains/0/hexes", "0401 0301 " * 50_000))
