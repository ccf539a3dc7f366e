"""A table as pictures show it: made of a situation and its news, drawn whole, in parts, and with its key."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from pbem.language import also, say, shown
from pbem.maps.tabletop import Tabletop
from pbem.picture.arrows import paler
from pbem.picture.beside import draw_track, track_of
from pbem.picture.counters import BadgeView
from pbem.picture.crops import HEIGHT, WIDTH, Crop, Part, cropped
from pbem.picture.labels import around
from pbem.picture.legend import laid_out
from pbem.picture.paper import Box, Point, element, text, width_of
from pbem.picture.svg import TITLE_SIZE, cut, page, sheet
from pbem.picture.table.cloth import BAND, INCH, Cloth, draw_cloth, draw_pieces, draw_zones, rulers
from pbem.picture.table.figures import BaseView, RayView, StandView, cells, draw_base, hull
from pbem.picture.table.key import items
from pbem.picture.table.marks import Strike, draw_contacts, draw_lines, draw_reach, draw_strikes, draw_ways, strikes_of
from pbem.picture.table.signs import covered_by, draw_badges, draw_labels, labels_of
from pbem.picture.table.views import Battle, StrikeView, WayView

__all__ = ["NAME", "TableSheet", "battle_of"]

Json = dict[str, Any]
NAME = "table"
"""What the picture of a table is called, where maps have names."""

_NAME_SIZE = 14.0
_AROUND = 26.0  # shown round what happened
_END = 60.0  # the same round the end of a way too long to be shown whole
_LINE = 22.0
_BROAD = 900.0  # how wide the key to all of it is drawn


class TableSheet:
    """A table with all that is on it, ready to be drawn."""

    name = NAME

    def __init__(self, battle: Battle, *, still: bool = False) -> None:
        """`still` leaves names where they lie without units and marks, as in pictures that follow one another."""
        self.battle, self._still = battle, still
        self.title = say("The table")
        self.cloth = Cloth(battle.table)

    @property
    def fights(self) -> tuple[int, ...]:
        """The numbers of the fights on it."""
        return tuple(fight.number for fight in self.battle.fights)

    @cached_property
    def _strikes(self) -> list[Strike]:
        return strikes_of(self.battle)

    @cached_property
    def _taken(self) -> list[Box]:
        """What figures, ids, signs and marks cover."""
        found = [box for unit in self.battle.units for box in cells(unit)] + [*covered_by(self.battle.units)]
        return found + [
            _wider(Box(*at, *at), by) for one in self._strikes for at, by in ((one.spot, 16), (one.disc, 9))
        ]

    @cached_property
    def _named(self) -> list[tuple[str, Point]]:
        return _names(self.battle, self.cloth, [] if self._still else self._taken)

    def drawn(self) -> list[str]:
        """All that is drawn on the table, from the cloth up."""
        battle, strikes, labels = self.battle, self._strikes, labels_of(self.battle.units)
        return [
            "".join(draw_cloth(self.cloth)),
            "".join(draw_pieces(self.cloth, battle.japanese)),
            *(draw_zones(self.cloth) if battle.areas else ()),
            *(_name(*one) for one in self._named),
            *draw_ways(battle.moves, battle.sides),
            *_older([one for one in strikes if one.fight.kind != "fire"], draw_lines),
            *(draw_base(unit, battle.sides) for unit in battle.units),
            *_older([one for one in strikes if one.fight.kind == "fire"], draw_lines),  # over who came there later
            *draw_labels(labels),
            *draw_badges(battle.units, labels),
            *(mark for unit in battle.units for mark in draw_reach(unit.reach, self._taken)),
            *_older(strikes, draw_contacts),
            *draw_strikes(strikes),
        ]

    @property
    def box(self) -> Box:
        """The rectangle that it takes, without what lies beside it."""
        return self.cloth.box

    def legend(self, title: str) -> str:
        """The picture of the key to all of it."""
        legend, height = laid_out(items(self.battle), 0, _BROAD)
        return page(title, Box(0, 0, _BROAD, height), [sheet("100%"), *legend])

    def again(self) -> list[str]:
        """The same once more, where the page shows it whole."""
        return [element("use", href=f"#map-{NAME}")]

    def whole(self, title: str) -> str:
        """The whole table with its title, what lies beside it, and its key."""
        battle, wide = self.battle, self.cloth.box.right
        beside, bottom = draw_track(battle, self.cloth.box.bottom, wide)
        for side, units in battle.coming.items():
            for line in _folded(f"{side}: {', '.join(units)}", wide - 68):
                bottom += _LINE
                beside.append(text(Point(34, bottom + 8), line, 15, fill="#2a2416"))
        legend, height = laid_out(items(battle), bottom, wide)
        heading = text(Point(wide / 2, 38), title, TITLE_SIZE, font_weight="bold", fill="#2a2416", text_anchor="middle")
        all_of_it = element("g", [layer + "\n" for layer in self.drawn()], id=f"map-{NAME}")
        return page(title, Box(0, 0, wide, height), [sheet("100%"), heading, all_of_it, *beside, *legend])

    def crops(self) -> list[Crop[Battle]]:
        """The parts of the table where something happened."""
        seen = [(one.fight, one.box()) for one in self._strikes]
        parts = [Part((fight,), (), _wider(box, _AROUND), _clear(box)) for fight, box in seen]
        parts += [Part((), (move,), _round(move)) for move in self.battle.moves]
        clear = [_clear(_name_box(*one)) for one in self._named]
        return cropped(parts, self.cloth.box, clear, self._near, self.battle.within) if parts else []

    def _near(self, box: Box) -> str:
        """`right third round 63 24`."""
        at = self.cloth.spot_at(Point((box.left + box.right) / 2, (box.top + box.bottom) / 2))
        third = self.battle.table.place(at).split(",")[0]
        return say("%(third)s round %(x)s %(y)s", third=shown(third), x=round(at.x / 100), y=round(at.y / 100))

    def cut(self, drawn: list[str], crop: Crop[Battle], *, headed: bool) -> str:
        """A part of what is drawn, with coordinates along its edges."""
        return cut([*drawn, *rulers(self.cloth, crop.window)], crop.window, crop.title, headed=headed)

    def overview(self, _shown: Sequence[Crop[Battle]], _title: str, /, *, plain: bool) -> str:  # noqa: ARG002
        """None: a table is small."""
        return ""

    def key(self, shown: Sequence[Crop[Battle]], title: str) -> str:
        """The key of some parts, alone."""
        windows = [crop.window for crop in shown]
        seen = self.battle._replace(
            units=tuple(dict.fromkeys(unit for crop in shown for unit in crop.scene.units)),
            moves=tuple(dict.fromkeys(move for crop in shown for move in crop.scene.moves)),
            fights=tuple(dict.fromkeys(fight for crop in shown for fight in crop.scene.fights)),
            window=Box(
                *(f(values) for f, values in zip((min, min, max, max), zip(*windows, strict=True), strict=True))
            ),
        )
        legend, height = laid_out(items(seen), 0, WIDTH)
        return page(title, Box(0, 0, WIDTH, height), [sheet("100%"), *legend])


def _older(strikes: Sequence[Strike], drawn: Callable[[list[Strike]], Iterable[str]]) -> Iterator[str]:
    """What is drawn of fights, of older ones paler."""
    yield from paler(drawn([one for one in strikes if one.fight.old]), "0.75")
    yield from drawn([one for one in strikes if not one.fight.old])


def _clear(box: Box) -> Box:
    """A rectangle with what coordinates along the edges of a part would cover of it."""
    return Box(box.left - BAND, box.top - BAND, box.right, box.bottom)


def _wider(box: Box, by: float) -> Box:
    return Box(box.left - by, box.top - by, box.right + by, box.bottom + by)


def _round(move: WayView) -> Box:
    """The rectangle round a way with its ghost; of one too long for a part round its end."""
    end = move.path[-1]
    box = _wider(hull((*move.stood, *move.path)), _AROUND)
    if box.width <= WIDTH and box.height <= HEIGHT:
        return box
    return Box(end.x - _END, end.y - _END, end.x + _END, end.y + _END)


def _folded(words: str, width: float) -> list[str]:
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and width_of(longer, 15) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _names(battle: Battle, cloth: Cloth, taken: Sequence[Box]) -> list[tuple[str, Point]]:
    """The name of each piece of ground with its place, where it covers least of what is taken."""
    found = []
    for piece in battle.table.pieces:
        box = hull(tuple(map(cloth.spot, piece.corners)))
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2 + 5
        spots = [Point(x, y), *(Point(x, y + part * box.height) for part in (-0.3, 0.3, -0.15, 0.15, -0.42, 0.42))]
        covers = [sum(_name_box(piece.name, at).overlap(other) for other in taken) for at in spots]
        found.append((piece.name, spots[covers.index(min(covers))]))
    return found


def _name_box(name: str, at: Point) -> Box:
    return around(at, name, _NAME_SIZE, bold=True)


def _name(name: str, at: Point) -> str:
    look = {"fill": "#1c160a", "font_weight": "bold", "text_anchor": "middle"}
    return text(at, name, _NAME_SIZE, halo="#fffdf2", **look)


# --- made of a situation ---------------------------------------------------------------------------------------------


def battle_of(
    situation: Mapping[str, Any],
    marks: Mapping[str, Sequence[Json]],
    titles: Mapping[str, str],
    japanese: Mapping[str, str],
    *,
    areas: bool = False,
    reach: Sequence[str] = (),
) -> Battle:
    """The table of a situation with its news (`news.marks`); `reach` are the units whose ranges and moves are drawn."""
    table = Tabletop.read(situation["table"])
    cloth = Cloth(table)
    return Battle(
        table,
        tuple(side["id"] for side in situation["sides"]),
        tuple(_base(unit, cloth, titles, japanese, reach) for unit in situation["units"] if unit.get("base")),
        tuple(_ways(marks["moves"], cloth)),
        tuple(_fights(marks["fights"], cloth)),
        areas,
        titles,
        situation["turn"],
        situation["turns"],
        coming=_coming(situation),
        track=track_of(situation["sides"]),
        japanese=japanese,
    )


def _base(
    unit: Json, cloth: Cloth, titles: Mapping[str, str], japanese: Mapping[str, str], reach: Sequence[str]
) -> BaseView:
    base = unit["base"]
    stands = tuple(StandView(_corners(one["corners"], cloth), one["figures"], one["of"]) for one in base["stands"])
    rays = tuple(
        RayView(r["look"], r["title"], cloth.spot(r["at"]), r["radius"] * INCH / 100, r["facing"], r["arc"])
        for r in (base["reach"] if unit["id"] in reach else ())
    )
    badges = tuple(BadgeView(**badge) for badge in unit["badges"])
    told = _told(unit, cloth.table, titles, japanese)
    return BaseView(unit["id"], unit["side"], unit["symbol"], stands, base["facing"], badges, told, rays)


def _corners(corners: Sequence[Sequence[int]], cloth: Cloth) -> tuple[Point, ...]:
    return tuple(map(cloth.spot, corners))


def _told(unit: Json, table: Tabletop, titles: Mapping[str, str], japanese: Mapping[str, str]) -> str:
    """`sp-1: Left spearmen 1 (left wing, Red Hats), Ashigaru spearmen, 3 of 4 figures, ..., routed`."""
    name = f"{unit['name']} {japanese.get(unit['name'], '')}".rstrip()
    stands = unit["base"]["stands"]
    first = unit["values"].get(shown("figures")) or sum(
        one["of"] for one in stands
    )  # a stand without any left isn't there
    left = sum(one["figures"] for one in stands)
    figures = (
        say("%(left)s of %(number)s figure", left=left, number=first) if first == 1 else
        say("%(left)s of %(number)s figures", left=left, number=first)
    )  # fmt: skip
    group, side = (titles.get(unit[key], unit[key]) for key in ("formation", "side"))
    kind = shown(table.kinds.get(unit["symbol"], unit["symbol"]))
    who = say("%(id)s: %(name)s (%(group)s, %(side)s)", id=unit["id"], name=name, group=group, side=side)
    return also([who, kind, figures, str(unit["place"]), *unit["words"]])


def _ways(moves: Sequence[Json], cloth: Cloth) -> Iterator[WayView]:
    for move in moves:
        path = [cloth.spot(at) for label in move["path"] if (at := cloth.table.find(label)) is not None]
        stood = _corners(move.get("stood", ()), cloth)
        if len(path) > 1 and (stood or math.dist(path[0], path[-1]) > 0):
            yield WayView(tuple(path), stood, move["side"], move["old"], move["title"])


def _fights(fights: Sequence[Json], cloth: Cloth) -> Iterator[StrikeView]:
    for fight in fights:
        target = cloth.table.find(fight["at"])
        sources = tuple(cloth.spot(at) for label in fight["from"] if (at := cloth.table.find(label)) is not None)
        if target is not None and sources:
            same = {key: fight[key] for key in ("kind", "result", "number", "old", "title")}
            yield StrikeView(sources=sources, target=cloth.spot(target), whom=fight["target"], **same)


def _coming(situation: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The units of each side that are still to come, by where they are."""
    found = {}
    for side in situation["sides"]:
        for where in situation["where"]:
            of = [u["id"] for u in situation["units"] if (u["side"], u["where"]) == (side["id"], where["id"])]
            if where["coming"] and of:
                found[f"{side['title']}, {where['title']}"] = tuple(of)
    return found
