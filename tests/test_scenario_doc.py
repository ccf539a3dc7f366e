"""docs/adding-a-scenario.md: the scenario that it makes is good, can be played and looked at, and is told in order."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from cli_player import pbem_says, steady

from pbem import resources, strictyaml
from pbem.audit.scenarios import Finding, examine
from pbem.errors import BadScenario
from pbem.maps.rows import HEXES_MAX
from pbem.rules import rules_of
from pbem.rules.bakumatsu.scenario import OPTIONS as BAKUMATSU_OPTIONS
from pbem.rules.bakumatsu.tables import BARRIERS
from pbem.rules.yukimura.armies import BRANCHES
from pbem.rules.yukimura.board import LINES, RANK
from pbem.rules.yukimura.state import OPTIONS
from pbem.scenario import load_scenario

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


def test_the_page_has_the_files_of_three_scenarios_and_no_other_yaml() -> None:
    hill = ["yukimura/maps/hill.yaml", "yukimura/armies/hill.yaml", "yukimura/hill.yaml"]
    green = ["samurai/armies/green-red.yaml", "samurai/armies/green-black.yaml", "samurai/green.yaml"]
    assert list(FILES) == [*hill, "bakumatsu/maps/ford.yaml", "bakumatsu/ford.yaml", *green]
    assert PAGE.count("```yaml") == 8


@pytest.mark.parametrize("name", ["yukimura/hill.yaml", "bakumatsu/ford.yaml", "samurai/green.yaml"])
def test_the_scenarios_of_the_page_are_good(folder: Path, name: str) -> None:
    assert examine(folder / name) == []


HILL, MAP, ARMY = "yukimura/hill.yaml", "yukimura/maps/hill.yaml", "yukimura/armies/hill.yaml"
FORD, FORD_MAP = "bakumatsu/ford.yaml", "bakumatsu/maps/ford.yaml"
GREEN, RED = "samurai/green.yaml", "samurai/armies/green-red.yaml"
MISTAKES = [
    (HILL, MAP, "layout: pointy", "layout: pointed", "map hill layout: is 'pointed'"),
    (HILL, MAP, "  first: row", "  frist: row", "map hill numbering.frist: is no key"),
    (HILL, MAP, "  shifted: even", "  shifted: evn", "map hill numbering.shifted: is 'evn'"),
    (HILL, MAP, "[mountain, star]", "[mountian, star]", "map hill terrain.legend: 'mountian' isn't a terrain"),
    (HILL, MAP, "    05 . . w", "    05 . w", "map hill terrain.rows line 2: has 7 hexes"),
    (HILL, MAP, "0203 0204 0205", "0203 0504 0205", "map hill roads Ferry road: gap before and behind 0504"),
    (HILL, MAP, "0503/0602 0503/0502", "0503/0602 0202/0203 0503/0502",
     "map hill hexsides Brook: gap before and behind 0202/0203"),
    (HILL, MAP, 'Ferry: "0201"', 'Ferry: "0405"', "map hill places Ferry: hex 0405 has a name already"),
    (HILL, MAP, "areas: {provenance: none", 'areas: {provenance: ""', "map hill areas.provenance: is empty"),
    (HILL, MAP, '{east: "0208"}', '{esat: "0208"}', "map hill entries.esat: is no key"),
    (HILL, ARMY, "id: ot-01, name: Captain", "id: ot-01, nmae: Captain", "unit ot-01.nmae: is no key"),
    (HILL, ARMY, 'at: "0404"', 'at "0404"', 'unit he-02.at "0404": is no key'),
    (HILL, ARMY, 'command: 5, at: "0405"', 'command: x, at: "0405"', "unit he-01.command: is 'x'"),
    (HILL, HILL, "tables: tables", "talbes: tables", "scenario.talbes: is no key"),
    (HILL, HILL, "  command-range:", "  comand-range:", "scenario.options.comand-range: isn't an option"),
    (HILL, HILL, '      "yes": Units', '      "yess": Units', "scenario.options.command-range.means.yess: isn't a"),
    (HILL, HILL, "id: osaka", "id: osaca", "scenario.sides 2.id: is 'osaca'"),
    (HILL, HILL, "force: badger", "force: bagder", "scenario.reinforcements 1.force: is 'bagder'"),
    (HILL, HILL, 'star: "0405"', 'star: "0304"', "scenario.victory.star: 0304 has no star"),
    (HILL, HILL, "  special:", "  specail:", "`brief.specail` is no key"),
    (HILL, HILL, "  sides: made up", '  sides: ""', "scenario.provenance.sides: is empty"),
    (HILL, HILL, "  victory: made up", "  turns: made up", "scenario.victory: has no provenance"),
    (FORD, FORD_MAP, "    08   . . . . . . . .\n", "", "map ford terrain.rows line 1: row 08 is missing in front"),
    (FORD, FORD_MAP, "[wetland]", "[weltand]", "map ford terrain.legend: 'weltand' isn't in the terrain effects"),
    (FORD, FORD_MAP, 'shogunate: "0104 0405', 'shogunate: "0104 0406', "map ford victory shogunate: 0405 is nobody's"),
    (FORD, FORD, "  mountain-top:", "  mountian-top:", "scenario.options.mountian-top: isn't an option"),
    (FORD, FORD, "id: satcho", "id: zzz", "scenario.sides 2.id: is 'zzz', and no unit is of that side"),
    (FORD, FORD, "areas: [north]", "areas: [zzz]", "scenario.setup 2.areas: is 'zzz'"),
    (FORD, FORD, "code: s, areas", "code: n, areas", "scenario.setup 1.code: is 'n', and no unit has it"),
    (FORD, FORD, "melee: 5, morale: 4", "melee: 5, moral: 4", "scenario unit sg-02.moral: is no key"),
    (GREEN, RED, "type: spear", "type: spaer", "army green-red.wings.centre 1.type: 'spaer' is no type"),
    (GREEN, RED, "[sword, sword]", "[sword, bow]", "army green-red.wings.centre 2.type: mixes sword and bow"),
    (GREEN, RED, "name: Lord Heron", "nmae: Lord Heron", "army green-red.wings.centre 3.nmae: is no key"),
    (GREEN, GREEN, "zone: 10", "zone: ten", "scenario.zone: is 'ten'"),
    (GREEN, GREEN, "points: 30", "points: 3000", "scenario.points: is '3000'"),
    (GREEN, GREEN, "kind: wood", "kind: wod", "scenario.terrain 1.kind: is 'wod'"),
    (GREEN, GREEN, 'at: "12 18"', 'at: "12"', "scenario.terrain 1.at: is '12'"),
    (GREEN, GREEN, "depth: 36", "deep: 36", "scenario.table.deep: is no key"),
]  # fmt: skip
"""Scenario, file, what stands in it, the mistake that is written instead, and what is told of it."""


def said(found: list[Finding]) -> list[str]:
    return [f"{one.place}: {one.what}" if one.place else one.what for one in found]


@pytest.mark.parametrize(("scenario", "name", "old", "new", "says"), MISTAKES)
def test_a_mistake_is_told_once(folder: Path, scenario: str, name: str, old: str, new: str, says: str) -> None:
    assert FILES[name].count(old) == 1
    (folder / name).write_text(FILES[name].replace(old, new), "utf-8")
    (one,) = examine(folder / scenario)
    assert said([one])[0].startswith(says)
    assert one.file == name
    assert one.right


@pytest.mark.parametrize("scenario", [HILL, FORD, GREEN])
def test_all_mistakes_are_told_at_once_each_once_in_order(folder: Path, scenario: str) -> None:
    mine = [mistake for mistake in MISTAKES if mistake[0] == scenario]
    for name in {mistake[1] for mistake in mine}:
        text = FILES[name]
        for _, _, old, new, _ in (mistake for mistake in mine if mistake[1] == name):
            text = text.replace(old, new)
        (folder / name).write_text(text, "utf-8")
    found = examine(folder / scenario)
    for *_, says in mine:
        says = says.replace(".command-range.", ".comand-range.")  # an option is called as it stands there
        assert len([text for text in said(found) if text.startswith(says)]) == 1, (says, said(found))
    assert len(found) == len(mine), said(found)
    assert [(one.file, one.line) for one in found] == sorted((one.file, one.line) for one in found)


def test_a_scenario_whose_mistakes_can_be_understood_is_refused_all_the_same(folder: Path) -> None:
    for scenario, name, old, new, _ in MISTAKES[:3]:
        (folder / name).write_text(FILES[name].replace(old, new), "utf-8")
        with pytest.raises(BadScenario, match="1 defect"):
            rules_of("yukimura").board(load_scenario(Path(scenario).stem).data)
        (folder / name).write_text(FILES[name], "utf-8")


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
