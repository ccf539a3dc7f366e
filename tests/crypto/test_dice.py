"""Dice: the vectors of the protocol, exact unbiasedness, properties. tools/audit.py derives them a second time."""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import json
import math
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from pbem.crypto import dice
from pbem.crypto.keys import FileSigner
from pbem.errors import BadLog, Refused
from pbem.match.agreements import check_proof, proof_message
from pbem.match.compose import Secrets
from pbem.wire.bodies import read_body
from pbem.wire.entry import build_entry, parse_entry

HERE = Path(__file__).parents[1]
T = json.loads((HERE / "vectors" / "dice.json").read_text(encoding="ascii"))
SEED = bytes.fromhex(T["T4"]["seed"])
X_1 = bytes.fromhex(T["T4"]["x_1"])
ME = bytes.fromhex(T["T1"]["player_id"])
LABEL = st.text("abcdefghijklmnopqrstuvwxyz0123456789./-", min_size=1, max_size=64)


# A second way, in the words of the protocol.


def lp(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def sshsig(namespace: bytes, message: bytes) -> bytes:
    return b"SSHSIG" + lp(namespace) + lp(b"") + lp(b"sha512") + lp(hashlib.sha512(message).digest())


def hkdf(ikm: bytes, salt: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=info).derive(ikm)


def stream(label: str) -> Iterator[int]:
    """The bytes of a roll from the seed of T4."""
    key = hmac.digest(SEED, lp(b"pbem-roll/1") + lp(label.encode()), "sha256")
    for i in itertools.count():
        yield from hmac.digest(key, lp(b"pbem-block/1") + i.to_bytes(4, "big"), "sha256")


# The vectors of docs/protocol.md.


def test_t1_player_id() -> None:
    assert T["T1"]["prev"] == hashlib.sha256(b"example offer").hexdigest()
    assert dice.player_id(*(bytes.fromhex(T["T1"][name]) for name in ("pub_blob", "gnonce", "prev"))) == ME


def test_t2_chain() -> None:
    chain = dice.chain(bytes.fromhex(T["T2"]["root"]), ME, T["T2"]["n"])
    assert {i: chain[int(i)].hex() for i in T["T2"]["x"]} == T["T2"]["x"]
    assert chain.anchor.hex() == T["T2"]["x"]["0"]
    assert len(chain) == 1000


def test_t3_t4_entry_hash_and_seed() -> None:
    entry_hash = dice.entry_hash(T["T3"]["payload"].encode())
    assert entry_hash.hex() == T["T3"]["entry_hash"]
    assert T["T4"]["game_id"] == hashlib.sha256(b"example game").hexdigest()
    assert dice.seed(X_1, bytes.fromhex(T["T4"]["game_id"]), T["T4"]["seq"], entry_hash) == SEED


@pytest.mark.parametrize("name", ["T5", "T6", "T7", "T8"])
def test_t5_to_t8_rolls(name: str) -> None:
    assert dice.roll(SEED, T[name]["label"], T[name]["dice"], T[name]["sides"]) == T[name]["result"]


def test_t10_draw() -> None:
    assert dice.draw(SEED, T["T10"]["label"], T["T10"]["cup"], T["T10"]["count"]) == T["T10"]["result"]
    assert dice.draw(SEED, T["T10"]["label"], T["T10"]["cup"][::-1], T["T10"]["count"]) == T["T10"]["result"]


def test_t14_another_hex_gives_other_dice() -> None:
    payload = T["T3"]["payload"].replace(*T["T14"]["replace"]).encode()
    seed = dice.seed(X_1, bytes.fromhex(T["T4"]["game_id"]), T["T4"]["seq"], dice.entry_hash(payload))
    assert seed.hex() == T["T14"]["seed"]
    assert dice.roll(seed, T["T14"]["label"], 2, 6) == T["T14"]["result"]


def test_t1_to_t14_once_more_in_the_words_of_the_protocol() -> None:
    blob, gnonce, prev = (bytes.fromhex(T["T1"][name]) for name in ("pub_blob", "gnonce", "prev"))
    assert hashlib.sha256(lp(b"pbem-player/1") + lp(blob) + lp(gnonce) + lp(prev)).hexdigest() == T["T1"]["player_id"]
    x = hkdf(bytes.fromhex(T["T2"]["root"]), b"pbem-chain-top/1", ME + (1000).to_bytes(4, "big"))
    for i in range(1000, -1, -1):
        assert T["T2"]["x"].get(str(i), x.hex()) == x.hex()
        x = hashlib.sha256(lp(b"pbem-chain/1") + ME + i.to_bytes(4, "big") + x).digest()
    for payload, vector in ((T["T3"]["payload"], T["T4"]), (T["T3"]["payload"].replace("1404", "1403"), T["T14"])):
        entry = hashlib.sha256(lp(b"pbem-entry/1") + lp(payload.encode())).digest()
        text = lp(b"pbem-seed/1") + bytes.fromhex(T["T4"]["game_id"]) + (14).to_bytes(8, "big") + entry
        assert hmac.digest(X_1, text, "sha256").hex() == vector["seed"]
    for name in ("T5", "T6", "T7", "T8"):
        octets = stream(T[name]["label"])
        sides = T[name]["sides"]
        fair = (octet for octet in octets if octet < 256 // sides * sides)
        assert [1 + next(fair) % sides for _ in range(T[name]["dice"])] == T[name]["result"]
    cup, octets = sorted(T["T10"]["cup"]), stream(T["T10"]["label"])
    for i in range(T["T10"]["count"]):
        left = len(cup) - i
        j = i + next(octet for octet in octets if octet < 256 // left * left) % left
        cup[i], cup[j] = cup[j], cup[i]
    assert cup[: T["T10"]["count"]] == T["T10"]["result"]


def secrets_of(vector: dict[str, Any]) -> Secrets:
    """What the program makes of a vector's private key at its place."""
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(vector["private_seed"]))
    return Secrets(FileSigner(key), bytes.fromhex(vector["gnonce"]), bytes.fromhex(vector["prev"]), vector["n"])


@pytest.mark.parametrize("name", ["T15", "T16", "T17"])
def test_t15_to_t17_root_and_chain_of_a_key(name: str) -> None:
    """By the program; and its signature, HKDF and hashes once more, in the words of the protocol."""
    vector = T[name]
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(vector["private_seed"]))
    gnonce, prev = bytes.fromhex(vector["gnonce"]), bytes.fromhex(vector["prev"])
    blob = lp(b"ssh-ed25519") + lp(key.public_key().public_bytes_raw())
    text = f"pbem dice root 1\n{vector['gnonce']}\n{vector['prev']}\n".encode()
    sig64 = key.sign(sshsig(b"pbem-root-v1", text))
    assert sig64.hex() == vector.get("sig64", sig64.hex())
    root = hkdf(sig64, b"pbem-root/1", gnonce + prev)
    assert root.hex() == vector["root"] == dice.root_from_signature(sig64, gnonce, prev).hex()
    assert dice.root_message(gnonce, prev) == text
    me = hashlib.sha256(lp(b"pbem-player/1") + lp(blob) + lp(gnonce) + lp(prev)).digest()
    assert me.hex() == vector["player_id"] == dice.player_id(blob, gnonce, prev).hex()
    x = {vector["n"]: hkdf(root, b"pbem-chain-top/1", me + vector["n"].to_bytes(4, "big"))}
    for i in range(vector["n"], 0, -1):
        x[i - 1] = hashlib.sha256(lp(b"pbem-chain/1") + me + i.to_bytes(4, "big") + x[i]).digest()
    secrets = secrets_of(vector)
    for i, value in vector.get("x", {}).items():
        assert x[int(i)].hex() == value == secrets.value(int(i)).hex()
    assert secrets.anchor == dice.Anchor(vector["n"], x[0], gnonce, prev)
    assert all(secrets.value(i) == value for i, value in x.items())


def test_t15_the_nonce_of_an_entry() -> None:
    nonce = T["T15"]["nonce"]
    prev = bytes.fromhex(nonce["prev"])
    assert prev == hashlib.sha256(b"example previous entry").digest()
    assert secrets_of(T["T15"]).nonce(nonce["seq"], prev) == nonce["value"]
    again = hkdf(bytes.fromhex(T["T15"]["root"]), b"pbem-nonce/1", nonce["seq"].to_bytes(8, "big") + prev)
    assert again[:16].hex() == nonce["value"]


def test_t16_the_proof_of_a_new_key() -> None:
    """The message as the program makes it of the entry; and R S as the key itself makes them of SSHSIG's bytes."""
    vector = T["T16"]
    entry = parse_entry(vector["payload"].encode())
    named = read_body(entry).named
    assert named is not None
    assert entry.anchor is not None
    message = proof_message(vector["game_id"], vector["seq"], vector["prev"], vector["player"], entry.anchor, named)
    assert message.decode() == vector["message"]
    assert hashlib.sha512(message).hexdigest() == vector["sha512"]
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(vector["private_seed"]))
    assert key.sign(sshsig(b"pbem-key-v1", message)).hex() == "".join(vector["proof"]) == named.proof.hex()
    assert FileSigner(key).raw_signature(message, "pbem-key-v1") == named.proof
    assert check_proof(entry, vector["player"], named, "entry 14") == secrets_of(vector).anchor
    with pytest.raises(BadLog, match="the proof isn't one of the new key's owner"):
        check_proof(entry, "ben", named, "entry 14")


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="SSH-KEYGEN IS MISSING: install openssh-client")
def test_t16_ssh_keygen_verifies_the_proof(tmp_path: Path) -> None:
    vector = T["T16"]
    blob = base64.b64decode(vector["message"].split("key ssh-ed25519 ")[1][:68])
    signature = lp(b"ssh-ed25519") + lp(bytes.fromhex("".join(vector["proof"])))
    fields = (blob, b"pbem-key-v1", b"", b"sha512", signature)
    letters = base64.encodebytes(b"SSHSIG\0\0\0\1" + b"".join(map(lp, fields))).decode()
    armored = f"-----BEGIN SSH SIGNATURE-----\n{letters}-----END SSH SIGNATURE-----\n"
    (tmp_path / "sig").write_text(armored, newline="\n")
    (tmp_path / "keys").write_text(f"asuka ssh-ed25519 {base64.b64encode(blob).decode()}\n", newline="\n")
    command = ["ssh-keygen", "-Y", "verify", "-f", "keys", "-I", "asuka", "-n", "pbem-key-v1", "-s", "sig"]
    for message, good in ((vector["message"], True), (vector["message"].replace("seq 14", "seq 15"), False)):
        done = subprocess.run(command, cwd=tmp_path, input=message.encode(), capture_output=True, check=False)
        assert (done.returncode == 0, b"Good" in done.stdout) == (good, good)


