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
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any

from pbem.picture.news import is_fight
from pbem.records import NamedTuple
from pbem.report.forces import forces_told, strongholds_told
from pbem.report.headlines import TALK, headlined
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
    situation: Json = given["situation"]
    teller = Teller(situation, direction, compiled)
    reader = next((player for player in given["players"] if player["name"] == given["reader"]), None)
    steps = [_placed(step) for step in given["steps"]]
    _sort(situation, reader)
    sides = situation["sides"]
    news = _News(teller)
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
    news, steps = _News(teller), [*steps]
    begun = next((place for place, step in enumerate(steps) if step["kind"] == "order"), 0)
    for step in takewhile(lambda step: step.get("what") != "phase", steps[begun:]):
        news.add(_placed(clean(step)))
    groups = headlined(news.finish(), teller, {}, apart=False)
    return " ".join(action["headline"] for group in groups for action in group["actions"] if action["headline"])


def _placed(step: Json) -> Json:
    """A step; the event that begins a phase belongs to it already."""
    if step["kind"] == "tell" and step["what"] == "phase":
        return {**step, "turn": step["facts"]["turn"], "phase": step["facts"]["phase"]}
    return step


NOTHING = "Nothing was done."
"""What is told of a phase in which nothing was done, whether somebody was asked in it or nobody."""


TOGETHER = 12
"""Of so many orders at most that lapsed and are told as one some have all their words; of more the first alone."""


