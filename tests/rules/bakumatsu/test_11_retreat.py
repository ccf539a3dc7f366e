"""Retreat (rulebook 11), clause by clause, on small fields."""

from __future__ import annotations

import random

import pytest

from pbem.errors import MalformedOrder
from pbem.maps.hexes import distance
from pbem.match.game import Game
from pbem.rules import bakumatsu, rules_of
from pbem.rules.bakumatsu import retreat
from pbem.rules.bakumatsu.orders import Retreat
from pbem.scenario import load_scenario

FLAT = """
    . . . . . .
     . . . . . .
    . . . . . .
     . . . . . .
    . . . . . .
"""
BANK = "0202/0302 0302/0303 0302/0402"
"""A river on the firer's side of 0202, 0303 and 0402: his ZOC ends at it."""


@pytest.fixture
def driven(field):
    """The builder of a battle in which sg-1 at 0303 must retreat: DD from sa-1 at 0302, beyond a river.

    As the firer's ZOC ends at the river all five hexes on the near bank are open; `units` and rivers close some.
    """

    def build(units=None, rows=FLAT, *, rivers=(BANK,), state="", **more):
        everyone = {"sg-1": f"0303 4-4-3-4{state}", "sa-1": "0302 4-4-3-4", **(units or {})}
        battle = field(rows, everyone, phase="satcho-fire", rivers=rivers, idle=True, **more)
        battle.do("fire sa-1 at sg-1", 6, 6)
        return battle

    return build


def ends(battle):
    """The numbers of the hexes where the retreat may end, as offered; each must be legal."""
    offered = battle.options()
    assert all(battle.why_not(order) is None for order in offered)
    return {order.split()[-1] for order in offered}


def by_default(battle):
    return " ".join(bakumatsu.order_words(battle.board, battle.request.default()))


def standing(battle, *orders):
    """The answer that these standing orders of the Shogunate give, in words; None when they give none."""
    read = [bakumatsu.read_standing(battle.board, "shogunate", tuple(order.split())) for order in orders]
    answer = battle.request.standing(read)
    if answer is None:
        return None
    assert battle.request.why_not(answer) is None
    return " ".join(bakumatsu.order_words(battle.board, answer))


# 11(0): whose choice it is


@pytest.mark.clause("11(0)")
def test_the_owner_of_a_unit_driven_back_by_fire_chooses(driven):
    """The active side, in the other's fire phase."""
    battle = driven()
    assert (battle.request.kind, battle.request.side, battle.request.reaction) == ("retreat", "shogunate", True)
    assert battle.request.about == ("sg-1",)
    assert battle.refused("retreat sa-1 0301") == "11(0)"
    assert battle.refused("done") == "11(0)"
    battle.do("retreat sg-1 0304")
    assert battle.at("sg-1") == "0304"
    assert (battle.request.kind, battle.request.side) == ("fire", "satcho")


@pytest.mark.clause("11(0)")
@pytest.mark.parametrize(("attacker", "defender", "owner"), [("sa-1", "sg-1", "shogunate"), ("sg-1", "sa-1", "satcho")])
def test_the_owner_of_a_unit_driven_back_by_melee_chooses(field, attacker, defender, owner):
    """The side that isn't active."""
    phase = "satcho-melee" if owner == "shogunate" else "shogunate-melee"
    battle = field(FLAT, {defender: "0303 4-4-3-4", attacker: "0302 4-4-3-4"}, phase=phase, idle=True)
    battle.do(f"melee {attacker} at {defender}", 6, 6, 6)
    assert (battle.request.kind, battle.request.side) == ("retreat", owner)


# 11(1): the hexes that are open


