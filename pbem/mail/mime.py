"""One message of a mail: headers and texts after MIME, charset, HTML and flowed decoding (protocol 2.4).

Unusual header lines are read with `email`; the parts are cut here, since `email`'s own parsers have no limits of depth
and time (a 100 kB Content-Type keeps them busy for 20 s, a thousand nested parts end them with a RecursionError).
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from itertools import chain, count

from pbem.records import NamedTuple
from pbem.wire.blocks import PART_MAX

__all__ = [
    "ARCHIVE", "MESSAGE_MAX", "Headers", "Leaf", "decode_text", "leaves", "read_headers", "split_message",
    "unread_kind", "words_of",
]  # fmt: skip

MESSAGE_MAX = 2 << 20  # bytes
HEAD_MAX = 1 << 16  # bytes of one message's or part's header lines that are read
VALUE_MAX = 4000  # letters of one header's value
UNUSUAL_MAX = 1000  # letters of a Content-Type that `email` reads: it takes quadratic time
DEPTH_MAX = 10  # of parts within parts
PARTS_MAX = 200  # of a message altogether, each attached message counted as one more
TAGS_MAX = 50_000  # of one HTML text

Headers = dict[str, str]

_HEAD = re.compile(rb"(?:(?:>?From [^\n]*+\n|[!-9;-~]++[ \t]*+:[^\n]*+\n)(?:[ \t][^\n]*+\n)*+)*+")
_HEADER_LINE = re.compile(r"([!-9;-~]{1,100})[ \t]*:(.*)", re.DOTALL)
_FOLD = re.compile(r"(?:\r\n|\r|\n)(?=[ \t])")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]+")
_PARAMETER = re.compile(r';\s*([\w-]+)=(?:"([^"\\]*)"|([\w.+/:=-]+))\s*', re.ASCII)
_USUAL_TYPE = re.compile(rf"\s*([\w.+-]+/[\w.+-]+)\s*((?:{_PARAMETER.pattern})*+)", re.ASCII)
_BOMS = (  # those of UTF-32 first: that of UTF-16-LE begins one of them
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_VAGUE = ("ascii", "iso8859-1", "utf-8")  # what mail programs write when they don't know better
_CHARSETS = re.compile(r"utf-?(8|16|32)|ascii|iso(8859|2022)|cp\d|koi8|mac-?|big5|gb|euc|shift_?jis|hz|tis-?620|johab")


_PLAIN_KIND = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)
_TNEF = "winmail.dat"
ARCHIVE = b"PK\x03\x04"  # how a zip archive begins
# How files begin that nobody reads as text.
_MAGIC = (
    (b"\x78\x9f\x3e\x22", _TNEF),
    (b"%PDF-", "application/pdf"),
    (ARCHIVE, "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
)


class Leaf(NamedTuple):
    """One part of a message: its text; else `damage` says why it could not be read, or `unread` what it is.

    A file of unknown type has a text and, where it begins as another kind of file does, `unread` too.
    """

    text: str
    damage: str = ""
    unread: str = ""


# Header lines.


def split_message(raw: bytes) -> tuple[bytes, bytes]:
    """The header lines and the body, which begins behind an empty line or with the first that is no header."""
    end = _HEAD.match(raw)
    at = end.end() if end else 0
    return raw[:at], raw[at:].removeprefix(b"\r").removeprefix(b"\n")


def read_headers(head: bytes) -> Headers:
    """The first value of each header, unfolded but not decoded, by its name in small letters."""
    headers: Headers = {}
    for line in re.split(r"\r\n|\r|\n", _FOLD.sub("", decode_text(head[:HEAD_MAX], ""))):
        match = _HEADER_LINE.fullmatch(line)
        if match:
            headers.setdefault(match[1].lower(), match[2].strip()[:VALUE_MAX])
    return headers


def words_of(value: str) -> str:
    """A header's value as a person reads it (RFC 2047), on one line and without control letters."""
    if "=?" in value:
        from email.errors import MessageError
        from email.header import decode_header, make_header

        with suppress(MessageError, ValueError, LookupError):  # then it is shown as it came
            pieces = decode_header(value)
            if all(charset is None or _charset(charset) for _, charset in pieces):
                value = str(make_header(pieces))
    return " ".join(_UNSEEN.sub(" ", value).split())


