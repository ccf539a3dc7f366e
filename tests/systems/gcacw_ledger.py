"""The Confederate's points at the end of a battle, counted a second time by the rulebook's own lists (13 and 22).

It looks at where the counters stand, at markers and at the losses that were told, and knows nothing of the scenarios'
files but their hexes' numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw.board import Unit
from pbem.rules.gcacw.state import State

__all__ = ["BANDS", "Told", "level", "points"]


class Told(NamedTuple):
    """Manpower of each side lost in combat, retreat and cavalry retreat; R results against its infantry."""

    lost: Mapping[str, int]
    routs: Mapping[str, int]


TITLES = (
    "Confederate decisive victory", "Confederate substantial victory", "Confederate marginal victory",
    "Union marginal victory", "Union substantial victory", "Union decisive victory",
)  # fmt: skip

BANDS: dict[str, tuple[int, ...]] = {
    "cedar-mountain": (7, 5, 3, 1, -1),
    "lee-vs-pope": (86, 60, 34, 9, -16),
    "stuarts-raid": (10, 8, 7, 6, 4),
    "jacksons-march": (18, 15, 11, 8, 5),
    "to-bull-run": (92, 70, 47, 24, 2),
    "rapidan-to-rappahannock": (80, 60, 40, 19, -1),
    "rapidan-to-manassas": (92, 70, 47, 24, 2),
}
"""From how many points on each level is reached; below the last it is the Union's decisive victory."""


def level(scenario: str, total: int) -> str:
    """The level of victory that so many points are."""
    return TITLES[sum(total < least for least in BANDS[scenario])]


def points(s: State, scenario: str, told: Told) -> int:
    """All lines of a scenario's list together."""
    return LISTS[scenario](s, told)


# --- what the lists ask for ------------------------------------------------------------------------------------------


def _infantry(s: State) -> list[Unit]:
    return [
        u for u in s.board.units.values() if u.id in s.manpower and u.side == "confederate" and u.branch == "infantry"
    ]


def _hexes(s: State, numbers: str) -> list[Hex]:
    return [s.board.map.parse(number) for number in numbers.split()]


def _beside(s: State, units: Iterable[Unit], numbers: str) -> list[Unit]:
    """Units in or adjacent to one of the hexes."""
    hexes = _hexes(s, numbers)
    return [u for u in units if min(distance(s.at[u.id], h) for h in hexes) <= 1]


def _marked(s: State, numbers: str, *states: int) -> int:
    """How many of the hexes have one of these markers: 1 damaged, 2 destroyed."""
    return sum(s.station.get(h) in states for h in _hexes(s, numbers))


def _held(s: State, numbers: str) -> bool:
    """Whether one of the hexes is under Confederate control."""
    return any(number in s.controlled for number in numbers.split())


def _cedar_mountain(s: State, told: Told) -> int:
    far = min((distance(s.at[u.id], s.board.map.parse("S1418")) for u in _infantry(s)), default=99)
    total = {0: 8, 1: 5, 2: 4, 3: 4, 4: 3, 5: 3, 6: 2, 7: 2, 8: 1, 9: 1}.get(far, 0)
    return total + told.lost["union"] - told.lost["confederate"] - 2 * (told.lost["union"] < 2)


def _lee_vs_pope(s: State, told: Told) -> int:
    total = 0
    if _held(s, "S3703 S4101"):
        total += 40
    elif _held(s, "S2414 S2612 S3108 S3307"):
        total += 17
    total += 15 * _held(s, "S2403") + 3 * _held(s, "S1418")
    total += 3 * _marked(s, "S1418 S2414 S2612 S3108 S3307 S3703 S4101", 1, 2)
    total += 2 * told.lost["union"] + 2 * told.routs["union"] - 2 * told.lost["confederate"]
    return total + (2 if s.options.rout_of_confederates == "plus" else -2) * told.routs["confederate"]


def _stuarts_raid(s: State, told: Told) -> int:
    home = s.at.get("f-lee") in _hexes(s, "S1905 S2007") and "f-lee" in s.manpower
    return 3 * _marked(s, "S3307 S3108", 1, 2) + 2 * home + told.lost["union"] - told.lost["confederate"]


