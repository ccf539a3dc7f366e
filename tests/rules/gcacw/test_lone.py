"""The course of a side's only unit: exact over all dice, and weighed by the chance of a victory."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from pbem.rules import gcacw
from pbem.rules.gcacw import bot, goals, sequence
from pbem.rules.gcacw.board import CONFEDERATE
from pbem.rules.gcacw.lone import WINS
from pbem.rules.gcacw.orders import ALWAYS, NEVER, PASS, ROUTE, Activate
from pbem.rules.gcacw.state import State, start
from pbem.rules.requests import Choose
from pbem.scenario import load_scenario

STATIONS = ("S3307", "S3108")


def raider(turn: int, at: str, *, raided: bool = True, fatigue: int = 0, men: int = 3, shaken: bool = False) -> State:
    """Stuart and F. Lee in a hex of Stuart's Raid; the Union stands far away."""
    s = start(gcacw.board(load_scenario("stuarts-raid").data), {})
    for unit, h in {"stuart": at, "f-lee": at, "md-1": "S5021", "ny-4": "S5020"}.items():
        s.put(unit, s.board.parse(h))
    s.station.update({s.board.parse(h): 1 for h in STATIONS if raided})
    cycle = next(n for n, phase in enumerate(sequence.phases_of(s.board)) if phase.kind == "cycle")
    s.turn, s.phase, s.opened, s.cycle = turn, cycle, True, 1
    s.fatigue["f-lee"], s.manpower["f-lee"] = fatigue, men
    if shaken:
        s.disorganise("f-lee")
    s.memo.clear()
    return s


def goal(s: State) -> goals.Goal:
    return goals.goals(s, CONFEDERATE)["f-lee"]


def advised(s: State) -> Any:
    s.choice = CONFEDERATE
    request = Choose(CONFEDERATE, "action", "std-4.0-3", "", lambda _: None, lambda: (), lambda _: PASS)
    return bot.advise(s, request, None)


def comes_home(s: State, forced: int) -> float:
    """The chance that the last march along the highroads comes home, throw by throw, from the tables alone."""
    board, tables = s.board, s.board.tables
    path = [board.parse(h) for h in ("S2403", "S2304", "S2204", "S2104", "S2004", "S1905")]
    steps = [s.at["f-lee"], *path]
    price = sum(board.ground.cost[a][b] for a, b in zip(steps, path, strict=False))
    shaken, home = "f-lee" in s.disorganised, 0
    for one, two, strain in product(range(1, 7), repeat=3):
        found = tables.strain(s.army("f-lee"), strain + tables.at_four + tables.mounted)
        men = s.manpower["f-lee"] - found.loss - (found.disorganised and shaken)
        disorganised = shaken or found.disorganised
        points = 2 * (one + two + 2)
        if men > 0 and points < price <= points + forced and not (men == 1 and disorganised):
            men, points = men - disorganised, points + forced  # std-5.1-11, std-5.1-13
        home += men > 0 and points >= price
    return home / 216


@pytest.mark.parametrize(("men", "shaken"), [(2, True), (1, True)])
def test_the_last_march_is_worth_what_all_throws_bring(men: int, *, shaken: bool) -> None:
    """Two stations bring 6, home 2: from 7 on the Confederates win (13.3-vic)."""
    s = raider(3, "S2504", fatigue=3, men=men, shaken=shaken)
    forced = s.board.tables.forced["cavalry"]
    best = max(comes_home(s, 0), comes_home(s, forced))
    assert 0 < best < 1
    assert goal(s).worth == pytest.approx(6 + best * (2 + WINS))


def test_who_is_home_with_enough_stays_there_and_who_is_not_goes() -> None:
    s = raider(3, "S1905", fatigue=1)
    assert goal(s).rests
    assert advised(s) == PASS
    s = raider(3, "S2004", fatigue=1)
    assert not goal(s).rests
    order = advised(s)
    assert isinstance(order, Activate)
    assert s.board.label[order.marches[0].path[-1]] == "S1905"


def test_a_march_is_forced_only_where_that_brings_more() -> None:
    assert goal(raider(3, "S2104")).force == NEVER
    assert goal(raider(3, "S2704", fatigue=3)).force in {ROUTE, ALWAYS}
    assert goal(raider(1, "S2704", raided=False)).force == NEVER  # nobody forces a march in turn 1: 13.3-sp3


def test_it_is_less_worth_the_more_tired_and_the_weaker_it_is() -> None:
    fresh = goal(raider(3, "S3108", fatigue=1)).worth
    assert fresh > goal(raider(3, "S3108", fatigue=2)).worth > goal(raider(3, "S3108", fatigue=3)).worth > 6
    assert (
        goal(raider(3, "S3108", fatigue=3, men=3)).worth > goal(raider(3, "S3108", fatigue=3, men=1, shaken=True)).worth
    )
    assert goal(raider(3, "S3108", fatigue=4)).worth == 6
    assert goal(raider(3, "S3108", fatigue=4)).rests
