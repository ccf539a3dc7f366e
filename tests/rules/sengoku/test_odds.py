"""Chances: of each event, of orders with all that their dice may bring, of siege checks; against every throw tried."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from rules.sengoku.activities import rolls, run

from pbem.rules.fates import odds
from pbem.rules.kit.throws import shares
from pbem.rules.requests import Choose, Roll, Tell
from pbem.rules.sengoku import operation, siege
from pbem.rules.sengoku.brought import chances
from pbem.rules.sengoku.odds import factors, siege_odds, tell_odds
from pbem.rules.sengoku.orders import (
    Assault,
    Attack,
    Battle,
    Besiege,
    Call,
    Lift,
    Move,
    Order,
    Organise,
    Recover,
    Replenish,
)
from pbem.rules.sengoku.scenario import board as board_of
from pbem.rules.sengoku.sequence import PHASES
from pbem.rules.sengoku.state import State, copy, dump
from pbem.words import per_cent

Field = Callable[..., State]
TEN = "hb-02 hb-04 hb-06 hb-07 hb-08"
"""A force of strength 10."""
PLAIN = ". . . . .\n . . . . .\n. . . . ."


def crowds(s: State, seed: int) -> tuple[list[str], list[str]]:
    """The forces of two adjacent hexes with a random crowd of one side in each, some of them hurt or shaken."""
    chance = random.Random(seed)
    for side, number in (("hashiba", "4412"), ("anti-hashiba", "4411")):
        units = chance.sample(s.board.of_side[side], 30)
        while units:
            count = chance.choice((1, 1, 1, 1, 1, 2))
            s.form(tuple(units[:count]), s.board.parse(number))
            del units[:count]
    for unit in chance.sample(sorted(s.leader), 20):
        s.reduce(unit)
    for force in chance.sample(sorted(s.forces), 15):
        s.set_morale(force, -chance.randint(1, 4))
    return s.own_forces("hashiba"), s.own_forces("anti-hashiba")


def castle(field: Field, inside: str = "kb-01 kb-02", durability: int = 5) -> State:
    """Gifu with somebody inside, besieged by a strength of 20."""
    besieger = "hb-01 hb-02 hb-03 hb-04 hb-05 hb-06 hb-07 hb-08 hb-09 hb-10"
    forces = {besieger: "0203 besieging"} | ({inside: "0203 shut-in"} if inside else {})
    return field(PLAIN, forces, castles={"gifu": f"0203 kobe 1 {durability}", "sone": "0103 hashiba 1"})


def futures(s: State, order: Order, dice: int) -> Iterator[list[Tell]]:
    """What is told of an order at each of all throws, questions answered by the rules, dice beyond those 1."""
    for thrown in product(range(1, 7), repeat=dice):
        trial, told, rest = copy(s), list[Tell](), [*thrown]
        activity: Any = operation.carry_out(trial, "", order)
        answer: Any = None
        try:
            while True:
                request = activity.send(answer)
                answer = None
                if isinstance(request, Roll):
                    answer = (rest.pop(0) if rest else 1,)
                elif isinstance(request, Choose):
                    assert request.default is not None
                    answer = request.default()
                else:
                    told.append(request)
        except StopIteration:
            yield told


def results(found: Iterator[list[Tell]], what: str) -> Counter[Any]:
    """How often each result of an event comes; None where it doesn't."""
    counted: Counter[Any] = Counter()
    for told in found:
        event = next((one for one in told if one.what == what), None)
        counted[None if event is None else event.facts["result"]] += 1
    return counted


def said(s: State, order: Order, what: str) -> str:
    """The chances of the losses of an event, counted over every throw of two dice, as odds are told."""
    counted = results(futures(s, order, 2), what)
    words = {None: "no counterattack", 0: "no loss", 1: "1 loss"}
    named = {words.get(lost, f"{lost} losses"): count for lost, count in sorted(counted.items(), key=str)}
    return odds(shares(Counter(named), named))


