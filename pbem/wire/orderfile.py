"""An order file as people write it: read in the encodings of their editors, and cut into statements."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from pbem.errors import Damaged, MalformedOrder, OrderError
from pbem.wire.repair import clean
from pbem.wire.statements import ENVELOPE_WORDS, STATEMENTS_MAX, Statement, why_not

__all__ = ["as_typed", "decoded", "lines_of", "parse_statements", "plain", "talk_cut", "typed_lines", "whole_orders"]

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
"""Byte order mark -> the encoding behind it."""

_SAVE = "orders are plain text: save them as UTF-8"

ARCHIVE = b"PK\x03\x04"
"""How a zip archive begins."""

FORMATS = {
    ARCHIVE: "a zip archive, as backups and documents of word processors are",
    b"{\\rtf": "a text with formats (RTF), as word processors write it",
    b"%PDF-": "a PDF",
}
"""How a file begins that players may take for a text -> what it is."""

ASCII_LETTERS = 8
"""So many at least stand in orders that are long in letters of other scripts; in UTF-16 each has a byte of zero."""

_CONTROL = re.compile("[\0-\x08\x0e-\x1f]")
CTRL_Z = "\x1a"
"""With which DOS and its editors end a file."""

_HALF_KATAKANA = re.compile("[\uff61-\uff9f]")
_JAPANESE = re.compile("[\u3040-\u30ff\uff01-\uff5e]")  # kana, full-width letters
_NAME_IN_JAPANESE = "[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"  # kana, kanji, their signs
_PRIVATE = "[\ue000-\uf8ff]"  # what cp932 makes of bytes that stand for no letter

_TYPED = {ord(letter): "-" for letter in "\u30fc\uff70\u2015\u2500"}  # what is typed for a hyphen between full-width
_TYPED |= dict.fromkeys(map(ord, "\u3001\uff64"), ",") | dict.fromkeys(map(ord, "\u3002\uff61"), ".")
_TYPED |= dict.fromkeys(map(ord, "\u300c\u300d\u300e\u300f\xab\xbb\u2033"), '"')
"""Letters that `clean` leaves as they are and that stand for one of the order language."""

_DIGITS = frozenset({"<wide>", "<narrow>", "<font>"})
"""How letters are made that are digits in another shape, and nothing else."""

_QUOTED = re.compile(r"\A(?:[ \t]*>)+ ?")  # as mail programs mark what they quote

CUT_OFF = (
    "the order ends with a comma, but no line follows with the rest",
    "take the # away before its next line as well, or the comma",
)
"""What is said of an order whose next line isn't there, and what would be right."""

TALK = "the words of a `say` have letters, digits and . _ / : + = , ' ! ? - alone; each begins with a letter or digit"
"""What would be right for a word of talk with other signs."""

LATIN = "names in orders have Latin letters, or are ids: `pbem brief SCENARIO` lists both"
"""What would be right for a name in Japanese letters."""

MANY = 4
"""So many lines that seem to be the rest of comments are told together."""

_PIECE = re.compile(r"""(?<![^\s,])'([^'"]+)'(?![^\s,])|"([^"]*)"|(?<![^\s,])([0-9.]+)"(?![^\s,])|[^\s",]+|\"""")
_NUMBER = re.compile(r"([+-]?)(\.?)([0-9][0-9.]*)")
_IN_NAME = re.compile(r"[^A-Za-z0-9._/:+='!?-]+")


