"""The turn of the basic game and leader transfer (3.0, std-3.0)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.gcacw.activities import play, told

from pbem.rules import gcacw
from pbem.rules.gcacw.leaders import why_not_transfer
from pbem.rules.gcacw.orders import DONE, Close, Transfer
from pbem.rules.gcacw.sequence import BASIC
from pbem.rules.gcacw.state import State, copy
from pbem.rules.kit.phases import titles

Field = Callable[..., State]
Fields = Callable[..., Battle]


def clause(s: State, order: Transfer) -> str:
    """The clause by which a transfer of the Union is refused, "" for a legal one."""
    refusal = why_not_transfer(s, "union", order)
    return "" if refusal is None else refusal.clause


COLUMN = ". .\n" * 14
"""Two columns of hexes from north to south."""


@pytest.mark.clause("3.0-1", "3.0-2", "3.0-8", "std-3.0-1", "std-4.0-1", "14.0-0")
def test_a_basic_turn_has_four_phases_and_no_advanced_one(campaign: Callable[..., State]) -> None:
    s = campaign("to-bull-run", turn=6, phase="union-reinforcements", opened=False)
    _, found = play(s, [DONE, DONE])
    phases = [facts["phase"] for facts in told(found, "phase") if facts["turn"] == 6]
    assert phases == [
        "union-reinforcements",
        "confederate-reinforcements",
        "union-transfer",
        "confederate-transfer",
        "cycle",
        "union-recovery",
        "confederate-recovery",
    ]
    ids = [title.id for title in titles(BASIC, s.board.sides)]
    assert ids == phases
    assert {phase.clause for phase in BASIC} == {"3.0-3", "std-3.0-2", "std-4.0-1", "std-8.0-1"}


@pytest.mark.clause("std-3.0-4")
def test_the_union_transfers_first_and_either_may_do_nothing(battle: Fields) -> None:
    units = {"mcdowell": "0101", "king": "0101 9", "ricketts": "0103 9", "jackson": "0112", "ap-hill": "0112 9"}
    b = battle(COLUMN, units | {"winder": "0110 8"}, phase="union-transfer", opened=False)
    b.do("")
    assert b.request.side == "union"
    found = b.do("transfer mcdowell ricketts")
    assert [tell.what for tell in found if tell.what in ("transfer", "phase")] == ["transfer", "phase"]
    assert b.at("mcdowell") == "0103"
    assert (b.request.side, b.phase) == ("confederate", "confederate-transfer")  # he has no other leader
    b.do("close transfer")
    assert b.phase == "cycle"
    assert b.at("jackson") == "0112"


@pytest.mark.clause("std-3.0-2")
def test_a_leader_with_a_unit_of_another_command_is_told_that_and_not_that_he_is_with_it_already(field: Field) -> None:
    units = {"mcdowell": "0101", "king": "0101 9", "augur": "0101 9", "jackson": "0112", "ap-hill": "0112 9"}
    s = field(COLUMN, units, phase="union-transfer")
    reasons = [why_not_transfer(s, "union", Transfer("mcdowell", unit)) for unit in ("king", "augur")]
    told = [refusal.reason for refusal in reasons if refusal is not None]
    assert told == ["McDowell is with King already", "Augur isn't of McDowell's command"]


@pytest.mark.clause("std-3.0-2")
def test_a_leader_goes_10_hexes_to_a_unit_of_his_command_once_a_turn(battle: Fields) -> None:
    units = {
        "mcdowell": "0101",
        "king": "0101 9",
        "ricketts": "0111 9",
        "schurz": "0103 6",
        "sigel": "0103",
        "bayard": "0104 2",
    }
    b = battle(COLUMN, units, phase="union-transfer")
    b.do("")
    assert b.why_not("transfer mcdowell ricketts") is None
    assert b.refused("transfer mcdowell schurz") == "std-3.0-2"  # another corps
    assert b.refused("transfer mcdowell bayard") == "std-3.0-2"
    assert b.refused("transfer mcdowell king") == "std-3.0-2"  # he is there
    assert b.refused("transfer king ricketts") == "std-3.0-2"  # no leader
    assert b.options() == ["transfer mcdowell ricketts", "close transfer"]
    far, again = copy(b.state), copy(b.state)
    far.put("ricketts", far.board.parse("0112"))
    assert clause(far, Transfer("mcdowell", "ricketts")) == "std-3.0-3"
    again.transferred.add("mcdowell")
    assert clause(again, Transfer("mcdowell", "ricketts")) == "std-3.0-2"
    b.do("transfer mcdowell ricketts")
    assert (b.at("mcdowell"), b.state.fatigue) == ("0111", {})
    assert b.state.transferred == {"mcdowell"}


@pytest.mark.clause("std-3.0-3")
def test_the_way_of_a_transfer_keeps_off_the_enemy_and_his_zones(field: Field) -> None:
    rows = ". -\n. -\n. -\n. .\n. -\n. -\n. -\n"
    units = {"mcdowell": "0101", "king": "0101 9", "ricketts": "0107 9"}
    order = Transfer("mcdowell", "ricketts")
    for more, refused in (
        ({}, ""),
        ({"va-2": "0204 1"}, "std-3.0-3"),  # a regiment's zone counts in full
        ({"va-2": "0204 1", "bayard": "0104 1"}, "std-3.0-3"),  # 0105 is in it, too
        ({"va-2": "0204 1", "bayard": "0104 1", "buford": "0105 1"}, ""),
        ({"va-2": "0104 1"}, "std-3.0-3"),  # the enemy himself
    ):
        assert clause(field(rows, units | more, phase="union-transfer"), order) == refused


@pytest.mark.clause("std-3.0-2", "std-4.0-9")
def test_a_held_leader_is_transferred_but_activates_nobody(game: Fields) -> None:
    b = game("to-bull-run", turn=3, phase="union-transfer")
    b.do("")
    assert b.why_not("transfer franklin taylor") is None
    assert b.why_not("transfer reno ferrero") is not None  # he is with Ferrero
    b.do("transfer franklin taylor")
    assert b.at("franklin") == b.at("taylor")
    b = game("to-bull-run", turn=3, choice="union")
    assert b.refused("activate franklin march slocum N5518") == "13.5-sp3f"
    assert b.refused("activate franklin hop taylor march taylor with franklin N5720") == "13.5-sp3f"
    b = game("to-bull-run", turn=5, choice="union")
    assert b.why_not("activate franklin hop taylor march taylor with franklin N5720") is None


@pytest.mark.clause("std-3.0-2")
def test_who_has_not_come_is_not_transferred(game: Fields) -> None:
    b = game("to-bull-run", turn=2, phase="union-transfer")
    b.do("")
    assert b.refused("transfer porter reynolds") == "std-3.0-2"
    assert not any(order.startswith("transfer porter") for order in b.options())


@pytest.mark.clause("std-6.3-2")
def test_a_leader_who_left_the_map_comes_back_to_a_unit_of_his_command(field: Field) -> None:
    units = {"mcdowell": "0101", "king": "0101 9", "schurz": "0105 5", "va-2": "0113 1"}
    s = field(COLUMN, units, phase="union-transfer")
    s.remove("mcdowell")
    b = Battle(gcacw, s.board, s, ("initiative/",))
    assert b.options() == ["transfer mcdowell king", "close transfer"]
    assert b.refused("transfer mcdowell schurz") == "std-6.3-2"
    b.do("transfer mcdowell king")
    assert (b.at("mcdowell"), "mcdowell" in b.state.removed) == ("0101", False)


def test_the_end_of_a_step_is_told_by_its_order(battle: Fields) -> None:
    b = battle(COLUMN, {"king": "0101 9", "va-2": "0113 1"}, phase="union-recovery")
    b.do("")
    assert b.request.why_not(Close("recovery")) is None
    assert b.refused("close transfer") == "std-8.0-1"
    assert b.refused("pass") == "std-4.0-1"
