"""Speed of the program, as one table; a benchmark, not a test of time: it asserts only that things ran.

    python -m pytest tests/bench

One game of Toba-Fushimi is played by bots in small portions, so that it has 200 entries and more. `pbem open` is
measured as a player meets it: a whole process, his home folder as it was before the mail came (a report has been shown
in it before, so what is cached is there), the mail as the program writes it.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from email.utils import formatdate
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.crypto import sshsig
from pbem.crypto.keys import load_signer, new_key
from pbem.desk.desk import Desk, Place, terms_of
from pbem.home.folders import Contact, Home
from pbem.mail.inbox import read_mails
from pbem.mail.outbox import compose
from pbem.match.bots import suggest
from pbem.match.check import chance_answer
from pbem.match.game import Game
from pbem.match.take import replay
from pbem.report import build
from pbem.report.source import pictures, report_data
from pbem.rules import rules_of
from pbem.rules.requests import Choose
from pbem.scenario import load_scenario
from pbem.wire.blocks import Block, parse_entry, read_log_blocks, render_block

SCENARIO = "toba-fushimi"
LENGTHS = (10, 50, 100, 200)
"""Entries in the log after the turn that is opened."""
PORTION = 2
"""Orders of one entry; a phase then takes several entries, each followed by the other side's reveal."""
RUNS = 9
PLAY_SECONDS = 3.0
NAMES = ("asuka", "ben")
IMPORTS = "import click, jinja2, yaml; from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey"


class Moment(NamedTuple):
    """A mail before it is opened: its number of entries, the reader's home as it was, the mail, the log behind it."""

    entries: int
    home: Path
    mail: Path
    log: str


class Row(NamedTuple):
    """One length of log: the process of `pbem open` and its baseline in seconds, verification and bare checks too."""

    entries: int
    open: float
    imports: float
    verify: float
    checks: float


# --- a game ----------------------------------------------------------------------------------------------------------


def _desk(home: Path) -> Desk:
    folder = Home(home)
    home.mkdir(parents=True)
    new_key(folder.key, home.name)
    return Desk(folder, lambda: load_signer(folder.key), os.urandom)


def _begin(desks: dict[str, Desk], scratch: Path) -> dict[str, Place]:
    first, second = NAMES
    loaded = desks[first].home.load(SCENARIO)
    sides = [side["id"] for side in loaded.data["scenario"]["sides"]]
    mine, yours = (Contact(name, f"{name}@example.org", "opponent@example.net") for name in NAMES)
    _, offer = desks[first].offer(terms_of(loaded, {}), sides[0], mine)
    scratch.write_text(render_block(offer), "ascii")
    place, accept = desks[second].accept(next(read_mails(str(scratch))), second, yours)
    scratch.write_text(render_block(accept), "ascii")
    return {first: desks[first].open_one(next(read_mails(str(scratch)))).place, second: place}


def _send(desk: Desk, place: Place, chance: random.Random) -> Block:
    words = suggest(place.table, place.me, "random", chance)
    setup = place.table.rules.clock(place.table.game.state)[1] == "start"
    orders = "".join(" ".join(order) + ";\n" for order in (words if setup else words[:PORTION]))
    checked = desk.check(place, orders, chance, runs=0)
    assert not checked.errors
    return desk.send(place, [part for _, part in checked.parts])


def _mail(desk: Desk, place: Place, block: Block) -> bytes:
    """The mail as `pbem send` writes it, report and map included."""
    scenario, reader = desk.home.load(SCENARIO), place.opponent.name
    data = report_data(place.table, scenario, reader)
    return compose(
        sender=f"{place.me}@example.org",
        to="opponent@example.net",
        subject="a turn",
        text=build.mail_text(data, ""),
        html=build.html(data, {map.title: map.svg for map in pictures(place.table, scenario)}),
        block=render_block(block),
        in_reply_to=None,
        date=formatdate(0),
        message_id="<bench@example.org>",
        attachment_name="bench.turn",
    )


def play(root: Path) -> list[Moment]:
    """Play the game to the longest length or its end; the moments just before LENGTHS are reached, and its end."""
    chance = random.Random(1868)
    desks = {name: _desk(root / name) for name in NAMES}
    scratch = root / "turn.txt"
    places = _begin(desks, scratch)
    moments: list[Moment] = []
    while places[NAMES[0]].table.seq + 1 < max(LENGTHS):
        dues = [places[name].table.due().player for name in NAMES]
        name = next((due for due in dues if due), None)
        if name is None:
            break
        other = NAMES[1 - NAMES.index(name)]
        block = _send(desks[name], places[name], chance)
        entries = places[name].table.seq + 1
        scratch.write_text(render_block(block), "ascii")
        if entries in LENGTHS:
            home, mail = root / f"home-{entries}", root / f"{entries}.eml"
            shutil.copytree(desks[other].home.root, home)
            mail.write_bytes(_mail(desks[name], places[name], block))
            moments.append(Moment(entries, home, mail, places[name].text))
        places[other] = desks[other].open_one(next(read_mails(str(scratch)))).place
    assert places[NAMES[0]].text == places[NAMES[1]].text
    return moments


