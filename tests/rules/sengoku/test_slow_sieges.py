"""Sieges against a slow reading of their own, on random positions: who may besiege, and what a check brings (18)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest
from rules.sengoku.activities import run, told

from pbem.rules.sengoku.orders import Besiege
from pbem.rules.sengoku.siege import checks, why_not_besiege
from pbem.rules.sengoku.state import State, copy

Field = Callable[..., State]
ROWS = ". . .\n . . ."
US = {"hb-02": 4, "hb-03": 3, "hb-05": 3, "hb-13": 1}
"""Forces that may besiege, by leader, with their action power."""

OURS = ("hb-04", "hb-06", "hb-07", "hb-08", "hb-09", "hb-10", "hb-11", "hb-12")
THEIRS = ("kb-01", "kb-02", "kb-03", "kb-04", "kb-05", "kb-06", "kb-07")
"""Those inside, in the order of the army file; the first two are commanders."""

LIMIT = (5, 10, 20, 30, 50, 100)
"""Level -> the units that a castle under siege holds (18-2-1(1))."""

TRAITOR, SPECIAL, RUMOUR, EFFECT = -1, 0, 4, 6
"""The highest die, with the difference of morale, of each kind of incident; one lower than the first: two traitors."""


class Siege:
    """A random castle with those before it and those inside: facts of its own, and the state made of them."""

    def __init__(self, field: Field, seed: int) -> None:
        chance = random.Random(seed)
        self.level, self.stage = chance.choice((0, 1, 2)), chance.choice((1, 2, 3))
        self.durability = chance.choice((1, 2, 3, 10))
        self.front = {unit: chance.randint(2, 5) for unit in (*US, *OURS, *THEIRS)}
        self.reduced = {unit for unit in self.front if chance.random() < 0.3}
        self.forces = self.grouped(chance, list(US), list(OURS)) | self.grouped(
            chance, ["kb-01", "kb-02"], [*THEIRS[2:]]
        )
        inside = [force for force in self.forces if force in THEIRS]
        self.inside = chance.sample(inside, chance.randint(0, len(inside)))
        self.away = chance.choice(list(US))
        self.acted = {force for force in US if chance.random() < 0.2}
        marked = [force for force in US if force != self.away and chance.random() < 0.6]
        self.marked = set(marked if self.strength(marked) >= self.needed() else [])
        self.morale = {force: -chance.choice((0, 0, 1, 2, 4)) for force in self.forces}
        self.own = 0 if self.inside else -chance.choice((0, 1, 4))
        self.state = self.built(field)

    def grouped(self, chance: random.Random, leaders: list[str], others: list[str]) -> dict[str, list[str]]:
        """Leader -> his force."""
        found = {leader: [leader] for leader in leaders}
        for other in others:
            found[chance.choice(leaders)].append(other)
        return found

    def built(self, field: Field) -> State:
        """The state on a field of the program; who isn't inside stands apart."""
        words = {}
        for force, units in self.forces.items():
            inside = "0202 shut-in" if force in self.inside else "0101"
            before = "0201" if force == self.away else "0202" + " besieging" * (force in self.marked)
            place = before if force in US else inside
            worn = " ".join(unit for unit in units if unit in self.reduced)
            acted = " acted" * (force in self.acted)
            words[" ".join(units)] = f"{place} morale {self.morale[force]}{acted} reduced {worn}"
        values = {unit: {"front": str(front), "back": "1"} for unit, front in self.front.items()}
        values |= {force: {**values[force], "power": str(power)} for force, power in US.items()}
        castle = f"0202 kobe {self.level} {self.durability}"
        s = field(ROWS, words, castles={"gifu": castle}, values=values, stage=self.stage)
        s.set_castle_morale("gifu", self.own)
        return s

    def strength(self, forces: Any) -> int:
        """What forces are worth."""
        return sum(1 if unit in self.reduced else self.front[unit] for force in forces for unit in self.forces[force])

    def needed(self) -> int:
        """The strength of a siege (18-1, 18-1-1)."""
        return {0: 10, 1: 10, 2: 20}[self.level]

    # --- the slow readings

    def may_besiege(self, forces: tuple[str, ...]) -> bool:
        """Whether these may begin the siege or join it (18-1-2, 18-1-4)."""
        for force in forces:
            if force == self.away or force in self.acted or force in self.marked or US[force] < self.stage:
                return False
        return self.strength({*forces, *self.marked}) >= self.needed()

    def check(self, die: int) -> str:
        """What the die of a check brings (18-2-1)."""
        over = sum(len(self.forces[force]) for force in self.inside) > LIMIT[self.level]
        return "incident" if die == 1 else "damage" if die <= (4 if over else 3) else "nothing"

    def incident(self, die: int) -> tuple[str, int]:
        """What an incident is and how much (18-2-1(3))."""
        theirs = min((self.morale[force] for force in self.inside), default=self.own)
        die += theirs - min(self.morale[force] for force in self.marked)
        if die <= TRAITOR:
            return ("traitors" if self.inside else "damage"), 1 + (die < TRAITOR)
        if die == SPECIAL or RUMOUR < die <= EFFECT:
            return "damage", 1 + (die == SPECIAL)
        return ("shaken", 1) if die <= RUMOUR else ("besiegers", 1)

    def after(self, what: str, by: int) -> dict[str, Any] | None:
        """Durability, morale by unit, those lost, the besiegers and the castle's morale then; None when it falls."""
        morale = {unit: self.morale[force] for force, units in self.forces.items() for unit in units}
        lost: set[str] = set()
        durability, own, marked = self.durability, self.own, set(self.marked)
        inside = [unit for force in self.inside for unit in self.forces[force]]
        if what == "damage":
            durability -= by
        elif what == "traitors":
            inside.sort(key=lambda unit: (unit in THEIRS[:2], self.front[unit], THEIRS.index(unit)))
            lost = set(inside[:by])
        else:
            hit = inside if what == "shaken" else [unit for force in marked for unit in self.forces[force]]
            morale |= {unit: morale[unit] - 1 for unit in hit} if what != "nothing" else {}
            lost = {unit for unit in morale if morale[unit] < -4}
            own -= what == "shaken" and not inside
            marked -= lost
        if durability <= 0 or own < -4 or (what == "shaken" and inside and lost >= set(inside)):
            return None
        if lost >= set(inside):
            own = 0 if inside else own
        if self.strength(marked) < self.needed():
            marked, own = set(), 0
            morale |= dict.fromkeys(inside, 0)
        here = {unit: value for unit, value in morale.items() if unit not in lost}
        return {"durability": durability, "morale": here, "lost": lost, "marked": marked, "own": own}


