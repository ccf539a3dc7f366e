"""A player's home folder: his key, his games, what he signed last, and a cache that may be deleted at any time."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import BadLog, BadSignature, Damaged, PbemError, Refused, Storage
from pbem.home import files, times
from pbem.home.boards import Boards
from pbem.home.cache import Cache
from pbem.home.checkpoint import checkpoint, recalled
from pbem.home.contact import CALLED, Contact
from pbem.home.contents import BOTS, ID_LENGTH, NOTES, REPORT, SCENARIOS
from pbem.home.files import alone, locked
from pbem.home.names import free, meant_by, name_in
from pbem.home.stored import read_stored
from pbem.match.table import Table
from pbem.scenario import Scenario, load_scenario
from pbem.wire.blocks import newest_block, read_log_blocks
from pbem.wire.bodies import scenario_in
from pbem.wire.entry import Entry
from pbem.wire.notes import Note, find_notes, render_note
from pbem.wire.turn import Turn

if TYPE_CHECKING:
    from pbem.match.replay import Watch

__all__ = ["Folder", "Home"]

NOTES_MAX = 1 << 22
"""Bytes of the notes of a game that are read."""

RESTORE = "`pbem restore FILE` brings the log back from a backup, my opponent's log or the mails"
SIGNED = "it keeps me from signing two turns for one number: `pbem restore` what my opponent has, then delete it"


class Home:
    """A home folder; made when something is first written."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.cache = root / "cache"
        self._loaded: dict[str, Scenario] = {}

    @property
    def scenarios(self) -> Path:
        """The player's own scenarios, also for the bots whose homes lie in his."""
        bots = self.root.parent
        return (bots.parent if bots.name == BOTS else self.root) / SCENARIOS

    @property
    def key(self) -> Path:
        """Where the player's own key is."""
        return self.root / "key"

    def locked(self, who: str = "") -> AbstractContextManager[None]:
        """Hold the lock of this folder, which is made: nobody else changes anything in it meanwhile."""
        return locked(self.root, who)

    def load(self, scenario: str) -> Scenario:
        """A scenario, read once, through the cache; where there is no home folder yet none is made for it."""
        if scenario not in self._loaded:
            cache = Cache(self.cache / "scenarios") if self.root.is_dir() else None
            self._loaded[scenario] = load_scenario(scenario, cache, self.scenarios)
        return self._loaded[scenario]

    def games(self) -> list[Folder]:
        """The games that have begun, in order of id."""
        return self._folders("games")

    def offers(self) -> list[Folder]:
        """My offers that nobody has accepted yet."""
        return self._folders("offers")

    def _folders(self, kind: str) -> list[Folder]:
        folder = self.root / kind
        if not folder.is_dir():
            return []
        return [Folder(self, kind, path.name) for path in sorted(folder.iterdir()) if (path / "game.log").is_file()]

    def game(self, game_id: str) -> Folder | None:
        """The game with this full id (64 digits), if it is here."""
        folder = Folder(self, "games", game_id[:ID_LENGTH])
        return folder if folder.log.is_file() else None

    def named(self) -> dict[str, Folder]:
        """The games by what I call them, each by a name of its own; one without is called as its scenario is."""
        games = [(folder.contact().called, folder) for folder in self.games()]
        found: dict[str, Folder] = {}
        for called, folder in sorted(games, key=lambda game: not game[0]):
            found[free(called or folder.scenario(), found)] = folder
        return dict(sorted(found.items()))

    def name_of(self, folder: Folder) -> str:
        """What I call a game."""
        return next((name for name, game in self.named().items() if game.id == folder.id), folder.id)

    def find(self, meant: str | None) -> Folder:
        """The game that is meant by its name, its id or the opponent, or by how one of them begins; the only one.

        Raises Refused when there is none, or several.
        """
        games = self.named()
        if not games and (offers := self.offers()):
            wait = "an offer of mine waits" if len(offers) == 1 else f"{len(offers)} offers of mine wait"
            hint = f"{wait} for an accept, which `pbem open` takes in; `pbem games` lists what waits"
            raise Refused("no game has begun here yet", str(self.root), hint)
        if not games:
            raise Refused("there are no games here", str(self.root), "`pbem offer` or `pbem accept` begins one")
        found = {name: games[name] for name in meant_by(games, meant)} if meant else games
        if len(found) == 1:
            return next(iter(found.values()))
        if not found:
            there = ", ".join(f"{name} ({folder.id})" for name, folder in games.items())
            raise Refused(f"no game is meant by {meant!r:.60}", "", f"there are: {there}")
        if not meant:
            raise Refused("there is more than one game", hint="--game " + " or --game ".join(found))
        named = [" against ".join([name, *game.opponents()]) for name, game in found.items()]
        raise Refused(f"{meant!r:.60} may mean more than one game", "", "--game " + " or --game ".join(named))

    @alone
    def rename(self, folder: Folder, called: str) -> None:
        """Call a game so from now on. Raises Refused for what can be no name, or is another game's."""
        if not re.fullmatch(CALLED, called):
            hint = "a-z, 0-9 and -, 32 at most, and not only digits and a-f, of which ids are made"
            raise Refused(f"{called!r:.60} can't be the name of a game", "--rename", hint)
        other = self.named().get(called)
        if other is not None and other.id != folder.id:
            raise Refused(f"{called} is what another game is called", other.id, "rename that one first")
        folder.write_contact(folder.contact()._replace(called=called))

    def new_name(self, game: str, offer: Entry) -> str:
        """What a game with this id and offer is called at first: as its scenario, numbered where another one is."""
        return free(name_in(scenario_in(offer)), [n for n, other in self.named().items() if other.id != game])

    @alone
    def keep_offer(self, offer: Turn, contact: Contact) -> Folder:
        """Store an offer of mine."""
        folder = Folder(self, "offers", offer.hash.hex()[:ID_LENGTH])
        folder.write_contact(contact)
        files.append(folder.log, "", offer)
        return folder

    @alone
    def begin(self, offer: Turn, accept: Turn, contact: Contact) -> Folder:
        """Store a game from its first two turns; the offer that it came from is put away."""
        folder = Folder(self, "games", accept.hash.hex()[:ID_LENGTH])
        stored = Folder(self, "offers", offer.hash.hex()[:ID_LENGTH])
        folder.write_contact(contact._replace(called=folder.contact().called or self.new_name(folder.id, offer.entry)))
        if not folder.log.exists():
            files.write_atomically(folder.log, (offer.text + accept.text).encode("ascii"))
            offered = (stored if stored.log.exists() else folder).grown()
            folder.note_times((offer.entry, offered), (accept.entry, folder.grown()))
        for note in stored.notes():
            folder.keep_note(note)
        stored.remove()
        return folder

    @alone
    def note_begun(self, offer: Turn, accept: Turn) -> None:
        """Note which game an offer of mine becomes, so that it becomes no other one even when that game is lost here.

        Raises Refused when it has become another one: the dice would be the same in both.
        """
        note = self.root / "begun" / offer.hash.hex()[:ID_LENGTH]
        begun = _first(files.read_text(note)) if note.exists() else accept
        if begun is None:
            raise Damaged("the note of the game that this offer has become is empty", str(note), "restore it")
        if begun.payload != accept.payload:
            game = begun.hash.hex()[:ID_LENGTH]
            hint = "`pbem restore` brings it back from its mails or the opponent's log"
            raise Refused(f"this offer is accepted already, its game {game} isn't here", hint=hint)
        files.write_atomically(note, accept.text.encode("ascii"))


