"""Shields: how much a stronghold that is attacked can still stand, over all counters in its hex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from pbem.maps.hexes import Hex
from pbem.picture.paper import Point, element, number, text
from pbem.picture.views import Scene, ShieldView

__all__ = ["draw_shields", "shield"]

_HALF = 8.5
_INK = "#2a2416"


def draw_shields(scene: Scene, spots: Mapping[Hex, Point]) -> Iterator[str]:
    """The shield of each stronghold that has one, where it lies; its title tells it in words."""
    for h, view in sorted(scene.shields.items()):
        title = element("title", escape(f"{scene.described(h)}: {view.title} {view.sign}"))
        yield element("g", title + shield(view, spots[h]))


def shield(view: ShieldView, at: Point) -> str:
    """A shield with its number, centred at a point."""
    x, y = number(at.x - _HALF), number(at.y - _HALF)
    edge = f"M{x} {y}h17v8.5c0 4.5 -4 7 -8.5 9c-4.5 -2 -8.5 -4.5 -8.5 -9z"
    plate = element("path", d=edge, fill="#fffdf2", stroke=_INK, stroke_width="1.6")
    size = 12 if len(view.sign) < 2 else 10
    return plate + text(at.by(0, 3.2), view.sign, size, font_weight="bold", fill=_INK, text_anchor="middle")
