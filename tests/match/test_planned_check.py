"""Plans before they are signed: what can never be used is an error, all else is tried as if the other did nothing."""

from __future__ import annotations

import pytest
from toy.players import Duel

from pbem.errors import IllegalOrder, MalformedOrder
from pbem.match.check import Checked, check
from pbem.scenario import Scenario, load_scenario


@pytest.fixture
def rounds(toy_system: Scenario) -> Duel:
    """A game in which each side has two phases a turn: red, blue, red-late, blue-late."""
    return Duel(load_scenario("rounds"))


def checked(game: Duel, text: str, name: str = "anna") -> Checked:
    return check(game.view(name), name, text)


@pytest.mark.parametrize(
    ("order", "twin", "clause"),
    [
        ("move lancer rear", "move scout rear", "T4"),
        ("if gone scout then move lancer rear", "if gone scout then hit lancer", "T4"),
        ("hit scout", "hit lancer", "T5"),
        ("flee scout", "bet 1", "T5"),
    ],
)
def test_a_plan_that_can_never_be_used_is_an_error(rounds: Duel, order: str, twin: str, clause: str) -> None:
    (error,) = checked(rounds, f"rest;\nin late: {order};").errors
    assert isinstance(error, IllegalOrder)
    assert (error.where, error.clause) == ("line 2", clause)
    assert error.what.startswith(f"`in late: {order}`: ")
    assert checked(rounds, f"rest;\nin late: {twin};").errors == []


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        ("in late: move scout to rear", MalformedOrder, "where `to` leads isn't known before"),
        ("in red-late: if gone lancer then move scout to rear", MalformedOrder, "where `to` leads isn't known before"),
        ("in late: move lancer to rear", IllegalOrder, "lancer is not red's"),
        ("in red: move scout to rear", MalformedOrder, "`in red:` names no phase of mine that comes later"),
        ("in late: bet to 1", MalformedOrder, "is no order"),
    ],
)
def test_to_in_a_plan_is_refused_with_the_true_reason(rounds: Duel, text: str, kind: type, why: str) -> None:
    (error,) = checked(rounds, f"rest;\n{text};").errors
    assert isinstance(error, kind)
    assert why in str(error)
    assert error.where == "line 2"
    assert checked(rounds, "rest; in late: move scout rear;").errors == []
