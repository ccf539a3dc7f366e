"""Ways over water: each crossing has its own shape, is drawn over its hexside and told in the key; rails keep aside."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest

from pbem.maps.map import Map
from pbem.picture.crossings import crossing_sample, crossings, draw_crossings
from pbem.picture.glance import glance
from pbem.picture.lines import draw_courses
from pbem.picture.paper import Paper, Point
from pbem.picture.svg import svg

BLOCK = {"provenance": "made up"}
ROWS = "\n".join(f"{row:02} . . . . ." for row in range(1, 5))
WAYS = [
    ("road", "0101 0201 0301 0401 0501"),
    ("railroad", "0301 0401 0501 0502"),
    ("railroad", "0401 0402 0403"),
    ("road", "0102 0202"),
    ("ford", "0201 0301"),
    ("ferry", "0102 0202"),
    ("bridge", "0402 0403"),
]
SIDES = [("minor_river", "0201/0301"), ("major_river", "0102/0202"), ("creek", "0101/0201"), ("stream", "0401/0501")]


def chart(ways: list[tuple[str, str]] = WAYS, sides: list[tuple[str, str]] = SIDES) -> Map:
    """Five columns of four hexes with ways over water."""
    data: dict[str, Any] = {
        "map": "land", "title": "Land", "layout": "flat",
        "numbering": {**BLOCK, "first": "column", "shifted": "even"},
        "terrain": {**BLOCK, "legend": {".": ["clear"]}, "rows": ROWS},
        "roads": {**BLOCK, "chains": [
            {"name": f"way {i}", "kind": kind, "hexes": hexes} for i, (kind, hexes) in enumerate(ways)
        ]},
        "hexsides": {**BLOCK, "chains": [
            {"name": f"water {i}", "kind": kind, "sides": side} for i, (kind, side) in enumerate(sides)
        ]},
        **dict.fromkeys(("places", "areas", "victory", "entries"), BLOCK),
    }  # fmt: skip
    return Map.from_data(data)


def found(board: Map) -> dict[str, str]:
    return {"/".join(sorted(map(board.label, pair))): kind for pair, kind in crossings(board).items()}


def test_what_the_map_says_crosses_a_river_and_a_road_alone_only_a_brook_by_a_bridge() -> None:
    """A creek is crossed anywhere: no bridge is drawn there. One that the map has is drawn, whatever it crosses."""
    assert found(chart()) == {"0201/0301": "ford", "0102/0202": "ferry", "0401/0501": "bridge", "0402/0403": "bridge"}
    assert found(chart(WAYS[:1])) == {"0401/0501": "bridge"}


@pytest.mark.parametrize(("kind", "where"), [("ford", "0201/0301"), ("ferry", "0102/0202"), ("bridge", "0402/0403")])
def test_a_crossing_is_drawn_at_the_middle_of_its_hexside(kind: str, where: str) -> None:
    board = chart([way for way in WAYS if way[0] == kind])
    paper = Paper(board)
    a, b = map(board.parse, where.split("/"))
    middle = paper.centre(a).towards(paper.centre(b), 0.5)
    starts = [
        Point(float(x), float(y))
        for path in re.findall(' d="([^"]+)"', "".join(draw_crossings(board, paper)))
        for x, y in re.findall(r"M([-0-9.]+) ([-0-9.]+)", path)
    ]
    assert len(starts) > 1
    assert all(abs(at.x - middle.x) < 25 and abs(at.y - middle.y) < 25 for at in starts)


def test_crossings_are_told_apart_without_colour_and_explained() -> None:
    kinds = ("bridge", "ford", "ferry")
    shapes = {kind: tuple(re.findall(' d="([^"]+)"', crossing_sample(kind, Point(0, 0)))) for kind in kinds}
    assert all(shapes[one] != shapes[other] for one, other in combinations(kinds, 2))
    drawn = svg(chart(), title="Land")
    assert [drawn.count(f">{kind}</text>") for kind in kinds] == [1, 1, 1]
    assert ">ford</text>" not in svg(chart(WAYS[:2]), title="Land")


def test_the_water_of_a_ford_flows_over_the_road_and_a_bridge_does_not() -> None:
    ford, bridge = (chart([WAYS[0], (kind, "0201 0301")], SIDES[:1]) for kind in ("ford", "bridge"))
    core = re.findall('stroke="(#8fbfe0)"', "".join(draw_courses(ford, Paper(ford))))
    assert core
    assert core[0] in "".join(draw_crossings(ford, Paper(ford)))
    assert core[0] not in "".join(draw_crossings(bridge, Paper(bridge)))


def _rails(ways: list[tuple[str, str]]) -> str:
    """The course of the first railroad as it is drawn."""
    board = chart(ways, [])
    (path, *_) = re.findall(' d="([^"]+)"[^>]*stroke-width="6"[^>]*>', "".join(draw_courses(board, Paper(board))))
    return path


def test_a_railroad_keeps_beside_a_road_that_goes_its_way_but_not_where_rails_meet() -> None:
    rails = ("railroad", "0101 0201 0301 0401 0501")
    assert _rails([rails]) == _rails([rails, ("road", "0102 0202")]) != _rails([rails, ("road", "0201 0301")])
    meeting, crossed = ("railroad", "0301 0302"), ("road", "0201 0301 0401")
    board = chart([rails, meeting, crossed], [])
    at = Paper(board).centre(board.parse("0301"))
    eased = at.towards(Point(at.x, at.y + 34.6), 0.35)  # towards the middle between both neighbours
    assert f"{eased.x:.0f}" in _rails([rails, meeting, crossed])
    assert _rails([rails, meeting, crossed]) != _rails([rails, crossed])


def test_at_a_glance_fords_have_a_sign_and_rails_are_dashed() -> None:
    drawn = [glance(board, Paper(board)).courses for board in (chart(), chart(WAYS[3:4]))]
    assert [one.count("<circle") for one in drawn] == [2, 0]
    assert ['stroke-dasharray="16 16"' in one for one in drawn] == [True, False]
    widths = [re.findall('stroke="#3573a8" stroke-width="([0-9]+)"', one) for one in drawn]
    assert widths == [["9", "18", "4", "9"]] * 2
