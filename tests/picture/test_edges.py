"""Names at the edges of parts of a map: none is cut, and those that are moved still tell their place."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import yaml

from pbem.maps.hexes import neighbours
from pbem.maps.map import Map
from pbem.picture.counters import CounterView, card, placed
from pbem.picture.edges import names_within
from pbem.picture.labels import Name
from pbem.picture.paper import Box, Paper
from pbem.picture.svg import names_on
from pbem.picture.views import Scene

MAPS = Path(__file__).parents[2] / "scenarios" / "bakumatsu" / "maps"


@pytest.fixture(scope="module")
def toba() -> Map:
    return Map.from_data(yaml.safe_load((MAPS / "toba-fushimi.yaml").read_text(encoding="utf-8")))


def shown(scene: Scene, window: Box) -> list[tuple[Name, Name | None]]:
    """The names on a map that a window touches, each with what the window shows of it."""
    names, paper = names_on(scene), Paper(scene.board)
    found = zip(names, names_within(names, window, scene, paper), strict=True)
    return [(name, seen) for name, seen in found if name.box.overlap(window) > 0 or seen is not None]


def test_no_name_is_cut_at_an_edge(toba: Map) -> None:
    scene, moved, left_out = Scene(toba, ("shogunate", "satcho")), 0, 0
    paper = Paper(toba)
    for x in range(0, int(paper.width) - 400, 45):
        for y in range(0, int(paper.bottom) - 400, 90):
            window = Box(x, y, x + 400, y + 400)
            for name, seen in shown(scene, window):
                if seen is None:
                    left_out += 1
                    continue
                assert window.union(seen.box) == window
                moved += seen.at != name.at
                assert abs(seen.at.x - name.at.x) <= name.box.width / 2
                assert math.dist(seen.at, name.at) <= math.hypot(name.box.width / 2, name.box.height)
    assert moved > 5, "the edges cut names that can be moved"
    assert left_out > 5, "and such as can't"


def test_a_name_is_moved_over_no_counter(toba: Map) -> None:
    """It would be hidden under it."""
    scene = Scene(toba, ("shogunate", "satcho"))
    name = next(name for name in names_on(scene) if name.where.startswith("places"))
    window = Box(name.box.left + 0.3 * name.box.width, name.box.top - 200, name.box.left + 400, name.box.top + 200)
    (before,) = (seen for one, seen in shown(scene, window) if one.where == name.where)
    assert before is not None
    paper = Paper(toba)
    h = min(toba.hexes, key=lambda h: math.dist(paper.centre(h), before.at))
    there = [h, *(n for n in neighbours(h) if n in toba.hexes)]
    units = tuple(CounterView(f"u-{n}", "U", "satcho", "f", at, "infantry", ("5",)) for n, at in enumerate(there))
    names = names_within([name], window, scene._replace(units=units), paper)
    assert names[0] is None or all(names[0].box.overlap(card(at)) <= 6 for _, at in placed(units, paper))