@pytest.mark.parametrize("name", ["T16", "T17"])
def test_t16_t17_the_entries(name: str) -> None:
    """What the program reads in C, writes again, and hashes, is what the vector says."""
    vector = T[name]
    payload = vector["payload"].encode()
    assert len(payload) == {"T16": 723, "T17": 423}[name]
    entry = parse_entry(payload)
    secrets, nonces = secrets_of(vector), secrets_of(T["T15"] if name == "T16" else vector)
    assert entry.anchor == secrets.anchor
    assert entry.nonce == nonces.nonce(entry.seq, bytes.fromhex(vector["prev"]))
    assert entry.reveal == ((1, T["T15"]["x"]["1"]) if name == "T16" else None)
    assert entry.state == hashlib.sha256(b"example state").hexdigest()
    assert entry.game == hashlib.sha256(b"example game").hexdigest()
    head = {field: getattr(entry, field) for field in ("kind", "game", "seq", "prev", "by", "nonce", "anchor")}
    assert build_entry(**head, reveal=entry.reveal, state=entry.state, body=entry.body).payload == payload
    again = hashlib.sha256(lp(b"pbem-entry/1") + lp(payload)).hexdigest()
    assert dice.entry_hash(payload).hex() == vector["entry_hash"] == again


def test_hkdf_is_rfc_5869_case_1() -> None:
    salt, info = bytes(range(13)), bytes(range(0xF0, 0xFA))
    okm = dice._hkdf(b"\x0b" * 22, salt.decode("ascii"), info, 32)
    assert okm.hex() == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"


