"""A computer player by rules of thumb: besieges what scores, relieves castles, strikes where it loses less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pbem.maps.hexes import Hex
from pbem.rules.requests import Chance, Choose
from pbem.rules.sengoku import battle, movement, operation, recovery, replenishment, skirmish
from pbem.rules.sengoku.acting import (
    able,
    besiegers,
    castle_side,
    closed_to,
    forces_inside,
    friendly_castle,
    live_castle,
    open_in,
    ready,
    side_of,
    threshold,
    why_truce,
)
from pbem.rules.sengoku.areas import hexes_in, rings
from pbem.rules.sengoku.assault import skill_inside
from pbem.rules.sengoku.board import RIVER, SOTAISHO, Board
from pbem.rules.sengoku.castles import MOST_DURABILITY, castle_morale
from pbem.rules.sengoku.harm import morale_of, steps, strength
from pbem.rules.sengoku.orders import (
    DEPLOYMENT,
    DONE,
    SITUATION,
    Accept,
    Assault,
    Attack,
    Besiege,
    Call,
    Close,
    Declare,
    GiveBattle,
    GiveWay,
    Lift,
    Move,
    Order,
    Path,
    Place,
    Recover,
)
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.victory import total
from pbem.rules.sengoku.weights import BOLD, Style

__all__ = ["advise"]

ENOUGH = 1.5
"""So many times the strength that a siege needs are enough before a castle."""

WEAK = 4
"""A force of less strength stays where it is, as a garrison."""

WORN, CRACKED = 3, 6
"""Of so many units one on its back is enough to replenish them; the durability of a castle below which it is."""

FAR, NEAR = 10_000, 20
"""Farther than any way; the movement points from which forces gather before a castle."""

FACES = range(1, 7)

SWIFT = 4
"""The action power of leaders who act in every stage."""

LEAST = 0.5
"""Losses on the average that an attack must bring."""


def advise(s: State, choose: Choose, chance: Chance, style: Style = BOLD) -> Order:
    """A sensible answer to a pending decision."""
    if choose.reaction:
        return _answer(s, choose, chance, style)
    match choose.kind:
        case kind if kind == DEPLOYMENT:
            return Close(DEPLOYMENT)
        case kind if kind == SITUATION:
            return _change(s, choose)
    return _act(s, choose.side, style)


def _answer(s: State, choose: Choose, chance: Chance, style: Style) -> Order:
    """Take a castle that is offered, fight battles where it is ahead, go back with worn forces; else the default."""
    options: list[Order] = [*choose.options()]
    enemies = [e for force in choose.about[:1] if force in s.at for e in _enemies(s, choose.side, s.at[force])]
    chiefs = [e for e in enemies if s.board.units[e].rank == SOTAISHO]
    match options[0]:
        case Accept():
            return Accept(made=True)
        case GiveBattle(()) if chiefs:
            along, every = open_in(s, s.at[chiefs[0]], side_of(s, chiefs[0])), options[1]
            if isinstance(every, GiveBattle) and _outfights(s, every.forces, along, style):
                return every
        case GiveWay() if all(force in s.forces and _worn(s, force, style) for force in choose.about):
            return options[-1]
    default: Order = choose.default() if choose.default is not None else choose.sample(chance)
    return default


def _change(s: State, choose: Choose) -> Order:
    """Declare armies when the score asks it; let all who enter come in where the way to an enemy castle is short."""
    orders = [*choose.options()]
    for order in orders:
        if isinstance(order, Declare) and _must_act(s, choose.side):
            return order
    first = next((order.units for order in orders if isinstance(order, Place)), None)
    if first is None:
        return Close(SITUATION)
    goals = [c for c in s.owner if castle_side(s, c) == s.board.enemy[choose.side]]
    return min(
        (order for order in orders if isinstance(order, Place) and order.units == first),
        key=lambda order: min((_way(s.board, goal).get(order.at, FAR) for goal in goals), default=0),
    )


def _must_act(s: State, side: str) -> bool:
    """Whether a side would lose as it stands, and no die holds its other armies back any more."""
    given = s.board.victory
    leads = total(s, given.leader) - total(s, s.board.enemy[given.leader]) >= given.lead
    return leads != (side == given.leader) and all(s.turn > rule.until for rule in s.board.idle)


def _act(s: State, side: str, style: Style) -> Order:
    """The order of the strongest force that has something to do."""
    for force in sorted(ready(s, side), key=lambda force: -strength(s, [force])):
        order = _order(s, side, force, style)
        if order is not None:
            return order
    return DONE


def _order(s: State, side: str, force: str, style: Style) -> Order | None:
    """What a force does now, if anything."""
    if s.morale.get(force, 0) <= style.tired and recovery.why_not(s, side, Recover(force)) is None:
        return Recover(force)
    if _spent(s, side, force, style):
        return Lift(force) if force in s.besieging else _refuge(s, side, force, style) or _mend(s, force)
    if force in s.besieging and _disturbed(s, side, force, style):
        return Lift(force)
    return (
        _fight(s, side, force, style)
        or _at_castle(s, side, force, style)
        or _mend(s, force)
        or (None if force in s.besieging else _march(s, side, force, style))
    )


def _spent(s: State, side: str, force: str, style: Style) -> bool:
    """Whether so many units of a force have one step that it had better leave the enemies beside it."""
    return _worn(s, force, style) and force not in s.shut_in and bool(_enemies(s, side, s.at[force]))


def _worn(s: State, force: str, style: Style) -> bool:
    """Whether so many units of a force have one step that more losses would cost their lives."""
    return len(s.reduced.intersection(s.forces[force])) >= style.spent * len(s.forces[force])


def _disturbed(s: State, side: str, force: str, style: Style) -> bool:
    """Whether a besieger does better in the open: against enemies whom it can beat, or away from those too strong."""
    near = [open_in(s, h, s.board.enemy[side]) for h in s.board.ground.open_to[s.at[force]]]
    orders = [Attack(force, (target,)) for targets in near for target in targets]
    if any(_ahead(s, order, style) > 0 and why_truce(s, force, order.targets) is None for order in orders):
        return True
    return _threatened(s, side, force, s.at[force], style)


# --- fights -----------------------------------------------------------------------------------------------------------


def _fight(s: State, side: str, force: str, style: Style) -> Order | None:
    """The attack in which a force is most ahead, if it is far enough."""
    orders = [(_ahead(s, order, style), order) for order in operation.attacks(s, side, force)]
    ahead, order = max(orders, key=lambda found: found[0], default=(0, None))
    if order is None or ahead <= 0:
        return None
    chiefs = [b for b in battle.options(s, force) if b.others and b.target in order.targets]
    if not chiefs:
        return order
    ours, theirs = (force, *chiefs[0].others), open_in(s, s.at[chiefs[0].target], s.board.enemy[side])
    return chiefs[0] if _outfights(s, ours, theirs, style) else order


def _ahead(s: State, order: Attack, style: Style) -> float:
    """By how many losses an attack is better than it must be: those that it brings less those of the answer."""
    chart, at, away = s.board.tables.terrain, s.at[order.targets[0]], s.at[order.force]
    ground, river = chart[s.board.ground.terrain[at]], (away, at) in s.board.ground.river
    skill = skirmish.skill(s, [order.force]) - skirmish.skill(s, order.targets)
    morale = morale_of(s, [order.force]) - morale_of(s, order.targets)
    own, theirs = strength(s, [order.force]), strength(s, order.targets)
    brought = _losses(s, own, skill + morale + ground.attack + river * chart[RIVER].attack)
    left = max(0.0, 1 - brought / steps(s, [unit for target in order.targets for unit in s.forces[target]]))
    answer = _losses(
        s, round(theirs * left), river * chart[RIVER].counterattack + ground.counterattack - skill - morale
    )
    return brought - style.odds * answer if brought >= LEAST else 0


def _losses(s: State, own: int, shift: int) -> float:
    """The losses that a strength brings on the average, with a shift of the die."""
    return sum(s.board.tables.loss(die + shift, own).losses for die in FACES) / len(FACES)


def _outfights(s: State, ours: Sequence[str], theirs: Sequence[str], style: Style) -> bool:
    """Whether forces lose a smaller part of their steps in a round of a battle than those whom they would meet."""
    skill = skirmish.skill(s, ours) - skirmish.skill(s, theirs) + morale_of(s, ours) - morale_of(s, theirs)
    brought, suffered = _losses(s, strength(s, ours), skill), _losses(s, strength(s, theirs), -skill)
    numbers = [steps(s, [unit for force in forces for unit in s.forces[force]]) for forces in (theirs, ours)]
    return brought / numbers[0] >= style.odds * suffered / numbers[1]


def _at_castle(s: State, side: str, force: str, style: Style) -> Order | None:
    """What a force does against the enemy castle of its hex: with all that can, by storm where it is strong."""
    h = s.at[force]
    castle = live_castle(s, h)
    if castle is None or force in s.shut_in or castle_side(s, castle) == side:
        return None
    storms, likely = _storms(s, force, castle, style)
    others = tuple(other for other in open_in(s, h, side) if other not in s.besieging and able(s, other))
    for order in (
        Besiege(castle, others, assault=storms),
        Call(castle, force) if s.durability[castle] <= style.patience and not likely else None,
        Assault(castle, (force,)) if storms else None,
    ):
        if order is not None and operation.why_not(s, side, order) is None:
            return order
    return None


def _storms(s: State, force: str, castle: str, style: Style) -> tuple[bool, bool]:
    """Whether an assault is worth what the interception costs, and whether the castle is likely to fall by it."""
    level, inside = s.board.castles[castle].level, forces_inside(s, castle)
    ground = s.board.tables.terrain[s.board.ground.terrain[s.at[force]]].assault
    better = s.morale.get(force, 0) - castle_morale(s, castle)
    damage = _losses(s, strength(s, [force]), ground + better - level)
    suffered = _losses(s, strength(s, inside), 1 + skill_inside(s, castle) - better)
    return damage >= style.storm * suffered and damage > 0, damage >= s.durability[castle] > 0


def _mend(s: State, force: str) -> Order | None:
    """Steps for a worn force, or the walls of its castle."""
    units = s.forces[force]
    worn = WORN * len(s.reduced.intersection(units)) >= len(units)
    for order in replenishment.options(s, force):
        if worn if order.castle is None else s.durability[order.castle] < min(CRACKED, MOST_DURABILITY):
            return order
    return None


# --- marches ----------------------------------------------------------------------------------------------------------


def _march(s: State, side: str, force: str, style: Style) -> Order | None:
    """A step on the way to the castle that is worth most; into its own castle before a stronger enemy."""
    here, own = s.at[force], strength(s, [force])
    near = [other for h in s.board.ground.near[here] for other in open_in(s, h, s.board.enemy[side])]
    if force not in s.shut_in and strength(s, near) > own and friendly_castle(s, here, side):
        return Move(force, enter=True)
    if force not in s.shut_in and _threatened(s, side, force, here, style):
        return _refuge(s, side, force, style)
    goal = _goal(s, side, force, style) if own >= WEAK and not _guards(s, side, force) else None
    if goal is None:
        return None
    way = _way(s.board, goal)
    least, best = way.get(here, FAR), Move(force)
    for strategic in (False, True):
        reach = movement.in_reach(s, force, strategic=strategic)
        safe = [h for h in reach.cost if way.get(h, FAR) < least and not _threatened(s, side, force, h, style)]
        nearest = min((way.get(h, FAR) for h in safe), default=FAR)
        if nearest < least:
            ends = [h for h in safe if way.get(h) == nearest]
            known: dict[Hex, Path] = {}
            paths = [(reach.cost[h], movement.path_to(s, reach, h, known)) for h in ends]
            least, best = nearest, Move(force, min(paths)[1], strategic)
    return best if best.path else None


def _threatened(s: State, side: str, force: str, h: Hex, style: Style) -> bool:
    """Whether enemies beside a hex are too strong for a force there."""
    enemies = _enemies(s, side, h)
    return bool(enemies) and _weight(s, enemies) > style.risk * _weight(s, [force, *_beside(s, side, force, h)])


def _weight(s: State, forces: Sequence[str]) -> float:
    """What forces are worth in fights: 3 more for skill and morale double what a strength brings, about."""
    return sum(strength(s, [f]) * max(1, 3 + skirmish.skill(s, [f]) + s.morale.get(f, 0)) / 3 for f in forces)


def _enemies(s: State, side: str, h: Hex) -> list[str]:
    """The enemy forces in a hex and beside it that don't besiege a castle."""
    near = (h, *s.board.ground.near[h])
    return [e for other in near for e in open_in(s, other, s.board.enemy[side]) if e not in s.besieging]


