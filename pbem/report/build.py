"""The situation report: what happened, how things stand, what is asked; as plain JSON data, then as text or HTML.

`build` makes the data (docs/report.schema.json) from what the log tells; `text` and `html` lay them out
through templates/. The sentences of a system's events are macros in templates/SYSTEM/events.j2, so a new system needs
no change here; an event or phase without a macro gets a neutral sentence. Of the events, some names mean the same in
every system: `phase` begins a group of news, `remove` is a loss, `control` a change of control, `reinforcements` an
arrival, `lost_fire` a fire that lapses, `move` and the like have `unit` and `path`, fights have `from`, `at` and
`result`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

from pbem.language import ENGLISH, language, say
from pbem.records import NamedTuple
from pbem.report.actions import Actions, placed
from pbem.report.forces import forces_told, strongholds_told
from pbem.report.headlines import headlined
from pbem.report.layout import WIDTH, Json, amount, bare, clean, fill, picture_mark, plain, render, said_once
from pbem.report.luck import bars, curve, luck_of_game, luck_of_news
from pbem.report.telling import DirectionOf, Teller, describe
from pbem.rules.fates import LOST
from pbem.wire.notes import tidy

__all__ = ["SCREEN_LINES", "WIDTH", "Part", "build", "counted", "describe", "headline", "html", "standings", "text"]


SCREEN_LINES = 24
"""Lines of a screen."""

PART = 480
"""Pixels that a part of a map is wide at most (pbem.picture.crops)."""

LEGIBLE = 0.645
"""The smallest zoom of a table that can be read: its ids have 9 pixels then (pbem.picture.table.signs)."""


class Part(NamedTuple):
    """A part of the maps on a page, or the key of such parts: its title, SVG text, and the title of its map."""

    title: str
    svg: str
    key: bool
    map: str = ""


def build(report_input: Mapping[str, Any], direction: DirectionOf | None = None, compiled: Path | None = None) -> Json:
    """The report as plain JSON data, docs/report.schema.json; all strings in it are cleaned.

    `report_input` has the game, its players and reader, the new steps, the situation (docs/situation.schema.json),
    which dice are good, what is due, the standing orders (None where the rules have none) and the plans.
    `direction(from, to)` names the way between two adjacent hexes, "" for others.
    """
    given: Json = clean({key: value for key, value in report_input.items() if key != "japanese"})
    if language() != ENGLISH:
        from pbem.report.put import put

        given = put(given, report_input.get("japanese", {}))
    situation: Json = given["situation"]
    teller = Teller(situation, direction, compiled)
    reader = next((player for player in given["players"] if player["name"] == given["reader"]), None)
    steps = [placed(step) for step in given["steps"]]
    _sort(situation, reader)
    sides = situation["sides"]
    news = Actions(teller)
    for step in steps:
        news.add(step)
    due = {"sure": True, "rolled": False, "several": False, **given["due"]}
    other = next((player["name"] for player in given["players"] if player["name"] != due["player"]), "")
    left: Mapping[str, list[Json]] = given.get("left", {})
    now = None if situation["outcome"] else (situation["turn"], situation["phase"]["id"])
    return {
        "report": 1,
        **{key: given[key] for key in ("game", "scenario", "edition", "options", "players", "entry", "since", "head")},
        "reader": reader,
        "title": teller.title(situation["turn"], situation["phase"]["id"], situation["turns"]),
        "news": list(headlined(news.finish(now), teller, given.get("formations", {}))),
        "losses": _losses(steps, situation, teller),
        "victory": _victory(steps, situation, teller),
        "progress": _progress(situation, teller),
        "reinforcements": _reinforcements(steps, situation, teller),
        "situation": situation,
        "standing": [
            {"side": side["id"], "title": side["title"], "orders": given["standing"].get(side["id"], [])}
            for side in (sides if given["standing"] is not None else ())
        ],
        "planned": [
            {"side": side["id"], "title": side["title"], "plans": _plans(given.get("plans", {}), side["id"], teller)}
            for side in sides
        ],
        "lapses": [
            _lapse(step, teller, alone=news.tells_alone(step))
            for step in steps
            if step["kind"] == "lapse" or step.get("what") == LOST
        ],
        "luck": luck_of_news(news.rolls, sides, given["good"], teller),
        "luck_of_game": luck_of_game(given.get("fallen", {}), sides, given["good"]),
        "beside": [{**note, "text": tidy(note["text"])} for note in report_input.get("beside", [])],
        "notes": given["notes"],
        "charts": given.get("charts", []),
        "japanese": clean(_in_use(report_input.get("japanese", {}), given["scenario"], situation)),
        "checkpoint": _checkpoint(given["head"]),
        "due": {**due, "told": teller.due({**due, "other": other}, reader, situation["outcome"])},
    } | ({"left": [_left(side, left[side["id"]], teller) for side in sides]} if any(left.values()) else {})


def _in_use(japanese: Mapping[str, str], scenario: Json, situation: Json) -> dict[str, str]:
    """The Japanese names of what there is in this game."""
    table = situation.get("table") or {"kinds": {}, "pieces": ()}
    there = [scenario["title"], *(side["title"] for side in situation["sides"]), *table["kinds"].values()]
    there += [thing["name"] for thing in (*situation["places"], *situation["units"], *table["pieces"])]
    return {name: japanese[name] for name in there if name in japanese}


def _sort(situation: Json, reader: Json | None) -> None:
    """Put the reader's side first, and the units in the order of sides, then of places, or of formations; on a table in
    their own."""
    situation["sides"].sort(key=lambda side: reader is not None and side["id"] != reader["side"])
    order = {side["id"]: number for number, side in enumerate(situation["sides"])}
    if situation.get("table"):
        situation["units"].sort(key=lambda unit: order.get(unit["side"], len(order)))
        return
    if situation.get("by_formation"):
        place = {unit["formation"]: number for number, unit in reversed([*enumerate(situation["units"])])}
        situation["units"].sort(key=lambda unit: (order.get(unit["side"], len(order)), *_in_formation(unit, place)))
        return
    situation["units"].sort(key=lambda unit: (order.get(unit["side"], len(order)), unit["at"] or "", unit["id"]))


def _in_formation(unit: Json, place: Mapping[str, int]) -> tuple[int, bool]:
    """The place of a unit in the order of battle: its formation, and who leads that first."""
    return place[unit["formation"]], not unit.get("command")


def headline(steps: Iterable[Json], teller: Teller) -> str:
    """The headline of an order and all that came of it before another phase began, cleaned.

    What an earlier step of the phase ended with before it was given isn't told.
    """
    news, steps = Actions(teller), [*steps]
    begun = next((place for place, step in enumerate(steps) if step["kind"] == "order"), 0)
    for step in takewhile(lambda step: step.get("what") != "phase", steps[begun:]):
        news.add(placed(clean(step)))
    groups = headlined(news.finish(), teller, {}, apart=False)
    return " ".join(action["headline"] for group in groups for action in group["actions"] if action["headline"])


def _events(steps: Iterable[Json], what: str) -> list[Json]:
    return [step for step in steps if step["kind"] == "tell" and step["what"] == what]


def _told(step: Json, teller: Teller) -> Json:
    """An event of a summary: its facts and its sentence."""
    teller.names.forget()
    return {"facts": step["facts"], "clause": step["clause"], "told": teller.tell(step)[0]}


def _lapse(step: Json, teller: Teller, *, alone: bool) -> Json:
    """An order that lapsed, or a fire that was declared and lost, as the list of these shows it.

    One that the news tell `alone`, with all its words, is data and not shown there again.
    """
    if step["kind"] == "tell":
        facts = step["facts"]
        words = ["fire", facts["unit"], "at", facts["target"]]
        step = {**step, "side": teller.names.unit_side[facts["unit"]], "reason": facts["reason"], "words": words}
    kept = {key: step[key] for key in ("side", "clause", "reason")}
    return {**kept, "title": teller.names.side(step["side"]), "order": step["words"]} | (
        {"alone": True} if alone else {}
    )


def _left(side: Json, left: list[Json], teller: Teller) -> Json:
    """What is left of a side's entry for when it is asked again, each part as it is signed and in words."""
    teller.names.forget()
    before = dict(teller.names.stands)
    told = [{"order": found["order"], "told": teller.part(found["part"])} for found in left]
    told = said_once(told, [_once(found["order"], found["part"]) for found in left])
    teller.names.stands.update(before)
    return {"side": side["id"], "title": side["title"], "orders": told}