def test_an_attack_and_its_answer(field: Field) -> None:
    """Strength 10 against 8 of the same skill, by the table in the columns 9-12 and 5-8."""
    s = field(PLAIN, {TEN: "0202", "sb-03 sb-04 sb-05 sb-06": "0302"})
    assert tell_odds(s, Attack("hb-02", ("sb-03",))) == (
        "strength 10: no loss 16.7 %, 1 loss 66.7 %, 2 losses 16.7 %; counterattack no loss 33.3 %, 1 loss 66.7 %"
    )


def test_odds_of_an_attack_are_those_of_every_throw(field: Field) -> None:
    rivers = ("0202/0302",)
    s = field(PLAIN, {TEN: "0202 morale -1", "sb-04": "0302", "sb-05": "0302 reduced sb-05"}, rivers=rivers)
    order = Attack("hb-02", ("sb-04", "sb-05"))
    first, second = tell_odds(s, order).split("; ")
    assert first == f"strength 10, die -2 for the river, +1 for skill, -1 for morale: {said(s, order, 'attack-result')}"
    assert second == f"counterattack {said(s, order, 'counterattack-result')}"


REFUGE = ["give-way", "any", "refuge"]
TAKES, OF_THESE = "takes refuge in the castle", "counterattack, of these"


@pytest.mark.clause("23-6", "23-4-6(own hex)")
@pytest.mark.parametrize(
    ("castle", "standing", "told"),
    [
        (True, REFUGE, f"with 1 or 2 losses (83.3 %) {TAKES}; else (16.7 %) {OF_THESE}"),
        (False, REFUGE, "counterattack"),
        (True, ["give-way", "any", "2+"], f"with 2 losses (16.7 %) {TAKES}; else (83.3 %) {OF_THESE}"),
        (False, ["give-way", "any", "1+"], f"with 1 or 2 losses (83.3 %) retreats; else (16.7 %) {OF_THESE}"),
        (True, ["counter", "any", "no"], "with each of these no counterattack"),
        (True, [], "counterattack"),
    ],
)
def test_who_takes_refuge_or_retreats_by_a_standing_order_makes_no_counterattack(
    field: Field, standing: list[str], told: str, *, castle: bool
) -> None:
    """Strength 10 against 8, which answers in the column 5-8 as it was, or in another when it has lost steps."""
    castles = {"gifu": "0302 shibata 1"} if castle else {}
    s = field(PLAIN, {TEN: "0202", "sb-03 sb-04 sb-05 sb-06": "0302"}, castles=castles)
    text = tell_odds(s, Attack("hb-02", ("sb-03",)), {"anti-hashiba": [tuple(standing)] * bool(standing)})
    first, _, second = text.partition("; ")
    assert first == "strength 10: no loss 16.7 %, 1 loss 66.7 %, 2 losses 16.7 %"
    by_the_rules = "no loss 33.3 %, 1 loss 66.7 %"  # who are left have a strength of 5 to 8
    assert second == (told if "no " in told else f"{told} {by_the_rules}")


def test_an_attack_that_removes_all_leaves_no_counterattack(field: Field) -> None:
    """Strength 10 against one that has one step."""
    s = field(PLAIN, {TEN: "0202", "sb-04": "0302 reduced sb-04"})
    first, *rest = tell_odds(s, Attack("hb-02", ("sb-04",))).split("; ")
    assert first.endswith("1 loss 50 %, 2 losses 33.3 %, 3 losses with a unit eliminated 16.7 %")
    assert rest == ["with each of these removed"]


def test_a_mark_is_told(field: Field) -> None:
    """A general against captains without skill: die +2, so that 6 comes to the row of marks."""
    s = field(PLAIN, {TEN: "0202", "sb-04 ": "0302", "sb-06": "0302"})
    assert "3 losses with a unit eliminated 16.7 %" in tell_odds(s, Attack("hb-02", ("sb-04", "sb-06")))


