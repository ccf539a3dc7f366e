"""Notes on the command line: read from a file, typed or written in an editor; and those that a report shows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import echo, source_name
from pbem.cli.files import no_key, read_typed
from pbem.errors import Damaged, Refused
from pbem.language import say
from pbem.wire.notes import LETTERS, LINES, Note, render_note, tidy

if TYPE_CHECKING:
    from pbem.desk.desk import Place

__all__ = ["beside", "note_of", "note_options", "notes_for", "told"]

NOTE_BYTES = 1 << 16
"""Bytes of a file with a note."""

_file = click.option("--note", metavar="FILE", help="A note beside the turn, in any language, unsigned; - is typed.")
_editor = click.option("--write-note", is_flag=True, help="Write the note in my editor.")


def note_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options by which a mail gets a note."""
    return _file(_editor(command))


def note_of(path: str | None, write: bool) -> str:
    """The note that goes with a mail, "" for none; it is read before anything is signed. Raises Refused."""
    if path is None and not write:
        return ""
    if path is not None and write:
        raise click.UsageError("--note and --write-note are two ways; name one")
    where = "--write-note" if write else source_name(path or "")
    text = (click.edit("", extension=".txt") or "") if write else _typed() if path == "-" else _from_file(path or "")
    if not tidy(no_key(text, where)):
        raise Refused("the note is empty; nothing is signed", where)
    letters, lines = len(text.strip()), len(text.strip().splitlines())
    if letters > LETTERS or lines > LINES:
        what = f"the note has {letters:,} letters in {lines} lines"
        raise Refused(what, where, f"{LETTERS:,} in {LINES} at most")
    return tidy(text)


def _from_file(path: str) -> str:
    try:
        return read_typed(path, "a note", "--note names a file with it", NOTE_BYTES)
    except Damaged as error:
        error.hint = "a note is plain text: save it as UTF-8"
        raise


def _typed() -> str:
    """Standard input; at a terminal up to a full stop on a line of its own."""
    if not sys.stdin.isatty():
        return _from_file("-")
    echo("the note, in as many lines as you like; a full stop on a line of its own ends it:")
    lines: list[str] = []
    while len(lines) <= LINES and (line := sys.stdin.readline(NOTE_BYTES)) and line.strip() != ".":
        lines.append(line)
    return "".join(lines)


def beside(note: Note | None, text: str) -> str:
    """The text of a mail without orders, the note before it."""
    return f"{render_note(note)}\n\n{text}" if note is not None else text


def told(by: str, note: str) -> str:
    """What somebody has written beside his offer, for the eye; "" where it is nothing."""
    lines = "".join(f"  | {line}".rstrip() + "\n" for line in note.split("\n"))
    return say("%(by)s's note, not signed:\n%(lines)s", by=by, lines=lines) if note else ""


def notes_for(place: Place) -> list[Note]:
    """What the opponent wrote beside the entries that came behind my newest: I have read what stood by others."""
    since = place.table.mailed.get(place.me, place.table.seq - 1)
    return [one for one in place.folder.notes() if since < one.seq <= place.table.seq and one.by != place.me]
