"""A key lost, a side handed over: recover, accept-rekey, substitute, and what a lost secret costs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from toy.players import SIDES, Duel, Post, mail, private_key, signer

from pbem import dice
from pbem.agreements import body_of
from pbem.envelope import Block, Statement, build_entry, parse_entry, render_block
from pbem.errors import BadLog, BadSignature, Refused
from pbem.evidence import keys_of, turns_of
from pbem.genesis import CHAIN_LENGTH, Player
from pbem.handover import handover_body, read_request
from pbem.keyfiles import fingerprint
from pbem.keys import FileSigner
from pbem.requests import Outcome
from pbem.succession import answer, ask, grant, propose, recovered
from pbem.table import Table
from pbem.turn import Secrets, accept_block, offer_block, replay, sign_agreement, sign_entry, take_block

MakeDuel = Callable[..., Duel]

SPARE, NEW = FileSigner(private_key("spare")), FileSigner(private_key("new"))
FRESH = b"fresh" + bytes(11)


def with_spares(duel: MakeDuel, **terms: str | int | bool) -> Duel:
    """A duel in which ben has named a recovery key."""
    game = duel(**terms)
    game.accept = accept_block(game.offer, signer("ben"), "ben", "blue", game.terms, game.gnonces["ben"], 60,
                               SPARE.pub_blob)  # fmt: skip
    game.blocks = [game.offer, game.accept]
    game.tables = {name: game.replayed() for name in game.tables}
    game.genesis = game.table.genesis
    game.secrets = {name: Secrets(signer(name), game.genesis.player(name)) for name in SIDES}
    return game


def public(game: Duel) -> Table:
    """The table as the log alone tells it: without anybody's secret."""
    return game.replayed()


def renewed(game: Duel, name: str, *, person: str = "", new: FileSigner = NEW) -> Player:
    """The player with a new key and chain."""
    player = game.table.player(name)._replace(key=new.pub_blob, gnonce=FRESH, chain=60)
    if person:
        player = player._replace(person=person, recovery=b"")
    return player._replace(anchor=Secrets(new, player).anchor)


def accept_rekey(game: Duel, author: str, lost: str, **how: str) -> Block:
    """An accept-rekey as the author's client makes it."""
    body = handover_body(renewed(game, lost, **how), game.table.player(lost))
    return sign_agreement(game.view(author), author, signer(author), game.secrets[author], "accept-rekey", body)


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
    [("ben", "it is the player's key itself"), ("anna", "both players have the same key")],
)
def test_a_recovery_key_is_another_key(duel: MakeDuel, spare: str, error: str) -> None:
    game = duel()
    accept = accept_block(game.offer, signer("ben"), "ben", "blue", game.terms, game.gnonces["ben"], 60,
                          signer(spare).pub_blob)  # fmt: skip
    with pytest.raises(BadLog, match=error):
        replay(render_block(game.offer) + render_block(accept), lambda _: game.scenario)


def test_a_recovery_key_names_a_new_one(duel: MakeDuel) -> None:
    game = with_spares(duel)
    game.play("anna", "done;")
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE)
    text, table = recovered(public(game), game.log, block)
    assert table.player("ben").key == NEW.pub_blob
    assert table.player("ben").recovery == SPARE.pub_blob
    assert (table.due().what, table.due().player) == ("orders", "ben")
    assert replay(text, lambda _: game.scenario).table is not None
    secrets = Secrets(NEW, table.player("ben"))
    turn = sign_entry(table, "ben", NEW, secrets, [])
    take_block(table, turn, parse_entry(turn.payload))
    assert table.newest == ("orders", "ben")
    old = sign_entry(log_with(game, block), "ben", signer("ben"), secrets, [])
    with pytest.raises(BadSignature, match="another key than the player's"):
        take_block(log_with(game, block), old, parse_entry(old.payload))


