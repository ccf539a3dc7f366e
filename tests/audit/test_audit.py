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
from toy.players import CHAIN, Duel, parts_of, signer

from pbem.crypto import dice, sshsig
from pbem.crypto.hashing import lp
from pbem.match.compose import Secrets, proven, sign_accept, sign_agreement, sign_entry, sign_recover
from pbem.rules.requests import Roll
from pbem.wire.blocks import Block, read_log_blocks, render_block
from pbem.wire.bodies import Named, named_body, proposal_body
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

ROOT = Path(__file__).resolve().parents[2]
AUDIT = ROOT / "tools" / "audit.py"
MODULE = runpy.run_path(str(AUDIT))
MAIN = MODULE["main"]
GAMES = ROOT / "tests" / "systems" / "games" / "bakumatsu"
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
    assert len(source.splitlines()) <= 320
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
    assert "not checked: the rules (whose decision was due, `state`" in said.out


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


def private(secret: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes([secret]) * 32)


def key_of(secret: int) -> str:
    """`ssh-ed25519 ...` of the key of a secret."""
    blob = sshsig.blob_from_raw(private(secret).public_key().public_bytes_raw())
    return f"ssh-ed25519 {base64.b64encode(blob).decode()}"


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

    def opened(
        self, *terms: str, keys: tuple[int, int] = (7, 9), spares: tuple[int, int] = (0, 0), n: int = 20
    ) -> Written:
        """With an offer of axis and its accept of allies; the spares are recovery keys."""
        for by, side, key, spare in zip(("axis", "allies"), ("red", "blue"), keys, spares, strict=True):
            self.keys[by] = private(key)
            named = [f"key {key_of(key)}", *([f"recovery {key_of(spare)}"] if spare else [])]
            kind, anchor = ("accept", 9) if self.blocks else ("offer", 0)
            self.add(kind, by, f"side {side}", *named, *(terms or TERMS), anchor=anchor, n=n)
        return self

    def chain(self, secret: int, key: Ed25519PrivateKey, n: int) -> tuple[dice.Chain, str]:
        """The chain of a key in the next entry, and the words of its anchor."""
        blob, gnonce = sshsig.blob_from_raw(key.public_key().public_bytes_raw()), bytes([secret]) * 16
        ident = dice.player_id(blob, gnonce, bytes.fromhex(self.hash(len(self.blocks) - 1)))
        made = dice.chain(bytes([secret]) * 32, ident, n)
        return made, f"{n} {made.anchor.hex()} {gnonce.hex()}"

    def add(
        self,
        kind: str,
        by: str,
        *body: str,
        reveal: int = 0,
        anchor: int = 0,
        n: int = 20,
        lies: dict[str, str] | None = None,
    ) -> None:
        """An entry; `anchor` is the secret of a new chain of its author, `reveal` an index of his old one."""
        head = self.head(kind, by, reveal)
        if anchor:
            chain, head["anchor"] = self.chain(anchor, self.keys[by], n)
            self.chains[by] = chain
        self.seal(by, head | (lies or {}), *body)

    def head(self, kind: str, by: str, reveal: int) -> dict[str, str]:
        seq = len(self.blocks)
        head = {"pbem": "1", "kind": kind, "game": self.hash(1) if seq > 1 else "", "seq": str(seq)}
        head |= {"prev": self.hash(seq - 1) if seq else "", "by": by, "nonce": f"{seq:032x}", "anchor": ""}
        head |= {"reveal": f"{reveal} {self.chains[by][reveal].hex()}" if reveal else ""}
        return head | {"state": f"{seq:064x}" if seq > 1 else ""}

    def seal(self, by: str, head: dict[str, str], *body: str, key: Ed25519PrivateKey | None = None) -> None:
        self.sign(by, [f"{name} {value}" for name, value in head.items() if value] + list(body), key)

    def sign(self, by: str, lines: list[str], key: Ed25519PrivateKey | None = None) -> None:
        payload = canonical(lines)
        self.blocks.append(Block(payload, sshsig.sign(key or self.keys[by], payload)))

    def name(
        self,
        kind: str,
        by: str,
        secret: int,
        *first: str,
        whose: str = "",
        person: str = "",
        spare: int = 0,
        reveal: int = 0,
        n: int = 20,
        signed: int = 0,
        proven: tuple[str, str] = ("", ""),
        written: tuple[str, str] = ("", ""),
    ) -> None:
        """An entry that names the key of a secret, with a chain and a proof.

        `signed` is the secret of another key that signs it; `proven` and `written` are (old, new) of what the proof
        says, and of what the entry says.
        """
        whose, new = whose or by, private(secret)
        head = self.head(kind, by, reveal)
        chain, head["anchor"] = self.chain(secret, new, n)
        named = [f"as {person}"] if person else []
        named += [f"key {key_of(secret)}"] + ([f"recovery {key_of(spare)}"] if spare else [])
        lines = [f"{word} {head[word]}" for word in ("game", "seq", "prev")]
        lines += [f"player {whose}", f"anchor {head['anchor']}", *named]
        message = "pbem key 1\n" + "".join(f"{line};\n" for line in lines)
        assert proven[0] in message
        proof = sshsig.sign_raw(new, message.replace(*proven).encode(), "pbem-key-v1").hex()
        named.insert(named.index(f"key {key_of(secret)}") + 1, f"proof {proof[:64]} {proof[64:]}")
        assert written[0] in "\n".join(named)
        self.seal(
            by, head, *first, *(line.replace(*written) for line in named), key=private(signed) if signed else None
        )
        if kind != "substitute":
            self.keys[whose], self.chains[whose] = new, chain
        else:
            self.waiting = whose, new, chain

    def sit(self, by: str) -> None:
        """The consent to a substitute."""
        self.add("substitute", by, "substitute accept")
        whose, self.keys[self.waiting[0]], self.chains[self.waiting[0]] = self.waiting
        assert whose != by

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
    return Written().opened()


