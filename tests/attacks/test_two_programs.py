"""Two programs in one home folder at the same moment: nothing is signed twice, no offer becomes two games."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from cli_player import Said, World, pbem_says, steady, tree

import pbem.crypto.keys
import pbem.home.files
import pbem.home.folders
from pbem.errors import Refused, Storage
from pbem.home.files import HOLDER, LOCK, locked
from pbem.home.files import LOCK_FILES as FILES
from pbem.home.folders import Home
from pbem.match.replay import replay
from pbem.wire.blocks import read_log_blocks
from pbem.wire.entry import parse_entry

ROOT = Path(pbem.home.folders.__file__).parents[2]
PAIRS = int(os.environ.get("PBEM_PAIRS", "8"))
"""How often two programs send at once."""
PLAIN = [sys.executable, "-m", "pbem"]
SLOW_DISK = """
import os, time
real = os.fsync
os.fsync = lambda handle: (time.sleep(0.3), real(handle))[1]
"""
SLOW = [sys.executable, "-c", SLOW_DISK + "from pbem.cli import main; main()"]
HELD = """
import sys
import zipfile
from pathlib import Path
from pbem.home.files import locked
print("waits", flush=True)
with locked(Path(sys.argv[1]), "`pbem send` since 2026-11-21 11:00 UTC", wait=60):
    print("holds", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], World]:
    """Makes a world at a stage."""
    steady(monkeypatch)
    return lambda stage: World(tmp_path / "world", stage)


def environment(home: Path) -> dict[str, str]:
    kept = {name: word for name, word in os.environ.items() if not name.startswith("PBEM_")}
    return kept | {"PBEM_HOME": str(home), "PYTHONPATH": str(ROOT)}


