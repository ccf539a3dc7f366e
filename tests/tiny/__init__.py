"""The smallest rule system: each order says what is asked next, so a game may ask anything of anybody at any time.

    next PLAN      PLAN is [roll-] and one of act-red, act-blue, answer-red, answer-blue, over

`roll-` puts a die before it; `act` asks for orders, `answer` for a reaction; `over` ends the game by its rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pbem.rules.requests import Activity, Choose, Outcome, Roll, Words

EDITION = "tiny/1"
CLOSING = "close"
SHUTTING: frozenset[tuple[str, ...]] = frozenset()
TURN = "turn"
STANDING: Mapping[str, str] = {}
CONDITIONS: Mapping[str, str] = {}
ASKED = ("act-red", "act-blue", "answer-red", "answer-blue", "over")
PLANS = (*ASKED, *(f"roll-{plan}" for plan in ASKED))


class Order(NamedTuple):
    """What is asked next."""

    plan: str


@dataclass(slots=True)
class State:
    """What is asked now."""

    plan: str


def board(_: Mapping[str, Any]) -> None:
    """Nothing is fixed."""


def start(_: None, options: Mapping[str, str]) -> State:
    """The option says what is asked first."""
    return State(options["plan"])


def next_activity(s: State) -> Activity:
    """A die, a decision, or both."""
    plan = s.plan.removeprefix("roll-")
    if plan != s.plan:
        yield Roll("die", dice=1)
    if plan == "over":
        s.plan = plan
        return
    what, side = plan.split("-")
    order = yield Choose(
        side, what, "", "", why_not=lambda _: None, options=list, sample=lambda _: None, reaction=what == "answer"
    )
    s.plan = order.plan


def outcome(s: State) -> Outcome | None:
    """A draw, once it is over."""
    return Outcome(None, "", "it is over") if s.plan == "over" else None


def clock(_: State) -> tuple[int, str]:
    """There is no time."""
    return 1, "phase"


def copy(s: State) -> State:
    """An independent state."""
    return State(s.plan)


def dump(s: State) -> dict[str, Any]:
    """The state as JSON data."""
    return {"plan": s.plan}


def load(_: None, dumped: Mapping[str, Any]) -> State:
    """The state from `dump`."""
    return State(dumped["plan"])


def read_order(_: None, __: str, words: Words) -> Order:
    """An order from its words."""
    return Order(words[1])


def order_words(_: None, order: Order) -> Words:
    """The words of an order."""
    return "next", order.plan


def spends(_: None, __: Order) -> dict[str, Any]:
    """Nothing is spent."""
    return {}


def step(_: Order) -> int:
    """Every phase has one step."""
    return 0


def remainder(*_: Any) -> None:
    """Nothing is left of an order that can't be carried out."""


def harmed(_: State, __: str) -> tuple[int, ...]:
    """Nobody is harmed."""
    return ()


def worst(_: State, request: Roll, __: str) -> tuple[int, ...]:
    """All dice are the same to everybody."""
    return (1,) * request.dice
