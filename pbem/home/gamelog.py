"""The game log: one text file of blocks in order; appended so that any kill leaves the old log or the new one."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.errors import BadLog, Damaged, Storage
from pbem.wire.blocks import Block, Entry, parse_entry, read_log_blocks, render_block

__all__ = ["append", "fingerprint", "parse_log", "read_text", "write_atomically"]

LIMIT = 64 * 2**20
"""Bytes of the longest log that is read."""

LEFT_SECONDS = 3600
"""Age at which a scratch file is one that a kill has left: no write takes so long."""

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def read_text(path: Path) -> str:
    """The text of a log file. Raises Storage when it can't be read, Damaged when it isn't ASCII text."""
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
            size = max(len(data), os.fstat(file.fileno()).st_size)
        if size > LIMIT:
            raise Damaged(f"{size} bytes are too many for a game log", str(path), f"at most {LIMIT}")
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", str(path), "a game.log file is needed") from error
    try:
        return data.decode("ascii")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Damaged("it isn't plain ASCII text", f"{path}, line {line}", "a game.log is plain text") from error


def parse_log(text: str, where: str = "") -> list[tuple[Block, Entry]]:
    """The entries of a log. Raises BadLog or Damaged naming the first bad entry."""
    try:
        blocks = read_log_blocks(text)
    except Damaged as error:
        place = re.sub(r"block (\d+)", lambda found: f"entry {int(found[1]) - 1}", error.where)
        raise Damaged(error.what, f"{where} {place}".strip(), error.hint) from error
    entries: list[tuple[Block, Entry]] = []
    for number, block in enumerate(blocks):
        place = f"{where} entry {number}".strip()
        try:
            entry = parse_entry(block.payload)
        except Damaged as error:
            raise Damaged(error.what, f"{place}, {error.where}", error.hint) from error
        if entry.seq != number:
            raise BadLog(f"entry {entry.seq} stands where {number} is due", place, "the log is cut or reordered")
        entries.append((block, entry))
    return entries


def fingerprint(text: str) -> str:
    """SHA-256 of a log's text: 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def append(path: Path, old: str, block: Block) -> str:
    """Append a block to the log whose text is `old`; the new text. The file is replaced in one step.

    Raises BadLog when the file has changed since `old` was read, Storage when it can't be written.
    """
    if os.path.exists(path) and read_text(path) != old:
        raise BadLog("the log was changed by another program meanwhile", str(path), "do it again")
    new = old + render_block(block)
    write_atomically(path, new.encode("ascii"))
    return new


def write_atomically(path: Path, data: bytes, mode: int = 0o644, *, durable: bool = True) -> None:
    """Write a file so that a kill at any point leaves the old one or the new one, whole.

    It is on the disk then, unless it needn't be `durable`. It has this mode, or what the umask leaves of it, from its
    first moment, whatever the mode of the file that it replaces. Raises Storage, with the old file in place, when the
    disk is full or the folder can't be written.
    """
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
        handle = os.open(scratch, _CREATE, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                _sweep(path, os.fstat(handle).st_mtime)
                file.write(data)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            scratch.replace(path)
        except BaseException:  # an interrupt too leaves nothing behind
            with suppress(OSError):
                scratch.unlink()
            raise
        if durable:
            _sync_folder(path.parent)


def _sweep(path: Path, now: float) -> None:
    """Delete what writes of the same file that were killed have left; `now` is the time of the folder's disk."""
    left = re.compile(re.escape(f".{path.name}.") + r"[0-9a-f]{16}\.new")
    with suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            if left.fullmatch(entry.name) and now - entry.stat(follow_symlinks=False).st_mtime > LEFT_SECONDS:
                os.unlink(entry.path)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn an OSError into Storage."""
    try:
        yield
    except OSError as error:
        raise Storage(
            f"it can't be written: {error.strerror or error}", str(path), "make room or mend the folder's permissions"
        ) from error


def _sync_folder(folder: Path) -> None:
    """Make a rename in the folder last. The new file is in place already: a folder that can't do it is no failure."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
