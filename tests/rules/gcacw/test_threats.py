"""What threatens a side as things stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.rules.gcacw.state import Ended, State
from pbem.rules.gcacw.threats import dangers

Field = Callable[..., State]
PLAIN = ". . . .\n. . . .\n. . . ."


def told(s: State, side: str) -> list[tuple[str, str]]:
    return [(danger.what, danger.clause) for danger in dangers(s, side)]


def test_a_lone_regiment_before_strong_infantry_is_in_danger(field: Field) -> None:
    """Three times its value, and not one less; not before demoralised, tired or held units, and no enemy's danger."""
    s = field(PLAIN, {"me-1": "0202 1", "hood": "0201 3"}, choice="union")
    text = "3 times the value or more stands ready to attack me-1 (a lone regiment) at 0202"
    assert told(s, "union") == [(text, "std-7.4-1")]
    assert told(s, "confederate") == []
    for units in ("0201 2", "0201 3 F4", "0201 3 demoralised 1", "0402 3"):
        assert told(field(PLAIN, {"me-1": "0202 1", "hood": units}, choice="union"), "union") == [], units
    holds = [{"units": ["hood"], "until": "2", "clause": "13.1-sp3"}]
    assert told(field(PLAIN, {"me-1": "0202 1", "hood": "0201 3"}, scenario={"holds": holds}), "union") == []
    s.ended = Ended("union", "Union victory", 0)
    assert told(s, "union") == []


def test_cavalry_alone_threatens_nobody(field: Field) -> None:
    assert told(field(PLAIN, {"me-1": "0202 1", "f-lee": "0201 8"}, choice="union"), "union") == []


@pytest.mark.clause("std-7.6-4")
def test_who_has_no_way_back_is_in_danger_of_surrender(field: Field) -> None:
    """In a corner of the map behind a river without a crossing."""
    sides = {"minor_river": ["0101/0102", "0101/0201"]}
    roads = {"bridge": "0101 0201"}
    s = field(PLAIN, {"king": "0101 8", "hood": "0201 8"}, sides=sides, roads=roads, choice="union")
    assert told(s, "union") == [("king at 0101 would surrender if driven back: no way is open", "std-7.6-4")]
    open_ = field(PLAIN, {"king": "0101 8", "hood": "0201 8"}, choice="union")
    assert told(open_, "union") == []


@pytest.mark.clause("13.1-vp1")
def test_hexes_that_score_and_can_be_reached_whatever_the_dice(field: Field) -> None:
    """Two points are sure: along a road over two hexes, in the open not even over one."""
    lines = [{"clause": "13.1-vp1", "kind": "infantry-in", "points": "8", "hexes": ["0301"]}]
    victory = {
        "clause": "13.1-vic", "lines": lines,
        "levels": [
            {"title": "Confederate victory", "side": "confederate", "least": "1"},
            {"title": "Union victory", "side": "union"},
        ],
    }  # fmt: skip
    road = {"road": "0101 0201 0301"}
    s = field(PLAIN, {"hood": "0101 8"}, roads=road, scenario={"victory": victory})
    assert told(s, "union") == [("one march of infantry, whatever its dice, reaches 0301 (hood)", "13.1-vp1")]
    assert told(s, "confederate") == []
    assert told(field(PLAIN, {"hood": "0101 8"}, scenario={"victory": victory}), "union") == []
    guarded = field(PLAIN, {"hood": "0101 8", "me-1": "0301 3"}, roads=road, scenario={"victory": victory})
    assert told(guarded, "union") == []
    horse = field(PLAIN, {"f-lee": "0101 2"}, roads=road, scenario={"victory": victory})
    assert told(horse, "union") == []


@pytest.mark.clause("std-5.4-1")
def test_a_station_under_confederate_feet_can_be_raided(campaign: Callable[..., State]) -> None:
    s = campaign("lee-vs-pope", {"f-lee": "S3307 2"}, choice="union")
    (danger,) = [danger for danger in dangers(s, "union") if danger.clause == "std-5.4-1"]
    assert danger.what.startswith("a raid, which needs no die, can damage the station of S3307")
    s.station[s.board.parse("S3307")] = 1
    assert "std-5.4-1" not in {danger.clause for danger in dangers(s, "union")}, "cavalry destroys none"


def test_a_station_that_several_can_raid_is_named_once(campaign: Callable[..., State]) -> None:
    units = {"f-lee": "S3307 2", "ap-hill": "S3307 18", "hood": "S2414 7"}
    s = campaign("lee-vs-pope", units, choice="union")
    (danger,) = [danger for danger in dangers(s, "union") if danger.clause == "std-5.4-1"]
    named = "S3307 Catlett's Station (f-lee, ap-hill) and S2414 Rappahannock Station (hood)"
    assert danger.what == f"a raid, which needs no die, can damage the station of {named}"


@pytest.mark.clause("20.5-3", "20.5-4", "20.5-5", "20.5-7", "20.5-8")
def test_want_of_supply_is_a_danger_while_it_has_effects(campaign: Field) -> None:
    """Who is disorganised and has fatigue left behind his rest loses manpower, who is organised his order."""
    s = campaign("rapidan-to-manassas", turn=7, choice="confederate")
    s.hungry |= {"hood", "kemper", "wilcox", "va-2"}
    s.disorganised |= {"hood", "kemper", "va-2"}
    s.fatigue |= {"hood": 4, "kemper": 0, "va-2": 4}
    when = "at the end of the turn without foraging with success"
    found = [(what, clause) for what, clause in told(s, "confederate") if clause.startswith("20.5")]
    assert found == [
        (f"want of supply costs Hood (hood) a point of manpower {when}", "20.5-3"),
        (f"want of supply disorganises Wilcox (wilcox) {when}", "20.5-5"),
    ]
    s.fatigue["kemper"] = 4
    (costs,) = [what for what, clause in told(s, "confederate") if clause == "20.5-3"]
    assert costs.startswith("want of supply costs Kemper (kemper) and Hood (hood) a point of manpower each ")
    assert not [clause for _, clause in told(s, "union") if clause.startswith("20.5")]
    s.turn = 5
    assert not [clause for _, clause in told(s, "confederate") if clause.startswith("20.5")]
