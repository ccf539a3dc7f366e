"""Marches: allowance, extended marches, forced marches (std-5.1, std-10.0-4)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, run, told

from pbem.rules.gcacw import march
from pbem.rules.gcacw.brought import chances
from pbem.rules.gcacw.orders import March
from pbem.rules.gcacw.state import State

Field = Callable[..., State]
Fields = Callable[..., Battle]
OPEN = ". . . . . . . . . . . . . .\n" * 4
LONG = "0102 0201 0302 0401 0502 0601 0702 0801 0902 1001 1102 1201 1302 1401"
"""A road from west to east over the field."""

EXTENDED = {
    "ANV": ["-", "-", "-", "D", "D", "D1", "D2"],
    "AP": ["-", "-", "D", "D", "D1", "D2", "D2"],
    "AV": ["-", "D", "D", "D1", "D1", "D2", "D3"],
}
"""Army -> what a modified die of 1 to 7 does, typed a second time."""


def way(hexes: int) -> str:
    """So many hexes of the road behind its first."""
    return " ".join(LONG.split()[1 : hexes + 1])


def hexes_of(s: State, text: str) -> tuple[int, ...]:
    """The hexes of these numbers."""
    return tuple(s.board.parse(number) for number in text.split())


# --- allowance --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-5.1-2", "std-5.1-3")
@pytest.mark.parametrize(
    ("unit", "dice", "points"),
    [
        ("king", (1,), 1),
        ("king", (6,), 6),
        ("hood", (1,), 2),
        ("hood", (6,), 7),
        ("bayard", (1, 1), 2),
        ("bayard", (6, 6), 12),
        ("va-2", (1, 1), 2),
        ("va-2", (6, 5), 11),
    ],
)
@pytest.mark.parametrize("fatigue", ["F0", "F1"])
def test_the_allowance_is_by_side_and_branch_whatever_the_fatigue(
    battle: Fields, unit: str, dice: tuple[int, ...], points: int, fatigue: str
) -> None:
    side = "union" if unit in ("king", "bayard") else "confederate"
    b = battle(OPEN, {unit: f"0102 1 {fatigue}"}, choice=side, roads={"road": LONG})
    b.do(f"march {unit} {way(13)}", *dice)
    assert b.facts("allowance")["points"] == points
    assert b.at(unit) == LONG.split()[min(points, 13)]


@pytest.mark.clause("std-5.1-3", "std-5.1-4")
def test_points_left_are_lost_and_no_order_of_a_march_goes_beyond_its_dice(battle: Fields) -> None:
    b = battle(OPEN, {"king": "0102 9", "hood": "1404 9"}, choice="union", roads={"road": LONG})
    b.do(f"march king {way(1)}", 6)
    assert b.facts("march")["left"] == 10
    b.do("", 6, 1)
    b.do(f"march king {' '.join(LONG.split()[2:6])}", 1)
    assert b.at("king") == LONG.split()[2]


@pytest.mark.clause("std-5.1-1", "std-7.1-1")
def test_one_unit_marches_and_leaders_with_it_may_go_along(battle: Fields) -> None:
    units = {
        "king": "0102 9",
        "ricketts": "0102 9",
        "mcdowell": "0102",
        "pope": "0102",
        "sigel": "0103",
        "schurz": "0103 5",
    }
    b = battle(OPEN, units, choice="union", roads={"road": LONG})
    assert b.rules.why_not(b.state, "union", March("king", (), ("ricketts",))).clause == "std-5.1-1"
    assert b.rules.why_not(b.state, "union", March("king", (), ("sigel",))).clause == "std-5.1-1"  # he isn't there
    assert b.rules.why_not(b.state, "union", March("mcdowell")).clause == "std-2.2-1"
    b.state.put("sigel", b.state.at["king"])
    assert b.rules.why_not(b.state, "union", March("king", (), ("sigel",))).clause == "std-6.3-1"  # not his corps
    b.state.put("sigel", b.state.at["schurz"])
    b.do("march king with mcdowell pope 0201", 3)
    assert [b.at(unit) for unit in ("king", "mcdowell", "pope", "ricketts")] == ["0201", "0201", "0201", "0102"]


@pytest.mark.clause("std-5.1-4", "std-5.1-6", "std-7.1-9")
def test_a_march_is_told_in_the_order_of_the_rules(field: Field) -> None:
    s = field(OPEN, {"king": "0102 9 F2", "hood": "0601 9"}, roads={"road": LONG})
    order = March("king", hexes_of(s, way(8)), force="always")
    found = run(march.carry_out(s, order), (2, 3))
    assert labels(found) == ["march/king", "extended/king"]
    names = [getattr(one, "what", "") for one in found if getattr(one, "what", "")]
    assert names == ["tired", "allowance", "extended", "disorganised", "forced", "loss", "march"]
    assert s.fatigue["king"] == 3


@pytest.mark.clause("std-4.0-7")
def test_a_march_without_any_step_is_legal(battle: Fields) -> None:
    b = battle(OPEN, {"king": "0102 9"}, choice="union")
    b.do("march king", 1)
    assert (b.at("king"), b.state.fatigue) == ("0102", {"king": 1})


# --- extended marches -------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-5.1-5", "std-5.1-6")
@pytest.mark.parametrize(("fatigue", "rolls"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_march_to_fatigue_3_or_4_is_an_extended_one(field: Field, fatigue: int, rolls: bool) -> None:
    s = field(OPEN, {"king": f"0102 9 F{fatigue}"}, roads={"road": LONG})
    found = run(march.carry_out(s, March("king", hexes_of(s, way(1)))), (3, 1) if rolls else (3,))
    assert labels(found) == ["march/king", "extended/king"][: 1 + rolls]
    assert s.at["king"] == s.board.parse("0201")


@pytest.mark.clause("std-5.1-8", "std-5.1-9", "std-5.1-10")
@pytest.mark.parametrize(
    ("unit", "army", "add"),
    [("hood", "ANV", 0), ("sykes", "AP", 0), ("king", "AV", 0), ("va-2", "ANV", -1), ("bayard", "AV", -1)],
)
def test_the_table_of_extended_marches(field: Field, unit: str, army: str, add: int) -> None:
    for die, fatigue, before in product(range(1, 7), (2, 3), (False, True)):
        s = field(OPEN, {unit: f"0102 9 F{fatigue}{' disorganised' * before}"})
        s.tire(unit, fatigue + 1)
        (facts,) = told(run(march.strain(s, unit), (die,)), "extended")
        cell = EXTENDED[army][min(max(die + add + (fatigue == 3), 1), 7) - 1]
        loss = int(cell[1:] or 0) + (cell != "-" and before)
        assert (unit in s.disorganised) == (cell != "-" or before)
        assert s.manpower[unit] == 9 - loss
        assert s.lost == {"union": 0, "confederate": 0}
        assert facts["was"] == before
        said = f"{loss} lost" if before else f"disorganised and {loss} lost" if loss else "disorganised"
        assert (said if cell != "-" else "no effect") in chances(s.board, "extended", facts)


@pytest.mark.clause("std-5.1-15", "std-5.1-10", "std-6.3-2")
def test_the_last_man_of_an_extended_march_is_lost_and_his_leader_goes_to_the_nearest(field: Field) -> None:
    units = {"king": "0102 1 F2 disorganised", "mcdowell": "0102", "ricketts": "0504 9"}
    s = field(OPEN, units)
    found = run(march.carry_out(s, March("king", hexes_of(s, "0201"), ("mcdowell",))), (6, 2))
    assert "king" not in s.at
    assert s.at["mcdowell"] == s.board.parse("0504")
    assert told(found, "march") == []
    assert s.lost["union"] == 0
    assert [facts["counted"] for facts in told(found, "loss")] == [False]


# --- forced marches ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-5.1-11", "std-5.1-10")
@pytest.mark.parametrize(
    ("unit", "dice", "more"), [("king", (2,), 2), ("hood", (1,), 2), ("bayard", (1, 1), 4), ("va-2", (1, 1), 4)]
)
@pytest.mark.parametrize("before", [False, True])
def test_a_forced_march_takes_points_and_disorganises_or_costs_manpower(
    battle: Fields, unit: str, dice: tuple[int, ...], more: int, before: bool
) -> None:
    side = "union" if unit in ("king", "bayard") else "confederate"
    units = {unit: f"0102 2{' disorganised' * before}"}
    b = battle(OPEN, units, choice=side, roads={"road": LONG})
    b.do(f"march {unit} {way(13)} force", *dice)
    assert b.at(unit) == LONG.split()[2 + more]  # once in a march, and no second time
    assert b.events().count("forced") == 1
    assert unit in b.state.disorganised
    assert b.state.manpower[unit] == 2 - before
    assert b.state.lost == {"union": 0, "confederate": 0}


@pytest.mark.clause("std-5.1-13")
def test_a_march_is_forced_when_the_next_step_is_too_dear_and_only_if_it_helps(battle: Fields) -> None:
    for rows, die, ends, forced in (
        (". . .\n. . .", 3, "0201", False),  # paid
        (". . .\n. . .", 2, "0201", True),
        (". . .\n. . .", 1, "0201", True),
        (". r .\n. . .", 2, "0101", False),  # 5 points, and 4 are there
        (". r .\n. . .", 3, "0201", True),
    ):
        b = battle(rows, {"king": "0101 9"}, choice="union")
        b.do("march king 0201 force", die)
        assert (b.at("king"), "forced" in b.events()) == (ends, forced)


@pytest.mark.clause("std-5.1-13")
def test_only_that_completes_the_route(battle: Fields) -> None:
    for force, hexes, ends, forced in (
        ("force route", 4, 4, True),
        ("force route", 5, 2, False),
        ("force", 5, 4, True),
        ("", 4, 2, False),
    ):
        b = battle(OPEN, {"king": "0102 9"}, choice="union", roads={"road": LONG})
        b.do(f"march king {way(hexes)} {force}", 2)
        assert (b.at("king"), "forced" in b.events()) == (LONG.split()[ends], forced)


@pytest.mark.clause("std-5.1-13")
def test_nobody_forces_in_a_zone_nor_the_last_disorganised_man(battle: Fields) -> None:
    for place, forced in (("0103", False), ("0104", True)):
        b = battle(". . .\n" * 4, {"king": f"{place} 9", "hood": "0202 9"}, choice="union")
        to = {"0103": "0104", "0104": "0204"}[place]
        b.do(f"march king {to} force", 2)
        assert ("forced" in b.events(), b.at("king") == to) == (forced, forced)
    for text, forced in (("1 disorganised", False), ("2 disorganised", True), ("1", True)):
        b = battle(". . .\n. . .", {"king": f"0101 {text}"}, choice="union")
        b.do("march king 0201 force", 2)
        assert (b.at("king") == "0201") == forced


@pytest.mark.clause("std-5.1-12", "13.1-sp2")
def test_forced_marches_are_barred_on_some_turns(battle: Fields) -> None:
    for turn, clause in ((1, "13.1-sp2"), (2, None)):
        units = {"king": "0102 9", "hood": "1404 9"}
        b = battle(OPEN, units, choice="union", turn=turn, scenario={"without": {"force": ["1"]}})
        refusal = b.why_not("march king 0201 force")
        assert (refusal and refusal.clause) == clause
        assert (b.why_not("march king 0201 force route") is None) == (clause is None)
        assert b.why_not("march king 0201") is None


@pytest.mark.clause("std-5.1-14")
def test_who_has_forced_his_march_attacks_in_his_next_action_alone(battle: Fields) -> None:
    units = {"king": "0102 9", "hood": "0303 9"}
    b = battle(OPEN, units, choice="union")
    b.do("march king 0202 force attack 0303 column", 1)
    assert b.at("king") == "0202"
    assert (b.facts("no-attack")["reason"], b.told[-1].clause) == ("it has force marched", "std-5.1-14")
    b.do("", 6, 1)
    b.do("march king attack 0303 column", 4, 1, 1)
    assert "fight" in b.events()
    b = battle(OPEN, units, choice="union")
    b.do("march king 0202 force attack 0303 column", 5, 1, 1)  # it needn't be forced
    assert "fight" in b.events()


@pytest.mark.clause("std-5.1-4", "std-7.1-4")
def test_the_attack_is_made_only_behind_the_whole_way(battle: Fields) -> None:
    units = {"king": "0102 9", "hood": "0303 9"}
    b = battle(OPEN, units, choice="union")
    b.do("march king 0202 attack 0303 column", 2)
    assert b.at("king") == "0102"
    assert not {"fight", "no-attack"} & {*b.events()}
    assert b.facts("march")["short"] == "the points don't suffice"
    assert b.state.shorts == {"king"}


@pytest.mark.clause("std-10.0-4")
def test_a_unit_of_the_owner_removes_his_bridge_on_its_way(battle: Fields) -> None:
    river = {"minor_river": "0102/0103"}
    b = battle(OPEN, {"king": "0102 9", "hood": "1404 9"}, choice="union", sides=river)
    assert b.refused("march king unbridge 0102 0103") == "std-10.0-4"
    b.state.build("0102/0103", "union")
    b.state.memo.clear()
    b.do("march king 0103 unbridge 0102 0103", 3)
    assert (b.at("king"), b.state.bridges) == ("0103", {})


@pytest.mark.clause("std-5.1-3")
def test_a_route_that_points_do_not_suffice_for_is_told_with_its_aim(battle: Fields) -> None:
    b = battle(OPEN, {"king": "0102 9"}, choice="union", roads={"road": LONG})
    b.do(f"march king {way(6)}", 4)
    facts = b.facts("march")
    assert (facts["path"], facts["aim"]) == (way(4).split(), LONG.split()[6])
