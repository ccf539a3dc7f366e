"""A turn: its block, what the block says and the hash that names it, made once."""

from __future__ import annotations

import re

from pbem.crypto.dice import entry_hash
from pbem.errors import BadLog, Damaged
from pbem.records import NamedTuple
from pbem.wire.blocks import Block, read_log_blocks, render_block
from pbem.wire.entry import Entry, parse_entry
from pbem.words import own

__all__ = ["Turn", "read_turns"]


class Turn(NamedTuple):
    """A whole turn; `hash` are the 32 bytes by which the next entry names it."""

    block: Block
    entry: Entry
    hash: bytes

    @classmethod
    def of(cls, block: Block) -> Turn:
        """The turn in a block. Raises Damaged for one whose words are no entry."""
        entry = parse_entry(block.payload)
        if entry.kind in ("offer", "accept"):
            own(entry.by)
        return cls(block, entry, entry_hash(block.payload))

    @classmethod
    def signed(cls, entry: Entry, armor: str) -> Turn:
        """The turn that an entry and its signature make."""
        return cls(Block(entry.payload, armor), entry, entry_hash(entry.payload))

    @property
    def payload(self) -> bytes:
        """What is signed: the canonical bytes C."""
        return self.block.payload

    @property
    def text(self) -> str:
        """As it stands in a mail and in game.log."""
        return render_block(self.block)


def read_turns(text: str, where: str = "") -> list[Turn]:
    """The turns of a log. Raises BadLog or Damaged naming the first bad entry."""
    try:
        blocks = read_log_blocks(text)
    except Damaged as error:
        place = re.sub(r"block (\d+)", lambda found: f"entry {int(found[1]) - 1}", error.where)
        raise Damaged(error.what, f"{where} {place}".strip(), error.hint) from error
    turns: list[Turn] = []
    for number, block in enumerate(blocks):
        place = f"{where} entry {number}".strip()
        try:
            turn = Turn.of(block)
        except Damaged as error:
            raise Damaged(error.what, f"{place}, {error.where}", error.hint) from error
        if turn.entry.seq != number:
            raise BadLog(f"entry {turn.entry.seq} stands where {number} is due", place, "the log is cut or reordered")
        turns.append(turn)
    return turns
