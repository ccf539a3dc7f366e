"""Combat: both sides' values, the modifiers of their dice, the chart and what its letters do (std-7, rc-combat)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.gcacw import panic
from pbem.rules.gcacw.advance import advance
from pbem.rules.gcacw.board import CORPS, UNION
from pbem.rules.gcacw.fights import Fight
from pbem.rules.gcacw.flanks import bonus, refuse
from pbem.rules.gcacw.ground import CREEK, RIVERS
from pbem.rules.gcacw.halves import half
from pbem.rules.gcacw.harm import disorganise, suffer, tire
from pbem.rules.gcacw.leaders import follows, settle
from pbem.rules.gcacw.retreat import flight, retreat
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.tables import Cell
from pbem.rules.requests import Activity, Roll, Tell

__all__ = [
    "ASSAULT", "ATTACKER", "DEFENDER", "Fight", "Guns", "Modifier", "Odds", "fight", "fought_over", "guns", "modifiers",
    "read_chart", "values",
]  # fmt: skip

ATTACKER, DEFENDER = "attacker", "defender"
ASSAULT = "assault"
"""The kind of a combat that is no march attack (std-5.3, std-7.1-6)."""

COMPLETE = (2, 3, 4)
"""The stages of entrenchment by which more defenders count (std-7.2-1)."""

MOUNTAIN, HILL = "mountain", "hill"

APPLIES = 4
"""The die from which on the first figure of a cell with two applies (std-7.3-3)."""


class Modifier(NamedTuple):
    """What is added to a side's die, with the clause."""

    of: str
    name: str
    points: int
    clause: str


class Guns(NamedTuple):
    """The difference of the artillery's values, and what it adds with a die of 4 or more and with less (std-7.3-3)."""

    difference: int
    points: int
    otherwise: int

    @property
    def by_die(self) -> bool:
        """Whether one more die is thrown for it."""
        return self.points != self.otherwise


class Odds(NamedTuple):
    """The values of both sides, in half points, and that of the defender with works, for the ratio."""

    attacker: int
    defender: int
    entrenched: Fraction


# --- values -----------------------------------------------------------------------------------------------------------


def fought_over(s: State, f: Fight) -> list[Hex]:
    """The hexes from which is attacked, in the order of their numbers."""
    return sorted({s.at[unit] for unit in f.units if unit in s.at}, key=s.board.order)


def values(s: State, f: Fight) -> Odds:
    """What both sides' combat values come to (std-7.2, std-9.0-6)."""
    most, enemy = s.board.tables.most, s.board.enemy[f.side]
    by_hex = [sum(s.value(unit) for unit in f.units if s.at[unit] == h) for h in fought_over(s, f)]
    attacker = sum(min(value, most["attacker"]) for value in by_hex)  # std-7.2-2
    defenders = s.units_in(f.at, enemy)
    whole = sum(map(s.value, defenders))
    defender = min(whole, _cap(s, defenders))  # std-7.2-1
    works = s.board.tables.works
    behind = sum(s.value(unit) * works[s.works.get(unit, 0)] for unit in defenders)
    return Odds(attacker, defender, Fraction(defender * behind, whole) if whole else Fraction(0))


def _cap(s: State, defenders: Sequence[str]) -> int:
    """The most that defenders of a hex count, in half points, by how much of their infantry is entrenched."""
    most = s.board.tables.most
    infantry = [unit for unit in defenders if s.board.units[unit].infantry]
    behind = [unit for unit in infantry if s.works.get(unit, 0) in COMPLETE]
    if infantry and len(behind) == len(infantry):
        return most["entrenched"]
    return most["half entrenched"] if infantry and 2 * len(behind) >= len(infantry) else most["defender"]


# --- modifiers --------------------------------------------------------------------------------------------------------


def modifiers(s: State, f: Fight) -> list[Modifier]:
    """All that is added to the dice but for artillery, which may hang on a die of its own (std-7.4)."""
    tables = s.board.tables
    found = [
        Modifier(ATTACKER, "ratio", _ratio(s, f), "std-7.4-1"),
        Modifier(ATTACKER, "tactical", _tactical(s, f), "std-7.4-3"),
        Modifier(ATTACKER, "flank", _flank(s, f), "std-7.4-12"),
    ]
    if f.kind == ASSAULT:
        found.append(Modifier(ATTACKER, "assault", tables.assault, "std-5.3-4"))
    else:
        found.append(Modifier(ATTACKER, f.kind, tables.attacks[f.kind].modifier, "std-7.1-3"))
    if s.raining:
        found.append(Modifier(ATTACKER, "rain", tables.rain.attacker, "14.0-rain-att1"))
    if s.panicking:
        of = ATTACKER if f.side == UNION else DEFENDER
        found.append(Modifier(of, "panic", tables.panic, "18.0-3"))
    if f.commander:
        found.append(Modifier(ATTACKER, "commander", tables.commander, "std-7.1-8"))
    grounds = [[*_ground(s, f, h)] for h in fought_over(s, f)]
    found += min(grounds, key=lambda ground: sum(m.points for m in ground), default=[])  # std-7.4-11
    found.append(Modifier(DEFENDER, "demoralised", _shaken(s, f), "std-7.4-9"))
    if f.refused:
        found.append(Modifier(DEFENDER, "refused", tables.refused.get(_flank(s, f), 0), "std-7.8-1"))
    return [m for m in found if m.points]


