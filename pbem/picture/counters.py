"""Counters: a unit's square of card with its id, name, unit symbol and values, in its side's colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from html import escape

from pbem.maps.hexes import Hex
from pbem.picture.paper import BOLDER, Box, Paper, Point, broken, element, number, polygon, step, text, width_of
from pbem.records import NamedTuple

__all__ = [
    "COUNTER", "DISC", "SIZES", "BadgeView", "Colours", "CounterView", "Sides", "band", "card", "colours_of", "counter",
    "disc", "extra_sign", "joined", "leads", "name_line", "placed", "printed_lines", "star", "stripes", "symbol",
    "tint_of",
]  # fmt: skip

SIZES = {"division": "XX", "brigade": "X", "regiment": "III"}
"""Size of a unit -> its sign beside the symbol of its branch."""

_LEADERS = frozenset({"corps-leader", "army-leader"})
LOOKS = ("band", "star", "disc", "corner", "stripes")
COUNTER = 46.0  # length of a counter's edge, in picture units
DISC = 7.5  # radius of a disc with a sign
_SYMBOL = 2.6  # how far the symbol's middle lies below the counter's
_STACKED = Point(4.0, 11.0)  # how far the next counter of a stack is set off: each leaves the line of the id before it
_SIGN = 7.5  # size of the letters of the sign beside the symbol
_ROOM = 10.0  # how wide it may be where the symbol stands in the middle
_HALF = Point(12.0, 6.5)  # from the middle of a symbol's box to its corner


class BadgeView(NamedTuple):
    """A state that a counter shows: its sign, its title, and how it looks.

    look: disc, at the upper right corner, of several only the first; band, across a striped card with a dashed edge;
    stripes, such a card alone; star, beside the symbol; corner, a disc at the upper left corner, which is seen under
    other counters, too.
    """

    sign: str
    title: str
    look: str = "disc"


class CounterView(NamedTuple):
    """What a counter shows. symbol: infantry or foot, swordsmen, cavalry or mounted, rifle, mounted-rifle, artillery,
    engineers or leader, any other is written out; values: printed in this order; row: what they are
    called; extra: names and values of what else counts, the first of them shown beside the symbol; at: its hex, of no
    meaning beside the map; japanese: its name as it is written in Japan, told in its title.
    """

    id: str
    name: str
    side: str
    formation: str
    at: Hex
    symbol: str
    values: tuple[str, ...]
    badges: tuple[BadgeView, ...] = ()
    row: tuple[str, ...] = ()
    extra: tuple[tuple[str, str], ...] = ()
    japanese: str = ""

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
_USUAL = {"blue": _SIDES[0], "butternut": Colours("#c9b48a", "#1d1304", "#a98f5f")}
"""Colours by which a side is known."""

_TINTS = (
    "#ffffff", "#f3aa9e", "#a9cdf0", "#bfe39b", "#f7e67d", "#cfb2ea", "#b9b9b9", "#8fdbcf", "#f4a4cd", "#d6c48f",
    "#dfe7ff", "#c79a7c",
)  # fmt: skip


class Sides(tuple[str, ...]):
    """The ids of the sides, with the colours of those that are known by theirs."""

    colours: Mapping[str, str]

    def __new__(cls, ids: Iterable[str], colours: Mapping[str, str]) -> Sides:
        """`colours` are words, by side."""
        made = super().__new__(cls, ids)
        made.colours = colours
        return made


def colours_of(side: str, sides: tuple[str, ...]) -> Colours:
    """The colours of a side: those by which it is known, else by its place among the sides."""
    if isinstance(sides, Sides) and (usual := _USUAL.get(sides.colours.get(side, ""))):
        return usual
    return _SIDES[sides.index(side) % len(_SIDES)] if side in sides else _SIDES[3]


def tint_of(formation: str, formations: tuple[str, ...]) -> str:
    """The fill of a formation's unit symbols: one tint, or two for the halves where there are more than tints."""
    if formation not in formations:
        return _TINTS[0]
    again, place = divmod(formations.index(formation), len(_TINTS))
    return f"{_TINTS[place]} {_TINTS[(place + 3 * again) % len(_TINTS)]}" if again else _TINTS[place]


