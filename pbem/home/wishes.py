"""What a player has asked for and can't sign yet, kept beside the log: to resign, a draw, an undo."""

from __future__ import annotations

import json
from contextlib import suppress

from pbem.errors import Damaged
from pbem.home.contents import WISH
from pbem.home.files import delete, write_atomically
from pbem.home.folders import Folder
from pbem.home.stored import read_stored
from pbem.match.table import Table, take_back_words
from pbem.records import NamedTuple
from pbem.wire.bodies import proposal_body
from pbem.wire.notes import tidy
from pbem.wire.statements import Statement

__all__ = ["Wish", "forget_wish", "keep_wish", "read_wish", "wish_now", "wish_of"]

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
        return "my proposal of a draw" if self.kind == "draw" else f"my proposal {take_back_words(self.target)}"

    def why_never(self, table: Table) -> str:
        """Why it can't be carried out any more; "" where it can be, now or later."""
        if table.due().player is None:
            return "the game is over"
        if self.kind == "undo" and self.target not in table.decisions:
            return f"entry {self.target} can't be taken back any more"
        return ""

    def can_go(self, table: Table, me: str) -> bool:
        """Whether the next entry may be this one: something is due from its author, and no answer to a proposal.

        What the opponent has refused waits for a decision of its author.
        """
        due = table.due()
        return (
            not self.why_never(table)
            and (self.kind, me) not in table.refused
            and table.seq > 1
            and due.player == me
            and due.what in ("orders", "react", "reveal")
        )


def wish_of(folder: Folder) -> Wish | None:
    """What is kept in a game; None where nothing is, or the file is damaged."""
    with suppress(OSError, Damaged):
        return read_wish(folder)
    return None


def read_wish(folder: Folder) -> Wish:
    """What is kept in a game. Raises OSError where nothing is, Damaged."""
    hint = "`pbem draw --withdraw` takes it away"
    wish: Wish = read_stored(folder.path / WISH, Wish, hint)
    if wish.kind not in KINDS or (wish.kind == "undo") != (wish.target > 1):
        raise Damaged("it is damaged, and counts as empty", str(folder.path / WISH), hint)
    return wish._replace(note=tidy(wish.note))


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
