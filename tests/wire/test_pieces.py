"""Where statements stand in an order file: as many as are read, each with the words that are read of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.wire.orderfile import parse_statements
from pbem.wire.pieces import pieces
from pbem.wire.statements import STATEMENTS_MAX

LETTERS = "ab1 ;,#\n\r>\t\u3000\uff1b\u3001\u2463\u2026'\"-."


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("move u1 0707; done # then\n", ["move u1 0707", "done"]),
        ("# move u1 0707;\n\n done", ["done"]),
        ("move u1,\n   0707; done", ["move u1, 0707", "done"]),
        ("> > move u1,\n> >    0707;", ["move u1, 0707"]),
        ("move, # the left wing\r\n    u1, 0707; # here\r\n", ["move, u1, 0707"]),
        ("move u1,\n0707", ["move u1,", "0707"]),  # no line that is indented: two statements, as they are read
        ("move\u3000u1\uff1bsay x\u2026", ["move\u3000u1", "say x\u2026"]),
        (";;\n; ;", []),
    ],
)
def test_the_words_of_each_statement(text: str, typed: list[str]) -> None:
    assert [piece.typed(text) for piece in pieces(text)] == typed


def test_lines_and_ends() -> None:
    text = "move u1; fire u1,\n   at u2; done\n"
    assert [(piece.line, piece.first, piece.last) for piece in pieces(text)] == [(1, 1, 1), (1, 1, 2), (1, 2, 2)]
    assert [text[piece.spans[0][0] : piece.stop] for piece in pieces(text)] == [
        "move u1;",
        "fire u1,\n   at u2;",
        "done",
    ]


@given(st.text(LETTERS, max_size=40))
@settings(max_examples=400, deadline=None)
def test_they_are_those_that_are_read(text: str) -> None:
    """Each at the line that errors name; alone in a line it reads as it does there, unless its rest was cut off."""
    found, wrong = parse_statements(text)
    lines = sorted([line for line, _ in found] + [int(error.where.split()[1]) for error in wrong])
    cut = pieces(text)
    assert [piece.line for piece in cut] == lines
    alone = [read for piece in cut for _, read in parse_statements(f";{piece.typed(text)};".replace("\r", " "))[0]]
    cut_off = sum("ends with a comma" in error.what for error in wrong)
    assert len(alone) <= len(found) + cut_off
    assert [read for _, read in found if read not in alone] == []


def test_reading_ends_where_a_turn_is_full() -> None:
    assert len(pieces("done\n" * STATEMENTS_MAX)) == STATEMENTS_MAX
    assert len(pieces("done\n" * (STATEMENTS_MAX + 1))) == STATEMENTS_MAX
