"""Railways, leaders killed, panic and the pontoon bridge of the advanced game (16.0 to 19.0)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, play, run, told
from rules.gcacw.small_field import ADVANCED

from pbem.errors import Refusal
from pbem.rules.gcacw import assault, leaders, march, may_march, never, panic, railway
from pbem.rules.gcacw.combat import Fight, fight, modifiers
from pbem.rules.gcacw.entering import entered, river
from pbem.rules.gcacw.order_form import form
from pbem.rules.gcacw.orders import Activate, Assault, Bridge, Detach, March, Rail, Strike, Transfer
from pbem.rules.gcacw.reasons import factors
from pbem.rules.gcacw.recovery import build, why_not_bridge
from pbem.rules.gcacw.retreat import can_retreat, flight
from pbem.rules.gcacw.sequence import next_activity
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import is_open, near
from pbem.rules.requests import Choose, Tell

Field = Callable[..., State]
Fields = Callable[..., Battle]
Campaign = Callable[..., State]
NAME = "rapidan-to-manassas"
OPEN = "\n".join([". " * 8] * 5)
WOODS = OPEN.replace(".", "w")
"""Where the guns of these units change nothing, so that no die of theirs is rolled."""
LINE = " ".join(f"{column:02}01" for column in range(1, 9))
HAUL = {**ADVANCED, "rails": {"turns": ["7", "8", "9"], "starts": ["0101", "0201"], "hexes": "5", "most": "16"}}
RAIL: dict[str, Any] = {"scenario": {"advanced": HAUL, "stations": ["0101", "0401"]}, "roads": {"railroad": LINE},
                        "turns": 15}  # fmt: skip


def clause(refusal: Refusal | None) -> str:
    return "" if refusal is None else refusal.clause


def tells(found: Sequence[Any], what: str) -> list[Tell]:
    return [one for one in found if isinstance(one, Tell) and one.what == what]


# --- railways (16.0) --------------------------------------------------------------------------------------------------


def rail(s: State, unit: str, to: str) -> str:
    """The clause by which a unit can't go by rail to a hex of the line, "" when it can."""
    here, there = s.board.label[s.at[unit]], to
    columns = range(int(here[:2]) + 1, int(there[:2]) + 1)
    order = Rail(unit, tuple(s.board.parse(f"{column:02}01") for column in columns))
    return clause(railway.why_not_rail(s, s.board.units[unit].side, order))


@pytest.mark.clause("16.0-1")
@pytest.mark.parametrize(("turn", "goes"), [(6, False), (7, True), (8, True), (9, True), (10, False)])
def test_union_infantry_goes_by_rail_in_three_turns(field: Field, turn: int, goes: bool) -> None:
    s = field(OPEN, {"king": "0101 9", "buford": "0101 3", "hood": "0201 9"}, turn=turn, **RAIL)
    assert rail(s, "king", "0301") in ("16.0-1", "std-2.2-7")
    s.put("hood", s.board.parse("0805"))
    assert rail(s, "king", "0301") == ("" if goes else "16.0-1")
    assert rail(s, "buford", "0301") == "16.0-1"  # cavalry
    s.put("hood", s.board.parse("0101"))
    assert rail(s, "hood", "0301") == "16.0-1"  # the other side


@pytest.mark.clause("16.0-1", "16.0-2", "16.0-8")
@pytest.mark.parametrize(
    ("unit", "turn", "hauled", "why"),
    [
        ("buford", 7, 0, "Buford is cavalry: only Union infantry goes by rail, in turns 7, 8 and 9"),
        ("hood", 7, 0, "Hood is Confederate: only Union infantry goes by rail, in turns 7, 8 and 9"),
        ("king", 6, 0, "King goes by rail in turns 7, 8 and 9 only"),
        ("king", 7, 15, "the railroad takes 8 1/2 points of combat value more in this turn, and King has 9"),
        ("king", 7, 14, ""),
    ],
)
def test_who_is_refused_a_way_by_rail_is_told_what_it_needs(
    field: Field, unit: str, turn: int, hauled: int, why: str
) -> None:
    s = field(OPEN, {"king": "0101 9", "buford": "0101 3", "hood": "0505 9"}, turn=turn, **RAIL)
    s.hauled = hauled
    refusal = railway.why_no_rail(s, unit)
    assert (refusal.reason if refusal is not None else "") == why
    s.put("king", s.board.parse("0103"))
    if not why:
        found = railway.why_not_rail(s, "union", Rail("king", (s.board.parse("0203"),)))
        assert found is not None
        assert found.reason == "King goes by rail only from 0101 or 0201, and stands in 0103"


@pytest.mark.clause("16.0-1")
def test_a_leader_goes_along_by_rail(battle: Fields) -> None:
    b = battle(OPEN, {"king": "0101 8", "mcdowell": "0101", "hood": "0805 9"}, turn=7, choice="union", **RAIL)
    b.do("rail king with mcdowell 0201 0301")
    assert b.at("king") == b.at("mcdowell") == "0301"


