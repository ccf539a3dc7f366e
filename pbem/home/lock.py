"""The lock of a home folder: one program at a time reads, checks, signs, appends and caches (protocol 4.5).

.lock        what the system locks; a program that ends, however it ends, holds it no more
.holder      who holds it, for the one who waits: process, command, since when
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache, wraps
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

from pbem.errors import Refused, Storage

if TYPE_CHECKING:
    from filelock import FileLock

__all__ = ["FILES", "WAIT", "alone", "forget", "locked"]

LOCK, HOLDER = ".lock", ".holder"
FILES = frozenset({LOCK, HOLDER})
"""Files of a home folder that say nothing about its games: no backup holds them."""
WAIT = 10.0
"""Seconds that a program waits for another one."""
_HOLDER_MAX = 200

P = ParamSpec("P")
R = TypeVar("R")
H = TypeVar("H", bound="Lockable")


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
            with suppress(OSError):
                (root / HOLDER).write_text(f"{os.getpid()} {who}\n", "utf-8")
        yield


def forget(root: Path) -> None:
    """Delete a home folder in which there is nothing but what tells of the lock, and a cache."""
    with suppress(OSError):
        if {path.name for path in root.iterdir()} <= FILES | {"cache"}:
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
        with (root / HOLDER).open("rb") as file:
            line = file.read(_HOLDER_MAX).decode("utf-8", "replace").partition("\n")[0]
    except OSError:
        return ""
    number, _, who = "".join(filter(str.isprintable, line)).partition(" ")
    if not (number.isascii() and number.isdigit()):
        return ""
    return f": process {number}" + f", {who.strip()}" * bool(who.strip())
