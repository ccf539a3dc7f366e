"""Organisation of forces (rulebook 9, 13, 14-1-1)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.sengoku.activities import run

from pbem.rules.requests import Tell
from pbem.rules.sengoku import organising
from pbem.rules.sengoku.orders import Organise, Replenish
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
ROWS = ". . .\n . . ."


def order_of(text: str, replenish: Replenish | None = None) -> Organise:
    """An order from `hb-02 hb-04 / hb-06`, the organiser first."""
    groups = tuple(tuple(part.split()) for part in text.split("/"))
    return Organise(groups[0][0], groups, replenish)


def refused(s: State, text: str, replenish: Replenish | None = None) -> str:
    """The clause by which forces can't be organised so, "" when they can."""
    refusal = organising.why_not(s, "hashiba", order_of(text, replenish))
    return refusal.clause if refusal is not None else ""


def organise(s: State, text: str) -> None:
    """Organise forces so; it must be legal."""
    assert refused(s, text) == ""
    (told,) = run(organising.carry_out(s, order_of(text)))
    assert isinstance(told, Tell)
    assert told.what == "organise"


@pytest.mark.clause("13-1-1", "13-1-2", "9-2")
def test_a_commander_organises_who_was_not_under_a_superior(field: Field) -> None:
    s = field(ROWS, {"hb-02": "0101", "hb-03": "0101 under-superior", "hb-04": "0101", "hb-06": "0101"})
    assert refused(s, "hb-02 hb-04") == ""
    assert refused(s, "hb-03 hb-04") == "13-1-2"
    assert refused(s, "hb-04 hb-06") == "13-1-1"
    assert {o.force for o in organising.options(s, "hb-02")} == {"hb-02"}
    assert list(organising.options(s, "hb-04")) == []


@pytest.mark.clause("13-1-3", "13-1-4", "13-2(1)", "9-1-1")
def test_units_of_the_same_hex_come_under_him(field: Field) -> None:
    s = field(ROWS, {"hb-02": "0101", "hb-04": "0101", "hb-06": "0102"})
    assert refused(s, "hb-02 hb-06") == "13-1-4"
    organise(s, "hb-02 hb-04")
    assert s.forces == {"hb-02": ("hb-02", "hb-04"), "hb-06": ("hb-06",)}
    assert s.acted == {"hb-02", "hb-04"}