class Folder:
    """The folder of one game or offer."""

    def __init__(self, home: Home, kind: str, name: str) -> None:
        self.home = home
        self.kind = kind
        self.id = name
        self.path = home.root / kind / name
        self.log = self.path / "game.log"
        self.report = self.path / REPORT
        """The page of the newest report, for the eye."""

    def text(self) -> str:
        """The text of the log."""
        return files.read_text(self.log)

    def locked(self) -> AbstractContextManager[None]:
        """Hold the lock of the home folder."""
        return self.home.locked()

    def grown(self) -> float:
        """When the log was last written, in seconds since 1970: its newest entry is as old as that or older."""
        return self.log.stat().st_mtime

    def stamp(self) -> tuple[int, int]:
        """What tells one state of the log's file from another without reading it. Raises OSError where it is gone."""
        found = self.log.stat()
        return found.st_mtime_ns, found.st_size

    def times(self, count: int) -> dict[int, int]:
        """When the entries of a log of `count` were sent or came, where it is known; of the newest one always."""
        known = {seq: moment for seq, moment in times.read(self.path / "times").items() if seq < count}
        return {count - 1: int(self.grown())} | known

    def note_times(self, *entries: tuple[Entry, float]) -> None:
        """Note when entries were sent or came."""
        me = self.contact().name
        lines = [(entry.seq, "sent" if entry.by == me else "came", moment) for entry, moment in entries]
        times.note(self.path / "times", *lines)

    def turns(self) -> list[Turn]:
        """The turns of the log. Raises Damaged for an empty one."""
        turns = [Turn.of(block) for block in read_log_blocks(self.text())]
        if not turns:
            raise Damaged("the log is empty", str(self.log), "`pbem restore` brings it back")
        return turns

    def first(self) -> Turn | None:
        """The log's offer, without reading on; None where a damaged log has none."""
        with suppress(PbemError):
            return _first(files.read_beginning(self.log))
        return None

    def scenario(self) -> str:
        """What is played, as a name for the game; its id where a damaged log doesn't tell."""
        offer = self.first()
        with suppress(PbemError):
            return name_in(scenario_in(offer.entry)) if offer is not None else self.id
        return self.id

    def authors(self) -> list[str]:
        """Who made the offer and the accept; nobody where a damaged log doesn't tell."""
        with suppress(PbemError):
            return [Turn.of(block).entry.by for block in read_log_blocks(files.read_beginning(self.log, 2))]
        return []

    def opponents(self) -> list[str]:
        """The authors but me: nobody in a solo game, or where a damaged log doesn't tell."""
        me = self.contact().name
        return [name for name in self.authors() if name != me and me]

    def begins_with(self, offer: Turn) -> bool:
        """Whether the log's first entry is this one."""
        with suppress(PbemError):
            return files.read_beginning(self.log).startswith(offer.text.split("-----BEGIN SSH", 1)[0])
        return False

    def entries(self) -> list[Entry]:
        """The entries of the log."""
        return [turn.entry for turn in self.turns()]

    def contact(self) -> Contact:
        """The contact; empty fields where nothing is stored that can be one."""
        with suppress(OSError, Damaged):
            return self.read_contact()
        return Contact()

    def read_contact(self) -> Contact:
        """The contact. Raises OSError where nothing is stored, Damaged."""
        hint = "delete it; `pbem send --to ADDRESS` and `pbem games --rename` make it again"
        return Contact.of(read_stored(self.path / "contact.json", dict[str, str], hint))

    def write_contact(self, contact: Contact) -> None:
        """Store the contact."""
        files.write_atomically(self.path / "contact.json", contact.dump())

    def note_answered(self, message_id: str) -> None:
        """Note the mail that my next one answers, if it has a name; without that note it answers none."""
        contact = self.contact()
        named = contact._replace(answers=message_id).checked()
        if named.answers not in ("", contact.answers):
            with suppress(Storage):
                self.write_contact(named)

    def restored(self) -> bool:
        """Whether the game was restored here, and no chain of dice of mine has begun in it since."""
        return self._mark().is_file()

    @alone
    def note_restored(self) -> None:
        """Note that the game was restored here, or goes on from an older state of it. Raises Storage."""
        if not self.restored():
            files.write_atomically(self._mark(), b"")

    def forget_restored(self) -> None:
        """Forget that the game was restored: a chain of mine has begun. Raises Storage."""
        files.delete(self._mark())

    def _mark(self) -> Path:
        return self.home.root / "restored" / self.id

    def notes(self) -> list[Note]:
        """What was written beside the entries of this game, in their order; none where it can't be read."""
        with suppress(OSError):
            return list(find_notes(files.read_small(self.path / NOTES, NOTES_MAX).decode("utf-8", "replace")))
        return []

    @alone
    def keep_note(self, note: Note) -> None:
        """Keep a note to an entry: of the opponent's the first that came, of mine the newest.

        Raises Refused where all notes would be more than are read; Storage.
        """
        kept = {(one.by, one.seq): one for one in self.notes()}
        if note.by == self.contact().name or (note.by, note.seq) not in kept:
            kept[note.by, note.seq] = note
            text = "\n\n".join(render_note(one) for one in sorted(kept.values(), key=lambda one: one.seq))
            if len(data := f"{text}\n".encode()) > NOTES_MAX:
                what = f"the notes of this game would have {len(data):,} bytes, {NOTES_MAX:,} at most are kept"
                raise Refused(what, str(self.path / NOTES), "move the file elsewhere, and another one begins")
            files.write_atomically(self.path / NOTES, data)

    @alone
    def write_report(self, page: str) -> None:
        """Keep the page of the newest report, which can be made again. Raises Storage."""
        files.write_atomically(self.report, page.encode("utf-8"), durable=False)

    def draft(self, seq: int) -> Path:
        """The file for the orders of an entry that is due."""
        return self.path / f"orders-{seq}.txt"

    @alone
    def write_draft(self, path: Path, text: str) -> None:
        """Begin such a file. Raises Storage."""
        files.write_atomically(path, text.encode("utf-8"), 0o600)

    def remove(self) -> None:
        """Delete the folder and what is in it. Raises Storage."""
        try:
            if self.path.is_dir():
                for file in self.path.iterdir():
                    file.unlink()
                self.path.rmdir()
        except OSError as error:
            raise Storage(f"it can't be deleted: {error.strerror}", str(self.path), "delete it by hand") from error

    # --- the table, through the cache ------------------------------------------------------------------------------

    def table(self, text: str, watch: Watch | None = None) -> Table:
        """The state of play behind the log's text: from the cached checkpoint, else verified from the first entry."""
        cached, size = self._cached(text)
        try:
            table = cached or self._verified(text, watch)
        except (Damaged, BadLog, BadSignature) as error:
            error.inside(str(self.log)).hint = error.hint or RESTORE
            raise
        if table is None:
            raise Refused("nobody has accepted this offer yet", str(self.log))
        if size != len(text):
            self.keep(table, text)
        return table

    def _verified(self, text: str, watch: Watch | None) -> Table | None:
        """The table verified from the first entry; None before the offer is accepted."""
        from pbem.match.replay import replay  # a table that was kept needs none

        return replay(text, self.home.load, watch=watch).table

    def _cached(self, text: str) -> tuple[Table | None, int]:
        """The table from the cache, carried on to the log's end, and how much of the log the cache knows."""
        return recalled(self._kept(), text, self.home.load, Boards(self.home.cache / "boards"))

    def keep(self, table: Table, text: str) -> None:
        """Cache a table as the checkpoint of the log's text."""
        checkpoint(self._kept(), table, text)

    def _kept(self) -> Path:
        return self.home.cache / "games" / f"{self.id}.json"

    # --- growing -------------------------------------------------------------------------------------------------

    @alone
    def append(self, text: str, turn: Turn) -> str:
        """Append a verified turn to the log; the new text. The time is noted."""
        entry = turn.entry
        before = []
        if self.log.is_file() and entry.seq - 1 not in times.read(self.path / "times"):  # a log that was restored
            before = [(Turn.of(newest_block(text)).entry, self.grown())]
        new = files.append(self.log, text, turn)
        self.note_times(*before, (entry, self.grown()))
        return new

    @alone
    def sign_and_append(self, text: str, turn: Turn) -> str:
        """Append a turn of my own: first it is noted as signed, then it goes into the log.

        Raises Refused when another turn with the same number was signed here before: two would be a breach; Storage
        when the log can't be written, though the turn is signed then.
        """
        signed = self.signed()
        if signed is not None and signed.entry.seq >= turn.entry.seq and signed.payload != turn.payload:
            raise Refused(
                f"entry {signed.entry.seq} of this game is signed already, with other words",
                str(self._signed_file()),
                "`pbem send --again` puts that one into the log and the mail",
            )
        files.write_atomically(self._signed_file(), turn.text.encode("ascii"))
        try:
            return self.append(text, turn)
        except Storage as error:
            number = turn.entry.seq
            error.what += f"; entry {number} is signed all the same, and goes into the log when the game is opened next"
            error.hint += "; then `pbem send --again -o FILE` writes its mail"
            raise

    @alone
    def note_signed(self, turn: Turn) -> None:
        """Note a turn of my own that was signed elsewhere, or in a log that is lost, if it is newer than the note."""
        signed = self.signed()
        if signed is None or signed.entry.seq < turn.entry.seq:
            files.write_atomically(self._signed_file(), turn.text.encode("ascii"))

    def signed(self) -> Turn | None:
        """The newest turn that was signed here. Raises Damaged."""
        return _noted(self._signed_file()) if self._signed_file().is_file() else None

    def signed_beyond(self, text: str) -> Turn | None:
        """The newest turn that was signed here, where the log's text lacks it."""
        note = files.read_text(self._signed_file()) if self._signed_file().is_file() else ""
        return _noted(self._signed_file()) if note not in text else None

    def _signed_file(self) -> Path:
        return self.home.root / "signed" / self.id


def _first(text: str) -> Turn | None:
    """The first turn of a note; None of an empty one."""
    return next(map(Turn.of, read_log_blocks(text)), None)


def _noted(file: Path) -> Turn | None:
    """The turn in a note of what was signed. Raises Damaged."""
    try:
        return _first(files.read_text(file))
    except Damaged as error:
        error.inside(str(file)).hint = SIGNED
        raise
