"""Random positions of Tabaruzaka: pieces of both sides close to each other somewhere, commanders with them or alone."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from pbem.rules import Board
from systems.bakumatsu_players import TABARUZAKA, board

__all__ = ["field"]

CENTRES = ("1820", "1414", "0611", "0813", "2302", "0230", "1524", "2217", "0425")
FAR, UNITS, LEADERS, OFF = 3, 5, 3, 8
"""Hexes from the centre; units and at most so many commanders of a side there, pieces that aren't."""
PHASES = (1, 2, 2, 3, 3, 4, 5, 5, 6, 6)


def field(chance: random.Random) -> dict[str, Any]:
    """A position in any phase; whoever isn't on the map waits, was lost, or is nowhere."""
    b = board(TABARUZAKA)
    at = _placed(b, chance)
    turn = chance.randrange(1, b.turns + 1)
    off = {side: [u for u in chance.sample(b.of_side[side], OFF) if u not in at] for side in b.enemy}
    pools = {side: _pools(b, units, turn, chance) for side, units in off.items()}
    men = [unit for unit in at if b.units[unit].command is None]
    control = {b.label[h]: chance.choice(sorted(b.enemy)) for h in sorted(b.victory_hexes) if chance.random() < 0.8}
    control |= {b.label[h]: side for h, side in b.control.items()}
    return {
        "scenario": TABARUZAKA,
        "turn": turn,
        "phase": chance.choice(PHASES),
        "opened": chance.random() < 0.3,
        "at": at,
        "disordered": [unit for unit in men if chance.random() < 0.3],
        "done": [],
        "hand": {side: pool.hand for side, pool in pools.items()},
        "calls": {side: pool.calls for side, pool in pools.items() if pool.calls},
        "received": [unit for pool in pools.values() for unit in pool.received],
        "cups": {side: pool.cup for side, pool in pools.items() if pool.cup},
        "lost": {unit: lost for pool in pools.values() for unit, lost in pool.lost.items()},
        "control": control | {at[u]: b.units[u].side for u in men if b.map.parse(at[u]) in b.victory_hexes},
    }


def _placed(b: Board, chance: random.Random) -> dict[str, str]:
    """Units in hexes of their own, commanders with some of them or beside."""
    near = _near(b, chance.choice(CENTRES))
    room = iter(chance.sample(near, len(near)))
    units = {side: {unit: next(room) for unit in chance.sample(b.combat[side], UNITS)} for side in b.enemy}
    free, led = list(room), dict[str, str]()
    for side, mine in units.items():
        for leader in chance.sample(b.commanders[side], chance.randrange(LEADERS + 1)):
            led[leader] = chance.choice([h for h in (*mine.values(), *free[:5]) if h not in led.values()])
    return {unit: h for mine in units.values() for unit, h in mine.items()} | led


def _near(b: Board, centre: str) -> list[str]:
    """The hexes round one, but no entry hex."""
    found = {b.map.parse(centre)}
    for _ in range(FAR):
        found = found.union(*(b.map.neighbours[h] for h in found))
    return sorted(b.label[h] for h in found if h not in b.control)


class Pool(NamedTuple):
    """Who isn't on the map, and how many of a hand are called."""

    hand: list[str]
    calls: int
    received: list[str]
    cup: list[str]
    lost: dict[str, int]


def _pools(b: Board, units: list[str], turn: int, chance: random.Random) -> Pool:
    """Some pieces of a side each somewhere off the map; who is kept aside is nowhere or lost."""
    pool = Pool([], 0, [], [], {})
    for unit in units:
        where, leads = chance.randrange(3), b.units[unit].command is not None
        if where == 0:
            pool.lost[unit] = chance.randrange(max(1, turn - 1), turn + 1)
        elif not leads:
            pool.hand.append(unit)
        elif unit not in b.aside.values():
            (pool.cup if where == 1 else pool.received).append(unit)
    return pool._replace(hand=sorted(pool.hand), cup=sorted(pool.cup), calls=chance.randrange(len(pool.hand) + 1))