@pytest.mark.clause("16.0-8", "21.1-5", "21.1-7")
def test_odds_of_going_by_rail_tell_the_room_and_who_stays_behind(field: Field) -> None:
    s = field(OPEN, {"king": "0101 8 F1", "hood": "0805 9"}, turn=7, choice="union", **RAIL)
    way = tuple(s.board.parse(number) for number in ("0201", "0301"))
    order = Rail("king", way, (), (Detach("union-sub-1", 3), Detach("union-sub-2", 2, way[0])))
    assert railway.why_not_rail(s, "union", order) is None
    assert [(one.what, one.value, one.clause) for one in factors(s, order)] == [
        ("the combat value of king by rail", "8 of 16 that are left", "16.0-8"),
        ("union-sub-1 detached of king", "3 manpower where it begins, at fatigue 1; 5 go on", "21.1-5"),
        ("union-sub-2 detached of king", "2 manpower at 0201, at fatigue 2; 3 go on", "21.1-7"),
    ]
    run(railway.go_by_rail(s, order), ())
    assert [(s.manpower[unit], s.fatigue.get(unit, 0)) for unit in ("union-sub-1", "union-sub-2")] == [(3, 1), (2, 2)]
    assert s.hauled == 2 * 8


@pytest.mark.clause("16.0-4")
def test_the_form_names_how_far_the_railroad_leads(field: Field) -> None:
    s = field(OPEN, {"king": "0101 8", "hood": "0805 9"}, turn=7, choice="union", **RAIL)
    choose = next(request for request in next_activity(s) if isinstance(request, Choose))  # type: ignore[union-attr]
    king = next(entry for entry in form(s, choose) if entry.heading.startswith("king"))
    assert ("rail", "king", "to", "0601") in king.typed.values()
    way = ("0201", "0301", "0401", "0501", "0601")
    assert dict(king.orders)["rail", "king", *way] == "", "its end has no name to tell"
    assert "combat value 16 more in this turn, and all of its own counts" in " ".join(king.notes)


@pytest.mark.clause("21.1-2", "21.1-11")
def test_what_can_never_be_detached_is_refused_in_any_phase(field: Field) -> None:
    s = field(OPEN, {"king": "0101 8", "hood": "0805 9"}, turn=7, **RAIL)
    for detached, code in (
        (Detach("union-sub-1", 3), ""),
        (Detach("union-sub-1", 10), "21.1-11"),
        (Detach("csa-sub-1", 3), "21.1-2"),
        (Detach("union-cav-1", 1), "21.1-2"),
    ):
        for order in (March("king", (), (), detached=(detached,)), Rail("king", (), (), (detached,))):
            assert clause(never.why_never(s, "union", order)) == code


@pytest.mark.clause("21.1-2", "21.1-7", "21.1-8")
def test_what_a_substitute_is_now_bars_nothing_of_what_it_is_once_it_is_detached_anew(field: Field) -> None:
    """Its corps, its fatigue and its spirit are those of the unit whose men it has; a unit's own never change so."""
    stands = {
        "king": "0101 8 F4",
        "schurz": "0201 8",
        "sigel": "0201",
        "mcdowell": "0101",
        "hood": "0805 9",
        "union-sub-1": "0101 3 F4",
    }
    s = field(OPEN, stands, turn=7, **RAIL)
    s.origin["union-sub-1"] = "king"
    s.demoralise("union-sub-1", 1)
    s.demoralise("king", 1)
    sub, king = March("union-sub-1"), March("king")
    for order, code in (
        (sub, ""),
        (king, "std-4.0-6"),
        (sub._replace(strike=Strike(s.board.parse("0805"))), ""),
        (Activate("mcdowell", (sub,)), ""),
        (Activate("sigel", (sub,)), ""),
        (Activate("mcdowell", (March("schurz"),)), "std-5.2-1"),
        (Assault("sigel", s.board.parse("0805"), ("union-sub-1",)), ""),
        (Transfer("sigel", "union-sub-1"), ""),
        (Transfer("sigel", "king"), "std-3.0-2"),
    ):
        assert clause(never.why_never(s, "union", order)) == code, order


@pytest.mark.clause("16.0-2")
def test_by_rail_begins_in_one_of_the_stations(field: Field) -> None:
    s = field(OPEN, {"king": "0101 8", "ricketts": "0301 8", "reynolds": "0201 8"}, turn=7, **RAIL)
    assert [rail(s, unit, "0501") for unit in ("king", "reynolds", "ricketts")] == ["", "", "16.0-2"]


@pytest.mark.clause("16.0-2")
def test_no_leader_activates_for_a_march_by_rail(battle: Fields) -> None:
    b = battle(OPEN, {"king": "0101 8", "mcdowell": "0101", "hood": "0805 9"}, turn=7, choice="union", **RAIL)
    with pytest.raises(Exception, match="rail"):
        b.order("activate mcdowell rail king 0201")
    assert b.why_not("rail king with mcdowell 0201") is None


