"""Skirmishes: who may be attacked, the die, losses or retreat, the counterattack (rulebook 22, 23)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.sengoku.activities import asked, run, told

from pbem.rules.requests import Choose, Roll
from pbem.rules.sengoku import harm
from pbem.rules.sengoku.orders import Attack, Counterattack, GiveWay, LiftAttacked, Losses, Retreat
from pbem.rules.sengoku.retreat import routes
from pbem.rules.sengoku.skirmish import carry_out, skill, why_not
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
PLAIN = """
. . . . . . .
 . . . . . . .
. . . . . . .
 . . . . . . .
"""
TEN = "hb-02 hb-04 hb-06 hb-07 hb-08"
"""A force of strength 10, its leader's modifier 2."""
THEM = "sb-03 sb-04 sb-05 sb-06"
"""A force of strength 8, its leader's modifier 2."""
NONE = Counterattack(made=False)


def refused(s: State, *targets: str, force: str = "hb-02") -> str:
    """The clause by which a force can't attack these, "" when it can."""
    refusal = why_not(s, "hashiba", Attack(force, targets))
    return refusal.clause if refusal is not None else ""


def fight(s: State, dice: list[int], answers: Any, *targets: str, force: str = "hb-02") -> list[Any]:
    """What a legal attack brings."""
    assert why_not(s, "hashiba", Attack(force, targets or ("sb-03",))) is None
    return run(carry_out(s, Attack(force, targets or ("sb-03",))), dice, answers)


def shifts(found: list[Any], what: str = "attack-result") -> tuple[int, ...]:
    """The shifts of a die: ground, river, skill, morale, castle."""
    (facts,) = told(found, what)
    return tuple(facts[key] for key in ("ground", "river", "skill", "morale", "castle"))


@pytest.mark.clause("22.0", "22-1-1", "22-1-2", "22-1-3", "12.0-2")
def test_a_force_attacks_enemies_in_the_open_of_one_adjacent_hex(field: Field) -> None:
    forces = {TEN: "0302", "sb-03 sb-04": "0303", "sb-02": "0303", "mr-01": "0203", "kb-01": "0304", "hb-03": "0302"}
    s = field(PLAIN, {**forces, "kb-02": "0402"})
    assert refused(s, "sb-03") == ""
    assert refused(s, "sb-03", "sb-02") == ""
    assert refused(s, "kb-02") == ""
    assert refused(s, "kb-01") == "22-1-2"
    assert refused(s, "sb-03", "kb-02") == "22-1-3"
    assert refused(s) == "22-1-1"
    assert refused(s, "sb-03", "sb-03") == "22-1-1"
    assert refused(s, "hb-03") == "22.0"
    assert refused(s, "sb-04") == "9.0"  # under command
    assert refused(s, "sb-05") == "9.0"  # not on the map
    assert refused(s, "sb-03", force="hb-04") == "9.0"
    fight(s, [1], [NONE])
    assert refused(s, "sb-03") == "12.0-2"
    assert s.attacked == {"hashiba"}
    s = field(PLAIN, {TEN: "0302", "sb-03": "0303 shut-in"}, castles={"gifu": "0303 shibata 1"})
    assert refused(s, "sb-03") == "22.0"


@pytest.mark.clause("22-1-5")
def test_no_attack_crosses_a_lake_and_one_crosses_a_river(field: Field) -> None:
    forces = {TEN: "0302", THEM: "0303"}
    assert refused(field(PLAIN, forces, lakes=("0302/0303",)), "sb-03") == "22-1-5"
    assert refused(field(PLAIN, forces, rivers=("0302/0303",)), "sb-03") == ""


@pytest.mark.clause("22-1-3(joint)", "22-1-4", "23-1-1", "23-1-2", "22.0(order)")
def test_forces_attack_one_after_another_and_only_those_named_take_part(field: Field) -> None:
    s = field(PLAIN, {TEN: "0302", "hb-03": "0302", "hb-05": "0203", THEM: "0303", "sb-02": "0303"})
    found = fight(s, [6, 1], [GiveWay(0), Losses(("sb-04", "sb-05")), ""])
    assert told(found, "attack-result")[0]["strength"] == 10  # hb-03 and hb-05 don't join
    assert s.reduced == {"sb-04", "sb-05"}
    for force in ("hb-03", "hb-05"):
        fight(s, [1], [NONE], force=force)
    assert {"hb-02", "hb-03", "hb-05"} <= s.acted


