"""tools/audit.py, the second verifier: passes whole games, names the first bad entry of every damaged or forged one."""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import json
import random
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from toy.players import Duel, private_key, signer

from pbem import dice, signing
from pbem.agreements import body_of
from pbem.envelope import Block, Statement, read_log_blocks, render_block
from pbem.handover import handover_body
from pbem.keys import FileSigner
from pbem.requests import Roll
from pbem.succession import ask
from pbem.turn import Secrets, accept_block, sign_agreement, sign_entry

ROOT = Path(__file__).resolve().parents[1]
AUDIT = ROOT / "tools" / "audit.py"
MAIN = runpy.run_path(str(AUDIT))["main"]
GAMES = ROOT / "tests" / "games"
EDGES = json.loads((ROOT / "tests" / "vectors" / "ed25519_edges.json").read_text("ascii"))
L = 2**252 + 27742317777372353535851937790883648493

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="SSH-KEYGEN IS MISSING: the audit didn't run; install openssh-client"
)


class Said(NamedTuple):
    """What the script answered."""

    status: int
    out: str
    err: str


def audit(folder: Path, text: str, claims: list[dict[str, object]] | None = None) -> Said:
    """What the script says of a log and, if given, a list of rolls. Within this process: that is ten times as fast."""
    (folder / "game.log").write_bytes(text.encode("latin-1"))
    names = [folder / "game.log"]
    if claims is not None:
        (folder / "rolls.json").write_text(json.dumps(claims), encoding="ascii")
        names.append(folder / "rolls.json")
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            MAIN(*map(str, names))
        except SystemExit as ended:  # the interpreter prints the reason and ends with 1
            return Said(1, out.getvalue(), f"{ended}\n")
    return Said(0, out.getvalue(), err.getvalue())


def run(*names: Path, path: str = "") -> Said:
    """The script as its user starts it, alone; with another PATH, if given."""
    command, env = [sys.executable, "-I", "-S", AUDIT, *names], {"PATH": path} if path else None
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    return Said(done.returncode, done.stdout, done.stderr)


def bad(said: Said, entry: int, why: str = "") -> None:
    """It names this entry, with this reason, and nothing else."""
    assert said.err.startswith(f"BAD entry {entry}: "), said
    assert why in said.err
    assert (said.status, said.err.count("\n")) == (1, 1)
    assert "good" not in said.out


# The script itself.


def test_it_is_short_and_shares_nothing_with_the_program() -> None:
    source = AUDIT.read_text("ascii")
    assert len(source.splitlines()) <= 200
    nodes = list(ast.walk(ast.parse(source)))
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert "hashlib" in named
    assert {name.partition(".")[0] for name in named} <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) and node.level for node in nodes)
    assert not {"__import__", "import_module", "runpy", "exec", "eval"} & set(source.replace("(", " ").split())


# Whole games.


@pytest.mark.parametrize("log", sorted(GAMES.glob("*.log")), ids=lambda path: path.stem)
def test_every_whole_game_passes(log: Path, tmp_path: Path) -> None:
    text = log.read_text("ascii")
    said = audit(tmp_path, text)
    assert (said.status, said.err) == (0, "")
    blocks = read_log_blocks(text)
    head = dice.entry_hash(blocks[-1].payload).hex()
    assert f"good: {len(blocks)} entries and signatures, 0 rolls; head {head}\n" in said.out
    assert "not checked: the rules (what was due, `state`" in said.out


def test_it_tells_the_keys_as_ssh_keygen_shows_them(tmp_path: Path) -> None:
    blocks = read_log_blocks((GAMES / "asked.log").read_text("ascii"))
    said = audit(tmp_path, "".join(map(render_block, blocks[:2])))
    for block, name in zip(blocks, ("asuka", "ben"), strict=False):
        (tmp_path / "key.pub").write_text(next(x for x in block.payload.decode().split(";\n") if x[:4] == "key ")[4:])
        shown = subprocess.run(["ssh-keygen", "-lf", tmp_path / "key.pub"], capture_output=True, text=True, check=True)
        assert f"{name} now signs with {shown.stdout.split()[1]}\n" in said.out


# Damage.

SHORT = "".join(map(render_block, read_log_blocks((GAMES / "asked.log").read_text("ascii"))[:9]))


