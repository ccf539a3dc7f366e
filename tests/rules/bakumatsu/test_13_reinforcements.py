"""Chapter 13, reinforcements: the appearance check, the draw, and how units come on at the entry hex."""

from __future__ import annotations

import pytest

from pbem.errors import IllegalAnswer, MalformedOrder
from pbem.rules import bakumatsu
from pbem.rules.bakumatsu.orders import Enter
from pbem.rules.requests import Choose, Draw, Roll
from pbem.scenario import load_scenario

LANE = ". . . . . . . . . . ."
"""Eleven flat hexes in a row; the entry hex is the first of them."""

PLAIN = """
    . . . . .
     . . . . .
    . . . . .
"""
CUP = {f"sg-{n}": "cup 4-3-3-4" for n in range(1, 7)}
"""Six units in the cup."""

AWAY = {"sg-7": "0205 4-3-3-4", "sa-1": "0305 4-3-3-4"}
HAND = {"sg-1": "received 4-3-3-4", "sg-2": "received 4-3-3-4"}


def lane(first, count):
    """The numbers of `count` hexes of the first row, from a column on."""
    return " ".join(f"01{column:02}" for column in range(first, first + count))


@pytest.fixture
def arrival(field):
    """The builder of a battle whose first movement phase of a turn is about to begin, with 0101 as entry hex."""

    def build(units, turn=2, phase="shogunate-move", rows=PLAIN, **more):
        return field(rows, {**AWAY, **units}, phase=phase, turn=turn, opened=False, entry="0101", **more)

    return build


@pytest.fixture
def hand(field):
    """The builder of a battle in which received units may enter at 0101."""

    def build(units=HAND, rows=PLAIN, turn=2, **more):
        return field(rows, units, phase="shogunate-move", turn=turn, entry="0101", **more)

    return build


# --- 13-1 the appearance check


@pytest.mark.clause("13(0)", "13-1(2)a", "13-1(2)b", "13-2(2)a", "15-1-5(1)0", "15-1-5(1)2")
def test_reinforcements_are_checked_for_drawn_and_brought_on(arrival):
    battle = arrival(CUP)
    battle.do("", 1, "sg-3")
    assert battle.facts("reinforcements") == {"side": "shogunate", "die": 1, "units": ["sg-3"]}
    battle.do("enter sg-3")
    assert battle.at("sg-3") == "0101"


@pytest.mark.clause("13-1(1)", "15-1-5(1)0", "15-1-7(1)0", "2-1-3.1")
@pytest.mark.parametrize(("turn", "check"), [(1, False), *((turn, True) for turn in range(2, 9))])
def test_the_check_is_made_in_turns_with_an_r_only(arrival, turn, check):
    """R3: the R of the former Shogunate stands on the turns 2 to 8."""
    battle = arrival(CUP, turn=turn)
    if check:
        assert battle.request == Roll(f"reinforcement/{turn}", dice=1)
    else:
        assert isinstance(battle.request, Choose)
        assert battle.state.received["shogunate"] == ()


@pytest.mark.clause("13-1(1)", "2-1-3.1")
@pytest.mark.parametrize(("turn", "check"), [(2, False), (3, True), (4, False), (5, True)])
def test_the_track_of_the_scenario_decides(arrival, field_data, turn, check):
    battle = arrival(CUP, turn=1)
    data = field_data(PLAIN, {**AWAY, **CUP}, entry="0101")
    data["scenario"]["sides"][0]["reinforcement-turns"] = ["3", "5"]
    board = bakumatsu.board(data)
    state = bakumatsu.load(board, {**bakumatsu.dump(battle.state), "turn": turn, "opened": False})
    assert isinstance(type(battle)(board, state).request, Roll) is check


@pytest.mark.clause("13-1(1)", "15-1-5(2)", "15-1-7(2)")
@pytest.mark.parametrize("turn", range(1, 9))
def test_satsuma_choshu_never_checks(arrival, turn):
    battle = arrival(CUP, turn=turn, phase="satcho-move")
    assert isinstance(battle.request, Choose)
    assert battle.request.side == "satcho"
    assert battle.refused("enter sg-1") == "8(0)"
    assert battle.refused("enter sa-1") == "13-2(1)"


