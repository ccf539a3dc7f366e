"""What becomes of letters: of each the one new turn is taken into its game, or refused with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.crypto.openssh import fingerprint
from pbem.crypto.sshsig import pub_blob_from, verify
from pbem.desk.desk import Desk, Offered, Place
from pbem.desk.letter import Letter, bare
from pbem.errors import BadLog, BadSignature, PbemError, Refused, Storage
from pbem.home.contact import Contact
from pbem.home.folders import Folder
from pbem.match.agreements import asked_key, asker, read_request
from pbem.match.genesis import check_offer, verify_offer
from pbem.match.replay import at_entry, seat
from pbem.records import NamedTuple
from pbem.wire.bodies import read_terms
from pbem.wire.entry import Entry
from pbem.wire.notes import Note
from pbem.wire.turn import Turn, read_turns

if TYPE_CHECKING:
    from pbem.audit.evidence import Exhibit

__all__ = ["Receipt", "keep_note", "open_all", "read_offer", "take_in"]


class Receipt(NamedTuple):
    """What became of one letter: `what` is known, begun, taken or offered; the place is where it went.

    An offer that isn't mine goes nowhere: it is verified, and here to be looked at. `note` is what stands beside the
    turn.
    """

    source: str
    what: str
    entry: Entry
    went: Place | None
    offer: Offered | None = None
    note: str = ""

    @property
    def place(self) -> Place:
        """The game that the letter belongs to. Raises Refused for an offer, which has none yet."""
        if self.went is None:
            raise Refused(f"the offer by {self.entry.by} has no game yet", self.source, "`pbem accept` begins it")
        return self.went


class _Early(BadLog):
    """An entry whose predecessor, or whose game, isn't here yet."""


def open_all(desk: Desk, letters: Iterable[Letter]) -> tuple[list[Receipt], list[PbemError]]:
    """Take what is in the letters, in whatever order they came; the receipts, and an error for each refused one."""
    receipts: list[Receipt] = []
    refused: list[PbemError] = []
    waiting = list(letters)
    while waiting:
        early: list[tuple[Letter, PbemError]] = []
        for letter in waiting:
            try:
                receipts.append(take_in(desk, letter))
            except _Early as error:
                early.append((letter, bare(error)))
            except PbemError as error:
                refused.append(bare(error))
        if len(early) == len(waiting):
            refused += [error for _, error in early]
            break
        waiting = _in_turn([letter for letter, _ in early])
    return receipts, refused


def _in_turn(letters: list[Letter]) -> list[Letter]:
    """Letters with turns in them, those of a game in the order of its entries, where the first of them stands.

    Only after a first look at all: an own answer that came early bars another entry than the one it answers.
    """
    first: dict[str, int] = {}
    keys: list[tuple[int, int]] = []
    for at, letter in enumerate(letters):
        newest = max((turn.entry for turn in letter.copies), key=lambda entry: entry.seq)
        keys.append((first.setdefault(newest.game or "", at), newest.seq))
    return [letters[at] for at in sorted(range(len(letters)), key=keys.__getitem__)]


def take_in(desk: Desk, letter: Letter) -> Receipt:
    """Take the one new turn of a letter (protocol 2.4 step 8). Raises the PbemError of whatever is wrong."""
    try:
        turns = letter.turns()
        if not turns:
            needed = "a block between BEGIN and END PBEM TURN is needed"
            raise Refused("no turn is in this mail", "", "; ".join(filter(None, [needed, letter.mail.not_read])))
        receipt = _take_new(desk, letter, turns)
        receipt = receipt._replace(note=letter.note_to(receipt.entry))
        if receipt.went is not None:
            keep_note(receipt.went.folder, letter, receipt.entry)
        if receipt.what == "known" and letter.damaged:
            raise letter.damaged[0]  # a new turn, broken, beside a whole one that was quoted
        return receipt
    except PbemError as error:
        error.inside(letter.source)
        raise


def keep_note(folder: Folder, letter: Letter, entry: Entry) -> None:
    """Keep what stands beside a turn; what can't be written, or is too much, is no reason to refuse it."""
    if note := letter.note_to(entry):
        with suppress(Storage, Refused):
            folder.keep_note(Note(entry.by, entry.seq, note))


def _take_new(desk: Desk, letter: Letter, turns: list[Turn]) -> Receipt:
    logs = dict(_logs(desk, turns))
    new = [turn for turn in turns if _known(desk, turn, logs) is None]
    if not new:
        entry = turns[-1].entry
        folder = _known(desk, turns[-1], logs)
        if folder is None or folder.kind == "offers":
            solo = entry.kind == "offer" and read_terms(entry)[1].solo
            hint = "`pbem accept OFFER.eml --name ...` begins the game" if solo else "the opponent accepts it"
            raise Refused("this is my own offer", hint=hint)
        return Receipt(letter.source, "known", entry, desk.place(folder, logs.get(folder.id, "")))
    if len(new) > 1:
        what = f"{len(new)} different new turns are in this mail: {', '.join(_told_apart(new))}"
        raise Refused(what, "", "one mail, one turn; `pbem verify FILE` reads a log")
    turn, entry = new[0], new[0].entry
    if entry.kind == "offer":
        from pbem.report.terms import check_author, check_choices

        offered = read_offer(desk, letter)
        check_choices(offered.scenario, offered.terms, offered.player.side)
        if offered.terms.solo:
            check_author(offered.player, offered.terms, desk.signer.pub_blob)
        return Receipt(letter.source, "offered", entry, None, offered)
    if entry.kind == "accept":
        turn = letter.rightly_signed(turn, [read_terms(entry)[0].key])
        return Receipt(letter.source, "begun", entry, _begin(desk, letter, turn))
    return Receipt(letter.source, "taken", entry, _take(desk, letter, turn, logs))


