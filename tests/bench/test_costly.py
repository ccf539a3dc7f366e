"""What the costliest legal entries cost who opens them, as one table; a benchmark, not a test of time.

    python -m pytest tests/bench/test_costly.py -k yao

For each scenario, kind of decision and shape of orders (tests/match/costly.py) an entry as long as may be is signed.
Measured are the whole process of `pbem open` in its receiver's home folder, and the making of its mail with the report.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from match import costly
from matches import parts_of

from pbem.match.orders import StopIf, Strict
from pbem.match.take import take
from pbem.wire.blocks import Block, render_block
from pbem.wire.turn import Turn

SCENARIOS = ("toba-fushimi", "yao", "domyoji", "connected", "gotos-dream")
SHOWN = 12
"""So many of the costliest entries are shown for each scenario."""
PROGRAM = "import sys; from pbem.cli import main; main(sys.argv[1:])"


def home_of(moment: costly.Moment, root: Path) -> Path:
    """The home folder of the other player, as it is before the entry comes, with all that is cached."""
    costly.desk_of(moment, root)
    process(root, "report")
    return root


def process(home: Path, *arguments: str) -> float:
    """Seconds of processor time that a whole process of the program takes; a busy machine counts less in them."""
    environment = {**os.environ, "PBEM_HOME": str(home)}
    environment.pop("PBEM_KEY", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def signed(moment: costly.Moment, text: str) -> Block | None:
    """An entry of these orders; None where there are none that can be given at this decision."""
    parts = parts_of(moment.table, moment.side, text)
    react = moment.table.due().what == "react"
    if not parts or (react and any(isinstance(part, StopIf | Strict) for part in parts)):
        return None
    name = moment.player
    return moment.match.signed(moment.table, name, parts)


def measure(moment: costly.Moment, home: Path, block: Block) -> tuple[float, float, int]:
    """What opening it takes, what taking it alone takes, and its bytes."""
    table, begun = moment.table.fork(), time.process_time()
    take(table, Turn.of(block))
    taken = time.process_time() - begun
    scratch, turn = home.parent / "scratch", home.parent / "turn.txt"
    shutil.copytree(home, scratch)
    turn.write_text(render_block(block), "ascii")
    opened = process(scratch, "open", str(turn))
    shutil.rmtree(scratch)
    return opened, taken, len(block.payload)


@pytest.mark.parametrize("reactions", ["standing", "ask"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_costly(scenario: str, reactions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = []
    for kind, moment in costly.moments(scenario, reactions=reactions).items():
        home = home_of(moment, tmp_path / kind)
        short = {"(one order)": " ".join(moment.options[0]) + ";\n"}
        texts = short | {shape: costly.filled(make(moment)) for shape, make in costly.SHAPES.items()}
        for shape, text in texts.items():
            block = signed(moment, text)
            if block is not None:
                rows.append((*measure(moment, home, block), kind, shape))
    assert rows
    rows.sort(reverse=True)
    with capsys.disabled():
        print(f"\n{scenario}, reactions {reactions}: processor seconds of `pbem open`, of taking alone, bytes")
        for opened, taken, size, kind, shape in [*rows[:SHOWN], rows[-1]]:
            print(f"{opened:7.2f} {taken:7.2f} {size:8,}  {kind:9} {shape}")
