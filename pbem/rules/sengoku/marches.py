"""Where a force of the computer player goes: towards its aim, back into line, out of the enemies' reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.sengoku import movement
from pbem.rules.sengoku.acting import friendly_castle, open_in
from pbem.rules.sengoku.aims import FAR, aims, way_to
from pbem.rules.sengoku.hazard import cut_at, last_action, menace
from pbem.rules.sengoku.orders import Move
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.weights import Style

__all__ = ["enemies_near", "march", "march_out", "refuge", "threatened"]

STEP, CUT, STAY = 4.0, 5.0, 0.5
"""Movement points for which a step that may be lost counts, the want of a line when an inning begins, and a move."""


class _End(NamedTuple):
    """Where a move may end: what it costs to stand there, but for its line, and the way there."""

    price: float
    strategic: bool
    points: int
    label: str
    at: Hex


def march(s: State, side: str, force: str, style: Style) -> Move | None:
    """The way to the hex where a force stands best; into its own castle where it is threatened there, too."""
    here, aim = s.at[force], aims(s, side, style).get(force)
    if aim is None and (force in s.shut_in or not (menace(s, side, force, here, style.odds) or _cut(s, force, here))):
        return None
    left = None if aim is None else way_to(s.board, aim)
    bears = style.hunt if aim is not None and open_in(s, aim, s.board.enemy[side]) else 1

    def risk(h: Hex) -> float:
        return 0 if h == here and force in s.shut_in else bears * menace(s, side, force, h, style.odds)

    def price(h: Hex) -> float:
        return (0 if left is None else left.get(h, FAR)) + STEP * risk(h)

    best = _best(s, force, price)
    inside = Move(force, enter=True)
    if risk((here, *best.path)[-1]) > style.risk and movement.why_not(s, side, inside) is None:
        return inside
    return best if best.path else None


def _best(s: State, force: str, price: Callable[[Hex], float]) -> Move:
    """The move to where a force stands at the lowest price, the want of a line with it; one without a way to stay."""
    here, best = s.at[force], Move(force)
    least = price(here) + _cut(s, force, here)
    reaches = {strategic: movement.in_reach(s, force, strategic=strategic) for strategic in (False, True)}
    ends = (
        _End(price(h) + STAY, strategic, points, s.board.label[h], h)
        for strategic, reach in reaches.items()
        for h, points in reach.cost.items()
        if h != here
    )
    for end in sorted(ends):
        if end.price >= least:
            break
        if end.price + _cut(s, force, end.at) < least:
            least = end.price + _cut(s, force, end.at)
            best = Move(force, movement.path_to(s, reaches[end.strategic], end.at, {}), end.strategic)
    return best


def _cut(s: State, force: str, h: Hex) -> float:
    """What it costs a force to be in a hex without a line when the inning ends (11-4-1)."""
    return CUT if last_action(s, force) and cut_at(s, force, h) else 0


def march_out(s: State, side: str, force: str, style: Style) -> Move | None:
    """Out of a castle in the last inning, where those shut in score for the enemy, unless that costs more (36.6(3))."""
    if s.turn < s.board.turns or force not in s.shut_in or not last_action(s, force):
        return None
    order = Move(force)
    if movement.why_not(s, side, order) is not None:
        return None
    return order if menace(s, side, force, s.at[force], style.odds) < len(s.forces[force]) else None


def threatened(s: State, side: str, force: str, h: Hex, style: Style) -> bool:
    """Whether enemies are likely to do a force in a hex more harm than it bears."""
    return menace(s, side, force, h, style.odds) > style.risk


def enemies_near(s: State, side: str, h: Hex) -> list[str]:
    """The enemy forces in a hex and beside it that don't besiege a castle."""
    near = (h, *s.board.ground.near[h])
    return [e for other in near for e in open_in(s, other, s.board.enemy[side]) if e not in s.besieging]


def refuge(s: State, side: str, force: str, style: Style) -> Move | None:
    """The way of a force out of the enemies' reach: to a castle of its side, into it where they are near, or away."""
    return next((order for order in _refuges(s, side, force, style) if movement.why_not(s, side, order) is None), None)


def _refuges(s: State, side: str, force: str, style: Style) -> Iterator[Move]:
    """The ways out of the enemies' reach, the best first."""
    reach = movement.in_reach(s, force, strategic=False)
    safe = [h for h in reach.cost if h != s.at[force] and not threatened(s, side, force, h, style)]
    quiet = [h for h in safe if not enemies_near(s, side, h)]
    castles = [h for h in reach.cost if friendly_castle(s, h, side)]
    for ends in ([h for h in castles if h in quiet], castles, quiet, safe):
        for h in sorted(ends, key=lambda h: (reach.cost[h], s.board.label[h])):
            path = movement.path_to(s, reach, h, {})
            if h in castles and h not in quiet:
                yield Move(force, path, enter=True)
            if path:
                yield Move(force, path)
