"""Plans: orders for later phases of the turn, used when their phase comes, replaced by later orders."""

from __future__ import annotations

import random
from typing import Any

import pytest
from toy.players import Duel, stored_and_gone_on

from pbem.match.check import check
from pbem.match.form import form
from pbem.match.orders import Act, Plan, StopIf, Strict, read_canonical, read_parts, statement_of
from pbem.match.phases import plans_to_come, still_to_come
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.report.build import html
from pbem.report.build import text as text_of
from pbem.report.mail import mail_data, mail_html, mail_text
from pbem.report.source import report_data
from pbem.rules.requests import Roll
from pbem.scenario import Scenario, load_scenario
from pbem.wire.orderfile import parse_statements

PLAN = "rest; in late: move scout rear; in late: rest;"


@pytest.fixture
def rounds(toy_system: Scenario) -> Duel:
    """A game in which each side has two phases a turn: red, blue, red-late, blue-late."""
    return Duel(load_scenario("rounds"))


def told(table: Table, *kinds: str) -> list[str]:
    """The orders and what became of them, each with its side."""
    return [f"{s['side']} {' '.join(s.get('words', ['...']))}" for s in table.steps if s["kind"] in kinds]


def errors_of(game: Duel, text: str) -> list[str]:
    statements, wrong = parse_statements(text)
    assert not wrong
    return [str(error) for error in read_parts(game.table.rules, game.table.board, "red", statements)[1]]


# --- the language


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("in late: if gone lancer then bet 1;", Act),
        ("in red-late: hit lancer;", Act),
        ("in late: stop if empty front;", StopIf),
        ("in late: strict;", Strict),
        ("in late: rest;", Act),
    ],
)
def test_a_plan_is_read_and_written(rounds: Duel, text: str, part: type) -> None:
    statements, _ = parse_statements(text)
    ((_, read),) = read_canonical(rounds.table.rules, rounds.table.board, "red", [s for _, s in statements])
    assert isinstance(read, Plan)
    assert type(read.part) is part
    assert str(statement_of(read)) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("in;", "`in` needs a phase"),
        ("in late rest;", "`in` needs a phase with `:` behind it"),
        ("in 2late: rest;", "`in` needs a phase"),
        ("in late:;", "an order is missing behind `in late:`"),
        ("in late: say hello;", "`say` can't stand behind `in late:`"),
        ("in late: standing flee all;", "`standing` can't stand behind"),
        ("in late: in late: rest;", "`in` can't stand behind"),
        ("in a: " * 600 + "rest;", "`in` can't stand behind"),
        ("if gone lancer then in late: rest;", "`in` can't stand behind a condition"),
        ("in late: dance;", "`dance` is no order"),
        ("in late: dance ada to front;", "where `to` leads isn't known before `in late:` comes; write every hex of"),
        ("in late: if gone lancer then dance ada to front;", "where `to` leads isn't known before `in late:` comes"),
        ("in late: rest; in late: bet 1;", "`in late: bet 1` stands behind the `rest` of line 1"),
        ("in late: rest; in red-late: bet 1;", "`in red-late: bet 1` stands behind the `rest` of line 1"),
        ("rest; bet 1;", "`bet 1` stands behind the `rest` of line 1"),
    ],
)
def test_what_is_no_plan_is_refused(rounds: Duel, text: str, why: str) -> None:
    (error,) = errors_of(rounds, text)
    assert why in error


def test_plans_stand_behind_the_closing_order_of_another_phase(rounds: Duel) -> None:
    assert errors_of(rounds, "rest; in late: bet 1; in late: rest; in other: bet 1; say bye;") == []


def test_a_plan_in_short_words_is_not_canonical(rounds: Duel) -> None:
    statements, _ = parse_statements("in late: hit lan;")
    with pytest.raises(Exception, match="in full it is `in late: hit lancer`"):
        read_canonical(rounds.table.rules, rounds.table.board, "red", [s for _, s in statements])


# --- what becomes of it


