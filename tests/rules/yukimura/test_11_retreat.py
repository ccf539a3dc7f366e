"""Rulebook 11: morale checks, retreats, chain retreats (R82 to R84)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules.yukimura.retreat import Procedure

OPEN = "\n".join(" " * (i % 2) + ". " * 12 for i in range(9))
CORRIDOR = ". . . . . . . . . . . ."
"""One row of hexes: whoever is attacked from the west can only go east."""

ATTACKER = {"da-01": "0103 3-3-3"}
FAILS = "melee da-01 at go-01 hold"
"""With strength 3 against 3 and dice 4 and 5 the result is D1, so a unit of morale 1 retreats by its die."""


def corridor(field: Callable[..., Any], units: dict[str, str], **more: Any) -> Any:
    """A battle in which go-01 stands in 0104 with an enemy in its back, and friends to the east of it."""
    return field(CORRIDOR, {**ATTACKER, "go-01": "0104 3-1-3", **units}, phase="east-combat", idle=True, **more)


def story(told: list[Any]) -> list[str]:
    """What happened, in short."""
    return [" ".join([tell.what, tell.facts["unit"]]) for tell in told[1:]]


# --- checks ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("11(1)", "11(2)", "11(3)a", "11(3)b")
@pytest.mark.parametrize(
    ("morale", "die", "value", "end"),
    [
        (5, 4, 0, "0104"),
        (4, 4, 1, "0105"),
        (1, 4, 4, "0108"),
        (1, 5, 5, None),
        (2, 5, 4, "0108"),
        (2, 6, 5, None),
    ],
)
def test_the_value_of_a_check(field: Callable[..., Any], morale: int, die: int, value: int, end: str | None) -> None:
    battle = field(CORRIDOR, {**ATTACKER, "go-01": f"0104 3-{morale}-3"}, phase="east-combat", idle=True)
    battle.do(FAILS, 4, 5, die)
    facts = battle.facts("check")
    assert (facts["add"], facts["value"], facts["passed"]) == (1, value, value <= 0)
    assert (facts["retreat"], facts["removed"]) == (value if 0 < value < 5 else 0, value >= 5)
    assert battle.at("go-01") == end


@pytest.mark.clause("11.a", "11.b")
def test_each_check_has_its_own_die_and_an_asterisk_none(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 1-3-3", "da-02": "0404 1-*-3", "da-03": "0503 1-4-3", "go-01": "0504 4-3-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    told = battle.do("melee da-01 at go-01 with da-02 da-03", 5, 3, 1, 2)  # -1, 8: A1
    assert story(told) == ["check da-01", "exempt da-02", "check da-03"]
    assert [tell.facts["die"] for tell in told if tell.what == "check"] == [1, 2]


# --- ways ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("11-1")
def test_the_owner_chooses_by_order_standing_order_or_default(field: Callable[..., Any]) -> None:
    units = {"da-01": "0503 3-3-3", "go-01": "0504 3-1-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do(FAILS, 4, 5, 2)
    choose = battle.request
    assert (choose.side, choose.kind, choose.reaction, choose.about) == ("osaka", "retreat", True, ("go-01",))
    options = battle.options()
    assert battle.order(options[0]) == choose.default() == battle.order("retreat go-01 0404 0305")  # lowest numbers
    assert len(options) == len(set(options)) == 7
    for words, path in [
        ([("retreat", "any", "0506")], "0505 0506"),
        ([("retreat", "any", "0506"), ("retreat", "go-01", "0705")], "0604 0705"),
        ([("retreat", "any", "0999", "east")], "0505 0506"),
        ([("retreat", "go-01", "south-east")], "0604 0705"),
        ([("retreat", "go-01", "west", "north-east")], "0404 0305"),
        ([("retreat", "go-01", "0604")], "0604 0605"),  # leads through it
    ]:
        assert choose.standing(words) == battle.order(f"retreat go-01 {path}"), words
    assert choose.standing([("retreat", "any", "west")]) is None
    assert choose.standing([("retreat", "any", "0506"), ("retreat", "any")]) is None
    battle.do("retreat go-01 0505 0605")
    assert battle.at("go-01") == "0605"


@pytest.mark.clause("11-1")
def test_the_opponent_has_no_say(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {"da-01": "0503 3-3-3", "go-01": "0504 3-1-3"}, phase="east-combat", idle=True)
    battle.do(FAILS, 4, 5, 2)
    assert battle.refused("retreat da-01 0502 0501") == "11-1"
    assert battle.refused("done") == "11-1"
    assert battle.refused("displace go-01 0505") == "11-1"


@pytest.mark.clause("11-1-1", "11-1-2.a")
def test_every_step_leads_away_from_every_attacker(field: Callable[..., Any]) -> None:
    units = {"da-01": "0503 3-3-3", "da-02": "0403 1-3-3", "go-01": "0504 3-1-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01 with da-02 hold", 4, 4, 2)  # +1, 8: D1
    assert battle.refused("retreat go-01 0404 0405") == "11-1-2(2)"  # 0404 lies next to da-02
    assert battle.refused("retreat go-01 0505 0404") == "11-1-2(2)"
    assert battle.refused("retreat go-01 0604 0603") == "11-1-2(2)"
    assert battle.refused("retreat go-01 0505 0604") == "11-1-1"  # sideways
    assert battle.refused("retreat go-01 0505 0507") == "11-1-2.a"
    assert battle.refused("retreat go-01 0505") == "11(3)a"
    assert battle.refused("retreat go-01 0505 0506 0507") == "11(3)a"
    assert battle.why_not("retreat go-01 0505 0506") is None


@pytest.mark.clause("11-1-1", "11-1-3")
@pytest.mark.parametrize(
    ("places", "removed"),
    [
        (("0503",), False),
        (("0503", "0403"), False),
        (("0503", "0505"), True),  # on opposite sides
        (("0503", "0404", "0604"), True),  # at 120 degrees
    ],
)
def test_encirclement_removes(field: Callable[..., Any], places: tuple[str, ...], removed: bool) -> None:
    units = {f"da-0{i}": f"{h} 1-3-3" for i, h in enumerate(places, 1)}
    battle = field(OPEN, {**units, "go-01": f"0504 {len(places)}-1-3"}, phase="east-combat", idle=True)
    others = " ".join(sorted(units)[1:])
    battle.do(f"melee da-01 at go-01{' with ' if others else ''}{others} hold", 4, 5, 1)
    if battle.request.kind == "retreat":
        battle.do(battle.options()[0])
    assert (battle.at("go-01") is None) == removed


@pytest.mark.clause("11-1-2(1)", "11-1-3")
def test_not_into_an_enemy_hex(field: Callable[..., Any]) -> None:
    """Enemies' own hexes are looked at by themselves: across an impassable side an enemy has no ZOC."""
    units = {**ATTACKER, "go-01": "0104 3-1-3", "da-02": "0106 3-3-3"}
    battle = field(CORRIDOR, units, phase="east-combat", idle=True, impassable=["0105/0106"])
    battle.do(FAILS, 4, 5, 1)
    assert battle.at("go-01") == "0105"
    battle = field(
        OPEN, {"da-01": "0503 3-3-3", "go-01": "0504 3-1-3", "da-02": "0505 3-3-3"}, phase="east-combat", idle=True
    )
    battle.do(FAILS, 4, 5, 1)
    assert battle.at("go-01") is None


