"""Victory hexes and the end of the game (rulebook 14), clause by clause, on small fields."""

from __future__ import annotations

import pytest

from pbem.errors import BadScenario, IllegalAnswer
from pbem.match.game import Game
from pbem.rules import bakumatsu, rules_of

FLAT = """
    . . . . . .
     . . . . . .
    . . . . . .
     . . . . . .
    . . . . . .
"""
SEVEN = "0101 0102 0103 0104 0105 0106 0203"
"""Seven victory hexes of the field, 0203 last."""


def controls(battle, number):
    return battle.state.control[battle.hex(number)]


def control_events(battle):
    return [(t.facts["hex"], t.facts["from"], t.facts["side"]) for t in battle.told if t.what == "control"]


# 14(0) and 14(1): the victory hexes and who controls them at the start


@pytest.mark.clause("14(0)")
@pytest.mark.parametrize(("take", "more"), [(1, []), (0, ["0101"])])
def test_twelve_or_fourteen_victory_hexes_are_refused(field_data, take, more):
    data = field_data(FLAT, {"sg-1": "setup 4-4-3-4", "sa-1": "setup 4-4-3-4"})
    held = data["scenario"]["control"]["shogunate"]
    assert len(held) == 13
    assert len(bakumatsu.board(data).control) == 13
    data["scenario"]["control"] = {"shogunate": [*held[take:], *more]}
    data["maps"]["field"]["victory"]["hexes"] = {"shogunate": " ".join([*held[take:], *more])}
    with pytest.raises(BadScenario, match="13"):
        bakumatsu.board(data)


@pytest.mark.clause("14(1)")
@pytest.mark.parametrize(("satcho", "shogunate"), [("0203", "0101 0102"), ("0101 0102", "0203")])
def test_the_scenario_says_who_controls_a_victory_hex_at_the_start(field, satcho, shogunate):
    battle = field(FLAT, {}, phase="shogunate-move", control={"satcho": satcho, "shogunate": shogunate}, idle=True)
    held = {
        side: {battle.board.label[h] for h, s in battle.state.control.items() if s == side}
        for side in battle.board.side
    }
    assert held["satcho"] == set(satcho.split())
    assert set(shogunate.split()) <= held["shogunate"]
    sides = {entry["side"]: entry["count"] for entry in bakumatsu.situation(battle.state)["progress"]}
    assert sides == {"satcho": len(satcho.split()), "shogunate": 13 - len(satcho.split())}


# 14(2) and 14(3): control passes by entering and stays


@pytest.mark.clause("14(2)")
@pytest.mark.parametrize(
    ("order", "end"),
    [("move sg-1 0202 0203", "0203"), ("move sg-1 0202 0203 0204", "0204"), ("march sg-1 0202 0203 0204", "0204")],
)
def test_a_unit_takes_a_victory_hex_by_entering_it_also_in_passing(field, order, end):
    """Ruling R64."""
    units = {"sg-1": "0201 4-4-3-4"}
    battle = field(
        FLAT, units, phase="shogunate-move", control={"satcho": "0203"}, roads=("0201 0202 0203 0204",), idle=True
    )
    assert controls(battle, "0203") == "satcho"
    battle.do(order)
    assert battle.at("sg-1") == end
    assert controls(battle, "0203") == "shogunate"
    assert control_events(battle) == [("0203", "satcho", "shogunate")]


@pytest.mark.clause("14(2)")
def test_passing_beside_a_victory_hex_takes_nothing(field):
    battle = field(FLAT, {"sg-1": "0201 4-4-3-4"}, phase="shogunate-move", control={"satcho": "0203"}, idle=True)
    battle.do("move sg-1 0202 0103 0104")
    assert controls(battle, "0203") == "satcho"
    assert control_events(battle) == []


@pytest.mark.clause("14(2)")
def test_a_unit_that_enters_its_own_victory_hex_changes_nothing(field):
    battle = field(FLAT, {"sg-1": "0202 4-4-3-4"}, phase="shogunate-move", control={"shogunate": "0203"}, idle=True)
    battle.do("move sg-1 0203")
    assert controls(battle, "0203") == "shogunate"
    assert control_events(battle) == []


@pytest.mark.clause("14(2)")
def test_a_disordered_unit_takes_a_victory_hex_too(field):
    units = {"sa-1": "0202 4-4-3-4 disordered"}
    battle = field(FLAT, units, phase="satcho-move", control={"shogunate": "0203"}, idle=True)
    battle.do("move sa-1 0203")
    assert controls(battle, "0203") == "satcho"


@pytest.mark.clause("14(2)")
def test_a_reinforcement_takes_a_victory_hex_on_its_entry_hex(field):
    """Lost before to an enemy who, by the rules, would have won there: the entry still counts as entering."""
    battle = field(
        FLAT, {"sg-1": "received 4-4-3-4"}, phase="shogunate-move", control={"satcho": "0101"}, entry="0101", idle=True
    )
    battle.do("enter sg-1")
    assert controls(battle, "0101") == "shogunate"


