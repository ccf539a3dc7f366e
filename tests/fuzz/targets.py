"""What is fuzzed: each target reads any bytes, and may refuse them in one way only."""

from __future__ import annotations

import atexit
import base64
import copy
import hashlib
import io
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import mail_damage
from whole_games import SIDES, board, rules, scenario, signer

from fuzz.mutation import LENGTH_MAX, Choices, edited
from pbem import keyfiles, keys, signing, strictyaml
from pbem.canonical import digest
from pbem.entry import KINDS, canonical_bytes
from pbem.envelope import Block, build_entry, find_blocks, parse_entry, read_log_blocks, render_block, scan_blocks
from pbem.errors import BadScenario, BadSignature, Damaged, KeyProblem, OrderError, PbemError
from pbem.gamelog import parse_log
from pbem.home import Folder, Home
from pbem.mail import examine, read_mails
from pbem.mapcheck import check as check_map
from pbem.maps import Map
from pbem.orders import read_parts, statement_of
from pbem.scenario import Scenario, data_folder, load_scenario
from pbem.statements import parse_statements
from pbem.table import Table
from pbem.turn import replay, take_block

__all__ = ["TARGETS", "Target", "told"]

GAMES = Path(__file__).parents[1] / "games"

# What no message may send to a terminal: controls, half letters, changes of the writing direction.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def told(error: PbemError, longest: int = 2000) -> None:
    """A message is one line that can be shown."""
    text = str(error)
    assert not _HARMFUL.search(text), text[:200]
    assert 0 < len(text) <= longest, text[:200]


class Target(NamedTuple):
    """`read` takes any bytes; it returns, or raises a `refusal`. `inputs` are those of one run of the tests."""

    read: Callable[[bytes], None]
    refusal: type[PbemError]
    seeds: Callable[[], list[bytes]]
    words: tuple[bytes, ...] = ()
    inputs: int = 500

    def take(self, data: bytes) -> bool:
        """Read the data; whether they were taken. Anything but the refusal is a finding."""
        try:
            self.read(data)
        except self.refusal:
            return False
        return True


# --- mail ----------------------------------------------------------------------------------------------------------


@cache
def _log(name: str, entries: int) -> bytes:
    """The beginning of a game's log."""
    blocks = read_log_blocks((GAMES / f"{name}.log").read_text("ascii"))[:entries]
    return "".join(map(render_block, blocks)).encode("ascii")


def _mail_seeds() -> list[bytes]:
    blocks = read_log_blocks((GAMES / "all-words.log").read_text("ascii"))
    short = render_block(min(blocks, key=lambda block: len(block.payload)))
    return [damage(short) for damage in mail_damage.DAMAGES]


def _read_mail(data: bytes) -> None:
    for mail in read_mails("-", io.BytesIO(data)):
        for line in mail[1:6]:
            assert not _HARMFUL.search(line), line
        blocks, damaged = examine(mail)
        for problem in damaged:
            told(problem)
        for block in blocks:
            _stays(block)


def _stays(block: Block) -> None:
    """A block that was found is found again as it was written."""
    assert find_blocks(render_block(block)) == [block]
    assert canonical_bytes(block.payload.decode("ascii")) == block.payload
    try:
        parse_entry(block.payload)
    except Damaged as problem:
        told(problem)


def _read_text(data: bytes) -> None:
    for found in scan_blocks(data.decode("utf-8", "surrogateescape")):
        if isinstance(found, Block):
            _stays(found)
        else:
            told(found)


MAIL_WORDS = (
    b"From: ", b"Content-Type: ", b"multipart/mixed; boundary=b", b"boundary=\"\"", b"charset=utf-16", b"charset=hz",
    b"charset=utf-32", b"charset=iso2022_kr", b"text/html", b"message/rfc822", b"multipart/digest",
    b"format=flowed; delsp=yes", b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n", b"\n\n", b"--b\n", b"--b--\n", b"=?utf-8?q?=1b?=", b"=?x?b?!?=",
    b"=?idna?q?xn--?=", b"=?unicode_escape?q?\\q?=", b"=?utf-16?b?AA==?=", b"boundary*0*=''%",
    b"From a@b 10:00 2026\n", b">From ", b"-----BEGIN PBEM TURN-----", b"-----END PBEM TURN-----",
    b"-----BEGIN PBEM DRAFT-----", b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----", b"- -----",
    b"<!--", b"<svg>", b"</svg>", b"<script>", b"</script>", b"<![CDATA[", b"<!x[", b"&#x110000;", b"&#0;", b"&nbsp;",
    b"<br>", b"=\n", b"=3D", b"> ", b"| ", b"end 1 ", b";",
)  # fmt: skip

