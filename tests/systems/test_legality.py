"""What is legal stands once: the check of an order, the lists of what may be done and the random orders agree in random
positions of every system, on who goes where and on who fires at or attacks whom."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from matches import Match, scenario_of

from pbem.errors import Refusal
from pbem.match.chances import chance_answer
from pbem.match.check import check
from pbem.match.game import Game
from pbem.rules import rules_of
from pbem.rules.kit.reach import Path
from pbem.rules.requests import Choose
from pbem.scenario import load_scenario

POSITIONS, UNITS = 12, 6
SCENARIOS = ("toba-fushimi", "tabaruzaka", "yao", "domyoji", "connected")
CLOSE = ("toba-fushimi", "yao", "domyoji", "connected")
"""Those in which players at random come to blows."""
MOVES, FIGHTS = frozenset({"move"}), frozenset({"fire", "melee", "defence", "combat"})


def positions(scenario: str, kinds: frozenset[str], share: float) -> Iterator[tuple[Any, Choose]]:
    """Some states of random games in which such a decision is due."""
    loaded = load_scenario(scenario)
    rules = rules_of(loaded.system)
    chance, found = random.Random(scenario), 0
    board = rules.board(loaded.data)
    while found < POSITIONS:
        game = Game.new(rules, board, {})
        while (request := game.request) is not None and found < POSITIONS:
            if isinstance(request, Choose):
                if request.kind in kinds and chance.random() < share:
                    found += 1
                    yield game.state, request
                game.apply(request.sample(chance))
            else:
                game.apply(chance_answer(request, chance))


def orders(scenario: str) -> Iterator[tuple[Any, Any, Any, Choose, Any]]:
    """Units that may move in such states: state, the system's `movement`, unit, the decision, its `orders`."""
    package = f"pbem.rules.{load_scenario(scenario).system}"
    reach, words = import_module(f"{package}.movement"), import_module(f"{package}.orders")
    chance = random.Random(7)
    for s, request in positions(scenario, MOVES, 0.03):
        idle = sorted({order.unit for order in request.options() if isinstance(order, words.Move | words.March)})
        for unit in chance.sample(idle, min(UNITS, len(idle))):
            yield s, reach, s.board.units[unit], request, words


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_where_a_unit_can_go_is_where_its_path_is_accepted(scenario: str) -> None:
    """Every way in the list is legal; going on by one hex is legal only when it leads to a hex of the list."""
    looked = refused = 0
    for s, reach, unit, request, words in orders(scenario):
        start = s.at[unit.id]
        moves = {h: path for h, (_, path) in reach.move_destinations(s, unit, start).items()}
        for order, found in ((words.Move, moves), (words.March, reach.march_destinations(s, unit, start))):

            def why_not(path: Path, order: Any = order) -> Refusal | None:
                return request.why_not(order(unit.id, path))  # noqa: B023 asked at once

            for end, path in found.items():
                assert path[-1] == end
                assert why_not(path) is None
            for path in ((), *found.values()):
                for n in s.board.ground.near[path[-1] if path else start]:
                    looked += 1
                    if n not in found and n != start:
                        assert why_not((*path, n)) is not None, (unit.id, path, n)
                        refused += 1
    assert min(refused, looked - refused) > 200


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_ways_are_accepted_and_lead_where_a_unit_can_go(scenario: str) -> None:
    chance, went = random.Random(1), 0
    for s, reach, unit, request, words in orders(scenario):
        start = s.at[unit.id]
        ends = reach.move_destinations(s, unit, start), reach.march_destinations(s, unit, start)
        for i, (order, walk) in enumerate(((words.Move, reach.random_move), (words.March, reach.random_march))):
            for _ in range(5):
                path = walk(s, unit, start, chance)
                assert not path or (request.why_not(order(unit.id, path)) is None and path[-1] in ends[i])
                went += bool(path)
        assert reach.can_move(s, unit, start)
    assert went > 200


@pytest.mark.parametrize("scenario", CLOSE)
def test_who_is_not_listed_against_a_target_is_refused(scenario: str) -> None:
    """Of all pairs of units those alone are accepted that the options name; of all supporters of one fire, too."""
    package = f"pbem.rules.{load_scenario(scenario).system}"
    words = import_module(f"{package}.orders")
    judged = {True: 0, False: 0}
    for s, request in positions(scenario, FIGHTS, 0.1):
        options = [order for order in request.options() if isinstance(order, words.Fire | words.Melee)]
        kinds = dict.fromkeys(type(order) for order in options)
        pairs = {(type(order), order.unit, order.target) for order in options}
        for kind in kinds:
            for unit in s.stands[request.side].values():
                for target in s.stands[s.board.enemy[request.side]].values():
                    legal = request.why_not(kind(unit, target)) is None
                    assert legal == ((kind, unit, target) in pairs), (kind, unit, target)
                    judged[legal] += 1
        for order in {(type(o), o.target): o for o in options}.values():
            same = [o for o in options if type(o) is type(order) and o.target == order.target]
            listed = {unit for o in same for unit in o.support} | (
                {o.unit for o in same} if hasattr(words, "AdvancePlan") else set()
            )
            for unit in s.board.of_side[request.side]:
                legal = request.why_not(type(order)(order.unit, order.target, (unit,))) is None
                assert legal == (unit in listed - {order.unit}), (order, unit)
    assert min(judged.values()) > 10, judged


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_can_never_be_given_is_refused_in_the_phase_too(scenario: str) -> None:
    """Of orders of all kinds, by any units at any targets; none that is legal is said to be never so."""
    loaded = load_scenario(scenario)
    rules, words = rules_of(loaded.system), import_module(f"pbem.rules.{loaded.system}.orders")
    chance, judged = random.Random(3), {True: 0, False: 0}
    for s, request in positions(scenario, MOVES | FIGHTS - {"defence"}, 0.05):
        _, phase = rules.clock(s)
        units = chance.sample(sorted(s.at), 8)
        pairs = [(unit, target) for unit in units for target in units if unit != target]
        fights = [kind(*pair) for kind in (words.Fire, words.Melee) for pair in pairs]
        moves = [words.Move(unit, (s.at[unit],)) for unit in units]
        for order in (*fights, *moves, *(request.sample(chance) for _ in range(5))):
            never = rules.why_never(s, request.side, phase, order) is not None
            judged[never] += 1
            assert not never or request.why_not(order) is not None, order
        assert rules.why_never(s, request.side, phase, words.DONE) is None
    assert min(judged.values()) > 40, judged


def test_a_plan_that_its_phase_never_has_is_told_once() -> None:
    """In the Siege of Osaka nobody is asked between a side's movement and its combat, so that it surely lapsed, too."""
    game = Match(scenario_of("yao"), 1)
    asked = "fire ii-03 at ki-14", "melee ii-03 at ki-14", "melee ii-03 at ii-04"
    found = check(game.table, "asuka", "".join(f"in combat: {order};\n" for order in asked) + "done;")
    assert [(error.where, error.what.split(":")[1], error.clause) for error in found.errors] == [
        ("line 1", " fire ii-03 at ki-14`", "9.b"),
        ("line 3", " melee ii-03 at ii-04`", "10-1-1"),
    ]
