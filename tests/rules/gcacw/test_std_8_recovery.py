"""Recovery, entrenchment, bridges and demoralisation (std-8 to std-11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, play, run, told

from pbem.rules import gcacw
from pbem.rules.gcacw import march, may_march, recovery
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.orders import Bridge, Close, Entrench, Forage, March
from pbem.rules.gcacw.recovery import why_not_bridge, why_not_entrench
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import in_zone, near, zone
from pbem.rules.requests import Roll, Tell

Field = Callable[..., State]
Fields = Callable[..., Battle]
Campaign = Callable[..., State]

PLAIN = "\n".join([". " * 7] * 7)


def entrenches(s: State, unit: str) -> str:
    """The clause by which a unit can't entrench, "" when it can."""
    found = why_not_entrench(s, s.board.units[unit].side, Entrench(unit))
    return found.clause if found is not None else ""


def bridges(s: State, unit: str, to: str, side: str = "") -> str:
    """The clause by which a unit can't bridge, "" when it can."""
    found = why_not_bridge(s, side or s.board.units[unit].side, Bridge(unit, s.board.parse(to)))
    return found.clause if found is not None else ""


def test_in_the_other_sides_recovery_what_speaks_against_works_is_named(campaign: Campaign) -> None:
    """It was said that the other side is asked of a unit too tired for works, as if they were right a phase later."""
    units = {"ap-hill": "S0832 18 F3", "ewell-a": "S0333 12 F2"}
    s = campaign("cedar-mountain", units, turn=2, phase="union-recovery")
    orders = (
        Entrench("ap-hill"), Bridge("ap-hill", s.board.parse("S0732")), Entrench("robertson"), Forage(("ap-hill",)),
        March("winder", (s.board.parse("S0832"),)), Entrench("ewell-a"),
    )  # fmt: skip
    found = [gcacw.why_not(s, "confederate", order) for order in orders]
    assert [refusal.clause for refusal in found if refusal] == [
        "std-9.0-1", "std-10.0-1", "std-9.0-1", "14.0-0", "std-4.0-1", "std-8.0-1",
    ]  # fmt: skip
    assert found[0] is not None
    assert found[0].reason == "A.P. Hill is at fatigue 3: 2 at most can do it"
    assert found[-1] is not None
    assert found[-1].reason == "the other side is asked"


# --- step 3 (std-8.0) ------


@pytest.mark.clause("std-8.0-2")
@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)])
def test_fatigue_recovers(field: Field, before: int, after: int) -> None:
    s = field(PLAIN, {"king": f"0101 8 F{before}", "buford": f"0101 3 F{before}", "hood": f"0707 8 F{before}"})
    run(recovery.rest(s))
    assert {unit: s.fatigue.get(unit, 0) for unit in ("king", "buford", "hood")} == {
        "king": after, "buford": after, "hood": after,
    }  # fmt: skip


@pytest.mark.clause("std-8.0-3")
@pytest.mark.parametrize(("before", "organised"), [(0, True), (2, True), (3, False), (4, False)])
def test_who_comes_to_fatigue_0_is_organised_again(field: Field, before: int, organised: bool) -> None:
    s = field(PLAIN, {"king": f"0101 8 F{before} disorganised"})
    run(recovery.rest(s))
    assert ("king" not in s.disorganised) == organised


@pytest.mark.clause("std-8.0-4")
@pytest.mark.parametrize(
    ("level", "fatigue", "after"), [(2, 0, 1), (2, 2, 1), (2, 3, 2), (2, 4, 2), (1, 2, 0), (1, 3, 1), (1, 0, 0)]
)
def test_demoralisation_falls_by_a_step_of_the_rested(field: Field, level: int, fatigue: int, after: int) -> None:
    s = field(PLAIN, {"king": f"0101 8 F{fatigue} demoralised {level}"})
    run(recovery.rest(s))
    assert s.demoralised.get("king", 0) == after


