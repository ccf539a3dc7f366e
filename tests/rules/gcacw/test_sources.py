"""docs/gcacw-sources.yaml: where each rule comes from, and where it is corrected; the page docs/gcacw-sources.md.

`PBEM_REGENERATE=1 pytest tests/rules/gcacw/test_sources.py` writes the page anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import yaml
from golden import REGENERATE, ROOT
from rules.gcacw.conftest import CAMPAIGNS, SCENARIOS
from rules.test_pages import shown

from pbem.scenario import load_scenario

DOCS = ROOT / "docs"
BASES = ("rulebook", "found", "remembered", "reconstructed")
FILES = {
    "tables": "`{}` in `tables.yaml`",
    "scenario": "`{}` in the scenario's file",
    "army": "`{}` in `armies/*.yaml`",
    "map": "`{}` in `maps/virginia.yaml`",
    "option": "option `{}`",
}
"""The kind of place in which a rule is corrected -> how the page names it."""

HEAD = """\
# gcacw: where each rule comes from

For each rule whether it is the rulebook's, *found* in later editions of the series or in what is written of them,
*remembered*, or *reconstructed*, where none of these tells; and where whoever owns the game corrects it: keys of the
data under `scenarios/gcacw`, or a named option of a scenario. Your own copies lie in the folder `scenarios` of your
home, as [adding-a-scenario.md](adding-a-scenario.md) says. Corrections are data or a named option, never code. Where
nothing stands under *corrected in* the program itself follows the rule, and another reading of it would need an option
first. Numbers are those of the clauses, words ours; `pbem rules gcacw NUMBER` shows what the page of rules says on one.
This page is printed from `docs/gcacw-sources.yaml`.
"""


def chapters() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load((DOCS / "gcacw-sources.yaml").read_text("utf-8"))
    return found


def rules() -> Iterator[dict[str, Any]]:
    for chapter in chapters():
        yield from chapter["rules"]


def where(rule: Mapping[str, Any]) -> str:
    """Where a rule is corrected, as the page says it."""
    kind, _, key = rule.get("change", "").partition(" ")
    return FILES[kind].format(key) if kind else ""


def page() -> str:
    """docs/gcacw-sources.md, from the data."""
    lines = [HEAD, "| chapter | " + " | ".join(BASES) + " |", "| --- |" + " --- |" * len(BASES)]
    total = Counter[str]()
    for chapter in chapters():
        counts = Counter(rule["basis"] for rule in chapter["rules"] for _ in rule["clauses"])
        total += counts
        lines.append(_row(chapter["chapter"], counts))
    lines.append(_row("together", total))
    for chapter in chapters():
        lines += ["", f"## {chapter['chapter']}", "", "| rule | basis | corrected in | clauses |", "|" + " --- |" * 4]
        for rule in chapter["rules"]:
            lines.append(f"| {rule['rule']} | {rule['basis']} | {where(rule)} | {', '.join(rule['clauses'])} |")
    return "\n".join(lines) + "\n"


def _row(name: str, counts: Counter[str]) -> str:
    return f"| {name} | " + " | ".join(str(counts[basis] or "") for basis in BASES) + " |"


def test_each_clause_that_has_a_test_stands_there_once() -> None:
    listed = [clause for rule in rules() for clause in rule["clauses"]]
    assert len(listed) == len({*listed})
    assert {*listed} == shown("gcacw")


def test_each_rule_has_words_and_a_basis() -> None:
    for rule in rules():
        assert rule.keys() <= {"rule", "basis", "change", "clauses"}
        assert rule["basis"] in BASES
        assert rule["rule"]
        assert rule["clauses"]


def _has(data: Any, key: str) -> bool:
    """Whether there is something at a path of keys, `advanced.home`."""
    for word in key.split("."):
        if not isinstance(data, Mapping) or word not in data:
            return False
        data = data[word]
    return True


@pytest.mark.parametrize("change", sorted({rule["change"] for rule in rules() if "change" in rule}))
def test_what_is_to_be_corrected_is_in_the_data(change: str) -> None:
    kind, _, key = change.partition(" ")
    loaded = [load_scenario(name).data for name in (*SCENARIOS, *CAMPAIGNS)]
    found: dict[str, Callable[[Mapping[str, Any]], Any]] = {
        "tables": lambda data: data["tables"],
        "scenario": lambda data: data["scenario"],
        "option": lambda data: data["scenario"]["options"],
        "army": lambda data: data["armies"]["union"],
        "map": lambda data: data["maps"]["virginia"],
    }
    assert any(_has(found[kind](data), key) for data in loaded)


def test_every_option_corrects_a_rule() -> None:
    named = {rule["change"].partition(" ")[2] for rule in rules() if rule.get("change", "").startswith("option ")}
    scenarios = [load_scenario(name).data["scenario"] for name in (*SCENARIOS, *CAMPAIGNS)]
    assert named == {option for scenario in scenarios for option in scenario["options"]}


def test_the_page_is_that_of_the_data() -> None:
    file = DOCS / "gcacw-sources.md"
    if REGENERATE:
        file.write_text(page(), "utf-8", newline="\n")
    assert file.read_text("utf-8") == page()
