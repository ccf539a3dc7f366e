"""README.md: what it says of scenarios is what their files say."""

from __future__ import annotations

import re

from golden import ROOT

from pbem.rules import rules_of
from pbem.scenario import list_scenarios, load_scenario

README = (ROOT / "README.md").read_text("utf-8")


def test_the_table_of_scenarios_has_turns_and_measured_mails() -> None:
    row = r"^\|[^|]*\| `([\w-]+)`, [^|]*\|[^|]*\| (\d+) \| (?:(\d+) to (\d+) )?\|$"
    rows = {name: (turns, mails) for name, turns, *mails in re.findall(row, README, re.M)}
    assert set(rows) == {summary.id for summary in list_scenarios()}
    for name, (turns, mails) in rows.items():
        data = load_scenario(name).data["scenario"]
        measured = data["mails"]["standing"] if "mails" in data else ["", ""]
        assert (turns, mails) == (data["turns"], measured)


def test_questions_take_up_to_so_many_times_the_mails() -> None:
    assert "up to six times as many" in README
    scenarios = [load_scenario(summary.id).data["scenario"] for summary in list_scenarios()]
    mails = [data["mails"] for data in scenarios if "mails" in data]
    assert 5.5 < max(int(kind["ask"][1]) / int(kind["standing"][1]) for kind in mails) <= 6.1


def test_the_numbers_of_units_are_those_of_the_scenarios() -> None:
    yao = load_scenario("yao")
    board = rules_of("yukimura").board(yao.data)
    held = {line["force"] for line in yao.data["scenario"]["held"]}
    count = sum(unit.force in held for unit in board.units.values())
    assert f"{count} of its {len(board.units)} units can't move" in README
    toba = rules_of("bakumatsu").board(load_scenario("toba-fushimi").data)
    assert f"Satsuma-Choshu has {len(toba.of_side['satcho'])}" in " ".join(README.split())
