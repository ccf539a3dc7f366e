"""Battles of commanders-in-chief: who takes part, the rounds, who stops, who goes back (rulebook 24)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from rules.sengoku.activities import asked, play, run, told

from pbem.maps.hexes import distance
from pbem.rules.requests import Choose, Roll
from pbem.rules.sengoku import battle, sequence
from pbem.rules.sengoku.battle import carry_out, options, why_not
from pbem.rules.sengoku.orders import DONE, Advance, Battle, FightOn, GiveBattle, Losses, Retreat
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
PLAIN = """
. . . . . . . .
 . . . . . . . .
. . . . . . . .
 . . . . . . . .
. . . . . . . .
"""
US = "hb-01 hb-04 hb-06 hb-07 hb-08"
"""A force of strength 11, its leader's modifier 3; in 0303."""
THEM = "sb-01 sb-04 sb-05 sb-06 sb-07"
"""A force of strength 10, its leader's modifier 3; in 0304."""
BOTH = {US: "0303", THEM: "0304"}
MET = Battle("hb-01", "sb-01")


def refused(s: State, *others: str, force: str = "hb-01", target: str = "sb-01", **more: Any) -> str:
    """The clause by which a commander-in-chief can't offer a battle, "" when he can."""
    refusal = why_not(s, "hashiba", Battle(force, target, others, **more))
    return refusal.clause if refusal is not None else ""


def fight(
    s: State, dice: list[int], answers: Mapping[str, Sequence[Any]] | None = None, order: Battle = MET
) -> list[Any]:
    """What a legal battle brings; what isn't answered goes by default."""
    assert why_not(s, "hashiba", order) is None
    return run(carry_out(s, order), dice, answers or {})


def label(s: State, force: str) -> str:
    """The number of a force's hex."""
    return s.board.label[s.at[force]]


def spend(s: State, *units: str) -> None:
    """Let units have one step."""
    s.reduced.update(units)


# --- who may offer one ------------------------------------------------------------------------------------------------


@pytest.mark.clause("24-1-1", "22.0")
def test_a_commander_in_chief_meets_another_commander_in_chief(field: Field) -> None:
    s = field(PLAIN, {**BOTH, "hb-02": "0204", "sb-02": "0304", "mr-01": "0305"})
    assert refused(s) == ""
    assert refused(s, force="hb-02") == "24-1-1"
    assert refused(s, target="sb-02") == "24-1-1"
    assert refused(s, target="mr-01") == "22-1-2"
    assert refused(s, target="hb-02") == "22.0"
    fight(s, [6, 1], {"fight-on": [FightOn(made=False)]})
    assert refused(s) == "12.0-2"


@pytest.mark.clause("24-1-7")
@pytest.mark.parametrize(("letter", "clause"), [(".", ""), ("r", ""), ("M", "24-1-7"), ("s", "24-1-7")])
def test_mountain_or_swamp_of_either_side_bars_a_battle(field: Field, letter: str, clause: str) -> None:
    for here, there in ((letter, "."), (".", letter)):
        rows = f". . . . . .\n . . . . . .\n. . {here} {there} . .\n . . . . . .\n"
        assert refused(field(rows, BOTH)) == clause


@pytest.mark.clause("24-1-2", "24-1-4", "24-1-5", "24-1-6", "12-1-1(joint)", "7-1-1")
def test_others_of_the_hex_join_the_attack_unless_they_have_acted(field: Field) -> None:
    forces = {**BOTH, "hb-02": "0303", "hb-03": "0303 acted", "hb-05": "0302", "nw-01": "0303", "hb-09": "0303"}
    s = field(PLAIN, forces, stage=3, values={"hb-09": {"power": "1"}})
    assert refused(s, "hb-02", "nw-01", "hb-09") == ""  # hb-09 is too slow for the stage, nw-01 of another army
    assert refused(s, "hb-03") == "24-1-2"
    assert refused(s, "hb-05") == "24-1-2"  # in another hex
    assert refused(s, "hb-04") == "24-1-2"  # under command
    assert refused(s, "hb-02", "hb-02") == "24-1-2"
    assert refused(s, "hb-01") == "24-1-2"
    assert refused(s, "sb-01") == "3.0(2)"
    fight(s, [6, 1], {}, Battle("hb-01", "sb-01", ("hb-02", "hb-09"), until=0))
    assert {*US.split(), "hb-02", "hb-09"} <= s.acted
    assert "nw-01" not in s.acted
    assert s.attacked == {"hashiba"}


