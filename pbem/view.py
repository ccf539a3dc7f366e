"""The table as a report's input and as pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pbem import report
from pbem.agreements import proposal_words
from pbem.errors import Refused
from pbem.maps import Map
from pbem.requests import Choose
from pbem.scenario import Scenario
from pbem.table import Table

__all__ = ["direction_of", "picture", "report_data", "report_input"]

Json = dict[str, Any]


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
    return {
        "game": table.genesis.game.hex(),
        "scenario": {
            "id": scenario.id,
            "title": scenario.title,
            "system": scenario.system,
            "date": scenario.data["scenario"].get("date", ""),
        },
        "edition": table.rules.EDITION,
        "players": [
            {"name": p.name, "side": p.side, "side_title": titles.get(p.side, p.side)} for p in table.genesis.players
        ],
        "reader": reader,
        "entry": {"seq": table.seq, "hash": table.head.hex(), "kind": kind, "by": by},
        "since": since,
        "steps": [step for step in table.steps if step["seq"] >= since],
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
        "notes": [],
    }


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


def picture(table: Table, scenario: Scenario, reader: str | None = None, name: str | None = None) -> str:
    """The map with counters, this turn's moves and fights, as SVG. Raises Refused for a game without maps."""
    maps = table.rules.maps(table.board)
    if not maps:
        raise Refused(f"{scenario.title} is played without a map")
    chart = maps[name] if name is not None else next(iter(maps.values()))
    turn, _ = table.rules.clock(table.game.state)
    steps = [step for step in table.steps if step["turn"] == turn]
    return draw(chart, {**report_input(table, scenario, reader), "steps": steps})


def draw(chart: Map, data: Mapping[str, Any]) -> str:
    """A map with the counters, moves and fights of a report's input, as SVG."""
    from pbem import picture as pictures

    situation = data["situation"]
    drawn = report.picture_input(data["steps"], situation)
    cell = chart.numbering
    return pictures.svg(
        chart,
        title=f"{data['scenario']['title']}, turn {situation['turn']}",
        sides=[side["id"] for side in situation["sides"]],
        units=[
            pictures.CounterView(
                id=unit["id"],
                name=unit["short"],
                side=unit["side"],
                formation=unit["formation"],
                at=chart.parse(unit["at"]),
                symbol=unit["symbol"],
                values=tuple("-" if v is None else str(v) for k, v in unit["values"].items() if k != "range"),
                disordered="disordered" in unit["words"],
            )
            for unit in situation["units"]
            if unit["where"] == "map" and unit["at"] and cell.cell(unit["at"]) is not None
        ],
        control={chart.parse(p["at"]): p["control"] for p in situation["places"] if p["victory"]},
        moves=[
            pictures.MoveView(path=tuple(chart.parse(h) for h in move["path"]), side=move["side"])
            for move in drawn["moves"]
        ],
        fights=[
            pictures.FightView(
                source=chart.parse(fight["from"]),
                target=chart.parse(fight["at"]),
                kind=fight["kind"],
                result=fight["result"],
            )
            for fight in drawn["fights"]
        ],
    )
