"""Advance: attackers enter the hex that the defenders have left (std-7.6-6, rc-advance)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.fights import Fight
from pbem.rules.gcacw.holds import why_closed
from pbem.rules.gcacw.leaders import follows, go, meet
from pbem.rules.gcacw.orders import Advance
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import is_open
from pbem.rules.kit.asking import NO, YES, only
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Activity, Choose, Tell, Words

__all__ = ["ADVANCE", "advance"]

ADVANCE = "advance"
"""The keyword of the standing order: `advance U|any yes|no|able`; able: unless the enemy beside is stronger."""

ABLE = "able"
FEW = 3
"""Of so many attackers each part is offered, of more all, none and each alone."""


def advance(s: State, f: Fight) -> Activity:
    """Ask the attacker who enters the hex, and let them (R5)."""
    able = [unit for unit in f.units if unit in s.manpower and _why_not_enter(s, f, unit) is None]
    if not able:
        return
    order = yield _ask(s, f, able)
    for start in dict.fromkeys(s.at[unit] for unit in order.units):
        moving = [unit for unit in able if unit in order.units and s.at[unit] == start]
        for leader in [*_leaders(s, f.side, start, moving, order.units)]:
            yield from go(s, leader, f.at)
            moving.append(leader)
        for unit in moving:
            s.put(unit, f.at)
        facts = {"unit": moving[0], "units": moving, "side": f.side, "from": s.board.label[start]}
        yield Tell("advance", "std-7.6-6", facts | {"to": s.board.label[f.at]})
        yield from entered(s, moving, f.at)
    meet(s, f.side)


def _leaders(s: State, side: str, start: Hex, moving: Sequence[str], named: Sequence[str]) -> Iterator[str]:
    """The leaders who go along: those named, and those of whose command nobody stays (std-6.3-1)."""
    stay = [unit for unit in s.units_in(start, side) if unit not in moving]
    for leader in s.leaders_in(start, side):
        alone = not any(follows(s, leader, unit) for unit in stay) and any(follows(s, leader, unit) for unit in moving)
        if alone or leader in named:
            yield leader


def _why_not_enter(s: State, f: Fight, unit: str) -> Refusal | None:
    """Why a unit can't advance."""
    if not is_open(s, f.side, s.at[unit], f.at):
        return Refusal("std-7.6-6", "the hexside can't be crossed")
    refusal = why_closed(s, unit, f.at)
    if refusal is not None:
        return refusal
    together = s.board.together
    leader = together[0] if together is not None and together[1] == unit else None
    return why_closed(s, leader, f.at) if leader is not None else None


def _ask(s: State, f: Fight, able: Sequence[str]) -> Choose:
    """Ask who advances; by default all if the enemy beside the hex isn't stronger."""
    every, nobody = Advance(tuple(able)), Advance(())
    default = nobody if _outweighed(s, f, able) else every
    parts = [part for n in range(1, len(able)) for part in combinations(able, n)] if len(able) <= FEW else []
    options = [*dict.fromkeys([default, every, nobody, *map(Advance, parts or ((unit,) for unit in able))])]
    prompt = f"say who advances to {s.board.place(f.at)}"

    def why_not(order: Advance) -> Refusal | None:
        if len({*order.units}) < len(order.units):
            return Refusal("std-7.6-6", "name each once")
        going = [unit for unit in order.units if unit in able]
        others = (_why_not_too(s, f, one, going) for one in order.units if one not in able)
        return next((refusal for refusal in others if refusal is not None), None)

    def standing(orders: Sequence[Words]) -> Advance | None:
        said = {unit: next(iter(preferences(orders, ADVANCE, unit)), "") for unit in able}
        if not any(said.values()):
            return None
        goes = {YES: True, NO: False, ABLE: default == every}
        return Advance(tuple(unit for unit in able if goes.get(said[unit], default == every)))

    return Choose(
        side=f.side,
        kind=ADVANCE,
        clause="std-7.6-6",
        prompt=prompt,
        why_not=only(Advance, "std-7.6-6", prompt, why_not),
        options=lambda: iter(options),
        sample=lambda chance: chance.choice(options),
        reaction=True,
        about=tuple(able),
        standing=standing,
        default=lambda: default,
    )


def _why_not_too(s: State, f: Fight, one: str, going: Sequence[str]) -> Refusal | None:
    """Why a counter that is none of the units able to advance can't go along with those that do: a leader can."""
    if s.board.units[one].leader and one in s.at:
        if any(s.at[unit] == s.at[one] and follows(s, one, unit) for unit in going):
            return why_closed(s, one, f.at)
        return Refusal("std-7.6-6", f"{s.board.units[one].name} goes along with a unit of his command that advances")
    refusal = _why_not_enter(s, f, one) if one in f.units and one in s.manpower else None
    return refusal or Refusal("std-7.6-6", f"{s.board.describe(one)} didn't attack from an adjacent hex")


def _outweighed(s: State, f: Fight, able: Sequence[str]) -> bool:
    """Whether the enemy beside the hex, where he could attack it, is worth more than those who would enter it."""
    enemy = s.board.enemy[f.side]
    beside = [h for h in s.board.ground.near[f.at] if s.holder(h) == enemy and is_open(s, enemy, h, f.at)]
    return sum(s.value_in(h, enemy) for h in beside) > sum(map(s.value, able))
