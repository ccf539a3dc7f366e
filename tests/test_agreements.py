"""What players settle between moves: resign, draw, undo, rekey, rechain; each with what must be refused."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from toy.players import SIDES, Duel, Post, mail, private_key, signer

from pbem import dice
from pbem.agreements import body_of
from pbem.envelope import Block, Statement, parse_entry
from pbem.errors import BadLog, BadSignature, Refused
from pbem.keys import FileSigner
from pbem.requests import Outcome
from pbem.table import Table
from pbem.turn import Secrets, replay, sign_agreement, sign_entry, take_block

MakeDuel = Callable[..., Duel]


def signed(game: Duel, name: str, kind: str, body: tuple[Statement, ...] = ()) -> Block:
    """An agreement as its author's client signs it."""
    return sign_agreement(game.view(name), name, signer(name), game.secrets[name], kind, body)


def agrees(game: Duel, name: str, kind: str, *words: str) -> None:
    """Make an agreement and hand it to all three; an undo is read from the log, as the program does."""
    block = signed(game, name, kind, (Statement(kind, words),) if words else ())
    if kind == "undo" and words == ("accept",):
        game.blocks.append(block)
        game.tables = {player: game.replayed() for player in game.tables}
        for player in SIDES:
            game.view(player)
    else:
        game.give(block)


def refused(game: Duel, name: str, kind: str, *words: str, match: str) -> None:
    """The same is refused by a third party, who is left as he was."""
    block = signed(game, name, kind, (Statement(kind, words),) if words else ())
    with pytest.raises(BadLog, match=match):
        take_block(game.replayed(), block, parse_entry(block.payload))


def same(game: Duel) -> Table:
    """A new replay of the log finds what the third party has, dump and load too."""
    again = game.replayed()
    assert again.dump() == game.table.dump()
    loaded = Table.load(again.genesis, again.rules, again.board, again.dump())
    assert loaded.dump() == again.dump()
    assert loaded.due() == again.due() or loaded.due().what == again.due().what
    return again


