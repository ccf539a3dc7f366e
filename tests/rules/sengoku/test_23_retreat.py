"""Retreat after a skirmish: ways, what they cost, refuge (rulebook 23-4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.sengoku.activities import run, told

from pbem.maps.hexes import distance
from pbem.rules.requests import Choose
from pbem.rules.sengoku.orders import Counterattack, Losses, Retreat
from pbem.rules.sengoku.retreat import retreat, routes, way_words, why_dear, why_not
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
PLAIN = """
. . . . . . .
 . . . . . . .
. . . . . . .
 . . . . . . .
. . . . . . .
"""
ATTACKER = {"hb-01 hb-04 hb-06": "0302"}
"""In 0302; who stands in 0303 goes back eastward."""


def way(s: State, text: str, force: str = "sb-02", enter: bool = False) -> Retreat:
    """A way back along hexes by number."""
    return Retreat(force, tuple(map(s.board.parse, text.split())), enter)


def refused(s: State, text: str, hexes: int, enter: bool = False) -> str:
    """The clause by which sb-02, attacked from 0302, can't go back so, "" when it can."""
    refusal = why_not(s, "sb-02", hexes, s.board.parse("0302"), way(s, text, enter=enter))
    return refusal.clause if refusal is not None else ""


def back(s: State, hexes: int, text: str = "", *losses: Losses | str, enter: bool = False) -> list[Any]:
    """What happens when sb-02 goes back before 0302 on this way, or on the default one."""
    answer = way(s, text, enter=enter) if text or enter else ""
    return run(retreat(s, "sb-02", hexes, s.board.parse("0302")), [], [answer, *losses])


def cost(s: State, here: str, to: str) -> bool:
    """Whether Shibata's side loses a step by going back so."""
    return why_dear(s, "anti-hashiba", (s.board.parse(here), s.board.parse(to))) != ""


def label(s: State, force: str) -> str:
    """The number of a force's hex."""
    return s.board.label[s.at[force]]


