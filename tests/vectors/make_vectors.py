"""Makes sshsig.json and ed25519_edges.json with arithmetic of its own; run by hand, half a minute.

    python tests/vectors/make_vectors.py

sshsig.json: one good signature block and its hostile variants. ed25519_edges.json: every combination of key A and
commitment R out of prime-order, mixed-order, small-order and non-canonically encoded points, with the S that makes the
cofactored equation true, over SSHSIG bytes; where a text exists for which the exact equation is true too, that text.
"""

import base64
import hashlib
import json
from pathlib import Path

HERE = Path(__file__).parent
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
ZERO = (0, 1)


def add(a, b):  # affine, straight from the curve's addition law
    (x1, y1), (x2, y2) = a, b
    t = D * x1 * x2 * y1 * y2 % P
    return (x1 * y2 + y1 * x2) * pow(1 + t, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P


def mul(k, a):
    total = ZERO
    for bit in f"{k:b}":
        total = add(total, total)
        if bit == "1":
            total = add(total, a)
    return total


def at_y(y, odd):
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    if x * x % P != square:
        raise ValueError
    return (x if x % 2 == odd else P - x, y)


def encode(a, plus_p=False, minus_zero=False):
    return (a[1] + plus_p * P | (a[0] % 2 or minus_zero) << 255).to_bytes(32, "little")


BASE = at_y(4 * pow(5, -1, P) % P, 0)
Y8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
EIGHT = at_y(Y8, 0)  # a point of order 8
TORSION = [mul(i, EIGHT) for i in range(8)]


def candidates(scalar):
    """(name, flags, scalar of the prime-order part, point, encoding)"""
    whole = mul(scalar, BASE)
    yield "prime", [], scalar, whole, encode(whole)
    for order, i in ((2, 4), (4, 2), (8, 1)):
        mixed = add(whole, TORSION[i])
        yield f"mixed-{order}", ["mixed"], scalar, mixed, encode(mixed)
    for i, point in enumerate(TORSION):
        yield f"small-{i}", ["small"], 0, point, encode(point)
        if point[0] == 0:
            yield f"small-{i}-minus-zero", ["small", "non-canonical"], 0, point, encode(point, minus_zero=True)
        if point[1] < 19:
            yield f"small-{i}-plus-p", ["small", "non-canonical"], 0, point, encode(point, plus_p=True)
            if point[0] == 0:
                both = encode(point, plus_p=True, minus_zero=True)
                yield f"small-{i}-plus-p-minus-zero", ["small", "non-canonical"], 0, point, both


def string(b):
    return len(b).to_bytes(4, "big") + b


def to_be_signed(payload, namespace=b"pbem-turn-v1", hash_name="sha512"):
    digest = hashlib.new(hash_name, payload).digest()
    return b"SSHSIG" + string(namespace) + string(b"") + string(hash_name.encode()) + string(digest)


def edge(key, commitment):
    a_name, a_flags, a, a_point, a_bytes = key
    r_name, r_flags, r, r_point, r_bytes = commitment
    chosen = None
    for number in range(24):
        payload = f"text {number}\n".encode()
        k = int.from_bytes(hashlib.sha512(r_bytes + a_bytes + to_be_signed(payload)).digest(), "little") % L
        s = (r + k * a) % L
        exact = mul(s, BASE) == add(r_point, mul(k, a_point))
        if exact or chosen is None:
            chosen = payload, s, exact
        if exact:
            break
    payload, s, exact = chosen
    return {
        "key": a_bytes.hex(),
        "payload": payload.decode(),
        "sig": (r_bytes + s.to_bytes(32, "little")).hex(),
        "A": a_name,
        "R": r_name,
        "flags": sorted({f"{flag} A" for flag in a_flags} | {f"{flag} R" for flag in r_flags}),
        "exact": exact,
    }


def edges():
    keys = list(candidates(int.from_bytes(hashlib.sha512(b"edge key").digest(), "little") % L))
    commitments = list(candidates(int.from_bytes(hashlib.sha512(b"edge commitment").digest(), "little") % L))
    return [edge(key, commitment) for key in keys for commitment in commitments]


def ed25519(seed, message):
    """RFC 8032 5.1.5 and 5.1.6: (public key, signature)."""
    h = hashlib.sha512(seed).digest()
    a = int.from_bytes(h[:32], "little") & (2**254 - 8) | 2**254
    public = encode(mul(a, BASE))
    r = int.from_bytes(hashlib.sha512(h[32:] + message).digest(), "little") % L
    big_r = encode(mul(r, BASE))
    k = int.from_bytes(hashlib.sha512(big_r + public + message).digest(), "little") % L
    return public, big_r + ((r + k * a) % L).to_bytes(32, "little")


def block(fields, head=b"SSHSIG", version=1, tail=b""):
    return head + version.to_bytes(4, "big") + b"".join(string(f) for f in fields) + tail


def fenced(blob, width=70):
    text = base64.b64encode(blob).decode() if isinstance(blob, bytes) else blob
    lines = [text[i : i + width] for i in range(0, len(text), width)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


def sshsig():
    payload, ns, kind = b"pbem 1;\nkind orders;\nend 2 000000;\n", b"pbem-turn-v1", b"ssh-ed25519"
    public, sig = ed25519(bytes(range(32)), to_be_signed(payload))
    key, other = string(kind) + string(public), string(kind) + string(ed25519(b"\1" * 32, b"")[0])
    inner = string(kind) + string(sig)
    usual = [key, ns, b"", b"sha512", inner]
    good = fenced(block(usual))

    def changed(place, value):
        return fenced(block([*usual[:place], value, *usual[place + 1 :]]))

    def signature(value, kind=kind):
        return changed(4, string(kind) + string(value))

    _, turned = ed25519(bytes(range(32)), to_be_signed(payload, b"file"))
    _, short = ed25519(bytes(range(32)), to_be_signed(payload, hash_name="sha256"))
    s_plus_l = (int.from_bytes(sig[32:], "little") + L).to_bytes(32, "little")
    neutral = string(kind) + string(encode(ZERO))
    flat = base64.b64encode(block(usual)).decode()
    spare = flat[:-2] + chr(ord(flat[-2]) + 1) + flat[-1:]
    cases = [
        ("good", good, ""),
        ("good in lines of 40", fenced(block(usual), 40), ""),
        ("good in one line", fenced(block(usual), 999), ""),
        ("good without last line feed", good[:-1], ""),
        ("version 0", fenced(block(usual, version=0)), "version 0"),
        ("version 2", fenced(block(usual, version=2)), "version 2"),
        ("magic word", fenced(block(usual, head=b"SSHSIC")), "magic"),
        ("reserved not empty", changed(2, b"x"), "reserved"),
        (
            "hash sha256",
            fenced(block([key, ns, b"", b"sha256", string(kind) + string(short)])),
            "hash algorithm sha256",
        ),
        ("hash sha512 named, sha256 used", signature(short), "doesn't fit"),
        (
            "namespace file",
            fenced(block([key, b"file", b"", b"sha512", string(kind) + string(turned)])),
            "namespace file",
        ),
        ("namespace renamed", signature(turned), "doesn't fit"),
        ("namespace empty", changed(1, b""), "namespace"),
        ("key of another", changed(0, other), "another key"),
        ("key of other type", changed(0, string(b"ssh-rsa") + string(public)), "another key"),
        ("byte after key", changed(0, key + b"\0"), "another key"),
        ("byte after block", fenced(block(usual, tail=b"\0")), "too many"),
        ("byte after signature value", changed(4, inner + b"\0"), "too many"),
        ("signature of 63 bytes", signature(sig[:63]), "63 bytes"),
        ("signature of 65 bytes", signature(sig + b"\0"), "65 bytes"),
        ("signature empty", signature(b""), "0 bytes"),
        ("signature of other type", signature(sig, b"ssh-rsa"), "type"),
        ("S plus L", signature(sig[:32] + s_plus_l), "S isn't below"),
        ("S all ones", signature(sig[:32] + b"\xff" * 32), "S isn't below"),
        ("R neutral", signature(encode(ZERO) + sig[32:]), "small order"),
        ("R not canonical", signature(b"\xff" * 31 + b"\x7f" + sig[32:]), "R isn't canonical"),
        ("R changed", signature(bytes([sig[0] ^ 1]) + sig[1:]), "doesn't fit"),
        ("block cut off", fenced(block(usual)[:-1]), "ends inside"),
        ("field longer than the block", fenced(block([key])[:-51] + b"\xff" * 30), "ends inside"),
        ("block empty", fenced(b""), "ends inside"),
        ("base64 with spare bits", fenced(spare), "canonical"),
        ("base64 without padding", fenced(flat.rstrip("=")), "base64"),
        ("base64 with a foreign letter", good.replace("U1NIU0lH", "U1NI*U0lH"), "base64"),
        ("base64 with a blank", good.replace("U1NIU0lH", "U1NI U0lH"), "base64"),
        ("letter beyond ASCII", good.replace("U1NIU0lH", "U1NI\u0435U0lH"), "base64"),
        ("empty line", good.replace("\n", "\n\n", 1), "empty lines"),
        ("carriage returns", good.replace("\n", "\r\n"), "begin with"),
        ("text before", "x\n" + good, "begin with"),
        ("blank before", " " + good, "begin with"),
        ("quoted", "".join(f"> {line}\n" for line in good.splitlines()), "begin with"),
        ("no begin", good.split("\n", 1)[1], "begin with"),
        ("no end", good[: good.index("-----END")], "no line"),
        ("text after", good + "x\n", "something after"),
        ("empty line after", good + "\n", "something after"),
        ("junk glued to end", good[:-1] + "junk\n", "no line"),
        ("second signature", good + good, "something after"),
        ("nothing", "", "begin with"),
        ("very long", fenced(block(usual) + bytes(9000)), "letters"),
    ]
    rows = [{"name": name, "armor": text, "accept": name.startswith("good"), "why": why} for name, text, why in cases]
    constant = encode(ZERO) + bytes(32)
    disowned = {"armor": fenced(block([neutral, ns, b"", b"sha512", string(kind) + string(constant)]))}
    return {
        "payload": payload.decode(),
        "namespace": ns.decode(),
        "private_seed": bytes(range(32)).hex(),
        "pub_blob": key.hex(),
        "cases": rows,
        "neutral_key": {"pub_blob": neutral.hex(), "why": "small order", **disowned},
    }


def write(name, rows):
    lines = ",\n".join(json.dumps(row, sort_keys=True) for row in rows)
    (HERE / name).write_text(f"[\n{lines}\n]\n", encoding="ascii")


if __name__ == "__main__":
    (HERE / "sshsig.json").write_text(json.dumps(sshsig(), indent=1) + "\n", encoding="ascii")
    write("ed25519_edges.json", edges())
