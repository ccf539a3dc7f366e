"""Bad input at the command line: one line that says what, where and what would be right; nothing changes on disk."""

from __future__ import annotations

import base64
import errno
import json
import os
import re
import signal
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli_player import World, pbem_says, tree
from letters import blocks_of

import pbem.home.folders
import pbem.scenario
from pbem.crypto.keys import load_signer
from pbem.home.contents import LAID, NOTES
from pbem.home.files import _holder as holder_words
from pbem.home.settings import SETTINGS
from pbem.home.wishes import WISH
from pbem.mail.inbox import read_mails
from pbem.scenario import load_scenario
from pbem.wire.blocks import Block, read_log_blocks, render_block
from pbem.wire.entry import build_entry, parse_entry
from pbem.wire.statements import Statement

EARLIER = Path(__file__).with_name("yukimura-1.log")
"""A log of an edition of the rules that this program plays no more."""


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Ben hasn't opened asuka's newest turn, 4.eml."""
    return World(tmp_path)


def block_of(path: str) -> Block:
    """The block of a mail."""
    return blocks_of(next(iter(read_mails(path))))[0]


def signed_by(world: World, name: str, payload: bytes) -> str:
    """A block with a player's signature, as text."""
    return render_block(Block(payload, load_signer(world.home(name) / "key").sign(payload)))


def resealed(payload: bytes, old: bytes, new: bytes) -> bytes:
    """An entry with other words, its `end` statement made to fit."""
    assert old in payload
    statements = payload.replace(old, new).splitlines(keepends=True)[:-1]
    entry = parse_entry(payload)
    fields = {"pbem", "kind", "game", "seq", "prev", "by", "nonce", "anchor", "reveal", "state"}
    words = [line.decode().strip().rstrip(";").split(" ") for line in statements]
    head = {w[0]: w[1:] for w in words if w[0] in fields}
    body = [Statement(w[0], tuple(w[1:])) for w in words if w[0] not in fields]
    return build_entry(
        kind=head["kind"][0],
        game=head["game"][0] if "game" in head else None,
        seq=int(head["seq"][0]),
        prev=head["prev"][0] if "prev" in head else None,
        by=head["by"][0],
        nonce=head["nonce"][0],
        anchor=entry.anchor,
        reveal=(int(head["reveal"][0]), head["reveal"][1]) if "reveal" in head else None,
        state=head["state"][0] if "state" in head else entry.state,
        body=tuple(body),
    ).payload


# --- mails -------------------------------------------------------------------------------------------------------


def test_the_good_twin(world: World) -> None:
    """What the bad mails below are made of is taken as it is."""
    said = world.says("ben", "open", "--quiet", world.path("4.eml"))
    assert said.code == 0
    assert "entry 4 (orders by asuka) is taken" in said.err


def test_the_same_turn_again(world: World) -> None:
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    before = tree(world.root)
    said = world.says("ben", "open", world.path("4.eml"))
    assert (said.code, said.out) == (0, ""), "the report isn't shown again"
    assert "is known already\npbem: hint: `pbem report` shows how the game stands\n" in said.err
    assert tree(world.root) == before


def test_a_known_turn_beside_a_new_one_hides_no_report(world: World) -> None:
    said = world.says("ben", "open", "--no-browser", world.path("4.eml"), world.path("accept.eml"))
    assert (said.code, "is known already" in said.err, "Report for ben" in said.out) == (0, True, True)


def test_what_is_missing_is_named_with_an_example(world: World) -> None:
    said = world.says("ben", "accept")
    example = "pbem accept offer.eml --name ben --mail ben@example.net -o accept.eml"
    assert (said.code, said.err) == (2, f"pbem: OFFER is missing\npbem: hint: write for example `{example}`\n")
    assert world.says("ben", "accept", "offer.eml").err.startswith("pbem: --name is missing\n")


def damaged(line: str) -> set[int]:
    """The statements that a message calls damaged."""
    ranges = [part.split("-") for part in line.rpartition("damaged statements: ")[2].partition(";")[0].split(", ")]
    return {number for ends in ranges for number in range(int(ends[0]), int(ends[-1]) + 1)}


def test_a_damaged_block_names_the_statements(world: World) -> None:
    lines = render_block(block_of(world.path("4.eml"))).splitlines(keepends=True)
    moves = [n for n, line in enumerate(lines) if line.startswith("move ")]
    lines[moves[0]] = lines[moves[0]].replace("move", "mvoe")
    line = world.refused("ben", "open", world.write("bad.eml", "".join(lines)))
    assert line.startswith("bad.eml, turn block at line 1: damaged statements: ")
    assert moves[0] in damaged(line)
    assert line.endswith("; ask for it again: `pbem send --again -o turn.eml` writes it there")
    assert moves[-1] not in damaged(line)
    lines[moves[-1]] = lines[moves[-1]].replace("move", "m0ve")
    line = world.refused("ben", "open", world.write("bad.eml", "".join(lines)))
    assert {moves[0], moves[-1]} <= damaged(line)
    assert 1 not in damaged(line)


@pytest.mark.parametrize(
    ("cut", "says"),
    [
        ("-----END PBEM TURN-----", "cut off"),
        ("-----BEGIN SSH SIGNATURE-----", "signature is missing"),
        ("-----END SSH SIGNATURE-----", "signature is cut off"),
    ],
)
def test_a_block_cut_off(cut: str, says: str, world: World) -> None:
    text = render_block(block_of(world.path("4.eml")))
    line = world.refused("ben", "open", world.write("bad.eml", text[: text.index(cut)]))
    assert line.startswith("bad.eml, turn block at line 1: ")
    assert says in line


def test_no_turn_in_a_mail(world: World) -> None:
    line = world.refused("ben", "open", world.write("bad.eml", "From: a@b.c\nSubject: hello\n\nHow are you?\n"))
    assert line == "bad.eml: no turn is in this mail; a block between BEGIN and END PBEM TURN is needed"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "it is a picture, no mail; save the mail that your opponent sent"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "it is a picture, no mail; save the mail"),
        (b"PK\x03\x04", "and documents of word processors are, no mail; `pbem restore it` restores a backup"),
        (
            b"move sg-01 to 0622\ndone\n",
            "it looks like an order file, no mail; `pbem check it` checks orders, `pbem send it",
        ),
        (b"<!DOCTYPE html>\n<html><body>1</body></html>", "it is a page (HTML), no mail; save the mail"),
        (b'{"report": 1}', "it is data (JSON), no mail; save the mail"),
        (b"ssh-ed25519 " + b"A1b2" * 17 + b" me 1\n", "it is a public key, no mail; save the mail"),
        (b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n", "it is a private key, no mail; it stays with its owner"),
        (b"Thanks, see you tomorrow\n", "no turn is in this mail; a block between BEGIN and END PBEM TURN is needed"),
        (b"From: a@b.c\nSubject: x\n\nmove sg-01 to 0622\ndone\n", "no turn is in this mail"),
    ],
)
def test_what_is_no_mail_is_called_what_it_is(
    data: bytes, says: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world.root)
    world.write("it", data)
    assert says in world.refused("ben", "open", "it")
    said = world.says("ben", "open", "--quiet", "it", "4.eml")
    assert (said.code, says in said.err, "entry 4 (orders by asuka) is taken" in said.err) == (1, True, True)


