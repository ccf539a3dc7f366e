"""What the orders of an entry come to in the futures played out: how often each is carried out, and to what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, takewhile, zip_longest
from typing import Any

from pbem.match.course import Step
from pbem.match.near import OPEN, Near
from pbem.match.table import Table
from pbem.records import NamedTuple
from pbem.rules import State
from pbem.rules.fates import BATTLES, DISORDERED, HARMLESS, LOST, OF_PLACES, PARTED, fate, goal, resisted, together
from pbem.rules.requests import Choose, Order, Roll, Words
from pbem.words import listed

__all__ = ["Came", "Comes", "sure_words"]

WAYS = 100
"""For so many different courses of what comes near an order before it, one in each future that `check` and mails play
out, its odds are looked at; of more none are told."""

FEW = 10
"""Behind so many courses no others are looked at where the odds differ already: what it came to is counted then."""

DISORDER, ADVANCE, RETREAT, GONE, LIFTED = "disorder", "advance", "retreat", "remove", "lifted"
REFUGE = "refuge"
DROP = "drop"
MOVE = "move"
EVADE = "evade"
"""Events of the systems."""

NUMBER = re.compile(r"[+-]?\d+")
"""A number in odds, with its sign."""

LEADS_ON = frozenset({"tell", "roll", "draw", "answer"})
"""Steps behind which what an order leads to goes on."""

Key = tuple[str, int]


class Came(NamedTuple):
    """What an order came to: how often it was carried out, in how many futures, and what of it.

    odds    its odds, the same in all futures in which it was carried out; "" where what came before changed them
    often   its odds, each with the number of futures in which it had them; "" behind too many courses to look at
    dice    what its odds begin with, before their shares, where that is the same; "" where it isn't, or has no shares
    rolled  whether it has dice
    counted whether its fights cost a number of losses, of which fates don't tell
    fates   what how often was the fate of the unit that it is about, in the words of `rules.fates`
    own     the same of units that were ordered, but for disorder and those to whom nothing happened
    went    how often the unit that it is about retreated where, and who of those ordered advanced, in words
    ends    how often its own unit ended its move where on a table, facing where, touching whom, in words; on a map
            where a march ended of which no odds are told and that may come short
    on      how often it fell on which side of the unit that it is about, where units have several
    sure    of an order without dice: the events that disorder its unit, remove one or end a siege, and come whenever
            it is carried out
    declared its odds behind what was declared before it, as it was begun in all futures; "" of other orders
    spot    where on a table its own unit ended its move in all futures, touching nobody, and facing where; else None
    """

    carried: int
    played: int
    odds: str
    often: Counter[str]
    dice: str
    rolled: bool
    counted: bool
    fates: Counter[str]
    own: dict[str, Counter[str]]
    went: Counter[str]
    ends: Counter[str]
    on: Counter[str]
    sure: tuple[Step, ...]
    declared: str = ""
    spot: tuple[str, str] | None = None

    @property
    def sampled(self) -> bool:
        """Whether what is told of it is a count of futures that could have come out otherwise."""
        if self.declared:
            return False
        differs = bool(self.went) or len(self.ends) > 1 or len(self.on) > 1
        return self.carried < self.played or differs or len(self.often) > 1 or not (self.odds or self.harmless)

    @property
    def harmless(self) -> bool:
        """Whether nothing ever happened to the unit that it is about."""
        return self.fates.keys() <= {*HARMLESS}


class Comes:
    """Counts what orders come to, by side and number in the entry; what is left of earlier entries has the number 0."""

    def __init__(self, table: Table) -> None:
        """`table` is where the futures begin."""
        self.played = 0
        self.odds: dict[Key, dict[frozenset[str], str]] = {}
        """Order with dice -> what came near it before -> its odds then."""
        self.often: dict[Key, Counter[str]] = {}
        """Order with dice -> its odds -> in how many futures it had them."""
        self.declared: dict[Key, dict[frozenset[str], str]] = {}
        """Order whose dice fall behind those of others declared before -> what came before these -> its odds then."""
        self.begun: Counter[Key] = Counter()
        """How often the dice of those before it were begun."""
        self._noted: set[Key] = set()
        self.found: dict[Key, list[tuple[Words, list[Step]]]] = {}
        self.answers: dict[tuple[str, Words], dict[frozenset[str], str]] = {}
        """Side and answer with dice -> what came near it before -> its odds then."""
        self.times: Counter[tuple[str, Words]] = Counter()
        """How often each such answer was given."""
        self._near = Near(table)

    def look(self, table: Table, before: Sequence[Step] = ()) -> None:
        """Take down the order or answer whose first dice are asked for, and its odds behind what came near it before.

        `before` is what happened in all futures before the table was forked.
        """
        request = table.game.request
        declared = request.of if isinstance(request, Roll) else None
        order = table.game.just_given if declared is None else declared
        if order is None:
            return
        words = table.rules.order_words(table.board, order)
        given = [step for step in (*before, *table.steps) if step["kind"] == "order"]
        same = [step for step in (given[-1:] if declared is None else given) if tuple(step["words"]) == words]
        if not same and declared is None:
            self._answer(table, words)
        elif same and same[-1]["number"]:
            now = declared is not None or table.game.answered  # who was asked has answered: by default, or otherwise
            state = table.game.state if now else table.game.before().state
            key = (same[-1]["side"], same[-1]["number"])
            odds = self._note(self.odds.setdefault(key, {}), table, state, same[-1]["side"], order)
            self.often.setdefault(key, Counter())[odds] += 1
            for later in request.behind if isinstance(request, Roll) else ():
                self._declare(table, given, later)

    def _declare(self, table: Table, given: Sequence[Step], order: Order) -> None:
        """Take down the odds of an order that was declared behind the first one, as all of them are begun."""
        words = table.rules.order_words(table.board, order)
        step = next((step for step in reversed(given) if tuple(step["words"]) == words and step["number"]), None)
        if step is None:
            return
        key = (step["side"], step["number"])
        if key not in self._noted:
            self._noted.add(key)
            self.begun[key] += 1
            self._note(self.declared.setdefault(key, {}), table, table.game.state, key[0], order)

    def _answer(self, table: Table, words: Words) -> None:
        """Take down an answer with dice that a side gives when it is asked, as a defensive fire."""
        asked = table.game.before()
        if isinstance(asked.request, Choose) and asked.request.reaction:
            key = (asked.request.side, words)
            self.times[key] += 1
            self._note(self.answers.setdefault(key, {}), table, asked.state, asked.request.side, table.game.just_given)

    def _note(self, known: dict[frozenset[str], str], table: Table, state: State, side: str, order: Order) -> str:
        """Note the odds of an order behind what came near it before, and tell them; "" behind too many courses."""
        came = self._near.came(table.rules.order_words(table.board, order), table.steps)
        if came not in known and len(known) <= WAYS and (len(known) < FEW or len(_alike(known)) < 2):
            known[came] = table.rules.tell_odds(state, side, order, table.course.standing)
        return known.get(came, "")

    def count(self, steps: Iterable[Step]) -> None:
        """Count a future by what happened in it; a fight by who has the order, or else declared it, at whom it is."""
        self.played += 1
        self._noted.clear()
        led: list[Step] = []
        own: tuple[str, list[Step]] = "", led
        declared: dict[tuple[str, str], list[Step]] = {}
        dropped: list[Step] = []
        for step in steps:
            before, dropped = dropped, [*dropped, step] if step.get("what") == DROP else []
            if step["kind"] not in LEADS_ON or step.get("what") == "phase":
                led = []
                own = "", led
            if step["kind"] == "order" and step["number"]:
                words = tuple(step["words"])
                led += before  # of what was left out of it
                self.found.setdefault((step["side"], step["number"]), []).append((words, led))
                own = "".join(words[1:2]), led
                if "at" in words:
                    declared[words[1], words[words.index("at") + 1]] = led
            elif step["kind"] == "tell":
                if step["what"] == "phase":
                    declared = {}
                if "target" in step["facts"]:
                    unit = step["facts"].get("unit", "")
                    led = own[1] if unit == own[0] else declared.get((unit, step["facts"]["target"]), led)
                led.append(step)

    def came(self, side: str, number: int) -> Came:
        """What an order came to in the futures counted."""
        key = (side, number)
        fates: Counter[str] = Counter()
        own: dict[str, Counter[str]] = {}
        went: Counter[str] = Counter()
        ends: Counter[str] = Counter()
        on: Counter[str] = Counter()
        spots = set[tuple[str, str] | None]()
        counted = False
        known = self.odds.get(key, {})
        odds, dice = _always(known), _dice(known)
        marches = set() if odds else {step["what"] for _, led in self.found.get(key, ()) for step in led if _aim(step)}
        marched = {one["unit"] for words, led in self.found.get(key, ()) for one in _marches(words, led, marches)}
        for words, led in self.found.get(key, ()):
            if any(step["what"] == LOST for step in led):
                continue
            unit = _about(words, led)
            became = _became(led)
            fates[became.pop(unit, "") or resisted(_fights(led), unit)] += 1
            more = [] if odds else [*_short(led, words), *_evaded(led, words)]  # else the odds tell it
            went.update(_went(led, unit, words) + more)
            ends.update(
                [*self._ended(words, led), *(_marched(_marches(words, led, marches)) if len(marched) == 1 else ())]
            )
            spots.add(self._spot(words, led))
            counted |= any(isinstance(fight["result"], int) for fight in _fights(led))
            on.update(fight["on"] for fight in _fights(led) if "on" in fight)
            for other, what in became.items():
                if other in words and what != DISORDERED:
                    own.setdefault(other, Counter())[what] += 1
        declared = _always(self.declared.get(key, {})) if self.begun[key] == self.played else ""
        about = (odds, _merged(self.often.get(key, {})), dice, bool(known), counted)
        spot = spots.pop() if len(spots) == 1 and fates.total() == self.played else None
        return Came(fates.total(), self.played, *about, fates, own, went, ends, on, self._sure(key), declared, spot)

    def _ended(self, words: Words, led: Sequence[Step]) -> Iterator[str]:
        """Where on a table the unit that is ordered ended its move, in words."""
        for facts in (step["facts"] for step in led if step["what"] == MOVE and step["facts"]["unit"] in words[1:2]):
            if self._near.table is not None and "facing" in facts:
                place, facing = self._near.table.told(facts["path"][-1]), facts["facing"]
                touches, met = (listed(facts.get(key, ())) for key in ("touches", "met"))
                if facts["path"][0] != facts["path"][-1] or not met:
                    yield f"{place}, facing {facing}, touching {touches}" if touches else f"{place}, facing {facing}"
                elif touches:
                    yield f"{place}, facing {facing}, touching {touches}, where they stood: they touch {met} already"
                else:
                    yield f"{place}, facing {facing}, where they stood: they touch {met} already"

    def _spot(self, words: Words, led: Sequence[Step]) -> tuple[str, str] | None:
        """Where on a table the unit that is ordered ended its move, and facing where, if it is all that came of it."""
        facts = [step["facts"] for step in led]
        moved = len(facts) == 1 and led[0]["what"] == MOVE and facts[0]["unit"] in words[1:2] and "facing" in facts[0]
        if self._near.table is None or not moved or {"touches", "met", "follows"} & facts[0].keys():
            return None
        return str(facts[0]["path"][-1]), str(facts[0]["facing"])

    def answered(self) -> Iterator[tuple[str, Words, int, str]]:
        """The answers with dice, the most frequent first: side, words, how often, odds, "" where these vary."""
        for (side, words), times in self.times.most_common():
            yield side, words, times, _always(self.answers[side, words])

    def _sure(self, key: Key) -> tuple[Step, ...]:
        """The events of an order without dice that come whenever it is carried out."""
        events = [] if self.odds.get(key) else [_grave(words, led) for words, led in self.found.get(key, [])]
        return tuple(step for step in events[0] if all(step in others for others in events)) if events else ()


def _always(known: Mapping[frozenset[str], str]) -> str:
    """The odds that are the same whatever came before; "" where they aren't, or not all were looked at."""
    found = _alike(known) if len(known) <= WAYS else set()
    return found.pop() if len(found) == 1 else ""


