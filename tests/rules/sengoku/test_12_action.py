"""Rulebook 12, with 11-3: one action a phase, of whichever kind, and the board as it is then."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.sengoku.activities import run
from rules.sengoku.test_15_movement import do, move, why

from pbem.rules.sengoku import recovery
from pbem.rules.sengoku.orders import Recover
from pbem.rules.sengoku.state import State

ROW = ". " * 30 + "\n"
HIMEJI = {"himeji": "0101 hashiba 3"}
FROM_HIMEJI = {"hashiba": "himeji"}


def why_no_recovery(s: State, force: str) -> str | None:
    """The clause by which a force can't restore its morale."""
    refusal = recovery.why_not(s, "hashiba", Recover(force))
    return None if refusal is None else refusal.clause


@pytest.mark.clause("12.0-2", "12-2-3", "12-1-2")
def test_whatever_a_force_has_done_it_acts_once_in_a_phase(field: Callable[..., State]) -> None:
    def begin() -> State:
        forces = {"hb-02 hb-04": "0105 morale -2", "hb-06": "0106 morale -1"}
        return field(ROW, forces, castles=HIMEJI, main=FROM_HIMEJI)

    s = begin()
    do(s, move(s, "hb-02", "0104"))
    assert why_no_recovery(s, "hb-02") == "12.0-2"
    s = begin()
    run(recovery.carry_out(s, Recover("hb-02")))
    assert why(s, move(s, "hb-02", "0104")) == "12.0-2"
    assert why_no_recovery(s, "hb-02") == "12.0-2"
    assert (why(s, move(s, "hb-06", "0105")), why_no_recovery(s, "hb-06")) == (None, None)


@pytest.mark.clause("12.0-1", "11-3-2", "12-1-1")
def test_forces_act_in_the_order_that_their_owner_chooses_and_some_do_not(field: Callable[..., State]) -> None:
    forces = {"hb-04": "0120", "hb-06": "0112", "hb-07": "0103"}
    s = field(ROW, forces, castles=HIMEJI, main=FROM_HIMEJI)
    go = move(s, "hb-04", "0121", "strategic")
    assert why(s, go) is None
    do(s, move(s, "hb-06", "0111"))
    assert why(s, go) == "15-3-2"  # in the other order it was legal
    assert why(s, move(s, "hb-07", "0104")) is None
    assert s.acted == {"hb-06"}
    assert s.at["hb-07"] == s.board.parse("0103")


@pytest.mark.clause("11-3(4)", "11-4-3", "11-3-2")
@pytest.mark.parametrize(("enemy", "dice"), [("0130", 0), ("0103", 1)])
def test_a_line_cut_just_before_costs_recovery_a_die(field: Callable[..., State], enemy: str, dice: int) -> None:
    s = field(ROW, {"hb-04": "0105 morale -2", "kb-03": "0130"}, castles=HIMEJI, main=FROM_HIMEJI)
    s.put("kb-03", s.board.parse(enemy))
    told = run(recovery.carry_out(s, Recover("hb-04")), [3] * dice)
    assert len(told) == 1 + dice
    assert s.morale["hb-04"] == (-2 if dice else -1)
