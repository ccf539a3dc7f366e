"""Files that commands read and write for a player: what he has typed, results, mails."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.common import NOBODY, OUTPUT, in_words, source_name
from pbem.cli.written import in_home
from pbem.disk import open_regular
from pbem.errors import Damaged, Refused, Storage

if TYPE_CHECKING:
    from pbem.home.contact import Contact
    from pbem.report.fitting import Version
    from pbem.wire.turn import Turn

__all__ = [
    "ORDERS_MAX", "is_archive", "mail_of", "no_key", "no_mail", "read_orders", "read_typed", "save", "written_to",
]  # fmt: skip

ORDERS_MAX = 2 << 20
"""Bytes of an order file."""

_KEY = "BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY|PuTTY-User-Key-File"

LOOKED_AT = 1 << 16
"""Bytes of a file by which it is told what it is."""

PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF")
"""How pictures begin."""

_TEXTS = {
    "a public key": r"\s*(ssh|ecdsa|sk-ssh|sk-ecdsa)-[a-z0-9@.-]+ [A-Za-z0-9+/=]{40}",
    "a page (HTML)": r"(?i)\s*(<!doctype html|<html)",
    "data (JSON)": r'\s*[\[{]\s*["\[{]',
}
"""What a text is that is no mail -> how it looks."""

NEEDED = "save the mail that your opponent sent, and name its file"


def save(path: str | None, data: bytes) -> None:
    """Write a result to a file (whole or not at all), or to standard output."""
    from pbem.home.files import write_atomically

    if path is None or path == "-":
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except OSError as error:
            raise Storage(f"it can't be written: {error.strerror}", OUTPUT) from error
    elif os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe is written to, not replaced
        try:
            with open(path, "wb") as file:
                file.write(data)
        except OSError as error:
            raise Storage(f"it can't be written: {error.strerror}", path) from error
    else:
        write_atomically(Path(path), data)


def read_orders(path: str) -> str:
    """The text of an order file; `-` is standard input. Raises Storage, Refused or Damaged."""
    from pbem.mail.inbox import is_mail
    from pbem.wire.blocks import is_log

    form = "`pbem form -o FILE` makes an order file"
    text = read_typed(path, "an order file", form, ORDERS_MAX)
    if is_log(text):
        raise Refused("it is a game's log, no order file", source_name(path), f"`pbem verify {path}` verifies it")
    if is_mail(text.encode("utf-8")):
        raise Refused("it is a mail, no order file", source_name(path), f"`pbem open {path}` opens mails")
    if text.lstrip()[:1] == "<":
        raise Refused("it is a page or a picture (HTML, SVG), no order file", source_name(path), form)
    return text


def is_archive(path: str) -> bool:
    """Whether a file is a zip archive: a mail that is stored in one as it is isn't read out of it."""
    from pbem.mail.mime import ARCHIVE

    try:
        with open_regular(path) as file:
            return file.read(len(ARCHIVE)) == ARCHIVE
    except OSError:
        return False


def no_mail(path: str) -> Refused | None:
    """What a file looks like that holds no turn and is no mail; None where nothing is known of it."""
    from pbem.wire.orderfile import ARCHIVE, FORMATS, decoded

    try:
        with open_regular(path) as file:
            data = file.read(LOOKED_AT)
    except OSError:
        return None
    if data.startswith(PICTURES) or data.lstrip().startswith(b"<svg"):
        return Refused("it is a picture, no mail", source_name(path), NEEDED)
    if kind := next((kind for beginning, kind in FORMATS.items() if data.startswith(beginning)), ""):
        backup = f"`pbem restore {path}` restores a backup" if data.startswith(ARCHIVE) else NEEDED
        return Refused(f"it is {kind}, no mail", source_name(path), backup)
    try:
        text = decoded(data)
    except Damaged:
        return None
    if re.search(_KEY, text):
        return Refused("it is a private key, no mail", source_name(path), "it stays with its owner")
    if found := next((what for what, look in _TEXTS.items() if re.match(look, text)), ""):
        return Refused(f"it is {found}, no mail", source_name(path), NEEDED)
    orders = _like_orders(text)
    ways = f"`pbem check {path}` checks orders, `pbem send {path} -o turn.eml` sends them"
    return Refused("it looks like an order file, no mail", source_name(path), ways) if orders else None