@pytest.mark.clause("std-8.0-5", "13.4-sp4", "13.5-sp3b", "13.5-sp4a")
@pytest.mark.parametrize(
    ("scenario", "unit", "turns"),
    [("jacksons-march", "morell", (1, 2)), ("to-bull-run", "king", (1,)), ("to-bull-run", "hood", (1,))],
)
def test_frozen_markers_skip_the_step(campaign: Campaign, scenario: str, unit: str, turns: tuple[int, ...]) -> None:
    for turn in range(1, 4):
        s = campaign(scenario, turn=turn)
        assert s.fatigue[unit] == 2
        s.disorganise(unit)
        s.demoralise(unit, 1)
        run(recovery.rest(s))
        frozen = turn in turns
        assert (s.fatigue.get(unit, 0), unit in s.disorganised, s.demoralised.get(unit, 0)) == (
            (2, True, 1) if frozen else (0, False, 0)
        )


@pytest.mark.clause("std-8.0-5", "13.4-sp4")
def test_a_fight_may_raise_what_is_frozen(campaign: Campaign) -> None:
    s = campaign("jacksons-march", turn=1)
    s.tire("morell", 4)
    run(recovery.rest(s))
    assert s.fatigue["morell"] == 4


@pytest.mark.clause("std-8.0-1")
def test_works_come_before_rest_and_the_union_first(field: Field) -> None:
    """King at fatigue 2 works and rests after; at fatigue 3 he can't, though he will be at 1."""
    units = {"king": "0101 8 F2", "hood": "0707 8 F2", "hooker": "0102 8 F3"}
    s = field(PLAIN, units, phase="union-recovery", turn=3, opened=False)
    _, found = play(s, [Entrench("king"), Entrench("hood")])
    names = [(t.what, t.facts.get("unit")) for t in found if isinstance(t, Tell) and t.what in ("entrench", "rested")]
    assert names[:2] == [("entrench", "king"), ("entrench", "hood")]
    assert {name for name, _ in names[2:]} == {"rested"}
    assert "king" not in s.fatigue
    assert s.works == {"king": 1, "hood": 1}


# --- entrenchment (std-9.0) ------


@pytest.mark.clause("std-9.0-1")
@pytest.mark.parametrize(
    ("words", "clause"),
    [("", ""), ("F1", ""), ("F2", ""), ("F3", "std-9.0-1"), ("F4", "std-9.0-1"), ("demoralised 1", "std-9.0-1"),
     ("disorganised", "")],
)  # fmt: skip
def test_who_may_entrench(field: Field, words: str, clause: str) -> None:
    s = field(PLAIN, {"king": f"0303 8 {words}", "hood": "0304 8", "buford": "0101 3", "waagner": "0101 1"})
    assert entrenches(s, "king") == clause, "the enemy beside doesn't bar it"
    assert entrenches(s, "buford") == "std-9.0-1", "cavalry"
    assert entrenches(s, "waagner") == ""
    refusal = why_not_entrench(s, "confederate", Entrench("king"))
    assert refusal is not None


