"""The files of a home folder: read, written so that any kill leaves the old one or the new one, locked.

One program at a time reads, checks, signs, appends and caches (protocol 4.5):

.lock        what the system locks; a program that ends, however it ends, holds it no more
.holder      who holds it, for the one who waits: process, command, since when
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

from pbem.disk import at_once, open_regular, read_at_most
from pbem.errors import BadLog, Damaged, Refused, Storage
from pbem.wire.blocks import LAST_LINE
from pbem.wire.turn import Turn

if TYPE_CHECKING:
    from filelock import FileLock

__all__ = [
    "LOCK_FILES",
    "WAIT",
    "alone",
    "append",
    "delete",
    "fingerprint",
    "forget",
    "locked",
    "read_beginning",
    "read_small",
    "read_text",
    "write_atomically",
]

LIMIT = 64 * 2**20
"""Bytes of the longest log that is read."""

SMALL = 2**22
"""Bytes of a file beside a log that are read."""

BEGINNING = 2**14
"""Bytes in which offer and accept are looked for first: they have about two thousand each."""

TAIL = 2**12
"""Bytes at a log's end that are compared before it grows: its newest signature is among them."""

LEFT_SECONDS = 3600
"""Age at which a scratch file is one that a kill has left: no write takes so long."""

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

LOCK, HOLDER = ".lock", ".holder"
LOCK_FILES = frozenset({LOCK, HOLDER})
"""Files of a home folder that say nothing about its games: no backup holds them."""
WAIT = 10.0
"""Seconds that a program waits for another one."""
_HOLDER_MAX = 200

P = ParamSpec("P")
R = TypeVar("R")
H = TypeVar("H", bound="Lockable")


def read_text(path: Path) -> str:
    """The text of a log file. Raises Storage when it can't be read, Damaged when it isn't ASCII text."""
    try:
        with open_regular(path) as file:
            data = read_at_most(file, LIMIT + 1)
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


def read_small(path: Path, most: int = SMALL) -> bytes:
    """What is in a file beside a log, so many bytes at most. Raises OSError, for a pipe or a device too."""
    with open_regular(path) as file:
        return read_at_most(file, most)


def delete(path: Path) -> None:
    """Delete a file, if it is there. Raises Storage."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Storage(f"it can't be deleted: {error.strerror}", str(path), "delete it by hand") from error


def read_beginning(path: Path, blocks: int = 1) -> str:
    """The first blocks of a log file, without reading on where that can be. Raises as `read_text` does."""
    with suppress(OSError), open_regular(path) as file:
        *whole, _ = file.read(BEGINNING).split(LAST_LINE.encode("ascii"), blocks)
        if len(whole) == blocks and all(block.isascii() for block in whole):
            return "".join(f"{block.decode('ascii')}{LAST_LINE}" for block in whole)
    pieces = read_text(path).split(LAST_LINE, blocks)
    return LAST_LINE.join([*pieces[:blocks], ""] if len(pieces) > blocks else pieces)


def fingerprint(text: str) -> str:
    """SHA-256 of a log's text: 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def append(path: Path, old: str, turn: Turn) -> str:
    """Append a turn to the log whose text is `old`; the new text. The file is replaced in one step.

    Raises BadLog when the file has changed since `old` was read, Storage when it can't be written.
    """
    if os.path.exists(path) and not _is_still(path, old):
        raise BadLog("the log was changed by another program meanwhile", str(path), "do it again")
    new = old + turn.text
    write_atomically(path, new.encode("ascii"))
    return new


def _is_still(path: Path, old: str) -> bool:
    """Whether a log is the one whose text is `old`: as long, with the same newest turn, which names all before it."""
    tail = old[-TAIL:].encode("ascii")
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - len(tail)))
            return size == len(old) and file.read(TAIL + 1) == tail
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", str(path), "a game.log file is needed") from error


_LEFT = re.compile(r"\.(.*)\.[0-9a-f]{16}\.new", re.DOTALL)
"""What a file is called while it is written; the first group is its name."""


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
    with suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            left = _LEFT.fullmatch(entry.name)
            if left and left[1] == path.name and now - entry.stat(follow_symlinks=False).st_mtime > LEFT_SECONDS:
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


# --- the lock ---------------------------------------------------------------------------------------------------------


@contextmanager
def locked(root: Path, who: str = "", *, wait: float = WAIT) -> Iterator[None]:
    """Hold the lock of the home folder `root`, which is made; within one program as often as it likes.

    `who` tells others what is being done: a command, and since when. Raises Refused, naming the holder, when another
    program hasn't let go after `wait` seconds; Storage when the folder can't be written.
    """
    from filelock import Timeout  # imported where used: commands that need no lock don't pay for it

    lock = _lock(os.path.realpath(root), os.getpid())
    again = lock.is_locked
    try:
        root.mkdir(0o700, parents=True, exist_ok=True)
        taken = lock.acquire(timeout=wait)
    except Timeout:
        hint = "do it again when that is done; nothing has been changed"
        raise Refused(f"another program is at work here{_holder(root)}", str(root), hint) from None
    except OSError as error:
        what = f"it can't be locked: {error.strerror or error}"
        raise Storage(what, str(root / LOCK), "make room or mend the folder's permissions") from error
    with taken:
        if not again:
            with suppress(OSError), open(root / HOLDER, "w", encoding="utf-8", opener=at_once) as file:
                file.write(f"{os.getpid()} {who}\n")
        yield


def forget(root: Path) -> None:
    """Delete a home folder in which there is nothing but what tells of the lock, and a cache."""
    from shutil import rmtree  # imported where used: few commands make a home folder

    with suppress(OSError):
        if {path.name for path in root.iterdir()} <= LOCK_FILES | {"cache"}:
            rmtree(root)


class Lockable(Protocol):
    """What belongs to a home folder and can lock it."""

    def locked(self) -> AbstractContextManager[None]:
        """Hold the lock of the home folder."""


def alone(method: Callable[Concatenate[H, P], R]) -> Callable[Concatenate[H, P], R]:
    """A method during which the home folder is locked."""

    @wraps(method)
    def carried_out(self: H, /, *rest: P.args, **more: P.kwargs) -> R:
        with self.locked():
            return method(self, *rest, **more)

    return carried_out


@cache
def _lock(root: str, _process: int) -> FileLock:
    """The one lock that a process has for a folder: it counts how often it is held."""
    from filelock import FileLock

    return FileLock(os.path.join(root, LOCK))


def _holder(root: Path) -> str:
    """Who holds the lock, as far as the holder's file tells: `: process 4711, pbem send since 2026-11-21 11:00 UTC`."""
    try:
        with open_regular(root / HOLDER) as file:
            line = file.read(_HOLDER_MAX).decode("utf-8", "replace").partition("\n")[0]
    except OSError:
        return ""
    number, _, who = "".join(filter(str.isprintable, line)).partition(" ")
    if not (number.isascii() and number.isdigit()):
        return ""
    return f": process {number}" + f", {who.strip()}" * bool(who.strip())
