"""What a player has asked for and can't sign yet, kept beside the log: to resign, a draw, an undo."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import NamedTuple

from pbem.home.files import delete, read_small, write_atomically
from pbem.home.folders import WISH, Folder
from pbem.match.table import Table, take_back_words
from pbem.wire.bodies import proposal_body
from pbem.wire.notes import tidy
from pbem.wire.statements import Statement

__all__ = ["Wish", "forget_wish", "keep_wish", "wish_now", "wish_of"]

KINDS = ("draw", "resign", "undo")


class Wish(NamedTuple):
    """An entry that waits for its author to be due: its kind, the entry that an undo takes back, his note."""

    kind: str
    target: int = 0
    note: str = ""

    @property
    def body(self) -> tuple[Statement, ...]:
        """The body of the entry."""
        return () if self.kind == "resign" else proposal_body(self.kind, "offer", self.target)

    def __str__(self) -> str:
        """In words: `my proposal of a draw`."""
        if self.kind == "resign":
            return "my resignation"
        return "my proposal " + ("of a draw" if self.kind == "draw" else take_back_words(self.target))

    def can_go(self, table: Table, me: str) -> bool:
        """Whether the next entry may be this one: something is due from its author, and no answer to a proposal."""
        due = table.due()
        return table.seq > 1 and due.player == me and due.what in ("orders", "react", "reveal")


def wish_of(folder: Folder) -> Wish | None:
    """What is kept in a game; None where nothing is, or what stands there is none."""
    with suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        stored = json.loads(read_small(folder.path / WISH))
        wish = Wish(str(stored["kind"]), int(stored["target"]), tidy(str(stored["note"])))
        return wish if wish.kind in KINDS and (wish.kind == "undo") == (wish.target > 1) else None
    return None


def wish_now(folder: Folder, table: Table, me: str) -> Wish | None:
    """What is kept in a game and goes with my next entry, before any orders; None where nothing does."""
    wish = wish_of(folder)
    return wish if wish is not None and wish.can_go(table, me) else None


def keep_wish(folder: Folder, wish: Wish) -> None:
    """Keep a wish in place of the one before. Raises Storage."""
    write_atomically(folder.path / WISH, json.dumps(wish._asdict()).encode("ascii"))


def forget_wish(folder: Folder) -> None:
    """Forget what is kept. Raises Storage."""
    delete(folder.path / WISH)