# --- measuring -------------------------------------------------------------------------------------------------------


def _process(command: list[str], home: Path) -> float:
    """Seconds that a whole process takes, with compiled modules as after an installation."""
    environment = {**os.environ, "PBEM_HOME": str(home), "PYTHONPYCACHEPREFIX": str(home.parent / "compiled")}
    for name in ("PBEM_KEY", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    begun = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    taken = time.perf_counter() - begun
    assert done.returncode == 0, done.stderr.decode()
    return taken


def _open_and_imports(moment: Moment, scratch: Path) -> tuple[float, float]:
    """Medians of `pbem open` and of a process that only imports, run in turns."""
    opens, imports = [], []
    program = "import sys; from pbem.cli import main; main(sys.argv[1:])"
    _process([sys.executable, "-c", program, "report"], moment.home)
    for run in range(RUNS + 1):
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(moment.home, scratch)
        opened = _process([sys.executable, "-c", program, "open", str(moment.mail)], scratch)
        imported = _process([sys.executable, "-c", IMPORTS], scratch)
        if run:  # the first one fills the disk's cache
            opens.append(opened)
            imports.append(imported)
    return statistics.median(opens), statistics.median(imports)


def _seconds(work: Callable[[], object], runs: int) -> float:
    """Median seconds of some runs in this process."""
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def _bare_checks(log: str) -> Callable[[], object]:
    """The Ed25519 verifications of a log and nothing else."""
    checks = []
    for block in read_log_blocks(log):
        parts = sshsig.dearmor(block.armor)
        key = Ed25519PublicKey.from_public_bytes(sshsig.raw_from_blob(parts.pub_blob))
        checks.append((key, parts.sig64, sshsig._to_be_signed(block.payload, sshsig.NAMESPACE)))
    return lambda: [key.verify(sig64, message) for key, sig64, message in checks]


def measure(moment: Moment, scratch: Path) -> Row:
    """All that is measured for one length of log."""
    assert parse_entry(read_log_blocks(moment.log)[-1].payload).seq == moment.entries - 1
    opened, imported = _open_and_imports(moment, scratch)
    load = Home(moment.home).load
    verify = _seconds(lambda: replay(moment.log, load), 3)
    return Row(moment.entries, opened, imported, verify, _seconds(_bare_checks(moment.log), 7))


def random_play() -> tuple[float, int]:
    """Answers per second in whole random games, and how many games."""
    scenario = load_scenario(SCENARIO)
    rules = rules_of(scenario.system)
    board = rules.board(scenario.data)
    chance = random.Random(1868)
    answers = games = 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < PLAY_SECONDS:
        game = Game.new(rules, board, {})
        while (request := game.request) is not None:
            game.apply(request.sample(chance) if isinstance(request, Choose) else chance_answer(request, chance))
            answers += 1
        games += 1
    return answers / (time.perf_counter() - begun), games


# --- the table -------------------------------------------------------------------------------------------------------


def table(rows: list[Row], speed: float, games: int) -> str:
    """What was measured, a column for each length of log, and how much the longest takes of the shortest."""
    lines = {
        "pbem open, ms": [row.open * 1000 for row in rows],
        "imports alone, ms": [row.imports * 1000 for row in rows],
        "pbem open / imports (goal: 2.0 at 100)": [row.open / row.imports for row in rows],
        "verify, ms": [row.verify * 1000 for row in rows],
        "bare Ed25519 checks, ms": [row.checks * 1000 for row in rows],
        "verify / checks": [row.verify / row.checks for row in rows],
    }
    ends = f"{rows[-1].entries} / {rows[0].entries}"
    shown = [f"{'entries in the log':<40}" + "".join(f"{row.entries:>10}" for row in rows) + f"{ends:>12}"]
    for name, values in lines.items():
        cells = "".join(f"{value:>10.2f}" for value in values)
        shown.append(f"{name:<40}{cells}{values[-1] / values[0]:>12.2f}")
    shown.append(f"{'answers/s in random play (goal: 20,000)':<40}{speed:>10,.0f}  in {games} games")
    if rows[-1].entries < max(LENGTHS):
        shown.append(f"(the game was over before {max(LENGTHS)} entries)")
    return "\n".join(shown)


def test_speed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moments = play(tmp_path)
    assert [moment.entries for moment in moments] == list(LENGTHS[: len(moments)])
    assert moments
    rows = [measure(moment, tmp_path / "scratch") for moment in moments]
    speed, games = random_play()
    assert games > 0
    with capsys.disabled():
        print("\n" + table(rows, speed, games))
