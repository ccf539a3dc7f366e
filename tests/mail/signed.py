"""A turn that is really signed, and the verdict on a mail: the same turn, refused with a reason, or another turn."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import NamedTuple

from letters import blocks_of
from toy.players import private_key

from pbem.crypto import sshsig
from pbem.errors import PbemError, Refused
from pbem.mail.inbox import Mail, examine, read_mails
from pbem.wire.blocks import Block, render_block
from pbem.wire.entry import build_entry, parse_entry
from pbem.wire.statements import Statement

KEY = private_key("axis")
PUBLIC = sshsig.blob_from_raw(KEY.public_key().public_bytes_raw())

BODY = [
    Statement("move", ("sg-07", "1204", "1205", "1206")),
    Statement("attack", ("1405", "from", "1404", "1305", "with", "1/2-Pz", "office-1")),
    Statement("say", ("don't", "wait", "at", "the", "ford!", "From", "now", "on", "we", "cross", "where", "we", "can")),
    Statement("say", ("Why", "not?", "a=b", "c:d", "e+f", "1,5", "v...", "x--y", "fi-fl")),
    *(Statement("fire", (f"u{i}", "at", f"v{i}")) for i in range(20)),
    Statement("done", ()),
]


def signed_turn(seq: int = 14, body: Iterable[Statement] = tuple(BODY)) -> Block:
    """A turn of axis with a signature that verifies."""
    payload = build_entry(
        kind="orders",
        game="3f" * 32,
        seq=seq,
        prev=f"{seq:02x}" * 32,
        by="axis",
        nonce="000102030405060708090a0b0c0d0e0f",
        reveal=(6, "b8" * 32),
        state="77" * 32,
        body=list(body),
    ).payload
    return Block(payload, sshsig.sign(KEY, payload))


TURN = signed_turn()
RENDERED = render_block(TURN)
EARLIER = signed_turn(13)


class Verdict(NamedTuple):
    """What became of a mail: `same`, `refused` (then `why` says it to the player) or `wrong`."""

    outcome: str
    why: str = ""


def taken(letter: Mail, known: frozenset[bytes] = frozenset()) -> set[bytes]:
    """The new turn of a mail as a home takes it, signature and all (protocol 2.4, 8); a PbemError says why not."""
    whole = blocks_of(letter)
    if not whole:
        raise Refused("no turn is in this mail", letter.source)
    new = [block for block in whole if block.payload not in known]
    if len(new) > 1:
        raise Refused(f"{len(new)} different new turns are in this mail", letter.source)
    if not new and (damaged := examine(letter)[1]):
        raise damaged[0]
    for block in new:
        parse_entry(block.payload)
        sshsig.verify(block.payload, block.armor, PUBLIC)
    return {block.payload for block in new}


def judge(raw: bytes, known: Iterable[Block] = ()) -> Verdict:
    """The verdict on the bytes of a file: a mail, several in a mailbox, or a text."""
    logged = frozenset(block.payload for block in known)
    found: set[bytes] = set()
    try:
        for letter in read_mails("-", io.BytesIO(raw)):
            found |= taken(letter, logged)
    except PbemError as error:
        return Verdict("refused", str(error))
    return Verdict("same") if found == {TURN.payload} else Verdict("wrong", repr(found))