def test_only_the_recovery_key_recovers(duel: MakeDuel) -> None:
    game = with_spares(duel)
    game.play("anna", "done;")
    table = public(game)
    with pytest.raises(Refused, match="this isn't the recovery key that ben named"):
        ask(table, "ben", NEW, FRESH, recovery=signer("carl"))
    with pytest.raises(Refused, match="this isn't the recovery key that anna named"):
        ask(table, "anna", NEW, FRESH, recovery=SPARE)
    request = ask(table, "ben", NEW, FRESH)
    with pytest.raises(BadSignature, match="another key than the player's"):
        take_block(public(game), request, parse_entry(request.payload))
    by_old_key = request._replace(armor=signer("ben").sign(request.payload))
    with pytest.raises(BadSignature, match="another key than the player's"):
        take_block(public(game), by_old_key, parse_entry(by_old_key.payload))


def test_who_named_no_recovery_key_has_none(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "done;")
    request = ask(public(game), "ben", NEW, FRESH)
    with pytest.raises(BadSignature, match="ben has no recovery key in this game"):
        take_block(public(game), request, parse_entry(request.payload))


def test_a_recovery_key_gives_no_side_away(duel: MakeDuel) -> None:
    game = with_spares(duel)
    game.play("anna", "done;")
    with pytest.raises(Refused, match="another person can't take a side with a recovery key"):
        ask(public(game), "ben", NEW, FRESH, person="carl", recovery=SPARE)
    request = ask(public(game), "ben", NEW, FRESH, person="carl")
    forced = request._replace(armor=SPARE.sign(request.payload))
    with pytest.raises(BadLog, match="another person can't take a side with a recovery key"):
        take_block(public(game), forced, parse_entry(forced.payload))


def test_nobody_recovers_out_of_turn(duel: MakeDuel) -> None:
    game = with_spares(duel)
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE)
    with pytest.raises(BadLog, match="ben can't make a `recover` now; orders of anna are due"):
        take_block(public(game), block, parse_entry(block.payload))


# --- what a lost secret costs


def bet_lost(duel: MakeDuel, **terms: str | int | bool) -> Duel:
    """Anna has bet, ben's secret is due, and his key is gone."""
    game = with_spares(duel, **terms)
    game.play("anna", "bet 2; bet 1; done;")
    assert game.table.reveal_due == "ben"
    return game


def test_a_lost_secret_rolls_what_is_worst_for_its_owner(duel: MakeDuel) -> None:
    game = bet_lost(duel)
    stake = game.table.board.stake
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE)
    assert parse_entry(block.payload).reveal is None
    table = log_with(game, block)
    rolls = [step for step in table.steps if step["kind"] == "roll"]
    assert [(step["result"], step["adverse"]) for step in rolls] == [([6], "blue"), ([6], "blue")]
    assert table.game.state.points["red"] == stake + 3
    assert (table.due().what, table.due().player) == ("orders", "ben")
    assert Table.load(table.genesis, table.rules, table.board, table.dump()).dump() == table.dump()


def test_behind_the_next_decision_dice_are_dice_again(duel: MakeDuel) -> None:
    game = bet_lost(duel)
    table = log_with(game, ask(public(game), "ben", NEW, FRESH, recovery=SPARE))
    secrets = Secrets(NEW, table.player("ben"))
    turn = game_turn(table, "ben", NEW, secrets, "bet 1; done;")
    take_block(table, turn, parse_entry(turn.payload))
    assert table.adverse is None
    assert (table.due().what, table.due().player) == ("reveal", "anna")
    table.peek(game.secrets["anna"].value(1))
    newest = [step for step in table.steps if step["kind"] == "roll"][-1]
    assert "adverse" not in newest


def game_turn(table: Table, name: str, key: FileSigner, secrets: Secrets, text: str) -> Block:
    """Orders of a player, signed with a key of his."""
    from toy.players import parts_of

    return sign_entry(table, name, key, secrets, parts_of(table, SIDES[name], text))


def test_under_forfeit_a_lost_secret_loses_the_game(duel: MakeDuel) -> None:
    game = bet_lost(duel, lost_secret="forfeit")  # noqa: S106 a term of the game
    table = log_with(game, ask(public(game), "ben", NEW, FRESH, recovery=SPARE))
    assert table.outcome == Outcome("red", "", "ben has lost the secret of the dice")
    assert table.due().what == "nothing"