@pytest.mark.clause("14(3)")
def test_control_stays_when_the_unit_leaves_and_goes_when_an_enemy_enters(field):
    """Ruling R64."""
    units = {"sg-1": "0203 4-4-3-4", "sa-1": "0402 4-4-3-4"}
    battle = field(FLAT, units, phase="shogunate-move", control={"satcho": "0203"}, idle=True)
    assert controls(battle, "0203") == "satcho"  # standing there from the beginning isn't entering
    battle.do("move sg-1 0103")
    assert controls(battle, "0203") == "satcho"
    for _ in range(6):
        battle.do("done")
    assert (battle.phase, battle.state.turn) == ("shogunate-move", 2)
    battle.do("move sg-1 0203")
    assert controls(battle, "0203") == "shogunate"
    for _ in range(6):
        battle.do("done")
    assert (battle.phase, battle.state.turn) == ("shogunate-move", 3)
    battle.do("move sg-1 0204 0205")
    assert controls(battle, "0203") == "shogunate"
    for _ in range(3):
        battle.do("done")
    assert battle.phase == "satcho-move"
    battle.do("move sa-1 0303 0203")
    assert control_events(battle) == [("0203", "shogunate", "satcho")]
    assert controls(battle, "0203") == "satcho"


@pytest.mark.clause("14(3)")
def test_a_removed_unit_leaves_its_control_behind(field):
    units = {"sg-1": "0303 4-4-3-4 disordered", "sa-1": "0302 4-4-3-4"}
    battle = field(FLAT, units, phase="satcho-fire", control={"shogunate": "0303"}, idle=True)
    battle.do("fire sa-1 at sg-1", 6, 6)
    assert battle.at("sg-1") is None
    assert controls(battle, "0303") == "shogunate"


# 14(4)1: the entry hex


@pytest.mark.clause("14(4)1")
@pytest.mark.parametrize("order", ["move sa-1 0202 0203", "move sa-1 0202 0203 0204", "march sa-1 0202 0203 0204"])
def test_an_enemy_in_the_entry_hex_ends_the_game_at_once(field, order):
    """Also in passing, and though the Shogunate holds all victory hexes (R66)."""
    units = {"sa-1": "0201 4-4-3-4", "sa-2": "0401 4-4-3-4", "sg-1": "0501 4-4-3-4"}
    battle = field(FLAT, units, phase="satcho-move", entry="0203", roads=("0201 0202 0203 0204",), idle=True)
    battle.do(order)
    assert battle.outcome is not None
    assert (battle.outcome.winner, battle.outcome.clause) == ("satcho", "14(4)1")
    assert "0203" in battle.outcome.reason
    assert battle.at("sa-1") == "0203"
    assert battle.facts("move")["path"] == ["0202", "0203"]
    assert battle.facts("end") == dict(battle.outcome._asdict())
    assert battle.request is None
    with pytest.raises(IllegalAnswer, match="over"):
        battle.game.apply(bakumatsu.read_order(battle.board, "satcho", ("move", "sa-2", "0402")))


@pytest.mark.clause("14(4)1")
def test_an_enemy_beside_the_entry_hex_ends_nothing(field):
    battle = field(FLAT, {"sa-1": "0201 4-4-3-4"}, phase="satcho-move", entry="0203", idle=True)
    battle.do("move sa-1 0202")
    assert battle.outcome is None
    assert battle.request.kind == "move"


@pytest.mark.clause("14(4)1")
@pytest.mark.parametrize("order", ["move sg-1 0203", "move sg-1 0203 0204", "enter sg-2"])
def test_a_player_may_use_his_own_entry_hex(field, order):
    """Ruling R63."""
    units = {"sg-1": "0202 4-4-3-4", "sg-2": "received 4-4-3-4"}
    battle = field(FLAT, units, phase="shogunate-move", entry="0203", idle=True)
    battle.do(order)
    assert battle.outcome is None
    assert battle.request.kind == "move"


@pytest.mark.clause("14(4)1", "10-2(9)a")
@pytest.mark.parametrize(("flag", "over"), [(" advance", True), ("", False)])
def test_an_advance_into_the_entry_hex_wins(field, flag, over):
    """Ruling R46."""
    units = {"sa-1": "0302 4-4-3-4", "sg-1": "0303 4-4-3-4 disordered"}
    battle = field(FLAT, units, phase="satcho-melee", entry="0303", idle=True)
    battle.do("melee sa-1 at sg-1" + flag, 6, 6, 6)
    assert (battle.outcome is not None) is over
    if over:
        assert (battle.outcome.winner, battle.outcome.clause) == ("satcho", "14(4)1")
        assert battle.events()[-2:] == ["advance", "end"]


