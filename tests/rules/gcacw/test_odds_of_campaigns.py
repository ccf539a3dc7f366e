"""Chances in the advanced game: of its events, of foraging, in rain, panic and paralysis; worst dice for a side."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from rules.gcacw.conftest import CAMPAIGNS
from rules.gcacw.test_odds import compare

from pbem.rules.gcacw import brought
from pbem.rules.gcacw.adverse import worst
from pbem.rules.gcacw.odds import known_courses, results, tell_odds
from pbem.rules.gcacw.orders import Forage, March, Merge, Strike
from pbem.rules.gcacw.reasons import factors
from pbem.rules.gcacw.situation import GOOD
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Roll
from pbem.words import per_cent

Campaign = Callable[..., State]
LONG = CAMPAIGNS[1]
NEITHER = {"event", "cycle", "leader"}
"""Rolls of which neither high nor low dice are good for a side."""


def labels_of_rules() -> set[str]:
    package = Path(brought.__file__).parent
    code = "".join(path.read_text("utf-8") for path in package.glob("*.py"))
    return set(re.findall(r'Roll\(f?"([a-z]+)', code))


def test_every_roll_of_the_rules_is_good_high_or_low_or_is_neither(campaign: Campaign) -> None:
    assert labels_of_rules() == {*GOOD} | NEITHER
    s = campaign(LONG, turn=5, choice="union")
    for label in labels_of_rules():
        for side in s.board.side:
            dice = worst(s, Roll(f"{label}/king", 2 if label == "event" else 1), side)
            assert len(dice) == (2 if label == "event" else 1)


@pytest.mark.clause("14.0-table", "15.0-3", "17.0-2", "20.2-1")
def test_the_worst_dice_for_a_side(campaign: Campaign) -> None:
    s = campaign(LONG, turn=5, choice="union")
    found = {
        (label, side): worst(s, Roll(label, 2 if label == "event" else 1), side)
        for label in ("event", "cycle", "leader/s1418", "repair/n5020", "forage/king")
        for side in ("union", "confederate")
    }
    assert {side: sum(map(int, found["event", side])) for side in ("union", "confederate")} == {
        "union": 8, "confederate": 12
    }  # fmt: skip
    assert found["cycle", "union"] == found["cycle", "confederate"] == (6,), (
        "its end would spare either the other's plan"
    )
    assert (found["leader/s1418", "union"], found["leader/s1418", "confederate"]) == ((1,), (6,))
    assert (found["repair/n5020", "union"], found["repair/n5020", "confederate"]) == ((6,), (1,))
    assert (found["forage/king", "union"], found["forage/king", "confederate"]) == ((6,), (1,))


@pytest.mark.clause("14.0-table")
def test_the_chances_of_random_events(campaign: Campaign) -> None:
    found = brought.chances(campaign(LONG).board, "event", {"dice": [1, 1]})
    assert sum(found.values()) == 1
    assert found["rain for 3 turns"] == Fraction(1, 36)
    assert found["early reinforcements of the union"] == Fraction(3 + 6, 36)  # 4 and 7
    assert found["paralysis of the union"] == Fraction(5, 36)


@pytest.mark.clause("15.0-1", "17.0-2", "20.2-1", "20.4-6")
def test_the_chances_of_single_dice(campaign: Campaign) -> None:
    b = campaign(LONG).board
    assert brought.chances(b, "cycle-roll", {"number": 2})["the cycle ends"] == Fraction(1, 3)
    assert brought.chances(b, "leader-check", {})["a leader killed"] == Fraction(1, 2)
    assert brought.chances(b, "repair", {"number": 1}) == {
        "whole again": Fraction(1, 6), "still damaged": Fraction(5, 6)
    }  # fmt: skip
    facts = {"number": 3, "fatigue": 2, "add": 0}
    assert brought.chances(b, "forage", facts)["in supply"] == Fraction(1, 6)


@pytest.mark.clause("14.0-par1")
def test_points_told_of_a_paralysed_march_are_those_that_it_could_have(campaign: Campaign) -> None:
    facts = {"dice": [2], "add": 1, "less": 2}
    found = brought.chances(campaign(LONG).board, "allowance", facts)
    assert found["1 point"] == Fraction(2, 6)  # 2-2 and 3-2
    assert found["5 points"] == Fraction(1, 6)


@pytest.mark.clause("14.0-par1", "14.0-rain-mv1", "18.0-3")
def test_odds_in_paralysis_rain_and_panic_are_those_of_every_throw(campaign: Campaign) -> None:
    s = campaign(LONG, {"hood": "S2414 8", "king": "S2514 18"}, turn=5, choice="confederate")
    order = March("hood", (), strike=Strike(s.at["king"]))
    s.paralysed.add("confederate")
    assert tell_odds(s, order).startswith("1d6+1-2 points, 1 to 5: ")
    assert compare(s, order)
    s.memo.clear()
    s.weather(6)
    s.panic = 5
    assert compare(s, order)
    named = {factor.what: (factor.value, factor.clause) for factor in factors(s, order)}
    assert named["die for rain"] == ("-1", "14.0-rain-att1")
    assert named["enemy's die for the panic"] == ("-1", "18.0-3")


@pytest.mark.clause("17.0-2", "17.0-5")
def test_who_attacks_with_a_leader_is_told_that_he_may_be_killed(campaign: Campaign) -> None:
    s = campaign(LONG, {"ap-hill": "S2414 18", "jackson": "S2414", "king": "S2514 9"}, turn=5, choice="confederate")
    order = March("ap-hill", (), ("jackson",), strike=Strike(s.at["king"]))
    (factor,) = [factor for factor in factors(s, order) if factor.clause == "17.0-2"]
    assert factor.value == "one more die, and an even one kills Jackson: 1 throw of 72"
    s.killed.add("jackson")
    s.memo.clear()
    assert not [factor for factor in factors(s, order) if factor.clause == "17.0-2"]


@pytest.mark.clause("20.4-5", "20.4-6", "20.4-opt")
def test_odds_of_foraging(campaign: Campaign) -> None:
    """Fairfax gives Confederates 3."""
    s = campaign(LONG, {"hood": "N5017", "kemper": "N5017"}, {"forage-dispersal": "yes"}, turn=7)
    s.hungry |= {"hood", "kemper"}
    assert tell_odds(s, Forage(("hood",))) == "in supply 50 %, nothing found 50 %"
    assert tell_odds(s, Forage(("hood", "kemper"))) == (
        "hood in supply 50 %, nothing found 50 %; kemper in supply 33.3 %, nothing found 66.7 %"
    )
    s.fatigue["hood"] = 2
    told = [(factor.value, factor.clause) for factor in factors(s, Forage(("hood", "kemper")))]
    assert told == [
        ("in supply with 3 or less", "20.4-5"),
        ("+2 to its die", "20.4-6"),
        ("in supply with 3 or less", "20.4-5"),
        ("+1 to its die", "20.4-opt"),
    ]
    assert [factor.clause for factor in factors(s, Merge("hood", "kemper"))] == ["21.2-2"]


@pytest.mark.clause("18.0-7")
def test_an_extended_march_behind_the_panic_goes_by_the_column_of_the_potomac(campaign: Campaign) -> None:
    s = campaign(LONG, turn=7, choice="union")
    s.fatigue["king"] = 2
    order = March("king", ())

    def column() -> str:
        s.memo.clear()
        return next(factor.value for factor in factors(s, order) if factor.clause == "std-5.1-8")

    before = column()
    s.panic = 5
    s.put("mcclellan", s.at["pope"])
    assert s.army("king") == "AP"
    assert column() != before


@pytest.mark.clause("18.0-1", "18.0-2")
def test_odds_tell_how_likely_a_combat_sends_the_union_into_panic(campaign: Campaign) -> None:
    s = campaign(LONG, {"ap-hill": "S2414 18", "jackson": "S2414", "purnell": "S2514 1"}, turn=5, choice="confederate")
    order = March("ap-hill", (), ("jackson",), strike=Strike(s.at["purnell"]))
    fights = known_courses(s, order) or []
    starred = sum(share for cell, share in results(s, fights).defender.items() if cell.endswith("*"))
    assert 0 < starred < 1
    assert tell_odds(s, order).endswith(f", the Union panics {per_cent(starred, 1)}")
    s.panic = 4
    s.memo.clear()
    assert "panics" not in tell_odds(s, order), "once in a game"


@pytest.mark.clause("18.0-1")
def test_a_result_of_the_confederates_sends_nobody_into_panic(campaign: Campaign) -> None:
    s = campaign(LONG, {"king": "S2414 18", "va-2": "S2514 1"}, turn=5, choice="union")
    assert "panics" not in tell_odds(s, March("king", (), strike=Strike(s.at["va-2"])))
