"""Mails of the usual programs, lists and gateways: each gives the same turn, or says why not."""

from __future__ import annotations

import base64
import re
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from letters import blocks_of
from mail import clients, library
from mail.clients import Written, letter, parts
from mail.signed import EARLIER, RENDERED, TURN, Verdict, judge

from pbem.mail.inbox import read_mails
from pbem.wire.blocks import render_block

Count = Callable[[str, str], None]
Family = Callable[[str], Iterable[Written]]

FAMILIES: tuple[Family, ...] = (
    clients.flowed_letters,
    clients.html_letters,
    clients.replies,
    clients.native_replies,
    clients.lists,
    clients.winmail,
    clients.rewrapped,
    library.texts,
    library.old_texts,
    library.attachments,
    library.forwards,
)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_the_same_turn(family: Family, count: Count) -> None:
    seen = 0
    failed = []
    for written in family(RENDERED):
        verdict = judge(written.raw)
        count(written.family, verdict.outcome)
        seen += 1
        if verdict != Verdict("same"):
            failed.append((written.name, verdict))
    assert not failed
    assert seen >= 2


@pytest.mark.parametrize("charset", ["utf-32", "x-unknown"])
def test_utf_32_with_a_byte_order_mark(charset: str, count: Count) -> None:
    raw = letter(RENDERED, charset="utf-32", coding="base64").replace(b"charset=utf-32", f"charset={charset}".encode())
    verdict = judge(raw)
    count("UTF-32 with a byte order mark", verdict.outcome)
    assert verdict == Verdict("same")


@pytest.mark.parametrize("written", list(library.retyped(RENDERED)), ids=lambda written: written.name)
def test_a_file_that_is_no_text_holds_no_turn(written: Written, count: Count) -> None:
    verdict = judge(written.raw)
    count(written.family, verdict.outcome)
    assert verdict.outcome == "refused"
    assert "no turn is in this mail" in verdict.why


def test_winmail_dat_alone_holds_no_turn(count: Count) -> None:
    kind = "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n"
    raw = parts("mixed", (kind, base64.encodebytes(clients.tnef(RENDERED))))
    verdict = judge(raw)
    count("winmail.dat", verdict.outcome)
    assert verdict == Verdict("refused", "standard input: no turn is in this mail")


@pytest.mark.parametrize("name", library.BOXES)
def test_mailboxes_of_the_library(name: str, tmp_path: Path, count: Count) -> None:
    path = dict(library.boxes(RENDERED, tmp_path))[name]
    letters = list(read_mails(str(path)))
    found = [blocks_of(letter) for letter in letters]
    count("mailboxes", "same" if [TURN] in found else "refused")
    if name in library.READ:
        assert sorted(found, key=len) == [[], [], [TURN]]
        place = found.index([TURN])
        assert place == 1 or name == "Maildir", "names of files tell the order but for parts of a second"
        assert "From here on we fight;" in letters[place].texts[0]
    else:
        assert found == [[TURN]]  # one text, whatever is in it


@pytest.mark.parametrize("escape", ["mboxo", "mboxrd"])
@pytest.mark.parametrize("width", range(8, 100, 4))
def test_from_at_the_beginning_of_a_line_is_escaped(width: int, escape: str, count: Count) -> None:
    """A statement says From; where it is wrapped there, the mailbox puts `>` before it."""
    text = "".join(textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False) + "\n"
                   for line in RENDERED.splitlines())  # fmt: skip
    pattern = rb"(?m)^From " if escape == "mboxo" else rb"(?m)^(?=>*From )"
    boxed = re.sub(pattern, b">From " if escape == "mboxo" else b">", letter(f">From us\n\n{text}").partition(b"\n")[2])
    verdict = judge(b"From axis@example.org Sat Nov 21 10:00:00 2026\n" + boxed + b"\n")
    count("From escaped in an mbox", verdict.outcome)
    assert verdict == Verdict("same")


def test_an_earlier_turn_quoted_below_counts_for_nothing(count: Count) -> None:
    earlier = render_block(EARLIER)
    for language, line in clients.ATTRIBUTIONS.items():
        for mark in clients.MARKS:
            for text in (f"{RENDERED}\n{line}\n{clients.quote(earlier, mark)}",
                         f"{line}\n{clients.quote(earlier, mark)}\n{RENDERED}"):  # fmt: skip
                verdict = judge(letter(text), known=[EARLIER])
                count("a new turn and a quoted one", verdict.outcome)
                assert verdict == Verdict("same"), (language, mark)
                verdict = judge(letter(text))
                count("two new turns in one mail", verdict.outcome)
                assert verdict.outcome == "refused"
                assert "2 different new turns are in this mail" in verdict.why


@pytest.mark.parametrize("mark", ["JG> ", ": ", "} ", "# ", "* ", "% ", "│ ", "» "])
def test_other_quote_marks_are_refused_by_name(mark: str, count: Count) -> None:
    verdict = judge(letter(clients.quote(RENDERED, mark)))
    count("quote marks of other programs", verdict.outcome)
    assert verdict.outcome == "refused"
    assert "statement" in verdict.why or "text" in verdict.why
    shown = mark.strip()
    assert shown in verdict.why or ascii(shown)[1:-1] in verdict.why
