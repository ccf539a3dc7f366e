"""Perft: the number of nodes one to four answers deep; two depths confirmed by a second reading of the rulebook.

A position may say that behind its opening only every so many answers of the first depth are followed (`every`); by the
second reading then a third of those. `PBEM_REGENERATE=1 pytest tests/systems/test_perft.py` counts again; the positions
beside this file, perft/SYSTEM/*.json, are by hand.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import pytest
from golden import keep

from pbem.match.game import Game
from pbem.rules.requests import Choose, Words
from systems.adapters import ADAPTERS, ALL, HERE, files
from systems.game_tree import answers, nodes, number_of_answers

POSITIONS = files("perft", "json")
EVERY_POSITION = pytest.mark.parametrize(("system", "name"), POSITIONS)
SECOND = pytest.mark.parametrize(("system", "name"), [key for key in POSITIONS if hasattr(ALL[key[0]], "Reading")])


def position(system: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "perft" / system / f"{name}.json").read_text("ascii"))
    return found


def game_at(system: str, name: str) -> Game:
    game: Game = ALL[system].game_at(position(system, name))
    return game


@lru_cache(maxsize=32)
def reading(system: str, name: str) -> Any:
    """The second reading of a position."""
    return ADAPTERS[system].Reading(position(system, name))


def words_of(game: Game, answer: Any) -> Words:
    return game.rules.order_words(game.board, answer) if isinstance(game.request, Choose) else tuple(map(str, answer))


def ordered(game: Game) -> list[Any]:
    """The answers to what is asked, in order of their words."""
    assert game.request is not None
    return sorted(answers(game.request), key=lambda answer: words_of(game, answer))


def after(game: Game, answer: Any) -> Game:
    twin = game.fork()
    twin.apply(answer)
    return twin


def named(system: str, game: Game) -> list[Words]:
    """The answers to a pending request in the second reading's words, sorted."""
    if game.request is None:
        return []
    return sorted(ADAPTERS[system].shortened(words_of(game, answer)) for answer in answers(game.request))


@EVERY_POSITION
def test_the_number_of_nodes(system: str, name: str) -> None:
    p, game = position(system, name), game_at(system, name)
    if "every" in p:
        behind = [after(game, answer).request for answer in ordered(game)[:: p["every"]]]
        found = [number_of_answers(game.request), sum(map(number_of_answers, behind))]
    else:
        found = [nodes(game, depth) for depth in range(1, p["depth"] + 1)]
    keep(HERE / "perft" / system / f"{name}.json", json.dumps({**p, "nodes": found}, indent=1) + "\n")
    assert position(system, name)["nodes"] == found


@SECOND
def test_the_second_reading_names_and_counts_the_same_answers(system: str, name: str) -> None:
    """Answer by answer at both depths; ways are known by where they end."""
    p, game, slow = position(system, name), game_at(system, name), reading(system, name)
    assert named(system, game) == sorted(slow.answers())
    assert p["nodes"][0] == len(slow.answers())
    second = 0
    for i, answer in enumerate(ordered(game)[:: p.get("every", 1)] if p["depth"] > 1 else ()):
        if "every" not in p or i % 3 == 0:
            theirs = slow.answers(words_of(game, answer))
            assert named(system, after(game, answer)) == sorted(theirs), words_of(game, answer)
            second += len(theirs)
    if "every" not in p:
        assert p["nodes"][1:2] in ([], [second])


@SECOND
def test_the_second_reading_goes_as_deep(system: str, name: str) -> None:
    """Down one line of the tree: at each depth the answer in the middle."""
    p, game, gone = position(system, name), game_at(system, name), list[Words]()
    for _ in range(min(p["depth"], ADAPTERS[system].DEPTH)):
        assert named(system, game) == sorted(reading(system, name).answers(*gone))
        if game.request is None:
            break
        middle = ordered(game)[number_of_answers(game.request) // 2]
        gone.append(words_of(game, middle))
        game.apply(middle)
    assert gone


@pytest.mark.parametrize("system", ALL)
def test_every_kind_of_decision_is_counted(system: str) -> None:
    games = [game_at(of, name) for of, name in POSITIONS if of == system]
    kinds = {game.request.kind for game in games if isinstance(game.request, Choose)}
    assert kinds >= ALL[system].KINDS - ALL[system].NOT_IN_PERFT