def _beside(s: State, side: str, force: str, h: Hex) -> list[str]:
    """The other forces of a side in a hex and beside it."""
    return [f for other in (h, *s.board.ground.near[h]) for f in open_in(s, other, side) if f != force]


def _refuge(s: State, side: str, force: str, style: Style) -> Order | None:
    """The way of a force out of the enemies' reach: to a castle of its side, into it where they are near, or away."""
    reach = movement.in_reach(s, force, strategic=False)
    safe = [h for h in reach.cost if h != s.at[force] and not _threatened(s, side, force, h, style)]
    quiet = [h for h in safe if not _enemies(s, side, h)]
    castles = [h for h in reach.cost if friendly_castle(s, h, side)]
    for ends in ([h for h in castles if h in quiet], castles, quiet, safe):
        for h in sorted(ends, key=lambda h: (reach.cost[h], s.board.label[h])):
            path = movement.path_to(s, reach, h, {})
            for order in (Move(force, path, enter=h in castles and h not in quiet), Move(force, path)):
                if (order.path or order.enter) and movement.why_not(s, side, order) is None:
                    return order
    return None


def _guards(s: State, side: str, force: str) -> bool:
    """Whether enemies who wait would come sooner if a force left; who is swift never stays for it (32-1(2))."""
    units, province = s.board.units, s.board.province
    if units[force].power >= SWIFT:
        return False
    for entering in s.board.entering.values():
        there = [f for f in s.own_forces(side) if province.get(s.at[f]) in entering.provinces]
        if entering.side != side and entering.id not in s.declared and force in there:
            stay = [f for f in there if f != force and units[f].power < SWIFT]
            if strength(s, stay) < s.board.tables.entering[entering.table].columns[-1]:
                return True
    return False


