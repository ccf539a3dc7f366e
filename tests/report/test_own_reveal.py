"""Who sends a bare reveal reads what its dice have brought, as long as nothing has come behind it."""

from __future__ import annotations

from matches import Match, scenario_of

from pbem.report.source import report_input


def revealing(number: int) -> Match:
    """A match in which, with some dice, a reveal alone is due behind two entries of orders."""
    match = Match(scenario_of("cedar-mountain"), number)
    match.play("march buford S0223;\nmarch me-1 S1625;")
    match.play("march winder S0832;")
    return match


def test_the_report_behind_my_reveal_tells_what_its_dice_have_brought() -> None:
    """It said that nothing had happened, and the opponent's told all."""
    scenario = scenario_of("cedar-mountain")
    match = next(found for number in range(30) if (found := revealing(number)).due() == ("reveal", "asuka"))
    match.play()
    told = {reader: report_input(match.table, scenario, reader) for reader in ("asuka", "ben")}
    dice = {reader: [s["label"] for s in data["steps"] if s["kind"] == "roll"] for reader, data in told.items()}
    assert "march/winder/1" in dice["asuka"]
    assert dice["asuka"] == dice["ben"]
    assert told["asuka"]["since"] == match.table.seq - 1, "the entry of which they are"
    match.play("pass;")
    behind = report_input(match.table, scenario, "asuka")["steps"]
    assert behind
    assert all(step["seq"] == match.table.seq for step in behind), "he has read the rest"
