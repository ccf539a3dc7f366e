"""What players settle between moves: resign, draw, undo, claim, rekey."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import click

from pbem.cli.checking import agrees, goes_to, lost_mail, which
from pbem.cli.common import due_words, echo, hint, look_at, place_of, time_up, time_up_words
from pbem.cli.naming import game_option
from pbem.cli.noting import note_of, note_options
from pbem.cli.turns import granted, write_mail
from pbem.cli.written import spare_mail, turn_option
from pbem.errors import Refused
from pbem.home.contents import WISH
from pbem.home.times import newest
from pbem.home.wishes import Wish, forget_wish, keep_wish, wish_of
from pbem.wire.bodies import proposal_body
from pbem.wire.statements import Statement

if TYPE_CHECKING:
    from pbem.desk.desk import Desk, Place

__all__ = ["claim_command", "draw_command", "rekey_command", "resign_command", "undo_command"]

accept_option = click.option("--accept", "word", flag_value="accept", help="Accept the proposal.")
withdraw_option = click.option(
    "--withdraw", "word", flag_value="withdraw", help="Take back what I asked for and has not left yet."
)
refuse_option = click.option("--refuse", "word", flag_value="refuse", help="Refuse the proposal.")


@click.command("resign")
@withdraw_option
@click.option("--yes", is_flag=True, help="Give it up without being asked.")
@turn_option
@note_options
@game_option
@click.pass_context
def resign_command(
    ctx: click.Context, word: str | None, yes: bool, output: str | None, note: str | None, write_note: bool,
    game: str | None,
) -> None:  # fmt: skip
    """Give the game up.

    I am asked first, also where nothing is due from me: then it is kept, and goes with my next entry.

    Example: pbem resign -o turn.eml
    """
    words = note_of(note, write_note)
    if word is None:
        _surely(*look_at(ctx, game, surely=True), yes=yes)
    me, place = place_of(ctx, game, surely=True)
    _ask(me, place, Wish("resign", 0, words), word, output)


@click.command("draw")
@accept_option
@refuse_option
@withdraw_option
@turn_option
@note_options
@game_option
@click.pass_context
def draw_command(
    ctx: click.Context, word: str | None, output: str | None, note: str | None, write_note: bool, game: str | None
) -> None:
    """Propose a draw, or answer a proposal.

    Where nothing is due from me a proposal is kept, and goes with my next entry, before orders or an answer.

    Example: pbem draw -o turn.eml
    """
    words = note_of(note, write_note)
    me, place = place_of(ctx, game)
    _ask(me, place, Wish("draw", 0, words), word, output)


@click.command("undo")
@click.argument("entry", type=click.IntRange(2), required=False)
@accept_option
@refuse_option
@withdraw_option
@turn_option
@note_options
@game_option
@click.pass_context
def undo_command(
    ctx: click.Context, entry: int | None, word: str | None, output: str | None, note: str | None, write_note: bool,
    game: str | None,
) -> None:  # fmt: skip
    """Propose to take entries back, or answer.

    ENTRY and all behind it are taken back.
    Both must sign. What was played stays in the log; the dice go on, none is ever rolled again. Where nothing is due
    from me a proposal is kept, and goes with my next entry, before orders or an answer.

    Example: pbem undo 14 -o turn.eml
    """
    if (entry is None) == (word is None):
        raise click.UsageError("either the number of an entry, or --accept, --refuse or --withdraw")
    words = note_of(note, write_note)
    me, place = place_of(ctx, game)
    _ask(me, place, Wish("undo", entry or 0, words), word, output)


def _ask(me: Desk, place: Place, wish: Wish, word: str | None, output: str | None) -> None:
    """Answer a proposal; or sign what I ask for, keep it where it can't be signed yet, or take it back."""
    spare_mail(output, place.folder)
    if word == "withdraw":
        _withdraw(place, wish.kind)
    elif word is not None:
        turn = me.agree(place, wish.kind, proposal_body(wish.kind, word))
        if word == "accept":
            echo(f"I accept the {wish.kind} in {which(me, place)}")
        write_mail(me, place, turn, output, "", note=wish.note)
    elif wish.can_go(place.table, place.me):
        turn = granted(me, place, wish)
        if wish.kind != "undo":
            echo(f"{wish} is signed in {which(me, place)}")
        write_mail(me, place, turn, output, "", note=wish.note)
    else:
        _keep(place, wish)


