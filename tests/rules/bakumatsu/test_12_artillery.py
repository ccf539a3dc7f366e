"""Artillery (rulebook 12), clause by clause, on small fields."""

from __future__ import annotations

import pytest

from pbem.errors import MalformedOrder
from pbem.rules import bakumatsu

FLAT = """
    . . . . . . .
     . . . . . . .
    . . . . . . .
     . . . . . . .
    . . . . . . .
"""
TARGET = "0305 4-4-3-4"
SPOTTER = "0306 4-4-3-4"


def battery(field, gun="0302 5-x-3-3 range 3", more=None, rows=FLAT, **how):
    """The gun sa-g three hexes west of sg-1 at 0305, sa-1 beside the target on the other side."""
    units = {"sa-g": gun, "sa-1": SPOTTER, "sg-1": TARGET, **(more or {})}
    return field(rows, {u: text for u, text in units.items() if text}, phase="satcho-fire", idle=True, **how)


@pytest.mark.clause("12(0)")
@pytest.mark.parametrize(("unit", "artillery"), [("0302 5-x-3-3 range 3", True), ("0302 5-x-3-3", False)])
def test_a_printed_range_makes_artillery(field, unit, artillery):
    battle = battery(field, unit)
    assert ("artillery" in battle.words("sa-g")) is artillery
    assert (battle.why_not("fire sa-g at sg-1") is None) is artillery


# 12(1): movement


@pytest.mark.clause("12(1)")
@pytest.mark.parametrize(
    ("unit", "order", "after"),
    [
        ("0302 5-x-3-3 range 3", "move sa-g 0301", {"artillery", "disordered", "done"}),
        ("0302 5-x-3-3 range 3", "move sa-g 0202 0102", {"artillery", "disordered", "done"}),
        ("0302 5-x-3-3 range 3", "march sa-g 0301", {"artillery", "disordered", "done"}),
        ("0302 5-x-3-3 range 3 disordered", "move sa-g 0301", {"artillery", "disordered", "done"}),
        ("0302 5-4-3-3", "move sa-g 0301", {"normal", "done"}),
        ("0302 5-4-3-3", "march sa-g 0301", {"normal", "done"}),
    ],
)
def test_artillery_that_moved_is_disordered(field, unit, order, after):
    """Ruling R24."""
    battle = field(FLAT, {"sa-g": unit, "sg-1": TARGET}, phase="satcho-move", roads=("0301 0302",), idle=True)
    battle.do(order)
    assert battle.words("sa-g") == after
    disorders = [(tell.clause, tell.facts["at"]) for tell in battle.told if tell.what == "disorder"]
    newly = "range" in unit and "disordered" not in unit
    assert disorders == ([("12(1)", order.split()[-1])] if newly else [])


@pytest.mark.clause("12(1)")
def test_artillery_that_stayed_keeps_its_order(field):
    """Ruling R23."""
    battle = field(FLAT, {"sa-g": "0302 5-x-3-3 range 3", "sg-1": TARGET}, phase="satcho-move", idle=True)
    with pytest.raises(MalformedOrder):
        battle.order("move sa-g")
    battle.do("done")
    assert battle.words("sa-g") == {"artillery", "normal"}


@pytest.mark.clause("12(1)")
@pytest.mark.parametrize(
    ("order", "disordered"),
    [("enter sg-g", False), ("enter sg-g move 0302", True), ("enter sg-g march 0302", True)],
)
def test_the_placement_of_a_reinforcement_is_no_move_but_a_step_on_is(field, order, disordered):
    """Ruling R24."""
    units = {"sg-g": "received 5-x-3-3 range 3"}
    battle = field(FLAT, units, phase="shogunate-move", entry="0301", roads=("0301 0302",), idle=True)
    battle.do(order)
    assert ("disordered" in battle.words("sg-g")) is disordered


@pytest.mark.clause("12(1)", "9-1(1)b")
def test_disordered_artillery_does_not_fire(field):
    assert battery(field).why_not("fire sa-g at sg-1") is None
    assert battery(field, "0302 5-x-3-3 range 3 disordered").refused("fire sa-g at sg-1") == "9-1(1)b"


# 12(2): fire at a distance


@pytest.mark.clause("12(2)a")
@pytest.mark.parametrize(
    ("number", "reach", "allowed"),
    [("0302", 3, True), ("0301", 3, False), ("0301", 4, True), ("0303", 2, True), ("0302", 2, False)],
)
def test_artillery_fires_up_to_its_range(field, number, reach, allowed):
    battle = battery(field, f"{number} 5-x-3-3 range {reach}")
    assert ("fire sa-g at sg-1" in battle.options()) is allowed
    if allowed:
        assert battle.why_not("fire sa-g at sg-1") is None
        battle.do("fire sa-g at sg-1", 1, 1)
        assert battle.facts("fire")["strength"] == 5
    else:
        assert battle.refused("fire sa-g at sg-1") == "12(2)a"


