"""The steady bot against the bold one from both sides, as a table; a benchmark: it asserts only that games ended.

    PBEM_STEADY=50 nice python -m pytest -s tests/bench/test_steady.py

plays 50 games from each side of each scenario as `pbem simulate` does, entry by entry as by mail, on one core; each
side is asked for its retreats (default: none); PBEM_BENCH names scenarios in place of all. The seconds are those in
which the steady bot chose how to play.
"""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

from pbem.desk.desk import terms_of
from pbem.match import bots
from pbem.match.game import Game
from pbem.match.steady import Progress, chosen
from pbem.scenario import load_scenario
from pbem.simulate.game import Run, played, sides_of

SCENARIOS = os.environ.get("PBEM_BENCH", "toba-fushimi tabaruzaka domyoji yao connected gotos-dream").split()
GAMES = int(os.environ.get("PBEM_STEADY", "0"))


@pytest.mark.skipif(not GAMES, reason="a benchmark: PBEM_STEADY says how many games")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_steady_against_bold(scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float] = []

    def timed(game: Game, side: str, seed: int, progress: Progress) -> Any:
        begun = time.process_time()
        style = chosen(game, side, seed, progress)
        seconds.append(time.process_time() - begun)
        return style

    monkeypatch.setattr(bots, "chosen", timed)
    loaded = load_scenario(scenario)
    for seat, (side, _) in enumerate(sides_of(loaded)):
        playing = ("steady", "bold") if seat == 0 else ("bold", "steady")
        run = Run(loaded, terms_of(loaded, {}, reactions="ask"), playing, seed=1615)
        games = [played(run, number) for number in range(1, GAMES + 1)]
        winners, taken = [game.winner for game in games], sorted(seconds)
        told = f"{scenario:13} {side:10} won {winners.count(side):3}, drawn {winners.count(None):2} of {GAMES}"
        print(f"{told}; a phase {taken[len(taken) // 2]:.1f} s, {taken[-1]:.1f} s at most", flush=True)
        seconds.clear()
