"""Retreat, rout, surrender and advance (std-7.6), and what stays behind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from rules.gcacw.activities import asked, run, told

from pbem.errors import Refusal
from pbem.rules import gcacw
from pbem.rules.gcacw import leaders, retreat
from pbem.rules.gcacw.advance import advance
from pbem.rules.gcacw.combat import Fight
from pbem.rules.gcacw.orders import Advance, FallBack, Join, Losses
from pbem.rules.gcacw.retreat import Flight, default_way, flight, ways, why_not
from pbem.rules.gcacw.state import State

Field = Callable[..., State]

WIDE = "\n".join([". " * 9] * 9)
FROM, FOE = "0505", "0504"
STACK = {"king": "0505 8", "ewell-b": "0504 8"}


def fleeing(s: State, *away: str, why: str = "retreat", side: str = "union", start: str = FROM) -> Flight:
    """The flight of the stack in a hex before attackers in others."""
    return flight(s, s.board.parse(start), side, [s.board.parse(h) for h in away or (FOE,)], why)


def path(s: State, *labels: str) -> FallBack:
    """A way in numbers."""
    return FallBack(tuple(map(s.board.parse, labels)))


def named(s: State, way: Sequence[Any]) -> list[str]:
    """A way's numbers."""
    return [s.board.label[h] for h in way]


def clause(s: State, f: Flight, *labels: str) -> str:
    """The clause by which a way is refused, "" when it is legal."""
    found = why_not(s, f, path(s, *labels))
    return found.clause if isinstance(found, Refusal) else ""


def cost(s: State, f: Flight, *labels: str) -> int:
    """What a legal way costs in manpower, counted by going it."""
    before = sum(s.manpower[u] for u in f.units if u in s.manpower)
    assert clause(s, f, *labels) == ""
    run(retreat._go(s, f, path(s, *labels).path, "std-7.5-7", ()))
    return before - sum(s.manpower.get(u, 0) for u in f.units)


def only(*hexes: str, size: int = 9, **ground: str) -> str:
    """A field that has these hexes alone, clear unless `m0304="m"` says otherwise."""
    rows = [["-"] * size for _ in range(size)]
    for number in hexes:
        rows[int(number[2:]) - 1][int(number[:2]) - 1] = ground.get(f"h{number}", ".")
    return "\n".join(" ".join(row) for row in rows)


# --- who goes, where --------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.6-1", "std-9.0-5")
def test_the_whole_stack_goes_with_its_leaders_and_leaves_its_works(field: Field) -> None:
    s = field(WIDE, {**STACK, "ricketts": "0505 8 works 2", "mcdowell": "0505", "buford": "0505 2", "pope": "0505"})
    run(retreat.retreat(s, fleeing(s), "std-7.5-7"), answers=[path(s, "0506", "0507", "0508")])
    for unit in ("king", "ricketts", "mcdowell", "buford", "pope"):
        assert s.board.label[s.at[unit]] == "0508"
    assert not s.works


@pytest.mark.clause("std-7.6-1", "std-7.6-4", "std-6.1-7")
def test_rivers_without_a_crossing_bar_the_way(field: Field) -> None:
    for roads, owner, expected in (({}, "", "std-7.6-4"), ({"ford": "0505 0506"}, "", ""), ({}, "union", ""),
                                   ({}, "confederate", "std-7.6-4")):  # fmt: skip
        s = field(WIDE, STACK, sides={"minor_river": "0505/0506"}, roads=roads)
        if owner:
            s.build("0505/0506", owner)
        assert clause(s, fleeing(s), "0506", "0507") == expected, (roads, owner)


@pytest.mark.clause("std-7.6-4")
def test_enemies_and_the_edge_bar_the_way(field: Field) -> None:
    s = field(WIDE, {**STACK, "hood": "0506 8"})
    assert clause(s, fleeing(s), "0506", "0507") == "std-7.6-4"
    assert clause(s, fleeing(s), "0507", "0508") == "std-7.6-1", "not adjacent"
    assert clause(s, fleeing(s), "0605", "0605") == "std-7.6-8", "no hex twice"
    assert clause(s, fleeing(s), "0605", "0505") == "std-7.6-8", "nor the hex that was left"


