"""The table as a report's input and as pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.match.agreements import proposal_words
from pbem.match.table import STEPS_MAX, Table
from pbem.report import build as report
from pbem.rules.requests import Choose
from pbem.scenario import Scenario

if TYPE_CHECKING:
    from pbem.picture.counters import CounterView

__all__ = ["Picture", "direction_of", "draw", "pictures", "report_data", "report_input"]

Json = dict[str, Any]

BADGES = {"pinned": "P", "held": "H", "out-of-command": "O", "fired": "F"}
"""State word -> its sign on a counter; of several the first here is shown. Disorder has a look of its own."""


class Picture(NamedTuple):
    """A drawn map: the map's name and title, and the SVG text."""

    name: str
    title: str
    svg: str


def report_data(table: Table, scenario: Scenario, reader: str | None, compiled: Path | None = None) -> Json:
    """The report for a reader (a player's name, None for a neutral one) as plain JSON data.

    `compiled` is a folder for compiled templates.
    """
    return report.build(report_input(table, scenario, reader), direction_of(table), compiled)


def report_input(table: Table, scenario: Scenario, reader: str | None) -> Json:
    """What `report.build` takes, from the table."""
    situation = table.rules.situation(table.game.state)
    if table.settled is not None:
        situation["outcome"], situation["active"] = table.settled._asdict(), None
    titles = {side["id"]: side["title"] for side in situation["sides"]}
    due = table.due()
    request = due.request or table.game.request
    asked = request if isinstance(request, Choose) and due.what in ("orders", "react") else None
    kind, by = table.newest
    since = table.last_by[reader] if reader else max(0, table.seq - 1)
    steps = [step for step in table.steps if step["seq"] >= since]
    return {
        "game": table.genesis.game.hex(),
        "scenario": {
            "id": scenario.id,
            "title": scenario.title,
            "system": scenario.system,
            "date": scenario.data["scenario"].get("date", ""),
        },
        "edition": table.rules.EDITION,
        "options": dict(table.genesis.terms.options),
        "players": [
            {"name": p.name, "side": p.side, "side_title": titles.get(p.side, p.side)} for p in table.genesis.players
        ],
        "reader": reader,
        "entry": {"seq": table.seq, "hash": table.head.hex(), "kind": kind, "by": by},
        "since": since,
        "steps": steps[-STEPS_MAX:],
        "situation": situation,
        "due": {
            "player": due.player,
            "side": table.genesis.player(due.player).side if due.player else None,
            "what": due.what,
            "kind": asked.kind if asked else None,
            "prompt": asked.prompt if asked else proposal_words(table),
            "clause": asked.clause if asked else "",
            "about": list(asked.about) if asked else [],
        },
        "standing": {side: [" ".join(words) for words in orders] for side, orders in sorted(table.standing.items())},
        "head": table.head.hex(),
        "notes": [_only_newest(since)] if len(steps) > STEPS_MAX else [],
    }


def _only_newest(since: int) -> str:
    """What a report says that doesn't tell all."""
    earlier = f"`pbem report --entry {since + 1}` and so on show what came first"
    return f"Only the newest {STEPS_MAX:,} steps since entry {since} are told; {earlier}."


def direction_of(table: Table) -> Callable[[str, str], str] | None:
    """The word for the way between two adjacent hexes, given their numbers; None without a map."""
    maps = list(table.rules.maps(table.board).values())
    if not maps:
        return None

    def direction(a: str, b: str) -> str:
        for chart in maps:
            cells = chart.numbering.cell(a), chart.numbering.cell(b)
            if cells[0] is not None and cells[1] is not None:
                return chart.direction(chart.numbering.hex_at(cells[0]), chart.numbering.hex_at(cells[1]))
        return ""

    return direction


def pictures(table: Table, scenario: Scenario) -> list[Picture]:
    """Every map of the game with counters and this turn's moves and fights; none for a game without maps."""
    turn, _ = table.rules.clock(table.game.state)
    data = report_input(table, scenario, None)
    data["steps"] = [step for step in table.steps if step["turn"] == turn][-STEPS_MAX:]
    return draw(table.rules.maps(table.board), data, scenario.data["scenario"].get("formations", {}))


def draw(
    maps: Mapping[str, Map], data: Mapping[str, Any], formations: Mapping[str, str] | None = None
) -> list[Picture]:
    """Each map with the counters, moves and fights of a report's input that lie on it; formations by their titles."""
    titles = {**(formations or {}), **{side["id"]: side["title"] for side in data["situation"]["sides"]}}
    drawn = report.picture_input(data["steps"], data["situation"])
    return [
        Picture(name, chart.title, _svg(chart, data, drawn, titles, f": {chart.title}" if len(maps) > 1 else ""))
        for name, chart in maps.items()
    ]


def _svg(
    chart: Map, data: Mapping[str, Any], drawn: Mapping[str, list[Json]], titles: Mapping[str, str], which: str
) -> str:
    from pbem.picture import svg as picture

    situation = data["situation"]
    return picture.svg(
        chart,
        title=f"{data['scenario']['title']}{which}, turn {situation['turn']}",
        sides=[side["id"] for side in situation["sides"]],
        units=[
            _counter(unit, at)
            for unit in situation["units"]
            if unit["where"] == "map" and unit["at"] and (at := chart.find(unit["at"])) is not None
        ],
        control={
            at: place["control"]
            for place in situation["places"]
            if place["victory"] and (at := chart.find(place["at"])) is not None
        },
        moves=[
            picture.MoveView(path=path, side=move["side"])
            for move in drawn["moves"]
            for path in _stretches(chart, move["path"])
        ],
        fights=[
            picture.FightView(source=ends[0], target=ends[1], kind=fight["kind"], result=fight["result"])
            for fight in drawn["fights"]
            for ends in _stretches(chart, [fight["from"], fight["at"]])
            if len(ends) == 2
        ],
        formations=_formations(situation),
        titles=titles,
    )


def _formations(situation: Json) -> list[str]:
    """The formations of one side after those of the other, so that their tints differ within a side."""
    sides = [side["id"] for side in situation["sides"]]
    found = {(sides.index(unit["side"]), unit["formation"]) for unit in situation["units"]}
    return list(dict.fromkeys(formation for _, formation in sorted(found)))


def _counter(unit: Json, at: Hex) -> CounterView:
    from pbem.picture.counters import CounterView

    state = next((word for word in BADGES if word in unit["words"]), "")
    return CounterView(
        id=unit["id"],
        name=unit["short"],
        side=unit["side"],
        formation=unit["formation"],
        at=at,
        symbol=unit["symbol"],
        values=tuple("-" if v is None else str(v) for k, v in unit["values"].items() if k != "range"),
        disordered="disordered" in unit["words"],
        badge=BADGES.get(state, ""),
        state=state,
        commander="commander" in unit["words"],
    )


def _stretches(chart: Map, labels: list[str]) -> list[tuple[Hex, ...]]:
    """The stretches of a way that lie on this map; a way may lead on to another."""
    runs = groupby(map(chart.find, labels), key=lambda h: h is not None)
    return [tuple(h for h in run if h is not None) for here, run in runs if here]
