"""The Battle of Tabaruzaka (rulebook 15-2) but for its commanders, on its own map and on small fields."""

from __future__ import annotations

import copy

import pytest

from pbem.errors import BadScenario, MalformedOrder
from pbem.rules import bakumatsu
from pbem.rules.requests import Choose, Draw, Roll
from pbem.scenario import load_scenario

PLAIN = """
    . . . . . .
     . . . . . .
    . . . . . .
"""
AWAY = {"sg-8": "0304 4-3-3-4", "sa-8": "0306 4-3-3-4"}
"""A unit of each side that stays where it is."""

HAND = {f"sg-{n}": "cup 4-3-3-4" for n in range(1, 6)}
LOST = {f"sg-{n}": "removed 4-3-3-4 since 1" for n in range(1, 4)}
BOTH = "shogunate satcho"
TAKASE = ("2402", "2403", "2404", "2505", "2506", "2507", "2508", "2509", "2409")
SOUTH = ("0130", "0229", "0228", "0227", "0327", "0326")
"""The roads from the entry hexes of the Government and of Saigo's Army."""


@pytest.fixture
def board(tabaruzaka):
    return tabaruzaka


@pytest.fixture
def fresh(at):
    """The battle on its own map, from its very beginning."""
    return at(1, 0)


@pytest.fixture
def muster(field):
    """The builder of a battle whose movement phase is about to begin; the Shogunate chooses who enters at 0101."""

    def build(units, turn=2, phase="shogunate-move", opened=False, rows=PLAIN, **more):
        how = {"chooses": "shogunate", "entry": "0101", "idle": True, **more}
        return field(rows, {**AWAY, **units}, phase=phase, turn=turn, opened=opened, **how)

    return build


def go(battle, words):
    """Give an order with `to HEX`."""
    battle.told = []
    battle.game.apply(bakumatsu.way(battle.state, battle.request, tuple(words.split())))


def done(battle, times):
    """End so many phases; nobody has a die of his own left to throw."""
    for _ in range(times):
        battle.do("done")


# --- 15-2 to 15-2-4: sides, turns, map, pieces, no set-up


@pytest.mark.clause("15-2(0)")
def test_the_government_moves_first(fresh, board):
    assert [side.id for side in board.sides] == ["government", "saigo"]
    phases = bakumatsu.situation(fresh.state)["phases"]
    order = ["government-move", "saigo-fire", "government-melee", "saigo-move", "government-fire", "saigo-melee"]
    assert [phase["id"] for phase in phases if phase["id"] != "start"] == order
    assert bakumatsu.clock(fresh.state) == (1, "government-move")
    fresh.do("", 3, "gc-01")
    assert (fresh.request.side, fresh.request.clause) == ("government", "5-1.1")
    fresh.do("done")
    assert bakumatsu.clock(fresh.state) == (1, "saigo-move")
    fresh.do("", 3, "sc-01")
    assert (fresh.request.side, fresh.request.clause) == ("saigo", "5-2.4")
    assert bakumatsu.situation(fresh.state)["active"] == "saigo"


@pytest.mark.clause("15-2-1(0)", "5-2(0)stop")
def test_fourteen_turns_are_played(at):
    early, last = at(13, 6), at(14, 6)
    assert (early.outcome, bakumatsu.clock(early.state)) == (None, (14, "government-move"))
    assert (last.outcome.clause, last.request) == ("14(4)2", None)
    assert bakumatsu.situation(last.state)["turns"] == 14


@pytest.mark.clause("15-2-1(0)", "14(4)2", "15-2-6(0)a")
@pytest.mark.parametrize(
    ("government", "saigo", "winner"),
    [(7, 1, "government"), (6, 7, "saigo"), (6, 6, None), (1, 1, None), (13, 0, "government")],
)
def test_who_holds_seven_after_turn_fourteen_wins_and_else_nobody(board, at, government, saigo, winner):
    """Ruling R107."""
    hexes = sorted(board.victory_hexes)
    held = dict.fromkeys(hexes[:government], "government") | dict.fromkeys(hexes[13 - saigo :], "saigo")
    battle = at(14, 6, control=held)
    assert (battle.outcome.winner, battle.outcome.clause) == (winner, "14(4)2")


