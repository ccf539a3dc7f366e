"""Table: which dice belong to which entry, whose turn it is, and how orders, reactions and reveals are taken."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import toy
from toy.players import CHAIN, SIDES, Duel, hand, parts_of, signer
from toy.reading import ToyOrder

import pbem.match.table
from pbem.crypto import dice
from pbem.crypto.dice import Anchor
from pbem.errors import BadLog, BadSignature, Refused
from pbem.match.compose import Secrets, sign_entry
from pbem.match.course import Passed
from pbem.match.orders import statement_of
from pbem.match.table import Table, state_hash
from pbem.match.take import imagine, peek, take
from pbem.rules.requests import Activity, Choose, Roll, Tell
from pbem.wire.bodies import proposal_body
from pbem.wire.entry import Entry, parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

MakeDuel = Callable[..., Duel]


def steps(table: Table, *kinds: str) -> list[dict[str, Any]]:
    return [step for step in table.steps if step["kind"] in kinds]


def words(table: Table, kind: str) -> list[str]:
    return [" ".join(step["words"]) for step in steps(table, kind)]


def refuses(game: Duel, entry: Entry, match: str) -> BadLog:
    """A table like the third party's refuses the entry."""
    with pytest.raises(BadLog, match=match) as refused:
        hand(game.replayed(), entry)
    assert f"entry {entry.seq}" in str(refused.value)
    return refused.value


def body(game: Duel, name: str, text: str) -> tuple[Statement, ...]:
    return tuple(statement_of(part) for part in parts_of(game.table, SIDES[name], text))


def hit_asks_ben(game: Duel) -> None:
    """Anna hits and goes on; the hit asks ben, if its dice are good."""
    game.play("anna", "hit lancer; bet 1; rest;")


def ben_is_asked(game: Duel) -> bool:
    return game.tables["ben"].due().what == "react"


# --- dice


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("reactions", ["standing", "ask"])
def test_every_die_of_a_game_comes_from_the_other_sides_chain_and_the_newest_decision(
    duel: MakeDuel, number: int, reactions: str
) -> None:
    game = duel(number, "long", reactions=reactions)
    chance = random.Random(number)
    while game.bot_plays(chance):
        pass
    entries = [parse_entry(block.payload) for block in game.blocks]
    labels: set[tuple[int, str]] = set()
    rolled = steps(game.table, "roll", "draw")
    for step in rolled:
        entry = entries[step["seq"]]
        assert entry.kind in ("orders", "react")
        answer = next(e for e in entries[entry.seq + 1 :] if e.by != entry.by)
        assert answer.reveal is not None
        index, value = answer.reveal
        assert index == 1 + sum(e.by == answer.by and e.reveal is not None for e in entries[: answer.seq])
        assert bytes.fromhex(value) == game.secrets[answer.by].value(index)
        entry_hash = dice.entry_hash(game.blocks[entry.seq].payload)
        seed = dice.seed(bytes.fromhex(value), game.genesis.game, entry.seq, entry_hash)
        if step["kind"] == "roll":
            assert step["result"] == dice.roll(seed, step["label"], step["dice"], step["sides"])
        else:
            assert step["result"] == dice.draw(seed, step["label"], step["cup"], step["count"])
        assert (step["seq"], step["label"]) not in labels
        labels.add((step["seq"], step["label"]))
    assert rolled


def test_a_seed_ends_where_the_other_side_decides(until: MakeDuel) -> None:
    game = until(hit_asks_ben, ben_is_asked, reactions="ask")
    assert [(s["seq"], s["label"]) for s in steps(game.tables["ben"], "roll")] == [(2, "hit/lancer/1")]
    game.play("ben", "flee lancer;")
    assert isinstance(game.table.game.request, Roll), "anna's secret is needed for what follows ben's decision"
    assert game.table.due()[:2] == ("reveal", "anna")
    assert game.tables["ben"].course.seed is None
    rolled = [(s["seq"], s["label"]) for s in steps(game.tables["anna"], "roll")]
    assert rolled == [(2, "hit/lancer/1"), (3, "flee/lancer/1"), (3, "bet/1")]
    game.play("anna")
    assert [s["result"] for s in steps(game.table, "roll")] == [s["result"] for s in steps(game.tables["anna"], "roll")]


def test_a_standing_order_is_no_new_decision(until: MakeDuel) -> None:
    def begin(game: Duel) -> None:
        game.play("anna", "rest;")
        game.play("ben", "standing flee lancer; rest;")
        game.play("anna", "hit lancer; rest;")

    game = until(begin, lambda g: any(s["label"].startswith("flee") for s in steps(g.tables["ben"], "roll")))
    assert {s["seq"] for s in steps(game.tables["ben"], "roll") if s["turn"] == 2 and s["label"] != "weather/1"} == {4}


