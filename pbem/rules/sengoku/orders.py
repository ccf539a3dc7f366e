"""Orders as frozen leaves, each with the chapter that carries it out."""

from __future__ import annotations

from typing import TypeAlias

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.kit.kinds import kind_of_order

__all__ = [
    "DEPLOYMENT", "DONE", "SITUATION", "Accept", "Advance", "Assault", "Attack", "Battle", "Besiege", "Call", "Close",
    "Counterattack", "Declare", "Demand", "Done", "Drop", "FightOn", "GiveBattle", "GiveWay", "Lift", "LiftAttacked",
    "Losses", "MarchOut", "Move", "Offer", "Order", "Organise", "Path", "Place", "Pursue", "Recover", "Replenish",
    "Retreat", "Traitors", "step_of",
]  # fmt: skip

Path: TypeAlias = tuple[Hex, ...]
"""The hexes entered one after another; the first hex, where the force stands, is left out."""


@kind_of_order
class Accept(NamedTuple):
    """Whether the besieger accepts the offer of a castle (20-4)."""

    made: bool


@kind_of_order
class Advance(NamedTuple):
    """The forces that enter the hex that the enemy has left after a battle (24-3-3)."""

    forces: tuple[str, ...]


@kind_of_order
class Assault(NamedTuple):
    """Forces in the hex of a castle under siege assault it, one after another (19)."""

    castle: str
    forces: tuple[str, ...]


@kind_of_order
class Attack(NamedTuple):
    """A force attacks enemy forces of one hex, who skirmish (22, 23)."""

    force: str
    targets: tuple[str, ...]


@kind_of_order
class Battle(NamedTuple):
    """A commander-in-chief's force, with others of its hex, joins battle with that of another (24).

    `until`: how many of a hundred units are lost or reduced when the side stops as soon as it may; at 100 it never
    does, and without a number it is asked. `skirmish`: whom his force attacks if consent is refused (24-1-8(no)).
    """

    force: str
    target: str
    others: tuple[str, ...] = ()
    until: int | None = None
    skirmish: tuple[str, ...] = ()


@kind_of_order
class Besiege(NamedTuple):
    """Forces besiege a castle, or join a siege; each may assault it in the same action (17-1-2, 18-1)."""

    castle: str
    forces: tuple[str, ...]
    assault: bool = False


@kind_of_order
class Call(NamedTuple):
    """A besieging force calls on a castle to surrender (20)."""

    castle: str
    force: str


@kind_of_order
class Close(NamedTuple):
    """A side has deployed, or is through with its situation change; what comes next may stand in the same mail."""

    step: str


@kind_of_order
class Counterattack(NamedTuple):
    """Whether the forces attacked answer with a counterattack (23-6)."""

    made: bool


@kind_of_order
class Declare(NamedTuple):
    """An army begins to act (36.7-3)."""

    army: str


@kind_of_order
class Demand(NamedTuple):
    """The units inside a castle that its besieger has removed when it opens (20-3(E))."""

    castle: str
    units: tuple[str, ...]


@kind_of_order
class Done(NamedTuple):
    """No force acts any more in this phase (4-1)."""


DONE = Done()


class Drop(NamedTuple):
    """Units left behind in a hex of a way: a commander named first leads the others, else each is alone (15-5)."""

    at: Hex
    units: tuple[str, ...]


@kind_of_order
class FightOn(NamedTuple):
    """Whether a side that may stop a battle goes on with it (24-2-5)."""

    made: bool


@kind_of_order
class GiveBattle(NamedTuple):
    """The forces that stand in a battle offered; none where the castle of their hex spares it (24-1-3, 24-1-8)."""

    forces: tuple[str, ...]


@kind_of_order
class GiveWay(NamedTuple):
    """The hexes that the forces attacked retreat; the other losses are steps (23-3)."""

    hexes: int


@kind_of_order
class Lift(NamedTuple):
    """A force gives up its siege, which is no action (18-3-1)."""

    force: str


@kind_of_order
class LiftAttacked(NamedTuple):
    """The besiegers that give up their siege, now that they are attacked (18-4-2(lift))."""

    forces: tuple[str, ...]


@kind_of_order
class Losses(NamedTuple):
    """The units that lose a step each, one named twice both (19-2-4, 23-3-1, 24-2-4)."""

    units: tuple[str, ...]


@kind_of_order
class MarchOut(NamedTuple):
    """All units inside a castle that has opened go to one hex (20-3-2)."""

    castle: str
    to: Hex


@kind_of_order
class Move(NamedTuple):
    """A force goes along a path, out of the castle in which it is shut up first, into one at the end (15, 16).

    `strategic`: by the lower points (15-3); `enter`: it shuts itself up in the castle of its last hex (16.0).
    """

    force: str
    path: Path = ()
    strategic: bool = False
    enter: bool = False
    drops: tuple[Drop, ...] = ()


@kind_of_order
class Organise(NamedTuple):
    """A commander rearranges forces of his hex into these, the leader of each first, and may replenish then (13).

    All units of each force that changes are named, each once.
    """

    force: str
    forces: tuple[tuple[str, ...], ...]
    replenish: Replenish | None = None


@kind_of_order
class Offer(NamedTuple):
    """A castle under siege opens if its besieger accepts that these units inside are removed, and no others (20-4)."""

    castle: str
    units: tuple[str, ...] = ()


@kind_of_order
class Place(NamedTuple):
    """Units are put on the map as one force, the leader first; `enter`: shut up in the castle of the hex (34.2, 32)."""

    units: tuple[str, ...]
    at: Hex
    enter: bool = False


@kind_of_order
class Pursue(NamedTuple):
    """A force follows those that went back, along their way; without a path it stays (23-5)."""

    force: str
    path: Path = ()


@kind_of_order
class Recover(NamedTuple):
    """A force restores its morale (26)."""

    force: str


@kind_of_order
class Replenish(NamedTuple):
    """A force restores steps, of the units named first, or instead the durability of the castle of its hex (14)."""

    force: str
    castle: str | None = None
    units: tuple[str, ...] = ()


@kind_of_order
class Retreat(NamedTuple):
    """A force goes back along a path; `enter`: into the castle of its last hex, or of its own hex (23-4)."""

    force: str
    path: Path = ()
    enter: bool = False


@kind_of_order
class Traitors(NamedTuple):
    """The units inside a castle that are removed by treason (18-2-1(3))."""

    castle: str
    units: tuple[str, ...]


Order: TypeAlias = (
    Accept | Advance | Assault | Attack | Battle | Besiege | Call | Close | Counterattack | Declare | Demand | Done
    | FightOn | GiveBattle | GiveWay | Lift | LiftAttacked | Losses | MarchOut | Move | Offer | Organise | Place
    | Pursue | Recover | Replenish | Retreat | Traitors
)  # fmt: skip


DEPLOYMENT, SITUATION = STEPS = ("deployment", "situation")
"""What one mail may have before the orders of the first stage, in this order."""


def step_of(order: Order) -> int:
    """The step in which an order is carried out: deployment, situation change, the actions of a phase, its end."""
    match order:
        case Place():
            return STEPS.index(DEPLOYMENT)
        case Declare():
            return STEPS.index(SITUATION)
        case Close(step):
            return STEPS.index(step)
        case Done():
            return len(STEPS) + 1
    return len(STEPS)