def _told_apart(turns: Sequence[Turn]) -> list[str]:
    """What turns are called, with their games where these differ; where all that is alike, with the first words that
    one has and another hasn't, if there are such."""
    games = {turn.entry.game for turn in turns}
    names = [
        f"{entry.kind} {entry.seq} by {entry.by}" + (f" in game {(entry.game or '')[:16]}" if len(games) > 1 else "")
        for entry in (turn.entry for turn in turns)
    ]
    if len({*names}) == len(names):
        return names
    if len({turn.entry.body for turn in turns}) == 1:
        return [f"{names[0]}, each time with the same words"]
    alike = set.intersection(*({*turn.entry.body} for turn in turns))
    own = (next((f"with `{said!s:.40}`" for said in turn.entry.body if said not in alike), "") for turn in turns)
    return [f"{name} {said or 'with nothing more'}" for name, said in zip(names, own, strict=True)]


def read_offer(desk: Desk, letter: Letter) -> Offered:
    """The one offer in a letter, verified and playable here."""
    offers = [turn for turn in letter.turns() if turn.entry.kind == "offer"]
    if len(offers) != 1:
        what = f"{len(offers)} different offers are" if offers else "no offer is"
        hint = "; ".join(filter(None, ["exactly one is needed", letter.mail.not_read]))
        raise Refused(f"{what} in this mail", letter.source, hint)
    offer = letter.rightly_signed(offers[0], [read_terms(offers[0].entry)[0].key])
    player, terms = verify_offer(offer)
    return Offered(offer, player, terms, check_offer(terms, desk.home.load))


def _logs(desk: Desk, turns: list[Turn]) -> Iterator[tuple[str, str]]:
    """The logs of the games that turns belong to, by their folders' ids, each read once.

    What an interrupted `send` left is finished, so that my own entry is known when a mail quotes it.
    """
    for game in dict.fromkeys(turn.entry.game for turn in turns if turn.entry.game is not None):
        folder = desk.home.game(game)
        if folder is not None:
            text = folder.text()
            yield folder.id, desk.place(folder, text).text if folder.signed_beyond(text) else text


def _known(desk: Desk, turn: Turn, logs: Mapping[str, str]) -> Folder | None:
    """The folder whose log holds this turn already; `logs` are those of the games that turns name."""
    if turn.entry.kind == "offer":
        folders = [*desk.home.games(), *desk.home.offers()]
        return next((folder for folder in folders if folder.begins_with(turn)), None)
    folder = desk.home.game(turn.entry.game or turn.hash.hex())
    if folder is None:
        return None
    return folder if turn.text.split("-----BEGIN SSH", 1)[0] in (logs.get(folder.id) or folder.text()) else None


def _begin(desk: Desk, letter: Letter, accept: Turn) -> Place:
    """Begin a game that somebody accepted."""
    for folder in desk.home.offers():
        offer = folder.first()
        if offer is not None and offer.hash.hex() == accept.entry.prev:
            desk.check_new(offer)
            if (other := desk.home.game(accept.hash.hex())) is not None:  # two accepts that begin so take 2^32 tries
                what = f"the id of the game that it begins has the first digits of another one here, {other.id}"
                raise BadLog(what, f"entry 1 by {accept.entry.by}", "he may accept once more")
            at_entry(verify_offer, 0, offer)
            table = at_entry(seat, 1, offer, accept, desk.home.load)
            contact = folder.contact()
            desk.home.note_begun(offer, accept)
            to = contact.to or letter.mail.sender
            contact = Contact(contact.name, contact.mail, to, letter.mail.message_id)
            game = desk.home.begin(offer, accept, contact)
            return desk.seated(game, offer.text + accept.text, table)
    raise BadLog("it accepts an offer that isn't mine, is taken, or was withdrawn", f"entry 1 by {accept.entry.by}", "")


