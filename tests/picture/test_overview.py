"""A large map at a glance: castles and provinces by name, frames of its parts, names not over each other."""

from __future__ import annotations

import re
from functools import partial
from itertools import combinations
from typing import Any

import pytest

from pbem.maps.map import Map
from pbem.picture import overview as module
from pbem.picture.glance import LAND
from pbem.picture.lines import draw_courses
from pbem.picture.overview import overview
from pbem.picture.paper import Box, Paper, width_of
from pbem.picture.scene import crops
from pbem.picture.svg import ground, svg
from pbem.picture.terrain import draw_ground
from pbem.picture.views import Scene

BLOCK = {"provenance": "made up"}
LAND_ROWS = ["H H H H O O . .", "H H H H O O O .", *["H H H H O O O O"] * 4]


def chart(**blocks: Any) -> Map:
    """Eight columns of six hexes in two provinces, with a bay, a river, a bridge on a highroad, and two castles."""
    rows = [
        "r . . . . . ~ ~",
        ". . . . . . . ~",
        ". . m m . . . .",
        ". . m m . . . .",
        ". . . . . . . .",
        "A s . . . . . .",
    ]
    legend = {
        ".": ["plain"], "r": ["rough"], "m": ["mountain"], "A": ["impassable_mountain"], "s": ["swamp"],
        "~": {"water": "sea"},
    }  # fmt: skip
    data: dict[str, Any] = {
        "map": "land", "title": "Land", "layout": "flat",
        "numbering": {**BLOCK, "first": "column", "shifted": "even"},
        "terrain": {**BLOCK, "legend": legend, "rows": "\n".join(f"{i:02} {row}" for i, row in enumerate(rows, 1))},
        "regions": {
            **BLOCK, "legend": {"H": "Harima", "O": "Omi"},
            "rows": "\n".join(f"{i:02} {row}" for i, row in enumerate(LAND_ROWS, 1)),
        },
        "roads": {**BLOCK, "chains": [
            {"name": "High road", "kind": "highroad", "hexes": "0202 0302 0402"},
            {"name": "Long bridge", "kind": "bridge", "hexes": "0202 0302"},
        ]},
        "hexsides": {**BLOCK, "chains": [{"name": "Ibo", "kind": "river", "sides": "0202/0302 0202/0303"}]},
        "places": {**BLOCK, "hexes": {"Himeji": "0203", "Azuchi": "0205", "Chizu": "0703"},
                   "signs": {"castle": "0203 0205"}},
        **dict.fromkeys(("areas", "victory", "entries"), BLOCK),
    }  # fmt: skip
    return Map.from_data({**data, **blocks})


@pytest.fixture(scope="module")
def land() -> Map:
    return chart()


def named(drawn: str) -> list[tuple[str, Box]]:
    """Each name and what it covers."""
    found = re.findall(r'<text x="([-0-9.]+)" y="([-0-9.]+)" font-size="([0-9.]+)"[^>]*>([^<]+)</text>', drawn)
    boxes = []
    for x, y, size, words in found:
        half = width_of(words, float(size), bold=True) / 2
        left, bottom = float(x) - half, float(y)
        boxes.append((words, Box(left, bottom - 0.8 * float(size), float(x) + half, bottom)))
    return boxes


def test_castles_and_provinces_have_their_names_and_other_places_none(land: Map) -> None:
    names = named(overview(Scene(board=land), "Land"))
    assert sorted({words for words, _ in names}) == ["Azuchi", "Harima", "Himeji", "Omi"]
    assert not any(one.overlap(other) for (_, one), (_, other) in combinations(dict(names).items(), 2))


def test_a_castle_has_the_colour_of_who_holds_it(land: Map) -> None:
    at = land.places["Himeji"]
    red, blue = (overview(Scene(land, ("red", "blue"), held={at: side}), "Land") for side in ("red", "blue"))
    assert red != blue
    assert red.count('fill="#111111" stroke="#111111"') == 1  # Azuchi, of which nothing is told


def test_a_frame_is_round_each_part_and_numbered(land: Map) -> None:
    drawn = overview(Scene(board=land), "Land", [Box(10, 80, 200, 300), Box(100, 90, 260, 200)])
    assert [*dict(named(drawn))][-2:] == ["1", "2"]
    assert 'width="190" height="220"' in drawn


