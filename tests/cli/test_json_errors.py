"""Errors with --json: every command that has it tells what failed as data on standard output."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from cli_player import World, pbem_says

from pbem.cli import COMMANDS, pbem
from pbem.cli.common import error_data
from pbem.errors import IllegalOrder

DOCS = Path(__file__).parents[2] / "docs"

WITH_JSON = [
    name
    for name in COMMANDS
    if (command := pbem.get_command(click.Context(pbem), name)) and any("--json" in p.opts for p in command.params)
]

REFUSED = {
    "scenarios": ("--check", "none.yaml"),
    "open": ("none.eml",),
    "check": ("none.txt",),
    "odds": ("done",),
    "games": None,  # an empty home is no error
    "report": (),
    "replay": (),
    "verify": ("none.log",),
    "rolls": ("none.log",),
    "diff": ("none.log", "none.log"),
    "evidence": ("none.log", "none.log"),
    "simulate": ("sekigahara", "--games", "1", "--first", "bold", "--second", "bold"),
}
"""Command -> what it is refused with in an empty folder."""


def error_of(out: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(out)["error"]
    assert set(told) == {"kind", "what", "where", "right", "clause"}
    assert told["what"]
    return told


def test_every_command_with_json_is_tried() -> None:
    assert list(REFUSED) == WITH_JSON


@pytest.mark.parametrize("name", [name for name, words in REFUSED.items() if words is not None])
def test_a_refusal_is_data_on_standard_output(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("--home", "home", name, *(REFUSED[name] or ()))
    plain, data = pbem_says(*words), pbem_says(*words, "--json")
    assert (plain.code, plain.out) == (1, "")
    assert (data.code, data.err) == (1, "")
    told = error_of(data.out)
    assert all(told[key] in plain.err for key in ("what", "where", "right"))


@pytest.mark.parametrize("name", WITH_JSON)
def test_a_misuse_is_data_too_with_its_own_code(name: str) -> None:
    said = pbem_says(name, "--json", "--xyzzy")
    assert (said.code, said.err) == (2, "")
    told = error_of(said.out)
    assert told["kind"] == "Usage"
    assert "--xyzzy" in told["what"]
    assert told["right"] == f"`pbem {name} --help` tells how it is used"


def test_without_json_and_behind_two_hyphens_nothing_is_data(tmp_path: Path) -> None:
    for words in (("verify", "none.log"), ("verify", "--", "--json")):
        said = pbem_says("--home", str(tmp_path), *words)
        assert (said.code, said.out) == (1, "")
        assert said.err.startswith("pbem: ")


def test_what_was_given_up_is_data(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("pbem.match.replay.replay", interrupted)
    said = world.says("ben", "verify", "--json", str(world.log("ben")))
    assert (said.code, error_of(said.out)["what"]) == (1, "given up")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, "begun")


def test_games_and_scenarios_tell_what_is_broken_beside_the_rest(world: World) -> None:
    world.log("ben").write_text("rubbish")
    said = world.says("ben", "games", "--json")
    told = json.loads(said.out)
    assert (said.code, told["games"]) == (1, [])
    assert [set(error) for error in told["errors"]] == [{"kind", "what", "where", "right", "clause"}]
    assert json.loads(world.does("asuka", "games", "--json"))["errors"] == []


def test_an_error_as_the_page_says_it() -> None:
    page = (DOCS / "shell.md").read_text("utf-8")
    example = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert example is not None
    told = json.loads(example[1])["error"]
    error = IllegalOrder(told["what"], told["where"], told["right"], told["clause"])
    assert error_data(error) == told


def test_the_page_names_every_command_with_json() -> None:
    page = (DOCS / "shell.md").read_text("utf-8")
    named = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)
    assert named == WITH_JSON