def test_an_assault_with_its_interception(field: Field) -> None:
    s = castle(field)
    order = Assault("gifu", ("hb-01",))
    first, second = tell_odds(s, order).split("; ")
    assert first == f"interception strength 4, die +1 for skill, +1 for the walls: {said(s, order, 'interception')}"
    lost = results(futures(s, order, 2), "assault")
    words = {f"durability -{n}" if n else "nothing": lost[n] for n in sorted(lost)}
    sums = "strength 20 to 21, die -1 for the level of the castle: "  # what the interception leaves (19-3-2(1))
    assert second == f"assault {sums}{odds(shares(Counter(words), words))}"


@pytest.mark.clause("18-3", "18-1-1")
@pytest.mark.parametrize(("besieger", "ends"), [(TEN, True), (f"{TEN} hb-09", False)])
def test_a_loss_by_which_a_siege_ends_is_told_of_an_assault(field: Field, besieger: str, ends: bool) -> None:
    """A level of 1 needs a strength of 10; that who had just 10 ended his siege by his first loss was told nowhere."""
    s = field(PLAIN, {besieger: "0203 besieging", "kb-01": "0203 shut-in"}, castles={"gifu": "0203 kobe 1"})
    order = Assault("gifu", ("hb-02",))
    for told in futures(s, order, 2):
        lost = next(one.facts["result"] for one in told if one.what == "interception")
        assert any(one.what == "lifted" for one in told) == (ends and lost > 0)
    assert tell_odds(s, order).endswith("; with 1 loss the siege ends") == ends
    assert ("the siege ends" in tell_odds(s, order)) == ends


@pytest.mark.clause("18-3", "18-3-2")
def test_a_loss_by_which_a_siege_ends_is_told_of_an_attack_on_the_besiegers(field: Field) -> None:
    """The odds of the attack named the besieger's `standing lift`, and not that the siege ends by it."""
    order = Attack("kb-01", ("hb-02",))
    for besieger, ends in ((TEN, "; with 1 loss the siege ends"), (f"{TEN} hb-09 hb-10", "")):
        s = field(PLAIN, {besieger: "0203 besieging", "kb-01 kb-02": "0303"}, castles={"gifu": "0203 kobe 1"})
        told = tell_odds(s, order)
        assert told.partition("; with ")[2] == ends.removeprefix("; with "), told
    s = field(PLAIN, {TEN: "0203 besieging", "kb-01 kb-02": "0303"}, castles={"gifu": "0203 kobe 1"})
    assert tell_odds(s, order, {"hashiba": [("lift", "any", "yes")]}).endswith("; with any result the siege ends")
    s = field(PLAIN, {TEN: "0203", "kb-01 kb-02": "0303"}, castles={"gifu": "0203 kobe 1"})
    assert "siege" not in tell_odds(s, order), "nobody besieges"


def test_a_castle_without_much_durability_falls(field: Field) -> None:
    s = castle(field, durability=2)
    order = Assault("gifu", ("hb-01",))
    lost = results(futures(s, order, 2), "assault")
    falls = Fraction(sum(count for n, count in lost.items() if n >= 2), 36)
    assert 0 < falls < 1
    assert tell_odds(s, order).endswith(f", falls {per_cent(falls, 1)}")


def test_several_that_assault_are_told_each_by_itself(field: Field) -> None:
    s = castle(field)
    s.form(("hb-11", "hb-12"), s.board.parse("0203"))
    s.besiege("hb-11")
    text = tell_odds(s, Assault("gifu", ("hb-01", "hb-11")))
    assert text.startswith("hb-01 by itself: interception strength 4")
    assert "; hb-11 by itself: " in text


def test_a_siege_with_an_assault_has_its_odds_and_one_without_has_none(field: Field) -> None:
    s = castle(field)
    s.lift("hb-01")
    assert tell_odds(s, Besiege("gifu", ("hb-01",))) == ""
    begun = copy(s)
    begun.besiege("hb-01")
    assert tell_odds(s, Besiege("gifu", ("hb-01",), assault=True)) == tell_odds(begun, Assault("gifu", ("hb-01",)))
    assert s.besieging == set()


