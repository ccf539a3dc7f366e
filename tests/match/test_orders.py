"""The order language: every form of statement, conditions, all errors at once, and back to words."""

from __future__ import annotations

import pytest
import toy
from hypothesis import given
from hypothesis import strategies as st
from toy.reading import ToyOrder
from toy.state import POSTS, SIDES, UNITS, Board

from pbem.errors import AmbiguousOrder, MalformedOrder, OrderError
from pbem.match.orders import (
    Act,
    Condition,
    Part,
    Plan,
    Say,
    Standing,
    StopIf,
    Strict,
    in_steps,
    read_canonical,
    read_parts,
    statement_of,
    why_not_in_react,
)
from pbem.wire.orderfile import parse_statements
from pbem.wire.statements import Statement

BOARD = Board("duel", "A Duel", {"red": "Red", "blue": "Blue"}, 3)


def read(text: str) -> tuple[list[tuple[int, Part]], list[OrderError]]:
    statements, unreadable = parse_statements(text)
    assert not unreadable
    return read_parts(toy, BOARD, "red", statements)


def part(text: str) -> Part:
    parts, errors = read(text)
    assert not errors, errors[0]
    return parts[0][1]


def error(text: str) -> OrderError:
    parts, errors = read(text)
    assert not parts
    return errors[0]


def test_an_order_has_full_ids() -> None:
    assert part("hit lan;") == Act(ToyOrder(("hit", "lancer")), ("hit", "lancer"))
    assert part("move sc guard-1 r;").words == ("move", "scout", "guard-1", "rear")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("gone lan", ("gone", "lancer")),
        ("alive levy-1", ("alive", "levy-1")),
        ("at sc rear", ("at", "scout", "rear")),
        ("empty fr", ("empty", "front")),
        ("held rear b", ("held", "rear", "blue")),
        ("is guard-2 shaken", ("is", "guard-2", "shaken")),
    ],
)
def test_every_condition_and_its_contrary(text: str, test: tuple[str, ...]) -> None:
    assert part(f"if {text} then rest;") == Act(ToyOrder(("rest",)), ("rest",), (Condition(True, test),))
    assert part(f"stop if not {text};") == StopIf((Condition(False, test),))


def test_conditions_are_joined_by_and() -> None:
    read_part = part("if gone lan and not held front b and not empty rear then bet 2;")
    assert read_part == Act(
        ToyOrder(("bet", "2")),
        ("bet", "2"),
        (
            Condition(True, ("gone", "lancer")),
            Condition(False, ("held", "front", "blue")),
            Condition(False, ("empty", "rear")),
        ),
    )


def test_the_other_statements() -> None:
    assert part("standing flee lan;") == Standing(("flee", "lancer"))
    assert part("strict;") == Strict()
    assert part("say then rest if strict;") == Say(("then", "rest", "if", "strict"))
    assert part("say;") == Say(())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("if gone lan bet 1;", "`then`"),
        ("if gone lan then;", "`then`"),
        ("if gone lan;", "`then`"),
        ("if then bet 1;", "`then` is no condition"),
        ("if gone lan and then bet 1;", "`then` is no condition"),
        ("if;", "a condition is missing"),
        ("if not not gone lan then rest;", "`not` is no condition"),
        ("if lost lan then rest;", "`lost` is no condition"),
        ("if gone;", "`gone` needs a word behind it; write `gone U`"),
        ("if at sc;", "`at` needs 2 words behind it; write `at U HEX`"),
        (
            "if fallen lan then rest;",
            "`fallen` is no condition; there are: gone, alive, at, empty, held, is, perhaps behind `not`",
        ),
        ("if gone nobody then rest;", "`nobody` is not known"),
        ("if gone then rest;", "`gone` needs a word behind it; write `gone U`"),
        (
            "if gone lan bet 1;",
            "`if gone lan bet 1`: `then` is missing behind the condition; write `if gone lancer then bet 1`",
        ),
        ("if gone lan move sc fr;", "write `if gone lancer then move scout front`"),
        ("if gone lan;", "`then` and an order are missing behind the condition; write `if gone lancer then ORDER`"),
        (
            "if gone lan then if gone sc then rest;",
            "`if gone lancer then if gone sc then rest`: `if` can't stand behind a condition; "
            "write `if gone lancer and gone sc then rest`",
        ),
        ("if gone lan then strict;", "`strict` can't stand behind a condition"),
        (
            "if gone lan then say hello;",
            "`say` can't stand behind a condition; "
            "write `say hello` by itself; behind `if gone lancer then` stands an order",
        ),
        ("if gone lan then standing flee all;", "`standing` can't stand behind a condition"),
        (
            "if gone lan then stop if gone sc;",
            "`stop` can't stand behind a condition; write `stop if gone lancer and gone sc`",
        ),
        ("stop;", "`stop` needs a condition; write `stop if TEST`"),
        ("stop gone lan;", "`stop` needs a condition"),
        (
            "stop if gone lan then rest;",
            "`stop if gone lan then rest`: `then` is too much; write `stop if gone lancer`",
        ),
        ("strict now;", "`strict now`: `strict` stands alone; write `strict`"),
        ("standing;", "no standing order"),
        ("standing rest;", "no standing order"),
        ("then rest;", "no order"),
        ("bet 9;", "no number to bet"),
        ("rest now;", "no order"),
    ],
)
def test_malformed_statements(text: str, words: str) -> None:
    found = error(text)
    assert isinstance(found, MalformedOrder)
    assert words in str(found)
    assert found.where == "line 1"


