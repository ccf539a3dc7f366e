"""The Yao-Wakae map and its forces: places and rivers where they belong, roads joined, every unit where it starts."""

from __future__ import annotations

import copy
import heapq
from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import pytest

from pbem import strictyaml
from pbem.errors import Defects, MalformedOrder
from pbem.maps.check import doubts
from pbem.maps.hexes import Hex, are_adjacent, distance, neighbours
from pbem.maps.map import Map
from pbem.maps.numbering import Cell
from pbem.resources import data_folder
from pbem.rules.yukimura.armies import read_armies

TERRAIN = {"flat", "marsh", "large_river", "road"}
SIDES = {"small_river", "impassable"}


def _file(kind: str) -> dict[str, Any]:
    data = strictyaml.load((data_folder("scenarios") / "yukimura" / kind / "yao.yaml").read_bytes(), f"{kind}/yao.yaml")
    assert isinstance(data, dict)
    return data


@pytest.fixture(scope="module")
def yao() -> Map:
    return Map.from_data(_file("maps"), barred={"impassable"})


@pytest.fixture(scope="module")
def army() -> dict[str, Any]:
    return _file("armies")


@pytest.fixture(scope="module")
def starts(yao: Map, army: dict[str, Any]) -> dict[str, Hex]:
    """Unit id -> the hex where it starts."""
    return {unit["id"]: yao.parse(unit["at"]) for force in army["forces"] for unit in force["units"]}


def hexes(board: Map, numbers: str) -> list[Hex]:
    return [board.parse(number) for number in numbers.split()]


def road(board: Map, name: str) -> tuple[Hex, ...]:
    return next(chain.hexes for chain in board.roads if chain.name == name)


def river(board: Map, name: str) -> tuple[tuple[Hex, Hex], ...]:
    return next(crossing.sides for crossing in board.hexsides if crossing.name == name)


def cost(board: Map, a: Hex, b: Hex) -> int | None:
    """Movement points for a step by the rulebook's section 12, None where it is forbidden."""
    if "impassable" in board.side(a, b):
        return None
    if board.road(a, b):
        return 1
    if "large_river" in board.terrain[a] | board.terrain[b]:
        return None
    return (2 if "marsh" in board.terrain[b] else 1) + ("small_river" in board.side(a, b))


def reach(board: Map, start: Hex, allowance: int = 999) -> dict[Hex, int]:
    """Every hex within an allowance, with what it costs to come there."""
    found: dict[Hex, int] = {}
    todo = [(0, start)]
    while todo:
        spent, h = heapq.heappop(todo)
        if h in found:
            continue
        found[h] = spent
        for n in board.neighbours[h]:
            step = cost(board, h, n)
            if step is not None and spent + step <= allowance:
                heapq.heappush(todo, (spent + step, n))
    return found


def turned(data: dict[str, Any], number: str, letter: str) -> Map:
    """The map with another letter in one hex."""
    data = copy.deepcopy(data)
    lines = data["terrain"]["rows"].splitlines()
    i = next(i for i, line in enumerate(lines) if line.split()[0] == number[:2])
    words = lines[i].split()
    words[int(number[2:])] = letter
    blanks = len(lines[i]) - len(lines[i][2:].lstrip()) - 2
    lines[i] = words[0] + " " * blanks + " ".join(words[1:])
    data["terrain"]["rows"] = "\n".join(lines)
    return Map.from_data(data)


# the map as a whole


def test_it_passes_every_check(yao: Map) -> None:
    assert doubts(yao) == []
    assert {feature for features in yao.terrain.values() for feature in features} == TERRAIN
    assert {course.kind for course in yao.hexsides} == SIDES


def test_thirty_rows_from_the_south_of_thirty_four_hexes_from_the_west(yao: Map) -> None:
    assert len(yao.hexes) == 30 * 34
    assert yao.direction(yao.parse("0101"), yao.parse("0201")) == "north-east"  # even rows stand further east
    assert yao.direction(yao.parse("0101"), yao.parse("0102")) == "east"
    with pytest.raises(MalformedOrder):
        yao.parse("3101")
    with pytest.raises(MalformedOrder):
        yao.parse("0135")


