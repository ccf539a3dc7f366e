"""Whatever arrives, each reader takes it or refuses it in its one way, soon and in little memory.

The inputs are the same in every run; `PBEM_FUZZ=20 python -m pytest tests/fuzz` takes twenty times as many.
`python tests/fuzz/coverage_guided.py` searches further, led by coverage.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from yardstick import within

from fuzz.bombs import BOMBS
from fuzz.mutation import Choices, edited, mutated
from fuzz.targets import TARGETS
from pbem.wire.orderfile import parse_statements
from pbem.wire.statements import STATEMENTS_MAX

TIMES = int(os.environ.get("PBEM_FUZZ", "1"))
REGRESSIONS = sorted((Path(__file__).parent / "regressions").glob("*.bin"))

INPUT_STROKES = 250
BOMB_STROKES = 250  # twice what the dearest takes
BOMB_BYTES = 400 << 20


@pytest.fixture(autouse=True)
def no_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)


@contextmanager
def in_memory(size: int) -> Iterator[None]:
    """Raises MemoryError when the process grows by more; only Linux tells how large it is."""
    if sys.platform != "linux":
        yield
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize("name", TARGETS)
def test_mutated_input_is_read_or_refused(name: str) -> None:
    target = TARGETS[name]
    seeds = target.seeds()
    chance = random.Random(f"fuzz {name}")
    for number in range(target.inputs * TIMES):
        data = mutated(seeds, target.words, chance)
        try:
            with within(INPUT_STROKES):
                target.take(data)
        except BaseException as error:
            error.add_note(f"input {number} of {name}: {data[:2000]!r}")
            raise


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in ("map", "board")])
def test_seeds_are_read(name: str) -> None:
    """What the mutations begin with is good, so that they lead beyond the first check."""
    target = TARGETS[name]
    assert target.take(target.seeds()[0])


@pytest.mark.parametrize(("target", "name"), BOMBS, ids=lambda word: word.replace(" ", "-"))
def test_a_bomb_is_read_or_refused_soon(target: str, name: str) -> None:
    data = BOMBS[target, name]()
    with within(BOMB_STROKES), in_memory(BOMB_BYTES):
        TARGETS[target].take(data)


@pytest.mark.parametrize("file", REGRESSIONS, ids=lambda file: file.stem)
def test_an_input_that_once_broke_a_reader(file: Path) -> None:
    """The name is TARGET~WHAT.bin."""
    with within(INPUT_STROKES):
        TARGETS[file.stem.partition("~")[0]].take(file.read_bytes())


def test_an_order_file_of_bombs_tells_where_reading_ended() -> None:
    found, wrong = parse_statements("a;\n" * STATEMENTS_MAX)
    assert (len(found), wrong) == (STATEMENTS_MAX, [])
    for text in ("a;\n" * 100_000, "a\n" * 100_000, "a;\n" * 5000 + "a;" * 100_000):
        found, wrong = parse_statements(text)
        assert len(found) + len(wrong) == STATEMENTS_MAX + 1
        assert str(wrong[-1]).startswith("line 5001: too many statements")
    found, wrong = parse_statements("a;\n" * STATEMENTS_MAX + ";" * 100_000)
    assert (len(found), wrong) == (STATEMENTS_MAX, []), "nothing between two signs is no statement"


# The tools themselves.


def test_mutations_are_the_same_in_every_run_and_change_something() -> None:
    seeds, words = [b"move sg-01 0101;\n" * 3, b"done;\n"], [b"if "]
    first, second = ([mutated(seeds, words, chance) for _ in range(200)] for chance in map(random.Random, (7, 7)))
    assert first == second
    assert sum(data not in seeds for data in first) > 180


def test_edits_follow_the_bytes() -> None:
    def tree(data: bytes) -> object:
        made: dict[str, object] = {"a": ["b", {"c": "d"}], "e": "f"}
        edited(made, Choices(data), numbers=True)
        return made

    chance = random.Random(3)
    scripts = [chance.randbytes(40) for _ in range(60)]
    assert [repr(tree(data)) for data in scripts] == [repr(tree(data)) for data in scripts]
    assert len({repr(tree(data)) for data in scripts}) > 40


def test_the_limits_of_time_and_memory_hold() -> None:
    with within(20):
        sum(range(30_000))
    with pytest.raises(AssertionError, match="strokes, at most 2"), within(2):
        sum(range(6_000_000))
    if sys.platform == "linux":
        with pytest.raises(MemoryError), in_memory(50 << 20):
            bytearray(200 << 20)