@pytest.mark.clause("18-4-1")
def test_a_besieger_lifts_the_siege_before_it_attacks(field: Field) -> None:
    s = field(PLAIN, {TEN: "0302 besieging", THEM: "0303"}, castles={"gifu": "0302 kobe 1"})
    assert refused(s, "sb-03") == "18-4-1"
    s.lift("hb-02")
    assert refused(s, "sb-03") == ""


@pytest.mark.clause("36.7-7")
def test_a_truce_bars_the_attack(field: Field) -> None:
    truce = {"side": "hashiba", "armies": ["shibata"], "province": "Echizen", "clause": "36.7-7"}
    s = field(PLAIN, {TEN: "0302", THEM: "0303"}, provinces={"Echizen": "0303"}, scenario={"truces": [truce]})
    assert refused(s, "sb-03") == "36.7-7"
    s.attacked.add("shibata")
    assert refused(s, "sb-03") == ""


@pytest.mark.clause("23-2", "23.0", "23-2-1(1)", "23-2-1(2)", "23-6", "23-6-1", "23-6-2(1)")
@pytest.mark.parametrize(("letter", "attack", "answer"), [(".", 0, 0), ("r", -1, 0), ("s", -1, -1), ("M", -2, -1)])
def test_ground_of_the_defender_counts_in_attack_and_counterattack(
    field: Field, letter: str, attack: int, answer: int
) -> None:
    rows = f". . . .\n . . . .\n. . {letter} .\n . . . .\n"
    s = field(rows, {TEN: "0302", THEM: "0303"})
    found = fight(s, [1, 1], [Counterattack(made=True)])
    assert [f for f in found if isinstance(f, Roll)] == [
        Roll("attack/0303", dice=1),
        Roll("counterattack/0303", dice=1),
    ]
    assert shifts(found) == (attack, 0, 0, 0, 0)
    assert shifts(found, "counterattack-result") == (answer, 0, 0, 0, 0)


@pytest.mark.clause("23-2-1(3)", "23-2-1(sum)", "23-6-2(2)", "23-6-2(sum)", "15-2-4")
@pytest.mark.parametrize("bridges", [(), ("0302 0303",)])
def test_a_river_counts_both_ways_under_a_bridge_too_and_adds_up(field: Field, bridges: tuple[str, ...]) -> None:
    rows = ". . . .\n . . . .\n. . M .\n . . . .\n"
    s = field(rows, {TEN: "0302", THEM: "0303"}, rivers=("0302/0303",), bridges=bridges)
    found = fight(s, [6, 6], [""] * 4)
    assert shifts(found) == (-2, -2, 0, 0, 0)
    assert told(found, "attack-result")[0]["result"] == 1  # row 2 at strength 10
    assert shifts(found, "counterattack-result") == (-1, -2, 0, 0, 0)


@pytest.mark.clause("23-2-1(4)", "23-2-1(5)", "23-6-2(3)", "23-6-2(4)")
def test_skill_and_morale_count_by_their_difference(field: Field) -> None:
    s = field(
        PLAIN, {TEN: "0302 morale -1", "sb-03": "0303 morale -3", "sb-04": "0303"}, values={"sb-03": {"modifier": "0"}}
    )
    found = fight(s, [1, 1], [""] * 3, "sb-03", "sb-04")
    assert shifts(found)[2:4] == (2, 2)
    assert shifts(found, "counterattack-result")[2:4] == (-2, -2)


