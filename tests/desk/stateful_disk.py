"""A disk under a program: counts what is written below a folder, and stops, fills up or loses power in the middle."""

from __future__ import annotations

import errno
import io
import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

NEVER = 1 << 30


class Died(BaseException):
    """The machine is dead: nothing that its program does reaches the disk any more."""


class Fate(NamedTuple):
    """What happens to a program at its `at`th write: killed, power (which fails), or full (the disk, from then on)."""

    how: str = "well"
    at: int = NEVER


WELL = Fate()


class Disk:
    """The writes below a folder, and what a power failure may still take back of them.

    A file's content lasts when the file was synced; new, renamed and deleted names last when their folder was.
    """

    def __init__(self, root: Path, told: Callable[[Path, Path], None] = lambda *_: None) -> None:
        self.root = f"{root}{os.sep}"
        self.told = told
        """Is told each file that is about to take another's place, and that place."""
        self.loose: set[str] = set()
        """Files whose content isn't synced."""
        self.names: dict[str, list[Callable[[], None]]] = defaultdict(list)
        """Folder -> how to take back what has happened to its names since it was synced."""
        self._handles: dict[int, str] = {}
        self._fate = WELL
        self._count = 0

    @contextmanager
    def under(self, fate: Fate) -> Iterator[None]:
        """Let a program run. Raises Died where it is killed."""
        self._fate, self._count = fate, 0
        with pytest.MonkeyPatch.context() as patch:
            for name in ("open", "mkdir", "replace", "unlink", "rmdir", "fsync"):
                patch.setattr(os, name, getattr(self, f"_{name}")(getattr(os, name)))
            patch.setattr(io, "open", self._text_open(io.open))
            yield

    def sync(self) -> None:
        """All that happened so far lasts."""
        self.loose.clear()
        self.names.clear()

    def lose_power(self, chance: random.Random) -> None:
        """Take back what isn't synced: of some folders all new names, of files any part of their content."""
        for folder in sorted(self.names):
            if chance.random() < 0.5 and os.path.isdir(folder):
                for take_back in reversed(self.names[folder]):
                    take_back()
        for path in sorted(self.loose):
            if os.path.exists(path):
                data = Path(path).read_bytes()
                Path(path).write_bytes(data[: chance.randrange(len(data) + 1)])
        self.sync()

    # --- the system's functions, watched

    def _step(self, path: str, makes: bool = True) -> bool:
        """Count a write; whether it is one of this disk."""
        if not path.startswith(self.root):
            return False
        self._count += 1
        if self._count >= self._fate.at and self._fate.how != "full":
            raise Died
        if self._count >= self._fate.at and makes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return True

    def _open(self, real: Callable[..., int]) -> Callable[..., int]:
        def watched(path: Any, flags: int, *rest: Any, **more: Any) -> int:
            name = os.fspath(path)
            writes = flags & (os.O_WRONLY | os.O_RDWR)
            if writes and self._step(name):
                self._made(name)
                self.loose.add(name)
            handle = real(path, flags, *rest, **more)
            self._handles[handle] = name
            return handle

        return watched

    def _text_open(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def watched(path: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:
            if not isinstance(path, int) and "r" not in mode and self._step(os.fspath(path)):
                self._made(os.fspath(path))
                self.loose.add(os.fspath(path))
            return real(path, mode, *rest, **more)

        return watched

    def _made(self, name: str) -> None:
        if not os.path.exists(name):
            self.names[os.path.dirname(name)].append(lambda: Path(name).unlink(missing_ok=True))

    def _mkdir(self, real: Callable[..., None]) -> Callable[..., None]:
        def watched(path: Any, *rest: Any, **more: Any) -> None:
            self._step(os.fspath(path))
            real(path, *rest, **more)

        return watched

    def _fsync(self, _: Callable[..., None]) -> Callable[..., None]:
        def watched(handle: int) -> None:
            name = self._handles.get(handle, "")
            if self._step(name + os.sep):
                self.loose.discard(name)
                self.names.pop(name, None)

        return watched

    def _replace(self, real: Callable[..., None]) -> Callable[..., None]:
        def watched(source: Any, target: Any) -> None:
            old, new = os.fspath(source), os.fspath(target)
            if self._step(new):
                self.told(Path(old), Path(new))
                self._replaced(new)
                if old in self.loose:
                    self.loose.discard(old)
                    self.loose.add(new)
            real(source, target)

        return watched

    def _replaced(self, name: str) -> None:
        path = Path(name)
        before = path.read_bytes() if path.exists() else None

        def take_back() -> None:
            if before is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(before)

        self.names[os.path.dirname(name)].append(take_back)

    def _unlink(self, real: Callable[..., None]) -> Callable[..., None]:
        def watched(path: Any, *rest: Any, **more: Any) -> None:
            name = Path(os.fspath(path))
            if self._step(str(name), makes=False) and name.exists():
                before = name.read_bytes()
                self.names[str(name.parent)].append(lambda: _write(name, before))
            real(path, *rest, **more)

        return watched

    def _rmdir(self, real: Callable[..., None]) -> Callable[..., None]:
        def watched(path: Any, *rest: Any, **more: Any) -> None:
            name = Path(os.fspath(path))
            if self._step(str(name), makes=False):
                self.names[str(name.parent)].append(lambda: name.mkdir(exist_ok=True))
            real(path, *rest, **more)

        return watched


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
