"""The situation report: what happened, how things stand, what is asked; as plain JSON data, then as text or HTML.

`build` makes the data (docs/report.schema.json) from what the log tells; `text`, `html` and `mail_text` lay them out
through templates/. The sentences of a system's events are macros in templates/SYSTEM/events.j2, so a new system needs
no change here; an event or phase without a macro gets a neutral sentence. Of the events, six names mean the same in
every system: `phase` begins a group of news, `remove` is a loss, `control` a change of control, `reinforcements` an
arrival, `move` and the like have `unit` and `path`, fights have `from`, `at` and `result`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt
from pathlib import Path
from typing import Any

from pbem.report.layout import WIDTH, Json, clean, clean_text, fill, plain, render
from pbem.report.telling import DirectionOf, Teller, describe

__all__ = ["WIDTH", "build", "describe", "html", "mail_text", "short_mail_text", "text"]


def build(report_input: Mapping[str, Any], direction: DirectionOf | None = None, compiled: Path | None = None) -> Json:
    """The report as plain JSON data, docs/report.schema.json; all strings in it are cleaned.

    `report_input` has the game, its players and reader, the new steps, the situation (docs/situation.schema.json),
    which dice are good, what is due and the standing orders. `direction(from, to)` names the way between two adjacent
    hexes, "" for others.
    """
    given: Json = clean(report_input)
    situation: Json = given["situation"]
    teller = Teller(situation, direction, compiled)
    reader = next((player for player in given["players"] if player["name"] == given["reader"]), None)
    steps = [_placed(step) for step in given["steps"]]
    _sort(situation, reader)
    sides = situation["sides"]
    news = _News(teller)
    for step in steps:
        news.add(step)
    return {
        "report": 1,
        **{key: given[key] for key in ("game", "scenario", "edition", "options", "players", "entry", "since", "head")},
        "reader": reader,
        "title": teller.title(situation["turn"], situation["phase"]["id"], situation["turns"]),
        "news": news.finish(),
        "losses": _losses(steps, situation, teller),
        "victory": _victory(steps, situation, teller),
        "progress": _progress(situation, teller),
        "reinforcements": _reinforcements(steps, situation, teller),
        "situation": situation,
        "standing": [
            {"side": side["id"], "title": side["title"], "orders": given["standing"].get(side["id"], [])}
            for side in sides
        ],
        "lapses": [_lapse(step, teller) for step in steps if step["kind"] == "lapse"],
        "luck": _luck(news.rolls, sides, given["good"], teller),
        "notes": given["notes"],
        "charts": given.get("charts", []),
        "checkpoint": _checkpoint(given["head"]),
        "due": {**given["due"], "told": teller.due(given["due"], reader, situation["outcome"])},
    }


def _sort(situation: Json, reader: Json | None) -> None:
    """Put the reader's side first, and the units in the order of sides, then of places."""
    situation["sides"].sort(key=lambda side: reader is not None and side["id"] != reader["side"])
    order = {side["id"]: number for number, side in enumerate(situation["sides"])}
    situation["units"].sort(key=lambda unit: (order.get(unit["side"], len(order)), unit["at"] or "", unit["id"]))


def _placed(step: Json) -> Json:
    """A step; the event that begins a phase belongs to it already."""
    if step["kind"] == "tell" and step["what"] == "phase":
        return {**step, "turn": step["facts"]["turn"], "phase": step["facts"]["phase"]}
    return step


class _News:
    """Groups steps by turn and phase, and in a phase by what belongs together: an order and all that came of it."""

    def __init__(self, teller: Teller) -> None:
        self.rolls: list[tuple[Json, Json | None]] = []
        """Each roll or draw with the event that it decided."""
        self._teller = teller
        self._groups: list[Json] = []
        self._items: list[Json] = []
        self._order: Json | None = None
        self._pending: list[Json] = []

    def add(self, step: Json) -> None:
        """Take the next step."""
        if not self._groups or any(self._groups[-1][key] != step[key] for key in ("turn", "phase")):
            self._open(step)
        kind, what = step["kind"], step.get("what")
        if kind in ("order", "lapse", "stop", "say") or (kind == "answer" and not step["about"]):
            self._end()
        elif what in ("reinforcements", "setup", "end"):
            self._close()
        if kind == "order":
            self._order = step
        elif kind in ("roll", "draw"):
            self._pending.append(step)
        elif what != "phase":
            self._item(step)

    def finish(self) -> list[Json]:
        """The groups of all steps taken."""
        self._end()
        return self._groups

    def _open(self, step: Json) -> None:
        """Begin the group of another phase."""
        if self._groups:
            self._end()
        self._teller.names.forget()
        side = self._teller.names.phase_side(step["phase"])
        title = self._teller.title(step["turn"], step["phase"])
        group = {"turn": step["turn"], "phase": step["phase"], "side": side, "title": title, "actions": []}
        self._groups.append(group)

    def _end(self) -> None:
        """End the action; an order that nothing came of and rolls that decided nothing told speak for themselves."""
        if self._order is not None and not self._items:
            self._item(self._order)
        while self._pending:
            self._item(self._pending.pop(0))
        self._close()

    def _close(self) -> None:
        """End the action; rolls not told yet belong to what comes next."""
        if self._items:
            words = self._order["words"] if self._order else None
            self._groups[-1]["actions"].append({"order": words, "items": self._items})
        self._items, self._order = [], None

    def _item(self, step: Json) -> None:
        told, known = self._teller.tell(step)
        rolls = [step] if step["kind"] in ("roll", "draw") else []
        self.rolls += [(roll, None) for roll in rolls]
        if step["kind"] == "tell":
            rolls, self._pending = self._pending, []
            self.rolls += [(roll, step) for roll in rolls]
        item = {"kind": step["kind"], "what": step.get("what"), "clause": step.get("clause"), "told": told}
        self._items.append({**item, "known": known, "facts": step.get("facts", {}), "rolls": [_roll(r) for r in rolls]})


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


