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
STATEMENT = re.compile(f"(?!.*-----){NAME}( {WORD})*;")
NUMBER, GNONCE = "(?:0|[1-9][0-9]{0,8})", "[0-9a-f]{32}"
DECISIONS, PROPOSALS = ("begin", "orders", "react"), ("draw", "undo", "substitute")
AGREEMENTS = (*PROPOSALS, "rekey", "recover", "accept-rekey", "resign", "claim")
HEADER = {"pbem": "1", "game": HEX, "seq": NUMBER, "prev": HEX, "by": NAME, "nonce": GNONCE, "state": HEX}
HEADER |= {"anchor": f"(100000|[1-9][0-9]{{0,4}}) {HEX} {GNONCE}", "reveal": f"[1-9][0-9]{{0,8}} {HEX}"}
HEADER["kind"] = "|".join(("offer", "accept", *DECISIONS, "reveal", *AGREEMENTS))
KEY = "key ssh-ed25519 (?P<key>[A-Za-z0-9+/]{68});\n"
SPARE = "(recovery ssh-ed25519 (?P<spare>[A-Za-z0-9+/]{68});\n)?"
TERMS = f"rules {WORD};\nengine pbem/1;\nscenario {WORD} {HEX};\n(option {WORD} {WORD};\n)*reactions (standing|ask);\n"
TERMS += "lost-secret (adverse|forfeit);\ndeadline (none|[1-9][0-9]{0,3});\ndice chain;\n(?P<solo>solo;\n)?"
READS = "(reads [a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3};\n)?"
GENESIS = f"side (?P<side>{WORD});\n{KEY}{SPARE}{READS}(?P<terms>{TERMS})"
NAMED = f"{KEY}proof (?P<proof>{HEX} {HEX});\n{SPARE}"
OTHER = f"(as (?P<person>{WORD[:-6]}{{0,15}});\n)?{NAMED}"
ANSWER = "(?P<answer>accept|refuse);\n"
TIME = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}Z"
BODIES = {"begin": "", "orders": "(?s:.*)", "react": "(?s:.*)", "reveal": "", "resign": "", "rekey": NAMED}
BODIES |= {"draw": f"draw (offer;\n|{ANSWER})", "undo": f"undo (offer (?P<target>{NUMBER});\n|{ANSWER})"}
BODIES |= {"recover": NAMED, "accept-rekey": OTHER, "substitute": f"substitute (offer;\n{OTHER}|{ANSWER})"}
BODIES |= {"claim": f"(sent {NUMBER} {TIME};\n)*"}
FENCES = [f"-----{edge} {what}-----\n" for what in ("PBEM TURN", "SSH SIGNATURE") for edge in ("BEGIN", "END")]
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # of Ed25519: the field, the order of the group
Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826  # y of a point of order 8
lp = lambda b: len(b).to_bytes(4, "big") + b


def need(fits, why):
    if not fits:
        raise ValueError(why)


def check_point(raw, what):
    y = int.from_bytes(raw, "little") % 2**255
    need(y < P and y not in (0, 1, Y8, P - Y8, P - 1), f"{what} is a point of small order, or not in its one form")


def armored(blob):
    return FENCES[2] + re.sub("(.{1,70})", r"\1\n", base64.b64encode(blob).decode()) + FENCES[3]


def read(canonical, seq):
    """2.3: the header by name, and the body as it stands; count and sums must fit."""
    need(len(canonical) <= 262144, "it has more than 262144 bytes")
    *lines, end, rest = canonical.split("\n")
    for number, line in enumerate(lines, 1):
        need(STATEMENT.fullmatch(line) and len(line) < 4096, f"statement {number} is outside the grammar")
    eights = ("".join(f"{line}\n" for line in lines[at : at + 8]).encode() for at in range(0, len(lines), 8))
    sums = " ".join(sha256(eight).hexdigest()[:6] for eight in eights)
    fits = 0 < len(lines) < 5000 and end == f"end {len(lines)} {sums};" and not rest
    need(fits, "count and sums at its end don't fit")
    names, head = ("pbem kind seq by nonce", "pbem kind seq prev by nonce anchor"), {}
    for name in (names[seq] if seq < 2 else "pbem kind game seq prev by nonce anchor reveal state").split():
        word, _, value = "".join(lines[len(head) :][:1])[:-1].partition(" ")
        if seq < 2 or (name, word) not in (("anchor", "reveal"), ("anchor", "state"), ("reveal", "state")):
            right = word == name and re.fullmatch(HEADER[name], value)
            need(right, f"its header has `{word[:16]}` where `{name}` must be, or not in its form")
            head[name] = value
    body = lines[len(head) :]
    need(not {*HEADER, "end"} & {re.match(NAME, line)[0] for line in body}, "its body has a word of the header")
    return head, "".join(f"{line}\n" for line in body)


