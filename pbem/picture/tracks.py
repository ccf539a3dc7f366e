"""Where formations went in a game: a line for each over the map or table, with its turns, its name at its end.

Signs show where fights were and what has changed for good; the key under the map has the line of each formation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Any
from xml.sax.saxutils import escape

from pbem.language import say, shown
from pbem.maps.map import Map
from pbem.maps.tabletop import Tabletop
from pbem.picture.counters import Colours, colours_of
from pbem.picture.fights import swords
from pbem.picture.glance import least_covered
from pbem.picture.labels import draw_names
from pbem.picture.legend import Item, laid_out
from pbem.picture.paper import MARGIN, Box, Point, broken, element, number, paper_of, text, width_of
from pbem.picture.rings import place_sign
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
_DASHES = (
    "", "9 4", "3 3", "14 4 3 4", "22 6", "5 9", "14 4 3 4 3 4", "16 4 7 4", "2 6", "26 4 3 4 3 4 3 4", "10 10",
    "6 3 2 3",
)  # fmt: skip
"""Lines of one side are told apart by these in turn."""
_AROUND = 8
"""So many directions lines are moved apart in."""
_FIGHT, _SIGN = 0.5, 0.8  # of the size that the signs of fights and of others have on the map of a situation
_SAMPLE = 44.0  # so long is the line of a formation in the key
_FAR = 2.4  # a name so many times the radius of a disc from the end of its line has a thin line to it
_PIECE = 14.0  # so long are the pieces of lines that names keep off


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
    marks: Sequence[Json] = (),
) -> list[Picture]:
    """Each map, or the table of a situation, with these tracks (report.tracks); none for a game without either.

    `ground_of` gives a map's ground, which need not be drawn anew; `marks` are signs with their place and what they
    mean, that of a fight empty.
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
        heading = say("%(title)s: %(map)s", title=title, map=chart.title) if many else title
        signs = [(at, mark) for mark in marks if (at := on(mark["at"])) is not None]
        found = _tracks(tracks, sides, on, turn, frame)
        pictures.append(_picture(name, chart.title, heading, frame, under, found, signs))
    if situation.get("table"):
        from pbem.picture.table.cloth import Cloth, draw_cloth, draw_pieces  # who plays on maps needs none of it

        cloth = Cloth(Tabletop.read(situation["table"]))

        def on_table(label: str) -> Point | None:
            found = cloth.table.find(label)
            return None if found is None else cloth.at(*found)

        frame = cloth.box._replace(top=cloth.box.top - MARGIN)
        under = [*draw_cloth(cloth), *draw_pieces(cloth, {})]
        found = _tracks(tracks, sides, on_table, turn, frame)
        signs = [(at, mark) for mark in marks if (at := on_table(mark["at"])) is not None]
        pictures.append(_picture("table", say("The table"), title, frame, under, found, signs))
    return pictures


def _under(chart: Map, printed: Printed) -> list[str]:
    """What lies under the tracks: a large map as at a glance, of others the ground and its names; all paler."""
    small = printed.glance
    if small is not None:
        return [element("g", [small.ground, small.courses, small.names], opacity="0.72")]
    names = draw_names(names_on(Scene(chart)))
    return [element("g", [printed.terrain, *names], opacity="0.72")]


def _picture(
    name: str,
    title: str,
    heading: str,
    frame: Box,
    under: Sequence[str],
    tracks: Sequence[_Track],
    signs: Sequence[tuple[Point, Json]],
) -> Picture:
    size = _size(frame)
    key, high = laid_out(_key(tracks, signs), -20, _WIDE)
    box = frame._replace(bottom=frame.bottom + high * size)
    drawn = [sheet("100%", box), *under, *(part for track in tracks for part in _line(track, size))]
    drawn += [*_signs(signs, size), *(part for track in tracks for part in _stops(track, size))]
    taken = [_round(spot, size) for spot, *_ in _placed(signs, size)]
    drawn += [*_names(tracks, frame, size, taken), _scaled(key, Point(frame.left, frame.bottom), size)]
    return Picture(name, title, page(heading, box, drawn, _WIDE))


def _scaled(drawn: Iterable[str], at: Point, size: float) -> str:
    """What is drawn round 0, 0 in another size at a point."""
    return element("g", drawn, transform=f"translate({number(at.x)} {number(at.y)}) scale({size:.4g})")


