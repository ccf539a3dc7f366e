"""Orders that wait and plans, in words: each with its odds where nothing changes them, else what it came to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import count, groupby, islice
from typing import TYPE_CHECKING

from pbem.language import also, clauses, listed, say, shown
from pbem.match.orders import Act, Condition, Part, Plan, StopIf, Strict, statement_of
from pbem.match.phases import never_left, phase_titles, still_to_come
from pbem.match.table import Table
from pbem.report.asked import Foreseen, Never, begun
from pbem.report.build import headline
from pbem.report.headlines import TOPIC, rows_of
from pbem.report.layout import Json, bare, capital, said_once
from pbem.report.layout import count as spelled
from pbem.report.put import put_steps, put_words
from pbem.report.telling import Teller
from pbem.rules.fates import HARMLESS
from pbem.rules.requests import Choose, Words

if TYPE_CHECKING:
    from pbem.match.comes import Came

__all__ = [
    "answers_with_dice",
    "came_words",
    "is_counted",
    "left_over",
    "ordered",
    "planned_now",
    "plans",
    "replied_words",
]

MANY = 30
"""Plans of a side of which the likeliest are told first: a mail has forty at least, but not hundreds."""

ENDS_TOLD = 4
"""So many places in which a move may end are told at most."""

ODDS_TOLD = 3
"""So many different odds of an order are told at most."""

SELDOM = 5
"""Odds that come in less than one in so many of the futures in which an order is carried out aren't told, but for the
most frequent: each is as long as the others."""

NEVER_TOLD = 3
"""So many plans whose phase comes no more are told one by one."""


def is_counted(words: str) -> bool:
    """Whether what is told was counted in futures, and isn't exact: all such sentences call these so."""
    return say("futures played out") in words


def ordered(table: Table, side: str, ahead: Foreseen, teller: Teller) -> Json:
    """A side's answers and orders that wait, numbered as they will be carried out, and what its newest entry plans or
    changes in its standing orders.

    Each order has its odds where no future of `ahead` changes them, else what it came to in these, or why to nothing.
    An order that closes what will have ended by itself is none of them, nor is the closing order alone.
    """
    teller.names.forget()
    rules, over = table.rules, table.outcome is not None
    begins = [step for step in begun(table) if step["kind"] != "tell" and step["side"] == side]
    known = _odds_of_answers(ahead) if any(step.get("how") == "react" for step in begins) else {}
    answers: list[tuple[int, Part]] = [] if over else [(0, part) for _, part in table.course.reactions[side]]
    waiting = [] if over else table.course.queues[side]
    parts = [*answers, *((number, part) for number, part in waiting if (side, number) not in ahead.spent)]
    for step in reversed(begins):
        words = tuple(step["words"])
        parts.insert(0, (step.get("number", 0), Act(rules.read_order(table.board, side, words), words)))
    if all(isinstance(part, Act) and part.words == (rules.CLOSING,) and not part.tests for _, part in parts):
        parts = []
    if side in table.course.strict and parts:
        parts.insert(0, (0, Strict()))
    parts = [*(table.course.watches[side] if parts else ()), *parts]
    before = table.game.before() if parts else table.game
    items: list[Json] = []
    keys: list[tuple[str, bool] | None] = []
    numbered = 0
    for number, part in parts:
        told, odds, place = teller.part(_said(part, rules.CLOSING)), "", 0
        if isinstance(part, Act) and part.words != (rules.CLOSING,):
            numbered += 1
            request, place = before.request, numbered
            legal = isinstance(request, Choose) and request.side == side and request.why_not(part.order) is None
            now = rules.tell_odds(before.state, side, part.order, table.course.standing) if legal else ""
            never = ahead.never.get((side, number))
            odds = never.words(teller.system) if never else _odds(now, number, side, ahead, teller.system)
            given = known.get((side, part.words)) if place == 1 else None
            odds = put_words(given, teller.system) if given is not None else odds
        goes = _goes(part, number, side, ahead, (told, odds), teller)
        items.append({"told": capital(told), "odds": odds, "number": place, "goes": goes})
        watched = isinstance(part, StopIf) and part.whenever
        tested = isinstance(part, Act | StopIf) and part.tests
        keys.append((f"{statement_of(part)} {odds}", watched) if tested else None)
    items = [*_together(said_once(items, keys), teller)]
    by = table.genesis.of_side(side).name
    laid = _with_odds(table, side, ahead, teller.system) if table.last_by[by] == table.seq else []
    for _, phase in groupby(laid, key=lambda plan: (plan["phase"], plan["times"])):
        items += _planned_items([*phase], teller)
    items += _posted(table) if table.last_by[by] == table.seq else []
    return {"side": side, "title": teller.names.side(side), "by": by, "items": items}