@pytest.mark.clause("24-1-6", "18-4-1")
def test_neither_those_shut_in_nor_besiegers_attack(field: Field) -> None:
    castle = {"castles": {"gifu": "0303 hashiba 0"}}
    s = field(PLAIN, {US: "0303 shut-in", THEM: "0304"}, **castle)
    assert refused(s) == "24-1-6"
    s = field(PLAIN, {**BOTH, "hb-02": "0303 shut-in"}, **castle)
    assert refused(s, "hb-02") == "24-1-6"
    assert refused(s) == ""
    s = field(PLAIN, {**BOTH, "hb-02": "0303 besieging"}, castles={"gifu": "0303 kobe 0"})
    assert refused(s, "hb-02") == "18-4-1"
    s.besieging = {"hb-01"}
    assert refused(s) == "18-4-1"


@pytest.mark.clause("36.7-1", "24-1-2")
def test_an_army_that_is_held_back_joins_no_attack(field: Field) -> None:
    idle = [{"armies": ["niwa"], "until": "4", "die": "6", "clause": "36.7-2"}]
    s = field(PLAIN, {**BOTH, "nw-01": "0303"}, scenario={"idle": idle})
    assert refused(s, "nw-01") == "36.7-2"
    s.thawed.add("niwa")
    assert refused(s, "nw-01") == ""


@pytest.mark.clause("24-2-5")
def test_a_share_of_losses_is_0_to_100(field: Field) -> None:
    s = field(PLAIN, BOTH)
    assert [refused(s, until=share) for share in (-1, 0, 100, 101)] == ["24-2-5", "", "", "24-2-5"]


def test_battles_are_offered_with_all_and_alone(field: Field) -> None:
    s = field(PLAIN, {**BOTH, "hb-02": "0303", "hb-03": "0303 acted"})
    along = Battle("hb-01", "sb-01", ("hb-02",), skirmish=("sb-01",))
    assert list(options(s, "hb-01")) == [along, Battle("hb-01", "sb-01", skirmish=("sb-01",))]
    assert list(options(s, "hb-02")) == []
    s.acted.add("hb-01")
    assert list(options(s, "hb-01")) == []


# --- who stands, and consent ------------------------------------------------------------------------------------------


@pytest.mark.clause("24-1-3", "24-1-5", "24-1-6")
def test_the_defender_says_which_forces_of_the_hex_stand(field: Field) -> None:
    forces = {**BOTH, "sb-02": "0304", "kb-01": "0304", "sb-03": "0305"}
    for answer, strength in ((GiveBattle(("sb-01",)), 10), ("", 14)):
        found = fight(field(PLAIN, forces), [6, 1], {"join": [answer]}, Battle("hb-01", "sb-01", until=0))
        assert told(found, "battle-result")[1]["strength"] == strength
    (asking,) = asked(found, "join")
    assert asking.side == "anti-hashiba"
    assert asking.why_not(GiveBattle(("sb-01", "kb-01"))) is None
    for wrong in ((), ("sb-02",), ("sb-01", "sb-03"), ("sb-01", "sb-01")):
        assert asking.why_not(GiveBattle(wrong)) is not None
    assert asking.standing is not None
    assert asking.standing([]) is None
    assert asking.standing([("join", "any", "no")]) == GiveBattle(("sb-01",))
    assert asking.standing([("join", "any", "no"), ("join", "kb-01", "yes")]) == GiveBattle(("sb-01", "kb-01"))


