"""What the tests of the command line share: commands run in this process, a world that is the same in every run."""

from __future__ import annotations

import atexit
import hashlib
import io
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

import pbem.crypto.keys
from pbem.cli import common, run
from pbem.crypto import sshsig
from pbem.home.files import LOCK_FILES as FILES
from pbem.home.folders import Folder, Home
from pbem.wire.entry import Entry

MOMENT = 1795258800.0  # 2026-11-21 11:00 UTC


class Said(NamedTuple):
    """What a command gave: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


def steady(patches: pytest.MonkeyPatch, first_key: int = 1) -> None:
    """Fix keys, randomness and the clock, and forget the environment of whoever runs the tests."""
    chance = random.Random("pbem")
    keys = iter(range(first_key, 256))

    def new_pair(passphrase: str | None) -> tuple[bytes, bytes]:
        assert passphrase is None
        key = Ed25519PrivateKey.from_private_bytes(bytes([next(keys)]) * 32)
        text = key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
        return text, sshsig.blob_from_raw(key.public_key().public_bytes_raw())

    patches.setattr(pbem.crypto.keys, "_generate", new_pair)
    patches.setattr(os, "urandom", chance.randbytes)
    patches.setattr(time, "time", lambda: MOMENT)
    patches.setattr(time, "monotonic", lambda: 0.0)
    patches.setattr(common, "SLOW", 600.0)
    patches.setattr(Folder, "grown", lambda _: MOMENT - 3 * 86400)
    for name in ("PBEM_HOME", "PBEM_KEY", "PBEM_PASSPHRASE", "SSH_AUTH_SOCK", "VISUAL", "EDITOR"):
        patches.delenv(name, raising=False)


class Keyboard(io.TextIOWrapper):
    """A standard input at which somebody sits."""

    def isatty(self) -> bool:
        return True


def pbem_says(*words: str, stdin: bytes = b"", typed: str | None = None) -> Said:
    """Run one command; with `typed` at a terminal, where that is what is answered when it asks."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    source = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    if typed is not None:
        source = Keyboard(io.BytesIO(typed.encode("utf-8")), "utf-8")
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", source):
        code = run(list(words))
    said = (stream.buffer.getvalue().decode("utf-8") for stream in (out, err))  # type: ignore[attr-defined]
    return Said(code, *said)


def tree(folder: Path) -> dict[str, str]:
    """Every file of a home but its cache and its lock: path -> hash."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "cache" not in path.relative_to(folder).parts and path.name not in FILES
    }


STAGES = ("new", "offered", "accepted", "begun", "set-up", "moved", "opened")
"""How far a world has come: keys made; asuka's offer; ben's accept; asuka has opened it; both armies set up; the
Shogunate's first movement sent, which ben hasn't opened; he has. Mail N.eml holds entry N."""


class World:
    """Two homes in a folder, asuka's and ben's, and the mails between them: offer.eml, accept.eml, 2.eml ..."""

    def __init__(self, root: Path, stage: str = "moved") -> None:
        self.root = root
        shutil.copytree(_stages()[stage], root, dirs_exist_ok=True)

    def home(self, name: str) -> Path:
        """A player's home."""
        return self.root / name

    def log(self, name: str) -> Path:
        """The log of a player's only game."""
        return next((self.home(name) / "games").glob("*/game.log"))

    def newest(self, name: str) -> Entry:
        """The newest entry of a player's only game."""
        return Home(self.home(name)).find(None).entries()[-1]

    def path(self, name: str) -> str:
        """A file beside the homes."""
        return str(self.root / name)

    def write(self, name: str, content: str | bytes) -> str:
        """Write a file beside the homes; its path."""
        (self.root / name).write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return self.path(name)

    def says(self, name: str, *words: str, stdin: bytes = b"", typed: str | None = None) -> Said:
        """Let a player type a command."""
        return pbem_says("--home", str(self.home(name)), *words, stdin=stdin, typed=typed)

    def does(self, name: str, *words: str, stdin: bytes = b"") -> str:
        """Let a player type a command that must succeed; its standard output."""
        said = self.says(name, *words, stdin=stdin)
        assert said.code == 0, said.err
        return said.out

    def refused(self, name: str, *words: str, stdin: bytes = b"", code: int = 1) -> str:
        """Let a player type a command that is refused with one line and changes nothing; the line."""
        before = tree(self.root)
        said = self.says(name, *words, stdin=stdin)
        assert (said.code, said.out[:200]) == (code, ""), said.err
        lines = said.err.splitlines()
        assert len(lines) == 1, said.err
        assert lines[0].startswith("pbem: ")
        assert tree(self.root) == before
        return lines[0].removeprefix("pbem: ").replace(f"{self.root}/", "")

    def bot_sends(self, name: str, number: int) -> None:
        """Let a bot send a player's orders, as mail `number`."""
        orders = self.write("orders.txt", self.does(name, "suggest", "--bot", "random", "--seed", str(number)))
        if orders and (self.root / "orders.txt").read_text():
            self.does(name, "send", orders, "--yes", "-o", self.path(f"{number}.eml"))
        else:
            self.does(name, "send", "-o", self.path(f"{number}.eml"))


@contextmanager
def _steady() -> Iterator[None]:
    patches = pytest.MonkeyPatch()
    steady(patches, first_key=101)
    try:
        yield
    finally:
        patches.undo()


@cache
def _stages() -> dict[str, Path]:
    """Stage -> a folder to copy; played once."""
    root = Path(tempfile.mkdtemp(prefix="pbem-test-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    now = World.__new__(World)
    now.root = root / "now"
    steps: dict[str, Callable[[], None]] = {
        "new": lambda: (now.does("asuka", "key", "new"), now.does("ben", "key", "new"))[0] and None,
        "offered": lambda: _offer(now),
        "accepted": lambda: _accept(now),
        "begun": lambda: now.does("asuka", "open", "--quiet", now.path("accept.eml")) and None,
        "set-up": lambda: _set_up(now),
        "moved": lambda: now.bot_sends("asuka", 4),
        "opened": lambda: now.does("ben", "open", "--quiet", now.path("4.eml")) and None,
    }
    found: dict[str, Path] = {}
    with _steady():
        for stage in STAGES:
            now.root.mkdir(exist_ok=True)
            steps[stage]()
            found[stage] = shutil.copytree(now.root, root / stage)
    return found


def _offer(world: World, *more: str) -> None:
    world.does("asuka", "offer", "toba-fushimi", "--side", "shogunate", "--name", "asuka", "--mail",
               "asuka@example.org", "--to", "ben@example.net", "-o", world.path("offer.eml"), *more)  # fmt: skip


def _accept(world: World) -> None:
    world.does("ben", "accept", world.path("offer.eml"), "--yes", "--name", "ben", "--mail", "ben@example.net", "-o",
               world.path("accept.eml"))  # fmt: skip


def _set_up(world: World) -> None:
    for number, name, other in ((2, "asuka", "ben"), (3, "ben", "asuka")):
        world.bot_sends(name, number)
        world.does(other, "open", "--quiet", world.path(f"{number}.eml"))
