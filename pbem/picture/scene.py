"""What the maps of a game show of its situation and news: counters, moves and fights; plain data in, SVG text out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.picture.counters import BadgeView, CounterView, leads
from pbem.picture.crops import SHARP, WIDTH, crops_of
from pbem.picture.news import marks
from pbem.picture.svg import Printed, again, cut, ground, key, layers, names_on, whole
from pbem.picture.views import PRIZE, FightView, GoalView, MarkView, MoveView, Scene

__all__ = ["CROPS", "Picture", "crops", "draw"]

Json = dict[str, Any]
CROPS = 6
"""So many parts of maps are shown at most."""

_KEY = "What the signs mean"


class Picture(NamedTuple):
    """A drawn map, or a part of one: its name and title, the SVG text, the zoom for PNG, the map's name, its fights."""

    name: str
    title: str
    svg: str
    zoom: float = 1.0
    map: str = ""
    fights: tuple[int, ...] = ()


def draw(
    maps: Mapping[str, Map],
    data: Mapping[str, Any],
    formations: Mapping[str, str] | None = None,
    ground_of: Callable[[Map], Printed] = ground,
    *,
    areas: bool = False,
) -> list[Picture]:
    """Each map with the counters, moves and fights of a report's input that lie on it; formations by their titles.

    `ground_of` gives a map's ground, which need not be drawn anew; `areas` shows the set-up areas.
    """
    return [
        Picture(
            name,
            scene.board.title,
            whole(scene, layers(scene, ground_of(scene.board)), _title(scene, data, maps)),
            fights=tuple(fight.number for fight in scene.fights),
        )
        for name, scene in _scenes(maps, data, formations, areas=areas)
    ]


def crops(
    maps: Mapping[str, Map],
    data: Mapping[str, Any],
    formations: Mapping[str, str] | None = None,
    ground_of: Callable[[Map], Printed] = ground,
    *,
    windows: bool = False,
    headed: bool = True,
) -> list[Picture]:
    """The parts of the maps where something happened, each named by what, then the key of what they show.

    A map that is as small as such a part is shown whole; where nothing happened there is no picture. At most CROPS
    parts: those with fights before those with moves alone, newer ones before older ones. `windows` hold nothing
    themselves: they show parts of the maps that `draw` has drawn, which stand on the same page. A part that isn't
    `headed` has no heading in it: where it is shown its title stands beside it.
    """
    scenes = dict(_scenes(maps, data, formations))
    names = {name: names_on(scene) for name, scene in scenes.items() if scene.fights or scene.moves}
    found = [
        (name, crop)
        for name, scene in scenes.items()
        for crop in crops_of(scene, [one.box for one in names.get(name, ())])
    ]
    shown = sorted(sorted(range(len(found)), key=lambda i: found[i][1].rank, reverse=True)[:CROPS])
    drawn = {
        name: again(scenes[name]) if windows else layers(scenes[name], ground_of(scenes[name].board), names[name])
        for name in dict.fromkeys(found[i][0] for i in shown)
    }
    counts: dict[str, int] = dict.fromkeys(drawn, 0)
    pictures = []
    for name, crop in (found[i] for i in shown):
        counts[name] += 1
        part = cut(drawn[name], crop.window, crop.title, headed=headed)
        pictures.append(Picture(f"{name}-{counts[name]}", crop.title, part, SHARP, name, crop.fights))
    for name in drawn:
        hexes = frozenset[Hex]().union(
            *(crop.scene.hexes for other, crop in (found[i] for i in shown) if other == name)
        )
        which = f"{name}-key" if len(drawn) > 1 else "key"
        pictures.append(Picture(which, _KEY, key(scenes[name].within(hexes), _KEY, WIDTH), SHARP, name))
    return pictures


def _title(scene: Scene, data: Mapping[str, Any], maps: Mapping[str, Map]) -> str:
    which = f": {scene.board.title}" if len(maps) > 1 else ""
    return f"{data['scenario']['title']}{which}, turn {data['situation']['turn']}"


def _scenes(
    maps: Mapping[str, Map],
    data: Mapping[str, Any],
    formations: Mapping[str, str] | None,
    *,
    areas: bool = False,
) -> Iterator[tuple[str, Scene]]:
    """Each map by its name with all that is on it."""
    situation = data["situation"]
    titles = {**(formations or {}), **{side["id"]: side["title"] for side in situation["sides"]}}
    drawn = marks(data["steps"], situation)
    for name, chart in maps.items():
        yield name, _scene(chart, situation, drawn, titles, data.get("japanese", {}), areas=areas)


def _scene(
    chart: Map,
    situation: Json,
    drawn: Mapping[str, list[Json]],
    titles: Mapping[str, str],
    japanese: Mapping[str, str],
    *,
    areas: bool,
) -> Scene:
    units, places = _on(chart, situation["units"]), _on(chart, situation["places"])
    return Scene(
        board=chart,
        sides=tuple(side["id"] for side in situation["sides"]),
        formations=_formations(situation),
        units=tuple(_counter(unit, at, japanese) for unit, at in sorted(units, key=_on_top)),
        held={at: place["control"] for place, at in places if place["victory"]},
        entries={at: place["entry"] for place, at in places if place["entry"]},
        goals={at: GoalView(**place["goal"]) for place, at in places if place.get("goal")},
        moves=tuple(
            MoveView(path=path, side=move["side"], old=move["old"], title=move["title"])
            for move in drawn["moves"]
            for path in _stretches(chart, move["path"])
        ),
        fights=tuple(_fights(chart, drawn["fights"])),
        areas=areas,
        titles=titles,
        prize=_prize(situation),
        turn=situation["turn"],
        turns=situation["turns"],
        track=tuple(
            MarkView(side["id"], mark["sign"], mark["title"], frozenset(mark["turns"]))
            for side in situation["sides"]
            for mark in side.get("track", ())
        ),
        coming=_coming(situation, japanese),
    )


def _coming(situation: Json, japanese: Mapping[str, str]) -> dict[str, tuple[CounterView, ...]]:
    """The units of each side that are still to come, by where they are."""
    found: dict[str, tuple[CounterView, ...]] = {}
    for side in situation["sides"]:
        for where in situation["where"]:
            of = [unit for unit in situation["units"] if (unit["side"], unit["where"]) == (side["id"], where["id"])]
            if where["coming"] and of:
                found[f"{side['title']}, {where['title']}"] = tuple(_counter(unit, Hex(0), japanese) for unit in of)
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


def _prize(situation: Json) -> str:
    """What the rules call a place that counts for victory, where they count them."""
    return next((entry["holding"]["one"] for entry in situation["progress"] if "holding" in entry), PRIZE)


def _formations(situation: Json) -> tuple[str, ...]:
    """The formations of one side after those of the other."""
    sides = [side["id"] for side in situation["sides"]]
    found = {(sides.index(unit["side"]), unit["formation"]) for unit in situation["units"]}
    return tuple(dict.fromkeys(formation for _, formation in sorted(found)))


def _on_top(unit: tuple[Json, Hex]) -> bool:
    """Who fights lies over who leads him."""
    return not leads(unit[0]["symbol"])


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
