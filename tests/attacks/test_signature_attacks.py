"""Attacks on keys and signatures: every form that somebody could take for a good one, refused by its name."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from attacks.cheater import (
    NEUTRAL,
    ORDER_8,
    another_signature,
    forged,
    mixed_order_key,
    raw,
    refused,
    refused_by,
    renamed,
    resummed,
    signed,
    sshsig,
    taken,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from toy.players import Duel, Post, mail, private_key, signer

from pbem.crypto import dice
from pbem.crypto import sshsig as signing
from pbem.crypto.ed25519 import L
from pbem.crypto.openssh import to_text
from pbem.desk.arrival import take_in
from pbem.desk.letter import read_letter
from pbem.errors import BadLog, BadSignature, Damaged, KeyProblem
from pbem.mail.inbox import Mail
from pbem.match.genesis import verify_offer
from pbem.wire.blocks import Block, find_blocks, render_block
from pbem.wire.bodies import key_statement, terms_body
from pbem.wire.entry import build_entry, parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

MakeDuel = Callable[..., Duel]

needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen isn't installed")


def armored(game: Duel, make: Callable[[bytes], str]) -> tuple[Block, Block]:
    """Anna's orders with a forged signature, and the same with the honest one."""
    honest = game.sign("anna", "bet 3; rest;")
    return honest._replace(armor=make(honest.payload)), honest


def refuses_form(game: Duel, make: Callable[[bytes], str], match: str) -> BadSignature:
    """The signature is refused by its name at a table; its honest twin is taken."""
    block, honest = armored(game, make)
    error = refused(game, block, BadSignature, match)
    assert isinstance(error, BadSignature)
    assert "anna's signature doesn't hold" in str(error)
    taken(game, honest)
    return error


def plus_l(sig64: bytes) -> bytes:
    """S + L in place of S: it verifies as well."""
    return sig64[:32] + (int.from_bytes(sig64[32:], "little") + L).to_bytes(32, "little")


# --- forms of one signature


def test_the_forger_makes_the_honest_block_when_nothing_deviates(duel: MakeDuel) -> None:
    game = duel()
    block, honest = armored(game, lambda payload: sshsig("anna", raw("anna", payload)))
    assert block == honest


def test_version_0_is_refused(duel: MakeDuel) -> None:
    refuses_form(duel(), lambda p: sshsig("anna", raw("anna", p), version=0), "SSHSIG version 0; only version 1")


def test_version_2_is_refused(duel: MakeDuel) -> None:
    refuses_form(duel(), lambda p: sshsig("anna", raw("anna", p), version=2), "SSHSIG version 2")


@pytest.mark.parametrize("junk", [b"\0", b"a free choice of one more form"])
def test_the_reserved_field_must_be_empty(duel: MakeDuel, junk: bytes) -> None:
    game = duel()
    refuses_form(game, lambda p: sshsig("anna", raw("anna", p), reserved=junk), f"reserved field holds {len(junk)} byt")


def test_s_plus_l_is_refused(duel: MakeDuel) -> None:
    game = duel()
    refuses_form(game, lambda p: sshsig("anna", plus_l(raw("anna", p))), "S isn't below the group order")


def test_bytes_left_over_in_a_field_are_refused(duel: MakeDuel) -> None:
    game = duel()
    refuses_form(game, lambda p: sshsig("anna", raw("anna", p), tail=b"\0"), "1 bytes too many after the signature")
    match = "2 bytes too many after the signature value"
    refuses_form(game, lambda p: sshsig("anna", raw("anna", p), inner_tail=b"ab"), match)
    refuses_form(game, lambda p: sshsig("anna", raw("anna", p) + b"\0"), "65 bytes instead of 64")


def test_junk_behind_the_end_is_refused(duel: MakeDuel) -> None:
    game = duel()
    for junk in ("junk\n", "junk", "\n", "AAAA\n-----END SSH SIGNATURE-----\n"):
        refuses_form(
            game, lambda p, junk=junk: sshsig("anna", raw("anna", p)) + junk, "after -----END SSH|no line -----END SSH"
        )
    refuses_form(game, lambda p: sshsig("anna", raw("anna", p))[:-1] + "junk\n", "no line -----END SSH SIGNATURE")


def test_a_second_signature_behind_the_first_is_refused(duel: MakeDuel) -> None:
    """Neither a good one behind a bad one nor the other way round."""
    game = duel()
    good = signer("anna").sign
    match = "something after -----END SSH SIGNATURE-----; one signature, and nothing after it"
    refuses_form(game, lambda p: good(p) + good(p), match)
    refuses_form(game, lambda p: good(b"other") + good(p), match)
    refuses_form(game, lambda p: good(p) + signer("ben").sign(p), match)


