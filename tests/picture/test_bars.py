"""Bars: each as long as its share, every number in one bin, names for who can't see them."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree.ElementTree import Element, fromstring

import pytest

from pbem.picture.bars import LEFT, MOST, RIGHT, TALL, Bar, binned, histogram, shares


def read(svg: str) -> Element:
    """A picture of ours."""
    return fromstring(svg)  # noqa: S314


def rects(svg: str) -> list[dict[str, str]]:
    """The bars of a picture."""
    return [part.attrib for part in read(svg).iter("rect")]


def test_a_share_is_as_long_as_it_is_large_and_its_interval_lies_over_it() -> None:
    drawn = shares("Wins: A & B", [Bar("A", 0.25, 0.1, 0.4, "one"), Bar("B", 0.75, 0.6, 0.9, "two")])
    one, two = rects(drawn)
    assert (one["class"], two["class"]) == ("bar one", "bar two")
    assert float(two["width"]) == pytest.approx(3 * float(one["width"]), abs=0.1)
    assert float(two["width"]) == pytest.approx(0.75 * (RIGHT - LEFT), abs=0.1)
    sure = [part.attrib for part in read(drawn).iter("line") if part.get("class") == "sure"]
    ends = [(float(part["x1"]), float(part["x2"])) for part in sure if part["x1"] != part["x2"]]
    long = RIGHT - LEFT
    assert ends == [pytest.approx((LEFT + a * long, LEFT + b * long), abs=0.1) for a, b in ((0.1, 0.4), (0.6, 0.9))]


def test_a_picture_says_in_words_what_it_shows() -> None:
    for drawn in (shares("Wins: <A>", [Bar("<A>", 1, 1, 1, "one")]), histogram("Turns: <3>", "Turns", {3: 1}, "two")):
        picture = read(drawn)
        assert picture.get("role") == "img"
        assert "<" in (picture.findtext("title") or "")
        assert "<script" not in drawn


@pytest.mark.parametrize(
    "counts", [{5: 3}, {0: 1, 23: 2}, {1: 1, 25: 2}, {-3: 1, 4: 1}, {n * n: n for n in range(1, 40)}, {0: 1, 10**6: 1}]
)
def test_every_number_is_in_one_bin_of_one_round_width(counts: dict[int, int]) -> None:
    bins = binned(counts)
    assert 1 <= len(bins) <= MOST + 1
    assert sum(count for _, _, count in bins) == sum(counts.values())
    (width,) = {last - first + 1 for first, last, _ in bins}
    assert re.fullmatch("[125]0*", str(width))
    assert all(first % width == 0 for first, _, _ in bins)
    for first, last, count in bins:
        assert count == sum(often for number, often in counts.items() if first <= number <= last)


def test_the_highest_bar_is_the_most_frequent_number() -> None:
    drawn = histogram("Turns of a game", "Turns", {3: 1, 4: 4, 6: 2}, "none")
    assert [float(bar["height"]) for bar in rects(drawn)] == pytest.approx([TALL / 4, TALL, TALL / 2], abs=0.1)
    words = [part.text for part in read(drawn).iter("text")]
    assert words == ["57 %", "0", "3", "4", "5", "6", "Turns"]
    assert "Mails, 5 to a bar" in histogram("Mails", "Mails", {1: 1, 100: 1}, "none")


def test_no_words_of_an_axis_touch() -> None:
    for most in (5, 12, 24, 300, 9000):
        drawn = histogram("Mails", "Mails", {1: 1, most: 1}, "none")
        texts = [part for part in read(drawn).iter("text") if part.get("y") == str(int(TALL + 33))]
        places = [(float(part.attrib["x"]), len(part.text or "")) for part in texts]
        for (x, letters), (after, more) in pairwise(places):
            assert x + 4 * letters < after - 4 * more
