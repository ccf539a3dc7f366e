"""A game so far: what happened in each turn, what it cost, how it stood then, and where each formation went.

`data` makes it of the situations at the ends of turns and of all steps, as plain JSON data; `text` and `html` lay it
out. The few events by which a turn is remembered, besides fights, losses and arrivals, are `of_turn` of a system's
headlines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from pbem.language import ENGLISH, also, clauses, language, listed, say, shown
from pbem.match.table import Table
from pbem.match.turn_ends import TurnEnds
from pbem.picture.news import is_fight
from pbem.report.build import counted
from pbem.report.layout import Json, capital, clean, count, plain, render, runs
from pbem.report.telling import Teller
from pbem.report.tracks import tracks
from pbem.scenario import Scenario, japanese_names
from pbem.scenario.days import Day, read_day
from pbem.words import turn_word

__all__ = ["data", "html", "score", "text"]

FEW = 6
"""So many units, places or events of a kind are named in a line; of more how many."""

LEGIBLE, WIDEST = 0.8, 2200
"""The zoom at which the small names of a map can be read, and so many pixels that are enough for any."""

NOTHING = "No fight, no loss, nobody arrived."


def data(table: Table, ends: TurnEnds, scenario: Scenario, compiled: Path | None = None) -> Json:
    """The game so far as plain JSON data; `ends` have looked on while the table was replayed from its first entry.

    `compiled` is a folder for compiled templates.
    """
    stood, steps = ends.of(table), table.steps
    head, names = scenario.data["scenario"], dict[str, str]()
    formations = dict(head.get("formations", {}))
    if language() != ENGLISH:
        from pbem.report.put import put_situation, put_step

        names = japanese_names(scenario.system)
        stood = {turn: put_situation(situation, names) for turn, situation in stood.items()}
        steps = [put_step(step, names) for step in steps]
        formations = {formation: shown(title, names) for formation, title in formations.items()}
    now = clean(stood[max(stood)])
    teller = Teller(now, None, compiled)
    toll = table.rules.TOLL[0], shown(table.rules.TOLL[1]), table.rules.TOLL[2]
    last = max(stood)
    return {
        "so_far": 1,
        "game": table.genesis.game.hex(),
        "scenario": clean({"id": scenario.id, "title": shown(scenario.title, names), "system": scenario.system}),
        "date": clean(shown(head.get("date", ""))),
        "edition": table.rules.EDITION,
        "players": [{"name": p.name, "side": p.side} for p in table.genesis.players],
        "entry": {"seq": table.seq, "hash": table.head.hex()},
        "turn": last,
        "turns": now["turns"],
        "turn_title": turn_word(now),
        "outcome": _outcome(clean(table.outcome._asdict()), names) if table.outcome else None,
        "sides": [{"side": side["id"], "title": side["title"]} for side in now["sides"]],
        "toll": toll[1],
        "uncounted": [
            {"title": teller.names.the(side["id"]), "count": lost}
            for side in now["sides"]
            if (lost := _in_no_score(clean(steps), side["id"], toll, teller))
        ],
        "calendar": [*_calendar(table, steps, stood, now, teller, read_day(head.get("first-day")))],
        "marks": [*_marks(clean(steps), teller)],
        "tracks": [*_tracks(table, stood, formations, teller)],
    }


def _outcome(outcome: Json, names: Mapping[str, str]) -> Json:
    """How the game ended, with why in the language in force."""
    return {**outcome, "reason": shown(outcome["reason"], names)}


def _marks(steps: Iterable[Json], teller: Teller) -> Iterator[Json]:
    """What the map of the whole game has signs of, each with its place: fights, and what the system's headlines say."""
    for step in (step for step in steps if step["kind"] == "tell"):
        if is_fight(step):
            yield {"at": step["facts"]["at"], "sign": "", "means": "fight"}
        elif (found := teller.sign_of_turn(step)) is not None:
            yield {"at": step["facts"]["at"], "sign": found[0], "means": found[1]}


