"""Order files as people write them: encodings, letters, line ends, names; each with its refused twin."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.errors import Damaged
from pbem.wire.orderfile import as_typed, decoded, lines_of, parse_statements
from pbem.wire.repair import clean
from pbem.wire.statements import Statement

MOVE = Statement("move", ("u1", "0707"))
NOTES = "what is signed is ASCII; `pbem send --note FILE` sends a note in any language"
TALK = "the words of a `say` have letters, digits and . _ / : + = , ' ! ? - alone; each begins with a letter or digit"
LATIN = "names in orders have Latin letters, or are ids: `pbem brief SCENARIO` lists both"
ALPHABET = "abcxyz019-._/:+=,'!?"


def read(text: str) -> list[str]:
    found, wrong = parse_statements(text)
    assert not wrong, wrong[0]
    return [str(statement) for _, statement in found]


def refused(text: str) -> list[str]:
    found, wrong = parse_statements(text)
    assert not found
    return [str(problem) for problem in wrong]


def test_an_order_file() -> None:
    text = "# the left wing\n\nmove u1 0707;  fire u1 at u2; # and then\n\tsay don\u2019t\u00a0wait;\r\ndone;"
    found, wrong = parse_statements(text)
    assert found == [
        (3, MOVE),
        (3, Statement("fire", ("u1", "at", "u2"))),
        (4, Statement("say", ("don't", "wait"))),
        (5, Statement("done", ())),
    ]
    assert wrong == []
    assert str(MOVE) == "move u1 0707;"


@pytest.mark.parametrize(
    "text",
    [
        "move u1 0707;",
        "move u1 0707",  # its line ends it
        "move u1 0707   # here\n\n",
        "  MOVE U1 0707 ;",
        "Move u1, 0707;",
        "move\u3000u1\u30000707\uff1b",
        "\uff4d\uff4f\uff56\uff45 \uff35\uff11 \uff10\uff17\uff10\uff17",
        "move u1\u30010707",
        "move u1\uff0c0707\uff1b\uff03 \u53f3\u7ffc",
        'move "u1" 0707',
        "move \u300cu1\u300d 0707",
        "\ufeffmove u1 0707\r\n",
        "move u1 0707\rsay Hello, Ben",
        "move 'u1' 0707",
        "move \u2018u1\u2019 0707.",
        "move \xabu1\xbb 0707\u3002",
        "> move u1 0707",
        ">> > MOVE u1 0707;",
        "\uff1emove u1 0707",
        "> > move u1,\n> >    0707;",  # goes on behind a comma
        "> move u1 0707,\n> done,\n> say yes",  # who ends his lines so
        "  move u1 0707,\n  done",
        "move\u3001 # the left wing\r\n    u1, 0707; # here\r\n",
    ],
)
def test_every_way_of_writing_one_order(text: str) -> None:
    assert read(text)[0] == "move u1 0707;"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("move \uff53\uff47\u30fc\uff10\uff12 0707", "move sg-02 0707;"),
        ("move sg\u221202 0707", "move sg-02 0707;"),
        ("move sg\uff0d02 0707", "move sg-02 0707;"),
        ('move "5th Infantry" to 0707', "move 5th_infantry to 0707;"),
        ("move \u201c5th  Infantry, I Battalion\u201d to 0707", "move 5th_infantry_i_battalion to 0707;"),
        ('fire u1 at "No. 5 (east)" with u2,u3', "fire u1 at no._5_east with u2 u3;"),
        ("to Magistrate\u2019s", "to magistrate's;"),
        ("SAY See You, Ben!", "say See You, Ben!;"),
        ("Say\u3000\uff28\uff45\uff4c\uff4c\uff4f", "say Hello;"),
        ("say Wait.", "say Wait.;"),
        ("fire u1 at 'No. 5 East' with Goto's.", "fire u1 at no._5_east with goto's;"),
        ('move "No. 5" left 3", 4.5" ; # " ', "move no._5 left 3 4.5;"),
        ("move u1 3\u201d", "move u1 3;"),
        ("move u1 3\u2033", "move u1 3;"),
        ("move u1 \uff14\U0001d7d0", "move u1 42;"),
        ("fire u1 at u2 with u3,\n  u4, u5,\n  u6 or fewer", "fire u1 at u2 with u3 u4 u5 u6 or fewer;"),
    ],
)
def test_other_ways_of_writing(text: str, right: str) -> None:
    assert read(text) == [right]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            'move "5th Infantry to 0707;',
            'line 1: a quotation mark (") has no partner; write a name as in "5th Infantry"',
        ),
        (
            'move u1"',
            'line 1: a quotation mark (") has no partner; write a name as in "5th Infantry"',
        ),
        ('move u1 to "";', "line 1: a token is empty"),
        ('"" u1;', "line 1: it is empty"),
        ("fire u1 at (u2)", "line 1: the token '(u2)' holds ("),
        ("move u1 4\xb2;", "line 1: the token '4\xb2' holds U+00B2 (SUPERSCRIPT TWO)"),
        ("move u1 4\xbd;", "line 1: the token '4\xbd' holds U+00BD (VULGAR FRACTION ONE HALF)"),
        ("move u1 \u2463", "line 1: the token '\u2463' holds U+2463 (CIRCLED DIGIT FOUR)"),
        ("move u1 -3", "line 1: `-3` has a sign; write `3`: the words of an order say which way"),
        ("move u1 left +3.5;", "line 1: `+3.5` has a sign; write `3.5`: the words of an order say which way"),
        ("move u1 .5", "line 1: `.5` begins with a point; write `0.5`"),
        ("move u1 -.5", "line 1: `-.5` has a sign; write `0.5`: the words of an order say which way"),
        ("move u1 -x", "line 1: the token '-x' doesn't begin with a letter or digit"),
        ("say -3", f"line 1: the token '-3' doesn't begin with a letter or digit; {TALK}"),
        ("say 10% off", f"line 1: the token '10%' holds %; {TALK}"),
        (f"say {'a' * 81}", f"line 1: the token '{'a' * 36}... has 81 letters, 80 at most"),
        ("seq 5", "line 1: 'seq' belongs to the envelope; leave it out; the program writes it"),
        ("END 5", "line 1: 'end' belongs to the envelope; leave it out; the program writes it"),
        ("m\u043eve u1", "line 1: the keyword 'm\u043eve' holds U+043E (CYRILLIC SMALL LETTER O)"),
        (
            "move \u65b0\u9078\u7d44",
            f"line 1: `\u65b0\u9078\u7d44` is written in Japanese letters; {LATIN}",
        ),
        (
            "say gr\xfc\xdfe",
            "line 1: the token 'gr\xfc\xdfe' holds U+00FC (LATIN SMALL LETTER U WITH DIAERESIS); " + NOTES,
        ),
        ("move u1 to \u6851\u540d", f"line 1: `\u6851\u540d` is written in Japanese letters; {LATIN}"),
        ("move sg\u043001", "line 1: the token 'sg\u043001' holds U+0430 (CYRILLIC SMALL LETTER A)"),
        ("say \u6851\u540d", f"line 1: the token '\u6851\u540d' holds U+6851 (CJK UNIFIED IDEOGRAPH-6851); {NOTES}"),
        ('say "hi"', f'line 1: the token \'"hi"\' holds "; {TALK}'),
        ("a > b", "line 1: the token '>' holds >"),
        (",;", "line 1: it is empty"),
        *(
            (
                f"fire u1 at u2 with u3,{behind}",
                "line 1: the order ends with a comma, but no line follows with the rest; "
                "take the # away before its next line as well, or the comma",
            )
            for behind in ("", " # two", "\n#     u4;", "\n\n# here")
        ),
    ],
)
def test_what_is_no_statement_is_refused(text: str, why: str) -> None:
    assert refused(text) == [why]


def test_lines_that_an_order_goes_on_in_are_counted_and_talk_ends_with_its_line() -> None:
    found, wrong = parse_statements("say Wait,\nmove a,\n  b,\n c; move d,\n e\n\nmove (,\n f")
    assert [(line, str(statement)) for line, statement in found] == [
        (1, "say Wait,;"), (2, "move a b c;"), (2, "move d e;"),
    ]  # fmt: skip
    assert [str(problem) for problem in wrong] == ["line 7: the token '(' holds ("]


def test_every_mistake_is_told() -> None:
    found, wrong = parse_statements("move u1 0707\nfire u1 at (u2);\nseq 5;\ngood u1;\n;\ndone # here")
    assert found == [(1, MOVE), (4, Statement("good", ("u1",))), (6, Statement("done", ()))]
    assert [problem.where for problem in wrong] == ["line 2", "line 3"]


@settings(max_examples=150)
@given(st.text() | st.text(ALPHABET + ' ;\n#"'))
@example('say "x"\n"a b" c')
def test_any_order_file_gives_statements_that_can_be_signed(text: str) -> None:
    found, wrong = parse_statements(text)
    for line, statement in found:
        assert 1 <= line <= clean(text).count("\n") + 1
        assert parse_statements(str(statement)) == ([(1, statement)], [])
    assert all(problem.where.startswith("line ") for problem in wrong)


@pytest.mark.parametrize(
    ("typed", "said", "right"),
    [
        ("MOVE Mizuno to kokubu", "`move mizuno to kokubu`: no", "`MOVE Mizuno to kokubu`: no"),
        ("move \"Mizuno Mounted 1\" to 'Nara road';", "`move mizuno_mounted_1 to nara_road`: no", ""),
        ("move u_1 0707", "`move u_1 0707`", "`move u_1 0707`"),
        ("move 2 to 1323 Done", "'1323_done' isn't a hex, it can't be", "'1323 Done' isn't a hex, it can't be"),
        ("move u1 0707", "`move u2 0707`", "`move u2 0707`"),  # the program's own words stay
        ("done; Place 羽柴秀吉 hb-04 to Himeji", "`place hb-01 hb-04 to himeji`", "`Place 羽柴秀吉 hb-04 to Himeji`"),
        ("place 羽柴秀吉 hb-04", "`place hb-01 hb-05`", "`place hb-01 hb-05`"),
        ("place 羽柴秀吉", "`hb-01`", "`hb-01`"),
    ],
)
def test_words_of_a_line_are_repeated_as_they_stand_there(typed: str, said: str, right: str) -> None:
    right = right or "`move \"Mizuno Mounted 1\" to 'Nara road'`: no"
    assert as_typed(said, lines_of(f"# here\n{typed}\n"), 2) == right


# Encodings.


PLAIN = "move u1 0707;\r\ndone;\r\n"
JAPANESE = "# \u53f3\u7ffc\r\nmove \uff55\uff11\u3000\uff10\uff17\uff10\uff17\uff1b\r\n# \u5fa1\r\ndone\r\n"
WESTERN = "# caf\xe9, na\xefve \u2013 M\xfcller\u2019s\r\nmove \u201cu1\u201d 0707;\r\ndone;\r\n"
LONG = "# " + "\u53f3\u7ffc" * 300 + "\n" + PLAIN
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "bom utf-16-be")


def encoded(text: str, encoding: str) -> bytes:
    if encoding == "bom utf-16-be":
        return b"\xfe\xff" + text.encode("utf-16-be")
    return text.encode(encoding)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((text, encoding) for text in (PLAIN, JAPANESE, WESTERN) for encoding in ENCODINGS),
        (PLAIN, "cp932"),
        (PLAIN, "cp1252"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (WESTERN, "cp1252"),
        *((LONG, encoding) for encoding in (*ENCODINGS, "cp932")),
    ],
)
def test_a_file_is_read_in_every_encoding_that_editors_write(text: str, encoding: str) -> None:
    """Those in UTF-16 without byte order mark too."""
    found = decoded(encoded(text, encoding))
    assert found == text
    assert read(found) == ["move u1 0707;", "done;"]


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "iso2022_jp", "utf-8"])
def test_full_width_orders_are_read_in_japanese_encodings(encoding: str) -> None:
    text = "\uff4d\uff4f\uff56\uff45\u3000\uff55\uff11\u3000\uff10\uff17\uff10\uff17\uff1b\ndone\n"
    assert read(decoded(text.encode(encoding))) == ["move u1 0707;", "done;"]


@pytest.mark.parametrize("encoding", ["cp932", "utf-8", "cp1252", "utf-8-sig"])
def test_a_sign_of_dos_at_the_end_is_no_part_of_the_text(encoding: str) -> None:
    assert decoded("done;\r\n\x1a".encode(encoding)) == "done;\r\n"
    assert parse_statements(decoded(b"do\x1ane;"))[1], "elsewhere it is wrong"


def test_empty_statements_are_none() -> None:
    assert read(";; move u1 0707;;\n;\ndone;;") == ["move u1 0707;", "done;"]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"done;\n\0", 1),
        (b"done;\n\0\0\0\0", 1),
        (b"\xff\xfed\0o\0\n\0\0\0", 2),  # a letter of zero
        (b"\xff\xfed\0o\0\n\0e", 2),  # half a letter
        (b"\xfe\xff\xd8\x00\x00\x0a", 1),  # half a pair
        (b"done;\n\x81\n", 2),  # neither cp932 nor cp1252
        (b"\xef\xbb\xbfdone;\n\xff", 2),  # UTF-8 by its mark
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 1),
    ],
)
def test_what_is_no_text_is_refused_with_its_line(data: bytes, line: int) -> None:
    with pytest.raises(Damaged) as caught:
        decoded(data)
    assert str(caught.value) == f"line {line}: it isn't text; orders are plain text: save them as UTF-8"


def test_a_stray_byte_of_zero_is_called_one() -> None:
    """Before, the file was read as UTF-16, and the keyword was a Chinese letter."""
    with pytest.raises(Damaged) as caught:
        decoded(b"move sg-13 to 0622;\nrest\0;\ndone;\n")
    assert str(caught.value).startswith("line 2: it isn't text: a byte of zero (NUL) stands in it; ")
    assert decoded("say \u53f3\u53f3\u53f3\u53f3\u53f3\u53f3\u53f3\u53f3 a;\n".encode("utf-16-be")).endswith("a;\n")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"PK\x03\x04\x14\0word/document.xml", "a zip archive, as backups and documents of word processors are"),
        (b"{\\rtf1\\ansi\n\\f0 done\\\n}", "a text with formats (RTF), as word processors write it"),
        (b"%PDF-1.7\n%\xe2\xe3\n", "a PDF"),
    ],
)
def test_what_is_another_format_is_called_so(data: bytes, what: str) -> None:
    with pytest.raises(Damaged) as caught:
        decoded(data)
    assert str(caught.value) == f"it is {what}, no plain text; orders are plain text: save them as UTF-8"


UTF_16 = st.text("move u1\n\xe9\u53f3\0", max_size=20).map(lambda text: text.encode("utf-16-le"))


@given(st.binary(max_size=40) | UTF_16)
def test_any_bytes_are_text_or_damaged(data: bytes) -> None:
    with suppress(Damaged):
        assert isinstance(decoded(data), str)


def test_letters_are_echoed_as_typed_and_what_is_hostile_is_escaped() -> None:
    _, (error,) = parse_statements("move \u65b0\u9078\u7d44 0707")
    assert "`\u65b0\u9078\u7d44` is written in Japanese" in error.what
    _, (error,) = parse_statements("move \u202eu1\x1b[2J 0707")
    assert "\u202e" not in error.what
    assert "\x1b" not in error.what
    assert "u1\\x1b[2j" in error.what
