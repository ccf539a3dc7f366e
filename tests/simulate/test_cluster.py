"""Games by a cluster: the same as one after another; without scheduler, workers or Dask it is said at once."""

from __future__ import annotations

import builtins
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from matches import scenario_of

from pbem.desk.desk import terms_of
from pbem.errors import Refused
from pbem.simulate import cluster as cluster_module
from pbem.simulate.cluster import by_cluster
from pbem.simulate.game import Played, Run
from pbem.simulate.processes import here

LACKING = "Dask distributed isn't installed: pip install 'pbem[cluster]'"
GAMES = 3


@pytest.fixture(scope="module")
def run() -> Run:
    """Short games."""
    scenario = scenario_of("yao")
    return Run(scenario, terms_of(scenario, {}), ("bold", "random"), 3)


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A scheduler and two workers on this machine, reached by TCP as others are, in threads of this process."""
    distributed = pytest.importorskip("distributed", reason=LACKING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.LocalCluster(
            2, processes=False, threads_per_worker=1, protocol="tcp://", dashboard_address=None
        ) as made:
            yield made


class Future:
    """A game that a worker has ended with, by what it gives."""

    status = "finished"

    def __init__(self, key: int, gives: Any) -> None:
        self.key, self.gives = key, gives

    def add_done_callback(self, done: Any) -> None:
        done(self)

    def cancelled(self) -> bool:
        return False

    def result(self) -> Any:
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives


class Client:
    """A client whose workers give this in place of game 2, and whose scheduler is lost when it is left."""

    status = "running"

    def __init__(self, gives: Any) -> None:
        self.gives = gives

    def ncores(self) -> dict[str, int]:
        return {"tcp://10.0.0.1:1": 1}

    def map(self, play: Any, runs: list[Run], numbers: list[int], **_: Any) -> list[Future]:
        games = zip(runs, numbers, strict=True)
        return [Future(number, play(run, number) if number != 2 else self.gives) for run, number in games]

    def cancel(self, *_: Any, **__: Any) -> None:
        raise OSError("nobody listens")

    close = cancel


TRUE = Played(2, None, "14-1", "nobody wins", 2, 9, 5, {"east": [0, 1], "osaka": [0, 0]})


@pytest.mark.parametrize(
    ("gives", "told"),
    [
        (OSError("Timed out trying to connect to tcp://x:1"), "the scheduler is lost: Timed out trying"),
        (ImportError("No module named pbem.elsewhere"), "a game was not brought here: ImportError: No module"),
        (42, "what is no game 2 of this run: 42"),
        (None, "what is no game 2 of this run: None"),
        (TRUE._replace(number=3), "what is no game 2"),
        (TRUE._replace(winner="west"), "what is no game 2"),
        (TRUE._replace(winner=["east"]), "what is no game 2"),  # type: ignore[arg-type]
        (TRUE._replace(turns=3), "what is no game 2"),
        (TRUE._replace(mails="9"), "what is no game 2"),  # type: ignore[arg-type]
        (TRUE._replace(orders=-1), "what is no game 2"),
        (TRUE._replace(reason=None), "what is no game 2"),  # type: ignore[arg-type]
        (TRUE._replace(lost={"east": [0, 1]}), "what is no game 2"),
        (TRUE._replace(lost={"east": [0, 1], "osaka": [0]}), "what is no game 2"),
        (TRUE._replace(lost={"east": [0, 1], "osaka": [0, 0.5]}), "what is no game 2"),  # type: ignore[list-item]
        (TRUE._replace(lost=[0, 1]), "what is no game 2"),  # type: ignore[arg-type]
    ],
)
def test_what_a_worker_can_t_bring_or_makes_up_is_told_and_ends_it(
    gives: Any, told: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games before are there."""
    monkeypatch.setattr(cluster_module, "_client", lambda *_: Client(gives))
    games = by_cluster(run, [1, 2], "tcp://x:1")
    assert next(games).number == 1
    with pytest.raises(Refused) as refused:
        next(games)
    assert told in str(refused.value)
    assert refused.value.where == "--dask tcp://x:1"


def test_a_game_as_it_should_be_is_taken(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_client", lambda *_: Client(TRUE))
    assert list(by_cluster(run, [2], "tcp://x:1")) == [TRUE]


@pytest.mark.filterwarnings("ignore")  # those of other people's code
def test_by_a_cluster_they_are_the_same(cluster: Any, run: Run) -> None:
    found = list(by_cluster(run, range(GAMES, 0, -1), cluster.scheduler_address))
    assert sorted(found) == list(here(run, range(1, GAMES + 1)))
    with pytest.raises(Refused, match="no bot is called nobody") as refused:
        list(by_cluster(replace(run, bots=("bold", "nobody")), [1], cluster.scheduler_address))
    assert refused.value.where == f"--dask {cluster.scheduler_address}"
    with pytest.raises(Refused, match=r"those of 0\.9"):
        list(by_cluster(replace(run, version="0.9"), [1], cluster.scheduler_address))
    with pytest.raises(Refused, match="a game was not played: IndexError"):
        list(by_cluster(replace(run, bots=("bold",)), [1], cluster.scheduler_address))  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore")
def test_workers_that_are_lost_are_told(cluster: Any, run: Run) -> None:
    games = by_cluster(run, range(1, 1000), cluster.scheduler_address, 0.2)
    assert next(games).number > 0
    cluster.scale(0)
    with pytest.raises(Refused, match="the scheduler has no workers"):
        list(games)


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_without_workers_is_told_at_once(cluster: Any, run: Run) -> None:
    cluster.scale(0)
    while cluster.scheduler.workers:
        time.sleep(0.01)
    with pytest.raises(Refused, match="the scheduler has no workers; `dask worker"):
        next(by_cluster(run, [1], cluster.scheduler_address))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x", "nowhere"])
def test_without_a_scheduler_it_is_said(address: str, run: Run) -> None:
    pytest.importorskip("distributed", reason=LACKING)
    with pytest.raises(Refused) as refused:
        next(by_cluster(run, [1], address, 0.5))
    assert refused.value.where == f"--dask {address}"
    assert "tcp://HOST:8786" in refused.value.hint


def test_without_dask_it_is_said_how_it_is_installed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def lacking(name: str, *more: Any) -> Any:
        if name == "distributed":
            raise ImportError
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(Refused, match="Dask distributed isn't installed here") as refused:
        next(by_cluster(run, [1], "tcp://127.0.0.1:1"))
    assert "pip install 'pbem[cluster]'" in refused.value.hint
