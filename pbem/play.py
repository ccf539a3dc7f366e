"""What a player does with his games: offer, accept, open what came by mail, send what is due."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pbem import dice, signing
from pbem.agreements import Forgotten
from pbem.draft import RUNS, Checked, check
from pbem.envelope import Block, Entry, Statement, parse_entry, render_block
from pbem.errors import BadLog, KeyProblem, PbemError, Refused
from pbem.genesis import CHAIN_LENGTH, Player, Terms
from pbem.home import Contact, Folder, Home
from pbem.keys import Signer
from pbem.mail import Mail, blocks_of, examine
from pbem.orders import Part
from pbem.requests import Chance
from pbem.scenario import Scenario
from pbem.table import Table
from pbem.turn import (
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

__all__ = ["Desk", "Place", "Receipt", "terms_of"]


class Receipt(NamedTuple):
    """What became of one mail: `what` is known, begun or taken; the place is where it went."""

    source: str
    what: str
    entry: Entry
    place: Place


@dataclass(slots=True)
class Place:
    """A game opened: its folder, the text of its log, its table carried on with what its owner knows."""

    folder: Folder
    text: str
    table: Table
    me: str
    secrets: Secrets | None = None

    @property
    def opponent(self) -> Player:
        """The other player."""
        return self.table.genesis.other(self.me)


class Desk:
    """A player at his home folder with his key; the key is loaded when it is first needed."""

    def __init__(self, home: Home, signer: Callable[[], Signer], watch: Watch | None = None) -> None:
        self.home = home
        self._load_signer = signer
        self._signer: Signer | None = None
        self.watch = watch

    @property
    def signer(self) -> Signer:
        """The player's key."""
        if self._signer is None:
            self._signer = self._load_signer()
        return self._signer

    # --- a game begins ---------------------------------------------------------------------------------------------

    def offer(self, terms: Terms, side: str, contact: Contact, gnonce: bytes) -> tuple[Folder, Block]:
        """Make and store an offer."""
        block = offer_block(self.signer, contact.name, side, terms, gnonce, CHAIN_LENGTH)
        verify_offer(block, parse_entry(block.payload))
        return self.home.keep_offer(block, contact), block

    def read_offer(self, mail: Mail) -> tuple[Block, Player, Terms, Scenario]:
        """The one offer in a mail, verified and playable here."""
        offers = [block for block in blocks_of(mail) if parse_entry(block.payload).kind == "offer"]
        if len(offers) != 1:
            what = f"{len(offers)} different offers are" if offers else "no offer is"
            raise Refused(f"{what} in this mail", mail.source, "exactly one is needed")
        player, terms = verify_offer(offers[0], parse_entry(offers[0].payload))
        return offers[0], player, terms, check_offer(terms, self.home.load)

    def accept(self, mail: Mail, name: str, contact: Contact, gnonce: bytes) -> tuple[Place, Block]:
        """Accept the offer in a mail: the game begins."""
        offer, player, terms, scenario = self.read_offer(mail)
        self._check_new(offer)
        sides = [side["id"] for side in scenario.data["scenario"]["sides"] if side["id"] != player.side]
        block = accept_block(offer, self.signer, name, sides[0], terms, gnonce, CHAIN_LENGTH)
        table = replay(render_block(offer) + render_block(block), self.home.load).table
        if table is None:
            raise Refused("the game can't begin", mail.source)
        folder = self.home.begin(offer, block, contact)
        return self._place(folder, folder.text(), table), block

    def _check_new(self, offer: Block) -> None:
        """Refuse to begin two games with one offer: the dice of the offerer would be the same in both."""
        for folder in self.home.games():
            if folder.blocks()[0].payload == offer.payload:
                raise Refused("this offer is accepted already", hint=f"its game is {folder.id}")

    # --- opening -------------------------------------------------------------------------------------------------

    def place(self, folder: Folder) -> Place:
        """Open a game, finish what an interrupted `send` left, and carry it on with my own secret."""
        text = folder.text()
        table = folder.table(text, self.watch)
        signed = folder.signed()
        if signed is not None and parse_entry(signed.payload).seq == table.seq + 1:
            take_block(table, signed, parse_entry(signed.payload))
            text = folder.append(text, signed)
            folder.keep(table, text)
        return self._place(folder, text, table)

    def glance(self, folder: Folder) -> Table:
        """The state of play as far as it is known without asking for a passphrase."""
        table = folder.table(folder.text(), self.watch)
        mine = table.genesis.terms.solo or table.reveal_due == folder.contact().name
        if table.seed is not None or not mine:
            return table
        try:
            return self.place(folder).table
        except (KeyProblem, Refused):
            return table

    def _place(self, folder: Folder, text: str, table: Table) -> Place:
        place = Place(folder, text, table, self._me(table, folder))
        self._peek(place)
        folder.keep(table, text)
        return place

    def _me(self, table: Table, folder: Folder) -> str:
        """Which player I am: by my key; in a solo game, where both keys are mine, whoever is due."""
        due = table.due().player
        if table.genesis.terms.solo and due:
            return due
        names = [player.name for player in table.players.values() if player.key == self.signer.pub_blob]
        if not names:
            raise Refused(
                "my key is not a player's key in this game", folder.id, "name the right one with --key or PBEM_KEY"
            )
        return names[0]

    def _peek(self, place: Place) -> None:
        """Roll what waits for my reveal: I know my chain value before I send it."""
        index = place.table.next_reveal(place.me)
        if index is not None and place.table.seed is None:
            place.table.peek(self.secrets(place).value(index))

    def secrets(self, place: Place) -> Secrets:
        """My chain and nonces in a game."""
        if place.secrets is None:
            place.secrets = Secrets(self.signer, place.table.player(place.me))
        return place.secrets

    def open(self, mails: Iterable[Mail]) -> tuple[list[Receipt], list[PbemError]]:
        """Take what is in the mails, in whatever order they came; the receipts, and an error for each refused one."""
        receipts: list[Receipt] = []
        refused: list[PbemError] = []
        waiting = list(mails)
        while waiting:
            early: list[tuple[Mail, PbemError]] = []
            for mail in waiting:
                try:
                    receipts.append(self.open_one(mail))
                except _Early as error:
                    early.append((mail, error))
                except PbemError as error:
                    refused.append(error)
            if len(early) == len(waiting):
                refused += [error for _, error in early]
                break
            waiting = [mail for mail, _ in early]
        return receipts, refused

    def open_one(self, mail: Mail) -> Receipt:
        """Take the one new block of a mail (protocol 2.4 step 8). Raises the PbemError of whatever is wrong."""
        try:
            whole = blocks_of(mail)
            if not whole:
                raise Refused("no turn is in this mail", "", "a block between BEGIN and END PBEM TURN is needed")
            receipt = self._open_blocks(mail, [(block, parse_entry(block.payload)) for block in whole])
            if receipt.what == "known" and (damaged := examine(mail)[1]):
                raise damaged[0]  # a new turn, broken, beside a whole one that was quoted
            return receipt
        except PbemError as error:
            if not error.where.startswith(mail.source):
                error.where = f"{mail.source}, {error.where}" if error.where else mail.source
            raise

    def _open_blocks(self, mail: Mail, blocks: list[tuple[Block, Entry]]) -> Receipt:
        new = [(block, entry) for block, entry in blocks if self._known(block, entry) is None]
        if not new:
            block, entry = blocks[-1]
            folder = self._known(block, entry)
            if folder is None or folder.kind == "offers":
                raise Refused("this is my own offer", hint="the opponent accepts it")
            return Receipt(mail.source, "known", entry, self.place(folder))
        if len(new) > 1:
            named = ", ".join(f"{e.kind} {e.seq} by {e.by}" for _, e in new)
            raise Refused(f"{len(new)} different new turns are in this mail: {named}", "", "one mail, one turn")
        block, entry = new[0]
        if entry.kind == "offer":
            raise Refused(f"this is an offer by {entry.by}", hint=f"`pbem accept {mail.source} --name ...` takes it")
        if entry.kind == "accept":
            return Receipt(mail.source, "begun", entry, self._begin(mail, block, entry))
        return Receipt(mail.source, "taken", entry, self._take(block, entry))

    def _known(self, block: Block, entry: Entry) -> Folder | None:
        """The folder whose log holds this entry already."""
        head = render_block(block).split("-----BEGIN SSH", 1)[0]
        if entry.game is not None:
            folders = [f for f in [self.home.game(entry.game)] if f is not None]
        else:
            folders = [*self.home.games(), *self.home.offers()]
        return next((folder for folder in folders if head in folder.text()), None)

    def _begin(self, mail: Mail, block: Block, entry: Entry) -> Place:
        """Begin a game that somebody accepted."""
        for folder in self.home.offers():
            offer = folder.blocks()[0]
            if dice.entry_hash(offer.payload).hex() == entry.prev:
                self._check_new(offer)
                table = replay(render_block(offer) + render_block(block), self.home.load).table
                if table is None:
                    break
                contact = folder.contact()
                game = self.home.begin(offer, block, Contact(contact.name, contact.mail, contact.to or mail.sender))
                return self._place(game, game.text(), table)
        raise BadLog("it accepts an offer that isn't mine, or that is taken", f"entry 1 by {entry.by}", "")

    def _take(self, block: Block, entry: Entry) -> Place:
        """Take an entry of a game that is here."""
        folder = self.home.game(entry.game or "")
        if folder is None:
            games = ", ".join(f.id for f in self.home.games()) or "none"
            raise _Early(f"it is a turn of another game, {(entry.game or '')[:16]}", "", f"the games here are: {games}")
        place = self.place(folder)
        if entry.seq <= place.table.seq:
            self._contradiction(place, block, entry)
        if entry.seq > place.table.seq + 1:
            raise _Early(
                f"entry {entry.seq} comes too early", f"game {folder.id}", f"entry {place.table.seq + 1} is due first"
            )
        place.table = self._carried(place, block)
        place.text = folder.append(place.text, block)
        self._peek(place)
        folder.keep(place.table, place.text)
        return place

    def _contradiction(self, place: Place, block: Block, entry: Entry) -> None:
        """Keep a second, different entry for a number as evidence, if it is really signed; always raises."""
        first = parse_entry(place.folder.blocks()[entry.seq].payload)
        if first.by != entry.by:
            raise BadLog(f"entry {entry.seq} is by {first.by}", f"game {place.folder.id}", f"not by {entry.by}")
        signing.verify(block.payload, block.armor, place.table.player(entry.by).key)
        path = self.home.keep_evidence(block, entry.seq)
        raise BadLog(
            f"entry {entry.seq} is in the log already, with other words; the first one stays",
            f"game {place.folder.id}",
            f"the second one is kept as evidence: {path}",
        )

    # --- sending -------------------------------------------------------------------------------------------------

    def check(self, place: Place, text: str, chance: Chance, runs: int = RUNS) -> Checked:
        """Would these orders be accepted? `runs` futures are played out for those behind the first roll."""
        return check(place.table, place.me, text, chance, runs)

    def send(self, place: Place, parts: list[Part]) -> Block:
        """Sign what is due with these parts, note it as signed, append it to the log; the block for the mail."""
        return self._sent(place, sign_entry(place.table, place.me, self.signer, self.secrets(place), parts))

    def agree(self, place: Place, kind: str, body: tuple[Statement, ...] = ()) -> Block:
        """Sign an agreement that is due from me or that I propose, as `send` does with orders."""
        return self._sent(place, sign_agreement(place.table, place.me, self.signer, self.secrets(place), kind, body))

    def renewed(self, place: Place, signer: Signer, gnonce: bytes) -> Player:
        """Me with the key of `signer` and a new chain, for a rekey or rechain."""
        player = place.table.player(place.me)._replace(key=signer.pub_blob, gnonce=gnonce, chain=CHAIN_LENGTH)
        return player._replace(anchor=Secrets(signer, player).anchor)

    def _carried(self, place: Place, block: Block) -> Table:
        """The table behind one more block; to take something back the log is read from its beginning."""
        ahead = place.table.fork()
        try:
            take_block(ahead, block, parse_entry(block.payload))
        except Forgotten:
            found = replay(place.text + render_block(block), self.home.load, watch=self.watch).table
            if found is None:
                raise
            return found
        ahead.steps = [*place.table.steps, *ahead.steps]
        return ahead

    def _sent(self, place: Place, block: Block) -> Block:
        ahead = self._carried(place, block)
        place.text = place.folder.sign_and_append(place.text, block)
        place.table = ahead
        place.folder.keep(ahead, place.text)
        return block


class _Early(BadLog):
    """An entry whose predecessor, or whose game, isn't here yet."""


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
