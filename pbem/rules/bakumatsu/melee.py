"""Melee combat (rulebook 10)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu import acting, commanders, victory
from pbem.rules.bakumatsu.acting import Part, combat_facts, helpers, is_fit, phase_refusal, plans, random_aim, stem
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.ground import Modifier
from pbem.rules.bakumatsu.orders import DONE, Done, Melee, Order
from pbem.rules.bakumatsu.retreat import retreat
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.ask import Chapter, Steps
from pbem.rules.requests import Chance, Roll, Tell

__all__ = [
    "CHAPTER", "melee_modifiers", "melee_strength", "options_of", "passes_check", "remainder", "strength_difference",
]  # fmt: skip

MAIN = Part(
    "melee",
    owner="10-1(0)",
    marked="10-1(5)a",
    disordered=Refusal("10-1(1)b", "is disordered and can't attack"),  # 2-2-1(1)2b
    weak=Refusal("2-2-1(2)3", "has no melee strength"),
)
SUPPORT = Part(
    "melee",
    owner="10-2(2)a",
    marked="10-1(5)a",
    disordered=Refusal("10-2(2)b", "is disordered and can't give melee support"),
    weak=Refusal("10-2(2)c", "has no melee strength and can't give melee support"),
)


def anyone(s: State, side: str) -> bool:
    """Whether any unit of the side can still attack (10-1(7))."""
    return any(is_fit(s, unit, "melee") and targets(s, s.board.units[unit]) for unit in s.stands[side].values())


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase."""
    match order:
        case Melee():
            main = why_not_main(s, side, order)
            refused = (why_not_support(s, order, unit) for unit in order.support)
            return main or next(filter(None, refused), None) or commanders.why_not_by(s, order.unit, order.by)
        case Done():
            return None  # 10-1(6)
    return phase_refusal(s, order, "5(0)a", "melee or done")


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no phase like this."""
    if isinstance(order, Melee):
        return acting.why_never(s, side, order, MAIN, SUPPORT, enemy="10-1(2)")
    return why_not(s, side, order)


def why_not_main(s: State, side: str, order: Melee) -> Refusal | None:
    """Why the attacking unit can't attack the defender."""
    refusal = acting.why_not_main(s, side, order, MAIN, enemy="10-1(2)")
    unit = s.board.units[order.unit]
    if refusal is not None or s.at[order.target] in targets(s, unit):
        return refusal
    return _out_of_reach(s, unit.id, s.at[order.target], "10-1(2)")


def why_not_support(s: State, order: Melee, unit: str) -> Refusal | None:
    """Why a unit can't give melee support to a melee that is legal without it."""
    target = s.at[order.target]
    refusal = acting.why_not_helper(s, order, unit, SUPPORT)
    if refusal is not None or unit in supporters(s, s.board.units[order.unit], target):
        return refusal
    return _out_of_reach(s, unit, target, "10-2(2)a")


def _out_of_reach(s: State, unit: str, target: Hex, adjacent: str) -> Refusal:
    """Why a unit can't come to grips with the defender's hex; `adjacent` is the clause that asks for adjacency."""
    name, place = s.board.describe(unit), s.board.place(target)
    if target not in s.board.ground.near[s.at[unit]]:
        return Refusal(adjacent, f"{name} isn't adjacent to {place}")
    return Refusal("10-2(1)b", f"a river or pond lies between {name} and {place}")  # no exception for a bridge


def remainder(s: State, side: str, order: Melee) -> tuple[Melee, tuple[Tell, ...]] | None:
    """The melee without the supporters that can't support now; None when all can, or it is illegal without them too."""
    if why_not_main(s, side, order) is not None:
        return None
    return acting.without(s, order, {unit: why_not_support(s, order, unit) for unit in order.support})


def targets(s: State, unit: Unit) -> list[Hex]:
    """The hexes that a unit that may attack can attack."""
    enemies = s.stands[s.board.enemy[unit.side]]
    return [h for h in s.board.ground.open_to[s.at[unit.id]] if h in enemies]  # 10-1(2), 10-2(1)b


def supporters(s: State, unit: Unit, target: Hex) -> tuple[str, ...]:
    """The units that could support a melee against a hex, by id."""
    return helpers(s, unit, s.board.ground.open_to[target], "melee")  # 10-2(2)a


def melee_strength(s: State, order: Melee) -> int:
    """The total melee strength: the attacking unit's, and 1 for each supporter."""
    return s.board.units[order.unit].melee + len(order.support)  # 10-2(3)


def strength_difference(s: State, order: Melee) -> int:
    """Total melee strength less the defender's; a defender without melee strength counts as 0."""
    return melee_strength(s, order) - s.board.units[order.target].melee  # 10-2(4)