def found(s: State) -> dict[str, Any]:
    """The same of a state of the program."""
    morale = {unit: s.morale.get(force, 0) for force, units in s.forces.items() for unit in units}
    own = s.castle_morale.get("gifu", 0)
    return {
        "durability": s.durability["gifu"], "morale": morale, "lost": set(s.removed), "marked": s.besieging, "own": own,
    }  # fmt: skip


def sieges(field: Field, seeds: range) -> Iterator[Siege]:
    """Random sieges that are under way."""
    every = (Siege(field, seed) for seed in seeds)
    return (siege for siege in every if siege.marked)


@pytest.mark.parametrize("seed", range(40))
def test_who_may_besiege_is_as_in_the_slow_reading(field: Field, seed: int) -> None:
    siege = Siege(field, seed)
    for count in (1, 2, 3):
        for forces in combinations(US, count):
            refusal = why_not_besiege(siege.state, "hashiba", Besiege("gifu", forces))
            assert (refusal is None) is siege.may_besiege(forces), (forces, refusal)


@pytest.mark.parametrize("start", range(0, 120, 10))
def test_checks_bring_what_the_slow_reading_says(field: Field, start: int) -> None:
    for siege in sieges(field, range(start, start + 10)):
        for dice in [(1, second) for second in range(1, 7)] + [(first,) for first in range(2, 7)]:
            what = siege.check(dice[0])
            what, by = siege.incident(dice[1]) if what == "incident" else (what, 1)
            s, after = copy(siege.state), siege.after(what, by)
            came = run(checks(s, "anti-hashiba"), [*dice, *[1] * (after is None)], {})
            assert bool(told(came, "fall")) is (after is None), (dice, what)
            if after is not None:
                assert found(s) == after, (dice, what)


def test_the_random_sieges_bring_everything(field: Field) -> None:
    every = [siege.incident(die)[0] for siege in sieges(field, range(120)) for die in range(1, 7)]
    assert {what: every.count(what) > 10 for what in set(every)} == dict.fromkeys(
        ("traitors", "damage", "shaken", "besiegers"), True
    )
    assert sum(siege.may_besiege((force,)) for seed in range(40) for siege in [Siege(field, seed)] for force in US) > 10
