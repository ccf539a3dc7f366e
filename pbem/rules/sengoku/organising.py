"""Organisation: a commander rearranges the forces of his hex, and may replenish after it (13, 14-1-1, P-11; R161)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.requests import Activity, Tell
from pbem.rules.sengoku import replenishment
from pbem.rules.sengoku.acting import idle, side_of, why_idle, why_not_act
from pbem.rules.sengoku.command import why_not_force
from pbem.rules.sengoku.orders import Organise
from pbem.rules.sengoku.state import State

__all__ = ["carry_out", "options", "takes", "why_not"]


def why_not(s: State, side: str, order: Organise) -> Refusal | None:
    """Why a commander can't organise forces so now."""
    return (
        why_not_act(s, side, order.force)  # 13-2-3: the others need no action power
        or _why_not_organiser(s, order.force)
        or _why_not_units(s, order)
        or _why_not_changed(s, order)
        or _why_not_result(s, order)
        or _why_not_replenish(s, order)
    )


def _why_not_organiser(s: State, force: str) -> Refusal | None:
    """Why a force that may act can't organise."""
    if not s.board.units[force].commander:
        return Refusal("13-1-1", f"{s.board.describe(force)} is no commander and can't organise")
    if force in s.under_superior:
        return Refusal("13-1-2", f"{s.board.describe(force)} was under a superior when this phase began")
    return None


def _why_not_units(s: State, order: Organise) -> Refusal | None:
    """Why these units can't be rearranged: another's, off the map, named twice, or some of a force left out."""
    side, named = side_of(s, order.force), [unit for group in order.forces for unit in group]
    if not all(order.forces):
        return Refusal("9-1(1)", "a force has a unit at least")
    for unit in named:
        if side_of(s, unit) != side:
            return Refusal("3.0(2)", f"{s.board.describe(unit)} is a unit of the enemy")
        if unit not in s.leader:
            return Refusal("9.0", f"{s.board.describe(unit)} isn't on the map")
        if named.count(unit) > 1:
            return Refusal("9-1(all)", f"{s.board.describe(unit)} is named twice and can be in one force only")
    changed = _changed(s, order)
    if not changed:
        return Refusal("13-2", "no force would change")
    for unit in [unit for force in changed for unit in s.forces[force]]:
        if unit not in named:
            return Refusal("9-1(all)", f"say in which force {s.board.describe(unit)} is then")
    return None


def _changed(s: State, order: Organise) -> list[str]:
    """The forces that the order changes, by their ids."""
    stay = {group[0] for group in order.forces if set(group) == set(s.forces.get(group[0], ()))}
    return sorted({s.leader[unit] for group in order.forces for unit in group} - stay)


def _why_not_changed(s: State, order: Organise) -> Refusal | None:
    """Why forces can't be changed by this commander."""
    chief, h = order.force, s.at[order.force]
    for force in _changed(s, order):
        name = s.board.describe(force)
        if s.at[force] != h:
            return Refusal("13-1-4", f"{name} isn't in the hex of {s.board.describe(chief)}")
        if (force in s.shut_in) != (chief in s.shut_in):
            return Refusal("13-1-3", f"one of {name} and {s.board.describe(chief)} is shut in, the other isn't")
        if s.board.units[force].rank > s.board.units[chief].rank:
            return Refusal("13-2-2(1)", f"{name} is of higher rank than {s.board.describe(chief)}")
        if not s.acted.isdisjoint(s.forces[force]):
            return Refusal("13-2-1", f"the force of {name} has acted in this phase")  # 13-2-2(2)
        if held := [unit for unit in s.forces[force] if unit in idle(s)]:  # 36.7-6
            return why_idle(s, s.board.units[held[0]].army)
    return None


def _why_not_result(s: State, order: Organise) -> Refusal | None:
    """Why the forces that come of it can't be (9-2), or not during a siege."""
    for group in order.forces:
        if refusal := why_not_force(s.board, group):
            return refusal
        if len({s.leader[unit] in s.besieging for unit in group}) > 1:
            return Refusal(
                "18-1-1", f"some of the force of {s.board.describe(group[0])} besiege the castle, some don't"
            )
    return None


def _why_not_replenish(s: State, order: Organise) -> Refusal | None:
    """Why the commander can't replenish after it, with the units that he leads then (14-1-1)."""
    if order.replenish is None:
        return None
    if order.replenish.force != order.force:
        return Refusal("14-2-5", "only the force that organises is replenished")
    units = next((group for group in order.forces if group[0] == order.force), s.forces[order.force])
    return replenishment.why_not_restored(s, order.replenish, units)


def options(s: State, force: str) -> Iterator[Organise]:
    """What a force that may act can do: take all of another force or its leader's men, or let one of its own go."""
    side, own = side_of(s, force), s.forces[force]
    if _why_not_organiser(s, force) is not None:
        return
    orders = [Organise(force, (tuple(u for u in own if u != unit), (unit,))) for unit in own[1:]]
    for other in s.stands[s.at[force]]:
        if other != force and side_of(s, other) == side:
            units = s.forces[other]
            orders.append(Organise(force, ((*own, *units),)))
            orders.append(Organise(force, ((*own, *units[1:]), units[:1])))
    yield from (order for order in orders if why_not(s, side, order) is None)


def takes(s: State, force: str) -> list[str]:
    """The units of other forces in its hex that a force that may act can take, each by itself, who leads with all."""
    side, own, found = side_of(s, force), s.forces[force], list[str]()
    if _why_not_organiser(s, force) is not None:
        return found
    for other in s.stands[s.at[force]]:
        if other == force or side_of(s, other) != side:
            continue
        units = s.forces[other]
        if why_not(s, side, Organise(force, ((*own, *units),))) is None:
            found.append(other)
        for unit in units[1:]:
            rest = tuple(one for one in units if one != unit)
            if why_not(s, side, Organise(force, ((*own, unit), rest))) is None:
                found.append(unit)
    return found


def carry_out(s: State, order: Organise) -> Activity:
    """A legal organisation, then the replenishment that belongs to the same action (14-1-1)."""
    _rearrange(s, order)
    yield Tell("organise", "13-2", {"unit": order.force, "forces": [list(group) for group in order.forces]})
    if order.replenish is not None:
        yield from replenishment.carry_out(s, order.replenish)


def _rearrange(s: State, order: Organise) -> None:
    """Make the forces of the order; who changed his force has acted, and with him the force that he came to."""
    before = {unit: s.leader[unit] for group in order.forces for unit in group}
    led = {group[0]: group for group in order.forces}
    for force in _changed(s, order):
        s.part(force, [unit for unit in s.forces[force][1:] if unit not in led.get(force, ())])  # 13-2(2)
    for leader, group in led.items():
        s.join(leader, [unit for unit in group if s.leader[unit] != leader])  # 13-2(1), 13-2-5
    s.acted.update(s.forces[order.force])
    for unit in [unit for unit, force in before.items() if s.leader[unit] != force]:
        s.acted.update(s.forces[s.leader[unit]])  # 13-2-4
