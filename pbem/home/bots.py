"""The homes of bots below a player's home: a bot that he plays against has a key and a log of its own there."""

from __future__ import annotations

from pbem.crypto.keys import new_key
from pbem.home.contents import BOTS
from pbem.home.folders import Folder, Home
from pbem.match.table import Table

__all__ = ["bot_due", "bot_home", "bot_of"]


def bot_home(home: Home, name: str) -> Home:
    """The home of the bot of that name, made with a key where there is none. Raises Storage."""
    found = Home(home.root / BOTS / name)
    with found.locked(name):
        if not found.key.exists():
            new_key(found.key, name)
    return found


def bot_of(folder: Folder) -> Home | None:
    """The home of the bot that plays the other side of a game; None where no bot here does."""
    below = folder.home.root / BOTS
    homes = [Home(path) for path in sorted(below.iterdir())] if below.is_dir() else []
    return next((home for home in homes if Folder(home, folder.kind, folder.id).log.is_file()), None)


def bot_due(folder: Folder, table: Table) -> str:
    """The bot here that a game waits for, as when it was given up while it thought; "" where none is due."""
    bot, due = bot_of(folder), table.due()
    theirs = bot is not None and due.player == bot.root.name
    return due.player or "" if theirs else ""
