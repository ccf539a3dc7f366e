"""What the commands share: the home folder, the key, the game meant, talk on standard error, files read and written."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable
from email.utils import formatdate, make_msgid
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from pbem.errors import Refused, Storage

if TYPE_CHECKING:
    from pbem.envelope import Block
    from pbem.errors import PbemError
    from pbem.home import Contact, Home
    from pbem.keys import Signer
    from pbem.play import Desk, Place
    from pbem.scenario import Scenario
    from pbem.table import Due

__all__ = [
    "NOBODY", "address", "as_json", "cache_folder", "cut", "desk", "due_words", "echo", "error_data", "folded",
    "game_option", "hint", "home_of", "json_option", "mail_of", "one_line", "place_of", "player_name", "progress",
    "read_orders", "save", "scenario_of", "show", "source_name", "tell", "written_to",
]  # fmt: skip

WIDTH = 78
"""Columns of what is written for the eye."""

LINE_MAX = 300
"""Letters of a line of talk, whoever wrote the words in it."""

json_option = click.option("--json", "as_json_data", is_flag=True, help="As JSON, for programs.")
game_option = click.option("--game", metavar="ID", help="The game, by the beginning of its id.")


NOBODY = "player@localhost"
"""Stands in a mail where an address isn't known."""


def one_line(message: str) -> str:
    """The message on one line; control characters, which a mail could have put there, are shown as their codes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)


def show(text: str, *, nl: bool = True) -> None:
    """Text on standard output; of control characters in its lines, whoever wrote them, the codes are shown."""
    click.echo("\n".join(map(one_line, text.split("\n"))), nl=nl)


def echo(message: str) -> None:
    """A line of talk, on standard error; of one that is too long the beginning and the end."""
    click.echo(cut(f"pbem: {one_line(message)}", LINE_MAX), err=True)


def hint(message: str) -> None:
    """A hint, on standard error."""
    echo(f"hint: {message}")


def tell(error: PbemError, about: str = "") -> None:
    """An error on standard error, `about` before it: a line with its hint, and one for each defect of a list."""
    text, defects = str(error), getattr(error, "defects", ())
    place = f"{error.where}: " if error.where else ""
    tail = one_line(text[len(place) + len(error.what) :])
    place, what = one_line(place), one_line(error.what.partition("\n")[0] if defects else error.what)
    over = max(0, len(f"pbem: {about}{place}{what}{tail}") - LINE_MAX)
    head = f"pbem: {about}{cut(place, max(60, len(place) - over))}{what}"  # a long path says least
    fits = len(tail) < LINE_MAX - 100
    click.echo(cut(head, LINE_MAX - len(tail)) + tail if fits else cut(head + tail, LINE_MAX), err=True)
    for defect in defects:
        echo(f"  {defect}")


def cut(text: str, most: int) -> str:
    """A text of at most so many letters: where it is longer, two thirds from its beginning, the rest from its end."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 5]} ... {text[len(text) - end :]}"


def folded(text: str, first: str = "", rest: str | None = None) -> str:
    """A text in lines of at most 78 columns: `first` stands before the first one, `rest` before others."""
    following = first if rest is None else rest
    return fill(text, WIDTH, initial_indent=first, subsequent_indent=following, break_on_hyphens=False)


def as_json(data: Any) -> None:
    """JSON on standard output."""
    show(json.dumps(data, indent=1, sort_keys=True))


def error_data(error: PbemError) -> dict[str, str]:
    """An error as JSON data."""
    return {
        "error": type(error).__name__,
        "what": error.what,
        "where": error.where,
        "hint": error.hint,
        "clause": getattr(error, "clause", ""),
    }


def due_words(due: Due, me: str | None = None) -> str:
    """Who has to do what: `ben has to send orders`, `I have to reveal dice`."""
    if due.player is None:
        return "the game is over"
    who = "I have" if due.player == me else f"{due.player} has"
    words = {
        "orders": "send orders",
        "react": "answer",
        "reveal": "reveal dice",
        "reply": "accept or refuse a proposal",
    }
    return f"{who} to {words[due.what]}"


def home_of(ctx: click.Context) -> Home:
    """The home folder."""
    from pbem.home import Home, default_home

    named = ctx.obj["home"]
    return Home(Path(named) if named else default_home(os.environ))