@pytest.mark.clause("16.0-3")
@pytest.mark.parametrize(("before", "rolls"), [(0, []), (1, []), (2, ["extended/king"]), (3, ["extended/king"])])
def test_by_rail_costs_fatigue_and_may_be_an_extended_march(battle: Fields, before: int, rolls: list[str]) -> None:
    b = battle(OPEN, {"king": f"0101 8 F{before}", "hood": "0805 9"}, turn=7, choice="union", **RAIL)
    b.do("rail king 0201 0301", *([1] if rolls else []))
    assert b.state.fatigue["king"] == before + 1
    assert ("extended" in b.events()) == bool(rolls)


@pytest.mark.clause("16.0-4")
def test_by_rail_goes_so_far_along_connected_rails(field: Field, campaign: Campaign) -> None:
    s = field(OPEN, {"king": "0101 8"}, turn=7, **RAIL)
    assert [rail(s, "king", to) for to in ("0601", "0701")] == ["", "16.0-4"]  # five hexes here
    off = Rail("king", (s.board.parse("0102"),))
    assert clause(railway.why_not_rail(s, "union", off)) == "16.0-6"
    advanced = campaign(NAME).board.advanced
    assert advanced is not None
    assert advanced.rails.hexes == 35


@pytest.mark.clause("16.0-5")
def test_rails_are_closed_in_zones_and_at_stations_that_are_hurt(field: Field) -> None:
    s = field(OPEN, {"king": "0101 8", "hood": "0102 9"}, turn=7, **RAIL)  # it begins in a zone
    assert [rail(s, "king", to) for to in ("0201", "0301")] == ["16.0-5", "16.0-5"]
    s.put("hood", s.board.parse("0303"))
    assert [rail(s, "king", to) for to in ("0201", "0301")] == ["", ""]
    s.put("hood", s.board.parse("0302"))
    assert rail(s, "king", "0301") == "16.0-5"
    s.put("hood", s.board.parse("0805"))
    for state in (1, 2):
        s.station[s.board.parse("0401")] = state
        assert [rail(s, "king", to) for to in ("0301", "0501")] == ["", "16.0-5"]
    s.station = {s.board.parse("0101"): 2}  # to begin in one is not to enter it
    assert rail(s, "king", "0501") == ""


@pytest.mark.clause("16.0-5", "std-2.4-12")
@pytest.mark.parametrize(("manpower", "zones", "goes"), [(10, "pass", True), (9, "pass", False), (10, "stop", False)])
def test_a_restricted_zone_bars_no_rails(field: Field, manpower: int, zones: str, goes: bool) -> None:
    options = {"restricted-zones": zones}
    s = field(OPEN, {"king": f"0101 {manpower}", "f-lee": "0302 2"}, turn=7, options=options, **RAIL)
    assert rail(s, "king", "0501") == ("" if goes else "16.0-5")


@pytest.mark.clause("16.0-5")
def test_a_unit_leaves_a_zone_by_rail(field: Field) -> None:
    s = field(OPEN, {"king": "0201 8", "hood": "0102 9"}, turn=7, **RAIL)
    assert s.board.parse("0201") in near(s, "confederate", s.board.parse("0102"))
    assert rail(s, "king", "0401") == ""


@pytest.mark.clause("16.0-6")
def test_by_rail_passes_friends_without_penalty(battle: Fields) -> None:
    units = {"king": "0101 8", "ricketts": "0201 9", "reynolds": "0301 9", "hood": "0805 9"}
    b = battle(OPEN, units, turn=7, choice="union", **RAIL)
    assert b.why_not("rail king 0201 0301 0302") is not None
    b.do("rail king 0201 0301 0401 0501")
    assert b.at("king") == "0501"


@pytest.mark.clause("21.1-1", "21.1-3", "21.1-5", "21.1-7")
def test_by_rail_a_part_is_left_in_the_first_hex_or_one_on_the_way(battle: Fields) -> None:
    b = battle(OPEN, {"king": "0101 8", "mcdowell": "0101", "hood": "0805 9"}, turn=7, choice="union", **RAIL)
    assert b.refused("rail king 0201 0301 detach union-sub-1 2 0401") == "21.1-3"
    b.do("rail king 0201 0301 0401 detach union-sub-1 3 union-sub-2 2 0301")
    assert [b.at(u) for u in ("union-sub-1", "union-sub-2", "king")] == ["0101", "0301", "0401"]
    assert [b.state.manpower[u] for u in ("union-sub-1", "union-sub-2", "king")] == [3, 2, 3]
    assert [b.state.fatigue.get(u, 0) for u in ("union-sub-1", "union-sub-2", "king")] == [0, 1, 1]


@pytest.mark.clause("16.0-7")
def test_who_went_by_rail_acts_on(battle: Fields) -> None:
    b = battle(OPEN, {"king": "0101 8", "hood": "0805 9"}, turn=7, choice="union", **RAIL)
    b.do("rail king 0201 0301")
    b.do("", 6, 1)
    assert b.why_not("march king 0302") is None
    b.do("march king 0302", 3)
    assert b.at("king") == "0302"


