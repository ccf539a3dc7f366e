"""Set-up (rulebook 4 and 15-1-4): the first player's units, then the second's, each in its area."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu.acting import phase_refusal
from pbem.rules.bakumatsu.orders import Done, Order, SetUpUnit
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.ask import Chapter, Steps
from pbem.rules.requests import Chance, Tell
from pbem.words import the

__all__ = ["CHAPTER", "free_hexes", "setting_up", "unplaced", "why_not"]


def setting_up(s: State) -> str | None:
    """The side that has units to set up, the first player first (15-1-4(1)0, 15-1-4(2)0); None when all stand."""
    return next((side.id for side in s.board.sides if unplaced(s, side.id)), None)


def unplaced(s: State, side: str) -> list[str]:
    """The units that a side still has to set up; reinforcements are not among them (4(3)b)."""
    codes = s.board.set_up[side]
    return [unit for unit in s.board.of_side[side] if unit not in s.at and s.board.units[unit].code in codes]


def free_hexes(s: State, unit_id: str) -> list[Hex]:
    """The hexes where a unit can be set up, in order."""
    unit = s.board.units[unit_id]
    hexes = s.board.set_up[unit.side][unit.code].hexes  # 4(3)a, 2-2-1(2)7
    return sorted(h for h in hexes if s.unit_in(h) is None)  # 3-1(0)a


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no set-up."""
    return why_not(s, side, order) if not isinstance(order, SetUpUnit | Done) else None


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why a unit can't be set up in a hex."""
    board = s.board
    if isinstance(order, Done):
        missing = unplaced(s, side)
        still = "1 unit has" if len(missing) == 1 else f"{len(missing)} units have"
        return Refusal("15-1-4(0)", f"{still} still to be set up, {missing[0]} first")
    if not isinstance(order, SetUpUnit):
        return phase_refusal(s, order, "5(0)a", "setup")
    unit, name = board.units[order.unit], board.describe(order.unit)
    if unit.side != side:
        return Refusal(
            "15-1-4(1)0", f"{name} belongs to {the(board.side[unit.side].title)}: {the(board.side[side].title)} sets up"
        )
    if unit.id in s.at:
        return Refusal("15-1-4(0)", f"{name} stands at {board.place(s.at[unit.id])} already")
    rule = board.set_up[side].get(unit.code)
    if rule is None:
        return Refusal("4(3)b", f"{name} is a reinforcement: it isn't set up, it comes on later")
    if order.at not in rule.hexes:
        areas = " or ".join(rule.areas)
        return Refusal(
            "2-2-1(2)7", f"{board.place(order.at)} isn't in {areas}, where units of code {unit.code} are set up"
        )
    other = s.unit_in(order.at)
    if other is not None:
        return Refusal("15-1-4(0)", f"{board.place(order.at)} is occupied by {board.describe(other)}")  # 3-1(0)a
    return None


def options(s: State, side: str) -> Iterator[Order]:
    """Every place for every unit."""
    for unit in unplaced(s, side):
        yield from (SetUpUnit(unit, h) for h in free_hexes(s, unit))


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random place for a random unit."""
    unit = chance.choice(unplaced(s, side))
    return SetUpUnit(unit, chance.choice(free_hexes(s, unit)))


def set_up(s: State, order: SetUpUnit) -> Steps:
    """Put a unit into its place."""
    s.put(order.unit, order.at)
    yield Tell("setup", "15-1-4(0)", {"unit": order.unit, "at": s.board.label[order.at]})


CHAPTER = Chapter(
    kind="setup",
    prompt=lambda _: "set up a unit",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=lambda *_: True,  # who has none left is not asked
    carry_out=lambda s, _, order: set_up(s, order),
    never=why_never,
)
"""The place of one unit after another; not done before all stand."""
