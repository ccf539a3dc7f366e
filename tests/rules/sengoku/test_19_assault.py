"""Assaults and calls to surrender (rulebook 19, 20)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from rules.sengoku.activities import run, told

from pbem.rules.requests import Choose, Roll, Tell
from pbem.rules.sengoku import assault, surrender
from pbem.rules.sengoku.orders import Assault, Besiege, Call, Losses
from pbem.rules.sengoku.siege import why_not_besiege
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
ROWS = ". . .\n . . ."
TEN = "hb-01 hb-04 hb-06 hb-07 hb-08"
"""A force of strength 11."""


def at_gifu(field: Field, forces: Mapping[str, str], castle: str = "kobe 1", rows: str = ROWS, **more: Any) -> State:
    """Gifu (0202), and forces."""
    return field(rows, forces, castles={"gifu": f"0202 {castle}"}, **more)


def refused(s: State, *forces: str) -> str:
    """The clause by which forces can't assault Gifu, "" when they can."""
    refusal = assault.why_not(s, "hashiba", Assault("gifu", forces))
    return refusal.clause if refusal is not None else ""


@pytest.mark.clause("17-1-5", "19-1", "19-1-1(fresh)", "19-1-2")
def test_an_assault_needs_a_siege_by_anybody_of_the_side(field: Field) -> None:
    s = at_gifu(field, {TEN: "0202 besieging", "hb-02": "0202", "hb-03": "0202 acted", "hb-05": "0201"})
    assert refused(s, "hb-02") == ""
    assert refused(s, "hb-01", "hb-02") == ""
    assert refused(s, "hb-03") == "12.0-2"
    assert refused(s, "hb-05") == "17-1-1"
    s = at_gifu(field, {TEN: "0202"})
    assert refused(s, "hb-01") == "17-1-5"
    s = at_gifu(field, {TEN: "0202"}, options={"assault-without-siege": "yes"})
    assert refused(s, "hb-01") == ""


@pytest.mark.clause("19.0", "19-1-3", "19-2-1", "19-2-4(1)", "19-2-5(1)")
def test_all_inside_intercept_together_before_the_assault(field: Field) -> None:
    forces = {TEN: "0202 besieging", "kb-04": "0202 shut-in", "kb-05": "0202 shut-in"}
    s = at_gifu(field, forces, values={kb: {"front": "4", "modifier": "0"} for kb in ("kb-04", "kb-05")})
    found = run(assault.carry_out(s, Assault("gifu", ("hb-01",))), [3, 4], [""])
    rolls = [f for f in found if isinstance(f, Roll)]
    assert rolls == [Roll("interception/0202", dice=1), Roll("assault/0202", dice=1)]
    (intercepted,) = told(found, "interception")
    assert (intercepted["strength"], intercepted["result"]) == (8, 1)  # row 3 + 1
    (stormed,) = told(found, "assault")
    assert stormed["strength"] == 10  # after the loss
    assert stormed["result"] == 1  # row 4 - 1, 9 to 12
    assert s.durability["gifu"] == 9
    assert s.assaulted == {"gifu"}


@pytest.mark.clause("19-2-3")
@pytest.mark.parametrize(("die", "lost"), [(4, 0), (5, 1)])
def test_an_empty_castle_intercepts_with_strength_0(field: Field, die: int, lost: int) -> None:
    s = at_gifu(field, {TEN: "0202 besieging"})
    found = run(assault.carry_out(s, Assault("gifu", ("hb-01",))), [die, 1], [""] * lost)
    assert told(found, "interception")[0]["result"] == lost


@pytest.mark.clause("19-2-5(2)", "19-2-5(3)", "10-2(2)")
def test_the_highest_rank_inside_and_morale_change_the_interception(field: Field) -> None:
    forces = {
        TEN: "0202 besieging morale -1",
        "kb-01": "0202 shut-in",
        "kb-02": "0202 shut-in",
        "kb-04": "0202 shut-in",
    }
    s = at_gifu(
        field, forces, values={"kb-01": {"modifier": "1"}, "kb-02": {"modifier": "2"}, "kb-04": {"modifier": "4"}}
    )
    assert assault.skill_inside(s, "gifu") == 2
    found = run(assault.carry_out(s, Assault("gifu", ("hb-01",))), [1, 1], [""])
    (facts,) = told(found, "interception")
    assert (facts["skill"], facts["morale"]) == (2, 1)
    assert assault.skill_inside(at_gifu(field, {TEN: "0202"}), "gifu") == 0


