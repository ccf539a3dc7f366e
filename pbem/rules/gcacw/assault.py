"""Corps assault and grand assault: units attack a hex together under their leaders (std-5.3, std-7.1-6 to -8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw import march, may_march
from pbem.rules.gcacw.cavalry import cavalry_beside, evade
from pbem.rules.gcacw.combat import ASSAULT, Fight, fight
from pbem.rules.gcacw.events import paralysed
from pbem.rules.gcacw.holds import why_held
from pbem.rules.gcacw.leaders import in_radius, is_army, is_corps, settle
from pbem.rules.gcacw.orders import Assault, Grand
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import why_closed_side
from pbem.rules.requests import Activity, Roll, Tell

__all__ = ["assault_number", "carry_out", "grand", "is_commander", "why_not", "why_not_grand", "why_not_ranks"]

COMMANDERS = {"corps": "jackson", "army": "lee"}
"""The leaders who add to the attacker's die: Jackson as corps leader, Lee as army leader (std-7.1-8)."""


def is_commander(s: State, leader: str, rank: str) -> bool:
    """Whether a leader adds to the attacker's die; who has come for a killed one doesn't (std-7.1-8, 17.0-5)."""
    return leader == COMMANDERS[rank] and leader not in s.killed


def assault_number(s: State, leader: str, units: int) -> int:
    """The die up to which an assault of so many units comes about (std-5.3-5)."""
    return max(1, s.command_value(leader) - (units - 1))


# --- why not ----------------------------------------------------------------------------------------------------------


def why_not(s: State, side: str, order: Assault) -> Refusal | None:
    """Why a corps assault can't be ordered."""
    refusal = _why_not_led(s, side, order.leader) or _why_not_at(s, side, order.at)
    if refusal is not None:
        return refusal
    if not is_corps(s, order.leader):
        return Refusal("std-5.3-1", f"{s.board.units[order.leader].name} is an army leader: he leads a grand assault")
    return _why_not_corps(s, side, order.leader, order.at, order.units)


def _why_not_corps(s: State, side: str, leader: str, at: Hex, units: Sequence[str]) -> Refusal | None:
    """Why a corps leader's units of one hex can't assault."""
    name = s.board.units[leader].name
    if not units or len({*units}) < len(units):
        return Refusal("std-5.3-1", "name at least one unit, each once")
    for unit in units:
        refusal = _why_not_unit(s, side, unit, at)
        if refusal is not None:
            return refusal
        if not s.commands(leader, unit):
            return Refusal("std-5.3-1", f"{s.board.units[unit].name} isn't of {name}'s corps")
        if not in_radius(s, leader, unit):
            return Refusal("std-5.3-2", f"{s.board.units[unit].name} isn't within {name}'s command radius")
    if len({s.at[unit] for unit in units}) > 1:
        return Refusal("std-5.3-2", "the units of a corps assault are in one hex")
    return None


def _why_not_led(s: State, side: str, leader: str) -> Refusal | None:
    """Why a leader can't lead an assault."""
    unit = s.board.units[leader]
    if unit.side != side or not unit.leader:
        return Refusal("std-5.3-1", f"{s.board.describe(leader)} is no leader of yours")
    if leader not in s.at:
        return Refusal("std-6.3-2", f"{unit.name} isn't on the map")
    if paralysed(s, side):
        return Refusal("14.0-par4", f"the command is paralysed: nobody assaults in turn {s.turn}")
    return why_held(s, leader)


def _why_not_at(s: State, side: str, at: Hex) -> Refusal | None:
    """Why a hex can't be assaulted."""
    if not s.units_in(at, s.board.enemy[side]):
        return Refusal("std-5.3-2", f"no enemy is in {s.board.place(at)}")
    return None


def _why_not_unit(s: State, side: str, unit: str, at: Hex) -> Refusal | None:
    """Why a unit can't take part in an assault on a hex."""
    refusal = may_march.why_not_act(s, side, unit)
    if refusal is not None:
        return refusal
    name = s.board.units[unit].name
    if unit in s.demoralised:
        return Refusal("std-5.3-6", f"{name} is demoralised, and can't attack")
    if s.turn in s.board.no_assault and s.fatigue.get(unit, 0) + 1 >= may_march.EXTENDED:
        return Refusal("13.1-sp1b", f"{name} would come to fatigue 3, barred in turn {s.turn}")
    if distance(s.at[unit], at) != 1:
        return Refusal("std-5.3-2", f"{name} isn't adjacent to {s.board.place(at)}")
    return why_closed_side(s, side, s.at[unit], at, attack=True)


def why_not_grand(s: State, side: str, order: Grand) -> Refusal | None:
    """Why a grand assault can't be ordered (rc-grand)."""
    refusal = _why_not_led(s, side, order.leader) or _why_not_led(s, side, order.chief)
    refusal = refusal or _why_not_at(s, side, order.at)
    if (refusal := refusal or why_not_ranks(s, order)) is not None:
        return refusal
    if (refusal := _why_not_corps(s, side, order.chief, order.at, order.first)) is not None:
        return refusal
    if len({*order.first, *order.others}) < len(order.first) + len(order.others):
        return Refusal("std-7.1-6", "name each unit once")
    if not order.others:
        return Refusal("std-7.1-6", "a grand assault has units of another hex or corps: else order an assault")
    return _why_not_army(s, side, order) or _why_not_further(s, order)


def why_not_ranks(s: State, order: Grand) -> Refusal | None:
    """Why leaders of these ranks lead no grand assault (std-7.1-6, std-7.1-7)."""
    if not is_army(s, order.leader):
        return Refusal("std-7.1-6", f"{s.board.units[order.leader].name} is no army leader: he leads a corps assault")
    if not is_corps(s, order.chief):
        return Refusal("std-7.1-7", f"{s.board.units[order.chief].name} is no corps leader")
    return None


