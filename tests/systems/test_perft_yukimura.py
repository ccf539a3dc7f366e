"""Perft of the Siege of Osaka: nodes one to four answers deep; two depths confirmed by the second reading.

Behind the openings of the scenarios only every so many answers of the first depth is followed (`every`), and by the
second reading a third of those. `PBEM_REGENERATE=1 python -m pytest tests/systems/test_perft_yukimura.py` counts again.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import slow_enumerator_yukimura as slow
from game_tree import answers, nodes, number_of_answers
from whole_games import REGENERATE
from yukimura_fields import FIRING, HAND_TO_HAND, LEGEND, game_at

from pbem.match.game import Game
from pbem.rules import yukimura
from pbem.rules.requests import Choose

PERFT = Path(__file__).parents[1] / "perft"
NAMES = sorted(path.stem for path in PERFT.glob("yukimura-*.json"))
FEW = 100
"""Second answers for which the second reading is asked behind every first answer; beyond, behind some of them."""


def position(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PERFT / f"{name}.json").read_text("ascii"))
    return found


@lru_cache(maxsize=32)
def tree(name: str) -> slow.Tree:
    p = position(name)
    return slow.Tree(slow.given_by(p, {"firing": FIRING, "hand_to_hand": HAND_TO_HAND}, LEGEND), p)


def followed(p: dict[str, Any], game: Game) -> list[Any]:
    """The answers of the first depth behind which the second is counted, in order of their words."""
    assert game.request is not None
    found = sorted(answers(game.request), key=lambda answer: words_of(game, answer))
    return found[:: p.get("every", 1)]


def words_of(game: Game, answer: Any) -> slow.Words:
    return yukimura.order_words(game.board, answer) if isinstance(game.request, Choose) else tuple(map(str, answer))


def after(game: Game, answer: Any) -> Game:
    twin = game.fork()
    twin.apply(answer)
    return twin


def count(p: dict[str, Any]) -> list[int]:
    """The nodes at each depth; of an opening at depth 2 behind the answers that are followed."""
    game = game_at(p)
    first = number_of_answers(game.request)
    if "every" in p:
        return [first, sum(number_of_answers(after(game, answer).request) for answer in followed(p, game))]
    return [first, *(nodes(game, depth) for depth in range(2, p["depth"] + 1))]


@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_nodes(name: str) -> None:
    p = position(name)
    found = count(p)
    if REGENERATE:
        (PERFT / f"{name}.json").write_text(json.dumps({**p, "nodes": found}, indent=1) + "\n", "ascii", newline="\n")
        p = position(name)
    assert p["nodes"] == found


@pytest.mark.parametrize("name", NAMES)
def test_the_second_reading_names_and_counts_the_same_answers(name: str) -> None:
    """Answer by answer at both depths; moves and advances are known by where they end."""
    p = position(name)
    game = game_at(p)
    assert named(game) == sorted(tree(name).answers())
    second = []
    for i, answer in enumerate(followed(p, game)):
        twin = after(game, answer)
        if "every" in p and i % 3:
            continue
        theirs = tree(name).answers(words_of(game, answer))
        assert named(twin) == sorted(theirs), words_of(game, answer)
        second.append(len(theirs))
    assert p["nodes"][0] == len(tree(name).answers())
    if "every" not in p:
        assert p["nodes"][1] == sum(second)


def named(game: Game) -> list[slow.Words]:
    """The answers to a pending request in the second reading's words, sorted."""
    if game.request is None:
        return []
    return sorted(slow.shortened(words_of(game, answer)) for answer in answers(game.request))


@pytest.mark.parametrize("name", [name for name in NAMES if "rows" in position(name)])
def test_the_second_reading_goes_as_deep(name: str) -> None:
    """Down one line of the tree: at each depth the answer in the middle."""
    p = position(name)
    game, gone = game_at(p), list[slow.Words]()
    for _ in range(p["depth"]):
        assert named(game) == sorted(tree(name).answers(*gone))
        if game.request is None:
            break
        found = sorted(answers(game.request), key=lambda answer: words_of(game, answer))
        gone.append(words_of(game, found[len(found) // 2]))
        game.apply(found[len(found) // 2])
    assert gone


def test_every_kind_of_answer_is_counted() -> None:
    kinds = {getattr(game_at(position(name)).request, "kind", "dice") for name in NAMES}
    assert kinds >= {"beside", "move", "defence", "combat", "retreat", "displace", "advance"}


def test_counts_that_are_known_by_hand() -> None:
    """Two gates for one force; then 36 throws of two dice, and 6 of one."""
    assert position("yukimura-beside")["nodes"][0] == 2
    game = game_at(position("yukimura-fire"))
    assert isinstance(game.request, Choose)
    alone = [order for order in game.request.options() if len(words_of(game, order)) == 4]
    assert number_of_answers(after(game, alone[0]).request) == 36
