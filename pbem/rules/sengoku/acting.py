"""What every chapter shares: who stands where, castles and sieges as they are, whether a force may act (12, 36.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Words
from pbem.rules.sengoku.areas import Area
from pbem.rules.sengoku.board import Board, Closed, Idle
from pbem.rules.sengoku.state import State

__all__ = [
    "able", "army_of", "besieged", "besiegers", "castle_side", "closed_to", "forces_inside", "friendly_castle",
    "has_left", "idle", "label_of", "live_castle", "open_in", "ready", "said", "side_of", "skill_of", "threshold",
    "why_closed", "why_idle", "why_never_act", "why_not_act", "why_truce",
]  # fmt: skip


# --- who stands where -------------------------------------------------------------------------------------------------


def side_of(s: State, force: str) -> str:
    """The side of a force."""
    return s.board.units[force].side


def army_of(s: State, force: str) -> str:
    """The army of a force: that of its leader (P-1)."""
    return s.board.units[force].army


def open_in(s: State, h: Hex, side: str) -> tuple[str, ...]:
    """The forces of a side in a hex that aren't shut in, by their ids."""
    return tuple(force for force in s.stands.get(h, ()) if force not in s.shut_in and side_of(s, force) == side)


def skill_of(s: State, units: Iterable[str]) -> int:
    """The field modifier of the highest rank among units, the best of several; 0 of none.

    Their owner may choose among those of one rank; a lower one never serves him (R173, R184).
    """
    found = [s.board.units[unit] for unit in units]
    best = max((unit.rank for unit in found), default=0)
    return max((unit.modifier for unit in found if unit.rank == best), default=0)


def forces_inside(s: State, castle: str) -> tuple[str, ...]:
    """The forces shut up in a castle, by their ids."""
    return tuple(force for force in s.stands.get(s.board.castles[castle].at, ()) if force in s.shut_in)


# --- castles and sieges as they are -----------------------------------------------------------------------------------


def label_of(s: State, castle: str) -> str:
    """The number of a castle's hex."""
    return s.board.label[s.board.castles[castle].at]


def castle_side(s: State, castle: str) -> str | None:
    """The side whose castle it is; None of one that is abandoned."""
    owner = s.owner.get(castle)
    return None if owner is None else s.board.armies[owner].side


def live_castle(s: State, h: Hex) -> str | None:
    """The castle in a hex, if there is one that isn't abandoned (21-1(1))."""
    castle = s.board.castle_in.get(h)
    return castle if castle in s.owner else None


def friendly_castle(s: State, h: Hex, side: str) -> str | None:
    """The castle in a hex, if there is one of an army of this side (8.0)."""
    castle = live_castle(s, h)
    return castle if castle is not None and castle_side(s, castle) == side else None


def besiegers(s: State, castle: str) -> tuple[str, ...]:
    """The forces that carry the siege marker against a castle, by their ids."""
    return tuple(force for force in s.stands.get(s.board.castles[castle].at, ()) if force in s.besieging)


def besieged(s: State, castle: str) -> bool:
    """Whether a castle is under siege (P-1)."""
    return bool(besiegers(s, castle))


def threshold(board: Board, castle: str) -> int:
    """The strength that besieges a castle (18-1, 18-1-1)."""
    return 10 * max(board.castles[castle].level, 1)


# --- whether a force may act (12) -------------------------------------------------------------------------------------


def able(s: State, force: str) -> bool:
    """Whether a force can act in this stage and hasn't yet (P-5); if not, `why_not_act` tells why."""
    if force in s.acted or s.leader.get(force) != force:
        return False
    return s.board.units[force].power >= s.stage and force not in idle(s)


def ready(s: State, side: str) -> Sequence[str]:
    """The forces of a side that can act now, in the order of the army files, worked out once until one has acted."""
    key = ("ready", side, s.turn, s.phase, s.stage, len(s.acted), len(s.thawed), len(s.declared))
    found: Sequence[str] | None = s.memo.get(key)
    if found is None:
        forces, leader, acted, held = s.forces, s.leader, s.acted, idle(s)
        found = s.memo[key] = [
            unit
            for unit in _fast(s.board, side, s.stage)
            if unit in forces and unit not in acted and unit in leader and unit not in held  # a leader that fell isn't
        ]
    return found


@lru_cache(maxsize=1 << 5)
def _fast(board: Board, side: str, stage: int) -> Sequence[str]:
    """The units of a side whose action power lets them act in a stage (12-2-1)."""
    return [unit for unit in board.of_side[side] if board.units[unit].power >= stage]


def why_not_act(s: State, side: str, force: str) -> Refusal | None:
    """Why a force can't act now for a side: another's, off the map, under command, has acted, too slow, held back."""
    name = s.board.describe
    if refusal := _why_not_own(s, side, force):
        return refusal
    leader = s.leader.get(force)
    if leader is None:
        return _why_off(s, force) or Refusal("9.0", f"{name(force)} isn't on the map: it hasn't entered yet")
    if leader != force:
        return Refusal("9.0", f"{name(force)} is under {name(leader)}: orders name the leader of a force")
    if force in s.acted:
        return Refusal("12.0-2", f"{name(force)} has acted in this phase")
    return _why_slow(s, force, s.stage) or why_idle(s, s.board.units[force].army)


