"""A judge of whole campaigns: reads what a game told from its first step to its last, by the rulebook alone.

It shares no code with the program. Orders, answers and dice are taken as they are; whatever was told of them is worked
out a second time, in the order of play, and compared; after each entry the position can be compared, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from systems.gcacw_judge_camp import OTHER, Camp
from systems.gcacw_judge_fight import Fighting
from systems.gcacw_judge_land import Hex, Land, apart, around, hex_of, label_of
from systems.gcacw_judge_tape import Difference, Step, Tape
from systems.gcacw_judge_war import War

__all__ = ["Difference", "Judge"]

SIDES = ("union", "confederate")
EVENTS = {  # 14.0-table
    2: ("rain", 2), 3: ("rain", 1), 4: ("early", "union"), 5: ("early", "confederate"), 6: ("late", "union"),
    7: ("early", "union"), 8: ("paralysis", "union"), 9: ("rain", 0), 10: ("early", "confederate"),
    11: ("late", "confederate"), 12: ("paralysis", "confederate"),
}  # fmt: skip
FORAGE = {  # chart-forage: Confederates, Union
    "Caroline": (6, 3), "Clarke": (5, 5), "Culpeper": (5, 3), "Fairfax": (3, 5), "Fauquier": (4, 4),
    "Frederick": (5, 5), "King George": (4, 4), "Loudoun": (5, 6), "Madison": (5, 3), "Montgomery": (4, 6),
    "Orange": (6, 3), "Prince William": (4, 4), "Rappahannock": (4, 3), "Spotsylvania": (5, 3), "Stafford": (4, 4),
    "Warren": (4, 4),
}  # fmt: skip
LIMITS = {  # 21.2-6
    ("infantry", "division"): 18, ("infantry", "brigade"): 9, ("infantry", "regiment"): 2,
    ("cavalry", "brigade"): 4, ("cavalry", "regiment"): 2,
}  # fmt: skip
SPECIAL = {  # 21.2-u1 to -u3
    "griffin": ("morell", "sykes", "reynolds"), "taylor": ("slocum", "smith"), "kimball": ("sedgwick", "richardson"),
}  # fmt: skip
HOME = ("Caroline", "Culpeper", "Madison", "Orange", "Spotsylvania")  # 20.3-c1
OF_STEP = {
    "action": ("march", "activate", "assault", "grand", "raid", "rail", "pass"),
    "recovery": ("entrench", "bridge", "forage"),
    "transfer": ("transfer",), "attachment": ("merge",), "reinforcements": ("place", "put-off"),
}  # fmt: skip


def named(step: Step) -> Any:
    """What a step is, in short."""
    return step.get("what") or step.get("label") or step.get("words")


class Judge:
    """One game."""

    def __init__(
        self, land: Land, scenario: Mapping[str, Any], armies: Sequence[Mapping[str, Any]],
        options: Mapping[str, str], steps: Sequence[Step],
    ) -> None:  # fmt: skip
        self.camp, self.tape = Camp(land, scenario, armies), Tape(steps)
        self.fight = Fighting(self.camp, self.tape)
        self.war = War(self.camp, self.tape, self.fight)
        self.war.cavalry_destroys = options.get("cavalry-destroys") == "yes"
        self.war.leaves_zone_on_turn_1 = options.get("leave-zone-turn-1") == "yes"
        self.war.assault_strains = options.get("assault-strain") == "yes"
        self.war.subs_in_supply = options.get("substitute-in-supply") == "yes"
        self.options, self.scenario = options, scenario
        self.groups = {g["id"]: dict(g) for g in scenario["arrivals"]}
        self.due = {id: g["turn"] for id, g in self.groups.items()}
        self.put_off: set[str] = set()
        self.lapses = 0

    def judge(self) -> list[Difference]:
        """Everything that is otherwise than the rules have it."""
        for turn in range(1, self.scenario["turns"] + 1):
            self.camp.turn = turn
            self.turn(turn)
            if self.tape.peek() is None:
                break
        if self.tape.peek() is None:
            self.tape.wrong("the game ended without its end")
        else:
            self.end()
        return self.tape.differences

    # --- the turn: 3.0-1 -------------------------------------------------------------------------------------------

    def turn(self, turn: int) -> None:
        advanced = self.scenario["advanced"]
        self.war.railed.clear()
        self.camp.paralysed = set()
        if turn > 1:
            self.phase("events")
            self.events()
        for side in SIDES:
            self.phase(f"{side}-reinforcements")
            self.reinforcements(side)
        for side in SIDES:
            self.phase(f"{side}-transfer")
            self.transfers(side)
        if turn in advanced["supply"]:
            self.phase("repair")
            self.repair()
            self.phase("supply-status")
            self.status()
        for side in SIDES:
            self.phase(f"{side}-attachment")
            self.attachment(side)
        self.phase("cycle")
        self.cycle()
        self.worked: set[str] = set()
        self.foraged: list[str] = []
        for side in SIDES:
            self.phase(f"{side}-recovery")
            self.recovery(side)
        self.rest()
        if turn >= advanced["effects"]:
            self.phase("supply-effects")
            self.effects()

    def phase(self, name: str) -> None:
        self.skip_to(lambda step: step["kind"] == "tell" and step["what"] == "phase")
        self.tape.told("phase", turn=self.camp.turn, phase=name)

    def skip_to(self, wanted: Any) -> None:
        """What stands where it shouldn't is a difference each."""
        while (step := self.tape.peek()) is not None and not wanted(step):
            if step["kind"] == "lapse":
                self.lapse(step)
                self.tape.take()
                continue
            if step.get("what") == "end" and step["kind"] == "tell":
                return
            self.tape.wrong(f"unexpected: {named(step)} {step.get('facts', '')}")
            self.tape.take()

    def orders(self, side: str, step_name: str) -> Any:
        """The orders of a side in a phase of its own, one after another, to its close or the next phase."""
        while (step := self.tape.peek()) is not None:
            if step["kind"] == "lapse":
                self.lapse(self.tape.take(), step_name)
                continue
            if step["kind"] != "order":
                return
            self.tape.take()
            if step["side"] != side:
                self.tape.wrong(f"{step['side']} ordered in the phase of {side}", self.tape.next - 1)
            words = step["words"]
            if words[0] == "close":
                if words[1] == step_name:
                    return
                continue
            if words[0] not in OF_STEP[step_name]:
                self.tape.wrong(f"{words} in the step {step_name}", self.tape.next - 1)
            yield words

    def lapse(self, step: Step, step_name: str = "") -> None:
        """An order that has become illegal must be illegal."""
        self.lapses += 1
        words, side = step["words"], step["side"]
        if step_name and words[0] not in OF_STEP[step_name]:
            return
        if step_name == "action" and words[0] in ("march", "activate", "assault", "grand", "raid", "rail"):
            why = self.war.why_not(side, words)
        elif words[0] == "forage":
            why = "nobody can" if all(self.work_bar(side, "forage", [u]) for u in words[1:]) else ""
        elif step_name == "recovery":
            why = self.work_bar(side, words[0], words[1:])
        elif words[0] == "merge":
            why = self.merge_bar(side, words[1], words[3])
        elif words[0] == "transfer":
            why = self.transfer_bar(side, words[1], words[2])
        else:
            return
        if not why:
            self.tape.wrong(f"lapsed though legal: {side} {' '.join(words)} ({step['reason']})", self.tape.next - 1)

    # --- random events: 14.0 -----------------------------------------------------------------------------------------

    def events(self) -> None:
        camp, tape = self.camp, self.tape
        if camp.panic and camp.turn == camp.panic + 2:  # 18.0-5
            self.mcclellan()
        dice = tape.roll("event", 2)
        kind, what = EVENTS.get(sum(dice), ("", ""))
        tape.told("event", dice=dice, kind=kind, side=what if kind != "rain" else "")
        if kind == "rain":
            if camp.rain:
                tape.told("no-rain", "14.0-rain-other", until=camp.rain_until)  # 14.0-rain-now1, -now2
            else:
                camp.rain_until = camp.turn + int(what)
                tape.told("rain", until=camp.rain_until)
        elif kind == "paralysis":
            camp.paralysed = {what}
        else:
            self.move_arrivals(kind, what)

    def move_arrivals(self, kind: str, side: str) -> None:
        """14.0-late1, 14.0-early1: all that are due now come later, or all of the next turn come now."""
        turn = self.camp.turn
        when, then = (turn, turn + 1) if kind == "late" else (turn + 1, turn)
        moved = [id for id, due in self.due.items() if due == when and self.side_of(id) == side]
        if kind == "late":
            moved = [id for id, due in self.due.items() if due <= when and self.side_of(id) == side]
        for id in moved:
            self.due[id] = then
        if moved:
            units = [u["unit"] for id in moved for u in self.groups[id]["units"]]
            self.tape.told("moved-arrivals", side=side, units=units, turn=then)
        else:
            self.tape.told("no-arrivals", side=side, kind=kind)

    def mcclellan(self) -> None:
        camp, panic = self.camp, self.scenario["advanced"]["panic"]
        facts = self.tape.told("replaced", "18.0-5", unit="mcclellan", gone=panic["leader"])
        h = camp.at.pop("pope", None)
        camp.waiting_leaders.discard("pope")
        if h is None:
            h = hex_of(facts.get("at", "N5819"))
        if facts.get("at") != label_of(h):
            self.tape.wrong(f"McClellan came to {facts.get('at')}, Pope was in {label_of(h)}", self.tape.next - 1)
        camp.at["mcclellan"] = h

    # --- reinforcements: 22.1-re1 to -re5 ----------------------------------------------------------------------------

    def side_of(self, id: str) -> str:
        return self.camp.side(self.groups[id]["units"][0]["unit"])

    def waiting(self, side: str) -> list[str]:
        return [id for id, due in self.due.items() if self.side_of(id) == side and due <= self.camp.turn]

    def reinforcements(self, side: str) -> None:
        self.by_themselves(side)
        self.as_ordered(side)
        for id in self.waiting(side):
            if self.free_hexes(id):
                self.tape.wrong(f"{id} should have come")

    def by_themselves(self, side: str) -> None:
        """Those of whom nothing is to be said."""
        for id in self.waiting(side):
            if self.aquia_lost() and "together" in self.groups[id] and id not in self.put_off:
                self.delay(id)  # 22.1-re3
        for id in self.waiting(side):
            hexes = self.free_hexes(id)
            if len(hexes) == 1 and not self.may_put_off(id):
                self.place(id, hexes[0])
            elif not hexes:
                self.tape.told("arrival-waits", units=[u["unit"] for u in self.groups[id]["units"]], side=side)

    def as_ordered(self, side: str) -> None:
        tape = self.tape
        for words in self.orders(side, "reinforcements"):
            id, due = words[1], words[1] in self.waiting(side)
            if words[0] == "put-off":
                if not due or not self.may_put_off(id):
                    tape.wrong(f"{id} can't be put off", tape.next - 1)
                self.delay(id)
            else:
                self.place(id, hex_of(words[3]))
        while tape.is_told("reinforcements"):  # nobody said where
            facts = tape.facts
            ids = [id for id in self.due if self.groups[id]["units"][0]["unit"] == facts["units"][0]]
            if not ids:
                tape.wrong(f"{facts} isn't due")
                return
            self.place(ids[0], hex_of(facts["at"]))

    def aquia_lost(self) -> bool:
        h = hex_of("S5021")
        return h in self.camp.control or bool(self.camp.men_here(h, "confederate"))

    def free_hexes(self, id: str) -> list[Hex]:
        group, side = self.groups[id], self.side_of(id)
        labels = group["late"] if id in self.put_off else [group["at"], *group.get("else", ())]
        return [hex_of(x) for x in labels if not self.camp.men_here(hex_of(x), OTHER[side])]

    def may_put_off(self, id: str) -> bool:
        """The choice is made once, of the three of the III corps when the first of them is due: 22.1-re2, R260."""
        group = self.groups[id]
        if "late" not in group or id in self.put_off:
            return False
        return all(other in self.due for other in group.get("together", ()))

    def delay(self, id: str) -> None:
        for one in (id, *self.groups[id].get("together", ())):
            if one in self.due and one not in self.put_off:
                self.put_off.add(one)
                self.due[one] += 1
                units = [u["unit"] for u in self.groups[one]["units"]]
                self.tape.told("put-off", units=units, turn=self.due[one], side=self.side_of(one))

    def place(self, id: str, h: Hex) -> None:
        camp, group = self.camp, self.groups[id]
        units = [u["unit"] for u in group["units"]]
        if id not in self.waiting(self.side_of(id)) or h not in self.free_hexes(id):
            self.tape.wrong(f"{id} can't come to {label_of(h)} now", self.tape.next - 1)
        self.tape.told("reinforcements", units=units, side=self.side_of(id), at=label_of(h))
        self.due.pop(id, None)
        for u in group["units"]:
            camp.at[u["unit"]] = h
            if "manpower" in u:
                camp.men[u["unit"]] = u["manpower"]
        self.fight.come([u for u in units if camp.fights(u)], h)

    # --- leader transfer: std-3.0-2, std-3.0-3 -----------------------------------------------------------------------

    def transfers(self, side: str) -> None:
        camp, tape = self.camp, self.tape
        done: set[str] = set()
        for _, leader, unit in self.orders(side, "transfer"):
            why = self.transfer_bar(side, leader, unit) or ("twice" if leader in done else "")
            if why:
                tape.wrong(f"transfer {leader} to {unit}: {why}", tape.next - 1)
            done.add(leader)
            camp.at[leader] = camp.at[unit]
            camp.waiting_leaders.discard(leader)
            tape.told("transfer", "std-3.0-2", unit=leader, to=label_of(camp.at[unit]), **{"with": unit})

    def transfer_bar(self, side: str, leader: str, unit: str) -> str:
        camp = self.camp
        if camp.side(leader) != side or unit not in camp.at or not camp.commands(leader, unit):
            return "not of his command"
        if leader not in camp.at:
            return "" if leader in camp.waiting_leaders else "not in play"
        return "" if camp.at[unit] in camp.led_within(leader, 10) else "no way of 10 hexes"

    # --- repair and supply: 20.2, 20.3 -----------------------------------------------------------------------------

    def repair(self) -> None:
        camp, tape = self.camp, self.tape
        for h in sorted(h for h, state in camp.stations.items() if state == 1):
            if camp.men_here(h, "confederate") or camp.in_zone(h, "confederate"):
                continue
            (die,) = tape.roll("repair")
            tape.told("repair", "20.2-1", die=die, at=label_of(h), made=die <= 4)
            if die <= 4:
                camp.stations[h] = 0

    def status(self) -> None:
        camp = self.camp
        fed = camp.fed_counties()
        for side in SIDES:
            well = {u: self.supplied(u, side, fed) for u in camp.own(side)}
            if side == "confederate":
                for h in sorted(camp.depots):
                    there = [u for u in camp.men_here(h, side) if not well[u]]
                    for u in self.feed(camp.men_here(h, side)) if there else ():
                        well[u] = True
            self.flags(side, well)
        if not camp.hungry:
            damaged = [label_of(h) for h, state in sorted(camp.stations.items()) if state == 1]
            found = self.tape.told("all-supplied", "20.3-0").get("damaged", ())
            if sorted(found) != sorted(damaged):
                self.tape.wrong(f"all-supplied: damaged {found}, by the judge {damaged}", self.tape.next - 1)

    def feed(self, there: list[str]) -> list[str]:
        if len(there) <= 2:
            return there
        if self.tape.is_answer("feed"):
            return self.tape.answer("feed", "confederate")
        return sorted(there, key=lambda u: (-self.camp.men[u], u))[:2]

    def supplied(self, unit: str, side: str, fed: set[str]) -> bool:
        county = self.camp.land.county[self.camp.at[unit]]
        if side == "confederate":
            return county in HOME
        return county in fed or (unit in ("fairchild", "harland", "in-3", "ny-6") and unit not in self.camp.acted)

    def flags(self, side: str, well: Mapping[str, bool]) -> None:
        """20.3-c2, 20.3-c3, 20.3-u8 to -u10."""
        camp, tape = self.camp, self.tape
        again = [u for u in well if well[u] and u in camp.hungry]
        newly = [u for u in well if not well[u] and u not in camp.hungry]
        still = [u for u in well if not well[u] and u in camp.hungry]
        camp.hungry -= set(again)
        camp.hungry |= set(newly)
        for kind, units, once_more in (
            ("supplied", again, None),
            ("unsupplied", newly, False),
            ("unsupplied", still, True),
        ):
            if units or (tape.is_told(kind) and tape.facts.get("again") == once_more):
                facts = tape.told(kind, side=side, **({} if once_more is None else {"again": once_more}))
                if sorted(facts.get("units", ())) != sorted(units):
                    tape.wrong(f"{kind}: {facts.get('units')}, by the judge {units}", tape.next - 1)
        while (tape.is_told("loss") or tape.is_told("disorganised")) and still:
            u = tape.facts["unit"]
            if u not in still:
                break
            still.remove(u)
            self.fight.lose(u, 1, "", counted=False)
            if u in camp.men:
                self.fight.loosen(u, "")
        for u in still:
            tape.wrong(f"{u} is out of supply a second time, and lost nothing")

    def effects(self) -> None:
        """20.5-3 to 20.5-7."""
        camp, tape = self.camp, self.tape
        first = [u for u in camp.hungry if u in camp.loose and camp.fatigue.get(u, 0) and camp.men[u] > 1]
        second = [u for u in camp.hungry if u not in camp.loose]
        while tape.is_told("loss") and (u := tape.facts["unit"]) in first:
            first.remove(u)
            self.fight.lose(u, 1, "20.5-3", counted=False)
        while tape.is_told("disorganised") and (u := tape.facts["unit"]) in second:
            second.remove(u)
            self.fight.loosen(u, "20.5-5")
        if first or second:
            tape.wrong(f"supply effects left out {first} {second}")

    # --- attachment: 21.2 ------------------------------------------------------------------------------------------

    def attachment(self, side: str) -> None:
        camp, tape = self.camp, self.tape
        for _, unit, _, into in self.orders(side, "attachment"):
            why = self.merge_bar(side, unit, into)
            if why:
                tape.wrong(f"merge {unit} into {into}: {why}", tape.next - 1)
            total = camp.men[unit] + camp.men[into]
            if camp.men[unit] > camp.men[into]:  # 21.2-3
                (camp.loose.add if unit in camp.loose else camp.loose.discard)(into)
            camp.fatigue[into] = max(camp.fatigue.get(unit, 0), camp.fatigue.get(into, 0))  # 21.2-4
            camp.fear[into] = max(camp.fear.get(unit, 0), camp.fear.get(into, 0))  # R280
            if unit in camp.hungry:
                camp.hungry.add(into)
            camp.men[into] = total
            tape.told("merged", unit=unit, into=into, manpower=total, at=label_of(camp.at[into]))
            self.fight.away(unit)
            self.fight.rehome(side)

    def merge_bar(self, side: str, unit: str, into: str) -> str:
        camp = self.camp
        for u in (unit, into):
            if u not in camp.men or camp.side(u) != side:
                return f"{u} isn't there"
        a, b = camp.units[unit], camp.units[into]
        if camp.at[unit] != camp.at[into] or a["branch"] != b["branch"] or unit == into:
            return "not together, or not of a kind"
        if camp.men[unit] + camp.men[into] > LIMITS[b["branch"], b["size"]]:
            return "too many"
        if unit in camp.substitutes:
            return ""
        if unit in SPECIAL:
            return "" if into in SPECIAL[unit] else "special"
        if unit in ("in-3", "ny-6", "va-2"):
            return "" if b["size"] == "brigade" else "no brigade"  # 21.2-u4, 21.2-c2
        if unit in ("waagner", "purnell", "vt-9", "ny-60"):
            return "" if b["size"] in ("brigade", "division") else "no brigade or division"  # 21.2-u5
        if unit == "evans":
            return "" if b.get("command") == "L" else "not of Longstreet's"  # 21.2-c1
        return "no substitute"

    # --- the action cycle: 4.0, 15.0 -------------------------------------------------------------------------------

    def eligible(self, side: str) -> bool:
        """std-4.0-10."""
        return any(not self.war.unit_bar(u, side) for u in self.camp.own(side))

    def cycle(self) -> None:
        camp, tape = self.camp, self.tape
        alone = camp.turn == 1  # 22.1-sp1
        number = 0
        while True:
            number += 1
            sides = [s for s in SIDES if self.eligible(s) and not (alone and s == "confederate")]
            if not sides:
                tape.told("cycle-ends", "15.0-5")
                return
            if alone:
                if self.choice("union") == "pass":  # std-4.0-12
                    tape.told("cycle-ends", "15.0-4")
                    return
                continue
            winner = self.initiative()
            if winner == "over":
                return
            if self.choice(winner) == "pass" and self.choice(OTHER[winner]) == "pass":
                tape.told("cycle-ends", "15.0-4")  # both passed
                return
            if tape.peek() is None:
                return

    def initiative(self) -> str:
        """Who has the choice, or that the cycle is over: std-4.0-2, 15.0."""
        camp, tape = self.camp, self.tape
        self.skip_to(lambda step: step["kind"] == "roll" and step["label"].startswith("initiative/"))
        if tape.peek() is None:
            return "over"
        (union,), (south,) = tape.roll("initiative"), tape.roll("initiative")
        if camp.turn >= 3 and union == south == 1:
            (die,) = tape.roll("cycle")
            most = 3 if camp.turn >= 12 else 2  # 15.0-1, 15.0-2
            tape.told("cycle-roll", die=die, number=most, ends=die <= most)
            if die <= most:
                tape.told("cycle-ends", "15.0-1" if camp.turn < 12 else "15.0-2")
                return "over"
        winner = "union" if union > south else "confederate"
        tape.told("initiative", "std-4.0-2", side=winner, dice=[union, south])
        return winner

    def choice(self, side: str) -> str:
        """One action of a side, or its pass."""
        tape = self.tape
        while (step := tape.peek()) is not None:
            if step["kind"] == "lapse":
                self.lapse(tape.take(), "action")
            elif step["kind"] == "order" and step["words"] == ["close", "action"]:
                tape.take()
            elif step["kind"] == "order":
                tape.take()
                if step["side"] != side:
                    tape.wrong(f"{step['side']} acted, {side} had the choice", tape.next - 1)
                if step["words"][0] == "pass":
                    tape.told("pass", "std-4.0-4", side=side)
                    return "pass"
                self.war.act(side, step["words"])
                return "act"
            elif tape.is_told("pass"):
                tape.told("pass", "std-4.0-4" if self.eligible(side) else "std-4.0-11", side=side)
                return "pass"
            else:
                tape.wrong(f"unexpected: {named(step)}")
                tape.take()
        return "pass"

    # --- recovery: 8.0 to 10.0, 20.4 ---------------------------------------------------------------------------------

    def recovery(self, side: str) -> None:
        camp, tape = self.camp, self.tape
        for words in self.orders(side, "recovery"):
            if words[0] == "forage":
                for unit in words[1:]:
                    self.forage(side, unit)
                continue
            why = self.work_bar(side, words[0], words[1:])
            if why:
                tape.wrong(f"{' '.join(words)}: {why}", tape.next - 1)
            unit = words[1]
            self.worked.add(unit)
            if words[0] == "entrench":
                camp.works[unit] = camp.works.get(unit, 0) + 1
                tape.told("entrench", "std-9.0-2", unit=unit, stage=camp.works[unit])
            else:
                self.bridge(side, unit, hex_of(words[2]))

    def bridge(self, side: str, unit: str, h: Hex) -> None:
        """std-10.0-2."""
        camp, tape = self.camp, self.tape
        (die,) = tape.roll("bridge")
        made = die <= {"union": 4, "confederate": 3}[side]
        tape.told("bridge", unit=unit, die=die, made=made)
        if made and die <= {"union": 4, "confederate": 3}[side]:
            camp.bridges[frozenset((camp.at[unit], h))] = side

    def work_bar(self, side: str, word: str, rest: Sequence[str]) -> str:
        """std-9.0-1, std-9.0-3, std-10.0-1, std-10.0-3, 20.4-1 to -3."""
        camp, unit = self.camp, rest[0]
        if unit not in camp.men or camp.side(unit) != side:
            return "not there"
        if camp.fatigue.get(unit, 0) > 2 or unit in self.worked:
            return "fatigue, or it has worked"
        if word == "forage":
            return "" if unit in camp.hungry and unit not in self.foraged else "in supply, or it has foraged"
        if not camp.foot(unit) or camp.fear.get(unit) or camp.held(unit) or unit in self.foraged:
            return "who can't work"
        if camp.turn == 1 and side == "confederate":
            return "22.1-sp1"
        if word == "entrench":
            return "" if camp.works.get(unit, 0) < 4 else "complete"
        h = hex_of(rest[1])
        side_of_hex = frozenset((camp.at[unit], h))
        kind, name = camp.land.water.get(side_of_hex, ("", ""))
        if kind == "major_river" and not self.may_bridge_major(side, name):
            return "major river"
        if not kind or camp.crossed(side, camp.at[unit], h) != "no" or camp.rain:
            return "no river to bridge, or rain"
        return "enemy" if camp.men_here(h, OTHER[side]) or camp.in_zone(h, OTHER[side]) else ""

    def may_bridge_major(self, side: str, name: str) -> bool:
        """19.0-6 to 19.0-12."""
        camp = self.camp
        stands = any(camp.land.water[bridge][0] == "major_river" for bridge in camp.bridges)
        return side == "union" and name == "Rappahannock" and not stands and camp.turn > camp.pontoon_gone

    def forage(self, side: str, unit: str) -> None:
        camp, tape = self.camp, self.tape
        why = self.work_bar(side, "forage", [unit])
        if why:
            tape.wrong(f"forage {unit}: {why}", tape.next - 1)
        (die,) = tape.roll("forage")
        county = camp.land.county[camp.at[unit]]
        number = FORAGE[county][side == "union"]
        level, add = camp.fatigue.get(unit, 0), 0
        if self.options.get("forage-dispersal") == "yes" and camp.foot(unit):
            add = sum(
                camp.foot(u) and camp.side(u) == side and apart(camp.at[u], camp.at[unit]) <= 1 for u in self.foraged
            )  # fmt: skip
        made = die + level + add <= number
        facts = {"unit": unit, "county": county, "die": die, "fatigue": level, "add": add, "number": number}
        tape.told("forage", "20.4-6", **facts, made=made)
        self.foraged.append(unit)
        if made:
            camp.hungry.discard(unit)

    def rest(self) -> None:
        """Step 3: std-8.0-2 to -4, 20.5-2."""
        camp, tape = self.camp, self.tape
        calm = {u for u in camp.fear if camp.fear[u] and camp.fatigue.get(u, 0) <= 2}
        while tape.is_told("steadied") and (u := tape.facts["unit"]) in calm:
            calm.remove(u)
            camp.fear[u] -= 1
            tape.told("steadied", "std-8.0-4", unit=u, level=camp.fear[u])
        if calm:
            tape.wrong(f"{calm} should be steadied")
        for before in (1, 2, 3, 4):
            units = [u for u in camp.fatigue if camp.fatigue[u] == before and u in camp.men]
            after = max(0, before - 2)
            if units:
                facts = tape.told("rested", "std-8.0-2", before=before, after=after)
                if set(facts.get("units", ())) != set(units):
                    tape.wrong(f"rested {facts.get('units')}, by the judge {units}", tape.next - 1)
        for u in list(camp.fatigue):
            camp.fatigue[u] = max(0, camp.fatigue[u] - 2)
        fit = {u for u in camp.loose if not camp.fatigue.get(u) and u not in camp.hungry}
        camp.loose -= fit
        if fit:
            facts = tape.told("organised", "std-8.0-3")
            if set(facts.get("units", ())) != fit:
                tape.wrong(f"organised {facts.get('units')}, by the judge {fit}", tape.next - 1)

    # --- victory: 22.1-vp0 to -vp11, 22.1-vic, 22.2-vic --------------------------------------------------------------

    def points(self) -> int:
        camp = self.camp
        total = 15 if camp.panic else 0  # 22.1-vp1
        wrecks = {label_of(h) for h, state in camp.stations.items() if state == 2}
        total += (0, 15, 20, 22, 25)[len(wrecks & {"N4422", "N4721", "N5220", "N5620"})]  # 22.1-vp2
        total += (0, 10, 12, 14, 16)[len(wrecks & {"S2414", "S3307", "S4101", "S3703"})]  # 22.1-vp4
        held = {label_of(h) for h in camp.control}
        total += 12 * ("N5715" in held) + 8 * ("N5017" in held)  # 22.1-vp3, 22.1-vp5
        total += 3 * len(held - {"N5715", "N5017"})  # 22.1-vp7
        total += 6 * (camp.all_depots - len(camp.depots))  # 22.1-vp6
        for u in camp.own("confederate"):
            if camp.foot(u) and camp.units[u]["size"] == "division" and not self.shut_in(camp.at[u]):
                county = camp.land.county[camp.at[u]]
                total += {"Fairfax": 2, "Prince William": 2, "Loudoun": 1, "Clarke": 1, "Frederick": 1}.get(county, 0)
        return total + camp.lost["union"] - camp.lost["confederate"]  # 22.1-vp11

    def shut_in(self, h: Hex) -> bool:
        """22.1-vp10, R289."""
        camp = self.camp
        return all(
            n in camp.land.ground
            and (any(map(camp.foot, camp.men_here(n, "union"))) or any(map(camp.foot, camp.zone_by("union", n))))
            for n in around(h)
        )

    def end(self) -> None:
        points = self.points()
        bands = (80, 60, 40, 19, -1) if self.scenario["turns"] == 8 else (92, 70, 47, 24, 2)
        names = [f"Confederate {x}" for x in ("decisive", "substantial", "marginal")]
        names += [f"Union {x}" for x in ("marginal", "substantial", "decisive")]
        level = next((n for n, least in zip(names, bands, strict=False) if points >= least), names[-1])
        winner = "confederate" if level.startswith("C") else "union"
        self.skip_to(lambda step: step.get("what") == "end")
        self.tape.told("end", points=points, level=f"{level} victory", winner=winner)
        if self.tape.peek() is not None:
            self.tape.wrong("something behind the end")
