"""A turn's way for a player: open, games, form, suggest, check, send, report."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    as_json,
    desk,
    echo,
    game_option,
    hint,
    json_option,
    mail_of,
    place_of,
    read_orders,
    save,
)  # fmt: skip
from pbem.errors import PbemError, Refused

if TYPE_CHECKING:
    from pbem.play import Desk, Place, Receipt
    from pbem.scenario import Scenario

__all__ = [
    "check_command", "form_command", "games_command", "open_command", "report_command", "send_command",
    "suggest_command",
]  # fmt: skip


@click.command("open")
@click.argument("sources", nargs=-1, required=True)
@click.option("--quiet", is_flag=True, help="Without the report.")
@json_option
@click.pass_context
def open_command(ctx: click.Context, sources: tuple[str, ...], quiet: bool, as_json_data: bool) -> int:
    """Open mails: verify, append, resolve, report, say what is next.

    SOURCES are mails, text files, folders, mbox files, Maildirs, or - for standard input.

    Example: pbem open turn.eml
    """
    from pbem.mail import read_mails

    me = desk(ctx)
    mails = [mail for source in sources for mail in read_mails(source, sys.stdin.buffer)]
    if not mails:
        raise Refused("no mail is there", " ".join(sources), "a mail with a turn block is needed")
    receipts, errors = me.open(mails)
    newest = {receipt.place.folder.id: receipt for receipt in receipts}
    if as_json_data:
        as_json({"opened": [_receipt(r) for r in receipts], "refused": [_error(e) for e in errors]})
    else:
        for receipt in receipts:
            echo(_told(receipt))
        if not quiet:
            for receipt in newest.values():
                click.echo(_report_text(me, receipt.place), nl=False)
    for error in errors:
        echo(str(error))
    for receipt in newest.values():
        _next(receipt.place)
    return 1 if errors else 0


def _told(receipt: Receipt) -> str:
    entry, game = receipt.entry, receipt.place.folder.id
    words = {
        "known": f"{receipt.source}: entry {entry.seq} of game {game} is known already",
        "begun": f"{receipt.source}: {entry.by} accepts, game {game} has begun",
        "taken": f"{receipt.source}: entry {entry.seq} ({entry.kind} by {entry.by}) is taken into game {game}",
    }
    return words[receipt.what]


def _receipt(receipt: Receipt) -> dict[str, Any]:
    due = receipt.place.table.due()
    return {
        "source": receipt.source,
        "what": receipt.what,
        "game": receipt.place.table.genesis.game.hex(),
        "seq": receipt.entry.seq,
        "kind": receipt.entry.kind,
        "by": receipt.entry.by,
        "due": {"what": due.what, "player": due.player},
    }


def _error(error: PbemError) -> dict[str, str]:
    return {"error": type(error).__name__, "what": error.what, "where": error.where, "hint": error.hint}


def _next(place: Place) -> None:
    """Say what is due, and how to do it."""
    due = place.table.due()
    if due.what == "nothing":
        outcome = place.table.game.outcome
        echo(f"the game is over: {outcome.reason}" if outcome else "the game is over")
    elif due.player != place.me:
        echo(f"next: {due.what} of {due.player}")
    elif due.what == "reveal":
        echo("next: a reveal by me")
        hint("`pbem send -o turn.eml` sends it; no orders are asked")
    else:
        echo(f"next: {due.what} by me: {due.request.prompt if due.request else ''}")
        hint("`pbem form > orders.txt` lists what may be done")


def _scenario(me: Desk, place: Place) -> Scenario:
    return me.home.load(place.table.genesis.terms.scenario)


def _report_text(me: Desk, place: Place) -> str:
    from pbem import report
    from pbem.view import report_data

    folder = _folder(me.home.cache / "templates")
    return report.text(report_data(place.table, _scenario(me, place), place.me, folder), folder)


def _folder(path: Path) -> Path | None:
    """A private cache folder, made if it can be; None else."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return path


