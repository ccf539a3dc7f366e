"""A client that speaks the protocol and deviates from it: forged entries, forged signatures, guesses about dice.

It is built on the program's own primitives, so what it forges is as good as a forgery can be: everything but the one
deviation fits.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from toy.accident import files_in
from toy.players import CHAIN, SIDES, Duel, Post, mail, parts_of, private_key, signer

from pbem.crypto import dice
from pbem.crypto import sshsig as signing
from pbem.crypto.dice import Anchor
from pbem.crypto.ed25519 import L, P, add, decompress, times
from pbem.crypto.hashing import lp
from pbem.desk.arrival import take_in
from pbem.desk.letter import read_letter
from pbem.errors import PbemError
from pbem.mail.inbox import Mail
from pbem.match.compose import Secrets, proven, sign_entry
from pbem.match.orders import statement_of
from pbem.match.table import Table
from pbem.match.take import take
from pbem.wire.blocks import Block
from pbem.wire.bodies import Named, named_body
from pbem.wire.entry import Entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

BASE = decompress((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
"""The base point of Ed25519 (RFC 8032 5.1)."""

NEUTRAL = bytes([1]) + bytes(31)
"""The neutral point as a key: of small order, and R = it, S = 0 fits any text."""

ORDER_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")


# --- entries


def words(game: Duel, name: str, text: str) -> tuple[Statement, ...]:
    """An order text as statements."""
    return tuple(statement_of(part) for part in parts_of(game.table, SIDES[name], text))


def signed(entry: Entry | bytes, name: str) -> Block:
    """An entry with its author's real signature."""
    payload = entry if isinstance(entry, bytes) else entry.payload
    return Block(payload, signer(name).sign(payload))


def forged(game: Duel, name: str, body: str | Iterable[Statement] = (), **changes: object) -> Block:
    """The next entry of a player with this body (orders, or any statements) but for the changes, really signed."""
    statements = words(game, name, body) if isinstance(body, str) else body
    return signed(game.entry(name, statements, **changes), name)


def resummed(lines: Iterable[str]) -> bytes:
    """Statements as canonical bytes, with the `end` that fits them whatever they say."""
    kept = [line.rstrip("\n") + "\n" for line in lines]
    groups = ["".join(kept[at : at + 8]).encode() for at in range(0, len(kept), 8)]
    sums = " ".join(hashlib.sha256(group).hexdigest()[:6] for group in groups)
    return f"{''.join(kept)}end {len(kept)} {sums};\n".encode()


def altered(payload: bytes, old: str, new: str) -> bytes:
    """An entry's bytes with some words exchanged, and the sums that fit."""
    text = payload.decode("ascii")
    assert text.count(old) == 1
    return resummed(text.replace(old, new).splitlines()[:-1])


def other_words(post: Post, name: str, text: str) -> Block:
    """What a player would send now, signed outside his program, which doesn't note it."""
    place = post.place(name)
    new = Secrets(signer(name), b"another gnonce..", place.table.head, CHAIN) if place.table.seq == 1 else None
    secrets = None if new else post.desk(name).secrets(place)
    return sign_entry(place.table, name, signer(name), secrets, parts_of(place.table, SIDES[name], text), new).block


# --- signatures


def sshsig(
    name: str,
    sig64: bytes,
    *,
    key: bytes | None = None,
    version: int = 1,
    namespace: bytes = b"pbem-turn-v1",
    reserved: bytes = b"",
    tail: bytes = b"",
    inner_tail: bytes = b"",
) -> str:
    """An armored SSHSIG of which every field can be set."""
    blob = signer(name).pub_blob if key is None else key
    signature = lp(b"ssh-ed25519") + lp(sig64) + inner_tail
    fields = (blob, namespace, reserved, b"sha512", signature)
    data = b"SSHSIG" + version.to_bytes(4, "big") + b"".join(map(lp, fields)) + tail
    text = base64.b64encode(data).decode()
    return "\n".join([signing.BEGIN, *(text[at : at + 70] for at in range(0, len(text), 70)), signing.END, ""])


def raw(name: str, payload: bytes, namespace: str = signing.NAMESPACE) -> bytes:
    """R || S as an honest client makes it."""
    return signer(name).raw_signature(payload, namespace)


