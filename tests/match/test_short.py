"""Of a march whose odds hang on what comes before it, mails tell how often it comes short of its aim."""

from __future__ import annotations

from typing import Any

from matches import Match, scenario_of

from pbem.match.comes import Comes
from pbem.report.ordered import came_words

WORDS = ("march", "buford", "S0223", "S0323")


def march(**facts: str) -> list[dict[str, Any]]:
    """What a march led to."""
    tired = {"kind": "tell", "what": "tired", "clause": "", "facts": {"unit": "buford", "fatigue": 1}}
    return [tired, {"kind": "tell", "what": "march", "clause": "", "facts": {"unit": "buford", **facts}}]


def counted(*odds: str) -> str:
    """What is told of a march that came short in one of two futures, and had these odds."""
    comes = Comes(Match(scenario_of("cedar-mountain"), 7).table)
    comes.played, comes.odds[("union", 1)] = 2, {frozenset({one}): one for one in odds}
    comes.found[("union", 1)] = [(WORDS, march()), (WORDS, march(short="enemy", aim="S0323"))]
    return came_words(comes.came("union", 1))


def test_a_march_of_varying_odds_is_told_with_how_often_it_comes_short() -> None:
    told = counted("2d6 points: to S0323 90 %", "2d6 points: to S0323 10 %")
    assert told.endswith("there 2d6 points: comes to fatigue 1 in 2; buford comes short of S0323 in 1"), told


def test_where_the_odds_are_the_same_they_tell_it() -> None:
    assert counted("2d6 points: to S0323 90 %") == "2d6 points: to S0323 90 %"
