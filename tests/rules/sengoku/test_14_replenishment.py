"""Replenishment (rulebook 14, 16-5, 31-1, 33)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from rules.sengoku.activities import run

from pbem.rules.requests import Choose, Roll, Tell
from pbem.rules.sengoku import replenishment
from pbem.rules.sengoku.orders import Losses, Replenish
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
ROWS = ". . .\n . . ."
WORN = {"hb-02 hb-04 hb-06": "0102 reduced hb-02 hb-04 hb-06"}
"""A force of the Hashiba on its back."""


def at_himeji(field: Field, forces: Mapping[str, str], castle: str = "hashiba 1 5", **more: Any) -> State:
    """Himeji (0102), a castle, and Tottori (0203), where the lines of the Hashiba begin; and forces."""
    castles = {"himeji": f"0102 {castle}", "tottori": "0203 hashiba 1 5"}
    return field(ROWS, forces, **{"castles": castles, "main": {"hashiba": "tottori"}} | more)


def refused(s: State, order: Replenish) -> str:
    """The clause by which a force can't replenish, "" when it can."""
    refusal = replenishment.why_not(s, s.board.units[order.force].side, order)
    assert (order in replenishment.options(s, order.force)) == (refusal is None) or order.units
    return refusal.clause if refusal is not None else ""


def done(s: State, order: Replenish, die: int, *answers: Any) -> list[Any]:
    """What a replenishment with this die yields; it must be legal."""
    assert refused(s, order) == ""
    return run(replenishment.carry_out(s, order), [die], answers)


@pytest.mark.clause("14.0", "14-1", "14-1-2", "14-1-3", "12.0-2")
def test_a_commander_replenishes_as_the_action_of_his_force(field: Field) -> None:
    s = at_himeji(field, WORN | {"hb-07": "0101 reduced hb-07", "hb-03 hb-08": "0103"})
    assert refused(s, Replenish("hb-07")) == "14-1-2"
    assert refused(s, Replenish("hb-03")) == "14.0"  # no step lost
    roll, told, *_ = done(s, Replenish("hb-02"), 4)
    assert roll == Roll("replenishment/hb-02", dice=1)
    assert (told.what, told.facts["place"], told.facts["result"]) == ("replenish", "own", 1)
    assert s.acted == {"hb-02", "hb-04", "hb-06"}
    again = replenishment.why_not(s, "hashiba", Replenish("hb-02"))
    assert again is not None
    assert again.clause == "12.0-2"


@pytest.mark.clause("14-1-2", "14-1-2(separated)")
@pytest.mark.parametrize(("word", "clause"), [("", ""), ("under-superior", "14-1-2(separated)")])
def test_who_was_under_a_superior_when_the_phase_began_cannot(field: Field, word: str, clause: str) -> None:
    s = at_himeji(field, {"hb-02": f"0102 reduced hb-02 {word}"})
    assert refused(s, Replenish("hb-02")) == clause
    assert refused(s, Replenish("hb-02", "himeji")) == clause


@pytest.mark.clause("14-2-1", "14-2-2")
@pytest.mark.parametrize(
    ("h", "die", "steps"), [("0102", 5, 2), ("0101", 5, 1), ("0102", 2, 1), ("0101", 2, 0), ("0102", 6, 3)]
)
def test_the_die_is_read_in_the_column_of_the_army_and_place(field: Field, h: str, die: int, steps: int) -> None:
    s = at_himeji(field, {"hb-02 hb-04 uk-02": f"{h} reduced hb-02 hb-04 uk-02"})
    done(s, Replenish("hb-02"), die)
    assert len(s.reduced) == 3 - steps


@pytest.mark.clause("14-2-2")
@pytest.mark.parametrize(
    ("owner", "force", "steps"), [("ukita", "hb-02", 1), ("ukita", "uk-01", 2), ("hashiba", "uk-01", 1)]
)
def test_the_own_castle_is_one_of_the_commanders_clan(field: Field, owner: str, force: str, steps: int) -> None:
    s = at_himeji(field, {f"{force} {force[:2]}-04": f"0102 reduced {force} {force[:2]}-04"}, f"{owner} 1",
                  main={"hashiba": "tottori", "ukita": "tottori"})  # fmt: skip
    done(s, Replenish(force), 6)
    assert len(s.reduced) == 2 - steps


@pytest.mark.clause("33.0")
@pytest.mark.parametrize(("kii", "h", "steps"), [("0101", "0101", 2), ("0101", "0102", 1)])
def test_saika_replenish_by_the_column_of_kii_in_kii_alone(field: Field, kii: str, h: str, steps: int) -> None:
    forces = {"sk-01 sk-02": f"{h} reduced sk-01 sk-02"}
    castles = {"gifu": "0102 saika 1"}
    s = field(ROWS, forces, castles=castles, provinces={"Kii": kii}, sources={"saika": "0103"})
    done(s, Replenish("sk-01"), 5)
    assert len(s.reduced) == 2 - steps