@pytest.mark.clause("14(4)1", "10-2(9)a")
@pytest.mark.parametrize("advance", ["", " advance"])
def test_nobody_advances_after_a_retreat_into_the_entry_hex(field, advance):
    units = {"sg-1": "0202 9-9-3-4", "sa-1": "0203 1-1-1-4", "sg-2": "0103 4-4-3-4"}
    battle = field(FLAT, units, phase="shogunate-melee", entry="0304", idle=True)
    battle.do(f"melee sg-1 at sa-1{advance}", 6, 6, 6)
    if battle.outcome is None:
        battle.do("retreat sa-1 0304")
    assert battle.outcome[:2] == ("satcho", "14(4)1")
    assert (battle.at("sa-1"), battle.at("sg-1")) == ("0304", "0202")
    assert battle.events()[-1] == "end"


@pytest.mark.clause("14(4)1", "14(4)2")
def test_the_entry_hex_in_the_last_phase_comes_before_any_count(field):
    """Ruling R66."""
    units = {"sa-1": "0302 4-4-3-4", "sg-1": "0303 4-4-3-4 disordered"}
    battle = field(FLAT, units, phase="satcho-melee", turn=8, entry="0303")
    battle.do("melee sa-1 at sg-1 advance", 6, 6, 6)
    assert (battle.outcome.winner, battle.outcome.clause) == ("satcho", "14(4)1")
    assert battle.events().count("end") == 1


@pytest.mark.clause("14(4)1")
def test_an_entry_hex_of_the_other_side_counts_as_well(field_data):
    """Toba-Fushimi gives Satsuma-Choshu none; a map that does is played by the same rule (R62)."""
    data = field_data(FLAT, {"sg-1": "0201 4-4-3-4", "sa-1": "0501 4-4-3-4"})
    data["scenario"]["sides"][1]["entry"] = "0202"
    board = bakumatsu.board(data)
    state = bakumatsu.start(board, {})
    state.put("sg-1", board.map.parse("0201"))
    state.put("sa-1", board.map.parse("0501"))
    state.phase, state.opened = 1, True
    game = Game(rules_of("bakumatsu"), board, state)
    game.apply(bakumatsu.read_order(board, "shogunate", ("move", "sg-1", "0202")))
    assert (game.outcome.winner, game.outcome.clause) == ("shogunate", "14(4)1")


# 14(4)2: the count at the end


@pytest.mark.clause("14(4)2")
@pytest.mark.parametrize(("count", "winner"), [(0, "shogunate"), (6, "shogunate"), (7, "satcho"), (13, "satcho")])
def test_seven_victory_hexes_win_at_the_end_of_the_last_turn(field, count, winner):
    hexes = (SEVEN + " 0301 0302 0303 0304 0305 0306").split()[:count]
    battle = field(FLAT, {}, phase="satcho-melee", turn=8, control={"satcho": " ".join(hexes)}, idle=True)
    battle.do("done")
    assert battle.outcome is not None
    assert (battle.outcome.winner, battle.outcome.clause) == (winner, "14(4)2")
    assert str(count if winner == "satcho" else 13 - count) in battle.outcome.reason
    assert battle.request is None


@pytest.mark.clause("14(4)2")
@pytest.mark.parametrize(("phase", "turn"), [("satcho-melee", 7), ("shogunate-fire", 8), ("shogunate-melee", 8)])
def test_seven_victory_hexes_win_nothing_before_the_end_of_the_last_turn(field, phase, turn):
    """Ruling R65."""
    battle = field(FLAT, {}, phase=phase, turn=turn, control={"satcho": SEVEN}, idle=True)
    battle.do("done")
    assert battle.outcome is None
    assert battle.request is not None


@pytest.mark.clause("14(4)2", "14(2)")
@pytest.mark.parametrize(("flag", "winner"), [(" advance", "satcho"), ("", "shogunate")])
def test_the_seventh_hex_may_be_taken_in_the_very_last_melee(field, flag, winner):
    units = {"sa-1": "0202 4-4-3-4", "sg-1": "0203 4-4-3-4 disordered"}
    control = {"satcho": SEVEN.removesuffix(" 0203"), "shogunate": "0203"}
    battle = field(FLAT, units, phase="satcho-melee", turn=8, control=control)
    battle.do("melee sa-1 at sg-1" + flag, 6, 6, 6)
    assert (battle.outcome.winner, battle.outcome.clause) == (winner, "14(4)2")


@pytest.mark.clause("14(4)2")
def test_a_side_without_units_has_not_lost_for_that(field):
    """Ruling R67."""
    battle = field(FLAT, {"sa-1": "0201 4-4-3-4"}, phase="satcho-move", turn=7, control={"satcho": "0203"})
    battle.do("move sa-1 0202")
    assert (battle.phase, battle.state.turn) == ("satcho-move", 8)
    battle.do("done")
    assert (battle.outcome.winner, battle.outcome.clause) == ("shogunate", "14(4)2")