# The chain.


def begun(chain: dice.Chain, player: bytes = ME) -> dice.Revealed:
    """A chain as all see it, with nothing revealed."""
    return dice.Revealed(player, len(chain), 0, chain.anchor)


def test_reveals_are_checked_against_the_one_before() -> None:
    chain = dice.chain(bytes(32), ME, 5)
    seen = begun(chain)
    with pytest.raises(BadLog, match="chain value 1 is wrong: it doesn't lead to the anchor"):
        seen.reveal(1, chain[2])
    with pytest.raises(BadLog, match="chain value 1 is wrong"):
        seen.reveal(1, chain[1][:31])
    for j in range(1, 6):
        assert (seen.shown, seen.left) == (j - 1, 6 - j)
        with pytest.raises(BadLog, match=f"chain value {j + 1} is revealed"):
            seen.reveal(j + 1, chain[j])
        seen = seen.reveal(j, chain[j])
        with pytest.raises(BadLog, match=f"chain value {j} is revealed"):
            seen.reveal(j, chain[j])
    with pytest.raises(BadLog, match="only 5 values"):
        seen.reveal(6, bytes(32))
    with pytest.raises(BadLog, match="chain value 3 is wrong: it doesn't lead to value 2"):
        begun(chain).reveal(1, chain[1]).reveal(2, chain[2]).reveal(3, chain[4])


