"""What becomes of the mails that come: of each the one new turn is taken into its game, or refused with the reason."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from pbem.audit.evidence import Turn, judge, keys_of, turns_of
from pbem.crypto import dice
from pbem.crypto.openssh import fingerprint
from pbem.crypto.sshsig import pub_blob_from, verify
from pbem.errors import BadLog, BadSignature, PbemError, Refused
from pbem.home.folders import Contact, Folder
from pbem.mail.inbox import Mail, blocks_of, examine, rightly_signed
from pbem.match.genesis import Player, Terms, read_terms
from pbem.match.handover import asker, read_request
from pbem.match.take import replay
from pbem.report.terms import check_author, check_choices
from pbem.scenario import Scenario
from pbem.wire.blocks import Block, Entry, parse_entry, render_block

if TYPE_CHECKING:
    from pbem.desk.desk import Desk, Place

__all__ = ["Receipt", "open_all", "open_one"]


class Receipt(NamedTuple):
    """What became of one mail: `what` is known, begun, taken or offered; the place is where it went.

    An offer that isn't mine goes nowhere: it is verified, and its author, terms and scenario are here to be looked at.
    """

    source: str
    what: str
    entry: Entry
    went: Place | None
    offer: tuple[Player, Terms, Scenario] | None = None

    @property
    def place(self) -> Place:
        """The game that the mail belongs to. Raises Refused for an offer, which has none yet."""
        if self.went is None:
            raise Refused(f"the offer by {self.entry.by} has no game yet", self.source, "`pbem accept` begins it")
        return self.went


class _Early(BadLog):
    """An entry whose predecessor, or whose game, isn't here yet."""


def open_all(desk: Desk, mails: Iterable[Mail]) -> tuple[list[Receipt], list[PbemError]]:
    """Take what is in the mails, in whatever order they came; the receipts, and an error for each refused one."""
    receipts: list[Receipt] = []
    refused: list[PbemError] = []
    waiting = list(mails)
    while waiting:
        early: list[tuple[Mail, PbemError]] = []
        for mail in waiting:
            try:
                receipts.append(open_one(desk, mail))
            except _Early as error:
                error.__context__ = None  # what a frame holds, the log and its table, isn't kept for each
                early.append((mail, error.with_traceback(None)))
            except PbemError as error:
                refused.append(error)
        if len(early) == len(waiting):
            refused += [error for _, error in early]
            break
        waiting = [mail for mail, _ in early]
    return receipts, refused


def open_one(desk: Desk, mail: Mail) -> Receipt:
    """Take the one new block of a mail (protocol 2.4 step 8). Raises the PbemError of whatever is wrong."""
    try:
        whole = blocks_of(mail)
        if not whole:
            needed = "a block between BEGIN and END PBEM TURN is needed"
            raise Refused("no turn is in this mail", "", "; ".join(filter(None, [needed, mail.not_read])))
        receipt = _open_blocks(desk, mail, [(block, parse_entry(block.payload)) for block in whole])
        if receipt.what == "known" and (damaged := examine(mail)[1]):
            raise damaged[0]  # a new turn, broken, beside a whole one that was quoted
        return receipt
    except PbemError as error:
        if not error.where.startswith(mail.source):
            error.where = f"{mail.source}, {error.where}" if error.where else mail.source
        raise


def _open_blocks(desk: Desk, mail: Mail, blocks: list[tuple[Block, Entry]]) -> Receipt:
    for game in dict.fromkeys(entry.game for _, entry in blocks if entry.game is not None):
        _finish(desk, game)
    new = [(block, entry) for block, entry in blocks if _known(desk, block, entry) is None]
    if not new:
        block, entry = blocks[-1]
        folder = _known(desk, block, entry)
        if folder is None or folder.kind == "offers":
            solo = entry.kind == "offer" and read_terms(entry)[1].solo
            hint = "`pbem accept OFFER.eml --name ...` begins the game" if solo else "the opponent accepts it"
            raise Refused("this is my own offer", hint=hint)
        return Receipt(mail.source, "known", entry, desk.place(folder))
    if len(new) > 1:
        named = ", ".join(f"{e.kind} {e.seq} by {e.by}" for _, e in new)
        raise Refused(f"{len(new)} different new turns are in this mail: {named}", "", "one mail, one turn")
    block, entry = new[0]
    if entry.kind == "offer":
        _, player, terms, scenario = desk.read_offer(mail)
        check_choices(scenario, terms, player.side)
        if terms.solo:
            check_author(player, terms, desk.signer.pub_blob)
        return Receipt(mail.source, "offered", entry, None, (player, terms, scenario))
    if entry.kind == "accept":
        block = rightly_signed(mail, block, read_terms(entry)[0].key)
        return Receipt(mail.source, "begun", entry, _begin(desk, mail, block, entry))
    return Receipt(mail.source, "taken", entry, _take(desk, mail, block, entry))


def _finish(desk: Desk, game: str) -> None:
    """Finish what an interrupted `send` left, so that my own entry is known when a mail quotes it."""
    folder = desk.home.game(game)
    signed = folder.signed() if folder is not None else None
    if folder is not None and signed is not None and render_block(signed) not in folder.text():
        desk.place(folder)


def _known(desk: Desk, block: Block, entry: Entry) -> Folder | None:
    """The folder whose log holds this entry already."""
    head = render_block(block).split("-----BEGIN SSH", 1)[0]
    if entry.game is not None:
        folders = [f for f in [desk.home.game(entry.game)] if f is not None]
    else:
        folders = [*desk.home.games(), *desk.home.offers()]
    return next((folder for folder in folders if head in folder.text()), None)


