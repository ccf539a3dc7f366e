"""What rules say in English to who is asked for orders: prompts, forms, odds, notes of a situation, refusals."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from types import ModuleType
from typing import Any

from systems.random_play import random_game

from pbem.language import shown
from pbem.match.game import Game
from pbem.rules.requests import Choose
from pbem.scenario import japanese_names

from .latin import latin

__all__ = ["heard", "left_of_rules"]

STAYS = r"`[^`]*`|\b[A-Z]\d{4}\b|使えるのは [a-z, ]* です|\[[a-z_]+\.\d+[a-z]?\]"
"""Orders, hexes, words of orders, clauses."""

NODES = 1500
"""So many nodes of a game are looked at."""

ORDERS = 12
"""Of so many legal orders of a decision the neighbours are tried."""


def heard(adapter: ModuleType, scenario: str, players: str, seed: int, every: int) -> Iterator[str]:
    """The sentences of a random game, at each decision that comes `every` so many nodes, and at its end."""
    chance = random.Random(seed)
    for number, game in enumerate(islice(random_game(adapter, scenario, players, seed).play.nodes(), NODES)):
        request = game.request
        if isinstance(request, Choose) and number % every == 0:
            yield from _asked(adapter, game, request, chance)
        if request is None:
            yield str(game.outcome.reason if game.outcome else "")
            yield from _noted(game)


def _asked(adapter: ModuleType, game: Game, request: Choose, chance: random.Random) -> Iterator[str]:
    yield request.prompt
    yield from _noted(game)
    rules, s = game.rules, game.state
    for entry in rules.form(s, request):
        yield from (entry.heading, *entry.notes, *(note for _, note in entry.orders))
        for words, _ in entry.orders[:3]:
            for factor in rules.factors(s, request.side, rules.read_order(game.board, request.side, words)):
                yield from (factor.what, factor.value)
    options = list(request.options())
    for order in chance.sample(options, min(ORDERS, len(options))):
        for other in adapter.neighbours(order, game.board, chance):
            refusal = request.why_not(other)
            if refusal is not None:
                yield refusal.reason


def _noted(game: Game) -> Iterator[str]:
    """The words of a situation beside names: places, states, what counts for victory, titles."""
    situation: dict[str, Any] = game.rules.situation(game.state)
    for key in ("sides", "phases", "where", "progress"):
        yield from (str(thing.get("title") or thing.get("what")) for thing in situation[key])
    for unit in situation["units"]:
        yield from (badge["title"] for badge in unit["badges"])
        yield from (word.replace("-", " ") for word in unit["words"])
        yield unit["place"] or ""
    yield from (place["sign"]["title"] for place in situation["places"] if "sign" in place)


def left_of_rules(
    adapter: ModuleType, system: str, games: list[tuple[str, str, int]], every: int, stays: str = "$^"
) -> dict[str, str]:
    """English words in what rules say in some random games -> the sentence, as it is shown, in which they stand.

    `stays`: what a system's tables have in Latin letters, as printed.
    """
    names, left = japanese_names(system), dict[str, str]()
    for scenario, players, seed in games:
        for english in {*heard(adapter, scenario, players, seed, every)}:
            told = shown(english, names)
            if found := latin(told, f"{stays}|{STAYS}", []):
                left.setdefault(found, f"{told} <- {english}")
    return left