def test_a_plan_is_used_when_its_phase_comes(rounds: Duel) -> None:
    rounds.play("anna", PLAN)
    assert rounds.due() == "ben"
    rounds.play("ben", "rest;")
    assert rounds.table.due()[:2] == ("reveal", "anna"), "no orders are asked of her in her late phase"
    rounds.play("anna")
    assert told(rounds.table, "order") == ["red rest", "blue rest", "red move scout rear", "red rest"]
    assert rounds.table.due()[:2] == ("orders", "ben")
    assert not any(rounds.table.course.plans.values())
    assert rounds.replayed().dump() == rounds.table.dump()


def test_without_a_plan_orders_are_asked(rounds: Duel) -> None:
    rounds.play("anna", "rest;")
    rounds.play("ben", "rest;")
    assert rounds.tables["anna"].due()[:2] == ("orders", "anna")


def test_two_plans_leave_the_rest_of_a_turn_to_two_mails(rounds: Duel) -> None:
    rounds.play("anna", PLAN)
    rounds.play("ben", "rest; in late: bet 1; in late: rest;")
    assert rounds.tables["anna"].due()[:2] == ("orders", "anna")
    assert rounds.tables["anna"].game.state.turn == 2


def test_a_plan_is_judged_when_its_phase_comes(rounds: Duel) -> None:
    rounds.play(
        "anna", "move scout rear; rest; in late: move scout rear; in late: if gone lancer then bet 1; in late: bet 1;"
    )
    rounds.play("ben", "rest;")
    table = rounds.tables["anna"]
    assert told(table, "lapse") == ["red move scout rear"]
    assert told(table, "order")[-1] == "red bet 1"
    assert table.due()[:2] == ("orders", "anna"), "her plan is used up, and her phase is open"


def test_the_steps_of_the_phase_and_strict_hold_in_a_plan(rounds: Duel) -> None:
    rounds.play("anna", "rest; in late: bet 1; in late: strict; in late: hit scout; in late: move scout rear;")
    rounds.play("ben", "rest;")
    table = rounds.tables["anna"]
    assert told(table, "order", "lapse", "stop")[2:] == ["red move scout rear", "red bet 1", "red hit scout", "red ..."]


@pytest.mark.parametrize(
    ("text", "late"), [("rest;", []), ("rest; in late: bet 1; in late: rest;", ["red bet 1", "red rest"])]
)
def test_later_orders_of_mine_replace_it(rounds: Duel, text: str, late: list[str]) -> None:
    rounds.play("anna", "move scout rear; in late: move scout front;")
    rounds.play("ben")
    rounds.play("anna", text)
    rounds.play("ben", "rest;")
    table = rounds.tables["anna"]
    (stop,) = [step for step in table.steps if step["kind"] == "stop"]
    assert (stop["side"], stop["dropped"], stop["reason"]) == (
        "red",
        1,
        "new orders take the place of what was planned",
    )
    assert told(table, "order") == ["red move scout rear", "red rest", "blue rest", *late]
    assert (table.due().what == "orders") == (not late)


def test_the_others_orders_and_reveals_of_mine_leave_it(rounds: Duel) -> None:
    rounds.play("anna", PLAN)
    rounds.play("ben", "bet 1;")  # his phase stays open
    rounds.play("anna")
    assert len(rounds.table.course.plans["red"]) == 2
    rounds.play("ben", "rest;")
    assert told(rounds.tables["anna"], "order")[-2:] == ["red move scout rear", "red rest"]


def test_an_answer_of_mine_replaces_it_and_may_lay_another(toy_system: Scenario) -> None:
    for text, left in (("flee scout;", 0), ("flee scout; in late: bet 1;", 1)):
        game = next(g for n in range(20) if (g := _hit(n)) is not None)
        game.play("anna", text)
        assert len(game.table.course.plans["red"]) == left
        (stop,) = [step for step in game.table.steps if step["kind"] == "stop"]
        assert stop["reason"] == "an answer takes the place of what was planned", "it was said that new orders do"


