"""What players settle between moves: resign, draw, undo, rekey; each with what must be refused."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable

import pytest
from toy.players import SIDES, Duel, Post, hand, mail, private_key, signer

from pbem.crypto import dice
from pbem.crypto.keys import FileSigner
from pbem.desk.arrival import take_in
from pbem.desk.letter import read_letter
from pbem.errors import BadLog, BadSignature, Refused
from pbem.match.compose import Secrets, proven, sign_agreement, sign_entry
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.match.take import carry_out, take
from pbem.report.mail import mail_data, mail_text, subject
from pbem.rules.requests import Outcome, Tell
from pbem.scenario import Scenario, load_scenario
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import Named, named_body, proposal_body
from pbem.wire.entry import parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

MakeDuel = Callable[..., Duel]


def signed(game: Duel, name: str, kind: str, body: tuple[Statement, ...] = ()) -> Block:
    """An agreement as its author's client signs it."""
    return sign_agreement(game.view(name), name, signer(name), game.secrets[name], kind, body).block


def opened(game: Duel) -> Duel:
    """Both have a chain, and orders of anna are due."""
    game.play("anna", "say hm;")
    game.play("ben")
    return game


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
        take(game.replayed(), Turn.of(block))


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
    game = opened(duel())
    with pytest.raises(Refused, match="nothing is due from ben"):
        signed(game, "ben", "resign")
    entry = game.entry("anna", kind="resign", by="ben")
    with pytest.raises(BadLog, match="ben can't make a `resign` now; orders of anna are due"):
        carry_out(game.replayed(), entry, dice.entry_hash(entry.payload))


def test_a_draw_needs_both(duel: MakeDuel) -> None:
    game = opened(duel())
    refused(game, "anna", "draw", "accept", match="no draw waits")
    agrees(game, "anna", "draw", "offer")
    assert (game.table.due().what, game.table.due().player) == ("reply", "ben")
    refused(game, "ben", "draw", "offer", match="an answer to the draw is due, accept or refuse")
    refused(game, "ben", "draw", "perhaps", match="it is one of: offer, accept, refuse")
    refused(game, "ben", "undo", "accept", match="no undo waits")
    refused(game, "ben", "resign", match="an answer to the draw is due")
    with pytest.raises(Refused, match="accept or refuse it first"):
        game.sign("ben", "rest;")
    agrees(game, "ben", "draw", "accept")
    assert same(game).outcome == Outcome(None, "", "the players have agreed on a draw")


def test_a_draw_refused_leaves_the_game_as_it_was(duel: MakeDuel) -> None:
    game = opened(duel())
    before = game.table.state_hash()
    agrees(game, "anna", "draw", "offer")
    agrees(game, "ben", "draw", "refuse")
    assert same(game).state_hash() == before
    assert (game.table.due().what, game.table.due().player) == ("orders", "anna")
    game.play("anna", "rest;")
    assert game.table.due().player == "ben"


def test_an_undo_takes_an_entry_back_and_all_behind_it(duel: MakeDuel) -> None:
    game = duel()
    before = game.table.state_hash()
    game.play("anna", "bet 2; rest;")
    game.play("ben", "bet 1; rest;")
    assert game.table.seq == 3
    agrees(game, "anna", "undo", "offer", "2")
    used = dict(game.table.chains)
    agrees(game, "ben", "undo", "accept")
    table = same(game)
    assert table.state_hash() == before
    assert table.decisions == []
    assert table.chains == used, "a chain value is never used again"
    assert (table.due().what, table.due().player) == ("orders", "anna")
    assert [step["facts"]["text"] for step in table.steps if step.get("what") == "agreement"][-1].startswith("agrees")


def test_an_undo_brings_back_what_was_planned(toy_system: Scenario) -> None:
    game = Duel(load_scenario("rounds"))
    game.play("anna", "rest; in late: move scout rear; in late: rest;")
    plans = {side: list(plans) for side, plans in game.table.course.plans.items()}
    game.play("ben", "rest;")
    assert game.view("anna").course.plans["red"] == deque()
    agrees(game, "anna", "undo", "offer", "3")
    agrees(game, "ben", "undo", "accept")
    assert {side: list(found) for side, found in game.table.course.plans.items()} == plans
    game.play("ben", "pull 1; rest;")
    assert game.view("anna").game.state.at["scout"] == "rear"


