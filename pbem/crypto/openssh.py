"""The formats that OpenSSH keeps Ed25519 keys in: public key text, private key container (openssh-key-v1)."""

from __future__ import annotations

import base64
import hashlib

from pbem.crypto.sshsig import raw_from_blob
from pbem.errors import KeyProblem
from pbem.records import NamedTuple

__all__ = ["Container", "fingerprint", "from_text", "from_token", "read_container", "to_text", "to_token"]

_BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----"
_END = "-----END OPENSSH PRIVATE KEY-----"
_MAGIC = b"openssh-key-v1\0"
_MAKE = "ssh-keygen -t ed25519 makes a key that can be used"

_OTHER_FORMATS = {
    "-----BEGIN RSA PRIVATE KEY": ("an RSA key", _MAKE),
    "-----BEGIN EC PRIVATE KEY": ("an ECDSA key", _MAKE),
    "-----BEGIN DSA PRIVATE KEY": ("a DSA key", _MAKE),
    "-----BEGIN PGP": ("an OpenPGP key", _MAKE),
    "-----BEGIN CERTIFICATE": ("a certificate", _MAKE),
    "---- BEGIN SSH2": ("a key in the SSH2 format", "ssh-keygen -i -f FILE turns it into OpenSSH's"),
    "PuTTY-User-Key-File": ("a PuTTY key", "PuTTYgen exports it: Conversions, Export OpenSSH key (new format)"),
    "-----BEGIN PRIVATE KEY": ("a PKCS#8 key", "ssh-keygen -p -f FILE rewrites an Ed25519 key in OpenSSH's format"),
    "-----BEGIN ENCRYPTED PRIVATE": (
        "a PKCS#8 key",
        "ssh-keygen -p -f FILE rewrites an Ed25519 key in OpenSSH's format",
    ),
}


class Container(NamedTuple):
    """What a private key file says in the clear: its public key (51 bytes) and whether it is encrypted."""

    pub_blob: bytes
    encrypted: bool


def to_token(pub_blob: bytes) -> str:
    """The 68 letters that stand for a public key in entries and public key files; raises KeyProblem."""
    raw_from_blob(pub_blob)
    return base64.b64encode(pub_blob).decode("ascii")


def from_token(token: str) -> bytes:
    """The public key blob (51 bytes) of a token; raises KeyProblem. Whether it may play is for `signing.admit`."""
    try:
        blob = base64.b64decode(token, validate=True)
    except ValueError:
        blob = b""
    if not blob or base64.b64encode(blob).decode("ascii") != token:
        raise KeyProblem(f"{token[:20]!a}... isn't the base64 of a public key", hint="copy it from the .pub file")
    raw_from_blob(blob)
    return blob


def to_text(pub_blob: bytes, comment: str = "") -> str:
    """One line as in a .pub file, without the line's end: `ssh-ed25519 AAAA... comment`."""
    return f"ssh-ed25519 {to_token(pub_blob)} {comment}".rstrip()


def from_text(text: str) -> bytes:
    """The public key blob of a .pub file's single line, the comment ignored; raises KeyProblem."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    words = lines[0].split(" ") if len(lines) == 1 else []
    if len(words) < 2:
        raise KeyProblem("not a public key", hint="it is one line: ssh-ed25519 AAAA... comment")
    if words[0] != "ssh-ed25519":
        raise KeyProblem(f"a key of type {ascii(words[0])[1:-1][:40]}", hint=f"only Ed25519 keys are used; {_MAKE}")
    return from_token(words[1].strip())


def fingerprint(pub_blob: bytes) -> str:
    """The key's fingerprint as ssh-keygen -l shows it, for players to compare: `SHA256:` and 43 letters."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(pub_blob).digest()).decode("ascii").rstrip("=")


def read_container(text: str, where: str) -> Container:
    """What a private key file tells without its passphrase; raises KeyProblem if it isn't an OpenSSH Ed25519 key."""
    if not text.startswith(_BEGIN):
        what, hint = next((why for start, why in _OTHER_FORMATS.items() if text.startswith(start)), ("", ""))
        raise KeyProblem(what or "not a private key", where, hint or _MAKE)
    if not text.rstrip().endswith(_END):
        raise KeyProblem("the key is cut off", where, "restore the file from a backup")
    try:
        data = base64.b64decode("".join(text.rstrip()[len(_BEGIN) : -len(_END)].split()), validate=True)
        cipher, pub_blob, _ = _clear_fields(data)
    except ValueError:
        raise KeyProblem("the key is damaged", where, "restore the file from a backup") from None
    try:
        raw_from_blob(pub_blob)
    except KeyProblem as problem:
        raise KeyProblem(problem.what, where, problem.hint) from None
    return Container(pub_blob, encrypted=cipher != b"none")


class _Strings:
    """Takes length-prefixed strings from bytes, one after the other; ValueError when they end too early."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data = data
        self.at = at

    def number(self) -> int:
        """Four bytes, big-endian."""
        self.at += 4
        return int.from_bytes(self.data[self.at - 4 : self.at], "big")

    def string(self) -> bytes:
        """The next string."""
        start = self.at + 4
        self.at = start + self.number()
        if self.at > len(self.data):
            raise ValueError
        return self.data[start : self.at]


def _clear_fields(data: bytes) -> tuple[bytes, bytes, _Strings]:
    """Cipher name, public key blob and what follows of an openssh-key-v1 container; ValueError if it is damaged."""
    if not data.startswith(_MAGIC):
        raise ValueError
    strings = _Strings(data, len(_MAGIC))
    cipher, _kdf, _options = strings.string(), strings.string(), strings.string()
    if strings.number() != 1:
        raise ValueError
    return cipher, strings.string(), strings


def clear_seed(text: str) -> bytes | None:
    """The 32 secret bytes of an unencrypted key in its usual form; None for any other, which the library then reads."""
    try:
        cipher, _, rest = _clear_fields(base64.b64decode("".join(text.rstrip()[len(_BEGIN) : -len(_END)].split())))
        strings = _Strings(rest.string(), 0)
        twins = strings.number(), strings.number()
        kind, public, both = strings.string(), strings.string(), strings.string()
    except ValueError:
        return None
    usual = cipher == b"none" and twins[0] == twins[1] and kind == b"ssh-ed25519" and both[32:] == public
    return both[:32] if usual and len(both) == 64 else None
