"""Limits of what is taken into a log, so that nobody can be silenced or drowned by legal entries (protocol 7).

They are rules of the game: both programs and every verifier count the same bytes of C. What the grammar itself limits
(C, statements, tokens) stands in entry.py and statements.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.wire.entry import Entry
from pbem.wire.statements import Statement

__all__ = ["AGREEMENTS_MAX", "BLOCK_EXTRA", "SAY_MAX", "block_size", "why_too_large", "why_too_much"]

SAY_MAX = 4096
"""Bytes of all `say` of an entry, as lines of C."""

BODY_MAX = 20
"""Statements in the body of an agreement."""

AGREEMENTS_MAX = 20
"""Agreements of one player between two decisions or reveals."""

BLOCK_EXTRA = 356
"""Bytes of a block in game.log beside those of C: fences and signature of an Ed25519 key."""

_MIB = 2**20
_SHARE = 31 * _MIB
_SHARE_OF_ANSWERS = 31 * _MIB + _MIB // 2
_SHARE_AT_THE_END = 32 * _MIB


def block_size(entry: Entry) -> int:
    """How many bytes an entry adds to game.log, and to its author's share of it."""
    return len(entry.payload) + BLOCK_EXTRA


def say_size(body: Iterable[Statement]) -> int:
    """Bytes of the lines of all `say` in a body."""
    return sum(len(str(statement)) + 1 for statement in body if statement.keyword == "say")


def why_too_large(body: Iterable[Statement], *, agreement: bool) -> str:
    """Why a body is too large for its kind of entry; "" when it isn't."""
    body = tuple(body)
    if (size := say_size(body)) > SAY_MAX:
        return f"its `say` have {size} bytes, {SAY_MAX} at most"
    if agreement and len(body) > BODY_MAX:
        return f"its body has {len(body)} statements, {BODY_MAX} at most in a `draw`, `undo` and the like"
    return ""


def why_too_much(entry: Entry, so_far: int) -> str:
    """Why an entry doesn't fit into its author's share of the log, `so_far` bytes of it being used; "" when it does."""
    share = _SHARE
    if entry.kind in ("resign", "claim"):
        share = _SHARE_AT_THE_END
    elif entry.kind in ("reveal", "draw") or any(s.tokens[:1] in (("accept",), ("refuse",)) for s in _answers(entry)):
        share = _SHARE_OF_ANSWERS
    size = so_far + block_size(entry)
    if size <= share:
        return ""
    return f"{entry.by}'s share of the log would have {size} bytes, {share} at most for a `{entry.kind}`"


def _answers(entry: Entry) -> tuple[Statement, ...]:
    return tuple(s for s in entry.body if s.keyword == entry.kind) if entry.kind in ("undo", "substitute") else ()
