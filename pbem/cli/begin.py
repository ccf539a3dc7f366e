"""Before the first turn: key, scenarios, brief, offer, accept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from pbem.cli.common import (
    address,
    as_json,
    desk,
    echo,
    folded,
    hint,
    home_of,
    json_option,
    mail_of,
    player_name,
    save,
    show,
    source_name,
    written_to,
)
from pbem.errors import PbemError, Refused

__all__ = ["accept_command", "brief_command", "key_command", "offer_command", "scenarios_command"]


@click.group("key")
def key_command() -> None:
    """My key: it signs my turns, and my dice grow from it.

    It is an OpenSSH Ed25519 key in the home folder, or the one named with --key. PBEM_PASSPHRASE opens an
    encrypted one without being asked.

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
    word = os.environ.get("PBEM_PASSPHRASE") if passphrase else None
    if passphrase and word is None:
        word = click.prompt("passphrase", hide_input=True, confirmation_prompt=True, err=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    blob = new_key(path, comment, word)
    show(f"{path} {fingerprint(blob)}")
    hint("keep a copy of this file in a safe place: with it and the game log everything can be restored")


@key_command.command("show")
@click.pass_context
def key_show(ctx: click.Context) -> None:
    """Show my public key and its fingerprint, to compare by voice.

    Example: pbem key show
    """
    from pbem.keys import fingerprint, to_text

    blob = desk(ctx).signer.pub_blob
    show(f"{to_text(blob)} {fingerprint(blob)}")


@click.command("scenarios")
@json_option
@click.pass_context
def scenarios_command(ctx: click.Context, as_json_data: bool) -> None:
    """What can be played: sides, length, what is reconstructed.

    Example: pbem scenarios
    """
    from pbem.scenario import list_scenarios

    found = list_scenarios(home_of(ctx).cache / "scenarios")
    sides = {s.id: home_of(ctx).load(s.id).data["scenario"]["sides"] for s in found}
    if as_json_data:
        as_json([s._asdict() | {"sides": [{"id": w["id"], "title": w["title"]} for w in sides[s.id]]} for s in found])
        return
    for summary in found:
        show(folded(f"{summary.id}  {summary.title} ({summary.system}), {summary.turns} turns", "", "    "))
        named = ", ".join(f"{side['id']} ({side['title']})" for side in sides[summary.id])
        show(folded(f"sides: {named}", "    ", "      "))
        if summary.reconstructed:
            show("    reconstructed:")
        for line in summary.reconstructed:
            show(folded(line, "      ", "        "))
    hint("`pbem brief SCENARIO` tells about one")


@click.command("brief")
@click.argument("scenario")
@click.option("--map", "picture", metavar="FILE",
              help="Write the map there too, as .svg (or .png, with pbem[png]); several go to FILE-MAP.")  # fmt: skip
@click.pass_context
def brief_command(ctx: click.Context, scenario: str, picture: str | None) -> None:
    """Tell about a scenario: sides, forces, rules, victory.

    Example: pbem brief toba-fushimi --map toba.svg
    """
    from pbem.brief import brief, scenario_pictures
    from pbem.cli.situation import write_pictures
    from pbem.layout import listed

    loaded = home_of(ctx).load(scenario)
    show(brief(loaded), nl=False)
    if picture:
        written = write_pictures(picture, scenario_pictures(loaded))
        echo(f"the map is in {written[0]}" if len(written) == 1 else f"the maps are in {listed(written)}")
    else:
        hint(f"`pbem brief {scenario} --map {scenario}.svg` draws the map")


@click.command("offer")
@click.argument("scenario")
@click.option("--side", required=True, help="The side I take.")
@click.option("--name", required=True, help="My name in the game: a-z, digits, -; 16 at most.")
@click.option("--mail", "mine", default="", metavar="ADDRESS", help="My mail address.")
@click.option("--to", default="", metavar="ADDRESS", help="My opponent's mail address.")
@click.option("--reactions", type=click.Choice(["standing", "ask"]), default="standing", show_default=True,
              help="What the other side's action asks me: by standing order or default, or asked by mail.")  # fmt: skip
@click.option("--lost-secret", type=click.Choice(["adverse", "forfeit"]), default="adverse", show_default=True,
              help="What a lost dice secret costs its owner.")  # fmt: skip
@click.option("--deadline", type=click.IntRange(1, 9999), help="Days a player may take for an answer (default: none).")
@click.option("--recovery-key", metavar="FILE.pub", help="A key that may name a new one, should mine be lost.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the scenario.")
@click.option("--solo", is_flag=True, help="I play both sides, with one key.")
@click.option("-o", "--output", metavar="FILE", help="Write the mail there (default: standard output).")
@click.pass_context
def offer_command(
    ctx: click.Context, scenario: str, side: str, name: str, mine: str, to: str, reactions: str, lost_secret: str,
    deadline: int | None, recovery_key: str | None, options: tuple[str, ...], solo: bool, output: str | None,
) -> None:  # fmt: skip
    """Offer a game; the mail goes to the opponent.

    \b
    Example: pbem offer toba-fushimi --side shogunate --name asuka
                 --mail asuka@example.org --to ben@example.net -o offer.eml
    """
    from pbem.brief import offer_text
    from pbem.errors import nearest
    from pbem.home import Contact
    from pbem.play import terms_of

    contact = Contact(player_name(name), address("--mail", mine), address("--to", to))
    me = desk(ctx)
    loaded = me.home.load(scenario)
    sides = [s["id"] for s in loaded.data["scenario"]["sides"]]
    if side not in sides:
        raise Refused(f"{scenario} has no side {side}", hint=nearest(side, sides))
    terms = terms_of(
        loaded, _options(options), reactions=reactions, lost_secret=lost_secret, deadline=deadline or 0, solo=solo
    )
    folder, block = me.offer(terms, side, contact, os.urandom(16), _public_key(recovery_key))
    text = offer_text(loaded, terms, name, side)
    try:
        save(output, mail_of(contact, f"pbem: {loaded.title}, an offer", text, None, block, f"{folder.id}-0.turn"))
    except PbemError:
        folder.remove()  # an offer that nobody can get
        raise
    if solo:
        echo(f"offer {folder.id} is stored; it is for me to accept")
    else:
        echo(f"offer {folder.id} is stored{written_to(output, contact)}")


def _public_key(path: str | None) -> bytes:
    """The key in a public key file; empty without one. Raises Refused."""
    from pbem.keyfiles import from_text

    if path is None:
        return b""
    try:
        return from_text(Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("the public key can't be read", path, "a file such as id_ed25519.pub it must be") from error
    except PbemError as error:
        error.where = path
        raise


def _options(pairs: tuple[str, ...]) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--option {pair} has no value; write NAME=VALUE")
        options[name] = value
    return options


@click.command("accept")
@click.argument("offer")
@click.option("--name", required=True, help="My name in the game: a-z, digits, -; 16 at most.")
@click.option("--mail", "mine", default="", metavar="ADDRESS", help="My mail address.")
@click.option("--to", default="", metavar="ADDRESS", help="My opponent's mail address (default: the offer's sender).")
@click.option("--recovery-key", metavar="FILE.pub", help="A key that may name a new one, should mine be lost.")
@click.option("-o", "--output", metavar="FILE", help="Write the mail there (default: standard output).")
@click.pass_context
def accept_command(
    ctx: click.Context, offer: str, name: str, mine: str, to: str, recovery_key: str | None, output: str | None
) -> None:
    """Accept an offer: the game begins.

    Example: pbem accept offer.eml --name ben --mail ben@example.net -o accept.eml
    """
    from pbem.brief import accept_text
    from pbem.cli.turns import tell_next
    from pbem.home import Contact
    from pbem.mail import read_mails

    me = desk(ctx)
    mails = list(read_mails(offer, sys.stdin.buffer))
    if len(mails) != 1:
        raise Refused(f"{len(mails)} mails are there", source_name(offer), "one mail with one offer is needed")
    contact = Contact(player_name(name), address("--mail", mine), address("--to", to or mails[0].sender))
    try:
        place, block = me.accept(mails[0], name, contact, os.urandom(16), _public_key(recovery_key))
    except PbemError as error:
        if not error.where.startswith(mails[0].source):
            error.where = f"{mails[0].source}, {error.where}" if error.where else mails[0].source
        raise
    genesis = place.table.genesis
    loaded = me.home.load(genesis.terms.scenario)
    text = accept_text(loaded, genesis.terms, name, genesis.player(name).side)
    subject = f"pbem {place.folder.id}: {loaded.title}, accepted"
    try:
        save(output, mail_of(contact, subject, text, None, block, f"{place.folder.id}-1.turn"))
    except PbemError as error:
        error.hint = f"game {place.folder.id} has begun; `pbem send --again -o FILE` writes its mail"
        raise
    echo(f"game {place.folder.id} has begun" + ("" if genesis.terms.solo else written_to(output, contact)))
    tell_next(place)