def test_every_byte_counts(tmp_path: Path) -> None:
    """Bytes here and there, every fence, header and signature among them, are changed; the entry is named."""
    starts = [at for at in range(len(SHORT)) if SHORT.startswith("-----BEGIN PBEM TURN-----\n", at)]
    chance = random.Random(7)
    places = [*chance.sample(range(len(SHORT)), 40), starts[0] + 3, starts[4] + 3, starts[5] - 1, starts[5] - 2]
    for at in places:
        new = chance.choice([chr(ord(SHORT[at]) ^ 1), "x", " ", "\n", "", ";", "\xe9"])
        if new == SHORT[at]:
            new = "#"
        entry = max(n for n, start in enumerate(starts) if start <= at)
        in_begin = at < starts[entry] + len("-----BEGIN PBEM TURN-----\n")  # then it is a tail of the entry before
        bad(audit(tmp_path, SHORT[:at] + new + SHORT[at + 1 :]), max(0, entry - in_begin))


def test_entries_lost_swapped_doubled_and_cut_off(tmp_path: Path) -> None:
    parts = [render_block(block) for block in read_log_blocks(SHORT)]
    bad(audit(tmp_path, "".join(parts[:3] + parts[4:])), 3, "carries the number 4")
    bad(audit(tmp_path, "".join(parts[1:])), 0, "its header has `prev`")
    bad(audit(tmp_path, "".join([*parts[:4], parts[5], parts[4]])), 4, "carries the number 5")
    bad(audit(tmp_path, "".join([*parts[:6], parts[5]])), 6, "carries the number 5")
    bad(audit(tmp_path, SHORT[:-100]), 8, "fences")
    bad(audit(tmp_path, SHORT + "Regards\n"), 8, "fences")
    bad(audit(tmp_path, "Hello\n" + SHORT), 0, "fences")
    bad(audit(tmp_path, SHORT.replace("\n", "\r\n")), 0, "fences")
    bad(audit(tmp_path, ""), 0, "fences")
    other = read_log_blocks((GAMES / "all-words.log").read_text("ascii"))
    bad(audit(tmp_path, "".join([*parts[:4], render_block(other[4])])), 4, "doesn't follow")


# A game written by hand, statement by statement, so that it can be wrong in any way.


def canonical(lines: list[str]) -> bytes:
    """The statements with the `end` that fits them."""
    lines = [f"{line};\n" for line in lines]
    sums = [hashlib.sha256("".join(lines[at : at + 8]).encode()).hexdigest()[:6] for at in range(0, len(lines), 8)]
    return f"{''.join(lines)}end {len(lines)} {' '.join(sums)};\n".encode()


class Written:
    """Axis and allies, their keys and chains, and what they have signed; any header may be told to lie."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.keys: dict[str, Ed25519PrivateKey] = {}
        self.chains: dict[str, dice.Chain] = {}
        self.claims: list[dict[str, object]] = []

    @property
    def text(self) -> str:
        return "".join(map(render_block, self.blocks))

    def hash(self, seq: int) -> str:
        return dice.entry_hash(self.blocks[seq].payload).hex()

    def add(self, kind: str, by: str, *body: str, reveal: int = 0, lies: dict[str, str] | None = None) -> None:
        seq = len(self.blocks)
        head = {"pbem": "1", "kind": kind, "game": self.hash(1) if seq > 1 else "", "seq": str(seq)}
        head |= {"prev": self.hash(seq - 1) if seq else "", "by": by, "nonce": f"{seq:032x}"}
        head |= {"reveal": f"{reveal} {self.chains[by][reveal].hex()}" if reveal else ""}
        head |= {"state": f"{seq:064x}" if seq > 1 else ""} | (lies or {})
        self.sign(by, [f"{name} {value}" for name, value in head.items() if value] + list(body))

    def sign(self, by: str, lines: list[str]) -> None:
        payload = canonical(lines)
        self.blocks.append(Block(payload, signing.sign(self.keys[by], payload)))

    def chain(self, by: str, secret: int) -> list[str]:
        """A new key and chain: the statements that say so."""
        self.keys[by] = Ed25519PrivateKey.from_private_bytes(bytes([secret]) * 32)
        blob = signing.blob_from_raw(self.keys[by].public_key().public_bytes_raw())
        gnonce = bytes([secret]) * 16
        self.chains[by] = dice.chain(bytes([secret]) * 32, dice.player_id(blob, gnonce), 20)
        key = base64.b64encode(blob).decode()
        return [f"key ssh-ed25519 {key}", f"gnonce {gnonce.hex()}", f"anchor 20 {self.chains[by].anchor.hex()}"]

    def claim(self, seq: int, other: str, j: int) -> None:
        """What fell after entry `seq`, from the other's secret j: small dice, wide dice, a cup."""
        x, game_id, entry = self.chains[other][j], bytes.fromhex(self.hash(1)), bytes.fromhex(self.hash(seq))
        seed = dice.seed(x, game_id, seq, entry)
        for label, n, sides in (("combat/1405/1", 3, 6), ("combat/1405/2", 3, 6), ("wide/1", 40, 70_000)):
            result = dice.roll(seed, label, n, sides)
            self.claims.append({"seq": seq, "label": label, "dice": n, "sides": sides, "result": result})
        cup = ["b2", "a1", "a10", "b2", "c3"]
        result = dice.draw(seed, "cup/1", cup, 3)
        self.claims.append({"seq": seq, "label": "cup/1", "cup": cup, "count": 3, "result": result})


