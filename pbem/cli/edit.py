"""Orders in an editor: the form in a file of the game's folder, edited, checked and sent, as often as I like."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.asking import prompt
from pbem.cli.checking import checked_orders, consent, due_from_me, goes_first, tell_checked
from pbem.cli.common import address, echo, hint, in_words, look_at, tell
from pbem.cli.files import ORDERS_MAX, read_orders
from pbem.cli.naming import game_option
from pbem.cli.noting import note_of, note_options
from pbem.cli.showing import browser_option
from pbem.cli.turns import one_way, signed, way_options, write_mail, yes_option
from pbem.cli.written import spare_mail
from pbem.errors import PbemError, Refused
from pbem.home.files import read_small
from pbem.home.wishes import wish_now
from pbem.match.table import BARE

if TYPE_CHECKING:
    from pbem.desk.desk import Desk, Place
    from pbem.match.check import Checked

__all__ = ["edit_command"]

BY_HAND = "or do it by hand with `pbem form`, `pbem check` and `pbem send`"


@click.command("edit")
@way_options
@note_options
@yes_option
@browser_option
@game_option
@click.pass_context
def edit_command(
    ctx: click.Context, output: str | None, way: str | None, to: str, note: str | None, write_note: bool, yes: bool,
    no_browser: bool, game: str | None,
) -> int:  # fmt: skip
    """The order form in my editor, then checked and sent.

    VISUAL or EDITOR names the editor. When it is closed, the orders are checked, and I am asked whether to edit again,
    to send them, as `pbem send` does, or to leave them: they stay in the game's folder, and the next `pbem edit` goes
    on with them as long as the same entry is due. That needs a terminal, with --yes too.

    Example: pbem edit -o turn.eml
    """
    one_way(output, way)
    to = address("--to", to)
    editor = _editor(yes=yes)
    me, place = look_at(ctx, game)
    spare_mail(output, place.folder)
    if (wish := wish_now(place.folder, place.table, place.me)) is not None:
        raise Refused("orders can't be sent now", me.home.name_of(place.folder), goes_first(place, wish))
    path = _draft(place)
    before = _text(path)
    _edit(editor, path)
    while True:
        text = _text(path)
        checked = _checked(me, place, path)
        if text == before and checked is None:
            hint("nothing was changed; an editor that stays open in the background must wait, as `code --wait` does")
        answer = _answer(sendable=checked is not None)
        if answer == "edit":
            before = text
            _edit(editor, path)
        elif answer == "leave":
            echo(f"nothing is signed; the orders stay in {path}, `pbem edit` goes on with them")
            return 0
        elif checked is None or _text(path) != text:
            echo("the file has changed since it was checked; it is checked again")
        elif yes or not checked.doubts or consent():
            words = note_of(note, write_note)
            turn = signed(ctx, me, place, [part for _, part in checked.parts])
            write_mail(me, place, turn, output, to, way or "", words, browser=not no_browser)
            return 0


def _editor(*, yes: bool) -> list[str]:
    """The words that start the editor. Raises Refused where none is named, or nobody is here to be asked."""
    named = next((name for name in ("VISUAL", "EDITOR") if os.environ.get(name, "").strip()), None)
    if named is None:
        names = "`setx EDITOR notepad`, in a new terminal," if sys.platform == "win32" else "`export EDITOR=nano`"
        raise Refused("no editor is named in VISUAL or EDITOR", hint=f"{names} names one; {BY_HAND}")
    if not sys.stdin.isatty():
        but = ", which --yes doesn't say: it sends doubtful ones unasked" if yes else ""
        raise Refused(f"nobody can be asked here what to do with the orders{but}", hint=BY_HAND[3:])
    try:
        words = shlex.split(os.environ[named], posix=sys.platform != "win32")  # there a backslash parts folders
    except ValueError:
        what = f"{os.environ[named]!a:.60} can't be read as a command"
        raise Refused(what, named, "a quotation mark has no partner") from None
    return [word.strip('"') for word in words] if sys.platform == "win32" else words


def _draft(place: Place) -> Path:
    """The file for the orders that are due: with what was typed into it before, else with the form.

    Raises Refused when no orders are due.
    """
    from pbem.match.faults import none_asked

    due_from_me(place)
    due = place.table.due()
    if due.what in BARE:
        raise none_asked(due.what)
    path = place.folder.draft(place.table.seq + 1)
    if _text(path).strip():
        echo(f"it goes on with what is in {path}")
    else:
        from pbem.match.form import form

        place.folder.write_draft(path, form(place.table, place.me, in_words))
    return path


def _edit(editor: list[str], path: Path) -> None:
    """Let the editor run; Ctrl-C is for it alone. Raises Refused where it can't, or ends with an error."""
    screen = None if sys.stdout.isatty() else 2  # where the mail is written to a file, the editor is still seen
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.run([*editor, str(path)], check=False, stdout=screen).returncode  # noqa: S603 named by the player
    except OSError as error:
        hint = f"VISUAL or EDITOR names the editor; {BY_HAND}"
        raise Refused(f"the editor can't be started: {error.strerror}", editor[0], hint) from None
    finally:
        signal.signal(signal.SIGINT, before)
    if code:
        raise Refused(f"the editor has ended with {code}; nothing is signed", editor[0], f"what was typed is in {path}")


def _text(path: Path) -> bytes:
    """What is in the file, and no more of it than orders have; nothing where it is gone, or is no file."""
    try:
        return read_small(path, ORDERS_MAX + 1)
    except OSError:
        return b""


def _checked(me: Desk, place: Place, path: Path) -> Checked | None:
    """Check what was written, and tell what is found; None where it can't be sent."""
    try:
        checked = checked_orders(me, place, path.name, read_orders(str(path)))
    except PbemError as error:
        tell(error)
        return None
    tell_checked(place, checked)
    return None if checked.errors else checked


def _answer(*, sendable: bool) -> str:
    """What shall be done: `edit`, `send` or `leave`; who gives no answer leaves."""
    words = ("edit", "send", "leave") if sendable else ("edit", "leave")
    question = "edit again, send or leave? [e/s/l]" if sendable else "edit again or leave? [e/l]"
    while True:
        try:
            typed = prompt(f"pbem: {in_words(question)}", default="", show_default=False, prompt_suffix=" ")
        except click.Abort:
            return "leave"
        for word in words:
            if typed.strip() and word.startswith(typed.strip().lower()):
                return word
