"""Addresses: of whatever a mail or a player gives, nothing but one plain address is stored, read or mailed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from email import message_from_bytes
from pathlib import Path

import pytest
from cli_player import World, steady
from toy.players import Duel, Post, mail

from pbem.desk.arrival import read_offer, take_in
from pbem.desk.desk import terms_of
from pbem.desk.letter import read_letter
from pbem.home.contact import Contact, checked_address
from pbem.home.folders import Home
from pbem.home.restore import restore_game
from pbem.mail.inbox import Mail, read_mails
from pbem.wire.blocks import Block, render_block
from pbem.wire.turn import Turn

GOOD = {
    "ben@example.net": "ben@example.net",
    "  ben@example.net ": "ben@example.net",
    "<ben@example.net>": "ben@example.net",
    "Ben <ben+game@mail.example.net>": "ben+game@mail.example.net",
    '"Ben, the other" <ben@example.net>': "ben@example.net",
    '"ben@example.net" <ben@example.net>': "ben@example.net",
    "J\u00fcrgen M. <o'neil_j@example.org>": "o'neil_j@example.org",
    "b@" + "x" * 252: "b@" + "x" * 252,
}
BAD = {
    "nothing": "",
    "no address": "ben",
    "two": "ben@example.net, anna@example.org",
    "two, one named": "ben@example.net, Anna <anna@example.org>",
    "a group": "friends: ben@example.net;",
    "another in the name": "anna@example.org <ben@example.net>",
    "two in brackets": "<ben@example.net> <anna@example.org>",
    "control letters": "Ben \x1b[2J <ben@example.net>",
    "a line feed": "ben@example.net\nBcc: anna@example.org",
    "bidi": "\u202eneb <ben@example.net>",
    "bidi in the address": "ben@example\u202e.net",
    "other letters": "b\u00e4n@example.net",
    "a quoted address": '"ben\\" <anna@example.org>" <ben@example.net>',
    "10 kB of name": "x" * 10_000 + " <ben@example.net>",
    "10 kB of address": "b@" + "x" * 10_000,
    "255 letters": "b@" + "x" * 253,
    "65 letters before the @": "b" * 65 + "@example.net",
    "brackets": "(" * 900,
    "blanks": '"' + " " * 900,
    "text behind": "ben@example.net and more",
}


@pytest.mark.parametrize("text", GOOD)
def test_one_address_is_found(text: str) -> None:
    assert checked_address(text) == GOOD[text]


@pytest.mark.parametrize("name", BAD)
def test_anything_else_is_none(name: str) -> None:
    assert checked_address(BAD[name]) == ""


@pytest.mark.parametrize("name", BAD)
def test_a_contact_is_checked_when_it_is_written_and_when_it_is_read(
    tmp_path: Path, duel: Callable[..., Duel], name: str
) -> None:
    game = duel()
    folder = Home(tmp_path).begin(
        Turn.of(game.offer), Turn.of(game.accept), Contact("anna", BAD[name], "Ben <ben@example.net>")
    )
    file = folder.path / "contact.json"
    assert json.loads(file.read_bytes()) == {
        "name": "anna", "mail": "", "to": "ben@example.net", "called": "duel",
    }  # fmt: skip
    bad = {"name": "\x1b[2J" + name, "mail": "anna@example.org", "to": BAD[name], "called": f"duel\x1b{name}"}
    file.write_text(json.dumps(bad))
    assert folder.contact() == Contact("", "anna@example.org", "")


def test_a_restored_game_keeps_no_other(post: Post, duel: Callable[..., Duel], tmp_path: Path) -> None:
    game = duel()
    desk = post.desks["anna"]
    restore_game(desk.home, game.log, game.table, desk.signer.pub_blob, Contact("", BAD["two"], "<ben@example.net>"))
    (folder,) = desk.home.games()
    assert json.loads((folder.path / "contact.json").read_bytes()) == {
        "name": "anna", "mail": "", "to": "ben@example.net", "called": "duel",
    }  # fmt: skip


HEADERS = {
    "one": (b"Ben <ben@example.net>", "ben@example.net"),
    "encoded": (b"=?utf-8?q?J=C3=BCrgen?= <ben@example.net>", "ben@example.net"),
    "two": (b"ben@example.net, anna@example.org", ""),
    "two, encoded": (b"=?utf-8?q?ben=40example=2Enet=2C?= <anna@example.org>", ""),
    "control letters": (b"=?utf-8?b?G1sySg==?= <b\x1b[2Jen@example.net>", ""),
    "a line feed": (b"=?utf-8?q?ben=40example=2Enet=0ABcc:_x=40example.org?=", ""),
    "bidi": ("ben@example\u202e.net".encode(), ""),
    "10 kB": (b"x" * 10_000 + b" <ben@example.net>", ""),
}


def sent_from(header: bytes, block: Block) -> Mail:
    """The mail of a block by whoever calls himself so."""
    raw = b"From: %s\nTo: anna@example.org\n\n%s" % (header, render_block(block).encode())
    return next(iter(read_mails("-", io.BytesIO(raw))))


@pytest.mark.parametrize("name", HEADERS)
def test_a_hostile_from_of_an_accept(toy_system: object, post: Post, name: str) -> None:
    """Who accepts my offer says in his mail where mine go; only an address is taken from it."""
    header, right = HEADERS[name]
    offer = post.desks["anna"].offer(terms_of(post.scenario, {}), "red", Contact("anna"))[1].block
    accept = (
        post.desks["ben"]
        .accept(read_offer(post.desks["ben"], read_letter(mail(offer))), "ben", Contact("ben"))[1]
        .block
    )
    sent = sent_from(header, accept)
    assert take_in(post.desks["anna"], read_letter(sent)).what == "begun"
    (folder,) = post.desks["anna"].home.games()
    assert json.loads((folder.path / "contact.json").read_bytes())["to"] == right


@pytest.mark.parametrize("name", HEADERS)
def test_a_hostile_from_of_an_offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The answer goes to the one address in it or, where there is none, to whom --to names."""
    steady(monkeypatch)
    header, right = HEADERS[name]
    world = World(tmp_path, "offered")
    offer = (tmp_path / "offer.eml").read_bytes().replace(b"From: asuka@example.org", b"From: " + header)
    assert header in offer
    hostile, out = world.write("hostile.eml", offer), world.path("out.eml")
    words = ["accept", hostile, "--name", "ben", "--yes", "-o", out]
    if not right:
        line = world.refused("ben", *words)
        assert line.startswith("--to: ")
        assert "isn't a mail address; one address it must be" in line
        words += ["--to", "Asuka <asuka@example.org>"]
    world.does("ben", *words)
    assert json.loads(world.log("ben").with_name("contact.json").read_bytes())["to"] == (right or "asuka@example.org")
    assert message_from_bytes(Path(out).read_bytes())["To"] == (right or "asuka@example.org")
