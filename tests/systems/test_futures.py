"""What may come of an order: an end of the game is told before it is sent, by who wins, how often, by which clause."""

from __future__ import annotations

import random

import pytest
from matches import parts_of, scenario_of

from pbem.match.check import check
from pbem.match.form import form
from pbem.match.futures import Ending, endings, futures
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.match.take import peek
from pbem.rules.requests import Choose, Words
from pbem.wire.turn import Turn, read_turns
from systems.whole import log_of


def before(system: str, name: str, number: int) -> tuple[Table, Turn]:
    """The table of a stored game as the author of an entry sees it before he sends it, and the entry."""
    turns = read_turns(log_of(system, name))
    table = replay("".join(turn.text for turn in turns[:number]), scenario_of).table
    assert table is not None
    reveal = turns[number].entry.reveal
    if reveal is not None:
        peek(table, bytes.fromhex(reveal[1]))
    return table, turns[number]


RETREAT = ("entry-by-retreat", 34, ("fire", "sg-19", "at", "sa-07", "with", "sg-20", "sg-30"))
ADVANCE = ("entry-by-advance", 37, ("melee", "sa-11", "at", "sg-18", "advance"))


def ends(name: str, number: int, words: Words) -> list[Ending]:
    table, turn = before("bakumatsu", name, number)
    return endings(table, table.genesis.player(turn.entry.by).side, words)


def test_who_fires_at_a_unit_whose_retreat_leads_onto_his_entry_hex_may_lose_by_it() -> None:
    """Two dice decide: in 16 of 36 throws it retreats."""
    (ending,) = ends(*RETREAT)
    assert (ending.lost, ending.winner, ending.clause, ending.share) == (True, "satcho", "14(4)1", 16 / 36)
    assert ending.words == RETREAT[2]
    assert ending.note == (
        "may lose the game (44%): sa-07 Satsuma Castle Town Company No. 1 entered the entry hex 0106 Osaka road of "
        "Former Shogunate [14(4)1]"
    )
    assert ends(*RETREAT) == [ending], "the same in every call"


def test_who_may_advance_onto_the_enemys_entry_hex_may_win_by_it() -> None:
    (ending,) = ends(*ADVANCE)
    assert (ending.lost, ending.winner, ending.clause, ending.share) == (False, "satcho", "14(4)1", 28 / 36)
    assert ends(*ADVANCE[:2], ADVANCE[2][:-1]) == [], "without `advance` he stays where he is"


@pytest.mark.parametrize(("name", "number", "words"), [RETREAT, ADVANCE])
def test_form_and_check_say_the_same(name: str, number: int, words: Words) -> None:
    table, turn = before("bakumatsu", name, number)
    by = turn.entry.by
    (ending,) = endings(table, table.genesis.player(by).side, words)
    text = " ".join(line.lstrip("# ") for line in form(table, by).splitlines())
    if ending.lost:
        assert ending.note in text
    else:  # the form has the attack without `advance`
        assert "with `advance` into 0106 Osaka road the game is won [14(4)1]" in text
    found = check(table, by, f"\n{' '.join(words)};\ndone;", random.Random(1))
    assert found.errors == []
    (told,) = found.endings
    assert (told.line, told.words, told.winner, told.clause) == (2, words, "satcho", "14(4)1")
    assert abs(told.share - ending.share) < 0.2
    assert str(told).startswith(f"line 2: the game is {'lost' if ending.lost else 'won'} in ")
    assert found.doubts == ([str(told)] if ending.lost else [])


def test_an_order_that_ends_nothing_is_silent() -> None:
    table, turn = before("bakumatsu", "entry-by-move", 4)
    side, request = table.genesis.player(turn.entry.by).side, table.game.request
    assert isinstance(request, Choose)
    chance = random.Random(1)
    for words in {table.rules.order_words(table.board, request.sample(chance)) for _ in range(20)} | {("done",)}:
        assert endings(table, side, words) == []


def test_a_game_that_ends_with_the_last_turn_ends_by_no_order() -> None:
    turns = read_turns(log_of("bakumatsu", "satcho-holds"))
    last = max(n for n, turn in enumerate(turns) if turn.entry.kind == "orders")
    table, turn = before("bakumatsu", "satcho-holds", last)
    side = table.genesis.player(turn.entry.by).side
    text = "".join(f"{statement}\n" for statement in turn.entry.body)
    parts = list(enumerate(parts_of(table, side, text), 1))
    _, found, played, _ = futures(table, side, parts, random.Random(2), 30)
    assert played >= 1
    assert sum(ending.share for ending in found) == pytest.approx(1)
    for ending in found:
        assert (ending.words, ending.line, ending.clause) == ((), 0, "14(4)2")
        assert str(ending).startswith("the game is ")