def _once(order: str, part: Json) -> tuple[str, bool] | None:
    """The key of what waits by which it is said once."""
    return (order, part["does"] == "watch") if part["tests"] else None


def _plans(planned: Json, side: str, teller: Teller) -> list[Json]:
    """What a side has planned in this turn, each as it is signed and in words."""
    teller.names.forget()
    return [
        {**{key: plan[key] for key in ("phase", "comes", "order", "times")}, "told": teller.plan(plan)}
        for plan in planned.get(side, [])
    ]


def _losses(steps: list[Json], situation: Json, teller: Teller) -> Json:
    return {
        "new": [_told(step, teller) for step in _events(steps, "remove")],
        "sides": [
            {"side": side["id"], "title": side["title"], "units": teller.names.both(side["lost"])}
            | ({"back": teller.names.both(side["back"])} if "back" in side else {})
            | {key: side[key] for key in ("leaders",) if key in side}
            for side in situation["sides"]
        ],
    }


def _victory(steps: list[Json], situation: Json, teller: Teller) -> Json | None:
    """Who holds the places that count for victory, and what changed; None where none are counted."""
    counted = {entry["side"]: entry for entry in situation["progress"] if "holding" in entry}
    if not counted:
        return None
    places = [place for place in situation["places"] if place["victory"]]
    first = next(iter(counted.values()))
    sides = [
        {
            "side": side["id"],
            "title": side["title"],
            "count": counted[side["id"]]["count"],
            "places": [{"at": p["at"], "name": p["name"]} for p in places if p["control"] == side["id"]],
        }
        for side in situation["sides"]
        if side["id"] in counted
    ]
    nobody = [{"at": place["at"], "name": place["name"]} for place in places if place["control"] is None]
    changes = [_told(step, teller) for step in _events(steps, "control")]
    words = {"what": first["what"], "needed": first["needed"], **first["holding"]}
    return {"changes": changes, "sides": sides, "nobody": nobody, **words}


