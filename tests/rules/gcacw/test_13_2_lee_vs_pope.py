"""The special rules of Lee vs. Pope (13.2): first initiative, holds, objectives."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, play, run, told

from pbem.maps.hexes import distance
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.holds import free_by
from pbem.rules.gcacw.orders import Close, FallBack
from pbem.rules.gcacw.retreat import flight, retreat, ways
from pbem.rules.gcacw.state import State

Campaign = Callable[..., State]
Fields = Callable[..., Battle]
NAME = "lee-vs-pope"
OBJECTIVES = {"S1418", "S2403", "S2414", "S2612", "S3108", "S3307", "S3703", "S4101"}


def clause(b: Battle, order: str) -> str:
    """The clause by which an order is refused now, "" for a legal one."""
    refusal = b.why_not(order)
    return "" if refusal is None else refusal.clause


@pytest.mark.clause("13.2-sp1", "std-4.0-2")
def test_the_confederates_have_the_first_initiative_without_dice(game: Fields) -> None:
    b = game(NAME, opened=False)
    b.do("")
    assert (b.request.side, b.request.kind) == ("confederate", "action")
    b.do("march hood S1828", 6)
    b.do("", 6, 1)
    assert b.request.side == "union"
    b = game(NAME, turn=2, opened=False)
    b.do("", 6, 1)
    assert b.request.side == "union"


@pytest.mark.clause("13.2-sp1")
def test_of_that_initiative_is_told_without_dice(campaign: Campaign) -> None:
    s = campaign(NAME, opened=False)
    _, found = play(s)
    (facts,) = told(found, "initiative")
    assert (facts, labels(found)) == ({"side": "confederate", "cycle": 1, "opens": True}, [])


@pytest.mark.clause("13.2-sp2")
def test_parke_and_3_in_wait_for_a_confederate_in_spotsylvania_or_stafford(game: Fields, campaign: Campaign) -> None:
    for region in ("Spotsylvania", "Stafford"):
        s = campaign(NAME)
        far = (h for h in s.board.map.regions[region] if distance(h, s.board.parse("S2820")) > 4)
        h = next(h for h in far if h not in s.stands)
        beside = next(h for h in s.board.map.regions["Orange"] if h not in s.stands)
        s.put("va-2", beside)
        assert list(free_by(s, "confederate", beside)) == []
        s.put("va-2", h)
        found = list(entered(s, ["va-2"], h))
        assert {facts["unit"] for facts in told(found, "freed")} == {"parke", "in-3"}
        assert [tell.clause for tell in found] == ["13.2-sp2"] * 2
        s.put("va-2", beside)
        assert {"parke", "in-3"} <= s.free  # for good
    for free, expected in ((False, "13.2-sp2"), (True, "")):
        b = game(NAME, turn=4, choice="union")
        b.state.free.update({"parke", "in-3"} if free else ())
        assert clause(b, "march parke S4427") == expected
        assert clause(b, "march in-3 S4427") == expected


@pytest.mark.clause("13.2-sp2", "std-4.0-9")
def test_a_march_through_the_county_frees_them_at_once(game: Fields) -> None:
    b = game(NAME, choice="confederate")
    h = next(
        h
        for h in b.board.map.regions["Spotsylvania"]
        for n in b.board.ground.open_to[h]
        if b.board.map.region[n] == "Orange" and "road" in b.board.ground.between[n][h].links
    )
    start = next(
        n
        for n in b.board.ground.open_to[h]
        if b.board.map.region[n] == "Orange" and "road" in b.board.ground.between[n][h].links
    )
    b = game(NAME, {"va-2": b.board.label[start]}, choice="confederate")
    b.do(f"march va-2 {b.board.label[h]} {b.board.label[start]}", 6, 6)
    assert b.at("va-2") == b.board.label[start]
    assert {"parke", "in-3"} <= b.state.free
    assert "freed" in b.events()


@pytest.mark.clause("13.2-sp3")
def test_6_ny_waits_for_a_confederate_within_4_hexes_of_its_first_hex(campaign: Campaign, game: Fields) -> None:
    s = campaign(NAME)
    centre = s.board.parse("S2820")
    for far, freed in ((5, False), (4, True)):
        h = next(h for h in s.board.map.hexes if distance(h, centre) == far and h not in s.stands)
        s = campaign(NAME)
        s.put("ny-6", s.board.parse("S3220"))  # it counts from where it was set up
        s.put("va-2", h)
        run(entered(s, ["va-2"], h))
        assert ("ny-6" in s.free) == freed
    b = game(NAME, choice="union")
    assert clause(b, "march ny-6 S2821") == "13.2-sp3"
    b = game(NAME, choice="union")
    b.state.free.add("ny-6")
    assert clause(b, "march ny-6 S2821") == ""


@pytest.mark.clause("13.2-sp4")
def test_reynolds_waits_until_turn_3(game: Fields) -> None:
    for turn, expected in ((1, "13.2-sp4"), (2, "13.2-sp4"), (3, "")):
        b = game(NAME, turn=turn, choice="union")
        assert clause(b, "march reynolds S4921") == expected
        b = game(NAME, turn=turn, phase="union-recovery")
        b.do("")
        assert clause(b, "entrench reynolds") == expected


@pytest.mark.clause("13.2-sp5a")
def test_eight_hexes_are_objectives_and_none_is_the_confederates(campaign: Campaign) -> None:
    s = campaign(NAME)
    assert {s.board.label[h] for h in s.board.objectives} == OBJECTIVES
    assert s.controlled == set()


@pytest.mark.clause("13.2-sp5b", "13.2-sp5c", "13.2-sp5d")
def test_infantry_that_enters_an_objective_turns_it_as_often_as_it_comes(campaign: Campaign) -> None:
    s = campaign(NAME)
    h = s.board.parse("S2414")
    for unit, controlled in (
        ("f-lee", False),  # cavalry turns nothing
        ("hood", True),
        ("buford", True),
        ("king", False),
        ("hood", True),
        ("hood", True),
    ):
        s.put(unit, h)
        found = list(entered(s, [unit], h))
        assert ("S2414" in s.controlled) == controlled
        before = [tell for tell in found if tell.what == "control"]
        assert len(before) <= 1
        s.put(unit, s.board.parse("S2710"))
        assert ("S2414" in s.controlled) == controlled  # it stays when he leaves
    assert before == []  # it was his already


@pytest.mark.clause("13.2-sp5b")
def test_leaders_turn_no_objective(campaign: Campaign) -> None:
    s = campaign(NAME)
    assert list(entered(s, ["lee"], s.board.parse("S2414"))) == []
    assert s.controlled == set()


@pytest.mark.clause("13.2-sp5b", "13.2-sp5d")
def test_a_march_and_a_retreat_turn_objectives_too(game: Fields, campaign: Campaign) -> None:
    b = game(NAME, {"hood": "S2415"}, choice="confederate")
    b.do("march hood S2414", 6)
    assert b.state.controlled == {"S2414"}
    s = campaign(NAME, {"hood": "S2415", "king": "S2416"})
    goal = s.board.parse("S2414")
    f = flight(s, s.at["hood"], "confederate", [s.at["king"]], "retreat")
    path = next(path for path in ways(s, f) if goal in path)
    run(retreat(s, f, "std-7.6-1"), (), [FallBack(path)])
    assert s.controlled == {"S2414"}


@pytest.mark.clause("13.2-sp5c")
def test_control_outlasts_turns(campaign: Campaign) -> None:
    s = campaign(NAME, turn=4, phase="confederate-recovery")
    s.controlled.add("S2414")
    play(s, [Close("recovery")])
    assert (s.turn, s.controlled) == (5, {"S2414"})
