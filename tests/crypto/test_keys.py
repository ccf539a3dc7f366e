"""Keys: making, finding, unlocking and refusing them; signing by file, ssh-agent and ssh-keygen; the dice root."""

from __future__ import annotations

import base64
import json
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given
from hypothesis import strategies as st

from pbem.crypto import dice, keys, sshsig
from pbem.crypto.hashing import lp
from pbem.errors import KeyProblem, Refused, Storage

T15 = json.loads((Path(__file__).parents[1] / "vectors" / "dice.json").read_text(encoding="ascii"))["T15"]
WORD = "correct horse"

needs_openssh = pytest.mark.skipif(
    not all(map(shutil.which, ("ssh-keygen", "ssh-add", "ssh-agent"))),
    reason="OPENSSH IS MISSING: signing through its tools wasn't tested; install openssh-client",
)


@pytest.fixture(autouse=True)
def no_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSH_AUTH_SOCK", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def no_bcrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bcrypt", None)


def ssh_keygen(*arguments: object) -> str:
    return subprocess.run(["ssh-keygen", *arguments], capture_output=True, text=True, check=True).stdout


def make(path: Path, kind: str = "ed25519", word: str = "", *more: str) -> Path:
    ssh_keygen("-q", "-t", kind, "-N", word, "-C", "anna@example", "-f", path, *more)
    return path


def never(path: str) -> str:
    raise AssertionError(f"asked for the passphrase of {path}")


def works(signer: keys.Signer) -> None:
    """It signs what verifies, and not something else; its dice root is that of its signature."""
    sshsig.verify(b"orders", signer.sign(b"orders"), signer.pub_blob)
    sshsig.verify_raw(
        signer.pub_blob[-32:],
        signer.raw_signature(b"orders", "other"),
        sshsig._to_be_signed(b"orders", "other"),
    )
    with pytest.raises(Refused, match="secret"):
        signer.sign(b"orders", sshsig.ROOT_NAMESPACE)
    root = keys.dice_root(signer, bytes(16), bytes(32))
    assert len(root) == 32
    assert keys.dice_root(signer, bytes(16), bytes(32)) == root
    assert (
        len({root, keys.dice_root(signer, b"\1" * 16, bytes(32)), keys.dice_root(signer, bytes(16), b"\1" * 32)}) == 3
    )


# Key files.


@needs_openssh
def test_a_key_made_by_ssh_keygen(tmp_path: Path) -> None:
    key = make(tmp_path / "key")
    signer = keys.load_signer(key, never)
    assert signer.hints == ()
    assert keys.to_text(signer.pub_blob, "anna@example") == Path(f"{key}.pub").read_text(encoding="ascii").strip()
    assert keys.fingerprint(signer.pub_blob) in ssh_keygen("-l", "-f", key)
    works(signer)
    assert keys.load_signer(Path(f"{key}.pub")).pub_blob == signer.pub_blob


@needs_openssh
def test_a_key_made_by_us(tmp_path: Path) -> None:
    key = tmp_path / "key"
    blob = keys.new_key(key, "anna@example")
    public = Path(f"{key}.pub").read_text(encoding="ascii")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert public == f"ssh-ed25519 {keys.to_token(blob)} anna@example\n"
    assert ssh_keygen("-y", "-f", key).split()[:2] == public.split()[:2]
    assert keys.load_signer(key).pub_blob == blob
    works(keys.load_signer(str(key)))


def test_the_umask_is_not_needed(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        keys.new_key(tmp_path / "key", "anna")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "key.pub").stat().st_mode) == 0o644


@pytest.mark.parametrize("taken", ["key", "key.pub"])
def test_a_key_is_never_overwritten(tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).write_text("precious", encoding="ascii")
    with pytest.raises(Storage, match="never overwritten") as caught:
        keys.new_key(tmp_path / "key", "anna")
    assert caught.value.where == str(tmp_path / taken)
    assert [(file.name, file.read_text(encoding="ascii")) for file in tmp_path.iterdir()] == [(taken, "precious")]


def test_a_broken_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "key").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Storage):
        keys.new_key(tmp_path / "key", "anna")
    assert not (tmp_path / "elsewhere").exists()


