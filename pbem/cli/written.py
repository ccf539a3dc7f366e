"""Files that a player names to be written: over one of the same kind alone, and over nothing in his home folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from errno import EACCES
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.disk import open_regular
from pbem.errors import Refused, Storage

if TYPE_CHECKING:
    from pbem.home.folders import Folder

__all__ = ["in_folder", "in_home", "keep_home", "mail_option", "spare_mail", "takes", "turn_option", "writable"]

F = TypeVar("F", bound=Callable[..., Any])

_HEAD = 4096
_PAGE = rb"<!DOCTYPE html>\s(?s:.*) content=\"default-src 'none'; style-src 'unsafe-inline'; img-src"
_SVG = rb'<svg xmlns="http://www\.w3\.org/2000/svg" viewBox="[-0-9. ]+" width="[0-9.]+"[^<>]* role="img"><title>'
_KINDS = {
    "mail": ("a mail of pbem", rb"(?i)(?:[^\r\n]+\r?\n)*?x-pbem: 1\r?\n"),
    "html": ("a page of pbem", _PAGE),
    "json": ("a report of pbem", rb'\{\n "'),
    "csv": ("a table of pbem", rb"game,winner,clause,"),
    "md": ("a part of a page of pbem", rb"### [a-z0-9-]+, [a-z]+ against [a-z]+, [0-9]+ games?\n"),
    "svg": ("a picture of pbem", _SVG),
    "png": ("a picture of pbem", rb"(?s)\x89PNG\r\n\x1a\n\0\0\0\rIHDR.{8}[\x01-\x08]\x03"),
    "text": ("a report of pbem", rb"(?m)(?:.*\n){,12}?Report for .*[,.]"),
}  # fmt: skip
"""Kind -> what it is called, and how a file of that kind begins."""


def writable(path: str | None, kind: str) -> str | None:
    """The file that something of this kind is to be written to; None and - are standard output, and what isn't there
    may be written. Raises Refused where a file is that isn't of that kind, or that is one of the home folder's."""
    if path is None or path == "-":
        return path
    in_folder(path)
    if os.path.isdir(path):
        raise Refused("this is a folder", path, "name a file in it")
    if not os.path.isfile(path):
        return path
    keep_home(path)
    try:
        with open_regular(path) as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", path) from error
    called, beginning = _KINDS[kind]
    if head and not re.match(beginning, head):
        raise Refused(f"this file is there and isn't {called}; it stays", path, "name another one with -o")
    return path


def takes(path: str) -> None:
    """Raises Storage where a file can't be written now; nothing is left of the try."""
    from tempfile import TemporaryFile  # imported where used: only what takes long is tried before

    try:
        if os.path.exists(path) and not os.path.isfile(path):
            if not os.access(path, os.W_OK):
                raise PermissionError(EACCES, os.strerror(EACCES))  # a device or a pipe is not opened to be tried
        else:
            with TemporaryFile(dir=Path(path).parent):
                pass
    except OSError as error:
        raise Storage(f"it can't be written: {error.strerror}", path, "name another one") from error


def in_folder(path: str) -> None:
    """Refuse a file in a folder that isn't there: none is made; - is standard output."""
    folder = Path(path).parent
    if not folder.exists():
        raise Refused("this folder isn't there", str(folder), "make it, or name another file")


def spare_mail(path: str | None, folder: Folder | None) -> None:
    """Refuse to write over a mail that is there, unless all in it is in the log of this game (of none: over any).

    So nothing is lost: what I have written in the game can be written again, and the rest was opened. Raises Refused.
    """
    from pbem.desk.letter import read_letter
    from pbem.mail.inbox import read_mails

    if path is None or path == "-" or not os.path.isfile(path) or not os.path.getsize(path):
        return
    turns = [turn for mail in read_mails(path) for turn in read_letter(mail).copies]
    log = folder.text() if folder is not None and turns else ""
    lost = [turn for turn in turns if turn.text.split("-----BEGIN SSH", 1)[0] not in log]
    if lost or not turns:
        what = f"the mail with entry {lost[0].entry.seq} by {lost[0].entry.by}" if lost else "a damaged mail"
        where = "in the log of this game" if folder is not None else "mine to write over"
        raise Refused(f"{what} is there, which is not {where}; it stays", path, "name another one with -o")


def keep_home(path: str) -> None:
    """Refuse a file of the home folder: what lies there only the program writes over."""
    if in_home(path) is not None:
        raise Refused("this file is one of my home folder, and stays", path, "name another one with -o")


def in_home(path: str) -> Path | None:
    """Where in the home folder a file is that is there, by whatever way it is named; None for any other."""
    from pbem.cli.common import home_of

    root, file = home_of(click.get_current_context().find_root()).root, Path(os.path.realpath(path))
    inside = path != "-" and file.is_file() and file.is_relative_to(os.path.realpath(root))
    return file.relative_to(os.path.realpath(root)) if inside else None


def _mail_option(otherwise: str) -> Callable[[F], F]:
    """The option that names the file of a mail."""
    return click.option(
        "-o", "--output", metavar="FILE", type=click.Path(), callback=lambda _, __, path: writable(path, "mail"),
        help=f"Write the mail there (default: {otherwise}).",
    )  # fmt: skip


mail_option = _mail_option("standard output")
turn_option = _mail_option("standard output, at a terminal as `pbem send --default` says")
"""The same for the mail of a turn, which is handed over at a terminal."""