def progress() -> Callable[[int, int], None]:
    """A watcher that tells how far a replay is, once it takes longer than a second."""
    begun = last = time.monotonic()

    def watch(number: int, count: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - begun > 1 and now - last > 0.5:
            last = now
            echo(f"entry {number} of {count} ...")

    return watch


def desk(ctx: click.Context) -> Desk:
    """The player at his home folder; the key is loaded when it is first needed."""
    from pbem.play import Desk

    home = home_of(ctx)
    return Desk(home, lambda: _signer(ctx, home), progress())


def _signer(ctx: click.Context, home: Home) -> Signer:
    from pbem.keys import load_signer

    path = Path(ctx.obj["key"]) if ctx.obj["key"] else home.key
    if not path.exists() and not ctx.obj["key"] and not Path(f"{path}.pub").exists():
        raise Refused(f"there is no key: {path}", hint="`pbem key new` makes one, or name yours with --key or PBEM_KEY")
    signer = load_signer(path, _passphrase)
    for line in signer.hints:
        hint(line)
    return signer


def _passphrase(name: str) -> str:
    known = os.environ.get("PBEM_PASSPHRASE")
    if known is not None:
        return known
    if not sys.stdin.isatty():
        raise Refused(f"the key {name} is encrypted", hint="give its passphrase in PBEM_PASSPHRASE, or use ssh-agent")
    answer: str = click.prompt(cut(one_line(f"passphrase of {name}"), LINE_MAX), hide_input=True, err=True)
    return answer


def place_of(ctx: click.Context, game: str | None) -> tuple[Desk, Place]:
    """The desk, and the game meant, opened."""
    mine = desk(ctx)
    return mine, mine.place(mine.home.find(game))


def scenario_of(me: Desk, place: Place) -> Scenario:
    """The scenario of a game."""
    return me.home.load(place.table.genesis.terms.scenario)


def cache_folder(me: Desk, name: str) -> Path | None:
    """A folder in the cache, made if it can be; None else."""
    path = me.home.cache / name
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return path


# --- what was typed ----------------------------------------------------------------------------------------------


def player_name(name: str) -> str:
    """A player's name as it was typed. Raises Refused for one that can't stand in a game."""
    if not re.fullmatch("[a-z][a-z0-9-]{0,15}", name):
        hint = "a small letter a-z, then a-z, 0-9 and -; 16 at most"
        near = re.sub("[^a-z0-9-]+", "-", name.lower()).strip("-0123456789")[:16].rstrip("-")
        raise Refused(f"{name!a:.60} can't be a player's name", "--name", hint + (f", as in {near}" if near else ""))
    return name


def address(option: str, typed: str) -> str:
    """The mail address that was typed, "" for none. Raises Refused for what is no single plain one."""
    from pbem.home import checked_address

    found = checked_address(typed)
    if typed and not found:
        raise Refused(f"{typed!a:.60} isn't a mail address", option, "one address it must be, as in ben@example.net")
    return found


def source_name(path: str) -> str:
    """What a file is called in a message."""
    return "standard input" if path == "-" else path


# --- files -------------------------------------------------------------------------------------------------------


def save(path: str | None, data: bytes) -> None:
    """Write a result to a file (whole or not at all), or to standard output."""
    from pbem.gamelog import write_atomically

    if path is None or path == "-":
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except OSError as error:
            raise Storage(f"it can't be written: {error.strerror}", "standard output") from error
    else:
        write_atomically(Path(path), data)


def read_orders(path: str) -> str:
    """The text of an order file; `-` is standard input. Raises Storage or Refused."""
    limit = 2 << 20
    try:
        with click.open_file(path, "rb") as file:
            data: bytes = file.read(limit + 1)
    except OSError as error:
        hint = "`pbem form > orders.txt` makes an order file"
        raise Storage(f"it can't be read: {error.strerror}", source_name(path), hint) from error
    if len(data) > limit:
        raise Refused("it is too large for an order file", source_name(path), "2 MiB at most")
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise Refused("it isn't text", f"{source_name(path)}, line {line}", "orders are plain text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Refused("it isn't text", f"{source_name(path)}, line {line}", "orders are plain text") from error


def written_to(output: str | None, contact: Contact) -> str:
    """What is said of a mail that was written to a file; "" for standard output."""
    if output is None or output == "-":
        return ""
    return f"; mail {output} to {contact.to if contact.to not in ('', NOBODY) else 'your opponent'}"


def mail_of(contact: Contact, subject: str, text: str, html: str | None, block: Block, name: str) -> bytes:
    """A mail with a turn block, dated now."""
    from pbem.envelope import render_block
    from pbem.mailout import compose

    sender = contact.mail or NOBODY
    domain = sender.rpartition("@")[2]
    return compose(
        sender=sender,
        to=contact.to or NOBODY,
        subject=subject,
        text=text,
        html=html,
        block=render_block(block),
        in_reply_to=None,
        date=formatdate(localtime=False),
        message_id=make_msgid(domain=domain),
        attachment_name=name,
    )