@pytest.mark.clause("std-9.0-1", "std-4.0-9")
def test_the_held_don_t_entrench(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 8"}, scenario={"holds": [{"units": ["king"], "until": "3", "clause": "13.1-sp3"}]})
    assert entrenches(s, "king") == "13.1-sp3"
    s.turn = 3
    assert entrenches(s, "king") == ""


@pytest.mark.clause("std-9.0-2")
def test_each_recovery_adds_a_stage_up_to_a_complete_fort(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 8"})
    for stage in (1, 2, 3, 4):
        assert entrenches(s, "king") == ""
        run(recovery.entrench(s, Entrench("king")))
        assert s.works["king"] == stage
        assert entrenches(s, "king") == "std-9.0-3", "once in a recovery"
        s.worked.clear()
    assert entrenches(s, "king") == "std-9.0-2"


@pytest.mark.clause("std-9.0-3")
def test_one_piece_of_work_in_a_recovery(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 8"}, sides={"minor_river": "0303/0304"})
    assert (entrenches(s, "king"), bridges(s, "king", "0304")) == ("", ""), "one or the other"
    run(recovery.entrench(s, Entrench("king")))
    assert bridges(s, "king", "0304") == "std-9.0-3"
    s = field(PLAIN, {"king": "0303 8"}, sides={"minor_river": "0303/0304"})
    run(recovery.build(s, Bridge("king", s.board.parse("0304"))), [6])
    assert entrenches(s, "king") == "std-9.0-3", "an attempt that failed is work, too"


@pytest.mark.clause("std-9.0-5")
def test_works_are_left_behind(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 8 works 3", "ricketts": "0303 8 works 2"})
    run(march.carry_out(s, March("king", (s.board.parse("0304"),))), [6])
    assert s.works == {"ricketts": 2}
    run(march.carry_out(s, March("ricketts")), [1])
    assert s.works == {"ricketts": 2}, "a march without a step leaves nothing"


# --- bridges (std-10.0) ------

RIVER = {"minor_river": "0303/0304"}


@pytest.mark.clause("std-10.0-1")
def test_who_may_bridge_what(field: Field) -> None:
    for words, clause in (("", ""), ("F2", ""), ("F3", "std-10.0-1"), ("demoralised 1", "std-10.0-1")):
        s = field(PLAIN, {"king": f"0303 8 {words}", "buford": "0303 3"}, sides=RIVER)
        assert bridges(s, "king", "0304") == clause
        assert bridges(s, "buford", "0304") == "std-10.0-1"
        assert bridges(s, "king", "0404") == "std-10.0-1", "no river"
        assert bridges(s, "king", "0305") == "std-10.0-1", "not adjacent"
    for kind in ("bridge", "ford", "ferry"):
        s = field(PLAIN, {"king": "0303 8"}, sides=RIVER, roads={kind: "0303 0304"})
        assert bridges(s, "king", "0304") == "std-10.0-1", kind
    for kind in ("major_river", "creek"):
        s = field(PLAIN, {"king": "0303 8"}, sides={kind: "0303/0304"})
        assert bridges(s, "king", "0304") == "std-10.0-1", kind
    s = field(PLAIN, {"king": "0303 8"}, sides=RIVER,
              scenario={"holds": [{"units": ["king"], "until": "3", "clause": "13.1-sp3"}]})  # fmt: skip
    assert bridges(s, "king", "0304") == "13.1-sp3"


@pytest.mark.clause("std-10.0-3")
def test_the_far_hex_is_free_of_the_enemy_and_his_zones(field: Field) -> None:
    for hood, clause in (("0304 8", "std-10.0-3"), ("0305 8", "std-10.0-3"), ("0306 8", ""), ("0404 8", "std-10.0-3")):
        s = field(PLAIN, {"king": "0303 8", "hood": hood}, sides=RIVER)
        assert bridges(s, "king", "0304") == clause, hood
    s = field(PLAIN, {"king": "0303 8", "ricketts": "0304 8", "hood": "0305 8"}, sides=RIVER)
    assert bridges(s, "king", "0304") == "std-10.0-3", "a friend there doesn't cancel it"


@pytest.mark.clause("std-10.0-2")
@pytest.mark.parametrize(("unit", "die", "made"), [("king", 4, True), ("king", 5, False), ("hood", 3, True),
                                                   ("hood", 4, False)])  # fmt: skip
def test_a_die_decides(field: Field, unit: str, die: int, made: bool) -> None:
    s = field(PLAIN, {unit: "0303 8"}, sides=RIVER)
    found = run(recovery.build(s, Bridge(unit, s.board.parse("0304"))), [die])
    assert s.bridges == ({"0303/0304": s.board.units[unit].side} if made else {})
    assert told(found, "bridge")[0]["made"] == made


@pytest.mark.clause("std-10.0-1")
def test_a_side_has_three_bridges_at_most_and_none_over_another(field: Field) -> None:
    sides = {"minor_river": ["0303/0304", "0303/0403", "0403/0404"]}
    s = field(PLAIN, {"king": "0303 8", "hood": "0707 8"}, sides=sides)
    s.put("hood", s.board.parse("0707"))
    s.bridges.update({"0101/0102": "union", "0101/0201": "union"})
    assert bridges(s, "king", "0304") == ""
    s.build("0102/0201", "union")
    assert bridges(s, "king", "0304") == "std-10.0-1"
    s.bridges = {"0303/0304": "confederate"}
    assert bridges(s, "king", "0304") == "std-10.0-1"


@pytest.mark.clause("std-10.0-4", "std-2.4-2")
def test_a_built_bridge_serves_its_owner_alone(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 8", "hood": "0707 8"}, sides=RIVER)
    a, b = map(s.board.parse, ("0303", "0304"))
    assert b not in near(s, "union", a)
    assert b not in zone(s, "union")
    s.build("0303/0304", "union")
    s.memo.clear()
    assert b in near(s, "union", a)
    assert b not in near(s, "confederate", a)
    assert in_zone(s, "confederate", b)
    s.put("king", s.board.parse("0101"))
    s.put("hood", b)
    assert not in_zone(s, "union", a)
    assert may_march.why_no_step(s, "hood", b, a) is not None
    assert may_march.why_no_step(s, "king", b, a) is None


@pytest.mark.clause("std-10.0-4")
@pytest.mark.parametrize(
    ("unit", "words", "stays"),
    [("hood", "5", False), ("hood", "4", True), ("hood", "7 disorganised", False), ("hood", "6 disorganised", True),
     ("king", "8", True)],
)  # fmt: skip
def test_an_enemy_of_value_5_at_an_end_removes_it(field: Field, unit: str, words: str, stays: bool) -> None:
    s = field(PLAIN, {unit: f"0305 {words}"}, sides=RIVER)
    s.build("0303/0304", "union")
    found = run(march.carry_out(s, March(unit, (s.board.parse("0304"),))), [6])
    assert bool(s.bridges) == stays
    assert bool(told(found, "bridge-removed")) == (not stays)


@pytest.mark.clause("std-10.0-4")
def test_two_of_value_4_don_t_add_up(field: Field) -> None:
    s = field(PLAIN, {"hood": "0304 4", "kemper": "0304 4"}, sides=RIVER)
    s.build("0303/0304", "union")
    run(entered(s, ["hood", "kemper"], s.board.parse("0304")))
    assert s.bridges


@pytest.mark.clause("std-10.0-4")
def test_the_owner_removes_the_bridge_that_he_names_where_his_unit_comes_by(battle: Fields) -> None:
    sides = {"minor_river": ["0303/0304", "0303/0403"]}
    for words, left in (
        ("march king unbridge 0303 0304", {"0303/0403"}),
        ("march king 0304 0305 unbridge 0303 0304", {"0303/0403"}),
        ("march king 0302 unbridge 0304 0303", {"0303/0403"}),
        ("march king 0304", {"0303/0304", "0303/0403"}),
    ):
        b = battle(PLAIN, {"king": "0303 8", "hood": "0707 8"}, choice="union", sides=sides,
                   roads={"road": "0302 0303 0304 0305"})  # fmt: skip
        b.state.bridges.update({"0303/0304": "union", "0303/0403": "union"})
        b.state.memo.clear()
        b.do(words, 6)
        assert set(b.state.bridges) == left, words


@pytest.mark.clause("std-10.0-4")
def test_only_a_bridge_of_one_s_own_and_only_from_its_ends(battle: Fields) -> None:
    b = battle(PLAIN, {"king": "0303 8", "ricketts": "0101 8"}, choice="union", sides=RIVER,
               roads={"bridge": "0101 0102"})  # fmt: skip
    b.state.bridges.update({"0303/0304": "union"})
    for words, refused in (
        ("march king unbridge 0303 0304", False),
        ("march ricketts unbridge 0303 0304", True),
        ("march ricketts unbridge 0101 0102", True),
    ):
        assert (b.why_not(words) is not None) == refused, words
    b = battle(PLAIN, {"king": "0303 8"}, choice="union", sides=RIVER)
    b.state.bridges.update({"0303/0304": "confederate"})
    refusal = b.why_not("march king unbridge 0303 0304")
    assert refusal is not None
    assert refusal.clause == "std-10.0-4"


@pytest.mark.clause("std-11.0-2")
def test_the_demoralised_march_and_don_t_attack(battle: Fields) -> None:
    b = battle(PLAIN, {"king": "0303 8 demoralised 1", "hood": "0305 8"}, choice="union")
    assert b.why_not("march king 0304") is None
    refusal = b.why_not("march king 0304 attack 0305")
    assert refusal is not None
    assert refusal.clause == "std-11.0-2"


@pytest.mark.clause("std-10.0-2", "std-8.0-1")
def test_the_die_is_rolled_in_the_recovery_phase(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 8", "hood": "0707 8"}, sides=RIVER, phase="union-recovery", turn=3, opened=False)
    orders: list[Any] = [Bridge("king", s.board.parse("0304")), Close("recovery")]
    _, found = play(s, orders, [4])
    assert labels([f for f in found if isinstance(f, Roll)])[0] == "bridge/king"
    assert s.bridges == {"0303/0304": "union"}
