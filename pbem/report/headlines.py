"""The news in headlines: what an order led to in one line, its dice and what was to be expected, set-ups by formations.

The phrases of a system's events are macros in templates/SYSTEM/headlines.j2, `head_WHAT(f, n)`, without a full stop and
empty for what needs no words; an event without one is told in its whole sentence. In English they are clauses of one
sentence, those of one unit joined behind its name; in another language each is a sentence, which may leave out whom it
is about where that is whom the one before is about.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from pbem.language import ENGLISH, also, clauses, language, listed, say, shown
from pbem.report.layout import Json, bare, capital, count
from pbem.report.put import put_formation
from pbem.report.telling import Teller
from pbem.rules.requests import dice_side

__all__ = ["TALK", "goes_on", "headlined", "is_setup", "paragraphs", "roll_of", "rows_of"]


ENDS = frozenset({"stopped", "parted", "beaten"})
"""Events that end the rounds of a battle."""

MANY = 3
"""So many events at least are told once that differ in their units alone."""

ARTICLES = (
    "A ", "An ", "Both ", "Control of ", "In ", "Initiative ", "It ", "No ", "Of the ", "Organised ", "Out of ",
    "Random ", "Rest of ", "Siege check", "The ", "Those ",
)  # fmt: skip
"""With these a whole sentence begins that has no name at its beginning."""

TOPIC = "は"
"""What stands in Japanese behind whom a sentence is about."""

STEP = "step"
DROP = "drop"
TALK = frozenset({"lapse", "stop", "say"})
"""Steps by which nothing happens in the game: a headline tells all of them."""
FLIGHT, ENTRY = "flight", "advance"
"""Events with which the flight of a force begins, and the one of others that comes behind them all."""

_BY_IDS: Mapping[str, str] = {}


def headlined(
    groups: Iterable[Json], teller: Teller, formations: Mapping[str, str], *, apart: bool = True
) -> Iterator[Json]:
    """The groups of news, each action with its headline; `formations` are titles of formations by their ids.

    The rounds of a battle stand among its dice, each in a line, behind them who fled; not `apart` they are told in the
    headline.
    Of units set up in a phase the first of each formation has the headline of all, the others have none; so of units of
    a formation that go alike over a table. An action is `whole` where headlines tell all of it, with all numbers:
    such a move there, and one without dice of which the headline says just what is told in full.
    """
    for group in groups:
        teller.names.forget()
        joined = {**_setups(group["actions"], teller, formations), **_moves(group["actions"], teller, formations)}
        actions = []
        for number, action in enumerate(group["actions"]):
            others, rounds = _by_rounds(action["items"]) if apart else (action["items"], [])
            others, flights = _by_flights(others) if apart else (others, [])
            brief = {**action, "items": others}
            headline = joined[number][0] if number in joined else _headline(brief, teller)
            if not headline and all(item["facts"].get("opens") for item in action["items"]):
                headline = _headline(brief, teller, whole=True)
            dice = [line for fought in rounds for line in (_round(fought, teller), *_all_dice(fought, teller))]
            dice += [*_all_dice(others, teller), *_fled(flights, teller)]
            fights = [item["fight"] for item in action["items"] if item["fight"]]
            told = {"headline": headline, "fights": fights, "dice": dice, "answers": _answers(action["items"], teller)}
            talk = {item["kind"] for item in action["items"]} <= TALK
            whole = not dice and _is_alike(headline, action["items"], by_ids=not (teller.names.on_table or talk))
            whole |= number in joined and teller.names.on_table
            actions.append({**action, **told, "whole": whole, "of": 1 if number not in joined else joined[number][1]})
        if actions and not any(action["headline"] for action in actions):  # what is begun waits for dice
            actions = [{**action, "headline": _headline(action, teller, whole=True)} for action in actions]
        if len(actions) > 1 and _closes(actions[-1], teller):
            last = actions[-1]
            last["headline"] = ""  # that the phase ended the next heading tells
            last["whole"] = all(action["whole"] for action in actions[:-1])
        yield {**group, "actions": actions}


def _answers(items: Iterable[Json], teller: Teller) -> list[str]:
    """`by the standing order "counter any no" of the Hashiba side`, of all that have answered, a line for each side.

    None where nothing came of the answers: they are told themselves.
    """
    used: dict[str, dict[str, None]] = {}
    items = [*items]
    for item in items if any(item["kind"] != "answer" for item in items) else ():
        used.setdefault(item.get("side", ""), {}).update(
            dict.fromkeys(f'"{" ".join(by)}"' for by in item.get("by", ()))
        )
    return [_answered(orders, teller.names.the(side)) for side, orders in used.items() if orders]


def _answered(orders: Collection[str], side: str) -> str:
    """By which orders of a side it was answered."""
    if len(orders) == 1:
        return say("by the standing order %(orders)s of %(side)s", orders=listed(orders), side=side)
    return say("by the standing orders %(orders)s of %(side)s", orders=listed(orders), side=side)


ID = re.compile(r" \([a-z]+-[0-9]+\)")
"""An id behind the first mention of a unit."""


def _is_alike(headline: str, items: Sequence[Json], *, by_ids: bool) -> bool:
    """Whether a headline says just what is told of an action in full, with the same ids or whatever its ids."""
    full, told = bare(_in_one(_phrase(item, None) for item in items)), bare(headline)
    return bool(items) and (full == told if by_ids else ID.sub("", full) == ID.sub("", told))


def _closes(action: Json, teller: Teller) -> bool:
    """Whether nothing but the order that ends the phase stands there."""
    return action["order"] == [teller.names.closing] and [item["kind"] for item in action["items"]] == ["order"]


def _headline(action: Json, teller: Teller, *, whole: bool = False) -> str:
    """`Shinsengumi (sg-18) attacked Satsuma (sa-04) in hex 1811: M3; Satsuma broke and was removed.`

    With `whole` events are told in their whole sentences.
    """
    if [item["kind"] for item in action["items"]] in (["say"], ["lapse"], ["stop"]):
        return str(action["items"][0]["told"])
    answered = [item for item in action["items"] if item["kind"] == "answer"]
    items = [item for item in action["items"] if item["kind"] != "answer"] or answered  # it came to what follows
    items = _cause_first(_summed(items, teller), teller)
    phrases = _alike_together(_phrases(items, teller, whole=whole))
    return _in_one(_by_unit(phrases, teller) if language() == ENGLISH else _of_same(phrases))


def _in_one(phrases: Iterable[str]) -> str:
    """Phrases in one sentence of English; in another language each is one."""
    if language() != ENGLISH:
        return "".join(f"{phrase}\N{IDEOGRAPHIC FULL STOP}" for phrase in phrases)
    told = capital("; ".join(phrases))
    return f"{told}." if told else ""


def _by_unit(phrases: Iterable[_Phrase], teller: Teller) -> Iterator[str]:
    """The clauses of an English sentence, all of a unit that follow one another behind its name."""
    told, of, end = list[list[str]](), None, ""
    for phrase, name, item in phrases:
        unit = item["facts"].get("unit") if name else None
        of_unit = bool(unit) and phrase.startswith(name)  # not where it begins with another, as who declines a battle
        of_unit = of_unit and not phrase.startswith(f"{name}and ")  # nor with two, as who routs
        if of_unit and unit == of:
            goes_on = end and end == item["facts"].get("from")
            rest = phrase.removeprefix(name)
            told[-1].append(rest.replace(f" from {teller.names.place(end)} ", " ", 1) if goes_on else rest)
        elif phrase:
            told.append([phrase])
        if phrase:
            of, end = unit if of_unit and not item["fight"] else None, (item["facts"].get("path") or [""])[-1]
    return map(_chained, told)


def _of_same(phrases: Iterable[_Phrase]) -> Iterator[str]:
    """Japanese sentences: one that begins with the same unit as the one before, as what it is about, leaves it out."""
    of = ""
    for phrase, name, item in phrases:
        about = f"{name}{TOPIC}" if name and phrase.startswith(f"{name}{TOPIC}") else ""
        if phrase:
            yield phrase.removeprefix(about) if about and about == of else phrase
            begins = _behind_unit((phrase, name, item))[1].startswith(TOPIC)
            of = f"{name}{TOPIC}" if begins else ""


def _chained(deeds: Sequence[str]) -> str:
    """What one did: `A came to fatigue 3, was disorganised and lost 2 manpower`; where deeds have commas or lists with
    `and` between each and the next."""
    inside = any(sign in deed for deed in deeds[:-1] for sign in (",", ":", " and "))
    return " and ".join(deeds) if inside else listed(deeds)


def _summed(items: Iterable[Json], teller: Teller) -> list[Json]:
    """The events, those of a kind that follow one another once for each unit, with the sum of what is summed up."""
    found = list[Json]()
    for _, alike in groupby(items, key=lambda item: (item["what"], teller.summed(item))):
        sums = dict[str, Json]()
        for number, item in enumerate(alike):
            name = teller.summed(item)
            unit = item["facts"].get("unit", "") if name and not item["rolls"] else ""
            if unit in sums:
                more = sums[unit]["facts"][name] + item["facts"][name]
                sums[unit] = {**item, "facts": {**item["facts"], name: more}}
            else:
                sums[unit or f" {number}"] = item
        found += sums.values()
    return found


def _cause_first(items: Sequence[Json], teller: Teller) -> list[Json]:
    """The events, those that came on a way behind the one that tells the way, with what befell who went there."""
    found, waiting, went = list[Json](), list[Json](), set[str]()
    for item in items:
        facts = item["facts"]
        if teller.behind_way(item) or (facts.get("unit") in went and "path" not in facts):
            went.update(facts.get("units", ()) if "path" in facts else ())
            waiting.append(item)
            continue
        found.append(item)
        if "path" in facts:
            found += waiting
            waiting, went = [], set()
    return found + waiting


_Phrase: TypeAlias = tuple[str, str, Json]
"""What is said of an event, the name of its unit with a blank behind it, "" for none, and the event."""


def _phrases(items: list[Json], teller: Teller, *, whole: bool) -> Iterator[_Phrase]:
    """What is said of events: of a retreat over several hexes its end, of an order lacking parts its words once."""
    order = ""
    for place, item in enumerate(items):
        if not whole and any(goes_on(item, later) for later in items[place + 1 :]):
            continue
        head = teller.head(item) if item["kind"] == "tell" and not whole else None
        phrase = _phrase(item, head)
        unit = item["facts"].get("unit") if head else None
        if item["what"] == DROP:
            named = _words_of(item)
            if named == order:
                phrase = phrase.replace(f'of the order "{order}" ', "", 1).replace(f'the order "{order}"', "it", 1)
            order = named
        yield phrase, (teller.names.unit(unit) + (" " if language() == ENGLISH else "")) if unit else "", item


def _words_of(item: Json) -> str:
    """The order of which a part was left out."""
    order: str | list[str] = item["facts"]["order"]
    return order if isinstance(order, str) else " ".join(order)


def _alike_together(phrases: Iterable[_Phrase]) -> Iterator[_Phrase]:
    """The same, in which many events that follow each other and differ in their units alone are told once."""
    for (_, rest), alike in groupby(phrases, key=_behind_unit):
        several = [*alike]
        units = dict.fromkeys(phrase.removesuffix(rest).rstrip() for phrase, *_ in several)
        if rest and len(units) == len(several) >= MANY:
            each = f"each of {listed(units)} {rest}" if language() == ENGLISH else f"{listed(units)}{rest}"
            yield each, "", several[0][-1]
        else:
            yield from several


def _behind_unit(one: _Phrase) -> tuple[str | None, str]:
    """What is told of a unit behind its name, by which events are alike; "" of a fight, and where no unit begins."""
    phrase, name, item = one
    if not name or item["fight"] or not phrase.startswith(name):
        return item["what"], ""
    mark = f"({item['facts']['unit']})"
    mark = f"{mark} " if language() == ENGLISH else f" {mark}"  # a name there has its blank behind it
    return item["what"], phrase.removeprefix(name).removeprefix(mark)


def _phrase(item: Json, head: str | None) -> str:
    """What is said of an event that has this headline, or none of its own; it may stand in the middle of a sentence."""
    told = bare(item["told"] if head is None else head)
    return told[0].lower() + told[1:] if told.startswith(ARTICLES) else told


def _by_rounds(items: Iterable[Json]) -> tuple[list[Json], list[list[Json]]]:
    """All other events of an action, and those of each round of a battle, with what came of it."""
    others: list[Json] = []
    rounds: list[list[Json]] = []
    inside = False
    for item in items:
        number = item["facts"].get("round")
        if number is not None and not (inside and rounds[-1][0]["facts"]["round"] == number):
            rounds.append([])
            inside = True
        elif item["what"] in ENDS:
            inside = False
        (rounds[-1] if inside else others).append(item)
    return others, rounds


def _round(items: list[Json], teller: Teller) -> str:
    """`round 1: Shibata Katsuie (sb-01) inflicted two losses with strength 22; ...`; who lost a step by sides."""
    told = []
    events = [item for item in items if item["kind"] == "tell"]
    for (what, side), alike in groupby(events, key=lambda item: _lost(item, teller.names.unit_side)):
        several = [*alike]
        if what == STEP and len(several) > 1:
            units = listed(teller.names.unit(item["facts"]["unit"]) for item in several)
            told.append(say("of %(side)s %(units)s lost a step each", side=teller.names.the(side), units=units))
        else:
            told += [_phrase(item, teller.head(item)) for item in several]
    return say("round %(number)s: %(told)s", number=items[0]["facts"]["round"], told=clauses(filter(None, told)))


def _by_flights(items: Iterable[Json]) -> tuple[list[Json], list[list[Json]]]:
    """All other events of an action, and those of the flight of each force, with what it cost it."""
    others: list[Json] = []
    flights: list[list[Json]] = []
    fleeing = False
    for item in items:
        if item["what"] == FLIGHT:
            flights.append([])
        fleeing = item["what"] == FLIGHT or (fleeing and item["what"] != ENTRY)
        (flights[-1] if fleeing else others).append(item)
    return others, flights


def _fled(flights: Iterable[list[Json]], teller: Teller) -> Iterator[str]:
    """`flight of sb-01: 1 (mean 3.5); Shibata Katsuie went back ...`; what was to be expected of several alike once."""
    for chances, alike in groupby(flights, key=lambda flight: flight[0]["chances"]):
        several = [*alike]
        if len(several) > 1:
            yield say("flight of each of %(number)s forces: %(dice)s", number=len(several), dice=_expected(chances))
        for begun, *rest in several:
            die = _dice(begun if len(several) == 1 else {**begun, "chances": []}, teller)
            came = _headline({"items": rest}, teller).removesuffix(".")
            yield clauses(filter(None, [die, came]))


def paragraphs(items: Iterable[Json]) -> list[list[Json]]:
    """The events of an action; those of a battle in paragraphs: each round, its end, the flight of each force."""
    found: list[list[Json]] = [[]]
    last = None
    for item in items:
        number = item.get("facts", {}).get("round")
        begins = item.get("what") in ENDS | {FLIGHT} or (number is not None and number != last)
        last = number or last
        if begins and found[-1]:
            found.append([])
        found[-1].append(item)
    return found


def _lost(item: Json, sides_of: Mapping[str, str]) -> tuple[str, str]:
    """What is the same of losses that are told together: the event, and whose unit it is."""
    return item["what"], sides_of.get(item["facts"].get("unit", ""), "")


def goes_on(item: Json, later: Json) -> bool:
    """Whether a retreat goes on in a later event, hex by hex: the last one tells where it ends."""
    before, then = item["facts"], later["facts"]
    same = item["what"] == later["what"] == "retreat" and before.get("unit") == then.get("unit")
    return same and bool(before.get("to", "") == then.get("from"))


def _all_dice(items: Iterable[Json], teller: Teller) -> list[str]:
    """The dice of some events, those of each in a line."""
    told = [_dice(item, teller) for item in items if item["rolls"]]
    return [line for line in told if line]


def _dice(item: Json, teller: Teller) -> str:
    """`melee: 6 and 4, sum 10 (mean 7); expected no effect 28 %, M3 72 %`, dice `fire: 2 and 9 (mean 6.5 each)`."""
    told = []
    if item["facts"].get("whose") and not item["facts"].get("unit"):
        return _dice_of_sides(item)
    for (name, sides, single), rolls in groupby(item["rolls"], key=lambda roll: _alike(roll, item, teller)):
        several = list(rolls)
        if single and len(several) > 1:
            dice = listed(roll["dice"][0] for roll in several)
            told.append(
                say("%(name)s: %(dice)s (mean %(mean)s each)", name=name, dice=dice, mean=f"{(sides + 1) / 2:g}")
            )
            continue
        told += [_thrown(roll, name, len(roll.get("dice", ())) * (sides + 1) / 2) for roll in several]
    return clauses([*told, _expected(item["chances"])] if _says_more(item) else told)


def _thrown(roll: Json, name: str, mean: float) -> str:
    """The dice of one roll, or what was drawn."""
    if "drawn" in roll:
        drawn = count(len(roll["drawn"]), "counter", "counters")
        return say("%(counters)s drawn out of %(number)s", counters=drawn, number=roll["of"])
    dice = roll["dice"]
    if len(dice) == 1:
        return say("%(name)s: %(die)s (mean %(mean)s)", name=name, die=dice[0], mean=f"{mean:g}")
    thrown, total = listed(dice), sum(dice)
    return say("%(name)s: %(dice)s, sum %(sum)s (mean %(mean)s)", name=name, dice=thrown, sum=total, mean=f"{mean:g}")


def _says_more(item: Json) -> bool:
    """Whether the chances of an event say more than the mean of its dice: not where each sum brings another result."""
    sums = [len(roll["dice"]) * (roll["sides"] - 1) + 1 for roll in item["rolls"] if "dice" in roll]
    return bool(item["chances"]) and sums != [len(item["chances"])]


def _dice_of_sides(item: Json) -> str:
    """`initiative: union 4, confederate 1`, of dice that the sides throw for themselves."""
    told = []
    for kind, rolls in groupby(item["rolls"], key=lambda roll: roll["label"].split("/")[0]):
        thrown = [f"{shown(dice_side(roll['label'], item['facts']))} {listed(roll['dice'])}" for roll in rolls]
        told.append(say("%(name)s: %(dice)s", name=shown(kind), dice=also(thrown)))
    return clauses(told)


def _expected(chances: Iterable[Json]) -> str:
    """`expected no effect 28 %, M3 72 %`; `expected defender f, attacker D 28 %; defender F, attacker f 72 %`."""
    told = [f"{shown(chance['what'])} {shown(chance['per_cent'])}" for chance in chances]
    return say("expected %(chances)s", chances=clauses(told) if any("," in each for each in told) else also(told))


def _alike(roll: Json, item: Json, teller: Teller) -> tuple[str, int, bool]:
    """What is the same of rolls that are told together: the name, a die's sides, whether it is a single die."""
    name = roll_of(roll, item, teller.names.unit_side, teller.names.called)
    return name, roll.get("sides", 0), len(roll.get("dice", ())) == 1


