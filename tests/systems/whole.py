"""Whole games by mail: how one is made, its log, what it comes to, and what it told."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from matches import MOST_ENTRIES, Chooser, Dress, Match, replayed, scenario_of

from pbem.match.table import Table

__all__ = ["GAMES", "Whole", "both", "ends", "expected", "log_of", "table_of", "tells", "wanted_game"]

GAMES = Path(__file__).parent / "games"


class Whole(NamedTuple):
    """How a game is made: scenario, choosers, whether it came out as wanted, what is put round orders, terms.

    After `most` entries whoever is due gives up.
    """

    scenario: str
    first: Chooser
    second: Chooser
    wanted: Callable[[Table], bool]
    dress: Dress | None = None
    options: tuple[tuple[str, str], ...] = ()
    terms: tuple[tuple[str, str], ...] = ()
    most: int = MOST_ENTRIES

    def begun(self, number: int) -> Match:
        """The game of this number, which gives the gnonces, before its first entry."""
        return Match(scenario_of(self.scenario), number, dict(self.options), **dict(self.terms))

    def play(self, number: int) -> Match:
        """The game of this number to its end; the number gives the whims, too."""
        match = self.begun(number)
        match.run({"asuka": self.first, "ben": self.second}, random.Random(number), self.dress, self.most)
        if match.due()[0] != "nothing":
            match.resign()
        return match


def wanted_game(whole: Whole) -> tuple[int, Match]:
    """The first game that came out as wanted: any change of the scenario changes all dice."""
    for number in range(200):
        match = whole.play(number)
        if whole.wanted(match.table):
            return number, match
    raise AssertionError(f"no game of {whole.scenario} came out so; the last: {match.table.outcome}")


# --- logs ----------------------------------------------------------------------------------------------------------


@cache
def log_of(system: str, name: str) -> str:
    """The text of a log."""
    return (GAMES / system / f"{name}.log").read_text("ascii")


@cache
def table_of(system: str, name: str) -> Table:
    """The table of a log; not to be changed."""
    table = replayed(log_of(system, name)).table
    assert table is not None
    return table


@cache
def expected(system: str) -> dict[str, Any]:
    """What each log of a system comes to."""
    found: dict[str, Any] = json.loads((GAMES / system / "expected.json").read_text("ascii"))
    return found


# --- what a game told ----------------------------------------------------------------------------------------------


def tells(table: Table, what: str) -> list[dict[str, Any]]:
    """The facts of all events of a kind, with turn and phase."""
    found = [step for step in table.steps if step["kind"] == "tell" and step["what"] == what]
    return [{**step["facts"], "in": step["turn"], "phase": step["phase"]} for step in found]


def ends(clause: str, winner: str | None, *ways: str) -> Callable[[Table], bool]:
    """Whether a game ended by a clause, and the last event but the end is one of these."""

    def wanted(table: Table) -> bool:
        last = [step for step in table.steps if step["kind"] == "tell"][-2]
        found = table.outcome
        return found is not None and found[:2] == (winner, clause) and (not ways or last["what"] in ways)

    return wanted


def both(*wishes: Callable[[Table], bool]) -> Callable[[Table], bool]:
    """All of these."""
    return lambda table: all(wish(table) for wish in wishes)
