"""The odds on the order form, against a count over all dice by another way and against every throw played out."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from pbem.rules import bakumatsu
from pbem.rules.bakumatsu.odds import factors, fire_odds, melee_odds, recovery_odds
from pbem.rules.bakumatsu.orders import Fire, Melee, Recover

SIX = range(1, 7)
FLAT = """
    . . . . . .
     . . . . . .
    . . . . . .
     . . . . . .
    . . . . . .
"""
HEMMED = {"sa-8": "0304 1-1-3-4 done"}
"""Someone on the target's other side: no retreat."""


def fire_cell(tables, total, strength):
    """A cell of the fire results table as the data name its rows and columns."""
    table = tables["fire_results_table"]
    row = "<=1" if total <= 1 else ">=13" if total >= 13 else str(total)
    column = "10+" if strength >= 10 else str(strength)
    return table["rows_modified_2d6"][row][table["columns_total_fire_strength"].index(column)]


def melee_cell(tables, total, difference):
    """A cell of the melee results table."""
    table = tables["melee_results_table"]
    row = "<=1" if total <= 1 else ">=13" if total >= 13 else str(total)
    column = "<=-4" if difference <= -4 else ">=+6" if difference >= 6 else f"{difference:+d}" if difference else "0"
    return table["rows_modified_2d6"][row][table["columns_strength_difference"].index(column)]


def shares(outcomes):
    count = Counter(outcomes)
    return {outcome: Fraction(n, sum(count.values())) for outcome, n in count.items()}


def after(game, unit, before, unharmed="no effect"):
    """What has become of a unit that stood in `before[0]`, disordered or not, in the words of the odds."""
    state = game.state
    if getattr(game.request, "kind", "") == "retreat":
        return "retreats"
    if unit in state.removed:
        return "removed"
    if state.at[unit] != before[0]:
        return "retreats"
    return "disordered" if (unit in state.disordered) != before[1] else unharmed


def played(battle, order, target):
    """What every throw of the dice does to the target, as the game itself resolves it; of 216 equal shares."""
    before = battle.state.at[target], target in battle.state.disordered
    outcomes = []
    for a, b in product(SIX, SIX):
        thrown = battle.game.fork()
        thrown.apply(battle.order(order))
        thrown.apply((a, b))
        if getattr(thrown.request, "label", "").startswith("check/"):
            for die in SIX:
                checked = battle.game.fork()
                for answer in (battle.order(order), (a, b), (die,)):
                    checked.apply(answer)
                outcomes.append(after(checked, target, before, "stands"))
        else:
            outcomes += [after(thrown, target, before)] * 6
    return shares(outcomes)


def shown(battle, order):
    """The percentages that the order form shows beside an order, and its other remarks."""
    for entry in bakumatsu.form(battle.state, battle.request):
        for words, note in entry.orders:
            if " ".join(words) == order:
                note, _, others = note.partition("; ")
                assert others.startswith("the attacker disordered") == order.startswith("melee")  # 10-2(10)
                odds = re.findall(r"(no effect|stands|disordered|retreats|removed|recovers) (\d+(?:\.\d)?) %", note)
                return {what: Fraction(number) for what, number in odds}, note
    raise AssertionError(f"{order} isn't on the form")


def check_shown(battle, order, right):
    found, note = shown(battle, order)
    assert found.keys() == right.keys(), note
    for what, share in right.items():
        assert abs(100 * share - found[what]) <= Fraction(1, 20), note
    return note


# recovery


@pytest.mark.clause("7(1)")
@pytest.mark.parametrize("morale", [1, 2, 3, 4, 5, 6])
def test_recovery(field, morale):
    battle = field(FLAT, {"sa-1": f"0302 4-4-{morale}-4 disordered"}, phase="satcho-move", idle=True)
    right = Fraction(sum(die <= morale for die in SIX), 6)
    assert recovery_odds(battle.state, Recover("sa-1")) == right
    check_shown(battle, "recover sa-1", {"recovers": right})


# what decides what the dice mean


