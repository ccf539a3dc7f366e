"""docs/rules-SYSTEM.md: each clause that the pages cite has a test, and their numbers are those of the scenarios."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import Any

import pytest
from golden import ROOT

from pbem.report.charts import BEGIN
from pbem.rules import SYSTEMS, rules_of
from pbem.scenario import load_scenario

CLAUSE = (
    r"(?:std-[0-9]{1,2}\.[0-9](?:-[0-9]+)?|13\.[0-9]-[a-z]+[0-9]*[a-z]?"
    r"|[0-9]{1,2}(?:\.[0-9])?(?:-[0-9]+)*(?:\([0-9A-Za-z -]+\)[0-9]?)?|[a-z_]+\.[0-9]+[a-z]?)"
)


def page(system: str) -> str:
    """The page on one line, without its charts and all that comes behind them."""
    return " ".join((ROOT / "docs" / f"rules-{system}.md").read_text("utf-8").partition(BEGIN)[0].split())


def board(scenario: str) -> Any:
    loaded = load_scenario(scenario)
    return rules_of(loaded.system).board(loaded.data)


def shown(system: str) -> set[str]:
    """The clauses that tests of a system are marked with."""
    calls = (
        node
        for file in (ROOT / "tests" / "rules" / system).glob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clause"
    )
    return {str(name.value) for call in calls for name in call.args if isinstance(name, ast.Constant)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_clause_that_a_page_cites_has_a_test(system: str) -> None:
    cited = {
        clause
        for listed in re.findall(rf"\(((?:(?:{CLAUSE}|R[0-9]+)(?:, )?)+)\)", page(system))
        for clause in listed.split(", ")
        if "-" in clause or "(" in clause or "." in clause
    }
    assert len(cited) > 60
    marks = shown(system)
    parts = {clause: re.compile(re.escape(clause) + ("" if clause[-1] == ")" else "(?![0-9])")) for clause in cited}
    assert [clause for clause in sorted(cited) if not any(map(parts[clause].match, marks))] == []


def test_set_up_and_control_of_toba_fushimi() -> None:
    found, b = page("bakumatsu"), board("toba-fushimi")
    codes = Counter((unit.side, unit.code) for unit in b.units.values())
    assert (
        "The Shogunate has {} units west, {} east, in an area of two parts, and {} in the cup".format(
            *(codes["shogunate", code] for code in ("west", "east", "R"))
        )
        in found
    )
    assert (
        "Satsuma-Choshu {} west, {} east, {} of Choshu and {} of Tosa".format(
            *(codes["satcho", code] for code in ("west", "east", "choshu", "tosa"))
        )
        in found
    )
    control = load_scenario("toba-fushimi").data["scenario"]["control"]
    assert (
        "Satsuma-Choshu starts with {}, {}, {} and {}, the Shogunate with the other nine".format(*control["satcho"])
        in found
    )
    assert len(control["shogunate"]) == 9
    assert f"enter at {b.label[b.side['shogunate'].entry]} in this or any later" in found
    assert b.side["shogunate"].reinforcement_turns == set(range(2, 9))
    assert b.turns == 8


def test_leaders_and_hexes_of_the_siege() -> None:
    found, b = page("yukimura"), board("yao")
    for side, names in (("east", "for the East"), ("osaka", "for Osaka")):
        leaders = [f"{b.units[u].name} {b.label[b.units[u].start]}" for u in b.collapse[side]]
        assert f"{' and '.join(leaders)} {names}" in found
    assert f"in {' or '.join(sorted(b.label[h] for h in b.breakthrough))} at the end of any turn wins" in found
    assert sum(rule.until is None for rule in b.held.values()) == len(b.held) == 9
    dream = board("gotos-dream")
    assert f"Komatsuyama, {dream.label[dream.star]}" in found
    assert dream.units["go-01"].start == dream.star
    assert not dream.held
    assert {b.turns, dream.turns} == {12}


def test_held_forces_and_reinforcements_of_the_siege() -> None:
    found = page("yukimura")
    domyoji, connected = board("domyoji"), board("connected")
    assert [rule.until for rule in domyoji.held.values()] == [5, 7, 10]
    assert "Akashi until turn 5, Mori 7, Sanada 10 or his die" in found
    assert (domyoji.held["sanada"].die, domyoji.gate, domyoji.west_needed) == (3, 7, 10)
    assert {f: a.turn for f, a in domyoji.arrivals.items()} == {"date": 1, "tadateru": 8}
    assert {rule.until for force, rule in connected.held.items() if force not in domyoji.held} == {8}
    hideyori = connected.arrivals["hideyori"]
    assert (hideyori.turn, hideyori.die, hideyori.beside) == (8, 2, True)
    assert set(connected.collapse) == {"osaka"}
    assert [unit.name for unit in connected.units.values() if unit.morale is None] == ["Toyotomi Hideyori"]
    assert {unit.branch for unit in connected.units.values() if unit.commander} == {"mounted"}
    assert {unit.command for unit in connected.units.values() if unit.commander} == {10, 5, 3}


def test_types_numbers_and_tables_of_the_battles() -> None:
    found, b = page("samurai"), board("pitched-battle")
    kinds = b.tables.types
    for name, what in (("gunner", "gunners"), ("bow", "bowmen")):
        assert f"{what} up to {kinds[name].reach // 100} inches" in found
    assert f"a die of {b.tables.kill} or more kills" in found
    fails = b.tables.fails
    assert f"ashigaru fail on {fails[1]} or more, ronin on {fails[2]}, samurai on {fails[3]}" in found
    assert f"dies on a {b.tables.risk}" in found
    points = board("skirmish").points["red"]
    assert f"half of its points, rounded up ({-(-b.tables.broken * points // 100)} of {points})" in found
    for name in ("pitched-battle", "skirmish", "wooded-valley"):
        b = board(name)
        wings = {3: "three", 1: "one"}[len(b.zones["red"])]
        zone = next(iter(b.zones["red"].values()))
        size = f"{b.width // 100} by {b.depth // 100} inches"
        assert f"| `{name}` | {size} | {wings} | {zone.north // 100} inches | {b.turns} |" in found
