"""Canonical JSON: the same bytes for the same data on every machine, so whole numbers only."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pbem.crypto.hashing import canonical_json, whole_json


def test_names_are_sorted_and_no_blank_is_lost_on_them() -> None:
    assert canonical_json({"b": [1, True, None], "a": "\xe9"}) == b'{"a":"\\u00e9","b":[1,true,null]}'


FLOATS = (0.5, 7.0, -2e300, 1e-300, 1e16, -0.0, math.inf, -math.inf, math.nan)


@pytest.mark.parametrize("data", [*FLOATS, [1, 2.0], {"a": {"b": (1, 0.1)}}, {"points": [3, {"halves": 7.0}]}])
def test_a_float_is_refused_wherever_it_stands(data: Any) -> None:
    with pytest.raises(TypeError, match="is a float"):
        whole_json(data)


@pytest.mark.parametrize("word", ["plain", "0.5", "1e-5", "NaN", ",1.0,"])
def test_whole_numbers_may_stand_among_any_words(word: str) -> None:
    data = {"a": [1, {word: (True, None, word)}]}
    assert whole_json(data) == canonical_json(data)
