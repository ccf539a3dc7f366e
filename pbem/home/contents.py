"""What a player's home folder holds and what it is called there; which of it a backup brings back.

key, key.pub              the player's own key, unless another is named
games/ID/game.log         a game; ID is the first 16 digits of its id
games/ID/contact.json     who I am in it, where its mail goes, which mail it answers, what I call it
games/ID/times            when its entries were sent and came
games/ID/notes.txt        what the players wrote beside their entries, unsigned
games/ID/wish.json        what I have asked for and can't sign yet
games/ID/laid.json        orders that I have laid for phases to come; only I can read it
games/ID/report.html      the page of the report on what was opened last, made again each time
games/ID/orders-SEQ.txt   what was typed for entry SEQ by `pbem edit`
offers/ID/game.log        an offer without its accept yet; ID is the first 16 digits of the offer's hash
signed/ID                 the newest block that was signed here, written before it goes into the log
begun/ID                  the accept of an offer of mine; ID as in offers/
restored/ID               empty; the game was restored, and no chain of dice of mine has begun in it since
damaged/ID.log            a log of a backup that could not be verified, whole; nothing reads it
evidence/ID-SEQ-NAME.turn an entry that contradicts the one in the log of game ID
scenarios/SYSTEM/         scenarios, maps, armies and tables of the player's own, beside those of the program
bots/NAME/                a home folder like this one, of a bot that I play against
settings.json             how mails leave, how far a tutorial has come; may be deleted
cache/                    checkpoints, parsed scenarios, boards, compiled templates, grounds of maps, what dice bring
.lock, .holder            which program is at work here
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from pbem.home.files import LOCK_FILES
from pbem.home.settings import SETTINGS
from pbem.wire.statements import NAME

__all__ = [
    "BOTS",
    "DRAFT",
    "ID_LENGTH",
    "LAID",
    "NOTES",
    "NOT_KEPT",
    "REPORT",
    "SCENARIOS",
    "WISH",
    "default_home",
    "in_home",
    "is_file_of_home",
]

ID_LENGTH = 16
_ID = f"[0-9a-f]{{{ID_LENGTH}}}"
_FILES = (
    r"key|key\.pub",
    rf"(?:games|offers)/{_ID}/(?:game\.log|contact\.json|times|notes\.txt)",
    rf"games/{_ID}/laid\.json",
    rf"(?:signed|begun|restored)/{_ID}",
    rf"damaged/{_ID}\.log",
    rf"evidence/{_ID}-[0-9]{{1,9}}-{NAME}\.turn",
)
BOTS = "bots"
SCENARIOS = "scenarios"
"""What a player has written himself, and nobody signed: backups hold it, and it is copied back by hand."""
_FILE = f"{SETTINGS}|(?:{BOTS}/{NAME}/)?(?:{'|'.join(_FILES)})"
_OF_BOT = f"({BOTS}/{NAME})/(.+)"
NOTES = "notes.txt"
WISH = "wish.json"
"""What a player has asked for and can't sign yet: it belongs to this moment, and no backup holds it."""
LAID = "laid.json"
REPORT = "report.html"
"""A page in a game's folder that can be made again; no backup holds it."""
DRAFT = r"orders-[0-9]+\.txt"
"""Orders in a game's folder that aren't signed; no backup holds them."""
NOT_KEPT = frozenset({"cache", *LOCK_FILES})
"""What is in a home folder, that of a bot too, and in no backup of it."""


def is_file_of_home(name: str) -> bool:
    """Whether a home folder has a file of this name that a backup may bring back."""
    return re.fullmatch(_FILE, name) is not None


def in_home(name: str) -> tuple[str, str]:
    """Whose home below this one a file is in, `bots/bold` or "", and what it is called there."""
    found = re.fullmatch(_OF_BOT, name)
    return (found[1], found[2]) if found else ("", name)


def default_home(environment: dict[str, str] | os._Environ[str]) -> Path:
    """PBEM_HOME, else the platform's data folder.

    Not by platformdirs: on macOS it goes by XDG_DATA_HOME, on Windows it asks the system in place of APPDATA, on Linux
    it leaves a relative XDG_DATA_HOME out. There a home that exists would not be found any more.
    """
    if environment.get("PBEM_HOME"):
        return Path(environment["PBEM_HOME"])
    if sys.platform == "win32":
        return Path(environment.get("APPDATA", Path.home() / "AppData" / "Roaming")) / "pbem"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "pbem"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "pbem"
