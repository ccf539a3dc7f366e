"""What players settle between moves: resign, draw, undo, claim, rekey."""

from __future__ import annotations

import os
import time

import click

from pbem.cli.common import hint, mail_option, place_of, time_up, time_up_words
from pbem.cli.naming import game_option
from pbem.cli.noting import note_of, note_options
from pbem.cli.turns import write_mail
from pbem.errors import Refused
from pbem.home.times import newest
from pbem.wire.blocks import Statement
from pbem.wire.bodies import proposal_body

__all__ = ["claim_command", "draw_command", "rekey_command", "resign_command", "undo_command"]

accept_option = click.option("--accept", "word", flag_value="accept", help="Accept the proposal.")
refuse_option = click.option("--refuse", "word", flag_value="refuse", help="Refuse the proposal.")


@click.command("resign")
@mail_option
@note_options
@game_option
@click.pass_context
def resign_command(
    ctx: click.Context, output: str | None, note: str | None, write_note: bool, game: str | None
) -> None:
    """Give the game up.

    It is an entry like all others: something must be due from me.

    Example: pbem resign -o turn.eml
    """
    words = note_of(note, write_note)
    me, place = place_of(ctx, game, surely=True)
    write_mail(me, place, me.agree(place, "resign"), output, "", note=words)


@click.command("draw")
@accept_option
@refuse_option
@mail_option
@note_options
@game_option
@click.pass_context
def draw_command(
    ctx: click.Context, word: str | None, output: str | None, note: str | None, write_note: bool, game: str | None
) -> None:
    """Propose a draw, or answer a proposal.

    Example: pbem draw -o turn.eml
    """
    words = note_of(note, write_note)
    me, place = place_of(ctx, game)
    write_mail(me, place, me.agree(place, "draw", proposal_body("draw", word or "offer")), output, "", note=words)


@click.command("undo")
@click.argument("entry", type=click.IntRange(2), required=False)
@accept_option
@refuse_option
@mail_option
@note_options
@game_option
@click.pass_context
def undo_command(
    ctx: click.Context, entry: int | None, word: str | None, output: str | None, note: str | None, write_note: bool,
    game: str | None,
) -> None:  # fmt: skip
    """Propose to take entries back, or answer.

    ENTRY and all behind it are taken back.
    Both must sign. What was played stays in the log; the dice go on, none is ever rolled again.

    Example: pbem undo 14 -o turn.eml
    """
    if (entry is None) == (word is None):
        raise click.UsageError("either the number of an entry, or --accept or --refuse")
    words = note_of(note, write_note)
    me, place = place_of(ctx, game)
    body = proposal_body("undo", word or "offer", entry or 0)
    write_mail(me, place, me.agree(place, "undo", body), output, "", note=words)


@click.command("claim")
@mail_option
@game_option
@click.pass_context
def claim_command(ctx: click.Context, output: str | None, game: str | None) -> None:
    """Claim the game after the deadline.

    The terms must have a deadline, and the opponent must have decided nothing for so many days since my newest entry
    was sent; the time for which a proposal of his lay before me until I refused it doesn't count. It is my word: a log
    can't prove what mail arrived.

    Example: pbem claim -o turn.eml
    """
    me, place = place_of(ctx, game, surely=True)
    days = place.table.genesis.terms.deadline
    if not days:
        raise Refused("the terms of this game have no deadline", place.folder.id)
    if place.table.seq == 1:
        hint = "a game that isn't begun can't be lost; another offer makes another one"
        raise Refused("the deadline counts from the first entry behind the accept on", place.folder.id, hint)
    up = time_up(place.folder, place.table, place.me)
    if up is not None and time.time() < up:
        hint = time_up_words(place.opponent.name, up)
        raise Refused(f"the deadline of {days} day{'s' * (days > 1)} has not passed", place.folder.id, hint)
    entries = place.folder.entries()
    number, sent = newest(entries, place.folder.times(len(entries)), place.me)
    body = (Statement("sent", (str(number), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(sent)))),)
    write_mail(me, place, me.agree(place, "claim", body), output, "")


@click.command("rekey")
@click.argument("new_key", type=click.Path(dir_okay=False))
@mail_option
@game_option
@click.pass_context
def rekey_command(ctx: click.Context, new_key: str, output: str | None, game: str | None) -> None:
    """Sign with NEW_KEY from now on.

    The entry that says so is signed with the old key; a new chain of dice comes with it.

    Example: pbem rekey ~/.ssh/id_new -o turn.eml
    """
    from pbem.crypto.keys import load_signer
    from pbem.desk.succession import rekey

    me, place = place_of(ctx, game)
    write_mail(me, place, rekey(me, place, load_signer(new_key), os.urandom(16)), output, "")
    hint(f"from now on this game needs `--key {new_key}`")
