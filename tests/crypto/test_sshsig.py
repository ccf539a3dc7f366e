"""Signatures: public and own vectors, hostile blocks one by one, and the cross-check with the real ssh-keygen."""

from __future__ import annotations

import base64
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from pbem.crypto import ed25519 as ed25519_admission
from pbem.crypto import sshsig
from pbem.crypto.hashing import lp
from pbem.errors import BadSignature, KeyProblem, Refused

VECTORS = Path(__file__).parents[1] / "vectors"
SSHSIG = json.loads((VECTORS / "sshsig.json").read_text(encoding="ascii"))
PAYLOAD = SSHSIG["payload"].encode()
KEY = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(SSHSIG["private_seed"]))
BLOB = bytes.fromhex(SSHSIG["pub_blob"])
NEUTRAL = bytes.fromhex(SSHSIG["neutral_key"]["pub_blob"])

needs_ssh_keygen = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None,
    reason="SSH-KEYGEN IS MISSING: the cross-check didn't run; install openssh-client",
)


def accepted(raw: bytes, sig64: bytes, message: bytes) -> bool:
    """Our strict verdict on a bare Ed25519 signature."""
    try:
        sshsig.verify_raw(raw, sig64, message)
    except BadSignature:
        return False
    return True


def library_accepts(raw: bytes, sig64: bytes, message: bytes) -> bool:
    """The verdict of the library alone, which the strict profile sharpens."""
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(sig64, message)
    except (InvalidSignature, ValueError):
        return False
    return True


# Public vectors.


def test_wycheproof() -> None:
    groups = json.loads((VECTORS / "wycheproof_ed25519.json").read_text(encoding="ascii"))["testGroups"]
    verdicts = [
        (accepted(key, bytes.fromhex(test["sig"]), bytes.fromhex(test["msg"])), test["result"] == "valid", test["tcId"])
        for group in groups
        for key in [bytes.fromhex(group["publicKey"]["pk"])]
        for test in group["tests"]
    ]
    assert [number for ours, theirs, number in verdicts if ours != theirs] == []
    assert Counter(ours for ours, _, _ in verdicts) == {True: 88, False: 63}


def test_speccheck() -> None:
    """The library lets cases 0 to 3 and 11 pass; a release that changes this must be noticed. We refuse all twelve."""
    cases = json.loads((VECTORS / "ed25519_speccheck.json").read_text(encoding="ascii"))
    triples = [tuple(bytes.fromhex(case[name]) for name in ("pub_key", "signature", "message")) for case in cases]
    assert "".join("V" if library_accepts(*triple) else "X" for triple in triples) == "VVVVXXXXXXXV"
    assert "".join("V" if accepted(*triple) else "X" for triple in triples) == "XXXXXXXXXXXX"


@pytest.mark.skipif("PBEM_CCTV_ED25519" not in os.environ, reason="PBEM_CCTV_ED25519 doesn't name the CCTV vectors")
def test_cctv() -> None:
    cases = json.loads(Path(os.environ["PBEM_CCTV_ED25519"]).read_text(encoding="ascii"))
    passed = [c for c in cases if accepted(bytes.fromhex(c["key"]), bytes.fromhex(c["sig"]), c["msg"].encode())]
    assert len(cases) == 914
    assert [c["flags"] for c in passed] == [None]


# Own vectors: edges of the curve.

EDGES = json.loads((VECTORS / "ed25519_edges.json").read_text(encoding="ascii"))


