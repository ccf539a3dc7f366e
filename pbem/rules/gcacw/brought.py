"""What the dice of an event told could have brought: points, strain, results of combats, numbers that are to be met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pbem.records import NamedTuple
from pbem.rules.fates import NO_EFFECT, REMOVED, cell_words
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.combat import APPLIES, ATTACKER, DEFENDER
from pbem.rules.gcacw.tables import PARALYSIS, RAIN, Allowance, Event, Strain
from pbem.rules.kit import throws
from pbem.rules.kit.throws import Shares

__all__ = [
    "BY_NUMBER", "FACES", "Pair", "chances", "foraged", "of_points", "pairs", "strain_words",
]  # fmt: skip

FACES = range(1, 7)

BY_NUMBER = {
    "assault-roll": ("comes about", "doesn't come about"),
    "joins": ("joins", "doesn't join"),
    "bridge": ("built", "not built"),
    "repair": ("whole again", "still damaged"),
    "cycle-roll": ("the cycle ends", "the cycle goes on"),
}
"""Event whose die is to show a number or less -> what it brings then, and else."""


class Pair(NamedTuple):
    """The cells of the combat chart as printed, of the attacker and the defender."""

    attacker: str
    defender: str


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the dice of an event told could have brought, each with its chance; none of an event without dice."""
    match what:
        case "allowance":
            dice = Allowance(len(facts["dice"]), facts["add"], facts.get("less", 0))
            return {_points(points): share for points, share in of_points(dice).items()}
        case "fight":
            return {_both(pair): share for pair, share in pairs(b, facts).items()}
        case "extended":
            army, add, was, manpower = facts["army"], facts["add"], facts["was"], facts["manpower"]
            return _of_die(lambda die: strain_words(b.tables.strain(army, die + add), manpower, was=was))
        case "evade":
            return _of_die(lambda die: _gone_back(die + facts["add"]))
        case "forage":
            return foraged(facts["number"], facts["fatigue"] + facts["add"])
        case "leader-check":
            return _of_die(lambda die: "nobody killed" if die % 2 else "a leader killed")
        case "event":
            found = throws.by_sum(lambda total: _event(b.tables.events[total]))
            return throws.shares(found, found)
    if what in BY_NUMBER:
        return _of_die(lambda die: BY_NUMBER[what][die > facts["number"]])
    return {}


def _both(pair: Pair) -> str:
    return f"defender {cell_words(pair.defender)}, attacker {cell_words(pair.attacker)}"


def foraged(number: int, added: int) -> Shares:
    """What foraging brings: the die and what is added are to be the county's number or less (20.4-6)."""
    return _of_die(lambda die: "in supply" if die + added <= number else "nothing found")


def _event(event: Event) -> str:
    """A random event in words (14.0-table)."""
    if event.kind == RAIN:
        return f"rain for {event.turns + 1} turn{'s' * (event.turns > 0)}"
    if event.kind == PARALYSIS:
        return f"paralysis of the {event.side}"
    return f"{event.kind} reinforcements of the {event.side}"


def _points(figure: int) -> str:
    return f"{figure} points" if figure != 1 else f"{figure} point"


def _of_die(brings: Callable[[int], str]) -> Shares:
    """The chances of what a die brings, in the order of its faces."""
    found = [brings(die) for die in FACES]
    return throws.shares(Counter(found), dict.fromkeys(found))


def of_points(allowance: Allowance) -> dict[int, Fraction]:
    """The points of movement that dice bring, each with its chance, the fewest first (std-5.1-2, std-5.2-2)."""
    found = throws.by_sum(allowance.points, allowance.dice)
    return {points: Fraction(found[points], found.total()) for points in sorted(found)}


def strain_words(strain: Strain, manpower: int, *, was: bool) -> str:
    """What an extended march brings a unit with so much manpower (std-5.1-8, std-7.5-2).

    One that `was` disorganised already pays for that, too (std-5.1-9).
    """
    if not strain.disorganised:
        return NO_EFFECT
    figure = min(strain.loss + was, manpower)
    if figure == manpower:
        return f"{figure} lost and {REMOVED}"
    told = [*(() if was else ("disorganised",)), *([f"{figure} lost"] if figure else [])]
    return " and ".join(told)


def _gone_back(total: int) -> str:
    """What the die of a cavalry retreat takes of the marcher's points, and of the cavalry (std-7.7-3, std-7.7-6)."""
    figure = total // 2
    told = f"{figure} points lost" if figure != 1 else f"{figure} point lost"
    return f"{told}, the cavalry disorganised" if total <= 2 else told


def pairs(b: Board, facts: Mapping[str, Any]) -> dict[Pair, Fraction]:
    """The results that the dice of a combat told can bring, each with its chance, the best for the defender first.

    The artillery's die counts too, though the fight told had one throw of it (std-7.3-3, std-7.5-1).
    """
    attacker, defender = facts["values"]
    base = sum(points if of == ATTACKER else -points for of, _, points, _ in facts["modifiers"])
    high, low = facts.get("gun_points", [facts["guns"][1]] * 2)
    found: Counter[int] = Counter()
    for own in FACES:
        for other in FACES:
            for gun_die in FACES:
                found[own - other + base + (high if gun_die >= APPLIES else low)] += 1
    shares: dict[Pair, Fraction] = {}
    for difference in sorted(found):
        pair = Pair(
            str(b.tables.result(ATTACKER, difference, attacker)), str(b.tables.result(DEFENDER, difference, defender))
        )
        shares[pair] = shares.get(pair, Fraction(0)) + Fraction(found[difference], found.total())
    return shares