def _hit(number: int) -> Duel | None:
    """A game in which ben has hit the scout, and anna is asked; None where he missed."""
    game = Duel(load_scenario("rounds"), number, reactions="ask")
    game.play("anna", PLAN)
    game.play("ben", "hit scout; rest;")
    return game if game.tables["anna"].due().what == "react" else None


def test_a_plan_of_a_turn_that_is_over_lapses(rounds: Duel) -> None:
    rounds.play("anna", "rest; in early: bet 1; in early: if gone scout then bet 1; in early: rest;")
    rounds.play("ben", "rest;")
    rounds.play("anna", "in early: bet 2; rest;")
    rounds.play("ben", "rest;")
    rounds.play("anna")
    (lapse,) = [step for step in rounds.table.steps if step["kind"] == "lapse"]
    assert lapse["words"] == ["bet", "2"]
    assert lapse["reason"] == "the phase for which it was planned came no more in the turn"
    assert not any(rounds.table.course.plans.values())


def test_a_plan_that_was_stored_goes_on(rounds: Duel) -> None:
    rounds.play("anna", PLAN)
    stored_and_gone_on(rounds, "ben")


def test_a_log_with_plans_verifies(rounds: Duel) -> None:
    rounds.play("anna", PLAN)
    rounds.play("ben", "rest; in late: pull 2; in late: rest;")
    rounds.play("anna", "rest;")
    found = replay(rounds.log, lambda _: rounds.scenario)
    assert found.table is not None
    assert found.table.state_hash() == rounds.table.state_hash()


# --- what players see of it


def test_the_form_says_who_reads_it(rounds: Duel) -> None:
    text = " ".join(form(rounds.table, "anna").replace("#", "").split())
    assert "in late: ORDER; for my next phase of that name in this turn (late), until I send other orders" in text
    assert "until I send other orders or answer what I am asked; he reads it at once (`pbem lay`" in text
    rounds.play("anna", "rest;")
    rounds.play("ben", "rest;")
    assert "ORDER; for my next phase" not in form(rounds.tables["anna"], "anna"), "none comes any more"


def test_the_check_names_phases_that_come_no_more_and_the_reader(rounds: Duel) -> None:
    checked = check(rounds.table, "anna", "rest; in lat: rest; in red: rest; in weather: rest;", random.Random(1))
    assert [error.what for error in checked.errors] == [
        f"`in {phase}:` names no phase of mine that comes later in this turn" for phase in ("lat", "red", "weather")
    ]
    assert checked.errors[0].hint == "did you mean late?"
    checked = check(rounds.table, "anna", PLAN, random.Random(1))
    assert not checked.errors
    assert any("my opponent reads it before he decides" in remark for remark in checked.remarks)
    checked = check(rounds.table, "anna", "rest;", random.Random(1))
    assert checked.remarks == []


def test_mail_and_report_show_it_until_it_is_used(rounds: Duel) -> None:
    rounds.play("anna", "rest; in late: if gone lancer then bet 2; in late: stop if empty front; in late: rest;")
    data = mail_data(rounds.tables["anna"], rounds.scenario, "ben")
    text = " ".join(mail_text(data).split())
    for words in (
        "Planned for later in this turn (Red's Late Orders): Plan 1. If ",
        ": the rest is dropped. Then the phase ends.",
    ):
        assert words in text
        assert "Planned for later in this turn (Red" in mail_html(data, (), "x")
    report = report_data(rounds.tables["ben"], rounds.scenario, "ben")
    assert [plan["order"] for plan in planned_in(report)] == [
        "in late: if gone lancer then bet 2",
        "in late: stop if empty front",
        "in late: rest",
    ]
    assert [plan["comes"] for plan in planned_in(report)] == [True] * 3
    assert all(side["orders"] == [] for side in report["standing"]), "they are no standing orders"
    told = " ".join(text_of(report).split())
    when = "Red: planned for later in this turn (Red's Late Orders)"
    assert f"PLANNED FOR OTHER PHASES OF THIS TURN {when}: If Lancer (lancer) is gone: bet 2. {when}: If " in told
    assert f"<li>{when}: the phase ends.</li>".replace("'", "&#39;") in html(report)
    rounds.play("ben", "rest;")
    rounds.play("anna")
    report = report_data(rounds.tables["ben"], rounds.scenario, "ben")
    assert planned_in(report) == []
    assert "PLANNED" not in text_of(report)


