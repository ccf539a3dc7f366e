"""Moments in the middle of long games, to be measured: a log of so many entries, and both players' home folders."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import matches
from matches import Match, planned, scenario_of, statements, write_home

from pbem.crypto.dice import CHAIN_LENGTH
from pbem.match.table import BARE
from pbem.rules import State
from pbem.rules.requests import Choose, Order, Words

__all__ = ["Moment", "moments"]

PORTION = 1
"""Orders of an entry while a log grows: so even a short game has a long log."""

WHOLE = 6
"""So many first entries hold whole phases, the set-up among them."""

FEWEST = 5
"""Orders of the phase that is measured, but where its rules ask for few at a time."""

MOST_GAMES = 200


class Moment(NamedTuple):
    """A decision behind so many entries: the log, and the orders of the whole phase.

    `sender`, who gives them, and `reader` are the players' home folders; nothing is cached in them.
    """

    entries: int
    log: str
    orders: Path
    sender: Path
    reader: Path


def _moment(match: Match, name: str, orders: list[Words], root: Path) -> Moment:
    """What is measured where a player has these orders to give; the files are written."""
    reader = next(player for player in match.sides if player != name)
    moment = Moment(len(match.blocks), match.log, *(root / part for part in ("orders", "sender", "reader")))
    write_home(match, name, moment.sender)
    write_home(match, reader, moment.reader)
    moment.orders.write_text(statements(orders), "ascii")
    return moment


def _advised(match: Match, name: str, chance: random.Random) -> list[Words]:
    """What the computer player would order in the whole phase."""

    def choose(state: State, request: Choose, whim: random.Random) -> Order:
        return match.table.rules.advise(state, request, whim)

    return list(planned(match.table, match.sides[name], choose, chance))


def _phases(match: Match, chance: random.Random) -> Iterator[str]:
    """Play at random; at each decision that begins a phase the player who has to make it."""
    phase = match.table.rules.clock(match.table.game.state)
    while (due := match.due())[1] is not None:
        what, name = due
        before, phase = phase, match.table.rules.clock(match.table.game.state)
        if what == "orders" and phase != before:
            yield name
        words = planned(match.table, match.sides[name], lambda _, request, whim: request.sample(whim), chance)
        match.play("" if what in BARE else statements(islice(words, PORTION if len(match.blocks) > WHOLE else None)))


def _played(match: Match, chance: random.Random, lengths: tuple[int, ...], fewest: int, root: Path) -> list[Moment]:
    """The first phases behind these numbers of entries; not all when the game is over before, or one is far behind."""
    found: list[Moment] = []
    for name in _phases(match, chance):
        entries, length = len(match.blocks), lengths[len(found)]
        if entries > 1.25 * length + 15:
            break
        if entries >= length and len(orders := _advised(match, name, chance)) >= fewest:
            found.append(_moment(match, name, orders, root / str(entries)))
            if len(found) == len(lengths):
                break
    return found


def moments(scenario_id: str, lengths: tuple[int, ...], root: Path, fewest: int = FEWEST) -> list[Moment]:
    """A moment near each of these numbers of entries, from the first game that is long enough."""
    matches.CHAIN = CHAIN_LENGTH
    for number in range(1, MOST_GAMES):
        match, chance = Match(scenario_of(scenario_id), number), random.Random(f"{scenario_id} {number}")
        found = _played(match, chance, lengths, fewest, root / f"{scenario_id}-{number}")
        if len(found) == len(lengths):
            return found
    raise AssertionError(f"no game of {scenario_id} is long enough")
