"""The rule systems: what each one offers the engine, and the table of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from pbem.errors import BadScenario, Refusal
from pbem.maps.map import Map
from pbem.rules.requests import (
    Activity,
    Answer,
    Chance,
    Choose,
    Danger,
    Draw,
    Factor,
    FormEntry,
    Order,
    Outcome,
    Roll,
    Standing,
    Tell,
    Words,
)

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["SYSTEMS", "Rules", "Situation", "Style", "rules_of"]

SYSTEMS = {
    "bakumatsu": "pbem.rules.bakumatsu",
    "gcacw": "pbem.rules.gcacw",
    "samurai": "pbem.rules.samurai",
    "sengoku": "pbem.rules.sengoku",
    "yukimura": "pbem.rules.yukimura",
}
"""name -> package, imported when first played."""

Board = Any
"""A system's fixed data: map, units, tables; made once from a scenario, never changed, never dumped."""

State = Any
"""A system's state: a record of plain data over a Board."""

Style = Any
"""A system's weights for its rules of thumb, one of its `styles`."""

Situation = dict[str, Any]
"""A state as plain JSON data for reports; its schema is docs/situation.schema.json."""


class Rules(Protocol):
    """What a system's package offers; the package itself fits this protocol."""

    EDITION: str

    TURN: str
    """What its players call a turn: `turn`, `inning`."""

    CLOSING: str
    """The order, of one word, that ends what is asked in a window (Choose.window): an entry's last, but for talk."""

    SHUTTING: frozenset[Words]
    """Orders that end their step for the rest of the turn: none of that step behind one can ever be carried out."""

    STANDING: Mapping[str, str]
    """Standing order -> how it is written behind `standing`."""

    CONDITIONS: Mapping[str, str]
    """Condition -> how it is written, `at U HEX`: a word for each that stands behind it, `HEX` for any place."""

    WAYS: Mapping[str, str]
    """Keyword -> what is said of the way that `way` has found for such an order, if there is anything to say."""

    GOOD: Mapping[str, Literal["high", "low"]]
    """Stem of a roll's label -> which dice are good for the side whose unit acts or checks, if any are."""

    TOLL: tuple[str, str, Mapping[str, str]]
    """What one unit loses of itself before it is lost, `figure`, several of that, and for each event in which one does,
    or is lost with what it still had, the fact that says how much, "" for one. ("", "", {}): nothing is counted."""

    def board(self, data: Mapping[str, Any], /) -> Board:
        """The fixed data of a scenario. Raises BadScenario with every defect."""

    def start(self, board: Board, options: Mapping[str, str], /) -> State:
        """The state before the first decision. Raises BadScenario for an unknown option."""

    def next_activity(self, state: State, /) -> Activity:
        """The activity that the sequence of play has next; only called while `outcome` is None."""

    def outcome(self, state: State, /) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def maps(self, board: Board, /) -> Mapping[str, Map]:
        """The maps in play, by name; none for a game on a continuous table."""

    def of_side(self, board: Board, /) -> Mapping[str, Sequence[str]]:
        """Each side's units, by id: all that the situation tells, whatever has become of them."""

    def clock(self, state: State, /) -> tuple[int, str]:
        """The turn, which never falls, and the id of the phase, which may be nobody's.

        What is told between two changes of it stands under one heading; how long orders live is for Choose.window.
        """

    def copy(self, state: State, /) -> State:
        """An independent state over the same board."""

    def dump(self, state: State, /) -> dict[str, Any]:
        """The state as JSON data: whole numbers and no float, as its hash must be the same everywhere."""

    def load(self, board: Board, dump: Mapping[str, Any], /) -> State:
        """The state from `dump`; the inverse of it."""

    def read_order(self, board: Board, side: str, words: Words, /) -> Order:
        """An order from its words; unique prefixes of ids are accepted. Raises MalformedOrder or AmbiguousOrder."""

    def order_words(self, board: Board, order: Order, /) -> Words:
        """The words of an order, with full ids: `read_order(order_words(x)) == x`."""

    def way(self, state: State, choose: Choose, words: Words, /) -> Order | None:
        """The order that words with `to PLACE` mean at a pending decision: there by the cheapest legal way.

        Also that of words of which only the position tells whom they mean; None for all others. For order files alone:
        what is signed names unit and way. Raises MalformedOrder, AmbiguousOrder, IllegalOrder where no way is legal.
        """

    def toward(self, board: Board, side: str, words: Words, /) -> Order:
        """An order such as words with `to PLACE` mean, wherever units stand: of that kind, for that unit.

        For orders of a phase to come. Raises MalformedOrder or AmbiguousOrder.
        """

    def onward(self, state: State, choose: Choose, words: Words, before: Sequence[Order], /) -> Order | None:
        """The order that words with `to PLACE` mean wherever the dice of the orders `before` it leave its units.

        `state` is where these lead at best. None where `way` alone tells, as in systems without such orders.
        Raises as `way`.
        """

    def why_not(self, state: State, side: str, order: Order, /) -> Refusal | None:
        """Why a side can't give an order in the phase as it stands, whether it is asked just now or not."""

    def why_never(self, state: State, side: str, phase: str, order: Order, /) -> Refusal | None:
        """Why a side can't give an order in a phase of the turn, by its id, whatever comes before; None where it may.

        For orders that are planned: one of another kind, for units that aren't its own, at targets that are.
        """

    def spends(self, board: Board, order: Order, /) -> Mapping[str, Refusal]:
        """What an order takes of which there is one a turn, by a word, and why no second order takes it.

        For orders that are given before their phase comes, where nothing else finds both: two works of one unit.
        """

    def step(self, order: Order, /) -> int:
        """The step of its phase in which an order is carried out, 0 for the first: all fire before all melee.

        Orders stand in an entry in any order and are carried out step by step, in each as they stand (orders.in_steps);
        nothing passes the closing order.
        """

    def remainder(self, state: State, side: str, order: Order, /) -> tuple[Order, tuple[Tell, ...]] | None:
        """What is left of an illegal order when the parts that make it illegal are dropped, and a Tell for each.

        None when nothing legal is left. For orders given before the dice fell; strict checks don't ask. Of the end of a
        step that has ended by itself nothing is left to do: (None, ()).
        """

    def decisive(self, state: State, order: Order, /) -> bool:
        """Whether a legal order may end the game when it is carried out; False only where it surely can't."""

    def read_standing(self, board: Board, side: str, words: Words, /) -> Words:
        """A standing order's words with full ids. Raises MalformedOrder or AmbiguousOrder."""

    def in_force(self, state: State, orders: Sequence[Words], /) -> list[Words]:
        """Those of a side's standing orders (latest last) that can still answer something: for reports and the form.

        None that a later one has replaced or cleared, and none for a unit that is asked nothing any more.
        """

    def why_unanswered(self, state: State, words: Words, /) -> Refusal | None:
        """Why a standing order (as `read_standing` gave it) can never answer anything, whatever comes; None where it
        may, and for one that clears another."""

    def read_test(self, board: Board, words: Words, /) -> Words:
        """A condition's words with full ids. Raises MalformedOrder or AmbiguousOrder.

        The conditions are `gone U`, `alive U`, `at U HEX`, `empty HEX`, `held HEX SIDE`, `is U WORD`; with castles
        `fallen CASTLE` too.
        """

    def test(self, state: State, words: Words, /) -> bool:
        """Whether a condition (as `read_test` gave it) holds now."""

    def worst(self, state: State, request: Roll | Draw, side: str, /) -> Answer:
        """The answer to a pending chance that is worst for a side: what its lost secret costs it (protocol 4.4)."""

    def harmed(self, state: State, side: str, /) -> tuple[int, ...]:
        """How badly a side stands, where the end of the game says nothing: more is worse, compared from the left.

        As many numbers in each state: by them the dice of a lost secret are judged (protocol 4.4). () where a system
        counts nothing: then high and low decide.
        """

    def chances(self, board: Board, what: str, facts: Mapping[str, Any], /) -> Mapping[str, Fraction]:
        """What the dice of an event told could have brought, each with its chance; none of an event without dice."""

    def usage(self, board: Board, /) -> Mapping[str, str]:
        """Keyword -> how the order is written: `U` and `V` are units, words in large letters what stands for them."""

    def options_of(self, state: State, choose: Choose, unit: str, /) -> Iterable[Order]:
        """Those of a decision's `options` that are given to a unit: named first of its side's; of "" those without."""

    def situation(self, state: State, /) -> Situation:
        """The state as plain data for reports."""

    def form(self, state: State, choose: Choose, /) -> Iterable[FormEntry]:
        """The order form for a pending decision: every unit and what it may do now, or why it can do nothing."""

    def dangers(self, state: State, side: str, /) -> Iterable[Danger]:
        """What may befall a side as things stand, before it is asked for orders that could prevent it.

        `check` tells it of the positions to which orders lead, one danger of each clause at most in each.
        """

    def tell_cost(self, state: State, side: str, order: Order, /) -> str:
        """What a legal order costs its unit as things stand, in what its form counts: `3 points`; "" for nothing."""

    def tell_met(self, state: State, order: Order, /) -> str:
        """What a legal order meets, in the words of the form: whom a move touches, on which side an attack falls.

        "" for nothing, and where the order's target, cost and odds say all of it.
        """

    def tell_odds(self, state: State, side: str, order: Order, standing: Standing | None = None, /) -> str:
        """What a legal order's dice may bring, with chances as in the order form; "" for an order without dice.

        What `standing` orders answer between its dice may count, where a system has such questions.
        """

    def factors(self, state: State, side: str, order: Order, standing: Standing | None = None, /) -> Iterable[Factor]:
        """What decides what a legal order's dice mean, or that it needs none, one by one with its clause."""

    def advise(self, state: State, choose: Choose, chance: Chance, style: Style = None, /) -> Order:
        """A sensible answer to a pending decision by rules of thumb; only ties are left to chance.

        They have the weights of a style; None is the bold one, which plays boldly for its goals.
        """

    def stance(self, state: State, side: str, orders: Sequence[Words], /) -> list[Words]:
        """The standing orders that a computer player gives besides those `orders` in force, which none of it repeats.

        One without anything behind whom it is about ends that order. None where the rules' defaults serve.
        """

    def doubts(self, state: State, side: str, order: Order, /) -> Sequence[Words]:
        """The conditions behind an order just carried out at which a computer player thinks anew what it has planned.

        Those that don't hold now, in one of many futures. None where no plan lasts over what the other side does.
        """

    def styles(self, state: State, side: str, /) -> Sequence[Style]:
        """The weights by which a computer player may play this phase for a side, those that win the most first."""

    def answered(self, now: tuple[int, str], /) -> tuple[int, str]:
        """The turn and the id of the phase as which begins the other side has answered what a side does `now`."""

    def prospect(self, state: State, side: str, /) -> float:
        """About how likely a side is to win from here, from 0 to 1, by what both sides can see of a game under way."""


def rules_of(system: str) -> Rules:
    """The rules of a system by name. Raises BadScenario for a system that doesn't exist."""
    if system not in SYSTEMS:
        raise BadScenario(f"no rule system is called {system!r}", hint=f"there are: {', '.join(sorted(SYSTEMS))}")
    return cast(Rules, import_module(SYSTEMS[system]))
