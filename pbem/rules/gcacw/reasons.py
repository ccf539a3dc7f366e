"""What decides what an order's dice mean, one by one with its value in words and its clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.rules.fates import cell_words
from pbem.rules.gcacw import march, may_march
from pbem.rules.gcacw.assault import assault_number
from pbem.rules.gcacw.brought import FACES, strain_words
from pbem.rules.gcacw.combat import APPLIES, ATTACKER, DEFENDER
from pbem.rules.gcacw.halves import half
from pbem.rules.gcacw.in_force import left_on_rails
from pbem.rules.gcacw.odds import allowance_of, dice_words, known_courses
from pbem.rules.gcacw.orders import Activate, Assault, Bridge, Entrench, Forage, Grand, March, Merge, Order, Raid, Rail
from pbem.rules.gcacw.outreach import prices
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.supply import added, forage_number
from pbem.rules.gcacw.tables import ATTACKS
from pbem.rules.gcacw.trial import Course
from pbem.rules.kit.throws import runs
from pbem.rules.requests import Factor, Standing
from pbem.words import listed

__all__ = ["factors"]

CALLED = {
    "ratio": "the ratio of combat values", "tactical": "tactical values", "flank": "covered flanks",
    "commander": "Lee or Jackson", "assault": "an assault", "crossing": "a river crossing", "creek": "a creek",
    "hill": "a hill", "mountain": "a mountain", "demoralised": "demoralised defenders",
    "refused": "refused flanks", "rain": "rain", "panic": "the panic",
    **{kind: f"a {kind} attack" for kind in ATTACKS},
}  # fmt: skip
"""Modifier -> what it is for."""

DIFFERENCES = range(-8, 11)
"""The rows of the chart, the first and the last for all beyond."""


def factors(s: State, order: Order, standing: Standing | None = None) -> Iterator[Factor]:
    """What decides what a legal order's dice mean, or that it needs none."""
    match order:
        case March() | Activate():
            yield from _marching(s, order)
        case Assault() | Grand():
            yield from _assaulting(s, order)
        case Rail():
            yield from _straining(s, [order.unit])
            if left := left_on_rails(s):
                takes = f"{half(s.value(order.unit))} of {half(left)} that are left"
                yield Factor(f"the combat value of {order.unit} by rail", takes, "16.0-8")
            yield from _detaching(s, order)
        case Raid():
            yield Factor("a raid", "it succeeds without a die", "std-5.4-1")
        case Entrench():
            yield Factor("a stage of works", "it is built without a die", "std-9.0-2")
        case Bridge():
            number = s.board.tables.bridge[s.board.units[order.unit].side]
            yield Factor("the die of the bridge", f"built with {_or_less(number)}", "std-10.0-2")
        case Forage():
            yield from _foraging(s, order)
        case Merge():
            yield Factor("merging", "it is done without a die", "21.2-2")
    if isinstance(order, March | Activate | Assault | Grand):
        yield from _fighting(s, known_courses(s, order, standing) or ())


def _detaching(s: State, order: March | Rail) -> Iterator[Factor]:
    """Who stays behind as a substitute, and at what fatigue: in the first hex that of before the march (21.1)."""
    fatigue, left = s.fatigue.get(order.unit, 0), s.manpower[order.unit]
    for one in order.detached:
        begins = one.at in (None, s.at[order.unit])
        left -= one.manpower
        told = f"{one.manpower} manpower where it begins, at fatigue {fatigue}; {left} go on"
        if not begins and one.at is not None:
            told = f"{one.manpower} manpower at {s.board.place(one.at)}, at fatigue {fatigue + 1}; {left} go on"
        yield Factor(f"{one.substitute} detached of {order.unit}", told, "21.1-5" if begins else "21.1-7")


def _foraging(s: State, order: Forage) -> Iterator[Factor]:
    """The county's number, what fatigue adds, and with dispersal those who have tried before (20.4-5, -6, -opt)."""
    before = {*s.foraged}
    for unit in order.units:
        county = s.board.map.region.get(s.at[unit], "")
        yield Factor(f"the die of {unit} in {county}", f"in supply with {_or_less(forage_number(s, unit))}", "20.4-5")
        if fatigue := s.fatigue.get(unit, 0):
            yield Factor(f"the fatigue of {unit}", f"+{fatigue} to its die", "20.4-6")
        if add := added(s, unit, before):
            yield Factor(f"infantry that has tried beside {unit}", f"+{add} to its die", "20.4-opt")
        before.add(unit)


# --- marches ----------------------------------------------------------------------------------------------------------


def _marching(s: State, order: March | Activate) -> Iterator[Factor]:
    """The points of a march or an activation, what its ways cost, what strains it, what attacks cost."""
    clause = "std-5.1-2" if isinstance(order, March) else "std-5.2-2"
    yield Factor("the points of movement", dice_words(allowance_of(s, order)), clause)
    marches = [order] if isinstance(order, March) else [*order.marches]
    for one in marches:
        if one.path:
            what = f"the whole way of {one.unit}" if len(marches) > 1 else "the whole way"
            yield Factor(what, _cost(s, one, marches), "std-6.1-2")
    yield from _straining(s, [one.unit for one in marches])
    for one in marches:
        yield from _detaching(s, one)
    if any(one.force for one in marches):
        more = s.board.tables.forced[s.board.units[marches[0].unit].branch]
        yield Factor("a forced march", f"+{half(more)} points, and the unit is disorganised", "std-5.1-11")
    if any(one.strike is not None for one in marches):
        told = prices(s, {s.board.units[one.unit].branch for one in marches if one.strike is not None})
        yield Factor("the points that an attack takes, and its modifier", told, "std-7.1-2")


