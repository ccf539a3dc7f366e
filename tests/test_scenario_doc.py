"""docs/adding-a-scenario.md: the scenario that it makes is good, can be played and looked at, and is told in order."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from cli_player import pbem_says, steady

from pbem import resources, strictyaml
from pbem.audit.scenarios import examine
from pbem.maps.mapfile import HEXES_MAX
from pbem.rules.bakumatsu.scenario import OPTIONS as BAKUMATSU_OPTIONS
from pbem.rules.bakumatsu.tables import BARRIERS
from pbem.rules.yukimura.board import LINES, RANK
from pbem.rules.yukimura.scenario import BRANCHES
from pbem.rules.yukimura.state import OPTIONS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-scenario.md").read_text("utf-8")
FILES: dict[str, str] = dict(re.findall(r"File `scenarios/([^`]+)`:\n\n```yaml\n(.*?)```", PAGE, re.DOTALL))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shipped scenarios with the page's files beside them, as the page says; pbem plays them from here."""
    for kind in ("scenarios", "templates"):
        shutil.copytree(ROOT / kind, tmp_path / kind)
    for name, text in FILES.items():
        (tmp_path / "scenarios" / name).write_text(text, "utf-8")
    monkeypatch.setattr(resources, "data_folder", lambda kind: tmp_path / kind)
    return tmp_path / "scenarios"


def test_the_page_has_the_files_of_two_scenarios_and_no_other_yaml() -> None:
    hill = ["yukimura/maps/hill.yaml", "yukimura/armies/hill.yaml", "yukimura/hill.yaml"]
    assert list(FILES) == [*hill, "bakumatsu/maps/ford.yaml", "bakumatsu/ford.yaml"]
    assert PAGE.count("```yaml") == 5


@pytest.mark.parametrize("name", ["yukimura/hill.yaml", "bakumatsu/ford.yaml"])
def test_the_scenarios_of_the_page_are_good(folder: Path, name: str) -> None:
    assert examine(folder / name) == []


def test_the_page_s_commands_play_a_turn(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steady(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    typed = [line.split("#")[0].split() for line in PAGE.splitlines() if line.startswith("    pbem ")]
    assert len(typed) == 8
    for _, *words in typed:
        into = words[words.index(">") + 1] if ">" in words else None
        said = pbem_says(*(words[: words.index(">")] if into else words))
        assert said.code == 0, (words, said.err)
        if into:
            Path(into).write_text(said.out, "utf-8")
    assert "<svg" in Path("hill.svg").read_text("utf-8")
    assert len(Path("orders.txt").read_text("utf-8").splitlines()) > 1
    assert "is in my log" in said.err


def test_the_page_names_what_the_rules_know() -> None:
    prose = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    words = set(re.findall(r"`([^`]+)`", prose))
    known = {*BRANCHES, *RANK, *LINES, *OPTIONS, *BAKUMATSU_OPTIONS, *BARRIERS, "mound", "star", "stream"}
    assert known <= words
    for text in FILES.values():
        data = strictyaml.load(text, "file")
        assert isinstance(data, dict)
        missing = {name for name in data if not re.search(f"`{name}[`.:]", prose)}
        assert missing <= {"army", "forces"}, missing
    assert HEXES_MAX == 20_000
    assert "20,000 hexes" in PAGE