@pytest.mark.clause("11-1-2(1)")
def test_the_refusal_names_the_enemy_in_the_hex(field: Callable[..., Any]) -> None:
    units = {"da-01": "0503 3-3-3", "go-01": "0504 3-1-3", "da-02": "0505 3-3-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True, impassable=["0404/0505", "0405/0505"])
    battle.do(FAILS, 4, 5, 2)
    assert battle.options() == ["retreat go-01 0404 0305", "retreat go-01 0404 0405"]
    assert battle.refused("retreat go-01 0505 0506") == "11-1-2(1)"
    assert battle.refused("retreat go-01 0404 0505") == "11-1-2(3)"
    assert battle.refused("retreat go-01 0604 0605") == "11-1-2(2)"
    assert battle.refused("retreat go-01 0404 0304") == "11-1-1"


@pytest.mark.clause("11-1-2(2)", "6-3(2)", "11-1-3")
def test_not_into_an_enemy_zoc_at_any_step_even_with_a_friend_there(field: Callable[..., Any]) -> None:
    units = {"da-02": "0208 3-3-3", "go-02": "0108 3-6-3"}  # da-02 is next to 0108 and 0109
    rows = CORRIDOR + "\n " + "- " * 7 + "."
    for die, end in [(3, "0107"), (4, None)]:
        battle = field(rows, {**ATTACKER, "go-01": "0104 3-1-3", **units}, phase="east-combat", idle=True)
        battle.do(FAILS, 4, 5, die)
        assert battle.at("go-01") == end
    battle = field(
        rows, {**ATTACKER, "go-01": "0104 3-1-3", "da-02": "0208"}, phase="east-combat", idle=True,
        impassable=["0208/0108 0208/0109"],
    )  # fmt: skip
    battle.do(FAILS, 4, 5, 4)
    assert battle.at("go-01") == "0108"  # shielded


@pytest.mark.clause("11-1-2(3)", "11-1-3")
def test_not_across_an_impassable_side(field: Callable[..., Any]) -> None:
    battle = corridor(field, {}, impassable=["0105/0106"])
    battle.do(FAILS, 4, 5, 2)
    assert battle.at("go-01") is None
    assert battle.facts("remove")["why"] == "no way to retreat 2"
    battle = corridor(field, {}, impassable=["0105/0106"])
    battle.do(FAILS, 4, 5, 1)
    assert battle.at("go-01") == "0105"


@pytest.mark.clause("11-1-2(3)", "11-1-2.a", "12-1(6)")
def test_a_retreat_goes_over_every_side_of_a_river_hex_with_a_road(field: Callable[..., Any]) -> None:
    """R71: the road only makes 0106 a hex in which units can be; without one nobody ever enters it."""
    rows, units = ". . . . . ~ . .\n . . . . . . . .", {**ATTACKER, "go-01": "0104 3-1-3"}
    through, ending = "retreat go-01 0105 0106 0206", "retreat go-01 0105 0106"
    for roads, sides, clause in [
        ((), (), "12-1(6)"),
        (("0106 0107",), (), None),
        (("0106 0107",), ("0105/0106",), "11-1-2(3)"),
        (("0107 0108",), (), "12-1(6)"),
    ]:
        for die, order in [(2, ending), (3, through)]:
            battle = field(rows, units, phase="east-combat", idle=True, roads=roads, impassable=sides)
            battle.do(FAILS, 4, 5, die)
            assert (order in battle.options()) == (clause is None)
            if clause is None:
                battle.do(order)
                assert battle.at("go-01") == order.split()[-1]
            else:
                assert battle.refused(order) == clause


@pytest.mark.clause("11-1-2(4)", "11-1-3")
def test_not_off_the_map(field: Callable[..., Any]) -> None:
    units = {"da-01": "0111 3-3-3", "go-01": "0112 3-1-3"}
    battle = field(CORRIDOR, units, phase="east-combat", idle=True)
    battle.do(FAILS, 4, 5, 1)
    assert battle.at("go-01") is None
    assert "go-01" in battle.state.removed
    assert "go-01" not in battle.state.exited


@pytest.mark.clause("11-1-2.a")
def test_movement_costs_do_not_matter(field: Callable[..., Any]) -> None:
    battle = field(
        ". . . . m w . .", {**ATTACKER, "go-01": "0104 3-1-1"}, phase="east-combat", idle=True, rivers=["0105/0106"]
    )
    battle.do(FAILS, 4, 5, 2)
    assert battle.at("go-01") == "0106"


@pytest.mark.clause("11-1-3")
def test_all_of_the_hexes_or_removal(field: Callable[..., Any]) -> None:
    for die, end in [(2, "0112"), (3, None)]:
        battle = field(CORRIDOR, {"da-01": "0109 3-3-3", "go-01": "0110 3-1-3"}, phase="east-combat", idle=True)
        battle.do(FAILS, 4, 5, die)
        assert battle.at("go-01") == end


# --- chain retreats --------------------------------------------------------------------------------------------------


@pytest.mark.clause("11-2", "11-2-1", "11-2-2.a", "11-2-2.b", "11-2-3.a", "2-2-2")
def test_friends_entered_are_marked_and_check_without_modifier(field: Callable[..., Any]) -> None:
    units = {"go-02": "0105 3-3-3", "go-03": "0106 3-3-3", "go-04": "0108 3-3-3"}
    battle = corridor(field, units)
    told = battle.do(FAILS, 4, 5, 3, 3, 1)
    assert story(told) == ["check go-01", "retreat go-01", "mark go-02", "mark go-03", "check go-02", "check go-03"]
    assert [tell.facts["add"] for tell in told if tell.what == "check"] == [1, 0, 0]
    assert [battle.at(unit) for unit in ("go-01", "go-02", "go-03", "go-04")] == ["0107", "0105", "0106", "0108"]


@pytest.mark.clause("11-2-3.b", "11-2-4", "11-2-5.a")
def test_a_marked_unit_that_fails_retreats_and_marks_others(field: Callable[..., Any]) -> None:
    battle = corridor(field, {"go-02": "0105 3-3-3", "go-03": "0107 3-3-3"})
    told = battle.do(FAILS, 4, 5, 2, 6, 1)  # go-02 rolls 6: 3 hexes, from 0105 to 0108 over go-01 and go-03
    assert story(told) == [
        "check go-01", "retreat go-01", "mark go-02", "check go-02", "retreat go-02", "mark go-03", "check go-03",
    ]  # fmt: skip
    assert [battle.at(unit) for unit in ("go-01", "go-02", "go-03")] == ["0106", "0108", "0107"]


@pytest.mark.clause("11-2-3.b")
@pytest.mark.parametrize(("die", "end"), [(3, "0105"), (4, "0106"), (5, "0107"), (6, "0108")])
def test_a_chain_retreat_is_die_less_morale(field: Callable[..., Any], die: int, end: str) -> None:
    battle = corridor(field, {"go-02": "0105 3-3-3"})
    battle.do(FAILS, 4, 5, 2, die)
    assert battle.at("go-02") == end
    assert battle.at("go-01") == ("0107" if die == 4 else "0106")  # by one hex it comes to go-01's hex 0106


@pytest.mark.clause("11(3)b", "11-2-3.b")
def test_a_chain_check_can_remove(field: Callable[..., Any]) -> None:
    """R85."""
    battle = corridor(field, {"go-02": "0105 3-1-3"})
    battle.do(FAILS, 4, 5, 2, 6)
    assert battle.at("go-02") is None
    battle = corridor(field, {"go-02": "0105 3-2-3"})
    battle.do(FAILS, 4, 5, 2, 6)
    assert battle.at("go-02") == "0109"


@pytest.mark.clause("11-2-4(1)", "11-2-5.a")
def test_a_unit_that_retreated_makes_room_without_a_check(field: Callable[..., Any]) -> None:
    battle = corridor(field, {"go-02": "0105 3-3-3"})
    told = battle.do(FAILS, 4, 5, 2, 4)  # go-02 retreats 1 into 0106, where go-01 has ended
    assert story(told)[3:] == ["check go-02", "retreat go-02", "displace go-01"]
    assert (battle.at("go-02"), battle.at("go-01")) == ("0106", "0107")


@pytest.mark.clause("11-2-4(2)")
def test_a_unit_that_chain_retreated_is_not_checked_again(field: Callable[..., Any]) -> None:
    battle = corridor(field, {"go-02": "0105 3-3-3", "go-03": "0106 3-3-3"})
    # go-01 to 0107; go-02 passes; go-03 retreats 2 to 0108; nobody enters it then
    told = battle.do(FAILS, 4, 5, 3, 6, 4)
    # go-02 rolls 6: from 0105 over go-03 (marked already) and go-01 to 0108; go-03 rolls 4: 0107, go-01 makes room,
    # comes to go-02's hex, which makes room
    assert [tell.facts["unit"] for tell in told if tell.what == "check"] == ["go-01", "go-02", "go-03"]
    assert [battle.at(unit) for unit in ("go-03", "go-01", "go-02")] == ["0107", "0108", "0109"]


@pytest.mark.clause("11-2-4(2)")
def test_a_unit_that_passed_may_be_checked_again(field: Callable[..., Any]) -> None:
    """Two attackers fail one after the other, and both retreat through da-03."""
    units = {"da-01": "0503 1-3-3", "da-02": "0403 1-3-3", "da-03": "0402 1-3-3", "go-01": "0504 5-3-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01 with da-02", 3, 4, 4, 4)  # -3, 7: A2; 4 + 2 - 3 = 3 each
    assert battle.request.about == ("da-01",)
    told = battle.do("retreat da-01 0402 0401 0301", 1)
    assert story([told[0], *told]) == ["retreat da-01", "mark da-03", "check da-03"]
    told = battle.do("retreat da-02 0402 0302 0201", 2)
    assert story([told[0], *told]) == ["retreat da-02", "mark da-03", "check da-03"]
    assert battle.at("da-03") == "0402"


@pytest.mark.clause("11-2-4(1)")
def test_attackers_that_fail_together_have_one_common_done(field: Callable[..., Any]) -> None:
    units = {"da-01": "0503 1-3-3", "da-02": "0403 1-3-3", "go-01": "0504 5-3-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    told = battle.do("melee da-01 at go-01 with da-02", 3, 4, 4, 4)
    assert story(told) == ["check da-01", "check da-02"]  # all dice first
    battle.do("retreat da-01 0402 0302 0201")
    told = battle.do("retreat da-02 0402 0302 0201")
    assert [tell.what for tell in told] == ["retreat", "displace"]  # da-01 makes room, without a check
    assert (battle.at("da-02"), battle.at("da-01")) == ("0201", "0101")


@pytest.mark.clause("11-2-4(1)")
def test_a_unit_whose_failure_is_still_to_come_gets_no_marker(field: Callable[..., Any]) -> None:
    battle = corridor(field, {"go-02": "0105 3-*-3", "go-03": "0106 3-3-3"})
    p = Procedure(frozenset())
    assert p.marks(battle.state, "go-01")
    assert not p.marks(battle.state, "go-02")  # 11.b
    p.pending.add("go-01")
    p.done.add("go-03")
    assert not p.marks(battle.state, "go-01")
    assert not p.marks(battle.state, "go-03")
    p.pending.clear()
    p.queue.append("go-01")
    assert not p.marks(battle.state, "go-01")


@pytest.mark.clause("11-2-5.a", "11-2-5.b")
def test_a_shared_hex_is_cleared_before_the_checks(field: Callable[..., Any]) -> None:
    battle = corridor(field, {"go-02": "0105 3-3-3"})
    told = battle.do(FAILS, 4, 5, 1, 3)
    assert story(told) == ["check go-01", "retreat go-01", "mark go-02", "displace go-02", "check go-02"]
    assert (battle.at("go-01"), battle.at("go-02")) == ("0105", "0106")
    assert told[4].facts == {"unit": "go-02", "from": "0105", "to": "0106", "other": "go-01"}


@pytest.mark.clause("11-2-5.b")
def test_a_displaced_unit_marks_a_third_friend_and_goes_on(field: Callable[..., Any]) -> None:
    battle = corridor(field, {"go-02": "0105 3-3-3", "go-03": "0106 3-3-3"})
    told = battle.do(FAILS, 4, 5, 1, 3, 3)
    assert story(told) == [
        "check go-01", "retreat go-01", "mark go-02", "displace go-02", "mark go-03", "displace go-03",
        "check go-02", "check go-03",
    ]  # fmt: skip
    assert [battle.at(unit) for unit in ("go-01", "go-02", "go-03")] == ["0105", "0106", "0107"]


@pytest.mark.clause("11-2-5.a", "11.b")
def test_an_asterisk_is_neither_marked_nor_displaced(field: Callable[..., Any]) -> None:
    battle = corridor(field, {"go-02": "0105 3-*-3"})
    told = battle.do(FAILS, 4, 5, 1)
    assert story(told) == ["check go-01", "retreat go-01", "displace go-01"]
    assert (battle.at("go-01"), battle.at("go-02")) == ("0106", "0105")


@pytest.mark.clause("11-2-5.a")
def test_the_other_unit_steps_when_the_first_can_not(field: Callable[..., Any]) -> None:
    """go-01 has retreated to the end of the corridor; go-02, which comes there, is the one that can't stay."""
    units = {"da-01": "0109 3-3-3", "go-01": "0110 3-1-3", "go-02": "0111 3-3-3"}
    battle = field(CORRIDOR, units, phase="east-combat", idle=True)
    told = battle.do(FAILS, 4, 5, 2, 4)  # go-01 to 0112; go-02 fails by 1: to 0112, neither can step
    assert story(told)[3:] == ["check go-02", "retreat go-02", "remove go-02"]
    assert battle.at("go-01") == "0112"
    assert battle.facts("remove")["at"] == "0112"


@pytest.mark.clause("11-2-5.a")
def test_the_arriving_unit_is_removed_when_neither_can_step(field: Callable[..., Any]) -> None:
    units = {"da-01": "0110 3-3-3", "go-01": "0111 3-1-3", "go-02": "0112 3-3-3"}
    battle = field(CORRIDOR, units, phase="east-combat", idle=True)
    told = battle.do(FAILS, 4, 5, 1, 3)
    assert story(told) == ["check go-01", "retreat go-01", "mark go-02", "remove go-01", "check go-02"]
    assert battle.at("go-02") == "0112"


@pytest.mark.clause("11-2-5.a")
def test_the_owner_chooses_the_hex_of_a_displacement(field: Callable[..., Any]) -> None:
    units = {"da-01": "0503 3-3-3", "go-01": "0504 3-1-3", "go-02": "0505 3-*-3", "go-03": "0405 3-4-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do(FAILS, 4, 5, 1)
    battle.do("retreat go-01 0505")
    choose = battle.request
    assert (choose.kind, choose.side, choose.about, choose.reaction) == ("displace", "osaka", ("go-01",), True)
    assert battle.options() == ["displace go-01 0506", "displace go-01 0405", "displace go-01 0605"]
    assert choose.default() == battle.order("displace go-01 0506")  # an empty hex, though 0405 is lower
    assert choose.standing([("retreat", "go-01", "north-east")]) == battle.order("displace go-01 0405")
    assert choose.standing([("retreat", "any", "0605")]) == battle.order("displace go-01 0605")
    assert battle.refused("displace go-01 0604") == "11-1-1"
    assert battle.refused("displace go-01 0507") == "11-1-2.a"
    assert battle.refused("retreat go-01 0506") == "11-2-5.a"
    told = battle.do("displace go-01 0405")
    assert [tell.what for tell in told][:2] == ["displace", "mark"]
    assert battle.request.kind == "displace"  # and again, out of go-03's hex


@pytest.mark.clause("11-1-2.a", "11-2")
def test_the_default_way_disturbs_the_fewest(field: Callable[..., Any]) -> None:
    """R83: fewest marks, then a free end, then fewest friends, then the lowest numbers."""
    base = {"da-01": "0503 3-3-3", "go-01": "0504 3-1-3"}
    for friends, path in [
        ({}, "0404"),
        ({"go-02": "0404 3-3-3"}, "0505"),
        ({"go-02": "0404 3-*-3", "go-03": "0505 3-3-3", "go-04": "0604 3-3-3"}, "0404"),  # nobody is marked
        ({"go-02": "0404 3-*-3"}, "0505"),  # a free end
    ]:
        battle = field(OPEN, {**base, **friends}, phase="east-combat", idle=True)
        battle.do(FAILS, 4, 5, 1)
        assert battle.request.default() == battle.order(f"retreat go-01 {path}"), friends
    battle = field(OPEN, {**base, "go-02": "0404 3-*-3"}, phase="east-combat", idle=True)
    battle.do(FAILS, 4, 5, 2)
    assert battle.request.default() == battle.order("retreat go-01 0505 0405")  # 0404 0405 enters one friend more


# --- the end in the middle ------------------------------------------------------------------------------------------


LEADER = "mounted command 10"


@pytest.mark.clause("14-2(6)2")
@pytest.mark.parametrize(
    ("units", "target", "dice", "last"),
    [
        ({"go-09": f"0104 3-1-3 {LEADER}"}, "go-09", (1,), "retreat"),
        ({"go-09": f"0104 3-1-3 {LEADER}"}, "go-09", (5,), "remove"),
        # a chain retreat and a chain removal; the check of go-03, marked too, isn't rolled any more
        (
            {"go-01": "0104 3-1-3", "go-02": "0105", "go-09": f"0106 3-1-3 {LEADER}", "go-03": "0107"},
            "go-01",
            (3, 3, 2),
            "retreat",
        ),
        ({"go-01": "0104 3-1-3", "go-09": f"0105 3-1-3 {LEADER}", "go-03": "0106"}, "go-01", (2, 6), "remove"),
    ],
)
def test_a_collapse_ends_the_procedure_at_once(
    field: Callable[..., Any], units: dict[str, str], target: str, dice: tuple[int, ...], last: str
) -> None:
    victory = {"collapse": {"osaka": ["go-09"], "east": ["da-09"]}}
    units = {**ATTACKER, "da-09": f"0101 {LEADER}", **units}
    battle = field(CORRIDOR, units, phase="east-combat", idle=True, victory=victory)
    told = battle.do(f"melee da-01 at {target} advance da-01", 4, 5, *dice)
    assert [tell.what for tell in told if tell.what != "mark"][-2:] == [last, "end"]
    assert (battle.outcome.winner, battle.outcome.clause) == ("east", "14-2(6)2")
    assert battle.request is None
    assert battle.at("da-01") == "0103"  # no advance: the game is over


@pytest.mark.clause("14-2(6)1", "14-2(6)2")
def test_a_passed_check_ends_nothing_but_an_own_advance_does(field: Callable[..., Any]) -> None:
    victory = {"collapse": {"osaka": ["go-09"], "east": ["da-01"]}}
    units = {"da-01": f"0103 {LEADER}", "go-01": "0104 3-1-3", "go-09": f"0105 {LEADER}"}
    battle = field(CORRIDOR, units, phase="east-combat", idle=True, victory=victory)
    battle.do(FAILS, 4, 5, 2, 3)
    assert battle.outcome is None
    battle = field(CORRIDOR, units, phase="east-combat", idle=True, victory=victory)
    battle.do("melee da-01 at go-01 advance da-01", 4, 5, 2, 3)
    assert battle.outcome.winner == "osaka"
