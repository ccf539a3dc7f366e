"""The data of Tabaruzaka against a second writing of them: counters, commanders, track, ground, roads, streams."""

from __future__ import annotations

import re
from collections import deque
from itertools import pairwise

import pytest

from pbem.scenario import load_scenario

UNITS = {
    "government": """
    Imperial Guard 1st Regiment, I: 6-4-5-4
    Imperial Guard 1st Regiment, II: 6-4-5-4
    Imperial Guard 2nd Regiment, I: 6-4-5-4
    14th Regiment, I: 5-3-4-4
    14th Regiment, II: 5-3-4-4
    14th Regiment, III: 5-3-4-4
    8th Regiment, I: 5-4-4-4
    8th Regiment, II: 5-4-4-4
    9th Regiment, I: 5-4-4-4
    9th Regiment, II: 5-4-4-4
    10th Regiment, I: 5-4-4-4
    11th Regiment, I: 5-4-4-4
    1st Regiment, I: 5-4-4-4
    2nd Regiment, I: 5-4-4-4
    3rd Regiment, I: 5-4-4-4
    6th Regiment, I: 5-4-4-4
    Police sword corps A: 2-6-5-4
    Police sword corps B: 2-6-5-4
    Engineers: 3-3-4-4
    Field battery A: 6-x-4-3(4)
    Field battery B: 6-x-4-3(4)
    Mountain battery: 5-x-4-3(3)
    """,
    "saigo": """
    1st Battalion, company 1: 4-6-5-4
    1st Battalion, company 2: 4-6-5-4
    1st Battalion, company 3: 4-6-5-4
    1st Battalion, company 4: 4-6-5-4
    2nd Battalion, company 1: 4-6-5-4
    2nd Battalion, company 2: 4-6-5-4
    2nd Battalion, company 3: 4-6-5-4
    2nd Battalion, company 4: 4-6-5-4
    4th Battalion, company 1: 4-6-5-4
    4th Battalion, company 2: 4-6-5-4
    4th Battalion, company 3: 4-6-5-4
    4th Battalion, company 4: 4-6-5-4
    3rd and 5th Battalion, detachment A: 4-5-5-4
    3rd and 5th Battalion, detachment B: 4-5-5-4
    Kumamoto-tai A: 4-5-5-4
    Kumamoto-tai B: 4-5-5-4
    Kyodo-tai: 4-5-4-4
    Sadowara-tai: 4-5-4-4
    Obi and Takanabe-tai: 3-4-4-4
    Battery: 5-x-4-3(3)
    """,
}
"""Fire, melee, morale, movement (range)."""

COMMANDERS = {
    "government": """
    Nozu Shizuo: 2/1/0/5/6
    Miyoshi Shigeomi: 2/1/0/5/6
    Nozu Michitsura: 2/1/1/5/6
    Nogi Maresuke: 1/0/1/5/6
    Oyama Iwao: 3/2/0/5/6
    Yamagata Aritomo: 3/1/0/5/6
    """,
    "saigo": """
    Kirino Toshiaki: 2/0/2/6/6
    Shinohara Kunimoto: 2/1/1/6/6
    Murata Shinpachi: 2/1/1/6/6
    Beppu Shinsuke: 2/0/1/6/6
    Ikegami Shiro: 2/1/0/5/6
    Saigo Takamori (aside): 3/1/2/6/6
    """,
}
"""Range of command, fire, melee, morale, movement."""

ROADS = """
    2401 2402 2403 2404 2505 2506 2507 2508 2509 2409 2410 2411 2412 2313 2314 2315 2316 2216 2217 2218 2119 2019 1920
    1820 1721 1722 1622 1623 1524 1525 1526 1426 1427 1428

    2507 2406 2307 2206 2107 2006 1907 1806 1706 1606 1506 1406 1306 1206 1107 1108 1008 0909 0809 0810 0711 0611 0612
    0613 0614 0615 0516 0517 0518 0519 0520 0521 0421 0422 0423 0324 0325 0326 0327 0227 0228 0229 0130 0131

    1428 1329 1228 1129 1029 0930 0829 0730 0630 0530 0430 0331 0230 0131

    1428 1529 1629 1730 1829 1930 2030 2131

    2522 2521 2420 2419 2319 2318 2217 2118 2119 2019 2020 1921 1922 1822 1823 1724 1725 1625

    2217 2117 2016 1917 1816 1716 1615 1515 1414
"""
"""The roads, a paragraph each."""

