"""Commanders (rulebook 15-2-7-2): how they come, and what they lend to fire, melee and checks of morale."""

from __future__ import annotations

import copy

import pytest

from pbem.errors import BadScenario, IllegalAnswer, MalformedOrder
from pbem.rules import bakumatsu
from pbem.rules.requests import Choose, Draw, Roll
from pbem.scenario import load_scenario

FLAT = """
    . . . . . . .
     . . . . . . .
    . . . . . . .
     . . . . . . .
    . . . . . . .
"""
ROW = ". . . . . . . . . ."
SIX = range(1, 7)


def go(battle, words):
    """Give an order with `to HEX`."""
    battle.told = []
    battle.game.apply(bakumatsu.way(battle.state, battle.request, tuple(words.split())))


def modifiers(battle, what):
    """What changed the dice of a fire or melee."""
    return {m["what"]: m["value"] for m in battle.facts(what)["modifiers"]}


def clause(refusal):
    return None if refusal is None else refusal.clause


# --- 2-2-2, 15-2-7-2(0), 15-2-7-2(1): who they are and where they wait


@pytest.mark.clause("2-2-2(0)", "2-2(0)", "15-2-7-2(0)")
def test_commanders_belong_to_tabaruzaka_alone(tabaruzaka):
    toba = copy.deepcopy(load_scenario("toba-fushimi").data)
    assert {side: len(ids) for side, ids in tabaruzaka.commanders.items()} == {"government": 6, "saigo": 6}
    assert not any(bakumatsu.board(toba).commanders.values())
    lord = dict(load_scenario("tabaruzaka").data["scenario"]["commanders"][0], side="shogunate")
    toba["scenario"]["commanders"] = [lord]
    with pytest.raises(BadScenario, match="commanders"):
        bakumatsu.board(toba)


@pytest.mark.clause("2-2-2(0)")
def test_without_commanders_no_order_names_one(field):
    battle = field(ROW, {"sa-1": "0101 4-4-3-4", "sg-1": "0102 4-4-3-4"}, phase="satcho-fire")
    with pytest.raises(MalformedOrder):
        battle.order("fire sa-1 at sg-1 by none")


@pytest.mark.clause("15-2-7-2(1)1", "15-2-7-2(1)2")
def test_all_of_the_government_are_in_one_cup_and_all_but_saigo_takamori_in_the_other(tabaruzaka):
    cups = bakumatsu.start(tabaruzaka, {}).commander_cups
    assert cups["government"] == ("gc-01", "gc-02", "gc-03", "gc-04", "gc-05", "gc-06")
    assert cups["saigo"] == ("sc-01", "sc-02", "sc-03", "sc-04", "sc-05")
    assert tabaruzaka.units["sc-06"].name == "Saigo Takamori"
    assert tabaruzaka.aside == {"saigo": "sc-06"}


@pytest.mark.clause("15-2-7-2(1)1", "15-2-7-2(1)2", "15-2-7-2(2)1")
@pytest.mark.parametrize(
    ("phase", "side", "count", "turns"), [(1, "government", 6, (1, 3, 5, 7, 9, 11)), (4, "saigo", 5, (1, 2, 4, 6, 8))]
)
def test_on_turns_with_an_l_one_is_drawn_until_the_cup_is_empty(at, tabaruzaka, phase, side, count, turns):
    drawn = []
    for turn in range(1, 15):
        battle = at(turn, phase)
        cup = battle.state.commander_cups[side] = tuple(c for c in battle.state.commander_cups[side] if c not in drawn)
        if not cup:
            del battle.state.commander_cups[side]
        battle.game.apply((1,))
        assert isinstance(battle.request, Draw) is (turn in turns)
        if turn in turns:
            assert battle.request == Draw(f"commanders/{side}", cup, 1)
            drawn.append(cup[-1])
            battle.do("", cup[-1])
            facts = {"side": side, "die": None, "units": [cup[-1]]}
            assert (battle.facts("reinforcements"), battle.told[-1].clause) == (facts, "15-2-7-2(2)1")
            assert battle.state.received[side] == (cup[-1],)
            assert cup[-1] not in battle.state.commander_cups.get(side, ())
    assert len(drawn) == len(set(drawn)) == count
    assert "sc-06" not in drawn


@pytest.mark.clause("15-2-7-2(2)1")
@pytest.mark.parametrize(
    ("turn", "piece", "drawn"),
    [
        (2, "cup", True),  # Lx1 and one in the cup
        (3, "cup", False),  # no Lx1
        (2, "0104", False),  # nobody in the cup
        (2, "received", False),
        (2, "removed", False),
    ],
)
def test_without_an_l_or_with_an_empty_cup_none_comes(field, turn, piece, drawn):
    units = {"sgc-1": f"{piece} 2/0/0/5/6", "sg-1": "0101 4-3-3-4"}
    battle = field(ROW, units, phase="shogunate-move", turn=turn, opened=False, idle=True, lx={"shogunate": (2,)})
    assert isinstance(battle.request, Draw) is drawn


