"""Table: which dice belong to which entry, whose turn it is, and how orders, reactions and reveals are taken."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from toy.players import SIDES, Duel, parts_of, signer, take
from toy.reading import ToyOrder

from pbem import dice
from pbem.envelope import Entry, Statement, parse_entry
from pbem.errors import BadLog, BadSignature, Refused
from pbem.orders import statement_of
from pbem.requests import Activity, Choose, Roll
from pbem.table import Table, state_hash
from pbem.turn import sign_entry, take_block

MakeDuel = Callable[..., Duel]


def steps(table: Table, *kinds: str) -> list[dict[str, Any]]:
    return [step for step in table.steps if step["kind"] in kinds]


def words(table: Table, kind: str) -> list[str]:
    return [" ".join(step["words"]) for step in steps(table, kind)]


def refuses(game: Duel, entry: Entry, match: str) -> BadLog:
    """A table like the third party's refuses the entry."""
    with pytest.raises(BadLog, match=match) as refused:
        take(game.replayed(), entry)
    assert f"entry {entry.seq}" in str(refused.value)
    return refused.value


def body(game: Duel, name: str, text: str) -> tuple[Statement, ...]:
    return tuple(statement_of(part) for part in parts_of(game.table, SIDES[name], text))


def hit_asks_ben(game: Duel) -> None:
    """Anna hits and goes on; the hit asks ben, if its dice are good."""
    game.play("anna", "hit lancer; bet 1; done;")


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
    assert game.tables["ben"].seed is None
    rolled = [(s["seq"], s["label"]) for s in steps(game.tables["anna"], "roll")]
    assert rolled == [(2, "hit/lancer/1"), (3, "flee/lancer/1"), (3, "bet/1")]
    game.play("anna")
    assert [s["result"] for s in steps(game.table, "roll")] == [s["result"] for s in steps(game.tables["anna"], "roll")]


def test_a_standing_order_is_no_new_decision(until: MakeDuel) -> None:
    def begin(game: Duel) -> None:
        game.play("anna", "done;")
        game.play("ben", "standing flee lancer; done;")
        game.play("anna", "hit lancer; done;")

    game = until(begin, lambda g: any(s["label"].startswith("flee") for s in steps(g.tables["ben"], "roll")))
    assert {s["seq"] for s in steps(game.tables["ben"], "roll") if s["turn"] == 2 and s["label"] != "weather/1"} == {4}


def test_labels_are_numbered_within_a_seed_and_begin_anew_with_the_next(until: MakeDuel) -> None:
    def begin(game: Duel) -> None:
        game.play("anna", "bet 1; bet 1; pull 1; done;")
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
    game.play("anna", "bet 1; done;")
    assert game.tables["anna"].seed is None
    assert not steps(game.tables["anna"], "roll")
    assert steps(game.tables["ben"], "roll")
    for index in range(4):  # nothing that anna has leads to ben's value
        with pytest.raises(BadLog, match="not ben's"):
            take(game.replayed(), game.entry("ben", reveal=(1, game.secrets["anna"].value(index).hex())))


def test_dice_change_with_the_words_the_nonce_and_the_others_secret(duel: MakeDuel) -> None:
    def seed(game: Duel, text: str = "pull 3; done;", **changes: object) -> tuple[bytes, tuple[int, ...]]:
        table = game.replayed()
        take(table, game.entry("anna", body(game, "anna", text), **changes))
        table.peek(game.secrets["ben"].value(1))
        assert table.seed is not None
        return table.seed, tuple(dice.roll(table.seed, "x", 20, 6))

    game = duel()
    plain = seed(game)
    said = seed(game, "say hello; pull 3; done;")
    nonce = seed(game, nonce="0" * 31 + "1")
    other = seed(duel(1))
    assert len({plain, said, nonce, other}) == 4
    assert seed(game) == plain


def test_ground_orders_see_no_dice_and_ground_secrets_no_orders(duel: MakeDuel) -> None:
    """A mover who tries nonces learns nothing; a holder who tries other secrets is caught."""
    game = duel()
    block = game.play("anna", "bet 3; done;")
    wished = next(
        value
        for number in range(10_000)
        if (value := number.to_bytes(32, "big"))
        and dice.roll(dice.seed(value, game.genesis.game, 2, dice.entry_hash(block.payload)), "bet/1", 1, 6) == [1]
    )
    refuses(game, game.entry("ben", body(game, "ben", "done;"), reveal=(1, wished.hex())), "not ben's")


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
                verifier.peek(game.secrets[name].value(index))
            dump = json.loads(json.dumps(table.dump()))
            game.tables[name] = Table.load(game.genesis, table.rules, table.board, dump)
            assert game.tables[name].dump() == table.dump() == verifier.dump() == dump
            assert game.tables[name].due()[:2] == table.due()[:2] == verifier.due()[:2]
            assert table.state_hash() == state_hash(dump["game"])
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