@pytest.mark.clause("12(2)a")
@pytest.mark.parametrize(
    ("more", "how", "spotted"),
    [
        ({}, {}, True),
        ({"sa-1": None}, {}, False),  # nobody
        ({"sa-1": "0307 4-4-3-4"}, {}, False),  # two hexes off
        ({"sa-1": SPOTTER + " disordered"}, {}, True),
        ({"sa-1": SPOTTER + " done"}, {}, True),
        ({"sa-1": "0306 x-x-3-4"}, {}, True),
        ({"sa-1": "0306 5-x-3-3 range 3"}, {}, True),  # another gun
        ({}, {"rivers": ("0305/0306",)}, True),  # over a river
        ({"sa-1": None, "sg-2": SPOTTER}, {}, False),  # an enemy of the gun
    ],
)
def test_a_distant_target_needs_another_friend_beside_it(field, more, how, spotted):
    """Ruling R30."""
    battle = battery(field, more=more, **how)
    assert ("fire sa-g at sg-1" in battle.options()) is spotted
    if spotted:
        assert battle.why_not("fire sa-g at sg-1") is None
    else:
        assert battle.refused("fire sa-g at sg-1") == "12(2)a"


@pytest.mark.clause("12(2)a", "9-1(1)a")
@pytest.mark.parametrize(("number", "why"), [("0304", None), ("0204", None), ("0303", "12(2)a")])
def test_beside_the_target_artillery_needs_no_spotter(field, number, why):
    """At two hexes it is none for itself (R30)."""
    battle = battery(field, f"{number} 5-x-3-3 range 3", {"sa-1": None})
    if why is None:
        assert battle.why_not("fire sa-g at sg-1") is None
        assert "fire sa-g at sg-1" in battle.options()
    else:
        assert battle.refused("fire sa-g at sg-1") == why


@pytest.mark.clause("12(2)a", "9-1(1)a")
def test_a_spotter_does_not_let_infantry_fire_at_a_distance(field):
    battle = battery(field, "0303 5-4-3-3")
    assert battle.refused("fire sa-g at sg-1") == "9-1(1)a"


@pytest.mark.clause("12(2)a", "9-1(2)a")
def test_a_target_that_fell_back_from_its_spotter_is_out_of_sight_of_the_guns(field):
    more = {"sa-1": "0405 4-4-3-4", "sg-1": TARGET + " disordered"}
    battle = battery(field, "0302 5-x-3-3 range 4", more)
    assert battle.why_not("fire sa-g at sg-1") is None
    battle.do("fire sa-1 at sg-1", 3, 4)
    battle.do("retreat sg-1 0205")  # four hexes from the gun
    refusal = battle.why_not("fire sa-g at sg-1")
    assert refusal is not None
    assert refusal.clause == "12(2)a"
    assert "spot" in refusal.reason


@pytest.mark.clause("12(2)b")
@pytest.mark.parametrize("between", [{"sg-2": "0303 4-4-3-4", "sg-3": "0304 4-4-3-4"}, {"sa-2": "0303 4-4-3-4"}, {}])
@pytest.mark.parametrize("letter", [".", "M"])
def test_units_and_mountains_between_do_not_matter(field, between, letter):
    """Ruling R31."""
    rows = f". . . . . . .\n . . . . . . .\n. . {letter} {letter} . . ."
    battle = battery(field, more=between, rows=rows)
    battle.do("fire sa-g at sg-1", 3, 4)
    assert battle.facts("fire")["modifiers"] == []


@pytest.mark.clause("12(2)a", "9-2(4)1a", "9-2(4)1b")
@pytest.mark.parametrize(("number", "total"), [("0302", 5), ("0303", 5), ("0304", 4)])
def test_at_a_distance_no_hexside_counts_but_the_targets_terrain_does(field, number, total):
    """The river lies round the target; only the adjacent gun fires over a side of it (R28)."""
    rows = ". . . . . . .\n . . . . . . .\n. . . . m . ."
    battle = battery(field, f"{number} 5-x-3-3 range 3", rows=rows, rivers=("0305/0204 0305/0304",))
    battle.do("fire sa-g at sg-1", 3, 4)
    assert battle.facts("fire")["total"] == total