def _surely(me: Desk, place: Place, *, yes: bool) -> None:
    """Ask whether I give the game up. Raises Refused without consent, or without somebody to ask."""
    if yes or place.table.due().player is None:  # of a game that is over `_keep` tells
        return
    if not sys.stdin.isatty():
        hint = "--yes gives it up unasked"
        raise Refused(f"nobody can be asked here whether I give up {which(me, place)}", hint=hint)
    if not agrees(f"give up {which(me, place)}? He has won then"):
        raise Refused("nothing is signed, and nothing kept")


def _keep(place: Place, wish: Wish) -> None:
    """Keep what can't be signed yet. Raises Refused where it never can be."""
    from pbem.home.bots import bot_of

    table, due = place.table, place.table.due()
    if due.player is None:
        raise Refused(f"nothing is due from {place.me}", hint=str(due))
    if wish.kind == "undo" and wish.target not in table.decisions:
        known = ", ".join(map(str, table.decisions[-8:])) or "none"
        raise Refused(f"entry {wish.target} can't be taken back", hint=f"decisions that can be: {known}")
    made = table.proposal
    if made is not None and (made.kind, made.by) == (wish.kind, place.me):
        raise Refused(f"{Wish(made.kind, made.target)} is made already", hint=str(due))
    before = wish_of(place.folder)
    keep_wish(place.folder, wish)
    mail = "mail" if bot_of(place.folder) is None else "entry"
    instead = f", in place of {before}" if before is not None and before[:2] != wish[:2] else ""
    if (wish.kind, place.me) in table.refused:
        echo(f"{place.opponent.name} has refused the last one, and {wish} can follow my next orders or answer")
        when = f"the {mail} after those"
    else:
        when = f"the {mail} after that" if due.player == place.me else f"my next {mail}"
    echo(f"{due_words(due, place.me)} first; {wish} is kept{instead}, and goes with {when}")
    if wish.kind != "resign":
        asked = "orders, or an answer as about a retreat, that are asked of me then"
        hint(f"it goes alone: {asked} wait until {place.opponent.name} has answered it")
    hint(f"`pbem {wish.kind} --withdraw` takes it back")
    if wish.kind == "undo" and (lost := lost_mail(place)):
        hint(lost)


def _withdraw(place: Place, kind: str) -> None:
    """Take back what is kept. Raises Refused where nothing of the kind is, or where it is signed already."""
    wish, proposal = wish_of(place.folder), place.table.proposal
    if wish is not None and wish.kind == kind:
        forget_wish(place.folder)
        echo(f"{wish} is withdrawn; nobody has seen it")
    elif wish is None and (place.folder.path / WISH).exists():
        forget_wish(place.folder)
        echo("the damaged file of what waited to be sent is taken away")
    elif proposal is not None and (proposal.kind, proposal.by) == (kind, place.me):
        what = f"the {kind} is proposed already, with entry {place.table.seq}, and what is signed stays"
        ask = f"`pbem send --again --note FILE{goes_to(place)}` can ask for that"
        raise Refused(what, hint=f"{place.opponent.name} may refuse it: {ask}")
    else:
        due = place.table.due()
        raise Refused(f"no {kind} of mine waits to be sent", place.folder.id, "" if due.player else str(due))


@click.command("claim")
@turn_option
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
    spare_mail(output, place.folder)
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
    turn = me.agree(place, "claim", body)
    echo(f"I claim {which(me, place)}")
    write_mail(me, place, turn, output, "")


@click.command("rekey")
@click.argument("new_key", type=click.Path(dir_okay=False))
@turn_option
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
    spare_mail(output, place.folder)
    write_mail(me, place, rekey(me, place, load_signer(new_key), os.urandom(16)), output, "")
    hint(f"from now on this game needs `--key {new_key}`")