def _like_orders(text: str) -> bool:
    """Whether a text can be read as orders, and half of those with several words name something by a number."""
    from pbem.match.form import LANGUAGE
    from pbem.wire.orderfile import parse_statements

    statements, errors = parse_statements(text)
    if not statements:
        takes = LANGUAGE[0][1]
        return " ".join(takes.split()[:5]) in text or in_words(takes)[:10] in text
    longer = [one for _, one in statements if one.tokens]
    orders = [one for one in longer if any(map(str.isdigit, "".join(one.tokens)))]
    return not errors and bool(orders) and 2 * len(orders) >= len(longer)


def read_typed(path: str, what: str, hint: str, most: int) -> str:
    """What a player has typed into a file, of at most so many bytes, in any editor's encoding; `-` is standard input.

    Raises Storage with the hint, Refused or Damaged.
    """
    from pbem.wire.orderfile import decoded

    inside = in_home(path)
    if inside is not None and not (what == "an order file" and _is_draft(inside)):
        raise Refused(
            f"this file is one of my home folder, and not {what}", path, "what of it is meant can be copied elsewhere"
        )
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open_regular(path) as file:
            data: bytes = file.read(most + 1)
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", source_name(path), hint) from error
    if len(data) > most:
        size = f"{most >> 20} MiB" if most >= 1 << 20 else f"{most >> 10} KiB"
        raise Refused(f"it is too large for {what}", source_name(path), f"{size} at most")
    try:
        return no_key(decoded(data), source_name(path))
    except Damaged as error:
        raise error.inside(source_name(path)) from None


def _is_draft(inside: Path) -> bool:
    """Whether a file of the home folder is one in which `pbem edit` keeps orders."""
    from pbem.home.contents import DRAFT

    return len(inside.parts) == 3 and inside.parts[0] == "games" and re.fullmatch(DRAFT, inside.name) is not None


def no_key(text: str, where: str) -> str:
    """The text. Raises Refused where a private key is in it, whatever kind: nothing of that may leave the machine."""
    if re.search(_KEY, text):
        raise Refused("a private key is in it", where, "it stays with its owner: nothing is read or sent of it")
    return text


def written_to(output: str | None, contact: Contact, whom: str = "your opponent") -> str:
    """What is said of a mail that was written to a file, to `whom` without an address; "" for standard output."""
    if output is None or output == "-":
        return ""
    return f"; mail {output} to {contact.to if contact.to not in ('', NOBODY) else whom}"


def mail_of(contact: Contact, subject: str, said: str | Iterable[Version], turn: Turn, name: str) -> bytes:
    """A mail with a turn, dated now, in answer to the opponent's newest; it says as much of what it may say as fits.

    Raises Refused where the clock of this machine is so wrong that no mail can be dated by it.
    """
    from email.utils import make_msgid

    from pbem.mail.outbox import compose
    from pbem.report.fitting import Version, fitted

    sender = contact.mail or NOBODY
    heading = {
        "sender": sender,
        "to": contact.to or NOBODY,
        "subject": subject,
        "date": _today(),
        "message_id": make_msgid(domain=sender.rpartition("@")[2]),
        "attachment_name": name,
    }
    answers = contact.checked().answers or None

    def made(version: Version) -> bytes:
        pictures = [(name, png) for name, _, png in version.pictures]
        words = {"text": version.text, "html": version.html, "block": turn.text}
        return compose(**heading, **words, in_reply_to=answers, pictures=pictures)  # type: ignore[arg-type]

    return fitted([Version(said)] if isinstance(said, str) else said, made)


def _today() -> str:
    """Now, as a mail is dated (RFC 5322). Raises Refused where the clock is beyond the years of the calendar."""
    from email.utils import formatdate

    try:
        return formatdate(localtime=False)
    except (ValueError, OverflowError, OSError):
        what = "it is beyond the year 9999, and no mail can be dated by it: set it right"
        raise Refused(what, "the clock of this machine") from None