def test_in_a_mail_no_plan_stands_under_the_condition_of_another(rounds: Duel) -> None:
    """`If the Lancer is gone: bet 2; Scout moves; then the phase ends` told all three as if he had to be gone."""
    rounds.play("anna", "rest; in late: if gone lancer then bet 2; in late: move scout rear; in late: rest;")
    ((side,),) = [mail_data(rounds.tables["anna"], rounds.scenario, "ben")["orders"]]
    heading, first, second, end = [item["told"] for item in side["items"]]
    assert heading == "Planned for later in this turn (Red's Late Orders):"
    assert first == "Plan 1. If Lancer (lancer) is gone: bet 2"
    assert second.startswith("Plan 2. Scout (scout) ")
    assert end == "Then the phase ends."
    rounds.play("ben", "rest;")
    rounds.play("anna")
    rounds.play("ben", "rest;")
    rounds.play("anna", "rest; in late: if gone lancer then rest;")
    ((side,),) = [mail_data(rounds.tables["anna"], rounds.scenario, "ben")["orders"]]
    (alone,) = [item["told"] for item in side["items"]]
    assert alone == "Planned for later in this turn (Red's Late Orders): If Lancer (lancer) is gone: the phase ends"


def planned_in(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan for side in report["planned"] for plan in side["plans"]]


def test_of_a_plan_whose_phase_comes_no_more_mail_and_report_say_so(rounds: Duel) -> None:
    """Check refuses it; another program may sign it, and it was told as planned."""
    rounds.play("anna", "bet 1; in red: bet 2; in weather: strict; in red-late: rest;")
    for told in (
        mail_text(mail_data(rounds.tables["anna"], rounds.scenario, "ben")),
        text_of(report_data(rounds.tables["ben"], rounds.scenario, "ben")),
    ):
        words = " ".join(told.replace("Planned", "planned").split())
        never = "planned for a phase that comes no more in this turn"
        assert f"{never} (Red's Orders), so never carried out: bet 2." in words
        assert (
            f"{never} (The Weather), so never carried out: from here on the first order that lapses drops the rest."
            in words
        )
        assert "planned for later in this turn (Red's Late Orders): the phase ends." in words


@pytest.mark.parametrize("filler", ["in zz: strict;", "in late: strict;"])
def test_a_plan_among_many_that_mean_nothing_is_told(rounds: Duel, filler: str) -> None:
    """Of 301 the report and the mail told the first 200."""
    rounds.play("anna", f"rest; {filler * 150} in late: if gone lancer then bet 2; {filler * 150}")
    strict = "from here on the first order that lapses drops the rest."
    comes = "zz" not in filler
    of_late = "planned for later in this turn (Red's Late Orders)"
    never = "planned for a phase that comes no more in this turn (zz), 300 times, so never carried out"
    others = f"{of_late}, 300 times: {strict}" if comes else f"{never}: {strict}"
    report = report_data(rounds.tables["ben"], rounds.scenario, "ben")
    assert [plan["times"] for plan in planned_in(report)] == ([300, 1] if comes else [1, 300])
    for told in (text_of(report), mail_text(mail_data(rounds.tables["anna"], rounds.scenario, "ben"))):
        words = " ".join(told.replace("Planned", "planned").split())
        assert f"{of_late}: If Lancer (lancer) is gone: bet 2" in words
        assert others in words


