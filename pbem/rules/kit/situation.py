"""The situation, which all systems tell in one shape (docs/situation.schema.json): frame, sides, units, places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.records import NamedTuple
from pbem.rules.requests import Outcome

__all__ = [
    "Badge", "Goal", "InForce", "Leaders", "Mark", "PhaseTitle", "Shield", "Where", "force", "held_places", "place",
    "progress", "ray", "side", "situation", "stand", "unit",
]  # fmt: skip

Json = dict[str, Any]


class PhaseTitle(NamedTuple):
    """A phase of the sequence as reports name it; `side` is None for a phase of nobody's, `once` of the first turn."""

    id: str
    side: str | None
    title: str
    clause: str
    once: bool = False


class Where(NamedTuple):
    """A word for where units are, and its title.

    Reports list the units of `listed` ones, the first always; pictures draw those of `coming` ones beside the map.
    """

    id: str
    title: str
    listed: bool = False
    coming: bool = False


class Badge(NamedTuple):
    """A state that a counter shows: its sign and title.

    `look` is `disc` for a sign on a disc (of several the first is drawn), `band` for a band across a striped card,
    `stripes` for such a card alone, `star` for a star beside the symbol of the branch, `corner` for a disc of its own,
    seen under other counters, too.
    """

    sign: str
    title: str
    look: str = "disc"


class Mark(NamedTuple):
    """A sign that a side has on the track of turns, what it means, and the turns in whose boxes it stands."""

    sign: str
    title: str
    turns: Sequence[int]


class InForce(NamedTuple):
    """What holds for the time being, as weather, in words without a full stop, and its clause; mails tell it, too,
    but for what is `long`: reports alone."""

    told: str
    clause: str
    long: bool = False


class Goal(NamedTuple):
    """Why a place decides the game: a side wins that comes to `reach` it, or loses that doesn't `keep` who is there."""

    side: str
    look: str
    title: str


class Shield(NamedTuple):
    """How much a stronghold can still stand, in one or two digits, and what that is called."""

    sign: str
    title: str


class Leaders(NamedTuple):
    """Those of a side who only lead others: what one and several are called, how many are to come, here, and lost."""

    one: str
    many: str
    later: int
    here: int
    lost: int


def situation(
    *,
    names: tuple[str, str, str],
    time: tuple[int, int],
    closing: str,
    ground: str,
    phases: Sequence[PhaseTitle],
    phase: str,
    active: str | None,
    where: Sequence[Where],
    sides: Iterable[Json],
    units: Iterable[Json],
    places: Iterable[Json],
    progress: Iterable[Json],
    outcome: Outcome | None,
    maps: Iterable[str],
    reconstructed: Iterable[str],
    table: Json | None = None,
    forces: Iterable[Json] = (),
    stronghold: str = "",
    turn_title: str = "",
    by_formation: bool = False,
    in_force: Iterable[InForce] = (),
) -> Json:
    """The frame: `names` are system, scenario and title, `time` the turn and the last one.

    `closing` is the order that closes a window, `ground` what a place without a name is called (`hex`; empty where
    labels are words that speak for themselves), `phase` the id of the one that it is. A side's `here` counts its units
    that are where the first word says, and leaders, too. `table` is that of a game of bases on a table
    (`Tabletop.data`), `forces` are those of a game in which units act under others, and `stronghold` is what it calls
    the places that are besieged, `turn_title` what it calls a turn; `by_formation` reports list units by formation;
    `in_force` is told beside the score.
    """
    told = list(units)
    more: Json = {"table": table, "forces": list(forces), "stronghold": stronghold, "turn_title": turn_title}
    more |= {"by_formation": by_formation, "in_force": [_in_force(found) for found in in_force]}
    here = Counter(unit["side"] for unit in told if unit["where"] == where[0].id)
    return {
        **dict(zip(("system", "scenario", "title"), names, strict=True)),
        **dict(zip(("turn", "turns"), time, strict=True)),
        "closing": closing,
        "ground": ground,
        "phase": next(_phase(found) for found in phases if found.id == phase),
        "phases": [_phase(found) for found in phases],
        "active": active,
        "where": [word._asdict() for word in where],
        "sides": [side | {"here": here[side["id"]]} for side in sides],
        "units": told,
        "places": list(places),
        "progress": list(progress),
        "outcome": None if outcome is None else outcome._asdict(),
        "maps": list(maps),
        "reconstructed": list(reconstructed),
    } | {key: what for key, what in more.items() if what}


def _in_force(found: InForce) -> Json:
    told = {"told": found.told, "clause": found.clause}
    return told | {"long": True} if found.long else told


def _phase(found: PhaseTitle) -> Json:
    """A phase; of one that comes in every turn nothing is said of that."""
    told = found._asdict()
    return told if found.once else {key: what for key, what in told.items() if key != "once"}


