"""The counters of Toba-Fushimi: numbers by formation and deployment code, names, values and their ranges, set-up."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from pbem.scenario import load_scenario

VALUES = """
    5R       4 3 4 4 .   Den.1    6 4 4 5 .   1R.I     4 3 4 4 .   1R.II    4 3 4 4 .   Guns.1   5 . 3 3 3
    Mimawari . 6 5 4 .   Kuwana.1 3 4 4 4 .
    Den.2    6 4 4 5 .   7R       4 3 4 4 .   12R.I    4 3 4 4 .   12R.II   4 3 4 4 .   Guns.2   5 . 3 3 3
    Shin     . 6 5 5 .   Yugeki   2 5 5 4 .   Betsusen . 6 5 4 .   Aizu.1   2 6 5 4 .   Aizu.2   3 5 5 4 .
    4R.I     4 3 4 4 .   4R.II    4 3 4 4 .   11R.I    4 3 4 4 .   11R.II   4 3 4 4 .   8R       3 3 4 4 .
    Sappei   4 2 3 5 .   Guns.3   5 . 3 3 3
    Kuwana.2 3 4 4 4 .   Ogaki    3 3 3 4 .   Takam.   2 3 3 4 .   Matsuy.  2 3 3 4 .   Hamada   2 3 3 4 .
    Toba     2 2 3 4 .   Himeji   2 3 3 4 .   Obama    2 3 3 4 .   Kishu    3 2 3 4 .
    Castle.5 6 5 5 5 .   Castle.6 6 5 5 5 .   Ctry.1   5 5 5 5 .   Ctry.2   5 5 5 5 .   Ctry.3   5 5 5 5 .
    S.Guns.1 6 . 4 3 4
    Castle.1 6 5 5 5 .   Castle.2 6 5 5 5 .   Castle.3 6 5 5 5 .   Castle.4 6 5 5 5 .   Ctry.4   5 5 5 5 .
    S.Guns.2 7 . 4 3 4
    Choshu.1 6 5 5 5 .   Choshu.5 6 5 5 5 .   Kiheitai 6 5 5 5 .   Tosa.1   5 4 4 4 .   Tosa.2   5 4 4 4 .