def test_nothing_is_left_of_a_key_that_cant_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Storage, match="No such file"):
        keys.new_key(tmp_path / "no" / "key", "anna")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Storage, match="No space left"):
        keys.new_key(tmp_path / "key", "anna")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        keys.new_key(tmp_path / "key", "anna")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("comment", ["anna\nbob", "änna", "a\x1b[1m"])
def test_a_comment_is_one_printable_line(tmp_path: Path, comment: str) -> None:
    with pytest.raises(KeyProblem, match="printable ASCII"):
        keys.new_key(tmp_path / "key", comment)
    assert list(tmp_path.iterdir()) == []


def test_two_keys_differ(tmp_path: Path) -> None:
    assert keys.new_key(tmp_path / "a", "") != keys.new_key(tmp_path / "b", "")


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_a_key_that_others_can_read_gives_a_hint(tmp_path: Path) -> None:
    keys.new_key(tmp_path / "key", "anna")
    assert keys.load_signer(tmp_path / "key").hints == ()
    (tmp_path / "key").chmod(0o640)
    assert keys.load_signer(tmp_path / "key").hints == (
        f"{tmp_path}/key can be read by others; chmod 600 {tmp_path}/key",
    )


# Refusals.


def test_there_is_no_key(tmp_path: Path) -> None:
    with pytest.raises(KeyProblem, match=r"no such key; ssh-keygen -t ed25519 -f .*nokey makes one"):
        keys.load_signer(tmp_path / "nokey")
    with pytest.raises(KeyProblem, match="can't be read: Is a directory"):
        keys.load_signer(tmp_path)
    for name in ("bad\0name", "long" * 999):
        with pytest.raises(KeyProblem, match="can't be read"):
            keys.load_signer(name)
        with pytest.raises(Storage, match="can't be written"):
            keys.new_key(name, "anna")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "not a private key"),
        ("hello\n", "not a private key"),
        ("\xff\xfe", "other bytes than ASCII"),
        ("-----BEGIN RSA PRIVATE KEY-----\n", "an RSA key; ssh-keygen -t ed25519"),
        ("-----BEGIN EC PRIVATE KEY-----\n", "an ECDSA key; ssh-keygen -t ed25519"),
        ("-----BEGIN PRIVATE KEY-----\n", "a PKCS#8 key; ssh-keygen -p"),
        ("PuTTY-User-Key-File-3: ssh-ed25519\n", "a PuTTY key; PuTTYgen"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", "cut off"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n", "damaged"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\n!\n-----END OPENSSH PRIVATE KEY-----\n", "damaged"),
        ("ssh-rsa AAAAB3NzaC1yc2E= bob\n", "type ssh-rsa; only Ed25519"),
        ("ecdsa-sha2-nistp256 AAAA bob\n", "type ecdsa-sha2-nistp256; only Ed25519"),
        ("ssh-ed25519\n", "not a public key"),
    ],
)
def test_files_that_are_no_usable_keys(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "key").write_text(content, encoding="latin-1")
    with pytest.raises(KeyProblem) as caught:
        keys.load_signer(tmp_path / "key", never)
    assert said in str(caught.value)
    assert caught.value.where == str(tmp_path / "key")


@needs_openssh
@pytest.mark.parametrize(
    ("kind", "more", "name"),
    [("rsa", ["-b", "2048"], "ssh-rsa"), ("ecdsa", [], "ecdsa-sha2-nistp256"), ("rsa", ["-m", "PEM"], "an RSA key")],
)
@pytest.mark.parametrize("word", ["", WORD])
def test_other_kinds_of_keys_say_how_to_make_one(
    tmp_path: Path, kind: str, more: list[str], name: str, word: str
) -> None:
    key = make(tmp_path / "key", kind, word, *more)
    for path in (key, Path(f"{key}.pub")):
        with pytest.raises(KeyProblem, match=rf"{name}.*ssh-keygen -t ed25519"):
            keys.load_signer(path, never)


def test_every_damage_to_a_key_file_is_one_exception(tmp_path: Path) -> None:
    """Each letter changed in turn: the file is refused, or (in comment and padding) still the same key."""
    key = tmp_path / "key"
    blob = keys.new_key(key, "anna")
    text = key.read_text(encoding="ascii")
    refused = 0
    for at in range(len(text)):
        key.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :], encoding="ascii")
        try:
            assert keys.load_signer(key, lambda path: WORD).pub_blob == blob
        except KeyProblem as problem:
            assert str(key) == problem.where  # noqa: PT017 either outcome is fine, but which exception isn't
            refused += 1
    assert refused > len(text) * 0.8


