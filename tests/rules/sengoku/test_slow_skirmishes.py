"""Skirmishes against a slow reading of their own, on random positions: both dice, who falls, who answers (23, P-7)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from rules.sengoku.activities import run, told
from rules.sengoku.test_tables import BATTLE

from pbem.rules.sengoku.orders import Attack
from pbem.rules.sengoku.skirmish import carry_out, why_not
from pbem.rules.sengoku.state import State, copy

Field = Callable[..., State]
ATTACK = {".": 0, "r": -1, "s": -1, "M": -2}
"""The shift of the attack by the ground of those attacked (23-2-1(1), 23-2-1(2))."""

ANSWER = {".": 0, "r": 0, "s": -1, "M": -1}
RIVER = -2
US = ("hb-02", "hb-04", "hb-06", "hb-07", "hb-08", "hb-09")
THEM = ("sb-02", "sb-03", "sb-04", "sb-05", "sb-06", "sb-07", "sb-08", "sb-09")
"""Units in the order of their army files; of Shibata's the first two are generals."""

NEEDED = 10
"""The strength that a siege of a castle of level 0 or 1 needs."""


class Skirmish:
    """A random skirmish, before a castle or out of it: facts of its own, and the state made of them."""

    def __init__(self, field: Field, seed: int) -> None:
        chance = random.Random(seed)
        self.letter, self.river = chance.choice("..rsM"), chance.random() < 0.3
        self.front = {unit: chance.randint(2, 4) for unit in (*US, *THEM)}
        self.back = {unit: chance.randint(1, 2) for unit in (*US, *THEM)}
        self.skill = {unit: chance.randint(0, 4) for unit in (*US, *THEM)}
        self.steps = {unit: chance.choice((1, 2, 2)) for unit in (*US, *THEM)}
        self.us = list(US[: chance.randint(2, 6)])
        heads = list(THEM[: chance.randint(1, 3)])
        self.forces = {head: [head] for head in heads}
        for unit in THEM[len(heads) : chance.randint(len(heads), len(THEM))]:
            self.forces[chance.choice(heads[:2])].append(unit)
        self.morale = {unit: -chance.choice((0, 0, 1, 3)) for unit in ("hb-02", *heads)}
        self.sortie = chance.random() < 0.4
        self.beside = -chance.choice((0, 2, 4)) if self.sortie else 0
        besieging = set(heads) if chance.random() < 0.5 else {heads[0]}
        self.marked = besieging if self.sortie or chance.random() < 0.5 else set()
        if self.strength(self.of(self.marked)) < NEEDED:
            self.marked = set()
        self.targets = heads if chance.random() < 0.6 else heads[:1]
        self.state = self.built(field)

    def built(self, field: Field) -> State:
        """The state on a field of the program: those attacked in 0203, east of the attacker."""
        if self.sortie or self.marked:
            self.letter = self.letter.replace("s", "r")  # no castle stands in a swamp
        rows = f". . . . .\n . . {self.letter} . .\n . . . . .\n"
        words = {" ".join(self.us): "0203 shut-in" if self.sortie else "0202"}
        words |= {" ".join(units): "0203" + " besieging" * (head in self.marked) for head, units in self.forces.items()}
        placed = {}
        for names, text in words.items():
            worn = " ".join(unit for unit in names.split() if self.steps[unit] == 1)
            placed[names] = f"{text} morale {self.morale[names.split()[0]]} reduced {worn}"
        values = {
            unit: {"front": str(self.front[unit]), "back": str(self.back[unit]), "modifier": str(self.skill[unit])}
            for unit in (*US, *THEM)
        }
        placed |= {"hb-03": f"0203 shut-in morale {self.beside}"} if self.sortie else {}
        castles = {"gifu": "0203 hashiba 1"} if self.sortie or self.marked else {}
        return field(rows, placed, castles=castles, values=values, rivers=("0202/0203",) if self.river else ())

    def of(self, forces: Iterable[str]) -> list[str]:
        """The units of some of those attacked that are left."""
        return [unit for force in forces for unit in self.forces[force] if self.steps[unit]]

    def strength(self, units: Iterable[str]) -> int:
        """What units are worth."""
        return sum((0, self.back[unit], self.front[unit])[self.steps[unit]] for unit in units)

    # --- the slow readings

    def led(self, groups: Iterable[list[str]]) -> int:
        """The modifier that counts of forces: of the highest rank that leads, of all units where the leader fell."""
        leading = [
            unit for group in groups for unit in (group[:1] if self.steps[group[0]] else group) if self.steps[unit]
        ]
        best = max(self.rank(unit) for unit in leading)
        return max(self.skill[unit] for unit in leading if self.rank(unit) == best)

    def rank(self, unit: str) -> int:
        """Generals above the others."""
        return int(unit in ("hb-02", "sb-02", "sb-03"))

    def groups(self) -> list[list[str]]:
        """Those attacked that are left, force by force, a leader that fell included."""
        return [self.forces[force] for force in self.targets if self.of([force])]

    def attack(self, die: int) -> tuple[int, int, int, bool]:
        """Strength, modified die, losses and mark of the attack."""
        low = min(self.morale[force] for force in self.targets)
        die += 0 if self.sortie or not self.river else RIVER
        die += ATTACK[self.letter] - self.sortie + self.led([self.us]) - self.led(self.groups())
        return self.result(self.strength(self.us), die + min(self.morale["hb-02"], self.beside) - low)

    def answer(self, die: int, was: int) -> tuple[int, int, int, bool]:
        """The same of the counterattack, `was` being the morale of the attacker by then."""
        groups = self.groups()
        low = min(self.morale[force] for force in self.targets if self.of([force]))
        die += 0 if self.sortie or not self.river else RIVER
        die += ANSWER[self.letter] + self.sortie + self.led(groups) - self.led([self.us])
        half = [force for force in self.targets if force in self.marked and not self.sortie]
        full = self.strength(self.of(force for force in self.targets if force not in half))
        return self.result(full + -(-self.strength(self.of(half)) // 2), die + low - was)

    def result(self, strength: int, die: int) -> tuple[int, int, int, bool]:
        """The cell of the table."""
        column = max(least for least in BATTLE if least <= strength)
        row = min(max(die, -2), 9)
        losses = int(BATTLE[column].split()[row + 2])
        return strength, die, losses, row >= 8 and losses >= 2

    def lose(self, units: list[str], losses: int, *, marked: bool) -> list[str]:
        """Take steps by default: all of two steps are reduced first, then units die, by rank and front (R167, R168)."""
        every = {unit: i for i, unit in enumerate((*US, *THEM))}
        heads = {unit for unit in units for group in (self.us, *self.forces.values()) if group[0] == unit and len([
            other for other in group if self.steps[other]]) > 1}  # fmt: skip
        order = sorted(units, key=lambda unit: (unit in heads, self.rank(unit), self.front[unit], every[unit]))
        rounds = [unit for unit in order if self.steps[unit] == 2] + order
        taken = rounds[:losses]
        if marked and not any(taken.count(unit) == self.steps[unit] for unit in taken):
            enough = [unit for unit in order if self.steps[unit] <= losses] or order
            lowest = [unit for unit in enough if self.rank(unit) == min(map(self.rank, enough))]
            single = [unit for unit in lowest if self.steps[unit] == 1 and (unit in heads) == (lowest[0] in heads)]
            victim = (single or lowest)[0]
            wanted = [victim] * self.steps[victim]
            others = [unit for unit in rounds if unit != victim]
            taken = wanted + others[: max(0, losses - len(wanted))]
        for unit in taken:
            self.steps[unit] -= 1
        return taken


def seen(found: list[Any], what: str) -> tuple[int, int, int, bool]:
    """Strength, modified die, losses and mark of a die that was told."""
    (facts,) = told(found, what)
    shifts = sum(facts[key] for key in ("ground", "river", "skill", "morale", "castle"))
    return facts["strength"], facts["die"] + shifts, facts["result"], facts["marked"]


@pytest.mark.parametrize("seed", range(40))
def test_a_skirmish_is_that_of_the_slow_reading(field: Field, seed: int) -> None:
    for die in (2, 6):
        for second in (3, 6):
            slow = Skirmish(field, seed)
            s = copy(slow.state)
            order = Attack("hb-02", tuple(slow.targets))
            assert why_not(s, "hashiba", order) is None
            expected = slow.attack(die)
            slow.lose(slow.of(slow.targets), expected[2], marked=expected[3])
            left = slow.of(slow.targets)
            over = slow.marked and slow.strength(slow.of(slow.marked)) < NEEDED
            was = 0 if over and slow.sortie else min(slow.morale["hb-02"], slow.beside)
            found = run(carry_out(s, order), [die, second] if left else [die], {})
            assert seen(found, "attack-result") == expected
            if left:
                answer = slow.answer(second, was)
                assert seen(found, "counterattack-result") == answer
                slow.lose(slow.us, answer[2], marked=answer[3])
            for unit in (*slow.us, *(unit for units in slow.forces.values() for unit in units)):
                assert (0 if unit in s.removed else 1 if unit in s.reduced else 2) == slow.steps[unit], unit


def test_the_random_skirmishes_have_everything(field: Field) -> None:
    every = [Skirmish(field, seed) for seed in range(40)]
    results = [slow.attack(die) for slow in every for die in (2, 6)]
    assert sum(marked for *_, marked in results) > 3
    assert sum(slow.sortie for slow in every) > 10
    assert sum(bool(slow.marked) and not slow.sortie for slow in every) > 5
    assert sum(slow.river for slow in every) > 10
    assert sum(len(slow.targets) > 1 for slow in every) > 10