@pytest.fixture
def table(game: Written) -> Written:
    """A game with seven entries and the rolls of three decisions; axis owes a reveal."""
    return played(game)


def played(game: Written) -> Written:
    game.add("orders", "axis", "attack 1405 from 1404", "rest", anchor=7)
    game.add("orders", "allies", "rest", reveal=1)
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
    first, *rest = claim["result"]  # type: ignore[misc]
    claim["result"] = [first % claim["sides"] + 1, *rest] if "sides" in claim else [*rest, first]  # type: ignore[operator]
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
        (lambda claims: claims[0].update(seq=6), "BAD entry 6 combat/1405/1: nobody has revealed the secre"),
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
        ({"anchor": f"0 {'0' * 64} {'0' * 32}"}, "`anchor`"),
        ({"anchor": f"100001 {'0' * 64} {'0' * 32}"}, "`anchor`"),
        ({"anchor": f"20 {'0' * 64}"}, "`anchor`"),
        ({"reveal": f"2 {'0' * 64}"}, "reveal 2 isn't of the chain"),
        ({"reveal": f"3 {'0' * 64}"}, "reveal 3 of 20 where 2 is the next"),
        ({"reveal": f"1 {'0' * 64}"}, "reveal 1 of 20 where 2 is the next"),
        ({"state": ""}, "where `state` must be"),
        ({"state": "0" * 63}, "`state`"),
    ],
)
def test_a_header_that_lies_is_named(table: Written, tmp_path: Path, lies: dict[str, str], why: str) -> None:
    table.add("orders", "axis", "rest", reveal=2, lies=lies)
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
        (lambda lines: [*lines, "say x-----BEGIN y"], "statement 10 is outside the grammar"),
        (lambda lines: [*lines, "a-----b"], "statement 10 is outside the grammar"),
        (lambda lines: [*lines, *["say x"] * 4991], "count and sums"),
    ],
)
def test_a_form_that_is_not_canonical(
    table: Written, tmp_path: Path, change: Callable[[list[str]], list[str]], why: str
) -> None:
    table.add("orders", "axis", "rest", reveal=2)
    lines = table.blocks.pop().payload.decode().split(";\n")[:-2]
    assert len(lines) == 10
    table.sign("axis", change(lines[:9]))
    bad(audit(tmp_path, table.text), 7, why)


def test_wrong_sums_with_a_good_signature(table: Written, tmp_path: Path) -> None:
    payload = canonical(["pbem 1", "kind orders"])[:-4] + b"00;\n"
    table.blocks.append(Block(payload, sshsig.sign(table.keys["axis"], payload)))
    bad(audit(tmp_path, table.text), 7, "count and sums")


def test_an_entry_signed_anew_breaks_the_chain_behind_it(table: Written, tmp_path: Path) -> None:
    lines = table.blocks[3].payload.decode().split(";\n")[:-2]
    payload = canonical([*lines, "say something else"])
    table.blocks[3] = Block(payload, sshsig.sign(table.keys["allies"], payload))
    bad(audit(tmp_path, table.text), 4, "doesn't follow")
    assert audit(tmp_path, "".join(map(render_block, table.blocks[:4]))).status == 0


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("side blue", "side red", "one name or side"),
        ("deadline none", "deadline 14", "terms aren't those of the offer"),
        ("option fog no", "option fog yes", "terms aren't those of the offer"),
        ("option fog no", "option zeal no", "its options don't stand in their order"),
        ("by allies", "by axis", "one name or side"),
        ("anchor 20 ", "anchor 100001 ", "where `anchor` must be"),
        ("anchor 20 ", "anchor 020 ", "where `anchor` must be"),
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


SOLO = [*TERMS, "solo"]


@pytest.mark.parametrize(
    ("terms", "keys", "spares", "why"),
    [
        (TERMS, (7, 9), (0, 0), ""),
        (TERMS, (7, 9), (17, 19), ""),
        (SOLO, (7, 7), (0, 0), ""),
        (TERMS, (7, 7), (0, 0), "BAD entry 1: its key was in use"),
        (TERMS, (7, 9), (9, 0), "BAD entry 1: its key was in use"),
        (TERMS, (7, 9), (0, 7), "BAD entry 1: its key was in use"),
        (TERMS, (7, 9), (17, 17), "BAD entry 1: its key was in use"),
        (TERMS, (7, 9), (7, 0), "BAD entry 0: its recovery key is the key itself"),
        (SOLO, (7, 9), (0, 0), "BAD entry 1: a solo game has two keys"),
        (SOLO, (7, 7), (17, 0), "BAD entry 0: a solo game has a recovery key"),
    ],
)
def test_the_keys_of_offer_and_accept(
    tmp_path: Path, terms: list[str], keys: tuple[int, int], spares: tuple[int, int], why: str
) -> None:
    said = audit(tmp_path, Written().opened(*terms, keys=keys, spares=spares).text)
    assert said.err.startswith(why)
    assert said.status == bool(why)


