"""Many games at the command line: what is printed and written, what is refused, and what comes of Ctrl-C."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from cli_player import Said, pbem_says

from pbem.cli import simulate
from pbem.errors import Refused
from pbem.simulate import game, processes
from pbem.simulate.game import Played, Run

BOTS = ("--first", "random", "--second", "random")

PLAYS = "games of duel, random against random, seed 7, by 1 process"
PLAYED = "games were played, and are told of; with --keep FILE none would have to be played again"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy_system: object) -> None:
    """A folder of its own, and the toy, whose games are short."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))


def says(*words: str) -> Said:
    return pbem_says("simulate", *words)


def test_the_same_seed_prints_the_same_and_another_one_other_games() -> None:
    first = says("duel", "--games", "5", *BOTS, "--seed", "7")
    assert (first.code, first.err) == (0, f"pbem: 5 {PLAYS}\n")
    assert says("duel", "--games", "5", *BOTS, "--seed", "7") == first
    assert says("duel", "--games", "5", *BOTS, "--seed", "8").out != first.out
    assert not Path("home").exists(), "nobody's home folder is needed"


def test_a_seed_that_was_not_given_is_drawn_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", lambda size: bytes(range(1, size + 1)))
    said = says("duel", "--games", "5", *BOTS)
    assert "seed 16909060" in said.out
    assert said.out == says("duel", "--games", "5", *BOTS, "--seed", "16909060").out


def test_the_first_games_of_a_longer_run_are_those_of_a_shorter_one() -> None:
    few, many = (json.loads(says("duel", "--games", n, *BOTS, "--seed", "7", "--json").out) for n in ("3", "6"))
    assert many["played"][:3] == few["played"]
    assert [row["number"] for row in many["played"]] == [1, 2, 3, 4, 5, 6]


