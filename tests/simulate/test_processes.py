"""Games by several processes: the same as one after another; one that is killed is told, and nothing waits for it."""

from __future__ import annotations

import errno
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matches import scenario_of

from pbem.desk.desk import terms_of
from pbem.errors import Refused
from pbem.simulate import processes
from pbem.simulate.game import Run
from pbem.simulate.processes import by_processes, here

GAMES = 4


@pytest.fixture(scope="module")
def run() -> Run:
    """Short games."""
    scenario = scenario_of("yao")
    return Run(scenario, terms_of(scenario, {}), ("bold", "random"), 3)


@pytest.fixture(autouse=True)
def none_is_left() -> Iterator[None]:
    """No process outlives the generator that began it."""
    yield
    assert not multiprocessing.active_children()


def test_one_after_another_or_by_two_processes_in_any_order_they_are_the_same(run: Run) -> None:
    numbers = list(range(1, GAMES + 1))
    random.Random(1).shuffle(numbers)
    together = list(by_processes(run, numbers, 2))
    assert sorted(together) == list(here(run, range(1, GAMES + 1)))
    assert sorted(game.number for game in together) == list(range(1, GAMES + 1))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_a_process_that_is_killed_is_told(run: Run) -> None:
    """The games before are there; the other processes end, in the middle of a game too."""
    games = by_processes(run, range(1, 1000), 2)
    played = [next(games)]
    os.kill(next(process.pid for process in multiprocessing.active_children() if process.pid), signal.SIGKILL)
    with pytest.raises(Refused, match=r"the process that played game \d+ was killed by signal 9"):
        played.extend(games)
    assert 1 <= len(played) < 1000


def test_a_process_that_ends_by_a_fault_is_told(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    """Its traceback is on standard error: it is a fault of the program. What can't be played has none."""
    with pytest.raises(Refused, match="the process that played game 7 ended with code 1"):
        list(by_processes(replace(run, bots=("bold",)), [7], 1))  # type: ignore[arg-type]
    assert "IndexError" in capfd.readouterr().err
    with pytest.raises(Refused, match="no bot is called nobody"):
        list(by_processes(replace(run, bots=("bold", "nobody")), [7], 1))
    assert "Traceback" not in capfd.readouterr().err


def test_who_looks_at_no_more_games_ends_the_processes(run: Run) -> None:
    """Ctrl-C, which a terminal sends to all of them, ends none by itself."""
    games = by_processes(run, range(1, 1000), 2)
    assert next(games).number in (1, 2)
    for process in multiprocessing.active_children() if sys.platform != "win32" else ():
        os.kill(process.pid or 0, signal.SIGINT)
    assert sorted(next(games).number for _ in range(3))[-1] >= 4
    games.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_ctrl_c_while_processes_begin_is_heard_behind_the_one_that_begins(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, begun = processes._started, []

    def interrupted(*given: Any) -> Any:
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)  # the tests' own threads would hear it for this one
        begun.append(begin(*given))
        return begun[-1]

    monkeypatch.setattr(processes, "_started", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what it puts behind it ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            next(by_processes(run, range(1, 1000), 5))
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(begun) == 1
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_process_that_can_t_begin_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("multiprocessing.context.SpawnContext.Pipe", full)
    with pytest.raises(Refused, match="--jobs: process 1 can't begin: Too many open files; fewer may begin here"):
        next(by_processes(run, range(1, 1000), 5))


KILLED = """
import os, signal, time
from pathlib import Path
from pbem.desk.desk import terms_of
from pbem.home.folders import Home
from pbem.simulate import processes
from pbem.simulate.game import Run
from pbem.simulate.processes import by_processes

class Long(int):
    def __format__(self, how):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(500)

if __name__ == "__main__":
    scenario = Home(Path("home")).load("yao")
    next(by_processes(Run(scenario, terms_of(scenario, {}), ("bold", "random"), 3), [Long(1)], 1))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_when_the_program_is_killed_its_processes_end_in_the_middle_of_a_game(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, timeout=200, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, b"")  # its output is open as long as one of them goes on


def test_no_more_processes_are_begun_than_there_are_games(run: Run) -> None:
    games = by_processes(run, [1], 8)
    assert next(games).number == 1
    assert len(multiprocessing.active_children()) == 1
    assert list(games) == []
    assert list(by_processes(run, [], 2)) == []