@pytest.mark.clause("std-7.6-4", "13.1-sp4", "13.4-sp5", "13.5-sp3g", "13.3-sp5")
def test_hexes_closed_to_one_of_the_stack_are_closed_to_all(field: Field) -> None:
    bans = [{"units": ["gregg"], "rows-to": "4", "clause": "13.1-sp4"}]
    units = {"gregg": "0505 4", "ewell-b": "0505 8", "king": "0506 8"}
    s = field(WIDE, units, scenario={"bans": bans})
    f = fleeing(s, "0506", side="confederate")
    assert clause(s, f, "0504", "0503") == "std-7.6-4"
    assert all(int(label[2:]) > 4 for way in ways(s, f) for label in named(s, way))
    s = field(WIDE, {**units, "gregg": "0107 4"}, scenario={"bans": bans})
    assert clause(s, fleeing(s, "0506", side="confederate"), "0504", "0503") == ""


@pytest.mark.clause("13.1-sp4", "std-7.6-4")
def test_gregg_in_cedar_mountain_retreats_to_no_closed_hex(campaign: Callable[..., State]) -> None:
    """Example: neither column 09 nor row 24; the same hexes are open to Ewell."""
    s = campaign("cedar-mountain", {"gregg": "S0825 4", "ricketts": "S0826 8", "bayard": "S1415 1"})
    f = fleeing(s, "S0826", side="confederate", start="S0825")
    labels = {label for way in ways(s, f) for label in named(s, way)}
    assert labels
    assert all(label[1:3] < "09" and label[3:] > "24" for label in labels)
    s = campaign("cedar-mountain", {"ewell-a": "S0825 4", "ricketts": "S0826 8", "bayard": "S1415 1"})
    labels = {
        label for way in ways(s, fleeing(s, "S0826", side="confederate", start="S0825")) for label in named(s, way)
    }
    assert any(label[1:3] >= "09" or label[3:] <= "24" for label in labels)


# --- how far ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.5-7", "std-7.7-5")
@pytest.mark.parametrize(("why", "least", "most"), [("retreat", 2, 4), ("rout", 4, 6), ("cavalry", 2, 4)])
def test_a_retreat_has_its_length(field: Field, why: str, least: int, most: int) -> None:
    s = field("\n".join([". " * 9] * 14), STACK)
    f = fleeing(s, why=why)
    straight = [f"05{row:02}" for row in range(6, 14)]
    for length in range(1, 8):
        expected = "" if least <= length <= most else "std-7.5-7"
        assert clause(s, f, *straight[:length]) == expected, length
    assert len(default_way(s, f, f.length.least)) == least
    assert {len(way) for way in ways(s, f)} == set(range(least, most + 1))


@pytest.mark.clause("std-7.6-5", "std-7.6-8")
def test_the_end_is_the_least_distance_away_where_it_can_be(field: Field) -> None:
    s = field(WIDE, STACK)
    assert clause(s, fleeing(s), "0605", "0506") == "std-7.6-8", "two steps, and beside the hex that was left"
    assert clause(s, fleeing(s), "0605", "0606") == ""
    assert clause(s, fleeing(s), "0605", "0506", "0507") == "", "three steps, at distance 2"
    bend = only("0504", "0505", "0506", "0606", "0605")
    s = field(bend, STACK)
    f = fleeing(s)
    assert named(s, default_way(s, f, 2)) == ["0506", "0606"], "no end at distance 2 can be had"
    assert clause(s, f, "0506", "0606") == ""


# --- which way (std-7.6-2, std-7.6-8) ---------------------------------------------------------------------------------


