"""A game by mail, begun: offer, accept."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pbem.cli.common import address, call, desk, echo, in_words, loaded_of, player_name, source_name, take_home
from pbem.cli.completion import scenarios, side_of
from pbem.cli.files import mail_of, save, written_to
from pbem.cli.naming import mean
from pbem.cli.noting import beside, note_of, note_options, told
from pbem.cli.written import mail_option, spare_mail
from pbem.disk import open_regular
from pbem.errors import PbemError, Refused
from pbem.language import ENGLISH, LANGUAGES, language, read_in, say, spoken
from pbem.wire.notes import Note

if TYPE_CHECKING:
    from pbem.desk.desk import Desk, Offered, Place
    from pbem.mail.inbox import Mail
    from pbem.report.terms import Party, TermWords
    from pbem.scenario import Scenario
    from pbem.wire.turn import Turn

__all__ = ["accept_command", "checked_side", "offer_command", "options_of"]


KEY_MAX = 65536
"""Bytes of a public key file that are read."""

reads_option = click.option("--reads", type=click.Choice(LANGUAGES), help="The language that I read (default: mine).")
"""In which language mails to me are told."""


@click.command("offer")
@click.argument("scenario", shell_complete=scenarios)
@click.option("--side", required=True, shell_complete=side_of, help="The side I take.")
@click.option("--name", required=True, help="My name in the game: a-z, digits, -; 16 at most.")
@click.option("--mail", "mine", default="", metavar="ADDRESS", help="My mail address.")
@click.option("--to", default="", metavar="ADDRESS", help="My opponent's mail address.")
@click.option("--reactions", type=click.Choice(["standing", "ask"]), default="standing", show_default=True,
              help="What the other side's action asks me: by standing order or default, or asked by mail.")  # fmt: skip
@click.option("--lost-secret", type=click.Choice(["adverse", "forfeit"]), default="adverse", show_default=True,
              help="What a lost dice secret costs its owner.")  # fmt: skip
@click.option("--deadline", type=click.IntRange(1, 9999), help="Days a player may take for an answer (default: none).")
@click.option(
    "--recovery-key", metavar="FILE.pub", type=click.Path(), help="A key that may name a new one, should mine be lost."
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the scenario.")
@click.option("--solo", is_flag=True, help="I play both sides, with one key.")
@reads_option
@mail_option
@note_options
@click.pass_context
def offer_command(
    ctx: click.Context, scenario: str, side: str, name: str, mine: str, to: str, reactions: str, lost_secret: str,
    deadline: int | None, recovery_key: str | None, options: tuple[str, ...], solo: bool, reads: str | None,
    output: str | None, note: str | None, write_note: bool,
) -> None:  # fmt: skip
    """Offer a game; the mail goes to the opponent.

    \b
    Example: pbem offer toba-fushimi --side shogunate --name asuka
                 --mail asuka@example.org --to ben@example.net -o offer.eml
    """
    from pbem.desk.desk import terms_of
    from pbem.home.contact import Contact
    from pbem.report.brief import offer_text
    from pbem.report.terms import Party, terms_words

    contact = Contact(player_name(name), address("--mail", mine), address("--to", to))
    spare_mail(output, None)
    if output is None and sys.stdout.isatty():
        raise click.UsageError("-o says where the mail goes: `-o offer.eml` to a file, `-o -` to the screen")
    me = desk(ctx)
    loaded = loaded_of(me, scenario)
    side = checked_side(loaded, side)
    terms = terms_of(
        loaded, options_of(options), reactions=reactions, lost_secret=lost_secret, deadline=deadline or 0, solo=solo
    )
    recovery, words = _public_key(recovery_key), note_of(note, write_note)
    take_home(ctx, me, make=True)
    folder, turn = me.offer(terms, side, contact, recovery, reads=_reads(reads))
    offerer = Party(name, side, bool(recovery), _reads(reads))
    mine_to_it = Note(name, 0, words) if words else None
    text = beside(mine_to_it, offer_text(loaded, terms, offerer))
    try:
        if mine_to_it is not None:
            folder.keep_note(mine_to_it)
        subject = say("pbem: %(title)s, an offer", title=call(loaded.title, loaded.system))
        save(output, mail_of(contact, subject, text, turn, f"{folder.id}-0.turn"))
    except PbemError:
        folder.remove()  # an offer that nobody can get
        raise
    _tell_terms("offered are these terms", terms_words(loaded, terms, offerer), loaded.system)
    if solo:
        echo(f"offer {folder.id} is stored; it is for me to accept")
    else:
        echo(f"offer {folder.id} is stored{written_to(output, contact)}")


def _public_key(path: str | None) -> bytes:
    """The key in a public key file; empty without one. Raises Refused."""
    from pbem.crypto.openssh import from_text

    if path is None:
        return b""
    try:
        with open_regular(path) as file:
            return from_text(file.read(KEY_MAX).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("the public key can't be read", path, "a file such as id_ed25519.pub it must be") from error
    except PbemError as error:
        error.where = path
        raise


def _reads(named: str | None) -> str:
    """The language that I read, as an offer or accept has it: the one named, else that in force; empty for English."""
    tag = named or language()
    return "" if tag == ENGLISH else tag


def checked_side(scenario: Scenario, side: str) -> str:
    """A side of a scenario, as it was typed. Raises Refused for one that it doesn't have."""
    from pbem.words import nearest

    sides = [known["id"] for known in scenario.data["scenario"]["sides"]]
    if side not in sides:
        raise Refused(f"{scenario.id} has no side {side}", hint=nearest(side.lower(), sorted(sides)))
    return side


