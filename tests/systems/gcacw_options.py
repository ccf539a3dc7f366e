"""What a side may order in a position of the Great Campaigns, and what is asked next, by the second reading.

Marches are known by where they end. As the game lists them, a way goes no farther than the first zone of control that
stops, with the points of two dice at their best, and leaders who would be left alone go along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import yaml
from golden import ROOT

from systems import gcacw_slow as slow
from systems.gcacw_slow import Counter, Field, Place

__all__ = ["Reading", "armies", "land_on", "orders", "shortened"]

Words = tuple[str, ...]

BEST = 12
"""The points of two dice at their best."""

MARCH = {"infantry": 1, "cavalry": 2}
"""The dice of a march, and of a leader's activation, by branch (std-5.1-2, std-5.2-2)."""

SIDES = ("union", "confederate")


def armies() -> list[dict[str, Any]]:
    """The army files, read by another reader."""
    folder = ROOT / "scenarios" / "gcacw" / "armies"
    return [yaml.safe_load((folder / f"{side}.yaml").read_text("utf-8")) for side in SIDES]


def land_on(p: Mapping[str, Any]) -> slow.Country:
    """The ground of a small field, as the second reading has it."""
    drawn = "".join(f"{i:02} {row}\n" for i, row in enumerate(p["rows"], 1))
    roads, sides = (
        [(kind, chain) for kind, chains in p.get(key, {}).items() for chain in _each(chains)]
        for key in ("roads", "sides")
    )
    return slow.country_of(
        {
            "terrain": {"rows": drawn},
            "roads": {"chains": [{"kind": kind, "hexes": chain} for kind, chain in roads]},
            "hexsides": {"chains": [{"kind": kind, "sides": chain} for kind, chain in sides]},
        }
    )


def _each(chains: str | Sequence[str]) -> Sequence[str]:
    return [chains] if isinstance(chains, str) else chains


def field_in(p: Mapping[str, Any]) -> Field:
    """The counters of a position on a small field."""
    printed = {unit["id"]: (army["army"], unit) for army in armies() for unit in army["units"]}
    found = []
    for name, text in p["units"].items():
        side, unit = printed[name]
        words = text.split()
        stands = {
            "manpower": int(words[1]) if words[1:] and words[1].isdigit() else 0,
            "fatigue": next((int(word[1]) for word in words if len(word) == 2 and word[0] == "F"), 0),
            "disorganised": "disorganised" in words,
            "shaken": _behind(words, "demoralised"),
            "works": _behind(words, "works"),
        }
        found.append(slow.counter_of(side, unit, slow.place(words[0]), stands))
    return Field(land_on(p), found)


def _behind(words: Sequence[str], word: str) -> int:
    return int(words[words.index(word) + 1]) if word in words else 0


def number(h: Place) -> str:
    return f"{h[0]:02}{h[1]:02}"


def shortened(words: Words) -> Words:
    """An answer's words, of a march only its unit, who goes along, its end and what it attacks; units sorted."""
    match words:
        case ("march", *_):
            return _march_in_short(words)
        case ("activate", leader, *rest):
            return ("activate", leader, *_march_in_short(tuple(rest)))
        case ("assault" | "grand", *_):
            by, groups = words.index("by") + 1, " ".join(words[words.index("by") + 1 :]).split(" and ")
            return (*words[:by], *(word for group in groups for word in ("and", *sorted(group.split()))))
    return words


def _march_in_short(words: Words) -> Words:
    cut = words.index("attack") if "attack" in words else len(words)
    way = [word for word in words[2:cut] if word.isdigit()]
    along = [word for word in words[2:cut] if not word.isdigit()]
    return (*words[:2], *along[:1], *sorted(along[1:]), *way[-1:], *words[cut:])


# --- what may be ordered ----------------------------------------------------------------------------------------------


def able(f: Field, side: str) -> list[Counter]:
    """The combat units of a side that can act (std-4.0-6)."""
    return [c for c in f.counters if c.side == side and not c.leader and c.fatigue < 4]


def orders(f: Field, side: str, all_zones: bool = True) -> Iterator[Words]:
    """The actions of a side, and passing (std-4.0-5)."""
    alone = {unit.id: [*marches(f, unit, all_zones)] for unit in able(f, side)}
    for found in alone.values():
        yield from found
    for leader in (c for c in f.counters if c.side == side and c.leader):
        if leader.size == "corps":
            for unit in able(f, side):
                if leader.commands(unit) and f.reaches(leader, unit, 3):
                    yield from (("activate", leader.id, *words) for words in alone[unit.id])
            yield from ((*words, *group) for words, group in assaults(f, leader))
        else:
            yield from grands(f, leader)
    yield ("pass",)
    yield ("done",)