@pytest.mark.clause("16.0-8")
def test_the_railroad_takes_16_points_in_a_cycle(battle: Fields) -> None:
    units = {"kearny": "0101 13", "taylor": "0101 2", "sturgis": "0101 1", "casey": "0101 1", "hood": "0805 9"}
    b = battle(OPEN, units, turn=7, choice="union", **RAIL)
    for unit in ("kearny", "taylor"):
        b.do(f"rail {unit} 0201 0301")
        b.do("", 6, 1)
    assert b.why_not("rail sturgis 0201") is None  # 16 together
    b.do("rail sturgis 0201 0301")
    b.do("", 6, 1)
    assert b.refused("rail casey 0201") == "16.0-8"
    assert b.state.hauled == 32


@pytest.mark.clause("16.0-8")
def test_the_next_turn_counts_anew(battle: Fields) -> None:
    b = battle(OPEN, {"kearny": "0101 13", "king": "0101 9", "hood": "0805 9"}, turn=7, choice="union", **RAIL)
    b.do("rail kearny 0201 0301")
    b.do("", 6, 1)
    assert b.refused("rail king 0201") == "16.0-8"
    b.do("done")
    b.do("done", 3, 4)
    assert (b.state.turn, b.state.hauled) == (8, 0)


@pytest.mark.clause("16.0-8")
def test_who_goes_by_rail_twice_counts_once(battle: Fields) -> None:
    units = {"kearny": "0101 13", "taylor": "0101 3", "sturgis": "0101 1", "hood": "0805 9"}
    b = battle(OPEN, units, turn=7, choice="union", **RAIL)
    for unit, way in (("kearny", "0201"), ("taylor", "0201")):
        b.do(f"rail {unit} {way}")
        b.do("", 6, 1)
    assert b.refused("rail sturgis 0201") == "16.0-8"
    b.do("rail kearny 0301")
    assert (b.at("kearny"), b.state.hauled) == ("0301", 32)
    b.do("", 6, 1)
    b.do("done")
    b.do("done", 3, 4)
    assert (b.state.turn, b.state.railed, b.state.hauled) == (8, set(), 0)


@pytest.mark.clause("16.0-9")
def test_the_disorganised_go_by_rail(field: Field) -> None:
    s = field(OPEN, {"king": "0101 14 disorganised"}, turn=7, **RAIL)
    assert rail(s, "king", "0301") == ""
    s.hauled = 2 * 6  # its value is 10, disorganised, of the 16
    assert rail(s, "king", "0301") == ""
    s.hauled = 2 * 7
    assert rail(s, "king", "0301") == "16.0-8"


# --- leaders killed (17.0) --------------------------------------------------------------------------------------------

DEAD: dict[str, Any] = {"scenario": {"advanced": ADVANCED}, "turns": 15}
SOUTH = {"jackson": "0202", "ap-hill": "0202 9", "king": "0201 9"}


def attack(s: State, side: str, unit: str, at: str, *dice: int, answers: Sequence[Any] = ()) -> list[Any]:
    """A march attack of normal kind with these dice."""
    return run(fight(s, Fight(side, s.board.parse(at), (unit,), "normal")), dice, answers)


@pytest.mark.clause("17.0-1", "17.0-2", "17.0-5")
@pytest.mark.parametrize(("die", "killed"), [(1, False), (2, True), (3, False), (4, True), (5, False), (6, True)])
def test_behind_two_ones_an_even_die_kills(field: Field, die: int, killed: bool) -> None:
    s = field(WOODS, SOUTH, **DEAD)
    found = attack(s, "union", "king", "0202", 1, 1, die)
    assert labels(found)[-1] == "leader/0202"
    assert (s.killed == {"jackson"}) == killed
    assert s.tactical("jackson") == (3 if killed else 4)
    assert s.command_value("jackson") == (6 if killed else 7)
    assert [told_["killed"] for told_ in told(found, "leader-check")] == [killed]


@pytest.mark.clause("17.0-2")
@pytest.mark.parametrize("dice", [(1, 2), (2, 1), (2, 2), (6, 6)])
def test_other_dice_kill_nobody(field: Field, dice: tuple[int, int]) -> None:
    s = field(WOODS, SOUTH, **DEAD)
    found = attack(s, "union", "king", "0202", *dice)
    assert "leader/0202" not in labels(found)


@pytest.mark.clause("17.0-1")
def test_an_attackers_leader_is_in_danger_with_units_of_his_command(field: Field) -> None:
    units = {"jackson": "0202", "ap-hill": "0202 9", "longstreet": "0202", "hood": "0202 9", "king": "0201 9"}
    s = field(WOODS, units, **DEAD)
    at = s.board.parse("0201")
    assert panic.in_danger(s, Fight("confederate", at, ("ap-hill",), "normal")) == ["jackson"]
    assert panic.in_danger(s, Fight("confederate", at, ("hood",), "normal")) == ["longstreet"]
    s.put("jackson", s.board.parse("0302"))
    assert panic.in_danger(s, Fight("confederate", at, ("ap-hill",), "normal")) == []


