"""How many mails a bot's game takes when its entries hold plans for the later phases of the turn, as one table.

    python -m pytest tests/bench/test_plans.py -s

Both sides play boldly, the whole game on one machine. What is planned is what the bot would do if the enemy did what it
would do in his place and the dice fell in one way of many; each phase is closed by its plan, so that none is asked
again. Other orders bring other dice, so that games with and without plans differ in length, too. PBEM_BENCH names
scenarios in place of toba-fushimi, PBEM_GAMES is the number of games.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest
from matches import Match, scenario_of, statements

from pbem.match.bots import suggest
from pbem.match.chances import chance_answer
from pbem.match.orders import Act
from pbem.match.table import BARE, Table
from pbem.match.take import imagine
from pbem.rules.requests import Choose, Words

GAMES = int(os.environ.get("PBEM_GAMES", "1"))
CYCLES = max(3, GAMES)
WHO = {"nobody plans": (), "the first side plans": ("asuka",), "both sides plan": ("asuka", "ben")}
MOST_A_TURN = 8
"""Mails of a turn of cedar-mountain at most, of both sides together, when both plan."""

MOST = 400
"""Orders of one turn that are imagined."""


def planned(table: Table, name: str, orders: list[Words], chance: random.Random) -> list[Words]:
    """Plans for the player's later phases of the turn: what is done there in one future of many."""
    ahead, side = table.fork(), table.genesis.player(name).side
    turn, now = table.rules.clock(table.game.state)
    acts = [(0, Act(table.rules.read_order(table.board, side, words), words)) for words in orders]
    imagine(ahead, side, acts, lambda node: chance_answer(node, chance))
    found: list[Words] = []
    for _ in range(MOST):
        request, (then, phase) = ahead.game.request, ahead.rules.clock(ahead.game.state)
        if not isinstance(request, Choose) or then != turn:
            break
        order = table.rules.advise(ahead.game.state, request, chance)
        words = table.rules.order_words(table.board, order)
        if request.side == side and phase != now and not request.reaction:
            found.append(("in", f"{phase.removeprefix(f'{side}-')}:", *words))
        imagine(ahead, request.side, [(0, Act(order, words))], lambda node: chance_answer(node, chance))
    return found


def game(scenario: str, planning: tuple[str, ...], number: int) -> Counter[str]:
    """One whole game: its mails by kind, the orders that its entries held, those that lapsed."""
    match, chance = Match(scenario_of(scenario), number), random.Random(number)
    while (due := match.due())[1] is not None:
        what, name = due
        assert name is not None
        orders = [] if what in BARE else suggest(match.table, name, "bold", chance)
        match.play(
            statements(orders + (planned(match.table, name, orders, chance) if orders and name in planning else []))
        )
    counted = Counter(f"entry {block.payload.split()[3].decode().rstrip(';')}" for block in match.blocks)
    return counted + Counter(step["kind"] for step in match.table.steps if step["kind"] in ("order", "lapse"))


@pytest.mark.parametrize("scenario", os.environ.get("PBEM_BENCH", "toba-fushimi").split())
def test_mails_of_a_game(scenario: str) -> None:
    print(f"\n{scenario}, {GAMES} games{'':<8} mails  with orders  without   orders   lapsed")
    mails = {}
    for who, planning in WHO.items():
        found = sum((game(scenario, planning, number) for number in range(GAMES)), Counter[str]())
        decided = found["entry orders"] + found["entry react"]
        mails[who] = sum(count for kind, count in found.items() if kind.startswith("entry "))
        bare = mails[who] - decided
        row = (mails[who], decided, bare, found["order"], found["lapse"])
        print(f"{who:<30}" + "".join(f"{count / GAMES:>9.1f}" for count in row), flush=True)
    assert mails["both sides plan"] < mails["nobody plans"]


def cycles(scenario: str, number: int, *, plans: bool) -> float:
    """The mails of a turn where orders last over what the other side does; without `plans` an entry has one order."""
    match, chance = Match(scenario_of(scenario), number), random.Random(number)
    while (due := match.due())[1] is not None:
        what, name = due
        assert name is not None
        orders = [] if what in BARE else suggest(match.table, name, "bold", chance)
        if not plans:
            said = [words for words in orders if words[0] == "standing"]
            orders = [*said, *[words for words in orders[len(said) :] if words != ("strict",)][:1]]
        match.play(statements(orders))
    return (len(match.blocks) - 2) / match.table.rules.clock(match.table.game.state)[0]


@pytest.mark.parametrize("scenario", os.environ.get("PBEM_CYCLES", "cedar-mountain").split())
def test_mails_of_a_turn_whose_cycle_both_sides_plan(scenario: str) -> None:
    mails = {plans: sum(cycles(scenario, n, plans=plans) for n in range(CYCLES)) / CYCLES for plans in (False, True)}
    told = f"{mails[False]:.1f} mails a turn with an entry an action, {mails[True]:.1f} with plans"
    print(f"\n{scenario}, {CYCLES} games: {told}")
    assert mails[True] <= MOST_A_TURN
    assert mails[True] < mails[False]
