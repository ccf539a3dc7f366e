"""What every chapter shares: whether a unit may act at all, zones of control (rulebook 3), fire and melee alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.commanders import why_never_by, why_not_by
from pbem.rules.bakumatsu.ground import Modifier
from pbem.rules.bakumatsu.orders import Fire, Melee, Order, order_words
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.ask import dropped
from pbem.rules.requests import Chance, Tell
from pbem.words import the

__all__ = [
    "Part", "combat_facts", "enemy_zoc", "helpers", "in_enemy_zoc", "is_fit", "phase_refusal", "plans", "random_aim",
    "stem", "why_never", "why_never_act", "why_not_act", "why_not_helper", "why_not_main", "why_not_on_map", "without",
]  # fmt: skip

Combat = TypeVar("Combat", Fire, Melee)

Targets: TypeAlias = Callable[[State, Unit], list[Hex]]
"""The hexes with an enemy at which a unit can aim."""


def why_not_act(s: State, side: str, unit: str, owner: str, marked: str) -> Refusal | None:
    """Why a unit of `side` can't act in this phase; `owner` and `marked` are the clauses of the phase's chapter."""
    if (refusal := why_not_own(s, side, unit, owner)) is not None:
        return refusal
    if unit in s.done:
        return Refusal(marked, f"{s.board.describe(unit)} is marked: each unit acts once in a phase")
    if unit not in s.at:
        return why_not_on_map(s, unit)
    return None


def why_not_own(s: State, side: str, unit: str, owner: str) -> Refusal | None:
    """Why a unit isn't one of `side`'s."""
    if s.board.units[unit].side == side:
        return None
    whose = _title(s, s.board.units[unit].side)
    return Refusal(owner, f"{s.board.describe(unit)} belongs to {whose}; this phase is for units of {_title(s, side)}")


def why_never_act(s: State, side: str, unit: str, owner: str) -> Refusal | None:
    """Why a unit can't act in a phase of `side` any more, whatever comes before."""
    return why_not_own(s, side, unit, owner) or (why_not_on_map(s, unit) if s.is_lost(unit) else None)


def why_not_on_map(s: State, unit: str) -> Refusal:
    """The refusal for a unit that isn't on the map, with where it is."""
    name, side = s.board.describe(unit), s.board.units[unit].side
    if unit in s.may_come(side):
        what = f"{name} isn't on the map yet: bring it on with `enter {unit}` in your movement phase"
        return Refusal("13-2(1)", what)
    if unit in s.removed:
        return Refusal("2-1-1(0)a", f"{name} isn't on the map: it was removed in turn {s.removed[unit]}")
    if unit in s.cups[side]:
        where = "in its owner's hand" if s.board.side[side].chooses else "in the reinforcement cup"
        return Refusal("4(3)b", f"{name} isn't on the map: it waits {where}")
    if unit in s.commander_cups.get(side, ()):
        return Refusal("15-2-7-2(2)1", f"{name} isn't on the map: he waits in the cup of commanders")
    if unit == s.board.aside.get(side):
        return Refusal("15-2-7-2(1)2", f"{name} isn't on the map: he is kept aside until a die brings him")
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


def stem(what: str, s: State, unit: str) -> str:
    """The stem of a roll's label: what is rolled for, and the hex of the unit it concerns."""
    return f"{what}/{s.board.label[s.at[unit]].lower()}"


def _title(s: State, side: str) -> str:
    return the(s.board.side[side].title)


