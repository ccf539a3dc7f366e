"""A whole game on this machine: two homes that know of each other only through mail files."""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import echo, folded, in_words, pictures_folder, show, thinking
from pbem.cli.completion import scenarios
from pbem.cli.files import mail_of, save
from pbem.errors import BadLog, Refused

if TYPE_CHECKING:
    from pbem.desk.desk import Desk, Place
    from pbem.desk.letter import Letter
    from pbem.home.contact import Contact
    from pbem.wire.turn import Turn

__all__ = ["demo_command"]

NAMES = ("asuka", "ben")


@click.command("demo")
@click.option("--scenario", default="toba-fushimi", show_default=True, metavar="ID", shell_complete=scenarios,
              help="What is played.")  # fmt: skip
@click.option("--bots", type=click.Choice(["bold", "random", "steady"]), default="bold", show_default=True,
              help="Who plays: bots with rules of thumb, with none, or that compare some.")  # fmt: skip
@click.option("--out", default="pbem-demo", show_default=True, type=click.Path(file_okay=False), metavar="DIR",
              help="Where everything goes.")  # fmt: skip
@click.option("--seed", type=int, default=1868, show_default=True, help="The bots' whims; the dice differ each time.")
@click.pass_context
def demo_command(ctx: click.Context, scenario: str, bots: str, out: str, seed: int) -> None:
    """Play a whole game: two bots, a home each, and mails.

    Example: pbem demo --out out
    """
    root = Path(out)
    if root.is_dir() and any(root.iterdir()):
        if not _is_a_demo(root):
            raise Refused("the folder holds something else than a demo", out, "name a new one with --out")
        shutil.rmtree(root)
    for name in ("mail", "reports"):
        (root / name).mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    shown = _play(root, scenario, bots, random.Random(seed))  # noqa: S311 the bots' whims, not the dice
    show(in_words(f"{out}: a whole game of {scenario} in {time.monotonic() - begun:.0f} seconds"))
    for line in shown:
        show(folded(line, "  ", "    "))


def _is_a_demo(root: Path) -> bool:
    """Whether a folder is the work of an earlier demo and of nothing else."""
    parts = {*NAMES, "mail", "reports"}
    return {path.name for path in root.iterdir()} <= parts and all((root / n / "key.pub").is_file() for n in NAMES)


def _play(root: Path, scenario: str, bots: str, chance: random.Random) -> list[str]:
    """Play the game; the lines to show at the end."""
    desks = {name: _desk(root / name) for name in NAMES}
    places = _begin(root, desks, scenario)
    entry = 1
    while (due := places[NAMES[0]].table.due()).what != "nothing" or places[NAMES[1]].table.due().what != "nothing":
        name = due.player or places[NAMES[1]].table.due().player or ""
        other = NAMES[1] if name == NAMES[0] else NAMES[0]
        entry += 1
        mail = _send(desks[name], places[name], root, entry, bots, chance)
        places[other] = _open(desks[other], mail)
        if entry % 10 == 0:
            echo(f"{entry} mails ...")
    return _finish(root, desks, places, entry)


def _desk(home: Path) -> Desk:
    from pbem.crypto.keys import load_signer, new_key
    from pbem.desk.desk import Desk
    from pbem.home.folders import Home

    folder = Home(home)
    home.mkdir(parents=True)
    new_key(folder.key, home.name)
    return Desk(folder, lambda: load_signer(folder.key), os.urandom)


def _begin(root: Path, desks: dict[str, Desk], scenario: str) -> dict[str, Place]:
    from pbem.desk.arrival import read_offer
    from pbem.desk.desk import terms_of
    from pbem.home.contact import Contact
    from pbem.report.brief import accept_text, offer_text
    from pbem.report.terms import Party

    first, second = NAMES
    loaded = desks[first].home.load(scenario)
    terms = terms_of(loaded, {})
    sides = [side["id"] for side in loaded.data["scenario"]["sides"]]
    mine = Contact(first, f"{first}@example.org", f"{second}@example.net")
    _, turn = desks[first].offer(terms, sides[0], mine)
    offer = root / "mail" / "000-offer.eml"
    offerer, accepter = Party(first, sides[0]), Party(second, sides[1])
    _write(offer, mine, "pbem: an offer", offer_text(loaded, terms, offerer), turn)
    yours = Contact(second, f"{second}@example.net", f"{first}@example.org")
    place, turn = desks[second].accept(read_offer(desks[second], _read(offer)), second, yours)
    accept = root / "mail" / "001-accept.eml"
    _write(accept, yours, "pbem: accepted", accept_text(loaded, terms, offerer, accepter), turn)
    return {first: _open(desks[first], accept), second: place}


def _send(desk: Desk, place: Place, root: Path, entry: int, bot: str, chance: random.Random) -> Path:
    """Let the bot decide, sign and append what is due, write the mail."""
    from pbem.cli.turns import turn_mail
    from pbem.desk.sparring import decided

    turn = desk.send(place, decided(place, bot, chance, thinking))
    mail = root / "mail" / f"{entry:03}-{place.me}.eml"
    save(str(mail), turn_mail(desk, place, turn, draw=False).mail)
    return mail


def _open(desk: Desk, mail: Path) -> Place:
    from pbem.desk.arrival import take_in

    return take_in(desk, _read(mail)).place


def _read(path: Path) -> Letter:
    from pbem.desk.letter import read_letter
    from pbem.mail.inbox import read_mails

    return read_letter(next(iter(read_mails(str(path)))))


def _write(path: Path, contact: Contact, subject: str, text: str, turn: Turn) -> None:
    save(str(path), mail_of(contact, subject, text, turn, f"{path.stem}.turn"))


def _finish(root: Path, desks: dict[str, Desk], places: dict[str, Place], entries: int) -> list[str]:
    """Write both players' last reports and verify both logs; what there is to look at."""
    from pbem.cli.showing import page_of
    from pbem.cli.situation import write_pictures
    from pbem.match.replay import replay
    from pbem.report import build
    from pbem.report.source import pictures, report_data

    lines: list[str] = []
    for name, place in places.items():
        scenario = desks[name].home.load(place.table.genesis.terms.scenario)
        data = report_data(place.table, scenario, name)
        maps = pictures(place.table, scenario, name, pictures_folder(desks[name].home))
        page = page_of(desks[name], place, data, maps)
        for kind, content in (("txt", build.text(data)), ("html", page)):
            save(str(root / "reports" / f"{name}.{kind}"), content.encode("utf-8"))
        if maps:
            write_pictures(str(root / "reports" / f"{name}.svg"), maps)
    texts = {place.folder.text() for place in places.values()}
    if len(texts) != 1:
        raise BadLog("the two logs differ", str(root), "this is a bug in pbem")
    table = replay(texts.pop(), desks[NAMES[0]].home.load).table
    outcome = table.outcome if table else None
    for name, place in places.items():
        lines.append(f"{place.folder.log}: {name}'s log")
    lines += [
        f"{root / 'mail'}: the {entries + 1} mails",
        f"{root / 'reports'}: the last reports as text, HTML and SVG",
        f"both logs are equal and verified; {outcome.reason if outcome else 'the game goes on'}",
    ]
    return lines
