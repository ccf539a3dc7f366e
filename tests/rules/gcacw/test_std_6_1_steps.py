"""What a step costs (std-6.1): links, terrain, creeks, crossings, ridges."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle

Fields = Callable[..., Battle]


@pytest.mark.clause("std-6.1-1", "std-6.1-2")
def test_a_hex_is_entered_only_when_it_is_paid_in_full(battle: Fields) -> None:
    for die, ends in ((2, "0101"), (3, "0201")):
        b = battle(". . .\n. . .", {"king": "0101 18"}, choice="union")
        b.do("march king 0201", die)
        assert b.at("king") == ends
