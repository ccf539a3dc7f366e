"""Speed of the program, as one table; a benchmark, not a test of time: it asserts only that things ran.

    nice python -m pytest tests/bench/test_bench.py

Each command is measured as a player meets it, as a whole process in a home folder whose cache knows the game, its maps
and the templates, and in turns with its floor: a process that only imports the libraries which the command can't do
without. What counts is the processor's time of both, which hangs less on what else the machine does than the time on
the clock. Only the ratios of such pairs are told, their medians; seconds would tell of the machine. PBEM_BENCH names
scenarios in place of all, PBEM_PAIRS is the number of pairs.
"""

from __future__ import annotations

import os
import pstats
import random
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from bench.moments import FEWEST, Moment, moments
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from yardstick import stroke_seconds

import pbem
from pbem.crypto import sshsig
from pbem.home.folders import Home
from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.match.replay import replay
from pbem.rules import rules_of
from pbem.rules.requests import Choose
from pbem.scenario import load_scenario
from pbem.wire.blocks import read_log_blocks

OF_1862 = (
    *("cedar-mountain", "stuarts-raid", "jacksons-march", "lee-vs-pope", "to-bull-run"),
    *("rapidan-to-rappahannock", "rapidan-to-manassas"),
)
ALL = (
    "toba-fushimi yao domyoji connected gotos-dream skirmish pitched-battle wooded-valley shizugatake "
    f"{' '.join(OF_1862)}"
)
SCENARIOS = tuple(os.environ.get("PBEM_BENCH", ALL).split())
LENGTHS = (10, 100, 400)
"""Entries in the log, about."""
SHORT = {
    **dict.fromkeys(("skirmish", "cedar-mountain", "jacksons-march"), (10, 100)),
    "stuarts-raid": (10,),
    "lee-vs-pope": (100, 400),
    "rapidan-to-rappahannock": (10, 100),
}
"""Those of scenarios whose games are over before; or in which nobody has several orders at once so early."""
FEW = dict.fromkeys(OF_1862, 3)
"""The fewest orders of scenarios in which the other side is asked behind a few."""
PAIRS = int(os.environ.get("PBEM_PAIRS", "5"))
PLAY_SECONDS = 2.0

_IMPORTS = "import click, filelock, json, random; from cryptography.hazmat.primitives.asymmetric import ed25519"
FLOORS = {
    "open": f"{_IMPORTS}; import jinja2, email.message, email.parser",
    "form": _IMPORTS,
    "check": _IMPORTS,
    "send": f"{_IMPORTS}; import jinja2, email.message, email.policy",
}
GOALS = {"open": 2.0, "form": 2.0, "check": 2.0, "send": 3.0, "verify": 4.0}
TABLES = ("skirmish", "pitched-battle", "wooded-valley")
ANSWERS = {
    "toba-fushimi": 25_000,
    "connected": 15_000,
    **dict.fromkeys(TABLES, 20_000),
    **dict.fromkeys(("shizugatake", *OF_1862), 10_000),
}
"""Answers a second in random play that are aimed at."""

PROGRAM = "from pbem.__main__ import main; main()"
ROOT = str(Path(pbem.__file__).parent)


class Row(NamedTuple):
    """How many times its floor something takes, and, when that is more than it should be, where the time goes."""

    scenario: str
    entries: int
    what: str
    ratio: float
    held: str = ""


# --- pairs -----------------------------------------------------------------------------------------------------------


def process(home: Path, *words: str) -> float:
    """Seconds of a processor that a whole process of Python takes, its own and the system's for it.

    With compiled modules as after an installation.
    """
    environment = {**os.environ, "PBEM_HOME": str(home), "PYTHONPYCACHEPREFIX": str(home.parent.parent / "compiled")}
    for name in ("PBEM_KEY", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    begun = _of_children()
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, check=False)
    taken = _of_children() - begun
    assert done.returncode == 0, done.stderr.decode()
    return taken


def _of_children() -> float:
    """Seconds of a processor that all processes took which this one has started, and which have ended."""
    taken = resource.getrusage(resource.RUSAGE_CHILDREN)
    return taken.ru_utime + taken.ru_stime


def ratio(work: Callable[[], float], floor: Callable[[], float]) -> float:
    """The median of some pairs, measured in turns; the first pair only fills the caches of the disk."""
    work(), floor()
    return statistics.median(work() / floor() for _ in range(PAIRS))


def timed(work: Callable[[], object]) -> Callable[[], float]:
    """The work as a function that gives its seconds of processor time in this process, the mean of a tenth of one."""

    def seconds() -> float:
        begun, runs = time.process_time(), 0
        while (taken := time.process_time() - begun) < 0.1:
            work()
            runs += 1
        return taken / runs

    return seconds


def where_it_goes(profile: Path) -> str:
    """The places that take the most of a profiled process; what a built-in function takes is its caller's."""
    found: Counter[str] = Counter()
    stats = pstats.Stats(str(profile)).stats  # type: ignore[attr-defined]
    for function, (_, _, own, _, callers) in stats.items():
        if function[0] == "~":
            for caller, (_, _, part, _) in callers.items():
                found[_place(caller)] += part
        else:
            found[_place(function)] += own
    whole = sum(found.values())
    return ", ".join(f"{place} {own / whole:.0%}" for place, own in found.most_common(4))


def _place(function: tuple[str, int, str]) -> str:
    """Where a function belongs: `match/course`, or the imports, or the libraries."""
    file, _, name = function
    if "importlib" in file or name == "<module>":
        return "imports"
    return file.removeprefix(f"{ROOT}/").removesuffix(".py") if file.startswith(ROOT) else "libraries"


