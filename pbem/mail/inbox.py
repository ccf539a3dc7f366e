"""Mail that came: files, mailboxes and folders, to their texts and the turns in them."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pbem.disk import open_regular
from pbem.errors import Damaged, Storage
from pbem.mail.mime import MESSAGE_MAX, Leaf, decode_text, leaves, read_headers, split_message, unread_kind, words_of
from pbem.records import NamedTuple
from pbem.wire.blocks import Block, scan_blocks

__all__ = ["MESSAGE_MAX", "Mail", "examine", "is_mail", "read_mails"]

_TOLD = 4  # kinds of parts that a message names
_DAMAGED = 8  # damaged blocks that are told of a mail
_LINE_MAX = 1 << 16  # bytes that are looked at together
_FROM_LINE = re.compile(rb"From \S{0,200} .{0,40}?\d\d:\d\d(?::\d\d)? .{0,20}?\d{4}\s*")
_ESCAPED_FROM = rb"(?m)^>(?=>*From )"
# One of these makes a file a mail, not a text that was saved.
_KNOWN = {"from", "to", "cc", "subject", "date", "message-id", "received", "return-path", "delivered-to", "x-pbem"}
_KNOWN |= {"mime-version", "content-type"}


class Mail(NamedTuple):
    """One message: where it came from (`turn.eml`, `inbox:17`), its headers as a person reads them, its texts.

    `damage` says why a text is missing from `texts`, "" when none is; `unread` names the parts that aren't text.
    """

    source: str
    sender: str
    to: str
    subject: str
    date: str
    message_id: str
    texts: tuple[str, ...]
    damage: str = ""
    unread: tuple[str, ...] = ()

    @property
    def not_read(self) -> str:
        """What wasn't read, for who misses something: `1 part application/pdf was not read`; "" for nothing."""
        kinds = Counter(self.unread)
        first = list(kinds.items())[:_TOLD]
        named = [f"{times} parts {kind}" if times > 1 else f"1 part {kind}" for kind, times in first]
        more = ["others"] if len(kinds) > _TOLD else []
        parts = ", ".join([*named, *more])
        if not named:
            return ""
        return f"{parts} were not read" if self.unread[1:] else f"{parts} was not read"


def is_mail(data: bytes) -> bool:
    """Whether data are a message or a mailbox, or hold a turn as a mail does, rather than any other text."""
    data = data.lstrip(b"\r\n")
    if b"-----BEGIN PBEM" in data or _FROM_LINE.match(data):
        return True
    return not _KNOWN.isdisjoint(read_headers(split_message(data)[0]))


def _mail(source: str, raw: bytes, damage: str = "") -> Mail:
    raw = raw.lstrip(b"\r\n") if b"\n" in raw else raw.replace(b"\r", b"\n")
    headers = read_headers(split_message(raw)[0])
    found: list[Leaf] = []
    if not damage:
        found = (
            list(leaves(raw)) if not _KNOWN.isdisjoint(headers) else [Leaf(decode_text(raw, ""), "", unread_kind(raw))]
        )
    words = {name: words_of(headers.get(name, "")) for name in ("from", "to", "subject", "date", "message-id")}
    return Mail(
        source=source,
        sender=words["from"],
        to=words["to"],
        subject=words["subject"],
        date=words["date"],
        message_id=words["message-id"],
        texts=tuple(leaf.text for leaf in found if leaf.text),
        damage=damage or next((leaf.damage for leaf in found if leaf.damage), ""),
        unread=tuple(leaf.unread for leaf in found if leaf.unread),
    )


def _too_large(size: int) -> str:
    return f"{size / (1 << 20):.1f} MiB, a message may have {MESSAGE_MAX >> 20}"


def _mbox_messages(stream: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """The messages of an mbox, cut at its `From ` lines: the first 2 MiB of each, and how many bytes it has."""
    kept: list[bytes] = []
    size = 0
    at_start = after_blank = True
    for chunk in iter(lambda: stream.readline(_LINE_MAX), b""):
        if after_blank and _FROM_LINE.fullmatch(chunk):
            yield b"".join(kept), size
            kept, size = [], 0
        else:
            size += len(chunk)
            if size <= MESSAGE_MAX:
                kept.append(chunk)
        after_blank = at_start and chunk in (b"\n", b"\r\n")
        at_start = chunk.endswith(b"\n")
    yield b"".join(kept), size


def _read_stream(source: str, stream: BinaryIO, size: int | None) -> Iterator[Mail]:
    """The mails of one file: an mbox when its first line says so, otherwise one message or one text."""
    first = stream.readline(_LINE_MAX)
    if _FROM_LINE.fullmatch(first):
        for number, (raw, length) in enumerate(_mbox_messages(stream), 1):
            damage = _too_large(length) if length > MESSAGE_MAX else ""
            yield _mail(f"{source}:{number}", re.sub(_ESCAPED_FROM, b"", raw), damage)
        return
    raw = first + stream.read(MESSAGE_MAX + 1 - min(len(first), MESSAGE_MAX))
    if len(raw) > MESSAGE_MAX:
        what = _too_large(size) if size else f"more than {MESSAGE_MAX >> 20} MiB, which a message may have"
        raise Damaged(what, source, "a turn is a few kB of text; save only its text with the block")
    yield _mail(source, raw)


def _read_file(path: Path) -> Iterator[Mail]:
    with open_regular(path) as stream:
        yield from _read_stream(str(path), stream, os.fstat(stream.fileno()).st_size)


def _read_folder(path: Path) -> Iterator[Mail]:
    """Every file in a folder or Maildir, by name; one that is too large is a mail without texts."""
    maildir = (path / "cur").is_dir() and (path / "new").is_dir()
    for folder in (path / "cur", path / "new") if maildir else (path,):
        for file in sorted(folder.iterdir()):
            if file.name.startswith(".") or not file.is_file():
                continue
            try:
                yield from _read_file(file)
            except Damaged as damage:
                yield Mail(str(file), "", "", "", "", "", (), damage.what)


def read_mails(source: str, stdin: BinaryIO | None = None) -> Iterator[Mail]:
    """The mails in a file (message, text or mbox), a folder of such files, a Maildir, or standard input ("-").

    Raises Storage where something can't be read, Damaged for a file over 2 MiB that isn't an mbox; a message over
    2 MiB in a mailbox or folder comes without texts, and with `damage`.
    """
    if "\0" in source:
        raise Storage("no file can have this name", ascii(source))
    try:
        if source == "-":
            yield from _read_stream("standard input", stdin or sys.stdin.buffer, None)
        elif Path(source).is_dir():
            yield from _read_folder(Path(source))
        else:
            yield from _read_file(Path(source))
    except OSError as problem:
        raise Storage(problem.strerror or "can't be read", str(problem.filename or source)) from None


def examine(mail: Mail) -> tuple[list[Block], list[Damaged]]:
    """All whole blocks of a mail in order, each copy of a payload once for each signature, and the first damaged ones.

    Of these a few say enough: a mail can hold tens of thousands.
    """
    blocks: dict[Block, None] = {}
    damaged = [Damaged(mail.damage, mail.source)] if mail.damage else []
    for found in (found for text in mail.texts for found in scan_blocks(text)):
        if isinstance(found, Block):
            blocks[found] = None
        elif len(damaged) < _DAMAGED:
            damaged.append(Damaged(found.what, f"{mail.source}, {found.where}".removesuffix(", "), found.hint))
    return list(blocks), damaged
