"""What players do when a key is lost or a side changes hands: ask for it, take it with the recovery key, grant it."""

from __future__ import annotations

from pbem.crypto.keys import Signer
from pbem.crypto.openssh import fingerprint
from pbem.desk.desk import Desk, Place
from pbem.errors import Refused
from pbem.match.compose import Secrets, proven, sign_recover
from pbem.match.table import Table
from pbem.match.take import take
from pbem.wire.bodies import Named, named_body, proposal_body
from pbem.wire.entry import Entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

__all__ = ["answer", "ask", "grant", "propose", "recovered", "rekey"]


def ask(
    table: Table, name: str, signer: Signer, gnonce: bytes, *, person: str = "", recovery: Signer | None = None
) -> Turn:
    """A recover for the player `name`, who signs with `signer` from now on.

    It is signed with the recovery key, and is then an entry of the log; without one it is a request, signed with the
    new key, for the opponent to grant with the very next entry. `gnonce` are 16 random bytes for the new chain;
    `person` is who plays on, if somebody else does. Raises Refused.
    """
    player = table.player(name)
    if recovery is not None and recovery.pub_blob != player.recovery:
        named = f"it is {fingerprint(player.recovery)}" if player.recovery else "there is none"
        raise Refused(f"this isn't the recovery key that {name} named in this game", "", named)
    if signer.pub_blob in table.used:
        raise Refused("this key was in use in this game before", "", "name a new one with --key")
    if recovery is not None and person not in ("", player.person):
        raise Refused("another person can't take a side with a recovery key", "", "leave --recovery-key out: ask")
    new = Secrets(signer, gnonce, table.head)
    another = person if recovery is None and person != player.person else ""
    named_key = Named(signer.pub_blob, person=another)
    body = named_body(proven(signer, table, name, new.anchor, named_key))
    return sign_recover(table, name, recovery or signer, new, body)


def recovered(table: Table, text: str, turn: Turn) -> tuple[str, Table]:
    """The log and table behind a recover that the recovery key signed."""
    ahead = table.fork()
    take(ahead, turn)
    ahead.course.steps = [*table.steps, *ahead.steps]
    return text + turn.text, ahead


def rekey(desk: Desk, place: Place, signer: Signer, gnonce: bytes) -> Turn:
    """Sign with another key from now on. Raises Refused for one that was in use in this game."""
    if signer.pub_blob in place.table.used:
        raise Refused("this key was in use in this game before", "", "a new one it must be")
    new = Secrets(signer, gnonce, place.table.head)
    named = proven(signer, place.table, place.me, new.anchor, Named(signer.pub_blob))
    return desk.agree(place, "rekey", named_body(named), new.anchor)


def grant(desk: Desk, place: Place, request: Entry) -> Turn:
    """Accept the new key of my opponent. Raises Refused when it is my own side that somebody asks for."""
    if request.by == place.me:
        raise Refused("it asks for my own side", "", "`pbem substitute` gives it away, while I have my key")
    return desk.agree(place, "accept-rekey", _asked(request), request.anchor)


def propose(desk: Desk, place: Place, request: Entry) -> Turn:
    """Propose that somebody else plays my side on. Raises Refused when he asks for the other one."""
    if request.by != place.me:
        raise Refused(f"it asks for the side of {request.by}", "", "`pbem accept-rekey` grants it")
    offer = proposal_body("substitute", "offer")
    return desk.agree(place, "substitute", (*offer, *_asked(request)), request.anchor)


def _asked(request: Entry) -> tuple[Statement, ...]:
    """What a request asks for, word for word; what its author says beside it is left out."""
    return tuple(statement for statement in request.body if statement.keyword != "say")


def answer(desk: Desk, place: Place, word: str) -> Turn:
    """Accept or refuse a substitute of my opponent."""
    return desk.agree(place, "substitute", proposal_body("substitute", word))