@pytest.mark.clause("17.0-1")
def test_no_union_leader_is_killed(field: Field) -> None:
    s = field(WOODS, {"mcdowell": "0201", "king": "0201 9", "hood": "0202 9"}, **DEAD)
    found = attack(s, "confederate", "hood", "0201", 1, 1)
    assert s.killed == set()
    assert told(found, "leader-check") == []


@pytest.mark.clause("17.0-3")
def test_the_best_of_several_is_killed_and_of_equals_he_who_is_named(field: Field) -> None:
    units = {"jackson": "0202", "stuart": "0202", "ap-hill": "0202 9", "f-lee": "0202 2", "king": "0201 9"}
    s = field(WOODS, units, **DEAD)
    attack(s, "union", "king", "0202", 1, 1, 2)
    assert s.killed == {"jackson"}  # 4 against 3
    s = field(WOODS, units | {"longstreet": "0202", "evans": "0202 5"}, **DEAD)
    attack(s, "union", "king", "0202", 1, 1, 2)
    assert s.killed == {"jackson"}  # the lower id by default
    s = field(WOODS, units | {"longstreet": "0202", "evans": "0202 5"}, **DEAD)
    attack(s, "union", "king", "0202", 1, 1, 2, answers=[panic.Fallen("longstreet")])
    assert s.killed == {"longstreet"}


@pytest.mark.clause("17.0-4")
def test_lee_cant_be_killed(field: Field) -> None:
    s = field(WOODS, {"lee": "0202", "ap-hill": "0202 9", "king": "0201 9"}, **DEAD)
    found = attack(s, "union", "king", "0202", 1, 1)
    assert s.killed == set()
    assert told(found, "leader-check") == []


@pytest.mark.clause("17.0-5")
def test_who_follows_leads_with_lower_values(battle: Fields) -> None:
    units = {"jackson": "0202", "ap-hill": "0202 9", "king": "0201 9"}
    b = battle(WOODS, units, choice="confederate", **DEAD)
    assert assault.assault_number(b.state, "jackson", 1) == 7
    assert assault.is_commander(b.state, "jackson", "corps")
    b.state.killed.add("jackson")
    assert assault.assault_number(b.state, "jackson", 1) == 6
    assert not assault.is_commander(b.state, "jackson", "corps")
    assert b.why_not("activate jackson march ap-hill with jackson 0302") is None
    f = Fight("confederate", b.hex("0201"), ("ap-hill",), "normal")
    assert {m.name: m.points for m in modifiers(b.state, f)}["tactical"] == 3 - 2


@pytest.mark.clause("17.0-6")
def test_a_substitute_isnt_killed_again(field: Field) -> None:
    s = field(WOODS, SOUTH, **DEAD)
    s.killed.add("jackson")
    found = attack(s, "union", "king", "0202", 1, 1)
    assert told(found, "leader-check") == []
    assert s.tactical("jackson") == 3


@pytest.mark.clause("17.0-7")
def test_the_combat_goes_on_with_the_living_leaders_value(field: Field) -> None:
    s, other = field(WOODS, SOUTH, **DEAD), field(WOODS, SOUTH, **DEAD)
    killed, unhurt = (attack(one, "union", "king", "0202", 1, 1, die) for one, die in ((s, 2), (other, 1)))
    assert told(killed, "fight") == told(unhurt, "fight")
    assert s.killed != other.killed


@pytest.mark.clause("17.0-2", "std-7.1-10")
def test_the_leaders_die_is_the_last_of_a_combat(field: Field) -> None:
    s = field(WOODS, SOUTH, **DEAD)
    assert labels(attack(s, "union", "king", "0202", 1, 1, 3))[-3:] == ["attack/0202", "defence/0202", "leader/0202"]


def test_in_the_basic_game_no_leader_is_killed(field: Field) -> None:
    s = field(WOODS, SOUTH)
    assert "leader/0202" not in labels(attack(s, "union", "king", "0202", 1, 1))


# --- panic (18.0) -----------------------------------------------------------------------------------------------------

AFRAID = {**ADVANCED, "panic": {"leader": "pope", "replaced-by": "mcclellan"}}
PANIC: dict[str, Any] = {"scenario": {"advanced": AFRAID}, "turns": 15}
NORTH = {
    "pope": "0101",
    "king": "0101 2",
    "sturgis": "0805 1",
    "ap-hill": "0201 18",
    "hood": "0102 18",
    "wilcox": "0202 18",
}


def rout(s: State) -> list[Any]:
    """An attack on King that ends with an asterisk."""
    order = Fight("confederate", s.board.parse("0101"), ("ap-hill", "hood"), "assault", commander=True)
    return run(fight(s, order), [6, 1])


@pytest.mark.clause("18.0-1", "18.0-2")
def test_a_starred_result_on_the_union_begins_the_panic_once(field: Field) -> None:
    s = field(WOODS, NORTH, turn=4, **PANIC)
    found = rout(s)
    assert "*" in told(found, "fight")[0]["result"]
    assert s.panic == 4
    assert len(told(found, "panic")) == 1
    s.turn = 9
    run(panic.begin(s))
    assert s.panic == 4


