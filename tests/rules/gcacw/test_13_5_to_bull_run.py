"""The special rules of From the Rappahannock to Bull Run (13.5): arrivals, holds, by rail, the depot."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, play, run, told

from pbem.maps.hexes import distance
from pbem.rules.gcacw import march, may_march, railway
from pbem.rules.gcacw.advance import advance
from pbem.rules.gcacw.arrivals import choices, due, why_not
from pbem.rules.gcacw.combat import Fight
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.holds import closed, free_by, why_held
from pbem.rules.gcacw.orders import DONE, March, Place, Rail
from pbem.rules.gcacw.recovery import rest
from pbem.rules.gcacw.retreat import can_retreat, flight
from pbem.rules.gcacw.state import State
from pbem.rules.kit import reach
from pbem.rules.requests import Choose, Tell

Campaign = Callable[..., State]
Fields = Callable[..., Battle]
NAME = "to-bull-run"
FREE_ON_1 = {"jackson", "ewell-b", "ap-hill", "taliaferro", "va-2"}
UNTIL_3 = {"heintzelman", "kearny", "hooker", "piatt", "reno", "stevens", "ferrero", "taylor", "scammon"}
UNTIL_5 = {"franklin", "slocum", "smith", "sumner", "richardson", "sedgwick", "kimball", "whipple", "casey"}
UNTIL_6 = {"sturgis", "moor"}
STARRED = {
    "buford", "reynolds", "ricketts", "king", "bayard", "beardsley", "schenck", "steinwehr", "milroy", "schurz",
    "greene", "williams-b", "dr-jones", "hood", "wilcox", "kemper", "evans", "anderson",
}  # fmt: skip


def clause(b: Battle, order: str) -> str:
    """The clause by which an order is refused now, "" for a legal one."""
    refusal = b.why_not(order)
    return "" if refusal is None else refusal.clause


def held(s: State) -> dict[str, str]:
    """Who is held now, and by which clause."""
    found = {unit: why_held(s, unit) for unit in s.at}
    return {unit: refusal.clause for unit, refusal in found.items() if refusal is not None}


# --- arrivals ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.5-re1", "13.5-re2", "3.0-3")
def test_porters_corps_comes_to_n2734_by_itself(campaign: Campaign) -> None:
    s = campaign(NAME, turn=2, phase="union-reinforcements", opened=False)
    assert due(s, "union") == []
    play(s, [])
    assert "porter" not in s.at
    s = campaign(NAME, turn=3, phase="union-reinforcements", opened=False)
    _, found = play(s, [])
    assert {s.board.label[s.at[unit]] for unit in ("porter", "morell", "sykes")} == {"N2734"}
    assert (s.fatigue["morell"], s.fatigue["sykes"]) == (3, 1)
    assert (s.manpower["morell"], s.manpower["sykes"]) == (11, 9)
    assert told(found, "reinforcements")[0]["units"] == ["porter", "morell", "sykes"]


@pytest.mark.clause("13.5-re1", "3.0-3")
def test_while_confederates_are_there_it_comes_together_to_one_of_four_hexes(game: Fields) -> None:
    b = game(NAME, {"va-2": "N2734"}, turn=3, phase="union-reinforcements", opened=False)
    b.do("")
    assert (b.request.side, b.request.kind) == ("union", "reinforcements")
    where = ["N2934", "N3433", "N3534", "N3633"]
    assert b.options() == [*(f"place v-corps at {h}" for h in where), "close transfer"]
    assert b.refused("place v-corps at N2734") == "13.5-re1"
    assert b.refused("place v-corps at N2833") == "13.5-re1"
    assert b.refused("place ripley at N1633") == "3.0-3"
    b.do("place v-corps at N3433")
    assert {b.at(unit) for unit in ("porter", "morell", "sykes")} == {"N3433"}


@pytest.mark.clause("13.5-re1", "13.5-re3", "3.0-3")
def test_who_finds_no_hex_waits_and_comes_when_one_is_free(campaign: Campaign) -> None:
    hexes = ["N2734", "N2934", "N3433", "N3534", "N3633"]
    enemies = ["va-2", "hood", "wilcox", "kemper", "evans"]
    s = campaign(NAME, dict(zip(enemies, hexes, strict=True)), turn=3, phase="union-reinforcements", opened=False)
    _, found = play(s, [])
    assert [facts["units"] for facts in told(found, "arrival-waits")] == [["porter", "morell", "sykes"]]
    assert "v-corps" in s.waiting
    s.turn, s.phase, s.opened = 4, 0, False
    s.put("kemper", s.board.parse("N1733"))
    _, found = play(s, [])
    assert s.board.label[s.at["porter"]] == "N3534"


@pytest.mark.clause("13.5-re3", "3.0-3")
def test_longstreets_rear_comes_to_n1633_or_to_one_of_four_hexes(game: Fields, campaign: Campaign) -> None:
    for turn, units in ((2, ["ripley"]), (3, ["hampton"]), (4, ["mclaws", "dh-hill"]), (6, ["walker"])):
        s = campaign(NAME, turn=turn, phase="confederate-reinforcements", opened=False)
        s.waiting = {one.id for one in s.board.arrivals.values() if one.turn == turn}
        play(s, [])
        assert {unit: s.board.label[s.at[unit]] for unit in units} == dict.fromkeys(units, "N1633")
    b = game(NAME, {"buford": "N1633", "anderson": "N1733"}, turn=2, phase="confederate-reinforcements", opened=False)
    b.do("")
    assert [order.split()[-1] for order in b.options()[:-1]] == ["N1233", "N1033", "N0833", "N0433"]
    assert b.refused("place ripley at N1633") == "13.5-re3"
    b.do("place ripley at N0833")
    assert b.at("ripley") == "N0833"


@pytest.mark.clause("3.0-3")
def test_nobody_comes_before_his_turn_or_twice(campaign: Campaign) -> None:
    s = campaign(NAME, turn=2, phase="confederate-reinforcements")
    n1633 = s.board.parse("N1633")
    for arrival, refused in (("ripley", False), ("hampton", True), ("walker", True)):
        refusal = why_not(s, "confederate", Place(arrival, n1633))
        assert (refusal is not None) == refused
    s.waiting.discard("ripley")
    refusal = why_not(s, "confederate", Place("ripley", n1633))
    assert refusal is not None
    assert refusal.reason == "ripley has come in"
    assert choices(s, "confederate") == []


# --- turn 1 -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.5-sp1", "13.5-sp3a", "13.5-sp4b")
def test_on_turn_1_jackson_acts_alone(campaign: Campaign, game: Fields) -> None:
    """With example 13."""
    s = campaign(NAME)
    found = held(s)
    assert set(s.at) - set(found) == FREE_ON_1
    assert {found[u] for u in found if s.board.units[u].side == "union"} == {"13.5-sp3a"}
    assert {found[u] for u in found if s.board.units[u].side == "confederate"} == {"13.5-sp4b"}
    b = game(NAME, opened=False)
    b.do("")
    assert b.request.side == "confederate"
    assert "initiative" not in b.events()
    assert b.refused("march hood N1830") == "13.5-sp4b"
    assert clause(b, "march ewell with jackson N1629") == ""
    b.do("pass")
    assert b.phase == "confederate-recovery"  # the Union neither acts nor entrenches
    assert b.refused("entrench wilcox") == "13.5-sp4b"
    assert clause(b, "entrench ewell") == ""


@pytest.mark.clause("13.5-sp4b", "13.5-sp3c")
def test_on_turn_2_all_others_are_judged_as_usual(campaign: Campaign, game: Fields) -> None:
    s = campaign(NAME, turn=2)
    assert set(held(s)) == UNTIL_3 | UNTIL_5 | UNTIL_6
    for turn, expected in ((1, "13.5-sp3a"), (2, "")):
        b = game(NAME, turn=turn, choice="union")
        assert clause(b, "march waagner N5824") == expected
    b = game(NAME, turn=2, phase="confederate-recovery")
    b.do("")
    assert clause(b, "entrench wilcox") == ""


@pytest.mark.clause("13.5-sp2", "std-2.4-12")
def test_on_turn_1_jackson_enters_no_zone_of_control(game: Fields) -> None:
    for turn, expected in ((1, "13.5-sp2"), (2, "")):
        b = game(NAME, {"ewell-b": "N1925", "jackson": "N1730"}, turn=turn, choice="confederate")
        b.state.put("jackson", b.hex("N1731"))
        b.state.memo.clear()
        assert clause(b, "march ewell N1924") == expected  # Buford's, a fifth of 14 or less
        b = game(NAME, turn=turn, choice="confederate")
        assert clause(b, "march taliaferro N1931") == expected  # where friends are
        b = game(NAME, {"va-2": "N1728"}, turn=turn, choice="confederate")
        assert clause(b, "march va-2 N1828") == expected


# --- holds ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.5-sp3d", "13.5-sp3f", "13.5-sp3h")
def test_the_union_wakes_corps_by_corps(campaign: Campaign) -> None:
    for turn, expected in (
        (2, UNTIL_3 | UNTIL_5 | UNTIL_6),
        (3, UNTIL_5 | UNTIL_6),
        (4, UNTIL_5 | UNTIL_6),
        (5, UNTIL_6),
    ):
        assert set(held(campaign(NAME, turn=turn))) == expected
    assert held(campaign(NAME, turn=6)) == {}
    found = held(campaign(NAME, turn=2))
    assert {found[unit] for unit in UNTIL_3} == {"13.5-sp3d"}
    assert {found[unit] for unit in UNTIL_5} == {"13.5-sp3f"}
    assert {found[unit] for unit in UNTIL_6} == {"13.5-sp3h"}


@pytest.mark.clause("13.5-sp3", "std-4.0-9")
def test_a_confederate_within_2_hexes_frees_a_counter_from_turn_2_on(campaign: Campaign) -> None:
    s = campaign(NAME)
    kearny = s.at["kearny"]
    for turn, far, freed in ((1, 2, False), (2, 3, False), (2, 2, True), (2, 1, True)):
        s = campaign(NAME, turn=turn)
        near = [h for h in s.board.map.hexes if distance(h, kearny) == far and h not in s.stands]
        clear = [h for h in near if all(distance(h, s.at[u]) > 2 for u in UNTIL_3 if s.at[u] != kearny)]
        h = (clear or near)[0]
        s.put("va-2", h)
        tells = list(entered(s, ["va-2"], h))
        here = {unit for unit in s.at if s.at[unit] == kearny}
        assert (here <= s.free) == freed
        assert {"kearny", "hooker", "heintzelman", "piatt"} == here  # the leader, too
        assert {tell.clause for tell in tells} <= {"13.5-sp3d"}
        assert ("stevens" in s.free) == any(t.facts["unit"] == "stevens" for t in tells)
    s.put("va-2", s.board.parse("N1630"))
    assert why_held(s, "kearny") is None  # for good


@pytest.mark.clause("13.5-sp3")
def test_an_arrival_frees_too(campaign: Campaign) -> None:
    s = campaign(NAME, {"piatt": "N1533"}, turn=2, phase="confederate-reinforcements", opened=False)
    play(s, [])
    assert "ripley" in s.at
    assert "piatt" in s.free


# --- fatigue of the starred units -------------------------------------------------------------------------------------


@pytest.mark.clause("13.5-sp3b", "13.5-sp4a", "std-8.0-5", "std-5.1-5")
def test_the_starred_units_keep_their_fatigue_in_turn_1(campaign: Campaign) -> None:
    s = campaign(NAME, {"ewell-b": "N1630 14 F2"})
    list(rest(s))
    assert {unit for unit, fatigue in s.fatigue.items() if fatigue == 2} == STARRED
    assert "ewell-b" not in s.fatigue
    assert {(rule.clause, len(rule.units)) for rule in s.board.frozen} == {("13.5-sp3b", 12), ("13.5-sp4a", 6)}
    for unit in ("king", "hood"):
        s = campaign(NAME, turn=2)
        found = run(march.carry_out(s, March(unit)), (3, 1))
        assert labels(found) == [f"march/{unit}", f"extended/{unit}"]
        assert s.fatigue[unit] == 3
    s = campaign(NAME, turn=2)
    list(rest(s))
    assert s.fatigue == {}


# --- by rail ----------------------------------------------------------------------------------------------------------


def along(s: State, start: str, goal: str) -> tuple[int, ...]:
    """The hexes of the railroad from one to another."""
    return reach.shortest(s.board.parse(start), 99, s.board.ground.rail, lambda *_: 1)[s.board.parse(goal)]


@pytest.mark.clause("13.5-sp3e1", "13.5-sp3e2", "13.5-sp3e3")
def test_taylor_goes_once_by_rail_as_its_first_march_of_turn_3(game: Fields) -> None:
    for turn, expected in ((2, "13.5-sp3d"), (3, ""), (4, "13.5-sp3e1")):
        b = game(NAME, turn=turn, choice="union")
        assert clause(b, "rail taylor N5521 N5420") == expected
        assert clause(b, "rail waagner N5824") == "13.5-sp3e1"
    b = game(NAME, turn=3, choice="union")
    b.do("rail taylor N5521 N5420")
    assert (b.at("taylor"), b.state.fatigue["taylor"]) == ("N5420", 1)
    assert "allowance" not in b.events()
    b.do("", 6, 1)
    assert b.refused("rail taylor N5321") == "13.5-sp3e1"
    b.do("march taylor N5321", 6)  # in later phases it acts as usual
    assert b.at("taylor") == "N5321"
    b = game(NAME, turn=3, choice="union")
    b.do("march scammon N5521", 6)
    b.do("", 6, 1)
    assert b.refused("rail scammon N5420") == "13.5-sp3e1"  # it has marched


@pytest.mark.clause("13.5-sp3e2")
def test_by_rail_35_hexes_at_most_and_by_railroad_alone(campaign: Campaign) -> None:
    s = campaign(NAME, turn=3)
    for unit in s.own("confederate"):
        s.put(unit, s.board.parse("N0133"))
    path = along(s, "N5620", "N1615")
    for hexes, expected in ((35, None), (36, "13.5-sp3e2"), (0, "13.5-sp3e2")):
        refusal = railway.why_not_rail(s, "union", Rail("taylor", path[:hexes]))
        assert (refusal.clause if refusal else None) == expected
    assert len(path) > 36
    off = s.board.parse("N5619")
    assert railway.why_not_rail(s, "union", Rail("taylor", (off,))).clause == "13.5-sp3e2"
    assert may_march.why_not(s, "union", March("taylor", (off,))) is None


@pytest.mark.clause("13.5-sp3e2", "std-6.2-2", "std-2.4-12")
def test_the_railroad_is_closed_by_zones_and_damaged_stations_and_friends_cost_nothing(campaign: Campaign) -> None:
    path = ("N5620", "N4721")
    s = campaign(NAME, {"slocum": "N5220 9", "kearny": "N5121 13"}, turn=3)
    way = along(s, *path)
    assert railway.why_not_rail(s, "union", Rail("taylor", way)) is None
    found = run(railway.go_by_rail(s, Rail("taylor", way)))
    assert (s.at["taylor"], labels(found)) == (s.board.parse("N4721"), [])
    for mark in (1, 2):
        s = campaign(NAME, turn=3)
        s.station[s.board.parse("N5020")] = mark
        assert railway.why_not_rail(s, "union", Rail("taylor", way)).clause == "13.5-sp3e2"
        assert railway.why_not_rail(s, "union", Rail("taylor", way[:3])) is None
    s = campaign(NAME, {"va-2": "N5019"}, turn=3)  # a regiment's zone counts in full
    assert railway.why_not_rail(s, "union", Rail("taylor", way)).clause == "13.5-sp3e2"
    s = campaign(NAME, {"va-2": "N5019", "slocum": "N5020", "smith": "N5121", "kearny": "N4921"}, turn=3)
    assert railway.why_not_rail(s, "union", Rail("taylor", way)).clause == "13.5-sp3e2"  # friends or not


@pytest.mark.clause("std-5.1-5", "13.5-sp3e1")
def test_by_rail_to_fatigue_3_is_an_extended_march(campaign: Campaign) -> None:
    s = campaign(NAME, {"taylor": "N5620 3 F2"}, turn=3)
    found = run(railway.go_by_rail(s, Rail("taylor", along(s, "N5620", "N5420"))), (5,))
    assert labels(found) == ["extended/taylor"]
    assert "taylor" in s.disorganised


# --- bans and the depot -----------------------------------------------------------------------------------------------


@pytest.mark.clause("13.5-sp3g")
def test_casey_and_whipple_keep_east_of_column_49_until_they_are_freed(game: Fields, campaign: Campaign) -> None:
    """With example 12."""
    s = campaign(NAME)
    for unit in ("casey", "whipple"):
        assert {int(s.board.label[h][1:3]) for h in closed(s, unit)} == {*range(1, 50)}
    for far, freed in ((3, False), (2, True)):
        s = campaign(NAME, {"casey": "N5017"}, turn=2)
        h = next(h for h in s.board.map.hexes if distance(h, s.at["casey"]) == far and h not in s.stands)
        s.put("va-2", h)
        list(entered(s, ["va-2"], h))
        assert (closed(s, "casey") == frozenset()) == freed
        assert closed(s, "whipple") != frozenset()  # that counter alone
    s = campaign(NAME, {"casey": "N5017"}, turn=5)  # he acts since then, and is freed of what is closed alone
    (freed_now,) = [tell.facts for tell in free_by(s, "confederate", s.board.parse("N5018")) if tell.what == "freed"]
    assert (freed_now["unit"], freed_now["acted"]) == ("casey", True)
    b = game(NAME, {"casey": "N5017"}, turn=5, choice="union")
    assert b.refused("march casey N4917") == "13.5-sp3g"
    assert clause(b, "march casey N5018") == ""


@pytest.mark.clause("13.5-sp3g", "std-7.6-4")
def test_a_retreat_with_closed_hexes_alone_is_none(campaign: Campaign) -> None:
    s = campaign(NAME, {"casey": "N5017"}, turn=5)
    east = [h for h in s.board.ground.near[s.at["casey"]] if h not in closed(s, "casey")]
    for unit, h in zip([u for u in s.own("confederate") if s.board.units[u].infantry], east, strict=False):
        s.put(unit, h)
    assert not can_retreat(s, flight(s, s.at["casey"], "union", east[:1], "retreat"))
    s.free.add("casey")
    assert can_retreat(s, flight(s, s.at["casey"], "union", east[:1], "retreat"))
    s = campaign(NAME, {"casey": "N5017"}, turn=5)
    fight = Fight("union", s.board.parse("N4917"), ("casey",), "column")
    assert not [one for one in run(advance(s, fight)) if isinstance(one, Choose)]


@pytest.mark.clause("13.5-sp5a", "13.5-sp5c")
def test_confederates_enter_the_depots_hex_when_no_union_unit_is_in_it(game: Fields) -> None:
    for place, expected in (("N4124", "std-2.2-7"), ("N5825", "")):
        b = game(NAME, {"va-2": "N4023", "waagner": place}, turn=2, choice="confederate")
        assert b.state.depots == {"N4124"}
        assert clause(b, "march va-2 N4124") == expected
    b.do("march va-2 N4124", 6, 6)
    assert (b.at("va-2"), b.state.depots) == ("N4124", {"N4124"})  # entering doesn't destroy it
    b.do("", 1, 6)
    b.do("raid va-2")
    assert b.state.depots == set()
    assert "depot" not in b.board.units  # it moves, attacks and retreats by no order


@pytest.mark.clause("13.5-map")
def test_the_game_ends_with_turn_7(campaign: Campaign) -> None:
    s = campaign(NAME, turn=7, phase="confederate-recovery")
    _, found = play(s, [DONE])
    assert s.ended is not None
    assert [one.facts["points"] for one in found if isinstance(one, Tell) and one.what == "end"] == [s.ended.points]
    s = campaign(NAME, turn=6, phase="confederate-recovery")
    play(s, [DONE])
    assert (s.ended, s.turn) == (None, 7)
