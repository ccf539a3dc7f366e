"""What the page asks of every system: the options of one unit, what an order costs, how orders are written."""

from __future__ import annotations

import re

import pytest

from pbem.match.game import Game
from pbem.rules.requests import Choose
from systems.adapters import ALL
from systems.test_orders import language, moments

EVERY_SYSTEM = pytest.mark.parametrize("system", ALL)

COST = re.compile(r"\d+(½)? (point|points|hex|hexes)( of strategic movement)?|[\d.]+ inches")
COUNTED = ("bakumatsu", "gcacw", "samurai", "sengoku", "yukimura")
"""Systems in which movement is counted."""


def decisions(system: str) -> list[tuple[Game, Choose]]:
    """What is asked in a random game at several moments."""
    return [(game, game.request) for game in moments(system) if isinstance(game.request, Choose)]


@EVERY_SYSTEM
def test_each_option_is_given_to_the_unit_that_it_names_first(system: str) -> None:
    rules, board = language(system)
    asked = decisions(system)
    assert asked
    for game, request in asked:
        own = set(rules.of_side(board)[request.side])
        by_name: dict[str, list[tuple[str, ...]]] = {unit: [] for unit in ("", *own)}
        for order in request.options():
            words = rules.order_words(board, order)
            by_name[next((word for word in words[1:] if word in own), "")].append(words)
        for unit, expected in by_name.items():
            found = [rules.order_words(board, order) for order in rules.options_of(game.state, request, unit)]
            assert sorted(found) == sorted(expected), (request.kind, unit)
        enemy = next(unit for side, units in rules.of_side(board).items() if side != request.side for unit in units)
        assert [*rules.options_of(game.state, request, enemy)] == []


@EVERY_SYSTEM
def test_a_cost_is_told_in_what_is_counted(system: str) -> None:
    rules, _ = language(system)
    told = {
        rules.tell_cost(game.state, request.side, order)
        for game, request in decisions(system)
        for order in request.options()
    }
    assert "" in told, "the order that closes costs nothing"
    parts = {part for cost in told if cost for part in cost.split(", ")}
    assert bool(parts) is (system in COUNTED)
    assert [part for part in parts if not COST.search(part)] == []


@EVERY_SYSTEM
def test_it_is_told_how_each_order_is_written(system: str) -> None:
    rules, board = language(system)
    usage = rules.usage(board)
    keywords = {rules.order_words(board, order)[0] for _, request in decisions(system) for order in request.options()}
    assert rules.CLOSING in keywords
    assert keywords <= usage.keys() == ALL[system].USAGE.keys()
    assert all(how.startswith(word) for word, how in usage.items())