@pytest.mark.clause("23-2-1(4b)", "23-6-2(3)")
def test_of_several_defenders_the_highest_rank_counts_and_of_one_rank_the_best(field: Field) -> None:
    values = {"sb-02": {"modifier": "1"}, "sb-03": {"modifier": "2"}, "sb-04": {"modifier": "3"}}
    s = field(PLAIN, {"sb-02 sb-06": "0303", "sb-03": "0303", "sb-04": "0303"}, values=values)
    assert skill(s, ["sb-02", "sb-04"]) == 1
    assert skill(s, ["sb-02", "sb-03"]) == 2


@pytest.mark.clause("23-1-1", "23-2", "23-2-1(1)", "23-2-1(4)", "23-3", "23-3-1", "23-6", "23-6-2(1)", "23-6-3")
def test_the_example_of_the_rulebook(field: Field) -> None:
    rows = ". . . .\n . . . .\n. . r .\n . . . .\n"
    s = field(rows, {TEN: "0302", "sb-03 sb-04 sb-05": "0303"}, values={"sb-05": {"front": "3", "back": "2"}})
    found = fight(s, [4, 5], [GiveWay(0), Losses(("sb-04",)), Counterattack(made=True), Losses(("hb-08",))])
    (attack,) = told(found, "attack-result")
    assert (attack["strength"], attack["result"]) == (10, 1)
    (answer,) = told(found, "counterattack-result")
    assert (answer["strength"], answer["result"]) == (6, 1)
    assert s.reduced == {"sb-04", "hb-08"}
    assert [f.kind for f in found if isinstance(f, Choose)] == ["give-way", "losses", "counter", "losses"]


@pytest.mark.clause("23-3", "23-4-1", "23-4-2", "23-6")
def test_losses_are_steps_or_hexes_and_who_retreats_does_not_answer(field: Field) -> None:
    big = {unit: {"front": "7"} for unit in ("hb-04", "hb-06")}
    s = field(PLAIN, {TEN: "0302", "sb-03 sb-04": "0303", "sb-02 sb-05": "0303"}, values=big)
    found = fight(s, [6], [GiveWay(1), "", "", "", ""], "sb-03", "sb-02")
    (asking,) = asked(found, "give-way")
    assert asking.side == "anti-hashiba"
    lost = told(found, "attack-result")[0]["result"]
    assert lost == 3
    assert [answer.hexes for answer in asking.options()] == [0, 1, 2, 3]
    refusal = asking.why_not(GiveWay(4))
    assert refusal is not None
    assert refusal.clause == "23-3"
    assert len(told(found, "step")) == 2
    assert {facts["unit"] for facts in told(found, "retreat")} == {"sb-03", "sb-02"}
    assert told(found, "counterattack-result") == []
    assert asked(found, "pursue") != []


@pytest.mark.clause("23-4-2")
def test_4_hexes_are_the_most_and_without_a_way_there_are_steps_alone(field: Field) -> None:
    strong = {unit: {"front": "9"} for unit in ("hb-04", "hb-06", "hb-07", "hb-08")}
    s = field(". . . . . . . . .\n . . . . . . . . .", {TEN: "0102", THEM: "0103"}, values=strong)
    found = fight(s, [6], [GiveWay(4), "", "", ""])
    assert told(found, "attack-result")[0]["result"] == 5
    (asking,) = asked(found, "give-way")
    assert [answer.hexes for answer in asking.options()] == [0, 1, 2, 3, 4]
    s = field(". . . A\n A A A A", {TEN: "0102", THEM: "0103"}, values=strong)
    assert asked(fight(s, [6], ["", NONE]), "give-way") == []


@pytest.mark.clause("23-3-3", "23-3-2")
def test_a_mark_leaves_the_steps_that_kill_a_unit(field: Field) -> None:
    values = {"hb-02": {"modifier": "4"}, "hb-04": {"front": "5"}}
    s = field(PLAIN, {TEN: "0302", THEM: "0303"}, values=values)
    found = fight(s, [6], [GiveWay(2), Losses(("sb-06", "sb-06")), "", ""])
    (result,) = told(found, "attack-result")
    assert (result["result"], result["marked"]) == (4, True)
    (asking,) = asked(found, "give-way")
    assert [answer.hexes for answer in asking.options()] == [0, 1, 2]
    assert set(s.removed) == {"sb-06"}
    s = field(PLAIN, {TEN: "0302", THEM: "0303 reduced sb-06"}, values=values)
    (asking,) = asked(fight(s, [6], [GiveWay(0), "", NONE]), "give-way")
    assert [answer.hexes for answer in asking.options()] == [0, 1, 2, 3]


