"""What becomes of units in a fight, in the words of all systems."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbem.rules.fates import fate, fought, odds, resisted, result_words, together


def test_outcomes_are_told_with_their_chances() -> None:
    assert odds({"missed": Fraction(5, 12), "hit": Fraction(7, 12)}) == "missed 41.7 %, hit 58.3 %"
    assert odds({}) == ""


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"result": "-"}, "no effect"),
        ({"result": "M0"}, "M0"),
        ({"result": "0"}, "check +0"),
        ({"result": "0", "kills": 0}, "none"),
        ({"result": "2", "kills": 2}, "2 killed"),
    ],
)
def test_no_effect_is_the_dash_of_a_table_alone(facts: dict[str, Any], words: str) -> None:
    assert fought(facts) == words
    assert (words == "no effect") == (result_words(facts["result"]) == "no effect")


@pytest.mark.parametrize(
    ("results", "words"), [(["-"], "no effect"), (["M3"], "stands"), (["-", "M3"], "stands"), ([], "nothing")]
)
def test_who_came_through_another_result_stands(results: list[str], words: str) -> None:
    assert resisted([{"result": result} for result in results], "sa-01") == words


@pytest.mark.parametrize("answer", ["-", "D"])
def test_what_came_of_a_fight_at_another_unit_makes_no_other_words(answer: str) -> None:
    fights = [{"target": "sg-01", "result": answer}, {"target": "sa-01", "result": "-"}]
    assert resisted(fights, "sa-01") == "no effect"


@pytest.mark.parametrize(
    ("what", "facts", "words"),
    [
        ("disorder", {}, "disordered"),
        ("retreat", {"path": ["0101"]}, "retreats"),
        ("recover", {"success": True}, "recovers"),
        ("recover", {"success": False}, "stays disordered"),
        ("rally", {"success": True}, "rallied"),
        ("rally", {"success": False}, ""),
        ("loss", {"figures": 2}, "2 killed"),
        ("loss", {"figures": 2, "left": 1}, "2 killed"),
        ("loss", {"figures": 2, "left": 0}, "2 killed and none left"),
        ("loss", {"figures": 1, "left": 0, "alone": True}, "killed"),
        ("remove", {"why": "dispersed"}, "dispersed"),
        ("remove", {"why": "fled"}, "flees off the table"),
        ("remove", {"why": "fire"}, "removed"),
        ("check", {"passed": True}, ""),
    ],
)
def test_each_event_has_one_word(what: str, facts: dict[str, Any], words: str) -> None:
    assert fate(what, facts) == words


@pytest.mark.parametrize(
    ("fates", "words"),
    [
        (["disordered", "retreats"], "disordered and retreats"),
        (["retreats", "retreats"], "retreats"),
        (["disordered", "retreats", "removed"], "removed"),
        (["3 killed", "routs", "removed"], "3 killed and removed"),
        (["3 killed", "routs", "flees off the table"], "3 killed and flees off the table"),
        (["1 killed and none left", "removed"], "1 killed and none left"),
        (["killed", "removed"], "killed"),
        (["1 killed", "2 killed and none left", "removed"], "3 killed and none left"),
    ],
)
def test_what_becomes_of_a_unit_is_told_together(fates: list[str], words: str) -> None:
    assert together(fates) == words


@pytest.mark.parametrize(
    ("own", "result", "words"),
    [
        ("1D", "-", "attacker 1D, defender no effect"),
        ("Da", "1DR", "attacker Da, defender 1DR"),
        ("3D", "1", "attacker 3D, defender 1 lost"),
    ],
)
def test_of_a_chart_with_cells_for_both_sides_both_are_told(own: str, result: str, words: str) -> None:
    assert fought({"own_result": own, "result": result}) == words


@pytest.mark.parametrize(
    ("fates", "words"),
    [
        (["comes to fatigue 1", "disorganised", "comes to fatigue 4"], "disorganised and comes to fatigue 4"),
        (["1 manpower lost", "disorganised", "2 manpower lost"], "3 manpower lost and disorganised"),
        (["1 manpower lost", "removed"], "removed"),
    ],
)
def test_manpower_is_summed_and_the_last_fatigue_counts(fates: list[str], words: str) -> None:
    assert together(fates) == words