def test_labels_are_numbered_within_a_seed_and_begin_anew_with_the_next(until: MakeDuel) -> None:
    def begin(game: Duel) -> None:
        game.play("anna", "bet 1; bet 1; pull 1; rest;")
        game.play("ben", "bet 1; pull 1; bet 1;")

    game = until(begin, lambda g: g.tables["anna"].due().what == "orders")
    assert [(s["seq"], s["label"]) for s in steps(game.tables["anna"], "roll", "draw")] == [
        (2, "bet/1"),
        (2, "bet/2"),
        (2, "cup/1"),
        (3, "bet/1"),
        (3, "cup/1"),
        (3, "bet/2"),
        (3, "weather/1"),
    ]


def test_the_mover_knows_no_die_before_the_reveal(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1; rest;")
    assert game.tables["anna"].course.seed is None
    assert not steps(game.tables["anna"], "roll")
    assert steps(game.tables["ben"], "roll")
    for index in range(4):  # nothing that anna has leads to ben's value
        with pytest.raises(BadLog, match="ben: chain value 1 is wrong"):
            hand(game.replayed(), game.entry("ben", reveal=(1, game.secrets["anna"].value(index).hex())))


def test_dice_change_with_the_words_the_nonce_and_the_others_secret(duel: MakeDuel) -> None:
    def seed(game: Duel, text: str = "pull 3; rest;", **changes: object) -> tuple[bytes, tuple[int, ...]]:
        table = game.replayed()
        hand(table, game.entry("anna", body(game, "anna", text), **changes))
        peek(table, game.secrets["ben"].value(1))
        assert table.course.seed is not None
        return table.course.seed, tuple(dice.roll(table.course.seed, "x", 20, 6))

    game = duel()
    plain = seed(game)
    said = seed(game, "say hello; pull 3; rest;")
    nonce = seed(game, nonce="0" * 31 + "1")
    other = seed(duel(1))
    assert len({plain, said, nonce, other}) == 4
    assert seed(game) == plain


def test_ground_orders_see_no_dice_and_ground_secrets_no_orders(duel: MakeDuel) -> None:
    """A mover who tries nonces learns nothing; a holder who tries other secrets is caught."""
    game = duel()
    block = game.play("anna", "bet 3; rest;")
    wished = next(
        value
        for number in range(10_000)
        if (value := number.to_bytes(32, "big"))
        and dice.roll(dice.seed(value, game.genesis.game, 2, dice.entry_hash(block.payload)), "bet/1", 1, 6) == [1]
    )
    refuses(
        game, game.entry("ben", body(game, "ben", "rest;"), reveal=(1, wished.hex())), "ben: chain value 1 is wrong"
    )


# --- who sees what


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("reactions", ["standing", "ask"])
def test_owner_of_the_secret_and_verifier_find_the_same_and_a_dump_is_as_good(
    duel: MakeDuel, number: int, reactions: str
) -> None:
    game = duel(number, "long", reactions=reactions)
    chance = random.Random(100 + number)
    going = True
    while going:
        for name, table in game.tables.items():
            verifier = game.replayed()
            if name in SIDES and (index := verifier.next_reveal(name)) is not None:
                peek(verifier, game.secrets[name].value(index))
            dump = json.loads(json.dumps(table.dump()))
            game.tables[name] = Table.load(game.genesis, table.rules, table.board, dump)
            assert game.tables[name].dump() == table.dump() == verifier.dump() == dump
            assert game.tables[name].due()[:2] == table.due()[:2] == verifier.due()[:2]
            assert table.state_hash() == state_hash(dump["course"]["game"])
        if game.table.reveal_due is None:
            assert game.tables["anna"].dump() == game.tables["ben"].dump() == game.table.dump()
        going = game.bot_plays(chance)
    assert game.table.due()[:2] == ("nothing", None)


def test_players_alternate(duel: MakeDuel) -> None:
    for number in range(5):
        game = duel(number, "long", reactions="ask")
        chance = random.Random(number)
        while game.bot_plays(chance):
            pass
        entries = [parse_entry(block.payload) for block in game.blocks]
        for before, after in pairwise(entries):
            assert before.by != after.by or before.kind == "reveal"  # a player decides twice only with a reveal between


def test_a_fork_knows_what_was_passed_over(duel: MakeDuel) -> None:
    game = duel()
    game.table.course.passed.append(Passed(2, 1, "red", "bet 3", "alive scout", (1, "early")))
    assert game.table.fork().dump()["course"] == game.table.dump()["course"]


def test_a_fork_leaves_the_table_alone(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "hit lancer; bet 1;")
    before = game.table.dump()
    fork = game.table.fork()
    peek(fork, game.secrets["ben"].value(1))
    hand(fork, game.entry(game.due() or "") if game.due() == "ben" else game.entry("anna"))
    assert game.table.dump() == before
    assert fork.seq == 3


# --- whose turn


def test_the_chain_of_entries(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "rest;")
    good = game.entry("ben", body(game, "ben", "rest;"))
    hand(game.replayed(), good)
    refuses(game, game.entry("ben", good.body, game="0" * 64), "another game|belongs to the game")
    refuses(game, game.entry("ben", good.body, seq=4), "not the next one")
    refuses(game, game.entry("ben", good.body, seq=2), "not the next one")
    refuses(game, game.entry("ben", good.body, prev="0" * 64), "follows another entry")
    refuses(game, game.entry("ben", good.body, state="0" * 64), "state is not the one")
    with pytest.raises(BadLog, match="nobody in this game is called carl"):
        hand(game.replayed(), game.entry("ben", good.body, by="carl"))


def test_an_entry_states_the_game_that_its_orders_start_from(duel: MakeDuel) -> None:
    game = duel()
    before = state_hash(game.table.game.dump())
    block = game.play("anna", "move scout rear; rest;")
    assert parse_entry(block.payload).state == before
    assert state_hash(game.table.game.dump()) != before


def test_only_the_one_who_is_due_moves(duel: MakeDuel) -> None:
    game = duel()
    refuses(game, game.entry("ben", (Statement("rest", ()),), kind="orders"), "ben is not to move")
    with pytest.raises(Refused, match="nothing is due from ben"):
        game.sign("ben", "rest;")
    game.play("anna", "rest;")
    refuses(game, game.entry("anna", (Statement("rest", ()),), kind="orders"), "anna is not to move")
    with pytest.raises(Refused, match="nothing is due from anna"):
        game.sign("anna", "rest;")


@pytest.mark.parametrize("kind", ["react", "reveal"])
def test_another_kind_than_the_one_due_is_refused_by_name(duel: MakeDuel, kind: str) -> None:
    game = duel()
    refuses(game, game.entry("anna", kind=kind), f"`{kind}` is not due")
    game.play("anna", "rest;")
    refuses(game, game.entry("ben", kind=kind), f"`{kind}` is not due")
    hand(game.replayed(), game.entry("ben", (Statement("rest", ()),)))


def test_orders_are_no_answer_and_an_answer_no_orders(until: MakeDuel) -> None:
    game = until(hit_asks_ben, ben_is_asked, reactions="ask")
    refuses(game, game.entry("ben", (Statement("flee", ("lancer",)),), kind="orders"), "`orders` is not due")
    refuses(game, game.entry("ben", kind="reveal"), "`reveal` is not due")
    hand(game.replayed(), game.entry("ben", (Statement("flee", ("lancer",)),), kind="react"))


@pytest.mark.parametrize("statement", [("dance", ()), ("hit", ("lan",)), ("hit", ("levy",)), ("stop", ())])
def test_a_signed_statement_that_cannot_be_read_is_refused(
    duel: MakeDuel, statement: tuple[str, tuple[str, ...]]
) -> None:
    game = duel()
    found = refuses(game, game.entry("anna", (Statement("rest", ()), Statement(*statement))[::-1]), "can't be read")
    assert "statement 1" in str(found)


# --- reveals


def test_a_reveal_is_due_in_the_next_entry_of_the_other_side(duel: MakeDuel) -> None:
    game = duel()
    assert game.table.next_reveal("anna") is game.table.next_reveal("ben") is None
    game.play("anna", "move scout rear; rest;")  # no dice, but due all the same
    assert (game.table.next_reveal("anna"), game.table.next_reveal("ben")) == (None, 1)
    done = (Statement("rest", ()),)
    right = game.secrets["ben"].value(1).hex()
    refuses(game, game.entry("ben", done, reveal=None), "reveal is missing")
    refuses(game, game.entry("ben", done, reveal=(2, game.secrets["ben"].value(2).hex())), "number 1 is due")
    refuses(game, game.entry("ben", done, reveal=(2, right)), "number 1 is due")
    refuses(
        game,
        game.entry("ben", done, reveal=(1, game.secrets["ben"].value(2).hex())),
        "ben: chain value 1 is wrong: it doesn't lead to the anchor",
    )
    refuses(
        game,
        game.entry("ben", done, reveal=(1, game.secrets["ben"].value(0).hex())),
        "ben: chain value 1 is wrong: it doesn't lead to the anchor",
    )
    refuses(
        game,
        game.entry("ben", done, reveal=(1, game.secrets["anna"].value(1).hex())),
        "ben: chain value 1 is wrong: it doesn't lead to the anchor",
    )
    hand(game.replayed(), game.entry("ben", done, reveal=(1, right)))


def test_an_early_reveal_is_refused(duel: MakeDuel) -> None:
    game = duel()
    early = (1, game.secrets["anna"].value(1).hex())
    refuses(game, game.entry("anna", (Statement("rest", ()),), reveal=early), "not due")
    hand(game.replayed(), game.entry("anna", (Statement("rest", ()),)))


def test_nobody_goes_on_before_a_reveal_that_is_due(duel: MakeDuel) -> None:
    """Else both could sign the same number: ben his reveal, anna her next orders."""
    game = duel()
    game.play("anna", "move scout rear;")  # the phase stays hers
    assert game.table.due()[:2] == ("reveal", "ben")
    hasty = game.entry("anna", (Statement("rest", ()),), kind="orders", state=game.table.state_hash())
    refuses(game, hasty, "anna is not to move")
    game.play("ben")
    assert parse_entry(game.blocks[-1].payload).kind == "reveal"
    game.play("anna", "rest;")
    assert game.due() == "ben"


def test_each_reveal_is_the_next_of_the_chain_and_given_once(duel: MakeDuel) -> None:
    game = duel()
    for _ in range(3):
        game.play("anna", "say hm;")
        game.play("ben")
    assert {name: game.table.chains[name].shown for name in SIDES} == {"anna": 0, "ben": 3}
    again = game.entry("ben", kind="reveal", reveal=(3, game.secrets["ben"].value(3).hex()))
    refuses(game, again, "not due")
    game.play("anna", "rest;")
    refuses(game, game.entry("ben", (Statement("rest", ()),), reveal=(3, game.secrets["ben"].value(3).hex())), "4")
    hand(game.replayed(), game.entry("ben", (Statement("rest", ()),)))


def test_a_reveal_holds_nothing_else(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "say hm;")
    refuses(game, game.entry("ben", (Statement("say", ("hello",)),)), "`say` stands in a `reveal`")
    with pytest.raises(Refused, match="only a reveal is due"):
        game.sign("ben", "say hello;")
    hand(game.replayed(), game.entry("ben"))


# --- the end


def test_after_a_last_roll_only_its_reveal_is_taken(until: MakeDuel) -> None:
    game = until(lambda g: g.play("anna", "bet 3;") and None, lambda g: g.tables["ben"].game.request is None)
    assert game.tables["ben"].due()[:2] == ("reveal", "ben")
    refuses(game, game.entry("ben", (Statement("rest", ()),), kind="orders"), "`orders` is not due")
    game.play("ben")
    assert game.table.game.outcome is not None
    assert game.table.due()[:2] == ("nothing", None)
    for name in SIDES:
        refuses(game, game.entry(name, (Statement("rest", ()),)), "not to move; the game is over")
        with pytest.raises(Refused, match="the game is over"):
            game.sign(name, "rest;")


def test_after_a_last_order_without_dice_nothing_is_taken(duel: MakeDuel) -> None:
    game = duel()
    for name in ("anna", "ben", "anna", "ben"):
        game.play(name, "rest;")
    assert game.table.game.outcome is not None
    assert game.table.game.outcome.clause == "T8"
    assert game.table.due()[:2] == ("nothing", None)
    refuses(game, game.entry("anna", kind="reveal"), "not to move; the game is over")


# --- signatures


def test_a_block_is_taken_from_the_key_of_its_author_only(duel: MakeDuel) -> None:
    game = duel()
    good = game.sign("anna", "rest;")
    forged = good._replace(armor=signer("ben").sign(good.payload))
    with pytest.raises(BadSignature, match="anna's signature"):
        take(game.replayed(), Turn.of(forged))
    other = game.sign("anna", "say hm;")
    with pytest.raises(BadSignature, match="anna's signature"):
        take(game.replayed(), Turn.of(good._replace(armor=other.armor)))
    take(game.replayed(), Turn.of(good))


def test_the_same_entry_made_again_has_the_same_bytes(duel: MakeDuel) -> None:
    game = duel()
    assert game.sign("anna", "bet 1; rest;") == game.sign("anna", "bet 1; rest;")
    assert game.sign("anna", "bet 1; rest;") != game.sign("anna", "bet 2; rest;")


# --- reactions


def answers(game: Duel) -> list[tuple[str, str]]:
    return [(s["how"], " ".join(s["words"])) for s in steps(game.tables["ben"], "answer")]


def test_without_a_standing_order_the_default_answers(until: MakeDuel) -> None:
    game = until(hit_asks_ben, lambda g: bool(answers(g)))
    assert answers(game) == [("default", "stand lancer")]


def test_under_reactions_ask_the_game_waits(until: MakeDuel) -> None:
    game = until(hit_asks_ben, ben_is_asked, reactions="ask")
    assert answers(game) == []
    due = game.tables["ben"].due()
    assert due.request is not None
    assert due.request.about == ("lancer",)
    game.play("ben", "flee lancer;")
    assert [(s["how"], " ".join(s["words"])) for s in steps(game.table, "answer")] == [("react", "flee lancer")]


@pytest.mark.parametrize("reactions", ["standing", "ask"])
def test_the_newest_standing_order_answers(until: MakeDuel, reactions: str) -> None:
    def begin(game: Duel) -> None:
        game.play("anna", "rest;")
        game.play("ben", "standing flee all; standing stand levy-1; rest;")
        game.play("anna", "hit lancer; hit levy-1; rest;")

    game = until(begin, lambda g: len(answers(g)) == 2, reactions=reactions)
    assert answers(game) == [("standing", "flee lancer"), ("standing", "stand levy-1")]
    assert game.table.course.standing == {"red": [], "blue": [("flee", "all"), ("stand", "levy-1")]}


def test_an_answer_that_does_not_fit_lapses_and_the_question_stays(until: MakeDuel) -> None:
    game = until(hit_asks_ben, ben_is_asked, reactions="ask")
    game.play("ben", "flee levy-1; say oops;")
    assert words(game.table, "lapse") == ["flee levy-1"]
    assert game.tables["ben"].due()[:2] == ("reveal", "anna")
    game.play("anna")
    assert game.due() == "ben"
    game.play("ben", "if gone lancer then flee lancer; stand lancer;")
    assert [" ".join(s["words"]) for s in steps(game.table, "answer")] == ["stand lancer"]


@pytest.mark.parametrize("left", ["flee lancer", "bet 1"])
def test_what_is_left_of_an_answer_is_given_if_it_is_legal(
    until: MakeDuel, monkeypatch: pytest.MonkeyPatch, left: str
) -> None:
    rest = (
        ToyOrder(tuple(left.split())),
        (Tell("dropped", "T5", {"order": "flee levy-1", "reason": "it wasn't hit"}),),
    )
    monkeypatch.setattr("toy.remainder", lambda s, side, order: rest)
    game = until(hit_asks_ben, ben_is_asked, reactions="ask")
    game.play("ben", "flee levy-1;")
    legal = left == "flee lancer"
    assert words(game.table, "answer") == (["flee lancer"] if legal else [])
    assert words(game.table, "lapse") == ([] if legal else ["flee levy-1"])
    assert [s["number"] for s in steps(game.table, "tell") if s["what"] == "dropped"] == ([1] if legal else [])


def test_one_react_may_answer_what_the_entry_asks_later(until: MakeDuel) -> None:
    def begin(game: Duel) -> None:
        game.play("anna", "hit lancer; hit levy-1; rest;")
        if ben_is_asked(game):
            game.play("ben", "flee lancer; flee levy-1;")

    game = until(begin, lambda g: len(steps(g.tables["anna"], "answer")) == 2, reactions="ask")
    assert words(game.tables["anna"], "answer") == ["flee lancer", "flee levy-1"]


def test_left_over_answers_do_not_outlive_the_entry_that_asked(until: MakeDuel) -> None:
    def begin(game: Duel) -> None:
        game.play("anna", "hit lancer;")
        if not ben_is_asked(game):
            return
        game.play("ben", "flee lancer; flee levy-1;")
        game.play("anna", "hit levy-1;")

    game = until(begin, lambda g: len(g.blocks) == 5 and ben_is_asked(g), reactions="ask")
    assert words(game.table, "answer") == ["flee lancer"]
    assert game.tables["ben"].due().player == "ben"
    assert [(s["side"], s["dropped"]) for s in steps(game.table, "stop")] == [("blue", 1)]


@pytest.mark.parametrize("text", ["strict", "stop if gone lancer"])
def test_a_react_holds_no_rules_for_the_rest_of_an_entry(until: MakeDuel, text: str) -> None:
    game = until(hit_asks_ben, ben_is_asked, reactions="ask")
    refuses(game, game.entry("ben", body(game, "ben", f"{text}; flee lancer;"), kind="react"), "no meaning in answers")
    hand(game.replayed(), game.entry("ben", body(game, "ben", "flee lancer;"), kind="react"))


def test_orders_behind_a_question_go_on_after_the_answer(until: MakeDuel) -> None:
    game = until(hit_asks_ben, ben_is_asked, reactions="ask")
    assert words(game.tables["ben"], "order") == ["hit lancer"]
    game.play("ben", "stand lancer;")
    assert words(game.tables["anna"], "order") == ["hit lancer", "bet 1", "rest"]
    assert game.tables["anna"].game.state.phase == "blue"


# --- orders of an entry


def test_conditions_are_tested_when_their_order_comes(duel: MakeDuel) -> None:
    text = "move scout rear; if at scout rear then move guard-1 rear; if not empty front then bet 1;"
    game = duel()
    game.play("anna", text)
    assert words(game.tables["ben"], "order") == ["move scout rear", "move guard-1 rear", "bet 1"]
    text = (
        "if at scout rear then move guard-1 rear; move scout rear; if held front red and alive scout then bet 1; rest;"
    )
    game = duel()
    game.play("anna", text)
    assert words(game.tables["ben"], "order") == ["move scout rear", "rest"]
    assert not steps(game.tables["ben"], "lapse")


def test_stop_drops_the_rest_and_keeps_the_phase_open(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "move scout rear; stop if at scout rear; bet 1; rest;")
    assert words(game.table, "order") == ["move scout rear"]
    assert [(s["side"], s["dropped"]) for s in steps(game.table, "stop")] == [("red", 2)]
    assert game.table.due()[:2] == ("reveal", "ben")
    game.play("ben")
    assert game.due() == "anna"
    game = duel()
    game.play("anna", "move scout rear; stop if not at scout rear; move guard-1 rear; rest;")
    assert words(game.table, "order") == ["move scout rear", "move guard-1 rear", "rest"]
    assert not steps(game.table, "stop")


def test_an_order_that_became_illegal_lapses_with_clause_and_place(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "say so; move scout rear; move scout rear; move guard-1 rear; rest;")
    (lapse,) = steps(game.table, "lapse")
    assert (lapse["side"], lapse["number"], lapse["clause"]) == ("red", 3, "T4")
    assert "gone or there already" in lapse["reason"]
    assert words(game.table, "order") == ["move scout rear", "move guard-1 rear", "rest"]


def test_strict_makes_the_first_lapse_a_stop(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "strict; move scout rear; move scout rear; move guard-1 rear; rest;")
    assert words(game.table, "order") == ["move scout rear"]
    assert [s["dropped"] for s in steps(game.table, "stop")] == [2]
    game.play("ben")
    game.play("anna", "move scout rear; move guard-1 rear; rest;")  # the next entry isn't strict any more
    assert words(game.table, "order") == ["move scout rear", "move guard-1 rear", "rest"]


def test_what_is_left_of_an_order_is_carried_out(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "move scout rear; move scout guard-1 rear; rest;")
    assert words(game.table, "order") == ["move scout rear", "move guard-1 rear", "rest"]
    (dropped,) = [s for s in steps(game.table, "tell") if s["what"] == "dropped"]
    assert (dropped["number"], dropped["facts"]["order"]) == (2, "move scout rear")


def test_a_rest_that_is_illegal_too_lapses(duel: MakeDuel, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that cheats signs an order of another phase whose parts look as if some could be dropped."""
    monkeypatch.setattr("toy.remainder", lambda s, side, order: (ToyOrder(("bet", "99")), ()))
    game = duel()
    game.play("anna", "hit scout; move scout rear; rest;")
    assert words(game.table, "lapse") == ["hit scout"]
    assert words(game.table, "order") == ["move scout rear", "rest"]


def test_left_over_orders_lapse_when_the_phase_passes(duel: MakeDuel) -> None:
    game = duel()
    text = "move scout rear; move guard-1 rear; move guard-2 rear; bet 1; if gone lancer then bet 2; rest;"
    game.play("anna", text)
    assert words(game.table, "lapse") == ["bet 1"]
    (lapse,) = steps(game.table, "lapse")
    assert lapse["reason"] == "the phase is over"
    newest = steps(game.table, "order")[-1]
    assert (lapse["turn"], lapse["phase"]) == (newest["turn"], newest["phase"]) == (1, "red"), "not in blue's"
    assert game.due() == "ben"
    game.play("ben", "rest;")
    assert words(game.table, "order")[-1] == "rest"


def test_a_conditional_done_ends_the_entry(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "if alive scout then rest; bet 1;")
    assert words(game.table, "order") == ["rest"]
    assert game.due() == "ben"


def test_talk_and_standing_orders_count_wherever_they_stand(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "stop if alive scout; standing flee scout; say good luck;")
    assert game.table.course.standing["red"] == [("flee", "scout")]
    assert [s["text"] for s in steps(game.table, "say")] == ["good luck"]


def test_looking_ahead_changes_nothing(duel: MakeDuel) -> None:
    game = duel()
    before = game.table.dump()
    ahead = game.table.fork()
    parts = list(enumerate(parts_of(game.table, "red", "standing flee all; bet 1; hit lancer; rest;"), 1))
    imagine(ahead, "red", parts, lambda request: (1,) * request.dice if isinstance(request, Roll) else None)
    assert words(ahead, "order") == ["bet 1", "hit lancer", "rest"]
    assert isinstance(ahead.game.request, Choose)
    assert game.table.dump() == before
    assert not game.table.course.seed


def test_a_peek_is_no_reveal(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1; rest;")
    assert {name: game.tables["ben"].chains[name].shown for name in SIDES} == {"anna": 0, "ben": 0}
    block = sign_entry(game.tables["ben"], "ben", signer("ben"), game.secrets["ben"], []).block
    assert parse_entry(block.payload).reveal == (1, game.secrets["ben"].value(1).hex())


def test_a_cached_table_keeps_all_since_each_players_newest_decision(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "rest;")
    for _ in range(6):
        game.play("ben", "say hm;")
        game.play("anna")
    kept = Counter(step["seq"] for step in game.table.dump()["steps"])
    assert game.table.seq == 14
    assert game.table.last_by["anna"] == 2
    assert 2 in kept


def test_a_cached_table_keeps_the_turns_steps_for_the_picture_and_drops_older_ones(duel: MakeDuel) -> None:
    game = duel(length="long")

    def go_on(text: str) -> None:
        name = game.due() or ""
        game.play(name, text if game.view(name).due().what == "orders" else "")

    while game.table.game.state.turn < 3:
        go_on("rest;")
    kept = game.table.dump()["steps"]
    oldest = min(game.table.seq - 6, *game.table.last_by.values())
    assert [step for step in game.table.steps if step["turn"] == 3] == [step for step in kept if step["turn"] == 3]
    assert kept == [step for step in game.table.steps if step["seq"] >= oldest or step["turn"] == 3]
    while game.table.seq < 16:
        go_on("say hm;")
    assert len(game.table.dump()["steps"]) < len(game.table.steps)


# --- entry 2


def opening_with(monkeypatch: pytest.MonkeyPatch, first: str, die: bool = False) -> None:
    """Let duels begin with a side's phase, and with a die before it."""

    start, really = toy.start, toy.play._open

    def opened(s: Any) -> Activity:
        if s.phase == "weather":
            yield from really(s)
            return
        if die and (s.turn, s.phase) == (1, first):
            (face,) = yield Roll("first", dice=1)
            s.points["red"] += face
        s.opened = True

    def started(b: Any, options: Any) -> Any:
        state = start(b, options)
        state.phase = first
        return state

    monkeypatch.setattr("toy.play._open", opened)
    monkeypatch.setattr("toy.start", started)


def test_the_offerer_who_is_asked_first_orders_as_entry_2(duel: MakeDuel) -> None:
    game = duel()
    assert game.table.due()[:2] == ("orders", "anna")
    refuses(game, game.entry("anna", kind="begin"), "`begin` is not due")
    refuses(game, game.entry("anna", (Statement("rest", ()),), anchor=None), "its anchor is missing")
    refuses(game, game.entry("ben", (Statement("rest", ()),), kind="orders"), "ben is not to move")
    with pytest.raises(Refused, match="anna has no chain of dice yet"):
        sign_entry(game.table, "anna", signer("anna"), None, [])
    block = game.play("anna", "rest;")
    anchor = parse_entry(block.payload).anchor
    assert anchor is not None
    assert game.table.anchors["anna"] == anchor == game.secrets["anna"].anchor
    assert anchor.prev == game.genesis.game
    assert game.table.next_reveal("ben") == 1


@pytest.mark.parametrize(("first", "die"), [("blue", False), ("red", True), ("blue", True)])
def test_else_the_offerer_begins(duel: MakeDuel, monkeypatch: pytest.MonkeyPatch, first: str, die: bool) -> None:
    opening_with(monkeypatch, first, die)
    game = duel()
    assert game.table.due()[:2] == ("begin", "anna")
    assert str(game.table.due()) == "`begin` of anna is due"
    for kind in ("orders", "react", "reveal"):
        refuses(game, game.entry("anna", kind=kind), f"`{kind}` is not due")
    refuses(game, game.entry("ben", kind="begin"), "ben is not to move")
    refuses(game, game.entry("ben", kind="orders"), "ben is not to move")
    refuses(game, game.entry("anna", anchor=None), "its anchor is missing; the offerer's chain begins with it")
    refuses(game, game.entry("anna", (Statement("say", ("hi",)),)), "`say` stands in a `begin`; it has no body")
    early = (1, game.secrets["anna"].value(1).hex())
    refuses(game, game.entry("anna", reveal=early), "a chain value that is not due")
    with pytest.raises(Refused, match="only a begin is due, no orders are asked"):
        game.sign("anna", "say hi;")
    before = game.table.state_hash()
    begun = parse_entry(game.play("anna").payload)
    assert (begun.kind, begun.body, begun.state) == ("begin", (), before)
    assert game.table.decisions == []
    assert game.table.next_reveal("ben") == 1
    refuses(game, game.entry("anna", kind="begin", anchor=None), "anna is not to move")
    value = game.secrets["ben"].value(1)
    if first == "blue":
        game.play("ben", "rest;")
    else:
        assert game.table.due()[:2] == ("reveal", "ben")
        game.play("ben")
    rolled = steps(game.table, "roll")
    assert [(step["seq"], step["label"]) for step in rolled] == ([(2, "first/1")] if die else [])
    seed = dice.seed(value, game.genesis.game, 2, dice.entry_hash(begun.payload))
    assert [step["result"] for step in rolled] == ([dice.roll(seed, "first/1", 1, 6)] if die else [])


def test_before_entry_2_no_die_is_known_to_anybody(duel: MakeDuel, monkeypatch: pytest.MonkeyPatch) -> None:
    """An accepter who would try accepts until the first die suits him can't see it."""
    opening_with(monkeypatch, "red", die=True)
    game = duel()
    peek(game.table, game.secrets["ben"].value(1))
    assert game.table.course.seed is None
    assert not steps(game.table, "roll")
    assert [game.table.next_reveal(name) for name in SIDES] == [None, None]


@pytest.mark.parametrize(
    ("kind", "words"), [("draw", "offer"), ("draw", "accept"), ("substitute", "refuse"), ("resign", ""), ("claim", "")]
)
def test_no_agreement_follows_the_accept(duel: MakeDuel, kind: str, words: str) -> None:
    game = duel(deadline=7)
    given = (Statement(kind, (words,)),) if words else ()
    for name in SIDES:
        for anchor in (game.secrets[name].anchor._replace(prev=game.table.head), None):
            found = refuses(game, game.entry(name, given, kind=kind, anchor=anchor), f"can't make a `{kind}` now")
            assert "orders of anna are due" in str(found)
    game.play("anna", "rest;")
    hand(game.replayed(), game.entry("ben", kind="resign"))


# --- anchors


def another_chain(game: Duel, name: str, length: int = CHAIN) -> Secrets:
    """A new chain of a player for the entry that is next."""
    return Secrets(signer(name), b"another".ljust(16, b"."), game.table.head, length)


def test_a_player_begins_a_new_chain_with_his_orders_and_his_reveal(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "say hm;")
    for name, text in (("ben", ""), ("anna", "rest;")):
        new = another_chain(game, name)
        view = game.view(name)
        parts = parts_of(view, SIDES[name], text)
        block = sign_entry(view, name, signer(name), game.secrets[name], parts, new).block
        game.give(block)
        assert game.table.anchors[name] == new.anchor
        assert (game.table.chains[name].shown, game.table.chains[name].left) == (0, CHAIN)
        game.secrets[name] = new
    block = game.play("ben", "rest;")
    assert parse_entry(block.payload).reveal == (1, game.secrets["ben"].value(1).hex())
    game.play("anna", "rest;")
    assert game.table.chains["anna"].shown == 1


def test_a_reveal_comes_from_the_chain_that_was_in_force_and_the_next_from_the_new_one(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1; rest;")
    new = another_chain(game, "ben")
    done = body(game, "ben", "rest;")
    wrong = game.entry("ben", done, anchor=new.anchor, reveal=(1, new.value(1).hex()))
    refuses(game, wrong, "ben: chain value 1 is wrong")
    hand(game.replayed(), game.entry("ben", done, anchor=new.anchor))


def test_an_anchor_that_nobody_can_open_can_not_be_told_before_its_first_reveal(duel: MakeDuel) -> None:
    game = duel()
    bogus = Anchor(CHAIN, b"x" * 32, bytes(16), game.table.head)
    hand(game.table, game.entry("anna", body(game, "anna", "rest;"), anchor=bogus))
    with pytest.raises(Refused, match="the chain that the log names for me isn't the one that my key makes"):
        Secrets.of(signer("anna"), game.table.anchors["anna"])


@pytest.mark.parametrize("length", [1, 2])
def test_the_last_value_is_revealed_only_with_a_new_anchor(duel: MakeDuel, length: int) -> None:
    game = duel()
    game.secrets["anna"] = Secrets(signer("anna"), game.gnonces["anna"], game.genesis.game, length)
    game.play("anna", "rest;")
    game.play("ben", "say hm;")
    while game.table.chains["anna"].left > 1:
        game.play("anna")
        game.play("ben", "say hm;")
    assert game.table.due()[:2] == ("reveal", "anna")
    refuses(game, game.entry("anna"), "it reveals the last value of anna's chain and begins no new one")
    new = another_chain(game, "anna", 3)
    hand(game.replayed(), game.entry("anna", anchor=new.anchor))
    resign = game.entry("anna", kind="resign")
    table = game.replayed()
    hand(table, resign)
    assert table.due().what == "nothing"
    offer = proposal_body("draw", "offer")
    refuses(game, game.entry("anna", offer, kind="draw"), "it reveals the last value")
    hand(game.replayed(), game.entry("anna", offer, kind="draw", anchor=new.anchor))


# --- what is computed


def test_who_knows_the_dice_hashes_the_state_no_more_than_who_does_not(
    duel: MakeDuel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's own reveal, peeked at before, costs no second hash of the state."""
    game = duel()
    counted: list[str] = []
    real = pbem.match.table.state_hash
    monkeypatch.setattr(pbem.match.table, "state_hash", lambda dump: counted.append("") or real(dump))
    block = game.sign("anna", "bet 1; rest;")
    table = game.replayed()
    counted.clear()
    take(table, Turn.of(block))
    assert len(counted) == 1, "one state stands in an entry"
    game.give(block)
    reply = game.sign("ben", "rest;")
    counted.clear()
    table = game.tables["ben"].fork()
    take(table, Turn.of(reply))
    assert len(counted) == 1
    counted.clear()
    peek(game.table.fork(), game.secrets["ben"].value(1))
    assert len(counted) == 1, "the state that all know is kept for who claims"


def test_the_state_of_an_entry_is_that_of_the_game_behind_each_answer(duel: MakeDuel) -> None:
    game, chance, found = duel(length="long"), random.Random(4), set[str]()
    while game.bot_plays(chance):
        for _ in range(2):
            assert game.table.state_hash() == state_hash(game.table.game.dump())
        found.add(game.table.state_hash())
    assert len(found) >= 3