def _alike(known: Mapping[frozenset[str], str]) -> set[str]:
    """The odds that were looked at, those as one that are merged."""
    return {*_merged(dict.fromkeys(known.values(), 1))}


def _merged(often: Mapping[str, int]) -> Counter[str]:
    """Odds, those as one that differ in a number before their shares alone: `strength 7 or 8: no loss 100 %`."""
    groups: dict[tuple[Sequence[str], str], dict[str, int]] = {}
    for odds, times in often.items():
        before, colon, shares = odds.partition(": ")
        groups.setdefault((tuple(NUMBER.split(before)), colon + shares), {})[odds] = times
    merged: Counter[str] = Counter()
    for (words, shares), group in groups.items():
        places = [[*dict.fromkeys(found)] for found in zip(*(_before(odds) for odds in group), strict=True)]
        if sum(len(found) > 1 for found in places) != 1:  # of two numbers it would be lost which go together
            merged.update(group)
            continue
        numbers = [_either(found) for found in places]
        merged["".join(chain.from_iterable(zip_longest(words, numbers, fillvalue=""))) + shares] = sum(group.values())
    return merged


def _before(odds: str) -> list[str]:
    """The numbers that stand before the shares of odds."""
    return NUMBER.findall(odds.partition(": ")[0])


def _either(numbers: Sequence[str]) -> str:
    """Numbers of which one is so: `7, 8 or 9`."""
    ranked: list[str] = sorted(numbers, key=int)
    return listed(ranked, "or")


