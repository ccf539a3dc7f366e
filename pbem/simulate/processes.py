"""The games of a run, played one after another here or by several processes of this machine."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from pbem.errors import PbemError, Refused
from pbem.simulate.game import Played, Run, played

__all__ = ["by_processes", "here"]


def here(run: Run, numbers: Iterable[int]) -> Generator[Played, None, None]:
    """Play these games one after another."""
    for number in numbers:
        yield played(run, number)


def by_processes(run: Run, numbers: Iterable[int], jobs: int) -> Generator[Played, None, None]:
    """Play these games by so many processes, each a game at a time; in the order in which they end.

    The processes end with this generator, and with this process however it ends, in the middle of their games if need
    be. Raises what `played` does, and Refused when one has died, or can't begin.
    """
    left, workers = list(numbers)[::-1], dict[Connection, SpawnProcess]()
    busy: dict[Connection, int] = {}
    try:
        for _ in range(min(jobs, len(left))):
            with _held():
                pipe, process = _started(run, len(workers))
                workers[pipe] = process
        for pipe in workers:
            _give(pipe, left, busy)
        while busy:
            ready = wait(list(busy))
            for pipe in [one for one in busy if one in ready]:
                yield _taken(pipe, workers[pipe], busy[pipe])
                _give(pipe, left, busy)
    finally:
        for pipe, process in workers.items():
            process.kill()
            process.join()
            pipe.close()


def _started(run: Run, others: int) -> tuple[Connection, SpawnProcess]:
    """A process that plays the games whose numbers it is told, beside so many. Raises Refused."""
    context = get_context("spawn")
    try:
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(run, theirs), daemon=True)
        process.start()
    except OSError as error:
        what = f"process {others + 1} can't begin: {error.strerror or error}"
        raise Refused(what, "--jobs", "fewer may begin here") from error
    theirs.close()  # so that the pipe ends where the process does
    return ours, process


@contextmanager
def _held() -> Iterator[None]:
    """Let a process that begins now leave Ctrl-C, which a terminal sends to all, to this one, which hears it after."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # by itself it would begin now, and let signals through behind it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(run: Run, pipe: Connection) -> None:
    """Play games until nobody asks for any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send(_played(run, pipe.recv()))


def _end_with_parent() -> None:
    """End this process, in the middle of a game, when the one that began it is no more."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        signal.raise_signal(signal.SIGTERM)


def _played(run: Run, number: int) -> Played | PbemError:
    """A game, or why it can't be played; what is a fault of the program ends the process."""
    try:
        return played(run, number)
    except PbemError as error:
        return error


def _give(pipe: Connection, left: list[int], busy: dict[Connection, int]) -> None:
    """Tell a process the number of its next game, if there is one."""
    busy.pop(pipe, None)
    if left:
        busy[pipe] = left.pop()
        with suppress(OSError):  # that it has died is found where its game is awaited
            pipe.send(busy[pipe])


def _taken(pipe: Connection, process: SpawnProcess, number: int) -> Played:
    """A game that a process has played. Raises Refused when it has died over it, or couldn't play it."""
    try:
        game: Played | PbemError = pipe.recv()
    except (EOFError, OSError):
        process.join()
        code = process.exitcode or 0
        how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        raise Refused(f"the process that played game {number} {how}", "", "fewer --jobs need less memory") from None
    if isinstance(game, PbemError):
        raise game
    return game
