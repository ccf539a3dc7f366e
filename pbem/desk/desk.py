"""What a player does with his games: offer, accept, open a game, send what is due."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pbem.crypto.dice import Anchor
from pbem.crypto.keys import Signer
from pbem.crypto.openssh import fingerprint
from pbem.errors import KeyProblem, Refused
from pbem.home.contact import Contact
from pbem.home.folders import Folder, Home
from pbem.match.agreements import Forgotten
from pbem.match.compose import Secrets, sign_accept, sign_agreement, sign_entry, sign_offer
from pbem.match.genesis import verify_offer
from pbem.match.orders import Part
from pbem.match.replay import Watch, at_entry, replay, seat
from pbem.match.table import MAY_ANCHOR, Table
from pbem.match.take import peek, take
from pbem.records import NamedTuple, Record, made
from pbem.scenario import Scenario
from pbem.wire.bodies import FOR_ANOTHER, Player, Terms, begins_own_chain
from pbem.wire.entry import Entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

if TYPE_CHECKING:  # imported where used: few commands need evidence
    from pbem.audit.evidence import Exhibit

__all__ = ["Desk", "Offered", "Place", "terms_of"]

FEW = 50
"""With fewer values than that left a new chain of dice begins."""

NONCE = 16
"""Bytes of a nonce or gnonce."""


class Place(Record):
    """A game opened: its folder, the text of its log, its table carried on with what its owner knows.

    `me` is the player that I am; empty when somebody else plays my side on.
    """

    folder: Folder
    text: str
    table: Table
    me: str
    secrets: Secrets | None = None
    signed: Turn | None = None
    """The newest turn that was signed here, where the log lacks it and it doesn't follow there."""
    history: list[Exhibit] = made(default_factory=list)
    """The turns of the log, once somebody has asked for them."""

    @property
    def opponent(self) -> Player:
        """The other player."""
        return self.table.genesis.other(self.me)


class Offered(NamedTuple):
    """An offer that is rightly signed and can be played here: its author, terms and scenario."""

    turn: Turn
    player: Player
    terms: Terms
    scenario: Scenario


