"""Fire: declared before any die, by gunners and bowmen, within range, arc and sight."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle

from pbem.rules.samurai import fire

Table = Callable[..., Battle]


@pytest.mark.clause("fire_combat.1")
def test_fire_is_declared_before_any_die_falls(table: Table) -> None:
    b = table({"bw-1": "36 10 north", "bw-2": "32 10 north", "gn-1": "40 10 north",
               "sp-11": "36 16 south 1", "sp-12": "45 40 south"})  # fmt: skip
    for order in ("fire bw-1 at sp-11", "fire bw-2 at sp-11", "fire gn-1 at sp-11"):
        b.do(order)
        assert b.events() == ["declare"]
    assert b.refused("fire bw-1 at sp-11") == "fire_combat.1"  # once each
    b.do("close fire", 7, 1, 1)  # the first kills the last figure: those of the others are lost, with no new target
    assert b.events() == ["fire", "loss", "remove", "lost_fire", "lost_fire"]
    assert b.state.gone == {"sp-11": "killed"}


@pytest.mark.clause("fire_combat.2")
@pytest.mark.parametrize("unit", ["sp-1", "ro-1", "sw-1", "dm-1"])
def test_only_gunners_and_bowmen_fire(table: Table, unit: str) -> None:
    b = table({"bw-1": "36 10 north", unit: "42 10 north", "sp-11": "38 14 south"})
    assert b.refused(f"fire {unit} at sp-11") == "fire_combat.2"
    assert b.why_not("fire bw-1 at sp-11") is None


@pytest.mark.clause("fire_combat.3")
def test_fire_is_resolved_in_the_order_of_the_list(table: Table) -> None:
    units = {"bw-1": "36 10 north", "gn-1": "32 10 north", "sp-11": "34 16 south", "sp-12": "60 40 south"}
    for first, second in (("bw-1", "gn-1"), ("gn-1", "bw-1")):
        b = table(units)
        b.do(f"fire {first} at sp-11")
        b.do(f"fire {second} at sp-11")
        b.do("close fire", 1, 1, 1, 1, 1, 1)
        assert [tell.facts["unit"] for tell in b.told if tell.what == "fire"] == [first, second]


@pytest.mark.clause("fire_combat.4")
@pytest.mark.parametrize(("unit", "reach"), [("gn-1", 800), ("bw-1", 1200)])
def test_range_reaches_to_its_last_hundredth(table: Table, unit: str, reach: int) -> None:
    """From the middle of the front edge, 50 before the centre, to that of the target's, 50 before its own."""
    for beyond, clause in ((0, None), (1, "fire_combat.4")):
        y = (1000 + 100 + reach + beyond) / 100
        b = table({unit: "36 10 north", "bw-9": "20 10 north", "sp-11": f"36 {y:.2f} south", "sp-12": "20 15 south"})
        refusal = b.why_not(f"fire {unit} at sp-11")
        assert (refusal.clause if refusal else None) == clause


@pytest.mark.clause("fire_combat.5")
def test_the_arc_is_45_degrees_to_either_side(table: Table) -> None:
    """The nearest corner of the target lies as far ahead as to the side, or a hundredth further to the side."""
    for off, clause in ((0, None), (1, "fire_combat.5")):
        x = (3600 + 500 + 200 + off) / 100  # its left edge
        b = table({"bw-1": "36 10 north", "bw-9": "20 10 north", "sp-11": f"{x:.2f} 15 south", "sp-12": "20 15 south"})
        refusal = b.why_not("fire bw-1 at sp-11")
        assert (refusal.clause if refusal else None) == clause, off


@pytest.mark.clause("fire_combat.5")
def test_of_aim_points_one_and_the_same_must_have_all(table: Table) -> None:
    b = table({"gn-1": "36 10 north", "sp-11": "40 18.5 south"})  # the worked example: a corner alone is in range
    assert b.why_not("fire gn-1 at sp-11") is None
    b = table({"gn-1": "36 10 north", "bw-9": "20 10 north", "sp-11": "41.6 18.5 south", "sp-12": "20 15 south"})
    assert b.refused("fire gn-1 at sp-11") == "fire_combat.4"


@pytest.mark.clause("fire_combat.6")
@pytest.mark.parametrize("between", ["sp-2", "sp-12"])
def test_a_third_stand_across_the_line_hides_the_target(table: Table, between: str) -> None:
    units = {"bw-1": "36 10 north", "ro-11": "36 18 south"}
    b = table({**units, between: "36 14 south", "bw-9": "20 10 north", "sp-19": "20 15 south"})
    assert b.refused("fire bw-1 at ro-11") == "fire_combat.6"
    b = table({**units, between: "43 14 south"})
    assert b.why_not("fire bw-1 at ro-11") is None
    b = table({**units, "dm-2": "36 12 north", "dm-12": "36 14 south"})  # daimyos hide nobody
    assert b.why_not("fire bw-1 at ro-11") is None


@pytest.mark.clause("fire_combat.6")
@pytest.mark.parametrize(
    ("kind", "hides"), [("wood", True), ("hill", True), ("building", True), ("rough", False), ("water", False)]
)
def test_ground_across_the_line_hides_the_target(table: Table, kind: str, hides: bool) -> None:
    ground = [{"id": "piece", "kind": kind, "at": "36 14", "size": "8 2"}]
    b = table(
        {"bw-1": "36 10 north", "ro-11": "36 18 south", "bw-9": "20 10 north", "sp-12": "20 15 south"}, terrain=ground
    )
    refusal = b.why_not("fire bw-1 at ro-11")
    assert (refusal.clause if refusal else None) == ("fire_combat.6" if hides else None)


