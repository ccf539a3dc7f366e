"""The ground of maps is drawn once and kept; pictures are the same, byte for byte, however it came."""

from __future__ import annotations

import marshal
from pathlib import Path

import pytest

from pbem.home import cache
from pbem.maps.map import Map
from pbem.picture import svg as drawing
from pbem.report.brief import scenario_pictures
from pbem.scenario import list_scenarios, load_scenario

SCENARIOS = [summary.id for summary in list_scenarios() if load_scenario(summary.id).data["maps"]]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The maps whose ground is drawn, or taken from memory, as they come; nothing is in memory at first."""
    names: list[str] = []
    draw = drawing.ground.__wrapped__

    def ground(board: Map) -> drawing.Printed:
        names.append(board.name)
        return draw(board)

    monkeypatch.setattr(drawing, "ground", ground)
    return names


@pytest.mark.parametrize("scenario_id", SCENARIOS)
def test_pictures_are_the_same_from_the_cache(scenario_id: str, drawn: list[str], tmp_path: Path) -> None:
    scenario = load_scenario(scenario_id)
    plain = scenario_pictures(scenario)
    maps = [picture.name for picture in plain]
    assert plain
    assert drawn == maps
    assert scenario_pictures(scenario, tmp_path) == plain
    assert drawn == maps * 2
    assert scenario_pictures(scenario, tmp_path) == plain
    assert drawn == maps * 2
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(f"{scenario_id}-{name}.drawn" for name in maps)


@pytest.mark.parametrize(
    "text", [b"", b"{}", b"\xff", b'{"key": "0", "seal": "0", "data": {"terrain": "", "numbers": ""}}']
)
def test_a_damaged_or_foreign_file_is_ignored_and_written_anew(text: bytes, drawn: list[str], tmp_path: Path) -> None:
    scenario = load_scenario("toba-fushimi")
    plain = scenario_pictures(scenario, tmp_path)
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    file.write_bytes(text)
    assert scenario_pictures(scenario, tmp_path) == plain
    assert len(drawn) == 2
    assert file.read_bytes() == good


@pytest.mark.parametrize(
    "kept", [b"", b"\xff", b"{}", *map(marshal.dumps, ([], {}, {"terrain": ""}, {"terrain": "", "numbers": 5}))]
)
def test_a_file_that_is_sealed_but_no_ground_is_ignored(
    kept: bytes, drawn: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = load_scenario("toba-fushimi")
    plain = scenario_pictures(scenario)
    monkeypatch.setattr(cache, "recall_bytes", lambda file, key: kept)
    assert scenario_pictures(scenario, tmp_path) == plain


def test_a_file_of_other_scenario_data_or_another_program_is_ignored(
    drawn: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = load_scenario("toba-fushimi")
    scenario_pictures(scenario, tmp_path)
    scenario_pictures(scenario._replace(digest="0" * 64), tmp_path)
    assert len(drawn) == 2
    scenario_pictures(scenario._replace(digest="0" * 64), tmp_path)
    assert len(drawn) == 2
    monkeypatch.setattr("pbem.report.source.__version__", "0.0")
    scenario_pictures(scenario._replace(digest="0" * 64), tmp_path)
    assert len(drawn) == 3


def test_in_memory_it_is_drawn_once_for_each_map() -> None:
    scenario = load_scenario("yao")
    (board,) = (Map.from_data(data) for data in scenario.data["maps"].values())
    assert drawing.ground(board) is drawing.ground(board)
    other = Map.from_data(scenario.data["maps"]["yao"], "Y")
    assert drawing.ground(other) != drawing.ground(board)
    assert drawing.ground(other).terrain == drawing.ground(board).terrain
