"""A front holds while reserves last: gotos-dream with all who may come, without Sanada and Mori, and with Goto alone.

`PBEM_BALANCE=100 python -m pytest tests/balance/test_front.py -s` plays 100 games of each, and prints what
docs/yukimura-balance.md says of them.
"""

from __future__ import annotations

import os
from typing import Any

from matches import scenario_of

from pbem.desk.desk import terms_of
from pbem.match.game import Game
from pbem.match.table import Table
from pbem.simulate.game import Run, begun, entries

GAMES = int(os.environ.get("PBEM_BALANCE", "0"))
"""Games of each trial in the long run; 0: two of the first and the last one."""

BEHIND, ROWS = 5, 3
"""Hexes behind the front that are a breakthrough, and rows on either side in which the front is looked for."""

TRIALS: dict[str, tuple[str, ...]] = {
    "all": (),
    "without Sanada and Mori": ("sanada", "mori"),
    "Goto alone": ("sanada", "mori", "akashi"),
}


def behind_the_front(table: Table) -> frozenset[Any]:
    """The hexes that are a breakthrough: so many columns west of the easternmost defenders at the start."""
    units, found = table.board.units.values(), set()
    for m in table.rules.maps(table.board).values():
        cells = [m.numbering.cell_of(u.start) for u in units if u.side == "osaka" and u.start in m]
        for h in m.hexes:
            cell = m.numbering.cell_of(h)
            near = [c.column for c in cells if abs(c.row - cell.row) <= ROWS]
            if near and cell.column <= max(near) - BEHIND:
                found.add(h)
    return frozenset(found)


def played(run: Run, number: int, without: tuple[str, ...]) -> tuple[bool, bool]:
    """Whether an Eastern unit broke through in a game without these forces, and whether the East won."""
    table = begun(run)
    state = table.rules.start(table.board, dict(run.terms.options))
    for unit in [unit for unit in state.at if table.board.units[unit].force in without]:
        del state.stands[table.board.units[unit].side][state.at.pop(unit)]
    table.course.game = Game(table.rules, table.board, state, table.course._hear)
    front, broken = behind_the_front(begun(run)), False
    for _ in entries(run, number, table):
        broken = broken or not front.isdisjoint(table.game.state.stands["east"])
    assert table.outcome is not None
    return broken, table.outcome.winner == "east"


def test_a_front_holds_while_reserves_last() -> None:
    scenario = scenario_of("gotos-dream")
    run = Run(scenario, terms_of(scenario, {}, reactions="ask"), ("bold", "bold"), 1615)
    broken = []
    for name, without in TRIALS.items() if GAMES else (*TRIALS.items(),)[:: len(TRIALS) - 1]:
        games = [played(run, number, without) for number in range(1, (GAMES or 2) + 1)]
        broken.append(sum(through for through, _ in games) / len(games))
        if GAMES:
            print(f"{name}: broken through {broken[-1]:.0%}, the East won {sum(won for _, won in games) / GAMES:.0%}")
    assert broken == sorted(broken)
    assert broken[0] < broken[-1]
