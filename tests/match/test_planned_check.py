"""Plans before they are signed: what can never be used is an error, all else is tried as if the other did nothing."""

from __future__ import annotations

import pytest
from toy.players import Duel
from toy.state import OF_SIDE

from pbem.errors import IllegalOrder, MalformedOrder, Refusal
from pbem.match import check as draft
from pbem.match.check import Checked, check
from pbem.match.course import Course
from pbem.match.orders import read_canonical, statement_of
from pbem.match.phases import plans_told
from pbem.report.asked import foreseen
from pbem.report.layout import capital
from pbem.report.mail import mail_data
from pbem.report.ordered import came_words
from pbem.scenario import Scenario, load_scenario
from pbem.wire.orderfile import parse_statements


@pytest.fixture
def rounds(toy_system: Scenario) -> Duel:
    """A game in which each side has two phases a turn: red, blue, red-late, blue-late."""
    return Duel(load_scenario("rounds"))


def checked(game: Duel, text: str, name: str = "anna") -> Checked:
    return check(game.view(name), name, text)


@pytest.mark.parametrize(
    ("order", "twin", "clause"),
    [
        ("move lancer rear", "move scout rear", "T4"),
        ("if gone scout then move lancer rear", "if gone scout then hit lancer", "T4"),
        ("hit scout", "hit lancer", "T5"),
        ("flee scout", "bet 1", "T5"),
    ],
)
def test_a_plan_that_can_never_be_used_is_an_error(rounds: Duel, order: str, twin: str, clause: str) -> None:
    (error,) = checked(rounds, f"rest;\nin late: {order};").errors
    assert isinstance(error, IllegalOrder)
    assert (error.where, error.clause) == ("line 2", clause)
    assert error.what.startswith(f"`in late: {order}`: ")
    assert checked(rounds, f"rest;\nin late: {twin};").errors == []


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        ("in late: move scout to rear", MalformedOrder, "where `to` leads isn't known before"),
        ("in red-late: if gone lancer then move scout to rear", MalformedOrder, "where `to` leads isn't known before"),
        ("in late: move lancer to rear", IllegalOrder, "lancer is not red's"),
        ("in red: move scout to rear", MalformedOrder, "`in red:` names no phase of mine that comes later"),
        ("in late: bet to 1", MalformedOrder, "is no order"),
    ],
)
def test_to_in_a_plan_is_refused_with_the_true_reason(rounds: Duel, text: str, kind: type, why: str) -> None:
    (error,) = checked(rounds, f"rest;\n{text};").errors
    assert isinstance(error, kind)
    assert why in str(error)
    assert error.where == "line 2"
    assert checked(rounds, "rest; in late: move scout rear;").errors == []


def test_a_plan_that_lapses_as_things_go_is_asked_about(rounds: Duel) -> None:
    """It was accepted without a word: the futures ended where the other side was asked."""
    text = "move scout rear; rest;\nin late: move scout rear;"
    found = checked(rounds, text)
    assert found.errors == []
    told = (
        "line 2: `in late: move scout rear` lapses in 100 % of the futures, if ben gives no orders in between, as in: "
        "scout is gone or there already [T4]"
    )
    assert found.doubts == [told]
    assert "what comes behind ben's decisions is looked at as if ben gave no orders in between" in found.remarks
    assert checked(rounds, f"{text}\nin late: rest;").doubts == [
        f"{told}; `in late: rest` then ends the phase, in which nothing is carried out"
    ]
    assert checked(rounds, f"{text}\nin late: bet 1;\nin late: rest;").doubts == [told]
    assert checked(rounds, "rest;\nin late: move scout rear; in late: rest;").lapses == []


@pytest.mark.parametrize(
    ("last", "why"), [("move scout rear", "scout is gone or there already [T4]"), ("bet 1", "the phase is over")]
)
def test_a_plan_that_is_left_over_lapses_for_its_own_reason(rounds: Duel, last: str, why: str) -> None:
    """A phase ends with the third order."""
    moves = "".join(f"in late: move {unit} rear; " for unit in ("scout", "guard-1", "guard-2"))
    (lapse,) = checked(rounds, f"rest; {moves}\nin late: {last};").lapses
    assert str(lapse).endswith(f"as in: {why}")