def both(home: Path, program: list[str], *commands: list[str]) -> list[tuple[int, str]]:
    """Run commands at the same moment; of each exit code and standard error."""
    running = [
        subprocess.Popen([*program, *words], env=environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for words in commands
    ]
    said = [process.communicate()[1].decode() for process in running]
    return [(process.returncode, words) for process, words in zip(running, said, strict=True)]


def settled(home: Path) -> list[bytes]:
    """The entries of the only game, which verifies, and whose note of what was signed last is in the log."""
    (folder,) = Home(home).games()
    text = folder.text()
    assert replay(text, folder.home.load).table is not None
    logged = [block.payload for block in read_log_blocks(text)]
    note = folder.signed()
    if note is not None:
        assert logged[parse_entry(note.payload).seq] == note.payload
    return logged


def refused_clearly(said: str) -> None:
    """The one line on standard error says why."""
    lines = [line for line in said.splitlines() if not line.startswith("pbem: hint")]
    assert len(lines) == 1, said
    assert re.match(r"pbem: .*(due|has to|I have to|not accepted|accepted already|isn't mine)", lines[0]), said


def two_orders(at: World) -> list[str]:
    """Two different order files of asuka."""
    files = [
        at.write(f"orders{seed}.txt", at.does("asuka", "suggest", "--bot", "random", "--seed", str(seed)))
        for seed in (1, 2)
    ]
    assert Path(files[0]).read_bytes() != Path(files[1]).read_bytes()
    return files


# --- two that sign


def two_sends(at: World, home: Path, program: list[str], orders: list[str]) -> None:
    mails = [home.parent / f"{home.name}-{number}.eml" for number in range(2)]
    done = both(home, program, *(["send", path, "-o", str(mail)] for path, mail in zip(orders, mails, strict=True)))
    assert sorted(code for code, _ in done) == [0, 1], done
    winner = [code for code, _ in done].index(0)
    refused_clearly(done[1 - winner][1])
    assert [mail.exists() for mail in mails] == [number == winner for number in range(2)]
    logged = settled(home)
    assert len(logged) == 3
    assert all(line in logged[2].decode() for line in Path(orders[winner]).read_text().splitlines() if line[:1] != "#")


def test_two_sends_on_a_slow_disk_sign_one_turn(world: Callable[[str], World]) -> None:
    at = world("begun")
    two_sends(at, at.home("asuka"), SLOW, two_orders(at))


def test_two_sends_at_natural_speed_sign_one_turn(world: Callable[[str], World]) -> None:
    at = world("begun")
    orders = two_orders(at)
    for number in range(PAIRS):
        home = Path(shutil.copytree(at.home("asuka"), at.root / f"asuka{number}"))
        two_sends(at, home, PLAIN, orders)


def test_a_send_called_before_another_one_signed_is_refused_though_a_bot_has_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot answers at once, so the second would be asked anew: `done` of one phase isn't meant for the next."""
    monkeypatch.setattr("pbem.cli.showing.page_of", lambda *_: "a page")  # maps take long to draw
    home = tmp_path / "home"

    def says(*words: str) -> Said:
        return pbem_says("--home", str(home), *words, stdin=b"done;\n")

    says("key", "new")
    says("play", "yao", "--against", "random")
    real = time.time
    called = real()
    first = says("send", "-")
    assert first.code == 0, first.err
    before = settled(home)
    clock = iter([called])
    monkeypatch.setattr(time, "time", lambda: next(clock, real()))
    said = says("send", "-")
    assert said.code == 1, said.err
    assert "a turn of mine was sent at the same moment, and I am asked anew; nothing is signed" in said.err
    assert settled(home) == before
    said = says("send", "-")  # called behind it; whether `done` fits hangs on what the bot has done
    assert "at the same moment" not in said.err


def test_a_send_while_the_mail_before_it_is_opened_comes_behind_it_or_not_at_all(world: Callable[[str], World]) -> None:
    at = world("begun")
    at.bot_sends("asuka", 2)
    before = at.home("ben")
    other = Path(shutil.copytree(before, at.root / "other"))
    at.does("ben", "open", "--quiet", at.path("2.eml"))
    orders = at.write("orders.txt", at.does("ben", "suggest", "--bot", "random", "--seed", "1"))
    commands = ["open", "--quiet", at.path("2.eml")], ["send", orders, "-o", at.path("mine.eml")]
    for program in (SLOW, PLAIN, PLAIN):
        home = Path(shutil.copytree(other, at.root / "now", dirs_exist_ok=True))
        Path(at.path("mine.eml")).unlink(missing_ok=True)
        opened, sent = both(home, program, *commands)
        assert opened[0] == 0, opened
        logged = settled(home)
        assert len(logged) == (4 if sent[0] == 0 else 3)
        if sent[0]:
            refused_clearly(sent[1])
        shutil.rmtree(home)


def test_a_restore_of_what_was_sent_elsewhere_while_other_orders_are_sent_leaves_one_turn(
    world: Callable[[str], World],
) -> None:
    at = world("begun")
    orders = two_orders(at)
    elsewhere = Path(shutil.copytree(at.home("asuka"), at.root / "elsewhere"))
    at.does("elsewhere", "send", orders[0], "-o", at.path("2.eml"))
    at.does("elsewhere", "backup", at.path("later.zip"))
    longer = Home(elsewhere).games()[0].text()
    for number, program in enumerate((SLOW, PLAIN, PLAIN)):
        home = Path(shutil.copytree(at.home("asuka"), at.root / f"asuka{number}"))
        mail = at.root / f"sent{number}.eml"
        commands = ["send", orders[1], "-o", str(mail)], ["restore", at.path("later.zip")]
        sent, restored = both(home, program, *commands)
        assert sorted((sent[0], restored[0])) == [0, 1], (sent, restored)
        logged = settled(home)
        assert len(logged) == 3
        assert (Home(home).games()[0].text() == longer) == (restored[0] == 0) == (not mail.exists())
        if restored[0]:
            assert re.search("another log is here|was signed here with other words", restored[1])


def test_two_accepts_of_one_offer_opened_at_once_make_one_game(world: Callable[[str], World]) -> None:
    at = world("offered")
    for name in ("ben", "carl"):
        if name == "carl":
            at.does(name, "key", "new")
        at.does(name, "accept", at.path("offer.eml"), "--name", name, "--yes", "-o", at.path(f"{name}.eml"))
    for number, program in enumerate((SLOW, *[PLAIN] * 5)):
        home = Path(shutil.copytree(at.home("asuka"), at.root / f"asuka{number}"))
        done = both(home, program, *(["open", "--quiet", at.path(f"{name}.eml")] for name in ("ben", "carl")))
        assert sorted(code for code, _ in done) == [0, 1], done
        assert len(settled(home)) == 2
        assert Home(home).offers() == []


# --- the lock


@contextmanager
def another(home: Path) -> Iterator[subprocess.Popen[str]]:
    """Another program that holds the lock until its input ends."""
    words, pipe = [sys.executable, "-c", HELD, str(home)], subprocess.PIPE
    with subprocess.Popen(words, env=environment(home), stdin=pipe, stdout=pipe, text=True) as running:
        try:
            assert running.stdout is not None
            assert running.stdout.readline() == "waits\n"
            yield running
        finally:
            running.kill()


def holds(running: subprocess.Popen[str]) -> bool:
    """Wait for a program until it holds the lock."""
    assert running.stdout is not None
    return running.stdout.readline() == "holds\n"


def test_who_comes_second_waits_and_then_names_the_holder(tmp_path: Path) -> None:
    with another(tmp_path) as first:
        assert holds(first)
        with pytest.raises(Refused) as refused, locked(tmp_path, wait=0.1):
            pass
        assert f"process {first.pid}, `pbem send` since 2026-11-21 11:00 UTC" in str(refused.value)
        assert str(tmp_path) in str(refused.value)
        with another(tmp_path) as second:
            assert first.stdin is not None
            first.stdin.close()
            assert holds(second)
            assert (tmp_path / HOLDER).read_text().split()[0] == str(second.pid)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_who_is_killed_holds_nothing(tmp_path: Path) -> None:
    with another(tmp_path) as running:
        assert holds(running)
        running.send_signal(signal.SIGKILL)
        running.wait()
        with locked(tmp_path, "mine", wait=0):
            assert (tmp_path / HOLDER).read_text() == f"{os.getpid()} mine\n"


def test_a_program_takes_its_own_lock_again(tmp_path: Path) -> None:
    with locked(tmp_path, "first"), locked(tmp_path / ".." / tmp_path.name, "second", wait=0):
        assert (tmp_path / HOLDER).read_text().endswith(" first\n")
    with another(tmp_path) as running:
        assert holds(running)


@pytest.mark.parametrize("holder", [b"", b"\xff" * 9, b"x y", b"12", b"-3 z", b"7 \x1b[2J" + b"w" * 999, None])
def test_an_odd_holder_file_is_no_error(tmp_path: Path, holder: bytes | None) -> None:
    with another(tmp_path) as running:
        assert holds(running)
        (tmp_path / HOLDER).unlink()
        if holder is not None:
            (tmp_path / HOLDER).write_bytes(holder)
        with pytest.raises(Refused, match="another program is at work here") as refused, locked(tmp_path, wait=0):
            pass
        assert "\x1b" not in refused.value.what
        assert len(refused.value.what) < 260
        assert ("process" in refused.value.what) == (holder is not None and holder[:1] in (b"1", b"7"))


WRITERS = ("send", "resign", "draw", "backup")
LOOKERS = ("form", "suggest", "report")


def command(at: World, verb: str) -> list[str]:
    return (
        [verb, at.path("new.zip")]
        if verb == "backup"
        else [verb, "-o", at.path("no.eml")] * (verb in WRITERS) or [verb]
    )


@pytest.mark.parametrize("verb", [*WRITERS, *LOOKERS])
def test_a_command_says_who_is_at_work(
    world: Callable[[str], World], verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = world("begun")
    monkeypatch.setattr(pbem.home.folders, "locked", partial(locked, wait=0.1))
    with another(at.home("asuka")) as running:
        assert holds(running)
        line = at.refused("asuka", *command(at, verb))
        assert f"another program is at work here: process {running.pid}, `pbem send` since" in line


def test_games_says_who_is_at_work(world: Callable[[str], World], monkeypatch: pytest.MonkeyPatch) -> None:
    at = world("begun")
    monkeypatch.setattr(pbem.home.folders, "locked", partial(locked, wait=0.1))
    with another(at.home("asuka")) as running:
        assert holds(running)
        said = at.says("asuka", "games")
        assert said.code == 1
        assert f"process {running.pid}" in said.err


def test_the_holder_is_told_by_command_and_time(world: Callable[[str], World], monkeypatch: pytest.MonkeyPatch) -> None:
    at = world("set-up")
    at.does("asuka", "draw", "-o", at.path("draw.eml"))
    assert (at.home("asuka") / HOLDER).read_text() == f"{os.getpid()} `pbem draw` since 2026-11-21 11:00 UTC\n"


def is_held(home: Path) -> bool:
    return pbem.home.files._lock(os.path.realpath(home), os.getpid()).is_locked


@pytest.mark.parametrize("verb", ["send", "draw", "form", "report", "open", "check", "restore", "offer"])
def test_the_key_is_loaded_and_its_passphrase_asked_for_before_the_lock(
    world: Callable[[str], World], verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = world("set-up")
    orders = at.write("orders.txt", at.does("asuka", "suggest", "--bot", "random", "--seed", "1"))
    shutil.copy(at.log("asuka"), at.path("game.log"))
    held: list[bool] = []
    real = pbem.crypto.keys.load_signer

    def asks(*words: object) -> pbem.crypto.keys.Signer:
        held.append(is_held(at.home("asuka")))
        return real(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(pbem.crypto.keys, "load_signer", asks)
    words = {
        "send": ["send", orders, "-o", at.path("o.eml")],
        "draw": ["draw", "-o", at.path("o.eml")],
        "open": ["open", at.path("accept.eml")],
        "check": ["check", orders],
        "restore": ["restore", at.path("game.log")],
        "offer": ["offer", "yao", "--side", "east", "--name", "asuka", "-o", at.path("o.eml")],
    }
    at.does("asuka", *words.get(verb, [verb]))
    assert held == [False]
    assert not is_held(at.home("asuka"))


def test_no_lock_is_held_while_a_fingerprint_is_compared(
    world: Callable[[str], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = world("set-up")
    shutil.copy(at.log("ben"), at.path("game.log"))
    at.does("new", "key", "new")
    at.does("new", "recover", at.path("game.log"), "--name", "ben", "-o", at.path("ask.eml"))
    held: list[bool] = []

    def confirm(*_: object, **__: object) -> bool:
        held.append(is_held(at.home("asuka")))
        at.does("asuka", "draw", "-o", at.path("draw.eml"))  # meanwhile, in another window
        return True

    monkeypatch.setattr("click.confirm", confirm)
    said = at.says("asuka", "accept-rekey", at.path("ask.eml"), "-o", at.path("turn.eml"))
    assert held == [False]
    logged = settled(at.home("asuka"))
    assert [parse_entry(payload).kind for payload in logged[4:]][:1] == ["draw"], said.err


@pytest.mark.parametrize("verb", ["games", "form", "report", "send", "draw", "open", "backup"])
def test_a_home_that_isn_t_there_stays_so(world: Callable[[str], World], verb: str) -> None:
    at = world("begun")
    at.says("nobody", *([verb, at.path("accept.eml")] if verb in ("open", "backup") else [verb]))
    assert not at.home("nobody").exists()


def test_a_home_that_can_t_be_written_is_looked_at_without_a_lock(
    world: Callable[[str], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = world("set-up")
    real = os.open

    def read_only(path: str | os.PathLike[str], flags: int, *rest: int, **more: int) -> int:
        if os.fspath(path).endswith(LOCK):
            raise PermissionError(13, "Permission denied", path)
        return real(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", read_only)
    for verb in ("games", "form", "report"):
        at.does("asuka", verb)
    assert "it can't be locked: Permission denied" in at.refused("asuka", "draw", "-o", at.path("no.eml"))
    with pytest.raises(Storage), locked(at.home("asuka")):
        pass


def test_no_backup_holds_the_lock_and_none_restores_it(world: Callable[[str], World]) -> None:
    at = world("begun")
    assert {path.name for path in at.home("asuka").iterdir()} >= FILES
    at.does("asuka", "backup", at.path("asuka.zip"))
    with zipfile.ZipFile(at.path("asuka.zip")) as made:
        assert not FILES & {Path(name).name for name in made.namelist()}
    at.does("again", "restore", at.path("asuka.zip"))
    mark = f"restored/{at.log('asuka').parent.name}"
    assert tree(at.home("again")).keys() - {mark} == tree(at.home("asuka")).keys()
