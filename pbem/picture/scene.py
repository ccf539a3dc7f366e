"""What the maps of a game, or its table, show of its situation and news; plain data in, SVG text out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, Protocol

from pbem.language import ENGLISH, language, say, shown
from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.picture.beside import track_of
from pbem.picture.counters import BadgeView, CounterView, Sides, leads
from pbem.picture.crops import SHARP, WIDTH, Crop, crops_of
from pbem.picture.edges import names_within
from pbem.picture.labels import Keep, Name, anew, draw_names
from pbem.picture.news import marks
from pbem.picture.overview import overview
from pbem.picture.paper import MARGIN, Box, paper_of
from pbem.picture.svg import Printed, again, cut, ground, key, layers, names_on, whole
from pbem.picture.views import PRIZE, FightView, GoalView, MoveView, Scene, ShieldView, SignView
from pbem.records import NamedTuple
from pbem.words import turn_word

__all__ = [
    "AT_A_GLANCE",
    "CROPS",
    "Picture",
    "Sheet",
    "crops",
    "draw",
    "drawn_parts",
    "drawn_whole",
    "sheets_of",
    "sides_of",
]

Json = dict[str, Any]
CROPS = 6
"""So many parts of maps are shown at most."""
MOST = 6
"""So many counters of a side are shown in a hex; of more the last of them, on a card that stands for the others."""

AT_A_GLANCE = "-overview"
"""What the name of a picture of a map at a glance ends with."""
_BROAD = 900.0
"""How wide the key to a whole map is drawn."""
_SMALL = 0.5
"""The zoom at which that of a mail is legible, and leaves room for the parts."""


class Picture(NamedTuple):
    """A drawn map, or a part of one: its name and title, the SVG text, the zoom for PNG, the map's name, its fights."""

    name: str
    title: str
    svg: str
    zoom: float = 1.0
    map: str = ""
    fights: tuple[int, ...] = ()


class Sheet(Protocol):
    """A ground with all that is on it, which draws itself: a map of hexes, or a table."""

    @property
    def name(self) -> str:
        """What it is called where there are several."""

    @property
    def title(self) -> str:
        """Its title."""

    @property
    def fights(self) -> tuple[int, ...]:
        """The numbers of the fights on it."""

    @property
    def box(self) -> Box:
        """The rectangle that it takes, without what lies beside it."""

    def drawn(self) -> list[str]:
        """All that is drawn on it, from the paper up."""

    def legend(self, title: str) -> str:
        """The picture of the key to all of it."""

    def again(self) -> list[str]:
        """The same once more, where the page shows it whole."""

    def whole(self, title: str) -> str:
        """The picture of all of it under that title."""

    def crops(self) -> list[Any]:
        """The parts of it where something happened, each a `Crop` of its kind; only these are handed back to it."""

    def cut(self, drawn: list[str], crop: Any, *, headed: bool) -> str:
        """The picture of a part of what is drawn."""

    def key(self, shown: Sequence[Any], title: str) -> str:
        """The picture of the key to some parts."""

    def overview(self, shown: Sequence[Any], title: str, /, *, plain: bool) -> str:
        """The picture of all of it at a glance with some parts, in their order; empty where it is small."""


