#!/usr/bin/env python3
"""Audits a game.log: audit.py GAME.LOG [ROLLS.JSON], the latter being what `pbem rolls GAME.LOG --json` says.

It needs Python's standard library and ssh-keygen (OpenSSH 8.2 or later), shares no code with pbem, and follows the
sections of docs/protocol.md. Exit status: 0 all fits; 1 the first bad entry or roll is named; 2 nothing can be said.
"""
# ruff: noqa: T201, E401, I001, E731 (what it finds it prints; short things fit into one line)

import base64, itertools, json, pathlib, re, shutil, subprocess, sys, tempfile
from hashlib import sha256
from hmac import digest as hmac

HEX, NAME, WORD = "[0-9a-f]{64}", "[a-z][a-z0-9-]{0,15}", r"[A-Za-z0-9][A-Za-z0-9._/:+=,'!?-]{0,79}"
HEADER = {"pbem": "1", "game": HEX, "seq": "0|[1-9][0-9]{0,8}", "prev": HEX, "by": NAME, "state": HEX}
HEADER |= {"nonce": "[0-9a-f]{32}", "reveal": f"[1-9][0-9]{{0,8}} {HEX}"}
HEADER["kind"] = "offer|accept|orders|react|reveal|rekey|rechain|recover|accept-rekey|substitute|undo|claim|resign|draw"
KEY = "key ssh-ed25519 (?P<key>[A-Za-z0-9+/]{68});\n"
CHAIN = f"gnonce (?P<gnonce>[0-9a-f]{{32}});\nanchor (?P<length>100000|[1-9][0-9]{{0,4}}) (?P<anchor>{HEX});\n"
CHAIN += "(recovery ssh-ed25519 (?P<spare>[A-Za-z0-9+/]{68});\n)?"
GENESIS = f"side (?P<side>{WORD});\n{KEY}{CHAIN}(?P<terms>rules (?s:.*)\ndice chain;\n(?P<solo>solo;\n)?)"
OTHER = f"(as (?P<person>{WORD});\n)?{KEY}{CHAIN}"
RENEWED = {"rekey": KEY + CHAIN, "rechain": CHAIN, "recover": OTHER, "accept-rekey": OTHER}
RENEWED["substitute"] = f"substitute (offer;\n{OTHER}|(?P<yes>accept);\n|refuse;\n)"
FENCES = [f"-----{edge} {what}-----\n" for what in ("PBEM TURN", "SSH SIGNATURE") for edge in ("BEGIN", "END")]
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # of Ed25519: the field, the order of the group
lp = lambda b: len(b).to_bytes(4, "big") + b
Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826  # y of a point of order 8


def need(fits, why):
    if not fits:
        raise ValueError(why)


def check_point(raw, what):
    y = int.from_bytes(raw, "little") % 2**255
    need(y < P and y not in (0, 1, Y8, P - Y8, P - 1), f"{what} is a point of small order, or not in its one form")