def _begin(desk: Desk, mail: Mail, block: Block, entry: Entry) -> Place:
    """Begin a game that somebody accepted."""
    for folder in desk.home.offers():
        if dice.entry_hash(folder.offer()).hex() == entry.prev:
            offer = folder.blocks()[0]
            desk.check_new(offer)
            table = replay(render_block(offer) + render_block(block), desk.home.load).table
            if table is None:
                break
            contact = folder.contact()
            desk.home.note_begun(offer, block)
            game = desk.home.begin(offer, block, Contact(contact.name, contact.mail, contact.to or mail.sender))
            return desk.seated(game, game.text(), table)
    raise BadLog("it accepts an offer that isn't mine, or that is taken", f"entry 1 by {entry.by}", "")


def _take(desk: Desk, mail: Mail, block: Block, entry: Entry) -> Place:
    """Take an entry of a game that is here."""
    folder = desk.home.game(entry.game or "")
    if folder is None:
        games = ", ".join(f.id for f in desk.home.games()) or "none"
        raise _Early(f"it is a turn of another game, {(entry.game or '')[:16]}", "", f"the games here are: {games}")
    place = desk.place(folder)
    block = rightly_signed(mail, block, *_keys(place, entry))
    _look_at_handover(desk, place, block, entry)
    if entry.seq <= place.table.seq:
        _contradiction(desk, place, block, entry)
    if entry.seq > place.table.seq + 1:
        _note_own(desk, place, block, entry)
        raise _Early(
            f"entry {entry.seq} comes too early", f"game {folder.id}", f"entry {place.table.seq + 1} is due first"
        )
    signed = folder.signed()
    mine = parse_entry(signed.payload) if signed is not None else None
    if mine is not None and mine.seq == entry.seq + 1 and mine.prev != dice.entry_hash(block.payload).hex():
        what = f"I have answered another entry {entry.seq}, with my entry {mine.seq}"
        raise BadLog(what, f"game {folder.id}", "open the mail again that I have answered")
    desk.forget_place()
    place.table = desk.carried(place, block)
    place.text = folder.append(place.text, block)
    if place.table.player(place.me).key == desk.signer.pub_blob:
        desk.peek(place)
    else:
        place.me = ""  # somebody else plays my side on
    folder.keep(place.table, place.text)
    return place


def _note_own(desk: Desk, place: Place, block: Block, entry: Entry) -> None:
    """Keep an entry of mine that the log here lacks as signed: no other one with its number is signed here any more.

    Raises _Early for one of mine.
    """
    if entry.by != place.me:
        return
    verify(block.payload, block.armor, desk.signer.pub_blob)
    place.folder.note_signed(block)
    what = f"this is my own entry {entry.seq}, but the log here ends with entry {place.table.seq}"
    hint = "restore the log from my opponent's, or from the mails, before anything else"
    raise _Early(what, f"game {place.folder.id}", hint)


def _look_at_handover(desk: Desk, place: Place, block: Block, entry: Entry) -> None:
    """Refuse what isn't to be taken by itself: a request for a new key, and the word that I have lost mine."""
    if entry.kind == "recover" and pub_blob_from(block.armor) != place.table.player(entry.by).recovery:
        player = read_request(place.table, block)[1].player
        what = f"{asker(player)} asks for a new key, {fingerprint(player.key)}"
        hint = "compare it by voice; then `pbem accept-rekey` grants it, `pbem substitute` gives my own side away"
        raise Refused(what, f"game {place.folder.id}", hint)
    here = (entry.seq, entry.prev) == (place.table.seq + 1, place.table.head.hex())
    if here and entry.kind == "accept-rekey" and entry.by != place.me and not place.table.genesis.terms.solo:
        verify(block.payload, block.armor, place.table.player(entry.by).key)
        kept = desk.home.keep_evidence(block)
        what = f"{entry.by} says that I have lost my key, and names another; it isn't taken, for here is mine"
        raise Refused(what, f"game {place.folder.id}", kept.told)


def _contradiction(desk: Desk, place: Place, block: Block, entry: Entry) -> None:
    """Keep a second, different entry for a number as evidence, if it is really signed; always raises."""
    logged = _history(place)
    first = logged[entry.seq]
    if first.entry.by != entry.by:
        hint = f"not by {entry.by}; `pbem diff` tells where two logs part, and which goes on the players must settle"
        raise BadLog(f"entry {entry.seq} is by {first.entry.by}", f"game {place.folder.id}", hint)
    verdict = judge(first, Turn("the mail", block, entry), keys_of(logged))
    if not verdict.proof:
        raise BadSignature(verdict.why, f"game {place.folder.id}")
    raise BadLog(
        f"entry {entry.seq} is in the log already, with other words; the first one stays",
        f"game {place.folder.id}",
        desk.home.keep_evidence(block).told,
    )


def _history(place: Place) -> list[Turn]:
    """The turns of the log, read once."""
    if not place.history:
        place.history = turns_of(place.folder.blocks(), "the log")
    return place.history


def _keys(place: Place, entry: Entry) -> list[bytes]:
    """The keys that an author may have signed an entry with: for an older number those of then come first."""
    player = place.table.player(entry.by)
    then = keys_of(_history(place)) if entry.seq <= place.table.seq else {}
    older = [known.key for known in then.get((entry.game or "", entry.by), []) if known.since <= entry.seq]
    return [*reversed(older), player.key, player.recovery]