# Signatures.


def rebuilt(block: Block, **fields: bytes) -> str:
    """The armor of a block with other fields than it has."""
    parts = sshsig.dearmor(block.armor)
    string = lp
    have = {"magic": b"SSHSIG", "version": b"\0\0\0\1", "key": string(parts.pub_blob)}
    have |= {"namespace": string(parts.namespace), "reserved": string(b""), "hash": string(b"sha512")}
    have |= {"signature": string(string(b"ssh-ed25519") + string(parts.sig64)), "rest": b""} | fields
    return armored(base64.b64encode(b"".join(have.values())).decode())


def armored(letters: str, width: int = 70) -> str:
    lines = [letters[at : at + width] for at in range(0, len(letters), width)]
    return "\n".join([sshsig.BEGIN, *lines, sshsig.END, ""])


def plus_order(block: Block) -> str:
    """The same signature with S + L in place of S."""
    sig64 = sshsig.dearmor(block.armor).sig64
    high = (int.from_bytes(sig64[32:], "little") + L).to_bytes(32, "little")
    string = lp
    return rebuilt(block, signature=string(string(b"ssh-ed25519") + string(sig64[:32] + high)))


def over_sha256(block: Block) -> str:
    """A signature that is good, but over SHA-256."""
    key, string = Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32), lp
    digest = hashlib.sha256(block.payload).digest()
    text = b"SSHSIG" + b"".join(map(string, (b"pbem-turn-v1", b"", b"sha256", digest)))
    fields = string(string(b"ssh-ed25519") + string(key.sign(text)))
    return rebuilt(block, hash=string(b"sha256"), signature=fields)


def by_somebody_else(block: Block) -> str:
    return sshsig.sign(Ed25519PrivateKey.from_private_bytes(bytes(32)), block.payload)


def small_r(block: Block) -> str:
    string, sig64 = lp, sshsig.dearmor(block.armor).sig64
    return rebuilt(block, signature=string(string(b"ssh-ed25519") + string(b"\1" + bytes(31) + sig64[32:])))


def in_another_namespace(block: Block) -> str:
    return sshsig.sign(Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32), block.payload, "git")


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
    "reserved field filled": (lambda b: rebuilt(b, reserved=lp(b"x")), "reserved field"),
    "other magic": (lambda b: rebuilt(b, magic=b"SSHSIH"), "magic word"),
    "sha256": (over_sha256, "hash"),
    "namespace": (in_another_namespace, "namespace"),
    "S plus L": (plus_order, "S isn't below the order"),
    "small R": (small_r, "R is a point of small order"),
    "byte behind": (lambda b: rebuilt(b, rest=b"\0"), "R and S of 32 bytes"),
    "other key": (by_somebody_else, "key isn't the one"),
    "other key's bits": (lambda b: rebuilt(b, key=lp(bytes(51))), "key isn't the one"),
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
    forged = f"key ssh-ed25519 {base64.b64encode(sshsig.blob_from_raw(raw)).decode()}"
    game.sign("allies", [forged if line == honest else line for line in lines])
    bad(audit(tmp_path, game.text), 1, "its key is a point of small order")


# What follows the accept, and what stands where: each log is taken as it is, and refused with one thing wrong.

Check = Callable[[Written, bool], None]
CHECKS: dict[str, tuple[str, Check]] = {}
DATED = [line.replace("deadline none", "deadline 14") for line in TERMS]
FORFEIT = [line.replace("adverse", "forfeit") for line in TERMS]


def check(why: str) -> Callable[[Check], Check]:
    """A log for the audit: with `wrong` its last entry is refused for this reason, without it all is well."""

    def kept(made: Check) -> Check:
        CHECKS[made.__name__] = why, made
        return made

    return kept


def begun(game: Written, *terms: str, **keys: Any) -> Written:
    """Up to entry 3: no reveal is due from allies, one from axis."""
    game.opened(*terms, **keys)
    game.add("begin", "axis", anchor=7)
    game.add("orders", "allies", "rest", reveal=1)
    return game


@check("its anchor is missing")
def entry_2_names_a_chain(game: Written, wrong: bool) -> None:
    game.opened().add("begin", "axis", anchor=0 if wrong else 7)


@check("entry 2 is `begin` or orders of the offerer")
def entry_2_is_the_offerers(game: Written, wrong: bool) -> None:
    game.opened().add("orders", "allies" if wrong else "axis", "rest", anchor=7)


@check("entry 2 is `begin` or orders of the offerer")
def entry_2_is_no_agreement(game: Written, wrong: bool) -> None:
    game.opened().add(*(("draw", "axis", "draw offer") if wrong else ("begin", "axis")), anchor=7)


@check("and no other `begin`")
def begin_is_entry_2_only(game: Written, wrong: bool) -> None:
    begun(game).add("begin" if wrong else "orders", "axis", reveal=1)


@check("its body isn't that of its kind")
def begin_holds_nothing(game: Written, wrong: bool) -> None:
    game.opened().add("begin", "axis", *(["say hello"] if wrong else []), anchor=7)


@check("its body isn't that of its kind")
def a_reveal_holds_nothing(game: Written, wrong: bool) -> None:
    begun(game).add("reveal", "axis", *(["say hello"] if wrong else []), reveal=1)


