"""What a lost secret costs: of all answers to a chance, `worst` names one that is worst for the side.

Judged by the units that the chance is about: who makes room for a retreat, and how long the game goes on, may fall out
otherwise now and then.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from pbem.crypto.hashing import canonical_json
from pbem.maps.hexes import neighbours
from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules import rules_of
from pbem.rules.requests import Choose, Draw, Roll
from pbem.scenario import Scenario, list_scenarios, load_scenario

SCENARIOS = [summary.id for summary in list_scenarios() if summary.system != "gcacw"]
"""Those of systems that count no harm: of the others harm decides, not high and low (protocol 4.4)."""
ROLLS = 100
"""Chances judged in each scenario."""

GAMES = 60
"""In so many games at most."""

STATES = {"disordered": 1, "routed": 1}
"""State word of a unit -> how much worse off its side is by it; a unit is worth three."""


def begun(scenario: Scenario) -> Game:
    """A game of the scenario with its default options, nothing done in it."""
    rules = rules_of(scenario.system)
    options = {name: spec["default"] for name, spec in scenario.data["scenario"].get("options", {}).items()}
    return Game.new(rules, rules.board(scenario.data), options)


def concerned(game: Game, label: str) -> set[str]:
    """The unit in the hex that a label names and the enemies next to it; where it names none, all units."""
    units = game.rules.situation(game.state)["units"]
    found = next((unit for unit in units if unit["at"] == label.partition("/")[2]), None)
    if found is None:
        return {unit["id"] for unit in units}
    charts = game.rules.maps(game.board).values()
    near = {n for chart in charts if (h := chart.find(found["at"])) is not None for n in neighbours(h)}
    enemies = [unit for unit in units if unit["at"] and unit["side"] != found["side"]]
    return {found["id"]} | {u["id"] for u in enemies if any(chart.find(u["at"]) in near for chart in charts)}


def standing_of(game: Game, side: str, about: set[str]) -> float:
    """How a side stands: of these units those that are there or may come, and their state."""
    found, situation = 0.0, game.rules.situation(game.state)
    here = {situation["where"][0]["id"]: 1.0, "received": 1.0, "waiting": 0.9}
    for unit in situation["units"]:
        if unit["id"] not in about:
            continue
        worth = 3 - sum(STATES.get(word, 0) for word in unit["words"])
        present = here.get(unit["where"], 0.0)
        found += present * worth * (1 if unit["side"] == side else -1)
    return found


def after(game: Game, answer: Any, side: str, about: set[str], known: dict[bytes, float]) -> float:
    """How the side stands behind an answer, when all that follows of it goes as badly as it can, or by default.

    `known` keeps how it stands in a state.
    """
    ahead = game.fork()
    ahead.apply(answer)
    while (request := ahead.request) is not None:
        if isinstance(request, Choose):
            if not request.reaction or request.default is None:
                break
            ahead.apply(request.default())
        else:
            ahead.apply(ahead.rules.worst(ahead.state, request, side))
    state = canonical_json(ahead.rules.dump(ahead.state))
    if state not in known:
        known[state] = round(standing_of(ahead, side, about), 6)
    return known[state]


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
    new = begun(load_scenario(scenario_id))
    for seed in range(GAMES):
        game, chance = new.fork(), random.Random(f"{scenario_id} {seed}")
        while game.request is not None and total < ROLLS:
            if isinstance(game.request, Choose):
                game.apply(game.request.sample(chance))
                continue
            stem = game.request.label.split("/")[0]
            if chance.random() < 0.2 or stem not in judged:
                sides = [side["id"] for side in game.rules.situation(game.state)["sides"]]
                about = concerned(game, game.request.label)
                for side in sides:
                    known: dict[bytes, float] = {}
                    worst = after(game, game.rules.worst(game.state, game.request, side), side, about, known)
                    others = every_answer(game.request, chance)
                    assert all(worst <= after(game, other, side, about, known) for other in others), (
                        f"{game.request.label} for {side}"
                    )
                judged[stem] = judged.get(stem, 0) + 1
                total += 1
            game.apply(chance_answer(game.request, chance))
    assert total >= ROLLS
    assert len(judged) > 2, judged


@pytest.mark.parametrize("scenario_id", SCENARIOS)
def test_harm_is_as_many_whole_numbers_in_each_state(scenario_id: str) -> None:
    game, chance = begun(load_scenario(scenario_id)), random.Random(scenario_id)
    sides = [side["id"] for side in game.rules.situation(game.state)["sides"]]
    found: list[tuple[int, ...]] = []
    for _ in range(150):
        if game.request is None:
            break
        before = game.rules.dump(game.state)
        found += [game.rules.harmed(game.state, side) for side in sides]
        assert game.rules.dump(game.state) == before
        answer = (
            game.request.sample(chance) if isinstance(game.request, Choose) else chance_answer(game.request, chance)
        )
        game.apply(answer)
    assert len({len(harm) for harm in found}) == 1
    assert {type(number) for harm in found for number in harm} <= {int}
    assert (len({*found}) > 1) == (found[0] != ())
