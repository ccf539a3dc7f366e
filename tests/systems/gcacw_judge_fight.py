"""Combats of a campaign, losses, retreats, and leaders who are left alone, judged as they were told."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor

from systems.gcacw_judge_camp import OTHER, WORKS, Camp
from systems.gcacw_judge_land import Hex, apart, around, hex_of, label_of
from systems.gcacw_judge_tape import Tape

KINDS = {"column": -3, "hasty": -1, "normal": 0, "prepared": 1}
"""What the kind of a march attack gives the attacker's die: std-7.1-3."""
GUNS = [  # R292: up to -4, 1, 4, 7 and more; clear, rolling, rough or hill, woods, city or mountain; swamp
    (-4, ["-3", "-2", "-1", "0", "0"]), (1, ["-2", "-1", "0/-1", "0", "0"]), (4, ["0"] * 5),
    (7, ["1", "1/0", "0", "0", "0"]), (999, ["2/1", "1", "1/0", "0", "0"]),
]  # fmt: skip
GROUND_COLUMN = {"clear": 0, "rolling": 1, "rough": 2, "hill": 2, "woods": 3, "city": 3, "mountain": 3, "swamp": 4}
DEFENDER_COLUMNS = [3, 6, 11, 18, 26, 37, 49]
ATTACKER_COLUMNS = [3, 6, 11, 18, 26, 37, 49, 59, 69]
DEFENDER = """
- - - - - - - -|- - - - - - - -|- - - - - - - -|- - - - - - - 1|- - - - - - 1 1|- - - - - 1 1 1
f f f f f 1f 1f 1f|F F F F 1F 1F 1F 2F|D D D D 1D 1D 2D 2D|D D D 1D 1D 2D 2D 2D
Dr Dr 1Dr 1Dr 2Dr 2Dr 2Dr 3Dr|Dr Dr 1Dr 1Dr 2Dr 2Dr 3Dr 4Dr|DR 1DR 1DR 2DR 3DR 3DR 4DR 5DR
1DR 2DR 2DR 3DR 3DR 3DR 4DR 5DR|1DR 2DR 2DR 3DR 3DR 4DR 5DR 6DR|1DR 2DR 2DR 3DR 4DR 6DR 7DR 8DR
2DR* 2DR* 3DR* 4DR* 5DR* 7DR* 7DR* 9DR*|2DR* 3DR* 4DR* 4DR* 5DR* 7DR* 8DR* 10DR*
3DR* 4DR* 5DR* 5DR* 6DR* 8DR* 9DR* 11DR*
"""
ATTACKER = """
3D 4D 5D 5D 6D 8D 10D 12D 14D 16D|2D 3D 4D 4D 5D 7D 9D 11D 13D 15D|2D 2D 3D 3D 5D 6D 8D 10D 12D 13D
1D 2D 2D 3D 4D 6D 7D 9D 11D 12D|1D 2D 2D 2D 3D 5D 6D 8D 9D 10D|1D 2D 2D 2D 3D 4D 5D 7D 8D 9D
D 1D 2D 2D 3D 3D 5D 7D 8D 9D|D 1D 1D 1D 2D 3D 5D 6D 7D 8D|D 1D 1D 1D 2D 3D 4D 5D 6D 8D
D 1D 1D 1D 2D 3D 3D 4D 5D 7D|Da Da 1Da 1Da 2Da 2Da 3Da 4Da 5Da 6Da|Fa Fa Fa 1Fa 2Fa 2Fa 3Fa 4Fa 5Fa 6Fa
fa fa fa 1fa 1fa 2fa 3fa 3fa 4fa 5fa|Ea Ea Ea Ea 1Ea 1Ea 2Ea 2Ea 3Ea 3Ea|a a a a 1a 1a 1a 2a 2a 3a
a a a a a 1a 1a 1a 2a 2a|a a a a a a 1a 1a 1a 2a|a a a a a a a 1a 1a 1a|a a a a a a a a 1a 1a
"""


def chart(text: str) -> list[list[str]]:
    return [row.split() for row in text.strip().replace("\n", "|").split("|")]


def read(table: str, columns: Sequence[int], value: Fraction, difference: int) -> str:
    """A cell of the chart: std-7.5-1."""
    column = sum(floor(value) > most for most in columns)
    return chart(table)[max(-8, min(10, difference)) + 8][column]


