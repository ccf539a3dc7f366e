#!/usr/bin/env python3
"""Counts what is told in games between bots, by the clause that brings it: told.py PAGE [--games N].

Of special rules that only forbid it counts the phases in which they do. The page has one table, below a headline
`### SCENARIO, what is told in N games of each kind, seed S`. The headline says what is played, and the table is written
anew.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.desk.desk import terms_of
from pbem.match.table import Table
from pbem.rules.requests import Choose
from pbem.rules.sengoku.acting import army_of, open_in, why_closed, why_idle, why_truce
from pbem.rules.sengoku.lines import sources
from pbem.rules.sengoku.state import State
from pbem.scenario import load_scenario
from pbem.simulate.game import Run, begun, entries

TABLE = re.compile(
    r"^### (?P<scenario>[a-z0-9-]+), what is told in (?P<games>[0-9]+) games of each kind, seed (?P<seed>[0-9]+)\n"
    r"\n(?:\|.*\n)*",
    re.MULTILINE,
)
"""The headline with its table, if there is one yet."""

KINDS = {"bold": ("bold", "standing"), "random": ("random", "standing"), "random, asked": ("random", "ask")}
"""The games in words: the bot that plays against itself, and whether the other's action asks it."""

SORTIE = -1
"""What an attack out of a castle of sengoku takes from its die (23-7-1)."""

MADE = ("begins", "acts")
"""The facts by which a die that is told has brought what it may bring."""


def named(step: dict[str, Any]) -> tuple[str, str]:
    """The clause and the event of something told.

    A die by which armies begin or act stands apart from one that fails, an attack out of a castle from others.
    """
    made = any(step["facts"].get(fact) for fact in MADE)
    sortie = step["what"] == "attack-result" and step["facts"].get("castle") == SORTIE
    return step["clause"], step["what"] + " (made)" * made + " (sortie)" * sortie


def forbids(s: State, side: str) -> Iterator[tuple[str, str]]:
    """The special rules (36.7) that in an operation phase of sengoku keep a force of the side in play from something.

    Each with its clause: armies that can't act, a hex beside a force that it can't enter, an enemy beside it whom it
    can't attack; and the army that has lines from two main castles.
    """
    armies = {army_of(s, force) for force in s.own_forces(side)}
    idle = [refusal.clause for army in sorted(armies) if (refusal := why_idle(s, army)) is not None]
    for clause in idle:
        yield clause, "can't act"
    if len(idle) == len(armies) - 1:
        yield "36.7-1", "one army alone can act"
    for force in s.own_forces(side):
        if force in s.shut_in or s.board.units[force].power < s.stage or why_idle(s, army_of(s, force)) is not None:
            continue
        for h in s.board.ground.near[s.at[force]]:
            if h not in s.board.outside and (refusal := why_closed(s, side, h)) is not None:
                yield refusal.clause, "can't enter the next hex"
            for target in open_in(s, h, s.board.enemy[side]):
                if (refusal := why_truce(s, force, (target,))) is not None:
                    yield refusal.clause, "can't attack beside it"
    for army in armies:
        if len(s.board.armies[army].main) > 1 and len([*sources(s, army)]) > 1:
            yield "36.7-8", "lines from both main castles"


def held(system: str, table: Table) -> set[tuple[str, str]]:
    """What the special rules forbid in a phase of sengoku that begins; none where none begins, and in other systems."""
    request = table.game.request
    begins = system == "sengoku" and isinstance(request, Choose) and request.kind == "operation"
    return set(forbids(table.game.state, request.side)) if begins else set()


def counted(run: Run, games: int) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """How often each event is told in the games of a run, and in how many of them."""
    times: Counter[tuple[str, str]] = Counter()
    some: Counter[tuple[str, str]] = Counter()
    for number in range(1, games + 1):
        table = begun(run)
        found: Counter[tuple[str, str]] = Counter()
        for _ in entries(run, number, table):
            found.update(held(run.scenario.system, table))
        found.update(named(step) for step in table.steps if step["kind"] == "tell")
        times += found
        some.update(found.keys())
    return times, some


def written(scenario: str, games: int, seed: int) -> str:
    """The headline and the table."""
    loaded = load_scenario(scenario)
    found = [
        counted(Run(loaded, terms_of(loaded, {})._replace(reactions=reactions), (bot, bot), seed), games)
        for bot, reactions in KINDS.values()
    ]
    heads = [f"{kind}: {what}" for kind in KINDS for what in ("times a game", "games")]
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