def roll_of(roll: Json, item: Json, sides_of: Mapping[str, str], called: Mapping[str, str] = _BY_IDS) -> str:
    """`melee`; of what one unit rolls for itself, or in a round, also whose it is: `check of go-08`.

    Of an event that tells `titles` these are named: `die whether the Saika and Negoro act`. `sides_of` has the side of
    each unit: a die that is the other side's is rolled against it, `interception against gm-01`. One that each side
    throws for itself names that, `initiative of union`. `called` has what units are called that aren't by their ids.
    """
    label, unit, side = roll["label"], item["facts"].get("unit"), item["facts"].get("side")
    kind = shown(label.split("/")[0])
    if item["facts"].get("whose") and not unit:
        return say("%(kind)s of %(unit)s", kind=kind, unit=shown(dice_side(label, item["facts"])))
    if titles := item["facts"].get("titles"):
        return say("die whether the %(titles)s act", titles=listed(titles))
    if not unit or (item["fight"] and "round" not in item["facts"]):
        return kind
    name = called.get(unit, unit)
    if side and sides_of.get(unit, side) != side:
        return say("%(kind)s against %(unit)s", kind=kind, unit=name)
    return say("%(kind)s of %(unit)s", kind=kind, unit=name)


# --- set-ups ---------------------------------------------------------------------------------------------------------