class MapSheet:
    """A map of hexes with all that is on it."""

    def __init__(
        self, name: str, scene: Scene, ground_of: Callable[[Map], Printed], keep: Keep, *, still: bool = False
    ) -> None:
        """`still` leaves names where they lie without counters and marks, as in pictures that follow one another."""
        self.name, self.title = name, shown(scene.board.title, scene.names)
        self._scene, self._ground_of, self._keep, self._still = scene, ground_of, keep, still

    @property
    def fights(self) -> tuple[int, ...]:
        """The numbers of the fights on it."""
        return tuple(fight.number for fight in self._scene.fights)

    @cached_property
    def _printed(self) -> Printed:
        return self._ground_of(self._scene.board)

    @cached_property
    def _names(self) -> list[Name]:
        bare = self._scene._replace(units=(), moves=(), fights=(), shields={}, signs={}) if self._still else self._scene
        return names_on(bare, self._keep)

    @property
    def box(self) -> Box:
        """The rectangle that it takes, without what lies beside it."""
        paper = paper_of(self._scene.board)
        return Box(0, paper.top - MARGIN, paper.width, paper.bottom + MARGIN)

    def legend(self, title: str) -> str:
        """The picture of the key to all of it."""
        return key(self._scene, title, _BROAD)

    @cached_property
    def _drawn_names(self) -> list[str]:
        return [*draw_names(self._names)]

    def drawn(self) -> list[str]:
        """All that is drawn on it, from the paper up."""
        return layers(self._scene, self._printed, self._names)

    def again(self) -> list[str]:
        """The same once more, where the page shows it whole."""
        return again(self._scene, self._drawn_names)

    def whole(self, title: str) -> str:
        """The picture of all of it under that title."""
        return whole(self._scene, self.drawn(), title, self._drawn_names)

    def crops(self) -> list[Crop[Scene]]:
        """The parts of it where something happened."""
        if not self._scene.fights and not self._scene.moves:
            return []
        return crops_of(self._scene, [one.box for one in self._names])

    def cut(self, drawn: list[str], crop: Crop[Scene], *, headed: bool) -> str:
        """The picture of a part of what is drawn, in which no name is cut."""
        shown = names_within(self._names, crop.window, self._scene, paper_of(self._scene.board))
        names = ["".join(draw_names([name] if name is not None else [])) for name in shown]
        as_shown = dict(zip(self._drawn_names, names, strict=True))
        here = (as_shown.get(layer, layer) for layer in drawn)
        return cut([layer for layer in here if layer], crop.window, crop.title, headed=headed)

    def key(self, shown: Sequence[Crop[Scene]], title: str) -> str:
        """The picture of the key to some parts."""
        return key(self._scene.within(frozenset[Hex]().union(*(crop.scene.hexes for crop in shown))), title, WIDTH)

    def overview(self, shown: Sequence[Crop[Scene]], title: str, /, *, plain: bool) -> str:
        """The picture of all of it at a glance with some parts, in their order; empty where it is small."""
        printed = self._printed.glance
        return overview(self._scene, title, [crop.window for crop in shown], printed, plain=plain) if printed else ""


def draw(
    maps: Mapping[str, Map],
    data: Mapping[str, Any],
    formations: Mapping[str, str] | None = None,
    ground_of: Callable[[Map], Printed] = ground,
    keep: Keep = anew,
    *,
    areas: bool = False,
    reach: Sequence[str] = (),
) -> list[Picture]:
    """Each map, or the table, with the units, moves and fights of a report's input that lie on it.

    `formations` are the titles of formations, `ground_of` gives a map's ground, which need not be drawn anew, `keep`
    keeps what else is alike in many pictures; `areas` shows the set-up areas, `reach` on a table how far these units
    fire and move.
    """
    return drawn_whole(sheets_of(maps, data, formations, ground_of, keep, areas=areas, reach=reach), data)


def drawn_whole(sheets: Sequence[Sheet], data: Mapping[str, Any]) -> list[Picture]:
    """The pictures of maps that are laid out, whole, as `draw` gives them."""
    many = len(sheets) > 1
    return [
        Picture(sheet.name, sheet.title, sheet.whole(_title(sheet, data, many=many)), fights=sheet.fights)
        for sheet in sheets
    ]


def crops(
    maps: Mapping[str, Map],
    data: Mapping[str, Any],
    formations: Mapping[str, str] | None = None,
    ground_of: Callable[[Map], Printed] = ground,
    keep: Keep = anew,
    *,
    windows: bool = False,
    headed: bool = True,
    mailed: bool = False,
) -> list[Picture]:
    """The parts of the maps where something happened, each named by what, then the key of what they show.

    A map that is as small as such a part is shown whole; where nothing happened there is no picture. At most CROPS
    parts: those with fights before those with moves alone, newer ones before older ones. A large map is shown at a
    glance, too, before the key: a numbered frame is round each of its parts. `windows` hold nothing
    themselves: they show parts of the maps that `draw` has drawn, which stand on the same page. A part that isn't
    `headed` has no heading in it: where it is shown its title stands beside it. For pictures that are `mailed` the map
    at a glance is small and plain.
    """
    sheets = sheets_of(maps, data, formations, ground_of, keep)
    return drawn_parts(sheets, windows=windows, headed=headed, mailed=mailed)


