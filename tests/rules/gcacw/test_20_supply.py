"""Supply: depots, repair, status, foraging and what want of it does (20.0 to 20.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.activities import asked, labels, play, run, told
from rules.gcacw.small_field import ADVANCED

from pbem.errors import Refusal
from pbem.rules.gcacw import may_march, recovery, supply
from pbem.rules.gcacw.board import DAMAGED
from pbem.rules.gcacw.combat import Fight, modifiers
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.holds import why_closed
from pbem.rules.gcacw.orders import Bridge, Entrench, Feed, Forage, March, Raid
from pbem.rules.gcacw.raid import carry_out
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import items
from pbem.rules.gcacw.zones import zone
from pbem.rules.requests import Tell

Field = Callable[..., State]
Fields = Callable[..., Battle]
Campaign = Callable[..., State]
NAME = "rapidan-to-manassas"
OPEN = "\n".join([". " * 8] * 6)
COUNTIES = {"Orange": "0101 0102 0103", "Fairfax": "0201 0202 0203", "Stafford": "0301 0302 0303",
            "Loudoun": "0401 0402 0403", "Prince William": "0501 0502 0503", "Clarke": "0601 0602 0603",
            "Warren": "0701 0801"}  # fmt: skip
DEPOTS = [{"at": "0203", "lost-by": "never"}, {"at": "0302", "lost-by": "raid"}, {"at": "0603", "lost-by": "entry"}]
FED = {**ADVANCED, "home": ["Orange"], "depots": DEPOTS, "stations": ["0401"], "ends": ["0801"]}
LINE = " ".join(f"{column:02}01" for column in range(4, 9))
SUPPLY: dict[str, Any] = {
    "scenario": {"advanced": FED, "stations": ["0302", "0501", "0701"]},
    "regions": COUNTIES,
    "roads": {"railroad": LINE},
    "turns": 15,
}
"""Orange is the Confederates' home; Fairfax, Stafford and Clarke have depots, Loudoun and Prince William stations."""


def clause(refusal: Refusal | None) -> str:
    return "" if refusal is None else refusal.clause


def status(s: State, answers: Sequence[Any] = ()) -> list[Any]:
    return run(supply.status(s), answers=answers)


def tells(found: Sequence[Any], what: str) -> list[Tell]:
    return [one for one in found if isinstance(one, Tell) and one.what == what]


# --- depots (20.1) ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("20.1-1", "20.1-6", "20.1-7")
def test_five_depots_are_on_the_map(campaign: Campaign) -> None:
    for name in ("rapidan-to-rappahannock", NAME):
        s = campaign(name)
        assert s.depots == {"N5809", "N5810", "N0301", "S4101", "S5021"}
        assert s.board.advanced is not None
        how = {s.board.label[h]: depot.lost_by for h, depot in s.board.advanced.depots.items()}
        assert how == {"N5809": "never", "N5810": "never", "N0301": "entry", "S4101": "raid", "S5021": "raid"}
        assert all(s.board.parse(number) in s.board.stations for number in ("S4101", "S5021"))


@pytest.mark.clause("20.1-2", "20.1-3")
def test_a_depot_is_no_unit_and_stops_nobody(field: Field) -> None:
    s = field(OPEN, {"hood": "0301 9", "king": "0801 9"}, **SUPPLY)
    at = s.board.parse("0302")
    assert at not in s.stands
    assert at not in zone(s, "union")
    assert clause(may_march.why_not(s, "confederate", March("hood", (at,)))) == ""
    s.put("king", at)
    assert clause(may_march.why_not(s, "confederate", March("hood", (at,)))) == "std-2.2-7"
    s.put("king", s.board.parse("0801"))
    run(entered(s, ["hood"], at))
    assert "0302" in s.depots


@pytest.mark.clause("20.1-4", "20.1-5")
@pytest.mark.parametrize("unit", ["hood", "f-lee"])
def test_a_raid_destroys_the_depot_at_a_station(field: Field, unit: str) -> None:
    s = field(OPEN, {"hood": "0302 9", "f-lee": "0302 2", "king": "0801 9"}, **SUPPLY)
    found = run(carry_out(s, Raid(unit)))
    assert s.depots == {"0203", "0603"}
    assert [one.clause for one in tells(found, "depot-destroyed")] == ["20.1-4"]


