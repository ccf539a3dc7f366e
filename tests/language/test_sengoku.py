"""Games of sengoku are told in Japanese: events, headlines, what is asked and may be ordered, and why not."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

import pytest
from systems import sengoku
from systems.random_play import random_game
from systems.whole import table_of

from language.latin import latin, left_in_english
from pbem.language import shown
from pbem.match.game import Game
from pbem.report import source
from pbem.report.put import put_situation, put_step
from pbem.report.telling import Teller
from pbem.rules.requests import Choose
from pbem.rules.sengoku.odds import factors, tell_odds
from pbem.rules.sengoku.order_form import form
from pbem.scenario import japanese_names

GAMES = ["hashiba-waits", "echizen-left", "siege-resigned", "asked", "standing-resigned"]

NODES, CLOSELY, SAMPLES = 120, 10, 5
"""So many requests of a random game are looked at, at each so manieth what its form and situation say, too; so many
orders of one are looked at with their dice."""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.usefixtures("japanese")
def test_every_event_of_a_stored_game_is_told_in_japanese(name: str) -> None:
    assert left_in_english("sengoku", name) == {}


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.usefixtures("japanese")
def test_every_headline_of_a_stored_game_is_in_japanese(name: str, ahead: bool) -> None:
    table, names = table_of("sengoku", name), japanese_names("sengoku")
    teller = Teller(put_situation(table.rules.situation(table.game.state), names), source.direction_of(table))
    teller.names.ahead = ahead
    steps = [put_step(step, names) for step in table.steps if step["kind"] == "tell"]
    heads = [teller.head({**step, "known": True}) for step in steps]
    assert any(heads)
    assert [head for head in heads if head and latin(head, "", [])] == []


# --- what is asked, and what may be ordered --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def decisions() -> list[Game]:
    """A random game at its decisions."""
    nodes = random_game(sengoku, *sengoku.SHOWING[0]).play.nodes()
    return [game.fork() for game in islice(nodes, NODES) if isinstance(game.request, Choose)]


def asked(game: Game) -> Choose:
    """What is asked in a position."""
    assert isinstance(game.request, Choose)
    return game.request


def prompts(game: Game) -> Iterator[str]:
    """What is asked."""
    yield asked(game).prompt


def refusals(chance: random.Random, game: Game) -> Iterator[str]:
    """Why orders near a legal one are refused."""
    choose = asked(game)
    for order in sengoku.neighbours(choose.sample(chance), game.board, chance):
        if refusal := choose.why_not(order):
            yield refusal.reason


def odds_of(chance: random.Random, game: Game) -> Iterator[str]:
    """What an order's dice may bring, and what they hang on."""
    for order in [asked(game).sample(chance) for _ in range(SAMPLES)]:
        yield tell_odds(game.state, order)
        yield from (factor.what for factor in factors(game.state, order))


def forms(game: Game) -> Iterator[str]:
    """What stands in the order form."""
    for entry in form(game.state, asked(game)):
        yield from (entry.heading, *(note for _, note in entry.orders), *entry.notes)


def situations(game: Game) -> Iterator[str]:
    """What is told of units, forces, castles and points."""
    situation = game.rules.situation(game.state)
    for item in situation["progress"]:
        yield from (item["what"], item["told"])
    for unit in situation["units"]:
        yield from (unit["symbol"], unit.get("command", ""), *unit["words"], *unit["values"])
    for thing in (*situation["forces"], *situation["places"]):
        extra = thing.get("extra", {})
        yield from (*extra, *(value for value in extra.values() if isinstance(value, str)), *thing.get("words", ()))
    yield from situation["reconstructed"]


CHANCE = random.Random(7)

SAYINGS: list[tuple[Callable[[Game], Iterator[str]], int]] = [
    (prompts, 1), (partial(refusals, CHANCE), 1), (partial(odds_of, CHANCE), 3), (forms, CLOSELY),
    (situations, CLOSELY),
]  # fmt: skip


@pytest.mark.parametrize(("said_of", "each"), SAYINGS, ids=["prompts", "refusals", "odds", "forms", "situations"])
@pytest.mark.usefixtures("japanese")
def test_what_rules_say_in_english_is_recognised(
    decisions: list[Game], said_of: Callable[[Game], Iterator[str]], each: int
) -> None:
    names = japanese_names("sengoku")
    said = {words for game in decisions[::each] for words in said_of(game) if words}
    assert said
    left = {words: told for words in said if latin(told := shown(words, names), "", [])}
    assert left == {}
