"""Fire combat (rulebook 9), that of artillery too (12)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.bakumatsu import acting, commanders
from pbem.rules.bakumatsu.acting import Part, combat_facts, helpers, is_fit, phase_refusal, plans, random_aim, stem
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.ground import Modifier
from pbem.rules.bakumatsu.orders import DONE, Done, Fire, Order
from pbem.rules.bakumatsu.retreat import retreat
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.ask import Chapter, Steps
from pbem.rules.requests import Chance, Roll, Tell

__all__ = ["CHAPTER", "fire_modifiers", "fire_strength", "options_of", "remainder"]

MAIN = Part(
    "fire",
    owner="9-1(0)",
    marked="9-1(4)a",
    disordered=Refusal("9-1(1)b", "is disordered and can't fire"),  # 2-2-1(1)2b
    weak=Refusal("2-2-1(2)2", "has no fire strength"),
)
SUPPORT = Part(
    "fire",
    owner="9-2(2)a",
    marked="9-1(4)a",
    disordered=Refusal("9-2(2)b", "is disordered and can't give supporting fire"),
    weak=Refusal("9-2(2)c", "has no fire strength and can't give supporting fire"),
)


def anyone(s: State, side: str) -> bool:
    """Whether any unit of the side can still fire (9-1(6))."""
    return any(is_fit(s, unit, "fire") and targets(s, s.board.units[unit]) for unit in s.stands[side].values())


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase."""
    match order:
        case Fire():
            main = why_not_main(s, side, order)
            refused = (why_not_support(s, order, unit) for unit in order.support)
            return main or next(filter(None, refused), None) or commanders.why_not_by(s, order.unit, order.by)
        case Done():
            return None  # 9-1(5)
    return phase_refusal(s, order, "5(0)a", "fire or done")


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no phase like this."""
    if isinstance(order, Fire):
        return acting.why_never(s, side, order, MAIN, SUPPORT, enemy="9-1(1)a")
    return why_not(s, side, order)


def why_not_main(s: State, side: str, order: Fire) -> Refusal | None:
    """Why the main firing unit can't fire at the target."""
    refusal = acting.why_not_main(s, side, order, MAIN, enemy="9-1(1)a")
    if refusal is not None:
        return refusal
    unit, target = s.board.units[order.unit], s.at[order.target]
    if target in targets(s, unit):
        return None
    if unit.artillery:
        return _why_not_at_distance(s, unit, target)
    who, name = s.board.describe(order.target), s.board.describe(unit.id)
    return Refusal("9-1(1)a", f"{who} at {s.board.place(target)} isn't adjacent to {name}")


def why_not_support(s: State, order: Fire, unit: str) -> Refusal | None:
    """Why a unit can't give supporting fire to a fire that is legal without it."""
    target = s.at[order.target]
    refusal = acting.why_not_helper(s, order, unit, SUPPORT)
    if refusal is not None or unit in supporters(s, s.board.units[order.unit], target):
        return refusal
    return Refusal("9-2(2)a", f"{s.board.describe(unit)} isn't adjacent to the target hex {s.board.place(target)}")


def remainder(s: State, side: str, order: Fire) -> tuple[Fire, tuple[Tell, ...]] | None:
    """The fire without the supporters that can't support now; None when all can, or it is illegal without them too."""
    if why_not_main(s, side, order) is not None:
        return None
    return acting.without(s, order, {unit: why_not_support(s, order, unit) for unit in order.support})


def targets(s: State, unit: Unit) -> list[Hex]:
    """The hexes at which a unit that may fire can do so, in order."""
    start, enemies = s.at[unit.id], s.stands[s.board.enemy[unit.side]]
    near = [h for h in s.board.ground.near[start] if h in enemies]  # 9-1(1)a
    if unit.artillery:
        distant = s.board.ground.reach[unit.range][start] & enemies.keys()  # 2-2-1(2)6
        return sorted({*near, *(h for h in distant if _spotted(s, unit, h))})  # 12(2)a
    return near


def _why_not_at_distance(s: State, unit: Unit, target: Hex) -> Refusal:
    """Why artillery can't fire at an enemy that isn't one of its targets; units between don't matter (12(2)b)."""
    start, place = s.at[unit.id], s.board.place(target)
    if target not in s.board.ground.reach[unit.range][start]:  # 2-2-1(2)6
        far = distance(start, target)
        return Refusal("12(2)a", f"{place} is {far} hexes away, {s.board.describe(unit.id)} has range {unit.range}")
    return Refusal("12(2)a", f"no other unit of its side is adjacent to {place} to spot for artillery")


