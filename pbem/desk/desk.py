"""What a player does with his games: offer, accept, open what came by mail, send what is due."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pbem.audit.evidence import Turn
from pbem.crypto.dice import Anchor
from pbem.crypto.keys import Signer
from pbem.crypto.openssh import fingerprint
from pbem.desk.arrival import Receipt, open_all, open_one
from pbem.errors import KeyProblem, PbemError, Refused
from pbem.home.folders import Contact, Folder, Home
from pbem.mail.inbox import Mail, blocks_of, rightly_signed
from pbem.match.agreements import Forgotten
from pbem.match.check import RUNS, Checked, check
from pbem.match.genesis import Player, Terms, read_terms
from pbem.match.handover import FOR_ANOTHER, begins_own_chain
from pbem.match.orders import Part
from pbem.match.table import MAY_ANCHOR, Table
from pbem.match.take import (
    Secrets,
    Watch,
    accept_block,
    check_offer,
    offer_block,
    replay,
    sign_agreement,
    sign_entry,
    take_block,
    verify_offer,
)
from pbem.report.terms import check_author
from pbem.rules.requests import Chance
from pbem.scenario import Scenario
from pbem.wire.blocks import Block, Entry, Statement, parse_entry, render_block

__all__ = ["Desk", "Place", "Receipt", "terms_of"]

FEW = 50
"""With fewer values than that left a new chain of dice begins."""

NONCE = 16
"""Bytes of a nonce or gnonce."""


@dataclass(slots=True)
class Place:
    """A game opened: its folder, the text of its log, its table carried on with what its owner knows.

    `me` is the player that I am; empty when somebody else plays my side on.
    """

    folder: Folder
    text: str
    table: Table
    me: str
    secrets: Secrets | None = None
    history: list[Turn] = field(default_factory=list)
    """The turns of the log, once somebody has asked for them."""

    @property
    def opponent(self) -> Player:
        """The other player."""
        return self.table.genesis.other(self.me)


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

    def offer(self, terms: Terms, side: str, contact: Contact, recovery: bytes = b"") -> tuple[Folder, Block]:
        """Make and store an offer; `recovery` is the key that may name a new one."""
        block = offer_block(self.signer, contact.name, side, terms, self.random_bytes(NONCE), recovery)
        verify_offer(block, parse_entry(block.payload))
        return self.home.keep_offer(block, contact), block

    def read_offer(self, mail: Mail) -> tuple[Block, Player, Terms, Scenario]:
        """The one offer in a mail, verified and playable here."""
        offers = [block for block in blocks_of(mail) if parse_entry(block.payload).kind == "offer"]
        if len(offers) != 1:
            what = f"{len(offers)} different offers are" if offers else "no offer is"
            hint = "; ".join(filter(None, ["exactly one is needed", mail.not_read]))
            raise Refused(f"{what} in this mail", mail.source, hint)
        entry = parse_entry(offers[0].payload)
        offer = rightly_signed(mail, offers[0], read_terms(entry)[0].key)
        player, terms = verify_offer(offer, entry)
        return offer, player, terms, check_offer(terms, self.home.load)

    def accept(self, mail: Mail, name: str, contact: Contact, recovery: bytes = b"") -> tuple[Place, Block]:
        """Accept the offer in a mail: the game begins. Raises Refused for a solo offer of somebody else."""
        offer, player, terms, scenario = self.read_offer(mail)
        check_author(player, terms, self.signer.pub_blob)
        self.check_new(offer)
        sides = [side["id"] for side in scenario.data["scenario"]["sides"] if side["id"] != player.side]
        nonce, gnonce = self.random_bytes(NONCE), self.random_bytes(NONCE)
        block = accept_block(offer, self.signer, name, sides[0], terms, nonce, gnonce, recovery)
        table = replay(render_block(offer) + render_block(block), self.home.load).table
        if table is None:
            raise Refused("the game can't begin", mail.source)
        folder = self.home.begin(offer, block, contact)
        return self.seated(folder, folder.text(), table), block

    def check_new(self, offer: Block) -> None:
        """Refuse to begin two games with one offer: the second could be the one with the better dice."""
        for folder in self.home.games():
            if folder.offer() == offer.payload:
                raise Refused("this offer is accepted already", hint=f"its game is {folder.id}")

    # --- opening -------------------------------------------------------------------------------------------------

    def place(self, folder: Folder) -> Place:
        """Open a game, finish what an interrupted `send` left, and carry it on with my own secret.

        While its log stays the same, the game stays open: many mails that can't be taken cost little.
        """
        text = folder.text()
        if self._open is not None and (self._open.folder.path, self._open.text) == (folder.path, text):
            return self._open
        table = folder.table(text, self.watch)
        signed = folder.signed()
        if signed is not None and _can_follow(table, parse_entry(signed.payload)):
            table = self.carried(Place(folder, text, table, ""), signed)
            text = folder.append(text, signed)
            folder.keep(table, text)
            self._anchored(folder, signed)
        self._open = self.seated(folder, text, table)
        return self._open

    def forget_place(self) -> None:
        """A game that is open changes: it is to be opened anew the next time."""
        self._open = None

    def glance(self, folder: Folder) -> Table:
        """The state of play as far as it is known without asking for a passphrase."""
        table = folder.table(folder.text(), self.watch)
        mine = table.genesis.terms.solo or table.reveal_due == folder.contact().name
        if table.course.seed is not None or not mine:
            return table
        try:
            return self.place(folder).table
        except (KeyProblem, Refused):
            return table

    def seated(self, folder: Folder, text: str, table: Table) -> Place:
        """A game whose table is read, carried on with my own secret and kept in the cache."""
        place = Place(folder, text, table, self._me(table, folder))
        self.peek(place)
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

    def peek(self, place: Place) -> None:
        """Roll what waits for my reveal: I know my chain value before I send it."""
        index = place.table.next_reveal(place.me)
        if index is not None and place.table.course.seed is None:
            place.table.peek(self.secrets(place).value(index))

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

    def open(self, mails: Iterable[Mail]) -> tuple[list[Receipt], list[PbemError]]:
        """Take what is in the mails, in whatever order they came; the receipts, and an error for each refused one."""
        return open_all(self, mails)

    def open_one(self, mail: Mail) -> Receipt:
        """Take the one new block of a mail (protocol 2.4 step 8). Raises the PbemError of whatever is wrong."""
        return open_one(self, mail)

    # --- sending -------------------------------------------------------------------------------------------------

    def check(self, place: Place, text: str, chance: Chance, runs: int = RUNS) -> Checked:
        """Would these orders be accepted? `runs` futures are played out for those behind the first roll."""
        return check(place.table, place.me, text, chance, runs)

    def send(self, place: Place, parts: list[Part]) -> Block:
        """Sign what is due with these parts, note it as signed, append it to the log; the block for the mail."""
        table, me = place.table, place.me
        new = self._new_chain(place, table.due_from(me).what)
        secrets = self.secrets(place) if me in table.chains else None
        return self._sent(place, sign_entry(table, me, self.signer, secrets, parts, new))

    def agree(self, place: Place, kind: str, body: tuple[Statement, ...] = (), anchor: Anchor | None = None) -> Block:
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

    def carried(self, place: Place, block: Block) -> Table:
        """The table behind one more block; to take something back the log is read from its beginning."""
        ahead = place.table.fork()
        try:
            take_block(ahead, block, parse_entry(block.payload))
        except Forgotten:
            found = replay(place.text + render_block(block), self.home.load, watch=self.watch).table
            if found is None:
                raise
            return found
        ahead.course.steps = [*place.table.steps, *ahead.steps]
        return ahead

    def _sent(self, place: Place, block: Block) -> Block:
        self.forget_place()
        ahead = self.carried(place, block)
        place.text = place.folder.sign_and_append(place.text, block)
        place.table = ahead
        place.secrets = None
        place.folder.keep(ahead, place.text)
        self._anchored(place.folder, block)
        return block

    def _anchored(self, folder: Folder, block: Block) -> None:
        """Behind an entry of mine that begins a chain of mine a restore is forgotten."""
        if begins_own_chain(parse_entry(block.payload)):
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