@pytest.mark.clause("18.0-1")
def test_no_star_and_a_star_on_the_confederate_begin_none(field: Field) -> None:
    s = field(WOODS, NORTH, turn=4, **PANIC)
    run(fight(s, Fight("confederate", s.board.parse("0101"), ("ap-hill",), "column")), [1, 6])
    assert s.panic == 0
    s = field(WOODS, {"king": "0101 18", "ricketts": "0102 18", "ripley": "0201 1", "wilcox": "0805 9"}, turn=4, **DEAD)
    found = run(fight(s, Fight("union", s.board.parse("0201"), ("king", "ricketts"), "prepared")), [6, 1])
    assert "*" in told(found, "fight")[0]["result"]
    assert s.panic == 0


def test_in_the_basic_game_there_is_no_panic(field: Field) -> None:
    s = field(WOODS, NORTH, turn=1)
    assert "*" in told(rout(s), "fight")[0]["result"]
    assert s.panic == 0


@pytest.mark.clause("18.0-3")
@pytest.mark.parametrize(("turn", "counts"), [(4, True), (5, True), (6, False)])
def test_panic_takes_from_the_unions_die_for_two_turns(field: Field, turn: int, counts: bool) -> None:
    s = field(WOODS, {"king": "0101 9", "hood": "0201 9"}, turn=turn, **DEAD)
    s.panic = 4
    for side, at, unit, of in (("union", "0201", "king", "attacker"), ("confederate", "0101", "hood", "defender")):
        found = [m for m in modifiers(s, Fight(side, s.board.parse(at), (unit,), "normal")) if m.name == "panic"]
        assert [(m.of, m.points) for m in found] == ([(of, -1)] if counts else [])


@pytest.mark.clause("18.0-3")
def test_the_combat_that_begins_it_isnt_worse_for_it(field: Field) -> None:
    s = field(WOODS, NORTH, turn=4, **PANIC)
    assert all(m[1] != "panic" for m in told(rout(s), "fight")[0]["modifiers"])


@pytest.mark.clause("18.0-4")
@pytest.mark.parametrize(("turn", "barred"), [(4, True), (5, True), (6, False)])
def test_in_panic_the_union_forces_no_march_but_extends_it(field: Field, turn: int, barred: bool) -> None:
    s = field(WOODS, {"king": "0101 9 F2", "hood": "0805 9"}, turn=turn, **DEAD)
    s.panic = 4
    way = (s.board.parse("0201"),)
    assert clause(may_march.why_not(s, "union", March("king", way, force="always"))) == ("18.0-4" if barred else "")
    assert clause(may_march.why_not(s, "union", March("king", way))) == ""
    assert clause(may_march.why_not(s, "confederate", March("hood", (s.board.parse("0804"),), force="always"))) == ""


@pytest.mark.clause("18.0-5", "18.0-6")
def test_two_turns_later_mcclellan_comes_for_pope(field: Field) -> None:
    s = field(
        WOODS, {"pope": "0101", "king": "0101 9", "hood": "0805 9"}, turn=6, phase="events", opened=False, **PANIC
    )
    s.panic = 4
    run(panic.replace(s))
    assert "pope" not in s.at
    assert s.board.label[s.at["mcclellan"]] == "0101"
    run(panic.replace(s))  # once
    assert "pope" not in s.at


@pytest.mark.clause("18.0-5")
@pytest.mark.parametrize(("others", "at"), [({"hooker": "0304 9", "reynolds": "0502 9"}, "0502"), ({}, "0101")])
def test_without_pope_he_comes_to_the_northernmost_of_his_own_army(
    field: Field, others: dict[str, str], at: str
) -> None:
    units = {"pope": "0101", "king": "0101 9", "ricketts": "0804 9", "hood": "0805 9"}
    s = field(WOODS, units | others, turn=6, phase="events", opened=False, **PANIC)
    s.panic = 4
    s.remove("pope")
    run(panic.replace(s))
    assert s.board.label[s.at["mcclellan"]] == at


@pytest.mark.clause("18.0-5", "21.1-8")
def test_a_substitute_of_his_army_is_of_it_too(field: Field) -> None:
    units = {"pope": "0801", "kearny": "0803 9", "union-sub-1": "0802 3", "king": "0801 9", "hood": "0105 9"}
    s = field(WOODS, units, turn=6, phase="events", opened=False, **PANIC)
    s.origin["union-sub-1"], s.panic = "kearny", 4
    s.remove("pope")
    run(panic.replace(s))
    assert s.board.label[s.at["mcclellan"]] == "0802"


@pytest.mark.clause("18.0-5")
@pytest.mark.parametrize("turn", [5, 7])
def test_mcclellan_comes_in_no_other_turn(field: Field, turn: int) -> None:
    s = field(WOODS, {"pope": "0101", "king": "0101 9"}, turn=turn, **PANIC)
    s.panic = 4
    run(panic.replace(s))
    assert "pope" in s.at