def test_factors_of_several_that_assault_are_those_of_each(field: Field) -> None:
    s = castle(field)
    s.form(("hb-11", "hb-12"), s.board.parse("0203"))
    s.besiege("hb-11")
    alone = [factor.what for factor in factors(s, Assault("gifu", ("hb-11",)))]
    assert not any("by itself" in what for what in alone)
    both = [factor.what for factor in factors(s, Assault("gifu", ("hb-01", "hb-11")))]
    assert [what for what in both if what.startswith("hb-11")] == [f"hb-11 by itself: {what}" for what in alone]


@pytest.mark.clause("24-1-8", "24-1-8(no)")
def test_a_battle_at_a_castle_is_told_as_given_and_as_declined(field: Field) -> None:
    """Strength 5 against 2 of like skill: 0 to 1 losses in the columns 5-8, and 0 or 1 in the first column."""
    s = field(PLAIN, {"hb-01 hb-04": "0202", "sb-01": "0302"}, castles={"gifu": "0302 shibata 1"})
    order, attack = Battle("hb-01", "sb-01", skirmish=("sb-01",)), Attack("hb-01", ("sb-01",))
    first = (
        "first round: strength 5: enemy no loss 33.3 %, 1 loss 66.7 %; strength 2: own no loss 83.3 %, 1 loss 16.7 %"
    )
    assert tell_odds(s, order) == f"if given, {first}; if declined, {tell_odds(s, attack)}"
    assert tell_odds(s, Battle("hb-01", "sb-01")) == f"if given, {first}; if declined, nothing is fought"
    found = {what: clause for what, _, clause in factors(s, order)}
    assert found["if given, strength of the battle"] == "24-2"
    assert found["if declined, strength of the attack"] == "23-2"
    s.acted.update(s.forces["hb-01"])  # behind the answer
    assert tell_odds(s, order) == first
    s.declined.add("hb-01")
    assert tell_odds(s, order) == f"declined, {tell_odds(s, attack)}"
    assert {clause for _, __, clause in factors(s, order)}.isdisjoint({"24-2", "24-2-3"})
    plain = field(PLAIN, {"hb-01 hb-04": "0202", "sb-01": "0302"})
    assert tell_odds(plain, order) == first


def test_a_call(field: Field) -> None:
    """Durability 5, a general inside: die -1, so 1 and 2 are refused and all others bring no answer."""
    assert tell_odds(castle(field), Call("gifu", "hb-01")) == (
        "durability 5, die -1 for who leads inside: refuses 33.3 %, no answer 66.7 %"
    )


def test_what_mends(field: Field) -> None:
    s = field(
        PLAIN, {TEN: "0202 reduced hb-04 morale -1"}, castles={"sone": "0103 hashiba 1"}, main={"hashiba": "sone"}
    )
    replenish = tell_odds(s, Replenish("hb-02"))
    assert replenish.startswith("die -1 for morale: ")
    assert sum(results(futures(s, Replenish("hb-02"), 1), "replenish").values()) == 6
    assert tell_odds(s, Organise("hb-02", (tuple(TEN.split()[:-1]), ("hb-08",)), Replenish("hb-02"))) == replenish
    assert tell_odds(s, Organise("hb-02", (tuple(TEN.split()[:-1]), ("hb-08",)))) == ""
    assert tell_odds(s, Recover("hb-02")) == ""  # in line, without a die
    why = ("with a line of communication", "it recovers without a die", "26-1-1")
    assert [tuple(factor) for factor in factors(s, Recover("hb-02"))] == [why]
    row = ("row of the replenishment table", "hashiba other", "14-2-2")
    assert row in [tuple(factor) for factor in factors(s, Replenish("hb-02"))]
    alone = field(PLAIN, {TEN: "0202 morale -1"})
    low = field(PLAIN, {TEN: "0202 morale -3"})  # lowered still when it has recovered: nothing of its die (26-1-2)
    for s in (alone, low):
        assert tell_odds(s, Recover("hb-02")) == "die of 3 or less: recovers 50 %, stays as it is 50 %"
        told = ["recovers on a die of so much or less", "the die of the recovery brings"]
        assert [what for what, *_ in factors(s, Recover("hb-02"))] == told