def marches(f: Field, unit: Counter, all_zones: bool) -> Iterator[Words]:
    """A unit's marches: to where it can come at best, and attacks from its hex or from there."""
    mates = [c for c in f.units(unit.at, unit.side) if c.id != unit.id]
    along = sorted(
        c.id
        for c in f.here(unit.at, unit.side)
        if c.leader and c.commands(unit) and not any(c.commands(mate) for mate in mates)
    )
    words = ("march", unit.id, *(("with", *along) if along else ()))
    for end in (unit.at, *ends(f, unit, all_zones)):
        to = () if end == unit.at else (number(end),)
        yield (*words, *to)
        for h in slow.around(end) if not unit.shaken else ():
            if f.units(h, f.foe(unit.side)) and f.is_open(unit.side, end, h):
                yield (*words, *to, "attack", number(h))


def ends(f: Field, unit: Counter, all_zones: bool) -> list[Place]:
    """Where a unit can come with the best points: by relaxing all steps until nothing is cheaper."""
    cost: dict[Place, Fraction] = {unit.at: Fraction(0)}
    changed = True
    while changed:
        changed = False
        for here, spent in list(cost.items()):
            if here != unit.at and f.stops(unit, here, all_zones=all_zones):
                continue
            for h in slow.around(here):
                step = f.step(unit.side, here, h)
                if step is None or f.here(h, f.foe(unit.side)) or h == unit.at:
                    continue
                total = spent + step + f.crowd(unit.side, h)
                if total <= BEST and total < cost.get(h, Fraction(99)):
                    cost[h] = total
                    changed = True
    return [h for h in cost if h != unit.at]


def assaults(f: Field, leader: Counter) -> Iterator[tuple[Words, Words]]:
    """A corps leader's assaults: each group of his units of one hex that are within his radius (std-5.3).

    Of more than six units the game lists groups of one, two, all and all but one.
    """
    foe = f.foe(leader.side)
    for at in sorted({c.at for c in f.counters if c.side == foe and not c.leader}):
        for h in slow.around(at):
            group = [c.id for c in fit(f, leader, h, at) if leader.commands(c)]
            listed = {1, 2, len(group) - 1, len(group)} if len(group) > 6 else {*range(1, len(group) + 1)}
            for few in sorted(listed):
                for units in combinations(sorted(group), few):
                    yield ("assault", leader.id, "at", number(at), "by"), ("and", *units)


def fit(f: Field, leader: Counter, h: Place, at: Place) -> list[Counter]:
    """The units in a hex that can assault the next one and are within a leader's radius."""
    if h not in f.land.terrain or not f.is_open(leader.side, h, at):
        return []
    here = [c for c in f.units(h, leader.side) if c.fatigue < 4 and not c.shaken]
    return [c for c in here if f.reaches(leader, c, 3)]


def grands(f: Field, army: Counter) -> Iterator[Words]:
    """An army leader's grand assaults: behind a corps leader's group all others that can join it (std-7.1-6, -7)."""
    by_id = {c.id: c for c in f.counters}
    for chief in (c for c in f.counters if c.side == army.side and c.leader and c.size == "corps"):
        for (_, _, _, hex_, _), (_, *first) in assaults(f, chief):
            at = slow.place(hex_)
            joining = {c.id for h in slow.around(at) for c in fit(f, army, h, at) if army.commands(c)}
            start = by_id[first[0]].at
            rest = {i for i in joining if i not in first and not (by_id[i].at == start and chief.commands(by_id[i]))}
            if rest and joining.issuperset(first):
                yield ("grand", army.id, "at", hex_, "under", chief.id, "by", "and", *first, "and", *sorted(rest))


def transfers(f: Field, side: str, gone: Sequence[str] = ()) -> Iterator[Words]:
    """The leaders of a side that can go over to units of theirs, the first of each hex (std-3.0-2, std-3.0-3)."""
    for leader in (c for c in f.counters if c.leader and c.side == side and c.id not in gone):
        known = {leader.at}
        for unit in filter(leader.commands, f.counters):
            if unit.at not in known and f.reaches(leader, unit, 10):
                known.add(unit.at)
                yield ("transfer", leader.id, unit.id)


