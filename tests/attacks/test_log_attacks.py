"""Attacks on the log: turns doubled, moved, replayed and rewritten; states, versions and backups that lie."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import pytest
from attacks.cheater import (
    altered,
    forged,
    kept,
    other_words,
    refused,
    refused_by,
    renamed,
    resummed,
    signed,
    taken,
    words,
)
from toy.accident import break_disk, files_in, put_back
from toy.players import CHAIN, Duel, Post, mail, parts_of, private_key, signer

import pbem.desk.desk as desks
from pbem.audit.evidence import Exhibit, exhibits, judge, keys_of
from pbem.crypto import dice
from pbem.crypto.keys import FileSigner
from pbem.desk import succession
from pbem.desk.arrival import open_all, read_offer, take_in
from pbem.desk.letter import read_letter
from pbem.errors import BadLog, BadScenario, BadSignature, Damaged, Refused, Storage
from pbem.home import files
from pbem.home.contact import Contact
from pbem.match.compose import Secrets, sign_accept, sign_entry
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.match.take import peek, take
from pbem.wire.blocks import Block, render_block
from pbem.wire.entry import build_entry, parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

MakeDuel = Callable[..., Duel]


def turns(*blocks: Block) -> list[Exhibit]:
    return exhibits(blocks, "mail")


# --- two turns for one number


def test_equivocation_is_refused_and_proves_itself(post: Post) -> None:
    """Anna sees ben's answer and sends another second turn: the first stays, the pair is a proof with her key."""
    offer, accept = post.begin()
    take_in(post.desk("anna"), read_letter(mail(accept)))
    second = other_words(post, "anna", "bet 3; rest;")
    first = post.exchange("anna", "bet 1; rest;")
    post.exchange("ben", "rest;")
    error = refused_by(post, "ben", second, BadLog, "entry 2 is in the log already, with other words; the first one st")
    (evidence,) = (post.root / "ben" / "evidence").iterdir()
    assert str(evidence) in error.hint
    assert evidence.read_text() == render_block(second)
    verdict = judge(*turns(first, second), keys_of(turns(offer, accept)))
    assert verdict.proof
    assert verdict.key == signer("anna").pub_blob
    assert verdict.told == "the offer in mail"


def test_equivocation_before_the_answer_is_refused_too(post: Post) -> None:
    post.begun()
    second = other_words(post, "anna", "bet 3; rest;")
    post.exchange("anna", "bet 1; rest;")
    refused_by(post, "ben", second, BadLog, "entry 2 is in the log already")
    assert len(list((post.root / "ben" / "evidence").iterdir())) == 1


def test_equivocation_towards_two_audiences_shows_in_the_answer(duel: MakeDuel) -> None:
    """Ben answers the turn that he got; whoever got the other one can't fit his answer behind it."""
    game, twin = duel(), duel()
    game.play("anna", "bet 1; rest;")
    twin.play("anna", "bet 2; rest;")
    answer = game.sign("ben", "rest;")
    taken(game, answer)
    refused(twin, answer, BadLog, "it follows another entry than the newest here")


def test_nobody_is_accused_with_what_he_did_not_sign(post: Post) -> None:
    """Ben forges anna's second turn: with no signature, with his own, with one for other words."""
    post.begun()
    first = post.exchange("anna", "bet 1; rest;")
    changed = altered(first.payload, "bet 1;", "bet 3;")
    for armor in (signer("ben").sign(changed), first.armor):
        forgery = Block(changed, armor)
        refused_by(post, "ben", forgery, BadSignature, "another key than the player's|doesn't fit the text")
        assert not judge(*turns(first, forgery), {}).proof
    assert not (post.root / "ben" / "evidence").exists()


def test_the_program_signs_no_second_turn(post: Post) -> None:
    post.begun()
    saved = files_in(post.root / "anna")
    post.send("anna", "bet 1; rest;")
    noted = {name: data for name, data in files_in(post.root / "anna").items() if name.startswith("signed")}
    put_back(post.root / "anna", saved | noted)
    place = post.place("anna")
    assert place.table.seq == 2, "what was signed comes back"
    with pytest.raises(Refused, match="nothing is due from anna"):
        post.desk("anna").send(place, parts_of(place.table, "red", "bet 3; rest;"))


