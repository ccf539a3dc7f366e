"""What players settle between moves: resign, draw, undo, claim, rekey, rechain."""

from __future__ import annotations

import os
import time

import click

from pbem.agreements import body_of
from pbem.cli.common import game_option, hint, place_of
from pbem.cli.turns import write_mail
from pbem.envelope import Statement
from pbem.errors import Refused

__all__ = ["claim_command", "draw_command", "rechain_command", "rekey_command", "resign_command", "undo_command"]

output_option = click.option("-o", "--output", metavar="FILE", help="Write the mail there (default: standard output).")
accept_option = click.option("--accept", "word", flag_value="accept", help="Accept the proposal.")
refuse_option = click.option("--refuse", "word", flag_value="refuse", help="Refuse the proposal.")


@click.command("resign")
@output_option
@game_option
@click.pass_context
def resign_command(ctx: click.Context, output: str | None, game: str | None) -> None:
    """Give the game up.

    It is an entry like all others: something must be due from me.

    Example: pbem resign -o turn.eml
    """
    me, place = place_of(ctx, game)
    write_mail(me, place, me.agree(place, "resign"), output, "")


@click.command("draw")
@accept_option
@refuse_option
@output_option
@game_option
@click.pass_context
def draw_command(ctx: click.Context, word: str | None, output: str | None, game: str | None) -> None:
    """Propose a draw, or answer a proposal.

    Example: pbem draw -o turn.eml
    """
    me, place = place_of(ctx, game)
    write_mail(me, place, me.agree(place, "draw", body_of("draw", word or "offer")), output, "")


@click.command("undo")
@click.argument("entry", type=click.IntRange(2), required=False)
@accept_option
@refuse_option
@output_option
@game_option
@click.pass_context
def undo_command(ctx: click.Context, entry: int | None, word: str | None, output: str | None, game: str | None) -> None:
    """Propose to take entries back, or answer.

    ENTRY and all behind it are taken back.
    Both must sign. What was played stays in the log; the dice go on, none is ever rolled again.

    Example: pbem undo 14 -o turn.eml
    """
    if (entry is None) == (word is None):
        raise click.UsageError("either the number of an entry, or --accept or --refuse")
    me, place = place_of(ctx, game)
    write_mail(me, place, me.agree(place, "undo", body_of("undo", word or "offer", entry or 0)), output, "")


@click.command("claim")
@output_option
@game_option
@click.pass_context
def claim_command(ctx: click.Context, output: str | None, game: str | None) -> None:
    """Claim the game after the deadline.

    The terms must have a deadline, and the opponent must have been silent for so many days. It is my word: a log
    can't prove what mail arrived.

    Example: pbem claim -o turn.eml
    """
    me, place = place_of(ctx, game)
    days = place.table.genesis.terms.deadline
    if not days:
        raise Refused("the terms of this game have no deadline", place.folder.id)
    since = place.folder.since()
    if time.time() - since < days * 86400:
        ends = time.strftime("%Y-%m-%d %H:%M", time.gmtime(since + days * 86400))
        raise Refused(f"the deadline of {days} days has not passed", place.folder.id, f"it passes on {ends} UTC")
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(since))
    body = (Statement("sent", (str(place.table.seq), stamp)),)
    write_mail(me, place, me.agree(place, "claim", body), output, "")


@click.command("rekey")
@click.argument("new_key", type=click.Path(dir_okay=False))
@output_option
@game_option
@click.pass_context
def rekey_command(ctx: click.Context, new_key: str, output: str | None, game: str | None) -> None:
    """Sign with NEW_KEY from now on.

    The entry that says so is signed with the old key; a new chain of dice comes with it.

    Example: pbem rekey ~/.ssh/id_new -o turn.eml
    """
    from pbem.keys import load_signer

    me, place = place_of(ctx, game)
    signer = load_signer(new_key)
    if signer.pub_blob == me.signer.pub_blob:
        raise Refused("it is the key of now", new_key, "`pbem rechain` renews the chain of dice alone")
    body = body_of("rekey", player=me.renewed(place, signer, os.urandom(16)))
    write_mail(me, place, me.agree(place, "rekey", body), output, "")
    hint(f"from now on this game needs `--key {new_key}`")


@click.command("rechain")
@output_option
@game_option
@click.pass_context
def rechain_command(ctx: click.Context, output: str | None, game: str | None) -> None:
    """Begin a new chain of dice.

    It must be done before the old one runs out: a chain has a thousand values, one a mail.

    Example: pbem rechain -o turn.eml
    """
    me, place = place_of(ctx, game)
    body = body_of("rechain", player=me.renewed(place, me.signer, os.urandom(16)))
    write_mail(me, place, me.agree(place, "rechain", body), output, "")
