"""Dice that neither player can predict or bend: hash chain, seed of an entry, rolls and draws (protocol 3.3).

Everything here is a pure function of bytes. Notation of the protocol: H is SHA-256, MAC(k, m) is HMAC-SHA256,
tag and lp are length-prefixed strings, u32 and u64 are big-endian. All hashes, seeds and chain values have 32 bytes.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence

from pbem.crypto.hashing import lp
from pbem.errors import BadLog, Refused
from pbem.records import NamedTuple

__all__ = [
    "CHAIN_LENGTH",
    "Anchor",
    "Chain",
    "Revealed",
    "below",
    "chain",
    "chain_step",
    "draw",
    "entry_hash",
    "nonce",
    "player_id",
    "roll",
    "root_from_signature",
    "root_message",
    "seed",
]

CHAIN_LENGTH = 1000
MAX_BELOW = 2**32
MAX_DICE = 10_000

_HASH_BYTES = 32
_GNONCE_BYTES = 16
_LABEL_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789./-")
_LABEL_MAX = 64


def _tag(name: str) -> bytes:
    return lp(name.encode("ascii"))


def _mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def _hkdf(ikm: bytes, salt: str, info: bytes, length: int) -> bytes:
    """RFC 5869 with SHA-256 for up to 32 bytes: extract, then the first block of expand."""
    return _mac(_mac(salt.encode("ascii"), ikm), info + b"\x01")[:length]


class Anchor(NamedTuple):
    """What an entry's `anchor` names: a chain's length, x_0 (32 bytes) and gnonce (16), and the entry's `prev` (32)."""

    length: int
    value: bytes
    gnonce: bytes
    prev: bytes

    def __str__(self) -> str:
        """As it stands in the header: `1000 a566...06f7 0001...0e0f`."""
        return f"{self.length} {self.value.hex()} {self.gnonce.hex()}"


_PLAYER = _tag("pbem-player/1")
_STEP = _tag("pbem-chain/1")
_ENTRY = _tag("pbem-entry/1")
_SEED = _tag("pbem-seed/1")
_ROLL = _tag("pbem-roll/1")
_BLOCK = _tag("pbem-block/1")


# Who: the identity that every chain value is bound to, and the secret that the chain grows from.


def player_id(pub_blob: bytes, gnonce: bytes, prev: bytes) -> bytes:
    """Whose a chain is, in which game and at which place of it: key blob, gnonce and `prev` of the anchor's entry."""
    return hashlib.sha256(_PLAYER + lp(pub_blob) + lp(gnonce) + lp(prev)).digest()


def root_message(gnonce: bytes, prev: bytes) -> bytes:
    """What a player's key signs, in the namespace `pbem-root-v1`, to make the root of his chain.

    Raises Refused unless `gnonce` has 16 bytes and `prev` 32.
    """
    if (len(gnonce), len(prev)) != (_GNONCE_BYTES, _HASH_BYTES):
        what = f"a chain can't grow from a gnonce of {len(gnonce)} bytes and a prev of {len(prev)}"
        raise Refused(what, hint=f"{_GNONCE_BYTES} and {_HASH_BYTES} are needed")
    return f"pbem dice root 1\n{gnonce.hex()}\n{prev.hex()}\n".encode("ascii")


def root_from_signature(sig64: bytes, gnonce: bytes, prev: bytes) -> bytes:
    """The secret root from the 64 bytes of the Ed25519 signature over `root_message(gnonce, prev)`; never show it."""
    return _hkdf(sig64, "pbem-root/1", gnonce + prev, 32)


def nonce(root: bytes, seq: int, prev: bytes) -> bytes:
    """The 16 bytes a player puts into his entry `seq` behind `prev`; the same again when it is made again there."""
    return _hkdf(root, "pbem-nonce/1", seq.to_bytes(8, "big") + prev, 16)


# The chain: x_n is made from the root, each x_(i-1) from x_i; x_0 is published, x_1, x_2, ... are revealed in turn.


class Chain:
    """A player's chain values x_0 .. x_n: `chain[i]` is x_i, `chain.anchor` is x_0, `len(chain)` is n.

    Everything but the anchor is secret until revealed, so `repr` shows only the anchor.
    """

    __slots__ = ("_values",)

    def __init__(self, values: tuple[bytes, ...]) -> None:
        self._values = values

    @property
    def anchor(self) -> bytes:
        """x_0, public from the entry on that names it."""
        return self._values[0]

    def __len__(self) -> int:
        return len(self._values) - 1

    def __getitem__(self, i: int) -> bytes:
        """x_i for 0 <= i <= n; raises Refused beyond the end of the chain."""
        if not 0 <= i < len(self._values):
            raise Refused(f"the dice chain has no value {i}", hint=f"it ends at {len(self)}")
        return self._values[i]

    def __repr__(self) -> str:
        return f"Chain(anchor={self.anchor.hex()}, n={len(self)})"