# --- turns played again elsewhere


def test_a_turn_replayed_into_another_game_is_refused(duel: MakeDuel, post: Post) -> None:
    """Two games with the same players, keys and orders."""
    game, other = duel(0), duel(1)
    block = game.play("anna", "bet 1; rest;")
    refused(other, block, BadLog, f"it is a turn of another game, {game.genesis.game.hex()}")
    post.begun(0)
    refused_by(post, "ben", other.play("anna", "rest;"), BadLog, "it is a turn of another game")


def test_a_turn_moved_into_another_game_by_its_words_is_refused(duel: MakeDuel) -> None:
    game, other = duel(0), duel(1)
    block = game.play("anna", "bet 1; rest;")
    text = block.payload.decode().replace(game.genesis.game.hex(), other.genesis.game.hex())
    moved = block._replace(payload=resummed(text.splitlines()[:-1]))
    refused(other, moved, BadSignature, "doesn't fit the text")
    taken(other, signed(moved.payload, "anna"))


def test_dice_of_one_game_are_not_those_of_another(duel: MakeDuel) -> None:
    """Game, number and entry are in the seed: none of the three can be kept while another changes."""
    game = duel()
    value, seq, head = game.secrets["ben"].value(1), 2, dice.entry_hash(game.sign("anna", "rest;").payload)
    places = [
        (value, game.genesis.game, seq, head),
        (value, duel(1).genesis.game, seq, head),
        (value, game.genesis.game, seq + 1, head),
        (value, game.genesis.game, seq, dice.entry_hash(b"")),
        (game.secrets["ben"].value(2), game.genesis.game, seq, head),
    ]
    assert len({dice.seed(*place) for place in places}) == len(places)


def test_a_turn_replayed_at_another_place_is_refused(duel: MakeDuel, post: Post) -> None:
    """Orders that were good once don't count twice; by mail they are known."""
    game = duel(0, "long")
    first = game.play("anna", "move scout rear; rest;")
    game.play("ben", "rest;")
    refused(game, first, BadLog, "number 2 is not the next one")
    renumbered = first._replace(payload=altered(first.payload, "seq 2;", "seq 4;"))
    refused(game, renumbered, BadSignature, "doesn't fit the text")
    again = forged(game, "anna", "rest;", prev=parse_entry(first.payload).prev)
    refused(game, again, BadLog, "it follows another entry than the newest here")
    post.begun()
    block = post.exchange("anna", "rest;")
    post.exchange("ben", "rest;")
    before = kept(post.root / "ben")
    assert take_in(post.desk("ben"), read_letter(mail(block))).what == "known"
    assert kept(post.root / "ben") == before


def test_an_offer_is_accepted_once(post: Post) -> None:
    """A second game with one offer would give its offerer's dice away."""
    offer, accept = post.begin()
    take_in(post.desk("anna"), read_letter(mail(accept)))
    terms = Duel(post.scenario).terms
    second = sign_accept(
        Turn.of(offer), signer("ben"), "ben", "blue", terms, b"another nonce...", b"another gnonce.."
    ).block
    refused_by(post, "anna", second, BadLog, "it accepts an offer that isn't mine, is taken, or was withdrawn")
    with pytest.raises(Refused, match="this offer is accepted already"):
        post.desk("ben").accept(read_offer(post.desk("ben"), read_letter(mail(offer))), "ben", Contact("ben"))


def test_an_offer_restored_from_a_backup_is_accepted_once_all_the_same(post: Post) -> None:
    offer, accept = post.begin()
    saved = files_in(post.root / "anna")
    take_in(post.desk("anna"), read_letter(mail(accept)))
    put_back(post.root / "anna", saved | files_in(post.root / "anna"))
    assert len(post.desk("anna").home.offers()) == 1
    terms = Duel(post.scenario).terms
    second = sign_accept(
        Turn.of(offer), signer("ben"), "ben", "blue", terms, b"another nonce...", b"another gnonce.."
    ).block
    refused_by(post, "anna", second, Refused, "this offer is accepted already")


