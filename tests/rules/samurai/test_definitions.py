"""Definitions: classes, daimyos and bannermen, wings, units of one and two stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.field import Battle
from rules.samurai.conftest import where
from rules.samurai.small_table import scenario_data

from pbem.errors import BadScenario, MalformedOrder
from pbem.rules import samurai
from pbem.rules.samurai.geometry import distance, overlap

Table = Callable[..., Battle]
FOES = {"sp-11": "36 40 south"}


def wings(data: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """The data with so many wings in each army, alike."""
    data["scenario"]["wings"] = names
    for army in data["armies"].values():
        (units,) = army["wings"].values()
        army["wings"] = {
            wing: [{**unit, "id": f"{unit['id']}{place}"} for unit in units] for place, wing in enumerate(names)
        }
    return data


@pytest.mark.clause("definitions.1")
def test_the_classes_are_a_step_apart(table: Table) -> None:
    b = table({"sp-1": "10 10 north", "gn-1": "20 10 north", "ro-1": "30 10 north", "sw-1": "40 10 north",
               "bw-1": "50 10 north", **FOES})  # fmt: skip
    ranks = {unit: b.board.units[unit].kind.rank for unit in ("sp-1", "gn-1", "ro-1", "sw-1", "bw-1")}
    assert ranks == {"sp-1": 1, "gn-1": 1, "ro-1": 2, "sw-1": 3, "bw-1": 3}
    for unit, needed in (("sp-12", 8), ("gn-12", 8), ("ro-12", 9), ("sw-12", 10), ("bw-12", 10)):
        for die, kills in ((needed - 1, 0), (needed, 1)):  # a step of the die for each step between the classes
            b = table({"ro-1": "36 20 north 1", unit: "36 21 south", "sp-2": "60 10 north", **FOES}, step="attack")
            b.do(f"attack ro-1 at {unit}", die)
            assert b.facts("attack")["kills"] == kills


@pytest.mark.clause("definitions.2", "figures.6")
def test_daimyos_and_bannermen_are_single_figures_and_no_units(table: Table) -> None:
    b = table({"sp-1": "10 10 north", "dm-1": "30 10 north", "bn-1": "off", "bn-2": "off", **FOES})
    for unit in ("dm-1", "bn-1"):
        assert (b.board.units[unit].figures, b.board.units[unit].troops) == (1, False)
    assert b.board.units["sp-1"].troops
    assert b.state.troops("red") == ["sp-1"]


@pytest.mark.clause("definitions.3")
@pytest.mark.parametrize("names", [["left", "right"], ["left", "centre", "right", "rear"]])
def test_an_army_has_three_wings(names: list[str]) -> None:
    data = scenario_data({"sp-1": "off", "sp-11": "off"})
    assert len(samurai.board(wings(data, ["left", "centre", "right"])).zones["red"]) == 3
    with pytest.raises(BadScenario, match=r"scenario\.wings"):
        samurai.board(wings(scenario_data({"sp-1": "off", "sp-11": "off"}), names))


@pytest.mark.clause("definitions.4")
def test_bannermen_do_nothing(table: Table) -> None:
    b = table({"sp-1": "10 10 north", "bn-1": "off", "bn-2": "off", **FOES})
    for order in ("move bn-1 2", "halt bn-1"):
        assert b.refused(order) == "definitions.4"
    assert b.board.units["bn-1"].kind.points == 0
    assert "bn-1" not in b.state.at
    b = table({"sp-1": "off", "bn-1": "off", "bn-2": "off", **FOES}, phase="red-setup")
    assert b.refused("setup bn-1 10 6 north") == "definitions.4"


@pytest.mark.clause("definitions.5a", "figures.7")
def test_two_stands_are_set_up_as_one_base(table: Table) -> None:
    b = table({"sw-1": "off abreast", "dm-1": "off", **FOES}, phase="red-setup")
    b.do("setup sw-1 36 6 north behind")
    (_, first), (_, second) = b.state.bases("sw-1")
    assert (first.y, second.y, first.x) == (650, 550, 3600)
    b.do("setup sw-1 36 6 north abreast")  # a place can be changed
    (_, first), (_, second) = b.state.bases("sw-1")
    assert (first.x, second.x) == (3450, 3750)
    assert distance(first, second) == 0
    assert not overlap(first, second)
    with pytest.raises(MalformedOrder):  # stands apart are no unit
        b.order("setup sw-1 36 6 north apart")


@pytest.mark.clause("definitions.5a")
def test_a_unit_is_of_one_type() -> None:
    data = scenario_data({"sw-1": "off abreast", "dm-1": "off", "sp-11": "off"})
    data["armies"]["red-army"]["wings"]["centre"][0]["type"] = ["sword", "bow"]
    with pytest.raises(BadScenario, match="mixes sword and bow"):
        samurai.board(data)


@pytest.mark.clause("definitions.5b")
def test_two_stands_move_as_one_body(table: Table) -> None:
    b = table({"sw-1": "36 10 north abreast", "dm-1": "39.5 10 north", **FOES})
    for order in ("move sw-1 left 5", "follow dm-1 sw-1"):
        before = len(b.state.bases("sw-1"))
        b.do(order)
        (_, first), (_, second) = b.state.bases("sw-1")
        assert before == 2
        assert distance(first, second) == 0
    assert where(b, "sw-1") == (3600 - 353, 1000 + 353, "north-west")
    with pytest.raises(MalformedOrder):  # no order is for one stand
        b.order("move sw-1/1 2")
