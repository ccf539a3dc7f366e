"""The nearest right word."""

from __future__ import annotations

from pbem.words import LONGEST, closest, nearest


def test_the_closest_word_must_be_alike_enough() -> None:
    assert closest("mowe", ("fire", "move")) == "move"
    assert closest("mxxx", ("fire", "move")) is None
    assert closest("mxxx", ("fire", "move"), 0.0) == "move"
    assert closest("mowe", ()) is None


def test_only_the_beginning_of_a_long_word_is_compared() -> None:
    assert closest("a" * LONGEST + "z" * 5000, ("a" * LONGEST, "zz")) == "a" * LONGEST


def test_a_hint_names_the_closest_word_or_all() -> None:
    assert nearest("mowe", ("fire", "move")) == "did you mean move?"
    assert nearest("mowe", ("fire", "move"), "the nearest is `{}`") == "the nearest is `move`"
    assert nearest("{}", ("fire", "move")) == "there are: fire, move"
    assert nearest("mowe", ()) == "there are: none"