def placed(units: Iterable[CounterView], paper: Paper) -> Iterator[tuple[CounterView, Point]]:
    """Each counter with its centre; the units of one hex fan out so far that each id is seen, the last one on top."""
    there = list(units)
    many, count = Counter(unit.at for unit in there), Counter[Hex]()
    for unit in there:
        off = count[unit.at] - (many[unit.at] - 1) / 2
        count[unit.at] += 1
        yield unit, paper.centre(unit.at).by(_STACKED.x * off, 4 + _STACKED.y * off)


def card(at: Point) -> Box:
    """What a counter covers, centred at a point."""
    half = COUNTER / 2
    return Box(at.x - half, at.y - half, at.x + half, at.y + half)


def printed_lines(box: Box) -> tuple[Box, Box]:
    """Where on a card its id and its values stand."""
    return Box(box.left + 8, box.top, box.right - 8, box.top + 10), Box(
        box.left + 3, box.bottom - 13, box.right - 3, box.bottom
    )


def name_line(box: Box) -> Box:
    """Where on a card its name stands."""
    return Box(box.left + 4, box.top + 10, box.right - 4, box.top + 18)


@lru_cache(maxsize=1024)
def counter(view: CounterView, at: Point, colours: Colours, tint: str, *, titled: bool = True) -> str:
    """The counter, centred at a point; its title tells all of it in words."""
    half = COUNTER / 2
    corner = at.by(-half, -half)
    banded, starred, marked, cornered, striped = (view.badge(look) for look in LOOKS)
    card = element(
        "rect", x=number(corner.x), y=number(corner.y), width=COUNTER, height=COUNTER, rx="4", fill=colours.card
    )
    edge_look: dict[str, str] = {"stroke_dasharray": "5 3"} if banded or striped else {}
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
    parts = [*([element("title", escape(_described(view)))] if titled else ()), card]
    if banded or striped:
        parts.append(stripes(corner, colours))
    aside, size = _beside_symbol(view)
    parts += [edge, *_print(view, at, colours, size), *symbol(view.symbol, at.by(-aside, _SYMBOL), tint, colours.ink)]
    if starred:
        parts += star(at.by(-17, _SYMBOL), 5.2)
    if banded:
        parts.append(_band(banded.sign, at.by(0, _SYMBOL)))
    if marked:
        parts += disc(marked.sign, at.by(half, -half))
    if cornered:
        parts += disc(cornered.sign, at.by(-half - _STACKED.x, -half))  # beside the id of the counter under it
    return element("g", parts, text_anchor="middle")


def _described(view: CounterView) -> str:
    shown = (view.badge(look) for look in ("star", "band", "stripes", "corner", "disc"))
    states = "".join(f", {badge.title}" for badge in shown if badge)
    more = "".join(f", {name} {value}" for name, value in view.extra)
    name = f"{view.name} {view.japanese}".rstrip()
    return f"{view.id}: {name} ({view.formation}, {view.side}) {joined(view.values)}{more}{states}"


def stripes(corner: Point, colours: Colours) -> str:
    """Diagonal stripes over the card."""
    paths = []
    for start in (10.0, 23.0, 36.0, 49.0, 62.0, 75.0):
        low, high = max(0.0, start - COUNTER), min(start, COUNTER)
        a, b = corner.by(low, start - low), corner.by(high, start - high)
        paths.append(f"M{number(a.x)} {number(a.y)}L{number(b.x)} {number(b.y)}")
    return element("path", d="".join(paths), stroke=colours.shade, stroke_width="4.5")


def _band(sign: str, at: Point) -> str:
    """The turned band across the symbol, with its sign."""
    turned = f"rotate(-8 {number(at.x)} {number(at.y)})"
    return element("g", band(sign, at, 42), transform=turned)


