"""Deployment (rulebook 34.2, 36.4): each side places its forces, also those that enter later (32)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.ask import OF_THE_PHASE, Chapter, Steps
from pbem.rules.requests import Chance, Tell
from pbem.rules.sengoku.acting import castle_side, friendly_castle, why_closed
from pbem.rules.sengoku.board import Board, Deployment
from pbem.rules.sengoku.command import why_not_force
from pbem.rules.sengoku.harm import strength
from pbem.rules.sengoku.orders import DEPLOYMENT, Close, Done, Order, Place
from pbem.rules.sengoku.state import State
from pbem.words import listed

__all__ = [
    "CHAPTER",
    "close",
    "deploying",
    "grouped",
    "options_of",
    "places",
    "placing",
    "random_place",
    "setup",
    "usual",
    "why_not_place",
]

OFTEN_CLOSE, OFTEN_IN = 0.1, 0.2
"""How likely a random deployment leaves the rest to itself, and a force shuts itself up, where it can."""

HEXES_TOLD = 6
"""So many hexes of a deployment are named one by one."""


# --- who is placed, and where -----------------------------------------------------------------------------------------


def deploying(s: State) -> str | None:
    """The side that deploys now, in the scenario's order; None when all stand (36.4)."""
    sides = sorted(s.board.sides, key=lambda side: side.deploys)
    return next((side.id for side in sides if next(placing(s, side.id), None)), None)


def placing(s: State, side: str, begun: Collection[str] = ("",)) -> Iterator[Deployment]:
    """The deployments of a side with units to place: at the start, or those of the rules by which armies have begun."""
    for deployment in s.board.deployments.values():
        if deployment.side == side and deployment.enters in begun and s.waiting[deployment.id]:
            yield deployment


def places(s: State, deployment: Deployment) -> list[Hex]:
    """The hexes where units of a deployment can be placed now, by their numbers."""
    free = [h for h in deployment.hexes if _why_not_there(s, deployment.side, h) is None]
    return sorted(free, key=s.board.label.__getitem__)


def _why_not_there(s: State, side: str, h: Hex) -> Refusal | None:
    """Why no unit of a side can be placed in a hex, whoever it is (R191)."""
    board, place = s.board, s.board.place(h)
    ground = board.ground.terrain.get(h)
    if ground is None or board.tables.terrain[ground].tactical is None:
        return Refusal("15-6(terrain)", f"{place} is no ground on which units stand")
    if refusal := why_closed(s, side, h):  # 36.7-5
        return refusal
    enemies = [force for force in s.stands.get(h, ()) if board.units[force].side != side]
    return Refusal("31-2", f"{board.describe(enemies[0])} is at {place}") if enemies else None


def why_not_place(s: State, side: str, order: Place) -> Refusal | None:
    """Why units can't be placed so as one force."""
    board, names = s.board, order.units
    for unit in names:
        if refusal := _why_not_unit(s, side, unit, order.at):
            return refusal
        if names.count(unit) > 1:
            return Refusal("9-1(all)", f"{board.describe(unit)} is named twice")
    if refusal := _why_not_there(s, side, order.at) or why_not_force(board, names):  # 34.2(3)
        return refusal
    if order.enter and friendly_castle(s, order.at, side) is None:
        return Refusal("34.2(2)", f"no castle of its side stands at {board.place(order.at)}")
    return None


def _why_not_unit(s: State, side: str, unit: str, h: Hex) -> Refusal | None:
    """Why a unit can't be placed in a hex by its deployment."""
    board, name = s.board, s.board.describe(unit)
    if board.units[unit].side != side:
        return Refusal("3.0(2)", f"{name} is a unit of the enemy")
    found = next((d for d in board.deployments.values() if unit in s.waiting[d.id]), None)
    if found is None and unit in s.removed:
        return Refusal("3.0(4)", f"{name} was lost in inning {s.removed[unit]}")
    if found is None:
        return Refusal("3.0(4)", f"{name} is on the map already")
    if found.enters and found.enters not in s.declared:
        return Refusal(board.entering[found.enters].clause, f"{name} enters when a die has let its army begin to act")
    if h not in found.hexes:
        return Refusal("36.4", _elsewhere(board, found, name, board.place(h)))
    return None


def _elsewhere(board: Board, found: Deployment, name: str, place: str) -> str:
    """Where a unit of a deployment is placed: at a hex, at one of some, or in a province."""
    if len(found.hexes) <= HEXES_TOLD:
        return f"{name} is placed at {' or '.join(board.place(h) for h in found.hexes)}, not at {place}"
    provinces = listed(sorted({board.province[h] for h in found.hexes if h in board.province}))
    return f"{name} is placed in {provinces}, not at {place}"


