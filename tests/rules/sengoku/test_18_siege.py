"""Sieges (rulebook 17, 18): begun, joined and given up, the check at the end of the owner's phase, incidents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from rules.sengoku.activities import run

from pbem.rules.requests import Choose, Roll, Tell
from pbem.rules.sengoku import assault, siege
from pbem.rules.sengoku.orders import Besiege, Lift, Traitors
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
ROWS = ". . .\n . . ."
TEN = "hb-01 hb-04 hb-06 hb-07 hb-08"
"""A force of strength 11."""


def at_gifu(field: Field, forces: Mapping[str, str], level: int = 1, **more: Any) -> State:
    """Gifu (0202) of the Kobe, and forces."""
    return field(ROWS, forces, castles={"gifu": f"0202 kobe {level}"}, **more)


def refused(s: State, *forces: str, attack: bool = False) -> str:
    """The clause by which forces can't besiege Gifu, "" when they can."""
    refusal = siege.why_not_besiege(s, "hashiba", Besiege("gifu", forces, attack))
    return refusal.clause if refusal is not None else ""


@pytest.mark.clause("17.0", "17-1-1", "18-1", "18-1-1", "18-1-2", "8-1")
@pytest.mark.parametrize(("level", "legal"), [(0, True), (1, True), (2, False)])
def test_a_siege_needs_ten_times_the_level_in_the_castles_hex(field: Field, level: int, legal: bool) -> None:
    s = at_gifu(field, {TEN: "0202", "hb-05": "0201"}, level)
    assert refused(s, "hb-01") == ("" if legal else "18-1")
    assert refused(s, "hb-05") == "17-1-1"
    assert refused(s) == "17.0"
    assert refused(s, "hb-01", "hb-01") == "17.0"


@pytest.mark.clause("18-1", "18-1-1")
@pytest.mark.parametrize(("level", "front", "legal"), [(0, 8, True), (0, 7, False), (1, 8, True), (1, 7, False)])
def test_the_threshold_is_ten_at_least(field: Field, level: int, front: int, legal: bool) -> None:
    s = at_gifu(field, {"hb-01 hb-04": "0202"}, level, values={"hb-01": {"front": str(front)}})
    assert refused(s, "hb-01") == ("" if legal else "18-1")


@pytest.mark.clause("17.0", "21-1(1)")
def test_only_castles_of_the_enemy_are_attacked(field: Field) -> None:
    s = field(ROWS, {TEN: "0202"}, castles={"gifu": "0202 niwa 1"})
    assert refused(s, "hb-01") == "17.0"
    s = field(ROWS, {TEN: "0202"}, castles={"gifu": "0202 nobody 1 0"})
    assert refused(s, "hb-01") == "21-1(1)"


@pytest.mark.clause("18-1-1(marker)", "18-1-2", "18-1-2(all able)", "18-1-4", "17-1-4", "18-1-3", "18.0")
def test_several_besiege_together_and_others_join_each_by_its_action(field: Field) -> None:
    forces = {"hb-01 hb-04": "0202", "nw-01 nw-02": "0202", "hb-02 hb-06 hb-07": "0202 acted"}
    values = {"hb-01": {"front": "6"}, "nw-01": {"front": "4"}}
    s = at_gifu(field, forces, values=values)
    assert refused(s, "hb-01") == "18-1"
    assert refused(s, "hb-01", "hb-02") == "12.0-2"
    assert refused(s, "hb-01", "nw-01") == ""
    (told,) = run(assault.carry_out(s, Besiege("gifu", ("hb-01", "nw-01"))))
    assert (told.what, told.clause, told.facts["joined"]) == ("besiege", "18-1", False)
    assert s.besieging == {"hb-01", "nw-01"}
    assert {"hb-04", "nw-02"} <= s.acted
    assert s.attacked == {"hashiba", "niwa"}
    s.acted.clear()
    assert refused(s, "hb-01") == "18-1-4"  # it goes on by itself
    (told,) = run(assault.carry_out(s, Besiege("gifu", ("hb-02",))))
    assert (told.clause, told.facts["joined"]) == ("18-1-4", True)
    assert "hb-02" in s.besieging


@pytest.mark.clause("18-3-1", "18-4-1")
def test_giving_up_is_no_action(field: Field) -> None:
    s = at_gifu(field, {TEN: "0202 besieging acted", "hb-02": "0202"})
    assert siege.why_not_lift(s, "hashiba", Lift("hb-01")) is None
    for side, force, clause in (("anti-hashiba", "hb-01", "3.0(2)"), ("hashiba", "hb-02", "18-3-1")):
        refusal = siege.why_not_lift(s, side, Lift(force))
        assert refusal is not None
        assert refusal.clause == clause
    assert [told.what for told in run(siege.give_up(s, Lift("hb-01")))] == ["lifted"]
    assert s.besieging == set()


@pytest.mark.clause("18-3-1", "18-3")
def test_the_siege_ends_for_all_when_those_left_are_too_weak(field: Field) -> None:
    s = at_gifu(field, {TEN: "0202 besieging", "hb-02": "0202 besieging"})
    run(siege.give_up(s, Lift("hb-02")))
    assert s.besieging == {"hb-01"}
    s.besiege("hb-02")
    run(siege.give_up(s, Lift("hb-01")))
    assert s.besieging == set()