def is_setup(action: Json) -> bool:
    """Whether an action is the set-up of a unit."""
    return [item["what"] for item in action["items"]] == ["setup"]


_Joined: TypeAlias = tuple[str, int]
"""A headline and of how many actions it is; none where another one tells the action."""


def _setups(actions: list[Json], teller: Teller, formations: Mapping[str, str]) -> dict[int, _Joined]:
    """Number of the action -> the headline of all units of its formation that were set up in this phase.

    Of a unit that was put elsewhere afterwards it tells where it stands at last.
    """
    found: dict[tuple[str, str], dict[str, Json]] = {}
    first: dict[tuple[str, str], int] = {}
    for number, action in enumerate(actions):
        if is_setup(action):
            facts = action["items"][0]["facts"]
            formation = teller.names.formation.get(facts["unit"], "")
            side = teller.names.unit_side.get(facts["unit"], "")
            first.setdefault((side, formation), number)
            found.setdefault((side, formation), {})[facts["unit"]] = facts
    told: dict[int, _Joined] = {number: ("", 0) for number, action in enumerate(actions) if is_setup(action)}
    for (side, formation), last in found.items():
        units = [*last.values()]
        on_table = teller.names.spot(units[0]["at"]) is not None
        title = put_formation(formation, formations)
        ways = {facts.get("facing", "") for facts in units}
        alike = ways.pop() if len(ways) == 1 else ""
        together: dict[tuple[str, ...], list[Json]] = {}
        for facts in units:
            alone = "strength" in facts and len(facts["units"]) == 1
            together.setdefault((facts["at"], str(facts["shut-in"])) if alone else (facts["unit"],), []).append(facts)
        if on_table:
            parts = [*rows_of(units, teller, alike=not ways)]
        else:
            parts = [_posts(several, teller, alike=not ways) for several in together.values()]
        where = clauses(parts) if on_table or "strength" in units[0] else also(parts)
        whose = also(filter(None, [teller.names.side(side), title]))
        told[first[side, formation]] = _set_up(whose, shown(alike), where), len(units)
    return told