@pytest.mark.clause("15-2-7-2(2)1")
def test_the_draw_gives_one_of_the_cup_only(at):
    battle = at(1, 4)
    battle.game.apply((1,))
    for drawn in ("sc-06", "gc-01", "sg-01"):
        with pytest.raises(IllegalAnswer):
            battle.game.apply((drawn,))
    battle.do("", "sc-05")
    assert battle.state.received["saigo"] == ("sc-05",)


# --- 15-2-7-2(2)0: they enter


@pytest.mark.clause("15-2-7-2(2)0", "13-2(2)a", "13-2(2)b")
def test_a_commander_enters_at_the_entry_hex_and_may_move_on_at_once(at):
    battle = at(1, 1, go_16="2526")
    battle.do("", 1, "gc-05")
    assert battle.is_("gc-05", "received")
    assert battle.refused("enter gc-05 move 0130") == "8(1)"
    assert battle.refused("enter gc-04") == "15-2-7-2(2)1"
    road = "2402 2403 2404 2505 2506 2507 2508 2509 2409 2410 2411 2412 2313"
    assert battle.refused(f"enter gc-05 march {road}") == "8-2(1)"
    battle.do(f"enter gc-05 march {road[:-5]}")
    assert battle.at("gc-05") == "2412"
    assert battle.refused("move gc-05 2411") == "6(3)"
    assert battle.refused("enter gc-05") == "13-2(1)"


@pytest.mark.clause("15-2-7-2(2)0", "15-2-5(1)0b", "15-2-5(1)1")
def test_a_commander_uses_up_no_number_of_the_die_and_no_die_his(at):
    battle = at(2, 4, sg_20="0526")
    battle.do("", 1, "sc-01")
    battle.do("enter sc-01 move 0130")
    battle.do("enter sg-02 move 0130")
    assert battle.refused("enter sg-03") == "15-2-5(1)0b"


@pytest.mark.clause("15-2-7-2(2)0", "13-1(4)", "15-2-7-2(4)2a", "15-2-7-2(4)4b", "15-2-7-2(4)1a")
@pytest.mark.parametrize(
    ("there", "refused"),
    [
        ({}, None),
        ({"sg-1": "0101 4-3-3-4"}, None),  # a unit of his own
        ({"sgc-2": "0101 1/0/0/5/6"}, "15-2-7-2(4)2a"),
        ({"sac-1": "0101 1/0/0/5/6"}, "15-2-7-2(4)4b"),
        ({"sg-1": "0101 4-3-3-4", "sgc-2": "0101 1/0/0/5/6"}, "15-2-7-2(4)2a"),
        ({"sa-1": "0101 4-3-3-4"}, "13-1(4)"),
    ],
)
@pytest.mark.parametrize("order", ["enter sgc-1", "enter sgc-1 move 0102"])
def test_what_blocks_the_entry_hex_for_a_commander(field, there, refused, order):
    """R115; he stays received, and comes when the hex is free."""
    units = {"sgc-1": "received 2/0/0/5/6", "sg-9": "received 4-3-3-4", **there}
    battle = field(FLAT, units, phase="shogunate-move", entry="0101", idle=True)
    assert clause(battle.why_not(order)) == refused
    assert (order in battle.options()) is (refused is None)
    if "sgc-2" in there:
        go(battle, "move sgc-2 to 0105")
        assert battle.why_not(order) is None


@pytest.mark.clause("15-2-7-2(2)0", "13-1(4)")
def test_who_is_held_back_stays_received(field):
    units = {"sgc-1": "received 2/0/0/5/6", "sgc-2": "0101 2/0/0/5/6"}
    battle = field(FLAT, units, phase="shogunate-move", entry="0101", idle=True)
    for _ in range(6):
        battle.do("done")
    assert battle.state.received["shogunate"] == ("sgc-1",)
    go(battle, "move sgc-2 to 0102")
    battle.do("enter sgc-1")


@pytest.mark.clause("15-2-7-2(2)0", "15-2-7-2(4)6", "15-2-7-2(4)4a", "14(4)1")
def test_an_enemy_commander_in_the_entry_hex_wins_nothing_and_is_lost_to_the_next_unit_that_enters(field):
    """Ruling R116."""
    units = {"sg-1": "received 4-3-3-4", "sac-1": "0102 2/0/0/5/6"}
    battle = field(FLAT, units, phase="satcho-move", entry="0101", control={"shogunate": "0101"}, idle=True)
    battle.do("move sac-1 0101")
    assert battle.outcome is None
    assert battle.state.control[battle.hex("0101")] == "shogunate"
    for _ in range(3):
        battle.do("done")
    battle.do("enter sg-1")
    assert (battle.at("sg-1"), battle.at("sac-1")) == ("0101", None)
    assert battle.told[-1].clause == "15-2-7-2(4)6"


