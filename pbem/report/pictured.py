"""The report of a table as a page with its pictures: where something happened, and the whole maps."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.report.build import Part, html
from pbem.report.layout import Json

if TYPE_CHECKING:
    from pbem.picture.scene import Picture

__all__ = ["page"]


def page(data: Json, maps: Iterable[Picture], parts: Iterable[Picture], compiled: Path | None = None) -> str:
    """The page of a report, cut to what one may hold, with these maps and their parts where something happened.

    Each map is drawn once: parts are windows on it. `compiled` is a folder for compiled templates.
    """
    from pbem.picture.crops import numbered
    from pbem.report.fitting import PAGE, cut

    shown = list(maps)
    names = {map.name: map.title for map in shown}
    parts = [part for part in parts if part.map in names]
    drawn = {number for map in shown for number in map.fights}
    alone = sorted(drawn.difference(*(part.fights for part in parts))) if parts else []
    told = [Part(part.title, part.svg, part.name.endswith("key"), names[part.map]) for part in parts]
    return html(
        cut(data, PAGE), {map.title: map.svg for map in shown}, compiled, told, numbered(alone) if alone else ""
    )
