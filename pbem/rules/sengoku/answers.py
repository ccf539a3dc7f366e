"""The standing orders of the computer player: sensible answers to all that the other side's phase can ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.maps.hexes import Hex, distance
from pbem.rules.kit.words import ANY
from pbem.rules.requests import Words
from pbem.rules.sengoku.acting import open_in, side_of
from pbem.rules.sengoku.board import SOTAISHO
from pbem.rules.sengoku.harm import steps
from pbem.rules.sengoku.hazard import outfights
from pbem.rules.sengoku.retreat import LONGEST
from pbem.rules.sengoku.state import LEAST_MORALE, State
from pbem.rules.sengoku.weights import BOLD, Style

__all__ = ["dear", "stance"]

EVER: tuple[Words, ...] = (
    ("give-way", ANY, "steps"),
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
"""What it does wherever nothing speaks against it; who loses steps, whom traitors or the opening of a castle cost and
where those inside march is left to the rules."""

STEPS = 2
"""The steps that a unit is worth, whether it has lost one or not."""

SCATTERS = (0, 0.1, 0.3, 0.6, 0.8, 1)
"""By lowered morale how likely a force is to scatter before it recovers, about; below the least it does (10-1-2)."""

NEAR = 6
"""The hexes from an enemy commander-in-chief within which another says whether he stands in a battle with him."""


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
        if force in s.shut_in or not _faces(s, side, s.at[force]):
            continue
        least = _least(s, force)
        if least is not None:
            yield ("give-way", force, f"{least}+", "steps")


def _faces(s: State, side: str, h: Hex) -> bool:
    """Whether an enemy can attack a force in the open: from beside it, or out of a castle in its hex (22-1-2, 23-7)."""
    enemy = s.board.enemy[side]
    beside = any(open_in(s, near, enemy) for near in s.board.ground.open_to[h])
    return beside or any(side_of(s, force) == enemy for force in s.stands[h])


def _least(s: State, force: str) -> int | None:
    """For how many losses and more a force does no worse to go back, and for so many better; None where it doesn't."""
    found = None
    for losses in range(LONGEST, 0, -1):
        gain = _gain(s, force, losses)
        if gain < 0:
            break
        found = losses if gain > 0 else found
    return found


def _gain(s: State, force: str, losses: int) -> float:
    """What a force gains, in steps, by going back for so many losses; 0 where it is lost in either way."""
    wiped, scatters = losses >= steps(s, s.forces[force]), losses - s.morale.get(force, 0) > -LEAST_MORALE
    if wiped:
        return 0 if scatters else STEPS * len(s.forces[force])
    return -STEPS if scatters else -dear(s, [force], losses)


def _battles(s: State, side: str, style: Style) -> Iterator[Words]:
    """The commanders-in-chief who consent to a battle, being ahead of all who are near and may offer it (24-1-8)."""
    ours, theirs = (_chiefs(s, of) for of in (side, s.board.enemy[side]))
    for force in ours:
        near = [e for e in theirs if distance(s.at[force], s.at[e]) <= NEAR]
        along = open_in(s, s.at[force], side)
        if near and all(outfights(s, along, open_in(s, s.at[e], s.board.enemy[side]), style.odds) for e in near):
            yield ("consent", force, "yes")


def _chiefs(s: State, side: str) -> list[str]:
    """The forces of a side in the open that a commander-in-chief leads."""
    return [f for f in s.own_forces(side) if s.board.units[f].rank == SOTAISHO and f not in s.shut_in]


def dear(s: State, forces: Sequence[str], hexes: int) -> float:
    """What it costs forces, in steps, to go back so many hexes instead of losing as many steps (23-4-5)."""
    found = 0.0
    for force in filter(s.forces.__contains__, forces):
        units, lowered = s.forces[force], -s.morale.get(force, 0)
        found += STEPS * len(units) * (SCATTERS[min(lowered + hexes, -LEAST_MORALE + 1)] - SCATTERS[lowered])
        found -= STEPS * hexes * len(s.reduced.intersection(units)) / len(units)
    return found