@pytest.mark.clause("15-2-2(0)", "2-1(0)")
def test_the_battle_is_played_on_its_own_map(board):
    assert (board.map.name, board.map.title) == ("tabaruzaka", "Tabaruzaka")
    data, other = copy.deepcopy(load_scenario("tabaruzaka").data), load_scenario("toba-fushimi").data["maps"]
    data["maps"] = other
    with pytest.raises(BadScenario, match="no map 'tabaruzaka'"):
        bakumatsu.board(data)
    data["maps"] = {"tabaruzaka": other["toba-fushimi"]}
    with pytest.raises(BadScenario, match="toba-fushimi"):
        bakumatsu.board(data)


@pytest.mark.clause("15-2-3.1", "15-2-3.2")
@pytest.mark.parametrize(("side", "combat", "prefix"), [("government", 22, "g"), ("saigo", 20, "s")])
def test_the_pieces_of_a_side(board, side, combat, prefix):
    assert len(board.combat[side]) == combat
    assert len(board.commanders[side]) == 6
    assert len(board.of_side[side]) == combat + 6
    assert {unit[0] for unit in board.of_side[side]} == {prefix}


@pytest.mark.clause("15-2-4(0)", "4(3)b")
def test_nothing_is_on_the_map_at_the_start(fresh, board):
    state = bakumatsu.start(board, {})
    assert (state.at, state.removed, state.received) == ({}, {}, {"government": (), "saigo": ()})
    for side in ("government", "saigo"):
        assert state.cups[side] == tuple(sorted(board.combat[side]))
    where = {unit["id"]: unit["where"] for unit in bakumatsu.situation(state)["units"]}
    assert {where[unit] for unit in (*board.combat["government"], *board.combat["saigo"])} == {"hand"}
    assert {unit for unit, word in where.items() if word == "aside"} == {"sc-06"}
    assert {where[unit] for side in board.commanders.values() for unit in side} == {"waiting", "aside"}
    assert fresh.request == Roll("reinforcement/1", dice=1)


@pytest.mark.clause("2-1-3.1", "15-2-5(1)0a", "15-2-7-2(2)1")
def test_the_track_of_turns_shows_the_dice_for_units_and_the_draws_of_commanders(fresh):
    sides = bakumatsu.situation(fresh.state)["sides"]
    track = {side["id"]: {mark["sign"]: mark["turns"] for mark in side["track"]} for side in sides}
    each = list(range(1, 15))
    assert track == {
        "government": {"R": each, "Lx1": [1, 3, 5, 7, 9, 11]},
        "saigo": {"R": each, "Lx1": [1, 2, 4, 6, 8]},
    }


@pytest.mark.clause("15-2-4(0)", "5(0)a")
@pytest.mark.parametrize("number", ["2401", "2507", "0131"])
def test_nobody_is_set_up(fresh, number):
    fresh.do("", 6, "gc-01")
    assert fresh.refused(f"setup go-01 {number}") == "5(0)a"
    assert not any(order.startswith("setup") for order in fresh.options())


# --- 15-2-5: all come as reinforcements


@pytest.mark.clause("15-2-5(0)", "13-2(1)")
def test_all_units_come_as_reinforcements(fresh, board):
    assert {unit.code for unit in board.units.values() if unit.command is None} == {"R"}
    fresh.do("", 3, "gc-01")
    assert fresh.refused("move go-01 2402") == "13-2(1)"
    fresh.do("enter go-01 move 2402")
    assert fresh.at("go-01") == "2402"


@pytest.mark.clause("15-2-5(1)0a", "13-1(1)")
@pytest.mark.parametrize("turn", [1, 2, 7, 14])
@pytest.mark.parametrize("phase", [1, 4])
def test_on_every_turn_both_sides_check(at, turn, phase):
    """R103; the units on the map are there so that there are phases of fire and melee."""
    battle = at(turn, phase)
    assert battle.request == Roll(f"reinforcement/{turn}", dice=1)
    assert battle.events() == ["phase"]