def _tracks(table: Table, stood: Mapping[int, Json], titles: Mapping[str, str], teller: Teller) -> Iterator[Json]:
    """The tracks of formations, with their places in words."""
    for track in clean(tracks(stood, table.rules.maps(table.board), titles)):
        teller.names.forget()
        gone = "army" in track and track["stands"][-1]["turn"] < max(stood)
        ends = [say("Then who led it was gone, and its line ends")] if gone else []
        told = [*_stays(track["stands"], teller), *ends]
        yield {**track, "told": told}


def _stays(stands: Iterable[Json], teller: Teller) -> Iterator[str]:
    """`Turns 2 to 4: Lee (lee) at Culpeper (S1418)`: who marked where a formation stood, and at which turns' ends."""
    for (unit, at), alike in groupby(stands, key=lambda stand: (stand["unit"], stand["at"])):
        turns = [stand["turn"] for stand in alike]
        behind = [turn for turn in turns if turn]
        word = teller.names.turn
        when = [say("start")] * (len(behind) < len(turns))
        when += [say("%(turn)s %(number)s", turn=word, number=runs(behind))] if len(behind) == 1 else []
        when += [say("%(turn)ss %(numbers)s", turn=word, numbers=runs(behind))] if len(behind) > 1 else []
        who, where = teller.names.unit(unit), teller.names.at(at)
        yield say("%(when)s: %(unit)s %(at)s", when=capital(listed(when)), unit=who, at=where)


def _calendar(
    table: Table, all_steps: Sequence[Json], stood: Mapping[int, Json], now: Json, teller: Teller, first_day: Day | None
) -> Iterator[Json]:
    """Each turn: its date, what happened in it in a few lines, losses in it and in all, how things stood then."""
    steps: dict[int, list[Json]] = {}
    for step in all_steps:
        turn = step["facts"]["turn"] if step["kind"] == "tell" and step["what"] == "phase" else step["turn"]
        steps.setdefault(turn, []).append(step)
    all_lost: Counter[str] = Counter()
    all_toll: Counter[str] = Counter()
    last = max(stood)
    for turn in range(1, last + 1):
        teller.names.forget()
        found: list[Json] = clean(steps.get(turn, []))
        lost, toll = _lost(found, stood.get(turn), teller), _toll(found, table, teller)
        all_lost.update({side: len(units) for side, units in lost.items()})
        all_toll.update(toll)
        yield {
            "turn": turn,
            "date": _date(first_day.after(turn - 1)) if first_day else "",
            "over": turn < last or table.outcome is not None,
            "told": [*_told(found, lost, toll, now, teller, table.rules.TOLL), *_gained(stood, turn)]
            or [shown(NOTHING)],
            "fights": sum(map(is_fight, found)),
            "sides": [
                {
                    "side": side["id"],
                    "lost": teller.names.both(lost.get(side["id"], ())),
                    "lost_so_far": all_lost[side["id"]],
                    "toll": toll[side["id"]],
                    "toll_so_far": all_toll[side["id"]],
                }
                for side in now["sides"]
            ],
            "score": [*score(clean(stood[turn]), teller)] if turn in stood else [],
        }


def _date(day: Day) -> str:
    """A day in the language in force."""
    return (
        str(day)
        if language() == ENGLISH
        else say("%(year)s-%(month)s-%(day)s", year=day.year, month=day.month, day=day.day)
    )


# --- what it cost -----------------------------------------------------------------------------------------------------


def _events(steps: Iterable[Json], *what: str) -> Iterator[Json]:
    return (step for step in steps if step["kind"] == "tell" and step["what"] in what)


def _lost(steps: Sequence[Json], after: Json | None, teller: Teller) -> dict[str, list[str]]:
    """Side -> its units that were removed, without counters that count as no lost units, as those of substitutes."""
    found: dict[str, list[str]] = {}
    for unit in _removed(steps):
        if unit not in _spare(after):
            found.setdefault(teller.names.unit_side[unit], []).append(unit)
    return found


def _removed(steps: Iterable[Json]) -> list[str]:
    return [step["facts"]["unit"] for step in _events(steps, "remove")]


def _spare(after: Json | None) -> set[str]:
    """The units that a situation counts neither as lost for good nor as lost and to come back: free counters."""
    if after is None:
        return set()
    lost = {unit for side in after["sides"] for unit in (*side["lost"], *side.get("back", ()))}
    return {unit["id"] for unit in after["units"]} - lost