def test_every_hex_has_one_terrain(yao: Map) -> None:
    assert all(len(yao.terrain[h] & {"flat", "marsh", "large_river"}) == 1 for h in yao.hexes)


def test_every_block_tells_its_source(yao: Map, army: dict[str, Any]) -> None:
    known = ("rulebook", "fact", "reconstructed")
    assert all(any(word in text for word in known) for text in yao.provenance.values())
    assert all(any(word in text for word in known) for text in army["provenance"].values())


@pytest.mark.parametrize(
    ("place", "number"),
    [
        ("Wakae", "2811"),
        ("Wakae castle", "2913"),
        ("Wakae road", "2801"),
        ("Kyuhoji", "0306"),
        ("Kyuhoji road", "0201"),
        ("Yao", "0214"),
        ("Kayafuri", "1115"),
        ("Anou", "0818"),
        ("Nagase bridge", "0210"),
        ("Tamakushi bridge", "2719"),
        ("Nishigori", "2022"),
    ],
)
def test_places(yao: Map, place: str, number: str) -> None:
    assert yao.label(yao.places[place]) == number


def test_villages_and_roads_are_flat_the_rest_of_the_low_ground_mostly_marsh(yao: Map) -> None:
    dry = {h for chain in yao.roads for h in chain.hexes} | {*yao.places.values(), *hexes(yao, "2810 2812 0206")}
    assert all("flat" in yao.terrain[h] or yao.label(h) == "0210" for h in dry)
    low = [h for h in yao.hexes if 11 <= yao.numbering.cell_of(h).column <= 28]
    marsh = sum("marsh" in yao.terrain[h] for h in low)
    assert 0.55 < marsh / len(low) < 0.75


# rivers


def test_the_nagase_fills_hexes_from_the_south_edge_to_the_west_edge(yao: Map) -> None:
    found = {h for h in yao.hexes if "large_river" in yao.terrain[h]}
    assert found >= set(hexes(yao, "0110 0210 0910 1804 2401"))
    start, end = hexes(yao, "0110 2401")
    course, rest = [start], found - {start}
    while course[-1] != end:  # each hex adjoins the one before and no other later one: a line one hex wide
        (following,) = [h for h in rest if are_adjacent(h, course[-1])]
        course.append(following)
        rest.discard(following)
    assert not rest
    rows = [yao.numbering.cell_of(h).row for h in course]
    assert rows == sorted(rows)


def test_the_nagase_is_crossed_on_the_yao_road_alone(yao: Map) -> None:
    bridge = yao.parse("0210")
    crossed = {h for chain in yao.roads for h in chain.hexes if "large_river" in yao.terrain[h]}
    assert crossed == {bridge}
    assert cost(yao, yao.parse("0209"), bridge) == cost(yao, bridge, yao.parse("0211")) == 1
    assert cost(yao, yao.parse("0309"), bridge) is None
    assert cost(yao, yao.parse("0409"), yao.parse("0410")) is None
    assert set(reach(yao, yao.parse("0201"))) == {
        h for h in yao.hexes if "large_river" not in yao.terrain[h] or h == bridge
    }


def test_without_its_bridge_the_nagase_parts_kyuhoji_from_the_rest() -> None:
    data = _file("maps")
    (yao_road,) = [chain for chain in data["roads"]["chains"] if chain["name"] == "Yao road"]
    yao_road["hexes"] = yao_road["hexes"].partition("0210")[0]
    board = Map.from_data(data)
    west = reach(board, board.parse("0201"))
    assert board.parse("0206") in west
    assert board.parse("2301") in west
    assert not {board.parse(number) for number in ("0211", "2801", "2501", "0214")} & set(west)
    dammed = reach(turned(data, "1506", "."), board.parse("0201"))  # one gap would do
    assert board.parse("2801") in dammed