@pytest.mark.clause("23-4-2", "23-4-3")
def test_a_force_goes_back_away_from_the_attacker(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"})
    assert refused(s, "0304", 1) == ""
    assert refused(s, "0304 0305", 2) == ""
    assert refused(s, "0304", 2) == "23-4-2"  # too short
    assert refused(s, "0304 0305", 1) == "23-4-2"  # too long
    assert refused(s, "0305", 1) == "23-4-2"  # not adjacent
    assert refused(s, "0302", 1) == "23-4-3(3)"  # the attacker's own hex
    assert refused(s, "0304 0303", 2) == "23-4-2"  # twice
    assert refused(s, "0304 0303 0304", 3) == "23-4-2"
    other = why_not(s, "sb-02", 1, s.board.parse("0302"), way(s, "0304", "sb-03"))
    assert other is not None
    assert other.clause == "23-4-3"


@pytest.mark.clause("23-4-2")
def test_the_last_hex_is_farther_and_none_is_nearer_than_the_one_before(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"})
    assert refused(s, "0202", 1) == "23-4-2"  # as far as before
    found = routes(s, "sb-02", 1, s.board.parse("0302"))
    assert {s.board.label[order.path[-1]] for order in found} == {"0203", "0304", "0403"}
    assert refused(s, "0202 0103", 2) == ""
    assert refused(s, "0203 0202", 2) == "23-4-2"  # nearer again


@pytest.mark.clause("23-4-2", "23-7")
def test_before_a_sortie_one_hex_is_enough_in_any_direction(field: Field) -> None:
    s = field(PLAIN, {"hb-01": "0303 shut-in", "sb-02": "0303"}, castles={"gifu": "0303 hashiba 1"})
    assert len(routes(s, "sb-02", 1, s.board.parse("0303"))) == 6


@pytest.mark.clause("23-4-3(1)")
def test_no_retreat_crosses_a_lake(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, lakes=("0303/0304",))
    assert refused(s, "0304", 1) == "23-4-3(1)"
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, rivers=("0303/0304",))
    assert refused(s, "0304", 1) == ""


@pytest.mark.clause("23-4-3(2)")
@pytest.mark.parametrize(("letter", "clause"), [("A", "23-4-3(2)"), ("M", ""), ("s", "")])
def test_no_retreat_goes_into_impassable_mountain(field: Field, letter: str, clause: str) -> None:
    rows = f". . . . . .\n . . . . . .\n. . . {letter} . .\n . . . . . .\n"
    assert refused(field(rows, {**ATTACKER, "sb-02": "0303"}), "0304", 1) == clause


@pytest.mark.clause("23-4-3(3)", "23-4-4(2)")
def test_enemies_in_the_open_bar_a_hex_and_those_shut_in_cost_a_step(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303", "hb-05": "0304"})
    assert refused(s, "0304", 1) == "23-4-3(3)"
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303", "hb-05": "0304 shut-in"}, castles={"gifu": "0304 hashiba 1"})
    assert refused(s, "0304", 1) == ""
    assert cost(s, "0303", "0304")


@pytest.mark.clause("36.7-4", "36.1")
def test_no_retreat_leaves_the_play_area_or_enters_what_is_closed(field: Field) -> None:
    closed = [
        {"side": "anti-hashiba", "province": "Echizen", "left": ["hashiba"], "clause": "36.7-4"},
        {"side": "hashiba", "province": "Omi", "left": ["shibata"], "clause": "36.7-4"},
    ]
    provinces = {"Echizen": "0203", "Omi": "0304", "Mikawa": "0403"}
    s = field(
        PLAIN, {**ATTACKER, "sb-02": "0303"}, provinces=provinces, scenario={"closed": closed, "outside": ["Mikawa"]}
    )
    assert refused(s, "0304", 1) == ""  # closed to the other side
    assert refused(s, "0203", 1) == "36.7-4"
    assert refused(s, "0403", 1) == "36.1"
    found = routes(s, "sb-02", 1, s.board.parse("0302"))
    assert [s.board.label[order.path[-1]] for order in found] == ["0304"]


@pytest.mark.clause("23-4-4(1)", "5-1-1(3)")
def test_strong_control_of_the_enemy_costs_a_step_and_weak_control_none(field: Field) -> None:
    s = field(PLAIN, {"hb-01": "0302", "hb-05": "0105", "sb-02": "0303"})
    assert cost(s, "0304", "0205")  # beside hb-05
    assert not cost(s, "0303", "0304")
    s = field(PLAIN, {"hb-01": "0302", "sb-02": "0303"}, castles={"gifu": "0305 hashiba 1"})
    assert not cost(s, "0303", "0304")


@pytest.mark.clause("23-4-4(2)")
def test_an_enemy_castle_costs_a_step_besieged_or_not_and_an_abandoned_one_none(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, castles={"gifu": "0305 hashiba 0", "ono": "0304 nobody 1 0"})
    assert cost(s, "0304", "0305")
    assert not cost(s, "0303", "0304")
    s = field(PLAIN, {**ATTACKER, "sb-01": "0305 besieging"}, castles={"gifu": "0305 hashiba 0"})
    assert cost(s, "0304", "0305")
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, castles={"gifu": "0305 shibata 0"})
    assert not cost(s, "0304", "0305")


@pytest.mark.clause("23-4-4(3)")
def test_a_river_costs_a_step_and_a_bridge_spares_it(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, rivers=("0303/0304", "0304/0305"), bridges=("0304 0305",))
    assert cost(s, "0303", "0304")
    assert not cost(s, "0304", "0305")


@pytest.mark.clause("23-4-4(4)")
@pytest.mark.parametrize(("letter", "expected"), [(".", False), ("r", False), ("M", True), ("s", True)])
def test_mountain_and_swamp_cost_a_step(field: Field, letter: str, expected: bool) -> None:
    rows = f". . . . . .\n . . . . . .\n. . . {letter} . .\n . . . . . .\n"
    assert cost(field(rows, {**ATTACKER, "sb-02": "0303"}), "0303", "0304") is expected


@pytest.mark.clause("23-4-4(max)", "23-4-4(1)", "23-4-5")
def test_a_hex_costs_one_step_whatever_the_reasons_and_each_hex_its_own(field: Field) -> None:
    rows = ". . . . . .\n . . . . . .\n. . . M s .\n . . . . . .\n"
    s = field(rows, {**ATTACKER, "sb-02 sb-04 sb-05": "0303", "hb-05": "0105"}, rivers=("0303/0304",))
    found = back(s, 2, "0304 0305", Losses(("sb-04",)), Losses(("sb-05",)))
    assert [facts["unit"] for facts in told(found, "step")] == ["sb-04", "sb-05"]
    assert label(s, "sb-02") == "0305"
    assert s.morale["sb-02"] == -2


@pytest.mark.clause("23-4-5", "10-1-1(3)")
@pytest.mark.parametrize(("before", "after"), [(0, -2), (-2, -4), (-3, None)])
def test_morale_falls_by_the_hexes_and_below_minus_4_the_force_is_gone(
    field: Field, before: int, after: int | None
) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02 sb-04": f"0303 morale {before}"})
    back(s, 2, "0304 0305")
    assert s.morale.get("sb-02") == after
    assert ("sb-02" in s.forces) is (after is not None)


@pytest.mark.clause("23-4-4(1)")
def test_a_force_without_units_left_ends_on_its_way(field: Field) -> None:
    rows = ". . . . . .\n . . . . . .\n. . . M . .\n . . . . . .\n"
    s = field(rows, {**ATTACKER, "sb-02": "0303 reduced sb-02"})
    found = back(s, 2, "0304 0305")
    assert [facts["to"] for facts in told(found, "retreat")] == ["0304"]
    assert s.removed == {"sb-02": 1}


@pytest.mark.clause("23-4-6", "23-4-6(morale)", "16-2")
def test_in_a_castle_of_its_side_the_force_may_end_its_retreat(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, castles={"gifu": "0304 kobe 1"})
    assert refused(s, "0304", 3, enter=True) == ""
    assert refused(s, "0304", 3) == "23-4-2"
    found = back(s, 3, "0304", enter=True)
    assert told(found, "refuge") == [{"unit": "sb-02", "at": "0304"}]
    assert (label(s, "sb-02"), s.shut_in, s.morale["sb-02"]) == ("0304", {"sb-02"}, -3)
    for castle in ("gifu: hashiba", "gifu: nobody"):
        owner = castle.split()[1]
        s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, castles={"gifu": f"0304 {owner} 1 {'0' * (owner == 'nobody')}"})
        assert refused(s, "0304", 3, enter=True) == "23-4-6"