def band(sign: str, at: Point, width: float) -> Iterator[str]:
    """A red band with its sign, centred at a point."""
    corner = {"x": number(at.x - width / 2), "y": number(at.y - 5)}
    yield element("rect", **corner, width=width, height="10", fill="#c62020", stroke="#fff")
    yield text(at.by(0, 3.4), sign, 9.5, fill="#fff", font_weight="bold")


def _beside_symbol(view: CounterView) -> tuple[float, float]:
    """How far the symbol goes aside for the sign beside it, and the size of that sign: both within the edge."""
    wide = width_of(extra_sign(*view.extra[0]), _SIGN, bold=True) if view.extra else 0.0
    over = max(0.0, wide - _ROOM)
    return (0.0, _SIGN * _ROOM / wide) if over and view.badge("star") else (over, _SIGN)


def _print(view: CounterView, at: Point, colours: Colours, size: float) -> Iterator[str]:
    values, bold = joined(view.values), {"fill": colours.ink, "font_weight": "bold"}
    yield text(at.by(0, -13.2), view.id, _fitting(view.id, 9.5), **bold)
    if view.name != view.id:
        yield text(at.by(0, -5.6), view.name, _fitting(view.name, 7.6), fill=colours.ink)
    yield text(at.by(0, 20), values, _fitting(values, 13, 1.0), **bold)
    for name, value in view.extra[:1]:
        sign = extra_sign(name, value)
        middle = min(17.2, COUNTER / 2 - 1 - width_of(sign, size, bold=True) / 2)
        yield text(at.by(middle, _SYMBOL + 3), sign, size, **bold)


def joined(values: Sequence[str]) -> str:
    """A row of values: `5-3-4-4`; one with signs before them `+1/0/5/6`."""
    return ("/" if any(value[:1] in ("+", "-") for value in values) else "-").join(values)


def extra_sign(name: str, value: str) -> str:
    """What else counts of a unit, in short: `R3` for a range of 3."""
    return f"{name[:1].upper()}{value}"


def _fitting(words: str, size: float, bolder: float = BOLDER) -> float:
    """The letter size at which bold words fit on the counter; bold figures are no wider than others."""
    return min(size, size * (COUNTER - 4) / max(bolder * width_of(words, size), 1))


def disc(sign: str, at: Point) -> Iterator[str]:
    """A disc with one or two signs, centred at a point."""
    yield element("circle", cx=number(at.x), cy=number(at.y), r=number(DISC), fill="#fff", stroke="#111")
    yield text(at.by(0, 3.4), sign, 9.5, fill="#111", font_weight="bold")


def star(at: Point, radius: float = 6.8) -> Iterator[str]:
    """A star on a white disc, centred at a point."""
    yield element("circle", cx=number(at.x), cy=number(at.y), r=number(radius), fill="#fff", stroke="#111")
    yield element("path", d=_star(at, 0.91 * radius), fill="#111")


def symbol(kind: str, at: Point, tint: str, ink: str = "#111") -> Iterator[str]:
    """The unit symbol, centred at a point: a box with its branch's sign, beside it that of its size, if it has one."""
    fill, *half = tint.split()
    corner: dict[str, str | float] = {"x": number(at.x - _HALF.x), "width": 2 * _HALF.x}
    top, high = number(at.y - _HALF.y), 2 * _HALF.y
    yield element("rect", **corner, y=top, height=high, fill=fill, stroke="none" if half else "#111")
    if half:
        yield element("rect", **corner, y=number(at.y), height=_HALF.y, fill=half[0])
        yield element("rect", **corner, y=top, height=high, fill="none", stroke="#111")
    branch, _, size = kind.rpartition("-")
    if size in SIZES:
        kind = branch
        yield text(at.by(-_HALF.x - 5.2, 2.6), SIZES[size], 7, fill=ink, font_weight="bold")
    sign = _SIGNS.get(kind.replace("_", "-"))
    if sign is None:
        yield text(at.by(0, 3.4), kind[:4], 9, fill="#111", font_weight="bold")
    else:
        yield from sign(at)


