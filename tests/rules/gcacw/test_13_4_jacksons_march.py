"""The special rules of Jackson's March (13.4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, play, run

from pbem.rules.gcacw import activation, march
from pbem.rules.gcacw.advance import advance
from pbem.rules.gcacw.combat import Fight
from pbem.rules.gcacw.holds import closed
from pbem.rules.gcacw.orders import DONE, PASS, Activate, March
from pbem.rules.gcacw.recovery import rest
from pbem.rules.gcacw.retreat import flight, ways
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Choose, Tell

Campaign = Callable[..., State]
Fields = Callable[..., Battle]
NAME = "jacksons-march"


def clause(b: Battle, order: str) -> str:
    """The clause by which an order is refused now, "" for a legal one."""
    refusal = b.why_not(order)
    return "" if refusal is None else refusal.clause


@pytest.mark.clause("13.4-sp1", "std-4.0-12")
def test_on_turn_1_the_confederates_act_alone(campaign: Campaign, game: Fields) -> None:
    """With example 13: no dice for the initiative."""
    s = campaign(NAME, opened=False)
    request, found = play(s, [PASS])
    assert labels(found) == []
    assert [one.clause for one in found if isinstance(one, Tell) and one.what == "cycle-ends"] == ["15.0-4"]
    assert request is not None
    assert (request.side, request.kind) == ("confederate", "recovery")  # at once
    for turn, expected in ((1, "13.4-sp1"), (2, "")):
        b = game(NAME, turn=turn, choice="union")
        assert clause(b, "march king N2029") == expected
        assert clause(b, "activate sigel march schenck with sigel N2425") == expected
        if turn == 2:
            b = game(NAME, turn=turn, phase="union-recovery")
            b.do("")
            assert clause(b, "entrench king") == ""
    s = campaign(NAME, phase="union-recovery")
    request, _ = play(s)
    assert request is not None
    assert request.side == "confederate"


@pytest.mark.clause("13.4-sp2", "std-5.1-5")
def test_the_first_march_of_the_tired_divisions_is_an_extended_one(campaign: Campaign) -> None:
    s = campaign(NAME)
    order = Activate("jackson", (March("ewell-b", (), ("jackson",)), March("ap-hill")))
    found = run(activation.carry_out(s, order), (3, 1, 2))
    assert labels(found) == ["march/ewell-b", "extended/ewell-b", "extended/ap-hill"]
    assert (s.fatigue["ewell-b"], s.fatigue["ap-hill"], s.fatigue["taliaferro"]) == (3, 3, 2)


@pytest.mark.clause("13.4-sp3", "std-4.0-9")
def test_porter_and_his_divisions_wait_until_turn_3(game: Fields) -> None:
    for turn, expected in ((2, "13.4-sp3"), (3, "")):
        b = game(NAME, turn=turn, choice="union")
        for order in ("march sykes N3131", "march morell N3131", "activate porter march sykes with porter N3131"):
            assert clause(b, order) == expected
        assert clause(b, "march king N2029") == ""
        b = game(NAME, turn=turn, phase="union-recovery")
        b.do("")
        assert clause(b, "entrench sykes") == expected


@pytest.mark.clause("13.4-sp4", "std-8.0-5")
def test_morells_fatigue_stays_until_turn_3(campaign: Campaign) -> None:
    s = campaign(NAME, {"sykes": "N3231 9 F2"})
    for turn, morell, sykes in ((1, 2, 0), (2, 2, 0), (3, 0, 0)):
        s.turn = turn
        list(rest(s))
        assert (s.fatigue.get("morell", 0), s.fatigue.get("sykes", 0)) == (morell, sykes)
    s = campaign(NAME, {"morell": "N3231 11 F3 disorganised demoralised 1"}, turn=2)
    list(rest(s))
    assert (s.fatigue["morell"], s.demoralised, s.disorganised) == (3, {"morell": 1}, {"morell"})
    s = campaign(NAME, turn=3)
    found = run(march.carry_out(s, March("morell", (), ())), (6, 1))
    assert labels(found) == ["march/morell", "extended/morell"]
    assert s.fatigue["morell"] == 3


@pytest.mark.clause("13.4-sp5", "std-7.6-4", "std-7.6-6")
def test_the_union_keeps_east_of_column_18(game: Fields, campaign: Campaign) -> None:
    """With example 11."""
    s = campaign(NAME)
    for unit in (*s.own("union"), *s.leaders("union")):
        assert {int(s.board.label[h][1:3]) for h in closed(s, unit)} == {*range(1, 19)}
    assert closed(s, "ewell-b") == frozenset()
    b = game(NAME, turn=2, choice="union")
    assert b.refused("march ricketts N1828") == "13.4-sp5"
    assert clause(b, "march ricketts N1927") == ""
    s = campaign(NAME, {"robertson": "N2028"})
    f = flight(s, s.at["ricketts"], "union", [s.at["robertson"]], "rout")
    found = ways(s, f)
    assert found
    assert not any(closed(s, "ricketts").intersection(way) for way in found)
    for target, asked in (("N1828", 0), ("N1929", 1)):
        fight = Fight("union", s.board.parse(target), ("ricketts",), "column")
        assert len([one for one in run(advance(s, fight)) if isinstance(one, Choose)]) == asked


@pytest.mark.clause("13.4-map")
def test_the_game_ends_with_turn_3(campaign: Campaign) -> None:
    s = campaign(NAME, turn=3, phase="confederate-recovery")
    play(s, [DONE])
    assert s.ended is not None