STREAMS = {
    "Konoha river": """
        1814/1915 1815/1915 1815/1916 1816/1916 1913/2013 1914/1915 1914/2013 1914/2014 1916/1917 1917/2016 1917/2017
        1918/2017 1918/2018 1919/2018 1919/2019 1920/2019 2011/2112 2012/2013 2012/2112 2012/2113 2019/2020 2020/2120
        2020/2121 2021/2121 2110/2210 2111/2112 2111/2210 2111/2211 2121/2122 2122/2221 2122/2222 2123/2222 2206/2307
        2207/2307 2207/2308 2208/2308 2208/2309 2209/2210 2209/2309 2209/2310 2301/2401 2302/2401 2302/2402 2303/2402
        2303/2403 2304/2403 2304/2404 2305/2404 2305/2405 2306/2307 2306/2405 2306/2406
    """,
    "Iseri river": """
        0126/0127 0126/0226 0225/0226 0226/0326 0326/0327 0326/0426 0425/0426 0426/0526 0526/0527 0526/0626 0625/0626
        0626/0726 0726/0727 0726/0826 0825/0826 0825/0926 0925/0926 0926/1025 1025/1026 1025/1126 1125/1126 1126/1225
        1225/1226 1225/1326 1325/1326 1326/1425
    """,
}

HILLS = """
    0904-0912 1004-1012 1104-1112 1314-1315 1413 1415 1423-1424 1514-1516 1522-1525 1614-1616 1620-1624 1715-1716
    1720-1724 1819-1822 1919-1921 2018-2020 2118-2120 2218-2219
"""
MOUNTAINS = "0101-0114 0201-0214 0301-0314 0401-0414 0501-0514 0606-0614 0706-0714 0806-0814 1414"
TOPS = "1820 1414 0813"
CITIES = "1428 2507"

VICTORY = {
    "2401": "Takase road",
    "0131": "Kumamoto road",
    "2507": "Konoha",
    "2315": "Sakaigi",
    "2217": "Toyooka bridge",
    "1820": "Tabaruzaka",
    "1524": "Nanamoto",
    "1428": "Ueki",
    "1615": "Futamata",
    "1414": "Yokohirayama",
    "0611": "Kichiji pass",
    "0520": "Kitome",
    "0730": "Mukaizaka",
}
TURNS = tuple(range(1, 15))


def span(words):
    """The numbers of hexes written as `0904-0912`, from one column to another of a row, or alone."""
    found = set()
    for word in words.split():
        first, _, last = word.partition("-")
        found |= {f"{number:04}" for number in range(int(first), int(last or first) + 1)}
    return found


def lines(text):
    """Name -> values, in order."""
    return dict(line.strip().rsplit(": ", 1) for line in text.strip().splitlines())


def labels(board, hexes):
    return {board.label[h] for h in hexes}


@pytest.fixture
def board(tabaruzaka):
    return tabaruzaka


# --- the pieces


@pytest.mark.clause(
    "15-2-3.1", "15-2-3.2", "2-2-1(2)1", "2-2-1(2)2", "2-2-1(2)3", "2-2-1(2)4", "2-2-1(2)5", "2-2-1(2)6"
)
@pytest.mark.parametrize("side", ["government", "saigo"])
def test_every_counter_has_its_name_and_values(board, side):
    printed = {}
    for unit in (board.units[u] for u in board.combat[side]):
        strengths = "-".join(str(n or "x") for n in (unit.fire, unit.melee, unit.morale, unit.move))
        printed[unit.name] = strengths + (f"({unit.range})" if unit.range else "")
        assert (unit.symbol == "artillery") is unit.artillery is bool(unit.range)
    assert list(printed.items()) == list(lines(UNITS[side]).items())


@pytest.mark.clause("15-2-3.1", "15-2-3.2", "15-2-7-2(3)1", "15-2-7-2(3)6", "15-2-7-2(1)2")
@pytest.mark.parametrize("side", ["government", "saigo"])
def test_every_commander_has_his_name_and_values(board, side):
    printed = {}
    for lord in (board.units[c] for c in board.commanders[side]):
        aside = " (aside)" if board.aside.get(side) == lord.id else ""
        printed[lord.name + aside] = "/".join(map(str, (*lord.command, lord.morale, lord.move)))
        assert (lord.fire, lord.melee, lord.range, lord.artillery) == (0, 0, 0, False)
        assert (lord.symbol, lord.formation) == ("leader", "commanders")  # a star
    assert list(printed.items()) == list(lines(COMMANDERS[side]).items())


@pytest.mark.clause("2-1-2.4", "15-2-7-2(3)1")
def test_ids_names_and_short_names_are_each_pieces_own(board):
    ids = [
        f"{stem}-{n:02}" for stem, most in (("go", 22), ("sg", 20), ("gc", 6), ("sc", 6)) for n in range(1, most + 1)
    ]
    assert list(board.units) == ids
    for key in ("name", "short"):
        assert len({getattr(unit, key) for unit in board.units.values()}) == 54
    assert all(re.fullmatch(r"[0-9A-Za-z. -]{1,8}", unit.short) for unit in board.units.values())
    assert all(unit.name.isascii() for unit in board.units.values())


