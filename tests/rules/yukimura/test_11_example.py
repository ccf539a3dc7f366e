"""The rulebook's example of chain retreats, all six steps as printed.

It gives no positions; these have every step. Hexes stand as on the maps, the lines here from the south: only that the
even ones lie half a hex further east matters. Of two units in a hex the one that stood there makes room (R84).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules import yukimura

OPEN = "\n".join(". " * 12 for _ in range(12))

UNITS = {
    "go-01": "0707 3-3-3 rifle",
    "go-02": "1106",
    "go-03": "1008",
    "da-01": "0807 3-3-3 rifle",  # the riflemen
    "da-02": "0808 3-3-3 mounted",
    "da-03": "0809 3-3-3",  # the common foot soldiers
}
Tale = list[tuple[str, str]]


@pytest.fixture
def battle(field: Callable[..., Any]) -> Any:
    return field(OPEN, UNITS, phase="osaka-combat", idle=True)


def step_1(battle: Any, die: int = 5) -> Tale:
    """The fire, with strength 3 and a sum of 8: result 0; with a die of 5 the check fails by 2."""
    return tale(battle.do("fire go-01 at da-01", 4, 4, die))


def step_2(battle: Any, *dice: int) -> Tale:
    """The foot unit goes where it does by default; the first of the dice is for the mounted unit."""
    assert battle.request.default() == battle.order("displace da-03 0810")
    return tale(battle.do("displace da-03 0810", *dice))


def step_4(battle: Any, die: int) -> Tale:
    """The riflemen go to the empty hex, as by default; the die is for the foot unit."""
    assert battle.request.default() == battle.order("displace da-01 0910")
    return tale(battle.do("displace da-01 0910", die))


def tale(told: list[Any]) -> Tale:
    """What happened, as event and unit."""
    return [(tell.what, tell.facts["unit"]) for tell in told]


def path(battle: Any) -> list[str]:
    found: list[str] = battle.facts("retreat")["path"]
    return found


@pytest.mark.clause("11(3)a", "11-2", "11-2-1")
def test_step_1_the_riflemen_retreat_2_through_friends(battle: Any) -> None:
    told = step_1(battle)
    assert told == [("fire", "go-01"), ("check", "da-01"), ("retreat", "da-01"), ("mark", "da-02"), ("mark", "da-03")]
    assert battle.told[0].facts["result"] == "0"
    assert battle.facts("check")["value"] == 2
    assert path(battle) == ["0808", "0809"]  # nobody is asked: there is no other way
    assert battle.at("da-01") == battle.at("da-03") == "0809"


@pytest.mark.clause("11(2)")
def test_riflemen_that_pass_stay_and_disturb_nobody(battle: Any) -> None:
    assert step_1(battle, 3) == [("fire", "go-01"), ("check", "da-01")]
    assert battle.at("da-01") == "0807"


@pytest.mark.clause("11-2-5.a", "11-1-2(2)")
def test_step_2_the_foot_unit_goes_1_hex_before_any_chain_check(battle: Any) -> None:
    step_1(battle)
    assert (battle.request.kind, battle.request.about) == ("displace", ("da-03",))
    assert battle.options() == ["displace da-03 0810", "displace da-03 0910"]
    assert battle.refused("displace da-03 0909") == "11-1-2(2)"  # in the ZOC of go-03
    assert battle.refused("displace da-01 0810") == "11-2-5.a"
    assert step_2(battle, 1, 1) == [("displace", "da-03"), ("check", "da-02"), ("check", "da-03")]
    assert [battle.at(unit) for unit in ("da-01", "da-02", "da-03")] == ["0809", "0808", "0810"]


@pytest.mark.clause("11-2-2.b", "11-2-3.b")
def test_step_3_the_mounted_unit_fails_and_comes_into_the_riflemens_hex(battle: Any) -> None:
    step_1(battle)
    assert step_2(battle, 4) == [("displace", "da-03"), ("check", "da-02"), ("retreat", "da-02")]
    check = battle.facts("check")
    assert (check["unit"], check["add"], check["value"]) == ("da-02", 0, 1)
    assert path(battle) == ["0809"]  # its only legal hex
    assert battle.at("da-02") == battle.at("da-01") == "0809"


@pytest.mark.clause("11-2-4(1)", "11-2-5.a")
def test_step_4_the_riflemen_make_room_without_a_check(battle: Any) -> None:
    step_1(battle)
    step_2(battle, 4)
    assert (battle.request.kind, battle.request.about) == ("displace", ("da-01",))
    assert battle.options() == ["displace da-01 0910", "displace da-01 0810"]  # a friend stands in 0810
    assert battle.refused("displace da-01 0909") == "11-1-2(2)"
    assert step_4(battle, 3) == [("displace", "da-01"), ("check", "da-03")]
    assert battle.at("da-01") == "0910"


@pytest.mark.clause("11-2-3.a", "11-2-5.b")
def test_step_5_the_foot_unit_still_checks_and_stays(battle: Any) -> None:
    step_1(battle)
    step_2(battle, 4)
    step_4(battle, 3)
    assert (battle.facts("check")["unit"], battle.facts("check")["passed"]) == ("da-03", True)
    assert [battle.at(unit) for unit in ("da-02", "da-03", "da-01")] == ["0809", "0810", "0910"]


@pytest.mark.clause("11-2-3.b", "11-2-5.b")
def test_a_displaced_foot_unit_that_fails_retreats_from_its_new_hex(battle: Any) -> None:
    step_1(battle)
    step_2(battle, 4)
    assert step_4(battle, 4)[:2] == [("displace", "da-01"), ("check", "da-03")]
    assert (battle.request.kind, battle.request.about) == ("retreat", ("da-03",))
    assert "retreat da-03 0811" in battle.options()


@pytest.mark.clause("11-3.a", "11-3-1")
def test_step_6_only_then_the_firer_advances(battle: Any) -> None:
    step_1(battle)
    step_2(battle, 4)
    assert battle.request.kind == "displace"  # not yet
    step_4(battle, 3)
    assert (battle.request.kind, battle.request.about) == ("advance", ("go-01",))
    assert tale(battle.do("advance go-01 0807")) == [("advance", "go-01")]
    assert battle.at("go-01") == "0807"


@pytest.mark.clause("11-3-2")
def test_nobody_advances_when_it_was_defensive_fire(field: Callable[..., Any]) -> None:
    battle = field(OPEN, UNITS, phase="osaka-defence", idle=True)
    step_1(battle)
    step_2(battle, 4)
    step_4(battle, 3)
    assert battle.request.kind == "defence"
    assert battle.at("go-01") == "0707"


@pytest.mark.clause("11-1", "11-2-5.a")
def test_by_default_it_ends_as_printed_without_a_question(battle: Any) -> None:
    """All answers by default."""
    step_1(battle)
    for dice in ((4,), (3,)):
        battle.do(" ".join(yukimura.order_words(battle.board, battle.request.default())), *dice)
    assert [battle.at(unit) for unit in ("da-02", "da-03", "da-01")] == ["0809", "0810", "0910"]