def decoded(data: bytes) -> str:
    """The text of an order file. Raises Damaged with the line where it isn't text.

    By its byte order mark UTF-8 or UTF-16; without one UTF-16 if its bytes of zero are an eighth of all, or stand in
    every second place alone, ISO-2022-JP by its escapes, else the first that fits of UTF-8, EUC-JP (where cp932 would
    read half-width katakana), cp932 (Windows and editors in Japan) and cp1252 (Windows in the West). A Ctrl-Z at its
    end, as DOS wrote it, is none of it.
    """
    for beginning, what in FORMATS.items():
        if data.startswith(beginning):
            raise Damaged(f"it is {what}, no plain text", "", _SAVE)
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _read(data[len(mark) :], encoding)
    even, odd = data[::2].count(0), data[1::2].count(0)
    if (even + odd) * 8 >= max(1, len(data)) or (not min(even, odd) and max(even, odd) >= ASCII_LETTERS):
        return _read(data, "utf-16-le" if odd > even else "utf-16-be")
    if b"\0" in data:
        what = "it isn't text: a byte of zero (NUL) stands in it"
        raise Damaged(what, f"line {data.partition(bytes(1))[0].count(10) + 1}", _SAVE)
    if b"\x1b$" in data:
        return _read(data, "iso2022_jp")
    for encoding in ("utf-8", "cp932"):
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding).rstrip(CTRL_Z)
            if encoding == "cp932" and _HALF_KATAKANA.search(text):
                with suppress(UnicodeDecodeError):
                    return data.decode("euc_jp").rstrip(CTRL_Z)
            if encoding == "utf-8" or not re.search(_PRIVATE, text):
                return text
    with suppress(UnicodeDecodeError):
        text = data.decode("euc_jp").rstrip(CTRL_Z)
        if _JAPANESE.search(text):
            return text
    return _read(data, "cp1252")


def _read(data: bytes, encoding: str) -> str:
    """The text of bytes in an encoding. Raises Damaged where they are none, or where it holds control characters."""
    try:
        text = data.decode(encoding).rstrip(CTRL_Z)
        control = _CONTROL.search(text)
        before = text[: control.start()] if control else None
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "replace")
    if before is not None:
        raise Damaged("it isn't text", f"line {before.count(chr(10)) + 1}", _SAVE)
    return text