def test_a_mail_in_an_archive_is_not_read_out_of_it(world: World) -> None:
    """Stored without compression it stood there as it is, and was called damaged."""
    with zipfile.ZipFile(world.path("it.zip"), "w") as archive:
        archive.write(world.path("4.eml"), "4.eml")
    assert "it is a zip archive, as backups" in world.refused("ben", "open", world.path("it.zip"))


def test_a_form_is_no_mail(world: World) -> None:
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    form = world.write("form.txt", world.does("ben", "form"))
    assert "it looks like an order file, no mail" in world.refused("ben", "open", form)


def test_no_turn_in_a_folder(world: World) -> None:
    folder = world.root / "inbox"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"{number}.eml").write_text("From: a@b.c\n\nHow are you?\n")
    line = world.refused("ben", "open", str(folder))
    assert line == "inbox: none of the 2 mails holds a turn; a mail with a turn block is needed"


def test_two_different_turns_in_a_mail(world: World) -> None:
    payload = resealed(block_of(world.path("4.eml")).payload, b"seq 4;", b"seq 5;")
    text = render_block(block_of(world.path("4.eml"))) + signed_by(world, "asuka", payload)
    line = world.refused("ben", "open", world.write("bad.eml", text))
    assert line == (
        "bad.eml: 2 different new turns are in this mail: orders 4 by asuka, orders 5 by asuka; one mail, one turn; "
        "`pbem verify FILE` reads a log"
    )


def test_a_turn_of_another_game(world: World) -> None:
    game = parse_entry(block_of(world.path("4.eml")).payload).game or ""
    payload = resealed(block_of(world.path("4.eml")).payload, game.encode(), b"ab" * 32)
    line = world.refused("ben", "open", world.write("bad.eml", signed_by(world, "asuka", payload)))
    assert line == f"bad.eml: it is a turn of another game, {'ab' * 8}; the games here are: {game[:16]}"


def test_a_later_entry(world: World) -> None:
    payload = resealed(block_of(world.path("4.eml")).payload, b"seq 4;", b"seq 6;")
    line = world.refused("ben", "open", world.write("bad.eml", signed_by(world, "asuka", payload)))
    assert line.startswith("bad.eml, game ")
    assert line.endswith("entry 6 comes too early; entry 4 is due first")


def test_an_older_entry_with_other_words_is_kept_as_evidence(world: World) -> None:
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    payload = block_of(world.path("4.eml")).payload
    move = next(line for line in payload.splitlines(keepends=True) if line.startswith(b"move "))
    bad = world.write("bad.eml", signed_by(world, "asuka", resealed(payload, move, b"")))
    log = world.log("ben").read_bytes()
    said = world.says("ben", "open", bad)
    assert said.code == 1
    assert len(said.err.splitlines()) == 1
    assert "entry 4 is in the log already, with other words" in said.err
    assert world.log("ben").read_bytes() == log
    kept = list((world.home("ben") / "evidence").iterdir())
    assert [read_log_blocks(path.read_text())[0].payload for path in kept] == [resealed(payload, move, b"")]


def test_an_older_entry_with_other_words_by_a_stranger_is_not_kept(world: World) -> None:
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    payload = block_of(world.path("4.eml")).payload
    move = next(line for line in payload.splitlines(keepends=True) if line.startswith(b"move "))
    line = world.refused("ben", "open", world.write("bad.eml", signed_by(world, "ben", resealed(payload, move, b""))))
    assert line.startswith("bad.eml")


def test_a_wrong_key(world: World) -> None:
    bad = world.write("bad.eml", signed_by(world, "ben", block_of(world.path("4.eml")).payload))
    line = world.refused("ben", "open", bad)
    assert line.startswith("bad.eml, signature: asuka's signature doesn't hold: it was made with another key")


def test_a_wrong_signature(world: World) -> None:
    block = block_of(world.path("4.eml"))
    other = block_of(world.path("2.eml"))
    bad = world.write("bad.eml", render_block(Block(block.payload, other.armor)))
    line = world.refused("ben", "open", bad)
    assert line.startswith("bad.eml, signature: asuka's signature doesn't hold: it doesn't fit the text")


def test_a_side_that_is_not_to_move(world: World) -> None:
    payload = block_of(world.path("4.eml")).payload
    reveal = next(line for line in payload.splitlines(keepends=True) if line.startswith(b"reveal "))
    payload = resealed(resealed(payload, reveal, b""), b"by asuka;", b"by ben;")
    line = world.refused("ben", "open", world.write("bad.eml", signed_by(world, "ben", payload)))
    assert line == "bad.eml, entry 4: ben is not to move; orders of asuka are due"


def test_a_player_nobody_knows(world: World) -> None:
    payload = resealed(block_of(world.path("4.eml")).payload, b"by asuka;", b"by carl;")
    line = world.refused("ben", "open", world.write("bad.eml", signed_by(world, "ben", payload)))
    assert "carl" in line
    assert "asuka" in line


def test_an_illegal_order_in_a_signed_turn_lapses(world: World) -> None:
    """A signed entry is never dropped for an order that the rules forbid: it lapses, with the reason."""
    payload = block_of(world.path("4.eml")).payload
    move = next(line for line in payload.splitlines(keepends=True) if line.startswith(b"move "))
    unit = move.split()[1].decode()
    far = f"move {unit} 2411;\n".encode()
    world.does("ben", "open", world.write("t.eml", signed_by(world, "asuka", resealed(payload, move, far))))
    said = world.does("ben", "report")
    told = " ".join(said.split())
    assert f'The order "move {unit} 2411" of the Former Shogunate lapsed: ' in told
    assert "aren't adjacent [8(1)]" in told