@pytest.mark.clause("15-2-1(0)", "15-2-5(1)0a", "15-2-7-2(2)1", "2-1-3.1")
def test_the_track(board):
    government, saigo = board.sides
    assert board.turns == 14
    assert government.reinforcement_turns == saigo.reinforcement_turns == {*TURNS}
    assert (government.commander_turns, saigo.commander_turns) == ({1, 3, 5, 7, 9, 11}, {1, 2, 4, 6, 8})
    assert [(side.chooses, side.least, side.reorganises) for side in board.sides] == [(True, 3, True), (True, 3, False)]


# --- the map


@pytest.mark.clause("15-2-2(0)", "2-1-1(0)a", "2-1-1(0)b")
def test_every_hex_has_its_ground(board):
    numbers = {f"{row:02}{column:02}" for row in range(1, 27) for column in range(1, 32)}
    assert labels(board, board.map.hexes) == numbers
    features = {
        "hill": span(HILLS),
        "mountain": span(MOUNTAINS),
        "flat": numbers - span(HILLS) - span(MOUNTAINS),
        "mountain_top": span(TOPS),
        "city": span(CITIES),
        "road": set(ROADS.split()),
        "victory_hex": set(VICTORY),
    }
    for feature, there in features.items():
        assert {board.label[h] for h, ground in board.map.terrain.items() if feature in ground} == there, feature
    assert {feature for ground in board.map.terrain.values() for feature in ground} == features.keys()


@pytest.mark.clause("15-2-2(0)", "8-1(2)3", "8-2(1)")
def test_every_step_of_the_roads_and_no_other(board):
    steps = {tuple(sorted(step)) for road in ROADS.strip().split("\n\n") for step in pairwise(road.split())}
    built = {(board.label[a], board.label[b]) for a in board.map.hexes for b in board.ground.roads[a]}
    assert {tuple(sorted(step)) for step in built} == steps


@pytest.mark.clause("15-2-2(0)", "8-1(2)1", "3-2(2)")
def test_every_stream_side_and_no_river_or_pond(board):
    sides = {tuple(side.split("/")) for stream in STREAMS.values() for side in stream.split()}
    built = {tuple(sorted((board.label[a], board.label[b]))): set(kinds) for (a, b), kinds in board.map.crossings()}
    assert {pair for pair, kinds in built.items() if "stream" in kinds} == {tuple(sorted(pair)) for pair in sides}
    assert {kind for kinds in built.values() for kind in kinds} - {"road"} == {"stream"}


@pytest.mark.clause("14(0)", "15-2-6(0)a", "14(1)", "15-2-5(1)3")
def test_victory_and_entry_hexes(board):
    assert labels(board, board.victory_hexes) == set(VICTORY)
    assert {number: board.map.place_names.get(board.parse(number)) for number in VICTORY} == VICTORY
    assert {side.id: board.label[side.entry] for side in board.sides} == {"government": "2401", "saigo": "0131"}
    assert {board.label[h]: side for h, side in board.control.items()} == {"2401": "government", "0131": "saigo"}


def by_road(board, start, goal):
    """The hexes from one to another by road."""
    start, goal = board.parse(start), board.parse(goal)
    far, todo = {start: 0}, deque([start])
    while todo:
        here = todo.popleft()
        for h in board.ground.roads[here]:
            if h not in far:
                far[h] = far[here] + 1
                todo.append(h)
    return far[goal]


@pytest.mark.parametrize(
    ("start", "goal", "hexes"),
    [
        ("2401", "1820", 23),
        ("0131", "1820", 23),
        ("2401", "0611", 27),
        ("0131", "0611", 22),
        ("2401", "1615", 24),
        ("2401", "0131", 46),
    ],
)
def test_how_far_it_is_by_road(board, start, goal, hexes):
    assert by_road(board, start, goal) == hexes


@pytest.mark.clause("2-1-2.1", "2-1-2.2", "2-1-2.3a")
def test_the_tables_are_those_of_the_first_battle():
    assert load_scenario("tabaruzaka").data["tables"] == load_scenario("toba-fushimi").data["tables"]


def test_what_is_reconstructed_is_told():
    scenario = load_scenario("tabaruzaka").data["scenario"]
    blocks = ("sides", "turns", "mails", "formations", "control", "units", "commanders", "map", "tables")
    assert tuple(scenario["provenance"]) == blocks
    assert all("reconstructed" in scenario["provenance"][block] for block in ("units", "commanders", "map", "tables"))
    assert scenario["provenance"]["turns"] == "rulebook"
    assert set(scenario["brief"]["sides"]) == {"government", "saigo"}
    assert {unit["formation"] for unit in scenario["units"]} | {"commanders"} == set(scenario["formations"])