def test_an_ambiguous_id_lists_what_it_fits() -> None:
    found = error("hit levy;")
    assert isinstance(found, AmbiguousOrder)
    assert "levy-1 or levy-2" in str(found)


def test_all_errors_at_once_with_their_lines() -> None:
    parts, errors = read("bet 1;\nbet nine;\n\nhit nobody; stop;\nhit levy;\nrest;\nhit sc;\nsay bye;\n")
    assert [(type(e), e.where) for e in errors] == [
        (MalformedOrder, "line 2"),
        (MalformedOrder, "line 4"),
        (MalformedOrder, "line 4"),
        (AmbiguousOrder, "line 5"),
        (MalformedOrder, "line 7"),
    ]
    assert [number for number, _ in parts] == [1, 6, 8]


def test_nothing_but_talk_stands_behind_done() -> None:
    found = read("rest;\nbet 1;")[1]
    assert "behind the `rest` of line 1" in str(found[0])
    assert not read("rest;\nsay goodbye;")[1]
    assert not read("if gone lan then rest;\nbet 1;")[1]
    assert len(read("rest;\nstanding flee all;\nstrict;\nrest;")[1]) == 3


def test_a_signed_body_has_full_ids() -> None:
    full = [Statement("move", ("scout", "rear")), Statement("if", ("not", "gone", "lancer", "then", "rest"))]
    assert [statement_of(p) for _, p in read_canonical(toy, BOARD, "red", full)] == full
    cut = [full[0], Statement("if", ("not", "gone", "lan", "then", "rest"))]
    with pytest.raises(MalformedOrder) as refused:
        read_canonical(toy, BOARD, "red", cut)
    assert refused.value.where == "statement 2"
    assert "if not gone lancer then rest" in str(refused.value)


def test_a_signed_body_that_cannot_be_read_names_its_statement() -> None:
    with pytest.raises(MalformedOrder) as refused:
        read_canonical(toy, BOARD, "red", [Statement("rest", ()), Statement("dance", ())])
    assert refused.value.where == "statement 2"


def test_conditions_on_the_entry_have_no_meaning_in_a_react() -> None:
    assert "`strict`" in (why_not_in_react(Strict()) or "")
    assert "`stop`" in (why_not_in_react(part("stop if gone lan;")) or "")
    assert why_not_in_react(part("flee lan;")) is None
    assert why_not_in_react(part("standing flee all;")) is None


WORDS = ("if", "not", "and", "then", "stop", "gone", "at", "empty", "is", "sc", "rear", "lan", "rest", "strict", "say",
         "bet", "1", "hit", "in", "late:")  # fmt: skip
