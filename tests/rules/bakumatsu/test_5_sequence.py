"""Chapter 5, the sequence of play: six phases a turn, whose they are, what may be done in them, and the end."""

from __future__ import annotations

import pytest

from pbem.errors import IllegalAnswer
from pbem.rules import bakumatsu
from pbem.rules.requests import Choose, Outcome

PLAIN = """
    . . . . . .
     . . . . . .
    . . . . . .
"""

UNITS = {
    "sg-1": "0101 4-3-3-4",  # these two face each other
    "sa-1": "0102 6-5-5-5",
    "sg-2": "0301 4-3-3-4 disordered",
    "sa-2": "0305 6-5-5-5 disordered",
}

ORDERS = {
    "shogunate-move": ["recover sg-2", "move sg-2 0302"],
    "satcho-fire": ["fire sa-1 at sg-1"],
    "shogunate-melee": ["melee sg-1 at sa-1", "melee sg-1 at sa-1 advance"],
    "satcho-move": ["recover sa-2", "move sa-2 0306"],
    "shogunate-fire": ["fire sg-1 at sa-1"],
    "satcho-melee": ["melee sa-1 at sg-1"],
}
"""Phase -> orders that are legal in it and in no other."""

PHASES = tuple(ORDERS)
CLAUSES = dict(zip(PHASES, ("5-1.1", "5-1.2", "5-1.3", "5-2.4", "5-2.5", "5-2.6"), strict=True))
OWNER = {"move": "8(0)", "recover": "7(0)", "fire": "9-1(0)", "melee": "10-1(0)"}
"""Keyword -> the clause that keeps a side from giving the other's orders."""


@pytest.mark.clause("5-1.1", "5-1.2", "5-1.3", "5-2.4", "5-2.5", "5-2.6", "5(0)a")
@pytest.mark.parametrize("phase", PHASES)
def test_a_phase_takes_the_orders_of_its_side_and_kind_only(field, phase):
    """R8: orders for another phase are refused."""
    battle = field(PLAIN, UNITS, phase=phase)
    side, kind = phase.split("-")
    assert (battle.request.side, battle.request.kind, battle.request.clause) == (side, kind, CLAUSES[phase])
    for other, orders in ORDERS.items():
        for order in orders:
            if other == phase:
                assert battle.why_not(order) is None, order
            elif other.split("-")[1] == kind:
                assert battle.refused(order) == OWNER[order.split()[0]], order
            else:
                assert battle.refused(order) == "5(0)a", order
    assert battle.refused("setup sg-1 0106") == "5(0)a"
    assert battle.refused("retreat sg-1 0201") == "5(0)a"
    assert battle.why_not("done") is None


@pytest.mark.clause("5(0)a", "5(0)b", "5-1(0)", "5-2(0)", "5-2(0)end", "15-1(0)")
def test_the_phases_follow_one_another_and_the_next_turn_follows_the_sixth(field):
    battle = field(PLAIN, UNITS, phase="shogunate-move", idle=True)
    for turn in (1, 2, 3):
        for number, phase in enumerate(PHASES, 1):
            assert bakumatsu.clock(battle.state) == (turn, phase)
            assert battle.state.phase == number
            assert battle.request.side == bakumatsu.situation(battle.state)["active"] == phase.split("-")[0]
            told = battle.do("done")
            following = PHASES[number % 6]
            assert [tell.facts for tell in told if tell.what == "phase"] == [
                {"turn": turn + (number == 6), "phase": following}
            ]
    assert bakumatsu.clock(battle.state) == (4, "shogunate-move")


@pytest.mark.clause("5(0)b", "6(5)a")
def test_a_phase_in_which_nobody_can_act_is_over_at_once(field):
    """R9: nobody is asked when no unit can do anything legal."""
    battle = field(PLAIN, {"sg-1": "0101 4-3-3-4", "sa-1": "0106 6-5-5-5"}, phase="shogunate-move")
    told = battle.do("done")
    assert [tell.facts["phase"] for tell in told] == ["satcho-fire", "shogunate-melee", "satcho-move"]
    assert battle.phase == "satcho-move"


