"""What many games come to: intervals against published ones, and every number counted by hand."""

from __future__ import annotations

import json

import pytest
from matches import scenario_of

from pbem.desk.desk import terms_of
from pbem.report.simulated import text
from pbem.simulate.game import Played, Run
from pbem.simulate.summary import spread, summary, wilson


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 1 - 0.1611, 1.0),
        (28, 29, 1 - 0.1718, 1 - 0.0061),
    ],
)
def test_intervals_are_the_published_ones(won: int, of: int, low: float, high: float) -> None:
    assert wilson(won, of) == pytest.approx((low, high), abs=0.00005)


def test_an_interval_holds_its_share_and_shrinks() -> None:
    for of in (1, 2, 7, 100, 10_000):
        for won in {0, 1, of // 2, of}:
            low, high = wilson(won, of)
            assert 0 <= low <= won / of <= high <= 1
            wide = wilson(10 * won, 10 * of)
            assert wide[1] - wide[0] < high - low


def test_how_numbers_are_spread() -> None:
    assert spread([3]) == {"mean": 3, "least": 3, "low": 3, "high": 3, "most": 3, "counts": [[3, 1]]}
    found = spread([9, *range(1, 9), 100, 9])
    assert (found["least"], found["low"], found["high"], found["most"]) == (1, 2, 9, 100)
    assert found["counts"][-2:] == [[9, 2], [100, 1]]
    assert sum(found["low"] <= n <= found["high"] for n in range(1, 11)) >= 8


def game(number: int, winner: str | None, clause: str, turns: int, mails: int, **lost: list[int]) -> Played:
    return Played(number, winner, clause, f"in turn {turns}", turns, mails, mails - 5, lost)


def test_games_are_counted() -> None:
    scenario = scenario_of("yao")
    run = Run(scenario, terms_of(scenario, {"command-range": "yes"}, reactions="ask"), ("bold", "random"), 7)
    games = [
        game(1, "east", "a", 2, 20, east=[1, 0], osaka=[0, 3]),
        game(2, "osaka", "b", 3, 40, east=[1, 1, 1], osaka=[0, 0, 0]),
        game(4, "east", "a", 3, 30, east=[0, 0, 1], osaka=[1, 0, 0]),
        game(5, None, "c", 1, 10, east=[0], osaka=[0]),
    ]
    told = summary(run, 6, games)
    assert (told["asked"], told["games"], told["seed"], told["reactions"]) == (6, 4, 7, "ask")
    assert told["chosen"] == {"command-range": "yes"}
    assert told["options"].keys() > told["chosen"].keys()
    east, osaka = told["sides"]
    assert (east["id"], east["bot"], osaka["id"], osaka["bot"]) == ("east", "bold", "osaka", "random")
    assert (east["wins"], osaka["wins"], told["draws"]["wins"]) == (2, 1, 1)
    assert (east["share"], osaka["share"]) == (0.5, 0.25)
    assert (east["low"], east["high"]) == wilson(2, 4)
    assert east["lost_by_turn"] == [0.5, 0.25, 0.5]
    assert osaka["lost_by_turn"] == [0.25, 0.75, 0.0]
    assert east["lost"]["counts"] == [[0, 1], [1, 2], [3, 1]]
    assert east["leaders"] == "", "they are units there"
    assert (told["length"]["mean"], told["mails"]["mean"], told["orders"]["mean"]) == (2.25, 25, 20)
    endings = [(one["winner"], one["title"], one["clause"], one["games"], one["reasons"]) for one in told["endings"]]
    assert endings == [
        ("east", "Eastern Army", "a", 2, 2),
        (None, "draw", "c", 1, 1),
        ("osaka", "Osaka Army", "b", 1, 1),
    ]
    assert told["endings"][0]["reason"] == "in turn 2", "of equally frequent ones the first"
    assert [row["number"] for row in told["played"]] == [1, 2, 4, 5]
    assert json.loads(json.dumps(told)) == told


def test_endings_are_told_by_level_where_there_are_levels() -> None:
    scenario = scenario_of("yao")
    run = Run(scenario, terms_of(scenario, {}, reactions="standing"), ("bold", "random"), 7)
    games = [game(n, "east", "a", 1, 9, east=[0], osaka=[0])._replace(level=level) for n, level in enumerate("xyx", 1)]
    endings = [(one["winner"], one["level"], one["games"], one["share"]) for one in summary(run, 3, games)["endings"]]
    assert endings == [("east", "x", 2, 2 / 3), ("east", "y", 1, 1 / 3)]


def test_leaders_who_are_no_units_are_named_beside_the_units_lost() -> None:
    scenario = scenario_of("skirmish")
    run = Run(scenario, terms_of(scenario, {}, reactions="standing"), ("bold", "bold"), 7)
    told = summary(run, 1, [game(1, "red", "army-break", 1, 9, red=[1], black=[2])])
    assert [side["leaders"] for side in told["sides"]] == ["daimyos", "daimyos"]
    assert "Units and daimyos lost, Red Army" in text(told, 100)
