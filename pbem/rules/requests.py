"""What rules ask for: a roll, a draw or a decision; and what they tell while they work.

An activity (one fire, one melee, one unit's move ...) is a generator that yields these and receives the answers:

    Roll   -> tuple of int, the dice in order
    Draw   -> tuple of str, the counters in the order drawn
    Choose -> an order, as the system's own frozen leaf
    Tell   -> None
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from pbem.errors import Refusal
from pbem.records import NamedTuple

__all__ = [
    "Activity", "Answer", "Chance", "Choose", "Cut", "Danger", "Draw", "Factor", "FormEntry", "Order", "Outcome",
    "Request", "Roll", "Standing", "StepEnd", "Tell", "Words", "dice_side",
]  # fmt: skip

T = TypeVar("T")

Words: TypeAlias = tuple[str, ...]
"""An order in the order language: keyword first, full ids, e.g. `("fire", "sg-02", "at", "sa-03")`."""

Standing: TypeAlias = Mapping[str, Sequence[Words]]
"""Side -> its standing orders, the latest last."""

Order: TypeAlias = Any
"""A system's order: a frozen leaf of its own, made by its `read_order`, hashable and comparable."""


class Chance(Protocol):
    """What a sampler needs of a random generator; `random.Random` fits."""

    def random(self) -> float: ...
    def randrange(self, stop: int, /) -> int: ...
    def choice(self, seq: Sequence[T], /) -> T: ...


class Cut(NamedTuple):
    """What a roll may put an end to by itself, or with those behind it: the time in which orders of a `window` wait.

    `answer` is the one that does. The sides that are `through` lose nothing by that; nor does who has closed what he is
    asked. `lost` tells of an order whether it isn't carried out then, `fights` whether it may be spared a combat.
    """

    answer: tuple[int, ...]
    window: str
    through: tuple[str, ...]
    lost: Callable[[Order], bool]
    fights: Callable[[Order], bool]


class Roll(NamedTuple):
    """A chance node: `dice` dice with `sides` sides. `label` is the stem of the roll's name, e.g. `fire/1405`.

    What it brings hangs on the sum of the dice; dice that count one by one are rolls of their own. The first roll of
    an order that was only declared when it was given says which it is (`of`), with those declared whose dice fall
    `behind` it: its odds are those of the moment, theirs reckon with all that comes before them. A lost
    secret leaves of one that is `settled` the worst answer by the rules alone: it harms nobody at once, but changes
    what both sides may do. One with a `cut` may take orders away that a lost secret would give back (protocol 4.4).
    """

    label: str
    dice: int = 2
    sides: int = 6
    of: Order = None
    behind: tuple[Order, ...] = ()
    settled: bool = False
    cut: Cut | None = None


class Draw(NamedTuple):
    """A chance node: `count` counters out of `cup` (ids in ASCII order), without replacement."""

    label: str
    cup: tuple[str, ...]
    count: int  # type: ignore[assignment]


class StepEnd(NamedTuple):
    """The end of a step of a phase in which a decision is asked: the step (Rules.step), the order that ends it.

    `begun`: something was ordered in it that only its end carries out.
    """

    step: int
    order: Order
    begun: bool = False


class Choose(NamedTuple):
    """A decision of `side`.

    `why_not` is the one legality check: None when the answer is legal, else the refusal with its clause. `options`
    lists legal answers: for big choices a canonical one for each different end, as the cheapest way to a hex; never all
    ways or subsets. `sample` picks a legal one at random. Both may leave out answers that `why_not` accepts. A
    `reaction` is asked of a side by what the other does; `standing` finds the answer in that side's standing orders
    (latest last), `default` is the ruling's own. `heeds` are the keywords of those that can answer, where they aren't
    the `kind`.

    `window` is the id of the time for which orders are given: those that are left over answer the side's decisions as
    long as every decision asked, of either side, has the window in which they were given; then they lapse. With side
    and phase in it a queue lives for that phase; one of the turn alone lets a plan last over the other side's actions.
    A reaction has none and touches no queue.

    `ends`, of a decision in a step that an order ends, is that order: it is given of itself as soon as an entry goes on
    with an order of a later step, and where something was begun also when it goes on with a stop or has no more.
    """

    side: str
    kind: str
    clause: str
    prompt: str
    why_not: Callable[[Order], Refusal | None]
    options: Callable[[], Iterable[Order]]
    sample: Callable[[Chance], Order]
    window: str = ""
    reaction: bool = False
    about: tuple[str, ...] = ()
    standing: Callable[[Sequence[Words]], Order | None] | None = None
    default: Callable[[], Order] | None = None
    ends: StepEnd | None = None
    heeds: tuple[str, ...] = ()


class Tell(NamedTuple):
    """Something happened: `what` names the event, `clause` the rule, `facts` are JSON values for reports."""

    what: str
    clause: str
    facts: dict[str, Any] = {}  # noqa: RUF012 a leaf: nobody writes into it


def dice_side(label: str, facts: Mapping[str, Any]) -> str:
    """The side whose dice a roll's are, by the facts of the event that they decide; "" where it is that of its unit.

    Where not all dice of an event are one side's, its `whose` has the side by the beginning of the roll's label.
    """
    kind, *more = label.split("/")
    whose = facts.get("whose", {})
    return str(whose.get("/".join([kind, *more[:1]])) or whose.get(kind) or facts.get("side") or "")


class Outcome(NamedTuple):
    """How a game ended: the winning side (None for a draw), the clause and the reason in words.

    `level` is the level of the victory, as its title, where a system has levels; the reason tells it, too.
    """

    winner: str | None
    clause: str
    reason: str
    level: str = ""


class Factor(NamedTuple):
    """One of the things that decide what an order's dice mean: what it is, its value in words, its clause."""

    what: str
    value: str
    clause: str


class Danger(NamedTuple):
    """What may befall a side, as things stand, before it is asked for orders that could prevent it; and its clause."""

    what: str
    clause: str


class FormEntry(NamedTuple):
    """One unit (or matter) on the order form: a heading, and orders it may be given, each with a note.

    `typed` has shorter words for some of the orders, as `move U to HEX` (Rules.way); they mean the same now.
    """

    heading: str
    orders: tuple[tuple[Words, str], ...]
    notes: tuple[str, ...] = ()
    typed: Mapping[Words, Words] = {}


Request: TypeAlias = Roll | Draw | Choose
Answer: TypeAlias = Any
Activity: TypeAlias = Generator[Request | Tell, Answer, None]
