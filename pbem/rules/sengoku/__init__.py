"""The Sengoku series: the rules of Shizugatake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.maps.map import Map
from pbem.rules.kit.going import one_step, onward
from pbem.rules.kit.phases import again as answered
from pbem.rules.kit.state import uncounted as harmed
from pbem.rules.kit.state import unspent as spends
from pbem.rules.requests import Answer, Chance, Choose, Danger, Draw, Factor, FormEntry, Roll, Standing, Words
from pbem.rules.sengoku.board import EDITION, Board
from pbem.rules.sengoku.orders import Order
from pbem.rules.sengoku.orders import step_of as step
from pbem.rules.sengoku.sequence import TURN, clock, next_activity, remainder, why_never, why_not
from pbem.rules.sengoku.situation import GOOD, TOLL, situation
from pbem.rules.sengoku.standing import CONDITIONS, STANDING, in_force, read_standing, read_test, why_unanswered
from pbem.rules.sengoku.standing import holds as test
from pbem.rules.sengoku.state import State, copy, dump, load, start
from pbem.rules.sengoku.victory import decisive, outcome
from pbem.rules.sengoku.wording import CLOSING, USAGE, WAYS, order_words, read_order

if TYPE_CHECKING:
    from pbem.rules.kit.throws import Shares
    from pbem.rules.sengoku.weights import Style

__all__ = [
    "CLOSING",
    "CONDITIONS",
    "EDITION",
    "GOOD",
    "SHUTTING",
    "STANDING",
    "TOLL",
    "TURN",
    "WAYS",
    "advise",
    "answered",
    "board",
    "chances",
    "clock",
    "copy",
    "dangers",
    "decisive",
    "doubts",
    "dump",
    "factors",
    "form",
    "harmed",
    "in_force",
    "load",
    "maps",
    "next_activity",
    "of_side",
    "onward",
    "options_of",
    "order_words",
    "outcome",
    "prospect",
    "read_order",
    "read_standing",
    "read_test",
    "remainder",
    "situation",
    "spends",
    "stance",
    "start",
    "step",
    "styles",
    "tell_cost",
    "tell_met",
    "tell_odds",
    "test",
    "toward",
    "usage",
    "way",
    "why_never",
    "why_not",
    "why_unanswered",
    "worst",
]

SHUTTING: frozenset[tuple[str, ...]] = frozenset()
"""None is told of."""


def board(data: Mapping[str, Any]) -> Board:
    """The fixed data of a scenario. Raises BadScenario with every defect."""
    from pbem.rules.sengoku.scenario import board  # a board that is kept needs no reading

    return board(data)


def maps(b: Board) -> dict[str, Map]:
    """The map in play, by name."""
    return {b.map.name: b.map}


def of_side(b: Board) -> Mapping[str, Sequence[str]]:
    """Each side's units, by id."""
    return b.of_side


def worst(s: State, request: Roll | Draw, side: str) -> Answer:
    """The answer to a pending chance that is worst for a side."""
    from pbem.rules.sengoku.adverse import worst  # only a side whose secret is lost needs it

    return worst(s, request, side)


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the dice of an event told could have brought, each with its chance; none of an event without dice."""
    from pbem.rules.sengoku.brought import chances  # only reports need it

    return chances(b, what, facts)


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words mean of which only the position tells the way or whom, None for others."""
    from pbem.rules.sengoku.going import way

    return way(s, choose, words)


def toward(board: Board, side: str, words: Words) -> Order:
    """The order that words with `to PLACE` mean wherever units stand: as if one step led there."""
    return one_step(lambda words: read_order(board, side, words), words)


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form for a pending decision: every force and what it may do now."""
    from pbem.rules.sengoku.order_form import form  # with its odds, which only the form needs

    return form(s, choose)


def dangers(s: State, side: str) -> Iterator[Danger]:
    """What may befall a side before it is asked again."""
    from pbem.rules.sengoku.threats import dangers  # only `check` asks

    return dangers(s, side)


def factors(s: State, _: str, order: Order, standing: Standing | None = None) -> Iterator[Factor]:
    """What decides what a legal order's dice mean, one by one with its clause; none of an order without dice."""
    from pbem.rules.sengoku.odds import factors  # only who asks for odds needs it

    return factors(s, order, standing)


def usage(_: Board) -> Mapping[str, str]:
    """How each order is written."""
    return USAGE


def options_of(s: State, choose: Choose, unit: str) -> Iterator[Order]:
    """Those of a decision's options that are given to a force."""
    from pbem.rules.sengoku.operation import given_to  # only who looks at one force needs it

    return given_to(s, choose, unit)


def tell_cost(s: State, _: str, order: Order) -> str:
    """The points of a move; "" for other orders."""
    from pbem.rules.sengoku.order_form import tell_cost

    return tell_cost(s, order)


def tell_met(_: State, __: Order) -> str:
    """Nothing: the target, cost and odds of an order say all of it."""
    return ""


def tell_odds(s: State, _: str, order: Order, standing: Standing | None = None) -> str:
    """What a legal order's dice may bring, with chances; "" for an order without dice."""
    from pbem.rules.sengoku.odds import tell_odds

    return tell_odds(s, order, standing)


def advise(s: State, choose: Choose, chance: Chance, style: Style | None = None) -> Order:
    """A sensible answer to a pending decision."""
    from pbem.rules.sengoku.bot import advise  # only a computer player needs it

    return advise(s, choose, chance) if style is None else advise(s, choose, chance, style)


def doubts(_: State, __: str, ___: Order) -> list[Words]:
    """None: no plan of a computer player lasts over what the other side does."""
    return []


def stance(s: State, side: str, orders: Sequence[Words]) -> list[Words]:
    """The standing orders that a computer player adds to those in force, the latest last."""
    from pbem.rules.sengoku.answers import stance

    return stance(s, side, orders)


def styles(_: State, __: str) -> tuple[Style, ...]:
    """The weights by which a computer player may answer, the best as a rule first."""
    from pbem.rules.sengoku.weights import STYLES

    return STYLES


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win, from 0 to 1."""
    from pbem.rules.sengoku.outlook import prospect

    return prospect(s, side)
