"""What was done to version 1.0.0 from outside, against the program's real commands in the home folder of its victim."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from attacks.cheater import forged, kept, refused, renamed, resummed, signed, taken
from attacks.siege import Siege
from toy.players import CHAIN, Duel, signer, write_key

from pbem.audit.evidence import exhibits, judge, keys_of
from pbem.crypto import dice
from pbem.crypto.dice import Anchor
from pbem.crypto.sshsig import KEY_NAMESPACE
from pbem.errors import BadLog, BadSignature
from pbem.home.contact import Contact
from pbem.home.folders import Home
from pbem.match import compose, limits
from pbem.match.agreements import proof_message
from pbem.match.compose import Secrets, sign_accept, sign_entry, sign_offer
from pbem.match.genesis import verify_offer
from pbem.match.take import take
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import Named, Player, key_statement, named_body, proposal_body, terms_body
from pbem.wire.entry import build_entry, parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

MakeDuel = Callable[..., Duel]
MakeSiege = Callable[..., Siege]

CONSENT = ("--yes",)
"""What `pbem accept` is told besides, where nobody can be asked."""


@pytest.fixture
def siege(tmp_path: Path, duel: MakeDuel, monkeypatch: pytest.MonkeyPatch) -> MakeSiege:
    """Makes a siege: `siege(number, "long", reactions="ask")`; her offer is stored, ben has accepted it."""
    for name in ("PBEM_HOME", "PBEM_KEY", "PBEM_PASSPHRASE", "SSH_AUTH_SOCK"):
        monkeypatch.delenv(name, raising=False)
    return lambda number=0, length="short", **terms: Siege(tmp_path, duel(number, length, **terms))


def at_ben_s_turn(siege: Siege) -> Siege:
    """The siege where orders of ben are due, without a reveal."""
    siege.begin().sends("say hm;")
    siege.answers()
    siege.sends("rest;")
    siege.answers("say hm;")
    siege.sends()
    assert str(siege.game.table.due()) == "orders of ben are due"
    assert siege.game.table.reveal_due is None
    return siege


def naming(kind: str, body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The body that names a key in an entry of this kind."""
    return (*proposal_body("substitute", "offer"), *body) if kind == "substitute" else body


# --- a stranger's solo offer ----------------------------------------------------------------------------------------


def solo(game: Duel, offerer: str, accepter: str, accept_signer: str) -> list[Block]:
    """Offer and accept of a solo game, the accept with this key and this signature."""
    terms = game.terms._replace(solo=True)
    offer = sign_offer(signer(offerer), "mallory", "red", terms, bytes(16)).block
    prev = dice.entry_hash(offer.payload)
    payload = build_entry(
        kind="accept",
        seq=1,
        prev=prev.hex(),
        by="anna",
        nonce="0" * 32,
        anchor=Secrets(signer(accept_signer), bytes(16), prev, CHAIN).anchor,
        body=terms_body(Player("anna", "blue", signer(accepter).pub_blob), terms),
    ).payload
    return [offer, signed(payload, accept_signer)]


def test_a_stranger_s_solo_offer_is_refused(siege: MakeSiege) -> None:
    """Before, `accept` began the game; the stranger's `rekey` to her key, gnonce and anchor of another game then made
    her program play him too, and reveal the secrets of that game one after another."""
    besieged = siege().begin()
    offer, _ = solo(besieged.game, "mallory", "mallory", "mallory")
    words = ["--name", "anna", "--mail", "anna@example.org", *CONSENT, "-o", str(besieged.root / "no.eml")]
    reason = besieged.refuses("accept", besieged.file("offer.eml", offer), *words)
    assert "this offer is for its author alone; a solo game has one key, and mine is another one" in reason
    assert not (besieged.root / "no.eml").exists(), "nothing of hers goes out"
    own, _ = solo(besieged.game, "anna", "anna", "anna")
    besieged.does("accept", besieged.file("offer.eml", own), *words)
    assert len(Home(besieged.home).games()) == 2


@pytest.mark.parametrize(
    ("accepter", "signs", "error"),
    [
        ("anna", "mallory", "another key than the player's"),
        ("anna", "anna", "a solo game has two keys"),
        ("mallory", "mallory", "is not a player's key in the game"),
    ],
)
def test_a_stranger_s_solo_log_comes_in_by_no_door(siege: MakeSiege, accepter: str, signs: str, error: str) -> None:
    """Before, a log that a stranger had made of his solo offer was restored, and her program signed for both sides."""
    besieged = siege().begin()
    blocks = solo(besieged.game, "mallory", accepter, signs)
    assert error in besieged.refuses("restore", besieged.file("game.log", "".join(map(render_block, blocks))))
    assert "it accepts an offer that isn't mine" in besieged.will_not_open(blocks[1]) or signs != accepter