# --- fire and melee ---------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """A part that a unit takes in fire or melee, and how it is refused.

    strength          what it needs: `fire` or `melee`
    owner, marked     the clauses by which it is for units of the side whose phase it is, and for each of them once
    disordered, weak  the refusals of a disordered unit and of one without that strength, to be put behind its name
    """

    strength: str
    owner: str
    marked: str
    disordered: Refusal
    weak: Refusal


def is_fit(s: State, unit: str, strength: str) -> bool:
    """Whether a unit on the map may take part in a fire or melee at all."""
    return unit not in s.done and unit not in s.disordered and bool(getattr(s.board.units[unit], strength))


def why_not_main(s: State, side: str, order: Fire | Melee, part: Part, enemy: str) -> Refusal | None:
    """Why nothing can come of an order wherever the two stand; by the clause `enemy` the target is an enemy unit."""
    refusal = _why_not_part(s, side, order.unit, part)
    if refusal is not None:
        return refusal
    if (refusal := _why_not_enemy(s, side, order.target, enemy)) is not None:
        return refusal
    if order.target in s.at:
        return None
    refusal = why_not_on_map(s, order.target)
    name = s.board.describe(order.target)  # how it comes on is its owner's business
    return refusal if refusal.clause != "13-2(1)" else Refusal("2-1-1(0)a", f"{name} isn't on the map yet")


def _why_not_enemy(s: State, side: str, target: str, clause: str) -> Refusal | None:
    if s.board.units[target].command is not None:
        name = s.board.describe(target)
        return Refusal("15-2-7-2(4)5a", f"{name} is a commander: fire and melee are aimed at combat units")
    if s.board.units[target].side != side:
        return None
    return Refusal(clause, f"{s.board.describe(target)} is on its own side: name an enemy unit")


def why_never(s: State, side: str, order: Fire | Melee, main: Part, support: Part, enemy: str) -> Refusal | None:
    """Why nothing can come of an order whatever comes before: by its units and their strength, its target, or the
    commander named."""
    for unit, part in ((order.unit, main), *((helper, support) for helper in order.support)):
        refusal = _why_not_twice(s, order, unit, part) if part is support else None
        refusal = refusal or why_never_act(s, side, unit, part.owner)
        if refusal is None and not getattr(s.board.units[unit], part.strength):
            refusal = _of_unit(s, unit, part.weak)
        if refusal is not None:
            return refusal
    gone = why_not_on_map(s, order.target) if s.is_lost(order.target) else None
    return _why_not_enemy(s, side, order.target, enemy) or gone or why_never_by(s, order.unit, order.by)


def why_not_helper(s: State, order: Fire | Melee, unit: str, part: Part) -> Refusal | None:
    """Why a unit can't support an order, wherever it stands."""
    twice = _why_not_twice(s, order, unit, part)
    return twice or _why_not_part(s, s.board.units[order.unit].side, unit, part)


def _why_not_twice(s: State, order: Fire | Melee, unit: str, part: Part) -> Refusal | None:
    """Why a unit can't support an order in which it is named twice."""
    if order.support.count(unit) < 2 and unit != order.unit:
        return None
    return Refusal(part.marked, f"{s.board.describe(unit)} is named twice: each unit takes part once")


def _why_not_part(s: State, side: str, unit: str, part: Part) -> Refusal | None:
    refusal = why_not_act(s, side, unit, part.owner, part.marked)
    if refusal is not None or is_fit(s, unit, part.strength):
        return refusal
    return _of_unit(s, unit, part.disordered if unit in s.disordered else part.weak)


def _of_unit(s: State, unit: str, why: Refusal) -> Refusal:
    return why._replace(reason=f"{s.board.describe(unit)} {why.reason}")


def helpers(s: State, unit: Unit, near: Iterable[Hex], strength: str) -> tuple[str, ...]:
    """The units in these hexes that could support a unit, by id."""
    friends = s.stands[unit.side]
    there = (friends[h] for h in near if h in friends)
    return tuple(sorted(other for other in there if other != unit.id and is_fit(s, other, strength)))


def plans(
    s: State, unit: Unit, targets: Targets, supporters: Callable[[State, Unit, Hex], tuple[str, ...]], strength: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """For each target of a unit: the fires or melees with no, one, two ... supporters."""
    enemies = s.stands[s.board.enemy[unit.side]]
    for h in targets(s, unit) if is_fit(s, unit.id, strength) else ():
        found = supporters(s, unit, h)
        yield from ((enemies[h], found[:count]) for count in range(len(found) + 1))


def random_aim(s: State, side: str, targets: Targets, strength: str, chance: Chance) -> tuple[Unit, Hex] | None:
    """A random unit that has a target, and one of its targets; None when there is none."""
    able = [unit for unit in s.board.of_side[side] if unit in s.at and is_fit(s, unit, strength)]
    turn = int(chance.random() * len(able))
    for unit_id in able[turn:] + able[:turn]:
        unit = s.board.units[unit_id]
        found = targets(s, unit)
        if found:
            return unit, found[int(chance.random() * len(found))]
    return None


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
        "modifiers": [modifier.told for modifier in modifiers],
        "total": total,
    }


def without(s: State, order: Combat, refused: Mapping[str, Refusal | None]) -> tuple[Combat, tuple[Tell, ...]] | None:
    """A fire or melee without the supporters that are `refused`, and without a commander who can't help; and a `drop`
    for each of them; None when there is none.

    For an order given before the dice fell (9-2(2)a, 10-2(2)a).
    """
    every = {**refused, order.by: why_not_by(s, order.unit, order.by)}
    why = {unit: refusal for unit, refusal in every.items() if refusal is not None}
    if not why:
        return None
    by = "" if order.by in why else order.by
    left = order._replace(support=tuple(unit for unit in order.support if unit not in why), by=by)
    return left, dropped(order_words(s.board, order), why)