# --- 15-2-7-2(2)2: the die for Saigo Takamori


@pytest.fixture
def takamori(at, tabaruzaka):
    """The builder of Tabaruzaka where Saigo's movement phase is about to begin and the Government holds some hexes."""

    def build(held, turn=3, **places):
        hexes = sorted(tabaruzaka.victory_hexes, key=tabaruzaka.label.get, reverse=True)  # 2507, 2401 ...
        control = dict.fromkeys(hexes[:held], "government") | {hexes[-1]: "saigo"}
        return at(turn, 4, control=control, sg_20="0526", **places)

    return build


@pytest.mark.clause("15-2-7-2(2)2")
@pytest.mark.parametrize(("held", "rolls"), [(0, False), (6, False), (7, True), (8, True), (12, True)])
def test_the_die_is_thrown_while_the_government_controls_seven(takamori, held, rolls):
    battle = takamori(held)
    battle.game.apply((1,))
    assert (battle.request == Roll("arrival/3", dice=1)) is rolls
    assert isinstance(battle.request, Choose) is not rolls


@pytest.mark.clause("15-2-7-2(2)2")
@pytest.mark.parametrize("die", SIX)
def test_a_four_brings_him(takamori, die):
    battle = takamori(7)
    battle.do("", 1, die)
    facts = {"side": "saigo", "die": die, "units": ["sc-06"] if die >= 4 else [], "for": "sc-06", "needed": 4}
    assert (battle.facts("reinforcements"), battle.told[-1].clause) == (facts, "15-2-7-2(2)2")
    assert clause(battle.why_not("enter sc-06")) == (None if die >= 4 else "15-2-7-2(1)2")
    assert battle.is_("sc-06", "received") is (die >= 4)


@pytest.mark.clause("15-2-7-2(2)2", "15-2-7-2(2)1")
def test_the_die_comes_after_the_units_and_the_commander_of_the_turn(takamori):
    """R108; both may come in one turn."""
    battle = takamori(7, turn=4)
    assert battle.request == Roll("reinforcement/4", dice=1)
    battle.game.apply((2,))
    assert battle.request.label == "commanders/saigo"
    battle.game.apply(("sc-03",))
    assert battle.request == Roll("arrival/4", dice=1)
    battle.game.apply((4,))
    assert battle.state.received["saigo"] == ("sc-03", "sc-06")
    assert {battle.why_not(f"enter {c}") for c in ("sc-03", "sc-06")} == {None}


@pytest.mark.clause("15-2-7-2(2)2", "15-2-7-2(4)7")
@pytest.mark.parametrize("where", ["map", "received", "removed"])
def test_once_he_has_come_no_die_is_thrown_for_him(takamori, where):
    battle = takamori(12, **({"sc_06": "0131"} if where == "map" else {}))
    if where == "received":
        battle.state.received["saigo"] += ("sc-06",)
    if where == "removed":
        battle.state.removed["sc-06"] = 1
    battle.game.apply((1,))
    assert isinstance(battle.request, Choose)


@pytest.mark.clause("15-2-7-2(2)2")
def test_below_seven_again_he_stays_and_no_die_is_thrown_for_one_who_failed(takamori, tabaruzaka):
    """Ruling R108."""
    came, failed = takamori(7), takamori(7)
    came.do("", 1, 4)
    failed.do("", 1, 3)
    for battle in (came, failed):
        battle.state.control[tabaruzaka.parse("2507")] = "saigo"
        battle.state.turn = 4
        for _ in range(9):
            if bakumatsu.clock(battle.state) == (5, "saigo-move"):
                break
            battle.do("done")
            while not isinstance(battle.request, Choose):
                label = battle.request.label
                assert not label.startswith("arrival")
                battle.game.apply(battle.request.cup[:1] if isinstance(battle.request, Draw) else (1,))
    assert came.why_not("enter sc-06") is None
    assert clause(failed.why_not("enter sc-06")) == "15-2-7-2(1)2"


@pytest.mark.clause("15-2-7-2(2)2")
def test_the_government_phase_throws_no_die_for_him(at, tabaruzaka):
    battle = at(2, 1, control=dict.fromkeys(sorted(tabaruzaka.victory_hexes)[1:], "government"), go_16="2526")
    battle.game.apply((1,))
    assert isinstance(battle.request, Choose)


# --- 15-2-7-2(3)1, 15-2-7-2(3)6: name and movement allowance