@pytest.mark.clause("15-2-5(1)0a", "13-1(2)a")
def test_there_is_one_check_a_turn_and_side_while_units_wait(field):
    units = {"sg-1": "cup 4-3-3-4", "sg-2": "cup 4-3-3-4", "sg-3": "cup 4-3-3-4", "sa-1": "cup 4-3-3-4"}
    battle = field(PLAIN, {**AWAY, **units}, phase="shogunate-move", opened=False, chooses=BOTH, idle=True)
    seen = []
    for _ in range(24):
        if isinstance(battle.request, Roll):
            seen.append((battle.state.turn, battle.phase))
            battle.do("", 1)
        battle.do("done")
    assert seen == [(1, "shogunate-move"), (1, "satcho-move"), (2, "shogunate-move"), (3, "shogunate-move")]
    assert bakumatsu.clock(battle.state) == (5, "shogunate-move")


@pytest.mark.clause("15-2-5(1)0a", "13-1(3)", "13-1(2)b")
@pytest.mark.parametrize(("waiting", "die", "number"), [(5, 2, 2), (5, 5, 5), (5, 6, 5), (1, 6, 1), (3, 3, 3)])
def test_as_many_come_as_the_die_shows_and_are_there(muster, waiting, die, number):
    battle = muster(dict(list(HAND.items())[:waiting]))
    battle.do("", die)
    facts = {"side": "shogunate", "die": die, "units": [], "number": number}
    assert battle.facts("reinforcements") == facts
    for n in range(1, number + 1):
        go(battle, f"enter sg-{n} to {('0103', '0203', '0202', '0102', '0201')[n - 1]}")
    if number < waiting:
        assert battle.refused(f"enter sg-{number + 1}") == "15-2-5(1)0b"
    done(battle, 6)
    assert isinstance(battle.request, Roll) is (number < waiting)  # what is over is lost (R103)


@pytest.mark.clause("15-2-5(1)0b")
@pytest.mark.parametrize("chosen", [("sg-1", "sg-2"), ("sg-5", "sg-3"), ("sg-2", "sg-5")])
def test_the_owner_chooses_freely_who_comes(muster, chosen):
    battle = muster(HAND)
    battle.do("", 2)
    assert isinstance(battle.request, Choose)  # no draw from a cup
    assert all(battle.why_not(f"enter {unit}") is None for unit in HAND)
    battle.do(f"enter {chosen[0]} move 0102")
    battle.do(f"enter {chosen[1]}")
    (left, *_) = sorted(HAND.keys() - set(chosen))
    assert battle.refused(f"enter {left}") == "15-2-5(1)0b"
    assert not any(order.startswith("enter") for order in battle.options())
    assert {unit for unit in HAND if battle.at(unit)} == set(chosen)


@pytest.mark.clause("15-2-5(1)0b", "13-1(4)", "13-2(1)")
def test_who_does_not_come_at_once_may_come_later_and_still_be_another(muster):
    """Ruling R104."""
    battle = muster(HAND)
    battle.do("", 2)
    battle.do("enter sg-1 move 0102")
    done(battle, 6)
    battle.do("", 1)
    battle.do("enter sg-4 move 0201")
    battle.do("enter sg-5")
    assert battle.refused("enter sg-2") == "15-2-5(1)0b"


@pytest.mark.clause("15-2-5(1)0a", "15-2-5(1)0b")
@pytest.mark.parametrize(("waiting", "check"), [(2, False), (3, True)])
def test_for_units_received_and_held_back_there_is_no_check(muster, waiting, check):
    """R103: all who wait have been received, though not one came."""
    battle = muster(dict(list(HAND.items())[:waiting]))
    battle.do("", 2)
    done(battle, 6)
    assert isinstance(battle.request, Roll) is check
    if check:
        battle.do("", 6)
    assert sum(battle.why_not(f"enter sg-{n}") is None for n in range(1, waiting + 1)) == waiting
    assert battle.state.calls == {"shogunate": waiting}