TERMS = [
    "rules toy/1", "engine pbem/1", f"scenario hill {'5' * 64}", "option fog no", "option wind yes",
    "reactions ask", "lost-secret adverse", "deadline none", "dice chain",
]  # fmt: skip


@pytest.fixture
def game() -> Written:
    """An offer and its accept."""
    game = Written()
    game.add("offer", "axis", "side red", *game.chain("axis", 7), *TERMS)
    game.add("accept", "allies", "side blue", *game.chain("allies", 9), *TERMS)
    return game


@pytest.fixture
def table(game: Written) -> Written:
    """A game with seven entries and the rolls of three decisions."""
    game.add("orders", "axis", "attack 1405 from 1404", "done")
    game.add("orders", "allies", "done", reveal=1)
    game.add("reveal", "axis", reveal=1)
    game.add("react", "axis", "retreat 1406")
    game.add("orders", "allies", "attack 1404", reveal=2)
    for decision in ((2, "allies", 1), (3, "axis", 1), (5, "allies", 2)):
        game.claim(*decision)
    return game


def test_a_game_written_by_hand_passes(table: Written, tmp_path: Path) -> None:
    said = audit(tmp_path, table.text, table.claims)
    assert (said.status, said.err) == (0, "")
    assert said.out.count(" fits\n") == len(table.claims) == 12
    assert f"good: 7 entries and signatures, 12 rolls; head {table.hash(6)}\n" in said.out


# Rolls.


@pytest.mark.parametrize("wrong", [0, 1, 6, 7, 11])
def test_a_wrong_roll_is_named(table: Written, tmp_path: Path, wrong: int) -> None:
    claim = table.claims[wrong]
    claim["result"] = [*claim["result"][1:], claim["result"][0]]  # type: ignore[index]
    said = audit(tmp_path, table.text, table.claims)
    assert said.status == 1
    assert said.out.count(" fits\n") == wrong
    assert said.err.startswith(f"BAD entry {claim['seq']} {claim['label']}: claimed [")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda claims: claims.pop(0), "BAD entry 2 combat/1405/2: its label is out of turn"),
        (lambda claims: claims.insert(0, claims[0]), "BAD entry 2 combat/1405/1: its label is out of turn"),
        (lambda claims: claims[0].update(seq=4), "BAD entry 4 combat/1405/1: there is no such entry that could roll"),
        (lambda claims: claims[0].update(seq=0), "BAD entry 0 combat/1405/1: there is no such entry"),
        (lambda claims: claims[0].update(seq=-1), "BAD entry -1 combat/1405/1: there is no such entry"),
        (lambda claims: claims[0].update(seq=7), "BAD entry 7 combat/1405/1: there is no such entry"),
        (lambda claims: claims[0].update(seq=6), "BAD entry 6 combat/1405/1: the other side's next entry reveals noth"),
        (lambda claims: claims[0].update(sides=0), "BAD entry 2 combat/1405/1: "),
        (lambda claims: claims[3].update(count=6), "BAD entry 2 cup/1: "),
        (lambda claims: claims[0].pop("result"), "BAD entry 2 combat/1405/1: 'result'"),
        (lambda claims: claims[0].pop("label"), "BAD entry 6: 'label'"),
        (lambda claims: claims.insert(0, 5), "BAD entry 6: "),
    ],
)
def test_rolls_that_cannot_be(table: Written, tmp_path: Path, change: Callable[[list], object], why: str) -> None:
    change(table.claims)
    said = audit(tmp_path, table.text, table.claims)
    assert said.status == 1
    assert said.err.startswith(why)


