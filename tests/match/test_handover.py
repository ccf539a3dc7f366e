"""A key lost, a side handed over: recover, accept-rekey, substitute, and what a lost secret costs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from toy.players import CHAIN, SIDES, Duel, Post, hand, mail, private_key, signer

from pbem.audit.evidence import exhibits, keys_of
from pbem.crypto import dice
from pbem.crypto.dice import Anchor
from pbem.crypto.keys import FileSigner
from pbem.crypto.openssh import fingerprint
from pbem.desk.arrival import take_in
from pbem.desk.letter import read_letter
from pbem.desk.succession import answer, ask, grant, propose, recovered
from pbem.errors import BadLog, BadSignature, Refused
from pbem.match.agreements import check_proof, proof_message, read_request
from pbem.match.compose import Secrets, proven, sign_accept, sign_agreement, sign_entry, sign_offer
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.match.take import peek, take
from pbem.rules.requests import Outcome
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import Named, named_body, proposal_body
from pbem.wire.entry import Entry, build_entry, parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

MakeDuel = Callable[..., Duel]

SPARE, NEW = FileSigner(private_key("spare")), FileSigner(private_key("new"))
FRESH = b"fresh" + bytes(11)


def with_spares(duel: MakeDuel, **terms: str | int | bool) -> Duel:
    """A duel in which ben has named a recovery key."""
    game = duel(**terms)
    game.accept = sign_accept(
        Turn.of(game.offer),
        signer("ben"),
        "ben",
        "blue",
        game.terms,
        bytes(16),
        game.gnonces["ben"],
        SPARE.pub_blob,
        CHAIN,
    ).block
    game.blocks = [game.offer, game.accept]
    game.tables = {name: game.replayed() for name in game.tables}
    game.genesis = game.table.genesis
    game.secrets = {
        "anna": Secrets(signer("anna"), game.gnonces["anna"], game.genesis.game, CHAIN),
        "ben": Secrets.of(signer("ben"), game.table.anchors["ben"]),
    }
    return game


def public(game: Duel) -> Table:
    """The table as the log alone tells it: without anybody's secret."""
    return game.replayed()


def opened(game: Duel) -> Duel:
    """Both have a chain, and orders of anna are due."""
    game.play("anna", "say hm;")
    game.play("ben")
    return game


def renewed(game: Duel, name: str, *, person: str = "", new: FileSigner = NEW) -> tuple[Anchor, Named]:
    """A player's new key with its proof, and the anchor of its chain."""
    table = public(game)
    anchor = Secrets(new, FRESH, table.head, CHAIN).anchor
    return anchor, proven(new, table, name, anchor, Named(new.pub_blob, person=person))


def accept_rekey(game: Duel, author: str, lost: str, person: str = "", new: FileSigner = NEW) -> Block:
    """An accept-rekey as the author's client makes it."""
    anchor, named = renewed(game, lost, person=person, new=new)
    body, secrets = named_body(named), game.secrets[author]
    return sign_agreement(game.view(author), author, signer(author), secrets, "accept-rekey", body, anchor).block


def log_with(game: Duel, block: Block) -> Table:
    """The table behind the log with one more block, read from its beginning."""
    found = replay(game.log + render_block(block), lambda _: game.scenario).table
    assert found is not None
    return found


# --- a recovery key


def test_the_genesis_names_recovery_keys(duel: MakeDuel) -> None:
    game = with_spares(duel)
    assert game.table.player("ben").recovery == SPARE.pub_blob
    assert game.table.player("anna").recovery == b""
    assert Table.load(game.genesis, game.table.rules, game.table.board, game.table.dump()).players == game.table.players


@pytest.mark.parametrize(
    ("spare", "error"),
    [("ben", "it is the player's key itself"), ("anna", "a recovery key is another key of this game")],
)
def test_a_recovery_key_is_another_key(duel: MakeDuel, spare: str, error: str) -> None:
    game = duel()
    recovery = signer(spare).pub_blob
    accept = sign_accept(
        Turn.of(game.offer), signer("ben"), "ben", "blue", game.terms, bytes(16), game.gnonces["ben"], recovery
    ).block
    with pytest.raises(BadLog, match=error):
        replay(render_block(game.offer) + render_block(accept), lambda _: game.scenario)