@pytest.mark.clause("15-2-5(1)1")
@pytest.mark.parametrize(
    ("turn", "die", "number"),
    [(1, 1, 3), (1, 2, 3), (1, 3, 3), (1, 4, 4), (1, 5, 5), (2, 1, 1), (2, 2, 2), (2, 3, 3), (3, 1, 1), (14, 1, 1)],
)
@pytest.mark.parametrize(
    ("side", "phase", "unit", "road"), [("government", 1, "go", TAKASE), ("saigo", 4, "sg", SOUTH)]
)
def test_on_turn_one_at_least_three_come(at, turn, die, number, side, phase, unit, road):
    battle = at(turn, phase, go_16="2526", sg_19="0526")
    battle.game.apply((die,))
    assert battle.facts("reinforcements")["number"] == battle.state.calls[side] == number
    while isinstance(battle.request, Draw):
        battle.game.apply(battle.request.cup[:1])
    for n in range(1, number + 1):
        battle.do(f"enter {unit}-{n:02} march {' '.join(road[: 7 - n])}")
    assert battle.refused(f"enter {unit}-{number + 1:02}") == "15-2-5(1)0b"


@pytest.mark.clause("15-2-5(1)1", "13-1(4)")
@pytest.mark.parametrize(("waiting", "number"), [(1, 1), (2, 2), (4, 3)])
def test_the_three_of_turn_one_are_no_more_than_there_are(muster, waiting, number):
    units = dict(list(HAND.items())[:waiting])
    battle = muster(units, turn=1, least=3)
    battle.do("", 1)
    assert battle.state.calls == {"shogunate": number}
    none = muster(units, turn=1, least=0)
    none.do("", 1)
    assert none.state.calls == {"shogunate": 1}


GUNS = {"sg-1": "cup 4-3-3-4", "sg-2": "cup 4-3-3-4", "sg-3": "cup 5-x-3-3 range 3", "sg-4": "cup 6-x-3-3 range 4"}


@pytest.mark.clause("15-2-5(1)2")
def test_artillery_waits_until_all_others_have_come_if_need_be_in_the_same_phase(muster):
    battle = muster(GUNS)
    battle.do("", 3)
    for left in (2, 1):
        assert battle.refused("enter sg-3") == battle.refused("enter sg-4") == "15-2-5(1)2"
        assert not any(order.startswith(("enter sg-3", "enter sg-4")) for order in battle.options())
        go(battle, f"enter sg-{left} to 010{left + 1}")
    battle.do("enter sg-4")
    assert battle.at("sg-4") == "0101"
    assert battle.refused("enter sg-3") == "15-2-5(1)0b"


@pytest.mark.clause("15-2-5(1)2")
def test_to_be_received_is_not_to_be_deployed(muster):
    """R105: the die would do for all four; the last of the others stays in hand, and so the guns do."""
    battle = muster(GUNS)
    battle.do("", 4)
    battle.do("enter sg-1 move 0102")
    done(battle, 6)
    assert isinstance(battle.request, Choose)
    assert battle.refused("enter sg-3") == "15-2-5(1)2"
    battle.do("enter sg-2 move 0201")
    assert battle.why_not("enter sg-3") is None


@pytest.mark.clause("15-2-5(1)2", "15-2-7-1(1)1b")
def test_a_lost_unit_counts_as_deployed_and_a_gun_that_comes_back_waits_for_nobody(muster):
    """Ruling R105."""
    lost = muster({"sg-1": "removed 4-3-3-4 since 2", "sg-3": "cup 5-x-3-3 range 3"}, reorganises="shogunate")
    lost.do("", 1)
    assert lost.refused("enter sg-1") == "15-2-7-1(1)1a"
    assert lost.why_not("enter sg-3") is None
    back = muster({"sg-1": "cup 4-3-3-4", "sg-3": "removed 5-x-3-3 range 3 since 1"}, reorganises="shogunate")
    back.do("", 1)
    assert back.why_not("enter sg-3") is None
    assert back.why_not("enter sg-1") is None