@pytest.mark.clause("13-1(2)a", "15-1-5(1)1")
def test_the_die_is_rolled_before_any_order_and_then_the_units_are_drawn(arrival):
    """R57: the die, then the draw; then order by order."""
    battle = arrival(CUP)
    assert battle.request == Roll("reinforcement/2", dice=1)
    assert battle.events() == ["phase"]
    battle.game.apply((2,))
    assert battle.request == Draw("cup/shogunate", tuple(CUP), 2)
    battle.game.apply(("sg-5", "sg-2"))
    assert isinstance(battle.request, Choose)
    assert battle.state.received["shogunate"] == ("sg-5", "sg-2")
    assert battle.state.cups["shogunate"] == ("sg-1", "sg-3", "sg-4", "sg-6")
    assert "received" in battle.words("sg-5")
    assert "received" not in battle.words("sg-1")


@pytest.mark.clause("13-1(2)a")
@pytest.mark.parametrize("phase", ["satcho-fire", "shogunate-melee", "satcho-move", "shogunate-fire", "satcho-melee"])
def test_no_other_phase_begins_with_a_check(arrival, phase):
    battle = arrival(CUP, phase=phase, idle=True)
    assert isinstance(battle.request, Choose)
    assert battle.phase == phase


@pytest.mark.clause("13-1(2)a", "15-1-7(1)0")
def test_there_is_one_check_a_turn(arrival):
    """R5: 15-1-7 says again what 15-1-5 says."""
    battle = arrival(CUP, idle=True)
    battle.do("", 1, "sg-3")
    for _ in range(6):
        battle.do("done")
        assert isinstance(battle.request, Choose) or battle.request == Roll("reinforcement/3", dice=1)
    assert battle.request == Roll("reinforcement/3", dice=1)
    assert len(battle.state.cups["shogunate"]) == 5


@pytest.mark.clause("13-1(2)b", "15-1-5(1)1", "15-1-7(1)1")
@pytest.mark.parametrize("waiting", [1, 2, 4, 6])
@pytest.mark.parametrize("die", [1, 4, 6])
def test_the_die_is_the_number_of_units_as_far_as_there_are_any(arrival, waiting, die):
    count = min(die, waiting)
    battle = arrival(dict(list(CUP.items())[:waiting]))
    battle.game.apply((die,))
    assert battle.request == Draw("cup/shogunate", tuple(CUP)[:waiting], count)
    battle.do("", *list(CUP)[:count])
    assert battle.state.received["shogunate"] == tuple(CUP)[:count]
    assert len(battle.state.cups["shogunate"]) == waiting - count


@pytest.mark.clause("13-1(2)b", "15-1-5(1)1")
@pytest.mark.parametrize("drawn", [("sg-1",), ("sg-1", "sg-1"), ("sg-1", "sg-7"), ("sg-1", "sg-2", "sg-3")])
def test_nothing_but_the_asked_number_of_units_of_the_cup_is_drawn(arrival, drawn):
    battle = arrival(CUP)
    battle.game.apply((2,))
    with pytest.raises(IllegalAnswer):
        battle.game.apply(drawn)
    battle.game.apply(("sg-1", "sg-2"))
    assert battle.state.received["shogunate"] == ("sg-1", "sg-2")


@pytest.mark.clause("13-1(3)")
@pytest.mark.parametrize("units", [{}, {"sg-1": "received 4-3-3-4"}, {"sg-1": "0101 4-3-3-4"}])
def test_with_an_empty_cup_nothing_more_comes(arrival, units):
    battle = arrival(units)
    assert isinstance(battle.request, Choose)
    assert battle.events() == ["phase"]


@pytest.mark.clause("13-1(3)", "15-1-5(1)1")
def test_a_unit_drawn_is_not_drawn_again(arrival):
    battle = arrival({"sg-1": "cup 4-3-3-4", "sg-2": "cup 4-3-3-4"}, idle=True)
    battle.do("", 1, "sg-2")
    for _ in range(6):
        battle.do("done")
    battle.game.apply((6,))
    assert battle.request == Draw("cup/shogunate", ("sg-1",), 1)
    battle.do("", "sg-1")
    assert battle.state.received["shogunate"] == ("sg-2", "sg-1")
    for _ in range(6):
        battle.do("done")
    assert bakumatsu.clock(battle.state) == (4, "shogunate-move")
    assert isinstance(battle.request, Choose)


