"""The text of a list edited: the statements are those that are wanted, all else of the player's text stays."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from toy.players import Duel

from page.positions import by_bot, listed, of_game, sheet_of
from pbem.errors import Refused
from pbem.page.editing import added, moved, removed, replaced
from pbem.page.sheet import Sheet
from pbem.wire.orderfile import parse_statements
from pbem.wire.pieces import pieces
from pbem.wire.statements import STATEMENTS_MAX, Statement

TEXT = "# my plan\n\nmove a 1; # left\n  fire b,\n     at c;  say hi\n> done; # the end\n"
NEW = Statement("hold", ("d",))


def statements(text: str) -> list[Statement | None]:
    """What each statement of a text reads as by itself; None for one that can't be read."""
    found = [parse_statements(f";{piece.typed(text)};")[0] for piece in pieces(text)]
    return [one[0][1] if one else None for one in found]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (1, "# my plan\n\nhold d;\nmove a 1; # left\n  fire b,\n     at c;  say hi\n> done; # the end\n"),
        (2, "# my plan\n\nmove a 1; # left\n  hold d;\n  fire b,\n     at c;  say hi\n> done; # the end\n"),
        (3, "# my plan\n\nmove a 1; # left\n  fire b,\n     at c;  hold d; say hi\n> done; # the end\n"),
        (4, "# my plan\n\nmove a 1; # left\n  fire b,\n     at c;  say hi\n> hold d;\n> done; # the end\n"),
        (0, "# my plan\n\nmove a 1; # left\n  fire b,\n     at c;  say hi\n> done; # the end\nhold d;\n"),
    ],
)
def test_a_statement_is_put_before_another(before: int, text: str) -> None:
    found = added(TEXT, "hold d", before)
    assert (found.text, found.number) == (text, before or 5)
    assert statements(text)[found.number - 1] == NEW


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "# my plan\n\n # left\n  fire b,\n     at c;  say hi\n> done; # the end\n"),
        (2, "# my plan\n\nmove a 1; # left\n     say hi\n> done; # the end\n"),
        (3, "# my plan\n\nmove a 1; # left\n  fire b,\n     at c;  \n> done; # the end\n"),
        (4, "# my plan\n\nmove a 1; # left\n  fire b,\n     at c;  say hi\n>  # the end\n"),
    ],
)
def test_a_statement_is_taken_out_and_comments_stay(number: int, text: str) -> None:
    assert removed(TEXT, number).text == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "# my plan\n\nhold d; # left\n  fire b,\n     at c;  say hi\n> done; # the end\n"),
        (2, "# my plan\n\nmove a 1; # left\n  hold d;\n     say hi\n> done; # the end\n"),
        (4, "# my plan\n\nmove a 1; # left\n  fire b,\n     at c;  say hi\n> hold d; # the end\n"),
    ],
)
def test_a_statement_is_written_anew_where_it_stands(number: int, text: str) -> None:
    assert replaced(TEXT, number, "hold d").text == text


def test_a_line_is_moved_with_its_comment() -> None:
    assert moved("a 1; # one\nb 2; # two\nc 3\n", 3, 1).text == "c 3\na 1; # one\nb 2; # two\n"
    assert moved("a 1; # one\nb 2; # two\nc 3\n", 1, 0).text == "b 2; # two\nc 3\na 1; # one\n"
    assert moved("a 1; # one\nb 2", 2, 1).text == "b 2\na 1; # one\n"
    assert moved("a 1; b 2; # two\n", 2, 1).text == "b 2;\na 1;  # two\n"
    assert moved("a 1;\nb 2;\n", 1, 2).text == "a 1;\nb 2;\n", "it stands there"


def test_lines_end_as_they_do_in_the_text() -> None:
    assert added("a 1;\r\nb 2;\r\n", "c 3", 2).text == "a 1;\r\nc 3;\r\nb 2;\r\n"
    assert added("a 1", "c 3").text == "a 1\nc 3;\n"


ORDERS = [
    "move u1 0707",
    "fire u2 at u3",
    "done",
    "say hi, ben",
    "if gone u1 then move u2 0101",
    "x\xb2",
    "> a",
    "hold u1,",
]
ENDS = [
    "; ",
    ";\n",
    "\n",
    ";",
    "\r\n",
    " # note\n",
    "; # note; no order\n",
    "\n\n# c\n",
    ",\n   u4;",
    "\n> ",
    ";;\n",
    "\uff1b",
]
TEXTS = st.lists(st.tuples(st.sampled_from(ORDERS), st.sampled_from(ENDS)), min_size=1, max_size=6).map(
    lambda parts: "".join(map("".join, parts))
)


def kept(before: str, after: str) -> bool:
    """Whether no comment was lost."""
    return sorted(before.count(word) for word in ("# note", "# c")) == sorted(
        after.count(word) for word in ("# note", "# c")
    )


