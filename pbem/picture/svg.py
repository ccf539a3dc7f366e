"""The map with its counters, moves and fights as SVG text, whole or a part of it; a pure function of plain data."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.picture.arrows import draw_entries, draw_moves, entry_boxes, paler, trail
from pbem.picture.aside import boxes_of, spots_of
from pbem.picture.beside import draw_beside
from pbem.picture.counters import CounterView, card, colours_of, counter, placed, tint_of
from pbem.picture.fights import FightMark, draw_fights, draw_lines, fight_marks, kept_clear
from pbem.picture.glance import LARGE, Glance, glance
from pbem.picture.labels import Keep, Name, anew, draw_names, placed_names
from pbem.picture.legend import draw_legend
from pbem.picture.numbers import draw_hidden
from pbem.picture.paper import Box, Paper, Point, element, number, paper_of, text, width_of
from pbem.picture.rings import draw_areas, draw_goals, draw_highlights, draw_prizes, draw_signs, goal_boxes
from pbem.picture.shields import draw_shields
from pbem.picture.terrain import draw_ground, draw_numbers
from pbem.picture.views import FightView, GoalView, MoveView, Scene, ShieldView, SignView
from pbem.records import NamedTuple

__all__ = [
    "TITLE_SIZE", "CounterView", "FightView", "GoalView", "MoveView", "Printed", "Scene", "again", "cut", "ground",
    "key", "layers", "names_on", "page", "sheet", "svg", "whole",
]  # fmt: skip

TITLE_SIZE = 24.0
_HEADING = 15.0  # of a part of the map
_TEXT = re.compile(r'<text x="([-0-9.]+)" y="([-0-9.]+)"[^>]*>[^<]*</text>')
_FAR = 200.0
"""Farther from its middle no text reaches."""

_OLD_FIGHT = "0.75"  # how pale an older fight is: its number and result are still read


class Printed(NamedTuple):
    """What is printed on a map and never changes: terrain with its courses, and the hex numbers that lie over it.

    Of a large map also what it shows at a glance.
    """

    terrain: str
    numbers: str
    glance: Glance | None = None


@lru_cache(maxsize=4)
def ground(board: Map) -> Printed:
    """The ground of a map, drawn: most of the work of a picture, so it is done once."""
    paper = paper_of(board)
    small = glance(board, paper) if len(board.hexes) >= LARGE else None
    return Printed("\n".join(draw_ground(board, paper)), "\n".join(draw_numbers(board, paper)), small)


def svg(
    board: Map,
    *,
    title: str,
    sides: Sequence[str] = (),
    units: Sequence[CounterView] = (),
    control: Mapping[Hex, str | None] | None = None,
    formations: Sequence[str] = (),
    printed: Printed | None = None,
    moves: Sequence[MoveView] = (),
    fights: Sequence[FightView] = (),
    highlights: Iterable[Hex] = (),
    **more: Any,
) -> str:
    """The picture as SVG, the same text for the same input; what isn't told here is as in `Scene`.

    sides (default: in the order of the map's and the units' names), formations (default: those of the units); control
    tells who holds which victory hex (default: as at the start); printed is the map's ground, if it is drawn already.
    """
    held = dict(control) if control is not None else board.held
    named = {*held.values(), *(u.side for u in units), *(m.side for m in moves)} - {None}
    known = tuple(sides) or tuple(sorted(map(str, named)))
    scene = Scene(
        board=board,
        sides=known,
        formations=tuple(formations) or tuple(sorted({u.formation for u in units})),
        units=tuple(units),
        held=held,
        moves=tuple(moves),
        fights=tuple(fights),
        highlights=frozenset(highlights),
        **more,
    )
    return whole(scene, layers(scene, printed), title)


def names_on(scene: Scene, keep: Keep = anew) -> list[Name]:
    """The names on the map, where they keep clear of what is drawn; `keep` keeps where each lies if nothing is."""
    held, entries, goals = (tuple(found.items()) for found in (scene.held, scene.entries, scene.goals))
    aside = (tuple(scene.shields.items()), tuple(scene.signs.items()))
    return _names_on(
        scene.board, scene.units, scene.moves, scene.fights, held, entries, goals, aside, scene.areas, keep
    )


@lru_cache(maxsize=4)
def _names_on(
    board: Map,
    units: tuple[CounterView, ...],
    moves: tuple[MoveView, ...],
    fights: tuple[FightView, ...],
    held: tuple[tuple[Hex, str], ...],
    entries: tuple[tuple[Hex, str], ...],
    goals: tuple[tuple[Hex, GoalView], ...],
    aside: tuple[tuple[tuple[Hex, ShieldView], ...], tuple[tuple[Hex, SignView], ...]],
    areas: bool,
    keep: Keep,
) -> list[Name]:
    """The same for what a scene holds of it: a page asks for its maps and again for their parts."""
    scene = Scene(board, (), (), units, dict(held), dict(entries), dict(goals), moves, fights, areas=areas)
    scene = scene._replace(shields=dict(aside[0]), signs=dict(aside[1]))
    paper = paper_of(board)
    there = list(placed(scene.units, paper))
    cards = [card(at) for _, at in there]
    marks = fight_marks(fights, cards, paper, kept_clear(scene, paper, there))
    taken = [*_taken(scene, cards, marks, paper), *boxes_of(spots_of(scene, paper, there))]
    boxes = [*entry_boxes(scene, paper), *goal_boxes(scene, paper)]
    return placed_names(board, paper, taken, scene.held, areas=areas, printed=boxes, ringed=scene.goals, keep=keep)


def layers(scene: Scene, printed: Printed | None = None, names: list[Name] | None = None) -> list[str]:
    """All that is drawn on the map, from the paper up; `names` are those on it, if they are known."""
    paper = paper_of(scene.board)
    printed = printed or ground(scene.board)
    units = list(placed(scene.units, paper))
    cards = [card(at) for _, at in units]
    fights = fight_marks(scene.fights, cards, paper, kept_clear(scene, paper, units))
    spots = spots_of(scene, paper, units)
    old, new = [mark for mark in fights if mark.fight.old], [mark for mark in fights if not mark.fight.old]
    return [
        printed.terrain,
        *(draw_areas(scene.board, paper) if scene.areas else ()),
        *draw_prizes(scene, paper),
        *draw_goals(scene, paper),
        printed.numbers,
        *draw_entries(scene, paper),
        *paler(draw_moves([move for move in scene.moves if move.old], paper, scene.sides)),
        *draw_moves([move for move in scene.moves if not move.old], paper, scene.sides),
        *paler(draw_lines(old, paper), _OLD_FIGHT),
        *draw_lines(new, paper),
        *draw_names(names_on(scene) if names is None else names),
        *(counter(u, at, colours_of(u.side, scene.sides), tint_of(u.formation, scene.formations)) for u, at in units),
        *draw_hidden(scene.board, paper, units),
        *draw_shields(scene, spots.shields),
        *draw_signs(scene, spots.signs),
        *draw_highlights(scene.highlights, paper),
        *paler(draw_fights(old), _OLD_FIGHT),
        *draw_fights(new),
    ]


def whole(scene: Scene, drawn: list[str], title: str, names: Sequence[str] = ()) -> str:
    """The whole map with its title, what lies beside it, and its key.

    What lies over and under `names`, which are among what is drawn, is shown again apart by parts on the same page.
    """
    paper = paper_of(scene.board)
    beside, bottom = draw_beside(scene, paper.bottom, paper.width)
    every = (*scene.units, *(unit for units in scene.coming.values() for unit in units))
    legend, height = draw_legend(scene._replace(units=every), bottom, paper.width)
    heading = text(Point(paper.width / 2, 38), title, TITLE_SIZE, font_weight="bold", fill="#2a2416")
    heading = element("g", heading, text_anchor="middle")
    first = drawn.index(names[0]) if names else len(drawn)
    under, over = drawn[:first], drawn[first + len(names) :]
    all_of_it = [f'<g id="{escape(_name(scene))}">', *_lines(under), "</g>\n", *_lines(names)]
    all_of_it += [f'<g id="{escape(_name(scene))}-over">', *_lines(over), "</g>\n"] if names else []
    lines = [*_lines([sheet("100%"), heading]), *all_of_it, *_lines([*beside, *legend])]
    return _page(title, Box(0, 0, paper.width, height), lines)


def again(scene: Scene, names: Sequence[str] = ()) -> list[str]:
    """What is drawn on a map once more, where the page shows it whole; with its `names`, as in `whole`."""
    over = [element("use", href=f"#{_name(scene)}-over")] if names else []
    return [element("use", href=f"#{_name(scene)}"), *names, *over]


def _name(scene: Scene) -> str:
    return f"map-{scene.board.name}"


def cut(drawn: list[str], window: Box, title: str, *, headed: bool = True) -> str:
    """A part of the map, under a heading unless a page has its title as text."""
    if not headed:
        return page(title, window, [sheet("100%", window), *(_legible(layer, window) for layer in drawn)])
    lines = _folded(title, window.width - 16)
    head = 20.0 * len(lines) + 8
    band = Box(window.left, window.top - head, window.right, window.bottom)
    strip = element(
        "rect", x=number(band.left), y=number(band.top), width=number(band.width), height=number(head), fill="#fbfaf3"
    )
    words = [
        text(Point(band.left + 8, band.top + 20.0 * (i + 1) - 2), line, _HEADING, font_weight="bold", fill="#2a2416")
        for i, line in enumerate(lines)
    ]
    return page(title, band, [sheet("100%", band), *(_legible(layer, band) for layer in drawn), strip, *words])


def _legible(layer: str, window: Box) -> str:
    """A layer without the texts that are far from a window: what draws a picture lays out each, seen or not."""

    def kept(found: re.Match[str]) -> str:
        x, y = float(found[1]), float(found[2])
        near = window.left - _FAR < x < window.right + _FAR and window.top - _FAR < y < window.bottom + _FAR
        return found[0] if near else ""

    return _TEXT.sub(kept, layer)


def key(scene: Scene, title: str, width: float) -> str:
    """The key alone."""
    legend, height = draw_legend(scene, 0, width)
    return page(title, Box(0, 0, width, height), [sheet("100%"), *legend])


def sheet(size: str, box: Box | None = None) -> str:
    """The paper under a picture."""
    at = {"x": number(box.left), "y": number(box.top)} if box else {}
    return element("rect", **at, width=size, height=size, fill="#fbfaf3")


def _folded(words: str, width: float) -> list[str]:
    """The words in lines of at most that width, if blanks allow it."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and width_of(longer, _HEADING, bold=True) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def page(title: str, box: Box, drawn: list[str], shown: int = 0) -> str:
    """A picture of its own: what is drawn in a box, under its title for who can't see it; shown so wide, if told."""
    return _page(title, box, _lines(drawn), shown)


def _lines(drawn: Iterable[str]) -> Iterator[str]:
    """What is drawn, each on a line: it is large, so no other text is made of each before all are joined."""
    for layer in drawn:
        yield layer
        yield "\n"


def _page(title: str, box: Box, lines: Iterable[str], shown: int = 0) -> str:
    """A picture of its own, of what is drawn with its ends of lines."""
    wide, high = math.ceil(box.width), math.ceil(box.height)
    empty = element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{number(box.left)} {number(box.top)} {wide} {high}",
        width=shown or wide,
        height=math.ceil(high * shown / wide) if shown else high,
        font_family="Helvetica, Arial, sans-serif",
        role="img",
    )
    return "".join([f"{empty.removesuffix('/>')}>", element("title", escape(title)), *lines, "</svg>"])


def _taken(scene: Scene, cards: Sequence[Box], fights: Sequence[FightMark], paper: Paper) -> list[Box]:
    """What names keep clear of beside shields and signs: counters, arrows and fights."""
    arrows = [box for move in scene.moves for box in trail(move, paper)]
    return [*cards, *arrows, *(box for mark in fights for box in mark.boxes(paper))]
