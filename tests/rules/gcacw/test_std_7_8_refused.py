"""Refused flanks: not by default; where the option has them, who is asked, what they add and what they cost (R230)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.activities import asked, labels, run, told

from pbem.rules import gcacw
from pbem.rules.gcacw import combat, march
from pbem.rules.gcacw.combat import ASSAULT, Fight, modifiers
from pbem.rules.gcacw.orders import March, Refuse, Strike
from pbem.rules.gcacw.reasons import factors
from pbem.rules.gcacw.standing import read_standing, why_unanswered
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.strikes import expected
from pbem.rules.gcacw.weights import BOLD
from pbem.rules.requests import Choose, Tell

Field = Callable[..., State]
Fields = Callable[..., Battle]

PLAIN = """
. . . . .
. . . . .
. . . . .
. . . . .
. . . . .
"""
ROUND = {"king": "0303 8", "ewell-b": "0302 8", "hood": "0304 8"}
"""King between two divisions, whose zones cover all six hexes round him."""

BESIDE = {1: {"hooker": "0203 8", "kearny": "0403 8", "ferrero": "0202 8"}, 2: {"hooker": "0203 8", "kearny": "0403 8"},
          3: {"hooker": "0203 8"}, 4: {}}  # fmt: skip
"""The bonus that is left of the 4 for six covered hexes -> the defender's other units that stand in some of them."""

ON = {"flanks-refused": "yes"}
YES, NO = Refuse(made=True), Refuse(made=False)


def attack(s: State, *units: str, kind: str = "normal") -> Fight:
    """The attack on King's hex."""
    return Fight("confederate", s.board.parse("0303"), units or ("ewell-b",), kind)


def fought(s: State, f: Fight, *answers: Refuse) -> list[Any]:
    """A combat by dice that leave the defender where he is."""
    dice = (*[1] * combat.guns(s, f).by_die, 1, 6)
    return run(combat.fight(s, f), dice, answers)


def added(found: list[Any]) -> dict[str, int]:
    """What a fight told added to the dice, by name."""
    (fight,) = told(found, "fight")
    return {name: points for _, name, points, _ in fight["modifiers"]}


# --- not by default ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.8-1")
def test_by_default_nobody_is_asked_to_refuse_his_flanks(field: Field) -> None:
    for options, questions in ((None, 0), ({"flanks-refused": "no"}, 0), (ON, 1)):
        s = field(PLAIN, ROUND, options=options)
        found = fought(s, attack(s), *[NO] * questions)
        assert len(asked(found, "refuse")) == questions
        assert (added(found)["flank"], added(found).get("refused", 0)) == (4, 0)


@pytest.mark.clause("std-7.8-1")
def test_by_default_no_order_of_that_kind_is_accepted(battle: Fields) -> None:
    """Nor is any in its own time; where the option has them standing orders are, and an answer when it is asked for."""
    for options, clause in (({}, "std-7.8-1"), (ON, "")):
        b = battle(PLAIN, ROUND, choice="confederate", options=options)
        for words in ("refuse yes", "refuse no"):
            assert b.refused(words), "nobody is asked"
        for words in ("refuse king yes", "refuse any no"):
            refusal = why_unanswered(b.state, read_standing(b.board, "union", tuple(words.split())))
            assert (refusal.clause if refusal is not None else "") == clause
        assert why_unanswered(b.state, ("refuse", "king")) is None, "it clears what there is"
    b.do("march ewell-b attack 0303", 5)
    assert (b.request.kind, b.request.side, b.options()) == ("refuse", "union", ["refuse yes", "refuse no"])
    assert b.refused("retreat 0203 0204") == "std-7.8-1"
    b.do("refuse yes", 1, 6)
    assert b.events()[0] == "flanks-refused"


# --- who is asked -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.8-1")
@pytest.mark.parametrize(
    ("others", "questions"),
    [
        ({}, 1),
        ({"hood": "0305 8"}, 0),
        ({"king": "0303 8 F3"}, 1),
        ({"king": "0303 8 F4"}, 0),
        ({"ricketts": "0303 8 F4"}, 0),
        ({"buford": "0303 3 F4"}, 1),
        ({"king": "0303 8 demoralised 1"}, 0),
        ({"king": "0303 8 demoralised 1", "ricketts": "0303 8"}, 1),
        ({"king": "0303 8 disorganised"}, 1),
        ({"king": "0505 8", "buford": "0303 3"}, 0),
        ({"hood": "0103 8", "hooker": "0203 8", "ferrero": "0202 8"}, 0),
    ],
)
def test_steady_infantry_is_asked_that_is_not_spent_and_only_of_a_bonus(
    field: Field, others: dict[str, str], questions: int
) -> None:
    s = field(PLAIN, {**ROUND, **others}, options=ON)
    found = fought(s, attack(s), *[NO] * questions)
    assert [question.side for question in asked(found, "refuse")] == ["union"] * questions


@pytest.mark.clause("std-7.8-1", "std-7.1-10")
def test_the_question_comes_before_the_dice_of_the_combat(field: Field) -> None:
    """Nor does it ask anybody about an attack that isn't paid for."""
    s = field(PLAIN, {**ROUND, "ewell-b": "0302 8"}, options=ON)
    found = fought(s, attack(s), YES)
    kinds = [f.what if isinstance(f, Tell) else type(f).__name__ for f in found]
    assert kinds[:3] == ["Choose", "flanks-refused", "tired"]
    assert labels(found)[-2:] == ["attack/0303", "defence/0303"]
    for least, die, questions in (("prepared", 1, 0), ("prepared", 6, 1)):
        s = field(PLAIN, ROUND, options=ON)
        order = March("ewell-b", (), strike=Strike(s.board.parse("0303"), least))
        found = run(march.carry_out(s, order), (die, *(1, 6) * questions), [NO] * questions)
        assert len(asked(found, "refuse")) == questions