@pytest.mark.clause("23-3")
def test_a_standing_order_says_steps_or_retreat(field: Field) -> None:
    forces = {TEN: "0302", THEM: "0303"}
    for castles, refuge in (({}, None), ({"gifu": "0303 shibata 1"}, GiveWay(1))):
        s = field(PLAIN, forces, castles=castles)
        found = fight(s, [4], [GiveWay(0), "", NONE])
        standing = asked(found, "give-way")[0].standing
        assert standing is not None
        assert standing([("give-way", "sb-03", "steps")]) == GiveWay(0)
        assert standing([("give-way", "any", "retreat")]) == GiveWay(1)
        assert standing([("give-way", "any", "1+")]) == GiveWay(1)
        assert standing([("give-way", "any", "2+")]) is None
        assert standing([("give-way", "any", "refuge")]) == refuge


@pytest.mark.clause("23-3", "23-3-1", "23-6", "23-1-2")
@pytest.mark.parametrize("targets", [("sb-03", "kb-01"), ("kb-01", "sb-03")])
def test_of_forces_attacked_together_own_standing_orders_come_before_those_for_any(
    field: Field, targets: tuple[str, str]
) -> None:
    s = field(PLAIN, {TEN: "0302", THEM: "0303", "kb-01 kb-03": "0303"})
    found = fight(s, [4, 1], {"give-way": [GiveWay(0)]}, *targets)
    kinds = ("give-way", "losses", "counter")
    giving_way, losing, answering = (asked(found, kind)[0].standing for kind in kinds)
    assert giving_way is not None
    assert losing is not None
    assert answering is not None
    every = [("give-way", "any", "retreat"), ("counter", "any", "yes"), ("lose", "any", "sb-04")]
    assert [ask(every) for ask in (giving_way, losing, answering)] == [
        GiveWay(1), Losses(("sb-04",)), Counterattack(made=True)
    ]  # fmt: skip
    for force, unit in (("kb-01", "kb-03"), ("sb-03", "sb-06")):
        own = [("give-way", force, "steps"), ("counter", force, "no"), ("lose", force, unit)]
        assert [ask([*every, *own]) for ask in (giving_way, losing, answering)] == [GiveWay(0), Losses((unit,)), NONE]


@pytest.mark.clause("23-3", "23-6", "23-1-2")
@pytest.mark.parametrize("targets", [("sb-03", "sb-02", "kb-08"), ("kb-08", "sb-02", "sb-03")])
def test_of_two_own_standing_orders_that_of_the_higher_rank_counts_however_the_attack_names_them(
    field: Field, targets: tuple[str, ...]
) -> None:
    s = field(PLAIN, {TEN: "0302", THEM: "0303", "sb-02 sb-07": "0303", "kb-08": "0303"})
    found = fight(s, [4, 1], {"give-way": [GiveWay(0)]}, *targets)
    giving_way, answering = (asked(found, kind)[0].standing for kind in ("give-way", "counter"))
    assert giving_way is not None
    assert answering is not None
    for higher, lower in (("sb-02", "kb-08"), ("sb-02", "sb-03"), ("sb-03", "kb-08")):
        orders = [("give-way", lower, "retreat"), ("give-way", higher, "steps")]
        assert giving_way(orders) == GiveWay(0), "of two of one rank who stands first in the army file"
        assert giving_way(orders[:1]) == GiveWay(1)
        assert answering([("counter", higher, "no"), ("counter", lower, "yes")]) == NONE


