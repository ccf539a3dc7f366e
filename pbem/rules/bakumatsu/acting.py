"""What every chapter shares: whether a unit may act at all, zones of control (rulebook 3), the facts of a combat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu.ground import Modifier
from pbem.rules.bakumatsu.orders import Fire, Melee, Order, order_words
from pbem.rules.bakumatsu.state import State
from pbem.rules.requests import Tell

__all__ = [
    "DISORDERED", "combat_facts", "enemy_zoc", "in_enemy_zoc", "is_fit", "phase_refusal", "stem", "unfit",
    "why_not_act", "why_not_on_map", "without",
]  # fmt: skip

Combat = TypeVar("Combat", Fire, Melee)

DISORDERED = "is disordered"
"""What keeps a unit from fighting that is disordered (2-2-1(1)2b)."""


def why_not_act(s: State, side: str, unit: str, owner: str, marked: str) -> Refusal | None:
    """Why a unit of `side` can't act in this phase; `owner` and `marked` are the clauses of the phase's chapter."""
    if s.board.units[unit].side != side:
        whose = s.board.side[s.board.units[unit].side].title
        return Refusal(
            owner, f"{s.board.describe(unit)} belongs to {whose}; this phase is for units of {_title(s, side)}"
        )
    if unit in s.done:
        return Refusal(marked, f"{s.board.describe(unit)} is marked: each unit acts once in a phase")
    if unit not in s.at:
        return why_not_on_map(s, unit)
    return None


def is_fit(s: State, unit: str, kind: str) -> bool:
    """Whether a unit on the map may `fire` or `melee`, or support that, at all."""
    return unit not in s.done and not unfit(s, unit, kind)


def unfit(s: State, unit: str, kind: str) -> str:
    """What keeps a unit from `fire` or `melee`, and from supporting that, marked or not; empty when nothing does."""
    if unit in s.disordered:
        return DISORDERED
    return "" if getattr(s.board.units[unit], kind) else f"has no {kind} strength"


def why_not_on_map(s: State, unit: str) -> Refusal:
    """The refusal for a unit that isn't on the map, with where it is."""
    name = s.board.describe(unit)
    if unit in s.removed:
        return Refusal("2-1-1(0)a", f"{name} isn't on the map: it was removed in turn {s.removed[unit]}")
    if any(unit in units for units in s.received.values()):
        return Refusal("13-2(1)", f"{name} isn't on the map yet: bring it on with `enter {unit}`")
    if any(unit in units for units in s.cups.values()):
        return Refusal("4(3)b", f"{name} isn't on the map: it waits in the reinforcement cup")
    return Refusal("2-1-1(0)a", f"{name} isn't on the map yet")


def phase_refusal(s: State, order: object, clause: str, usual: str) -> Refusal:
    """The refusal of an order of another phase; `usual` lists the orders of this one."""
    if not isinstance(order, Order):
        return Refusal(clause, f"{order!r} is no order: write {usual}")
    return Refusal(clause, f"`{order_words(s.board, order)[0]}` isn't an order of this phase: write {usual}")


def in_enemy_zoc(s: State, side: str, h: Hex) -> bool:
    """Whether an enemy of `side` controls the hex: it stands in it, or next to it and not across a river or pond."""
    return enemy_zoc(s, side)(h)


def enemy_zoc(s: State, side: str) -> Callable[[Hex], bool]:
    """The question `in_enemy_zoc` for many hexes, as long as nobody moves."""
    board = s.board
    enemies, zoc = s.stands[board.enemy[side]].keys(), board.ground.zoc
    return lambda h: not enemies.isdisjoint(zoc[h])  # 3-2(0), 3-2(1), 3-2(2)


def combat_facts(
    s: State, order: Fire | Melee, dice: tuple[int, ...], modifiers: tuple[Modifier, ...], total: int
) -> dict[str, Any]:
    """What reports of fire and melee have in common: who against whom, the dice and what changed them."""
    return {
        "unit": order.unit,
        "target": order.target,
        "from": s.board.label[s.at[order.unit]],
        "at": s.board.label[s.at[order.target]],
        "with": list(order.support),
        "dice": list(dice),
        "modifiers": [modifier._asdict() for modifier in modifiers],
        "total": total,
    }


def without(s: State, order: Combat, refused: Mapping[str, Refusal | None]) -> tuple[Combat, tuple[Tell, ...]] | None:
    """A fire or melee without the supporters that are refused, and a `drop` for each of them; None when none is.

    For an order given before the dice fell (9-2(2)a, 10-2(2)a).
    """
    left = tuple(unit for unit in order.support if refused[unit] is None)
    if left == order.support:
        return None
    words = " ".join(order_words(s.board, order))
    return replace(order, support=left), tuple(
        Tell("drop", r.clause, {"unit": unit, "order": words, "reason": r.reason})
        for unit, r in refused.items()
        if r is not None
    )


def stem(what: str, s: State, unit: str) -> str:
    """The stem of a roll's label: what is rolled for, and the hex of the unit it concerns."""
    return f"{what}/{s.board.label[s.at[unit]].lower()}"


def _title(s: State, side: str) -> str:
    return s.board.side[side].title
