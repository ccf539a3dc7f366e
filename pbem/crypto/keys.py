"""Players' keys: make one, find and unlock it, sign with it, grow the root of the dice from it (protocol 1.4, 3.3)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol

from pbem.crypto import dice, sshsig
from pbem.crypto.openssh import (
    Container,
    clear_seed,
    fingerprint,
    from_text,
    from_token,
    read_container,
    to_text,
    to_token,
)
from pbem.crypto.sshsig import NAMESPACE, ROOT_NAMESPACE
from pbem.disk import open_regular
from pbem.errors import BadSignature, KeyProblem, Storage

if TYPE_CHECKING:  # imported where used: a command that needs no key doesn't pay for it
    import subprocess

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

__all__ = [
    "FileSigner",
    "Signer",
    "ToolSigner",
    "dice_root",
    "fingerprint",
    "from_text",
    "from_token",
    "load_signer",
    "new_key",
    "to_text",
    "to_token",
]

Passphrase = Callable[[str], str]
"""Asks the player for the passphrase of the key file named."""

FILE_MAX = 65536
"""Bytes of a key file."""


class Signer(Protocol):
    """One who signs for a player. No secret shows in `repr`, in messages or in exceptions."""

    @property
    def pub_blob(self) -> bytes:
        """The SSH public key blob, 51 bytes."""

    @property
    def hints(self) -> tuple[str, ...]:
        """What the player should be told about his key: nothing, or warnings in one line each."""

    def sign(self, payload: bytes, namespace: str = NAMESPACE) -> str:
        """The armored signature of `payload`; raises KeyProblem if the key can't be had, Refused for the dice root."""

    def raw_signature(self, payload: bytes, namespace: str) -> bytes:
        """The same signature's 64 bytes R || S, in any namespace."""


class FileSigner:
    """Signs with a private key that has been read from a file."""

    def __init__(self, private_key: Ed25519PrivateKey, hints: tuple[str, ...] = ()) -> None:
        self._private_key = private_key
        self.pub_blob = sshsig.blob_from_raw(private_key.public_key().public_bytes_raw())
        self.hints = hints

    def sign(self, payload: bytes, namespace: str = NAMESPACE) -> str:
        """See Signer.sign."""
        return sshsig.sign(self._private_key, payload, namespace)

    def raw_signature(self, payload: bytes, namespace: str) -> bytes:
        """See Signer.raw_signature."""
        return sshsig.sign_raw(self._private_key, payload, namespace)

    def __repr__(self) -> str:
        return f"FileSigner({fingerprint(self.pub_blob)})"


class ToolSigner:
    """Signs through `ssh-keygen -Y sign`, which asks ssh-agent, or for the passphrase itself."""

    def __init__(self, path: Path, pub_blob: bytes, hints: tuple[str, ...] = ()) -> None:
        self._path = path
        self.pub_blob = pub_blob
        self.hints = hints

    def sign(self, payload: bytes, namespace: str = NAMESPACE) -> str:
        """See Signer.sign; the block is made anew from the verified signature, so it has the usual form."""
        sshsig.refuse_root(namespace)
        return sshsig.armor(self.pub_blob, namespace, self.raw_signature(payload, namespace))

    def raw_signature(self, payload: bytes, namespace: str) -> bytes:
        """See Signer.raw_signature; verified before it is given out."""
        done = _run("ssh-keygen", "-Y", "sign", "-n", namespace, "-f", str(self._path), stdin=payload)
        if done.returncode != 0:
            said = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if "Signing data" not in line]
            what = ascii(" ".join(said))[1:-1][:300]
            raise KeyProblem(f"ssh-keygen can't sign: {what}", str(self._path), f"ssh-add {self._path} may help")
        try:
            armored = done.stdout.decode("ascii", "replace").replace("\r\n", "\n")
            sshsig.verify(payload, armored, self.pub_blob, namespace)
            return sshsig.dearmor(armored).sig64
        except BadSignature as bad:
            raise KeyProblem(f"ssh-keygen made no valid signature: {bad.what}", str(self._path)) from None

    def __repr__(self) -> str:
        return f"ToolSigner({str(self._path)!r}, {fingerprint(self.pub_blob)})"


