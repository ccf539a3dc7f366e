"""Whole games as their logs: replayed to the exact end, their dice derived a second time, every damage refused.

`PBEM_REGENERATE=1 pytest tests/systems/test_games.py` plays them again; the same choosers give the same bytes.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from matches import Chooser, Dress, replayed, signer, statements, summary
from whole_games import (
    ENTRY_HEX,
    REGENERATE,
    SIDES,
    Match,
    at_random,
    board,
    bold,
    rules,
    trapper,
)

from pbem.cli import run
from pbem.crypto.dice import entry_hash
from pbem.errors import BadLog, BadSignature, Damaged, PbemError
from pbem.match.table import Table
from pbem.rules.requests import Outcome, Words
from pbem.wire.blocks import Block, parse_entry, read_log_blocks, render_block
from pbem.wire.entry import canonical_bytes

GAMES = Path(__file__).parents[1] / "games"
EXPECTED = GAMES / "expected.json"
AUDIT = Path(__file__).resolve().parents[2] / "tools" / "audit.py"


def standing_into_the_entry(match: Match, what: str, side: str, orders: list[Words], chance: random.Random) -> str:
    """Satcho's men are told to retreat into the Shogunate's entry hex, if they can."""
    first = side == "satcho" and match.table.seq < 6
    return f"{f'standing retreat any {ENTRY_HEX};' if first else ''}\n{statements(orders)}"


def all_words(match: Match, what: str, side: str, orders: list[Words], chance: random.Random) -> str:
    """The orders with everything round them that the order language knows."""
    lines = []
    if chance.randrange(3) == 0:
        unit = chance.choice(board().of_side[side])
        where = chance.sample(["north-east", "north-west", "west", "south-west", "1413", "1013"], 2)
        lines.append(f"standing retreat {chance.choice(['any', unit])} {' '.join(where)};")
    if what == "orders" and chance.randrange(4) == 0:
        lines.append("strict;")
    if chance.randrange(3) == 0:
        lines.append(f"say {chance.choice(['Forward to Kyoto!', 'Are we there yet?', 'Well done'])};")
    for words in orders:
        if "with" in words and chance.randrange(2) == 0:
            shooter, target = words[words.index("with") + 1], words[3]
            lines.append(f"if is {target} normal then {words[0]} {shooter} at {target};")
        lines.append(f"{condition(side, words, chance)}{' '.join(words)};")
        if what == "orders" and len(words) > 1 and chance.randrange(8) == 0:
            enemy = chance.choice(board().of_side[board().enemy[side]])
            lines.append(f"stop if {chance.choice(['gone', 'alive'])} {enemy} and is {words[1]} disordered;")
    return "\n".join(lines)


def condition(side: str, words: Words, chance: random.Random) -> str:
    """A condition before an order, which may hold or not; none before most."""
    if len(words) < 2 or chance.randrange(3):
        return ""
    unit = words[1]
    tests = [
        f"alive {unit}", f"not gone {unit}", f"is {unit} normal", f"not is {unit} disordered and not is {unit} done",
        f"not at {unit} 0106", "empty 1413", f"not held 1013 {board().enemy[side]}", f"gone {unit}",
    ]  # fmt: skip
    return f"if {chance.choice(tests)} then "


class Whole(NamedTuple):
    """How a game is made: whether it came out as wanted, the choosers, what is put round orders, terms."""

    wanted: Callable[[Table], bool]
    shogunate: Chooser
    satcho: Chooser
    dress: Dress | None = None
    terms: tuple[tuple[str, str], ...] = ()

    def play(self, number: int) -> Match:
        """The game of this number, which gives the gnonces and the whims."""
        match = Match(number, **dict(self.terms))
        return match.run({"asuka": self.shogunate, "ben": self.satcho}, random.Random(number), self.dress)

    def first(self) -> tuple[int, Match]:
        """The first game that came out as wanted: any change of the scenario changes all dice."""
        for number in range(200):
            match = self.play(number)
            if match.due()[0] == "nothing" and self.wanted(match.table):
                return number, match
        raise AssertionError("no game came out so")


def holds(side: str) -> Callable[[Table], bool]:
    """Whether a side won by its victory hexes."""
    return lambda table: ended(table)[:2] == (side, "14(4)2")


def enters(way: str) -> Callable[[Table], bool]:
    """Whether the game ended by entering the entry hex in this way."""

    def wanted(table: Table) -> bool:
        steps = [s["what"] for s in table.steps if s["kind"] == "tell" and s["what"] in ("move", "advance", "retreat")]
        return ended(table)[1] == "14(4)1" and steps[-1] == way

    return wanted


def asks_both(table: Table) -> bool:
    """Whether both were asked, often, and one answered two questions at once."""
    answers = [step for step in table.steps if step["kind"] == "answer"]
    entries = {step["seq"] for step in answers}
    return (
        len(entries) >= 6 and len(answers) > len(entries) and {step["side"] for step in answers} == set(SIDES.values())
    )


def shows_all(table: Table) -> bool:
    """Whether everything came up that the order language can bring about."""
    steps = table.steps
    answers = {step["how"] for step in steps if step["kind"] == "answer"}
    stops = {step["reason"] for step in steps if step["kind"] == "stop"}
    drops = [step for step in steps if step["kind"] == "tell" and step["what"] == "drop"]
    lapses = [step for step in steps if step["kind"] == "lapse" and step["clause"]]
    return answers == {"standing", "default"} and stops >= STOPS and bool(drops) and len(lapses) > 3


STOPS = {"a stop condition holds", "an order lapsed under `strict`"}


def ended(table: Table) -> Outcome:
    """How a game ended."""
    outcome = table.game.outcome
    assert outcome is not None
    return outcome


def wholes() -> dict[str, Whole]:
    """The games: one for each way of ending, and two with all that an entry can hold."""
    trap = trapper(ENTRY_HEX, "0605", "1514")
    bait = bold(ENTRY_HEX, enter=False)
    return {
        "shogunate-holds": Whole(holds("shogunate"), at_random, at_random),
        "satcho-holds": Whole(holds("satcho"), at_random, at_random),
        "entry-by-move": Whole(enters("move"), at_random, bold(ENTRY_HEX)),
        "entry-by-advance": Whole(enters("advance"), at_random, bold(ENTRY_HEX)),
        "entry-by-retreat": Whole(enters("retreat"), trap, bait, standing_into_the_entry),
        "asked": Whole(asks_both, bold("1122"), bold("1209"), None, (("reactions", "ask"),)),
        "all-words": Whole(shows_all, bold("1122"), bold("1209"), all_words),
    }


NAMES = ("shogunate-holds", "satcho-holds", "entry-by-move", "entry-by-advance", "entry-by-retreat", "asked",
         "all-words")  # fmt: skip


@cache
def log_of(name: str) -> str:
    """The text of a log."""
    return (GAMES / f"{name}.log").read_text("ascii")


@cache
def expected() -> dict[str, Any]:
    """What each log comes to."""
    found: dict[str, Any] = json.loads(EXPECTED.read_text("ascii"))
    return found


@pytest.fixture(scope="module", autouse=True)
def _goldens() -> None:
    if not REGENERATE:
        return
    found = {}
    for name, whole in wholes().items():
        number, match = whole.first()
        text = match.log
        (GAMES / f"{name}.log").write_text(text, "ascii", newline="\n")
        found[name] = {"number": number, **summary(text)}
    EXPECTED.write_text(json.dumps(found, indent=1) + "\n", "ascii", newline="\n")


def test_the_games_are_all_there() -> None:
    assert sorted(path.stem for path in GAMES.glob("*.log")) == sorted(NAMES) == sorted(wholes()) == sorted(expected())


@pytest.mark.parametrize("name", NAMES)
def test_a_log_leads_to_its_end(name: str) -> None:
    assert {"number": expected()[name]["number"], **summary(log_of(name))} == expected()[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_keys_and_orders_make_the_same_log(name: str) -> None:
    assert wholes()[name].play(expected()[name]["number"]).log == log_of(name)


# --- ways of ending ------------------------------------------------------------------------------------------------


def events(name: str) -> list[dict[str, Any]]:
    """What a game told, from the first to the last."""
    table = replayed(log_of(name)).table
    assert table is not None
    assert table.due().what == "nothing"
    return [step for step in table.steps if step["kind"] == "tell"]


@pytest.mark.clause("14(4)2")
@pytest.mark.parametrize(("name", "winner"), [("shogunate-holds", "shogunate"), ("satcho-holds", "satcho")])
def test_who_holds_seven_hexes_at_the_end_wins(name: str, winner: str) -> None:
    told = events(name)
    table = replayed(log_of(name)).table
    assert table is not None
    assert (told[-1]["what"], told[-1]["turn"], told[-1]["phase"]) == ("end", 8, "satcho-melee")
    assert ended(table)[:2] == (winner, "14(4)2")
    held = Counter(table.game.state.control.values())
    assert held[winner] >= 7 > held[board().enemy[winner]]


@pytest.mark.clause("14(4)1")
@pytest.mark.parametrize(
    ("name", "way"), [("entry-by-move", "move"), ("entry-by-advance", "advance"), ("entry-by-retreat", "retreat")]
)
def test_who_enters_the_entry_hex_wins_at_once(name: str, way: str) -> None:
    told = events(name)
    table = replayed(log_of(name)).table
    assert table is not None
    assert [t["what"] for t in told[-2:]] == ["control", "end"]
    entered = next(t for t in reversed(told) if t["what"] in ("move", "advance", "retreat"))
    assert entered["what"] == way
    assert (entered["facts"].get("path") or [entered["facts"]["to"]])[-1] == ENTRY_HEX
    assert ended(table)[:2] == ("satcho", "14(4)1")
    assert entered["facts"]["unit"] in ended(table).reason
    others = [t["facts"] for t in told if t is not entered and t["facts"].get("unit", "").startswith("sa")]
    assert not any(ENTRY_HEX in (f.get("path") or [f.get("to")]) for f in others), "somebody was there before"


def test_a_game_in_which_the_players_ask_each_other() -> None:
    found = replayed(log_of("asked"))
    assert found.genesis is not None
    assert found.table is not None
    assert found.genesis.terms.reactions == "ask"
    kinds = Counter(entry.kind for _, entry in found.entries)
    assert kinds["react"] >= 6
    assert {entry.by for _, entry in found.entries if entry.kind == "react"} == {"asuka", "ben"}
    answers = [step for step in found.table.steps if step["kind"] == "answer"]
    assert {step["how"] for step in answers} == {"react"}
    assert len(answers) > kinds["react"], "one react answers more than one question"


def test_a_game_with_every_kind_of_statement() -> None:
    found = replayed(log_of("all-words"))
    assert found.table is not None
    steps = found.table.steps
    written = Counter(statement.keyword for _, entry in found.entries[2:] for statement in entry.body)
    assert {"if", "stop", "strict", "standing", "say", "done", "move", "fire", "melee"} <= set(written)
    answers = Counter(step["how"] for step in steps if step["kind"] == "answer")
    assert answers["standing"] >= 1
    assert answers["default"] >= 1
    assert {step["reason"] for step in steps if step["kind"] == "stop"} >= STOPS
    lapses = [step for step in steps if step["kind"] == "lapse"]
    assert any(step["clause"] for step in lapses)
    assert any(step["kind"] == "tell" and step["what"] == "drop" for step in steps)
    assert written["if"] >= 20


# --- dice ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="SSH-KEYGEN IS MISSING: install openssh-client")
def test_a_second_program_finds_the_same_dice(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--home", str(tmp_path / "home"), "rolls", str(GAMES / f"{name}.log"), "--json"]) == 0
    claims = json.loads(capsys.readouterr().out)
    assert len(claims) == expected()[name]["rolls"] >= 15
    good = tmp_path / "claims.json"
    good.write_text(json.dumps(claims))
    told = subprocess.run([sys.executable, AUDIT, GAMES / f"{name}.log", good], capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.count(" fits\n") == len(claims)
    rolled = next(claim for claim in reversed(claims) if "dice" in claim)
    rolled["result"][0] = rolled["result"][0] % 6 + 1
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(claims))
    told = subprocess.run([sys.executable, AUDIT, GAMES / f"{name}.log", bad], capture_output=True, text=True)
    assert told.returncode == 1
    assert f"BAD entry {rolled['seq']} {rolled['label']}: claimed" in told.stderr


YAO = "yukimura/yao-east-collapses-by-removal"
DAMAGED = ("entry-by-retreat", YAO)
"""Logs that are damaged in every way, one of each system."""


# --- damage --------------------------------------------------------------------------------------------------------


def refused(text: str) -> PbemError:
    """The error by which a log is refused."""
    with pytest.raises(PbemError) as caught:
        replayed(text)
    return caught.value


def named(error: PbemError) -> int:
    """The number of the entry that an error names."""
    found = re.search(r"entry (\d+)", error.where)
    assert found is not None, str(error)
    return int(found[1])


def spans(text: str) -> list[tuple[int, int]]:
    """Where each entry begins and ends."""
    starts, at = [], 0
    for block in read_log_blocks(text):
        length = len(render_block(block))
        starts.append((at, at + length))
        at += length
    return starts


def byte_changes(name: str, step: int, offset: int) -> Iterator[tuple[int, str]]:
    """Every so many bytes one that is changed: its position and the text."""
    text = log_of(name)
    for number, at in enumerate(range(offset, len(text), step)):
        old = ord(text[at])
        new = chr(old ^ 1) if number % 3 else {0: "x", 1: " ", 2: "\n"}[number // 3 % 3]
        new = new if new != text[at] and new.isascii() else ("0" if text[at] != "0" else "1")
        yield at, text[:at] + new + text[at + 1 :]


@pytest.mark.parametrize(
    ("name", "step", "offset"), [("entry-by-retreat", 307, 5), ("asked", 1511, 100), (DAMAGED[1], 211, 7)]
)
def test_a_log_with_one_byte_changed_is_refused_at_its_entry(name: str, step: int, offset: int) -> None:
    places = spans(log_of(name))
    count = 0
    for at, text in byte_changes(name, step, offset):
        entry = next(n for n, (_, end) in enumerate(places) if at < end)
        error = refused(text)
        assert named(error) == entry, (at, entry, str(error))
        count += 1
    assert count >= 20


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_first_line_is_that_of_its_entry(name: str) -> None:
    """Whatever its first line has become, and whatever else is wrong behind it."""
    text = log_of(name)
    begin = "-----BEGIN PBEM TURN-----\n"
    for number, (start, _) in list(enumerate(spans(text)))[1::5]:
        for line in (
            "",
            "-----BEGIN PBEM TURN---- -\n",
            "-----BEGIN PBEM TURN-----",
            "----- BEGIN PBEM TURN-----\n",
            "\n",
        ):
            error = refused(text[:start] + line + text[start + len(begin) :])
            assert (named(error), "must be" in error.what) == (number, True), (line, str(error))
            assert error.where.endswith("line 1")
        earlier = refused(text[: start - 200] + "*" + text[start - 199 : start] + "x" + text[start + 1 :])
        assert named(earlier) == number - 1, str(earlier)


def without(blocks: list[Block], number: int) -> str:
    return "".join(render_block(block) for n, block in enumerate(blocks) if n != number)


@pytest.mark.parametrize("name", DAMAGED)
def test_a_log_without_one_entry_is_refused_there(name: str) -> None:
    blocks = read_log_blocks(log_of(name))
    for number in range(len(blocks) - 1):
        error = refused(without(blocks, number))
        assert named(error) == number, str(error)


@pytest.mark.parametrize("name", DAMAGED)
def test_a_log_with_two_entries_swapped_is_refused_at_the_first(name: str) -> None:
    blocks = read_log_blocks(log_of(name))
    chance = random.Random(5)
    for _ in range(30):
        first, second = sorted(chance.sample(range(len(blocks)), 2))
        mixed = [*blocks]
        mixed[first], mixed[second] = blocks[second], blocks[first]
        error = refused("".join(map(render_block, mixed)))
        assert named(error) == first, (first, second, str(error))


@pytest.mark.parametrize("name", DAMAGED)
def test_a_log_with_an_entry_twice_is_refused_at_the_second(name: str) -> None:
    blocks = read_log_blocks(log_of(name))
    for number in range(0, len(blocks), 3):
        error = refused("".join(map(render_block, [*blocks[: number + 1], *blocks[number:]])))
        assert named(error) == number + 1, (number, str(error))


@pytest.mark.parametrize("name", DAMAGED)
def test_a_log_cut_off_in_an_entry_is_refused_there(name: str) -> None:
    text = log_of(name)
    places = spans(text)
    for at in range(1, len(text), 611):
        number = next(n for n, (_, end) in enumerate(places) if at < end)
        if at == places[number][0]:
            continue
        error = refused(text[:at])
        assert named(error) == number, (at, str(error))


def test_a_log_cut_off_between_entries_is_an_unfinished_game_with_another_head() -> None:
    text = log_of("entry-by-retreat")
    places = spans(text)
    for number in range(2, len(places) - 1, 4):
        table = replayed(text[: places[number][1]]).table
        assert table is not None
        assert table.seq == number
        assert table.due().what != "nothing"
        assert table.head.hex() != expected()["entry-by-retreat"]["head"]
        assert replayed(text[: places[0][1]]).table is None


def test_entries_of_another_game_are_refused() -> None:
    mine, other = read_log_blocks(log_of("asked")), read_log_blocks(log_of("all-words"))
    for number in (1, 2, 3, 10, 20):
        error = refused("".join(map(render_block, [*mine[:number], other[number], *mine[number + 1 :]])))
        assert named(error) == number, str(error)


def words_of(block: Block) -> str:
    """The statements of an entry without its `end`."""
    return block.payload.decode("ascii").rsplit("end ", 1)[0]


def seal(body: str) -> bytes:
    """Canonical bytes for these statements: `end` with count and sums after them."""
    import hashlib

    lines = body.splitlines(keepends=True)
    sums = [hashlib.sha256("".join(lines[at : at + 8]).encode()).hexdigest()[:6] for at in range(0, len(lines), 8)]
    payload = f"{body}end {len(lines)} {' '.join(sums)};\n".encode()
    assert canonical_bytes(payload.decode("ascii")) == payload
    return payload


@pytest.mark.parametrize("name", DAMAGED)
def test_an_entry_rewritten_with_good_sums_needs_its_signature(name: str) -> None:
    blocks = read_log_blocks(log_of(name))
    for number in range(len(blocks)):
        entry = parse_entry(blocks[number].payload)
        nonce = entry.nonce[:-1] + ("0" if entry.nonce[-1] != "0" else "1")
        payload = seal(words_of(blocks[number]).replace(entry.nonce, nonce))
        forged = [*blocks[:number], Block(payload, blocks[number].armor), *blocks[number + 1 :]]
        error = refused("".join(map(render_block, forged)))
        assert isinstance(error, BadSignature)
        assert named(error) == number, str(error)


HEADER_LIES: dict[str, Callable[[str], str]] = {
    "prev": lambda body: swap_word(body, "prev", 1, "0" * 64),
    "state": lambda body: swap_word(body, "state", 1, "0" * 64),
    "game": lambda body: swap_word(body, "game", 1, "0" * 64),
    "reveal": lambda body: swap_word(body, "reveal", 2, "0" * 64),
    "index": lambda body: swap_word(body, "reveal", 1, "99"),
    "kind": lambda body: swap_word(body, "kind", 1, "react"),
}


def swap_word(body: str, keyword: str, place: int, word: str) -> str:
    """The body with one word of a statement changed."""
    lines = body.splitlines()
    for n, line in enumerate(lines):
        words = line.rstrip(";").split()
        if words[0] == keyword:
            words[place] = word
            lines[n] = " ".join(words) + ";"
            break
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("lie", HEADER_LIES)
def test_a_signed_lie_is_refused(lie: str) -> None:
    """What no signature heals: the author himself signs an entry that doesn't fit the log."""
    blocks = read_log_blocks(log_of("asked"))
    number = next(
        n for n, b in enumerate(blocks) if n > 8 and b"\nkind orders;" in b.payload and b"\nreveal" in b.payload
    )
    payload = seal(HEADER_LIES[lie](words_of(blocks[number])))
    forged = Block(payload, signer(parse_entry(payload).by).sign(payload))
    error = refused("".join(map(render_block, [*blocks[:number], forged])))
    assert isinstance(error, BadLog)
    assert named(error) == number, str(error)


def test_an_entry_signed_again_with_other_words_breaks_the_chain_behind_it() -> None:
    """Two entries with one number: each is good as the last of a log, but what follows fits only one of them."""
    blocks = read_log_blocks(log_of("shogunate-holds"))
    number = next(n for n, b in enumerate(blocks) if n > 6 and b"\nkind orders;" in b.payload)
    payload = seal(words_of(blocks[number]) + "say something else;\n")
    forged = Block(payload, signer(parse_entry(payload).by).sign(payload))
    assert entry_hash(payload) != entry_hash(blocks[number].payload)
    assert replayed("".join(map(render_block, [*blocks[:number], forged]))).table is not None
    error = refused("".join(map(render_block, [*blocks[:number], forged, *blocks[number + 1 :]])))
    assert isinstance(error, BadLog)
    assert named(error) == number + 1


def test_text_round_the_blocks_is_refused() -> None:
    text = log_of("asked")
    blocks = read_log_blocks(text)
    assert isinstance(refused("Hello\n" + text), Damaged)
    assert named(refused(text + "Hello\n")) == len(blocks)
    assert named(refused(text.replace("\n", "\r\n"))) == 0
    assert isinstance(refused(""), BadLog)
    assert rules().EDITION == "bakumatsu/1"