def test_the_mirror_of_an_anchor_is_useless() -> None:
    """One who copies the other's anchor can't answer with the other's reveals: they are bound to the player."""
    theirs = dice.chain(bytes(32), ME, 5)
    assert begun(theirs).reveal(1, theirs[1]).newest == theirs[1]
    with pytest.raises(BadLog):
        begun(theirs, dice.player_id(b"another key", bytes(16), bytes(32))).reveal(1, theirs[1])


@pytest.mark.parametrize("changed", ["key", "gnonce", "prev"])
def test_a_chain_belongs_to_one_key_one_gnonce_and_one_place(changed: str) -> None:
    """Player, root and so every value differ as soon as one of the three does."""
    place = {"key": 1, "gnonce": 2, "prev": 3}

    def made(number: dict[str, int]) -> Secrets:
        key = Ed25519PrivateKey.from_private_bytes(bytes([number["key"]]) * 32)
        return Secrets(FileSigner(key), bytes([number["gnonce"]]) * 16, bytes([number["prev"]]) * 32, 5)

    one, same, other = made(place), made(place), made(place | {changed: 9})
    assert [one.value(i) for i in range(6)] == [same.value(i) for i in range(6)]
    assert not {one.value(i) for i in range(6)} & {other.value(i) for i in range(6)}
    assert (one.nonce(7, bytes(32)) == other.nonce(7, bytes(32))) is False


def test_a_chain_shows_only_its_anchor() -> None:
    chain = dice.chain(bytes(32), ME, 3)
    assert repr(chain) == f"{chain!s}" == f"Chain(anchor={chain.anchor.hex()}, n=3)"
    for i in (-1, 4):
        with pytest.raises(Refused, match="ends at 3"):
            chain[i]
    assert chain[3] != chain[0]


