"""Forces that may not move yet, their release, and the line that the East may not cross yet (14-1(5), 14-2(5))."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Roll, Tell
from pbem.rules.yukimura.board import EAST, Board
from pbem.rules.yukimura.state import State

__all__ = [
    "LINE", "NOWHERE", "barred", "crosses", "held_units", "is_held", "on_crossing", "roll_for_release", "turn_begins",
    "west_of_line", "why_not_move",
]  # fmt: skip

LINE = "14-1(5)2b"
"""The clause that bars the hexes beyond the Ishikawa Line to the East."""

NOWHERE: frozenset[Hex] = frozenset()


def is_held(s: State, unit: str) -> bool:
    """Whether a unit's force may not move yet; it may fire, fight and retreat, but not advance (R89)."""
    force = s.board.units[unit].force
    return force in s.board.held and force not in s.released


def held_units(s: State) -> frozenset[str]:
    """The units of which `is_held` is true."""
    return _units_of(s.board, frozenset(s.board.held.keys() - s.released))


@lru_cache(maxsize=64)
def _units_of(board: Board, forces: frozenset[str]) -> frozenset[str]:
    return frozenset(unit for force in forces for unit in board.forces[force].units)


def why_not_move(s: State, unit: str) -> Refusal | None:
    """Why a unit of a held force can't move or advance."""
    if not is_held(s, unit):
        return None
    force = s.board.forces[s.board.units[unit].force]
    until, _, _, clause = s.board.held[force.id]
    when = "in this battle" if until is None else f"before turn {until}"
    return Refusal(clause, f"{s.board.describe(unit)} belongs to the force of {force.title}, which can't move {when}")


def turn_begins(s: State) -> Iterator[Tell]:
    """Release the forces that may move from this turn on (14-1(5)1, 14-1(5)2a, 14-1(5)3a, 14-3(8))."""
    for force, rule in s.board.held.items():
        if rule.until is not None and rule.until <= s.turn and force not in s.released:
            yield _release(s, force)


def roll_for_release(s: State, side: str) -> Steps:
    """The die of a held force, once the East has gone beyond the line; success is for good (14-1(5)3b, R69)."""
    for force, rule in s.board.held.items():
        if rule.die and s.crossed and force not in s.released and s.board.forces[force].side == side:
            (die,) = yield Roll(f"release/{force}", dice=1)
            if die <= rule.die:
                yield _release(s, force, die)
            else:
                yield Tell("release", rule.clause, _facts(s, force, die, released=False))


def on_crossing(s: State) -> Iterator[Tell]:
    """What the first Eastern unit beyond the line sets free under the reading `release` (R68)."""
    if s.options.ishikawa_reading == "release":
        for force, rule in s.board.held.items():
            if rule.gate and force not in s.released:
                yield _release(s, force)


def barred(s: State, side: str) -> frozenset[Hex]:
    """The hexes west of the line while the side may not enter them from the east; forced retreats may (R68)."""
    if side == EAST and s.turn < s.board.gate and s.options.ishikawa_reading == "gate":
        return s.board.west  # 14-1(5)2b
    return NOWHERE


def crosses(west: frozenset[Hex], here: Hex, h: Hex) -> bool:
    """Whether a step leads into barred hexes from outside."""
    return h in west and here not in west


def west_of_line(s: State, h: Hex) -> str:
    """What is said to the East of a hex that is barred to it."""
    return f"{s.board.place(h)} is west of the Ishikawa Line: the East may cross it from turn {s.board.gate} on"


def _release(s: State, force: str, die: int | None = None) -> Tell:
    s.released.add(force)
    return Tell("release", s.board.held[force].clause, _facts(s, force, die, released=True))


def _facts(s: State, force: str, die: int | None, *, released: bool) -> dict[str, object]:
    return {
        "force": force,
        "title": s.board.forces[force].title,
        "side": s.board.forces[force].side,
        "die": die,
        "needed": s.board.held[force].die if die is not None else None,
        "released": released,
    }