def _one_stroke(at: Point) -> Iterator[str]:
    """Cavalry."""
    yield element("path", d=_diagonal(at, 1), fill="none", stroke="#111", stroke_width="1.3")


def _two_strokes(at: Point) -> Iterator[str]:
    """Infantry."""
    yield element("path", d=_diagonal(at, -1) + _diagonal(at, 1), fill="none", stroke="#111", stroke_width="1.3")


def _diagonal(at: Point, end: int) -> str:
    """From the left corner of the symbol's box, upper (-1) or lower (1), to the opposite one."""
    start = f"M{number(at.x - _HALF.x)} {number(at.y + end * _HALF.y)}"
    return f"{start}{step(2 * _HALF.x, -2 * end * _HALF.y)}"


def _with_firearms(at: Point, branch: Callable[[Point], Iterator[str]]) -> Iterator[str]:
    """A branch's sign with a black band along its foot."""
    yield from branch(at)
    x, y = number(at.x - _HALF.x), number(at.y + _HALF.y - 4)
    yield element("rect", x=x, y=y, width=2 * _HALF.x, height="4", fill="#111")


def _gun(at: Point) -> Iterator[str]:
    yield element("circle", cx=number(at.x), cy=number(at.y), r="3.6", fill="#111")


def _swords(at: Point) -> Iterator[str]:
    yield from (_sword(at, lean) for lean in (-1, 1))


def _bridge(at: Point) -> Iterator[str]:
    bridge = f"M{number(at.x - 8)} {number(at.y + 4)}v-7h16v7m-8 0v-7"
    yield element("path", d=bridge, fill="none", stroke="#111", stroke_width="1.5")


def _big_star(at: Point) -> Iterator[str]:
    yield element("path", d=_star(at, 6), fill="#111")


def _stars(at: Point, many: int) -> Iterator[str]:
    """So many small stars beside each other, as many as the rank is high."""
    places = (at.by(7.5 * (i - (many - 1) / 2), 0.4) for i in range(many))
    yield element("path", d="".join(_star(place, 4.1) for place in places), fill="#111")


def _sword(at: Point, lean: int) -> str:
    """A curved blade from one lower corner to the other upper one, with its guard."""
    x, y = at.x - 8 * lean, at.y + 5
    blade = f"M{number(x)} {number(y)}Q{number(at.x + 3 * lean)} {number(at.y + 2.4)} {number(at.x + 8 * lean)} "
    guard = f"M{number(x + 2 * lean)} {number(y - 3.6)}l{number(3 * lean)} 3.2"
    return element("path", d=f"{blade}{number(at.y - 5)}{guard}", fill="none", stroke="#111", stroke_width="1.6")


def _star(at: Point, radius: float) -> str:
    first, rest = _rays(radius)
    return f"M{number(at.x + first.x)} {number(at.y + first.y)}{rest}"


@lru_cache(maxsize=16)
def _rays(radius: float) -> tuple[Point, str]:
    """A star round nothing: its first point, and path data of the steps from it to the others."""
    points = [Point(0, 0).at(-90 + 36 * i, radius if i % 2 == 0 else radius * 0.42) for i in range(10)]
    return points[0], polygon(points).removeprefix(broken(points[:1]))


def leads(kind: str) -> bool:
    """Whether a unit symbol is that of somebody who leads others."""
    return _SIGNS.get(kind) is _big_star or kind in _LEADERS


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
    "leader": _big_star,
    "military-commander": partial(_stars, many=1),
    "general": partial(_stars, many=2),
    "corps-leader": partial(_stars, many=2),
    "army-leader": partial(_stars, many=3),
    "commander-in-chief": partial(_stars, many=3),
}
