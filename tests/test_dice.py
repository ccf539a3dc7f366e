"""Dice: the vectors of the protocol, exact unbiasedness, properties. tools/audit.py derives them a second time."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import dice
from pbem.errors import BadLog, Refused

HERE = Path(__file__).parent
T = json.loads((HERE / "vectors" / "dice.json").read_text(encoding="ascii"))
SEED = bytes.fromhex(T["T4"]["seed"])
ME = bytes.fromhex(T["T1"]["player_id"])
LABEL = st.text("abcdefghijklmnopqrstuvwxyz0123456789./-", min_size=1, max_size=64)


# The vectors of docs/protocol.md.


def test_t1_player_id() -> None:
    assert dice.player_id(bytes.fromhex(T["T1"]["pub_blob"]), bytes.fromhex(T["T1"]["gnonce"])) == ME


def test_t2_chain() -> None:
    chain = dice.chain(bytes.fromhex(T["T2"]["root"]), ME, T["T2"]["n"])
    assert {i: chain[int(i)].hex() for i in T["T2"]["x"]} == T["T2"]["x"]
    assert chain.anchor.hex() == T["T2"]["x"]["0"]
    assert len(chain) == 1000


def test_t3_t4_entry_hash_and_seed() -> None:
    entry_hash = dice.entry_hash(T["T3"]["payload"].encode())
    assert entry_hash.hex() == T["T3"]["entry_hash"]
    assert T["T4"]["game_id"] == hashlib.sha256(b"example game").hexdigest()
    x_1 = bytes.fromhex(T["T2"]["x"]["1"])
    assert dice.seed(x_1, bytes.fromhex(T["T4"]["game_id"]), T["T4"]["seq"], entry_hash) == SEED


@pytest.mark.parametrize("name", ["T5", "T6", "T7", "T8"])
def test_t5_to_t8_rolls(name: str) -> None:
    assert dice.roll(SEED, T[name]["label"], T[name]["dice"], T[name]["sides"]) == T[name]["result"]


def test_t10_draw() -> None:
    assert dice.draw(SEED, T["T10"]["label"], T["T10"]["cup"], T["T10"]["count"]) == T["T10"]["result"]
    assert dice.draw(SEED, T["T10"]["label"], T["T10"]["cup"][::-1], T["T10"]["count"]) == T["T10"]["result"]


def test_t14_another_hex_gives_other_dice() -> None:
    payload = T["T3"]["payload"].replace(*T["T14"]["replace"]).encode()
    x_1, game_id = bytes.fromhex(T["T2"]["x"]["1"]), bytes.fromhex(T["T4"]["game_id"])
    seed = dice.seed(x_1, game_id, T["T4"]["seq"], dice.entry_hash(payload))
    assert seed.hex() == T["T14"]["seed"]
    assert dice.roll(seed, T["T14"]["label"], 2, 6) == T["T14"]["result"]


def test_t15_root_chain_and_nonce_from_a_signature() -> None:
    gnonce = bytes.fromhex(T["T15"]["gnonce"])
    root = dice.root_from_signature(bytes.fromhex(T["T15"]["sig64"]), gnonce)
    assert root.hex() == T["T15"]["root"]
    chain = dice.chain(root, bytes.fromhex(T["T15"]["player_id"]))
    assert {i: chain[int(i)].hex() for i in T["T15"]["x"]} == T["T15"]["x"]
    assert dice.nonce(root, 14).hex() == T["T15"]["nonce"]["14"]


def test_hkdf_is_rfc_5869_case_1() -> None:
    salt, info = bytes(range(13)), bytes(range(0xF0, 0xFA))
    okm = dice._hkdf(b"\x0b" * 22, salt.decode("ascii"), info, 32)
    assert okm.hex() == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"


# The chain.


def test_reveals_are_checked_against_the_one_before() -> None:
    chain = dice.chain(bytes(32), ME, 5)
    for j in range(1, 6):
        dice.check_reveal(ME, j, chain[j], chain[j - 1])
    with pytest.raises(BadLog, match="reveal 1 doesn't lead to the anchor"):
        dice.check_reveal(ME, 1, chain[2], chain.anchor)
    with pytest.raises(BadLog, match="reveal 3 doesn't lead back to reveal 2"):
        dice.check_reveal(ME, 3, chain[3], chain[1])
    with pytest.raises(BadLog, match="31 bytes"):
        dice.check_reveal(ME, 1, chain[1][:31], chain.anchor)
    with pytest.raises(BadLog, match="reveal 0"):
        dice.check_reveal(ME, 0, chain[1], chain.anchor)


def test_the_mirror_of_an_anchor_is_useless() -> None:
    """One who copies the other's anchor can't answer with the other's reveals: they are bound to the player."""
    theirs = dice.chain(bytes(32), ME, 5)
    me = dice.player_id(b"another key", bytes(16))
    with pytest.raises(BadLog):
        dice.check_reveal(me, 1, theirs[1], theirs.anchor)


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


def test_root_message_needs_sixteen_bytes() -> None:
    assert dice.root_message(bytes(16)) == b"pbem dice root 1\n" + b"00" * 16 + b"\n"
    with pytest.raises(Refused, match="15 bytes"):
        dice.root_message(bytes(15))


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
    import hmac

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


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_entries_and_players_differ(a: bytes, b: bytes) -> None:
    assert (dice.entry_hash(a) == dice.entry_hash(b)) == (a == b)
    assert (dice.player_id(a, b) == dice.player_id(b, a)) == (a == b)


def test_nonces_repeat_for_the_same_entry_only() -> None:
    made = [dice.nonce(bytes(32), seq) for seq in range(100)]
    assert len(set(made)) == 100
    assert {len(nonce) for nonce in made} == {16}
    assert made[7] == dice.nonce(bytes(32), 7) != dice.nonce(b"\1" * 32, 7)