@pytest.mark.clause("20.1-5", "22.1-vp6")
def test_a_destroyed_depot_scores_six(campaign: Campaign) -> None:
    s = campaign(NAME)
    before = sum(item.points for item in items(s))
    s.depots.discard("S4101")
    assert sum(item.points for item in items(s)) == before + 6
    s.depots.discard("N0301")
    assert sum(item.points for item in items(s)) == before + 12


@pytest.mark.clause("20.1-6")
def test_confederates_dont_enter_the_defences_of_washington(campaign: Campaign) -> None:
    s = campaign(NAME)
    for number in ("N5809", "N5810", "N5408"):
        h = s.board.parse(number)
        assert clause(why_closed(s, "ap-hill", h)) == "20.1-6"
        assert clause(why_closed(s, "f-lee", h)) == "20.1-6"
        assert why_closed(s, "king", h) is None
    assert s.board.map.region[s.board.parse("N5408")] == "Montgomery"
    for number in ("N5308", "N5715", "N5814"):
        assert why_closed(s, "ap-hill", s.board.parse(number)) is None


@pytest.mark.clause("20.1-7")
@pytest.mark.parametrize("unit", ["hood", "f-lee"])
def test_the_depot_of_winchester_falls_to_whoever_enters(field: Field, unit: str) -> None:
    s = field(OPEN, {"hood": "0602 9", "f-lee": "0602 2", "king": "0801 9"}, **SUPPLY)
    h = s.board.parse("0603")
    s.put(unit, h)
    found = run(entered(s, [unit], h))
    assert s.depots == {"0203", "0302"}
    assert [one.clause for one in tells(found, "depot-destroyed")] == ["20.1-7"]
    s.put("king", h)
    s.depots.add("0603")
    run(entered(s, ["king"], h))
    assert "0603" in s.depots


# --- repair (20.2) ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("20.2-1", "20.2-3")
@pytest.mark.parametrize(("die", "whole"), [(1, True), (4, True), (5, False), (6, False)])
def test_a_damaged_station_is_made_whole_by_4_or_less(field: Field, die: int, whole: bool) -> None:
    s = field(OPEN, {"king": "0102 9", "hood": "0106 9"}, **SUPPLY)
    s.station[s.board.parse("0501")] = 1
    found = run(supply.repair(s), [die])
    assert labels(found) == ["repair/0501"]
    assert (s.station == {}) == whole
    if not whole:  # it may be tried again in turn 11
        run(supply.repair(s), [4])
        assert s.station == {}


@pytest.mark.clause("20.2-1")
@pytest.mark.parametrize(("hood", "tried"), [("0501", False), ("0502", False), ("0503", True)])
def test_no_station_is_repaired_that_the_confederate_holds_or_controls(field: Field, hood: str, tried: bool) -> None:
    s = field(OPEN, {"king": "0102 9", "hood": f"{hood} 9"}, **SUPPLY)
    s.station[s.board.parse("0501")] = 1
    found = run(supply.repair(s), [1] if tried else [])
    assert bool(labels(found)) == tried


@pytest.mark.clause("20.2-2")
def test_what_is_destroyed_stays_so(field: Field) -> None:
    s = field(OPEN, {"king": "0102 9"}, **SUPPLY)
    s.station[s.board.parse("0501")] = 2
    assert labels(run(supply.repair(s))) == []
    assert [*s.station.values()] == [2]


# --- supply status (20.3) ---------------------------------------------------------------------------------------------


@pytest.mark.clause("20.3-c1", "20.3-c2", "20.3-0", "20.3-2", "20.0-1")
def test_confederates_are_in_supply_at_home(field: Field) -> None:
    s = field(OPEN, {"hood": "0101 9", "ap-hill": "0501 9", "jackson": "0501", "king": "0202 9"}, **SUPPLY)
    status(s)
    assert s.hungry == {"ap-hill"}  # no leader is judged
    s.hungry = {"hood"}
    status(s)
    assert s.hungry == {"ap-hill"}


@pytest.mark.clause("20.3-c1", "chart-supply")
def test_the_five_counties_of_the_confederates(campaign: Campaign) -> None:
    advanced = campaign(NAME).board.advanced
    assert advanced is not None
    assert advanced.home == {"Caroline", "Culpeper", "Madison", "Orange", "Spotsylvania"}
    assert advanced.supply == {6, 11}