def works(f: Field, side: str, worked: Sequence[str] = ()) -> Iterator[Words]:
    """What infantry of a side can build (std-9.0-1, std-9.0-2, std-10.0-1, std-10.0-3)."""
    for c in f.counters:
        if c.side != side or c.branch != "infantry" or c.shaken or c.fatigue > 2 or c.id in worked:
            continue
        if c.works < 4:
            yield ("entrench", c.id)
        for h in slow.around(c.at) if list(f.bridges.values()).count(side) < 3 else ():
            between = frozenset((c.at, h))
            crossed = between in f.bridges or f.land.ways.get(between, set()) & slow.OVER.keys()
            theirs = f.units(h, f.foe(side)) or f.controllers(f.foe(side), h)
            if f.land.water.get(between) == "minor_river" and not crossed and not theirs and h in f.land.terrain:
                yield ("bridge", c.id, number(h))


# --- what is asked next -----------------------------------------------------------------------------------------------


class Reading:
    """A position on a small field: what may be answered in it, and behind one answer."""

    def __init__(self, p: Mapping[str, Any]) -> None:
        self.field = field_in(p)
        self.phase, self.side = p.get("phase", "cycle"), p.get("choice", "")

    def answers(self, *gone: Words) -> list[Words]:
        """All that may be answered behind none or one."""
        if not gone:
            return self.asked()
        (words,) = gone
        match words[0]:
            case "march" | "activate":
                unit = next(c for c in self.field.counters if c.id == words[words.index("march") + 1])
                return dice(MARCH[unit.branch])
            case "assault" | "grand":
                return self._assaulted(shortened(words))
            case "pass" | "done":
                other = self.field.foe(self.side)
                return [*orders(self.field, other)] if able(self.field, other) else self._behind("cycle")
            case "transfer":
                leader, unit = (next(c for c in self.field.counters if c.id == name) for name in words[1:])
                return self._with(leader, replace(leader, at=unit.at))
            case "entrench":
                worked = [words[1]]
                left = [*works(self._built(words[1]), self.phase.split("-")[0], worked)]
                return [*left, ("close", "recovery")] if left else self._behind(self.phase)
            case "bridge":
                return dice(1)
        return self._behind(self.phase)

    def asked(self) -> list[Words]:
        side, _, kind = self.phase.partition("-")
        if kind == "transfer":
            return [*transfers(self.field, side), ("close", "transfer")]
        if kind == "recovery":
            return [*works(self.field, side), ("close", "recovery")]
        return [*orders(self.field, self.side)]

    def _with(self, old: Counter, new: Counter) -> list[Words]:
        """What is asked behind a transfer."""
        moved = replace(self.field, counters=[new if c is old else c for c in self.field.counters])
        left = [*transfers(moved, old.side, [old.id])]
        return [*left, ("close", "transfer")] if left else self._behind(self.phase, moved)

    def _built(self, unit: str) -> Field:
        counters = [replace(c, works=c.works + 1) if c.id == unit else c for c in self.field.counters]
        return replace(self.field, counters=counters)

    def _assaulted(self, words: Words) -> list[Words]:
        """Behind an assault: cavalry alone is asked before infantry alone, else the leader's die is thrown."""
        f, at = self.field, slow.place(words[3])
        units = [c for c in f.counters if c.id in words[words.index("by") :]]
        foe = f.foe(units[0].side)
        there = f.units(at, foe)
        horse = all(c.branch == "cavalry" and c.fatigue < 4 for c in there)
        if horse and all(c.branch == "infantry" for c in units) and f.legal(foe, (at,), set()):
            return [("evade", "yes"), ("evade", "no")]
        return dice(1)

    def _behind(self, phase: str, f: Field | None = None) -> list[Words]:
        """What is asked when a phase is over: in the next in which somebody can do something, or the initiative."""
        f = f or self.field
        later = ["union-transfer", "confederate-transfer", "cycle", "union-recovery", "confederate-recovery"]
        for name in later[later.index(phase) + 1 :]:
            side, _, kind = name.partition("-")
            if name == "cycle" and any(able(f, one) for one in SIDES):
                return dice(1)
            found = [] if name == "cycle" else [*(transfers if kind == "transfer" else works)(f, side)]
            if found:
                return [*found, ("close", kind)]
        for side in SIDES:  # a new turn, in which all are rested enough to act
            if found := [*transfers(f, side)]:
                return [*found, ("close", "transfer")]
        return dice(1)


def dice(many: int) -> list[Words]:
    """All throws of some dice."""
    return [tuple(map(str, throw)) for throw in product(range(1, 7), repeat=many)]