@pytest.mark.clause("23-4-6(own hex)", "23-6", "23-5-3")
def test_who_takes_refuge_does_not_answer_and_may_be_pursued(field: Field) -> None:
    s = field(PLAIN, {TEN: "0302", THEM: "0303"}, castles={"gifu": "0303 shibata 1"})
    found = fight(s, [4], [GiveWay(1), "", ""])
    assert told(found, "counterattack-result") == []
    (question,) = asked(found, "pursue")
    assert [[s.board.label[h] for h in answer.path] for answer in question.options()] == [[], ["0303"]]


@pytest.mark.clause("23-6")
def test_the_defender_may_leave_it(field: Field) -> None:
    s = field(PLAIN, {TEN: "0302", THEM: "0303"})
    found = fight(s, [1], [NONE])
    assert told(found, "counterattack-result") == []
    (asking,) = asked(found, "counter")
    assert asking.default is not None
    assert asking.default() == Counterattack(made=True)
    assert asking.standing is not None
    assert asking.standing([("counter", "any", "no")]) == NONE
    assert asking.standing([("counter", "sb-02", "no")]) is None


@pytest.mark.clause("18-4-2", "18-4-2(lift)")
def test_a_besieger_answers_with_half_its_strength_unless_it_lifts_the_siege(field: Field) -> None:
    forces = {TEN: "0302", "sb-03 sb-04 sb-05 sb-06 sb-07": "0303 besieging"}
    values = {"sb-07": {"front": "3", "back": "2"}}
    for lifting, strength in (((), 6), (("sb-03",), 11)):
        s = field(PLAIN, forces, castles={"gifu": "0303 hashiba 0"}, values=values)
        found = fight(s, [1, 1], [LiftAttacked(lifting), ""])
        assert told(found, "counterattack-result")[0]["strength"] == strength
        assert s.besieging == (set() if lifting else {"sb-03"})
        (asking,) = asked(found, "lift")
        assert asking.why_not(LiftAttacked(("sb-02",))) is not None
        assert asking.standing is not None
        assert asking.standing([("lift", "any", "yes")]) == LiftAttacked(("sb-03",))
        assert asking.standing([("lift", "sb-03", "if-half-hurts")]) == LiftAttacked(("sb-03",))
        assert asking.standing([("lift", "sb-03", "no")]) == LiftAttacked(())
        assert asking.standing([]) is None


@pytest.mark.clause("23-7", "23-7-1", "23-7-2", "23-7-3", "16-4-2")
def test_a_sortie_attacks_in_its_hex_and_is_answered_with_full_strength(field: Field) -> None:
    forces = {TEN: "0303 shut-in", "hb-03": "0303 shut-in morale -2", "sb-02": "0304",
              "sb-03 sb-04 sb-05 sb-06 sb-07": "0303 besieging"}  # fmt: skip
    s = field(PLAIN, forces, castles={"gifu": "0303 hashiba 0"})
    assert refused(s, "sb-02") == "23-7"
    found = fight(s, [1, 1], ["", ""])
    assert asked(found, "lift") == []
    assert shifts(found) == (0, 0, 0, -2, -1)
    assert shifts(found, "counterattack-result") == (0, 0, 0, 2, 1)
    assert told(found, "counterattack-result")[0]["strength"] == 10


@pytest.mark.clause("23-7", "18-3-2")
def test_a_siege_that_ends_by_losses_frees_the_garrison_before_the_answer(field: Field) -> None:
    strong = {unit: {"front": "9"} for unit in ("hb-04", "hb-06", "hb-07", "hb-08")}
    forces = {TEN: "0303 shut-in morale -2", "sb-03 sb-04 sb-05 sb-06 sb-07": "0303 besieging"}
    s = field(PLAIN, forces, castles={"gifu": "0303 hashiba 0"}, values=strong)
    found = fight(s, [6, 1], [GiveWay(0), "", ""])
    assert s.besieging == set()
    assert shifts(found)[3] == -2
    assert shifts(found, "counterattack-result")[3] == 0


