"""Samurai: a battle of miniatures on a table without hexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.errors import Refusal
from pbem.maps.map import Map
from pbem.rules.kit.ask import options_of
from pbem.rules.kit.going import onward
from pbem.rules.kit.phases import TURN
from pbem.rules.kit.phases import again as answered
from pbem.rules.kit.state import uncounted as harmed
from pbem.rules.kit.state import unspent as spends
from pbem.rules.kit.words import CONDITIONS
from pbem.rules.requests import Answer, Chance, Choose, Danger, Draw, Factor, FormEntry, Roll, Words
from pbem.rules.samurai.board import EDITION, Board
from pbem.rules.samurai.orders import CLOSING, USAGE, Order, order_words, read_order, read_standing, read_test
from pbem.rules.samurai.orders import holds as test
from pbem.rules.samurai.orders import step_of as step
from pbem.rules.samurai.sequence import clock, next_activity, remainder, why_never, why_not
from pbem.rules.samurai.situation import GOOD, TOLL, situation
from pbem.rules.samurai.state import State, copy, dump, load, start
from pbem.rules.samurai.victory import decisive, outcome

if TYPE_CHECKING:
    from pbem.rules.kit.throws import Shares
    from pbem.rules.samurai.weights import Style

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


STANDING: dict[str, str] = {}
"""No standing orders: nobody is asked in the other's turn."""

WAYS: dict[str, str] = {}
"""Nothing is said of ways: the orders that are signed have them whole."""


def board(data: Mapping[str, Any]) -> Board:
    """The fixed data of a scenario. Raises BadScenario with every defect."""
    from pbem.rules.samurai.scenario import board  # a board that is kept needs no reading

    return board(data)


def maps(_: Board) -> dict[str, Map]:
    """None: the table has no hexes."""
    return {}


def of_side(b: Board) -> Mapping[str, Sequence[str]]:
    """Each side's units, by id."""
    return b.of_side


def in_force(_: State, __: Sequence[Words]) -> list[Words]:
    """None: there are no standing orders, as nobody is asked in the other's turn."""
    return []


def why_unanswered(_: State, words: Words) -> Refusal | None:
    """Why no standing order answers anything: nobody is asked in the other's turn."""
    return Refusal("turn_sequence.1", f"nobody is asked what `{' '.join(words)}` would answer")


def dangers(_: State, __: str) -> Iterable[Danger]:
    """None: what befalls a side in the other's turn is the other's to decide, and its dice's."""
    return ()


def worst(s: State, request: Roll | Draw, side: str) -> Answer:
    """The answer to a pending chance that is worst for a side."""
    from pbem.rules.samurai.odds import worst  # only a side whose secret is lost needs it

    return worst(s, request, side)


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the dice of an event told could have brought, each with its chance; none of an event without dice."""
    from pbem.rules.samurai.odds import chances  # only reports need it

    return chances(b, what, facts)


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words with `to` mean at a pending decision, None for words that go nowhere."""
    from pbem.rules.samurai.going import way  # only an order file asks

    return way(s, choose, words)


def toward(board: Board, side: str, words: Words) -> Order:
    """An order for the unit that words with `to` name, wherever it stands."""
    from pbem.rules.samurai.going import toward  # only orders of a turn to come ask

    return toward(board, side, words)


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form for a pending decision: every unit and what it may do now and later in the turn."""
    from pbem.rules.samurai.order_form import form  # with its odds, which only the form needs

    return form(s, choose)


def factors(s: State, _: str, order: Order, __: object = None) -> Iterator[Factor]:
    """What decides what a legal order's dice mean, one by one with its clause; none of an order without dice."""
    from pbem.rules.samurai.odds import factors  # only who asks for odds needs it

    return factors(s, order)


def usage(_: Board) -> Mapping[str, str]:
    """How each order is written."""
    return USAGE


def tell_cost(s: State, _: str, order: Order) -> str:
    """The inches of a straight move, as far as it comes; "" for other orders."""
    from pbem.rules.samurai.order_form import tell_cost

    return tell_cost(s, order)


def tell_met(s: State, order: Order) -> str:
    """Whom or what a move meets, with what an attack may bring there; on which side an attack falls; "" for others."""
    from pbem.rules.samurai.order_form import tell_met

    return tell_met(s, order)


def tell_odds(s: State, _: str, order: Order, __: object = None) -> str:
    """What a legal order's dice may bring, with chances; "" for an order without dice."""
    from pbem.rules.samurai.odds import tell_odds

    return tell_odds(s, order)


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win, from 0 to 1."""
    from pbem.rules.samurai.outlook import prospect  # only a computer player needs it

    return prospect(s, side)


def doubts(_: State, __: str, ___: Order) -> list[Words]:
    """None: no plan of a computer player lasts over what the other side does."""
    return []


def stance(_: State, __: str, ___: Sequence[Words]) -> list[Words]:
    """None: the defaults of the rules serve the computer player."""
    return []


def styles(_: State, __: str) -> tuple[Style, ...]:
    """The rules of thumb by which a side may play, the best one first."""
    from pbem.rules.samurai.weights import STYLES  # only a computer player needs it

    return STYLES


def advise(s: State, choose: Choose, chance: Chance, style: Style | None = None) -> Order:
    """A sensible answer to a pending decision, by a rule of thumb; without one by the bold player's."""
    from pbem.rules.samurai.bot import advise  # only a computer player needs it
    from pbem.rules.samurai.weights import BOLD

    return advise(s, choose, chance, style or BOLD)
