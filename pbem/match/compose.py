"""Turns made and signed: offer, accept, orders and reveals, agreements, new keys."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.crypto import dice
from pbem.crypto.dice import CHAIN_LENGTH, Anchor
from pbem.crypto.keys import Signer, dice_root
from pbem.crypto.sshsig import KEY_NAMESPACE
from pbem.errors import Refused
from pbem.match.agreements import proof_message
from pbem.match.limits import why_too_large
from pbem.match.orders import Part, statement_of
from pbem.match.table import BARE, Table
from pbem.wire.bodies import Named, Player, Terms, terms_body
from pbem.wire.entry import Entry, build_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

__all__ = ["Secrets", "proven", "sign_accept", "sign_agreement", "sign_entry", "sign_offer", "sign_recover"]


class Secrets:
    """What a player's key gives him at one place of one game: a chain and nonces; never shown, never written."""

    def __init__(self, signer: Signer, gnonce: bytes, prev: bytes, length: int = CHAIN_LENGTH) -> None:
        self._root = dice_root(signer, gnonce, prev)
        self._chain = dice.chain(self._root, dice.player_id(signer.pub_blob, gnonce, prev), length)
        self.anchor = Anchor(length, self._chain.anchor, gnonce, prev)
        """What names the chain in the entry that has this `prev`."""

    @classmethod
    def of(cls, signer: Signer, anchor: Anchor) -> Secrets:
        """Those of a chain that stands in a log. Raises Refused when it isn't the one that this key makes."""
        secrets = cls(signer, anchor.gnonce, anchor.prev, anchor.length)
        if secrets.anchor != anchor:
            what = "the chain that the log names for me isn't the one that my key makes: I can reveal nothing of it"
            raise Refused(what, hint="its secrets are lost; the opponent can `accept-rekey` a new key of mine")
        return secrets

    def value(self, index: int) -> bytes:
        """x_index, to be revealed."""
        return self._chain[index]

    def nonce(self, seq: int, prev: bytes) -> str:
        """The nonce of the player's entry `seq` behind `prev`: the same bytes whenever it is made again there."""
        return dice.nonce(self._root, seq, prev).hex()

    def __repr__(self) -> str:
        return "Secrets()"


def sign_offer(
    signer: Signer, name: str, side: str, terms: Terms, nonce: bytes, recovery: bytes = b"", *, reads: str = ""
) -> Turn:
    """A signed offer; `nonce` are 16 random bytes, `recovery` is the blob of the key that may name a new one.

    `reads` is the language that the offerer reads, empty for English.
    """
    body = terms_body(Player(name, side, signer.pub_blob, recovery, reads=reads), terms)
    return _sealed(signer, build_entry(kind="offer", seq=0, by=name, nonce=nonce.hex(), body=body))


def sign_accept(
    offer: Turn,
    signer: Signer,
    name: str,
    side: str,
    terms: Terms,
    nonce: bytes,
    gnonce: bytes,
    recovery: bytes = b"",
    length: int = CHAIN_LENGTH,
    *,
    reads: str = "",
) -> Turn:
    """A signed accept of an offer, with the accepter's chain; `nonce` and `gnonce` are 16 random bytes each.

    `reads` is the language that the accepter reads, empty for English.
    """
    prev = offer.hash
    entry = build_entry(
        kind="accept",
        seq=1,
        prev=prev.hex(),
        by=name,
        nonce=nonce.hex(),
        anchor=Secrets(signer, gnonce, prev, length).anchor,
        body=terms_body(Player(name, side, signer.pub_blob, recovery, reads=reads), terms),
    )
    return _sealed(signer, entry)


def sign_entry(
    table: Table, name: str, signer: Signer, secrets: Secrets | None, parts: Iterable[Part], new: Secrets | None = None
) -> Turn:
    """A player's next entry, signed: orders or a react with these parts, or the bare `begin` or reveal that is due.

    `secrets` are those of his chain in force; `new` those of one that begins with this entry, as it must in entry 2.
    The table must have been carried on with the player's own reveal (`Table.peek`). Raises Refused when nothing is
    due from him.
    """
    kind = table.due_from(name).what
    if kind == "reply":
        raise Refused("an answer to a proposal is due", hint="accept or refuse it first")
    body = tuple(statement_of(part) for part in parts)
    if kind in BARE and body:
        raise Refused(f"only a {kind} is due, no orders are asked", hint="send without orders")
    return _signed(table, name, signer, secrets, kind, body, new.anchor if new else None, new)


def sign_agreement(
    table: Table,
    name: str,
    signer: Signer,
    secrets: Secrets,
    kind: str,
    body: tuple[Statement, ...],
    anchor: Anchor | None = None,
) -> Turn:
    """An agreement, signed; the reveal that is due goes with it. Raises Refused when nothing is due from the player.

    `anchor` is that of the key that it names, or of a new chain of the author. A claim is made by the one who waits
    for the other, an accept-rekey whoever is due.
    """
    if kind != "accept-rekey":
        table.due_from(table.genesis.other(name).name if kind == "claim" else name)
    if why := why_too_large(body, agreement=True):
        raise Refused(why)
    return _signed(table, name, signer, secrets, kind, body, anchor)


def sign_recover(table: Table, name: str, signer: Signer, new: Secrets, body: tuple[Statement, ...]) -> Turn:
    """A recover, or the request for a key: it reveals nothing, for the chain is lost with the key."""
    entry = build_entry(
        kind="recover",
        game=table.genesis.game.hex(),
        seq=table.seq + 1,
        prev=table.head.hex(),
        by=name,
        nonce=new.nonce(table.seq + 1, table.head),
        anchor=new.anchor,
        state=table.state_hash(),
        body=body,
    )
    return _sealed(signer, entry)


def proven(signer: Signer, table: Table, player: str, anchor: Anchor, named: Named) -> Named:
    """The key with its owner's proof for the next entry of a table."""
    message = proof_message(table.genesis.game.hex(), table.seq + 1, table.head.hex(), player, anchor, named)
    return named._replace(proof=signer.raw_signature(message, KEY_NAMESPACE))


def _signed(
    table: Table,
    name: str,
    signer: Signer,
    secrets: Secrets | None,
    kind: str,
    body: tuple[Statement, ...],
    anchor: Anchor | None,
    new: Secrets | None = None,
) -> Turn:
    nonces = secrets or new
    if nonces is None:
        raise Refused(f"{name} has no chain of dice yet", hint="it begins with his first entry")
    index = table.next_reveal(name)
    entry = build_entry(
        kind=kind,
        game=table.genesis.game.hex(),
        seq=table.seq + 1,
        prev=table.head.hex(),
        by=name,
        nonce=nonces.nonce(table.seq + 1, table.head),
        anchor=anchor,
        reveal=(index, secrets.value(index).hex()) if index is not None and secrets is not None else None,
        state=table.public_state if kind == "claim" and table.public_state else table.state_hash(),
        body=body,
    )
    return _sealed(signer, entry)


def _sealed(signer: Signer, entry: Entry) -> Turn:
    return Turn.signed(entry, signer.sign(entry.payload))