def dice_root(signer: Signer, gnonce: bytes, prev: bytes) -> bytes:
    """The 32 secret bytes that a chain of `signer` grows from at one place of one game (protocol 3.3); never show them.

    `gnonce` has 16 bytes; `prev`, 32, is that of the entry which names the chain's anchor.
    """
    message = dice.root_message(gnonce, prev)
    return dice.root_from_signature(signer.raw_signature(message, ROOT_NAMESPACE), gnonce, prev)


# Finding the key.


def load_signer(path: str | os.PathLike[str], passphrase: Passphrase | None = None) -> Signer:
    """The signer for a key file: KEY, or KEY.pub when the private key is in ssh-agent.

    `passphrase` is called with the file's name at most once, and only if the key is encrypted and not in ssh-agent;
    None means that nobody can be asked. Without the package bcrypt, ssh-keygen asks in its place, at each signature.
    Raises KeyProblem: missing or unreadable, not a key, not Ed25519, passphrase missing or wrong.
    """
    private = Path(path).with_suffix("") if Path(path).suffix == ".pub" else Path(path)
    public = Path(f"{private}.pub")
    if not os.path.exists(private) and os.path.exists(public):
        return _agent_signer(public, _read(public))
    text = _read(private)
    if text.startswith(("ssh-", "ecdsa-", "sk-")):
        return _agent_signer(private, text)
    container = read_container(text, str(private))
    hints = _permission_hints(private)
    if container.encrypted:
        return _encrypted_signer(private, text, container, passphrase, hints)
    return FileSigner(_unlock(private, text, container, None), hints)


def clear_public(text: str) -> bytes | None:
    """The public key that belongs to the secret of an unencrypted private key; None of any other file."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    seed = clear_seed(text)
    return FileSigner(Ed25519PrivateKey.from_private_bytes(seed)).pub_blob if seed is not None else None


def _agent_signer(path: Path, text: str) -> ToolSigner:
    try:
        pub_blob = from_text(text)
    except KeyProblem as problem:
        raise KeyProblem(problem.what, str(path), problem.hint) from None
    if not _in_agent(pub_blob):
        raise KeyProblem(
            "only the public key is here, and ssh-agent doesn't hold the private one", str(path), "ssh-add KEY"
        )
    return ToolSigner(path, pub_blob)


def _encrypted_signer(
    path: Path, text: str, container: Container, passphrase: Passphrase | None, hints: tuple[str, ...]
) -> Signer:
    if _in_agent(container.pub_blob):
        return ToolSigner(path, container.pub_blob, hints)
    if passphrase is None:
        raise KeyProblem("the key is encrypted and no passphrase was given", str(path), f"ssh-add {path} unlocks it")
    if not _have_bcrypt():
        more = "ssh-keygen will ask for the passphrase at each signature; pip install bcrypt makes it once a command"
        return ToolSigner(path, container.pub_blob, (*hints, more))
    word = passphrase(str(path)).encode("utf-8", "surrogateescape")
    if not word:
        raise KeyProblem("the key is encrypted and the passphrase given is empty", str(path))
    return FileSigner(_unlock(path, text, container, word), hints)


def _unlock(path: Path, text: str, container: Container, passphrase: bytes | None) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    seed = clear_seed(text)  # the usual key is read here: the library's reader takes longer to import than all the rest
    key = _read_by_library(path, text, passphrase) if seed is None else Ed25519PrivateKey.from_private_bytes(seed)
    if sshsig.blob_from_raw(key.public_key().public_bytes_raw()) != container.pub_blob:
        _damaged(path, "the file's public and private key don't belong together", "restore the file from a backup")
    return key


def _read_by_library(path: Path, text: str, passphrase: bytes | None) -> Ed25519PrivateKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    key = None
    try:
        key = load_ssh_private_key(text.encode("ascii"), passphrase)
    except UnsupportedAlgorithm:
        _damaged(path, "the key is encrypted in a way that isn't supported", "ssh-keygen -p -f FILE encrypts it anew")
    except (ValueError, TypeError):
        if passphrase is not None:
            _damaged(path, "the passphrase is wrong, or the key is damaged", "try again")
    if not isinstance(key, Ed25519PrivateKey):
        _damaged(path, "the key is damaged", "restore the file from a backup")
    return key


def _damaged(path: Path, what: str, hint: str) -> NoReturn:
    raise KeyProblem(what, str(path), hint) from None  # the library's own message is dropped: it may quote the file


def _read(path: Path) -> str:
    try:
        with open_regular(path) as file:
            data = file.read(FILE_MAX)
    except FileNotFoundError:
        raise KeyProblem("there is no such key", str(path), f"ssh-keygen -t ed25519 -f {path} makes one") from None
    except (OSError, ValueError) as error:
        raise KeyProblem(f"the key can't be read: {_reason(error)}", str(path)) from None
    if not data.isascii():
        raise KeyProblem("not a key: it holds other bytes than ASCII", str(path), "give the file that ssh-keygen made")
    return data.decode("ascii").replace("\r\n", "\n")


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or "not a file name"


def _permission_hints(path: Path) -> tuple[str, ...]:
    if os.name != "posix" or not path.stat().st_mode & 0o077:
        return ()
    return (f"{path} can be read by others; chmod 600 {path}",)


def _have_bcrypt() -> bool:
    try:
        import bcrypt
    except ImportError:
        return False
    return hasattr(bcrypt, "kdf")


# The tools of OpenSSH.


def _run(tool: str, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run one of OpenSSH's tools; a passphrase is asked for on the terminal or through SSH_ASKPASS, never by us."""
    import subprocess

    program = _which(tool)
    if program is None:
        raise KeyProblem(f"{tool} isn't installed", hint="install OpenSSH's client, or use a key without passphrase")
    try:
        return subprocess.run([program, *arguments], input=stdin, capture_output=True, check=False)  # noqa: S603 no shell
    except OSError as error:
        raise KeyProblem(f"{tool} can't be started: {error.strerror}") from None


