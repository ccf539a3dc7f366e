"""What the tests of rulings share: which tests show each, which tests there are, and which rulings the page has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

__all__ = ["TESTS", "numbers", "shown", "untested"]

TESTS = Path(__file__).resolve().parents[1]


def shown(text: str) -> dict[int, list[str]]:
    """Ruling -> the tests that show it, of lines with a number and a test, the number left out where it is the same."""
    found: dict[int, list[str]] = {}
    for line in text.split("\n")[1:-1]:
        number, name = line[:5].strip(), line[5:]
        found.setdefault(int(number) if number else max(found), []).append(f"test_{name}")
    return found


def _names(files: Iterable[Path]) -> set[str]:
    """The names of all tests in these files."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


def untested(text: str, files: Iterable[Path]) -> list[str]:
    """The tests that are to show rulings and aren't in these files."""
    known = _names(files)
    return [f"R{number} {test}" for number, tests in shown(text).items() for test in tests if test not in known]


def numbers(begin: str, end: str) -> tuple[list[int], int]:
    """The rulings between two headings of the page, to its end where it has no such heading; how often one is given."""
    text = (TESTS.parent / "docs" / "rulings.md").read_text(encoding="utf-8")
    ours = text.partition(begin)[2].partition(end)[0]
    return [int(number) for number in re.findall(r"^\*\*R(\d+)\*\* \(", ours, re.MULTILINE)], ours.count("*Ruling:*")
