"""What order forms of all systems have in common, with made-up snowball throws."""

from __future__ import annotations

from typing import NamedTuple

from pbem.rules.kit.form import by_target, closing
from pbem.rules.requests import FormEntry


class Throw(NamedTuple):
    thrower: str
    target: str


def test_orders_are_gathered_by_target_in_the_order_in_which_they_come() -> None:
    first, second, third = Throw("ann", "tom"), Throw("ann", "ida"), Throw("bea", "tom")
    assert list(by_target((first, second, third)).items()) == [("tom", [first, third]), ("ida", [second])]


def test_a_form_ends_with_the_order_that_closes_the_phase() -> None:
    assert closing("done") == FormEntry("The phase", ((("done",), "ends the phase"),))
    assert closing("pass").orders == ((("pass",), "ends the phase"),)
