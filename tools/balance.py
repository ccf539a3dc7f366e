#!/usr/bin/env python3
"""Plays the games of pages of balance anew: balance.py PAGE... [--games N] [--jobs J] [--keep FOLDER].

A page holds commands, `    pbem simulate ...`, each below what it has printed; one that stands alone gets its games.
With --games each plays so many, and is written down so. A page is written after each command. The games are kept in
FOLDER, as SCENARIO-FIRST-SECOND.jsonl, and those that are there aren't played; where a folder `games` lies beside the
page, it is that one.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PART = re.compile(
    r"(?:^### (?P<headline>[a-z0-9-]+, [a-z]+ against [a-z]+, [0-9]+ games?)\n(?P<told>(?:(?!#|    pbem ).*\n)*))?"
    r"^    (?P<command>pbem simulate .*)\n",
    re.MULTILINE,
)
"""A command with what it has printed above it, if anything."""


def printed(words: list[str], jobs: str) -> str:
    """What a command prints as a part of a page."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "part.md"
        call = [sys.executable, "-m", *words, "--jobs", jobs, "-o", str(file)]
        done = subprocess.run(call, check=False, stdout=subprocess.DEVNULL)  # noqa: S603 the words of our own page
        if done.returncode:
            raise SystemExit(done.returncode)  # the command has said why
        return file.read_text("utf-8")


def kept(words: list[str], folder: Path) -> list[str]:
    """The words by which a command keeps its games in a folder."""
    first, second = (words[words.index(option) + 1] for option in ("--first", "--second"))
    return ["--keep", str(folder / f"{words[2]}-{first}-{second}.jsonl")]


def renewed(page: str, number: int, games: str | None, jobs: str, keep: Path | None) -> str:
    """The page with the games of one of its commands played anew, or as they are kept."""
    part = list(PART.finditer(page))[number]
    words = shlex.split(part["command"])
    if games is not None:
        words[words.index("--games") + 1] = games
    if keep is not None:
        words += kept(words, keep)
    return page[: part.start()] + printed(words, jobs) + page[part.end() :]


def main() -> None:
    """Play them one after another."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    asked.add_argument("pages", nargs="+", type=Path, metavar="PAGE")
    asked.add_argument("--games", metavar="N")
    asked.add_argument("--jobs", default="1", metavar="J")
    asked.add_argument("--keep", type=Path, metavar="FOLDER")
    said = asked.parse_args()
    for path in said.pages:
        beside = path.parent / "games"
        keep = said.keep or (beside if beside.is_dir() else None)
        for number in range(len(PART.findall(path.read_text("utf-8")))):
            path.write_text(renewed(path.read_text("utf-8"), number, said.games, said.jobs, keep), "utf-8")


if __name__ == "__main__":
    main()
