"""Hexes marked by a ring: those that count, those by which a game is won or lost, highlights and set-up areas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from pbem.language import say
from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map
from pbem.picture.counters import colours_of
from pbem.picture.paper import NUMBER_SIZE, RADIUS, Box, Paper, Point, element, number, polygon, text, width_of
from pbem.picture.views import Scene

__all__ = [
    "draw_areas",
    "draw_goals",
    "draw_highlights",
    "draw_prizes",
    "draw_signs",
    "flag",
    "goal_boxes",
    "goal_ring",
    "place_sign",
    "prize_ring",
]


NOBODYS = "#ffffff"
"""The colour of a victory hex that no side holds."""


def draw_prizes(scene: Scene, paper: Paper) -> Iterator[str]:
    """The victory hexes, each in the colour of who holds it."""
    for h, side in sorted(scene.held.items()):
        title = element("title", escape(_holds(scene, h, side)))
        ring = prize_ring(paper.corners(h, RADIUS - 3.8), colours_of(side, scene.sides).card if side else NOBODYS)
        yield element("g", title + ring + _plate(h, scene, paper))


def _holds(scene: Scene, h: Hex, side: str | None) -> str:
    """What a victory hex says: who holds it."""
    holder = say("nobody") if side is None else side
    return say("%(prize)s %(hex)s: %(side)s", prize=scene.prize, hex=scene.described(h), side=holder)


def prize_ring(corners: list[Point], colour: str) -> str:
    """A double ring."""
    ring = polygon(corners)
    edge = element("path", d=ring, fill="none", stroke="#111111", stroke_width="7")
    return edge + element("path", d=ring, fill="none", stroke=colour, stroke_width="4.4")


def draw_goals(scene: Scene, paper: Paper) -> Iterator[str]:
    """The hexes by which a game is won or lost: a broken ring, where there is something to reach a flag."""
    for h, goal in sorted(scene.goals.items()):
        title = element("title", escape(f"{scene.described(h)}: {goal.title}"))
        drawn = goal_ring(paper.corners(h, RADIUS - 3.8), colours_of(goal.side, scene.sides).card)
        if goal.look == "reach":
            drawn += flag(paper.centre(h).by(-0.66 * RADIUS, 0.36 * RADIUS), colours_of(goal.side, scene.sides).card)
        yield element("g", title + drawn + _plate(h, scene, paper))


def draw_signs(scene: Scene, spots: Mapping[Hex, Point]) -> Iterator[str]:
    """The signs of places whose state isn't that of the map, where they lie."""
    for h, mark in sorted(scene.signs.items()):
        title = element("title", escape(f"{scene.described(h)}: {mark.title}"))
        yield element("g", [title, *place_sign(mark.sign, spots[h])], text_anchor="middle")


def place_sign(sign: str, at: Point) -> Iterator[str]:
    """A black square with a white sign, centred at a point."""
    corner = {"x": number(at.x - 7), "y": number(at.y - 7)}
    yield element("rect", **corner, width="14", height="14", rx="2", fill="#111111", stroke="#ffffff")
    yield text(at.by(0, 3.6), sign, 10, fill="#ffffff", font_weight="bold")


def _plate(h: Hex, scene: Scene, paper: Paper) -> str:
    """Under a hex number that a ring would cover."""
    x, y = paper.number_at(h)
    wide = width_of(scene.board.label(h), NUMBER_SIZE) + 3
    size = {"width": number(wide), "height": "11", "fill": "#fffdf2"}
    return element("rect", x=number(x - wide / 2), y=number(y - 10), **size, rx="3")


def goal_boxes(scene: Scene, paper: Paper) -> Iterator[Box]:
    """What the rings of goals cover, in pieces."""
    for h in sorted(scene.goals):
        corners = paper.corners(h, RADIUS - 3.8)
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            for part in (0.0, 0.25, 0.5, 0.75):
                x, y = a.towards(b, part)
                yield Box(x - 4, y - 4, x + 4, y + 4)


def goal_ring(corners: list[Point], colour: str) -> str:
    """A ring of dashes."""
    ring = polygon(corners)
    looks = (("#111111", "7", ""), ("#ffffff", "5", ""), (colour, "5", "11 7"))
    return "".join(
        element("path", d=ring, fill="none", stroke=stroke, stroke_width=wide, **_dashed(dashes))
        for stroke, wide, dashes in looks
    )


def _dashed(dashes: str) -> dict[str, str]:
    return {"stroke_dasharray": dashes} if dashes else {}


def flag(at: Point, colour: str) -> str:
    """A flag on its pole."""
    x, y = number(at.x - 5), number(at.y + 9)
    cloth = element("path", d=f"M{x} {y}m0 -18h14l-4 5l4 5h-14z", fill=colour, stroke="#111", stroke_width="1.4")
    return (
        element("path", d=f"M{x} {y}v-19", stroke="#fff", stroke_width="5")
        + cloth
        + element("path", d=f"M{x} {y}v-19", stroke="#111", stroke_width="2")
    )


def draw_highlights(highlights: frozenset[Hex], paper: Paper) -> Iterator[str]:
    """Yellow rings."""
    rings = "".join(polygon(paper.corners(h, RADIUS - 2)) for h in sorted(highlights))
    if rings:
        yield element("path", d=rings, fill="none", stroke="#000", stroke_width="6")
        yield element("path", d=rings, fill="none", stroke="#ffee33", stroke_width="4", stroke_dasharray="9 4")


def draw_areas(board: Map, paper: Paper) -> Iterator[str]:
    """Each set-up area's outer boundary."""
    areas: Mapping[str, frozenset[Hex]] = {name: frozenset(hexes) for name, hexes in board.areas.items()}
    for name, hexes in sorted(areas.items()):
        outside = [(h, n) for h in sorted(hexes) for n in neighbours(h) if n not in hexes]
        ends = [paper.side(h, n, RADIUS - 2.5) for h, n in outside]
        border = "".join(f"M{number(a.x)} {number(a.y)}L{number(b.x)} {number(b.y)}" for a, b in ends)
        look = {"d": border, "fill": "none", "stroke_linecap": "round"}
        yield element("g", [
            element("title", escape(say("set-up area %(name)s", name=name))),
            element("path", **look, stroke="#fff", stroke_width="6", stroke_opacity="0.8"),
            element("path", **look, stroke="#a01468", stroke_width="3", stroke_dasharray="8 6"),
        ])  # fmt: skip
