"""What the maps of a game show of its situation and news: counters, moves and fights; plain data in, SVG text out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.picture.counters import BadgeView, CounterView
from pbem.picture.svg import PRIZE, FightView, MoveView, Printed, ground, svg

__all__ = ["Picture", "draw", "marks"]

Json = dict[str, Any]


class Picture(NamedTuple):
    """A drawn map: the map's name and title, and the SVG text."""

    name: str
    title: str
    svg: str


def draw(
    maps: Mapping[str, Map],
    data: Mapping[str, Any],
    formations: Mapping[str, str] | None = None,
    ground_of: Callable[[Map], Printed] = ground,
) -> list[Picture]:
    """Each map with the counters, moves and fights of a report's input that lie on it; formations by their titles.

    `ground_of` gives a map's ground, which need not be drawn anew.
    """
    titles = {**(formations or {}), **{side["id"]: side["title"] for side in data["situation"]["sides"]}}
    drawn = marks(data["steps"], data["situation"])
    return [
        Picture(name, chart.title, _svg(chart, ground_of(chart), data, drawn, titles, len(maps) > 1))
        for name, chart in maps.items()
    ]


def _svg(
    chart: Map,
    printed: Printed,
    data: Mapping[str, Any],
    drawn: Mapping[str, list[Json]],
    titles: Mapping[str, str],
    several: bool,
) -> str:
    situation = data["situation"]
    which = f": {chart.title}" if several else ""
    return svg(
        chart,
        title=f"{data['scenario']['title']}{which}, turn {situation['turn']}",
        sides=[side["id"] for side in situation["sides"]],
        units=[
            _counter(unit, at)
            for unit in situation["units"]
            if unit["at"] and (at := chart.find(unit["at"])) is not None
        ],
        control={
            at: place["control"]
            for place in situation["places"]
            if place["victory"] and (at := chart.find(place["at"])) is not None
        },
        moves=[
            MoveView(path=path, side=move["side"], old=move["old"])
            for move in drawn["moves"]
            for path in _stretches(chart, move["path"])
        ],
        fights=[
            FightView(source=ends[0], target=ends[1], kind=fight["kind"], result=fight["result"], old=fight["old"])
            for fight in drawn["fights"]
            for ends in _stretches(chart, [fight["from"], fight["at"]])
            if len(ends) == 2
        ],
        formations=_formations(situation),
        titles=titles,
        printed=printed,
        prize=_prize(situation),
    )


def _prize(situation: Json) -> str:
    """What the rules call a place that counts for victory, where they count them."""
    return next((entry["holding"]["one"] for entry in situation["progress"] if "holding" in entry), PRIZE)


def _formations(situation: Json) -> list[str]:
    """The formations of one side after those of the other, so that their tints differ within a side."""
    sides = [side["id"] for side in situation["sides"]]
    found = {(sides.index(unit["side"]), unit["formation"]) for unit in situation["units"]}
    return list(dict.fromkeys(formation for _, formation in sorted(found)))


def _counter(unit: Json, at: Hex) -> CounterView:
    return CounterView(
        id=unit["id"],
        name=unit["short"],
        side=unit["side"],
        formation=unit["formation"],
        at=at,
        symbol=unit["symbol"],
        values=tuple("-" if value is None else str(value) for value in unit["values"].values()),
        badges=tuple(BadgeView(**badge) for badge in unit["badges"]),
    )


def _stretches(chart: Map, labels: list[str]) -> list[tuple[Hex, ...]]:
    """The stretches of a way that lie on this map; a way may lead on to another."""
    runs = groupby(map(chart.find, labels), key=lambda h: h is not None)
    return [tuple(h for h in run if h is not None) for here, run in runs if here]


def marks(steps: Iterable[Json], situation: Json) -> dict[str, list[Json]]:
    """What the map shows of the news.

    `moves` are {unit, side, path, old}, the hex left first; `fights` are {from, at, kind, result, old}. What the newest
    entry with anything to show brought about isn't `old`.
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
                side = side_of.get(facts["unit"], "")
                moves.append({"unit": facts["unit"], "side": side, "path": path, "old": step["seq"]})
        elif "result" in facts and "at" in facts and start:
            ends = {"from": start, "at": facts["at"]}
            fights.append({**ends, "kind": step["what"], "result": facts["result"], "old": step["seq"]})
    newest = max((mark["old"] for mark in (*moves, *fights)), default=0)
    for mark in (*moves, *fights):
        mark["old"] = mark["old"] < newest
    return {"moves": moves, "fights": fights}
