"""Skirmishes: one force attacks enemies in one hex, who lose steps or retreat, and answer (rulebook 22, 23, P-7)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.kit.asking import NO, NOTHING, YES, reaction
from pbem.rules.kit.form import counted
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Activity, Answer, Choose, Request, Roll, Tell, Words
from pbem.rules.sengoku import harm
from pbem.rules.sengoku.acting import army_of, forces_inside, said, side_of, skill_of, why_not_act, why_truce
from pbem.rules.sengoku.board import RIVER
from pbem.rules.sengoku.casualties import suffer
from pbem.rules.sengoku.orders import Attack, Counterattack, GiveWay, LiftAttacked, Path, Retreat
from pbem.rules.sengoku.pursuit import pursue
from pbem.rules.sengoku.retreat import LONGEST, UNASKED, can_retreat, retreat, routes
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.tables import Loss

__all__ = ["ATTACK", "COUNTERATTACK", "carry_out", "leading", "skill", "why_not"]

ATTACK, COUNTERATTACK = "attack", "counterattack"
"""The stems of the labels of the dice."""

LIFT, GIVE_WAY, COUNTER = "lift", "give-way", "counter"
"""The keywords of the standing orders `lift FORCE|any yes|no|if-half-hurts`, `give-way FORCE|any steps|retreat|refuge|
N+`, N the least result at which to retreat, and `counter FORCE|any yes|no`."""

IF_HALF_HURTS = "if-half-hurts"
STEPS, AS_FAR, REFUGE, OR_MORE = "steps", "retreat", "refuge", "+"

SHUT_IN_ATTACK, SHUT_IN_ANSWER = -1, 1  # 23-7-1, 23-7-3


class _Fight(NamedTuple):
    """A skirmish: who attacks whom, from where, and whether out of a castle; `besieging`: targets with the marker."""

    force: str
    targets: tuple[str, ...]
    at: Hex
    away: Hex
    sortie: bool
    besieging: frozenset[str] = frozenset()


# --- the declaration --------------------------------------------------------------------------------------------------


def why_not(s: State, side: str, order: Attack) -> Refusal | None:
    """Why a force can't attack these enemies now."""
    if refusal := why_not_act(s, side, order.force):
        return refusal
    name = s.board.describe(order.force)
    if order.force in s.besieging:
        return Refusal("18-4-1", f"{name} besieges a castle: lift the siege first")
    if not order.targets or len(set(order.targets)) != len(order.targets):
        return Refusal("22-1-1", "name each force that is attacked once")
    for target in order.targets:
        if refusal := _why_no_target(s, side, target):
            return refusal
    hexes = {s.at[target] for target in order.targets}
    if len(hexes) > 1:
        return Refusal("22-1-3", "a force attacks enemies of one hex only")
    return _why_out_of_reach(s, order.force, hexes.pop()) or why_truce(s, order.force, order.targets)


def _why_no_target(s: State, side: str, target: str) -> Refusal | None:
    """Why a unit can't be attacked by a side."""
    name = s.board.describe(target)
    if s.board.units[target].side == side:
        return Refusal("22.0", f"{name} is no enemy")
    if target not in s.forces:
        return Refusal("9.0", f"{name} leads no force on the map")
    return Refusal("22.0", f"{name} is shut up in a castle") if target in s.shut_in else None


def _why_out_of_reach(s: State, force: str, h: Hex) -> Refusal | None:
    """Why a force can't attack into a hex from where it is."""
    name, place, here = s.board.describe(force), s.board.place(h), s.at[force]
    if force in s.shut_in:
        text = f"{name} is shut up in a castle and attacks in its hex only"
        return Refusal("23-7", text) if h != here else None
    if h not in s.board.ground.near[here]:
        return Refusal("22-1-2", f"{place} isn't adjacent to {name}")
    if h not in s.board.ground.open_to[here]:
        return Refusal("22-1-5", f"a lake or the sea lies before {place}")
    return None


# --- the skirmish -----------------------------------------------------------------------------------------------------


def carry_out(s: State, order: Attack) -> Activity:
    """A legal attack: one die, losses or retreat, then the answer or the pursuit (23.0)."""
    force = order.force
    s.acted.update(s.forces[force])
    s.attacked.add(army_of(s, force))
    fight = _Fight(force, order.targets, s.at[order.targets[0]], s.at[force], force in s.shut_in)
    facts = {"unit": force, "targets": list(order.targets), "at": s.board.label[fight.at]}
    yield Tell("attack", "22-1-1", {**facts, "from": s.board.label[fight.away]})
    if not fight.sortie:  # who is attacked by those shut in answers with full strength anyway (23-7-2)
        yield from _lift(s, fight)
    fight = fight._replace(besieging=frozenset(fight.targets) & s.besieging)
    loss = yield from _attack(s, fight)
    hexes = 0
    if loss.losses:
        hexes = yield from _give_way(s, fight, loss)
    if not hexes:
        yield from _answer(s, fight)
    yield from harm.bury(s)


def _left(s: State, fight: _Fight) -> tuple[str, ...]:
    """The targets with units left."""
    return tuple(target for target in fight.targets if target in s.forces)


