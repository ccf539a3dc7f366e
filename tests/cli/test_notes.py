"""Notes by mail: sent with a turn, shown when it is opened, kept beside the log, and never counted."""

from __future__ import annotations

import email
import email.policy
import json
from pathlib import Path

import click
import pytest
from cli_player import World, pbem_says, tree
from letters import blocks_of

from pbem.home.folders import Home
from pbem.mail.inbox import read_mails
from pbem.wire.blocks import render_block
from pbem.wire.notes import Note

NOTE = "はじめまして。\nDeine Linie ist dünn <b>&\u202e[31m\n-----BEGIN PBEM TURN-----\n"
SHOWN = "はじめまして。\nDeine Linie ist dünn <b>&[31m\n--BEGIN PBEM TURN--"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Ben has opened what asuka sent and has orders for his answer."""
    world = World(tmp_path, "opened")
    world.write("ben.txt", world.does("ben", "suggest", "--bot", "random", "--seed", "1"))
    return world


def sent(world: World, *words: str, stdin: bytes = b"") -> bytes:
    world.does("ben", "send", world.path("ben.txt"), "--yes", "-o", world.path("5.eml"), *words, stdin=stdin)
    return Path(world.path("5.eml")).read_bytes()


def part_of(mail: bytes, kind: str) -> str:
    """The text or page of a mail."""
    part = email.message_from_bytes(mail, policy=email.policy.default).get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def notes(world: World, name: str) -> list[Note]:
    return Home(world.home(name)).find(None).notes()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_a_note_goes_with_the_mail_and_is_kept_by_both(world: World, encoding: str) -> None:
    mail = sent(world, "--note", world.write("note.txt", NOTE.encode(encoding)))
    shown = f"== ben's note to entry 5 (not signed) ==\n{SHOWN}\n== end of the note ==\n"
    assert part_of(mail, "plain").startswith(f"Hello asuka,\n\n{shown}\nthis is entry 5")
    assert "dünn &lt;b&gt;&amp;[31m<br>" in part_of(mail, "html")
    said = world.says("asuka", "open", "--no-browser", world.path("5.eml"))
    assert said.code == 0
    told = "ben wrote beside entry 5:\n\n  | はじめまして。\n  | Deine Linie ist dünn <b>&[31m"
    assert f"\nNOTE, NOT SIGNED\n\n  {told}\n  | --BEGIN PBEM TURN--\n" in said.out
    assert notes(world, "asuka") == notes(world, "ben") == [Note("ben", 5, SHOWN)]
    assert world.log("asuka").read_bytes() == world.log("ben").read_bytes()
    assert b"note" not in world.log("ben").read_bytes()
    assert SHOWN.split("\n")[0] in world.does("asuka", "report")
    assert "&lt;b&gt;&amp;[31m<br>--BEGIN" in (world.log("asuka").parent / "report.html").read_text("utf-8")


def test_a_mail_without_its_note_is_opened_and_the_note_may_come_later(world: World) -> None:
    mail = sent(world, "--note", "-", stdin="Später".encode())
    (block,) = blocks_of(next(iter(read_mails(world.path("5.eml")))))
    world.does("asuka", "open", "--quiet", world.write("bare.txt", render_block(block).encode()))
    assert notes(world, "asuka") == []
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    assert notes(world, "asuka") == [Note("ben", 5, "Später")]
    forged = mail.replace(b"=C3=A4", b"=C3=B6").replace("Später".encode(), "Spöter".encode())
    world.does("asuka", "open", "--quiet", world.write("forged.eml", forged))
    assert notes(world, "asuka") == [Note("ben", 5, "Später")]  # the first that came


def test_only_the_page_of_a_mail_brings_the_note_too(world: World) -> None:
    page = part_of(sent(world, "--note", world.write("n", "a\n\nb <i>")), "html")
    alone = f"From: ben@example.net\nContent-Type: text/html; charset=utf-8\n\n{page}"
    world.does("asuka", "open", "--quiet", world.write("page.eml", alone.encode()))
    assert notes(world, "asuka") == [Note("ben", 5, "a\n\nb <i>")]


def test_a_note_is_typed_or_written_in_an_editor(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    send = ["--home", str(world.home("ben")), "send", "--again", "-o", world.path("5.eml")]
    sent(world)
    said = pbem_says(*send, "--note", "-", typed="Well met!\nAnd on.\n.\nnot this\n")
    assert (said.code, "a full stop on a line of its own ends it" in said.err) == (0, True)
    assert notes(world, "ben") == [Note("ben", 5, "Well met!\nAnd on.")]
    monkeypatch.setattr(click, "edit", lambda *_, **__: "From the editor.\n")
    assert pbem_says(*send, "--write-note").code == 0
    assert notes(world, "ben") == [Note("ben", 5, "From the editor.")]
    assert b"From the editor." in Path(world.path("5.eml")).read_bytes()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "note.txt: the note is empty; nothing is signed"),
        (b" \n\xe2\x80\xae\n", "note.txt: the note is empty; nothing is signed"),
        (b"x" * 4001, "note.txt: the note has 4,001 letters in 1 lines; 4,000 in 100 at most"),
        (b"x\n" * 101, "note.txt: the note has 201 letters in 101 lines; 4,000 in 100 at most"),
        (b"x" * 70000, "note.txt: it is too large for a note; 64 KiB at most"),
        (b"a\0\0\0", "note.txt, line 1: it isn't text; a note is plain text: save it as UTF-8"),
        (None, "note.txt: it can't be read: No such file or directory; --note names a file with it"),
    ],
)
def test_a_note_that_can_not_be_one_stops_before_anything_is_signed(
    world: World, data: bytes | None, says: str
) -> None:
    path = world.path("note.txt") if data is None else world.write("note.txt", data)
    before = tree(world.home("ben"))
    line = world.refused("ben", "send", world.path("ben.txt"), "--yes", "--note", path)
    assert line == says
    assert tree(world.home("ben")) == before


def test_a_note_goes_with_a_proposal(world: World) -> None:
    world.does("ben", "draw", "--note", world.write("n", "Enough?"), "-o", world.path("5.eml"))
    said = world.says("asuka", "open", "--no-browser", world.path("5.eml"))
    assert "NOTE, NOT SIGNED\n\n  ben wrote beside entry 5:\n\n  | Enough?\n" in said.out


def test_a_note_that_was_read_comes_not_again_after_an_undo(world: World) -> None:
    sent(world, "--note", world.write("n", "Well met."))
    assert "Well met." in world.does("asuka", "open", "--no-browser", world.path("5.eml"))
    world.does("asuka", "undo", "4", "-o", world.path("6.eml"))
    world.does("ben", "open", "--quiet", world.path("6.eml"))
    world.does("ben", "undo", "--accept", "--note", world.write("n", "As you like."), "-o", world.path("7.eml"))
    report = world.does("asuka", "open", "--no-browser", world.path("7.eml"))
    assert "NOTE, NOT SIGNED\n\n  ben wrote beside entry 7:\n\n  | As you like.\n\nWHAT HAPPENED" in report
    assert "Well met." not in report


def test_offer_and_accept_have_notes_too(tmp_path: Path) -> None:
    world = World(tmp_path, "new")
    hello, yes = world.write("hello", "Gruß!\n\nShall we?"), world.write("yes", "よし")
    offer = ("offer", "toba-fushimi", "--side", "satcho", "--name", "asuka", "-o", world.path("offer.eml"))
    world.does("asuka", *offer, "--note", hello)
    world.does("asuka", "backup", world.path("b.zip"))
    world.does("asuka", "--home", world.path("again"), "restore", world.path("b.zip"))
    assert "Gruß!" in next((tmp_path / "again" / "offers").glob("*/notes.txt")).read_text("utf-8")
    told = "asuka's note, not signed:\n  | Gruß!\n  |\n  | Shall we?\n"
    shown = world.does("ben", "open", world.path("offer.eml"))
    assert shown.startswith(f"{told}\nasuka offers a game on these terms:\n")
    assert (
        json.loads(world.does("ben", "open", "--json", world.path("offer.eml")))["opened"][0]["note"]
        == "Gruß!\n\nShall we?"
    )
    accept = ("accept", world.path("offer.eml"), "--name", "ben", "-o", world.path("accept.eml"), "--note")
    said = world.says("ben", *accept, yes, typed="y\n")
    assert (said.code, f"{told}\npbem: the terms of this offer:\n" in said.err) == (0, True)
    assert world.says("ben", "accept", "-", "--name", "ben", "--note", "-").code == 2, "only one of them can be typed"
    said = world.says("asuka", "open", "--no-browser", world.path("accept.eml"))
    assert "NOTE, NOT SIGNED\n\n  ben wrote beside entry 1:\n\n  | よし\n" in said.out
    assert (
        notes(world, "asuka") == notes(world, "ben") == [Note("asuka", 0, "Gruß!\n\nShall we?"), Note("ben", 1, "よし")]
    )
    world.does("ben", "send", "--again", "-o", world.path("accept.eml"))
    assert "よし" in part_of(Path(world.path("accept.eml")).read_bytes(), "plain")


def test_a_backup_brings_notes_back(world: World) -> None:
    sent(world, "--note", world.write("n", "Keep me."))
    world.does("ben", "backup", world.path("b.zip"))
    (world.log("ben").parent / "notes.txt").unlink()
    world.does("ben", "restore", world.path("b.zip"))
    assert notes(world, "ben") == [Note("ben", 5, "Keep me.")]