@pytest.mark.clause("11(1)0")
def test_a_retreat_may_go_to_any_open_hex_even_towards_the_firer(driven):
    """0202 and 0402 are adjacent to the firer, only the river keeps his ZOC away (R47)."""
    battle = driven()
    assert ends(battle) == {"0202", "0203", "0304", "0402", "0403"}
    battle.do("retreat sg-1 0202")
    assert battle.at("sg-1") == "0202"
    assert battle.facts("retreat") == {"unit": "sg-1", "from": "0303", "path": ["0202"], "how": "chosen"}


@pytest.mark.clause("11(1)0")
@pytest.mark.parametrize("number", ["0305", "0104", "0301"])
def test_a_retreat_goes_to_an_adjacent_hex(driven, number):
    battle = driven()
    assert battle.refused(f"retreat sg-1 {number}") == "11(1)0"
    with pytest.raises(MalformedOrder, match="retreat U HEX"):
        battle.order("retreat sg-1")


@pytest.mark.clause("11(1)0")
@pytest.mark.parametrize("letter", ["h", "m", "w", "M"])
def test_terrain_and_movement_points_do_not_matter(driven, letter):
    battle = driven({"sg-1": "0303 4-4-3-1"}, rows=f". . . .\n . . . .\n. . . {letter}\n . . . .")
    battle.do("retreat sg-1 0304")
    assert battle.at("sg-1") == "0304"


@pytest.mark.clause("11(1)1", "11(1)2")
@pytest.mark.parametrize("state", ["", " disordered"])
def test_no_retreat_into_an_enemys_hex_or_zoc(driven, state):
    """A disordered enemy closes the same hexes (R48)."""
    battle = driven({"sa-2": f"0304 4-4-3-4{state}"})
    assert battle.refused("retreat sg-1 0304") == "11(1)1"
    assert battle.refused("retreat sg-1 0203") == "11(1)2"
    assert battle.refused("retreat sg-1 0403") == "11(1)2"
    assert ends(battle) == {"0202", "0402"}


@pytest.mark.clause("11(1)2")
def test_a_zoc_from_farther_off_closes_the_hexes_it_reaches(driven):
    battle = driven({"sa-2": "0305 4-4-3-4"})
    assert battle.refused("retreat sg-1 0304") == "11(1)2"
    assert ends(battle) == {"0202", "0203", "0402", "0403"}


@pytest.mark.clause("11(1)2")
@pytest.mark.parametrize(
    ("kind", "open_there"), [("rivers", True), ("ponds", True), ("streams", False), ("roads", False)]
)
def test_an_enemy_beyond_a_river_or_pond_does_not_close_the_hex(field, kind, open_there):
    """Nor does he where a bridge leads over it; a stream changes nothing."""
    sides = {"rivers": (BANK,)}
    if kind == "roads":
        sides["roads"] = ("0304 0305",)
    else:
        sides[kind] = (*sides.get(kind, ()), "0304/0305")
    units = {"sg-1": "0303 4-4-3-4", "sa-1": "0302 4-4-3-4", "sa-2": "0305 4-4-3-4"}
    battle = field(FLAT, units, phase="satcho-fire", idle=True, **sides)
    battle.do("fire sa-1 at sg-1", 6, 6)
    assert ("0304" in ends(battle)) is open_there
    assert battle.why_not("retreat sg-1 0203") is None


@pytest.mark.clause("11(1)2")
def test_a_zoc_does_not_reach_over_a_bridge(driven):
    """Ruling R18."""
    battle = driven({"sa-2": "0305 4-4-3-4"}, rivers=(BANK, "0304/0305"), roads=("0304 0305",))
    assert "0304" in ends(battle)


@pytest.mark.clause("11(1)2", "11(4)a")
def test_a_friend_in_the_hex_does_not_cancel_enemy_zoc(driven):
    """Ruling R16."""
    battle = driven({"sa-2": "0305 4-4-3-4", "sg-2": "0304 4-4-3-4"})
    assert battle.refused("retreat sg-1 0304 0203") == "11(1)2"  # 0203 itself is out of its reach