@pytest.mark.clause("20.3-c3", "20.3-c2", "20.3-u10", "20.3-u9", "20.3-6")
@pytest.mark.parametrize("unit", ["ap-hill", "king"])
def test_who_is_out_of_supply_once_more_loses_a_point_and_his_order(field: Field, unit: str) -> None:
    s = field(OPEN, {"ap-hill": "0504 9", "king": "0404 9", "hood": "0101 9"}, **SUPPLY)  # far from both sides' food
    status(s)
    assert unit in s.hungry
    assert (s.manpower[unit], unit in s.disorganised) == (9, False)  # the flag alone
    before = dict(s.lost)
    found = status(s)
    assert (s.manpower[unit], unit in s.disorganised, unit in s.hungry) == (8, True, True)
    assert s.lost == before  # it doesn't score
    assert {one.clause for one in tells(found, "loss")} == {"20.3-c3", "20.3-u10"}


@pytest.mark.clause("20.3-6")
def test_the_status_may_eliminate(field: Field) -> None:
    s = field(OPEN, {"ap-hill": "0504 1", "hood": "0101 9"}, **SUPPLY)
    s.hungry = {"ap-hill"}
    status(s)
    assert "ap-hill" in s.removed
    assert s.hungry == set()


@pytest.mark.clause("20.3-0")
@pytest.mark.parametrize("stations", [{}, {"0501": "damaged"}])
def test_a_status_by_which_nobody_is_out_of_supply_is_told(field: Field, stations: dict[str, str]) -> None:
    """Nothing was told of it, as if it hadn't been judged."""
    s = field(OPEN, {"hood": "0101 9", "king": "0203 9"}, **SUPPLY)
    s.station = {s.board.parse(at): DAMAGED for at in stations}
    assert [one.facts for one in tells(status(s), "all-supplied")] == [{"damaged": [*stations]}]
    s.put("king", s.board.parse("0404"))
    assert tells(status(s), "all-supplied") == []


@pytest.mark.clause("20.3-c4", "20.3-c5")
def test_a_depot_feeds_two_confederates_in_its_hex(field: Field) -> None:
    units = {"hood": "0302 9", "ap-hill": "0302 18", "f-lee": "0302 2", "wilcox": "0303 9"}
    s = field(OPEN, units, **SUPPLY)
    found = status(s)
    assert [one.kind for one in asked(found)] == ["feed"]
    assert s.hungry == {"f-lee", "wilcox"}  # the largest by default; the county feeds nobody
    s = field(OPEN, units, **SUPPLY)
    status(s, [Feed(("f-lee", "hood"))])
    assert s.hungry == {"ap-hill", "wilcox"}
    s = field(OPEN, units, **SUPPLY)
    s.depots.discard("0302")
    assert asked(status(s)) == []
    assert s.hungry == {*units}


@pytest.mark.clause("20.3-c4")
def test_who_is_fed_must_be_there(field: Field) -> None:
    s = field(OPEN, {"hood": "0302 9", "ap-hill": "0302 18", "f-lee": "0302 2", "wilcox": "0303 9"}, **SUPPLY)
    (choose,) = asked(status(s))
    assert [clause(choose.why_not(Feed(units))) for units in (
        ("hood", "f-lee"), ("hood",), ("hood", "wilcox"), ("hood", "hood"), ("hood", "f-lee", "ap-hill"))
    ] == ["", *["20.3-c4"] * 4]  # fmt: skip
    assert choose.standing is not None
    assert choose.standing([("feed", "any", "f-lee")]) == Feed(("f-lee", "ap-hill"))


@pytest.mark.clause("20.3-c6")
def test_union_units_dont_change_the_confederates_supply(field: Field) -> None:
    around = {
        unit: f"{h} 9" for unit, h in zip(("king", "ricketts", "reynolds"), ("0101", "0103", "0202"), strict=True)
    }
    s = field(OPEN, {"hood": "0102 9", **around}, **SUPPLY)
    status(s)
    assert "hood" not in s.hungry


@pytest.mark.clause("20.3-u1", "20.3-u2", "20.3-u3", "20.3-u8")
def test_the_union_is_in_supply_in_the_county_of_a_depot(field: Field) -> None:
    s = field(OPEN, {"king": "0303 9", "hood": "0302 9", "ricketts": "0106 9"}, **SUPPLY)
    s.hungry = {"king"}
    status(s)
    assert "king" not in s.hungry  # although the Confederate is in the depot's hex
    assert "ricketts" in s.hungry
    s.depots.discard("0302")
    status(s)
    assert "king" in s.hungry


