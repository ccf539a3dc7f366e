"""What mail software does to a turn: functions from a rendered block to the bytes of a mail that still holds it."""

from __future__ import annotations

import base64
import html
import quopri
import textwrap
from collections.abc import Callable

Damage = Callable[[str], bytes]

HEADERS = "From: Axis <axis@example.org>\nTo: allies@example.org\nSubject: turn\nMIME-Version: 1.0\n"
PROSE = "Hello,\n\nhere is my turn; good luck at the river.\n\n"
FOOTER = "\n-- \nsent from the front\n"


def mail(text: str, content_type: str = "text/plain; charset=utf-8", more: str = "", charset: str = "utf-8") -> bytes:
    return f"{HEADERS}Content-Type: {content_type}\n{more}\n".encode("ascii") + text.encode(charset)


def _each_line(text: str, before: str = "", after: str = "") -> str:
    return "".join(f"{before}{line}{after}\n" for line in text.splitlines())


def _wrapped(text: str, width: int, line_end: str = "\n") -> str:
    """Each line wrapped on its own, as mail programs do; long words stay whole."""
    wrap = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False).wrap
    return "".join(line_end.join(wrap(line)) + "\n" for line in text.splitlines())


def untouched(block: str) -> bytes:
    return mail(PROSE + block + FOOTER)


def bare_text(block: str) -> bytes:
    return block.encode("ascii")


def bare_text_with_prose(block: str) -> bytes:
    return (PROSE + block + FOOTER).encode("ascii")


def crlf(block: str) -> bytes:
    return untouched(block).replace(b"\n", b"\r\n")


def cr(block: str) -> bytes:
    return untouched(block).replace(b"\n", b"\r")


def byte_order_mark(block: str) -> bytes:
    return mail("\ufeff" + block)


def trailing_blanks(block: str) -> bytes:
    return mail(_each_line(PROSE + block, after="   \t"))


def indented(block: str) -> bytes:
    return mail(_each_line(PROSE + block, before="    "))


def double_spaced(block: str) -> bytes:
    return mail((PROSE + block).replace("\n", "\n\n"))


def double_blanks(block: str) -> bytes:
    head, fence, rest = block.partition("-----END PBEM TURN-----")
    return mail(head.replace(" ", "  ").replace("BEGIN  PBEM  TURN", "BEGIN PBEM TURN") + fence + rest)


def tabs(block: str) -> bytes:
    return mail(block.replace(" ", "\t"))


def quoted_printable(block: str) -> bytes:
    text = quopri.encodestring((PROSE + block).encode()).decode()
    return mail(text, more="Content-Transfer-Encoding: quoted-printable\n")


def quoted_printable_every_letter(block: str) -> bytes:
    codes = [f"={byte:02X}" for byte in block.encode()]
    text = "=\n".join("".join(codes[at : at + 24]) for at in range(0, len(codes), 24))
    return mail(text, more="Content-Transfer-Encoding: quoted-printable\n")


def base64_encoded(block: str) -> bytes:
    return mail(base64.encodebytes((PROSE + block).encode()).decode(), more="Content-Transfer-Encoding: base64\n")


def flowed(block: str) -> bytes:
    return mail(_wrapped(PROSE + block, 66, " \n"), "text/plain; charset=utf-8; format=flowed")


def delsp(block: str) -> bytes:
    return mail(_wrapped(PROSE + block, 66, "  \n"), "text/plain; charset=utf-8; format=flowed; delsp=yes")


def delsp_inside_words(block: str) -> bytes:
    """Cut every 20 letters; a line that begins with a blank gets one more (RFC 3676 4.4)."""
    lines = [[line[at : at + 20] for at in range(0, len(line), 20)] for line in block.splitlines()]
    stuffed = [" \n".join(" " + piece if piece.startswith(" ") else piece for piece in pieces) for pieces in lines]
    text = "\n".join(stuffed) + "\n"
    return mail(text, 'text/plain; charset=utf-8; format="flowed"; delsp="yes"').replace(b"\n", b"\r\n")


def wrapped_72(block: str) -> bytes:
    return mail(_wrapped(PROSE + block, 72))


def wrapped_30(block: str) -> bytes:
    return mail(_wrapped(PROSE + block, 30))


def quoted_twice_and_wrapped_66(block: str) -> bytes:
    return mail(_each_line(_wrapped(PROSE + block, 66), before="> > "))


def quoted_without_blank(block: str) -> bytes:
    return mail(_each_line(PROSE + block, before=">"))


def quoted_with_bars(block: str) -> bytes:
    return mail(_each_line(PROSE + block, before=" | > "))


def hard_blanks(block: str) -> bytes:
    return mail(block.replace(" ", "\u00a0"))


def curly_quotes(block: str) -> bytes:
    return mail((PROSE + block).replace("'", "\u2019"))


def windows_1252_called_latin_1(block: str) -> bytes:
    text = ("F\u00fcr dich\u2026 " + PROSE + block).replace("'", "\u2019").replace(" ", "\u00a0")
    return mail(text, "text/plain; charset=iso-8859-1", "Content-Transfer-Encoding: 8bit\n", "cp1252")


def unknown_charset(block: str) -> bytes:
    return mail("Gr\u00fc\u00dfe\n" + block, "text/plain; charset=x-nobody-knows", charset="latin-1")


def zero_width_blanks_and_soft_hyphens(block: str) -> bytes:
    return mail(block.replace("e", "e\u00ad").replace("o", "\u200bo"))


def bidi_controls(block: str) -> bytes:
    return mail(block.replace(" ", " \u202a").replace(";", "\u202c;\u200f"))


def autocorrected_dashes(block: str) -> bytes:
    payload, fence, rest = block.partition("-----END")
    begin, line_end, body = payload.partition("\n")
    return mail(begin + line_end + body.replace("-", "\u2011") + fence + rest)