def _spotted(s: State, unit: Unit, target: Hex) -> bool:
    """Whether a friend of the gun, other than itself, is adjacent to the target (over rivers too)."""
    friends = s.stands[unit.side]
    return any(friends.get(h, unit.id) != unit.id for h in s.board.ground.near[target])  # 12(2)a


def supporters(s: State, unit: Unit, target: Hex) -> tuple[str, ...]:
    """The units that could support a fire at a hex, by id."""
    return helpers(s, unit, s.board.ground.near[target], "fire")  # 9-2(2)a


def fire_strength(s: State, order: Fire) -> int:
    """The total fire strength: the main unit's, and 1 for each supporter."""
    strength = s.board.units[order.unit].fire + len(order.support)  # 9-2(3)
    if s.options.mountain_top == "strength":  # 9-2(4)2, read as it is worded
        strength += sum(m.value for m in s.board.ground.fire_from[s.at[order.unit]])
    return strength


def fire_modifiers(s: State, order: Fire) -> tuple[Modifier, ...]:
    """What changes the dice: terrain of the target's hex, the side between, the main unit's mountain top, the one who
    commands it."""
    ground, start, target = s.board.ground, s.at[order.unit], s.at[order.target]
    found = ground.cover_fire[target] + ground.across_fire[start].get(target, ())  # 9-2(4)1a, 9-2(4)1b
    if s.options.mountain_top == "dice":  # 9-2(4)2, as the rulebook's example counts
        found += tuple(m._replace(what=f"from {m.what}") for m in ground.fire_from[start])
    return found + commanders.lent(commanders.firing(s, order.unit, order.by), "fire")  # 15-2-7-2(3)3


def fire(s: State, order: Fire) -> Steps:
    """Resolve a legal fire at one hex (9-2(0))."""
    dice = yield Roll(stem("fire", s, order.target))  # 9-2(1), 9-2(4)0
    modifiers, strength = fire_modifiers(s, order), fire_strength(s, order)
    total = sum(dice) + sum(m.value for m in modifiers)
    result = s.board.tables.fire.result(total, strength)  # 9-2(5)0a
    s.done.add(order.unit)
    s.done.update(order.support)  # 9-1(2)b, 9-2(7)
    facts = combat_facts(s, order, dice, modifiers, total) | {
        "strength": strength,
        "result": result,
    }
    yield Tell("fire", "9-2(5)0a", facts)
    yield from _apply(s, order.target, result)  # 9-2(5)0b; no advance: 9-2(6)


def _apply(s: State, target: str, result: str) -> Steps:
    """The result of a fire on its target, harsher for a disordered one (2-2-1(1)2c)."""
    if result == "-":
        return  # 9-2(5)1
    if s.board.units[target].artillery:
        yield s.remove(target, "artillery hit by fire", "12(3)")  # 12(3)
    elif target not in s.disordered:
        if result == "D":
            yield s.disorder(target, "fire", "9-2(5)2a")  # 9-2(5)2a
        else:
            yield s.disorder(target, "fire", "9-2(5)3a")
            yield from retreat(s, target, "fire")  # 9-2(5)3a
    elif result == "D":
        yield from retreat(s, target, "fire")  # 9-2(5)2b
    else:
        yield s.remove(target, "fire", "9-2(5)3b")  # 9-2(5)3b


def options(s: State, side: str) -> Iterator[Order]:
    """For each unit and target: the fire with no, one, two ... supporters (by id); then done."""
    for unit in s.board.of_side[side]:
        if unit in s.at:
            yield from options_of(s, unit)
    yield DONE


def options_of(s: State, unit: str) -> Iterator[Fire]:
    """The options of one unit."""
    for target, support in plans(s, s.board.units[unit], targets, supporters, "fire"):
        yield Fire(unit, target, support)


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random order: a random unit that can fire, a random target, some of the possible supporters."""
    aim = random_aim(s, side, targets, "fire", chance) if chance.random() >= 0.05 else None
    if aim is None:
        return DONE
    unit, h = aim
    target = s.stands[s.board.enemy[side]][h]
    if chance.random() < 0.6:
        return Fire(unit.id, target)
    return Fire(unit.id, target, tuple(w for w in supporters(s, unit, h) if chance.random() < 0.5))


CHAPTER = Chapter(
    kind="fire",
    prompt=lambda _: "fire with a unit, or done",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=anyone,
    carry_out=lambda s, _, order: fire(s, order),
    done=DONE,
    never=why_never,
)
"""One fire after another (9-1(2)a, 9-1(3), 9-1(4)b)."""