@pytest.mark.clause("std-7.6-2")
def test_the_classes_of_steps(field: Field) -> None:
    roads = {"road": ["0505 0506", "0505 0605", "0505 0404"]}
    s = field(WIDE, {**STACK, "hood": "0707 8"}, roads=roads, sides={"minor_river": "0404/0504"})
    f = fleeing(s)
    here = s.board.parse(FROM)
    for label, expected in (("0506", 1), ("0405", 2), ("0605", 1), ("0404", 3), ("0604", 6)):
        assert retreat._class(s, f, here, s.board.parse(label)) == expected, label
    s = field(WIDE, {**STACK, "hood": "0606 8"}, roads={"road": "0505 0506"})
    assert retreat._class(s, f, here, s.board.parse("0506")) == 4
    assert retreat._class(s, f, here, s.board.parse("0605")) == 5
    assert retreat._class(s, f, here, s.board.parse("0405")) == 2
    assert retreat._class(s, f, here, s.board.parse("0404")) == 6, "in the zone of the attacker"
    s = field(WIDE, {**STACK, "hood": "0606 8", "hooker": "0506 8"}, roads={"road": "0505 0506"})
    assert retreat._class(s, f, here, s.board.parse("0506")) == 1, "a friend is there"


@pytest.mark.clause("std-7.6-2")
def test_a_worse_class_costs_a_point(field: Field) -> None:
    roads = {"road": ["0505 0506 0507 0508"]}
    for way, price in ((("0506", "0507"), 0), (("0506", "0606", "0607"), 1), (("0605", "0606"), 1),
                       (("0605", "0705"), 2)):  # fmt: skip
        s = field(WIDE, STACK, roads=roads)
        assert cost(s, fleeing(s), *way) == price, way
    s = field(WIDE, STACK, roads={"road": ["0505 0506", "0506 0507", "0505 0605"]})
    assert cost(s, fleeing(s), "0605", "0606") == 0, "both first steps are of class 1"


@pytest.mark.clause("std-7.6-2", "std-7.6-3")
def test_zones_of_control_cost_a_point_in_a_retreat_two_in_a_rout(field: Field) -> None:
    """A lane of six hexes; the enemy beside it controls two of them."""
    lane = [f"05{row:02}" for row in range(4, 13)]
    rows = only(*lane, "0607", size=13)
    for why, way, friend, price in (
        ("retreat", 4, {}, 2),
        ("rout", 6, {}, 4),
        ("retreat", 4, {"hooker": "0507 8"}, 1),
        ("retreat", 2, {}, 1),
    ):
        s = field(rows, {**STACK, "hood": "0607 8", **friend})
        assert cost(s, fleeing(s, why=why), *lane[2 : 2 + way]) == price, (why, way, friend)
        assert s.lost["union"] == price, "it scores"


@pytest.mark.clause("std-7.6-3")
def test_the_owner_says_who_pays(field: Field) -> None:
    lane = ["0504", "0505", "0506", "0507"]
    s = field(only(*lane, "0607", "0608"), {**STACK, "hooker": "0505 3", "hood": "0607 8"})
    way = path(s, "0506", "0507")
    found = run(retreat.retreat(s, fleeing(s), "std-7.5-7"), answers=[Losses(("hooker",))])
    assert asked(found, "losses")
    assert not asked(found, "retreat"), "there is one way only"
    assert (s.manpower["king"], s.manpower["hooker"]) == (8, 2)
    assert s.at["king"] == way.path[-1]
    (loss,) = told(found, "loss")
    assert (loss["unit"], loss["points"], loss["counted"]) == ("hooker", 1, True)


@pytest.mark.clause("std-7.6-8")
def test_a_blind_alley_isn_t_entered_while_there_is_room_elsewhere(field: Field) -> None:
    """Example: a step of class 1 into a pocket and one of class 2 with room behind: the second."""
    s = field(only("0504", "0505", "0506", "0605", "0705"), STACK, roads={"road": "0505 0506"},
              sides={"minor_river": "0506/0605"})  # fmt: skip
    f = fleeing(s)
    assert clause(s, f, "0506") == "std-7.6-8"
    assert clause(s, f, "0506", "0605") == "std-7.6-8"
    assert named(s, default_way(s, f, 2)) == ["0605", "0705"]
    assert cost(s, f, "0605", "0705") == 0, "the pocket is no better step"


@pytest.mark.clause("std-7.6-8", "std-7.6-4")
def test_in_a_pocket_the_stack_stops_without_further_loss(field: Field) -> None:
    s = field(only("0504", "0505", "0506"), STACK)
    f = fleeing(s)
    assert clause(s, f, "0506") == ""
    assert cost(s, f, "0506") == 0
    assert s.at["king"] == s.board.parse("0506")
    s = field(only("0504", "0505", "0506", "0605"), STACK, roads={"road": "0505 0506"},
              sides={"minor_river": "0506/0605"})  # fmt: skip
    f = fleeing(s)
    assert named(s, default_way(s, f, 2)) == ["0506"], "both are pockets: class 1"
    assert clause(s, f, "0506") == ""
    assert cost(s, f, "0605") == 1, "the other costs a point"


