"""Recovery of morale (rulebook 26)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.sengoku.activities import run

from pbem.rules.requests import Roll, Tell
from pbem.rules.sengoku import recovery
from pbem.rules.sengoku.orders import Recover
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
ROWS = ". . .\n . . ."


@pytest.mark.clause("26.0", "12.0-2", "10-1")
def test_only_a_lowered_morale_is_restored_and_it_is_the_action_of_the_phase(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-04": "0101 morale -1", "hb-03": "0102"}, castles={"himeji": "0103 hashiba 1"},
              main={"hashiba": "himeji"})  # fmt: skip
    assert recovery.why_not(s, "hashiba", Recover("hb-02")) is None
    assert list(recovery.options(s, "hb-02")) == [Recover("hb-02")]
    refusal = recovery.why_not(s, "hashiba", Recover("hb-03"))
    assert refusal is not None
    assert refusal.clause == "26.0"
    assert list(recovery.options(s, "hb-03")) == []
    run(recovery.carry_out(s, Recover("hb-02")))
    assert s.morale == {}
    assert s.acted == {"hb-02", "hb-04"}
    s.set_morale("hb-02", -1)
    again = recovery.why_not(s, "hashiba", Recover("hb-02"))
    assert again is not None
    assert again.clause == "12.0-2"


@pytest.mark.clause("26-1", "26-1-1")
def test_with_a_line_it_needs_no_die(field: Field) -> None:
    s = field(ROWS, {"hb-04": "0101 morale -2"}, castles={"himeji": "0103 hashiba 1"}, main={"hashiba": "himeji"})
    (told,) = run(recovery.carry_out(s, Recover("hb-04")))
    assert told == Tell("recover", "26-1-1", {"unit": "hb-04", "line": True, "recovers": True, "morale": -1})
    assert s.morale == {"hb-04": -1}


@pytest.mark.clause("26-1-2(1)", "26-1-2(2)", "26-1-2(3)")
@pytest.mark.parametrize(("force", "needed"), [("hb-04", 2), ("hb-02", 3), ("hb-01", 4)])
@pytest.mark.parametrize("above", [0, 1])
def test_without_a_line_a_die_decides_by_the_leaders_rank(field: Field, force: str, needed: int, above: int) -> None:
    s = field(ROWS, {force: "0101 morale -2"})
    roll, told = run(recovery.carry_out(s, Recover(force)), [needed + above])
    assert roll == Roll(f"recovery/{force}", dice=1)
    assert (told.clause, told.facts["recovers"], told.facts["needed"]) == ("26-1-2", not above, needed)
    assert s.morale == {force: -2 if above else -1}


@pytest.mark.clause("26-1-2(2)", "16-4")
def test_a_besieged_garrison_has_no_line_and_needs_the_die(field: Field) -> None:
    besieged = {"kb-01": "0102 shut-in morale -1", "hb-01 hb-04": "0102 besieging"}
    for forces, dice in ((besieged, [4]), ({"kb-01": "0102 shut-in morale -1"}, [])):
        s = field(ROWS, forces, castles={"gifu": "0102 kobe 0"}, main={"kobe": "gifu"})
        assert len(run(recovery.carry_out(s, Recover("kb-01")), dice)) == len(dice) + 1
        assert s.morale == ({"kb-01": -1} if dice else {})
