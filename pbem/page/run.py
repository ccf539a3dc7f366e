"""The program's own commands, run for the page: each in a process of its own, what it says handed on in lines."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from pbem.errors import Refused
from pbem.language import language, said, say
from pbem.records import NamedTuple

__all__ = ["Commands", "Said", "Watched", "is_written", "unasked"]

LONG = 600.0
"""Seconds after which a command is given up: a bot may think for some of them."""

ALONE: dict[str, Any] = {"start_new_session": True}
if sys.platform == "win32":
    ALONE = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
"""How a command is started that Ctrl-C in the page's terminal doesn't end: who signs hands over his mail, too."""

SAID_MAX = 200
"""Lines of what a command says that are shown."""

NAME = "pbem: "
"""What each line of a command's talk begins with."""

UNASKED = "nobody can be asked here whether these orders shall be sent"
"""What `send` says of doubtful orders where it can't ask (pbem.cli.checking)."""


def unasked(line: str) -> bool:
    """Whether a line is what `send` says of doubtful orders where it can't ask."""
    return UNASKED in line or said(UNASKED) in line


def is_written(file: str) -> bool:
    """Whether a command has written a file that it was to write."""
    return Path(file).is_file()


class Said(NamedTuple):
    """What a command has done: its exit code, what it printed, and what it said in lines, without its own name.

    `cut` tells that it has ended in the middle: killed, or without a word.
    """

    code: int
    printed: str
    lines: tuple[str, ...]
    cut: bool = False

    @property
    def done(self) -> bool:
        """Whether it has done what it was asked for."""
        return self.code == 0

    @property
    def doubts(self) -> bool:
        """Whether nothing is signed because somebody must say first that he wants it so."""
        return not self.done and any(unasked(line) for line in self.lines)


class Watched(NamedTuple):
    """A command that runs."""

    process: subprocess.Popen[bytes]

    def end(self) -> None:
        """Give it up, if it still runs."""
        self.process.kill()


class Commands(NamedTuple):
    """How the commands are called: with this home folder and key, in this folder, with these variables."""

    home: Path
    key: str | None
    folder: Path
    environment: Mapping[str, str]

    def run(self, words: Sequence[str], text: str = "", *, head: str = "", note: str = "") -> Said:
        """Run a command with this text as its input; `head` is the newest entry that it must find, `note` goes with it.

        Raises Refused where it takes too long.
        """
        with TemporaryDirectory(prefix="pbem-") as scratch:
            given, beside = Path(scratch) / "input", Path(scratch) / "note"
            given.write_bytes(text.encode("utf-8"))  # no pipe: what is signed is whole, whatever ends meanwhile
            if note:
                beside.write_text(note, "utf-8")
            with given.open("rb") as whole:
                started = self.start([*words, *(["--note", str(beside)] if note else [])], head=head, given=whole)
                return self._finished(started, None, words)

    def start(self, words: Sequence[str], *, head: str = "", given: IO[bytes] | None = None, tag: str = "") -> Watched:
        """Start a command; its input is that file, or still to come. No shell is in between: words are words.

        It speaks the page's language, or that of `tag`.
        """
        of = ["--home", str(self.home)] + (["--key", self.key] if self.key else [])
        behind = ["--head", head] if head else []
        pipe = subprocess.PIPE
        process = subprocess.Popen(  # noqa: S603 the program itself
            [sys.executable, "-m", "pbem", *of, *behind, *words],
            stdin=given or pipe, stdout=pipe, stderr=pipe, cwd=self.folder,
            env={**self.environment, "NO_BROWSER": "1", "PBEM_LANG": tag or language(), "PYTHONIOENCODING": "utf-8"},
            **ALONE,
        )  # fmt: skip
        return Watched(process)

    def finished(self, started: Watched, text: str = "") -> Said:
        """What a command has done that was started, once it has ended. Raises Refused where it takes too long."""
        return self._finished(started, text, ())

    def _finished(self, started: Watched, text: str | None, words: Sequence[str]) -> Said:
        process = started.process
        with process:
            try:
                printed, told = process.communicate(None if text is None else text.encode("utf-8"), timeout=LONG)
            except subprocess.TimeoutExpired:
                process.kill()
                what = say("`pbem %(command)s` has taken too long, and was given up", command=words[0] if words else "")
                raise Refused(what, hint=say("`pbem games` tells how things stand")) from None
        lines = [line[len(NAME) :] for line in told.decode("utf-8", "replace").splitlines() if line.startswith(NAME)]
        dumb = process.returncode != 0 and not lines and not printed
        if dumb:
            lines = [say("the command has failed, and doesn't say by what")]
        cut = dumb or process.returncode < 0
        return Said(process.returncode, printed.decode("utf-8", "replace"), tuple(lines[:SAID_MAX]), cut)