@pytest.mark.clause("std-7.8-1", "std-7.1-6")
def test_an_assault_asks_too_when_it_comes_about(field: Field) -> None:
    s = field(PLAIN, ROUND, options=ON)
    found = fought(s, attack(s, "ewell-b", "hood", kind=ASSAULT), YES)
    assert len(asked(found, "refuse")) == 1
    assert added(found)["refused"] == 2


# --- what it adds and costs -------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.8-1", "std-7.4-13")
@pytest.mark.parametrize(("bonus", "adds"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_refused_flanks_make_up_for_half_the_bonus_rounded_up(field: Field, bonus: int, adds: int) -> None:
    for answer, expected_ in ((YES, adds), (NO, 0)):
        s = field(PLAIN, {**ROUND, **BESIDE[bonus]}, options=ON)
        found = fought(s, attack(s), answer)
        (fight,) = told(found, "fight")
        assert ["attacker", "flank", bonus, "std-7.4-12"] in fight["modifiers"]
        assert (["defender", "refused", adds, "std-7.8-1"] in fight["modifiers"]) == (answer == YES)
        assert added(found).get("refused", 0) == expected_ <= bonus


@pytest.mark.clause("std-7.8-1")
def test_each_steady_infantry_unit_of_the_hex_gains_1_fatigue_and_no_other(field: Field) -> None:
    units = {"king": "0303 8 F1", "ricketts": "0303 8", "hooker": "0303 8 demoralised 1", "buford": "0303 3 F2",
             "schurz": "0505 8"}  # fmt: skip
    for answer, fatigue in ((YES, [2, 1, 0, 2, 0]), (NO, [1, 0, 0, 2, 0])):
        s = field(PLAIN, {**ROUND, **units}, options=ON)
        activity: Any = combat.fight(s, attack(s))
        assert isinstance(next(activity), Choose)
        request = activity.send(answer)
        while isinstance(request, Tell):
            request = next(activity)
        assert [s.fatigue.get(unit, 0) for unit in units] == fatigue


# --- who answers ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.8-1")
@pytest.mark.parametrize(("bonus", "first"), [(1, NO), (2, NO), (3, YES), (4, YES)])
def test_the_rules_refuse_where_2_is_made_up_for(field: Field, bonus: int, first: Refuse) -> None:
    s = field(PLAIN, {**ROUND, **BESIDE[bonus]}, options=ON)
    (question,) = asked(fought(s, attack(s), NO), "refuse")
    assert question.default is not None
    assert question.default() == first
    assert [*question.options()] == [first, Refuse(not first.made)]


@pytest.mark.clause("std-7.8-1")
def test_standing_orders_answer_it(field: Field) -> None:
    s = field(PLAIN, {**ROUND, "ricketts": "0303 8", "schurz": "0505 8"}, options=ON)
    (question,) = asked(fought(s, attack(s), NO), "refuse")
    assert question.standing is not None
    for orders, answer in (
        (("refuse any no",), NO),
        (("refuse any no", "refuse ricketts yes"), YES),
        (("refuse ricketts no", "refuse any yes"), NO),
        (("refuse schurz yes",), None),
        (("evade any yes",), None),
        ((), None),
    ):
        read = [read_standing(s.board, "union", tuple(order.split())) for order in orders]
        assert question.standing(read) == answer, orders


@pytest.mark.clause("std-7.8-1")
def test_odds_and_the_bot_reckon_with_the_answer(field: Field) -> None:
    """Odds by the standing orders of the other side, else by the rules; the bot by the rules."""
    s = field(PLAIN, ROUND, options=ON)
    order = March("ewell-b", (), strike=Strike(s.board.parse("0303")))
    for standing, refused in (({}, True), ({"union": [("refuse", "any", "no")]}, False)):
        told_ = [factor.what for factor in factors(s, order, standing)]
        assert ("enemy's die for refused flanks" in told_) == refused
    plain = field(PLAIN, ROUND)
    assert expected(s, attack(s), BOLD, kinds={"normal": 1.0}) < expected(plain, attack(s), BOLD, kinds={"normal": 1.0})
    one = field(PLAIN, {**ROUND, **BESIDE[2]}, options=ON)
    other = field(PLAIN, {**ROUND, **BESIDE[2]})
    assert expected(one, attack(one), BOLD, kinds={"normal": 1.0}) == expected(
        other, attack(one), BOLD, kinds={"normal": 1.0}
    )


@pytest.mark.clause("std-7.8-1")
def test_the_words_of_the_answer(field: Field) -> None:
    s = field(PLAIN, ROUND, options=ON)
    for answer, words in ((YES, ("refuse", "yes")), (NO, ("refuse", "no"))):
        assert gcacw.order_words(s.board, answer) == words
        assert gcacw.read_order(s.board, "union", words) == answer
    assert not any(m.name == "refused" for m in modifiers(s, attack(s)))
    assert sum(m.points for m in modifiers(s, attack(s)._replace(refused=True)) if m.name == "refused") == 2
