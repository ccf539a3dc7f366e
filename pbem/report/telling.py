"""A report's steps in words: names of units, places and ways, and the sentences of a system's events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, TypeAlias

from pbem import language
from pbem.errors import Storage
from pbem.language import ENGLISH, clauses, listed, say
from pbem.language.lines import closed_up
from pbem.maps.tabletop import coordinates, table_of
from pbem.report.layout import Json, bare, capital, clean, count, environment, template
from pbem.words import the, turn_word

__all__ = ["DirectionOf", "Names", "Teller", "called_by_name", "describe"]

DirectionOf: TypeAlias = Callable[[str, str], str]


GOING = frozenset({"move", "march"})
"""Orders by which a unit goes somewhere."""


NO_PHASE = frozenset({"turn", "set-up"})
"""Last words of the titles of phases that have names of their own."""

NAMED = 6
"""So many are named for whom dice of a kind fall; of more only how many."""


TURNS = 3
"""A way that turns so often is told by its length and end."""


class Names:
    """What a report calls units, places, sides and ways; an id stands behind a unit's name at its first mention."""

    def __init__(self, situation: Json, direction: DirectionOf | None = None) -> None:
        self.titles = {side["id"]: str(side["title"]) for side in situation["sides"]}
        self.unit_side = {unit["id"]: unit["side"] for unit in situation["units"]}
        self.formation = {unit["id"]: unit["formation"] for unit in situation["units"]}
        self._unit_names = {unit["id"]: unit["name"] for unit in situation["units"]}
        named = Counter((unit["name"], unit["side"]) for unit in situation["units"])
        self._shared = {name for name, many in Counter(name for name, _ in named).items() if many > 1}
        self._twins = {name for (name, _), many in named.items() if many > 1}
        self.called = called_by_name(situation["units"])
        """Units that aren't called by their ids alone where there is little room -> their names."""
        self._whose = _whose(self.titles)
        self.closing: str = situation["closing"]
        """The order that closes what is asked."""
        self.stands = {unit["id"]: unit["at"] for unit in situation["units"]}
        """Unit -> the place where it is; None off the map."""
        self._arrivals: dict[str, list[str]] = {}
        """What orders call units that come in together -> these."""
        for unit in situation["units"]:
            if "arrival" in unit:
                self._arrivals.setdefault(unit["arrival"], []).append(unit["id"])
        self.led = {force["id"]: force["units"] for force in situation.get("forces", ())}
        """Who leads others -> all whom he leads, himself first."""
        self._ground: str = situation["ground"]
        self._phases = {phase["id"]: phase for phase in situation["phases"]}
        self.now: str = (situation["phase"] or {}).get("title", "")
        """The title of the phase."""
        self._places = {place["at"]: place["name"] for place in situation["places"] if place["name"]}
        self._strongholds = {place["id"]: place["at"] for place in situation["places"] if "id" in place}
        self._direction = direction
        self._table = table_of(situation)
        self.on_table = self._table is not None
        """Whether units stand on a table without hexes."""
        called = (*situation["units"], *situation["sides"])
        self._several = {each["id"] for each in called if each.get("several")}
        self._mentioned: set[str] = set()
        self.ahead = False
        """Whether what is told has not happened, but may."""
        self.turn = language.shown(turn_word(situation))
        """What a turn is called."""

    def mentioned(self) -> frozenset[str]:
        """The units mentioned so far."""
        return frozenset(self._mentioned)

    def forget(self, but: Iterable[str] = ()) -> None:
        """Begin a new passage: the next mention of each unit, `but` of these, counts as its first."""
        self._mentioned = set(but)

    def unit(self, unit: str) -> str:
        """`Denshutai 1st Battalion (sg-02)`, then without the id; `Red's Ronin (ro-1)` if an enemy has that name."""
        name = self._unit_names.get(unit, unit)
        shared = name in self._shared
        told = say("%(whose)s %(unit)s", whose=self._whose[self.unit_side[unit]], unit=name) if shared else str(name)
        if name == unit or (unit in self._mentioned and not (shared and name in self._twins)):
            return told
        self._mentioned.add(unit)
        return f"{told} ({unit})"

    def state(self, word: str) -> str:
        """What a unit or place is, by its word in tests."""
        return language.shown(word.replace("-", " "))

    def units(self, units: Iterable[str]) -> str:
        """Several units, or whatever else has an id, in words."""
        return listed([self.unit(unit) for unit in units])

    def arriving(self, arrival: str) -> list[str]:
        """Those who come in together, by what orders call them."""
        return self._arrivals.get(arrival, [arrival])

    def both(self, units: Iterable[str]) -> list[Json]:
        """Ids with their names, as data."""
        return [{"id": unit, "name": self._unit_names.get(unit, unit)} for unit in units]

    def many(self, units: str | Sequence[str], one: str, many: str) -> str:
        """What is said of one, or of several and of who has the name of several: `Gunners fire`."""
        named = [units] if isinstance(units, str) else units
        return many if len(named) > 1 or not self._several.isdisjoint(named) else one

    def known(self, word: str) -> str:
        """A unit, side or place by its id or label; of anything else, as an army, its id as a name."""
        if word in self._unit_names:
            return self.unit(word)
        if word in self.titles:
            return self.the(word)
        if word in self._strongholds and language.language() != ENGLISH:
            return self.place(word)
        spelled = word.replace("-", " ")
        return language.shown(spelled.title()) if spelled.replace(" ", "").isalpha() else self.place(word)

    def side(self, side: str | None) -> str:
        """A side's title; `nobody` for None."""
        return self.titles.get(side, side) if side is not None else say("nobody")

    def the(self, side: str) -> str:
        """A side's title within a sentence: `the Hashiba side`."""
        return the(self.side(side))

    def place(self, label: str) -> str:
        """`Akaike (1810)`, or `hex 1812` for a place without a name; a label that speaks for itself stays alone.

        A stronghold may be named by its id. On a table it is `the left third, 14 inches from the Black edge (31.5 12)`.
        """
        if words := self._on_table(label):
            return words
        label = self._strongholds.get(label, label)
        if label in self._places:
            return f"{self._places[label]} ({label})"
        return say("%(hex)s %(number)s", hex=self._ground, number=label).lstrip()

    def at(self, label: str) -> str:
        """`at Akaike (1810)`, `in hex 1812`, `in the left third, ...`."""
        inside = self._on_table(label) or (self._ground and label not in self._places)
        return say("in %(place)s", place=self.place(label)) if inside else say("at %(place)s", place=self.place(label))

    def spot(self, label: str) -> tuple[str, str] | None:
        """`in the left third, 14 inches from the Black edge` and `31.5 12`, of a place on a table; None elsewhere."""
        at = self._table.find(label) if self._table else None
        if self._table is None or at is None:
            return None
        return say("in the %(place)s", place=language.shown(self._table.place(at))), coordinates(label)

    def _on_table(self, label: str) -> str:
        return language.shown(self._table.told(label)) if self._table else ""

    def where(self, unit: str) -> str:
        """Where a unit is now, ` at Akaike (1810)`, behind its name; "" off the map."""
        at = self.stands.get(unit)
        return say(" %(at)s", at=self.at(at)) if at else ""

    def beside(self, units: Sequence[str]) -> bool:
        """Whether others of their side are where these units are."""
        at, side = self.stands.get(units[0]), self.unit_side.get(units[0])
        return any(self.stands[one] == at and self.unit_side[one] == side for one in self.stands if one not in units)

    def goes(self, unit: str, words: Sequence[str], *, sure: bool) -> None:
        """Take down where a unit will be behind an order to go, whose words begin with its way; nowhere if not sure."""
        path = [*takewhile(lambda word: not word.isalpha() and word not in self.stands, words)]
        if path:
            self.stands[unit] = path[-1] if sure and self._table is None else None

    def places(self, labels: Iterable[str]) -> str:
        """Several places in words; hexes without a name as `hexes 1812 and 1813`."""
        found = [*labels]
        if len(found) > 1 and self._ground and not any(label in self._places for label in found):
            return say("%(hex)ses %(numbers)s", hex=self._ground, numbers=listed(found))
        return listed([self.place(label) for label in found])

    def named(self, path: Iterable[str]) -> list[str]:
        """Those of the places of a way that have a name, each once."""
        return [self.place(label) for label in dict.fromkeys(path) if label in self._places]

    def way(self, start: str | None, path: Sequence[str]) -> str:
        """`two hexes north-east, then one hex east, to Akaike, 1810`; without directions `by 1709 to Akaike, 1810`.

        On a table it is `6.5 inches north-east to the left third, ...`. Of a way that ends where it begins it is where
        it turns: `two hexes north-east to Akaike, 1810, and back`.
        """
        if (out := self._out(start, path)) is not None:
            return f"{self.way(start, out)}{self._back(start, path, out)}"
        end = path[-1] if path else str(start)
        if self._table and (goal := self._on_table(end)):
            first, last = self._table.find(start or path[0]), self._table.find(end)
            far, _, towards = (self._table.way(first, last) if first and last else "").rpartition(" ")
            if not far:
                return say("to %(place)s", place=goal)
            return say(
                "%(far)s %(towards)s to %(place)s", far=language.shown(far), towards=language.shown(towards), place=goal
            )
        goal = (
            say("to %(place)s, %(number)s", place=self._places[end], number=end)
            if end in self._places
            else say("to %(number)s", number=end)
        )
        hexes = [*([start] if start and path[:1] != [start] else []), *path]
        runs: list[tuple[str, int]] = []
        for a, b in pairwise(hexes):
            towards = self._direction(a, b) if self._direction else ""
            if not towards:
                via = path[:-1]
                return say("by %(places)s %(goal)s", places=listed(via), goal=goal) if via else goal
            length = runs.pop()[1] if runs and runs[-1][0] == towards else 0
            runs.append((towards, length + 1))
        legs = [
            say("%(hexes)s %(towards)s", hexes=count(length, "hex", "hexes"), towards=language.shown(towards))
            for towards, length in runs
        ]
        turns = say(", then ").join(legs)
        if len(runs) > 1:
            return say("%(turns)s, %(goal)s", turns=turns, goal=goal)
        return say("%(turns)s %(goal)s", turns=turns, goal=goal) if turns else goal

    def far(self, start: str | None, path: Sequence[str]) -> str:
        """The same of a way with many turns by how many hexes it has: `ten hexes to Akaike, 1810`."""
        if (out := self._out(start, path)) is not None:
            return f"{self.far(start, out)}{self._back(start, path, out)}"
        told = self.way(start, path)
        if told.count(say(", then ")) < TURNS:
            return told
        return say("%(hexes)s %(goal)s", hexes=count(len(path), "hex", "hexes"), goal=self.way(None, path[-1:]))

    def turning(self, start: str | None, path: Sequence[str]) -> str | None:
        """Where a way turns that ends where it begins, by its hexes in the middle; None for any other."""
        out = self._out(start, path)
        return None if out is None else out[-1]

    def _out(self, start: str | None, path: Sequence[str]) -> Sequence[str] | None:
        """The way out of one that ends where it begins."""
        ends = (
            start is not None and len(path) > 1 and path[-1] == start and not (self._table and self._table.told(start))
        )
        return path[: len(path) // 2] if ends else None

    def _back(self, start: str | None, path: Sequence[str], out: Sequence[str]) -> str:
        """That a way leads back, and if it is another way than that out."""
        same = [*path[len(out) :]] == [*reversed([start, *out[:-1]])]
        if out[-1] in self._places:
            return say(", and back") if same else say(", and back by another way")
        return say(" and back") if same else say(" and back by another way")

    def did(self, past: str, present: str) -> str:
        """The verb for what has happened, or for what may."""
        return present if self.ahead else past

    def signed(self, value: float) -> str:
        """`plus 2`, `minus 2`, `0`."""
        if not value:
            return "0"
        number = f"{abs(value):g}"
        return say("plus %(number)s", number=number) if value > 0 else say("minus %(number)s", number=number)

    def phase(self, phase: str) -> str:
        """A phase's title; one that the sequence of play doesn't have is called by its id."""
        return str(self._phases[phase]["title"]) if phase in self._phases else capital(phase.replace("-", " "))

    def ended(self, phase: str) -> str:
        """What is over when a phase ends: `phase`, or what it is called as `turn`."""
        last = self.phase(phase).rpartition(" ")[2].lower()
        return language.said(last if last in NO_PHASE else "phase")

    def phase_side(self, phase: str) -> str | None:
        """The side whose phase it is; None for nobody's."""
        found: str | None = self._phases.get(phase, {}).get("side")
        return found

    def value(self, value: Any) -> str:
        """Any fact in words."""
        if isinstance(value, list):
            return listed([self.value(item) for item in value]) or say("none")
        if isinstance(value, dict):
            return " ".join(f"{key} {self.value(item)}" for key, item in value.items())
        if value is None or isinstance(value, bool):
            return {None: say("none"), True: say("yes"), False: say("no")}[value]
        return self.unit(value) if value in self._unit_names else self.titles.get(value, str(value))


class Teller:
    """Puts steps into sentences with the macros of templates/SYSTEM/events.j2 and templates/events.j2."""

    def __init__(self, situation: Json, direction: DirectionOf | None = None, compiled: Path | None = None) -> None:
        env = environment(compiled)
        self.system: str = situation["system"]
        self.names = Names(situation, direction)
        self._neutral = template(env, "", "events.j2").module
        self._own = template(env, self.system, "events.j2").module
        self._heads = template(env, self.system, "headlines.j2").module

    def macro(self, name: str) -> Callable[..., str] | None:
        """The system's own macro, else the one for all systems."""
        name = name.replace("-", "_")
        found: Callable[..., str] | None = getattr(self._own, name, None) or getattr(self._neutral, name, None)
        return found

    def tells_answer(self, event: Json, answer: Json) -> bool:
        """Whether an event tells what was answered just before it, as who loses steps."""
        found: Mapping[str, list[str]] = getattr(self._own, "told_by_events", {})
        return event["kind"] == "tell" and event["what"] in found.get(answer["words"][0], ())

    def tells_besides(self, order: Json) -> bool:
        """Whether an order is told though events follow, as these don't tell who was ordered to do what."""
        return order["words"][0] in getattr(self._own, "told_besides", ())

    def tell(self, step: Json, *, goes_on: bool = False) -> tuple[str, bool]:
        """A step's sentence, and whether it is its own: an event that no macro knows has a neutral one.

        An answer that `goes_on` ends with a colon, for what follows tells it.
        """
        from jinja2 import UndefinedError

        kind = step["kind"]
        facts = step.get("facts", {}) if kind == "tell" else step
        macro = self.macro(f"tell_{step['what']}" if kind == "tell" else kind) if kind in _KINDS else None
        if macro is not None:
            mentioned = self.names.mentioned()
            with_chances = {**facts, "chances": step["chances"]} if "chances" in step else facts
            with_chances = {"clause": step.get("clause"), **with_chances} if kind == "tell" else with_chances
            if kind == "answer":
                with_chances = {**facts, "said": "" if goes_on else self._said(step)}
            try:
                if kind == "stop" and "tests" in step:
                    because = [self.condition(test["words"], test["expected"]) for test in step["tests"]]
                    with_chances = {**facts, "because": say(" and ").join(because)}
                return _squeeze(macro(with_chances, self.names)), True
            except (UndefinedError, TypeError, ValueError):
                self.names.forget(but=mentioned)
        rest = facts if kind == "tell" else {key: step[key] for key in step if key not in ("kind", "seq")}
        return _squeeze(self._say("unknown", step.get("what", kind), rest, self.names)), False

    def lapses(self, steps: Sequence[Json], *, whole: bool = True) -> str:
        """The sentence of several orders of a side that lapsed for one reason, each by its first words if these do.

        Where these don't tell them apart they are told `whole`, or by these with how many there are.
        """
        several = Counter(tuple(step["words"][:2]) for step in steps)
        orders = [words if several[tuple(words[:2])] > 1 else words[:2] for words in (step["words"] for step in steps)]
        told = [(words, 1) for words in orders] if whole else several.items()
        facts = {**steps[0], "number": len(steps), "orders": [(" ".join(words), times) for words, times in told]}
        return _squeeze(self._say("lapses", facts, self.names))

    def _said(self, answer: Json) -> str:
        """An answer, in words where the system has them for its answers; with why, if it has a macro `why_KEYWORD`."""
        words = answer["words"]
        if not getattr(self._own, "answers", False):
            return " ".join(words)
        because = self.macro(f"why_{words[0]}")
        why = _squeeze(because(answer, self.names)) if because else ""
        return say(", ").join(filter(None, [self.order(words), why]))

    def head(self, item: Json) -> str | None:
        """The phrase for an event in a headline, "" where it needs none; None where it has none of its own."""
        from jinja2 import UndefinedError

        macro: Callable[..., str] | None = getattr(self._heads, f"head_{item['what']}".replace("-", "_"), None)
        if macro is None or not item["known"]:
            return None
        mentioned = self.names.mentioned()
        try:
            return _squeeze(macro({**item["facts"], "clause": item.get("clause")}, self.names))
        except (UndefinedError, TypeError, ValueError):
            self.names.forget(but=mentioned)
            return None

    def together(self, item: Json) -> str:
        """What is said of an event that several units may have alike, `moved 4 inches, facing north`; "" for none."""
        macro: Callable[..., str] | None = getattr(self._heads, f"together_{item['what']}".replace("-", "_"), None)
        return _squeeze(macro(item["facts"], self.names)) if macro is not None and item["known"] else ""

    def of_turn(self, what: str) -> bool:
        """Whether an event is among the few by which a turn is remembered, as the system's headlines say."""
        return what in getattr(self._heads, "of_turn", ())

    def sign_of_turn(self, step: Json) -> tuple[str, str] | None:
        """The sign that an event leaves on the map of the whole game, and what it means; None for one without."""
        found: Mapping[str, tuple[str, str, str]] = getattr(self._heads, "signs_of_turn", {})
        sign, means, fact = found.get(step["what"], ("", "", ""))
        return (sign, means) if sign and step["facts"].get(fact) else None

    def last_of_turn(self, what: str) -> bool:
        """Whether of such events at one place the last alone is told of a turn."""
        return what in getattr(self._heads, "last_of_turn", ())

    def in_turn(self, step: Json) -> str:
        """What is said of an event by which a turn is remembered: by its macro `turn_WHAT`, else as in a headline."""
        told, known = self.tell(step)
        macro: Callable[..., str] | None = getattr(self._heads, f"turn_{step['what']}".replace("-", "_"), None)
        head = self.head({**step, "known": known}) if macro is None else _squeeze(macro(step["facts"], self.names))
        return bare(told if head is None else head)

    def behind_way(self, item: Json) -> bool:
        """Whether an event comes of a march before that is told, and is told behind it in a headline."""
        by: Sequence[str] = getattr(self._heads, "behind_way_by", ())
        return (item["what"] or "") in getattr(self._heads, "behind_way", ()) or item.get("clause") in by

    def summed(self, item: Json) -> str:
        """The fact that is summed up where such events of a unit follow one another; "" for none."""
        found: Mapping[str, str] = getattr(self._heads, "summed", {})
        by_itself = item.get("clause") in getattr(self._heads, "by_itself", ())
        return "" if by_itself else found.get(item["what"] or "", "")

    def order(self, words: Sequence[str]) -> str:
        """An order that waits, as an order: `Denshutai (sg-02) in hex 0512 fires at ...`, without a full stop."""
        groups: dict[str, list[str]] = {}
        last = groups.setdefault(words[0], [])
        for word in words[1:]:
            if word in self.names.stands or not word.isalpha():
                last.append(word)
            else:
                last = groups.setdefault(word, [])
        own = f"do_{words[0]}"
        return _squeeze(self._say(own if self.macro(own) else "do", groups, self.names, words))

    def dice(self, labels: Iterable[str]) -> str:
        """What dice are for, by the labels of their rolls: `incident of Kanbe (4923) and Sone (5012)`.

        A system may tell those of a stem by a macro `dice_STEM(whose, names)`.
        """
        found: dict[str, list[str]] = {}
        for label in labels:
            what, _, whose = label.partition("/")
            found.setdefault(what, []).extend([whose] if whose else [])
        return clauses(self._dice(what, whose) for what, whose in found.items())

    def _dice(self, what: str, whose: Sequence[str]) -> str:
        """What dice of one stem are for."""
        if macro := self.macro(f"dice_{what}"):
            return _squeeze(macro(whose, self.names))
        many = listed(map(self.names.known, whose)) if len(whose) <= NAMED else f"{len(whose)}"
        kind = language.shown(what.replace("-", " "))
        return say("%(kind)s of %(units)s", kind=kind, units=many) if whose else kind

    def condition(self, words: Sequence[str], expected: bool) -> str:
        """A test of the order language: `the Denshutai (sg-02) is not gone`."""
        return _squeeze(self._say("condition", words, expected, self.names))

    def part(self, part: Json, phase: str = "") -> str:
        """What waits of an entry, {does, words, tests}: `If Denshutai (sg-02) is gone: the rest is dropped.`

        It waits for the phase of that title, the present one where none is given.
        """
        told = [self.condition(test["words"], test["expected"]) for test in part["tests"]]
        what = self.order(part["words"]) if part["does"] == "order" else _does(part["does"])
        last = (phase or self.names.now).rpartition(" ")[2].lower()
        own = self.macro(f"do_{self.names.closing}")
        if part["does"] == "close" and own is not None:
            what = say("then %(what)s.", what=_squeeze(own({}, self.names, part["words"])))
        elif part["does"] == "close" and last in NO_PHASE:
            what = say("then the %(phase)s ends.", phase=language.said(last))
        what = what.removeprefix(say("then ")) if told else what
        short = getattr(self._own, "ends_short", False)
        if part["words"][:1] and part["words"][0] in GOING and not short:
            self.names.goes(part["words"][1], part["words"][2:], sure=not told)
        if not told:
            return what
        if part["does"] == "watch":
            return say("As soon as %(tests)s: %(what)s", tests=listed(told), what=what)
        return say("If %(tests)s: %(what)s", tests=listed(told), what=what)

    def plan(self, plan: Json) -> str:
        """What is planned for another phase of the turn, {phase, comes, part, times}, in a sentence."""
        told = bare(self.part(plan["part"], plan["phase"])) if plan["part"] is not None else ""
        told = told.removeprefix(say("then "))
        return say(": ").join(filter(None, [self.plan_for(plan), told]))

    def plan_for(self, plan: Json) -> str:
        """For which phase something is planned, how often, and whether that comes.

        Without a part it is so many plans for phases that come no more.
        """
        turn, phase, number = self.names.turn, language.shown(plan["phase"]), f"{plan['times']:,}"
        if plan["part"] is None:
            return say(
                "%(number)s plans for phases that come no more in this %(turn)s, so never carried out",
                number=number,
                turn=turn,
            )
        times = say(", %(number)s times", number=number) if plan["times"] > 1 else ""
        if plan["comes"]:
            return say("planned for later in this %(turn)s (%(phase)s)%(times)s", turn=turn, phase=phase, times=times)
        return say(
            "planned for a phase that comes no more in this %(turn)s (%(phase)s)%(times)s, so never carried out",
            turn=turn,
            phase=phase,
            times=times,
        )

    def title(self, turn: int | None, phase: str | None, turns: int | None = None) -> str:
        """The heading of a phase: `Turn 2 of 8, Satsuma-Choshu Fire Phase`."""
        if phase is None:
            return say("Before that")
        name, word = self.names.phase(phase), capital(self.names.turn)
        if turn and turns:
            told = say("%(turn)s %(number)s of %(last)s, %(phase)s", turn=word, number=turn, last=turns, phase=name)
            return _squeeze(told)
        return _squeeze(say("%(turn)s %(number)s, %(phase)s", turn=word, number=turn, phase=name) if turn else name)

    def due(self, due: Json, reader: Json | None, outcome: Json | None) -> str:
        """What is asked, and of whom."""
        return _squeeze(self._say("due", due, self.names, reader, outcome))

    def _say(self, name: str, *arguments: Any) -> str:
        macro = self.macro(name)
        if macro is None:
            raise Storage(f"the macro {name} is missing", where="events.j2", hint="install pbem again")
        return macro(*arguments)


def called_by_name(units: Sequence[Json]) -> dict[str, str]:
    """The names of units, but for those that several have; none in English, in which ids are words, too."""
    many = Counter(unit["name"] for unit in units)
    return {unit["id"]: unit["name"] for unit in units if many[unit["name"]] == 1 and language.language() != ENGLISH}


def _whose(titles: Mapping[str, str]) -> dict[str, str]:
    """Side -> `Red's`, of what is its: its title without the last words that all sides have, as `Red Army`."""
    words = {side: title.split() for side, title in titles.items()}
    while len({title[-1:][0] for title in words.values()}) == 1 and all(len(title) > 1 for title in words.values()):
        words = {side: title[:-1] for side, title in words.items()}
    return {side: say("%(side)s's", side=" ".join(title)) for side, title in words.items()}


def _does(what: str) -> str:
    """What a part of an entry does that is no order, in words."""
    return {
        "close": say("then the phase ends."),
        "stop": say("the rest is dropped."),
        "watch": say("what is left by then is dropped."),
        "strict": say("from here on the first order that lapses drops the rest."),
    }[what]


_KINDS = frozenset(("order", "lapse", "roll", "draw", "answer", "stop", "say", "tell"))


def _squeeze(words: str) -> str:
    return closed_up(" ".join(words.split()))


def describe(step: Json, situation: Json, direction: DirectionOf | None = None, compiled: Path | None = None) -> str:
    """One step of the log in a sentence; strings from outside are cleaned, not reduced to ASCII."""
    return Teller(clean(situation), direction, compiled).tell(clean(step))[0]