def test_a_second_signature_in_a_mail_signs_nothing(post: Post) -> None:
    """The first is the turn's; what stands behind it is text around the block."""
    post.begun()
    block = post.send("anna", "rest;")
    bad = block._replace(armor=signer("ben").sign(block.payload))
    text = render_block(bad) + block.armor
    refused_by(post, "ben", Mail("turn.eml", "", "", "", "", "", (text,)), BadSignature, "another key than the player")
    text = render_block(block) + bad.armor
    take_in(post.desk("ben"), read_letter(Mail("turn.eml", "", "", "", "", "", (text,))))
    assert post.place("ben").text.endswith(render_block(block))
    assert bad.armor not in post.place("ben").text


def test_crlf_and_text_around_are_repaired_before_the_check_and_refused_by_it(duel: MakeDuel) -> None:
    game = duel()
    honest = game.sign("anna", "rest;")
    for spoiled in (honest.armor.replace("\n", "\r\n"), "text\n" + honest.armor, "> " + honest.armor):
        with pytest.raises(BadSignature, match=r"doesn't begin with|no line -----END"):
            signing.verify(honest.payload, spoiled, signer("anna").pub_blob)
    text = render_block(honest)
    for mailed in (
        text.replace("\n", "\r\n"),
        "text\n" + text,
        "".join(f"> {line}\n" for line in text.splitlines()),
        text.replace("-----BEGIN SSH SIGNATURE-----", "-----BEGIN SSH SIGNATURE----- "),
    ):
        assert find_blocks(mailed) == [honest]


def test_another_valid_signature_of_the_same_text_is_the_same_turn(post: Post) -> None:
    post.begun()
    block = post.exchange("anna", "rest;")
    other = block._replace(armor=sshsig("anna", another_signature("anna", block.payload, 2**201)))
    assert other != block
    signing.verify(other.payload, other.armor, signer("anna").pub_blob)
    assert take_in(post.desk("ben"), read_letter(mail(other))).what == "known"
    assert not (post.root / "ben" / "evidence").exists(), "no second turn, no evidence"


# --- keys that are none


@pytest.mark.parametrize(
    ("key", "why"),
    [
        (NEUTRAL, "small order: anybody's signature would fit any text"),
        (ORDER_8, "small order"),
        (bytes(32), "small order"),
        (mixed_order_key(), "isn't of prime order"),
        (b"\xee" + b"\xff" * 30 + b"\x7f", "isn't canonical|small order"),
        (b"\x02" + bytes(31), "isn't a point|prime order"),
    ],
)
def test_a_small_or_mixed_order_key_is_not_admitted(duel: MakeDuel, key: bytes, why: str) -> None:
    game = duel()
    player = game.player("anna")._replace(key=signing.blob_from_raw(key))
    payload = build_entry(kind="offer", seq=0, by="anna", nonce="0" * 32, body=terms_body(player, game.terms)).payload
    block = Block(payload, sshsig("anna", NEUTRAL + bytes(32), key=player.key))
    with pytest.raises(KeyProblem, match=why):
        verify_offer(Turn.of(block))
    verify_offer(Turn.of(game.offer))


def test_a_rekey_to_such_a_key_is_refused(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "rest;")
    game.play("ben", "rest;")
    body, anchor = renamed(game, "anna", "anna2")
    for key, why in ((NEUTRAL, "small order"), (mixed_order_key(), "isn't of prime order")):
        weak = (key_statement("key", signing.blob_from_raw(key)), *body[1:])
        block = forged(game, "anna", weak, kind="rekey", anchor=anchor)
        refused(game, block, BadLog, f"`key`: the key .*{why}|{why}.*`key`")
        recovery = key_statement("recovery", signing.blob_from_raw(key))
        block = forged(game, "anna", (*body, recovery), kind="rekey", anchor=anchor)
        refused(game, block, BadLog, why)
    taken(game, forged(game, "anna", body, kind="rekey", anchor=anchor))


def test_the_neutral_key_would_sign_everything(duel: MakeDuel) -> None:
    """Baseline: the library takes one constant signature of that key for any text; the strict profile doesn't."""
    for text in (b"one", b"two"):
        Ed25519PublicKey.from_public_bytes(NEUTRAL).verify(NEUTRAL + bytes(32), text)
        with pytest.raises(BadSignature, match="small order"):
            signing.verify_raw(NEUTRAL, NEUTRAL + bytes(32), text)


def test_r_of_small_order_is_refused(duel: MakeDuel) -> None:
    refuses_form(duel(), lambda p: sshsig("anna", NEUTRAL + raw("anna", p)[32:]), "R is a point of small order")


# --- signatures that are somebody else's, or for something else


@pytest.mark.parametrize("namespace", ["git", "file", "pbem-turn-v2", "pbem-root-v1", ""])
def test_a_signature_made_for_another_purpose_is_refused(duel: MakeDuel, namespace: str) -> None:
    game = duel()

    def other(payload: bytes) -> str:
        made = raw("anna", payload, namespace) if namespace else bytes(64)
        return sshsig("anna", made, namespace=namespace.encode())

    refuses_form(game, other, f"namespace {namespace}; it must be pbem-turn-v1")


