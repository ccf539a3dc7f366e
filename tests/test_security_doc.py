"""docs/security.md: every test that it names exists, every promise names one, and its number is true."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from pbem.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "security.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"tests/[a-z0-9_/]+\.py::test_[a-z0-9_]+", TEXT)))


@cache
def functions_in(path: Path) -> frozenset[str]:
    """The test functions of a file, those of its classes too."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return frozenset(node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"))


@pytest.mark.parametrize("name", NAMED)
def test_a_test_that_is_named_exists(name: str) -> None:
    file, _, function = name.partition("::")
    assert (ROOT / file).is_file()
    assert function in functions_in(ROOT / file)


def test_a_test_that_does_not_exist_would_be_noticed() -> None:
    assert "test_what_one_free_throw_is_worth" in functions_in(Path(__file__))
    assert "test_what_two_free_throws_are_worth" not in functions_in(Path(__file__))


def test_nothing_that_looks_like_a_test_is_overlooked() -> None:
    assert len(NAMED) >= 80
    named_in_code = re.findall(r"`([^`\s]*(?:tests/|::)[^`\s]*)`", TEXT)
    assert set(named_in_code) == set(NAMED)


def test_every_promise_in_the_tables_names_a_test() -> None:
    rows = re.findall(r"(?m)^\| (?!---).*$(?!\n\| ---)", TEXT)
    assert len(rows) >= 12
    for row in rows:
        _, promise, reason, shown, _ = row.split("|")
        assert promise.strip()
        assert reason.strip()
        assert re.search(r"`tests/[^`]+::test_[^`]+`", shown), promise


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / "docs" / target).exists(), target


def sections() -> dict[str, str]:
    """The sections of the document by their titles."""
    _, *parts = re.split(r"(?m)^## (.*)\n", TEXT)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("title", sections())
def test_every_section_names_tests(title: str) -> None:
    assert re.search(r"`tests/[^`]+::test_[^`]+`", sections()[title])


PROOFS = [
    "tests/audit/test_evidence.py",
    "tests/audit/test_diff.py",
    "tests/home/test_backup.py",
    "tests/audit/test_audit.py",
]
PROOFS += [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tests" / "attacks").glob("test_*.py"))]


@pytest.mark.parametrize("file", PROOFS)
def test_every_file_that_tests_a_promise_is_named(file: str) -> None:
    """What shows a promise can be found from the promise: every attack, and every command that proves something."""
    assert any(name.startswith(f"{file}::") for name in NAMED)


@pytest.mark.parametrize("command", ["evidence", "diff", "backup", "restore", "verify", "rekey", "rolls"])
def test_every_command_that_serves_security_is_named(command: str) -> None:
    assert f"pbem {command}" in TEXT
    assert command in COMMANDS


def test_what_one_free_throw_is_worth() -> None:
    """The mean of a die that may be thrown again once, whenever that is better than the mean of another throw."""
    once = Fraction(sum(range(1, 7)), 6)
    again = sum(max(Fraction(face), once) for face in range(1, 7)) / 6
    assert (float(once), float(again)) == (3.5, 4.25)
    assert "4.25 on the average, not 3.5" in TEXT.replace("\n", " ")
