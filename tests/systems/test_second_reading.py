"""The second reading of each rulebook by brute force: every way and group that it finds, whole games, known counts.

Where a system's second reading plays on, both play the same games on random fields: at every node the same must be
asked of the same side, the same options offered, and every unit stand in the same hex.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pbem.errors import Refusal
from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules.requests import Choose, Draw, Order, Roll, Tell, Words
from systems import bakumatsu_slow
from systems.adapters import ADAPTERS
from systems.game_tree import number_of_answers
from systems.slow_map import number
from systems.test_perft import POSITIONS, game_at, position, words_of

MOST = 150
"""Answers of a game that are compared."""

FIELDS = [(system, *field) for system, adapter in ADAPTERS.items() for field in getattr(adapter, "FIELDS", ())]
PLAYS_ON = sorted({system for system, *_ in FIELDS})
NAMED = [system for system, adapter in ADAPTERS.items() if "combat" in adapter.KINDS]
"""Systems whose positions have a phase's name, and fire and melee in one phase."""


# --- whole games ---------------------------------------------------------------------------------------------------


def compare(system: str, game: Game, second: Any) -> None:
    """Both readings stand alike, and ask alike."""
    assert ADAPTERS[system].seen(game) == second.seen()
    request, asked = game.request, second.asked
    if request is None:
        assert asked is None
        assert game.outcome is not None
        assert game.outcome.winner == second.winner
    elif isinstance(request, Roll):
        assert (request.dice, request.sides) == (asked.dice, 6)
    elif isinstance(request, Draw):
        assert (request.cup, request.count) == (asked.cup, asked.number)
    else:
        assert isinstance(request, Choose)
        assert (request.side, request.kind) == (asked.side, asked.kind)
        offered = sorted(ADAPTERS[system].shortened(words_of(game, order)) for order in request.options())
        assert offered == sorted(asked.orders)
        assert asked.default == (() if request.default is None else words_of(game, request.default()))


def unvaried(game: Game, request: Choose, order: Order, chance: random.Random) -> Order:
    """The order itself."""
    return order


def walk(system: str, p: dict[str, Any], second: Any, chance: random.Random, phase_only: bool = False) -> Counter[str]:
    """Play a position in both readings until it is over, by options and by samples; returns what was asked."""
    adapter, told = ADAPTERS[system], list[Tell]()
    game: Game = adapter.game_at(p, told.append)
    kinds: Counter[str] = Counter()
    begun, gone = game.state.phase, list[str]()
    try:
        while (request := game.request) is not None and len(gone) < MOST:
            if phase_only and game.state.phase != begun:
                return kinds
            compare(system, game, second)
            assert not hasattr(adapter, "heard") or adapter.heard(told) == second.told
            if isinstance(request, Choose):
                kinds[request.kind] += 1
                options = list(request.options())
                answer = chance.choice(options) if chance.random() < 0.5 else request.sample(chance)
                answer = getattr(adapter, "varied", unvaried)(game, request, answer, chance)
            else:
                answer = chance_answer(request, chance)
            words = words_of(game, answer)
            gone.append(" ".join(words))
            game.apply(answer)
            second.apply(words)
        compare(system, game, second)
    except AssertionError as error:
        raise AssertionError(f"{error}\nin {p}\nafter {gone}") from error
    return kinds


@pytest.mark.parametrize(("system", "make", "count", "phase_only", "wanted"), FIELDS)
def test_both_readings_play_the_same_games(
    system: str, make: Callable[[random.Random], dict[str, Any]], count: int, phase_only: bool, wanted: tuple[str, ...]
) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(count):
        chance = random.Random(f"{make.__name__} {seed}")
        p = make(chance)
        kinds += walk(system, p, ADAPTERS[system].second(p), chance, phase_only)
    assert all(kinds[kind] >= 30 for kind in wanted), kinds


@pytest.mark.parametrize("system", PLAYS_ON)
def test_a_difference_is_noticed(system: str) -> None:
    """Values that the readings see differently part their games."""
    noticed = 0
    for seed in range(12):
        p, other = ADAPTERS[system].unlike(random.Random(seed))
        try:
            walk(system, p, ADAPTERS[system].second(other), random.Random(seed))
        except AssertionError:
            noticed += 1
    assert noticed >= 6


# --- ways and groups, one by one -----------------------------------------------------------------------------------


def moments(system: str, what: str, seeds: int, kind: str) -> Iterator[tuple[random.Random, Game, dict[str, Any]]]:
    """Positions in which a kind of decision is due: random fields where the system has them, else those of perft."""
    chance = random.Random(what)
    found = [position(*key) for key in POSITIONS if key[0] == system]
    if system in NAMED:
        make = ADAPTERS[system].FIELDS[0][0]
        found = [make(random.Random(f"{what} {seed}")) for seed in range(seeds)]
        found = [{**p, "phase": f"{p['phase'].partition('-')[0]}-{kind}"} for p in found if "-" in p["phase"]]
    for p in found:
        game: Game = ADAPTERS[system].game_at(p)
        if isinstance(game.request, Choose) and game.request.kind == kind:
            yield chance, game, p


