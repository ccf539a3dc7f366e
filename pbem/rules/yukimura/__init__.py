"""The Siege of Osaka: the rules of Domyoji and Yao."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.errors import Refusal
from pbem.maps.map import Map
from pbem.rules.kit import ask, standing
from pbem.rules.kit.going import one_step, onward
from pbem.rules.kit.phases import TURN
from pbem.rules.kit.state import uncounted as harmed
from pbem.rules.kit.state import unspent as spends
from pbem.rules.kit.words import CONDITIONS
from pbem.rules.requests import Answer, Chance, Choose, Danger, Draw, Factor, FormEntry, Roll, Words
from pbem.rules.yukimura.acting import why_never_act
from pbem.rules.yukimura.board import EDITION, Board
from pbem.rules.yukimura.movement_phase import CHAPTER
from pbem.rules.yukimura.movement_phase import options_of as movement_options_of
from pbem.rules.yukimura.orders import (
    CLOSING,
    STANDING,
    USAGE,
    WAYS,
    Done,
    Melee,
    Order,
    order_words,
    read_order,
    read_standing,
    read_test,
)
from pbem.rules.yukimura.orders import holds as test
from pbem.rules.yukimura.sequence import answered, clock, next_activity, remainder, why_never, why_not
from pbem.rules.yukimura.situation import GOOD, situation
from pbem.rules.yukimura.state import State, copy, dump, load, start
from pbem.rules.yukimura.victory import decisive, outcome

if TYPE_CHECKING:
    from pbem.rules.kit.throws import Shares
    from pbem.rules.yukimura.weights import Style

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


TOLL: tuple[str, str, dict[str, str]] = ("", "", {})
"""Units lose nothing of themselves: they are lost whole."""


def board(data: Mapping[str, Any]) -> Board:
    """The fixed data of a scenario. Raises BadScenario with every defect."""
    from pbem.rules.yukimura.scenario import board  # a board that is kept needs no reading

    return board(data)


def maps(b: Board) -> dict[str, Map]:
    """The maps in play, by name."""
    return dict(b.maps)


def of_side(b: Board) -> Mapping[str, Sequence[str]]:
    """Each side's units, by id."""
    return b.of_side


def worst(s: State, request: Roll | Draw, side: str) -> Answer:
    """The answer to a pending chance that is worst for a side."""
    from pbem.rules.yukimura.odds import worst  # only a side whose secret is lost needs it

    return worst(s, request, side)


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the dice of an event told could have brought, each with its chance; none of an event without dice."""
    from pbem.rules.yukimura.odds import chances  # only reports need it

    return chances(b, what, facts)


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words with `to HEX` mean at a pending decision, None for words that go nowhere."""
    from pbem.rules.yukimura.going import way  # only an order file asks

    return way(s, choose, words)


def toward(board: Board, side: str, words: Words) -> Order:
    """The order that words with `to HEX` mean wherever units stand: as if one step led there."""
    return one_step(lambda words: read_order(board, side, words), words)


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form for a pending decision: every unit and what it may do now."""
    from pbem.rules.yukimura.order_form import form  # with its odds, which only the form needs

    return form(s, choose)


def dangers(_: State, __: str) -> tuple[Danger, ...]:
    """None: nothing is lost by a hex left empty."""
    return ()


def factors(s: State, _: str, order: Order, __: object = None) -> Iterator[Factor]:
    """What decides what a legal order's dice mean, one by one with its clause; none of an order without dice."""
    from pbem.rules.yukimura.odds import factors  # only who asks for odds needs it

    return factors(s, order)


def usage(_: Board) -> Mapping[str, str]:
    """How each order is written."""
    return USAGE


def options_of(s: State, choose: Choose, unit: str) -> Iterator[Order]:
    """Those of a decision's options that are given to a unit; "" for none."""
    if choose.kind == CHAPTER.kind and unit:
        own = unit in s.board.of_side[choose.side]
        return movement_options_of(s, choose.side, unit) if own else iter(())
    return ask.options_of(s, choose, unit)


def tell_cost(s: State, _: str, order: Order) -> str:
    """What a legal order costs its unit, in points or hexes; "" for one that costs nothing that is counted."""
    from pbem.rules.yukimura.order_form import tell_cost

    return tell_cost(s, order)


def tell_met(_: State, __: Order) -> str:
    """Nothing: the target, cost and odds of an order say all of it."""
    return ""


def tell_odds(s: State, _: str, order: Order, __: object = None) -> str:
    """What a legal order's dice may bring, with chances; "" for an order without dice."""
    from pbem.rules.yukimura.order_form import tell_odds

    return tell_odds(s, order)


def in_force(s: State, orders: Sequence[Words]) -> list[Words]:
    """The standing orders (latest last) that can still answer something."""
    return standing.in_force(orders, lambda unit: _why_not_asked(s, unit) is not None, ("defence",))


def why_unanswered(s: State, words: Words) -> Refusal | None:
    """Why a standing order can never answer anything: it is for a unit that is gone."""
    return standing.why_unanswered(words, lambda unit: _why_not_asked(s, unit))


def _why_not_asked(s: State, unit: str) -> Refusal | None:
    """Why nothing is asked about a unit any more, whatever comes."""
    return why_never_act(s, s.board.units[unit].side, unit, "11-1")


def advise(s: State, choose: Choose, chance: Chance, style: Style | None = None) -> Order:
    """A sensible answer to a pending decision."""
    from pbem.rules.yukimura.bot import advise  # only a computer player needs it

    return advise(s, choose, chance) if style is None else advise(s, choose, chance, style)


def doubts(_: State, __: str, ___: Order) -> list[Words]:
    """None: no plan of a computer player lasts over what the other side does."""
    return []


def stance(_: State, __: str, ___: Sequence[Words]) -> list[Words]:
    """None: the defaults of the rules serve the computer player."""
    return []


def styles(s: State, side: str) -> tuple[Style, ...]:
    """The weights by which a computer player may go on, the best as a rule first."""
    from pbem.rules.yukimura.weights import styles

    return styles(s, side)


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win, from 0 to 1."""
    from pbem.rules.yukimura.outlook import prospect

    return prospect(s, side)


def step(order: Order) -> int:
    """The step of its phase in which an order is carried out: all fire, then melee, then `done` (4-1(3), R79)."""
    if isinstance(order, Done):
        return 2
    return 1 if isinstance(order, Melee) else 0