@pytest.mark.clause("std-7.6-8")
def test_of_alleys_that_are_all_too_short_the_longest_is_open(field: Field) -> None:
    """A rout of four: two hexes along a road, three off it."""
    hexes = ("0504", "0505", "0506", "0507", "0405", "0306", "0206")
    s = field(only(*hexes), STACK, roads={"road": "0505 0506 0507"}, sides={"minor_river": "0405/0506"})
    f = fleeing(s, why="rout")
    assert named(s, default_way(s, f, 4)) == ["0405", "0306", "0206"]
    assert clause(s, f, "0506", "0507") == "std-7.6-8"
    assert clause(s, f, "0405", "0306") == "std-7.5-7", "it goes on"
    assert cost(s, f, "0405", "0306", "0206") == 0


@pytest.mark.clause("std-7.6-2", "std-7.6-8")
def test_the_owner_is_asked_while_he_could_pay_for_another_way(field: Field) -> None:
    s = field(only("0504", "0505", "0506", "0605"), STACK, roads={"road": "0505 0506"},
              sides={"minor_river": "0506/0605"})  # fmt: skip
    found = run(retreat.retreat(s, fleeing(s), "std-7.5-7"), answers=[path(s, "0605")])
    assert s.at["king"] == s.board.parse("0605")
    assert s.manpower["king"] == 7
    assert asked(found, "retreat")


@pytest.mark.clause("std-7.6-8")
def test_a_way_is_no_shorter_than_chosen_where_it_goes_on(field: Field) -> None:
    s = field(WIDE, STACK)
    assert clause(s, fleeing(s), "0506") == "std-7.5-7"


@pytest.mark.clause("std-7.6-2")
def test_ties_go_to_the_farther_hex_then_to_the_lower_number(field: Field) -> None:
    s = field(WIDE, STACK)
    assert named(s, default_way(s, fleeing(s), 2)) == ["0405", "0306"]
    assert named(s, default_way(s, fleeing(s, "0504", "0604"), 2))[0] == "0405"
    s = field(WIDE, {**STACK, "hood": "0606 8"})
    assert named(s, default_way(s, fleeing(s, "0504", "0606"), 1))[0] == "0405"


# --- surrender --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.6-4", "std-7.5-8", "13.5-vp10")
def test_without_a_first_step_the_stack_surrenders(field: Field) -> None:
    s = field(only("0504", "0505"), {**STACK, "ricketts": "0505 3", "mcdowell": "0505"})
    found = run(retreat.retreat(s, fleeing(s), "std-7.5-7"))
    (surrender,) = told(found, "surrender")
    assert surrender["units"] == ["king", "ricketts"]
    assert s.lost["union"] == 11
    assert s.holder(s.board.parse(FROM)) is None
    assert {"king", "ricketts", "mcdowell"} <= s.removed.keys()
    assert told(found, "leader-off")


@pytest.mark.clause("std-7.6-4", "std-6.3-2")
def test_leaders_of_who_surrenders_go_to_another_unit(field: Field) -> None:
    s = field(only("0504", "0505", "0909"), {**STACK, "ricketts": "0909 3", "mcdowell": "0505"})
    run(retreat.retreat(s, fleeing(s), "std-7.5-7"))
    assert s.board.label[s.at["mcdowell"]] == "0909"


@pytest.mark.clause("std-7.6-3", "std-7.6-1", "std-6.3-2")
def test_with_the_last_man_the_way_ends_and_leaders_go_from_there(field: Field) -> None:
    """The zone of the second hex takes the last point: the way is told as far, and the leader goes no farther."""
    lane = ["0504", "0505", "0506", "0507", "0508", "0509"]
    units = {"king": "0505 1", "ewell-b": "0504 8", "mcdowell": "0505", "hood": "0607 8"}
    s = field(only(*lane, "0607", "0101", "0901"), {**units, "ricketts": "0101 3"})
    found = run(retreat.retreat(s, fleeing(s), "std-7.5-7"), answers=[path(s, "0506", "0507", "0508", "0509")])
    assert [t["path"] for t in told(found, "retreat")] == [["0506", "0507"]]
    assert "king" in s.removed
    (moved,) = told(found, "relocated")
    assert (moved["unit"], moved["from"], moved["to"]) == ("mcdowell", "0507", "0101")


