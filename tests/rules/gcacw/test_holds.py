"""What a player is told of a counter that is held: by which clause, and what will free it (std-4.0-9)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.rules.gcacw.holds import why_held
from pbem.rules.gcacw.state import State


@pytest.mark.clause("std-4.0-9")
@pytest.mark.parametrize(
    ("name", "turn", "unit", "reason"),
    [
        ("cedar-mountain", 1, "ricketts", "Ricketts may neither act nor entrench until turn 2"),
        ("lee-vs-pope", 1, "reynolds", "Reynolds may neither act nor entrench until turn 3"),
        (
            "lee-vs-pope",
            3,
            "parke",
            "Parke may neither act nor entrench until an enemy has been in Spotsylvania or Stafford",
        ),
        ("lee-vs-pope", 3, "ny-6", "6 NY may neither act nor entrench until an enemy has been within 4 hexes of S2820"),
        ("to-bull-run", 1, "king", "King may neither act nor entrench until turn 2"),
        (
            "to-bull-run",
            2,
            "kearny",
            "Kearny may neither act nor entrench until turn 3, or an enemy comes within 2 hexes (from turn 2 on)",
        ),
        ("jacksons-march", 1, "king", "King may neither act nor entrench in turn 1"),
    ],
)
def test_a_held_counter_is_told_what_frees_it(
    campaign: Callable[..., State], name: str, turn: int, unit: str, reason: str
) -> None:
    refusal = why_held(campaign(name, turn=turn), unit)
    assert refusal is not None
    assert refusal.reason == reason