@pytest.mark.clause("11(1)2", "10-2(10)")
def test_the_attackers_zoc_counts_from_the_hex_he_attacked_from(field):
    """Before the advance: 0304, adjacent to 0303 only, stays open (R48)."""
    units = {"sg-1": "0303 4-4-3-4", "sa-1": "0302 4-4-3-4"}
    battle = field(FLAT, units, phase="satcho-melee", idle=True)
    battle.do("melee sa-1 at sg-1 advance", 6, 6, 6)
    assert ends(battle) == {"0203", "0304", "0403"}
    assert battle.refused("retreat sg-1 0202") == "11(1)2"
    battle.do("retreat sg-1 0304")
    assert (battle.at("sa-1"), battle.at("sg-1")) == ("0303", "0304")


@pytest.mark.clause("11(1)3")
@pytest.mark.parametrize("kind", ["rivers", "ponds"])
@pytest.mark.parametrize("option", ["no", "yes"])
def test_no_retreat_over_a_river_or_pond_without_a_bridge_whatever_the_option(field, kind, option):
    sides = {"rivers": (BANK,)}
    sides[kind] = (*sides.get(kind, ()), "0303/0304")
    units = {"sg-1": "0303 4-4-3-4", "sa-1": "0302 4-4-3-4"}
    how = {"phase": "satcho-fire", "idle": True, "options": {"retreat-over-bridge": option}}
    battle = field(FLAT, units, **how, **sides)
    battle.do("fire sa-1 at sg-1", 6, 6)
    assert battle.refused("retreat sg-1 0304") == "11(1)3"
    assert ends(battle) == {"0202", "0203", "0402", "0403"}


@pytest.mark.clause("11(1)3")
@pytest.mark.parametrize("kind", ["rivers", "ponds"])
@pytest.mark.parametrize("option", [None, "no", "yes"])
def test_over_a_bridge_only_by_the_option(field, kind, option):
    """By default a bridge is no exception (R49)."""
    sides = {"rivers": (BANK,), "roads": ("0303 0304",)}
    sides[kind] = (*sides.get(kind, ()), "0303/0304")
    units = {"sg-1": "0303 4-4-3-4", "sa-1": "0302 4-4-3-4"}
    options = {} if option is None else {"retreat-over-bridge": option}
    battle = field(FLAT, units, phase="satcho-fire", idle=True, options=options, **sides)
    battle.do("fire sa-1 at sg-1", 6, 6)
    if option == "yes":
        assert "0304" in ends(battle)
        battle.do("retreat sg-1 0304")
        assert battle.at("sg-1") == "0304"
    else:
        assert battle.refused("retreat sg-1 0304") == "11(1)3"
        assert ends(battle) == {"0202", "0203", "0402", "0403"}


@pytest.mark.clause("11(1)3")
def test_a_stream_does_not_stop_a_retreat(driven):
    battle = driven(streams=("0303/0304",))
    assert "0304" in ends(battle)


@pytest.mark.clause("11(1)4")
@pytest.mark.parametrize(("more", "end"), [({}, "0102"), ({"sa-2": "0202 4-4-3-4"}, None)])
def test_off_the_map_is_no_way_out(field, more, end):
    """In the north-western corner two hexes adjoin: one is the firer's, so one remains, or none."""
    units = {"sg-1": "0101 4-4-3-4 disordered", "sa-1": "0201 4-4-3-4", **more}
    battle = field(FLAT, units, phase="satcho-fire", rivers=("0101/0201 0201/0102",), idle=True)
    battle.do("fire sa-1 at sg-1", 4, 4)
    assert battle.at("sg-1") == end
    assert (battle.told[-1].clause == "11(2)") is (end is None)


@pytest.mark.clause("11(1)4", "11(1)3")
def test_open_water_and_hexes_out_of_play_are_no_way_out(driven):
    battle = driven(rows=". . . . . .\n . . - . . .\n. . . ~ . .\n . . . . . .")
    assert ends(battle) == {"0202", "0402", "0403"}
    for number in ("0203", "0304"):
        with pytest.raises(MalformedOrder):
            battle.order(f"retreat sg-1 {number}")