@pytest.mark.clause("23-4-6(own hex)", "23-4-6(morale)")
def test_the_castle_of_its_own_hex_is_a_refuge_without_a_step_back(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, castles={"gifu": "0303 shibata 1"})
    assert routes(s, "sb-02", 3, s.board.parse("0302"))[0] == Retreat("sb-02", enter=True)  # the default
    back(s, 3, enter=True)
    assert (label(s, "sb-02"), s.shut_in, s.morale["sb-02"]) == ("0303", {"sb-02"}, -3)
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303 morale -2"}, castles={"gifu": "0303 shibata 1"})
    s.set_castle_morale("gifu", -1)
    back(s, 3, enter=True)
    assert "sb-02" in s.removed
    assert s.castle_morale == {"gifu": -1}  # nobody came in


@pytest.mark.clause("23-4-6", "15-6-2")
def test_a_castle_under_siege_is_no_refuge(field: Field) -> None:
    forces = {**ATTACKER, "sb-02": "0303", "hb-05 hb-07 hb-08 hb-09 hb-10": "0304 besieging"}
    s = field(PLAIN, forces, castles={"gifu": "0304 kobe 0"})
    assert refused(s, "0304", 3, enter=True) == "23-4-3(3)"


@pytest.mark.clause("23-4-3")
def test_by_default_a_retreat_costs_few_steps_and_goes_home(field: Field) -> None:
    rows = ". . . . . .\n . . . . . .\n. . . M . .\n . . . . . .\n. . . . . .\n"
    s = field(rows, {**ATTACKER, "sb-02": "0303"}, castles={"ono": "0501 shibata 1"}, main={"shibata": "ono"})
    found = routes(s, "sb-02", 1, s.board.parse("0302"))
    assert [s.board.label[order.path[-1]] for order in found][-1] == "0304"  # the mountain last
    ends = [order.path[-1] for order in found[:2]]
    assert s.board.label[ends[0]] > s.board.label[ends[1]]  # nearer to 0501, though its number is higher


@pytest.mark.clause("23-4-3", "31-2")
@pytest.mark.parametrize("edge", ["0101 0102", "0501 0502", "0101 0501 0502"])
def test_an_army_without_a_main_castle_goes_back_towards_the_edge_by_which_it_came(field: Field, edge: str) -> None:
    s = field(PLAIN, {**ATTACKER, "mr-03": "0303"}, sources={"mori": edge})
    homes = [s.board.parse(number) for number in edge.split()]
    found = [order.path[-1] for order in routes(s, "mr-03", 1, s.board.parse("0302"))]
    far = [min(distance(h, home) for home in homes) for h in found]
    assert far == sorted(far)
    assert far[0] < far[-1]


@pytest.mark.clause("23-4-3")
def test_the_owner_says_where_by_standing_order(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, castles={"gifu": "0304 kobe 1"})
    found = back(s, 1)
    (asked,) = (f for f in found if isinstance(f, Choose))
    assert asked.side == "anti-hashiba"
    assert asked.reaction
    assert asked.standing is not None
    assert asked.standing([("retreat", "any", "0304")]) == way(s, "0304")
    assert asked.standing([("retreat", "sb-02", "0901", "castle")]) == way(s, "0304", enter=True)
    assert asked.standing([("retreat", "sb-03", "0304")]) is None
    assert label(s, "sb-02") == "0304"
    assert s.shut_in == {"sb-02"}