@check("it names an anchor where none may stand")
def resign_begins_no_chain(game: Written, wrong: bool) -> None:
    begun(game).add("resign", "axis", reveal=1, anchor=11 if wrong else 0)


@check("it names an anchor where none may stand")
def claim_begins_no_chain(game: Written, wrong: bool) -> None:
    begun(game, *DATED).add("claim", "allies", anchor=11 if wrong else 0)


@check("it names an anchor where none may stand")
def consent_to_a_substitute_begins_no_chain(game: Written, wrong: bool) -> None:
    begun(game).name("substitute", "axis", 11, "substitute offer", reveal=1)
    game.add("substitute", "allies", "substitute accept", anchor=12 if wrong else 0)


@check("where `anchor` must be")
def an_accept_names_a_chain(game: Written, wrong: bool) -> None:
    game.opened()
    if wrong:
        lines = game.blocks.pop().payload.decode().split(";\n")[:-2]
        game.sign("allies", [line for line in lines if not line.startswith("anchor ")])


@check("reveal 2 of 20 where 1 is the next")
def a_new_chain_begins_behind_its_entry(game: Written, wrong: bool) -> None:
    begun(game)
    old = game.chains["axis"]
    game.add("orders", "axis", "rest", reveal=1, anchor=11)
    game.add("orders", "allies", "rest", reveal=2, anchor=12)
    if wrong:
        game.chains["axis"] = old
    game.add("reveal", "axis", reveal=2 if wrong else 1)


@check("it reveals the last value and begins no new chain")
def the_last_value_needs_a_new_chain(game: Written, wrong: bool) -> None:
    game.opened(n=1).add("begin", "axis", anchor=7)
    game.add("orders", "allies", "rest", reveal=1, anchor=0 if wrong else 12)


@check("it reveals the last value and begins no new chain")
def who_resigns_needs_no_new_chain(game: Written, wrong: bool) -> None:
    game.opened(n=1).add("begin", "axis", anchor=7)
    game.add(*(("draw", "allies", "draw offer") if wrong else ("resign", "allies")), reveal=1)


@check("it reveals the last value and begins no new chain")
def the_last_value_comes_not_with_a_chain_of_another(game: Written, wrong: bool) -> None:
    game.opened(n=1 if wrong else 2).add("begin", "axis", anchor=7)
    game.name("accept-rekey", "allies", 11, whose="axis", reveal=1)


@check("its reveal is missing")
def a_due_reveal_is_made(game: Written, wrong: bool) -> None:
    begun(game).add("draw", "axis", "draw offer", reveal=0 if wrong else 1)


@check("its reveal is missing")
def a_reveal_reveals(game: Written, wrong: bool) -> None:
    begun(game).add("reveal", "axis", reveal=1)
    game.add("reveal" if wrong else "react", "axis")


@check("it reveals what isn't due")
def nothing_is_revealed_twice(game: Written, wrong: bool) -> None:
    begun(game).add("reveal", "axis", reveal=1)
    game.add("orders", "axis", "rest", reveal=2 if wrong else 0)


@check("a reveal is due first")
def a_decision_waits_for_the_reveal(game: Written, wrong: bool) -> None:
    begun(game)
    game.add("orders", "allies" if wrong else "axis", "rest", reveal=0 if wrong else 1)


@check("he is due who claims")
def a_claim_is_made_by_the_one_who_waits(game: Written, wrong: bool) -> None:
    begun(game, *DATED).add("claim", "axis" if wrong else "allies", "sent 3 2026-11-21T12:00:00Z", "say late")


@check("the terms have no deadline")
def a_claim_needs_a_deadline(game: Written, wrong: bool) -> None:
    begun(game, *(TERMS if wrong else DATED)).add("claim", "allies")


@check("it claims to have sent what isn't there")
def a_claim_names_entries_before_it(game: Written, wrong: bool) -> None:
    begun(game, *DATED).add("claim", "allies", f"sent {4 if wrong else 3} 2026-11-21T12:00:00Z")


@check("its body isn't that of its kind")
def a_claim_names_times(game: Written, wrong: bool) -> None:
    begun(game, *DATED).add("claim", "allies", f"sent 3 2026-11-21T{24 if wrong else 23}:00:00Z")


@check("the game was over")
def nothing_follows_a_resign(game: Written, wrong: bool) -> None:
    begun(game).add("resign" if wrong else "reveal", "axis", reveal=1)
    game.add("orders", "axis", "rest")


@check("the game was over")
def nothing_follows_a_draw(game: Written, wrong: bool) -> None:
    begun(game).add("draw", "axis", "draw offer", reveal=1)
    game.add("draw", "allies", f"draw {'accept' if wrong else 'refuse'}")
    game.add("orders", "axis", "rest")


@check("the game was over")
def a_forfeit_ends_it(game: Written, wrong: bool) -> None:
    begun(game, *(FORFEIT if wrong else TERMS)).name("accept-rekey", "allies", 11, whose="axis")
    game.add("orders", "axis", "rest")


# Proposals and counts.


@check("it answers no proposal that waits")
def an_answer_needs_a_proposal(game: Written, wrong: bool) -> None:
    begun(game).add("draw", "axis", "draw offer", reveal=1)
    for _ in range(2 if wrong else 1):
        game.add("draw", "allies", "draw refuse")


