#!/usr/bin/env python3
"""A second verifier of the dice: re-derives rolls of a game.log with nothing but the standard library.

    second_dice.py GAME.LOG CLAIMS.JSON

It shares no code with pbem and is written in another style on purpose. It follows docs/protocol.md section 3 and checks
both hash chains, the links between entries, and each claimed roll. It doesn't check signatures: ssh-keygen does.
A claim: {"seq": n, "label": "...", "dice": 2, "sides": 6, "result": [3, 4]}
     or  {"seq": n, "label": "...", "cup": ["a", "b"], "count": 1, "result": ["b"]}
Exit status: 0 everything fits, 1 the first mismatch, 2 wrong usage.
"""

import base64
import json
import struct
import sys
from hashlib import sha256

TURN = ("-----BEGIN PBEM TURN-----\n", "-----END PBEM TURN-----\n")


class Mismatch(Exception):
    pass


# HMAC by its definition (RFC 2104), so that not even the hmac module is shared.
def hmac_sha256(key, text):
    key = (sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = sha256(bytes(b ^ 0x36 for b in key) + text).digest()
    return sha256(bytes(b ^ 0x5C for b in key) + inner).digest()


def prefixed(b):
    return struct.pack(">I", len(b)) + b


def digest_of_entry(canonical):
    return sha256(prefixed(b"pbem-entry/1") + prefixed(canonical)).digest()


def numbers(seed, label):
    """An endless generator of uniform numbers: send it a bound m, it answers with 0 <= v < m."""
    key = hmac_sha256(seed, prefixed(b"pbem-roll/1") + prefixed(label.encode()))

    def octets():
        counter = 0
        while True:
            yield from hmac_sha256(key, prefixed(b"pbem-block/1") + struct.pack(">I", counter))
            counter += 1

    source, answer = octets(), None
    while True:
        m = yield answer
        width, answer = len(f"{m - 1:x}") + 1 >> 1, 0
        while m > 1:
            v = 0
            for _ in range(width):
                v = v << 8 | next(source)
            if v < 256**width - 256**width % m:
                answer = v % m
                break


def rolled(seed, claim):
    bounded = numbers(seed, claim["label"])
    next(bounded)
    if "dice" in claim:
        return [1 + bounded.send(claim["sides"]) for _ in range(claim["dice"])]
    cup = sorted(c.encode() for c in claim["cup"])
    for here in range(claim["count"]):
        there = here + bounded.send(len(cup) - here)
        cup[here], cup[there] = cup[there], cup[here]
    return [c.decode() for c in cup[: claim["count"]]]


def read_log(text):
    """[(canonical bytes, [[word, ...], ...]), ...]"""
    entries = []
    for piece in text.split(TURN[0])[1:]:
        body, fence, _ = piece.partition(TURN[1])
        if not fence:
            raise Mismatch(f"entry {len(entries)} has no end")
        entries.append((body.encode("ascii"), [line.rstrip(";").split() for line in body.splitlines()]))
    return entries


def only(words, keyword, default=None):
    found = [w[1:] for w in words if w[0] == keyword]
    if len(found) > 1 or (not found and default is None):
        raise Mismatch(f"{len(found)} statements {keyword} where one is needed")
    return found[0] if found else default


def walk(entries):
    """Check links and reveals; returns (game id, [(side, hash, {index: value} or None), ...])."""
    sides, trail, game = {}, [], None
    for seq, (canonical, words) in enumerate(entries):
        header = words[:8]  # at most: pbem kind game seq prev by nonce reveal
        (by,), (kind,) = only(header, "by"), only(header, "kind")
        if only(header, "seq") != [str(seq)]:
            raise Mismatch(f"entry {seq} carries another number")
        if seq > 0 and only(header, "prev") != [trail[-1][1].hex()]:
            raise Mismatch(f"entry {seq} doesn't follow the one before it")
        if seq > 1 and only(header, "game") != [game.hex()]:
            raise Mismatch(f"entry {seq} is of another game")
        if kind != ("offer", "accept")[seq] if seq < 2 else kind in ("offer", "accept", "rekey", "rechain"):
            raise Mismatch(f"entry {seq}: kind {kind} isn't dealt with here")
        here = digest_of_entry(canonical)
        if seq < 2:
            if by in sides:
                raise Mismatch(f"entry {seq}: side {by} again")
            sides[by] = enrol(words)
        if by not in sides:
            raise Mismatch(f"entry {seq}: side {by} isn't in this game")
        shown = only(header, "reveal", []) if seq > 1 else []
        trail.append((by, here, step_back(seq, sides[by], shown) if shown else None))
        game = here if seq == 1 else game
    if len(entries) < 2:
        raise Mismatch("a log begins with an offer and an accept")
    return game, trail


def enrol(words):
    type_and_key, (gnonce,), (_, anchor) = only(words, "key"), only(words, "gnonce"), only(words, "anchor")
    blob, salt = base64.b64decode(type_and_key[1]), bytes.fromhex(gnonce)
    ident = sha256(prefixed(b"pbem-player/1") + prefixed(blob) + prefixed(salt)).digest()
    return {"ident": ident, "last": bytes.fromhex(anchor), "count": 0}


def step_back(seq, player, shown):
    index, value = int(shown[0]), bytes.fromhex(shown[1])
    if index != player["count"] + 1:
        raise Mismatch(f"entry {seq}: reveal {index} where {player['count'] + 1} is due")
    step = prefixed(b"pbem-chain/1") + player["ident"] + struct.pack(">I", index) + value
    if sha256(step).digest() != player["last"]:
        raise Mismatch(f"entry {seq}: reveal {index} isn't of the chain")
    player.update(last=value, count=index)
    return value


def seed_of(seq, game, trail):
    if not 2 <= seq < len(trail):
        raise Mismatch(f"there is no entry {seq} that could roll")
    by, signed, _ = trail[seq]
    secret = next((value for side, _, value in trail[seq + 1 :] if side != by), None)
    if secret is None:
        raise Mismatch(f"entry {seq}: the other side's next entry reveals nothing")
    return hmac_sha256(secret, prefixed(b"pbem-seed/1") + game + struct.pack(">Q", seq) + signed)


def main(log_name, claims_name):
    with open(log_name, encoding="ascii", newline="") as log, open(claims_name, encoding="utf-8") as claims:
        entries, wanted = read_log(log.read()), json.load(claims)
    game, trail = walk(entries)
    print(f"game {game.hex()}, {len(trail)} entries, {sum(1 for t in trail if t[2])} reveals fit")
    for claim in wanted:
        mine = rolled(seed_of(claim["seq"], game, trail), claim)
        place = f"entry {claim['seq']} {claim['label']}"
        if mine != claim["result"]:
            raise Mismatch(f"{place}: claimed {claim['result']}, derived {mine}")
        print(f"{place}: {' '.join(map(str, mine))} fits")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit((print(__doc__, file=sys.stderr), 2)[1])
    try:
        main(*sys.argv[1:])
    except (Mismatch, ValueError, IndexError, KeyError) as wrong:
        print(f"MISMATCH {wrong or type(wrong).__name__}")
        sys.exit(1)