@click.command("games")
@json_option
@click.pass_context
def games_command(ctx: click.Context, as_json_data: bool) -> int:
    """My games: whose move, what is asked, since when.

    Example: pbem games
    """
    me = desk(ctx)
    home = me.home
    rows: list[dict[str, Any]] = []
    broken = 0
    for folder in home.games():
        try:
            table = me.glance(folder)
        except PbemError as error:
            broken += 1
            echo(f"game {folder.id}: {error}")
            continue
        due = table.due()
        outcome = table.game.outcome
        rows.append({
            "game": folder.id,
            "scenario": table.genesis.terms.scenario,
            "players": {p.name: p.side for p in table.genesis.players},
            "entry": table.seq,
            "due": due.what,
            "from": due.player,
            "mine": due.player == folder.contact().name,
            "asked": due.request.prompt if due.request else "",
            "since": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(folder.since())),
            "outcome": outcome._asdict() if outcome and due.what == "nothing" else None,
        })  # fmt: skip
    offers = [
        {"offer": folder.id, "since": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(folder.since()))}
        for folder in home.offers()
    ]
    if as_json_data:
        as_json({"games": rows, "offers": offers})
        return 1 if broken else 0
    for row in rows:
        sides = " v ".join(f"{name} ({side})" for name, side in row["players"].items())
        click.echo(f"{row['game']}  {row['scenario']}: {sides}, {row['entry'] + 1} entries")
        click.echo(f"    {_whose(row)}; since {row['since']}")
    for offer in offers:
        click.echo(f"{offer['offer']}  an offer of mine that nobody has accepted yet; since {offer['since']}")
    if not rows and not offers and not broken:
        echo(f"there are no games in {home.root}")
        hint("`pbem offer` begins one, `pbem demo` shows one")
    return 1 if broken else 0


def _whose(row: dict[str, Any]) -> str:
    if row["outcome"]:
        return f"over: {row['outcome']['reason']}"
    if row["due"] == "nothing":
        return "over"
    who = "mine" if row["mine"] else f"{row['from']}'s"
    asked = f": {row['asked']}" if row["due"] != "reveal" and row["asked"] else ""
    return f"{who} to move, {row['due']}{asked}"


@click.command("form")
@game_option
@click.pass_context
def form_command(ctx: click.Context, game: str | None) -> None:
    """The order form: every unit and what it may do now, as a commented order file.

    Example: pbem form > orders.txt
    """
    from pbem.form import form

    _, place = place_of(ctx, game)
    click.echo(form(place.table, place.me), nl=False)


@click.command("suggest")
@click.option("--bot", default="random", show_default=True, help="The bot.")
@click.option("--seed", type=int, help="Makes the suggestion repeatable.")
@game_option
@click.pass_context
def suggest_command(ctx: click.Context, bot: str, seed: int | None, game: str | None) -> None:
    """Legal orders by a bot; an empty file when only a reveal is due.

    Example: pbem suggest --bot random > orders.txt
    """
    from pbem.bots import suggest

    _, place = place_of(ctx, game)
    chance = random.Random(seed if seed is not None else os.urandom(16))  # noqa: S311 a bot's whim, not the dice
    for words in suggest(place.table, place.me, bot, chance):
        click.echo(" ".join(words) + ";")


@click.command("check")
@click.argument("orders")
@game_option
@json_option
@click.pass_context
def check_command(ctx: click.Context, orders: str, game: str | None, as_json_data: bool) -> int:
    """Would these orders be accepted? All errors at once, with line, clause and reason.

    Orders behind the first possible roll are played out with random dice: it is told how often each lapses.

    Example: pbem check orders.txt
    """
    me, place = place_of(ctx, game)
    checked = me.check(place, read_orders(orders), random.Random(os.urandom(16)))  # noqa: S311 looks ahead only
    if as_json_data:
        as_json({
            "accepted": not checked.errors,
            "errors": [{**_error(e), "clause": getattr(e, "clause", "")} for e in checked.errors],
            "lapses": [lapse._asdict() for lapse in checked.lapses],
            "remarks": checked.remarks,
        })  # fmt: skip
        return 1 if checked.errors else 0
    for error in checked.errors:
        echo(f"{orders}, {error}")
    for lapse in checked.lapses:
        click.echo(f"line {lapse.line}: `{' '.join(lapse.words)}` lapses in {lapse.share:.0%} of the futures: {lapse.reason} [{lapse.clause}]")  # fmt: skip  # noqa: E501
    for remark in checked.remarks:
        hint(remark)
    if not checked.errors:
        echo(f"accepted: {len(checked.parts)} statements")
    return 1 if checked.errors else 0


