"""Orders laid ready for a phase to come: kept on this disk, shown, taken away, sent when they are due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.checking import goes_to, no_orders, tell_all, tell_laid
from pbem.cli.common import echo, hint, in_words, look_at, place_of, show, source_name, tell
from pbem.cli.files import read_orders
from pbem.cli.naming import game_option
from pbem.errors import Refused
from pbem.home.contents import LAID
from pbem.home.laid import (
    Laid,
    forget_laid,
    keep_laid,
    laid_in,
    laid_now,
    moment_meant,
    moment_now,
    phases_called,
)  # fmt: skip
from pbem.match.later import TRIES, asked_then, never
from pbem.wire.orderfile import parse_statements

if TYPE_CHECKING:
    from pbem.desk.desk import Place

__all__ = ["lay_command"]


@click.command("lay")
@click.argument("orders", required=False, type=click.Path())
@click.option("--for", "phase", default="", metavar="PHASE", help="A phase of mine, as melee (default: my next one).")
@click.option("--off", is_flag=True, help="Take away what is laid, or with --for what is laid for that phase.")
@game_option
@click.pass_context
def lay_command(ctx: click.Context, orders: str | None, phase: str, off: bool, game: str | None) -> int:
    """Keep orders for a phase to come; send takes them then.

    They stay on this machine: my opponent sees nothing of them before they are sent. When their phase comes, `pbem
    send` without a file checks them and sends them as they stand; of doubtful ones it asks first, and of those that
    can't be sent it says why. For any other phase they are never sent. Without ORDERS it is shown what is laid.

    \b
    Example: pbem lay melee.txt --for melee
             pbem lay
             pbem lay --off
    """
    if off and orders:
        raise click.UsageError("--off takes orders away; leave the file out")
    if phase and not (off or orders):
        raise click.UsageError("--for says what orders are laid for; name their file")
    if off:
        _take_away(ctx, phase, game)
        return 0
    if orders is None:
        _, place = look_at(ctx, game)
        _show(place)
        return 0
    text = read_orders(orders)
    _, place = place_of(ctx, game)
    laid = Laid(moment_meant(place.table, place.me, phase), text, place.table.seq)
    if parse_statements(text) == ([], []):
        tell(no_orders(text).inside(source_name(orders)))
        return 1
    due = moment_now(place.table, place.me) == laid.moment
    errors = never(place.table, place.me, laid.moment.phase, text, due=due, turn=laid.moment.turn)
    tell_all([error.inside(source_name(orders)) for error in errors])
    if errors:
        before = any(one.moment == laid.moment for one in laid_in(place.folder))
        still = "what was laid before stays" if before else "nothing is laid"
        hint(f"{still} for {laid.moment.words(place.table)}; `--for PHASE` names another phase")
        return 1
    _lay(place, orders, laid)
    return 0


def _lay(place: Place, path: str, laid: Laid) -> None:
    """Keep the orders, and say what they are for."""
    moment, before = laid.moment, [one for one in laid_in(place.folder) if one.moment == laid.moment]
    keep_laid(place.folder, laid)
    instead = ", in place of those before" if before else ""
    echo(f"the orders of {source_name(path)} are laid for {moment.words(place.table)}{instead}")
    if laid_now(place.folder, place.table, place.me) == laid:
        echo("they are due now")
        tell_laid(place, place.me, laid)
    else:
        hint("names, sides and kinds of orders are right; ways, distances and dice are checked when they are due")
        if asked_then(place.table, place.me, *moment) is None:
            often = f"{TRIES} times played on as things stand, no orders are asked of me in it"
            hint(f"{often}: these may never be sent")
        hint(f"then `pbem send{goes_to(place)}` checks and sends them; `pbem lay --off` takes them away")


def _show(place: Place) -> None:
    """Show what is laid."""
    found = laid_in(place.folder)
    for one in found:
        behind = ", in which others of mine have been carried out since" * one.behind_others(place.table, place.me)
        gone = ", which is over" if one.over(place.table) else behind
        gone += ": these are never sent" * bool(gone)
        show(f"# {in_words(f'laid for {one.moment.words(place.table)}{gone}')}\n{one.text.rstrip()}\n")
    if not found:
        echo("no orders are laid in this game")
        hint("`pbem lay FILE` lays them for my next phase, with `--for PHASE` for another one")


def _take_away(ctx: click.Context, phase: str, game: str | None) -> None:
    """Take away what is laid. Raises Refused where nothing is."""
    _, place = place_of(ctx, game)
    side = place.table.genesis.player(place.me).side
    damaged = not laid_in(place.folder) and (place.folder.path / LAID).exists()
    called = phases_called(place.table, side, phase)
    meant = [one.moment for one in laid_in(place.folder) if one.moment.phase in called or not phase]
    if not meant and damaged:
        forget_laid(place.folder)
        echo("the damaged file of laid orders is taken away")
    elif not meant:
        what = f"no orders are laid for {phase!r:.40}" if phase else "no orders are laid"
        raise Refused(what, hint="`pbem lay` shows them")
    forget_laid(place.folder, *meant)
    for moment in meant:
        echo(f"the orders laid for {moment.words(place.table)} are taken away")