def test_of_all_edges_only_the_plain_signature_passes() -> None:
    messages = {e["payload"]: sshsig._to_be_signed(e["payload"].encode(), sshsig.NAMESPACE) for e in EDGES}
    passed = {True: [], False: []}
    for edge in EDGES:
        triple = bytes.fromhex(edge["key"]), bytes.fromhex(edge["sig"]), messages[edge["payload"]]
        passed[True] += [edge] if accepted(*triple) else []
        passed[False] += [edge] if library_accepts(*triple) else []
    assert len(EDGES) == 324
    assert [(edge["A"], edge["R"]) for edge in passed[True]] == [("prime", "prime")]
    assert len(passed[False]) > 100, "the library alone lets many pass: that is why there is a strict profile"
    assert all(edge["exact"] for edge in passed[False])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("prime", ""),
        ("mixed-2", "prime order"),
        ("mixed-4", "prime order"),
        ("mixed-8", "prime order"),
        *[(f"small-{i}", "small order") for i in range(8)],
        ("small-0-minus-zero", "small order"),
        ("small-4-minus-zero", "small order"),
        ("small-0-plus-p", "canonical"),
        ("small-0-plus-p-minus-zero", "canonical"),
        ("small-2-plus-p", "canonical"),
        ("small-6-plus-p", "canonical"),
    ],
)
def test_admission_of_edge_keys(name: str, why: str) -> None:
    (raw,) = {bytes.fromhex(edge["key"]) for edge in EDGES if edge["A"] == name}
    if not why:
        sshsig.admit(sshsig.blob_from_raw(raw))
        return
    with pytest.raises(KeyProblem, match=why):
        sshsig.admit(sshsig.blob_from_raw(raw))


def test_admission_of_other_keys() -> None:
    sshsig.admit(BLOB)
    off_curve = next(y for y in range(2, 99) if ed25519_admission.decompress(y.to_bytes(32, "little")) is None)
    with pytest.raises(KeyProblem, match="isn't a point"):
        sshsig.admit(sshsig.blob_from_raw(off_curve.to_bytes(32, "little")))
    with pytest.raises(KeyProblem, match="31 bytes"):
        raise KeyProblem(ed25519_admission.why_not_key(bytes(31)))
    for blob in (b"", BLOB[:-1], BLOB + b"\0", b"\0" * 51, BLOB.replace(b"ssh-ed25519", b"ssh-ed25518")):
        with pytest.raises(KeyProblem):
            sshsig.admit(blob)
    with pytest.raises(KeyProblem, match=r"type ssh-rsa.*ssh-keygen -t ed25519"):
        sshsig.admit(lp(b"ssh-rsa") + lp(b"\1\0\1"))


def test_a_negative_zero_is_no_point() -> None:
    assert ed25519_admission.decompress((1).to_bytes(32, "little")) == ed25519_admission.NEUTRAL
    assert ed25519_admission.decompress((1 | 1 << 255).to_bytes(32, "little")) is None


def test_small_order_table_against_the_curve() -> None:
    """The table is what it says: exactly the points that eight times themselves are neutral."""
    found = set()
    for y in ed25519_admission.SMALL_ORDER_Y:
        point = ed25519_admission.decompress(y.to_bytes(32, "little"))
        assert point is not None
        assert ed25519_admission.is_neutral(ed25519_admission.times(8, point))
        found |= {(point[0], y), (-point[0] % ed25519_admission.P, y)}
    assert len(found) == 8


def test_the_point_arithmetic_against_the_library() -> None:
    """[a]B by our formulas is the public key that the library makes of the same secret."""
    import hashlib

    secret = bytes(range(32))
    a = int.from_bytes(hashlib.sha512(secret).digest()[:32], "little") & (2**254 - 8) | 2**254
    base = ed25519_admission.decompress(
        (4 * pow(5, -1, ed25519_admission.P) % ed25519_admission.P).to_bytes(32, "little")
    )
    assert base is not None
    x, y, z, _ = ed25519_admission.times(a, base)
    inverse = pow(z, -1, ed25519_admission.P)
    x, y = x * inverse % ed25519_admission.P, y * inverse % ed25519_admission.P
    assert (y | (x & 1) << 255).to_bytes(32, "little") == KEY.public_key().public_bytes_raw()


# Own vectors: SSHSIG blocks.


@pytest.mark.parametrize("case", SSHSIG["cases"], ids=lambda case: case["name"])
def test_sshsig(case: dict[str, str]) -> None:
    if case["accept"]:
        sshsig.verify(PAYLOAD, case["armor"], BLOB)
        assert sshsig.pub_blob_from(case["armor"]) == BLOB
        return
    with pytest.raises(BadSignature, match=case["why"]) as caught:
        sshsig.verify(PAYLOAD, case["armor"], BLOB)
    assert case["why"]
    assert caught.value.where == "signature"


