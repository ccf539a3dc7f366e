"""How a game begins: the terms in `offer`, repeated in `accept`, and the scenario that they pin (protocol 4.7)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from pbem.crypto import sshsig
from pbem.errors import BadLog, BadScenario
from pbem.records import NamedTuple
from pbem.rules import Board, Rules, rules_of
from pbem.scenario import Scenario, load_scenario
from pbem.wire.bodies import Player, Terms, read_terms
from pbem.wire.entry import Entry
from pbem.wire.turn import Turn
from pbem.words import listed

__all__ = ["Genesis", "Kept", "Loader", "begin", "check_offer", "rules_and_board", "verify_offer"]

Loader = Callable[[str], Scenario]
"""Finds a scenario by its id."""


class Genesis(NamedTuple):
    """A game that both have signed: its id (32 bytes), its terms, the offerer and the accepter."""

    game: bytes
    terms: Terms
    players: tuple[Player, Player]

    def player(self, name: str) -> Player:
        """The player of that name. Raises BadLog when nobody has it."""
        for player in self.players:
            if player.name == name:
                return player
        names = " and ".join(p.name for p in self.players)
        raise BadLog(f"nobody in this game is called {name}", hint=f"the players are {names}")

    def of_side(self, side: str) -> Player:
        """The player of a side."""
        return next(p for p in self.players if p.side == side)

    def other(self, name: str) -> Player:
        """The opponent of a player."""
        return self.players[1] if self.players[0].name == name else self.players[0]


def begin(offer: Entry, accept: Entry, game: bytes) -> Genesis:
    """The genesis of a game from its first two entries. Raises BadLog when they don't belong together."""
    first, terms = read_terms(offer)
    second, repeated = read_terms(accept)
    if repeated != terms:
        name = next(n for n in Terms._fields if getattr(terms, n) != getattr(repeated, n))
        raise BadLog(
            f"the accept repeats other terms than the offer: {name.replace('_', '-')}",
            "entry 1",
            "an accept repeats the offer's terms word for word",
        )
    if second.name == first.name:
        raise BadLog(f"both players are called {first.name}", "entry 1", "the accept must choose another name")
    if second.side == first.side:
        raise BadLog(f"both players take the side {first.side}", "entry 1", "the accept takes the other side")
    _check_keys(first, second, solo=terms.solo)
    return Genesis(game, terms, (first, second))


def _check_keys(first: Player, second: Player, *, solo: bool) -> None:
    """Two different keys, and recovery keys that differ from all others; in a solo game one key for both. Or BadLog."""
    if solo:
        if first.key != second.key:
            raise BadLog("a solo game has two keys", "entry 1", "only the offer's own key accepts a `solo` offer")
        if first.recovery or second.recovery:
            raise BadLog("a recovery key is named in a solo game", "entry 1", "it must be left out")
        return
    if first.key == second.key:
        raise BadLog("both players have the same key", "entry 1", "only a game offered as `solo` allows that")
    named = [key for key in (first.key, first.recovery, second.key, second.recovery) if key]
    if len(set(named)) < len(named):
        raise BadLog("a recovery key is another key of this game", "entry 1", "each key must differ from all others")


def verify_offer(turn: Turn) -> tuple[Player, Terms]:
    """Check an offer's kind, key and signature."""
    entry = turn.entry
    if entry.kind != "offer" or entry.seq != 0:
        raise BadLog(f"an `{entry.kind}` stands at the beginning", "entry 0", "a log begins with an offer")
    player, terms = read_terms(entry)
    sshsig.verify(turn.block.payload, turn.block.armor, player.key)
    return player, terms


def check_offer(terms: Terms, load: Loader = load_scenario) -> Scenario:
    """The scenario of an offer, if this program can play it as it was offered. Raises BadScenario."""
    scenario = load(terms.scenario)
    if scenario.edition != terms.rules:
        raise BadScenario(
            f"the game is of rules edition {terms.rules}", terms.scenario, f"this program plays {scenario.edition}"
        )
    if scenario.digest != terms.digest:
        raise BadScenario(
            f"its content differs: {terms.digest[:16]} was offered, {scenario.digest[:16]} is here",
            terms.scenario,
            f"both players need the same version of pbem and the same files: {listed(_files(scenario))}",
        )
    return scenario


def _files(scenario: Scenario) -> list[str]:
    """The files of a scenario, as they are called inside its system's folder."""
    tables = scenario.data["scenario"].get("tables", [])
    chapters = [tables] if isinstance(tables, str) else tables
    named = [f"{kind}/{name}.yaml" for kind in ("maps", "armies") for name in scenario.data.get(kind, ())]
    return [f"{scenario.id}.yaml", *named, *(f"{name}.yaml" for name in chapters)]


_boards: dict[str, Board] = {}


class Kept(Protocol):
    """Keeps boards between two programs."""

    def __call__(self, scenario: Scenario, build: Callable[[], Board], /) -> Board:
        """The board of a scenario as it was kept, else as it is built."""


def rules_and_board(scenario: Scenario, kept: Kept | None = None) -> tuple[Rules, Board]:
    """A scenario's rules and fixed data; boards are kept while the program runs, by `kept` longer."""
    rules = rules_of(scenario.system)
    if scenario.digest not in _boards:
        try:
            build = partial(rules.board, scenario.data)
            _boards[scenario.digest] = kept(scenario, build) if kept is not None else build()
        except BadScenario as error:
            error.hint = error.hint or f"`pbem scenarios --check {scenario.id}` tells file and line of each"
            raise
    return rules, _boards[scenario.digest]