def _container(*fields: bytes, count: int = 1) -> str:
    """An encrypted key file that holds these strings before and after the count of keys."""
    strings = [lp(field) for field in fields]
    data = b"openssh-key-v1\0" + b"".join(strings[:3]) + count.to_bytes(4, "big") + b"".join(strings[3:])
    body = base64.b64encode(data).decode("ascii")
    return f"-----BEGIN OPENSSH PRIVATE KEY-----\n{body}\n-----END OPENSSH PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("fields", "count", "said"),
    [
        ((b"aes256-ctr", b"bcrypt", b"", sshsig.blob_from_raw(bytes(32))), 1, "no passphrase was given"),
        ((b"aes256-ctr", b"bcrypt", b"", sshsig.blob_from_raw(bytes(32))), 2, "the key is damaged; restore"),
        ((b"aes256-ctr", b"bcrypt", b""), 1, "the key is damaged; restore"),
        ((b"aes256-ctr", b"bcrypt", b"", b""), 1, "not an Ed25519 public key"),
    ],
)
def test_what_a_container_says_in_the_clear(tmp_path: Path, fields: list[bytes], count: int, said: str) -> None:
    (tmp_path / "key").write_text(_container(*fields, count=count), encoding="ascii")
    with pytest.raises(KeyProblem, match=said):
        keys.load_signer(tmp_path / "key")


def test_a_key_that_was_saved_with_carriage_returns(tmp_path: Path) -> None:
    blob = keys.new_key(tmp_path / "key", "anna")
    text = (tmp_path / "key").read_bytes()
    (tmp_path / "key").write_bytes(text.replace(b"\n", b"\r\n"))
    works(keys.load_signer(tmp_path / "key"))
    assert keys.from_text((tmp_path / "key.pub").read_text(encoding="ascii").replace("\n", "\r\n")) == blob


def test_a_public_key_that_isnt_the_private_ones(tmp_path: Path) -> None:
    """The blob in the clear is what others would be told; it must be that of the key that signs."""
    one, other = Ed25519PrivateKey.from_private_bytes(bytes(32)), Ed25519PrivateKey.from_private_bytes(b"\1" * 32)
    text = one.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode("ascii")
    data = base64.b64decode("".join(text.splitlines()[1:-1]))
    swapped = data.replace(one.public_key().public_bytes_raw(), other.public_key().public_bytes_raw(), 1)
    body = base64.b64encode(swapped).decode("ascii")
    fences = text.splitlines()[0], text.splitlines()[-1]
    (tmp_path / "key").write_text(f"{fences[0]}\n{body}\n{fences[1]}\n", encoding="ascii")
    with pytest.raises(KeyProblem, match=r"damaged|belong together"):
        keys.load_signer(tmp_path / "key")


# Encrypted keys.


@needs_openssh
def test_an_encrypted_key_of_ssh_keygen(tmp_path: Path) -> None:
    pytest.importorskip("bcrypt")
    key = make(tmp_path / "key", word=WORD)
    asked: list[str] = []
    signer = keys.load_signer(key, lambda path: asked.append(path) or WORD)
    assert asked == [str(key)]
    assert isinstance(signer, keys.FileSigner)
    assert keys.to_token(signer.pub_blob) in Path(f"{key}.pub").read_text(encoding="ascii")
    works(signer)


@needs_openssh
@pytest.mark.parametrize("word", [WORD, "pässwort", "x" * 200])
def test_an_encrypted_key_of_ours(tmp_path: Path, word: str) -> None:
    pytest.importorskip("bcrypt")
    blob = keys.new_key(tmp_path / "key", "anna", word)
    assert keys.load_signer(tmp_path / "key", lambda path: word).pub_blob == blob
    assert keys.to_token(blob) in ssh_keygen("-y", "-P", word, "-f", tmp_path / "key")