def _goal(s: State, side: str, force: str, style: Style) -> str | None:
    """The castle that a force goes for: an enemy's that it can besiege, or one of its own under siege."""
    points, closed = s.board.victory.castles, closed_to(s, side)
    sieges = {s.board.castle_in[s.at[besieger]] for besieger in s.besieging}
    found = []
    for castle, army in s.owner.items():
        given, ours = s.board.castles[castle], s.board.armies[army].side == side
        if ours and castle not in sieges:
            continue
        if ours or (not closed & s.board.ground.bit[given.at] and _wanted(s, side, force, castle)):
            dear = style.far * _way(s.board, castle).get(s.at[force], FAR)
            found.append((points[given.level] * (style.relief if ours else 1) - dear, castle))
    return max(found)[1] if found else None


def _wanted(s: State, side: str, force: str, castle: str) -> bool:
    """Whether a siege needs a force: those before the castle aren't enough, with it and who is near they are."""
    needed, there, way = threshold(s.board, castle), strength(s, besiegers(s, castle)), _way(s.board, castle)
    if there >= ENOUGH * needed:
        return False
    near = [other for other in s.own_forces(side) if other != force and way.get(s.at[other], FAR) <= NEAR]
    free = [other for other in near if other not in s.besieging and strength(s, [other]) >= WEAK]
    return there + strength(s, [force, *(other for other in free if not _guards(s, side, other))]) >= needed


@lru_cache(maxsize=256)
def _way(board: Board, castle: str) -> Mapping[Hex, int]:
    """The movement points from every hex to a castle, about: whoever stands on the way."""
    grid, begin = board.ground.grid, board.ground.bit[board.castles[castle].at]
    found = rings(board.ground.leads["tactical"], begin, FAR)
    return {h: far for far, ring in enumerate(found) for h in hexes_in(grid, ring)}