@pytest.mark.clause("23-4-6", "23-4-6(own hex)")
def test_a_standing_order_names_a_refuge_by_its_hex(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, castles={"gifu": "0303 kobe 1", "sone": "0304 kobe 1"})
    (asked,) = (f for f in back(s, 1, "0304") if isinstance(f, Choose))
    assert asked.standing is not None
    assert asked.standing([("retreat", "any", "castle")]) == way(s, "", enter=True)
    assert asked.standing([("retreat", "any", "0303")]) == way(s, "", enter=True)
    assert asked.standing([("retreat", "any", "0304")]) == way(s, "0304")  # that far it had to go anyway


@pytest.mark.clause("18-3", "23-4-1")
def test_a_besieger_who_goes_back_gives_up_the_siege(field: Field) -> None:
    forces = {**ATTACKER, "sb-02 sb-04 sb-05 sb-06 sb-07": "0303 besieging", "hb-05": "0303 shut-in morale -2"}
    s = field(PLAIN, forces, castles={"gifu": "0303 hashiba 0"})
    back(s, 1, "0304")
    assert s.besieging == set()
    assert "hb-05" not in s.morale


# --- what the questions say -------------------------------------------------------------------------------------------


def asked_of(happened: list[Any]) -> list[str]:
    """The questions of an activity."""
    return [request.prompt for request in happened if isinstance(request, Choose)]


@pytest.mark.clause("23-4-4(1)", "23-4-4(2)", "23-4-4(3)", "23-4-4(4)", "23-4-5")
def test_the_question_for_a_step_of_the_way_says_for_what_it_is_lost_and_how_morale_falls_then(field: Field) -> None:
    castle = {"gifu": "0304 hashiba 1"}
    s = field(PLAIN, {**ATTACKER, "sb-02 sb-04": "0303 morale -1"}, rivers=("0303/0304",), castles=castle)
    where, lose = asked_of(back(s, 1, "0304", ""))
    place = s.board.place(s.board.parse("0304"))
    assert where.endswith("retreats to, 1 hex; behind it its morale falls by 1, to -2")
    assert lose == (
        "say which units of sb-02 Sakuma Morimasa lose 1 step for the way back: "
        f"entering {place}, an enemy castle, in enemy control and "
        "across a river; "
        "behind it its morale falls by 1, to -2"
    )
    assert s.morale["sb-02"] == -2


@pytest.mark.clause("10-1-2(unit)", "23-5-2")
def test_who_is_removed_whichever_way_he_goes_is_told_so(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303 morale -3"})
    (where,) = asked_of(back(s, 2))
    assert where.endswith(
        "2 hexes; behind it its morale falls below -4, and it is removed, so that the way matters only for who follows "
        "along it"
    )
    assert "sb-02" not in s.forces
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303 morale -2"})
    (where,) = asked_of(back(s, 2))
    assert where.endswith("2 hexes; behind it its morale falls by 2, to -4")
    assert "sb-02" in s.forces


@pytest.mark.clause("23-6")
def test_an_answer_about_a_counterattack_is_refused_to_who_retreats_with_its_clause(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02 sb-04": "0303"}, rivers=("0303/0304",))
    for asked in (r for r in back(s, 1, "0304", "") if isinstance(r, Choose)):
        refusal = asked.why_not(Counterattack(made=True))
        assert refusal is not None
        assert refusal[:2] == ("23-6", f"a force that retreats makes no counterattack; asked is: {asked.prompt}")


@pytest.mark.clause("23-4-4(3)", "23-4-6")
def test_the_ways_back_are_told_with_what_they_cost(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303"}, rivers=("0303/0304",), castles={"gifu": "0403 shibata 1"})
    place = s.board.place(s.board.parse("0304"))
    assert way_words(s, way(s, "0304")) == f"costs 1 step: entering {place}, across a river"
    assert way_words(s, way(s, "0203")) == "costs no step"
    assert way_words(s, way(s, "0403", enter=True)) == "into the castle, costs no step"


@pytest.mark.clause("23-4-4(3)", "25.0")
def test_who_is_killed_by_the_way_back_is_told_with_why(field: Field) -> None:
    s = field(PLAIN, {**ATTACKER, "sb-02": "0303 reduced sb-02"}, rivers=("0303/0304",))
    (facts,) = told(back(s, 1, "0304"), "remove")
    way_back = f"entering {s.board.place(s.board.parse('0304'))}, across a river"
    assert facts == {"unit": "sb-02", "at": "0304", "why": "killed", "way": way_back, "steps": 1}