@pytest.mark.clause("std-7.6-3")
def test_the_end_of_the_way_is_told_as_it_is_gone(field: Field) -> None:
    s = field(WIDE, {**STACK, "hood": "0606 8"})
    found = run(retreat.retreat(s, fleeing(s), "std-7.5-7"), answers=[path(s, "0405", "0406", "0306")])
    assert [t["path"] for t in told(found, "retreat")] == [["0405", "0406", "0306"]]
    assert s.board.label[s.at["king"]] == "0306"


# --- what entering brings ---------------------------------------------------------------------------------------------


@pytest.mark.clause("13.2-sp5b", "13.2-sp5d")
def test_infantry_that_goes_back_into_an_objective_takes_it(field: Field) -> None:
    units = {"hood": "0505 8", "king": "0504 8"}
    s = field(WIDE, units, scenario={"objectives": ["0506"]})
    found = run(retreat.retreat(s, fleeing(s, side="confederate"), "std-7.5-7"), answers=[path(s, "0506", "0507")])
    assert s.controlled == {"0506"}
    assert told(found, "control") == [{"at": "0506", "side": "confederate"}]
    s = field(WIDE, STACK, scenario={"objectives": ["0506"]})
    s.controlled.add("0506")
    run(retreat.retreat(s, fleeing(s), "std-7.5-7"), answers=[path(s, "0506", "0507")])
    assert not s.controlled


@pytest.mark.clause("std-10.0-4")
@pytest.mark.parametrize(("manpower", "stays"), [(4, True), (5, False)])
def test_a_strong_unit_that_goes_back_to_an_end_removes_the_enemys_bridge(
    field: Field, manpower: int, stays: bool
) -> None:
    s = field(WIDE, {"king": f"0505 {manpower}", "ewell-b": "0504 8"}, sides={"minor_river": "0506/0606"})
    s.build("0506/0606", "confederate")
    run(retreat.retreat(s, fleeing(s), "std-7.5-7"), answers=[path(s, "0506", "0507")])
    assert bool(s.bridges) == stays


@pytest.mark.clause("std-6.3-4")
def test_mcdowell_is_his_own_corps_once_his_own_men_have_been_with_him(field: Field) -> None:
    """He goes back with Reynolds to King's hex; when King goes, he can't stay."""
    units = {"reynolds": "0505 8", "mcdowell": "0505", "ewell-b": "0504 8", "king": "0507 8"}
    s = field(WIDE, units, scenario={"foreign": {"mcdowell": "reynolds"}})
    assert leaders.follows(s, "mcdowell", "reynolds")
    run(retreat.retreat(s, fleeing(s), "std-7.5-7"), answers=[path(s, "0506", "0507")])
    assert not leaders.follows(s, "mcdowell", "reynolds")
    assert leaders.why_left_alone(s, "king", ()) is not None
    s = field(WIDE, units, scenario={"foreign": {"mcdowell": "reynolds"}})
    run(retreat.retreat(s, fleeing(s), "std-7.5-7"), answers=[path(s, "0405", "0406")])
    assert leaders.follows(s, "mcdowell", "reynolds"), "he met nobody"


@pytest.mark.clause("std-6.3-4", "std-6.3-2")
@pytest.mark.parametrize(("way", "joined"), [(("0506", "0507"), True), (("0506", "0507", "0508"), False)])
def test_his_own_men_who_only_go_back_past_mcdowell_do_not_take_him_along(
    field: Field, way: tuple[str, ...], joined: bool
) -> None:
    """He stays with Reynolds, in whose hex King's retreat ends, or not."""
    units = {"king": "0505 8", "ewell-b": "0504 8", "reynolds": "0507 8", "mcdowell": "0507"}
    s = field(WIDE, units, scenario={"foreign": {"mcdowell": "reynolds"}})
    found = run(retreat.retreat(s, fleeing(s), "std-7.5-7"), answers=[path(s, *way)])
    assert s.board.label[s.at["king"]] == way[-1]
    assert s.at["mcdowell"] == s.at["reynolds"]
    assert not told(found, "relocated")
    assert leaders.follows(s, "mcdowell", "reynolds") != joined


