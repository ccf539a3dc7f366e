"""Before the first turn: key, scenarios, brief, offer, accept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from pbem.cli.common import as_json, desk, echo, hint, home_of, json_option, mail_of, save
from pbem.errors import Refused

__all__ = ["accept_command", "brief_command", "key_command", "offer_command", "scenarios_command"]


@click.group("key")
def key_command() -> None:
    """My key: an OpenSSH Ed25519 key that signs my turns and from which my dice grow.

    Example: pbem key new
    """


@key_command.command("new")
@click.option("--passphrase", is_flag=True, help="Ask for a passphrase to encrypt it with.")
@click.option("--comment", default="pbem", show_default=True, help="The key's comment.")
@click.pass_context
def key_new(ctx: click.Context, passphrase: bool, comment: str) -> None:
    """Make a key; nothing is ever overwritten.

    Example: pbem key new
    """
    from pbem.keys import fingerprint, new_key

    path = Path(ctx.obj["key"]) if ctx.obj["key"] else home_of(ctx).key
    word = click.prompt("passphrase", hide_input=True, confirmation_prompt=True, err=True) if passphrase else None
    path.parent.mkdir(parents=True, exist_ok=True)
    blob = new_key(path, comment, word)
    click.echo(f"{path} {fingerprint(blob)}")
    hint("keep a copy of this file in a safe place: with it and the game log everything can be restored")


@key_command.command("show")
@click.pass_context
def key_show(ctx: click.Context) -> None:
    """Show my public key and its fingerprint, to compare by voice.

    Example: pbem key show
    """
    from pbem.keys import fingerprint, to_text

    blob = desk(ctx).signer.pub_blob
    click.echo(f"{to_text(blob)} {fingerprint(blob)}")


@click.command("scenarios")
@json_option
def scenarios_command(as_json_data: bool) -> None:
    """What can be played: sides, length, what is reconstructed.

    Example: pbem scenarios
    """
    from pbem.scenario import list_scenarios

    found = list_scenarios()
    if as_json_data:
        as_json([summary._asdict() for summary in found])
        return
    for summary in found:
        click.echo(f"{summary.id}  {summary.title} ({summary.system}), {summary.turns} turns")
        click.echo(f"    sides: {', '.join(summary.sides)}")
        for line in summary.reconstructed:
            click.echo(f"    reconstructed: {line}")


@click.command("brief")
@click.argument("scenario")
@click.option("--map", "picture", metavar="FILE", help="Write the map there too, as .svg (or .png, with pbem[png]).")
@click.pass_context
def brief_command(ctx: click.Context, scenario: str, picture: str | None) -> None:
    """A scenario's sides, order of battle, special rules, victory and map picture.

    Example: pbem brief toba-fushimi --map toba.svg
    """
    from pbem.brief import brief, scenario_picture

    loaded = home_of(ctx).load(scenario)
    click.echo(brief(loaded), nl=False)
    if picture:
        write_picture(picture, scenario_picture(loaded))
        echo(f"the map is in {picture}")
    else:
        hint(f"`pbem brief {scenario} --map {scenario}.svg` draws the map")


def write_picture(path: str, svg: str) -> None:
    """Write a picture as SVG, or as PNG when the name says so."""
    if not path.lower().endswith(".png"):
        save(path, svg.encode("utf-8"))
        return
    try:
        from cairosvg import svg2png
    except ImportError:
        raise Refused("PNG needs an extra", path, "pip install 'pbem[png]', or write an .svg") from None
    save(path, svg2png(bytestring=svg.encode("utf-8")))


@click.command("offer")
@click.argument("scenario")
@click.option("--side", required=True, help="The side I take.")
@click.option("--name", required=True, help="My name in the game: a-z, digits, -; 16 at most.")
@click.option("--mail", "mine", default="", help="My mail address.")
@click.option("--to", default="", help="My opponent's mail address.")
@click.option("--reactions", type=click.Choice(["standing", "ask"]), default="standing", show_default=True,
              help="What the other side's action asks me: by standing order or default, or asked by mail.")  # fmt: skip
@click.option("--lost-secret", type=click.Choice(["adverse", "forfeit"]), default="adverse", show_default=True,
              help="What a lost dice secret costs its owner.")  # fmt: skip
@click.option("--deadline", type=click.IntRange(1, 9999), help="Days a player may take for an answer (default: none).")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the scenario.")
@click.option("--solo", is_flag=True, help="I play both sides, with one key.")
@click.option("-o", "--output", metavar="FILE", help="Write the mail there (default: standard output).")
@click.pass_context
def offer_command(
    ctx: click.Context, scenario: str, side: str, name: str, mine: str, to: str, reactions: str, lost_secret: str,
    deadline: int | None, options: tuple[str, ...], solo: bool, output: str | None,
) -> None:  # fmt: skip
    """Offer a game; the mail goes to the opponent.

    \b
    Example: pbem offer toba-fushimi --side shogunate --name asuka --mail asuka@example.org
                 --to ben@example.net -o offer.eml
    """
    from pbem.brief import offer_text
    from pbem.errors import nearest
    from pbem.home import Contact
    from pbem.play import terms_of

    me = desk(ctx)
    loaded = me.home.load(scenario)
    sides = [s["id"] for s in loaded.data["scenario"]["sides"]]
    if side not in sides:
        raise Refused(f"{scenario} has no side {side}", hint=nearest(side, sides))
    terms = terms_of(
        loaded, _options(options), reactions=reactions, lost_secret=lost_secret, deadline=deadline or 0, solo=solo
    )
    contact = Contact(name, mine, to)
    folder, block = me.offer(terms, side, contact, os.urandom(16))
    text = offer_text(loaded, terms, name, side)
    save(output, mail_of(contact, f"pbem: {loaded.title}, an offer", text, None, block, f"{folder.id}-0.turn"))
    echo(f"offer {folder.id} is stored" + (f"; mail {output} to {to or 'your opponent'}" if output else ""))


def _options(pairs: tuple[str, ...]) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--option {pair} has no value; NAME=VALUE it must be")
        options[name] = value
    return options


@click.command("accept")
@click.argument("offer")
@click.option("--name", required=True, help="My name in the game: a-z, digits, -; 16 at most.")
@click.option("--mail", "mine", default="", help="My mail address.")
@click.option("--to", default="", help="My opponent's mail address (default: the offer's sender).")
@click.option("-o", "--output", metavar="FILE", help="Write the mail there (default: standard output).")
@click.pass_context
def accept_command(ctx: click.Context, offer: str, name: str, mine: str, to: str, output: str | None) -> None:
    """Accept an offer: the game begins.

    Example: pbem accept offer.eml --name ben --mail ben@example.net -o accept.eml
    """
    from pbem.brief import accept_text
    from pbem.home import Contact
    from pbem.mail import read_mails

    me = desk(ctx)
    mails = list(read_mails(offer, sys.stdin.buffer))
    if len(mails) != 1:
        raise Refused(f"{len(mails)} mails are there", offer, "one mail with one offer is needed")
    contact = Contact(name, mine, to or mails[0].sender)
    place, block = me.accept(mails[0], name, contact, os.urandom(16))
    table = place.table
    loaded = me.home.load(table.genesis.terms.scenario)
    text = accept_text(loaded, table.genesis.terms, name, table.genesis.player(name).side)
    subject = f"pbem {place.folder.id}: {loaded.title}, accepted"
    save(output, mail_of(contact, subject, text, None, block, f"{place.folder.id}-1.turn"))
    due = table.due()
    echo(
        f"game {place.folder.id} has begun" + (f"; mail {output} to {contact.to or 'your opponent'}" if output else "")
    )
    echo(f"next: {due.what} of {due.player}")
