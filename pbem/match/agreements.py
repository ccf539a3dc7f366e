"""What players settle between moves: resign, draw, undo, claim, and new keys (protocol 3.3, 4.1, 4.3, 4.4).

These entries stand in the log like all others: the player who is due makes them, with the reveal that is due; a claim
is made by the one who waits, an accept-rekey by the opponent of who lost his key. They hold no orders and start no
seed. A proposal (`draw`, `undo` or `substitute`) waits for the other player's answer of the same kind. New keys:

    rekey           by its owner, signed with the old key
    recover         by who lost his key, signed with his recovery key; signed with the new key itself it is a request,
                    which is no part of a log: an accept-rekey or a substitute may grant it
    accept-rekey    by the opponent: the other player signs with this key from now on. It is his word
    substitute      by who gives his side to somebody else; the other player accepts or refuses

The entry's anchor is that of the new key's chain. `as NAME` says who plays on.
"""

from __future__ import annotations

from typing import Any

from pbem.crypto import sshsig
from pbem.crypto.dice import Anchor, Revealed
from pbem.crypto.sshsig import KEY_NAMESPACE
from pbem.errors import BadLog, BadSignature
from pbem.match.limits import AGREEMENTS_MAX, why_too_large
from pbem.match.table import Due, Proposal, Seat, Table, proposal_words, take_back_words
from pbem.rules.requests import Outcome
from pbem.wire.bodies import PROPOSALS, Agreed, Named, Player, named_body, read_body
from pbem.wire.entry import Entry
from pbem.wire.turn import Turn

__all__ = [
    "Forgotten", "asked_key", "asker", "begin_chain", "check_proof", "proof_message", "read_request", "settle",
    "signing_key", "why_not_due",
]  # fmt: skip

READ_AGAIN = "read the log from its beginning"


class Forgotten(BadLog):
    """An entry is to be taken back whose state this table doesn't hold: the log must be read from its beginning."""


# --- whether one may be made now ---------------------------------------------------------------------------------


def why_not_due(table: Table, entry: Entry, agreed: Agreed, due: Due) -> str:
    """Why this player can't make this agreement now, `due` being what was due before his reveal; "" when he can."""
    if due.what in ("nothing", "begin") or table.seq == 1:  # 4.2: nothing but entry 2 follows the accept
        return str(due)
    if why := _why_not_his(table, entry, due):
        return why
    proposal, answering = table.proposal, agreed.word in ("accept", "refuse")
    if answering and (proposal is None or proposal.kind != entry.kind or proposal.by == entry.by):
        return f"no {entry.kind} waits for an answer of {entry.by}"
    if proposal is not None and not answering and entry.kind not in ("recover", "accept-rekey", "claim"):
        return f"an answer to the {proposal.kind} is due, accept or refuse"
    if agreed.word == "offer" and (entry.kind, entry.by) in table.refused:
        return f"it was refused; {entry.by} can't propose it again before his next decision"
    counted = not answering and entry.kind not in ("resign", "claim")
    if counted and table.agreed[entry.by] >= AGREEMENTS_MAX:
        return f"{entry.by} has made {AGREEMENTS_MAX} such entries since anybody's last turn; no more can follow"
    return ""


def _why_not_his(table: Table, entry: Entry, due: Due) -> str:
    """Why it is not for this player to make it; "" when it is."""
    if entry.kind == "accept-rekey":
        return ""
    if entry.kind != "claim":
        return "" if due.player == entry.by else str(due)
    if not table.genesis.terms.deadline:
        return "the terms of this game have no deadline"
    return "" if due.player == table.genesis.other(entry.by).name else str(due)


# --- what it does ------------------------------------------------------------------------------------------------


def settle(table: Table, entry: Entry, agreed: Agreed, where: str) -> dict[str, Any]:
    """Carry out an agreement that is due, on a table that has taken its header; what to tell of it.

    Raises BadLog when it doesn't fit, Forgotten when an undo needs a state that the table doesn't hold.
    """
    if entry.kind in PROPOSALS:
        text = _settle_proposal(table, entry, agreed, where)
    elif agreed.named is not None:
        text = _settle_key(table, entry, agreed.named, where)
    elif entry.kind == "resign":
        winner = table.genesis.other(entry.by)
        table.settled = Outcome(winner.side, "", f"{entry.by} has resigned")
        text = "resigns"
    else:
        days = f"{table.genesis.terms.deadline} day{'s' * (table.genesis.terms.deadline > 1)}"
        silent = table.genesis.other(entry.by).name
        table.settled = Outcome(table.genesis.player(entry.by).side, "", f"{silent} has not answered for {days}")
        text = f"claims the game: nothing has come from {silent} for {days}"
    if agreed.word not in ("accept", "refuse"):
        table.agreed[entry.by] += 1
    return {"player": entry.by, "kind": entry.kind, "text": text}