# --- advance (std-7.6-6) ----------------------------------------------------------------------------------------------

EMPTY = "0505"


def won(s: State, *units: str, at: str = EMPTY) -> Fight:
    """The combat behind which these units may advance."""
    return Fight(s.board.units[units[0]].side, s.board.parse(at), units, "normal")


def wanted(s: State, f: Fight, *units: str) -> str:
    """The clause by which the advance of these is refused, "" when it is legal."""
    request: Any = next(advance(s, f))
    found = request.why_not(Advance(units))
    return found.clause if found is not None else ""


@pytest.mark.clause("std-7.6-6")
def test_any_who_attacked_may_enter_the_emptied_hex(field: Field) -> None:
    units = {"ewell-b": "0504 8 works 2", "ap-hill": "0504 8", "hood": "0605 8", "kemper": "0605 8", "king": "0707 8"}
    s = field(WIDE, units)
    f = won(s, "ewell-b", "hood")
    assert wanted(s, f, "ewell-b") == wanted(s, f, "hood") == wanted(s, f, "ewell-b", "hood") == wanted(s, f) == ""
    assert wanted(s, f, "ap-hill") == "std-7.6-6", "he didn't attack"
    assert wanted(s, f, "ewell-b", "ewell-b") == "std-7.6-6"
    found = run(advance(s, f), answers=[Advance(("ewell-b", "hood"))])
    assert s.board.label[s.at["ewell-b"]] == s.board.label[s.at["hood"]] == EMPTY
    assert s.board.label[s.at["kemper"]] == "0605"
    assert [t["from"] for t in told(found, "advance")] == ["0504", "0605"]
    assert not s.works
    assert not s.fatigue, "it costs nothing"


@pytest.mark.clause("std-7.6-6")
def test_bans_and_rivers_hold_for_advances(field: Field) -> None:
    bans = [{"units": ["gregg"], "rows-to": "5", "clause": "13.1-sp4"}]
    s = field(WIDE, {"gregg": "0506 4", "lawton": "0506 4", "king": "0909 1"}, scenario={"bans": bans})
    f = won(s, "gregg", "lawton")
    assert wanted(s, f, "gregg") == "13.1-sp4"
    assert wanted(s, f, "lawton") == ""
    assert not asked(run(advance(s, won(s, "gregg")))), "nobody can"
    s = field(WIDE, {"lawton": "0504 4", "king": "0909 1"}, sides={"minor_river": "0504/0505"})
    assert not asked(run(advance(s, won(s, "lawton"))))
    s.build("0504/0505", "union")
    assert not asked(run(advance(s, won(s, "lawton"))))
    s.build("0504/0505", "confederate")
    assert wanted(s, won(s, "lawton"), "lawton") == ""


@pytest.mark.clause("std-7.6-6", "13.3-sp2a", "13.3-sp5")
def test_f_lee_advances_where_stuart_may_come_too(field: Field) -> None:
    bans = [{"units": ["stuart"], "rows-to": "5", "clause": "13.3-sp5"}]
    for more, expected in (({"together": ["stuart", "f-lee"]}, "13.3-sp5"), ({}, "")):
        units = {"stuart": "0506", "f-lee": "0506 3", "robertson": "0506 3", "king": "0909 1"}
        s = field(WIDE, units, scenario={"bans": bans, **more})
        f = won(s, "f-lee", "robertson")
        assert wanted(s, f, "f-lee") == expected
        assert wanted(s, f, "robertson") == ""


@pytest.mark.clause("std-7.6-6", "13.1-sp4")
def test_gregg_advances_into_no_hex_of_row_24(campaign: Callable[..., State]) -> None:
    s = campaign("cedar-mountain", {"gregg": "S0725 4", "lawton": "S0631 4", "winder": "S0725 8"})
    f = won(s, "gregg", "winder", at="S0724")
    assert wanted(s, f, "gregg") == "13.1-sp4"
    assert wanted(s, f, "winder") == ""
    assert wanted(s, won(s, "gregg", at="S0726"), "gregg") == ""


