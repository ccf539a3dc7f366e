"""Battles: two commanders-in-chief and those with them fight on until a side goes back (rulebook 24, P-8)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.kit.asking import NO, YES, reaction
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Activity, Answer, Choose, Request, Roll, Tell, Words
from pbem.rules.sengoku import harm, skirmish
from pbem.rules.sengoku.acting import army_of, live_castle, open_in, said, side_of, skill_of, why_closed, why_idle
from pbem.rules.sengoku.board import SOTAISHO, SWAMP
from pbem.rules.sengoku.casualties import suffer
from pbem.rules.sengoku.orders import Advance, Attack, Battle, FightOn, GiveBattle
from pbem.rules.sengoku.retreat import LONGEST, MOUNTAIN, can_retreat, retreat
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.tables import Loss

__all__ = ["BATTLE", "CONSENT", "FLIGHT", "carry_out", "flees", "options", "why_never", "why_not"]

BATTLE, FLIGHT = "battle", "flight"
"""The stems of the labels of the dice: of each side in a round, and of each force that has lost."""

CONSENT, JOIN, FIGHT_ON, ADVANCE = "consent", "join", "fight-on", "advance"
"""The keywords of the standing orders `consent FORCE|any yes|no`, `join FORCE|any yes|no` of the others in its hex,
`fight-on FORCE|any N`, N as `until` of an order of battle, and `advance FORCE|any yes|no`."""

NEVER = 100
"""The share of losses, in percent, at which no side stops any more: it is spent then (24-2-6)."""

MOST_ROUNDS = 500
"""So many rounds without a decision, and both sides part as if both were spent."""


class _Host(NamedTuple):
    """A side in a battle: its commander-in-chief, the forces that take part with their units, and both hexes."""

    chief: str
    forces: tuple[str, ...]
    units: tuple[str, ...]
    at: Hex
    enemy: Hex
    until: int | None = None


# --- the declaration --------------------------------------------------------------------------------------------------


def why_not(s: State, side: str, order: Battle) -> Refusal | None:
    """Why a commander-in-chief can't offer this battle now."""
    if order.force in s.shut_in:
        return Refusal("24-1-6", f"{s.board.describe(order.force)} is shut up in a castle")
    if refusal := skirmish.why_not(s, side, Attack(order.force, (order.target,))):
        return refusal
    if refusal := _why_no_battle(s, order):
        return refusal
    for i, other in enumerate(order.others):
        if refusal := _why_not_along(s, side, order, other, order.others[:i]):
            return refusal
    if not order.skirmish:
        return None
    if refusal := skirmish.why_not(s, side, Attack(order.force, order.skirmish)):
        return refusal
    if s.at[order.skirmish[0]] != s.at[order.target]:
        place = s.board.place(s.at[order.target])
        return Refusal("24-1-8(no)", f"without consent only forces in {place} can be attacked instead")
    return None


def _why_no_battle(s: State, order: Battle) -> Refusal | None:
    """Why two forces, one of which may attack the other, can't meet in a battle."""
    for force in (order.force, order.target):
        place = s.board.place(s.at[force])
        if refusal := _why_no_chief(s, force):
            return refusal
        if s.board.ground.terrain[s.at[force]] in (MOUNTAIN, SWAMP):
            return Refusal("24-1-7", f"{place} is mountain or swamp; a skirmish can be fought")
    if order.force in s.declined and live_castle(s, s.at[order.target]) is not None:
        return Refusal("24-1-8", f"{s.board.describe(order.force)} was refused a battle in this phase")
    if order.until is not None and not 0 <= order.until <= NEVER:
        return Refusal("24-2-5", f"a share of losses is 0 to {NEVER} percent")
    return None


def _why_no_chief(s: State, force: str) -> Refusal | None:
    if s.board.units[force].rank == SOTAISHO:
        return None
    return Refusal("24-1-1", f"{s.board.describe(force)} is no commander-in-chief; a skirmish can be fought")


def why_never(s: State, order: Battle) -> Refusal | None:
    """Why two forces can't meet in a battle, wherever they are and whatever comes before."""
    return _why_no_chief(s, order.force) or _why_no_chief(s, order.target)