# 11(2) and 11(3): none, one, several


@pytest.mark.clause("11(2)")
def test_with_all_six_hexes_closed_the_unit_is_removed(driven):
    battle = driven(rivers=("0203/0303 0303/0202 0302/0303 0303/0402 0303/0403 0303/0304", "0202/0302"))
    assert battle.at("sg-1") is None
    assert bakumatsu.test(battle.state, ("gone", "sg-1"))
    assert battle.told[-1].clause == "11(2)"
    assert battle.request.kind == "fire"


@pytest.mark.clause("11(2)", "11(3)")
def test_with_a_single_open_hex_the_unit_goes_there_without_a_question(driven):
    battle = driven(rivers=("0303/0202 0302/0303 0303/0402 0303/0403 0303/0304",))
    assert battle.at("sg-1") == "0203"
    assert battle.words("sg-1") == {"disordered"}
    assert battle.facts("retreat")["how"] == "only way"
    assert battle.request.kind == "fire"


@pytest.mark.clause("11(3)")
@pytest.mark.parametrize("number", ["0202", "0203", "0304", "0402", "0403"])
def test_the_owner_picks_any_of_several_hexes(driven, number):
    battle = driven()
    battle.do(f"retreat sg-1 {number}")
    assert battle.at("sg-1") == number


# 11(4): over friends


@pytest.mark.clause("11(4)a", "11(4)b")
def test_over_a_friend_to_the_next_free_hex(driven):
    battle = driven({"sg-2": "0304 4-4-3-4"})
    assert battle.refused("retreat sg-1 0304") == "11(4)a"
    assert battle.why_not("retreat sg-1 0304 0305") is None
    assert battle.refused("retreat sg-1 0304 0305 0306") == "11(4)a"  # 0305 is free, it ends there
    battle.do("retreat sg-1 0304 0305")
    assert (battle.at("sg-1"), battle.at("sg-2")) == ("0305", "0304")
    assert battle.words("sg-2") == {"disordered"}
    assert [(tell.what, tell.clause) for tell in battle.told] == [("retreat", "11(1)0"), ("disorder", "11(4)b")]


@pytest.mark.clause("11(4)a")
@pytest.mark.parametrize(
    ("way", "why"),
    [
        ("0305", None),
        ("0204", None),
        ("0404", "11(1)2"),  # next to sa-2
        ("0403", "11(1)3"),  # over a river
        ("0306", "11(1)0"),
        ("0303", "11(4)a"),  # back to where it began
    ],
)
def test_every_further_step_obeys_the_same_rules(driven, way, why):
    """Ruling R51."""
    units = {"sg-2": "0304 4-4-3-4", "sa-2": "0505 4-4-3-4"}
    battle = driven(units, rivers=(BANK, "0304/0403"))
    if why is None:
        assert battle.why_not(f"retreat sg-1 0304 {way}") is None
    else:
        assert battle.refused(f"retreat sg-1 0304 {way}") == why
        assert f"retreat sg-1 0304 {way}" not in battle.options()


@pytest.mark.clause("11(4)a", "11(4)b", "11(4)c")
def test_over_two_friends_both_of_which_suffer(driven):
    battle = driven({"sg-2": "0304 4-4-3-4", "sg-3": "0305 4-4-3-4 disordered"})
    assert battle.refused("retreat sg-1 0304 0305") == "11(4)a"
    battle.do("retreat sg-1 0304 0305 0306")
    assert battle.at("sg-1") == "0306"
    assert (battle.at("sg-2"), battle.words("sg-2")) == ("0304", {"disordered"})
    assert battle.at("sg-3") is None
    assert [(tell.what, tell.clause) for tell in battle.told] == [
        ("retreat", "11(1)0"),
        ("disorder", "11(4)b"),
        ("remove", "11(4)c"),
    ]