@pytest.mark.clause("15-2-5(1)3", "13-2(2)a")
@pytest.mark.parametrize(
    ("phase", "commander", "unit", "entry", "step", "far"),
    [(1, "gc-01", "go-07", "2401", "2402", "0130"), (4, "sc-01", "sg-07", "0131", "0130", "2402")],
)
def test_units_enter_at_the_entry_hex_of_their_own_side(at, phase, commander, unit, entry, step, far):
    battle = at(1, phase)
    battle.do("", 1, commander)
    with pytest.raises(MalformedOrder):
        battle.order(f"enter {unit} {far}")
    assert battle.refused(f"enter {unit} move {far}") == "8(1)"
    battle.do(f"enter {unit} move {step}")
    assert battle.facts("move")["from"] == entry
    other = at(1, phase)
    other.do("", 1, commander)
    other.do(f"enter {unit}")
    assert other.at(unit) == entry


@pytest.mark.clause("15-2-5(1)3", "13-2(2)b", "8-2(1)")
def test_a_unit_may_march_on_from_the_entry_hex_at_once(at):
    battle = at(1, 1)
    battle.do("", 1, "gc-01")
    assert battle.refused(f"enter go-01 march {' '.join(TAKASE)}") == "8-2(1)"
    battle.do(f"enter go-01 march {' '.join(TAKASE[:8])}")
    assert battle.at("go-01") == "2509"


# --- 15-2-6: control


@pytest.mark.clause("15-2-6(0)a", "14(0)", "14(1)")
def test_each_side_controls_its_entry_hex_and_nothing_else(fresh, board):
    assert {board.label[h]: side for h, side in fresh.state.control.items()} == {"2401": "government", "0131": "saigo"}
    assert {side["side"]: side["count"] for side in bakumatsu.situation(fresh.state)["progress"]} == {
        "government": 1,
        "saigo": 1,
    }
    places = [place for place in bakumatsu.situation(fresh.state)["places"] if place["victory"]]
    assert len(places) == 13
    assert sum(place["control"] is None for place in places) == 11


@pytest.mark.clause("15-2-6(0)b", "14(2)", "14(3)")
@pytest.mark.parametrize("order", ["move sg-1 0102", "move sg-1 0102 0103", "march sg-1 0102 0103"])
def test_who_enters_a_neutral_victory_hex_first_gets_it(field, order):
    units = {"sg-1": "0101 4-3-3-4", "sg-2": "0201 4-3-3-4", "sa-1": "0105 4-3-3-4"}
    more = {"control": {"nobody": "0102 0106"}, "roads": ("0101 0102 0103",), "idle": True}
    battle = field(PLAIN, units, phase="shogunate-move", **more)
    assert battle.hex("0102") not in battle.state.control
    battle.do(order)
    assert battle.facts("control") == {"hex": "0102", "place": None, "side": "shogunate", "from": None}
    assert battle.state.control[battle.hex("0102")] == "shogunate"
    assert battle.hex("0106") not in battle.state.control
    if order == "move sg-1 0102 0103":
        battle.do("move sg-2 0102")
        assert "control" not in battle.events()


@pytest.mark.clause("15-2-6(0)b", "14(2)")
@pytest.mark.parametrize(("before", "clause"), [("nobody", "15-2-6(0)b"), ("satcho", "14(2)")])
def test_the_clause_by_which_a_hex_is_taken_is_that_of_who_held_it(field, before, clause):
    battle = field(PLAIN, {**AWAY, "sg-1": "0101 4-3-3-4"}, phase="shogunate-move", control={before: "0102"})
    battle.do("move sg-1 0102")
    assert [told.clause for told in battle.told if told.what == "control"] == [clause]


@pytest.mark.clause("15-2-6(0)b", "14(2)")
def test_a_hex_that_was_neutral_is_taken_from_its_first_holder(field):
    battle = field(
        PLAIN,
        {"sg-1": "0101 4-3-3-4", "sa-1": "0106 4-3-3-4"},
        phase="satcho-move",
        control={"nobody": "0105"},
        idle=True,
    )
    battle.do("move sa-1 0105 0104")
    assert battle.state.control[battle.hex("0105")] == "satcho"
    done(battle, 3)
    battle.do("move sg-1 0102 0103")
    done(battle, 6)
    assert battle.state.control[battle.hex("0105")] == "satcho"