def _attack(s: State, fight: _Fight) -> Generator[Request | Tell, Answer, Loss]:
    """The die of the attack (23-2, 23-2-1)."""
    chart, ground = s.board.tables.terrain, s.board.ground
    shifts = {
        "ground": chart[ground.terrain[fight.at]].attack,  # 23-2-1(1), 23-2-1(2)
        "river": chart[RIVER].attack if (fight.away, fight.at) in ground.river else 0,  # 23-2-1(3)
        "skill": skill(s, [fight.force]) - skill(s, fight.targets),  # 23-2-1(4)
        "morale": _morale(s, fight) - harm.morale_of(s, fight.targets),  # 23-2-1(5)
        "castle": SHUT_IN_ATTACK * fight.sortie,  # 23-7-1
    }
    loss, facts = yield from _roll(s, fight, ATTACK, harm.strength(s, [fight.force]), shifts)
    who = {"unit": fight.force, "target": fight.targets[0], "from": s.board.label[fight.away]}
    yield Tell("attack-result", "23-2", {**who, **facts})
    return loss


def _answer(s: State, fight: _Fight) -> Activity:
    """The counterattack of those that are left, if their owner wants it (23-6)."""
    left = _left(s, fight)
    if not left or not (yield _ask_answer(s, fight, left)).made:
        return
    chart, ground = s.board.tables.terrain, s.board.ground
    shifts = {
        "ground": chart[ground.terrain[fight.at]].counterattack,  # 23-6-2(1)
        "river": chart[RIVER].counterattack if (fight.away, fight.at) in ground.river else 0,  # 23-6-2(2)
        "skill": skill(s, left) - skill(s, [fight.force]),  # 23-6-2(3)
        "morale": harm.morale_of(s, left) - _morale(s, fight),  # 23-6-2(4)
        "castle": SHUT_IN_ANSWER * fight.sortie,  # 23-7-3
    }
    loss, facts = yield from _roll(s, fight, COUNTERATTACK, _answering(s, fight, left), shifts)
    yield Tell("counterattack-result", "23-6", {"unit": left[0], "target": fight.force, **facts})
    yield from suffer(s, [fight.force], loss, "23-6-3")


def _answering(s: State, fight: _Fight, forces: Sequence[str]) -> int:
    """The strength of a counterattack: of besiegers half, but not against those shut in (18-4-2, 23-7-2)."""
    halved = [force for force in forces if force in fight.besieging and not fight.sortie]
    others = [force for force in forces if force not in halved]
    return harm.strength(s, others) + (harm.strength(s, halved) + 1) // 2


def _roll(
    s: State, fight: _Fight, stem: str, strength: int, shifts: Mapping[str, int]
) -> Generator[Request | Tell, Answer, tuple[Loss, dict[str, Any]]]:
    """One die with its shifts, which add up (23-2-1(sum), 23-6-2(sum)): what it comes to, and the facts of it."""
    place = s.board.label[fight.at]
    (die,) = yield Roll(f"{stem}/{place}", dice=1)
    loss = s.board.tables.loss(die + sum(shifts.values()), strength)
    facts = {"at": place, "strength": strength, "die": die, **shifts}
    return loss, {**facts, "result": loss.losses, "marked": loss.marked}


def skill(s: State, forces: Sequence[str]) -> int:
    """The field modifier of the highest rank among those that lead, the best of several (23-2-1(4), 23-2-1(4b))."""
    return skill_of(s, leading(s, forces))


def leading(s: State, forces: Sequence[str]) -> list[str]:
    """The units that lead forces; of a force whose leader has fallen all (P-9)."""
    groups = [units if units[0] != force else units[:1] for force in forces for units in [s.forces[force]]]
    return [unit for group in groups for unit in group]


def _morale(s: State, fight: _Fight) -> int:
    """The morale of the attacker: out of a castle the lowest of all in it (16-4-2)."""
    inside = forces_inside(s, s.board.castle_in[fight.away]) if fight.sortie else [fight.force]
    return harm.morale_of(s, inside)


# --- losses or retreat ------------------------------------------------------------------------------------------------


def _give_way(s: State, fight: _Fight, loss: Loss) -> Generator[Request | Tell, Answer, int]:
    """Losses as steps, as retreat, or divided, steps first; comes to the hexes of retreat (23-3)."""
    legal = _hexes(s, fight, loss)
    hexes: int = (yield _ask_hexes(s, fight, loss, legal)).hexes if len(legal) > 1 else 0
    yield from suffer(s, fight.targets, Loss(loss.losses - hexes, loss.marked), "23-3-1", "", *_before_retreat(hexes))
    yield from harm.last_leave(s)
    yield from harm.check_markers(s)
    ways: list[Path] = []
    for target in fight.targets if hexes else ():  # 23-4-1
        if target in s.forces:
            way = yield from retreat(s, target, hexes, fight.away)
            ways.append(way)
    yield from pursue(s, fight.force, ways)
    return hexes