def _why_not_along(s: State, side: str, order: Battle, other: str, before: Sequence[str]) -> Refusal | None:
    """Why a force can't take part in the battle that its commander-in-chief offers."""
    name = s.board.describe(other)
    if s.board.units[other].side != side:
        return Refusal("3.0(2)", f"{name} belongs to the enemy")
    if other in (order.force, *before):
        return Refusal("24-1-2", f"name {name} once")
    if other not in s.forces or s.at[other] != s.at[order.force]:
        return Refusal("24-1-2", f"{name} leads no force in the hex of {s.board.describe(order.force)}")
    if other in s.shut_in:
        return Refusal("24-1-6", f"{name} is shut up in a castle")
    if other in s.besieging:
        return Refusal("18-4-1", f"{name} besieges a castle: lift the siege first")
    if other in s.acted:
        return Refusal("24-1-2", f"{name} has acted in this phase")
    return why_idle(s, army_of(s, other))  # its action power doesn't count (24-1-4)


def options(s: State, force: str) -> Iterator[Battle]:
    """The battles that a force may offer: with all that can take part and alone, each with a skirmish instead."""
    side = side_of(s, force)
    if s.board.units[force].rank != SOTAISHO:
        return
    for h in s.board.ground.open_to[s.at[force]]:
        for target in open_in(s, h, s.board.enemy[side]):
            alone = Battle(force, target, skirmish=(target,))
            if why_not(s, side, alone) is None:
                here = [other for other in open_in(s, s.at[force], side) if other != force]
                along = tuple(other for other in here if _why_not_along(s, side, alone, other, ()) is None)
                yield from dict.fromkeys((Battle(force, target, along, skirmish=(target,)), alone))


# --- the battle -------------------------------------------------------------------------------------------------------


def carry_out(s: State, order: Battle) -> Activity:
    """A legal battle: who stands in it, its rounds, and who goes back; or the skirmish in its place (24.0)."""
    force, target = order.force, order.target
    here, there = s.at[force], s.at[target]
    standing = yield from _standing(s, order)
    facts = {"unit": force, "target": target, "from": s.board.label[here], "at": s.board.label[there]}
    if not standing:
        s.declined.add(force)
        yield Tell("declined", "24-1-8", facts)
        if order.skirmish:
            yield from skirmish.carry_out(s, Attack(force, order.skirmish))
        return
    ours = _host(s, (force, *order.others), here, there, order.until)
    theirs = _host(s, standing, there, here)
    s.acted.update(ours.units)
    s.attacked.update(army_of(s, one) for one in ours.forces)
    yield Tell("battle", "24-1-1", {**facts, "with": list(order.others), "targets": list(standing)})
    yield from _rounds(s, ours, theirs)
    yield from harm.bury(s)


def _host(s: State, forces: tuple[str, ...], at: Hex, enemy: Hex, until: int | None = None) -> _Host:
    """A side in a battle; the first of its forces is that of the commander-in-chief."""
    return _Host(forces[0], forces, tuple(unit for force in forces for unit in s.forces[force]), at, enemy, until)


def _rounds(s: State, ours: _Host, theirs: _Host) -> Activity:
    """Round after round, until a side is spent or stops (24-2-5 to 24-2-8)."""
    for number in range(1, MOST_ROUNDS + 1):
        won, lost = yield from _round(s, number, ours, theirs)
        beaten = [host for host in (ours, theirs) if _worn(s, host) == NEVER]
        if len(beaten) == 1:
            yield from _beaten(s, beaten[0], theirs if beaten == [ours] else ours)
            return
        if beaten:
            break
        if won != lost:
            host, other = (ours, theirs) if won > lost else (theirs, ours)
            if (yield from _stops(s, host)):
                yield Tell("stopped", "24-2-5", _lost(s, host, other))
                yield from _back(s, host)
                return
    yield Tell("parted", "24-2-7", {"unit": ours.chief, "target": theirs.chief})
    for host in (ours, theirs):
        yield from _back(s, host)


def _round(s: State, number: int, ours: _Host, theirs: _Host) -> Generator[Request | Tell, Answer, tuple[int, int]]:
    """One round: both dice, then both losses; comes to the results of either side (24-2, 24-2-4)."""
    first = {"target": theirs.chief, "from": s.board.label[ours.at], "at": s.board.label[theirs.at]}
    by_us = yield from _roll(s, number, ours, theirs, first if number == 1 else {})
    by_them = yield from _roll(s, number, theirs, ours, {})  # 24-2-2
    yield from suffer(s, theirs.forces, by_us, "24-2-4")
    yield from suffer(s, ours.forces, by_them, "24-2-4")
    yield from harm.last_leave(s)
    yield from harm.check_markers(s)
    return by_us.losses, by_them.losses


