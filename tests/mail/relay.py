"""Mail handled twice: shown by one program and sent on by another, or wrapped as it is by a program on its way."""

from __future__ import annotations

import base64
import codecs
import email
import hashlib
import html
import quopri
import re
import unicodedata
from collections.abc import Callable, Iterator
from email.message import Message

from mail.mail_damage import Damage

Gateway = Callable[[bytes], bytes]

# What a person sees in a mail. None of pbem's code is in this: it is another program that reads.

_HIDDEN = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->", re.DOTALL)
_BREAKS = re.compile(r"<(?:br|/?div|/?p|/?blockquote|/?pre)\b[^<>]*>")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\ufeff]")


def _rendered(page: str) -> str:
    """The text of an HTML page."""
    text = re.sub(r"[ \t\r\n]+", " ", _HIDDEN.sub("", page))
    return html.unescape(re.sub(r"<[^<>]*>", "", _BREAKS.sub("\n", text)))


def _reflowed(text: str, delsp: bool) -> str:
    """The paragraphs of a flowed text on one line each."""
    paragraphs = [""]
    for line in text.replace("\r\n", "\n").split("\n"):
        content = line.removeprefix(" ")
        soft = content.endswith(" ") and content != "-- "
        paragraphs[-1] += content[:-1] if soft and delsp else content
        if not soft:
            paragraphs.append("")
    return "\n".join(paragraphs)


def _letters(raw: bytes, charset: str) -> str:
    """Bytes as a mail program shows them: ISO 8859-1 is read as Windows-1252, as is whatever it doesn't know."""
    if raw.startswith(codecs.BOM_UTF16_LE):
        return raw.decode("utf-16")
    try:
        name = codecs.lookup(charset).name
    except LookupError:
        name = "cp1252"
    return raw.decode("cp1252" if name == "iso8859-1" else name, "replace")


def _part_text(part: Message) -> str:
    raw = part.get_payload(decode=True)
    assert isinstance(raw, bytes)
    text = _letters(raw, str(part.get_param("charset", "utf-8")))
    if part.get_content_type() == "text/html":
        return _rendered(text)
    if str(part.get_param("format", "")).lower() == "flowed":
        return _reflowed(text, str(part.get_param("delsp", "")).lower() == "yes")
    return text


def _unboxed(raw: bytes) -> bytes:
    """The one message of an mbox; anything else as it is."""
    return re.sub(rb"(?m)^>(?=>*From )", b"", raw.partition(b"\n")[2]) if raw.startswith(b"From ") else raw


def shown(raw: bytes) -> str:
    """What a person sees of the part of a mail that holds the turn."""
    if not re.match(rb"[\w-]+:", mail := _unboxed(raw)):
        return mail.decode("utf-8")  # a text without headers
    parts = [part for part in email.message_from_bytes(mail).walk() if not part.is_multipart()]
    texts = [_part_text(part) for part in parts if part.get_content_type() != "application/ms-tnef"]
    return next(text for text in texts if "TURN-----" in unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)))


# The character sets that some programs of DAMAGES write; letters that these lack come out as question marks.
NARROW = {
    "bare_text": "ascii",
    "bare_text_with_prose": "ascii",
    "windows_1252_called_latin_1": "cp1252",
    "unknown_charset": "latin-1",
}


def narrowed(text: str, outer: Damage) -> str:
    """The text with question marks for the letters that the program has no code for."""
    charset = NARROW.get(outer.__name__, "utf-8")
    return text.encode(charset, "replace").decode(charset)


def relayed(first: Damage, second: Damage, block: str) -> tuple[bytes, bool]:
    """The mail of the first program, copied by hand into the second; and whether letters became question marks."""
    text = shown(first(block))
    narrow = narrowed(text, second)
    return second(narrow), narrow != text


# Programs on the way: they take a mail as it is, whatever is in it.

HEAD = b"From: list@example.org\nTo: allies@example.org\nSubject: Fwd: turn\nMIME-Version: 1.0\n"


