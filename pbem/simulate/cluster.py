"""The games of a run, played by the workers of a cluster: Dask distributed, where it is installed."""

from __future__ import annotations

import queue
import reprlib
from collections.abc import Generator, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pbem.errors import PbemError, Refused
from pbem.simulate.game import Played, Run, fits, played

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["by_cluster"]

PATIENCE = 10.0
"""Seconds in which a scheduler must answer, and after which it is asked whether it still has workers."""

EXTRA = "pip install 'pbem[cluster]', here and on every worker; or use --jobs"


def by_cluster(
    run: Run, numbers: Iterable[int], address: str, patience: float = PATIENCE
) -> Generator[Played, None, None]:
    """Play these games by the workers of the scheduler at `address`; in the order in which they end.

    A game whose worker dies is played again by another one, three times at most. What isn't played when this generator
    ends is taken back. Raises Refused without Dask, scheduler or workers, when they are lost, and for an answer that
    is no such game.
    """
    client = _client(address, patience)
    asked: list[Any] = []
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    try:
        _check_workers(client, address)
        asked += client.map(played, [run] * len(left := list(numbers)), left, pure=False)
        number = {future.key: one for future, one in zip(asked, left, strict=True)}
        for future in asked:
            future.add_done_callback(done.put)
        for _ in asked:
            future = _next(done, client, address, patience)
            yield _checked(_result(future, address), run, number[future.key], address)
    finally:
        with suppress(OSError, RuntimeError, ValueError):  # who is lost has nothing to take back
            client.cancel(asked, force=True)
        with suppress(OSError, RuntimeError, ValueError):
            client.close()


def _client(address: str, patience: float) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise Refused("Dask distributed isn't installed here", "--dask", EXTRA) from None
    try:
        return Client(address, timeout=patience, set_as_default=False, name="pbem")
    except (OSError, ValueError, TypeError) as error:
        what = "no scheduler answers" if isinstance(error, OSError) else f"it is no address of a scheduler: {error}"
        raise Refused(what, f"--dask {address}", "write it as `dask scheduler` tells it: tcp://HOST:8786") from error


def _check_workers(client: Client, address: str) -> None:
    """Refuse to wait for nobody."""
    try:
        there = client.status == "running" and client.ncores()
    except OSError as error:
        raise Refused(f"the scheduler is lost: {error}", f"--dask {address}") from error
    if not there:
        raise Refused("the scheduler has no workers", f"--dask {address}", f"`dask worker {address}` begins one")


def _next(done: queue.SimpleQueue[Any], client: Client, address: str, patience: float) -> Any:
    """What is played next. Raises Refused when nobody is left to play it."""
    while True:
        try:
            return done.get(timeout=patience)
        except queue.Empty:
            _check_workers(client, address)


def _result(future: Any, address: str) -> object:
    """What a worker has answered. Raises Refused where it couldn't, or its answer doesn't come here."""
    told = "the workers' own log tells more"
    try:
        error = future.exception() if future.status == "error" else None
        if error is None and not future.cancelled():
            answer: object = future.result()
            return answer
    except OSError as lost:
        what = f"a game was not brought here: the scheduler is lost: {lost}"
        raise Refused(what, f"--dask {address}", told) from lost
    except Exception as unread:
        what = f"a game was not brought here: {type(unread).__name__}: {unread}"
        raise Refused(what, f"--dask {address}", told) from unread
    if isinstance(error, PbemError):
        raise error.inside(f"--dask {address}")
    why = f"{type(error).__name__}: {error}" if error else "the scheduler is lost"
    raise Refused(f"a game was not played: {why}", f"--dask {address}", told)


def _checked(answer: object, run: Run, number: int, address: str) -> Played:
    """The game of that number, as a worker has answered it. Raises Refused for what is none."""
    if isinstance(answer, Played) and fits(answer, run, number):
        return answer
    what = f"a worker has answered what is no game {number} of this run: {reprlib.repr(answer):.80}"
    raise Refused(what, f"--dask {address}", "only the same version of pbem may run there")
