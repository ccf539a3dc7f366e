"""Orders that wait are told as long as a phase that is left of the turn may have them."""

from __future__ import annotations

from matches import Match, scenario_of

from pbem.report.source import report_input


def waiting(*orders: str) -> list[str]:
    """What is told to be left of the Confederates' orders while the Union is asked for its works."""
    scenario = scenario_of("cedar-mountain")
    match = Match(scenario, 7)
    match.play("pass;")
    match.play("".join(f"{order};\n" for order in orders))
    while match.due()[0] == "reveal":
        match.play()
    assert match.table.rules.clock(match.table.game.state) == (1, "union-recovery")
    return [part["order"] for part in report_input(match.table, scenario, None)["left"]["confederate"]]


def test_orders_of_a_cycle_that_is_over_wait_no_more() -> None:
    assert waiting("pass", "march winder S0832") == []


def test_orders_of_the_recovery_still_wait() -> None:
    assert waiting("pass", "march winder S0832", "entrench winder") == ["entrench winder"]
