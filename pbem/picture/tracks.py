"""Where formations went in a game: a line for each over the map or table, with its turns, its name at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from pbem.maps.map import Map
from pbem.maps.tabletop import Tabletop
from pbem.picture.counters import Colours, colours_of
from pbem.picture.glance import least_covered
from pbem.picture.labels import draw_names
from pbem.picture.paper import MARGIN, Box, Point, broken, element, number, paper_of, text, width_of
from pbem.picture.scene import Picture, sides_of
from pbem.picture.svg import Printed, ground, names_on, page, sheet
from pbem.picture.views import Scene
from pbem.records import NamedTuple

__all__ = ["draw_tracks"]

Json = dict[str, Any]

_WIDE = 1100  # as it is shown at least
_WIDER = 1.18  # a browser without Helvetica or Arial may take a font that is so much wider, as DejaVu Sans
_LINE, _DOT, _TURN, _NAME = 3.4, 7.0, 9.0, 13.0  # sizes as they are shown
_APART = 4.0  # so far lines lie apart that go alike
_DASHES = ("", "9 4", "3 3", "14 4 3 4")
"""Lines of one side are told apart by these in turn."""
_AROUND = 8
"""So many directions lines are moved apart in, and names are tried in."""


class _Stop(NamedTuple):
    """Where a formation stood at the end of some turns that follow each other."""

    first: int
    at: Point


class _Track(NamedTuple):
    """A track on one ground: its name, its side's colours, its dashes, its stretches, whether it goes on to the end."""

    name: str
    colours: Colours
    dashes: str
    stretches: tuple[tuple[_Stop, ...], ...]
    until: int
    goes_on: bool


def draw_tracks(
    tracks: Sequence[Json],
    situation: Mapping[str, Any],
    maps: Mapping[str, Map],
    title: str,
    ground_of: Callable[[Map], Printed] = ground,
) -> list[Picture]:
    """Each map, or the table of a situation, with these tracks (report.tracks); none for a game without either.

    `ground_of` gives a map's ground, which need not be drawn anew.
    """
    sides, turn = sides_of(situation), situation["turn"]
    many = len(maps) > 1
    pictures = []
    for name, chart in maps.items():
        paper, printed = paper_of(chart), ground_of(chart)
        frame = Box(0, paper.top - MARGIN, paper.width, paper.bottom + MARGIN)

        def on(label: str, chart: Map = chart) -> Point | None:
            found = chart.find(label)
            return None if found is None else paper_of(chart).centre(found)

        under = _under(chart, printed)
        heading = f"{title}: {chart.title}" if many else title
        pictures.append(_picture(name, chart.title, heading, frame, under, _tracks(tracks, sides, on, turn, frame)))
    if situation.get("table"):
        from pbem.picture.table.cloth import Cloth, draw_cloth, draw_pieces  # who plays on maps needs none of it

        cloth = Cloth(Tabletop.read(situation["table"]))

        def on_table(label: str) -> Point | None:
            found = cloth.table.find(label)
            return None if found is None else cloth.at(*found)

        frame = cloth.box._replace(top=cloth.box.top - MARGIN)
        under = [*draw_cloth(cloth), *draw_pieces(cloth, {})]
        found = _tracks(tracks, sides, on_table, turn, frame)
        pictures.append(_picture("table", "The table", title, frame, under, found))
    return pictures


def _under(chart: Map, printed: Printed) -> list[str]:
    """What lies under the tracks: a large map as at a glance, of others the ground and its names; all paler."""
    small = printed.glance
    if small is not None:
        return [element("g", [small.ground, small.courses, small.names], opacity="0.72")]
    names = draw_names(names_on(Scene(chart)))
    return [element("g", [printed.terrain, *names], opacity="0.72")]


def _picture(
    name: str, title: str, heading: str, frame: Box, under: Sequence[str], tracks: Sequence[_Track]
) -> Picture:
    size = _size(frame)
    drawn = [sheet("100%", frame), *under, *(part for track in tracks for part in _line(track, size))]
    drawn += [part for track in tracks for part in _stops(track, size)]
    return Picture(name, title, page(heading, frame, [*drawn, *_names(tracks, frame.width, size)], _WIDE))


