"""What can't be written is told in a sentence: a closed or full output, a log on a full disk, an early Ctrl-C."""

from __future__ import annotations

import errno
import io
import subprocess
import sys
from pathlib import Path

import pytest
from cli_player import pbem_says

import pbem.home.files
from pbem import __main__ as program
from pbem.cli import main, run
from pbem.errors import Storage
from pbem.home.folders import Home

NO_ROOM = "No space left on device"


def test_with_a_closed_output_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mail would be lost whose turn is in the log."""
    monkeypatch.setattr("pbem.cli.run", lambda _: pytest.fail("a command was run"))
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(sys, stream, None)
    with pytest.raises(SystemExit) as left:
        main(["games"])
    for stream in (sys.stdin, sys.stdout):
        stream.close()
    assert left.value.code == 1
    assert capsys.readouterr().err == (
        "pbem: standard output is closed: nothing is done; `>/dev/null` throws it away\n"
    )


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that ends at once ends no test."""
    monkeypatch.setattr("pbem.cli.os._exit", sys.exit)


@pytest.mark.usefixtures("ending")
def test_without_an_input_commands_are_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemExit) as left:
        main(["scenarios"])
    assert left.value.code == 0
    assert "tabaruzaka" in capsys.readouterr().out
    assert sys.stdin.read() == ""
    sys.stdin.close()


class Full(io.StringIO):
    """A file on a full disk."""

    def flush(self) -> None:
        raise OSError(errno.ENOSPC, NO_ROOM)


@pytest.mark.parametrize("words", [["scenarios", "--json"], ["report", "--json", "--nothing"], ["scenarios"]])
def test_a_full_output_is_told(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", Full())
    assert run(words) in (1, 2)
    said = capsys.readouterr().err
    assert said.startswith("pbem: ")
    assert NO_ROOM in said or "--nothing" in said


def test_who_interrupts_while_the_program_is_loaded_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pbem.cli.main", interrupted)
    monkeypatch.setattr("pbem.__main__.gc.set_threshold", lambda _: None)
    with pytest.raises(SystemExit) as left:
        program.main()
    assert left.value.code == 1
    assert capsys.readouterr().err == "pbem: given up\n"


@pytest.mark.usefixtures("blank_page")
def test_a_turn_that_is_signed_and_not_in_the_log_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its owner would write other orders, and see the first ones sent."""
    home = tmp_path / "home"
    for words in (["key", "new"], ["play", "yao", "--against", "random"]):
        assert pbem_says("--home", str(home), *words).code == 0

    def full(path: Path, *_: object) -> str:
        raise Storage(f"it can't be written: {NO_ROOM}", str(path), "make room")

    with monkeypatch.context() as patches:
        patches.setattr(pbem.home.files, "append", full)
        said = pbem_says("--home", str(home), "send", "-", stdin=b"done;\n")
    assert said.code == 1
    (folder,) = Home(home).games()
    signed = folder.signed()
    assert signed is not None
    assert said.err.endswith(
        f"/game.log: it can't be written: {NO_ROOM}; entry {signed.entry.seq} is signed all the same, and goes into "
        "the log when the game is opened next; make room; then `pbem send --again -o FILE` writes its mail\n"
    )
    assert pbem_says("--home", str(home), "form").code == 1, "nothing is due from me any more"
    assert signed.text in folder.text()


@pytest.mark.usefixtures("ending")
@pytest.mark.parametrize("watched", [False, True])
def test_what_a_command_leaves_behind_is_not_taken_down_unless_somebody_looks_on(
    watched: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The interpreter would take down all there is piece by piece; a profiler writes then what it saw."""
    at_once: list[str] = []

    def end(code: int) -> None:
        at_once.append(capsys.readouterr().out)
        sys.exit(code)

    monkeypatch.setattr("pbem.cli.os._exit", end)
    monkeypatch.setattr("pbem.cli.sys.getprofile", lambda: print if watched else None)
    monkeypatch.setattr("pbem.cli.sys.gettrace", lambda: None)
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert [said.startswith("pbem, version") for said in at_once] == ([] if watched else [True])


WATCHED = """
import gc, sys
class Watcher:
    def find_spec(self, name, *_):
        if name in ("click", "pbem.errors"):
            print(name, gc.get_threshold()[0])
sys.meta_path.insert(0, Watcher())
from pbem.__main__ import main
main()
"""


def test_garbage_is_searched_for_seldom_from_before_the_libraries_are_imported_on() -> None:
    done = subprocess.run([sys.executable, "-c", WATCHED, "--version"], capture_output=True, text=True, check=True)
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert said["click"] == said["pbem.errors"] == str(program.GARBAGE)
