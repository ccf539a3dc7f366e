"""Mails for the tests, as their blocks."""

from __future__ import annotations

from pbem.desk.letter import read_letter
from pbem.mail.inbox import Mail
from pbem.wire.blocks import Block


def blocks_of(mail: Mail) -> list[Block]:
    """The blocks of a mail, the first copy of each turn."""
    return [turn.block for turn in read_letter(mail).turns()]
