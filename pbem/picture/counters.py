"""Counters: a unit's square of card with its name, unit symbol and values, in its side's colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from html import escape
from typing import NamedTuple

from pbem.maps.hexes import Hex
from pbem.picture.paper import Point, element, number, text, width_of

__all__ = [
    "COUNTER", "BadgeView", "Colours", "CounterView", "colours_of", "counter", "disc", "star", "symbol", "tint_of",
]  # fmt: skip

LOOKS = ("band", "star", "disc")
COUNTER = 46.0  # length of a counter's edge, in picture units


class BadgeView(NamedTuple):
    """A state that a counter shows: its sign, its title, and how it looks.

    look: disc, at the upper right corner, of several only the first; band, across a striped card with a dashed edge;
    star, beside the symbol.
    """

    sign: str
    title: str
    look: str = "disc"


class CounterView(NamedTuple):
    """What a counter shows. symbol: infantry or foot, swordsmen, cavalry or mounted, rifle, mounted-rifle, artillery,
    engineers or headquarters, any other is written out; values: printed in this order, joined by hyphens.
    """

    id: str
    name: str
    side: str
    formation: str
    at: Hex
    symbol: str
    values: tuple[str, ...]
    badges: tuple[BadgeView, ...] = ()

    def badge(self, look: str) -> BadgeView | None:
        """The first badge of that look."""
        return next((badge for badge in self.badges if badge.look == look), None)


class Colours(NamedTuple):
    """A side's colours: card, print on the card, and a shade for stripes on the card."""

    card: str
    ink: str
    shade: str


# Told apart in grey as well: dark, light, middle, very light.
_SIDES = (
    Colours("#234a7d", "#ffffff", "#4f78ad"),
    Colours("#f0b04c", "#1d1304", "#d28a20"),
    Colours("#5f8f5a", "#000000", "#82b07c"),
    Colours("#e9dcea", "#2b1030", "#c9aecb"),
)
_TINTS = ("#ffffff", "#f6c9c0", "#cfe3f5", "#d8eec2", "#f7ecb0", "#e0cdee", "#cfcfcf", "#f5d3e6")


def colours_of(side: str, sides: tuple[str, ...]) -> Colours:
    """The colours of a side, by its place among the sides."""
    return _SIDES[sides.index(side) % len(_SIDES)] if side in sides else _SIDES[3]


def tint_of(formation: str, formations: tuple[str, ...]) -> str:
    """The fill of a formation's unit symbols."""
    return _TINTS[formations.index(formation) % len(_TINTS)] if formation in formations else _TINTS[0]


def counter(view: CounterView, at: Point, colours: Colours, tint: str) -> str:
    """The counter, centred at a point."""
    half = COUNTER / 2
    corner = at.by(-half, -half)
    banded, starred, marked = (view.badge(look) for look in LOOKS)
    card = element(
        "rect", x=number(corner.x), y=number(corner.y), width=COUNTER, height=COUNTER, rx="4", fill=colours.card
    )
    edge_look: dict[str, str] = {"stroke_dasharray": "5 3"} if banded else {}
    edge = element(
        "rect",
        x=number(corner.x),
        y=number(corner.y),
        width=COUNTER,
        height=COUNTER,
        rx="4",
        fill="none",
        stroke="#111111",
        stroke_width="1.8",
        **edge_look,
    )
    parts = [element("title", escape(_described(view))), card]
    if banded:
        parts.append(_stripes(corner, colours))
    parts += [edge, *_print(view, at, colours), *symbol(view.symbol, at.by(0, -1), tint)]
    if starred:
        parts += star(at.by(-14.5, -1))
    if banded:
        parts.append(_band(banded.sign, at.by(0, -1)))
    if marked:
        parts += disc(marked.sign, at.by(half, -half))
    return element("g", parts, text_anchor="middle")


def _described(view: CounterView) -> str:
    shown = (view.badge(look) for look in ("star", "band", "disc"))
    states = "".join(f", {badge.title}" for badge in shown if badge)
    return f"{view.id}: {view.name} ({view.formation}, {view.side}) {'-'.join(view.values)}{states}"


def _stripes(corner: Point, colours: Colours) -> str:
    """Diagonal stripes over the card."""
    paths = []
    for start in (10.0, 23.0, 36.0, 49.0, 62.0, 75.0):
        low, high = max(0.0, start - COUNTER), min(start, COUNTER)
        a, b = corner.by(low, start - low), corner.by(high, start - high)
        paths.append(f"M{number(a.x)} {number(a.y)}L{number(b.x)} {number(b.y)}")
    return element("path", d="".join(paths), stroke=colours.shade, stroke_width="4.5")


def _band(sign: str, at: Point) -> str:
    """The turned band across the symbol, with its sign."""
    turned = f"rotate(-24 {number(at.x)} {number(at.y)})"
    strip = element(
        "rect", x=number(at.x - 21), y=number(at.y - 5), width="42", height="10", fill="#c62020", stroke="#fff"
    )
    return element("g", [strip, text(at.by(0, 3.4), sign, 9.5, fill="#fff", font_weight="bold")], transform=turned)