@pytest.mark.clause("13-1-5", "9.0", "9-1(all)", "9-1-2", "13-2")
def test_each_unit_of_the_forces_that_change_is_in_one_force(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-04 hb-06": "0101", "hb-03": "0101", "kb-01": "0203"})
    assert refused(s, "hb-02 hb-04 hb-06") == "13-2"
    assert refused(s, "hb-02 hb-04") == "9-1(all)"
    assert refused(s, "hb-02 hb-04 hb-06 / ") == "9-1(1)"
    assert refused(s, "hb-02 hb-04 / hb-06 / hb-06") == "9-1(all)"
    assert refused(s, "hb-02 hb-04 / hb-03 hb-06") == ""
    assert refused(s, "hb-02 hb-04 hb-06 hb-07") == "9.0"
    assert refused(s, "hb-02 hb-04 hb-06 kb-01") == "3.0(2)"


@pytest.mark.clause("13-2", "13-2(2)", "13-2-4", "9-2-4")
def test_several_forces_are_parted_and_joined_at_once(field: Field) -> None:
    s = field(ROWS, {"hb-01 hb-02 hb-04 hb-06 hb-07": "0101", "hb-08": "0101"})
    organise(s, "hb-01 hb-07 hb-08 / hb-02 hb-04 / hb-06")  # 13ex-e
    assert {f: set(units) for f, units in s.forces.items()} == {
        "hb-01": {"hb-01", "hb-07", "hb-08"}, "hb-02": {"hb-02", "hb-04"}, "hb-06": {"hb-06"},
    }  # fmt: skip
    assert s.acted == set(s.leader)
    assert s.leader["hb-04"] == "hb-02"


@pytest.mark.clause("9-2-1", "9-2-2", "9-2-3", "9-2-6", "13-2(1)")
def test_the_forces_that_come_of_it_are_legal(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-04": "0101", "hb-03": "0101", "hb-06": "0101", "kt-06": "0101"},
              values={"hb-02": {"boxes": "1"}})  # fmt: skip
    assert refused(s, "hb-02 hb-06 / hb-04") == ""
    assert refused(s, "hb-02 hb-04 hb-06") == "9-2-1"
    assert refused(s, "hb-02 hb-03 / hb-04") == "9-2-3"
    assert refused(s, "hb-02 kt-06 / hb-04") == "9-2-6"


@pytest.mark.clause("13-2-1", "13-2-2(2)")
@pytest.mark.parametrize(("word", "clause"), [("", ""), ("acted", "13-2-1")])
def test_who_has_acted_takes_no_part(field: Field, word: str, clause: str) -> None:
    s = field(ROWS, {"hb-02": "0101", "hb-04": f"0101 {word}"})
    assert refused(s, "hb-02 hb-04") == clause


@pytest.mark.clause("13-2-2(1)")
def test_a_higher_rank_is_not_rearranged_by_a_lower_one(field: Field) -> None:
    s = field(ROWS, {"hb-01 hb-04": "0101", "hb-02 hb-06": "0101", "hb-03 hb-07": "0101"})
    assert refused(s, "hb-02 hb-06 hb-04 / hb-01") == "13-2-2(1)"
    assert refused(s, "hb-02 hb-06 hb-07 / hb-03") == ""  # 13ex-f
    assert refused(s, "hb-01 hb-04 hb-02 hb-06") == ""


@pytest.mark.clause("13-2-3", "9-2-5")
@pytest.mark.parametrize(("stage", "clause"), [(3, ""), (4, "4-1-5")])
def test_it_is_enough_that_the_organiser_can_act_in_the_stage(field: Field, stage: int, clause: str) -> None:
    s = field(ROWS, {"hb-03": "0101", "hb-17": "0101"}, stage=stage)
    assert refused(s, "hb-03 hb-17") == clause


@pytest.mark.clause("36.7-6", "13-2-3")
def test_units_of_an_army_that_can_not_act_yet_stay_where_they_are(field: Field) -> None:
    mino = {"armies": ["inaba"], "declared": "kobe", "clause": "36.7-6"}
    s = field(ROWS, {"hb-01": "0101", "ib-01 ib-02": "0101", "hb-04": "0101"}, scenario={"idle": [mino]})
    assert refused(s, "hb-01 ib-01 ib-02") == "36.7-6"
    assert refused(s, "hb-01 ib-02 / ib-01") == "36.7-6"
    assert refused(s, "hb-01 hb-04") == ""
    s.declared.add("kobe")
    assert refused(s, "hb-01 ib-01 ib-02") == ""


@pytest.mark.clause("13-2-4", "12.0-2")
def test_who_changed_his_force_has_acted_and_who_only_gave_has_not(field: Field) -> None:
    forces = {"hb-02": "0101", "hb-03 hb-04 hb-06": "0101", "hb-05 hb-07": "0101"}
    s = field(ROWS, forces)
    organise(s, "hb-02 hb-04 / hb-03 hb-06")
    assert s.acted == {"hb-02", "hb-04"}
    s = field(ROWS, forces)
    organise(s, "hb-02 / hb-03 hb-06 / hb-05 hb-07 hb-04")
    assert s.acted == {"hb-02", "hb-04", "hb-05", "hb-07"}
    s = field(ROWS, forces)
    organise(s, "hb-02 / hb-03 hb-06 / hb-04")
    assert s.acted == {"hb-02", "hb-04"}


@pytest.mark.clause("13-2-5")
def test_the_whole_force_takes_the_lowest_morale(field: Field) -> None:
    for one, other in (("", "morale -2"), ("morale -2", "morale -1")):
        s = field(ROWS, {"hb-02": f"0101 {one}", "hb-04": f"0101 {other}"})
        organise(s, "hb-02 hb-04")
        assert s.morale == {"hb-02": -2}


@pytest.mark.clause("13-2-5", "13-2(2)")
def test_a_separated_unit_keeps_the_morale_of_its_force(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-04": "0101 morale -2"})
    organise(s, "hb-02 / hb-04")
    assert s.morale == {"hb-02": -2, "hb-04": -2}


@pytest.mark.clause("13-1-3", "16-1-4")
def test_open_forces_and_those_shut_in_are_not_mixed(field: Field) -> None:
    forces = {"hb-02": "0101 shut-in", "hb-03": "0101", "hb-04": "0101 shut-in"}
    s = field(ROWS, forces, castles={"himeji": "0101 hashiba 1"})
    assert refused(s, "hb-02 hb-04") == ""
    assert refused(s, "hb-03 hb-04") == "13-1-3"
    organise(s, "hb-02 hb-04")
    assert s.shut_in == {"hb-02"}


@pytest.mark.clause("18-1-1")
def test_besiegers_join_besiegers_alone(field: Field) -> None:
    forces = {"hb-01 hb-06": "0101 besieging", "hb-04": "0101", "hb-07": "0101 besieging"}
    s = field(ROWS, forces, castles={"gifu": "0101 kobe 1"})
    assert refused(s, "hb-01 hb-06 hb-04") == "18-1-1"
    organise(s, "hb-01 hb-07 / hb-06")
    assert s.besieging == {"hb-01", "hb-06"}


@pytest.mark.clause("14-1-1", "14-2-5")
def test_he_replenishes_those_whom_he_leads_then(field: Field) -> None:
    forces = {"hb-02 hb-06": "0101 reduced hb-06", "hb-04": "0101 reduced hb-04"}
    s = field(ROWS, forces, castles={"himeji": "0101 hashiba 1"}, main={"hashiba": "himeji"})
    text = "hb-02 hb-04 / hb-06"
    assert refused(s, text, Replenish("hb-02", units=("hb-06",))) == "14-2-5"
    assert refused(s, text, Replenish("hb-04")) == "14-2-5"
    replenish = Replenish("hb-02", units=("hb-04",))
    assert refused(s, text, replenish) == ""
    found = run(organising.carry_out(s, order_of(text, replenish)), [6])
    assert [f.what for f in found if isinstance(f, Tell)] == ["organise", "replenish", "restored"]
    assert s.reduced == {"hb-06"}
