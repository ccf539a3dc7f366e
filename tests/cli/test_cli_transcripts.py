"""Sessions at the command line as text files: what is typed, what comes back.

A transcript in tests/cli/ is read like a terminal. `// ` begins a remark, `$ ` what is typed; below it stand the lines
of standard output, those of standard error marked `! `, and `[1]` for an exit code other than 0. What stands behind a
question, `[y/N]` or `[e/s/l]`, is typed as the answer. Besides `pbem`, with `< FILE` and `> FILE`, the player knows
`export`, `cp`, `cat`, `sed -n 3,9p FILE` for some of its lines, and `cat > FILE` with lines up to a full stop. Each
session has a folder, keys, randomness and a clock of its own, the same in every run, and `scenarios` to copy from.
PBEM_REGENERATE=1 writes the files anew.
"""

from __future__ import annotations

import glob
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_player import pbem_says, steady
from golden import golden

from pbem.resources import data_folder

HERE = Path(__file__).parents[1]
SESSIONS = sorted((HERE / "cli").glob("*.txt"))
README = HERE.parent / "README.md"
ASKED = re.compile(r"\[(?:y/N|e/s/l|e/l)\] ")


class Session:
    """A terminal in a folder of its own."""

    def __init__(self, patches: pytest.MonkeyPatch) -> None:
        self.patches = patches

    def types(self, line: str, below: list[str]) -> list[str]:
        """Carry out a line; the lines that come back. `below` is the here-document, else what came back before."""
        words = shlex.split(line)
        match words:
            case ["export", setting]:
                self.patches.setenv(*setting.split("=", 1))
            case ["cp", source, target]:
                Path(target).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(next(iter(sorted(glob.glob(source)))), target)
            case ["cat", ">", name]:
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text("".join(f"{typed}\n" for typed in below))
                return [*below, "."]
            case ["cat", name]:
                return Path(name).read_text().splitlines()
            case ["sed", "-n", span, name]:
                first, last = map(int, span.removesuffix("p").split(","))
                return Path(name).read_text().splitlines()[first - 1 : last]
            case ["pbem", *rest]:
                answers = [line[asked.end() :] for line in below if (asked := ASKED.search(line))]
                return self.pbem(rest, answers[0] if answers else None)
            case _:
                raise AssertionError(f"a transcript can't hold: {line}")
        return []

    def pbem(self, words: list[str], answer: str | None) -> list[str]:
        """Run a command; with an answer at a terminal, which shows it."""
        into = source = None
        if ">" in words:
            words, into = words[: words.index(">")], words[-1]
        if "<" in words:
            words, source = words[: words.index("<")], words[-1]
        typed = None if answer is None else f"{answer}\n"
        said = pbem_says(*words, stdin=Path(source).read_bytes() if source else b"", typed=typed)
        if into:
            Path(into).write_text(said.out)
        shown = [] if into else said.out.splitlines()
        talk = ASKED.sub(lambda asked: f"{asked[0]}{typed}", said.err)
        return [*shown, *(f"! {line}" for line in talk.splitlines()), *([f"[{said.code}]"] if said.code else [])]


def steps(text: str) -> Iterator[tuple[list[str], str, list[str]]]:
    """Comment lines, the line typed and what comes back, one after the other."""
    remarks: list[str] = []
    typed, below = "", []
    for line in [*text.splitlines(), "$ "]:
        if line.startswith(("$ ", "// ")) and typed:
            yield remarks, typed, below
            remarks, typed, below = [], "", []
        if line.startswith("$ "):
            typed = line[2:]
        elif typed:
            below.append(line)
        else:
            remarks.append(line)


def played(text: str, patches: pytest.MonkeyPatch) -> str:
    """The transcript as it is now."""
    session = Session(patches)
    lines: list[str] = []
    for remarks, typed, below in steps(text):
        document = below[: below.index(".")] if "." in below else below
        lines += [*remarks, f"$ {typed}", *session.types(typed, document)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("file", SESSIONS, ids=[file.stem for file in SESSIONS])
def test_a_session_goes_as_written(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steady(monkeypatch)
    monkeypatch.chdir(tmp_path)
    Path("scenarios").symlink_to(data_folder("scenarios"))
    golden(file, played(file.read_text("utf-8"), monkeypatch))


@pytest.mark.parametrize("file", SESSIONS, ids=[file.stem for file in SESSIONS])
def test_a_session_fits_into_80_columns(file: Path) -> None:
    for _, typed, below in steps(file.read_text("utf-8")):
        if typed.startswith("pbem") and "--json" not in typed:
            wide = [line for line in below if len(line) > 80 and not line.startswith(("! ", "ssh-"))]
            assert not wide, typed


def commands_of_the_readme() -> list[str]:
    """Every `pbem` command of the README, in order: from its indented blocks, and between backticks."""
    found = []
    for line in README.read_text("utf-8").splitlines():
        if line.startswith("    "):
            found += re.findall(r"(?:^    |/bin/)(pbem [^#&]*)", line)
        else:
            found += re.findall(r"`(pbem [^`]*)`", line)
    return [" ".join(command.split()) for command in found]


def test_the_readme_s_session_is_played_word_for_word() -> None:
    typed = [typed for _, typed, _ in steps((HERE / "cli" / "readme.txt").read_text("utf-8"))]
    commands = commands_of_the_readme()
    assert len(commands) > 12
    for command in commands:
        verb_only = command.count(" ") == 1
        assert any(line == command or (verb_only and line.startswith(f"{command} ")) for line in typed), command


def test_the_readme_s_session_is_in_the_readme_s_order() -> None:
    typed = [typed for _, typed, _ in steps((HERE / "cli" / "readme.txt").read_text("utf-8"))]
    places = [typed.index(command) for command in commands_of_the_readme() if command in typed]
    assert places == sorted(places)
