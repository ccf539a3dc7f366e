"""Which game is meant: the option that names one, and its name in the commands that hints tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from pbem.home.folders import Folder, Home

__all__ = ["carrying", "game_option", "mean", "name_of"]


def _games(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The games, for a shell that completes words."""
    from pbem.cli.completion import games

    return games(ctx, parameter, incomplete)


game_option = click.option(
    "--game", metavar="GAME", shell_complete=_games, help="The game: its name, opponent or id, or how they begin."
)

VERBS = "form|edit|suggest|check|send|lay|report|resign|draw|undo|claim|rekey"
_WITH_GAME = f"(`pbem (?:{VERBS}))\\b(?![^`]* --(?:game|default))"
"""Commands between backticks to which a game may be named."""


def mean(ctx: click.Context, home: Home, folder: Folder) -> Folder:
    """Say of which game it is what follows: where there are several, each command that is told names it."""
    name = name_of(ctx, home, folder)
    ctx.obj["game"] = name if len(ctx.obj["names"]) > 1 else ""
    return folder


def name_of(ctx: click.Context, home: Home, folder: Folder) -> str:
    """What I call a game; the names are read once a command, and again where it is a new one."""
    if folder.id not in ctx.obj.setdefault("names", {}):
        ctx.obj["names"] = {game.id: name for name, game in home.named().items()}
    found: str = ctx.obj["names"].get(folder.id, folder.id)
    return found


def carrying(message: str) -> str:
    """The message, the commands in it with the name of the game that is meant, where there are several."""
    ctx = click.get_current_context(silent=True)
    game = ctx.obj.get("game", "") if ctx is not None and ctx.obj else ""
    return re.sub(_WITH_GAME, rf"\1 --game {game}", message) if game else message