@pytest.mark.parametrize("who", ["axis", "allies"])
@pytest.mark.parametrize("kind", ["draw", "undo"])
def test_a_proposal_is_answered_by_the_other_in_kind(tmp_path: Path, who: str, kind: str) -> None:
    game = Written()
    begun(game).add("draw", "axis", "draw offer", reveal=1)
    game.add(kind, who, f"{kind} refuse")
    said = audit(tmp_path, game.text)
    if (who, kind) == ("allies", "draw"):
        assert said.status == 0
    else:
        bad(said, 5, "a proposal waits for its answer")


@check("a proposal waits for its answer")
def a_proposal_stops_the_game(game: Written, wrong: bool) -> None:
    begun(game).add("draw", "axis", "draw offer", reveal=1)
    if not wrong:
        game.add("draw", "allies", "draw refuse")
    game.add("orders", "allies", "rest")


@check("a proposal waits for its answer")
def who_is_to_answer_may_recover(game: Written, wrong: bool) -> None:
    begun(game, spares=(17, 19)).add("draw", "axis", "draw offer", reveal=1)
    by, spare = ("axis", 17) if wrong else ("allies", 19)
    game.name("recover", by, 11, signed=spare)


@check("it was refused before")
def a_refused_proposal_is_not_made_again(game: Written, wrong: bool) -> None:
    begun(game).add("draw", "axis", "draw offer", reveal=1)
    game.add("draw", "allies", "draw refuse")
    if not wrong:
        game.add("orders", "axis", "rest")
        game.add("reveal", "allies", reveal=2)
    game.add("draw", "axis", "draw offer")


@check("it would take back what no decision is")
def a_begin_is_not_taken_back(game: Written, wrong: bool) -> None:
    begun(game).add("undo", "axis", f"undo offer {2 if wrong else 3}", reveal=1)


@check("it would take back what no decision is")
def what_is_taken_back_stands_no_more(game: Written, wrong: bool) -> None:
    begun(game).add("undo", "axis", "undo offer 3", reveal=1)
    game.add("undo", "allies", f"undo {'accept' if wrong else 'refuse'}")
    game.add("orders", "axis", "rest")
    game.add("undo", "allies", "undo offer 3", reveal=2)


@check("its reveal is missing")
def behind_an_undo_no_reveal_is_due(game: Written, wrong: bool) -> None:
    begun(game).add("orders", "axis", "rest", reveal=1)
    game.add("orders", "allies", "rest", reveal=2)
    game.add("undo", "axis", "undo offer 4", reveal=2)
    game.add("undo", "allies", f"undo {'refuse' if wrong else 'accept'}")
    game.add("orders", "axis", "rest")
    if wrong:
        game.add("orders", "allies", "rest")


@check("21st agreement")
def twenty_agreements(game: Written, wrong: bool) -> None:
    begun(game).add("draw", "axis", "draw offer", reveal=1)
    game.add("draw", "allies", "draw refuse")
    kept = len(game.blocks)
    for secret in range(20, 39 + wrong):
        game.name("rekey", "axis", secret)
    assert len(game.blocks) == kept + 19 + wrong


@check("21st agreement")
def a_reveal_begins_the_count_anew(game: Written, wrong: bool) -> None:
    begun(game)
    for secret in range(20, 40):
        game.name("rekey", "axis", secret, reveal=1 if secret == 20 else 0)
    if not wrong:
        game.add("orders", "axis", "rest")
        game.add("reveal", "allies", reveal=2)
    game.add("draw", "axis", "draw offer")


@check("its `say` have more than 4096 bytes")
def talk_has_4096_bytes(game: Written, wrong: bool) -> None:
    talk = [f"say {'x' * 80}"] * 47 + [f"say {'x' * (48 + wrong)}"]
    assert sum(len(f"{line};\n") for line in talk) == 4096 + wrong
    begun(game).add("orders", "axis", *talk, reveal=1)


@check("its body has more than 20 statements")
def an_agreement_has_20_statements(game: Written, wrong: bool) -> None:
    begun(game).add("draw", "axis", *["say x"] * (19 + wrong), "draw offer", reveal=1)


@check("it has more than 262144 bytes")
def an_entry_has_262144_bytes(game: Written, wrong: bool) -> None:
    long = [f"move {' '.join(['x' * 80] * 50)}"] * 64
    begun(game).add("orders", "axis", *long, "move x", reveal=1)
    left = 1 + 262144 - len(game.blocks.pop().payload) + wrong
    last = (("x" * 79 + " ") * 50)[: left - 1] + "x"
    game.add("orders", "axis", *long, f"move {last}", reveal=1)
    assert len(game.blocks[-1].payload) == 262144 + wrong


# New keys.


@check("ssh-keygen says: the proof of its key doesn't fit its text")
def a_key_proves_its_place(game: Written, wrong: bool) -> None:
    begun(game).name("rekey", "axis", 11, reveal=1, proven=("seq 4", "seq 5") if wrong else ("", ""))


