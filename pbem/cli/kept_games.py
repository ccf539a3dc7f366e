"""The file in which a run keeps its games: held by one program alone, read, a line added for each game as it ends."""

from __future__ import annotations

import errno
import os
import shlex
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from pbem.cli.common import echo
from pbem.cli.written import in_folder, keep_home
from pbem.disk import at_once
from pbem.errors import Damaged, Refused, Storage
from pbem.records import NamedTuple

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pbem.simulate.game import Played, Run
    from pbem.simulate.kept import Heading

__all__ = ["Kept", "keeping"]

LONGEST = 1 << 20
"""Bytes of a line at most."""

MANY = 2_000_000
"""Bytes from which on it is said that a file is read, which takes seconds: some ten thousand games."""

BEYOND = 1 << 40
"""The byte that is locked where a lock keeps others from reading, too: behind every file."""

ROOM = 4096
"""Bytes that are written and taken away again to see whether a game could be kept."""

ELSE = "name another file"


class Kept(NamedTuple):
    """A run, the games of it that a file holds, by their numbers, what keeps one more, and whether it is there."""

    run: Run
    games: dict[int, Played]
    keep: Callable[[Played], None]
    there: Callable[[], bool]


def keeping(path: str | None, run: Run, *, seeded: bool) -> AbstractContextManager[Kept]:
    """The games of a run that are kept in this file, which is made and held until the end; none without a file.

    Unless it is `seeded`, the run has the seed of the file that is there. Raises Refused for a file that another
    program holds or that isn't of this run, Damaged for what is no game of it, Storage where nothing can be kept.
    """
    return (
        nullcontext(Kept(run, {}, lambda _: None, lambda: False)) if path is None else _kept(path, run, seeded=seeded)
    )


@contextmanager
def _kept(path: str, run: Run, *, seeded: bool) -> Iterator[Kept]:
    from pbem.simulate.kept import heading, line

    with _opened(path) as file:
        there = _heading(file, path)
        games: dict[int, Played] = {}
        if there is None:
            _add(file, line(heading(run)), path)
        else:
            run = run if seeded else replace(run, seed=there.seed)
            _check_same(there, heading(run), path)
            _end_line(file, path)
            if (size := os.fstat(file.fileno()).st_size) > MANY:
                echo(f"{path}: {size / 1_000_000:.0f} MB of games are read")
            games = _games(file, run, path)
            _check_room(file, path)
        yield Kept(run, games, lambda game: _add(file, line(game), path), lambda: _is_there(file))


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    """A file to be read and added to by this program alone; made if it isn't there. Raises Refused or Storage."""
    if not path:
        raise Refused("it names no file", "--keep", "name a file")
    if path == "-":
        raise Refused("games are kept in a file, not on standard output", "--keep -", "name a file")
    in_folder(path)
    keep_home(path)
    if os.path.isdir(path):
        raise Refused("this is a folder", path, "name a file in it")
    try:
        file = open(path, "a+b", opener=_regular)  # noqa: SIM115 closed below
    except OSError as error:
        raise Storage(f"no games can be kept there: {error.strerror}", path, ELSE) from error
    with file:
        if not _held(file, path):
            hint = "do it again when that has ended; a copy of the file, named in its place, tells how far it is"
            raise Refused("another program plays the games that are kept there", path, hint)
        yield file


def _regular(path: str, flags: int) -> int:
    """What `open` takes as its opener. Raises OSError for a pipe or a device, which keeps nothing."""
    handle = at_once(path, flags)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(errno.EINVAL, "it is a pipe or a device", path)


