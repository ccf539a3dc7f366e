"""When a key is lost or a side changes hands: recover, accept-rekey, substitute."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from pbem.cli.asking import confirm
from pbem.cli.checking import tell_all, which
from pbem.cli.common import (
    address,
    desk,
    echo,
    hint,
    in_words,
    look_at,
    place_of,
    player_name,
    progress,
    source_name,
    take_home,
)
from pbem.cli.compare import sources
from pbem.cli.files import mail_of, save, written_to
from pbem.cli.naming import game_option
from pbem.cli.turns import write_mail
from pbem.cli.written import mail_option, spare_mail, turn_option
from pbem.errors import Refused

if TYPE_CHECKING:
    from pbem.desk.desk import Desk
    from pbem.home.contact import Contact
    from pbem.match.table import Table
    from pbem.wire.bodies import Player
    from pbem.wire.turn import Turn

__all__ = ["accept_rekey_command", "recover_command", "substitute_command"]

yes_option = click.option("--yes", is_flag=True, help="The fingerprint is compared already: don't ask.")
to_option = click.option("--to", default="", metavar="ADDRESS", help="Where mails for the other player go from now on.")


@click.command("recover")
@click.argument("log", metavar="LOG", type=click.Path())
@click.option("--name", required=True, help="The player whose side it is, as he is called in the game.")
@click.option("--key", type=click.Path(dir_okay=False), help="My key from now on (default: as always).")
@click.option("--as", "person", default="", help="My name, if I play on for him.")
@click.option(
    "--recovery-key", type=click.Path(dir_okay=False), help="The recovery key that the offer or accept named."
)
@click.option("--mail", "mine", default="", metavar="ADDRESS", help="My mail address.")
@click.option(
    "--to", default="", metavar="ADDRESS", help="My opponent's mail address; with --as that of whoever shall answer."
)
@mail_option
@click.option("--game", metavar="GAME", help="Of several games in LOG the one whose id begins so.")
@click.pass_context
def recover_command(
    ctx: click.Context, log: str, name: str, key: str | None, person: str, recovery_key: str | None, mine: str,
    to: str, output: str | None, game: str | None,
) -> None:  # fmt: skip
    """Play on with a new key, or in another's place.

    My key is lost, or I take a side over.

    LOG is the game.log, or the mails of the game. With the recovery key the game goes on
    at once. Without it the mail only asks: the opponent grants it with `pbem accept-rekey`, or the player who gives
    his side away proposes it with `pbem substitute`.

    A dice secret that was due is lost with the key; the terms say what that costs. Say that the key is lost while the
    opponent has nothing to decide: else he may sign an attack first, whose dice then fall as is worst for me.

    Example: pbem recover game.log --name ben --key new.key -o ask.eml
    """
    from pbem.crypto.keys import load_signer
    from pbem.desk.succession import ask, recovered
    from pbem.home.contact import Contact

    contact = Contact(player_name(name), address("--mail", mine), address("--to", to))
    spare_mail(output, None)
    person = player_name(person) if person else ""
    ctx.obj["key"] = key or ctx.obj["key"]
    me = desk(ctx)
    text, table = _game_in(me, log, name, game)
    recovery = load_signer(recovery_key) if recovery_key else None
    take_home(ctx, me, make=recovery is not None)
    signed = _signed_before(me, text, table, name) if recovery is not None else None
    turn = signed or ask(table, name, me.signer, os.urandom(16), person=person, recovery=recovery)
    hint(f"compare this head with your opponent first, for a log may be cut off: {table.head.hex()}")
    if recovery is None:
        _write_request(me, table, turn, contact, person, output)
    else:
        text, table = recovered(table, text, turn)
        _go_on(me, text, table, turn, contact, output)


def _game_in(me: Desk, log: str, name: str, game: str | None) -> tuple[str, Table]:
    """The one game of a log or of mails, or the one that is named, verified."""
    from pbem.home.contents import ID_LENGTH
    from pbem.home.salvage import Me, logs_in

    blocks, damaged = sources(log)
    logs, refused, told = logs_in(blocks, source_name(log), Me(name=name), me.home.load, progress())
    logs = [found for found in logs if found.table.genesis.game.hex().startswith(game or "")]
    if len(logs) != 1:
        wrong = [*refused, *damaged] if not logs else []
        named = " or --game ".join(found.table.genesis.game.hex()[:ID_LENGTH] for found in logs)
        several = Refused(
            f"{len(logs)} games are there", source_name(log), f"--game {named}" if logs else "one it must be"
        )
        raise wrong[0] if wrong else several
    tell_all(told)
    return logs[0]


def _signed_before(me: Desk, text: str, table: Table, name: str) -> Turn | None:
    """The recover behind this log that was signed here before, by a run that was cut off before the log took it.

    Raises Refused where the log here has it.
    """
    from pbem.home.contents import ID_LENGTH
    from pbem.home.folders import Folder
    from pbem.wire.blocks import read_log_blocks
    from pbem.wire.turn import Turn

    folder = Folder(me.home, "games", table.genesis.game.hex()[:ID_LENGTH])
    here = folder.text() if folder.log.is_file() else ""
    behind = read_log_blocks(here[len(text) :])[:1] if here.startswith(text) else []
    for entry in (Turn.of(block).entry for block in behind):
        if (entry.kind, entry.by) == ("recover", name):
            what = f"this recovery is signed already: it is entry {entry.seq} of the log here"
            raise Refused(what, me.home.name_of(folder), "`pbem send --again -o FILE` writes its mail")
    noted = folder.signed()
    mine = noted is not None and (noted.entry.kind, noted.entry.by) == ("recover", name)
    return noted if mine and noted is not None and noted.entry.prev == table.head.hex() else None


def _write_request(me: Desk, table: Table, turn: Turn, contact: Contact, person: str, output: str | None) -> None:
    """Write the mail that asks for the key."""
    from pbem.crypto.openssh import fingerprint
    from pbem.home.contents import ID_LENGTH
    from pbem.match.agreements import asker
    from pbem.report.brief import request_text

    game = table.genesis.game.hex()[:ID_LENGTH]
    who = asker(table.player(contact.name)._replace(person=person))
    text = request_text(who, game, fingerprint(me.signer.pub_blob))
    save(output, mail_of(contact, f"pbem {game}: a new key", text, turn, f"{game}-request.turn"))
    echo(f"the request is written{written_to(output, contact, contact.name if person else 'your opponent')}")
    if person:
        hint(f"if {contact.name} has lost the key, and can't propose it, it is for the opponent to grant")
    whom = contact.name if person else "the other player"
    hint(f"tell {whom} the fingerprint by voice: {fingerprint(me.signer.pub_blob)}")
    mails = "the mails that grant it" if person else "his mail"
    hint(f"when it is granted, put the log and {mails} into a folder: `pbem restore FOLDER` brings the game here")


def _go_on(me: Desk, text: str, table: Table, turn: Turn, contact: Contact, output: str | None) -> None:
    """Put the game into my home folder, behind my recover, and write its mail."""
    from pbem.home.restore import restore_game

    game, _ = restore_game(me.home, text, table, me.signer.pub_blob, contact, signed=turn)
    folder = me.home.find(game)
    if folder.text() == text:
        folder.keep(table, text)  # else its adverse dice would be found once more
    write_mail(me, me.place(folder), turn, output, contact.to)


@click.command("accept-rekey")
@click.argument("mail", type=click.Path())
@yes_option
@to_option
@turn_option
@game_option
@click.pass_context
def accept_rekey_command(
    ctx: click.Context, mail: str, yes: bool, to: str, output: str | None, game: str | None
) -> None:
    """Grant the opponent's request for a new key: he has lost his.

    Compare the fingerprint by voice: whoever has that key plays his side from now on. The log says that it was
    granted on my word.

    Example: pbem accept-rekey ask.eml -o turn.eml
    """
    from pbem.desk.succession import grant
    from pbem.match.agreements import read_request

    request, sender = _request(mail)
    game = game or request.entry.game
    asking = read_request(look_at(ctx, game)[1].table, request).player
    who = f"{asking.person}, who plays on for {asking.name}," if asking.person else asking.name
    _compare(asking, who, yes=yes)
    me, place = place_of(ctx, game)
    spare_mail(output, place.folder)
    read_request(place.table, request)
    write_mail(me, place, grant(me, place, request.entry), output, address("--to", to or sender))
    hint(f"he needs the whole log to go on: {place.folder.log}")


@click.command("substitute")
@click.argument("mail", type=click.Path(), required=False)
@click.option("--accept", "word", flag_value="accept", help="Accept the opponent's substitute.")
@click.option("--refuse", "word", flag_value="refuse", help="Refuse him.")
@yes_option
@to_option
@turn_option
@game_option
@click.pass_context
def substitute_command(
    ctx: click.Context, mail: str | None, word: str | None, yes: bool, to: str, output: str | None, game: str | None
) -> None:
    """Give my side to somebody else, or answer that.

    MAIL is his request, written by `pbem recover GAME.LOG --name ME --as HIM`. The opponent must accept him.

    Example: pbem substitute ask.eml -o turn.eml
    """
    from pbem.desk.succession import answer, propose
    from pbem.match.agreements import read_request

    if (mail is None) == (word is None):
        raise click.UsageError("either the mail with the request, or --accept or --refuse")
    if mail is not None:
        request, _ = _request(mail)
        game = game or request.entry.game
        asking = read_request(look_at(ctx, game)[1].table, request).player
        _compare(asking, asking.person or asking.name, yes=yes)
        me, place = place_of(ctx, game)
        spare_mail(output, place.folder)
        read_request(place.table, request)
        turn = propose(me, place, request.entry)
        echo(f"{asking.person or asking.name} is proposed in my place in {which(me, place)}")
        write_mail(me, place, turn, output, address("--to", to))
        return
    me, place = place_of(ctx, game)
    spare_mail(output, place.folder)
    turn = answer(me, place, word or "")
    if word == "accept":
        echo(f"I accept the substitute in {which(me, place)}")
    write_mail(me, place, turn, output, address("--to", to))
    if word == "accept":
        hint(f"he needs the whole log to go on: {place.folder.log}")


def _request(source: str) -> tuple[Turn, str]:
    """The request in a mail, and its sender's address: the copy that its new key signed, wherever it stands."""
    import sys

    from pbem.desk.letter import read_letter
    from pbem.mail.inbox import read_mails
    from pbem.match.agreements import asked_key

    letters = [read_letter(mail) for mail in read_mails(source, sys.stdin.buffer)]
    if unreadable := next((letter.unreadable for letter in letters if letter.unreadable), None):
        raise unreadable
    asked = [(turn, letter.mail.sender) for letter in letters for turn in letter.copies if turn.entry.kind == "recover"]
    if len({turn.payload for turn, _ in asked}) != 1:
        what = "no request for a key is there" if not asked else "several requests are there"
        raise Refused(what, source_name(source), "one mail, written by `pbem recover`, it must be")
    copies = letters[0]._replace(copies=tuple(turn for turn, _ in asked))
    request = copies.rightly_signed(asked[0][0], asked_key(asked[0][0].entry))
    return next((turn, sender) for turn, sender in asked if turn == request)


def _compare(asking: Player, who: str, *, yes: bool) -> None:
    from pbem.crypto.openssh import fingerprint

    echo(f"{who} asks to sign with the key {fingerprint(asking.key)}")
    try:
        agreed = yes or confirm(in_words("has he told you this fingerprint himself?"))
    except click.Abort:
        agreed = False
    if not agreed:
        raise Refused("nothing is granted", hint="ask him for the fingerprint by voice; --yes when it is compared")