def _lapse(step: Json, teller: Teller) -> Json:
    """An order that lapsed, as the list of these shows it."""
    kept = {key: step[key] for key in ("side", "clause", "reason")}
    return {**kept, "title": teller.names.side(step["side"]), "order": step["words"]}


def _losses(steps: list[Json], situation: Json, teller: Teller) -> Json:
    return {
        "new": [_told(step, teller) for step in _events(steps, "remove")],
        "sides": [
            {"side": side["id"], "title": side["title"], "units": teller.names.both(side["lost"])}
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


def _progress(situation: Json, teller: Teller) -> list[Json]:
    """How far each side is with each victory condition that can be counted."""
    return [
        {**entry, "title": teller.names.side(entry["side"]) if entry["side"] else None}
        for entry in situation["progress"]
        if "holding" not in entry
    ]


def _reinforcements(steps: list[Json], situation: Json, teller: Teller) -> Json:
    sides = [
        {
            "side": side["id"],
            "title": side["title"],
            "later": side["later"],
            "ready": teller.names.both(side["ready"]),
        }
        for side in situation["sides"]
    ]
    return {"new": [_told(step, teller) for step in _events(steps, "reinforcements")], "sides": sides}


def _luck(rolls: Iterable[tuple[Json, Json | None]], sides: list[Json], good: Json, teller: Teller) -> list[Json]:
    """Sum of the dice against the mean, by side and kind of roll: every roll of the news counts, draws don't.

    `spread` is the standard deviation of such a sum. A roll counts for the side whose unit acts (or checks).
    """
    sums: dict[tuple[str | None, str, int], list[int]] = {}
    for roll, decided in rolls:
        if roll["kind"] == "roll":
            facts = decided.get("facts", {}) if decided else {}
            side = facts.get("side") or teller.names.unit_side.get(str(facts.get("unit")))
            sums.setdefault((side, roll["label"].split("/")[0], roll["sides"]), []).extend(roll["result"])
    rank = {side["id"]: number for number, side in enumerate(sides)}
    found = []
    for (side, kind, faces), results in sorted(sums.items(), key=lambda s: (rank.get(s[0][0] or "", 9), s[0][1:])):
        mean = len(results) * (faces + 1) / 2
        spread = round(sqrt(len(results) * (faces * faces - 1) / 12), 1)
        common = {"side": side, "title": teller.names.side(side) if side else "Either side", "kind": kind}
        numbers = {"dice": len(results), "sides": faces, "sum": sum(results), "mean": mean, "spread": spread}
        found.append({**common, **numbers, "good": good.get(kind)})
    return found


def _checkpoint(head: str) -> str:
    """The first half of a hash in groups of four, to be compared by voice: nobody can make two logs that share it."""
    return " ".join(head[i : i + 4] for i in range(0, 32, 4))


def text(data: Json, compiled: Path | None = None) -> str:
    """The report as ASCII text of at most WIDTH columns, made to be read aloud as well."""
    return render(data["situation"]["system"], "report.txt.j2", {"more": {}, **plain(data)}, compiled)


def html(data: Json, maps: Mapping[str, str] | None = None, compiled: Path | None = None) -> str:
    """The report as one page without scripts or outside resources; `maps` are titles and their SVG."""
    drawn = [{"title": title, "svg": svg[svg.index("<svg") :]} for title, svg in (maps or {}).items()]
    return render(data["situation"]["system"], "report.html.j2", {"more": {}, **data, "maps": drawn}, compiled)


def mail_text(data: Json, block: str, form_hint: str = "", compiled: Path | None = None) -> str:
    """The body of a mail: what it is, the text report, how to answer, then the turn block as it is."""
    given = {**plain(data), "body": text(data, compiled), "form_hint": plain(clean_text(form_hint))}
    return render(data["situation"]["system"], "mail.txt.j2", given, compiled) + "\n" + block


def short_mail_text(data: Json, compiled: Path | None = None) -> str:
    """The body of a mail in which there is no room for a report, without the turn block."""
    told = "The report is left out of this mail; `pbem open` shows it."
    given = {**plain(data), "body": f"{plain(data['title'])}.\n\n{fill(told, '', '')}", "form_hint": ""}
    return render(data["situation"]["system"], "mail.txt.j2", given, compiled)
