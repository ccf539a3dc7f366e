"""Mails that came: opened, taken into their games, reported."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.checking import tell_all
from pbem.cli.common import (
    as_json,
    desk,
    echo,
    error_data,
    hint,
    json_option,
    look,
    show,
    source_name,
    tell_damage,
    unlock_key,
)
from pbem.cli.due import tell_next
from pbem.cli.files import is_archive, no_mail
from pbem.cli.naming import mean, name_of
from pbem.cli.noting import told
from pbem.cli.showing import browser_option, show_report
from pbem.errors import Damaged, Refused
from pbem.language import say

if TYPE_CHECKING:
    from pbem.desk.arrival import Receipt
    from pbem.desk.desk import Desk, Offered
    from pbem.desk.letter import Letter

__all__ = ["open_command"]


@click.command("open")
@click.argument("sources", nargs=-1, type=click.Path(), metavar="SOURCES...")
@click.option("--quiet", is_flag=True, help="Without the report.")
@browser_option
@json_option
@click.pass_context
def open_command(
    ctx: click.Context, sources: tuple[str, ...], quiet: bool, no_browser: bool, as_json_data: bool
) -> int:
    """Open mails: verify, append, resolve, report.

    SOURCES are mails, text files, folders, mbox files, Maildirs, or - for standard input. In folders and mailboxes,
    mails without a turn are passed over. Of an offer the terms are shown, and nothing is stored. The report as a page,
    with pictures of where something happened, is kept in the game's folder and, on a desktop, shown in the browser.

    Example: pbem open turn.eml
    """
    from pbem.desk.arrival import open_all

    if not sources:
        raise click.UsageError(
            "name what came: a mail's file, a folder or mailbox, or - for a text that is pasted or piped"
        )
    if "-" in sources and sys.stdin.isatty():
        end = "Ctrl-Z and Enter end" if sys.platform == "win32" else "Ctrl-D on an empty line ends"
        echo(f"paste the mail here; {end} it:")
    me = desk(ctx)
    letters, foreign = _letters(sources)
    unlock_key(ctx, me)
    with look(ctx, me, to_write=True):
        receipts, errors = open_all(me, letters)
    for error in errors:
        if isinstance(error, Damaged) and not error.hint:
            error.hint = "ask for it again: `pbem send --again -o turn.eml` writes it there"
    errors = [*foreign, *errors]
    newest = {receipt.place.folder.id: receipt for receipt in receipts if receipt.offer is None}
    news = {receipt.place.folder.id for receipt in receipts if receipt.offer is None and receipt.what != "known"}
    if as_json_data:
        as_json(
            {
                "opened": [_receipt(r) | {"told": _told(ctx, me, r)} for r in receipts],
                "refused": [error_data(e) for e in errors],
            }
        )
    else:
        for receipt in receipts:
            echo(_told(ctx, me, receipt))
            if receipt.offer is not None and not quiet:
                show(_offer_text(receipt.offer, receipt.note))
        for receipt in () if quiet else newest.values():
            mean(ctx, me.home, receipt.place.folder)
            if receipt.place.folder.id in news:
                show_report(me, receipt.place, browser=not no_browser)
            else:
                hint("`pbem report` shows how the game stands")
    tell_all(errors)
    for receipt in (receipt for receipt in receipts if receipt.offer is not None):
        hint(f"`{_accepting(receipt)}` accepts these terms; it shows them again and asks")
    for receipt in newest.values():
        mean(ctx, me.home, receipt.place.folder)
        tell_damage(ctx, receipt.place.folder)
        tell_next(receipt.place)
    return 1 if errors else 0


def _letters(sources: tuple[str, ...]) -> tuple[list[Letter], list[Refused]]:
    """The letters to open: all that are named; of a folder or mailbox those with a turn in them, whole or damaged.

    And an error for each file that is named and is something else.
    """
    from pbem.desk.letter import read_letter
    from pbem.mail.inbox import read_mails

    found: list[Letter] = []
    foreign: list[Refused] = []
    passed_over = 0
    for source in sources:
        if is_archive(source) and (archive := no_mail(source)) is not None:
            foreign.append(archive)
            continue
        kept: list[Letter] = []
        only: Letter | None = None
        for number, letter in enumerate(map(read_letter, read_mails(source, sys.stdin.buffer))):
            only = None if number else letter
            if letter.empty:
                passed_over += 1
            else:
                kept.append(letter)
        if only is not None and only.empty:
            passed_over -= 1
            if not (only.mail.sender or only.mail.subject) and (other := no_mail(source)) is not None:
                foreign.append(other)
            else:
                kept.append(only)
        found += kept
    if not found and not foreign:
        what = f"none of the {passed_over} mails holds a turn" if passed_over else "no mail is there"
        raise Refused(what, " ".join(map(source_name, sources)), "a mail with a turn block is needed")
    if passed_over:
        echo(f"{passed_over} mails without a turn are passed over")
    return found, foreign


def _told(ctx: click.Context, me: Desk, receipt: Receipt) -> str:
    entry = receipt.entry
    if receipt.offer is not None:
        return f"{receipt.source}: an offer by {entry.by}; nothing of it is stored"
    game = name_of(ctx, me.home, receipt.place.folder)
    words = {
        "known": f"{receipt.source}: entry {entry.seq} of game {game} is known already",
        "begun": f"{receipt.source}: {entry.by} accepts, game {game} has begun",
        "taken": f"{receipt.source}: entry {entry.seq} ({entry.kind} by {entry.by}) is taken into game {game}",
    }
    return words[receipt.what]


def _accepting(receipt: Receipt) -> str:
    """The command that accepts an offer, with the file that it came in."""
    from shlex import quote

    offer = quote(receipt.source) if os.path.isfile(receipt.source) else "OFFER.eml"
    solo = receipt.offer is not None and receipt.offer.terms.solo
    return f"pbem accept {offer} --name NAME" + ("" if solo else " --mail ADDRESS -o accept.eml")


def _offer_text(offered: Offered, note: str) -> str:
    from pbem.report.terms import Party, terms_text, terms_words

    _, player, terms, scenario = offered
    words = terms_words(scenario, terms, Party.of(player))
    beside = f"{told(player.name, note)}\n" if note else ""
    below = terms_text(words, scenario.system)
    return beside + say("%(player)s offers a game on these terms:\n%(terms)s", player=player.name, terms=below)


def _receipt(receipt: Receipt) -> dict[str, Any]:
    from pbem.report.terms import Party, terms_data

    entry = receipt.entry
    given = {
        "source": receipt.source,
        "what": receipt.what,
        "seq": entry.seq,
        "kind": entry.kind,
        "by": entry.by,
    }
    if receipt.offer is not None:
        _, player, terms, scenario = receipt.offer
        return given | {"terms": terms_data(scenario, terms, Party.of(player)), "note": receipt.note}
    table = receipt.place.table
    due = table.due()
    return given | {"game": table.genesis.game.hex(), "due": {"what": due.what, "player": due.player}}
