"""Cavalry retreat: horsemen go back before infantry that comes up or attacks (std-7.7, rc-cav)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeAlias

from pbem.maps.hexes import Hex
from pbem.rules.gcacw.board import BRIGADE, DIVISION, REGIMENT
from pbem.rules.gcacw.harm import disorganise, tire
from pbem.rules.gcacw.leaders import settle
from pbem.rules.gcacw.orders import Evade
from pbem.rules.gcacw.retreat import can_retreat, flight, retreat
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.zones import is_open
from pbem.rules.kit.asking import NO, YES, only
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Answer, Choose, Request, Roll, Tell, Words

__all__ = ["EVADE", "cavalry_beside", "evade", "may_evade"]

EVADE = "evade"
"""The keyword of the standing order: `evade U|any yes|no`."""

LARGE, SMALL = 2, 1
"""What is added to the die before a division, and before a brigade that comes upon regiments (std-7.7-3, std-7.7-4)."""

DEAR = 2
"""The total up to which going back disorganises (std-7.7-6)."""

Points: TypeAlias = Generator[Request | Tell, Answer, int | None]
"""A part of an activity that comes to the movement points, in halves, that going back took; None where nobody went."""


def may_evade(s: State, h: Hex, side: str, against: Sequence[str], away: Sequence[Hex]) -> bool:
    """Whether the units of a side in a hex may go back before these: cavalry alone, none at fatigue 4, with a way."""
    units = s.units_in(h, side)
    if not units or any(not s.board.units[unit].cavalry for unit in units):
        return False  # std-7.7-1
    if any(not s.board.units[unit].infantry for unit in against):
        return False  # std-7.7-2
    if any(s.fatigue.get(unit, 0) >= MOST_FATIGUE for unit in units):
        return False
    return can_retreat(s, flight(s, h, side, away, "cavalry"))  # std-7.7-7


def cavalry_beside(s: State, side: str, h: Hex) -> list[Hex]:
    """The hexes of enemy cavalry alone that a side could attack from a hex, in the order of their numbers."""
    enemy, board = s.board.enemy[side], s.board
    found = [n for n in board.ground.near[h] if n in s.stands and s.holder(n) == enemy and is_open(s, side, h, n)]
    found = [n for n in found if all(board.units[unit].cavalry for unit in s.units_in(n, enemy))]
    return sorted(found, key=board.order)


def evade(s: State, h: Hex, against: Sequence[str], away: Sequence[Hex]) -> Points:
    """Ask the owner of the cavalry in a hex whether it goes back before units, and let it go (R1)."""
    side = s.board.enemy[s.board.units[against[0]].side]
    if not may_evade(s, h, side, against, away):
        return None
    order = yield _ask(s, h, side, against)
    if not order.made:
        return None
    units = s.units_in(h, side)
    add = _size(s, units, against)
    (die,) = yield Roll(f"evade/{s.board.label[h].lower()}", 1)
    total = die + add
    facts = {"side": side, "unit": units[0], "units": units, "against": list(against), "die": die, "add": add}
    yield Tell("evade", "std-7.7-3", facts | {"points": total // 2, "dear": total <= DEAR})
    for unit in units:
        if total <= DEAR:
            yield from disorganise(s, unit, "std-7.7-6", price=True, counted=True)
    for unit in units:
        yield from tire(s, unit, s.fatigue.get(unit, 0) + 1, "std-7.7-5")
    if s.units_in(h, side):
        yield from retreat(s, flight(s, h, side, away, "cavalry"), "std-7.7-5", against)
    else:
        yield from settle(s, [side])
    return 2 * int(total // 2)


def _size(s: State, units: Sequence[str], against: Sequence[str]) -> int:
    """What the size of the marchers adds to the die (std-7.7-3, std-7.7-4)."""
    sizes = {s.board.units[unit].size for unit in against}
    if DIVISION in sizes:
        return LARGE
    regiments = all(s.board.units[unit].size == REGIMENT for unit in units)
    return SMALL if BRIGADE in sizes and regiments else 0


def _ask(s: State, h: Hex, side: str, against: Sequence[str]) -> Choose:
    """Ask whether the cavalry of a hex goes back; by default if it has less than half the others' value."""
    units = s.units_in(h, side)
    names = " and ".join(s.board.units[unit].name for unit in units)
    prompt = f"say whether {names} goes back before {s.board.units[against[0]].name}"
    weak = 2 * s.value_in(h, side) < sum(map(s.value, against))

    def standing(orders: Sequence[Words]) -> Evade | None:
        words = [word for unit in units for word in preferences(orders, EVADE, unit)]
        return next((Evade(word == YES) for word in words if word in (YES, NO)), None)

    return Choose(
        side=side,
        kind=EVADE,
        clause="std-7.7-1",
        prompt=prompt,
        why_not=only(Evade, "std-7.7-1", prompt, lambda _: None),
        options=lambda: iter((Evade(weak), Evade(not weak))),
        sample=lambda chance: Evade(chance.random() < 1 / 2),
        reaction=True,
        about=tuple(units),
        standing=standing,
        default=lambda: Evade(weak),
    )
