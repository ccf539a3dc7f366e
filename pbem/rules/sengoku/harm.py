"""What troops suffer: strength, the steps they lose and in which order, lowered morale, deaths (10, 25, P-7, P-9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.rules.requests import Tell
from pbem.rules.sengoku.acting import besiegers, forces_inside, label_of, threshold
from pbem.rules.sengoku.board import SOTAISHO
from pbem.rules.sengoku.state import LEAST_MORALE, State

__all__ = [
    "bury", "check_markers", "last_leave", "lift", "losses", "morale_of", "remove", "shake", "steps", "strength",
    "take",
]  # fmt: skip


# --- strength, morale, steps ------------------------------------------------------------------------------------------


def strength(s: State, forces: Iterable[str]) -> int:
    """The strength of forces: of each unit that of its side which is up (2-2-1(2))."""
    units = s.board.units
    return sum(
        units[unit].back if unit in s.reduced else units[unit].front for force in forces for unit in s.forces[force]
    )


def morale_of(s: State, forces: Iterable[str]) -> int:
    """The morale that counts of a group of forces, the lowest; normal without any (P-1, 10-3)."""
    return min((s.morale.get(force, 0) for force in forces), default=0)


def steps(s: State, units: Iterable[str]) -> int:
    """How many steps units have (2-2-1(6))."""
    return sum(_steps(s, unit) for unit in units)


def _steps(s: State, unit: str) -> int:
    return 1 if unit in s.reduced else 2


# --- who loses steps --------------------------------------------------------------------------------------------------


def losses(s: State, forces: Iterable[str], count: int, *, marked: bool, wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """The units of forces that lose a step each, one named twice both (P-7 step 5).

    First those `wanted`, in the owner's order, while they have steps, then by the default. A result with the mark
    eliminates a unit: where that doesn't come of it by itself, one of the lowest rank goes before the default, of these
    who has a single step. Where `count` is too small for anybody, more steps are lost. Steps that nobody has are not.
    """
    units = [unit for force in forces for unit in s.forces[force]]
    if not units:
        return ()
    chosen = _spread(s, units, count, wanted)
    if marked and not any(chosen.count(unit) == _steps(s, unit) for unit in chosen):  # 19-2-4, 23-3-3, 24-2-4
        first = min(units, key=lambda unit: (_steps(s, unit) > count, *_worth(s, unit)))
        chosen = _spread(s, units, max(count, _steps(s, first)), [first] * _steps(s, first))
    return tuple(chosen)


def _spread(s: State, units: Sequence[str], count: int, wanted: Sequence[str]) -> list[str]:
    """Steps of those wanted, then by the default: who has two is reduced, then who has one is eliminated."""
    left = {unit: _steps(s, unit) for unit in units}
    order = sorted(units, key=lambda unit: _rank(s, unit))
    found: list[str] = []

    def lose(unit: str) -> None:
        left[unit] -= 1
        found.append(unit)

    for unit in wanted:
        if left.get(unit, 0):
            lose(unit)
    for unit in order:
        if left[unit] > 1:
            lose(unit)
    for unit in order:
        if left[unit]:
            lose(unit)
    return found[:count]


def _worth(s: State, unit: str) -> tuple[int, bool, int, int, int]:
    """How much a unit that is eliminated is missed: by rank, which scores, then who leads, and who has two steps."""
    leads, rank, front, place = _rank(s, unit)
    return rank, leads, _steps(s, unit), front, place


def _rank(s: State, unit: str) -> tuple[bool, int, int, int]:
    """The place of a unit in the default order: lower rank, lower front, army file; who leads others comes last."""
    what, side = s.board.units[unit], s.board.of_side[s.board.units[unit].side]
    return s.leader[unit] == unit and len(s.forces[unit]) > 1, what.rank, what.front, side.index(unit)


def take(s: State, units: Iterable[str], clause: str, way: str = "") -> Iterator[Tell]:
    """Let each of these lose a step; who loses his last one is killed (2-2-1(6), 25.0).

    `way`: why a way back has cost it, "" where it wasn't lost so.
    """
    for unit in units:
        if unit in s.reduced:
            yield from remove(s, unit, "25.0", "killed", way)
        else:
            s.reduce(unit)
            yield Tell("step", clause, {"unit": unit, "at": _place(s, unit)})


def remove(s: State, unit: str, clause: str, why: str, way: str = "") -> Iterator[Tell]:
    """Take a unit off the map for good (25-1), and end the siege that it alone went on with.

    why: killed, scattered, surrendered, betrayed, disbanded. `way` as in `take`.
    """
    force, place, left = s.leader[unit], _place(s, unit), _steps(s, unit)
    castle = s.board.castle_in[s.at[force]] if force in s.besieging else None
    s.remove(unit)
    facts = {"unit": unit, "at": place, "why": why, "steps": left}
    yield Tell("remove", clause, {**facts, **({"way": way} if way else {})})
    if castle is not None:
        yield from _freed(s, castle)


def _place(s: State, unit: str) -> str:
    return s.board.label[s.at[s.leader[unit]]]


# --- morale -----------------------------------------------------------------------------------------------------------


def shake(s: State, force: str, by: int, clause: str) -> Iterator[Tell]:
    """Lower the morale of a force; one that would fall below -4 is removed (10-1-2, 10-1-4)."""
    morale = s.morale.get(force, 0) - by
    if morale >= LEAST_MORALE:
        s.set_morale(force, morale)
        if by:
            yield Tell("shaken", clause, {"unit": force, "by": by, "morale": morale})
        return
    why = "surrendered" if force in s.shut_in else "scattered"  # 18-2-2(below)
    for unit in s.forces[force]:
        yield from remove(s, unit, "10-1-2", why)


# --- after an action: the death of a commander-in-chief, forces without leader, sieges that are over (P-9) ------------


def bury(s: State) -> Iterator[Tell]:
    """What follows of losses when an action is over: clans that leave, forces without leader, sieges given up (P-9)."""
    yield from last_leave(s)
    s.regroup()
    yield from check_markers(s)


def last_leave(s: State) -> Iterator[Tell]:
    """Let the clan of each commander-in-chief that was removed leave: for good, and wherever its units are (25-2)."""
    for chief in [unit for unit in s.board.units if unit in s.removed and s.board.units[unit].rank == SOTAISHO]:
        clan = s.board.of_army[s.board.units[chief].army]
        for unit in clan:
            if unit in s.leader:
                yield from remove(s, unit, "25-2", "disbanded")
        for name, units in list(s.waiting.items()):
            s.waiting[name] = tuple(unit for unit in units if unit not in clan)


def check_markers(s: State) -> Iterator[Tell]:
    """End the sieges for which the besiegers aren't strong enough any more (18-3, P-6)."""
    for castle in sorted({s.board.castle_in[s.at[force]] for force in s.besieging}):
        if strength(s, besiegers(s, castle)) < threshold(s.board, castle):
            yield from lift(s, besiegers(s, castle), castle)


def lift(s: State, forces: Iterable[str], castle: str) -> Iterator[Tell]:
    """Take siege markers off; with the last the castle and all inside have normal morale again (18-3-2)."""
    for force in forces:
        s.lift(force)
    yield from _freed(s, castle)


def _freed(s: State, castle: str) -> Iterator[Tell]:
    """What the end of a siege brings, if nobody besieges the castle any more (18-3-2)."""
    if not besiegers(s, castle):
        for force in forces_inside(s, castle):
            s.set_morale(force, 0)
        s.set_castle_morale(castle, 0)
        yield Tell("lifted", "18-3-2", {"at": label_of(s, castle)})
