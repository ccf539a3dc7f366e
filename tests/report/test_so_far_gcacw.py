"""A campaign of the Great Campaigns so far: what decided it, what the score gained by, who was lost."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from itertools import combinations
from typing import Any

import pytest
from matches import Match, scenario_of
from systems.whole import log_of

from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.match.turn_ends import TurnEnds
from pbem.picture.paper import Box, width_of
from pbem.picture.tracks import draw_tracks
from pbem.report import so_far
from pbem.rules.gcacw.board import DESTROYED

Json = dict[str, Any]
NAME = "rapidan-to-manassas"
GAMES = ("confederate-decisive", "union-marginal", "union-substantial")


@cache
def ended(name: str) -> tuple[Table, TurnEnds]:
    ends = TurnEnds()
    table = replay(log_of("gcacw", f"manassas-{name}"), scenario_of, look=ends).table
    assert table is not None
    return table, ends


@cache
def told(name: str) -> Json:
    table, ends = ended(name)
    return so_far.data(table, ends, scenario_of(NAME))


def calendar_with(*events: tuple[str, Json]) -> list[str]:
    """What is told of the first turn of a campaign in which this has happened."""
    table = Match(scenario_of(NAME), 7).table
    at = {"seq": 3, "turn": 1, "phase": "action-cycle", "kind": "tell", "clause": ""}
    table.steps.extend({**at, "what": what, "facts": facts} for what, facts in events)
    ends = TurnEnds()
    ends(table)
    lines: list[str] = so_far.data(table, ends, scenario_of(NAME))["calendar"][0]["told"]
    return lines


# --- what decided it --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_calendar_tells_all_that_decides_a_campaign(name: str) -> None:
    """Panic, objectives, depots, cycles that ended early and arrivals put off weren't told."""
    table, _ = ended(name)
    words = {
        "panic": "fell into panic", "replaced": " took over from ", "killed": " was killed", "control": " took ",
        "depot-destroyed": "the Union depot at ", "put-off": " put off to turn ", "moved-arrivals": " due in turn ",
        "bridge-removed": "the bridge of the Union between ", "unsupplied": "out of supply, in ",
        "all-supplied": "ll in supply, ",
    }  # fmt: skip
    lines = {t["turn"]: " ".join(t["told"]) for t in told(name)["calendar"]}
    found = [step for step in table.steps if step["kind"] == "tell"]
    for step in found:
        early = step["what"] == "cycle-ends" and "early" in step["facts"]
        phrase = "the action cycle ended early" if early else words.get(step["what"], "")
        assert phrase in lines[step["turn"]], step
    assert {"panic", "control", "unsupplied"} <= {step["what"] for step in found}


def test_events_of_a_turn_stand_in_their_order_each_in_its_words() -> None:
    unsupplied = {"side": "union", "units": ["king", "reno"], "counties": {"Fauquier": ["king"], "Orange": ["reno"]}}
    at = {"unit": "ewell-b", "at": "S4101", "station": "Manassas Junction"}
    assert calendar_with(
        ("unsupplied", {**unsupplied, "again": False}),
        ("unsupplied", {**unsupplied, "units": ["king"], "counties": {"Fauquier": ["king"]}, "again": True}),
        ("raid", {**at, "destroyed": False}),
        ("depot-destroyed", {"at": "S4101", "unit": "ewell-b"}),
        ("raid", {**at, "destroyed": True}),
        ("panic", {"turn": 1}),
        ("cycle-ends", {"cycle": 9, "early": True}),
        ("cycle-ends", {"cycle": 9}),
    )[0] == (
        "Two units of the Union are out of supply, in Fauquier and Orange; one unit of the Union is still out of "
        "supply, in Fauquier, and lost a point of manpower; Ewell (ewell-b) destroyed the Union depot at Manassas "
        "Junction (S4101); Ewell raided Manassas Junction (S4101): the station is destroyed; the Union fell into "
        "panic; the action cycle ended early, at the dice for action phase 9."
    )


def test_of_many_events_of_a_kind_a_few_are_told_and_how_many_more() -> None:
    places = ("S1418", "S2403", "S4426", "S5021", "N0214", "N0301", "N3502", "N5017", "N5715")
    taken = [("control", {"at": at, "side": "confederate"}) for at in places]
    (line,) = calendar_with(*taken, ("panic", {"turn": 1}))
    assert line.count(" took ") == so_far.FEW
    assert line.endswith("; the Union fell into panic; 3 more events.")


# --- the score --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_what_the_score_gained_in_a_turn_adds_up(name: str) -> None:
    """The column of the score jumped without a reason."""
    table, ends = ended(name)
    stood = ends.of(table)
    score = {turn: situation["progress"][0]["count"] for turn, situation in stood.items()}
    for t in told(name)["calendar"]:
        lines = [line for line in t["told"] if line.startswith("Confederate score, ")]
        before, after = score[t["turn"] - 1], score[t["turn"]]
        assert len(lines) == 1 or before == after
        for line in lines:
            assert f"from {before} to {after}: " in line or (before == after and f"{after} still: " in line)
            assert sum(map(int, re.findall(r" ([+-]\d+)", line.partition(": ")[2]))) == after - before


def test_the_score_is_told_item_by_item() -> None:
    lines = {t["turn"]: t["told"][-1] for t in told("confederate-decisive")["calendar"]}
    assert lines[3] == "Confederate score, from 9 to 32: panic +15, manpower of the Union +8."
    assert "depots destroyed +6" in lines[13]
    assert lines[7] == "Confederate score, 61 still: manpower of the Union +1, manpower of the Confederates -1."


