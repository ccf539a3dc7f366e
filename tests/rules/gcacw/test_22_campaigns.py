"""The campaigns of the advanced game: from the Rapidan to the Rappahannock, and to Manassas (22.0 to 22.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, play, run
from rules.gcacw.conftest import CAMPAIGNS

from pbem.errors import Refusal
from pbem.match.game import Game
from pbem.rules import gcacw
from pbem.rules.gcacw import arrivals, march, may_march, recovery, substitutes, supply, victory
from pbem.rules.gcacw.board import Board, Line
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.harm import lose
from pbem.rules.gcacw.holds import closed, why_closed, why_held
from pbem.rules.gcacw.orders import Bridge, Close, Detach, Entrench, March, Place, PutOff
from pbem.rules.gcacw.recovery import why_not_entrench
from pbem.rules.gcacw.retreat import flight
from pbem.rules.gcacw.situation import formation
from pbem.rules.gcacw.state import State, dump, load
from pbem.rules.gcacw.zones import in_zone
from pbem.rules.requests import Choose, Tell
from pbem.scenario import load_scenario

Boards = Callable[[str], Board]
Campaign = Callable[..., State]
Fields = Callable[..., Battle]
SHORT, LONG = CAMPAIGNS

SET_UP = """
N0301: vt-9 1, white 3
N5811: whipple 2
N5819: casey 3
S0832: anderson 14
S1130: va-2 1
S1319: beardsley 2
S1418: king 18, mcdowell, milroy 3, ricketts 18, schenck 9, schurz 7, sigel, steinwehr 2
S1419: bayard 2
S1429: taliaferro 14
S1430: ewell-b 14
S1529: ap-hill 18, jackson
S1625: robertson 2, stuart
S1727: dr-jones 14, lee, longstreet
S1728: kemper 10
S1729: evans 5
S1824: buford 3
S1825: f-lee 2
S1828: wilcox 9
S1829: hood 8
S1916: banks, greene 9, pope, williams-b 6
S1920: ferrero 7, reno
S2007: ny-60 1
S2219: stevens 8
S2820: ny-6 1
S3108: purnell 1
S4328: in-3 1
S4426: fairchild 9
S5021: griffin 4, harland 3, morell 7, porter, reynolds 13, sykes 9
S5802: waagner 1
"""
"""The set-up, typed by hexes: counter and manpower (rulebook 22.1)."""

EARLY = {"reno", "ferrero", "stevens", "buford", "pope", "banks", "greene", "williams-b", "mcdowell", "ricketts",
         "king", "bayard", "sigel", "schenck", "milroy", "steinwehr", "schurz", "beardsley", "griffin"}  # fmt: skip
"""Who may act on turn 1 (22.1-sp2a)."""


def clause(refusal: Refusal | None) -> str:
    return "" if refusal is None else refusal.clause


def tells(found: Sequence[Any], what: str) -> list[Tell]:
    return [one for one in found if isinstance(one, Tell) and one.what == what]


def clear(s: State, *units: str) -> None:
    """Take counters off the map without a word."""
    for unit in units:
        s.take(unit)
        for marks in (s.manpower, s.fatigue):
            marks.pop(unit, None)


# --- set-up (22.0, 22.1) ----------------------------------------------------------------------------------------------


@pytest.mark.clause("22.0-1", "22.1-su1", "22.2-1", "13.0-1")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_set_up_is_as_typed(campaign: Campaign, name: str) -> None:
    s = campaign(name)
    want: dict[str, tuple[str, int]] = {}
    for line in SET_UP.strip().splitlines():
        h, _, there = line.partition(": ")
        for words in there.split(", "):
            unit, _, manpower = words.partition(" ")
            want[unit] = (s.board.label[s.board.parse(h)], int(manpower or 0))
    assert {unit: (s.board.label[h], s.manpower.get(unit, 0)) for unit, h in s.at.items()} == want
    assert (s.fatigue, s.disorganised, s.demoralised, s.hungry) == ({}, set(), {}, set())
    assert s.works == {"white": 4, "vt-9": 4}


@pytest.mark.clause("22.1-map", "22.2-1", "22.0-1", "13.0-4")
def test_both_sheets_and_eight_or_fifteen_days_from_the_19th_of_august(board_of: Boards) -> None:
    for name, turns, date in ((SHORT, 8, "19 to 26 August 1862"), (LONG, 15, "19 August to 2 September 1862")):
        b = board_of(name)
        assert (b.turns, load_scenario(name).data["scenario"]["date"]) == (turns, date)
        assert {b.label[h][0] for h in b.map.hexes} == {"N", "S"}
        assert b.parse("N2426") == b.parse("S2403")


@pytest.mark.clause("22.2-1")
def test_the_long_campaign_has_the_rules_of_the_short_one() -> None:
    short, long = (dict(load_scenario(name).data["scenario"]) for name in CAMPAIGNS)
    own = {"scenario", "title", "date", "length", "turns", "arrivals", "victory", "brief", "advanced", "mails"}
    for data in (short, long):
        data["provenance"] = {key: source for key, source in data["provenance"].items() if key != "mails"}
    assert {key: short[key] for key in short if key not in own} == {key: long[key] for key in long if key not in own}
    assert short["victory"]["lines"] == long["victory"]["lines"]
    for key in short["advanced"]:
        if key != "merging":  # who comes later merges there alone
            assert short["advanced"][key] == long["advanced"][key]
    assert [one for one in short["arrivals"] if one not in long["arrivals"]] == []


# --- reinforcements ---------------------------------------------------------------------------------------------------

UNION = {
    LONG: {
        "iii-corps": (6, "S5021", "heintzelman, kearny 13"), "hooker": (7, "S5021", "hooker 14"),
        "piatt": (7, "N5819", "piatt 2"), "vi-corps-van": (9, "N5819", "taylor 3"),
        "scammon": (9, "N5819", "scammon 2"), "sturgis": (9, "N5819", "sturgis 1"),
        "ii-corps": (11, "N5816", "sumner, richardson 11, sedgwick 14, kimball 4"),
        "vi-corps": (11, "N5818", "franklin, slocum 9, smith 13"), "moor": (12, "N5816", "moor 3"),
        "couch": (14, "N5819", "couch 11"), "pleasonton": (15, "N5819", "pleasonton 3"),
    },
    SHORT: {"iii-corps": (6, "S5021", "heintzelman, kearny 13"), "hooker": (7, "S5021", "hooker 14"),
            "piatt": (7, "N5819", "piatt 2"), "vi-corps-van": (9, "N5819", "taylor 3"),
            "scammon": (9, "N5819", "scammon 2"), "sturgis": (9, "N5819", "sturgis 1")},
}  # fmt: skip
SOUTH = {LONG: {"ripley": (8, 7), "hampton": (9, 3), "mclaws": (10, 17), "dh-hill": (10, 11), "walker": (12, 7)},
         SHORT: {"ripley": (8, 7), "hampton": (9, 3)}}  # fmt: skip
ENTRIES = ["S0134", "S0233", "S0334", "S0833"]
LATER = ["S3033", "S3534", "S3734", "S3934", "S4233"]


@pytest.mark.clause("22.1-re1", "22.1-re4", "22.1-re5")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_who_comes_when_and_where(board_of: Boards, name: str) -> None:
    b = board_of(name)
    for arrival in b.arrivals.values():
        starts = ", ".join(f"{one.unit} {one.manpower}".removesuffix(" 0") for one in arrival.starts)
        if arrival.side == "union":
            turn, at, units = UNION[name][arrival.id]
            assert (arrival.turn, arrival.at, starts) == (turn, b.parse(at), units)
        else:
            turn, manpower = SOUTH[name][arrival.id]
            assert (arrival.turn, starts) == (turn, f"{arrival.id} {manpower}")
            assert [b.label[h] for h in (arrival.at, *arrival.else_at)] == ENTRIES
            assert [b.label[h] for h in arrival.late] == LATER
    assert {*b.arrivals} == {*UNION[name], *SOUTH[name]}


def reinforced(campaign: Campaign, side: str, turn: int, units: Mapping[str, str] | None = None) -> State:
    return campaign(LONG, units, turn=turn, phase=f"{side}-reinforcements", opened=False)


@pytest.mark.clause("22.1-re1", "3.0-3")
def test_the_union_comes_in_by_itself_and_waits_while_the_enemy_is_there(campaign: Campaign) -> None:
    s = reinforced(campaign, "union", 12)
    s.waiting = {"moor"}
    play(s)
    assert s.board.label[s.at["moor"]] == "N5816"
    s = reinforced(campaign, "union", 12, {"hood": "N5816 8"})
    s.waiting = {"moor"}
    _, found = play(s)
    assert "moor" not in s.at
    assert tells(found, "arrival-waits") != []


@pytest.mark.clause("22.1-re2")
def test_the_third_corps_may_come_by_alexandria_a_turn_later_all_or_none(campaign: Campaign) -> None:
    s = reinforced(campaign, "union", 6)
    request, _ = play(s)
    assert request is not None
    assert request.kind == "reinforcements"
    assert {*request.options()} == {Place("iii-corps", s.board.parse("S5021")), PutOff("iii-corps"), Close("transfer")}
    assert clause(request.why_not(PutOff("hooker"))) == "22.1-re2"  # not due yet
    play(s, [PutOff("iii-corps")])
    assert (s.due, s.put_off) == ({"iii-corps": 7, "hooker": 8}, {"iii-corps", "hooker"})
    for turn, name in ((7, "kearny"), (8, "hooker")):
        s = reinforced(campaign, "union", turn)
        s.waiting, s.due, s.put_off = {"iii-corps", "hooker"}, {"iii-corps": 7, "hooker": 8}, {"iii-corps", "hooker"}
        play(s)
        assert s.board.label[s.at[name]] == "N5819"


@pytest.mark.clause("22.1-re2")
def test_once_the_first_has_come_the_others_follow_him(campaign: Campaign) -> None:
    s = reinforced(campaign, "union", 7)
    s.waiting = {"hooker"}
    _, _ = play(s)
    assert s.board.label[s.at["hooker"]] == "S5021"  # nobody is asked
    s = reinforced(campaign, "union", 7)
    s.waiting = {"hooker"}
    assert clause(arrivals.why_not_put_off(s, "union", PutOff("hooker"))) == "22.1-re2"


@pytest.mark.clause("22.1-re2", "3.0-3")
def test_who_was_put_off_is_not_placed_in_a_phase_that_is_over(game: Callable[..., Battle]) -> None:
    """`the phase for it is over` stood there."""
    b = game(LONG, turn=6, phase="union-transfer", opened=False)
    b.state.due, b.state.put_off, b.state.waiting = {"iii-corps": 7}, {"iii-corps"}, {"iii-corps"}
    refusal = b.why_not("place iii-corps at S4426")
    assert refusal == Refusal("22.1-re2", "iii-corps has been put off, and comes in turn 7")


@pytest.mark.clause("22.1-re3")
@pytest.mark.parametrize(("units", "control"), [({"hood": "S5021 8"}, False), ({}, True)])
def test_if_the_confederate_has_aquia_creek_they_must(campaign: Campaign, units: dict[str, str], control: bool) -> None:
    s = reinforced(campaign, "union", 6)
    clear(s, "harland", "reynolds", "porter", "griffin", "morell", "sykes")
    for unit, text in units.items():
        s.put(unit, s.board.parse(text.split()[0]))
    s.controlled = {"S5021"} if control else set()
    _, found = play(s)
    assert s.due == {"iii-corps": 7, "hooker": 8}
    assert {one.clause for one in tells(found, "put-off")} == {"22.1-re2"}
    assert "kearny" not in s.at


@pytest.mark.clause("22.1-re4")
def test_confederates_come_in_at_one_of_four_hexes(campaign: Campaign) -> None:
    s = reinforced(campaign, "confederate", 8)
    request, _ = play(s)
    assert request is not None
    places = {Place("ripley", s.board.parse(number)) for number in ENTRIES}
    assert {*request.options()} == {*places, PutOff("ripley"), Close("transfer")}
    assert clause(request.why_not(Place("ripley", s.board.parse("S3033")))) == "22.1-re4"
    s = reinforced(campaign, "confederate", 8, {"king": "S0233 9"})
    request, _ = play(s)
    assert request is not None
    assert clause(request.why_not(Place("ripley", s.board.parse("S0233")))) == "22.1-re4"
    assert request.why_not(Place("ripley", s.board.parse("S0833"))) is None
    play(s, [Place("ripley", s.board.parse("S0833"))])
    assert s.board.label[s.at["ripley"]] == "S0833"


@pytest.mark.clause("22.1-re5")
def test_or_a_turn_later_further_east_each_by_himself(campaign: Campaign) -> None:
    s = reinforced(campaign, "confederate", 10)
    s.waiting = {"mclaws", "dh-hill"}
    play(s, [PutOff("mclaws"), Place("dh-hill", s.board.parse("S0134"))])
    assert (s.due, "dh-hill" in s.at) == ({"mclaws": 11}, True)
    s = reinforced(campaign, "confederate", 11, {"king": "S3033 9"})
    s.waiting, s.due, s.put_off = {"mclaws"}, {"mclaws": 11}, {"mclaws"}
    request, _ = play(s)
    assert request is not None
    wanted = {Place("mclaws", s.board.parse(number)) for number in LATER if number != "S3033"}
    assert {*request.options()} == {*wanted, Close("transfer")}
    assert clause(request.why_not(Place("mclaws", s.board.parse("S0134")))) == "22.1-re4"
    assert clause(request.why_not(PutOff("mclaws"))) == "22.1-re5"  # once


# --- turn 1 -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("22.1-sp1", "std-4.0-12")
def test_on_turn_1_the_union_acts_in_a_row_without_dice(game: Fields) -> None:
    b = game(SHORT, phase="cycle", opened=False)
    assert (b.request.side, b.request.kind) == ("union", "action")
    b.do("march beardsley S1318", 3, 4)
    assert (b.request.side, b.phase) == ("union", "cycle")
    b.do("pass")
    assert b.phase == "union-recovery"


@pytest.mark.clause("22.1-sp1", "22.1-sp2a")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_on_turn_1_popes_army_and_griffin_act_alone(campaign: Campaign, name: str) -> None:
    s = campaign(name)
    free = {unit for unit in s.at if why_held(s, unit) is None}
    assert free == EARLY
    others = {"fairchild", "harland", "reynolds", "porter", "morell", "sykes", "in-3", "ny-6", "waagner", "whipple",
              "white", "vt-9", "purnell", "ny-60", "casey"}  # fmt: skip
    assert free | others == {unit for unit in s.at if s.board.units[unit].side == "union"}
    assert clause(why_not_entrench(s, "confederate", Entrench("hood"))) == "22.1-sp1"
    assert clause(why_not_entrench(s, "union", Entrench("purnell"))) == "22.1-sp1"
    assert why_not_entrench(s, "union", Entrench("king")) is None
    region = s.board.map.region
    assert {region[s.at[unit]] for unit in EARLY - {"griffin"}} <= {"Culpeper", "Madison"}
    run(substitutes.detach(s, "king", Detach("union-sub-1", 1), fatigue=0))  # its men stood there
    assert why_held(s, "union-sub-1") is None
    run(substitutes.detach(s, "hood", Detach("csa-sub-1", 1), fatigue=0))
    assert clause(why_held(s, "csa-sub-1")) == "22.1-sp1"
    s.turn = 2
    assert why_held(s, "hood") is None
    assert why_held(s, "purnell") is None


@pytest.mark.clause("22.1-sp2b")
def test_on_turn_1_no_zone_of_control_is_entered_nor_left(campaign: Campaign) -> None:
    s = campaign(SHORT)
    buford, away = s.at["buford"], s.board.parse("S1823")
    assert in_zone(s, "union", buford)  # F. Lee is across the ford
    assert clause(may_march.why_not(s, "union", March("buford", (away,)))) == "22.1-sp2b"
    assert clause(may_march.why_not(s, "union", March("buford"))) == ""
    s = campaign(SHORT, options={"leave-zone-turn-1": "yes"})
    assert clause(may_march.why_not(s, "union", March("buford", (away,)))) == ""
    s.put("buford", away)
    assert clause(may_march.why_not(s, "union", March("buford", (buford,)))) == "22.1-sp2b"
    s.turn = 2
    assert clause(may_march.why_not(s, "union", March("buford", (buford,)))) == ""


@pytest.mark.clause("22.1-sp2c")
def test_on_turn_1_nobody_crosses_the_rapidan(campaign: Campaign) -> None:
    s = campaign(SHORT)
    clear(s, *(unit for unit in [*s.at] if s.board.units[unit].side == "confederate"))
    s.put("king", s.board.parse("S1128"))
    over = March("king", (s.board.parse("S1129"),))  # by the railroad bridge
    assert clause(may_march.why_not(s, "union", over)) == "22.1-sp2c"
    assert clause(may_march.why_not(s, "union", March("king", (s.board.parse("S1127"),)))) == ""
    s.turn = 2
    assert clause(may_march.why_not(s, "union", over)) == ""


@pytest.mark.clause("22.1-sp2d")
def test_on_turn_1_marches_are_extended_and_forced(campaign: Campaign) -> None:
    s = campaign(SHORT)
    s.tire("king", 2)
    way = (s.board.parse("S1417"),)
    assert clause(may_march.why_not(s, "union", March("king", way))) == ""
    assert clause(may_march.why_not(s, "union", March("king", way, force="always"))) == ""


# --- holds and bans ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("22.1-sp3a")
@pytest.mark.parametrize("unit", ["white", "vt-9"])
def test_white_stays_in_the_valley(campaign: Campaign, unit: str) -> None:
    s = campaign(LONG, turn=2)
    region = s.board.map.region
    shut = closed(s, unit)
    assert {region.get(h) for h in s.board.map.hexes if h not in shut} == {"Frederick", "Clarke", "Warren"}
    outside = next(h for h in shut if region.get(h) == "Loudoun")
    assert clause(why_closed(s, unit, outside)) == "22.1-sp3a"
    assert why_closed(s, "king", outside) is None
    s.free.add(unit)  # nothing frees them
    s.free.clear()
    assert flight(s, s.at[unit], "union", [s.at[unit]], "retreat").barred == shut


@pytest.mark.clause("22.1-sp3b")
@pytest.mark.parametrize(("at", "frees"), [("S4330", True), ("S4426", True), ("S2325", False), ("S3108", False)])
def test_fredericksburg_is_freed_by_an_enemy_in_spotsylvania_or_stafford(
    campaign: Campaign, at: str, frees: bool
) -> None:
    s = campaign(LONG, turn=9)
    three = ("fairchild", "harland", "in-3")
    assert {clause(why_held(s, unit)) for unit in three} == {"22.1-sp3b"}
    h = s.board.parse(at)
    run(entered(s, ["hood"], h))
    assert (s.board.map.region[h] in ("Spotsylvania", "Stafford")) == frees
    assert {clause(why_held(s, unit)) for unit in three} == ({""} if frees else {"22.1-sp3b"})


@pytest.mark.clause("22.1-sp3b")
def test_they_are_freed_by_an_enemy_who_is_placed_there(campaign: Campaign) -> None:
    s = reinforced(campaign, "confederate", 11)
    s.waiting, s.due, s.put_off = {"mclaws"}, {"mclaws": 11}, {"mclaws"}
    h = next(h for h in s.board.arrivals["mclaws"].late if s.board.map.region.get(h) == "Spotsylvania")
    play(s, [Place("mclaws", h)])
    assert {"fairchild", "harland", "in-3"} <= s.free


@pytest.mark.clause("22.1-sp3b2", "22.1-sp3e2")
@pytest.mark.parametrize("unit", ["fairchild", "harland", "in-3", "ny-6"])
def test_until_they_have_acted_they_are_in_supply(campaign: Campaign, unit: str) -> None:
    s = campaign(LONG, turn=6)
    s.put(unit, s.board.parse("S4333"))  # where nothing feeds the Union
    assert supply.fed_by_county(s, unit) == ""
    granted = "22.1-sp3e2" if unit == "ny-6" else "22.1-sp3b2"
    assert supply.union_supplied(s, unit) == granted
    run(supply.status(s))
    assert unit not in s.hungry
    run(march.tire_all(s, [unit]))
    assert supply.union_supplied(s, unit) == ""
    assert unit not in s.hungry  # until the next status
    run(supply.status(s))
    assert unit in s.hungry


@pytest.mark.clause("22.1-sp3c")
@pytest.mark.parametrize(("unit", "turn"), [("reynolds", 3), ("porter", 4), ("morell", 4), ("sykes", 5)])
def test_the_fifth_corps_lands_bit_by_bit(campaign: Campaign, unit: str, turn: int) -> None:
    s = campaign(LONG, turn=2)
    for now in range(2, 8):
        s.turn = now
        assert clause(why_held(s, unit)) == ("22.1-sp3c" if now < turn else "")
    s.turn = turn - 1
    run(entered(s, ["hood"], s.board.parse("S5020")))
    assert clause(why_held(s, unit)) == "22.1-sp3c"  # no enemy frees them


@pytest.mark.clause("22.1-sp3d1")
@pytest.mark.parametrize("unit", ["waagner", "casey", "whipple"])
def test_washington_waits_for_turn_8_or_an_enemy_in_fairfax(campaign: Campaign, unit: str) -> None:
    s = campaign(LONG, turn=7)
    assert clause(why_held(s, unit)) == "22.1-sp3d1"
    if unit != "casey":
        assert clause(why_not_entrench(s, "union", Entrench(unit))) == "22.1-sp3d1"
    s.turn = 8
    assert why_held(s, unit) is None
    s.turn = 3
    run(entered(s, ["hood"], s.board.parse("S4101")))  # Prince William
    assert clause(why_held(s, unit)) == "22.1-sp3d1"
    run(entered(s, ["f-lee"], s.board.parse("N5017")))
    assert why_held(s, unit) is None


@pytest.mark.clause("22.1-sp3d1")
@pytest.mark.parametrize(("turn", "told_of"), [(7, {"casey", "waagner", "whipple"}), (8, set()), (15, set())])
def test_nobody_is_told_to_be_free_who_was_so_by_his_turn(campaign: Campaign, turn: int, told_of: set[str]) -> None:
    s = campaign(LONG, turn=turn)
    found = run(entered(s, ["hood"], s.board.parse("N5017")))
    assert {tell.facts["unit"] for tell in found if tell.what == "freed"} == told_of
    assert {"casey", "waagner", "whipple"} <= s.free


@pytest.mark.clause("22.1-sp3d2")
@pytest.mark.parametrize("unit", ["casey", "whipple"])
def test_two_brigades_stay_near_washington(campaign: Campaign, unit: str) -> None:
    s = campaign(LONG, turn=9)
    assert clause(why_closed(s, unit, s.board.parse("N4917"))) == "22.1-sp3d2"
    assert why_closed(s, unit, s.board.parse("N5017")) is None
    assert s.board.parse("N4917") in flight(s, s.at[unit], "union", [s.at[unit]], "retreat").barred


@pytest.mark.clause("22.1-sp3d1", "22.1-sp3d2")
def test_an_enemy_in_fairfax_lets_them_act_and_no_more(campaign: Campaign) -> None:
    s = campaign(LONG, turn=4)
    run(entered(s, ["hood"], s.board.parse("N5017")))
    assert why_held(s, "casey") is None
    assert clause(why_closed(s, "casey", s.board.parse("N4917"))) == "22.1-sp3d2"
    assert s.board.parse("N4917") in closed(s, "casey")


@pytest.mark.clause("22.1-sp3e1")
@pytest.mark.parametrize(
    ("at", "frees"),
    [("S2824", True), ("S2816", True), ("S2815", False), ("S2315", False), ("S4330", True), ("S4426", True)],
)
def test_6_ny_is_freed_by_an_enemy_near_kellys_ford_or_below(campaign: Campaign, at: str, frees: bool) -> None:
    s = campaign(LONG, turn=9)
    assert clause(why_held(s, "ny-6")) == "22.1-sp3e1"
    run(entered(s, ["hood"], s.board.parse(at)))
    assert (why_held(s, "ny-6") is None) == frees


# --- objectives -------------------------------------------------------------------------------------------------------

OBJECTIVES = ["S1418", "S2403", "S4426", "S5021", "N0214", "N0301", "N3502", "N5017", "N5715"]


@pytest.mark.clause("22.1-sp4a", "22.1-sp4b")
@pytest.mark.parametrize("number", OBJECTIVES)
def test_infantry_turns_objectives(campaign: Campaign, number: str) -> None:
    s = campaign(LONG, turn=9)
    h = s.board.parse(number)
    place = s.board.label[h]
    assert {s.board.parse(one) for one in OBJECTIVES} == s.board.objectives
    run(entered(s, ["f-lee"], h))
    assert place not in s.controlled
    run(entered(s, ["hood"], h))
    assert place in s.controlled
    run(entered(s, ["buford"], h))
    assert place in s.controlled  # and it stays so when nobody is there
    run(entered(s, ["king"], h))
    assert place not in s.controlled


# --- victory ----------------------------------------------------------------------------------------------------------


def score(s: State, *clauses: str) -> int:
    """The points of the lines with these clauses."""
    return sum(item.points for item in victory.items(s) if item.line.clause in clauses)


@pytest.mark.clause("22.1-vp0")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_nothing_scores_at_the_start(campaign: Campaign, name: str) -> None:
    s = campaign(name)
    clauses = {line.clause for line in s.board.victory.lines}
    assert clauses == {f"22.1-vp{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11)}
    assert victory.total(s) == 0


@pytest.mark.clause("22.1-vp1")
def test_panic_scores_15_once(campaign: Campaign) -> None:
    s = campaign(LONG)
    s.panic, s.turn = 5, 15
    assert score(s, "22.1-vp1") == victory.total(s) == 15


@pytest.mark.clause("22.1-vp2", "22.1-vp4")
@pytest.mark.parametrize(
    ("line", "numbers", "points"),
    [
        ("22.1-vp2", ["N4422", "N4721", "N5220", "N5620"], [15, 20, 22, 25]),
        ("22.1-vp4", ["S2414", "S3307", "S4101", "S3703"], [10, 12, 14, 16]),
    ],
)
def test_destroyed_stations_score_by_their_number(
    campaign: Campaign, line: str, numbers: list[str], points: list[int]
) -> None:
    s = campaign(LONG)
    for number in numbers:
        s.station[s.board.parse(number)] = 1
    assert score(s, line) == 0  # damaged ones don't
    for count, number in enumerate(numbers):
        s.station[s.board.parse(number)] = 2
        assert score(s, line) == points[count]
    s.station = {s.board.parse(number): 2 for number in ("N5020", "S2612")}
    assert victory.total(s) == 0


@pytest.mark.clause("22.1-vp3", "22.1-vp5", "22.1-vp7")
@pytest.mark.parametrize(
    ("number", "line", "points"),
    [("N5715", "22.1-vp3", 12), ("N5017", "22.1-vp5", 8), *((number, "22.1-vp7", 3) for number in OBJECTIVES[:7])],
)
def test_towns_score_by_control(campaign: Campaign, number: str, line: str, points: int) -> None:
    s = campaign(LONG)
    s.controlled = {s.board.label[s.board.parse(number)]}
    assert score(s, line) == victory.total(s) == points
    s.controlled = {s.board.label[h] for h in s.board.objectives}
    assert score(s, "22.1-vp7") == 21


@pytest.mark.clause("22.1-vp8", "22.1-vp9")
@pytest.mark.parametrize(
    ("county", "line", "points"),
    [("Fairfax", "22.1-vp8", 2), ("Prince William", "22.1-vp8", 2), ("Loudoun", "22.1-vp9", 1),
     ("Clarke", "22.1-vp9", 1),
     ("Frederick", "22.1-vp9", 1), ("Fauquier", "", 0)],
)  # fmt: skip
def test_divisions_in_the_north_score(campaign: Campaign, county: str, line: str, points: int) -> None:
    s = campaign(LONG)
    h = sorted(s.board.map.regions[county])[len(s.board.map.regions[county]) // 2]
    for unit in ("evans", "f-lee", "lee"):  # no division
        s.put(unit, h)
    assert victory.total(s) == 0
    for unit in ("hood", "ap-hill"):
        s.put(unit, h)
    assert victory.total(s) == 2 * points
    assert score(s, line or "22.1-vp8") == 2 * points


@pytest.mark.clause("22.1-vp10")
def test_a_division_that_is_shut_in_scores_nothing(campaign: Campaign) -> None:
    s = campaign(LONG)
    clear(s, *[unit for unit in s.at if unit not in ("hood", "king", "ricketts", "reynolds", "buford", "kearny")])
    h = s.board.parse("N4617")
    around = s.board.ground.near[h]
    s.put("hood", h)
    assert victory.total(s) == 2
    for unit, n in (("king", 0), ("ricketts", 2)):
        s.put(unit, around[n])
    inside = [n for n in around if n in {s.at["king"], s.at["ricketts"]} or _controlled(s, n)]
    assert (victory.total(s) == 0) == (len(inside) == 6)
    for unit, n in zip(("king", "ricketts", "reynolds"), (around[0], around[3], around[4]), strict=True):
        s.put(unit, n)
    covered = all(n in {s.at[u] for u in ("king", "ricketts", "reynolds")} or _controlled(s, n) for n in around)
    assert covered
    assert victory.total(s) == 0
    for unit in ("king", "ricketts", "reynolds"):  # cavalry instead shuts nobody in
        clear(s, unit)
    s.put("buford", around[0])
    assert victory.total(s) == 2


@pytest.mark.clause("22.1-vp10", "22.1-vp11", "std-9.0-1")
@pytest.mark.parametrize(("turn", "asked"), [(7, ["union", "confederate"]), (8, [])])
def test_in_the_last_turn_nobody_is_asked_for_works(game: Fields, turn: int, asked: list[str]) -> None:
    b = game(SHORT, turn=turn, phase="cycle", choice="union")
    b.do("close action")
    b.do("close action")
    for side in asked:
        assert (b.request.side, b.request.kind) == (side, "recovery")
        b.do("close recovery", *([3, 4] if side == "confederate" else []))  # random events come next
    assert (b.state.ended is not None) == (not asked)


@pytest.mark.clause("22.1-vp10", "std-10.0-1")
@pytest.mark.parametrize(
    ("turn", "hood", "asked"), [(8, "N2001", True), (8, "N2301", False), (8, "S1829", False), (7, "S1829", True)]
)
def test_the_union_is_asked_for_a_bridge_by_which_it_may_shut_a_division_in(
    campaign: Campaign, turn: int, hood: str, asked: bool
) -> None:
    """In Clarke, where Hood counts, a bridge to N1902 leads to a hex beside N2001, and to none beside N2301."""
    s = campaign(SHORT, turn=turn, phase="union-recovery")
    clear(s, *[unit for unit in s.at if unit not in ("hood", "king")])
    s.put("king", s.board.parse("N1801"))
    s.put("hood", s.board.parse(hood))
    bridge = Bridge("king", s.board.parse("N1902"))
    assert bridge in recovery.works(s, "union")
    assert recovery.matters(s, "union", bridge) == asked
    assert recovery.matters(s, "union", Entrench("king")) == (turn < 8)
    assert not recovery.is_idle(s, "union", bridge), "who plans it may yet have to do with a division"
    request = Game(gcacw, s.board, s).request
    assert (isinstance(request, Choose) and request.kind == "recovery") == asked


@pytest.mark.clause("std-9.0-1", "20.4-4")
@pytest.mark.parametrize(
    ("turn", "side", "text", "never"),
    [
        (7, "confederate", "entrench hood", False),
        (8, "confederate", "entrench hood", True),
        (8, "union", "entrench king", True),
        (8, "union", "forage king", True),
        (8, "union", "close recovery", False),
        (8, "union", "done", False),
    ],
)
def test_works_of_the_last_turn_are_refused_beforehand(
    campaign: Campaign, turn: int, side: str, text: str, never: bool
) -> None:
    s = campaign(SHORT, turn=turn, phase="cycle")
    order = gcacw.read_order(s.board, side, tuple(text.split()))
    refusal = gcacw.why_never(s, side, f"{side}-recovery", order)
    assert (refusal is not None and "the last" in refusal.reason) == never


def _controlled(s: State, h: Any) -> bool:
    """Whether a hex is beside Union infantry that controls it, reckoned from the ground alone."""
    own = {s.at[u] for u in s.own("union") if s.board.units[u].infantry}
    return any(h in s.board.ground.zoc[n] for n in own)


@pytest.mark.clause("22.1-vp11")
def test_manpower_lost_in_combat_scores_for_the_other(campaign: Campaign) -> None:
    s = campaign(LONG)
    run(lose(s, "king", 4, "std-7.5-2", counted=True))
    assert victory.total(s) == 4
    run(lose(s, "hood", 3, "std-7.5-2", counted=True))
    assert victory.total(s) == 1
    for unit in ("king", "hood"):  # extended and forced marches, zones, supply
        run(lose(s, unit, 1, "std-5.1-8", counted=False))
    s.hungry = {"hood"}
    run(supply.effects(s))
    assert victory.total(s) == 1


BANDS = {SHORT: (80, 60, 40, 19, -1), LONG: (92, 70, 47, 24, 2)}


@pytest.mark.clause("22.1-vic", "22.2-vic", "22.1-vp0")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_what_the_total_means(campaign: Campaign, name: str) -> None:
    s = campaign(name)
    titles = [f"{side} {level} victory" for side, level in (
        ("Confederate", "decisive"), ("Confederate", "substantial"), ("Confederate", "marginal"), ("Union", "marginal"),
        ("Union", "substantial"), ("Union", "decisive"),
    )]  # fmt: skip
    for number, least in enumerate(BANDS[name]):
        assert victory.level_of(s.board.victory, least).title == titles[number]
        assert victory.level_of(s.board.victory, least - 1).title == titles[number + 1]
        assert victory.level_of(s.board.victory, least).side == titles[number].split()[0].lower()


@pytest.mark.clause("22.1-vic", "22.1-vp0", "13.0-3")
def test_the_campaign_ends_behind_its_last_turn(campaign: Campaign) -> None:
    s = campaign(SHORT, turn=8, phase="supply-effects", opened=False)
    s.panic = 3
    play(s)
    assert s.ended is not None
    assert (s.ended.winner, s.ended.points) == ("union", 15)
    s = campaign(SHORT, turn=7, phase="supply-effects", opened=False)
    _, found = play(s)
    assert s.ended is None
    assert labels(found) == ["event"]


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_campaign_is_kept_and_goes_on_as_it_was(name: str, campaign: Campaign) -> None:
    s = campaign(name)
    assert load(s.board, dump(s)) == s
    s.rain, s.panic, s.hungry, s.killed = 3, 2, {"king"}, {"jackson"}
    assert load(s.board, dump(s)) == s


def test_each_kind_of_line_is_in_use(board_of: Boards) -> None:
    lines: list[Line] = [*board_of(LONG).victory.lines]
    assert {"panic", "controls", "depots", "in-regions"} <= {line.kind for line in lines}


def test_corps_of_two_armies_are_told_apart_by_their_armies(board_of: Boards) -> None:
    """The Army of Virginia has a II and a III Corps, as the Army of the Potomac has (2.6-1)."""
    b = board_of(LONG)
    found: dict[str, set[str]] = {}
    for unit in b.units.values():
        found.setdefault(formation(unit), set()).add(f"{unit.army} {unit.command}")
    assert all(len(commands) == 1 for commands in found.values())
    assert {"III Corps", "III Corps, Army of the Potomac", "Jackson's corps", "Army of Virginia"} <= found.keys()


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_campaign_is_the_same_when_it_has_been_dumped_and_loaded(campaign: Campaign, name: str) -> None:
    """Also where it has neither rained nor anything else happened that the dump leaves out."""
    s = campaign(name)
    loaded = load(s.board, dump(s))
    assert not loaded.raining
    assert (loaded.rain, loaded.panic, loaded.hauled, loaded.dismantled) == (0, 0, 0, 0)
    assert loaded == s
