"""The flank bonus against a second, slow reading: hex by hex in the words of std-7.4-12 to -14."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from pbem.maps.hexes import Hex, neighbours
from pbem.rules.gcacw.combat import Fight, modifiers
from pbem.rules.gcacw.state import State

Field = Callable[..., State]

ATTACKERS = ("hood", "kemper", "wilcox", "f-lee", "va-2", "evans")
DEFENDERS = ("ricketts", "hooker", "me-1", "buford")


def somewhere(field: Field, chance: random.Random) -> State:
    """A random piece of ground; the defender in the middle, his attacker north of him, others about."""
    letters = "." * 8 + "smw-"
    rows = [[chance.choice(letters) for _ in range(5)] for _ in range(5)]
    rows[2][2] = rows[1][2] = "."
    text = "\n".join(" ".join(row) for row in rows)
    free = [f"{j + 1:02}{i + 1:02}" for i, row in enumerate(rows) for j, cell in enumerate(row) if cell != "-"]
    free = [label for label in free if label not in ("0303", "0302")]
    spots = chance.sample(free, 9)
    units = {"king": "0303 8", "ewell-b": "0302 8"}
    for unit, h in zip((*ATTACKERS[: chance.randrange(7)], *DEFENDERS[: chance.randrange(3)]), spots, strict=False):
        words = chance.choice(["", "", "", " demoralised 1"])
        units[unit] = f"{h} {chance.choice([1, 1, 2, 8])}{words}"
    bare = field(text, units)
    label, near = bare.board.label, bare.board.ground.near
    pairs = sorted({tuple(sorted((label[a], label[b]))) for a, found in near.items() for b in found})
    kind = {pair: chance.choice(["", "", "", "river", "ford", "creek", "road"]) for pair in pairs}
    kind["0302", "0303"] = ""
    rivers = ["/".join(pair) for pair, what in kind.items() if what in ("river", "ford")]
    creeks = ["/".join(pair) for pair, what in kind.items() if what == "creek"]
    fords = [" ".join(pair) for pair, what in kind.items() if what == "ford"]
    roads = [" ".join(pair) for pair, what in kind.items() if what == "road"]
    sides = {"minor_river": rivers, "creek": creeks}
    ways = {"ford": fords, "road": roads}
    s = field(text, units, sides={k: v for k, v in sides.items() if v}, roads={k: v for k, v in ways.items() if v})
    if chance.random() < 0.4:
        s.works["king"] = 2
    return s


def steady(s: State, h: Hex, side: str) -> bool:
    """Whether a unit of a side that isn't demoralised is in a hex."""
    return any(s.at[u] == h and s.board.units[u].side == side and u not in s.demoralised for u in s.manpower)


def bonus(s: State, at: Hex) -> int:
    """The bonus, counted as the clauses tell it."""
    ground, covered, less = s.board.ground, 0, 0
    worth = s.value("king") * (2 if s.works.get("king") == 2 else 1)
    for h in neighbours(at):
        if h not in ground.terrain:
            covered, less = covered + 1, less + 1
            continue
        side = ground.between[at][h]
        shut = side.water in ("minor_river", "major_river") and not side.crossing
        rough = ground.terrain[h] in ("swamp", "mountain") and not side.links
        reach = {h}
        for n in neighbours(h):
            if n in ground.terrain:
                between = ground.between[n][h]
                passes = not (between.water == "minor_river" and not between.crossing)
                if {"swamp", "mountain"} & {ground.terrain[n], ground.terrain[h]} and not between.links:
                    passes = False
                if passes:
                    reach.add(n)
        firm = [u for u in s.manpower if s.board.units[u].side == "confederate" and u not in s.demoralised]
        strength = sum(s.value(u) for u in firm if s.at[u] in reach)
        if strength and 4 * strength >= worth:
            covered, less = covered + 1, less + steady(s, h, "union")
        elif shut or rough:
            covered, less = covered + 1, less + 1
    return max(0, {5: 2, 6: 4}.get(covered, 0) - min(less, 3))


@pytest.mark.clause("std-7.4-12", "std-7.4-13", "std-7.4-14", "std-2.4-5")
def test_flanks_are_those_of_the_slow_reading(field: Field) -> None:
    """With the bonus, the quarter and the obstacles of R291."""
    seen = set()
    for seed in range(120):
        s = somewhere(field, random.Random(seed))
        at = s.board.parse("0303")
        found = modifiers(s, Fight("confederate", at, ("ewell-b",), "normal"))
        flank = sum(m.points for m in found if m.name == "flank")
        assert flank == bonus(s, at), seed
        seen.add(flank)
    assert seen == {0, 1, 2, 3, 4}