@pytest.mark.parametrize(
    ("name", "at", "columns"),
    [
        ("Tamakushi river", "0120 0420 1521 2719", (17, 22)),
        ("Onji river", "0128 1528 2028 3027", (26, 29)),
    ],
)
def test_small_rivers_run_from_edge_to_edge(yao: Map, name: str, at: str, columns: tuple[int, int]) -> None:
    sides = river(yao, name)
    assert len(set(map(frozenset, sides))) == len(sides)
    for (a, b), (c, d) in pairwise(sides):
        meet = {a, b, c, d}
        assert len(meet) == 3
        assert all(are_adjacent(x, y) for x, y in combinations(sorted(meet), 2))  # the three hexes round one corner
    banks = {h for side in sides for h in side}
    assert banks >= set(hexes(yao, at))
    assert all(columns[0] <= yao.numbering.cell_of(h).column <= columns[1] for h in banks)
    assert {yao.numbering.cell_of(h).row for h in sides[0]} == {1}
    assert {yao.numbering.cell_of(h).row for h in sides[-1]} == {30}
    assert all("small_river" in yao.side(a, b) for a, b in sides)


def test_the_tamakushi_runs_between_wakae_and_ii_on_a_dike(yao: Map) -> None:
    sides = river(yao, "Tamakushi river")
    level = [(a, b) for a, b in sides if yao.numbering.cell_of(a).row == yao.numbering.cell_of(b).row]
    assert len(level) == 30
    assert all("flat" in yao.terrain[min(side, key=lambda h: yao.numbering.cell_of(h).column)] for side in level)
    crossing = yao.parse("2718"), yao.parse("2719")
    assert "small_river" in yao.side(*crossing)
    assert cost(yao, *crossing) == 1  # on the road
    assert cost(yao, yao.parse("2618"), yao.parse("2619")) == 2


def test_the_ponds_south_of_wakae_are_few_and_closed(yao: Map) -> None:
    (ponds,) = [crossing.sides for crossing in yao.hexsides if crossing.name == "Wakae ponds"]
    assert 1 <= len(ponds) <= 6
    assert yao.side(yao.parse("2512"), yao.parse("2612")) == {"impassable"}
    assert all(cost(yao, a, b) is None and not yao.road(a, b) for a, b in ponds)
    assert cost(yao, yao.parse("2511"), yao.parse("2611")) == 1  # the Kayafuri road goes round them


def test_moats_leave_kimura_at_wakae_the_road(yao: Map) -> None:
    moats = {side for crossing in yao.hexsides if crossing.name.startswith("Wakae moat") for side in crossing.sides}
    assert all("impassable" in yao.side(a, b) for a, b in moats)
    wakae = yao.parse("2810")
    assert {yao.label(n) for n in yao.neighbours[wakae] if cost(yao, wakae, n) is not None} == {"2809", "2811"}
    assert all(yao.road(wakae, yao.parse(n)) for n in ("2809", "2811"))


# roads


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("Yao road", "0201 0206 0211 0214 0420 0228 0233 0234"),
        ("Wakae road", "2801 2811 2719"),
        ("Jusan road", "2719 2022 2024 2028 1533 1534"),
        ("Kayafuri road", "0214 1115 2811"),
        ("Higashi-Koya road", "0133 0233 1533 3033"),
    ],
)
def test_roads_lead_by_their_places_without_a_gap(yao: Map, name: str, by: str) -> None:
    course = road(yao, name)
    assert all(are_adjacent(a, b) for a, b in pairwise(course))
    assert len(set(course)) == len(course)
    order = [course.index(h) for h in hexes(yao, by)]
    assert order == sorted(order)


def test_all_roads_hang_together(yao: Map) -> None:
    todo, found = hexes(yao, "0201"), set(hexes(yao, "0201"))
    while todo:
        here = todo.pop()
        fresh = {link.to for link in yao.links[here] if link.ways} - found
        found |= fresh
        todo += fresh
    assert found == {h for chain in yao.roads for h in chain.hexes}
    assert yao.parse("2801") in found