@pytest.mark.parametrize("junk", [b"\0\1\2\xff" * 4000, os.urandom(5000), b"\xff\xfe" + b"x\0" * 400, b""])
def test_binary_rubbish(junk: bytes, world: World) -> None:
    rubbish = world.write("rubbish", junk)
    assert world.refused("ben", "open", rubbish).startswith("rubbish: no turn is in this mail")
    assert world.refused("ben", "accept", rubbish, "--yes", "--name", "ben").startswith(
        "rubbish: no offer is in this mail"
    )
    assert "rubbish" in world.refused("ben", "verify", rubbish)
    assert "rubbish" in world.refused("ben", "rolls", rubbish)


def test_control_characters_of_a_mail_don_t_reach_the_terminal(world: World) -> None:
    name = "a\x1b[31m\nb.eml"
    line = world.refused("ben", "open", world.write(name, "nothing"))
    assert line.startswith("a\\x1b[31m\\nb.eml: no turn")


def test_a_mail_without_a_turn_says_what_was_not_read(world: World) -> None:
    mail = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nSee the file.\n--b\nContent-Type: {}\n\n{}\n--b--\n"
    needed = "no turn is in this mail; a block between BEGIN and END PBEM TURN is needed"
    for kind, content, told in (
        ("application/pdf", "%PDF-1.4", "; 1 part application/pdf was not read"),
        ("application/ms-tnef", "x", "; 1 part winmail.dat was not read"),
        ("application/octet-stream", "%PDF-1.4", "; 1 part application/pdf was not read"),
        ("text/plain", "x", ""),
    ):
        path = world.write("bad.eml", mail.format(kind, content))
        assert world.refused("ben", "open", path) == f"bad.eml: {needed}{told}"
        line = world.refused("ben", "accept", path, "--yes", "--name", "ben", "--to", "asuka@example.org")
        assert line == f"bad.eml: no offer is in this mail; exactly one is needed{told}"


HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What may not reach a terminal; a line's end may."""

HOSTILE = "\x1b]0;own\x07\x1b[2J\x9b31m\u202e\x00\x08\x7f"


def hostile_mail(path: str) -> bytes:
    """A mail with the turn of another one, whose headers write on the terminal."""
    word = f"=?utf-8?b?{base64.b64encode(HOSTILE.encode()).decode()}?="
    raw = f"From: {HOSTILE} {word} <asuka@example.org>\nTo: {word}\nSubject: {word}{HOSTILE}\nMessage-ID: {HOSTILE}\n"
    return (raw + f"Content-Type: text/plain; charset=utf-8\n\n{HOSTILE}\n{render_block(block_of(path))}").encode()


def test_nothing_of_a_hostile_offer_reaches_the_terminal(tmp_path: Path) -> None:
    """Neither of his mail, nor of what was kept of it, nor of the name under which it was saved."""
    world = World(tmp_path, "offered")
    world.write("a\x1b[31m.eml", hostile_mail(world.path("offer.eml")))
    offer = world.path("a\x1b[31m.eml")
    accept = ("accept", offer, "--yes", "--name", "ben", "-o", world.path("accept.eml"))
    said = [world.says("ben", *accept), world.says("ben", *accept, "--to", "asuka@example.org")]
    assert [answer.code for answer in said] == [1, 0], "no answer goes to such an address"
    contact = world.log("ben").with_name("contact.json")
    assert "asuka@example.org" in contact.read_text()
    stored = json.loads(contact.read_text())
    contact.write_text(json.dumps({"name": "ben", "mail": f"ben{HOSTILE}@x.org", "to": stored["to"] + HOSTILE}))
    log = world.write(f"b{HOSTILE.replace(chr(0), '')}.log", world.log("ben").read_bytes())
    commands: list[tuple[str, ...]] = [("games",), ("games", "--json"), ("report",), ("report", "--format", "json")]
    commands += [
        ("open", offer),
        ("open", "--json", offer),
        ("verify", log),
        ("evidence", offer, log),
        ("diff", log, log),
    ]
    commands += [("verify", offer), ("rolls", log), ("send", "--again"), ("send", "--again", "-o", world.path("x.eml"))]
    commands += [("backup", world.path("\x1bb.zip")), ("restore", world.path("\x1bb.zip")), ("brief", HOSTILE)]
    said += [world.says("ben", *words) for words in commands]
    world.does("asuka", "open", "--quiet", world.path("accept.eml"))
    contact = world.log("asuka").with_name("contact.json")
    contact.write_text(json.dumps({"name": f"asuka{HOSTILE}", "mail": "", "to": HOSTILE}))
    said += [world.says("asuka", "games"), world.says("asuka", "form"), world.says("asuka", "open", offer)]
    found = [text for answer in said for text in (answer.out, answer.err)]
    assert sum(map(bool, found)) >= len(said)
    for text in found:  # a mail on standard output has its CRLF
        assert not HARMFUL.search(text.replace("\r\n", "\n")), ascii(text)[:500]


def test_no_name_of_a_mail_stops_the_answer_to_it(tmp_path: Path) -> None:
    """A Message-ID of 902 letters was kept, but couldn't be written: `send` signed and appended, and no mail of that
    entry could be made any more. A longer one was always passed over."""
    world = World(tmp_path, "accepted")
    accept = re.sub(
        rb"(?m)^Message-ID: .*", b"Message-ID: <" + b"a" * 900 + b">", (tmp_path / "accept.eml").read_bytes()
    )
    world.does("asuka", "open", "--quiet", world.write("accept.eml", accept))
    contact = world.log("asuka").with_name("contact.json")
    stored = json.loads(contact.read_text())
    world.bot_sends("asuka", 2)
    assert "In-Reply-To" not in (tmp_path / "2.eml").read_text()
    for letters, answered in ((898, True), (899, False), (900, False)):
        contact.write_text(json.dumps({**stored, "answers": f"<{'a' * letters}>"}))
        again = world.does("asuka", "send", "--again")
        assert ("In-Reply-To" in again, "References" in again) == (answered, answered)


def test_a_file_of_50_megabytes(world: World) -> None:
    huge = world.write("huge", b"")
    os.truncate(huge, 50 << 20)
    assert world.refused("ben", "open", huge).startswith("huge: 50.0 MiB, a message may have 2; ")
    assert world.refused("ben", "accept", huge, "--yes", "--name", "ben").startswith("huge: 50.0 MiB")
    assert world.refused("asuka", "check", huge) == "huge: it is too large for an order file; 2 MiB at most"
    assert world.refused("asuka", "--key", huge, "verify", huge).startswith(
        "huge, entry 0: text before the first block"
    )
    os.truncate(huge, 70 << 20)
    assert world.refused("asuka", "verify", huge).startswith("huge: 73400320 bytes are too many for a game log")