def _goes(
    part: Part, number: int, side: str, ahead: Foreseen, told: tuple[str, str], teller: Teller
) -> tuple[str, Json] | None:
    """How a unit surely goes over a table by an order, and it with its place; None of others.

    It is `told` behind the unit's name, and its odds that they end there.
    """
    came = ahead.comes.came(side, number) if ahead.comes is not None else None
    if came is None or came.spot is None or not isinstance(part, Act) or part.tests or len(came.ends) != 1:
        return None
    if not told[1].startswith(_ending(next(iter(came.ends)), teller.system)):
        return None
    (at, facing), unit = came.spot, part.words[1]
    how = told[0].removeprefix(teller.names.unit(unit)).removeprefix(f" ({unit})").strip().removeprefix(TOPIC)
    return say("%(how)s, facing %(facing)s", how=how, facing=shown(facing)), {"unit": unit, "at": at}


def _ending(place: str, system: str) -> str:
    """Where a move surely ends."""
    return say("ending in %(place)s", place=put_words(place, system))


def _together(items: Iterable[Json], teller: Teller) -> Iterator[Json]:
    """Orders in which those that follow each other, and by which units go alike over a table, are told as one."""
    for how, found in groupby(items, key=lambda item: item["goes"][0] if item["goes"] else ""):
        alike = [*found]
        if how and len(alike) > 1:
            rows = clauses(rows_of([item["goes"][1] for item in alike], teller, alike=True))
            units = capital(spelled(len(alike), "unit", "units"))
            told = say("%(units)s %(how)s: %(rows)s", units=units, how=how, rows=rows)
            yield {"told": told, "odds": "", "number": alike[0]["number"], "last": alike[-1]["number"]}
        else:
            yield from ({key: item[key] for key in item if key != "goes"} for item in alike)


def _posted(table: Table) -> Iterator[Json]:
    """What the newest entry, which is a decision, changes in its author's standing orders, as one item."""
    course = table.course
    given, cleared = (also(f"`{' '.join(words)}`" for words in of) for of in (course.posted, course.cleared))
    named = [say("given: %(orders)s", orders=given)] if given else []
    named += [say("cleared: %(orders)s", orders=cleared)] if cleared else []
    if named:
        yield {"told": say("Standing orders %(changes)s", changes=clauses(named)), "odds": "", "number": 0}


def left_over(table: Table, side: str) -> list[Json]:
    """What is left of a side's entry and is used as soon as it is asked again, as data: {order, part}; what is watched
    for comes first. The closing order alone is nothing, nor is an order that no phase left of its turn has."""
    queue, turn = table.course.queues[side], table.rules.clock(table.game.state)[0]
    if table.outcome is not None or not queue or table.course.planned.get(side, (turn, ""))[0] != turn:
        return []
    why = never_left(table, side)
    waits = [part for _, part in queue if not isinstance(part, Act) or not why(part.order)]
    if len(waits) < len(queue) and not any(isinstance(part, Act) for part in waits):
        return []
    parts = [*(part for _, part in table.course.watches[side]), *waits]
    return [
        {"order": str(statement_of(part)).removesuffix(";"), "part": _said(part, table.rules.CLOSING)} for part in parts
    ]


def _planned_items(phase: list[Json], teller: Teller) -> Iterator[Json]:
    """What is planned for a phase: a line for each plan, that none is read under another's condition."""
    if len(phase) == 1:
        yield {"told": capital(teller.plan(phase[0])), "odds": phase[0].get("odds", ""), "number": 0}
        return
    yield {"told": say("%(plans)s:", plans=capital(teller.plan_for(phase[0]))), "odds": "", "number": 0}
    numbers = count(1)
    for plan in phase:
        number = say("Plan %(number)s. ", number=next(numbers)) if plan["part"]["does"] == "order" else ""
        yield {
            "told": number + capital(teller.part(plan["part"], plan["phase"])),
            "odds": plan.get("odds", ""),
            "number": 0,
        }


