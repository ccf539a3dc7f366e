"""Attacks where plans of both sides last over an action cycle, whose dice all come from the newest entry's seed."""

from __future__ import annotations

import pytest
from matches import Match, parts_of, scenario_of, signer

from pbem.crypto import dice
from pbem.errors import BadLog
from pbem.match.compose import sign_agreement
from pbem.match.table import Table
from pbem.match.take import peek, take
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

UNION, CONFEDERATE = "march crawford S1319; march bayard S0824; done;", "march robertson S0728; done;"
TRIES = 12


def planned(number: int = 1) -> Match:
    """Asuka has laid orders for all of turn 1, and ben has read them; each number is a game of its own."""
    match = Match(scenario_of("cedar-mountain"), number, deadline=7)
    match.play(UNION)
    assert match.due() == ("orders", "ben")
    return match


@pytest.fixture
def laid() -> Match:
    """Both sides have laid orders for all of turn 1."""
    match = planned()
    match.play(CONFEDERATE)
    return match


def rolls(table: Table) -> list[tuple[str, list[int]]]:
    """The rolls of a game, each label with its dice."""
    return [(step["label"], [*step["result"]]) for step in table.steps if step["kind"] == "roll"]


def seen(match: Match, table: Table, name: str) -> Table:
    """The table as a player sees it who knows his own values."""
    own = table.fork()
    index = own.next_reveal(name)
    if index is not None:
        peek(own, match.secrets[name].value(index))
    return own


def claims(match: Match, name: str, sent: str) -> Table:
    """The table behind the claim of the one who waits."""
    body = (Statement("sent", tuple(sent.split())),)
    turn = sign_agreement(match.table, name, signer(name), match.secrets[name], "claim", body)
    table = match.table.fork()
    take(table, turn)
    return table


def test_while_neither_plan_stops_the_whole_cycle_runs_under_one_seed(laid: Match) -> None:
    """Every die of the cycle is that of ben's entry and of asuka's secret: nobody has chosen anything behind it."""
    assert laid.table.course.seed is None, "asuka alone knows it"
    assert laid.table.reveal_due == "asuka"
    assert rolls(laid.table) == []
    index, turn = laid.table.next_reveal("asuka"), Turn.of(laid.blocks[-1])
    assert index is not None
    seed = dice.seed(laid.secrets["asuka"].value(index), laid.genesis.game, turn.entry.seq, turn.hash)
    found = rolls(seen(laid, laid.table, "asuka"))
    assert len(found) > 6
    assert [(label, [*dice.roll(seed, label, len(fell), 6)]) for label, fell in found] == found
    assert laid.due() == ("orders", "asuka")
    assert laid.table.rules.clock(laid.table.game.state) == (2, "union-transfer")


def test_who_lays_second_knows_both_plans_and_no_die_of_either() -> None:
    """Whatever ben writes, none of his own values brings him a die: what falls comes of asuka's, which he lacks."""
    known = 0
    for number in range(TRIES):
        match = planned(number)
        turn = Turn.of(match.play(CONFEDERATE))
        assert rolls(seen(match, match.table, "ben")) == []
        fell = rolls(seen(match, match.table, "asuka"))
        mine = dice.seed(match.secrets["ben"].value(1), match.genesis.game, turn.entry.seq, turn.hash)
        known += fell == [(label, [*dice.roll(mine, label, len(found), 6)]) for label, found in fell]
    assert known == 0


def test_who_sees_the_dice_first_can_do_nothing_but_reveal(laid: Match) -> None:
    """Asuka computes the cycle as soon as ben's entry comes; what she signs next tells its state, with its dice."""
    fell = rolls(seen(laid, laid.table, "asuka"))
    assert fell
    twin = planned()
    twin.play("march robertson S0729; done;")
    twin.due()
    others = twin.signed(twin.table, "asuka", parts_of(twin.table, twin.sides["asuka"], "done;"))
    for block in (others, twin.blocks[-1], laid.blocks[-2]):
        with pytest.raises(BadLog):
            take(laid.table.fork(), Turn.of(block))
    assert laid.due() == ("orders", "asuka")
    laid.play("done;")
    assert rolls(laid.table)[: len(fell)] == fell


def test_who_withholds_the_reveal_loses_by_a_claim(laid: Match) -> None:
    """Asuka dislikes the dice and is silent: ben, who waits, claims when the deadline has passed."""
    outcome = claims(laid, "ben", "3 2026-11-21T12:00:00Z").outcome
    assert outcome is not None
    assert outcome.winner == laid.sides["ben"]


def test_who_withholds_his_plan_loses_by_a_claim() -> None:
    """Ben reads her plan and sends none: no die falls meanwhile, and she claims."""
    match = planned()
    table = claims(match, "asuka", "2 2026-11-21T12:00:00Z")
    assert rolls(table) == []
    assert table.outcome is not None
    assert table.outcome.winner == match.sides["asuka"]