"""


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return load_scenario("toba-fushimi").data


@pytest.fixture(scope="module")
def scenario(data: dict[str, Any]) -> dict[str, Any]:
    scenario = data["scenario"]
    assert isinstance(scenario, dict)
    return scenario


@pytest.fixture(scope="module")
def units(scenario: dict[str, Any]) -> list[dict[str, str]]:
    units = scenario["units"]
    assert isinstance(units, list)
    return units


def number(units: list[dict[str, str]], side: str, key: str) -> dict[str, int]:
    return dict(Counter(unit[key] for unit in units if unit["side"] == side))


def test_counters_by_deployment_code(units: list[dict[str, str]]) -> None:
    """15-1-4: seven and ten at the start and sixteen in the cup; six, six, three and two."""
    assert number(units, "shogunate", "code") == {"west": 7, "east": 10, "R": 16}
    assert number(units, "satcho", "code") == {"west": 6, "east": 6, "choshu": 3, "tosa": 2}


@pytest.mark.clause("2-1-2.4")
def test_every_counter_has_a_side_and_a_formation_of_it(scenario: dict[str, Any], units: list[dict[str, str]]) -> None:
    sides = {
        "shogunate": ["shogunate-army", "shinsengumi", "various", "aizu", "domains"],
        "satcho": ["satsuma", "choshu", "tosa"],
    }
    assert set(scenario["formations"]) == {name for names in sides.values() for name in names}
    for unit in units:
        assert unit["formation"] in sides[unit["side"]], unit["id"]
    areas = {(step["side"], step["code"]): step["areas"] for step in scenario["setup"]}
    for domain in ("choshu", "tosa"):  # told apart for the set-up, 15-1-4(2)
        assert {unit["code"] for unit in units if unit["formation"] == domain} == {domain}
        assert areas["satcho", domain] == [domain]
    assert {unit["code"] for unit in units if unit["formation"] == "satsuma"} == {"west", "east"}


@pytest.mark.clause("2-2-1(2)1")
def test_names_ids_and_shorts_are_there_and_unique(units: list[dict[str, str]]) -> None:
    for key in ("id", "name", "short"):
        assert len({unit[key] for unit in units}) == len(units) == 50
    for unit in units:
        assert unit["name"] == unit["name"].strip() != ""
        assert unit["name"].isascii()
        assert re.fullmatch(r"[0-9A-Za-z.]{1,8}", unit["short"])
    assert [unit["id"] for unit in units] == [
        *(f"sg-{n:02}" for n in range(1, 34)),
        *(f"sa-{n:02}" for n in range(1, 18)),
    ]
    assert {unit["id"][:2] for unit in units if unit["side"] == "shogunate"} == {"sg"}


def test_the_counters_a_player_looks_for(units: list[dict[str, str]]) -> None:
    by_name = {unit["name"]: unit for unit in units}
    assert by_name["Shinsengumi"]["code"] == "east"
    assert by_name["Mimawarigumi"]["code"] == "west"
    assert by_name["Denshutai, 1st Battalion"]["short"] == "Den.1"
    assert {unit["short"] for unit in units if unit["formation"] == "aizu"} == {"Aizu.1", "Aizu.2"}
    assert "Kiheitai detachment" in by_name


def test_values_typed_a_second_time(units: list[dict[str, str]]) -> None:
    words = VALUES.split()
    typed = {words[n]: words[n + 1 : n + 6] for n in range(0, len(words), 6)}
    assert len(typed) == 50
    keys = ("fire", "melee", "morale", "move", "range")
    assert {unit["short"]: [unit.get(key, ".") for key in keys] for unit in units} == typed


@pytest.mark.clause("2-2-1(2)0")
def test_a_counter_with_a_range_is_artillery_and_no_other(units: list[dict[str, str]]) -> None:
    guns = [unit["short"] for unit in units if "range" in unit]
    assert guns == ["Guns.1", "Guns.2", "Guns.3", "S.Guns.1", "S.Guns.2"]
    for unit in units:
        assert (unit["symbol"] == "artillery") is ("range" in unit), unit["id"]
        assert unit["symbol"] in ("infantry", "swordsmen", "artillery")
        assert (unit["symbol"] == "swordsmen") is ("fire" not in unit), unit["id"]


INFANTRY = {"fire": (2, 6), "melee": (2, 6), "morale": (3, 5), "move": (4, 5)}
ARTILLERY = {"fire": (5, 7), "melee": (1, 1), "morale": (3, 4), "move": (3, 3), "range": (3, 4)}


def test_values_lie_in_their_ranges(units: list[dict[str, str]]) -> None:
    for unit in units:
        ranges = ARTILLERY if unit["symbol"] == "artillery" else INFANTRY
        for key, (low, high) in ranges.items():
            if key in ("fire", "melee") and key not in unit:
                continue
            assert low <= int(unit[key]) <= high, f"{unit['id']} {key}"
        assert "fire" in unit or "melee" in unit
        assert set(unit) <= {"id", "side", "formation", "code", "name", "short", "symbol", *ranges}


def test_the_values_of_the_rulebooks_examples_occur(units: list[dict[str, str]]) -> None:
    """9-2(3): fire 6, 3 and 2; 10-2(4): melee 5 against 6; 10-2(7): morale 5."""
    assert {"6", "3", "2"} <= {unit.get("fire") for unit in units}
    assert "5" in {unit.get("melee") for unit in units if unit["side"] == "satcho"}
    assert "6" in {unit.get("melee") for unit in units if unit["side"] == "shogunate"}
    assert {"3", "4", "5"} == {unit["morale"] for unit in units}


@pytest.mark.clause("15-1-1(0)")
def test_eight_turns_and_the_sides_in_playing_order(scenario: dict[str, Any]) -> None:
    assert scenario["turns"] == "8"
    assert [side["id"] for side in scenario["sides"]] == ["shogunate", "satcho"]


def test_only_the_shogunate_has_an_entry_hex_and_reinforcements(scenario: dict[str, Any]) -> None:
    shogunate, satcho = scenario["sides"]
    assert shogunate["entry"] == "0106"
    assert shogunate["reinforcement-turns"] == ["2", "3", "4", "5", "6", "7", "8"]
    assert shogunate["draw"] == "cup"
    assert not {"entry", "reinforcement-turns", "draw"} & set(satcho)


def test_set_up_in_order_with_room_for_every_counter(data: dict[str, Any]) -> None:
    scenario, areas = data["scenario"], data["maps"]["toba-fushimi"]["areas"]["hexes"]
    steps = [(step["side"], step["code"], step["areas"]) for step in scenario["setup"]]
    assert steps == [
        ("shogunate", "west", ["shogunate-west"]),
        ("shogunate", "east", ["shogunate-east"]),
        ("satcho", "west", ["satsuma-west"]),
        ("satcho", "east", ["satsuma-east"]),
        ("satcho", "choshu", ["choshu"]),
        ("satcho", "tosa", ["tosa"]),
    ]
    for side, code, names in steps:
        room = {label for name in names for label in areas[name].split()}
        assert len(room) >= sum(unit["side"] == side and unit["code"] == code for unit in scenario["units"]), names


def test_scenario_and_map_agree_on_victory_and_entry_hexes(data: dict[str, Any]) -> None:
    scenario, board = data["scenario"], data["maps"]["toba-fushimi"]
    assert scenario["control"]["satcho"] == ["2411", "2419", "2424", "1122"]
    assert len(scenario["control"]["shogunate"]) == 9
    assert len({label for labels in scenario["control"].values() for label in labels}) == 13
    victory = {side: set(labels.split()) for side, labels in board["victory"]["hexes"].items()}
    assert victory == {side: set(labels) for side, labels in scenario["control"].items()}
    assert board["entries"]["hexes"] == {"shogunate": scenario["sides"][0]["entry"]}


def test_options_have_their_default_among_their_values(scenario: dict[str, Any]) -> None:
    options = {name: (option["default"], option["values"]) for name, option in scenario["options"].items()}
    assert options == {
        "mountain-top": ("dice", ["dice", "strength"]),
        "retreat-over-bridge": ("no", ["no", "yes"]),
    }
    assert all(option["title"] for option in scenario["options"].values())
    assert all(set(option["means"]) == set(option["values"]) for option in scenario["options"].values())


def test_the_brief_tells_what_is_reconstructed_and_which_shrine_is_meant(scenario: dict[str, Any]) -> None:
    brief, provenance = scenario["brief"], scenario["provenance"]
    assert set(brief) == {"situation", "sides", "special", "victory", "sources"}
    assert set(brief["sides"]) == {"shogunate", "satcho"}
    assert any("Gokonomiya" in text and "Gokokuji" in text and "1122" in text for text in brief["special"])
    blocks = ("sides", "turns", "mails", "formations", "setup", "control", "units", "map", "tables")
    assert tuple(provenance) == blocks
    assert set(blocks) <= set(scenario)
    assert all(text.startswith(("rulebook", "reconstructed", "measured")) for text in provenance.values())
    assert {block for block in blocks if provenance[block].startswith("reconstructed")} == {"units", "map", "tables"}