def _key(tracks: Sequence[_Track], signs: Sequence[tuple[Point, Json]]) -> Iterator[Item]:
    """The line of each formation, and what the signs mean."""
    for track in tracks:
        yield Item(partial(_sample, track), _SAMPLE, track.name)
    for sign, means in sorted({(mark["sign"], mark["means"]) for _, mark in signs}):
        yield Item(partial(_key_sign, sign), 28, shown(means) if sign else say("fights, with how many there were"))


def _sample(track: _Track, at: Point) -> str:
    """A stretch of the line of a formation."""
    ends = (_Stop(0, at), _Stop(0, at.by(_SAMPLE, 0)))
    return "".join(_line(track._replace(stretches=(ends,)), 1.0))


def _key_sign(sign: str, at: Point) -> str:
    return element("g", _sign(sign, at.by(14, 0), 1, 1.0), text_anchor="middle")


def _signs(signs: Sequence[tuple[Point, Json]], size: float) -> Iterator[str]:
    """The signs of what happened: fights with how many there were."""
    for spot, sign, means, many in _placed(signs, size):
        told = element("title", escape(shown(means) if sign else _fights(many)))
        yield element("g", [told, *_sign(sign, spot, many, (_SIGN if sign else _FIGHT) * size)], text_anchor="middle")


def _fights(many: int) -> str:
    return say("1 fight") if many == 1 else say("%(number)s fights", number=many)


def _placed(signs: Sequence[tuple[Point, Json]], size: float) -> Iterator[tuple[Point, str, str, int]]:
    """Where each sign is drawn, the sign, what it means and how often it was there, beside the place."""
    often = Counter((at, mark["sign"], mark["means"]) for at, mark in signs)
    beside: Counter[Point] = Counter()
    for (at, sign, means), many in often.items():
        yield at.by((_DOT * (2 + 2 * beside[at])) * size, -_DOT * size), sign, means, many
        beside[at] += 1


def _sign(sign: str, at: Point, many: int, size: float) -> Iterator[str]:
    """One sign; that of fights has crossed swords and their number."""
    drawn = place_sign(sign, Point(0, 0)) if sign else [swords(Point(0, 0), str(many))]
    yield _scaled(drawn, at, size)


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


def _names(tracks: Sequence[_Track], frame: Box, size: float, signs: Sequence[Box]) -> Iterator[str]:
    """The name of each track at its end, where it covers least; with the turn if its formation was gone then.

    A thin line leads to one that found no room beside its end.
    """
    half, far = _DOT * size, frame.width
    stops = [stop.at for track in tracks for stretch in track.stretches for stop in stretch]
    taken = [frame._replace(top=frame.bottom, bottom=frame.bottom + far), *signs, *(_round(at, size) for at in stops)]
    taken += [frame._replace(top=frame.top - far, bottom=frame.top)]
    taken += [piece for track in tracks for piece in _pieces(track, size)]
    for track in tracks:
        end = track.stretches[-1][-1].at
        words = track.name if track.goes_on else f"{track.name}, until turn {track.until}"
        wide = width_of(words, _NAME * size, bold=True) / 2
        at, box = least_covered([*_spots(end, wide, half, size)], words, _NAME * size, taken, far, _WIDER)
        taken.append(box)
        near = Point(min(max(end.x, box.left), box.right), min(max(end.y, box.top), box.bottom))
        if math.dist(near, end) > _FAR * half:
            yield element("path", d=broken([end, near]), stroke="#111111", stroke_width=number(0.8 * size))
        yield text(at, words, _NAME * size, halo="#ffffff", fill="#111111", font_weight="bold", text_anchor="middle")


def _round(at: Point, size: float) -> Box:
    """What a disc or sign covers."""
    half = _DOT * size
    return Box(at.x - half, at.y - half, at.x + half, at.y + half)


def _spots(end: Point, wide: float, half: float, size: float) -> Iterator[Point]:
    """Where the name of a track may stand, those near its end first."""
    for reach in (1.0, 2.2, 3.6, 5.4, 8.0, 11.0, 15.0, 20.0):
        for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
            far = across * (wide + 1.4 * half * (reach if not down else 1))
            yield Point(end.x + far, end.y + 2 * reach * down * half + _NAME / 3 * size)


def _pieces(track: _Track, size: float) -> Iterator[Box]:
    """Small boxes along the line of a track."""
    half = _LINE * size / 2
    for a, b in (pair for stretch in track.stretches for pair in pairwise(stop.at for stop in stretch)):
        many = max(1, math.ceil(math.dist(a, b) / (_PIECE * size)))
        for n in range(many + 1):
            x, y = a.x + (b.x - a.x) * n / many, a.y + (b.y - a.y) * n / many
            yield Box(x - half, y - half, x + half, y + half)