@pytest.mark.clause("24-1-8", "24-1-8(no)")
@pytest.mark.parametrize("owner", ["shibata", "hashiba"])
def test_in_the_hex_of_a_castle_a_battle_needs_consent(field: Field, owner: str) -> None:
    castles = {"gifu": f"0304 {owner} 1"}
    s = field(PLAIN, BOTH, castles=castles)
    found = fight(s, [])
    assert told(found, "declined") != []
    assert "hb-01" not in s.acted
    assert refused(s) == "24-1-8"  # asked once in a phase
    (asking,) = asked(found, "consent")
    assert asking.default is not None
    assert asking.default() == GiveBattle(())
    assert asking.standing is not None
    assert asking.standing([]) is None
    assert asking.standing([("consent", "any", "no")]) == GiveBattle(())
    assert asking.standing([("consent", "sb-01", "yes")]) == GiveBattle(("sb-01",))
    s = field(PLAIN, BOTH, castles=castles)
    found = fight(s, [6, 1], {"consent": [GiveBattle(("sb-01",))]}, Battle("hb-01", "sb-01", until=0))
    assert len(told(found, "battle-result")) == 2


@pytest.mark.clause("24-1-8", "22.0(sides)")
def test_a_battle_is_refused_for_the_phase_alone(field: Field) -> None:
    s = field(PLAIN, BOTH, castles={"gifu": "0304 shibata 1"})
    s.phase, s.stage = next(i for i, phase in enumerate(sequence.PHASES) if phase.player == 1), 1
    play(s, [MET])
    assert refused(s) == "24-1-8"
    play(s, [DONE])
    assert why_not(s, "anti-hashiba", Battle("sb-01", "hb-01")) is None
    assert sequence.why_not(s, "hashiba", MET) is not None  # the phase of the other side
    play(s, [DONE])
    assert refused(s) == ""


@pytest.mark.clause("24-1-8(no)")
def test_without_consent_the_attack_is_the_skirmish_that_the_order_allows(field: Field) -> None:
    s = field(PLAIN, {**BOTH, "sb-02": "0304", "sb-03": "0305"}, castles={"gifu": "0304 shibata 1"})
    assert refused(s, skirmish=("sb-03",)) == "22-1-2"
    assert refused(s, skirmish=("sb-02",)) == ""
    found = fight(s, [1, 1], {}, Battle("hb-01", "sb-01", skirmish=("sb-02",)))
    assert told(found, "attack")[0]["targets"] == ["sb-02"]
    assert "hb-01" in s.acted
    s = field(PLAIN, {**BOTH, "sb-03": "0203"})
    assert refused(s, skirmish=("sb-03",)) == "24-1-8(no)"  # in another hex


@pytest.mark.clause("24-1-8", "21-1(1)")
def test_an_abandoned_castle_asks_for_no_consent(field: Field) -> None:
    s = field(PLAIN, BOTH, castles={"gifu": "0304 nobody 1 0"})
    found = fight(s, [6, 1], {}, Battle("hb-01", "sb-01", until=0))
    assert asked(found, "consent") == asked(found, "join") == []


# --- the rounds -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("24-2", "24-2-1", "24-2-2", "24-2-4", "24.0", "24-2-8")
def test_both_dice_fall_before_either_loses_and_rounds_go_on(field: Field) -> None:
    s = field(PLAIN, BOTH)
    found = fight(s, [6, 5, 6, 5, 6, 5, 1], {"losses": [Losses(("sb-06", "sb-07"))]})
    kinds = [f for f in found if isinstance(f, Roll | Choose)]
    assert [f.label for f in kinds[:2] if isinstance(f, Roll)] == ["battle/hb-01", "battle/sb-01"]
    assert [f.kind for f in kinds[2:4] if isinstance(f, Choose)] == ["losses", "losses"]
    results = told(found, "battle-result")
    assert [facts["round"] for facts in results] == [1, 1, 2, 2, 3, 3]
    assert [(facts["strength"], facts["result"]) for facts in results] == [
        (11, 2), (10, 1), (10, 2), (8, 1), (9, 2), (6, 1),
    ]  # fmt: skip
    assert len(told(found, "step")) == 5 + 3