def test_a_recovery_key_names_a_new_one(duel: MakeDuel) -> None:
    game = with_spares(duel)
    game.play("anna", "rest;")
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE).block
    text, table = recovered(public(game), game.log, Turn.of(block))
    assert table.player("ben").key == NEW.pub_blob
    assert table.player("ben").recovery == SPARE.pub_blob
    assert (table.due().what, table.due().player) == ("orders", "ben")
    assert replay(text, lambda _: game.scenario).table is not None
    secrets = Secrets.of(NEW, table.anchors["ben"])
    turn = sign_entry(table, "ben", NEW, secrets, []).block
    take(table, Turn.of(turn))
    assert table.newest == ("orders", "ben")
    old = sign_entry(log_with(game, block), "ben", signer("ben"), secrets, []).block
    with pytest.raises(BadSignature, match="another key than the player's"):
        take(log_with(game, block), Turn.of(old))


def test_only_the_recovery_key_recovers(duel: MakeDuel) -> None:
    game = with_spares(duel)
    game.play("anna", "rest;")
    table = public(game)
    with pytest.raises(Refused, match="this isn't the recovery key that ben named"):
        ask(table, "ben", NEW, FRESH, recovery=signer("carl"))
    with pytest.raises(Refused, match="this isn't the recovery key that anna named"):
        ask(table, "anna", NEW, FRESH, recovery=SPARE)
    request = ask(table, "ben", NEW, FRESH).block
    with pytest.raises(BadSignature, match="another key than the player's"):
        take(public(game), Turn.of(request))
    by_old_key = request._replace(armor=signer("ben").sign(request.payload))
    with pytest.raises(BadSignature, match="another key than the player's"):
        take(public(game), Turn.of(by_old_key))


def test_who_named_no_recovery_key_has_none(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "rest;")
    request = ask(public(game), "ben", NEW, FRESH).block
    with pytest.raises(BadSignature, match="ben has no recovery key in this game"):
        take(public(game), Turn.of(request))


def test_a_recovery_key_gives_no_side_away(duel: MakeDuel) -> None:
    game = with_spares(duel)
    game.play("anna", "rest;")
    with pytest.raises(Refused, match="another person can't take a side with a recovery key"):
        ask(public(game), "ben", NEW, FRESH, person="carl", recovery=SPARE)
    request = ask(public(game), "ben", NEW, FRESH, person="carl").block
    forced = request._replace(armor=SPARE.sign(request.payload))
    with pytest.raises(BadLog, match="`key`: is missing; `as` stands there"):
        take(public(game), Turn.of(forced))


def test_nobody_recovers_out_of_turn(duel: MakeDuel) -> None:
    game = opened(with_spares(duel))
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE).block
    with pytest.raises(BadLog, match="ben can't make a `recover` now; orders of anna are due"):
        take(public(game), Turn.of(block))


# --- what a lost secret costs


def bet_lost(duel: MakeDuel, **terms: str | int | bool) -> Duel:
    """Anna has bet, ben's secret is due, and his key is gone."""
    game = with_spares(duel, **terms)
    game.play("anna", "bet 2; bet 1; rest;")
    assert game.table.reveal_due == "ben"
    return game


def test_a_lost_secret_rolls_what_is_worst_for_its_owner(duel: MakeDuel) -> None:
    game = bet_lost(duel)
    stake = game.table.board.stake
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE).block
    assert parse_entry(block.payload).reveal is None
    table = log_with(game, block)
    rolls = [step for step in table.steps if step["kind"] == "roll"]
    assert [(step["result"], step["adverse"]) for step in rolls] == [([6], "blue"), ([6], "blue")]
    assert table.game.state.points["red"] == stake + 3
    assert (table.due().what, table.due().player) == ("orders", "ben")
    assert Table.load(table.genesis, table.rules, table.board, table.dump()).dump() == table.dump()


def test_behind_the_next_decision_dice_are_dice_again(duel: MakeDuel) -> None:
    game = bet_lost(duel)
    table = log_with(game, ask(public(game), "ben", NEW, FRESH, recovery=SPARE).block)
    secrets = Secrets.of(NEW, table.anchors["ben"])
    turn = game_turn(table, "ben", NEW, secrets, "bet 1; rest;")
    take(table, Turn.of(turn))
    assert table.course.adverse is None
    assert (table.due().what, table.due().player) == ("reveal", "anna")
    peek(table, game.secrets["anna"].value(1))
    newest = [step for step in table.steps if step["kind"] == "roll"][-1]
    assert "adverse" not in newest