@pytest.mark.parametrize("n", [0, -1, 2**32])
def test_a_chain_has_a_sensible_length(n: int) -> None:
    with pytest.raises(Refused):
        dice.chain(bytes(32), ME, n)


def test_the_length_is_part_of_the_chain() -> None:
    assert dice.chain(bytes(32), ME, 3)[3] != dice.chain(bytes(32), ME, 4)[4]


def test_root_message_needs_sixteen_bytes_and_thirty_two() -> None:
    assert dice.root_message(bytes(16), bytes(32)) == b"pbem dice root 1\n" + b"00" * 16 + b"\n" + b"00" * 32 + b"\n"
    for gnonce, prev in ((15, 32), (16, 31), (32, 16)):
        with pytest.raises(Refused, match=f"a gnonce of {gnonce} bytes and a prev of {prev}"):
            dice.root_message(bytes(gnonce), bytes(prev))


# Unbiased numbers.


class _Empty(Exception):
    pass


def _below(values: bytes, m: int) -> int | None:
    """What `below` makes of the first bytes `values`: the number, or None if it throws them away."""
    rest = iter([values])

    def take(k: int) -> bytes:
        block = next(rest, None)
        if block is None:
            raise _Empty
        assert len(block) == k
        return block

    try:
        return dice.below(take, m)
    except _Empty:
        return None