class _News:
    """Groups steps by turn and phase, and in a phase by what belongs together: an order and all that came of it.

    Nothing came of what only ends a step of the phase; what begins or ends one by itself names it as its `step`.
    What `opens` an action, as dice for who may act next, is told with the one behind it.
    """

    def __init__(self, teller: Teller) -> None:
        self.rolls: list[tuple[Json, Json | None]] = []
        """Each roll or draw with the event that it decided."""
        self._teller = teller
        self._groups: list[Json] = []
        self._whole: list[Json] = []
        """Those of phases that began in these steps."""
        self._items: list[Json] = []
        self._order: Json | None = None
        self._pending: list[Json] = []
        self._dropped: list[Json] = []
        """Told of what was left out of an order that comes next."""
        self._behind: list[Json] = []
        """Told of what was left out of the order that is carried out, until all is told that came of it."""
        self._opening: list[Json] = []
        """Told of what opens the action that comes next."""
        self._fights = 0
        self._lapsed: dict[int, Json] = {}
        """Items of lapsed orders, by identity, with their steps."""
        self._together: set[int] = set()
        """The steps of lapsed orders, by identity, of which several are told as one."""
        self._before = frozenset[str]()
        """The units mentioned before what was told last."""
        self._answer: tuple[Json, frozenset[str]] | None = None
        """The answer told last, while nothing was told behind it, and the units mentioned before it."""

    def add(self, step: Json) -> None:
        """Take the next step; an order left over when its phase was over belongs to that phase."""
        over = self._groups[:-1] if step["kind"] == "lapse" else []
        own = next((group for group in over if all(group[key] == step[key] for key in ("turn", "phase"))), None)
        if own is not None:
            self._end()
            self._item(step)
            own["actions"].append({"order": None, "items": self._items})
            self._items = []
            return
        dropped = [] if step.get("what") == "drop" else self._of_order(step)
        if not self._groups or any(self._groups[-1][key] != step[key] for key in ("turn", "phase")):
            self._open(step)
        kind, what = step["kind"], step.get("what")
        if what == "drop" and not self._pending:
            self._dropped.append(step)
            return
        if kind == "tell" and step["facts"].get("opens"):
            self._opens(step)
            return
        if kind in ("order", "lapse", "stop", "say") or (kind == "answer" and not step["about"]):
            self._end()
        elif what in ("reinforcements", "setup", "end", "agreement") or "step" in step.get("facts", {}):
            self._close()
        if kind == "order":
            self._order = step
            self._begin(dropped)
        elif kind in ("roll", "draw"):
            self._pending.append(step)
        elif what == "phase":
            self._whole.append(self._groups[-1])
        else:
            self._item(step)
        if what == "agreement":
            self._close()

    def _opens(self, step: Json) -> None:
        """End the action before an event that opens the next one; an order that comes to nothing else is told by it."""
        rolls, self._pending = self._pending, []
        if not rolls and not self._items and not self._behind:
            self._order = None
        self._end()
        self._pending = rolls
        self._item(step)
        self._opening += self._items
        self._items = []

    def _of_order(self, step: Json) -> list[Json]:
        """What was left out of the order that a step is; of any other step it belongs to what came before."""
        dropped, self._dropped = self._dropped, []
        if step["kind"] == "order" and all(_words(before)[:2] == step["words"][:2] for before in dropped):
            return dropped
        for before in dropped:
            self._item(before)
        return []

    def _begin(self, dropped: Iterable[Json]) -> None:
        """Tell of what was left out of an order; of a way that is cut short, to its `end`, behind what came of it."""
        for told in dropped:
            if "end" in told["facts"]:
                self._behind.append(told)
            else:
                self._item(told)

    def finish(self, now: tuple[int, str] | None = None) -> list[Json]:
        """The groups of all steps taken; the phase that it is `now` has only begun while nothing was done in it.

        Of a phase of nobody in which nothing was done there is nothing to tell.
        """
        for before in self._dropped:
            self._item(before)
        self._end()
        self._only_opened()
        for group in self._groups:
            group["actions"] = [*self._lapses_together(group["actions"])]
        for group in self._whole:
            self._only_ended(group)
        for group in self._groups[-1:]:
            group["begun"] = not group["actions"] and (group["turn"], group["phase"]) == now
        return [group for group in self._groups if group["side"] is not None or group["actions"] or group["begun"]]

    def _lapses_together(self, actions: Iterable[Json]) -> Iterator[Json]:
        """The actions, in which orders of a side that lapse one after another for one reason are told as one, by their
        first words; a few by all where these don't tell them apart, and many not at all where they tell few apart."""

        def why(action: Json) -> tuple[str, str, str] | None:
            items = action["items"]
            step = self._lapsed.get(id(items[0])) if len(items) == 1 else None
            return None if step is None else (step["side"], step["reason"], step["clause"])

        for reason, alike in groupby(actions, why):
            found = [*alike]
            steps = [self._lapsed[id(action["items"][0])] for action in found] if reason is not None else []
            apart = 4 * len({tuple(step["words"][:2]) for step in steps}) >= len(steps)
            if len(steps) > 1 and (apart or len(steps) <= TOGETHER):
                found[0]["items"][0]["told"] = self._teller.lapses(steps, whole=len(steps) <= TOGETHER)
                self._together |= {id(step) for step in steps}
                found = found[:1]
            yield from found

    def tells_alone(self, step: Json) -> bool:
        """Whether a lapsed order is told with all its words: no list has to tell it again."""
        return step["kind"] == "lapse" and id(step) not in self._together

    def _only_ended(self, group: Json) -> None:
        """Tell of a whole phase in which nothing was done but to end it what is told of one that nobody ended."""
        for action in group["actions"]:
            kinds = [item["kind"] for item in action["items"]]
            if len(group["actions"]) == 1 and kinds == ["order"] and action["order"] == [self._teller.names.closing]:
                action["items"][0]["told"] = NOTHING

    def _open(self, step: Json) -> None:
        """Begin the group of another phase."""
        if self._groups:
            self._end()
            self._only_opened()
        self._teller.names.forget()
        side = self._teller.names.phase_side(step["phase"])
        title = self._teller.title(step["turn"], step["phase"])
        group = {
            "turn": step["turn"],
            "phase": step["phase"],
            "side": side,
            "title": title,
            "begun": False,
            "actions": [],
        }
        self._groups.append(group)

    def _end(self) -> None:
        """End the action; an order that nothing came of and rolls that decided nothing told speak for themselves."""
        behind, self._behind = self._behind, []
        if self._order is not None and not self._items and not behind and not self._order.get("ends"):
            self._item(self._order)
        while self._pending:
            self._item(self._pending.pop(0))
        for dropped in behind:
            self._item(dropped)
        self._close()

    def _close(self) -> None:
        """End the action; rolls not told yet belong to what comes next."""
        if self._items:
            words = self._order["words"] if self._order else None
            opening = [] if {item["kind"] for item in self._items} <= TALK else self._opening
            self._groups[-1]["actions"].append({"order": words, "items": opening + self._items})
            self._opening = [] if opening else self._opening
        self._items, self._order = [], None

    def _only_opened(self) -> None:
        """End a group in which nothing has come yet of what opened an action."""
        if self._opening:
            self._groups[-1]["actions"].append({"order": None, "items": self._opening})
            self._opening = []

    def _item(self, step: Json) -> None:
        if self._answer is not None and self._items and self._teller.tells_answer(step, self._answer[0]):
            self._teller.names.forget(but=self._answer[1])
            self._items[-1]["told"], _ = self._teller.tell(self._answer[0], goes_on=True)
        self._answer = (step, self._teller.names.mentioned()) if step["kind"] == "answer" else None
        step = self._with_what_was_told(step)
        self._before = self._teller.names.mentioned()
        begun = self._order if step["kind"] == "tell" and not self._items else None
        if begun is not None and self._teller.tells_besides(begun):
            self._item({**begun, "followed": True})
        told, known = self._teller.tell(step)
        rolls = [step] if step["kind"] in ("roll", "draw") else []
        self.rolls += [(roll, None) for roll in rolls]
        if step["kind"] == "tell":
            rolls, self._pending = self._pending, []
            self.rolls += [(roll, step) for roll in rolls]
        fight = is_fight(step)
        if fight and any(item["fight"] for item in self._items):  # several were declared: each is told by itself
            order = self._order
            self._close()
            self._order = order
        self._fights += fight
        item = {"kind": step["kind"], "what": step.get("what"), "clause": step.get("clause"), "told": told}
        numbers = {"fight": step.get("fight", self._fights) if fight else None, "rolls": [_roll(r) for r in rolls]}
        chances = step.get("chances", []) if rolls else []
        used = {"by": step["by"], "side": step["side"]} if step["kind"] == "answer" and step.get("by") else {}
        facts = step.get("facts", {})
        self._items.append({**item, "known": known, "facts": facts, **numbers, "chances": chances, **used})
        if step["kind"] == "lapse":
            self._lapsed[id(self._items[-1])] = step

    def _with_what_was_told(self, step: Json) -> Json:
        """The step; with the sum of what was told of it just before, in whose place it is then told."""
        last = self._items[-1] if self._items else None
        if last is None or step["kind"] != "tell" or self._pending or last["what"] != step["what"]:
            return step
        name, facts = self._teller.summed(step), step["facts"]
        if not name or name != self._teller.summed(last) or last["rolls"] or not _alike(facts, last["facts"]):
            return step
        self._items.pop()
        self._teller.names.forget(but=self._before)
        return {**step, "facts": {**facts, name: last["facts"][name] + facts[name]}}


