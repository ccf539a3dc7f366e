"""The special rules of Stuart's Raid (13.3)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.gcacw.activities import run

from pbem.errors import IllegalOrder
from pbem.maps.hexes import distance
from pbem.rules import gcacw
from pbem.rules.gcacw.advance import advance
from pbem.rules.gcacw.combat import Fight, guns
from pbem.rules.gcacw.holds import closed
from pbem.rules.gcacw.leaders import transfers
from pbem.rules.gcacw.orders import Done, Entrench
from pbem.rules.gcacw.recovery import why_not_entrench
from pbem.rules.gcacw.retreat import flight, ways
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Choose

Campaign = Callable[..., State]
Fields = Callable[..., Battle]
NAME = "stuarts-raid"
BOTH = {"f-lee": "S1912 3", "stuart": "S1912"}


def clause(b: Battle, order: str) -> str:
    """The clause by which an order is refused now, "" for a legal one."""
    refusal = b.why_not(order)
    return "" if refusal is None else refusal.clause


@pytest.mark.clause("13.3-sp1", "std-4.0-12")
def test_on_turn_1_the_confederates_act_alone_until_they_stop(game: Fields) -> None:
    b = game(NAME, phase="union-reinforcements", opened=False)
    b.do("")
    told = list(b.told)
    for dice in ((3, 4), (1, 1)):
        assert (b.request.side, b.request.kind) == ("confederate", "action")
        b.do("march f-lee with stuart S1912" if dice == (3, 4) else "march f-lee with stuart S1812", *dice)
        told += b.told
    b.do("pass")
    assert "initiative" not in {tell.what for tell in (*told, *b.told)}
    assert b.state.turn == 2


@pytest.mark.clause("13.3-sp1")
def test_a_union_order_is_refused_on_turn_1(game: Fields) -> None:
    for turn, expected in ((1, "13.3-sp1"), (2, "")):
        b = game(NAME, turn=turn, choice="union")
        assert clause(b, "march ny-4 S2107") == expected


@pytest.mark.clause("13.3-sp2a")
def test_stuart_stays_with_f_lee(game: Fields, campaign: Campaign) -> None:
    b = game(NAME, choice="confederate")
    assert b.refused("march f-lee S1912") == "std-6.3-1"
    assert clause(b, "march f-lee with stuart S1912") == ""
    assert b.refused("activate stuart march f-lee S1912") == "13.3-sp2a"
    assert list(transfers(campaign(NAME), "confederate")) == []


@pytest.mark.clause("13.3-sp2a")
def test_also_where_he_had_others_to_stay_with(battle: Fields) -> None:
    units = {"stuart": "0101", "f-lee": "0101 3", "robertson": "0101 2", "hampton": "0303 2", "ny-4": "0503 1"}
    rows = ". . . . .\n" * 4
    for rule, expected in (({"together": ["stuart", "f-lee"]}, "13.3-sp2a"), ({}, "")):
        b = battle(rows, units, choice="confederate", scenario=rule)
        assert clause(b, "march f-lee 0102") == expected
        assert clause(b, "march f-lee with stuart 0102") == ""
        assert clause(b, "march robertson with stuart 0102") == expected
        assert clause(b, "activate stuart march robertson with stuart 0102") == expected
        assert clause(b, "activate stuart march f-lee 0102") == expected
        assert clause(b, "activate stuart march robertson 0102") == ""
        hop = "activate stuart hop hampton march hampton with stuart 0302"
        assert (clause(b, hop) != "") == (expected != "")
        b = battle(rows, units, phase="confederate-transfer", scenario=rule)
        b.do("")
        if expected:
            assert b.phase == "cycle"  # there is nobody to transfer
        else:
            assert clause(b, "transfer stuart hampton") == ""


@pytest.mark.clause("13.3-sp2b", "std-5.2-2")
def test_stuart_activates_f_lee_though_he_has_no_other(game: Fields) -> None:
    for order, points in (("activate stuart march f-lee with stuart S1912", 9), ("march f-lee with stuart S1912", 7)):
        b = game(NAME, choice="confederate")
        b.do(order, 3, 4)
        assert b.facts("allowance")["points"] == points


@pytest.mark.clause("13.3-sp3", "std-5.1-12")
def test_on_turn_1_f_lee_makes_neither_extended_nor_forced_marches(game: Fields) -> None:
    for turn, expected in ((1, "13.3-sp3"), (2, "")):
        b = game(NAME, {"f-lee": "S1913 3 F2"}, turn=turn, choice="confederate")
        assert clause(b, "march f-lee with stuart S1912") == expected
        b = game(NAME, {"f-lee": "S1913 3 F1"}, turn=turn, choice="confederate")
        assert clause(b, "march f-lee with stuart S1912") == ""
        assert clause(b, "march f-lee with stuart S1912 force") == expected


@pytest.mark.clause("13.3-sp4")
def test_f_lee_has_no_artillery(campaign: Campaign) -> None:
    s = campaign(NAME)
    assert s.board.units["f-lee"].artillery == 0
    assert campaign("lee-vs-pope").board.units["f-lee"].artillery == 1
    for name, regiment, difference in ((NAME, "ny-4", 0), ("lee-vs-pope", "ny-6", 1)):
        s = campaign(name, {"f-lee": "S2008", regiment: "S2007"})
        assert guns(s, Fight("confederate", s.at[regiment], ("f-lee",), "normal")).difference == difference


@pytest.mark.clause("13.3-sp5")
def test_the_raiders_keep_off_the_rappahannock(campaign: Campaign) -> None:
    s = campaign(NAME)
    b = s.board
    rappahannock, mills = b.parse("S2414"), [b.parse("S2111"), b.parse("S2109")]
    every = {h for h in b.map.hexes if distance(h, rappahannock) <= 4 or min(distance(h, m) for m in mills) <= 1}
    for unit in ("stuart", "f-lee"):
        assert closed(s, unit) == every
    assert closed(s, "ny-4") == frozenset()
    assert distance(b.parse("S1913"), rappahannock) == 5
    assert b.parse("S1913") not in every
    assert b.parse("S2012") in every


@pytest.mark.clause("13.3-sp5", "std-7.6-4", "std-7.6-6")
def test_neither_by_march_nor_by_retreat_or_advance(game: Fields, campaign: Campaign) -> None:
    b = game(NAME, choice="confederate")
    assert b.refused("march f-lee with stuart S2012") == "13.3-sp5"
    assert clause(b, "march f-lee with stuart S1912") == ""
    s = campaign(NAME, {**BOTH, "md-1": "S1812"})
    f = flight(s, s.at["f-lee"], "confederate", [s.at["md-1"]], "retreat")
    assert not any(closed(s, "f-lee").intersection(way) for way in ways(s, f))
    s = campaign(NAME)
    for target, asked in (("S2012", 0), ("S1812", 1)):
        fight = Fight("confederate", s.board.parse(target), ("f-lee",), "column")
        assert len([one for one in run(advance(s, fight)) if isinstance(one, Choose)]) == asked


@pytest.mark.clause("13.3-sp6", "std-9.0-1")
def test_nobody_entrenches(campaign: Campaign) -> None:
    """Not even infantry, were there any; elsewhere it may."""
    for name, clause_ in ((NAME, "13.3-sp6"), ("lee-vs-pope", "")):
        s = campaign(name, phase="confederate-recovery")
        unit = "f-lee" if name == NAME else "hood"
        refusal = why_not_entrench(s, "confederate", Entrench(unit))
        assert (refusal.clause if refusal is not None else "") == clause_
    for turn in (1, 2, 3):
        s = campaign(NAME, turn=turn, phase="union-recovery")
        for side in s.board.side:
            for unit in s.own(side):
                refusal = why_not_entrench(s, side, Entrench(unit))
                assert refusal is not None
                assert refusal.clause == "13.3-sp6"


def test_what_the_scenario_bars_is_named_also_where_the_other_side_is_asked(campaign: Campaign) -> None:
    """It was said that the other side is asked, as if the order were right at another time."""
    s = campaign(NAME, turn=2, phase="union-recovery")
    refusals = [gcacw.why_not(s, "confederate", order) for order in (Entrench("f-lee"), Done())]
    assert [refusal.clause for refusal in refusals if refusal] == ["13.3-sp6", "std-8.0-1"]


def test_a_hex_that_is_closed_is_named_with_its_rule_where_no_way_leads_to_it(game: Fields) -> None:
    b = game(NAME, phase="union-reinforcements", opened=False)
    b.do("")
    with pytest.raises(IllegalOrder) as refused:
        gcacw.way(b.state, b.request, ("march", "f-lee", "to", "S2414"))
    assert refused.value.clause == "13.3-sp5"