def test_what_has_no_dice_has_no_odds(field: Field) -> None:
    s = castle(field)
    assert tell_odds(s, Lift("hb-01")) == ""
    assert tell_odds(s, Move("hb-01", (s.board.parse("0202"),))) == ""


@pytest.mark.parametrize(("inside", "durability"), [("kb-01 kb-02", 5), ("kb-01 kb-02 kb-03 kb-04 kb-05", 1), ("", 1)])
def test_siege_odds_are_those_of_every_throw(field: Field, inside: str, durability: int) -> None:
    s = castle(field, inside, durability)
    found = siege_odds(s, "gifu")
    assert sum(found.values()) == 1
    counted: Counter[str] = Counter()
    for first, second in product(range(1, 7), repeat=2):
        trial = copy(s)
        dice = [first, second] if first == 1 else [first]  # an incident comes of 1
        told = []
        activity: Any = siege.check(trial, "gifu")
        answer: Any = None
        try:
            while True:
                request = activity.send(answer)
                answer = None
                if isinstance(request, Roll):
                    answer = (dice.pop(0) if dice else 6,)
                elif isinstance(request, Choose):
                    assert request.default is not None
                    answer = request.default()
                else:
                    told.append(request.what)
        except StopIteration:
            counted["falls" if "fall" in told else "durability" if "damaged" in told else "other"] += 1
    assert float(found.get("falls", 0)) == pytest.approx(counted["falls"] / 36)
    durability_lost = sum(share for outcome, share in found.items() if outcome.startswith("durability"))
    assert float(durability_lost) == pytest.approx(counted["durability"] / 36)


def test_siege_odds_in_words(field: Field) -> None:
    """Two inside where two have room; an incident by the table, morale alike."""
    assert {what: str(share) for what, share in siege_odds(castle(field), "gifu").items()} == {
        "nothing": "1/2", "durability -1": "7/18", "morale inside -1": "1/9",
    }  # fmt: skip
    empty = siege_odds(castle(field, inside=""), "gifu")
    assert "morale of the castle -1" in empty, "nobody is inside whose morale it could be"
    assert "morale inside -1" not in empty


@pytest.mark.clause("18-2-2")
@pytest.mark.parametrize(("inside", "morale"), [("kb-01 kb-02", "inside"), ("", "of the castle")])
def test_the_chances_of_an_incident_are_those_of_who_is_inside(field: Field, inside: str, morale: str) -> None:
    found = run(siege.check(copy(s := castle(field, inside=inside)), "gifu"), [1, 3])
    (incident,) = [told for told in found if isinstance(told, Tell) and told.what == "incident"]
    shares = {f"morale {morale} -1": Fraction(2, 3), "durability -1": Fraction(1, 3)}
    assert chances(s.board, "incident", incident.facts) == shares
    s.set_castle_morale("gifu", -3)
    if not inside:
        assert chances(s.board, "incident", {**incident.facts, "morale": -3})["durability -2"] == Fraction(1, 3)


def test_every_event_with_a_die_has_chances_of_which_one_came(field: Field) -> None:
    """The result of an event is among what it could have brought."""
    s = castle(field)
    found = run(operation.carry_out(copy(s), "", Call("gifu", "hb-01")), [3])
    (call,) = [one for one in found if isinstance(one, Tell) and one.what == "call"]
    assert chances(s.board, "call", call.facts) == {"refuses": Fraction(1, 3), "no answer": Fraction(2, 3)}
    assert chances(s.board, "judged", {"die": 3, "leader": 0, "morale": 0}) == {
        "all march out": Fraction(1, 6), "one dies": Fraction(1, 6), "half disband": Fraction(1, 3),
        "all surrender": Fraction(1, 3),
    }  # fmt: skip
    assert chances(s.board, "lifted", {"at": "0203"}) == {}


