"""What a picture would show badly: each doubt of a map, and the shipped maps, which raise none."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pbem.maps.map import Map
from pbem.picture.check import doubts
from pbem.rules import rules_of
from pbem.scenario import list_scenarios, load_scenario

ROWS = "\n".join(f"{row:02}{' ' * (row % 2 == 0)}{' .' * 8}" for row in range(6, 0, -1))
BLOCKS = ("numbering", "terrain", "roads", "hexsides", "places", "areas", "victory", "entries")
PLAIN: dict[str, Any] = {
    "map": "plain",
    "title": "The Plain",
    "layout": "pointy",
    "numbering": {"first": "row", "rows": "from south", "shifted": "even"},
    "terrain": {"legend": {".": ["flat"]}, "rows": ROWS},
    "roads": {"chains": [{"name": "lane", "kind": "road", "hexes": "0103 0104"}]},
    "hexsides": {"chains": [{"name": "Brook", "kind": "stream", "sides": "0201/0101 0201/0102"}]},
    "places": {"hexes": {"Mill": "0503", "Inn": "0305"}},
}


def board(**blocks: dict[str, Any]) -> Map:
    """The plain with other keys in some of its blocks."""
    data = copy.deepcopy(PLAIN)
    for name in BLOCKS:
        data[name] = {**data.get(name, {}), **blocks.get(name, {}), "provenance": "test"}
    return Map.from_data(data)


def test_a_plain_map_raises_no_doubt() -> None:
    assert doubts(board()) == []


@pytest.mark.parametrize("scenario", [summary.id for summary in list_scenarios()])
def test_no_shipped_map_raises_one(scenario: str) -> None:
    loaded = load_scenario(scenario)
    rules = rules_of(loaded.system)
    assert [doubt for own in rules.maps(rules.board(loaded.data)).values() for doubt in doubts(own)] == []


LONG = "The Field of the Cloth of Gold before the Gates"
CROWD = {f"{LONG} {row}{n}": f"{row:02}{n:02}" for row in range(1, 7) for n in range(1, 9)}


@pytest.mark.parametrize(
    ("blocks", "doubt"),
    [
        (
            {"places": {"hexes": {LONG * 3: "0501"}}},
            f"places {LONG * 3}: the name reaches beyond the paper;",
        ),
        (
            {"places": {"hexes": {"Inn": "0305"}, "signs": {"tent": "0305"}}},
            "places.signs: pictures have no look for 'tent'; they know castle, mound, star, station, village",
        ),
        ({"places": {"hexes": CROWD}}, "the name covers that of places "),
        ({"places": {"hexes": CROWD}}, ": the name covers the hex number "),
        ({"terrain": {"legend": {".": ["tundra"]}}}, "terrain.legend: pictures have no look for 'tundra'; they know"),
        (
            {"hexsides": {"chains": [{"name": "Moat", "kind": "moat", "sides": "0201/0101"}]}},
            "hexsides: pictures have no look for 'moat'; they know bridge, brook, cliff,",
        ),
        (
            {"roads": {"chains": [{"name": "A 1", "kind": "motorway", "hexes": "0103 0104"}]}},
            "roads: pictures have no look for 'motorway'; they know bridge, ferry, ford, highroad,",
        ),
    ],
)
def test_what_a_picture_would_show_badly(blocks: dict[str, Any], doubt: str) -> None:
    found = [str(found) for found in doubts(board(**blocks))]
    assert [text for text in found if doubt in text], found


def test_a_title_wider_than_the_map() -> None:
    data = {**copy.deepcopy(PLAIN), "title": f"{LONG} of Guines and Ardres"}
    for name in BLOCKS:
        data[name] = {**data.get(name, {}), "provenance": "test"}
    assert [str(doubt) for doubt in doubts(Map.from_data(data))] == [
        "title: is wider than the map; write a shorter one"
    ]