def happened(path: list[str]) -> dict[str, Any]:
    """A report's input in which one unit moved."""
    unit = {
        "id": "r", "name": "r", "short": "r", "side": "red", "formation": "f", "symbol": "foot", "where": "map",
        "values": {"strength": 5}, "at": path[-1], "place": None, "badges": [],
    }  # fmt: skip
    step = {"seq": 4, "kind": "tell", "what": "move", "facts": {"unit": "r", "from": path[0], "path": path[1:]}}
    situation = {
        "turn": 3, "turns": 8, "where": [], "units": [unit], "places": [], "progress": [], "ground": "hex",
        "sides": [{"id": side, "title": side} for side in ("red", "blue")],
    }  # fmt: skip
    return {"scenario": {"title": "Land"}, "situation": situation, "steps": [step]}


def test_a_large_map_is_shown_beside_its_parts_and_a_small_one_is_not(
    land: Map, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = happened(["0403", "0404", "0405"])
    anew = partial(crops, {"land": land}, data, ground_of=ground.__wrapped__)
    assert [part.name for part in anew()] == ["land-1", "key"]
    monkeypatch.setattr("pbem.picture.svg.LARGE", len(land.hexes))
    first, glance, _ = anew()
    assert (first.name, glance.name, glance.map) == ("land-1", "land-overview", "land")
    assert not first.title.startswith("part"), "the frame of a single part needs no number"
    assert f'width="{module._WIDE}"' in glance.svg
    assert [*dict(named(glance.svg))][-1] == "1"
    monkeypatch.setattr("pbem.picture.svg.LARGE", len(land.hexes) + 1)
    assert len(anew()) == 2


def test_a_plain_one_tells_land_from_water_alone_and_loses_no_castle(land: Map) -> None:
    full, plain = (overview(Scene(board=land), "Land", plain=plain) for plain in (False, True))
    assert (full.count(LAND), plain.count(LAND)) == (0, 1)
    assert "stroke-opacity" in full
    assert "stroke-opacity" not in plain
    assert dict(named(plain)) == dict(named(full))
    assert plain.count("<rect") == full.count("<rect") > 0


def test_borders_signs_and_bridges_are_drawn_on_the_map_and_told_in_its_key(land: Map) -> None:
    drawn = svg(land, title="Land")
    for words in ("border of a province", "castle", "bridge", "highroad", "impassable mountain", "sea (not in play)"):
        assert drawn.count(f">{words}</text>") == 1
    assert ">Harima</text>" in drawn
    plain = svg(chart(regions=None), title="Land")
    assert "border of a" not in plain


def _borders(drawn: str) -> list[int]:
    """How many sides the borders of regions have, on the ground and in the middle of rivers."""
    found = dict.fromkeys(("3", "2.2"), 0)
    for path, width in re.findall(' d="([^"]+)"[^>]*stroke="#7d2a55" stroke-width="([0-9.]+)"', drawn):
        found[width] += len(re.findall("[lhvL]", path))
    return [*found.values()]


def test_a_border_along_a_river_lies_in_its_middle() -> None:
    """Along a stream, which would not show it, and on the ground beside it, as a line of its own."""
    sides = "0405/0505 0404/0505 0404/0504"
    drawn = []
    for kind in ("minor_river", "stream"):
        course = {"name": "Ibo", "kind": kind, "sides": sides}
        board = chart(hexsides={**BLOCK, "chains": [course]})
        drawn.append(_borders("".join(draw_ground(board, Paper(board)))))
    assert drawn == [[8, 1], [11, 0]]


def test_a_river_written_in_parts_is_drawn_in_one_go() -> None:
    parts = [
        {"name": "Ibo", "kind": "river", "sides": sides} for sides in ("0202/0302 0202/0303", "0203/0303 0203/0304")
    ]
    one = {**parts[0], "sides": " ".join(part["sides"] for part in parts)}
    boards = [
        chart(hexsides={**BLOCK, "chains": chains})
        for chains in (parts, [one], [parts[0], {**parts[1], "name": "Iba"}])
    ]
    whole, joined, apart = ("".join(draw_courses(board, Paper(board))) for board in boards)
    assert whole == joined != apart


def test_the_key_calls_regions_as_the_map_does() -> None:
    regions = {**BLOCK, "called": "county", "legend": {"H": "Harima", "O": "Omi"}}
    regions["rows"] = "\n".join(f"{i:02} {row}" for i, row in enumerate(LAND_ROWS, 1))
    drawn = svg(chart(regions=regions), title="Land")
    assert ">border of a county</text>" in drawn
    assert "province" not in drawn