def _odds_of_answers(ahead: Foreseen) -> dict[tuple[str, Words], str]:
    """Side and words of an answer with dice -> its odds; "" where these vary."""
    return {(side, words): odds for side, words, _, odds in ahead.comes.answered()} if ahead.comes is not None else {}


def answers_with_dice(table: Table, ahead: Foreseen, teller: Teller) -> list[str]:
    """Answers with odds that are given in the futures, as a defensive fire: whose, how often, what they may bring.

    One that its side has given is left out: it is among what that has ordered.
    """
    if ahead.comes is None:
        return []
    from pbem.match.way import NAMED

    given = [tuple(step["words"]) for step in begun(table)[:1] if step.get("how") == "react"]
    told = []
    for side, words, times, odds in ahead.comes.answered():
        if odds and words not in given:
            who, order, may = teller.names.side(side), teller.order(words), put_words(odds, teller.system)
            answers = say("%(side)s answers: %(order)s: %(odds)s", side=who, order=order, odds=may)
            told.append(_in_some(answers, times, ahead.comes.played))
    return told[:NAMED]


def _in_some(what: str, times: int, played: int) -> str:
    """What comes in so many of the futures played out."""
    if times == played:
        return what
    return say("in %(times)s of %(played)s futures played out %(what)s", times=times, played=played, what=what)


def planned_now(table: Table, side: str, ahead: Foreseen, teller: Teller) -> Iterator[str]:
    """The planned orders of a side that come to their turn before anybody is asked: odds of each, or why it lapses."""
    teller.names.forget()
    for number, plan in islice(table.course.plans[side], MANY):
        never = ahead.lapsed.get((side, number))
        if not (never or (side, number) in ahead.given) or not isinstance(plan, Plan) or not isinstance(plan.part, Act):
            continue
        if plan.part.words != (table.rules.CLOSING,) and ahead.comes is not None:
            odds = never.words(teller.system) if never else came_words(ahead.comes.came(side, number), teller.system)
            told = teller.part(_said(plan.part, table.rules.CLOSING))
            yield say(": ").join(filter(None, [told, odds]))


def replied_words(
    table: Table, found: Mapping[bytes, int], played: int, me: str, pronoun: str, teller: Teller
) -> Iterator[str]:
    """The answers that no order draws, and what comes of each: whose they are, by which standing order, how often.

    `pronoun`, `my` or `your`, stands for those of the player `me`.
    """
    from pbem.match.way import NAMED

    teller.names.ahead = True
    for group, times in sorted(found.items(), key=lambda one: -one[1])[:NAMED]:
        answer, *came = json.loads(group)
        by = table.genesis.of_side(answer["side"]).name
        whose = _whose(pronoun if by == me else "", by)
        used, told = [f"`{' '.join(words)}`" for words in answer.get("by", ())], put_steps(came, teller.system)
        yield _in_some(_replied(whose, used, bare(headline(told, teller))), times, played)
    teller.names.ahead = False


def _whose(pronoun: str, player: str) -> str:
    """Whose standing orders they are."""
    return {"my": say("my"), "your": say("your")}.get(pronoun) or say("%(player)s's", player=player)


def _replied(whose: str, orders: Collection[str], came: str) -> str:
    """Which standing orders answer, or that the rules do, and what came of it."""
    if not orders:
        return say("the rules answer, for want of %(whose)s standing orders: %(came)s", whose=whose, came=came)
    told = listed(orders)
    if len(orders) == 1:
        return say("%(whose)s standing order %(orders)s answers: %(came)s", whose=whose, orders=told, came=came)
    return say("%(whose)s standing orders %(orders)s answer: %(came)s", whose=whose, orders=told, came=came)


def _with_odds(table: Table, side: str, ahead: Foreseen, system: str) -> list[Json]:
    """The plans of a side, each with what its dice may bring in the futures."""
    numbers = {str(statement_of(plan)).removesuffix(";"): number for number, plan in table.course.plans[side]}
    queued = {number for number, _ in table.course.queues[side]}  # of an entry before: the number is that of two orders
    told = plans(table, side)
    for plan in told:
        number = numbers.get(plan["order"], 0)
        if plan["comes"] and plan["part"]["does"] == "order" and number not in queued:
            plan["odds"] = _planned_odds(number, side, ahead, system)
    return told