def test_an_offer_whose_game_is_lost_is_accepted_once_all_the_same(post: Post) -> None:
    """Anna's games are gone and her offers are back; the same accept begins the game anew, another one doesn't."""
    offer, accept = post.begin()
    saved = files_in(post.root / "anna")
    take_in(post.desk("anna"), read_letter(mail(accept)))
    shutil.rmtree(post.root / "anna" / "games")
    put_back(post.root / "anna", saved | files_in(post.root / "anna"))
    assert (len(post.desk("anna").home.offers()), post.desk("anna").home.games()) == (1, [])
    terms = Duel(post.scenario).terms
    second = sign_accept(
        Turn.of(offer), signer("ben"), "ben", "blue", terms, b"another nonce...", b"another gnonce.."
    ).block
    refused_by(post, "anna", second, Refused, "this offer is accepted already, its game [0-9a-f]{16} isn't here")
    assert take_in(post.desk("anna"), read_letter(mail(accept))).what == "begun"
    assert len(post.desk("anna").home.games()) == 1


# --- reveals and what they answer


def test_no_reveal_is_computed_before_the_entry_it_answers_is_stored(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of things in ben's program: the log is on the disk, then the dice are rolled."""
    post.begun()
    block = post.send("anna", "bet 1; rest;")
    happened: list[str] = []
    real_append, real_peek = files.append, desks.peek

    def append(*words: Any) -> str:
        done = real_append(*words)
        happened.append("stored")
        return done

    def peek(table: Table, value: bytes) -> None:
        happened.append("rolled")
        real_peek(table, value)

    monkeypatch.setattr(files, "append", append)
    monkeypatch.setattr(desks, "peek", peek)
    take_in(post.desk("ben"), read_letter(mail(block)))
    assert happened == ["stored", "rolled"]


@pytest.mark.parametrize("how", ["open", "sync", "replace", "write"])
def test_no_reveal_is_made_for_an_entry_that_could_not_be_stored(
    post: Post, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Else anna could send another turn, having seen the value."""
    post.begun()
    block = post.send("anna", "bet 1; rest;")
    rolls: list[bytes] = []
    real = desks.peek
    with monkeypatch.context() as patch:
        break_disk(patch, how)
        patch.setattr(desks, "peek", lambda table, value: rolls.append(value) or real(table, value))
        with pytest.raises(Storage):
            take_in(post.desk("ben"), read_letter(mail(block)))
    assert rolls == []
    place = post.place("ben")
    assert place.table.seq == 1
    with pytest.raises(Refused, match="nothing is due from ben"):
        post.desk("ben").send(place, [])


def test_an_answer_that_overtakes_its_turn_is_refused(duel: MakeDuel, post: Post) -> None:
    """A reveal without the entry it answers stands in no log."""
    game = duel()
    early = forged(game, "ben", "rest;", kind="orders", reveal=(1, game.secrets["ben"].value(1).hex()))
    refused(game, early, BadLog, "reveals a chain value that is not due")
    post.begun()
    post.exchange("anna", "rest;")
    answer = post.send("ben", "rest;")
    game_log = post.place("anna").folder.log
    text = post.place("anna").text
    game_log.write_text(
        "".join(render_block(b) for b in [turn.block for turn in post.place("anna").folder.turns()][:2])
    )
    (signed_note,) = (post.root / "anna" / "signed").iterdir()
    note = signed_note.read_text()
    signed_note.unlink()
    refused_by(post, "anna", answer, BadLog, "entry 3 comes too early")
    signed_note.write_text(note)
    assert post.place("anna").text == text
    assert take_in(post.desk("anna"), read_letter(mail(answer))).what == "taken"


# --- who moves, and from what


def test_a_state_that_lies_is_refused(duel: MakeDuel) -> None:
    """Of an earlier moment, of a game that is a point better for the author, of nothing."""
    game = duel()
    earlier = game.table.state_hash()
    game.play("anna", "bet 1; rest;")
    honest = game.entry("ben", words(game, "ben", "rest;"))
    richer = game.replayed()
    peek(richer, game.secrets["ben"].value(1))
    richer.game.state.points["blue"] += 1
    richer.game._checkpoint.points["blue"] += 1
    lies = {earlier, richer.state_hash(), game.table.state_hash(), "0" * 64}
    assert honest.state not in lies
    assert len(lies) == 4
    for lie in lies:
        error = refused(game, forged(game, "ben", "rest;", state=lie), BadLog, f"the state is not the one .* {lie} in")
        assert f"{honest.state} here" in error.what
        assert "the program's version" in error.hint
    taken(game, signed(honest, "ben"))


def test_a_turn_out_of_turn_is_refused(duel: MakeDuel) -> None:
    game = duel()
    refused(game, forged(game, "ben", "rest;", kind="orders"), BadLog, "ben is not to move")
    refused(game, forged(game, "anna", kind="react"), BadLog, "`react` is not due")
    game.play("anna", "rest;")
    for kind in ("react", "reveal"):
        refused(game, forged(game, "ben", kind=kind), BadLog, f"`{kind}` is not due")
    refused(game, forged(game, "anna", "rest;", kind="orders"), BadLog, "anna is not to move")


def test_a_claim_against_a_turn_that_is_there_is_refused(post: Post) -> None:
    """Anna doesn't like ben's answer, forgets it, and claims that he is silent: his home has the number already."""
    post.begun(deadline=1)
    post.exchange("anna", "bet 1; rest;")
    saved = files_in(post.root / "anna")
    post.exchange("ben", "rest;")
    put_back(post.root / "anna", saved)
    desk, place = post.desk("anna"), post.place("anna")
    claim = desk.agree(place, "claim").block
    refused_by(post, "ben", claim, BadLog, "entry 3 is by ben")


# --- rewriting


def rewritten(game: Duel, number: int, name: str, old: str, new: str) -> str:
    """The log with one entry's words changed and signed anew by its own author."""
    block = game.blocks[number]
    changed = signed(altered(block.payload, old, new), name)
    return "".join(render_block(b) for b in [*game.blocks[:number], changed, *game.blocks[number + 1 :]])


def test_a_log_rewritten_from_the_middle_by_its_own_author_is_refused(duel: MakeDuel) -> None:
    """Anna signs her first orders anew: ben's answer names the hash of what she sent."""
    game = duel(0, "long")
    game.play("anna", "bet 1; rest;")
    game.play("ben", "rest;")
    game.play("anna", "rest;")
    text = rewritten(game, 2, "anna", "bet 1;", "bet 3;")
    with pytest.raises(BadLog, match="it follows another entry than the newest here") as found:
        replay(text, lambda _: game.scenario)
    assert "entry 3" in str(found.value)
    replay(game.log, lambda _: game.scenario)


def test_a_log_rewritten_with_all_that_follows_needs_the_other_s_key(duel: MakeDuel) -> None:
    game, twin = duel(0, "long"), duel(0, "long")
    game.play("anna", "bet 1; rest;")
    game.play("ben", "rest;")
    twin.play("anna", "bet 2; rest;")
    answer = twin.entry("ben", words(twin, "ben", "rest;"))
    refused(twin, signed(answer, "anna"), BadSignature, "ben's signature doesn't hold")
    refused(twin, game.blocks[3], BadLog, "follows another entry")


def test_a_log_rewritten_at_its_end_has_another_head_and_is_evidence(post: Post) -> None:
    """The newest entry is the only one that an author can change; the other one has it."""
    offer, accept = post.begin()
    take_in(post.desk("anna"), read_letter(mail(accept)))
    other = other_words(post, "anna", "bet 3; rest;")
    first = post.exchange("anna", "bet 1; rest;")
    place = post.place("anna")
    text = "".join(render_block(b) for b in [*[turn.block for turn in place.folder.turns()][:2], other])
    table = replay(text, lambda _: post.scenario).table
    assert table is not None
    assert table.head != post.place("ben").table.head, "the heads, compared by voice, differ"
    refused_by(post, "ben", other, BadLog, "with other words; the first one stays")
    assert judge(*turns(first, other), keys_of(turns(offer, accept))).proof


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_log_with_an_entry_cut_out_or_doubled_is_refused(duel: MakeDuel, number: int) -> None:
    game = duel(0, "long")
    for name in ("anna", "ben", "anna"):
        game.play(name, "rest;")
    texts = [render_block(block) for block in game.blocks]
    for changed in (texts[:number] + texts[number + 1 :], texts[: number + 1] + texts[number:]):
        with pytest.raises(BadLog, match=r"stands where .* is due"):
            replay("".join(changed), lambda _: game.scenario)


# --- backups


def test_a_restored_backup_that_answers_twice_gains_nothing(post: Post) -> None:
    """Ben's machine is as it was before his answer, and by now he knows anna's next value: his second is evidence."""
    offer, accept = post.begin(2, "long")
    take_in(post.desk("anna"), read_letter(mail(accept)))
    post.exchange("anna", "bet 1; rest;")
    saved = files_in(post.root / "ben")
    first = post.exchange("ben", "bet 1; rest;")
    revealed = post.exchange("anna", "rest;")
    put_back(post.root / "ben", saved)
    _, value = parse_entry(revealed.payload).reveal or (0, "")
    table = post.place("ben").table
    mine = post.desk("ben").secrets(post.place("ben")).value(1).hex()

    def tried(number: int) -> bytes:
        return build_entry(
            kind="orders",
            game=table.genesis.game.hex(),
            seq=3,
            prev=parse_entry(first.payload).prev,
            by="ben",
            nonce=f"{number:032x}",
            reveal=(1, mine),
            state=table.state_hash(),
            body=(Statement("bet", ("1",)), Statement("rest", ())),
        ).payload

    def die(payload: bytes) -> int:
        seed = dice.seed(bytes.fromhex(value), table.genesis.game, 3, dice.entry_hash(payload))
        return dice.roll(seed, "bet/1", 1, 6)[0]

    grown = signed(max(map(tried, range(50)), key=die), "ben")
    assert die(grown.payload) == 6, "now he can look ahead, and without his first entry in anna's log he had his six"
    refused_by(post, "anna", grown, BadLog, "entry 3 is in the log already, with other words; the first one stays")
    assert judge(*turns(first, grown), keys_of(turns(offer, accept))).proof
    assert first in [turn.block for turn in post.place("anna").folder.turns()]


def test_a_restored_backup_answers_with_the_same_bytes_to_the_same_orders(post: Post) -> None:
    """The nonce comes from key and number: an honest repetition is no second turn."""
    post.begun()
    post.exchange("anna", "bet 1; rest;")
    saved = files_in(post.root / "ben")
    first = post.exchange("ben", "rest;")
    put_back(post.root / "ben", saved)
    again = post.send("ben", "rest;")
    assert again == first
    assert take_in(post.desk("anna"), read_letter(mail(again))).what == "known"
    assert not (post.root / "anna" / "evidence").exists()


def test_a_log_put_back_while_the_note_stays_signs_nothing_new(post: Post) -> None:
    """The program remembers what it signed last, not only what the log says."""
    post.begun(2, "long")
    post.exchange("anna", "rest;")
    post.exchange("ben", "rest;")
    newest = post.exchange("anna", "rest;")
    folder = post.place("anna").folder
    older = "".join(render_block(block) for block in [turn.block for turn in folder.turns()][:2])
    folder.log.write_text(older)
    place = post.place("anna")
    assert place.table.due().player == "anna"
    with pytest.raises(Refused, match="entry 4 of this game is signed already, with other words"):
        post.desk("anna").send(place, parts_of(place.table, "red", "bet 1; rest;"))
    assert folder.text() == older
    open_all(
        post.desk("anna"),
        map(read_letter, [mail(block) for block in [turn.block for turn in post.place("ben").folder.turns()][:4]]),
    )
    assert [turn.block for turn in post.place("anna").folder.turns()][-1] == newest


def test_nobody_accuses_himself_when_his_own_mail_brings_a_turn_back(post: Post) -> None:
    """The log is lost, the note of what was signed isn't; the mails are opened again, his own newest among them."""
    post.begun(2, "long")
    post.exchange("anna", "rest;")
    post.exchange("ben", "rest;")
    newest = post.exchange("anna", "rest;")
    folder = post.place("anna").folder
    folder.log.write_text("".join(render_block(block) for block in [turn.block for turn in folder.turns()][:4]))
    assert take_in(post.desk("anna"), read_letter(mail(newest))).what in ("known", "taken")
    assert [turn.block for turn in post.place("anna").folder.turns()][-1] == newest
    assert not (post.root / "anna" / "evidence").exists()


# --- versions


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"edition": "toy/2"}, "the game is of rules edition toy/1"),
        ({"digest": "0" * 64}, "its content differs: [0-9a-f]{16} was offered, 0{16} is here"),
    ],
)
def test_another_version_of_the_rules_is_refused_at_the_beginning(
    duel: MakeDuel, change: dict[str, str], error: str
) -> None:
    game = duel()
    game.play("anna", "rest;")
    with pytest.raises(BadScenario, match=error) as found:
        replay(game.log, lambda _: game.scenario._replace(**change))  # type: ignore[arg-type]
    assert "entry 1" in str(found.value)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("engine pbem/1;", "engine pbem/2;", "`engine`: `pbem/2` is not known"),
        ("dice chain;", "dice mine;", "`dice`: `mine` is not known"),
    ],
)
def test_another_engine_is_refused_by_name(duel: MakeDuel, old: str, new: str, error: str) -> None:
    game = duel()
    offer = signed(altered(game.offer.payload, old, new), "anna")
    with pytest.raises(BadLog, match=error):
        replay(render_block(offer), lambda _: game.scenario)
    accept = signed(altered(game.accept.payload, old, new), "ben")
    with pytest.raises(BadLog, match=error):
        replay(render_block(game.offer) + render_block(accept), lambda _: game.scenario)