@pytest.mark.clause("18-2", "18-2-1(1)", "18-2-1(2)", "table-siege-limit", "table-siege-result", "8-1")
@pytest.mark.parametrize(
    ("inside", "die", "durability"), [(5, 2, 9), (5, 3, 9), (5, 4, 10), (6, 4, 9), (6, 5, 10), (0, 4, 10), (5, 6, 10)]
)
def test_a_check_counts_the_units_inside_against_the_limit(
    field: Field, inside: int, die: int, durability: int
) -> None:
    garrison = {f"kb-{i:02}": "0202 shut-in" for i in range(1, inside + 1)}
    s = at_gifu(field, {**garrison, TEN: "0202 besieging"}, 0)
    found = run(siege.checks(s, "anti-hashiba"), [die])
    assert found[0] == Roll("siege/0202", dice=1)
    assert (found[1].facts["inside"], found[1].facts["limit"]) == (inside, 5)
    assert s.durability["gifu"] == durability


@pytest.mark.clause("18-2")
def test_only_besieged_castles_of_the_side_are_checked(field: Field) -> None:
    s = field(ROWS, {TEN: "0202 besieging"}, castles={"gifu": "0202 kobe 1", "ono": "0101 kobe 1"})
    assert run(siege.checks(s, "hashiba")) == []
    assert len(run(siege.checks(s, "anti-hashiba"), [6])) == 2


@pytest.mark.clause("18-2-1(3)", "table-incident", "18-2-2", "10-1-1(2)")
@pytest.mark.parametrize(
    ("die", "castle", "besiegers", "result"),
    [
        (1, 0, 0, "castle-morale-1"), (4, 0, 0, "castle-morale-1"), (5, 0, 0, "durability-1"),
        (6, 0, 0, "durability-1"), (2, -2, 0, "durability-2"), (1, -2, 0, "traitor-1"),
        (1, -3, 0, "traitor-2"), (6, 0, -1, "besieger-morale-1"),
    ],
)  # fmt: skip
def test_an_incident_hangs_on_the_die_and_the_difference_of_morale(
    field: Field, die: int, castle: int, besiegers: int, result: str
) -> None:
    s = at_gifu(field, {TEN: "0202 besieging", "kb-04": "0202 shut-in"})
    s.set_morale("kb-04", castle)
    s.set_morale("hb-01", besiegers)
    found = run(siege.checks(s, "anti-hashiba"), [1, die])
    results = [told.facts["result"] for told in found if isinstance(told, Tell) and "result" in told.facts]
    assert results == ["incident", result]
    lost = {"durability-1": 1, "durability-2": 2}.get(result, 0)
    assert s.durability["gifu"] == 10 - lost
    assert s.morale.get("hb-01", 0) == besiegers - (result == "besieger-morale-1")
    assert s.morale.get("kb-04", 0) == (castle - (result == "castle-morale-1") if "kb-04" in s.leader else 0)
    assert ("kb-04" in s.removed) == result.startswith("traitor")


@pytest.mark.clause("table-incident", "25-2(surrender)")
def test_the_owner_names_traitors_and_without_a_garrison_durability_is_lost(field: Field) -> None:
    forces = {TEN: "0202 besieging", "kb-01 kb-04 kb-05": "0202 shut-in morale -2"}
    s = at_gifu(field, forces)
    found = run(siege.checks(s, "anti-hashiba"), [1, 1], [Traitors("gifu", ("kb-01",))])
    (asked,) = (f for f in found if isinstance(f, Choose))
    assert asked.side == "anti-hashiba"
    assert asked.default() == Traitors("gifu", ("kb-04",))
    assert asked.why_not(Traitors("gifu", ("hb-04",))) is not None
    assert asked.standing is not None
    assert asked.standing([("traitors", "any", "kb-05")]) == Traitors("gifu", ("kb-05",))
    assert set(s.removed) == {"kb-01"}
    assert set(s.forces) >= {"kb-04", "kb-05"}
    s = at_gifu(field, {TEN: "0202 besieging"})
    s.set_castle_morale("gifu", -3)
    run(siege.checks(s, "anti-hashiba"), [1, 1])
    assert s.durability["gifu"] == 8


@pytest.mark.clause("21.0(2)", "18-2-1(2)")
def test_a_check_can_bring_the_castle_down(field: Field) -> None:
    s = field(ROWS, {TEN: "0202 besieging"}, castles={"gifu": "0202 kobe 1 1"})
    run(siege.checks(s, "anti-hashiba"), [2, 6])
    assert (s.durability["gifu"], s.owner) == (0, {})


@pytest.mark.clause("36.7-7")
def test_a_garrison_under_truce_is_not_besieged(field: Field) -> None:
    truce = {"side": "hashiba", "armies": ["shibata"], "province": "Echizen", "clause": "36.7-7"}
    s = field(ROWS, {TEN: "0202", "sb-04": "0202 shut-in"}, castles={"gifu": "0202 shibata 1"},
              provinces={"Echizen": "0202"}, scenario={"truces": [truce]})  # fmt: skip
    assert refused(s, "hb-01") == "36.7-7"
    s.attacked.add("shibata")
    assert refused(s, "hb-01") == ""