@pytest.mark.clause("20.3-u4")
@pytest.mark.parametrize("county", ["Montgomery", "Fairfax"])
def test_in_montgomery_and_fairfax_the_union_is_always_in_supply(campaign: Campaign, county: str) -> None:
    s = campaign(NAME, turn=6)
    for h in s.board.stations:
        s.station[h] = 2
    s.depots &= {"N5809", "N5810"}
    s.put("king", min(s.board.map.regions[county]))
    assert supply.union_supplied(s, "king") == "20.3-u1"
    s.put("king", s.board.parse("S1418"))
    assert supply.union_supplied(s, "king") == ""


@pytest.mark.clause("20.3-u5", "20.3-u6", "20.3-u7")
def test_a_station_feeds_its_county_by_whole_rails(field: Field) -> None:
    s = field(OPEN, {"king": "0403 9", "ricketts": "0503 9", "hood": "0601 9"}, **SUPPLY)
    assert supply.fed_by_county(s, "king") == supply.fed_by_county(s, "ricketts") == "20.3-u5"  # whoever is on the way
    for hurt in (1, 2):
        s.station = {s.board.parse("0501"): hurt}  # its own station, and one on the way of the other
        assert supply.fed_by_county(s, "king") == supply.fed_by_county(s, "ricketts") == ""
    s.station = {s.board.parse("0701"): 1}
    assert supply.fed_by_county(s, "ricketts") == ""
    s.station = {}
    s.put("king", s.board.parse("0104"))  # no station there
    assert supply.fed_by_county(s, "king") == ""


@pytest.mark.clause("20.3-u5", "chart-supply")
def test_the_railheads_are_uptons_hill_and_six_mile_post(campaign: Campaign) -> None:
    s = campaign(NAME, turn=6)
    advanced = s.board.advanced
    assert advanced is not None
    assert {s.board.label[h] for h in advanced.ends} == {"N5814", "N5819"}
    s.put("king", s.board.parse("S2414"))
    assert supply.fed_by_county(s, "king") == "20.3-u5"  # Fauquier, by the Orange and Alexandria
    s.station[s.board.parse("N5020")] = 1
    s.station[s.board.parse("S2612")] = 1
    found = supply.fed_by_county(s, "king")
    assert found == ""  # nothing comes through Fairfax Station


@pytest.mark.clause("20.3-1")
def test_all_begin_in_supply(campaign: Campaign, field: Field) -> None:
    assert campaign(NAME).hungry == set()
    s = field(OPEN, {"hood": "0501 9"}, **SUPPLY)
    status(s)
    assert s.hungry == {"hood"}
    status(s)
    assert s.hungry == {"hood"}  # until supplied again


@pytest.mark.clause("20.3-3")
def test_who_was_in_supply_stays_so_wherever_it_goes_until_the_next_status(field: Field) -> None:
    s = field(OPEN, {"hood": "0101 9", "king": "0202 9"}, turn=6, **SUPPLY)
    status(s)
    s.put("hood", s.board.parse("0506"))
    for turn in range(6, 11):
        s.turn = turn
        run(recovery.rest(s))
        run(supply.effects(s))
        assert (s.hungry, s.manpower["hood"], s.disorganised) == (set(), 9, set())
    s.turn = 11
    status(s)
    assert s.hungry == {"hood"}


@pytest.mark.clause("20.3-4")
def test_who_is_out_of_supply_moves_and_fights_as_before(field: Field) -> None:
    s = field(OPEN, {"hood": "0501 9", "king": "0502 9"}, **SUPPLY)
    f = Fight("confederate", s.board.parse("0502"), ("hood",), "normal")
    before = modifiers(s, f), may_march.why_not(s, "confederate", March("hood", (s.board.parse("0601"),)))
    s.hungry = {"hood"}
    after = modifiers(s, f), may_march.why_not(s, "confederate", March("hood", (s.board.parse("0601"),)))
    assert before == after
    assert s.value("hood") == 18


@pytest.mark.clause("3.0-4", "3.0-5")
@pytest.mark.parametrize(("die", "hungry"), [(2, set()), (6, {"king"})])
def test_repair_comes_before_the_status(field: Field, die: int, hungry: set[str]) -> None:
    s = field(OPEN, {"king": "0503 9 F4", "hood": "0101 9 F4"}, turn=6, phase="repair", opened=False, **SUPPLY)
    s.station[s.board.parse("0501")] = 1
    _, found = play(s, [], [die])
    assert labels(found)[0] == "repair/0501"
    assert s.hungry == hungry