@pytest.mark.clause("13-1(1)", "13-2(1)")
def test_the_check_is_made_whether_wanted_or_not_and_entering_is_voluntary(arrival):
    """R56, R60: units drawn and held back stay drawn."""
    blocked = arrival({**CUP, "sg-8": "0101 4-3-3-4"})
    assert isinstance(blocked.request, Roll)
    held = arrival(CUP, idle=True)
    held.do("", 2, "sg-1", "sg-2")
    held.do("done")
    assert held.phase == "satcho-fire"
    for _ in range(5):
        held.do("done")
    assert isinstance(held.request, Roll)
    held.do("", 1, "sg-6")
    assert held.state.received["shogunate"] == ("sg-1", "sg-2", "sg-6")


@pytest.mark.clause("13-1(4)", "3-1(0)a")
def test_a_unit_that_stays_in_the_entry_hex_puts_off_the_others(arrival):
    """R59, R60: they may enter in the next turn, on top of that turn's."""
    battle = arrival({**CUP, "sg-7": "0101 4-3-3-4"}, idle=True)
    battle.do("", 2, "sg-1", "sg-2")
    for order in ("enter sg-1", "enter sg-2 move 0102", "enter sg-2 march 0102"):
        assert battle.refused(order) == "13-1(4)"
    assert not any(order.startswith("enter") for order in battle.options())
    for _ in range(6):
        battle.do("done")
    battle.do("", 1, "sg-4")
    assert battle.state.received["shogunate"] == ("sg-1", "sg-2", "sg-4")
    assert battle.refused("enter sg-1") == "13-1(4)"
    battle.do("move sg-7 0102 0103")
    for unit, to in (("sg-1", "0102"), ("sg-2", "0201"), ("sg-4", "")):
        battle.do(f"enter {unit} move {to}" if to else f"enter {unit}")
    assert [battle.at(unit) for unit in ("sg-1", "sg-2", "sg-4", "sg-7")] == ["0102", "0201", "0101", "0103"]


@pytest.mark.clause("13-1(4)")
def test_enemy_zoc_does_not_block_the_entry_hex(hand):
    """R59: a unit in it does, enemy ZOC doesn't."""
    battle = hand({**HAND, "sa-1": "0102 4-3-3-4", "sa-2": "0201 4-3-3-4"}, idle=True)
    battle.do("enter sg-1")
    assert battle.at("sg-1") == "0101"


@pytest.mark.clause("13-1(4)", "6(5)a")
def test_units_that_cannot_enter_keep_no_phase_open(hand):
    units = {**HAND, "sg-7": "0101 4-3-3-4 done", "sa-1": "0305 4-3-3-4"}
    assert hand(units).phase == "satcho-move"
    assert hand({**units, "sg-7": "0103 4-3-3-4 done"}).phase == "shogunate-move"


# --- 13-2 movement of reinforcements


@pytest.mark.clause("13-2(1)", "6(1)", "6(2)")
def test_units_come_on_one_at_a_time_among_other_moves(hand):
    battle = hand({**HAND, "sg-7": "0104 4-3-3-4", "sa-1": "0305 4-3-3-4"}, idle=True)
    battle.do("enter sg-1")
    assert battle.refused("enter sg-2") == "13-1(4)"
    assert battle.refused("move sg-1 0102") == "6(3)"

    battle = hand({**HAND, "sg-7": "0104 4-3-3-4", "sa-1": "0305 4-3-3-4"}, idle=True)
    battle.do("enter sg-1 move 0102")
    battle.do("move sg-7 0103")
    battle.do("enter sg-2")
    assert [battle.at(unit) for unit in ("sg-1", "sg-7", "sg-2")] == ["0102", "0103", "0101"]
    assert battle.state.received["shogunate"] == ()
    assert {"done", "normal"} == battle.words("sg-1") == battle.words("sg-2")


@pytest.mark.clause("13-2(1)", "4(3)b")
def test_only_units_received_and_not_on_the_map_enter(hand):
    units = {"sg-1": "received 4-3-3-4", "sg-2": "cup 4-3-3-4", "sg-3": "0103 4-3-3-4", "sg-4": "removed 4-3-3-4"}
    battle = hand({**units, "sa-1": "0305 4-3-3-4"})
    assert battle.refused("enter sg-2") == "4(3)b"
    assert battle.refused("enter sg-3") == "13-2(1)"
    assert battle.refused("enter sg-4") == "2-1-1(0)a"
    assert battle.refused("enter sa-1") == "8(0)"
    assert battle.refused("move sg-1 0102") == "13-2(1)"
    assert battle.why_not("enter sg-1") is None