def test_passphrases_missing_wrong_and_empty(tmp_path: Path) -> None:
    pytest.importorskip("bcrypt")
    key = tmp_path / "key"
    keys.new_key(key, "anna", WORD)
    with pytest.raises(KeyProblem, match=r"encrypted and no passphrase was given; ssh-add"):
        keys.load_signer(key)
    with pytest.raises(KeyProblem, match="passphrase is wrong") as caught:
        keys.load_signer(key, lambda path: "sesame-17")
    assert "sesame" not in repr(caught.value) + str(caught.value)
    with pytest.raises(KeyProblem, match="empty"):
        keys.load_signer(key, lambda path: "")
    with pytest.raises(KeyProblem, match="empty"):
        keys.new_key(tmp_path / "other", "anna", "")


@pytest.mark.usefixtures("no_bcrypt")
def test_without_bcrypt_no_encrypted_key_is_made(tmp_path: Path) -> None:
    with pytest.raises(KeyProblem, match=r"needs the package bcrypt; pip install bcrypt, or ssh-keygen"):
        keys.new_key(tmp_path / "key", "anna", WORD)
    assert list(tmp_path.iterdir()) == []


def _askpass(folder: Path, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = folder / "askpass"
    script.write_text(f"#!/bin/sh\necho '{word}'\n", encoding="ascii")
    script.chmod(0o700)
    monkeypatch.setenv("SSH_ASKPASS", str(script))
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")


@needs_openssh
@pytest.mark.usefixtures("no_bcrypt")
def test_without_bcrypt_ssh_keygen_unlocks_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = make(tmp_path / "key", word=WORD)
    signer = keys.load_signer(key, never)
    assert isinstance(signer, keys.ToolSigner)
    assert "pip install bcrypt" in signer.hints[0]
    _askpass(tmp_path, WORD, monkeypatch)
    works(signer)
    _askpass(tmp_path, "wrong", monkeypatch)
    with pytest.raises(KeyProblem, match=r"ssh-keygen can't sign: .*passphrase"):
        signer.sign(b"orders")
    with pytest.raises(KeyProblem, match="no passphrase was given"):
        keys.load_signer(key)


# ssh-agent and ssh-keygen.


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    socket = tmp_path / "agent"
    process = subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.DEVNULL)
    while not socket.exists() and process.poll() is None:
        time.sleep(0.01)
    monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
    yield
    process.terminate()
    process.wait()


def add(key: Path) -> None:
    subprocess.run(["ssh-add", "-q", key], check=True, capture_output=True)


@needs_openssh
@pytest.mark.usefixtures("agent")
@pytest.mark.parametrize("name", ["key", "key.pub"])
def test_the_private_key_is_only_in_the_agent(tmp_path: Path, name: str) -> None:
    key = make(tmp_path / "key")
    by_file = keys.load_signer(key)
    add(key)
    key.unlink()
    signer = keys.load_signer(tmp_path / name)
    assert isinstance(signer, keys.ToolSigner)
    works(signer)
    assert signer.sign(b"orders") == by_file.sign(b"orders")
    root = keys.dice_root(by_file, bytes(16), bytes(32))
    assert keys.dice_root(signer, bytes(16), bytes(32)) == root, "the dice don't depend on the way"


@needs_openssh
@pytest.mark.usefixtures("agent")
def test_the_agent_is_asked_before_the_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = make(tmp_path / "key", word=WORD)
    _askpass(tmp_path, WORD, monkeypatch)
    add(key)
    monkeypatch.delenv("SSH_ASKPASS")
    works(keys.load_signer(key, never))
    works(keys.load_signer(key))


@needs_openssh
@pytest.mark.usefixtures("agent")
def test_the_agent_doesnt_hold_the_key(tmp_path: Path) -> None:
    add(make(tmp_path / "other"))
    key = make(tmp_path / "key")
    key.unlink()
    with pytest.raises(KeyProblem, match=r"ssh-agent doesn't hold the private one; ssh-add"):
        keys.load_signer(key)


@needs_openssh
@pytest.mark.usefixtures("agent")
def test_the_agent_forgets_the_key(tmp_path: Path) -> None:
    key = make(tmp_path / "key")
    add(key)
    key.unlink()
    signer = keys.load_signer(key)
    subprocess.run(["ssh-add", "-q", "-D"], check=True, capture_output=True)
    with pytest.raises(KeyProblem, match="ssh-keygen can't sign"):
        signer.sign(b"orders")


def test_a_public_key_without_agent(tmp_path: Path) -> None:
    keys.new_key(tmp_path / "key", "anna")
    (tmp_path / "key").unlink()
    with pytest.raises(KeyProblem, match="ssh-agent doesn't hold"):
        keys.load_signer(tmp_path / "key")


