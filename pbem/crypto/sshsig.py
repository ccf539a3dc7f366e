"""Signatures: OpenSSH's SSHSIG with Ed25519 and SHA-512, made and checked strictly (protocol 1.1 to 1.3).

Whatever `verify` accepts, `ssh-keygen -Y verify` accepts too; the other way round `verify` is the stricter.
"""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.crypto.ed25519 import why_not_key, why_not_signature
from pbem.crypto.hashing import lp
from pbem.errors import BadSignature, KeyProblem, Refused
from pbem.records import NamedTuple

if TYPE_CHECKING:  # imported where used: a command that signs nothing doesn't pay for it
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

__all__ = [
    "KEY_NAMESPACE",
    "NAMESPACE",
    "ROOT_NAMESPACE",
    "Signature",
    "admit",
    "armor",
    "blob_from_raw",
    "dearmor",
    "pub_blob_from",
    "raw_from_blob",
    "refuse_root",
    "sign",
    "sign_raw",
    "verify",
    "verify_raw",
    "verify_sig64",
]

NAMESPACE = "pbem-turn-v1"
ROOT_NAMESPACE = "pbem-root-v1"  # a signature in it is the secret that all of a player's dice grow from

KEY_NAMESPACE = "pbem-key-v1"  # a signature in it is a key's consent to be a player's key at one place of one game

KEY_TYPE = b"ssh-ed25519"
BEGIN = "-----BEGIN SSH SIGNATURE-----"
END = "-----END SSH SIGNATURE-----"

_MAGIC = b"SSHSIG"
_HASH = b"sha512"
_VERSION = 1
_WIDTH = 70  # of ssh-keygen's armor; any width is read
_ARMOR_MAX = 4096


class Signature(NamedTuple):
    """What an SSHSIG says about itself: nothing of it is trusted before `verify`."""

    pub_blob: bytes
    namespace: bytes
    sig64: bytes


class _Fields:
    """Reads the fields of an SSH structure in order; a missing byte is a BadSignature that names the field."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, n: int, name: str) -> bytes:
        if self._at + n > len(self._data):
            raise _bad(f"it ends inside the field {name}")
        self._at += n
        return self._data[self._at - n : self._at]

    def number(self, name: str) -> int:
        return int.from_bytes(self.take(4, name), "big")

    def string(self, name: str) -> bytes:
        return self.take(self.number(name), name)

    def end(self, name: str) -> None:
        if self._at != len(self._data):
            raise _bad(f"{len(self._data) - self._at} bytes too many after {name}")


def _bad(what: str, hint: str = "") -> BadSignature:
    return BadSignature(what, "signature", hint)


# Public keys: the blob is string("ssh-ed25519") string(32 bytes), 51 bytes in all.


def blob_from_raw(raw: bytes) -> bytes:
    """The SSH blob (51 bytes) of a raw Ed25519 public key (32 bytes)."""
    return lp(KEY_TYPE) + lp(raw)


def raw_from_blob(pub_blob: bytes) -> bytes:
    """The 32 raw bytes in an SSH blob; raises KeyProblem unless it is exactly an Ed25519 key. Doesn't admit it."""
    raw = pub_blob[-32:]
    if len(pub_blob) != 51 or pub_blob != blob_from_raw(raw):
        kind = pub_blob[4 : 4 + int.from_bytes(pub_blob[:4], "big")]
        if kind != KEY_TYPE and kind.isascii() and 0 < len(kind) < 60:
            name = ascii(kind.decode("ascii"))[1:-1]
            raise KeyProblem(
                f"a key of type {name}", hint="only Ed25519 keys are used; ssh-keygen -t ed25519 makes one"
            )
        raise KeyProblem("not an Ed25519 public key", hint="ssh-keygen -t ed25519 makes one")
    return raw


def admit(pub_blob: bytes) -> None:
    """Check that a public key may take part in a game; raises KeyProblem that names the reason (protocol 1.3, 1)."""
    reason = why_not_key(raw_from_blob(pub_blob))
    if reason:
        raise KeyProblem(reason, hint="such a key is never made by ssh-keygen; ask for another")


# Making signatures.


def _to_be_signed(payload: bytes, namespace: str) -> bytes:
    if not namespace:
        raise Refused("a signature needs a namespace", hint=f"turns use {NAMESPACE}")
    digest = hashlib.sha512(payload).digest()
    return _MAGIC + b"".join(lp(field) for field in (namespace.encode("utf-8"), b"", _HASH, digest))


def refuse_root(namespace: str) -> None:
    """Raise Refused for the namespace of the dice root: its armored signature must never exist outside of memory."""
    if namespace == ROOT_NAMESPACE:
        raise Refused(f"signatures in the namespace {ROOT_NAMESPACE} are secret", hint="they give all of a game's dice")


def sign_raw(private_key: Ed25519PrivateKey, payload: bytes, namespace: str) -> bytes:
    """The 64 bytes R || S over the SSHSIG of `payload`."""
    return private_key.sign(_to_be_signed(payload, namespace))