def _dice(known: Mapping[frozenset[str], str]) -> str:
    """What such odds begin with, before the shares, likewise."""
    begins = {before if shares else "" for before, _, shares in (odds.partition(": ") for odds in known.values())}
    return begins.pop() if len(known) <= WAYS and len(begins) == 1 else ""


def sure_words(event: Step) -> str:
    """What such an event is, in words, with its clause."""
    if event["what"] in OF_PLACES:
        return f"{event['facts']['at']}: {OF_PLACES[event['what']]} then [{event['clause']}]"
    return f"{event['facts']['unit']} is {fate(event['what'], event['facts'])} then [{event['clause']}]"


def _about(words: Words, led: Sequence[Step]) -> str:
    """The unit that an order is about: the one fought of several that it may be at, else the one named."""
    named = words[words.index("at") + 1] if "at" in words else words[1] if len(words) > 1 else ""
    fought = (str(facts["target"]) for facts in _fights(led) if "target" in facts)
    return named if OPEN.isdisjoint(words) else next(fought, named)


def _grave(words: Words, led: Sequence[Step]) -> list[Step]:
    """The events of an order by which its own unit is disordered, any is removed, or a siege ends."""
    own = [step for step in led if step["what"] == DISORDER and words[1:2] == (step["facts"].get("unit"),)]
    return own + [step for step in led if step["what"] in (GONE, LIFTED)]