@pytest.mark.clause("13-2(1)", "5(0)a")
@pytest.mark.parametrize("phase", ["shogunate-melee", "shogunate-fire"])
def test_units_come_on_in_the_movement_phase_only(field, phase):
    battle = field(PLAIN, HAND, phase=phase, turn=2, entry="0101", idle=True)
    assert battle.refused("enter sg-1") == "5(0)a"


@pytest.mark.clause("13-2(2)a", "15-1-5(1)2", "15-1-7(1)2")
def test_a_unit_comes_on_at_the_entry_hex_and_nowhere_else(hand):
    battle = hand(idle=True)
    with pytest.raises(MalformedOrder):
        battle.order("enter sg-1 0102")
    for path in ("0205", "0103", "0101"):
        assert battle.refused(f"enter sg-1 move {path}") == "8(1)"
    assert battle.refused("setup sg-1 0102") == "5(0)a"
    told = battle.do("enter sg-1")
    assert (battle.at("sg-1"), told[0].facts["path"]) == ("0101", ["0101"])


@pytest.mark.clause("15-1-5(1)2", "13-2(2)a")
def test_the_entry_hex_of_the_former_shogunate():
    board = bakumatsu.board(load_scenario("toba-fushimi").data)
    assert board.label[board.side["shogunate"].entry] == "0106"
    assert board.side["satcho"].entry is None


@pytest.mark.clause("13-2(2)b", "8(2)a", "8-2(1)")
@pytest.mark.parametrize("letter", [".", "m"])
def test_from_there_a_unit_has_its_whole_allowance(hand, letter):
    """R58: the entry hex costs nothing."""
    rows = letter + LANE[1:]
    battle = hand({"sg-1": "received 4-3-3-4"}, rows, roads=(lane(1, 11),), idle=True)
    assert battle.refused(f"enter sg-1 move {lane(2, 5)}") == "8(2)a"
    assert battle.refused(f"enter sg-1 march {lane(2, 9)}") == "8-2(1)"
    assert battle.why_not(f"enter sg-1 march {lane(2, 8)}") is None
    told = battle.do(f"enter sg-1 move {lane(2, 4)}")
    assert [(tell.facts["how"], tell.facts["cost"]) for tell in told] == [("enter", 0), ("move", 4)]
    assert battle.at("sg-1") == "0105"

    march = hand({"sg-1": "received 4-3-3-4"}, rows, roads=(lane(1, 11),), idle=True)
    march.do(f"enter sg-1 march {lane(2, 8)}")
    assert march.at("sg-1") == "0109"


@pytest.mark.clause("13-2(2)b", "8-2(2)a", "8-2(2)b", "8-2(3)")
def test_road_movement_needs_an_entry_hex_on_a_road_and_out_of_enemy_zoc(hand):
    """R58."""
    off = hand({"sg-1": "received 4-3-3-4"}, LANE, roads=(lane(2, 4),))
    assert off.refused("enter sg-1 march 0102") == "8-2(2)a"
    on = hand({"sg-1": "received 4-3-3-4"}, LANE, roads=(lane(1, 4),))
    assert on.why_not("enter sg-1 march 0102 0103 0104") is None
    assert on.refused("enter sg-1 march 0102 0103 0104 0105") == "8-2(3)"
    threatened = hand({"sg-1": "received 4-3-3-4", "sa-1": "0201 4-3-3-4"}, roads=(lane(1, 4),))
    assert threatened.refused("enter sg-1 march 0102") == "8-2(2)b"


@pytest.mark.clause("13-2(2)b", "8-1(3)1", "8-1(3)2", "8-1(3)3")
def test_a_unit_placed_in_enemy_zoc_starts_its_move_there(hand):
    """R21: it need not stop, pays 1 to leave, and can't step into another enemy ZOC."""
    units = {"sg-1": "received 4-3-3-4", "sa-1": "0201 4-3-3-4"}
    battle = hand(units, " . . . . . .\n . - - - - -", idle=True)
    assert battle.refused("enter sg-1 move 0102") == "8-1(3)3"
    river = hand(units, ". . . . . .\n . - - - - -", rivers=("0102/0201",), idle=True)
    assert river.refused(f"enter sg-1 move {lane(2, 4)}") == "8(2)a"
    told = river.do(f"enter sg-1 move {lane(2, 3)}")
    assert told[1].facts["cost"] == 4
    assert river.at("sg-1") == "0104"