@pytest.mark.clause("23-3", "23-4-1", "23-4-2")
def test_all_forces_of_a_hex_have_the_same_ways_and_losses_leave_them(field: Field) -> None:
    rows = ". . . . A A\n . . r . A A\n. . . . A A\n . . s . A A\n"
    forces = {TEN: "0302", "sb-02 sb-04": "0303 besieging", "kb-01 kb-03": "0303", "mr-01": "0303", "hb-03": "0305"}
    s = field(rows, forces, castles={"gifu": "0303 hashiba 0", "ono": "0203 kobe 1"}, rivers=("0303/0304",))
    away = s.board.parse("0302")

    def ends(force: str) -> list[set[tuple[str, bool]]]:
        ways = [routes(s, force, hexes, away) for hexes in (1, 2, 3, 4)]
        return [{(s.board.label[way.path[-1]], way.enter) for way in found} for found in ways]

    before = ends("sb-02")
    assert any(before)
    for unit in ("sb-04", "sb-04", "kb-01", "kb-01", "mr-01", "mr-01"):
        assert [ends(force) for force in ("sb-02", "kb-01", "mr-01") if force in s.forces] == [before] * sum(
            force in s.forces for force in ("sb-02", "kb-01", "mr-01")
        )
        run(harm.take(s, [unit], "23-3-1"))


@pytest.mark.clause("23-3-3", "23-6-3")
def test_a_counterattack_with_the_mark_kills_one_of_the_attackers(field: Field) -> None:
    values = {"sb-03": {"modifier": "4"}}
    s = field(PLAIN, {TEN: "0302", THEM: "0303"}, values=values)
    found = fight(s, [1, 6], ["", Losses(("hb-04", "hb-04"))])
    (answer,) = told(found, "counterattack-result")
    assert (answer["result"], answer["marked"]) == (2, True)
    (asking,) = asked(found, "losses")
    assert asking.side == "hashiba"
    assert asking.why_not(Losses(("hb-04", "hb-06"))) is not None  # nobody dies
    assert set(s.removed) == {"hb-04"}
    assert s.board.label[s.at["hb-02"]] == "0302"


@pytest.mark.clause("25.0", "9-1(1)", "23-6")
def test_a_leader_killed_leaves_forces_of_one_that_still_answer_together(field: Field) -> None:
    them = {"sb-03 sb-04 sb-05": "0303 morale -1 reduced sb-03"}
    s = field(PLAIN, {TEN: "0302", **them}, values={"sb-04": {"modifier": "2"}})
    found = fight(s, [4, 1], [GiveWay(0), Losses(("sb-03",)), ""])
    assert set(s.removed) == {"sb-03"}
    (answer,) = told(found, "counterattack-result")
    assert (answer["strength"], answer["skill"]) == (4, 2 - 2)  # the best of those left
    assert {"sb-04", "sb-05"} <= set(s.forces)
    assert "sb-03" not in s.forces
    assert s.morale == {"sb-04": -1, "sb-05": -1}


@pytest.mark.clause("25-2", "23-3-2")
def test_a_commander_in_chief_killed_in_a_skirmish_takes_his_clan_along(field: Field) -> None:
    forces = {TEN: "0302", "sb-01 sb-04": "0303 reduced sb-01", "kb-01": "0303", "sb-02 sb-05": "0406"}
    s = field(PLAIN, forces, castles={"gifu": "0105 shibata 1"}, values={"sb-01": {"modifier": "0"}})
    found = fight(s, [3, 1], [GiveWay(0), Losses(("sb-01",)), ""], "sb-01", "kb-01")
    assert {facts["unit"]: facts["why"] for facts in told(found, "remove")} == {
        "sb-01": "killed", "sb-04": "disbanded", "sb-02": "disbanded", "sb-05": "disbanded",
    }  # fmt: skip
    assert told(found, "counterattack-result")[0]["strength"] == 2  # of another army, who is left
    assert s.owner == {"gifu": "shibata"}


