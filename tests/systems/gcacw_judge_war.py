"""Marches, activations, assaults, raids and railways of a campaign, judged as they were told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from systems.gcacw_judge_camp import OTHER, Camp
from systems.gcacw_judge_fight import Fighting
from systems.gcacw_judge_land import Hex, around, hex_of, label_of, stacking
from systems.gcacw_judge_tape import Tape

MARCH_ATTACKS = {"column": (0, 0), "hasty": (1, 2), "normal": (2, 4), "prepared": (4, 4)}
"""Points of infantry and of cavalry: R292."""
STRAIN = {  # std-5.1-8: loss of order, and manpower
    "ANV": [None, None, None, 0, 0, 1, 2],
    "AP": [None, None, 0, 0, 1, 2, 2],
    "AV": [None, 0, 0, 1, 1, 2, 3],
}


class Part(NamedTuple):
    """A substitute to be detached, with so many men, in a hex or where the march begins."""

    sub: str
    men: int
    at: Hex | None


class Going(NamedTuple):
    """A march as it was ordered."""

    unit: str
    leaders: list[str]
    way: list[Hex]
    force: str
    target: Hex | None
    least: str
    parts: list[Part]


@dataclass
class Marching:
    """How a march stands: points, what is still to be detached, what it has done; mates cost it no stacking."""

    going: Going
    points: Fraction
    mates: Collection[str]
    start: Hex
    before: int
    works: int
    parts: list[Part]
    gone: list[Hex] = field(default_factory=list)
    offered: set[Hex] = field(default_factory=set)
    forced: bool = False
    crossed: bool = False
    wild: bool = False
    stopped: bool = False
    told: int = 0

    def untold(self, here: Hex) -> tuple[Hex, list[Hex]]:
        """Where what wasn't told yet of a march begins, and its hexes; all of it is told then. `here` is its start."""
        start, gone = [here, *self.gone][self.told], self.gone[self.told :]
        self.told = len(self.gone)
        return start, gone


def going_of(words: Sequence[str]) -> Going:
    """`march U with L ... HEX ... force route attack HEX KIND detach SUB N HEX`, without `march`."""
    unit, rest = words[0], list(words[1:])
    leaders, way, force, target, least, parts = [], [], "", None, "", []
    mode = ""
    while rest:
        word = rest.pop(0)
        if word in ("with", "detach"):
            mode = word
        elif word == "force":
            force = "route" if rest and rest[0] == "route" else "force"
            rest = rest[1:] if force == "route" else rest
        elif word == "attack":
            target = hex_of(rest.pop(0))
            least = rest.pop(0) if rest and rest[0] in MARCH_ATTACKS else ""
        elif mode == "detach":
            men = int(rest.pop(0))
            is_hex = bool(rest) and rest[0][0] in "NS" and rest[0][1:].isdigit()
            parts.append(Part(word, men, hex_of(rest.pop(0)) if is_hex else None))
        elif word[0] in "NS" and word[1:].isdigit():
            mode = ""
            way.append(hex_of(word))
        else:
            leaders.append(word)
    return Going(unit, leaders, way, force, target, least, parts)


