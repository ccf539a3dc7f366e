"""The Domyoji map and its army: the places, the rivers and roads, the line, who stands where and how far marches go."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pbem.maps.check import doubts
from pbem.maps.hexes import Hex, are_adjacent, distance, neighbours
from pbem.maps.map import Map
from pbem.strictyaml import load

FOLDER = Path(__file__).parents[2] / "scenarios" / "yukimura"
TERRAIN = {"flat", "marsh", "mountain", "large_river", "mound", "star", "road"}
SIDES = {"small_river", "impassable", "line"}
MARCH = 8  # 7-5-2

PLACES = {
    "Komatsuyama": "2022", "Katayama": "2419", "Kokubu": "2030", "Yamato gorge": "2635", "Tajiri": "1233",
    "Domyoji": "1914", "Domyoji ford": "2117", "Furuichi ford": "0717", "Ishikawa confluence": "2916",
    "Ishikawa": "0317", "Konda Hachiman": "1008", "Ojin mound": "1209", "Nakatsuyama": "2011", "Ichinoyama": "2214",
    "Furuichi": "0408", "Fujiidera": "2002", "Hakayama": "0706", "Hakucho": "0206", "Nonoue": "0801",
    "Furumuro": "1710", "Nara road": "2035", "Sekiya road": "1234",
}  # fmt: skip
MOUNDS = {"1109", "1110", "1209", "1210", "1309", "1310", "2011", "2214", "1710", "0706", "0206"}
COUNTS = {
    "goto": 10, "akashi": 10, "mori": 10, "sanada": 14, "mizuno": 11, "honda": 9, "tadaaki": 9, "date": 26,
    "tadateru": 18,
}  # fmt: skip
LETTERS = {
    "goto": "go", "akashi": "ak", "mori": "mo", "sanada": "sa", "mizuno": "mi", "honda": "ho", "tadaaki": "ta",
    "date": "da", "tadateru": "td",
}  # fmt: skip
KINDS = {  # commanders, mounted, mounted riflemen, riflemen, foot
    "goto": (1, 2, 0, 4, 3), "akashi": (2, 1, 0, 3, 4), "mori": (2, 2, 0, 3, 3), "sanada": (2, 4, 0, 3, 5),
    "mizuno": (1, 2, 0, 4, 4), "honda": (1, 2, 0, 3, 3), "tadaaki": (1, 2, 0, 3, 3), "date": (3, 3, 6, 8, 6),
    "tadateru": (1, 3, 0, 6, 8),
}  # fmt: skip
QUALITY = {
    "goto": 5, "akashi": 4, "mori": 5, "sanada": 5, "mizuno": 4, "honda": 4, "tadaaki": 3, "date": 4, "tadateru": 2,
}  # fmt: skip
STARTS = {  # rows and columns of each force's ground, from the first corner to the last
    "goto": ("1921", "2223"), "akashi": ("1511", "1813"), "mori": ("1902", "2105"), "sanada": ("0601", "0904"),
    "mizuno": ("1927", "2130"), "honda": ("1631", "2032"), "tadaaki": ("2131", "2333"),
}  # fmt: skip
RANGES = {
    "Date Masamune": 10, "Matsudaira Tadateru": 10, "Sanada Yukimura": 5, "Goto Mototsugu": 5, "Mori Katsunaga": 5,
    "Akashi Morishige": 5, "Mizuno Katsunari": 5, "Honda Tadamasa": 5, "Matsudaira Tadakira": 5,
    "Katakura Kagetsuna": 3, "Okuyama Kanekiyo": 3, "Susukida Kanesuke": 3, "Mori Katsuie": 3, "Sanada Nobumasu": 3,
}  # fmt: skip


def _data(folder: str) -> dict[str, Any]:
    data = load((FOLDER / folder / "domyoji.yaml").read_bytes(), f"{folder}/domyoji.yaml")
    assert isinstance(data, dict)
    return data


MAP_DATA = _data("maps")
BOARD = Map.from_data(MAP_DATA, barred={"impassable"})
FORCES: dict[str, dict[str, Any]] = {force["id"]: force for force in _data("armies")["forces"]}
UNITS: list[dict[str, Any]] = [unit for force in FORCES.values() for unit in force["units"]]


def at(number: str) -> Hex:
    return BOARD.parse(number)


def labels(hexes: Iterable[Hex]) -> set[str]:
    return {BOARD.label(h) for h in hexes}


def box(first: str, last: str) -> set[str]:
    rows, columns = range(int(first[:2]), int(last[:2]) + 1), range(int(first[2:]), int(last[2:]) + 1)
    return {f"{row:02}{column:02}" for row in rows for column in columns}


def of(feature: str) -> set[str]:
    return labels(h for h in BOARD.hexes if feature in BOARD.terrain[h])


def side_of(unit: dict[str, Any]) -> str:
    return next(str(force["side"]) for force in FORCES.values() if unit in force["units"])


# movement by the rulebook, without enemies: 7-2, 7-5, 12


def cost(a: Hex, b: Hex) -> int | None:
    """Points for a step; None where it is forbidden."""
    if BOARD.road(a, b):
        return 1
    if "impassable" in BOARD.side(a, b) or any("large_river" in BOARD.terrain[h] for h in (a, b)):
        return None
    slow = BOARD.terrain[b] & {"marsh", "mountain"}
    return (2 if slow else 1) + (1 if "small_river" in BOARD.side(a, b) else 0)


def walk(start: Hex, points: int, barred: Collection[Hex] = ()) -> set[Hex]:
    """Where a normal move can end."""
    best, todo = {start: 0}, [start]
    while todo:
        h = todo.pop()
        for n in BOARD.neighbours[h]:
            price = None if n in barred else cost(h, n)
            if price is not None and (spent := best[h] + price) <= points and spent < best.get(n, points + 1):
                best[n] = spent
                todo.append(n)
    return set(best)


def march(start: Hex, length: int = MARCH, barred: Collection[Hex] = ()) -> set[Hex]:
    """Where a road march of so many hexes can lead."""
    found, last = {start}, {start}
    for _ in range(length):
        last = {n for h in last for n in BOARD.neighbours[h] if BOARD.road(h, n) and n not in barred} - found
        found |= last
    return found


def turns_to(starts: Iterable[Hex], goals: set[Hex], points: int, barred: Collection[Hex] = ()) -> int:
    """How many turns one unit needs from the nearest hex to a goal, by march or by its points each turn."""
    found, turns = set(starts), 0
    last = set(found)
    while not found & goals:
        turns += 1
        last = {n for h in last for n in walk(h, points, barred) | march(h, MARCH, barred)} - found
        assert last, "no way"
        found |= last
    return turns


def west_of_line(board: Map) -> set[Hex]:
    """All that is reached from the west edge over any ground without crossing the line."""
    found = {h for h in board.hexes if board.label(h)[2:] == "01"}
    todo = list(found)
    while todo:
        h = todo.pop()
        new = {n for n in board.neighbours[h] if n not in found and "line" not in board.side(h, n)}
        found |= new
        todo += new
    return found


# the map


def test_the_map_has_no_defects() -> None:
    assert doubts(BOARD) == []
    assert {feature for features in BOARD.terrain.values() for feature in features} == TERRAIN
    assert {course.kind for course in BOARD.hexsides} == SIDES
    assert (BOARD.name, BOARD.layout) == ("domyoji", "pointy")


def test_every_block_says_where_it_comes_from() -> None:
    for block, words in BOARD.provenance.items():
        assert any(source in words for source in ("rulebook", "fact", "reconstructed")), block


def test_it_is_29_rows_of_35_hexes_but_for_the_south_eastern_edge() -> None:
    numbers = labels(BOARD.hexes)
    assert box("0101", "2935") - numbers == box("0135", "1235")
    assert numbers <= box("0101", "2935")


@pytest.mark.parametrize(("name", "number"), PLACES.items())
def test_a_place_lies_at_its_hex(name: str, number: str) -> None:
    assert BOARD.label(BOARD.places[name]) == number


def test_the_star_stands_on_komatsuyama_alone() -> None:
    assert of("star") == {"2022"}
    assert "mountain" in BOARD.terrain[at("2022")]


def test_the_mountains_are_where_the_hills_are() -> None:
    mass = of("mountain") & box("1520", "2423")
    assert 24 <= len(mass) <= 34  # ridge and spurs, not a block
    pieces = _pieces({at(n) for n in mass})
    assert len(pieces) == 1
    north = box("2726", "2935") - of("large_river")
    south = box("0127", "1034")
    assert north <= of("mountain")
    assert len(south & of("mountain")) >= 0.9 * len(south)
    assert not of("mountain") & box("1728", "2333"), "the gap at Kokubu is open"
    assert not {n for n in of("mountain") if int(n[2:]) < 20}, "the plain has no mountains"


def _pieces(hexes: set[Hex]) -> list[set[Hex]]:
    left, pieces = set(hexes), []
    while left:
        piece, todo = set[Hex](), [left.pop()]
        while todo:
            h = todo.pop()
            piece.add(h)
            new = {n for n in BOARD.neighbours[h] if n in left}
            left -= new
            todo += new
        pieces.append(piece)
    return pieces


# burial mounds: clause 12-1(4), gap R97


def test_mounds_are_flat_and_lie_where_they_are_listed() -> None:
    assert of("mound") == MOUNDS
    assert of("mound") <= of("flat")


def test_every_impassable_side_belongs_to_a_mound_and_every_mound_has_a_way_in() -> None:
    mounds = {at(n) for n in MOUNDS}
    for crossing in BOARD.hexsides:
        if crossing.kind == "impassable":
            assert all((a in mounds) != (b in mounds) for a, b in crossing.sides)
    for piece in _pieces(mounds):
        shut = [n for h in piece for n in BOARD.neighbours[h] if n not in piece and "impassable" in BOARD.side(h, n)]
        opened = [n for h in piece for n in BOARD.neighbours[h] if n not in piece and not BOARD.side(h, n)]
        assert len(shut) >= 3
        assert opened


def test_a_side_of_the_ojin_mound_stops_a_step_and_its_open_side_lets_it_pass() -> None:
    assert at("1109") not in walk(at("1108"), 1)
    assert at("1109") in walk(at("1008"), 1)


# rivers


def test_the_ishikawa_runs_from_edge_to_edge_with_two_shallows() -> None:
    rivers = of("large_river")
    shallow = {"1017", "1118", "1218", "1817", "1917", "2016"}
    course = {n for n in rivers if 16 <= int(n[2:]) <= 18 and n not in {"2817", "2818"}}
    assert {int(n[:2]) for n in course | shallow} == set(range(1, 30))
    assert len(course | shallow) == 29  # a hex in each row
    in_order = [at(n) for n in sorted(course | shallow)]
    assert all(are_adjacent(a, b) for a, b in pairwise(in_order))
    assert {"0317", "0717", "2117", "2916"} <= course
    for number in shallow:
        beside = [BOARD.side(at(number), n) for n in BOARD.neighbours[at(number)]]
        assert sum("small_river" in side for side in beside) >= 1
        assert sum("line" in side for side in beside) >= 1
        assert "marsh" in BOARD.terrain[at(number)]


@pytest.mark.parametrize(("name", "above", "below"), [("Domyoji", "2117", "1717"), ("Konda", "1318", "0918")])
def test_the_shallows_join_the_broad_river_above_and_below(name: str, above: str, below: str) -> None:
    sides = next(c.sides for c in BOARD.hexsides if c.name == f"{name} shallows")
    ends = [{h for side in sides[i:j] for h in side} for i, j in ((0, 1), (len(sides) - 1, len(sides)))]
    touched = {BOARD.label(n) for end in ends for n in _meeting(end)}
    assert {above, below} <= touched


def _meeting(side: set[Hex]) -> set[Hex]:
    a, b = side
    return {n for n in neighbours(a) if n in neighbours(b) and n in BOARD}


def test_the_yamato_runs_from_the_gorge_to_the_confluence() -> None:
    rivers = {at(n) for n in of("large_river")}
    yamato = next(piece for piece in _pieces(rivers) if at("2635") in piece)
    assert at("2817") in yamato
    assert at("2916") in yamato, "it leaves northwards, with the Ishikawa"
    assert {n[:2] for n in labels(yamato) if int(n[2:]) > 17} <= {"26", "27", "28"}


def test_broad_rivers_are_crossed_at_the_three_fords_alone() -> None:
    rivers = {at(n) for n in of("large_river")}
    fords = {h for h in rivers if any(BOARD.road(h, n) for n in BOARD.neighbours[h])}
    assert labels(fords) == {"2117", "0717", "2625"}
    assert at("2117") in walk(at("2118"), 1)
    assert cost(at("2017"), at("2117")) is None, "not from beside the road"
    assert all(cost(n, at("1518")) is None for n in BOARD.neighbours[at("1518")])


@pytest.mark.parametrize(
    ("name", "source", "mouth"),
    [("Haragawa", "1134", "2624"), ("Asuka river", "0129", "0817"), ("Omizu river", "0103", "2906")],
)
def test_a_stream_flows_from_the_edge_to_a_river_or_the_edge(name: str, source: str, mouth: str) -> None:
    (stream,) = (c for c in BOARD.hexsides if c.name == name)
    assert stream.kind == "small_river"
    first, last = (set(stream.sides[i]) | _meeting(set(stream.sides[i])) for i in (0, -1))
    assert source in {BOARD.label(h) for h in first}
    assert mouth in {BOARD.label(h) for h in last}
    assert any(n not in BOARD for h in first for n in neighbours(h)), "it springs beyond the edge"
    assert labels(last) & of("large_river") or any(n not in BOARD for h in last for n in neighbours(h))


# the line


def test_the_line_parts_the_map_in_two_with_the_river_east_of_it() -> None:
    west = west_of_line(BOARD)
    east = set(BOARD.hexes) - west
    assert len(_pieces(west)) == len(_pieces(east)) == 1
    assert not labels(west) & of("large_river")
    assert {"1914", "2015", "2116", "0716", "2915", "0116"} <= labels(west)
    assert {"2117", "2118", "0717", "0718", "2022", "2916", "0117", "1917", "1118"} <= labels(east)
    assert all((a in west) != (b in west) for c in BOARD.hexsides if c.kind == "line" for a, b in c.sides)


def test_a_line_with_a_gap_would_not_part_it() -> None:
    data = copy.deepcopy(MAP_DATA)
    line = next(c for c in data["hexsides"]["chains"] if c["kind"] == "line")
    line["sides"] = " ".join(line["sides"].split()[:-3])
    broken = Map.from_data(data)
    assert west_of_line(broken) == set(broken.hexes)


# roads


def test_every_road_hex_joins_the_next() -> None:
    for road in BOARD.roads:
        assert all(are_adjacent(a, b) and BOARD.road(a, b) for a, b in pairwise(road.hexes)), road.name
        assert not any("impassable" in BOARD.side(a, b) for a, b in pairwise(road.hexes)), road.name


def test_all_roads_hang_together() -> None:
    roads = {h for road in BOARD.roads for h in road.hexes}
    assert march(at("2035"), len(roads)) == roads


@pytest.mark.parametrize(
    ("name", "through"),
    [
        ("Nara road", ["2035", "2030", "2224", "2419", "2117", "1914", "2002", "2001"]),
        ("Sekiya road", ["1234", "1730", "2030"]),
        ("Furuichi road", ["0717", "0408", "0801"]),
        ("Komatsuyama road", ["2118", "2022", "2126"]),
    ],
)
def test_a_road_leads_through_its_places(name: str, through: list[str]) -> None:
    hexes = [BOARD.label(h) for road in BOARD.roads if road.name == name for h in road.hexes]
    assert [n for n in hexes if n in through] == through


def test_roads_leave_the_map_at_the_entries_and_nowhere_else() -> None:
    assert BOARD.entries.keys() == {"east", "west", "north", "south"}
    edges = {"west": "01", "north": "29", "south": "01"}
    for edge, digits in edges.items():
        part = slice(2, 4) if edge == "west" else slice(0, 2)
        on_edge = {n for n in of("road") if n[part] == digits}
        assert labels(BOARD.entries[edge]) == on_edge, edge
    eastern = box("1335", "2935") | box("0134", "1234")
    assert labels(BOARD.entries["east"]) == of("road") & eastern == {"2035", "1234"}


def test_all_ground_but_the_broad_rivers_can_be_reached_from_the_sekiya_road() -> None:
    on_foot = {h for h in BOARD.hexes if "large_river" not in BOARD.terrain[h]}
    found = {at("1234")}
    todo = list(found)
    while todo:
        h = todo.pop()
        new = {n for n in BOARD.neighbours[h] if n not in found and cost(h, n) is not None}
        found |= new
        todo += new
    assert found - on_foot == {at("2117"), at("0717"), at("2625")}
    assert labels(on_foot - found) == set()


# the army


def test_every_force_has_its_number_of_units() -> None:
    assert {force: len(data["units"]) for force, data in FORCES.items()} == COUNTS
    assert Counter(data["side"] for data in FORCES.values()) == {"osaka": 4, "east": 5}


@pytest.mark.parametrize("force", COUNTS)
def test_a_force_has_its_kinds_values_and_ids(force: str) -> None:
    units = FORCES[force]["units"]
    quality = QUALITY[force]
    leaders = [u for u in units if u.get("commander") == "yes"]
    others = [u for u in units if u not in leaders]
    kinds = Counter(u["branch"] for u in others)
    assert (len(leaders), *(kinds[b] for b in ("mounted", "mounted-rifle", "rifle", "foot"))) == KINDS[force]
    assert units[: len(leaders)] == leaders
    assert {_values(u) for u in leaders} == {("2", str(quality + 1), "5")}
    for u in others:
        assert _values(u) == (("4", str(quality), "5") if "mounted" in u["branch"] else ("3", str(quality), "3"))
    assert [u["id"] for u in units] == [f"{LETTERS[force]}-{i:02}" for i in range(1, COUNTS[force] + 1)]


def _values(unit: dict[str, Any]) -> tuple[str, str, str]:
    return unit["strength"], unit["morale"], unit["move"]


def test_commanders_have_the_rulebooks_ranges() -> None:
    assert {u["name"]: int(u["command"]) for u in UNITS if "command" in u} == RANGES
    assert all(("command" in u) == (u.get("commander") == "yes") for u in UNITS)


def test_names_are_told_apart() -> None:
    for key in ("id", "name", "short"):
        assert max(Counter(u[key] for u in UNITS).values()) == 1, key
    assert all(len(u["short"]) <= 8 and u["short"].isascii() for u in UNITS)


def test_reinforcements_start_off_the_map_and_all_others_on_it() -> None:
    off = {force for force, data in FORCES.items() if not any("at" in u for u in data["units"])}
    assert off == {"date", "tadateru"}
    assert all("at" in u for force, data in FORCES.items() if force not in off for u in data["units"])


@pytest.mark.parametrize("force", STARTS)
def test_a_force_starts_on_its_ground_a_unit_a_hex(force: str) -> None:
    starts = [u["at"] for u in FORCES[force]["units"]]
    assert set(starts) <= box(*STARTS[force])
    assert labels(BOARD.areas[force]) == box(*STARTS[force])
    assert not set(starts) & of("large_river")
    assert all(at(n) in BOARD for n in starts)


def test_no_two_units_start_in_one_hex_and_no_enemies_side_by_side() -> None:
    starts = {u["at"]: side_of(u) for u in UNITS if "at" in u}
    assert len(starts) == sum("at" in u for u in UNITS) == 73
    east = [at(n) for n, side in starts.items() if side == "east"]
    osaka = [at(n) for n, side in starts.items() if side == "osaka"]
    assert min(distance(a, b) for a in east for b in osaka) >= 4
    assert not labels(BOARD.entries["east"]) & starts.keys()
    assert not labels(BOARD.entries["west"]) & starts.keys()


@pytest.mark.parametrize("force", STARTS)
def test_units_start_in_command_and_the_riflemen_before_the_commander(force: str) -> None:
    units = FORCES[force]["units"]
    chief = units[0]
    assert all(distance(at(chief["at"]), at(u["at"])) <= int(chief["command"]) for u in units)
    towards = 1 if FORCES[force]["side"] == "osaka" else -1  # Osaka looks east
    rifles = [int(u["at"][2:]) for u in units if u["branch"] == "rifle"]
    assert all(towards * (column - int(chief["at"][2:])) > 0 for column in rifles)


def test_goto_holds_komatsuyama() -> None:
    assert next(u["at"] for u in UNITS if u["id"] == "go-01") == "2022"
    assert {u["at"] for u in FORCES["goto"]["units"]} <= of("mountain")


# marches as history knows them, nobody in the way


def test_mori_reaches_the_hill_of_komatsuyama_in_two_marches_and_not_in_one() -> None:
    hill = {at(n) for n in of("mountain") & box("1520", "2423")}
    starts = [at(u["at"]) for u in FORCES["mori"]["units"]]
    assert any(march(h, 2 * MARCH) & hill for h in starts)
    assert not any(march(h) & hill for h in starts)
    van = at("2005")
    assert 16 <= min(n for n in range(40) if at("2022") in march(van, n)) <= 20


def test_sanada_needs_more_turns_than_mori() -> None:
    mori, sanada = (
        turns_to([at(u["at"]) for u in FORCES[force]["units"] if u["move"] == "5"], {at("2022")}, 5)
        for force in ("mori", "sanada")
    )
    assert (mori, sanada) == (3, 4)


@pytest.mark.parametrize(("points", "turn"), [(3, 5), (5, 5)])
def test_date_entering_on_turn_1_is_across_by_turn_5(points: int, turn: int) -> None:
    across = west_of_line(BOARD)
    for entry in ("2035", "1234"):
        first = walk(at(entry), points - 1)  # 8-1: the entry costs a point
        assert not first & across
        assert 1 + turns_to(first, across, points) <= turn


def test_mizuno_can_go_round_goto_to_the_ford_by_turn_5() -> None:
    goto = [at(u["at"]) for u in FORCES["goto"]["units"]]
    near = {*goto, *(n for h in goto for n in BOARD.neighbours[h])}
    starts = [at(u["at"]) for u in FORCES["mizuno"]["units"] if u["move"] == "5"]
    assert turns_to(starts, {at("2118")}, 5, near) <= 5
    assert at("2118") not in near
