"""Attacks by plans: orders that one entry lays for a later phase, whose dice come from the seed in force by then."""

from __future__ import annotations

from itertools import permutations
from statistics import mean

import pytest
from attacks.cheater import TAIL_5, chi_square, forged, refused, rolled, root, secret, words
from toy.players import Duel, hand

from pbem.crypto import dice
from pbem.errors import BadLog
from pbem.match.orders import statement_of
from pbem.match.table import Table
from pbem.match.take import peek
from pbem.match.way import LOOKED, forked
from pbem.report.ordered import plans
from pbem.scenario import Scenario, load_scenario
from pbem.wire.entry import Entry

PLAN = "rest; in late: bet 1; in late: rest;"
TRIALS = 240
TRIES = 20


@pytest.fixture
def planned(toy_system: Scenario) -> Duel:
    """Anna has planned a bet for her late phase; ben is to give orders before it, and her own value seeds its die."""
    game = Duel(load_scenario("rounds"))
    game.play("anna", PLAN)
    assert game.due() == "ben"
    return game


def answer(game: Duel, number: int, text: str = "rest;") -> Entry:
    """Ben's entry 3; the nonce is another for each number."""
    return game.entry("ben", words(game, "ben", text), nonce=root("answer", number).hex()[:32])


def die_by(game: Duel, value: bytes, payload: bytes) -> int:
    """The die of the bet if this value seeds entry 3."""
    return dice.roll(dice.seed(value, game.genesis.game, 3, dice.entry_hash(payload)), "bet/1", 1, 6)[0]


def behind(game: Duel, entry: Entry, value: bytes) -> Table:
    """The table behind ben's entry, when anna's value is this one."""
    table = game.table.fork()
    hand(table, entry)
    peek(table, value)
    return table


def test_who_lays_a_plan_knows_none_of_its_dice(planned: Duel) -> None:
    """Anna holds the secret, but ben's entry, with a nonce of his, isn't written when she signs the plan.

    Whatever she believes that he will write, with any other nonce her guess is as good as any; with his nonce, which a
    protocol without one would tell her, she would be right each time.
    """
    value = planned.secrets["anna"].value(1)
    believed = die_by(planned, value, answer(planned, -1 % TRIALS + TRIALS).payload)
    differences, knowing = [], []
    for number in range(TRIALS):
        entry = answer(planned, number)
        (die,) = rolled(behind(planned, entry, value), "bet/1")
        differences.append(1 + (die - believed) % 6)
        knowing.append(die == die_by(planned, value, entry.payload))
    assert chi_square(differences) < TAIL_5
    assert all(knowing)


def test_who_reads_a_plan_knows_none_of_its_dice(planned: Duel) -> None:
    """Ben reads the plan and tries many answers; the one that looks worst for her by all he knows is none.

    If the die came from a value of his own, he would have chosen it.
    """
    protocol, own_chain = [], []
    for number in range(TRIALS // 4):
        value, mine = secret(planned, "anna", number), secret(planned, "ben", number)
        tries = [answer(planned, TRIES * number + trying) for trying in range(TRIES)]
        chosen = min(tries, key=lambda entry: die_by(planned, mine, entry.payload))
        own_chain.append(die_by(planned, mine, chosen.payload))
        protocol += rolled(behind(planned, chosen, value), "bet/1")
    assert mean(own_chain) < 1.2
    assert abs(mean(protocol) - 3.5) < 3 * (35 / 12 / len(protocol)) ** 0.5


def test_a_plan_whose_dice_are_known_is_not_taken_back(planned: Duel) -> None:
    """Anna sees the die as soon as ben's entry comes: by then it has fallen, and only a reveal is due from her."""
    planned.play("ben", "rest;")
    assert planned.table.course.seed is None, "nobody else knows it"
    assert rolled(planned.view("anna"), "bet/1")
    for text in ("rest;", "in late: rest;", ""):
        refused(planned, forged(planned, "anna", text, kind="orders"), BadLog, "orders` is not due")
    refused(planned, forged(planned, "anna", "in late: rest;", kind="reveal"), BadLog, "stands in a `reveal`")
    planned.play("anna")
    assert len(rolled(planned.table, "bet/1")) == 1


def test_a_plan_is_not_passed_over_by_who_laid_it(planned: Duel) -> None:
    """She pretends that the plan had not been used, or that its die had another result: the state says otherwise."""
    before = planned.table.state_hash()
    planned.play("ben", "rest;")
    for state in (before, planned.table.state_hash()):
        refused(planned, forged(planned, "anna", (), state=state), BadLog, "the state is not the one")


def test_a_plan_is_laid_by_its_author_alone(planned: Duel) -> None:
    """A plan of ben's names his phases alone, and leaves hers as it is."""
    planned.play("ben", "rest; in red-late: rest; in late: pull 1;")
    table = planned.view("anna")
    assert [step["words"] for step in table.steps if step["kind"] == "order" and step["side"] == "red"] == [
        ["rest"],
        ["bet", "1"],
        ["rest"],
    ]


def test_a_new_plan_has_a_new_seed(toy_system: Scenario) -> None:
    """Who was shown dice and plans anew gets no die by a seed that he knows: his entry ends it."""
    game = Duel(load_scenario("rounds"))
    game.play("anna", "bet 1; in late: bet 1;")
    game.play("ben")
    game.play("anna", PLAN)
    assert game.table.course.seed is None
    assert game.table.course.decided is not None
    assert game.table.course.decided[0] == game.table.seq
    assert game.table.reveal_due == "ben"


# --- plans hidden among others


def test_a_plan_that_comes_is_not_hidden_among_hundreds_that_never_do(toy_system: Scenario) -> None:
    """Anna floods ben with plans whose tests fail; those by which she means something stand last."""
    game = Duel(load_scenario("rounds"))
    units = ("guard-1", "guard-2", "scout", "lancer", "levy-1", "levy-2")
    tests = [f"gone {one} and {no}gone {two}" for one, two in permutations(units, 2) for no in ("", "not ")]
    tests += [f"{test} and alive scout" for test in tests]
    flood = "".join(f"in late: if {test} then bet {points}; " for test in tests for points in (1, 2, 3))
    assert flood.count(";") > LOOKED
    game.play("anna", f"rest; {flood}in late: bet 2; in late: if alive scout then move scout rear;")
    told = [plan["order"] for plan in plans(game.table, "red")]
    assert told[:2] == ["in late: bet 2", "in late: if alive scout then move scout rear"]
    looked = [str(statement_of(plan)) for _, plan in forked(game.table).course.plans["red"]]
    assert len(looked) == LOOKED
    assert {"in late: bet 2;", "in late: if alive scout then move scout rear;"} <= {*looked}
