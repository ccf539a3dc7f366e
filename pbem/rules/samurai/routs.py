"""Routs (morale_check): a unit that fails its check flees at once, and in every movement step of its owner's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.rules.requests import Tell
from pbem.rules.samurai.board import FACINGS
from pbem.rules.samurai.daimyos import attached, pushed, put_out
from pbem.rules.samurai.geometry import Base, apart, distance, flight, lie, on_table, outline
from pbem.rules.samurai.ground import ahead
from pbem.rules.samurai.paths import FAR, SHORT_OF, last_on_table, place, reach, steps_of, steps_over
from pbem.rules.samurai.state import Gone, State, label

__all__ = ["direction", "flee", "rout"]


def rout(s: State, unit: str) -> Iterator[Tell]:
    """A unit that has failed its check turns about and flees at once."""
    s.routed |= {unit}
    b = s.at[unit]
    yield Tell("rout", "morale_check.2", {"unit": unit, "at": label(b)})
    yield from flee(s, unit, (b.facing + 4) % 8, "morale_check.2")  # morale_check.2


def direction(s: State, unit: str) -> int:
    """Where a routed unit flees in its owner's turn: away from the closest enemy, else to its own edge."""
    b, side = s.at[unit], s.board.units[unit].side
    enemies = {other: apart(b, s.at[other]) for other in s.on(s.board.enemy[side]) if s.counts(other)}
    closest: tuple[int, int, Base] | None = None
    for other in sorted(enemies, key=enemies.__getitem__):
        if closest is not None and enemies[other] > closest[0]:
            break  # this one and all behind it are farther
        found = (distance(b, s.at[other]), s.board.order[other], s.at[other])
        closest = found if closest is None else min(closest, found)
    if closest is None:
        return (s.board.side[side].ahead + 4) % 8
    return flight(b, closest[-1])  # morale_check.4


def flee(s: State, unit: str, facing: int, clause: str) -> Iterator[Tell]:
    """The whole move of a routed unit in a facing: to the first free place along it, or off the table."""
    before, turned = s.at[unit], s.size(unit).at(s.at[unit].x, s.at[unit].y, facing)
    side = s.board.units[unit].side
    loose = attached(s, s.board.enemy[side])
    walls = [*s.board.stops]
    walls += [s.at[other] for other in s.on(s.board.enemy[side]) if other not in loose]
    steps = reach(steps_of(s.board.units[unit].kind.move, facing), ahead(s.board, turned, facing).double)
    met = [low for low, _, _ in steps_over(turned, facing, 1, FAR, ((wall, *lie(wall)) for wall in walls))]
    cap = max(min(met) - SHORT_OF, 0) if met else None
    most = steps if cap is None else min(steps, cap)
    if not on_table(place(turned, facing, most), s.board.width, s.board.depth):
        yield s.remove(unit, Gone.FLED, "morale_check.5")  # morale_check.5
        return
    last = last_on_table(turned, facing, s.board.width, s.board.depth)
    further = last if cap is None else min(cap, last)
    tries = [*range(most, further + 1), *range(most - 1, -1, -1)]
    found = _first_free(s, unit, turned, facing, tries, loose)
    if found is None:
        yield Tell("flee", clause, {"unit": unit, "path": [label(before)], "facing": FACINGS[before.facing]})
        return
    end, placed = found
    s.put(unit, end)
    facts = {"unit": unit, "path": [label(before), label(end)], "facing": FACINGS[facing], "stood": outline(before)}
    yield Tell("flee", clause, facts)
    yield from put_out(s, unit, placed)


def _first_free(
    s: State, unit: str, turned: Base, facing: int, tries: Sequence[int], loose: Sequence[str]
) -> tuple[Base, dict[str, Base]] | None:
    """The first of these places at which a router lies over nothing but enemy daimyos who can be put out of its way."""
    lasting = [b for other, b in s.at.items() if other != unit and other not in loose]
    barred = set[int]()
    for low, high, _ in steps_over(turned, facing, 0, max(tries), ((b, *lie(b)) for b in (*lasting, *s.board.stops))):
        barred.update(range(low, high + 1))
    for j in tries:
        if j in barred or s.stopped(b := place(turned, facing, j)):
            continue
        placed, stuck = pushed(s, unit, b, s.over(b, {unit}))
        if stuck is None:
            return b, placed
    return None