def test_a_signature_relabelled_for_turns_is_refused(duel: MakeDuel) -> None:
    """The namespace is under the signature, not only beside it."""
    refuses_form(duel(), lambda p: sshsig("anna", raw("anna", p, "git")), "doesn't fit the text")


def test_a_turn_is_no_signature_for_anything_else(duel: MakeDuel) -> None:
    block = duel().sign("anna", "rest;")
    with pytest.raises(BadSignature, match="namespace pbem-turn-v1; it must be git"):
        signing.verify(block.payload, block.armor, signer("anna").pub_blob, "git")


def test_the_root_message_is_no_turn(duel: MakeDuel) -> None:
    """Who gets it signed for turns has nothing that a log takes."""
    game = duel()
    message = dice.root_message(bytes(16), game.genesis.game)
    with pytest.raises(Damaged, match="no statement"):
        parse_entry(message)
    with pytest.raises(Damaged, match="no statement"):
        find_blocks(render_block(Block(message, signer("anna").sign(message))))


def test_a_key_swapped_in_the_mail_is_refused(duel: MakeDuel, post: Post) -> None:
    """The thief signs rightly with his own key; the player's key is that of the genesis."""
    game = duel()
    match = "made with another key than the player's"
    refuses_form(game, lambda p: sshsig("mallory", raw("mallory", p)), match)
    refuses_form(game, lambda p: sshsig("mallory", raw("anna", p)), match)
    refuses_form(game, lambda p: sshsig("anna", raw("mallory", p)), "doesn't fit the text")
    post.begun()
    block = post.send("anna", "rest;")
    refused_by(post, "ben", block._replace(armor=signer("mallory").sign(block.payload)), BadSignature, match)


def test_a_key_named_in_a_turn_is_refused(duel: MakeDuel) -> None:
    """Only offer, accept and rekey name keys."""
    game = duel()
    key = signer("mallory").pub_blob
    statement = next(s for s in terms_body(game.player("anna")._replace(key=key), game.terms) if s.keyword == "key")
    entry = game.entry("anna", (statement, Statement("rest", ())))
    refused(game, signed(entry, "anna"), BadLog, "its orders can't be read")


def test_the_opponent_signs_for_nobody_but_himself(duel: MakeDuel) -> None:
    game = duel()
    entry = parse_entry(game.sign("anna", "rest;").payload)
    refused(game, signed(entry, "ben"), BadSignature, "anna's signature doesn't hold: it was made with another key")
    refused(game, forged(game, "anna", "rest;", by="ben"), BadSignature, "ben's signature doesn't hold")


# --- ssh-keygen beside it


@pytest.mark.parametrize("name", ["*", "anna,ben", "!ben", "Anna", "-anna", "", "a" * 17])
def test_a_name_that_ssh_keygen_takes_for_a_pattern_is_none(duel: MakeDuel, name: str) -> None:
    """Names go into the allowed_signers of a third party, where `*` is everybody and a comma makes a list."""
    lines = duel().offer.payload.decode().splitlines()[:-1]
    renamed = [f"by {name}".strip() + ";" if line.startswith("by ") else line for line in lines]
    with pytest.raises(Damaged, match=r"a player's name: small letters|the token '.*' (holds|doesn't begin with)"):
        parse_entry(resummed(renamed))


@needs_ssh_keygen
def test_what_ssh_keygen_makes_of_these_forms_is_no_help(duel: MakeDuel, tmp_path: Path) -> None:
    """The one-way property: ssh-keygen may take some of these forms, but takes each that we take."""
    payload = duel().sign("anna", "rest;").payload
    key = private_key("anna")
    (tmp_path / "allowed").write_text(
        f"anna {to_text(signing.blob_from_raw(key.public_key().public_bytes_raw()), '')}\n"
    )
    honest = raw("anna", payload)
    forms = {
        "honest": sshsig("anna", honest),
        "another": sshsig("anna", another_signature("anna", payload, 2**202)),
        "version 0": sshsig("anna", honest, version=0),
        "reserved": sshsig("anna", honest, reserved=b"x"),
        "S + L": sshsig("anna", plus_l(honest)),
        "tail": sshsig("anna", honest, tail=b"x"),
        "namespace": sshsig("anna", raw("anna", payload, "git"), namespace=b"git"),
        "junk": sshsig("anna", honest) + "junk\n",
    }
    ours, theirs = set(), set()
    for name, form in forms.items():
        (tmp_path / "sig").write_text(form)
        command = ["ssh-keygen", "-Y", "verify", "-f", str(tmp_path / "allowed"), "-I", "anna"]
        command += ["-n", signing.NAMESPACE, "-s", str(tmp_path / "sig")]
        if subprocess.run(command, input=payload, capture_output=True, check=False).returncode == 0:
            theirs.add(name)
        try:
            signing.verify(payload, form, signer("anna").pub_blob)
            ours.add(name)
        except BadSignature:
            continue
    assert ours == {"honest", "another"}
    assert ours <= theirs
