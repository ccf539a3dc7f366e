"""Random play of the Siege of Osaka over all its scenarios and options: nothing crashes, no game gets stuck, every
answer offered is legal and what is near it is judged alike by check and engine; copies are equal, and what is told adds
up to the state at every step."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from matches import Chooser
from random_play import Play, check_copies, check_options, judge, moment, mutants, replayed, sampled, words_of
from yukimura_fields import board_of
from yukimura_ledger import Ledger

from pbem.errors import IllegalAnswer
from pbem.maps.hexes import Hex
from pbem.match.game import Game
from pbem.rules import State, yukimura
from pbem.rules.requests import Choose, Order, Roll
from pbem.rules.yukimura import movement_phase
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.movement import is_idle
from pbem.rules.yukimura.orders import DONE, Advance, AdvancePlan, Done, Fire, Hold, March, Melee, Move
from pbem.rules.yukimura.state import OPTIONS

SCENARIOS = ("yao", "domyoji", "gotos-dream", "connected")
KINDS = {"beside", "move", "defence", "combat", "retreat", "displace", "advance"}
ASKED_BETWEEN = {"beside", "move", "defence", "combat"}
"""The decisions that are asked outside of a combat."""


def most_answers(board: Board) -> int:
    """More than a game can have: in each phase each unit acts once, and each target has at most six attackers."""
    return board.turns * 2 * 4 * len(board.units) + 100


# --- players -------------------------------------------------------------------------------------------------------


def movers(state: State, side: str) -> list[str]:
    """Units to think of in a Movement Phase; leaders seldom, for their move may lose the battle."""
    leaders = state.board.collapse.get(side, ())
    return [u for u in state.board.of_side[side] if u not in leaders and (u not in state.at or is_idle(state, u))]


def any_option(state: State, request: Choose, chance: random.Random) -> Order:
    """Any option: in a Movement Phase of some unit, one time in forty the end of the phase."""
    if request.kind != "move":
        return chance.choice(list(request.options()))
    units = movers(state, request.side)
    for unit in chance.sample(units, len(units)) if chance.randrange(40) else ():
        options = list(movement_phase.options_of(state, request.side, unit))
        if options:
            return chance.choice(options)
    return DONE


def fierce(state: State, request: Choose, chance: random.Random) -> Order:
    """Everybody goes for the nearest enemy, fires and fights with all who can, and follows as far as he may."""
    if request.kind == "move":
        return _towards_the_enemy(state, request.side, chance)
    options = list(request.options())
    if request.kind in ("defence", "combat"):
        target = chance.choice([order.target for order in options if order != DONE] or [""])
        order = max((o for o in options if o != DONE and o.target == target), key=lambda o: len(o.support))
        if request.kind == "combat" and isinstance(order, Melee) and chance.random() < 0.5:
            free = [u for u in (order.unit, *order.support) if u not in _held(state)]
            return Melee(order.unit, order.target, order.support, tuple(AdvancePlan(u) for u in free))
        return order
    if request.kind == "advance":
        return max((o for o in options if isinstance(o, Advance)), key=lambda o: len(o.path))
    return chance.choice(options)


def _held(state: State) -> set[str]:
    return {u.id for u in state.board.units.values() if u.force in state.board.held.keys() - state.released}


def _towards_the_enemy(state: State, side: str, chance: random.Random) -> Order:
    gap = gaps(state.board, frozenset(state.stands[state.board.enemy[side]]))
    units = movers(state, side)
    for unit in chance.sample(units, len(units)):
        options = [o for o in movement_phase.options_of(state, side, unit) if not getattr(o, "off", False)]
        here = state.at.get(unit)
        best = min(options, key=lambda o: gap[o.path[-1]], default=None)
        if best is not None and (here is None or gap[best.path[-1]] < gap[here]):
            return best
    return DONE


@lru_cache(maxsize=4)
def gaps(board: Board, enemies: frozenset[Hex]) -> dict[Hex, int]:
    """How far every hex is from the nearest enemy."""
    found, ring = dict.fromkeys(enemies, 0), set(enemies)
    while ring:
        ring = {n for h in ring for n in board.ground.near[h]} - found.keys()
        found |= dict.fromkeys(ring, max(found.values()) + 1)
    return {h: found.get(h, len(board.label)) for h in board.label}


PLAYERS: dict[str, tuple[Chooser, Chooser]] = {
    "sampled": (sampled, sampled),
    "any option": (any_option, any_option),
    "fierce": (fierce, fierce),
    "fierce East": (fierce, sampled),
}
GAMES = [
    (scenario, players, seed)
    for scenario, (players, count) in product(SCENARIOS, zip(PLAYERS, (2, 1, 2, 1), strict=True))
    for seed in range(count)
]


def options_for(board: Board, seed: int) -> dict[str, str]:
    """The options of a scenario, by turns on and off."""
    chosen = {}
    for i, name in enumerate(OPTIONS):
        if name in board.options:
            chosen[name] = OPTIONS[name][(seed >> (i > 0)) % 2]
    return chosen


class Recorded:
    """A play with its ledger."""

    def __init__(self, scenario: str, players: str, seed: int) -> None:
        board = board_of({"scenario": scenario})
        options = options_for(board, seed)
        full = {name: values[0] for name, values in OPTIONS.items()} | options
        self.ledger = Ledger(board, full)
        self.new_game = lambda hear: Game.new(yukimura, board, options, hear)
        choosers = dict(zip(("east", "osaka"), PLAYERS[players], strict=True))
        chance = random.Random(f"{scenario} {players} {seed}")
        self.play = Play(self.new_game, choosers, chance, most_answers(board), self.ledger.hear)

    def check(self, game: Game) -> None:
        request = game.request
        between = request is not None and (not isinstance(request, Choose) or request.kind in ASKED_BETWEEN)
        if isinstance(request, Roll):
            between = request.label.split("/")[0] in ("release", "arrival")
        self.ledger.check(game.state, between=between and not isinstance(request, Roll))


# --- whole games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "players", "seed"), GAMES)
def test_a_random_game_runs_to_its_end(scenario: str, players: str, seed: int) -> None:
    recorded = Recorded(scenario, players, seed)
    play, clock = recorded.play, (1, 0)
    for number, game in enumerate(play.nodes()):
        recorded.check(game)
        now = (game.state.turn, game.state.phase)
        assert now >= clock, "the sequence of play runs backwards"
        clock = now
        request = game.request
        if isinstance(request, Choose):
            assert request.kind in KINDS
            assert request.clause
            assert next(iter(request.options()), None) is not None, "a dead end"
            assert request.why_not(request.sample(play.chance)) is None
            if number % (400 if request.kind == "move" else 7) == 0:
                check_options(game, request)
    check_end(play)
    assert recorded.ledger.over


def check_end(play: Play) -> None:
    """How a game may end, by the state alone."""
    s, outcome = play.game.state, play.game.outcome
    assert outcome is not None
    assert outcome.reason
    assert [t.what for t in play.told].count("end") == 1
    assert play.told[-1].what == "end"
    east = s.stands["east"]
    if outcome.clause in ("14-2(6)1", "14-2(6)2"):
        loser = s.board.enemy[outcome.winner or ""]
        assert any(s.at.get(u) != s.board.units[u].start for u in s.board.collapse[loser])
    elif outcome.clause == "14-2(6)3":
        assert outcome.winner == "east"
        assert not s.board.breakthrough.isdisjoint(east)
    else:
        assert s.turn == s.board.turns
        if s.board.star is not None:
            assert outcome.winner == s.star_holder
        elif s.board.west_needed:
            assert (outcome.winner == "east") == (sum(h in s.board.west for h in east) >= 10)
    with pytest.raises(IllegalAnswer):
        play.game.apply(Done())


def test_the_games_show_every_kind_of_request_and_event() -> None:
    kinds, events = Counter[str](), Counter[str]()
    for scenario, players, seed in (("connected", "fierce", 0), ("domyoji", "fierce East", 1), ("yao", "fierce", 1)):
        recorded = Recorded(scenario, players, seed)
        for game in recorded.play.nodes():
            if isinstance(game.request, Choose):
                kinds[game.request.kind] += 1
        events += Counter(tell.what for tell in recorded.play.told)
    assert kinds.keys() == KINDS, kinds
    wanted = {"phase", "beside", "release", "reinforcements", "move", "fire", "melee", "check", "mark", "retreat",
              "displace", "remove", "advance", "drop", "end"}  # fmt: skip
    assert wanted <= events.keys(), wanted - events.keys()


# --- neighbours of legal orders ------------------------------------------------------------------------------------


def neighbours(order: Order, board: Board, chance: random.Random) -> list[Order]:
    """Orders that differ from a legal one in one thing; among them those of other phases."""
    found = list(mutants(order, board, board.ground.near.__getitem__, chance))
    some = chance.choice(list(board.units))
    if isinstance(order, Fire | Melee):
        h = chance.choice(list(board.label))
        plans = ((AdvancePlan(order.unit),), (AdvancePlan(some),), (AdvancePlan(order.unit), AdvancePlan(order.unit)),
                 (AdvancePlan(order.unit, (h,)),))  # fmt: skip
        other = Melee if isinstance(order, Fire) else Fire
        found += [type(order)(order.unit, order.target, order.support, plan) for plan in plans]
        found.append(other(order.unit, order.target, order.support))
    if isinstance(order, Move | March):
        found.append((March if isinstance(order, Move) else Move)(order.unit, order.path, order.off))
    return [*found, Hold(some), Advance(some), Done()]


def test_what_is_near_a_legal_order_is_judged_alike_by_check_and_engine() -> None:
    judged: Counter[tuple[str, bool]] = Counter()
    for scenario, players, seed in (("connected", "fierce", 11), ("yao", "fierce", 12), ("domyoji", "any option", 13),
                                    ("gotos-dream", "fierce", 14)):  # fmt: skip
        play = Recorded(scenario, players, seed).play
        for game in play.nodes():
            request = game.request
            rare = {"move": 50, "combat": 6, "defence": 6, "displace": 2, "retreat": 2}
            if not isinstance(request, Choose) or play.chance.randrange(rare.get(request.kind, 1)):
                continue
            legal = request.sample(play.chance)
            for order in neighbours(legal, game.board, play.chance):
                judged[request.kind, judge(game, request, order)] += 1
                left = yukimura.remainder(game.state, request.side, order)
                assert left is None or request.why_not(left[0]) is None, (words_of(game, order), left)
    assert min(judged[kind, legal] for kind in KINDS - {"beside"} for legal in (False, True)) >= 5, judged


@pytest.mark.parametrize(("scenario", "players", "seed"), [("yao", "fierce", 21), ("domyoji", "sampled", 22)])
def test_nothing_can_be_done_twice(scenario: str, players: str, seed: int) -> None:
    """An order given once more in the same phase is refused: its unit has moved, fired, fought or gone."""
    play = Recorded(scenario, players, seed).play
    clauses: Counter[str] = Counter()
    for game in play.nodes():
        request = game.request
        if not isinstance(request, Choose) or play.last is None or play.last[:4] != moment(game, request):
            continue
        order = play.last[4]
        if request.kind in ("retreat", "displace", "advance") or isinstance(order, Done):
            continue
        refusal = request.why_not(order)
        assert refusal is not None, words_of(game, order)
        clauses[refusal.clause] += 1
    assert {"7-2.a"} < set(clauses), clauses
    assert set(clauses) <= {"7-2.a", "7-6-2", "8.a", "9-1-5", "10-1-5", "9.a", "9-1-1", "10.a", "10-1-1", "4-1(3)",
                            "4-1(6)"}, clauses  # fmt: skip


# --- copies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "players", "seed", "every"), [
    ("yao", "fierce", 25, 1), ("connected", "fierce", 32, 60), ("domyoji", "any option", 33, 41),
    ("gotos-dream", "fierce", 34, 23),
])  # fmt: skip
def test_fork_load_and_replay_are_equal_to_the_original(scenario: str, players: str, seed: int, every: int) -> None:
    """Each answer is put into words and read again on its way into the replayed game."""
    recorded = Recorded(scenario, players, seed)
    twin, given = recorded.new_game(None), 0

    def replay() -> Game:
        nonlocal given
        for answer in recorded.play.answers[given:]:
            twin.apply(reread(twin, answer))
        given = len(recorded.play.answers)
        return twin

    for number, game in enumerate(recorded.play.nodes()):
        inside = isinstance(game.request, Choose) and game.request.kind not in ASKED_BETWEEN
        if number % every == 0 or inside or game.request is None:
            check_copies(game, replay)
    check_copies(recorded.play.game, lambda: replayed(recorded.new_game, recorded.play.answers))


def reread(game: Game, answer: Any) -> Any:
    if not isinstance(game.request, Choose):
        return answer
    return yukimura.read_order(game.board, game.request.side, yukimura.order_words(game.board, answer))


def test_the_state_holds_no_markers_between_combats() -> None:
    """Its dump has what the rules name, and nothing of a retreat procedure."""
    recorded = Recorded("yao", "fierce", 41)
    for game in recorded.play.nodes():
        dump = yukimura.dump(game.state)
        assert set(dump) == {
            "options", "turn", "phase", "opened", "step", "at", "moved", "pinned", "fired", "fought", "shot_at",
            "attacked", "out_of_command", "released", "arrived", "crossed", "waiting", "beside", "exited", "removed",
            "star_holder", "ended",
        }  # fmt: skip
