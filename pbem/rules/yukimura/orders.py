"""Orders as frozen leaves, and their words in the order language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pbem.maps.hexes import Hex
from pbem.rules.kit.words import numbers, with_words
from pbem.rules.requests import Words
from pbem.rules.yukimura.board import Board

__all__ = [
    "CLOSING", "DONE", "FEWER", "USAGE", "Advance", "AdvancePlan", "Beside", "Displace", "Done", "Enter", "Fire",
    "Hold", "March", "Melee", "Move", "Order", "Path", "Retreat", "order_words",
]  # fmt: skip

Path: TypeAlias = tuple[Hex, ...]
"""The hexes entered one after another; the first hex, where the unit stands, is left out."""

CLOSING = "done"
"""The order that ends a phase."""

USAGE = {
    "beside": "beside FORCE HEX",
    "move": "move U HEX [HEX ...] [off]",
    "march": "march U HEX [HEX ...] [off]",
    "enter": "enter U HEX [HEX ...]",
    "fire": "fire U at V [with W ... [or fewer]] [advance W | hold]",
    "melee": "melee U at V [with W ... [or fewer]] [advance W [HEX ...] ...] [hold]",
    "retreat": "retreat U HEX [HEX ...]",
    "displace": "displace U HEX",
    "advance": "advance U [HEX ...]",
    "hold": "hold U",
    CLOSING: CLOSING,
}
"""Keyword -> how the order is written."""

FEWER = ("or", "fewer")
"""Behind the units of a combat: it doesn't lapse when some of them can't take part any more (R81)."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Put a force beside the map, at a road over its west edge (14-3(6)a)."""

    force: str
    at: Hex


@dataclass(frozen=True, slots=True)
class Move:
    """Normal movement; `off` the map from the last hex (7, 7-6)."""

    unit: str
    path: Path
    off: bool = False


@dataclass(frozen=True, slots=True)
class March:
    """Road movement; `off` the map by a road over its edge (7-5)."""

    unit: str
    path: Path
    off: bool = False


@dataclass(frozen=True, slots=True)
class Enter:
    """Bring a reinforcement on; the first hex of the path is the entry hex (8)."""

    unit: str
    path: Path


class AdvancePlan(NamedTuple):
    """Which unit advances after combat and where: no hexes after fire or for as far as it can (11-3)."""

    unit: str
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Fire:
    """Fire of one or more units at one target; who advances then, `hold` for nobody (else) (9).

    `fewer`: when some of the units can't take part any more, the others do (R81).
    """

    unit: str
    target: str
    support: tuple[str, ...] = ()
    advance: tuple[AdvancePlan, ...] = ()
    hold: bool = False
    fewer: bool = False


@dataclass(frozen=True, slots=True)
class Melee:
    """Hand-to-hand combat of one or more units against one target; who advances then, `hold` for nobody (else) (10).

    `fewer`: when some of the units can't take part any more, the others do (R81).
    """

    unit: str
    target: str
    support: tuple[str, ...] = ()
    advance: tuple[AdvancePlan, ...] = ()
    hold: bool = False
    fewer: bool = False


@dataclass(frozen=True, slots=True)
class Retreat:
    """The way a retreating unit takes (11-1)."""

    unit: str
    path: Path


@dataclass(frozen=True, slots=True)
class Displace:
    """The hex into which one of two units in a hex is moved back (11-2-5)."""

    unit: str
    at: Hex


@dataclass(frozen=True, slots=True)
class Advance:
    """The advance of one unit after combat (11-3)."""

    unit: str
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Hold:
    """No advance of a unit after combat (11-3-5.a)."""

    unit: str


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing more in this phase (7.a, 9-1-3, 10-1-3)."""


DONE = Done()

Order: TypeAlias = Beside | Move | March | Enter | Fire | Melee | Retreat | Displace | Advance | Hold | Done


def order_words(board: Board, order: Order) -> Words:
    """The words of an order, with full ids."""
    label = board.label
    match order:
        case Beside(force, at):
            return ("beside", force, label[at])
        case Move(unit, path, off):
            return ("move", unit, *numbers(label, path), *(("off",) if off else ()))
        case March(unit, path, off):
            return ("march", unit, *numbers(label, path), *(("off",) if off else ()))
        case Enter(unit, path):
            return ("enter", unit, *numbers(label, path))
        case Fire(unit, target):
            return ("fire", unit, "at", target, *_combat(board, order))
        case Melee(unit, target):
            return ("melee", unit, "at", target, *_combat(board, order))
        case Retreat(unit, path):
            return ("retreat", unit, *numbers(label, path))
        case Displace(unit, at):
            return ("displace", unit, label[at])
        case Advance(unit, path):
            return ("advance", unit, *numbers(label, path))
        case Hold(unit):
            return ("hold", unit)
        case Done():
            return ("done",)


def _combat(board: Board, order: Fire | Melee) -> Words:
    """The words behind the target."""
    words = (*with_words(order.support), *(FEWER if order.fewer and order.support else ()))
    for unit, path in order.advance:
        words += ("advance", unit, *numbers(board.label, path))
    return (*words, "hold") if order.hold else words
