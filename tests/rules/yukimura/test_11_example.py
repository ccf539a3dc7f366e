"""The rulebook's example of chain retreats, step by step.

It gives no positions. Where every step of a retreat leads away from the attacker, as ruled, the mounted unit that fails
by 1 finds only the foot unit's hex before it and is moved on, into the riflemen's hex: so it comes to stand where the
example has it, and all the rest follows as told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

CORRIDOR = ". . . . . . . . . . . ."

UNITS = {
    "da-01": "0103 3-3-3",
    "go-01": "0104 3-1-3 rifle",  # the riflemen
    "go-02": "0105 3-3-3 mounted",
    "go-03": "0106 3-3-3",  # the common foot soldiers
}


@pytest.fixture
def told(field: Callable[..., Any]) -> tuple[Any, list[tuple[str, str]]]:
    """The battle after the whole example, before the advance; and what happened, as event and unit."""
    battle = field(CORRIDOR, UNITS, phase="east-combat", idle=True)
    events = battle.do("melee da-01 at go-01", 4, 5, 2, 4, 3)  # by 2; the mounted unit rolls morale + 1; the foot pass
    return battle, [(tell.what, tell.facts["unit"]) for tell in events[1:]]


@pytest.mark.clause("11-3ex(1)")
def test_step_1_the_riflemen_retreat_2_through_friends(told: tuple[Any, list[tuple[str, str]]]) -> None:
    battle, events = told
    assert events[:4] == [("check", "go-01"), ("retreat", "go-01"), ("mark", "go-02"), ("mark", "go-03")]
    assert next(tell.facts for tell in battle.told if tell.what == "retreat")["path"] == ["0105", "0106"]


@pytest.mark.clause("11-3ex(2)")
def test_step_2_they_go_1_more_out_of_the_foot_units_hex(told: tuple[Any, list[tuple[str, str]]]) -> None:
    battle, events = told
    assert events[4] == ("displace", "go-01")
    first = next(tell.facts for tell in battle.told if tell.what == "displace")
    assert (first["from"], first["to"], first["other"]) == ("0106", "0107", "go-03")
    assert battle.at("go-03") == "0106"


@pytest.mark.clause("11-3ex(3)")
def test_step_3_the_mounted_unit_fails_and_comes_into_their_hex(told: tuple[Any, list[tuple[str, str]]]) -> None:
    battle, events = told
    assert events[5:8] == [("check", "go-02"), ("retreat", "go-02"), ("displace", "go-02")]
    check = [tell.facts for tell in battle.told if tell.what == "check"][1]
    assert (check["add"], check["value"]) == (0, 1)
    assert battle.at("go-02") == "0107"


@pytest.mark.clause("11-3ex(4)")
def test_step_4_the_riflemen_make_room_without_a_check(told: tuple[Any, list[tuple[str, str]]]) -> None:
    battle, events = told
    assert events[8] == ("displace", "go-01")
    assert battle.at("go-01") == "0108"
    assert events.count(("check", "go-01")) == 1
    assert ("mark", "go-01") not in events


@pytest.mark.clause("11-3ex(5)")
def test_step_5_the_foot_unit_still_checks_and_stays(told: tuple[Any, list[tuple[str, str]]]) -> None:
    battle, events = told
    assert events[9:] == [("check", "go-03")]
    assert battle.at("go-03") == "0106"


@pytest.mark.clause("11-3ex(6)", "11-3.a")
def test_step_6_only_then_the_attackers_advance(told: tuple[Any, list[tuple[str, str]]]) -> None:
    battle, _ = told
    assert battle.request.kind == "advance"
    battle.do("advance da-01")
    assert battle.at("da-01") == "0105"  # the foot unit stands in 0106


@pytest.mark.clause("11-3ex(3)", "11-3ex(4)")
def test_steps_3_and_4_when_it_fails_by_2(field: Callable[..., Any]) -> None:
    """Then the retreat itself ends in the riflemen's hex."""
    battle = field(CORRIDOR, UNITS, phase="east-combat", idle=True)
    events = battle.do("melee da-01 at go-01 hold", 4, 5, 2, 5, 3)
    assert [(tell.what, tell.facts["unit"]) for tell in events[6:]] == [
        ("check", "go-02"),
        ("retreat", "go-02"),
        ("displace", "go-01"),
        ("check", "go-03"),
    ]
    assert [battle.at(unit) for unit in ("go-02", "go-01", "go-03")] == ["0107", "0108", "0106"]