def test_behind_dice_it_has_its_share(rounds: Duel) -> None:
    found = checked(rounds, "bet 1;\nrest;\nin late: bet 3;")
    (lapse,) = found.lapses
    assert (lapse.line, lapse.idle) == (3, "ben")
    assert 0.3 < lapse.share < 0.7, "he has two points left or four"
    assert found.errors == []
    assert "if ben gives no orders in between" not in str(checked(rounds, "bet 1; bet 3; rest;").lapses[0])


def test_what_the_other_side_has_planned_is_played(rounds: Duel) -> None:
    """Ben's plan for his late phase stands between; of what he may decide nothing is known."""
    rounds.play("anna", "rest;")
    rounds.play("ben", "rest; in late: bet 1; in late: rest;")
    found = checked(rounds, "in late: bet 1; rest;")
    assert str(found.errors[0]).startswith("line 1: `in late:` names no phase")
    assert checked(rounds, "rest;").errors == []


def test_of_an_open_phase_it_is_said_what_becomes_of_plans(rounds: Duel) -> None:
    said = "your orders then take the place of what is planned here"
    assert said in " ".join(checked(rounds, "move scout rear; in late: bet 1;").remarks)
    assert said not in " ".join(checked(rounds, "move scout rear;").remarks)
    assert said not in " ".join(checked(rounds, "rest; in late: bet 1;").remarks)


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        ("if gone lancer then bet 1;\nrest;", [
            "line 1: `if gone lancer then bet 1` is never carried out: `gone lancer` doesn't hold when its turn comes; "
            "lancer is at front"]),
        ("if alive lancer then move scout rear;\nrest;", []),
        ("stop if alive scout; stop if gone scout;\nmove scout rear;", [
            "line 2: `move scout rear` is never carried out: it is dropped, as the stop `alive scout` holds before "
            "it"]),
        ("stop if gone scout;\nmove scout rear;", []),
        ("hit lancer;\nif gone scout then bet 1;\nrest;", [
            "line 2: `if gone scout then bet 1` is carried out in none of 100 futures: `gone scout` doesn't hold when "
            "its turn comes; in one of them, for instance, scout is at front"]),
        ("hit lancer;\nif gone lancer then bet 1;\nrest;", []),
        ("bet 1; bet 1; bet 1;\nif gone scout then bet 1;", [
            "line 2: `if gone scout then bet 1` is carried out in none of 100 futures"]),
        ("rest;\nin late: if gone scout then bet 1;", [
            "line 2: `in late: if gone scout then bet 1` is never carried out, if ben gives no orders in between: "
            "`gone scout` doesn't hold when its turn comes; scout is at front"]),
        ("rest;\nin late: if alive scout then bet 1;", []),
    ],
)  # fmt: skip
def test_what_is_never_carried_out_is_told(rounds: Duel, text: str, unused: list[str]) -> None:
    found = checked(rounds, text)
    assert found.errors == []
    assert [remark for remark in found.remarks if "carried out" in remark] == unused


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("stop if gone scout;\nmove scout rear;", ["line 1: `stop if gone scout` never holds: scout is at rear"]),
        ("stop if alive scout;\nmove scout rear;", []),
        (
            "hit lancer;\nstop if gone scout;\nrest;",
            [
                "line 2: `stop if gone scout` holds in none of 100 futures: in one of them, for instance, scout is at "
                "front"
            ],
        ),
        ("hit lancer;\nstop if gone lancer;\nrest;", ["line 2: `stop if gone lancer` holds in 17 of 100 futures"]),
        ("hit lancer;\nstop if alive scout;\nrest;", []),
        (
            "hit lancer;\nstop if gone lancer;\nstop if gone scout;\nrest;",
            [
                "line 2: `stop if gone lancer` holds in 13 of 100 futures",
                "line 3: `stop if gone scout` holds in none of the 87 in which it is reached of 100 futures: in one of "
                "them, for instance, scout is at front",
            ],
        ),
    ],
)
def test_of_a_stop_that_never_comes_it_is_told(rounds: Duel, text: str, never: list[str]) -> None:
    found = checked(rounds, text)
    assert found.errors == []
    assert [remark for remark in found.remarks if "holds" in remark and "dropped" not in remark] == never