@pytest.mark.parametrize("kind", ["rekey", "accept-rekey", "substitute"])
def test_nobody_comes_into_a_solo_game_later(siege: MakeSiege, kind: str) -> None:
    """Before, the stranger's `rekey` in his own solo game named her key."""
    besieged = siege()
    blocks = solo(besieged.game, "mallory", "mallory", "mallory")
    game = besieged.game
    game.blocks, game.tables = blocks, {}
    table = game.replayed()
    new = Secrets(signer("mallory"), b"m" * 16, table.head, CHAIN)
    first = sign_entry(table, "mallory", signer("mallory"), None, [], new).block
    take(table, Turn.of(first))
    reveal = sign_entry(
        table, "anna", signer("mallory"), Secrets.of(signer("mallory"), table.anchors["anna"]), []
    ).block
    take(table, Turn.of(reveal))
    game.tables = {"carl": table}
    game.blocks = [*blocks, first, reveal]
    player = "anna" if kind == "accept-rekey" else "mallory"
    anchor = Secrets(signer("anna"), b"n" * 16, table.head, CHAIN).anchor
    message = proof_message(
        table.genesis.game.hex(), table.seq + 1, table.head.hex(), player, anchor, Named(signer("anna").pub_blob)
    )
    proof = signer("anna").raw_signature(message, KEY_NAMESPACE)
    body = naming(kind, named_body(Named(signer("anna").pub_blob, proof=proof)))
    payload = build_entry(
        kind=kind,
        game=table.genesis.game.hex(),
        seq=table.seq + 1,
        prev=table.head.hex(),
        by="mallory",
        nonce="0" * 32,
        anchor=anchor,
        state=table.state_hash(),
        body=body,
    ).payload
    late = signed(payload, "mallory")
    text = "".join(map(render_block, [*game.blocks, late]))
    assert "stands in a solo game" in besieged.refuses("restore", besieged.file("game.log", text))


def test_her_program_signs_for_nobody_else(siege: MakeSiege) -> None:
    """Before, it signed for every player of a `solo` game, whichever key the log named for him."""
    besieged = siege().begin()
    orders = besieged.file("orders.txt", "rest;")
    besieged.sends("bet 1; rest;")
    assert "nothing is due from anna" in besieged.refuses("send", orders, "-o", str(besieged.root / "no.eml"))
    write_key(besieged.home / "mallory", "mallory")
    reason = besieged.refuses("--key", str(besieged.home / "mallory"), "send", orders, "-o", "no.eml")
    assert "my key is not a player's key in this game" in reason
    besieged.answers("rest;")
    besieged.goes_on()