@pytest.mark.clause("24-2-3", "10-2(3)")
def test_skill_and_the_lowest_morale_count_and_no_ground(field: Field) -> None:
    rows = ". . . . . .\n . . . . . .\n. . r r . .\n . . . . . .\n"
    forces = {US: "0303 morale -1", "hb-02": "0303 morale -2", THEM: "0304", "sb-02": "0304 morale -4"}
    s = field(rows, forces, rivers=("0303/0304",), values={"sb-01": {"modifier": "1"}, "sb-02": {"modifier": "2"}})
    found = fight(s, [1, 1], {}, Battle("hb-01", "sb-01", ("hb-02",), until=0))
    ours, theirs = told(found, "battle-result")[:2]
    assert (ours["skill"], ours["morale"]) == (1, 2)
    assert (theirs["skill"], theirs["morale"]) == (-1, -2)
    assert (ours["strength"], ours["result"]) == (13, 2)  # at 1 + 1 + 2


@pytest.mark.clause("24-2-3(choice)", "2-2-1(3)")
def test_the_best_commander_that_leads_counts_whatever_his_rank(field: Field) -> None:
    skills = {"hb-01": "0", "hb-02": "2", "hb-03": "3", "hb-09": "3", "sb-01": "1"}
    values = {unit: {"modifier": skill} for unit, skill in skills.items()}
    s = field(PLAIN, {"hb-01 hb-03": "0303", "hb-02": "0303", "hb-09": "0303", THEM: "0304"}, values=values)
    found = fight(s, [6, 1], {}, Battle("hb-01", "sb-01", ("hb-02", "hb-09"), until=0))
    assert told(found, "battle-result")[0]["skill"] == 2 - 1  # hb-03 is under command, hb-09 no commander


@pytest.mark.clause("24-2-4", "23-3-3")
def test_a_mark_eliminates_a_unit_in_a_battle_too(field: Field) -> None:
    s = field(PLAIN, BOTH, values={"sb-01": {"modifier": "0"}})
    found = fight(s, [6, 1], {}, Battle("hb-01", "sb-01", until=0))
    assert (told(found, "battle-result")[0]["result"], told(found, "battle-result")[0]["marked"]) == (4, True)
    assert s.removed == {"sb-04": 1}


@pytest.mark.clause("24-2-5", "24-2-8")
def test_who_inflicted_more_by_the_table_may_stop(field: Field) -> None:
    s = field(PLAIN, BOTH)
    # 1 to 1, nobody may; 2 to 1, Hashiba may; 0 to 1, Shibata may, and does
    found = fight(s, [5, 5, 6, 5, 1, 6], {"fight-on": ["", FightOn(made=False)]})
    assert [asking.side for asking in asked(found, "fight-on")] == ["hashiba", "anti-hashiba"]
    (facts,) = told(found, "stopped")
    assert (facts["unit"], facts["target"]) == ("sb-01", "hb-01")
    assert s.balance == -1
    assert [facts["round"] for facts in told(found, "battle-result")] == [1, 1, 2, 2, 3, 3]


