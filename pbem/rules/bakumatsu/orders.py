"""Orders as frozen leaves, and their words in the order language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu.board import Board
from pbem.rules.kit.words import numbers, with_words
from pbem.rules.requests import Words

__all__ = [
    "CLOSING", "DONE", "USAGE", "Done", "Enter", "Fire", "March", "Melee", "Move", "Order", "Path", "Recover",
    "Retreat", "SetUpUnit", "order_words",
]  # fmt: skip

Path: TypeAlias = tuple[Hex, ...]
"""The hexes entered one after another; the first hex, where the unit stands, is left out."""

CLOSING = "done"
"""The order that ends a phase."""

USAGE = {
    "setup": "setup U HEX",
    "recover": "recover U",
    "move": "move U HEX [HEX ...]",
    "march": "march U HEX [HEX ...]",
    "enter": "enter U [move HEX ... | march HEX ...]",
    "fire": "fire U at V [with W ...]",
    "melee": "melee U at V [with W ...] [advance]",
    "retreat": "retreat U HEX [HEX ...]",
    CLOSING: CLOSING,
}
"""Keyword -> how the order is written."""


@dataclass(frozen=True, slots=True)
class SetUpUnit:
    """Set a unit up in a hex (15-1-4)."""

    unit: str
    at: Hex


@dataclass(frozen=True, slots=True)
class Recover:
    """Try to recover a disordered unit (7)."""

    unit: str


@dataclass(frozen=True, slots=True)
class Move:
    """Normal movement (8-1)."""

    unit: str
    path: Path


@dataclass(frozen=True, slots=True)
class March:
    """Road movement (8-2)."""

    unit: str
    path: Path


@dataclass(frozen=True, slots=True)
class Enter:
    """Bring a reinforcement onto its entry hex and let it go on from there (13-2); `how` is move, march or empty."""

    unit: str
    how: str = ""
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Fire:
    """Fire of a main firing unit, with supporting fire (9-2)."""

    unit: str
    target: str
    support: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Melee:
    """A melee attack, with melee support; `advance` into the hex if it becomes empty (10-2)."""

    unit: str
    target: str
    support: tuple[str, ...] = ()
    advance: bool = False


@dataclass(frozen=True, slots=True)
class Retreat:
    """The way a retreating unit takes (11)."""

    unit: str
    path: Path


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing more in this phase (6(4)b, 9-1(5), 10-1(6))."""


DONE = Done()

Order: TypeAlias = SetUpUnit | Recover | Move | March | Enter | Fire | Melee | Retreat | Done


def order_words(board: Board, order: Order) -> Words:
    """The words of an order, with full ids."""
    label = board.label
    match order:
        case SetUpUnit(unit, at):
            return ("setup", unit, label[at])
        case Recover(unit):
            return ("recover", unit)
        case Move(unit, path):
            return ("move", unit, *numbers(label, path))
        case March(unit, path):
            return ("march", unit, *numbers(label, path))
        case Enter(unit, how, path):
            return ("enter", unit, *((how, *numbers(label, path)) if how else ()))
        case Fire(unit, target, support):
            return ("fire", unit, "at", target, *with_words(support))
        case Melee(unit, target, support, advance):
            return ("melee", unit, "at", target, *with_words(support), *(("advance",) if advance else ()))
        case Retreat(unit, path):
            return ("retreat", unit, *numbers(label, path))
        case Done():
            return ("done",)