def _before_retreat(hexes: int) -> tuple[str, Mapping[type, Refusal]]:
    """What the question for steps says where hexes of retreat follow, and what nobody will be asked then."""
    if not hexes:
        return "", NOTHING
    return f" before the retreat of {counted(hexes, 'hex')}", UNASKED


def _hexes(s: State, fight: _Fight, loss: Loss) -> list[int]:
    """The legal numbers of hexes to retreat, 0 first: every target has a way, and a mark leaves the steps (23-3-3)."""
    units = [unit for target in fight.targets for unit in s.forces[target]]
    most = loss.losses - (min(harm.steps(s, [unit]) for unit in units) if loss.marked else 0)
    ways = range(1, min(most, LONGEST) + 1)  # 23-4-2
    return [0, *(n for n in ways if all(can_retreat(s, target, n, fight.away) for target in fight.targets))]


def _ask_hexes(s: State, fight: _Fight, loss: Loss, legal: Sequence[int]) -> Choose:
    """Ask the defender how many hexes he retreats; the rest are steps. By default none."""
    refuge = any(routes(s, target, legal[-1], fight.away)[0] == Retreat(target, enter=True) for target in fight.targets)

    def why_hexes(answer: GiveWay) -> Refusal | None:
        if answer.hexes in legal:
            return None
        return Refusal(
            "23-3", f"of {counted(loss.losses, 'loss')} these can be hexes of retreat: {', '.join(map(str, legal))}"
        )

    def standing(orders: Sequence[Words]) -> GiveWay | None:
        for word in said(s, orders, GIVE_WAY, fight.targets):
            least = word.rstrip(OR_MORE)
            if word == STEPS:
                return GiveWay(0)
            if word == AS_FAR or (word == REFUGE and refuge) or (least.isdigit() and loss.losses >= int(least)):
                return GiveWay(legal[-1])
        return None

    whose = f"{s.board.several(fight.targets)}, attacked by {s.board.describe(fight.force)}"
    prompt = f"of {counted(loss.losses, 'loss')} of {whose}, say how many are to be hexes of retreat"
    return _question(s, fight, GIVE_WAY, "23-3", prompt, [GiveWay(n) for n in legal], why_hexes, standing)


# --- the other questions ----------------------------------------------------------------------------------------------


def _ask_answer(s: State, fight: _Fight, left: Sequence[str]) -> Choose:
    """Ask the defender whether he counterattacks: by default he does (23-6)."""

    def standing(orders: Sequence[Words]) -> Counterattack | None:
        words = [word for word in said(s, orders, COUNTER, left) if word in (YES, NO)]
        return Counterattack(words[0] == YES) if words else None

    prompt = f"say whether {s.board.describe(left[0])} counterattacks {s.board.describe(fight.force)}"
    options = [Counterattack(made=True), Counterattack(made=False)]
    return _question(s, fight, COUNTER, "23-6", prompt, options, lambda _: None, standing)


def _lift(s: State, fight: _Fight) -> Activity:
    """Ask the defender which targets lift their siege, to answer with full strength: by default none (18-4-2(lift))."""
    besieging = [target for target in fight.targets if target in s.besieging]
    if not besieging:
        return
    for force in (yield _ask_lift(s, fight, besieging)).forces:
        yield from harm.lift(s, [force], s.board.castle_in[fight.at])
    yield from harm.check_markers(s)


def _ask_lift(s: State, fight: _Fight, besieging: Sequence[str]) -> Choose:
    """The question of `_lift`."""
    column = s.board.tables.battle.column
    half = _answering(s, fight._replace(besieging=frozenset(besieging)), fight.targets)
    hurts = column(harm.strength(s, fight.targets)) > column(half)

    def why_lift(answer: LiftAttacked) -> Refusal | None:
        if len(set(answer.forces)) == len(answer.forces) and set(answer.forces) <= set(besieging):
            return None
        return Refusal("18-4-2(lift)", f"these besiege and are attacked: {', '.join(map(s.board.describe, besieging))}")

    def standing(orders: Sequence[Words]) -> LiftAttacked | None:
        words = {force: preferences(orders, LIFT, force)[:1] for force in besieging}
        yes = [(YES,), *[(IF_HALF_HURTS,)] * hurts]
        return LiftAttacked(tuple(f for f in besieging if words[f] in yes)) if any(words.values()) else None

    options = [LiftAttacked(()), *(LiftAttacked((force,)) for force in besieging)]
    if len(besieging) > 1:
        options.append(LiftAttacked(tuple(besieging)))
    prompt = "say which besiegers that are attacked lift their siege"
    return _question(s, fight, LIFT, "18-4-2(lift)", prompt, options, why_lift, standing)


def _question(
    s: State,
    fight: _Fight,
    kind: str,
    clause: str,
    prompt: str,
    options: Sequence[Any],
    why_not: Callable[[Any], Refusal | None],
    standing: Callable[[Sequence[Words]], Any],
) -> Choose:
    """A question for the defender; the first of the options is the default."""
    return reaction(
        side=side_of(s, fight.targets[0]), kind=kind, clause=clause, prompt=prompt, options=options, why_not=why_not,
        standing=standing, about=fight.targets,
    )  # fmt: skip
