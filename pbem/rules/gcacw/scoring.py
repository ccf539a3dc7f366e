"""The lines of the victory points in words, for reports."""

from __future__ import annotations

from pbem.rules.gcacw.board import CONFEDERATE
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import Item

__all__ = ["told"]


def told(s: State, item: Item) -> str:
    """What a line counts now, and its points."""
    line, count = item.line, item.counted
    whose = "of the Confederates" if line.side == CONFEDERATE else "of the Union"
    places = " or ".join(s.board.place(h) for h in line.hexes)
    what = {
        "infantry-in": f"Confederate infantry in {places}",
        "nearest": f"the nearest Confederate infantry {count} hex{'es' * (count != 1)} from {places}",
        "lost": f"{count} manpower {whose} lost in combat and retreat",
        "few-lost": f"fewer than {line.fewer} manpower {whose} lost",
        "routs": f"{count} R result{'s' * (count != 1)} against infantry {whose}",
        "control": f"control of {places}",
        "stations": f"{count} station{'s' * (count != 1)} damaged or destroyed",
        "stations-damaged": f"{count} station{'s' * (count != 1)} damaged",
        "stations-destroyed": f"{count} station{'s' * (count != 1)} destroyed",
        "near": f"{count} Confederate infantry unit{'s' * (count != 1)} in or beside {places}",
        "all-near": f"all of {', '.join(s.board.units[u].name for u in line.units)} in or beside {places}",
        "unit-in": f"{', '.join(s.board.units[u].name for u in line.units)} in {places}",
        "in-regions": f"{count} Confederate infantry unit{'s' * (count != 1)} in {' or '.join(sorted(line.regions))}",
        "depots": f"{count} depot{'s' * (count != 1)} destroyed",
    }[line.kind]
    return f"{what}: {item.points:+d}"
