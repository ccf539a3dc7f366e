"""Whole games as their logs: replayed to the exact end, their dice derived a second time, every damage refused.

`PBEM_REGENERATE=1 pytest tests/systems/test_games.py` plays them again; the same choosers give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from golden import REGENERATE
from matches import replayed, signer, summary

from pbem.cli import run
from pbem.crypto.dice import entry_hash
from pbem.errors import BadLog, BadSignature, Damaged, PbemError
from pbem.rules.requests import Tell
from pbem.wire.blocks import Block, read_log_blocks, render_block
from pbem.wire.entry import canonical_bytes, parse_entry
from systems.adapters import ADAPTERS, HERE, files
from systems.random_play import MORE
from systems.whole import GAMES, JUDGES, expected, log_of, missing, read_log, table_of, wanted_game, wholes

AUDIT = HERE.parents[1] / "tools" / "audit.py"
LARGEST = 130_000
"""Bytes of a log: fifteen turns of a campaign have nearly as many, twelve turns with hardly a fight half of them."""

EVERY_GAME = pytest.mark.parametrize(
    ("system", "name"),
    [
        pytest.param(system, name, marks=[pytest.mark.clause(id) for id in whole.wanted.get("clauses", ())])
        for system in ADAPTERS
        for name, whole in wholes(system).items()
    ],
)
DAMAGED = pytest.mark.parametrize(("system", "name"), [(s, ADAPTERS[s].DAMAGED[0]) for s in ADAPTERS])
"""Logs that are damaged in every way, one of each system."""

AUDITED = pytest.mark.parametrize(("system", "name"), [(s, name) for s in ADAPTERS for name in ADAPTERS[s].AUDITED])


@pytest.fixture(scope="module", autouse=True)
def _goldens() -> None:
    for system in ADAPTERS if REGENERATE else ():
        found = {}
        for name in wholes(system):
            number, match = wanted_game(system, name)
            (GAMES / system / f"{name}.log").write_text(match.log, "ascii", newline="\n")
            found[name] = {"number": number, **summary(table_of(system, name))}
        text = json.dumps(found, indent=1, sort_keys=True)
        (GAMES / system / "expected.json").write_text(f"{text}\n", "ascii", newline="\n")
    expected.cache_clear()


@pytest.mark.parametrize("system", ADAPTERS)
def test_the_games_are_all_there(system: str) -> None:
    names = [name for of, name in files("games", "log") if of == system]
    assert names == sorted(wholes(system)) == sorted(expected(system))
    assert max(len(log_of(system, name)) for name in names) < LARGEST


@EVERY_GAME
def test_a_log_leads_to_its_end(system: str, name: str) -> None:
    known = expected(system)[name]
    assert {"number": known["number"], **summary(table_of(system, name))} == known
    assert missing(wholes(system)[name], read_log(system, name)) == []


WRONG: dict[str, tuple[str, str, Any]] = {
    "ends": ("bakumatsu", "satcho-holds", ["14(4)2", "shogunate"]),
    "finally": ("yukimura", "dream-empty", ["held 2022 east"]),
    "last": ("yukimura", "dream-empty", [{"what": "end", "in": "< 12"}]),
    "told": ("bakumatsu", "entry-by-move", [{"what": "move", "path": "*0106", "times": 99}]),
    "never": ("bakumatsu", "entry-by-move", [{"what": "end"}]),
    "answers": ("bakumatsu", "all-words", {"standing": ["retreat"]}),
    "entries": ("bakumatsu", "asked", {"react": 100}),
    "statements": ("bakumatsu", "all-words", {"retreat": 1}),
    "stops": ("bakumatsu", "all-words", ["it rains"]),
    "lapses": ("bakumatsu", "all-words", 1000),
}


@pytest.mark.parametrize("word", JUDGES)
def test_a_game_that_came_out_otherwise_is_not_as_wanted(word: str) -> None:
    system, name, wish = WRONG[word]
    whole = wholes(system)[name]
    (wrong,) = missing(whole._replace(wanted={word: wish}), read_log(system, name))
    assert wrong.startswith(f"{word}: ")


@EVERY_GAME
def test_the_units_stand_as_the_end_says(system: str, name: str) -> None:
    game = table_of(system, name).game
    assert (game.outcome is None) == (name.endswith("resigned"))
    if game.outcome is not None:
        ADAPTERS[system].check_end(game.state, game.outcome)


@EVERY_GAME
def test_what_was_told_adds_up(system: str, name: str) -> None:
    """What watches random games has nothing against it, either."""
    table = table_of(system, name)
    watch = ADAPTERS[system].Watch(table.board, dict(table.genesis.terms.options))
    for step in table.steps:
        if step["kind"] == "tell" and step["what"] != "agreement":
            watch.hear(Tell(step["what"], step["clause"], step["facts"]))
    watch.check(table.game)


def shortest() -> Iterator[tuple[str, str]]:
    """Of each scenario of a system its two games with the shortest logs; all with PBEM_RANDOM_GAMES of 2 or more."""
    for system in ADAPTERS:
        by_scenario: dict[str, list[str]] = {}
        for name, whole in wholes(system).items():
            by_scenario.setdefault(whole.scenario, []).append(name)
        for names in by_scenario.values():
            names.sort(key=lambda name: len(log_of(system, name)))
            yield from ((system, name) for name in (names if MORE > 1 else names[:2]))


@pytest.mark.parametrize(("system", "name"), tuple(shortest()))
def test_the_same_keys_and_choosers_make_the_same_log(system: str, name: str) -> None:
    assert wholes(system)[name].play(expected(system)[name]["number"]).log == log_of(system, name)


@pytest.mark.parametrize("system", [system for system in ADAPTERS if ADAPTERS[system].STANDING_WORDS])
def test_a_game_in_which_the_players_ask_each_other(system: str) -> None:
    """Each answer is one that somebody wrote, and the dice of a fire belong to the entry that ordered it."""
    found, steps = read_log(system, "asked"), table_of(system, "asked").steps
    answers = [step for step in steps if step["kind"] == "answer"]
    reacts = [entry for _, entry, _ in found.turns if entry.kind == "react"]
    assert {entry.by for entry in reacts} == {"asuka", "ben"}
    assert len(answers) > len({step["seq"] for step in answers}), "one react answers more than one question"
    words = {(statement.keyword, *statement.tokens) for entry in reacts for statement in entry.body}
    assert {tuple(step["words"]) for step in answers} <= words, "an answer that nobody wrote"
    rolled = {step["seq"] for step in steps if step["kind"] == "roll" and step["label"].startswith("fire/")}
    assert {step["seq"] for step in answers if step["words"][0] == "fire"} <= rolled


@pytest.mark.parametrize("system", ADAPTERS)
def test_where_all_is_answered_beforehand_nobody_is_asked(system: str) -> None:
    kinds = {entry.kind for _, entry, _ in read_log(system, ADAPTERS[system].MAILED[0]).turns}
    assert "orders" in kinds
    assert "react" not in kinds


@AUDITED
def test_whoever_reads_a_log_is_told_its_end(
    system: str, name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["--home", str(tmp_path), "verify", str(GAMES / system / f"{name}.log"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    outcome = table_of(system, name).outcome
    assert outcome is not None
    assert told["ok"]
    assert told["head"] == expected(system)[name]["head"]
    assert told["outcome"] == outcome._asdict()


# --- dice ----------------------------------------------------------------------------------------------------------


@AUDITED
@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="SSH-KEYGEN IS MISSING: install openssh-client")
def test_a_second_program_finds_the_same_dice(
    system: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, file = GAMES / system / f"{name}.log", tmp_path / "claims.json"
    assert run(["--home", str(tmp_path / "home"), "rolls", str(log), "--json"]) == 0
    claims = json.loads(capsys.readouterr().out)
    assert len(claims) == expected(system)[name]["rolls"] >= 2
    file.write_text(json.dumps(claims))
    told = subprocess.run([sys.executable, AUDIT, log, file], capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.count(" fits\n") == len(claims)
    rolled = next(claim for claim in reversed(claims) if "dice" in claim)
    rolled["result"][0] = rolled["result"][0] % 6 + 1
    file.write_text(json.dumps(claims))
    told = subprocess.run([sys.executable, AUDIT, log, file], capture_output=True, text=True)
    assert told.returncode == 1
    assert f"BAD entry {rolled['seq']} {rolled['label']}: claimed" in told.stderr


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


def byte_changes(text: str, step: int, offset: int) -> Iterator[tuple[int, str]]:
    """Every so many bytes one that is changed: its position and the text."""
    for number, at in enumerate(range(offset, len(text), step)):
        old = ord(text[at])
        new = chr(old ^ 1) if number % 3 else {0: "x", 1: " ", 2: "\n"}[number // 3 % 3]
        new = new if new != text[at] and new.isascii() else ("0" if text[at] != "0" else "1")
        yield at, text[:at] + new + text[at + 1 :]


@pytest.mark.parametrize(("system", "name", "step", "offset"), [(s, *ADAPTERS[s].DAMAGED) for s in ADAPTERS])
def test_a_log_with_one_byte_changed_is_refused_at_its_entry(system: str, name: str, step: int, offset: int) -> None:
    places = spans(log_of(system, name))
    count = 0
    for at, text in byte_changes(log_of(system, name), step, offset):
        entry = next(n for n, (_, end) in enumerate(places) if at < end)
        error = refused(text)
        assert named(error) == entry, (at, entry, str(error))
        count += 1
    assert count >= 20


@DAMAGED
def test_a_damaged_first_line_is_that_of_its_entry(system: str, name: str) -> None:
    """Whatever its first line has become, and whatever else is wrong behind it."""
    text = log_of(system, name)
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


@DAMAGED
def test_a_log_without_one_entry_is_refused_there(system: str, name: str) -> None:
    blocks = read_log_blocks(log_of(system, name))
    for number in range(len(blocks) - 1):
        error = refused(without(blocks, number))
        assert named(error) == number, str(error)


@DAMAGED
def test_a_log_with_two_entries_swapped_is_refused_at_the_first(system: str, name: str) -> None:
    blocks = read_log_blocks(log_of(system, name))
    chance = random.Random(5)
    for _ in range(30):
        first, second = sorted(chance.sample(range(len(blocks)), 2))
        mixed = [*blocks]
        mixed[first], mixed[second] = blocks[second], blocks[first]
        error = refused("".join(map(render_block, mixed)))
        assert named(error) == first, (first, second, str(error))


@DAMAGED
def test_a_log_with_an_entry_twice_is_refused_at_the_second(system: str, name: str) -> None:
    blocks = read_log_blocks(log_of(system, name))
    for number in range(0, len(blocks), 3):
        error = refused("".join(map(render_block, [*blocks[: number + 1], *blocks[number:]])))
        assert named(error) == number + 1, (number, str(error))


@DAMAGED
def test_a_log_cut_off_in_an_entry_is_refused_there(system: str, name: str) -> None:
    text = log_of(system, name)
    places = spans(text)
    for at in range(1, len(text), 611):
        number = next(n for n, (_, end) in enumerate(places) if at < end)
        if at == places[number][0]:
            continue
        error = refused(text[:at])
        assert named(error) == number, (at, str(error))


def test_a_log_cut_off_between_entries_is_an_unfinished_game_with_another_head() -> None:
    text = log_of("bakumatsu", "entry-by-retreat")
    places = spans(text)
    for number in range(2, len(places) - 1, 4):
        table = replayed(text[: places[number][1]]).table
        assert table is not None
        assert table.seq == number
        assert table.due().what != "nothing"
        assert table.head.hex() != expected("bakumatsu")["entry-by-retreat"]["head"]
        assert replayed(text[: places[0][1]]).table is None


def test_entries_of_another_game_are_refused() -> None:
    mine, other = read_log_blocks(log_of("bakumatsu", "asked")), read_log_blocks(log_of("bakumatsu", "all-words"))
    for number in (1, 2, 3, 10, 20):
        error = refused("".join(map(render_block, [*mine[:number], other[number], *mine[number + 1 :]])))
        assert named(error) == number, str(error)


def words_of(block: Block) -> str:
    """The statements of an entry without its `end`."""
    return block.payload.decode("ascii").rsplit("end ", 1)[0]


def seal(body: str) -> bytes:
    """Canonical bytes for these statements: `end` with count and sums after them."""
    lines = body.splitlines(keepends=True)
    sums = [hashlib.sha256("".join(lines[at : at + 8]).encode()).hexdigest()[:6] for at in range(0, len(lines), 8)]
    payload = f"{body}end {len(lines)} {' '.join(sums)};\n".encode()
    assert canonical_bytes(payload.decode("ascii")) == payload
    return payload


@DAMAGED
def test_an_entry_rewritten_with_good_sums_needs_its_signature(system: str, name: str) -> None:
    blocks = read_log_blocks(log_of(system, name))
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
    blocks = read_log_blocks(log_of("bakumatsu", "asked"))
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
    blocks = read_log_blocks(log_of("bakumatsu", "shogunate-holds"))
    number = next(n for n, b in enumerate(blocks) if n > 6 and b"\nkind orders;" in b.payload)
    payload = seal(words_of(blocks[number]) + "say something else;\n")
    forged = Block(payload, signer(parse_entry(payload).by).sign(payload))
    assert entry_hash(payload) != entry_hash(blocks[number].payload)
    assert replayed("".join(map(render_block, [*blocks[:number], forged]))).table is not None
    error = refused("".join(map(render_block, [*blocks[:number], forged, *blocks[number + 1 :]])))
    assert isinstance(error, BadLog)
    assert named(error) == number + 1


def test_text_round_the_blocks_is_refused() -> None:
    text = log_of("bakumatsu", "asked")
    blocks = read_log_blocks(text)
    assert isinstance(refused("Hello\n" + text), Damaged)
    assert named(refused(text + "Hello\n")) == len(blocks)
    assert named(refused(text.replace("\n", "\r\n"))) == 0
    assert isinstance(refused(""), BadLog)