def _settle_proposal(table: Table, entry: Entry, agreed: Agreed, where: str) -> str:
    if agreed.word == "offer":
        if entry.kind == "undo" and agreed.target not in table.decisions:
            known = ", ".join(map(str, table.decisions[-8:])) or "none"
            raise BadLog(f"entry {agreed.target} can't be taken back", where, f"decisions that can be: {known}")
        named = agreed.named
        seat = check_named(table, entry, table.player(entry.by), named, where) if named is not None else None
        table.proposal = Proposal(entry.kind, entry.by, agreed.target, seat)
        return proposal_words(table).removeprefix(f"{entry.by} ")
    proposal = table.proposal
    assert proposal is not None  # noqa: S101 otherwise the answer wasn't due
    table.proposal = None
    if agreed.word == "refuse":
        table.refused.add((entry.kind, proposal.by))
        return f"refuses the {entry.kind}"
    if entry.kind == "draw":
        table.settled = Outcome(None, "", "the players have agreed on a draw")
        return "accepts the draw"
    if proposal.seat is not None:
        _check_still_new(table, proposal.seat.player, where)
        _renew(table, proposal.seat)
        person = proposal.seat.player.person
        return f"agrees: {person + ' plays on for ' + proposal.by if person else proposal.by + ' has a new key'}"
    _take_back(table, proposal.target)
    return f"agrees {take_back_words(proposal.target)}"


def _check_still_new(table: Table, player: Player, where: str) -> None:
    """A substitute's keys may have come into force for somebody else while he waited. Raises BadLog."""
    kept = {b"", table.player(player.name).recovery}
    if ({player.key, player.recovery} - kept) & table.used:
        raise BadLog("a key of the substitute came into use meanwhile", where, "he can only be refused")


def _settle_key(table: Table, entry: Entry, named: Named, where: str) -> str:
    """A new key: named by its owner; or for one who lost his, by his recovery key or the word of his opponent."""
    name = table.genesis.other(entry.by).name if entry.kind == "accept-rekey" else entry.by
    old = table.player(name)
    seat = check_named(table, entry, old, named, where)
    lost = table.reveal_due == name  # who makes a rekey or a recover with its reveal has made it by now
    _renew(table, seat)
    if lost:
        _lose_secret(table, name)
    person = seat.player.person
    texts = {
        "rekey": "signs with a new key from now on, and has a new chain of dice",
        "recover": "has a new key, named by the recovery key",
        "accept-rekey": f"accepts a new key of {name}",
    }
    if person != old.person:
        texts["accept-rekey"] = f"accepts a new key of {person} for {name}"
    if not lost:
        return texts[entry.kind]
    worst = f": until the next decision all dice fall as is worst for {name}, who is asked nothing"
    cost = "" if table.settled else worst
    return f"{texts[entry.kind]}; the secret that was due is lost{cost}"


def _take_back(table: Table, number: int) -> None:
    """Go back to the course before an entry; chains and the numbers of fights go on, as both have been told of those.

    Raises Forgotten when it isn't remembered.
    """
    before = table.remembered.get(number)
    if before is None:
        raise Forgotten(f"the state before entry {number} isn't held", "", READ_AGAIN)
    steps = [step for step in table.steps if step["seq"] < number]
    table.undone += [step | {"undone": table.seq} for step in table.steps if step["seq"] >= number]
    (course, last_by), fights = before, table.course.fights
    table.course, table.last_by, table.played = course.fork(), dict(last_by), dict(last_by)
    table.course.fights = fights
    table.course.bind(None)
    table.course.steps = steps
    table.known = {name: min(known, table.course.noted) for name, known in table.known.items()}
    table.decisions = [decision for decision in table.decisions if decision < number]
    table.reveal_due, table.public_state = None, None


def _lose_secret(table: Table, name: str) -> None:
    """A player can't open the secret that is due: the term `lost-secret` says what that costs (protocol 4.4)."""
    table.reveal_due = None
    if table.genesis.terms.lost_secret == "forfeit":  # noqa: S105 a term of the game
        table.settled = Outcome(table.genesis.other(name).side, "", f"{name} has lost the secret of the dice")
    else:
        table.course.adverse = table.genesis.player(name).side