def _set_up(whose: str, facing: str, where: str) -> str:
    """Where a formation was set up, with how all of it face."""
    if facing:
        return say("%(whose)s, set up facing %(facing)s: %(where)s.", whose=whose, facing=facing, where=where)
    return say("%(whose)s, set up: %(where)s.", whose=whose, where=where)


def _moves(actions: list[Json], teller: Teller, formations: Mapping[str, str]) -> dict[int, _Joined]:
    """Number of the action -> the headline of all units of its formation that went alike over a table in this phase.

    How they went are the words that the system's headlines have for that; where one unit alone went so it is none.
    """
    found: dict[tuple[str, str, str], list[tuple[int, Json]]] = {}
    for number, action in enumerate(actions):
        item, *more = action["items"]
        facts = item["facts"]
        alone = not more and bool(facts.get("path")) and teller.names.spot(facts["path"][-1]) is not None
        if alone and (how := teller.together(item)):
            unit = facts["unit"]
            whose = teller.names.unit_side[unit], teller.names.formation.get(unit, "")
            found.setdefault((*whose, how), []).append((number, {**facts, "at": facts["path"][-1]}))
    told: dict[int, _Joined] = {}
    for (side, formation, how), went in found.items():
        if len(went) > 1:
            title = put_formation(formation, formations)
            rows = clauses(rows_of([facts for _, facts in went], teller, alike=True))
            told |= {number: ("", 0) for number, _ in went}
            who, many = also(filter(None, [teller.names.side(side), title])), count(len(went), "unit", "units")
            line = say("%(whose)s, %(units)s %(how)s: %(rows)s.", whose=who, units=many, how=how, rows=rows)
            told[went[0][0]] = line, len(went)
    return told


