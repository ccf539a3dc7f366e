"""Which of the standing orders counts, with made-up servants."""

from __future__ import annotations

import pytest

from pbem.rules.kit.standing import latest, preferences

ORDERS = [
    ("fetch", "tom", "wood"),
    ("fetch", "any", "water", "wood"),
    ("sing", "tom", "alto"),
    ("fetch", "tom", "milk", "water", "milk"),
    ("mood", "merry"),
]


@pytest.mark.parametrize(
    ("keyword", "unit", "right"),
    [
        ("fetch", "tom", ("milk", "water", "wood")),
        ("fetch", "ida", ("water", "wood")),
        ("sing", "tom", ("alto",)),
        ("sing", "ida", ()),
    ],
)
def test_the_units_own_latest_order_comes_first_then_that_for_any_each_word_once(
    keyword: str, unit: str, right: tuple[str, ...]
) -> None:
    assert preferences(ORDERS, keyword, unit) == right


def test_an_order_with_nothing_behind_its_unit_clears_the_one_before() -> None:
    assert preferences([*ORDERS, ("fetch", "tom")], "fetch", "tom") == ("water", "wood")
    assert preferences([*ORDERS, ("fetch", "any")], "fetch", "tom") == ("milk", "water")


def test_no_order_prefers_nothing() -> None:
    assert preferences([], "fetch", "tom") == ()


def test_of_orders_that_are_about_no_unit_the_latest_counts() -> None:
    assert latest(ORDERS, "mood") == ("merry",)
    assert latest([*ORDERS, ("mood", "sad")], "mood") == ("sad",)
    assert latest([*ORDERS, ("mood",)], "mood") == ()
    assert latest(ORDERS, "fast") == ()
