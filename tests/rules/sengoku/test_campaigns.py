"""Campaigns of Shizugatake played at random and by an eager player: no dead end, and what always holds (P-1, P-6)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from rules.sengoku.campaign import PLAYERS, check

from pbem.rules.requests import Choose, Roll, Tell
from pbem.rules.sengoku.sequence import FIRST, clock, next_activity
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.victory import outcome

Field = Callable[..., State]


def played(s: State, player: str, seed: int, innings: int, every: int = 40) -> Counter[str]:
    """A campaign played up to an inning, or its end, looked at after each activity: how often each event was told.

    Of `every` so many questions all options are looked at.
    """
    chance, seen, last, asked = random.Random(seed), Counter[str](), clock(s)[0], 0
    while outcome(s) is None and s.turn <= innings:
        activity, answer = next_activity(s), None
        while True:
            try:
                request = activity.send(answer)
            except StopIteration:
                break
            answer = None
            if isinstance(request, Tell):
                seen[request.what] += 1
            elif isinstance(request, Roll):
                answer = tuple(chance.randint(1, request.sides) for _ in range(request.dice))
            elif isinstance(request, Choose):
                asked += 1
                if asked % every == 0:
                    options = list(request.options())
                    assert options, "a dead end"
                    assert [request.why_not(order) for order in options] == [None] * len(options)
                answer = PLAYERS[player](s, request, chance)
                assert request.why_not(answer) is None
        check(s)
        assert last <= s.turn
        last = s.turn
    return seen


@pytest.mark.parametrize(("player", "seed", "innings"), [("any answer", 1, 3), ("eager", 2, 3), ("eager", 3, 3)])
def test_a_campaign_has_no_dead_end_and_adds_up(campaign: State, player: str, seed: int, innings: int) -> None:
    seen = played(campaign, player, seed, innings)
    assert seen["move"] > 20 * innings
    if player == "eager":
        assert min(seen[what] for what in ("attack", "retreat", "remove", "shaken")) > 0


def test_an_eager_campaign_has_fights_and_sieges_to_its_end(campaign: State) -> None:
    seen = played(campaign, "eager", 4, 12)
    assert outcome(campaign) is not None
    expected = ("attack", "retreat", "pursuit", "besiege", "siege-check", "assault", "organise", "recover", "lifted")
    assert {what: seen[what] > 0 for what in expected} == dict.fromkeys(expected, True)


def test_a_small_campaign_is_looked_at_in_each_question(field: Field) -> None:
    castles = {"gifu": "0105 kobe 1", "sone": "0110 inaba 1"}
    ours = {"hb-01 hb-04 hb-06 hb-07 hb-08": "0105 besieging", "hb-02 hb-09 hb-10": "0106"}
    theirs = {"tk-01 tk-02": "0108", "sb-01 sb-02 sb-03 sb-04": "0112"}
    s = field(". " * 20 + "\n" + " ." * 20, {**ours, **theirs}, castles=castles, turn=11)
    s.phase = FIRST
    seen = played(s, "any answer", 3, 12, every=1)
    assert outcome(s) is not None
    assert min(seen["attack"], seen["siege-check"]) > 0
