"""How a mail leaves: -o, --copy, --mailto, --print, a default; and the same words of what is asked everywhere."""

from __future__ import annotations

import email
import email.policy
import io
import itertools
import json
import os
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from email.message import EmailMessage
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import click
import pytest
from cli_player import Said, World, tree
from letters import blocks_of

import pbem.cli.handover
from pbem.cli import run, turns
from pbem.cli.written import writable
from pbem.errors import Refused
from pbem.mail.inbox import read_mails
from pbem.picture.png import png
from pbem.report.fitting import SMALL

ORDERS = "orders.txt"
PICTURES = turns._pictures


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Asuka has to set up; nothing is on the PATH."""
    world = World(tmp_path, "begun")
    world.write(ORDERS, world.does("asuka", "suggest", "--bot", "random", "--seed", "2"))
    monkeypatch.setenv("PATH", world.path("bin"))
    (tmp_path / "bin").mkdir()
    return world


class Screen(io.TextIOWrapper):
    """A standard output at which somebody looks."""

    def isatty(self) -> bool:
        return True


def at_a_terminal(world: World, *words: str) -> Said:
    """What asuka reads when she types a command."""
    out, err = (Screen(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = run(["--home", str(world.home("asuka")), *words])
    said = (stream.buffer.getvalue().decode("utf-8") for stream in (out, err))  # type: ignore[attr-defined]
    return Said(code, *said)


def program(world: World, name: str) -> Path:
    """A program on the PATH that keeps its arguments and what it reads; where it keeps them."""
    kept = world.root / f"{name}.kept"
    script = world.root / "bin" / name
    script.write_text(f'#!/bin/sh\n{{ echo "$*"; [ {name} = xdg-open ] || /bin/cat; }} > {kept}\n')
    script.chmod(0o755)
    return kept


def the_mail(raw: str, tmp_path: Path) -> str:
    """The block of a mail or text as it is read."""
    (tmp_path / "read.txt").write_text(raw)
    (block,) = blocks_of(next(iter(read_mails(str(tmp_path / "read.txt")))))
    return block.payload.decode()


def newest(world: World) -> str:
    """The newest block in asuka's log."""
    text = world.log("asuka").read_text()
    return text[text.rindex("-----BEGIN PBEM TURN-----") :].split("-----END PBEM TURN-----")[0].split("\n", 1)[1]


# --- a file ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["to do: bread\n", "From: a@b.c\nSubject: x-pbem: 1\n\nX-PBEM: 1\n", "\0\1\2"])
def test_a_file_that_isn_t_a_mail_of_pbem_stays_and_nothing_is_signed(content: str, world: World) -> None:
    mine = world.write("mine.txt", content)
    line = world.refused("asuka", "send", world.path(ORDERS), "-o", mine)
    assert line == "mine.txt: this file is there and isn't a mail of pbem; it stays; name another one with -o"
    assert Path(mine).read_text() == content


@pytest.mark.parametrize("content", ["", None])
def test_a_mail_of_pbem_an_empty_file_and_none_are_written_to(content: str | None, world: World) -> None:
    where = world.write("turn.eml", content) if content is not None else world.path("turn.eml")
    world.does("asuka", "send", world.path(ORDERS), "-o", where)
    first = Path(where).read_bytes()
    world.does("asuka", "send", "--again", "-o", where)
    assert Path(where).read_bytes().count(b"X-PBEM: 1") == first.count(b"X-PBEM: 1") == 1


@pytest.mark.parametrize("words", [("resign",), ("draw",), ("offer", "yao", "--side", "east", "--name", "asuka")])
def test_other_mails_spare_it_too(words: tuple[str, ...], world: World) -> None:
    mine = world.write("mine.txt", "bread")
    assert "isn't a mail of pbem" in world.refused("asuka", *words, "-o", mine)


# --- at a terminal ---------------------------------------------------------------------------------------------------


def test_an_offer_at_a_terminal_asks_where_its_mail_goes_and_stores_nothing(world: World) -> None:
    before = tree(world.home("asuka"))
    said = at_a_terminal(world, "offer", "yao", "--side", "east", "--name", "asuka")
    assert (said.code, said.out, tree(world.home("asuka"))) == (2, "", before)
    assert said.err.startswith("pbem: -o says where the mail goes: `-o offer.eml` to a file, `-o -` to the screen")
    said = at_a_terminal(world, "offer", "yao", "--side", "east", "--name", "asuka", "-o", "-")
    assert "-----BEGIN PBEM TURN-----" in said.out