def _ratio(s: State, f: Fight) -> int:
    """The modifier by the ratio of the values; parts are the defender's (std-7.4-1, std-7.4-2)."""
    odds, limit = values(s, f), s.board.tables.ratio
    a, d = Fraction(odds.attacker), odds.entrenched
    if not d:
        return limit
    found = a // d - 1 if a >= d else -(-(-d // a) - 1) if a else -limit
    return int(max(-limit, min(limit, found)))


def _tactical(s: State, f: Fight) -> int:
    """The best tactical value of the attackers less that of the defenders (std-7.4-3)."""
    return _best(s, f.units, f.side) - _best(s, s.units_in(f.at, s.board.enemy[f.side]), s.board.enemy[f.side])


def _best(s: State, units: Sequence[str], side: str) -> int:
    """The best tactical value of units and of the corps leaders who are with one of theirs (std-6.3-4, std-11.0-2)."""
    board = s.board
    found = [0 if unit in s.demoralised else s.tactical(unit) for unit in units]
    for h in {s.at[unit] for unit in units}:
        for leader in s.leaders_in(h, side):
            with_own = any(follows(s, leader, unit) for unit in units if s.at[unit] == h)
            counts = with_own and board.units[leader].size == CORPS
            found.append(s.tactical(leader) if counts else 0)
    return max(found, default=0)


def guns(s: State, f: Fight) -> Guns:
    """What the artillery of both sides comes to (std-7.3, std-9.0-8)."""
    board = s.board
    here = [unit for unit in s.units_in(f.at, board.enemy[f.side]) if unit not in s.demoralised]  # std-7.3-2
    attacking = sum(board.units[unit].artillery for unit in f.units if unit not in s.demoralised)
    defending = sum(int(board.units[unit].artillery * board.tables.works[s.works.get(unit, 0)]) for unit in here)
    difference = attacking - defending
    high, low = board.tables.guns(difference, board.ground.terrain[f.at])
    if not defending:  # std-7.3-3: who has none keeps no attack down
        high, low = max(0, high), max(0, low)
    return Guns(difference, high, low)


def _ground(s: State, f: Fight, h: Hex) -> Iterator[Modifier]:
    """What the ground between an attacking hex and the defender adds to his die (std-7.4-4 to -8)."""
    board, defence = s.board, s.board.tables.defence
    between, terrain = board.ground.between[h][f.at], board.ground.terrain
    if between.water in RIVERS:
        yield Modifier(DEFENDER, "crossing", defence["crossing"], "std-7.4-4")
    elif between.water == CREEK:
        wet = s.raining and between.road
        points, clause = (board.tables.rain.creek, "14.0-rain-att3") if wet else (defence["creek"], "std-7.4-8")
        yield Modifier(DEFENDER, "creek", points, clause)
    if between.up:
        yield Modifier(DEFENDER, "ridge", defence["ridge"], "std-7.4-6")
    if terrain[f.at] == MOUNTAIN:
        same = "mountain from mountain" if terrain[h] == MOUNTAIN or between.down else "mountain"
        yield Modifier(DEFENDER, "mountain", defence[same], "std-7.4-5")
    if terrain[f.at] == HILL:
        same = "hill from height" if terrain[h] in (HILL, MOUNTAIN) or between.down else "hill"
        yield Modifier(DEFENDER, "hill", defence[same], "std-7.4-7")


def _shaken(s: State, f: Fight) -> int:
    """What it takes from the defender's die that half his value or more is demoralised twice (std-7.4-9)."""
    units = s.units_in(f.at, s.board.enemy[f.side])
    shaken = sum(s.value(unit) for unit in units if s.demoralised.get(unit) == 2)
    return s.board.tables.defence["demoralised"] if 2 * shaken >= sum(map(s.value, units)) > 0 else 0


def _flank(s: State, f: Fight) -> int:
    """The bonus for hexes round the defender that are covered, his works included (std-7.4-12)."""
    return bonus(s, f, values(s, f).entrenched)


# --- the chart --------------------------------------------------------------------------------------------------------


class Results(NamedTuple):
    """The cells of the chart for both sides."""

    attacker: Cell
    defender: Cell


def read_chart(s: State, odds: Odds, difference: int) -> Results:
    """What the difference of the dice brings both sides (std-7.5-1)."""
    tables = s.board.tables
    return Results(
        tables.result(ATTACKER, difference, odds.attacker), tables.result(DEFENDER, difference, odds.defender)
    )


