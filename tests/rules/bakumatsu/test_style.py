"""Rules of thumb with weights: each weight turns a choice; what holds for all of them: who comes on, the last turn."""

from __future__ import annotations

import random

import pytest

from pbem.rules import bakumatsu
from pbem.rules.bakumatsu.style import PORTFOLIO, Style

ROW = ". . . . . . . . . ."
HILL = ". . h . . . . . . ."
FLAT = """
    . . . . . . .
     . . . . . . .
    . . . . . . .
"""
PLAIN = Style(
    crowd=0, storm=0, guard=0, home=0, alert=0, watch=0, keep=0, cover=0, together=0, hope=0, risk=0, odds=0, prize=0,
    aid=0,
)  # fmt: skip
"""Only the way to the nearest goal counts."""

ME, HIM = "4-4-3-4", "4-4-3-4"


def answer(battle, **weights):
    """The order of a rule of thumb with these weights, in words; it is legal."""
    order = bakumatsu.advise(battle.state, battle.request, random.Random(1), PLAIN._replace(**weights))
    assert battle.request.why_not(order) is None
    return " ".join(bakumatsu.order_words(battle.board, order))


def end(battle, **weights):
    """Where it moves to; "" for nowhere."""
    words = answer(battle, **weights).split()
    return words[-1] if words[0] in ("move", "march", "enter") else ""


# --- movement: the same position, two weights, two ends

MOVES = {
    "press": (ROW, {"sg-1": f"0101 {ME}"}, {}, [({}, "0105"), ({"press": 0.0}, "")]),
    "crowd": (
        FLAT,
        {"sg-1": f"0303 {ME}", "sg-2": "0102 4-4-3-4 done"},
        {"control": {"nobody": "0101 0307"}},
        [({}, "0101"), ({"crowd": 9.0}, "0307")],
    ),
    "storm": (
        ROW,
        {"sg-1": f"0105 {ME}"},
        {"satcho_entry": "0101"},
        [({"storm": 9.0}, "0109"), ({"storm": -9.0}, "0101")],
    ),
    "guard": (
        ROW,
        {"sg-1": f"0106 {ME}", "sa-1": f"0101 {HIM}"},
        {"control": {"shogunate": "0103", "nobody": "0110"}},
        [({"alert": 4, "guard": 9.0}, "0110"), ({"alert": 4, "guard": -9.0}, "0103")],
    ),
    "alert": (
        ROW,
        {"sg-1": f"0106 {ME}", "sa-1": f"0101 {HIM}"},
        {"control": {"shogunate": "0103", "nobody": "0110"}},
        [({"alert": 1, "guard": -9.0}, "0110"), ({"alert": 2, "guard": -9.0}, "0103")],
    ),
    "home": (
        ROW,
        {"sg-1": f"0106 {ME}", "sa-1": f"0101 {HIM}"},
        {"entry": "0103"},
        [({"watch": 2, "home": 9.0}, "0110"), ({"watch": 2, "home": -9.0}, "0103")],
    ),
    "watch": (
        ROW,
        {"sg-1": f"0106 {ME}", "sa-1": f"0101 {HIM}"},
        {"entry": "0103"},
        [({"watch": 1, "home": -9.0}, "0110"), ({"watch": 2, "home": -9.0}, "0103")],
    ),
    "keep": (
        ROW,
        {"sg-1": f"0107 {ME}", "sa-1": f"0104 {HIM}"},
        {"control": {"shogunate": "0107", "nobody": "0110"}},
        [({"keep": 2}, "0110"), ({"keep": 3}, "")],
    ),
    "cover": (
        HILL,
        {"sg-1": f"0101 {ME}", "sa-1": f"0106 {HIM}"},
        {},
        [({}, "0104"), ({"cover": 5.0}, "0103")],
    ),
    "together": (
        FLAT,
        {"sg-1": f"0201 {ME}", "sg-2": "0102 4-4-3-4 done", "sa-1": f"0205 {HIM}"},
        {"control": {"nobody": "0301"}},
        [({}, "0301"), ({"together": 5.0}, "0202")],
    ),
    "risk": (ROW, {"sg-1": f"0101 {ME}", "sa-1": f"0106 {HIM}"}, {}, [({}, "0105"), ({"risk": 5.0}, "0104")]),
    "hope": (
        ROW,
        {"sg-1": f"0103 {ME}", "sa-1": f"0106 {HIM}"},
        {"control": {"nobody": "0101"}},
        [({}, "0101"), ({"hope": 9.0}, "0105")],
    ),
    "still": (
        ROW,
        {"sg-1": f"0101 {ME}"},
        {"control": {"nobody": "0103"}},
        [({"still": 2.9}, "0103"), ({"still": 3.1}, "")],
    ),
}


