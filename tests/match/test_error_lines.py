"""Lines of talk have at most 300 letters, whoever wrote the words in them, and what would be right still ends them."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from cli_player import World, steady

import pbem.home.folders
import pbem.match.genesis
from pbem.cli.common import LINE_MAX, cut, echo, tell
from pbem.errors import BadScenario, Damaged, Defect, IllegalOrder, PbemError
from pbem.scenario import load_scenario


@pytest.fixture(autouse=True)
def _steady(monkeypatch: pytest.MonkeyPatch) -> None:
    steady(monkeypatch)


def talk(err: str) -> list[str]:
    """The lines on standard error, each begun by the program, printable and short."""
    lines = err.removesuffix("\n").split("\n")
    assert all(line.startswith("pbem: ") and line.isprintable() for line in lines), lines
    assert max(map(len, lines)) <= LINE_MAX
    return lines


def told(capsys: pytest.CaptureFixture[str], error: PbemError) -> list[str]:
    tell(error)
    return talk(capsys.readouterr().err)


def test_a_line_of_300_letters_is_whole_and_a_longer_one_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    for length in (1, 293, 294, 295, 5000):
        echo("a" * (length - 1) + "z")
        (line,) = talk(capsys.readouterr().err)
        assert len(line) == min(length + 6, 300)
        assert (" ... " in line) == (length > 294)
        assert line.endswith("z")
    assert cut("abcdefghijklmnopqrst", 20) == "abcdefghijklmnopqrst"
    assert cut("abcdefghijklmnopqrstu", 20) == "abcdefghi ... pqrstu"


def test_a_line_that_is_too_long_is_cut_between_words() -> None:
    """`lapses in every one of 400 futures` was told as `y one of 400 futures`."""
    for most in range(18, 60):
        first, last = cut("the order lapses in every one of 400 futures: hb-01 leads nobody", most).split(" ... ")
        assert len(f"{first} ... {last}") <= most
        assert "the order lapses in every one of 400 futures: hb-01 leads nobody".startswith(f"{first} ")
        assert "the order lapses in every one of 400 futures: hb-01 leads nobody".endswith(f" {last}")
    assert cut(f"at /{'x' * 200}", 100) == f"at /{'x' * 58} ... {'x' * 33}", "but for a path"


@pytest.mark.parametrize("where", ["", "a.eml", "x" * 4000, "\x1b[1m" * 100, "; ; " * 500])
@pytest.mark.parametrize("what", ["it is wrong", "y" * 100_000, "\n\u202e" * 200, "; do this; " * 100])
def test_the_hint_ends_the_line_however_long_the_rest_is(
    capsys: pytest.CaptureFixture[str], where: str, what: str
) -> None:
    for right in ("write another one", "h" * 190):
        (line,) = told(capsys, Damaged(what, where, right))
        assert line.endswith(f"; {right}")
        assert (" ... " in line) == (len(f"pbem: {where}: {what}; {right}") > 300 or not (where + what).isprintable())
    (line,) = told(capsys, IllegalOrder(what, where, "stay", "9-2(4)"))
    assert line.endswith("; stay [9-2(4)]")
    (line,) = told(capsys, Damaged(what, where, "h" * 400))
    assert 300 - len("this;") < len(line) <= 300


def test_a_long_path_gives_way_to_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    what, right = "it follows another entry than the newest here", "h" * 170
    (line,) = told(capsys, Damaged(what, f"/home/{'deep/' * 50}game.log, entry 3", right))
    assert line.startswith("pbem: /home/deep/")
    assert line.endswith(f"game.log, entry 3: {what}; {right}")


def test_each_defect_of_a_list_is_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    defects = [
        Defect("one", "is wrong", "write it"),
        Defect("two", "x" * 5000, "write two"),
        Defect("three", "\npbem: all is well\x1b[2J", ""),
    ]
    error = BadScenario("3 defects", "scenario duel", defects=defects)
    lines = told(capsys, error)
    assert lines[:2] == ["pbem: scenario duel: 3 defects", "pbem:   one: is wrong; write it"]
    assert lines[2].startswith("pbem:   two: xxx")
    assert lines[2].endswith("xxx; write two")
    assert lines[3:] == ["pbem:   three: \\npbem: all is well\\x1b[2J"]
    many = told(capsys, BadScenario("5000 defects", "", defects=[Defect("d", "", "")] * 5000))
    assert many[0] == "pbem: 5000 defects"
    assert (len(many), many[-1]) == (101, "pbem:   and 4901 more")


def test_a_hostile_mail(tmp_path: Path) -> None:
    world = World(tmp_path)
    turn = (tmp_path / "4.eml").read_text()
    body = turn.replace("move", "mvoe")
    named = world.write(
        "n" * 240, f"From: {'x' * 3000}\nContent-Type: text/plain\n\n{body[body.index('-----BEGIN PBEM') :]}"
    )
    (line,) = talk(world.says("ben", "open", named).err)
    assert " ... " in line
    kinds = "".join(f"--b\nContent-Type: {'k' * 30}{n}/{'z' * 28}\n\nx\n" for n in range(20))
    mail = world.write("mail", f"From: x\nContent-Type: multipart/mixed; boundary=b\n\n{kinds}")
    said = world.says("ben", "open", "--json", mail)
    (line,) = talk(said.err)
    assert line.startswith("pbem: ")
    assert line.endswith("others were not read")
    (whole,) = json.loads(said.out)["refused"]
    assert len(whole["right"]) > 300


def test_a_hostile_order_file(tmp_path: Path) -> None:
    world = World(tmp_path, "begun")
    text = "\n".join(
        [
            f"move {'x' * 3000} 0101;",
            f"{'y' * 79};",
            f"unit {' '.join(['z' * 70] * 50)};",
            "say \x1b[2J;",
            "if " * 900 + ";",
        ]
    )
    path = world.write("o" * 200, text)
    for words in (("check", path), ("send", path, "-o", world.path("out"))):
        said = world.says("asuka", *words)
        assert said.code == 1
        assert len(talk(said.err)) >= 4
    found = json.loads(world.says("asuka", "check", "--json", path).out)["errors"]
    assert len(found) >= 4
    assert max(len(json.dumps(error)) for error in found) > 300


def test_a_hostile_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each defect has its line, and none of its words makes another."""
    world = World(tmp_path)
    real = load_scenario("toba-fushimi")
    data = copy.deepcopy(real.data)
    for number, unit in enumerate(data["scenario"]["units"]):
        unit["move"] = ["9" * 5000, "\n\x1b[2Jpbem: all is well", "\u202e", "x"][number % 4]
        unit["id"] += "\npbem: fine" * 50
    monkeypatch.setattr(pbem.home.folders, "load_scenario", lambda *_, **__: real._replace(data=data))
    monkeypatch.setattr(pbem.home.folders.Folder, "_cached", lambda *_: (None, 0))
    monkeypatch.setattr(pbem.match.genesis, "_boards", {})
    lines = talk(world.says("ben", "report").err)
    assert "defects; `pbem scenarios --check toba-fushimi` tells" in lines[0]
    assert len(lines) > 20
    assert all(line.startswith("pbem:   ") for line in lines[1:])
    assert sum("; write a whole number from 1 to 99" in line for line in lines) >= 20