# --- carried out ------------------------------------------------------------------------------------------------------


def setup(s: State, order: Place, *, enters: bool = False) -> Iterator[Tell]:
    """Put units on the map as one force (34.2(2), 34.2(3)), also of an army that enters during play (31-2)."""
    for name, waiting in s.waiting.items():
        s.waiting[name] = tuple(unit for unit in waiting if unit not in order.units)
    force = s.form(order.units, order.at)
    if order.enter:
        s.shut(force)
    facts = {"unit": force, "units": list(order.units), "at": s.board.label[order.at], "shut-in": order.enter}
    facts["strength"] = strength(s, [force])
    yield Tell("enter", "31-2", facts) if enters else Tell("setup", "34.2(2)", facts)


def close(s: State, side: str) -> Iterator[Tell]:
    """Place all that a side has not placed: in the open, in forces as they are led best (R191)."""
    for deployment in placing(s, side):
        h = usual(s, deployment)
        for units in grouped(s.board, s.waiting[deployment.id]):
            yield from setup(s, Place(units, h))


def usual(s: State, deployment: Deployment) -> Hex:
    """Where units of a deployment stand if nobody says where: at the highest castle of their side, by its number."""
    board, found = s.board, places(s, deployment)

    def level(h: Hex) -> int:
        castle = board.castle_in.get(h)
        return board.castles[castle].level if castle and castle_side(s, castle) == deployment.side else -1

    return max(found, key=level)


def grouped(board: Board, units: Sequence[str]) -> list[tuple[str, ...]]:
    """Units as forces: each busho under the highest commander with a free box, of his own army first."""
    ranked = sorted(units, key=lambda unit: -board.units[unit].rank)
    forces = {unit: [unit] for unit in ranked if board.units[unit].commander}
    for unit in ranked:
        if unit not in forces:
            able = [force for force, led in forces.items() if why_not_force(board, (*led, unit)) is None]
            army = board.units[unit].army
            chief = min(able, key=lambda force: board.units[force].army != army, default=unit)
            forces.setdefault(chief, []).append(unit)
    return [tuple(led) for led in forces.values()]


# --- what is asked ----------------------------------------------------------------------------------------------------


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given while a side deploys."""
    if isinstance(order, Place):
        return why_not_place(s, side, order)
    if isinstance(order, Done) or order == Close(DEPLOYMENT):
        return None
    if s.board.side[side].deploys == 0:
        return Refusal(OF_THE_PHASE, "forces are placed now, and the other side places its own before any of them acts")
    return Refusal(OF_THE_PHASE, "forces are placed first: `place`, or `close deployment`")


def carry_out(s: State, side: str, order: Order) -> Steps | Iterator[Tell]:
    """A place for a force, or the end of a side's deployment."""
    return setup(s, order) if isinstance(order, Place) else close(s, side)


def options(s: State, side: str) -> Iterator[Order]:
    """The end of the deployment, which places all by itself; every place for the forces as they are led best."""
    yield Close(DEPLOYMENT)
    yield from options_of(s, side)


def options_of(s: State, side: str, begun: Collection[str] = ("",)) -> Iterator[Place]:
    """Every place for the forces that can be placed, as they are led best."""
    for deployment in placing(s, side, begun):
        for units in grouped(s.board, s.waiting[deployment.id]):
            for h in places(s, deployment):
                yield Place(units, h)
                if friendly_castle(s, h, side) is not None:
                    yield Place(units, h, enter=True)


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random place for a random force, or the end of the deployment."""
    order = None if chance.random() < OFTEN_CLOSE else random_place(s, side, chance)
    return Close(DEPLOYMENT) if order is None else order


def random_place(s: State, side: str, chance: Chance, begun: Collection[str] = ("",)) -> Place | None:
    """A random place for a random force of those that can be placed; None without any."""
    open_to = [one for one in placing(s, side, begun) if places(s, one)]
    if not open_to:
        return None
    deployment = chance.choice(open_to)
    units, h = chance.choice(grouped(s.board, s.waiting[deployment.id])), chance.choice(places(s, deployment))
    return Place(units, h, friendly_castle(s, h, side) is not None and chance.random() < OFTEN_IN)


CHAPTER = Chapter(
    kind=DEPLOYMENT,
    prompt=lambda _: "place your forces; those that you don't name are placed by themselves",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=lambda *_: True,  # who has none left is not asked
    carry_out=carry_out,
    never=why_not,
)
"""The place of one force after another."""
