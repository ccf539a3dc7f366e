"""README.md: what it says of scenarios is what their files say."""

from __future__ import annotations

import re

from golden import ROOT

from pbem.rules import rules_of
from pbem.scenario import list_scenarios, load_scenario
from pbem.scenario import mails as mails_of

README = (ROOT / "README.md").read_text("utf-8")


def test_the_table_of_scenarios_has_turns_and_measured_mails() -> None:
    row = r"^\|[^|]*\| `([\w-]+)`, [^|]*\|[^|]*\| (\d+) \| (?:(\d+) to (\d+) )?\|$"
    rows = {name: (turns, mails) for name, turns, *mails in re.findall(row, README, re.M)}
    assert set(rows) == {summary.id for summary in list_scenarios()}
    for name, (turns, mails) in rows.items():
        scenario = load_scenario(name)
        measured = [str(end) for end in mails_of(scenario, "standing") or ("", "")]
        assert (turns, mails) == (scenario.data["scenario"]["turns"], measured)


def test_questions_take_up_to_so_many_times_the_mails() -> None:
    assert "up to six times as many" in README
    scenarios = [load_scenario(summary.id) for summary in list_scenarios()]
    most = [[mails_of(scenario, reactions) for reactions in ("ask", "standing")] for scenario in scenarios]
    assert 5.5 < max(ask[1] / standing[1] for ask, standing in most if ask and standing) <= 6.1


def test_the_numbers_of_units_are_those_of_the_scenarios() -> None:
    yao = load_scenario("yao")
    board = rules_of("yukimura").board(yao.data)
    held = {line["force"] for line in yao.data["scenario"]["held"]}
    count = sum(unit.force in held for unit in board.units.values())
    assert f"{count} of its {len(board.units)} units can't move" in README
    toba = rules_of("bakumatsu").board(load_scenario("toba-fushimi").data)
    assert f"Satsuma-Choshu has {len(toba.of_side['satcho'])}" in " ".join(README.split())