@pytest.mark.clause("12(2)a", "9-2(4)2")
def test_artillery_on_a_mountain_top_gets_its_2_at_a_distance_too(field):
    battle = battery(field, rows=". . . . . . .\n . . . . . . .\n. t . . . . .")
    battle.do("fire sa-g at sg-1", 2, 3)
    assert (battle.facts("fire")["total"], battle.facts("fire")["strength"]) == (7, 5)


@pytest.mark.clause("12(2)a", "9-2(2)a", "9-2(3)")
@pytest.mark.parametrize("count", [1, 6])
def test_units_beside_the_target_support_distant_artillery(field, count):
    """All six of them, as the gun itself takes none of the hexes (R29, R35)."""
    ring = ("0304", "0204", "0205", "0405", "0404")
    more = {f"sa-{i}": f"{number} 2-4-3-4" for i, number in enumerate(ring, 2)}
    battle = battery(field, more=more)
    names = ["sa-1", *more][:count]
    battle.do("fire sa-g at sg-1 with " + " ".join(names), 1, 1)
    assert battle.facts("fire")["strength"] == 5 + count
    assert {unit for unit in ("sa-g", "sa-1", *more) if "done" in battle.words(unit)} == {"sa-g", *names}


@pytest.mark.clause("12(2)a", "9-2(2)a")
@pytest.mark.parametrize(("number", "why"), [("0304", None), ("0303", "9-2(2)a"), ("0302", "9-2(2)a")])
def test_artillery_supports_only_beside_the_target(field, number, why):
    """Ruling R29."""
    battle = battery(field, f"{number} 5-x-3-3 range 3")
    if why is None:
        assert battle.why_not("fire sa-1 at sg-1 with sa-g") is None
        assert "fire sa-1 at sg-1 with sa-g" in battle.options()
    else:
        assert battle.why_not("fire sa-g at sg-1") is None
        assert battle.refused("fire sa-1 at sg-1 with sa-g") == why
        assert "fire sa-1 at sg-1 with sa-g" not in battle.options()


# 12(3) and 12(4): the end of artillery


@pytest.mark.clause("12(3)")
@pytest.mark.parametrize("state", ["", " disordered"])
@pytest.mark.parametrize(("dice", "result"), [((3, 3), "-"), ((3, 4), "D"), ((6, 6), "DD")])
def test_d_and_dd_remove_artillery_normal_or_disordered(field, state, dice, result):
    """Ruling R37."""
    units = {"sa-1": "0306 4-4-3-4", "sg-1": f"0305 5-x-3-3 range 3{state}"}
    battle = field(FLAT, units, phase="satcho-fire", idle=True)
    before = battle.words("sg-1")
    battle.do("fire sa-1 at sg-1", *dice)
    assert battle.facts("fire")["result"] == result
    assert battle.request.kind == "fire"
    if result == "-":
        assert (battle.at("sg-1"), battle.words("sg-1")) == ("0305", before)
    else:
        assert battle.at("sg-1") is None
        assert [(tell.what, tell.clause) for tell in battle.told] == [("fire", "9-2(5)0a"), ("remove", "12(3)")]
        assert bakumatsu.test(battle.state, ("gone", "sg-1"))


@pytest.mark.clause("12(4)")
@pytest.mark.parametrize("state", ["", " disordered"])
@pytest.mark.parametrize(("dice", "result"), [((2, 3), "-"), ((3, 3), "M0"), ((6, 6), "M3")])
def test_any_mx_removes_artillery_without_a_check(field, state, dice, result):
    """Even with morale 6, which never fails against M0."""
    units = {"sa-1": "0306 4-4-3-4", "sg-1": f"0305 5-4-6-3 range 3{state}"}
    battle = field(FLAT, units, phase="satcho-melee", idle=True)
    before = battle.words("sg-1")
    battle.do("melee sa-1 at sg-1", *dice)  # no die for a check
    assert battle.facts("melee")["result"] == result
    assert "check" not in battle.events()
    if result == "-":
        assert (battle.at("sg-1"), battle.words("sg-1")) == ("0305", before)
    else:
        assert battle.at("sg-1") is None
        assert [tell.clause for tell in battle.told if tell.what == "remove"] == ["12(4)"]


@pytest.mark.clause("12(4)")
def test_infantry_with_morale_6_survives_m0(field):
    units = {"sa-1": "0306 4-4-3-4", "sg-1": "0305 5-4-6-3"}
    battle = field(FLAT, units, phase="satcho-melee", idle=True)
    battle.do("melee sa-1 at sg-1", 3, 3, 6)
    assert (battle.at("sg-1"), battle.words("sg-1")) == ("0305", {"normal"})
