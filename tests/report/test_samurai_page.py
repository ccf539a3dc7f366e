"""docs/samurai.md: its examples can be read, and it has every order word, condition and number."""

from __future__ import annotations

import re

import pytest
from golden import ROOT
from systems.test_reports import empty_table

from pbem.match.orders import read_parts
from pbem.rules import rules_of
from pbem.rules.kit.words import CONDITIONS
from pbem.rules.samurai.orders import STATES, USAGE
from pbem.scenario import load_scenario
from pbem.wire.orderfile import parse_statements

PAGE = (ROOT / "docs" / "samurai.md").read_text(encoding="utf-8")


def examples() -> list[str]:
    """The orders of the page: those in code that end with a semicolon, and its lines."""
    lines = [line.strip() for line in PAGE.splitlines() if line.startswith("    ") and line.endswith(";")]
    return [*dict.fromkeys([*lines, *re.findall(r"`([^`]+;)`", PAGE)])]


@pytest.mark.parametrize("text", [text for text in examples() if not re.search(r"move \S+ to [a-z]", text)])
def test_an_example_of_the_page_can_be_read(text: str) -> None:
    found, wrong = parse_statements(text)
    assert wrong == []
    parts, errors = read_parts(rules_of("samurai"), empty_table("samurai", "skirmish").board, "red", found)
    assert errors == []
    assert len(parts) == 1


def test_the_page_has_every_order_word_and_condition() -> None:
    for word in USAGE:
        assert re.search(rf"`{word}\b", PAGE), word
    for word in CONDITIONS:
        assert f"| `{word} " in PAGE, word
    for word in STATES:
        assert f"`is U {word}`" in PAGE, word


def test_the_points_are_those_of_tables_and_lists() -> None:
    boards = {name: rules_of("samurai").board(load_scenario(name).data) for name in ("skirmish", "pitched-battle")}
    for kind in boards["skirmish"].tables.types.values():
        assert f"| {kind.id} | {kind.figures} | {kind.points} | {kind.figures * kind.points} |" in PAGE
    points = [load_scenario(name).data["scenario"]["points"] for name in boards]
    spent = [board.points["red"] for board in boards.values()]
    assert [board.points["black"] for board in boards.values()] == spent
    assert "{} in `skirmish`, {} in the others, of which the lists that lie here use {} and {}".format(
        *points, *spent
    ) in " ".join(PAGE.split())