class War:
    """The action cycle's actions."""

    def __init__(self, camp: Camp, tape: Tape, fight: Fighting) -> None:
        self.camp, self.tape, self.fight = camp, tape, fight
        self.railed: dict[str, Fraction] = {}
        self.cavalry_destroys = self.leaves_zone_on_turn_1 = self.assault_strains = self.subs_in_supply = False

    # --- marches -------------------------------------------------------------------------------------------------

    def step_bar(self, unit: str, a: Hex, b: Hex) -> str:
        """Why a step can't be made, whatever the points: std-2.2-7, std-6.1-7, bans, 22.1-sp2b, 22.1-sp2c."""
        camp, side = self.camp, self.camp.side(unit)
        if b not in camp.land.ground or b not in around(a):
            return "not adjacent"
        if camp.men_here(b, OTHER[side]):
            return "enemy"
        if not camp.passable(side, a, b):
            return "river or creek"
        if camp.banned(unit, b):
            return "ban"
        first = camp.scenario["one-sided"][0]
        if camp.turn == first["turn"]:
            if camp.in_zone(b, OTHER[side]):
                return "zone on turn 1"
            if camp.in_zone(a, OTHER[side]) and not self.leaves_zone_on_turn_1:
                return "leaving a zone on turn 1"
            if camp.land.water.get(frozenset((a, b)), ("", ""))[1] == first["not-over"]:
                return "Rapidan on turn 1"
        return ""

    def unit_bar(self, unit: str, side: str) -> str:
        camp = self.camp
        if unit not in camp.at or camp.side(unit) != side or not camp.fights(unit):
            return "no unit on the map"
        if camp.held(unit):
            return "held"
        return "fatigue 4" if camp.fatigue.get(unit, 0) >= 4 else ""  # std-4.0-6

    def leaders_bar(self, going: Going, side: str, active: str = "") -> str:
        """std-5.1-1, std-6.3-1; where the active leader goes is looked at for the whole activation."""
        camp = self.camp
        h = camp.at[going.unit]
        for leader in going.leaders:
            if camp.at.get(leader) != h or not camp.commands(leader, going.unit) or camp.held(leader):
                return f"{leader} can't go along"
        stays = any(where in (None, h) for _, _, where in going.parts)
        left = [one for one in camp.deserted(h, side, {going.unit, *going.leaders}) if one != active]
        if going.way and left and not stays:
            return f"{left} would be left"
        return ""

    def parts_bar(self, going: Going) -> str:
        """21.1-1, 21.1-2, 21.1-11, 21.1-13."""
        camp, unit = self.camp, going.unit
        for sub, men, _ in going.parts:
            if sub in camp.at or camp.foot(sub) != camp.foot(unit) or camp.side(sub) != camp.side(unit):
                return f"{sub} can't be detached"
            if men > (9 if camp.foot(unit) else 2):
                return f"{men} are too many for {sub}"
        return "" if sum(men for _, men, _ in going.parts) < camp.men[unit] else "nobody would be left"

    def going_bar(self, going: Going, side: str, leader: str = "") -> str:
        """Why an order of a march can't be carried out at all."""
        camp = self.camp
        why = self.unit_bar(going.unit, side) or self.leaders_bar(going, side, leader) or self.parts_bar(going)
        if why:
            return why
        if going.force and (side in camp.paralysed or (side == "union" and self.fight.panics())):
            return "no forced march"  # 14.0-par3, 18.0-4
        h = camp.at[going.unit]
        if going.way:
            if going.target and going.way == [going.target]:  # it enters once cavalry has gone back: std-7.7-7
                return self.attack_bar(going.unit, h, going.target)
            return self.step_bar(going.unit, h, going.way[0])
        if going.target:
            return self.attack_bar(going.unit, h, going.target)
        return ""

    def attack_bar(self, unit: str, a: Hex, b: Hex) -> str:
        """std-7.1-1, std-7.1-5, std-5.3-6."""
        camp, side = self.camp, self.camp.side(unit)
        if b not in around(a) or not camp.men_here(b, OTHER[side]):
            return "no enemy beside it"
        if camp.fear.get(unit):
            return "demoralised"
        return "" if camp.passable(side, a, b) else "river or creek"

    def allowance(self, units: Sequence[str], side: str, led: bool) -> Fraction:
        """std-5.1-2, std-5.2-2, 14.0-par1, 14.0-par2."""
        camp, tape = self.camp, self.tape
        foot = camp.foot(units[0])
        dice = tape.roll("march", 1 if foot else 2)
        add = (side == "confederate") + led if foot else 2 * led
        less = (2 if foot else 4) if side in camp.paralysed else 0
        points = max(1, sum(dice) + add - less)
        tape.told("allowance", unit=units[0], units=list(units), side=side, dice=dice, add=add, points=points)
        return Fraction(points)

    def strain(self, unit: str) -> None:
        """The roll for an extended march: std-5.1-5 to std-5.1-10."""
        camp, tape = self.camp, self.tape
        level = camp.fatigue.get(unit, 0)
        if level < 3:
            return
        (die,) = tape.roll("extended")
        add = (level == 4) - (not camp.foot(unit))
        army = self.army(unit)
        cell = STRAIN[army][max(0, min(6, die + add - 1))]
        tape.told("extended", "std-5.1-8", unit=unit, die=die, add=add, army=army, loss=cell or 0)
        if cell is None:
            return
        if unit in camp.loose:
            self.strain_loss(unit, cell)
        else:
            self.fight.loosen(unit, "std-5.1-9")
            if cell:
                self.fight.lose(unit, cell, "std-5.1-8", counted=False)

    def strain_loss(self, unit: str, cell: int) -> None:
        """1 more of who was disorganised already; told in one or in two."""
        total = 1 + cell
        while total and unit in self.camp.men:
            if not self.tape.is_told("loss"):
                self.tape.wrong(f"{unit} should lose {total} more by an extended march: std-5.1-9")
                break
            points = self.tape.facts["points"]
            self.fight.lose(unit, min(points, total), "", counted=False)
            total -= min(points, total)

    def army(self, unit: str) -> str:
        """18.0-7, std-5.1-8."""
        if self.camp.side(unit) == "confederate":
            return "ANV"
        leads = "mcclellan" in self.camp.at or "mcclellan" in self.camp.waiting_leaders
        return "AP" if leads else str(self.camp.units[unit]["army"])

    def march(self, m: Marching) -> None:
        """A unit's steps as its order and its points have them, and its attack: std-5.1-4."""
        camp, unit, target = self.camp, m.going.unit, m.going.target
        self.detach(m, None)
        for b in m.going.way:
            if b == target and len(m.gone) == len(m.going.way) - 1 and camp.men_here(b, OTHER[camp.side(unit)]):
                break  # it is attacked, and entered if cavalry goes back: std-7.7-7
            if not self.step(m, b):
                break
        if unit not in camp.men:
            self.fight.rehome(camp.side(unit))
            return
        self.finish(m)
        if target and not m.stopped and camp.at[unit] != target:
            self.march_attack(m)
        for part in m.parts if unit in camp.men else ():
            if part.at not in (None, m.start, *m.gone):
                self.tape.told("no-detachment", "21.1-3", unit=unit, substitute=part.sub, at=label_of(part.at))

    def step(self, m: Marching, b: Hex) -> bool:
        """One step, if it can be made and paid: rc-march 6."""
        camp, unit = self.camp, m.going.unit
        a = camp.at[unit]
        now, then = self.stops(unit, a), self.stops(unit, b)
        m.stopped = bool(
            self.step_bar(unit, a, b)
            or (now and (m.crossed or (m.gone and not then)))  # std-2.4-6, std-2.4-7
            or m.wild  # std-2.4-8
            or not self.pays(m, a, b)
        )
        if m.stopped or unit not in camp.men:
            return False
        for u in (unit, *m.going.leaders):
            camp.at[u] = b
        camp.works.pop(unit, None)  # std-9.0-5
        m.gone.append(b)
        if now and then:
            self.cross(m, a, b)
        if unit not in camp.men:
            return False
        self.fight.come([unit], b)
        for n in sorted(camp.land.near(b)):
            m.points -= min(m.points, self.fight.evade([unit], [b], n, m.offered))
        self.detach(m, b)
        return True

    def cross(self, m: Marching, a: Hex, b: Hex) -> None:
        """A step from zone to zone: std-2.4-7 to std-2.4-9."""
        m.crossed = True
        if not self.camp.land.way(a, b) - {"trail"}:
            m.wild = True
            if m.going.unit in self.camp.loose:
                if self.camp.men[m.going.unit] == 1:
                    self.finish(m)  # std-5.1-15
                self.fight.lose(m.going.unit, 1, "std-2.4-8", counted=False)
            else:
                self.fight.loosen(m.going.unit, "std-2.4-8")

    def pays(self, m: Marching, a: Hex, b: Hex) -> bool:
        """Whether a step is paid, by a forced march where one was ordered: std-6.1-1, std-5.1-11, std-5.1-13."""
        camp, unit, fight = self.camp, m.going.unit, self.fight
        cost = self.cost(unit, a, b, m.mates)
        if cost <= m.points:
            m.points -= cost
            return True
        more = m.points + (2 if camp.foot(unit) else 4)
        rest = self.route_cost(unit, m.going.way[len(m.gone) :], m.mates, a)
        if not m.going.force or m.forced or not self.may_force(unit, a) or cost > more:
            return False
        if m.going.force == "route" and rest > more:
            return False
        self.tape.told("forced", "std-5.1-11", unit=unit, points=more - m.points)
        m.forced, m.points = True, more - cost
        if unit in camp.loose:
            fight.lose(unit, 1, "std-5.1-11", counted=False)
        else:
            fight.loosen(unit, "std-5.1-11")
        return True

    def finish(self, m: Marching) -> None:
        start, gone = m.untold(m.start)
        self.tape.told(
            "march", "std-5.1-1", unit=m.going.unit, **{"from": label_of(start)}, path=list(map(label_of, gone)),
            left=int(m.points * 2),
        )  # fmt: skip

    def stops(self, unit: str, h: Hex) -> bool:
        return self.camp.in_zone(h, OTHER[self.camp.side(unit)])

    def may_force(self, unit: str, a: Hex) -> bool:
        """std-5.1-12, std-5.1-13, 14.0-par3, 18.0-4."""
        camp, side = self.camp, self.camp.side(unit)
        if side in camp.paralysed or (side == "union" and self.fight.panics()):
            return False
        return not self.stops(unit, a) and not (unit in camp.loose and camp.men[unit] == 1)

    def cost(self, unit: str, a: Hex, b: Hex, mates: Collection[str]) -> Fraction:
        camp, side = self.camp, self.camp.side(unit)
        friends = [u for u in camp.men_here(b, side) if u not in mates]  # std-6.2-3
        crowd = stacking(camp.units[u]["size"] for u in friends)  # std-6.2-2
        return camp.land.toll(a, b, camp.crossed(side, a, b), camp.rain) + crowd

    def route_cost(self, unit: str, way: Sequence[Hex], mates: Collection[str], a: Hex) -> Fraction:
        total = Fraction(0)
        for b in way:
            total += self.cost(unit, a, b, mates) if b in around(a) else Fraction(99)
            a = b
        return total

    def detach(self, m: Marching, h: Hex | None) -> None:
        """Substitutes left in the first hex, or in one just entered: 21.1."""
        camp, unit = self.camp, m.going.unit
        for part in [part for part in m.parts if (part.at in (None, m.start) if h is None else part.at == h)]:
            if self.parts_bar(m.going._replace(parts=[part])):
                self.tape.told("no-detachment", unit=unit, substitute=part.sub)  # 21.1-2, 21.1-13
                continue
            m.parts.remove(part)
            sub = part.sub
            facts = {"unit": unit, "substitute": sub, "manpower": part.men, "at": label_of(camp.at[unit])}
            self.tape.told("detached", "21.1-3", **facts)
            camp.at[sub], camp.men[sub] = camp.at[unit], part.men
            camp.men[unit] -= part.men
            camp.fatigue[sub] = m.before if h is None else camp.fatigue.get(unit, 0)  # 21.1-5, 21.1-7
            if h is None and m.works:
                camp.works[sub] = m.works  # 21.1-6
            (camp.loose.add if unit in camp.loose else camp.loose.discard)(sub)  # 21.1-12
            hungry = unit in camp.hungry and not self.subs_in_supply
            (camp.hungry.add if hungry else camp.hungry.discard)(sub)  # 21.1-14
            camp.fear[sub] = camp.fear.get(unit, 0)
            camp.units[sub] |= {"command": camp.units[unit].get("command"), "army": camp.units[unit]["army"]}  # 21.1-8

    def march_attack(self, m: Marching) -> None:
        """std-7.1-1 to std-7.1-4."""
        camp, tape, unit, target = self.camp, self.tape, m.going.unit, m.going.target
        assert target is not None
        foe, kinds = OTHER[camp.side(unit)], list(MARCH_ATTACKS)
        able = [kind for kind in kinds if MARCH_ATTACKS[kind][0 if camp.foot(unit) else 1] <= m.points]
        able = [kind for kind in able if kinds.index(kind) >= kinds.index(m.going.least or "column")]
        if not camp.men_here(target, foe) or m.forced or self.attack_bar(unit, camp.at[unit], target) or not able:
            tape.told("no-attack", unit=unit, at=label_of(target))
            return
        m.points -= min(m.points, self.fight.evade([unit], [camp.at[unit]], target, m.offered))
        if camp.men_here(target, foe):
            self.fight.combat([unit], target, able[-1], 0)
            return
        if m.going.way[-1:] != [target]:
            tape.told("no-attack", "std-7.7-7", unit=unit, at=label_of(target))
        else:
            self.step(m, target)  # std-7.7-7
            if unit in camp.men:
                self.finish(m)

    # --- actions -------------------------------------------------------------------------------------------------

    def act(self, side: str, words: Sequence[str]) -> None:
        """One action, which has been ordered."""
        getattr(self, f"do_{words[0]}")(side, list(words[1:]))

    def why_not(self, side: str, words: Sequence[str]) -> str:
        """Why an action can't be done at all; nothing if it can."""
        return getattr(self, f"bar_{words[0]}")(side, list(words[1:]))

    def tired_by_action(self, units: Sequence[str]) -> None:
        """std-4.0-7."""
        for u in units:
            self.fight.tire(u, self.camp.fatigue.get(u, 0) + 1, "std-4.0-7")
            self.camp.acted.add(u)

    def bar_march(self, side: str, words: list[str]) -> str:
        return self.going_bar(going_of(words), side)

    def do_march(self, side: str, words: list[str]) -> None:
        going = going_of(words)
        why = self.going_bar(going, side)
        if why:
            self.tape.wrong(f"march {' '.join(words)} was carried out: {why}", self.tape.next - 1)
            if going.unit not in self.camp.at:
                return
        before, start = self.camp.fatigue.get(going.unit, 0), self.camp.at[going.unit]
        works = self.camp.works.get(going.unit, 0)
        self.tired_by_action([going.unit])
        points = self.allowance([going.unit], side, led=False)
        self.strain(going.unit)
        if going.unit not in self.camp.men:
            self.fight.rehome(side)
            return
        self.march(Marching(going, points, (), start, before, works, list(going.parts)))

    def activation_of(self, words: list[str]) -> tuple[str, str, list[Going]]:
        leader, rest, hop = words[0], words[1:], ""
        if rest[0] == "hop":
            hop, rest = rest[1], rest[2:]
        goings, current = [], []
        for word in rest:
            if word == "march":
                if current:
                    goings.append(going_of(current))
                current = []
            else:
                current.append(word)
        goings.append(going_of(current))
        return leader, hop, goings

    def bar_activate(self, side: str, words: list[str]) -> str:
        camp = self.camp
        leader, hop, goings = self.activation_of(words)
        if leader not in camp.at or camp.side(leader) != side or camp.held(leader):
            return "no leader who can"
        if camp.units[leader]["size"] != "corps":
            return "no corps leader"  # std-5.2-3
        place = camp.at[leader]
        if hop:
            if camp.at.get(hop) not in camp.led_within(leader, 10) or not camp.commands(leader, hop):
                return "no hop"
            camp.at[leader] = camp.at[hop]
        try:
            return self.led_bar(goings, side, leader)
        finally:
            camp.at[leader] = place

    def led_bar(self, goings: list[Going], side: str, leader: str) -> str:
        """Why a leader can't lead these from the hex in which he is: all of them are barred, or one would be left."""
        camp = self.camp
        far = camp.led_within(leader, 3)
        bars = [self.activated_bar(g, side, leader, far) for g in goings]
        able = [g for g, bar in zip(goings, bars, strict=True) if not bar and g.way]
        gone = {g.unit for g in able} | {one for g in able for one in g.leaders}
        for h in {camp.at[g.unit] for g in able} | {camp.at[leader]}:
            if camp.deserted(h, side, gone):
                return f"{camp.deserted(h, side, gone)} would be left"
        return "" if not all(bars) else f"{bars}"

    def activated_bar(self, going: Going, side: str, leader: str, far: dict[Hex, int]) -> str:
        camp = self.camp
        why = self.unit_bar(going.unit, side)
        if why:
            return why
        if not camp.commands(leader, going.unit) or camp.at[going.unit] not in far:
            return "radius"
        return self.going_bar(going, side, leader)

    def do_activate(self, side: str, words: list[str]) -> None:
        camp, tape = self.camp, self.tape
        leader, hop, goings = self.activation_of(words)
        if self.bar_activate(side, words):
            tape.wrong(f"activate {' '.join(words)}: {self.bar_activate(side, words)}", tape.next - 1)
        if hop:
            camp.at[leader] = camp.at[hop]
        far = camp.led_within(leader, 3)
        for going in goings:
            why = self.unit_bar(going.unit, side)
            if why or not camp.commands(leader, going.unit) or camp.at[going.unit] not in far:
                tape.wrong(f"{going.unit} isn't able to be led by {leader}: {why or 'radius'}", tape.next - 1)
        tape.told("activate", "std-5.2-1", unit=leader, side=side, units=[g.unit for g in goings])
        starts = {g.unit: camp.at[g.unit] for g in goings}
        before = {g.unit: camp.fatigue.get(g.unit, 0) for g in goings}
        self.tired_by_action([g.unit for g in goings])
        points = self.allowance([g.unit for g in goings], side, led=True)
        for going in goings:
            if going.unit not in camp.men:
                continue
            self.strain(going.unit)
            if going.unit not in camp.men:
                self.fight.rehome(side)
                continue
            start = starts[going.unit]
            mates = {u for u, h in starts.items() if h == start}
            works = camp.works.get(going.unit, 0)
            here = camp.at[going.unit]
            self.march(Marching(going, points, mates, here, before[going.unit], works, list(going.parts)))

    def bar_raid(self, side: str, words: list[str]) -> str:
        """std-5.4-1."""
        camp, (unit,) = self.camp, words
        why = self.unit_bar(unit, side)
        if why:
            return why
        if side != "confederate" or camp.at[unit] not in camp.stations:
            return "no station"
        most = 2 if camp.foot(unit) or self.cavalry_destroys else 1
        return "" if camp.stations[camp.at[unit]] < most else "nothing to raid"

    def do_raid(self, side: str, words: list[str]) -> None:
        camp, tape, (unit,) = self.camp, self.tape, words
        if self.bar_raid(side, words):
            tape.wrong(f"raid {unit}: {self.bar_raid(side, words)}", tape.next - 1)
        self.tired_by_action([unit])
        h = camp.at[unit]
        camp.stations[h] += 1
        tape.told("raid", "std-5.4-1", unit=unit, at=label_of(h), destroyed=camp.stations[h] == 2)
        if camp.depots.get(h) == "raid":
            del camp.depots[h]
            tape.told("depot-destroyed", "20.1-4", at=label_of(h), unit=unit)

    def bar_rail(self, side: str, words: list[str]) -> str:
        """16.0."""
        camp, going = self.camp, going_of(words)
        rails = camp.advanced["rails"]
        why = self.unit_bar(going.unit, side) or self.leaders_bar(going, side)
        if why:
            return why
        if side != "union" or not camp.foot(going.unit) or camp.turn not in rails["turns"]:
            return "not by rail"
        if camp.at[going.unit] not in map(hex_of, rails["starts"]) or len(going.way) > rails["hexes"]:
            return "start or length"
        way = [camp.at[going.unit], *going.way]
        if any(b not in camp.land.rails[a] for a, b in pairwise(way)):
            return "not along the rails"
        shut = (camp.stations.get(b) or camp.in_zone(b, "confederate") for b in going.way)
        if any(shut) or any(camp.men_here(b, "confederate") for b in going.way):
            return "zone, station or enemy"
        weight = sum((v for u, v in self.railed.items() if u != going.unit), Fraction(0))
        return "" if weight + self.railed.get(going.unit, camp.value(going.unit)) <= rails["most"] else "16.0-8"

    def do_rail(self, side: str, words: list[str]) -> None:
        camp, tape, going = self.camp, self.tape, going_of(words)
        if self.bar_rail(side, words):
            tape.wrong(f"rail {' '.join(words)}: {self.bar_rail(side, words)}", tape.next - 1)
        start, before = camp.at[going.unit], camp.fatigue.get(going.unit, 0)
        self.railed.setdefault(going.unit, camp.value(going.unit))
        self.tired_by_action([going.unit])
        self.strain(going.unit)
        if going.unit not in camp.men:
            self.fight.rehome(side)
            return
        works = camp.works.get(going.unit, 0)
        self.detach(Marching(going, Fraction(0), (), start, before, works, list(going.parts)), None)
        for b in going.way:
            for u in (going.unit, *going.leaders):
                camp.at[u] = b
            camp.works.pop(going.unit, None)
            self.fight.come([going.unit], b)
            if any(camp.men_here(n, "confederate") for n in camp.land.near(b)):
                for n in sorted(camp.land.near(b)):
                    self.fight.evade([going.unit], [b], n, set())
        tape.told("rail", "16.0-4", unit=going.unit, path=list(map(label_of, going.way)), **{"from": label_of(start)})

    def assault_of(self, words: list[str]) -> tuple[str, Hex, str, list[list[str]]]:
        """Leader, target, corps leader and groups, of a corps assault or a grand one."""
        leader, target, rest = words[0], hex_of(words[2]), words[3:]
        under = leader
        if rest[0] == "under":
            under, rest = rest[1], rest[2:]
        groups: list[list[str]] = []
        for word in rest:
            if word in ("by", "and"):
                groups.append([])
            else:
                groups[-1].append(word)
        return leader, target, under, groups

    def assault_bar(self, side: str, words: list[str], grand: bool) -> str:
        """std-5.3, std-7.1-6, std-7.1-7, 14.0-par4."""
        camp = self.camp
        leader, target, under, groups = self.assault_of(words)
        if side in camp.paralysed:
            return "paralysed"
        for who, size in ((leader, "army" if grand else "corps"), (under, "corps")):
            if who not in camp.at or camp.side(who) != side or camp.units[who]["size"] != size or camp.held(who):
                return f"{who} can't lead it"
        far, corps_far = camp.led_within(leader, 3), camp.led_within(under, 3)
        if not camp.men_here(target, OTHER[side]):
            return "no enemy"
        for n, u in enumerate(u for group in groups for u in group):
            first = n < len(groups[0])
            why = self.unit_bar(u, side) or self.attack_bar(u, camp.at[u], target)
            if why:
                return f"{u}: {why}"
            if camp.at[u] not in far or (first and camp.at[u] not in corps_far):
                return f"{u}: radius"
            if not camp.commands(leader, u) or (first and not camp.commands(under, u)):
                return f"{u}: command"
        return "two hexes" if len({camp.at[u] for u in groups[0]}) > 1 else ""

    def bar_assault(self, side: str, words: list[str]) -> str:
        return self.assault_bar(side, words, grand=False)

    def bar_grand(self, side: str, words: list[str]) -> str:
        return self.assault_bar(side, words, grand=True)

    def do_assault(self, side: str, words: list[str], grand: bool = False) -> None:
        camp, tape = self.camp, self.tape
        leader, target, under, groups = self.assault_of(words)
        why = self.assault_bar(side, words, grand)
        if why:
            tape.wrong(f"assault {' '.join(words)}: {why}", tape.next - 1)
        units = [u for group in groups for u in group]
        froms = sorted({camp.at[u] for u in units})
        tape.told(
            "assault", "std-5.3-1", unit=leader, side=side, units=units, at=label_of(target),
            **{"from": list(map(label_of, froms))},
        )  # fmt: skip
        self.tired_by_action(units)
        for u in units if self.assault_strains else ():
            self.strain(u)
        self.fight.rehome(side)
        units = [u for u in units if u in camp.men]
        groups = [[u for u in group if u in camp.men] for group in groups]
        if not groups[0]:
            tape.told("no-assault", "std-5.3-3", unit=leader, at=label_of(target))
            return
        self.fight.evade(units, froms, target, set())
        if not camp.men_here(target, OTHER[side]):
            tape.told("no-assault", "std-7.7-7", unit=leader, at=label_of(target))
            return
        number = max(1, camp.command_value(under) - (len(groups[0]) - 1))  # std-5.3-5
        (die,) = tape.roll("assault")
        made = die <= number
        tape.told("assault-roll", "std-5.3-5", unit=under, at=label_of(target), die=die, number=number, made=made)
        if die > number:
            return
        fighting = list(groups[0])
        others: dict[Hex, list[str]] = {}
        for u in units[len(groups[0]) :]:
            others.setdefault(camp.at[u], []).append(u)
        for h in sorted(others):
            (die,) = tape.roll("joins")
            value = camp.command_value(leader)
            tape.told(
                "joins", "std-7.1-7", unit=leader, die=die, number=value, made=die <= value, at=label_of(target),
                **{"from": label_of(h)},
            )  # fmt: skip
            fighting += others[h] if die <= value else []
        bonus = int((grand and leader == "lee") or (under == "jackson" and "jackson" not in camp.fallen))  # std-7.1-8
        self.fight.combat(fighting, target, "assault", bonus)

    def do_grand(self, side: str, words: list[str]) -> None:
        self.do_assault(side, words, grand=True)
