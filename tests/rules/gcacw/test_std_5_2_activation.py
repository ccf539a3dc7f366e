"""Leader activation (std-5.2) and station raids (std-5.4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, run, told

from pbem.rules.gcacw import activation
from pbem.rules.gcacw.orders import Activate, March
from pbem.rules.gcacw.state import State

Field = Callable[..., State]
Fields = Callable[..., Battle]
OPEN = ". . . . . . . . . . . . . .\n" * 4
LONG = "0102 0201 0302 0401 0502 0601 0702 0801 0902 1001 1102 1201 1302 1401"
"""A road from west to east over the field."""
ROAD = {"road": LONG}
CORPS = {"jackson": "0102", "ap-hill": "0102 18", "ewell-b": "0102 14", "winder": "0201 8", "king": "1404 9"}


def way(hexes: int, start: int = 0) -> str:
    """So many hexes of the road behind one of it."""
    return " ".join(LONG.split()[start + 1 : start + hexes + 1])


@pytest.mark.clause("std-5.2-1", "std-5.2-2", "std-5.2-5")
def test_all_who_are_named_march_one_after_another_on_one_roll(battle: Fields) -> None:
    b = battle(OPEN, CORPS | {"gregg": "0103 4"}, choice="confederate", roads=ROAD)
    b.do(f"activate jackson march ap-hill with jackson {way(13)} march winder {way(12, 1)}", 1)
    assert b.events().count("allowance") == 1
    assert b.facts("allowance")["points"] == 3  # 1 and 2
    # A.P. Hill pays a point for Winder, in whose hex he comes first; then Winder goes as far
    assert [b.at(unit) for unit in ("ap-hill", "jackson", "winder")] == ["0302", "0302", "0401"]
    assert b.state.fatigue == {"ap-hill": 1, "winder": 1}  # those who aren't named don't tire


@pytest.mark.clause("std-5.2-2", "13.3-sp2b")
@pytest.mark.parametrize(
    ("leader", "unit", "side", "dice", "points"),
    [
        ("jackson", "ap-hill", "confederate", (1,), 3),
        ("longstreet", "hood", "confederate", (6,), 8),
        ("banks", "augur", "union", (1,), 2),
        ("sigel", "schurz", "union", (6,), 7),
        ("stuart", "f-lee", "confederate", (1, 1), 4),
        ("stuart", "f-lee", "confederate", (6, 6), 14),
    ],
)
def test_the_allowance_of_an_activation(
    battle: Fields, leader: str, unit: str, side: str, dice: tuple[int, ...], points: int
) -> None:
    b = battle(OPEN, {leader: "0102", unit: "0102 2"}, choice=side, roads=ROAD)
    b.do(f"activate {leader} march {unit} with {leader} {way(13)}", *dice)
    assert b.facts("allowance")["points"] == points
    assert b.at(unit) == LONG.split()[min(points, 13)]


@pytest.mark.clause("std-5.2-3", "std-6.3-3")
def test_army_leaders_activate_nobody(battle: Fields) -> None:
    units = {"lee": "0102", "longstreet": "0102", "hood": "0102 8", "kemper": "0102 9"}
    b = battle(OPEN, units, choice="confederate")
    assert b.refused("activate lee march hood 0201") == "std-5.2-3"
    assert b.why_not("activate longstreet march hood 0201") is None
    assert b.refused("activate hood march kemper") == "std-5.2-1"


@pytest.mark.clause("std-5.2-1", "std-2.5-1", "std-5.2-4")
def test_only_units_of_his_corps_within_his_radius_that_can_act(battle: Fields) -> None:
    units = CORPS | {"winder": "0401 8", "lawton": "0601 4", "gregg": "0103 4 F4", "kemper": "0103 10"}
    b = battle(OPEN, units, choice="confederate")
    assert b.why_not("activate jackson march winder") is None  # 3 hexes
    assert b.refused("activate jackson march lawton") == "std-2.5-1"
    assert b.refused("activate jackson march kemper") == "std-5.2-1"
    assert b.refused("activate jackson march gregg") == "std-4.0-6"
    assert b.refused("activate jackson march winder march winder") == "std-5.2-5"
    assert b.rules.why_not(b.state, "confederate", Activate("jackson", ())).clause == "std-5.2-5"


@pytest.mark.clause("std-5.2-4")
def test_the_radius_is_measured_once(battle: Fields) -> None:
    units = {"jackson": "0302", "ap-hill": "0302 18", "winder": "0102 8", "ewell-b": "0502 9"}
    b = battle(OPEN, units, choice="confederate", roads=ROAD)
    b.do(f"activate jackson march ap-hill with jackson {way(5, 2)} march winder {way(1)}", 6)
    assert (b.at("jackson"), b.at("winder")) == ("0801", "0201")  # far out of it by then


@pytest.mark.clause("std-5.2-4", "std-6.3-1")
def test_the_leader_goes_along_with_one_unit_that_starts_with_him_or_stays_with_one(battle: Fields) -> None:
    b = battle(OPEN, CORPS, choice="confederate")
    everybody = "activate jackson march ap-hill 0103 march ewell-b 0103"
    assert b.refused(everybody) == "std-6.3-1"  # he would stay alone
    assert b.why_not("activate jackson march ap-hill 0103 march ewell-b with jackson 0103") is None
    assert b.why_not("activate jackson march ap-hill 0103") is None
    assert b.why_not("activate jackson march ap-hill 0103 march ewell-b") is None  # who stays in place
    assert b.refused("activate jackson march winder with jackson 0302") == "std-5.1-1"
    both = "activate jackson march ap-hill with jackson 0103 march ewell-b with jackson 0103"
    assert b.refused(both) == "std-5.2-4"


@pytest.mark.clause("std-6.3-1")
def test_an_army_leader_of_the_hex_isnt_left_alone_either(battle: Fields) -> None:
    units = {"pope": "0102", "banks": "0102", "greene": "0102 10", "williams-b": "0102 6", "va-2": "1404 1"}
    b = battle(OPEN, units, choice="union")
    assert b.refused("activate banks march greene with banks 0103 march williams-b 0103") == "std-6.3-1"
    assert b.why_not("activate banks march greene with banks pope 0103 march williams-b 0103") is None
    assert b.why_not("activate banks march greene with banks 0103") is None
    b = battle(OPEN, units | {"bayard": "0102 2"}, choice="union")
    assert b.why_not("activate banks march greene with banks 0103 march williams-b 0103") is None  # Bayard stays


@pytest.mark.clause("std-5.2-6", "std-3.0-3")
def test_he_may_first_go_to_a_unit_of_his_and_has_his_radius_from_there(battle: Fields) -> None:
    units = {"jackson": "0102", "gregg": "0102 4", "ap-hill": "1102 18", "winder": "1401 8", "king": "0104 1"}
    b = battle(OPEN, units, choice="confederate", roads=ROAD)
    assert b.refused("activate jackson march winder") == "std-2.5-1"
    assert b.refused("activate jackson hop winder march winder with jackson") == "std-5.2-6"  # 13 hexes
    b.do("activate jackson hop ap-hill march ap-hill with jackson 1201 march winder 1302", 6)
    assert [b.at(unit) for unit in ("jackson", "ap-hill", "winder", "gregg")] == ["1201", "1201", "1302", "0102"]
    assert b.facts("activate") == {
        "unit": "jackson",
        "side": "confederate",
        "units": ["ap-hill", "winder"],
        "from": "0102",
        "to": "1102",
    }
    b = battle(OPEN, units, choice="confederate", roads=ROAD)
    assert b.refused("activate jackson hop ap-hill march ap-hill 1201") == "std-6.3-1"


@pytest.mark.clause("std-5.2-7", "std-5.1-5")
def test_everyone_named_rolls_for_an_extended_march_when_his_turn_comes(field: Field) -> None:
    s = field(OPEN, CORPS | {"ap-hill": "0102 18 F2", "ewell-b": "0102 14 F2"}, roads=ROAD)
    order = Activate("jackson", (March("ap-hill"), March("winder"), March("ewell-b")))
    found = run(activation.carry_out(s, order), (3, 4, 1))
    assert labels(found) == ["march/ap-hill", "extended/ap-hill", "extended/ewell-b"]
    assert s.fatigue == {"ap-hill": 3, "ewell-b": 3, "winder": 1}
    assert s.disorganised == {"ap-hill"}


@pytest.mark.clause("std-5.2-7", "std-5.1-15")
def test_the_activation_goes_on_when_one_of_them_is_lost(field: Field) -> None:
    s = field(OPEN, CORPS | {"ap-hill": "0102 1 F2 disorganised"}, roads=ROAD)
    order = Activate("jackson", (March("ap-hill", (s.board.parse("0201"),), ("jackson",)), March("ewell-b")))
    found = run(activation.carry_out(s, order), (3, 6))
    assert "ap-hill" not in s.at
    assert s.at["jackson"] == s.at["ewell-b"]
    assert [facts["unit"] for facts in told(found, "march")] == ["ewell-b"]


@pytest.mark.clause("std-6.2-3")
def test_who_started_in_one_hex_costs_the_others_of_the_activation_nothing(battle: Fields) -> None:
    rows = ". . .\n. . ."
    for start, ends in (("0101", "0201"), ("0102", "0102")):
        units = {"jackson": "0101", "ap-hill": "0101 18", "winder": f"{start} 8", "king": "0302 1"}
        b = battle(rows, units, choice="confederate")
        b.do("activate jackson march ap-hill with jackson 0201 march winder 0201", 1)  # 3 points for clear ground
        assert (b.at("ap-hill"), b.at("winder")) == ("0201", ends)


# --- raids ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-5.4-1", "std-5.4-2", "std-4.0-7")
@pytest.mark.parametrize(
    ("unit", "option", "steps"),
    [("hood", "no", [1, 2]), ("f-lee", "no", [1]), ("f-lee", "yes", [1, 2]), ("evans", "no", [1, 2])],
)
def test_infantry_destroys_a_station_by_two_raids_and_cavalry_damages_it(
    battle: Fields, unit: str, option: str, steps: list[int]
) -> None:
    """With example 28."""
    units = {unit: "0202 2", "king": "1404 9"}
    b = battle(OPEN, units, choice="confederate", scenario={"stations": ["0202"]}, options={"cavalry-destroys": option})
    for n, state in enumerate(steps, 1):
        b.do(f"raid {unit}")
        assert b.state.station == {b.hex("0202"): state}
        assert b.state.fatigue[unit] == n
        assert b.facts("raid")["destroyed"] == (state == 2)
        b.do("", 1, 1)
    assert b.refused(f"raid {unit}") == "std-5.4-1"
    assert f"raid {unit}" not in b.options()


@pytest.mark.clause("std-5.4-1")
def test_a_raid_needs_a_confederate_unit_in_the_station_that_can_act(battle: Fields) -> None:
    where = {"stations": ["0202"]}
    units = {"hood": "0202 8 F4", "kemper": "0203 9", "longstreet": "0202", "king": "1404 9"}
    b = battle(OPEN, units, choice="confederate", scenario=where)
    assert b.refused("raid hood") == "std-4.0-6"
    assert b.refused("raid kemper") == "std-5.4-1"
    assert b.refused("raid longstreet") == "std-2.2-1"
    b = battle(OPEN, {"king": "0202 9", "hood": "1404 8"}, choice="union", scenario=where)
    assert b.refused("raid king") == "std-5.4-1"


@pytest.mark.clause("std-5.4-2", "std-5.1-7", "std-4.0-6")
def test_a_raid_is_made_in_a_zone_too_and_strains_nobody(battle: Fields) -> None:
    for fatigue in (2, 3):
        units = {"hood": f"0202 8 F{fatigue}", "king": "0302 9"}
        b = battle(OPEN, units, choice="confederate", scenario={"stations": ["0202"]})
        b.do("raid hood")
        assert b.state.fatigue["hood"] == fatigue + 1
        assert "extended" not in b.events()


@pytest.mark.clause("13.5-sp5b", "13.5-sp5c", "std-5.4-1")
def test_a_raid_destroys_the_depot_of_the_hex(battle: Fields) -> None:
    where = {"stations": ["0202", "0302"], "depots": ["0202"]}
    b = battle(OPEN, {"f-lee": "0202 2", "hood": "0302 8", "king": "1404 9"}, choice="confederate", scenario=where)
    b.do("raid hood")
    assert b.state.depots == {"0202"}
    b.do("", 1, 1)
    b.do("raid f-lee")
    assert b.state.depots == set()
    assert "depot-destroyed" in b.events()