def test_an_accept_at_a_terminal_names_the_ways_and_writes_nothing(world: World) -> None:
    offer = world.path("yao.eml")
    world.does("ben", "offer", "yao", "--side", "east", "--name", "ben", "-o", offer)
    said = at_a_terminal(world, "accept", offer, "--name", "asuka", "--yes")
    assert (said.code, said.out) == (0, "")
    assert "has begun, with the id " in said.err
    assert (
        "; its mail has not left yet\npbem: hint: `pbem send --game yao --again -o turn.eml` writes the mail"
        in said.err
    )
    world.does("asuka", "send", "--game", "yao", "--again", "-o", world.path("a.eml"))
    assert "asuka accepts, game yao has begun" in world.says("ben", "open", "--quiet", world.path("a.eml")).err


WRITES = {
    ("report", "-o"): "a report of pbem",
    ("report", "--format", "json", "-o"): "a report of pbem",
    ("report", "--format", "html", "-o"): "a page of pbem",
    ("report", "--format", "svg", "-o"): "a picture of pbem",
    ("brief", "toba-fushimi", "--map"): "a picture of pbem",
    ("send", "--again", "-o"): "a mail of pbem",
    ("form", "-o"): "an untouched form",
    ("form", "--overwrite", "-o"): "",
}
"""What writes a file that is named, and what the file that is there must be."""


@pytest.mark.parametrize(("words", "called"), WRITES.items(), ids=map(" ".join, WRITES))
def test_only_a_file_of_the_same_kind_is_written_over_and_none_of_the_home(
    words: tuple[str, ...], called: str, tmp_path: Path
) -> None:
    """`pbem report -o KEY` and `brief --map KEY` put what they write in the place of the only private key."""
    world = World(tmp_path, "begun" if words[0] == "form" else "moved")
    if called:
        line = world.refused("asuka", *words, world.write("mine.txt", "Buy bread;\n"))
        assert line.startswith("mine.txt: this file is there")
        assert f"isn't {called}" in line
    (tmp_path / "link").symlink_to(world.home("asuka") / "key")
    for path in (world.path("link"), str(world.log("asuka"))):
        assert "is one of my home folder, and stays" in world.refused("asuka", *words, path)


def test_what_was_written_before_is_of_its_kind_and_nothing_else(tmp_path: Path) -> None:
    world = World(tmp_path)
    ways = {"html": ("--format", "html"), "json": ("--json",), "text": (), "svg": ("--format", "svg")}
    for kind, words in ways.items():
        world.does("asuka", "report", *words, "-o", world.path(kind))
    world.write("png", png(re.sub("<g .*", "</svg>", (tmp_path / "svg").read_text(), flags=re.DOTALL)))
    (tmp_path / "4.eml").rename(tmp_path / "mail")
    mine = {"a.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR12345678\x08\x06", "a.html": b"<!DOCTYPE html>\n<html>", "a": b"{}"}
    for name, content in mine.items():
        world.write(name, content)
    kinds = [*ways, "png", "mail"]
    fits: dict[tuple[str, str], bool] = {}
    with click.Context(click.Command("x"), obj={"home": world.path("asuka")}):
        for kind, name in itertools.product(kinds, [*kinds, *mine]):
            try:
                fits[kind, name] = writable(world.path(name), kind) == world.path(name)
            except Refused:
                fits[kind, name] = False
    assert fits == {(kind, name): kind == name for kind, name in fits}


def test_at_a_terminal_the_ways_are_told_and_nothing_long_is_written(world: World) -> None:
    said = at_a_terminal(world, "send", world.path(ORDERS))
    assert (said.code, said.out) == (0, "")
    assert "entry 2 is in my log; its mail has not left yet" in said.err
    for way in ("-o turn.eml", "--copy", "--mailto", "--print", "--default"):
        assert way in said.err
    assert len(said.err.splitlines()) < 10


def test_print_shows_it_at_a_terminal_and_a_pipe_gets_it_as_ever(world: World) -> None:
    said = at_a_terminal(world, "send", world.path(ORDERS), "--print")
    assert said.code == 0
    assert the_mail(said.out, world.root) == newest(world)
    piped = world.does("asuka", "send", "--again")
    assert the_mail(piped, world.root) == newest(world)