def drawn_parts(
    sheets: Sequence[Sheet], *, windows: bool = False, headed: bool = True, mailed: bool = False
) -> list[Picture]:
    """The pictures of parts of maps that are laid out, as `crops` gives them."""
    found = [(sheet, crop) for sheet in sheets for crop in sheet.crops()]
    kept = sorted(sorted(range(len(found)), key=lambda i: found[i][1].rank, reverse=True)[:CROPS])
    shown = [found[i] for i in kept]
    drawn = {sheet.name: sheet.again() if windows else sheet.drawn() for sheet in dict(shown)}
    counts: dict[str, int] = dict.fromkeys(drawn, 0)
    parts = {sheet.name: [crop for of, crop in shown if of is sheet] for sheet in dict(shown)}
    key, all_of_it = say("What the signs mean"), say("The whole map, and where these parts of it lie")
    glances = {sheet.name: sheet.overview(parts[sheet.name], all_of_it, plain=mailed) for sheet in dict(shown)}
    pictures = []
    for sheet, crop in shown:
        name = sheet.name
        counts[name] += 1
        if glances[name] and len(parts[name]) > 1:
            crop = crop._replace(title=_framed(counts[name], crop.title))
        part = sheet.cut(drawn[name], crop, headed=headed)
        pictures.append(Picture(f"{name}-{counts[name]}", crop.title, part, SHARP, name, (*crop.fights, *crop.also)))
    for sheet in dict(shown):
        which = f"{sheet.name}-key" if len(drawn) > 1 else "key"
        own, glance = parts[sheet.name], glances[sheet.name]
        if glance:
            zoom = _SMALL if mailed else 1.0
            pictures.append(Picture(f"{sheet.name}{AT_A_GLANCE}", all_of_it, glance, zoom, sheet.name))
        drawn_key = sheet.key(own, key)
        pictures.append(Picture(which, key, drawn_key, SHARP, sheet.name))
    return pictures


def _framed(number: int, title: str) -> str:
    """The title of a part with the number of its frame on the map at a glance: `part 2, fight 7: ...`."""
    if title.startswith(say("fight %(number)s", number="").rstrip()):
        return say("part %(number)s, %(title)s", number=number, title=title)
    return say("part %(number)s: %(title)s", number=number, title=title)


def _title(sheet: Sheet, data: Mapping[str, Any], *, many: bool) -> str:
    situation, title = data["situation"], shown(data["scenario"]["title"], data.get("japanese", {}))
    turn, number = turn_word(situation), situation["turn"]
    if not many:
        return say("%(title)s, %(turn)s %(number)s", title=title, turn=turn, number=number)
    return say("%(title)s: %(map)s, %(turn)s %(number)s", title=title, map=sheet.title, turn=turn, number=number)


def sheets_of(
    maps: Mapping[str, Map],
    data: Mapping[str, Any],
    formations: Mapping[str, str] | None,
    ground_of: Callable[[Map], Printed],
    keep: Keep,
    *,
    areas: bool = False,
    reach: Sequence[str] = (),
    still: bool = False,
) -> list[Sheet]:
    """Each map with all that is on it, and the table, if there is one; `still` leaves names where they are."""
    situation = data["situation"]
    titles = {**(formations or {}), **{side["id"]: side["title"] for side in situation["sides"]}}
    marked, japanese = marks(data["steps"], situation), data.get("japanese", {})
    sheets: list[Sheet] = [
        MapSheet(name, _scene(chart, situation, marked, titles, japanese, areas=areas), ground_of, keep, still=still)
        for name, chart in maps.items()
    ]
    if situation.get("table"):
        from pbem.picture.table.scene import TableSheet, battle_of  # who plays on maps needs none of it

        sheets.append(TableSheet(battle_of(situation, marked, titles, japanese, areas=areas, reach=reach), still=still))
    return sheets


def _scene(
    chart: Map,
    situation: Json,
    drawn: Mapping[str, list[Json]],
    titles: Mapping[str, str],
    japanese: Mapping[str, str],
    *,
    areas: bool,
) -> Scene:
    units, places = _on(chart, _shown(situation)), _on(chart, situation["places"])
    return Scene(
        board=chart,
        sides=sides_of(situation),
        formations=_formations(situation),
        units=tuple(_piled([_counter(unit, at, japanese) for unit, at in sorted(units, key=_on_top)])),
        held={at: place["control"] for place, at in places if place["victory"]},
        entries={at: place["entry"] for place, at in places if place["entry"]},
        goals={at: GoalView(**place["goal"]) for place, at in places if place.get("goal")},
        shields={at: ShieldView(**place["shield"]) for place, at in places if place.get("shield")},
        signs={at: SignView(**place["sign"]) for place, at in places if place.get("sign")},
        moves=tuple(
            MoveView(path, move["side"], move["old"], move["title"], move.get("alone", False))
            for move in drawn["moves"]
            for path in _stretches(chart, move["path"])
        ),
        fights=tuple(_fights(chart, drawn["fights"])),
        areas=areas,
        titles=titles,
        prize=_prize(situation, chart),
        turn=situation["turn"],
        turns=situation["turns"],
        turn_title=turn_word(situation),
        track=track_of(situation["sides"]),
        coming=_coming(situation, japanese),
        names=japanese if language() != ENGLISH else {},
    )


