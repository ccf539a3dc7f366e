"""The report of a table as a page with its pictures: where something happened, and the whole maps."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import Refused
from pbem.match.table import Table
from pbem.report import source
from pbem.report.build import Drawn, html
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
) -> str:
    """The page of a report's data, with these maps and the parts of them where something happened.

    Parts are PNG where the extra that draws it is there, else SVG. `kept` is a folder that keeps the ground of maps,
    `compiled` one for compiled templates.
    """
    reader = data["reader"]["name"] if data["reader"] else None
    shown = list(maps)
    names = {map.name for map in shown}
    parts = [part for part in source.crops(table, scenario, reader, kept) if part.map in names]
    return html(data, {map.title: map.svg for map in shown}, compiled, [_drawn(part) for part in parts])


def _drawn(part: Picture) -> Drawn:
    from pbem.picture.png import png

    key = part.name.endswith("key")
    try:
        return Drawn(part.title, png(part.svg, part.zoom), key)
    except Refused:
        return Drawn(part.title, part.svg, key)
