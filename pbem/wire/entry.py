"""Entries: the canonical bytes of a turn, written and read strictly (protocol 2.3)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

from pbem.crypto.dice import Anchor
from pbem.errors import Damaged
from pbem.records import NamedTuple
from pbem.wire.statements import ENVELOPE_WORDS, NAME, STATEMENTS_MAX, Statement, why_not

__all__ = ["ENTRY_MAX", "KINDS", "STATEMENTS_MAX", "Entry", "build_entry", "canonical_bytes", "parse_entry"]

VERSION = "1"
KINDS = (
    "offer", "accept", "begin", "orders", "react", "reveal", "draw", "undo", "rekey", "recover", "accept-rekey",
    "substitute", "resign", "claim",
)  # fmt: skip

ENTRY_MAX = 262_144  # bytes of C, `end` included

GROUP = 8  # statements under one sum

_TOLD = 4  # problems of one block that a message spells out

_HEADERS = {"offer": "pbem kind seq by nonce", "accept": "pbem kind seq prev by nonce anchor"}
_HEADER = "pbem kind game seq prev by nonce anchor reveal state"  # of all other kinds
_OPTIONAL = {"anchor": ("reveal", "state"), "reveal": ("state",)}  # what may stand in their place in other kinds
_HASH = re.compile("[0-9a-f]{64}"), "a hash of 64 hex digits"
_VALUES = {
    "game": _HASH,
    "seq": (re.compile("0|[1-9][0-9]{0,8}"), "a whole number of at most nine digits"),
    "prev": _HASH,
    "by": (re.compile(NAME), "a player's name: small letters, digits and -, at most 16"),
    "nonce": (re.compile("[0-9a-f]{32}"), "32 hex digits"),
    "anchor": (
        re.compile("(?:100000|[1-9][0-9]{0,4}) [0-9a-f]{64} [0-9a-f]{32}"),
        "a length of 1 to 100000, 64 hex digits and 32 hex digits",
    ),
    "reveal": (re.compile("[1-9][0-9]{0,8} [0-9a-f]{64}"), "a number from 1 and 64 hex digits"),
    "state": _HASH,
}
_COUNT = re.compile("[1-9][0-9]{0,3}")
_OUTSIDE = re.compile(rb"[^\n -~]")


class Entry(NamedTuple):
    """What canonical bytes say: the header, and the statements between it and `end` (protocol 2.3)."""

    payload: bytes
    kind: str
    game: str | None
    seq: int
    prev: str | None
    by: str
    nonce: str
    anchor: Anchor | None
    reveal: tuple[int, str] | None
    state: str | None
    body: tuple[Statement, ...]


# Canonical bytes: one statement a line, tokens joined by one blank, `end` with count and sums as the last.


def _sums(lines: Sequence[str]) -> list[str]:
    """The first three bytes (hex) of SHA-256 over each eight lines, the last group shorter."""
    groups = ("".join(lines[at : at + GROUP]) for at in range(0, len(lines), GROUP))
    return [hashlib.sha256(group.encode("utf-8", "surrogatepass")).hexdigest()[:6] for group in groups]


def _groups(numbers: Iterable[int], count: int) -> str:
    spans = ((number * GROUP + 1, min(number * GROUP + GROUP, count)) for number in numbers)
    return ", ".join(f"{first}-{last}" if first != last else f"{first}" for first, last in spans)


def _why_not_whole(lines: Sequence[str], end: Sequence[str]) -> str:
    """What `end COUNT SUM...` says about the lines before it; "" when they are as they were signed."""
    sums, found = end[2:], _sums(lines)
    whole = lines and list(sums) == found
    fit = f", while its sums are those of the {len(lines)} statements that arrived" if whole else ""
    if len(end) < 2 or not _COUNT.fullmatch(end[1]):
        return f"the statement 'end' is damaged: it gives no count{fit}"
    signed = int(end[1])
    changed = [i for i, (was, now) in enumerate(zip(sums, found, strict=False)) if was != now]
    if signed != len(lines):
        if fit:
            return f"the statement 'end' is damaged: it counts {signed}{fit}"
        first = changed[0] if changed else min(signed, len(lines)) // GROUP
        place = _groups([first], max(signed, len(lines)))
        return f"{signed} statements were signed, {len(lines)} arrived; the first difference is in statements {place}"
    if len(sums) != -(-signed // GROUP):
        return f"the statement 'end' is damaged: {len(sums)} sums for {signed} statements"
    return f"damaged statements: {_groups(changed, signed)}" if changed else ""


def _problems(pieces: list[list[str]], lines: list[str], rest: str) -> Iterator[str]:
    """Everything that keeps the words between the fences, in these lines, from being a turn; that of `end` first."""
    if rest:
        shown = ascii(rest[:30])
        yield f"text after the last ';': {shown}" if pieces else f"no statement, only {shown}"
    ends = [n for n, words in enumerate(pieces) if words and words[0] == "end"]
    if not ends:
        yield f"cut off: no statement 'end' after the {len(pieces)} that arrived"
    elif ends[-1] != len(pieces) - 1:
        yield f"statement {ends[-1] + 1} is 'end', but {len(pieces) - 1 - ends[-1]} follow"
    else:
        yield _why_not_whole(lines[:-1], pieces[-1])
    for number, words in enumerate(pieces, 1):
        reason = why_not(words)
        if reason:
            yield f"statement {number}: {reason}"
    if len(ends) > 1:
        yield f"statement {ends[0] + 1}: 'end' twice"


def canonical_bytes(text: str) -> bytes:
    """The canonical bytes of the text between the fences (protocol 2.4, 7); Damaged names the statements at fault."""
    count = text.count(";")
    if count > STATEMENTS_MAX:
        raise Damaged(f"{count} statements, {STATEMENTS_MAX} at most")
    *pieces, rest = text.split(";")
    words = [piece.split() for piece in pieces]
    lines = [" ".join(statement) + ";\n" for statement in words]
    problems = [problem for problem in _problems(words, lines, rest.strip()) if problem]
    if problems:
        more = f"; and {len(problems) - _TOLD} more" if len(problems) > _TOLD else ""
        raise Damaged("; ".join(problems[:_TOLD]) + more)
    canonical = "".join(lines)
    if len(canonical) > ENTRY_MAX:
        raise Damaged(f"an entry of {len(canonical)} bytes, {ENTRY_MAX} at most")
    return canonical.encode("ascii")


# Entries.


def _header(statements: Sequence[Statement]) -> dict[str, str]:
    """The header's values by name; Damaged unless each stands once and in its place."""
    values: dict[str, str] = {}
    kind = statements[1].tokens if len(statements) > 1 and statements[1].keyword == "kind" else ()
    names = _HEADERS.get(" ".join(kind), _HEADER).split()
    optional = _OPTIONAL if names == _HEADER.split() else {}
    for name in names:
        at = len(values)
        found = statements[at].keyword if at < len(statements) else "end"
        if found in optional.get(name, ()):
            continue
        where = f"statement {at + 1}"
        if found != name:
            raise Damaged(f"{found!r} stands where {name!r} must be", where, f"header: {' '.join(names)}")
        values[name] = " ".join(statements[at].tokens)
        _check_value(name, values[name], where)
    return values


