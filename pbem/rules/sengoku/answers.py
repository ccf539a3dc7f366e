"""The standing orders of the computer player: sensible answers to all that the other side's phase can ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.maps.hexes import distance
from pbem.rules.kit.words import ANY
from pbem.rules.requests import Words
from pbem.rules.sengoku.acting import open_in
from pbem.rules.sengoku.board import SOTAISHO
from pbem.rules.sengoku.harm import steps
from pbem.rules.sengoku.hazard import outfights
from pbem.rules.sengoku.marches import enemies_near
from pbem.rules.sengoku.retreat import LONGEST
from pbem.rules.sengoku.state import LEAST_MORALE, State
from pbem.rules.sengoku.weights import BOLD, Style

__all__ = ["dear", "stance"]

EVER: tuple[Words, ...] = (
    ("give-way", ANY, "refuge", "steps"),
    ("retreat", ANY, "castle"),
    ("counter", ANY, "yes"),
    ("lift", ANY, "if-half-hurts"),
    ("pursue", ANY, "0"),
    ("consent", ANY, "no"),
    ("join", ANY, "yes"),
    ("fight-on", ANY, "60"),
    ("advance", ANY, "no"),
    ("accept", ANY, "0"),
)
"""What it does wherever nothing speaks against it; who loses steps, whom traitors take and where those inside march is
left to the rules."""

STEPS = 2
"""The steps that a unit is worth, whether it has lost one or not."""

SCATTERS = (0, 0.1, 0.3, 0.6, 0.8, 1)
"""By lowered morale how likely a force is to scatter before it recovers, about; below the least it does (10-1-2)."""

NEAR = 6
"""The hexes from an enemy commander-in-chief within which a force says whether it stands in a battle with him."""


def stance(s: State, side: str, orders: Sequence[Words], style: Style = BOLD) -> list[Words]:
    """The standing orders that a side gives now, besides those in force among its `orders`, or to end them."""
    wanted = [*EVER, *_ways(s, side), *_battles(s, side, style)]
    about = {words[:2] for words in wanted}
    return [
        *(words for words in wanted if words not in orders),
        *(words[:2] for words in orders if words[:2] not in about and words[0] in ("give-way", "consent")),
    ]


def _ways(s: State, side: str) -> Iterator[Words]:
    """Of forces beside enemies the losses from which on a retreat is cheaper than steps, if there are any (23-3)."""
    for force in s.own_forces(side):
        if force in s.shut_in or not enemies_near(s, side, s.at[force]):
            continue
        least = next((hexes for hexes in range(1, LONGEST + 1) if _flees(s, force, hexes)), None)
        if least is not None:
            yield ("give-way", force, "refuge", f"{least}+", "steps")


def _flees(s: State, force: str, losses: int) -> bool:
    """Whether a force does better to go back for so many losses: it would be wiped out, or its units are worn."""
    wiped = losses >= steps(s, s.forces[force]) and -s.morale.get(force, 0) + losses <= -LEAST_MORALE
    return wiped or dear(s, [force], losses) < 0


def _battles(s: State, side: str, style: Style) -> Iterator[Words]:
    """The forces that stand in a battle which an enemy commander-in-chief may offer, as they are ahead (24-1-8)."""
    enemies = [e for e in s.own_forces(s.board.enemy[side]) if s.board.units[e].rank == SOTAISHO]
    for chief in enemies:
        theirs = open_in(s, s.at[chief], s.board.enemy[side])
        for force in s.own_forces(side) if chief in theirs else ():
            near = distance(s.at[force], s.at[chief]) <= NEAR and force not in s.shut_in
            if near and outfights(s, open_in(s, s.at[force], side), theirs, style.odds):
                yield ("consent", force, "yes")


def dear(s: State, forces: Sequence[str], hexes: int) -> float:
    """What it costs forces, in steps, to go back so many hexes instead of losing as many steps (23-4-5)."""
    found = 0.0
    for force in filter(s.forces.__contains__, forces):
        units, lowered = s.forces[force], -s.morale.get(force, 0)
        found += STEPS * len(units) * (SCATTERS[min(lowered + hexes, -LEAST_MORALE + 1)] - SCATTERS[lowered])
        found -= STEPS * hexes * len(s.reduced.intersection(units)) / len(units)
    return found