def sides_of(situation: Mapping[str, Any]) -> tuple[str, ...]:
    """The sides, with the colours by which they are known, if any is."""
    ids, sides = tuple(side["id"] for side in situation["sides"]), situation["sides"]
    colours = {side["id"]: side["colour"] for side in sides if "colour" in side}
    return Sides(ids, colours) if colours else ids


def _shown(situation: Json) -> list[Json]:
    """The units that have a counter: of a force its leader alone, with what is told of all of them in his values."""
    forces = {force["id"]: force for force in situation.get("forces", ())}
    found = []
    for unit in situation["units"]:
        force = forces.get(unit["id"])
        if force is not None:
            of_all = {key: force["extra"].get(key, value) for key, value in unit["values"].items()}
            many = {"units": len(force["units"])} if len(force["units"]) > 1 else {}
            found.append(unit | {"values": of_all, "extra": many | unit["extra"]})
        elif not forces or not unit["attached_to"]:
            found.append(unit)
    return found


def _piled(counters: list[CounterView]) -> Iterator[CounterView]:
    """The counters, of a hex with many only the last ones, on a card that says how many more are there."""
    there: dict[tuple[Hex, str], list[CounterView]] = {}
    for one in counters:
        there.setdefault((one.at, one.side), []).append(one)
    for pile in there.values():
        more = len(pile) - MOST + 1 if len(pile) > MOST else 0
        if more:
            yield CounterView(f"+{more}", "more", pile[0].side, "", pile[0].at, say("more counters"), ())
        yield from pile[more:]


def _coming(situation: Json, japanese: Mapping[str, str]) -> dict[str, tuple[CounterView, ...]]:
    """The units of each side that are still to come, by where they are."""
    found: dict[str, tuple[CounterView, ...]] = {}
    for side in situation["sides"]:
        for where in situation["where"]:
            of = [unit for unit in situation["units"] if (unit["side"], unit["where"]) == (side["id"], where["id"])]
            if where["coming"] and of:
                title = say("%(side)s, %(where)s", side=side["title"], where=where["title"])
                found[title] = tuple(_counter(unit, Hex(0), japanese) for unit in of)
    return found


def _on(chart: Map, things: list[Json]) -> list[tuple[Json, Hex]]:
    """What lies on this map, with its hex."""
    return [(thing, at) for thing in things if thing["at"] and (at := chart.find(thing["at"])) is not None]


def _fights(chart: Map, fights: list[Json]) -> Iterator[FightView]:
    """The fights on this map; a line from another one isn't drawn."""
    for fight in fights:
        target = chart.find(fight["at"])
        sources = tuple(h for label in fight["from"] if (h := chart.find(label)) is not None)
        if target is not None and sources:
            same = {key: fight[key] for key in ("kind", "result", "number", "old", "title")}
            yield FightView(sources=sources, target=target, **same)


def _prize(situation: Json, chart: Map) -> str:
    """What the rules call a place that counts for victory, where they count them; else what the map shows there."""
    counted = (entry["holding"]["one"] for entry in situation["progress"] if "holding" in entry)
    signs = {chart.signs.get(at, PRIZE) for place, at in _on(chart, situation["places"]) if place["victory"]}
    return next(counted, signs.pop() if len(signs) == 1 else PRIZE)


def _formations(situation: Json) -> tuple[str, ...]:
    """The formations of one side after those of the other."""
    sides = [side["id"] for side in situation["sides"]]
    found = {(sides.index(unit["side"]), unit["formation"]) for unit in situation["units"]}
    return tuple(dict.fromkeys(formation for _, formation in sorted(found)))


def _on_top(unit: tuple[Json, Hex]) -> tuple[bool, int]:
    """Who fights lies over who leads him, a large force over a small one."""
    return not leads(unit[0]["symbol"]), unit[0].get("extra", {}).get("units", 1)


def _counter(unit: Json, at: Hex, japanese: Mapping[str, str]) -> CounterView:
    return CounterView(
        id=unit["id"],
        name=unit["short"],
        side=unit["side"],
        formation=unit["formation"],
        at=at,
        symbol=unit["symbol"],
        values=tuple("x" if value is None else str(value) for value in unit["values"].values()),
        badges=tuple(BadgeView(**badge) for badge in unit["badges"]),
        row=tuple(unit["values"]),
        extra=tuple((name, str(value)) for name, value in unit.get("extra", {}).items() if value is not None),
        japanese=japanese.get(unit["name"], ""),
    )


def _stretches(chart: Map, labels: list[str]) -> list[tuple[Hex, ...]]:
    """The stretches of a way that lie on this map; a way may lead on to another."""
    runs = groupby(map(chart.find, labels), key=lambda h: h is not None)
    return [tuple(h for h in run if h is not None) for here, run in runs if here]