# --- what is measured ------------------------------------------------------------------------------------------------


def commands(moment: Moment) -> Iterator[tuple[str, Path, tuple[str, ...]]]:
    """The commands of a turn: verb, home folder, words."""
    mail = moment.orders.with_name("turn.eml")
    yield "form", moment.sender, ("form",)
    yield "check", moment.sender, ("check", str(moment.orders))
    yield "send", moment.sender, ("send", str(moment.orders), "--yes", "-o", str(mail))
    yield "open", moment.reader, ("open", str(mail))


def measured(scenario: str, moment: Moment) -> Iterator[Row]:
    """Each command at one moment against its floor; what misses its goal is run once more with a profile."""
    scratch = moment.sender.with_name("scratch")

    def fresh(home: Path, *words: str) -> float:
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(home, scratch)
        if words[-2] == "-o":
            Path(words[-1]).unlink(missing_ok=True)  # no command writes over a mail of a log that it doesn't know
        return process(scratch, *words)

    for home in (moment.sender, moment.reader):
        process(home, "-c", PROGRAM, "report", "--format", "html", "-o", str(home.with_name("report.html")))
    for verb, home, words in commands(moment):
        fresh(home, "-c", PROGRAM, *words)  # as in an earlier turn: what isn't of this one is kept
        for kept in ("templates", "boards"):
            shutil.copytree(scratch / "cache" / kept, home / "cache" / kept, dirs_exist_ok=True)
        found = ratio(
            lambda home=home, words=words: fresh(home, "-c", PROGRAM, *words),
            lambda verb=verb: process(scratch, "-c", FLOORS[verb]),
        )
        held = ""
        if found > GOALS[verb]:
            profile = moment.orders.with_name("profile")
            fresh(home, "-m", "cProfile", "-o", str(profile), "-m", "pbem", *words)
            held = where_it_goes(profile)
        yield Row(scenario, moment.entries, verb, found, held)
    load = Home(moment.reader).load
    verified = ratio(timed(lambda: replay(moment.log, load)), timed(bare_checks(moment.log)))
    yield Row(scenario, moment.entries, "verify", verified)


def bare_checks(log: str) -> Callable[[], object]:
    """The Ed25519 verifications of a log and nothing else."""
    checks = []
    for block in read_log_blocks(log):
        parts = sshsig.dearmor(block.armor)
        key = Ed25519PublicKey.from_public_bytes(sshsig.raw_from_blob(parts.pub_blob))
        checks.append((key, parts.sig64, sshsig._to_be_signed(block.payload, sshsig.NAMESPACE)))
    return lambda: [key.verify(sig64, message) for key, sig64, message in checks]


def random_play(scenario_id: str) -> tuple[float, float]:
    """Answers in whole random games: per second of processor time, and per stroke of the yardstick."""
    scenario = load_scenario(scenario_id)
    rules = rules_of(scenario.system)
    board, chance = rules.board(scenario.data), random.Random(1868)
    answers, stroke, begun = 0, stroke_seconds(), time.process_time()
    while time.process_time() - begun < PLAY_SECONDS:
        game = Game.new(rules, board, {})
        while (request := game.request) is not None:
            game.apply(request.sample(chance) if isinstance(request, Choose) else chance_answer(request, chance))
            answers += 1
    taken = time.process_time() - begun
    return answers / taken, answers / taken * (stroke + stroke_seconds()) / 2


# --- the table -------------------------------------------------------------------------------------------------------


def table(rows: list[Row]) -> str:
    """A line a moment with a ratio a column; below them what misses its goal, and what holds it."""
    verbs = list(GOALS)
    lines = [f"{'scenario':<14}{'entries':>8}" + "".join(f"{verb:>9}" for verb in verbs)]
    lines.append(f"{'goal':<22}" + "".join(f"{GOALS[verb]:>9.1f}" for verb in verbs))
    for place in dict.fromkeys((row.scenario, row.entries) for row in rows):
        found = {row.what: row.ratio for row in rows if (row.scenario, row.entries) == place}
        cells = "".join(f"{found[v]:>8.2f}{'*' if found[v] > GOALS[v] else ' '}" for v in verbs)
        lines.append(f"{place[0]:<14}{place[1]:>8}{cells}")
    lines.append("* missed; own time of a profiled run:")
    lines += [f"  {row.scenario} {row.entries} {row.what} {row.ratio:.2f}: {row.held}" for row in rows if row.held]
    return "\n".join(lines)


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = []
    for scenario in SCENARIOS:
        for moment in moments(scenario, SHORT.get(scenario, LENGTHS), tmp_path, FEW.get(scenario, FEWEST)):
            rows += measured(scenario, moment)
    assert len(rows) == sum(len(SHORT.get(scenario, LENGTHS)) for scenario in SCENARIOS) * len(GOALS)
    with capsys.disabled():
        print("\n" + table(rows))


def test_random_play(capsys: pytest.CaptureFixture[str]) -> None:
    found = {scenario: random_play(scenario) for scenario in SCENARIOS}
    assert all(speed > 0 for speed, _ in found.values())
    with capsys.disabled():
        print("\nanswers in random play: a second of one processor (goal), for each stroke of the yardstick")
        for scenario, (speed, strokes) in found.items():
            goal = f"{ANSWERS[scenario]:,}" if scenario in ANSWERS else "-"
            print(f"{scenario:<14}{speed:>10,.0f} ({goal}){strokes:>10,.0f}")