def test_roots_are_computed_only_for_chains_of_her_own_key_at_their_place(
    siege: MakeSiege, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, her key and gnonce, named by somebody else in another game, made her program grow the chain of here."""
    asked: set[tuple[bytes, bytes]] = set()
    real = compose.dice_root

    def watched(*words: object) -> bytes:
        asked.add((words[1], words[2]))  # type: ignore[arg-type]
        return real(*words)  # type: ignore[arg-type]

    besieged = siege(0, "long").begin()
    game = besieged.game
    with monkeypatch.context() as patch:
        patch.setattr(compose, "dice_root", watched)
        besieged.does("send", besieged.file("orders.txt", "bet 1; rest;"), "-o", str(besieged.root / "sent.eml"))
        hers = set(asked)
    besieged.follow()
    copied = game.table.anchors["anna"]
    block = forged(game, "ben", "bet 1; rest;", anchor=copied)
    with monkeypatch.context() as patch:
        patch.setattr(compose, "dice_root", watched)
        besieged.does("open", "--quiet", besieged.file("3.eml", block))
        besieged.does("send", besieged.file("orders.txt", "rest;"), "-o", str(besieged.root / "sent.eml"))
    besieged.follow()
    assert asked == hers == {(copied.gnonce, copied.prev)}
    assert game.table.anchors["ben"][:3] == copied[:3], "though ben's entry names the same words"


# --- one offer, two games -------------------------------------------------------------------------------------------


def second_accept(game: Duel, number: int = 1) -> Block:
    """Another accept of her offer by ben."""
    gnonce = (number + 2**80).to_bytes(16, "big")
    return sign_accept(
        Turn.of(game.offer), signer("ben"), "ben", "blue", game.terms, bytes(16), gnonce, length=CHAIN
    ).block


def with_second_game(besieged: Siege, how: str) -> str:
    """A file from which a second game of her offer would be restored."""
    game = besieged.game
    blocks = [game.offer, second_accept(game)]
    text = "".join(map(render_block, blocks))
    if how == "log":
        return besieged.file("game.log", text)
    if how == "mails":
        folder = besieged.root / "mails"
        folder.mkdir()
        for number, block in enumerate(blocks):
            (folder / f"{number}.eml").write_text(f"From: ben@example.net\nSubject: x\n\n{render_block(block)}")
        return str(folder)
    other = besieged.root / "other"
    write_key(other / "key", "anna")
    Home(other).begin(*map(Turn.of, blocks), Contact("anna", "anna@example.org", "ben@example.net"))
    file = besieged.root / "backup.zip"
    assert besieged.says("--home", str(other), "backup", str(file), "--without-key").code == 0
    return str(file)


@pytest.mark.parametrize("how", ["log", "mails", "zip"])
def test_a_second_game_of_her_offer_is_not_restored(siege: MakeSiege, how: str) -> None:
    """Before, a second accept of her offer came in by `restore`, and both games used one chain: what she revealed in
    the one was what her dice would come from in the other."""
    besieged = siege().begin()
    besieged.sends("bet 1; rest;")
    assert "one offer would become two games" in besieged.refuses("restore", with_second_game(besieged, how))
    log = besieged.file("own.log", besieged.folder.text())
    besieged.does("restore", log)


def test_two_games_of_one_offer_have_nothing_in_common(siege: MakeSiege, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two programs open two accepts at one moment, or somebody forces the second game in; chance even gives the same
    bytes in both. Before, the values revealed in one game were those of the other."""
    besieged = siege(0, "long")
    game = besieged.game
    monkeypatch.setattr(os, "urandom", lambda size: b"7" * size)
    anchors, values, seeds = [], set(), set()
    for number, accept in enumerate((game.accept, second_accept(game))):
        home = besieged.root / f"home{number}"
        write_key(home / "key", "anna")
        Home(home).keep_offer(Turn.of(game.offer), Contact("anna"))
        besieged.home = home
        besieged.opens(accept)
        game.secrets["ben"] = Secrets.of(signer("ben"), game.table.anchors["ben"])
        besieged.sends("bet 1; rest;")
        anchor = game.table.anchors["anna"]
        anchors.append(anchor)
        chain = Secrets.of(signer("anna"), anchor)
        values |= {chain.value(index) for index in range(anchor.length + 1)}
        seeds.add(dice.seed(chain.value(1), bytes(32), 3, bytes(32)))
        assert game.table.chains["anna"].player_id == dice.player_id(
            signer("anna").pub_blob, anchor.gnonce, anchor.prev
        )
    assert anchors[0].gnonce == anchors[1].gnonce, "the same chance"
    assert anchors[0].value != anchors[1].value
    assert len(values) == 2 * (anchors[0].length + 1)
    assert len(seeds) == 2, "one entry would have other dice in each"


def test_of_many_accepts_the_first_that_arrives_counts(siege: MakeSiege) -> None:
    """Before, ben could go on with the accept whose opening dice suited him."""
    besieged = siege()
    game = besieged.game
    many = [second_accept(game, number) for number in range(1, 5)]
    files = [besieged.file(f"a{number}.eml", block) for number, block in enumerate([game.accept, *many])]
    said = besieged.says("open", "--quiet", *files)
    assert said.code == 1
    assert said.err.count("it accepts an offer that isn't mine, is taken, or was withdrawn") == len(many)
    besieged.follow()
    assert game.blocks == [game.offer, game.accept]
    for block in many:
        assert "it accepts an offer that isn't mine, is taken, or was withdrawn" in besieged.will_not_open(block)
    besieged.sends("rest;")


def test_an_accept_ground_to_begin_a_game_that_is_called_as_another_one_is_refused(
    siege: MakeSiege, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who accepts two offers finds with 2^32 tries two accepts whose hashes begin with the same 16 digits, here with
    one. Before, the second one was told to have begun a game, and none was there: its offer was gone, and the first
    game had its addresses."""
    monkeypatch.setattr("pbem.home.folders.ID_LENGTH", 1)
    besieged = siege().begin()
    first, taken_up = besieged.folder.id, Turn.of(besieged.game.offer).hash.hex()[0]
    others = (Duel(besieged.game.scenario, number) for number in range(1, 500))
    other = next(
        game
        for game in others
        if Turn.of(game.accept).hash.hex()[0] == first and Turn.of(game.offer).hash.hex()[0] != taken_up
    )
    Home(besieged.home).keep_offer(Turn.of(other.offer), Contact("anna", "anna@example.org", "carl@example.net"))
    assert f"has the first digits of another one here, {first}" in besieged.will_not_open(other.accept)
    assert besieged.folder.contact().to == "ben@example.net"
    besieged.sends("rest;")


# --- keys that are or were somebody else's --------------------------------------------------------------------------


def test_a_rekey_to_a_key_that_is_or_was_hers_is_refused(siege: MakeSiege) -> None:
    """Before, he took her key of now or then, and her program revealed his dice for him; even her proof, got by some
    trick, doesn't help him."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    for own in ("anna", "ben"):
        body, anchor = renamed(game, "ben", own)
        assert "a key that was in use in this game before" in besieged.will_not_open(
            forged(game, "ben", body, kind="rekey", anchor=anchor)
        )
    besieged.answers("rest;")
    write_key(besieged.root / "new", "anna2")
    besieged.agrees("rekey", str(besieged.root / "new"))
    assert game.table.player("anna").key == signer("anna2").pub_blob
    for player, kind in (("anna", "accept-rekey"), ("ben", "rekey")):
        body, anchor = renamed(game, player, "anna")
        block = forged(game, "ben", body, kind=kind, anchor=anchor)
        refused(game, block, BadLog, "a key that was in use|ben can't make a `rekey` now")
    with_new = ("--key", str(besieged.root / "new"))
    besieged.agrees(*with_new, "send", besieged.file("orders.txt", "rest;"))
    body, anchor = renamed(game, "ben", "anna")
    block = forged(game, "ben", body, kind="rekey", anchor=anchor)
    before = kept(besieged.home)
    said = besieged.says(*with_new, "open", "--quiet", besieged.file("rekey.eml", block))
    assert (said.code, kept(besieged.home)) == (1, before)
    assert "a key that was in use in this game before" in said.err
    body, anchor = renamed(game, "ben", "ben2")
    block = forged(game, "ben", body, kind="rekey", anchor=anchor)
    besieged.does(*with_new, "open", "--quiet", besieged.file("rekey.eml", block))


@pytest.mark.parametrize("name", ["as key", "as recovery key"])
def test_her_recovery_key_is_nobody_s_key(siege: MakeSiege, name: str, tmp_path: Path) -> None:
    """Before, only keys of now were compared: with her recovery key as his he could name a new key for her."""
    besieged = siege(0, "long")
    game = besieged.game
    game.offer = sign_offer(
        signer("anna"), "anna", "red", game.terms, b"another nonce...", signer("vault").pub_blob
    ).block
    besieged.home = tmp_path / "with-recovery"
    write_key(besieged.home / "key", "anna")
    Home(besieged.home).keep_offer(Turn.of(game.offer), Contact("anna"))
    game.accept = second_accept(game)
    game.blocks = [game.offer, game.accept]
    at_ben_s_turn_of(besieged)
    new = "vault" if name == "as key" else "ben2"
    recovery = signer("vault").pub_blob if name == "as recovery key" else b""
    body, anchor = renamed(game, "ben", new, recovery=recovery)
    block = forged(game, "ben", body, kind="rekey", anchor=anchor)
    assert "a key that was in use in this game before" in besieged.will_not_open(block)
    body, anchor = renamed(game, "ben", "ben2", recovery=signer("ben3").pub_blob)
    besieged.opens(forged(game, "ben", body, kind="rekey", anchor=anchor))


def at_ben_s_turn_of(besieged: Siege) -> None:
    besieged.opens(besieged.game.accept)
    besieged.game.secrets["ben"] = Secrets.of(signer("ben"), besieged.game.table.anchors["ben"])
    besieged.sends("rest;")


def test_the_key_of_a_refused_substitute_was_never_in_force(siege: MakeSiege) -> None:
    """It may be named again, by its owner's proof for the new place; the proof of then is no good there."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    body, anchor = renamed(game, "ben", "carl", person="carl")
    besieged.opens(forged(game, "ben", naming("substitute", body), kind="substitute", anchor=anchor))
    besieged.agrees("substitute", "--refuse")
    again = forged(game, "ben", naming("substitute", body), kind="substitute", anchor=anchor)
    assert "it was refused; ben can't propose it again before his next decision" in besieged.will_not_open(again)
    old = forged(game, "ben", body[1:], kind="rekey", anchor=anchor)
    assert "the proof isn't one of the new key's owner" in besieged.will_not_open(old)
    body, anchor = renamed(game, "ben", "carl")
    besieged.opens(forged(game, "ben", body, kind="rekey", anchor=anchor))


def test_a_rekey_to_a_key_without_its_owner_s_proof_is_refused(siege: MakeSiege) -> None:
    """Before, a rekey proved nothing of the new key: anybody's could be named. Here carl's, proven by ben."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    body, anchor = renamed(game, "ben", "ben2")
    strange = (key_statement("key", signer("carl").pub_blob), *body[1:])
    block = forged(game, "ben", strange, kind="rekey", anchor=anchor)
    assert "the proof isn't one of the new key's owner for this player, place and chain" in besieged.will_not_open(
        block
    )
    zero = (body[0], Statement("proof", ("0" * 64, "0" * 64)))
    assert "the proof isn't one" in besieged.will_not_open(forged(game, "ben", zero, kind="rekey", anchor=anchor))
    missing = forged(game, "ben", body[:1], kind="rekey", anchor=anchor)
    assert "`proof`: is missing" in besieged.will_not_open(missing)
    besieged.opens(forged(game, "ben", body, kind="rekey", anchor=anchor))


NO_PROOF = "the proof isn't one of the new key's owner for this player, place and chain"

COPIES = ("seq", "prev", "player", "chain", "recovery hung on", "recovery left out", "person", "game")


@pytest.mark.parametrize("copied", COPIES)
def test_a_proof_of_possession_holds_for_one_place_only(siege: MakeSiege, copied: str) -> None:
    """A proof that carl gave, for all but one of the things that it covers, names him nowhere else."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    table = game.table
    carl = signer("carl")
    anchor = Secrets(carl, b"n" * 16, table.head, CHAIN).anchor
    named = Named(carl.pub_blob, signer("vault").pub_blob, "carl")
    right: dict[str, object] = {
        "game": table.genesis.game.hex(),
        "seq": table.seq + 1,
        "prev": table.head.hex(),
        "player": "ben",
        "anchor": anchor,
        "named": named,
    }
    other = {
        "seq": {"seq": table.seq + 2},
        "prev": {"prev": table.genesis.game.hex()},
        "player": {"player": "anna"},
        "chain": {"anchor": Secrets(carl, b"m" * 16, table.head, CHAIN).anchor},
        "recovery hung on": {"named": named._replace(recovery=b"")},
        "recovery left out": {"named": named._replace(recovery=signer("vault2").pub_blob)},
        "person": {"named": named._replace(person="mallory")},
        "game": {"game": bytes(32).hex()},
    }[copied]

    def offer(words: dict[str, object]) -> Block:
        proof = carl.raw_signature(proof_message(**words), KEY_NAMESPACE)  # type: ignore[arg-type]
        body = naming("substitute", named_body(named._replace(proof=proof)))
        return forged(game, "ben", body, kind="substitute", anchor=anchor)

    reason = besieged.will_not_open(offer(right | other))
    assert NO_PROOF in reason
    besieged.opens(offer(right))


@pytest.mark.parametrize("changed", ["chain", "recovery", "place", "side"])
def test_a_request_is_granted_word_for_word_and_at_its_place_or_not_at_all(siege: MakeSiege, changed: str) -> None:
    """She asks for a new key; with a chain of his own he would know her dice, with a recovery key of his take her side
    later, with her proof take her key for himself. In a first draft of the proof each worked."""
    besieged = siege(0, "long").begin()
    game = besieged.game
    besieged.sends("bet 1; rest;")
    write_key(besieged.root / "new" / "key", "anna2")
    log = besieged.file("game.log", besieged.folder.text())
    besieged.does(
        "--home", str(besieged.root / "new"), "recover", log, "--name", "anna", "-o", str(besieged.root / "ask.eml")
    )
    (request,) = turn_in((besieged.root / "ask.eml").read_text())
    asked = parse_entry(request.payload)
    if changed == "place":
        game.give(game.sign("ben", "rest;"))
        game.give(forged(game, "anna", "say hm;", kind="orders"))
    words: dict[str, object] = {"kind": "accept-rekey", "anchor": asked.anchor}
    body = asked.body
    if changed == "chain":
        words["anchor"] = Secrets(signer("ben"), b"n" * 16, game.table.head, CHAIN).anchor
    elif changed == "recovery":
        body = (*body, key_statement("recovery", signer("ben3").pub_blob))
    elif changed == "side":
        words["kind"] = "rekey"
    bad = forged(game, "ben", body, **words)
    refused(game, bad, BadLog, NO_PROOF)
    if changed != "place":
        table = taken(game, forged(game, "ben", asked.body, kind="accept-rekey", anchor=asked.anchor))
        assert table.player("anna").key == signer("anna2").pub_blob


def turn_in(mail: str) -> list[Block]:
    """The blocks of a mail's file."""
    from email import message_from_string, policy

    from pbem.wire.blocks import find_blocks

    message = message_from_string(mail, policy=policy.default)
    texts = [part.get_content() for part in message.walk() if part.get_content_type() == "text/plain"]
    found = [block for text in texts for block in find_blocks(text)]
    return list({block.payload: block for block in found}.values())


def test_the_word_that_she_has_lost_her_key_is_not_taken_by_her_program(siege: MakeSiege) -> None:
    """He grants a request that she never made, for a key of his own; her log doesn't have it, her home the evidence."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    body, anchor = renamed(game, "anna", "mallory")
    reason = besieged.will_not_open(forged(game, "ben", body, kind="accept-rekey", anchor=anchor))
    assert "ben says that I have lost my key, and names another; it isn't taken" in reason
    besieged.answers("rest;")
    besieged.goes_on()


# --- who knows a value ----------------------------------------------------------------------------------------------


def tries_until(wanted: list[int], value: bytes, game: Duel) -> int:
    """How many entries with other talk must be tried until the dice are as wanted, when the chain value is known."""
    for number in range(1, 2000):
        payload = forged(game, "ben", (Statement("say", (f"w{number}",)), Statement("rest", ()))).payload
        seed = dice.seed(value, game.genesis.game, 3, dice.entry_hash(payload))
        if dice.roll(seed, "combat/1405/1", 2, 6) == wanted:
            return number
    raise AssertionError("the dice never come")


def test_a_value_that_is_known_gives_any_dice_and_one_entry_is_all_that_it_serves(siege: MakeSiege) -> None:
    """Before, who had learned values had 6 6 after about 21 tries of `say`, in every entry. Here ben hands her an older
    log, whose end she has gone beyond: he knows the value that is due now, and no other; his second entry with one
    number proves what he did, and her next entry begins a new chain."""
    besieged = siege(0, "long").begin()
    game = besieged.game
    besieged.sends("rest;")
    older = besieged.file("older.log", besieged.folder.text())
    first = besieged.answers("bet 1; rest;")
    revealed = parse_entry(besieged.sends("rest;").payload).reveal
    assert revealed is not None
    full = list(game.blocks)
    besieged.loses_all()
    besieged.does("restore", older, "--to", "ben@example.net", "--mail", "anna@example.org")
    besieged.follow()
    assert 1 <= tries_until([6, 6], bytes.fromhex(revealed[1]), game) < 300
    game.secrets["ben"] = Secrets.of(signer("ben"), game.table.anchors["ben"])
    grown = forged(game, "ben", "bet 2; rest;")
    besieged.opens(grown)
    old = game.table.anchors["anna"]
    answer = parse_entry(besieged.sends("rest;").payload)
    assert answer.reveal == revealed, "this one value comes once more"
    assert answer.anchor is not None
    assert answer.anchor != old, "the next comes from a chain that nobody has seen anything of"
    assert game.table.chains["anna"].shown == 0
    mails = exhibits([first, grown], "mail")
    assert judge(*mails, keys_of(exhibits(full, "the log"))).proof


def test_behind_own_turns_that_come_back_by_mail_a_new_chain_begins(siege: MakeSiege) -> None:
    """Before, a copy of an older home that got its own turns back by `open` went on with the old chain: of each value
    that she had revealed behind the last of them ben had dice of his choice. Now one serves, as behind a `restore`."""
    besieged = siege(0, "long").begin()
    game = besieged.game
    older = besieged.root / "older"
    shutil.copytree(besieged.home, older)
    mine = [besieged.sends("rest;")]
    his = [besieged.answers("bet 1; rest;")]
    mine.append(besieged.sends("rest;"))
    his.append(besieged.answers("bet 1; rest;"))
    revealed = parse_entry(besieged.sends("rest;").payload).reveal
    besieged.loses_all()
    shutil.copytree(older, besieged.home, dirs_exist_ok=True)
    besieged.opens(mine[0], his[0], mine[1])
    assert besieged.folder.restored()
    game.secrets["ben"] = Secrets.of(signer("ben"), game.table.anchors["ben"])
    besieged.opens(forged(game, "ben", "pull 1; rest;"))
    old = game.table.anchors["anna"]
    answer = parse_entry(besieged.sends("rest;").payload)
    assert answer.reveal == revealed, "this one value comes once more"
    assert answer.anchor is not None
    assert answer.anchor != old, "the next comes from a chain that nobody has seen anything of"
    assert not besieged.folder.restored()


# --- anchors --------------------------------------------------------------------------------------------------------


def some_anchor(game: Duel, name: str = "ben") -> Anchor:
    """A chain of a player's that would begin with his next entry."""
    return Secrets(signer(name), b"n" * 16, game.table.head, CHAIN).anchor


def test_an_anchor_where_none_may_stand_is_refused(siege: MakeSiege) -> None:
    """Such an entry isn't taken without it: two programs that read it in two ways would part."""
    besieged = at_ben_s_turn(siege(0, "long", deadline=1))
    game = besieged.game
    block = forged(game, "ben", kind="resign", anchor=some_anchor(game))
    assert "it names an anchor where none may stand" in besieged.will_not_open(block)
    body, anchor = renamed(game, "ben", "carl", person="carl")
    besieged.opens(forged(game, "ben", naming("substitute", body), kind="substitute", anchor=anchor))
    answer = forged(
        game, "anna", proposal_body("substitute", "refuse"), kind="substitute", anchor=some_anchor(game, "anna")
    )
    refused(game, answer, BadLog, "it names an anchor where none may stand")
    claim = forged(game, "ben", kind="claim", anchor=some_anchor(game))
    assert "it names an anchor where none may stand" in besieged.will_not_open(claim)
    besieged.agrees("substitute", "--refuse")
    besieged.opens(forged(game, "ben", "rest;", anchor=some_anchor(game)))


def test_an_anchor_that_is_missing_is_refused(siege: MakeSiege, duel: MakeDuel) -> None:
    game = duel()
    refused(game, forged(game, "anna", "rest;", anchor=None), BadLog, "its anchor is missing")
    taken(game, forged(game, "anna", "rest;"))
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    body, anchor = renamed(game, "ben", "carl", person="carl")
    for kind, words in (("rekey", body[1:]), ("substitute", naming("substitute", body))):
        assert "its anchor is missing" in besieged.will_not_open(forged(game, "ben", words, kind=kind))
    besieged.opens(forged(game, "ben", naming("substitute", body), kind="substitute", anchor=anchor))


def test_the_last_value_without_an_anchor_is_refused(siege: MakeSiege) -> None:
    """Before, a chain could run out, and nobody could decide any more."""
    besieged = siege(0, "long")
    game = besieged.game
    game.accept = sign_accept(
        Turn.of(game.offer), signer("ben"), "ben", "blue", game.terms, bytes(16), game.gnonces["ben"], length=1
    ).block
    besieged.opens(game.accept)
    game.secrets["ben"] = Secrets.of(signer("ben"), game.table.anchors["ben"])
    besieged.sends("bet 1; rest;")
    reason = besieged.will_not_open(forged(game, "ben", "rest;"))
    assert "it reveals the last value of ben's chain and begins no new one" in reason
    besieged.opens(forged(game, "ben", "rest;", anchor=some_anchor(game)))
    besieged.goes_on()


def test_an_anchor_that_nobody_can_open_is_told_and_nothing_is_revealed(siege: MakeSiege) -> None:
    """A log names a chain for her that her key doesn't make: a value of another chain would be refused, and shown."""
    besieged = siege(0, "long").begin()
    game = besieged.game
    good = forged(game, "anna", "rest;")
    game.give(forged(game, "anna", "rest;", anchor=Anchor(60, b"x" * 32, b"n" * 16, game.table.head)))
    game.give(game.sign("ben", "bet 1; rest;"))
    besieged.folder.log.write_text(game.log)
    words = ("send", besieged.file("orders.txt", "rest;"), "-o", str(besieged.root / "no.eml"))
    assert "isn't the one that my key makes: I can reveal nothing of it" in besieged.refuses(*words)
    assert not (besieged.root / "no.eml").exists()
    game.blocks = [*game.blocks[:2], good]
    game.tables = {name: game.replayed() for name in game.tables}
    game.secrets["ben"] = Secrets.of(signer("ben"), game.table.anchors["ben"])
    game.give(game.sign("ben", "bet 1; rest;"))
    besieged.folder.log.write_text(game.log)
    besieged.follow()
    besieged.goes_on()


def test_who_cannot_open_his_own_anchor_is_due_for_ever(siege: MakeSiege) -> None:
    """Ben's chain is rubbish: whatever he reveals is refused, the log names him, and he can't roll again."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    besieged.opens(forged(game, "ben", "say hm;", anchor=Anchor(60, b"x" * 32, b"n" * 16, game.table.head)))
    besieged.sends()
    besieged.opens(forged(game, "ben", "rest;", reveal=None))
    besieged.sends("bet 1; rest;")
    for value in (game.secrets["ben"].value(3), b"x" * 32):
        assert "ben: chain value 1 is wrong" in besieged.will_not_open(
            forged(game, "ben", "rest;", reveal=(1, value.hex()))
        )
    assert str(game.table.due()) == "a reveal of ben is due"


# --- the beginning --------------------------------------------------------------------------------------------------


def test_begin_stands_in_entry_2_where_the_offerer_is_not_asked_and_nowhere_else(
    siege: MakeSiege, duel: MakeDuel
) -> None:
    game = duel()
    refused(game, forged(game, "anna", kind="begin"), BadLog, "`begin` is not due; `orders` of anna is due")
    besieged = at_ben_s_turn(siege(0, "long"))
    for anchor in (None, some_anchor(besieged.game)):
        late = forged(besieged.game, "ben", kind="begin", anchor=anchor)
        assert "`begin` is not due" in besieged.will_not_open(late)
    besieged.answers("rest;")


def test_begin_is_due_from_the_offerer_when_the_other_side_decides_first(siege: MakeSiege) -> None:
    """Nothing of the accepter's can come before it: neither his orders nor an agreement."""
    besieged = siege()
    game = besieged.game
    besieged.loses_all()
    words = ("--side", "blue", "--name", "anna", "--to", "ben@example.net", "-o", str(besieged.root / "o.eml"))
    besieged.does("offer", "duel", *words, "--option", "length=long")
    (game.offer,) = [turn.block for turn in Home(besieged.home).offers()[0].turns()]
    terms = verify_offer(Turn.of(game.offer))[1]
    game.accept = sign_accept(
        Turn.of(game.offer), signer("ben"), "ben", "red", terms, bytes(16), b"g" * 16, length=CHAIN
    ).block
    besieged.opens(game.accept)
    game.secrets["ben"] = Secrets.of(signer("ben"), game.table.anchors["ben"])
    for kind, body in (("orders", (Statement("rest", ()),)), ("resign", ()), ("begin", ()), ("claim", ())):
        early = forged(game, "ben", body, kind=kind, anchor=some_anchor(game))
        assert "`begin` of anna is due" in besieged.will_not_open(early)
    block = besieged.sends()
    assert parse_entry(block.payload).kind == "begin"
    assert parse_entry(block.payload).body == ()
    assert str(game.table.due()) == "orders of ben are due"


AGREEMENTS = {
    "draw": proposal_body("draw", "offer"),
    "undo": proposal_body("undo", "offer", 2),
    "resign": (),
    "claim": (),
    "accept-rekey": None,
    "rekey": None,
    "recover": None,
    "substitute": None,
}


@pytest.mark.parametrize("kind", AGREEMENTS)
@pytest.mark.parametrize("name", ["anna", "ben"])
def test_an_agreement_as_entry_2_is_refused(duel: MakeDuel, siege: MakeSiege, kind: str, name: str) -> None:
    """Before, a draw or resign before both had chains left a game in which nobody was due."""
    besieged = siege(0, "short", deadline=1).begin()
    game = besieged.game
    body, anchor = AGREEMENTS[kind], some_anchor(game, name)
    if body is None:
        body, anchor = renamed(game, "anna" if (kind == "accept-rekey") == (name == "ben") else "ben", "carl")
        body = naming(kind, body)
    block = forged(game, name, body, kind=kind, anchor=anchor)
    if kind == "recover":
        block = block._replace(armor=signer("carl").sign(block.payload))
        refused(game, block, BadSignature, f"{name} has no recovery key in this game")
    else:
        refused(game, block, BadLog, "can't make a|out of bounds|orders of anna are due")
    assert besieged.will_not_open(block)
    besieged.sends("rest;")


def test_her_own_program_makes_no_agreement_before_entry_2(siege: MakeSiege) -> None:
    besieged = siege().begin()
    write_key(besieged.root / "KEY", "anna2")
    reason = besieged.refuses("rekey", str(besieged.root / "KEY"), "-o", str(besieged.root / "no.eml"))
    assert "yet" in reason
    assert "orders of anna are due" in reason
    assert "can't be taken back; decisions that can be: none" in besieged.refuses("undo", "2")
    besieged.sends("rest;")


@pytest.mark.parametrize("kind", ["draw", "resign"])
def test_what_she_asks_for_before_entry_2_waits_until_then(siege: MakeSiege, kind: str) -> None:
    besieged = siege().begin()
    before = besieged.folder.text()
    said = besieged.does(kind, *["--yes"] * (kind == "resign"), "-o", str(besieged.root / "no.eml"))
    assert "is kept, and goes with the mail after that" in " ".join(said.err.split())
    assert besieged.folder.text() == before
    assert not (besieged.root / "no.eml").exists()
    besieged.sends("rest;")


# --- nobody is silenced or drowned ----------------------------------------------------------------------------------


def rekeyed(besieged: Siege, number: int) -> Block:
    """Ben's next rekey, to a key of this number; `signer_of` is the one before."""
    game = besieged.game
    body, anchor = renamed(game, "ben", f"ben{number}")
    entry = game.entry("ben", body, kind="rekey", anchor=anchor, reveal=None)
    return Block(entry.payload, signer(f"ben{number - 1}" if number else "ben").sign(entry.payload))


def test_an_answer_behind_the_20th_agreement_is_taken_and_a_21st_refused(siege: MakeSiege) -> None:
    """Before, agreement followed agreement until no command read the log. In the first form of the limit the answer to
    the last one was counted too, and nobody could go on."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    for number in range(limits.AGREEMENTS_MAX - 1):
        besieged.opens(rekeyed(besieged, number))
    last = f"ben{limits.AGREEMENTS_MAX - 2}"
    entry = game.entry("ben", proposal_body("draw", "offer"), kind="draw", reveal=None)
    besieged.opens(Block(entry.payload, signer(last).sign(entry.payload)))
    assert game.table.agreed["ben"] == limits.AGREEMENTS_MAX
    besieged.agrees("draw", "--refuse")
    entry = game.entry("ben", proposal_body("undo", "offer", 2), kind="undo", reveal=None)
    reason = besieged.will_not_open(Block(entry.payload, signer(last).sign(entry.payload)))
    assert f"ben has made {limits.AGREEMENTS_MAX} such entries since anybody's last turn; no more can follow" in reason
    entry = game.entry("ben", (Statement("rest", ()),), kind="orders", reveal=None)
    besieged.opens(Block(entry.payload, signer(last).sign(entry.payload)))
    besieged.goes_on()


def test_a_refused_proposal_is_not_made_again_before_its_author_decides(siege: MakeSiege) -> None:
    """Before, a proposal could be made again and again, and the deadline with it be put off."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    besieged.opens(forged(game, "ben", proposal_body("draw", "offer"), kind="draw"))
    besieged.agrees("draw", "--refuse")
    again = forged(game, "ben", proposal_body("draw", "offer"), kind="draw")
    assert "it was refused; ben can't propose it again before his next decision" in besieged.will_not_open(again)
    besieged.opens(forged(game, "ben", "say hm;"))
    besieged.sends()
    besieged.opens(forged(game, "ben", proposal_body("draw", "offer"), kind="draw"))
    besieged.goes_on()


def talk(size: int) -> tuple[Statement, ...]:
    """`say` whose lines have so many bytes together, as 4,096 are at most in one."""
    found: list[Statement] = []
    while size:
        line = min(size, 81) if size - min(size, 81) not in range(1, 7) else 60
        found.append(Statement("say", ("w" * (line - 6),)))
        size -= line
    return tuple(found)


def test_a_flood_of_talk_is_refused_and_her_answer_never_too_long(siege: MakeSiege) -> None:
    """Before, 900 kB of `say` were taken, and the answer couldn't be mailed: its report was too large, for ever."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    done = Statement("rest", ())
    lines = forged(game, "ben", (done,)).payload.decode().splitlines()[:-1]
    flood = resummed([*lines[:-1], *["say " + " ".join(["w" * 79] * 51) + ";"] * 226, "rest;"])
    assert len(flood) > 900_000
    assert "262144" in besieged.will_not_open(signed(flood, "ben")).replace(",", "")
    for body in ((*talk(limits.SAY_MAX + 1), done), (*talk(limits.SAY_MAX), *talk(60), done)):
        assert f"its `say` have {limits.say_size(body)} bytes, 4096 at most" in besieged.will_not_open(
            forged(game, "ben", body)
        )
    besieged.opens(forged(game, "ben", (*talk(limits.SAY_MAX), done)))
    besieged.goes_on()


def test_thousands_of_lapsing_orders_leave_her_an_answer(siege: MakeSiege) -> None:
    """Before, 3,300 orders that lapse were taken, and the answer couldn't be mailed because of their report."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    lapsing = Statement("if", ("scout", "at", "nowhere", "then", "bet", "1"))
    lapsing = lapsing_order(game) or lapsing
    besieged.opens(forged(game, "ben", (*[lapsing] * 3300, Statement("rest", ()))))
    assert sum(step["kind"] == "lapse" for step in game.table.steps) >= 3300
    besieged.goes_on()


def lapsing_order(game: Duel) -> Statement | None:
    """An order of ben's that can't be carried out."""
    for words in (("move", "guard-1", "rear"), ("hit", "lancer"), ("move", "lancer", "front")):
        try:
            table = taken(game, forged(game, "ben", (Statement(words[0], words[1:]), Statement("rest", ()))))
        except BadLog:
            continue
        if any(step["kind"] == "lapse" for step in table.steps):
            return Statement(words[0], words[1:])
    return None


@pytest.fixture
def small_shares(monkeypatch: pytest.MonkeyPatch) -> int:
    """Shares of the log that are full soon: 31, 31.5 and 32 times so many bytes."""
    unit = 1000
    for name, half in (("_SHARE", 62), ("_SHARE_OF_ANSWERS", 63), ("_SHARE_AT_THE_END", 64)):
        monkeypatch.setattr(limits, name, half * unit // 2)
    return unit


def test_who_fills_his_share_of_the_log_closes_the_game_for_himself_alone(siege: MakeSiege, small_shares: int) -> None:
    """Before, agreement after agreement with a megabyte of talk brought the log past 64 MiB, and no command read it."""
    besieged = at_ben_s_turn(siege(0, "long"))
    game = besieged.game
    for size in (limits.SAY_MAX, 300, 7):
        block = forged(game, "ben", talk(size))
        while game.table.sizes["ben"] + limits.block_size(parse_entry(block.payload)) <= 31 * small_shares:
            besieged.opens(block)
            besieged.goes_on()
            block = forged(game, "ben", talk(size))
        assert "ben's share of the log would have" in besieged.will_not_open(block)
    assert "ben's share of the log would have" in besieged.will_not_open(forged(game, "ben", "rest;"))
    assert game.table.sizes["anna"] < 31 * small_shares
    assert len(besieged.folder.text()) == sum(game.table.sizes.values())
    besieged.opens(forged(game, "ben", proposal_body("draw", "offer"), kind="draw"))
    besieged.agrees("draw", "--refuse")
    besieged.opens(forged(game, "ben", kind="resign"))
    assert game.table.outcome is not None


# --- deadlines ------------------------------------------------------------------------------------------------------


def test_who_may_claim(duel: MakeDuel) -> None:
    """Not who is due, nor who owes an answer; who waits may, also for the answer to his own proposal."""
    game = duel(0, "long", deadline=1)
    game.play("anna", "say hm;")
    game.play("ben")
    error = refused(game, forged(game, "anna", kind="claim"), BadLog, "anna can't make a `claim` now")
    assert "orders of anna are due" in str(error)
    taken(game, forged(game, "ben", kind="claim"))
    game.give(forged(game, "anna", proposal_body("draw", "offer"), kind="draw"))
    error = refused(game, forged(game, "ben", kind="claim"), BadLog, "ben can't make a `claim` now")
    assert "an answer of ben is due" in str(error)
    assert taken(game, forged(game, "anna", kind="claim")).outcome is not None


def test_a_claim_leaves_a_due_reveal_unmade_and_has_the_state_before_its_dice(duel: MakeDuel) -> None:
    """Ben knows the dice of anna's bet, is late with them, and can neither claim nor hide behind what he rolled."""
    game = duel(0, "long", deadline=1)
    game.play("anna", "bet 1; rest;")
    public = game.table.state_hash()
    claim = forged(game, "anna", kind="claim", state=public)
    assert taken(game, claim).outcome is not None
    refused(game, forged(game, "ben", kind="claim", reveal=None), BadLog, "reveal is missing|can't make a `claim`")
    rolled = game.view("ben").state_hash()
    assert rolled != public
    refused(game, forged(game, "anna", kind="claim", state=rolled), BadLog, "the state is not the one")
