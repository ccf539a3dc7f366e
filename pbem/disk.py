"""Files that somebody has named, opened to be read: regular ones only, for a pipe may never say anything."""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

__all__ = ["open_regular"]


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """A file opened to be read, at once. Raises OSError for a pipe or device too: one could wait for ever."""
    return open(path, "rb", opener=_opener)


def _opener(path: str, flags: int) -> int:
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe is opened without somebody who writes
    kind = os.fstat(handle).st_mode
    if stat.S_ISREG(kind) or stat.S_ISDIR(kind):  # of a folder the system itself says that it is one
        return handle
    os.close(handle)
    raise OSError(errno.EINVAL, "a pipe or a device, no regular file", path)