def test_files_are_written_beside_what_is_printed() -> None:
    plain = says("duel", "--games", "4", *BOTS, "--seed", "7")
    said = says("duel", "--games", "4", *BOTS, "--seed", "7", "--csv", "-o", "a.html", "-o", "b.json", "-o", "c.MD")
    assert said.code == 0
    written = [f"pbem: written to {name}" for name in ("a.html", "b.json", "c.MD")]
    assert said.err.splitlines() == [f"pbem: 4 {PLAYS}", *written]
    assert len(said.out.splitlines()) == 5
    assert Path("a.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    told = json.loads(Path("b.json").read_text("utf-8"))
    assert told == json.loads(says("duel", "--games", "4", *BOTS, "--seed", "7", "--json").out)
    assert "error" not in told
    assert Path("c.MD").read_text("utf-8").splitlines()[0] == f"### {plain.out.splitlines()[0].strip()}"
    again = says("duel", "--games", "4", *BOTS, "--seed", "7", "-o", "a.html", "-o", "b.json", "-o", "c.MD")
    assert again.code == 0, again.err
    assert again.out == plain.out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--games", "0", *BOTS), 2, "0 is not in the range"),
        (("--games", "many", *BOTS), 2, "'many' is not a valid integer"),
        (BOTS, 2, "pbem: --games is missing"),
        (("--games", "1", "--first", "bold"), 2, "pbem: --second is missing"),
        (("--games", "1", *BOTS, "--jobs", "0"), 2, "0 is not in the range"),
        (("--games", "1", *BOTS, "--jobs", "2", "--dask", "tcp://x:1"), 2, "--jobs and --dask can't both say"),
        (("--games", "1", *BOTS, "--seed", "-1"), 2, "-1 is not in the range"),
        (("--games", "1", "--first", "bolt", "--second", "bold"), 1, "--first: no bot is called 'bolt'; did you"),
        (("--games", "1", "--first", "bold", "--second", "x"), 1, "--second: no bot is called 'x'; there are: bold,"),
        (("--games", "1", *BOTS, "--option", "length"), 2, "--option length has no value"),
        (("--games", "1", *BOTS, "--option", "length=endless"), 1, "length can't be endless"),
        (("--games", "1", *BOTS, "--option", "width=1"), 1, "duel has no option width"),
        (("--games", "1", *BOTS, "-o", "a.pdf"), 1, "a.pdf: its name doesn't say what is to be written; it"),
        (("--games", "1", *BOTS, "-o", "none/a.csv"), 1, "this folder isn't there"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_before_anything_is_played(
    words: tuple[str, ...], code: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "entries", None)
    said = says("duel", *words)
    assert (said.code, said.out) == (code, "")
    assert told in " ".join(said.err.split())


def test_a_scenario_that_is_not_there_and_a_file_that_is_another_s() -> None:
    said = says("sekigahara", "--games", "1", *BOTS)
    assert (said.code, said.out) == (1, "")
    assert "sekigahara" in said.err
    Path("mine.csv").write_text("my,own,table\n")
    said = says("duel", "--games", "1", *BOTS, "--csv", "--json")
    assert (said.code, json.loads(said.out)["error"]["kind"]) == (2, "Usage")
    said = says("duel", "--games", "1", *BOTS, "-o", "mine.csv")
    assert said.code == 1
    assert "isn't a table of pbem; it stays" in said.err
    assert Path("mine.csv").read_text() == "my,own,table\n"


@pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc and /dev/full")
def test_files_that_can_t_be_written_are_told_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "entries", None)
    Path("d.csv").mkdir()
    Path("l.csv").symlink_to("a.csv")
    for names, told in (
        (["d.csv"], "d.csv: this is a folder; name a file in it"),
        (["a.csv", "./a.csv"], "./a.csv: it is the same file as a.csv; name each file once"),
        (["a.csv", "l.csv"], "l.csv: it is the same file as a.csv"),
        (["b.csv", "/proc/x.csv"], "/proc/x.csv: it can't be written: "),
    ):
        said = says("duel", "--games", "1", *BOTS, *(word for name in names for word in ("-o", name)))
        assert (said.code, said.out) == (1, "")
        assert told in said.err
    assert sorted(path.name for path in Path().iterdir()) == ["d.csv", "l.csv"]


@pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc and /dev/full")
def test_what_can_t_be_written_keeps_nothing_else_from_being_written() -> None:
    """Each is tried, and told."""
    Path("full.csv").symlink_to("/dev/full")
    said = says("duel", "--games", "2", *BOTS, "-o", "full.csv", "-o", "z.json", "--csv")
    assert said.code == 1
    assert said.err.splitlines()[1:] == [
        "pbem: written to z.json", "pbem: full.csv: it can't be written: No space left on device",
    ]  # fmt: skip
    assert len(said.out.splitlines()) == 3
    words = [sys.executable, "-m", "pbem", "simulate", "yao", "--games", "1", "--first", "random", "--second", "random"]
    with open("/dev/full", "w") as full:
        done = subprocess.run([*words, "-o", "x.csv"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == [
        "pbem: written to x.csv", "pbem: standard output: it can't be written: No space left on device",
    ]  # fmt: skip
    assert len(Path("x.csv").read_text().splitlines()) == 2


def test_no_more_processes_play_than_there_are_games_or_the_machine_bears(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def by(run: Run, numbers: Any, jobs: int) -> Iterator[Played]:
        asked.append(jobs)
        yield from (game.played(run, number) for number in numbers)

    monkeypatch.setattr(processes, "by_processes", by)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    for games, jobs, play in (("9", "8", 8), ("9", "9", 8), ("12", "5000", 8), ("3", "5000", 3)):
        said = says("duel", "--games", games, *BOTS, "--jobs", jobs, "--seed", "7")
        assert asked.pop() == play
        lowered = f"pbem: --jobs {jobs}: 8 processes play, 4 for each processor here: more would only take memory\n"
        begun = f"pbem: {games} games of duel, random against random, seed 7, by {play} processes\n"
        assert said.err == (lowered if play < min(int(games), int(jobs)) else "") + begun


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_a_signal_to_end_is_as_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `kill` sends it; behind the games it ends the program as ever."""
    ends = signal.getsignal(signal.SIGTERM)

    def here(run: Run, numbers: Any) -> Iterator[Played]:
        yield game.played(run, 1)
        os.kill(os.getpid(), signal.SIGTERM)
        yield game.played(run, 2)

    monkeypatch.setattr(processes, "here", here)
    said = says("duel", "--games", "9", *BOTS, "--csv", "--seed", "7")
    assert (said.code, len(said.out.splitlines())) == (1, 2)
    assert said.err.splitlines() == [f"pbem: 9 {PLAYS}", "pbem: given up", f"pbem: 1 of 9 {PLAYED}"]
    assert signal.getsignal(signal.SIGTERM) == ends
    monkeypatch.setattr("pbem.simulate.summary.summary", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    said = says("duel", "--games", "1", *BOTS)
    assert (said.code, said.out, said.err.splitlines()[1:]) == (1, "", ["", "pbem: given up"]), "behind the games, too"
    assert signal.getsignal(signal.SIGTERM) == ends


def stops(after: int, by: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games end so in the middle of a run."""

    def here(run: Run, numbers: Any) -> Iterator[Played]:
        for number in list(numbers)[:after]:
            yield game.played(run, number)
        raise by

    monkeypatch.setattr(processes, "here", here)


@pytest.mark.parametrize(
    ("by", "told"),
    [(KeyboardInterrupt(), "given up"), (Refused("the process that played game 3 was killed by signal 9"), "killed")],
)
def test_what_has_been_played_is_told_when_it_stops(
    by: BaseException, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops(3, by, monkeypatch)
    said = says("duel", "--games", "9", *BOTS, "--seed", "7", "-o", "a.csv")
    assert said.code == 1
    _, written, why, last = said.err.splitlines()
    assert written == "pbem: written to a.csv"
    assert told in why
    assert last == f"pbem: 3 of 9 {PLAYED}"
    cut = "Only 3 of 9 games were played: short ones end first, and may be too many among these."
    assert cut in " ".join(said.out.split())
    assert len(Path("a.csv").read_text().splitlines()) == 4
    data = json.loads(says("duel", "--games", "9", *BOTS, "--seed", "7", "--json").out)
    assert (data["games"], data["asked"]) == (3, 9)
    assert told in data["error"]["what"]
    stops(0, by, monkeypatch)
    said = says("duel", "--games", "9", *BOTS)
    assert (said.code, said.out) == (1, "")
    assert told in said.err
    assert (", before a game had ended" in said.err) == isinstance(by, KeyboardInterrupt)


def test_how_far_it_is_is_told_at_a_terminal_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count(0, 10)
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    said = says("duel", "--games", "6", *BOTS, "--seed", "7")
    begun, *told = re.findall("pbem: (.*)", said.err)
    assert begun == f"6 {PLAYS}"
    assert told == ["3 of 6 games, 30 seconds to go", "6 of 6 games, 0 seconds to go"]
    clock = count(0, 10)
    monkeypatch.setattr("pbem.cli.simulate._at_a_screen", lambda: True)
    said = says("duel", "--games", "20", *BOTS, "--seed", "7")
    begun, _, line = said.err.partition("\n")
    assert begun == f"pbem: 20 {PLAYS}"
    assert "\n" not in line
    assert line.startswith(
        "\rpbem: 0 of 20 games\rpbem: 1 of 20 games, 3 minutes to go\rpbem: 2 of 20 games, 3 minutes to go\r"
    )
    assert said.err.endswith("\rpbem: 20 of 20 games, 0 seconds to go\r")


@pytest.mark.parametrize("screen", [True, False], ids=["at a terminal", "elsewhere"])
def test_while_no_game_has_ended_it_says_that_they_are_played(screen: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A steady game takes minutes."""
    spoken: list[str] = []
    twice = threading.Event()

    def speak(words: str) -> None:
        spoken.append(words.removeprefix("pbem: "))
        if sum(words.endswith("so far") for words in spoken) > 1:
            twice.set()

    def here(run: Run, numbers: Any) -> Iterator[Played]:
        assert twice.wait(100)
        yield game.played(run, 1)

    monkeypatch.setattr(processes, "here", here)
    monkeypatch.setattr(simulate, "_at_a_screen", lambda: screen)
    monkeypatch.setattr(simulate, "_on_the_line" if screen else "echo", speak)
    monkeypatch.setattr(simulate, "BEAT" if screen else "SELDOM", 0.01)
    assert says("duel", "--games", "1", *BOTS, "--seed", "7").code == 0
    begun, *beats = spoken
    assert begun == ("0 of 1 games" if screen else f"1 {PLAYS}".replace("games", "game"))
    assert re.fullmatch("0 of 1 games, [0-9]+ seconds so far", beats[0])


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_who_speaks_meanwhile_leaves_ctrl_c_to_who_plays() -> None:
    """Else it would be heard while a process begins, which then would be left."""
    masks = queue.SimpleQueue[set[int]]()
    with simulate._beating(lambda: masks.put(signal.pthread_sigmask(signal.SIG_BLOCK, ())), 0.01, 1):
        assert {signal.SIGINT, signal.SIGTERM} <= masks.get(timeout=100)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert not [thread for thread in threading.enumerate() if "go_on" in thread.name]


def test_nothing_of_it_is_imported_by_other_commands() -> None:
    code = (
        "import sys\nfrom pbem.cli import run\nrun(['simulate', '--help'])\n"
        "kept = ('pbem.simulate', 'pbem.match', 'multiprocessing', 'distributed')\n"
        "print([name for name in sys.modules if name.startswith(kept)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