def test_many_plans_whose_phase_comes_no_more_are_told_as_one(rounds: Duel) -> None:
    never = "".join(f"in p{n}: bet 1; " for n in range(150))
    rounds.play("anna", f"rest; {never} in late: bet 2;")
    report = report_data(rounds.tables["ben"], rounds.scenario, "ben")
    assert [(plan["order"], plan["comes"], plan["times"]) for plan in planned_in(report)] == [
        ("in late: bet 2", True, 1),
        ("", False, 150),
    ]
    for told in (text_of(report), mail_text(mail_data(rounds.tables["anna"], rounds.scenario, "ben"))):
        assert "150 plans for phases that come no more in this turn, so never carried out." in " ".join(told.split())


def test_a_mail_tells_the_plans_of_its_own_entry_and_of_no_dice_that_they_fall_now(rounds: Duel) -> None:
    """His opponent's were told to who had laid them, as orders whose dice fall when he opens the mail."""
    rounds.play("anna", PLAN)
    told = mail_text(mail_data(rounds.tables["anna"], rounds.scenario, "ben"))
    assert told.count("Planned for later in this turn") == 1, "the plans of a phase stand together"
    assert "Orders of anna (Red):\n  Planned for later" in told
    rounds.play("ben", "bet 1;")
    told = mail_text(mail_data(rounds.tables["ben"], rounds.scenario, "anna"))
    assert "Orders of ben (Blue); the dice fall when you open this mail:" in told
    assert "anna (Red)" not in told
    rounds.play("anna", "")
    rounds.play("ben", "bet 1; rest;")
    told = mail_text(mail_data(rounds.tables["ben"], rounds.scenario, "anna"))
    assert "Besides, when you open this mail:\n  Of your plan: Scout (scout) " in told
    data = mail_data(rounds.tables["ben"], rounds.scenario, "anna")
    assert "<h3>Besides, when you open this mail</h3>\n<p>Of your plan: Scout (" in mail_html(data, (), "x")
    rounds.play("anna")
    assert "lanned" not in mail_text(mail_data(rounds.tables["anna"], rounds.scenario, "ben")), "he has read it"


def test_a_plan_for_a_phase_that_has_only_begun_still_comes(rounds: Duel) -> None:
    """Its first question is yet to be asked, behind dice: nobody has given an order there."""
    rounds.play("anna", PLAN)
    rounds.table.game.state.phase = "red-late"
    assert still_to_come(rounds.table, "red") == set(), "who is asked would have used it"
    rounds.table.game.request = Roll("weather", dice=1)
    assert still_to_come(rounds.table, "red") == {"late", "red-late"}


def test_a_plan_whose_phase_has_passed_unused_is_named_no_more(rounds: Duel) -> None:
    rounds.play("anna", PLAN)
    kept = list(rounds.table.course.plans["red"])
    assert plans_to_come(rounds.table, "red") == [plan for _, plan in kept]
    older = rounds.table.fork()
    turn, phase = older.course.planned["red"]
    older.course.planned["red"] = turn - 1, phase
    assert plans_to_come(older, "red") == [], "what is left of a turn before, while dice are due that begin this one"
    rounds.play("ben", "rest;")
    rounds.play("anna")
    table = rounds.tables["ben"]
    assert not table.course.plans["red"]
    table.course.plans["red"].extend(kept)  # as where nobody was asked in that phase; they lapse with the turn
    assert plans_to_come(table, "red") == []


def test_a_plan_whose_phase_nobody_was_asked_in_lapses_because_nobody_could_act(rounds: Duel) -> None:
    rounds.play("anna", "rest; in late: if alive scout then move scout rear; in late: rest;")
    ((number, plan), _) = rounds.table.course.plans["red"]
    rounds.play("ben", "rest;")
    for table in rounds.tables.values():  # as where nobody of red could do anything in that phase
        table.course.plans["red"].append((number, plan))
    while not (lapses := [step for step in rounds.table.steps if step["kind"] == "lapse"]):
        due = rounds.table.due()
        rounds.play(due.player or "", "rest;" if due.what == "orders" else "")
    assert [(lapse["words"], lapse["reason"]) for lapse in lapses] == [
        (
            ["if", "alive", "scout", "then", "move", "scout", "rear"],
            "nobody could do anything in the phase for which it was planned, so no orders were asked",
        )
    ]
