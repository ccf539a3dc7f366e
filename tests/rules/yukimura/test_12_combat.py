"""Rulebook 12, the combat half: column shifts (R96)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

# 0302 is the target's hex; attackers stand in 0301, 0201, 0303
ROWS = ". . . .\n . . . .\n. {a} {t} {b}\n . . . .\n. . . ."
UNITS = {"da-01": "0302 3-6-3 rifle", "da-02": "0304 3-6-3 rifle", "go-01": "0303 3-6-3"}


def shifted(field: Callable[..., Any], a: str, t: str, b: str, order: str, **more: Any) -> tuple[str, list[int]]:
    """The column of an order against the middle of three hexes, and the shifts."""
    battle = field(ROWS.format(a=a, t=t, b=b), UNITS, phase="east-combat", idle=True, **more)
    battle.told = []
    battle.game.apply(battle.order(order))
    battle.game.apply((1, 6))
    facts = next(tell.facts for tell in battle.told if tell.what == order.split()[0])
    return facts["column"], [shift["value"] for shift in facts["shifts"]]


@pytest.mark.clause("12-1(3)b")
@pytest.mark.parametrize(
    ("a", "t", "b", "value"),
    [
        (".", ".", ".", 0),
        (".", "m", ".", -1),
        ("m", ".", "m", 1),
        ("m", "m", "m", 0),
        ("m", "m", ".", 0),  # no bonus for the defender when one attacker is in mountain (R96)
        ("m", ".", ".", 0),  # nor for the attackers when one isn't
        (".", "w", ".", 0),
        ("w", "o", "w", 0),  # a burial mound is no mountain
    ],
)
@pytest.mark.parametrize("kind", ["fire", "melee"])
def test_mountain_shifts_both_tables_for_the_side_alone_in_it(
    field: Callable[..., Any], kind: str, a: str, t: str, b: str, value: int
) -> None:
    columns = {"fire": ["3-4", "5-6", "7-8"], "melee": ["+1", "+2..+3", "+4..+5"]}[kind]
    found = shifted(field, a, t, b, f"{kind} da-01 at go-01 with da-02 hold")
    assert found == (columns[1 + value], [value] if value else [])


@pytest.mark.clause("12-1(2)", "12-1(1)", "12-1(4)b")
def test_other_ground_shifts_nothing(field: Callable[..., Any]) -> None:
    for ground in (".", "w", "o", "O"):
        assert shifted(field, ".", ground, ".", "melee da-01 at go-01 hold") == ("0", [])


@pytest.mark.clause("12-1(5)b")
def test_a_road_leaves_the_mountain_what_it_is(field: Callable[..., Any]) -> None:
    assert shifted(field, ".", "m", ".", "melee da-01 at go-01 hold", roads=["0302 0303"]) == ("-1", [-1])


@pytest.mark.clause("12-2(1)b")
@pytest.mark.parametrize("kind", ["fire", "melee"])
def test_a_small_river_helps_when_all_attack_across_it(field: Callable[..., Any], kind: str) -> None:
    columns = {"fire": ("3-4", "5-6"), "melee": ("+1", "+2..+3")}[kind]
    order = f"{kind} da-01 at go-01 with da-02 hold"
    assert shifted(field, ".", ".", ".", order, rivers=["0302/0303", "0303/0304"]) == (columns[0], [-1])
    assert shifted(field, ".", ".", ".", order, rivers=["0302/0303"]) == (columns[1], [])
    alone = f"{kind} da-01 at go-01 hold"
    assert shifted(field, ".", ".", ".", alone, rivers=["0302/0303"])[1] == [-1]
    assert shifted(field, ".", ".", ".", alone, rivers=["0302/0303"], roads=["0302 0303"])[1] == [-1]  # R74


@pytest.mark.clause("12-1(3)b", "12-2(1)b")
def test_shifts_add_up_and_stop_at_the_end(field: Callable[..., Any]) -> None:
    """R96."""
    assert shifted(field, ".", "m", ".", "melee da-01 at go-01 hold", rivers=["0302/0303"]) == ("-3..-2", [-1, -1])
    assert shifted(field, ".", "m", ".", "fire da-01 at go-01 hold", rivers=["0302/0303"]) == ("1-2", [-1, -1])
    assert shifted(field, "m", ".", ".", "melee da-01 at go-01 hold", rivers=["0302/0303"]) == ("0", [1, -1])


@pytest.mark.clause("12-1(3)b")
def test_defensive_fire_is_shifted_likewise(field: Callable[..., Any]) -> None:
    battle = field(ROWS.format(a=".", t="m", b="."), UNITS, phase="east-defence", idle=True)
    battle.do("fire da-01 at go-01", 1, 1)
    assert battle.facts("fire")["column"] == "1-2"
    assert battle.facts("fire")["shifts"] == [{"what": "target in mountain", "value": -1}]
