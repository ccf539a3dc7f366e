"""What an order may bring, in words: its results with their exact shares, what they lead to, what decides the dice."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from pbem.language import ENGLISH, language, say
from pbem.match.exact import Result, at_first_dice, results
from pbem.match.prospects import if_so
from pbem.match.table import Table
from pbem.match.way import answered, answers_told
from pbem.picture.news import is_fight
from pbem.records import NamedTuple
from pbem.report.build import headline
from pbem.report.layout import Json, clean
from pbem.report.put import put_here, put_steps, put_words
from pbem.report.telling import Names, Teller
from pbem.rules.fates import (
    ANSWERS,
    BATTLES,
    DECLARED,
    DURABILITY,
    FIGURES,
    HARMLESS,
    LOST,
    NONE,
    OF_PLACES,
    PARTED,
    STANDS,
    cost,
    durability_words,
    fate,
    fought,
    goal,
    losses_words,
    resisted,
    together,
)
from pbem.rules.requests import Factor, Outcome, Words

if TYPE_CHECKING:
    from fractions import Fraction

    Shares = dict[str, Fraction | float]
    """What may come -> its share of all futures: a fraction where it is exact, a float where it is about so."""

__all__ = ["Chances", "chances"]

UNHARMED = "neither side loses anything"
"""What came of a fight and of its answer that cost nobody anything."""

STOP, COLON = "\N{IDEOGRAPHIC FULL STOP}", "\N{FULLWIDTH COLON}"
"""What ends a sentence in Japanese, and what stands before what comes of something."""

STEP = "step"
"""The fact of an event that names the step of its phase to which it belongs."""

MOVING = frozenset({"retreat", "displace", "advance"})
"""Events by which a unit goes somewhere."""


class Chances(NamedTuple):
    """What an order may bring, each with its share; the most frequent first.

    factors    what decides what the dice mean
    each       every future, in a sentence
    results    the results of the table; none of a throw without a table
    fates      unit or place, as it is called -> what becomes of it; those to whom nothing can happen are left out
    fights     of fights that are answered: that neither side loses anything; of battles how they end
    ends       the ends of the game
    choices    those that come only if the other player so answers what he is asked, where that is oftener
    asks       whether somebody would be asked something there; he answers as the rules would choose
    answers    who makes the choices there, in sentences
    at_random  the share of futures that were too many to count and were played out with random dice; 0 for none
    of_figures whether the results are figures killed, and nothing else
    """

    factors: list[Factor]
    each: Shares
    results: Shares
    fates: dict[str, Shares]
    fights: Shares
    ends: Shares
    choices: Shares
    asks: bool
    answers: list[str]
    at_random: Fraction | int
    of_figures: bool = False

    @property
    def results_told(self) -> Shares:
        """The results, but for figures killed where the fates tell of these too."""
        return {} if self.fates and self.of_figures else self.results


def chances(table: Table, side: str, words: Words) -> Chances:
    """What one legal order of a side may bring now. Raises OrderError for words that are no order."""
    teller = Teller(put_here(clean(table.rules.situation(table.game.state))))
    teller.names.ahead = True
    found = list(results(table, side, words))
    at_random = sum(result.share for result in found if result.random is not None)
    found = [result._replace(steps=_of_its_step(result.steps)) for result in found]
    nothing = say("Nothing happens.")
    if words == (table.rules.CLOSING,):
        nothing = say("Nothing more is ordered; what comes behind that isn't counted.")
    told = [_sentence(result, teller, nothing) for result in found]
    order, there = table.rules.read_order(table.board, side, words), at_first_dice(table, side, words)
    ends = _summed((_end(result.outcome, teller), result) for result in found if result.outcome is not None)
    choices = _choices(found, ends, table.genesis.other(table.genesis.of_side(side).name).name, teller)
    fates, open_ = _fates(found, teller.names), _open_results(found)
    fights = _summed((came, result) for result in found if (came := _came_of(result, teller.names)))
    if at_random:
        fights = _about(fights)
        ends, choices, fates = _about(ends), _about(choices), {unit: _about(shares) for unit, shares in fates.items()}
    made = {choice for result in found for choice in answered(result.steps)}
    asks = any(result.asked for result in found)
    one_by_one = [*zip(_without_beginning(told), found, strict=True)]
    results_, system = _ranked(_of_results(found)), teller.system
    return Chances(
        factors=[
            Factor(put_words(what, system), put_words(value, system), clause)
            for what, value, clause in table.rules.factors(there.game.state, side, order, there.course.standing)
        ],
        each=_ranked(_about(_summed(one_by_one), {told for told, result in one_by_one if _of_table(result) in open_})),
        results=_put(results_, system),
        fates={unit: _put(_ranked(shares), system) for unit, shares in fates.items()},
        fights=_put(_ranked(fights), system),
        ends=_ranked(ends),
        choices=_ranked(choices),
        asks=asks,
        answers=[put_words(told, system) for told in answers_told(table, side, made, asked=asks)],
        at_random=at_random,
        of_figures=all(word == NONE or re.match(FIGURES, word) for word in results_),
    )


def _put(shares: Shares, system: str) -> Shares:
    """What may come, in the language in force, each with its share."""
    return {put_words(what, system): share for what, share in shares.items()}


def _of_its_step(steps: Sequence[Json]) -> list[Json]:
    """What happens up to where another step of the phase begins, as flights before movement: no result of a fight."""
    first = next((step["facts"].get(STEP) for step in steps if is_fight(step)), None)

    def goes_on(step: Json) -> bool:
        now = step.get("facts", {}).get(STEP, first)
        return first is None or now == first or is_fight(step)

    return [*takewhile(goes_on, steps)]


def _summed(found: Iterable[tuple[str, Result]]) -> Shares:
    """The shares of what is told alike."""
    sums: Shares = {}
    for told, result in found:
        sums[told] = sums[told] + result.share if told in sums else result.share
    return sums


def _about(shares: Shares, those: Collection[str] | None = None) -> Shares:
    """The same, in which all shares, or those of some, are about so."""
    return {told: float(share) if those is None or told in those else share for told, share in shares.items()}


def _open_results(found: Iterable[Result]) -> set[str]:
    """The results of the table of which not every future was counted: none told of one of these is exact."""
    return {_of_table(result) for result in found if result.random is not None}


def _of_results(found: Sequence[Result]) -> Shares:
    """The results of the table; exact as long as no dice of the table were random."""
    shares = _summed((word, result) for result in found if (word := _of_table(result)))
    known = all(_of_table(result, result.random) for result in found if result.random is not None)
    return shares if known else _about(shares)


def _ranked(shares: Shares) -> Shares:
    return dict(sorted(shares.items(), key=lambda one: -one[1]))


def _sentence(result: Result, teller: Teller, nothing: str) -> str:
    """All that happens in a future, `nothing` where it does not; the end of the game is told once, with its clause."""
    outcome = result.outcome
    end = say(" The game is over: %(end)s.", end=_end(outcome, teller)) if outcome is not None else ""
    before = (step for step in result.steps if step.get("what") != "end")
    return (headline(put_steps(before, teller.system), teller) + end).lstrip() or nothing


def _choices(found: Sequence[Result], ends: Shares, chooser: str, teller: Teller) -> Shares:
    """The ends of the game that the other player can choose oftener than they come by the answers that are counted."""
    could = _summed(
        (_end(outcome, teller), result)
        for result in found
        for outcome in {*result.choices, *([result.outcome] if result.outcome is not None else [])}
    )
    more = {end: share for end, share in could.items() if share > ends.get(end, 0)}
    return {f"{end}{put_words(if_so(chooser), teller.system)}": share for end, share in more.items()}


def _end(outcome: Outcome, teller: Teller) -> str:
    """How the game ends, in words."""
    winner, clause, reason, _ = outcome
    why = put_words(reason, teller.system)
    if not winner:
        return say("a draw, %(why)s [%(clause)s]", why=why, clause=clause)
    side = teller.names.side(winner)
    if teller.names.many(winner, "", "several"):
        return say("%(side)s win, %(why)s [%(clause)s]", side=side, why=why, clause=clause)
    return say("%(side)s wins, %(why)s [%(clause)s]", side=side, why=why, clause=clause)


def _events(result: Result, until: int | None = None) -> list[Json]:
    return [step for step in result.steps[:until] if step["kind"] == "tell"]


def _of_table(result: Result, until: int | None = None) -> str:
    """The result of the table in a future, `until` one of its steps or in all; "" where there is none.

    What several assaults cost a castle is told together; of fires that are resolved together the fates tell.
    """
    events = _events(result, until)
    fights = [step["facts"] for step in events if is_fight(step)]
    if _resolved_together(events):
        return ""
    if fights and all(facts.get("of") == DURABILITY for facts in fights):
        return fought({**fights[0], "result": sum(facts["result"] for facts in fights)})
    return fought(fights[0]) if fights else ""


def _resolved_together(events: Sequence[Json]) -> bool:
    """Whether several orders are carried out in a future, of which the last one was declared behind the others."""
    units = {step["facts"]["unit"] for step in events if step["what"] == LOST or is_fight(step)}
    return len(units) > 1 and any(step["what"] == DECLARED for step in events)


def _came_of(result: Result, names: Names) -> str:
    """How a battle ends, or that a fight and its answer cost nobody anything; "" of what cost somebody something."""
    events = _events(result)
    ends = [
        names.unit(step["facts"]["unit"]) + f" {BATTLES[step['what']]}" for step in events if step["what"] in BATTLES
    ]
    ends += [PARTED[step["what"]] for step in events if step["what"] in PARTED]
    if ends:
        return " and ".join(ends)
    fights = [fought(step["facts"]) for step in events if "result" in step["facts"]]
    answered = any(step["what"] in ANSWERS for step in events)
    return UNHARMED if answered and {*fights} <= {losses_words(0), durability_words(0)} and not _fateful(result) else ""


def _fates(found: Sequence[Result], names: Names) -> dict[str, Shares]:
    """What becomes of each unit, to whom most may happen first; of those who don't fight what remains isn't told.

    Where a unit can only go to one place that is named.
    """
    ends: dict[tuple[str, str], set[str]] = {}
    of_places: dict[str, list[tuple[str, Result]]] = {}
    for step in (step for result in found for step in _fateful(result)):
        for unit in _whose(step):
            ends.setdefault((unit, step["what"]), set()).add(_end_of(step))
    fates: dict[str, list[tuple[str, Result]]] = {}
    for result in found:
        for unit, words in _became(result, ends, names).items():
            fates.setdefault(unit, []).append((words, result))
        for place, words in _of_places(result):
            of_places.setdefault(place, []).append((words, result))
    names.forget()
    harm = {unit: sum(result.share for words, result in told if words not in HARMLESS) for unit, told in fates.items()}
    units = [unit for unit in sorted(harm, key=lambda unit: -harm[unit]) if harm[unit]]
    told = {names.unit(unit): _summed(fates[unit]) for unit in units}
    return told | {names.place(place): _summed(became) for place, became in of_places.items()}


def _became(result: Result, ends: Mapping[tuple[str, str], Collection[str]], names: Names) -> dict[str, str]:
    """What became of each unit in a future; of those who fight also that nothing did."""
    became: dict[str, list[str]] = {}
    by = ""
    for step in _events(result):
        by = step["what"] if "result" in step["facts"] else by
        if not fate(step["what"], step["facts"]):
            continue
        for unit in _whose(step):
            places = ends[unit, step["what"]]
            where = f" to {names.place(next(iter(places)))}" if len(places) == 1 and "" not in places else ""
            became.setdefault(unit, []).append(f"{cost(step['what'], step['facts'], by)}{where}")
    found = {unit: together(words) for unit, words in became.items()}
    fights = [step["facts"] for step in _events(result) if is_fight(step)]
    stood = {unit: STANDS for facts in fights for unit in (facts["unit"], *facts.get("with", ())) if "unit" in facts}
    targets = [unit for facts in fights for unit in _targets(facts)]
    return stood | {unit: resisted(fights, unit) for unit in targets} | found


def _targets(facts: Json) -> list[str]:
    """Those at whom a fight is: its target, or all of a stack."""
    return [*map(str, facts.get("targets", [facts["target"]]))] if "target" in facts else []


def _whose(step: Json) -> list[str]:
    """The units whose fate an event is: all of a stack that goes somewhere together."""
    unit, units = str(step["facts"]["unit"]), step["facts"].get("units", ())
    return [*map(str, units)] if step["what"] in MOVING and unit in units else [unit]


def _of_places(result: Result) -> Iterator[tuple[str, str]]:
    """What became of places in a future."""
    became: dict[str, list[str]] = {}
    for step in _events(result):
        if step["what"] in OF_PLACES and "at" in step["facts"]:
            became.setdefault(str(step["facts"]["at"]), []).append(OF_PLACES[step["what"]])
    for place, words in became.items():
        yield place, together(words)


def _fateful(result: Result) -> list[Json]:
    """The events of a future that are the fate of a unit."""
    return [step for step in _events(result) if fate(step["what"], step["facts"])]


def _end_of(step: Json) -> str:
    """The place where an event leads its unit; "" where it leads to none."""
    return goal(step["facts"]) if step["what"] in MOVING else ""


def _without_beginning(told: Sequence[str]) -> list[str]:
    """What may come without what all of it begins with, up to the last colon of its first sentence: who does what.

    Where only one thing may come it is told as a whole; and a colon behind which all go on alike is none of these, as
    why an attack isn't made says nothing by itself.
    """
    stop, colon, clause = (
        (r"\. (?=[A-Z])", ": ", r"; |\.(?: |$)") if language() == ENGLISH else (STOP, COLON, f"{STOP}|$")
    )
    first = re.split(stop, told[0])[0] if len(told) > 1 else ""
    ends = [i + len(colon) for i in range(len(first)) if first.startswith(colon, i)]
    ends = [end for end in ends if len({re.split(clause, one[end:])[0] for one in told}) > 1]
    alike = max((end for end in ends if all(one[:end] == first[:end] for one in told)), default=0)
    return [one[alike:] for one in told]