def test_copy_puts_three_lines_and_the_block_on_the_clipboard(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = program(world, "xclip")
    monkeypatch.setenv("DISPLAY", ":0")
    said = at_a_terminal(world, "send", world.path(ORDERS), "--copy")
    assert (said.code, said.out) == (0, "")
    assert "its text is on the clipboard: paste it into a mail to ben@example.net" in said.err
    arguments, _, text = kept.read_text().partition("\n")
    assert arguments == "-selection clipboard"
    above = text[: text.index("-----BEGIN PBEM TURN")].strip().splitlines()
    assert len(above) <= 5, "three sentences"
    assert above[0].startswith("Toba-Fushimi, turn 1: your set-up (asuka, entry 2).")
    assert the_mail(text, world.root) == newest(world)


def test_copy_without_a_clipboard_prints_the_text(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for display in (False, True):
        if display:
            monkeypatch.setenv("DISPLAY", ":0")
        said = at_a_terminal(
            world, "send", *([] if display else [world.path(ORDERS)]), *["--again"] * display, "--copy"
        )
        assert "no clipboard is here" in said.err
        assert the_mail(said.out, world.root) == newest(world)


def test_mailto_opens_the_mail_program_with_a_text_that_opens(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = program(world, "xdg-open")
    monkeypatch.setenv("DISPLAY", ":0")
    said = at_a_terminal(world, "send", world.path(ORDERS), "--mailto")
    assert (said.code, said.out) == (0, "")
    assert "the mail program has it, to ben@example.net" in said.err
    until = os.times().elapsed + 5  # the program is started and not waited for
    while not kept.exists() or not kept.read_text():
        assert os.times().elapsed < until
    os.wait()
    url = urlsplit(kept.read_text().strip())
    assert (url.scheme, url.path) == ("mailto", "ben@example.net")
    parts = parse_qs(url.query)
    assert parts["subject"] == ["Toba-Fushimi, turn 1: your set-up (asuka, entry 2)"]
    assert the_mail(parts["body"][0].replace("\r\n", "\n"), world.root) == newest(world)


@pytest.mark.parametrize("why", ["too long", "no display", "no program"])
def test_mailto_says_so_where_it_can_t(why: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    if why != "no display":
        monkeypatch.setenv("DISPLAY", ":0")
    if why == "too long":
        program(world, "xdg-open")
        monkeypatch.setattr(pbem.cli.handover, "MAILTO_MAX", 1000)
    said = at_a_terminal(world, "send", world.path(ORDERS), "--mailto")
    assert (said.code, said.out) == (1, "")
    assert ("too long for a mail program" if why == "too long" else "no mail program can be opened here") in said.err
    assert "entry 2 is in my log; `pbem send --again -o FILE` writes its mail" in said.err


def test_two_ways_at_once_are_a_mistake(world: World) -> None:
    before = tree(world.root)
    said = world.says("asuka", "send", world.path(ORDERS), "--copy", "-o", world.path("turn.eml"))
    assert said.code == 2
    assert tree(world.root) == before


# --- a default -------------------------------------------------------------------------------------------------------


def test_a_default_is_kept_and_counts_at_a_terminal_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = world.home("asuka") / "settings.json"
    assert "mails leave by `print` from now on" in world.says("asuka", "send", "--default", "print").err
    assert json.loads(settings.read_text()) == {"send": "print"}
    said = at_a_terminal(world, "send", world.path(ORDERS))
    assert the_mail(said.out, world.root) == newest(world)
    monkeypatch.chdir(world.root)
    world.does("asuka", "send", "--default", "file")
    said = at_a_terminal(world, "send", "--again")
    name = f"{world.log('asuka').parent.name}-2.eml"
    assert (said.out, f"; mail {name} to ben@example.net" in said.err) == ("", True)
    assert the_mail(Path(name).read_text(), world.root) == newest(world)
    assert the_mail(world.does("asuka", "send", "--again"), world.root) == newest(world), "a pipe gets the mail"
    Path(name).write_text("bread")
    said = at_a_terminal(world, "send", "--again")
    assert (said.code, Path(name).read_text()) == (1, "bread")
    world.does("asuka", "send", "--default", "ask")
    assert json.loads(settings.read_text()) == {}
    assert "has not left yet" in at_a_terminal(world, "send", "--again").err


@pytest.mark.parametrize("content", ["", "[]", '{"send": 4}', '{"send": "pigeon"}', "\xff", "{" * 10_000])
def test_settings_that_are_none_are_passed_over(content: str, world: World) -> None:
    (world.home("asuka") / "settings.json").write_text(content, "latin-1")
    assert "has not left yet" in at_a_terminal(world, "send", world.path(ORDERS)).err


def test_a_backup_brings_the_settings_where_there_are_none(world: World) -> None:
    world.does("asuka", "send", "--default", "copy")
    world.does("asuka", "backup", world.path("b.zip"))
    for home, there in (("new", None), ("old", "print")):
        if there is not None:
            world.does("asuka", "--home", world.path(home), "send", "--default", there)
        world.does("asuka", "--home", world.path(home), "restore", world.path("b.zip"))
        assert json.loads(Path(world.path(home), "settings.json").read_text()) == {"send": there or "copy"}


def test_a_backup_says_what_only_a_link_leads_to(world: World) -> None:
    own = Path(world.path("own"))
    own.mkdir()
    assert "is a link" not in world.says("asuka", "backup", world.path("a.zip")).err
    (world.home("asuka") / "scenarios").symlink_to(own)
    told = " ".join(world.says("asuka", "backup", world.path("b.zip")).err.split())
    assert f"{world.home('asuka') / 'scenarios'} is a link: what lies behind it isn't in " in told


# --- pictures --------------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """A part of a map, as pbem.picture draws it."""

    name: str
    title: str
    svg: str
    zoom: float = 1.5


def with_parts(world: World, monkeypatch: pytest.MonkeyPatch, *sizes: int) -> EmailMessage:
    """The mail of an entry where so many parts are drawn, of so many bytes each at their own zoom."""
    module = ModuleType("pbem.picture.png")
    module.png = lambda svg, zoom: b"\x89PNG" + bytes(int(int(svg) * zoom / 1.5) - 4)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pbem.picture.png", module)
    parts = [Part(f"part-{n}", f"Part {n}", str(size)) for n, size in enumerate(sizes)]
    monkeypatch.setattr("pbem.picture.scene.crops", lambda *_, **__: parts)
    monkeypatch.setattr("pbem.cli.turns._pictures", PICTURES)
    again = ("--again",) if (world.root / "turn.eml").exists() else (world.path(ORDERS),)
    world.does("asuka", "send", *again, "-o", world.path("turn.eml"))
    message = email.message_from_bytes((world.root / "turn.eml").read_bytes(), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    assert len((world.root / "turn.eml").read_bytes()) <= SMALL
    return message


def shown_in(message: EmailMessage) -> list[int]:
    """The bytes of the pictures in a mail."""
    return [len(part.get_content()) for part in message.walk() if part.get_content_type() == "image/png"]


def test_a_mail_has_as_many_pictures_as_it_may_carry(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown_in(with_parts(world, monkeypatch, 30_000, 30_000)) == [30_000, 30_000], "sharp ones"
    assert shown_in(with_parts(world, monkeypatch, 30_000, 30_000, 30_000)) == [20_000, 20_000, 20_000]
    assert shown_in(with_parts(world, monkeypatch, 45_000, 30_000, 30_000)) == [30_000, 20_000]
    assert shown_in(with_parts(world, monkeypatch, 150_000)) == []
    assert shown_in(with_parts(world, monkeypatch)) == []


def test_a_mail_without_the_extra_has_none_and_says_how_to_see_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def png(_svg: str, _zoom: float) -> bytes:
        raise Refused("PNG needs an extra")

    told = "`pbem report --format html -o report.html` then makes a page with the map."
    message = with_parts(world, monkeypatch, 30_000)
    assert told not in one_line(message.as_string())
    monkeypatch.setattr(sys.modules["pbem.picture.png"], "png", png)
    world.does("asuka", "send", "--again", "-o", world.path("turn.eml"))
    said = one_line((world.root / "turn.eml").read_text())
    assert "image/png" not in said
    assert told in said


# --- the same words --------------------------------------------------------------------------------------------------


def test_send_games_and_verify_say_what_the_mail_says(tmp_path: Path) -> None:
    """At each stage of a game, whoever looks: of sure things and of those that dice decide."""
    world = World(tmp_path, "begun")
    dice = 0
    for number in range(2, 12):
        name, other = ("asuka", "ben") if number % 2 == 0 else ("ben", "asuka")
        orders = world.write(ORDERS, world.does(name, "suggest", "--bot", "bold", "--seed", str(2 * number)))
        mail = world.path(f"{number}.eml")
        said = world.says(name, "send", "--yes", orders, "-o", mail)
        told = next(line for line in said.err.splitlines() if line.startswith("pbem: next: "))
        words = one_line(told.removeprefix("pbem: next: "))
        verified = one_line(world.does(name, "verify", str(world.log(name))))
        neutral = words.replace("shows me", f"shows {name}").replace("lets me", f"lets {name}")
        assert verified.endswith(f"next: {neutral}")
        assert words.lower() in one_line(world.does(name, "games")).lower()
        (row,) = json.loads(world.does(name, "games", "--json"))["games"]
        assert row["ahead"].lower() == words.lower()
        waiting = f"the dice of entry {number} are not yet in the log: {other}'s next entry shows them"
        to_him = neutral.replace(f"{waiting};", "the dice fall when you open this mail; then,")
        for in_it, word in (("it holds the orders of", "orders are"), ("it holds the answer of", "an answer is")):
            to_him = to_him.replace(f"{in_it} {other}", f"{word} asked of you")
        to_him = to_him.replace(f"asked of {other}", "asked of you").replace(f"an entry by {other}", "a mail from you")
        to_him = to_him.replace("it has no orders and", "a mail from you without orders")
        assert to_him.lower() in one_line(next(iter(read_mails(mail))).texts[0]).lower()
        dice += waiting in words
        opened = world.says(other, "open", "--quiet", mail)
        assert "orders are asked of me (" in opened.err
        assert "Orders are asked of me (" in one_line(world.does(other, "games"))
    assert dice > 4


def one_line(text: str) -> str:
    return " ".join(text.split())
