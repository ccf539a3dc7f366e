"""What a lost secret costs: of all answers to a chance, `worst` names one that is worst for the side."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from pbem.match.check import chance_answer
from pbem.match.game import Game
from pbem.rules import rules_of
from pbem.rules.requests import Choose, Draw, Roll
from pbem.scenario import list_scenarios, load_scenario

SCENARIOS = [summary.id for summary in list_scenarios()]
ROLLS = 150
"""Chances judged in each scenario."""

STATES = {"disordered": 1}
"""State word of a unit -> how much worse off its side is by it; a unit is worth three."""


def begun(scenario_id: str) -> Game:
    """A game of the scenario with its default options."""
    scenario = load_scenario(scenario_id)
    rules = rules_of(scenario.system)
    options = {name: spec["default"] for name, spec in scenario.data["scenario"].get("options", {}).items()}
    return Game.new(rules, rules.board(scenario.data), options)


def standing_of(game: Game, side: str) -> float:
    """How a side stands: units that are there or may come, their state; the end of the game outweighs all."""
    found = 0.0
    situation = game.rules.situation(game.state)
    for unit in situation["units"]:
        worth = 3 - sum(STATES.get(word, 0) for word in unit["words"])
        present = {"map": 1.0, "received": 1.0, "waiting": 0.9}.get(unit["where"], 0.0)
        found += present * worth * (1 if unit["side"] == side else -1)
    outcome = game.rules.outcome(game.state)
    if outcome is not None and outcome.winner is not None:
        found += 1000 if outcome.winner == side else -1000
    return found


def after(game: Game, answer: Any, side: str) -> float:
    """How the side stands behind an answer, when all that follows of it goes as badly as it can, or by default."""
    ahead = game.fork()
    ahead.apply(answer)
    while (request := ahead.request) is not None:
        if isinstance(request, Choose):
            if not request.reaction or request.default is None:
                break
            ahead.apply(request.default())
        else:
            ahead.apply(ahead.rules.worst(ahead.state, request, side))
    return standing_of(ahead, side)


def every_answer(request: Roll | Draw, chance: random.Random) -> Iterator[Any]:
    """All rolls; of a draw a few."""
    if isinstance(request, Roll):
        yield from product(range(1, request.sides + 1), repeat=request.dice)
    else:
        yield from (tuple(chance.sample(request.cup, request.count)) for _ in range(6))


@pytest.mark.parametrize("scenario_id", SCENARIOS)
def test_no_answer_is_worse_than_the_worst(scenario_id: str) -> None:
    judged: dict[str, int] = {}
    total = 0
    for seed in range(30):
        game, chance = begun(scenario_id), random.Random(f"{scenario_id} {seed}")
        while game.request is not None and total < ROLLS:
            if isinstance(game.request, Choose):
                game.apply(game.request.sample(chance))
                continue
            stem = game.request.label.split("/")[0]
            if chance.random() < 0.2 or stem not in judged:
                sides = [side["id"] for side in game.rules.situation(game.state)["sides"]]
                for side in sides:
                    worst = after(game, game.rules.worst(game.state, game.request, side), side)
                    assert all(worst <= after(game, other, side) for other in every_answer(game.request, chance)), (
                        f"{game.request.label} for {side}"
                    )
                judged[stem] = judged.get(stem, 0) + 1
                total += 1
            game.apply(chance_answer(game.request, chance))
    assert total >= ROLLS
    assert len(judged) > 2, judged