def _jacksons_march(s: State, told: Told) -> int:
    divisions = [u for u in _infantry(s) if u.size == "division"]
    there = _beside(s, divisions, "N3720 N3421 N3220")
    total = 3 * _marked(s, "N4422 N4124 N3726", 2) + 2 * len(there) + _marked(s, "N4721 N5020 N5220", 1, 2)
    total += {"ewell-b", "ap-hill", "taliaferro"} <= {u.id for u in there}
    total -= 3 * sum(s.board.map.region.get(s.at[u.id]) == "Fairfax" for u in divisions)
    return total + told.lost["union"] - told.lost["confederate"]


def _to_bull_run(s: State, told: Told) -> int:
    far, near, west = "N4422 N4721 N5020 N5220 N5620", "N3726 N4124", "N3131 N3330"
    total = sum(
        destroyed * _marked(s, hexes, 2) + damaged * _marked(s, hexes, 1)
        for hexes, destroyed, damaged in ((far, 10, 6), (near, 8, 5), (west, 6, 3))
    )
    units: Sequence[Unit] = [u for u in _infantry(s) if u.size in ("division", "brigade")]
    total += 2 * len(_beside(s, units, "N3220 N3421 N3720"))
    total += 4 * len(_beside(s, units, "N4124 N4422 N3726 N4318"))
    total += 6 * len(_beside(s, units, "N4721 N5020 N5220 N5620"))
    total += told.lost["union"] - told.lost["confederate"] + told.routs["union"] - told.routs["confederate"]
    return total + 3 * ("N4124" not in s.depots)


def _campaign(s: State, told: Told) -> int:
    north, south = _marked(s, "N4422 N4721 N5220 N5620", 2), _marked(s, "S2414 S3307 S4101 S3703", 2)
    total = 15 * (s.panic > 0) + (0, 15, 20, 22, 25)[north] + (0, 10, 12, 14, 16)[south]
    total += 12 * _held(s, "N5715") + 8 * _held(s, "N5017")
    total += 3 * sum(_held(s, number) for number in ("S1418", "S2403", "S4426", "S5021", "N0214", "N0301", "N3502"))
    total += 6 * sum(number not in s.depots for number in ("N5809", "N5810", "N0301", "S4101", "S5021"))
    for u in _infantry(s):
        county = s.board.map.region.get(s.at[u.id])
        if u.size == "division" and not _surrounded(s, s.at[u.id]):
            total += 2 * (county in ("Fairfax", "Prince William")) + (county in ("Loudoun", "Clarke", "Frederick"))
    return total + told.lost["union"] - told.lost["confederate"]


def _surrounded(s: State, h: Hex) -> bool:
    """Whether Union infantry stands in all six hexes round one, or beside them over open hexsides (22.1-vp10)."""
    foot = {s.at[u.id] for u in s.board.units.values() if u.id in s.manpower and u.side == "union" and u.infantry}

    def shut(n: Hex) -> bool:
        return n in foot or any(far in foot and _controls(s, far, n) for far in s.board.ground.near[n])

    return len(s.board.ground.near[h]) == 6 and all(map(shut, s.board.ground.near[h]))


def _controls(s: State, a: Hex, b: Hex) -> bool:
    """Whether Union units in one hex control the next one (std-2.4-2, std-2.4-3, 14.0-rain-zoc)."""
    between, terrain = s.board.ground.between[a][b], s.board.ground.terrain
    bridged = s.bridges.get(s.board.hexside(a, b)) == "union"
    if not (bridged or (between.wet if s.turn <= s.rain else between.open)):
        return False
    return bool(between.links) or not {terrain[a], terrain[b]} & {"swamp", "mountain"}


LISTS: dict[str, Callable[[State, Told], int]] = {
    "cedar-mountain": _cedar_mountain,
    "lee-vs-pope": _lee_vs_pope,
    "stuarts-raid": _stuarts_raid,
    "jacksons-march": _jacksons_march,
    "to-bull-run": _to_bull_run,
    "rapidan-to-rappahannock": _campaign,
    "rapidan-to-manassas": _campaign,
}