def refusal_of(game: Game, words: Words) -> Refusal | None:
    """Why an order of the side that is asked is refused."""
    assert isinstance(game.request, Choose)
    return game.request.why_not(game.rules.read_order(game.board, game.request.side, words))


@pytest.mark.parametrize("system", [system for system, adapter in ADAPTERS.items() if hasattr(adapter, "ways")])
def test_the_ways_that_the_rules_permit_are_those_of_brute_force(system: str) -> None:
    """Every way that brute force finds is accepted; every other that is one step longer than such a way is refused."""
    adapter, judged = ADAPTERS[system], Counter[tuple[str, bool]]()
    for _, game, p in moments(system, "ways", 70, "move"):
        for lead, start, found, legal, near in adapter.ways(game, p):
            longer = {(*way, h) for way in [(), *found] for h in near((start, *way)[-1])} - legal
            for way in [*sorted(legal), *sorted(longer)]:
                refusal = refusal_of(game, (*lead, *map(number, way)))
                assert (refusal is None) == (way in legal), (lead, way, refusal)
                assert refusal is None or (refusal.clause.startswith(adapter.WAY_CLAUSES) and refusal.reason), refusal
                judged[lead[0], refusal is None] += 1
    assert len(judged) >= 4
    assert min(judged.values()) >= 300, judged


@pytest.mark.parametrize("system", NAMED)
def test_the_groups_that_the_rules_permit_are_those_of_brute_force(system: str) -> None:
    """Up to three of a side's units against any enemy unit: accepted when each of them alone may take part."""
    judged: Counter[tuple[str, bool]] = Counter()
    for chance, game, p in moments(system, "groups", 120, "combat"):
        asked, board = ADAPTERS[system].second(p).asked, game.board
        alone = {(words[0], words[1], words[3]) for words in asked.orders if len(words) == 4}
        mine, foes = (sorted(game.state.stands[side].values()) for side in (asked.side, board.enemy[asked.side]))
        for _ in range(40):
            keyword, target = chance.choice(["fire", "melee"]), chance.choice(foes)
            units = chance.sample(mine, min(len(mine), chance.randrange(1, 4)))
            with_ = ("with", *units[1:]) if units[1:] else ()
            refusal = refusal_of(game, (keyword, units[0], "at", target, *with_))
            assert (refusal is None) == all((keyword, u, target) in alone for u in units), (units, target, refusal)
            judged[keyword, refusal is None] += 1
    assert min(judged[keyword, legal] for keyword in ("fire", "melee") for legal in (False, True)) >= 20, judged


def test_who_commands_is_a_commander_of_the_side_within_his_range() -> None:
    """Every piece is named behind an order for dice: those alone are accepted whom the second reading lets help."""
    adapter, chance, judged = ADAPTERS["bakumatsu"], random.Random("by"), Counter[bool]()
    for _ in range(120):
        p = adapter.field(chance)
        game, second = adapter.game_at(p), adapter.second(p)
        request = game.request
        options = list(request.options()) if isinstance(request, Choose) else []
        for order in [order for order in options if hasattr(order, "by")][:3]:
            unit, side = order.unit, request.side
            for piece in game.board.units:
                near = piece in second.leaders(side) and second.reaches(piece, unit)
                assert (request.why_not(order._replace(by=piece)) is None) == near, (order, piece)
                judged[near] += 1
    assert min(judged.values()) >= 50, judged


# --- counts that are known by hand ---------------------------------------------------------------------------------


def test_two_gates_for_one_force_and_then_36_throws_of_two_dice() -> None:
    assert position("yukimura", "beside")["nodes"][0] == 2
    game = game_at("yukimura", "fire")
    assert isinstance(game.request, Choose)
    game.apply(next(order for order in game.request.options() if len(words_of(game, order)) == 4))
    assert number_of_answers(game.request) == 36


def test_seven_units_in_the_west_and_ten_in_the_east_are_set_up_in_hexes_of_their_own() -> None:
    areas, slow = (
        bakumatsu_slow.country("toba-fushimi").areas,
        ADAPTERS["bakumatsu"].Reading(position("bakumatsu", "set-up")),
    )
    west, east = (len(areas["shogunate", code]) for code in ("west", "east"))
    assert len(slow.answers()) == 7 * west + 10 * east
    west_first = 7 * west * (6 * (west - 1) + 10 * east)
    second = sum(len(slow.answers(answer)) for answer in slow.answers())
    assert second == west_first + 10 * east * (7 * west + 9 * (east - 1))
