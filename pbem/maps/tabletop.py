"""A table without hexes: its size, what lies on it, and its places, by label and in words; whole hundredths alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from math import isqrt
from typing import Any

from pbem.records import NamedTuple

__all__ = ["Piece", "Spot", "Tabletop", "Zone", "coordinates", "label", "length", "read_length", "table_of"]

_COMPASS = {
    (0, 1): "north", (1, 1): "north-east", (1, 0): "east", (1, -1): "south-east",
    (0, -1): "south", (-1, -1): "south-west", (-1, 0): "west", (-1, 1): "north-west",
}  # fmt: skip
_THIRDS = ("left", "centre", "right")


class Spot(NamedTuple):
    """A place on a table in hundredths of its measure: x to the east, y to the north."""

    x: int
    y: int


class Piece(NamedTuple):
    """A piece of ground: its corners go round it clockwise."""

    id: str
    name: str
    kind: str
    corners: tuple[Spot, ...]

    def holds(self, at: Spot) -> bool:
        """Whether a place lies strictly inside it."""
        ends = zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True)
        return all((b.x - a.x) * (at.y - a.y) < (b.y - a.y) * (at.x - a.x) for a, b in ends)


class Zone(NamedTuple):
    """Where units set up: whose it is, what it is called, two opposite corners."""

    side: str
    title: str
    low: Spot
    high: Spot


class Tabletop(NamedTuple):
    """A table, as a situation tells it (docs/situation.schema.json); north is up, the south edge the nearer one.

    measure     one of the lengths and several: inch, inches;  edges: south and north, and what they are called
    kinds       the symbol of a unit -> what it stands for
    """

    width: int
    depth: int
    measure: tuple[str, str]
    edges: Mapping[str, str]
    pieces: tuple[Piece, ...] = ()
    zones: tuple[Zone, ...] = ()
    kinds: Mapping[str, str] = {}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Tabletop:
        """The table of a situation's `table`."""
        one, many = data["measure"]
        pieces = [Piece(p["id"], p["name"], p["kind"], tuple(Spot(*at) for at in p["corners"])) for p in data["pieces"]]
        zones = [Zone(z["side"], z["title"], Spot(*z["low"]), Spot(*z["high"])) for z in data["zones"]]
        size = data["width"], data["depth"], (one, many)
        return cls(*size, data["edges"], tuple(pieces), tuple(zones), data["kinds"])

    def data(self) -> dict[str, Any]:
        """The same as plain data; `read` undoes it."""
        return {
            "width": self.width,
            "depth": self.depth,
            "measure": list(self.measure),
            "edges": dict(self.edges),
            "pieces": [{**p._asdict(), "corners": [list(at) for at in p.corners]} for p in self.pieces],
            "zones": [{**z._asdict(), "low": list(z.low), "high": list(z.high)} for z in self.zones],
            "kinds": dict(self.kinds),
        }

    def find(self, word: str) -> Spot | None:
        """The place of a label, `31.5-12`; None for what is none, or lies beyond the edges."""
        across, _, up = word.partition("-")
        x, y = read_length(across), read_length(up)
        return Spot(x, y) if x is not None and y is not None and x <= self.width and y <= self.depth else None

    def place(self, at: Spot) -> str:
        """`left third, 13.5 inches from the Black edge, in The Cedars`: as one sees it from the south edge."""
        third = _THIRDS[min(3 * at.x // self.width, 2)]
        south = 2 * at.y <= self.depth
        off = _roughly(at.y if south else self.depth - at.y)
        over = [piece for piece in self.pieces if piece.holds(at)]
        far, edge = f"{off} {self.measure[off != '1']}", self.edges["south" if south else "north"]
        if not over:
            return f"{third} third, {far} from the {edge} edge"
        if over[0].kind == "hill":
            return f"{third} third, {far} from the {edge} edge, on {over[0].name}"
        return f"{third} third, {far} from the {edge} edge, in {over[0].name}"

    def told(self, word: str) -> str:
        """`the left third, 14 inches from the Black edge (31.5 12)`, a label in words; "" for what is none."""
        at = self.find(word)
        return f"the {self.place(at)} ({coordinates(word)})" if at is not None else ""

    def way(self, start: Spot, end: Spot) -> str:
        """`6.5 inches north-east`; "" for no way, and one of hundredths alone exactly."""
        dx, dy = end.x - start.x, end.y - start.y
        if not dx and not dy:
            return ""
        far = isqrt(dx * dx + dy * dy)
        long = _roughly(far) if far >= 5 else length(far)
        return f"{long} {self.measure[long != '1']} {_towards(dx, dy)}"


def table_of(situation: Mapping[str, Any]) -> Tabletop | None:
    """The table of a situation; None for a game without."""
    return Tabletop.read(situation["table"]) if situation.get("table") else None


@lru_cache(8192)
def label(x: int, y: int) -> str:
    """The label of a place: `31.5-12`."""
    return f"{length(x)}-{length(y)}"


@lru_cache(8192)
def length(hundredths: int) -> str:
    """A length or coordinate as it is written: `6.5`."""
    whole, part = divmod(abs(hundredths), 100)
    text = f"{whole}.{part:02}".rstrip("0").rstrip(".")
    return f"-{text}" if hundredths < 0 else text


def read_length(word: str) -> int | None:
    """The hundredths of a length with two decimals at most; None for what is none."""
    match = re.fullmatch(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?", word)
    return int(match[1]) * 100 + int((match[2] or "0").ljust(2, "0")) if match else None


def coordinates(word: str) -> str:
    """A label as orders take it: `31.5 12`."""
    return word.replace("-", " ")


def _roughly(hundredths: int) -> str:
    """A length to a tenth of the measure."""
    return length((hundredths + 5) // 10 * 10)


def _towards(dx: int, dy: int) -> str:
    """The nearest of the eight directions."""
    a, b = abs(dx), abs(dy)
    east = (dx > 0) - (dx < 0) if (a + b) ** 2 >= 2 * b * b else 0
    north = (dy > 0) - (dy < 0) if (a + b) ** 2 >= 2 * a * a else 0
    return _COMPASS[east, north]