def test_roads_leave_the_map_where_the_entries_are(yao: Map) -> None:
    shown = {edge: [yao.label(h) for h in found] for edge, found in yao.entries.items()}
    assert shown == {"west": ["0201", "2801"], "east": ["0234", "1534"], "north": ["3033"], "south": ["0133"]}
    ends = {h for chain in yao.roads for h in (chain.hexes[0], chain.hexes[-1])}
    assert {h for found in yao.entries.values() for h in found} == {
        h for h in ends if sum(bool(link.ways) for link in yao.links[h]) == 1
    }
    west = [h for h in yao.hexes if yao.numbering.cell_of(h).column == 1 and any(k.ways for k in yao.links[h])]
    assert {yao.label(h) for h in west} == {"0201", "2801"}


# forces

UNITS = {  # force: side, first letters of its ids, (commanders, mounted, riflemen, foot), quality
    "ii": ("east", "ii", (3, 4, 5, 4), 3),
    "todo": ("east", "to", (4, 3, 5, 5), 2),
    "sakakibara": ("east", "sk", (1, 0, 4, 5), 2),
    "ogasawara": ("east", "og", (1, 0, 3, 4), 2),
    "hoshina": ("east", "hs", (1, 0, 1, 1), 2),
    "suwa": ("east", "su", (1, 0, 1, 1), 2),
    "sakai": ("east", "si", (1, 0, 2, 2), 2),
    "sengoku": ("east", "se", (1, 0, 2, 2), 2),
    "tadayoshi": ("east", "ty", (1, 0, 1, 1), 2),
    "yasunaga": ("east", "yn", (1, 0, 1, 1), 2),
    "naito": ("east", "na", (1, 0, 1, 1), 2),
    "kimura": ("osaka", "ki", (3, 3, 5, 5), 6),
    "chosokabe": ("osaka", "ch", (1, 3, 1, 5), 5),
}
COUNTS = {"ii": 16, "todo": 17, "kimura": 16, "chosokabe": 10, "sakakibara": 10, "ogasawara": 8}
COUNTS |= {"sakai": 5, "sengoku": 5, "hoshina": 3, "suwa": 3, "tadayoshi": 3, "yasunaga": 3, "naito": 3}
COMMANDERS = {
    "ii": {"Ii Naotaka": 10, "Kawate Yoshiyuki": 3, "Ihara Tomomasa": 3},
    "todo": {"Todo Takatora": 10, "Matsudaira Tadakira": 3, "Watanabe Satoru": 3, "Todo Yoshikatsu": 3},
    "kimura": {"Kimura Shigenari": 10, "Yamaguchi Hirosada": 3, "Naito Nagaki": 3},
    "chosokabe": {"Chosokabe Morichika": 10},
    "sakakibara": {"Sakakibara Yasukatsu": 5},
    "ogasawara": {"Ogasawara Hidemasa": 5},
    "hoshina": {"Hoshina Masamitsu": 3},
    "suwa": {"Suwa Tadatsune": 3},
    "sakai": {"Sakai Ietsugu": 3},
    "sengoku": {"Sengoku Tadamasa": 3},
    "tadayoshi": {"Matsudaira Tadayoshi": 3},
    "yasunaga": {"Matsudaira Yasunaga": 3},
    "naito": {"Naito Tadaoki": 3},
}
CHIEFS = {"ii-01": "2024", "to-01": "0218", "ki-01": "2810", "ch-01": "0206"}


def test_the_rules_read_the_forces(yao: Map, army: dict[str, Any]) -> None:
    defects = Defects()
    forces, units, placed = read_armies(["yao"], {"yao": army}, {"yao": yao}, {"yao": ""}, defects)
    assert defects.found == []
    assert {force.id: len(force.units) for force in forces.values()} == COUNTS
    assert sum(COUNTS.values()) == len(units) == 102
    assert placed == units.keys()
    assert all(unit.start is not None for unit in units.values())
    wrong = copy.deepcopy(army)
    wrong["forces"][0]["units"][0]["at"] = "3135"
    read_armies(["yao"], {"yao": wrong}, {"yao": yao}, {"yao": ""}, defects)
    assert len(defects.found) == 1


