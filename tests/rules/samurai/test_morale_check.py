"""Morale checks: who fails turns about and flees, at once and in each of its owner's turns until it rallies."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.samurai.conftest import where

Table = Callable[..., Battle]
FAR = {"sp-9": "5 3 north", "sp-19": "67 45 south"}
MORE = {"ro-8": "30 20 north", "sp-18": "30 21 south", **FAR}
"""Two more in contact, so that the step doesn't end of itself."""


@pytest.mark.clause("morale_check.1")
@pytest.mark.parametrize(("unit", "fails"), [("sp-11", 9), ("gn-11", 9), ("ro-11", 10), ("sw-11", 11), ("bw-11", 11)])
def test_each_class_has_its_number(table: Table, unit: str, fails: int) -> None:
    for die in (fails - 1, fails):
        b = table({"sw-1": "36 20 north", unit: "36 21 south 2", **FAR}, step="attack")
        b.do(f"attack sw-1 at {unit}", 12, 1, 1, die)
        assert (unit in b.state.routed) is (die == fails)


@pytest.mark.clause("morale_check.2")
def test_a_unit_that_fails_turns_about_and_flees_at_once(table: Table) -> None:
    """In the enemy's turn, by its whole move; also because of fire, before anybody moves."""
    b = table({"sw-1": "36 20 north", "ro-11": "36 21 south 2", **MORE}, step="attack")
    b.do("attack sw-1 at ro-11", 12, 1, 1, 10)
    assert b.events() == ["attack", "loss", "check", "rout", "flee"]
    assert where(b, "ro-11") == (3600, 2800, "north")
    b = table({"bw-1": "36 20 north", "ro-11": "36 26 south-west 2", **FAR})
    b.do("fire bw-1 at ro-11")
    b.do("close fire", 12, 1, 1, 12)
    assert where(b, "ro-11") == (3600 + 494, 2600 + 494, "north-east")


@pytest.mark.clause("morale_check.4")
def test_routers_flee_in_each_movement_step_without_orders(table: Table) -> None:
    units = {"ro-1": "36 30 south routed", "sp-1": "10 10 north", "sp-11": "36 40 south", "sp-12": "60 44 south"}
    b = table(units)
    assert where(b, "ro-1") == (3600, 2300, "south")  # away from the closest enemy, before others move
    assert b.refused("move ro-1 1") == "morale_check.4"
    b.do("done")
    assert where(b, "ro-1") == (3600, 2300, "south")
    b.do("done")
    assert where(b, "ro-1") == (3600, 1600, "south")
    b = table({"bw-1": "36 30 south routed", "bw-9": "10 10 north", "sp-12": "10 15 south", "sp-11": "36 26 south"})
    assert b.refused("fire bw-1 at sp-11") == "morale_check.4"


@pytest.mark.clause("morale_check.4")
def test_a_routed_unit_doesnt_attack_and_is_attacked_as_before(table: Table) -> None:
    b = table(
        {"ro-1": "36 20 north routed", "ro-2": "30 20 north", "sp-12": "30 21 south", "sp-11": "36 21 south", **FAR},
        step="attack",
    )
    assert b.refused("attack ro-1 at sp-11") == "morale_check.4"
    b = table({"sw-1": "36 20 north", "sp-11": "36 21 north routed checked 2", **FAR}, step="attack")
    b.do("attack sw-1 at sp-11", 12, 1, 1)  # no new check
    assert b.events()[:2] == ["attack", "loss"]


@pytest.mark.clause("morale_check.4")
def test_a_router_turns_away_from_the_nearest_point_of_the_closest_enemy(table: Table) -> None:
    """In later turns it may take any of the eight facings; a lone daimyo counts, an attached one doesn't."""
    b = table(
        {
            "ro-1": "36 30 south routed",
            "sp-1": "10 10 north",
            "sp-11": "30 30 east",
            "dm-12": "36 31.5 north",
            "sp-12": "36 33 south",
        }
    )
    assert where(b, "ro-1")[2] == "south"  # spearmen and daimyo to the north are nearer
    b = table({"ro-1": "36 30 south routed", "sp-1": "10 10 north", "sp-11": "31 25 north", "sp-12": "36 45 south"})
    assert where(b, "ro-1")[2] == "north-east"
    b = table({"ro-1": "36 30 north routed", "sp-1": "10 10 north", "dm-11": "36 32 north", "sp-12": "36 45 south"})
    assert where(b, "ro-1")[2] == "south"


@pytest.mark.clause("morale_check.4", "movement.1")
def test_a_router_passes_friends_and_stops_short_of_enemies(table: Table) -> None:
    units = {"sp-1": "10 10 north", "sp-11": "36 40 south", "sp-12": "60 44 south"}
    b = table({**units, "ro-1": "36 30 south routed", "sp-2": "36 26 north"})
    assert where(b, "ro-1") == (3600, 2300, "south")
    b = table({**units, "ro-1": "36 30 south routed", "sp-2": "36 23 north"})  # its place is taken: on to the next
    assert where(b, "ro-1") == (3600, 2200, "south")
    b = table({**units, "ro-1": "36 30 south routed", "sp-13": "36 18 south", "sp-11": "36 33 south"})
    assert where(b, "ro-1") == (3600, 2300, "south")
    b = table({**units, "ro-1": "36 30 south routed", "sp-13": "36 24 south", "sp-11": "36 33 south"})
    assert where(b, "ro-1") == (3600, 2510, "south")  # ten steps short of the contact at y 25
    wall = [{"id": "pond", "kind": "water", "at": "36 24", "size": "4 1"}]
    b = table({**units, "ro-1": "36 30 south routed"}, terrain=wall)
    assert where(b, "ro-1") == (3600, 2510, "south")


@pytest.mark.clause("morale_check.5")
def test_a_router_that_leaves_the_table_is_gone(table: Table) -> None:
    for y, gone in (("7.5", False), ("7.49", True)):
        b = table({"ro-1": f"36 {y} south routed", "sp-1": "10 10 north", "sp-11": "36 40 south"})
        assert (b.state.gone == {"ro-1": "fled"}) is gone
        assert ("ro-1" in b.state.at) is not gone
    b = table({"sw-1": "36 20 north", "ro-11": "36 45 north 2", "sw-2": "36 44 north", **MORE}, step="attack")
    b.do("attack sw-2 at ro-11", 12, 1, 1, 12)
    assert where(b, "ro-11")[2] == "south"  # about, against the attacker: it can't go anywhere
    assert where(b, "ro-11")[1] == 4500


@pytest.mark.clause("morale_check.4")
def test_without_enemies_a_router_makes_for_its_own_edge(table: Table) -> None:
    b = table({"ro-11": "36 20 south routed", "sp-12": "60 40 south", "sp-1": "off"}, phase="black-turn")
    assert where(b, "ro-11") == (3600, 2700, "north")


@pytest.mark.clause("morale_check.2", "daimyos.1")
def test_a_daimyo_stays_when_his_unit_flees(table: Table) -> None:
    b = table({"sw-1": "36 20 north", "ro-11": "36 21 south 2", "dm-11": "34 21 south", **FAR}, step="attack")
    b.do("attack sw-1 at ro-11", 12, 1, 1, 12, 5)
    assert where(b, "dm-11") == (3400, 2100, "south")
    assert b.state.lone("dm-11")