def parse_statements(
    text: str, in_japan: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[list[tuple[int, Statement]], list[MalformedOrder]]:
    """Read an order file: the statements with their line (from 1), and everything that is wrong with the rest.

    Blank lines, empty statements, `#` comments and several statements a line are fine; each ends with `;` or with its
    line, but behind a comma at its end it goes on in the next one, if that is indented. Letters may be large or small,
    words parted by commas, and a name of several words stands between quotation marks: it becomes one word, `"5th
    Infantry"` is `5th_infantry`. A name as it is written in Japan is read as the only id or number that `in_japan` has
    for it, each with its name. Only what is said stays as it is. Typography of editors (full-width letters, curly
    quotes, long dashes, hard blanks) is undone as in a mail (protocol 2.4, 3), and so are quote marks `>` before a
    line and a full stop behind an order; but numbers above the line, in circles and in fractions stay, and are wrong.
    Reading ends at the line with the 5,001st statement, good and bad ones counted together: a turn holds no more.
    """
    found: list[tuple[int, Statement]] = []
    wrong: list[MalformedOrder] = []
    names = {"".join(plain(name).split()): ids for name, ids in (in_japan or {}).items()}
    lines = lines_of(text)
    for number, line in enumerate(lines, 1):
        *pieces, rest = line.partition("#")[0].split(";")
        pieces = [piece for piece in (*pieces, rest) if piece.strip()]
        if len(found) + len(wrong) + len(pieces) > STATEMENTS_MAX:
            hint = f"a turn holds {STATEMENTS_MAX} at most, the program's own among them"
            wrong.append(MalformedOrder("too many statements; from here on nothing is read", f"line {number}", hint))
            break
        for piece in pieces:
            words = _in_latin(_words(piece), names)
            cut_off = piece is rest and _goes_on(rest) and _ends(lines, number)
            reason, hint = CUT_OFF if cut_off else _problem(words, names)
            if reason:
                wrong.append(MalformedOrder(reason, f"line {number}", hint))
            else:
                found.append((number, Statement(words[0], tuple(words[1:]))))
    return found, wrong


def lines_of(text: str) -> list[str]:
    """The lines without the marks of a quotation; what goes on in the next ones stands in its first line alone."""
    lines = [line[start:] for start, line in typed_lines(plain(text))]
    codes = _codes(lines)
    for at, end in whole_orders(lines):
        if end > at:
            lines[at : end + 1] = [" ".join([*codes[at:end], lines[end]]), *[""] * (end - at)]
    return lines


def typed_lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text in `plain` letters, each with where it begins behind the marks of a quotation."""
    return [(match.end() if (match := _QUOTED.match(line)) else 0, line) for line in text.split("\n")]


def whole_orders(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines, without the marks of a quotation, that belong together: each with the last in which it goes on."""
    codes, at = _codes(lines), 0
    while at < len(lines):
        end = at
        while _goes_on(codes[end]) and _indent("".join(codes[end + 1 : end + 2])) > _indent(codes[at]):
            end += 1
        yield at, end
        at = end + 1


def _codes(lines: Sequence[str]) -> list[str]:
    """Lines without their comments."""
    return [line.partition("#")[0].rstrip() for line in lines]


def _ends(lines: list[str], number: int) -> bool:
    """Whether no order follows in the line behind that of a number (from 1)."""
    return not "".join(lines[number : number + 1]).partition("#")[0].strip()


def plain(text: str) -> str:
    """A text in the letters in which orders are read; letter by letter, but for a line's end of two."""
    text = text.translate(_TYPED)
    numbers = [letter for letter in set(text) if not letter.isascii() and _is_number(letter)]
    pieces = re.split(f"([{''.join(numbers)}])", text) if numbers else [text]
    return "".join(piece if piece in numbers else clean(piece) for piece in pieces)


def _is_number(letter: str) -> bool:
    """Whether a letter is a number that isn't to be read as digits: behind another one `4\u00b2` would be 42."""
    return letter.isnumeric() and unicodedata.decomposition(letter).partition(" ")[0] not in ("", *_DIGITS)


def _indent(code: str) -> int:
    """How many blanks a line begins with; -1 where nothing else stands in it."""
    return len(code) - len(code.lstrip()) if code.strip() else -1


def _goes_on(code: str) -> bool:
    """Whether a line, without its comment, ends within an order: with a comma, and not with something that is said."""
    return code.rstrip().endswith(",") and _words(code.rpartition(";")[2])[:1] != ["say"]


def talk_cut(text: str) -> dict[int, str]:
    """By line (from 1), why a `say` in it ends before the line does: a `;` or a `#` follows, and more behind that."""
    found: dict[int, str] = {}
    for number, line in enumerate(lines_of(text), 1):
        before, _, comment = line.partition("#")
        pieces = before.split(";")
        said = next((at for at, piece in enumerate(pieces) if _words(piece)[:1] == ["say"]), None)
        if said is not None and "".join(pieces[said + 1 :]).strip():
            found[number] = "which the `;` ends: what follows is no talk"
        elif said == len(pieces) - 1 and comment.strip():
            found[number] = "which the `#` ends: what follows is a comment"
    return found


def as_typed(said: str, lines: Sequence[str], line: int) -> str:
    """A sentence about a line of an order file, by its `lines_of`; words of it in backticks, or put together, become
    as typed.
    """
    typed = lines[line - 1] if 0 < line <= len(lines) else ""

    def found(match: re.Match[str]) -> str:
        words = r"[\s,]+".join(map(_typed_pattern, match[2].split()))
        there = re.search(f"(?<![^\\s,;]){words}(?![^\\s,;#])", typed, re.IGNORECASE)
        whole = there[0] if there else _in_japan(match[2].split(), typed)
        return f"{match[1]}{whole}{match[1]}" if whole else match[0]

    return re.sub(r"([`'])((?<=`)[^`]+|[^'`]*_[^'`]*)\1", found, said)


def _in_japan(words: Sequence[str], typed: str) -> str:
    """Where a line has several words, names in it as they are written in Japan; "" where it hasn't."""
    for piece in typed.partition("#")[0].split(";"):
        there = [match[0] for match in _PIECE.finditer(piece)]
        for at in range(len(there) - len(words) + 1 if words[1:] else 0):
            found = there[at : at + len(words)]
            alike = [word.lower() == one for word, one in zip(found, words, strict=True) if word.isascii()]
            if alike and all(alike) and len(alike) < len(words):
                return " ".join(found)
    return ""


def _typed_pattern(word: str) -> str:
    """A pattern of what a word may have been typed as: a name of several words between quotation marks, too."""
    parts = [re.escape(part) for part in word.split("_") if part]
    return r"[\"']?" + f"(?:_|{_IN_NAME.pattern})".join(parts) + r"[\"']?" if parts[1:] else re.escape(word)


def _words(piece: str) -> list[str]:
    """The words of a statement in small letters; what is said stays as it is."""
    keyword, _, said = piece.strip().partition(" ")
    if keyword.lower() == "say":
        return ["say", *said.split()]
    words = [_word(match) for match in _PIECE.finditer(piece)]
    return [*words[:-1], words[-1].rstrip(".") or words[-1]] if words else []


def _word(match: re.Match[str]) -> str:
    """A word as it stands, a name between quotation marks as one word, or a number without the mark of inches."""
    name = match[1] if match[2] is None else match[2]
    return (match[3] or match[0]).lower() if name is None else _as_word(name)


def _in_japanese(word: str) -> bool:
    """Whether a word has Japanese letters; what finds them is dear to make, and most words have none."""
    return not word.isascii() and re.search(_NAME_IN_JAPANESE, word) is not None


def _as_word(name: str) -> str:
    """A name of several words as one; as written in Japan it has none."""
    if _in_japanese(name):
        return "".join(name.split())
    return _IN_NAME.sub("_", name).strip("_").lower()


def _in_latin(words: list[str], names: Mapping[str, Mapping[str, str]]) -> list[str]:
    """The words with the id or number in place of each name that is written as in Japan, and is that of one alone."""
    if words[:1] == ["say"]:
        return words
    japanese = [word for word in words if not word.isascii()]
    latin = {word: _as_word(*ids) for word in japanese if len(ids := names.get(word, {})) == 1}
    return [latin.get(word, word) for word in words]


def _of_talk(words: list[str], reason: str) -> str:
    """What would be right for talk that can't be signed."""
    if not "".join(words).isascii():
        return "what is signed is ASCII; `pbem send --note FILE` sends a note in any language"
    return TALK if reason.startswith("the token") and not reason.endswith(" at most") else ""


def _problem(words: list[str], names: Mapping[str, Mapping[str, str]]) -> tuple[str, str]:
    """Reason and hint why the words can't stand in an order file; ("", "") if they can."""
    if words and '"' in words:
        return 'a quotation mark (") has no partner', 'write a name as in "5th Infantry"'
    if reason := why_not(words):
        strange = next((word for word in words[1:] if re.match("[+.-]", word)), "")
        if words[:1] != ["say"] and _NUMBER.fullmatch(strange):
            return _wrong_number(strange)
        if words[:1] != ["say"] and (name := next(filter(_in_japanese, words[1:]), "")):
            if several := names.get(name):
                these = ", ".join(word if word == latin else f"{word} ({latin})" for word, latin in several.items())
                return f"`{name}` is how {len(several)} names are written", f"write one of {these}"
            return f"`{name:.40}` is written in Japanese letters", LATIN
        return reason, _of_talk(words, reason) if words[:1] == ["say"] else ""
    if words[0] in ENVELOPE_WORDS:
        return f"{words[0]!r} belongs to the envelope", "leave it out; the program writes it"
    return "", ""


def _wrong_number(word: str) -> tuple[str, str]:
    """Reason and hint of a number with a sign, or one that begins with a point."""
    sign, point, digits = _NUMBER.findall(word)[0]
    if sign:
        right = f"0.{digits}" if point else digits
        return f"`{word}` has a sign", f"write `{right}`: the words of an order say which way"
    return f"`{word}` begins with a point", f"write `0.{digits}`"


def broken_comments(text: str, errors: list[tuple[int, OrderError]]) -> list[OrderError]:
    """Errors with their lines; of lines that seem to be the rest of a comment it is said, of many all in one.

    The comment stands above them: a mail program has broken a form into shorter lines, or somebody has taken the # of a
    second line away.
    """
    guessed = {line for line, error in errors if isinstance(error, MalformedOrder) and "did you mean" not in error.hint}
    lines: list[int] = []
    comment = False
    for number, line in enumerate(text.splitlines(), 1):
        if comment and number in guessed:
            lines.append(number)
        else:
            comment = line.lstrip(" \t>").startswith("#")
    found = [error for _, error in errors]
    if len(lines) < MANY:
        for error in (error for line, error in errors if line in lines):
            error.hint += f"{'; ' * bool(error.hint)}is it the rest of a comment? put a # before it"
        return found
    some = ", ".join(map(str, lines[:MANY]))
    told = f"{len(lines)} lines, {some}{' ...' * (len(lines) > MANY)}, aren't orders but the rest of comments"
    hint = "a mail program broke them: put a # before each, or write the form anew"
    return [MalformedOrder(told, f"line {lines[0]}", hint), *(error for line, error in errors if line not in lines)]