@pytest.mark.parametrize("term", ["adverse", "forfeit"])
def test_a_key_lost_while_no_secret_is_due_costs_nothing(duel: MakeDuel, term: str) -> None:
    game = with_spares(duel, lost_secret=term)
    game.play("anna", "bet 2; done;")
    game.play("ben", "done;")
    game.play("anna", "done;")
    before = public(game)
    game.play("ben")
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE) if public(game).due().player == "ben" else None
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
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE)
    with pytest.raises(BadLog, match="the dice were rolled with a secret that is given up now"):
        take_block(seen.fork(), block, parse_entry(block.payload))
    table = log_with(game, block)
    entry = parse_entry(block.payload)
    late = build_entry(kind="reveal", game=entry.game, seq=4, prev=table.head.hex(), by="ben", nonce="0" * 32,
                       reveal=(1, game.secrets["ben"].value(1).hex()), state=table.state_hash(), body=())  # fmt: skip
    with pytest.raises(BadLog, match="it reveals a chain value that is not due"):
        take_block(table, Block(late, NEW.sign(late)), parse_entry(late))


def test_who_still_knows_the_secret_reveals_it_and_loses_nothing(duel: MakeDuel) -> None:
    game = bet_lost(duel)
    state = game.view("ben").state_hash()
    request = parse_entry(ask(public(game), "ben", NEW, FRESH).payload)
    for value, good in ((game.secrets["ben"].value(1).hex(), True), ("0" * 64, False)):
        payload = build_entry(kind="recover", game=request.game, seq=request.seq, prev=request.prev, by="ben",
                              nonce=request.nonce, reveal=(1, value), state=state, body=request.body)  # fmt: skip
        block = Block(payload, SPARE.sign(payload))
        if good:
            table = log_with(game, block)
            assert [step for step in table.steps if step["kind"] == "roll"]
            assert not [step for step in table.steps if "adverse" in step]
        else:
            with pytest.raises(BadLog, match="chain value 1 is not ben's"):
                log_with(game, block)


# --- the opponent's word


def test_the_opponent_grants_a_new_key(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "done;")
    request = ask(public(game), "ben", NEW, FRESH)
    assert read_request(game.table, request).key == NEW.pub_blob
    table = log_with(game, accept_rekey(game, "anna", "ben"))
    assert table.player("ben").key == NEW.pub_blob
    assert (table.due().what, table.due().player) == ("orders", "ben")
    secrets = Secrets(NEW, table.player("ben"))
    turn = sign_entry(table, "ben", NEW, secrets, [])
    take_block(table, turn, parse_entry(turn.payload))