def test_below_is_exactly_unbiased_for_every_bound_of_one_byte() -> None:
    for m in range(2, 257):
        counts = Counter(_below(bytes([v]), m) for v in range(256))
        assert {counts[v] for v in range(m)} == {256 // m}
        assert counts[None] == 256 % m


@pytest.mark.parametrize("m", [257, 1000, 40000, 65535, 65536])
def test_below_is_exactly_unbiased_for_bounds_of_two_bytes(m: int) -> None:
    counts = Counter(_below(v.to_bytes(2, "big"), m) for v in range(65536))
    assert {counts[v] for v in range(m)} == {65536 // m}
    assert counts[None] == 65536 % m


@pytest.mark.parametrize(
    ("m", "size", "first_thrown_away"),
    [(65537, 3, 256**3 // 65537 * 65537), (2**24 + 1, 4, 255 * (2**24 + 1)), (3 * 2**30, 4, 3 * 2**30)],
)
def test_below_at_the_boundary_of_rejection(m: int, size: int, first_thrown_away: int) -> None:
    assert _below((first_thrown_away - 1).to_bytes(size, "big"), m) == m - 1
    assert _below(first_thrown_away.to_bytes(size, "big"), m) is None


def test_a_die_of_one_side_takes_no_byte_and_the_largest_takes_four() -> None:
    assert dice.below(lambda k: pytest.fail("a byte was taken"), 1) == 0
    assert _below(b"\xff\xff\xff\xff", 2**32) == 2**32 - 1


@pytest.mark.parametrize("m", [0, -6, 2**32 + 1])
def test_impossible_dice(m: int) -> None:
    with pytest.raises(Refused, match=f"a die of {m} sides"):
        dice.roll(SEED, "x", 1, m)


def test_numbers_of_three_bytes_run_across_blocks() -> None:
    """Three doesn't divide the block of 32: the bytes are one stream, compared here with one built apart."""
    key = hmac.digest(SEED, b"\0\0\0\x0bpbem-roll/1" + b"\0\0\0\1x", "sha256")
    blocks = [hmac.digest(key, b"\0\0\0\x0cpbem-block/1" + i.to_bytes(4, "big"), "sha256") for i in range(3)]
    stream = b"".join(blocks)
    expected = [int.from_bytes(stream[i : i + 3], "big") + 1 for i in range(0, 96, 3)]
    assert dice.roll(SEED, "x", 32, 2**24) == expected


@pytest.mark.parametrize(("sides", "critical"), [(6, 20.52), (10, 27.88), (100, 148.23)])
def test_chi_square(sides: int, critical: float) -> None:
    """The seed is fixed, so this can't fail by chance; the critical values are those of 0.1 %."""
    rolled = Counter(itertools.chain.from_iterable(dice.roll(SEED, f"chi/{i}", 1000, sides) for i in range(60)))
    expected = 60_000 / sides
    assert sum((rolled[face] - expected) ** 2 / expected for face in range(1, sides + 1)) < critical
    assert set(rolled) == set(range(1, sides + 1))


def test_every_order_of_a_small_cup_is_equally_likely() -> None:
    draws = Counter("".join(dice.draw(SEED, f"cup/{i}", "abcd", 4)) for i in range(24_000))
    assert len(draws) == math.factorial(4)
    assert sum((n - 1000) ** 2 / 1000 for n in draws.values()) < 49.73  # 23 degrees of freedom, 0.1 %


# Labels and limits.


@pytest.mark.parametrize("label", ["", "A", "a b", "a_b", "a" * 65, "é", "²", "a\n"])
def test_bad_labels(label: str) -> None:
    with pytest.raises(Refused, match="can't label a roll"):
        dice.roll(SEED, label, 1, 6)
    with pytest.raises(Refused, match="can't label a roll"):
        dice.draw(SEED, label, ["a"], 1)


def test_the_longest_label() -> None:
    assert dice.roll(SEED, "a" * 64, 1, 1) == [1]


@pytest.mark.parametrize("n", [0, -1, 10_001])
def test_impossible_numbers_of_dice(n: int) -> None:
    with pytest.raises(Refused, match="rolled at once"):
        dice.roll(SEED, "x", n, 6)


@pytest.mark.parametrize("k", [-1, 3])
def test_impossible_draws(k: int) -> None:
    with pytest.raises(Refused, match="from a cup of 2"):
        dice.draw(SEED, "x", ["a", "b"], k)


@given(st.binary(min_size=32, max_size=32), LABEL, st.integers(1, 50), st.integers(1, 2**32))
def test_rolls_are_faces_and_a_prefix_of_longer_rolls(seed: bytes, label: str, n: int, sides: int) -> None:
    rolled = dice.roll(seed, label, n, sides)
    assert len(rolled) == n
    assert all(1 <= face <= sides for face in rolled)
    assert dice.roll(seed, label, n + 1, sides)[:n] == rolled


@given(st.lists(st.sampled_from(["A1", "B2", "B10", "a1", "c-3"]), max_size=12), st.data())
def test_draws_come_from_the_cup(cup: list[str], data: st.DataObject) -> None:
    k = data.draw(st.integers(0, len(cup)))
    drawn = dice.draw(SEED, "cup/x", cup, k)
    assert len(drawn) == k
    assert not Counter(drawn) - Counter(cup)
    assert sorted(dice.draw(SEED, "cup/x", cup, len(cup))) == sorted(cup)
    assert dice.draw(SEED, "cup/x", list(data.draw(st.permutations(cup))), k) == drawn


@given(st.binary(max_size=40), st.binary(max_size=40), st.binary(max_size=40))
def test_entries_and_players_differ(a: bytes, b: bytes, c: bytes) -> None:
    assert (dice.entry_hash(a) == dice.entry_hash(b)) == (a == b)
    assert (dice.player_id(a, b, c) == dice.player_id(b, a, c)) == (a == b)
    assert (dice.player_id(a, b, c) == dice.player_id(a, c, b)) == (b == c)


def test_nonces_repeat_for_the_same_entry_only() -> None:
    made = [dice.nonce(bytes(32), seq, bytes(31) + bytes([prev])) for seq in range(50) for prev in (0, 1)]
    assert len(set(made)) == 100
    assert {len(nonce) for nonce in made} == {16}
    assert made[14] == dice.nonce(bytes(32), 7, bytes(32)) != dice.nonce(b"\1" * 32, 7, bytes(32))