def _renew(table: Table, seat: Seat) -> None:
    """A player's new key and chain, from now on."""
    name = seat.player.name
    table.players[name] = seat.player
    table.used |= {key for key in (seat.player.key, seat.player.recovery) if key}
    begin_chain(table, name, seat.anchor)


def begin_chain(table: Table, name: str, anchor: Anchor) -> None:
    """A player's new chain is in force, with no value revealed."""
    table.anchors[name] = anchor
    table.chains[name] = Revealed.begun(table.player(name).key, anchor)


# --- new keys ----------------------------------------------------------------------------------------------------


def proof_message(game: str, seq: int, prev: str, player: str, anchor: Anchor, named: Named) -> bytes:
    """What a new key signs: that it will be this player's key, at this place of this game, with this chain (3.3)."""
    body = [str(statement) for statement in named_body(named._replace(proof=bytes(64))) if statement.keyword != "proof"]
    header = ["pbem key 1", f"game {game};", f"seq {seq};", f"prev {prev};", f"player {player};", f"anchor {anchor};"]
    return "".join(f"{line}\n" for line in [*header, *body]).encode("ascii")


def check_named(table: Table, entry: Entry, player: Player, named: Named, where: str) -> Seat:
    """The player with the key that an entry names for him, if it may become his. Raises BadLog."""
    if table.genesis.terms.solo:
        raise BadLog(f"a `{entry.kind}` stands in a solo game", where, "there one key plays both sides")
    if {named.key, named.recovery} & table.used or named.key == named.recovery:
        raise BadLog("it names a key that was in use in this game before", where, "a new key it must be")
    anchor = check_proof(entry, player.name, named, where)
    kept = b"" if named.person else player.recovery
    renewed = player._replace(key=named.key, recovery=named.recovery or kept, person=named.person or player.person)
    return Seat(renewed, anchor)


def check_proof(entry: Entry, player: str, named: Named, where: str) -> Anchor:
    """The anchor of a new key's chain, if its owner has agreed to all that the entry says of it. Raises BadLog."""
    if entry.anchor is None:
        raise BadLog("its anchor is missing", where, "a new key comes with a new chain of dice")
    message = proof_message(entry.game or "", entry.seq, entry.prev or "", player, entry.anchor, named)
    try:
        sshsig.verify_sig64(message, named.proof, named.key, KEY_NAMESPACE)
    except BadSignature as error:
        what = "the proof isn't one of the new key's owner for this player, place and chain"
        raise BadLog(what, where, error.what) from error
    return entry.anchor


def signing_key(table: Table, entry: Entry) -> bytes:
    """The key that must have signed an entry: the player's, of a `recover` his recovery key.

    Raises BadSignature for a recover of a player who has none.
    """
    player = table.player(entry.by)
    if entry.kind != "recover":
        return player.key
    if not player.recovery:
        raise BadSignature(
            f"{entry.by} has no recovery key in this game", hint="the other player can `accept-rekey` his new key"
        )
    return player.recovery


def asked_key(entry: Entry) -> list[bytes]:
    """The key that a recover names, which signs a request for it; none where that can't be read."""
    try:
        named = read_body(entry, request=True).named
    except BadLog:
        return []
    return [named.key] if named else []


def read_request(table: Table, turn: Turn) -> Seat:
    """Who asks for a key by a recover that the new key itself signed. Raises BadLog or BadSignature when it is none.

    It can be granted only with the very next entry of the table, for which its proof was made.
    """
    entry = turn.entry
    if entry.kind != "recover":
        raise BadLog(f"a `{entry.kind}` asks for no new key", hint="`pbem recover` writes such a request")
    if entry.game != table.genesis.game.hex():
        raise BadLog(f"it is a request in another game, {entry.game}", hint=f"this is {table.genesis.game.hex()}")
    if large := why_too_large(entry.body, agreement=True):
        raise BadLog(large, "the request")
    named = read_body(entry, request=True).named
    assert named is not None  # noqa: S101 read_body gives one for this kind
    sshsig.verify(turn.payload, turn.block.armor, named.key)
    if (entry.seq, entry.prev) != (table.seq + 1, table.head.hex()):
        what = f"the request was made for entry {entry.seq}, and entry {table.seq + 1} of another log is due here"
        if entry.seq != table.seq + 1:
            what = f"the request was made for entry {entry.seq}, but {table.seq + 1} is due now"
        raise BadLog(what, "", "send him the log of now, and let him ask again with `pbem recover`")
    return check_named(table, entry, table.player(entry.by), named, "the request")


def asker(player: Player) -> str:
    """Who asks for a key, in words."""
    return f"{player.person}, who would play on for {player.name}," if player.person else player.name
