"""Games of gcacw are told in Japanese, event by event, and all that its scenarios tell a player is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from golden import ROOT

from language.latin import latin, left_in_english
from pbem.language import shown
from pbem.report.brief import at_the_beginning, brief
from pbem.report.charts import charts_data
from pbem.scenario import Scenario, japanese_names, list_scenarios, load_scenario, names_beside

GAMES = {
    "confederate-decisive": 0, "asked": 0, "union-marginal": 0, "union-decisive": 0, "union-substantial": 0,
    "union-resigned": 0, "rappahannock-confederate-marginal": 25, "manassas-confederate-decisive": 25,
    "manassas-union-substantial": 25,
}  # fmt: skip
"""Games of all scenarios, in which there is each kind of event -> how many of a kind are read of a campaign."""

STAYS = r"\([a-z][a-z0-9-]*\)|\bstd-[\d.]+-\d+|\b\d+\.\d-[a-z0-9-]+|\b\d*[DFfErRa]+\d?\b\*?"
"""Ids of units, clauses, cells of charts."""

OF_SCENARIOS = r"\[[^\]]*\]|\(\d[\w.-]*\)|\(std-[\d.-]+\)|\b[NS]\d{4}\b|\b\dd6(?:\+\d)?"
"""Clauses, hexes and dice in the words of scenarios."""

SCENARIOS = [summary.id for summary in list_scenarios() if summary.system == "gcacw"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.usefixtures("japanese")
def test_every_event_of_a_stored_game_is_told_in_japanese(name: str) -> None:
    assert left_in_english("gcacw", name, STAYS, (), GAMES[name], heads=True) == {}


def told(scenario: Scenario) -> Iterator[str]:
    """All that the data of a scenario tell a player, and what stands on its counters and in its charts."""
    head = scenario.data["scenario"]
    yield from (head["title"], head["length"], *(level["title"] for level in head["victory"]["levels"]))
    for words in head["brief"].values():
        yield from words.values() if isinstance(words, dict) else [words] if isinstance(words, str) else words
    for option in head["options"].values():
        yield from (option["title"], *option["means"].values())
    found = at_the_beginning(scenario)
    yield from (thing["title"] for key in ("sides", "phases", "where") for thing in found[key])
    for unit in found["units"]:
        yield from (unit["name"], unit["short"], unit["formation"], unit["symbol"], unit.get("command", ""))
        yield from (*unit["values"], *unit["extra"], *unit["words"])
    yield from (place["name"] or "" for place in found["places"])
    yield from found["reconstructed"]
    for chart in charts_data(scenario.data["tables"]):
        yield from (chart["title"], chart["across"], chart["note"], *chart["columns"])
        yield from (cell for row in chart["rows"] for cell in row)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.usefixtures("japanese")
def test_all_that_a_scenario_tells_is_known(scenario: str) -> None:
    names = japanese_names("gcacw")
    words = {one: shown(one, names) for one in told(load_scenario(scenario))}
    stays = f"{OF_SCENARIOS}|{STAYS}"
    assert {one: found for one, found in words.items() if latin(found, stays, [])} == {}


@pytest.mark.usefixtures("japanese")
def test_each_name_stands_in_the_list_once_and_is_one_of_a_unit_a_place_or_a_river() -> None:
    lines = (ROOT / "scenarios" / "gcacw" / "katakana.txt").read_text("utf-8").splitlines()
    listed = [line.partition(" = ")[0] for line in lines if line and not line.startswith("#")]
    known = set[str]()
    for scenario in map(load_scenario, SCENARIOS):
        found = at_the_beginning(scenario)
        known |= {word for unit in found["units"] for word in (unit["name"], unit["short"])}
        for chart in scenario.data["maps"].values():
            known |= {*chart["places"]["hexes"], *chart["regions"]["legend"].values()}
            known |= {chain["name"] for chain in chart["hexsides"]["chains"]}
    assert len(listed) == len({*listed}) == len(japanese_names("gcacw"))
    assert {*listed} <= known


def test_in_english_names_stand_alone() -> None:
    assert names_beside("gcacw") == {}
    assert brief(load_scenario("cedar-mountain")).isascii()


@pytest.mark.usefixtures("japanese")
def test_two_units_of_one_side_that_are_called_alike_were_so_in_english() -> None:
    names = japanese_names("gcacw")
    for scenario in map(load_scenario, SCENARIOS):
        units = {(unit["side"], unit["name"]) for unit in at_the_beginning(scenario)["units"]}
        assert len({(side, names[name]) for side, name in units}) == len(units)
