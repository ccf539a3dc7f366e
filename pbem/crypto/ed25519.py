"""The checks of Ed25519 keys and signatures that libraries leave out (protocol 1.3), in pure Python.

Only public values pass through here, so nothing needs to run in constant time. Points are on edwards25519,
-x^2 + y^2 = 1 + d x^2 y^2 over GF(p), encoded as in RFC 8032 5.1.2: y little-endian, the sign of x in the top bit.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["remember", "why_not_key", "why_not_signature"]

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)

_Y_OF_ORDER_8 = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
SMALL_ORDER_Y = frozenset({0, 1, P - 1, _Y_OF_ORDER_8, P - _Y_OF_ORDER_8})  # of the 8 points whose order divides 8

Point = tuple[int, int, int, int]  # x = X/Z, y = Y/Z, T = XY/Z
NEUTRAL: Point = (0, 1, 1, 0)


def _y_of(encoded: bytes) -> int:
    return int.from_bytes(encoded, "little") & (2**255 - 1)


def decompress(encoded: bytes) -> Point | None:
    """The point of a canonical 32-byte encoding, None if there is none (RFC 8032 5.1.3)."""
    y, sign = _y_of(encoded), encoded[31] >> 7
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * SQRT_MINUS_1 % P
    if v * x * x % P != u or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def add(a: Point, b: Point) -> Point:
    """The sum of two points; the formula has no exceptions on this curve (RFC 8032 5.1.4)."""
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    m, n = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(k: int, point: Point) -> Point:
    """[k] point, k >= 0."""
    total = NEUTRAL
    while k:
        if k & 1:
            total = add(total, point)
        point = add(point, point)
        k >>= 1
    return total


def is_neutral(point: Point) -> bool:
    """Whether the point is (0, 1)."""
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0


_good: set[bytes] = set()
"""The raw keys that were looked at and found good."""


def remember(raws: Iterable[bytes]) -> None:
    """Take these raw keys for good ones: they were looked at when the game was verified that is recalled now."""
    _good.update(raws)


def why_not_key(raw: bytes) -> str:
    """Why 32 raw bytes may not be a player's public key; the empty string if they may. About 2 ms, once.

    A key outside the prime-order group would let its owner disown signatures or make verifiers disagree.
    """
    if raw in _good:
        return ""
    if not (reason := _why_not_key(raw)):
        remember([raw])
    return reason


def _why_not_key(raw: bytes) -> str:
    if len(raw) != 32:
        return f"the key has {len(raw)} bytes instead of 32"
    if _y_of(raw) >= P:
        return "the key isn't canonical: y is not below 2^255-19"
    if _y_of(raw) in SMALL_ORDER_Y:
        return "the key is a point of small order: anybody's signature would fit any text"
    point = decompress(raw)
    if point is None:
        return "the key isn't a point of the curve"
    if not is_neutral(times(L, point)):
        return "the key isn't of prime order"
    return ""


def why_not_signature(sig64: bytes) -> str:
    """Why 64 bytes R || S can't be a strict signature whatever was signed; the empty string if they can."""
    if len(sig64) != 64:
        return f"the signature has {len(sig64)} bytes instead of 64"
    if int.from_bytes(sig64[32:], "little") >= L:
        return "S isn't below the group order: the signature was altered"
    y = _y_of(sig64[:32])
    if y >= P:
        return "R isn't canonical: its y is not below 2^255-19"
    if y in SMALL_ORDER_Y:
        return "R is a point of small order"
    return ""