@pytest.mark.clause("15-2-7-2(3)1")
def test_each_commander_has_a_name_and_an_id_of_his_own(tabaruzaka):
    lords = [tabaruzaka.units[c] for ids in tabaruzaka.commanders.values() for c in ids]
    assert len({lord.id for lord in lords}) == len({lord.name for lord in lords}) == 12
    data = copy.deepcopy(load_scenario("tabaruzaka").data)
    for taken in ("gc-02", "go-01"):
        data["scenario"]["commanders"][0]["id"] = taken
        with pytest.raises(BadScenario, match=f"{taken}.*twice"):
            bakumatsu.board(data)


@pytest.mark.clause("15-2-7-2(3)6", "8(2)a", "8(2)b")
@pytest.mark.parametrize("allowance", [1, 3, 6])
def test_the_movement_allowance_is_the_limit_of_a_commanders_move(field, allowance):
    battle = field(ROW, {"sgc-1": f"0101 2/0/0/5/{allowance}"}, phase="shogunate-move", idle=True)
    path = [f"01{column:02}" for column in range(2, 11)]
    assert battle.refused("move sgc-1 " + " ".join(path[: allowance + 1])) == "8(2)a"
    battle.do("move sgc-1 " + " ".join(path[:allowance]))
    assert battle.at("sgc-1") == f"01{allowance + 1:02}"


# --- 15-2-7-2(3)2: range, any number of units, one commander for each


@pytest.mark.clause("15-2-7-2(3)2a")
@pytest.mark.parametrize("reach", [0, 1, 2, 3])
@pytest.mark.parametrize("far", [0, 1, 2, 3, 4])
def test_the_range_of_command_is_counted_in_hexes(field, reach, far):
    """For all three at once: the commander is `far` hexes from his unit."""
    home = 6 - far
    units = {"sg-1": "0106 4-4-3-4", "sa-1": "0107 4-4-3-4", "sgc-1": f"01{home:02} {reach}/+2/+3/5/6"}
    helps = far <= reach
    shot = field(ROW, units, phase="shogunate-fire", idle=True)
    shot.do("fire sg-1 at sa-1", 1, 1)
    assert modifiers(shot, "fire") == ({"Lord sgc-1": 2} if helps else {})
    assert shot.facts("fire")["total"] == (4 if helps else 2)
    attack = field(ROW, units, phase="shogunate-melee", idle=True)
    attack.do("melee sg-1 at sa-1", 1, 1)
    assert modifiers(attack, "melee") == ({"Lord sgc-1": 3} if helps else {})
    units["sg-1"] += " disordered"
    check = field(ROW, units, phase="shogunate-move", idle=True)
    assert clause(check.why_not("recover sg-1 by sgc-1")) == (None if helps else "15-2-7-2(3)2a")
    check.do("recover sg-1", 5)
    assert check.facts("recover")["success"] is helps


@pytest.mark.clause("15-2-7-2(3)2a")
@pytest.mark.parametrize("more", [{"rivers": ("0301/0302",)}, {"ponds": ("0301/0302",)}, {}])
def test_neither_ground_nor_enemies_between_shorten_the_range(field, more):
    """R109: plain distance, in a line that bends as the hexes do."""
    rows = ". . . . . .\n . m ~ . . .\n. m t . . .\n . . . . . ."
    units = {"sg-1": "0304 4-4-3-4", "sa-1": "0404 4-4-3-4", "sa-2": "0202 4-4-3-4", "sgc-1": "0302 2/+1/0/5/6"}
    units |= {"sa-3": "0303 4-4-3-4"}
    battle = field(rows, units, phase="shogunate-fire", idle=True, **more)
    battle.do("fire sg-1 at sa-1", 1, 1)
    assert modifiers(battle, "fire") == {"Lord sgc-1": 1}


@pytest.mark.clause("15-2-7-2(3)2a", "13-2(3)", "7(1)")
def test_a_commander_serves_from_the_moment_in_which_he_is_in_range(field):
    """R109: before he moves he doesn't, then he does, in the same phase."""
    units = {"sg-1": "0105 4-4-3-4 disordered", "sg-2": "0106 4-4-3-4 disordered", "sgc-1": "received 1/0/0/6/6"}
    battle = field(ROW, units, phase="shogunate-move", entry="0101", idle=True)
    assert clause(battle.why_not("recover sg-1 by sgc-1")) == "15-2-7-2(3)2a"
    battle.do("recover sg-2", 6)
    assert battle.facts("recover")["success"] is False
    battle.do("enter sgc-1 move 0102 0103 0104")
    battle.do("recover sg-1", 6)
    assert battle.facts("recover") == {
        "unit": "sg-1", "at": "0105", "die": 6, "morale": 6, "success": True, "by": "sgc-1"
    }  # fmt: skip


