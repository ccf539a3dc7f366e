"""Every scenario has an end that its rules know, whoever plays, and no decision without an answer.

`PBEM_BALANCE=2000 python -m pytest tests/balance -s` plays 2,000 random games and 200 bold ones of each scenario, and
prints the tables of docs/yukimura-balance.md.
"""

from __future__ import annotations

import os

import pytest

from balance.tally import Tally, board_of, table

GAMES = int(os.environ.get("PBEM_BALANCE", "0"))
"""Random games of the long run; a tenth as many bold ones. 0: the short run."""

ENOUGH, HOPELESS = 1000, 0.15
"""From how many games on the share of wins by bold play is looked at, and below which share a side is hopeless."""

SHORT = {"random": 2, "bold": 1}

ENDINGS = {
    "domyoji": {("east", "14-1(6)a"), ("osaka", "14-1(6)b")},
    "yao": {
        ("osaka", "14-2(6)1"), ("east", "14-2(6)2"), ("east", "14-2(6)3"), ("east", "14-2(6)4a"),
        ("osaka", "14-2(6)4a"), (None, "14-2(6)4c"),
    },
    "connected": {("east", "14-1(6)a"), ("east", "14-2(6)2"), ("east", "14-2(6)3"), ("osaka", "14-3(9)c")},
    "gotos-dream": {("east", "14-4(6)"), ("osaka", "14-4(6)")},
    "toba-fushimi": {("shogunate", "14(4)2"), ("satcho", "14(4)2"), ("satcho", "14(4)1")},
}  # fmt: skip
"""Scenario -> the endings that its rules know: who wins, by which clause."""


@pytest.mark.parametrize("bot", SHORT)
@pytest.mark.parametrize("scenario", ENDINGS)
def test_games_end_by_a_known_clause(scenario: str, bot: str) -> None:
    tally = Tally(scenario, bot)
    count = {"random": GAMES, "bold": GAMES // 10}[bot] if GAMES else SHORT[bot]
    for seed in range(count):
        tally.add(seed)
    if GAMES:
        print(f"\n{table(tally)}", flush=True)
    assert tally.games == count
    assert set(tally.endings) <= ENDINGS[scenario]
    assert max(tally.lasted) <= board_of(scenario)[1].turns
    if GAMES >= ENOUGH and bot == "bold":
        sides = [side.id for side in board_of(scenario)[1].sides]
        shares = {side: sum(n for (won, _), n in tally.endings.items() if won == side) / count for side in sides}
        assert min(shares.values()) >= HOPELESS, shares


def test_a_front_holds_while_reserves_last() -> None:
    """Komatsuyama with all who may come, without Sanada and Mori, and with Goto alone."""
    shares = []
    for without in ((), ("sanada", "mori"), ("sanada", "mori", "akashi")):
        tally = Tally("gotos-dream", "bold", without)
        for seed in range(GAMES // 20 or 1):
            tally.add(seed)
        if GAMES:
            print(f"\n{table(tally)}", flush=True)
        shares.append(tally.breakthroughs)
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]