def test_who_resigns_has_lost(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 2;")
    agrees(game, "ben", "resign")
    assert same(game).outcome == Outcome("red", "", "ben has resigned")
    assert game.table.due().what == "nothing"
    with pytest.raises(Refused, match="nothing is due"):
        signed(game, "anna", "resign")


def test_only_who_is_due_resigns(duel: MakeDuel) -> None:
    game = duel()
    with pytest.raises(Refused, match="nothing is due from ben"):
        signed(game, "ben", "resign")
    entry = game.entry("anna", kind="resign", by="ben")
    with pytest.raises(BadLog, match="ben can't make a `resign` now; orders of anna are due"):
        game.replayed().take(entry, dice.entry_hash(entry.payload))


def test_a_draw_needs_both(duel: MakeDuel) -> None:
    game = duel()
    refused(game, "anna", "draw", "accept", match="no draw waits")
    agrees(game, "anna", "draw", "offer")
    assert (game.table.due().what, game.table.due().player) == ("reply", "ben")
    refused(game, "ben", "draw", "offer", match="another proposal waits")
    refused(game, "ben", "draw", "perhaps", match="it is one of: offer, accept, refuse")
    refused(game, "ben", "undo", "accept", match="no undo waits")
    refused(game, "ben", "resign", match="an answer to the draw is due")
    with pytest.raises(Refused, match="accept or refuse it first"):
        game.sign("ben", "done;")
    agrees(game, "ben", "draw", "accept")
    assert same(game).outcome == Outcome(None, "", "the players have agreed on a draw")


def test_a_draw_refused_leaves_the_game_as_it_was(duel: MakeDuel) -> None:
    game = duel()
    before = game.table.state_hash()
    agrees(game, "anna", "draw", "offer")
    agrees(game, "ben", "draw", "refuse")
    assert same(game).state_hash() == before
    assert (game.table.due().what, game.table.due().player) == ("orders", "anna")
    game.play("anna", "done;")
    assert game.table.due().player == "ben"


def test_an_undo_takes_an_entry_back_and_all_behind_it(duel: MakeDuel) -> None:
    game = duel()
    before = game.table.state_hash()
    game.play("anna", "bet 2; done;")
    game.play("ben", "bet 1; done;")
    assert game.table.seq == 3
    agrees(game, "anna", "undo", "offer", "2")
    used = dict(game.table.reveals)
    agrees(game, "ben", "undo", "accept")
    table = same(game)
    assert table.state_hash() == before
    assert table.decisions == []
    assert table.reveals == used, "a chain value is never used again"
    assert (table.due().what, table.due().player) == ("orders", "anna")
    assert [step["facts"]["text"] for step in table.steps if step.get("what") == "agreement"][-1].startswith("agrees")


def test_dice_behind_an_undo_are_new_ones(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 2; done;")
    game.play("ben", "done;")
    first = [step["result"] for step in game.table.steps if step["kind"] == "roll"]
    agrees(game, "anna", "undo", "offer", "2")
    agrees(game, "ben", "undo", "accept")
    game.play("anna", "bet 2; done;")
    game.play("ben", "done;")
    entry = parse_entry(game.blocks[-2].payload)
    value = bytes.fromhex((parse_entry(game.blocks[-1].payload).reveal or (0, ""))[1])
    seed = dice.seed(value, game.genesis.game, entry.seq, dice.entry_hash(entry.payload))
    rolls = [step for step in game.table.steps if step["kind"] == "roll" and step["seq"] == entry.seq]
    assert rolls[0]["result"] == dice.roll(seed, rolls[0]["label"], rolls[0]["dice"], rolls[0]["sides"])
    assert len(first) == 1
    assert value != bytes.fromhex((parse_entry(game.blocks[3].payload).reveal or (0, ""))[1])
    same(game)


@pytest.mark.parametrize("target", ["3", "4", "9"])
def test_only_a_decision_that_stands_can_be_taken_back(duel: MakeDuel, target: str) -> None:
    game = duel()
    game.play("anna", "bet 2;")
    game.play("ben")
    refused(game, "anna", "undo", "offer", target, match="can't be taken back|out of bounds")


def test_an_undo_refused_changes_nothing(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 2;")
    game.play("ben")
    before = game.table.state_hash()
    agrees(game, "anna", "undo", "offer", "2")
    agrees(game, "ben", "undo", "refuse")
    assert same(game).state_hash() == before


def new_player(game: Duel, name: str, new: FileSigner, gnonce: bytes) -> tuple[Statement, ...]:
    player = game.table.player(name)._replace(key=new.pub_blob, gnonce=gnonce, chain=40)
    player = player._replace(anchor=Secrets(new, player).anchor)
    return body_of("rekey" if new.pub_blob != game.table.player(name).key else "rechain", player=player)


def test_a_new_key_signs_from_the_next_entry_on_and_has_its_own_chain(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 2; done;")
    new = FileSigner(private_key("new"))
    game.give(signed(game, "ben", "rekey", new_player(game, "ben", new, b"n" * 16)))
    table = game.table
    assert table.player("ben").key == new.pub_blob
    assert table.reveals["ben"] == 0
    assert table.due().player == "ben"
    old = game.sign("ben", "done;")
    with pytest.raises(BadSignature):
        take_block(game.replayed(), old, parse_entry(old.payload))
    game.secrets["ben"] = Secrets(new, table.player("ben"))
    game.give(sign_entry(game.view("ben"), "ben", new, game.secrets["ben"], []))
    game.play("anna")
    assert same(game).player("ben").key == new.pub_blob


def test_a_rechain_renews_the_chain_alone(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1; done;")
    game.give(signed(game, "ben", "rechain", new_player(game, "ben", signer("ben"), b"m" * 16)))
    player = game.table.player("ben")
    game.secrets["ben"] = Secrets(signer("ben"), player)
    assert player.chain == 40
    assert game.table.last_value["ben"] == player.anchor
    game.play("ben", "done;")
    game.play("anna", "bet 1; done;")
    block = game.play("ben", "done;")
    assert (parse_entry(block.payload).reveal or (0, ""))[0] == 1, "the new chain begins with its first value"
    same(game)


def test_a_chain_or_key_that_was_used_is_refused(duel: MakeDuel) -> None:
    game = duel()
    for gnonce in game.gnonces.values():
        body = new_player(game, "anna", signer("anna"), gnonce)
        block = signed(game, "anna", "rechain", body)
        with pytest.raises(BadLog, match="gnonce was used"):
            take_block(game.replayed(), block, parse_entry(block.payload))
    body = new_player(game, "anna", signer("ben"), b"q" * 16)
    block = signed(game, "anna", "rekey", body)
    with pytest.raises(BadLog, match="the same key"):
        take_block(game.replayed(), block, parse_entry(block.payload))
    block = signed(game, "anna", "rekey", new_player(game, "anna", signer("anna"), b"q" * 16))
    with pytest.raises(BadLog, match="`key`: is missing"):
        take_block(game.replayed(), block, parse_entry(block.payload))


def agreed_by_mail(post: Post, name: str, kind: str, body: tuple[Statement, ...]) -> None:
    """An agreement made at one home, opened at the other."""
    desk = post.desk(name)
    block = desk.agree(desk.place(desk.home.find(None)), kind, body)
    post.desk(next(n for n in SIDES if n != name)).open_one(mail(block))


def test_by_mail_both_homes_take_back_go_on_and_end_equal(post: Post) -> None:
    post.begun()
    before = post.place("anna").table.state_hash()
    post.exchange("anna", "bet 2;")
    post.exchange("ben")
    agreed_by_mail(post, "anna", "undo", body_of("undo", "offer", 2))
    assert post.place("ben").table.due().what == "reply"
    agreed_by_mail(post, "ben", "undo", body_of("undo", "accept"))
    for name in SIDES:
        place = post.place(name)
        assert place.table.state_hash() == before
        assert place.table.due().player == "anna"
        assert not [step for step in place.table.steps if step["kind"] == "roll"]
    post.bots(random.Random(7))
    texts = {post.place(name).text for name in SIDES}
    assert len(texts) == 1
    table = replay(texts.pop(), lambda _: post.scenario).table
    assert table is not None
    assert table.due().what == "nothing"


def test_an_undo_opened_from_the_cache_reads_the_log_anew(post: Post) -> None:
    post.begun()
    post.exchange("anna", "bet 1; done;")
    post.exchange("ben", "bet 1; done;")
    agreed_by_mail(post, "anna", "undo", body_of("undo", "offer", 3))
    place = post.place("ben")
    assert place.table.remembered == {}, "a cached table holds no old states"
    agreed_by_mail(post, "ben", "undo", body_of("undo", "accept"))
    assert post.place("ben").table.due_from("ben").what == "orders"
    assert post.place("ben").table.state_hash() == post.place("anna").table.state_hash()


def claims(game: Duel, name: str, *sent: str) -> Block:
    body = tuple(Statement("sent", tuple(words.split())) for words in sent)
    return signed(game, name, "claim", body)


def test_the_one_who_waits_claims_under_a_deadline(duel: MakeDuel) -> None:
    game = duel(deadline=7)
    game.play("anna", "bet 1; done;")
    game.give(claims(game, "anna", "2 2026-11-21T12:00:00Z"))
    assert same(game).outcome == Outcome("red", "", "ben has not answered for 7 days")
    assert game.table.due().what == "nothing"


def test_who_proposed_something_to_a_silent_opponent_claims_too(duel: MakeDuel) -> None:
    game = duel(deadline=7)
    agrees(game, "anna", "draw", "offer")
    with pytest.raises(Refused, match="an answer of ben is due"):
        claims(game, "ben")
    game.give(claims(game, "anna", "2 2026-11-21T12:00:00Z"))
    assert same(game).outcome == Outcome("red", "", "ben has not answered for 7 days")


def test_nobody_claims_without_a_deadline_or_when_it_is_his_own_move(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1; done;")
    block = claims(game, "anna")
    with pytest.raises(BadLog, match="no deadline"):
        take_block(game.replayed(), block, parse_entry(block.payload))
    game = duel(1, deadline=7)
    with pytest.raises(Refused, match="nothing is due from ben"):
        claims(game, "anna")
    game.play("anna", "bet 1; done;")
    block = claims(game, "anna", "9 2026-11-21T12:00:00Z")
    with pytest.raises(BadLog, match="`sent`: 9 is out of bounds"):
        take_block(game.replayed(), block, parse_entry(block.payload))
