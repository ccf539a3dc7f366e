"""Movement: limits, headings, one turn, what stops a move, contact and leaving it, daimyos' ways, ground."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.samurai.conftest import to, where

from pbem.errors import MalformedOrder

Table = Callable[..., Battle]
FAR = {"sp-11": "60 40 south"}


@pytest.mark.clause("movement.1", "movement.4")
@pytest.mark.parametrize(("unit", "limit"), [("sp-1", 7), ("gn-1", 6), ("ro-1", 7), ("sw-1", 6), ("bw-1", 6)])
def test_each_type_has_its_limit(table: Table, unit: str, limit: int) -> None:
    b = table({unit: "36 10 north", **FAR})
    assert b.refused(f"move {unit} {limit}.01") == "movement.1"
    assert b.refused(f"back {unit} {limit / 2 + 0.01:.2f}") == "movement.1"
    assert b.why_not(f"back {unit} {limit / 2:.2f}") is None
    b.do(f"move {unit} {limit}")
    assert where(b, unit) == (3600, 1000 + 100 * limit, "north")


@pytest.mark.clause("movement.1")
def test_any_units_move_once(table: Table) -> None:
    b = table({"sp-1": "36 10 north", "sp-2": "20 10 north", **FAR})
    b.do("move sp-1 3")
    assert b.refused("move sp-1 3") == "movement.1"
    assert b.refused("back sp-1 1") == "movement.1"
    assert b.why_not("move sp-2 7") is None


@pytest.mark.clause("movement.2")
def test_there_are_eight_facings(table: Table) -> None:
    b = table({"dm-1": "36 10 north", "sp-1": "20 10 north", **FAR})
    for facing in ("north", "north-east", "e", "south-east", "south", "sw", "west", "northwest"):
        assert b.why_not(f"move dm-1 to 36 12 {facing}") is None
    for facing in ("30", "north-north-east"):
        with pytest.raises(MalformedOrder):
            b.order(f"move dm-1 to 36 12 {facing}")
    facings = []
    for _ in range(8):
        b.do("turn sp-1 right")
        facings.append(where(b, "sp-1")[2])
        b.do("done")
        b.do("done")
    assert len(set(facings)) == 8


@pytest.mark.clause("movement.3")
def test_one_turn_of_45_degrees_first_or_last(table: Table) -> None:
    units = {"ro-1": "36 10 north", "sp-1": "20 10 north", **FAR}
    b = table(units)
    b.do("move ro-1 left 4")
    assert where(b, "ro-1") == (3600 - 282, 1000 + 282, "north-west")  # 282 steps of (-1, 1): 2 * 282^2 <= 400^2
    b = table(units)
    b.do("move ro-1 4 left")
    assert where(b, "ro-1") == (3600, 1400, "north-west")
    b = table(units)
    assert b.refused("move ro-1 left 4 left") == "movement.3"
    assert b.refused("move ro-1 right 4 left") == "movement.3"
    with pytest.raises(MalformedOrder):
        b.order("turn ro-1 left left")


@pytest.mark.clause("movement.3")
def test_turn_and_move_may_be_two_orders(table: Table) -> None:
    units = {"ro-1": "36 10 north", "sp-1": "20 10 north", **FAR}
    b = table(units)
    b.do("turn ro-1 left")
    assert b.refused("turn ro-1 left") == "movement.3"
    assert b.refused("move ro-1 4 left") == "movement.3"
    b.do("move ro-1 4")
    assert where(b, "ro-1") == (3600 - 282, 1000 + 282, "north-west")
    assert b.refused("turn ro-1 left") == "movement.1"
    b = table(units)
    b.do("move ro-1 4")
    assert b.refused("move ro-1 1") == "movement.1"
    b.do("turn ro-1 left")
    assert where(b, "ro-1") == (3600, 1400, "north-west")
    assert b.refused("turn ro-1 left") == "movement.1"
    b = table(units)
    b.do("halt ro-1")
    assert b.refused("move ro-1 1") == "movement.1"


@pytest.mark.clause("movement.1", "turn_sequence.4")
def test_a_charge_ends_in_contact(table: Table) -> None:
    """The worked example: 7 inches to the north-east are cut after 309 steps; 4.38 inches are no more."""
    for length in ("7", "4.38"):
        b = table({"ro-1": "33 19 north-east", "ro-11": "36 24 south", "sp-1": "10 10 north"})
        b.do(f"move ro-1 {length}")
        assert where(b, "ro-1") == (3609, 2209, "north-east")
        assert b.state.enemies("ro-1") == ["ro-11"]
        assert b.facts("move").get("cut", False) is (length == "7")


@pytest.mark.clause("movement.1")
@pytest.mark.parametrize(
    ("obstacle", "ground"),
    [
        ("sp-2 36 16 north", ()),
        ("dm-2 36 16 north", ()),
        ("", ("building", "36 16")),
        ("", ("water", "36 16")),
        ("", ()),
    ],
)
def test_a_move_that_can_be_seen_to_be_cut_is_refused(table: Table, obstacle: str, ground: tuple[str, str]) -> None:
    units = {"ro-1": "36 12 north", "sp-1": "10 10 north", **FAR}
    terrain = [{"id": "piece", "kind": ground[0], "at": ground[1], "size": "1 1"}] if ground else []
    if obstacle:
        name, _, place = obstacle.partition(" ")
        units[name] = place
    if not obstacle and not ground:  # the edge of the table
        units["ro-1"] = "36 44.5 north"
    b = table(units, terrain=terrain)
    assert b.refused("move ro-1 3.01") == "movement.1"
    b.do("move ro-1 3")
    assert where(b, "ro-1")[1] == int(float(units["ro-1"].split()[1]) * 100) + 300


@pytest.mark.clause("movement.1")
def test_an_enemy_met_at_the_same_step_makes_a_charge_of_it(table: Table) -> None:
    units = {"ro-1": "36 12 north", "sp-1": "10 10 north"}
    b = table({**units, "ro-2": "34 16 north", "ro-11": "37.5 16 south"})
    assert b.why_not("move ro-1 7") is None
    b = table({**units, "ro-2": "34 15.99 north", "ro-11": "37.5 16 south"})
    assert b.refused("move ro-1 7") == "movement.1"


@pytest.mark.clause("movement.1")
def test_passing_beside_a_base_doesnt_stop(table: Table) -> None:
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "39 14 south", "ro-12": "60 40 south"})
    b.do("move ro-1 7")
    assert where(b, "ro-1") == (3600, 1900, "north")


@pytest.mark.clause("movement.1")
def test_difficult_ground_counts_twice(table: Table) -> None:
    wood = [{"id": "wood", "kind": "wood", "at": "36 20", "size": "8 10"}]  # from y 15 on
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", **FAR}, terrain=wood)
    b.do("move ro-1 7")
    assert where(b, "ro-1")[1] == 1200 + 250 + 225  # 2.5 inches up to it, then 4.5 at half


@pytest.mark.clause("movement.5a")
def test_a_unit_in_contact_may_move_away(table: Table) -> None:
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "36 13 south", "ro-12": "60 40 south"})
    assert b.why_not("back ro-1 3.5") is None
    b.do("back ro-1 3.5")
    assert b.state.enemies("ro-1") == []
    assert where(b, "ro-1") == (3600, 850, "north")


@pytest.mark.clause("movement.5b")
def test_a_unit_in_contact_may_not_touch_another_enemy(table: Table) -> None:
    units = {"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "32.5 12 south"}  # touches the flank
    units["ro-11"] = "33 12 south"
    b = table({**units, "ro-12": "36 16 south"})
    assert b.state.enemies("ro-1") == ["ro-11"]
    assert b.refused("move ro-1 7") == "movement.5b"
    assert b.why_not("move ro-1 2.97") is None  # 3 hundredths before the other
    assert b.refused("move ro-1 2.98") == "movement.5b"
    assert b.why_not("turn ro-1 right") is None
    b = table({**units, "ro-11": "31 12 south", "ro-12": "36 16 south"})  # not touching at the start
    b.do("move ro-1 7")
    assert b.state.enemies("ro-1") == ["ro-12"]


@pytest.mark.parametrize("name", ["A Pond", "A Place Other Than This", "an enemy other than it touched before"])
def test_the_clause_of_a_move_cut_short_is_no_matter_of_names(table: Table, name: str) -> None:
    pond = {"id": "pond", "kind": "water", "name": name, "at": "36 18", "size": "2 2"}
    b = table({"ro-1": "36 12 north", "ro-11": "33 12 south"}, terrain=[pond])
    assert b.refused("move ro-1 7") == "movement.1"
    assert b.why_not("move ro-1 4.5") is None


@pytest.mark.clause("movement.5b")
def test_the_same_enemy_may_be_touched_again(table: Table) -> None:
    b = table({"ro-1": "33 12 north", "sp-1": "10 10 north", "sw-11": "35 13.4 west", "ro-12": "60 40 south"})
    assert b.state.enemies("ro-1") == ["sw-11"]  # on its right
    b.do("move ro-1 1")
    assert b.state.enemies("ro-1") == ["sw-11"]


@pytest.mark.clause("movement.5b")
def test_a_mere_turn_obeys_too(table: Table) -> None:
    """Its front right corner swings out to 36.71 13.41: a hundredth before another enemy, or four of them."""
    units = {"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "38 12 west"}
    for y, clause in (("13.92", "movement.5b"), ("13.95", None)):
        b = table({**units, "ro-12": f"36.71 {y} south"})
        assert b.state.enemies("ro-1") == ["ro-11"]
        refusal = b.why_not("turn ro-1 left")
        assert (refusal.clause if refusal else None) == clause


@pytest.mark.clause("movement.5b")
def test_of_a_turn_before_a_move_only_the_end_counts(table: Table) -> None:
    """Its corner would touch another enemy as it turns; back from there it touches only the first."""
    units = {"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "38 12 west", "ro-12": "36.71 13.92 south"}
    b = table(units)
    assert b.refused("turn ro-1 left") == "movement.5b"
    assert b.why_not("back ro-1 left 2") is None
    b.do("back ro-1 left 2")
    assert b.state.enemies("ro-1") == ["ro-11"]


@pytest.mark.clause("movement.6", "daimyos.6")
def test_daimyos_go_in_any_direction_into_any_facing(table: Table) -> None:
    b = table({"dm-1": "10 10 north", "sp-1": "60 10 north", **FAR})
    assert b.refused("move dm-1 to 17.2 19.61") == "movement.1"
    with pytest.raises(MalformedOrder):
        b.order("move sp-1 to 60 12")
    b.do("move dm-1 to 17.2 19.6 south-west")  # 7.2 and 9.6 inches: 12 exactly
    assert where(b, "dm-1") == (1720, 1960, "south-west")
    b = table({"dm-1": "10 10 north", "sp-1": "60 10 north", **FAR})
    assert b.refused("move dm-1 3") == "movement.6"


@pytest.mark.clause("movement.6")
def test_daimyos_pass_friends_and_not_enemies(table: Table) -> None:
    b = table({"dm-1": "36 10 north", "sp-1": "36 13 north", "sp-2": "10 10 north", **FAR})
    assert b.refused("move dm-1 to 36 13") == "movement.6"  # he would end over a friend
    b.do("move dm-1 to 36 16")
    assert where(b, "dm-1") == (3600, 1600, "north")
    b = table({"dm-1": "36 10 north", "sp-11": "36 13 south", "sp-2": "10 10 north"})
    b.do("move dm-1 to 36 16")
    assert where(b, "dm-1") == (3600, 1200, "north")
    assert b.state.enemies("dm-1") == ["sp-11"]


@pytest.mark.clause("movement.6", "movement.5b")
def test_a_lone_daimyo_in_contact_may_leave_and_touch_no_other(table: Table) -> None:
    b = table({"dm-1": "36 12 north", "sp-2": "10 10 north", "ro-11": "36 13 south", "ro-12": "30 12 south"})
    assert b.why_not("move dm-1 to 36 8") is None
    assert b.refused("move dm-1 to 32 12") == "movement.5b"
    assert b.refused("move dm-1 to 31.9 12") == "movement.5b"  # nor run into another
    b = table({"dm-1": "36 12 north", "sp-2": "10 10 north", "ro-11": "36 14 south", "ro-12": "30 12 south"})
    assert b.why_not("move dm-1 to 32 12") is None


@pytest.mark.clause("movement.6")
def test_a_daimyo_follows_a_unit_to_the_next_free_side(table: Table) -> None:
    units = {"dm-1": "30 10 north", "ro-1": "36 12 north", "sp-2": "10 10 north", **FAR}
    b = table(units)
    b.do("follow dm-1 ro-1")
    assert where(b, "dm-1") == (3600, 1100, "north")
    b = table({**units, "ro-2": "36 11 north"})
    b.do("follow dm-1 ro-1 behind")
    assert where(b, "dm-1") == (3400, 1200, "north")
    b = table({**units, "dm-1": "10 40 north"})
    assert b.refused("follow dm-1 ro-1") == "movement.6"  # too far


@pytest.mark.clause("daimyos.5", "movement.1")
def test_an_enemy_pushes_an_attached_daimyo_aside(table: Table) -> None:
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "36 16 south", "dm-11": "36 15 south"})
    assert not b.state.lone("dm-11")
    b.do("move ro-1 7")
    assert where(b, "ro-1") == (3600, 1500, "north")
    assert where(b, "dm-11") == (3600, 1700, "south")  # behind his unit
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "36 18 south", "dm-11": "36 15 south"})
    b.do("move ro-1 7")  # a lone one stops it
    assert where(b, "ro-1") == (3600, 1400, "north")


@pytest.mark.clause("daimyos.5")
def test_a_daimyo_who_can_be_put_nowhere_is_an_obstacle(table: Table) -> None:
    walls = {"ro-12": "36 17 south", "ro-13": "33 16 south", "ro-14": "39 16 south", "ro-15": "33 17 south",
             "ro-16": "39 17 south"}  # fmt: skip
    gap = {**walls, "ro-13": "off", "ro-14": "off"}
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "36 16 south", "dm-11": "36 15 south", **gap})
    friends = b.state.friends("dm-11")
    b.do("move ro-1 7")
    assert friends == ["ro-11"]
    assert where(b, "dm-11") == (3800, 1600, "south")  # to the left of his unit, which faces south
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "36 16 south", "dm-11": "36 15 south", **walls})
    b.do("move ro-1 7")
    assert where(b, "dm-11") == (3600, 1500, "south")
    assert where(b, "ro-1") == (3600, 1400, "north")


@pytest.mark.clause("movement.3")
def test_a_last_turn_is_left_out_where_an_enemy_ends_the_move(table: Table) -> None:
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "36 16 south"})
    b.do("move ro-1 7 left")
    assert where(b, "ro-1") == (3600, 1500, "north")
    assert b.facts("move")["left_out"] is True
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-2": "36 16 north", **FAR})
    assert b.refused("move ro-1 3 left") == "movement.3"  # it would swing into a friend
    to(b, "move")
    assert b.why_not("move ro-1 2 left") is None


@pytest.mark.clause("movement.3", "movement.5a")
def test_a_unit_turns_away_from_its_flank_and_not_from_its_front(table: Table) -> None:
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "36 13 south"})
    assert b.refused("turn ro-1 left") == "movement.3"
    b = table({"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "38 12 west"})
    assert b.why_not("turn ro-1 left") is None


TOUCHED = {"ro-1": "36 12 north", "sp-1": "10 10 north", "ro-11": "33 12 south"}
LONE = {"dm-1": "36 12 north", "sp-2": "10 10 north", "ro-11": "36 13 south", "ro-12": "30 12 south"}
FLED = {"ro-2": "36 30 north routed", "bw-1": "60 10 north", "ro-11": "36 34 south", "bw-11": "60 18 south"}


@pytest.mark.parametrize(("units", "order", "why"), [
    ({**TOUCHED, "ro-12": "36 16 south"}, "move ro-1 7",
     "ro-1 Unit ro-1 come 2.97 inches far: they meet ro-12 Unit ro-12, an enemy not touched before"),
    ({"ro-1": "36 12 north", "ro-11": "38 12 west", "ro-12": "36.71 13.92 south"}, "turn ro-1 left",
     "ro-1 Unit ro-1 can't turn left: they would touch ro-12 Unit ro-12, an enemy not touched before"),
    ({"ro-1": "48 30 north"}, "turn ro-1 right", "ro-1 Unit ro-1 can't turn right: they would lie over Old Mill"),
    ({"ro-1": "36 47 north"}, "turn ro-1 right",
     "ro-1 Unit ro-1 can't turn right: they would lie over the edge of the table"),
    ({"ro-1": "50 28 north"}, "move ro-1 1", "ro-1 Unit ro-1 can't go ahead: at once they meet Old Mill"),
    (LONE, "move dm-1 to 32 12",
     "dm-1 Unit dm-1 comes to 32.03 12 at most: he would touch ro-12 Unit ro-12, an enemy not touched before"),
    (LONE, "move dm-1 to 31.9 12",
     "dm-1 Unit dm-1 comes to 32.03 12 at most: he would touch ro-12 Unit ro-12, an enemy not touched before"),
    ({"dm-1": "50 26 north"}, "move dm-1 to 50 34",
     "dm-1 Unit dm-1 comes to 50 28 at most: he would stand over Old Mill"),
    ({"dm-1": "50 26 north"}, "move dm-1 to 50 28.2",
     "dm-1 Unit dm-1 comes to 50 28 at most: he would stand over Old Mill"),
    ({**FLED, "dm-1": "36 40 south"}, "follow dm-1 ro-2",
     "dm-1 Unit dm-1 can come to no place beside ro-2 Unit ro-2, who have fled to 36 23: "
     "all are farther than his 12 inches"),
    ({**FLED, "dm-1": "36 20 south", "sp-1": "36 24 north", "sp-2": "32.5 23 north", "sp-3": "39.5 23 north"},
     "follow dm-1 ro-2",
     "dm-1 Unit dm-1 can come to no place beside ro-2 Unit ro-2, who have fled to 36 23: "
     "what is near enough is taken or barred"),
    ({**FLED, "ro-2": "36 6 north routed", "ro-11": "36 9 south", "dm-1": "36 12 south"}, "follow dm-1 ro-2",
     "ro-2 Unit ro-2 have fled off the table"),
])  # fmt: skip
def test_what_is_in_the_way_is_named(table: Table, units: dict[str, str], order: str, why: str) -> None:
    mill = [{"id": "mill", "kind": "building", "name": "Old Mill", "at": "50 30", "size": "3 3"}]
    b = table({"sp-9": "5 5 north", "sp-19": "5 40 south", **units}, terrain=mill)
    if b.request.kind == "fire":
        b.do("close fire")
    refusal = b.why_not(order)
    assert refusal is not None
    assert refusal.reason == why
