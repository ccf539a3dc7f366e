"""The games that the page has before it, each in memory as its log on the disk tells it."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from pbem.desk.desk import Desk, Place
from pbem.errors import PbemError, Refused, Storage
from pbem.home.bots import bot_of
from pbem.home.files import WAIT, locked, read_small
from pbem.home.folders import Folder, Home
from pbem.language import say
from pbem.language import shown as put
from pbem.match.table import BARE, proposal_words
from pbem.page.naming import names_of, title_of
from pbem.page.run import Watched
from pbem.page.seen import Shown, shown
from pbem.page.sheet import Sheet
from pbem.scenario import Scenario
from pbem.wire.bodies import read_terms
from pbem.wire.orderfile import decoded
from pbem.words import own

__all__ = ["DRAFT_MAX", "Changed", "Game", "Games", "Moved"]

Json = dict[str, Any]

PATIENCE = 0.08
"""Seconds that a click may take for what can wait."""

ENDS = (".", "?", "!", "\N{IDEOGRAPHIC FULL STOP}")
"""With what a sentence ends."""

MOMENT = 1.0
"""Seconds that the list of games waits for one of them."""

DRAFT_MAX = 2 << 20
"""Bytes of a file of orders."""


class Moved(Exception):
    """The game has gone on since the page was drawn; nothing was done."""


class Changed(Exception):
    """The draft of orders was written by something else meanwhile; nothing was written over it."""

    def __init__(self, text: str, mark: str) -> None:
        super().__init__()
        self.text, self.mark = text, mark


class Game:
    """One game: its folder, what it was when its log was last read, and a lock under which all about it is done."""

    def __init__(
        self, folder: Folder, desk: Desk, kept: Path | None, compiled: Path | None, clock: Callable[[], float]
    ) -> None:
        """`kept` keeps the ground of maps, `compiled` templates that are compiled; `clock` tells seconds."""
        self._clock = clock
        self.folder, self.desk, self.kept, self.compiled = folder, desk, kept, compiled
        self.lock = threading.RLock()
        self._stamp: tuple[int, int] | None = None
        self._place: Place | None = None
        self._shown: Shown | None = None
        self._sheet: Sheet | None = None
        self.checking: Watched | None = None
        """The slow check that runs for it."""
        self.papers: dict[str, tuple[str, str]] = {}
        """Kind of page -> the newest entry when it was made, and its text."""
        self._mark = ""
        """The mark of the draft as this page last read or wrote it."""

    def place(self) -> Place:
        """The game as its log now is; read again where that has changed. Raises what is wrong with it."""
        stamp = self.folder.stamp()
        if self._place is None or stamp != self._stamp:
            self._place, self._shown, self._sheet = None, None, None
            with self._looked_at():
                stamp = self.folder.stamp()
                self._place = self.desk.place(self.folder)
            own(*(player.name for player in self._place.table.genesis.players))
            self._stamp = stamp
        return self._place

    def at_head(self, head: str) -> Place:
        """The game, if its newest entry is the one with this hash. Raises Moved where it isn't."""
        place = self.place()
        if place.table.head.hex() != head:
            raise Moved
        return place

    def shown(self) -> Shown:
        """What is shown of it, once for each entry."""
        place = self.place()
        if self._shown is None:
            self._shown = shown(
                place,
                self.scenario(),
                self.folder.home.name_of(self.folder),
                kept=self.kept,
                compiled=self.compiled,
            )
        return self._shown

    def sheet(self) -> Sheet:
        """What reads lists of orders in it, once for each entry. It raises Refused where none are due from me."""
        place = self.place()
        if self._sheet is None:
            self._sheet = Sheet(place.table, place.me)
        return self._sheet

    def patience(self) -> Callable[[], bool]:
        """Says, as often as it is asked, whether there is still time for a click that comes now."""
        end = self._clock() + PATIENCE
        return lambda: self._clock() < end

    # --- the draft -------------------------------------------------------------------------------------------------

    def draft(self) -> tuple[str, str]:
        """The text that is begun for the entry that is due, "" for none, and its mark."""
        place = self.place()
        text, self._mark = _read(place.folder.draft(place.table.seq + 1))
        return text, self._mark

    def scenario(self) -> Scenario:
        """What is played."""
        return self.folder.home.load(self.place().table.genesis.terms.scenario)

    def write_draft(self, text: str, mark: str | None = None, *, wait: float = WAIT) -> tuple[Path, str]:
        """Keep the text of the orders that are due, where `pbem edit` goes on with it; the file, and its new mark.

        `mark` is that of the draft as the page knows it, None: as it was last read or written here. Raises Changed
        where the file is another one by now, Refused where another program holds the home folder for longer than `wait`
        seconds, Storage.
        """
        place = self.place()
        path = place.folder.draft(place.table.seq + 1)
        known = self._mark if mark is None else mark
        there, now = _changed(path, text, known)
        if there != text:
            with locked(place.folder.home.root, "`pbem table` keeps a draft", wait=wait):
                _changed(path, text, known)  # another may have written it while this one waited
                place.folder.write_draft(path, text)
            now = mark_of(text)
        self._mark = now
        return path, now

    def _looked_at(self) -> AbstractContextManager[object]:
        """Keep other programs out while it is read; a folder that can't be written is read as it is."""
        held = ExitStack()
        with suppress(Storage):
            held.enter_context(self.folder.home.locked("`pbem table` reads a game"))
        return held


