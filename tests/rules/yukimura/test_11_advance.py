"""Rulebook 11-3: advance after combat (R86)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules import yukimura
from pbem.rules.yukimura import advance
from pbem.rules.yukimura.orders import Advance, AdvancePlan

OPEN = "\n".join(" " * (i % 2) + ". " * 12 for i in range(9))

FUNNEL = """
- - - - - - - - - -
 - - - - - - - - - -
- - - - - - - - - -
 - . . - - - - - - -
- - . . . . . . . .
 - - . - - - - - - -
"""
"""Three hexes to the west of 0504, from which it can only go east."""

THREE = {"da-01": "0503 1-3-3", "da-02": "0403 1-3-3", "da-03": "0603 1-3-3"}
ATTACK = "melee da-01 at go-01 with da-02 da-03"
"""With strength 3 against 3 and dice 4 and 5 the result is D1, so a target of morale 1 retreats by its die."""

KILL = {"da-01": "0503 9-3-3", "go-01": "0504 1-3-3"}
"""With dice 6 and 6 the target is removed (DE)."""


def funnel(field: Callable[..., Any], units: dict[str, str] | None = None, **more: Any) -> Any:
    units = {**THREE, "go-01": "0504 3-1-3", **(units or {})}
    return field(FUNNEL, units, phase="east-combat", idle=True, **more)


def where(battle: Any, *units: str) -> list[str | None]:
    return [battle.at(unit) for unit in units]


@pytest.mark.clause("11-3.a")
def test_only_participants_advance(field: Callable[..., Any]) -> None:
    battle = funnel(field)
    assert battle.refused("melee da-01 at go-01 with da-02 advance da-03") == "11-3.a"
    assert battle.why_not("melee da-01 at go-01 with da-02 advance da-02") is None
    assert battle.refused("melee da-01 at go-01 advance go-01") == "11-3.a"
    assert battle.refused("melee da-01 at go-01 advance da-01 advance da-01") == "11-3-3.d"


@pytest.mark.clause("11-3.b")
def test_no_advance_when_the_target_stays(field: Callable[..., Any]) -> None:
    battle = funnel(field, {"go-01": "0504 3-3-3"})
    told = battle.do(f"{ATTACK} advance da-01", 4, 5, 1)
    assert [tell.what for tell in told] == ["melee", "check"]
    assert battle.at("da-01") == "0503"


@pytest.mark.clause("11-3-1")
def test_after_fire_one_unit_into_the_vacated_hex(field: Callable[..., Any]) -> None:
    units = {"da-01": "0503 3-3-3 rifle", "da-02": "0403 3-3-3 rifle", "go-01": "0504 3-1-3"}
    battle = field(FUNNEL, units, phase="east-combat", idle=True)
    assert battle.why_not("fire da-01 at go-01 with da-02 advance da-02") is None
    both = battle.order("fire da-01 at go-01 with da-02 advance da-02")
    two = both._replace(advance=(AdvancePlan("da-01"), AdvancePlan("da-02")))
    assert battle.request.why_not(two).clause == "11-3-1"
    far = both._replace(advance=(AdvancePlan("da-01", (battle.hex("0504"), battle.hex("0505"))),))
    assert battle.request.why_not(far).clause == "11-3-1"
    battle.do("fire da-01 at go-01 with da-02 advance da-02", 6, 4, 2)  # 6, 10: 2; 2 + 2 - 1 = 3
    assert where(battle, "da-01", "da-02", "go-01") == ["0503", "0504", "0507"]  # no pursuit: R86
    assert battle.request.kind == "combat"


@pytest.mark.clause("11-3-1", "11-3-5.a")
def test_after_fire_the_units_are_asked_until_one_goes(field: Callable[..., Any]) -> None:
    units = {"da-01": "0503 3-3-3 rifle", "da-02": "0403 3-3-3 rifle", "go-01": "0504 3-1-3"}
    battle = field(FUNNEL, units, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01 with da-02", 6, 4, 2)
    assert (battle.request.kind, battle.request.side, battle.request.about) == ("advance", "east", ("da-01",))
    assert battle.options() == ["hold da-01", "advance da-01 0504"]
    assert battle.request.default() == battle.order("hold da-01")
    assert battle.refused("advance da-01 0504 0505") == "11-3-3.b"
    assert battle.refused("advance da-02 0504") == "11-3.a"
    battle.do("hold da-01")
    assert battle.request.about == ("da-02",)
    battle.do("advance da-02")
    assert where(battle, "da-01", "da-02") == ["0503", "0504"]
    assert battle.request.kind == "combat"
    battle = field(FUNNEL, units, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01 with da-02", 6, 4, 2)
    battle.do("advance da-01")
    assert battle.request.kind == "combat"  # da-02 isn't asked any more


@pytest.mark.clause("11-3-1", "11-3-4.a")
def test_after_fire_that_removes_no_free_advance(field: Callable[..., Any]) -> None:
    units = {"da-01": "0503 9-3-3 rifle", "da-02": "0403 4-3-3 rifle", "go-01": "0504 3-1-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01 with da-02", 6, 6)
    assert battle.options() == ["hold da-01", "advance da-01 0504"]


@pytest.mark.clause("11-3-1", "11-3-6.a")
def test_fire_across_an_impassable_side_gives_no_advance(field: Callable[..., Any]) -> None:
    units = {"da-01": "0503 9-3-3 rifle", "da-02": "0403 4-3-3 rifle", "go-01": "0504 3-1-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True, impassable=["0503/0504"])
    battle.do("fire da-01 at go-01 with da-02 advance da-01", 6, 6)
    assert battle.facts("drop")["unit"] == "da-01"
    assert battle.told[-1].clause == "11-3-6.a"
    assert battle.at("da-01") == "0503"


@pytest.mark.clause("11-3-3.a", "11-3-3.b", "11-3-5.a", "11-3-5.b")
@pytest.mark.parametrize(("order", "end"), [("advance da-01", "0505"), ("advance da-01 0504", "0504"),
                                            ("advance da-01 0504 0505", "0505"), ("hold da-01", "0503")])  # fmt: skip
def test_pursuit_along_the_path_up_to_the_retreated_unit(field: Callable[..., Any], order: str, end: str) -> None:
    battle = funnel(field)
    battle.do(ATTACK, 4, 5, 2)  # by 2, to 0506
    assert battle.options() == ["hold da-01", "advance da-01 0504", "advance da-01 0504 0505"]
    assert battle.refused("advance da-01 0504 0505 0506") == "11-3-3.b"
    assert battle.refused("advance da-01 0403") == "11-3-3.b"
    battle.do(order)
    assert battle.at("da-01") == end


@pytest.mark.clause("11-3-3.b")
@pytest.mark.parametrize(
    ("plan", "end"),
    [
        ("advance da-01", "0506"),
        ("advance da-01 0504", "0504"),
        ("advance da-01 0504 0505", "0505"),
        ("advance da-01 0504 0505 0506 0507", "0506"),  # the target stands in 0507
        ("advance da-01 0504 0403", "0504"),  # 0403 isn't on the path
    ],
)
def test_a_planned_pursuit_goes_no_farther_than_its_last_hex(field: Callable[..., Any], plan: str, end: str) -> None:
    battle = funnel(field)
    battle.do(f"{ATTACK} {plan} hold", 4, 5, 3)
    assert battle.at("da-01") == end
    assert battle.request.kind == "combat"


@pytest.mark.clause("11-3-3.c")
def test_an_advance_stops_before_an_enemy(field: Callable[..., Any]) -> None:
    battle = funnel(field, {"go-02": "0505 3-3-3"})
    battle.do(f"{ATTACK} advance da-01 hold", 4, 5, 2, 3)  # go-02, entered, passes its check
    assert where(battle, "da-01", "go-01", "go-02") == ["0504", "0506", "0505"]


@pytest.mark.clause("11-3-3.c")
def test_displacement_prolongs_the_path(field: Callable[..., Any]) -> None:
    """go-02 falls back onto go-03, who makes room and drives go-01 on out of the hex where its retreat has ended."""
    units = {"da-01": "0503 3-3-3", "go-01": "0504 3-1-3", "go-02": "0505 3-3-3", "go-03": "0405 3-3-3"}
    for die, end, last in [(4, "0406", "0307"), (3, "0506", "0406")]:  # who passes stands in the way
        battle = field(OPEN, units, phase="east-combat", idle=True)
        battle.do("melee da-01 at go-01 advance da-01", 4, 5, 3)
        battle.do("retreat go-01 0505 0506 0406", 4)
        battle.do("retreat go-02 0405")
        battle.do("displace go-03 0406")
        battle.do("displace go-01 0407", die)
        if die == 4:
            battle.do("retreat go-03 0307")
        assert where(battle, "go-01", "go-02", "go-03") == ["0407", "0405", last]
        assert battle.facts("advance")["path"] == ["0504", "0505", "0506", "0406"][: 3 + (die == 4)]
        assert battle.at("da-01") == end


@pytest.mark.clause("11-3-3.d")
def test_one_behind_the_other_in_the_order_named(field: Callable[..., Any]) -> None:
    battle = funnel(field)
    battle.do(f"{ATTACK} advance da-03 advance da-01 advance da-02", 4, 5, 3)
    assert where(battle, "da-03", "da-01", "da-02") == ["0506", "0505", "0504"]
    battle = funnel(field)
    battle.do(f"{ATTACK} advance da-03 advance da-01 advance da-02", 4, 5, 2)
    assert where(battle, "da-03", "da-01", "da-02") == ["0505", "0504", "0403"]  # the third gets no place
    assert (battle.facts("drop")["unit"], battle.facts("drop")["order"]) == ("da-02", "advance da-02")
    battle = funnel(field)
    battle.do(f"{ATTACK} advance da-03 0504 advance da-01 hold", 4, 5, 3)
    assert where(battle, "da-03", "da-01") == ["0504", "0503"]  # nobody passes the one before him


@pytest.mark.clause("11-3-3.d")
def test_those_not_named_are_asked_behind_the_others(field: Callable[..., Any]) -> None:
    battle = funnel(field)
    battle.do(f"{ATTACK} advance da-03", 4, 5, 3)
    assert battle.request.about == ("da-01",)
    assert battle.options() == ["hold da-01", "advance da-01 0504", "advance da-01 0504 0505"]
    choose = battle.request
    assert choose.standing([("advance", "any", "follow")]) == Advance("da-01", ())
    assert choose.standing([("advance", "any", "follow"), ("advance", "da-01", "enter")]) == battle.order(
        "advance da-01 0504"
    )
    assert choose.standing([("advance", "any", "hold")]) == battle.order("hold da-01")
    assert choose.standing([("advance", "any", "hold"), ("advance", "any")]) is None
    battle.do("hold da-01")
    assert battle.request.about == ("da-02",)
    battle = funnel(field)
    battle.do(f"{ATTACK} advance da-03", 4, 5, 2)
    battle.do("hold da-01")
    battle.do("hold da-02")
    assert battle.request.kind == "combat"  # da-03, in 0505, isn't asked again


@pytest.mark.clause("11-3-3.a", "10-3-1(B1).a")
def test_attackers_that_retreated_or_fell_do_not_advance(field: Callable[..., Any]) -> None:
    units = {"da-01": "0503 3-1-3", "da-02": "0403 1-6-3", "da-03": "0603 1-1-3", "go-01": "0504 4-1-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    plans = "advance da-01 advance da-03 advance da-02"
    battle.do(f"{ATTACK} {plans}", 3, 4, 1, 3, 1, 6)  # +1, 7: B1; go-01 by 1, da-01 by 3, da-03 removed
    assert battle.request.about == ("da-01",)
    battle.do(battle.options()[0])
    told = [tell for tell in battle.told if tell.what in ("drop", "advance")]
    assert [(tell.what, tell.facts["unit"]) for tell in told] == [
        ("drop", "da-01"),
        ("drop", "da-03"),
        ("advance", "da-02"),
    ]
    assert [tell.clause for tell in told[:2]] == ["11-3-3.a", "11-3-3.a"]
    assert [tell.facts["reason"] for tell in told[:2]] == ["it retreated", "it was removed"]
    assert battle.at("da-02") == "0504"
    assert battle.at("da-03") is None


@pytest.mark.clause("11-3-3.c", "11-3-4.b")
def test_no_advance_when_another_enemy_has_come_into_the_vacated_hex(field: Callable[..., Any]) -> None:
    """R101; retreats lead away from it, so this is shown on the board alone."""
    battle = funnel(field, {"go-02": "0505"})
    s = battle.state
    for trail in (None, (battle.hex("0505"), battle.hex("0506"))):
        trial = yukimura.copy(s)
        opening = advance.Opening(battle.hex("0504"), trail)
        assert not advance.ways(trial, "da-01", opening)  # go-01 is still there
        refusal = advance.why_not_advance(trial, "da-01", opening, Advance("da-01"))
        assert refusal is not None
        assert refusal.clause == "11-3-3.c"
        trial.remove("go-01", "", "")
        assert advance.ways(trial, "da-01", opening)
        trial.put("go-02", battle.hex("0504"))
        assert not advance.ways(trial, "da-01", opening)


@pytest.mark.clause("11-3-4.a", "11-3-4.b", "11-3-6.a", "11-3-6.b")
def test_the_free_advance(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**KILL, "go-02": "0407"}, phase="east-combat", idle=True, impassable=["0504/0604"])
    assert battle.refused("melee da-01 at go-01 advance da-01 0505") == "11-3-4.b"
    assert battle.refused("melee da-01 at go-01 advance da-01 0504 0505 0506 0507 0508") == "11-3-4.a"
    assert battle.refused("melee da-01 at go-01 advance da-01 0504 0506") == "11-3-4.a"
    assert battle.refused("melee da-01 at go-01 advance da-01 0504 0604") == "11-3-6.a"
    assert battle.why_not("melee da-01 at go-01 advance da-01 0504 0505 0506 0507") is None
    battle.do("melee da-01 at go-01 advance da-01 0504 0505 0506 0507", 6, 6)  # past go-02's ZOC
    assert battle.at("da-01") == "0507"


@pytest.mark.clause("11-3-4.a")
@pytest.mark.parametrize("how", ["DE", "check", "no way"])
def test_whatever_removes_the_target_frees_the_advance(field: Callable[..., Any], how: str) -> None:
    match how:
        case "DE":
            battle = field(OPEN, KILL, phase="east-combat", idle=True)
            battle.do("melee da-01 at go-01", 6, 6)
        case "check":
            battle = field(OPEN, {**KILL, "go-01": "0504 9-1-3"}, phase="east-combat", idle=True)
            battle.do("melee da-01 at go-01", 4, 5, 5)
        case _:
            battle = field(FUNNEL, {**KILL, "go-01": "0504 9-1-3", "da-04": "0506"}, phase="east-combat", idle=True)
            battle.do("melee da-01 at go-01", 4, 5, 1)
    assert battle.at("go-01") is None
    assert battle.why_not("advance da-01 0504 0505") is None
    assert battle.refused("advance da-01 0505") == "11-3-4.b"


@pytest.mark.clause("11-3-4.c", "11-3-5.b")
def test_a_free_advance_ends_in_an_empty_hex(field: Callable[..., Any]) -> None:
    units = {**KILL, "da-02": "0505 1-3-3", "da-03": "0403 1-3-3", "go-02": "0405 3-3-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01 with da-03", 6, 6)
    assert battle.refused("advance da-01 0504 0505") == "11-3-4.c"
    assert battle.refused("advance da-01 0504 0404 0405") == "11-3-3.c"
    assert battle.why_not("advance da-01 0504 0505 0506") is None  # through a friend
    assert battle.why_not("advance da-01 0504 0604") is None
    assert battle.why_not("advance da-01") is None
    ends = [order.split()[-1] for order in battle.options()[1:]]
    assert len(ends) == len(set(ends))
    assert not {"0505", "0405", "0403"} & set(ends)
    assert all(battle.why_not(order) is None for order in battle.options())
    battle.do("advance da-01 0504 0404")
    assert battle.refused("advance da-03 0504 0404") == "11-3-4.c"
    battle.do("advance da-03")
    assert where(battle, "da-01", "da-03") == ["0404", "0504"]


@pytest.mark.clause("11-3-6.a", "11-3-6.b")
def test_terrain_costs_nothing_in_an_advance(field: Callable[..., Any]) -> None:
    rows = "- - - - -\n - - - - -\n. m w m w m ."
    units = {"da-01": "0301 9-3-1", "go-01": "0302 1-3-3", "go-02": "0307"}
    battle = field(rows, units, phase="east-combat", idle=True, rivers=["0302/0303", "0303/0304", "0304/0305"])
    battle.do("melee da-01 at go-01 advance da-01 0302 0303 0304 0305", 6, 6)
    assert battle.at("da-01") == "0305"


FORD = ". . . . . .\n . ~ ~ ~ . .\n. . . . . ."


@pytest.mark.clause("11-3-6.a", "12-1(6)")
def test_an_advance_goes_over_every_side_of_a_river_hex_with_a_road(field: Callable[..., Any]) -> None:
    """R71: a road through 0203 makes it a hex to advance into and out of, from and to the bank too."""
    units = {"da-01": "0303 9-3-3", "go-01": "0302 1-3-3"}
    for roads, clause in [(("0203 0104",), None), ((), "12-1(6)")]:
        battle = field(FORD, units, phase="east-combat", idle=True, roads=roads)
        order = "melee da-01 at go-01 advance da-01 0302 0303 0203 0103"
        if clause is None:
            battle.do(order, 6, 6)
            assert battle.at("da-01") == "0103"
        else:
            assert battle.refused(order) == clause
            battle.do("melee da-01 at go-01", 6, 6)
            assert battle.refused("advance da-01 0302 0303 0203") == clause
    for sides, event in [((), "advance"), (("0203/0303",), "drop")]:
        units = {"da-01": "0303 9-3-3 rifle", "go-01": "0203 1-1-3", "go-02": "0106"}
        battle = field(FORD, units, phase="east-combat", idle=True, impassable=sides, roads=("0203 0104",))
        battle.do("fire da-01 at go-01 advance da-01", 6, 6, 6)
        assert battle.events()[-1] == event


@pytest.mark.clause("14-1(5)", "14-2(5)1", "11-3-3.a")
def test_held_units_fight_but_do_not_advance(field: Callable[..., Any]) -> None:
    """R89."""
    held = [{"force": "sakakibara", "until": "never"}]
    units = {"sk-01": "0503 9-3-3", "da-01": "0403 1-3-3", "go-01": "0504 1-3-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True, held=held)
    clause = battle.refused("melee sk-01 at go-01 with da-01 advance sk-01")
    assert clause.startswith("14-")
    battle.do("melee sk-01 at go-01 with da-01", 6, 6)
    assert battle.request.about == ("da-01",)  # sk-01 isn't asked
    battle.do("hold da-01")
    assert battle.at("sk-01") == "0503"


@pytest.mark.clause("14-1(5)2b")
def test_no_advance_over_the_closed_line(field: Callable[..., Any]) -> None:
    """R68: before turn 7 the East doesn't cross the Ishikawa Line by an advance either."""
    held = [{"force": "mori", "until": "7", "gate": "yes"}]
    line = [f"{r:02}02/{r:02}03" for r in range(1, 10)]
    line += [f"{r:02}03/{other:02}02" for r in range(1, 10, 2) for other in (r - 1, r + 1) if 0 < other < 10]
    units = {"da-01": "0504 9-3-3", "go-01": "0503 1-3-3", "mo-01": "0112"}
    for turn, legal in [(6, False), (7, True)]:
        battle = field(
            OPEN, units, phase="east-combat", idle=True, turn=turn, held=held, line=line, victory={"west-of-line": "10"}
        )
        assert battle.hex("0502") in battle.board.west
        assert battle.hex("0503") not in battle.board.west
        battle.do("melee da-01 at go-01", 6, 6)
        assert ("advance da-01 0503 0502" in battle.options()) == legal
        if legal:
            battle.do("advance da-01 0503 0502")
            assert battle.state.crossed
        else:
            assert battle.refused("advance da-01 0503 0502") == "14-1(5)2b"
            battle.do("advance da-01 0503")
            assert not battle.state.crossed