def _roll(
    s: State, number: int, host: _Host, other: _Host, where: Mapping[str, str]
) -> Generator[Request | Tell, Answer, Loss]:
    """The die of a side in a round, without the ground (24-2-1, 24-2-3); the first tells `where` the battle is."""
    own, enemies = _left(s, host), _left(s, other)
    strength = harm.strength(s, own)
    shifts = {
        "skill": _skill(s, own) - _skill(s, enemies),
        "morale": harm.morale_of(s, own) - harm.morale_of(s, enemies),
    }
    (die,) = yield Roll(f"{BATTLE}/{host.chief}", dice=1)
    loss = s.board.tables.loss(die + sum(shifts.values()), strength)
    facts = {"unit": host.chief, **where, "round": number, "strength": strength, "die": die, **shifts}
    yield Tell("battle-result", "24-2-2", {**facts, "result": loss.losses, "marked": loss.marked})
    return loss


def _left(s: State, host: _Host) -> list[str]:
    """The forces of a side in a battle that have units left."""
    return [force for force in host.forces if force in s.forces]


def _skill(s: State, forces: Sequence[str]) -> int:
    """The best field modifier of the commanders that lead; without one, as in a skirmish (24-2-3(choice))."""
    leading = skirmish.leading(s, forces)
    commanders = [s.board.units[unit].modifier for unit in leading if s.board.units[unit].commander]
    return max(commanders, default=skill_of(s, leading))


def _worn(s: State, host: _Host) -> int:
    """How many of a hundred units of a side that took part are lost or have a single step."""
    return sum(unit in s.reduced or unit not in s.leader for unit in host.units) * 100 // len(host.units)


# --- the end ----------------------------------------------------------------------------------------------------------


def _beaten(s: State, host: _Host, winner: _Host) -> Activity:
    """A side that is spent goes back with all that stand in its hex; the others may enter that (24-2-6, 24-3)."""
    yield Tell("beaten", "24-2-6", _lost(s, host, winner))
    here = [force for force in open_in(s, host.at, s.board.units[host.chief].side) if force not in host.forces]
    for force in (*host.forces, *here):  # 24-3-1, 24-3-1(others)
        if force in s.forces:
            (die,) = yield Roll(f"{FLIGHT}/{force}", dice=1)
            yield from _go(s, force, die, host.enemy)
    yield from _enter(s, winner)


def _lost(s: State, loser: _Host, winner: _Host) -> dict[str, str]:
    """Note that a battle is lost by a side (32-1(mod)); comes to the facts of it."""
    s.balance += -1 if s.board.side[s.board.units[loser.chief].side].deploys else 1
    return {"unit": loser.chief, "target": winner.chief, "at": s.board.label[loser.at]}


def _go(s: State, force: str, die: int, away: Hex) -> Activity:
    """A force flees by its die, 4 hexes at most; it loses a step for each more and each without a way (24-3-2)."""
    ways = [n for n in range(1, LONGEST + 1) if can_retreat(s, force, n, away)]
    hexes = flees(die, ways)
    yield Tell("flight", "24-3-1", {"unit": force, "die": die, "hexes": hexes, "steps": die - hexes, "ways": ways})
    yield from suffer(s, [force], Loss(die - hexes, marked=False), "24-3-2")
    yield from harm.last_leave(s)
    if hexes and force in s.forces:
        yield from retreat(s, force, hexes, away)  # 24-3-2(limits)


def flees(die: int, ways: Sequence[int]) -> int:
    """How many hexes a force flees by its die; `ways` are the numbers of hexes that it can go (24-3-2)."""
    return max((n for n in ways if n <= die), default=0)


def _back(s: State, host: _Host) -> Activity:
    """All that took part go back one hex with their morale, or lose a step without a way (24-2-5(retreat), 24-2-7)."""
    for force in host.forces:
        if force in s.forces and can_retreat(s, force, 1, host.enemy):
            yield from retreat(s, force, 1, host.enemy, shaken=False)
        elif force in s.forces:
            yield from suffer(s, [force], Loss(1, marked=False), "24-2-7")
            yield from harm.last_leave(s)


def _enter(s: State, winner: _Host) -> Activity:
    """Let the winner's forces enter the hex that was left, if they may and want to (24-3-3)."""
    side = s.board.units[winner.chief].side
    forces = _left(s, winner)
    if not forces or open_in(s, winner.enemy, s.board.enemy[side]) or why_closed(s, side, winner.enemy):
        return
    for force in (yield _ask_enter(s, forces)).forces:
        if force in s.besieging:
            yield from harm.lift(s, [force], s.board.castle_in[winner.at])
        s.put(force, winner.enemy)
        places = {"from": s.board.label[winner.at], "to": s.board.label[winner.enemy]}
        yield Tell("advance", "24-3-3", {"unit": force, **places})
    yield from harm.check_markers(s)