def _held(file: BinaryIO, path: str) -> bool:
    """Whether this program alone has a file from now on, until it is closed. Raises Storage where none has."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(BEYOND)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        raise Storage(f"it can't be locked: {error.strerror}", path, ELSE) from error
    return True


def _heading(file: BinaryIO, path: str) -> Heading | None:
    """What the games are of which a file keeps; None of an empty one. Raises Refused for a file of another kind."""
    from pbem.simulate.kept import BEGINNING, heading_of

    file.seek(0)
    first = file.readline(LONGEST)
    found = heading_of(first)
    if found is None and first.startswith(BEGINNING) and _is_torn(first):
        _drop(file, 0, path)
        return None
    if first and found is None:
        raise Refused("this file is there and keeps no games of pbem; it stays", path, ELSE)
    return found


def _check_same(there: Heading, here: Heading, path: str) -> None:
    """Raises Refused where a file keeps games of another run."""
    from pbem.simulate.kept import FIXED, others

    if told := others(there, here):
        pinned = any(getattr(there, name) != getattr(here, name) for name in FIXED if there.scenario == here.scenario)
        right = "these are gone on with as they were begun" if pinned else f"these are `{_command(there, here)}`"
        raise Refused(
            f"games of another run are kept there: {'; '.join(told)}", path, f"name another file, for {right}"
        )


def _command(there: Heading, here: Heading) -> str:
    """The command that plays the games of a file, as far as it must be told beside how many."""
    words = ["pbem", "simulate", there.scenario, "--first", there.first, "--second", there.second]
    words += ["--seed", str(there.seed)] + ["--reactions", there.reactions] * (there.reactions != here.reactions)
    for name, value in there.options.items():
        words += ["--option", f"{name}={value}"] * (value != here.options.get(name))
    return shlex.join(words)


def _end_line(file: BinaryIO, path: str) -> None:
    """Add its end to a last line that lacks nothing else, as an editor leaves it. Raises Storage."""
    from pbem.simulate.kept import is_whole

    file.seek(-min(file.seek(0, os.SEEK_END), LONGEST), os.SEEK_END)
    last = file.read().rpartition(b"\n")[2]
    if last and is_whole(last):
        _add(file, b"\n", path)


def _games(file: BinaryIO, run: Run, path: str) -> dict[int, Played]:
    """The games that a file keeps behind its heading, by number; a torn last line is dropped. Raises Damaged."""
    from pbem.simulate.kept import game_of

    games: dict[int, Played] = {}
    file.seek(0)
    end = len(file.readline(LONGEST))
    for number, data in enumerate(iter(lambda: file.readline(LONGEST), b""), 2):
        if _is_torn(data):
            _drop(file, end, path)
            break
        try:
            game = game_of(data, run)
            if games.setdefault(game.number, game) != game:
                raise Damaged(f"game {game.number} is there twice, and not the same")
        except Damaged as error:
            hint = "take the line out of the file, and what is missing is played"
            raise Damaged(error.what, f"{path}, line {number}", hint) from None
        end += len(data)
    return games


def _is_torn(data: bytes) -> bool:
    """Whether a line is the last one of a file, and cut off, as when a machine dies over it."""
    return len(data) < LONGEST and not data.endswith(b"\n")


def _drop(file: BinaryIO, end: int, path: str) -> None:
    """Cut a torn line off. Raises Storage."""
    with _told(path):
        os.ftruncate(file.fileno(), end)
    echo(f"{path}: its last line is torn, and dropped")


def _is_there(file: BinaryIO) -> bool:
    """Whether an open file still has a name."""
    return os.fstat(file.fileno()).st_nlink > 0


def _add(file: BinaryIO, data: bytes, path: str) -> None:
    """Add a line to a file, whole or not at all; it is on the disk then. Raises Storage."""
    handle = file.fileno()
    before = os.fstat(handle)
    if not _is_there(file):
        raise Storage("it has been deleted or replaced while games are kept there", path, "do it again")
    with _told(path):
        try:
            left = data
            while left:
                left = left[os.write(handle, left) :]
            os.fsync(handle)
        except OSError:
            with suppress(OSError):
                os.ftruncate(handle, before.st_size)
            raise


def _check_room(file: BinaryIO, path: str) -> None:
    """Raises Storage where a game can't be kept; what is left of the try, if it is cut short, is a torn line."""
    end = os.fstat(file.fileno()).st_size
    _add(file, bytes(ROOM), path)
    with _told(path):
        os.ftruncate(file.fileno(), end)


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Turn an OSError into Storage."""
    try:
        yield
    except OSError as error:
        raise Storage(f"no games can be kept there: {error.strerror}", path, f"make room, or {ELSE}") from error