@pytest.mark.clause("15-2-7-2(3)2a")
@pytest.mark.parametrize("where", ["received", "removed", "cup"])
def test_a_commander_off_the_map_lends_nothing(field, where):
    units = {"sg-1": "0101 4-4-3-4", "sa-1": "0102 4-4-3-4", "sgc-1": f"{where} 3/+2/+2/5/6"}
    battle = field(ROW, units, phase="shogunate-fire", entry="0103", idle=True)
    assert clause(battle.why_not("fire sg-1 at sa-1 by sgc-1")) == "15-2-7-2(3)2a"
    battle.do("fire sg-1 at sa-1", 1, 1)
    assert modifiers(battle, "fire") == {}


@pytest.mark.clause("15-2-7-2(3)2a")
def test_an_enemy_commander_or_a_combat_unit_cannot_be_named(field):
    units = {"sg-1": "0101 4-4-3-4", "sg-2": "0103 4-4-3-4", "sa-1": "0102 4-4-3-4", "sac-1": "0102 3/+2/+2/5/6"}
    battle = field(ROW, units, phase="shogunate-fire", idle=True)
    for other in ("sac-1", "sg-2", "sg-1"):
        assert battle.refused(f"fire sg-1 at sa-1 by {other}") == "15-2-7-2(3)2a"
    battle.do("fire sg-1 at sa-1", 3, 3)
    assert modifiers(battle, "fire") == {}


@pytest.mark.clause("15-2-7-2(3)2b")
@pytest.mark.parametrize(("phase", "word"), [("shogunate-fire", "fire"), ("shogunate-melee", "melee")])
def test_one_commander_helps_any_number_of_units_in_a_phase(field, phase, word):
    units = {f"sg-{n}": f"020{n} 4-4-3-4" for n in (1, 2, 3)} | {f"sa-{n}": f"030{n} 9-9-6-4" for n in (1, 2, 3)}
    battle = field(FLAT, {**units, "sgc-1": "0202 1/+1/+1/5/6"}, phase=phase, idle=True)
    for n in (1, 2, 3):
        battle.do(f"{word} sg-{n} at sa-{n}", 1, 1)
        assert modifiers(battle, word) == {"Lord sgc-1": 1}


@pytest.mark.clause("15-2-7-2(3)2b", "15-2-7-2(3)5")
def test_one_commander_helps_any_number_of_units_recover(field):
    units = {f"sg-{n}": f"020{n} 4-4-1-4 disordered" for n in (1, 2, 3, 4)}
    battle = field(FLAT, {**units, "sgc-1": "0202 1/0/0/6/6"}, phase="shogunate-move", idle=True)
    for n in (1, 2, 3, 4):
        battle.do(f"recover sg-{n}", 6)
        assert battle.facts("recover")["success"] is (n < 4)


LORDS = {"sgc-1": "0101 3/+1/+2/3/6", "sgc-2": "0102 3/+2/+1/4/6", "sgc-3": "0103 3/0/+2/6/6"}
"""Three commanders with 0104 in range: the second is best for fire, the first and third for attack, the third for
morale."""


@pytest.mark.clause("15-2-7-2(3)2c", "15-2-7-2(3)3", "15-2-7-2(3)4a")
@pytest.mark.parametrize(
    ("word", "by", "value"),
    [
        ("fire", "", {"Lord sgc-2": 2}),
        ("fire", " by sgc-1", {"Lord sgc-1": 1}),
        ("fire", " by sgc-2", {"Lord sgc-2": 2}),
        ("fire", " by sgc-3", {}),
        ("fire", " by none", {}),
        ("melee", "", {"Lord sgc-1": 2}),  # a tie goes by id
        ("melee", " by sgc-1", {"Lord sgc-1": 2}),
        ("melee", " by sgc-2", {"Lord sgc-2": 1}),
        ("melee", " by sgc-3", {"Lord sgc-3": 2}),
        ("melee", " by none", {}),
    ],
)
def test_the_values_of_one_commander_count_whom_the_player_may_name(field, word, by, value):
    """R111: the best where none is named; never two together."""
    units = {"sg-1": "0104 4-4-3-4", "sa-1": "0105 4-4-6-4", **LORDS}
    battle = field(ROW, units, phase=f"shogunate-{word}", idle=True)
    battle.do(f"{word} sg-1 at sa-1{by}", 1, 1)
    assert modifiers(battle, word) == value
    assert battle.facts(word)["total"] == 2 + sum(value.values())


@pytest.mark.clause("15-2-7-2(3)2c", "15-2-7-2(3)5")
@pytest.mark.parametrize(
    ("by", "morale"), [("", 6), (" by sgc-1", 5), (" by sgc-2", 5), (" by sgc-3", 6), (" by none", 5)]
)
def test_a_commander_is_named_for_a_recovery_and_the_better_morale_counts(field, by, morale):
    """The unit's own is 5: it may always be kept."""
    units = {"sg-1": "0104 4-4-5-4 disordered", **LORDS}
    battle = field(ROW, units, phase="shogunate-move", idle=True)
    battle.do(f"recover sg-1{by}", 6)
    assert (battle.facts("recover")["morale"], battle.facts("recover")["success"]) == (morale, morale == 6)