@pytest.mark.clause("15-2-6(0)b", "11(1)0", "10-2(9)a")
@pytest.mark.parametrize(
    ("phase", "order", "taken"),
    [("satcho-fire", "fire sa-1 at sg-1", "0203"), ("satcho-melee", "melee sa-1 at sg-1 advance", "0202")],
)
def test_a_retreat_or_an_advance_takes_a_neutral_hex_too(field, phase, order, taken):
    """The only way out leads to 0203; 0202 is left to the attacker."""
    rows = ". . . .\n . . . .\n- - - -"
    units = {"sg-1": "0202 4-4-1-4", "sa-1": "0201 9-9-3-4", "sa-2": "0101 4-4-3-4"}
    battle = field(rows, units, phase=phase, control={"nobody": "0203 0202 0103"}, idle=True)
    before = dict(battle.state.control)
    battle.do(order, 6, 6, *((6,) if "melee" in order else ()))
    if isinstance(battle.request, Choose) and battle.request.kind == "retreat":
        battle.do("retreat sg-1 0203")
    assert battle.at("sg-1") == "0203"
    new = {battle.board.label[h]: side for h, side in battle.state.control.items() if h not in before}
    assert new == ({"0203": "shogunate"} if taken == "0203" else {"0203": "shogunate", "0202": "satcho"})


@pytest.mark.clause("15-2-6(0)a", "14(4)1")
def test_each_entry_hex_loses_the_game_of_its_owner(at):
    saigo = at(3, 4, sg_01="2402")
    saigo.do("", 1)
    saigo.do("move sg-01 2401")
    assert saigo.outcome[:2] == ("saigo", "14(4)1")
    government = at(3, 1, go_01="0130")
    government.do("", 1, "gc-01")
    government.do("move go-01 0131")
    assert government.outcome[:2] == ("government", "14(4)1")


# --- 15-2-7-1: reorganisation


@pytest.mark.clause("15-2-7-1(1)0", "15-2-7-1(2)")
def test_only_the_government_reorganises(board, at):
    assert [side.id for side in board.sides if side.reorganises] == ["government"]
    for phase, unit, clause in ((1, "go-01", None), (4, "sg-01", "2-1-1(0)a")):
        battle = at(3, phase, **{unit.replace("-", "_"): {1: "2403", 4: "0229"}[phase]})
        battle.state.remove(unit, "test", "")
        battle.state.removed[unit] = 2
        battle.do("", 1, *(["gc-01"] if phase == 1 else []))
        refusal = battle.why_not(f"enter {unit}")
        assert (refusal and refusal.clause) == clause


@pytest.mark.clause("15-2-7-1(2)")
@pytest.mark.parametrize("turn", [2, 3, 8])
def test_a_lost_unit_of_the_other_side_never_returns(field, turn):
    units = {"sa-1": "removed 4-3-3-4 since 1", "sg-1": "removed 4-3-3-4 since 1", **AWAY}
    more = {"reorganises": "shogunate", "satcho_entry": "0106", "entry": "0101", "idle": True, "turn": turn}
    assert field(PLAIN, units, phase="satcho-move", **more).refused("enter sa-1") == "2-1-1(0)a"
    assert field(PLAIN, units, phase="shogunate-move", **more).why_not("enter sg-1") is None


@pytest.mark.clause("15-2-7-1(1)1a")
@pytest.mark.parametrize(
    ("since", "turn", "clause"),
    [(3, 3, "15-2-7-1(1)1a"), (3, 4, None), (3, 5, None), (3, 8, None), (1, 1, "15-2-7-1(1)1a"), (1, 2, None)],
)
def test_a_lost_unit_comes_back_from_the_next_turn_on(muster, since, turn, clause):
    """R106: not on that turn alone."""
    units = {"sg-1": f"removed 4-3-3-4 since {since}"}
    battle = muster(units, turn=turn, opened=True, reorganises="shogunate")
    refusal = battle.why_not("enter sg-1")
    assert (refusal and refusal.clause) == clause
    assert battle.is_("sg-1", "received") is (clause is None)
    assert any(order.startswith("enter sg-1") for order in battle.options()) is (clause is None)