@pytest.mark.clause("18.0-5")
def test_pope_never_comes_back(field: Field) -> None:
    s = field(WOODS, {"pope": "0101", "king": "0101 9", "ricketts": "0105 9"}, turn=6, **PANIC)
    s.panic = 4
    run(panic.replace(s))
    assert "pope" not in {order.leader for order in leaders.transfers(s, "union")}
    assert clause(leaders.why_not_transfer(s, "union", Transfer("pope", "king"))) == "18.0-5"
    assert leaders.why_not_transfer(s, "union", Transfer("mcclellan", "ricketts")) is None


@pytest.mark.clause("18.0-5", "18.0-7")
def test_mcclellan_off_the_map_comes_back_and_all_march_as_before(field: Field) -> None:
    s = field(WOODS, {"pope": "0101", "king": "0101 9"}, turn=6, **PANIC)
    s.panic = 4
    run(panic.replace(s))
    s.remove("mcclellan")
    assert s.army("king") == "AP"
    assert [*leaders.transfers(s, "union")] == [Transfer("mcclellan", "king")]


@pytest.mark.clause("18.0-5")
def test_mcclellan_comes_before_the_random_event(field: Field) -> None:
    units = {"pope": "0101", "king": "0101 9 F4", "hood": "0805 9 F4"}
    s = field(WOODS, units, turn=6, phase="events", opened=False, **PANIC)
    s.panic = 4
    _, found = play(s, [])
    assert [one.what for one in found if isinstance(one, Tell)][:2] == ["phase", "replaced"]


@pytest.mark.clause("18.0-6", "std-6.3-3")
def test_mcclellan_leads_both_armies(field: Field) -> None:
    s = field(WOODS, {"pope": "0101", "king": "0101 9", "kearny": "0101 13", "hood": "0805 9"}, turn=6, **PANIC)
    assert s.commands("pope", "king")
    assert not s.commands("pope", "kearny")
    s.panic = 4
    run(panic.replace(s))
    assert s.commands("mcclellan", "king")
    assert s.commands("mcclellan", "kearny")
    assert not s.commands("mcclellan", "hood")


@pytest.mark.clause("18.0-7")
def test_from_then_on_all_march_as_the_army_of_the_potomac(field: Field) -> None:
    s = field(WOODS, {"pope": "0101", "king": "0101 9 F3", "kearny": "0101 13", "hood": "0805 9"}, turn=6, **PANIC)
    s.panic = 4
    assert [s.army(unit) for unit in ("king", "kearny", "hood")] == ["AV", "AP", "ANV"]
    run(panic.replace(s))
    assert [s.army(unit) for unit in ("king", "kearny", "hood")] == ["AP", "AP", "ANV"]
    found = run(march.strain(s, "king"), [2])
    assert told(found, "extended")[0]["disorganised"] is False  # AV: D


@pytest.mark.clause("18.0-8")
def test_a_late_panic_brings_no_mcclellan(field: Field) -> None:
    units = {"pope": "0101", "king": "0101 9 F4", "hood": "0805 9 F4"}
    s = field(WOODS, units, turn=14, phase="events", opened=False, **PANIC)
    s.panic = 14
    _, found = play(s, [])
    run(panic.replace(s))
    assert "pope" in s.at
    assert s.army("king") == "AV"
    assert tells(found, "replaced") == []


# --- Chatham Bridge (19.0) --------------------------------------------------------------------------------------------

BRIDGE = {"king": "S4427 9", "hood": "S2126 9"}


def chatham(campaign: Campaign, units: dict[str, str], **more: Any) -> State:
    """The campaign with these units and nobody else."""
    s = campaign(NAME, units, **more)
    for unit in [*s.at]:
        if unit not in units:
            s.take(unit)
            for marks in (s.manpower, s.fatigue):
                marks.pop(unit, None)
    return s


@pytest.mark.clause("19.0-1")
def test_chatham_bridge_is_there_and_the_unions(campaign: Campaign) -> None:
    s = campaign(NAME)
    assert s.bridges == {"S4328/S4427": "union"}
    a, b = map(s.board.parse, ("S4328", "S4427"))
    assert is_open(s, "union", a, b)
    assert not is_open(s, "confederate", a, b)


@pytest.mark.clause("19.0-2")
def test_confederates_dont_cross_it(campaign: Campaign) -> None:
    s = chatham(campaign, {"hood": "S4328 4", "king": "S4427 9"})
    a, b = map(s.board.parse, ("S4328", "S4427"))
    s.turn = 3
    assert clause(may_march.why_not(s, "confederate", March("hood", (b,)))) != ""
    s.take("king")
    assert clause(may_march.why_not(s, "confederate", March("hood", (b,)))) == "std-6.1-7"
    assert b not in near(s, "confederate", a)
    s.put("king", a)
    s.put("hood", s.board.parse("S2126"))
    assert clause(may_march.why_not(s, "union", March("king", (b,)))) == ""
    assert can_retreat(s, flight(s, a, "union", [], "retreat"))