def sign(private_key: Ed25519PrivateKey, payload: bytes, namespace: str = NAMESPACE) -> str:
    """The armored signature of `payload`, byte for byte what `ssh-keygen -Y sign` makes.

    Raises Refused in the namespace of the dice root.
    """
    refuse_root(namespace)
    raw = private_key.public_key().public_bytes_raw()
    return armor(blob_from_raw(raw), namespace, sign_raw(private_key, payload, namespace))


def armor(pub_blob: bytes, namespace: str, sig64: bytes) -> str:
    """The SSHSIG block as text, LF at each line's end."""
    signature = lp(KEY_TYPE) + lp(sig64)
    fields = (pub_blob, namespace.encode("utf-8"), b"", _HASH, signature)
    blob = _MAGIC + _VERSION.to_bytes(4, "big") + b"".join(lp(field) for field in fields)
    text = base64.b64encode(blob).decode("ascii")
    lines = [text[i : i + _WIDTH] for i in range(0, len(text), _WIDTH)]
    return "\n".join([BEGIN, *lines, END, ""])


# Checking them.


def _decode(armored: str) -> bytes:
    """The bytes between the fences; BadSignature unless fences, lines and base64 are exact."""
    if len(armored) > _ARMOR_MAX:
        raise _bad(f"the block has {len(armored)} letters", hint=f"an Ed25519 signature needs less than {_ARMOR_MAX}")
    first, *body = armored.removesuffix("\n").split("\n")
    if first != BEGIN:
        raise _bad(f"the block doesn't begin with {BEGIN}")
    if END not in body:
        raise _bad(f"the block has no line {END}")
    if body.pop() != END or END in body:
        raise _bad(f"there is something after {END}", hint="one signature, and nothing after it")
    text = "".join(body)
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise _bad("the block holds something that isn't base64") from None
    if not all(body) or base64.b64encode(data).decode("ascii") != text:
        raise _bad("the block's base64 isn't canonical", hint="no empty lines, no spare bits, exact padding")
    return data


def dearmor(armored: str) -> Signature:
    """Read a block; raises BadSignature that names the first rule broken. Doesn't verify anything."""
    outer = _Fields(_decode(armored))
    if outer.take(len(_MAGIC), "magic") != _MAGIC:
        raise _bad("it isn't an SSH signature: the magic word is missing")
    version = outer.number("version")
    if version != _VERSION:
        raise _bad(f"SSHSIG version {version}", hint=f"only version {_VERSION} is valid")
    pub_blob, namespace, reserved, algorithm, signature = (
        outer.string(name) for name in ("public key", "namespace", "reserved", "hash algorithm", "signature")
    )
    outer.end("the signature")
    if reserved:
        raise _bad(f"the reserved field holds {len(reserved)} bytes", hint="it must be empty")
    if algorithm != _HASH:
        raise _bad(f"hash algorithm {ascii(algorithm)[2:-1][:40]}", hint=f"only {_HASH.decode()} is valid")
    inner = _Fields(signature)
    if inner.string("signature type") != KEY_TYPE:
        raise _bad("the signature isn't of type ssh-ed25519", hint="sign with an Ed25519 key")
    sig64 = inner.string("signature value")
    inner.end("the signature value")
    return Signature(pub_blob, namespace, sig64)


def pub_blob_from(armored: str) -> bytes:
    """The public key that a block claims to be made with (51 bytes); raises BadSignature. Proves nothing."""
    blob = dearmor(armored).pub_blob
    try:
        raw_from_blob(blob)
    except KeyProblem as problem:
        raise _bad(problem.what, problem.hint) from None
    return blob


@lru_cache(maxsize=64)
def _public_key(raw: bytes) -> Ed25519PublicKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(raw)


def verify(payload: bytes, armored: str, pub_blob: bytes, namespace: str = NAMESPACE) -> None:
    """Check that the holder of `pub_blob` signed `payload`; raises BadSignature that names the first rule broken."""
    parts = dearmor(armored)
    if parts.namespace != namespace.encode("utf-8"):
        raise _bad(f"namespace {ascii(parts.namespace)[2:-1][:40]}", hint=f"it must be {namespace}")
    if parts.pub_blob != pub_blob:
        raise _bad("it was made with another key than the player's")
    verify_sig64(payload, parts.sig64, pub_blob, namespace)


def verify_sig64(payload: bytes, sig64: bytes, pub_blob: bytes, namespace: str) -> None:
    """Check a signature given as its 64 bytes R || S over the SSHSIG of `payload`; raises BadSignature."""
    try:
        raw = raw_from_blob(pub_blob)
    except KeyProblem as problem:
        raise _bad(problem.what, problem.hint) from None
    verify_raw(raw, sig64, _to_be_signed(payload, namespace))


def verify_raw(raw: bytes, sig64: bytes, message: bytes) -> None:
    """Strict Ed25519 without the SSHSIG around it: raw key, R || S, and the very bytes signed; raises BadSignature."""
    from cryptography.exceptions import InvalidSignature

    reason = why_not_key(raw) or why_not_signature(sig64)
    if reason:
        raise _bad(reason)
    try:
        _public_key(raw).verify(sig64, message)
    except InvalidSignature:
        raise _bad("it doesn't fit the text: one of the two was changed") from None
