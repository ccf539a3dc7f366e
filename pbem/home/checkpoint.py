"""The cache of tables: the state of play behind a log, sealed, so that a long log isn't verified again each time."""

from __future__ import annotations

import json
from typing import Any

from pbem import __version__
from pbem.crypto.hashing import digest
from pbem.errors import PbemError
from pbem.home.files import fingerprint
from pbem.match.genesis import Genesis, Loader, rules_and_board
from pbem.match.table import Table
from pbem.match.take import take
from pbem.wire.blocks import read_log_blocks
from pbem.wire.bodies import Player, Terms
from pbem.wire.turn import Turn

__all__ = ["checkpoint", "recalled"]

TAG = "pbem-cache/1"


def checkpoint(table: Table, text: str) -> bytes:
    """What is kept of a table, which is that behind the log's text."""
    stored = {
        "program": __version__,
        "size": len(text),
        "log": fingerprint(text),
        "genesis": _genesis_out(table.genesis),
        "table": table.dump(),
    }
    return json.dumps(stored | {"seal": digest(TAG, stored)}).encode("ascii")


def recalled(kept: bytes, text: str, load: Loader) -> tuple[Table | None, int]:
    """The table of a checkpoint, carried on with the turns of the log's text that are behind it, and its size.

    None and 0 for what is no checkpoint of this log, made by this program.
    """
    stored = _opened(kept)
    if stored is None:
        return None, 0
    try:
        size: int = stored["size"]
        genesis = _genesis_in(stored["genesis"])
        scenario = load(genesis.terms.scenario)
        if fingerprint(text[:size]) != stored["log"] or scenario.digest != genesis.terms.digest:
            return None, 0
        table = Table.load(genesis, *rules_and_board(scenario), stored["table"])
        for block in read_log_blocks(text[size:]):
            take(table, Turn.of(block))
    except (PbemError, LookupError, TypeError, ValueError, AttributeError):
        return None, 0  # what is wrong with the log, if it is the log, the replay says
    return table, size


def _opened(kept: bytes) -> dict[str, Any] | None:
    """What a checkpoint holds; None where its seal is broken or another program made it."""
    try:
        stored: dict[str, Any] = json.loads(kept)
        sealed = stored.pop("seal") == digest(TAG, stored)
        return stored if sealed and stored["program"] == __version__ else None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _genesis_out(genesis: Genesis) -> dict[str, Any]:
    return {
        "game": genesis.game.hex(),
        "terms": [list(map(list, f)) if isinstance(f, tuple) else f for f in genesis.terms],
        "players": [player.dump() for player in genesis.players],
    }


def _genesis_in(stored: dict[str, Any]) -> Genesis:
    words = list(stored["terms"])
    words[3] = tuple((name, value) for name, value in words[3])
    first, second = map(Player.load, stored["players"])
    return Genesis(bytes.fromhex(stored["game"]), Terms(*words), (first, second))