@click.command("send")
@click.argument("orders", required=False)
@click.option("-o", "--output", metavar="FILE", help="Write the mail there (default: standard output).")
@click.option("--to", default="", help="My opponent's mail address, if another than before.")
@click.option("--again", is_flag=True, help="Write the mail of my newest entry once more.")
@game_option
@click.pass_context
def send_command(
    ctx: click.Context, orders: str | None, output: str | None, to: str, again: bool, game: str | None
) -> int:
    """Sign orders, append them to my log, write the mail; without orders: send the reveal that is due.

    Example: pbem send orders.txt -o turn.eml
    """
    me, place = place_of(ctx, game)
    if again:
        if orders:
            raise click.UsageError("--again sends what is signed already; leave the order file out")
        _write_mail(me, place, _mine(place), output, to)
        return 0
    text = read_orders(orders) if orders else ""
    checked = me.check(place, text, random.Random(os.urandom(16)))  # noqa: S311 looks ahead only
    for error in checked.errors:
        echo(f"{orders}, {error}")
    if checked.errors:
        return 1
    if not checked.parts and place.table.due().what == "react":
        raise Refused("the other side's action asks me something", hint="`pbem form` shows what")
    if not orders and place.table.due().what != "reveal":
        raise Refused("orders are due", hint="`pbem form > orders.txt` begins them; an empty file passes nothing")
    for lapse in checked.lapses:
        if lapse.share >= 0.5:
            hint(f"line {lapse.line} `{' '.join(lapse.words)}` lapses in {lapse.share:.0%} of the futures")
    block = me.send(place, [part for _, part in checked.parts])
    _write_mail(me, place, block, output, to)
    return 0


def _mine(place: Place) -> Any:
    """My newest block in the log, if nobody has answered it."""
    from pbem.envelope import parse_entry, read_log_blocks

    block = read_log_blocks(place.text)[-1]
    if parse_entry(block.payload).by != place.me:
        raise Refused("the newest entry is not mine", hint="it was answered, so it has arrived")
    return block


def _write_mail(me: Desk, place: Place, block: Any, output: str | None, to: str) -> None:
    """Write the mail of my newest entry, with the report that the opponent gets."""
    from pbem import report
    from pbem.view import picture, report_data

    scenario = _scenario(me, place)
    reader = place.opponent.name
    compiled = _folder(me.home.cache / "templates")
    data = report_data(place.table, scenario, reader, compiled)
    text = report.mail_text(data, "", compiled=compiled)
    page = report.html(data, picture(place.table, scenario, reader), compiled=compiled)
    contact = place.folder.contact()
    if to and to != contact.to:
        contact = type(contact)(contact.name or place.me, contact.mail, to)
        place.folder.write_contact(contact)
    number = place.table.seq
    subject = f"pbem {place.folder.id}: {scenario.title}, entry {number}"
    save(output, mail_of(contact, subject, text, page, block, f"{place.folder.id}-{number}.turn"))
    if output and output != "-":
        echo(f"entry {number} is in my log; mail {output} to {contact.to or 'your opponent'}")
    _next(place)


@click.command("report")
@click.option("--entry", type=click.IntRange(1), metavar="N", help="As things stood after entry N (default: now).")
@click.option("--format", "form", type=click.Choice(["text", "html", "json", "svg", "png"]), default="text",
              show_default=True)  # fmt: skip
@json_option
@click.option("-o", "--output", metavar="FILE", help="Write it there (default: standard output).")
@game_option
@click.pass_context
def report_command(
    ctx: click.Context, entry: int | None, form: str, as_json_data: bool, output: str | None, game: str | None
) -> None:
    """The situation report, as text, HTML, JSON or the map as SVG.

    Example: pbem report --format html -o report.html
    """
    from pbem import report
    from pbem.turn import replay
    from pbem.view import picture, report_data

    me, place = place_of(ctx, game)
    scenario = _scenario(me, place)
    if entry is not None:
        if entry > place.table.seq:
            raise Refused(f"there is no entry {entry}", hint=f"the newest is {place.table.seq}")
        table = replay(place.text, me.home.load, until=entry, watch=me.watch).table
        if table is None:
            raise Refused("nothing is to be told of an offer")
        place.table = table
    compiled = _folder(me.home.cache / "templates")
    data = report_data(place.table, scenario, place.me, compiled)
    if as_json_data or form == "json":
        save(output, (json.dumps(data, indent=1, sort_keys=True) + "\n").encode("utf-8"))
    elif form == "text":
        save(output, report.text(data, compiled=compiled).encode("utf-8"))
    elif form == "html":
        page = report.html(data, picture(place.table, scenario, place.me), compiled=compiled)
        save(output, page.encode("utf-8"))
    else:
        from pbem.cli.begin import write_picture

        drawn = picture(place.table, scenario, place.me)
        if form == "png" and (output is None or not output.endswith(".png")):
            raise Refused("a PNG picture needs a file", hint="-o FILE.png")
        write_picture(output or "-", drawn)