def game_turn(table: Table, name: str, key: FileSigner, secrets: Secrets, text: str) -> Block:
    """Orders of a player, signed with a key of his."""
    from toy.players import parts_of

    return sign_entry(table, name, key, secrets, parts_of(table, SIDES[name], text)).block


def test_under_forfeit_a_lost_secret_loses_the_game(duel: MakeDuel) -> None:
    game = bet_lost(duel, lost_secret="forfeit")  # noqa: S106 a term of the game
    table = log_with(game, ask(public(game), "ben", NEW, FRESH, recovery=SPARE).block)
    assert table.outcome == Outcome("red", "", "ben has lost the secret of the dice")
    assert table.due().what == "nothing"


@pytest.mark.parametrize("term", ["adverse", "forfeit"])
def test_a_key_lost_while_no_secret_is_due_costs_nothing(duel: MakeDuel, term: str) -> None:
    game = with_spares(duel, lost_secret=term)
    game.play("anna", "bet 2; rest;")
    game.play("ben", "rest;")
    game.play("anna", "rest;")
    before = public(game)
    game.play("ben")
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE).block if public(game).due().player == "ben" else None
    if block is None:  # anna is due: she grants it
        block = accept_rekey(game, "anna", "ben")
    table = log_with(game, block)
    assert before.outcome is None
    assert table.outcome is None
    assert not [step for step in table.steps if "adverse" in step]


def test_a_secret_that_is_due_can_not_be_kept_back_and_revealed_later(duel: MakeDuel) -> None:
    """Ben has seen the dice with his secret; he recovers; the old chain is over, he can't come back to it."""
    game = bet_lost(duel)
    seen = game.view("ben")
    assert seen.public_state is not None
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE).block
    with pytest.raises(BadLog, match="the dice were rolled with a secret that is given up now"):
        take(seen.fork(), Turn.of(block))
    table = log_with(game, block)
    entry = parse_entry(block.payload)
    late = build_entry(kind="reveal", game=entry.game, seq=4, prev=table.head.hex(), by="ben", nonce="0" * 32,
                       reveal=(1, game.secrets["ben"].value(1).hex()), state=table.state_hash(),
                       body=()).payload  # fmt: skip
    with pytest.raises(BadLog, match="it reveals a chain value that is not due"):
        take(table, Turn.of(Block(late, NEW.sign(late))))


def test_who_still_knows_the_secret_reveals_it_and_loses_nothing(duel: MakeDuel) -> None:
    game = bet_lost(duel)
    state = game.view("ben").state_hash()
    request = parse_entry(ask(public(game), "ben", NEW, FRESH).block.payload)
    for value, good in ((game.secrets["ben"].value(1).hex(), True), ("0" * 64, False)):
        payload = build_entry(kind="recover", game=request.game, seq=request.seq, prev=request.prev, by="ben",
                              nonce=request.nonce, anchor=request.anchor, reveal=(1, value), state=state,
                              body=request.body).payload  # fmt: skip
        block = Block(payload, SPARE.sign(payload))
        if good:
            table = log_with(game, block)
            assert [step for step in table.steps if step["kind"] == "roll"]
            assert not [step for step in table.steps if "adverse" in step]
        else:
            with pytest.raises(BadLog, match="ben: chain value 1 is wrong"):
                log_with(game, block)


# --- the opponent's word


def test_the_opponent_grants_a_new_key(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "rest;")
    request = ask(public(game), "ben", NEW, FRESH).block
    entry, seat = parse_entry(request.payload), read_request(game.table, Turn.of(request))
    assert seat.player.key == NEW.pub_blob
    assert seat.anchor == entry.anchor
    table = log_with(game, accept_rekey(game, "anna", "ben"))
    assert table.player("ben").key == NEW.pub_blob
    assert (table.due().what, table.due().player) == ("orders", "ben")
    secrets = Secrets.of(NEW, table.anchors["ben"])
    turn = sign_entry(table, "ben", NEW, secrets, []).block
    take(table, Turn.of(turn))


