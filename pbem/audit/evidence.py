"""Evidence: what two whole turns prove about who signed them (protocol 4.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from pbem.audit.diff import Contrast, contrast
from pbem.crypto import sshsig
from pbem.errors import BadSignature, PbemError
from pbem.match.agreements import check_proof
from pbem.match.genesis import begin, verify_offer
from pbem.records import NamedTuple
from pbem.wire.blocks import Block
from pbem.wire.bodies import NAMING, read_body
from pbem.wire.entry import Entry
from pbem.wire.turn import Turn

__all__ = ["Exhibit", "Keys", "Verdict", "exhibits", "judge", "keys_of", "proofs"]


_SIGNERS = 10  # of one turn, where no log tells whose key is whose


class Exhibit(NamedTuple):
    """A whole turn, and what the file is called that it stands in."""

    source: str
    turn: Turn

    @property
    def block(self) -> Block:
        """What was signed, and the signature."""
        return self.turn.block

    @property
    def entry(self) -> Entry:
        """What it says."""
        return self.turn.entry

    @property
    def words(self) -> str:
        """`entry 5 (orders by ben) in a.eml`."""
        return f"entry {self.entry.seq} ({self.entry.kind} by {self.entry.by}) in {self.source}"


class Known(NamedTuple):
    """A player's key that signs his entries from number `since` on, and what tells it: `the offer in game.log`."""

    since: int
    key: bytes
    told: str
    recovery: bytes = b""


Keys = Mapping[tuple[str, str], list[Known]]
"""(game, player) -> his keys, the newest last."""


class Verdict(NamedTuple):
    """What two turns prove. `why` is a sentence; `key` is the one that signed both, `told` what says whose it is."""

    proof: bool
    why: str
    first: Exhibit
    second: Exhibit
    key: bytes | None = None
    told: str = ""
    contrast: Contrast | None = None


def exhibits(blocks: Iterable[Block], source: str) -> list[Exhibit]:
    """The turns of a source. Raises Damaged for one that can't be read."""
    found = []
    for block in blocks:
        try:
            found.append(Exhibit(source, Turn.of(block)))
        except PbemError as error:
            error.inside(source)
            raise
    return found


# --- whose key it is ---------------------------------------------------------------------------------------------


def keys_of(turns: Iterable[Exhibit]) -> Keys:
    """The players' keys that turns tell: an accept is bound to the game's id by its hash, its offer to the accept.

    A new key counts when it was named by who may name it, with its owner's proof (protocol 3.3). What isn't rightly
    signed tells nothing.
    """
    known: dict[tuple[str, str], list[Known]] = {}
    turns = sorted(turns, key=lambda turn: turn.entry.seq)
    offers: dict[str, list[Exhibit]] = {}
    for turn in turns:
        if turn.entry.kind == "offer":
            offers.setdefault(turn.turn.hash.hex(), []).append(turn)
    proposed: dict[str, Exhibit] = {}
    for turn in turns:
        if turn.entry.kind == "accept":
            for offer in offers.get(turn.entry.prev or "", [])[:_SIGNERS]:
                _seat(known, offer, turn)
        elif turn.entry.kind in NAMING:
            _rekey(known, turn, proposed)
    return known


def _seat(known: dict[tuple[str, str], list[Known]], offer: Exhibit, accept: Exhibit) -> None:
    game = accept.turn.hash
    try:
        players = begin(offer.entry, accept.entry, game).players
        verify_offer(offer.turn)
        sshsig.verify(accept.block.payload, accept.block.armor, players[1].key)
    except PbemError:
        return
    for player, turn in zip(players, (offer, accept), strict=True):
        told = f"the {turn.entry.kind} in {turn.source}"
        known[game.hex(), player.name] = [Known(0, player.key, told, player.recovery)]


def _rekey(known: dict[tuple[str, str], list[Known]], turn: Exhibit, proposed: dict[str, Exhibit]) -> None:
    """A key renewed; `proposed` holds each game's substitute that waits for its answer."""
    entry, game = turn.entry, turn.entry.game or ""
    keys = known.get((game, entry.by), [])
    if not keys or keys[-1].since > entry.seq:
        return
    try:
        signer = keys[-1].recovery if entry.kind == "recover" else keys[-1].key
        sshsig.verify(turn.block.payload, turn.block.armor, signer)
        agreed = read_body(entry)
        naming, name = turn, entry.by
        if entry.kind == "substitute":
            waiting = proposed.pop(game, None)
            if agreed.word == "offer":
                proposed[game] = turn
                return
            if agreed.word == "refuse" or waiting is None:
                return
            naming, name = waiting, waiting.entry.by
        elif entry.kind == "accept-rekey":
            (name,) = [player for (g, player) in known if g == game and player != entry.by]
        named = read_body(naming.entry).named
        if named is None:
            return
        check_proof(naming.entry, name, named, "")
    except PbemError:
        return
    keys = known[game, name]
    recovery = named.recovery or (b"" if named.person else keys[-1].recovery)
    keys.append(Known(entry.seq + 1, named.key, f"the {entry.kind} in {turn.source}", recovery))


