"""Bombs: two megabytes that are small to write and dear to read, each for one of the targets."""

from __future__ import annotations

import base64
from collections.abc import Callable

from fuzz.target import log_of

__all__ = ["BOMBS"]

SIZE = 2 << 20  # a message may have as much
TEXT = 1 << 20  # a text or file may have as much

HEAD = b"From: a@example.org\nTo: b@example.org\nMIME-Version: 1.0\n"
BEGIN, END = b"-----BEGIN PBEM TURN-----\n", b"-----END PBEM TURN-----\n"


def _filled(unit: bytes, size: int = SIZE - 400) -> bytes:
    return (unit * (size // len(unit) + 1))[:size]


def _mail(kind: bytes, body: bytes, more: bytes = b"") -> bytes:
    return HEAD + b"Content-Type: " + kind + b"\n" + more + b"\n" + body


def _html(unit: bytes, first: bytes = b"") -> bytes:
    """As much HTML as is read."""
    return _mail(b"text/html", (first + _filled(unit, TEXT))[: TEXT - 400])


def _nested(kind: bytes) -> bytes:
    """A message inside a message, as often as there is room."""
    layer = HEAD + b"Content-Type: " + kind + b"\n\n"
    return _filled(layer)


def _nested_multiparts(depth: int = 9000) -> bytes:
    heads = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (at, at) for at in range(depth))
    tails = (b"\n--b%d--\n" % at for at in reversed(range(depth)))
    return (HEAD + b"".join(heads) + b"\nhello" + b"".join(tails))[:SIZE]


def _layers_of_base64() -> bytes:
    """Attached messages in base64, seven within each other, and letters at the core."""
    inner = _filled(b">", 300_000)
    more = b"Content-Transfer-Encoding: base64\n"
    for _ in range(6):
        inner = _mail(b"message/rfc822", base64.encodebytes(inner), more)
    return inner[:SIZE]


def _turn(between: bytes) -> bytes:
    return BEGIN + between + END + b"-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n"


MAIL: dict[str, Callable[[], bytes]] = {
    "quote marks": lambda: _filled(b">"),
    "nested quotes": lambda: b"\n".join(b"> " * depth + b"x" for depth in range(1400))[: SIZE - 400],
    "flowed quotes": lambda: _mail(b"text/plain; format=flowed; delsp=yes", _filled(b"> x \n", TEXT - 400)),
    "one line": lambda: _filled(b"x"),
    "line ends": lambda: _filled(b"\r"),
    "blanks": lambda: _mail(b"text/plain", _filled(b" ", TEXT - 400)),
    "semicolons": lambda: _turn(_filled(b";", TEXT - 400)),
    "tiny statements": lambda: _turn(_filled(b"a;", TEXT - 400)),
    "one token": lambda: _turn(_filled(b"x", TEXT - 400) + b";end 1 000000;\n"),
    "bad tokens": lambda: _turn(_filled(b"\xc2\xa7;", 9000) + _filled(b"\xc2\xa7", TEXT - 9400) + b";"),
    "sums": lambda: _turn(b"end 1 " + _filled(b"abcdef ", TEXT - 400) + b";\n"),
    "fences": lambda: _filled(BEGIN),
    "fences without line ends": lambda: _filled(BEGIN.strip()),
    "pairs of fences": lambda: _filled(BEGIN + END, TEXT - 400),
    "whole blocks": lambda: _filled(_turn(b"a;\n"), TEXT - 400),
    "dashes": lambda: _filled(b"-", TEXT - 400),
    "half fences": lambda: _filled(b"-----BEGIN " + b" " * 50, TEXT - 400),
    "expanding letters": lambda: _filled("\ufdfa".encode()),
    "fractions": lambda: _mail(b"text/plain; charset=utf-8", _filled("\u00bd".encode(), TEXT - 400)),
    "combining marks": lambda: _mail(b"text/plain; charset=utf-8", b"a" + _filled("\u0301".encode(), TEXT - 401)),
    "base64 of quote marks": lambda: _mail(
        b"text/plain", base64.encodebytes(_filled(b">", TEXT)), b"Content-Transfer-Encoding: base64\n"
    ),
    "layers of base64": _layers_of_base64,
    "quoted-printable": lambda: _mail(b"text/plain", _filled(b"=\n"), b"Content-Transfer-Encoding: quoted-printable\n"),
    "nested multiparts": _nested_multiparts,
    "the same boundary": lambda: _filled(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n"),
    "boundaries": lambda: _mail(b"multipart/mixed; boundary=b", _filled(b"--b\n")),
    "nested messages": lambda: _nested(b"message/rfc822"),
    "nested digests": lambda: _nested(b"multipart/digest; boundary=b"),
    "headers": lambda: _filled(b"A: b\n"),
    "folded header": lambda: b"Subject: " + _filled(b"x\n "),
    "encoded words": lambda: b"Subject: " + _filled(b"=?utf-8?q?=41?= ") + b"\n\nx",
    "parameters": lambda: b"Content-Type: text/plain" + _filled(b'; a="') + b"\n\nx",
    "mailbox lines": lambda: _filled(b"From a 10:00 2026\n\n", TEXT),
    "long mailbox line": lambda: b"From " + _filled(b"10:00 2026 "),
    "tags": lambda: _html(b"<"),
    "broken tags": lambda: _html(b"<a "),
    "attributes": lambda: _html(b' a="', b"<a"),
    "comments": lambda: _html(b"<!--"),
    "declarations": lambda: _html(b"<![CDATA["),
    "scripts": lambda: _html(b"</script", b"<script>"),
    "drawings": lambda: _html(b"<svg"),
    "entities": lambda: _html(b"&#9999999999"),
    "ampersands": lambda: _html(b"&"),
}

ORDERS: dict[str, Callable[[], bytes]] = {
    "semicolons": lambda: _filled(b";"),
    "tiny statements": lambda: _filled(b"a;"),
    "bad statements": lambda: _filled(b"=\n"),
    "comments": lambda: _filled(b"#\n"),
    "line ends": lambda: _filled(b"\n"),
    "one token": lambda: _filled(b"x"),
    "one bad token": lambda: _filled("\ufdfa".encode()) + b";",
    "unknown units": lambda: _filled(b"move x 0101;\n"),
    "conditions": lambda: _filled(b"if " + b"gone sg-01 and " * 250 + b"gone sg-01 then done;\n"),
    "negations": lambda: _filled(b"if " + b"not " * 1000 + b";\n"),
}

YAML: dict[str, Callable[[], bytes]] = {
    "lists in one line": lambda: _filled(b"[", TEXT),
    "mappings in one line": lambda: _filled(b"{a: ", TEXT),
    "lists in lines": lambda: b"".join(b" " * depth + b"-\n" for depth in range(1400))[:TEXT],
    "dashes": lambda: _filled(b"- ", TEXT),
    "questions": lambda: _filled(b"? ", TEXT),
    "keys": lambda: b"".join(b"k%d: v\n" % number for number in range(90_000))[:TEXT],
    "the same key": lambda: _filled(b"a: b\n", TEXT),
    "aliases": lambda: b"a: &a [x]\n" + b"".join(b"b%d: &b%d [*a, *a]\n" % (at, at) for at in range(9)),
    "anchors": lambda: _filled(b"- &a x\n", TEXT),
    "merge keys": lambda: _filled(b"<<: {a: b}\n", TEXT),
    "tags": lambda: b"a: !" + _filled(b"!", TEXT - 10) + b" x",
    "directives": lambda: _filled(b"%a\n", TEXT // 2),
    "a number in a directive": lambda: b"%YAML 1." + _filled(b"9", TEXT - 40) + b"\n---\na: b\n",
    "a number": lambda: b"a: " + _filled(b"9", TEXT - 3),
    "escapes": lambda: b'a: "' + _filled(b"\\x41", TEXT - 8) + b'"',
    "folded words": lambda: b"a: >\n" + _filled(b"  b c\n\n", TEXT - 5),
    "too long": lambda: _filled(b"a", SIZE),
}

KEY_BEGIN, KEY_END = b"-----BEGIN OPENSSH PRIVATE KEY-----\n", b"-----END OPENSSH PRIVATE KEY-----\n"
KEYS: dict[str, Callable[[], bytes]] = {
    "base64": lambda: KEY_BEGIN + _filled(b"AAAA\n") + KEY_END,
    "base64 in 60 kB": lambda: KEY_BEGIN + _filled(b"AAAA\n", 60_000) + KEY_END,
    "words": lambda: b"ssh-ed25519" + _filled(b" "),
    "lines": lambda: _filled(b"#\n"),
}

ARMOR: dict[str, Callable[[], bytes]] = {
    "base64": lambda: b"-----BEGIN SSH SIGNATURE-----\n" + _filled(b"A") + b"\n-----END SSH SIGNATURE-----\n",
    "ends": lambda: b"-----BEGIN SSH SIGNATURE-----\n" + _filled(b"-----END SSH SIGNATURE-----\n"),
}

LOG: dict[str, Callable[[], bytes]] = {
    "fences": lambda: _filled(BEGIN),
    "the same entry": lambda: _filled(log_of("asked", 1)),
    "text behind": lambda: log_of("asked", 2) + _filled(b"x"),
    "semicolons": lambda: BEGIN + _filled(b";"),
    "one token": lambda: BEGIN + _filled(b"x"),
}

JSON: dict[str, Callable[[], bytes]] = {
    "lists": lambda: _filled(b"["),
    "mappings": lambda: _filled(b'{"a":'),
    "a number": lambda: b'{"seal": ' + _filled(b"9") + b"}",
    "one text": lambda: b'{"seal": "' + _filled(b"x") + b'"}',
}

MAP: dict[str, Callable[[], bytes]] = {
    "one row": lambda: b"layout: flat\nterrain: {rows: '1" + _filled(b" .", TEXT - 100) + b"'}\n",
    "a row's number": lambda: b"layout: pointy\nterrain:\n  rows: |\n    " + _filled(b"9", TEXT - 100) + b" .\n",
}

BOMBS = {
    (target, name): bomb
    for target, bombs in {
        "mail": MAIL, "orders": ORDERS, "yaml": YAML, "map-file": MAP, "key": KEYS, "armor": ARMOR, "log": LOG,
        "cache": JSON, "ground-cache": JSON, "scenario-cache": JSON,
    }.items()
    for name, bomb in bombs.items()
}  # fmt: skip
"""(target, name) -> what makes the bomb."""
