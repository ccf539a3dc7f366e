"""What the other player may choose behind the dice is told before orders are signed, where the game ends by it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from match.entry_hex import ATTACK, beside_the_entry

from pbem.match.chances import Steady
from pbem.match.check import check
from pbem.match.form import form
from pbem.match.table import Table
from pbem.report.odds import Chances, chances

MELEE = ("melee", "sg-01", "at", "go-01")
IN_0131 = "go-01 Imperial Guard 1st Regiment, I entered the entry hex 0131 Kumamoto road of Saigo's Army [14(4)1]"


@pytest.fixture(scope="module")
def asked() -> Table:
    """Who is asked for a retreat is asked behind the dice; the rules would retreat to 0331."""
    return beside_the_entry("0229", reactions="ask")


def odds(table: Table) -> Chances:
    return chances(table, "saigo", MELEE)


def test_check_asks_about_a_defeat_that_the_other_may_choose(asked: Table) -> None:
    found = check(asked, "second", ATTACK)
    said = f"line 1: I lose the game in 37.5 % of the futures by `{' '.join(MELEE)}`, if first so chooses: {IN_0131}"
    assert [str(ending) for ending in found.endings] == [said]
    assert found.doubts == [said], "send asks about it"


def test_futures_played_out_find_it_too(asked: Table) -> None:
    """As behind other orders, where not every throw is counted."""
    (ending,) = check(asked, "second", ATTACK, Steady(1)).endings
    assert (ending.chooser, ending.lost, ending.about, ending.words) == ("first", True, True, MELEE)
    assert 0.2 < ending.share < 0.6


def test_the_form_says_it_of_the_order(asked: Table) -> None:
    lines = " ".join(line.lstrip("# ") for line in form(asked, "second").splitlines())
    assert f"may lose the game (37.5 %, if first so chooses): {IN_0131}" in lines


def test_the_odds_have_it_exactly(asked: Table) -> None:
    found = odds(asked)
    assert found.choices == {f"Government wins, {IN_0131}, if first so chooses": Fraction(3, 8)}
    assert not found.ends
    assert sum(found.each.values()) == 1


def test_standing_orders_and_the_default_leave_him_no_choice(asked: Table) -> None:
    assert not odds(beside_the_entry("0229")).choices, "the rules retreat to 0331"
    ordered = asked.fork()
    ordered.course.standing["government"].append(("retreat", "any", "0131"))
    found = odds(ordered)
    assert not found.choices
    assert found.ends == {f"Government wins, {IN_0131}": Fraction(3, 8)}


def test_an_answer_that_he_has_only_one_of_is_no_choice() -> None:
    found = odds(beside_the_entry("0229", "0129", "0330", reactions="ask"))
    assert not found.choices
    assert list(found.ends) == [f"Government wins, {IN_0131}"]
