"""What destroys a turn: wherever it happens, the mail is refused and the place named; never is it another turn."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable

import pytest
from mail.clients import letter
from mail.signed import KEY, RENDERED, TURN, Verdict, judge

from pbem.crypto import sshsig

Count = Callable[[str, str], None]

LINES = TURN.payload.decode("ascii").splitlines(keepends=True)
SIGNED = len(LINES) - 1  # the last is `end`
HEAD, TAIL = RENDERED.split(TURN.payload.decode("ascii"))


def harmed(payload: str) -> Verdict:
    """The verdict on the block with these letters in place of the payload."""
    return judge((HEAD + payload + TAIL).encode("utf-8"))


def names(reason: str, statement: int) -> bool:
    """Whether one of the groups or statements that the reason names holds the statement (from 1)."""
    groups = re.findall(r"\b(\d+)-(\d+)\b", re.sub(r"'[^']*'", "", reason))
    if any(int(first) <= statement <= int(last) for first, last in groups):
        return True
    single = re.findall(r"statements? (\d+)(?![-\d])|(?:, |: )(\d+)(?=[,;]|$)", re.sub(r"'[^']*'", "", reason))
    return str(statement) in {number for pair in single for number in pair}


def statement_at(offset: int) -> int:
    return TURN.payload[:offset].count(b"\n") + 1


def same_words(payload: str, text: str) -> bool:
    """Whether two texts differ in nothing but white space and quote marks at the beginning of a line."""
    one, two = (" ".join(t.replace("\n>", " ").replace(";", " ; ").split()) for t in (payload, text))
    return one == two


LETTERS: dict[str, Callable[[str], str]] = {
    "changed": lambda c: "x" if c != "x" else "y",
    "lost": lambda _: "",
    "doubled": lambda c: c * 2,
    "other case": str.swapcase,
    "question mark": lambda _: "?",
    "replacement character": lambda _: "\ufffd",
    "mojibake": lambda c: c + "\u00e2\u20ac\u2122",
    "cyrillic o": lambda c: "\u043e" if c == "o" else c,
    "a blank more": lambda c: f"{c} ",
    "a line end more": lambda c: f"{c}\n> ",
    "a semicolon more": lambda c: f"{c};",
}


@pytest.mark.parametrize("harm", LETTERS)
def test_each_letter_harmed(harm: str, count: Count) -> None:
    """The sums of `end` can't say what is damaged, they or their statements: of `end` no place is asked for."""
    text = TURN.payload.decode("ascii")
    refused = 0
    for at, was in enumerate(text):
        payload = text[:at] + LETTERS[harm](was) + text[at + 1 :]
        if same_words(payload, text):
            verdict = harmed(payload)
            count("harm: a letter", verdict.outcome)
            assert verdict.outcome == "same"
            continue
        outcome, why = harmed(payload)
        count("harm: a letter", outcome)
        assert outcome == "refused"
        refused += 1
        places = {statement_at(at), statement_at(at + 3)}  # at the end of a statement it may be the next one
        assert max(places) > SIGNED or any(names(why, number) for number in places), (text[: at + 1], why)
    assert refused >= text.count("o")


LINES_HARMED: dict[str, Callable[[list[str], int], list[str]]] = {
    "lost": lambda lines, at: lines[:at] + lines[at + 1 :],
    "doubled": lambda lines, at: lines[: at + 1] + lines[at:],
    "two changed about": lambda lines, at: [*lines[:at], *lines[at : at + 2][::-1], *lines[at + 2 :]],
    "another put in": lambda lines, at: [*lines[:at], "fire u99 at v99;\n", *lines[at:]],
    "a virus notice put in": lambda lines, at: [*lines[:at], "[Checked: no virus]\n", *lines[at:]],
    "semicolon lost": lambda lines, at: [*lines[:at], lines[at].replace(";", ""), *lines[at + 1 :]],
    "a comment put in": lambda lines, at: [*lines[:at], "AB: why this?\n", *lines[at:]],
    "blanks lost": lambda lines, at: [*lines[:at], lines[at].replace(" ", ""), *lines[at + 1 :]],
}


@pytest.mark.parametrize("harm", LINES_HARMED)
def test_each_line_harmed(harm: str, count: Count) -> None:
    refused = 0
    for at in range(SIGNED):
        lines = LINES_HARMED[harm](LINES, at)
        if " ".join("".join(lines).split()) == TURN.payload.decode("ascii").replace("\n", " ").strip():
            continue
        outcome, why = harmed("".join(lines))
        count("harm: a line", outcome)
        assert outcome == "refused"
        refused += 1
        near = (at, at + 1, at + 2)  # numbered from 1; the neighbours where lines moved
        assert any(names(why, number) for number in near) or (at == SIGNED - 1 and "end" in why), (at, why)
    assert refused >= SIGNED - 1


def test_cut_off_anywhere(count: Count) -> None:
    """As a size limit or a lost connection leaves it, in each transfer encoding."""
    begin, end = RENDERED.index("pbem 1;"), RENDERED.index("-----END PBEM")
    for at in range(begin, len(RENDERED) - 2, 3):
        verdict = judge(letter(RENDERED[:at]))
        count("harm: cut off", verdict.outcome)
        assert verdict.outcome == "refused"
        if at <= end:
            assert f"cut off after {RENDERED[:at].count(';')} statements" in verdict.why
        assert "turn block at line 1" in verdict.why
    for coding in ("base64", "quoted-printable"):
        whole = letter(RENDERED, coding=coding)
        for at in range(whole.index(b"\n\n") + 60, len(whole) - 60, 41):
            verdict = judge(whole[:at])
            count("harm: cut off", verdict.outcome)
            assert verdict.outcome == "refused"
            assert "turn block at line 1" in verdict.why


