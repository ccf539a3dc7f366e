"""Targets: keys and signatures."""

from __future__ import annotations

import base64
from functools import cache

from matches import signer

from fuzz.target import Target, scratch_folder, told
from pbem.crypto import keys, openssh, sshsig
from pbem.crypto.hashing import lp
from pbem.errors import BadSignature, KeyProblem

__all__ = ["TARGETS"]


def _wrapped(data: bytes, begin: str, end: str) -> str:
    text = base64.b64encode(data).decode("ascii")
    return "\n".join([begin, *(text[at : at + 70] for at in range(0, len(text), 70)), end, ""])


@cache
def _containers() -> list[bytes]:
    """Private keys inside their armor: one in the clear, one that says that it is encrypted."""
    seed, blob = bytes(range(0x20)), signer("asuka").pub_blob
    inner = b"\0\0\0\1" * 2 + blob + lp(seed + blob[-32:]) + lp(b"asuka")
    inner += bytes(range(1, 1 + -len(inner) % 8))
    found = []
    for cipher, kdf, options in ((b"none", b"none", b""), (b"aes256-ctr", b"bcrypt", b"\0\0\0\4salt\0\0\0\1")):
        head = b"".join(map(lp, (cipher, kdf, options)))
        found.append(b"openssh-key-v1\0" + head + b"\0\0\0\1" + lp(blob) + lp(inner))
    return found


def _read_key(data: bytes) -> None:
    """A key file: as text, or the bytes inside its armor."""
    if data.startswith(b"openssh-key"):
        data = _wrapped(data, openssh._BEGIN, openssh._END).encode()
    text = data.decode("utf-8", "surrogateescape")
    openssh.clear_seed(text)
    for read in (openssh.from_text, openssh.from_token):
        try:
            assert openssh.from_token(openssh.to_token(read(text))) == read(text)
        except KeyProblem as error:
            told(error)
    file = scratch_folder() / "key"
    file.write_bytes(data)
    file.chmod(0o600)
    try:
        sshsig.verify(b"x", keys.load_signer(file).sign(b"x"), keys.load_signer(file).pub_blob)
    except KeyProblem as error:
        told(error)
        raise


KEY_WORDS = (b"ssh-ed25519 ", b"ssh-rsa", b"-----BEGIN PGP", b"none", b"\0\0\0\0", b"\xff\xff\xff\xff")


def _key_seeds() -> list[bytes]:
    public = keys.to_text(signer("asuka").pub_blob, "asuka@example.org").encode() + b"\n"
    texts = [_wrapped(data, openssh._BEGIN, openssh._END).encode() for data in _containers()]
    return [*_containers(), *texts, public, public.split()[1]]


@cache
def _signature() -> str:
    return signer("asuka").sign(b"payload")


def _read_armor(data: bytes) -> None:
    """A signature: as text, or the bytes inside its armor."""
    text = data.decode("utf-8", "surrogateescape")
    if data.startswith(b"SSHSIG"):
        text = _wrapped(data, sshsig.BEGIN, sshsig.END)
    for read in (sshsig.dearmor, sshsig.pub_blob_from):
        try:
            read(text)
        except BadSignature as error:
            told(error)
    try:
        sshsig.verify(b"payload", text, signer("asuka").pub_blob)
    except BadSignature as error:
        told(error)
        raise
    assert sshsig.dearmor(text) == sshsig.dearmor(_signature())


def _armor_seeds() -> list[bytes]:
    inner = base64.b64decode("".join(_signature().splitlines()[1:-1]))
    return [inner, inner, _signature().encode()]


TARGETS = {
    "key": Target(_read_key, KeyProblem, _key_seeds, KEY_WORDS, 400),
    "armor": Target(_read_armor, BadSignature, _armor_seeds, (b"\0\0\0\0", b"\xff\xff\xff\xff", b"sha256"), 800),
}