class Audit:
    def __init__(self, folder, program):
        self.players, self.trail, self.first, self.labels, self.gnonces, self.waits = {}, [], {}, [], set(), None
        self.program, self.signers, self.sig = program, folder / "allowed_signers", folder / "turn.sig"
        # players by name, and the trail: author, kind, hash and secret of each entry that was good

    def take(self, chunk):
        """4.7, steps 1 to 4 without the rules: what stands in the log behind BEGIN PBEM TURN."""
        block = re.fullmatch("(.*?\n){1}({2}(.*?){3})".format(*FENCES), chunk, re.DOTALL)
        need(block, "it isn't a turn and its signature in their fences, and nothing else")
        lines, seq, head = self.statements(block[1]), len(self.trail), {}
        offered = "pbem kind seq by nonce", "pbem kind seq prev by nonce"
        for name in (offered[seq] if seq < 2 else "pbem kind game seq prev by nonce reveal state").split():
            word, _, value = "".join(lines[len(head) :][:1]).partition(" ")
            if (name, word) != ("reveal", "state"):
                right = word == name and re.fullmatch(HEADER[name], value)
                need(right, f"its header has `{word[:16]}` where `{name}` must be, or not in its form")
                head[name] = value
        by, kind, body = head["by"], head["kind"], "".join(f"{line};\n" for line in lines[len(head) :])
        need(not {*HEADER, "end"} & set(re.findall("(?m)^[a-z0-9-]+", body)), "its body has a word of the header")
        need(int(head["seq"]) == seq, f"it carries the number {head['seq']}")
        need(seq == 0 or head["prev"] == self.trail[-1][2].hex(), "it doesn't follow the entry before it (prev)")
        need(seq < 2 or head["game"] == self.trail[1][2].hex(), "it is of another game")
        need(kind == ("offer", "accept")[seq] if seq < 2 else kind not in ("offer", "accept"), f"its kind is {kind}")
        if seq < 2:
            self.begin(by, re.fullmatch(GENESIS, body))
        need(by in self.players, f"{by} isn't a player")
        self.check_signature(block[1].encode(), block[2], block[3].replace("\n", ""), by, kind == "recover")
        secret = self.reveal(self.players[by], *head["reveal"].split()) if "reveal" in head else None
        if kind in RENEWED:
            self.renew(by, kind, re.fullmatch(RENEWED[kind], re.sub("(?m)^say[ ;].*\n", "", body)))
        self.trail.append((by, kind, sha256(lp(b"pbem-entry/1") + lp(block[1].encode())).digest(), secret))

    def statements(self, canonical):
        """2.3: the statements before `end`, without `;` and LF; count and sums must fit."""
        *lines, end = canonical[:-1].split("\n")
        for number, line in enumerate(lines, 1):
            fits = re.fullmatch(f"(?!.*-----(BEGIN|END) ){NAME}( {WORD})*;", line) and len(line) < 4096
            need(fits, f"statement {number} is outside the grammar")
        eights = ("".join(f"{line}\n" for line in lines[at : at + 8]).encode() for at in range(0, len(lines), 8))
        sums = " ".join(sha256(eight).hexdigest()[:6] for eight in eights)
        need(0 < len(lines) < 5000 and end == f"end {len(lines)} {sums};", "count and sums at its end don't fit")
        return [line[:-1] for line in lines]

    def begin(self, by, found):
        self.enrol(by, found)
        own = {"name": by, **found.groupdict()}
        need(self.first.get("terms", own["terms"]) == own["terms"], "its terms aren't those of the offer")
        for what in ("name", "side") if own["solo"] else ("name", "side", "key"):
            need(self.first.get(what) != own[what], f"both players have the same {what}")
        self.first = own

    def renew(self, by, kind, found):
        """4.9, 4.10: a substitute waits for the other's consent, an accept-rekey is about the other."""
        if kind == "substitute" and found:
            asked, self.waits = self.waits, (by, found) if found["key"] else None
            by, found = (asked or (by, None)) if found["yes"] else ("", None)
        if by:
            self.enrol(next(name for name in self.players if name != by) if kind == "accept-rekey" else by, found)

    def enrol(self, by, found):
        need(found and found["gnonce"] not in self.gnonces, "its body isn't that of its kind, or its gnonce isn't new")
        named, old = found.groupdict(), self.players.get(by, {"spare": b""})
        blob = base64.b64decode(named["key"]) if "key" in named else old["key"]
        spare = base64.b64decode(named["spare"] or "") or (b"" if named.get("person") else old["spare"])
        for what, one in [("key", blob), ("recovery key", spare)][: 1 + bool(spare)]:
            need(one[:19] == lp(b"ssh-ed25519") + b"\0\0\0\x20" and len(one) == 51, f"its {what} isn't of Ed25519")
            check_point(one[19:], f"its {what}")
        ident = sha256(lp(b"pbem-player/1") + lp(blob) + lp(bytes.fromhex(found["gnonce"]))).digest()
        new = {"key": blob, "spare": spare, "id": ident, "x": found["anchor"], "n": int(found["length"]), "shown": 0}
        self.players[by], self.gnonces = new, self.gnonces | {found["gnonce"]}

    def check_signature(self, turn, armor, letters, by, spare):
        """1.3: each field has one value that is right; then ssh-keygen says whether R and S fit the text."""
        key, blob = self.players[by]["spare" if spare else "key"], base64.b64decode(letters)
        lines = FENCES[2] + re.sub("(.{1,70})", r"\1\n", base64.b64encode(blob).decode()) + FENCES[3]
        need(armor == lines, "its signature isn't canonical base64 in lines of 70 letters")
        fields = {"magic word": b"SSHSIG", "version": b"\0\0\0\1", "key": lp(key), "namespace": lp(b"pbem-turn-v1")}
        fields |= {"reserved field": lp(b""), "hash": lp(b"sha512"), "size": b"\0\0\0\x53", "type": lp(b"ssh-ed25519")}
        for name, must in fields.items():
            need(blob.startswith(must), f"its signature's {name} isn't the one that it must be")
            blob = blob[len(must) :]
        need(len(blob) == 68 and blob == lp(blob[4:]), "its signature isn't R and S of 32 bytes each")
        check_point(blob[4:36], "its signature's R")
        need(int.from_bytes(blob[36:], "little") < L, "its signature's S isn't below the order of the group")
        self.signers.write_bytes(b"%s ssh-ed25519 %s\n" % (by.encode(), base64.b64encode(key)))
        self.sig.write_bytes(armor.encode())
        command = [self.program, "-Y", "verify", "-f", self.signers, "-I", by, "-n", "pbem-turn-v1", "-s", self.sig]
        told = subprocess.run(command, input=turn, capture_output=True)  # noqa: S603 no shell, and `by` is a bare name
        if told.returncode not in (0, 255):
            raise OSError(f"{self.program} can't verify signatures: {told.stderr.decode(errors='replace')[:99]}")
        need(told.returncode == 0, "ssh-keygen says: its signature doesn't fit its text")

    def reveal(self, player, index, secret):
        due, value = player["shown"] + 1, bytes.fromhex(secret)
        need(int(index) == due <= player["n"], f"reveal {index} of {player['n']} where {due} is the next")
        back = sha256(lp(b"pbem-chain/1") + player["id"] + due.to_bytes(4, "big") + value).hexdigest()
        need(back == player["x"], f"reveal {index} isn't of the chain")
        player.update(x=secret, shown=due)
        return value

    def roll(self, seq, label, claim):
        """3.3: what a claimed roll or draw must have been; of one stem 1 is the first, 2 the second."""
        self.labels.append((seq, label.rpartition("/")[0]))
        need(label.endswith(f"/{self.labels.count(self.labels[-1])}"), "its label is out of turn")
        by, kind, signed, _ = self.trail[seq] if 0 < seq < len(self.trail) else ("", "offer", b"", b"")
        need(kind in ("accept", "orders", "react"), "there is no such entry that could roll")
        secret = next((entry[3] for entry in self.trail[seq + 1 :] if entry[0] != by), None)
        if "adverse" in claim:
            need(not secret and "lost-secret adverse;" in self.first["terms"], "it has a seed, or the terms forbid it")
            return claim["result"]
        need(secret, "the other side's next entry reveals nothing")
        seed = hmac(secret, lp(b"pbem-seed/1") + self.trail[1][2] + seq.to_bytes(8, "big") + signed, "sha256")
        key = hmac(seed, lp(b"pbem-roll/1") + lp(label.encode()), "sha256")
        octets = (o for i in itertools.count() for o in hmac(key, lp(b"pbem-block/1") + i.to_bytes(4, "big"), "sha256"))

        def below(m):
            width = (m - 1).bit_length() + 7 >> 3
            values = (int.from_bytes(bytes(itertools.islice(octets, width)), "big") for _ in itertools.count())
            return next(v for v in values if v < 256**width // m * m) % m

        if "dice" in claim:
            return [1 + below(claim["sides"]) for _ in range(claim["dice"])]
        cup = sorted(claim["cup"])
        for here in range(claim["count"]):
            there = here + below(len(cup) - here)
            cup[here], cup[there] = cup[there], cup[here]
        return cup[: claim["count"]]


def main(log, rolls=""):
    if not (program := shutil.which("ssh-keygen")):
        raise OSError("ssh-keygen isn't here; it comes with OpenSSH (Debian: the package openssh-client)")
    place, (before, *chunks) = "list of rolls", pathlib.Path(log).read_bytes().decode("latin-1").split(FENCES[0])
    with tempfile.TemporaryDirectory() as folder:
        audit = Audit(pathlib.Path(folder), program)
        try:
            claims = json.loads(pathlib.Path(rolls).read_bytes()) if rolls else []
            for chunk in [before, *chunks] if before or not chunks else chunks:
                place = f"entry {len(audit.trail)}"
                audit.take(chunk)
            for claim in claims:
                place = f"entry {claim['seq']} {claim['label']}"
                mine = audit.roll(claim["seq"], claim["label"], claim)
                need(mine == claim["result"], f"claimed {claim['result']}, derived {mine}")
                print(f"{place}: {' '.join(map(str, mine))} fits")
        except (ValueError, LookupError, TypeError, ArithmeticError) as wrong:
            sys.exit(f"BAD {place}: {wrong}")
    for by, player in audit.players.items():
        print(f"{by} now signs with SHA256:{base64.b64encode(sha256(player['key']).digest()).decode()[:-1]}")
    print(f"good: {len(chunks)} entries and signatures, {len(claims)} rolls; head {audit.trail[-1][2].hex()}")
    print("not checked: the rules (what was due, `state`, orders, agreements, terms), and whether these are all rolls")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    try:
        main(*sys.argv[1:])
    except OSError as problem:
        sys.exit(print(f"nothing can be said: {problem}", file=sys.stderr) or 2)