@pytest.mark.parametrize("force", UNITS)
def test_a_force_has_its_kinds_of_troops_and_their_values(army: dict[str, Any], force: str) -> None:
    side, letters, mix, quality = UNITS[force]
    (data,) = [f for f in army["forces"] if f["id"] == force]
    units = data["units"]
    assert data["side"] == side
    assert [unit["id"] for unit in units] == [f"{letters}-{i:02}" for i in range(1, COUNTS[force] + 1)]
    commanders = [unit for unit in units if unit.get("commander") == "yes"]
    assert commanders == units[: mix[0]]  # first in the list
    branches = Counter(unit["branch"] for unit in units[mix[0] :])
    assert (len(commanders), branches["mounted"], branches["rifle"], branches["foot"]) == mix
    values = {"mounted": ("4", str(quality), "5"), "rifle": ("3", str(quality), "3"), "foot": ("3", str(quality), "3")}
    for unit in units[mix[0] :]:
        assert (unit["strength"], unit["morale"], unit["move"]) == values[unit["branch"]]
        assert "command" not in unit
    for unit in commanders:
        assert (unit["strength"], unit["morale"], unit["move"]) == ("2", str(quality + 1), "5")
    assert {unit["name"]: int(unit["command"]) for unit in commanders} == COMMANDERS[force]  # 13-1(1)


def test_names_tell_units_apart(army: dict[str, Any]) -> None:
    units = [unit for force in army["forces"] for unit in force["units"]]
    for key in ("id", "name", "short"):
        assert len({unit[key] for unit in units}) == len(units)
    assert all(len(unit["short"]) <= 8 and unit["short"].isascii() for unit in units)


# starts

AREAS = {  # force: boxes of hexes, from the south-west corner to the north-east one
    "ii": "2021-2424",
    "todo": "0216-0419 0617-0718 1219-1420 0121-0321",
    "kimura": "2810-2810 2712-2718 2617-2618 2817-2817 2210-2214 3016-3016",
    "chosokabe": "0206-0609 1112-1113",
    "sakakibara": "2528-2731",
    "ogasawara": "2228-2431",
    "hoshina": "2431-2532",
    "suwa": "2131-2232",
    "sengoku": "1831-2032",
    "sakai": "1530-1632",
    "tadayoshi": "1331-1432",
    "yasunaga": "1131-1232",
    "naito": "0931-1032",
}


def within(yao: Map, h: Hex, box: str) -> bool:
    low, high = (Cell(int(number[:2]), int(number[2:])) for number in box.split("-"))
    at = yao.numbering.cell_of(h)
    return low.row <= at.row <= high.row and low.column <= at.column <= high.column


@pytest.mark.parametrize("force", AREAS)
def test_a_force_starts_in_its_area(yao: Map, army: dict[str, Any], starts: dict[str, Hex], force: str) -> None:
    (data,) = [f for f in army["forces"] if f["id"] == force]
    boxes = dict.fromkeys(AREAS[force].split(), 0)
    for unit in data["units"]:
        (box,) = [box for box in boxes if within(yao, starts[unit["id"]], box)]
        boxes[box] += 1
    assert all(boxes.values())  # none of them empty


def test_one_unit_a_hex_none_in_a_river(yao: Map, starts: dict[str, Hex]) -> None:
    assert len(set(starts.values())) == len(starts) == 102
    assert not any("large_river" in yao.terrain[h] for h in starts.values())


def test_nobody_is_pinned_at_the_start(army: dict[str, Any], starts: dict[str, Hex]) -> None:
    at = {
        side: [starts[u["id"]] for f in army["forces"] if f["side"] == side for u in f["units"]]
        for side in ("east", "osaka")
    }
    assert len(at["osaka"]) == 26
    assert min(distance(a, b) for a in at["east"] for b in at["osaka"]) > 3


@pytest.mark.parametrize(("chief", "number"), CHIEFS.items())
def test_the_chiefs_stand_behind_their_men(
    yao: Map, army: dict[str, Any], starts: dict[str, Hex], chief: str, number: str
) -> None:
    assert yao.label(starts[chief]) == number
    own, enemies = _by_side(army, starts, chief)
    nearer = [h for h in own if min(distance(h, e) for e in enemies) < min(distance(starts[chief], e) for e in enemies)]
    assert len(nearer) >= len(own) // 2
    ways = sum(n in yao and cost(yao, starts[chief], n) is not None for n in neighbours(starts[chief]))
    assert ways == 2 if chief == "ki-01" else ways >= 4  # Kimura between moats