def _alike(facts: Json, others: Json) -> bool:
    """Whether the facts of two events differ in numbers alone."""
    return facts.keys() == others.keys() and all(
        fact == others[name] for name, fact in facts.items() if type(fact) is not int
    )


def _words(dropped: Json) -> list[str]:
    """The words of the order out of which something was left."""
    order: str | list[str] = dropped["facts"]["order"]
    return order.split() if isinstance(order, str) else order


def _roll(step: Json) -> Json:
    """A roll or draw as the report shows it: its name, its dice or counters."""
    result = step["result"]
    if step["kind"] == "draw":
        return {"label": step["label"], "drawn": result, "of": len(step["cup"])}
    return {"label": step["label"], "dice": result, "sides": step["sides"]}


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
            found[-1]["told"] += f"{'; ' if parts else ': '}{counted(entry)}"
            parts += 1
        else:
            title = teller.names.side(entry["side"]) if entry["side"] else None
            found.append({**entry, "title": title, "told": counted(entry)})
            parts = 0
    return found


def counted(entry: Json) -> str:
    """`units west of the river, 3 of 5`, or what the rules tell in its place."""
    halves, needed = entry["halves"], entry["needed"]
    most = "" if needed is None else f" of {amount(entry.get('of') or needed, halves)}"
    return str(entry.get("told", f"{bare(entry['what'])}, {amount(entry['count'], halves)}{most}"))


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
