"""The tally of the mail corpus: how many mails of each family gave the same turn, a refusal, another turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

Tally = dict[str, Counter[str]]
TALLY = pytest.StashKey[Tally]()
COLUMNS = ("same", "refused", "wrong")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TALLY] = {}


@pytest.fixture
def count(pytestconfig: pytest.Config) -> Callable[[str, str], None]:
    """Counts a mail: `count(family, outcome)`."""
    tally = pytestconfig.stash.setdefault(TALLY, {})

    def note(family: str, outcome: str) -> None:
        assert outcome in COLUMNS
        tally.setdefault(family, Counter())[outcome] += 1

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    tally = config.stash.get(TALLY, {})
    if not tally:
        return
    total: Counter[str] = Counter()
    for counts in tally.values():
        total += counts
    terminalreporter.section("mail corpus")
    width = max(map(len, tally))
    terminalreporter.write_line(f"{'family':{width}}  {'mails':>6}  same turn  refused  wrong turn")
    for family, counts in [*sorted(tally.items()), ("all", total)]:
        same, refused, wrong = (counts[column] for column in COLUMNS)
        terminalreporter.write_line(
            f"{family:{width}}  {counts.total():6}  {same:9}  {refused:7}  {wrong:10}", red=wrong > 0
        )