@pytest.mark.clause("24-2-5(retreat)", "24-3-2(limits)")
def test_who_stops_goes_back_one_hex_with_his_morale(field: Field) -> None:
    forces = {US: "0303 morale -1", "hb-02": "0303", "hb-03": "0303", THEM: "0304 morale -2"}
    s = field(PLAIN, forces, rivers=("0302/0303", "0202/0303", "0303/0402"))
    found = fight(s, [6, 1], {}, Battle("hb-01", "sb-01", ("hb-02",), until=0))
    assert [facts["unit"] for facts in told(found, "retreat")] == ["hb-01", "hb-02"]
    assert label(s, "hb-01") in ("0302", "0202", "0402")
    assert (label(s, "hb-03"), label(s, "sb-01")) == ("0303", "0304")  # who took no part stays, and nobody follows
    assert s.morale == {"hb-01": -1, "sb-01": -2}
    assert len(s.reduced) == 3 + 2  # losses, and a step of either force for the river
    assert s.balance == 1
    assert asked(found, "advance") == []


@pytest.mark.clause("24-2-5")
def test_nobody_stops_whose_forces_have_no_hex_to_go_to(field: Field) -> None:
    s = field(". . A . .\n A A A A A", {US: "0104", THEM: "0105"})
    found = fight(s, [6, 1, 5, 1, 5, 1, 5, 1, 1], {}, Battle("hb-01", "sb-01", until=0))
    assert told(found, "stopped") == []


@pytest.mark.clause("24-2-5")
def test_by_its_order_a_side_stops_at_a_share_of_losses(field: Field) -> None:
    more = {US: "0303", f"{THEM} sb-08": "0304"}
    dice = [5, 1, 6, 5, 6, 5]  # 1 to 0, 2 to 1, 2 to 1
    for until, rounds in ((0, 1), (20, 2), (21, 3), (40, 3)):
        found = fight(field(PLAIN, more), dice[: 2 * rounds], {}, Battle("hb-01", "sb-01", until=until))
        assert told(found, "battle-result")[-1]["round"] == rounds
        assert len(told(found, "stopped")) == 1
        assert asked(found, "fight-on") == []


@pytest.mark.clause("24-2-5")
def test_a_standing_order_says_how_long_a_side_fights_on(field: Field) -> None:
    found = fight(field(PLAIN, BOTH), [6, 5], {"fight-on": [FightOn(made=False)]})
    (asking,) = asked(found, "fight-on")
    assert asking.default is not None
    assert asking.default() == FightOn(made=True)
    assert asking.standing is not None
    assert asking.standing([]) is None
    assert asking.standing([("fight-on", "any", "20")]) == FightOn(made=False)  # one of five is reduced
    assert asking.standing([("fight-on", "hb-01", "21")]) == FightOn(made=True)
    assert asking.standing([("fight-on", "sb-01", "0")]) is None


# --- the end ----------------------------------------------------------------------------------------------------------

SPENT = ("sb-01", "sb-04", "sb-05", "sb-06")
"""All of THEM but one, so that a single step spends them."""


@pytest.mark.clause("24-2-6", "24-3-1", "24-3-1(others)", "24-3-2")
def test_who_is_spent_flees_by_a_die_for_each_force_with_all_in_the_hex(field: Field) -> None:
    s = field(PLAIN, {**BOTH, "sb-02": "0304", "sb-03 sb-08": "0304"})
    spend(s, *THEM.split(), "sb-02")
    standing = {"join": [GiveBattle(("sb-01", "sb-02"))]}
    found = fight(s, [5, 1, 2, 4, 3], standing)
    assert [f.label for f in found if isinstance(f, Roll)][2:] == ["flight/sb-01", "flight/sb-02", "flight/sb-03"]
    assert [facts["hexes"] for facts in told(found, "flight")] == [2, 4, 3]
    assert s.morale == {"sb-01": -2, "sb-02": -4, "sb-03": -3}
    gone = Counter(facts["unit"] for facts in told(found, "retreat"))
    assert gone == {"sb-01": 2, "sb-02": 4, "sb-03": 3}
    assert s.balance == -1
    assert [facts["unit"] for facts in told(found, "beaten")] == ["sb-01"]