ANNA = "what comes behind ben's decisions is looked at as if ben gave no orders in between"


@pytest.mark.parametrize(
    ("text", "told", "mailed"),
    [
        ("rest;\nin late: bet 1; in late: rest;", {"in late: bet 1": "wins 1 50 %, loses 1 50 %"},
         "Plan 1. Bet 1: wins"),
        ("bet 1; rest;\nin late: bet 3;", {
            "bet 1": "wins 1 50 %, loses 1 50 %",
            "in late: bet 3": "carried out in 43 of 100 futures played out, there wins 3 50 %, loses 3 50 %",
        }, "bet 3: carried out in 43 of 100 futures played out, there wins 3 50 %, loses 3 50 %"),
        ("bet 1; rest;\nin late: if gone lancer then bet 1;", {"bet 1": "wins 1 50 %, loses 1 50 %"},
         "bet 1: carried out in none of 100 futures played out"),
        ("rest;\nin late: if gone lancer then bet 1;", {}, "bet 1: never carried out"),
        ("bet 1;\nin late: bet 1;", {"bet 1": "wins 1 50 %, loses 1 50 %"},
         "bet 1: nothing can be told of it, as a decision comes before it"),
        ("rest;\nin late: move scout rear;", {}, "move rear."),
    ],
)  # fmt: skip
def test_the_dice_of_a_plan_are_told_in_check_and_mail_alike(
    rounds: Duel, text: str, told: dict[str, str], mailed: str
) -> None:
    """As if the other side gave no orders before; or why they can't be."""
    found = checked(rounds, text)
    assert {" ".join(words): came_words(came) for _, words, came in found.comes} == told
    nothing = "line 2: `in late: bet 1`: nothing can be told of it, as I am asked (act) before it"
    assert (nothing in found.remarks) == ("nothing can be told" in mailed)
    rounds.play("anna", text)
    data = mail_data(rounds.tables["anna"], rounds.scenario, "ben")
    lines = [
        f"{item['told']}: {item['odds']}" if item["odds"] else f"{item['told']}." for item in data["orders"][0]["items"]
    ]
    assert [line for line in lines if mailed in line]
    planned = any(words.startswith("in") for words in told) or "of 100 futures" in mailed
    assert (capital(ANNA) in data["sampled"]) == planned
    assert ANNA in found.remarks or not planned


def test_of_many_that_are_never_carried_out_some_are_named(rounds: Duel) -> None:
    text = "stop if alive scout;\n" + "move scout rear;\n" * 9
    told = [remark for remark in checked(rounds, text).remarks if "carried out" in remark]
    assert len(told) == 6
    assert told[-1] == "4 more are never carried out"


def test_of_few_futures_nothing_is_said_to_be_never_so(rounds: Duel) -> None:
    text = "hit lancer;\nif gone scout then bet 1;\nrest;"
    found = check(rounds.view("anna"), "anna", text, runs=19)
    assert not [remark for remark in found.remarks if "carried out" in remark]


def test_of_plans_that_orders_drop_those_are_named_that_are_not_planned_again(rounds: Duel) -> None:
    rounds.play("anna", "bet 1; in late: bet 1; in late: bet 1; in late: rest;")
    rounds.play("ben")
    said = "what I planned before is dropped with this: "
    assert checked(rounds, "rest;").dropped == f"{said}in late: bet 1; in late: rest"
    assert checked(rounds, "rest; in late: bet 1;").dropped == f"{said}in late: rest"
    assert checked(rounds, "rest; in late: bet 1; in late: rest;").dropped == ""
    assert f"{said}in late: rest" in checked(rounds, "rest; in late: bet 1;").remarks


def test_of_many_plans_some_are_named(rounds: Duel) -> None:
    rounds.play(
        "anna",
        "rest; " + "".join(f"in late: bet {n % 3 + 1}; in late: hit {u}; " for n, u in enumerate(OF_SIDE["blue"])),
    )
    assert plans_told(rounds.table, "red") == (
        "in late: bet 1; in late: hit lancer; in late: bet 2; in late: hit levy-1; in late: bet 3 and 1 more"
    )
    assert plans_told(rounds.table, "blue") == ""