def test_a_fork_leaves_the_table_alone(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "hit lancer; bet 1;")
    before = game.table.dump()
    fork = game.table.fork()
    fork.peek(game.secrets["ben"].value(1))
    take(fork, game.entry(game.due() or "") if game.due() == "ben" else game.entry("anna"))
    assert game.table.dump() == before
    assert fork.seq == 3


# --- whose turn


def test_the_chain_of_entries(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "done;")
    good = game.entry("ben", body(game, "ben", "done;"))
    take(game.replayed(), good)
    refuses(game, game.entry("ben", good.body, game="0" * 64), "another game|belongs to the game")
    refuses(game, game.entry("ben", good.body, seq=4), "not the next one")
    refuses(game, game.entry("ben", good.body, seq=2), "not the next one")
    refuses(game, game.entry("ben", good.body, prev="0" * 64), "follows another entry")
    refuses(game, game.entry("ben", good.body, state="0" * 64), "state is not the one")
    with pytest.raises(BadLog, match="nobody in this game is called carl"):
        take(game.replayed(), game.entry("ben", good.body, by="carl"))


def test_an_entry_states_the_game_that_its_orders_start_from(duel: MakeDuel) -> None:
    game = duel()
    before = state_hash(game.table.game.dump())
    block = game.play("anna", "move scout rear; done;")
    assert parse_entry(block.payload).state == before
    assert state_hash(game.table.game.dump()) != before


def test_only_the_one_who_is_due_moves(duel: MakeDuel) -> None:
    game = duel()
    refuses(game, game.entry("ben", (Statement("done", ()),), kind="orders"), "ben is not to move")
    with pytest.raises(Refused, match="nothing is due from ben"):
        game.sign("ben", "done;")
    game.play("anna", "done;")
    refuses(game, game.entry("anna", (Statement("done", ()),), kind="orders"), "anna is not to move")
    with pytest.raises(Refused, match="nothing is due from anna"):
        game.sign("anna", "done;")


@pytest.mark.parametrize("kind", ["react", "reveal"])
def test_another_kind_than_the_one_due_is_refused_by_name(duel: MakeDuel, kind: str) -> None:
    game = duel()
    refuses(game, game.entry("anna", kind=kind), f"`{kind}` is not due")
    game.play("anna", "done;")
    refuses(game, game.entry("ben", kind=kind), f"`{kind}` is not due")
    take(game.replayed(), game.entry("ben", (Statement("done", ()),)))


def test_orders_are_no_answer_and_an_answer_no_orders(until: MakeDuel) -> None:
    game = until(hit_asks_ben, ben_is_asked, reactions="ask")
    refuses(game, game.entry("ben", (Statement("flee", ("lancer",)),), kind="orders"), "`orders` is not due")
    refuses(game, game.entry("ben", kind="reveal"), "`reveal` is not due")
    take(game.replayed(), game.entry("ben", (Statement("flee", ("lancer",)),), kind="react"))


@pytest.mark.parametrize("statement", [("dance", ()), ("hit", ("lan",)), ("hit", ("levy",)), ("stop", ())])
def test_a_signed_statement_that_cannot_be_read_is_refused(
    duel: MakeDuel, statement: tuple[str, tuple[str, ...]]
) -> None:
    game = duel()
    found = refuses(game, game.entry("anna", (Statement("done", ()), Statement(*statement))[::-1]), "can't be read")
    assert "statement 1" in str(found)


# --- reveals


