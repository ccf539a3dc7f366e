"""The lines of the victory points in words, for reports."""

from __future__ import annotations

from pbem.rules.gcacw.board import CONFEDERATE, Line
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import Item, struck
from pbem.words import listed

__all__ = ["short", "told"]

STRUCK = {
    "stations": "damaged or destroyed",
    "stations-damaged": "damaged",
    "stations-destroyed": "destroyed",
}
"""Kind of a line of stations -> how those stand that count."""


def told(s: State, item: Item) -> str:
    """What a line counts now, and its points."""
    line, figure = item.line, item.counted
    whose = "of the Confederates" if line.side == CONFEDERATE else "of the Union"
    places = " or ".join(s.board.place(h) for h in line.hexes)
    plural = "" if figure == 1 else "s"
    what = {
        "infantry-in": f"Confederate infantry in {places}",
        "nearest": f"the nearest Confederate infantry {figure} hex{'e' * len(plural)}{plural} from {places}",
        "lost": f"{figure} manpower {whose} lost in combat and retreat",
        "few-lost": f"fewer than {line.fewer} manpower {whose} lost",
        "routs": f"{figure} R result{plural} against infantry {whose}",
        "control": f"control of {places}",
        "near": f"{figure} Confederate infantry unit{plural} in or beside {places}",
        "all-near": f"all of {', '.join(s.board.units[u].name for u in line.units)} in or beside {places}",
        "unit-in": f"{', '.join(s.board.units[u].name for u in line.units)} in {places}",
        "in-regions": f"{figure} Confederate infantry unit{plural} in {' or '.join(sorted(line.regions))}",
        "panic": "panic of the Union",
        "controls": f"control of {_controlled(s, item)}",
        "depots": f"{figure} depot{plural} destroyed",
        **(_stations(s, item) if line.kind in STRUCK else {}),
    }[line.kind]
    figure = item.points
    return f"{figure:+d} for {what}"


def short(s: State, line: Line) -> str:
    """What a line counts, without its number: `stations destroyed`; several lines may count the same."""
    whose = "of the Confederates" if line.side == CONFEDERATE else "of the Union"
    places = " or ".join(s.board.place(h) for h in line.hexes)
    return {
        "nearest": "how near Confederate infantry is",
        "lost": f"manpower {whose}",
        "few-lost": f"few losses {whose}",
        "routs": f"R results {whose}",
        "control": f"control of {places}",
        "controls": "objectives controlled",
        "in-regions": f"infantry in {' or '.join(sorted(line.regions))}",
        "panic": "panic",
        "depots": "depots destroyed",
        **{kind: f"stations {how}" for kind, how in STRUCK.items()},
    }.get(line.kind, f"infantry at {places}")


def _controlled(s: State, item: Item) -> str:
    """The objectives of a line that the Confederate controls, by name."""
    named = [s.board.place(h) for h in item.line.hexes if s.board.label[h] in s.controlled]
    return listed(named) or "no objective"


def _stations(s: State, item: Item) -> dict[str, str]:
    """Kind of a line of stations -> the stations that count by name; where none does, that it is so."""
    named = [s.board.place(h) for h in struck(s, item.line)]
    if not named:
        return {
            "stations": "no station damaged or destroyed",
            "stations-damaged": "no station damaged",
            "stations-destroyed": "no station destroyed",
        }
    if len(named) == 1:
        return {
            "stations": f"the station {named[0]} damaged or destroyed",
            "stations-damaged": f"the station {named[0]} damaged",
            "stations-destroyed": f"the station {named[0]} destroyed",
        }
    return {
        "stations": f"the stations {listed(named)} damaged or destroyed",
        "stations-damaged": f"the stations {listed(named)} damaged",
        "stations-destroyed": f"the stations {listed(named)} destroyed",
    }
