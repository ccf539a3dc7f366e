"""Outgoing mail: one message with the report for the eye and the signed block for the program."""

from __future__ import annotations

import binascii
import hashlib
import re
import sys
from collections.abc import Sequence
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formataddr, getaddresses
from urllib.parse import quote

from pbem.errors import Damaged
from pbem.mail.headers import HEADER_MAX, MESSAGE_ID
from pbem.mail.mime import leaves
from pbem.wire.blocks import PART_MAX, find_blocks

__all__ = ["MAILTO_MAX", "MAIL_MAX", "compose", "mailto"]

MAIL_MAX = 1 << 20
"""Bytes of a mail that goes out (protocol 7); one that is read may have twice as many."""

MAILTO_MAX = 2000 if sys.platform == "win32" else 8000
"""Letters of an address of mailto: that mail programs take whole; Windows cuts longer ones, others refuse them."""

_LINE_MAX = 76  # letters of a line that goes as it is
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_PICTURE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,39}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ACTIVE = re.compile(r"<\s*(?:script|iframe|object|embed)\b|<[^<>]*(?:javascript:|\son\w+\s*=)", re.IGNORECASE)


def _plain_header(name: str, value: str, pattern: re.Pattern[str] | None = None) -> str:
    fits = value.isascii() and not _CONTROL.search(value) and len(value) <= HEADER_MAX
    if not fits or (pattern and not pattern.fullmatch(value)):
        raise Damaged(f"{ascii(value)[:60]} can't be the {name} of a mail")
    return f"{name}: {value}\r\n"


def _address_header(name: str, value: str) -> str:
    """Names go as encoded words where needed (RFC 2047); an address itself must be ASCII."""
    pairs = getaddresses([value]) if not _CONTROL.search(value) else []
    if not pairs or not all("@" in address for _, address in pairs):
        raise Damaged(f"{ascii(value)[:60]} isn't a mail address", name)
    try:
        return _plain_header(name, ", ".join(map(formataddr, pairs)))
    except UnicodeError:
        raise Damaged(f"{ascii(value)[:60]}: the address itself must be ASCII", name) from None


def _subject_header(value: str) -> str:
    if _CONTROL.search(value):
        raise Damaged(f"{ascii(value)[:60]} can't be the Subject of a mail")
    if value.isascii() and len(value) <= 65:
        return f"Subject: {value}\r\n"
    return f"Subject: {Header(value, 'utf-8', 75, 'Subject').encode(linesep=chr(13) + chr(10))}\r\n"


def _part(content: str, subtype: str = "plain", file_name: str = "") -> EmailMessage:
    """A text part: as it is where its lines are short ASCII, otherwise in the encoding that makes it shorter."""
    part = EmailMessage(policy=SMTP)
    part.set_content(content, subtype, "us-ascii" if content.isascii() else "utf-8", cte=_encoding(content))
    if file_name:
        part.add_header("Content-Disposition", "attachment", filename=file_name)
    del part["MIME-Version"]
    return part


def _page(html: str, pictures: Sequence[tuple[str, bytes]], seed: str) -> EmailMessage:
    """The page, and beside it in one part the pictures that it names (RFC 2387, 2392)."""
    page = _part(html, "html")
    return _multipart("related", [page, *(_picture(*picture) for picture in pictures)], seed) if pictures else page


def _picture(name: str, png: bytes) -> EmailMessage:
    if not _PICTURE_NAME.fullmatch(name):
        raise Damaged(f"{ascii(name)[:60]} can't be the name of a picture")
    part = EmailMessage(policy=SMTP)
    part.set_content(png, "image", "png", cid=f"<{name}>", disposition="inline", filename=f"{name}.png")
    del part["MIME-Version"]
    return part


def _encoding(content: str) -> str:
    """7bit for short ASCII lines; else quoted-printable, or base64 where that is shorter: it is not for the eye."""
    if content.isascii() and max(map(len, content.split("\n"))) <= _LINE_MAX:
        return "7bit"
    raw = content.replace("\n", "\r\n").encode("utf-8")
    in_base64 = len(raw) * 4 / 3 * (_LINE_MAX + 2) / _LINE_MAX
    return "base64" if in_base64 < len(binascii.b2a_qp(raw, istext=True)) else "quoted-printable"