@pytest.mark.clause("15-2-7-2(3)2c")
@pytest.mark.parametrize("word", ["fire", "melee"])
def test_who_was_named_and_is_out_of_range_when_the_dice_are_due_is_replaced(field, word):
    """R111: an order that was given before is carried out by the best there is, and the report says so."""
    units = {"sg-1": "0104 4-4-3-4", "sa-1": "0105 4-4-6-4", **LORDS, "sgc-4": "0108 2/+3/+3/6/6"}
    battle = field(ROW, units, phase=f"shogunate-{word}", idle=True)
    order = battle.order(f"{word} sg-1 at sa-1 by sgc-4")
    assert battle.request.why_not(order).clause == "15-2-7-2(3)2a"
    left, told = bakumatsu.remainder(battle.state, "shogunate", order)
    assert left == battle.order(f"{word} sg-1 at sa-1")
    assert [(tell.what, tell.clause, tell.facts["unit"]) for tell in told] == [("drop", "15-2-7-2(3)2a", "sgc-4")]
    assert bakumatsu.remainder(battle.state, "shogunate", battle.order(f"{word} sg-1 at sa-1 by sgc-1")) is None


@pytest.mark.clause("15-2-7-2(3)2c", "15-2-7-2(3)5")
def test_so_it_is_for_a_recovery(field):
    units = {"sg-1": "0104 4-4-3-4 disordered", "sg-2": "0105 4-4-3-4", **LORDS, "sgc-4": "0108 2/+3/+3/6/6"}
    battle = field(ROW, units, phase="shogunate-move", idle=True)
    left, told = bakumatsu.remainder(battle.state, "shogunate", battle.order("recover sg-1 by sgc-4"))
    assert left == battle.order("recover sg-1")
    assert [(tell.what, tell.facts["unit"]) for tell in told] == [("drop", "sgc-4")]
    for legal_or_hopeless in ("recover sg-1 by sgc-3", "recover sg-1 by none", "recover sg-2 by sgc-4"):
        assert bakumatsu.remainder(battle.state, "shogunate", battle.order(legal_or_hopeless)) is None


# --- 15-2-7-2(3)3: fire


@pytest.mark.clause("15-2-7-2(3)3", "9-2(4)0", "9-2(5)0a")
@pytest.mark.parametrize(("modifier", "total", "result"), [(0, 6, "-"), (1, 7, "-"), (2, 8, "D"), (3, 9, "D")])
def test_the_fire_modifier_is_added_to_the_dice(field, tables, modifier, total, result):
    """Strength 2 needs an 8 for D in our table."""
    units = {"sg-1": "0101 2-4-3-4", "sa-1": "0102 4-4-3-4", "sgc-1": f"0101 0/{modifier}/0/5/6"}
    battle = field(ROW, units, phase="shogunate-fire", idle=True)
    battle.do("fire sg-1 at sa-1", 2, 4)
    facts = battle.facts("fire")
    cell = tables["fire_results_table"]["rows_modified_2d6"][str(total)]
    assert (facts["total"], facts["strength"]) == (total, 2)
    assert facts["result"] == cell[tables["fire_results_table"]["columns_total_fire_strength"].index("2")] == result


@pytest.mark.clause("15-2-7-2(3)3", "9-2(4)1a")
def test_it_is_added_with_the_modifiers_of_the_ground_before_the_row_is_looked_up(field):
    units = {"sg-1": "0101 4-4-3-4", "sa-1": "0102 4-4-3-4", "sgc-1": "0101 0/+2/0/5/6"}
    battle = field(". m .", units, phase="shogunate-fire", idle=True)
    battle.do("fire sg-1 at sa-1", 6, 6)
    assert modifiers(battle, "fire") == {"mountain": -2, "Lord sgc-1": 2}
    assert (battle.facts("fire")["total"], battle.facts("fire")["result"]) == (12, "DD")


@pytest.mark.clause("15-2-7-2(3)3", "9-2(3)")
def test_the_range_is_counted_to_the_main_firing_unit_and_not_to_supporters(field):
    """Ruling R110."""
    units = {"sg-1": "0203 4-4-3-4", "sg-2": "0201 4-4-3-4", "sa-1": "0202 4-4-6-4", "sgc-1": "0204 1/+1/+1/5/6"}
    for word in ("fire", "melee"):
        battle = field(FLAT, units, phase=f"shogunate-{word}", idle=True)
        assert clause(battle.why_not(f"{word} sg-2 at sa-1 with sg-1 by sgc-1")) == "15-2-7-2(3)2a"
        assert battle.why_not(f"{word} sg-1 at sa-1 with sg-2 by sgc-1") is None
        battle.do(f"{word} sg-2 at sa-1 with sg-1", 1, 1)
        assert modifiers(battle, word) == {}
        other = field(FLAT, units, phase=f"shogunate-{word}", idle=True)
        other.do(f"{word} sg-1 at sa-1 with sg-2", 1, 1)
        assert modifiers(other, word) == {"Lord sgc-1": 1}


