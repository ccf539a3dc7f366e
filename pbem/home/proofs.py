"""Proof against who has signed two turns for one number: the one that contradicts a game's log, kept."""

from __future__ import annotations

from pathlib import Path

from pbem.home import files
from pbem.home.contents import ID_LENGTH
from pbem.home.folders import Folder, Home
from pbem.records import NamedTuple
from pbem.wire.turn import Turn

__all__ = ["Kept", "evidence_name", "keep_evidence"]

EVIDENCE_OF_GAME = 50
"""Turns that are kept as evidence of one game."""
EVIDENCE_BYTES = 16 << 20
"""Bytes of all turns that are kept as evidence."""


def evidence_name(turn: Turn) -> str:
    """What a turn that contradicts a log is called in the folder evidence."""
    game = turn.entry.game or turn.hash.hex()
    return f"{game[:ID_LENGTH]}-{turn.entry.seq}-{turn.entry.by}.turn"


class Kept(NamedTuple):
    """Where the proof against a turn's author is kept, if it is, and what is to be told of it."""

    path: Path | None
    told: str


def keep_evidence(home: Home, turn: Turn) -> Kept:
    """Store a signed entry that contradicts the log: one of each game, number and author, which is proof enough.

    At most 50 of a game and 16 MiB of all games are kept. Raises Storage.
    """
    text = turn.text
    path = home.root / "evidence" / evidence_name(turn)
    game = path.name[:ID_LENGTH]
    old = files.read_text(path) if path.is_file() else ""
    if old == text:
        return Kept(path, f"this one is kept as evidence: {path}")
    if old and not _logged(home, game, old):
        return Kept(path, f"this one isn't kept, {path} is proof enough")
    others = [file for file in path.parent.glob("*.turn") if file != path] if path.parent.is_dir() else []
    full = ""
    if sum(file.name.startswith(f"{game}-") for file in others) >= EVIDENCE_OF_GAME:
        full = f"{EVIDENCE_OF_GAME} turns of this game are"
    elif sum(file.stat().st_size for file in others) + len(text) > EVIDENCE_BYTES:
        full = f"{EVIDENCE_BYTES >> 20} MiB of turns are"
    if full:
        return Kept(None, f"this one isn't kept: {full} in {path.parent}; move them elsewhere to keep more")
    files.write_atomically(path, text.encode("ascii"))
    return Kept(path, f"this one is kept as evidence: {path}")


def _logged(home: Home, game: str, kept: str) -> bool:
    """Whether a turn that was kept is the one in the log by now, after a restore: then it proves nothing."""
    folder = Folder(home, "games", game)
    return folder.log.is_file() and kept.split("-----BEGIN SSH", 1)[0] in folder.text()
