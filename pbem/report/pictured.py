"""The report of a table as a page with its pictures: where something happened, and the whole maps."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.match.table import Table
from pbem.report import source
from pbem.report.build import Part, html
from pbem.report.layout import Json
from pbem.scenario import Scenario

if TYPE_CHECKING:
    from pbem.picture.scene import Picture

__all__ = ["page"]


def page(
    data: Json,
    table: Table,
    scenario: Scenario,
    maps: Iterable[Picture],
    kept: Path | None = None,
    compiled: Path | None = None,
    parts: Iterable[Picture] | None = None,
) -> str:
    """The page of a report, cut to what one may hold, with these maps and their parts where something happened.

    Each map is drawn once: parts are windows on it. `kept` is a folder that keeps the ground of maps, `compiled` one
    for compiled templates; `parts` are those of the maps, if they are drawn already.
    """
    from pbem.picture.crops import numbered
    from pbem.report.fitting import PAGE, cut

    reader = data["reader"]["name"] if data["reader"] else None
    shown = list(maps)
    names = {map.name: map.title for map in shown}
    if parts is None:
        parts = source.crops(table, scenario, reader, kept, windows=True, since=data["since"])
    parts = [part for part in parts if part.map in names]
    drawn = {number for map in shown for number in map.fights}
    alone = sorted(drawn.difference(*(part.fights for part in parts))) if parts else []
    told = [Part(part.title, part.svg, part.name.endswith("key"), names[part.map]) for part in parts]
    return html(
        cut(data, PAGE), {map.title: map.svg for map in shown}, compiled, told, numbered(alone) if alone else ""
    )