def _by_side(army: dict[str, Any], starts: dict[str, Hex], chief: str) -> tuple[list[Hex], list[Hex]]:
    """The hexes of the chief's other men, and of the enemies that may move."""
    (force,) = [f for f in army["forces"] if f["units"][0]["id"] == chief]
    own = [starts[u["id"]] for u in force["units"][1:]]
    movable = [f for f in army["forces"] if f["id"] in ("ii", "todo", "kimura", "chosokabe")]
    return own, [starts[u["id"]] for f in movable if f["side"] != force["side"] for u in f["units"]]


# the first hour


def test_ii_reaches_the_tamakushi_on_turn_1_and_not_before(
    yao: Map, army: dict[str, Any], starts: dict[str, Hex]
) -> None:
    (force,) = [f for f in army["forces"] if f["id"] == "ii"]
    banks = {h for side in river(yao, "Tamakushi river") for h in side}
    assert not {starts[u["id"]] for u in force["units"]} & banks
    west = reach_west(yao)
    assert not {starts[u["id"]] for u in force["units"]} & west  # east of the river
    arriving = [u for u in force["units"] if set(reach(yao, starts[u["id"]], int(u["move"]))) & banks]
    assert {u["branch"] for u in arriving} == {"mounted", "rifle", "foot"}
    assert sum(u["branch"] == "rifle" for u in arriving) == 5


def reach_west(yao: Map) -> frozenset[Hex]:
    """Everything west of the Tamakushi: what can be reached from Wakae without crossing it."""
    todo, found = hexes(yao, "2811"), set(hexes(yao, "2811"))
    while todo:
        here = todo.pop()
        fresh = {n for n in yao.neighbours[here] if n not in found and "small_river" not in yao.side(here, n)}
        found |= fresh
        todo += fresh
    return frozenset(found)


def test_kimura_holds_the_west_dike_and_todo_stands_mostly_west_of_the_river(yao: Map, starts: dict[str, Hex]) -> None:
    west = reach_west(yao)
    banks = {h for side in river(yao, "Tamakushi river") for h in side}
    assert all(starts[u] in west & banks for u in ("ki-09", "ki-10", "ki-11"))  # riflemen
    assert all(starts[u] in west for u in starts if u[:2] in ("ki", "ch"))
    east = {u for u in starts if u.startswith("to") and starts[u] not in west}
    assert east == {"to-03", "to-09", "to-13"}  # Watanabe's wing
    assert not any(starts[u] in west for u in starts if u[:2] in ("sk", "og", "hs", "su", "si", "se", "ty", "yn", "na"))


def test_all_start_in_command_but_the_foremost_of_chosokabes_van(army: dict[str, Any], starts: dict[str, Hex]) -> None:
    """By the optional rule 13-1: within the range of a commander of the own force."""
    out = []
    for force in army["forces"]:
        leaders = [u for u in force["units"] if u.get("commander") == "yes"]
        for unit in force["units"]:
            if all(distance(starts[u["id"]], starts[unit["id"]]) > int(u["command"]) for u in leaders):
                out.append(unit["id"])
    assert out == ["ch-04"]


def test_there_is_time_for_a_decision(yao: Map, starts: dict[str, Hex]) -> None:
    """Foot come from their chief's side to the enemy chief and the west edge in twelve turns off the roads as well."""
    east = {chief: reach(yao, starts[chief]) for chief in ("ii-01", "to-01")}
    assert east["ii-01"][starts["ki-01"]] <= 12 * 3
    assert east["to-01"][starts["ch-01"]] <= 12 * 3
    assert east["ii-01"][yao.parse("2801")] <= 12 * 3
    assert reach(yao, starts["ki-01"])[starts["ii-01"]] <= 12 * 3
    assert east["ii-01"][yao.parse("0201")] > 12 * 3  # but not from one sector to the other's far end