@pytest.mark.clause("std-7.6-6", "std-6.3-1")
def test_leaders_go_along_where_their_owner_says_or_nobody_stays(field: Field) -> None:
    units = {"ewell-b": "0504 8", "ap-hill": "0504 8", "jackson": "0504", "lee": "0504", "king": "0909 1"}
    for answer, moved in (
        (("ewell-b",), {"ewell-b"}),
        (("ewell-b", "jackson"), {"ewell-b", "jackson"}),
        (("ewell-b", "lee", "jackson"), {"ewell-b", "jackson", "lee"}),
        (("ewell-b", "ap-hill"), {"ewell-b", "ap-hill", "jackson", "lee"}),
        ((), set()),
    ):
        s = field(WIDE, units)
        run(advance(s, won(s, "ewell-b", "ap-hill")), answers=[Advance(answer)])
        assert {unit for unit in units if s.board.label[s.at[unit]] == EMPTY} == moved, answer
    s = field(WIDE, {**units, "longstreet": "0605", "hood": "0605 8"})
    f = won(s, "ewell-b", "ap-hill")
    assert wanted(s, f, "jackson") == "std-7.6-6", "no unit with him"
    assert wanted(s, f, "ewell-b", "longstreet") == "std-7.6-6", "he stands elsewhere"
    assert wanted(s, f, "ewell-b", "king") == "std-7.6-6"


@pytest.mark.clause("std-7.6-6")
def test_advances_are_written_with_their_leaders(field: Field) -> None:
    s = field(WIDE, {"ewell-b": "0504 8", "jackson": "0504", "king": "0909 1"})
    for order in (Advance(("ewell-b", "jackson")), Advance(())):
        assert gcacw.read_order(s.board, "confederate", gcacw.order_words(s.board, order)) == order


@pytest.mark.clause("std-7.6-6")
def test_the_default_is_to_enter_unless_the_enemy_beside_is_stronger(field: Field) -> None:
    for beside, more, all_go in (("8", {}, True), ("9", {}, False), ("9", {"minor_river": "0505/0506"}, True)):
        s = field(WIDE, {"ewell-b": "0504 8", "king": f"0506 {beside}"}, sides=more)
        (question,) = asked(run(advance(s, won(s, "ewell-b"))))
        assert question.default is not None
        assert question.default() == Advance(("ewell-b",) if all_go else ())


@pytest.mark.clause("std-7.6-6", "13.2-sp5b", "std-10.0-4")
def test_an_advance_enters_as_a_march_does(field: Field) -> None:
    s = field(WIDE, {"ewell-b": "0504 8", "king": "0909 1"}, scenario={"objectives": ["0505"]},
              sides={"minor_river": "0505/0506"})  # fmt: skip
    s.build("0505/0506", "union")
    run(advance(s, won(s, "ewell-b")), answers=[Advance(("ewell-b",))])
    assert s.controlled == {"0505"}
    assert not s.bridges


@pytest.mark.clause("std-6.3-2")
def test_a_leader_left_alone_goes_to_the_nearest_and_his_owner_chooses_among_equals(field: Field) -> None:
    rows = only("0504", "0505", "0503", "0305", "0705", "0909")
    units = {**STACK, "mcdowell": "0505", "ricketts": "0305 3"}
    s = field(rows, units)
    assert not asked(run(retreat.retreat(s, fleeing(s), "std-7.5-7")))
    assert s.board.label[s.at["mcdowell"]] == "0305"
    s = field(rows, {"jackson": "0505", "winder": "0505 2", "king": "0504 8", "gregg": "0305 3", "lawton": "0705 3"})
    f = fleeing(s, side="confederate")
    (question,) = asked(run(retreat.retreat(s, f, "std-7.5-7"), answers=[Join("jackson", "lawton")]))
    assert question.default is not None
    assert question.default() == Join("jackson", "gregg")
    assert s.board.label[s.at["jackson"]] == "0705"