@pytest.mark.clause("15-2-7-2(3)3", "12(2)a")
def test_a_gun_at_distance_has_its_commander_too_and_he_does_not_spot(field):
    """R116: a commander beside the target is no spotter."""
    units = {
        "sg-1": "0101 5-x-3-3 range 3",
        "sa-1": "0104 4-4-3-4",
        "sgc-1": "0102 1/+2/0/5/6",
        "sgc-2": "0103 0/0/0/5/6",
    }
    blind = field(ROW, units, phase="shogunate-fire", idle=True)
    assert blind.refused("fire sg-1 at sa-1") == "12(2)a"
    spotted = field(ROW, {**units, "sg-2": "0105 1-1-3-4"}, phase="shogunate-fire", idle=True)
    spotted.do("fire sg-1 at sa-1", 1, 1)
    assert modifiers(spotted, "fire") == {"Lord sgc-1": 2}


# --- 15-2-7-2(3)4: melee


@pytest.mark.clause("15-2-7-2(3)4a", "15-2-7-2(3)4b", "15-2-7-2(3)4c")
@pytest.mark.parametrize("attacker", [0, 1, 2])
@pytest.mark.parametrize("defender", [0, 1, 2])
def test_the_attackers_modifier_is_added_and_the_defenders_subtracted(field, attacker, defender):
    units = {
        "sg-1": "0104 4-4-3-4",
        "sa-1": "0105 4-4-6-4",
        "sgc-1": f"0103 1/0/{attacker}/1/6",
        "sac-1": f"0106 1/0/{defender}/1/6",
    }
    battle = field(ROW, units, phase="shogunate-melee", idle=True)
    battle.do("melee sg-1 at sa-1", 1, 1)
    assert battle.facts("melee")["total"] == 2 + attacker - defender
    expected = {"Lord sgc-1": attacker, "Lord sac-1": -defender}
    assert modifiers(battle, "melee") == {lord: value for lord, value in expected.items() if value}


@pytest.mark.clause("15-2-7-2(3)4b", "15-2-7-2(3)4a")
@pytest.mark.parametrize(("where", "value"), [("0105", -2), ("0106", -2), ("0107", -2), ("0108", 0)])
def test_the_defender_is_in_range_or_isnt(field, where, value):
    units = {"sg-1": "0104 4-4-3-4", "sa-1": "0105 4-4-6-4", "sac-1": f"{where} 2/0/+2/1/6"}
    battle = field(ROW, units, phase="shogunate-melee", idle=True)
    battle.do("melee sg-1 at sa-1 by none", 2, 2)
    assert battle.facts("melee")["total"] == 4 + value


@pytest.mark.clause("15-2-7-2(3)4a", "15-2-7-2(3)4b", "15-2-7-2(3)5")
def test_the_fire_modifier_has_no_part_in_melee_nor_the_melee_modifier_in_fire(field):
    units = {"sg-1": "0104 4-4-3-4", "sa-1": "0105 4-4-6-4", "sgc-1": "0104 2/+2/0/5/6", "sac-1": "0105 2/0/+2/1/6"}
    melee = field(ROW, units, phase="shogunate-melee", idle=True)
    melee.do("melee sg-1 at sa-1", 1, 1)
    assert modifiers(melee, "melee") == {"Lord sac-1": -2}
    fire = field(ROW, units, phase="shogunate-fire", idle=True)
    fire.do("fire sg-1 at sa-1", 1, 1)
    assert modifiers(fire, "fire") == {"Lord sgc-1": 2}


@pytest.mark.clause("15-2-7-2(3)4b", "15-2-7-2(3)2c", "15-2-7-2(3)5")
@pytest.mark.parametrize(
    ("own", "lords", "who", "value", "morale"),
    [
        (3, ("2/0/+2/1/6", "2/0/+1/5/6"), "sac-2", -1, 5),  # 2 + 0 against 1 + 2
        (4, ("2/0/+2/1/6", "2/0/+1/5/6"), "sac-1", -2, 4),  # 2 + 0 against 1 + 1: a tie, by id
        (5, ("2/0/+2/1/6", "2/0/+1/6/6"), "sac-1", -2, 5),  # 2 + 0 against 1 + 1
        (5, ("2/0/+1/1/6", "2/0/+2/1/6"), "sac-2", -2, 5),
        (3, ("2/0/0/5/6", "2/0/+1/3/6"), "sac-1", 0, 5),  # morale alone
        (6, ("2/0/0/5/6", "2/0/0/6/6"), None, 0, 6),  # nobody has anything to give
        (3, ("2/0/0/5/6", "0/0/+2/6/6"), "sac-1", 0, 5),  # the better one is out of range
    ],
)
def test_the_defenders_one_commander_counts_for_the_dice_and_for_the_check(field, own, lords, who, value, morale):
    """R111: melee modifier and gain of morale together; the check has the same commander."""
    units = {
        "sg-1": "0104 4-9-3-4",
        "sa-1": f"0105 4-4-{own}-4",
        "sac-1": f"0106 {lords[0]}",
        "sac-2": f"0107 {lords[1]}",
    }
    battle = field(ROW, units, phase="shogunate-melee", idle=True)
    battle.do("melee sg-1 at sa-1", 4, 4, 1)
    assert battle.facts("melee")["total"] == 8 + value
    facts = battle.facts("check")
    assert facts["morale"] == morale
    assert facts.get("by") == who


