"""Names in Japanese: whose they are, where they are shown, and that no game is bound to them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from golden import ROOT
from matches import Match, scenario_of
from rules.samurai.test_one_mail import begun

from pbem import resources
from pbem.picture.scene import draw
from pbem.report import build as report
from pbem.report.brief import brief, scenario_pictures
from pbem.report.layout import WIDTH, across
from pbem.report.source import report_input
from pbem.rules import rules_of
from pbem.scenario import Scenario, japanese_names, list_scenarios, load_scenario, names_beside

from .test_report import loose

SCENARIOS = (
    "toba-fushimi", "tabaruzaka", "skirmish", "pitched-battle", "wooded-valley", "shizugatake", "connected",
)  # fmt: skip
JAPANESE = re.compile("[\u3005\u3041-\u30ff\u4e00-\u9fff]+")


def named(scenario: Scenario) -> set[str]:
    """Everything of a scenario that has a name."""
    head = scenario.data["scenario"]
    if scenario.system == "samurai":
        units = [
            u["name"] for army in scenario.data["armies"].values() for wing in army["wings"].values() for u in wing
        ]
        kinds = [kind["title"] for name, kind in scenario.data["tables"]["types"].items() if name != "provenance"]
        ground = [thing["name"] for thing in head.get("terrain", ())]
        return {scenario.title, *units, *kinds, *ground, *(side["title"] for side in head["sides"])}
    if scenario.system == "sengoku":
        armies = [army for file in scenario.data["armies"].values() for army in file["armies"]]
        officers = [unit["name"] for army in armies for unit in army["units"]]
        provinces = {name for chart in scenario.data["maps"].values() for name in chart["regions"]["legend"].values()}
        castles = [castle["name"] for castle in head["castles"]]
        places = [name for chart in scenario.data["maps"].values() for name in chart["places"]["hexes"]]
        titles = [thing["title"] for thing in (*armies, *head["sides"])]
        return {scenario.title, *officers, *provinces, *castles, *places, *titles}
    if scenario.system == "yukimura":
        forces = [force for army in scenario.data["armies"].values() for force in army["forces"]]
        pieces = [unit["name"] for force in forces for unit in force["units"]]
        places = [name for chart in scenario.data["maps"].values() for name in chart["places"]["hexes"]]
        titles = [thing["title"] for thing in (*forces, *head["sides"], *scenario.data["maps"].values())]
        return {scenario.title, *pieces, *places, *titles}
    pieces = [piece["name"] for block in ("units", "commanders") for piece in head.get(block, ())]
    places = [name for chart in scenario.data["maps"].values() for name in chart["places"]["hexes"]]
    return {scenario.title, *pieces, *places}


def test_every_name_in_the_list_is_one_of_a_scenario_and_its_japanese_is() -> None:
    for system in {summary.system for summary in list_scenarios()}:
        known = [named(load_scenario(summary.id)) for summary in list_scenarios() if summary.system == system]
        names = names_beside(system)
        assert names.keys() <= set().union(*known)
        assert all(JAPANESE.fullmatch(name) for name in names.values())


@pytest.mark.parametrize("system", ["bakumatsu", "samurai", "sengoku", "yukimura"])
def test_no_name_stands_twice_in_the_list(system: str) -> None:
    lines = (ROOT / "scenarios" / system / "japanese.txt").read_text("utf-8").splitlines()
    names = [line.partition(" = ")[0] for line in lines if line and not line.startswith("#")]
    assert len(names) == len(set(names)) == len(japanese_names(system))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nearly_everything_has_one(scenario: str) -> None:
    names, wanted = japanese_names(scenario_of(scenario).system), named(scenario_of(scenario))
    without = wanted - names.keys()
    assert len(without) < len(wanted) / 8, without
    if scenario_of(scenario).system in ("samurai", "sengoku"):
        assert without <= {"Inaba"}  # an army and a province, which are written unlike each other
    head = scenario_of(scenario).data["scenario"]
    assert {commander["name"] for commander in head.get("commanders", ())} <= names.keys()


def test_no_game_is_bound_to_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = load_scenario("tabaruzaka").digest
    shutil.copytree(ROOT / "scenarios", tmp_path / "scenarios")
    monkeypatch.setattr(resources, "data_folder", lambda kind: tmp_path / kind)
    names = tmp_path / "scenarios" / "bakumatsu" / "japanese.txt"
    names.write_text("# A remark = nothing\nKonoha = 木葉町\nKitome\n", "utf-8")
    assert japanese_names("bakumatsu") == {"Konoha": "木葉町"}
    assert load_scenario("tabaruzaka").digest == digest
    names.unlink()
    assert japanese_names("bakumatsu") == {}
    assert load_scenario("tabaruzaka").digest == digest


def test_the_brief_has_them_where_they_can_be_written() -> None:
    told = brief(scenario_of("tabaruzaka"))
    assert told.startswith("THE BATTLE OF TABARUZAKA 田原坂の戦い\n")
    assert "cup   Kirino Toshiaki 桐野利秋\n" in told
    assert "aside Saigo Takamori 西郷隆盛\n" in told
    assert "  Nobody: Konoha 木葉 (2507), " in told
    assert max(map(across, told.splitlines())) <= WIDTH
    for encoding in ("ascii", "cp1252", "no such encoding"):
        assert brief(scenario_of("tabaruzaka"), encoding).isascii()
    assert brief(scenario_of("tabaruzaka"), "cp932") == told


def test_the_brief_has_those_of_sides() -> None:
    assert "\nRed Army 赤軍 (red)\n" in brief(scenario_of("skirmish"))
    assert "\nRed Army (red)\n" in brief(scenario_of("skirmish"), "ascii")


def test_the_brief_says_what_stands_behind_the_values() -> None:
    told = " ".join(brief(scenario_of("tabaruzaka")).split())
    assert "then where the unit begins, R for a reinforcement. Of a commander fire and melee are what he adds" in told
    assert "Of a commander" not in brief(scenario_of("toba-fushimi"))
    assert "Nobody:" not in brief(scenario_of("toba-fushimi"))
    assert "reinforcement. " not in " ".join(brief(scenario_of("yao")).split())


@pytest.fixture(scope="module")
def given() -> dict[str, Any]:
    """The report's input at the beginning of a game of Tabaruzaka."""
    return report_input(Match(scenario_of("tabaruzaka"), 1).table, scenario_of("tabaruzaka"), None)


