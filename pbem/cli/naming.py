"""Which game is meant: the option that names one, and its name in the commands that hints tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from pbem.cli.completion import games

if TYPE_CHECKING:
    from pbem.home.folders import Folder, Home

__all__ = ["carrying", "game_option", "mean"]

game_option = click.option(
    "--game", metavar="GAME", shell_complete=games, help="The game: its name, opponent or id, or how they begin."
)

VERBS = "form|edit|suggest|check|send|lay|report|resign|draw|undo|claim|rekey"
_WITH_GAME = re.compile(f"(`pbem (?:{VERBS}))\\b(?![^`]* --(?:game|default))")
"""Commands between backticks to which a game may be named."""


def mean(ctx: click.Context, home: Home, folder: Folder) -> Folder:
    """Say of which game it is what follows: where there are several, each command that is told names it."""
    ctx.obj["game"] = home.name_of(folder) if len(home.games()) > 1 else ""
    return folder


def carrying(message: str) -> str:
    """The message, the commands in it with the name of the game that is meant, where there are several."""
    ctx = click.get_current_context(silent=True)
    game = ctx.obj.get("game", "") if ctx is not None and ctx.obj else ""
    return _WITH_GAME.sub(rf"\1 --game {game}", message) if game else message