# --- foraging (20.4) --------------------------------------------------------------------------------------------------


def forages(s: State, unit: str) -> str:
    return clause(supply.why_not_forage(s, s.board.units[unit].side, unit))


@pytest.mark.clause("20.4-1", "20.4-3")
@pytest.mark.parametrize(("fatigue", "refused"), [(0, ""), (1, ""), (2, ""), (3, "20.4-1"), (4, "20.4-1")])
def test_the_rested_forage(field: Field, fatigue: int, refused: str) -> None:
    s = field(OPEN, {"hood": f"0501 9 F{fatigue}", "jackson": "0501", "ap-hill": "0501 9"}, **SUPPLY)
    s.hungry = {"hood"}
    assert forages(s, "hood") == refused
    assert forages(s, "ap-hill") == "20.4-3"  # in supply
    assert forages(s, "jackson") == "20.4-3"  # a leader


@pytest.mark.clause("20.4-2")
def test_who_works_doesnt_forage_nor_the_other_way_round(field: Field) -> None:
    s = field(OPEN, {"hood": "0501 9"}, phase="confederate-recovery", sides={"minor_river": "0501/0502"}, **SUPPLY)
    s.hungry = {"hood"}
    run(recovery.entrench(s, Entrench("hood")))
    assert forages(s, "hood") == "20.4-2"
    s.worked.clear()
    run(recovery.build(s, Bridge("hood", s.board.parse("0502"))), [6])  # in vain
    assert forages(s, "hood") == "20.4-2"
    s.worked.clear()
    run(supply.forage(s, Forage(("hood",))), [6])
    assert clause(recovery.why_not_entrench(s, "confederate", Entrench("hood"))) == "20.4-2"


@pytest.mark.clause("20.4-4")
def test_foraging_is_of_the_recovery(battle: Fields) -> None:
    b = battle(OPEN, {"hood": "0501 9 F1", "king": "0102 9 F4"}, turn=7, choice="confederate", **SUPPLY)
    b.state.hungry.add("hood")
    assert b.why_not("forage hood") is not None
    b.do("close action")
    assert b.phase == "confederate-recovery"
    b.do("forage hood", 1, 3, 4)
    assert b.state.hungry == set()


@pytest.mark.clause("20.4-5", "20.4-6", "20.4-7", "20.4-8", "chart-forage")
@pytest.mark.parametrize(
    ("unit", "at", "fatigue", "die", "found"),
    [
        ("hood", "0201", 2, 1, True),  # Fairfax 3: the rulebook's example
        ("hood", "0201", 2, 2, False),
        ("hood", "0201", 0, 3, True),
        ("king", "0203", 0, 5, True),  # 5 for the Union
        ("king", "0203", 0, 6, False),
        ("king", "0403", 2, 4, True),  # Loudoun 6
        ("hood", "0403", 2, 4, False),  # and 5
        ("f-lee", "0403", 1, 4, True),
    ],
)
def test_die_and_fatigue_must_not_be_above_the_countys_value(
    field: Field, unit: str, at: str, fatigue: int, die: int, found: bool
) -> None:
    s = field(OPEN, {unit: f"{at} 2 F{fatigue}"}, **SUPPLY)
    s.hungry = {unit}
    run(supply.forage(s, Forage((unit,))), [die])
    assert (unit not in s.hungry) == found
    assert forages(s, unit) == ("20.4-3" if found else "20.4-8")  # once in a recovery
    s.foraged.clear()
    if not found:
        assert forages(s, unit) == ""  # again later


@pytest.mark.clause("20.4-7", "20.3-5")
def test_who_found_food_is_in_supply_until_the_next_status(field: Field) -> None:
    s = field(OPEN, {"hood": "0501 9"}, **SUPPLY)
    s.hungry = {"hood"}
    run(supply.forage(s, Forage(("hood",))), [1])
    run(supply.effects(s))
    assert (s.manpower["hood"], s.disorganised, s.hungry) == (9, set(), set())
    status(s)
    assert s.hungry == {"hood"}


