"""What a file of a scenario, an army or the tables may not say: each kind of wrong line is told, with what is right."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from golden import ROOT
from rules.gcacw.conftest import CAMPAIGNS, SCENARIOS

from pbem.errors import BadScenario
from pbem.report.brief import brief
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.levels import NEEDS
from pbem.rules.gcacw.scenario import board
from pbem.rules.gcacw.state import start
from pbem.rules.gcacw.victory import KINDS, judge, level_of
from pbem.scenario import load_scenario

OF_BATTLE = r"(?:13\.[1-5]|22\.[12])-(?:sp|re|su|vp|vic)[0-9]*[a-z]?[0-9]?"
"""A special rule of a scenario, or one of its victory."""

GONE = "(gone)"
"""What is put where a key shall be left out."""


def put(data: Any, path: str, value: Any) -> None:
    """Put a value at a path of keys and numbers of lines, `scenario/set-up/0/at`; GONE takes the key away."""
    *way, last = path.split("/")
    for word in way:
        data = data[int(word)] if isinstance(data, list) else data.setdefault(word, {})
    if value is GONE:
        del data[last]
    elif isinstance(data, list):
        data[int(last)] = value
    else:
        data[last] = value


def wrong(data: dict[str, Any]) -> str:
    """What is said of data that are refused."""
    with pytest.raises(BadScenario) as caught:
        board(data)
    return str(caught.value)


ROWS = ". . . . . .\n" * 6
SET_UP = {
    "jackson": "0101",
    "ap-hill": "0101 18",
    "winder": "0102 8",
    "gregg": "0201 4",
    "pope": "0505",
    "banks": "0505",
    "crawford": "0505 4",
    "ricketts": "0405 18",
    "buford": "0404 3",
}
BLOCKS: dict[str, Any] = {
    "stations": ["0303"],
    "depots": ["0303"],
    "objectives": ["0304"],
    "arrivals": [
        {
            "id": "v-corps",
            "turn": "2",
            "at": "0601",
            "else": ["0602", "0603"],
            "clause": "13.5-re1",
            "units": [{"unit": "porter"}, {"unit": "morell", "manpower": "11", "fatigue": "3"}],
        }
    ],
    "holds": [{"units": ["ricketts"], "until": "2", "clause": "13.1-sp3"}],
    "bans": [{"units": ["gregg"], "columns-from": "4", "clause": "13.1-sp4"}],
    "one-sided": [{"turn": "1", "side": "confederate", "units": ["jackson", "winder"], "clause": "13.5-sp1"}],
    "frozen": [{"units": ["ricketts"], "turns": ["1", "2"], "clause": "13.4-sp4"}],
    "rails": [{"units": ["crawford"], "turn": "3", "hexes": "35", "clause": "13.5-sp3e1"}],
    "without": {"extended": ["1"], "force": ["1"]},
    "victory": {
        "clause": "13.1-vic",
        "lines": [
            {"clause": "a", "kind": "infantry-in", "points": "8", "hexes": ["0505"]},
            {"clause": "b", "kind": "nearest", "hexes": ["0505"], "steps": {"0": "0", "1": "5", "2": "4"}},
            {"clause": "c", "kind": "lost", "points": "1", "side": "union"},
            {"clause": "d", "kind": "few-lost", "points": "-2", "side": "union", "fewer": "2"},
            {"clause": "e", "kind": "control", "points": "17", "hexes": ["0304"], "unless": ["0303"]},
            {"clause": "f", "kind": "near", "points": "2", "hexes": ["0304"], "sizes": ["division"]},
            {"clause": "g", "kind": "in-regions", "points": "-3", "regions": ["Stafford"], "sizes": ["division"]},
            {"clause": "h", "kind": "unit-in", "points": "2", "hexes": ["0304"], "units": ["winder"]},
        ],
        "levels": [
            {"title": "Confederate victory", "side": "confederate", "least": "7"},
            {"title": "Draw", "side": "union", "least": "-1"},
            {"title": "Union victory", "side": "union"},
        ],
    },
}

HEAD = (
    ("scenario/system", "sengoku", "scenario.system: is 'sengoku'; these rules are gcacw"),
    ("scenario/edition", "gcacw/9", "scenario.edition: is 'gcacw/9'; these rules are gcacw/1"),
    ("scenario/turns", "0", "scenario.turns: is '0'; write a whole number from 1 to 99"),
    ("scenario/title", GONE, "scenario.title: is missing"),
    ("scenario/map", "atlantis", "scenario.map: there is no map 'atlantis'"),
    ("scenario/sheet", "W", "scenario.sheet"),
    (
        "scenario/armies",
        ["union", "rebels"],
        "scenario.armies: there is no army 'rebels'; armies are: confederate, union",
    ),
    ("scenario/objectiv", ["0304"], "scenario.objectiv: is no key that is known here; did you mean objectives?"),
    ("scenario/first", "rebels", "scenario.first: is 'rebels'"),
    ("scenario/works", "maybe", "scenario.works: is 'maybe'"),
    ("scenario/sides/0/id", "us", "scenario.sides: aren't those of these rules; write union, then confederate"),
    ("scenario/sides/0/colour", "blue", "scenario.sides 1.colour: is no key that is known here"),
    ("scenario/options/weather", {}, "scenario.options.weather: isn't an option of these rules"),
)
BEGIN = (
    ("scenario/set-up", [], "scenario.set-up: is empty"),
    ("scenario/set-up/0/unit", "jacksn", "scenario.set-up 1.unit: is 'jacksn'; did you mean jackson?"),
    ("scenario/set-up/1/at", "0909", "scenario.set-up 2.at"),
    ("scenario/set-up/1/manpower", GONE, "scenario.set-up 2.manpower: is missing; write a whole number from 1 to 21"),
    ("scenario/set-up/1/manpower", "0", "scenario.set-up 2.manpower: is '0'; write a whole number from 1 to 21"),
    ("scenario/set-up/1/manpower", "22", "scenario.set-up 2.manpower: is '22'"),
    ("scenario/set-up/1/fatigue", "5", "scenario.set-up 2.fatigue: is '5'; write a whole number from 0 to 4"),
    ("scenario/set-up/0/manpower", "3", "scenario.set-up 1.manpower: a leader has none; leave it out"),
    (
        "scenario/set-up/3/unit",
        "ap-hill",
        "scenario.set-up 4.unit: ap-hill stands there twice; each counter begins once",
    ),
    ("scenario/set-up/1/strength", "3", "scenario.set-up 2.strength: is no key that is known here"),
    ("scenario/set-up/0/at", "0303", "scenario.set-up jackson: no unit of his command begins with Jackson"),
    ("scenario/set-up/3/at", "0505", "the other side begins in 0505, too; one side in a hex"),
    ("scenario/set-up/4/at", "0506", "scenario.set-up pope: no unit of his command begins with Pope"),
    ("scenario/stations", ["0100"], "scenario.stations"),
    ("scenario/depots", ["Nowhere"], "scenario.depots"),
    ("scenario/objectives", ["1"], "scenario.objectives"),
    ("scenario/arrivals/0/turn", "8", "scenario.arrivals 1.turn: is '8'; write a whole number from 1 to 3"),
    ("scenario/arrivals/0/at", "0909", "scenario.arrivals 1.at"),
    ("scenario/arrivals/0/else", ["0909"], "scenario.arrivals 1.else"),
    ("scenario/arrivals/0/units", [{"unit": "nobody"}], "scenario.arrivals 1.units 1.unit: is 'nobody'"),
    ("scenario/arrivals/0/units/1/unit", "winder", "scenario.arrivals 1.units 2.unit: winder stands there twice"),
    ("scenario/arrivals/0/units/1/unit", "walker", "scenario.arrivals 1.units: are of no side, or of both"),
    ("scenario/arrivals/0/units/1/unit", "kearny", "scenario.set-up porter: no unit of his command begins with Porter"),
    ("scenario/arrivals/0/id", "The Fifth", "scenario.arrivals 1"),
    ("scenario/arrivals/0/clause", GONE, "scenario.arrivals 1.clause: is missing"),
)
RULES = (
    ("scenario/holds/0/units", ["rickets"], "scenario.holds 1.units: is 'rickets'; did you mean ricketts?"),
    ("scenario/holds/0/until", "soon", "scenario.holds 1.until: is 'soon'"),
    ("scenario/holds/0/until", GONE, "scenario.holds 1: holds for ever; write `until: TURN`"),
    ("scenario/holds/0/clause", GONE, "scenario.holds 1.clause: is missing"),
    ("scenario/holds/0/near", "0303", "scenario.holds 1.near: means nothing without `within`"),
    ("scenario/holds/0/within", "4", "scenario.holds 1.within: means nothing without `near`"),
    ("scenario/holds/0/since", "2", "scenario.holds 1.since: means nothing without `release`"),
    ("scenario/holds/0/regions", ["Staford"], "scenario.holds 1.regions: is 'Staford'; did you mean Stafford?"),
    ("scenario/holds/0/untl", "2", "scenario.holds 1.untl: is no key that is known here; did you mean until?"),
    ("scenario/bans/0/columns-from", GONE, "scenario.bans 1: has no hexes; write `columns-from`"),
    ("scenario/bans/0/columns-from", "x", "scenario.bans 1.columns-from: is 'x'"),
    ("scenario/bans/0/units", ["greg"], "scenario.bans 1.units: is 'greg'; did you mean gregg?"),
    ("scenario/bans/0/side", "union", "scenario.bans 1.side: stands beside `units`; write one of the two"),
    ("scenario/bans/0/round", ["0909"], "scenario.bans 1.round"),
    ("scenario/bans/0", {"side": "blue", "rows-to": "2", "clause": "x"}, "scenario.bans 1.side: is 'blue'"),
    ("scenario/mails/standing", ["1", "99999"], "scenario.mails.standing: is '99999'"),
    ("scenario/without/extended", ["9"], "scenario.without.extended: is '9'; write a whole number from 1 to 3"),
    ("scenario/without/marches", ["1"], "scenario.without.marches: is no key that is known here"),
    ("scenario/together", ["jackson"], "scenario.together: has 1 counters; write `together: [LEADER, UNIT]`"),
    ("scenario/together", ["winder", "gregg"], "scenario.together: is 'winder'"),
    ("scenario/together", ["jackson", "wnder"], "scenario.together: is 'wnder'; did you mean winder?"),
    ("scenario/foreign", {"pope": "jackson"}, "scenario.foreign.pope: is 'jackson'"),
    ("scenario/foreign", {"winder": "gregg"}, "scenario.foreign: is 'winder'"),
    ("scenario/one-sided/0/turn", "8", "scenario.one-sided 1.turn: is '8'; write a whole number from 1 to 3"),
    ("scenario/one-sided/0/side", "rebel", "scenario.one-sided 1.side: is 'rebel'"),
    ("scenario/one-sided/0/units", ["jackso"], "scenario.one-sided 1.units: is 'jackso'"),
    ("scenario/one-sided/0/no-zone", "", "scenario.one-sided 1.no-zone: is missing"),
    ("scenario/frozen/0/turns", ["0"], "scenario.frozen 1.turns: is '0'"),
    ("scenario/frozen/0/units", ["rickets"], "scenario.frozen 1.units: is 'rickets'"),
    ("scenario/rails/0/hexes", "0", "scenario.rails 1.hexes: is '0'; write a whole number from 1 to 99"),
    ("scenario/rails/0/turn", "9", "scenario.rails 1.turn: is '9'"),
)
VICTORY = (
    ("scenario/victory/clause", GONE, "scenario.victory.clause: is missing"),
    ("scenario/victory/lines", [], "scenario.victory.lines: is empty"),
    ("scenario/victory/lines/0/kind", "infantry", "scenario.victory.lines 1.kind: is 'infantry'"),
    (
        "scenario/victory/lines/0/hexes",
        GONE,
        "scenario.victory.lines 1.hexes: is missing; a line of the kind `infantry-in`",
    ),
    ("scenario/victory/lines/0/points", GONE, "scenario.victory.lines 1.points: is missing"),
    ("scenario/victory/lines/0/points", "many", "scenario.victory.lines 1.points"),
    ("scenario/victory/lines/0/side", "union", "lines 1.side: counts for nothing in a line of the kind `infantry-in`"),
    (
        "scenario/victory/lines/0/unless",
        ["0303"],
        "lines 1.unless: counts for nothing in a line of the kind `infantry-in`",
    ),
    ("scenario/victory/lines/1/steps", {"x": "1"}, "scenario.victory.lines 2.steps: is 'x'"),
    ("scenario/victory/lines/1/steps", GONE, "scenario.victory.lines 2.steps: is missing"),
    ("scenario/victory/lines/2/side", GONE, "scenario.victory.lines 3.side: is missing"),
    ("scenario/victory/lines/2/side", "blue", "scenario.victory.lines 3.side: is 'blue'"),
    ("scenario/victory/lines/3/fewer", GONE, "scenario.victory.lines 4.fewer: is missing"),
    ("scenario/victory/lines/5/sizes", ["army"], "scenario.victory.lines 6.sizes: is 'army'"),
    ("scenario/victory/lines/6/regions", ["Staford"], "scenario.victory.lines 7.regions: is 'Staford'"),
    ("scenario/victory/lines/7/units", ["windr"], "scenario.victory.lines 8.units: is 'windr'"),
    ("scenario/victory/lines/7/clause", GONE, "scenario.victory.lines 8.clause: is missing"),
    ("scenario/victory/levels/0/least", "-1", "scenario.victory.levels: don't follow each other"),
    ("scenario/victory/levels/2/least", "-9", "scenario.victory.levels: don't follow each other"),
    ("scenario/victory/levels/0/side", "blue", "scenario.victory.levels 1.side: is 'blue'"),
    ("scenario/victory/levels/0/title", GONE, "scenario.victory.levels 1.title: is missing"),
)
COUNTERS = (
    ("armies/union/army", "unoin", "army union.army: is 'unoin'; did you mean union?"),
    ("armies/union/units", [], "army union.units: is empty"),
    ("armies/union/units/2/id", "Banks!", "army union.units 3"),
    ("armies/union/units/2/id", "march", "'march' is a word of orders"),
    ("armies/union/units/3/id", "banks", "unit banks: stands there twice"),
    ("armies/union/units/2/name", GONE, "unit banks.name: is missing"),
    ("armies/union/units/2/size", GONE, "unit banks.size: is missing"),
    ("armies/union/units/2/size", "division", "unit banks.size: is 'division'"),
    ("armies/union/units/2/branch", "horse", "unit banks.branch: is 'horse'"),
    ("armies/union/units/2/command", "XII", "unit banks.command: is 'XII'"),
    ("armies/union/units/2/command", GONE, "unit banks.command: is missing"),
    ("armies/union/units/2/army", "ANV", "unit banks.army: is 'ANV'"),
    ("armies/union/units/2/tactical", GONE, "unit banks.tactical: is missing"),
    ("armies/union/units/2/command-value", "10", "unit banks.command-value: is '10'"),
    ("armies/union/units/2/artillery", "2", "unit banks.artillery: a corps leader has none; leave it out"),
    ("armies/union/units/1/tactical", "2", "unit pope.tactical: an army leader has none; leave it out"),
    ("armies/union/units/1/command", "I", "unit pope.command: is 'I'; an army leader has no corps: leave it out"),
    ("armies/union/units/9/artillery", GONE, "unit buford.artillery: is missing"),
    ("armies/union/units/9/command-value", "3", "unit buford.command-value: a unit has none"),
    ("armies/union/units/9/command", "J", "unit buford.command: is 'J'"),
    (
        "armies/union/units/9/command",
        "II",
        "unit buford.command: has a corps leader, and tables.allowance.activation has no",
    ),
    (
        "armies/union/units/9/name",
        "Banks",
        "unit buford.name: banks is called 'Banks', too; give each counter in play its own",
    ),
    ("armies/union/units/2/short", "Nathaniel Banks", "unit banks.short: is 'Nathaniel Banks'"),
    ("armies/union/units/2/also", {"x": "y"}, "unit banks.also"),
    ("armies/union/units/2/strength", "3", "unit banks.strength: is no key that is known here"),
)
TABLES = (
    ("tables/allowance/march/union infantry", GONE, "tables.allowance.march.union infantry: is missing"),
    (
        "tables/allowance/march/union infantry",
        "3d6",
        "tables.allowance.march.union infantry: is '3d6'; write one or two dice",
    ),
    ("tables/allowance/march/union artillery", "1d6", "tables.allowance.march.union artillery: is no key"),
    (
        "tables/allowance/activation/confederate cavalry",
        GONE,
        "tables.allowance.activation.confederate cavalry: is missing",
    ),
    ("tables/movement/ridge", GONE, "tables.movement.ridge: is missing"),
    (
        "tables/movement/terrain/woods",
        "4.5",
        "tables.movement.terrain.woods: is '4.5'; write points such as 3, 1/2 or 1 1/2",
    ),
    ("tables/movement/links/canal", "1", "tables.movement.links.canal: is no key"),
    ("tables/disorganised/values/14", GONE, "tables.disorganised.values.14: is missing"),
    ("tables/recovery/fatigue", ["0"], "tables.recovery.fatigue: has 1 numbers; write five, for 0 to 4"),
    ("tables/extended_march/columns_army", ["AV", "AP", "ANV"], "tables.extended_march.columns_army"),
    ("tables/combat_defender/rows_difference", {}, "tables.combat_defender"),
    ("tables/weather", {}, "tables.weather: is no key that is known here"),
)
GROUND = (
    ("maps/field/terrain/legend/.", ["moor"], " is moor; each hex is one of clear, rolling"),
    ("maps/field/roads/chains/0/kind", "canal", "'canal' is no way of these rules"),
    ("maps/field/hexsides/chains/0/kind", "ditch", "'ditch' is no hexside of these rules"),
)


@pytest.fixture
def data(field_data: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """A small scenario with every block that there is."""
    return field_data(
        ROWS,
        SET_UP,
        roads={"road": "0101 0201"},
        sides={"creek": "0101/0201"},
        regions={"Stafford": "0101 0102"},
        scenario=deepcopy(BLOCKS),
    )


def test_the_small_scenario_is_loaded(data: dict[str, Any]) -> None:
    assert board(data).title == "A small field"


@pytest.mark.clause("1.0-1", "2.6-1", "std-2.3-1")
@pytest.mark.parametrize(
    ("path", "value", "told"), [*HEAD, *BEGIN, *RULES, *VICTORY, *COUNTERS, *TABLES, *GROUND], ids=lambda x: str(x)[:40]
)
def test_a_wrong_line_is_told(data: dict[str, Any], path: str, value: Any, told: str) -> None:
    put(data, path, value)
    found = wrong(data)
    assert told in found
    assert len(set(found.splitlines())) == len(found.splitlines())  # each once


def test_every_defect_is_told_at_once(data: dict[str, Any]) -> None:
    told = []
    for path, value, what in (HEAD[2], BEGIN[4], RULES[0], RULES[10], VICTORY[5], COUNTERS[9], TABLES[4]):
        put(data, path, value)
        told.append(what)
    found = wrong(data)
    assert [what for what in told if what not in found] == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_shipped_scenario_is_loaded_and_scored(board_of: Callable[[str], Board], name: str) -> None:
    s = start(board_of(name), {})
    points = judge(s).facts["points"]
    assert s.ended is not None
    assert s.ended.points == points


def test_what_each_kind_of_line_needs_is_known() -> None:
    assert NEEDS.keys() == KINDS.keys()


@pytest.mark.clause("2.6-1")
def test_the_kanawha_division_is_a_command_of_the_union(data: dict[str, Any]) -> None:
    assert data["armies"]["union"]["units"][12]["id"] == "scammon"
    put(data, "armies/union/units/12/command", "Kan")
    board(data)
    put(data, "armies/confederate/units/4/command", "Kan")
    assert ".command: is 'Kan'" in wrong(data)


# --- what a player reads before he plays ------------------------------------------------------------------------------


def marked() -> set[str]:
    """The rules of the scenarios that tests are marked with."""
    files = Path(__file__).parent.glob("test_*.py")
    marks = (re.findall(r"mark\.clause\(([^)]*)\)", file.read_text("utf-8")) for file in files)
    return {rule for found in marks for mark in found for rule in re.findall(rf'"({OF_BATTLE})"', mark)}


def listed_rules(text: str, brackets: str) -> set[str]:
    """The rules that a text cites in brackets of that kind."""
    first, last = map(re.escape, brackets)
    inside = re.findall(rf"{first}((?:{OF_BATTLE}(?:, )?)+){last}", " ".join(text.split()))
    return {rule for cited in inside for rule in cited.split(", ")}


CHAPTERS = [
    *((f"13.{number}", name) for number, name in enumerate(SCENARIOS, 1)),
    *((f"22.{number}", name) for number, name in enumerate(CAMPAIGNS, 1)),
]
"""The chapter of each scenario."""


def page_on(chapter: str) -> str:
    """The part of the rules page on a battle or a campaign."""
    page = (ROOT / "docs" / "rules-gcacw.md").read_text("utf-8")
    return page.partition(f"({chapter})\n")[2].partition("\n##")[0]


def own_rules(chapter: str) -> set[str]:
    """The special rules of a scenario, and what scores in it; the second campaign has those of the first (22.2-1)."""
    own = {rule for rule in marked() if rule.startswith(f"{chapter}-")} - {"13.5-sp5"}  # the heading of its parts
    return own if chapter != "22.2" else own | own_rules("22.1") - {"22.1-vic"}


@pytest.mark.parametrize(("chapter", "name"), CHAPTERS)
def test_brief_and_page_tell_every_special_rule_and_what_scores(chapter: str, name: str) -> None:
    own = own_rules(chapter)
    assert f"{chapter}-vic" in own
    assert listed_rules(brief(load_scenario(name)), "[]") == own
    told = listed_rules(page_on(chapter), "()") | (listed_rules(page_on("22.1"), "()") if chapter == "22.2" else set())
    assert told == own - {f"{chapter}-vic"}, "the levels stand below in their table"


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_brief_of_a_campaign_cites_every_chapter_of_the_advanced_game(name: str) -> None:
    told = " ".join(brief(load_scenario(name)).split())
    assert {*re.findall(r"[\[ ](1[4-8]|19|2[012])\.[0-9]-", told)} == {str(chapter) for chapter in range(14, 23)}


@pytest.mark.parametrize(("number", "name"), CHAPTERS)
def test_the_places_that_a_brief_names_are_those_of_the_map(
    number: str, name: str, board_of: Callable[[str], Board]
) -> None:
    b, told = (
        board_of(name),
        " ".join(brief(load_scenario(name)).partition("SPECIAL")[2].partition("SOURCES")[0].split()),
    )
    for text in (told, " ".join(page_on(number).split())):
        assert re.search(r"[NS][0-9]{4}", text)
        named = re.findall(r"((?:(?![NS][0-9]{4})[A-Z6][\w'.-]+ ?)+),? ([NS][0-9]{4})\b", text)
        assert named
        assert {place: called.strip() for called, place in named} == {
            place: b.map.place_names[b.parse(place)] for _, place in named
        }
    assert {b.label[h] for line in b.victory.lines for h in line.hexes} <= {*re.findall(r"\b[NS][0-9]{4}\b", told)}


@pytest.mark.parametrize("name", [*SCENARIOS, *CAMPAIGNS])
def test_the_levels_that_a_brief_tells_are_those_of_the_scenario(name: str, board_of: Callable[[str], Board]) -> None:
    s = start(board_of(name), {})
    told = " ".join(brief(load_scenario(name)).split()).partition("levels of victory [")[2].partition(": ")[2]
    side, found = "", {}
    for part in re.split(r"[,;] ", told.partition(". ")[0]):
        *named, how, span = re.fullmatch(r"(?:(\w+) )?(\w+) (-?\d+(?: to -?\d+| or more| or less)?)", part).groups()  # type: ignore[union-attr]
        side = named[0] or side
        ends = [int(number) for number in re.findall(r"-?\d+", span)]
        for points in (ends[0], ends[-1]):
            found[points] = f"{side} {how} victory"
    assert len({*found.values()}) == len(s.board.victory.levels)
    assert {points: level_of(s.board.victory, points).title for points in found} == found
    borders = {level.least - off for level in s.board.victory.levels if level.least is not None for off in (0, 1)}
    assert borders == {*found}