def _toll(steps: Sequence[Json], table: Table, teller: Teller) -> Counter[str]:
    """Side -> what its units lost of themselves, as the rules count it."""
    found: Counter[str] = Counter()
    for what, fact in table.rules.TOLL[2].items():
        for step in _events(steps, what):
            side = teller.names.unit_side[step["facts"]["unit"]]
            found[side] += step["facts"].get(fact, 0) if fact else 1
    return found


# --- what happened ----------------------------------------------------------------------------------------------------


def _told(
    steps: Sequence[Json],
    lost: Mapping[str, Sequence[str]],
    toll: Mapping[str, int],
    now: Json,
    teller: Teller,
    of: tuple[str, str, Any],
) -> Iterator[str]:
    """What happened in a turn: what it is remembered by, its fights, who lost what, who arrived."""
    events = _remembered(steps, teller)
    if events:
        yield say("%(told)s.", told=capital(clauses(events)))
    yield from _fights(steps, now, teller)
    for side in now["sides"]:
        yield from _losses(steps, side, lost.get(side["id"], ()), toll[side["id"]], teller, of)
    for side in now["sides"]:
        came = [step["facts"] for step in _events(steps, "reinforcements") if step["facts"]["side"] == side["id"]]
        units = list(dict.fromkeys(unit for facts in came for unit in facts["units"]))
        if units:
            yield say("%(side)s received %(units)s.", side=side["title"], units=listed(_few_units(units, teller)))


def _losses(
    steps: Sequence[Json], side: Json, units: Sequence[str], points: int, teller: Teller, of: tuple[str, str, Any]
) -> Iterator[str]:
    """What a side lost in a turn: its units, how much these lost of themselves, and counters that are no lost units."""
    named, who = listed(_few_units(units, teller)), side["title"]
    weighed = f"{points} {shown(of[points != 1])}"
    free = _in_no_score(steps, side["id"], of, teller)
    told = say("%(units)s, and %(toll)s in all", units=named, toll=weighed) if points and units else named or weighed
    if points or units:
        if not free:
            yield say("%(side)s lost %(units)s.", side=who, units=told)
        elif free < points:
            yield say("%(side)s lost %(units)s, %(number)s of that in no score.", side=who, units=told, number=free)
        else:
            yield say("%(side)s lost %(units)s, all of that in no score.", side=who, units=told)
    spare = [unit for unit in _removed(steps) if unit not in units and teller.names.unit_side[unit] == side["id"]]
    if len(spare) > 1:
        off = teller.names.units(spare)
        yield say("%(side)s took off the map %(units)s, counters that count as no lost units.", side=who, units=off)
    elif spare:
        off = teller.names.units(spare)
        yield say("%(side)s took off the map %(unit)s, a counter that counts as no lost unit.", side=who, unit=off)


def _in_no_score(steps: Iterable[Json], side: str, of: tuple[str, str, Any], teller: Teller) -> int:
    """How much of what a side's units lost of themselves counts in no score, as its events say."""
    lost = [step["facts"] for step in _events(steps, *of[2]) if step["facts"].get("counted") is False]
    return sum(facts["points"] for facts in lost if teller.names.unit_side[facts["unit"]] == side)


def _remembered(steps: Sequence[Json], teller: Teller) -> list[str]:
    """What is said of the events by which a turn is remembered, of each kind of a few; none that need no headline."""
    found = [step for step in steps if step["kind"] == "tell" and teller.of_turn(step["what"])]
    last = {(step["what"], step["facts"].get("at")): step for step in found}
    found = [s for s in found if not teller.last_of_turn(s["what"]) or last[s["what"], s["facts"].get("at")] is s]
    named = {phrase: step["what"] for step in found if (phrase := teller.in_turn(step))}
    told, often = [], Counter[str]()
    for phrase, what in named.items():
        often[what] += 1
        told += [phrase] if often[what] <= FEW else []
    rest = len(named) - len(told)
    if rest:
        told.append(say("%(number)s more events", number=rest) if rest > 1 else say("1 more event"))
    return told


