"""The whole game so far: its log replayed once, and what is told of it written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pbem.cli.common import cache_folder, pictures_folder, scenario_of
from pbem.desk.desk import Place
from pbem.errors import Refused
from pbem.language import say
from pbem.words import nearest

if TYPE_CHECKING:
    from pbem.desk.desk import Desk
    from pbem.picture.scene import Picture

__all__ = ["so_far"]


def so_far(me: Desk, place: Place, entry: int | None, form: str, only: str | None) -> str | list[Picture]:
    """The game as far as an entry (None: to its newest), as text in a form, or as pictures of the tracks on its maps.

    Raises Refused for an offer that nobody has accepted, and for a name that no map has.
    """
    from pbem.match.replay import replay
    from pbem.match.turn_ends import TurnEnds
    from pbem.picture.tracks import draw_tracks
    from pbem.report import so_far as told
    from pbem.report.source import Drawn, in_words, maps_in_words

    ends = TurnEnds()
    table = replay(place.text, me.home.load, until=entry, watch=me.watch, look=ends).table
    if table is None:
        raise Refused("nobody has accepted this offer yet", place.folder.id)
    if entry is None:
        me.peek(Place(place.folder, place.text, table, place.me, place.secrets))  # as `open` has rolled already
    scenario, compiled = scenario_of(me, place), cache_folder(me, "templates")
    data = told.data(table, ends, scenario, compiled)
    if form == "json":
        return json.dumps(data, indent=1, sort_keys=True) + "\n"
    if form == "text":
        return told.text(data, compiled)
    ground_of = Drawn(scenario.id, scenario.digest, pictures_folder(me.home)).ground
    title = say("%(title)s, the game so far", title=data["scenario"]["title"])
    situation = in_words({"situation": table.rules.situation(table.game.state)}, scenario)["situation"]
    drawn = draw_tracks(
        data["tracks"],
        situation,
        maps_in_words(table.rules.maps(table.board), scenario),
        title,
        ground_of,
        data["marks"],
    )
    names = [map.name for map in drawn]
    if only is not None and only not in names:
        raise Refused(f"{scenario.title} has no map {only}", "--map", nearest(only.lower(), sorted(names)))
    shown = [map for map in drawn if only in (None, map.name)]
    return told.html(data, {map.title: map.svg for map in shown}, compiled) if form == "html" else shown
