"""A log read from its first entry: every signature, die and rule is verified on the way."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TypeVar

from pbem.crypto import sshsig
from pbem.errors import BadLog, PbemError
from pbem.match.genesis import Genesis, Loader, begin, check_offer, rules_and_board, verify_offer
from pbem.match.table import Table
from pbem.match.take import begun, take
from pbem.records import NamedTuple
from pbem.scenario import Scenario, load_scenario
from pbem.wire.bodies import read_terms
from pbem.wire.entry import Entry
from pbem.wire.turn import Turn, read_turns

__all__ = ["Look", "Replayed", "Watch", "at_entry", "replay", "seat", "undo_targets"]

Watch = Callable[[int, int], None]
"""Is told how far a replay is: entry, of how many."""

Look = Callable[[Table], None]
"""Is shown the table before each entry behind the accept is taken."""

T = TypeVar("T")


class Replayed(NamedTuple):
    """A log read and verified: its genesis (None while only the offer is there), its table, its turns."""

    genesis: Genesis | None
    table: Table | None
    turns: list[Turn]


def replay(
    text: str,
    load: Loader = load_scenario,
    *,
    until: int | None = None,
    watch: Watch | None = None,
    look: Look | None = None,
) -> Replayed:
    """Verify a log from its first entry: signatures, chain, every die, every rule.

    Raises the PbemError of the first bad entry, its place in `where`. `watch` is told (entry, of how many), `look` is
    shown the table before each entry and at the end; it may listen to its game (Game.hear), and changes nothing.
    """
    turns = read_turns(text)
    if not turns:
        raise BadLog("the log is empty", hint="it begins with an offer")
    at_entry(verify_offer, 0, turns[0])
    if len(turns) == 1:
        return Replayed(None, None, turns)
    table = at_entry(seat, 1, turns[0], turns[1], load)
    table.remembered = dict.fromkeys(undo_targets([turn.entry for turn in turns]))
    for number, turn in enumerate(turns[2:], 2):
        if until is not None and number > until:
            break
        if watch is not None:
            watch(number, len(turns))
        if look is not None:
            look(table)
        at_entry(take, number, table, turn)
    if look is not None:
        look(table)
    return Replayed(table.genesis, table, turns)


def at_entry(step: Callable[..., T], number: int, *arguments: object) -> T:
    """Carry out a step; an error that doesn't name its entry gets the number."""
    try:
        return step(*arguments)
    except PbemError as error:
        if "entry" not in error.where:
            error.inside(f"entry {number}")
        raise


def undo_targets(entries: list[Entry]) -> frozenset[int]:
    """The entries that a log's undos take back: those whose proposal the next undo entry accepts."""
    found = [s.tokens for entry in entries if entry.kind == "undo" for s in entry.body if s.keyword == "undo"]
    pairs = [(asked, answer) for asked, answer in pairwise(found) if answer == ("accept",)]
    return frozenset(int(asked[1]) for asked, _ in pairs if len(asked) == 2 and asked[1].isdigit())


def seat(offer: Turn, accept: Turn, load: Loader = load_scenario) -> Table:
    """The table of a game from its offer and accept, both verified."""
    entry = accept.entry
    if entry.kind != "accept" or entry.seq != 1:
        raise BadLog(f"an `{entry.kind}` follows the offer", "entry 1", "an accept is due")
    if entry.prev != offer.hash.hex():
        raise BadLog("it accepts another offer", "entry 1", "`prev` must be the hash of the offer")
    player, _ = read_terms(entry)
    sshsig.verify(accept.payload, accept.block.armor, player.key)
    genesis = begin(offer.entry, entry, accept.hash)
    scenario = check_offer(genesis.terms, load)
    rules, board = rules_and_board(scenario)
    _check_sides(genesis, scenario)
    return begun(genesis, rules, board, offer.entry, entry)


def _check_sides(genesis: Genesis, scenario: Scenario) -> None:
    sides = [side["id"] for side in scenario.data["scenario"]["sides"]]
    for player in genesis.players:
        if player.side not in sides:
            raise BadLog(f"{player.name} takes the side {player.side}", hint="the sides are " + " and ".join(sides))
