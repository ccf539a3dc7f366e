"""Defects in a scenario file of what Tabaruzaka has beside the first battle, each told with what would be right."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from pbem.errors import BadScenario
from pbem.rules import bakumatsu
from pbem.scenario import load_scenario

Edit = Callable[[dict[str, Any]], None]
GONE = object()


def edited(*edits: Edit) -> dict[str, Any]:
    """The data of Tabaruzaka, edited."""
    data = copy.deepcopy(load_scenario("tabaruzaka").data)
    for edit in edits:
        edit(data)
    return data


def put(mapping: dict[str, Any], key: str, value: object) -> None:
    if value is GONE:
        del mapping[key]
    else:
        mapping[key] = value


def side(number: int, key: str, value: object) -> Edit:
    return lambda data: put(data["scenario"]["sides"][number], key, value)


def lord(number: int, key: str, value: object) -> Edit:
    return lambda data: put(data["scenario"]["commanders"][number], key, value)


def unit(key: str, value: object) -> Edit:
    return lambda data: put(data["scenario"]["units"][0], key, value)


def scenario(key: str, value: object) -> Edit:
    return lambda data: put(data["scenario"], key, value)


def held(**sides: list[str]) -> Edit:
    """Other holders of victory hexes, in the scenario alone."""
    return lambda data: data["scenario"]["control"].update(sides)


def on_map(block: str, **hexes: str) -> Edit:
    """Other hexes of a block of the map."""
    return lambda data: data["maps"]["tabaruzaka"][block]["hexes"].update(hexes)


def no_lords(number: int) -> Edit:
    """Leave out the commanders of a side."""

    def edit(data: dict[str, Any]) -> None:
        name = data["scenario"]["sides"][number]["id"]
        lords = data["scenario"]["commanders"]
        data["scenario"]["commanders"] = [one for one in lords if one["side"] != name]

    return edit


def unnamed(data: dict[str, Any]) -> None:
    """Leave out the name of the commanders' formation."""
    del data["scenario"]["formations"]["commanders"]


NEUTRAL = ["2507", "2315", "2217", "1820", "1524", "1428", "1615", "1414", "0611", "0520", "0730"]


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (side(0, "draw", GONE), r"side.*1.*draw: .*write `draw: cup`, or `draw: choice`"),
        (side(0, "draw", "hand"), r"draw: is 'hand'; write `draw: cup`, or `draw: choice`"),
        (side(1, "draw", ["choice"]), r"draw: "),
        (side(0, "least", "7"), r"least: is '7'; write a whole number from 0 to 6"),
        (side(0, "least", "-1"), r"least: is '-1'; write a whole number from 0 to 6"),
        (side(0, "least", "three"), r"least: is 'three'; write a whole number"),
        (side(1, "reorganises", "maybe"), r"reorganises.*'maybe'"),
        (side(0, "reorganizes", "yes"), r"reorganizes.*did you mean .*reorganises"),
        (side(0, "commander-turns", ["1", "15"]), r"commander-turns: is '15'; write a whole number from 1 to 14"),
        (side(0, "commander-turns", ["0"]), r"commander-turns: is '0'; write a whole number from 1 to 14"),
        (side(0, "commander-turns", ["x"]), r"commander-turns: is 'x'; write a whole number"),
        (side(0, "commander-turns", ["3", "3"]), r"commander-turns: is .*; name each turn once"),
        (side(0, "commander-turns", GONE), r"side government: has commanders, gc-01 first, who never come"),
        (side(0, "reinforcement-turns", ["1", "1"]), r"reinforcement-turns: is .*; name each turn once"),
        (no_lords(0), r"side government: has commander-turns but no commanders to draw; leave them out"),
        (scenario("commanders", GONE), r"side saigo: has commander-turns but no commanders"),
        (scenario("commanders", {"gc-01": "Nozu"}), r"scenario.commanders"),
        (scenario("commanders", ["gc-01"]), r"scenario.commanders"),
        (lord(0, "id", "gc-02"), r"gc-02\): stands there twice; give each commander his own id"),
        (lord(0, "id", "go-01"), r"go-01\): stands there twice"),
        (lord(0, "id", "1st lord"), r"'1st lord' can't stand in an order; write a small letter"),
        (lord(0, "id", "any"), r"commander any: 'any' is a word of orders; give it another id, as in gc-01"),
        (lord(0, "id", GONE), r"commanders.*id"),
        (lord(0, "name", GONE), r"commander gc-01.*name"),
        (lord(0, "side", "shogunate"), r"commander gc-01.side"),
        (lord(0, "side", GONE), r"commander gc-01.side"),
        (lord(0, "side", "nobody"), r"commander gc-01.side"),
        (lord(0, "range", GONE), r"commander gc-01.range: .*write a whole number from 0 to 9"),
        (lord(0, "range", "10"), r"commander gc-01.range: is '10'; write a whole number from 0 to 9"),
        (lord(0, "fire", "-1"), r"commander gc-01.fire: is '-1'; write a whole number from 0 to 9"),
        (lord(0, "melee", "2.5"), r"commander gc-01.melee: is '2.5'; write a whole number from 0 to 9"),
        (lord(0, "morale", "0"), r"commander gc-01.morale: is '0'; write a whole number from 1 to 9"),
        (lord(0, "morale", GONE), r"commander gc-01.morale"),
        (lord(0, "move", "0"), r"commander gc-01.move: is '0'; write a whole number from 1 to 9"),
        (lord(0, "formation", "guard"), r"commander gc-01.*formation"),
        (lord(0, "moral", "5"), r"commander gc-01.*moral"),
        (lord(0, "short", "Nozu Shizuo"), r"commander gc-01.*short"),
        (lord(0, "aside", "perhaps"), r"commander gc-01.aside"),
        (lord(6, "aside", "yes"), r"commanders: several of saigo are kept aside; keep one aside"),
        (unit("symbol", "commander"), r"is a commander; commanders stand under `commanders`"),
        (unit("side", "nobody"), r"unit go-01.side"),
        (unit("id", "Melee"), r"unit Melee: 'Melee' is a word of orders; give it another id, as in sg-01"),
        (unit("code", "west"), r"unit go-01.code|scenario.setup"),
        (held(nobody=NEUTRAL[1:]), r"2507 .*nobody's"),
        (held(nobody=[*NEUTRAL, "2401"]), r"control.*2401 has a side already; name it once"),
        (held(nobody=NEUTRAL[1:], saigo=["0131", "2507"]), r"2507 .*is nobody's, in the scenario saigo's"),
        (held(anybody=["0101"]), r"control.anybody"),
        (on_map("victory", nobody=" ".join(NEUTRAL[1:])), r"2507 "),
        (on_map("victory", anybody="0101"), r"anybody"),
        (on_map("entries", nobody="0101"), r"entries.*nobody"),
        (side(0, "entry", "2402"), r"entry: is 2402, on the map 2401; let both say the same"),
        (side(0, "entry", "9999"), r"entry.*9999"),
    ],
)
def test_a_defect_is_told(edit: Edit, error: str) -> None:
    with pytest.raises(BadScenario, match=error):
        bakumatsu.board(edited(edit))