@pytest.mark.clause("19-3-1(1)", "19-3-1(2)", "19-3-2(1)", "19-3-2(2)", "19-3-2(3)", "8-1", "10-2(2)")
@pytest.mark.parametrize(
    ("letter", "level", "morale", "expected"),
    [(".", 1, 0, (-1, 0, 0)), ("r", 3, 0, (-3, -1, 0)), ("M", 1, -2, (-1, -2, 2))],
)
def test_level_ground_and_morale_change_the_assault(
    field: Field, letter: str, level: int, morale: int, expected: tuple[int, int, int]
) -> None:
    forces = {TEN: "0202 besieging", "hb-02 hb-09 hb-10 hb-11 hb-12 hb-13": "0202 besieging",
              "hb-03 hb-14 hb-15 hb-16": "0202 besieging", "kb-04": f"0202 shut-in morale {morale}"}  # fmt: skip
    s = at_gifu(field, forces, f"kobe {level}", rows=f". . .\n . {letter} .")
    found = run(assault.carry_out(s, Assault("gifu", ("hb-01",))), [1, 6])
    (facts,) = told(found, "assault")
    assert (facts["level"], facts["ground"], facts["morale"]) == expected
    assert facts["result"] == s.board.tables.loss(6 + sum(expected), facts["strength"]).losses
    assert s.durability["gifu"] == 10 - facts["result"]


@pytest.mark.clause("19-2-4(2)", "19-2-4(mark)")
def test_the_attacker_chooses_his_losses_and_by_a_mark_somebody_dies(field: Field) -> None:
    forces = {TEN: "0202 besieging", "kb-01": "0202 shut-in"}
    s = at_gifu(field, forces, values={"kb-01": {"front": "5", "modifier": "1"}})
    chosen = Losses(("hb-08", "hb-08"))
    found = run(assault.carry_out(s, Assault("gifu", ("hb-01",))), [6, 1], [chosen])
    (asked,) = (f for f in found if isinstance(f, Choose))
    assert asked.side == "hashiba"
    assert told(found, "interception")[0]["marked"]
    assert asked.why_not(Losses(("hb-06", "hb-07"))).clause == "23-3-3"  # nobody dies
    assert asked.why_not(Losses(("hb-06", "hb-06", "hb-07"))) is not None  # too many
    assert asked.why_not(Losses(("kb-01", "kb-01"))) is not None
    assert asked.why_not(Losses(("hb-06", "hb-06", "hb-06"))) is not None
    assert asked.standing is not None
    assert asked.standing([("lose", "hb-01", "hb-07", "hb-04")]) == Losses(("hb-07", "hb-07"))
    assert asked.standing([("lose", "hb-02", "hb-07")]) is None
    assert set(s.removed) == {"hb-08"}


@pytest.mark.clause("19-3", "18-3", "18-3-2")
def test_without_attackers_left_no_assault_follows(field: Field) -> None:
    forces = {TEN: "0202 besieging", "hb-17": "0202 reduced hb-17", "kb-01": "0202 shut-in"}
    s = at_gifu(field, forces, values={"kb-01": {"front": "5", "modifier": "1"}})
    found = run(assault.carry_out(s, Assault("gifu", ("hb-17",))), [6])
    assert told(found, "assault") == []
    assert set(s.removed) == {"hb-17"}


@pytest.mark.clause("19-1-1", "19-2-2", "17-1-2")
def test_each_of_two_forces_is_intercepted_and_the_second_drops_out_when_the_siege_is_over(field: Field) -> None:
    forces = {TEN: "0202 besieging", "hb-02": "0202", "kb-04": "0202 shut-in"}
    s = at_gifu(field, forces, values={"kb-04": {"modifier": "0"}})
    found = run(assault.carry_out(s, Assault("gifu", ("hb-01", "hb-02"))), [1, 1, 1, 1])
    assert [facts.get("step") for facts in told(found, "interception")] == [None, "hb-02"]
    assert {"hb-01", "hb-02"} <= s.acted
    s = at_gifu(field, {**forces, "kb-01": "0202 shut-in"}, values={"kb-01": {"front": "9"}})
    found = run(assault.carry_out(s, Assault("gifu", ("hb-01", "hb-02"))), [6, 1], [""])
    assert len(told(found, "interception")) == 1
    assert "hb-01" in s.acted
    assert "hb-02" not in s.acted
    assert s.besieging == set()


@pytest.mark.clause("17-1-2", "17-1")
def test_a_siege_and_an_assault_are_one_action(field: Field) -> None:
    s = at_gifu(field, {TEN: "0202", "kb-04": "0202 shut-in"})
    found = run(assault.carry_out(s, Besiege("gifu", ("hb-01",), assault=True)), [1, 1])
    assert [f.what for f in found if isinstance(f, Tell)][:3] == ["besiege", "interception", "assault"]
    assert s.besieging == {"hb-01"}