@pytest.mark.parametrize(
    ("kind", "proven"),
    [
        ("rekey", ("game ", "game 0")),
        ("rekey", ("prev ", "prev 0")),
        ("rekey", ("player axis", "player allies")),
        ("rekey", ("anchor 20", "anchor 21")),
        ("rekey", ("recovery", "say")),
        ("accept-rekey", ("as carl", "as anna")),
        ("accept-rekey", ("player allies", "player axis")),
        ("rekey", ("pbem key 1", "pbem key 2")),
    ],
)
def test_a_proof_of_something_else(tmp_path: Path, kind: str, proven: tuple[str, str]) -> None:
    whose, person = ("", "") if kind == "rekey" else ("allies", "carl")
    for lie in (("", ""), proven):
        game = begun(Written())
        game.name(kind, "axis", 11, whose=whose, person=person, spare=12, reveal=1, proven=lie)
        said = audit(tmp_path, game.text)
        if lie == ("", ""):
            assert (said.status, said.err) == (0, "")
    bad(said, 4, "ssh-keygen says: the proof of its key doesn't fit its text")


def test_a_proof_has_one_form(tmp_path: Path) -> None:
    """Its R and S are checked like those of an entry."""
    game = begun(Written())
    game.name("rekey", "axis", 11, reveal=1)
    lines = game.blocks.pop().payload.decode().split(";\n")[:-2]
    (proof,) = (line for line in lines if line.startswith("proof "))
    _, r, s = proof.split()
    high = (int.from_bytes(bytes.fromhex(s), "little") + L).to_bytes(32, "little").hex()
    game.keys["axis"] = private(7)
    for forged, why in (
        (f"proof {r} {high}", "S isn't below"),
        (f"proof 01{'00' * 31} {s}", "R is a point of small order"),
    ):
        game.sign("axis", [forged if line == proof else line for line in lines])
        bad(audit(tmp_path, game.text), 4, f"the proof of its key's {why}")
        game.blocks.pop()
    game.sign("axis", [line for line in lines if line != proof])
    bad(audit(tmp_path, game.text), 4, "its body isn't that of its kind")


@pytest.mark.parametrize(
    ("key", "spare", "why"),
    [
        (11, 12, ""),
        (7, 0, "its key was in use"),  # his own
        (9, 0, "its key was in use"),  # the other's
        (17, 0, "its key was in use"),  # his recovery key
        (11, 9, "its key was in use"),
        (11, 19, "its key was in use"),
        (11, 11, "its recovery key is the key itself"),
    ],
)
def test_a_new_key_is_new(tmp_path: Path, key: int, spare: int, why: str) -> None:
    game = begun(Written(), spares=(17, 19))
    game.name("rekey", "axis", key, spare=spare, reveal=1)
    said = audit(tmp_path, game.text)
    if why:
        bad(said, 4, why)
    else:
        assert said.status == 0


@check("its key was in use in this game before")
def an_old_key_comes_not_back(game: Written, wrong: bool) -> None:
    begun(game).name("rekey", "axis", 11, reveal=1)
    game.name("rekey", "axis", 7 if wrong else 12)


@check("its key was in use in this game before")
def a_substitutes_key_counts_from_his_acceptance(game: Written, wrong: bool) -> None:
    begun(game).name("substitute", "axis", 11, "substitute offer", reveal=1)
    if wrong:
        game.sit("allies")
    else:
        game.add("substitute", "allies", "substitute refuse")
    game.name("rekey", "axis", 11)


@check("key isn't the one that it must be")
def a_new_key_signs_from_the_next_entry_on(game: Written, wrong: bool) -> None:
    begun(game).name("rekey", "axis", 11, "say new machine", reveal=1)
    game.keys["axis"] = private(7 if wrong else 11)
    game.add("orders", "axis", "rest")


@check("key isn't the one that it must be")
def a_recover_is_signed_by_the_recovery_key(game: Written, wrong: bool) -> None:
    begun(game, spares=(17, 19)).name("recover", "axis", 11, signed=7 if wrong else 17)


@check("axis has no such key")
def another_person_ends_the_recovery_key(game: Written, wrong: bool) -> None:
    begun(game, spares=(17, 19)).name("accept-rekey", "allies", 11, whose="axis", person="carl" if wrong else "")
    game.name("recover", "axis", 12, signed=17)


@check("its body isn't that of its kind")
def a_person_has_16_letters(game: Written, wrong: bool) -> None:
    begun(game).name("accept-rekey", "allies", 11, whose="axis", person="x" * (16 + wrong))


@check("its body isn't that of its kind")
def only_others_name_a_person(game: Written, wrong: bool) -> None:
    begun(game).name("rekey", "axis", 11, person="carl" if wrong else "", reveal=1)


@check("its key is a point of small order")
def a_named_key_is_no_point_of_small_order(game: Written, wrong: bool) -> None:
    blob = base64.b64encode(sshsig.blob_from_raw(b"\1" + bytes(31))).decode()
    lie = (key_of(12), f"ssh-ed25519 {blob}") if wrong else ("", "")
    begun(game).name("rekey", "axis", 11, spare=12, reveal=1, written=lie)


@check("reveal 2 of 20 where 1 is the next")
def a_lost_chain_gives_place_to_the_new_one(game: Written, wrong: bool) -> None:
    begun(game, spares=(17, 19))
    old = game.chains["axis"]
    game.name("recover", "axis", 11, signed=17)
    game.add("orders", "axis", "rest")
    game.add("orders", "allies", "rest", reveal=2)
    game.chains["axis"] = old if wrong else game.chains["axis"]
    game.add("reveal", "axis", reveal=2 if wrong else 1)