@pytest.mark.clause("15-2-7-1(1)1a", "15-2-7-1(1)1b")
@pytest.mark.parametrize(
    ("phase", "order", "chance", "back"),
    [("satcho-fire", "fire sa-1 at sg-1", (6, 6), 5), ("satcho-melee", "melee sa-1 at sg-1", (6, 6, 6), 5)],
)
def test_whatever_phase_it_is_removed_in_it_comes_back_in_the_next_turn(muster, phase, order, chance, back):
    """The rulebook's turn 3 and 4: removed in the last phase of a turn or in its second."""
    units = {"sg-1": "0104 4-3-3-4 disordered", "sa-1": "0105 9-9-3-4"}
    battle = muster(units, turn=4, phase=phase, opened=True, reorganises="shogunate")
    battle.do(order, *chance)
    assert battle.state.removed == {"sg-1": 4}
    while battle.phase != "shogunate-move":
        battle.do("done")
    assert battle.state.turn == back
    battle.do("enter sg-1 move 0102")
    assert (battle.at("sg-1"), battle.words("sg-1")) == ("0102", {"normal", "done"})
    assert battle.state.removed == {}


@pytest.mark.clause("15-2-7-1(1)1a", "11(2)", "11(4)c")
@pytest.mark.parametrize(
    ("more", "lost", "why"),
    [
        ({"sa-2": "0103 4-4-3-4"}, "sg-1", "no hex to retreat to after fire"),
        ({"sg-2": "0102 4-4-3-4 disordered"}, "sg-2", "sg-1 retreated through it"),
    ],
)
def test_units_lost_for_want_of_a_retreat_or_passed_by_one_come_back_too(muster, more, lost, why):
    """R106; the one way out of 0202 leads over 0102 to 0101."""
    rows = ". . . . . .\n - . . . . .\n- - - - - -"
    units = {"sg-1": "0202 4-3-3-4 disordered", "sa-1": "0203 9-9-3-4", "sg-8": "0106 4-3-3-4", "sa-8": "0206 4-3-3-4"}
    how = {"rows": rows, "phase": "satcho-fire", "opened": True, "reorganises": "shogunate", "entry": "0105"}
    battle = muster({**units, **more}, rivers=("0103/0202",), **how)
    battle.do("fire sa-1 at sg-1", 3, 4)
    assert (battle.facts("remove")["unit"], battle.facts("remove")["why"]) == (lost, why)
    while battle.phase != "shogunate-move":
        battle.do("done")
    assert battle.why_not(f"enter {lost}") is None


@pytest.mark.clause("15-2-7-1(1)1b", "13-1(4)", "13-2(1)")
def test_it_enters_like_a_reinforcement(muster):
    battle = muster(LOST, turn=2, opened=True, reorganises="shogunate")
    with pytest.raises(MalformedOrder):
        battle.order("enter sg-1 0103")
    assert battle.refused("enter sg-1 move 0103") == "8(1)"
    battle.do("enter sg-1")
    assert battle.refused("enter sg-2") == battle.refused("enter sg-3 move 0102") == "13-1(4)"
    assert battle.refused("move sg-1 0102") == "6(3)"
    done(battle, 6)
    assert battle.refused("enter sg-2") == "13-1(4)"
    battle.do("move sg-1 0102 0103")
    battle.do("enter sg-2 move 0102 0202")
    battle.do("enter sg-3")
    assert [battle.at(f"sg-{n}") for n in (1, 2, 3)] == ["0103", "0202", "0101"]


