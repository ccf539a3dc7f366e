"""Accidents: a program killed before any line by which the disk changes, and disks that fail."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

from pbem.home.files import LOCK_FILES as FILES

KILLED, FAILED = 9, 3


def moments(root: Path, modules: list[ModuleType], action: Callable[[], object]) -> list[int]:
    """Where an action may be killed: the lines in the modules, from 1, before which something below a folder is new.

    The first line is one of them; a kill before any other leaves what it leaves before one of these. To find them the
    action is run in another process.
    """
    found = root.parent / f"{root.name}.moments"
    seen: list[object] = []

    def line(number: int) -> None:
        now = sorted(_looks(root))
        if not seen or now != seen[-1]:
            seen.append(now)
            with found.open("a") as file:
                file.write(f"{number}\n")

    assert _in_another(modules, action, line) == 0
    numbers = [int(number) for number in found.read_text().split()]
    found.unlink()
    return numbers


def _looks(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    for each in os.scandir(folder):
        about = each.stat(follow_symlinks=False)
        yield each.path, about.st_ino, about.st_size, about.st_mtime_ns
        if each.is_dir(follow_symlinks=False):
            yield from _looks(Path(each.path))


def killed_at(step: int, modules: list[ModuleType], action: Callable[[], object]) -> bool:
    """Run an action in another process that dies, nothing flushed or tidied, before the `step`th line in the modules.

    False when it came to its end before.
    """

    def line(number: int) -> None:
        if number == step:
            os._exit(KILLED)

    return _in_another(modules, action, line) == KILLED


def _in_another(modules: list[ModuleType], action: Callable[[], object], line: Callable[[int], None]) -> int:
    """Run an action in another process that calls `line` before each line in the modules; how that ended."""
    child = os.fork()
    if child == 0:
        _act({module.__file__ for module in modules}, action, line)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, KILLED), "the action failed by itself"
    return code


def _act(files: set[str | None], action: Callable[[], object], line: Callable[[int], None]) -> None:
    lines = 0

    def trace(_: FrameType, event: str, __: Any) -> Any:
        nonlocal lines
        if event == "line":
            lines += 1
            line(lines)
        return trace

    sys.settrace(lambda frame, *_: trace if frame.f_code.co_filename in files else None)
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
