"""Mails made by Python's email and mailbox packages: character sets, transfer encodings, attachments, mailboxes."""

from __future__ import annotations

import email.policy
import mailbox
from collections.abc import Iterable, Iterator
from email.message import EmailMessage
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.policy import SMTP, SMTPUTF8, EmailPolicy, compat32
from pathlib import Path

from mail.clients import Written

POLICIES: dict[str, EmailPolicy] = {
    "default": email.policy.default,
    "SMTP": SMTP,
    "SMTPUTF8": SMTPUTF8,
    "short lines": email.policy.default.clone(max_line_length=40),
    "7bit": email.policy.default.clone(cte_type="7bit"),
}
PROSE = {
    "us-ascii": "my turn",
    "utf-8": "Grüße, 徳川 \u2026",
    "iso-8859-1": "Grüße",
    "iso-8859-15": "10 €",
    "windows-1252": "\u201c10 €\u201d",
    "iso-8859-2": "zażółć",
    "koi8-r": "ход",
    "windows-1251": "ход",
    "iso-2022-jp": "徳川慶喜",
    "shift_jis": "徳川慶喜",
    "euc-jp": "徳川慶喜",
    "gb18030": "鸟羽伏见",
    "big5": "鳥羽伏見",
    "euc-kr": "도바",
    "utf-16": "徳川",
    "utf-16-le": "徳川",
    "utf-16-be": "徳川",
    "utf-32-le": "徳川",
    "utf-32-be": "徳川",
    "mac-roman": "Grüße",
    "cp437": "Grüße",
    "cp037": "Gruss",
    "cp500": "Gruss",
}
CODINGS = ("7bit", "8bit", "quoted-printable", "base64")


def message(content: str = "", **options: str) -> EmailMessage:
    """A message of the library with one text."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Jürgen <axis@example.org>", "allies@example.org", "Zug 14 – Fluß"
    mail.set_content(content, **options)
    return mail


def texts(block: str) -> Iterator[Written]:
    for charset, prose in PROSE.items():
        for coding in CODINGS:
            if coding in ("7bit", "8bit") and charset.startswith(("utf-16", "utf-32", "cp037", "cp500")):
                continue  # these have no lines of ASCII
            if coding == "7bit" and not prose.isascii() and charset != "iso-2022-jp":
                continue
            for name, policy in POLICIES.items():
                if name == "7bit" and coding == "8bit":
                    continue
                mail = EmailMessage(policy=policy)
                mail["From"], mail["Subject"] = "axis@example.org", "turn"
                raw = f"{prose}\n\n{block}".encode(charset)
                mail.set_content(raw, "text", "plain", cte=coding, params={"charset": charset})
                yield Written("email: one text", f"{charset} {coding} {name}", mail.as_bytes())


def old_texts(block: str) -> Iterator[Written]:
    """As programs of the 2000s made them: MIMEText, encodings by the library's table of character sets."""
    for charset, prose in PROSE.items():
        if charset not in ("us-ascii", "cp037", "cp500", "utf-32-le", "utf-32-be"):
            mail = MIMEText(f"{prose}\n{block}", "plain", charset, policy=compat32)
            mail["From"] = "axis@example.org"
            yield Written("email: one text", f"MIMEText {charset}", mail.as_bytes())


ATTACHED = (
    ("text", "plain", "turn-14.pbem.txt"),
    ("text", "plain", "Zug Nr. 14 – Fluß.txt"),
    ("text", "plain", "手番.txt"),
    ("text", "x-pbem", "turn.pbem"),
    ("text", "csv", "turn.csv"),
    ("text", "html", "turn.htm"),
    ("text", "markdown", "turn.md"),
    ("text", "calendar", "turn.ics"),
    ("text", "x-patch", "0001-turn.patch"),
    ("application", "octet-stream", "turn.bin"),
    ("application", "octet-stream", "turn.eml"),
    ("application", "octet-stream", "noname"),
)
RETYPED = (
    ("application", "x-pbem", "turn.pbem"),
    ("application", "pdf", "turn.pdf"),
    ("application", "zip", "turn.zip"),
    ("image", "png", "turn.png"),
    ("application", "pgp-encrypted", "turn.asc"),
    ("application", "ms-tnef", "winmail.dat"),
)


def attachment(block: str, main: str, sub: str, name: str, coding: str) -> bytes:
    mail = message("the turn is attached")
    content = block.encode("ascii")
    if (main, sub) == ("text", "html"):
        content = content.replace(b"\n", b"<br>\n")
    mail.add_attachment(content, main, sub, filename=name, cte=coding)
    return mail.as_bytes()


def attachments(block: str) -> Iterator[Written]:
    for main, sub, name in ATTACHED:
        for coding in CODINGS:
            raw = attachment(block, main, sub, name, coding)
            yield Written("email: attached", f"{main}/{sub} {name} {coding}", raw)
    for main, sub, name in RETYPED:
        mail = message(block)
        mail.add_attachment(block.encode("ascii"), main, sub, filename=name)
        yield Written("email: attached", f"in the text and as {main}/{sub}", mail.as_bytes())


def retyped(block: str) -> Iterator[Written]:
    """The turn is only in a file of a type that isn't read."""
    for main, sub, name in RETYPED:
        yield Written("attachment of another type alone", f"{main}/{sub}", attachment(block, main, sub, name, "base64"))


def forwards(block: str) -> Iterator[Written]:
    for name, policy in POLICIES.items():
        inner = message(block)
        for depth in range(1, 5):
            outer = message(f"forwarded {depth}")
            outer.add_attachment(inner)
            yield Written("email: message/rfc822", f"{depth} deep, {name}", outer.as_bytes(policy=policy))
            inner = outer
    old = MIMEMultipart("mixed")
    old["From"] = "axis@example.org"
    old.attach(MIMEText("see below"))
    old.attach(MIMEMessage(MIMEText(block, "plain", "utf-8")))
    yield Written("email: message/rfc822", "MIMEMessage", old.as_bytes())
    rich = message("no turn")
    rich.add_alternative(f"<pre>{block}</pre>", subtype="html")
    page = rich.get_payload(1)
    assert isinstance(page, EmailMessage)
    page.add_related(b"\x89PNG", "image", "png", cid="<1@x>")
    rich.make_mixed()
    rich.add_attachment(b"\x89PNG" * 99, "image", "png", filename="map.png")
    yield Written("email: message/rfc822", "related in mixed", rich.as_bytes())


BOXES = {
    "mbox": mailbox.mbox,
    "MMDF": mailbox.MMDF,
    "Babyl": mailbox.Babyl,
    "Maildir": mailbox.Maildir,
    "MH": mailbox.MH,
}
READ = ("mbox", "Maildir", "MH")  # MMDF and Babyl are not


def boxes(block: str, folder: Path) -> Iterable[tuple[str, Path]]:
    """Mailboxes with three mails, the second one with the turn."""
    say = "From here on we fight;\n>From there too.\n\n"
    for name, make in BOXES.items():
        path = folder / name
        box = make(path, create=True)
        for text in ("no turn\n", say + block, "From afar\n\nno turn\n"):
            box.add(message(text).as_bytes())
        box.flush()
        box.close()
        yield name, path
