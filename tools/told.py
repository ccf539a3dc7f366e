#!/usr/bin/env python3
"""Counts what is told in games between bots, by the clause that brings it: told.py PAGE [--games N].

The page has one table, below a headline `### SCENARIO, what is told in N games of each kind, seed S`. The headline says
what is played, and the table is written anew.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path
from typing import Any

from pbem.desk.desk import terms_of
from pbem.scenario import load_scenario
from pbem.simulate.game import Run, begun, entries

TABLE = re.compile(
    r"^### (?P<scenario>[a-z0-9-]+), what is told in (?P<games>[0-9]+) games of each kind, seed (?P<seed>[0-9]+)\n"
    r"\n(?:\|.*\n)*",
    re.MULTILINE,
)
"""The headline with its table, if there is one yet."""

BOTS = ("bold", "random")
"""Each plays against itself."""

MADE = ("begins", "acts")
"""The facts by which a die that is told has brought what it may bring."""


def named(step: dict[str, Any]) -> tuple[str, str]:
    """The clause and the event of something told; a die by which armies begin or act apart from one that fails."""
    made = any(step["facts"].get(fact) for fact in MADE)
    return step["clause"], step["what"] + " (made)" * made


def counted(run: Run, games: int) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """How often each event is told in the games of a run, and in how many of them."""
    times: Counter[tuple[str, str]] = Counter()
    some: Counter[tuple[str, str]] = Counter()
    for number in range(1, games + 1):
        table = begun(run)
        for _ in entries(run, number, table):
            pass
        found = Counter(named(step) for step in table.steps if step["kind"] == "tell")
        times += found
        some.update(found.keys())
    return times, some


def written(scenario: str, games: int, seed: int) -> str:
    """The headline and the table."""
    loaded = load_scenario(scenario)
    found = [counted(Run(loaded, terms_of(loaded, {}), (bot, bot), seed), games) for bot in BOTS]
    heads = [f"{bot}: {what}" for bot in BOTS for what in ("times a game", "games")]
    rows = [["clause", "event", *heads], ["---"] * (2 + len(heads))]
    for clause, event in sorted({key for times, _ in found for key in times}):
        cells = [f"{times[clause, event] / games:.1f} | {some[clause, event]}" for times, some in found]
        rows.append([clause, event, *cells])
    lines = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return f"### {scenario}, what is told in {games} games of each kind, seed {seed}\n\n{lines}"


def main() -> None:
    """Play them and write the table."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    asked.add_argument("page", type=Path, metavar="PAGE")
    asked.add_argument("--games", type=int, metavar="N")
    said = asked.parse_args()
    page = said.page.read_text("utf-8")
    part = TABLE.search(page)
    if part is None:
        raise SystemExit(f"{said.page} has no headline of what is told")
    told = written(part["scenario"], said.games or int(part["games"]), int(part["seed"]))
    said.page.write_text(page[: part.start()] + told + page[part.end() :], "utf-8")


if __name__ == "__main__":
    main()
