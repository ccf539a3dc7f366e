"""The rulings from R151 on of docs/rulings.md: which tests show each."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]

SHOWN = """
151  control_of_both_sides_overlaps_and_neither_cancels_the_other
     a_besieged_castle_controls_nothing_and_its_besiegers_do
     an_enemy_castles_hex_is_usable_with_a_friend_in_it
158  a_castle_in_enemy_control_needs_a_garrison_to_begin_or_relay_a_line
     the_source_of_a_leg_is_not_charged_and_its_end_is
     a_main_castle_is_a_mere_relay_to_other_armies
"""
"""Rulings and the tests that show them, without their `test_`."""


def shown() -> dict[int, list[str]]:
    """Ruling -> the tests that show it."""
    found: dict[int, list[str]] = {}
    for line in SHOWN.split("\n")[1:-1]:
        number, name = line[:5].strip(), line[5:]
        found.setdefault(int(number) if number else max(found), []).append(f"test_{name}")
    return found


def test_the_tests_of_every_ruling_exist() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in Path(__file__).parent.glob("test_*.py")]
    known = {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}
    missing = [f"R{number} {test}" for number, tests in shown().items() for test in tests if test not in known]
    assert missing == []


def test_every_ruling_has_its_tests_and_none_is_doubled() -> None:
    text = (TESTS.parent / "docs" / "rulings.md").read_text(encoding="utf-8")
    ours = text.partition("## sengoku/1")[2]
    found = [int(number) for number in re.findall(r"^\*\*R(\d+)\*\* \(", ours, re.MULTILINE)]
    assert found == sorted(found) == list(shown())
    assert ours.count("*Ruling:*") == len(found) > 0