def _size(frame: Box) -> float:
    """How many picture units make one as it is shown."""
    return frame.width / _WIDE


def _tracks(
    tracks: Iterable[Json], sides: tuple[str, ...], on: Callable[[str], Point | None], turn: int, frame: Box
) -> list[_Track]:
    """The tracks that touch this ground, moved apart."""
    found: list[_Track] = []
    for place, track in enumerate(tracks):
        aside = Point(0, 0).at(360 * place / _AROUND, _APART * _size(frame) * (1 + place // _AROUND))
        stands = [(stand["turn"], on(stand["at"])) for stand in track["stands"]]
        stretches = []
        for here, run in groupby(stands, key=lambda stand: stand[1] is not None):
            stops = [_Stop(next(stops)[0], at.by(*aside)) for at, stops in groupby(run, key=lambda s: s[1]) if at]
            if here:
                stretches.append(tuple(stops))
        if stretches:
            last = max(when for when, at in stands if at is not None)
            colours = colours_of(track["side"], sides)
            dashes = _DASHES[sum(one.colours == colours for one in found) % len(_DASHES)]
            found.append(_Track(track["title"], colours, dashes, tuple(stretches), last, last == turn))
    return found


def _line(track: _Track, size: float) -> Iterator[str]:
    """The line of a track on one of the colour that stands out from it, so that it is seen on any ground."""
    for stretch in track.stretches:
        if len(stretch) > 1:
            way: dict[str, str | float] = {
                "d": broken([stop.at for stop in stretch]),
                "fill": "none",
                "stroke_linejoin": "round",
            }
            yield element("path", **way, stroke=track.colours.ink, stroke_width=(_LINE + 1.8) * size)
            scaled = " ".join(number(float(part) * size) for part in track.dashes.split())
            dashes = {"stroke_dasharray": scaled} if scaled else {}
            yield element("path", **way, **dashes, stroke=track.colours.card, stroke_width=_LINE * size)


def _stops(track: _Track, size: float) -> Iterator[str]:
    """A disc where a formation stood at the end of a turn, with the first of several; a small one at its start."""
    for stop in (stop for stretch in track.stretches for stop in stretch):
        centre = {"cx": number(stop.at.x), "cy": number(stop.at.y), "r": number(_DOT / (1 if stop.first else 2) * size)}
        look = {"fill": track.colours.card, "stroke": track.colours.ink, "stroke_width": number(1.2 * size)}
        yield element("circle", **centre, **look)
        if stop.first:
            at = stop.at.by(0, _TURN / 3 * size)
            style = {"fill": track.colours.ink, "text_anchor": "middle", "font_weight": "bold"}
            yield text(at, str(stop.first), _TURN * size, **style)


def _names(tracks: Sequence[_Track], width: float, size: float) -> Iterator[str]:
    """The name of each track at its end, where it covers least; with the turn if its formation was gone then."""
    half = _DOT * size
    stops = [stop.at for track in tracks for stretch in track.stretches for stop in stretch]
    taken = [Box(at.x - half, at.y - half, at.x + half, at.y + half) for at in stops]
    for track in tracks:
        end = track.stretches[-1][-1].at
        words = track.name if track.goes_on else f"{track.name}, until turn {track.until}"
        wide = width_of(words, _NAME * size, bold=True) / 2
        spots = [
            Point(end.x + across * (wide + 1.4 * half), end.y + down * half + _NAME / 3 * size)
            for reach in (1.0, 2.2, 3.6)
            for across, down in ((1, 0), (-1, 0), (0, 2 * reach), (0, -2 * reach), (1, 2 * reach), (-1, -2 * reach))
        ]
        at, box = least_covered(spots, words, _NAME * size, taken, width, _WIDER)
        taken.append(box)
        yield text(at, words, _NAME * size, halo="#ffffff", fill="#111111", font_weight="bold", text_anchor="middle")