# --- the questions ----------------------------------------------------------------------------------------------------


def _standing(s: State, order: Battle) -> Generator[Request, Answer, tuple[str, ...]]:
    """The forces that stand in a battle offered; none where the side refuses it (24-1-3, 24-1-8)."""
    target, there, side = order.target, s.at[order.target], side_of(s, order.target)
    others = [force for force in open_in(s, there, side) if force != target]
    castle = live_castle(s, there) is not None
    if not castle and not others:
        return (target,)
    answer: GiveBattle = yield _ask_standing(s, order, others, castle=castle)
    return answer.forces


def _ask_standing(s: State, order: Battle, others: Sequence[str], *, castle: bool) -> Choose:
    """Ask the defender who stands: by default all, but nobody in the hex of a castle."""
    target = order.target
    every = (target, *others)
    fewer = [GiveBattle(tuple(force for force in every if force != other)) for other in others]
    found = [GiveBattle(())] * castle + [GiveBattle(every), *fewer, GiveBattle((target,))]

    def why_not(answer: GiveBattle) -> Refusal | None:
        if len(set(answer.forces)) != len(answer.forces) or not set(answer.forces) <= set(every):
            return Refusal("24-1-3", f"these stand there: {', '.join(map(s.board.describe, every))}")
        if target in answer.forces or (castle and not answer.forces):
            return None
        return Refusal("24-1-1", f"{s.board.describe(target)} stands in the battle")

    def standing(orders: Sequence[Words]) -> GiveBattle | None:
        consent = preferences(orders, CONSENT, target)[:1]
        joins = {force: preferences(orders, JOIN, force)[:1] for force in others}
        if castle and consent != (YES,):
            return GiveBattle(()) if consent else None
        joining = GiveBattle((target, *(force for force in others if joins[force] != (NO,))))
        return joining if castle or any(joins.values()) else None

    whether = "whether the battle is given, which a castle spares, and " if castle else ""
    prompt = f"say {whether}who stands in the battle that {s.board.describe(order.force)} offers"
    return reaction(
        side=side_of(s, target), kind=CONSENT if castle else JOIN, clause="24-1-8" if castle else "24-1-3",
        prompt=prompt, options=list(dict.fromkeys(found)), why_not=why_not, standing=standing, about=every,
    )  # fmt: skip


def _stops(s: State, host: _Host) -> Generator[Request, Answer, bool]:
    """Whether a side that may stop does so: by its order, else as it says; never without a way for all (24-2-5)."""
    if not all(can_retreat(s, force, 1, host.enemy) for force in _left(s, host)):
        return False
    if host.until is not None:
        return _worn(s, host) >= host.until
    return not (yield _ask_on(s, host)).made


def _ask_on(s: State, host: _Host) -> Choose:
    """Ask a side whether it fights on: by default it does."""
    forces = _left(s, host)

    def standing(orders: Sequence[Words]) -> FightOn | None:
        worn = [word for word in said(s, orders, FIGHT_ON, host.forces) if word.isdigit()]
        return FightOn(_worn(s, host) < int(worn[0])) if worn else None

    return reaction(
        side=s.board.units[host.chief].side, kind=FIGHT_ON, clause="24-2-5",
        prompt=f"say whether the battle goes on; {_worn(s, host)} percent of the units are lost or reduced",
        options=[FightOn(made=True), FightOn(made=False)], why_not=lambda _: None, standing=standing,
        about=tuple(forces),
    )  # fmt: skip


def _ask_enter(s: State, forces: Sequence[str]) -> Choose:
    """Ask the winner which of his forces enter the hex: by default none."""

    def why_not(answer: Advance) -> Refusal | None:
        if len(set(answer.forces)) == len(answer.forces) and set(answer.forces) <= set(forces):
            return None
        return Refusal("24-3-3", f"these have won: {', '.join(map(s.board.describe, forces))}")

    def standing(orders: Sequence[Words]) -> Advance | None:
        goes = {force: preferences(orders, ADVANCE, force)[:1] for force in forces}
        return Advance(tuple(force for force in forces if goes[force] == (YES,))) if any(goes.values()) else None

    found = [Advance(()), Advance(tuple(forces)), *(Advance((force,)) for force in forces)]
    return reaction(
        side=side_of(s, forces[0]), kind=ADVANCE, clause="24-3-3", prompt="say who enters the hex that was left",
        options=list(dict.fromkeys(found)), why_not=why_not, standing=standing, about=tuple(forces),
    )  # fmt: skip
