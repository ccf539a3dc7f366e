"""A game to be watched again: one page that plays it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    cache_folder,
    check_entry,
    desk,
    json_option,
    look_at,
    pictures_folder,
    progress,
    said_if_slow,
    scenario_of,
)
from pbem.cli.files import save
from pbem.cli.logs import read_log
from pbem.cli.written import writable
from pbem.desk.desk import Place
from pbem.errors import PbemError, Refused

if TYPE_CHECKING:
    from pbem.desk.desk import Desk
    from pbem.match.moments import Moments
    from pbem.match.table import Table
    from pbem.scenario import Scenario

__all__ = ["replay_command"]


@click.command("replay")
@click.argument("game", required=False)
@click.option("--entry", type=int, metavar="N", help="Only to entry N (default: the newest).")
@json_option
@click.option("-o", "--output", metavar="FILE", type=click.Path(),
              help="Write it there (default: standard output).")  # fmt: skip
@click.pass_context
def replay_command(
    ctx: click.Context, game: str | None, entry: int | None, as_json_data: bool, output: str | None
) -> None:
    """A game to be watched again: one page that plays it.

    GAME is one of mine, by its name, opponent or id, or the file of a log, for which no key is needed. The page holds
    all that it shows, each action with its picture, words, dice and the score; it can be mailed or put on a forum.

    Example: pbem replay -o game.html
    """
    from pbem.report import replayed

    writable(output, "json" if as_json_data else "html")
    me = desk(ctx)
    table, moments, scenario = _from_log(me, game, entry) if _is_log(game) else _of_mine(ctx, game, entry)
    compiled = cache_folder(me, "templates") if me.home.root.is_dir() else None
    with said_if_slow("the log is good; each moment of the game is being drawn"):
        data = replayed.data(table, moments, scenario, pictures_folder(me.home), compiled)
    written = json.dumps(data, indent=1, sort_keys=True) + "\n" if as_json_data else replayed.html(data, compiled)
    save(output, written.encode("utf-8"))


def _is_log(game: str | None) -> bool:
    return game is not None and (game == "-" or Path(game).is_file())


def _of_mine(ctx: click.Context, game: str | None, entry: int | None) -> tuple[Table, Moments, Scenario]:
    """A game of mine, to an entry, else with what `open` has rolled."""
    me, place = look_at(ctx, game)
    table, moments = _replayed(me, place.text, entry)
    if entry is None:
        me.peek(Place(place.folder, place.text, table, place.me, place.secrets))
    return table, moments, scenario_of(me, place)


def _from_log(me: Desk, game: str | None, entry: int | None) -> tuple[Table, Moments, Scenario]:
    """The game of a log. Raises what is wrong in it, with its name."""
    name = game or ""
    try:
        table, moments = _replayed(me, read_log(name), entry)
    except PbemError as error:
        error.inside(name)
        raise
    return table, moments, me.home.load(table.genesis.terms.scenario)


def _replayed(me: Desk, text: str, entry: int | None) -> tuple[Table, Moments]:
    """The table of a log, verified from its first entry, and how it stood on the way.

    Raises Refused for an entry that the log doesn't have, and for an offer that nobody has accepted.
    """
    from pbem.match.moments import Moments
    from pbem.match.replay import replay

    moments = Moments()
    _, table, turns = replay(text, me.home.load, until=entry, watch=progress(), look=moments)
    if entry is not None:
        check_entry(entry, len(turns) - 1)
    if table is None:
        raise Refused("nobody has accepted this offer yet", hint="a game begins with an accept")
    return table, moments