class Desk:
    """A player at his home folder with his key; the key is loaded when it is first needed.

    `random_bytes` gives so many bytes that nobody can guess (`os.urandom`).
    """

    def __init__(
        self, home: Home, signer: Callable[[], Signer], random_bytes: Callable[[int], bytes], watch: Watch | None = None
    ) -> None:
        self.home = home
        self.random_bytes = random_bytes
        self._load_signer = signer
        self._signer: Signer | None = None
        self._open: Place | None = None
        self.watch = watch

    @property
    def signer(self) -> Signer:
        """The player's key."""
        if self._signer is None:
            self._signer = self._load_signer()
        return self._signer

    # --- a game begins ---------------------------------------------------------------------------------------------

    def offer(
        self, terms: Terms, side: str, contact: Contact, recovery: bytes = b"", *, reads: str = ""
    ) -> tuple[Folder, Turn]:
        """Make and store an offer; `recovery` is the key that may name a new one, `reads` the language that I read."""
        turn = sign_offer(self.signer, contact.name, side, terms, self.random_bytes(NONCE), recovery, reads=reads)
        verify_offer(turn)
        return self.home.keep_offer(turn, contact), turn

    def accept(
        self, offered: Offered, name: str, contact: Contact, recovery: bytes = b"", *, reads: str = ""
    ) -> tuple[Place, Turn]:
        """Accept an offer: the game begins. Raises Refused for one that is not for me, or that has begun."""
        from pbem.report.terms import check_author

        offer, player, terms, scenario = offered
        check_author(player, terms, self.signer.pub_blob)
        self.check_new(offer)
        sides = [side["id"] for side in scenario.data["scenario"]["sides"] if side["id"] != player.side]
        nonce, gnonce = self.random_bytes(NONCE), self.random_bytes(NONCE)
        turn = sign_accept(offer, self.signer, name, sides[0], terms, nonce, gnonce, recovery, reads=reads)
        table = at_entry(seat, 1, offer, turn, self.home.load)
        folder = self.home.begin(offer, turn, contact)
        return self.seated(folder, offer.text + turn.text, table), turn

    def check_new(self, offer: Turn) -> None:
        """Refuse to begin two games with one offer: the second could be the one with the better dice."""
        for folder in self.home.games():
            if folder.begins_with(offer):
                raise Refused("this offer is accepted already", hint=f"its game is {folder.id}")

    # --- opening -------------------------------------------------------------------------------------------------

    def place(self, folder: Folder, text: str = "") -> Place:
        """Open a game, finish what an interrupted `send` left, and carry it on with my own secret.

        `text` is that of its log, where it has been read already. While the log stays the same, the game stays open:
        many mails that can't be taken cost little.
        """
        text = text or folder.text()
        if self._open is not None and (self._open.folder.path, self._open.text) == (folder.path, text):
            return self._open
        table = folder.table(text, self.watch)
        signed = folder.signed_beyond(text)
        left = signed is not None and _can_follow(table, signed.entry)
        if signed is not None and left:
            table = self.carried(Place(folder, text, table, ""), signed)
            text = folder.append(text, signed)
            folder.keep(table, text)
            self._anchored(folder, signed)
        self._open = self.seated(folder, text, table, new=False)
        self._open.signed = None if left else signed
        return self._open

    def forget_place(self) -> None:
        """A game that is open changes: it is to be opened anew the next time."""
        self._open = None

    def glance(self, folder: Folder) -> Table:
        """The state of play as far as it is known without a passphrase; an interrupted `send` is finished."""
        text = folder.text()
        table = folder.table(text, self.watch)
        mine = table.genesis.terms.solo or table.reveal_due == folder.contact().name
        if folder.signed_beyond(text) is None and (table.course.seed is not None or not mine):
            return table
        try:
            return self.place(folder).table
        except (KeyProblem, Refused):
            return table

    def seated(self, folder: Folder, text: str, table: Table, *, new: bool = True) -> Place:
        """A game whose table is read, carried on with my own secret and kept in the cache, unless it is there so."""
        place = Place(folder, text, table, self._me(table, folder))
        if self.peek(place) or new:
            folder.keep(table, text)
        return place

    def _me(self, table: Table, folder: Folder) -> str:
        """Which player I am: by my key; in a solo game, where both keys are mine, whoever is due."""
        names = [player.name for player in table.players.values() if player.key == self.signer.pub_blob]
        due = table.due().player
        if due in names:
            return due
        if not names:
            now = ", ".join(f"{p.person or p.name} has {fingerprint(p.key)}" for p in table.players.values())
            raise Refused("my key is not a player's key in this game", folder.id, f"{now}; name yours with --key")
        return names[0]

    def peek(self, place: Place) -> bool:
        """Roll what waits for my reveal, if anything does: I know my chain value before I send it."""
        index = place.table.next_reveal(place.me)
        if index is None or place.table.course.seed is not None:
            return False
        peek(place.table, self.secrets(place).value(index))
        return True

    def secrets(self, place: Place) -> Secrets:
        """My chain and nonces in a game."""
        if place.secrets is None:
            place.secrets = Secrets.of(self.signer, place.table.anchors[place.me])
        return place.secrets

    def _new_chain(self, place: Place, kind: str) -> Secrets | None:
        """A chain that begins with my next entry: where one must, where few values are left, behind a restore."""
        chain = place.table.chains.get(place.me)
        if chain is not None and (kind not in MAY_ANCHOR or not self._needs_chain(place, chain.left)):
            return None
        return Secrets(self.signer, self.random_bytes(NONCE), place.table.head)

    def _needs_chain(self, place: Place, left: int) -> bool:
        return left < FEW or place.folder.restored()

    # --- sending -------------------------------------------------------------------------------------------------

    def send(self, place: Place, parts: list[Part]) -> Turn:
        """Sign what is due with these parts, note it as signed, append it to the log; the turn for the mail."""
        table, me = place.table, place.me
        new = self._new_chain(place, table.due_from(me).what)
        secrets = self.secrets(place) if me in table.chains else None
        return self._sent(place, sign_entry(table, me, self.signer, secrets, parts, new))

    def agree(self, place: Place, kind: str, body: tuple[Statement, ...] = (), anchor: Anchor | None = None) -> Turn:
        """Sign an agreement that is due from me or that I propose, as `send` does with orders.

        `anchor` is that of the chain of a key that it names. Raises Refused before both have a chain of dice.
        """
        if place.me not in place.table.chains:
            raise Refused(f"nobody can make a `{kind}` yet", place.folder.id, str(place.table.due()))
        if kind in FOR_ANOTHER and place.table.next_reveal(place.me) and place.folder.restored():
            hint = "send what is due first: a new chain of dice begins with it"
            raise Refused("the game was restored, and this entry would reveal a secret of the old chain", "", hint)
        new = self._new_chain(place, kind) if anchor is None else None
        anchor = new.anchor if new is not None else anchor
        return self._sent(
            place, sign_agreement(place.table, place.me, self.signer, self.secrets(place), kind, body, anchor)
        )

    def carried(self, place: Place, turn: Turn) -> Table:
        """The table behind one more turn; to take something back the log is read from its beginning."""
        ahead = place.table.fork()
        try:
            take(ahead, turn)
        except Forgotten:
            found = replay(place.text + turn.text, self.home.load, watch=self.watch).table
            if found is None:
                raise
            return found
        ahead.course.steps = [*place.table.steps, *ahead.steps]
        return ahead

    def _sent(self, place: Place, turn: Turn) -> Turn:
        self.forget_place()
        ahead = self.carried(place, turn)
        place.text = place.folder.sign_and_append(place.text, turn)
        place.table = ahead
        place.secrets = None
        place.folder.keep(ahead, place.text)
        self._anchored(place.folder, turn)
        return turn

    def _anchored(self, folder: Folder, turn: Turn) -> None:
        """Behind an entry of mine that begins a chain of mine a restore is forgotten."""
        if begins_own_chain(turn.entry):
            folder.forget_restored()


def _can_follow(table: Table, entry: Entry) -> bool:
    """Whether an entry names the newest one of a table as the one before it."""
    return entry.seq == table.seq + 1 and entry.prev == table.head.hex()


def terms_of(scenario: Scenario, options: dict[str, str], **words: str | int | bool) -> Terms:
    """The terms of an offer of this scenario."""
    known = scenario.data["scenario"].get("options", {})
    for name, value in options.items():
        if name not in known:
            raise Refused(f"{scenario.id} has no option {name}", hint="there are: " + (", ".join(known) or "none"))
        if value not in known[name]["values"]:
            raise Refused(f"{name} can't be {value}", hint="it is one of: " + ", ".join(known[name]["values"]))
    chosen = {name: options.get(name, spec["default"]) for name, spec in known.items()}
    return Terms(scenario.edition, scenario.id, scenario.digest, tuple(sorted(chosen.items())), **words)  # type: ignore[arg-type]
