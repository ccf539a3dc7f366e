"""A key that was lost, or a side that another person plays on: recover, accept-rekey, substitute (protocol 4.10).

    recover         by who lost his key, signed with his recovery key. Signed with the new key alone it is a request,
                    which is no part of a log: the opponent answers it with an accept-rekey.
    accept-rekey    by the opponent: the other player signs with this key from now on. It is his word.
    substitute      by who gives his side to somebody else; the other player accepts or refuses.

All name a key and a new chain; `as NAME` says who plays on. With a lost key the chain is lost too: if a reveal of it
was due, the term `lost-secret` says what that costs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.envelope import Block, Entry, Statement, parse_entry
from pbem.errors import BadLog, BadSignature
from pbem.genesis import Player, Words, chain_statements, key_statement

if TYPE_CHECKING:
    from pbem.table import Table

__all__ = [
    "HANDOVERS",
    "asker",
    "handover_body",
    "loses",
    "read_handover",
    "read_request",
    "refuse_used",
    "signing_key",
]

HANDOVERS = ("recover", "accept-rekey", "substitute")


def read_handover(words: Words, player: Player) -> Player:
    """The player as a handover's body makes him: perhaps another person, a new key, a new chain.

    A recovery key that isn't named again stays with its person.
    """
    if words.body and words.body[0].keyword == "as":
        name = words.one("as")
        if not name.isascii() or len(name) > 16:
            raise words.wrong("as", f"`{name}` is too long for a name", "16 letters at most")
        player = player._replace(person=name, recovery=b"")
    key = words.key("key")
    if key in (player.key, player.recovery):
        raise words.wrong("key", "it is known in this game already", "a new key it must be")
    return words.chain(player._replace(key=key))


def handover_body(player: Player, before: Player) -> tuple[Statement, ...]:
    """The body of a handover that makes `player` of the player `before`; the inverse of `read_handover`."""
    person = (Statement("as", (player.person,)),) if player.person != before.person else ()
    kept = player.recovery == before.recovery and not person
    chain = chain_statements(player._replace(recovery=b"") if kept else player)
    return (*person, key_statement("key", player.key), *chain)


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


def read_request(table: Table, block: Block) -> Player:
    """Who asks, with a recover signed by his own new key. Raises BadLog or BadSignature when it is no such request."""
    from pbem import signing
    from pbem.agreements import check_body

    entry = parse_entry(block.payload)
    if entry.kind != "recover":
        raise BadLog(f"a `{entry.kind}` asks for no new key", hint="`pbem recover` writes such a request")
    if entry.game != table.genesis.game.hex():
        raise BadLog(f"it is a request in another game, {entry.game}", hint=f"this is {table.genesis.game.hex()}")
    asking = check_body(entry, table.player(entry.by)).player
    assert asking is not None  # noqa: S101 check_body gives one for this kind
    signing.verify(block.payload, block.armor, asking.key)
    return asking


def refuse_used(table: Table, player: Player, where: str) -> None:
    """Refuse a key or chain that is in use in this game. Raises BadLog."""
    other = table.player(table.genesis.other(player.name).name)
    if player.gnonce in table.gnonces:
        raise BadLog("its gnonce was used before", where, "each chain has its own")
    if {player.key, player.recovery} & {other.key, other.recovery} - {b""} and not table.genesis.terms.solo:
        raise BadLog("both players would have the same key", where, "each has his own")


def asker(player: Player) -> str:
    """Who asks for a key, in words."""
    return f"{player.person}, who would play on for {player.name}," if player.person else player.name


def loses(table: Table, player: Player, entry: Entry) -> bool:
    """Whether a handover means that a due secret is lost: its owner can't open it, for he has no key any more."""
    return entry.kind in ("recover", "accept-rekey") and table.reveal_due == player.name