@pytest.mark.clause("24-3-2")
@pytest.mark.parametrize(("die", "hexes", "steps"), [(1, 1, 0), (4, 4, 0), (5, 4, 1), (6, 4, 2)])
def test_a_5_costs_a_step_and_a_6_two_beside_4_hexes(field: Field, die: int, hexes: int, steps: int) -> None:
    s = field(PLAIN, BOTH)
    spend(s, *SPENT)
    found = fight(s, [5, 1, die])
    (facts,) = told(found, "flight")
    assert (facts["die"], facts["hexes"], facts["steps"]) == (die, hexes, steps)
    assert len(s.removed) == steps
    assert s.morale == {"sb-01": -hexes}


@pytest.mark.clause("24-3-2(limits)")
def test_hexes_without_a_way_are_steps(field: Field) -> None:
    s = field(". . . . . A\n A A A A A", {US: "0103", THEM: "0104"})
    spend(s, *SPENT)
    found = fight(s, [5, 1, 4])
    (facts,) = told(found, "flight")
    assert (facts["hexes"], facts["steps"], facts["ways"]) == (1, 3, [1])
    assert label(s, "sb-01") == "0105"
    assert s.morale == {"sb-01": -1}
    assert len(s.removed) == 3


@pytest.mark.clause("24-3-2(limits)", "23-4-6", "23-4-4(3)")
def test_a_flight_costs_what_a_retreat_costs_and_finds_refuge(field: Field) -> None:
    s = field(PLAIN, BOTH, castles={"ono": "0305 kobe 1"}, rivers=("0304/0305",))
    spend(s, *SPENT)
    way = Retreat("sb-01", (s.board.parse("0305"),), enter=True)
    found = fight(s, [5, 1, 3], {"retreat": [way]})
    assert told(found, "refuge") == [{"unit": "sb-01", "at": "0305"}]
    assert s.morale == {"sb-01": -3}
    assert len(s.removed) == 1


@pytest.mark.clause("24-2-7")
def test_if_both_are_spent_both_go_back_one_hex_and_nobody_has_lost(field: Field) -> None:
    s = field(PLAIN, {**BOTH, "hb-02": "0303"})
    spend(s, *SPENT, "hb-01", "hb-04", "hb-06", "hb-07")
    found = fight(s, [5, 5])
    assert {facts["unit"] for facts in told(found, "retreat")} == {"hb-01", "sb-01"}
    assert distance(s.at["hb-01"], s.board.parse("0304")) == 2
    assert distance(s.at["sb-01"], s.board.parse("0303")) == 2
    assert (s.morale, s.balance, asked(found, "advance")) == ({}, 0, [])
    assert label(s, "hb-02") == "0303"
    assert len(told(found, "parted")) == 1


@pytest.mark.clause("24-2-7")
def test_who_has_no_hex_to_part_loses_a_step(field: Field) -> None:
    s = field("A . . .\n A A A A", {US: "0102", THEM: "0103"})
    spend(s, *SPENT, "hb-01", "hb-04", "hb-06", "hb-07")
    fight(s, [5, 5])
    assert (label(s, "hb-01"), label(s, "sb-01")) == ("0102", "0104")
    assert len(s.removed) == 1


@pytest.mark.clause("24-3-3")
def test_the_winner_may_enter_the_hex_that_was_left_and_goes_no_farther(field: Field) -> None:
    for answer, place in (("", "0303"), (Advance(("hb-01",)), "0304")):
        s = field(PLAIN, {**BOTH, "hb-02": "0303", "hb-03": "0303"})
        spend(s, *SPENT)
        found = fight(s, [5, 1, 3], {"advance": [answer]}, Battle("hb-01", "sb-01", ("hb-02",)))
        assert (label(s, "hb-01"), label(s, "hb-02")) == (place, "0303")
    (asking,) = asked(found, "advance")
    assert asking.side == "hashiba"
    assert asking.why_not(Advance(("hb-01", "hb-02"))) is None
    for wrong in (("hb-03",), ("hb-02", "hb-02")):  # took no part; twice
        assert asking.why_not(Advance(wrong)) is not None
    assert asking.standing is not None
    assert asking.standing([]) is None
    assert asking.standing([("advance", "any", "no"), ("advance", "hb-02", "yes")]) == Advance(("hb-02",))