def to_be_signed(payload: bytes, namespace: str = signing.NAMESPACE) -> bytes:
    """The bytes under an SSHSIG (protocol 1.1)."""
    fields = (namespace.encode(), b"", b"sha512", hashlib.sha512(payload).digest())
    return b"SSHSIG" + b"".join(map(lp, fields))


def encoded(point: tuple[int, int, int, int]) -> bytes:
    """A point as 32 bytes (RFC 8032 5.1.2)."""
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def another_signature(name: str, payload: bytes, number: int) -> bytes:
    """A valid signature of the same text with a nonce of the signer's choice; there are as many as he likes."""
    assert BASE is not None
    key, message = private_key(name), to_be_signed(payload)
    seed = hashlib.sha512(key.private_bytes_raw()).digest()
    scalar = int.from_bytes(seed[:32], "little") & ((1 << 254) - 8) | 1 << 254
    point = encoded(times(number, BASE))
    public = key.public_key().public_bytes_raw()
    challenge = int.from_bytes(hashlib.sha512(point + public + message).digest(), "little")
    return point + ((number + challenge * scalar) % L).to_bytes(32, "little")


def mixed_order_key() -> bytes:
    """A key of order 8 L: that of a real signer plus a point of order eight."""
    real, small = decompress(private_key("ben").public_key().public_bytes_raw()), decompress(ORDER_8)
    assert real is not None
    assert small is not None
    return encoded(add(real, small))


# --- what a victim makes of it


def refused(game: Duel, block: Block, kind: type[PbemError], match: str) -> PbemError:
    """Whoever has the log refuses the block with this error."""
    with pytest.raises(kind, match=match) as found:
        take(game.replayed(), Turn.of(block))
    return found.value


def taken(game: Duel, block: Block) -> Table:
    """The honest twin: a table that has the log takes the block."""
    table = game.replayed()
    take(table, Turn.of(block))
    return table


def kept(root: Path) -> dict[str, bytes]:
    """The files of a home that count: all but cache and evidence."""
    return {name: data for name, data in files_in(root).items() if not name.startswith(("cache", "evidence"))}


def refused_by(post: Post, name: str, letter: Mail | Block, kind: type[PbemError], match: str) -> PbemError:
    """The player's home refuses the mail and is as it was."""
    letter = mail(letter) if isinstance(letter, Block) else letter
    before = kept(post.root / name)
    with pytest.raises(kind, match=match) as found:
        take_in(post.desk(name), read_letter(letter))
    assert letter.source in found.value.where
    assert kept(post.root / name) == before
    return found.value


# --- numbers


TAIL_5 = 20.52
"""Chi-square with 5 degrees of freedom is beyond this once in a thousand times."""


def chi_square(dice_rolled: Iterable[int], faces: int = 6) -> float:
    """How far numbers 1 to `faces` are from being equally frequent."""
    counts = Counter(dice_rolled)
    expected = sum(counts.values()) / faces
    return sum((counts[face] - expected) ** 2 / expected for face in range(1, faces + 1))


def root(name: str, number: int) -> bytes:
    """A player's root, another for each number: what an honest one can't choose and the other can't guess."""
    return hashlib.sha256(f"{name} {number}".encode()).digest()


def identity(game: Duel, name: str) -> bytes:
    """Whose the chain is that a player begins with."""
    _, _, gnonce, prev = game.secrets[name].anchor
    return dice.player_id(game.player(name).key, gnonce, prev)


def secret(game: Duel, name: str, number: int, index: int = 1) -> bytes:
    """Chain value `index` of a player whose root is another for each number."""
    return dice.chain(root(name, number), identity(game, name), 2)[index]


def renamed(
    game: Duel, name: str, new: str, *, person: str = "", recovery: bytes = b"", gnonce: bytes = b"n" * 16
) -> tuple[tuple[Statement, ...], Anchor]:
    """What names the key of `new` for a player in the next entry, with that key's own proof; and its chain's anchor."""
    table = game.table
    anchor = Secrets(signer(new), gnonce, table.head, CHAIN).anchor
    named = Named(signer(new).pub_blob, recovery, person)
    return named_body(proven(signer(new), table, name, anchor, named)), anchor


def rolled(table: Table, label: str) -> list[int]:
    """The dice that a table rolled under a label."""
    (found,) = (step["result"] for step in table.steps if step["kind"] == "roll" and step["label"] == label)
    return list(found)
