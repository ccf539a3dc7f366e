"""The games of a run, played by the workers of a cluster: Dask distributed, where it is installed."""

from __future__ import annotations

import queue
from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING, Any

from pbem.errors import PbemError, Refused
from pbem.simulate.game import Played, Run, played

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
    ends is taken back. Raises Refused without Dask, scheduler or workers, and when they are lost.
    """
    client = _client(address, patience)
    asked: list[Any] = []
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    try:
        _check_workers(client, address)
        asked += client.map(played, [run] * len(left := list(numbers)), left, pure=False)
        for future in asked:
            future.add_done_callback(done.put)
        for _ in asked:
            yield _result(_next(done, client, address, patience), address)
    finally:
        client.cancel(asked, force=True)
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
    if client.status != "running" or not client.ncores():
        raise Refused("the scheduler has no workers", f"--dask {address}", f"`dask worker {address}` begins one")


def _next(done: queue.SimpleQueue[Any], client: Client, address: str, patience: float) -> Any:
    """What is played next. Raises Refused when nobody is left to play it."""
    while True:
        try:
            return done.get(timeout=patience)
        except queue.Empty:
            _check_workers(client, address)


def _result(future: Any, address: str) -> Played:
    """The game that was played. Raises Refused where it couldn't be."""
    error = future.exception() if future.status == "error" else None
    if error is None and not future.cancelled():
        game: Played = future.result()
        return game
    if isinstance(error, PbemError):
        raise error.inside(f"--dask {address}")
    why = f"{type(error).__name__}: {error}" if error else "the scheduler is lost"
    raise Refused(f"a game was not played: {why}", f"--dask {address}", "the workers' own log tells more")
