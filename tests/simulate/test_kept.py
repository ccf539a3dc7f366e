"""Games as lines: what is written is read again; what is no game of the run is none."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from matches import scenario_of

from pbem.desk.desk import terms_of
from pbem.errors import Damaged
from pbem.simulate.game import MOST, Played, Run, played
from pbem.simulate.kept import BEGINNING, game_of, heading, heading_of, line, others


@pytest.fixture(scope="module")
def run() -> Run:
    scenario = scenario_of("yao")
    return Run(scenario, terms_of(scenario, {}), ("bold", "random"), 1 << 70)


TRUE = Played(2, None, "14-1", "nobody wins", 2, 9, 5, {"east": [0, 1], "osaka": [0, 0]})


def test_what_is_written_is_read_again(run: Run) -> None:
    last = TRUE._replace(turns=12, lost={"east": [0] * 12, "osaka": [0] * 12}, orders=7, reason="x" * 500)
    for game in (TRUE, last, TRUE._replace(reason="道明寺", mails=MOST + 1), played(run, 3)):
        data = line(game)
        assert data.isascii()
        assert data.index(b"\n") == len(data) - 1
        assert game_of(data, run) == game_of(data.replace(b"\n", b"\r\n"), run) == game
    assert line(heading(run)).startswith(BEGINNING)
    assert heading_of(line(heading(run))) == heading(run)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n", b"7\n", b"null\n", b"[1, 2]\n", b"{}\n", b"[" * 100_000 + b"\n", b"\xff\n", bytes(9),
        line(TRUE)[:-2], line(TRUE._replace(number=0)), line(TRUE._replace(winner="west")),
        line(TRUE._replace(turns=3)), line(TRUE._replace(mails=MOST + 2)), line(TRUE._replace(orders=-1)),
        line(TRUE._replace(reason="\ud800")), line(TRUE).replace(b"9", b"9.5"), line(TRUE).replace(b": 9,", b": NaN,"),
        line(TRUE).replace(b": 9,", b": true,"), line(TRUE).replace(b": 9,", b": " + b"9" * 5000 + b","),
        line(TRUE).replace(b"mails", b"letters"),
        line(TRUE._replace(orders=8)), line(TRUE._replace(clause="")), line(TRUE._replace(reason="won\nby far")),
        line(TRUE._replace(reason="x" * 501)), line(TRUE._replace(clause="14-1\x1b[2J")),
        line(TRUE._replace(turns=13, lost={"east": [0] * 13, "osaka": [0] * 13})),
        line(TRUE._replace(lost={"east": [0, 1]})), line(TRUE._replace(lost={"east": [0, 1], "osaka": [0, -1]})),
    ],
)  # fmt: skip
def test_what_is_no_game_of_the_run_is_refused(data: bytes, run: Run) -> None:
    with pytest.raises(Damaged, match="this line is no game"):
        game_of(data, run)
    assert heading_of(data) is None


@pytest.mark.parametrize(("lost", "told"), [
    ([0, 76], ""), ([76, 0], ""), ([0, 77], "east has 76 units and can't lose 77"), ([70, 7], "can't lose 77$"),
])  # fmt: skip
def test_no_side_loses_more_units_than_it_has(run: Run, lost: list[int], told: str) -> None:
    data = line(TRUE._replace(lost={"east": lost, "osaka": [0, 26]}))
    if told:
        with pytest.raises(Damaged, match=f"this line is no game of this run: .*{told}"):
            game_of(data, run)
    else:
        game_of(data, run)


@pytest.mark.parametrize(
    ("government", "told"), [([28, 28], ""), ([0, 29], "government has 28 units and can't lose 29 in")]
)
def test_units_that_come_back_are_lost_again_in_another_turn(government: list[int], told: str) -> None:
    scenario = scenario_of("tabaruzaka")
    tabaruzaka = Run(scenario, terms_of(scenario, {}), ("bold", "bold"), 1)
    data = line(TRUE._replace(lost={"government": government, "saigo": [26, 0]}))
    if told:
        with pytest.raises(Damaged, match=told):
            game_of(data, tabaruzaka)
    else:
        game_of(data, tabaruzaka)
    with pytest.raises(Damaged, match=r"saigo has 26 units and can't lose 27$"):
        game_of(line(TRUE._replace(lost={"government": [0, 0], "saigo": [26, 1]})), tabaruzaka)


def test_what_is_no_heading(run: Run) -> None:
    """A game, another format, and a heading that lacks something or in which a number isn't one."""
    there = heading(run)._asdict()
    wrong: list[Any] = [
        there | {"pbem": "games/2"}, there | {"more": 1}, there | {"seed": "7"}, there | {"seed": True},
        there | {"options": []}, there | {"first": "\udc80"}, {name: there[name] for name in list(there)[:-1]},
    ]  # fmt: skip
    assert heading_of(json.dumps(there).encode()) == heading(run)
    assert [heading_of(json.dumps(data).encode()) for data in wrong] == [None] * len(wrong)
    assert heading_of(line(TRUE)) is None


def test_what_is_another_in_two_runs_is_named(run: Run) -> None:
    here = heading(run)
    assert others(here, heading(replace(run))) == []
    other = heading(replace(run, bots=("random", "bold"), seed=7, version="0.9"))
    assert others(other, here) == [
        "version 0.9, not 1.0.0", "first random, not bold", "second bold, not random", f"seed 7, not {1 << 70}",
    ]  # fmt: skip
    changed = run.terms._replace(rules="yukimura/1", digest="0" * 64, options=(("a", "b"),), reactions="ask")
    assert others(heading(replace(run, terms=changed)), here) == [
        "rules yukimura/1, not yukimura/2", "other data of yao",
        "options a=b, not command-freezes-movement=no command-range=no", "reactions ask, not standing",
    ]  # fmt: skip
    elsewhere = run.terms._replace(scenario="domyoji", digest="0" * 64)
    assert others(heading(replace(run, terms=elsewhere)), here) == ["scenario domyoji, not yao"]