def test_the_tools_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    signer = keys.ToolSigner(tmp_path / "key", keys.new_key(tmp_path / "key", "anna"))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(KeyProblem, match="ssh-keygen isn't installed"):
        signer.sign(b"orders")


@needs_openssh
def test_ssh_keygen_that_signs_with_another_key_is_noticed(tmp_path: Path) -> None:
    signer = keys.ToolSigner(make(tmp_path / "key"), keys.load_signer(make(tmp_path / "other")).pub_blob)
    with pytest.raises(KeyProblem, match="no valid signature: it was made with another key"):
        signer.sign(b"orders")


# The root of the dice, and secrecy.


def _signer_of_t15(folder: Path) -> keys.Signer:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(T15["private_seed"]))
    text = key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    handle = os.open(folder / "t15", os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(text)
    return keys.load_signer(folder / "t15")


def test_t15_through_a_key_file(tmp_path: Path) -> None:
    signer, gnonce, prev = _signer_of_t15(tmp_path), *(bytes.fromhex(T15[name]) for name in ("gnonce", "prev"))
    sig64 = signer.raw_signature(dice.root_message(gnonce, prev), sshsig.ROOT_NAMESPACE)
    assert sig64.hex() == T15["sig64"]
    assert keys.dice_root(signer, gnonce, prev).hex() == T15["root"]
    assert dice.player_id(signer.pub_blob, gnonce, prev).hex() == T15["player_id"]


@needs_openssh
def test_t15_through_ssh_keygen(tmp_path: Path) -> None:
    signer = keys.ToolSigner(tmp_path / "t15", _signer_of_t15(tmp_path).pub_blob)
    assert keys.dice_root(signer, bytes.fromhex(T15["gnonce"]), bytes.fromhex(T15["prev"])).hex() == T15["root"]


def test_a_root_needs_a_whole_nonce(tmp_path: Path) -> None:
    signer = _signer_of_t15(tmp_path)
    for sizes in ((15, 32), (17, 32), (16, 31), (16, 33)):
        with pytest.raises(
            Refused, match=f"a gnonce of {sizes[0]} bytes and a prev of {sizes[1]}; 16 and 32 are needed"
        ):
            keys.dice_root(signer, *map(bytes, sizes))


def test_no_secret_shows(tmp_path: Path) -> None:
    signer = _signer_of_t15(tmp_path)
    tool = keys.ToolSigner(tmp_path / "t15", signer.pub_blob)
    assert repr(signer) == f"{signer!s}" == f"FileSigner({keys.fingerprint(signer.pub_blob)})"
    assert keys.fingerprint(signer.pub_blob) in repr(tool)
    secret = bytes.fromhex(T15["private_seed"])
    shown = (repr(signer) + repr(tool)).encode()
    assert all(form not in shown for form in (secret, secret.hex().encode(), base64.b64encode(secret)))


# Public keys as text.


@given(st.binary(min_size=32, max_size=32))
def test_texts_and_tokens(raw: bytes) -> None:
    blob = sshsig.blob_from_raw(raw)
    token = keys.to_token(blob)
    assert len(token) == 68
    assert token.startswith("AAAA")
    assert keys.from_token(token) == keys.from_text(f"ssh-ed25519 {token}") == blob
    assert keys.from_text(keys.to_text(blob, "anna bob") + "\n") == blob


@given(st.text(max_size=80))
def test_any_token_is_a_key_or_one_exception(token: str) -> None:
    with pytest.raises(KeyProblem):
        keys.from_token(token)
    with pytest.raises(KeyProblem):
        keys.from_text(token)


def test_almost_tokens() -> None:
    token = keys.to_token(sshsig.blob_from_raw(bytes(range(32))))
    for wrong in (
        token[:-1],
        token + "=",
        token + "AAAA",
        " " + token,
        token[:30] + "\n" + token[30:],
        "B" + token[1:],
    ):
        with pytest.raises(KeyProblem):
            keys.from_token(wrong)
    for text in (f"ssh-ed25519 {token}\nssh-ed25519 {token}\n", token, f"ssh-rsa {token}"):
        with pytest.raises(KeyProblem):
            keys.from_text(text)
    with pytest.raises(KeyProblem):
        keys.to_token(b"x")
