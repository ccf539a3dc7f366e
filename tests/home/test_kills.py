"""Killed at random moments, with two programs at work in one home, nothing is lost and nothing is signed twice."""

from __future__ import annotations

import os
from pathlib import Path

from home.kills import play


def test_killed_at_random_moments(tmp_path: Path) -> None:
    """PBEM_KILLS says how many programs are killed; PBEM_KILLS_SEED lets other moments be tried."""
    kills = int(os.environ.get("PBEM_KILLS", "24"))
    world = play(tmp_path, int(os.environ.get("PBEM_KILLS_SEED", "1")), kills)
    print(f"{world.killed} programs were killed, before their end: {world.fates}")
    assert world.killed >= kills
    assert sum(world.fates.values()) >= kills // 4, "hardly any program was killed while it was at work"