# --- orders and entries --------------------------------------------------------------------------------------------

_ORDER_WORDS = """
if then and not stop standing strict say done gone alive at empty held is setup recover move march retreat enter fire
melee with advance any sg- sg-01 sg-1 sc-01 satcho shogunate 0106 1413 9999 0000 north-east south disordered normal ; #
end pbem undo claim resign draw rekey rechain key anchor
"""
_PHRASES = (b"if is sg-01 normal then ", b"stop if ", b"standing retreat any ", b" ", b"\n")
ORDER_WORDS = (*_ORDER_WORDS.encode().split(), *_PHRASES)


@cache
def _bodies() -> list[bytes]:
    """The bodies of a game's entries that hold most."""
    entries = [entry for _, entry in parse_log((GAMES / "all-words.log").read_text("ascii"))]
    texts = ["".join(f"{statement}\n" for statement in entry.body).encode() for entry in entries[2:]]
    return sorted(texts, key=len)[-24:-4]


def _read_orders(data: bytes) -> None:
    statements, wrong = parse_statements(data.decode("utf-8", "surrogateescape"))
    small = len(data) <= LENGTH_MAX  # a bomb is read once
    for side in list(SIDES.values())[: 1 + small]:
        parts, errors = read_parts(rules(), board(), side, statements)
        for error in (*wrong, *errors):
            assert isinstance(error, OrderError)
            told(error, 9000)  # a statement of 4,096 bytes may be shown whole
        if small:
            canonical = [(number, statement_of(part)) for number, part in parts]
            assert read_parts(rules(), board(), side, canonical) == (parts, [])


def _sealed(data: bytes) -> bytes:
    """Statements with the `end` that is due behind them."""
    lines = [line for line in data.split(b"\n") if not line.startswith(b"end ") and line]
    groups = [b"".join(line + b"\n" for line in lines[at : at + 8]) for at in range(0, len(lines), 8)]
    sums = [hashlib.sha256(group).hexdigest()[:6].encode() for group in groups]
    return b"".join(line + b"\n" for line in lines) + b" ".join([b"end", b"%d" % len(lines), *sums]) + b";\n"


def _read_entry(data: bytes) -> None:
    for payload in (_sealed(data), data):
        try:
            entry = parse_entry(payload)
        except Damaged as problem:
            told(problem)
            if payload is data:
                raise
        else:
            assert canonical_bytes(payload.decode("ascii")) == payload == entry.payload


def _entry_seeds() -> list[bytes]:
    payloads = [block.payload for block in read_log_blocks((GAMES / "asked.log").read_text("ascii"))]
    return [*payloads[:4], *sorted(payloads, key=len)[-3:]]


@cache
def _tables() -> list[tuple[Table, Any]]:
    """Tables of two games before some of their entries, each with the entry that came."""
    found = []
    for name in ("all-words", "asked"):
        log = parse_log((GAMES / f"{name}.log").read_text("ascii"))
        table = replay(_log(name, 2).decode(), lambda _: scenario()).table
        assert table is not None
        for number, (block, entry) in enumerate(log[2:26]):
            if number % 3 == 0 or entry.kind == "react":
                found.append((table.fork(), entry))
            take_block(table, block, entry)
    return found