def _posts(several: list[Json], teller: Teller, *, alike: bool) -> str:
    """Where a unit was set up, or several in one place, each a force by itself."""
    facts, *others = several
    if not others:
        return _post(facts, teller, alike=alike)
    strengths = [each["strength"] for each in several]
    units, at = teller.names.units(each["unit"] for each in several), teller.names.at(facts["at"])
    if len({*strengths}) > 1:
        told = say(
            "%(units)s %(at)s, each alone, strength %(strengths)s", units=units, at=at, strengths=listed(strengths)
        )
    else:
        told = say("%(units)s %(at)s, each alone, strength %(number)s each", units=units, at=at, number=strengths[0])
    return _shut_in(told, facts)


def _shut_in(told: str, facts: Json) -> str:
    """Who was set up, with that he is shut in a castle if he is."""
    return say("%(force)s, shut in", force=told) if facts["shut-in"] else told


def rows_of(units: Iterable[Json], teller: Teller, *, alike: bool) -> Iterator[str]:
    """Where units were set up on a table, row by row, with how they face if not all face `alike`.

    `10 inches from the Red edge sp-1 (12 10) and sp-2 (8 10) in the left third, facing south-east, ...`.
    """
    rows: dict[str, dict[tuple[str, str], list[str]]] = {}
    for facts in units:
        where, coordinates = teller.names.spot(facts["at"]) or ("", "")
        third, _, edge = where.partition(also(["", ""]))
        row = rows.setdefault(edge, {}).setdefault((third, "" if alike else facts["facing"]), [])
        row.append(f"{facts['unit']} ({also([coordinates, *([shown(facts['shape'])] if 'shape' in facts else [])])})")
    for edge, thirds in rows.items():
        told = also(_in_row(listed(ids), third, shown(way)) for (third, way), ids in thirds.items())
        yield say("%(edge)s %(units)s", edge=edge, units=told)


