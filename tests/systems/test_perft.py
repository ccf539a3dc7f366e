"""Perft: the number of nodes one to four answers deep; the first two depths confirmed by a slow second reading.

`PBEM_REGENERATE=1 pytest tests/systems/test_perft.py` counts again; the positions in tests/perft are by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import slow_enumerator as slow
from game_tree import answers, nodes
from whole_games import REGENERATE, board, rules, text_of

from pbem.match.game import Game
from pbem.rules.bakumatsu.orders import Enter, March, Move
from pbem.rules.requests import Choose, Request

PERFT = Path(__file__).parents[1] / "perft"
NAMES = sorted(path.stem for path in PERFT.glob("*.json") if not path.stem.startswith("yukimura-"))


def position(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PERFT / f"{name}.json").read_text("ascii"))
    return found


def game_at(p: dict[str, Any]) -> Game:
    """The game in a position; units that it doesn't name have been removed, but in the set-up they wait."""
    placed = {*p["at"], *p["cup"], *p["received"]}
    gone = [] if p["phase"] == 0 else [unit for unit in board().units if unit not in placed]
    dump = {
        "options": {"mountain-top": "dice", "retreat-over-bridge": "no"},
        "turn": p["turn"],
        "phase": p["phase"],
        "opened": p["opened"],
        "at": p["at"],
        "disordered": p["disordered"],
        "done": p["done"],
        "cups": {"shogunate": p["cup"], "satcho": []},
        "received": {"shogunate": p["received"], "satcho": []},
        "removed": dict.fromkeys(sorted(gone), 1),
        "control": {board().label[h]: side for h, side in sorted(board().control.items())},
        "ended": None,
    }
    return Game(rules(), board(), rules().load(board(), dump))


@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_nodes(name: str) -> None:
    p = position(name)
    found = [nodes(game_at(p), depth) for depth in range(1, p["depth"] + 1)]
    if REGENERATE:
        (PERFT / f"{name}.json").write_text(json.dumps({**p, "nodes": found}, indent=1) + "\n", "ascii", newline="\n")
        p = position(name)
    assert p["nodes"] == found


@pytest.mark.parametrize("name", NAMES)
def test_the_slow_enumerator_counts_the_same(name: str) -> None:
    p = position(name)
    start = slow.read(p)
    assert p["nodes"][:2] == [slow.count(start, depth) for depth in (1, 2)][: p["depth"]]


@pytest.mark.parametrize("name", NAMES)
def test_the_slow_enumerator_names_the_same_answers(name: str) -> None:
    """At depth 1 answer by answer, and behind every third of them again: ways are known by where they end."""
    p = position(name)
    game, start = game_at(p), slow.read(p)
    assert named(game.request) == sorted(slow.answers(start))
    if not isinstance(game.request, Choose):
        return
    for order in list(game.request.options())[::3]:
        twin = game.fork()
        twin.apply(order)
        assert named(twin.request) == sorted(slow.answers(slow.after(start, shortened(order)))), text_of(order)


def named(request: Request | None) -> list[tuple[str, ...]]:
    """The answers to a request in the slow enumerator's words, sorted."""
    assert request is not None
    if isinstance(request, Choose):
        return sorted(shortened(order) for order in request.options())
    return sorted(tuple(map(str, answer)) for answer in answers(request))


def shortened(order: Any) -> tuple[str, ...]:
    """An order in words, of a way only the end, of supporters only who."""
    words = rules().order_words(board(), order)
    if isinstance(order, Move | March):
        return (*words[:2], words[-1])
    if isinstance(order, Enter) and order.how:
        return (*words[:3], words[-1])
    return tuple(word for word in words if word != "with")


# --- ways, one by one ----------------------------------------------------------------------------------------------


def walkers(p: dict[str, Any]) -> Iterator[tuple[str, slow.Place, Any, Any]]:
    """The units that may move: each one's place, and what makes a move and a march of a way; those who enter too."""
    side = slow.PHASES[p["phase"]][1]
    for unit, h in p["at"].items():
        if slow.counters()[unit]["side"] == side and unit not in p["done"]:
            yield unit, slow.place(h), Move, March
    for unit in p["received"]:
        yield unit, slow.gate(), lambda u, way: Enter(u, "move", way), lambda u, way: Enter(u, "march", way)


MOVING = [name for name in NAMES if slow.PHASES[position(name)["phase"]][0] == "move" and position(name)["opened"]]


@pytest.mark.parametrize("name", MOVING)
def test_the_ways_that_the_rules_permit_are_those_of_brute_force(name: str) -> None:
    """Every way that brute force finds is accepted; every other that is one step longer than such a way is refused."""
    p = position(name)
    request = game_at(p).request
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
    start = slow.read(position("set-up"))
    assert slow.count(start, 1) == 7 * west + 10 * east
    west_first = 7 * west * (6 * (west - 1) + 10 * east)
    assert slow.count(start, 2) == west_first + 10 * east * (7 * west + 9 * (east - 1))
