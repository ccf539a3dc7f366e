"""A chapter of the rules that asks a side for orders, one after another: what it asks, and what it does with them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeAlias, TypeVar

from pbem.errors import Refusal
from pbem.records import NamedTuple
from pbem.rules.requests import Activity, Answer, Chance, Choose, Order, Request, StepEnd, Tell, Words

__all__ = ["OF_THE_PHASE", "Chapter", "Steps", "ask", "dropped", "options_of", "why_never", "why_not"]

S = TypeVar("S")

Steps: TypeAlias = Activity
"""A part of an activity."""

OF_THE_PHASE = ""
"""The clause of a refusal that is by the clause of the phase."""


class Chapter(NamedTuple, Generic[S]):
    """What a phase is played by; each function is given the state and the side that is asked.

    prompt      what is asked, in words
    why_not     why an order is refused, by a clause or OF_THE_PHASE;  options, sample: legal ones (requests.Choose)
    anyone      whether there is anything left to ask
    carry_out   the order and all that follows from it
    never       why an order can be given in no phase of this kind, whatever comes before; None where all may be
    done        the order that closes the phase; None where it ends with the last that there is to ask
    standing    the answer of standing orders, `default` that of the rulings: of a phase in which a side reacts
    once        whether an order is judged only once while one is asked, and what `sample` gives, as it is legal, never
    """

    kind: str
    prompt: Callable[[S], str]
    why_not: Callable[[S, str, Order], Refusal | None]
    options: Callable[[S, str], Iterable[Order]]
    sample: Callable[[S, str, Chance], Order]
    anyone: Callable[[S, str], bool]
    carry_out: Callable[[S, str, Order], Steps | Iterator[Tell]]
    done: Order | None = None
    never: Callable[[S, str, Order], Refusal | None] | None = None
    standing: Callable[[S, str, Sequence[Words]], Order | None] | None = None
    default: Callable[[S, str], Order] | None = None
    once: bool = False


def why_not(s: S, side: str, clause: str, chapter: Chapter[S], order: Order) -> Refusal | None:
    """Why a side can't give an order in a phase of this clause."""
    return _with_clause(chapter.why_not(s, side, order), clause)


def why_never(s: S, side: str, clause: str, chapter: Chapter[S], order: Order) -> Refusal | None:
    """Why a side can never give an order in a phase of this clause."""
    return _with_clause(chapter.never(s, side, order), clause) if chapter.never is not None else None


def _with_clause(refusal: Refusal | None, clause: str) -> Refusal | None:
    """A refusal by the clause of the phase where it has none of its own."""
    return refusal._replace(clause=clause) if refusal is not None and refusal.clause == OF_THE_PHASE else refusal


def ask(
    s: S, side: str, clause: str, chapter: Chapter[S], window: str, ends: StepEnd | None = None
) -> Generator[Request | Tell, Answer, bool]:
    """Ask a side for its next order and carry it out; True when the order closed the phase.

    Left-over orders live as long as the `window`; `ends` is the end of the step, of a phase in several.
    """
    standing, default = chapter.standing, chapter.default
    judged: dict[Order, Refusal | None] = {}
    drawn: Order = None

    def judge(order: Order) -> Refusal | None:
        if not chapter.once:
            return why_not(s, side, clause, chapter, order)
        if drawn is not None and order is drawn:  # looking it up among the judged would take longer
            return None
        if order in judged:
            return judged[order]
        judged[order] = refusal = why_not(s, side, clause, chapter, order)
        return refusal

    def sample(chance: Chance) -> Order:
        nonlocal drawn
        drawn = chapter.sample(s, side, chance)
        return drawn

    order = yield Choose(
        side,
        chapter.kind,
        clause,
        chapter.prompt(s),
        judge,
        lambda: chapter.options(s, side),
        sample,
        window if standing is None else "",
        reaction=standing is not None,
        standing=None if standing is None else lambda orders: standing(s, side, orders),
        default=None if default is None else lambda: default(s, side),
        ends=ends,
    )
    done = chapter.done
    if done is not None and type(order) is type(done) and order == done:
        return True
    yield from chapter.carry_out(s, side, order)
    return False


def options_of(_: object, choose: Choose, unit: str) -> Iterator[Order]:
    """Rules.options_of where every order given to a unit has it as its `unit`, and all options are soon listed."""
    return (order for order in choose.options() if getattr(order, "unit", "") == unit)


def dropped(words: Words, refused: Mapping[str, Refusal]) -> tuple[Tell, ...]:
    """A `drop` for each part of an order, by its name, that can't be carried out any more, with why not."""
    order = " ".join(words)
    return tuple(
        Tell("drop", r.clause, {"unit": unit, "order": order, "reason": r.reason}) for unit, r in refused.items()
    )
