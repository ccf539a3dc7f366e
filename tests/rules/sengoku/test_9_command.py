"""Rulebook 9: which units make a force (examples of 13)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.rules.sengoku.command import why_not_force
from pbem.rules.sengoku.state import State


@pytest.fixture
def why(field: Callable[..., State]) -> Callable[..., str | None]:
    """Why units, the leader first, make no force: the clause; with other boxes of leaders than the counters have."""

    def ask(units: str, **boxes: str) -> str | None:
        s = field(". .\n", values={unit.replace("_", "-"): {"boxes": n} for unit, n in boxes.items()})
        refusal = why_not_force(s.board, units.split())
        return None if refusal is None else refusal.clause

    return ask


@pytest.mark.clause("9-1(1)", "9-2")
@pytest.mark.parametrize(
    ("units", "clause"),
    [("hb-04", None), ("hb-02", None), ("hb-04 hb-06", "9-2"), ("hb-04 hb-06 hb-07", "9-2"), ("hb-02 hb-04", None)],
)
def test_a_unit_alone_or_under_a_commander(why: Callable[..., str | None], units: str, clause: str | None) -> None:
    assert why(units) == clause


@pytest.mark.clause("9-2-1", "9-2-2")
def test_a_commander_has_a_box_for_each_unit(why: Callable[..., str | None]) -> None:
    assert why("hb-02 hb-04 hb-06 hb-07 hb-08", hb_02="4") is None
    assert why("hb-02 hb-04 hb-06 hb-07 hb-08 hb-09", hb_02="4") == "9-2-1"


@pytest.mark.clause("9-2-3")
def test_only_lower_ranks_are_led(why: Callable[..., str | None]) -> None:
    assert why("hb-01 hb-02 hb-03 hb-04 hb-06") is None  # 13ex-a
    assert why("hb-02 hb-04 hb-06 hb-07") is None  # 13ex-b
    assert why("hb-02 hb-03 hb-04 hb-06") == "9-2-3"  # 13ex-c
    assert why("sb-02 sb-01") == "9-2-3"


@pytest.mark.clause("9-2-6", "30-1-2", "30-1-2(not)")
def test_only_the_own_army_and_those_who_follow_it_are_led(why: Callable[..., str | None]) -> None:
    assert why("hb-01 nw-02 gm-02") is None
    assert why("hb-02 hb-04 kt-06") == "9-2-6"  # 13ex-d
    assert why("uk-01 nj-02") == "9-2-6"
    assert why("nw-01 gm-02") == "9-2-6"
    assert why("nw-01 nw-02") is None
    assert why("nw-01 hb-04") == "9-2-6"