@check("its anchor is missing")
def a_substitute_has_a_chain(game: Written, wrong: bool) -> None:
    begun(game).name("substitute", "axis", 11, "substitute offer", reveal=1)
    if wrong:
        lines = game.blocks.pop().payload.decode().split(";\n")[:-2]
        game.sign("axis", [line for line in lines if not line.startswith("anchor ")])


@check("reveal 1 of 20 where 2 is the next")
def a_substitutes_chain_counts_from_his_acceptance(game: Written, wrong: bool) -> None:
    begun(game).name("substitute", "axis", 11, "substitute offer", reveal=1)
    if wrong:
        game.add("substitute", "allies", "substitute refuse")
    else:
        game.sit("allies")
    game.add("orders", "allies", "rest")
    game.add("reveal", "axis", reveal=1)


@check("keys don't change in a solo game")
def a_solo_game_keeps_its_key(game: Written, wrong: bool) -> None:
    begun(game, *SOLO, keys=(7, 7))
    if wrong:
        game.name("rekey", "axis", 11, reveal=1)


@pytest.mark.parametrize("name", CHECKS)
def test_each_check_has_a_log_that_only_it_refuses(tmp_path: Path, name: str) -> None:
    why, make = CHECKS[name]
    right, wrong = Written(), Written()
    make(right, False)
    said = audit(tmp_path, right.text)
    assert (said.status, said.err) == (0, "")
    make(wrong, True)
    bad(audit(tmp_path, wrong.text), len(wrong.blocks) - 1, why)


def test_dice_come_from_the_chain_in_force_when_the_entry_was_signed(tmp_path: Path) -> None:
    """A chain that ends with the reveal of a seed, one that a new key brings, and one of a substitute."""
    game = begun(Written())
    old = game.chains["axis"]
    game.add("orders", "axis", "attack 1404", reveal=1, anchor=11)
    game.name("rekey", "allies", 12, reveal=2)
    game.add("orders", "allies", "attack 1405")
    game.name("substitute", "axis", 13, "substitute offer", reveal=1)
    axis, game.chains["axis"] = game.chains["axis"], old
    game.claim(3, "axis", 1)
    game.chains["axis"] = axis
    game.claim(6, "axis", 1)
    game.sit("allies")
    game.add("orders", "allies", "attack 1406")
    game.add("reveal", "axis", reveal=1)
    game.claim(9, "axis", 1)
    said = audit(tmp_path, game.text, game.claims)
    assert (said.status, said.err) == (0, "")
    assert said.out.count(" fits\n") == 12


@pytest.mark.parametrize(
    ("kind", "body", "half_mib"),
    [
        ("orders", "rest", 62),
        ("reveal", "", 63),
        ("draw", "draw offer", 63),
        ("undo", "undo offer 3", 62),
        ("resign", "", 64),
    ],
)
def test_a_share_of_the_log(tmp_path: Path, kind: str, body: str, half_mib: int) -> None:
    """The size so far is set by hand: who fills it in earnest needs a hundred entries."""
    for beyond in (0, 1):
        game = begun(Written())
        game.add(kind, "axis", *[body][: bool(body)], reveal=1)
        *before, last = game.text.split(MODULE["FENCES"][0])[1:]
        one = MODULE["Audit"](tmp_path, "ssh-keygen")
        for chunk in before:
            one.take(chunk)
        counted = sum(len(render_block(block)) for block in (game.blocks[0], game.blocks[2]))
        assert one.players["axis"]["size"] == counted
        one.players["axis"]["size"] = half_mib * 2**19 - len(render_block(game.blocks[-1])) + beyond
        if beyond:
            with pytest.raises(ValueError, match=f"share of the log is full: {half_mib * 2**19 + 1} bytes"):
                one.take(last)
        else:
            one.take(last)


def test_a_kind_it_does_not_know_is_refused(table: Written, tmp_path: Path) -> None:
    table.add("armistice", "axis", "until 1871", reveal=2)
    bad(audit(tmp_path, table.text), 7, "its header has `kind` where `kind` must be, or not in its form")


# What the program writes when players settle things, and when a game begins with a die.


def rolls_of(game: Duel) -> list[dict[str, object]]:
    """A table's rolls as `pbem rolls --json` has them."""
    return [step for step in game.table.steps if step["kind"] in ("roll", "draw")]


def agreement(game: Duel, name: str, kind: str, *body: Statement, anchor: dice.Anchor | None = None) -> None:
    game.blocks.append(
        sign_agreement(game.view(name), name, signer(name), game.secrets[name], kind, body, anchor).block
    )
    game.tables = {player: game.replayed() for player in game.tables}


def newly(game: Duel, secrets: str, name: str) -> Secrets:
    """A chain of `secrets` that the player's next entry may name."""
    return Secrets(signer(secrets), name.encode()[:16].ljust(16, b"."), game.table.head, 40)


def naming(game: Duel, kind: str, by: str, whose: str, new: str, *first: Statement, **named: Any) -> Secrets:
    """An entry by which a player's key becomes that of `new`; his secrets are the new ones when it is in the log."""
    secrets = newly(game, new, whose)
    key = proven(signer(new), game.table, whose, secrets.anchor, Named(signer(new).pub_blob, **named))
    agreement(game, by, kind, *first, *named_body(key), anchor=secrets.anchor)
    return secrets