@pytest.mark.clause("15-2-7-2(3)4c", "15-2-7-2(3)5", "10-2(7)")
@pytest.mark.parametrize(("die", "passed"), [(1, True), (2, True), (3, True), (4, False), (5, False)])
def test_both_commanders_of_an_example(field, die, passed):
    """6 with a supporter against 4 on a hill, +2 against +1: +3, dice 7 - 1 + 2 - 1 = 7, M2; morale 5 in place of 4."""
    rows = ". . . . .\n . . h . .\n. . . . ."
    units = {
        "sa-1": "0202 4-6-3-4",
        "sa-2": "0103 4-2-3-4",
        "sac-1": "0201 1/0/+2/4/6",
        "sg-1": "0203 4-4-4-4",
        "sgc-1": "0204 1/0/+1/5/6",
    }
    battle = field(rows, units, phase="satcho-melee", idle=True)
    battle.do("melee sa-1 at sg-1 with sa-2", 3, 4, die)
    facts = battle.facts("melee")
    assert (facts["difference"], facts["total"], facts["result"]) == (3, 7, "M2")
    assert modifiers(battle, "melee") == {"hill": -1, "Lord sac-1": 2, "Lord sgc-1": -1}
    check = {"unit": "sg-1", "die": die, "add": 2, "morale": 5, "passed": passed, "by": "sgc-1"}
    assert battle.facts("check") == check


@pytest.mark.clause("15-2-7-2(3)5", "7(1)", "7(2)a", "7(2)b")
@pytest.mark.parametrize("own", [3, 5])
@pytest.mark.parametrize("lord", [1, 4, 5, 6])
@pytest.mark.parametrize("die", [3, 4, 5, 6])
def test_a_unit_may_recover_with_the_morale_of_its_commander(field, own, lord, die):
    units = {"sg-1": f"0101 4-4-{own}-4 disordered", "sgc-1": f"0102 1/0/0/{lord}/6"}
    kept = field(ROW, units, phase="shogunate-move", idle=True)
    kept.do("recover sg-1 by none", die)
    assert (kept.facts("recover")["morale"], kept.facts("recover")["success"]) == (own, die <= own)
    helped = field(ROW, units, phase="shogunate-move", idle=True)
    helped.do("recover sg-1", die)
    assert helped.facts("recover")["success"] is (die <= max(own, lord))
    assert helped.facts("recover").get("by") == ("sgc-1" if lord > own else None)
    assert ("normal" in helped.words("sg-1")) is (die <= max(own, lord))


@pytest.mark.clause("15-2-7-2(3)5", "10-2(7)", "10-2(8)2")
@pytest.mark.parametrize(
    ("die", "lord", "gone"), [(3, 3, False), (4, 3, True), (4, 4, False), (5, 4, True), (6, 6, False)]
)
def test_a_defender_may_check_with_the_morale_of_its_commander(field, die, lord, gone):
    """M0; the unit's own morale is 3, and it is disordered already."""
    units = {"sg-1": "0104 4-4-3-4", "sa-1": "0105 4-4-3-4 disordered", "sac-1": f"0107 2/0/0/{lord}/6"}
    battle = field(ROW, units, phase="shogunate-melee", idle=True)
    battle.do("melee sg-1 at sa-1", 3, 3, die)
    assert (battle.at("sa-1") is None) is gone
    assert battle.facts("check")["morale"] == lord


@pytest.mark.clause("15-2-7-2(3)5", "12(4)")
def test_artillery_checks_no_morale_in_melee_whoever_commands_it(field):
    units = {"sg-1": "0104 4-4-3-4", "sa-1": "0105 5-x-3-3 range 3", "sac-1": "0106 1/0/0/6/6"}
    battle = field(ROW, units, phase="shogunate-melee", idle=True)
    battle.do("melee sg-1 at sa-1", 3, 3)
    assert battle.at("sa-1") is None