# Links, headers and reveals: all signed well by the one who lies.


@pytest.mark.parametrize(
    ("lies", "why"),
    [
        ({"pbem": "2"}, "`pbem`"),
        ({"kind": "offer"}, "its kind is offer"),
        ({"kind": "Orders"}, "`kind`"),
        ({"game": "0" * 64}, "another game"),
        ({"game": ""}, "its header has `seq` where `game` must be"),
        ({"seq": "8"}, "carries the number 8"),
        ({"seq": "07"}, "`seq`"),
        ({"prev": "0" * 64}, "doesn't follow"),
        ({"by": "neutral"}, "neutral isn't a player"),
        ({"nonce": "0" * 31}, "`nonce`"),
        ({"reveal": f"2 {'0' * 64}"}, "reveal 2 isn't of the chain"),
        ({"reveal": f"3 {'0' * 64}"}, "reveal 3 of 20 where 2 is the next"),
        ({"reveal": f"1 {'0' * 64}"}, "reveal 1 of 20 where 2 is the next"),
        ({"state": ""}, "where `state` must be"),
        ({"state": "0" * 63}, "`state`"),
    ],
)
def test_a_header_that_lies_is_named(table: Written, tmp_path: Path, lies: dict[str, str], why: str) -> None:
    table.add("orders", "axis", "done", reveal=2, lies=lies)
    bad(audit(tmp_path, table.text), 7, why)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: [lines[1], lines[0], *lines[2:]], "its header has `kind` where `pbem` must be"),
        (lambda lines: [*lines, lines[6]], "a word of the header"),
        (lambda lines: [*lines, "end 3"], "a word of the header"),
        (lambda lines: [*lines, "say  two blanks"], "statement 10 is outside the grammar"),
        (lambda lines: [*lines, "say " + "x" * 81], "statement 10 is outside the grammar"),
        (lambda lines: [*lines, "Say hello"], "statement 10 is outside the grammar"),
        (lambda lines: [*lines, "say > hello"], "statement 10 is outside the grammar"),
        (lambda lines: [*lines, "say" + " x" * 2047], "statement 10 is outside the grammar"),
        (lambda lines: [*lines, "say a-----END PBEM TURN-----"], "statement 10 is outside the grammar"),
        (lambda lines: [*lines, *["say x"] * 4991], "count and sums"),
    ],
)
def test_a_form_that_is_not_canonical(
    table: Written, tmp_path: Path, change: Callable[[list[str]], list[str]], why: str
) -> None:
    table.add("orders", "axis", "done", reveal=2)
    lines = table.blocks.pop().payload.decode().split(";\n")[:-2]
    assert len(lines) == 10
    table.sign("axis", change(lines[:9]))
    bad(audit(tmp_path, table.text), 7, why)


def test_wrong_sums_with_a_good_signature(table: Written, tmp_path: Path) -> None:
    payload = canonical(["pbem 1", "kind orders"])[:-4] + b"00;\n"
    table.blocks.append(Block(payload, signing.sign(table.keys["axis"], payload)))
    bad(audit(tmp_path, table.text), 7, "count and sums")


def test_an_entry_signed_anew_breaks_the_chain_behind_it(table: Written, tmp_path: Path) -> None:
    lines = table.blocks[3].payload.decode().split(";\n")[:-2]
    payload = canonical([*lines, "say something else"])
    table.blocks[3] = Block(payload, signing.sign(table.keys["allies"], payload))
    bad(audit(tmp_path, table.text), 4, "doesn't follow")
    assert audit(tmp_path, "".join(map(render_block, table.blocks[:4]))).status == 0


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("side blue", "side red", "the same side"),
        ("deadline none", "deadline 14", "terms aren't those of the offer"),
        ("option fog no", "option fog yes", "terms aren't those of the offer"),
        ("gnonce " + "09" * 16, "gnonce " + "07" * 16, "its gnonce isn't new"),
        ("by allies", "by axis", "the same name"),
        ("anchor 20 ", "anchor 100001 ", "its body isn't that of its kind"),
        ("anchor 20 ", "anchor 020 ", "its body isn't that of its kind"),
        ("dice chain", "dice loaded", "its body isn't that of its kind"),
        ("ssh-ed25519", "ssh-rsa", "its body isn't that of its kind"),
        ("AAAAC3NzaC1lZDI1NTE5", "AAAAC3NzaC1lZDI1NTE4", "its key isn't of Ed25519"),
        ("kind accept", "kind offer", "its kind is offer"),
    ],
)
def test_an_accept_that_does_not_fit(game: Written, tmp_path: Path, old: str, new: str, why: str) -> None:
    text = game.blocks.pop().payload.decode()
    assert old in text
    game.sign("allies", text.replace(old, new).split(";\n")[:-2])
    bad(audit(tmp_path, game.text), 1, why)


