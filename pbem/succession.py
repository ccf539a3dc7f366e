"""What players do when a key is lost or a side changes hands: ask for it, take it with the recovery key, grant it."""

from __future__ import annotations

from pbem.agreements import body_of
from pbem.envelope import Block, parse_entry, render_block
from pbem.errors import Refused
from pbem.genesis import CHAIN_LENGTH, Player
from pbem.handover import handover_body
from pbem.keyfiles import fingerprint
from pbem.keys import Signer
from pbem.play import Desk, Place
from pbem.table import Table
from pbem.turn import Secrets, sign_recover, take_block

__all__ = ["answer", "ask", "grant", "propose", "recovered"]


def ask(
    table: Table, name: str, signer: Signer, gnonce: bytes, *, person: str = "", recovery: Signer | None = None
) -> Block:
    """A recover for the player `name`, who signs with `signer` from now on.

    It is signed with the recovery key, and is then an entry of the log; without one it is a request, signed with the
    new key, for the opponent to grant. `person` is who plays on, if somebody else does. Raises Refused.
    """
    player = table.player(name)
    if recovery is not None and recovery.pub_blob != player.recovery:
        named = f"it is {fingerprint(player.recovery)}" if player.recovery else "there is none"
        raise Refused(f"this isn't the recovery key that {name} named in this game", "", named)
    if signer.pub_blob == player.key:
        raise Refused(f"this is {name}'s key in the game already", "", "name the new one with --key")
    if recovery is not None and person not in ("", player.person):
        raise Refused("another person can't take a side with a recovery key", "", "leave --recovery-key out: ask")
    asking = player._replace(key=signer.pub_blob, gnonce=gnonce, chain=CHAIN_LENGTH, person=person or player.person)
    secrets = Secrets(signer, asking)
    body = handover_body(asking._replace(anchor=secrets.anchor), player)
    return sign_recover(table, name, recovery or signer, secrets.nonce(table.seq + 1), body)


def recovered(table: Table, text: str, block: Block) -> tuple[str, Table]:
    """The log and table behind a recover that the recovery key signed."""
    ahead = table.fork()
    take_block(ahead, block, parse_entry(block.payload))
    return text + render_block(block), ahead


def grant(desk: Desk, place: Place, asked: Player) -> Block:
    """Accept the new key of my opponent. Raises Refused when it is my own side that somebody asks for."""
    if asked.name == place.me:
        raise Refused("it asks for my own side", "", "`pbem substitute` gives it away, while I have my key")
    return desk.agree(place, "accept-rekey", handover_body(asked, place.table.player(asked.name)))


def propose(desk: Desk, place: Place, asked: Player) -> Block:
    """Propose that somebody else plays my side on. Raises Refused when he asks for the other one."""
    if asked.name != place.me:
        raise Refused(f"it asks for the side of {asked.name}", "", "`pbem accept-rekey` grants it")
    offer = body_of("substitute", "offer")
    return desk.agree(place, "substitute", (*offer, *handover_body(asked, place.table.player(asked.name))))


def answer(desk: Desk, place: Place, word: str) -> Block:
    """Accept or refuse a substitute of my opponent."""
    return desk.agree(place, "substitute", body_of("substitute", word))
