"""Numbers and lists of a scenario that would take long to read are refused soon; the largest good ones are taken."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from yardstick import within

from pbem.errors import BadScenario
from pbem.rules import bakumatsu
from pbem.scenario import load_scenario

Edit = Callable[[dict[str, Any]], None]

STROKES = 400


def edited(edit: Edit) -> dict[str, Any]:
    """The data of Toba-Fushimi, edited."""
    data = copy.deepcopy(load_scenario("toba-fushimi").data)
    edit(data)
    return data


def ranges(value: str) -> Edit:
    """Every gun reaches so far."""

    def edit(data: dict[str, Any]) -> None:
        for unit in data["scenario"]["units"]:
            if unit["symbol"] == "artillery":
                unit["range"] = value

    return edit


def first_unit(key: str, value: str) -> Edit:
    return lambda data: data["scenario"]["units"][0].update({key: value})


def scenario(key: str, value: str) -> Edit:
    return lambda data: data["scenario"].update({key: value})


def side(key: str, value: str) -> Edit:
    return lambda data: data["scenario"]["sides"][0].update({key: value})


def chart(key: str, value: str) -> Edit:
    return lambda data: data["tables"]["terrain_effects_chart"][0].update({key: value})


def rows(data: dict[str, Any]) -> None:
    data["maps"]["toba-fushimi"]["terrain"]["rows"] = "01" + " ." * 500_000


def many_units(data: dict[str, Any]) -> None:
    """As many as a file can hold, each a gun with another range."""
    units = data["scenario"]["units"]
    units += [{**units[0], "id": f"x-{n}", "symbol": "artillery", "range": str(n % 99 + 1)} for n in range(4000)]


def areas(data: dict[str, Any]) -> None:
    data["maps"]["toba-fushimi"]["areas"]["hexes"]["choshu"] = "1220 " * 200_000


@pytest.mark.parametrize(
    "edit",
    [ranges("99"), first_unit("move", "99"), scenario("turns", "99"), side("reinforcement-turns", "1 8")],
)
def test_the_largest_numbers_are_taken(edit: Edit) -> None:
    data = edited(edit)
    with within(STROKES):
        assert bakumatsu.board(data).units


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (ranges("100"), r"unit sg-05.range: is '100'; write a whole number from 0 to 99"),
        (ranges("2000"), r"5 defects\n  scenario unit sg-05.range: is '2000'; write a whole number from 0 to 99"),
        (ranges("9" * 5000), r"unit sg-05.range: is '9{55} ...; write a whole number from 0 to 99"),
        (ranges("\u0663"), r"unit sg-05.range: is '\u0663'; write"),
        (ranges("1_0"), r"unit sg-05.range: is '1_0'; write"),
        (first_unit("fire", "100"), r"unit \S+.fire: is '100'; write a whole number from 0 to 99"),
        (first_unit("melee", "1e9"), r"unit \S+.melee: is '1e9'; write a whole number from 0 to 99"),
        (first_unit("morale", "0"), r"unit \S+.morale: is '0'; write a whole number from 1 to 99"),
        (first_unit("move", "999999999"), r"unit \S+.move: is '999999999'; write a whole number from 1 to 99"),
        (scenario("turns", "100"), r"scenario.turns: is '100'; write a whole number from 1 to 99"),
        (scenario("turns", "9" * 5000), r"scenario.turns: is '9+ ...; write a whole number"),
        (side("reinforcement-turns", "9"), r"reinforcement-turns: is '9'; write a whole number from 1 to 8"),
        (side("reinforcement-turns", "100 " * 99_999), r"99999 defects\n(.*\n){99}  and 99900 more$"),
        (chart("mp", "9" * 5000), r"\(flat\).mp: is '9+ ...; write a whole number from 1 to 99"),
        (chart("fire", "9" * 5000), r"\(flat\).fire: is '9+ ...; write a number from -99 to 99, or `--`"),
        (chart("melee", "100"), r"\(flat\).melee: is '100'; write a number from -99 to 99, or `--`"),
        (rows, r"terrain.rows: 500000 hexes; a map has 20000 at most"),
        (many_units, r"\d+ units in \d+ hexes; one unit stands in a hex"),
        (areas, r"areas choshu: hex 1220 stands there twice"),
    ],
)
def test_what_would_take_long_is_refused_soon(edit: Edit, error: str) -> None:
    data = edited(edit)
    with within(STROKES), pytest.raises(BadScenario, match=error) as caught:
        bakumatsu.board(data)
    assert len(str(caught.value)) < 100_000
