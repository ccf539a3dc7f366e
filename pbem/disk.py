"""Files that somebody has named, opened to be read: no pipes with a name, which may never say anything."""

from __future__ import annotations

import errno
import os
import re
import stat
from typing import BinaryIO

__all__ = ["at_once", "open_regular", "read_at_most"]


OWN = r"/dev/(?:fd/\d+|stdin)|/proc/self/fd/\d+"
"""A pipe that is open already, such as the shell's `<(gunzip -c game.log.gz)`: who writes into it is known."""


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """A file opened to be read, at once. Raises OSError for a device or a pipe with a name: one could wait for ever."""
    return open(path, "rb", opener=_opener)


def read_at_most(file: BinaryIO, most: int) -> bytes:
    """What is in a file, `most` bytes at most; for a small file no room for more is taken."""
    about = os.fstat(file.fileno())
    return file.read(min(most, about.st_size + 1) if stat.S_ISREG(about.st_mode) else most)


def at_once(path: str, flags: int) -> int:
    """What `open` takes as its opener so that no pipe is waited for. Raises OSError to write where nobody reads."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def _opener(path: str, flags: int) -> int:
    handle = at_once(path, flags)  # a pipe is opened without somebody who writes
    kind = os.fstat(handle).st_mode
    if stat.S_ISREG(kind) or stat.S_ISDIR(kind):  # of a folder the system itself says that it is one
        return handle
    if stat.S_ISFIFO(kind) and re.fullmatch(OWN, path):
        os.set_blocking(handle, True)
        return handle
    os.close(handle)
    raise OSError(errno.EINVAL, "a pipe or a device, no regular file", path)
