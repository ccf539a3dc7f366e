"""Shares and numbers as bars: how often each side wins, and how numbers are spread over games; SVG text for pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil

from pbem.language import say
from pbem.picture.paper import Point, element, number, text
from pbem.records import NamedTuple

__all__ = ["Bar", "binned", "histogram", "shares"]

WIDE = 360.0
"""A picture is so wide; on a phone its letters are as large as those around it."""

SIZE = 12.0
LEFT, RIGHT = 34.0, 352.0
"""Where bars begin and end."""

TALL, FOOT = 110.0, 38.0
"""A histogram's highest bar, and what stands below it."""

WIDEST = 48.0
"""A bar of a histogram at most, where there are few."""

ROW = 46.0
"""The height of a share with its name."""

MOST = 24
"""Bars of a histogram at most."""


class Bar(NamedTuple):
    """A share from 0 to 1 with its interval: what it is of, and the class by which a page colours it."""

    title: str
    share: float
    low: float
    high: float
    look: str


def shares(title: str, bars: Sequence[Bar]) -> str:
    """Shares as bars one below the other, each with its name, its number and a line from `low` to `high`."""
    drawn = _scale(len(bars))
    for place, bar in enumerate(bars):
        top, long = ROW * place, RIGHT - LEFT
        name = f"{bar.title}: {100 * bar.share:.1f} %"
        words = text(Point(LEFT, top + 14), name, SIZE, class_="name")
        box = element("rect", x=LEFT, y=top + 20, width=number(bar.share * long), height=18, class_=f"bar {bar.look}")
        drawn += [words, box, *_interval(LEFT + bar.low * long, LEFT + bar.high * long, top + 29)]
    return _picture(title, ROW * len(bars) + 22, drawn)


def _scale(rows: int) -> list[str]:
    """Lines at every quarter behind each bar, with the share below them."""
    drawn = []
    for quarter in range(5):
        x, look = LEFT + (RIGHT - LEFT) * quarter / 4, "half" if quarter == 2 else "grid"
        drawn += [_line(x, x, ROW * row + 18, ROW * row + 40, look) for row in range(rows)]
        drawn.append(text(Point(x, ROW * rows + 14), f"{quarter * 25} %", SIZE, class_="mid" if quarter < 4 else "end"))
    return drawn


def _interval(low: float, high: float, y: float) -> list[str]:
    """A line with a stroke at either end, over a paler one that sets it off from a bar."""
    ends = [(low, high, y, y), (low, low, y - 6, y + 6), (high, high, y - 6, y + 6)]
    return [_line(*end, look) for look in ("halo", "sure") for end in ends]


def _line(left: float, right: float, top: float, bottom: float, look: str) -> str:
    return element("line", x1=left, x2=right, y1=top, y2=bottom, class_=look)


def binned(counts: Mapping[int, int]) -> list[tuple[int, int, int]]:
    """Numbers in bins of one width, 24 at most: the first and last number of each, and how often one of them comes."""
    least, most = min(counts), max(counts)
    width = _round(ceil((most - least + 1) / MOST))
    first = least - least % width
    found = [(start, start + width - 1, 0) for start in range(first, most + 1, width)]
    for value, count in counts.items():
        place = (value - first) // width
        found[place] = (*found[place][:2], found[place][2] + count)
    return found


def _round(width: int) -> int:
    """The next width that is easily read: 1, 2, 5, 10, 20 ..."""
    scale = 1
    while True:
        for factor in (1, 2, 5):
            if factor * scale >= width:
                return factor * scale
        scale *= 10


def histogram(title: str, what: str, counts: Mapping[int, int], look: str) -> str:
    """How often each number comes, as bars beside each other; `what` the numbers are is told below them."""
    bins, of = binned(counts), sum(counts.values())
    highest, wide = max(count for _, _, count in bins), min(WIDEST, (RIGHT - LEFT) / len(bins))
    drawn = [
        _line(LEFT, RIGHT, 18.0, 18.0, "grid"),
        text(Point(LEFT - 4, 22), f"{100 * highest / of:.0f} %", SIZE, class_="end"),
        text(Point(LEFT - 4, TALL + 22), "0", SIZE, class_="end"),
    ]
    every = ceil(32 / wide)
    for place, (start, _, count) in enumerate(bins):
        tall, x = TALL * count / highest, LEFT + wide * place
        if count:
            at = {"x": number(x + wide * 0.08), "y": number(TALL + 18 - tall)}
            size = {"width": number(wide * 0.84), "height": number(tall)}
            drawn.append(element("rect", **at, **size, class_=f"bar {look}"))
        if place % every == 0:
            drawn.append(text(Point(x + wide / 2, TALL + 33), str(start), SIZE, class_="mid"))
    step = bins[0][1] - bins[0][0] + 1
    below = say("%(what)s, %(step)s to a bar", what=what, step=step) if step > 1 else what
    drawn += [
        _line(LEFT, RIGHT, TALL + 18, TALL + 18, "half"),
        text(Point((LEFT + RIGHT) / 2, TALL + 50), below, SIZE, class_="mid"),
    ]
    return _picture(title, TALL + FOOT + 20, drawn)


def _picture(title: str, height: float, drawn: Sequence[str]) -> str:
    return element(
        "svg",
        [element("title", escape(title)), *(part + "\n" for part in drawn)],
        viewBox=f"0 0 {number(WIDE)} {number(height)}",
        role="img",
        class_="bars",
    )