def _key_for(keys: Keys, entry: Entry) -> Known | None:
    """The key that must have signed an entry, as far as it is known."""
    found = [known for known in keys.get((entry.game or "", entry.by), []) if known.since <= entry.seq]
    return found[-1] if found else None


# --- what two turns prove ----------------------------------------------------------------------------------------


def judge(first: Exhibit, second: Exhibit, keys: Keys) -> Verdict:
    """What two turns prove; `keys` tells whose key is whose, as far as a log was given."""
    why = _why_no_rivals(first, second)
    if why:
        return Verdict(False, why, first, second)
    known = _key_for(keys, first.entry)
    blobs = []
    for turn in (first, second):
        try:
            blobs.append(known.key if known else sshsig.pub_blob_from(turn.block.armor))
            sshsig.verify(turn.block.payload, turn.block.armor, blobs[-1])
        except BadSignature as error:
            why = f"the signature of {turn.words} isn't good ({error.what}), so anyone could have written it"
            return Verdict(False, why, first, second)
    if blobs[0] != blobs[1]:
        why = (
            f"{first.words} and {second.words} are signed with different keys, so one of the two may be by somebody "
            "else; the game's log tells which key is the player's"
        )
        return Verdict(False, why, first, second)
    if request := next((turn for turn in (first, second) if _is_request(turn, blobs[0])), None):
        why = f"{request.words} is signed by the key that it names: it asks for a key, and is no entry of a log"
        return Verdict(False, why, first, second)
    number = f"entry {first.entry.seq} of game {first.entry.game}"
    why = f"one key signed two different turns for {number}, which nobody may do; both signatures are good"
    if first.entry.prev != second.entry.prev:
        why += "; each answers another log, and where these two logs part stands who began it"
    told = known.told if known else ""
    return Verdict(True, why, first, second, blobs[0], told, contrast(first.block.payload, second.block.payload))


def _is_request(turn: Exhibit, key: bytes) -> bool:
    """Whether it is a recover signed by a key that it names itself (protocol 4.3)."""
    if turn.entry.kind != "recover":
        return False
    with suppress(PbemError):
        named = read_body(turn.entry, request=True).named
        return named is not None and key in (named.key, named.recovery)
    return False


def _why_no_rivals(first: Exhibit, second: Exhibit) -> str:
    """Why two turns don't claim one number; "" when they do."""
    one, two = first.entry, second.entry
    if one.payload == two.payload:
        same = first.block.armor == second.block.armor
        form = "" if same else "; another signature of the same words makes no second turn"
        return f"{first.words} and in {second.source} is the same turn, byte for byte{form}"
    begun = next((turn for turn in (first, second) if turn.entry.game is None), None)
    if begun is not None:
        return f"{begun.words} begins a game; anyone may offer and accept as many games as he likes"
    if one.game != two.game:
        return f"{first.words} is of game {one.game}, {second.words} of game {two.game}"
    if one.seq != two.seq:
        return f"{first.words} and {second.words} have different numbers, and a player signs many turns in a game"
    if one.by != two.by:
        return f"{first.words} and {second.words} name different authors; each signed for himself"
    return ""


def proofs(first: Sequence[Exhibit], second: Sequence[Exhibit], keys: Keys) -> list[Verdict]:
    """Every pair out of two sources with equal game, number and author and different words, judged; proofs first.

    Of the copies of a turn in one source those count whose signature holds.
    """
    rivals: dict[tuple[str | None, int, str], list[Exhibit]] = {}
    for turn in _rightly_signed(second, keys):
        rivals.setdefault((turn.entry.game, turn.entry.seq, turn.entry.by), []).append(turn)
    mine = _rightly_signed(first, keys)
    pairs = [(a, b) for a in mine for b in rivals.get((a.entry.game, a.entry.seq, a.entry.by), [])]
    judged = [judge(a, b, keys) for a, b in pairs if not _why_no_rivals(a, b)]
    return sorted(judged, key=lambda verdict: (not verdict.proof, verdict.first.entry.seq))


def _rightly_signed(turns: Iterable[Exhibit], keys: Keys) -> list[Exhibit]:
    """Each turn once for each key whose signature holds, with the player's key where that is known.

    A turn that nobody signed rightly stands there once; of strangers' keys ten count.
    """
    copies: dict[bytes, list[Exhibit]] = {}
    for turn in turns:
        copies.setdefault(turn.block.payload, []).append(turn)
    return [turn for same in copies.values() for turn in _with_good_signatures(same, _key_for(keys, same[0].entry))]


def _with_good_signatures(same: list[Exhibit], known: Known | None) -> list[Exhibit]:
    good: dict[bytes, Exhibit] = {}
    for turn in same if len(same) > 1 else ():
        with suppress(BadSignature):
            key = known.key if known else sshsig.pub_blob_from(turn.block.armor)
            if key not in good:
                sshsig.verify(turn.block.payload, turn.block.armor, key)
                good[key] = turn
        if len(good) == (1 if known else _SIGNERS):
            break
    return list(good.values()) or same[:1]
