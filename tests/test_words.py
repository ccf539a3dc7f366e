"""The nearest right word, and shares in percent."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.errors import Defect, shown, stands, unknown_keys
from pbem.words import LONGEST, closest, closest_named, nearest, nearest_and_all, per_cent, reconstructed, the


def test_the_closest_word_must_be_alike_enough() -> None:
    assert closest("mowe", ("fire", "move")) == "move"
    assert closest("mxxx", ("fire", "move")) is None
    assert closest("mxxx", ("fire", "move"), 0.0) == "move"
    assert closest("mowe", ()) is None


def test_only_the_beginning_of_a_long_word_is_compared() -> None:
    assert closest("a" * LONGEST + "z" * 5000, ("a" * LONGEST, "zz")) == "a" * LONGEST


def test_a_thing_is_found_by_the_name_most_like_a_word() -> None:
    known = {"sg-13": ("sg-13", "Shinsengumi"), "sg-33": ("sg-33", "Kishu Domain")}
    assert closest_named("Shinsengmi", known) == "sg-13"
    assert closest_named("kisho", known) == "sg-33"
    assert closest_named("sg-3", known) == "sg-33"
    assert closest_named("xyz", known) is None


def test_whole_names_count_before_parts_and_fewest_wrong_letters_win() -> None:
    places = {"2719": ("Tamakushi bridge",), "2619": ("Tamakushi",)}
    assert closest_named("Tamakushy", places) == "2619"
    assert closest_named("Tamakushi brige", places) == "2719"
    units = {
        "sg-03": ("1st Infantry Regiment, I Battalion", "1R.I"),
        "sg-33": ("Kishu Domain", "Kishu"),
        "sa-03": ("Satsuma Country Company No. 1", "Ctry.1"),
        "sa-05": ("Satsuma Country Company No. 3", "Ctry.3"),
    }
    assert closest_named("Ki", units) == "sg-33", "not the I of a battalion"
    assert closest_named("Country.3", units) == "sa-05", "short names count too"
    assert closest_named("Contry", units) == "sa-03"
    assert closest_named("1R.J", units) == "sg-03"


def test_a_hint_names_the_closest_word_or_all() -> None:
    assert nearest("mowe", ("fire", "move")) == "did you mean move?"
    assert nearest("mowe", ("fire", "move"), "the nearest is `{}`") == "the nearest is `move`"
    assert nearest("{}", ("fire", "move")) == "there are: fire, move"
    assert nearest("mowe", ()) == "there is none"


def test_a_word_of_a_file_is_told_with_the_closest_and_all() -> None:
    assert nearest_and_all("mowe", ("fire", "move")) == "did you mean move? known are fire, move"
    assert nearest_and_all("{}", ("fire", "move")) == "known are fire, move"
    assert nearest_and_all("mowe", ()) == "known are none"


def test_values_of_a_file_are_told_as_they_are_written() -> None:
    assert shown("it's") == '"it\'s"'
    assert shown(["a", "b", {"c": ["d"], "e": None}]) == "[a, b, {c: [d], e: }]"
    assert shown(["\x1b"]) == "[\\x1b]"
    assert shown(["x" * 99]) == "[" + "x" * 55 + " ..."
    assert [stands(value) for value in (None, "", [], {}, "x", ["x"], 7)] == [
        "is missing", "is empty", "is empty", "is empty", "is 'x'", "is [x]", "is 7",
    ]  # fmt: skip


def test_a_key_that_is_not_known_has_its_place() -> None:
    known = ("id", "title")
    assert not list(unknown_keys({"title": "x", "id": "y"}, known, "sides 1"))
    right = "did you mean title? known are id, title"
    assert list(unknown_keys({"titel": "x"}, known, "sides 1")) == [
        Defect("sides 1.titel", "is no key that is known here", right)
    ]
    assert [defect.where for defect in unknown_keys({"titel": "x"}, known, "")] == ["titel"]


@pytest.mark.parametrize(
    ("share", "digits", "words"),
    [
        (Fraction(1, 2), 1, "50 %"),
        (Fraction(7, 12), 1, "58.3 %"),
        (Fraction(1, 36), 1, "2.8 %"),
        (Fraction(7, 12), 0, "58 %"),
        (Fraction(1, 10), 0, "10 %"),
        (Fraction(1, 8), 2, "12.5 %"),
        (Fraction(1), 1, "100 %"),
        (Fraction(0), 1, "0 %"),
        (Fraction(1, 10_000), 1, "under 0.1 %"),
        (Fraction(9_999, 10_000), 1, "over 99.9 %"),
        (Fraction(1, 216), 0, "under 1 %"),
        (Fraction(215, 216), 0, "over 99 %"),
        (1e-9, 2, "under 0.01 %"),
        (0.995, 1, "99.5 %"),
    ],
)
def test_a_share_in_percent(share: Fraction | float, digits: int, words: str) -> None:
    assert per_cent(share, digits) == words


@pytest.mark.parametrize(("share", "words"), [(0.5, "50.0 %"), (1, "100.0 %"), (0.0001, "0.0 %"), (0.9999, "100.0 %")])
def test_in_a_column_all_shares_have_as_many_digits(share: float, words: str) -> None:
    assert per_cent(share, 1, even=True) == words


def test_of_what_is_reconstructed_only_blocks_with_more_to_say_have_a_line_of_their_own() -> None:
    blocks = {
        "sides": "rulebook",
        "armies": "reconstructed",
        "map": "reconstructed, after a walk",
        "turns": "reconstructed",
    }
    assert reconstructed(blocks) == ["armies and turns", "map: reconstructed, after a walk"]
    assert reconstructed(blocks, "scenario") == [
        "scenario: armies and turns",
        "scenario map: reconstructed, after a walk",
    ]
    assert reconstructed({"sides": "rulebook"}, "scenario") == []


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Former Shogunate", "the Former Shogunate"),
        ("Satsuma-Choshu", "Satsuma-Choshu"),
        ("Government", "the Government"),
        ("Saigo's Army", "Saigo's Army"),
        ("Eastern Army", "the Eastern Army"),
        ("Union", "the Union"),
        ("Anti-Hashiba side", "the Anti-Hashiba side"),
    ],
)
def test_a_side_has_an_article_within_a_sentence_unless_a_name_says_whose_it_is(title: str, told: str) -> None:
    assert the(title) == told