def _print(view: CounterView, at: Point, colours: Colours) -> Iterator[str]:
    values = "-".join(view.values)
    yield text(at.by(0, -13.5), view.name, _fitting(view.name, 9), fill=colours.ink)
    yield text(at.by(0, 19.5), values, _fitting(values, 12), fill=colours.ink, font_weight="bold")


def _fitting(words: str, size: float) -> float:
    """The letter size at which the words fit on the counter."""
    return min(size, size * (COUNTER - 4) / max(width_of(words, size), 1))


def disc(sign: str, at: Point) -> Iterator[str]:
    """A disc with one or two signs, centred at a point."""
    yield element("circle", cx=number(at.x), cy=number(at.y), r="7.5", fill="#fff", stroke="#111")
    yield text(at.by(0, 3.4), sign, 9.5, fill="#111", font_weight="bold")


def star(at: Point) -> Iterator[str]:
    """A star on a white disc, centred at a point."""
    yield element("circle", cx=number(at.x), cy=number(at.y), r="6.8", fill="#fff", stroke="#111")
    yield element("path", d=_star(at, 6.2), fill="#111")


def symbol(kind: str, at: Point, tint: str) -> Iterator[str]:
    """The unit symbol, centred at a point: a box with its branch's sign."""
    x, y = number(at.x - 13), number(at.y - 8.5)
    yield element("rect", x=x, y=y, width="26", height="17", fill=tint, stroke="#111", stroke_width="1.3")
    sign = _SIGNS.get(kind.replace("_", "-"))
    if sign is None:
        yield text(at.by(0, 3.5), kind[:4], 9.5, fill="#111", font_weight="bold")
    else:
        yield from sign(at)


def _one_stroke(at: Point) -> Iterator[str]:
    """Cavalry."""
    yield element("path", d=f"{_corner(at, 1)}l26 -17", fill="none", stroke="#111", stroke_width="1.3")


def _two_strokes(at: Point) -> Iterator[str]:
    """Infantry."""
    strokes = f"{_corner(at, -1)}l26 17{_corner(at, 1)}l26 -17"
    yield element("path", d=strokes, fill="none", stroke="#111", stroke_width="1.3")


def _corner(at: Point, end: int) -> str:
    """The left corner of the symbol's box, upper (-1) or lower (1)."""
    return f"M{number(at.x - 13)} {number(at.y + end * 8.5)}"


def _with_firearms(at: Point, branch: Callable[[Point], Iterator[str]]) -> Iterator[str]:
    """A branch's sign with a black band along its foot."""
    yield from branch(at)
    yield element("rect", x=number(at.x - 13), y=number(at.y + 3.5), width="26", height="5", fill="#111")


def _gun(at: Point) -> Iterator[str]:
    yield element("circle", cx=number(at.x), cy=number(at.y), r="4.2", fill="#111")


def _swords(at: Point) -> Iterator[str]:
    yield from (_sword(at, lean) for lean in (-1, 1))


def _bridge(at: Point) -> Iterator[str]:
    bridge = f"M{number(at.x - 8)} {number(at.y + 5)}v-9h16v9m-8 0v-9"
    yield element("path", d=bridge, fill="none", stroke="#111", stroke_width="1.5")


def _big_star(at: Point) -> Iterator[str]:
    yield element("path", d=_star(at, 7.5), fill="#111")


def _sword(at: Point, lean: int) -> str:
    """A curved blade from one lower corner to the other upper one, with its guard."""
    x, y = at.x - 9 * lean, at.y + 6.5
    blade = f"M{number(x)} {number(y)}Q{number(at.x + 3 * lean)} {number(at.y + 3)} {number(at.x + 9 * lean)} "
    guard = f"M{number(x + 2.2 * lean)} {number(y - 4.2)}l{number(3.2 * lean)} 3.6"
    return element("path", d=f"{blade}{number(at.y - 6.5)}{guard}", fill="none", stroke="#111", stroke_width="1.6")


def _star(at: Point, radius: float) -> str:
    points = [at.at(-90 + 36 * i, radius if i % 2 == 0 else radius * 0.42) for i in range(10)]
    return "M" + "L".join(f"{number(p.x)} {number(p.y)}" for p in points) + "z"


_SIGNS: dict[str, Callable[[Point], Iterator[str]]] = {
    "infantry": _two_strokes,
    "foot": _two_strokes,
    "cavalry": _one_stroke,
    "mounted": _one_stroke,
    "rifle": partial(_with_firearms, branch=_two_strokes),
    "mounted-rifle": partial(_with_firearms, branch=_one_stroke),
    "artillery": _gun,
    "swordsmen": _swords,
    "engineers": _bridge,
    "headquarters": _big_star,
}