def _planned_odds(number: int, side: str, ahead: Foreseen, system: str) -> str:
    """What the dice of a planned order may bring, "" of one without, or why that can't be told."""
    came = ahead.comes.came(side, number) if ahead.comes is not None else None
    if came is None or (came.carried and not came.rolled):
        return ""
    if came.carried:
        return came_words(came, system)
    if number in ahead.behind:
        return say("nothing can be told of it, as a decision comes before it")
    why = put_words(ahead.because.get((side, number), ""), system)
    if came.played > 1:
        return Never(ahead.because.get((side, number), ""), 0, came.played).words(system)
    return say("never carried out (%(why)s)", why=why) if why else say("never carried out")


def _odds(now: str, number: int, side: str, ahead: Foreseen, system: str) -> str:
    """The odds of an order that has those of `now` as things stand; the dice of one that is begun fall as they do."""
    if number and ahead.comes is not None:
        return came_words(ahead.comes.came(side, number), system)
    now = put_words(now, system)
    return say("as things stand now, %(odds)s", odds=now) if now and number else now


def came_words(came: Came, system: str = "") -> str:
    """What the dice of an order may bring: exactly where nothing changes it, or nothing but what was declared before
    it, else what they came to in the futures. Names of the system are told in the language in force."""
    from pbem.match.comes import sure_words  # mostly nothing was played out

    def put(words: str) -> str:
        return put_words(words, system)

    if came.declared:
        return put(came.declared)
    side, end = _always(came.on), _always(came.ends)
    odds = _on(side, put(came.odds)) if came.odds else ""
    known = odds or also([*(put(sure_words(event)) for event in came.sure), *[_ending(end, system)] * bool(end)])
    sides = {_on(on): number for on, number in came.on.items()}
    went = {what: number for what, number in came.went.items() if what.partition(" ")[2] not in came.odds}
    counted = [_shares(went, put), *([] if side else [_shares(sides)]), *([] if end else _ends(came, put))]
    more = clauses(filter(None, counted))
    if came.carried == came.played and (came.odds or not came.rolled):
        of_all = say("of %(played)s futures played out: %(what)s", played=came.played, what=more) if more else ""
        return clauses(filter(None, [known, of_all]))
    told = _carried(came)
    if known or (more and not came.rolled):
        return clauses(filter(None, [_there(told, known), more]))
    if came.harmless or came.counted:
        return clauses([told, *_often(came, put), *[more] * bool(more)])
    others = [
        say("%(unit)s %(fates)s", unit=unit, fates=_shares(fates, put)) for unit, fates in sorted(came.own.items())
    ]
    there = _there(told, _on(side, put(came.dice)))
    fates = say("%(carried)s: %(fates)s", carried=there, fates=_shares(came.fates, put))
    return clauses([fates, *others, *[more] * bool(more)])


def _on(side: str, odds: str = "") -> str:
    """What may come of what falls on a side of a unit; on whatever side where none is given."""
    if side and odds:
        return say("on the %(side)s: %(odds)s", side=shown(side), odds=odds)
    return say("on the %(side)s", side=shown(side)) if side else odds


def _carried(came: Came) -> str:
    """In how many of the futures an order is carried out."""
    if came.carried == came.played:
        return say("carried out in all %(played)s futures played out", played=came.played)
    if not came.carried:
        return say("carried out in none of %(played)s futures played out", played=came.played)
    return say("carried out in %(times)s of %(played)s futures played out", times=came.carried, played=came.played)


def _there(told: str, what: str) -> str:
    """In how many futures an order is carried out, and what is so in these."""
    return say("%(carried)s, there %(what)s", carried=told, what=what) if what else told