# Bytes to text.


def _charset(name: str) -> str:
    """Python's name of a character set; "" when it is unknown or no character set."""
    try:
        known = codecs.lookup(name.strip().lower()).name if name.isascii() and len(name) < 40 else ""
    except (LookupError, ValueError):
        return ""
    return known if _CHARSETS.match(known) else ""


def decode_text(raw: bytes, charset: str) -> str:
    """Text of any bytes; what the character set doesn't know becomes U+FFFD.

    Where it is missing, unknown, or one that programs name without knowing, UTF-8 is tried, then Windows-1252.
    """
    name = _charset(charset) or "ascii"
    bom = next(((mark, form) for mark, form in _BOMS if raw.startswith(mark)), None)
    if bom:
        return raw[len(bom[0]) :].decode(bom[1], "replace")
    if name in _VAGUE:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("utf-8" if name == "utf-8" else "cp1252", "replace")
    try:
        return raw.decode(name, "replace")
    except ValueError:
        return raw.decode("utf-8", "replace")


def _unflow(text: str) -> str:
    """Join the lines of `format=flowed; delsp=yes` (RFC 3676 4.1): there the blank at a line's end isn't text."""
    out: list[str] = []
    depth_before, open_line = -1, False
    for line in text.replace("\r\n", "\n").split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        if not (open_line and depth == depth_before):
            out.append("\n" + ">" * depth + " " * (depth > 0))
        open_line = content.endswith(" ") and content != "-- "
        out.append(content.removesuffix(" ") if open_line else content)
        depth_before = depth
    return "".join(out)[1:]


def _without_drawings(html: str) -> str:
    """HTML without its inline SVG; what is never closed stays."""
    kept: list[str] = []
    at = 0
    while (begin := html.find("<svg", at)) >= 0 and (end := html.find("</svg>", begin)) >= 0:
        kept.append(html[at:begin])
        at = end + len("</svg>")
    return " ".join([*kept, html[at:]])