@given(TEXTS, st.integers(0, 6), st.integers(0, 7))
@settings(max_examples=400, deadline=None)
@example("fire u1,\n   u2; fire u1,\n   u2\n", 0, 2)
def test_any_text_has_the_statements_that_are_wanted(text: str, at: int, to: int) -> None:
    before = statements(text)
    number, to = 1 + at % len(before), to % (len(before) + 1)
    place = to - 1 if to else len(before)
    put, gone, anew = added(text, "hold d", to), removed(text, number), replaced(text, number, "hold d")
    assert statements(put.text) == [*before[:place], NEW, *before[place:]]
    assert put.number == place + 1
    assert statements(gone.text) == before[: number - 1] + before[number:]
    assert statements(anew.text) == [*before[: number - 1], NEW, *before[number:]]
    rest = before[: number - 1] + before[number:]
    other = moved(text, number, to)
    new = place if place < number else place - 1
    assert statements(other.text) == [*rest[:new], before[number - 1], *rest[new:]]
    assert other.number == new + 1
    assert all(kept(text, found.text) for found in (put, gone, anew, other))


@given(TEXTS, st.integers(0, 6))
@settings(max_examples=200, deadline=None)
def test_what_is_put_in_can_be_taken_out_again(text: str, to: int) -> None:
    put = added(text, "hold d", to)
    assert statements(removed(put.text, put.number).text) == statements(text)


def test_the_order_of_a_bot_can_be_turned_round() -> None:
    """In a real list, with comments: the statements are turned round, their comments with them."""
    for system, name in (("yukimura", "connected-osaka"), ("gcacw", "union-marginal"), ("samurai", "drawn")):
        table = of_game(system, name)[0]
        text = "# mine\n" + listed(by_bot(table)).replace(";\n", "; # why\n")
        before = statements(text)
        for number in range(2, len(before) + 1):
            text = moved(text, number, 1).text
        assert statements(text) == before[::-1]
        assert (text.count("# why"), text.startswith("# mine\n")) == (len(before), True)


# --- at the right place -----------------------------------------------------------------------------------------------


@pytest.fixture
def sheet(duel: object) -> Sheet:
    """The first player's of a duel before anybody has ordered anything."""
    game: Duel = duel()  # type: ignore[operator]
    return Sheet(game.view("anna"), "anna")


@pytest.mark.parametrize(
    ("text", "words", "after"),
    [
        ("bet 1;\n", "pull 1", "bet 1;\npull 1;\n"),
        ("bet 1;\nrest;\n", "pull 1", "bet 1;\npull 1;\nrest;\n"),
        ("bet 1;\nif gone la then rest;\n", "pull 1", "bet 1;\nif gone la then rest;\npull 1;\n"),
        ("rest;\nsay hi;\n", "pull 1;", "pull 1;\nrest;\nsay hi;\n"),
        ("rest;\n", "standing flee all", "standing flee all;\nrest;\n"),
        ("rest;\nin late: rest;\n", "in late: bet 1", "rest;\nin late: bet 1;\nin late: rest;\n"),
        ("rest;\n", "in late: bet 1", "rest;\nin late: bet 1;\n"),
    ],
)
def test_a_new_order_stands_before_the_one_that_closes(sheet: Sheet, text: str, words: str, after: str) -> None:
    assert sheet.edited(text, "add", words).text == after


@pytest.mark.parametrize(
    ("do", "words", "number"),
    [("add", "bet 1; rest", 0), ("add", "bet 1\nrest", 0), ("add", "", 0), ("add", "bet 1 # x", 0), ("remove", "", 2),
     ("remove", "", 0), ("replace", "bet 1;;rest", 1), ("move", "", 5), ("shuffle", "", 1)],
)  # fmt: skip
def test_what_is_no_edit_is_refused(sheet: Sheet, do: str, words: str, number: int) -> None:
    with pytest.raises(Refused):
        sheet.edited("bet 1;\n", do, words, number)
    assert sheet.edited("bet 1;\n", "remove", number=1).text == ""


def test_a_list_as_long_as_a_turn_takes_no_more_orders(sheet: Sheet) -> None:
    full = "say a;\n" * STATEMENTS_MAX
    for do, number in (("add", 0), ("replace", 2)):
        if do == "add":
            with pytest.raises(Refused, match="more orders than are read"):
                sheet.edited(full, do, "say b", number)
        else:
            assert sheet.edited(full, do, "say b", number).number == number
    assert sheet.edited(full.removesuffix("say a;\n"), "add", "say b").number == STATEMENTS_MAX


def test_a_way_becomes_short_when_it_is_put_in() -> None:
    table = of_game("yukimura", "connected-osaka")[0]
    sheet = sheet_of(table)
    unit, words = next(
        (unit, choice.words)
        for unit in sorted(sheet.naming.own)
        for choice in sheet.choices("", unit=unit, patience=lambda: False).choices
        if len(choice.way) > 2
    )
    text = sheet.edited("", "add", words).text
    assert " to " in text
    assert sheet.listing(text).items[0].words == words
    assert unit in text


def test_small_forms_have_what_the_rules_have(sheet: Sheet) -> None:
    found = sheet.shapes()
    assert ("at", "at U PLACE", ("U", "PLACE")) in found.tests
    assert [shape.word for shape in found.standing] == ["flee", "stand"]
    assert "bet N" in found.orders
    assert found.closing == "rest"
    assert found.phases == ()


def test_later_phases_can_be_planned_for() -> None:
    table = of_game("bakumatsu", "shogunate-holds")[0]
    names = dict(sheet_of(table).shapes().phases)
    assert names.keys() <= {"fire", "melee", "move", "combat"}