def test_nothing_where_a_mail_should_be(world: World) -> None:
    assert world.refused("ben", "open", world.path("nothing.eml")) == "nothing.eml: No such file or directory"
    (world.root / "empty").mkdir()
    assert world.refused("ben", "open", world.path("empty")).startswith("empty: no mail is there; ")


# --- offers ------------------------------------------------------------------------------------------------------


def test_a_name_that_doesn_t_fit(tmp_path: Path) -> None:
    world = World(tmp_path, "offered")
    for name in ("Ben", "ben the second", "1st", "a-name-of-17-chars", "", "b\nc", "bén"):
        line = world.refused("ben", "accept", world.path("offer.eml"), "--yes", "--name", name)
        assert line.startswith("--name: ")
        assert "can't be a player's name; a small letter a-z, then a-z, 0-9 and -; 16 at most" in line
        line = world.refused("ben", "offer", "toba-fushimi", "--side", "satcho", "--name", name)
        assert "can't be a player's name" in line
    assert "as in ben-the-second" in world.refused(
        "ben", "accept", world.path("offer.eml"), "--yes", "--name", "Ben the Second"
    )
    assert world.says("ben", "accept", world.path("offer.eml"), "--yes", "--name", "a-name-of-16-let").code == 0


BAD_ADDRESSES = [
    "nonsense", "ben@", "@example.net", "ben@example.net\nBcc: all@example.org", "ben@example.net\r\n\r\nHello",
    "a@example.net, b@example.net", "ben@exämple.net", "ben example.net", "ben@example.net\0", "<ben@example net>",
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD_ADDRESSES)
def test_a_mail_address_that_is_none(bad: str, tmp_path: Path) -> None:
    world = World(tmp_path, "offered")
    offer = ("offer", "toba-fushimi", "--side", "satcho", "--name", "ben")
    accept = ("accept", world.path("offer.eml"), "--yes", "--name", "ben")
    for command in (offer, accept):
        for option in ("--mail", "--to"):
            line = world.refused("ben", *command, option, bad)
            assert line.startswith(f"{option}: ")
            assert "isn't a mail address; one address it must be, as in ben@example.net" in line


def test_a_mail_address_for_a_turn_that_is_none(world: World) -> None:
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    orders = world.write("orders.txt", "done;\n")
    line = world.refused("ben", "send", orders, "--to", "asuka\nBcc: all@example.org")
    assert line.startswith("--to: ")


def test_a_mail_address_that_is_one(tmp_path: Path) -> None:
    world = World(tmp_path, "offered")
    mail = world.path("accept.eml")
    words = ("--mail", "Ben Bär <ben+game@mail.example.net>", "--to", '"Lady, Asuka" <asuka@example.org>')
    world.does("ben", "accept", world.path("offer.eml"), "--yes", "--name", "ben", *words, "-o", mail)
    found = next(iter(read_mails(mail)))
    assert "ben+game@mail.example.net" in found.sender
    assert "asuka@example.org" in found.to


def test_an_offer_of_another_rules_edition(tmp_path: Path) -> None:
    world = World(tmp_path, "offered")
    payload = resealed(block_of(world.path("offer.eml")).payload, b"rules bakumatsu/1;", b"rules bakumatsu/7;")
    line = world.refused(
        "ben", "accept", world.write("bad.eml", signed_by(world, "asuka", payload)), "--yes", "--name", "ben"
    )
    assert line == ("bad.eml, toba-fushimi: the game is of rules edition bakumatsu/7; this program plays bakumatsu/1")


def test_a_log_of_an_earlier_rules_edition(tmp_path: Path) -> None:
    """It was good by yukimura/1, whose zones of control and chain retreats were read otherwise."""
    world = World(tmp_path, "new")
    log = world.write("old.log", EARLIER.read_bytes())
    line = world.refused("ben", "verify", log)
    assert line == "old.log, entry 1, yao: the game is of rules edition yukimura/1; this program plays yukimura/2"


def test_an_offer_of_other_scenario_content(tmp_path: Path) -> None:
    world = World(tmp_path, "offered")
    digest = load_scenario("toba-fushimi").digest
    payload = resealed(block_of(world.path("offer.eml")).payload, digest.encode(), b"cd" * 32)
    line = world.refused(
        "ben", "accept", world.write("bad.eml", signed_by(world, "asuka", payload)), "--yes", "--name", "ben"
    )
    assert f"bad.eml, toba-fushimi: its content differs: {'cd' * 8} was offered, {digest[:16]} is here" in line


def test_an_offer_of_an_unknown_scenario(tmp_path: Path) -> None:
    world = World(tmp_path, "offered")
    payload = resealed(block_of(world.path("offer.eml")).payload, b"toba-fushimi", b"toba-fushima")
    line = world.refused(
        "ben", "accept", world.write("bad.eml", signed_by(world, "asuka", payload)), "--yes", "--name", "ben"
    )
    assert line == "bad.eml: no scenario is called 'toba-fushima'; do you mean toba-fushimi?"