class _HtmlText(HTMLParser):
    """Collects what a reader of the HTML sees, a line per block."""

    LINES = frozenset({"br", "p", "div", "tr", "li", "ul", "ol", "table", "pre", "blockquote", "hr"})
    LINES |= {"h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd"}
    UNSEEN = frozenset({"script", "style"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[str] = []
        self._hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - html.parser's
        self._hidden = tag in self.UNSEEN
        self._edge(tag)

    def handle_endtag(self, tag: str) -> None:
        self._hidden = False
        self._edge(tag)

    def _edge(self, tag: str) -> None:
        if tag in self.LINES:
            self.seen.append("\n")
        elif tag in ("td", "th"):
            self.seen.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.seen.append(data)


def _html_text(html: str) -> str:
    """The text of an HTML document, without its drawings.

    What it doesn't close, and more than 50,000 tags, are read as if they were text.
    """
    html = _without_drawings(html)
    if html.count("<") > TAGS_MAX:
        return html
    parser = _HtmlText()
    with suppress(AssertionError, ValueError):  # html.parser's for some broken declarations and numbers
        parser.feed(html)  # never close(): on unclosed tags it takes quadratic time
    return "".join(parser.seen) + "\n" + re.sub(r"<[^<>]*>", " ", parser.rawdata)


# The parts of a message.


def _transfer_decoded(body: bytes, headers: Headers) -> bytes:
    match headers.get("content-transfer-encoding", "").lower():
        case "base64":
            letters = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
            letters = letters[: len(letters) - (len(letters) % 4 == 1)]
            return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
        case "quoted-printable":
            return binascii.a2b_qp(body)
        case _:
            return body


class Content(NamedTuple):
    """What a part says of itself: its type in small letters, and the parameters that matter here."""

    kind: str
    boundary: str = ""
    charset: str = ""
    format: str = ""
    delsp: str = ""


def content_of(value: str | None, default: str) -> Content:
    """A Content-Type. The usual form is read here; all others by `email`, which takes long to import."""
    if value is None:
        return Content(default)
    match = _USUAL_TYPE.fullmatch(value)
    if match is None:
        return _unusual(value, default)
    given = {name.lower(): quoted or bare for name, quoted, bare in reversed(_PARAMETER.findall(match[2]))}
    return Content(match[1].lower(), *(given.get(name, "") for name in Content._fields[1:]))


def _unusual(value: str, default: str) -> Content:
    from email.errors import MessageError
    from email.message import Message

    message = Message()
    message.set_default_type(default)
    message["Content-Type"] = value[:UNUSUAL_MAX].encode("ascii", "replace").decode("ascii")

    def parameter(name: str) -> str:
        try:
            found = message.get_param(name, "")
        except (MessageError, ValueError, LookupError):  # broken RFC 2231 forms
            return ""
        found = found[2] if isinstance(found, tuple) else found
        return found if isinstance(found, str) else ""

    return Content(message.get_content_type(), *map(parameter, Content._fields[1:]))


def _parts(body: bytes, boundary: str) -> Iterator[bytes]:
    """The parts between the boundary lines (RFC 2046 5.1.1); the last may lack its end."""
    line = re.compile(b"--" + re.escape(boundary.encode("utf-8", "replace")) + rb"(?m:(--)?[ \t]*\r?$\n?)")
    start = -1
    for match in line.finditer(body):  # sought by its letters, which is quicker than by the beginnings of lines
        if match.start() and body[match.start() - 1 : match.start()] != b"\n":
            continue
        if start >= 0:
            yield body[start : match.start()]
        start = -1 if match[1] else match.end()
        if match[1]:
            return
    if start >= 0:
        yield body[start:]


def leaves(raw: bytes) -> Iterator[Leaf]:
    """Every text of a message: text parts, attached files of unknown type, those of attached messages too.

    The parts of one level are pieces of the level above and never longer, so that with 10 levels and 200 parts in all
    no message has more than ten times its own bytes decoded.
    """
    left = count(PARTS_MAX, -1)
    with suppress(_TooManyParts):
        yield from _tree(raw, "text/plain", 0, left)
        return
    yield Leaf("", f"more than {PARTS_MAX} parts")


class _TooManyParts(Exception):
    """The parts of a message are more than are read."""


def _tree(raw: bytes, default: str, depth: int, left: Iterator[int]) -> Iterator[Leaf]:
    """The leaves of one part; each takes a number from those `left`, and the message itself the last."""
    if next(left) < 0:
        raise _TooManyParts
    if depth >= DEPTH_MAX:
        yield Leaf("", f"more than {DEPTH_MAX} parts within each other")
        return
    head, body = split_message(raw)
    headers = read_headers(head)
    content = content_of(headers.get("content-type"), default)
    kind = content.kind
    whole = not kind.startswith("multipart/")
    parts = _parts(body, content.boundary) if content.boundary and not whole else iter(())
    first = next(parts, None)
    if first is not None:
        inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        for part in chain([first], parts):
            yield from _tree(part, inner, depth + 1, left)
    elif kind in ("message/rfc822", "message/global"):
        yield from _tree(_transfer_decoded(body, headers).lstrip(b"\r\n"), "text/plain", depth + 1, left)
    elif kind.startswith("text/") or kind == "application/octet-stream" or not whole:
        yield from _leaf(_transfer_decoded(body, headers), kind, content)
    else:
        named = kind[:60] if _PLAIN_KIND.fullmatch(kind) else "of an unknown type"
        yield Leaf("", unread=_TNEF if kind.endswith("ms-tnef") else named)


def _leaf(raw: bytes, kind: str, content: Content) -> Iterator[Leaf]:
    if len(raw) > PART_MAX:
        if kind != "application/octet-stream":  # a photo, and nobody's turn
            yield Leaf("", f"a {kind} part of {len(raw)} bytes, at most {PART_MAX} are read")
        else:
            yield Leaf("", unread=unread_kind(raw) or kind)
        return
    text = decode_text(raw, content.charset)
    if kind == "text/html":
        text = _html_text(text)
    elif content.delsp.lower() == "yes" and content.format.lower() == "flowed":
        text = _unflow(text)
    yield Leaf(text, unread=unread_kind(raw) if kind == "application/octet-stream" else "")


def unread_kind(raw: bytes) -> str:
    """What kind of file begins with these bytes, if it is one that holds no text as it is; "" for all else."""
    return next((kind for magic, kind in _MAGIC if raw.startswith(magic)), "")
