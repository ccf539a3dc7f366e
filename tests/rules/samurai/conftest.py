"""Small battles of miniatures for the tests of the samurai rules, begun in the middle of a turn, with scripted dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from rules.field import Battle
from rules.samurai.small_table import state_with

from pbem.rules import samurai
from pbem.rules.samurai.board import FACINGS


@pytest.fixture
def table() -> Callable[..., Battle]:
    """The builder of a battle.

    table(
        {
            "ro-1": "33 19 north-east",                 where the centre is, and the facing; Black's from number 11 on
            "sw-1": "30 12 north abreast 3/1",          two stands, abreast or behind; figures left
            "sp-11": "36 24 south routed",              state words: routed, checked
            "bn-1": "off",                              not on the table
        },
        phase="red-turn", step="fire", turn=1, turns=12, broken=100,
        width="72", depth="48", terrain=[{"id": "wood", "kind": "wood", "at": "30 24", "size": "6 6"}],
    )

    The step ends of itself where nobody can do anything in it.
    """

    def build(units: Mapping[str, str], **more: Any) -> Battle:
        state = state_with(units, **more)
        return Battle(samurai, state.board, state, ())

    return build


def where(b: Battle, unit: str) -> tuple[int, int, str]:
    """Where a unit stands in hundredths, and its facing."""
    found = b.state.at[unit]
    return found.x, found.y, FACINGS[found.facing]


def to(b: Battle, step: str) -> None:
    """Go on to a step of the turn, if it isn't that already, without dice."""
    while b.request.kind != step:
        b.do(f"close {b.request.kind}")
