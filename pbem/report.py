"""The situation report: what happened, how things stand, what is asked; as plain JSON data, then as text or HTML.

`build` makes the data (docs/report.schema.json) from what the log tells; `text`, `html` and `mail_text` lay them out
through templates/. The sentences of a system's events are macros in templates/SYSTEM/events.j2, so a new system needs
no change here; an event or phase without a macro gets a neutral sentence. Of the events, six names mean the same in
every system: `phase` begins a group of news, `remove` is a loss, `control` a change of control, `reinforcements` an
arrival, `move` and the like have `unit` and `path`, fights have `from`, `at` and `result`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pbem.errors import Storage

if TYPE_CHECKING:
    from jinja2 import Environment, Template

__all__ = ["WIDTH", "build", "describe", "environment", "html", "mail_text", "picture_input", "text"]

WIDTH = 76  # columns of a text report: quoted twice it still fits into 80

Json: TypeAlias = dict[str, Any]
DirectionOf: TypeAlias = Callable[[str, str], str]

_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_LOOKALIKES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "×": "x", "ß": "ss", "ø": "o", "Ø": "O", "ł": "l"})


# --- strings from outside ----------------------------------------------------------------------------------------


def _clean(value: Any) -> Any:
    """JSON data with every string cleaned: no control or bidi characters, no line breaks, no run of dashes.

    A run of dashes could be taken for the fence of a turn block (protocol 2.4).
    """
    if isinstance(value, str):
        return _clean_text(value)
    if isinstance(value, Mapping):
        return {_clean_text(str(key)): _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    return value


def _clean_text(words: str) -> str:
    if words.isascii() and words.isprintable() and "---" not in words:
        return words
    kept = []
    for letter in unicodedata.normalize("NFKC", words):
        kind = unicodedata.category(letter)
        if letter.isspace():
            kept.append(" ")
        elif kind == "Pd" or letter == "\N{MINUS SIGN}":
            kept.append("-")
        elif kind[0] != "C":
            kept.append(letter)
    return re.sub("-{3,}", "--", " ".join("".join(kept).split()))


def _ascii(value: Any) -> Any:
    """JSON data in ASCII: accents dropped, what has no ASCII form becomes a question mark."""
    if isinstance(value, str):
        if value.isascii():
            return value
        letters = unicodedata.normalize("NFKD", value.translate(_LOOKALIKES))
        spelt = "".join(c for c in letters if not unicodedata.combining(c))
        return _clean_text(spelt.encode("ascii", "replace").decode("ascii"))
    if isinstance(value, dict):
        return {_ascii(key): _ascii(item) for key, item in value.items()}
    return [_ascii(item) for item in value] if isinstance(value, list) else value


def _fill(words: str, first: str = "  ", rest: str = "    ", width: int = WIDTH) -> str:
    """`words` as lines of at most `width` columns, indented; blanks are the only places to break, if there is one."""
    lines, line, empty = [], first, True
    for word in words.split():
        while True:
            if not empty and len(line) + 1 + len(word) > width:
                lines.append(line)
                line, empty = rest, True
            if len(line) + len(word) <= width:
                break
            room = width - len(line)
            lines.append(line + word[:room])
            line, word = rest, word[room:]
        line = line + word if empty else f"{line} {word}"
        empty = False
    return "\n".join([*lines, line.rstrip()])


def _called(things: Iterable[Json]) -> str:
    """Units or places in a list, each with its id or hex: `Akaike (1810) and 1122`."""
    pairs = [(thing["name"], thing.get("id") or thing["at"]) for thing in things]
    return _listed(f"{name} ({mark})" if name and name != mark else mark for name, mark in pairs)


def _bare(words: object) -> str:
    """A phrase without its full stop, to be put into a sentence."""
    return str(words).strip().rstrip(".")


# --- templates ---------------------------------------------------------------------------------------------------


@cache
def environment(compiled: Path | None = None) -> Environment:
    """The templates; `compiled` is a folder of the user's own that keeps them compiled. Raises Storage without it."""
    from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, select_autoescape

    from pbem.scenario import data_folder

    if compiled is not None and not compiled.is_dir():
        raise Storage("the folder for compiled templates is missing", where=str(compiled), hint="make it first")
    env = Environment(
        loader=FileSystemLoader(data_folder("templates")),
        bytecode_cache=FileSystemBytecodeCache(str(compiled)) if compiled else None,
        autoescape=select_autoescape(("html.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    env.filters.update(fill=_fill, bare=_bare, called=_called)
    env.globals.update(count=_count, listed=_listed, capital=_capital, width=WIDTH)
    return env


def _template(env: Environment, system: str, name: str) -> Template:
    """The template `name` of a system, or else the one for all systems. Raises Storage when there is none."""
    from jinja2 import TemplateError

    try:
        return env.select_template([f"{system}/{name}", name])
    except (TemplateError, OSError) as error:
        raise Storage(f"the template can't be used: {error}", where=name, hint="install pbem again") from error


# --- names -------------------------------------------------------------------------------------------------------


def _count(number: float, one: str, many: str) -> str:
    """A number and its noun: `one hex`, `two hexes`, `13 hexes`, `3.5 points`."""
    words = _NUMBERS[int(number)] if number in range(len(_NUMBERS)) else f"{number:g}"
    return f"{words} {one if number == 1 else many}"


def _listed(items: Iterable[object]) -> str:
    """`A, B and C`."""
    names = [str(item) for item in items]
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


class Names:
    """What a report calls units, places, sides and ways; an id stands behind a unit's name at its first mention."""

    def __init__(self, situation: Json, direction: DirectionOf | None = None) -> None:
        self.titles = {side["id"]: str(side["title"]) for side in situation["sides"]}
        self.unit_side = {unit["id"]: unit["side"] for unit in situation["units"]}
        self._unit_names = {unit["id"]: unit["name"] for unit in situation["units"]}
        self._places = {place["at"]: place["name"] for place in situation["places"] if place["name"]}
        self._direction = direction
        self._mentioned: set[str] = set()

    def mentioned(self) -> frozenset[str]:
        """The units mentioned so far."""
        return frozenset(self._mentioned)

    def forget(self, but: Iterable[str] = ()) -> None:
        """Begin a new passage: the next mention of each unit, `but` of these, counts as its first."""
        self._mentioned = set(but)

    def unit(self, unit: str) -> str:
        """`Denshutai 1st Battalion (sg-02)`, from the second mention on without the id."""
        name = self._unit_names.get(unit, unit)
        if unit in self._mentioned or name == unit:
            return str(name)
        self._mentioned.add(unit)
        return f"{name} ({unit})"

    def units(self, units: Iterable[str]) -> str:
        """Several units, or whatever else has an id, in words."""
        return _listed([self.unit(unit) for unit in units])

    def both(self, units: Iterable[str]) -> list[Json]:
        """Ids with their names, as data."""
        return [{"id": unit, "name": self._unit_names.get(unit, unit)} for unit in units]

    def side(self, side: str | None) -> str:
        """A side's title; `nobody` for None."""
        return self.titles.get(side, side) if side is not None else "nobody"

    def place(self, label: str) -> str:
        """`Akaike (1810)`, or `hex 1812` for a hex without a name."""
        return f"{self._places[label]} ({label})" if label in self._places else f"hex {label}"

    def at(self, label: str) -> str:
        """`at Akaike (1810)`, `in hex 1812`."""
        return f"{'at' if label in self._places else 'in'} {self.place(label)}"

    def way(self, start: str | None, path: Sequence[str]) -> str:
        """`two hexes north-east, then one hex east, to Akaike, 1810`; without directions `by 1709 to Akaike, 1810`."""
        end = path[-1] if path else str(start)
        goal = f"to {self._places[end]}, {end}" if end in self._places else f"to {end}"
        hexes = [*([start] if start and path[:1] != [start] else []), *path]
        runs: list[tuple[str, int]] = []
        for a, b in pairwise(hexes):
            towards = self._direction(a, b) if self._direction else ""
            if not towards:
                via = path[:-1]
                return f"by {_listed(via)} {goal}" if via else goal
            length = runs.pop()[1] if runs and runs[-1][0] == towards else 0
            runs.append((towards, length + 1))
        turns = ", then ".join(f"{_count(length, 'hex', 'hexes')} {towards}" for towards, length in runs)
        return f"{turns}{',' if len(runs) > 1 else ''} {goal}".strip()

    def signed(self, value: float) -> str:
        """`plus 2`, `minus 2`, `0`."""
        return f"{'plus' if value > 0 else 'minus'} {abs(value):g}" if value else "0"

    def phase(self, phase: str) -> str:
        """A phase without a title of its own: `satcho-fire` is `Satsuma-Choshu fire`."""
        for side, title in self.titles.items():
            if phase.startswith(f"{side}-"):
                return f"{title} {phase[len(side) + 1 :].replace('-', ' ')}"
        return _capital(phase.replace("-", " "))

    def value(self, value: Any) -> str:
        """Any fact in words."""
        if isinstance(value, list):
            return _listed([self.value(item) for item in value]) or "none"
        if isinstance(value, dict):
            return " ".join(f"{key} {self.value(item)}" for key, item in value.items())
        if value is None or isinstance(value, bool):
            return {None: "none", True: "yes", False: "no"}[value]
        return self.unit(value) if value in self._unit_names else self.titles.get(value, str(value))


# --- steps in words ----------------------------------------------------------------------------------------------


class Teller:
    """Puts steps into sentences with the macros of templates/SYSTEM/events.j2 and templates/events.j2."""

    def __init__(self, situation: Json, direction: DirectionOf | None, compiled: Path | None) -> None:
        env = environment(compiled)
        system = situation["system"]
        self.names = Names(situation, direction)
        self._neutral = _template(env, "", "events.j2").module
        self._own = _template(env, system, "events.j2").module

    def macro(self, name: str) -> Callable[..., str] | None:
        """The system's own macro, else the one for all systems."""
        name = name.replace("-", "_")
        found: Callable[..., str] | None = getattr(self._own, name, None) or getattr(self._neutral, name, None)
        return found

    def tell(self, step: Json) -> tuple[str, bool]:
        """A step's sentence, and whether it is its own: an event that no macro knows has a neutral one."""
        from jinja2 import UndefinedError

        kind = step["kind"]
        facts = step.get("facts", {}) if kind == "tell" else step
        macro = self.macro(f"tell_{step['what']}" if kind == "tell" else kind) if kind in _KINDS else None
        if macro is not None:
            mentioned = self.names.mentioned()
            try:
                return _squeeze(macro(facts, self.names)), True
            except (UndefinedError, TypeError, ValueError):
                self.names.forget(but=mentioned)
        rest = facts if kind == "tell" else {key: step[key] for key in step if key not in ("kind", "seq")}
        return _squeeze(self._say("unknown", step.get("what", kind), rest, self.names)), False

    def title(self, turn: int | None, phase: str | None, turns: int | None = None) -> str:
        """The heading of a phase: `Turn 2 of 8, Satsuma-Choshu Fire Phase`."""
        if phase is None:
            return "Before that"
        from jinja2 import UndefinedError

        try:
            name = self._say("phase_title", phase, self.names)
        except UndefinedError:
            name = self.names.phase(phase)
        last = f" of {turns}" if turns else ""
        return _squeeze(f"Turn {turn}{last}, {name}" if turn else name)

    def due(self, due: Json, reader: Json | None, outcome: Json | None) -> str:
        """What is asked, and of whom."""
        return _squeeze(self._say("due", due, self.names, reader, outcome))

    def good(self, kind: str) -> str | None:
        """Whether high or low dice are good for the side that a roll is counted for; None where nobody can say."""
        known: Mapping[str, str] = getattr(self._own, "good", {})
        return known.get(kind)

    def _say(self, name: str, *arguments: Any) -> str:
        macro = self.macro(name)
        if macro is None:
            raise Storage(f"the macro {name} is missing", where="events.j2", hint="install pbem again")
        return macro(*arguments)


_KINDS = frozenset(("order", "lapse", "roll", "draw", "answer", "stop", "say", "tell"))


def _squeeze(words: str) -> str:
    return " ".join(words.split())


def describe(step: Json, situation: Json, direction: DirectionOf | None = None, compiled: Path | None = None) -> str:
    """One step of the log in a sentence; strings from outside are cleaned, not reduced to ASCII."""
    return Teller(_clean(situation), direction, compiled).tell(_clean(step))[0]


# --- the report as data ------------------------------------------------------------------------------------------


def build(report_input: Mapping[str, Any], direction: DirectionOf | None = None, compiled: Path | None = None) -> Json:
    """The report as plain JSON data, docs/report.schema.json; all strings in it are cleaned.

    `report_input` has the game, its players and reader, the new steps, the situation (docs/situation.schema.json), what
    is due and the standing orders. `direction(from, to)` names the way between two adjacent hexes, "" for others.
    """
    given: Json = _clean(report_input)
    situation: Json = given["situation"]
    teller = Teller(situation, direction, compiled)
    reader = next((player for player in given["players"] if player["name"] == given["reader"]), None)
    steps = [_placed(step) for step in given["steps"]]
    sides = sorted(situation["sides"], key=lambda side: reader is not None and side["id"] != reader["side"])
    order = {side["id"]: number for number, side in enumerate(sides)}
    situation["units"].sort(key=lambda unit: (order.get(unit["side"], len(order)), unit["at"] or "", unit["id"]))
    situation["sides"] = sides
    news = _News(teller)
    for step in steps:
        news.add(step)
    return {
        "report": 1,
        **{key: given[key] for key in ("game", "scenario", "edition", "players", "entry", "since", "head")},
        "reader": reader,
        "title": teller.title(situation["turn"], situation["phase"]["id"], situation["turns"]),
        "news": news.finish(),
        "losses": _losses(steps, situation, teller),
        "victory": _victory(steps, situation, teller),
        "reinforcements": _reinforcements(steps, situation, teller),
        "situation": situation,
        "standing": [
            {"side": side["id"], "title": side["title"], "orders": given["standing"].get(side["id"], [])}
            for side in sides
        ],
        "lapses": [
            {
                **{key: step[key] for key in ("side", "clause", "reason")},
                "title": teller.names.side(step["side"]),
                "order": step["words"],
            }
            for step in steps
            if step["kind"] == "lapse"
        ],
        "luck": _luck(news.rolls, sides, teller),
        "notes": given["notes"],
        "checkpoint": _checkpoint(given["head"]),
        "due": {**given["due"], "told": teller.due(given["due"], reader, situation["outcome"])},
    }


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
        if kind in ("order", "lapse", "stop", "say"):
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
        names = self._teller.names
        side = next((side for side in names.titles if str(step["phase"]).startswith(f"{side}-")), None)
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


def _losses(steps: list[Json], situation: Json, teller: Teller) -> Json:
    return {
        "new": [_told(step, teller) for step in _events(steps, "remove")],
        "sides": [
            {"side": side["id"], "title": side["title"], "units": teller.names.both(side["removed"])}
            for side in situation["sides"]
        ],
    }


def _victory(steps: list[Json], situation: Json, teller: Teller) -> Json | None:
    """Who holds the victory hexes, and what changed; None where a system has none."""
    places = [place for place in situation["places"] if place["victory"]]
    if not places:
        return None
    sides = [
        {
            "side": side["id"],
            "title": side["title"],
            "count": side["victory_hexes"],
            "places": [{"at": p["at"], "name": p["name"]} for p in places if p["control"] == side["id"]],
        }
        for side in situation["sides"]
    ]
    nobody = [{"at": place["at"], "name": place["name"]} for place in places if place["control"] is None]
    changes = [_told(step, teller) for step in _events(steps, "control")]
    return {"changes": changes, "sides": sides, "nobody": nobody, "of": len(places), "needed": situation["needed"]}


def _reinforcements(steps: list[Json], situation: Json, teller: Teller) -> Json:
    sides = [
        {
            "side": side["id"],
            "title": side["title"],
            "waiting": side["waiting"],
            "received": teller.names.both(side["received"]),
        }
        for side in situation["sides"]
    ]
    return {"new": [_told(step, teller) for step in _events(steps, "reinforcements")], "sides": sides}


def _luck(rolls: Iterable[tuple[Json, Json | None]], sides: list[Json], teller: Teller) -> list[Json]:
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
        found.append({**common, **numbers, "good": teller.good(kind)})
    return found


def _checkpoint(head: str) -> str:
    """The first half of a hash in groups of four, to be compared by voice: nobody can make two logs that share it."""
    return " ".join(head[i : i + 4] for i in range(0, 32, 4))


# --- laid out ----------------------------------------------------------------------------------------------------


def text(data: Json, compiled: Path | None = None) -> str:
    """The report as ASCII text of at most WIDTH columns, made to be read aloud as well."""
    return _render(data["situation"]["system"], "report.txt.j2", _ascii(data), compiled)


def html(data: Json, svg: str | None = None, compiled: Path | None = None) -> str:
    """The report as one page without scripts or outside resources; `svg` is the map of pbem.picture."""
    drawn = svg[svg.index("<svg") :] if svg else None
    return _render(data["situation"]["system"], "report.html.j2", {**data, "svg": drawn}, compiled)


def mail_text(data: Json, block: str, form_hint: str = "", compiled: Path | None = None) -> str:
    """The body of a mail: what it is, the text report, how to answer, then the turn block as it is."""
    given = {**_ascii(data), "body": text(data, compiled), "form_hint": _ascii(_clean_text(form_hint))}
    return _render(data["situation"]["system"], "mail.txt.j2", given, compiled) + "\n" + block


def _render(system: str, name: str, given: Json, compiled: Path | None) -> str:
    """A report laid out. Raises Storage when a template is missing or doesn't fit the data."""
    from jinja2 import UndefinedError

    try:
        return _template(environment(compiled), system, name).render(given).rstrip("\n") + "\n"
    except UndefinedError as error:
        raise Storage(f"the template doesn't fit the report: {error}", name, "install pbem again") from error


def picture_input(steps: Iterable[Json], situation: Json) -> dict[str, list[Json]]:
    """What the map shows of the news.

    `moves` are {unit, side, path}, the hex left first; `fights` are {from, at, kind, result}.
    """
    side_of = {unit["id"]: unit["side"] for unit in situation["units"]}
    moves, fights = [], []
    for step in steps:
        facts = step.get("facts", {}) if step["kind"] == "tell" else {}
        path = facts.get("path") or ([facts["to"]] if "to" in facts else [])
        start = facts.get("from")
        if "unit" in facts and path:
            path = [*([start] if start and path[0] != start else []), *path]
            if len(path) > 1:
                moves.append({"unit": facts["unit"], "side": side_of.get(facts["unit"], ""), "path": path})
        elif "result" in facts and "at" in facts and start:
            fights.append({"from": start, "at": facts["at"], "kind": step["what"], "result": facts["result"]})
    return {"moves": moves, "fights": fights}