class Audit:
    def __init__(self, folder, program):
        self.players, self.keys, self.trail, self.labels = {}, set(), [], []  # trail: kind and hash of each good entry
        self.due, self.decided, self.secrets, self.lost = None, 0, {}, set()  # who owes the secret of which decision
        self.waits, self.refused, self.standing, self.over = None, set(), set(), False  # proposals; what undo may name
        self.program, self.signers, self.sig = program, folder / "allowed_signers", folder / "turn.sig"

    def take(self, chunk):
        """4.6, steps 1 to 4 without the rules: what stands in the log behind BEGIN PBEM TURN."""
        block = re.fullmatch("(.*?\n){1}({2}(.*?){3})".format(*FENCES), chunk, re.DOTALL)
        need(block, "it isn't a turn and its signature in their fences, and nothing else")
        seq, (head, body) = len(self.trail), read(block[1], len(self.trail))
        by, kind = head["by"], head["kind"]
        need(int(head["seq"]) == seq, f"it carries the number {head['seq']}")
        need(seq == 0 or head["prev"] == self.trail[-1][1].hex(), "it doesn't follow the entry before it (prev)")
        need(seq < 2 or head["game"] == self.trail[1][1].hex(), "it is of another game")
        need(kind == ("offer", "accept")[seq] if seq < 2 else kind not in ("offer", "accept"), f"its kind is {kind}")
        found = re.fullmatch(GENESIS if seq < 2 else BODIES[kind], self.without_talk(kind, body))
        need(found, "its body isn't that of its kind")
        if seq < 2:
            self.begin(by, found)
        need(by in self.players, f"{by} isn't a player")
        me, other = self.players[by], next((name for name in self.players if name != by), None)
        self.check_signature(block[1], block[2], by, me["spare" if kind == "recover" else "key"])
        said = found.groupdict()
        if seq > 1:
            self.check_place(seq, by, kind, said)
            self.check_chain(seq, by, kind, said, head)
            sent = re.findall("(?m)^sent ([0-9]+)", body) if kind == "claim" else ()
            need(all(int(number) < seq for number in sent), "it claims to have sent what isn't there")
        most = 64 if kind in ("resign", "claim") else 63 if kind in ("reveal", "draw") or said.get("answer") else 62
        me["size"] += len(block[1]) + 356
        need(me["size"] <= most * 2**19, f"its author's share of the log is full: {me['size']} bytes")
        if seq > 1:
            self.settle(seq, by, other, kind, said, head)
        if "anchor" in head and not said.get("proof"):
            me.update(self.chain(head, me["key"]))
        self.trail.append((kind, sha256(lp(b"pbem-entry/1") + lp(block[1].encode())).digest()))

    def without_talk(self, kind, body):
        """7: what an agreement says beside its talk; the talk and the whole have their limits."""
        need(sum(map(len, re.findall("(?m)^say[ ;].*\n", body))) <= 4096, "its `say` have more than 4096 bytes")
        need(kind not in AGREEMENTS or body.count("\n") <= 20, "its body has more than 20 statements")
        return re.sub("(?m)^say[ ;].*\n", "", body) if kind in AGREEMENTS else body

    def begin(self, by, found):
        """4.1 and 4.7: an offer, and an accept that fits it."""
        names = re.findall("(?m)^option ([^ ]+)", found["terms"])
        need(names == sorted(set(names)), "its options don't stand in their order, each once")
        need(not (found["solo"] and found["spare"]), "a solo game has a recovery key")
        keys = self.new_keys(found, () if found["solo"] else self.keys)
        for name, first in self.players.items():
            need(found["terms"] == self.terms, "its terms aren't those of the offer")
            need(by != name and found["side"] != first["side"], "both players have one name or side")
            need(keys["key"] == first["key"] or not found["solo"], "a solo game has two keys")
        self.terms, self.keys = found["terms"], self.keys | {*keys.values()}
        self.players[by] = {**keys, "side": found["side"], "size": 0, "agreed": 0}

    def new_keys(self, found, used):
        """1.3 and 4.1: a key, perhaps a recovery key, that were in use for nobody."""
        keys = {what: base64.b64decode(found[what] or "") for what in ("key", "spare")}
        need(keys["key"] != keys["spare"], "its recovery key is the key itself")
        for one in filter(None, keys.values()):
            need(one[:19] == lp(b"ssh-ed25519") + b"\0\0\0\x20" and len(one) == 51, "its key isn't of Ed25519")
            check_point(one[19:], "its key")
            need(one not in used, "its key was in use in this game before")
        return keys

    def check_place(self, seq, by, kind, said):
        """4.1, 4.2, 4.4, 7: whether such an entry may stand here, as far as that can be told without the rules."""
        me, answer, first = self.players[by], said.get("answer"), next(iter(self.players))
        need(not self.over, "the game was over")
        second = kind in ("begin", "orders") and by == first
        need(
            second if seq == 2 else kind != "begin", "entry 2 is `begin` or orders of the offerer, and no other `begin`"
        )
        need("solo;" not in self.terms or kind not in AGREEMENTS[2:6], "keys don't change in a solo game")
        need(kind != "claim" or "deadline none;" not in self.terms, "the terms have no deadline")
        free = kind == "accept-rekey" or (kind == "claim" and self.due != by)  # by who needn't be due
        need(free or (kind != "claim" and self.due in (None, by)), "a reveal is due first, or he is due who claims")
        if self.waits:
            right = kind == self.waits[0] and answer and by != self.waits[1]
            right = right or kind == "accept-rekey" or kind == ("claim" if by == self.waits[1] else "recover")
            need(right, "a proposal waits for its answer")
        else:
            need(not answer, "it answers no proposal that waits")
        need(answer or (kind, by) not in self.refused, "it was refused before")
        need(not said.get("target") or int(said["target"]) in self.standing, "it would take back what no decision is")
        if kind in AGREEMENTS and not answer and kind not in ("resign", "claim"):
            me["agreed"] += 1
            need(me["agreed"] <= 20, "it is the 21st agreement of its author in a row")

    def check_chain(self, seq, by, kind, said, head):
        """3.3: a reveal is there exactly when it is due, and of the chain; so is an anchor where one must stand."""
        must, me = seq == 2 or said.get("proof"), self.players[by]
        may = must or kind in ("orders", "react", "reveal", "draw", "undo")
        need("anchor" in head or not must, "its anchor is missing")
        need("anchor" not in head or may, "it names an anchor where none may stand")
        if "reveal" not in head:
            need(kind == "recover" or (self.due != by and kind != "reveal"), "its reveal is missing")
            return
        need(self.due == by, "it reveals what isn't due")
        (index, secret), due = head["reveal"].split(), me["shown"] + 1
        need(int(index) == due <= me["n"], f"reveal {index} of {me['n']} where {due} is the next")
        back = sha256(lp(b"pbem-chain/1") + me["id"] + due.to_bytes(4, "big") + bytes.fromhex(secret)).hexdigest()
        need(back == me["x"], f"reveal {index} isn't of the chain")
        own = "anchor" in head and kind not in ("accept-rekey", "substitute")
        need(due < me["n"] or own or kind == "resign", "it reveals the last value and begins no new chain")
        me.update(x=secret, shown=due)
        self.secrets[self.decided], self.due = bytes.fromhex(secret), None

    def chain(self, head, key):
        """3.3: the chain that an anchor names."""
        length, value, gnonce = head["anchor"].split()
        ident = lp(b"pbem-player/1") + lp(key) + lp(bytes.fromhex(gnonce)) + lp(bytes.fromhex(head["prev"]))
        return {"id": sha256(ident).digest(), "x": value, "n": int(length), "shown": 0}

    def settle(self, seq, by, other, kind, said, head):
        """4.1, 4.4: what it does, as far as keys, chains and proposals go."""
        answer, name = said.get("answer"), other if kind == "accept-rekey" else by
        seat = self.seat(name, said, head) if said.get("proof") else None
        if kind in (*DECISIONS, "reveal"):
            for player in self.players.values():
                player["agreed"] = 0
        if kind in DECISIONS:
            self.decided, self.due, self.refused = seq, other, {pair for pair in self.refused if pair[1] != by}
            self.standing |= {seq} - ({seq} if kind == "begin" else set())
        elif answer:
            (_, _, seat, target), self.waits = self.waits, None
            name = other
            if answer == "refuse":
                self.refused.add((kind, other))
            elif kind == "undo":
                self.due, self.standing = None, {number for number in self.standing if number < target}
        elif kind in PROPOSALS:
            self.waits, seat = (kind, by, seat, int(said.get("target") or 0)), None
        elif seat and self.due == name:
            self.due, self.lost = None, self.lost | {self.decided}
        if seat and answer != "refuse":
            old = {b"", self.players[name]["spare"]}
            need(not answer or not ({seat["key"], seat["spare"]} - old) & self.keys, "its key came into use meanwhile")
            self.players[name].update(seat)
            self.keys |= {seat["key"], seat["spare"]}
        lost = "lost-secret forfeit;" in self.terms and self.lost
        self.over = lost or kind in ("resign", "claim") or (kind == "draw" and answer == "accept")

    def seat(self, name, said, head):
        """3.3: a new key, whose owner agrees, and its chain."""
        keys = self.new_keys(said, self.keys)
        text = ["pbem key 1\n", *(f"{word} {head[word]};\n" for word in ("game", "seq", "prev"))]
        text += [f"player {name};\n", f"anchor {head['anchor']};\n"]
        text += [f"as {said['person']};\n"] if said.get("person") else []
        text += [f"key ssh-ed25519 {said['key']};\n"]
        text += [f"recovery ssh-ed25519 {said['spare']};\n"] if said["spare"] else []
        signature = lp(b"ssh-ed25519") + lp(bytes.fromhex(said["proof"].replace(" ", "")))
        fields = (keys["key"], b"pbem-key-v1", b"", b"sha512", signature)
        proof = armored(b"SSHSIG\0\0\0\1" + b"".join(map(lp, fields)))
        self.check_signature("".join(text), proof, name, keys["key"], b"pbem-key-v1", "the proof of its key")
        kept = b"" if said.get("person") else self.players[name]["spare"]
        return {"key": keys["key"], "spare": keys["spare"] or kept, **self.chain(head, keys["key"])}

    def check_signature(self, text, armor, by, key, namespace=b"pbem-turn-v1", what="its signature"):
        """1.3: each field has one value that is right; then ssh-keygen says whether R and S fit the text."""
        need(key, f"{by} has no such key")
        blob = base64.b64decode("".join(armor.split("\n")[1:-2]))
        need(armor == armored(blob), f"{what} isn't canonical base64 in lines of 70 letters")
        fields = {"magic word": b"SSHSIG", "version": b"\0\0\0\1", "key": lp(key), "namespace": lp(namespace)}
        fields |= {"reserved field": lp(b""), "hash": lp(b"sha512"), "size": b"\0\0\0\x53", "type": lp(b"ssh-ed25519")}
        for name, must in fields.items():
            need(blob.startswith(must), f"{what}'s {name} isn't the one that it must be")
            blob = blob[len(must) :]
        need(len(blob) == 68 and blob == lp(blob[4:]), f"{what} isn't R and S of 32 bytes each")
        check_point(blob[4:36], f"{what}'s R")
        need(int.from_bytes(blob[36:], "little") < L, f"{what}'s S isn't below the order of the group")
        self.signers.write_bytes(b"%s ssh-ed25519 %s\n" % (by.encode(), base64.b64encode(key)))
        self.sig.write_bytes(armor.encode())
        command = [self.program, "-Y", "verify", "-f", self.signers, "-I", by, "-n", namespace, "-s", self.sig]
        told = subprocess.run(command, input=text.encode(), capture_output=True)  # noqa: S603 no shell, a bare name
        if told.returncode not in (0, 255):
            raise OSError(f"{self.program} can't verify signatures: {told.stderr.decode(errors='replace')[:99]}")
        need(told.returncode == 0, f"ssh-keygen says: {what} doesn't fit its text")

    def roll(self, seq, label, claim):
        """3.3: what a claimed roll or draw must have been; of one stem 1 is the first, 2 the second."""
        self.labels.append((seq, label.rpartition("/")[0]))
        need(label.endswith(f"/{self.labels.count(self.labels[-1])}"), "its label is out of turn")
        kind, signed = self.trail[seq] if 0 < seq < len(self.trail) else ("offer", b"")
        need(kind in DECISIONS, "there is no such entry that could roll")
        if "adverse" in claim:
            need(seq in self.lost, "its secret isn't lost")
            return claim["result"]
        need(seq in self.secrets, "nobody has revealed the secret of its dice")
        seed = hmac(
            self.secrets[seq], lp(b"pbem-seed/1") + self.trail[1][1] + seq.to_bytes(8, "big") + signed, "sha256"
        )
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
    print(f"good: {len(chunks)} entries and signatures, {len(claims)} rolls; head {audit.trail[-1][1].hex()}")
    print("not checked: the rules (whose decision was due, `state`, orders), and whether these are all rolls")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    try:
        main(*sys.argv[1:])
    except OSError as problem:
        sys.exit(print(f"nothing can be said: {problem}", file=sys.stderr) or 2)
