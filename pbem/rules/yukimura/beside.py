"""The start of the connected scenario: a force is put beside the map, where it will enter (14-3(6)a)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.kit.ask import Chapter, Steps
from pbem.rules.requests import Chance, Tell
from pbem.rules.yukimura.acting import phase_refusal
from pbem.rules.yukimura.orders import Beside, Done, Order
from pbem.rules.yukimura.state import State

__all__ = ["CHAPTER", "placing", "unplaced"]

CLAUSE = "14-3(6)a"


def placing(s: State) -> str | None:
    """The side that has forces to put beside the map; None when all have their place."""
    return next((side.id for side in s.board.sides if unplaced(s, side.id)), None)


def unplaced(s: State, side: str) -> list[str]:
    """The forces that a side still has to put beside the map."""
    arrivals = s.board.arrivals
    return [force for force, a in arrivals.items() if a.beside and a.side == side and force not in s.beside]


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why a force can't be put beside a hex."""
    board = s.board
    if isinstance(order, Done):
        return Refusal(CLAUSE, f"first put the force of {board.forces[unplaced(s, side)[0]].title} beside the map")
    if not isinstance(order, Beside):
        return phase_refusal(s, order, CLAUSE, "beside")
    force = board.forces[order.force]
    if force.side != side:
        return Refusal("1-a", f"the force of {force.title} belongs to the {board.side[force.side].title}")
    if force.id not in unplaced(s, side):
        return Refusal(CLAUSE, f"the force of {force.title} isn't put beside the map, or has its place already")
    if order.at not in board.arrivals[force.id].hexes:
        places = " or ".join(map(board.place, board.arrivals[force.id].hexes))
        return Refusal(CLAUSE, f"no road leads over the west edge at {board.place(order.at)}: write {places}")
    return None


def options(s: State, side: str) -> Iterator[Order]:
    """Every place for every force."""
    for force in unplaced(s, side):
        yield from (Beside(force, h) for h in s.board.arrivals[force].hexes)


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random place for a random force."""
    force = chance.choice(unplaced(s, side))
    return Beside(force, chance.choice(s.board.arrivals[force].hexes))


def put_beside(s: State, side: str, order: Beside) -> Steps:
    """Put a force beside the map."""
    s.beside[order.force] = order.at
    units = list(s.waiting[order.force])
    title, at = s.board.forces[order.force].title, s.board.label[order.at]
    facts = {"force": order.force, "title": title, "side": side, "at": at, "units": units}
    yield Tell("beside", CLAUSE, facts)


CHAPTER = Chapter(
    kind="beside",
    prompt=lambda _: "put a force beside the map, at a road over its west edge",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=lambda *_: True,  # who has none left is not asked
    carry_out=put_beside,
)
"""The place of one force after another; not done before all have one."""