@pytest.mark.clause("24-3-2")
def test_a_flight_brings_4_hexes_at_most_and_steps_beside_them(field: Field) -> None:
    board = field(PLAIN, {TEN: "0202"}).board
    assert chances(board, "flight", {"die": 3, "ways": [1, 2, 3, 4]}) == dict.fromkeys(
        [
            "1 hex to go",
            "2 hexes to go",
            "3 hexes to go",
            "4 hexes to go",
            "4 hexes to go and 1 step lost",
            "4 hexes to go and 2 steps lost",
        ],
        Fraction(1, 6),
    )
    assert [*chances(board, "flight", {"die": 3, "ways": [1, 2]})][2:4] == [
        "2 hexes to go and 1 step lost",
        "2 hexes to go and 2 steps lost",
    ]
    assert [*chances(board, "flight", {"die": 3, "ways": []})][:2] == ["1 step lost", "2 steps lost"]


def test_factors_name_what_changes_the_die_with_its_clause(field: Field) -> None:
    s = field(PLAIN, {TEN: "0202", "sb-04": "0302"}, rivers=("0202/0302",))
    found = [tuple(factor) for factor in factors(s, Attack("hb-02", ("sb-04",)))]
    assert found[0] == ("strength of the attack", "10", "23-2")
    assert ("die of the attack for skill", "+2", "23-2-1(4)") in found
    assert ("die of the attack for the river", "-2", "23-2-1(3)") in found
    assert "the die of the attack brings" in [what for what, *_ in found]
    assert ("die of the counterattack for skill", "-2", "23-6-2(3)") in found
    assert ("strength of the counterattack", "1 to 2", "23-6") in found  # a step that the attack costs weakens it
    assert found[-1][0] == "the die of the counterattack brings"  # the same in the column of 1 and 2
    s = field(PLAIN, {TEN: "0202", "sb-04 sb-05 sb-06": "0302"})
    found = [tuple(factor) for factor in factors(s, Attack("hb-02", ("sb-04",)))]
    assert ("strength of the counterattack", "3 to 5", "23-6") in found
    assert found[-1][0] != "the die of the counterattack brings"
    assert [*factors(castle(field), Lift("hb-01"))] == []
    assaulted = {clause for _, __, clause in factors(castle(field), Assault("gifu", ("hb-01",)))}
    assert {"19-2-5(1)", "19-3-2(1)", "19-2-4", "19-3-1"} <= assaulted


@pytest.mark.clause("11-3(1)", "23-2-1(5)")
@pytest.mark.parametrize(
    ("sources", "morale"), [("hashiba", "+1 for morale"), ("shibata", "-1 for morale"), ("hashiba shibata", "")]
)
def test_the_odds_of_a_situation_change_are_those_behind_the_lines(field: Field, sources: str, morale: str) -> None:
    """Who has no line has lost morale when the first stage begins; odds said so only as it was before."""
    begin = {army: {"hashiba": "0202", "shibata": "0302"}[army] for army in sources.split()}
    s = field(PLAIN, {TEN: "0202", "sb-04": "0302"}, sources=begin)
    order = Attack("hb-02", ("sb-04",))
    s.phase, s.stage = next((n, 1) for n, phase in enumerate(PHASES) if phase.kind == "stage-1")
    assert "morale" not in tell_odds(s, order)
    s.phase, s.stage = next((n, 0) for n, phase in enumerate(PHASES) if phase.kind == "situation")
    before = dump(s)
    assert morale in tell_odds(s, order)
    assert ("morale" in tell_odds(s, order)) == bool(morale)
    found = [f"{by} for morale" for what, by, _ in factors(s, order) if what == "die of the attack for morale"]
    assert found == []
    told = "die of the attack for morale, with the morale that the line phase leaves,"
    assert [f"{by} for morale" for what, by, _ in factors(s, order) if what == told] == [morale] * bool(morale)
    assert tell_odds(s, order).endswith("; with the morale that the line phase leaves") == bool(morale)
    assert dump(s) == before


