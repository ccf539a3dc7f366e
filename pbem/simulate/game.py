"""One game between two bots, without mails or signatures: entry by entry as by mail, so that its mails are counted."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pbem import __version__
from pbem.errors import Refused
from pbem.match.bots import Row, suggest
from pbem.match.chances import Steady
from pbem.match.genesis import Genesis, rules_and_board
from pbem.match.orders import Part, read_canonical
from pbem.match.table import BARE, Table
from pbem.match.take import enter
from pbem.records import NamedTuple
from pbem.rules import rules_of
from pbem.rules.requests import Words
from pbem.scenario import Scenario
from pbem.wire.bodies import Player, Terms
from pbem.wire.statements import Statement

__all__ = ["NAMES", "Played", "Run", "begun", "entries", "fits", "played", "sides_of", "too_many_lost"]

NAMES = ("first", "second")
"""The players, in the order of the scenario's sides."""

MOST = 20_000
"""Mails of a game at most; one that takes more has no end."""

LONGEST = 500
"""Letters of a clause or a reason at most."""

_TAG = "pbem-simulate/1"


@dataclass(frozen=True)
class Run:
    """What is played: game by its number, which is the same wherever it is played, and however many others there are.

    `bots` are those of the first and the second side of the scenario. Only the same `version` of the program plays the
    same games.
    """

    scenario: Scenario
    terms: Terms
    bots: tuple[str, str]
    seed: int
    version: str = __version__


class Played(NamedTuple):
    """What came of a game.

    number   its number in the run, from 1
    winner   the side that won; None for a draw
    clause   by which it ended, and the `reason` in words
    turns    the turn in which it ended
    mails    of both players, offer and accept among them; `orders` of them hold orders or answers
    lost     side -> units removed in each turn, from the first to that of the end
    level    the level of the victory, where a system has levels
    """

    number: int
    winner: str | None
    clause: str
    reason: str
    turns: int
    mails: int
    orders: int
    lost: dict[str, list[int]]
    level: str = ""


def sides_of(scenario: Scenario) -> list[tuple[str, str]]:
    """Id and title of the two sides, in the scenario's order."""
    return [(side["id"], side["title"]) for side in scenario.data["scenario"]["sides"]]


def fits(game: Any, run: Run, number: int) -> bool:
    """Whether all of a game's fields, whoever told it, are what `Played` says of them, for this run and this number.

    That the game came to this isn't known without playing it.
    """
    sides = [side for side, _ in sides_of(run.scenario)]
    if not (type(game.number) is int and game.number == number and all(map(_count, game[4:7]))):
        return False
    if not (_words(game.clause) and _words(game.reason) and isinstance(game.lost, dict)):
        return False
    if not (game.level == "" or _words(game.level)):
        return False
    losses = list(game.lost.values())
    return (
        game.winner in (None, *sides)
        and sorted(map(str, game.lost)) == sorted(sides)
        and game.turns <= _turns(run.scenario)
        and game.orders <= game.mails - len(NAMES)  # offer and accept hold none
        and all(isinstance(lost, list) and len(lost) == game.turns >= 1 for lost in losses)
        and all(_count(count) for lost in losses for count in lost)
        and not too_many_lost(game, run)
    )


def too_many_lost(game: Played, run: Run) -> str:
    """Which side of a game lost more units than it has, in words; "" for none.

    Where lost units come back, no unit is lost twice in one turn.
    """
    units = _units(run)
    for side in run.scenario.data["scenario"]["sides"]:
        told, most = game.lost.get(side["id"], []), units[side["id"]]
        comes_back = side.get("reorganises") == "yes"  # from the turn behind that of its loss on
        lost = max(told, default=0) if comes_back else sum(told)
        if lost > most:
            return f"{side['id']} has {most} units and can't lose {lost:,}{' in one turn' if comes_back else ''}"
    return ""


_forces: dict[str, Counter[str]] = {}


def _units(run: Run) -> Counter[str]:
    """Side -> how many units it has, those to come among them; kept while the program runs."""
    digest = run.scenario.digest
    if digest not in _forces:
        table = begun(run)
        _forces[digest] = Counter({side: len(units) for side, units in table.rules.of_side(table.board).items()})
    return _forces[digest]


def _turns(scenario: Scenario) -> int:
    """The turns of a game at most; of a scenario that can't be played any number."""
    told = str(scenario.data["scenario"].get("turns"))
    return int(told) if told.isdecimal() else MOST


def _words(value: object) -> bool:
    """Whether a value can be a clause or a reason: words in a line."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST and value.isprintable()


def _count(value: object) -> bool:
    """Whether a value can be a number of turns, mails or losses of a game."""
    return type(value) is int and 0 <= value <= MOST + 1


def played(run: Run, number: int) -> Played:
    """Play one game of a run. Raises Refused for a bot that isn't known, or a run of another version or edition."""
    here = (__version__, rules_of(run.scenario.system).EDITION)
    if here != (run.version, run.terms.rules):
        version, edition = here
        raise Refused(
            f"this is pbem {version} with rules {edition}, "
            f"and the games are to be those of {run.version} with rules {run.terms.rules}"
        )
    table, orders = begun(run), 0
    for kind in entries(run, number, table):
        orders += kind not in BARE
    outcome = table.outcome
    assert outcome is not None  # noqa: S101 nothing is due
    turns, mails = table.rules.clock(table.game.state)[0], table.seq + 1
    told = (turns, mails, orders, _lost(table, turns))
    return Played(number, outcome.winner, outcome.clause, outcome.reason, *told, outcome.level)


def entries(run: Run, number: int, table: Table) -> Iterator[str]:
    """Play one game of a run from behind its accept: the kind of each entry, when it has been taken."""
    row = Row()
    whims = {name: Steady(int.from_bytes(_seed(run, number, name)[:8], "big")) for name in NAMES}
    while (due := table.due()).player is not None:
        row.count(table, due.player, due.what)
        orders = suggest(table, due.player, run.bots[NAMES.index(due.player)], whims[due.player])
        enter(table, due.player, _parts(table, due.player, orders), _seed(run, number, str(table.seq + 1)))
        yield due.what
        if table.seq > MOST:
            raise Refused(f"game {number} has no end: it takes more than {MOST} mails", run.scenario.id)


def begun(run: Run) -> Table:
    """A game of a run behind its accept; its players have no keys."""
    players = [Player(name, side, b"") for name, (side, _) in zip(NAMES, sides_of(run.scenario), strict=True)]
    genesis = Genesis(bytes(32), run.terms, (players[0], players[1]))
    table = Table(genesis, *rules_and_board(run.scenario), genesis.game)
    table.course.begin()
    return table


def _parts(table: Table, name: str, orders: list[Words]) -> list[tuple[int, Part]]:
    """What an entry with these words holds, numbered, as it is read from it."""
    body = [Statement(words[0], words[1:]) for words in orders]
    return read_canonical(table.rules, table.board, table.genesis.player(name).side, body)


def _seed(run: Run, number: int, what: str) -> bytes:
    """32 bytes for the whims of a player or the dice of an entry, of this game alone."""
    return hashlib.sha256(f"{_TAG} {run.seed} {number} {what}".encode("ascii")).digest()


def _lost(table: Table, turns: int) -> dict[str, list[int]]:
    """Side -> units removed in each turn."""
    side = {unit: side for side, units in table.rules.of_side(table.board).items() for unit in units}
    lost = {player.side: [0] * turns for player in table.genesis.players}
    for step in table.steps:
        if step["kind"] == "tell" and step["what"] == "remove":
            lost[side[step["facts"]["unit"]]][step["turn"] - 1] += 1
    return lost