# --- tracks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_track_of_an_army_ends_with_its_leader(name: str) -> None:
    """A brigade of cavalry marked where the Army of Virginia was when Pope had gone."""
    table, ends = ended(name)
    tracks = {track["title"]: track for track in told(name)["tracks"]}
    assert tracks["Army of Virginia"]["told"][-1] == "Then who led it was gone, and its line ends"
    last = {title: track["stands"] for title, track in tracks.items()}
    (gone,) = [step for step in table.steps if step["kind"] == "tell" and step["what"] == "replaced"]
    *before, pope = last["Army of Virginia"]
    assert {stand["unit"] for stand in (*before, pope)} == {"pope"}
    first = next(stand for stand in last["Army of the Potomac"] if stand["unit"] == "mcclellan")
    assert (pope["turn"] + 1, first["turn"]) == (gone["turn"], gone["turn"])
    here = ends.of(table)[pope["turn"]]
    assert [unit["at"] for unit in here["units"] if unit["id"] == "pope"] == [gone["facts"]["at"]]


def drawn(name: str) -> str:
    """The map with the tracks of a game."""
    table, _ = ended(name)
    data, situation = told(name), table.rules.situation(table.game.state)
    (map,) = draw_tracks(data["tracks"], situation, table.rules.maps(table.board), "So far", marks=data["marks"])
    return unescape(map.svg)


CROSSING = 10.0
"""The radius of a crossing on the map; that of a disc where a formation stood is greater."""


def key_of(svg: str) -> str:
    """What stands under the map."""
    return svg[svg.index('<g transform="translate(0 ') :]


@pytest.mark.parametrize("name", GAMES)
def test_the_key_has_the_line_of_each_formation(name: str) -> None:
    """Lines of one colour were told apart by four dashes in turn, and nothing said whose they were."""
    tracks = [track for track in told(name)["tracks"] if len({stand["at"] for stand in track["stands"]}) > 1]
    entries = re.findall(r"((?:<path [^>]*/>)+)<text [^>]*>([^<]*)</text>", key_of(drawn(name)))
    looks = {words: re.sub(r' d="[^"]*"', "", line) for line, words in entries if not words.isdigit()}
    assert {track["title"] for track in tracks} <= looks.keys()
    assert len({*looks.values()}) == len(looks) == len(told(name)["tracks"])


@pytest.mark.parametrize("name", GAMES)
def test_names_of_tracks_cover_neither_each_other_nor_where_others_stood(name: str) -> None:
    svg = drawn(name).replace(key_of(drawn(name)), "")
    titles = "|".join(re.escape(track["title"]) for track in told(name)["tracks"])
    names = re.findall(rf'<text x="([0-9.]+)" y="([0-9.]+)" font-size="([0-9.]+)"[^>]*>((?:{titles})[^<]*)<', svg)
    boxes = []
    for x, y, tall, words in dict.fromkeys(names):
        wide = width_of(words, float(tall), bold=True) / 2
        low = float(y) + 0.25 * float(tall)
        boxes.append(Box(float(x) - wide, low - float(tall), float(x) + wide, low))
    discs = re.findall(r'<circle cx="([0-9.]+)" cy="([0-9.]+)" r="([0-9.]+)"[^>]*/>', svg)
    round = [Box(x - r, y - r, x + r, y + r) for x, y, r in (map(float, disc) for disc in discs) if r > CROSSING]
    assert len(boxes) >= len(told(name)["tracks"])
    assert [a.overlap(b) for a, b in combinations(boxes, 2) if a.overlap(b)] == []
    assert [box.overlap(disc) for box in boxes for disc in round if box.overlap(disc)] == []


def test_signs_show_where_fights_were_and_what_was_destroyed() -> None:
    svg, fights = drawn("confederate-decisive"), sum(t["fights"] for t in told("confederate-decisive")["calendar"])
    often = [int(many) for many in re.findall(r"<title>(\d+) fights?</title>", svg)]
    assert sum(often) == fights
    assert svg.count("<title>depot destroyed</title>") == 2
    table, _ = ended("confederate-decisive")
    assert svg.count("<title>station destroyed</title>") == [*table.game.state.station.values()].count(DESTROYED)
    assert {"depot destroyed", "station destroyed"} <= {*re.findall(r">([^<]*)</text>", key_of(svg))}


# --- losses -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_as_many_units_are_lost_as_the_report_says(name: str) -> None:
    """Counters of substitutes counted as lost units here, not in the report."""
    table, _ = ended(name)
    lost = {side["id"]: len(side["lost"]) for side in table.rules.situation(table.game.state)["sides"]}
    assert {side["side"]: side["lost_so_far"] for side in told(name)["calendar"][-1]["sides"]} == lost


def test_a_counter_that_comes_back_is_named_apart() -> None:
    lines = told("confederate-decisive")["calendar"][4]["told"]
    assert "Union lost Ferrero (ferrero) and Schurz (schurz), and 16 manpower in all, 2 of that in no score." in lines
    assert "Union took off the map Union Substitute 1 (union-sub-1), a counter that counts as no lost unit." in lines


@pytest.mark.parametrize("name", GAMES)
def test_manpower_that_counts_in_no_score_is_told(name: str) -> None:
    """Eight points were told as lost, and six of them scored."""
    table, _ = ended(name)
    data = told(name)
    lost = {side["side"]: side["toll_so_far"] for side in data["calendar"][-1]["sides"]}
    told_of = {one["title"].removeprefix("the ").lower().rstrip("s"): one["count"] for one in data["uncounted"]}
    assert {side: lost[side] - told_of.get(side, 0) for side in lost} == dict(table.game.state.lost)
    assert "count in no score." in " ".join(so_far.text(data).split())
    assert "count in no score." in so_far.html(data, {})