@pytest.mark.parametrize("hemmed", [False, True])
@pytest.mark.parametrize(
    ("target", "by_fire", "by_melee"),
    [
        ("4-4-3-4", [], []),
        ("4-4-3-4 disordered", ["9-2(5)2b, 9-2(5)3b"], ["10-2(8)2"]),
        ("4-4-3-4 range 3", ["12(3)"], ["12(4)"]),
    ],
)
def test_what_results_mean_for_the_target_is_a_factor(field, target, by_fire, by_melee, hemmed):
    units = {"sa-1": "0302 4-4-3-4", "sg-1": f"0303 {target}", **(HEMMED if hemmed else {})}
    battle = field(FLAT, units, phase="satcho-fire", idle=True)
    state, gun, shaken = battle.state, "range" in target, "disordered" in target
    assert _of_results(state, Fire("sa-1", "sg-1")) == by_fire + (["11(2)"] if hemmed and not gun else [])
    assert _of_results(state, Melee("sa-1", "sg-1")) == by_melee + (["11(2)"] if hemmed and not gun | shaken else [])


def _of_results(state, order):
    """The clauses of the factors that a result has for its target."""
    return [factor.clause for factor in factors(state, order) if factor.what.endswith(":")]


# fire: what a result means for the target in its state


def fire_meaning(target, hemmed):
    retreats = "removed" if hemmed else "retreats"
    if "range" in target:
        return {"-": "no effect", "D": "removed", "DD": "removed"}
    if "disordered" in target:
        return {"-": "no effect", "D": retreats, "DD": "removed"}
    return {"-": "no effect", "D": "disordered", "DD": retreats}


FIRE_CASES = [  # firer, support, target, letter of its hex, river, letter of the firer's hex, strength, modifier
    ("4-4-3-4", "", "4-4-3-4", ".", False, ".", 4, 0),
    ("1-4-3-4", "", "4-4-3-4 disordered", ".", False, ".", 1, 0),
    ("6-4-3-4", "", "4-4-3-4", "m", True, ".", 6, -3),
    ("3-4-3-4", "", "4-4-3-4", "m", False, "t", 3, 0),
    ("6-4-3-4", " with sa-2 sa-3", "4-4-3-4 disordered", "c", False, "t", 8, 1),
    ("9-4-3-4", " with sa-2 sa-3", "4-4-3-4", ".", False, "t", 11, 2),
    ("2-4-3-4", "", "4-4-3-4 disordered", "M", True, ".", 2, -4),
    ("5-4-3-4", "", "4-4-3-4 range 3", "h", False, ".", 5, -1),
    ("5-4-3-4", "", "4-4-3-4 range 3 disordered", "w", False, ".", 5, 0),
]


@pytest.mark.clause("9-2(5)0a", "9-2(5)2a", "9-2(5)2b", "9-2(5)3a", "9-2(5)3b", "12(3)")
@pytest.mark.parametrize(("firer", "support", "target", "letter", "river", "own", "strength", "modifier"), FIRE_CASES)
@pytest.mark.parametrize("hemmed", [False, True])
def test_fire(field, tables, firer, support, target, letter, river, own, strength, modifier, hemmed):
    units = {"sa-1": f"0302 {firer}", "sg-1": f"0303 {target}", **(HEMMED if hemmed else {})}
    if support:
        units |= {"sa-2": "0202 1-1-3-4", "sa-3": "0402 1-1-3-4"}
    rows = f". . . . . .\n . . . . . .\n. {own} {letter} . . .\n . . . . . .\n. . . . . ."
    battle = field(rows, units, phase="satcho-fire", rivers=("0302/0303",) if river else (), idle=True)
    order = f"fire sa-1 at sg-1{support}"
    meaning = fire_meaning(target, hemmed)
    right = shares(meaning[fire_cell(tables, a + b + modifier, strength)] for a, b in product(SIX, SIX))
    assert fire_odds(battle.state, battle.order(order)) == right
    assert sum(right.values()) == 1
    assert played(battle, order, "sg-1") == right
    assert f"strength {strength}" in check_shown(battle, order, right)


@pytest.mark.clause("9-2(4)2")
def test_fire_by_the_other_reading_of_the_mountain_top(field, tables):
    units = {"sa-1": "0302 3-4-3-4", "sg-1": "0303 4-4-3-4"}
    rows = ". . . . . .\n . . . . . .\n. t m . . .\n . . . . . ."
    battle = field(rows, units, phase="satcho-fire", options={"mountain-top": "strength"}, idle=True)
    meaning = fire_meaning("", False)
    right = shares(meaning[fire_cell(tables, a + b - 2, 5)] for a, b in product(SIX, SIX))
    assert fire_odds(battle.state, battle.order("fire sa-1 at sg-1")) == right
    assert "strength 5, -2 mountain" in check_shown(battle, "fire sa-1 at sg-1", right)