def test_another_version_of_the_protocol_is_refused_by_name(duel: MakeDuel) -> None:
    game = duel()
    payload = altered(game.sign("anna", "rest;").payload, "pbem 1;", "pbem 2;")
    with pytest.raises(Damaged, match="pbem 2: this program reads version 1"):
        parse_entry(payload)


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("rules toy/1;", "rules toy/2;", "rules"),
        ("option length short;", "option length long;", "options"),
        ("lost-secret adverse;", "lost-secret forfeit;", "lost-secret"),
        ("deadline none;", "deadline 1;", "deadline"),
        ("reactions standing;", "reactions ask;", "reactions"),
    ],
)
def test_an_accept_changes_no_term(duel: MakeDuel, old: str, new: str, name: str) -> None:
    game = duel()
    accept = signed(altered(game.accept.payload, old, new), "ben")
    with pytest.raises(BadLog, match=f"the accept repeats other terms than the offer: {name}"):
        replay(render_block(game.offer) + render_block(accept), lambda _: game.scenario)


def test_an_engine_that_plays_otherwise_is_found_in_the_next_entry(
    duel: MakeDuel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben's program takes the dice otherwise: the state in his next entry isn't anna's, and both know it then."""
    game = duel()
    game.play("anna", "bet 1; rest;")
    with monkeypatch.context() as patch:
        real = dice.roll
        patch.setattr(dice, "roll", lambda *words: [7 - die for die in real(*words)])
        theirs = game.replayed()
        peek(theirs, game.secrets["ben"].value(1))
        block = sign_entry(theirs, "ben", signer("ben"), game.secrets["ben"], parts_of(theirs, "blue", "rest;")).block
    refused(game, block, BadLog, "the state is not the one this program finds")


# --- new keys


def test_the_old_key_signs_nothing_after_a_rekey(duel: MakeDuel) -> None:
    game = duel()
    new = FileSigner(private_key("anna2"))
    game.play("anna", "rest;")
    game.play("ben", "rest;")
    body, anchor = renamed(game, "anna", "anna2")
    stolen = game.entry("anna", body, kind="rekey", anchor=anchor)
    refused(game, Block(stolen.payload, new.sign(stolen.payload)), BadSignature, "another key than the player's")
    block = signed(stolen, "anna")
    table = game.replayed()
    take(table, Turn.of(block))
    game.blocks.append(block)
    game.tables = {name: game.replayed() for name in game.tables}
    old = game.entry("anna", words(game, "anna", "rest;"), reveal=None)
    refused(game, signed(old, "anna"), BadSignature, "made with another key than the player's")
    taken(game, Block(old.payload, new.sign(old.payload)))


def test_a_second_turn_from_before_a_rekey_is_evidence(post: Post) -> None:
    """Who signed two turns isn't rid of it by a new key; and the new key proves nothing about the older number."""
    post.begun(0, "long")
    second = other_words(post, "anna", "bet 3; rest;")
    post.exchange("anna", "bet 1; rest;")
    post.exchange("ben", "rest;")
    desk, place = post.desk("anna"), post.place("anna")
    new = FileSigner(private_key("anna2"))
    rekey = succession.rekey(desk, place, new, b"n" * 16).block
    take_in(post.desk("ben"), read_letter(mail(rekey)))
    by_new_key = second._replace(armor=new.sign(second.payload))
    refused_by(post, "ben", by_new_key, BadSignature, "another key than the player's")
    refused_by(post, "ben", second, BadLog, "entry 2 is in the log already, with other words")
    assert len(list((post.root / "ben" / "evidence").iterdir())) == 1


def with_chain_of(game: Duel, length: int) -> Duel:
    """The game with another accept of ben's, whose chain has so many values."""
    terms, gnonce = game.terms, game.gnonces["ben"]
    accept = sign_accept(
        Turn.of(game.offer), signer("ben"), "ben", "blue", terms, bytes(16), gnonce, length=length
    ).block
    game.blocks = [game.offer, accept]
    game.tables = {name: game.replayed() for name in game.tables}
    game.genesis = game.table.genesis
    game.secrets["ben"] = Secrets.of(signer("ben"), game.table.anchors["ben"])
    game.secrets["anna"] = Secrets(signer("anna"), game.gnonces["anna"], game.genesis.game, CHAIN)
    return game


@pytest.mark.parametrize("length", [1, 2])
def test_the_last_value_of_a_chain_is_revealed_only_with_a_new_anchor(duel: MakeDuel, length: int) -> None:
    """Ben has named a chain of one value or two: behind the last nobody could be asked to decide any more."""
    game = with_chain_of(duel(0, "long"), length)
    for _ in range(length - 1):
        game.play("anna", "rest;")
        game.play("ben", "rest;")
    game.play("anna", "rest;")
    error = refused(game, forged(game, "ben", "rest;"), BadLog, "reveals the last value of ben's chain and begins no")
    assert "an anchor of his must stand in the same entry" in error.hint
    anchor = Secrets(signer("ben"), b"n" * 16, game.table.head, CHAIN).anchor
    table = taken(game, forged(game, "ben", "rest;", anchor=anchor))
    assert (table.chains["ben"].shown, table.chains["ben"].length) == (0, CHAIN)
    assert taken(game, forged(game, "ben", kind="resign")).outcome is not None, "who gives up needs none"


def test_the_last_value_comes_with_no_chain_of_somebody_else(duel: MakeDuel) -> None:
    """A substitute's anchor is his, and he may be refused; an accept-rekey's is the other's."""
    game = with_chain_of(duel(0, "long"), 1)
    game.play("anna", "rest;")
    body, anchor = renamed(game, "ben", "carl", person="carl")
    offer = forged(game, "ben", (Statement("substitute", ("offer",)), *body), kind="substitute", anchor=anchor)
    refused(game, offer, BadLog, "reveals the last value of ben's chain and begins no new one")
    body, anchor = renamed(game, "anna", "anna2")
    grant = forged(game, "ben", body, kind="accept-rekey", anchor=anchor)
    refused(game, grant, BadLog, "reveals the last value of ben's chain and begins no new one")
    other = with_chain_of(duel(0, "long"), 2)
    other.play("anna", "rest;")
    body, anchor = renamed(other, "ben", "carl", person="carl")
    offer = forged(other, "ben", (Statement("substitute", ("offer",)), *body), kind="substitute", anchor=anchor)
    assert taken(other, offer).proposal is not None


def test_a_reveal_beyond_the_end_of_the_chain_is_refused(duel: MakeDuel) -> None:
    """Not even a table that has forgotten the rule above takes one."""
    game = with_chain_of(duel(), 1)
    chain = game.table.chains["ben"].reveal(1, game.secrets["ben"].value(1))
    with pytest.raises(BadLog, match="the chain has only 1 values"):
        chain.reveal(2, bytes(32))