@pytest.mark.clause("18-4-2", "18-4-2(lift)", "18-3")
def test_of_several_besiegers_some_lift_their_siege_and_answer_in_full(field: Field) -> None:
    forces = {TEN: "0302", "sb-03 sb-04 sb-05 sb-06 sb-07": "0303 besieging", "sb-02 sb-08": "0303 besieging"}
    s = field(PLAIN, {**forces, "hb-03": "0303 shut-in morale -1"}, castles={"gifu": "0303 hashiba 0"})
    found = fight(s, [1, 1], [LiftAttacked(("sb-02",)), "", ""], "sb-02", "sb-03")
    assert told(found, "counterattack-result")[0]["strength"] == 4 + 10 // 2
    assert s.besieging == {"sb-03"}
    assert s.morale == {"hb-03": -1}  # the siege goes on
    (asking,) = asked(found, "lift")
    assert list(asking.options()) == [
        LiftAttacked(()), LiftAttacked(("sb-02",)), LiftAttacked(("sb-03",)), LiftAttacked(("sb-02", "sb-03")),
    ]  # fmt: skip
    s = field(PLAIN, {**forces, "hb-03": "0303 shut-in morale -1"}, castles={"gifu": "0303 hashiba 0"})
    found = fight(s, [1, 1], [LiftAttacked(("sb-03",)), "", ""], "sb-02", "sb-03")  # those left are too weak
    assert told(found, "counterattack-result")[0]["strength"] == 10 + 4
    assert s.besieging == set()
    assert s.morale == {}


@pytest.mark.clause("23-5", "23-7", "25.0")
@pytest.mark.parametrize("away", ["0302", "0303 shut-in"])
def test_who_is_killed_where_he_stood_has_not_retreated_and_is_not_pursued(field: Field, away: str) -> None:
    castles = {"gifu": "0303 hashiba 1"}
    s = field(PLAIN, {TEN: away, "sb-04": "0303 reduced sb-04"}, castles=castles)
    found = fight(s, [5], {}, "sb-04")
    assert set(s.removed) == {"sb-04"}
    assert asked(found, "pursue") == []
    assert ("hb-02" in s.shut_in) == ("shut-in" in away)
    s = field(PLAIN, {TEN: away, "sb-04": "0303"}, castles=castles)
    found = fight(s, [5], {"give-way": [GiveWay(1)]}, "sb-04")  # the twin: he goes back
    assert len(asked(found, "pursue")) == 1


@pytest.mark.clause("23-5", "23-4-4(1)")
def test_who_dies_on_the_way_back_has_retreated(field: Field) -> None:
    s = field(PLAIN, {TEN: "0302", "sb-04": "0303 reduced sb-04", "hb-05": "0305"})
    back = Retreat("sb-04", (s.board.parse("0304"),))
    found = fight(s, [1], {"give-way": [GiveWay(1)], "retreat": [back]}, "sb-04")
    assert set(s.removed) == {"sb-04"}
    (question,) = asked(found, "pursue")
    ends = [[s.board.label[h] for h in answer.path] for answer in question.options()]
    assert ends == [[], ["0303"], ["0303", "0304"]]


@pytest.mark.clause("23-3", "23-3-1")
@pytest.mark.parametrize(
    ("die", "loss", "steps"), [(4, "1 loss", "1 step is lost"), (6, "2 losses", "2 steps are lost")]
)
def test_questions_and_refusals_count_one_and_several(field: Field, die: int, loss: str, steps: str) -> None:
    s = field(PLAIN, {TEN: "0302", THEM: "0303"})
    found = fight(s, [die], [GiveWay(0), "", NONE])
    (hexes,), (lost,) = asked(found, "give-way"), asked(found, "losses")
    whose = "sb-03 Shibata Katsumasa, attacked by hb-02 Hashiba Hidenaga"
    assert hexes.prompt == f"of {loss} of {whose}, say how many are to be hexes of retreat"
    assert (
        lost.prompt
        == f"say which units of sb-03 Shibata Katsumasa lose {steps.partition(' is')[0].partition(' are')[0]}"
    )
    refusal = hexes.why_not(GiveWay(4))
    assert refusal is not None
    assert refusal.reason.startswith(f"of {loss} these can be hexes of retreat: 0, 1")
    refusal = lost.why_not(Losses(("sb-04", "sb-05", "sb-06")))
    assert refusal is not None
    assert refusal.reason == f"{steps}, and 3 are named"