def test_the_neutral_key_can_disown_everything_and_is_refused() -> None:
    armor = SSHSIG["neutral_key"]["armor"]
    sig64 = sshsig.dearmor(armor).sig64
    for payload in (b"one", b"two"):
        assert library_accepts(NEUTRAL[-32:], sig64, sshsig._to_be_signed(payload, sshsig.NAMESPACE))
        with pytest.raises(BadSignature, match="small order"):
            sshsig.verify(payload, armor, NEUTRAL)


def test_sign_makes_the_vector() -> None:
    assert sshsig.sign(KEY, PAYLOAD) == SSHSIG["cases"][0]["armor"]


def test_another_text_namespace_or_key() -> None:
    armor = sshsig.sign(KEY, PAYLOAD)
    with pytest.raises(BadSignature, match="doesn't fit the text"):
        sshsig.verify(PAYLOAD + b"\n", armor, BLOB)
    with pytest.raises(BadSignature, match="it must be git"):
        sshsig.verify(PAYLOAD, armor, BLOB, "git")
    with pytest.raises(BadSignature, match="another key"):
        sshsig.verify(PAYLOAD, armor, sshsig.blob_from_raw(bytes(32)))
    sshsig.verify(PAYLOAD, sshsig.sign(KEY, PAYLOAD, "git"), BLOB, "git")


def test_a_block_with_a_foreign_key_type_that_the_caller_expects() -> None:
    rsa = lp(b"ssh-rsa") + bytes(40)
    armor = sshsig.armor(rsa, sshsig.NAMESPACE, bytes(64))
    for check in (lambda: sshsig.verify(PAYLOAD, armor, rsa), lambda: sshsig.pub_blob_from(armor)):
        with pytest.raises(BadSignature, match="type ssh-rsa"):
            check()


def test_the_signature_that_makes_the_dice_is_never_armored() -> None:
    with pytest.raises(Refused, match="secret"):
        sshsig.sign(KEY, PAYLOAD, sshsig.ROOT_NAMESPACE)
    assert len(sshsig.sign_raw(KEY, PAYLOAD, sshsig.ROOT_NAMESPACE)) == 64
    with pytest.raises(Refused, match="needs a namespace"):
        sshsig.sign(KEY, PAYLOAD, "")


@given(st.text(max_size=400) | st.binary(max_size=200).map(lambda data: _fence(data)))
def test_any_text_is_refused_with_the_one_exception(text: str) -> None:
    with pytest.raises(BadSignature):
        sshsig.verify(PAYLOAD, text, BLOB)


