"""Orders of a later step that can never be legal are refused by `check`, as by the phase to which they belong."""

from __future__ import annotations

import pytest
from matches import Match, scenario_of

from pbem.errors import IllegalOrder
from pbem.match.check import check
from pbem.match.later import never

UNION, CONFEDERATE = "union", "confederate"


def refused(scenario: str, side: str, *lines: str) -> list[tuple[str, str, str]]:
    """Where orders are wrong at the first decision of a side, why and by which clause."""
    match = Match(scenario_of(scenario), 7)
    if side == CONFEDERATE:
        match.play("")
    due = {player.side: player.name for player in match.table.genesis.players}
    found = check(match.table, due[side], "\n".join([*lines, "done"]))
    assert all(isinstance(error, IllegalOrder) for error in found.errors)
    return [(e.where, e.what.partition(": ")[2], e.clause) for e in found.errors if isinstance(e, IllegalOrder)]


@pytest.mark.parametrize(
    ("order", "reason", "clause"),
    [
        ("entrench buford", "Buford is cavalry, and can't do it", "std-9.0-1"),
        ("activate pope march crawford", "Pope is an army leader, and activates nobody", "std-5.2-3"),
        ("march pope", "pope Pope is a leader, no combat unit", "std-2.2-1"),
        ("march sigel", "sigel Sigel is a leader, no combat unit", "std-2.2-1"),
        ("march jackson", "jackson Jackson isn't yours", "std-4.0-3"),
        ("evade yes", "such an order isn't given in this phase", "std-3.0-2"),
        ("raid crawford", "the Union raids no stations", "std-5.4-1"),
        ("rail crawford S1319", "nobody goes by rail in this scenario", "13.5-sp3e1"),
        ("merge crawford into augur", "nobody merges in the basic game", "14.0-0"),
        ("march ricketts", "Ricketts may neither act nor entrench until turn 2", "13.1-sp3"),
    ],
)
def test_an_order_of_a_later_step_that_is_never_legal_is_refused(order: str, reason: str, clause: str) -> None:
    assert refused("cedar-mountain", UNION, order) == [("line 1", reason, clause)]
    assert refused("cedar-mountain", UNION, f"if alive crawford then {order}") == [("line 1", reason, clause)]


def test_nobody_entrenches_in_the_raid() -> None:
    assert refused("stuarts-raid", CONFEDERATE, "entrench f-lee") == [
        ("line 1", "nobody entrenches in this scenario", "13.3-sp6")
    ]


def test_what_may_be_legal_when_its_step_comes_is_not_refused() -> None:
    assert (
        refused("cedar-mountain", UNION, "march crawford", "march milroy", "entrench crawford", "bridge augur S0512")
        == []
    )


@pytest.mark.parametrize(
    ("phase", "order", "wrong"),
    [
        ("confederate-transfer", "transfer jackson winder", ""),
        ("confederate-transfer", "march winder S0832", ""),
        ("confederate-transfer", "entrench lawton", ""),
        ("confederate-transfer", "entrench robertson", "Robertson is cavalry, and can't do it"),
        ("confederate-transfer", "march pope S0832", "pope Pope isn't yours"),
        ("cycle", "transfer jackson winder", "leaders are transferred before the action cycle"),
        ("cycle", "evade yes", "units and leaders act in the action cycle, or a side passes"),
        ("cycle", "entrench lawton", ""),
        ("confederate-recovery", "march winder S0832", "such an order isn't given in this phase"),
    ],
)
def test_what_may_stand_in_one_mail_with_a_decision_is_laid_for_it(phase: str, order: str, wrong: str) -> None:
    """A plan for the whole turn, as its form describes it, was refused for the leader transfer of the next one."""
    match = Match(scenario_of("cedar-mountain"), 7)
    match.play("done")
    (name,) = (player.name for player in match.table.genesis.players if player.side == CONFEDERATE)
    found = [error.what.partition(": ")[2] for error in never(match.table, name, phase, order, due=False, turn=2)]
    assert found == ([wrong] if wrong else [])