@pytest.mark.clause("14-2-3", "10-2(1)")
def test_lowered_morale_is_taken_from_the_die(field: Field) -> None:
    s = at_himeji(field, {"hb-02 hb-04": "0102 morale -2 reduced hb-02 hb-04"})
    found = done(s, Replenish("hb-02"), 3)
    assert (found[1].facts["morale"], found[1].facts["result"]) == (-2, 0)
    assert s.reduced == {"hb-02", "hb-04"}


@pytest.mark.clause("14-2-4", "14-2-5", "14-2-6")
def test_steps_go_to_those_named_then_by_rank_and_surplus_is_lost(field: Field) -> None:
    forces = {**WORN, "hb-03 hb-07": "0102 reduced hb-07", "hb-05 hb-08 hb-09": "0102 reduced hb-08 hb-09"}
    s = at_himeji(field, forces)
    assert refused(s, Replenish("hb-02", units=("hb-07",))) == "14-2-5"
    assert refused(s, Replenish("hb-02", units=("hb-06", "hb-06"))) == "14.0"
    assert refused(s, Replenish("hb-03", units=("hb-03",))) == "14.0"
    done(s, Replenish("hb-02", units=("hb-06",)), 5)
    assert s.reduced & {"hb-02", "hb-04", "hb-06"} == {"hb-04"}
    done(s, Replenish("hb-03"), 6)
    assert s.reduced == {"hb-04", "hb-08", "hb-09"}


@pytest.mark.clause("14-2-4")
def test_without_a_wish_the_leader_is_restored_first_then_rank_and_army_file(field: Field) -> None:
    for die, left in ((4, ["hb-03", "hb-04", "hb-06"]), (5, ["hb-04", "hb-06"]), (6, ["hb-06"])):
        s = at_himeji(field, {"hb-01 hb-06 hb-04 hb-03": "0102 reduced hb-01 hb-06 hb-04 hb-03"})
        done(s, Replenish("hb-01"), die)
        assert sorted(s.reduced) == left


@pytest.mark.clause("14-2-4(neg)")
def test_a_result_below_0_loses_steps_as_the_owner_says(field: Field) -> None:
    worn = {"hb-02 hb-04": "0101 morale -1 reduced hb-04"}
    s = at_himeji(field, worn)
    found = done(s, Replenish("hb-02"), 1, "")
    (asked,) = (f for f in found if isinstance(f, Choose))
    assert (asked.side, asked.clause) == ("hashiba", "14-2-4(neg)")
    assert (s.reduced, s.removed) == ({"hb-02", "hb-04"}, {})
    s = at_himeji(field, worn)
    done(s, Replenish("hb-02"), 1, Losses(("hb-04",)))
    assert (s.reduced, set(s.removed)) == (set(), {"hb-04"})


@pytest.mark.clause("14-2-4(neg)", "25.0")
def test_a_lone_commander_may_desert_himself_away(field: Field) -> None:
    s = at_himeji(field, {"hb-02": "0101 morale -1 reduced hb-02"})
    done(s, Replenish("hb-02"), 1)
    assert set(s.removed) == {"hb-02"}
    assert s.forces == {}


@pytest.mark.clause("14-2-4(neg)", "9-1(1)", "18-3")
def test_a_commander_lost_by_desertion_leaves_forces_of_one_and_no_siege(field: Field) -> None:
    s = at_himeji(field, {"hb-02 hb-04": "0102 besieging morale -3 reduced hb-02"}, "kobe 0")
    done(s, Replenish("hb-02"), 1, Losses(("hb-02",)))
    assert s.forces == {"hb-04": ("hb-04",)}
    assert s.morale == {"hb-04": -3}
    assert s.besieging == set()


# --- lines ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("11-4-2", "11-3-2", "11-3(2)")
@pytest.mark.parametrize(("main", "clause"), [({"hashiba": "tottori"}, ""), ({}, "11-4-2")])
def test_it_needs_a_line(field: Field, main: Mapping[str, str], clause: str) -> None:
    s = at_himeji(field, WORN, main=main)
    assert refused(s, Replenish("hb-02")) == clause
    assert refused(s, Replenish("hb-02", "himeji")) == clause


@pytest.mark.clause("16-5", "16-5(not besieged)", "14-3-5", "14-3-5(not besieged)", "11-4-2")
def test_shut_in_it_needs_no_line_but_a_castle_that_is_not_besieged(field: Field) -> None:
    inside = {"hb-02 hb-04": "0102 shut-in reduced hb-04"}
    s = at_himeji(field, inside | {"kb-01": "0102"}, main={})
    assert refused(s, Replenish("hb-02")) == ""
    assert refused(s, Replenish("hb-02", "himeji")) == ""
    s = at_himeji(field, inside | {"kb-01": "0102 besieging"}, main={})
    assert refused(s, Replenish("hb-02")) == "16-5"
    assert refused(s, Replenish("hb-02", "himeji")) == "14-3-5"