@given(st.binary(max_size=300), st.integers(0, 2399))
def test_any_bit_of_the_text_counts(payload: bytes, bit: int) -> None:
    armor = sshsig.sign(KEY, payload)
    sshsig.verify(payload, armor, BLOB)
    if payload:
        changed = bytearray(payload)
        changed[bit // 8 % len(payload)] ^= 1 << bit % 8
        with pytest.raises(BadSignature):
            sshsig.verify(bytes(changed), armor, BLOB)


def test_importing_doesnt_load_the_library() -> None:
    code = "import sys, pbem.crypto.keys; print([m for m in sys.modules if 'cryptography' in m])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# The real ssh-keygen.


class OpenSSH:
    """ssh-keygen with a folder of its own: signs with KEY, verifies for BLOB or another key."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def verifies(self, payload: bytes, armor: str, blob: bytes = BLOB, namespace: str = sshsig.NAMESPACE) -> bool:
        signers, block = self.folder / "signers", self.folder / "block"
        signers.write_text(f"anna ssh-ed25519 {base64.b64encode(blob).decode()}\n", encoding="ascii")
        block.write_text(armor, encoding="utf-8", newline="")
        command = ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", "anna", "-n", namespace, "-s", block]
        return subprocess.run(command, input=payload, capture_output=True, check=False).returncode == 0

    def signs(self, payload: bytes, key: Path, namespace: str = sshsig.NAMESPACE) -> str:
        command = ["ssh-keygen", "-Y", "sign", "-n", namespace, "-f", key]
        return subprocess.run(command, input=payload, capture_output=True, check=True).stdout.decode("ascii")


@pytest.fixture
def openssh(tmp_path: Path) -> OpenSSH:
    return OpenSSH(tmp_path)


@needs_ssh_keygen
@pytest.mark.parametrize("payload", [b"", b"x", PAYLOAD, bytes(range(256)) * 40], ids=len)
def test_ssh_keygen_verifies_ours(openssh: OpenSSH, payload: bytes) -> None:
    armor = sshsig.sign(KEY, payload)
    assert openssh.verifies(payload, armor)
    assert not openssh.verifies(payload + b"x", armor)
    assert not openssh.verifies(payload, armor, namespace="file")


@needs_ssh_keygen
def test_we_verify_ssh_keygens(openssh: OpenSSH, tmp_path: Path) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    blob = base64.b64decode(Path(f"{key}.pub").read_text(encoding="utf-8").split()[1])
    armor = openssh.signs(PAYLOAD, key)
    sshsig.verify(PAYLOAD, armor, blob)
    with pytest.raises(BadSignature):
        sshsig.verify(PAYLOAD, openssh.signs(PAYLOAD, key, "file"), blob)
    ours = sshsig.armor(blob, sshsig.NAMESPACE, sshsig.dearmor(armor).sig64)
    assert ours == armor, "the armor is the same byte for byte"


@needs_ssh_keygen
def test_what_we_accept_of_the_vectors_ssh_keygen_accepts(openssh: OpenSSH) -> None:
    verdicts = {case["name"]: openssh.verifies(PAYLOAD, case["armor"]) for case in SSHSIG["cases"]}
    assert all(verdicts[case["name"]] for case in SSHSIG["cases"] if case["accept"])
    assert not any(verdicts[name] for name in ("version 2", "namespace file", "byte after block", "R changed"))


def _fence(data: bytes, width: int = 70) -> str:
    text = base64.b64encode(data).decode("ascii")
    lines = [text[i : i + width] for i in range(0, len(text), width)]
    return "\n".join([sshsig.BEGIN, *lines, sshsig.END, ""])


def _mutations(armor: str, rng: random.Random) -> list[str]:
    """The block changed in one or two places: bytes of the blob, fields, letters, lines, width."""
    blob = base64.b64decode("".join(armor.splitlines()[1:-1]))
    made = []
    for _ in range(200):
        at, bit = rng.randrange(len(blob)), 1 << rng.randrange(8)
        made.append(_fence(blob[:at] + bytes([blob[at] ^ bit]) + blob[at + 1 :]))
    for _ in range(60):
        at, n = rng.randrange(len(blob)), rng.randrange(1, 5)
        made.append(_fence(blob[:at] + blob[at + n :]))
        made.append(_fence(blob[:at] + rng.randbytes(n) + blob[at:]))
    for _ in range(140):
        at, letter = rng.randrange(len(armor)), rng.choice("AZaz09+/=\n -\r")
        made.append(armor[:at] + letter + armor[at + 1 :])
    made += [_fence(blob, width) for width in rng.sample(range(1, 260), 80)]
    for _ in range(60):
        lines = armor.splitlines()
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(["", "AAAA", sshsig.END, sshsig.BEGIN, lines[2]]))
        made.append("\n".join(lines) + rng.choice(["\n", ""]))
    return made


@needs_ssh_keygen
def test_ours_accepts_means_ssh_keygen_accepts(openssh: OpenSSH) -> None:
    """One way only, over 600 mutations; of those that we refuse, ssh-keygen is shown a sample."""
    rng = random.Random(12)
    tally: Counter[tuple[bool, bool]] = Counter()
    for i, armor in enumerate(_mutations(sshsig.sign(KEY, PAYLOAD), rng)):
        try:
            sshsig.verify(PAYLOAD, armor, BLOB)
        except BadSignature:
            ours = False
        else:
            ours = True
        if ours or i % 6 == 0:
            tally[ours, openssh.verifies(PAYLOAD, armor)] += 1
    assert tally[True, False] == 0
    assert tally[True, True] >= 80
    assert tally[False, False] >= 40


@needs_ssh_keygen
def test_edges_that_we_accept_ssh_keygen_accepts(openssh: OpenSSH) -> None:
    (plain,) = (edge for edge in EDGES if edge["A"] == edge["R"] == "prime")
    blob = sshsig.blob_from_raw(bytes.fromhex(plain["key"]))
    armor = sshsig.armor(blob, sshsig.NAMESPACE, bytes.fromhex(plain["sig"]))
    sshsig.verify(plain["payload"].encode(), armor, blob)
    assert openssh.verifies(plain["payload"].encode(), armor, blob)
