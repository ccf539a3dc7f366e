"""When the entries of a game were sent and came, by the clock of this machine, and how long a player has waited.

No verifier sees these times; they are kept beside the log, one entry a line: `SEQ sent|came TIME`, in seconds since
1970. A line that is odd is passed over; of two about one entry the lower one counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pbem.errors import Storage
from pbem.home.files import read_small, write_atomically
from pbem.wire.bodies import PROPOSALS
from pbem.wire.entry import Entry

__all__ = ["DAY", "newest", "note", "read", "since"]

DAY = 86400
"""Seconds of a day of a deadline."""
_LINE = "([0-9]{1,9}) (?:sent|came) ([0-9]{10})"


# --- the file ----------------------------------------------------------------------------------------------------


def read(path: Path) -> dict[int, int]:
    """The times in a file, by the entries' numbers; empty where there is none. Never an error."""
    try:
        lines = read_small(path).decode("ascii", "replace").split("\n")
    except OSError:
        return {}
    found = [(int(line[1]), int(line[2])) for one in lines if (line := re.fullmatch(_LINE, one))]
    return dict(found)


def note(path: Path, *entries: tuple[int, str, float]) -> None:
    """Add when entries were `sent` or `came`: number, word, time. What can't be written is unknown later, no error."""
    with suppress(OSError, Storage):
        known = read_small(path) if path.exists() else b""
        lines = "".join(f"{seq} {word} {int(moment):010}\n" for seq, word, moment in entries)
        write_atomically(path, known + b"\n" * (known[-1:] not in (b"", b"\n")) + lines.encode("ascii"))


# --- how long one has waited -------------------------------------------------------------------------------------


def newest(entries: Sequence[Entry], times: Mapping[int, int], me: str) -> tuple[int, int]:
    """My newest entry other than a refuse: its number, and when it was sent.

    `entries` are those of the log from 0 on, `times` hold the newest one's at least. Where a time is not known the
    next one known stands for it: in doubt he who is late has more time.
    """
    seq = max(entry.seq for entry in entries if entry.by == me and not _refuses(entry))
    return seq, _at_the_latest(times, seq)


def since(entries: Sequence[Entry], times: Mapping[int, int], me: str) -> int:
    """From when on a deadline of my opponent counts, in seconds since 1970 (protocol 4.4).

    It is when my newest entry other than a refuse was sent, later by as long as I had proposals of his before me that
    I refused. `entries` and `times` as in `newest`.
    """
    begun, sent = newest(entries, times, me)
    before_me, arrived = 0, sent
    for entry in entries:
        if entry.by != me and _word(entry) == "offer":
            arrived = max(sent, _at_the_earliest(times, entry.seq))
        elif entry.seq > begun and entry.by == me and _refuses(entry):
            before_me += max(0, _at_the_latest(times, entry.seq) - arrived)
    return sent + before_me


def _at_the_latest(times: Mapping[int, int], seq: int) -> int:
    return times[min(number for number in times if number >= seq)]


def _at_the_earliest(times: Mapping[int, int], seq: int) -> int:
    return times[max((number for number in times if number <= seq), default=min(times))] if times else 0


def _refuses(entry: Entry) -> bool:
    return _word(entry) == "refuse"


def _word(entry: Entry) -> str:
    """The word of a proposal or of an answer to one; "" of any other entry."""
    if entry.kind not in PROPOSALS:
        return ""
    return next((s.tokens[0] for s in entry.body if s.keyword == entry.kind and s.tokens), "")
