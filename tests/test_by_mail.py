"""Whole games between two homes, through damaged mails, by the commands alone."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from mail_damage import DAMAGES

from pbem.cli import run
from pbem.envelope import render_block
from pbem.mail import blocks_of, read_mails

MOST_MAILS = 400


class Person:
    """A player who only types commands."""

    def __init__(self, root: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = root / name
        self.name = name
        self.capsys = capsys

    def types(self, *words: str, expect: int = 0) -> str:
        """Type a command; its standard output."""
        self.capsys.readouterr()
        code = run(["--home", str(self.home), *words])
        said = self.capsys.readouterr()
        assert code == expect, said.err
        return said.out

    def due(self) -> dict[str, str]:
        """What `games` says of the only game."""
        game: dict[str, str] = json.loads(self.types("games", "--json"))["games"][0]
        return game

    @property
    def log(self) -> Path:
        """The log of the only game."""
        return next((self.home / "games").glob("*/game.log"))


def damaged(mail: Path, chance: random.Random) -> Path:
    """The mail as other software might leave it."""
    block = blocks_of(next(iter(read_mails(str(mail)))))[0]
    mail.write_bytes(chance.choice(DAMAGES)(render_block(block)))
    return mail


def begin(root: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Person, Person]:
    """Two people with keys, a game offered and accepted."""
    asuka, ben = Person(root, "asuka", capsys), Person(root, "ben", capsys)
    for person in (asuka, ben):
        person.types("key", "new")
    offer, accept = root / "offer.eml", root / "accept.eml"
    asuka.types("offer", "toba-fushimi", "--side", "shogunate", "--name", "asuka", "--mail", "asuka@example.org",
                "--to", "ben@example.net", "-o", str(offer))  # fmt: skip
    ben.types("accept", str(offer), "--name", "ben", "--mail", "ben@example.net", "-o", str(accept))
    asuka.types("open", "--quiet", str(accept))
    return asuka, ben


@pytest.mark.parametrize("seed", range(10))
def test_a_random_game_by_mail(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(seed)
    asuka, ben = begin(tmp_path, capsys)
    orders, turn = tmp_path / "orders.txt", tmp_path / "turn.eml"
    for number in range(MOST_MAILS):
        due = asuka.due() if asuka.due()["due"] != "nothing" else ben.due()
        if due["due"] == "nothing":
            break
        mover, other = (asuka, ben) if due["from"] == "asuka" else (ben, asuka)
        due = mover.due()
        orders.write_text(mover.types("suggest", "--seed", str(seed * 1000 + number)))
        if due["due"] == "reveal":
            assert orders.read_text() == ""
            mover.types("send", "-o", str(turn))
        else:
            mover.types("send", str(orders), "-o", str(turn))
        other.types("suggest", expect=1) if other.due()["from"] != other.name else None
        other.types("open", "--quiet", str(damaged(turn, chance)))
    assert asuka.due()["due"] == ben.due()["due"] == "nothing"
    assert asuka.log.read_bytes() == ben.log.read_bytes()
    told = json.loads(asuka.types("verify", str(asuka.log), "--json"))
    assert told["ok"]
    assert told["outcome"]["winner"] in ("shogunate", "satcho")
    assert told["rolls"] > 10