class Fighting:
    """Losses, combats, retreats."""

    def __init__(self, camp: Camp, tape: Tape) -> None:
        self.camp, self.tape = camp, tape

    # --- effects -------------------------------------------------------------------------------------------------

    def tire(self, unit: str, level: int, clause: str) -> None:
        before = self.camp.fatigue.get(unit, 0)
        if level != before:
            self.camp.fatigue[unit] = level
            self.tape.told("tired", clause, unit=unit, fatigue=level)

    def loosen(self, unit: str, clause: str) -> None:
        if unit not in self.camp.loose:
            self.camp.loose.add(unit)
            self.tape.told("disorganised", clause, unit=unit)

    def lose(self, unit: str, points: int, clause: str, counted: bool) -> None:
        """Manpower lost; the ledger counts combat, retreat and cavalry retreat alone: 22.1-vp11."""
        camp = self.camp
        points = min(points, camp.men[unit])
        camp.men[unit] -= points
        if counted:
            camp.lost[camp.side(unit)] += points
        self.tape.told("loss", clause, unit=unit, points=points, left=camp.men[unit], counted=counted)
        if not camp.men[unit]:
            self.tape.told("remove", clause, unit=unit, at=label_of(camp.at[unit]))
            self.away(unit)

    def away(self, unit: str) -> None:
        camp = self.camp
        for store in (camp.at, camp.men, camp.fatigue, camp.fear, camp.works):
            store.pop(unit, None)
        camp.loose.discard(unit)
        camp.hungry.discard(unit)
        camp.acted.discard(unit) if unit in camp.substitutes else None

    def rehome(self, side: str) -> None:
        """Leaders without a unit go to the nearest of their command, or wait off the map: std-6.3-2."""
        camp, tape = self.camp, self.tape
        lonely = {
            leader for leader, h in camp.at.items()
            if camp.side(leader) == side and not camp.fights(leader)
            and not any(camp.commands(leader, u) for u in camp.men_here(h, side))
        }  # fmt: skip
        while lonely:
            if tape.is_answer("join"):
                tape.take()
            step = tape.peek()
            told = step["what"] if step is not None and step["kind"] == "tell" else ""
            leader = step["facts"].get("unit") if step is not None and told in ("relocated", "leader-off") else None
            if leader not in lonely:
                tape.wrong(f"{sorted(lonely)} left alone didn't go anywhere: std-6.3-2")
                return
            lonely.discard(leader)
            self.relocate(leader, side)

    def relocate(self, leader: str, side: str) -> None:
        camp, tape = self.camp, self.tape
        h = camp.at[leader]
        units = [u for u in camp.own(side) if camp.commands(leader, u)]
        if not units:
            tape.told("leader-off", "std-6.3-2", unit=leader, at=label_of(h))
            camp.at.pop(leader)
            camp.waiting_leaders.add(leader)
            return
        least = min(apart(h, camp.at[u]) for u in units)
        facts = tape.told("relocated", "std-6.3-2", unit=leader, **{"from": label_of(h)})
        if facts.get("with") not in [u for u in units if apart(h, camp.at[u]) == least]:
            tape.wrong(f"{leader} joined {facts.get('with')}, not one of the nearest of his", tape.next - 1)
        camp.at[leader] = camp.at.get(facts.get("with", ""), h)

    def come(self, units: Sequence[str], h: Hex) -> None:
        """What it brings about that combat units have entered a hex: rc-order."""
        camp, tape = self.camp, self.tape
        units = [u for u in units if u in camp.men]
        if not units:
            return
        side = camp.side(units[0])
        if h in map(hex_of, camp.scenario["objectives"]) and any(map(camp.foot, units)):  # 22.1-sp4b
            if side == "confederate" and h not in camp.control:
                camp.control.add(h)
                tape.told("control", "13.2-sp5b", at=label_of(h), side=side)
            elif side == "union" and h in camp.control:
                camp.control.discard(h)
                tape.told("control", "13.2-sp5d", at=label_of(h), side=side)
        if side == "confederate" and camp.depots.get(h) == "entry":  # 20.1-7
            del camp.depots[h]
            tape.told("depot-destroyed", "20.1-7", at=label_of(h))
        strong = any(camp.value(u) >= 5 for u in units)
        for bridge in [b for b, owner in camp.bridges.items() if owner != side and h in b and strong]:
            self.unbridge(bridge)  # 19.0-4, std-10.0-4
        if side == "confederate":
            self.free_by(h)

    def unbridge(self, bridge: frozenset[Hex]) -> None:
        camp = self.camp
        side = camp.bridges.pop(bridge)
        if camp.land.water[bridge][0] == "major_river":
            camp.pontoon_gone = camp.turn  # 19.0-7
        self.tape.told("bridge-removed", hexside="/".join(sorted(map(label_of, bridge))), side=side)

    def free_by(self, h: Hex) -> None:
        """22.1-sp3b, 22.1-sp3d1, 22.1-sp3e1."""
        camp = self.camp
        for hold in camp.scenario["holds"]:
            into = camp.land.county[h] in hold.get("regions", ())
            near = "near" in hold and apart(h, hex_of(hold["near"])) <= hold["within"]
            for who in sorted(hold["units"]) if into or near else ():
                if who not in camp.free and camp.turn < hold.get("until", 99):
                    camp.free.add(who)
                    self.tape.told("freed", hold["clause"], unit=who, by=label_of(h))

    def panics(self) -> bool:
        """The rest of the turn and the next: 18.0-3."""
        return bool(self.camp.panic) and self.camp.turn in (self.camp.panic, self.camp.panic + 1)

    # --- cavalry that goes back ----------------------------------------------------------------------------------

    def evade(self, marchers: Sequence[str], froms: Sequence[Hex], h: Hex, offered: set[Hex]) -> int:
        """Whether cavalry alone in a hex is offered to go back, and what its going costs the marcher: std-7.7."""
        camp, tape = self.camp, self.tape
        side = OTHER[camp.side(marchers[0])]
        riders = camp.men_here(h, side)
        if not riders or any(camp.foot(u) for u in riders) or not all(camp.foot(u) for u in marchers):
            return 0
        if h in offered or not any(camp.passable(OTHER[side], a, h) for a in froms if h in around(a)):
            return 0
        offered.add(h)
        if any(camp.fatigue.get(u, 0) >= 4 for u in riders) or not camp.back_steps(riders, side, [h]):
            return 0
        if tape.answer("evade", side) != ["yes"]:
            return 0
        (die,) = tape.roll("evade")
        sizes = {camp.units[u]["size"] for u in marchers}
        regiments = all(camp.units[u]["size"] == "regiment" for u in riders)
        add = 2 if "division" in sizes else 1 if "brigade" in sizes and regiments else 0  # std-7.7-3, std-7.7-4
        dear = die + add <= 2  # std-7.7-6
        tape.told("evade", "std-7.7-3", side=side, units=riders, die=die, add=add, points=(die + add) // 2, dear=dear)
        if dear:
            for u in riders:
                if u in camp.loose:
                    self.lose(u, 1, "", counted=True)
                else:
                    self.loosen(u, "")
        riders = camp.men_here(h, side)
        for u in riders:
            self.tire(u, min(4, camp.fatigue.get(u, 0) + 1), "std-7.7-5")
        if riders:
            self.retreat(h, side, "cavalry", froms)
        self.rehome(side)
        return (die + add) // 2

    # --- combat --------------------------------------------------------------------------------------------------

    def combat(self, attackers: list[str], h: Hex, kind: str, commander: int) -> None:
        """One combat from its modifiers to its end: std-7.2 to std-7.6."""
        camp, tape = self.camp, self.tape
        side = camp.side(attackers[0])
        foe = OTHER[side]
        defenders = camp.men_here(h, foe)
        froms = sorted({camp.at[u] for u in attackers})
        each = [camp.values(u for u in attackers if camp.at[u] == a) for a in froms]
        force = sum((min(Fraction(70), value) for value in each), Fraction(0))  # std-7.2-2
        raw = camp.values(defenders)
        held = min(raw, self.most(defenders))
        works = held * sum((camp.value(u) * WORKS[camp.works.get(u, 0)] for u in defenders), Fraction(0)) / raw
        mine: dict[str, int] = {}
        ratio = floor(force / works) - 1 if force >= works else 1 - ceil(works / force)
        mine["ratio"] = max(-5, min(5, ratio))  # std-7.4-1, std-7.4-2
        mine["tactical"] = self.best(attackers) - self.best(defenders)  # std-7.4-3
        mine["flank"] = camp.flanks(h, side, works)
        if kind == "assault":
            mine["assault"], mine["commander"] = 1, commander  # std-5.3-4, std-7.1-8
        else:
            mine[kind] = KINDS[kind]
        mine["rain"] = -camp.rain  # 14.0-rain-att1
        theirs = min((self.ground_for(a, h, side) for a in froms), key=lambda m: sum(m.values()))  # std-7.4-11
        cowed = camp.values(u for u in defenders if camp.fear.get(u) == 2)
        theirs["demoralised"] = -(cowed * 2 >= raw and cowed > 0)  # std-7.4-9
        if self.panics():
            (mine if side == "union" else theirs)["panic"] = -1  # 18.0-3
        differential, cell = self.guns(attackers, defenders, h)
        gun = int(cell.split("/")[0])
        if "/" in cell:
            (die,) = tape.roll("artillery")
            gun = int(cell.split("/")[0 if die >= 4 else 1])  # std-7.3-3
        (attack,), (defence,) = tape.roll("attack"), tape.roll("defence")
        difference = attack + sum(mine.values()) + gun - defence - sum(theirs.values())
        result = read(DEFENDER, DEFENDER_COLUMNS, held, difference)
        own = read(ATTACKER, ATTACKER_COLUMNS, force, difference)
        facts = tape.told(
            "fight", "std-7.5-1", unit=attackers[0], at=label_of(h), kind=kind, dice=[attack, defence], side=side,
            difference=difference, result=result, own_result=own, guns=[differential, gun],
            **{"from": [label_of(a) for a in froms]}, values=[int(force * 2), int(held * 2)],
        )  # fmt: skip
        said = {(whose, name): value for whose, name, value, _ in facts.get("modifiers", ())}
        wanted = {("attacker", name): value for name, value in mine.items() if value}
        wanted |= {("defender", name): value for name, value in theirs.items() if value}
        if said != wanted:
            tape.wrong(f"fight at {label_of(h)}: modifiers {said}, by the judge {wanted}", tape.next - 1)
        self.leader_check(attackers, h, side, attack == defence == 1)
        self.results(attackers, defenders, h, own, result, froms)

    def most(self, defenders: Sequence[str]) -> Fraction:
        """std-7.2-1: by infantry behind complete works, a fort under way among them (R226)."""
        foot = [u for u in defenders if self.camp.foot(u)]
        dug = sum(self.camp.works.get(u, 0) >= 2 for u in foot)
        if foot and dug == len(foot):
            return Fraction(130)
        return Fraction(100 if foot and 2 * dug >= len(foot) else 60)

    def best(self, units: Sequence[str]) -> int:
        """Units in the combat, and corps leaders with one of theirs among them: R227."""
        camp = self.camp
        leaders = {
            leader for u in units for leader in camp.leaders_here(camp.at[u], camp.side(u))
            if camp.units[leader]["size"] == "corps" and camp.commands(leader, u)
        }  # fmt: skip
        return max(camp.tactical(u) for u in (*units, *leaders))

    def ground_for(self, a: Hex, h: Hex, side: str) -> dict[str, int]:
        """The defender's modifiers against one hex: std-7.4-4 to -8."""
        camp = self.camp
        ground, from_ground = camp.land.ground[h], camp.land.ground[a]
        found = {}
        if camp.crossed(side, a, h) != "dry":
            found["crossing"] = 2
        if frozenset((a, h)) in camp.land.creeks:
            found["creek"] = 2 if camp.rain else 1  # 14.0-rain-att3
        if ground == "mountain":
            found["mountain"] = 1 if from_ground == "mountain" else 2
        if ground == "hill" and from_ground not in ("hill", "mountain"):
            found["hill"] = 1
        return found

    def guns(self, attackers: Sequence[str], defenders: Sequence[str], h: Hex) -> tuple[int, str]:
        """std-7.3, R292."""
        camp = self.camp
        mine = sum(camp.units[u].get("artillery", 0) for u in attackers if not camp.fear.get(u))
        each = [
            floor(camp.units[u].get("artillery", 0) * WORKS[camp.works.get(u, 0)])
            for u in defenders if not camp.fear.get(u)
        ]  # fmt: skip
        differential = mine - sum(each)
        row = next(cells for most, cells in GUNS if differential <= most)
        cell = row[GROUND_COLUMN[camp.land.ground[h]]]
        if not sum(each) and "-" in cell:
            cell = "0"
        return differential, cell

    def leader_check(self, attackers: Sequence[str], h: Hex, side: str, ones: bool) -> None:
        """17.0."""
        camp, tape = self.camp, self.tape
        if side == "confederate":
            hexes = {u: camp.at[u] for u in attackers}
            near = {one for u, at in hexes.items() for one in camp.leaders_here(at, side) if camp.commands(one, u)}
        else:
            near = set(camp.leaders_here(h, "confederate"))
        near = {u for u in near if camp.units[u]["size"] == "corps" and u not in camp.fallen}  # 17.0-4, 17.0-6
        if not ones or not near:
            return
        (die,) = tape.roll("leader")
        tape.told("leader-check", "17.0-2", die=die, side="confederate", killed=die % 2 == 0)
        if die % 2:
            return
        best = max(camp.tactical(u) for u in near)
        top = sorted(u for u in near if camp.tactical(u) == best)
        if len(top) > 1 and tape.is_answer("fall"):
            tape.answer("fall", "confederate")
        facts = tape.told("killed", "17.0-5", tactical=best - 1)
        if facts.get("unit") not in top:
            tape.wrong(f"{facts.get('unit')} was killed, by the judge one of {top}")
        camp.fallen.add(facts.get("unit", top[0]))

    def results(
        self, attackers: list[str], defenders: list[str], h: Hex, own: str, result: str, froms: Sequence[Hex]
    ) -> None:  # fmt: skip
        """std-7.5-9."""
        camp, tape = self.camp, self.tape
        side = camp.side(attackers[0])
        foe = OTHER[side]
        for units, cell in ((attackers, own), (defenders, result)):
            self.losses(units, int("".join(c for c in cell if c.isdigit()) or 0))
        for units, cell in ((attackers, own), (defenders, result)):
            self.letters([u for u in units if u in camp.men], cell)
        left = [u for u in defenders if u in camp.men]
        if "R" in result:
            for u in left:
                camp.fear[u] = min(2, camp.fear.get(u, 0) + 1)  # std-11.0-1
                tape.told("demoralised", "std-11.0-1", unit=u, level=camp.fear[u])
        if left and ("r" in result or "R" in result):
            self.retreat(h, foe, "rout" if "R" in result else "retreat", froms)
        self.rehome(side)
        self.rehome(foe)
        if "a" in own and not camp.men_here(h):
            self.advance([u for u in attackers if u in camp.men], h)
        if "*" in result and foe == "union" and not camp.panic:  # 18.0-1, 18.0-2
            camp.panic = camp.turn
            tape.told("panic", "18.0-1", turn=camp.turn)

    def losses(self, units: list[str], points: int, clause: str = "std-7.5-2") -> None:
        """std-7.5-2, std-7.5-3."""
        camp, tape = self.camp, self.tape
        if not points:
            return
        total = sum(camp.men[u] for u in units)
        if points >= total:
            for u in units:
                self.lose(u, camp.men[u], clause, counted=True)
            return
        ways = [
            dict(zip(units, shares, strict=True))
            for shares in product(*(range(min(points, camp.men[u]) + 1) for u in units))
            if sum(shares) == points and self.fair([camp.men[u] - n for u, n in zip(units, shares, strict=True)])
        ]
        shares, order = ways[0], units
        if len(ways) > 1:
            named = tape.answer("lose", camp.side(units[0]))
            shares, order = {u: named.count(u) for u in units}, [*dict.fromkeys([*named, *units])]
            if shares not in ways:
                tape.wrong(f"{shares} of {points} points lost: std-7.5-3", tape.next - 1)
        for u in order:
            if shares.get(u):
                self.lose(u, shares[u], clause, counted=True)

    def fair(self, after: Sequence[int]) -> bool:
        """Nobody is eliminated while another has two or more."""
        return 0 not in after or max(after) < 2

    def letters(self, units: Sequence[str], cell: str) -> None:
        """std-7.5-4, std-7.5-5."""
        for u in units:
            level = self.camp.fatigue.get(u, 0)
            if "D" in cell:
                self.loosen(u, "std-7.5-4")
                self.tire(u, 4, "std-7.5-4")
            elif "F" in cell:
                self.tire(u, 4, "std-7.5-5")
            elif "f" in cell:
                self.tire(u, min(4, level + 1), "std-7.5-5")
            elif "E" in cell:
                self.tire(u, max(level, min(3, level + 1)), "std-7.5-5")

    def retreat(self, h: Hex, side: str, why: str, foes: Sequence[Hex]) -> None:
        """std-7.6."""
        camp, tape = self.camp, self.tape
        units = camp.men_here(h, side)
        stack = sorted(camp.here(h, side))
        least, most = {"rout": (4, 6)}.get(why, (2, 4))
        price = 2 if why == "rout" else 1
        if not camp.back_steps(units, side, [h]):
            tape.told("surrender", "std-7.6-4", at=label_of(h), units=units, side=side)
            for u in units:
                camp.lost[side] += camp.men[u]
                tape.told("remove", "std-7.6-4", unit=u, at=label_of(h), points=camp.men[u])
                self.away(u)
            return
        way = [h]
        asked: list[Hex] = []
        if tape.is_answer("retreat"):
            asked = [hex_of(label) for label in tape.answer("retreat", side) if label[0] in "NS"]
        facts = tape.told("retreat", unit=stack[0], units=stack, side=side, why=why, **{"from": label_of(h)})
        path = [hex_of(label) for label in facts.get("path", ())]
        meant = asked or path
        if len(meant) > most or (len(meant) < least and camp.longest(units, side, [h], least) > len(meant)):
            tape.wrong(f"a retreat of {len(meant)} hexes")
        costs = []
        for n, b in enumerate(meant):  # the way is judged as a whole, before the first step
            steps = camp.open_steps(units, side, way, len(meant) - n, least)
            kinds = {s: camp.step_class(side, way[-1], s, foes) for s in steps}
            if b not in steps:
                tape.wrong(f"retreat step to {label_of(b)}, open are {list(map(label_of, steps))}", tape.next - 1)
            else:
                costs.append((kinds[b] > 3, kinds[b] > min(kinds.values())))
            way.append(b)
        for b, (zone, worse) in zip(path, costs, strict=False):
            for u in stack:
                if u in camp.at:
                    camp.at[u] = b
                    camp.works.pop(u, None)  # std-9.0-5
            self.come(units, b)
            self.pay(units, price * zone, "std-7.6-3")
            self.pay(units, int(worse), "std-7.6-2")
        if path != meant[: len(path)] or (len(path) < len(meant) and any(u in camp.men for u in units)):
            tape.wrong(f"a retreat along {list(map(label_of, path))}, chosen {list(map(label_of, meant))}")

    def pay(self, units: Sequence[str], points: int, clause: str) -> None:
        """Manpower that zones cost, and steps that aren't of the best class: std-7.6-3, std-7.6-2."""
        units = [u for u in units if u in self.camp.men]
        if points and units:
            self.losses(units, points, clause)

    def advance(self, able: list[str], h: Hex) -> None:
        """std-7.6-6."""
        camp, tape = self.camp, self.tape
        side = camp.side(able[0]) if able else ""
        able = [u for u in able if camp.passable(side, camp.at[u], h) and not camp.banned(u, h)]
        if not able:
            return
        who = tape.answer("advance", side)
        while tape.is_told("advance"):
            facts = tape.told("advance", "std-7.6-6", to=label_of(h), side=side)
            for u in facts["units"]:
                if camp.fights(u) and (u not in able or u not in who):
                    tape.wrong(f"{u} advanced", tape.next - 1)
                if camp.at.get(u) != hex_of(facts["from"]):
                    tape.wrong(f"{u} wasn't in {facts['from']}", tape.next - 1)
                camp.at[u] = h
                camp.works.pop(u, None)
            self.come([u for u in facts["units"] if camp.fights(u)], h)
        late = [u for u in who if u in camp.at and camp.at[u] != h]
        if late and who != ["none"]:
            tape.wrong(f"{late} were to advance")