def test_only_a_solo_game_has_one_key(tmp_path: Path) -> None:
    for solo in ([], ["solo"]):
        game = Written()
        chain = game.chain("axis", 7)
        game.add("offer", "axis", "side red", *chain, *TERMS, *solo)
        game.keys["allies"] = game.keys["axis"]
        game.add("accept", "allies", "side blue", chain[0], "gnonce " + "09" * 16, chain[2], *TERMS, *solo)
        said = audit(tmp_path, game.text)
        if solo:
            assert said.status == 0
        else:
            bad(said, 1, "the same key")


# Signatures.


def rebuilt(block: Block, **fields: bytes) -> str:
    """The armor of a block with other fields than it has."""
    parts = signing.dearmor(block.armor)
    string = signing.ssh_string
    have = {"magic": b"SSHSIG", "version": b"\0\0\0\1", "key": string(parts.pub_blob)}
    have |= {"namespace": string(parts.namespace), "reserved": string(b""), "hash": string(b"sha512")}
    have |= {"signature": string(string(b"ssh-ed25519") + string(parts.sig64)), "rest": b""} | fields
    return armored(base64.b64encode(b"".join(have.values())).decode())


def armored(letters: str, width: int = 70) -> str:
    lines = [letters[at : at + width] for at in range(0, len(letters), width)]
    return "\n".join([signing.BEGIN, *lines, signing.END, ""])


def plus_order(block: Block) -> str:
    """The same signature with S + L in place of S."""
    sig64 = signing.dearmor(block.armor).sig64
    high = (int.from_bytes(sig64[32:], "little") + L).to_bytes(32, "little")
    string = signing.ssh_string
    return rebuilt(block, signature=string(string(b"ssh-ed25519") + string(sig64[:32] + high)))


def over_sha256(block: Block) -> str:
    """A signature that is good, but over SHA-256."""
    key, string = Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32), signing.ssh_string
    digest = hashlib.sha256(block.payload).digest()
    text = b"SSHSIG" + b"".join(map(string, (b"pbem-turn-v1", b"", b"sha256", digest)))
    fields = string(string(b"ssh-ed25519") + string(key.sign(text)))
    return rebuilt(block, hash=string(b"sha256"), signature=fields)


def by_somebody_else(block: Block) -> str:
    return signing.sign(Ed25519PrivateKey.from_private_bytes(bytes(32)), block.payload)


def small_r(block: Block) -> str:
    string, sig64 = signing.ssh_string, signing.dearmor(block.armor).sig64
    return rebuilt(block, signature=string(string(b"ssh-ed25519") + string(b"\1" + bytes(31) + sig64[32:])))


def in_another_namespace(block: Block) -> str:
    return signing.sign(Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32), block.payload, "git")


def spare_bits(block: Block) -> str:
    """Base64 that says the same in other letters: the bits that its padding drops are set."""
    letters = letters_of(block)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    body = letters.rstrip("=")
    assert body != letters
    other = body[:-1] + alphabet[alphabet.index(body[-1]) + 1] + letters[len(body) :]
    assert base64.b64decode(other) == base64.b64decode(letters)
    return armored(other)


def letters_of(block: Block) -> str:
    return "".join(block.armor.split("\n")[1:-2])