def test_dice_behind_an_undo_are_new_ones(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 2; rest;")
    game.play("ben", "rest;")
    first = [step["result"] for step in game.table.steps if step["kind"] == "roll"]
    agrees(game, "anna", "undo", "offer", "2")
    agrees(game, "ben", "undo", "accept")
    game.play("anna", "bet 2; rest;")
    game.play("ben", "rest;")
    entry = parse_entry(game.blocks[-2].payload)
    value = bytes.fromhex((parse_entry(game.blocks[-1].payload).reveal or (0, ""))[1])
    seed = dice.seed(value, game.genesis.game, entry.seq, dice.entry_hash(entry.payload))
    rolls = [step for step in game.table.steps if step["kind"] == "roll" and step["seq"] == entry.seq]
    assert rolls[0]["result"] == dice.roll(seed, rolls[0]["label"], rolls[0]["dice"], rolls[0]["sides"])
    assert len(first) == 1
    assert value != bytes.fromhex((parse_entry(game.blocks[3].payload).reveal or (0, ""))[1])
    same(game)


def test_fights_behind_an_undo_are_numbered_on(duel: MakeDuel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have read of fight 1; another one of that number would be told of twice."""
    fight = {"result": "-", "at": "rear", "from": "front"}
    monkeypatch.setattr(
        "toy.play.Tell", lambda what, by, facts: Tell(what, by, {**facts, **fight} if what == "bet" else facts)
    )
    game = duel()
    for number in (1, 2):
        game.play("anna", "bet 2; rest;")
        game.play("ben", "rest;")
        assert [step["fight"] for step in same(game).steps if "fight" in step] == [number]
        agrees(game, "anna", "undo", "offer", str(decision := game.table.decisions[0]))
        agrees(game, "ben", "undo", "accept")
        assert [step["fight"] for step in game.table.undone if "fight" in step] == [*range(1, number + 1)]
        assert decision not in game.table.decisions


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


def named(game: Duel, name: str, new: FileSigner, gnonce: bytes = b"n" * 16) -> tuple[Secrets, Named]:
    """A player's new key with its proof, and the secrets of its chain."""
    secrets = Secrets(new, gnonce, game.table.head, 40)
    return secrets, proven(new, game.table, name, secrets.anchor, Named(new.pub_blob))


def rekeyed(game: Duel, name: str, new: FileSigner, gnonce: bytes = b"n" * 16) -> tuple[Secrets, Block]:
    """A rekey as its author's client signs it."""
    secrets, key = named(game, name, new, gnonce)
    body = named_body(key)
    view = game.view(name)
    return secrets, sign_agreement(view, name, signer(name), game.secrets[name], "rekey", body, secrets.anchor).block


def test_a_new_key_signs_from_the_next_entry_on_and_has_its_own_chain(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 2; rest;")
    new = FileSigner(private_key("new"))
    secrets, block = rekeyed(game, "ben", new)
    assert parse_entry(block.payload).reveal == (1, game.secrets["ben"].value(1).hex()), "from the old chain"
    game.give(block)
    table = game.table
    assert table.player("ben").key == new.pub_blob
    assert (table.chains["ben"].shown, table.anchors["ben"]) == (0, secrets.anchor)
    assert table.due().player == "ben"
    old = game.sign("ben", "rest;")
    with pytest.raises(BadSignature):
        take(game.replayed(), Turn.of(old))
    game.secrets["ben"] = secrets
    game.give(sign_entry(game.view("ben"), "ben", new, secrets, []).block)
    game.play("anna")
    assert same(game).player("ben").key == new.pub_blob


def test_a_key_that_was_ever_in_force_for_anybody_is_refused(duel: MakeDuel) -> None:
    game = opened(duel())
    new = FileSigner(private_key("new"))
    for used in ("anna", "ben"):
        _, block = rekeyed(game, "anna", signer(used))
        with pytest.raises(BadLog, match="it names a key that was in use in this game before"):
            take(game.replayed(), Turn.of(block))
    secrets, block = rekeyed(game, "anna", new)
    game.give(block)
    game.secrets["anna"] = secrets
    view = game.view("anna")
    for used in (signer("anna"), new, signer("ben")):
        again, key = named(game, "anna", used, b"m" * 16)
        block = sign_agreement(view, "anna", new, secrets, "rekey", named_body(key), again.anchor).block
        with pytest.raises(BadLog, match="it names a key that was in use in this game before"):
            take(game.replayed(), Turn.of(block))
    again, key = named(game, "anna", FileSigner(private_key("newer")), b"m" * 16)
    block = sign_agreement(view, "anna", new, secrets, "rekey", named_body(key), again.anchor).block
    take(game.replayed(), Turn.of(block))


def test_a_recovery_key_is_a_new_one_and_another_than_the_key(duel: MakeDuel) -> None:
    game = opened(duel())
    new, spare = FileSigner(private_key("new")), FileSigner(private_key("spare"))
    secrets = Secrets(new, b"n" * 16, game.table.head, 40)
    for recovery, fits in ((new, False), (signer("anna"), False), (signer("ben"), False), (spare, True)):
        key = proven(new, game.table, "anna", secrets.anchor, Named(new.pub_blob, recovery.pub_blob))
        block = sign_agreement(
            game.view("anna"), "anna", signer("anna"), game.secrets["anna"], "rekey", named_body(key), secrets.anchor
        ).block
        table = game.replayed()
        if fits:
            take(table, Turn.of(block))
            assert table.player("anna").recovery == spare.pub_blob
            assert table.used >= {new.pub_blob, spare.pub_blob, signer("anna").pub_blob}
            continue
        with pytest.raises(BadLog, match="it names a key that was in use in this game before"):
            take(table, Turn.of(block))


def test_a_new_key_comes_with_a_new_chain_and_only_then(duel: MakeDuel) -> None:
    game = opened(duel())
    secrets, key = named(game, "anna", FileSigner(private_key("new")))
    body = named_body(key)
    hand(game.replayed(), game.entry("anna", body, kind="rekey", anchor=secrets.anchor))
    with pytest.raises(BadLog, match="its anchor is missing; a new key comes with a new chain"):
        hand(game.replayed(), game.entry("anna", body, kind="rekey"))
    anchor = Secrets(signer("anna"), b"o" * 16, game.table.head).anchor
    for kind, words in (("draw", ("offer",)), ("undo", ("offer", "2"))):
        hand(game.replayed(), game.entry("anna", (Statement(kind, words),), kind=kind, anchor=anchor))
    with pytest.raises(BadLog, match="it names an anchor where none may stand"):
        hand(game.replayed(), game.entry("anna", kind="resign", anchor=anchor))
    game = opened(duel(deadline=7))
    hand(game.replayed(), game.entry("ben", kind="claim"))
    with pytest.raises(BadLog, match="it names an anchor where none may stand"):
        hand(game.replayed(), game.entry("ben", kind="claim", anchor=anchor))


# --- refused proposals, counts, sizes


def test_a_refused_proposal_is_not_made_again_before_its_authors_next_decision(duel: MakeDuel) -> None:
    game = opened(duel())
    agrees(game, "anna", "draw", "offer")
    agrees(game, "ben", "draw", "refuse")
    refused(game, "anna", "draw", "offer", match="it was refused; anna can't propose it again before his next decision")
    agrees(game, "anna", "undo", "offer", "2")
    agrees(game, "ben", "undo", "refuse")
    game.play("anna", "rest;")
    agrees(game, "ben", "draw", "offer")
    agrees(game, "anna", "draw", "refuse")
    game.play("ben", "say hm;")
    game.play("anna")
    agrees(game, "ben", "draw", "offer")
    agrees(game, "anna", "draw", "refuse")
    game.play("ben", "rest;")
    agrees(game, "anna", "draw", "offer")
    same(game)


def test_the_others_decision_makes_no_refused_proposal_good_again(duel: MakeDuel) -> None:
    game = opened(duel())
    agrees(game, "anna", "undo", "offer", "2")
    agrees(game, "ben", "undo", "refuse")
    game.play("anna", "rest;")
    agrees(game, "ben", "draw", "offer")
    agrees(game, "anna", "draw", "refuse")
    assert game.table.refused == {("draw", "ben")}
    game.play("ben", "rest;")
    assert game.table.refused == set()
    agrees(game, "anna", "draw", "offer")
    agrees(game, "ben", "draw", "refuse")
    assert same(game).refused == {("draw", "anna")}


def test_behind_an_accepted_proposal_the_next_may_follow(duel: MakeDuel) -> None:
    game = opened(duel())
    for _ in range(2):
        game.play("anna", "say hm;")
        game.play("ben")
    for number in ("6", "4", "2"):
        agrees(game, "anna", "undo", "offer", number)
        agrees(game, "ben", "undo", "accept")
    assert same(game).decisions == []


def test_twenty_agreements_of_one_player_may_follow_each_other(duel: MakeDuel) -> None:
    game = opened(duel())
    keys = [FileSigner(private_key(f"new {number}")) for number in range(21)]
    signers = [signer("anna"), *keys]
    for number, new in enumerate(keys):
        secrets, key = named(game, "anna", new)
        block = sign_agreement(
            game.view("anna"), "anna", signers[number], game.secrets["anna"], "rekey", named_body(key), secrets.anchor
        ).block
        if number == 20:
            break
        game.give(block)
        game.secrets["anna"] = secrets
    with pytest.raises(BadLog, match="anna has made 20 such entries since anybody's last turn; no more can follow"):
        take(game.replayed(), Turn.of(block))
    assert game.table.agreed == {"anna": 20, "ben": 0}
    hand(game.replayed(), game.entry("anna", kind="resign"))
    hand(game.replayed(), game.entry("anna", (Statement("rest", ()),)))
    for kind, words in (("draw", ("offer",)), ("undo", ("offer", "2"))):
        entry = game.entry("anna", (Statement(kind, words),), kind=kind)
        with pytest.raises(BadLog, match="anna has made 20 such entries"):
            hand(game.replayed(), entry)


def test_a_proposal_that_is_the_twentieth_is_answered_and_answers_are_not_counted(
    duel: MakeDuel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.match.agreements.AGREEMENTS_MAX", 2)
    game = opened(duel())
    for kind, words in (("draw", ("offer",)), ("undo", ("offer", "2"))):
        agrees(game, "anna", kind, *words)
        agrees(game, "ben", kind, "refuse")
    assert game.table.agreed == {"anna": 2, "ben": 0}
    game.play("anna", "say hm;")
    assert game.table.agreed == {"anna": 0, "ben": 0}
    agrees(game, "ben", "undo", "offer", "8")
    agrees(game, "anna", "undo", "refuse")
    assert game.table.agreed == {"anna": 0, "ben": 1}


def test_an_agreement_has_at_most_20_statements(duel: MakeDuel) -> None:
    game = opened(duel())
    offer, say = Statement("draw", ("offer",)), Statement("say", ("hm",))
    hand(game.replayed(), game.entry("anna", (*[say] * 10, offer, *[say] * 9), kind="draw"))
    long = (*[say] * 10, offer, *[say] * 10)
    with pytest.raises(BadLog, match="its body has 21 statements, 20 at most"):
        hand(game.replayed(), game.entry("anna", long, kind="draw"))
    with pytest.raises(Refused, match="its body has 21 statements, 20 at most"):
        signed(game, "anna", "draw", long)
    hand(game.replayed(), game.entry("anna", (*[say] * 30, Statement("rest", ()))))  # orders are no agreement


@pytest.mark.parametrize("kind", ["orders", "draw"])
def test_all_say_of_an_entry_have_at_most_4096_bytes(duel: MakeDuel, kind: str) -> None:
    game = opened(duel())
    words = Statement("draw", ("offer",)) if kind == "draw" else Statement("rest", ())
    for size, fits in ((4096, True), (4097, False)):
        said = one_line(2000), one_line(size - 2000)
        assert sum(len(f"{statement}\n") for statement in said) == size
        entry = game.entry("anna", (*said, words), kind=kind)
        if fits:
            hand(game.replayed(), entry)
            continue
        with pytest.raises(BadLog, match="its `say` have 4097 bytes, 4096 at most"):
            hand(game.replayed(), entry)


def one_line(size: int) -> Statement:
    """A `say` whose line has so many bytes."""
    left, words = size - len("say;\n"), []
    while left:
        length = 80 if left > 83 else left - 1 if left <= 81 else 40
        words.append("x" * length)
        left -= length + 1
    return Statement("say", tuple(words))


@pytest.mark.parametrize(
    ("kind", "body", "most"),
    [
        ("orders", (Statement("rest", ()),), 31 * 2**20),
        ("undo", (Statement("undo", ("offer", "2")),), 31 * 2**20),
        ("draw", (Statement("draw", ("offer",)),), 63 * 2**19),
        ("resign", (), 32 * 2**20),
    ],
)
def test_each_player_has_a_share_of_the_log(duel: MakeDuel, kind: str, body: tuple[Statement, ...], most: int) -> None:
    game = opened(duel())
    entry = game.entry("anna", body, kind=kind)
    for over in (0, 1):
        table = game.replayed()
        table.sizes = {"anna": most - len(entry.payload) - 356 + over, "ben": 32 * 2**20}
        if not over:
            hand(table, entry)
            assert table.sizes["anna"] == most
            continue
        with pytest.raises(BadLog, match=f"anna's share of the log would have {most + 1} bytes, {most} at most"):
            hand(table, entry)


@pytest.mark.parametrize(("kind", "word"), [("draw", "accept"), ("undo", "refuse"), ("substitute", "accept")])
def test_the_share_for_answers_is_larger(duel: MakeDuel, kind: str, word: str) -> None:
    game = opened(duel())
    new = FileSigner(private_key("new"))
    offers = {"draw": ("offer",), "undo": ("offer", "2"), "substitute": ("offer",)}
    if kind == "substitute":
        secrets, key = named(game, "anna", new)
        body = (*proposal_body("substitute", "offer"), *named_body(key))
        view = game.view("anna")
        game.give(sign_agreement(view, "anna", signer("anna"), game.secrets["anna"], kind, body, secrets.anchor).block)
    else:
        agrees(game, "anna", kind, *offers[kind])
    entry = game.entry("ben", proposal_body(kind, word), kind=kind)
    most = 63 * 2**19
    for over in (0, 1):
        table = game.replayed()
        table.remembered[2] = None
        table.sizes["ben"] = most - len(entry.payload) - 356 + over
        if not over:
            hand(table, entry)
            continue
        with pytest.raises(BadLog, match=f"ben's share of the log would have {most + 1} bytes, {most} at most"):
            hand(table, entry)


def test_a_bare_reveal_and_a_claim_have_their_shares(duel: MakeDuel) -> None:
    game = duel(deadline=7)
    game.play("anna", "say hm;")
    for name, kind, most in (("ben", "reveal", 63 * 2**19), ("anna", "claim", 32 * 2**20)):
        entry = game.entry(name, kind=kind)
        for over in (0, 1):
            table = game.replayed()
            table.sizes[name] = most - len(entry.payload) - 356 + over
            if not over:
                hand(table, entry)
                continue
            with pytest.raises(BadLog, match=f"{most} at most for a `{kind}`"):
                hand(table, entry)


def test_shares_count_the_blocks_of_the_log(duel: MakeDuel) -> None:
    game = opened(duel())
    game.play("anna", "rest;")
    sizes = dict.fromkeys(SIDES, 0)
    for block in game.blocks:
        sizes[parse_entry(block.payload).by] += len(render_block(block))
    assert game.table.sizes == sizes == same(game).sizes
    assert sum(sizes.values()) == len(game.log)


def agreed_by_mail(post: Post, name: str, kind: str, body: tuple[Statement, ...]) -> None:
    """An agreement made at one home, opened at the other."""
    desk = post.desk(name)
    block = desk.agree(desk.place(desk.home.find(None)), kind, body).block
    take_in(post.desk(next(n for n in SIDES if n != name)), read_letter(mail(block)))


def test_by_mail_both_homes_take_back_go_on_and_end_equal(post: Post) -> None:
    post.begun()
    before = post.place("anna").table.state_hash()
    post.exchange("anna", "bet 2;")
    post.exchange("ben")
    agreed_by_mail(post, "anna", "undo", proposal_body("undo", "offer", 2))
    assert post.place("ben").table.due().what == "reply"
    agreed_by_mail(post, "ben", "undo", proposal_body("undo", "accept"))
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
    post.exchange("anna", "bet 1; rest;")
    post.exchange("ben", "bet 1; rest;")
    agreed_by_mail(post, "anna", "undo", proposal_body("undo", "offer", 3))
    place = post.place("ben")
    assert place.table.remembered == {}, "a cached table holds no old states"
    agreed_by_mail(post, "ben", "undo", proposal_body("undo", "accept"))
    assert post.place("ben").table.due_from("ben").what == "orders"
    assert post.place("ben").table.state_hash() == post.place("anna").table.state_hash()


def claims(game: Duel, name: str, *sent: str) -> Block:
    body = tuple(Statement("sent", tuple(words.split())) for words in sent)
    return signed(game, name, "claim", body)


def test_the_one_who_waits_claims_under_a_deadline(duel: MakeDuel) -> None:
    game = duel(deadline=7)
    game.play("anna", "bet 1; rest;")
    game.give(claims(game, "anna", "2 2026-11-21T12:00:00Z"))
    assert same(game).outcome == Outcome("red", "", "ben has not answered for 7 days")
    assert game.table.due().what == "nothing"


def test_who_proposed_something_to_a_silent_opponent_claims_too(duel: MakeDuel) -> None:
    game = opened(duel(deadline=7))
    agrees(game, "anna", "draw", "offer")
    with pytest.raises(Refused, match="an answer of ben is due"):
        claims(game, "ben")
    game.give(claims(game, "anna", "2 2026-11-21T12:00:00Z"))
    assert same(game).outcome == Outcome("red", "", "ben has not answered for 7 days")


def test_nobody_claims_without_a_deadline_or_when_it_is_his_own_move(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1; rest;")
    block = claims(game, "anna")
    with pytest.raises(BadLog, match="no deadline"):
        take(game.replayed(), Turn.of(block))
    game = opened(duel(1, deadline=7))
    with pytest.raises(Refused, match="nothing is due from ben"):
        claims(game, "anna")
    game.play("anna", "bet 1; rest;")
    block = claims(game, "anna", "9 2026-11-21T12:00:00Z")
    with pytest.raises(BadLog, match="`sent`: 9 is out of bounds"):
        take(game.replayed(), Turn.of(block))


@pytest.mark.parametrize(("kind", "words", "told"), [
    ("draw", ("refuse",), "Ben refuses the draw."),
    ("undo", ("refuse",), "Ben refuses the undo."),
    ("undo", ("accept",), "Ben agrees to take back entry 4 and all behind it."),
])  # fmt: skip
def test_the_mail_of_an_answer_tells_nothing_that_its_reader_has_read(
    duel: MakeDuel, kind: str, words: tuple[str, ...], told: str
) -> None:
    """It told again what had happened since the reader's newest decision, dice that he himself had shown among it."""
    game = opened(duel())
    game.play("anna", "bet 1; rest;")
    game.play("ben", "bet 1; rest;")
    data = mail_data(game.tables["ben"], game.scenario, "anna")
    assert any(action["dice"] for group in data["news"] for action in group["actions"]), "her die, by his secret"
    agrees(game, "anna", kind, "offer", *(["4"] if kind == "undo" else []))
    assert news_of(game, "anna", "ben")[-1].startswith("Anna proposes")
    agrees(game, "ben", kind, *words)
    assert news_of(game, "ben", "anna") == [told]


def test_a_mail_after_which_its_author_goes_on_says_so(duel: MakeDuel) -> None:
    """The subject of a mail with a new key said that the game was over, for nothing was asked of its reader."""
    game = opened(duel())
    _, block = rekeyed(game, "anna", FileSigner(private_key("new")))
    game.give(block)
    data = mail_data(game.tables["anna"], game.scenario, "ben")
    assert subject(data) == "A Duel of Counters, turn 1: anna's act (anna, entry 4)"
    assert "HOW TO OPEN IT" in mail_text(data)
    assert "shows the report and tells what is asked." in " ".join(mail_text(data).split())
    game = opened(duel())
    agrees(game, "anna", "resign")
    data = mail_data(game.tables["anna"], game.scenario, "ben")
    assert subject(data) == "A Duel of Counters, turn 1: the game is over (anna, entry 4)"
    assert "checks the signed block and shows the report. Nothing" in " ".join(mail_text(data).split())


def news_of(game: Duel, author: str, reader: str) -> list[str]:
    """What the mail of the newest entry tells as news."""
    data = mail_data(game.tables[author], game.scenario, reader)
    return [action["headline"] for group in data["news"] for action in group["actions"]]