@pytest.mark.parametrize("weight", MOVES)
def test_each_weight_of_movement_turns_where_a_unit_goes(field, weight):
    rows, units, more, choices = MOVES[weight]
    battle = field(rows, units, phase="shogunate-move", **{"control": {"nobody": "0110"}, **more})
    assert {weight} <= {name for weights, _ in choices for name in weights}
    assert [end(battle, **weights) for weights, _ in choices] == [found for _, found in choices]


def test_guns_stay_off_enemies(field):
    units = {"sa-1": f"0106 {HIM}"}
    infantry, guns = (
        end(field(ROW, units | {"sg-1": text}, phase="shogunate-move", control={"nobody": "0110"}))
        for text in ("0102 4-4-3-4", "0102 4-x-3-4 range 3")
    )
    assert (infantry, guns) == ("0105", "0104")


def test_a_commander_goes_where_he_helps_and_not_alone_before_the_enemy(field):
    near = {"sg-1": "0104 4-4-3-4 done", "sg-2": "0105 4-4-3-4 done", "sa-1": f"0108 {HIM}"}
    battle = field(ROW, near | {"sgc-1": "0101 1/0/1/5/6"}, phase="shogunate-move")
    assert end(battle) in ("0104", "0105")
    battle.state.put("sgc-1", battle.hex("0104"))
    assert answer(battle) == "done"


def test_the_strongest_comes_on_first_and_nobody_stays_where_others_come_on(field):
    units = {"sg-1": "received 4-3-3-4", "sg-2": "received 4-5-3-4", "sg-3": "received 4-4-3-4"}
    battle = field(ROW, units, phase="shogunate-move", entry="0101", control={"nobody": "0110"})
    assert answer(battle) == "enter sg-2 move 0102 0103 0104 0105"


def test_who_is_disordered_recovers_but_takes_a_victory_hex_in_the_last_turn(field):
    units = {"sg-1": "0101 4-4-3-4 disordered", "sa-1": f"0109 {HIM}"}
    early, late = (
        answer(field(ROW, units, phase="shogunate-move", turn=turn, control={"nobody": "0103"})) for turn in (7, 8)
    )
    assert early == "recover sg-1"
    assert late.startswith("move sg-1 0102 0103")


# --- fire and melee


def test_help_in_fire_is_paid_for(field):
    units = {"sg-1": f"0101 {ME}", "sg-2": f"0201 {ME}", "sa-1": f"0102 {HIM}"}
    battle = field(FLAT, units, phase="shogunate-fire")
    assert answer(battle).split()[4:5] == ["with"]
    assert answer(battle, aid=2.0).split()[4:] == []


def test_fire_goes_where_it_does_the_most_harm(field):
    units = {
        "sg-1": f"0202 {ME}",
        "sa-1": f"0102 {HIM}",
        "sa-2": f"0103 {HIM} disordered",
        "sa-3": "0301 4-x-3-4 range 3",
    }
    battle = field(FLAT, units, phase="shogunate-fire")
    assert answer(battle) == "fire sg-1 at sa-2"


def test_an_attack_must_promise_enough(field):
    units = {"sg-1": "0101 4-6-3-4", "sa-1": f"0102 {HIM}"}
    battle = field(ROW, units, phase="shogunate-melee")
    assert answer(battle) == "melee sg-1 at sa-1 advance"
    assert answer(battle, odds=4.0) == "done"


def test_a_victory_hex_is_worth_an_attack_and_any_in_the_last_turn(field):
    units = {"sg-1": "0101 4-6-3-4", "sa-1": f"0102 {HIM}"}
    early, late = (field(ROW, units, phase="shogunate-melee", turn=turn, control={"satcho": "0102"}) for turn in (7, 8))
    assert answer(early, odds=4.0) == "done"
    assert answer(early, odds=4.0, prize=9.0) == "melee sg-1 at sa-1 advance"
    assert answer(late, odds=4.0, prize=0.1) == "melee sg-1 at sa-1 advance"


def test_the_holder_of_a_victory_hex_doesnt_leave_it_for_another_that_isnt_one(field):
    units = {"sg-1": "0101 4-6-3-4", "sa-1": f"0102 {HIM}"}
    battle = field(ROW, units, phase="shogunate-melee", control={"shogunate": "0101"})
    assert answer(battle) == "melee sg-1 at sa-1"


def test_the_portfolio_has_several_that_differ():
    assert len(PORTFOLIO) == len(set(PORTFOLIO)) == 4