@pytest.mark.clause("5-2(0)stop", "15-1-1(0)")
@pytest.mark.parametrize(("turn", "ends"), [(7, False), (8, True)])
def test_the_game_ends_after_the_sixth_phase_of_the_last_turn(field, turn, ends):
    """R65: thirteen hexes win nothing before."""
    battle = field(PLAIN, UNITS, phase="shogunate-fire", turn=turn, idle=True)
    battle.do("done")
    assert battle.outcome is None
    assert bakumatsu.clock(battle.state) == (turn, "satcho-melee")
    battle.do("done")
    if ends:
        assert (battle.outcome.winner, battle.outcome.clause) == ("shogunate", "14(4)2")
        assert bakumatsu.clock(battle.state) == (8, "satcho-melee")
        assert battle.events() == ["end"]
        assert battle.request is None
        with pytest.raises(IllegalAnswer, match="over"):
            battle.game.apply(bakumatsu.read_order(battle.board, "shogunate", ("done",)))
    else:
        assert (battle.outcome, bakumatsu.clock(battle.state)) == (None, (8, "shogunate-move"))


@pytest.mark.clause("5-2(0)stop")
@pytest.mark.parametrize("turns", [1, 3, 14])
def test_the_number_of_turns_is_the_scenarios(field, turns):
    battle = field(PLAIN, UNITS, phase="satcho-melee", turn=turns, turns=turns, idle=True)
    before = field(PLAIN, UNITS, phase="satcho-melee", turn=turns, turns=turns + 1, idle=True)
    battle.do("done")
    before.do("done")
    assert battle.outcome is not None
    assert (before.outcome, before.state.turn) == (None, turns + 1)


@pytest.mark.clause("5-2(0)stop", "14(4)2")
@pytest.mark.parametrize(("count", "winner"), [(6, "shogunate"), (7, "satcho")])
def test_who_holds_seven_hexes_at_the_end_has_won(field, count, winner):
    hexes = " ".join(["0103", "0104", "0105", "0106", "0201", "0202", "0203"][:count])
    battle = field(PLAIN, UNITS, phase="satcho-melee", turn=8, idle=True, control={"satcho": hexes})
    battle.do("done")
    assert battle.outcome.winner == winner


@pytest.mark.clause("5-2(0)stop", "14(4)1")
def test_an_entry_hex_taken_in_the_last_phase_wins_before_the_hexes_are_counted(field):
    """R66: the game ends at that step."""
    units = {"sg-1": "0102 4-4-3-4 disordered", "sa-1": "0103 4-4-5-5"}
    battle = field(". . .", units, phase="satcho-melee", turn=8, idle=True, entry="0102", control={"shogunate": "0102"})
    battle.do("melee sa-1 at sg-1 advance", 3, 4, 4)
    assert battle.outcome[:2] == ("satcho", "14(4)1")
    assert battle.state.at["sa-1"] == battle.hex("0102")
    assert battle.request is None
    assert battle.events()[-1] == "end"

    stays = field(". . .", units, phase="satcho-melee", turn=8, idle=True, entry="0102", control={"shogunate": "0102"})
    stays.do("melee sa-1 at sg-1", 3, 4, 4)
    assert stays.outcome is None
    stays.do("done")
    assert stays.outcome[:2] == ("shogunate", "14(4)2")


@pytest.mark.clause("5-2(0)stop")
def test_a_side_without_units_has_not_lost(field):
    """R67: play goes on, and only the other side is asked."""
    battle = field(PLAIN, {"sg-1": "0102 4-4-3-4 disordered", "sa-1": "0103 4-4-5-5"}, phase="satcho-melee", turn=6)
    battle.do("melee sa-1 at sg-1", 3, 4, 4)
    assert battle.state.stands["shogunate"] == {}
    assert battle.outcome is None
    assert bakumatsu.clock(battle.state) == (7, "satcho-move")
    battle.do("done")
    assert bakumatsu.clock(battle.state) == (8, "satcho-move")
    assert isinstance(battle.request, Choose)
    battle.do("done")
    assert isinstance(battle.outcome, Outcome)
    assert battle.outcome.clause == "14(4)2"