def test_the_dice_by_which_armies_begin_to_act(shipped: Mapping[str, Any]) -> None:
    """Mori against a strength by the table; Shibata by a single face."""
    board = board_of(shipped)
    armies = [*board.entering["mori"].armies]
    shares = {die: board.tables.begins(board.entering["mori"].table, die + 1, 40) for die in range(1, 7)}
    found = chances(board, "begin", {"die": 2, "armies": armies, "battles": 1, "against": 40})
    assert found.get("begin to act", Fraction(0)) == Fraction(sum(shares.values()), 6)
    assert 0 < sum(shares.values()) < 6
    assert chances(board, "thaw", {"die": 2, "needed": 6}) == {
        "don't act yet": Fraction(5, 6), "begin to act": Fraction(1, 6),
    }  # fmt: skip


def test_every_event_with_a_die_has_chances_the_whole_campaign_through(shipped: Mapping[str, Any]) -> None:
    told: dict[str, set[str]] = {}
    for s, _, events in rolls(shipped, 5):
        for event in events:
            if "die" in event.facts:
                found = chances(s.board, event.what, event.facts)
                assert sum(found.values()) == 1, event
                told.setdefault(event.what, set()).update(found)
    assert told.keys() >= {"attack-result", "counterattack-result", "begin", "thaw"}


@pytest.mark.parametrize("seed", range(3))
def test_attacks_that_are_alike_share_their_odds_and_each_has_its_own(campaign: State, seed: int) -> None:
    ours, theirs = crowds(campaign, seed)
    attacks = [Attack(force, (target,)) for force in ours for target in theirs]
    attacks += [Attack(force, tuple(theirs)) for force in ours]
    told = [tell_odds(campaign, attack) for attack in attacks]
    assert len(campaign.memo) < len(attacks) // 2
    assert len({*told}) > len(attacks) // 20
    for attack, odds_of_it in zip(attacks, told, strict=True):
        alone = copy(campaign)
        alone.memo.clear()
        assert tell_odds(alone, attack) == odds_of_it, attack


@pytest.mark.clause("18-4-2", "23-7")
@pytest.mark.parametrize("seed", range(8))
def test_sorties_and_attacks_on_besiegers_have_the_odds_of_each_by_itself(field: Field, seed: int) -> None:
    chance = random.Random(seed)
    inside = dict.fromkeys(("kb-01 kb-02", "kb-03", "kb-04"), "0203 shut-in")
    before = dict.fromkeys(("hb-02 hb-04 hb-06", "hb-05", "hb-07", "hb-08", "hb-09", "hb-10"), "0203 besieging")
    others = dict.fromkeys(("hb-11", "hb-12", "hb-13"), "0203") | dict.fromkeys(("sb-02", "sb-03"), "0202")
    strong = {unit: {"front": "6", "back": "5", "modifier": "0"} for unit in ("hb-09", "hb-10", "hb-11", "hb-12")}
    s = field(PLAIN, inside | before | others, castles={"gifu": "0203 kobe 1 5"}, values=strong)
    for unit in chance.sample(sorted(s.leader), 4):
        s.reduce(unit)
    for force in chance.sample(sorted(s.forces), 4):
        s.set_morale(force, -chance.randint(1, 4))
    for force in s.own_forces("anti-hashiba"):
        for target in s.own_forces("hashiba"):
            alone = copy(s)
            alone.memo.clear()
            attack = Attack(force, (target,))
            assert tell_odds(alone, attack) == tell_odds(s, attack), attack
