"""The cache of tables: the state of play behind a log, so that a long log isn't verified again each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem import __version__
from pbem.crypto import ed25519
from pbem.crypto.sshsig import raw_from_blob
from pbem.home import cache
from pbem.home.files import fingerprint
from pbem.match.codec import dumped, loaded
from pbem.match.genesis import Genesis, Kept, Loader, rules_and_board
from pbem.match.table import Table
from pbem.match.take import take
from pbem.records import NamedTuple
from pbem.wire.blocks import read_log_blocks
from pbem.wire.turn import Turn

__all__ = ["checkpoint", "recalled"]

KEY = f"pbem-table/14 {__version__}"


class Checkpoint(NamedTuple):
    """What is kept of a table: the size and fingerprint of the log's text that it is behind, and its dump."""

    size: int
    log: str
    genesis: Genesis
    table: dict[str, Any]


def checkpoint(file: Path, table: Table, text: str) -> None:
    """Keep a table, which is that behind the log's text."""
    about = {"size": len(text), "log": fingerprint(text), "genesis": dumped(table.genesis)}
    cache.keep(file, KEY, {**about, "table": table.dump()})


def recalled(file: Path, text: str, load: Loader, boards: Kept) -> tuple[Table | None, int]:
    """The table that was kept, carried on with the turns of the log's text that are behind it, and the size it had.

    `boards` keep the fixed data of scenarios. None and 0 for what is no checkpoint of this log, made by this program.
    """
    try:
        kept: Checkpoint = loaded(Checkpoint, cache.recall(file, KEY))
        terms = kept.genesis.terms
        scenario = load(terms.scenario)
        if fingerprint(text[: kept.size]) != kept.log or scenario.digest != terms.digest:
            return None, 0
        table = Table.load(kept.genesis, *rules_and_board(scenario, boards), kept.table)
        ed25519.remember(map(raw_from_blob, table.used))
        for block in read_log_blocks(text[kept.size :]):
            take(table, Turn.of(block))
        table.due()
    except Exception:  # whatever a foreign table does; what is wrong with the log, if it is the log, the replay says
        return None, 0
    return (table, kept.size) if _is_of_two(table) else (None, 0)


def _is_of_two(table: Table) -> bool:
    """Whether what a table keeps by players and by sides is there for both, and for nobody else."""
    players, course = table.genesis.players, table.course
    names, sides = {player.name for player in players}, {player.side for player in players}
    of_players = (table.players, table.last_by, table.played, table.mailed, table.known, table.agreed, table.sizes)
    return (
        all(kept.keys() == names for kept in of_players)
        and all(kept.keys() == sides for kept in (course.queues, course.reactions, course.plans, course.standing))
        and table.chains.keys() == table.anchors.keys() <= names
    )