def _take_turn(data: bytes) -> None:
    """A signed entry with any body: the first byte says behind which table, the second its kind."""
    before, entry = _tables()[data[0] % len(_tables()) if data else 0]
    kind = entry.kind if data[1:2] < b"\x80" else KINDS[data[1] % len(KINDS)]
    body = [statement for _, statement in parse_statements(data[2:].decode("utf-8", "replace"))[0]]
    header = {name: getattr(entry, name) for name in ("game", "seq", "prev", "by", "nonce", "reveal", "state")}
    if kind in ("offer", "accept"):
        return
    payload = build_entry(kind=kind, body=body, **header)
    table = before.fork()
    table.take(parse_entry(payload), hashlib.sha256(payload).digest())
    dumped = json.loads(json.dumps(table.dump()))
    assert Table.load(table.genesis, table.rules, table.board, dumped).state_hash() == table.state_hash()


def _turn_seeds() -> list[bytes]:
    bodies = ["".join(f"{statement}\n" for statement in entry.body).encode() for _, entry in _tables()]
    own = [bytes([number, 0]) + body for number, body in enumerate(bodies)]
    others = [bytes([number, 0x80 + kind]) + b"entry 5;\n" for number in (1, 6) for kind in range(len(KINDS))]
    return own + others


# --- logs ----------------------------------------------------------------------------------------------------------


@cache
def _loaded(name: str) -> Scenario:
    return load_scenario(name)