def _why_not_army(s: State, side: str, order: Grand) -> Refusal | None:
    """Why units can't join their army leader's assault (std-7.1-7)."""
    leader = s.board.units[order.leader]
    for unit in (*order.first, *order.others):
        if (refusal := _why_not_unit(s, side, unit, order.at)) is not None:
            return refusal
        name = s.board.units[unit].name
        if not s.commands(order.leader, unit):
            return Refusal("std-6.3-3", f"{name} isn't of {leader.name}'s army")
        if not in_radius(s, order.leader, unit):
            return Refusal("std-7.1-7", f"{name} isn't within {leader.name}'s command radius")
    return None


def _why_not_further(s: State, order: Grand) -> Refusal | None:
    """Why units aren't a further group: those of the corps in the first hex are of the first (rc-grand)."""
    chief, start = s.board.units[order.chief], s.at[order.first[0]]
    for unit in order.others:
        if s.at[unit] == start and s.commands(order.chief, unit):
            what = f"{s.board.units[unit].name} is of {chief.name}'s corps and in his hex: name it before `and`"
            return Refusal("std-7.1-7", what)
    return None


# --- carried out ------------------------------------------------------------------------------------------------------


def carry_out(s: State, order: Assault) -> Activity:
    """A corps assault: fatigue, cavalry that goes back, the assault number, the combat."""
    side = s.board.units[order.leader].side
    yield from _declared(s, order.leader, order.at, order.units)
    units = _left(s, order.units)
    if not (yield from _comes(s, order.leader, order.at, units, units)):
        return
    if (yield from _made(s, order.leader, order.at, len(units))):
        lee_or_jackson = is_commander(s, order.leader, "corps")
        yield from fight(s, Fight(side, order.at, units, ASSAULT, lee_or_jackson))


def grand(s: State, order: Grand) -> Activity:
    """A grand assault: the first hex as a corps assault, each other hex by a die of its own, one combat."""
    side = s.board.units[order.leader].side
    every = (*order.first, *order.others)
    yield from _declared(s, order.leader, order.at, every)
    units = [*_left(s, order.first)]
    if not (yield from _comes(s, order.leader, order.at, units, _left(s, every))):
        return
    if not (yield from _made(s, order.chief, order.at, len(units))):
        return
    number = s.command_value(order.leader)
    for h, group in _further(s, order):
        (die,) = yield Roll(f"joins/{s.board.label[h].lower()}", 1)
        joins = die <= number
        facts = {"unit": order.leader, "units": group, "from": s.board.label[h], "at": s.board.label[order.at]}
        yield Tell("joins", "std-7.1-7", facts | {"die": die, "number": number, "made": joins})
        units += group if joins else []
    commander = is_commander(s, order.leader, "army") or is_commander(s, order.chief, "corps")
    yield from fight(s, Fight(side, order.at, tuple(units), ASSAULT, commander))


def _further(s: State, order: Grand) -> Iterator[tuple[Hex, list[str]]]:
    """The further groups in the order of their hexes' numbers, of each hex as one (rc-grand)."""
    others = _left(s, order.others)
    for h in sorted({s.at[unit] for unit in others}, key=s.board.order):
        yield h, [unit for unit in others if s.at[unit] == h]


def _left(s: State, units: Sequence[str]) -> tuple[str, ...]:
    """Those of the units named who are still on the map: where assaults strain, some may not be (std-5.3-3)."""
    return tuple(unit for unit in units if unit in s.manpower)


def _declared(s: State, leader: str, at: Hex, units: Sequence[str]) -> Activity:
    """Declare an assault: all units named gain fatigue (std-5.3-3)."""
    side, label = s.board.units[leader].side, s.board.label
    facts = {"unit": leader, "side": side, "units": [*units], "at": label[at]}
    yield Tell("assault", "std-5.3-1", facts | {"from": sorted({label[s.at[unit]] for unit in units})})
    yield from march.tire_all(s, units)
    if s.options.assault_strain == "yes":
        for unit in units:
            if s.fatigue[unit] >= may_march.EXTENDED:
                yield from march.strain(s, unit)
        yield from settle(s, [side])


def _comes(s: State, leader: str, at: Hex, first: Sequence[str], every: Sequence[str]) -> march.Asked:
    """Whether there are units of the first hex, and an enemy still, for an assault; if not it is told (std-7.7-7)."""
    refusal = None if first else Refusal("std-5.3-3", "of those who were to begin it nobody is left")
    if refusal is None and (yield from _gone(s, s.board.units[leader].side, at, every)):
        refusal = march.GONE_BACK
    if refusal is not None:
        facts = {"unit": leader, "at": s.board.label[at], "reason": refusal.reason}
        yield Tell("no-assault", refusal.clause, facts)
    return refusal is None


def _gone(s: State, side: str, at: Hex, units: Sequence[str]) -> march.Asked:
    """Whether the cavalry of the hex has gone back before an assault by infantry alone (std-7.7-7)."""
    away = sorted({s.at[unit] for unit in units}, key=s.board.order)
    if not any(at in cavalry_beside(s, side, h) for h in away):
        return False
    taken = yield from evade(s, at, units, away)
    return taken is not None


def _made(s: State, leader: str, at: Hex, units: int) -> march.Asked:
    """Whether an assault comes about (std-5.3-5)."""
    number = assault_number(s, leader, units)
    (die,) = yield Roll(f"assault/{leader}", 1)
    facts = {"unit": leader, "at": s.board.label[at], "die": die, "number": number, "made": die <= number}
    yield Tell("assault-roll", "std-5.3-5", facts)
    return bool(die <= number)
