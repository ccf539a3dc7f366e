"""A game against a bot, without mails: play."""

from __future__ import annotations

import click

from pbem.cli.common import desk, echo, player_name, take_home
from pbem.cli.completion import scenarios, side_of
from pbem.cli.due import tell_next
from pbem.cli.naming import mean
from pbem.cli.offers import checked_side, options_of
from pbem.cli.showing import browser_option
from pbem.cli.sparring import answered, bot_here
from pbem.errors import Refused
from pbem.words import the

__all__ = ["play_command"]


@click.command("play")
@click.argument("scenario", shell_complete=scenarios)
@click.option("--against", "bot", type=click.Choice(["bold", "random", "steady"]), default="bold", show_default=True,
              help="The bot: with rules of thumb, with none, or that compares some.")  # fmt: skip
@click.option("--as", "side", shell_complete=side_of, help="The side I take (default: the one that moves first).")
@click.option("--name", default="player", show_default=True, help="My name in the game: a-z, digits, -; 16 at most.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the scenario.")
@browser_option
@click.pass_context
def play_command(
    ctx: click.Context, scenario: str, bot: str, side: str | None, name: str, options: tuple[str, ...], no_browser: bool
) -> None:
    """Begin a game against a bot on this machine, without mails.

    The bot is a second player with a key and a home folder of its own below mine, in bots/. From then on whatever I
    `send` it answers at once; mails that only bring dice go by themselves. All else is as in a game by mail: the log,
    the report, `verify`, `undo`.

    Example: pbem play yao --against bold --as east
    """
    from pbem.desk.desk import terms_of
    from pbem.desk.sparring import begin

    if player_name(name) == bot:
        raise Refused(f"{bot} is the bot's name", "--name", "take another one")
    me = desk(ctx)
    loaded = me.home.load(scenario)
    titles = {s["id"]: s["title"] for s in loaded.data["scenario"]["sides"]}
    mine = checked_side(loaded, side) if side is not None else next(iter(titles))
    terms = terms_of(loaded, options_of(options))
    take_home(ctx, me, make=True)
    place = begin(me, lambda: bot_here(me, bot), terms, mine, name)
    mean(ctx, me.home, place.folder)
    sides = f"I play {the(titles[mine])}, {bot} plays {the(titles[place.opponent.side])}"
    echo(f"game {me.home.name_of(place.folder)} has begun, with the id {place.folder.id}: {sides}")
    tell_next(answered(me, place, bot, browser=not no_browser))
