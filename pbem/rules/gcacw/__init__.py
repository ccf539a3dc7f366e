"""Great Campaigns of the American Civil War: Stonewall Jackson's Way, its five battles and its two campaigns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.errors import Refusal
from pbem.maps.map import Map
from pbem.rules.gcacw.along import from_there
from pbem.rules.gcacw.board import EDITION, Board
from pbem.rules.gcacw.orders import Order
from pbem.rules.gcacw.orders import step_of as step
from pbem.rules.gcacw.sequence import TURN, clock, next_activity, remainder, why_not
from pbem.rules.gcacw.situation import GOOD, TOLL, situation
from pbem.rules.gcacw.standing import CONDITIONS, STANDING, in_force, read_standing, read_test, why_unanswered
from pbem.rules.gcacw.standing import holds as test
from pbem.rules.gcacw.state import State, copy, dump, load, start
from pbem.rules.gcacw.victory import decisive, outcome
from pbem.rules.gcacw.wording import CLOSING, SHUTTING, USAGE, WAYS, order_words, read_order
from pbem.rules.kit.phases import again as answered
from pbem.rules.requests import Answer, Chance, Choose, Danger, Draw, Factor, FormEntry, Roll, Standing, Words

if TYPE_CHECKING:
    from pbem.rules.gcacw.weights import Style
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
    "Order",
    "State",
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


def board(data: Mapping[str, Any]) -> Board:
    """The fixed data of a scenario. Raises BadScenario with every defect."""
    from pbem.rules.gcacw.scenario import board  # a board that is kept needs no reading

    return board(data)


def maps(b: Board) -> dict[str, Map]:
    """The map in play, by name."""
    return {b.map.name: b.map}


def spends(b: Board, order: Order) -> Mapping[str, Refusal]:
    """What an order takes of which there is one a turn, with why."""
    from pbem.rules.gcacw.never import spends  # only orders of one entry, or plans, are held against each other

    return spends(b, order)


def worst(s: State, request: Roll | Draw, side: str) -> Answer:
    """The answer to a pending chance that is worst for a side."""
    from pbem.rules.gcacw.adverse import worst  # only a side whose secret is lost needs it

    return worst(s, request, side)


def harmed(s: State, side: str) -> tuple[int, ...]:
    """How badly a side stands, for the dice of a lost secret."""
    from pbem.rules.gcacw.adverse import harmed

    return harmed(s, side)


def why_never(s: State, side: str, phase: str, order: Order) -> Refusal | None:
    """Why a side can't give an order in a phase, whatever comes before."""
    from pbem.rules.gcacw.planned import why_never  # only plans are asked for

    return why_never(s, side, phase, order)


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words with `to PLACE` mean now, None for others."""
    from pbem.rules.gcacw.going import way

    return way(s, choose, words)


def toward(board: Board, side: str, words: Words) -> Order:
    """The order that words with `to PLACE` mean wherever units stand: as if one step led there."""
    from pbem.rules.gcacw.going import toward  # only order files ask

    return toward(board, side, words)


def onward(s: State, choose: Choose, words: Words, before: Sequence[Order]) -> Order | None:
    """What words with `to PLACE` mean wherever the dice of these orders leave their unit; None for others."""
    from pbem.rules.gcacw.going import onward

    return onward(s, choose, words, before)


def of_side(b: Board) -> Mapping[str, Sequence[str]]:
    """Each side's counters, by id."""
    return b.of_side


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the dice of an event told could have brought, each with its chance; none of an event without dice."""
    from pbem.rules.gcacw.brought import chances  # only reports need it

    return chances(b, what, facts)


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form for a pending decision: every unit by corps and leader, and what it may do now."""
    from pbem.rules.gcacw.order_form import form  # with its odds, which only the form needs

    return form(s, choose)


def dangers(s: State, side: str) -> Iterator[Danger]:
    """What may befall a side before it is asked again."""
    from pbem.rules.gcacw.threats import dangers  # only `check` asks

    return dangers(s, side)


def factors(s: State, _: str, order: Order, standing: Standing | None = None) -> Iterator[Factor]:
    """What decides what a legal order's dice mean, one by one with its clause."""
    from pbem.rules.gcacw.reasons import factors  # only who asks for odds needs it

    there = from_there(s, order)
    return iter(()) if isinstance(there, Refusal) else factors(s, there, standing)


def usage(_: Board) -> Mapping[str, str]:
    """How each order is written."""
    return USAGE


def options_of(s: State, choose: Choose, unit: str) -> Iterator[Order]:
    """Those of a decision's options that are given to a counter."""
    from pbem.rules.gcacw.actions import given_to  # only who looks at one counter needs it

    return given_to(s, choose, unit)


def tell_cost(s: State, _: str, order: Order) -> str:
    """The points that marches cost as things stand; "" for other orders."""
    from pbem.rules.gcacw.acting_form import tell_cost

    there = from_there(s, order)
    return "" if isinstance(there, Refusal) else tell_cost(s, there)


def tell_met(_: State, __: Order) -> str:
    """Nothing: the target, cost and odds of an order say all of it."""
    return ""


def tell_odds(s: State, _: str, order: Order, standing: Standing | None = None) -> str:
    """What a legal order's dice may bring, with chances; "" for an order without dice."""
    from pbem.rules.gcacw.odds import tell_odds

    there = from_there(s, order)
    return "" if isinstance(there, Refusal) else tell_odds(s, there, standing)


def advise(s: State, choose: Choose, chance: Chance, style: Style | None = None) -> Order:
    """A sensible answer to a pending decision."""
    from pbem.rules.gcacw.bot import advise  # only a computer player needs it

    return advise(s, choose, chance) if style is None else advise(s, choose, chance, style)


def doubts(s: State, side: str, order: Order) -> list[Words]:
    """The conditions behind an order that has been carried out at which a computer player thinks its plan anew."""
    from pbem.rules.gcacw.bot import doubts

    return doubts(s, side, order)


def stance(s: State, side: str, orders: Sequence[Words]) -> list[Words]:
    """The standing orders that a computer player adds to those in force, the latest last."""
    from pbem.rules.gcacw.answers import stance

    return stance(s, side, orders)


def styles(_: State, __: str) -> tuple[Style, ...]:
    """The weights by which a computer player may play, the best as a rule first."""
    from pbem.rules.gcacw.weights import STYLES

    return STYLES


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win, from 0 to 1."""
    from pbem.rules.gcacw.outlook import prospect

    return prospect(s, side)