def _take(desk: Desk, letter: Letter, turn: Turn, logs: Mapping[str, str]) -> Place:
    """Take an entry of a game that is here."""
    entry = turn.entry
    folder = desk.home.game(entry.game or "")
    if folder is None:
        games = ", ".join(f.id for f in desk.home.games()) or "none"
        raise _Early(f"it is a turn of another game, {(entry.game or '')[:16]}", "", f"the games here are: {games}")
    place = desk.place(folder, logs[folder.id])
    turn = letter.rightly_signed(turn, _keys(place, entry))
    _look_at_handover(desk, place, turn)
    if entry.seq <= place.table.seq:
        _contradiction(desk, place, turn)
    if entry.seq > place.table.seq + 1:
        _note_own(desk, place, turn)
        raise _Early(
            f"entry {entry.seq} comes too early", f"game {folder.id}", f"entry {place.table.seq + 1} is due first"
        )
    signed = place.signed
    if signed is not None and signed.entry.seq == entry.seq + 1 and signed.entry.prev != turn.hash.hex():
        what = f"I have answered another entry {entry.seq}, with my entry {signed.entry.seq}"
        raise BadLog(what, f"game {folder.id}", "open the mail again that I have answered")
    desk.forget_place()
    ahead = desk.carried(place, turn)
    if entry.by == place.me and not ahead.genesis.terms.solo:
        folder.note_restored()  # my own entry was lost here: others may be, too, and what they revealed is known
    place.table = ahead
    place.text = folder.append(place.text, turn)
    folder.note_answered(letter.mail.message_id)
    if place.table.player(place.me).key == desk.signer.pub_blob:
        desk.peek(place)
    else:
        place.me = ""  # somebody else plays my side on
    folder.keep(place.table, place.text)
    return place


def _note_own(desk: Desk, place: Place, turn: Turn) -> None:
    """Keep an entry of mine that the log here lacks as signed: no other one with its number is signed here any more.

    Raises _Early for one of mine.
    """
    if turn.entry.by != place.me:
        return
    verify(turn.payload, turn.block.armor, desk.signer.pub_blob)
    place.folder.note_signed(turn)
    desk.forget_place()  # it doesn't know what is noted now
    what = f"this is my own entry {turn.entry.seq}, but the log here ends with entry {place.table.seq}"
    hint = "restore the log from my opponent's, or from the mails, before anything else"
    raise _Early(what, f"game {place.folder.id}", hint)


def _look_at_handover(desk: Desk, place: Place, turn: Turn) -> None:
    """Refuse what isn't to be taken by itself: a request for a new key, and the word that I have lost mine."""
    entry = turn.entry
    if entry.kind == "recover" and pub_blob_from(turn.block.armor) != place.table.player(entry.by).recovery:
        player = read_request(place.table, turn).player
        what = f"{asker(player)} asks for a new key, {fingerprint(player.key)}"
        hint = "compare it by voice; then `pbem accept-rekey` grants it, `pbem substitute` gives my own side away"
        raise Refused(what, f"game {place.folder.id}", hint)
    here = (entry.seq, entry.prev) == (place.table.seq + 1, place.table.head.hex())
    if here and entry.kind == "accept-rekey" and entry.by != place.me and not place.table.genesis.terms.solo:
        from pbem.home.proofs import keep_evidence

        verify(turn.payload, turn.block.armor, place.table.player(entry.by).key)
        kept = keep_evidence(desk.home, turn)
        what = f"{entry.by} says that I have lost my key, and names another; it isn't taken, for here is mine"
        raise Refused(what, f"game {place.folder.id}", kept.told)


def _contradiction(desk: Desk, place: Place, turn: Turn) -> None:
    """Keep a second, different entry for a number as evidence, if it is really signed; always raises."""
    from pbem.audit.evidence import Exhibit, judge, keys_of  # imported where used: few mails contradict the log
    from pbem.home.proofs import keep_evidence

    entry, logged = turn.entry, _history(place)
    first = logged[entry.seq]
    if first.entry.by != entry.by:
        hint = f"not by {entry.by}; `pbem diff` tells where two logs part, and which goes on the players must settle"
        raise BadLog(f"entry {entry.seq} is by {first.entry.by}", f"game {place.folder.id}", hint)
    verdict = judge(first, Exhibit("the mail", turn), keys_of(logged))
    if not verdict.proof:
        raise BadSignature(verdict.why, f"game {place.folder.id}")
    kept = keep_evidence(desk.home, turn).told
    what, hint = f"entry {entry.seq} is in the log already, with other words; the first one stays", kept
    if entry.by == place.me:
        what = f"my key has signed another entry {entry.seq} than is in the log here"
        hint = f"a copy of this home, or an older state of it, plays on too, or somebody has my key; {kept}"
    raise BadLog(what, f"game {place.folder.id}", hint)


def _history(place: Place) -> list[Exhibit]:
    """The turns of the log, read once."""
    from pbem.audit.evidence import Exhibit

    if not place.history:
        place.history = [Exhibit("the log", turn) for turn in read_turns(place.text)]
    return place.history


def _keys(place: Place, entry: Entry) -> list[bytes]:
    """The keys that an author may have signed an entry with: for an older number those of then come first.

    A recover is signed with the recovery key or, as a request, with the key that it names.
    """
    player = place.table.player(entry.by)
    own = [player.key]
    if entry.seq <= place.table.seq:
        from pbem.audit.evidence import keys_of

        then = keys_of(_history(place)).get((entry.game or "", entry.by), [])
        own = [*reversed([known.key for known in then if known.since <= entry.seq]), player.key]
    return [player.recovery, *asked_key(entry), *own] if entry.kind == "recover" else [*own, player.recovery]
