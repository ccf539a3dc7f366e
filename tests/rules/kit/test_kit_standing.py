"""Which of the standing orders counts, with made-up servants."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.rules.kit.standing import in_force, latest, preferences

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


def test_of_units_that_are_asked_together_the_own_orders_of_all_come_before_that_for_any() -> None:
    orders = [*ORDERS, ("fetch", "ida", "bread")]
    assert preferences(orders, "fetch", "ida", "tom") == ("bread", "milk", "water", "wood")
    assert preferences(orders, "fetch", "tom", "ida") == ("milk", "water", "bread", "wood")


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


def test_in_force_is_what_can_still_count() -> None:
    kept = [("fetch", "any", "water", "wood"), ("sing", "tom", "alto"), ("fetch", "tom", "milk", "water", "milk")]
    assert in_force(ORDERS, lambda _: False, ["mood"]) == [*kept, ("mood", "merry")]
    assert in_force(ORDERS, lambda unit: unit == "tom", ["mood"]) == [kept[0], ("mood", "merry")]
    now = [*ORDERS, ("mood", "sad"), ("fetch", "tom")]
    assert in_force(now, lambda _: False, ["mood"]) == [*kept[:2], ("mood", "sad")]
    assert in_force([*ORDERS, ("mood",), ("fetch", "any")], lambda _: False, ["mood"]) == kept[1:]
    assert in_force([], lambda _: False) == []


@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from(["fetch", "sing"]), st.sampled_from(["tom", "ida", "any"])),
            st.tuples(st.just("fetch"), st.sampled_from(["tom", "ida", "any"]), st.sampled_from(["milk", "wood"])),
            st.tuples(st.just("mood"), st.sampled_from(["merry", "sad"])),
            st.just(("mood",)),
        )
    )
)
def test_what_is_in_force_answers_as_all_orders_do(orders: list[tuple[str, ...]]) -> None:
    kept = in_force(orders, lambda unit: unit == "ida", ["mood"])
    assert [preferences(kept, keyword, "tom") for keyword in ("fetch", "sing")] == [
        preferences(orders, keyword, "tom") for keyword in ("fetch", "sing")
    ]
    assert latest(kept, "mood") == latest(orders, "mood")
    assert len({words[:2] if words[0] != "mood" else words[:1] for words in kept}) == len(kept)
    assert not any("ida" in words for words in kept)
