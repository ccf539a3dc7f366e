"""Flanks: hexes round a defender that are covered, and flanks that he refuses (std-7.4-12 to -14, std-7.8-1)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from fractions import Fraction
from typing import TypeAlias

from pbem.maps.hexes import Hex, neighbours
from pbem.rules.gcacw.fights import Fight
from pbem.rules.gcacw.harm import tire
from pbem.rules.gcacw.orders import Refuse
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.zones import is_open, zone
from pbem.rules.kit.asking import NO, YES, reaction
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Answer, Choose, Request, Tell, Words

__all__ = ["REFUSE", "as_the_rules_choose", "bonus", "refuse"]

REFUSE = "refuse"
"""The keyword of the standing order: `refuse U|any yes|no`."""

WILD = ("mountain", "swamp")
"""Terrain that covers a hex without a way to it (std-7.4-12)."""

WORTH = 2
"""What refusing must add to the defender's die for the rules to choose it."""

Settled: TypeAlias = Generator[Request | Tell, Answer, Fight]
"""A part of an activity that comes to the combat as it will be fought."""


# --- covered hexes ----------------------------------------------------------------------------------------------------


def bonus(s: State, f: Fight, against: Fraction) -> int:
    """The bonus for covered hexes round a defender of this value, in halves (std-7.4-13, std-7.4-14, rc-flank)."""
    tables, covers = s.board.tables, [_cover(s, f, h, against) for h in neighbours(f.at)]
    basic = tables.flank.get(sum(cover is not None for cover in covers), 0)
    return max(0, basic - min(tables.reductions, sum(cover is False for cover in covers)))


def _cover(s: State, f: Fight, h: Hex, against: Fraction) -> bool | None:
    """Whether a hex beside the defender is covered: True wholly, False with a reduction, None not at all."""
    board, enemy = s.board, s.board.enemy[f.side]
    if h not in board.ground.terrain:
        return False  # off the map
    covering = sum(_firm_value(s, f.side, e) for e in (h, *zone(s, f.side).get(h, ())))
    if covering and covering * board.tables.cover >= against:
        return not _steady(s, enemy, h)  # std-7.4-14
    shut = not is_open(s, enemy, f.at, h)  # in rain also a ford or a creek without way
    no_way = board.ground.terrain[h] in WILD and not board.ground.between[f.at][h].links
    return False if shut or no_way else None


def _firm_value(s: State, side: str, h: Hex) -> int:
    """What the units of a side in a hex that aren't demoralised are worth together, in halves (R291)."""
    return sum(s.value(unit) for unit in s.units_in(h, side) if unit not in s.demoralised)


def _steady(s: State, side: str, h: Hex) -> bool:
    """Whether a hex has a unit of a side that isn't demoralised."""
    return any(unit not in s.demoralised for unit in s.units_in(h, side))


# --- refused ----------------------------------------------------------------------------------------------------------


def refuse(s: State, f: Fight, found: int) -> Settled:
    """Let the owner of an attacked hex refuse its flanks, where the option has it (std-7.8-1, R230)."""
    units = _able(s, f) if found else ()
    if not units or not (yield _ask(s, f, found, units)).made:
        return f
    facts = {"unit": units[0], "units": [*units], "side": s.board.enemy[f.side], "at": s.board.label[f.at]}
    yield Tell("flanks-refused", "std-7.8-1", facts | {"bonus": found, "adds": s.board.tables.refused.get(found, 0)})
    for unit in units:
        yield from tire(s, unit, s.fatigue.get(unit, 0) + 1, "std-7.8-1")
    return f._replace(refused=True)


def as_the_rules_choose(s: State, f: Fight, against: Fraction) -> Fight:
    """A combat as it is fought when a defender of this value, in halves, leaves the choice to the rules."""
    return f._replace(refused=bool(_able(s, f)) and _worth_it(s, bonus(s, f, against)))


def _able(s: State, f: Fight) -> tuple[str, ...]:
    """The infantry that can refuse the flanks of the attacked hex: steady, and none of it at fatigue 4."""
    if s.options.flanks_refused == "no":
        return ()
    here = [unit for unit in s.units_in(f.at, s.board.enemy[f.side]) if s.board.units[unit].infantry]
    if any(s.fatigue.get(unit, 0) >= MOST_FATIGUE for unit in here):
        return ()
    return tuple(unit for unit in here if unit not in s.demoralised)


def _worth_it(s: State, found: int) -> bool:
    return s.board.tables.refused.get(found, 0) >= WORTH


def _ask(s: State, f: Fight, found: int, units: Sequence[str]) -> Choose:
    """Ask the owner of an attacked hex whether he refuses its flanks."""
    takes = s.board.tables.refused.get(found, 0)
    prompt = (
        f"say whether the flanks of {s.board.place(f.at)} are refused: of the {found} that the attackers get for them "
        f"{takes} {'is' if takes == 1 else 'are'} made up for, and the infantry there gains 1 fatigue"
    )
    first = _worth_it(s, found)

    def standing(orders: Sequence[Words]) -> Refuse | None:
        words = [word for word in preferences(orders, REFUSE, *units) if word in (YES, NO)]
        return Refuse(words[0] == YES) if words else None

    return reaction(
        side=s.board.enemy[f.side],
        kind=REFUSE,
        clause="std-7.8-1",
        prompt=prompt,
        options=(Refuse(first), Refuse(not first)),
        why_not=lambda _: None,
        standing=standing,
        about=tuple(units),
    )
