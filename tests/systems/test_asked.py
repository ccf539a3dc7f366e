"""Games in which players are asked on the way, while orders wait that get in each other's way."""

from __future__ import annotations

import random

import pytest

from pbem.match.bots import suggest
from pbem.match.chances import chance_answer
from pbem.match.check import check
from pbem.match.table import Table
from pbem.rules.requests import Choose
from systems.adapters import ADAPTERS
from systems.test_reports import empty_table

FIRST, LAST = 5, 135
"""Numbers of the entries that are given."""

SOONER = {"tabaruzaka": 32, "jacksons-march": 50, "lee-vs-pope": 50}
SOONER |= dict.fromkeys(("to-bull-run", "rapidan-to-rappahannock", "rapidan-to-manassas"), 42)
"""Where the last of them comes sooner, for the bots take their time."""

SELDOM = {"stuarts-raid"}
"""Where hardly anybody is asked while orders wait, by rules that others show: one side has a single unit."""

ASKING = {system: adapter for system, adapter in ADAPTERS.items() if adapter.STANDING_WORDS}
SCENARIOS = [(system, one) for system, adapter in ASKING.items() for one in adapter.SCENARIOS if one not in SELDOM]
"""Of systems in which anybody is asked in the other's phases."""


def begun(system: str, scenario: str, chance: random.Random) -> Table:
    """A game in which every question is asked, at its first decision."""
    table = empty_table(system, scenario, "ask")
    table.course.chancer = lambda request: chance_answer(request, chance)
    table.course.begin()
    table.course.resolve()
    return table


@pytest.mark.parametrize(("system", "scenario"), SCENARIOS)
def test_no_answer_is_refused_for_what_waits_since_an_earlier_entry(system: str, scenario: str) -> None:
    """Each entry of orders holds several that are legal by themselves; those that wait may lapse behind an answer."""
    chance = random.Random(13)
    table = begun(system, scenario, chance)
    waiting = 0
    for number in range(FIRST, SOONER.get(scenario, LAST)):
        if not isinstance(table.game.request, Choose):
            table = begun(system, scenario, chance)  # the game is over: another one
        request = table.game.request
        assert isinstance(request, Choose)
        table.seq, table.course.decided = number, (number, b"")
        name = table.genesis.of_side(request.side).name
        orders = suggest(table, name, "bold", chance)
        if not request.reaction and number % 3:
            samples = [table.rules.order_words(table.board, request.sample(chance)) for _ in range(8)]
            orders = [words for words in samples if words != (table.rules.CLOSING,)] + orders
        parts = check(table, name, "".join(f"{' '.join(words)};\n" for words in orders), chance, runs=0)
        if request.reaction:
            assert parts.errors == [], orders
            waiting += any(table.course.queues.values())
        table.course.play(request.side, parts.parts, reaction=request.reaction)
        table.course.resolve()
    assert waiting > 0