@pytest.mark.clause("24-3-3", "24-3-1(others)", "18-3(leave)", "24-2-6")
def test_a_defender_wins_too_and_a_besieger_leaves_its_siege_to_enter(field: Field) -> None:
    forces = {US: "0303", "sb-01 sb-04 sb-05 sb-06 sb-07": "0304 besieging", "hb-03": "0304 shut-in morale -2"}
    s = field(PLAIN, forces, castles={"gifu": "0304 hashiba 0"})
    spend(s, "hb-01", "hb-04", "hb-06", "hb-07")
    consent = {"consent": [GiveBattle(("sb-01",))], "advance": [Advance(("sb-01",))]}
    found = fight(s, [1, 6, 2], consent)
    assert told(found, "battle-result")[1]["strength"] == 10  # in full
    assert label(s, "sb-01") == "0303"
    assert s.besieging == set()
    assert "hb-03" not in s.morale
    assert s.balance == 1


@pytest.mark.clause("24-3-1(others)", "18-3(leave)")
def test_besiegers_who_took_no_part_flee_and_their_siege_ends(field: Field) -> None:
    forces = {**BOTH, "sb-03 sb-08 sb-09 sb-10 sb-11": "0304 besieging", "hb-03": "0304 shut-in morale -2"}
    s = field(PLAIN, forces, castles={"gifu": "0304 hashiba 0"})
    spend(s, *SPENT)
    fight(s, [5, 1, 1, 1], {"consent": [GiveBattle(("sb-01",))]})
    assert label(s, "sb-03") != "0304"
    assert s.besieging == set()
    assert "hb-03" not in s.morale


@pytest.mark.clause("25-2", "24-2-6")
def test_a_commander_in_chief_who_falls_takes_his_clan_along_and_the_others_fight_on(field: Field) -> None:
    s = field(PLAIN, {US: "0303", "sb-01 sb-04": "0304", "kb-01 kb-03": "0304", "sb-02": "0505"})
    spend(s, "sb-01", "sb-04")
    found = fight(s, [6, 1, 1, 1, 1, 1, 2], {"losses": [Losses(("sb-01", "sb-04"))]})
    assert "sb-02" in s.removed
    results = told(found, "battle-result")
    assert (results[3]["strength"], results[3]["skill"]) == (4, 1 - 3)
    assert [facts["unit"] for facts in told(found, "flight")] == ["kb-01"]
    assert s.balance == -1


@pytest.mark.clause("25-2", "24-2-7")
def test_both_commanders_in_chief_fall_at_once(field: Field) -> None:
    s = field(PLAIN, {"hb-01 hb-04": "0303", "nw-01": "0303", "sb-01 sb-04": "0304", "hb-02": "0101"})
    spend(s, "hb-01", "sb-01", "hb-04", "sb-04", "nw-01")
    fallen = {"losses": [Losses(("sb-01",)), Losses(("hb-01",))]}
    found = fight(s, [6, 6], fallen, Battle("hb-01", "sb-01", ("nw-01",)))
    assert set(s.removed) >= {"hb-01", "hb-02", "hb-04", "sb-01", "sb-04"}
    assert [facts["unit"] for facts in told(found, "retreat")] == ["nw-01"]
    assert s.balance == 0


def test_after_so_many_rounds_both_part(field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battle, "MOST_ROUNDS", 3)
    found = fight(field(PLAIN, BOTH), [1] * 6)
    assert len(told(found, "parted")) == 1