def test_a_game_with_an_undo_a_new_chain_and_a_new_key(duel: Callable[..., Duel], tmp_path: Path) -> None:
    game = duel()
    game.play("anna", "bet 2; rest;")
    game.play("ben", "rest;")
    agreement(game, "anna", "undo", *proposal_body("undo", "offer", 2))
    agreement(game, "ben", "undo", *proposal_body("undo", "accept"))
    game.play("anna", "bet 2; rest;")
    new = newly(game, "ben", "ben")
    due = game.view("ben")
    game.give(sign_entry(due, "ben", signer("ben"), game.secrets["ben"], parts_of(due, "blue", "rest;"), new).block)
    game.secrets["ben"] = new
    naming(game, "rekey", "anna", "anna", "new")
    claims = rolls_of(game)
    assert len(claims) >= 2
    said = audit(tmp_path, game.log, claims)
    assert (said.status, said.err) == (0, "")
    assert said.out.count(" fits\n") == len(claims)
    assert f"anna now signs with {fingerprint('new')}\n" in said.out


def fingerprint(name: str) -> str:
    return "SHA256:" + base64.b64encode(hashlib.sha256(signer(name).pub_blob).digest()).decode().rstrip("=")


def test_a_game_that_begins_with_a_die(
    duel: Callable[..., Duel], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def opened(s: Any) -> Any:
        (die,) = yield Roll("first", dice=1)
        s.storm, s.opened = die == 6, True

    monkeypatch.setattr("toy.play._open", opened)
    game = duel()
    game.play("anna")
    game.play("ben")
    claims = rolls_of(game)
    assert [(claim["seq"], claim["label"]) for claim in claims[:1]] == [(2, "first/1")]
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
    spare = signer("spare").pub_blob
    game.blocks[1] = sign_accept(
        Turn.of(game.offer), signer("ben"), "ben", "blue", game.terms, bytes(16), game.gnonces["ben"], spare, CHAIN
    ).block
    game.tables = {player: game.replayed() for player in game.tables}
    game.genesis = game.table.genesis
    game.secrets["ben"] = Secrets.of(signer("ben"), game.table.anchors["ben"])
    game.secrets["anna"] = Secrets(signer("anna"), game.gnonces["anna"], game.genesis.game, CHAIN)
    game.play("anna", "bet 2; bet 1; rest;")
    return game


def test_a_recovered_key_and_the_dice_of_a_lost_secret(duel: Callable[..., Duel], tmp_path: Path) -> None:
    game = spare_duel(duel)
    table = game.replayed()
    new = newly(game, "new", "ben")
    named = proven(signer("new"), table, "ben", new.anchor, Named(signer("new").pub_blob))
    game.blocks.append(sign_recover(table, "ben", signer("spare"), new, named_body(named)).block)
    game.tables = {player: game.replayed() for player in game.tables}
    claims = rolls_of(game)
    assert [claim["result"] for claim in claims] == [[6], [6]]
    said = audit(tmp_path, game.log, claims)
    assert (said.status, said.err) == (0, "")
    assert f"ben now signs with {fingerprint('new')}\n" in said.out
    unmarked = [{name: value for name, value in claim.items() if name != "adverse"} for claim in claims]
    said = audit(tmp_path, game.log, unmarked)
    assert said.err == "BAD entry 2 bet/1: nobody has revealed the secret of its dice\n"
    block = game.blocks[-1]
    game.blocks[-1] = block._replace(armor=signer("ben").sign(block.payload))
    bad(audit(tmp_path, game.log), 3, "key isn't the one that it must be")


def test_dice_that_have_a_seed_are_not_called_adverse(duel: Callable[..., Duel], tmp_path: Path) -> None:
    game = duel()
    game.play("anna", "bet 2; rest;")
    game.play("ben", "rest;")
    claims = [{**claim, "adverse": "blue"} for claim in rolls_of(game)]
    said = audit(tmp_path, game.log, claims)
    assert said.err == "BAD entry 2 bet/1: its secret isn't lost\n"


@pytest.mark.parametrize("word", ["accept", "refuse"])
def test_a_substitute_and_the_consent_to_him(duel: Callable[..., Duel], tmp_path: Path, word: str) -> None:
    game = spare_duel(duel)
    offer = Statement("substitute", ("offer",))
    new = naming(game, "substitute", "ben", "ben", "new", offer, person="carl")
    agreement(game, "anna", "substitute", *proposal_body("substitute", word))
    now, secrets = ("new", new) if word == "accept" else ("ben", game.secrets["ben"])
    table = game.replayed()
    assert table.due().player == "ben"
    game.blocks.append(sign_entry(table, "ben", signer(now), secrets, parts_of(table, "blue", "rest;")).block)
    game.tables = {player: game.replayed() for player in game.tables}
    said = audit(tmp_path, game.log, rolls_of(game))
    assert (said.status, said.err) == (0, "")
    assert f"ben now signs with {fingerprint(now)}\n" in said.out


def test_a_key_that_the_opponent_grants(duel: Callable[..., Duel], tmp_path: Path) -> None:
    game = spare_duel(duel)
    game.secrets["ben"] = naming(game, "accept-rekey", "anna", "ben", "new")
    table = game.replayed()
    game.blocks.append(
        sign_entry(table, "ben", signer("new"), game.secrets["ben"], parts_of(table, "blue", "rest;")).block
    )
    game.tables = {player: game.replayed() for player in game.tables}
    said = audit(tmp_path, game.log, rolls_of(game))
    assert (said.status, said.err) == (0, "")
    assert said.out.count(" fits\n") == 2