def _became(led: Sequence[Step]) -> dict[str, str]:
    """Unit -> its fate in what an order led to, in words."""
    found: dict[str, list[str]] = {}
    for step in led:
        if step["what"] != ADVANCE and (told := fate(step["what"], step["facts"])):
            found.setdefault(str(step["facts"].get("unit", "")), []).append(told)
    return {unit: together(words) for unit, words in found.items()}


def _fights(led: Sequence[Step]) -> list[Any]:
    """The facts of the fights in what an order led to."""
    return [step["facts"] for step in led if "result" in step["facts"]]


def _went(led: Sequence[Step], about: str, words: Words) -> list[str]:
    """Where those whom an order is about or at retreated, how a battle ended, and which of those ordered advanced."""
    ways = {step["facts"]["unit"]: goal(step["facts"]) for step in led if step["what"] == RETREAT}
    inside = {step["facts"]["unit"] for step in led if step["what"] == REFUGE}
    at = words[words.index("at") + 1 :] if "at" in words else ()
    back = []
    for unit in dict.fromkeys([about, *takewhile(lambda word: not word.isalpha(), at)]):
        refuge = [fate(REFUGE, {})] * (unit in inside)
        went = " and ".join([*([f"retreats to {ways[unit]}"] if unit in ways else []), *refuge])
        back += [f"{unit} {went}"] if went else []
    back += [f"{step['facts']['unit']} {BATTLES[step['what']]}" for step in led if step["what"] in BATTLES]
    back += [PARTED[step["what"]] for step in led if step["what"] in PARTED]
    ahead = dict.fromkeys(step["facts"]["unit"] for step in led if step["what"] == ADVANCE)
    return back + [f"{unit} {fate(ADVANCE, {})}" for unit in ahead if unit in words]


def _short(led: Sequence[Step], words: Words) -> list[str]:
    """Which of those ordered came short of their aim; of a way that is cut that is where it is cut."""
    short = {step["facts"]["unit"]: _aim(step) for step in led if _aim(step)}
    ends = {(step["facts"]["unit"], step["facts"].get("end")) for step in led if step["what"] == DROP}
    cut = {unit for unit, aim in short.items() if (unit, aim) in ends}
    told = {unit: f"{aim}, where its way is cut" if unit in cut else aim for unit, aim in short.items()}
    return [f"{unit} comes short of {aim}" for unit, aim in told.items() if unit in words]


def _evaded(led: Sequence[Step], words: Words) -> list[str]:
    """Who went back before those ordered when they came up."""
    found = [
        step["facts"] for step in led if step["what"] == EVADE and not {*words}.isdisjoint(step["facts"]["against"])
    ]
    return [f"{listed(facts['units'])} go{'es' * (len(facts['units']) == 1)} back before it" for facts in found]


def _aim(step: Step) -> str:
    """Where a march led that came short of it; "" of all else."""
    return str(step["facts"].get("aim", ""))


def _marches(words: Words, led: Sequence[Step], names: Collection[str]) -> list[Any]:
    """The facts of the marches of those ordered, by the names of such events."""
    return [step["facts"] for step in led if step["what"] in names and step["facts"]["unit"] in words]


def _marched(marches: Sequence[Any]) -> list[str]:
    """Where the marches of one unit ended."""
    end = goal(marches[-1]) or marches[-1].get("from", "") if marches else ""
    return [end] if end else []
