"""Canonical JSON: the same bytes for the same data on every machine, so whole numbers only."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.crypto.hashing import canonical_json, whole


def test_names_are_sorted_and_no_blank_is_lost_on_them() -> None:
    assert canonical_json({"b": [1, True, None], "a": "\xe9"}) == b'{"a":"\\u00e9","b":[1,true,null]}'


@pytest.mark.parametrize("data", [0.5, [1, 2.0], {"a": {"b": (1, 0.1)}}, {"points": [3, {"halves": 7.0}]}])
def test_a_float_is_refused_wherever_it_stands(data: Any) -> None:
    with pytest.raises(TypeError, match="is a float"):
        whole(data)


def test_what_holds_whole_numbers_only_is_handed_on() -> None:
    assert whole(data := {"a": [1, {"b": (True, None, "0.5")}]}) is data
