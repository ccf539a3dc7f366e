"""New keys: which an entry names for whom, the owner's proof, and requests for one (protocol 3.3, 4.1, 4.3).

    rekey           by its owner, signed with the old key
    recover         by who lost his key, signed with his recovery key; signed with the new key itself it is a request,
                    which is no part of a log: an accept-rekey or a substitute may grant it
    accept-rekey    by the opponent: the other player signs with this key from now on. It is his word
    substitute      by who gives his side to somebody else; the other player accepts or refuses

The entry's anchor is that of the new key's chain. `as NAME` says who plays on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.crypto.dice import Anchor
from pbem.errors import BadLog, BadSignature
from pbem.match.genesis import Player, Words, key_statement
from pbem.match.limits import why_too_large
from pbem.wire.blocks import Block, Entry, Statement, parse_entry

if TYPE_CHECKING:
    from pbem.crypto.keys import Signer
    from pbem.match.table import Table

__all__ = [
    "FOR_ANOTHER",
    "NAMING",
    "Named",
    "Seat",
    "asker",
    "begins_own_chain",
    "check_named",
    "check_proof",
    "named_body",
    "proof_message",
    "proven",
    "read_named",
    "read_request",
    "signing_key",
]

NAMING = ("rekey", "recover", "accept-rekey", "substitute")
FOR_ANOTHER = ("accept-rekey", "substitute")
"""Those whose anchor names another's chain, not one of the entry's author."""


class Named(NamedTuple):
    """A key as a body names it: the blobs of key and recovery key, `person` as in `as`, R || S of the proof."""

    key: bytes
    recovery: bytes = b""
    person: str = ""
    proof: bytes = b""


class Seat(NamedTuple):
    """A player as a new key makes him, and the chain that comes with it."""

    player: Player
    anchor: Anchor


def begins_own_chain(entry: Entry) -> bool:
    """Whether the entry's anchor names a chain of its author (protocol 3.3)."""
    return entry.anchor is not None and entry.kind not in FOR_ANOTHER


def read_named(words: Words, *, person: bool) -> Named:
    """`[as NAME] key proof [recovery]`, as it stands next in a body; `as` only where `person` says so. Or BadLog."""
    name = ""
    if person and words.body and words.body[0].keyword == "as":
        name = words.one("as")
        if not name.isascii() or len(name) > 16:
            raise words.wrong("as", f"`{name}` is too long for a name", "16 letters at most")
    key = words.key("key")
    halves = [words.hexadecimal("proof", half, 32) for half in words.take("proof", 2)]
    return Named(key, words.named_key("recovery"), name, b"".join(halves))


def named_body(named: Named) -> tuple[Statement, ...]:
    """The statements of a named key; the inverse of `read_named`."""
    proof = named.proof.hex()
    return (
        *([Statement("as", (named.person,))] if named.person else []),
        key_statement("key", named.key),
        Statement("proof", (proof[:64], proof[64:])),
        *([key_statement("recovery", named.recovery)] if named.recovery else []),
    )


def proof_message(game: str, seq: int, prev: str, player: str, anchor: Anchor, named: Named) -> bytes:
    """What a new key signs: that it will be this player's key, at this place of this game, with this chain (3.3)."""
    body = [str(statement) for statement in named_body(named._replace(proof=bytes(64))) if statement.keyword != "proof"]
    header = ["pbem key 1", f"game {game};", f"seq {seq};", f"prev {prev};", f"player {player};", f"anchor {anchor};"]
    return "".join(f"{line}\n" for line in [*header, *body]).encode("ascii")


def proven(signer: Signer, table: Table, player: str, anchor: Anchor, named: Named) -> Named:
    """The key with its owner's proof for the next entry of a table."""
    from pbem.crypto.sshsig import KEY_NAMESPACE

    message = proof_message(table.genesis.game.hex(), table.seq + 1, table.head.hex(), player, anchor, named)
    return named._replace(proof=signer.raw_signature(message, KEY_NAMESPACE))


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
    from pbem.crypto.sshsig import KEY_NAMESPACE, verify_sig64

    if entry.anchor is None:
        raise BadLog("its anchor is missing", where, "a new key comes with a new chain of dice")
    message = proof_message(entry.game or "", entry.seq, entry.prev or "", player, entry.anchor, named)
    try:
        verify_sig64(message, named.proof, named.key, KEY_NAMESPACE)
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


def read_request(table: Table, block: Block) -> tuple[Entry, Seat]:
    """A recover signed by the new key itself, and who asks. Raises BadLog or BadSignature when it is no such request.

    It can be granted only with the very next entry of the table, for which its proof was made.
    """
    from pbem.crypto import sshsig
    from pbem.match.agreements import read_body

    entry = parse_entry(block.payload)
    if entry.kind != "recover":
        raise BadLog(f"a `{entry.kind}` asks for no new key", hint="`pbem recover` writes such a request")
    if entry.game != table.genesis.game.hex():
        raise BadLog(f"it is a request in another game, {entry.game}", hint=f"this is {table.genesis.game.hex()}")
    if large := why_too_large(entry.body, agreement=True):
        raise BadLog(large, "the request")
    named = read_body(entry, request=True).named
    assert named is not None  # noqa: S101 read_body gives one for this kind
    sshsig.verify(block.payload, block.armor, named.key)
    if (entry.seq, entry.prev) != (table.seq + 1, table.head.hex()):
        what = f"the request was made for entry {entry.seq}, and entry {table.seq + 1} of another log is due here"
        if entry.seq != table.seq + 1:
            what = f"the request was made for entry {entry.seq}, but {table.seq + 1} is due now"
        raise BadLog(what, "", "send him the log of now, and let him ask again with `pbem recover`")
    return entry, check_named(table, entry, table.player(entry.by), named, "the request")


def asker(player: Player) -> str:
    """Who asks for a key, in words."""
    return f"{player.person}, who would play on for {player.name}," if player.person else player.name
