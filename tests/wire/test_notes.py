"""Notes beside turns: written and found again, harmless whoever wrote them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.wire.blocks import scan_blocks
from pbem.wire.notes import LETTERS, LINES, Note, find_notes, render_note, tidy
from pbem.wire.repair import clean, cut_at_fences

FENCE = "-----BEGIN PBEM TURN-----"
WIDE = "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in FENCE)
HOSTILE = {
    "terminal escapes": "a\x1b[31mb\x1b]0;title\x07c\x9b2Jd",
    "bidi": "a\u202eb\u2066c\u061cd\u200f",
    "line ends": "a\u2028b\u2029c\x85d\ve\ff",
    "fence": f"a\n{FENCE}\npbem 1;",
    "fence, full width": f"a\n{WIDE}\n",
    "fence, with selectors": FENCE.replace("-", "-\ufe0f"),
    "fence, with hyphens of other kinds": FENCE.replace("-----", "\u2010\u2011\u2212\ufe63\uff0d"),
    "the edge of another note": "a\n== end of the note ==\n== ben's note to entry 9 (not signed) ==\nb",
    "half letters": "a\ud800b",
    "piled up": "a" + "\u0301" * 1000,
    "zeros": "a\0b",
}
LANGUAGES = ["Grüße, «ça va»?", "鳥羽街道を進む。参った！", "Иду на вы", "مرحبا", "ทุกคน", "한국어", "नमस्ते"]


@given(st.text())
@example("x" * 5000)
@example("x\n" * 200)
def test_what_is_tidy_stays_and_is_harmless(text: str) -> None:
    note = tidy(text)
    assert tidy(note) == note
    assert len(note) <= LETTERS
    assert note.count("\n") < LINES
    assert all(line.isprintable() for line in note.split("\n"))
    assert "---" not in clean(note)
    if note:
        assert list(find_notes(render_note(Note("ben", 7, note)))) == [Note("ben", 7, note)]


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_notes(kind: str) -> None:
    note = tidy(HOSTILE[kind])
    assert note
    assert all(line.isprintable() for line in note.split("\n"))
    assert not cut_at_fences(clean(note))
    assert not list(scan_blocks(render_note(Note("ben", 7, note))))
    assert [found[:2] for found in find_notes(render_note(Note("ben", 7, note)))] == [("ben", 7)]
    assert len(note) < 200


@pytest.mark.parametrize("text", LANGUAGES)
def test_letters_of_all_languages_stay(text: str) -> None:
    assert tidy(text) == text


def test_dashes_stay_as_they_were_typed() -> None:
    assert tidy("Wait \u2014 no\u2011one, 5\u22122 \u2014\u2014 hm -\u2013") == (
        "Wait \u2014 no\u2011one, 5\u22122 \u2014\u2014 hm -\u2013"
    )


@pytest.mark.parametrize("between", ["", "\u00ad", "\u200b", "\ufe0f", "\u034f"])
def test_of_a_run_of_dashes_two_stay(between: str) -> None:
    run = between.join("\u2014\u2014-\u2013\uff0d")
    assert tidy(f"a {run} b\u2014c") == "a \u2014\u2014 b\u2014c"


def test_a_note_is_found_where_mail_software_has_been() -> None:
    note = Note("asuka", 12, "One line.\n\n> not quoted by you\nAnother.")
    whole = render_note(note)
    assert list(find_notes(f"Hello,\r\n{whole}\n\nand more".replace("\n", "\r\n"))) == [note]
    quoted = "".join(f"> {line}\n" for line in whole.replace("'", "\u2019").split("\n"))
    assert [found.text for found in find_notes(quoted)] == ["One line.\n\nnot quoted by you\nAnother."]
    assert not list(find_notes(whole.rpartition("\n")[0]))  # cut off
    older = render_note(Note("ben", 11, "Before that."))
    assert list(find_notes(f"{whole}\n{older}", {("ben", 11)})) == [Note("ben", 11, "Before that.")]