def autocorrected_fractions_and_ligatures(block: str) -> bytes:
    payload, fence, rest = block.partition("-----END")
    return mail(payload.replace("1/2", "\u00bd").replace("ffi", "\ufb03") + fence + rest)


def full_width(block: str) -> bytes:
    return mail("".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" if c == " " else c for c in block))


def dash_escaped(block: str) -> bytes:
    return mail(PROSE + block.replace("-----BEGIN", "- -----BEGIN").replace("-----END", "- -----END"))


def fences_inside_lines(block: str) -> bytes:
    return mail(PROSE.rstrip() + " " + block.replace(";\n-----END", "; -----END").rstrip() + " See you.")


def all_newlines_lost(block: str) -> bytes:
    return mail(" ".join((PROSE + block).split()))


def all_newlines_lost_and_wrapped(block: str) -> bytes:
    return mail(_each_line(_wrapped(" ".join((PROSE + block).split()), 72), before="> "))


def html_only(block: str) -> bytes:
    lines = "".join(f"<div>{html.escape(line)}<br></div>\n" for line in (PROSE + block).splitlines())
    head = "<head><style>p { x: 'a;b' }</style><script>var a = '-----BEGIN PBEM TURN-----';</script></head>"
    return mail(f"<html>{head}<body>{lines}</body></html>", "text/html; charset=utf-8")


def html_with_entities_and_tags(block: str) -> bytes:
    text = html.escape(block).replace(" ", "&nbsp;").replace("\n", "<br/>").replace("move", "<b>mo</b>ve")
    return mail(f"<blockquote><p>&gt; {text}</p></blockquote>", "text/html")


def _multipart(subtype: str, *parts: tuple[str, str]) -> bytes:
    body = "".join(f"--=_b.0 'x\nContent-Type: {kind}\n\n{text}\n" for kind, text in parts)
    return mail(f"This is a message in parts.\n{body}--=_b.0 'x--\n", f'multipart/{subtype};\n boundary="=_b.0 \'x"')


def alternative_with_both(block: str) -> bytes:
    return _multipart("alternative", ("text/plain", block), ("text/html", html.escape(block).replace("\n", "<br>")))


def forwarded_message(block: str) -> bytes:
    return _multipart("mixed", ("text/plain", "see below"), ("message/rfc822", untouched(block).decode()))


def forwarded_in_digest(block: str) -> bytes:
    return _multipart("digest", ("", quoted_printable(block).decode())).replace(b"Content-Type: \n", b"")


def attached_as_octet_stream(block: str) -> bytes:
    content = base64.encodebytes(block.encode()).decode()
    kind = 'application/octet-stream; name="turn.pbem"\nContent-Transfer-Encoding: base64'
    return _multipart("mixed", ("text/plain", PROSE), (kind, content))


def attached_as_utf_16(block: str) -> bytes:
    content = base64.encodebytes(block.encode("utf-16")).decode()
    kind = 'application/octet-stream; name="turn.txt"\nContent-Transfer-Encoding: base64'
    return _multipart("mixed", ("text/plain", PROSE), (kind, content))


def utf_16(block: str) -> bytes:
    more = "Content-Transfer-Encoding: base64\n"
    return mail(base64.encodebytes(block.encode("utf-16-le")).decode(), "text/plain; charset=utf-16le", more)


def beside_winmail_dat(block: str) -> bytes:
    tnef = base64.encodebytes(b"\x78\x9f\x3e\x22" + bytes(range(256))).decode()
    kind = "application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64"
    return _multipart("mixed", ("text/plain", block), (kind, tnef))


def list_footer(block: str) -> bytes:
    return _multipart(
        "mixed", ("text/plain", block), ("text/plain", "_____\nwargames mailing list; unsubscribe; below;")
    )


def cut_multipart(block: str) -> bytes:
    return _multipart("mixed", ("text/plain", PROSE), ("text/plain", block)).replace(b"--=_b.0 'x--\n", b"")


def no_empty_line_after_headers(block: str) -> bytes:
    return b"From: Axis <axis@example.org>\nSubject: turn\n" + block.encode()


def mbox(block: str) -> bytes:
    escaped = (PROSE + "From here on; it is signed.\n\n" + block).replace("\nFrom ", "\n>From ")
    return b"From axis@example.org Sat Nov 21 10:00:00 2026\n" + mail(escaped) + b"\n"


DAMAGES: tuple[Damage, ...] = (
    untouched,
    bare_text,
    bare_text_with_prose,
    crlf,
    cr,
    byte_order_mark,
    trailing_blanks,
    indented,
    double_spaced,
    double_blanks,
    tabs,
    quoted_printable,
    quoted_printable_every_letter,
    base64_encoded,
    flowed,
    delsp,
    delsp_inside_words,
    wrapped_72,
    wrapped_30,
    quoted_twice_and_wrapped_66,
    quoted_without_blank,
    quoted_with_bars,
    hard_blanks,
    curly_quotes,
    windows_1252_called_latin_1,
    unknown_charset,
    zero_width_blanks_and_soft_hyphens,
    bidi_controls,
    autocorrected_dashes,
    autocorrected_fractions_and_ligatures,
    full_width,
    dash_escaped,
    fences_inside_lines,
    all_newlines_lost,
    all_newlines_lost_and_wrapped,
    html_only,
    html_with_entities_and_tags,
    alternative_with_both,
    forwarded_message,
    forwarded_in_digest,
    attached_as_octet_stream,
    attached_as_utf_16,
    utf_16,
    beside_winmail_dat,
    list_footer,
    cut_multipart,
    no_empty_line_after_headers,
    mbox,
)