def test_granting_a_key_gives_up_the_secret_that_was_due(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 2; done;")
    table = log_with(game, accept_rekey(game, "anna", "ben"))
    rolls = [step for step in table.steps if step["kind"] == "roll"]
    assert [(step["result"], step["adverse"]) for step in rolls] == [([6], "blue")]


def test_the_author_of_a_grant_reveals_what_is_due_from_him(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "done;")
    game.play("ben", "bet 1; done;")
    block = accept_rekey(game, "anna", "ben")
    entry = parse_entry(block.payload)
    assert entry.reveal is not None
    assert log_with(game, block).player("ben").key == NEW.pub_blob


def test_a_grant_names_a_key_that_is_nobodys(duel: MakeDuel) -> None:
    game = with_spares(duel)
    game.play("anna", "done;")
    for key, error in ((signer("anna"), "both players would have the same key"), (signer("ben"), "it is known")):
        body = handover_body(renewed(game, "ben", new=key), game.table.player("ben"))
        block = sign_agreement(public(game), "anna", signer("anna"), game.secrets["anna"], "accept-rekey", body)
        with pytest.raises(BadLog, match=error):
            log_with(game, block)
    used = renewed(game, "ben")._replace(gnonce=game.gnonces["anna"])
    body = handover_body(used, game.table.player("ben"))
    block = sign_agreement(public(game), "anna", signer("anna"), game.secrets["anna"], "accept-rekey", body)
    with pytest.raises(BadLog, match="its gnonce was used before"):
        log_with(game, block)


def test_nothing_is_granted_in_a_game_that_is_over(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "done;")
    resigned = sign_agreement(game.view("ben"), "ben", signer("ben"), game.secrets["ben"], "resign", ())
    game.give(resigned)
    block = accept_rekey(game, "anna", "ben")
    with pytest.raises(BadLog, match="anna can't make a `accept-rekey` now; the game is over"):
        log_with(game, block)


# --- a substitute


def substitute(game: Duel, name: str, *words: Statement) -> Block:
    """A substitute as its author's client makes it."""
    return sign_agreement(game.view(name), name, signer(name), game.secrets[name], "substitute", words)


def test_a_substitute_plays_on_with_the_others_consent(duel: MakeDuel) -> None:
    game = with_spares(duel)
    game.play("anna", "done;")
    who = renewed(game, "ben", person="carl")
    game.give(substitute(game, "ben", *body_of("substitute", "offer"), *handover_body(who, game.table.player("ben"))))
    assert (game.table.due().what, game.table.due().player) == ("reply", "anna")
    assert game.table.player("ben").key == signer("ben").pub_blob, "not before the other has agreed"
    loaded = Table.load(game.genesis, game.table.rules, game.table.board, game.table.dump())
    assert loaded.proposal == game.table.proposal
    game.give(substitute(game, "anna", *body_of("substitute", "accept")))
    table = public(game)
    assert (table.player("ben").person, table.player("ben").key) == ("carl", NEW.pub_blob)
    assert table.player("ben").recovery == b"", "the recovery key was another person's"
    secrets = Secrets(NEW, table.player("ben"))
    turn = sign_entry(table, "ben", NEW, secrets, [])
    take_block(table, turn, parse_entry(turn.payload))


def test_a_substitute_refused_changes_nothing(duel: MakeDuel) -> None:
    game = duel()
    before = game.table.state_hash()
    who = renewed(game, "anna", person="carl")
    game.give(substitute(game, "anna", *body_of("substitute", "offer"), *handover_body(who, game.table.player("anna"))))
    game.give(substitute(game, "ben", *body_of("substitute", "refuse")))
    assert public(game).state_hash() == before
    assert public(game).player("anna") == game.genesis.player("anna")
    game.play("anna", "done;")


def test_nobody_accepts_a_substitute_that_was_not_proposed(duel: MakeDuel) -> None:
    game = duel()
    block = substitute(game, "anna", *body_of("substitute", "accept"))
    with pytest.raises(BadLog, match="no substitute waits for an answer of anna"):
        log_with(game, block)


def test_bodies_are_read_as_they_are_written(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "done;")
    body = handover_body(renewed(game, "ben", person="carl"), game.table.player("ben"))
    for spoilt, error in (
        (body[1:2], "`gnonce`: is missing"),
        (body[:-1], "`anchor`: is missing"),
        ((*body, Statement("say", ("hello",)), Statement("bet", ("1",))), "`bet`: is not known"),
        ((Statement("as", ("a" * 17,)), *body[1:]), "too long for a name"),
    ):
        block = sign_agreement(public(game), "anna", signer("anna"), game.secrets["anna"], "accept-rekey", spoilt)
        with pytest.raises(BadLog, match=error):
            log_with(game, block)


# --- between two homes


def test_a_request_is_not_taken_by_itself(post: Post) -> None:
    post.begun(0, "long")
    post.exchange("anna", "done;")
    place = post.place("anna")
    request = ask(place.table, "ben", NEW, FRESH)
    with pytest.raises(Refused, match=f"ben asks for a new key, {fingerprint(NEW.pub_blob)}".replace("+", "[+]")):
        post.desk("anna").open_one(mail(request))
    assert fingerprint(read_request(place.table, request).key) == fingerprint(NEW.pub_blob)
    with pytest.raises(Refused, match="it asks for the side of ben"):
        propose(post.desk("anna"), place, read_request(place.table, request))
    block = grant(post.desk("anna"), place, read_request(place.table, request))
    assert parse_entry(block.payload).kind == "accept-rekey"
    assert post.place("anna").table.player("ben").key == NEW.pub_blob


def test_who_has_his_key_does_not_take_the_word_that_he_lost_it(post: Post) -> None:
    """Anna sees a bad roll coming and says that ben has lost his key: ben keeps his log, and her word as evidence."""
    post.begun(0, "long")
    post.exchange("anna", "bet 1; done;")
    before = post.place("ben").text
    place = post.place("anna")
    block = grant(post.desk("anna"), place, read_request(place.table, ask(place.table, "ben", NEW, FRESH)))
    with pytest.raises(Refused, match="anna says that I have lost my key, and names another; it isn't taken"):
        post.desk("ben").open_one(mail(block))
    assert post.place("ben").text == before
    assert len(list((post.root / "ben" / "evidence").iterdir())) == 1
    post.send("ben", "done;")


def test_a_side_is_handed_over_by_mail(post: Post) -> None:
    post.begun(0, "long")
    post.exchange("anna", "done;")
    request = ask(post.place("ben").table, "ben", NEW, FRESH, person="carl")
    place = post.place("ben")
    with pytest.raises(Refused, match="it asks for my own side"):
        grant(post.desk("ben"), place, read_request(place.table, request))
    offered = propose(post.desk("ben"), place, read_request(place.table, request))
    assert post.desk("anna").open_one(mail(offered)).what == "taken"
    accepted = answer(post.desk("anna"), post.place("anna"), "accept")
    receipt = post.desk("ben").open_one(mail(accepted))
    assert (receipt.what, receipt.place.me) == ("taken", "")
    with pytest.raises(Refused, match=r"my key is not a player's key in this game.*carl has SHA256"):
        post.place("ben")
    assert post.place("anna").table.player("ben").person == "carl"


def test_the_keys_of_a_log_are_known_by_number(duel: MakeDuel) -> None:
    """Evidence: which key must have signed which entry, through every way of getting another one."""
    game = with_spares(duel)
    game.play("anna", "done;")
    block = ask(public(game), "ben", NEW, FRESH, recovery=SPARE)
    game.blocks.append(block)
    turns = turns_of(game.blocks, "game.log")
    keys = keys_of(turns)[game.genesis.game.hex(), "ben"]
    assert [(known.since, known.key) for known in keys] == [
        (0, signer("ben").pub_blob),
        (4, NEW.pub_blob),
    ]
    assert keys[-1].told == "the recover in game.log"
    forged = block._replace(armor=signer("carl").sign(block.payload))
    assert len(keys_of(turns_of([*game.blocks[:-1], forged], "x"))[game.genesis.game.hex(), "ben"]) == 1


@pytest.mark.parametrize("consent", ["accept", "refuse"])
def test_the_keys_of_a_log_know_a_substitute(duel: MakeDuel, consent: str) -> None:
    game = duel()
    who = renewed(game, "anna", person="carl")
    game.give(substitute(game, "anna", *body_of("substitute", "offer"), *handover_body(who, game.table.player("anna"))))
    game.give(substitute(game, "ben", *body_of("substitute", consent)))
    keys = keys_of(turns_of(game.blocks, "game.log"))[game.genesis.game.hex(), "anna"]
    assert [known.key for known in keys][1:] == ([NEW.pub_blob] if consent == "accept" else [])


def test_the_keys_of_a_log_know_a_grant(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "done;")
    game.blocks.append(accept_rekey(game, "anna", "ben"))
    keys = keys_of(turns_of(game.blocks, "game.log"))
    assert [known.key for known in keys[game.genesis.game.hex(), "ben"]] == [signer("ben").pub_blob, NEW.pub_blob]
    assert len(keys[game.genesis.game.hex(), "anna"]) == 1


def test_an_offer_can_name_a_recovery_key_too(duel: MakeDuel) -> None:
    game = duel()
    offer = offer_block(signer("anna"), "anna", "red", game.terms, game.gnonces["anna"], 60, SPARE.pub_blob)
    accept = accept_block(offer, signer("ben"), "ben", "blue", game.terms, game.gnonces["ben"], 60)
    table = replay(render_block(offer) + render_block(accept), lambda _: game.scenario).table
    assert table is not None
    assert table.player("anna").recovery == SPARE.pub_blob
    assert dice.entry_hash(accept.payload) == table.head
    assert CHAIN_LENGTH > 60