@pytest.mark.clause("19.0-3", "19.0-5")
def test_the_union_takes_it_away_on_a_march(campaign: Campaign) -> None:
    s = chatham(campaign, BRIDGE, turn=3)
    a, b = map(s.board.parse, ("S4328", "S4427"))
    far = s.board.parse("S4525")
    order = March("king", (), unbridge=(a, b))
    assert clause(may_march.why_not(s, "union", order)) == ""
    s.put("king", far)
    assert clause(may_march.why_not(s, "union", order)) == "std-10.0-4"
    s.put("king", b)
    found = run(march.run(s, order, 4))
    assert s.bridges == {}
    assert [one.clause for one in tells(found, "bridge-removed")] == ["19.0-5"]
    assert told(found, "march")[0]["left"] == 4  # it costs no points
    assert not is_open(s, "union", a, b)


@pytest.mark.clause("19.0-4")
@pytest.mark.parametrize(("manpower", "stands"), [(4, True), (5, False)])
@pytest.mark.parametrize("end", ["S4328", "S4427"])
def test_it_is_taken_away_when_the_strong_enemy_comes(
    campaign: Campaign, manpower: int, stands: bool, end: str
) -> None:
    s = chatham(campaign, {"hood": f"{end} {manpower}"}, turn=3)
    run(entered(s, ["hood"], s.board.parse(end)))
    assert bool(s.bridges) == stands
    assert s.dismantled == (0 if stands else 3)


RIVER = ("S4529", "S4428")
"""A hexside of the Rappahannock below Fredericksburg: the hexes on both sides."""


def bridging(s: State, unit: str, to: str) -> str:
    return clause(why_not_bridge(s, s.board.units[unit].side, Bridge(unit, s.board.parse(to))))


@pytest.mark.clause("19.0-6", "19.0-7", "19.0-8", "19.0-9")
def test_another_bridge_may_be_built_over_the_rappahannock_in_a_later_turn(campaign: Campaign) -> None:
    s = chatham(campaign, {"king": f"{RIVER[1]} 9", "ricketts": "S2314 9"}, turn=4, phase="union-recovery")
    assert bridging(s, "king", RIVER[0]) == "19.0-9"  # Chatham Bridge is there
    assert bridging(s, "ricketts", "S2214") == ""  # the minor river above
    s.unbuild("S4328/S4427")
    s.dismantled = 4
    assert bridging(s, "king", RIVER[0]) == "19.0-7"
    s.turn = 5
    assert bridging(s, "king", RIVER[0]) == ""
    run(build(s, Bridge("king", s.board.parse(RIVER[0]))), [4])
    assert [*s.bridges.values()] == ["union"]


@pytest.mark.clause("19.0-8")
def test_no_bridge_is_built_over_another_major_river(campaign: Campaign) -> None:
    s = chatham(campaign, {"king": "S4428 9"}, turn=5, phase="union-recovery")
    s.unbuild("S4328/S4427")
    ground = s.board.ground
    others = [(h, side.to) for h in s.board.map.hexes for side in ground.sides[h] if side.water == "major_river"]
    others = [(a, b) for a, b in others if (a, b) not in river(s) and not ground.between[a][b].open]
    for here, there in others[:20]:
        s.put("king", here)
        assert clause(why_not_bridge(s, "union", Bridge("king", there))) == "std-10.0-1"


@pytest.mark.clause("19.0-10", "19.0-11")
def test_the_new_bridge_goes_the_same_ways_and_another_may_follow(campaign: Campaign) -> None:
    s = chatham(campaign, {"king": f"{RIVER[1]} 9"}, turn=5, phase="union-recovery")
    s.unbuild("S4328/S4427")
    run(build(s, Bridge("king", s.board.parse(RIVER[0]))), [4])
    s.worked.clear()
    assert bridging(s, "king", RIVER[0]) == "19.0-9"
    here = s.at["king"]
    at = next(n for n in s.board.ground.near[here] if (here, n) in river(s) and s.board.label[n] != RIVER[0])
    assert clause(why_not_bridge(s, "union", Bridge("king", at))) == "19.0-9"  # one at a time
    s.put("hood", s.board.parse(RIVER[0]))
    s.manpower["hood"] = 5
    run(entered(s, ["hood"], s.board.parse(RIVER[0])))
    assert (s.bridges, s.dismantled) == ({}, 5)
    s.remove("hood")
    assert bridging(s, "king", RIVER[0]) == "19.0-7"
    s.turn = 6
    assert bridging(s, "king", RIVER[0]) == ""


@pytest.mark.clause("19.0-12")
def test_confederates_build_none(campaign: Campaign) -> None:
    s = chatham(campaign, {"hood": f"{RIVER[0]} 9"}, turn=5, phase="confederate-recovery")
    s.unbuild("S4328/S4427")
    assert bridging(s, "hood", RIVER[1]) == "19.0-12"