def test_a_reveal_is_due_in_the_next_entry_of_the_other_side(duel: MakeDuel) -> None:
    game = duel()
    assert game.table.next_reveal("anna") is game.table.next_reveal("ben") is None
    game.play("anna", "move scout rear; done;")  # no dice, but due all the same
    assert (game.table.next_reveal("anna"), game.table.next_reveal("ben")) == (None, 1)
    done = (Statement("done", ()),)
    right = game.secrets["ben"].value(1).hex()
    refuses(game, game.entry("ben", done, reveal=None), "reveal is missing")
    refuses(game, game.entry("ben", done, reveal=(2, game.secrets["ben"].value(2).hex())), "number 1 is due")
    refuses(game, game.entry("ben", done, reveal=(2, right)), "number 1 is due")
    refuses(game, game.entry("ben", done, reveal=(1, game.secrets["ben"].value(2).hex())), "is not ben's")
    refuses(game, game.entry("ben", done, reveal=(1, game.secrets["ben"].value(0).hex())), "is not ben's")
    refuses(game, game.entry("ben", done, reveal=(1, game.secrets["anna"].value(1).hex())), "is not ben's")
    take(game.replayed(), game.entry("ben", done, reveal=(1, right)))


def test_an_early_reveal_is_refused(duel: MakeDuel) -> None:
    game = duel()
    early = (1, game.secrets["anna"].value(1).hex())
    refuses(game, game.entry("anna", (Statement("done", ()),), reveal=early), "not due")
    take(game.replayed(), game.entry("anna", (Statement("done", ()),)))


def test_nobody_goes_on_before_a_reveal_that_is_due(duel: MakeDuel) -> None:
    """Else both could sign the same number: ben his reveal, anna her next orders."""
    game = duel()
    game.play("anna", "move scout rear;")  # the phase stays hers
    assert game.table.due()[:2] == ("reveal", "ben")
    hasty = game.entry("anna", (Statement("done", ()),), kind="orders", state=game.table.state_hash())
    refuses(game, hasty, "anna is not to move")
    game.play("ben")
    assert parse_entry(game.blocks[-1].payload).kind == "reveal"
    game.play("anna", "done;")
    assert game.due() == "ben"


def test_each_reveal_is_the_next_of_the_chain_and_given_once(duel: MakeDuel) -> None:
    game = duel()
    for _ in range(3):
        game.play("anna", "say hm;")
        game.play("ben")
    assert game.table.reveals == {"anna": 0, "ben": 3}
    again = game.entry("ben", kind="reveal", reveal=(3, game.secrets["ben"].value(3).hex()))
    refuses(game, again, "not due")
    game.play("anna", "done;")
    refuses(game, game.entry("ben", (Statement("done", ()),), reveal=(3, game.secrets["ben"].value(3).hex())), "4")
    take(game.replayed(), game.entry("ben", (Statement("done", ()),)))


def test_a_reveal_holds_nothing_else(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "say hm;")
    refuses(game, game.entry("ben", (Statement("say", ("hello",)),)), "`say` stands in a reveal")
    with pytest.raises(Refused, match="only a reveal is due"):
        game.sign("ben", "say hello;")
    take(game.replayed(), game.entry("ben"))


# --- the end


def test_after_a_last_roll_only_its_reveal_is_taken(until: MakeDuel) -> None:
    game = until(lambda g: g.play("anna", "bet 3;") and None, lambda g: g.tables["ben"].game.request is None)
    assert game.tables["ben"].due()[:2] == ("reveal", "ben")
    refuses(game, game.entry("ben", (Statement("done", ()),), kind="orders"), "`orders` is not due")
    game.play("ben")
    assert game.table.game.outcome is not None
    assert game.table.due()[:2] == ("nothing", None)
    for name in SIDES:
        refuses(game, game.entry(name, (Statement("done", ()),)), "not to move; the game is over")
        with pytest.raises(Refused, match="the game is over"):
            game.sign(name, "done;")


def test_after_a_last_order_without_dice_nothing_is_taken(duel: MakeDuel) -> None:
    game = duel()
    for name in ("anna", "ben", "anna", "ben"):
        game.play(name, "done;")
    assert game.table.game.outcome is not None
    assert game.table.game.outcome.clause == "T8"
    assert game.table.due()[:2] == ("nothing", None)
    refuses(game, game.entry("anna", kind="reveal"), "not to move; the game is over")


# --- signatures


def test_a_block_is_taken_from_the_key_of_its_author_only(duel: MakeDuel) -> None:
    game = duel()
    good = game.sign("anna", "done;")
    forged = good._replace(armor=signer("ben").sign(good.payload))
    with pytest.raises(BadSignature, match="anna's signature"):
        take_block(game.replayed(), forged, parse_entry(forged.payload))
    other = game.sign("anna", "say hm;")
    with pytest.raises(BadSignature, match="anna's signature"):
        take_block(game.replayed(), good._replace(armor=other.armor), parse_entry(good.payload))
    take_block(game.replayed(), good, parse_entry(good.payload))


