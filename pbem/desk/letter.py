"""A mail on the desk: scanned for turns and parsed once, whoever asks for them afterwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from typing import TypeVar

from pbem.crypto import sshsig
from pbem.errors import BadSignature, Damaged, PbemError
from pbem.mail.inbox import Mail, examine
from pbem.records import NamedTuple
from pbem.wire.entry import Entry
from pbem.wire.notes import Note, find_notes
from pbem.wire.turn import Turn

__all__ = ["Letter", "bare", "read_letter"]

E = TypeVar("E", bound=PbemError)


class Letter(NamedTuple):
    """A mail without its texts, every copy of every whole turn in it, and what is damaged there."""

    mail: Mail
    copies: tuple[Turn, ...]
    damaged: tuple[Damaged, ...]
    unreadable: Damaged | None
    """Why a block that is whole is no turn; None where all are."""
    notes: tuple[Note, ...] = ()
    """What stands beside its turns for the eye, unsigned: of each at most one."""

    @property
    def source(self) -> str:
        """Where it came from: `turn.eml`, `inbox:17`."""
        return self.mail.source

    @property
    def empty(self) -> bool:
        """Whether there is no turn in it, neither whole nor damaged."""
        return not (self.copies or self.damaged or self.unreadable)

    def note_to(self, entry: Entry) -> str:
        """What stands beside an entry for the eye; "" where nothing does."""
        return next((note.text for note in self.notes if (note.by, note.seq) == (entry.by, entry.seq)), "")

    def turns(self) -> list[Turn]:
        """The turns in it, the first copy of each (protocol 2.4, 8); its signature may be a bad one.

        Raises Damaged when there are only damaged ones, and for a whole block that is no turn.
        """
        if self.damaged and not self.copies and self.unreadable is None:
            raise self.damaged[0]
        if self.unreadable is not None:
            raise self.unreadable
        first: dict[bytes, Turn] = {}
        for turn in self.copies:
            first.setdefault(turn.payload, turn)
        return list(first.values())

    def rightly_signed(self, turn: Turn, keys: Iterable[bytes]) -> Turn:
        """The copy of a turn whose signature by one of these keys holds; the first one where none does.

        A mail holds its turn more than once; a bad copy hides no good one (protocol 2.4, 8). The keys count in order,
        and a copy is tried with the one alone that it names. Of a single copy nothing is asked here: who takes it
        verifies it.
        """
        copies = [copy for copy in self.copies if copy.payload == turn.payload]
        named: dict[bytes, list[Turn]] = defaultdict(list)
        for copy in copies if len(copies) > 1 else ():
            with suppress(BadSignature):
                named[sshsig.pub_blob_from(copy.block.armor)].append(copy)
        for key in keys:
            for copy in named.pop(key, ()):
                with suppress(BadSignature):
                    sshsig.verify(copy.payload, copy.block.armor, key)
                    return copy
        return turn


def bare(error: E) -> E:
    """An error to be kept: what its frames hold, a mail or a log and its table, goes."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def read_letter(mail: Mail) -> Letter:
    """The turns of a mail, and what is damaged; nothing of it holds the mail's texts, for a mailbox has many."""
    blocks, damaged = examine(mail)
    first: dict[bytes, Turn] = {}
    copies: list[Turn] = []
    unreadable: Damaged | None = None
    for block in blocks:
        try:
            turn = first[block.payload]._replace(block=block) if block.payload in first else Turn.of(block)
        except Damaged as error:
            unreadable = unreadable or bare(error)
            continue
        copies.append(first.setdefault(block.payload, turn)._replace(block=block))
    notes = _notes(mail.texts, {(turn.entry.by, turn.entry.seq) for turn in copies})
    return Letter(mail._replace(texts=()), tuple(copies), tuple(damaged), unreadable, notes)


def _notes(texts: Iterable[str], wanted: set[tuple[str, int]]) -> tuple[Note, ...]:
    """The first note to each of these entries."""
    found: dict[tuple[str, int], Note] = {}
    for note in (note for text in texts for note in find_notes(text, wanted)):
        found.setdefault((note.by, note.seq), note)
        if len(found) == len(wanted):
            break
    return tuple(found.values())
