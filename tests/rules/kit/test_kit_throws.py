"""Throws counted, exact chances and the worst throw, with a made-up lottery."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from pbem.rules.kit.throws import Good, by_sum, shares, throws, worst
from pbem.rules.requests import Draw, Roll

GOOD: Good = {"win": "high", "tax": "low"}
WORTH = {"blank": 0, "coin": 1, "crown": 5, "duck": 1}


def test_every_throw_comes_once() -> None:
    assert len(set(throws(2))) == len(list(throws(2))) == 36
    assert list(throws(1, 4)) == [(1,), (2,), (3,), (4,)]


def test_sums_are_counted_by_what_they_bring() -> None:
    assert by_sum(lambda total: total) == {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
    assert by_sum(lambda total: total > 4, dice=1) == {True: 2, False: 4}
    assert by_sum(lambda total: total == 1, dice=1, sides=10) == {True: 1, False: 9}


def test_shares_stand_in_order_and_leave_out_what_can_not_be() -> None:
    found = shares(Counter({"rain": 3, "sun": 1}), ("sun", "snow", "rain"))
    assert found == {"sun": Fraction(1, 4), "rain": Fraction(3, 4)}
    assert list(found) == ["sun", "rain"]


@pytest.mark.parametrize(
    ("label", "side", "dice"),
    [
        ("win/0101", "red", (1, 1)),
        ("win/0101", "blue", (10, 10)),
        ("tax/0101", "red", (10, 10)),
        ("tax/0101", "blue", (1, 1)),
    ],
)
def test_the_worst_dice_for_a_side_by_whose_roll_it_is_and_which_dice_are_good(
    label: str, side: str, dice: tuple[int, ...]
) -> None:
    assert worst(Roll(label, dice=2, sides=10), side, "red", GOOD) == dice


@pytest.mark.parametrize(
    ("side", "drawn"), [("red", ("blank", "coin", "duck")), ("blue", ("crown", "duck", "coin"))]
)  # fmt: skip
def test_the_worst_draw_is_of_the_weakest_for_its_owner_and_of_the_best_for_the_other(
    side: str, drawn: tuple[str, ...]
) -> None:
    draw = Draw("cup/red", tuple(sorted(WORTH)), 3)
    assert worst(draw, side, "red", GOOD, WORTH.__getitem__) == drawn