def _fights(steps: Sequence[Json], now: Json, teller: Teller) -> Iterator[str]:
    """`Four fights: at Culpeper (S2310), twice, and in hex S1418.`; on a table only how many."""
    where = Counter(step["facts"]["at"] for step in steps if is_fight(step))
    if not where:
        return
    many = capital(count(where.total(), "fight", "fights"))
    if now.get("table"):
        yield say("%(told)s.", told=many)
        return
    told = [_often(teller.names.at(at), n) for at, n in where.most_common()]
    rest = len(told) - FEW
    told = [*told[:FEW], say("%(number)s more places", number=rest)] if rest > 1 else told
    yield say("%(fights)s: %(places)s.", fights=many, places=clauses(told))


def _often(where: str, times: int) -> str:
    """A place with how often there was a fight: `at Culpeper (S2310), twice`."""
    if times == 1:
        return where
    if times == 2:
        return say("%(where)s, twice", where=where)
    return say("%(where)s, %(number)s times", where=where, number=times)


def _few_units(units: Sequence[str], teller: Teller) -> list[str]:
    """The first of units, and how many more there are."""
    named, rest = [teller.names.unit(unit) for unit in units], len(units) - FEW
    return [*named[:FEW], say("%(number)s more", number=rest)] if rest > 1 else named


def _gained(stood: Mapping[int, Json], turn: int) -> Iterator[str]:
    """`Confederate score, from 24 to 36: stations destroyed +10, manpower of the Union +2.`; only what has changed."""
    before, after = (_counts(stood[end]) if end in stood else {} for end in (turn - 1, turn))
    for title, (now, parts) in after.items():
        was, had = before.get(title, (0, Counter()))
        changed = [f"{part} {parts[part] - had[part]:+d}" for part in {**parts, **had} if parts[part] != had[part]]
        if changed:
            parted = also(changed)
            if was != now:
                yield say(
                    "%(score)s, from %(was)s to %(now)s: %(changes)s.", score=title, was=was, now=now, changes=parted
                )
            else:
                yield say("%(score)s, %(now)s still: %(changes)s.", score=title, now=now, changes=parted)


def _counts(situation: Json) -> dict[str, tuple[int, Counter[str]]]:
    """What is counted -> the count, and what makes it up, of counts of which a change is told."""
    found: dict[str, tuple[int, Counter[str]]] = {}
    for entry in clean(situation["progress"]):
        if "short" in entry and "part" not in entry:
            found[entry["short"]] = entry["count"], Counter()
        elif "short" in entry and found:
            found[next(reversed(found))][1][entry["short"]] += entry["count"]
    return found


def score(situation: Json, teller: Teller) -> Iterator[Json]:
    """How far each side is with what can be counted, without what makes it up."""
    for entry in situation["progress"]:
        if "part" in entry:
            continue
        title = teller.names.side(entry["side"]) if entry["side"] else ""
        held = entry.get("holding")
        told = (
            say("%(number)s of %(all)s %(what)s", number=entry["count"], all=held["of"], what=entry["what"])
            if held
            else counted(entry)
        )
        yield {"side": entry["side"], "title": title, "told": told}


# --- laid out ---------------------------------------------------------------------------------------------------------


def text(given: Json, compiled: Path | None = None) -> str:
    """The game so far as text of the width of a report, in ASCII."""
    return render(given["scenario"]["system"], "so_far.txt.j2", plain(given), compiled)


def html(given: Json, drawn: Mapping[str, str], compiled: Path | None = None) -> str:
    """The game so far as one page; `drawn` are titles of maps, and the SVG of the tracks on each."""
    maps = [
        {"title": title, "svg": svg[svg.index("<svg") :], "large": min(round(_width(svg) * LEGIBLE), WIDEST)}
        for title, svg in drawn.items()
    ]
    more: dict[str, Any] = {"maps": maps}
    return render(given["scenario"]["system"], "so_far.html.j2", {**given, **more}, compiled)


def _width(svg: str) -> float:
    """How wide a picture is in its own units."""
    found = re.search(r'viewBox="\S+ \S+ ([0-9.]+)', svg)
    return float(found[1]) if found is not None else 0.0