def test_granting_a_key_gives_up_the_secret_that_was_due(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 2; rest;")
    table = log_with(game, accept_rekey(game, "anna", "ben"))
    rolls = [step for step in table.steps if step["kind"] == "roll"]
    assert [(step["result"], step["adverse"]) for step in rolls] == [([6], "blue")]


def test_the_author_of_a_grant_reveals_what_is_due_from_him(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "rest;")
    game.play("ben", "bet 1; rest;")
    block = accept_rekey(game, "anna", "ben")
    entry = parse_entry(block.payload)
    assert entry.reveal is not None
    assert log_with(game, block).player("ben").key == NEW.pub_blob


def test_a_grant_names_a_key_that_was_never_in_use(duel: MakeDuel) -> None:
    game = with_spares(duel)
    game.play("anna", "rest;")
    for key in (signer("anna"), signer("ben"), SPARE):
        with pytest.raises(BadLog, match="it names a key that was in use in this game before"):
            log_with(game, accept_rekey(game, "anna", "ben", new=key))
    assert log_with(game, accept_rekey(game, "anna", "ben")).used >= {NEW.pub_blob, SPARE.pub_blob}


def test_a_grant_is_good_whoever_is_due_and_while_a_proposal_waits(duel: MakeDuel) -> None:
    game = opened(duel())
    assert log_with(game, accept_rekey(game, "anna", "ben")).player("ben").key == NEW.pub_blob
    assert log_with(game, accept_rekey(game, "ben", "anna")).player("anna").key == NEW.pub_blob
    view = game.view("anna")
    offer = proposal_body("draw", "offer")
    game.give(sign_agreement(view, "anna", signer("anna"), game.secrets["anna"], "draw", offer).block)
    for author, lost in (SIDES, tuple(SIDES)[::-1]):
        table = log_with(game, accept_rekey(game, author, lost))
        assert table.player(lost).key == NEW.pub_blob
        assert (table.due().what, table.due().player) == ("reply", "ben")


def test_nothing_is_granted_in_a_game_that_is_over(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "rest;")
    resigned = sign_agreement(game.view("ben"), "ben", signer("ben"), game.secrets["ben"], "resign", ()).block
    game.give(resigned)
    block = accept_rekey(game, "anna", "ben")
    with pytest.raises(BadLog, match="anna can't make a `accept-rekey` now; the game is over"):
        log_with(game, block)


# --- a substitute


def substitute(game: Duel, name: str, word: str, person: str = "carl") -> Block:
    """A substitute or the answer to one, as its author's client makes it."""
    anchor, named = renewed(game, name, person=person)
    body = proposal_body("substitute", word)
    if word == "offer":
        body += named_body(named)
    secrets = game.secrets[name]
    made = anchor if word == "offer" else None
    return sign_agreement(game.view(name), name, signer(name), secrets, "substitute", body, made).block


def test_a_substitute_plays_on_with_the_others_consent(duel: MakeDuel) -> None:
    game = with_spares(duel)
    game.play("anna", "rest;")
    before = game.table.head
    chain = game.table.chains["ben"]
    game.give(substitute(game, "ben", "offer"))
    assert (game.table.due().what, game.table.due().player) == ("reply", "anna")
    assert game.table.player("ben").key == signer("ben").pub_blob, "not before the other has agreed"
    assert game.table.chains["ben"] == chain._replace(shown=1, newest=game.secrets["ben"].value(1))
    loaded = Table.load(game.genesis, game.table.rules, game.table.board, game.table.dump())
    assert loaded.proposal == game.table.proposal
    game.give(substitute(game, "anna", "accept"))
    table = public(game)
    assert (table.player("ben").person, table.player("ben").key) == ("carl", NEW.pub_blob)
    assert table.player("ben").recovery == b"", "the recovery key was another person's"
    assert table.anchors["ben"].prev == before, "the chain keeps the prev of the offer"
    secrets = Secrets.of(NEW, table.anchors["ben"])
    turn = sign_entry(table, "ben", NEW, secrets, []).block
    take(table, Turn.of(turn))


def test_a_substitute_refused_changes_nothing(duel: MakeDuel) -> None:
    game = opened(duel())
    before = game.table.state_hash()
    game.give(substitute(game, "anna", "offer"))
    game.give(substitute(game, "ben", "refuse"))
    assert public(game).state_hash() == before
    assert public(game).player("anna") == game.genesis.player("anna")
    assert public(game).anchors["anna"] == game.secrets["anna"].anchor
    assert NEW.pub_blob not in public(game).used, "his key was never in force"
    game.play("anna", "rest;")


def test_a_substitute_whose_key_came_into_force_for_the_other_side_is_not_accepted(duel: MakeDuel) -> None:
    """Carl's owner has agreed to both: but one key plays two sides in a solo game only."""
    game = opened(duel())
    game.give(substitute(game, "anna", "offer"))
    game.give(accept_rekey(game, "anna", "ben"))
    assert public(game).player("ben").key == NEW.pub_blob
    table = public(game)
    secrets = Secrets.of(NEW, table.anchors["ben"])
    for word, error in (("accept", "a key of the substitute came into use meanwhile"), ("refuse", "")):
        block = sign_agreement(table, "ben", NEW, secrets, "substitute", proposal_body("substitute", word)).block
        if error:
            with pytest.raises(BadLog, match=error):
                log_with(game, block)
        else:
            assert log_with(game, block).proposal is None


def test_nobody_accepts_a_substitute_that_was_not_proposed(duel: MakeDuel) -> None:
    game = opened(duel())
    with pytest.raises(BadLog, match="no substitute waits for an answer of anna"):
        log_with(game, substitute(game, "anna", "accept"))


def test_an_answer_to_a_substitute_names_no_anchor(duel: MakeDuel) -> None:
    game = opened(duel())
    game.give(substitute(game, "anna", "offer"))
    body = proposal_body("substitute", "accept")
    anchor = Secrets(signer("ben"), FRESH, game.table.head, CHAIN).anchor
    with pytest.raises(BadLog, match="it names an anchor where none may stand"):
        hand(public(game), game.entry("ben", body, kind="substitute", anchor=anchor))
    hand(public(game), game.entry("ben", body, kind="substitute"))


def test_bodies_are_read_as_they_are_written(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "rest;")
    anchor, named = renewed(game, "ben", person="carl")
    body = named_body(named)
    for spoilt, error in (
        (body[:1], "`key`: is missing"),
        (body[:2], "`proof`: is missing"),
        (body[1:], "the proof isn't one of the new key's owner"),
        ((body[1], body[0], body[2]), "`proof`: is missing; `as` stands there"),
        ((*body[:2], Statement("proof", body[2].tokens[:1])), "`proof`: has 1 words"),
        ((*body[:2], Statement("proof", ("AB" * 32, "00" * 32))), "64 lower-case hexadecimal digits"),
        ((*body, Statement("say", ("hello",)), Statement("bet", ("1",))), "`bet`: is not known"),
        ((Statement("as", ("a" * 17,)), *body[1:]), "too long for a name"),
    ):
        secrets = game.secrets["anna"]
        block = sign_agreement(public(game), "anna", signer("anna"), secrets, "accept-rekey", spoilt, anchor).block
        with pytest.raises(BadLog, match=error):
            log_with(game, block)
    good = (Statement("say", ("so",)), *body[:2], Statement("say", ("be",)), body[2], Statement("say", ("it",)))
    block = sign_agreement(
        public(game), "anna", signer("anna"), game.secrets["anna"], "accept-rekey", good, anchor
    ).block
    assert log_with(game, block).player("ben").person == "carl"


@pytest.mark.parametrize("person", ["", "carl"])
@pytest.mark.parametrize("hook", [b"", FileSigner(private_key("new spare")).pub_blob])
def test_the_old_recovery_key_stays_unless_somebody_else_plays_on_or_another_is_named(
    duel: MakeDuel, person: str, hook: bytes
) -> None:
    game = with_spares(duel)
    game.play("anna", "rest;")
    table = public(game)
    anchor = Secrets(NEW, FRESH, table.head, CHAIN).anchor
    named = proven(NEW, table, "ben", anchor, Named(NEW.pub_blob, hook, person))
    hand(table, game.entry("anna", named_body(named), kind="accept-rekey", anchor=anchor))
    assert table.player("ben").recovery == (hook or (b"" if person else SPARE.pub_blob))
    assert (table.player("ben").person, table.player("ben").name) == (person, "ben")


def test_who_plays_on_is_named_neither_by_a_rekey_nor_by_a_recover(duel: MakeDuel) -> None:
    game = opened(with_spares(duel))
    table = public(game)
    anchor = Secrets(NEW, FRESH, table.head, CHAIN).anchor
    for person, fits in (("carl", False), ("", True)):
        named = proven(NEW, table, "anna", anchor, Named(NEW.pub_blob, person=person))
        for kind in ("rekey", "recover"):
            entry = game.entry("anna", named_body(named), kind=kind, anchor=anchor)
            if fits:
                hand(public(game), entry)
                continue
            with pytest.raises(BadLog, match="`key`: is missing; `as` stands there"):
                hand(public(game), entry)


def test_behind_a_lost_secret_the_next_reveal_is_number_1_of_the_new_chain(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1;")
    request = parse_entry(ask(public(game), "ben", NEW, FRESH).block.payload)
    table = public(game)
    grant_entry = game.entry("anna", request.body, kind="accept-rekey", anchor=request.anchor, state=table.state_hash())
    hand(table, grant_entry)
    assert (table.chains["ben"].shown, table.reveal_due, table.due()[:2]) == (0, None, ("orders", "anna"))
    state, prev = table.state_hash(), table.head.hex()
    hand(table, game.entry("anna", (Statement("rest", ()),), kind="orders", seq=4, prev=prev, state=state))
    assert table.next_reveal("ben") == 1


# --- the proof


def test_a_proof_signs_each_line_that_the_entry_says_of_the_key(duel: MakeDuel) -> None:
    """Whoever changes one of them needs the key's owner once more (protocol 3.3)."""
    game = with_spares(duel)
    game.play("anna", "rest;")
    table = public(game)
    anchor = Secrets(NEW, FRESH, table.head, CHAIN).anchor
    spare = FileSigner(private_key("new spare")).pub_blob
    named = proven(NEW, table, "ben", anchor, Named(NEW.pub_blob, spare, "carl"))
    entry = game.entry("anna", named_body(named), kind="accept-rekey", anchor=anchor)
    message = proof_message(entry.game or "", entry.seq, entry.prev or "", "ben", anchor, named).decode()
    assert message.splitlines() == [
        "pbem key 1",
        f"game {entry.game};",
        f"seq {entry.seq};",
        f"prev {entry.prev};",
        "player ben;",
        f"anchor {anchor};",
        *(str(statement) for statement in named_body(named) if statement.keyword != "proof"),
    ]
    assert check_proof(entry, "ben", named, "x") == anchor
    other = FileSigner(private_key("newer"))
    changes: list[tuple[Entry, str, Named]] = [
        (entry._replace(game="ab" * 32), "ben", named),
        (entry._replace(seq=entry.seq + 1), "ben", named),
        (entry._replace(prev="ab" * 32), "ben", named),
        (entry, "anna", named),
        (entry._replace(anchor=anchor._replace(length=CHAIN + 1)), "ben", named),
        (entry._replace(anchor=anchor._replace(value=bytes(32))), "ben", named),
        (entry._replace(anchor=anchor._replace(gnonce=bytes(16))), "ben", named),
        (entry, "ben", named._replace(person="")),
        (entry, "ben", named._replace(person="anna")),
        (entry, "ben", named._replace(key=other.pub_blob)),
        (entry, "ben", named._replace(recovery=b"")),
        (entry, "ben", named._replace(recovery=SPARE.pub_blob)),
        (entry, "ben", named._replace(proof=named.proof[:-1] + b"x")),
        (entry, "ben", named._replace(proof=bytes(64))),
    ]
    for changed, player, said in changes:
        with pytest.raises(BadLog, match="the proof isn't one of the new key's owner for this player, place and chain"):
            check_proof(changed, player, said, "x")
    with pytest.raises(BadLog, match="its anchor is missing"):
        check_proof(entry._replace(anchor=None), "ben", named, "x")


def test_nobody_grants_another_chain_or_recovery_key_than_was_asked_for(duel: MakeDuel) -> None:
    """Anna, who knows the secrets of a chain of her own, would know ben's dice."""
    game = duel()
    game.play("anna", "bet 1; rest;")
    request = parse_entry(ask(public(game), "ben", NEW, FRESH).block.payload)
    hers = Secrets(signer("anna"), FRESH, game.table.head, CHAIN).anchor
    for anchor, fits in ((hers, False), (request.anchor, True)):
        entry = game.entry("anna", request.body, kind="accept-rekey", anchor=anchor)
        if fits:
            hand(public(game), entry)
            continue
        with pytest.raises(BadLog, match="the proof isn't one of the new key's owner"):
            hand(public(game), entry)


@pytest.mark.parametrize("author", SIDES)
def test_a_proof_for_one_side_gives_no_right_to_the_other(duel: MakeDuel, author: str) -> None:
    """The key that ben asks for doesn't become anna's by her own rekey with his proof."""
    game = opened(duel())
    request = parse_entry(ask(public(game), "ben", NEW, FRESH).block.payload)
    kind = "rekey" if author == "anna" else "accept-rekey"
    entry = game.entry(author, request.body, kind=kind, anchor=request.anchor)
    with pytest.raises(BadLog, match="the proof isn't one of the new key's owner"):
        hand(public(game), entry)
    hand(public(game), game.entry("anna", request.body, kind="accept-rekey", anchor=request.anchor))


# --- requests


def test_a_request_is_granted_only_with_the_very_next_entry(duel: MakeDuel) -> None:
    game = opened(duel())
    request = ask(public(game), "ben", NEW, FRESH).block
    assert read_request(public(game), Turn.of(request)).player.key == NEW.pub_blob
    game.play("anna", "rest;")
    with pytest.raises(BadLog, match="the request was made for entry 4, but 5 is due now; send him the log of now"):
        read_request(public(game), Turn.of(request))
    asked = parse_entry(request.payload)
    with pytest.raises(BadLog, match="the proof isn't one of the new key's owner"):
        hand(public(game), game.entry("anna", asked.body, kind="accept-rekey", anchor=asked.anchor))
    other = opened(duel(1))
    with pytest.raises(BadLog, match="it is a request in another game"):
        read_request(public(other), Turn.of(request))


def test_a_request_behind_another_log_is_refused(duel: MakeDuel) -> None:
    game, twin = duel(), duel()
    game.play("anna", "rest;")
    twin.play("anna", "say hm; rest;")
    request = ask(public(game), "ben", NEW, FRESH).block
    with pytest.raises(BadLog, match="the request was made for entry 3, and entry 3 of another log is due here"):
        read_request(public(twin), Turn.of(request))


def test_a_request_is_bounded_as_an_agreement_is(duel: MakeDuel) -> None:
    game = opened(duel())
    entry = parse_entry(ask(public(game), "ben", NEW, FRESH).block.payload)
    for count, fits in ((18, True), (19, False)):
        body = (*entry.body, *[Statement("say", ("please",))] * count)
        payload = build_entry(kind="recover", game=entry.game, seq=entry.seq, prev=entry.prev, by="ben",
                              nonce=entry.nonce, anchor=entry.anchor, state=entry.state, body=body).payload  # fmt: skip
        block = Block(payload, NEW.sign(payload))
        if fits:
            assert read_request(public(game), Turn.of(block)).player.key == NEW.pub_blob
            continue
        with pytest.raises(BadLog, match="its body has 21 statements, 20 at most"):
            read_request(public(game), Turn.of(block))


def test_only_a_recover_signed_by_its_own_new_key_asks(duel: MakeDuel) -> None:
    game = opened(duel())
    request = ask(public(game), "ben", NEW, FRESH).block
    with pytest.raises(BadSignature):
        read_request(public(game), Turn.of(request._replace(armor=signer("ben").sign(request.payload))))
    with pytest.raises(BadLog, match="a `orders` asks for no new key"):
        read_request(public(game), Turn.of(game.sign("anna", "rest;")))


def test_a_solo_game_names_no_new_key(duel: MakeDuel) -> None:
    game = opened(duel())
    table = public(game)
    anchor, named = renewed(game, "anna")
    rekey = game.entry("anna", named_body(named), kind="rekey", anchor=anchor)
    table.course.genesis = table.genesis._replace(terms=table.genesis.terms._replace(solo=True))
    with pytest.raises(BadLog, match="a `rekey` stands in a solo game; there one key plays both sides"):
        hand(table, rekey)
    hand(public(game), rekey)


# --- between two homes


def test_a_request_is_not_taken_by_itself(post: Post) -> None:
    post.begun(0, "long")
    post.exchange("anna", "rest;")
    place = post.place("anna")
    request = ask(place.table, "ben", NEW, FRESH).block
    with pytest.raises(Refused, match=f"ben asks for a new key, {fingerprint(NEW.pub_blob)}".replace("+", "[+]")):
        take_in(post.desk("anna"), read_letter(mail(request)))
    asked, seat = parse_entry(request.payload), read_request(place.table, Turn.of(request))
    assert fingerprint(seat.player.key) == fingerprint(NEW.pub_blob)
    with pytest.raises(Refused, match="it asks for the side of ben"):
        propose(post.desk("anna"), place, asked)
    granted = parse_entry(grant(post.desk("anna"), place, asked).block.payload)
    assert (granted.kind, granted.seq, granted.prev) == ("accept-rekey", asked.seq, asked.prev)
    assert (granted.anchor, granted.body) == (asked.anchor, asked.body), "word for word"
    assert post.place("anna").table.player("ben").key == NEW.pub_blob


def test_who_has_his_key_does_not_take_the_word_that_he_lost_it(post: Post) -> None:
    """Anna sees a bad roll coming and says that ben has lost his key: ben keeps his log, and her word as evidence."""
    post.begun(0, "long")
    post.exchange("anna", "bet 1; rest;")
    before = post.place("ben").text
    place = post.place("anna")
    block = grant(post.desk("anna"), place, ask(place.table, "ben", NEW, FRESH).entry).block
    with pytest.raises(Refused, match="anna says that I have lost my key, and names another; it isn't taken"):
        take_in(post.desk("ben"), read_letter(mail(block)))
    assert post.place("ben").text == before
    assert len(list((post.root / "ben" / "evidence").iterdir())) == 1
    post.send("ben", "rest;")


def test_a_side_is_handed_over_by_mail(post: Post) -> None:
    post.begun(0, "long")
    post.exchange("anna", "rest;")
    request = ask(post.place("ben").table, "ben", NEW, FRESH, person="carl").block
    place = post.place("ben")
    with pytest.raises(Refused, match="it asks for my own side"):
        grant(post.desk("ben"), place, parse_entry(request.payload))
    offered = propose(post.desk("ben"), place, parse_entry(request.payload)).block
    assert take_in(post.desk("anna"), read_letter(mail(offered))).what == "taken"
    accepted = answer(post.desk("anna"), post.place("anna"), "accept").block
    receipt = take_in(post.desk("ben"), read_letter(mail(accepted)))
    assert (receipt.what, receipt.place.me) == ("taken", "")
    with pytest.raises(Refused, match=r"my key is not a player's key in this game.*carl has SHA256"):
        post.place("ben")
    assert post.place("anna").table.player("ben").person == "carl"


def test_the_keys_of_a_log_are_known_by_number(duel: MakeDuel) -> None:
    """Evidence: which key must have signed which entry, through every way of getting another one."""
    game = with_spares(duel)
    game.play("anna", "rest;")
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE).block
    game.blocks.append(block)
    turns = exhibits(game.blocks, "game.log")
    keys = keys_of(turns)[game.genesis.game.hex(), "ben"]
    assert [(known.since, known.key) for known in keys] == [
        (0, signer("ben").pub_blob),
        (4, NEW.pub_blob),
    ]
    assert keys[-1].told == "the recover in game.log"
    forged = block._replace(armor=signer("carl").sign(block.payload))
    assert len(keys_of(exhibits([*game.blocks[:-1], forged], "x"))[game.genesis.game.hex(), "ben"]) == 1


@pytest.mark.parametrize("consent", ["accept", "refuse"])
def test_the_keys_of_a_log_know_a_substitute(duel: MakeDuel, consent: str) -> None:
    game = opened(duel())
    game.give(substitute(game, "anna", "offer"))
    game.give(substitute(game, "ben", consent))
    keys = keys_of(exhibits(game.blocks, "game.log"))[game.genesis.game.hex(), "anna"]
    assert [known.key for known in keys][1:] == ([NEW.pub_blob] if consent == "accept" else [])


def test_the_keys_of_a_log_know_a_grant(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "rest;")
    game.blocks.append(accept_rekey(game, "anna", "ben"))
    keys = keys_of(exhibits(game.blocks, "game.log"))
    assert [known.key for known in keys[game.genesis.game.hex(), "ben"]] == [signer("ben").pub_blob, NEW.pub_blob]
    assert len(keys[game.genesis.game.hex(), "anna"]) == 1


def test_an_offer_can_name_a_recovery_key_too(duel: MakeDuel) -> None:
    game = duel()
    offer = sign_offer(signer("anna"), "anna", "red", game.terms, bytes(16), SPARE.pub_blob).block
    accept = sign_accept(Turn.of(offer), signer("ben"), "ben", "blue", game.terms, bytes(16), game.gnonces["ben"]).block
    table = replay(render_block(offer) + render_block(accept), lambda _: game.scenario).table
    assert table is not None
    assert table.player("anna").recovery == SPARE.pub_blob
    assert dice.entry_hash(accept.payload) == table.head