# --- castles ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("14-3", "14-1-3")
def test_one_die_is_for_the_units_or_for_the_castle_of_the_hex(field: Field) -> None:
    s = at_himeji(field, WORN)
    assert refused(s, Replenish("hb-02", "himeji", ("hb-04",))) == "14-3"
    found = done(s, Replenish("hb-02", "himeji"), 5)
    facts = {"at": "0102", "by": 2, "durability": 7, "army": "Hashiba", "again": False}
    assert found[-1] == Tell("mended", "14-3-4", facts)
    assert s.durability["himeji"] == 7
    assert len(s.reduced) == 3
    s = at_himeji(field, WORN)
    done(s, Replenish("hb-02"), 5)
    assert s.durability["himeji"] == 5
    assert len(s.reduced) == 1


@pytest.mark.clause("14-3", "14-2-3")
def test_the_castle_is_replenished_with_the_commanders_morale(field: Field) -> None:
    s = at_himeji(field, {"hb-02": "0102 morale -3"})
    done(s, Replenish("hb-02", "himeji"), 5)
    assert s.durability["himeji"] == 6


@pytest.mark.clause("14-3-1", "14-3-2", "7-1-3")
def test_only_a_castle_of_his_own_army_in_his_hex(field: Field) -> None:
    s = at_himeji(field, {"hb-02": "0102", "kt-01": "0102"}, main={"hashiba": "tottori", "kitabatake": "tottori"})
    assert refused(s, Replenish("hb-02", "himeji")) == ""
    assert refused(s, Replenish("hb-02", "tottori")) == "14-3-1"
    assert refused(s, Replenish("kt-01", "himeji")) == "14-3-2"


@pytest.mark.clause("14-3-3")
def test_a_castle_is_replenished_once_in_a_stage(field: Field) -> None:
    s = at_himeji(field, {"hb-02": "0102", "hb-03": "0102", "hb-05": "0203"})
    done(s, Replenish("hb-02", "himeji"), 1)
    assert s.durability["himeji"] == 5
    assert refused(s, Replenish("hb-03", "himeji")) == "14-3-3"
    assert refused(s, Replenish("hb-05", "tottori")) == ""


@pytest.mark.clause("14-3-4", "8-2-1", "14.0")
def test_durability_is_raised_to_ten_at_most(field: Field) -> None:
    s = at_himeji(field, {"hb-02": "0102"}, "hashiba 1 9")
    done(s, Replenish("hb-02", "himeji"), 6)
    assert s.durability["himeji"] == 10
    s = at_himeji(field, {"hb-02": "0102"}, "hashiba 1 10")
    assert refused(s, Replenish("hb-02", "himeji")) == "14.0"


@pytest.mark.clause("14-3-4", "8-2-5", "21-1(1)")
@pytest.mark.parametrize(("durability", "owner"), [(1, {}), (2, {"himeji": "hashiba"})])
def test_a_failure_can_leave_the_castle_abandoned(field: Field, durability: int, owner: Mapping[str, str]) -> None:
    s = at_himeji(field, {"hb-02": "0102 shut-in morale -3"}, f"hashiba 1 {durability}")
    done(s, Replenish("hb-02", "himeji"), 1)
    assert s.durability["himeji"] == durability - 1
    assert {name: army for name, army in s.owner.items() if name == "himeji"} == owner
    assert s.shut_in == ({"hb-02"} if owner else set())
    assert s.removed == {}


@pytest.mark.clause("21-1(2)", "14-3-2")
@pytest.mark.parametrize(("die", "owner"), [(3, None), (4, "hashiba")])
def test_an_abandoned_castle_is_his_who_restores_it(field: Field, die: int, owner: str | None) -> None:
    s = at_himeji(field, {"hb-02": "0102"}, "nobody 1 0")
    done(s, Replenish("hb-02", "himeji"), die)  # the other column
    assert s.owner.get("himeji") == owner
    assert s.durability["himeji"] == (owner is not None)


@pytest.mark.clause("14-3-4")
def test_an_abandoned_castle_has_nothing_to_lose(field: Field) -> None:
    s = at_himeji(field, {"hb-02": "0102 morale -4"}, "nobody 1 0")
    found = done(s, Replenish("hb-02", "himeji"), 1)
    assert [f.what for f in found if isinstance(f, Tell)] == ["replenish"]
    assert found[-1].facts["result"] == -1
    assert s.durability["himeji"] == 0


@pytest.mark.clause("31-1", "8-3-2(regain)", "11-4-2")
def test_the_abandoned_main_castle_alone_needs_no_line_and_counts_as_own(field: Field) -> None:
    s = at_himeji(field, {"hb-02": "0102 reduced hb-02", "hb-03": "0203"}, "nobody 1 0", main={"hashiba": "himeji"})
    assert refused(s, Replenish("hb-02")) == "11-4-2"
    assert refused(s, Replenish("hb-03", "tottori")) == "11-4-2"
    done(s, Replenish("hb-02", "himeji"), 5)
    assert s.durability["himeji"] == 2
    assert s.owner["himeji"] == "hashiba"
    assert refused(s, Replenish("hb-03", "tottori")) == ""  # its lines begin there again
    s = at_himeji(field, {"hb-02": "0102"}, "kobe 1 1", main={"hashiba": "himeji"})
    assert refused(s, Replenish("hb-02", "himeji")) == "14-3-2"