def _cost(s: State, one: March, marches: Sequence[March]) -> str:
    """What a march's way costs as things stand (std-6.1, std-6.2-2)."""
    start = s.at[one.unit]
    mates = [other.unit for other in marches if s.at[other.unit] == start] if len(marches) > 1 else [one.unit]
    return _points(march.way_cost(s, one.unit, start, one.path, mates))


def _points(halves: int) -> str:
    figure = half(halves)
    return f"{figure} points" if halves > 2 else f"{figure} point"


def _straining(s: State, units: Sequence[str]) -> Iterator[Factor]:
    """The table of extended marches for each army, sum added to the die, and order of the units (std-5.1-8, -9)."""
    alike: dict[tuple[str, bool], list[str]] = {}
    for unit in units:
        fatigue = s.fatigue.get(unit, 0) + 1
        if fatigue >= may_march.EXTENDED:
            was = unit in s.disorganised
            told = _strain_line(s, s.army(unit), march.strain_added(s, unit, fatigue), s.manpower[unit], was=was)
            alike.setdefault((told, was), []).append(unit)
    for (told, was), those in alike.items():
        who = ", ".join(those)
        if was:
            yield Factor(f"the die of the extended march of {who}, disorganised already", told, "std-5.1-9")
        else:
            yield Factor(f"the die of the extended march of {who}", told, "std-5.1-8")


def _strain_line(s: State, army: str, add: int, manpower: int, *, was: bool) -> str:
    return runs(FACES, lambda die: strain_words(s.board.tables.strain(army, die + add), manpower, was=was))


# --- assaults ---------------------------------------------------------------------------------------------------------


def _assaulting(s: State, order: Assault | Grand) -> Iterator[Factor]:
    """The assault number, and that of further hexes (std-5.3-5, std-7.1-7)."""
    leader, units = (order.leader, order.units) if isinstance(order, Assault) else (order.chief, order.first)
    value, number = s.command_value(leader), assault_number(s, leader, len(units))
    told = f"{_or_less(number)}: command value {value}"
    if len(units) > 1:
        told = f"{_or_less(number)}: command value {value}, less {len(units) - 1} for the units beyond the first"
    yield Factor("the assault number", told, "std-5.3-5")
    if isinstance(order, Grand):
        value = s.command_value(order.leader)
        yield Factor("the die of each further hex", _or_less(value), "std-7.1-7")
    if s.options.assault_strain == "yes":
        yield from _straining(s, (*units, *(order.others if isinstance(order, Grand) else ())))


def _or_less(number: int) -> str:
    if number < FACES[0]:
        return "no die"
    figure = number
    return f"{figure} or less" if number < FACES[-1] else "any die"


# --- combats ----------------------------------------------------------------------------------------------------------


def _fighting(s: State, found: Iterable[Course]) -> Iterator[Factor]:
    """All that is added to the dice of a first combat, over all its courses, and what their difference brings."""
    fights = [facts for course in found for facts in course.facts("fight")]
    if not fights:
        return
    values = [sorted({facts["values"][n] for facts in fights}) for n in (0, 1)]
    said = [" or ".join(str(half(value)) for value in those) for those in values]
    yield Factor("combat values", f"yours {said[0]}, the enemy's {said[1]}", "std-7.2-1")
    if behind := sorted({facts["works"] for facts in fights if "works" in facts}):
        told = f"{' or '.join(behind)} for the ratio and the flanks"
        yield Factor("the enemy's combat value behind works", told, "std-9.0-6")
    named: dict[tuple[str, str, str], list[int]] = {}
    for facts in fights:
        for of, name, points, clause in facts["modifiers"]:
            named.setdefault((of, name, clause), []).append(points)
    for (of, name, clause), points in named.items():
        kind, always = name in ATTACKS, len(points) == len(fights)
        told = " or ".join(f"{add:+d}" for add in sorted({*points, *([] if always or kind else [0])}))
        what = f"die for {CALLED[name]}" if of == ATTACKER else f"enemy's die for {CALLED[name]}"
        yield Factor(what if always or not kind else f"{what}, where it is one", told, clause)
    yield from _guns(fights[0])
    danger = sorted({leader for facts in fights for leader in facts.get("danger", ())})
    if danger:
        who = listed([s.board.units[leader].name for leader in danger], "or")
        yield Factor("two ones in the combat", f"one more die, and an even one kills {who}: 1 throw of 72", "17.0-2")
    for n, side in ((1, DEFENDER), (0, ATTACKER)):
        rows: dict[str, list[str]] = {}
        for value in values[n]:
            rows.setdefault(_row(s, side, value), []).append(str(half(value)))
        for row, those in rows.items():
            what = f"what the difference of the dice brings you with {' or '.join(those)}"
            if side == DEFENDER:
                what = f"what the difference of the dice brings the enemy with {' or '.join(those)}"
            yield Factor(what, row, "std-7.5-1")


def _row(s: State, of: str, value: int) -> str:
    """What each difference of the dice brings a side of the chart with a value."""
    return runs(DIFFERENCES, lambda difference: cell_words(str(s.board.tables.result(of, difference, value))))


def _guns(facts: Mapping[str, Any]) -> Iterator[Factor]:
    """What artillery adds to the attacker's die (std-7.3-3)."""
    difference, points = facts["guns"]
    high, low = facts.get("gun_points", (points, points))
    if high or low:
        told = f"{high:+d}, its values differing by {difference:+d}"
        if high != low:
            told = (
                f"{high:+d} with one more die of {APPLIES} or more, {low:+d} with less, its values differing by "
                f"{difference:+d}"
            )
        yield Factor("die for artillery", told, "std-7.3-3")
