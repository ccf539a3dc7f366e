"""Targets: orders, entries, turns behind a table, and logs."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any

from systems.bakumatsu_players import SIDES, board, rules, scenario

from fuzz.mutation import LENGTH_MAX
from fuzz.read_mail import MAIL_WORDS
from fuzz.target import GAMES, Target, log_of, told
from pbem.errors import Damaged, OrderError, PbemError
from pbem.match.orders import read_parts, statement_of
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.match.take import carry_out, take
from pbem.scenario import Scenario, load_scenario
from pbem.wire.blocks import read_log_blocks
from pbem.wire.entry import KINDS, build_entry, canonical_bytes, parse_entry
from pbem.wire.orderfile import parse_statements
from pbem.wire.turn import read_turns

__all__ = ["TARGETS"]

_ORDER_WORDS = """
if then and not stop standing strict say done gone alive at empty held is setup recover move march retreat enter fire
melee with advance any sg- sg-01 sg-1 sc-01 satcho shogunate 0106 1413 9999 0000 north-east south disordered normal ; #
end pbem undo claim resign draw rekey begin key anchor
"""
_PHRASES = (b"if is sg-01 normal then ", b"stop if ", b"standing retreat any ", b" ", b"\n")
ORDER_WORDS = (*_ORDER_WORDS.encode().split(), *_PHRASES)


@cache
def _bodies() -> list[bytes]:
    """The bodies of a game's entries that hold most."""
    entries = [turn.entry for turn in read_turns((GAMES / "all-words.log").read_text("ascii"))]
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
        log = read_turns((GAMES / f"{name}.log").read_text("ascii"))
        table = replay(log_of(name, 2).decode(), lambda _: scenario()).table
        assert table is not None
        for number, turn in enumerate(log[2:26]):
            if number % 3 == 0 or turn.entry.kind == "react":
                found.append((table.fork(), turn.entry))
            take(table, turn)
    return found


def _take_turn(data: bytes) -> None:
    """A signed entry with any body: the first byte says behind which table, the second its kind."""
    before, entry = _tables()[data[0] % len(_tables()) if data else 0]
    kind = entry.kind if data[1:2] < b"\x80" else KINDS[data[1] % len(KINDS)]
    body = [statement for _, statement in parse_statements(data[2:].decode("utf-8", "replace"))[0]]
    header = {
        name: getattr(entry, name) for name in ("game", "seq", "prev", "by", "nonce", "anchor", "reveal", "state")
    }
    if kind in ("offer", "accept"):
        return
    payload = build_entry(kind=kind, body=body, **header).payload
    table = before.fork()
    carry_out(table, parse_entry(payload), hashlib.sha256(payload).digest())
    dumped = json.loads(json.dumps(table.dump()))
    assert Table.load(table.genesis, table.rules, table.board, dumped).state_hash() == table.state_hash()


def _turn_seeds() -> list[bytes]:
    bodies = ["".join(f"{statement}\n" for statement in entry.body).encode() for _, entry in _tables()]
    own = [bytes([number, 0]) + body for number, body in enumerate(bodies)]
    others = [bytes([number, 0x80 + kind]) + b"entry 5;\n" for number in (1, 6) for kind in range(len(KINDS))]
    return own + others


@cache
def _loaded(name: str) -> Scenario:
    return load_scenario(name)


def _replay_log(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        table = replay(text, _loaded).table
        assert "".join(turn.text for turn in read_turns(text)) == text
        assert table is None or table.state_hash()
    except PbemError as error:
        told(error, 9000)
        raise


def _log_seeds() -> list[bytes]:
    return [log_of("asked", 1), log_of("asked", 2), log_of("asked", 4), log_of("all-words", 3), log_of("all-words", 8)]


TARGETS = {
    "orders": Target(_read_orders, OrderError, _bodies, ORDER_WORDS, 500),
    "entry": Target(_read_entry, Damaged, _entry_seeds, ORDER_WORDS, 800),
    "turn": Target(_take_turn, PbemError, _turn_seeds, ORDER_WORDS, 400),
    "log": Target(_replay_log, PbemError, _log_seeds, (*MAIL_WORDS, *ORDER_WORDS), 400),
}