@pytest.mark.clause("13-2(2)b", "8(1)", "8(4)", "8-1(2)2", "8-1(4)a")
def test_the_way_on_obeys_the_rules_of_movement(hand):
    units = {"sg-1": "received 4-3-3-2", "sg-2": "0102 4-3-3-4 done"}
    battle = hand(units, ". . .\n m . .", rivers=("0101/0201 0102/0201",))
    assert battle.refused("enter sg-1 move 0102") == "8(4)"
    assert battle.refused("enter sg-1 move 0201") == "8-1(2)2"
    dear = hand(units, ". . .\n m . .", idle=True)
    assert dear.refused("enter sg-1 move 0201 0202") == "8(2)a"
    dear.do("enter sg-1 move 0201")
    assert (dear.at("sg-1"), dear.facts("move")["cost"]) == ("0201", 2)


@pytest.mark.clause("13-2(1)", "8(5)")
def test_a_way_on_has_at_least_one_step(hand):
    battle = hand()
    for how in ("move", "march"):
        with pytest.raises(MalformedOrder):
            battle.order(f"enter sg-1 {how}")
        assert battle.request.why_not(Enter("sg-1", how, ())).clause == "8(5)"


@pytest.mark.clause("13-2(2)a", "12(1)")
@pytest.mark.parametrize(
    ("order", "word"),
    [("enter sg-1", "normal"), ("enter sg-1 move 0102", "disordered"), ("enter sg-1 march 0102", "disordered")],
)
def test_placement_of_artillery_is_no_move_but_a_step_beyond_is(hand, order, word):
    """R24."""
    battle = hand({"sg-1": "received 5-x-3-3 range 3"}, roads=("0101 0102",), idle=True)
    battle.do(order)
    assert battle.words("sg-1") == {word, "artillery", "done"}


@pytest.mark.clause("13-2(2)b", "13-1(4)")
def test_the_entries_offered_are_legal_and_lead_everywhere(hand):
    units = {"sg-1": "received 4-3-3-2", "sa-1": "0104 4-3-3-4"}
    battle = hand(units, ". . . .\n h . .\n. . .", roads=("0101 0102 0103", "0101 0201"))
    orders = battle.options()
    assert all(battle.why_not(order) is None for order in orders)
    assert {order.split()[-1] for order in orders if " move " in order} == {
        "0102",
        "0103",
        "0201",
        "0202",
        "0301",
        "0302",
    }
    assert {order.split()[-1] for order in orders if " march " in order} == {"0102", "0201"}
    assert "enter sg-1" in orders


@pytest.mark.clause("13-2(3)", "13(0)")
def test_afterwards_it_is_an_ordinary_unit(hand):
    units = {"sg-1": "received 4-3-3-4", "sa-1": "0103 4-3-3-4", "sa-2": "0305 4-3-3-4"}
    battle = hand(units, idle=True)
    battle.do("enter sg-1 move 0102")
    battle.do("done")
    assert battle.words("sg-1") == {"normal"}
    assert battle.why_not("fire sa-1 at sg-1") is None
    battle.do("done")
    assert battle.phase == "shogunate-melee"
    assert battle.why_not("melee sg-1 at sa-1") is None
    battle.do("done")
    assert battle.refused("move sa-1 0202") == "8-1(3)3"
    battle.do("done")
    assert battle.phase == "shogunate-fire"
    assert battle.why_not("fire sg-1 at sa-1") is None
    battle.do("done")
    battle.do("done")
    assert bakumatsu.clock(battle.state) == (3, "shogunate-move")
    assert battle.why_not("move sg-1 0101") is None
    assert battle.refused("enter sg-1") == "13-2(1)"


@pytest.mark.clause("13-2(2)a", "14(4)1")
def test_a_side_stands_in_its_own_entry_hex_without_losing(hand):
    """R63: and keeps or retakes it as a victory hex."""
    battle = hand(idle=True, control={"satcho": "0101"})
    battle.do("enter sg-1")
    assert battle.outcome is None
    assert battle.state.control[battle.hex("0101")] == "shogunate"
