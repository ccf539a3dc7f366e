"""A game played at a page: a server for this machine's browser alone, until Ctrl-C or the page's button ends it."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

import click

from pbem.cli.common import cache_folder, desk, echo, hint, pictures_folder, unlock_key
from pbem.cli.showing import at_a_desktop, show_address
from pbem.errors import Refused

__all__ = ["table_command"]

SOON = 1.0
"""Seconds that the page's end lasts without a word."""


@click.command("table")
@click.argument("game", required=False)
@click.option("--port", type=click.IntRange(1024, 65535), metavar="N", help="The port (default: a free one).")
@click.option("--no-browser", is_flag=True, help="Don't open the browser; the link is printed all the same.")
@click.pass_context
def table_command(ctx: click.Context, game: str | None, port: int | None, no_browser: bool) -> None:
    """Play at a page in the browser.

    GAME is one of mine, by its name, opponent or id; without it the page shows my only game, or lists them. A click on
    a unit shows where it can go and whom it can fire at or attack, a click there lists the order; the page's button
    sends the list. Ctrl-C ends it.

    Example: pbem table
    """
    _check_extra()
    from pbem.desk.desk import Desk
    from pbem.page.app import application
    from pbem.page.games import Games
    from pbem.page.guard import Guard
    from pbem.page.run import Commands
    from pbem.page.serve import Server, listening

    me = desk(ctx)
    mine = me.home.games()
    folder = me.home.find(game) if game else mine[0] if len(mine) == 1 else None
    unlock_key(ctx, me)
    games = Games(
        me.home,
        lambda: Desk(me.home, lambda: me.signer, os.urandom),
        pictures_folder(me.home),
        cache_folder(me, "templates") if me.home.root.is_dir() else None,
        time.perf_counter,
    )
    key = ctx.obj["key"]
    commands = Commands(
        me.home.root.absolute(), str(Path(key).absolute()) if key else None, Path.cwd(), _variables(ctx)
    )
    socket = listening(port or 0)
    guard = Guard(socket.getsockname()[1], *(secrets.token_urlsafe(24) for _ in range(4)))
    server = Server(socket, lambda stop: application(games, guard, commands, stop))
    meant = f"&game={folder.id}" if folder is not None else ""
    echo(f"the page is at {guard.link}{meant}")
    if not no_browser and at_a_desktop():
        show_address(guard.link_once + meant)
    hint("Ctrl-C ends it, or the button on the page; who has the link, on this machine, can play in my name")
    with suppress(KeyboardInterrupt):
        server.run()
        if not games.closed(wait=SOON):
            echo("what is just being done is waited for; Ctrl-C again ends the page at once")
            games.closed()
        server.answered(wait=SOON)
    echo("the page is closed")


def _variables(ctx: click.Context) -> dict[str, str]:
    """The variables for the commands that the page calls: the passphrase too, where it was asked for."""
    asked = ctx.obj.get("passphrase")
    return {**os.environ, **({"PBEM_PASSPHRASE": asked} if asked is not None else {})}


def _check_extra() -> None:
    """Raises Refused without the extra."""
    try:
        import flask  # noqa: F401 whether it is there
    except ImportError:
        raise Refused("the page needs an extra", hint="pip install 'pbem[page]'") from None