def test_the_scenario_has_changed_since_the_game_began(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = load_scenario("toba-fushimi")
    changed = pbem.scenario.Scenario(
        scenario.id, scenario.system, scenario.edition, scenario.title, scenario.data, "ef" * 32
    )
    monkeypatch.setattr(pbem.home.folders, "load_scenario", lambda *_, **__: changed)
    for command in (("open", world.path("4.eml")), ("form",), ("verify", str(world.log("ben")))):
        line = world.refused("ben", *command)
        assert "toba-fushimi: its content differs" in line
        files = "toba-fushimi.yaml, maps/toba-fushimi.yaml and tables.yaml"
        assert f"both players need the same version of pbem and the same files: {files}" in line


def test_unknown_scenario_side_and_option(world: World) -> None:
    offer = ("offer", "toba-fushimi", "--name", "asuka", "--side")
    assert world.refused("asuka", "brief", "toba-fushima").endswith("do you mean toba-fushimi?")
    assert world.refused("asuka", "offer", "toba", "--side", "x", "--name", "y").startswith(
        "no scenario is called 'toba'"
    )
    assert world.refused("asuka", *offer, "sat") == "toba-fushimi has no side sat; did you mean satcho?"
    assert world.refused("asuka", *offer, "satcho", "--option", "fog=yes").endswith(
        "there are: mountain-top, retreat-over-bridge"
    )
    assert world.refused("asuka", *offer, "satcho", "--option", "mountain-top=yes").endswith("one of: dice, strength")


# --- logs --------------------------------------------------------------------------------------------------------


def log_commands(world: World, bad: str) -> list[str]:
    """What verify, and the commands of the game, say of a log."""
    copy = world.write("bad.log", bad)
    world.log("asuka").write_text(bad)
    said = [world.refused("asuka", "verify", copy), world.refused("asuka", "rolls", copy)]
    return [*said, *(world.refused("asuka", *command) for command in (("form",), ("report",), ("send", "--again")))]


def test_a_log_cut_off(world: World) -> None:
    text = world.log("asuka").read_text()
    for line in log_commands(world, text[:-200]):
        assert "entry 4" in line
        assert "cut off" in line or "signature" in line


def test_a_log_altered_in_the_middle(world: World) -> None:
    text = world.log("asuka").read_text()
    setup = next(line for line in text.splitlines() if line.startswith("setup sg-02"))
    for line in log_commands(world, text.replace(setup, setup.replace("sg-02", "sg-03"), 1)):
        assert "entry 2" in line


@pytest.mark.parametrize(
    ("signer", "said"),
    [
        ("ben", ("entry 2", "asuka's signature doesn't hold")),
        ("asuka", ("entry 3: ", "it follows another entry than the newest here")),
    ],
)
def test_a_log_whose_entry_was_signed_anew(world: World, signer: str, said: tuple[str, str]) -> None:
    """By a stranger; or by its player: then the next doesn't fit, for its `prev` is the hash of the first words."""
    text = world.log("asuka").read_text()
    blocks = read_log_blocks(text)
    setup = next(line for line in blocks[2].payload.splitlines(keepends=True) if line.startswith(b"setup sg-02"))
    forged = signed_by(world, signer, resealed(blocks[2].payload, setup, b""))
    for line in log_commands(world, text.replace(render_block(blocks[2]), forged)):
        assert [words for words in said if words not in line] == []


def test_a_log_with_an_entry_taken_out(world: World) -> None:
    text = world.log("asuka").read_text()
    for line in log_commands(world, text.replace(render_block(read_log_blocks(text)[3]), "")):
        assert "entry 3: entry 4 stands where 3 is due; the log is cut or reordered" in line


def test_games_tells_the_broken_one_and_lists_the_others(world: World) -> None:
    other = World(world.root / "other", "begun")
    game = world.log("asuka").parent
    broken = world.home("asuka") / "games" / "0123456789abcdef"
    broken.mkdir()
    (broken / "game.log").write_text(other.log("asuka").read_text()[:-10])
    said = world.says("asuka", "games")
    assert said.code == 1
    assert said.out.startswith(f"toba-fushimi  {game.name}  ")
    assert said.err.startswith("pbem: game 0123456789abcdef: ")
    assert "entry 1" in said.err


# --- orders ------------------------------------------------------------------------------------------------------

BAD_ORDERS = [
    ("move sg-01 9999;", "line 1: hex 9999 isn't on the map; the nearest hex in play is 2429"),
    ("move sg-99 1209;", "line 1: no unit is called `sg-99`; ids are sg-01 to sg-33"),
    ("move sg-0 1209;", "line 1: `sg-0` fits 9 units; write one of sg-01"),
    ("mvoe sg-01 1209;", "line 1: `mvoe` is no order; did you mean `move U HEX [HEX ...]`?"),
    ("move sg-01 1209", "line 1: `move sg-01 1209`: "),
    ("# a comment\n\nMOVE SG-1 1209", "line 3: `move sg-01 1209`: "),
    ('move "sg-01 1209;', 'line 1: a quotation mark (") has no partner'),
    ("move shinsengmi 1209;", "line 1: no unit is called `shinsengmi`; the nearest is sg-13 Shinsengumi"),
    ("move 1st 1209;", "line 1: `1st` fits 2 units; write one of sg-03 (1st Infantry Regiment, I Battalion), sg-04 "),
    ("move sg-01 gokonomya;", "line 1: no place is called `gokonomya`; the nearest is 1122 Gokonomiya"),
    ("move sg\u043001 1209;", "line 1: the token 'sg\u043001' holds U+0430 (CYRILLIC SMALL LETTER A)"),
    (
        "if is sg-01 disorderd then done;",
        "line 1: `disorderd` is no word for a unit's state; the nearest is `disordered`",
    ),
    (
        "standing retreat any nort-west;",
        "line 1: `nort-west` is neither a hex nor a direction; the nearest is `north-west`",
    ),
    ("move sa-01 2411;", "line 1: "),
    ("setup sg-01 1810;", "line 1: "),
    ("seq 12;", "line 1: 'seq' belongs to the envelope; leave it out; the program writes it"),
    ("", "it is empty; `pbem form` shows what may be ordered, `pbem edit` opens it in an editor"),
    ("# move sg-01 1209;\n", "it holds no orders; take the # away before those you want"),
]


@pytest.mark.parametrize(("orders", "says"), BAD_ORDERS)
def test_bad_orders(orders: str, says: str, tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    path = world.write("orders.txt", orders)
    for command in (("check", path), ("send", path), ("send", path, "-o", world.path("turn.eml"))):
        line = world.refused("asuka", *command)
        assert line.startswith(f"orders.txt, {says}" if says.startswith("line") else f"orders.txt: {says}")
    said = world.refused("asuka", "check", "-", stdin=orders.encode())
    assert said.startswith("standard input")


def test_an_illegal_order_names_clause_and_reason(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    unit = next(line for line in world.does("asuka", "form").splitlines() if line.startswith("# sg-01"))
    assert " at " in unit
    line = world.refused("asuka", "check", world.write("orders.txt", "done;\nmove sg-01 2411;\n"))
    assert line == "orders.txt, line 2: `move sg-01 2411` stands behind the `done` of line 1; move it up"
    line = world.refused("asuka", "check", world.write("orders.txt", "\n\nmove sg-01 2411;\n"))
    assert line.startswith("orders.txt, line 3: `move sg-01 2411`: ")
    assert line.endswith("]")
    clause = line.rpartition("[")[2].removesuffix("]")
    assert clause[0].isdigit()


def test_all_errors_come_at_once(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    bad = world.write("orders.txt", "move sg-01 9999;\nmvoe sg-02 1209;\ndone;\nmove sg-77 1209;\n")
    before = tree(world.root)
    said = world.says("asuka", "send", bad)
    assert (said.code, said.out) == (1, "")
    assert [line.split(": ")[1].rpartition(", ")[2] for line in said.err.splitlines()] == ["line 1", "line 2", "line 4"]
    assert tree(world.root) == before


@pytest.mark.parametrize("junk", [b"done;\n\0\0\0\0", b"done;\n\0", b"\xff\xfed\0\n\0\0", b"done;\n\x80\x81"])
def test_a_binary_order_file(junk: bytes, tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    line = world.refused("asuka", "send", world.write("orders.txt", junk))
    assert re.fullmatch("orders.txt, line [12]: it isn't text; orders are plain text: save them as UTF-8", line)


def test_an_order_file_that_is_not_there(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    line = world.refused("asuka", "send", world.path("nothing.txt"))
    assert line == ("nothing.txt: it can't be read: No such file or directory; `pbem form -o FILE` makes an order file")
    assert world.refused("asuka", "check", str(world.root)).startswith(
        f"{world.root}: it can't be read: Is a directory"
    )


NAMED = [
    ("open", "--quiet"), ("accept", "--name", "ben", "--yes"), ("check",), ("send",), ("verify",), ("rolls",),
    ("evidence", "game.log"), ("diff", "game.log"), ("restore",), ("accept-rekey", "--yes"), ("substitute", "--yes"),
    ("recover", "--name", "ben"), ("scenarios", "--check"),
    ("offer", "toba-fushimi", "--side", "shogunate", "--name", "asuka", "--recovery-key"),
]  # fmt: skip
"""Commands that read a file which somebody has named: it stands behind their words."""


def too_long(*_: object) -> None:
    raise AssertionError("it waits for somebody who writes into the pipe")


@contextmanager
def soon_over() -> Iterator[None]:
    """What is done here takes no longer than 20 seconds."""
    before = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, 20)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
@pytest.mark.parametrize("words", NAMED, ids=[words[0] for words in NAMED])
def test_a_pipe_or_device_in_place_of_a_file_is_not_waited_for(words: tuple[str, ...], world: World) -> None:
    """Each of these hung for ever."""
    os.mkfifo(world.root / "pipe")
    command = [world.path(word) if word.endswith(".log") else word for word in words]
    Path(world.path("game.log")).write_bytes(world.log("asuka").read_bytes())
    with soon_over():
        for path in (world.path("pipe"), os.devnull):
            said = world.refused("asuka", *command, path)
            assert said.startswith((path.removeprefix(f"{world.root}/"), f"{path} can't be read"))
            assert "a pipe or a device, no regular file" in said or "the public key can't be read" in said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
def test_a_pipe_or_device_in_place_of_a_key_is_not_waited_for(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(world.root / "pipe")
    with soon_over():
        for path in (world.path("pipe"), os.devnull):
            for command in (("send", "--again"), ("open", world.path("4.eml")), ("key", "show")):
                assert "a pipe or a device, no regular file" in world.refused("asuka", "--key", path, *command)
                with monkeypatch.context() as patch:
                    patch.setenv("PBEM_KEY", path)
                    assert "a pipe or a device, no regular file" in world.refused("asuka", *command)
        (world.home("asuka") / "key").unlink()
        os.mkfifo(world.home("asuka") / "key")
        assert "a pipe or a device, no regular file" in world.refused("asuka", "form")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
def test_a_pipe_in_the_cache_is_none(world: World) -> None:
    told = world.says("asuka", "report").out
    drawn = world.does("asuka", "report", "--format", "svg")
    files = [path for path in (world.home("asuka") / "cache").rglob("*") if path.is_file()]
    assert {path.parent.name for path in files} == {"games", "scenarios", "templates", "pictures"}
    for file in [*files, world.home("asuka") / ".holder"]:
        file.unlink()
        os.mkfifo(file)
    with soon_over():
        said = world.says("asuka", "report")
        assert (said.code, said.out) == (0, told)
        assert world.does("asuka", "report", "--format", "svg") == drawn
        assert holder_words(world.home("asuka")) == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
@pytest.mark.parametrize("device", ["", "/dev/zero"], ids=["pipe", "device"])
def test_a_pipe_or_device_in_the_home_folder_is_not_waited_for(device: str, world: World) -> None:
    """`games`, `send` and `backup` hung; without a contact the mail has no address, and that is told."""
    folder = world.log("asuka").parent
    names = ("contact.json", "times", NOTES, WISH, LAID)
    for file in (*(folder / name for name in names), world.home("asuka") / SETTINGS):
        file.unlink(missing_ok=True)
        file.symlink_to(device) if device else os.mkfifo(file)
    with soon_over():
        assert "toba-fushimi" in world.does("asuka", "games")
        assert world.says("asuka", "report").code == 0
        assert world.says("asuka", "open", world.path("accept.eml")).code in (0, 1)
        world.says("asuka", "send", "--again", "-o", world.path("again.eml"))
        world.does("asuka", "backup", world.path("b.zip"))
        os.mkfifo(world.path("pipe.zip"))
        assert "a pipe or a device" in world.refused("asuka", "backup", world.path("pipe.zip"))


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="needs open files by number")
def test_a_pipe_that_the_shell_opened_is_read(world: World) -> None:
    """`pbem verify <(gunzip -c game.log.gz)`: its name is a number of an open file."""
    ours, theirs = os.pipe()
    os.write(theirs, world.log("asuka").read_bytes())
    os.close(theirs)
    try:
        said = world.says("asuka", "verify", f"/dev/fd/{ours}")
    finally:
        os.close(ours)
    assert (said.code, said.out) == (0, world.says("asuka", "verify", str(world.log("asuka"))).out)


def test_open_reads_what_is_piped_and_pasted(world: World) -> None:
    line = world.says("ben", "open")
    assert (line.code, line.err.splitlines()[0]) == (
        2, "pbem: name what came: a mail's file, a folder or mailbox, or - for a text that is pasted or piped",
    )  # fmt: skip
    mail = (world.root / "4.eml").read_bytes()
    said = world.says("ben", "open", "--quiet", "-", stdin=mail)
    assert (said.code, "paste" in said.err) == (0, False)
    assert "entry 4 (orders by asuka) is taken into game toba-fushimi" in said.err
    said = world.says("ben", "open", "--quiet", "-", typed=mail.decode())
    assert said.err.startswith("pbem: paste the mail here; Ctrl-")
    assert "entry 4 of game toba-fushimi is known already" in said.err


def test_orders_of_another_game_of_mine_are_called_so(world: World) -> None:
    world.does("asuka", "offer", "yao", "--side", "east", "--name", "asuka", "-o", world.path("yao.eml"))
    world.does("ben", "accept", world.path("yao.eml"), "--yes", "--name", "ben", "-o", world.path("y.eml"))
    world.does("asuka", "open", "--quiet", world.path("y.eml"))
    orders = world.write("toba.txt", "fire sa-04 at sg-01;\nmove SG-02, 0622\ndone")
    for command in ("check", "send"):
        line = world.refused("asuka", command, orders, "--game", "yao")
        assert line == "toba.txt: these are orders for toba-fushimi; `--game toba-fushimi` names that game"
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    both = world.write("both.txt", "fire sa-04 at ii-11")
    assert "these are orders for" not in world.refused("ben", "check", both, "--game", "toba-fushimi")


def test_orders_when_it_is_not_my_move(world: World) -> None:
    orders = world.write("orders.txt", "done;\n")
    for command in (("form",), ("suggest",), ("check", orders), ("send", orders), ("send",)):
        line = world.refused("asuka", *command)
        assert line.startswith("nothing is due from asuka; ")
        assert "ben" in line
        assert line.endswith(
            "; should the mail of entry 4 be lost, `pbem send --again -o turn.eml` writes it once more"
        )
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    world.does("ben", "draw", "-o", world.path("5.eml"))
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    world.does("asuka", "draw", "--refuse", "-o", world.path("6.eml"))
    world.does("ben", "open", "--quiet", world.path("6.eml"))
    world.does("ben", "resign", "--yes", "-o", world.path("7.eml"))
    world.does("asuka", "open", "--quiet", world.path("7.eml"))
    assert world.refused("asuka", "send", orders) == "nothing is due from asuka; the game is over", "his mail has come"


def test_no_orders_when_orders_are_due(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    line = world.refused("asuka", "send", "-o", world.path("turn.eml"))
    assert line == "I have to send orders, not only a reveal; `pbem form -o orders-4.txt` begins them"


def test_again_when_the_newest_entry_is_not_mine(world: World) -> None:
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    line = world.refused("ben", "send", "--again")
    assert line == "the newest entry, 4, is by asuka; mine was answered, so it has arrived"


def test_report_of_an_entry_out_of_range(world: World) -> None:
    for number in ("0", "-1", "5", "999999999999"):
        line = world.refused("asuka", "report", "--entry", number)
        assert line == f"--entry: there is no situation after entry {number}; 1 to 4 are there"


# --- games and keys ----------------------------------------------------------------------------------------------


def test_two_games_and_no_game_named(world: World) -> None:
    second, turn = world.path("second.eml"), world.log("asuka").parent.name
    world.does("asuka", "offer", "toba-fushimi", "--side", "satcho", "--name", "asuka", "-o", second)
    world.does("ben", "accept", second, "--yes", "--name", "carl", "-o", world.path("accepted.eml"))
    named = "--game toba-fushimi or --game toba-fushimi-2"
    assert world.refused("ben", "form") == f"there are 2 games, and I am asked in none of them; {named}"
    said = world.says("ben", "open", "--quiet", world.path("4.eml"))
    assert "hint: `pbem edit --game toba-fushimi` opens what may be done in an editor, " in said.err
    assert "`pbem form --game toba-fushimi -o orders-5.txt` only writes it" in said.err
    assert world.refused("ben", "resign") == f"there is more than one game; {named}"
    assert world.refused("ben", "form", "--game", "zz").startswith(
        "no game is meant by 'zz'; there are: toba-fushimi ("
    )
    for meant in ([], ["--game", turn[:4]], ["--game", "toba-fushimi"]):
        said = world.says("ben", "form", *meant)
        assert "Satsuma-Choshu Fire Phase" in said.out.splitlines()[1]
        only = "pbem: of 2 games it is toba-fushimi, the only one in which I am asked\n"
        assert said.err == ("" if meant else only)


def test_a_game_is_called_otherwise(world: World) -> None:
    game = world.log("ben").parent.name
    said = world.says("ben", "games", "--rename", "asuka", "revenge")
    assert (said.code, said.err) == (0, f"pbem: game toba-fushimi is revenge from now on; id {game}\n")
    assert world.does("ben", "games").startswith(f"revenge  {game}  toba-fushimi: asuka")
    assert json.loads(world.does("ben", "games", "--json"))["games"][0]["name"] == "revenge"
    assert world.log("ben").read_bytes() == world.log("asuka").read_bytes()[: world.log("ben").stat().st_size]
    for name in ("Revenge", "-x", "ba1d", "x" * 33, "\x1b[2J", "a b", ""):
        assert "can't be the name of a game" in world.refused("ben", "games", "--rename", "revenge", name)


def test_a_form_is_written_over_an_untouched_form_only(world: World) -> None:
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    file = Path(world.path("mine.txt"))
    refused = "mine.txt: this file is there, isn't an untouched form, and stays; name another one with -o; --overwrite"
    for untouched in (None, b"", world.does("ben", "form").replace("\n", "\r\n").encode("utf-16")):
        if untouched is not None:
            file.write_bytes(untouched)
        world.does("ben", "form", "-o", str(file))
        assert file.read_text() == world.does("ben", "form")
    written = file.read_text()
    for touched in (written.replace("\n# ", "\n", 1), written + "# my plan\n", written[:-30], "move 1 to 2;", "\0"):
        file.write_text(touched)
        assert world.refused("ben", "form", "-o", str(file)).startswith(refused)
        assert file.read_text() == touched
    world.does("ben", "form", "-o", str(file), "--overwrite")
    assert file.read_text() == written


def test_no_key_yet(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    said = pbem_says("--home", home, "key", "show")
    hint = "`pbem key new` makes one, or name yours with --key or PBEM_KEY"
    assert said == (1, "", f"pbem: there is no key: {home}/key; {hint}\n")
    assert not (tmp_path / "home").exists()


def test_a_key_of_somebody_else(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    orders = world.write("orders.txt", "done;\n")
    carl = world.path("carl")
    assert pbem_says("--key", carl, "key", "new").code == 0
    game = world.log("asuka").parent.name
    for command in (("send", orders), ("form",), ("report",)):
        line = world.refused("asuka", "--key", carl, *command)
        keys = r"asuka has SHA256:\S{43}, ben has SHA256:\S{43}; name yours with --key"
        assert re.fullmatch(f"{game}: my key is not a player's key in this game; {keys}", line)


def test_a_key_that_is_not_there(world: World) -> None:
    line = world.refused("asuka", "--key", world.path("nothing"), "key", "show")
    assert line.startswith("nothing: there is no such key; ssh-keygen -t ed25519 -f ")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\x7fELF\xff\x00", "not a key: it holds other bytes than ASCII"),
        (b"hello\n", "not a private key"),
        (b"-----BEGIN RSA PRIVATE KEY-----\n", "an RSA key"),
        (b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", "the key is cut off"),
        (b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n", "the key is damaged"),
        (b"", "not a private key"),
    ],
)
def test_an_unreadable_key(content: bytes, says: str, tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    (world.home("asuka") / "key").write_bytes(content)
    line = world.refused("asuka", "form")
    assert line.startswith(f"asuka/key: {says}; ")


def test_a_wrong_passphrase(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("bcrypt")
    key = world.home("asuka") / "key"
    subprocess.run(["ssh-keygen", "-q", "-p", "-N", "sakura", "-f", str(key)], check=True, capture_output=True)
    line = world.refused("asuka", "report")
    assert line == "the key asuka/key is encrypted; give its passphrase in PBEM_PASSPHRASE, or use ssh-agent"
    monkeypatch.setenv("PBEM_PASSPHRASE", "ume")
    line = world.refused("asuka", "report")
    assert line == "asuka/key: the passphrase is wrong, or the key is damaged; try again"
    monkeypatch.setenv("PBEM_PASSPHRASE", "sakura")
    assert "Report for asuka" in world.does("asuka", "report")


def test_a_deleted_or_rotten_cache(world: World) -> None:
    before = world.does("asuka", "report")
    cache = world.home("asuka") / "cache"
    for file in [path for path in cache.rglob("*") if path.is_file()]:
        file.write_bytes(b"\0rotten")
    assert world.does("asuka", "report") == before
    for file in [path for path in cache.rglob("*") if path.is_file()]:
        file.unlink()
    assert world.does("asuka", "report") == before


# --- disks -------------------------------------------------------------------------------------------------------


def failing_writes(patches: pytest.MonkeyPatch, root: Path, number: int) -> None:
    """Let every file under `root` that is opened for writing fail, as on a full or read-only disk."""
    real = os.open

    def opened(path: str | Path, flags: int, *rest: int, **more: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR) and str(path).startswith(str(root)):
            raise OSError(number, os.strerror(number), str(path))
        return real(path, flags, *rest, **more)

    patches.setattr(os, "open", opened)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_takes_nothing(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path)
    orders = world.write("orders.txt", "done;\n")
    offer = ("offer", "toba-fushimi", "--side", "satcho", "--name", "asuka", "-o", world.path("o.eml"))
    with monkeypatch.context() as patches:
        failing_writes(patches, world.root, number)
        said = [world.refused("ben", "open", world.path("4.eml")), world.refused("asuka", *offer)]
        said.append(world.refused("asuka", "report", "-o", world.path("report.txt")))
    for line in said:
        assert os.strerror(number) in line
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    with monkeypatch.context() as patches:
        failing_writes(patches, world.root, number)
        line = world.refused("ben", "send", orders, "-o", world.path("5.eml"))
        assert os.strerror(number) in line
        said_new = pbem_says("--key", world.path("new-key"), "key", "new")
        assert said_new.code == 1
        assert os.strerror(number) in said_new.err
    world.does("ben", "send", orders, "-o", world.path("5.eml"))


def test_only_the_mail_can_t_be_written(world: World) -> None:
    """The turn is signed and in the log; the line says how its mail is had."""
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    orders = world.write("orders.txt", "done;\n")
    said = world.says("ben", "send", orders, "-o", str(world.root / "orders.txt" / "turn.eml"))
    assert said.code == 1
    assert len(said.err.splitlines()) == 1
    assert said.err.endswith("entry 5 is in my log; `pbem send --again -o FILE` writes its mail\n")
    world.does("ben", "send", "--again", "-o", world.path("5.eml"))
    assert parse_entry(block_of(world.path("5.eml")).payload).seq == 5


def test_an_offer_whose_mail_can_t_be_written_is_none(world: World) -> None:
    offer = ("offer", "toba-fushimi", "--side", "satcho", "--name", "asuka")
    line = world.refused("asuka", *offer, "-o", str(Path(world.path("4.eml")) / "offer.eml"))
    assert line.startswith("4.eml/offer.eml: it can't be written: ")


def test_an_accept_whose_mail_can_t_be_written_begins_the_game(tmp_path: Path) -> None:
    world = World(tmp_path, "offered")
    said = world.says(
        "ben", "accept", world.path("offer.eml"), "--yes", "--name", "ben", "-o", world.path("offer.eml/accept.eml")
    )
    game = world.log("ben").parent.name
    assert said.code == 1
    assert said.err.endswith(f"game {game} has begun; `pbem send --again -o FILE` writes its mail\n")
    assert len(said.err.splitlines()) == 1
    world.does("ben", "send", "--again", "-o", world.path("accept.eml"))
    world.does("asuka", "open", "--quiet", world.path("accept.eml"))


def test_a_broken_offer_hides_no_game(world: World) -> None:
    world.does("asuka", "offer", "toba-fushimi", "--side", "satcho", "--name", "asuka", "-o", world.path("o.eml"))
    (offer,) = (world.home("asuka") / "offers").glob("*/game.log")
    offer.write_text(offer.read_text()[:-50])
    said = world.says("asuka", "games")
    assert said.code == 1
    assert said.out.startswith(f"toba-fushimi  {world.log('asuka').parent.name}  ")
    assert said.err.startswith(f"pbem: offer {offer.parent.name}: ")


def test_the_demo_touches_no_folder_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "inbox").write_text("precious")
    said = pbem_says("demo", "--out", str(tmp_path))
    assert said.code == 1
    assert "the folder holds something else than a demo; name a new one with --out" in said.err
    assert (tmp_path / "mail" / "inbox").read_text() == "precious"


def test_a_mistyped_command(world: World) -> None:
    said = world.says("asuka", "chek", "orders.txt")
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines()[0] == "pbem: no command is called 'chek'; did you mean `check`?"


def test_a_form_fits_78_columns_whatever_the_game_is_called(world: World) -> None:
    world.does("asuka", "offer", "yao", "--side", "east", "--name", "asuka", "-o", world.path("yao.eml"))
    world.does("ben", "accept", world.path("yao.eml"), "--yes", "--name", "ben", "-o", world.path("y.eml"))
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    name = "the-long-war-of-the-dragon"
    world.does("ben", "games", "--rename", "toba-fushimi", name)
    form = world.does("ben", "form", "--game", name)
    assert f"--game {name}" in " ".join(form.replace("#", " ").split())
    assert max(map(len, form.splitlines())) <= 78
    assert re.search("\n# By [0-9a-f]{8} the program knows that nothing was changed in this form.\n$", form)


def test_a_game_named_in_place_of_its_log_is_told_where_that_lies(world: World) -> None:
    line = world.refused("asuka", "rolls", "toba-fushimi")
    lies = line.partition("; my game of that name has its log in ")[2]
    world.does("asuka", "rolls", world.path(lies))
    assert world.refused("asuka", "verify", "no-game").endswith("; a game.log file is needed")