def fight(s: State, f: Fight) -> Activity:
    """A combat from the dice on, with all that follows (std-7.1-9, std-7.5-9); before them flanks may be refused."""
    f = yield from refuse(s, f, _flank(s, f))
    enemy, label, place = s.board.enemy[f.side], s.board.label, s.board.label[f.at]
    defenders = tuple(s.units_in(f.at, enemy))
    odds, mods, found, hexes = values(s, f), modifiers(s, f), guns(s, f), fought_over(s, f)
    facts: dict[str, Any] = {"unit": f.units[0], "side": f.side, "with": [*f.units[1:]], "at": place, "kind": f.kind}
    facts |= {"from": [label[h] for h in hexes], "targets": [*defenders], "target": defenders[0]}
    facts |= {"whose": {"attack": f.side, "defence": enemy, "artillery": f.side}}
    if danger := panic.in_danger(s, f):
        facts |= {"danger": danger}
    if found.by_die:
        (die,) = yield Roll(f"artillery/{place.lower()}", 1)
        facts |= {"gun_die": die, "gun_points": [found.points, found.otherwise]}
        found = found._replace(points=found.points if die >= APPLIES else found.otherwise)
        s.thrown = (die,)
    (own,) = yield Roll(f"attack/{place.lower()}", 1)
    s.thrown = (*s.thrown, own)
    (other,) = yield Roll(f"defence/{place.lower()}", 1)
    s.thrown = ()
    add = {of: sum(m.points for m in mods if m.of == of) for of in (ATTACKER, DEFENDER)}
    difference = own + add[ATTACKER] + found.points - other - add[DEFENDER]
    results = read_chart(s, odds, difference)
    s.fights.add(place)
    if s.board.advanced is not None:
        facts |= {"panics": _starred(f, results) and not s.panic}
    yield Tell(
        "fight",
        "std-7.5-1",
        facts
        | _told(odds, mods, found)
        | {
            "dice": [own, other],
            "difference": difference,
            "result": str(results.defender),
            "own_result": str(results.attacker),
        },
    )
    if own == other == 1:
        yield from panic.leader_check(s, f)  # 17.0-2, before anything moves
    yield from _effects(s, f, defenders, results, hexes)
    if s.board.advanced is not None and _starred(f, results):
        yield from panic.begin(s)  # not for this combat (rc-combat 16)


def _starred(f: Fight, results: Results) -> bool:
    """Whether a result with an asterisk is applied to the Union, in attack or in defence (18.0-1)."""
    return (results.attacker if f.side == UNION else results.defender).panic


def _told(odds: Odds, mods: Sequence[Modifier], found: Guns) -> dict[str, Any]:
    """What a fight tells of its values and modifiers."""
    told = {
        "values": [odds.attacker, odds.defender],
        "modifiers": [[m.of, m.name, m.points, m.clause] for m in mods],
        "guns": [found.difference, found.points],
    }
    return told | ({"works": str(half(odds.entrenched))} if odds.entrenched != odds.defender else {})  # std-9.0-6


def _effects(s: State, f: Fight, defenders: Sequence[str], results: Results, hexes: Sequence[Hex]) -> Activity:
    """What the cells do, in their order (std-7.5-9)."""
    enemy = s.board.enemy[f.side]
    infantry = any(s.board.units[unit].infantry for unit in defenders)
    yield from suffer(s, f.units, results.attacker.loss, "std-7.5-2")
    yield from suffer(s, defenders, results.defender.loss, "std-7.5-2")
    yield from _letters(s, f.units, results.attacker.state)
    yield from _letters(s, defenders, results.defender.state)
    if results.defender.move == "R":
        if infantry:
            s.routs[enemy] += 1  # std-7.5-10
        for unit in defenders:
            if unit in s.manpower:
                s.demoralise(unit, min(s.demoralised.get(unit, 0) + 1, 2))  # std-11.0-1
                yield Tell("demoralised", "std-11.0-1", {"unit": unit, "level": s.demoralised[unit]})
    if results.defender.move and s.units_in(f.at, enemy):
        why, clause = ("rout", "std-7.5-7") if results.defender.move == "R" else ("retreat", "std-7.5-7")
        yield from retreat(s, flight(s, f.at, enemy, hexes, why), clause)
    yield from settle(s, [enemy, f.side])
    if results.attacker.move == "a" and s.holder(f.at) is None:  # std-7.5-8
        yield from advance(s, f)


def _letters(s: State, units: Sequence[str], state: str) -> Iterator[Tell]:
    """What D, F, f and E do to each participant (std-7.5-4, -5, -6)."""
    for unit in units:
        fatigue = s.fatigue.get(unit, 0)
        if state == "D":
            yield from disorganise(s, unit, "std-7.5-4", price=False)
        if state in ("D", "F"):
            yield from tire(s, unit, MOST_FATIGUE, "std-7.5-4" if state == "D" else "std-7.5-5")
        elif state == "f" or (state == "E" and fatigue < MOST_FATIGUE - 1):
            yield from tire(s, unit, fatigue + 1, "std-7.5-5")
