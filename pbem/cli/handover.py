"""How a mail leaves: to a file, as a text on the clipboard, into the mail program, or printed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.common import NOBODY, hint
from pbem.cli.files import save
from pbem.cli.written import writable
from pbem.errors import Refused
from pbem.mail.outbox import MAILTO_MAX, mailto
from pbem.records import NamedTuple

if TYPE_CHECKING:
    from pbem.home.contact import Contact

__all__ = ["NOT_LEFT", "WAYS", "Outgoing", "default_of", "hand_over", "tell_ways"]

WAYS = ("file", "copy", "mailto", "print")
"""What `pbem send --default` may be, beside `ask`."""

NOT_LEFT = "; its mail has not left yet"
"""What is told of a mail at a terminal where nobody has said how it leaves."""


class Outgoing(NamedTuple):
    """A mail on its way out.

    mail, subject   the whole message, and what it is about
    text            a few lines with the block, for a webmail
    contact         where it goes
    name            what its file is called where nobody has named it
    """

    mail: bytes
    subject: str
    text: str
    contact: Contact
    name: str


def hand_over(out: Outgoing, way: str, output: str | None) -> str:
    """Let a mail leave; what is told of it, NOT_LEFT where nobody has said how. Raises Refused or Storage.

    `way` is one of WAYS or "", as `output` says then: a file, or standard output unless somebody looks at it.
    """
    to = out.contact.to if out.contact.to not in ("", NOBODY) else "your opponent"
    if way == "file" and output is None:
        output = writable(out.name, "mail")
    if output not in (None, "-"):
        save(output, out.mail)
        return f"; mail {output} to {to}"
    if way == "copy":
        return f"; {_copied(out.text)}: paste it into a mail to {to}"
    if way == "mailto":
        _open_mailto(out)
        return f"; the mail program has it, to {to}"
    if output == "-" or way == "print" or not sys.stdout.isatty():
        save("-", out.mail)
        return ""
    return NOT_LEFT


def tell_ways() -> None:
    """Say how a mail that has not left can leave."""
    hint("`pbem send --again -o turn.eml` writes the mail, to be opened and sent in a mail program")
    hint("`pbem send --again --copy` puts a short text with the signed block on the clipboard, for any webmail")
    hint("`--mailto` opens the mail program with that text, `--print` shows the mail")
    hint("`pbem send --default copy` keeps one of these for next time")


def _copied(text: str) -> str:
    """Put a text on the clipboard, or else on standard output; where it is."""
    for program in _clipboards():
        path = shutil.which(program[0])
        if path is None:
            continue
        try:
            subprocess.run([path, *program[1:]], input=_for(program[0], text), check=True, timeout=10)  # noqa: S603 ours
        except (OSError, subprocess.SubprocessError):
            continue
        return "its text is on the clipboard"
    save("-", text.encode("utf-8"))
    return "its text is above, for no clipboard is here"


def _for(program: str, text: str) -> bytes:
    """The text as a clipboard program takes it: that of Windows knows letters of all languages in UTF-16 alone."""
    return text.encode("ascii" if text.isascii() else "utf-16" if program.startswith("clip") else "utf-8")


def _clipboards() -> list[list[str]]:
    """The programs that may put something on the clipboard here."""
    if sys.platform == "win32":
        return [["clip"]]
    if sys.platform == "darwin":
        return [["pbcopy"]]
    found = [["wl-copy"]] if os.environ.get("WAYLAND_DISPLAY") else []
    found += [["xclip", "-selection", "clipboard"], ["xsel", "-b", "-i"]] if os.environ.get("DISPLAY") else []
    return [*found, ["clip.exe"]]


def _open_mailto(out: Outgoing) -> None:
    """Open the mail program with the text of a mail. Raises Refused where it is too long, or no program is there."""
    url = mailto(out.contact.to if out.contact.to != NOBODY else "", out.subject, out.text)
    if len(url) > MAILTO_MAX:
        what = f"with {len(url):,} letters it is too long for a mail program to take, {MAILTO_MAX:,} at most"
        raise Refused(what, "--mailto")
    if sys.platform == "win32":
        os.startfile(url)  # noqa: S606 an address of mailto:
        return
    seen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    program = shutil.which("open" if sys.platform == "darwin" else "xdg-open") if seen else None
    if program is None:
        raise Refused("no mail program can be opened here", "--mailto")
    os.posix_spawn(program, [program, url], os.environ)  # it isn't waited for: it may be the mail program itself


def default_of(root: Path) -> str:
    """How mails leave by default at this home; "" where nothing is kept."""
    from pbem.home.settings import read_settings

    way = read_settings(root).get("send", "")
    return way if way in WAYS else ""