units, posts, sides = st.sampled_from(sorted(UNITS)), st.sampled_from(POSTS), st.sampled_from(SIDES)
tests = st.builds(
    Condition,
    st.booleans(),
    st.one_of(
        st.tuples(st.sampled_from(("gone", "alive")), units),
        st.tuples(st.just("at"), units, posts),
        st.tuples(st.just("empty"), posts),
        st.tuples(st.just("held"), posts, sides),
        st.tuples(st.just("is"), units, st.sampled_from(("ready", "shaken"))),
    ),
)
several = st.lists(tests, min_size=1, max_size=4).map(tuple)
orders = st.one_of(
    st.just(("rest",)),
    st.tuples(st.sampled_from(("bet", "pull")), st.sampled_from("123")),
    st.tuples(st.sampled_from(("hit", "flee", "stand")), units),
    st.lists(units, min_size=1, max_size=3).flatmap(lambda some: posts.map(lambda post: ("move", *some, post))),
)
words = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._/:+=,'!?-]{0,20}", fullmatch=True)
planned = st.one_of(
    st.builds(lambda w, t: Act(ToyOrder(w), w, t), orders, st.just(()) | several),
    st.builds(StopIf, several),
    st.just(Strict()),
)
parts = st.one_of(
    planned,
    st.builds(Plan, st.from_regex(r"[a-z][a-z0-9-]{0,20}", fullmatch=True).filter(lambda p: "-----" not in p), planned),
    st.builds(Standing, st.tuples(st.sampled_from(("flee", "stand")), units | st.just("all"))),
    st.builds(Say, st.lists(words, max_size=5).map(tuple)),
)


@given(parts)
def test_reading_is_the_inverse_of_writing(written: Part) -> None:
    statement = statement_of(written)
    assert part(f"{statement}\n") == written
    assert read_canonical(toy, BOARD, "red", [statement]) == [(1, written)]


@given(st.lists(st.sampled_from(WORDS)))
def test_any_words_are_a_part_or_an_order_error(some: list[str]) -> None:
    found, errors = read_parts(toy, BOARD, "red", [(7, Statement(some[0], tuple(some[1:])))] if some else [])
    assert len(found) + len(errors) == bool(some)
    for _, readable in found:
        again = read_parts(toy, BOARD, "red", [(7, statement_of(readable))])
        assert again == ([(7, readable)], [])
    for wrong in errors:
        assert wrong.where == "line 7"


# --- steps


def laid(text: str) -> list[str]:
    """An entry's statements in the order in which they are carried out."""
    parts, errors = read(text)
    assert not errors, errors[0]
    return [" ".join((s.keyword, *s.tokens)) for s in (statement_of(part) for _, part in in_steps(toy, parts))]


@pytest.mark.parametrize(
    ("given_text", "carried_out"),
    [
        ("bet 1; move scout rear; pull 1", "move scout rear; bet 1; pull 1"),
        ("bet 2; move scout rear; bet 1; move scout front", "move scout rear; move scout front; bet 2; bet 1"),
        ("bet 1; if alive scout then move scout rear; rest", "if alive scout then move scout rear; bet 1; rest"),
        ("bet 1; stop if gone scout; move scout rear", "bet 1; stop if gone scout; move scout rear"),
        (
            "bet 1; move scout rear; stop if gone scout; bet 2; move scout front",
            "move scout rear; bet 1; stop if gone scout; move scout front; bet 2",
        ),
        ("bet 1; if gone scout then rest; move scout rear", "bet 1; if gone scout then rest; move scout rear"),
        ("bet 1; strict; bet 2; move scout rear", "move scout rear; bet 1; strict; bet 2"),
        ("bet 1; strict; move scout rear; bet 2", "strict; move scout rear; bet 1; bet 2"),
        ("bet 1; move scout rear; strict", "move scout rear; bet 1; strict"),
        (
            "bet 1; standing flee all; move scout rear; standing stand scout; say hello; move scout front",
            "move scout rear; standing flee all; move scout front; standing stand scout; say hello; bet 1",
        ),
    ],
)
def test_orders_are_carried_out_by_steps(given_text: str, carried_out: str) -> None:
    assert laid(given_text.replace("; ", ";\n") + ";") == carried_out.split("; ")


def test_a_part_keeps_its_line_when_steps_move_it() -> None:
    parts, _ = read("bet 1;\nmove scout rear;")
    assert [number for number, _ in in_steps(toy, parts)] == [2, 1]
    assert [number for number, _ in parts] == [1, 2]  # what was given is as it was


def test_orders_of_one_step_stay_as_they_are() -> None:
    words = "bet 1; strict; pull 2; hit lancer; if gone scout then bet 3; stop if gone scout; bet 2; rest"
    assert laid(words.replace("; ", ";\n") + ";") == words.split("; ")