@pytest.mark.clause("11(4)a")
def test_no_hex_is_entered_twice_in_a_retreat(driven):
    """Ruling R51."""
    friends = {"sg-2": "0304 4-4-3-4", "sg-3": "0204 4-4-3-4", "sg-4": "0203 4-4-3-4"}
    battle = driven(friends)
    assert battle.refused("retreat sg-1 0304 0204 0304 0305") == "11(4)a"
    assert battle.refused("retreat sg-1 0203 0204 0304 0303") == "11(4)a"
    assert battle.why_not("retreat sg-1 0203 0204 0304 0305") is None


@pytest.mark.clause("11(4)c", "11(4)a")
def test_a_disordered_friend_is_removed_and_the_retreat_still_goes_on_beyond_its_hex(driven):
    """Ruling R52."""
    battle = driven({"sg-2": "0304 4-4-3-4 disordered"})
    assert battle.refused("retreat sg-1 0304") == "11(4)a"
    battle.do("retreat sg-1 0304 0305")
    assert battle.at("sg-1") == "0305"
    assert battle.at("sg-2") is None
    assert battle.facts("remove")["at"] == "0304"


@pytest.mark.clause("11(4)b", "11(4)c", "12(3)", "12(4)")
@pytest.mark.parametrize(("state", "stays"), [("", True), (" disordered", False)])
def test_passed_artillery_is_treated_like_any_friend(driven, state, stays):
    """Ruling R53."""
    battle = driven({"sg-2": f"0304 5-x-3-3 range 3{state}"})
    battle.do("retreat sg-1 0304 0305")
    assert battle.at("sg-2") == ("0304" if stays else None)
    assert battle.words("sg-2") - {"artillery"} == ({"disordered"} if stays else set())


@pytest.mark.clause("11(4)a", "11(3)")
def test_the_owner_may_go_over_a_friend_although_a_free_hex_is_open(driven):
    """Ruling R50."""
    battle = driven({"sg-2": "0304 4-4-3-4"})
    assert by_default(battle).count(" ") == 2  # the default never does
    assert by_default(battle) != "retreat sg-1 0304 0305"
    battle.do("retreat sg-1 0304 0305")
    assert battle.at("sg-1") == "0305"


@pytest.mark.clause("11(2)", "11(4)a")
def test_a_chain_of_friends_that_leads_nowhere_removes_the_unit_and_disturbs_nobody(driven):
    """Only 0203 is open, with a friend in it, and beyond it everything is closed (R51)."""
    battle = driven(
        {"sg-2": "0203 4-4-3-4", "sg-3": "0204 4-4-3-4 disordered"},
        rows="- - - - - .\n . . . . - .\n. . . . . .\n . . . . . .",
        rivers=("0202/0203 0202/0303 0302/0303 0303/0402 0303/0403 0303/0304 0203/0304 0204/0304 0204/0305",),
    )
    assert battle.at("sg-1") is None
    assert [(tell.what, tell.clause) for tell in battle.told[-1:]] == [("remove", "11(2)")]
    assert (battle.at("sg-2"), battle.words("sg-2")) == ("0203", {"normal"})
    assert (battle.at("sg-3"), battle.words("sg-3")) == ("0204", {"disordered"})


@pytest.mark.clause("11(2)", "11(4)a")
def test_a_way_out_at_the_end_of_a_chain_must_be_taken(driven):
    """The same with one hexside open at the far end: over both friends (R51)."""
    battle = driven(
        {"sg-2": "0203 4-4-3-4", "sg-3": "0204 4-4-3-4 disordered"},
        rows="- - - - - .\n . . . . - .\n. . . . . .\n . . . . . .",
        rivers=("0202/0203 0202/0303 0302/0303 0303/0402 0303/0403 0303/0304 0203/0304 0204/0304",),
    )
    assert battle.at("sg-1") == "0305"
    assert battle.facts("retreat")["path"] == ["0203", "0204", "0305"]
    assert battle.words("sg-2") == {"disordered"}
    assert battle.at("sg-3") is None