@pytest.mark.parametrize(
    "edits",
    [
        [],
        [side(0, "draw", "cup")],
        [side(0, "least", "0"), side(1, "least", GONE)],
        [side(0, "reorganises", "no"), side(1, "reorganises", "yes")],
        [side(0, "commander-turns", [str(turn) for turn in range(1, 15)])],
        [no_lords(0), side(0, "commander-turns", GONE)],
        [scenario("commanders", GONE), side(0, "commander-turns", GONE), side(1, "commander-turns", GONE), unnamed],
        [lord(0, "aside", "yes")],
        [lord(11, "aside", "no")],
        [lord(0, "range", "0"), lord(0, "fire", "9"), lord(0, "morale", "1"), lord(0, "move", "9")],
        [lord(0, "short", GONE)],
    ],
)
def test_what_is_right_is_taken(edits: list[Edit]) -> None:
    assert bakumatsu.board(edited(*edits)).units


@pytest.mark.clause("15-2-7-2(1)2", "15-2-7-2(2)2")
def test_a_side_may_have_but_one_commander_who_is_kept_aside() -> None:
    """He comes by the die, and so needs no turns on the track; an entry hex he needs."""

    def alone(data: dict[str, Any]) -> None:
        lords = data["scenario"]["commanders"]
        data["scenario"]["commanders"] = [one for one in lords if one["side"] == "government" or one.get("aside")]

    board = bakumatsu.board(edited(alone, side(1, "commander-turns", GONE)))
    assert (board.aside, board.commander_cups["saigo"]) == ({"saigo": "sc-06"}, ())
    with pytest.raises(BadScenario, match="side saigo: has commander-turns but no commanders to draw"):
        bakumatsu.board(edited(alone))


@pytest.mark.clause("15-2-7-1(1)1b")
def test_a_side_that_gets_its_lost_units_back_needs_an_entry_hex() -> None:
    data = copy.deepcopy(load_scenario("toba-fushimi").data)
    data["scenario"]["sides"][0]["reorganises"] = "yes"
    assert bakumatsu.board(data).side["shogunate"].reorganises
    data["scenario"]["sides"][1]["reorganises"] = "yes"
    with pytest.raises(BadScenario, match="reorganises its lost units but has no entry hex"):
        bakumatsu.board(data)


@pytest.mark.clause("15-2-4(0)")
def test_who_is_set_up_has_a_line_and_commanders_are_no_code_of_it() -> None:
    """A unit may be set up where others are to be chosen; a line for nobody is no defect."""

    def line(code: str) -> Edit:
        return scenario("setup", [{"side": "government", "code": code, "areas": ["camp"]}])

    camp = on_map("areas", camp="2401 2402")
    assert bakumatsu.board(edited(unit("code", "camp"), line("camp"), camp)).set_up["government"]["camp"]
    assert bakumatsu.board(edited(line("camp"), camp)).set_up["government"]
    with pytest.raises(BadScenario, match=r"unit go-01\.code: is 'tent'; known are camp, R"):
        bakumatsu.board(edited(unit("code", "tent"), line("camp"), camp))


def test_all_defects_are_told_at_once() -> None:
    with pytest.raises(BadScenario) as caught:
        bakumatsu.board(edited(side(0, "least", "9"), lord(0, "range", "12"), lord(3, "name", GONE)))
    assert "3 defects" in str(caught.value)