class Games:
    """The games of a home folder, each opened when it is first asked for."""

    def __init__(
        self,
        home: Home,
        desk: Callable[[], Desk],
        kept: Path | None = None,
        compiled: Path | None = None,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """`desk` gives the player at his home folder anew; `kept`, `compiled` and `clock` as for a game.

        Where the clock stands still there is time for everything.
        """
        self.home, self._desk, self._kept, self._compiled, self._clock = home, desk, kept, compiled, clock
        self._games: dict[str, Game] = {}
        self._lock = threading.Lock()
        self._opening = threading.Lock()
        self._closing = threading.Event()

    def game(self, id: str) -> Game:
        """The game with this id, as `Folder.id`. Raises LookupError where there is none."""
        with self._lock:
            folder = next((folder for folder in self.home.games() if folder.id == id), None)
            if folder is None:
                self._games.pop(id, None)
                raise LookupError(id)
            if id not in self._games:
                self._games[id] = Game(folder, self._desk(), self._kept, self._compiled, self._clock)
            return self._games[id]

    @contextmanager
    def at_work(self, game: Game | None = None, *, locked: bool = True) -> Iterator[None]:
        """While something is done in a game, or, for None, a mail is opened: alone, and waited for by `closed`.

        Raises Refused from the moment on when the page was to be closed. What isn't `locked` takes the game's lock
        itself.
        """
        held = self._opening if game is None else game.lock if locked else nullcontext()
        with held:
            if self._closing.is_set():
                what = say("the page is being closed: nothing is begun any more")
                raise Refused(what, hint=say("`pbem table` opens it again"))
            yield

    def closed(self, wait: float = -1) -> bool:
        """Begin nothing from now on, and wait until nothing is at work in any game; False where that takes longer."""
        self._closing.set()
        with self._lock:
            games = [*self._games.values()]
        for game in games:
            if game.checking is not None:
                game.checking.end()
        locks: list[Any] = [self._opening, *(game.lock for game in games)]
        for lock in locks:
            if not lock.acquire(timeout=wait):
                return False
            lock.release()
        return True

    def listed(self) -> list[Json]:
        """Every game and offer, as the page lists them; of a damaged one what is wrong."""
        found = []
        for name, folder in self.home.named().items():
            try:
                found.append(self._listed(name, self.game(folder.id)))
            except (PbemError, LookupError) as error:
                found.append({**_empty(folder, name), "wrong": put(str(error))})
        for offer in self.home.offers():
            row = {**_empty(offer, ""), "offer": True}
            try:
                row["title"] = title_of(self.home.load(read_terms(offer.turns()[0].entry)[1].scenario))
                to = offer.contact().to
                row["due"] = (
                    say("An offer of mine to %(to)s: nobody has accepted it yet.", to=to)
                    if to
                    else say("An offer of mine: nobody has accepted it yet.")
                )
            except PbemError as error:
                row["wrong"] = put(str(error))
            found.append(row)
        return found

    def _listed(self, name: str, game: Game) -> Json:
        """A game as it is listed; one that is at work keeps the list for a moment only."""
        if not game.lock.acquire(timeout=MOMENT):
            return {
                **_empty(game.folder, name),
                "busy": True,
                "due": say("It is being read, or a command is at work in it."),
            }
        try:
            return _row(name, game.place())
        finally:
            game.lock.release()


def _empty(folder: Folder, name: str) -> Json:
    return {
        "id": folder.id,
        "name": name,
        "title": "",
        "opponent": "",
        "due": "",
        "mine": False,
        "over": False,
        "offer": False,
        "busy": False,
        "wrong": "",
    }


def _row(name: str, place: Place) -> Json:
    """A game in the list: who plays, whose move."""
    table = place.table
    due = table.due()
    scenario = place.folder.home.load(table.genesis.terms.scenario)
    mine = due.player is not None and due.player == place.me
    asked = proposal_words(table) or (due.request.prompt if due.request and due.what not in BARE else "")
    ways = {"begin": say("to begin the game"), "reveal": say("to reveal dice")}
    what = ways.get(due.what) or put(asked, names_of(table))
    if due.player is None:
        whose = say("The game is over.")
    else:
        whose = say("My move: %(what)s", what=what) if mine else say("%(player)s's move.", player=due.player)
    return {
        **_empty(place.folder, name),
        "title": title_of(scenario),
        "opponent": place.opponent.name if place.me else "",
        "due": whose if whose.endswith(ENDS) else say("%(words)s.", words=whose),
        "mine": mine,
        "over": due.player is None,
        "bot": bot_of(place.folder) is not None,
    }


def _changed(path: Path, text: str, mark: str) -> tuple[str, str]:
    """The draft and its mark, as `_read`. Raises Changed where it is neither this text nor the one with that mark."""
    there, now = _read(path)
    if there != text and now != mark:
        raise Changed(there, now)
    return there, now


def _read(path: Path) -> tuple[str, str]:
    """The text of a draft and its mark; "" where there is none. Raises Refused for one that can't be read whole."""
    try:
        data = read_small(path, DRAFT_MAX + 1)
    except FileNotFoundError:
        return "", ""
    except OSError as error:
        what = say("the file of orders can't be read: %(why)s", why=error.strerror)
        raise Refused(what, str(path), _elsewhere()) from None
    if len(data) > DRAFT_MAX:
        most = f"{DRAFT_MAX:,}"
        what = say("the file of orders has more than %(most)s bytes", most=most)
        raise Refused(what, str(path), _elsewhere())
    text = decoded(data)
    return text, mark_of(text)


def _elsewhere() -> str:
    """What is right where the page can't read the file of orders."""
    return say("move it elsewhere: nothing is written over it")


def mark_of(text: str) -> str:
    """What tells one text of a draft from another; "" of an empty one."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] if text else ""
