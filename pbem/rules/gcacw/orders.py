"""Orders as frozen leaves, each with the chapter that carries it out."""

from __future__ import annotations

from typing import TypeAlias

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.kit.kinds import kind_of_order

__all__ = [
    "ACTION", "ALWAYS", "ATTACHMENT", "DONE", "NEVER", "PASS", "RECOVERY", "ROUTE", "STEPS", "TRANSFER", "Activate",
    "Advance", "Assault", "Bridge", "Close", "Detach", "Done", "Entrench", "Evade", "FallBack", "Fallen", "Feed",
    "Forage", "Grand", "Join", "Losses", "March", "Merge", "Order", "Pass", "Path", "Place", "PutOff", "Raid", "Rail",
    "Refuse", "Strike", "Transfer", "step_of",
]  # fmt: skip

Path: TypeAlias = tuple[Hex, ...]
"""The hexes entered one after another; the first hex, where the unit stands, is left out."""

NEVER, ROUTE, ALWAYS = "", "route", "always"
"""When a march is forced: never, only if that completes the route, or as soon as the next step is too dear."""


class Strike(NamedTuple):
    """A march attack on a hex: by the best kind that the points left pay for, `least` or better (std-7.1-2)."""

    at: Hex
    least: str = "column"


class Detach(NamedTuple):
    """So much manpower detached as a substitute, in a hex of the way; None: where the march begins (21.1-1, 21.1-3)."""

    substitute: str
    manpower: int
    at: Hex | None = None


@kind_of_order
class March(NamedTuple):
    """A unit marches along a path, leaders of its command with it, and may attack at its end (std-5.1, std-7.1).

    `force` is NEVER, ROUTE or ALWAYS; `unbridge` is a built bridge, its two hexes, removed on the way (std-10.0-4).
    `detached` stays behind on the way (21.1). `along`: the path is a way that it goes on along, from where the unit
    stands on it when it marches.
    """

    unit: str
    path: Path = ()
    leaders: tuple[str, ...] = ()
    force: str = NEVER
    strike: Strike | None = None
    unbridge: tuple[Hex, Hex] | None = None
    detached: tuple[Detach, ...] = ()
    along: bool = False

    @property
    def only_goes(self) -> bool:
        """Whether it does nothing on its way: where that leads nowhere the march is nothing but fatigue."""
        return self.strike is None and self.unbridge is None and not self.detached


@kind_of_order
class Rail(NamedTuple):
    """A unit goes along a railroad (13.5-sp3e1, 16.0); `detached` stays behind on the way (21.1)."""

    unit: str
    path: Path
    leaders: tuple[str, ...] = ()
    detached: tuple[Detach, ...] = ()


@kind_of_order
class Activate(NamedTuple):
    """A corps leader's units march one after another on one allowance; he may first go to one of them (std-5.2)."""

    leader: str
    marches: tuple[March, ...]
    hop: str | None = None


@kind_of_order
class Assault(NamedTuple):
    """A corps leader's units of one hex attack a hex together (std-5.3)."""

    leader: str
    at: Hex
    units: tuple[str, ...]


@kind_of_order
class Grand(NamedTuple):
    """An army leader's units of several hexes attack a hex; `first` are those of a corps leader's hex (std-7.1-6)."""

    leader: str
    at: Hex
    chief: str
    first: tuple[str, ...]
    others: tuple[str, ...]


@kind_of_order
class Raid(NamedTuple):
    """A Confederate unit damages the station of its hex (std-5.4)."""

    unit: str


@kind_of_order
class Pass(NamedTuple):
    """The side does nothing in this action phase (std-4.0-3)."""


@kind_of_order
class Place(NamedTuple):
    """Reinforcements come in at a hex (3.0-3)."""

    arrival: str
    at: Hex


@kind_of_order
class PutOff(NamedTuple):
    """Reinforcements that are due come in a turn later, elsewhere (22.1-re2, 22.1-re5)."""

    arrival: str


@kind_of_order
class Transfer(NamedTuple):
    """A leader goes to a unit of his command (std-3.0-2)."""

    leader: str
    unit: str


@kind_of_order
class Entrench(NamedTuple):
    """A unit goes on with its works (std-9.0-1)."""

    unit: str


@kind_of_order
class Merge(NamedTuple):
    """A substitute, or a unit that may do as it, merges into a unit of its hex (21.2)."""

    unit: str
    into: str


@kind_of_order
class Forage(NamedTuple):
    """Units out of supply look for food, one after another (20.4)."""

    units: tuple[str, ...]


@kind_of_order
class Bridge(NamedTuple):
    """A unit tries to build a bridge to an adjacent hex (std-10.0-1)."""

    unit: str
    to: Hex


@kind_of_order
class Close(NamedTuple):
    """A side is through with a step of the turn; what comes next may stand in the same mail."""

    step: str


@kind_of_order
class Done(NamedTuple):
    """A side does nothing more in this turn, and passes whenever it is asked."""


DONE, PASS = Done(), Pass()


# --- answers to what the other side does ------------------------------------------------------------------------------


@kind_of_order
class Evade(NamedTuple):
    """Whether the cavalry of a hex goes back before the enemy (std-7.7-1)."""

    made: bool


@kind_of_order
class Refuse(NamedTuple):
    """Whether the flanks of an attacked hex are refused (std-7.8-1)."""

    made: bool


@kind_of_order
class FallBack(NamedTuple):
    """The way of a stack that retreats (std-7.6)."""

    path: Path


@kind_of_order
class Losses(NamedTuple):
    """The units that lose a point of manpower each, one named twice two (std-7.5-3)."""

    units: tuple[str, ...]


@kind_of_order
class Advance(NamedTuple):
    """The counters that enter the hex which the defenders have left (std-7.6-6)."""

    units: tuple[str, ...]


@kind_of_order
class Join(NamedTuple):
    """The unit to which a leader goes who is left without one (std-6.3-2)."""

    leader: str
    unit: str


@kind_of_order
class Fallen(NamedTuple):
    """Which of several leaders is killed (17.0-3)."""

    leader: str


@kind_of_order
class Feed(NamedTuple):
    """The units that a depot feeds (20.3-c4)."""

    units: tuple[str, ...]


Order: TypeAlias = (
    Activate | Advance | Assault | Bridge | Close | Done | Entrench | Evade | FallBack | Fallen | Feed | Forage | Grand
    | Join | Losses | March | Merge | Pass | Place | PutOff | Raid | Rail | Refuse | Transfer
)  # fmt: skip

TRANSFER, ATTACHMENT, ACTION, RECOVERY = STEPS = ("transfer", "attachment", "action", "recovery")
"""What one mail may have, in this order: reinforcements and leader transfers, mergings, actions, works and foraging."""


def step_of(order: Order) -> int:
    """The step in which an order is carried out; the end of the turn comes behind them all."""
    match order:
        case Place() | PutOff() | Transfer():
            return STEPS.index(TRANSFER)
        case Merge():
            return STEPS.index(ATTACHMENT)
        case Entrench() | Bridge() | Forage():
            return STEPS.index(RECOVERY)
        case Close(step):
            return STEPS.index(step)
        case Done():
            return len(STEPS)
    return STEPS.index(ACTION)