def why_never_act(s: State, side: str, force: str, stage: int) -> Refusal | None:
    """Why a force can't act for a side in a stage, whatever comes before."""
    return _why_not_own(s, side, force) or _why_off(s, force) or _why_slow(s, force, stage)


def _why_not_own(s: State, side: str, force: str) -> Refusal | None:
    owner = s.board.units[force].side
    if owner == side:
        return None
    whose, ours = s.board.side[owner].title, s.board.side[side].title
    return Refusal("3.0(2)", f"{s.board.describe(force)} belongs to the {whose}; this order is for units of the {ours}")


def _why_off(s: State, unit: str) -> Refusal | None:
    """Why a unit is on the map no more."""
    if unit not in s.removed:
        return None
    return Refusal("9.0", f"{s.board.describe(unit)} isn't on the map: it was lost in inning {s.removed[unit]}")


def _why_slow(s: State, force: str, stage: int) -> Refusal | None:
    """Why a force is too slow for a stage: its leader's action power counts (12-2-1, 12-2-2, 12-2-4)."""
    power = s.board.units[force].power
    if power >= stage:
        return None
    clause = f"4-1-{stage + 1}"  # 4-1-3, 4-1-4, 4-1-5
    return Refusal(clause, f"{s.board.describe(force)} has action power {power} and can't act in stage {stage}")


def idle(s: State) -> Set[str]:
    """The units whose armies are held back by the scenario."""
    return _idle(s.board, s.turn, frozenset(s.thawed), frozenset(s.declared))


@lru_cache(maxsize=1 << 6)
def _idle(board: Board, turn: int, thawed: Set[str], declared: Set[str]) -> Set[str]:
    """The units that are held back in an inning in which some armies may act, and others have begun to."""
    held = [a for rule in board.idle for a in rule.armies if _frozen(turn, thawed, a, rule) or _waits(declared, rule)]
    return frozenset(unit for army in held for unit in board.of_army[army])


def why_idle(s: State, army: str) -> Refusal | None:
    """Why an army is held back by the scenario (36.7-1); defending, relaying lines and sieges go on (P-12)."""
    for rule in s.board.idle:
        if army in rule.armies and (until := _held(s, army, rule)):
            return Refusal(rule.clause, f"the {s.board.armies[army].title} can't act {until}")
    return None


def _held(s: State, army: str, rule: Idle) -> str:
    """Until when a rule holds an army back, in words; empty when it doesn't."""
    if _frozen(s.turn, s.thawed, army, rule):
        return f"before inning {rule.until + 1} but by a {rule.die} in the situation change phase"
    if rule.declared is not None and _waits(s.declared, rule):
        return f"until the {s.board.armies[rule.declared].title} have declared that they act"
    return ""


def _frozen(turn: int, thawed: Set[str], army: str, rule: Idle) -> bool:
    """Whether a rule holds an army back in this inning."""
    return turn <= rule.until and army not in thawed  # 36.7-2


def _waits(declared: Set[str], rule: Idle) -> bool:
    """Whether a rule holds its armies back until one has declared that it acts."""
    return rule.declared is not None and rule.declared not in declared  # 36.7-3, 36.7-6


# --- what the scenario bars -------------------------------------------------------------------------------------------


def has_left(s: State, armies: tuple[str, ...]) -> bool:
    """Whether a unit of these armies has been outside the province that is watched."""
    return any(s.board.units[unit].army in armies for unit in s.left)


def closed_to(s: State, side: str) -> Area:
    """The hexes of the play area that a side can't enter now, by whatever way (36.7-4, 36.7-5)."""
    found = 0
    for rule in _closing(s, side):
        found |= rule.hexes
    return found


def why_closed(s: State, side: str, h: Hex) -> Refusal | None:
    """Why a side can't enter a hex now, whatever its ground is and whoever stands there."""
    place = s.board.place(h)
    if h in s.board.outside:
        return Refusal("36.1", f"{place} is no part of the play area")
    clause = next((rule.clause for rule in _closing(s, side) if rule.hexes & s.board.ground.bit[h]), None)
    return None if clause is None else Refusal(clause, f"{place} can't be entered yet")


def _closing(s: State, side: str) -> Iterator[Closed]:
    """The rules by which hexes are closed to a side now."""
    for rule in s.board.closed:
        opened = has_left(s, rule.left) if rule.left else rule.declared in s.declared
        if rule.side == side and not opened:
            yield rule


def why_truce(s: State, force: str, targets: tuple[str, ...]) -> Refusal | None:
    """Why a force can't attack these yet (36.7-7)."""
    for truce in s.board.truces:
        spared = [t for t in targets if army_of(s, t) in truce.armies and s.at[t] in truce.hexes]
        over = has_left(s, truce.armies) or not s.attacked.isdisjoint(truce.armies)
        if truce.side == side_of(s, force) and spared and not over:
            name = s.board.describe(spared[0])
            return Refusal(truce.clause, f"{name} can't be attacked before its side has left the province or attacked")
    return None


def said(s: State, orders: Sequence[Words], keyword: str, forces: Iterable[str]) -> Words:
    """The words by preference for forces of one side that are asked together, in whatever order they are named.

    Their own orders, of the highest rank that leads one first, then as in the army file; then that for any (P-12).
    """
    roster, units = s.board.of_side, s.board.units
    ranked = sorted(forces, key=lambda force: (-units[force].rank, roster[units[force].side].index(force)))
    return preferences(orders, keyword, *ranked)