def _in_row(units: str, third: str, facing: str) -> str:
    """Units in a third of a row, with how they face."""
    if facing:
        return say("%(units)s %(third)s, facing %(facing)s", units=units, third=third, facing=facing)
    return say("%(units)s %(third)s", units=units, third=third)


def _post(facts: Json, teller: Teller, *, alike: bool) -> str:
    """Where a unit was set up, `sp-2 1812 facing south-east`; if all face `alike`, without that.

    Of a force who leads it and its strength: `Gamo Ujisato (gm-01) and 2 more in Hino (4420), strength 7, shut in`.
    """
    if "strength" in facts:
        return _shut_in(_force(facts, teller), facts)
    if alike or "facing" not in facts:
        return f"{facts['unit']} {facts['at']}"
    post, facing = f"{facts['unit']} {facts['at']}", shown(facts["facing"])
    return say("%(post)s facing %(facing)s", post=post, facing=facing)


def _force(facts: Json, teller: Teller) -> str:
    """Who leads a force that was set up, where and how strong it is."""
    more = len(facts["units"]) - 1
    at, unit, strength = teller.names.at(facts["at"]), teller.names.unit(facts["unit"]), facts["strength"]
    if not more:
        return say("%(unit)s %(at)s, strength %(strength)s", unit=unit, at=at, strength=strength)
    return say(
        "%(unit)s and %(number)s more %(at)s, strength %(strength)s", unit=unit, number=more, at=at, strength=strength
    )
