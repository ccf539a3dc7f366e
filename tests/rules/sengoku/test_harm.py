"""What troops suffer (rulebook 2-2-1, 10, 25): steps in order, the mark, morale, the death of a commander-in-chief."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from pbem.rules.requests import Tell
from pbem.rules.sengoku import harm
from pbem.rules.sengoku.state import State

ROWS = ". . .\n . . ."
Field = Callable[..., State]


def told(found: Iterable[Tell]) -> list[tuple[str, str, Any]]:
    """What was told, by name, clause and unit or place."""
    return [(what, clause, facts.get("unit", facts.get("at"))) for what, clause, facts in found]


@pytest.mark.clause("2-2-1(2)", "2-2")
def test_strength_is_that_of_the_sides_which_are_up_and_of_no_marker(field: Field) -> None:
    s = field(ROWS, {"hb-01 hb-04": "0101 reduced hb-04", "sb-01": "0203 shut-in"}, castles={"gifu": "0203 shibata 1"})
    units = s.board.units
    assert (units["hb-01"].front, units["hb-04"].front, units["hb-04"].back) == (3, 2, 1)
    assert harm.strength(s, ["hb-01"]) == 3 + 1
    s.reduced.discard("hb-04")
    assert harm.strength(s, ["hb-01"]) == 3 + 2
    assert harm.strength(s, ["hb-01", "sb-01"]) == 3 + 2 + units["sb-01"].front
    assert harm.strength(s, []) == 0


@pytest.mark.clause("2-2-1(6)", "25.0", "25-1", "23-3-2")
def test_a_fresh_unit_has_two_steps_and_the_last_one_lost_kills(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-04": "0101"})
    assert harm.steps(s, s.forces["hb-02"]) == 4
    assert told(harm.take(s, ["hb-04"], "23-3")) == [("step", "23-3", "hb-04")]
    assert harm.steps(s, ["hb-04"]) == 1
    assert "hb-04" in s.leader
    assert told(harm.take(s, ["hb-04"], "23-3")) == [("remove", "25.0", "hb-04")]
    assert s.removed == {"hb-04": 1}
    assert s.forces["hb-02"] == ("hb-02",)


@pytest.mark.clause("23-3-1", "19-2-4(2)", "24-2-4")
@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, ""),
        (1, "hb-06"),
        (2, "hb-06 hb-02"),
        (3, "hb-06 hb-02 hb-04"),
        (4, "hb-06 hb-02 hb-04 hb-06"),
        (5, "hb-06 hb-02 hb-04 hb-06 hb-02"),
        (9, "hb-06 hb-02 hb-04 hb-06 hb-02"),
    ],
)
def test_by_default_whole_units_are_reduced_before_any_is_eliminated_and_leaders_last(
    field: Field, count: int, expected: str
) -> None:
    s = field(ROWS, {"hb-02 hb-04 hb-06": "0101 reduced hb-04"})
    assert harm.losses(s, ["hb-02"], count, marked=False) == tuple(expected.split())


@pytest.mark.clause("23-3-1")
def test_the_owner_may_spread_losses_over_all_units_of_all_forces(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-04": "0101", "hb-03 hb-06": "0101"})
    wanted = ["hb-02", "hb-02", "hb-03"]
    assert harm.losses(s, ["hb-02", "hb-03"], 3, marked=False, wanted=wanted) == tuple(wanted)
    assert harm.losses(s, ["hb-02", "hb-03"], 2, marked=False, wanted=wanted) == ("hb-02", "hb-02")
    assert harm.losses(s, ["hb-02", "hb-03"], 4, marked=False, wanted=wanted) == (*wanted, "hb-04")
    assert harm.losses(s, ["hb-02", "hb-03"], 1, marked=False, wanted=["sb-01"]) == ("hb-04",)
    assert harm.losses(s, ["hb-02"], 3, marked=False, wanted=["hb-04"] * 3) == ("hb-04", "hb-04", "hb-02")


@pytest.mark.clause("19-2-4(mark)", "23-3-3", "23-6-3")
def test_a_mark_eliminates_a_unit_even_beyond_the_number(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-04 hb-06": "0101"})
    assert harm.losses(s, ["hb-02"], 2, marked=False) == ("hb-04", "hb-06")
    assert harm.losses(s, ["hb-02"], 2, marked=True) == ("hb-04", "hb-04")
    assert harm.losses(s, ["hb-02"], 3, marked=True) == ("hb-04", "hb-04", "hb-06")
    assert harm.losses(s, ["hb-02"], 1, marked=True) == ("hb-04", "hb-04")  # more than the result
    assert harm.losses(s, ["hb-02"], 2, marked=True, wanted=["hb-02", "hb-06"]) == ("hb-04", "hb-04")  # no such choice
    assert harm.losses(s, ["hb-02"], 2, marked=True, wanted=["hb-02", "hb-02"]) == ("hb-02", "hb-02")
    s.reduced.add("hb-06")
    assert harm.losses(s, ["hb-02"], 1, marked=True) == ("hb-06",)  # whose last step it is goes first


@pytest.mark.clause("23-3-3", "36.6(2)")
def test_by_default_a_mark_costs_one_of_the_lowest_rank(field: Field) -> None:
    s = field(ROWS, {"hb-02": "0101 reduced hb-02", "hb-04": "0101", "hb-06": "0101"})
    them = ["hb-02", "hb-04", "hb-06"]
    assert harm.losses(s, them, 2, marked=False) == ("hb-04", "hb-06")  # nobody dies
    assert harm.losses(s, them, 2, marked=True) == ("hb-04", "hb-04")  # not the general, though he has a single step
    assert harm.losses(s, them, 1, marked=True) == ("hb-02",)  # it suffices for nobody else
    s.reduced.add("hb-06")
    assert harm.losses(s, them, 1, marked=True) == ("hb-06",)


@pytest.mark.clause("10.0", "10-1", "10-1-2(unit)", "10-1-3", "10-1-4", "10-3")
def test_morale_falls_to_minus_four_and_below_it_a_force_is_removed(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-04": "0101 morale -1", "hb-03": "0101"})
    assert harm.morale_of(s, ["hb-03"]) == 0
    assert harm.morale_of(s, ["hb-02", "hb-03"]) == -1
    assert told(harm.shake(s, "hb-02", 3, "23-4-5")) == [("shaken", "23-4-5", "hb-02")]
    assert (s.morale, harm.morale_of(s, ["hb-03"])) == ({"hb-02": -4}, 0)
    gone = told(harm.shake(s, "hb-02", 1, "23-4-5"))
    assert gone == [("remove", "10-1-2", "hb-02"), ("remove", "10-1-2", "hb-04")]
    assert list(s.forces) == ["hb-03"]
    assert told(harm.shake(s, "hb-03", 0, "23-4-5")) == []


@pytest.mark.clause("25.0", "9-1(1)")
def test_units_without_their_leader_are_forces_of_their_own_with_the_same_morale(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-04 hb-06": "0101 morale -2 acted"})
    list(harm.remove(s, "hb-02", "25.0", "killed"))
    assert harm.strength(s, ["hb-02"]) == 4  # till the action is over they count as one
    assert told(harm.bury(s)) == []
    assert s.forces == {"hb-04": ("hb-04",), "hb-06": ("hb-06",)}
    assert s.morale == {"hb-04": -2, "hb-06": -2}
    assert {"hb-04", "hb-06"} <= s.acted


@pytest.mark.clause("25-2", "25-2(surrender)")
def test_with_a_commander_in_chief_his_clan_leaves_wherever_it_is_and_keeps_its_castles(field: Field) -> None:
    forces = {"sb-01 sb-04": "0101", "kb-01 sb-05": "0103", "sb-02": "0202", "md-01": "0202"}
    s = field(ROWS, forces, castles={"gifu": "0203 shibata 1"})
    assert "sb-06" in [unit for units in s.waiting.values() for unit in units]
    assert told(harm.last_leave(s)) == []
    list(harm.remove(s, "sb-01", "25.0", "killed"))
    gone = told(harm.bury(s))
    assert gone == [("remove", "25-2", unit) for unit in ("sb-02", "sb-04", "sb-05")]
    assert s.forces == {"kb-01": ("kb-01",), "md-01": ("md-01",)}  # who follows the clan stays
    assert not any(s.board.units[unit].army == "shibata" for units in s.waiting.values() for unit in units)
    assert s.owner == {"gifu": "shibata"}
    assert told(harm.bury(s)) == []
    assert "sb-06" not in s.removed  # it was never on the map


@pytest.mark.clause("25-2")
def test_the_death_of_a_general_takes_nobody_with_him(field: Field) -> None:
    s = field(ROWS, {"sb-02": "0101", "sb-01": "0103"})
    list(harm.remove(s, "sb-02", "25.0", "killed"))
    assert told(harm.bury(s)) == []
    assert "sb-01" in s.leader


@pytest.mark.clause("18-3", "18-3-2")
def test_a_siege_ends_when_the_besiegers_are_too_weak_and_morale_is_normal_again(field: Field) -> None:
    forces = {"hb-01 hb-04": "0203 besieging", "kb-01": "0203 shut-in morale -3"}
    s = field(ROWS, forces, castles={"gifu": "0203 kobe 1"}, values={"hb-01": {"front": "8"}})
    assert harm.strength(s, ["hb-01"]) == 10
    assert told(harm.check_markers(s)) == []
    s.reduced.add("hb-04")
    assert told(harm.check_markers(s)) == [("lifted", "18-3-2", "0203")]
    assert (s.besieging, s.morale) == (set(), {})


@pytest.mark.clause("18-3", "18-3-2")
def test_with_the_last_besieger_the_siege_is_over(field: Field) -> None:
    forces = {"hb-04": "0203 besieging reduced hb-04", "hb-06": "0203 besieging", "kb-01": "0203 shut-in morale -3"}
    s = field(ROWS, forces, castles={"gifu": "0203 kobe 1"}, values={"hb-06": {"front": "9"}})
    assert told(harm.take(s, ["hb-04"], "23-3-1")) == [("remove", "25.0", "hb-04")]
    assert s.morale == {"kb-01": -3}
    s.set_morale("hb-06", -4)
    assert told(harm.shake(s, "hb-06", 1, "18-2-1(3)")) == [("remove", "10-1-2", "hb-06"), ("lifted", "18-3-2", "0203")]
    assert s.morale == {}
    s = field(ROWS, {"hb-01 hb-04": "0203 besieging reduced hb-01", "hb-06": "0101"}, castles={"gifu": "0203 kobe 0"})
    s.set_castle_morale("gifu", -2)
    lost = told(harm.take(s, ["hb-01"], "23-3-1")) + told(harm.last_leave(s))
    assert lost == [
        ("remove", "25.0", "hb-01"),
        ("remove", "25-2", "hb-04"),
        ("lifted", "18-3-2", "0203"),
        ("remove", "25-2", "hb-06"),
    ]
    assert s.castle_morale == {}


@pytest.mark.clause("18-3-1", "18-3-2")
def test_some_may_lift_a_siege_that_the_others_go_on_with(field: Field) -> None:
    forces = {"hb-01 hb-04": "0203 besieging", "hb-02": "0203 besieging"}
    s = field(ROWS, forces, castles={"gifu": "0203 kobe 1"}, values={"hb-01": {"front": "8"}})
    s.set_castle_morale("gifu", -2)
    assert told(harm.lift(s, ["hb-02"], "gifu")) == []
    assert told(harm.check_markers(s)) == []
    assert (s.besieging, s.castle_morale) == ({"hb-01"}, {"gifu": -2})
    assert told(harm.lift(s, ["hb-01"], "gifu")) == [("lifted", "18-3-2", "0203")]
    assert s.castle_morale == {}