def options_of(pairs: tuple[str, ...]) -> dict[str, str]:
    """The options of a scenario that were typed, by name."""
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--option {pair} has no value; write NAME=VALUE")
        options[name] = value
    return options


@click.command("accept")
@click.argument("offer", type=click.Path())
@click.option("--name", required=True, help="My name in the game: a-z, digits, -; 16 at most.")
@click.option("--mail", "mine", default="", metavar="ADDRESS", help="My mail address.")
@click.option("--to", default="", metavar="ADDRESS", help="My opponent's mail address (default: the offer's sender).")
@click.option(
    "--recovery-key", metavar="FILE.pub", type=click.Path(), help="A key that may name a new one, should mine be lost."
)
@click.option("--yes", is_flag=True, help="Accept the terms without being asked.")
@reads_option
@mail_option
@note_options
@click.pass_context
def accept_command(
    ctx: click.Context, offer: str, name: str, mine: str, to: str, recovery_key: str | None, yes: bool,
    reads: str | None, output: str | None, note: str | None, write_note: bool,
) -> None:  # fmt: skip
    """Accept an offer: the game begins.

    The terms are shown and I am asked; before I agree nothing is signed.

    Example: pbem accept offer.eml --name ben --mail ben@example.net -o accept.eml
    """
    from pbem.cli.due import tell_next
    from pbem.cli.handover import NOT_LEFT, tell_ways
    from pbem.desk.arrival import keep_note, read_offer
    from pbem.desk.letter import read_letter
    from pbem.home.contact import Contact
    from pbem.report.terms import Party

    if offer == "-" and note == "-":
        raise click.UsageError("offer and note can't both come from standard input")
    me = desk(ctx)
    mail = _one_mail(offer)
    contact = Contact(player_name(name), address("--mail", mine), address("--to", to or mail.sender), mail.message_id)
    recovery, said = _public_key(recovery_key), note_of(note, write_note)
    letter = read_letter(mail)
    try:
        offered = read_offer(me, letter)
        words = _terms_of(me, offered, Party(name, "", bool(recovery), _reads(reads)))
        spare_mail(output, None)
        if not yes:
            beside_it = told(offered.player.name, letter.note_to(offered.turn.entry))
            _ask(words, offered.scenario.system, beside_it, somebody=sys.stdin.isatty() and offer != "-")
        take_home(ctx, me, make=True)
        place, turn = me.accept(offered, name, contact, recovery, reads=_reads(reads))
        keep_note(place.folder, letter, offered.turn.entry)
    except PbemError as error:
        error.inside(mail.source)
        raise
    mean(ctx, me.home, place.folder)
    stays = output is None and sys.stdout.isatty()
    _write_accept(me, place, turn, said, output, write=not stays)
    if yes:
        _tell_terms("accepted are these terms", words, offered.scenario.system)
    named = f"game {me.home.name_of(place.folder)} has begun, with the id {place.folder.id}"
    if offered.terms.solo:
        echo(named)
    elif stays:
        echo(named + NOT_LEFT)
        tell_ways()
    else:
        echo(named + written_to(output, contact))
    tell_next(place)