@pytest.mark.clause("11(4)a")
def test_a_friend_that_leads_nowhere_is_no_way(driven):
    """0304 with a friend is a dead end: beyond it all is in enemy ZOC or over a river (R51)."""
    units = {"sg-2": "0304 4-4-3-4", "sa-2": "0405 4-4-3-4"}
    battle = driven(units, rivers=(BANK, "0204/0304 0304/0203", "0304/0403"))
    assert battle.refused("retreat sg-1 0304 0305") == "11(1)2"
    assert not any(order.startswith("retreat sg-1 0304") for order in battle.options())
    assert ends(battle) == {"0202", "0203", "0402", "0403"}


# 11(3): the default of the ruling and standing orders


@pytest.mark.clause("11(3)")
@pytest.mark.parametrize(
    ("entry", "number"),
    [
        ("0103", "0203"),  # of 0203, 0304 and 0403, two hexes from the enemy, the one nearest home
        ("0306", "0304"),
        ("0503", "0403"),
        ("0206", "0203"),  # as near as 0304: the lower number
        ("0406", "0304"),  # as near as 0403
        ("0201", "0203"),  # 0202 is nearer home but next to the enemy
    ],
)
def test_the_default_is_far_from_the_enemy_then_near_home_then_the_lowest_number(driven, entry, number):
    """Ruling R55."""
    battle = driven(entry=entry)
    assert by_default(battle) == f"retreat sg-1 {number}"


@pytest.mark.clause("11(3)")
def test_the_default_looks_at_the_nearest_enemy_of_all(driven):
    """An enemy beyond a river north of 0203 spoils it (R55)."""
    river = "0103/0202 0103/0203 0104/0203"
    assert by_default(driven(entry="0201")) == "retreat sg-1 0203"
    assert by_default(driven({"sa-2": "0103 4-4-3-4"}, entry="0201", rivers=(BANK, river))) == "retreat sg-1 0304"


@pytest.mark.clause("11(3)", "11(4)a")
def test_the_default_prefers_the_shortest_way_to_one_farther_from_the_enemy(driven):
    """Only 0202, beside the enemy, is free; every other way leads over a friend (R55)."""
    friends = {"sg-2": "0203 4-4-3-4", "sg-3": "0304 4-4-3-4", "sg-4": "0403 4-4-3-4", "sg-5": "0402 4-4-3-4"}
    battle = driven(friends, entry="0306")
    assert len(ends(battle)) > 3
    assert by_default(battle) == "retreat sg-1 0202"


@pytest.mark.clause("11(3)", "11(4)b", "11(4)c")
def test_the_default_spares_disordered_friends_before_it_looks_at_the_enemy(driven):
    """Over 0203 a disordered friend would be lost; over the normal one the way ends nearer to the enemy (R55)."""
    friends = {"sg-2": "0203 4-4-3-4 disordered", "sg-3": "0402 4-4-3-4"}
    rivers = ("0302/0202 0303/0202", "0302/0303", "0302/0402", "0303/0304", "0303/0403", "0402/0403", "0402/0503")
    battle = driven(friends, rivers=rivers, entry="0106")
    assert {"0104", "0204", "0502"} <= ends(battle)
    assert by_default(battle) == "retreat sg-1 0402 0502"