def standings(situation: Json, reader: Json | None, teller: Teller) -> Json:
    """Who holds the places that count for victory, and how far each side is, of a situation that may come."""
    situation = clean(situation)
    _sort(situation, reader)
    return {"victory": _victory([], situation, teller), "progress": _progress(situation, teller)}


def _progress(situation: Json, teller: Teller) -> list[Json]:
    """How far each side is with each victory condition that can be counted, `told` in words with what makes it up."""
    found: list[Json] = []
    parts = 0
    for entry in (entry for entry in situation["progress"] if "holding" not in entry):
        if "part" in entry and found:
            found[-1]["told"] += f"{say('; ') if parts else say(': ')}{counted(entry)}"
            parts += 1
        else:
            title = teller.names.side(entry["side"]) if entry["side"] else None
            found.append({**entry, "title": title, "told": counted(entry)})
            parts = 0
    return found


def counted(entry: Json) -> str:
    """`units west of the river, 3 of 5`, or what the rules tell in its place."""
    halves, needed = entry["halves"], entry["needed"]
    if "told" in entry:
        return str(entry["told"])
    what, number = bare(entry["what"]), amount(entry["count"], halves)
    if needed is None:
        return say("%(what)s, %(number)s", what=what, number=number)
    most = amount(entry.get("of") or needed, halves)
    return say("%(what)s, %(number)s of %(all)s", what=what, number=number, all=most)


def _reinforcements(steps: list[Json], situation: Json, teller: Teller) -> Json:
    sides = [
        {
            "side": side["id"],
            "title": side["title"],
            "later": side["later"],
            "ready": teller.names.both(side["ready"]),
        }
        | {key: side[key] for key in ("leaders", "choice", "track") if key in side}
        for side in situation["sides"]
    ]
    return {"new": [_told(step, teller) for step in _events(steps, "reinforcements")], "sides": sides}


def _checkpoint(head: str) -> str:
    """The first half of a hash in groups of four, to be compared by voice: nobody can make two logs that share it."""
    return " ".join(head[i : i + 4] for i in range(0, 32, 4))


_LISTS: Json = {"forces": forces_told, "strongholds": strongholds_told}
"""What templates list of a game of forces."""


def text(data: Json, compiled: Path | None = None) -> str:
    """The report as text of at most WIDTH columns, made to be read aloud as well; all but a note is ASCII.

    What is longer than a screen says at its end once more whose move it is.
    """
    written = {key: value for key, value in data.items() if key not in ("beside", "japanese")}  # these aren't ASCII
    given = {"more": {}, **plain(written), "beside": data["beside"], "bars": bars(data), **_LISTS}
    told = render(data["situation"]["system"], "report.txt.j2", given, compiled)
    if told.count("\n") <= SCREEN_LINES:
        return told
    return f"{told}\n{fill(plain(data['due']['told']), '', '  ')}\n"


def html(
    data: Json,
    maps: Mapping[str, str] | None = None,
    compiled: Path | None = None,
    parts: Iterable[Part] = (),
    others: str = "",
) -> str:
    """The report as one page without scripts or outside resources; `maps` are titles and their SVG.

    `parts` of the maps show where something happened; `others` are the fights that are on the maps alone, as `fight 7`.
    """
    pictures: list[str] = []

    def mark(svg: str) -> str:
        pictures.append(svg[svg.index("<svg") :])
        return picture_mark(len(pictures) - 1)

    drawn = [
        {"title": title, "svg": mark(svg), "least": round(_width(svg) * LEGIBLE)} for title, svg in (maps or {}).items()
    ]
    shown = [{**part._asdict(), "svg": mark(part.svg), "wide": _is_wide(part.svg)} for part in parts]
    given = {"more": {}, **_LISTS, **data, "maps": drawn, "parts": shown, "others": others}
    return render(data["situation"]["system"], "report.html.j2", {**given, "curve": curve(data)}, compiled, pictures)


def _is_wide(svg: str) -> bool:
    """Whether a picture is wider than a part of a map is: a whole map at a glance, which has a row of its own."""
    return _width(svg) > PART


def _width(svg: str) -> int:
    """How wide a picture is in its own units; 0 where it doesn't say."""
    found = re.search(r'<svg\b[^>]* width="(\d+)', svg)
    return int(found[1]) if found is not None else 0
