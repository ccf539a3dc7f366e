"""Positions in which somebody is asked for orders: in games as they were signed, and in openings; lists for them."""

from __future__ import annotations

import random
from functools import cache

from matches import replayed
from systems.test_reports import empty_table
from systems.whole import log_of

from pbem.match.bots import suggest
from pbem.match.chances import chance_answer
from pbem.match.table import Table
from pbem.page.sheet import Sheet
from pbem.rules.requests import Choose
from pbem.wire.turn import read_turns

GAMES = [
    ("bakumatsu", "shogunate-holds"),
    ("bakumatsu", "tabaruzaka-draw"),
    ("yukimura", "connected-osaka"),
    ("yukimura", "yao-draw"),
    ("gcacw", "union-marginal"),
    ("gcacw", "manassas-union-marginal"),
    ("sengoku", "hashiba-waits"),
    ("samurai", "drawn"),
]
"""A game of each kind, as it was signed."""

EACH = 3
"""So many positions of each."""

FIRST = 4
"""From the entry of this number on."""

OPENINGS = [
    ("bakumatsu", "toba-fushimi"),
    ("yukimura", "connected"),
    ("gcacw", "cedar-mountain"),
    ("sengoku", "shizugatake"),
    ("samurai", "wooded-valley"),
]


@cache
def of_game(system: str, name: str) -> tuple[Table, ...]:
    """Tables of a signed game on its way, at which orders are due."""
    turns = read_turns(log_of(system, name))
    found: list[Table] = []
    for number in range(FIRST, len(turns), max(1, len(turns) // (EACH * 4))):
        table = replayed("".join(turn.text for turn in turns[:number])).table
        if table is not None and table.due().what == "orders" and len(found) < EACH:
            found.append(table)
    return tuple(found)


@cache
def waiting(system: str, name: str, what: str) -> Table:
    """The first table of a signed game at which this is due: `react`, `reveal`."""
    turns = read_turns(log_of(system, name))
    tables = (replayed("".join(turn.text for turn in turns[:number])).table for number in range(3, len(turns)))
    return next(table for table in tables if table is not None and table.due().what == what)


@cache
def opening(system: str, scenario: str) -> Table:
    """A table at its first decision."""
    table, chance = empty_table(system, scenario), random.Random(1)
    table.course.chancer = lambda request: chance_answer(request, chance)
    table.course.begin()
    table.course.resolve()
    table.seq = 2
    return table


def asked(table: Table) -> tuple[str, Choose]:
    """The player whose orders are due, and what he is asked."""
    request = table.game.request
    assert isinstance(request, Choose)
    return table.genesis.of_side(request.side).name, request


def sheet_of(table: Table) -> Sheet:
    """The sheet of the player whose orders are due."""
    return Sheet(table, asked(table)[0])


def by_bot(table: Table) -> list[str]:
    """Orders that a bot gives there, without those that close the list or stop it."""
    orders = suggest(table, asked(table)[0], "bold", random.Random(3))
    return [" ".join(words) for words in orders if words not in ((table.rules.CLOSING,), ("strict",))]


def listed(orders: list[str]) -> str:
    """Orders as a text."""
    return "".join(f"{order};\n" for order in orders)
