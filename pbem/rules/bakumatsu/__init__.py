"""Decisive Battles of the Bakumatsu: the rules of Toba-Fushimi."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.errors import Refusal
from pbem.maps.map import Map
from pbem.rules.bakumatsu import fire, melee, recovery_movement, retreat
from pbem.rules.bakumatsu.board import EDITION, Board
from pbem.rules.bakumatsu.orders import (
    CLOSING,
    STANDING,
    WAYS,
    Fire,
    Melee,
    Recover,
    order_words,
    read_order,
    read_standing,
    read_test,
    usage,
)
from pbem.rules.bakumatsu.orders import holds as test
from pbem.rules.bakumatsu.sequence import clock, next_activity, why_never, why_not
from pbem.rules.bakumatsu.situation import GOOD, situation
from pbem.rules.bakumatsu.state import State, copy, dump, load, start
from pbem.rules.bakumatsu.victory import decisive, outcome
from pbem.rules.kit import standing
from pbem.rules.kit.ask import options_of
from pbem.rules.kit.going import one_step, onward
from pbem.rules.kit.phases import TURN
from pbem.rules.kit.phases import again as answered
from pbem.rules.kit.state import uncounted as harmed
from pbem.rules.kit.state import unspent as spends
from pbem.rules.kit.words import CONDITIONS
from pbem.rules.requests import Answer, Chance, Choose, Danger, Draw, Factor, FormEntry, Order, Roll, Tell, Words

if TYPE_CHECKING:
    from pbem.rules.bakumatsu.style import Style
    from pbem.rules.kit.throws import Shares

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
    from pbem.rules.bakumatsu.scenario import board  # a board that is kept needs no reading

    return board(data)


def maps(b: Board) -> dict[str, Map]:
    """The maps in play, by name: the one of the battle."""
    return {b.map.name: b.map}


def of_side(b: Board) -> Mapping[str, Sequence[str]]:
    """Each side's units, by id."""
    return b.of_side


def in_force(s: State, orders: Sequence[Words]) -> list[Words]:
    """The standing orders (latest last) that can still answer something."""
    return standing.in_force(orders, lambda unit: retreat.why_never(s, unit) is not None)


def why_unanswered(s: State, words: Words) -> Refusal | None:
    """Why a standing order can never answer anything: it is for a unit that never retreats, or that is gone."""
    return standing.why_unanswered(words, lambda unit: retreat.why_never(s, unit))


def advise(s: State, choose: Choose, chance: Chance, style: Style | None = None) -> Order:
    """A sensible answer to a pending decision."""
    from pbem.rules.bakumatsu import bot, weighed  # only a computer player needs them

    return bot.advise(s, choose, chance) if style is None else weighed.advise(s, choose, chance, style)


def doubts(_: State, __: str, ___: Order) -> list[Words]:
    """None: no plan of a computer player lasts over what the other side does."""
    return []


def stance(_: State, __: str, ___: Sequence[Words]) -> list[Words]:
    """None: the defaults of the rules serve the computer player."""
    return []


def styles(_: State, __: str) -> tuple[Style, ...]:
    """The weights by which a computer player may answer, the best as a rule first."""
    from pbem.rules.bakumatsu.style import PORTFOLIO

    return PORTFOLIO


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win, from 0 to 1."""
    from pbem.rules.bakumatsu.outlook import prospect

    return prospect(s, side)


def step(_: Order) -> int:
    """No phase has steps: orders are carried out as they stand."""
    return 0


def remainder(s: State, side: str, order: Order) -> tuple[Order, tuple[Tell, ...]] | None:
    """A fire or melee without the supporters that have become illegal, and a `drop` for each of them."""
    match order:
        case Fire():
            return fire.remainder(s, side, order)
        case Melee():
            return melee.remainder(s, side, order)
        case Recover():
            return recovery_movement.remainder(s, side, order)
    return None


def worst(s: State, request: Roll | Draw, side: str) -> Answer:
    """The answer to a pending chance that is worst for a side."""
    from pbem.rules.bakumatsu.odds import worst  # only a side whose secret is lost needs it

    return worst(s, request, side)


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the dice of an event told could have brought, each with its chance; none of an event without dice."""
    from pbem.rules.bakumatsu.odds import chances  # only reports need it

    return chances(b, what, facts)


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words with `to HEX` mean at a pending decision, None for words that go nowhere."""
    from pbem.rules.bakumatsu.going import way  # only an order file asks

    return way(s, choose, words)


def toward(board: Board, side: str, words: Words) -> Order:
    """The order that words with `to HEX` mean wherever units stand: as if one step led there."""
    return one_step(lambda words: read_order(board, side, words), words)


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form for a pending decision: every unit and what it may do now."""
    from pbem.rules.bakumatsu.order_form import form  # with its odds, which only the form needs

    return form(s, choose)


def dangers(s: State, side: str) -> Iterator[Danger]:
    """What may befall a side, as things stand, before it moves."""
    from pbem.rules.bakumatsu.threats import dangers  # only who looks ahead needs it

    return dangers(s, side)


def factors(s: State, _: str, order: Order, __: object = None) -> Iterator[Factor]:
    """What decides what a legal order's dice mean, one by one with its clause; none of an order without dice."""
    from pbem.rules.bakumatsu.odds import factors  # only who asks for odds needs it

    return factors(s, order)


def tell_cost(s: State, _: str, order: Order) -> str:
    """What a legal order costs its unit, in points or hexes; "" for one that costs nothing that is counted."""
    from pbem.rules.bakumatsu.order_form import tell_cost

    return tell_cost(s, order)


def tell_met(_: State, __: Order) -> str:
    """Nothing: the target, cost and odds of an order say all of it."""
    return ""


def tell_odds(s: State, _: str, order: Order, __: object = None) -> str:
    """What a legal order's dice may bring, with chances; "" for an order without dice."""
    from pbem.rules.bakumatsu.order_form import tell_odds

    return tell_odds(s, order)
