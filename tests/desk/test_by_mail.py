"""Whole games between two homes, through damaged mails, by `suggest`, `send` and `open` alone."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from letters import blocks_of
from mail.mail_damage import DAMAGES

from pbem.cli import run
from pbem.mail.inbox import read_mails
from pbem.wire.blocks import render_block

MOST_MAILS = 400


class Person:
    """A player who only types commands, in a home of his own."""

    def __init__(self, root: Path, name: str, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.home = root / name
        self.name = name
        self.capsys = capsys
        self.patch = patch

    def tries(self, *words: str) -> tuple[int, str]:
        """Type a command; its exit code and standard output."""
        self.patch.setenv("PBEM_HOME", str(self.home))
        self.capsys.readouterr()
        code = run(list(words))
        said = self.capsys.readouterr()
        assert code == 0 or said.err.startswith("pbem: ")
        return code, said.out

    def types(self, *words: str) -> str:
        """Type a command that must be accepted; its standard output."""
        code, said = self.tries(*words)
        assert code == 0, words
        return said

    @property
    def log(self) -> Path:
        """The log of the only game."""
        return next((self.home / "games").glob("*/game.log"))


def damaged(mail: Path, chance: random.Random) -> Path:
    """The mail as other software might leave it."""
    block = blocks_of(next(iter(read_mails(str(mail)))))[0]
    mail.write_bytes(chance.choice(DAMAGES)(render_block(block)))
    return mail


def begin(root: Path, scenario: str, asuka: Person, ben: Person, chance: random.Random) -> None:
    """Keys, an offer, an accept."""
    offer, accept = root / "offer.eml", root / "accept.eml"
    for person in (asuka, ben):
        person.types("key", "new")
    asuka.types("offer", scenario, "--side", FIRST[scenario], "--name", "asuka", "--mail", "asuka@example.org",
                "--to", "ben@example.net", "-o", str(offer))  # fmt: skip
    ben.types("accept", str(damaged(offer, chance)), "--yes", "--name", "ben", "--mail", "ben@example.net",
              "--to", "asuka@example.org", "-o", str(accept))  # fmt: skip
    asuka.types("open", "--quiet", str(damaged(accept, chance)))


FIRST = {"toba-fushimi": "shogunate", "domyoji": "east", "connected": "east"}
"""Scenario -> asuka's side."""

MORE = int(os.environ.get("PBEM_BY_MAIL", "1"))
"""How many times as many games are played as in an ordinary run of the tests."""

GAMES = [("toba-fushimi", seed, MOST_MAILS) for seed in range(2 * MORE)]
GAMES += [(scenario, seed, most) for scenario, most in (("domyoji", 20), ("connected", 14)) for seed in range(MORE)]
"""Scenario, whims, and the mails after which a long game is broken off."""


@pytest.mark.parametrize(("scenario", "seed", "most"), GAMES)
def test_a_random_game_by_mail(
    scenario: str, seed: int, most: int, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    chance = random.Random(seed)
    asuka, ben = (Person(tmp_path, name, capsys, monkeypatch) for name in ("asuka", "ben"))
    begin(tmp_path, scenario, asuka, ben, chance)
    sent = play(tmp_path, asuka, ben, chance, most)
    assert asuka.log.read_bytes() == ben.log.read_bytes()
    told = json.loads(ben.types("verify", str(asuka.log), "--json"))
    assert told["ok"]
    assert told["rolls"] > 10 or sent == most, "a whole game has dice"
    assert told["entries"] == sent + 2
    assert (sent < most) == (told["due"]["what"] == "nothing")
    if sent < most:
        assert told["outcome"]["winner"] in told["players"].values()


def play(root: Path, asuka: Person, ben: Person, chance: random.Random, most: int) -> int:
    """Let both suggest, send and open until nothing is due or enough was sent; how many mails that took."""
    orders, turn = root / "orders.txt", root / "turn.eml"
    mover, other = asuka, ben
    sent = idle = 0
    while sent < most:
        code, suggested = mover.tries("suggest", "--bot", "random", "--seed", str(chance.randrange(10**6)))
        if code == 0:
            orders.write_text(suggested)
            turn.unlink(missing_ok=True)  # no mail of pbem any more
            mover.types("send", "--yes", *([str(orders)] if suggested else []), "-o", str(turn))
            other.types("open", "--quiet", str(damaged(turn, chance)))
            sent += 1
        idle = 0 if code == 0 else idle + 1
        if idle == 2:  # nothing is due from either
            break
        mover, other = other, mover
    return sent
