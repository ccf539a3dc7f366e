"""Rally: a check of a routed unit that a daimyo touches, in its owner's turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.samurai.conftest import to, where

Table = Callable[..., Battle]
UNITS = {"sp-1": "10 10 north", "sp-11": "60 40 south", "sp-12": "50 40 south"}


@pytest.mark.clause("rally.1")
def test_a_touching_daimyo_is_needed(table: Table) -> None:
    units = {**UNITS, "ro-1": "36 20 south routed", "ro-2": "30 20 south routed", "dm-2": "30 21 north"}
    b = table({**units, "dm-1": "36 21 north"}, step="rally")
    assert b.why_not("rally ro-1") is None
    assert b.why_not("rally ro-1 by dm-1 about") is None
    assert b.refused("rally ro-1 by dm-2") == "rally.1"
    assert b.refused("rally sp-1") == "rally.1"  # not routed
    assert b.refused("rally sp-11") == "turn_sequence.1"
    b = table({**units, "dm-1": "36 21.5 north"}, step="rally")
    assert b.refused("rally ro-1") == "rally.1"
    b = table({**units, "dm-11": "36 21 north"}, step="rally")  # the enemy's doesn't serve
    assert b.refused("rally ro-1") == "rally.1"


@pytest.mark.clause("rally.2", "morale_check.1")
@pytest.mark.parametrize(("unit", "fails"), [("sp-2", 9), ("gn-1", 9), ("ro-1", 10), ("sw-1", 11), ("bw-1", 11)])
def test_the_check_is_that_of_the_class(table: Table, unit: str, fails: int) -> None:
    for die in (fails - 1, fails):
        b = table({**UNITS, unit: "36 20 south routed", "dm-1": "36 21 north"}, step="rally")
        b.do(f"rally {unit}", die)
        assert (unit in b.state.gone) is (die == fails)


@pytest.mark.clause("morale_check.3")
def test_a_unit_that_fails_is_removed(table: Table) -> None:
    b = table({**UNITS, "sp-2": "36 20 south routed 3", "dm-1": "36 21 north"}, step="rally")
    b.do("rally sp-2", 9)
    assert b.state.gone == {"sp-2": "dispersed"}
    assert "risk" not in b.events()  # no figures were lost to an enemy


@pytest.mark.clause("morale_check.6", "turn_sequence.3")
def test_a_unit_that_passes_obeys_again_and_may_turn_about(table: Table) -> None:
    units = {**UNITS, "ro-1": "36 20 south routed", "dm-1": "34 20 north", "ro-11": "36 21 south"}
    for order, facing in (("rally ro-1", "south"), ("rally ro-1 about", "north")):
        b = table(units, step="rally")
        b.do(order, 1)
        assert where(b, "ro-1") == (3600, 2000, facing)
        assert b.state.routed == set()
        if facing == "north":  # back to battle in the same turn
            assert b.request.kind == "attack"
            assert b.why_not("attack ro-1 at ro-11") is None
        else:
            assert b.request.side == "black"


@pytest.mark.clause("rally.1")
def test_one_try_a_turn_and_only_by_order(table: Table) -> None:
    units = {
        **UNITS,
        "ro-1": "36 20 south routed",
        "dm-1": "36 21 north",
        "ro-2": "30 20 south routed",
        "dm-2": "30 21 north",
        "ro-3": "24 20 south routed",
        "dm-3": "24 21 north",
    }
    b = table(units, step="rally")
    b.do("rally ro-1", 1)
    tried = "ro-1 Unit ro-1 have tried to rally in this turn"
    assert b.why_not("rally ro-1").reason == tried, "it isn't routed any more"
    b.state.routed |= {"ro-1"}
    assert b.refused("rally ro-1") == "rally.1"
    b.do("rally ro-2", 12)
    assert b.why_not("rally ro-2").reason == tried.replace("ro-1", "ro-2"), "it is dispersed"
    to(b, "rally")
    b.do("done")
    assert b.state.routed == {"ro-1", "ro-3"}