def side(
    of: Any,
    *,
    lost: Iterable[str] = (),
    later: int = 0,
    back: Iterable[str] = (),
    leaders: Leaders | None = None,
    ready: Iterable[str] = (),
    choice: int = 0,
    track: Iterable[Mark] = (),
    colour: str = "",
    several: bool = False,
) -> Json:
    """A side (with `id` and `title`): the units that it lost for good, how many are still to come, those that were lost
    and come back, its leaders, those that may come now, how many of those to come may do so now, as their owner
    chooses, its marks on the track of turns, the colour by which it is known, `blue` or `butternut`, and whether its
    title is that of several, as `Confederates have won`."""
    made = {"id": of.id, "title": of.title, "lost": list(lost), "later": later, "ready": list(ready)}
    marks = [{**mark._asdict(), "turns": sorted(mark.turns)} for mark in track if mark.turns]
    more = {
        "back": list(back),
        "leaders": leaders and leaders._asdict(),
        "choice": choice,
        "track": marks,
        "colour": colour,
        "several": several,
    }
    return made | {key: what for key, what in more.items() if what}


def unit(
    of: Any,
    *,
    formation: str,
    symbol: str,
    values: Mapping[str, int | str | None],
    where: str,
    at: str | None,
    place: str | None,
    words: Iterable[str] = (),
    badges: Iterable[Badge] = (),
    extra: Mapping[str, int | str | None] | None = None,
    attached_to: Iterable[str] = (),
    base: Json | None = None,
    several: bool = False,
    command: str = "",
    arrival: str = "",
) -> Json:
    """A unit (with `id`, `name`, `short` and `side`).

    `values` is the row printed on its counter, empty for one without; `extra` what else is told of it; `words` are its
    states, as `is U WORD` asks for them; `attached_to` are the units with which it goes; `base` is what it stands on;
    `several` are those whose name is said in the plural, as `Gunners fire`; `command` says what a leader is; `arrival`
    is what orders call those with whom it comes in.
    """
    made = {
        "id": of.id,
        "name": of.name,
        "short": of.short,
        "side": of.side,
        "formation": formation,
        "symbol": symbol,
        "values": dict(values),
        "extra": dict(extra or {}),
        "badges": [badge._asdict() for badge in badges],
        "where": where,
        "at": at,
        "place": place,
        "attached_to": list(attached_to),
        "words": list(words),
    }
    more = {"base": base, "several": several, "command": command, "arrival": arrival}
    return made | {key: what for key, what in more.items() if what}


def force(leader: str, units: Iterable[str], extra: Mapping[str, int | str | None]) -> Json:
    """Units that act together under the first of them, and what is told of all of these."""
    return {"id": leader, "units": list(units), "extra": dict(extra)}


def stand(corners: Iterable[Sequence[int]], figures: int, of: int) -> Json:
    """A stand of figures on a table: its corners, front left, front right, rear right, rear left, in hundredths of the
    table's measure; the figures left, and those with which it began."""
    return {"corners": [list(corner) for corner in corners], "figures": figures, "of": of}


def ray(look: str, title: str, at: tuple[int, int], radius: int, facing: int, arc: int) -> Json:
    """How far a unit fires or moves from a point: an `arc` of so many degrees round a facing (degrees clockwise from
    north), 360 a ring, 0 a line; `look` is fire or move."""
    return {"look": look, "title": title, "at": list(at), "radius": radius, "facing": facing, "arc": arc}


def place(
    at: str,
    name: str | None = None,
    *,
    victory: bool = False,
    entry: str | None = None,
    control: str | None = None,
    goal: Goal | None = None,
    id: str = "",
    extra: Mapping[str, int | str | None] | None = None,
    words: Iterable[str] = (),
    besiegers: Iterable[str] = (),
    inside: Iterable[str] = (),
    shield: Shield | None = None,
    sign: tuple[str, str] | None = None,
) -> Json:
    """A place that has a name, or that somebody may enter by or fights for; `at` is its label.

    Of a stronghold `id` is what orders call it, `extra` what else is told of it, `words` are its states; `besiegers`
    and those shut up `inside` are forces by who leads them; pictures show its `shield` where it has one. `sign` is one
    that lies there for a state, and its title.
    """
    told: Json = {"name": name, "at": at, "victory": victory, "entry": entry, "control": control}
    told |= {"goal": goal._asdict()} if goal else {}
    told |= {"sign": {"sign": sign[0], "title": sign[1]}} if sign else {}
    lists = {"words": list(words), "besiegers": list(besiegers), "inside": list(inside)}
    told |= {"shield": shield._asdict()} if shield else {}
    return told | ({"id": id, "extra": dict(extra), **lists} if extra is not None else {})


def progress(
    side: str | None,
    what: str,
    clause: str,
    count: int,
    needed: int | None = None,
    *,
    of: int = 0,
    halves: bool = False,
    told: str = "",
    part: bool = False,
    short: str = "",
) -> Json:
    """How far a side is with a victory condition that can be counted, `of` how many where fewer are needed.

    With `halves` all numbers are halves. `told` says all of it in other words than `what` and its number. A `part` is
    one of what makes up the count before it. `short` names what is counted without its number, so that it can be told
    by how much that has changed.
    """
    made: Json = {"side": side, "what": what, "clause": clause, "count": count, "needed": needed, "halves": halves}
    more: Json = {"of": of, "told": told, "part": part, "short": short}
    return made | {key: what for key, what in more.items() if what}


def held_places(
    sides: Iterable[tuple[str, int]], words: tuple[str, str], clause: str, of: int, needed: int | None, goal: str | None
) -> list[Json]:
    """How many of the places that count for victory each side holds; `words` are one of them and several.

    `goal` says in a sentence what they are needed for.
    """
    held = {"one": words[0], "of": of, "goal": goal}
    return [progress(side, words[1], clause, count, needed) | {"holding": held} for side, count in sides]
