"""The costliest legal entries: what they make the program do grows with their bytes and with nothing else.

Counted are the lines of the program that run while an entry is taken, so that a busy machine changes nothing. The
yardstick is an entry of the same size and run that holds nothing but short orders that lapse.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from match import costly
from match.costly import Moment
from matches import parts_of

import pbem
from pbem.match.orders import StopIf, Strict
from pbem.match.take import take
from pbem.rules import rules_of
from pbem.rules.requests import Choose
from pbem.scenario import load_scenario
from pbem.wire.turn import Turn

ROOT = str(Path(pbem.__file__).parent)
SIZE = 12_500
"""Bytes of orders; an entry may have about twenty times as many."""
RATIO = 1.5
GROWTH = 2.3
"""Twice the bytes cost so many times as much, at most."""
YARDSTICK = "orders that lapse"
TERMS = {"toba-fushimi": "ask", "yao": "standing", "gotos-dream": "ask", "cedar-mountain": "ask"}


def lines(work: Callable[[], object]) -> int:
    """How many lines of the program run."""
    count = 0

    def step(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return step

    def enter(frame: FrameType, _event: str, _argument: Any) -> Any:
        return step if frame.f_code.co_filename.startswith(ROOT) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@cache
def moments(scenario: str) -> dict[str, Moment]:
    return costly.moments(scenario, most=90, reactions=TERMS[scenario])


def cost(moment: Moment, shape: str, size: int) -> float:
    """Lines for each byte of an entry of this shape; 0 where it can't be made at this decision."""
    parts = parts_of(moment.table, moment.side, costly.filled(costly.SHAPES[shape](moment), size))
    react = moment.table.due().what == "react"
    if not parts or (react and any(isinstance(part, StopIf | Strict) for part in parts)):
        return 0
    name = moment.player
    block = moment.match.signed(moment.table, name, parts)
    table = moment.table.fork()
    return lines(lambda: take(table, Turn.of(block))) / len(block.payload)


@pytest.mark.parametrize("scenario", TERMS)
def test_no_shape_of_orders_costs_much_more_than_short_orders_that_lapse(scenario: str) -> None:
    yardstick = {kind: cost(moment, YARDSTICK, SIZE) for kind, moment in moments(scenario).items()}
    assert min(yardstick.values()) > 1
    found = {
        (kind, shape): cost(moment, shape, SIZE) / max(yardstick.values())
        for kind, moment in moments(scenario).items()
        for shape in costly.SHAPES
    }
    assert sum(ratio > 0 for ratio in found.values()) > 25
    assert {key: round(ratio, 1) for key, ratio in found.items() if ratio > RATIO} == {}


@pytest.mark.parametrize(
    "shape", ["zigzag moves of 4096 bytes", "conditions on hexes", "orders of all units that lapse"]
)
@pytest.mark.parametrize("scenario", TERMS)
def test_twice_as_many_orders_cost_twice_as_much(scenario: str, shape: str) -> None:
    found = moments(scenario)
    moment = found["move"] if "move" in found else found["action"]
    once, twice = cost(moment, shape, SIZE) * SIZE, cost(moment, shape, 2 * SIZE) * 2 * SIZE
    assert 1.5 < twice / once < GROWTH


def cost_with_dice(moment: Moment, shape: str, size: int) -> float:
    """Lines for each byte when the dice fall too, and the other side does nothing more in the turn."""
    table, rules = moment.table.fork(), moment.table.rules
    body = costly.filled(costly.SHAPES[shape](moment), size)
    (enemy,) = {player.side for player in table.genesis.players} - {moment.side}
    table.course.play(enemy, [*enumerate(parts_of(table, enemy, f"{rules.CLOSING};"))], reaction=False)
    table.course.play(moment.side, [*enumerate(parts_of(table, moment.side, body))], reaction=False)
    table.course.bind((2, bytes(32)))
    table.course.seed = bytes(32)
    found = lines(table.course.resolve) / len(body)
    assert not table.course.queues[moment.side], "all of it had its turn"
    return found


def test_a_plan_for_a_turn_costs_what_its_words_cost() -> None:
    """Both sides' orders last over the actions of a turn, and their dice: so long a plan is carried out at once."""
    moment = moments("cedar-mountain")["action"]
    yardstick = cost_with_dice(moment, YARDSTICK, 2 * SIZE)
    once, twice = (cost_with_dice(moment, "a plan for a turn", size) for size in (2 * SIZE, 4 * SIZE))
    assert twice < RATIO * yardstick
    assert 4 * twice < GROWTH * 2 * once


@pytest.mark.parametrize("scenario", ["toba-fushimi", "gotos-dream"])
def test_long_standing_orders_cost_a_question_little(scenario: str) -> None:
    moment = moments(scenario)["retreat"]
    request = moment.table.game.request
    assert isinstance(request, Choose)
    assert request.standing is not None
    ends = {words[-1] for words in moment.options}
    nowhere = [number for number in moment.hexes if number not in {h for words in moment.options for h in words}]
    units = [*moment.own, *request.about, "any"]
    orders = [("retreat", unit, *(nowhere * 9)[:800]) for unit in units]
    standing = request.standing
    assert lines(lambda: standing(orders)) < 10 * (800 + len(units))
    assert standing(orders) is None
    answer = standing([*orders, ("retreat", "any", *nowhere, min(ends))])
    assert answer is not None, "what fits is found behind what doesn't"


def test_numbers_are_read_about_as_soon_as_ids() -> None:
    """Each of them might begin a name of several words: an entry of such marches took half a minute to read."""
    scenario = load_scenario("rapidan-to-manassas")
    rules = rules_of(scenario.system)
    board = rules.board(scenario.data)

    def read(text: str) -> object:
        return rules.read_order(board, "confederate", tuple(text.split()))

    detached, plain = "march hood S1830 detach csa-sub-1 1 csa-sub-2 1 csa-sub-3 1", "march hood S1830 S1831 S1830"
    for text in (detached, plain):
        read(text)  # what is worked out once
    assert lines(lambda: read(detached)) < 20 * lines(lambda: read(plain))
