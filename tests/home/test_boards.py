"""Boards that are kept are those that are built, or are built anew."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from pbem.crypto import keys
from pbem.home import boards, cache
from pbem.home.boards import Boards
from pbem.maps.hexes import OnDemand
from pbem.records import Fixed
from pbem.rules import rules_of
from pbem.rules.gcacw.board import Board as Another
from pbem.rules.kit.state import copier
from pbem.scenario import Scenario, load_scenario, systems

SCENARIO = "toba-fushimi"


class Builder:
    """Builds a board, and counts how often."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.count = 0

    def __call__(self) -> Any:
        self.count += 1
        return rules_of(self.scenario.system).board(self.scenario.data)


@pytest.fixture
def built() -> Builder:
    return Builder(load_scenario(SCENARIO))


@pytest.fixture
def kept(tmp_path: Path, built: Builder) -> Boards:
    """A folder in which the board is kept."""
    folder = Boards(tmp_path / "boards")
    folder(built.scenario, built)
    return folder


def file_of(kept: Boards) -> Path:
    return kept.folder / f"{SCENARIO}.board"


def same(one: Any, other: Any, seen: set[tuple[int, int]] | None = None) -> bool:
    """Whether two values are the same, those of boards and what is worked out on demand looked into.

    What many parts of a board share is compared once: `seen` are the pairs that have been looked at.
    """
    if one.__class__ is not other.__class__:
        return False
    seen = set() if seen is None else seen
    if not isinstance(one, OnDemand | Fixed | dict | tuple | list):
        return bool(one == other)
    if (pair := (id(one), id(other))) in seen:
        return True  # or it is told where it was seen
    seen.add(pair)
    if isinstance(one, OnDemand):
        return one._work is other._work and same(one._by, other._by, seen)
    if isinstance(one, Fixed):
        names: tuple[str, ...] = one.__class__._names
        return all(same(getattr(one, name), getattr(other, name), seen) for name in names)
    if isinstance(one, dict):
        return [*one] == [*other] and all(same(one[key], other[key], seen) for key in one)
    return len(one) == len(other) and all(same(*both, seen) for both in zip(one, other, strict=True))


@pytest.mark.parametrize("name", sorted(systems()))
def test_the_board_of_each_scenario_is_kept_as_it_was_built(name: str, tmp_path: Path) -> None:
    scenario = load_scenario(name)
    build, folder = Builder(scenario), Boards(tmp_path / "boards")
    board = folder(scenario, build)
    assert same(board, folder(scenario, build))
    assert build.count == 1


def test_what_is_the_same_can_be_told_from_what_is_not(built: Builder) -> None:
    board = built()
    assert same(board, built())
    assert not same(board, board._replace(turns=board.turns + 1))
    assert not same(board, board._replace(map=board.map._replace(labels={})))


def damaged(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:])


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def emptied(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize("change", [damaged, cut, emptied])
def test_one_that_is_damaged_is_built_anew(change: Callable[[Path], None], kept: Boards, built: Builder) -> None:
    change(file_of(kept))
    assert same(kept(built.scenario, built), built())
    count = built.count
    kept(built.scenario, built)
    assert built.count == count, "what was built anew is kept"


def test_one_of_another_version_is_built_anew(kept: Boards, built: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "VERSION", "pbem-board/0")
    kept(built.scenario, built)
    assert built.count == 2


def test_one_of_another_scenario_with_the_same_name_is_built_anew(kept: Boards, built: Builder) -> None:
    data = {**built.scenario.data, "scenario": {**built.scenario.data["scenario"], "title": "Another"}}
    other = Builder(built.scenario._replace(data=data, digest="0" * 64))
    assert kept(other.scenario, other).title == "Another"
    assert kept(built.scenario, built).title == built.scenario.title
    assert (built.count, other.count) == (2, 1)


def test_one_that_other_files_have_built_is_built_anew(
    kept: Boards, built: Builder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a change of the program without another version."""
    program = tmp_path / "pbem"
    for name in (
        "maps/map.py",
        "rules/kit/tables.py",
        "rules/bakumatsu/board.py",
        "errors.py",
        "records.py",
        "words.py",
    ):
        (program / name).parent.mkdir(parents=True, exist_ok=True)
        (program / name).write_text("")
    monkeypatch.setattr(boards, "_PROGRAM", program)
    for count in (2, 2):
        kept(built.scenario, built)
        assert built.count == count
    os.utime(program / "maps" / "map.py", ns=(1, 1))
    kept(built.scenario, built)
    assert built.count == 3
    monkeypatch.setattr(boards, "_PROGRAM", tmp_path / "nowhere")
    for count in (4, 5):
        kept(built.scenario, built)
        assert built.count == count


class Foreign:
    """What no board holds."""

    def __init__(self, work: Any, *by: Any) -> None:
        self.work, self.by = work, by

    def __reduce__(self) -> Any:
        return self.work, self.by


@pytest.mark.parametrize("what", [b"", b"\x80", pickle.dumps([]), pickle.dumps({"turns": 3})])
def test_what_is_sealed_and_no_board_counts_as_none(what: bytes, kept: Boards, built: Builder) -> None:
    key = boards._key(built.scenario)
    assert key is not None
    cache.keep_bytes(file_of(kept), key, what)
    assert same(kept(built.scenario, built), built())


def test_nothing_but_the_program_s_own_is_made(kept: Boards, built: Builder, tmp_path: Path) -> None:
    key = boards._key(built.scenario)
    assert key is not None
    made = str(tmp_path / "made")
    through = b"\x80\x04\x8c\x10pbem.home.boards\x8c\tos.system\x93\x8c\x04true\x85R."
    for what in (
        pickle.dumps(Foreign(os.mkdir, made)),
        through,
        pickle.dumps(Foreign(keys._run, "mkdir", made)),  # the program's own that starts others
        pickle.dumps(Foreign(copier, Foreign, {})),  # that of the kit, which writes code
    ):
        cache.keep_bytes(file_of(kept), key, what)
        assert same(kept(built.scenario, built), built())
    assert not (tmp_path / "made").exists()
    with pytest.raises(pickle.UnpicklingError, match="in no board"):
        boards._Reader(BytesIO(through), built.scenario.system).load()
    with pytest.raises(pickle.UnpicklingError, match=r"pbem\.rules\.gcacw\.board\.Board is in no board"):
        boards._Reader(BytesIO(pickle.dumps(Another)), built.scenario.system).load()
    with pytest.raises(pickle.UnpicklingError, match=r"pbem\.rules\.kit\.state\.copier is in no board"):
        boards._Reader(BytesIO(pickle.dumps(copier)), built.scenario.system).load()


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path, built: Builder) -> None:
    (tmp_path / "boards").write_text("in the way")
    folder = Boards(tmp_path / "boards")
    for count in (1, 2):
        folder(built.scenario, built)
        assert built.count == count