HOSTILE: dict[str, tuple[Callable[[Block], str], str]] = {
    "version 0": (lambda b: rebuilt(b, version=bytes(4)), "version"),
    "version 2": (lambda b: rebuilt(b, version=b"\0\0\0\2"), "version"),
    "reserved field filled": (lambda b: rebuilt(b, reserved=signing.ssh_string(b"x")), "reserved field"),
    "other magic": (lambda b: rebuilt(b, magic=b"SSHSIH"), "magic word"),
    "sha256": (over_sha256, "hash"),
    "namespace": (in_another_namespace, "namespace"),
    "S plus L": (plus_order, "S isn't below the order"),
    "small R": (small_r, "R is a point of small order"),
    "byte behind": (lambda b: rebuilt(b, rest=b"\0"), "R and S of 32 bytes"),
    "other key": (by_somebody_else, "key isn't the one"),
    "other key's bits": (lambda b: rebuilt(b, key=signing.ssh_string(bytes(51))), "key isn't the one"),
    "bit of R": (lambda b: armored(letters_of(b)[:-60] + "A" * 4 + letters_of(b)[-56:]), "doesn't fit its text"),
    "lines of 76": (lambda b: armored(letters_of(b), 76), "lines of 70"),
    "one line": (lambda b: armored(letters_of(b), 9999), "lines of 70"),
    "empty line": (lambda b: b.armor.replace("\n-----END", "\n\n-----END"), "lines of 70"),
    "spare bits": (spare_bits, "canonical base64"),
    "blank in a line": (lambda b: b.armor.replace("U1NI", "U1 NI"), "lines of 70"),
    "no base64": (lambda b: armored("U"), ""),
    "no signature": (lambda b: armored(""), "magic word"),
    "text behind": (lambda b: b.armor + "x\n", "fences"),
    "two signatures": (lambda b: b.armor + b.armor, ""),
    "stripped": (lambda b: "", "fences"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_signature_is_refused_at_its_entry(table: Written, tmp_path: Path, name: str) -> None:
    make, why = HOSTILE[name]
    block = table.blocks[5]
    table.blocks[5] = Block(block.payload, make(block))
    assert table.blocks[5].armor != block.armor
    bad(audit(tmp_path, table.text), 5, why)


def test_a_signature_of_another_entry(table: Written, tmp_path: Path) -> None:
    table.blocks[5] = Block(table.blocks[5].payload, table.blocks[2].armor)
    bad(audit(tmp_path, table.text), 5, "ssh-keygen says: its signature doesn't fit its text")


@pytest.mark.parametrize("name", sorted({edge["A"] for edge in EDGES if edge["A"].startswith("small")}))
def test_a_key_of_small_order_is_refused(game: Written, tmp_path: Path, name: str) -> None:
    """Such a key makes one constant signature fit any text: its owner could disown every turn."""
    raw = next(bytes.fromhex(edge["key"]) for edge in EDGES if edge["A"] == name)
    (honest,) = (line for line in game.blocks[1].payload.decode().split(";\n") if line.startswith("key "))
    lines = game.blocks.pop().payload.decode().split(";\n")[:-2]
    forged = f"key ssh-ed25519 {base64.b64encode(signing.blob_from_raw(raw)).decode()}"
    game.sign("allies", [forged if line == honest else line for line in lines])
    bad(audit(tmp_path, game.text), 1, "its key is a point of small order")


# Keys and chains that are renewed, and kinds to come.


def test_a_new_key_and_chain_count_from_the_next_entry_on(table: Written, tmp_path: Path) -> None:
    old = table.keys["axis"]
    statements = Written().chain("axis", 11)
    table.add("rekey", "axis", "say new machine", *statements, reveal=2)
    table.chain("axis", 11)
    table.add("orders", "allies", "done")
    table.add("orders", "axis", "done", reveal=1)
    said = audit(tmp_path, table.text, table.claims)
    assert (said.status, said.err) == (0, "")
    payload = table.blocks[-1].payload
    table.blocks[-1] = Block(payload, signing.sign(old, payload))
    bad(audit(tmp_path, table.text), 9, "key isn't the one")


def test_a_rechain_keeps_the_key(table: Written, tmp_path: Path) -> None:
    blob = signing.blob_from_raw(table.keys["axis"].public_key().public_bytes_raw())
    new = dice.chain(bytes(32), dice.player_id(blob, bytes(16)), 30)
    renewal = [f"gnonce {bytes(16).hex()}", f"anchor 30 {new.anchor.hex()}"]
    table.add("rechain", "axis", *renewal, reveal=2)
    old, table.chains["axis"] = table.chains["axis"], new
    table.add("orders", "allies", "done")
    table.add("orders", "axis", "done", reveal=1)
    table.claims.clear()
    table.claim(8, "axis", 1)
    assert audit(tmp_path, table.text, table.claims).status == 0
    table.blocks.pop()
    table.chains["axis"] = old
    table.add("orders", "axis", "done", reveal=3)
    bad(audit(tmp_path, table.text), 9, "reveal 3 of 30 where 1 is the next")
    table.blocks.pop()
    table.add("rechain", "axis", *renewal)
    bad(audit(tmp_path, table.text), 9, "gnonce isn't new")


def test_a_kind_it_does_not_know_is_refused(table: Written, tmp_path: Path) -> None:
    table.add("armistice", "axis", "until 1871", reveal=2)
    bad(audit(tmp_path, table.text), 7, "its header has `kind` where `kind` must be, or not in its form")


# What the program writes when players settle things, and when a game begins with a die.


def rolls_of(game: Duel) -> list[dict[str, object]]:
    """A table's rolls as `pbem rolls --json` has them."""
    return [step for step in game.table.steps if step["kind"] in ("roll", "draw")]


def agreement(game: Duel, name: str, kind: str, *body: Statement) -> None:
    game.blocks.append(sign_agreement(game.view(name), name, signer(name), game.secrets[name], kind, body))
    game.tables = {player: game.replayed() for player in game.tables}


def renewed(game: Duel, name: str, by: FileSigner, gnonce: bytes) -> tuple[Statement, ...]:
    """The body of a rekey or rechain; the player's secrets are the new ones when the entry is in the log."""
    player = game.table.player(name)._replace(key=by.pub_blob, gnonce=gnonce, chain=40)
    player = player._replace(anchor=Secrets(by, player).anchor)
    return body_of("rekey" if by.pub_blob != game.table.player(name).key else "rechain", player=player)


def test_a_game_with_an_undo_a_new_chain_and_a_new_key(duel: Callable[..., Duel], tmp_path: Path) -> None:
    game = duel()
    game.play("anna", "bet 2; done;")
    game.play("ben", "done;")
    agreement(game, "anna", "undo", Statement("undo", ("offer", "2")))
    agreement(game, "ben", "undo", Statement("undo", ("accept",)))
    game.play("anna", "bet 2; done;")
    agreement(game, "ben", "rechain", *renewed(game, "ben", signer("ben"), b"m" * 16))
    game.secrets["ben"] = Secrets(signer("ben"), game.table.player("ben"))
    game.play("ben", "done;")
    new = FileSigner(private_key("new"))
    agreement(game, "anna", "rekey", *renewed(game, "anna", new, b"n" * 16))
    claims = rolls_of(game)
    assert len(claims) >= 2
    said = audit(tmp_path, game.log, claims)
    assert (said.status, said.err) == (0, "")
    assert said.out.count(" fits\n") == len(claims)
    new_key = base64.b64encode(hashlib.sha256(new.pub_blob).digest()).decode().rstrip("=")
    assert f"anna now signs with SHA256:{new_key}\n" in said.out


def test_a_game_that_begins_with_a_die(
    duel: Callable[..., Duel], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def opened(s: Any, side: str) -> Any:
        (die,) = yield Roll("first", dice=1)
        s.storm, s.opened = die == 6, True

    monkeypatch.setattr("toy.play._open", opened)
    game = duel()
    game.play("anna")
    claims = rolls_of(game)
    assert [(claim["seq"], claim["label"]) for claim in claims[:1]] == [(1, "first/1")]
    said = audit(tmp_path, game.log, claims)
    assert (said.status, said.err) == (0, "")


# When nothing can be said.


def test_it_runs_alone_and_ends_with_a_status(table: Written, tmp_path: Path) -> None:
    log, rolls = tmp_path / "game.log", tmp_path / "rolls.json"
    within = audit(tmp_path, table.text, table.claims)
    assert run(log, rolls) == within
    assert within.status == 0
    within = audit(tmp_path, table.text[:-9], table.claims)
    assert run(log, rolls) == within
    bad(within, 6, "fences")


def test_without_ssh_keygen_it_says_so(tmp_path: Path) -> None:
    said = run(GAMES / "asked.log", path=str(tmp_path))
    assert (said.status, said.out) == (2, "")
    assert "ssh-keygen isn't here; it comes with OpenSSH" in said.err


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands in for ssh-keygen")
def test_an_ssh_keygen_that_cannot_verify_is_no_verdict(tmp_path: Path) -> None:
    old = tmp_path / "ssh-keygen"
    old.write_text("#!/bin/sh\necho 'unknown option -- Y' >&2\nexit 1\n")
    old.chmod(0o755)
    said = run(GAMES / "asked.log", path=f"{tmp_path}:/bin:/usr/bin")
    assert (said.status, said.out) == (2, "")
    assert "can't verify signatures: unknown option" in said.err


def test_wrong_usage_and_no_file(tmp_path: Path) -> None:
    assert run().status == 2
    assert "audit.py GAME.LOG [ROLLS.JSON]" in run().err
    gone = run(tmp_path / "none.log")
    assert (gone.status, gone.out) == (2, "")
    assert "none.log" in gone.err


# A key lost, a side handed over.


def spare_duel(duel: Callable[..., Duel]) -> Duel:
    """A game in which ben has named a recovery key, and whose dice wait for his secret."""
    game = duel()
    spare = FileSigner(private_key("spare")).pub_blob
    accept = accept_block(game.offer, signer("ben"), "ben", "blue", game.terms, game.gnonces["ben"], 40, spare)
    game.blocks = [game.offer, accept]
    game.tables = {player: game.replayed() for player in game.tables}
    game.genesis = game.table.genesis
    game.secrets = {player: Secrets(signer(player), game.player(player)) for player in game.secrets}
    game.play("anna", "bet 2; bet 1; done;")
    return game


def test_a_recovered_key_and_the_dice_of_a_lost_secret(duel: Callable[..., Duel], tmp_path: Path) -> None:
    game = spare_duel(duel)
    new, spare = FileSigner(private_key("new")), FileSigner(private_key("spare"))
    block = ask(game.replayed(), "ben", new, b"r" * 16, recovery=spare)
    game.blocks.append(block)
    game.tables = {player: game.replayed() for player in game.tables}
    claims = rolls_of(game)
    assert [claim["result"] for claim in claims] == [[6], [6]]
    said = audit(tmp_path, game.log, claims)
    assert (said.status, said.err) == (0, "")
    new_key = base64.b64encode(hashlib.sha256(new.pub_blob).digest()).decode().rstrip("=")
    assert f"ben now signs with SHA256:{new_key}\n" in said.out
    unmarked = [{name: value for name, value in claim.items() if name != "adverse"} for claim in claims]
    said = audit(tmp_path, game.log, unmarked)
    assert said.err == "BAD entry 2 bet/1: the other side's next entry reveals nothing\n"
    game.blocks[-1] = block._replace(armor=signer("ben").sign(block.payload))
    bad(audit(tmp_path, game.log), 3, "key isn't the one that it must be")


def test_dice_that_have_a_seed_are_not_called_adverse(duel: Callable[..., Duel], tmp_path: Path) -> None:
    game = duel()
    game.play("anna", "bet 2; done;")
    game.play("ben", "done;")
    claims = [{**claim, "adverse": "blue"} for claim in rolls_of(game)]
    said = audit(tmp_path, game.log, claims)
    assert said.err == "BAD entry 2 bet/1: it has a seed, or the terms forbid it\n"


@pytest.mark.parametrize("word", ["accept", "refuse"])
def test_a_substitute_and_the_consent_to_him(duel: Callable[..., Duel], tmp_path: Path, word: str) -> None:
    game = spare_duel(duel)
    new = FileSigner(private_key("new"))
    player = game.table.player("ben")
    who = player._replace(key=new.pub_blob, gnonce=b"s" * 16, person="carl", recovery=b"")
    who = who._replace(anchor=Secrets(new, who).anchor)
    agreement(game, "ben", "substitute", Statement("substitute", ("offer",)), *handover_body(who, player))
    agreement(game, "anna", "substitute", Statement("substitute", (word,)))
    said = audit(tmp_path, game.log)
    assert said.status == 0
    now = new.pub_blob if word == "accept" else player.key
    assert (
        f"ben now signs with SHA256:{base64.b64encode(hashlib.sha256(now).digest()).decode().rstrip('=')}" in said.out
    )


def test_a_key_that_the_opponent_grants(duel: Callable[..., Duel], tmp_path: Path) -> None:
    game = spare_duel(duel)
    new = FileSigner(private_key("new"))
    before = game.table.player("ben")
    who = before._replace(key=new.pub_blob, gnonce=b"g" * 16)
    agreement(game, "anna", "accept-rekey", *handover_body(who._replace(anchor=Secrets(new, who).anchor), before))
    game.secrets["ben"] = Secrets(new, game.table.player("ben"))
    game.blocks.append(sign_entry(game.table, "ben", new, game.secrets["ben"], []))
    said = audit(tmp_path, game.log, rolls_of(game))
    assert (said.status, said.err) == (0, "")
    assert said.out.count(" fits\n") == 2
