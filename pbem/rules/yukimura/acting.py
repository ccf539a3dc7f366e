"""What every chapter shares: whether a unit may act at all, zones of control (rulebook 6), command range (13)."""

from __future__ import annotations

from collections.abc import Callable, Set

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.orders import Order, order_words
from pbem.rules.yukimura.state import State
from pbem.words import the

__all__ = [
    "asked_refusal", "enemy_zoc", "in_command", "in_enemy_zoc", "out_of_command", "phase_refusal", "stem",
    "why_never_act", "why_not_act", "why_not_on_map", "zoc_of",
]  # fmt: skip


def why_not_act(s: State, side: str, unit: str, clause: str) -> Refusal | None:
    """Why a unit can't act for `side`: another's, or not on the map; `clause` is that of the phase."""
    refusal = _why_not_own(s, side, unit)
    return refusal if refusal is not None or unit in s.at else why_not_on_map(s, unit, clause)


def why_never_act(s: State, side: str, unit: str, clause: str) -> Refusal | None:
    """Why a unit can't act for `side` any more, whatever comes before; `clause` is that of the phase."""
    gone = unit in s.removed or unit in s.exited
    return _why_not_own(s, side, unit) or (why_not_on_map(s, unit, clause) if gone else None)


def _why_not_own(s: State, side: str, unit: str) -> Refusal | None:
    owner = s.board.units[unit].side
    if owner == side:
        return None
    whose, ours = (the(s.board.side[which].title) for which in (owner, side))
    return Refusal("1-a", f"{s.board.describe(unit)} belongs to {whose}; this order is for units of {ours}")


def why_not_on_map(s: State, unit: str, clause: str) -> Refusal:
    """The refusal for a unit that isn't on the map, with where it is."""
    name = s.board.describe(unit)
    if unit in s.removed:
        return Refusal(clause, f"{name} isn't on the map: it was removed in turn {s.removed[unit]}")
    if unit in s.exited:
        return Refusal("7-6-2", f"{name} left the map in turn {s.exited[unit]} and can't return")
    force = s.board.units[unit].force
    if force in s.arrived:
        return Refusal("8.a", f"{name} isn't on the map yet: `enter {unit} HEX` in a Movement Phase brings it on")
    if force in s.board.arrivals:
        return Refusal("8.a", f"{name} isn't on the map: it is a reinforcement of turn {s.board.arrivals[force].turn}")
    return Refusal(clause, f"{name} isn't on the map")


def phase_refusal(s: State, order: object, clause: str, usual: str) -> Refusal:
    """The refusal of an order of another phase; `usual` lists the orders of this one."""
    if not isinstance(order, Order):
        return Refusal(clause, f"{order!r} is no order: write {usual}")
    return Refusal(clause, f"`{order_words(s.board, order)[0]}` isn't an order of this phase: write {usual}")


def asked_refusal(s: State, order: object, clause: str, unit: str, usual: str) -> Refusal:
    """The refusal of an answer that isn't about the unit that is asked for; `usual` lists the answers."""
    if isinstance(order, Order) and unit not in order_words(s.board, order)[1:2]:
        return Refusal(clause, f"the question is about {s.board.describe(unit)}: write {usual}")
    return phase_refusal(s, order, clause, usual)


def stem(what: str, s: State, unit: str) -> str:
    """The stem of a roll's label: what is rolled for, and the hex of the unit it concerns."""
    return f"{what}/{s.board.label[s.at[unit]].lower()}"


# --- zones of control (6) ---------------------------------------------------------------------------------------------


def in_enemy_zoc(s: State, side: str, h: Hex) -> bool:
    """Whether an enemy of `side` controls the hex: any unit next to it to which it is open."""
    return enemy_zoc(s, side)(h)


def enemy_zoc(s: State, side: str) -> Callable[[Hex], bool]:
    """The question `in_enemy_zoc` for many hexes, as long as nobody moves."""
    return zoc_of(s.board, s.stands[s.board.enemy[side]].keys())


def zoc_of(board: Board, enemies: Set[Hex]) -> Callable[[Hex], bool]:
    """Whether units in these hexes control a hex."""
    open_to = board.ground.open_to
    return lambda h: not enemies.isdisjoint(open_to[h])  # 6.a, 6-1, 6-2.a, 6-2.b


# --- command range, an optional rule (13) -----------------------------------------------------------------------------


def out_of_command(s: State, side: str) -> set[str]:
    """The units of a side on the map that no leader of theirs reaches now; none when the rule isn't in use (13-1)."""
    if s.options.command_range != "yes":
        return set()
    return {unit for unit in s.board.of_side[side] if unit in s.at and not in_command(s, unit)}


def in_command(s: State, unit_id: str) -> bool:
    """Whether a unit on the map is in the command range of a leader of its force (13-1(2)a, 13-1(3)).

    Leaders are always in command. When the force has no leader on the map, any friendly leader serves (R90). Nobody
    commands on another map.
    """
    board, unit = s.board, s.board.units[unit_id]
    if unit.commander:
        return True
    leaders = [other for other in board.of_side[unit.side] if other in s.at and board.units[other].commander]
    leaders = [other for other in leaders if board.units[other].force == unit.force] or leaders
    here = s.at[unit_id]
    near = [other for other in leaders if distance(s.at[other], here) <= board.units[other].command]  # 13-1(1)
    return any(board.map_of(s.at[other]) is board.map_of(here) for other in near)