@pytest.mark.clause("20.4-opt", "20.4-opt2")
def test_with_dispersal_infantry_side_by_side_finds_less(field: Field) -> None:
    units = {"hood": "0502 9", "ap-hill": "0502 9", "wilcox": "0503 9", "f-lee": "0502 2", "kemper": "0506 9"}
    for option, adds in (("yes", [0, 1, 2, 0, 0]), ("no", [0, 0, 0, 0, 0])):
        s = field(OPEN, units, options={"forage-dispersal": option}, **SUPPLY)
        s.hungry = {*units}
        s.put("kemper", s.board.parse("0203"))
        found = run(supply.forage(s, Forage(("hood", "ap-hill", "wilcox", "f-lee", "kemper"))), [6] * 5)
        assert [facts["add"] for facts in told(found, "forage")] == adds


@pytest.mark.clause("20.4-opt2")
def test_cavalry_that_foraged_takes_nothing_from_infantry(field: Field) -> None:
    s = field(OPEN, {"hood": "0502 9", "f-lee": "0502 2"}, options={"forage-dispersal": "yes"}, **SUPPLY)
    s.hungry = {"hood", "f-lee"}
    found = run(supply.forage(s, Forage(("f-lee", "hood"))), [6, 6])
    assert [facts["add"] for facts in told(found, "forage")] == [0, 0]


TYPED = """
    Caroline 6/3 Clarke 5/5 Culpeper 5/3 Fairfax 3/5 Fauquier 4/4 Frederick 5/5 King_George 4/4 Loudoun 5/6 Madison 5/3
    Montgomery 4/6 Orange 6/3 Prince_William 4/4 Rappahannock 4/3 Spotsylvania 5/3 Stafford 4/4 Warren 4/4
"""
"""County, the Confederates' forage value, the Union's: typed from the rulebook."""


@pytest.mark.clause("chart-forage")
def test_the_forage_values(campaign: Campaign) -> None:
    typed = TYPED.split()
    pairs = zip(typed[::2], (value.split("/") for value in typed[1::2]), strict=True)
    want = {name.replace("_", " "): {"confederate": int(a), "union": int(b)} for name, (a, b) in pairs}
    board = campaign(NAME).board
    assert board.tables.forage == want
    assert {*want} == {*board.map.regions}


def test_nobody_forages_in_the_basic_game(field: Field) -> None:
    s = field(OPEN, {"hood": "0501 9"})
    assert clause(supply.why_not(s, "confederate", Forage(("hood",)))) == "14.0-0"


# --- effects (20.5) ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("20.5-1", "20.5-2")
def test_the_hungry_find_no_order(field: Field) -> None:
    s = field(OPEN, {"hood": "0501 9 disorganised", "ap-hill": "0501 9 disorganised"}, **SUPPLY)
    s.hungry = {"hood"}
    run(recovery.rest(s))
    assert s.disorganised == {"hood"}


@pytest.mark.clause("20.5-3", "20.5-4", "20.5-5", "20.5-6", "20.5-7")
@pytest.mark.parametrize(
    ("state", "manpower", "disorganised"),
    [
        ("9 F1 disorganised", 8, True),
        ("9 disorganised", 9, True),  # at fatigue 0 nothing is lost
        ("9 F1", 9, True),  # step 2 behind step 1
        ("9", 9, True),
        ("1 F1 disorganised", 1, True),  # nobody is eliminated
    ],
)
def test_want_takes_manpower_of_the_disorganised_then_order_of_the_others(
    field: Field, state: str, manpower: int, disorganised: bool
) -> None:
    s = field(OPEN, {"hood": f"0501 {state}", "king": "0202 9 F1 disorganised"}, **SUPPLY)
    s.hungry = {"hood"}
    before = dict(s.lost)
    run(supply.effects(s))
    assert (s.manpower["hood"], "hood" in s.disorganised) == (manpower, disorganised)
    assert s.manpower["king"] == 9  # in supply
    assert s.lost == before


@pytest.mark.clause("20.5-8", "3.0-7")
@pytest.mark.parametrize(("turn", "suffers"), [(5, False), (6, True), (7, True), (12, True)])
def test_effects_come_each_turn_from_turn_6_on_for_both_sides(field: Field, turn: int, suffers: bool) -> None:
    units = {"hood": "0506 9 F4", "king": "0106 9 F4"}
    s = field(OPEN, units, turn=turn, phase="confederate-recovery", opened=False, **SUPPLY)
    s.hungry = {"hood", "king"}
    _, found = play(s, [])
    assert (s.turn, labels(found)) == (turn + 1, ["event"])
    assert (s.disorganised == {"hood", "king"}) == suffers
