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
from pbem.maps.hexes import Hex
from pbem.match.table import Table
from pbem.rules.requests import Choose
from pbem.rules.sengoku.acting import army_of, open_in, why_closed, why_idle, why_truce
from pbem.rules.sengoku.areas import hexes_in
from pbem.rules.sengoku.lines import LEG, MAIN_LEG, barred, in_line, leg, relays, sources
from pbem.rules.sengoku.state import State
from pbem.scenario import load_scenario
from pbem.simulate.game import Run, begun, entries

Clock = tuple[int, str, str]
"""A phase: turn, its name, and the side whose it is."""

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

FIRST = "takigawa"
"""The army of sengoku that alone can act from the start on its side (36.7-1)."""

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
    can't attack; and forces that would have no line if their army had one main castle.
    """
    armies = {army_of(s, force) for force in s.own_forces(side)}
    idle = [refusal.clause for army in sorted(armies) if (refusal := why_idle(s, army)) is not None]
    for clause in idle:
        yield clause, "can't act"
    if idle and {army for army in armies if why_idle(s, army) is None} == {FIRST}:
        yield "36.7-1", "Takigawa alone can act"
    for force in s.own_forces(side):
        if force in s.shut_in or s.board.units[force].power < s.stage or why_idle(s, army_of(s, force)) is not None:
            continue
        for h in s.board.ground.open_to[s.at[force]]:
            if h not in s.board.outside and (refusal := why_closed(s, side, h)) is not None:
                yield refusal.clause, "can't enter the next hex"
            for target in open_in(s, h, s.board.enemy[side]):
                if (refusal := why_truce(s, force, (target,))) is not None:
                    yield refusal.clause, "can't attack beside it"
    for army in armies:
        begin = [*sources(s, army)] if len(s.board.armies[army].main) > 1 else []
        if len(begin) > 1 and not set(lines_of(s, side, army)) <= led_to(s, side, begin[0]):
            yield "36.7-8", "lines from the second main castle alone"


def lines_of(s: State, side: str, army: str) -> list[Hex]:
    """Where the forces of an army stand that have lines."""
    return [s.at[force] for force in s.own_forces(side) if army_of(s, force) == army and in_line(s, force)]


def led_to(s: State, side: str, begin: Hex) -> set[Hex]:
    """The relays of a side to which lines lead that begin in one hex (11-2-2)."""
    shut, start = barred(s, side), s.board.ground.bit[begin] & ~barred(s, side)
    found, wanted = 0, start & relays(s, side)
    while wanted:
        found |= wanted
        ahead = leg(s.board, start, MAIN_LEG, shut) | leg(s.board, found, LEG, shut)
        wanted = ahead & relays(s, side) & ~(shut | found)
    return set(hexes_in(s.board.ground.grid, found))


def held(table: Table, begun_last: Clock) -> tuple[set[tuple[str, str]], Clock]:
    """What the special rules forbid in an operation phase of sengoku that has begun since another, and which it is.

    In a phase that goes on, in others and in other systems there is nothing, and the other phase stays the last.
    """
    state, request = table.game.state, table.game.request
    if not (isinstance(state, State) and isinstance(request, Choose) and request.kind == "operation"):
        return set(), begun_last
    now = (*table.rules.clock(state), request.side)
    return (set() if now == begun_last else set(forbids(state, request.side))), now


def counted(run: Run, games: int) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """How often each event is told in the games of a run, and in how many of them."""
    times: Counter[tuple[str, str]] = Counter()
    some: Counter[tuple[str, str]] = Counter()
    for number in range(1, games + 1):
        table = begun(run)
        found: Counter[tuple[str, str]] = Counter()
        last: Clock = (0, "", "")
        for _ in entries(run, number, table):
            forbidden, last = held(table, last)
            found.update(forbidden)
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
