"""An order file with thousands of errors is judged in a moment: its text is cleaned once, not for each of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from match.entry_hex import beside_the_entry
from toy.players import Duel

from pbem.errors import IllegalOrder
from pbem.match import check as checking
from pbem.match import later
from pbem.match.check import check
from pbem.match.faults import ERRORS_MAX
from pbem.match.later import never
from pbem.wire import orderfile

MANY = 1_000
UNREADABLE = "移動 1\n" * MANY
UNKNOWN = "".join(f"rest me{number} to yy{number}\n" for number in range(MANY))


@pytest.fixture
def cleaned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts whose lines were made, each time."""
    texts: list[str] = []

    def counted(text: str) -> list[str]:
        texts.append(text)
        return lines_of(text)

    lines_of = orderfile.lines_of
    for module in (orderfile, checking, later):
        monkeypatch.setattr(module, "lines_of", counted)
    return texts


@pytest.mark.parametrize("text", [UNREADABLE, UNKNOWN])
def test_the_text_is_cleaned_a_few_times_however_many_errors(
    duel: Callable[..., Duel], cleaned: list[str], text: str
) -> None:
    table = duel().table
    found = check(table, "anna", text).errors
    assert len(found) >= ERRORS_MAX
    never(table, "anna", "red", text, due=False)
    assert len(cleaned) <= 6
    assert all(error.where for error in found)


def test_laid_orders_are_read_no_further_than_others_behind_many_errors(duel: Callable[..., Duel]) -> None:
    found = never(duel().table, "anna", "red", UNKNOWN, due=False)
    assert len(found) == ERRORS_MAX + 1
    assert "too many errors; from here on nothing is read" in str(found[-1])


@pytest.mark.parametrize("unreadable", [0, 90])
def test_of_orders_that_the_rules_refuse_no_more_are_told(duel: Callable[..., Duel], unreadable: int) -> None:
    text = "rest yy\n" * unreadable + "move scout rear\n" * MANY
    *told, last = check(duel().table, "anna", text).errors
    assert len(told) == ERRORS_MAX
    assert sum(isinstance(error, IllegalOrder) for error in told) == ERRORS_MAX - unreadable
    assert str(last).endswith(" more are left out; mend the first ones, then try again")


def test_of_many_orders_no_more_futures_are_looked_at_than_their_words_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where orders lapse in all of them: 4,900 took four times as long as was meant."""
    monkeypatch.setattr(checking, "WORDS", 20 * 4 * 60)
    text = "melee sg-01 at go-01;\n" * 60
    (error, *_) = check(beside_the_entry("0229"), "second", text).errors
    assert "in every one of 20 futures" in str(error)