@pytest.mark.clause("11(3)")
def test_the_default_takes_the_lowest_number_of_the_map_not_the_northernmost_hex():
    """On the map of Toba-Fushimi rows are counted from the south; Satsuma-Choshu has no home to be near to (R55)."""
    board = bakumatsu.board(load_scenario("toba-fushimi").data)
    state = bakumatsu.start(board, {})
    for unit, number in (("sa-01", "2109"), ("sg-01", "2110")):
        state.put(unit, board.map.parse(number))
    state.phase, state.opened = 5, True
    game = Game(rules_of("bakumatsu"), board, state)
    game.apply(bakumatsu.read_order(board, "shogunate", ("fire", "sg-01", "at", "sa-01")))
    game.apply((6, 6))
    assert {bakumatsu.order_words(board, order)[-1] for order in game.request.options()} == {"2208", "2108", "2008"}
    assert bakumatsu.order_words(board, game.request.default()) == ("retreat", "sa-01", "2008")


@pytest.mark.clause("11(3)", "14(4)1")
def test_the_default_does_not_seek_victory_hexes(driven):
    """Ruling R55."""
    battle = driven(entry="0306", control={"satcho": "0202 0203 0402 0403"})
    assert by_default(battle) == "retreat sg-1 0304"


@pytest.mark.clause("11(3)")
@pytest.mark.parametrize(
    ("orders", "answer"),
    [
        (["retreat sg-1 0402"], "0402"),
        (["retreat sg-1 0304 0402"], "0304"),  # the first permitted one wins
        (["retreat sg-1 0302 0301 0402"], "0402"),
        (["retreat sg-1 west north-west"], "0202"),
        (["retreat sg-1 south-east"], "0403"),
        (["retreat sg-1 south-west"], "0402"),
        (["retreat sg-1 north-east 0304"], "0203"),
        (["retreat sg-1 east"], "0304"),
        (["retreat any 0402"], "0402"),
        (["retreat sg-1 0304", "retreat any 0402"], "0304"),  # a unit's own come first
        (["retreat sg-1 0302", "retreat any 0402"], "0402"),
        (["retreat sg-1 0304", "retreat sg-1 0402"], "0402"),  # the latest replaces
        (["retreat sg-1 0304", "retreat sg-1"], None),  # and clears
        (["retreat sg-1 0304", "retreat sg-1", "retreat any 0402"], "0402"),
        (["retreat sg-1 0302 west 0306"], None),  # none is permitted
        (["retreat sg-2 0402"], None),
        ([], None),
    ],
)
def test_standing_orders_are_tried_in_the_order_written(driven, orders, answer):
    """Ruling R55."""
    battle = driven({"sg-2": "0501 4-4-3-4"})
    assert standing(battle, *orders) == (None if answer is None else f"retreat sg-1 {answer}")


@pytest.mark.clause("11(3)", "11(4)a")
@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("retreat sg-1 0305", "0304 0305"),  # a hex is where the way ends
        ("retreat sg-1 east", "0304 0305"),  # a direction is where it begins; on from there by the default
        ("retreat sg-1 0304 0403", "0403"),  # no retreat ends on a friend
    ],
)
def test_standing_orders_may_lead_over_friends(driven, order, answer):
    """Ruling R55."""
    battle = driven({"sg-2": "0304 4-4-3-4"}, entry="0306")
    assert standing(battle, order) == f"retreat sg-1 {answer}"


@pytest.mark.clause("11(3)")
@pytest.mark.parametrize("words", ["retreat", "retreat sg-1 norht", "retreat sa-1 east", "move sg-1 east", "retreat x"])
def test_a_standing_order_that_means_nothing_is_refused(driven, words):
    battle = driven()
    with pytest.raises(MalformedOrder):
        bakumatsu.read_standing(battle.board, "shogunate", tuple(words.split()))
    assert standing(battle, "retreat sg-1 north-east") == "retreat sg-1 0203"


# where a retreat leads


@pytest.mark.clause("11(3)", "14(2)")
def test_a_retreat_into_a_victory_hex_takes_it(driven):
    """Ruling R54."""
    battle = driven(control={"satcho": "0304 0403"})
    battle.do("retreat sg-1 0304")
    assert battle.state.control[battle.hex("0304")] == "shogunate"
    assert battle.state.control[battle.hex("0403")] == "satcho"
    assert battle.facts("control") == {"hex": "0304", "place": None, "side": "shogunate", "from": "satcho"}


