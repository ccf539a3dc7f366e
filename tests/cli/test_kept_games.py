"""Games that are kept as they end: what is missing is played, another run's file stays, what is torn is dropped."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_player import Said, pbem_says

from pbem.cli import kept_games
from pbem.simulate import game, processes
from pbem.simulate.game import Played, Run

BOTS = ("--first", "random", "--second", "random")
FILE = Path("k.jsonl")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy_system: object) -> None:
    """A folder of its own, and the toy, whose games are short."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))


def says(games: int, *words: str, seed: str = "7") -> Said:
    """So many games, kept in the file unless another one is named."""
    keep = () if "--keep" in words else ("--keep", str(FILE))
    return pbem_says(
        "simulate", "duel", "--games", str(games), *BOTS, *(("--seed", seed) if seed else ()), *keep, *words
    )


def plain(games: int) -> str:
    """What so many games print that are kept nowhere."""
    return pbem_says("simulate", "duel", "--games", str(games), *BOTS, "--seed", "7").out


def numbers() -> list[int]:
    """The numbers of the games in the file, in its order."""
    return [json.loads(line)["number"] for line in FILE.read_text("ascii").splitlines()[1:]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the games that are played."""
    found: list[int] = []
    plays = processes.played
    monkeypatch.setattr(processes, "played", lambda run, number: (found.append(number), plays(run, number))[1])
    return found


def test_the_same_command_plays_only_what_is_missing(asked: list[int]) -> None:
    assert (says(3).code, asked, numbers()) == (0, [1, 2, 3], [1, 2, 3])
    said = says(5)
    assert (said.code, asked, numbers()) == (0, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5])
    assert said.err.splitlines() == [
        "pbem: 3 of 5 games are kept already", "pbem: 2 games of duel, random against random, seed 7, by 1 process",
    ]  # fmt: skip
    again = says(5)
    assert again == (0, said.out, "pbem: 5 of 5 games are kept already, and none is played\n")
    assert len(asked) == 5
    assert said.out == plain(5)


def test_games_beyond_those_asked_for_are_left_alone(asked: list[int]) -> None:
    says(5)
    data = FILE.read_bytes()
    del asked[:]
    assert says(3).out == plain(3)
    assert asked == [1, 2, 3], "by the plain one"
    assert FILE.read_bytes() == data


def elsewhere_says(*words: str, code: str = "from pbem.__main__ import main; main()") -> Said:
    """Games of a scenario that other processes know, too, by a process of its own."""
    call = [sys.executable, "-c", code, "simulate", "yao", *BOTS, "--seed", "7", *words]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    return Said(done.returncode, done.stdout, done.stderr)


def test_several_processes_go_on_where_one_has_begun() -> None:
    assert elsewhere_says("--games", "2", "--keep", str(FILE)).code == 0
    said = elsewhere_says("--games", "5", "--keep", str(FILE), "--jobs", "2")
    assert (said.code, said.out) == (0, elsewhere_says("--games", "5").out), said.err
    assert (numbers()[:2], sorted(numbers())) == ([1, 2], [1, 2, 3, 4, 5])


def test_a_file_gives_its_seed_where_none_is_named(asked: list[int]) -> None:
    says(2)
    assert says(4, seed="").out == plain(4)
    FILE.unlink()
    said = says(2, seed="")
    seed = json.loads(FILE.read_text("ascii").splitlines()[0])["seed"]
    assert f"seed {seed}." in " ".join(said.out.split())
    assert says(2, seed="").out == said.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seed", "8"], "seed 7, not 8; name another file, for these are `pbem simulate duel --first random --second "
                          "random --seed 7`"),
        (["--first", "bold"], "first random, not bold; "),
        (["--reactions", "ask"], "reactions standing, not ask; name another file, for these are `pbem simulate duel "
                                 "--first random --second random --seed 7 --reactions standing`"),
        (["--option", "length=short"], "--seed 7 --option length=long`"),
    ],
)  # fmt: skip
def test_the_file_of_another_run_is_refused(words: list[str], told: str, asked: list[int]) -> None:
    says(2, "--option", "length=long")
    data = FILE.read_bytes()
    refused = says(3, *(["--option", "length=long"] if "--option" not in words else []), *words)
    assert (refused.code, refused.out) == (1, "")
    assert "k.jsonl: games of another run are kept there: " in refused.err
    assert told in refused.err
    assert FILE.read_bytes() == data
    assert asked == [1, 2]


def test_games_of_another_version_are_refused_and_said_to_be_of_it() -> None:
    says(2)
    FILE.write_text(FILE.read_text("ascii").replace('"version": "1.0.0"', '"version": "0.9"'))
    said = says(3)
    assert said.err == (
        "pbem: k.jsonl: games of another run are kept there: version 0.9, not 1.0.0; "
        "name another file, for these are gone on with as they were begun\n"
    )


@pytest.mark.parametrize("lines", [1, 3, 4])
def test_a_last_line_that_lacks_only_its_end_counts(lines: int, asked: list[int]) -> None:
    """As an editor may leave it; it may be the heading."""
    says(3)
    whole = FILE.read_bytes()
    FILE.write_bytes(b"".join(whole.splitlines(keepends=True)[:lines])[:-1])
    said = says(3)
    assert "torn" not in said.err
    assert asked == [1, 2, 3, *range(lines, 4)]
    assert FILE.read_bytes() == whole
    assert said.out == plain(3)


def test_an_empty_name_keeps_nothing(asked: list[int]) -> None:
    assert says(1, "--keep", "") == (1, "", "pbem: --keep: it names no file; name a file\n")
    assert asked == []


def test_it_is_said_when_many_games_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    says(2)
    assert "are read" not in says(2).err
    monkeypatch.setattr(kept_games, "MANY", 100)
    assert says(2).err.startswith("pbem: k.jsonl: 0 MB of games are read\n")


@pytest.mark.parametrize("cut", [2, 20, 10_000])
def test_a_torn_last_line_is_dropped_and_its_game_played_again(cut: int, asked: list[int]) -> None:
    """It may be the heading."""
    says(3)
    whole = FILE.read_bytes()
    lines = whole.splitlines(keepends=True)
    FILE.write_bytes(whole[:-cut] if cut < len(whole) else lines[0][:-2])
    said = says(3)
    assert said.err.startswith("pbem: k.jsonl: its last line is torn, and dropped\n")
    assert asked == [1, 2, 3, *([3] if cut < len(whole) else [1, 2, 3])]
    assert FILE.read_bytes() == whole
    assert said.out == plain(3)


def test_a_game_twice_counts_once_unless_the_two_are_not_the_same() -> None:
    said = says(3)
    lines = FILE.read_text("ascii").splitlines(keepends=True)
    FILE.write_text("".join([*lines, lines[2]]))
    assert says(3).out == said.out
    FILE.write_text("".join([*lines, re.sub('"mails": ', '"mails": 1', lines[2])]))
    refused = says(4)
    assert (refused.code, refused.out) == (1, "")
    assert "k.jsonl, line 5: game 2 is there twice, and not the same; take the line out of the file" in refused.err


@pytest.mark.parametrize("line", ["{}", "", '{"number": 1}', "x" * (1 << 20)])
def test_a_line_in_the_middle_that_is_no_game_is_told_with_its_number(line: str, asked: list[int]) -> None:
    says(2)
    lines = FILE.read_text("ascii").splitlines()
    FILE.write_text("\n".join([*lines[:2], line, lines[2], ""]))
    data = FILE.read_bytes()
    refused = says(3)
    assert (refused.code, refused.out) == (1, "")
    assert "k.jsonl, line 3: this line is no game" in refused.err
    assert FILE.read_bytes() == data
    assert asked == [1, 2]


@pytest.mark.parametrize("content", ["my own words\n", "{", '{"pbem": ', "{}\n", '{\n "asked": 3\n}\n'])
def test_a_file_of_another_kind_stays(content: str, asked: list[int]) -> None:
    FILE.write_text(content)
    refused = says(1)
    assert refused == (
        1,
        "",
        "pbem: k.jsonl: this file is there and keeps no games of pbem; it stays; name another file\n",
    )
    assert FILE.read_text() == content
    FILE.write_text("")
    assert says(1).code == 0, "an empty one is as good as none"
    assert asked == [1]


@pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc and pipes with a name")
def test_where_nothing_can_be_kept_it_is_said_before_anything_is_played(asked: list[int]) -> None:
    Path("folder").mkdir()
    os.mkfifo("pipe")
    Path("loop").symlink_to("loop")
    Path("link").symlink_to("a.csv")
    Path("home").mkdir()
    Path("home/settings.json").write_text("")
    for words, told in (
        (["--keep", "folder"], "folder: this is a folder; name a file in it"),
        (["--keep", "pipe"], "pipe: no games can be kept there: it is a pipe or a device; name another file"),
        (["--keep", "/dev/full"], "/dev/full: no games can be kept there: it is a pipe or a device"),
        (["--keep", "loop"], "loop: no games can be kept there: Too many levels of symbolic links"),
        (["--keep", "none/k"], "none: this folder isn't there"),
        (["--keep", "/proc/k"], "/proc/k: no games can be kept there: No such file or directory"),
        (["--keep", "-"], "--keep -: games are kept in a file, not on standard output; name a file"),
        (["--keep", "home/settings.json"], "home/settings.json: this file is one of my home folder, and stays"),
        (["--keep", "a.csv", "-o", "./a.csv"], "--keep a.csv: it is the same file as ./a.csv; name another file"),
        (["--keep", "link", "-o", "a.csv"], "--keep link: it is the same file as a.csv"),
    ):
        said = says(1, *words)
        assert (said.code, said.out) == (1, "")
        assert told in said.err
    assert asked == []
    assert not Path("a.csv").exists()
    assert says(1, "--keep", "link").code == 0, "a link to where a file can be"
    assert len(Path("a.csv").read_text().splitlines()) == 2


def full_after(written: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk be full when so many lines, or tries, have been written: half a line more fits."""
    write, left = os.write, [written]

    def writes(handle: int, data: bytes) -> int:
        left[0] -= 1
        if left[0] == -1:
            return write(handle, data[: len(data) // 2])
        if left[0] < -1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, data)

    monkeypatch.setattr(kept_games.os, "write", writes)


def test_a_full_disk_is_told_before_anything_is_played_or_with_the_games_so_far(
    asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    full = "k.jsonl: no games can be kept there: No space left on device; make room, or name another file"
    with monkeypatch.context() as patches:
        full_after(0, patches)
        assert full in says(3).err
        assert (asked, FILE.read_bytes()) == ([], b"")
    with monkeypatch.context() as patches:
        full_after(3, patches)
        said = says(9)
        assert said.code == 1
        assert full in said.err
        assert "2 of 9 games were played, and are told of; they are kept in k.jsonl, and the same command" in said.err
        assert numbers() == [1, 2]
    with monkeypatch.context() as patches:
        full_after(0, patches)
        del asked[:]
        assert full in says(9).err
        assert (asked, numbers()) == ([], [1, 2])
    assert says(9).out == plain(9)


def test_a_file_that_is_taken_away_meanwhile_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def here(run: Run, left: Any) -> Iterator[Played]:
        yield game.played(run, 1)
        FILE.unlink()
        yield game.played(run, 2)

    monkeypatch.setattr(processes, "here", here)
    said = says(9)
    assert said.code == 1
    assert "k.jsonl: it has been deleted or replaced while games are kept there" in said.err
    assert "k.jsonl, where they were kept, is gone, and the same command plays all of them again" in said.err
    assert "are kept in k.jsonl" not in said.err


def test_two_programs_don_t_play_for_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whatever name; when one has ended, the other may."""
    Path("link").symlink_to(FILE)
    told = []

    def here(run: Run, left: Any) -> Iterator[Played]:
        told.extend(says(9, "--keep", name) for name in (str(FILE), "link"))
        yield from (game.played(run, number) for number in left)

    monkeypatch.setattr(processes, "here", here)
    assert says(2).code == 0
    assert [said.code for said in told] == [1, 1]
    assert (
        "k.jsonl: another program plays the games that are kept there; do it again when that has ended" in told[0].err
    )
    assert numbers() == [1, 2]


KILLED = """
import os, signal, sys
from pbem.cli import run
from pbem.simulate import game, processes

def here(run, numbers):
    for number in numbers:
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        yield game.played(run, number)

processes.here = here
run(sys.argv[1:])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_what_was_played_is_kept_when_the_program_is_killed() -> None:
    words = ("--games", "4", "--keep", str(FILE))
    assert elsewhere_says(*words, code=KILLED).code == -signal.SIGKILL
    assert numbers() == [1, 2]
    assert "2 of 4 games are kept already" in elsewhere_says(*words).err
    assert numbers() == [1, 2, 3, 4]