def _mixed(subtype: str, *parts: bytes, closed: bool = True) -> bytes:
    boundary = hashlib.sha256(b"".join(parts)).hexdigest()[:16].encode()
    lines = b"".join(b"--" + boundary + b"\n" + part + b"\n" for part in parts)
    content_type = b"Content-Type: multipart/" + subtype.encode() + b"; boundary=" + boundary + b"\n\n"
    return HEAD + content_type + lines + (b"--" + boundary + b"--\n" if closed else b"")


def _text(text: str) -> bytes:
    return b"Content-Type: text/plain; charset=us-ascii\n\n" + text.encode("ascii")


def _attached(raw: bytes, head: str = "Content-Type: message/rfc822\n") -> bytes:
    return head.encode("ascii") + b"\n" + raw


def crlf_on_the_wire(raw: bytes) -> bytes:
    return re.sub(rb"\r\n|\r|\n", b"\r\n", raw)


def kept_in_an_mbox(raw: bytes) -> bytes:
    escaped = re.sub(rb"(?m)^(?=>*From )", b">", raw)
    return b"From list@example.org Sat Nov 21 10:00:00 2026\n" + escaped + b"\n"


def forwarded_as_attachment(raw: bytes) -> bytes:
    return _mixed("mixed", _text("see below\n"), _attached(raw))


def forwarded_as_base64(raw: bytes) -> bytes:
    head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n"
    return _mixed("mixed", _text("see below\n"), _attached(base64.encodebytes(raw), head))


def in_a_digest(raw: bytes) -> bytes:
    other = b"From: x@example.org\nSubject: other\n\nno turn; nothing;\n"
    return _mixed("digest", b"\n" + other, b"\n" + raw)


def with_a_cut_end(raw: bytes) -> bytes:
    return _mixed("mixed", _text("the last boundary got lost\n"), _attached(raw), closed=False)


def before_a_virus_report(raw: bytes) -> bytes:
    return _mixed("mixed", _attached(raw), _text("----- scanned; clean; BEGIN OF REPORT -----\n"))


def bounced(raw: bytes) -> bytes:
    status = b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; example.org\n\nAction: delayed\n"
    return _mixed("report; report-type=delivery-status", _text("not yet delivered\n"), status, _attached(raw))


def renamed_eml(raw: bytes) -> bytes:
    head = 'Content-Type: message/rfc822; name="turn.txt"\nContent-Disposition: attachment; filename=turn.txt\n'
    return _mixed("mixed", _attached(raw, head))


def _leaves(message: Message) -> Iterator[Message]:
    """The texts of a mail; an attached message in base64, which RFC 2046 5.2.1 forbids, is passed on as it is."""
    if message.get_content_maintype() == "message" and message["Content-Transfer-Encoding"]:
        return
    if message.is_multipart():
        for part in message.get_payload():
            assert isinstance(part, Message)
            yield from _leaves(part)
    elif message.get_content_type() != "application/ms-tnef":
        yield message


def _recoded(raw: bytes, coding: str, encode: Callable[[bytes], bytes]) -> bytes:
    """Each text of a mail in another transfer encoding, as a server does that may not pass on 8-bit letters."""
    message = email.message_from_bytes(_unboxed(raw))
    for part in _leaves(message):
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = coding
        part.set_payload(encode(content).decode("ascii"))
    return (b"" if message["From"] else HEAD) + message.as_bytes()


def _quoted(content: bytes) -> bytes:
    """Quoted-printable; what isn't lines of text is quoted to the last byte (RFC 2045 6.7)."""
    if b"\0" not in content:
        return quopri.encodestring(content)
    codes = [f"={byte:02X}" for byte in content]
    return "=\n".join("".join(codes[at : at + 24]) for at in range(0, len(codes), 24)).encode("ascii")


def recoded_as_base64(raw: bytes) -> bytes:
    return _recoded(raw, "base64", base64.encodebytes)


def recoded_as_quoted_printable(raw: bytes) -> bytes:
    return _recoded(raw, "quoted-printable", _quoted)


GATEWAYS: tuple[Gateway, ...] = (
    crlf_on_the_wire,
    kept_in_an_mbox,
    forwarded_as_attachment,
    forwarded_as_base64,
    in_a_digest,
    with_a_cut_end,
    before_a_virus_report,
    bounced,
    renamed_eml,
    recoded_as_base64,
    recoded_as_quoted_printable,
)
