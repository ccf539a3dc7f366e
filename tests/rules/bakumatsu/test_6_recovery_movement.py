"""Chapter 6, the recovery/movement phase: unit by unit, in any order, as many as the player wants."""

from __future__ import annotations

import pytest

from pbem.rules import bakumatsu

PLAIN = """
    . . . . . .
     . . . . . .
    . . . . . .
"""
UNITS = {
    "sg-1": "0101 4-3-3-4",
    "sg-2": "0102 4-3-3-4 disordered",
    "sg-3": "0103 4-3-3-4",
    "sa-1": "0306 4-3-3-4",
}


@pytest.mark.clause("6(0)", "6(3)")
@pytest.mark.parametrize("die", [3, 4])
def test_a_unit_recovers_or_moves_but_not_both(field, die):
    first = field(PLAIN, UNITS, phase="shogunate-move")
    assert first.why_not("recover sg-2") is None
    assert first.why_not("move sg-2 0201") is None
    first.do("recover sg-2", die)
    assert first.refused("move sg-2 0201") == "6(3)"

    second = field(PLAIN, UNITS, phase="shogunate-move")
    second.do("move sg-2 0201")
    assert second.refused("recover sg-2") == "6(3)"


@pytest.mark.clause("6(1)")
def test_the_player_chooses_the_order_and_it_matters(field):
    battle = field(PLAIN, UNITS, phase="shogunate-move")
    assert battle.refused("move sg-1 0102") == "8(4)"
    battle.do("move sg-2 0202")
    battle.do("move sg-1 0102")
    assert (battle.at("sg-1"), battle.at("sg-2")) == ("0102", "0202")


@pytest.mark.clause("6(1)")
@pytest.mark.parametrize("order", [("sg-1", "sg-3"), ("sg-3", "sg-1")])
def test_any_unit_may_be_the_first(field, order):
    battle = field(PLAIN, UNITS, phase="shogunate-move")
    to = {"sg-1": "0201", "sg-3": "0104"}
    for unit in order:
        battle.do(f"move {unit} {to[unit]}")
    assert {unit: battle.at(unit) for unit in to} == to


@pytest.mark.clause("6(2)", "8(5)")
def test_nobody_returns_to_an_earlier_unit(field):
    battle = field(PLAIN, UNITS, phase="shogunate-move")
    battle.do("move sg-1 0201")
    battle.do("move sg-3 0104")
    assert battle.refused("move sg-1 0301") == "6(3)"
    assert battle.refused("march sg-3 0105") == "6(3)"
    assert (battle.at("sg-1"), battle.at("sg-3")) == ("0201", "0104")


@pytest.mark.clause("6(2)", "7(1)")
def test_the_next_unit_waits_until_the_recovery_is_finished(field):
    battle = field(PLAIN, UNITS, phase="shogunate-move")
    battle.game.apply(battle.order("recover sg-2"))
    assert (battle.request.label, battle.request.dice) == ("recover/0102", 1)
    battle.game.apply((6,))
    assert battle.why_not("move sg-1 0201") is None


@pytest.mark.clause("6(3)")
def test_only_units_that_acted_are_marked(field):
    battle = field(PLAIN, UNITS, phase="shogunate-move")
    battle.do("move sg-1 0201")
    assert {unit for unit in UNITS if "done" in battle.words(unit)} == {"sg-1"}
    assert not any("sg-1" in order.split() for order in battle.options())
    assert battle.why_not("move sg-3 0104") is None


@pytest.mark.clause("6(4)a")
def test_some_units_recover_while_others_move(field):
    battle = field(PLAIN, {**UNITS, "sg-4": "0301 4-3-3-4 disordered"}, phase="shogunate-move", idle=True)
    battle.do("recover sg-2", 1)
    battle.do("move sg-1 0201")
    battle.do("recover sg-4", 6)
    battle.do("move sg-3 0104")
    assert battle.phase == "shogunate-move"
    assert {unit: battle.words(unit) for unit in ("sg-1", "sg-2", "sg-3", "sg-4")} == {
        "sg-1": {"normal", "done"},
        "sg-2": {"normal", "done"},
        "sg-3": {"normal", "done"},
        "sg-4": {"disordered", "done"},
    }


@pytest.mark.clause("6(4)b")
def test_doing_nothing_is_allowed_and_changes_nothing(field):
    battle = field(PLAIN, UNITS, phase="shogunate-move", idle=True)
    before = bakumatsu.dump(battle.state)
    battle.do("done")
    after = bakumatsu.dump(battle.state)
    assert battle.phase == "satcho-fire"
    assert {key for key in after if after[key] != before[key]} == {"phase"}


@pytest.mark.clause("6(4)b", "6(5)a")
def test_the_phase_ends_early_on_the_players_word(field):
    battle = field(PLAIN, UNITS, phase="shogunate-move", idle=True)
    battle.do("move sg-1 0201")
    assert battle.phase == "shogunate-move"
    battle.do("done")
    assert battle.phase == "satcho-fire"


@pytest.mark.clause("6(5)a")
def test_the_phase_ends_when_all_units_are_marked(field):
    battle = field(PLAIN, UNITS, phase="shogunate-move")
    battle.do("move sg-1 0201")
    battle.do("recover sg-2", 6)
    assert battle.phase == "shogunate-move"
    battle.do("move sg-3 0104")
    assert battle.phase == "satcho-move"


@pytest.mark.clause("6(5)a")
@pytest.mark.parametrize(
    ("rows", "unit", "asked"),
    [
        (". . - .", "0104 4-3-3-4", False),
        (". . - .", "0104 4-3-3-4 disordered", True),
        (". . . .", "0104 4-3-3-4", True),
        (". . m .", "0104 4-3-3-1", True),  # one step is never too dear, 8-1(4)
        ("m . - .", "0104 4-3-3-4", False),
    ],
)
def test_the_phase_ends_when_no_unit_can_act(field, rows, unit, asked):
    """R9: a unit on all sides shut in counts only while it is disordered."""
    battle = field(rows, {"sg-1": "0101 4-3-3-4", "sg-2": unit, "sa-1": "0102 4-3-3-4 done"}, phase="shogunate-move")
    assert (battle.phase == "shogunate-move") is asked


@pytest.mark.clause("6(5)a", "8-1(3)3")
def test_a_unit_with_nowhere_to_go_but_enemy_zoc_keeps_no_phase_open(field):
    units = {"sg-1": "0101 4-3-3-4", "sa-1": "0201 4-3-3-4", "sa-2": "0103 4-3-3-4"}
    assert field(". . .\n . . -", units, phase="shogunate-move").phase == "satcho-fire"
    del units["sa-1"]
    assert field(". . .\n . . -", units, phase="shogunate-move").phase == "shogunate-move"


@pytest.mark.clause("6(5)b", "2-2-3.3")
def test_the_markers_come_off_at_the_end_of_the_phase(field):
    battle = field(PLAIN, UNITS, phase="shogunate-move", idle=True)
    battle.do("move sg-1 0201")
    battle.do("recover sg-2", 6)
    assert battle.state.done == {"sg-1", "sg-2"}
    battle.do("done")
    assert battle.state.done == set()
    assert bakumatsu.situation(battle.state)["units"][0]["words"] == []
    for _ in range(5):
        battle.do("done")
    assert bakumatsu.clock(battle.state) == (2, "shogunate-move")
    assert battle.why_not("move sg-1 0101") is None
    assert battle.why_not("recover sg-2") is None
