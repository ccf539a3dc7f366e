"""The second reading of bakumatsu's rulebook: every way that brute force finds, and counts that are known by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from pbem.rules.bakumatsu.orders import Enter, March, Move
from pbem.rules.requests import Choose
from systems import bakumatsu_slow as slow
from systems.bakumatsu_players import board
from systems.test_perft import POSITIONS, game_at, position


def walkers(p: dict[str, Any]) -> Iterator[tuple[str, slow.Place, Any, Any]]:
    """The units that may move: each one's place, and what makes a move and a march of a way; those who enter too."""
    side = slow.PHASES[p["phase"]][1]
    for unit, h in p["at"].items():
        if slow.counters()[unit]["side"] == side and unit not in p["done"]:
            yield unit, slow.place(h), Move, March
    for unit in p["received"]:
        yield unit, slow.gate(), lambda u, way: Enter(u, "move", way), lambda u, way: Enter(u, "march", way)


MOVING = [
    name
    for name in (name for system, name in POSITIONS if system == "bakumatsu")
    if slow.PHASES[position("bakumatsu", name)["phase"]][0] == "move" and position("bakumatsu", name)["opened"]
]


@pytest.mark.parametrize("name", MOVING)
def test_the_ways_that_the_rules_permit_are_those_of_brute_force(name: str) -> None:
    """Every way that brute force finds is accepted; every other that is one step longer than such a way is refused."""
    p = position("bakumatsu", name)
    request = game_at("bakumatsu", name).request
    assert isinstance(request, Choose)
    accepted = refused = 0
    for unit, start, move, march in walkers(p):
        taken = frozenset(slow.place(h) for u, h in p["at"].items() if u != unit)
        enemies = frozenset(slow.of(slow.read(p), slow.foe(slow.counters()[unit]["side"])).values())
        for make, walks in ((move, slow.all_walks), (march, slow.all_marches)):
            legal = {tuple(walk) for walk in walks(start, slow.counters()[unit]["move"], taken, enemies)}
            for walk in legal:
                assert request.why_not(make(unit, hexes(walk))) is None, (unit, walk)
            longer = {(*walk, h) for walk in [(), *legal] for h in slow.around((start, *walk)[-1])} - legal
            tries = [walk for walk in sorted(longer) if all(h in slow.country().ground for h in walk)]
            for walk in tries:
                refusal = request.why_not(make(unit, hexes(walk)))
                assert refusal is not None, (unit, walk)
                assert refusal.clause[:2] in ("8(", "8-"), refusal
                assert refusal.reason
            accepted += len(legal)
            refused += len(tries)
    assert accepted > 40
    assert refused > 100


def hexes(walk: Iterable[slow.Place]) -> tuple[Any, ...]:
    return tuple(board().map.parse(slow.number(h)) for h in walk)


def test_the_second_reading_counts_what_is_known_by_hand() -> None:
    """Seven units are set up in the west, ten in the east; after one is placed its hex is gone for its own kind."""
    west, east = (len(slow.set_up_areas()["shogunate", code]) for code in ("west", "east"))
    start = slow.read(position("bakumatsu", "set-up"))
    assert slow.count(start, 1) == 7 * west + 10 * east
    west_first = 7 * west * (6 * (west - 1) + 10 * east)
    assert slow.count(start, 2) == west_first + 10 * east * (7 * west + 9 * (east - 1))
