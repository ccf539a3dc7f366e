"""Pictures of the Great Campaigns: colours of both armies, branches and sizes, flags, stations, fights."""

from __future__ import annotations

import re
from typing import Any

import pytest
from matches import scenario_of

from pbem.maps.hexes import Hex
from pbem.picture.counters import BadgeView, CounterView, Sides, colours_of, counter, leads, symbol
from pbem.picture.news import marks
from pbem.picture.paper import Point
from pbem.picture.scene import draw
from pbem.picture.svg import key, svg
from pbem.picture.views import Scene, SignView
from pbem.rules import rules_of
from pbem.rules.gcacw.board import DESTROYED
from pbem.rules.gcacw.state import State

UNION = CounterView("milroy", "Milroy", "union", "I Corps", Hex(0), "infantry-brigade", ("4", "1", "1"))


@pytest.fixture
def s() -> State:
    rules = rules_of("gcacw")
    state: State = rules.start(rules.board(scenario_of("to-bull-run").data), {})
    return state


def data(s: State, steps: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"situation": rules_of("gcacw").situation(s), "steps": steps or [], "scenario": {"title": "Bull Run"}}


def luminance(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_both_armies_have_their_usual_colours_told_apart_in_grey() -> None:
    sides = Sides(("union", "confederate"), {"union": "blue", "confederate": "butternut"})
    blue, butternut = (colours_of(side, sides).card for side in sides)
    assert (blue, butternut) == ("#234a7d", "#c9b48a")
    assert luminance(butternut) - luminance(blue) > 80
    assert colours_of("union", ("confederate", "union")).card != blue


def test_the_situation_tells_the_colours(s: State) -> None:
    (picture,) = draw(rules_of("gcacw").maps(s.board), data(s))
    assert 'fill="#c9b48a"' in picture.svg
    assert 'fill="#234a7d"' in picture.svg
    assert "#f0b04c" not in picture.svg


@pytest.mark.parametrize(("kind", "sign"), [("infantry-division", "XX"), ("cavalry-regiment", "III"),
                                            ("infantry-brigade", "X")])  # fmt: skip
def test_a_symbol_shows_branch_and_size(kind: str, sign: str) -> None:
    drawn = "".join(symbol(kind, Point(0, 0), "#ffffff"))
    plain = "".join(symbol(kind.partition("-")[0], Point(0, 0), "#ffffff"))
    assert f">{sign}</text>" in drawn
    assert f">{sign}</text>" not in plain
    assert drawn.count("<path") == plain.count("<path") == 1


def test_leaders_have_stars_by_rank() -> None:
    two, three = ("".join(symbol(kind, Point(0, 0), "#ffffff")) for kind in ("corps-leader", "army-leader"))
    assert two.count("z") * 3 == three.count("z") * 2
    assert leads("corps-leader")
    assert leads("army-leader")
    assert not leads("infantry-division")


def test_a_disorganised_unit_is_striped_and_its_symbol_is_seen() -> None:
    colours = colours_of("union", ("union",))
    plain = counter(UNION, Point(0, 0), colours, "#ffffff")
    striped = counter(UNION._replace(badges=(BadgeView("D", "disorganised", "stripes"),)), Point(0, 0), colours, "#fff")
    assert "stroke-dasharray" in striped
    assert colours.shade in striped
    assert colours.shade not in plain
    assert "#c62020" not in striped
    assert "disorganised" in striped


def test_a_station_shows_its_state_and_the_key_explains_it(s: State) -> None:
    station = next(iter(sorted(s.board.stations)))
    place = s.board.label[station]
    before = {p["at"]: p.get("sign") for p in data(s)["situation"]["places"]}
    assert before[place] in (None, {"sign": "D", "title": "Union depot"})
    s.station[station] = DESTROYED
    (picture,) = draw(rules_of("gcacw").maps(s.board), data(s))
    assert re.search(rf"<title>[^<]*{place}[^<]*: station destroyed</title>", picture.svg)
    scene = Scene(s.board.map, signs={station: SignView("X", "station destroyed")})
    assert ">station destroyed</text>" in key(scene, "key", 600)
    assert scene.within(frozenset()).signs == {}


def test_a_fight_is_drawn_from_every_hex_that_attacks(s: State) -> None:
    facts = {"unit": "king", "with": ["greene"], "from": ["N2331", "N2430"], "at": "N2330", "targets": ["hood"],
             "target": "hood", "result": "1Dr", "own_result": "D", "kind": "assault"}  # fmt: skip
    step = {"kind": "tell", "what": "fight", "clause": "std-7.5-1", "facts": facts, "seq": 5}
    (fight,) = marks([step], data(s)["situation"])["fights"]
    assert fight["from"][:2] == ["N2331", "N2430"]
    assert fight["title"].startswith("King (king) with Greene (greene) attacked Hood (hood)")


def test_all_who_retreat_together_are_followed_back_to_where_they_fought(s: State) -> None:
    """A second fight before a retreat of the whole stack is drawn from where its units stood then."""
    fought = {"unit": "king", "with": ["hatch"], "from": "N2331", "at": "N2330", "target": "hood", "result": "-"}
    back = {"unit": "king", "units": ["king", "hatch"], "from": "N2331", "path": ["N2332"], "why": "retreat"}
    steps = [
        {"kind": "tell", "what": "fight", "clause": "", "facts": fought, "seq": 5},
        {"kind": "tell", "what": "retreat", "clause": "", "facts": back, "seq": 5},
    ]
    situation = data(s)["situation"]
    situation["units"].append({**situation["units"][0], "id": "hatch", "at": "N2332"})
    assert marks(steps, situation)["fights"][0]["from"] == ["N2331"]


def test_the_number_of_a_covered_hex_stands_below_a_disc(s: State) -> None:
    at = next(iter(sorted(s.board.stations)))
    plain = [UNION._replace(id=f"u-{n}", at=at) for n in range(2)]
    with_disc = [unit._replace(badges=(BadgeView("E", "breastworks", "corner"),)) for unit in plain]
    label = s.board.label[at]

    def lowest(units: list[CounterView]) -> float:
        drawn = svg(s.board.map, units=units, title="Bull Run")
        found = re.findall(rf"rotate\(-90 [\d.]+ ([\d.]+)\)[^>]*>{label}<", drawn)
        return max(map(float, found))

    assert lowest(with_disc) > lowest(plain)


def test_units_are_listed_by_formation_with_leaders_told_by_whom_they_have(s: State) -> None:
    situation = data(s)["situation"]
    assert situation["by_formation"] is True
    told = {unit["id"]: unit for unit in situation["units"]}
    assert told["king"]["extra"] == {"fatigue": 2, "manpower": 18, "lost": None, "demoralised": None, "works": None}
    leader = next(unit for unit in told.values() if len(unit["attached_to"]) > 1)
    assert leader["command"]
    assert all(told[other]["at"] == leader["at"] for other in leader["attached_to"])
