"""A turn by mail: send what is due, hand its mail over, say what is next."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli.checking import (
    agreed,
    agrees,
    goes_to,
    which,
)
from pbem.cli.common import (
    address,
    cache_folder,
    echo,
    hint,
    hold,
    home_of,
    look_at,
    pictures_folder,
    place_of,
    said_if_slow,
    scenario_of,
    source_name,
    take_home,
)
from pbem.cli.due import tell_next
from pbem.cli.files import mail_of, read_orders
from pbem.cli.naming import game_option
from pbem.cli.noting import note_of, note_options
from pbem.cli.showing import browser_option
from pbem.cli.written import spare_mail, turn_option
from pbem.errors import PbemError, Refused
from pbem.home.laid import forget_laid, laid_now
from pbem.home.wishes import Wish, forget_wish, wish_now, wish_of
from pbem.language import read_in, spoken
from pbem.wire.notes import Note

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.cli.handover import Outgoing
    from pbem.desk.desk import Desk, Place
    from pbem.match.orders import Part
    from pbem.report.mail import Drawn
    from pbem.wire.turn import Turn

__all__ = [
    "granted", "one_way", "send_command", "signed", "turn_mail", "way_options",
    "write_mail", "yes_option",
]  # fmt: skip


F = TypeVar("F", bound="Callable[..., Any]")

LAID_ORDERS = "laid orders"
"""What errors call the file of orders that are laid."""

PICTURES_MAX = 62_000
"""Bytes of the pictures of a mail: a third more on their way."""


_WAY_OPTIONS = (
    turn_option,
    click.option("--copy", "way", flag_value="copy", help="Put its text with the signed block on the clipboard."),
    click.option("--mailto", "way", flag_value="mailto", help="Open the mail program with that text."),
    click.option("--print", "way", flag_value="print", help="Write the mail to standard output, at a terminal too."),
    click.option("--to", default="", metavar="ADDRESS", help="My opponent's mail address, if another than before."),
)


def way_options(command: F) -> F:
    """The options that say how a mail leaves, and where to."""
    for option in reversed(_WAY_OPTIONS):
        command = option(command)
    return command


yes_option = click.option(
    "--yes", is_flag=True, help="Send orders that may well lapse, or lose the game, without being asked."
)


def one_way(output: str | None, way: str | None) -> None:
    """Refuse two ways for a mail to leave."""
    if way and output:
        raise click.UsageError(f"-o and --{way} are two ways; name one")


@click.command("send")
@click.argument("orders", required=False, type=click.Path())
@way_options
@click.option("--default", "default", type=click.Choice(["ask", "copy", "file", "mailto", "print"]),
              help="Keep how mails leave from now on, at a terminal and where nothing else is said.")  # fmt: skip
@click.option("--again", is_flag=True, help="The mail of my newest entry once more.")
@note_options
@yes_option
@browser_option
@game_option
@click.pass_context
def send_command(
    ctx: click.Context, orders: str | None, output: str | None, way: str | None, default: str | None, to: str,
    again: bool, note: str | None, write_note: bool, yes: bool, no_browser: bool, game: str | None,
) -> int:  # fmt: skip
    """Sign orders, append them to my log, hand the mail over.

    Without ORDERS those go that are laid for this by `pbem lay`, or the bare `begin` or reveal that is due. Nothing is
    signed unless all orders are accepted. Of those that lapse in three futures of ten, or are never carried out, or may
    lose the game, I am asked first. The mail goes to a file, as a short text to the clipboard or into the mail program,
    or to standard output. In a game against a bot on this machine none is needed: it answers at once, and the report is
    shown.

    Example: pbem send orders.txt -o turn.eml
    """
    if default is not None:
        return _keep_default(ctx, default)
    if again and orders:
        raise click.UsageError("--again sends what is signed already; leave the order file out")
    one_way(output, way)
    if orders == "-" and note == "-":
        raise click.UsageError("orders and note can't both come from standard input")
    text = read_orders(orders) if orders else ""
    words = note_of(note, write_note)
    asks = not again and not yes and sys.stdin.isatty() and orders != "-"  # while others may go on
    me, place = look_at(ctx, game) if asks else place_of(ctx, game, once=not again)
    spare_mail(output, place.folder)
    to = address("--to", to)
    if again:
        turn = _newest_of_mine(place)
    elif (wish := wish_now(place.folder, place.table, place.me)) is not None:
        words = words or wish.note
        if orders and wish.kind == "resign":
            _instead(me, place, source_name(orders), asks=asks)
        _hold_still(ctx, me, place)
        turn = granted(me, place, wish)
        if wish.kind == "resign":
            echo(
                f"{wish} is signed in {which(me, place)}"
                + f"; the orders in {source_name(orders or '')} aren't" * bool(orders)
            )
        elif orders:
            echo(f"{wish} goes first; the orders in {source_name(orders)} aren't signed: send them behind the answer")
    else:
        if not orders and (laid := laid_now(place.folder, place.table, place.me)) is not None:
            orders, text = LAID_ORDERS, laid.text
            echo(f"checking the orders laid for {laid.moment.words(place.table)}")
        parts = agreed(me, place, orders, text, asks=asks, yes=yes)
        if parts is None:
            if orders == LAID_ORDERS:
                hint("nothing is signed, and they stay laid; `pbem lay` shows them, `pbem send FILE` sends others")
            return 1
        turn = signed(ctx, me, place, parts)
    write_mail(me, place, turn, output, to, way or "", words, browser=not no_browser)
    return 0


def _instead(me: Desk, place: Place, orders: str, *, asks: bool) -> None:
    """Ask whether the resignation that is kept shall go and no orders. Raises Refused without consent."""
    ways = f"`pbem send{goes_to(place)}` alone sends it, `pbem resign --withdraw` takes it back"
    kept = f"my resignation is kept, and would go in place of the orders in {orders}"
    if not asks:
        raise Refused(kept, hint=ways)
    if not agrees(f"{kept}: give up {which(me, place)}?"):
        raise Refused("nothing is signed", hint=ways)


def _hold_still(ctx: click.Context, me: Desk, place: Place) -> None:
    """Keep other programs out from now on. Raises Refused when the game has gone on since it was looked at."""
    take_home(ctx, me)
    if me.place(place.folder) is not place:
        raise Refused(
            "the game has gone on meanwhile; nothing is signed", me.home.name_of(place.folder), "type it again"
        )


def granted(me: Desk, place: Place, wish: Wish) -> Turn:
    """Sign what I have asked for, and keep it no more. Raises what its entry is refused for."""
    kept = wish_of(place.folder)
    waits = kept is not None and kept.kind == wish.kind
    try:
        turn = me.agree(place, wish.kind, wish.body)
    except PbemError as error:
        if waits:
            error.hint = f"{error.hint}; `pbem {wish.kind} --withdraw` takes it back".removeprefix("; ")
        raise
    if waits:
        forget_wish(place.folder)
    return turn


def _keep_default(ctx: click.Context, way: str) -> int:
    """Keep how mails leave from now on."""
    from pbem.home.settings import SETTINGS, write_settings

    home = home_of(ctx)
    hold(ctx, home, make=True)
    write_settings(home.root, send="" if way == "ask" else way)
    told = f"mails leave by `{way}` from now on" if way != "ask" else "`pbem send` tells the ways each time"
    echo(f"{told}; kept in {home.root / SETTINGS}")
    return 0


def signed(ctx: click.Context, me: Desk, place: Place, parts: list[Part]) -> Turn:
    """My next entry, signed and in my log; other programs wait from now on. What was laid for this is laid no more.

    Raises Refused when the game has gone on since it was looked at.
    """
    _hold_still(ctx, me, place)
    laid = laid_now(place.folder, place.table, place.me)
    turn = me.send(place, parts)
    if laid is not None:
        forget_laid(place.folder, laid.moment)
        echo("what was laid for this is laid no more")
    return turn


def _newest_of_mine(place: Place) -> Turn:
    """My newest turn in the log, if nobody has answered it; of a bot here that has to go on, its own."""
    from pbem.home.bots import bot_due
    from pbem.wire.blocks import newest_block
    from pbem.wire.turn import Turn

    turn = Turn.of(newest_block(place.text))
    if turn.entry.by != place.me and not place.table.genesis.terms.solo and not bot_due(place.folder, place.table):
        raise Refused(
            f"the newest entry, {turn.entry.seq}, is by {turn.entry.by}", hint="mine was answered, so it has arrived"
        )
    return turn


def write_mail(
    me: Desk, place: Place, turn: Turn, output: str | None, to: str, way: str = "", note: str = "", *,
    browser: bool = True,
) -> None:  # fmt: skip
    """Hand over the mail of my newest entry, which tells the opponent what is known before he opens it, and my note.

    A bot on this machine needs none, and answers.
    """
    from pbem.cli.handover import NOT_LEFT, default_of, hand_over, tell_ways
    from pbem.cli.sparring import answered
    from pbem.home.bots import bot_of

    number, left = place.table.seq, ""
    bot = bot_of(place.folder)
    try:
        if note:
            place.folder.keep_note(Note(turn.entry.by, number, note))
        contact = place.folder.contact()
        if to and to != contact.to:
            place.folder.write_contact(contact._replace(to=to, name=contact.name or place.me))
        if output or way or not (place.table.genesis.terms.solo or bot):
            at_a_terminal = output is None and not way and sys.stdout.isatty()
            way = default_of(me.home.root) if at_a_terminal else way
            with said_if_slow(f"entry {number} is in my log; its mail is being written"):
                mail = turn_mail(me, place, turn)
            left = hand_over(mail, way, output)
    except PbemError as error:
        error.hint = f"entry {number} is in my log; `pbem send --again -o FILE` writes its mail"
        raise
    echo(f"entry {number} is in my log{left}")
    if left == NOT_LEFT:
        tell_ways()
    if bot is not None:
        place = answered(me, place, bot.root.name, browser=browser)
    tell_next(place)


def turn_mail(me: Desk, place: Place, turn: Turn, draw: bool = True) -> Outgoing:
    """The mail of the newest entry of a game, for the opponent to read before he opens it, with pictures or without."""
    from pbem.cli.handover import Outgoing
    from pbem.report.mail import few_lines, mail_data, subject, versions

    scenario, table = scenario_of(me, place), place.table
    reader = table.genesis.other(turn.entry.by).name
    compiled = cache_folder(me, "templates")
    beside = [note.text for note in place.folder.notes() if (note.by, note.seq) == (turn.entry.by, table.seq)]
    contact, name = place.folder.contact(), f"{place.folder.id}-{table.seq}"
    with spoken(read_in(table.genesis.player(reader).reads, scenario.system)):
        data = mail_data(table, scenario, reader, "".join(beside), compiled)
        about = subject(data)
        pictures, left = _pictures(me, place, reader) if draw else ([], 0)
        said = versions(data, pictures, turn.text, compiled, left)
        mail = mail_of(contact, about, said, turn, f"{name}.turn")
        return Outgoing(mail, about, f"{few_lines(data)}\n{turn.text}", contact, f"{name}.eml")


def _pictures(me: Desk, place: Place, reader: str) -> tuple[list[Drawn], int]:
    """Where something happened, as much of it as a mail may carry; how many are left out. None without the extra."""
    from pbem.report.source import crop_files

    try:
        return crop_files(place.table, scenario_of(me, place), reader, PICTURES_MAX, pictures_folder(me.home))
    except Refused:
        return [], 0