def chain(root: bytes, player_id: bytes, n: int = CHAIN_LENGTH) -> Chain:
    """All values x_0 .. x_n of the chain of `player_id` that grows from `root`."""
    if not 1 <= n < 2**32:
        raise Refused(f"a dice chain of {n} values", hint=f"{CHAIN_LENGTH} are usual, 1 is the least")
    x = _hkdf(root, "pbem-chain-top/1", player_id + n.to_bytes(4, "big"), 32)
    values = [x]
    for i in range(n, 0, -1):
        x = chain_step(player_id, i, x)
        values.append(x)
    return Chain(tuple(reversed(values)))


def chain_step(player_id: bytes, i: int, x: bytes) -> bytes:
    """x_(i-1) from x_i, 1 <= i < 2**32."""
    return hashlib.sha256(_STEP + player_id + i.to_bytes(4, "big") + x).digest()


class Revealed(NamedTuple):
    """A chain as everybody sees it: whose it is, its length, how many values are revealed, and the newest (or x_0)."""

    player_id: bytes
    length: int
    shown: int
    newest: bytes

    @classmethod
    def begun(cls, pub_blob: bytes, anchor: Anchor) -> Revealed:
        """The chain of a key that an anchor names, with nothing revealed."""
        return cls(player_id(pub_blob, anchor.gnonce, anchor.prev), anchor.length, 0, anchor.value)

    @property
    def left(self) -> int:
        """How many values are still to be revealed."""
        return self.length - self.shown

    def reveal(self, j: int, x_j: bytes) -> Revealed:
        """The chain with its next value, `x_j` of number `j`, revealed. Raises BadLog for any other value."""
        if j != self.shown + 1:
            raise BadLog(f"chain value {j} is revealed", hint=f"number {self.shown + 1} is due")
        if j > self.length:
            raise BadLog(f"the chain has only {self.length} values", hint="a new anchor was due with the last one")
        if len(x_j) != _HASH_BYTES or not hmac.compare_digest(chain_step(self.player_id, j, x_j), self.newest):
            before = f"value {j - 1}" if j > 1 else "the anchor"
            raise BadLog(f"chain value {j} is wrong: it doesn't lead to {before}")
        return self._replace(shown=j, newest=x_j)


# The seed of an entry: the other player's next chain value over the hash of what was signed.


def entry_hash(payload: bytes) -> bytes:
    """The identity of an entry: its canonical bytes, without signature."""
    return hashlib.sha256(_ENTRY + lp(payload)).digest()


def seed(x_j: bytes, game_id: bytes, seq: int, entry_hash: bytes) -> bytes:
    """The seed of all rolls that follow from entry `seq`; `x_j` is the next reveal of the player who didn't sign it."""
    return _mac(x_j, _SEED + game_id + seq.to_bytes(8, "big") + entry_hash)


# Rolls: bytes from a stream of their own for each label, made unbiased by throwing some away.


def _stream(seed: bytes, label: str) -> Callable[[int], bytes]:
    """A function that takes the next k bytes of the roll's stream. Labels: `[a-z0-9./-]{1,64}`, else Refused."""
    if not (0 < len(label) <= _LABEL_MAX and _LABEL_LETTERS.issuperset(label)):
        raise Refused(f"{label[:80]!r} can't label a roll", hint=f"1 to {_LABEL_MAX} letters of a-z 0-9 . / -")
    key = _mac(seed, _ROLL + lp(label.encode("ascii")))
    buffer, at, block = b"", 0, 0

    def take(k: int) -> bytes:
        nonlocal buffer, at, block
        if at + k > len(buffer):  # k <= 4, so one more block is enough
            buffer, at = buffer[at:] + _mac(key, _BLOCK + block.to_bytes(4, "big")), 0
            block += 1
        at += k
        return buffer[at - k : at]

    return take


def below(take: Callable[[int], bytes], m: int) -> int:
    """A uniform number 0 .. m-1 from uniform bytes; `take(k)` gives the next k. 1 <= m <= 2**32, else Refused."""
    if not 1 <= m <= MAX_BELOW:
        raise Refused(f"a die of {m} sides can't be rolled", hint=f"1 to {MAX_BELOW} sides")
    if m == 1:
        return 0
    k = ((m - 1).bit_length() + 7) // 8
    limit = 256**k // m * m
    while True:
        value = int.from_bytes(take(k), "big")
        if value < limit:
            return value % m


def roll(seed: bytes, label: str, n: int, sides: int) -> list[int]:
    """`n` dice with faces 1 .. `sides`, in the order rolled. A label is used once for a seed. Raises Refused."""
    if not 1 <= n <= MAX_DICE:
        raise Refused(f"{n} dice can't be rolled at once", hint=f"1 to {MAX_DICE} dice")
    take = _stream(seed, label)
    return [1 + below(take, sides) for _ in range(n)]


def draw(seed: bytes, label: str, cup: Sequence[str], k: int) -> list[str]:
    """`k` counters from `cup` in the order drawn; the order of `cup` doesn't matter, duplicates count; or Refused."""
    if not 0 <= k <= len(cup):
        raise Refused(f"{k} counters can't be drawn from a cup of {len(cup)}")
    left = sorted(cup, key=str.encode)
    take = _stream(seed, label)
    for i in range(k):
        j = i + below(take, len(left) - i)
        left[i], left[j] = left[j], left[i]
    return left[:k]