def _which(tool: str) -> str | None:
    from shutil import which  # imported where used, as most keys need no tool

    return which(tool)


def _in_agent(pub_blob: bytes) -> bool:
    if not os.environ.get("SSH_AUTH_SOCK") or _which("ssh-add") is None:
        return False
    return to_token(pub_blob).encode("ascii") in _run("ssh-add", "-L").stdout.split()


# Making a key.


def new_key(path: str | os.PathLike[str], comment: str, passphrase: str | None = None) -> bytes:
    """Make an Ed25519 key: `path` (OpenSSH format, mode 0600) and `path`.pub; returns the public key blob.

    Neither file is ever overwritten; on any failure neither is left. Raises Storage, and KeyProblem for an empty
    passphrase, a comment that isn't printable ASCII, or a passphrase without the package bcrypt.
    """
    if not comment.isascii() or not comment.isprintable():
        raise KeyProblem("a key's comment must be printable ASCII", str(path), "letters of English, digits, @ . -")
    if passphrase is not None:
        if not passphrase:
            raise KeyProblem("the passphrase is empty", str(path), "leave it out for a key without one")
        if not _have_bcrypt():
            hint = f"pip install bcrypt, or ssh-keygen -t ed25519 -f {path} makes the same key"
            raise KeyProblem("encrypting a key needs the package bcrypt", str(path), hint)
    private_text, pub_blob = _generate(passphrase)
    public_text = to_text(pub_blob, comment).encode("ascii") + b"\n"
    _write_pair({Path(path): (private_text, 0o600), Path(f"{os.fspath(path)}.pub"): (public_text, 0o644)})
    return pub_blob


def _generate(passphrase: str | None) -> tuple[bytes, bytes]:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    lock: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase is not None:
        lock = serialization.BestAvailableEncryption(passphrase.encode("utf-8", "surrogateescape"))
    key = Ed25519PrivateKey.generate()
    text = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, lock)
    return text, sshsig.blob_from_raw(key.public_key().public_bytes_raw())


def _write_pair(files: dict[Path, tuple[bytes, int]]) -> None:
    """Create all files with their modes, or none; raises Storage."""
    made: list[Path] = []
    try:
        for path, (content, mode) in files.items():
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
            made.append(path)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
    except BaseException as error:  # an interrupt too must leave nothing behind
        for path in made:
            path.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            what, hint = "the file exists, and keys are never overwritten", "choose another name"
        elif isinstance(error, (OSError, ValueError)):
            what, hint = f"the key can't be written: {_reason(error)}", ""
        else:
            raise
        raise Storage(what, str(getattr(error, "filename", None) or next(iter(files))), hint) from None