def test_the_page_has_them_and_the_text_is_ascii(given: dict[str, Any]) -> None:
    data = report.build(given)
    page = loose(report.html(data))
    assert "<h1>The Battle of Tabaruzaka 田原坂の戦い</h1>" in page
    assert "Nobody holds Konoha 木葉 (2507), " in page
    assert "14th Regiment, I 歩兵第十四連隊第一大隊 (go-04)" in page
    text = report.text(data)
    assert text.isascii()
    assert "?" not in text
    assert report.html(report.build({**given, "japanese": {}})).isascii()


def test_units_of_a_table_and_their_types_have_them() -> None:
    table = begun({"sp-1": "20 10 north", "sp-11": "20 30 south", "dm-11": "20 31 south"})
    given = report_input(table, scenario_of("skirmish"), None)
    for unit, name in (("sp-1", "Left spearmen 1"), ("dm-11", "Daimyo")):
        next(u for u in given["situation"]["units"] if u["id"] == unit)["name"] = name
    next(side for side in given["situation"]["sides"] if side["id"] == "red")["title"] = "Red Army"
    data = report.build(given)
    page = loose(report.html(data))
    assert "<h1>A Skirmish 小競り合い</h1>" in page
    assert "Left spearmen 1 左翼槍組一番 (sp-1)" in page
    assert "Ashigaru spearmen 足軽槍組" in page
    assert "Daimyo 大名 (dm-11)" in page
    assert "<h3>Red Army 赤軍, " in page
    assert report.text(data).isascii()


def test_a_report_has_only_those_of_its_game(given: dict[str, Any]) -> None:
    names = report.build(given)["japanese"]
    assert names["Kirino Toshiaki"] == "桐野利秋"
    assert names.keys() <= named(scenario_of("tabaruzaka"))
    assert json.dumps(names) == json.dumps(report.build(given)["japanese"])


def test_counters_tell_them_in_their_titles() -> None:
    (picture,) = scenario_pictures(scenario_of("tabaruzaka"))
    titles = re.findall("<title>([^<]*)</title>", picture.svg)
    assert any(title.startswith("sc-01: Kirino 桐野利秋 (commanders, ") for title in titles)
    assert not JAPANESE.search(re.sub("<title>[^<]*</title>", "", picture.svg)), "drawn is none"


def test_of_a_commander_and_a_unit_in_one_hex_both_ids_are_seen(given: dict[str, Any]) -> None:
    stands = {"go-01": "2401", "gc-01": "2401"}
    units = [{**u, "at": stands[u["id"]], "where": "map"} for u in given["situation"]["units"] if u["id"] in stands]
    rules = rules_of("bakumatsu")
    charts = rules.maps(rules.board(scenario_of("tabaruzaka").data))
    (picture,) = draw(charts, {**given, "situation": {**given["situation"], "units": units[::-1]}})
    (alone,) = draw(charts, {**given, "situation": {**given["situation"], "units": units}})
    assert picture.svg == alone.svg, "whoever is told of first"
    cards = re.findall(r"<title>(g[co]-01)[^<]*</title><rect x=\"([\d.]+)\" y=\"([\d.]+)\"", picture.svg)
    assert [card[0] for card in cards] == ["gc-01", "go-01"], "the unit lies on top"
    assert float(cards[1][2]) - float(cards[0][2]) >= 10, "below the line with his id"