# melee


MELEE_CASES = [  # attacker, support, defender, letter of its hex, stream, difference, modifier
    ("4-4-3-4", "", "4-4-3-4", ".", False, 0, 0),
    ("4-4-3-4", "", "4-4-4-4 disordered", "h", False, 0, -1),
    ("4-6-3-4", " with sa-2 sa-3", "4-4-3-4", "m", True, 4, -3),
    ("4-9-3-4", " with sa-2 sa-3", "4-2-5-4 disordered", ".", False, 9, 0),
    ("4-1-3-4", "", "4-8-2-4", ".", False, -7, 0),
    ("4-9-3-4", "", "4-1-6-4", ".", False, 8, 0),
    ("4-3-3-4", "", "4-3-6-4", "M", True, 0, -4),
    ("4-3-3-4", "", "4-x-4-3 range 3", "c", False, 3, -1),
    ("4-3-3-4", "", "4-2-6-3 range 3 disordered", "w", False, 1, -1),
]


@pytest.mark.clause("10-2(6)0", "10-2(7)", "10-2(8)0", "10-2(8)1", "10-2(8)2", "12(4)")
@pytest.mark.parametrize(("attacker", "support", "defender", "letter", "stream", "difference", "modifier"), MELEE_CASES)
@pytest.mark.parametrize("hemmed", [False, True])
def test_melee(field, tables, attacker, support, defender, letter, stream, difference, modifier, hemmed):
    units = {"sa-1": f"0302 {attacker}", "sg-1": f"0303 {defender}", **(HEMMED if hemmed else {})}
    if support:
        units |= {"sa-2": "0202 1-1-3-4", "sa-3": "0402 1-1-3-4"}
    rows = f". . . . . .\n . . . . . .\n. . {letter} . . .\n . . . . . .\n. . . . . ."
    battle = field(rows, units, phase="satcho-melee", streams=("0302/0303",) if stream else (), idle=True)
    order, morale = f"melee sa-1 at sg-1{support}", int(defender.split("-")[2])
    failed = "removed" if hemmed or "disordered" in defender else "retreats"
    outcomes = []
    for a, b, die in product(SIX, SIX, SIX):
        cell = melee_cell(tables, a + b + modifier, difference)
        if cell == "-":
            outcomes.append("no effect")
        elif "range" in defender:
            outcomes.append("removed")
        else:
            outcomes.append("stands" if die <= morale - int(cell.removeprefix("M")) else failed)
    right = shares(outcomes)
    assert melee_odds(battle.state, battle.order(order)) == right
    assert played(battle, order, "sg-1") == right
    assert f"difference {difference:+d}" in check_shown(battle, order, right)


@pytest.mark.clause("10-2(9)a")
def test_the_form_offers_the_advance_in_a_note(field):
    battle = field(FLAT, {"sa-1": "0302 4-4-3-4", "sg-1": "0303 4-4-3-4"}, phase="satcho-melee", idle=True)
    notes = [entry.notes for entry in bakumatsu.form(battle.state, battle.request) if "sa-1" in entry.heading]
    assert len(notes) == 1
    assert "advance" in notes[0][0]


@pytest.mark.clause("11(4)a", "11(2)")
@pytest.mark.parametrize(("closed", "outcome"), [((), "retreats"), (("0103/0203 0104/0203",), "removed")])
def test_a_retreat_over_friends_is_a_retreat_and_a_chain_without_end_a_removal(field, closed, outcome):
    """The only open hex has a friend in it; behind him lie free hexes, or a river (R51)."""
    units = {"sa-1": "0302 4-4-3-4", "sg-1": "0303 4-4-3-4", "sg-2": "0203 4-4-3-4", "sa-9": "0305 1-1-3-4"}
    battle = field(FLAT, units, phase="satcho-fire", rivers=("0303/0403", *closed), idle=True)
    right = {"no effect": Fraction(15, 36), "disordered": Fraction(15, 36), outcome: Fraction(6, 36)}
    assert fire_odds(battle.state, battle.order("fire sa-1 at sg-1")) == right
    assert played(battle, "fire sa-1 at sg-1", "sg-1") == right
    check_shown(battle, "fire sa-1 at sg-1", right)