@pytest.mark.clause("11(3)", "14(4)1")
def test_a_retreat_into_the_enemys_entry_hex_wins_at_once_but_is_never_the_default(field):
    """Ruling R54."""
    units = {"sa-1": "0303 4-4-3-4", "sg-1": "0302 4-4-3-4"}
    battle = field(FLAT, units, phase="shogunate-fire", rivers=(BANK,), entry="0304", idle=True)
    battle.do("fire sg-1 at sa-1", 6, 6)
    assert battle.request.side == "satcho"
    assert by_default(battle) == "retreat sa-1 0203"
    battle.do("retreat sa-1 0304")
    assert battle.outcome is not None
    assert (battle.outcome.winner, battle.outcome.clause) == ("satcho", "14(4)1")


# all of it at once, against a plain enumeration


def barred(board, a, b):
    return bool(board.map.side(a, b) & {"river", "pond"})


def every_way(state, friends, enemies, path):
    """All ways on from a path, hex by hex as 11(1) and 11(4) are worded."""
    board = state.board
    for h in board.map.neighbours[path[-1]]:
        threatened = any(not barred(board, h, e) for e in board.map.neighbours[h] if e in enemies)
        if h in path or h in enemies or threatened or barred(board, path[-1], h):
            continue
        if h in friends:
            yield from every_way(state, friends, enemies, (*path, h))
        else:
            yield (*path[1:], h)


@pytest.mark.clause("11(1)0", "11(1)1", "11(1)2", "11(1)3", "11(1)4", "11(2)", "11(3)", "11(4)a")
@pytest.mark.parametrize("seed", range(40))
def test_ways_and_default_agree_with_an_enumeration_of_all_paths(field, seed):
    """Random positions; the default is the least by the ruling's order (R51, R55)."""
    chance = random.Random(seed)
    units = {f"sg-{i}": "setup 4-4-3-4" for i in range(9)} | {f"sa-{i}": "setup 4-4-3-4" for i in range(4)}
    rivers = ("0203/0204 0203/0304 0303/0304", "0402/0502 0402/0503")
    battle = field(FLAT, units, phase="satcho-fire", rivers=rivers, entry=chance.choice(["0101", "0306", "0504"]))
    board, state = battle.board, bakumatsu.copy(battle.state)
    centre, *others = sorted(board.map.areas["shogunate-west"], key=lambda h: distance(h, battle.hex("0303")))
    for unit, h in zip(units, [centre, *chance.sample(others, len(units) - 1)], strict=True):
        state.put(unit, h)
        if unit != "sg-0" and chance.random() < 0.4:
            state.disordered.add(unit)
    unit, (friends, enemies) = board.units["sg-0"], state.stands.values()
    entry = board.side["shogunate"].entry

    def rank(path):
        lost = sum(friends[h] in state.disordered for h in path[:-1])
        near = min(distance(path[-1], h) for h in enemies)
        return len(path), lost, -near, distance(path[-1], entry), board.label[path[-1]]

    right = list(every_way(state, friends, enemies, (state.at["sg-0"],)))
    assert sorted(retreat.complete_paths(state, unit)) == sorted(right)
    assert all(retreat.why_not(state, unit, Retreat("sg-0", path)) is None for path in right)
    assert all(retreat.why_not(state, unit, Retreat("sg-0", path[:-1])) is not None for path in right)
    found = retreat.ways(state, unit)
    assert found.keys() == {path[-1] for path in right}
    for end, path in found.items():
        assert path in right
        assert rank(path) == min(rank(other) for other in right if other[-1] == end)
    if right:
        assert rank(retreat.default(state, unit).path) == min(map(rank, right))
