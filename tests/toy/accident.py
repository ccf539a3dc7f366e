"""Accidents: a program killed before any line it runs, and disks that fail."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

from pbem.home.files import LOCK_FILES as FILES

KILLED, FAILED = 9, 3


def killed_at(step: int, modules: list[ModuleType], action: Callable[[], object]) -> bool:
    """Run an action in another process that dies, nothing flushed or tidied, before the `step`th line in the modules.

    False when it came to its end before.
    """
    child = os.fork()
    if child == 0:
        _act(step, {module.__file__ for module in modules}, action)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, KILLED), "the action failed by itself"
    return code == KILLED


def _act(step: int, files: set[str | None], action: Callable[[], object]) -> None:
    lines = 0

    def line(_: FrameType, event: str, __: Any) -> Any:
        nonlocal lines
        if event == "line":
            lines += 1
            if lines == step:
                os._exit(KILLED)
        return line

    sys.settrace(lambda frame, *_: line if frame.f_code.co_filename in files else None)
    try:
        action()
    except BaseException:
        os._exit(FAILED)
    os._exit(0)


def fails(code: int) -> Callable[..., Any]:
    """A function of the system that fails."""

    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(code, os.strerror(code))

    return fail


def break_disk(patch: pytest.MonkeyPatch, how: str) -> None:
    """Let every write fail in one of these ways."""
    full, read_only = fails(errno.ENOSPC), fails(errno.EROFS)
    if how == "open":
        opened = os.open

        def to_read(path: Any, flags: int, *rest: Any, **more: Any) -> int:
            return (read_only if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) else opened)(path, flags, *rest, **more)

        patch.setattr(os, "open", to_read)
    elif how == "sync":
        patch.setattr(os, "fsync", full)
    elif how == "replace":
        patch.setattr(Path, "replace", read_only)
    else:
        real = os.fdopen

        def torn(*words: Any, **more: Any) -> Any:
            file = real(*words, **more)

            class Torn:
                def __enter__(self) -> Torn:
                    return self

                def __exit__(self, *_: object) -> None:
                    file.close()

                def write(self, data: bytes) -> None:
                    file.write(data[: len(data) // 2])
                    file.flush()
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            return Torn()

        patch.setattr(os, "fdopen", torn)


DISKS = ["open", "sync", "replace", "write"]


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too, but for its lock."""
    files = (p for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in FILES)
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


def put_back(folder: Path, files: dict[str, bytes]) -> None:
    """Make the files below a folder those again that `files_in` found."""
    found = files_in(folder)
    for name in found.keys() - files.keys():
        (folder / name).unlink()
    for name, data in files.items():
        if found.get(name) != data:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
