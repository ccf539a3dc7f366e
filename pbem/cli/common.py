"""What the commands share: the home folder, the key, the game meant, talk on standard error, files written."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.errors import Refused, Storage

if TYPE_CHECKING:
    from pbem.envelope import Block
    from pbem.home import Contact, Home
    from pbem.keys import Signer
    from pbem.play import Desk, Place

__all__ = [
    "as_json", "desk", "echo", "game_option", "hint", "home_of", "json_option", "mail_of", "place_of", "progress",
    "read_orders", "save",
]  # fmt: skip

json_option = click.option("--json", "as_json_data", is_flag=True, help="As JSON, for programs.")
game_option = click.option("--game", metavar="ID", help="The game, by the beginning of its id.")


def echo(message: str = "") -> None:
    """A line of talk, on standard error."""
    click.echo(f"pbem: {message}", err=True)


def hint(message: str) -> None:
    """A hint, on standard error."""
    click.echo(f"pbem: hint: {message}", err=True)


def as_json(data: Any) -> None:
    """JSON on standard output."""
    click.echo(json.dumps(data, indent=1, sort_keys=True))


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
    answer: str = click.prompt(f"passphrase of {name}", hide_input=True, err=True)
    return answer


def place_of(ctx: click.Context, game: str | None) -> tuple[Desk, Place]:
    """The desk, and the game meant, opened."""
    mine = desk(ctx)
    return mine, mine.place(mine.home.find(game))


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
    limit = 2 * 2**20
    try:
        with click.open_file(path, "rb") as file:
            data: bytes = file.read(limit + 1)
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", path) from error
    if len(data) > limit:
        raise Refused("it is too large for an order file", path, f"at most {limit} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Refused("it isn't text", f"{path}, line {line}", "orders are plain text") from error


def mail_of(contact: Contact, subject: str, text: str, html: str | None, block: Block, name: str) -> bytes:
    """A mail with a turn block, dated now."""
    from pbem.envelope import render_block
    from pbem.mailout import compose

    sender = contact.mail or "me@localhost"
    domain = sender.rpartition("@")[2] or "localhost"
    return compose(
        sender=sender,
        to=contact.to or "opponent@localhost",
        subject=subject,
        text=text,
        html=html,
        block=render_block(block),
        in_reply_to=None,
        date=formatdate(localtime=False),
        message_id=make_msgid(domain=domain),
        attachment_name=name,
    )