def _often(came: Came, put: Callable[[str], str]) -> Iterator[str]:
    """The odds of an order that had different ones, each with how often it had them; of many, and of those that come
    seldom, how often it had others.

    Where most of them weren't looked at, an example: how often each had these isn't known then.
    """
    ranked = [(odds, times) for odds, times in came.often.most_common() if odds]
    if 2 * came.often[""] > came.carried:
        yield from (say("in one of them %(odds)s", odds=put(odds)) for odds, _ in ranked[:1])
        return
    told = [*ranked[:1], *(one for one in ranked[1:ODDS_TOLD] if SELDOM * one[1] >= came.carried)]
    for odds, times in told:
        yield say("in %(times)s of %(played)s: %(odds)s", times=times, played=came.played, odds=put(odds))
    if ranked and (others := came.often.total() - sum(times for _, times in told)):
        yield say("in %(times)s of %(played)s: other odds", times=others, played=came.played)


def _always(found: Mapping[str, int]) -> str:
    """What was so whenever an order was carried out; "" where it differed."""
    return next(iter(found)) if len(found) == 1 else ""


def _ends(came: Came, put: Callable[[str], str]) -> Iterator[str]:
    """Where a move ended how often, the most frequent first; of many how often elsewhere."""
    ranked = sorted(came.ends.items(), key=lambda one: (-one[1], one[0]))
    for end, number in ranked[:ENDS_TOLD]:
        yield say("in %(times)s ending in %(place)s", times=number, place=put(end))
    if elsewhere := sum(number for _, number in ranked[ENDS_TOLD:]):
        yield say("in %(times)s elsewhere", times=elsewhere)


def _shares(fates: Mapping[str, int], put: Callable[[str], str] = str) -> str:
    """`no effect in 26, disordered and retreats in 14`: what harms nobody first, then what is most frequent."""
    ranked = sorted(fates.items(), key=lambda one: (one[0] not in HARMLESS, -one[1], one[0]))
    return also(say("%(what)s in %(times)s", what=put(word), times=number) for word, number in ranked)


def plans(table: Table, side: str) -> list[Json]:
    """What a side has planned in this turn, as `Teller.plan` tells it: {phase, comes, order, part, times}.

    Plans whose phase comes go first, phase by phase, none hidden among the others; of many first those that would be
    carried out as things stand, whatever their phase; what is planned several times is told once, and of many plans
    whose phase comes no more how many there are. That such a phase shall end isn't told: it has.
    """
    planned = [part for _, part in table.course.plans[side] if isinstance(part, Plan)]
    if not planned or table.outcome is not None:
        return []
    titles, coming = phase_titles(table, side), still_to_come(table, side)
    order = [*dict.fromkeys(titles.values())]
    planned.sort(key=lambda plan: order.index(titles[plan.phase]) if plan.phase in titles else len(order))
    times = Counter(str(statement_of(plan)) for plan in planned)
    alike = {str(statement_of(plan)): plan for plan in planned}
    found: list[Json] = [
        {
            "phase": titles.get(plan.phase, plan.phase),
            "comes": plan.phase in coming,
            "order": said.removesuffix(";"),
            "part": _said(plan.part, table.rules.CLOSING),
            "times": times[said],
        }
        for said, plan in alike.items()
    ]
    if len(found) > MANY:
        from pbem.match.way import likeliest

        rank = {
            str(statement_of(plan)).removesuffix(";"): at for at, plan in enumerate(likeliest(table, side, planned))
        }
        found.sort(key=lambda plan: rank[plan["order"]])
    comes, never = ([plan for plan in found if plan["comes"] is whether] for whether in (True, False))
    never = [plan for plan in never if plan["part"]["does"] != "close" or plan["part"]["tests"]]
    if len(never) > NEVER_TOLD:
        together = sum(plan["times"] for plan in never)
        never = [{"phase": "", "comes": False, "order": "", "part": None, "times": together}]
    return comes + never


def _said(part: Part, closing: str) -> Json:
    """A part as plain data, as `Teller.part` tells it: what it does, its words and its conditions."""
    match part:
        case Act(_, words, tests):
            return {"does": "close" if words == (closing,) else "order", "words": list(words), "tests": _tests(tests)}
        case StopIf(tests, whenever):
            return {"does": "watch" if whenever else "stop", "words": [], "tests": _tests(tests)}
        case _:
            return {"does": "strict", "words": [], "tests": []}


def _tests(tests: tuple[Condition, ...]) -> list[Json]:
    return [test._asdict() for test in tests]
