"""Why a condition doesn't hold: how that stands of which it asks."""

from __future__ import annotations

import pytest
from matches import Match, scenario_of

from pbem.match.orders import Condition
from pbem.match.unmet import said, why_unmet


@pytest.fixture(scope="module")
def campaign() -> Match:
    match = Match(scenario_of("shizugatake"), 1)
    match.play("")
    match.play("close deployment")
    return match


@pytest.mark.parametrize(
    ("test", "how"),
    [
        ("gone hb-01", "hb-01 is at 1623"),
        ("at hb-01 3126", "hb-01 is at 1623"),
        ("at sb-01 4301", "sb-01 is off the map"),
        ("is sb-01 shaken", "sb-01 is off the map"),
        ("is hb-01 shaken", ""),
        ("empty 3223", "ty-01 is at 3223"),
        ("empty 4415", "hb-35, hb-36, hb-37 and 2 more are at 4415"),
        ("held 5313 hashiba", "Gifu belongs to the Anti-Hashiba side"),
        ("held 4413 anti-hashiba", "Nagahama belongs to the Hashiba side"),
        ("held 4001 hashiba", "nobody is at 4001"),
        ("fallen gifu", "Gifu belongs to the Anti-Hashiba side"),
        ("not alive hb-01", "hb-01 is at 1623"),
        ("not empty 4001", "nobody is at 4001"),
    ],
)
def test_how_it_stands_of_which_a_condition_asks(campaign: Match, test: str, how: str) -> None:
    words = tuple(test.removeprefix("not ").split())
    condition = Condition(not test.startswith("not "), words)
    assert said(condition) == test
    rules, s = campaign.table.rules, campaign.table.game.state
    assert rules.test(s, words) != condition.expected, "else there is nothing to explain"
    assert why_unmet(rules.situation(s), condition) == how


@pytest.mark.parametrize("words", ["near winder 2", "tired winder 3", "short winder", "row union 2", "fought S1418"])
def test_what_only_the_rules_of_one_game_ask_is_no_place(words: str) -> None:
    match = Match(scenario_of("cedar-mountain"), 1)
    assert why_unmet(match.table.rules.situation(match.table.game.state), Condition(True, tuple(words.split()))) == ""
