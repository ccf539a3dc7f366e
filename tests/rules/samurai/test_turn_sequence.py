"""The turn sequence: whose turn it is, its steps in their order, contact."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.samurai.conftest import to

from pbem.rules.samurai.state import Gone

Table = Callable[..., Battle]


@pytest.mark.clause("turn_sequence.1")
def test_players_take_alternate_turns(table: Table) -> None:
    b = table({"sp-1": "36 10 north", "sp-11": "36 40 south"})
    assert b.request.side == "red"
    order = b.rules.read_order(b.board, "black", ("move", "sp-11", "5"))
    refusal = b.rules.why_not(b.state, "black", order)
    assert refusal is not None
    assert refusal.clause == "turn_sequence.1"
    assert b.refused("move sp-11 5") == "turn_sequence.1"
    b.do("done")
    assert (b.request.side, b.phase, b.state.turn) == ("black", "black-turn", 1)
    b.do("move sp-11 5")
    b.do("done")
    assert (b.request.side, b.phase, b.state.turn) == ("red", "red-turn", 2)


@pytest.mark.clause("turn_sequence.2")
def test_the_steps_run_in_their_order(table: Table) -> None:
    b = table({"bw-1": "36 10 north", "ro-1": "30 20 north", "ro-2": "25 20 north", "sp-11": "36 20 south",
               "sp-12": "30 21 south", "dm-1": "25 19 north"})  # fmt: skip
    b.state.routed |= {"ro-2"}
    assert b.request.kind == "fire"
    last = {"rally ro-2": "turn_sequence.3", "attack ro-1 at sp-12": "turn_sequence.4"}
    for later, clause in {"move ro-1 1": "turn_sequence.2", **last}.items():
        assert b.refused(later) == clause
    b.do("close fire")
    assert b.request.kind == "move"
    for other, clause in {"fire bw-1 at sp-11": "fire_combat.1", **last}.items():
        assert b.refused(other) == clause
    b.do("close move")  # none of the units has moved
    assert b.request.kind == "attack"  # the router is out of the daimyo's touch
    assert b.refused("move bw-1 1") == "turn_sequence.2"


@pytest.mark.clause("turn_sequence.2")
def test_some_units_may_move_and_others_not(table: Table) -> None:
    b = table({"sp-1": "36 10 north", "sp-2": "30 10 north", "sp-11": "36 40 south"})
    b.do("move sp-2 7")
    b.do("done")
    assert (b.state.at["sp-1"].y, b.state.at["sp-2"].y) == (1000, 1700)


@pytest.mark.clause("turn_sequence.3", "rally.1")
def test_a_daimyo_moved_into_touch_counts_in_the_rally_step(table: Table) -> None:
    b = table({"ro-1": "36 10 south routed", "dm-1": "36 2 north", "sp-11": "36 40 south"})
    assert b.refused("rally ro-1") == "turn_sequence.3"  # not before movement
    assert b.state.at["ro-1"].y == 300  # it has fled first
    b.do("follow dm-1 ro-1 left")
    assert b.request.kind == "rally"
    assert b.why_not("rally ro-1") is None


@pytest.mark.clause("turn_sequence.4", "combat.1")
def test_contact_made_in_movement_can_be_used(table: Table) -> None:
    b = table({"ro-1": "36 10 north", "sp-11": "36 14 south"})
    b.do("move ro-1 7")
    assert b.state.at["ro-1"].y == 1300
    to(b, "attack")
    assert b.why_not("attack ro-1 at sp-11") is None


@pytest.mark.clause("turn_sequence.4")
def test_half_an_inch_away_is_no_contact(table: Table) -> None:
    b = table({"ro-1": "36 10 north", "ro-2": "30 13 north", "sp-11": "36 14 south", "sp-12": "30 14 south"})
    b.do("move ro-1 2.5")
    b.do("close move")
    assert b.refused("attack ro-1 at sp-11") == "turn_sequence.4"
    assert b.why_not("attack ro-2 at sp-12") is None


@pytest.mark.parametrize(("step", "order", "clause"), [
    ("fire", "fire bw-2 at sp-11", "fire_combat.1"),
    ("move", "move bw-2 3", "movement.1"),
    ("attack", "attack bw-2 at sp-11", "combat.1"),
])  # fmt: skip
def test_who_is_gone_is_refused_by_the_clause_of_his_order(table: Table, step: str, order: str, clause: str) -> None:
    b = table({"bw-1": "36 10 north", "bw-2": "10 10 north", "ro-1": "30 20 north", "sp-11": "36 20 south",
               "sp-12": "30 21 south"}, step=step)  # fmt: skip
    b.state.remove("bw-2", Gone.KILLED, "combat.7")
    assert b.refused(order) == clause


def test_a_set_up_over_ground_that_cant_be_entered_names_it(table: Table) -> None:
    mill = [{"id": "mill", "kind": "building", "name": "Old Mill", "at": "30 6", "size": "3 3"}]
    b = table({"sp-1": "off", "sp-11": "60 40 south"}, phase="red-setup", width="36", terrain=mill)
    refusal = b.why_not("setup sp-1 30 6")
    assert refusal is not None
    assert (refusal.clause, refusal.reason) == ("figures.7", "sp-1 Unit sp-1 would lie over Old Mill")
    assert b.why_not("setup sp-1 20 6") is None