def _replay_log(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        table = replay(text, _loaded).table
        assert "".join(render_block(block) for block, _ in parse_log(text)) == text
        assert table is None or table.state_hash()
    except PbemError as error:
        told(error, 9000)
        raise


def _log_seeds() -> list[bytes]:
    return [_log("asked", 1), _log("asked", 2), _log("asked", 4), _log("all-words", 3), _log("all-words", 8)]


# --- scenarios -----------------------------------------------------------------------------------------------------

SMALL_MAP = b"""map: small
title: Small
layout: pointy
scale: none
numbering: {first: row, rows: from south, shifted: even, provenance: reconstructed}
terrain:
  provenance: reconstructed
  legend: {".": [flat], "^": [hill], "~": {water: pond}, "-": {}}
  rows: |
    03 . ^ .
    02  . ~ .
    01 . - .
roads: {provenance: reconstructed, chains: [{name: Long road, kind: road, hexes: "0101 0201 0301"}]}
hexsides: {provenance: reconstructed, chains: [{name: Brook, kind: river, sides: "0301/0302 0302/0201"}]}
places: {provenance: reconstructed, hexes: {Ford: "0302"}}
areas: {provenance: reconstructed, hexes: {west: "0101 0201"}}
victory: {provenance: reconstructed, hexes: {satcho: "0302"}}
entries: {provenance: reconstructed, hexes: {shogunate: "0101"}}
"""
YAML = b"""# a comment
a: 'quoted ''twice'''
"b": "\\u00e9 \\x41 \\
  folded"
c: [x, {y: z}, []]
d: |
  literal
   lines
e: >-
  folded
  lines
? f
: - g
  - {h: , i: {}}
"""
YAML_WORDS = (
    b"&a ", b"*a", b"!!int ", b"!<x> ", b"%YAML 1.1\n---\n", b"%TAG ! x\n", b"---\n", b"...\n", b"<<: ", b"? ", b": ",
    b"- ", b"|\n", b">2-\n", b"\"\\U00110000\"", b"\"\\ud800\"", b"[", b"]", b"{", b"}", b"# ", b"'", b'"', b"\n  ",
    b"\t", b"a: b\n",
)  # fmt: skip


def _load_yaml(data: bytes) -> None:
    try:
        found = strictyaml.load(data, "file.yaml")
    except BadScenario as error:
        told(error)
        raise
    open_: list[Any] = [found]
    while open_:
        node = open_.pop()
        assert isinstance(node, str | list | dict)
        open_ += node.values() if isinstance(node, dict) else node if isinstance(node, list) else []


def _yaml_seeds() -> list[bytes]:
    tables = (data_folder("scenarios") / "bakumatsu" / "tables.yaml").read_bytes()
    return [YAML, SMALL_MAP, tables[:1500]]


def _read_map_file(data: bytes) -> None:
    """A map file of any bytes."""
    _use_map(Map.from_data(strictyaml.load(data, "map.yaml")))


def _build_map(data: bytes) -> None:
    """A map's data, edited as the bytes say."""
    chance = Choices(data)
    tree = copy.deepcopy(_maps()[chance.randrange(2)])
    edited(tree, chance, numbers=True)
    _use_map(Map.from_data(tree))


def _use_map(board: Map) -> None:
    check_map(board)
    for h in board.hexes:
        assert board.parse(board.label(h)) == h
    for text in ("0101", "9999", "x"):
        with suppress(OrderError):
            board.parse(text)


@cache
def _maps() -> list[Any]:
    return [strictyaml.load(SMALL_MAP, "small"), scenario().data["maps"]["toba-fushimi"]]


def _build_board(data: bytes) -> None:
    """A scenario's data, edited as the bytes say."""
    chance = Choices(data)
    tree = copy.deepcopy(scenario().data)
    part = chance.choice(["scenario", "tables", "maps", "scenario", "tables"])
    edited(tree if chance.randrange(16) == 0 else tree[part], chance, numbers=bool(chance.randrange(2)))
    built = rules().board(tree)
    state = rules().start(built, {})
    json.dumps(rules().situation(state))


# --- keys and signatures -------------------------------------------------------------------------------------------


def _wrapped(data: bytes, begin: str, end: str) -> str:
    text = base64.b64encode(data).decode("ascii")
    return "\n".join([begin, *(text[at : at + 70] for at in range(0, len(text), 70)), end, ""])


@cache
def _containers() -> list[bytes]:
    """Private keys inside their armor: one in the clear, one that says that it is encrypted."""
    seed, blob = bytes(range(0x20)), signer("asuka").pub_blob
    inner = b"\0\0\0\1" * 2 + blob + signing.ssh_string(seed + blob[-32:]) + signing.ssh_string(b"asuka")
    inner += bytes(range(1, 1 + -len(inner) % 8))
    found = []
    for cipher, kdf, options in ((b"none", b"none", b""), (b"aes256-ctr", b"bcrypt", b"\0\0\0\4salt\0\0\0\1")):
        head = b"".join(map(signing.ssh_string, (cipher, kdf, options)))
        found.append(b"openssh-key-v1\0" + head + b"\0\0\0\1" + signing.ssh_string(blob) + signing.ssh_string(inner))
    return found


@cache
def _folder() -> Path:
    """A folder for the files of the targets; gone with the process."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _read_key(data: bytes) -> None:
    """A key file: as text, or the bytes inside its armor."""
    if data.startswith(b"openssh-key"):
        data = _wrapped(data, keyfiles._BEGIN, keyfiles._END).encode()
    text = data.decode("utf-8", "surrogateescape")
    keyfiles.clear_seed(text)
    for read in (keyfiles.from_text, keyfiles.from_token):
        try:
            assert keyfiles.from_token(keyfiles.to_token(read(text))) == read(text)
        except KeyProblem as error:
            told(error)
    file = _folder() / "key"
    file.write_bytes(data)
    file.chmod(0o600)
    try:
        signing.verify(b"x", keys.load_signer(file).sign(b"x"), keys.load_signer(file).pub_blob)
    except KeyProblem as error:
        told(error)
        raise


KEY_WORDS = (b"ssh-ed25519 ", b"ssh-rsa", b"-----BEGIN PGP", b"none", b"\0\0\0\0", b"\xff\xff\xff\xff")


def _key_seeds() -> list[bytes]:
    public = keys.to_text(signer("asuka").pub_blob, "asuka@example.org").encode() + b"\n"
    texts = [_wrapped(data, keyfiles._BEGIN, keyfiles._END).encode() for data in _containers()]
    return [*_containers(), *texts, public, public.split()[1]]


@cache
def _signature() -> str:
    return signer("asuka").sign(b"payload")


def _read_armor(data: bytes) -> None:
    """A signature: as text, or the bytes inside its armor."""
    text = data.decode("utf-8", "surrogateescape")
    if data.startswith(b"SSHSIG"):
        text = _wrapped(data, signing.BEGIN, signing.END)
    for read in (signing.dearmor, signing.pub_blob_from):
        try:
            read(text)
        except BadSignature as error:
            told(error)
    try:
        signing.verify(b"payload", text, signer("asuka").pub_blob)
    except BadSignature as error:
        told(error)
        raise
    assert signing.dearmor(text) == signing.dearmor(_signature())


def _armor_seeds() -> list[bytes]:
    inner = base64.b64decode("".join(_signature().splitlines()[1:-1]))
    return [inner, inner, _signature().encode()]


# --- caches --------------------------------------------------------------------------------------------------------


@cache
def _cached() -> tuple[Folder, str, Table, bytes]:
    """A game's folder, the text of its log, its table, and the bytes of its cache."""
    home = Home(_folder() / "home")
    text = _log("asked", 9).decode()
    folder = Folder(home, "games", "0123456789abcdef")
    table = folder.table(text)
    return folder, text, table, folder._cache_file().read_bytes()


def _read_cache(data: bytes) -> None:
    """A cache file of any bytes: the table is that of the log, whatever they are."""
    folder, text, table, _ = _cached()
    folder._cache_file().write_bytes(data)
    assert folder.table(text).state_hash() == table.state_hash()


def _read_sealed_cache(data: bytes) -> None:
    """A cache edited as the bytes say, and sealed again: what can't be a table is done without."""
    folder, text, _, whole = _cached()
    stored = json.loads(whole)
    chance = Choices(data)
    edited(stored[chance.choice(["table", "table", "genesis"])], chance, numbers=True)
    del stored["seal"]
    stored["seal"] = digest("pbem-cache/1", stored)
    folder._cache_file().write_text(json.dumps(stored), "ascii")
    folder.table(text)


@cache
def _scenario_cache() -> tuple[Path, bytes]:
    folder = _folder() / "scenarios"
    load_scenario("toba-fushimi", folder)
    (file,) = folder.iterdir()
    return file, file.read_bytes()


def _read_scenario_cache(data: bytes) -> None:
    """A scenario's cache file of any bytes: the scenario is that of its files."""
    file, _ = _scenario_cache()
    file.write_bytes(data)
    assert load_scenario("toba-fushimi", file.parent).digest == scenario().digest


JSON_WORDS = (
    b"null", b"[", b"]", b"{", b"}", b'"', b":", b",", b"1e999", b"NaN", b"-Infinity", b"[" * 3000, b'{"a":' * 3000,
)  # fmt: skip


def _scripts() -> list[bytes]:
    """Seeds of the targets that read edits from bytes: any will do."""
    return [hashlib.sha512(bytes([number])).digest() for number in range(64)]


def _all() -> Iterator[tuple[str, Target]]:
    yield "mail", Target(_read_mail, Damaged, _mail_seeds, MAIL_WORDS, 1500)
    yield "text", Target(_read_text, Damaged, lambda: [_log("asked", 1), _log("asked", 3)], MAIL_WORDS, 500)
    yield "orders", Target(_read_orders, OrderError, _bodies, ORDER_WORDS, 500)
    yield "entry", Target(_read_entry, Damaged, _entry_seeds, ORDER_WORDS, 800)
    yield "turn", Target(_take_turn, PbemError, _turn_seeds, ORDER_WORDS, 400)
    yield "log", Target(_replay_log, PbemError, _log_seeds, (*MAIL_WORDS, *ORDER_WORDS), 400)
    yield "yaml", Target(_load_yaml, BadScenario, _yaml_seeds, YAML_WORDS, 500)
    yield "map-file", Target(_read_map_file, BadScenario, lambda: [SMALL_MAP], YAML_WORDS, 300)
    yield "map", Target(_build_map, BadScenario, _scripts, (), 300)
    yield "board", Target(_build_board, BadScenario, _scripts, (), 60)
    yield "key", Target(_read_key, KeyProblem, _key_seeds, KEY_WORDS, 400)
    yield "armor", Target(_read_armor, BadSignature, _armor_seeds, (b"\0\0\0\0", b"\xff\xff\xff\xff", b"sha256"), 800)
    yield "cache", Target(_read_cache, PbemError, lambda: [_cached()[3]], JSON_WORDS, 40)
    yield "sealed-cache", Target(_read_sealed_cache, PbemError, _scripts, (), 40)
    yield "scenario-cache", Target(_read_scenario_cache, PbemError, lambda: [_scenario_cache()[1]], JSON_WORDS, 15)


TARGETS = dict(_all())
