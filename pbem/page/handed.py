"""How a mail leaves from the page: as is settled for `send`; where that would ask, to a file, its text to be copied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.desk.desk import Place
from pbem.home.bots import bot_of
from pbem.home.files import delete
from pbem.home.settings import read_settings
from pbem.language import read_in, spoken
from pbem.mail.outbox import MAILTO_MAX, mailto
from pbem.page.run import is_written
from pbem.records import NamedTuple
from pbem.report.mail import few_lines, mail_data, subject
from pbem.scenario import Scenario
from pbem.wire.blocks import newest_block
from pbem.wire.turn import Turn

__all__ = ["Way", "mail_told", "way_of"]

Json = dict[str, Any]


class Way(NamedTuple):
    """How a mail leaves: the words for the command, and the file that it is written to, "" for none.

    `mail` tells whether there is any: against a bot here there is none.
    """

    words: tuple[str, ...]
    file: str
    mail: bool = True


def way_of(place: Place, seq: int, folder: Path, *, agreement: bool = False) -> Way:
    """How the mail of an entry leaves that is about to be signed, `folder` is where the player works.

    An `agreement` has no other way than a file. A mail of that entry that was written here before is written anew.
    """
    if place.table.genesis.terms.solo or bot_of(place.folder) is not None:
        return Way((), "", mail=False)
    settled = read_settings(place.folder.home.root).get("send", "")
    if settled in ("copy", "mailto") and not agreement:
        return Way((f"--{settled}",), "")
    if settled == "file":
        path = folder / f"{place.folder.id}-{seq}.eml"
    else:
        path = place.folder.path / f"mail-{seq}.eml"
        delete(path)
    return Way(("-o", str(path)), str(path))


def mail_told(place: Place, scenario: Scenario, way: Way, compiled: Path | None = None) -> Json | None:
    """The mail of the newest entry, to be copied or sent by hand: where it is, to whom it goes, a short text of it.

    The place is "" where it isn't in a file.
    """
    if not way.mail:
        return None
    turn = Turn.of(newest_block(place.text))
    reader = place.table.genesis.other(turn.entry.by).name
    beside = [note.text for note in place.folder.notes() if (note.by, note.seq) == (turn.entry.by, place.table.seq)]
    with spoken(read_in(place.table.genesis.player(reader).reads, scenario.system)):
        data = mail_data(place.table, scenario, reader, "".join(beside), compiled)
        text, about, to = f"{few_lines(data)}\n{turn.text}", subject(data), place.folder.contact().to
    link = mailto(to, about, text)
    short = link if len(link) <= MAILTO_MAX else ""
    path = way.file if is_written(way.file) else ""
    return {"path": path, "subject": about, "to": to, "mailto": short, "text": text}