def test_each_letter_of_the_signature_harmed(count: Count) -> None:
    before, fence, rest = RENDERED.partition("-----BEGIN SSH SIGNATURE-----\n")
    letters, end, _ = rest.partition("-----END SSH SIGNATURE-----\n")
    for at, was in enumerate(letters):
        for now in ("A" if was != "A" else "B", "", was * 2, "?"):
            if was == "\n" and now in ("", "\n\n"):
                continue
            text = before + fence + letters[:at] + now + letters[at + 1 :] + end
            verdict = judge(text.encode())
            count("harm: the signature", verdict.outcome)
            assert verdict.outcome == "refused", (at, now)
            assert "signature" in verdict.why


def _autocorrected(text: str) -> str:
    return text.replace("--", "\u2014")


def _redacted(text: str) -> str:
    return re.sub(r"[0-9a-f]{32,}", "[number removed]", text)


def _capitalised(text: str) -> str:
    return re.sub(r"(?m)^[a-z]", lambda match: match[0].upper(), text)


def _lost_coding(text: str) -> str:
    return letter(text, coding="quoted-printable").decode().partition("\n\n")[2].replace("=\n", "=\n=3D")


def _translated(text: str) -> str:
    return text.replace("move", "ziehe").replace("attack", "greife an").replace("from", "von")


MANGLED: dict[str, tuple[Callable[[str], str], str]] = {
    "two hyphens to a dash": (_autocorrected, "no turn is in this mail"),
    "long numbers taken out": (_redacted, "statement 3: the token '[number'"),
    "lines begin with capitals": (_capitalised, "statement 1: the keyword 'Pbem'"),
    "all small letters": (str.lower, "no turn is in this mail"),
    "quoted-printable left as it is": (_lost_coding, "damaged statements: 9-16"),
    "translated": (_translated, "damaged statements: 9-16"),
    "semicolons to Greek ones": (lambda t: t.replace(";\n", "\u00b7\n"), "no statement, only 'pbem"),
    "tags left in": (lambda t: t.replace("sg-07", "<b>sg-07</b>"), "statement 10: the token '<b>sg-07</b>' holds <"),
    "autolink": (lambda t: t.replace("1405", "<tel:1405>"), "statement 11: the token '<tel:1405>' holds <"),
    "emoji": (lambda t: t.replace("c:d", "c\U0001f600"), "U+1F600 (GRINNING FACE)"),
    "thin letters": (lambda t: t.replace("u9", "u\u0669"), "U+0669 (ARABIC-INDIC DIGIT NINE)"),
    "hidden text": (lambda t: t.replace("done;", "done; move sg-07 1204;"), "34 statements were signed, 35 arrived"),
    "a comment inside": (lambda t: t.replace("done;", "AB> why?\ndone;"), "statement 34: the keyword 'AB>' holds"),
    "Turkish small i": (lambda t: t.replace("fire", "f\u0131re"), "U+0131 (LATIN SMALL LETTER DOTLESS I)"),
    "columns side by side": (lambda t: "\n".join(f"{line}    {line}" for line in t.splitlines()), "another -----BEGIN"),
    "lines in reverse": (lambda t: "\n".join(t.splitlines()[::-1]), "turn block at line"),
    "the other turn's signature": (lambda t: t[: t.index("-----BEGIN SSH")] + OTHER, "doesn't fit the text"),
    "spaces between letters": (lambda t: " ".join(t), "no turn is in this mail"),
    "rot13": (lambda t: t.translate(ROT13), "no turn is in this mail"),
}
ROT13 = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "NOPQRSTUVWXYZABCDEFGHIJKLM")
OTHER = sshsig.sign(KEY, TURN.payload + b"x")


@pytest.mark.parametrize("name", MANGLED)
def test_mangled(name: str, count: Count) -> None:
    harm, why = MANGLED[name]
    verdict = judge(letter(harm(RENDERED)))
    count("harm: mangled by a program", verdict.outcome)
    assert verdict.outcome == "refused"
    assert why in verdict.why


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("utf-16-le", "us-ascii"),
        ("utf-16-be", "utf-8"),
        ("utf-16-le", "utf-16-be"),
        ("utf-8", "utf-16"),
        ("utf-8", "cp037"),
        ("cp037", "utf-8"),
        ("cp500", "iso-8859-1"),
        ("utf-32-le", "us-ascii"),
        ("utf-7", "utf-7"),
    ],
)
def test_charset_mangled(written: str, named: str, count: Count) -> None:
    body = base64.encodebytes(RENDERED.encode(written)).decode()
    head = f"From: axis@example.org\nContent-Type: text/plain; charset={named}\nContent-Transfer-Encoding: base64\n\n"
    verdict = judge((head + body).encode())
    count("harm: another character set", verdict.outcome)
    assert verdict.outcome == "refused"
    assert verdict.why.startswith("standard input")
    assert "no turn is in this mail" in verdict.why or "turn block at line" in verdict.why
