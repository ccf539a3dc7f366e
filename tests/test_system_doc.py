"""docs/adding-a-system.md names all that a system offers, asks and tells to every report."""

from __future__ import annotations

import inspect
import re

from golden import ROOT

from pbem.rules import Rules
from pbem.rules.requests import Choose, Draw, Roll, Tell

PAGE = (ROOT / "docs" / "adding-a-system.md").read_text("utf-8")
NAMED = {word for code in re.findall(r"`([^`\n]+)`", PAGE) for word in re.findall(r"[A-Za-z_]+", code)}


def test_it_names_the_whole_protocol() -> None:
    members = [name for name, what in vars(Rules).items() if inspect.isfunction(what) and name[0] != "_"]
    assert len(members) > 15
    assert {*members, *Rules.__annotations__} <= NAMED


def test_it_names_what_rules_ask_for() -> None:
    assert {*Choose._fields, *Tell._fields, *Draw.__slots__, *Roll.__slots__} <= NAMED


def test_it_names_the_parts_of_the_kit() -> None:
    kit = {file.stem for file in (ROOT / "pbem" / "rules" / "kit").glob("*.py")} - {"__init__"}
    assert kit <= NAMED, kit - NAMED


def test_it_names_the_events_that_reports_know() -> None:
    """Those that the reports' own code names."""
    code = "".join(
        (ROOT / "pbem" / "report" / name).read_text("utf-8") for name in ("build.py", "actions.py", "telling.py")
    )
    events = set(re.findall(r'_events\(steps, "(\w+)"\)', code)) | set(re.findall(r'what"?\]? (?:==|!=) "(\w+)"', code))
    (more,) = re.findall(r"what in \(([^)]*)\)", code)
    events |= set(re.findall(r'"(\w+)"', more))
    assert len(events) == 8
    assert events <= NAMED, events - NAMED


def test_the_files_it_names_are_there() -> None:
    paths = [path for path in re.findall(r"`?((?:docs|pbem|templates|tests)/[\w./-]+\w)", PAGE) if "NAME" not in path]
    assert len(paths) > 8
    assert not [path for path in paths if not (ROOT / path).exists()]
