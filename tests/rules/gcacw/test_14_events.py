"""Random events and rain, random ends of the cycle (14.0, 15.0)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, play, run, told
from rules.gcacw.small_field import ADVANCED

from pbem.errors import Refusal
from pbem.rules.gcacw import arrivals, assault, events, march, may_march
from pbem.rules.gcacw.combat import Fight, modifiers
from pbem.rules.gcacw.in_force import in_force
from pbem.rules.gcacw.leaders import in_radius, why_not_hop
from pbem.rules.gcacw.orders import Assault, Bridge, Grand, March, Strike
from pbem.rules.gcacw.recovery import why_not_bridge
from pbem.rules.gcacw.sequence import ADVANCED as PHASES
from pbem.rules.gcacw.sequence import next_activity
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import is_open, near, points, zone
from pbem.rules.requests import Tell, dice_side

Field = Callable[..., State]
Fields = Callable[..., Battle]
Campaign = Callable[..., State]
NAME = "rapidan-to-manassas"
OPEN = "\n".join([". " * 8] * 5)
MORE = {"advanced": ADVANCED}
TWO = {"king": "0101 9", "hood": "0801 9"}


def clause(refusal: Refusal | None) -> str:
    return "" if refusal is None else refusal.clause


def tells(found: Sequence[Any]) -> list[Tell]:
    return [one for one in found if isinstance(one, Tell)]


def happen(s: State, *dice: int) -> list[Tell]:
    """What the random events phase tells with these dice."""
    return tells(run(events.happens(s), dice))


def whats(found: Sequence[Any]) -> list[str]:
    return [tell.what for tell in tells(found)]


# --- the phases (3.0) -------------------------------------------------------------------------------------------------


@pytest.mark.clause("3.0-4", "3.0-5", "3.0-6", "3.0-7", "14.0-1", "14.0-t1")
@pytest.mark.parametrize(
    ("turn", "missing"),
    [
        (1, {"events", "repair", "supply-status", "supply-effects"}),
        (2, {"repair", "supply-status", "supply-effects"}),
        (5, {"repair", "supply-status", "supply-effects"}),
        (6, set()),
        (7, {"repair", "supply-status"}),
        (11, set()),
    ],
)
def test_each_turn_has_the_phases_that_are_its(field: Field, turn: int, missing: set[str]) -> None:
    first = "events" if turn > 1 else "union-reinforcements"
    s = field(OPEN, {"king": "0101 9 F4", "hood": "0801 9 F4"}, scenario=MORE, turns=15, turn=turn, phase=first,
              opened=False)  # fmt: skip
    names = ["events", "union-reinforcements", "confederate-reinforcements", "union-transfer", "confederate-transfer",
             "repair", "supply-status", "union-attachment", "confederate-attachment", "cycle", "union-recovery",
             "confederate-recovery", "supply-effects"]  # fmt: skip
    assert len(names) == len(PHASES)
    seen: list[str] = []
    while s.turn == turn and s.ended is None:
        found = run(next_activity(s), (1, 3) if s.phase == 0 and not s.opened else ())
        seen += [tell.facts["phase"] for tell in tells(found) if tell.what == "phase"]
    assert [name for name in seen if name in names] == [name for name in names if name not in missing]


# --- rain -------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("14.0-table", "14.0-rain-now", "14.0-rain-now1", "14.0-rain-now2")
@pytest.mark.parametrize(("dice", "lasts"), [((4, 5), 0), ((1, 2), 1), ((1, 1), 2)])
def test_rain_lasts_for_this_turn_or_one_or_two_more(field: Field, dice: tuple[int, int], lasts: int) -> None:
    s = field(OPEN, TWO, scenario=MORE, turns=15, turn=4)
    happen(s, *dice)
    assert s.rain == 4 + lasts
    for turn in range(4, 8):
        s.turn = turn
        assert s.raining == (turn <= 4 + lasts)


@pytest.mark.clause("14.0-rain-now1", "14.0-rain-now2", "14.0-rain-other")
def test_rain_in_rain_has_no_effect_and_other_events_have(campaign: Campaign) -> None:
    s = campaign(NAME, turn=6)
    s.weather(7)
    assert whats(happen(s, 1, 1)) == ["event", "no-rain"]
    assert s.rain == 7
    assert whats(happen(s, 6, 6)) == ["event"]
    assert s.paralysed == {"confederate"}
    s.turn = 8  # the rain is over: a new one begins
    assert whats(happen(s, 1, 1)) == ["event", "rain"]
    assert s.rain == 10


WATER: dict[str, Any] = {
    "roads": {"road": ["0201 0301", "0203 0303"], "pike": "0205 0305", "ford": "0102 0202", "bridge": "0104 0204",
              "ferry": "0105 0205"},
    "sides": {"minor_river": ["0102/0202", "0103/0203", "0104/0204", "0105/0205"],
              "creek": ["0201/0301", "0202/0302", "0205/0305"]},
}  # fmt: skip


@pytest.mark.clause("14.0-rain-riv1", "14.0-rain-riv2", "14.0-rain-att2")
@pytest.mark.parametrize(
    ("a", "b", "dry", "wet"),
    [
        ("0102", "0202", True, False),  # a ford
        ("0104", "0204", True, True),  # a bridge
        ("0105", "0205", True, False),  # a ferry
        ("0103", "0203", False, False),  # a river without any
        ("0201", "0301", True, True),  # a creek with a road
        ("0202", "0302", True, False),  # a creek without
        ("0205", "0305", True, True),  # a creek with a pike
        ("0301", "0401", True, True),  # no water
    ],
)
def test_in_rain_rivers_are_crossed_at_bridges_and_creeks_along_ways(
    field: Field, a: str, b: str, dry: bool, wet: bool
) -> None:
    s = field(OPEN, {"king": f"{a} 9", "hood": f"{b} 9"}, scenario=MORE, turn=2, **WATER)
    here, there = map(s.board.parse, (a, b))
    attack = March("king", (), (), strike=Strike(there))
    for rain, passes in ((0, dry), (2, wet)):
        s.weather(rain)
        assert is_open(s, "union", here, there) == passes
        assert (clause(may_march.why_not(s, "union", attack)) == "") == passes
        assert (there in near(s, "union", here)) == passes
        assert (there in near(s, "union", here, dry=True)) == dry  # 14.0-rain-ldr


@pytest.mark.clause("14.0-rain-riv1", "14.0-rain-riv2", "14.0-rain-att2")
@pytest.mark.parametrize(
    ("a", "b", "march_clause", "attack_clause", "why"),
    [
        ("0102", "0202", "14.0-rain-riv1", "14.0-rain-att2", "which has a ford there, no bridge"),
        ("0105", "0205", "14.0-rain-riv1", "14.0-rain-riv1", "which has a ferry there, no bridge"),
        ("0202", "0302", "14.0-rain-riv2", "14.0-rain-att2", "which no road, pike or railroad crosses"),
        ("0103", "0203", "std-6.1-7", "std-7.1-5", "has no crossing"),
    ],
)
def test_what_rain_closes_is_said_to_be_closed_by_rain(
    field: Field, a: str, b: str, march_clause: str, attack_clause: str, why: str
) -> None:
    s = field(OPEN, {"mcdowell": a, "king": f"{a} 9", "hood": f"{b} 9"}, scenario=MORE, turn=2,
              **WATER)  # fmt: skip
    there = s.board.parse(b)
    s.weather(2)
    attack = may_march.why_not(s, "union", March("king", (), (), strike=Strike(there)))
    grouped = assault.why_not(s, "union", Assault("mcdowell", there, ("king",)))
    s.put("hood", s.board.parse("0801"))
    step = may_march.why_not(s, "union", March("king", (there,), ("mcdowell",)))
    assert [clause(one) for one in (attack, grouped, step)] == [attack_clause, attack_clause, march_clause]
    for found in (attack, grouped, step):
        assert found is not None
        assert found.reason.endswith(why)
        assert found.reason.startswith("it rains, and nobody ") == ("rain" in march_clause)


@pytest.mark.clause("14.0-rain-zoc")
@pytest.mark.parametrize(
    ("a", "b", "wet"),
    [
        ("0102", "0202", False),
        ("0104", "0204", True),
        ("0201", "0301", True),
        ("0202", "0302", False),
        ("0105", "0205", True),
    ],
)
def test_in_rain_no_zone_of_control_crosses_a_ford_or_a_creek_without_way(
    field: Field, a: str, b: str, wet: bool
) -> None:
    s = field(OPEN, {"hood": f"{a} 9"}, scenario=MORE, turn=2, **WATER)
    there = s.board.parse(b)
    assert there in zone(s, "confederate")
    s.weather(2)
    assert (there in zone(s, "confederate")) == wet
    assert there in zone(s, "confederate", dry=True)


@pytest.mark.clause("14.0-rain-mv1", "14.0-rain-mv2", "14.0-rain-mv3")
@pytest.mark.parametrize(
    ("letter", "way", "dry", "wet"),
    [
        (".", "road", 2, 4),
        (".", "railroad", 2, 4),
        (".", "pike", 2, 3),
        (".", "", 6, 6),
        ("o", "", 8, 10),
        ("w", "", 8, 10),
        ("r", "", 10, 12),
        ("h", "", 10, 12),
        ("m", "", 12, 14),
        ("s", "", 12, 14),
        ("c", "", 6, 6),
        ("r", "road", 2, 4),
    ],
)
def test_steps_cost_more_in_rain(field: Field, letter: str, way: str, dry: int, wet: int) -> None:
    s = field(
        f". {letter} .\n. . .", {"king": "0101 9"}, scenario=MORE, turn=2, roads={way: "0101 0201"} if way else {}
    )
    here, there = map(s.board.parse, ("0101", "0201"))
    assert points(s, "union", here, there) == dry
    s.weather(2)
    assert points(s, "union", here, there) == wet


@pytest.mark.clause("14.0-rain-att1", "14.0-rain-att3")
@pytest.mark.parametrize(("road", "creek"), [("0102 0202", {0: 1, 2: 2}), ("", {0: 1, 2: None})])
def test_rain_takes_from_the_attackers_die_and_makes_creeks_worse(
    field: Field, road: str, creek: dict[int, int | None]
) -> None:
    roads = {"road": road} if road else {}
    s = field(OPEN, {"king": "0102 9", "hood": "0202 9"}, scenario=MORE, turn=2, roads=roads,
              sides={"creek": "0102/0202"})  # fmt: skip
    f = Fight("union", s.board.parse("0202"), ("king",), "normal")
    for rain in (0, 2):
        s.weather(rain)
        found = {m.name: m.points for m in modifiers(s, f)}
        assert found.get("rain") == (-1 if rain else None)
        if creek[rain] is not None:
            assert found["creek"] == creek[rain]


@pytest.mark.clause("14.0-rain-ldr")
def test_rain_changes_nothing_for_leaders(field: Field) -> None:
    units = {"mcdowell": "0102", "ricketts": "0102 9", "king": "0202 9"}
    s = field(OPEN, units, scenario=MORE, turn=2, **WATER)
    for rain in (0, 2):
        s.weather(rain)
        assert in_radius(s, "mcdowell", "king")  # over the ford
        assert why_not_hop(s, "mcdowell", "king") is None


@pytest.mark.clause("14.0-rain-br")
def test_nobody_builds_a_bridge_in_rain(field: Field) -> None:
    s = field(OPEN, {"king": "0103 9"}, scenario=MORE, turn=2, phase="union-recovery", **WATER)
    order = Bridge("king", s.board.parse("0203"))
    assert clause(why_not_bridge(s, "union", order)) == ""
    s.weather(2)
    assert clause(why_not_bridge(s, "union", order)) == "14.0-rain-br"


@pytest.mark.clause("14.0-rain-now")
def test_the_rain_ends_with_its_turn(battle: Fields) -> None:
    b = battle(OPEN, TWO, scenario=MORE, turns=15, turn=3, choice="union")
    b.state.weather(3)
    b.do("done")
    b.do("done", 3, 4)
    assert (b.state.turn, b.state.raining, b.state.rain) == (4, False, 0)


# --- reinforcements early and late ------------------------------------------------------------------------------------


def dues(s: State) -> dict[str, int]:
    return {one.id: events.due_in(s, one) for one in s.board.arrivals.values() if one.id in s.waiting}


@pytest.mark.clause("14.0-early1", "14.0-early2", "14.0-table")
@pytest.mark.parametrize(("dice", "side"), [((1, 3), "union"), ((3, 4), "union"), ((1, 4), "confederate"),
                                            ((4, 6), "confederate")])  # fmt: skip
def test_early_brings_the_next_turns_arrivals_of_the_side(campaign: Campaign, dice: tuple[int, int], side: str) -> None:
    for turn in range(2, 16):
        s = campaign(NAME, turn=turn)
        before = dues(s)
        found = whats(happen(s, *dice))
        moved = {one for one, due in before.items() if due == turn + 1 and s.board.arrivals[one].side == side}
        assert dues(s) == before | dict.fromkeys(moved, turn)
        assert found == ["event", "moved-arrivals" if moved else "no-arrivals"]


@pytest.mark.clause("14.0-early1", "22.2-1")
@pytest.mark.parametrize(("dice", "side", "units"), [((1, 3), "union", "taylor scammon sturgis"),
                                                     ((1, 4), "confederate", "hampton")])  # fmt: skip
def test_the_last_turn_may_bring_who_is_due_behind_it(
    campaign: Campaign, dice: tuple[int, int], side: str, units: str
) -> None:
    """Both campaigns have one list of arrivals; without the event who is due on turn 9 never comes in the short one."""
    s = campaign("rapidan-to-rappahannock", turn=7)
    behind = {one.id for one in s.board.arrivals.values() if one.turn == 9}
    assert {start.unit for one in behind for start in s.board.arrivals[one].starts} == {
        "taylor", "scammon", "sturgis", "hampton",
    }  # fmt: skip
    assert all(events.may_come(s, s.board.arrivals[one]) for one in behind)
    told = [one.told for one in in_force(s) if "behind the last" in one.told]
    assert len(told) == 2
    s = campaign("rapidan-to-rappahannock", turn=8)
    assert not any(events.may_come(s, s.board.arrivals[one]) for one in behind)
    assert not any("behind the last" in one.told for one in in_force(s))
    happen(s, *dice)
    early = [one for one in behind if events.due_in(s, s.board.arrivals[one]) == 8]
    came = {start.unit for one in early for start in s.board.arrivals[one].starts}
    assert came == {*units.split()}
    assert {start.unit for one in arrivals.due(s, side) for start in one.starts} >= came


@pytest.mark.clause("14.0-1")
def test_the_unions_player_throws_for_the_event_whomever_it_concerns(campaign: Campaign) -> None:
    for dice in ((1, 1), (1, 4), (2, 4), (6, 6)):
        tell = happen(campaign(NAME, turn=3), *dice)[0]
        assert dice_side("event/1", tell.facts) == "union"


@pytest.mark.clause("14.0-late1", "14.0-late2", "14.0-late3", "14.0-table")
@pytest.mark.parametrize(("dice", "side"), [((2, 4), "union"), ((5, 6), "confederate")])
def test_late_puts_this_turns_arrivals_of_the_side_off(campaign: Campaign, dice: tuple[int, int], side: str) -> None:
    for turn in range(2, 16):
        s = campaign(NAME, turn=turn)
        before = dues(s)
        found = whats(happen(s, *dice))
        moved = {one for one, due in before.items() if due == turn and s.board.arrivals[one].side == side}
        assert dues(s) == before | dict.fromkeys(moved, turn + 1)
        assert found == ["event", "moved-arrivals" if moved else "no-arrivals"]
        if moved:  # once more, with those newly due
            s.turn += 1
            again = moved | {
                one for one, due in before.items() if due == turn + 1 and s.board.arrivals[one].side == side
            }
            happen(s, *dice)
            assert {one for one, due in dues(s).items() if due == turn + 2} >= again


@pytest.mark.clause("14.0-late1")
def test_who_was_put_off_comes_in_the_next_reinforcement_phase(campaign: Campaign) -> None:
    s = campaign(NAME, turn=12, phase="union-reinforcements", opened=False)
    s.waiting -= {one for one in s.waiting if one != "moor"}
    s.due["moor"] = 13
    play(s, [])
    assert "moor" not in s.at
    s = campaign(NAME, turn=13, phase="union-reinforcements", opened=False)
    s.waiting -= {one for one in s.waiting if one != "moor"}
    s.due["moor"] = 13
    play(s, [])
    assert s.board.label[s.at["moor"]] == "N5816"


# --- command paralysis ------------------------------------------------------------------------------------------------


@pytest.mark.clause("14.0-par1", "14.0-par2")
@pytest.mark.parametrize(
    ("unit", "dice", "points_left"),
    [("king", (6,), 4), ("king", (2,), 1), ("king", (1,), 1), ("buford", (5, 4), 5), ("buford", (2, 2), 1),
     ("hood", (6,), 7)],
)  # fmt: skip
def test_paralysis_takes_points_from_marches(field: Field, unit: str, dice: tuple[int, ...], points_left: int) -> None:
    s = field(OPEN, {"king": "0101 9", "buford": "0102 3", "hood": "0801 9"}, scenario=MORE, turn=2)
    s.paralysed.add("union")
    found = run(march.carry_out(s, March(unit)), dice)
    assert told(found, "allowance")[0]["points"] == points_left


@pytest.mark.clause("14.0-par1")
def test_paralysis_takes_points_from_activations(battle: Fields) -> None:
    b = battle(OPEN, {"mcdowell": "0101", "king": "0101 9", "hood": "0801 9"}, scenario=MORE, turn=2, choice="union")
    b.state.paralysed.add("union")
    b.do("activate mcdowell march king with mcdowell 0102", 4)
    assert b.facts("allowance")["points"] == 3  # 4 + 1 - 2
    assert b.facts("allowance")["less"] == 2


@pytest.mark.clause("14.0-par3")
def test_the_paralysed_force_no_march_but_extend_it(field: Field) -> None:
    s = field(OPEN, {"king": "0101 9 F2", "hood": "0801 9"}, scenario=MORE, turn=2)
    way = (s.board.parse("0102"),)
    for force in ("route", "always"):
        assert clause(may_march.why_not(s, "union", March("king", way, force=force))) == ""
    s.paralysed.add("union")
    for force in ("route", "always"):
        assert clause(may_march.why_not(s, "union", March("king", way, force=force))) == "14.0-par3"
    assert clause(may_march.why_not(s, "union", March("king", way))) == ""  # an extended march
    assert clause(may_march.why_not(s, "confederate", March("hood", (s.board.parse("0802"),), force="route"))) == ""


@pytest.mark.clause("14.0-par4")
def test_the_paralysed_assault_nobody(field: Field) -> None:
    units = {"mcdowell": "0101", "pope": "0101", "king": "0101 9", "ricketts": "0201 9", "hood": "0102 9"}
    s = field(OPEN, units, scenario=MORE, turn=2)
    at = s.board.parse("0102")
    corps = Assault("mcdowell", at, ("king",))
    grand = Grand("pope", at, "mcdowell", ("king",), ("ricketts",))
    assert clause(assault.why_not(s, "union", corps)) == clause(assault.why_not_grand(s, "union", grand)) == ""
    s.paralysed.add("union")
    assert clause(assault.why_not(s, "union", corps)) == clause(assault.why_not_grand(s, "union", grand)) == "14.0-par4"
    s.paralysed = {"confederate"}
    assert clause(assault.why_not(s, "union", corps)) == ""


@pytest.mark.clause("14.0-par1")
def test_paralysis_ends_with_the_turn(battle: Fields) -> None:
    b = battle(OPEN, TWO, scenario=MORE, turns=15, turn=2, choice="union")
    b.state.paralysed.add("union")
    b.do("done")
    b.do("done", 3, 4)
    assert (b.state.turn, b.state.paralysed) == (3, set())


# --- random ends of the cycle (15.0) ----------------------------------------------------------------------------------


@pytest.mark.clause("15.0-0", "15.0-1", "15.0-2")
@pytest.mark.parametrize(
    ("turn", "die", "ends"),
    [(3, 1, True), (3, 2, True), (3, 3, False), (11, 2, True), (11, 3, False), (12, 3, True), (12, 4, False),
     (15, 3, True), (15, 6, False)],
)  # fmt: skip
def test_behind_two_ones_a_die_may_end_the_cycle(battle: Fields, turn: int, die: int, ends: bool) -> None:
    b = battle(OPEN, TWO, scenario=MORE, turns=15, turn=turn)
    b.do("", 1, 1, die)
    recovery = "supply-effects" if turn == 15 else "union-recovery"  # in the last turn nobody is asked in recovery
    assert b.phase == (recovery if ends else "cycle")
    assert b.facts("cycle-roll") == {
        "die": die,
        "number": 3 if turn > 11 else 2,
        "cycle": 1,
        "ends": ends,
        "opens": True,
    }


@pytest.mark.clause("15.0-3")
def test_if_the_cycle_goes_on_the_confederate_has_won(battle: Fields) -> None:
    b = battle(OPEN, {"king": "0101 9 F4", "hood": "0801 9"}, scenario=MORE, turns=15, turn=5)
    b.do("", 1, 1, 4)
    assert (b.request.side, b.request.kind) == ("confederate", "action")
    b.do("march hood 0802", 3)
    b.do("", 5, 2)  # the Union wins, and passes by itself
    assert b.request.side == "confederate"
    assert "pass" in b.events()


@pytest.mark.clause("15.0-0", "15.0-1")
@pytest.mark.parametrize(("turn", "advanced"), [(2, True), (5, False)])
def test_before_turn_3_and_in_the_basic_game_two_ones_end_nothing(battle: Fields, turn: int, advanced: bool) -> None:
    b = battle(OPEN, TWO, scenario=MORE if advanced else {}, turns=15, turn=turn)
    b.do("", 1, 1)
    assert (b.request.side, b.phase) == ("confederate", "cycle")


@pytest.mark.clause("15.0-1")
@pytest.mark.parametrize("dice", [(1, 2), (2, 1), (2, 2), (6, 6)])
def test_other_dice_end_nothing(battle: Fields, dice: tuple[int, int]) -> None:
    b = battle(OPEN, TWO, scenario=MORE, turns=15, turn=5)
    b.do("", *dice)
    assert b.phase == "cycle"
    assert "cycle-roll" not in b.events()


def test_no_die_of_the_cycle_is_rolled_where_nobody_can_act(field: Field) -> None:
    s = field(OPEN, {"king": "0101 9 F4", "hood": "0801 9 F4"}, scenario=MORE, turns=15, turn=5)
    _, found = play(s, [])
    assert {"initiative/union", "initiative/confederate", "cycle"}.isdisjoint(labels(found))
    assert "15.0-5" in [tell.clause for tell in tells(found) if tell.what == "cycle-ends"]