@pytest.mark.clause("15-2-7-1(1)1b", "15-2-7-1(1)1a")
def test_it_comes_back_undisordered_and_as_often_as_it_is_lost(muster):
    """R106; a gun goes on a hit (12(3)), and a gun that moves is disordered (12(1))."""
    units = {"sg-1": "0101 5-x-3-3 range 3 disordered", "sa-1": "0102 9-9-3-4"}
    battle = muster(units, turn=1, phase="satcho-fire", opened=True, reorganises="shogunate")
    for turn in (1, 2, 3):
        battle.do("fire sa-1 at sg-1", 6, 6)
        assert battle.state.removed == {"sg-1": turn}
        while battle.phase != "shogunate-move":
            battle.do("done")
        battle.do("enter sg-1")
        assert battle.words("sg-1") == {"normal", "done", "artillery"}
        battle.do("done")


@pytest.mark.clause("15-2-7-1(1)2")
@pytest.mark.parametrize(("die", "regular"), [(1, 1), (2, 2), (4, 4)])
def test_the_reorganised_come_on_top_of_the_die(muster, die, regular):
    """In any order, and not one of them uses up a number."""
    hand = {f"sg-1{n}": "cup 4-3-3-6" for n in range(1, 6)}
    lost = {f"sg-{n}": "removed 4-3-3-6 since 1" for n in range(1, 4)}
    battle = muster({**hand, **lost}, reorganises="shogunate", turns=8)
    battle.do("", die)
    goals = iter(["0102 0103 0104 0105", "0102 0103 0104", "0102 0103", "0201 0202 0203", "0201 0202", "0201", "0102"])
    order = ["sg-1", *(f"sg-1{n}" for n in range(1, regular + 1)), "sg-2", "sg-3"]
    for unit in order:
        battle.do(f"enter {unit} move {next(goals)}")
    assert battle.refused(f"enter sg-1{regular + 1}") == "15-2-5(1)0b"
    assert sum(battle.at(unit) is not None for unit in (*hand, *lost)) == 3 + regular


@pytest.mark.clause("15-2-7-1(1)2", "15-2-5(1)0a")
def test_for_the_reorganised_alone_no_die_is_thrown(muster):
    """Ruling R103."""
    battle = muster(LOST, turn=2, reorganises="shogunate")
    assert isinstance(battle.request, Choose)
    assert "reinforcements" not in battle.events()
    assert all(battle.why_not(f"enter {unit}") is None for unit in LOST)


@pytest.mark.clause("15-2-7-1(1)1a")
def test_a_unit_that_never_came_is_not_reorganised(muster):
    battle = muster({"sg-1": "cup 4-3-3-4"}, opened=True, reorganises="shogunate")
    assert battle.refused("enter sg-1") == "15-2-5(1)0b"


@pytest.mark.clause("15-2-7-1(1)1a", "15-2-7-1(1)1b")
def test_where_the_lost_are_is_told(muster):
    units = {"sg-1": "removed 4-3-3-4 since 1", "sg-2": "removed 4-3-3-4 since 2", "sa-1": "removed 4-3-3-4 since 1"}
    battle = muster(units, turn=2, opened=True, reorganises="shogunate")
    where = {unit["id"]: unit["where"] for unit in bakumatsu.situation(battle.state)["units"]}
    assert (where["sg-1"], where["sg-2"], where["sa-1"]) == ("received", "lost", "removed")
    for unit in ("sg-1", "sg-2", "sa-1"):
        assert bakumatsu.test(battle.state, ("gone", unit))


@pytest.mark.clause("15-2-7-1(1)1a")
@pytest.mark.parametrize(("turn", "ready"), [(3, []), (4, ["sg-1"])])
def test_who_comes_back_is_told_so_and_not_among_the_lost(muster, turn, ready):
    """Nor are commanders counted among the units."""
    units = {"sg-1": "removed 4-3-3-4 since 3", "sa-1": "removed 4-3-3-4 since 1", "sgc-1": "removed 2/0/0/5/6 since 1"}
    battle = muster(units, turn=turn, opened=True, reorganises="shogunate")
    sides = bakumatsu.situation(battle.state)["sides"]
    assert [(side["lost"], side.get("back"), side["ready"]) for side in sides] == [
        (["sgc-1"], ["sg-1"], ready),
        (["sa-1"], None, []),
    ]
    assert sides[0]["leaders"] == {"one": "commander", "many": "commanders", "later": 0, "here": 0, "lost": 1}