def test_the_same_entry_made_again_has_the_same_bytes(duel: MakeDuel) -> None:
    game = duel()
    assert game.sign("anna", "bet 1; done;") == game.sign("anna", "bet 1; done;")
    assert game.sign("anna", "bet 1; done;") != game.sign("anna", "bet 2; done;")


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
        game.play("anna", "done;")
        game.play("ben", "standing flee all; standing stand levy-1; done;")
        game.play("anna", "hit lancer; hit levy-1; done;")

    game = until(begin, lambda g: len(answers(g)) == 2, reactions=reactions)
    assert answers(game) == [("standing", "flee lancer"), ("standing", "stand levy-1")]
    assert game.table.standing == {"red": [], "blue": [("flee", "all"), ("stand", "levy-1")]}


def test_an_answer_that_does_not_fit_lapses_and_the_question_stays(until: MakeDuel) -> None:
    game = until(hit_asks_ben, ben_is_asked, reactions="ask")
    game.play("ben", "flee levy-1; say oops;")
    assert words(game.table, "lapse") == ["flee levy-1"]
    assert game.tables["ben"].due()[:2] == ("reveal", "anna")
    game.play("anna")
    assert game.due() == "ben"
    game.play("ben", "if gone lancer then flee lancer; stand lancer;")
    assert [" ".join(s["words"]) for s in steps(game.table, "answer")] == ["stand lancer"]


def test_one_react_may_answer_what_the_entry_asks_later(until: MakeDuel) -> None:
    def begin(game: Duel) -> None:
        game.play("anna", "hit lancer; hit levy-1; done;")
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
    take(game.replayed(), game.entry("ben", body(game, "ben", "flee lancer;"), kind="react"))


def test_orders_behind_a_question_go_on_after_the_answer(until: MakeDuel) -> None:
    game = until(hit_asks_ben, ben_is_asked, reactions="ask")
    assert words(game.tables["ben"], "order") == ["hit lancer"]
    game.play("ben", "stand lancer;")
    assert words(game.tables["anna"], "order") == ["hit lancer", "bet 1", "done"]
    assert game.tables["anna"].game.state.phase == 1


# --- orders of an entry


def test_conditions_are_tested_when_their_order_comes(duel: MakeDuel) -> None:
    text = "move scout rear; if at scout rear then move guard-1 rear; if not empty front then bet 1;"
    game = duel()
    game.play("anna", text)
    assert words(game.tables["ben"], "order") == ["move scout rear", "move guard-1 rear", "bet 1"]
    text = (
        "if at scout rear then move guard-1 rear; move scout rear; if held front red and alive scout then bet 1; done;"
    )
    game = duel()
    game.play("anna", text)
    assert words(game.tables["ben"], "order") == ["move scout rear", "done"]
    assert not steps(game.tables["ben"], "lapse")


def test_stop_drops_the_rest_and_keeps_the_phase_open(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "move scout rear; stop if at scout rear; bet 1; done;")
    assert words(game.table, "order") == ["move scout rear"]
    assert [(s["side"], s["dropped"]) for s in steps(game.table, "stop")] == [("red", 2)]
    assert game.table.due()[:2] == ("reveal", "ben")
    game.play("ben")
    assert game.due() == "anna"
    game = duel()
    game.play("anna", "move scout rear; stop if not at scout rear; move guard-1 rear; done;")
    assert words(game.table, "order") == ["move scout rear", "move guard-1 rear", "done"]
    assert not steps(game.table, "stop")


def test_an_order_that_became_illegal_lapses_with_clause_and_place(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "say so; move scout rear; move scout rear; move guard-1 rear; done;")
    (lapse,) = steps(game.table, "lapse")
    assert (lapse["side"], lapse["number"], lapse["clause"]) == ("red", 3, "T4")
    assert "gone or there already" in lapse["reason"]
    assert words(game.table, "order") == ["move scout rear", "move guard-1 rear", "done"]


def test_strict_makes_the_first_lapse_a_stop(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "strict; move scout rear; move scout rear; move guard-1 rear; done;")
    assert words(game.table, "order") == ["move scout rear"]
    assert [s["dropped"] for s in steps(game.table, "stop")] == [2]
    game.play("ben")
    game.play("anna", "move scout rear; move guard-1 rear; done;")  # the next entry isn't strict any more
    assert words(game.table, "order") == ["move scout rear", "move guard-1 rear", "done"]