def _multipart(subtype: str, parts: list[EmailMessage], seed: str) -> EmailMessage:
    container = EmailMessage(policy=SMTP)
    container["Content-Type"] = f'multipart/{subtype}; boundary="pbem-{subtype[:3]}-{seed}"'
    for part in parts:
        container.attach(part)
    return container


def _head(sender: str, to: str, subject: str, date: str, message_id: str, in_reply_to: str | None) -> str:
    named = in_reply_to is not None and MESSAGE_ID.fullmatch(in_reply_to)
    reply = _plain_header("In-Reply-To", in_reply_to or "") if named else ""
    lines = [
        _address_header("From", sender),
        _address_header("To", to),
        _subject_header(subject),
        _plain_header("Date", date),
        _plain_header("Message-ID", message_id, MESSAGE_ID),
        reply,
        reply.replace("In-Reply-To", "References", 1),
        "Auto-Submitted: no\r\nX-PBEM: 1\r\nX-Unsent: 1\r\nMIME-Version: 1.0\r\n",
    ]
    return "".join(lines)


def compose(
    *,
    sender: str,
    to: str,
    subject: str,
    text: str,
    html: str | None,
    block: str,
    in_reply_to: str | None,
    date: str,
    message_id: str,
    attachment_name: str,
    pictures: Sequence[tuple[str, bytes]] = (),
) -> bytes:
    """An .eml, CRLF: `text` and the block in the body, `html` beside it, the block once more as a text attachment.

    `pictures` are names and PNG of what `html` shows as `cid:NAME`. The same arguments give the same bytes. Raises
    Damaged where an argument doesn't fit a mail, where the mail would have more than 1 MiB, or where it would not give
    back exactly the blocks of `block`; an `in_reply_to` that can't be a Message-ID, whose sender made it, is left out.
    """
    if not _FILE_NAME.fullmatch(attachment_name):
        raise Damaged(f"{ascii(attachment_name)[:60]} can't be the name of an attachment")
    if html is not None and _ACTIVE.search(html):
        raise Damaged("the HTML of the mail holds a script", hint="a report is text, tables and pictures")
    head = _head(sender, to, subject, date, message_id, in_reply_to)
    text, block, html = (_plain_text(part) for part in (text, block, html or ""))
    parts = [_part(f"{text.rstrip()}\n\n{block}" if text.strip() else block)]
    seed = hashlib.sha256("\0".join([text, block, html, message_id]).encode("utf-8")).hexdigest()[:32]
    parts += [_page(html, pictures, seed)] if html else []
    body = _multipart("alternative", parts, seed) if html else parts[0]
    mail = (
        "".join(head).encode("ascii")
        + _multipart("mixed", [body, _part(block, file_name=attachment_name)], seed).as_bytes()
    )
    _check(mail, block)
    return mail


def _plain_text(text: str) -> str:
    """The text with LF line ends; Damaged when it holds half letters (lone surrogates)."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as problem:
        raise Damaged(f"a text of the mail holds U+{ord(text[problem.start]):04X}, which is no letter") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _check(mail: bytes, block: str) -> None:
    """Read the mail as the other side will; the report may hold no turn of its own."""
    if len(mail) > MAIL_MAX:
        raise Damaged(f"the mail has {len(mail)} bytes, at most {MAIL_MAX} go out")
    texts = {block: find_blocks(block)}
    meant = texts[block]
    for leaf in leaves(mail):
        if leaf.damage:
            raise Damaged(leaf.damage, hint=f"a text may have {PART_MAX} bytes")
        if leaf.text not in texts:
            texts[leaf.text] = find_blocks(leaf.text)
    if any(blocks not in ([], meant) for blocks in texts.values()):
        raise Damaged("the report of the mail holds a turn of its own", hint="show it without its fences")
    if not meant:
        raise Damaged("the block of the mail is none", hint="give it as it is rendered")


def mailto(to: str, subject: str, text: str) -> str:
    """The address of mailto: that opens a mail program with this text, for whom "" leaves open."""
    body = text.replace("\n", "\r\n")
    return f"mailto:{quote(to, safe='@')}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"