def _one_mail(offer: str) -> Mail:
    """The mail with the offer. Raises Refused where there are none, or several."""
    from pbem.mail.inbox import read_mails

    mails = list(read_mails(offer, sys.stdin.buffer))
    if len(mails) != 1:
        raise Refused(f"{len(mails)} mails are there", source_name(offer), "one mail with one offer is needed")
    return mails[0]


def _write_accept(me: Desk, place: Place, turn: Turn, said: str, output: str | None, *, write: bool) -> None:
    """Keep my note, and write the mail of my accept; the game has begun whether it can be written or not."""
    from pbem.report.brief import accept_text
    from pbem.report.terms import Party

    genesis = place.table.genesis
    loaded = me.home.load(genesis.terms.scenario)
    note = Note(turn.entry.by, turn.entry.seq, said) if said else None
    with spoken(read_in(genesis.players[0].reads, loaded.system)):
        text = beside(note, accept_text(loaded, genesis.terms, *map(Party.of, genesis.players)))
        title = call(loaded.title, loaded.system)
        subject = say("pbem %(game)s: %(title)s, accepted", game=place.folder.id, title=title)
    try:
        if note is not None:
            place.folder.keep_note(note)
        if write:
            save(output, mail_of(place.folder.contact(), subject, text, turn, f"{place.folder.id}-1.turn"))
    except PbemError as error:
        error.hint = f"game {place.folder.id} has begun; `pbem send --again -o FILE` writes its mail"
        raise


def _terms_of(me: Desk, offered: Offered, accepter: Party) -> list[TermWords]:
    """The terms of an offer, which is mine to accept, in words; the side that is left is mine."""
    from pbem.report.terms import Party, check_author, terms_words

    offer, player, terms, scenario = offered
    check_author(player, terms, me.signer.pub_blob)
    me.check_new(offer)
    side = next(side["id"] for side in scenario.data["scenario"]["sides"] if side["id"] != player.side)
    return terms_words(scenario, terms, Party.of(player), accepter._replace(side=side))


def _ask(words: list[TermWords], system: str, note: str, *, somebody: bool) -> None:
    """Show a note and terms and ask for consent. Raises Refused without it, or without `somebody` to ask."""
    if not somebody:
        hint = "`pbem open` shows them; --yes accepts them without asking"
        raise Refused("nobody can be asked here whether the terms are accepted", hint=hint)
    if note:
        click.echo(note, err=True)
    _tell_terms("the terms of this offer", words, system)
    click.echo(f"pbem: {in_words('accept these terms?')} [y/N] ", nl=False, err=True)
    if sys.stdin.buffer.readline(1000).strip().lower() not in (b"y", b"yes"):
        raise Refused("the offer isn't accepted; nothing is signed")


def _tell_terms(heading: str, words: list[TermWords], system: str) -> None:
    """Terms below a line of talk, on standard error; they are the scenario's own words."""
    from pbem.report.terms import terms_text

    echo(say("%(heading)s:", heading=in_words(heading)))
    click.echo(terms_text(words, system), err=True)