def test_what_is_left_of_an_order_is_carried_out(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "move scout rear; move scout guard-1 rear; done;")
    assert words(game.table, "order") == ["move scout rear", "move guard-1 rear", "done"]
    (dropped,) = [s for s in steps(game.table, "tell") if s["what"] == "dropped"]
    assert (dropped["number"], dropped["facts"]["order"]) == (2, "move scout rear")


def test_a_rest_that_is_illegal_too_lapses(duel: MakeDuel, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that cheats signs an order of another phase whose parts look as if some could be dropped."""
    monkeypatch.setattr("toy.remainder", lambda s, side, order: (ToyOrder(("bet", "99")), ()))
    game = duel()
    game.play("anna", "hit scout; move scout rear; done;")
    assert words(game.table, "lapse") == ["hit scout"]
    assert words(game.table, "order") == ["move scout rear", "done"]


def test_left_over_orders_lapse_when_the_phase_passes(duel: MakeDuel) -> None:
    game = duel()
    text = "move scout rear; move guard-1 rear; move guard-2 rear; bet 1; if gone lancer then bet 2; done;"
    game.play("anna", text)
    assert words(game.table, "lapse") == ["bet 1"]
    assert steps(game.table, "lapse")[0]["reason"] == "the phase is over"
    assert game.due() == "ben"
    game.play("ben", "done;")
    assert words(game.table, "order")[-1] == "done"


def test_a_conditional_done_ends_the_entry(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "if alive scout then done; bet 1;")
    assert words(game.table, "order") == ["done"]
    assert game.due() == "ben"


def test_talk_and_standing_orders_count_wherever_they_stand(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "stop if alive scout; standing flee scout; say good luck;")
    assert game.table.standing["red"] == [("flee", "scout")]
    assert [s["text"] for s in steps(game.table, "say")] == ["good luck"]


def test_looking_ahead_changes_nothing(duel: MakeDuel) -> None:
    game = duel()
    before = game.table.dump()
    ahead = game.table.fork()
    parts = list(enumerate(parts_of(game.table, "red", "standing flee all; bet 1; hit lancer; done;"), 1))
    ahead.imagine("red", parts, lambda request: (1,) * request.dice if isinstance(request, Roll) else None)
    assert words(ahead, "order") == ["bet 1", "hit lancer", "done"]
    assert isinstance(ahead.game.request, Choose)
    assert game.table.dump() == before
    assert not game.table.seed


def test_a_peek_is_no_reveal(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1; done;")
    assert game.tables["ben"].reveals == {"anna": 0, "ben": 0}
    block = sign_entry(game.tables["ben"], "ben", signer("ben"), game.secrets["ben"], [])
    assert parse_entry(block.payload).reveal == (1, game.secrets["ben"].value(1).hex())


def test_a_cached_table_keeps_all_since_each_players_newest_decision(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "done;")
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
        go_on("done;")
    kept = game.table.dump()["steps"]
    oldest = min(game.table.seq - 6, *game.table.last_by.values())
    assert [step for step in game.table.steps if step["turn"] == 3] == [step for step in kept if step["turn"] == 3]
    assert kept == [step for step in game.table.steps if step["seq"] >= oldest or step["turn"] == 3]
    while game.table.seq < 16:
        go_on("say hm;")
    assert len(game.table.dump()["steps"]) < len(game.table.steps)


def test_a_game_that_begins_with_a_die_rolls_it_from_the_accept(
    duel: MakeDuel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(s: Any, side: str) -> Activity:
        (die,) = yield Roll("first", dice=1)
        s.storm, s.opened = die == 6, True

    monkeypatch.setattr("toy.play._open", opened)
    game = duel()
    accept = game.blocks[1]
    assert game.table.due().what == "reveal"
    assert game.table.due().player == "anna"
    value = game.secrets["anna"].value(1)
    game.play("anna", "done;" if game.view("anna").due().what == "orders" else "")
    seed = dice.seed(value, game.genesis.game, 1, dice.entry_hash(accept.payload))
    assert [step["result"] for step in game.table.steps if step["kind"] == "roll"][:1] == [
        dice.roll(seed, "first/1", 1, 6)
    ]
    assert game.blocks[2].payload.count(b"reveal 1 ") == 1