@pytest.mark.clause("17-1-5", "18-3", "19-1-1(fresh)")
@pytest.mark.parametrize(("die", "losses", "fought"), [(1, [], 2), (6, [Losses(("hb-07",))], 1)])
def test_who_began_a_siege_that_is_over_assaults_no_more(
    field: Field, die: int, losses: list[Losses], fought: int
) -> None:
    values = {unit: {"front": "1", "back": "1"} for unit in ("hb-02", "hb-04", "hb-06")} | {"kb-04": {"modifier": "0"}}
    s = at_gifu(field, {TEN: "0202", "hb-02": "0202", "kb-04": "0202 shut-in"}, values=values)
    order = Besiege("gifu", ("hb-01", "hb-02"), assault=True)
    found = run(assault.carry_out(s, order), [die, 1] * fought, losses)
    assert len(told(found, "interception")) == fought
    assert bool(s.besieging) == (fought == 2)
    assert {"hb-01", "hb-02"} <= s.acted


@pytest.mark.clause("21.0(2)", "21.0(3)")
def test_an_assault_can_bring_the_castle_down_for_the_force_that_assaults(field: Field) -> None:
    s = at_gifu(field, {TEN: "0202 besieging", "hb-02": "0202"}, "kobe 0 1")
    found = run(assault.carry_out(s, Assault("gifu", ("hb-02",))), [1, 6, 1])
    assert told(found, "fall")[0]["unit"] == "hb-02"
    assert s.owner == {}


# --- calls to surrender -----------------------------------------------------------------------------------------------


def why_not_call(s: State, force: str) -> str:
    """The clause by which a force can't call on Gifu, "" when it can."""
    refusal = surrender.why_not(s, "hashiba", Call("gifu", force))
    return refusal.clause if refusal is not None else ""


@pytest.mark.clause("20-1", "20.0", "17-1-5", "17-1-3")
def test_only_a_besieging_commander_calls(field: Field) -> None:
    s = at_gifu(
        field, {TEN: "0202 besieging", "hb-09": "0202 besieging", "hb-02": "0202", "hb-03": "0202 besieging acted"}
    )
    assert why_not_call(s, "hb-01") == ""
    assert why_not_call(s, "hb-09") == "20-1"
    assert why_not_call(s, "hb-02") == "17-1-5"
    assert why_not_call(s, "hb-03") == "12.0-2"


@pytest.mark.clause("20-1-1", "20-1-2", "20-3(C)")
def test_one_call_a_phase_and_none_with_an_assault(field: Field) -> None:
    forces = {TEN: "0202 besieging", "hb-02": "0202 besieging", "hb-03": "0202", "kb-04": "0202 shut-in"}
    s = at_gifu(field, forces)
    found = run(surrender.carry_out(s, Call("gifu", "hb-01")), [6])
    assert told(found, "call")[0]["answer"] == "B"
    assert (s.called, s.owner["gifu"]) == ({"gifu"}, "kobe")
    assert "hb-04" in s.acted
    assert why_not_call(s, "hb-02") == "20-1-2"
    assert refused(s, "hb-02") == "20-1-1"
    again = why_not_besiege(s, "hashiba", Besiege("gifu", ("hb-03",), assault=True))
    assert again is not None
    assert again.clause == "20-1-1"
    assert why_not_besiege(s, "hashiba", Besiege("gifu", ("hb-03",))) is None
    s = at_gifu(field, forces)
    run(assault.carry_out(s, Assault("gifu", ("hb-01",))), [1, 1])
    assert why_not_call(s, "hb-02") == "20-1-1"


@pytest.mark.clause("20-2", "20-2-1(1)", "20-2-1(2)", "20-2-1(3)", "20-3(A)", "20-3(B)", "10-2(2)")
@pytest.mark.parametrize(
    ("durability", "inside", "die", "refusal", "answer"),
    [
        (10, "kb-04", 4, False, "A"), (10, "kb-04", 5, False, "B"), (10, "kb-04", 5, True, "A"),
        (5, "kb-04", 1, False, "B"), (5, "kb-04", 2, False, "C"), (5, "kb-01", 2, False, "B"),
        (5, "kb-04 morale -4", 3, False, "D"), (1, "kb-04 morale -3", 4, False, "G"),
        (1, "kb-04 morale -4", 4, False, "H"),
    ],
)  # fmt: skip
def test_the_answer_hangs_on_durability_commander_morale_and_refusal(
    field: Field, durability: int, inside: str, die: int, refusal: bool, answer: str
) -> None:
    unit, *words = inside.split()
    s = at_gifu(field, {TEN: "0202 besieging", unit: f"0202 shut-in {' '.join(words)}"}, f"kobe 1 {durability}")
    if refusal:
        s.refuse.add("gifu")
    found = run(surrender.carry_out(s, Call("gifu", "hb-01")), [die])
    assert told(found, "call")[0]["answer"] == answer
    assert ("gifu" in s.resist) == (answer == "A")
    assert ("gifu" in s.refuse) == (answer == "B" or refusal)
    assert (s.owner["gifu"] == "hashiba") == (answer >= "D")
    assert s.durability["gifu"] == durability
    s.acted.clear()
    s.called.clear()
    assert why_not_call(s, "hb-01") == ("20-3(A)" if answer == "A" else "17.0" if answer >= "D" else "")