def test_plans_of_the_other_side_take_no_futures_from_mine(rounds: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 4,900 of his 11 futures were left, in which nothing counted as certain."""
    rounds.play("anna", "rest;")
    rounds.play("ben", "rest; " + "".join(f"in p{n}: bet 1; " for n in range(300)) + "in late: bet 1; " * 300)
    monkeypatch.setattr(draft, "WORDS", 2_000)
    found = checked(rounds, "hit lancer;\nhit lancer;\nrest;")
    (error,) = found.errors
    assert "lapses in every one of 400 futures" in str(error)
    assert found.remarks == [
        "of 600 plans of ben only 200 that come are looked at, each once",
        "where no standing order of ben's answers in these futures, the rules choose for ben",
    ]
    counted = []
    monkeypatch.setattr(Course, "_take_up", lambda course, request: counted.append(len(course.plans["blue"])))
    assert checked(rounds, "hit lancer; rest;").errors == []
    assert set(counted) == {0, 1}, "the one that he has laid 300 times; none where an order is counted alone"


def test_long_orders_of_the_other_side_make_no_error_of_what_lapsed_in_fewer_futures(
    rounds: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan of 258 kB left 20 futures, and what was legal in one of twenty couldn't be sent. What the rules forbid in
    any position is refused all the same."""
    text = "hit lancer;\nhit lancer;\nrest;"
    monkeypatch.setattr(draft, "WORDS", 2_000)
    (error,) = checked(rounds, text).errors
    assert "lapses in every one of 400 futures" in str(error)
    monkeypatch.setattr(Course, "words", lambda _: 2_000)
    found = checked(rounds, text)
    assert (found.errors, found.played) == ([], 20)
    (doubt,) = found.doubts
    assert doubt.startswith("line 2: `hit lancer` lapses in 100 % of the futures")
    (lapse,) = found.lapses
    monkeypatch.setattr(rounds.table.rules, "why_never", lambda *_: Refusal(lapse.clause, lapse.reason))
    (error,) = checked(rounds, text).errors
    assert str(error).startswith("line 2")


def test_thousands_of_orders_that_wait_are_gone_through_in_few_futures(
    rounds: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 4,900 that lapse, a done of mine took six seconds to be sent: each was judged eighty times."""
    monkeypatch.setattr(Course, "words", lambda _: 9_800)
    assert checked(rounds, "hit lancer;\nrest;").played == 20
    rounds.play("anna", "hit lancer; rest;")
    assert sum(often for _, often in foreseen(rounds.table).futures) == 20


def test_standing_orders_behind_the_end_of_the_phase_are_signed_before_it(rounds: Duel) -> None:
    """They are for no phase; they were refused where talk and plans were not."""
    text = "bet 1;\nrest;\nstanding flee all;\nin late: rest;\nstanding stand scout;"
    found = checked(rounds, text)
    assert found.errors == []
    assert [(line, str(statement_of(part))) for line, part in found.parts] == [
        (1, "bet 1;"),
        (3, "standing flee all;"),
        (5, "standing stand scout;"),
        (2, "rest;"),
        (4, "in late: rest;"),
    ]
    assert [error.where for error in checked(rounds, "rest;\nbet 1;\nstrict;").errors] == ["line 2", "line 3"]
    with pytest.raises(MalformedOrder, match="stands behind the `rest` of line 1"):
        read_canonical(rounds.table.rules, rounds.table.board, "red", [s for _, s in parse_statements(text)[0][1:3]])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rest;\nin late: bet 1;", True),
        ("rest;\nin late: bet 1; in late: rest;", False),
        ("rest;\nin late: bet 1; in late: if gone scout then rest;", False),
        ("rest;\nin late: stop if gone scout;", False),
        ("bet 1; rest;", False),
    ],
)
def test_a_plan_that_does_not_end_its_phase_is_remarked(rounds: Duel, text: str, said: bool) -> None:
    open_ = "there is no `in late: rest;`: unless that phase ends by itself, "
    assert any(remark.startswith(open_) for remark in checked(rounds, text).remarks) == said