def _check_value(name: str, value: str, where: str) -> None:
    if name == "pbem" and value != VERSION:
        raise Damaged(f"pbem {ascii(value)[1:-1]}: this program reads version {VERSION}", where)
    if name == "kind" and value not in KINDS:
        raise Damaged(f"unknown kind {value!a}", where, f"known: {', '.join(KINDS)}")
    if name in _VALUES:
        pattern, form = _VALUES[name]
        if not pattern.fullmatch(value):
            raise Damaged(f"{name} {ascii(value)[1:-1][:90]} isn't {form}", where)


def _read_canonical(payload: bytes) -> list[Statement]:
    """All statements of canonical bytes, `end` included; Damaged unless they are canonical to the last byte."""
    stranger = _OUTSIDE.search(payload)
    if stranger:
        where = f"byte {stranger.start() + 1}"
        raise Damaged(f"byte {stranger[0][0]:#04x} in a turn", where, "canonical bytes are printable ASCII and LF")
    text = payload.decode("ascii")
    canonical = canonical_bytes(text).decode("ascii")
    if canonical != text:
        right, found = canonical.split("\n"), text.split("\n")
        different = (n for n, pair in enumerate(zip(right, found, strict=False), 1) if pair[0] != pair[1])
        number = next(different, min(len(right), len(found)))
        raise Damaged("not in canonical form", f"statement {number}", "one statement a line, single blanks")
    return [Statement(kw, tuple(tokens)) for kw, *tokens in (line[:-1].split(" ") for line in text.splitlines())]


def parse_entry(payload: bytes) -> Entry:
    """The entry in canonical bytes; raises Damaged unless they are canonical to the last byte (protocol 2.3)."""
    statements = _read_canonical(payload)
    values = _header(statements)
    body = tuple(statements[len(values) : -1])
    for number, statement in enumerate(body, len(values) + 1):
        if statement.keyword in ENVELOPE_WORDS:
            raise Damaged(f"{statement.keyword!r} belongs to the header", f"statement {number}")
    reveal = values.get("reveal", "").split()
    return Entry(
        payload=payload,
        kind=values["kind"],
        game=values.get("game"),
        seq=int(values["seq"]),
        prev=values.get("prev"),
        by=values["by"],
        nonce=values["nonce"],
        anchor=_anchor(values["anchor"], values["prev"]) if "anchor" in values else None,
        reveal=(int(reveal[0]), reveal[1]) if reveal else None,
        state=values.get("state"),
        body=body,
    )


def _anchor(words: str, prev: str) -> Anchor:
    length, value, gnonce = words.split()
    return Anchor(int(length), bytes.fromhex(value), bytes.fromhex(gnonce), bytes.fromhex(prev))


def build_entry(
    *,
    kind: str,
    seq: int,
    by: str,
    nonce: str,
    body: Sequence[Statement],
    game: str | None = None,
    prev: str | None = None,
    anchor: Anchor | None = None,
    reveal: tuple[int, str] | None = None,
    state: str | None = None,
) -> Entry:
    """An entry with its canonical bytes, `end` included; raises Damaged when something doesn't fit the grammar."""
    given = {"pbem": VERSION, "kind": kind, "game": game, "seq": seq, "prev": prev, "by": by, "nonce": nonce}
    header = [Statement(name, (str(value),)) for name, value in given.items() if value is not None]
    header += [Statement("anchor", tuple(str(anchor).split()))] if anchor else []
    header += [Statement("reveal", (str(reveal[0]), reveal[1]))] if reveal else []
    header += [Statement("state", (state,))] if state is not None else []
    statements = [*header, *body]
    if len(statements) >= STATEMENTS_MAX:
        raise Damaged(f"{len(statements) + 1} statements, {STATEMENTS_MAX} at most")
    for number, statement in enumerate(statements, 1):
        reason = why_not((statement.keyword, *statement.tokens))
        if reason or statement.keyword == "end":
            raise Damaged(reason or "'end' belongs to the envelope", f"statement {number}")
    lines = [f"{statement}\n" for statement in statements]
    payload = "".join([*lines, " ".join(["end", str(len(lines)), *_sums(lines)]), ";\n"]).encode("ascii")
    return parse_entry(payload)
