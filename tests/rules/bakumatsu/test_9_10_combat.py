"""What fire (rulebook 9) and melee (10) have in common, each test once for both, on small fields."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from pbem.errors import MalformedOrder

FLAT = """
    . . . . . .
     . . . . . .
    . . . . . .
     . . . . . .
    . . . . . .
"""
NEIGHBOURS = ("0202", "0203", "0302", "0304", "0402", "0403")
"""The hexes around 0303, where the target stands."""

TARGET = "0303 4-4-3-4"
FIRST = "0302 4-4-3-4"


class Combat(NamedTuple):
    """A kind of combat: its keyword, which is that of its phase; the phase behind Satsuma-Choshu's one; the clauses by
    which a unit may take part only once, and support only with (a), (b), (c); dice that drive a normal unit back."""

    order: str
    then: str
    once: str
    support: str
    driven: tuple[int, ...]


FIRE = Combat("fire", "shogunate-melee", "9-1(4)a", "9-2(2)", (6, 6))
MELEE = Combat("melee", "shogunate-move", "10-1(5)a", "10-2(2)", (3, 3, 4))


def both(fire: pytest.MarkDecorator, melee: pytest.MarkDecorator) -> pytest.MarkDecorator:
    """Both kinds, each with its clauses."""
    kinds = [pytest.param(FIRE, marks=fire, id="fire"), pytest.param(MELEE, marks=melee, id="melee")]
    return pytest.mark.parametrize("combat", kinds)


def duel(field, combat, more=None, **how):
    """sa-1 at 0302 beside sg-1 at 0303, in the middle of Satsuma-Choshu's phase, which doesn't end of itself."""
    units = {"sa-1": FIRST, "sg-1": TARGET, **(more or {})}
    return field(FLAT, units, **{"phase": f"satcho-{combat.order}", "idle": True, **how})


@both(pytest.mark.clause("9-1(0)"), pytest.mark.clause("10-1(0)"))
@pytest.mark.parametrize("side", ["shogunate", "satcho"])
@pytest.mark.parametrize("kind", ["move", "fire", "melee"])
def test_nobody_fights_in_another_phase(field, combat, side, kind):
    battle = duel(field, combat, phase=f"{side}-{kind}")
    own, enemy = ("sa-1", "sg-1") if side == "satcho" else ("sg-1", "sa-1")
    order = f"{combat.order} {own} at {enemy}"
    if kind == combat.order:
        assert battle.why_not(order) is None
    else:
        assert battle.refused(order) == "5(0)a"


@both(pytest.mark.clause("9-1(1)a"), pytest.mark.clause("10-1(2)"))
@pytest.mark.parametrize("number", NEIGHBOURS)
def test_a_unit_fights_in_all_six_directions(field, combat, number):
    battle = duel(field, combat, {"sa-1": f"{number} 4-4-3-4"})
    order = f"{combat.order} sa-1 at sg-1"
    assert battle.why_not(order) is None
    assert order in battle.options()
    assert (f"{order} advance" in battle.options()) == (combat is MELEE)


@both(pytest.mark.clause("9-1(3)"), pytest.mark.clause("10-1(4)"))
def test_the_retreat_comes_before_the_next_combat(field, combat):
    battle = duel(field, combat, {"sa-2": "0402 4-4-3-4", "sg-2": "0502 4-4-3-4"})
    battle.do(f"{combat.order} sa-1 at sg-1", *combat.driven)
    assert battle.refused(f"{combat.order} sa-2 at sg-2") == "11(0)"
    battle.do("retreat sg-1 0304")
    battle.do(f"{combat.order} sa-2 at sg-2", 1, 1)
    assert battle.facts(combat.order)["at"] == "0502"


@both(pytest.mark.clause("9-1(3)"), pytest.mark.clause("10-1(4)"))
@pytest.mark.parametrize(("first", "second"), [("sa-1", "sa-2"), ("sa-2", "sa-1")])
def test_the_order_of_combats_is_free(field, combat, first, second):
    battle = duel(field, combat, {"sa-2": "0402 4-4-3-4"})
    battle.do(f"{combat.order} {first} at sg-1", 1, 1)
    battle.do(f"{combat.order} {second} at sg-1", 1, 1)
    assert battle.facts(combat.order)["unit"] == second


@both(pytest.mark.clause("9-1(4)a", "9-1(2)b", "9-2(7)"), pytest.mark.clause("10-1(5)a", "10-1(3)b", "10-2(11)"))
@pytest.mark.parametrize("rest", [
    "sa-1 at sg-1",  # main, then main
    "sa-2 at sg-1",  # supporter, then main
    "sa-3 at sg-1 with sa-1",  # main, then supporter
    "sa-3 at sg-1 with sa-2",  # supporter, then supporter
])  # fmt: skip
def test_a_unit_takes_part_in_one_combat_of_a_phase(field, combat, rest):
    """Ruling R34."""
    battle = duel(field, combat, {"sa-2": "0402 4-4-3-4", "sa-3": "0202 4-4-3-4"})
    assert battle.why_not(f"{combat.order} {rest}") is None
    battle.do(f"{combat.order} sa-1 at sg-1 with sa-2", 1, 1)
    assert battle.refused(f"{combat.order} {rest}") == combat.once
    assert battle.why_not(f"{combat.order} sa-3 at sg-1") is None


@both(pytest.mark.clause("9-1(4)a"), pytest.mark.clause("10-1(5)a"))
@pytest.mark.parametrize("support", ["sa-1", "sa-2 sa-2"])
def test_no_unit_takes_part_twice_in_one_combat(field, combat, support):
    battle = duel(field, combat, {"sa-2": "0402 4-4-3-4"})
    assert battle.refused(f"{combat.order} sa-1 at sg-1 with {support}") == combat.once
    assert battle.why_not(f"{combat.order} sa-1 at sg-1 with sa-2") is None


@both(pytest.mark.clause("9-1(6)"), pytest.mark.clause("10-1(7)"))
@pytest.mark.parametrize(("other", "over"), [
    ("0402 4-4-3-4", False),
    ("0402 4-4-3-4 disordered", True),
    ("0402 NONE", True),
    ("0501 4-4-3-4", True),
])  # fmt: skip
def test_the_phase_ends_when_nobody_can_fight_any_more(field, combat, other, over):
    """Ruling R9."""
    other = other.replace("NONE", "x-4-3-4" if combat is FIRE else "4-x-3-4")
    battle = duel(field, combat, {"sa-2": other}, idle=False)
    battle.do(f"{combat.order} sa-1 at sg-1", 1, 1)
    assert battle.phase == (combat.then if over else f"satcho-{combat.order}")
    assert ("done" in battle.words("sa-1")) is not over


@both(pytest.mark.clause("9-2(0)", "9-2(1)"), pytest.mark.clause("10-2(0)", "10-2(1)a"))
@pytest.mark.parametrize("rest", ["sa-1", "at sg-1", "sa-1 at", "sa-1 at sg-1 sg-2", "sa-1 at sg-1 with"])
def test_an_order_names_one_main_unit_and_one_target(field, combat, rest):
    battle = duel(field, combat, {"sg-2": "0202 4-4-3-4"})
    with pytest.raises(MalformedOrder, match=f"{combat.order} U at V"):
        battle.order(f"{combat.order} {rest}")
    assert battle.why_not(f"{combat.order} sa-1 at sg-1") is None


@both(pytest.mark.clause("9-2(2)a"), pytest.mark.clause("10-2(2)a"))
def test_an_enemy_unit_cannot_support(field, combat):
    battle = duel(field, combat, {"sg-2": "0202 4-4-3-4"})
    assert battle.refused(f"{combat.order} sa-1 at sg-1 with sg-2") == f"{combat.support}a"


@both(pytest.mark.clause("9-2(2)b"), pytest.mark.clause("10-2(2)b"))
def test_a_disordered_unit_cannot_support(field, combat):
    battle = duel(field, combat, {"sa-2": "0402 4-4-3-4 disordered", "sa-3": "0403 4-4-3-4"})
    assert battle.refused(f"{combat.order} sa-1 at sg-1 with sa-2") == f"{combat.support}b"
    assert battle.refused(f"{combat.order} sa-1 at sg-1 with sa-3 sa-2") == f"{combat.support}b"
    assert battle.why_not(f"{combat.order} sa-1 at sg-1 with sa-3") is None