@pytest.mark.clause("fire_combat.6")
def test_one_sees_an_inch_deep_into_a_wood(table: Table) -> None:
    """The target's front edge lies an inch deep in the wood, or a hundredth deeper."""
    wood = [{"id": "wood", "kind": "wood", "at": "36 20", "size": "12 8"}]  # its edge at y 16
    for y, clause in ((17.5, None), (17.51, "fire_combat.6")):
        b = table(
            {"bw-1": "36 10 north", "ro-11": f"36 {y} south", "bw-9": "20 10 north", "sp-12": "20 15 south"},
            terrain=wood,
        )
        refusal = b.why_not("fire bw-1 at ro-11")
        assert (refusal.clause if refusal else None) == clause


@pytest.mark.clause("fire_combat.7")
def test_fire_is_a_die_a_figure_and_classes_count(table: Table) -> None:
    b = table({"bw-1": "36 10 north", "sp-11": "36 16 south", "sp-12": "60 40 south"})
    b.do("fire bw-1 at sp-11")
    b.do("close fire", 6, 7, 12, 8)
    facts = b.facts("fire")
    assert (facts["dice"], facts["needed"], facts["kills"]) == ([6, 7, 12], 7, 2)
    assert b.state.figures["sp-11"] == (2,)


@pytest.mark.clause("fire_combat.7", "combat.12", "combat.13")
def test_gunners_on_samurai_from_behind_need_eleven(table: Table) -> None:
    """The worked example: fire ignores the daimyo and the rear."""
    b = table({"gn-1": "36 10 north", "sw-11": "36 16 north", "dm-11": "36 17 north"})
    assert b.state.daimyos("sw-11") == ["dm-11"]
    assert fire.needed(b.state, "gn-1", "sw-11") == 11
    b.do("fire gn-1 at sw-11")
    b.do("close fire", 10, 11, 9)
    assert b.facts("fire")["kills"] == 1


@pytest.mark.clause("fire_combat.8")
def test_a_unit_in_contact_doesnt_fire(table: Table) -> None:
    units = {"bw-1": "36 10 north", "bw-9": "20 10 north", "sp-12": "20 15 south", "ro-11": "36 18 south"}
    for touching in ("36 9 north", "38 10 west", "36 11 south", "36 11.02 south"):
        b = table({**units, "ro-12": touching})
        assert b.refused("fire bw-1 at ro-11") == "fire_combat.8", touching
    b = table({**units, "ro-12": "36 8.97 north"})
    assert b.why_not("fire bw-1 at ro-11") is None
    b = table({**units, "dm-11": "36 9 north"})  # a lone daimyo counts as a unit
    assert b.refused("fire bw-1 at ro-11") == "fire_combat.8"
    b = table({**units, "dm-11": "36 9 north", "ro-13": "36 8 north"})  # an attached one doesn't
    assert b.why_not("fire bw-1 at ro-11") is None


@pytest.mark.clause("fire_combat.8")
def test_contact_that_comes_of_other_fire_stops_it_too(table: Table) -> None:
    """The daimyo beside the bowmen has been left alone by the time their fire is resolved."""
    units = {"bw-1": "36 20 north", "bw-2": "40.5 10 north", "dm-11": "38 20 south", "sp-11": "40.5 20 south 1",
             "ro-12": "36 28 south", "sp-13": "5 40 south"}  # fmt: skip
    b = table(units)
    b.do("fire bw-2 at sp-11")
    b.do("fire bw-1 at ro-12")
    b.do("close fire", 12, 1, 1)
    assert b.facts("lost_fire")["unit"] == "bw-1"
    assert [tell.clause for tell in b.told if tell.what == "lost_fire"] == ["fire_combat.8"]
    b = table(units)
    b.do("fire bw-1 at ro-12")
    b.do("fire bw-2 at sp-11")
    b.do("close fire", 1, 1, 1, 12, 1, 1)  # in time


@pytest.mark.clause("fire_combat.3", "combat.7")
def test_of_two_stands_in_sight_the_weaker_is_hit(table: Table) -> None:
    units = {"bw-1": "36 10 north", "dm-11": "36 19 south", "sp-12": "60 40 south"}
    for left, hit in (("3/2", 1), ("2/3", 0), ("3/3", 0), ("3/1", 1)):
        b = table({**units, "ro-11": f"36 18 south abreast {left}"})
        assert [shot.hit for shot in fire.shots(b.state, "bw-1", "ro-11")] == [hit], left
    b = table({**units, "ro-11": "36 18 south abreast 3/1", "sp-13": "34.2 14.5 south"})  # it hides the weaker
    assert [shot.hit for shot in fire.shots(b.state, "bw-1", "ro-11")] == [0]


@pytest.mark.clause("fire_combat.7", "definitions.5a")
def test_each_stand_of_a_unit_fires_for_itself(table: Table) -> None:
    b = table({"bw-1": "36 10 north abreast", "dm-1": "36 9 north", "sp-11": "42.5 15 south", "sp-12": "60 40 south"})
    assert [shot.dice for shot in fire.shots(b.state, "bw-1", "sp-11")] == [
        3
    ]  # the right stand alone has it in its arc
    b = table({"bw-1": "36 10 north abreast", "dm-1": "36 9 north", "sp-11": "36 15 south", "sp-12": "60 40 south"})
    assert [shot.dice for shot in fire.shots(b.state, "bw-1", "sp-11")] == [3, 3]