def melee_modifiers(s: State, order: Melee) -> tuple[Modifier, ...]:
    """What changes the dice: terrain of the defender's hex, the side between, the commanders of both."""
    ground, start, target = s.board.ground, s.at[order.unit], s.at[order.target]
    found = ground.cover_melee[target] + ground.across_melee[start].get(target, ())  # 10-2(5)b, 10-2(5)c
    attacker, defender = commanders.attacking(s, order.unit, order.by), commanders.defending(s, order.target)
    return found + commanders.lent(attacker, "melee") + commanders.lent(defender, "melee", -1)  # 15-2-7-2(3)4c


def passes_check(morale: int, die: int, add: int) -> bool:
    """Whether a melee morale check is passed."""
    return die + add <= morale  # 10-2(7), 2-2-1(2)4


def melee(s: State, order: Melee) -> Steps:
    """Resolve a legal melee against one hex (10-2(0)).

    In this order: dice, check, retreat or removal, advance, the attacker's disorder, markers.
    """
    dice = yield Roll(stem("melee", s, order.target))  # 10-2(1)a, 10-2(5)a
    modifiers, difference = melee_modifiers(s, order), strength_difference(s, order)
    total = sum(dice) + sum(m.value for m in modifiers)
    result = s.board.tables.melee.result(total, difference)  # 10-2(6)0
    target_hex = s.at[order.target]
    facts = combat_facts(s, order, dice, modifiers, total) | {
        "strength": melee_strength(s, order),
        "difference": difference,
        "result": result,
        "check": None if result == "-" else int(result[1:]),
    }
    yield Tell("melee", "10-2(6)0", facts)
    if result != "-":  # 10-2(6)1
        yield from _check(s, order.target, int(result[1:]))  # 10-2(6)2
    if order.advance and s.ended is None and s.unit_in(target_hex) is None:  # 10-2(9)a
        yield from _advance(s, order.unit, target_hex)
    if s.ended is not None:  # 14(4)1
        return
    yield s.disorder(order.unit, "attacked in melee", "10-2(10)")  # 10-1(1)a, 10-2(10)
    s.done.add(order.unit)
    s.done.update(order.support)  # 10-1(3)b, 10-2(11)


def _check(s: State, target: str, add: int) -> Steps:
    """The defender's morale check and what a failure brings."""
    unit = s.board.units[target]
    if unit.artillery:
        yield s.remove(target, "artillery beaten in melee", "12(4)")  # 12(4), whatever its morale
        return
    (die,) = yield Roll(stem("check", s, target), dice=1)  # 10-2(7)
    commander = commanders.defending(s, target)  # he who counted for the dice: nobody has moved since
    morale = commanders.morale(unit, commander)  # 15-2-7-2(3)5
    passed = passes_check(morale, die, add)
    facts = {"unit": target, "die": die, "add": add, "morale": morale, "passed": passed}
    yield Tell("check", "10-2(7)", facts | commanders.told(commander))
    if passed:
        return  # 10-2(8)0
    if target in s.disordered:
        yield s.remove(target, "melee", "10-2(8)2")  # 10-2(8)2
    else:
        yield s.disorder(target, "melee", "10-2(8)1")
        yield from retreat(s, target, "melee")  # 10-2(8)1


def _advance(s: State, unit: str, h: Hex) -> Iterator[Tell]:
    """Advance after combat, whatever the terrain and enemy ZOC (10-2(9)b, 10-2(9)c)."""
    facts = {"unit": unit, "from": s.board.label[s.at[unit]], "to": s.board.label[h]}
    s.put(unit, h)  # 3-1(0)b
    yield Tell("advance", "10-2(9)a", facts)
    yield from victory.enter(s, unit, h)


def options(s: State, side: str) -> Iterator[Order]:
    """For each unit and defender: with no, one, two ... supporters (by id), without and with advance; then done."""
    for unit in s.board.of_side[side]:
        if unit in s.at:
            yield from options_of(s, unit)
    yield DONE


def options_of(s: State, unit: str) -> Iterator[Melee]:
    """The options of one unit."""
    for target, support in plans(s, s.board.units[unit], targets, supporters, "melee"):
        yield Melee(unit, target, support, advance=False)
        yield Melee(unit, target, support, advance=True)


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random order: a random unit that can attack, a random defender, some of the possible supporters."""
    aim = random_aim(s, side, targets, "melee", chance) if chance.random() >= 0.1 else None
    if aim is None:
        return DONE
    unit, h = aim
    target, advance = s.stands[s.board.enemy[side]][h], chance.random() < 0.5
    if chance.random() < 0.6:
        return Melee(unit.id, target, (), advance)
    return Melee(unit.id, target, tuple(w for w in supporters(s, unit, h) if chance.random() < 0.5), advance)


CHAPTER = Chapter(
    kind="melee",
    prompt=lambda _: "attack with a unit, or done",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=anyone,
    carry_out=lambda s, _, order: melee(s, order),
    done=DONE,
    never=why_never,
)
"""One melee after another (10-1(3)a, 10-1(4), 10-1(5)b)."""
