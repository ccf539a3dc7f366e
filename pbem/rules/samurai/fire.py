"""Fire (fire_combat): declared by all before any die falls, then resolved in the order of the declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.errors import Refusal
from pbem.records import NamedTuple
from pbem.rules.kit.ask import Chapter, Steps
from pbem.rules.requests import Chance, Factor, Tell
from pbem.rules.samurai.board import inches
from pbem.rules.samurai.combat import CLASSES, friend, no_target, other_step, roll
from pbem.rules.samurai.geometry import DIRECTIONS, Base, Point, point_distance, reaches, spans
from pbem.rules.samurai.losses import least, lose
from pbem.rules.samurai.movement import why_not_unit
from pbem.rules.samurai.orders import DONE, Done, End, Fire, Order
from pbem.rules.samurai.sight import aim_points, fire_point, hidden, in_arc, in_range, maybe_in_arc, thinned
from pbem.rules.samurai.state import State, Step, label

__all__ = [
    "CHAPTER",
    "Shot",
    "declare",
    "factors",
    "needed",
    "resolve",
    "shooters",
    "shots",
    "targets",
    "why_lost",
    "why_not_at",
]


class Shot(NamedTuple):
    """What one stand that fires hits: its number, its figures, the stand of the target that it hits."""

    stand: int
    dice: int
    hit: int


class Between(NamedTuple):
    """What may hide a target: stands of other units; ground, and whether one sees an inch into it."""

    stands: Sequence[Base]
    ground: Sequence[tuple[Base, bool]]


# --- questions --------------------------------------------------------------------------------------------------------


def needed(s: State, unit: str, target: str) -> int:
    """The least die that kills: the difference of classes alone counts (fire_combat.7, combat.12, combat.13)."""
    own, other = s.board.units[unit].kind, s.board.units[target].kind
    return s.board.tables.kill - (own.rank - other.rank)


def factors(s: State, unit: str, target: str) -> Iterator[Factor]:
    """What decides the dice of fire, one by one."""
    own, other = s.board.units[unit].kind, s.board.units[target].kind
    dice, (name, whom) = sum(shot.dice for shot in shots(s, unit, target)), map(s.board.describe, (unit, target))
    yield Factor(f"dice, one for each figure of {name} that sees {whom}:", str(dice), "fire_combat.7")
    yield Factor("a die kills one of an equal class with", least(s.board.tables.kill), "combat.3")
    yield Factor(f"{name} fire as {CLASSES[own.rank]}:", f"class {own.rank}", "fire_combat.7")
    yield Factor(f"{s.board.does(target, 'is', 'are')} {CLASSES[other.rank]}:", f"class {other.rank}", "fire_combat.7")
    yield Factor("so a die kills with", least(needed(s, unit, target)), "fire_combat.7")


def shots(s: State, unit: str, target: str) -> list[Shot]:
    """The stands of a unit that can fire at a target, each at the first of its aim points that it may hit."""
    places, key = s.known.found, ("shots", unit, target)
    if key not in places:
        places[key] = list(_shots(s, unit, target))
    found: list[Shot] = places[key]
    return found


def _shots(s: State, unit: str, target: str) -> Iterator[Shot]:
    for number, stand in s.bases(unit):
        hit = _hit(s, unit, stand, target)
        if hit is not None:
            yield Shot(number, s.figures[unit][number], hit)


def _hit(s: State, unit: str, stand: Base, target: str) -> int | None:
    """The stand of a target that a stand hits: of two that it may hit the one with fewer figures, then the first.

    None when no aim point is in range, arc and sight at once.
    """
    p, reach = fire_point(stand), s.board.units[unit].kind.reach
    if not maybe_in_arc(p, s.at[target], stand.facing) or point_distance(p, s.at[target]) > 2 * reach * reach:
        return None
    between: Between | None = None
    figures = s.figures[target]
    for number, b in sorted(s.bases(target), key=lambda one: (figures[one[0]], one[0])):
        for q in aim_points(b):
            if in_range(p, q, reach) and in_arc(p, q, stand.facing):  # fire_combat.4, fire_combat.5
                if between is None:
                    between = _between(s, unit, p, target)
                if _sees(p, q, between):
                    return number
    return None


def _between(s: State, unit: str, p: Point, target: str) -> Between:
    """What may lie in part between a point and a target: near the rectangle round both."""
    x, y, facing, hw, hd = s.at[target]
    wide, deep, _, _ = spans(facing, hw, hd)
    west, east, south, north = min(p.x, x - wide), max(p.x, x + wide), min(p.y, y - deep), max(p.y, y + deep)
    others = (other for other, _ in s.near(west, east, south, north) if other not in (unit, target))
    stands = [stand for other in others if s.board.units[other].troops for _, stand in s.bases(other)]
    ground = [(b, deep) for b, deep in s.board.hides if reaches(b, west, east, south, north)]
    return Between(stands, ground)


def _sees(p: Point, q: Point, between: Between) -> bool:
    """Whether neither units nor ground hide a point from another (fire_combat.6)."""
    ground = [thinned(p, q, b) if deep else b for b, deep in between.ground]
    return not hidden(p, q, (b for b in ground if b is not None)) and not hidden(p, q, between.stands)


def _why_not_seen(s: State, unit: str, target: str) -> Refusal:
    """Why no stand of a unit can fire at a target: it is too far, not before it, or hidden."""
    name, whom, reach = s.board.describe(unit), s.board.does(target, "is", "are"), s.board.units[unit].kind.reach
    lines = [
        (fire_point(stand), q, stand.facing)
        for _, stand in s.bases(unit)
        for _, b in s.bases(target)
        for q in aim_points(b)
    ]
    near = [(p, q, facing) for p, q, facing in lines if in_range(p, q, reach)]
    if not near:
        return Refusal("fire_combat.4", f"{whom} beyond the {inches(reach)} inches of {name}")
    if not any(in_arc(*shot) for shot in near):
        return Refusal("fire_combat.5", f"{whom} not within 45 degrees of where {name} face")
    return Refusal("fire_combat.6", f"{whom} hidden from {name}")


def shooters(s: State, side: str) -> list[str]:
    """The units of a side that may still be declared to fire at somebody, by id."""
    return list(_shooters(s, side))


def _shooters(s: State, side: str) -> Iterator[str]:
    """The same: `why_unable` without the reason, as it is asked for a whole side."""
    engaged = s.engaged(side)
    for unit in _missiles(s, side):
        if unit not in s.shot and unit not in s.routed and unit not in engaged and targets(s, unit):
            yield unit


def _missiles(s: State, side: str) -> Sequence[str]:
    """A side's units on the table that have missiles, by id."""
    lasting, key = s.known.lasting, ("missiles", side)
    if key not in lasting:
        lasting[key] = [unit for unit in s.troops(side) if s.board.units[unit].kind.reach]
    found: Sequence[str] = lasting[key]
    return found


def targets(s: State, unit: str) -> Sequence[str]:
    """The enemies on the table at whom a unit that can fire can fire, by id: `why_not_at` without the reason."""
    places, key = s.known.found, ("targets", unit)
    if key not in places:
        places[key] = s.by_id(other for other in _ahead(s, unit) if s.counts(other) and shots(s, unit, other))
    found: Sequence[str] = places[key]
    return found


def _ahead(s: State, unit: str) -> Iterable[str]:
    """The enemies who may lie in part before a unit in its range, in no order."""
    x, y, facing, hw, hd = s.at[unit]
    dx, dy = DIRECTIONS[facing]
    u, own = s.board.units[unit], 2 * (hw + hd)  # no point of a base is farther from its centre along x or y
    far, enemy = u.kind.reach + own, s.board.enemy[u.side]
    south, north = y - (own if dy > 0 else far), y + (own if dy < 0 else far)
    first, last = _band(s, enemy)
    if last < south or first > north:
        return ()
    west, east = x - (own if dx > 0 else far), x + (own if dx < 0 else far)
    return (other for other, _ in s.near(west, east, south, north, enemy))


def _band(s: State, side: str) -> tuple[int, int]:
    """Between which places from the south to the north all of a side lie, with some to spare."""
    places, key = s.known.found, ("band", side)
    found: tuple[int, int] | None = places.get(key)
    if found is None:
        at = s.at
        ys = [at[unit][1] for unit in s.on(side)] or [0]
        places[key] = found = (min(ys) - s.board.largest, max(ys) + s.board.largest)
    return found


# --- legality ---------------------------------------------------------------------------------------------------------


def no_missiles(s: State, unit: str) -> str:
    return f"{s.board.does(unit, 'has', 'have')} no missiles: only gunners and bowmen fire"


def why_unable(s: State, side: str, unit: str) -> Refusal | None:
    """Why a unit can't fire at anybody."""
    refusal = why_not_unit(s, side, unit, "fire_combat.1")
    if refusal is not None:
        return refusal
    if not s.board.units[unit].kind.reach:
        return Refusal("fire_combat.2", no_missiles(s, unit))
    if unit in s.shot:
        return Refusal("fire_combat.1", f"{s.board.describe(unit)} have declared their fire")
    return _why_touched(s, unit)


def _why_touched(s: State, unit: str) -> Refusal | None:
    """Why a unit can't fire that an enemy touches."""
    touching = s.enemies(unit)
    if not touching:
        return None
    what = f"{s.board.describe(unit)} can't fire: {s.board.does(touching[0], 'touches', 'touch')} them"
    return Refusal("fire_combat.8", what)


def why_not_at(s: State, unit: str, target: str) -> Refusal | None:
    """Why a unit that can fire can't fire at this enemy."""
    other, whom = s.board.units[target], s.board.describe(target)
    if other.side == s.board.units[unit].side:
        return Refusal("fire_combat.1", friend(s, target))
    if target not in s.at:
        return Refusal("fire_combat.1", no_target(s, target))
    if other.daimyo and not s.lone(target):
        return Refusal("daimyos.5", f"{whom} touches {s.friends(target)[0]}: fire hits him only when he is alone")
    return None if shots(s, unit, target) else _why_not_seen(s, unit, target)


def why_lost(s: State, unit: str, target: str) -> Refusal | None:
    """Why fire that was declared isn't carried out as it stands now (fire_combat.1)."""
    return _why_touched(s, unit) or why_not_at(s, unit, target)


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why fire can't be declared."""
    if isinstance(order, Done) or order == End(Step.FIRE):
        return None
    if not isinstance(order, Fire):
        return other_step(order)
    return why_unable(s, side, order.unit) or why_not_at(s, order.unit, order.target)


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why fire can never be declared: by a unit that isn't the side's own or has no missiles, at its friends."""
    if not isinstance(order, Fire):
        return None
    u = s.board.units[order.unit]
    if u.side != side or u.bannerman:
        return why_not_unit(s, side, order.unit)
    if not u.kind.reach:
        return Refusal("fire_combat.2", no_missiles(s, u.id))
    own = s.board.units[order.target].side == side
    return Refusal("fire_combat.1", friend(s, order.target)) if own else None


# --- carried out ------------------------------------------------------------------------------------------------------


def declare(s: State, order: Fire) -> Iterator[Tell]:
    """Declare fire: no die falls before all is declared; fire at the same target `after` others may come to less."""
    after = [unit for unit, target in s.fires if target == order.target]
    s.fires = (*s.fires, (order.unit, order.target))
    s.shot |= {order.unit}
    figures = sum(shot.dice for shot in shots(s, order.unit, order.target))
    named = {"unit": order.unit, "target": order.target, "wing": s.board.units[order.unit].wing}
    facts = {**named, "figures": figures, "needed": needed(s, order.unit, order.target), "of": s.left(order.target)}
    yield Tell("declare", "fire_combat.1", facts | ({"after": after} if after else {}))


def resolve(s: State) -> Steps:
    """All fires in the order in which they were declared (fire_combat.3)."""
    while s.fires:
        unit, target = s.fires[0]
        refusal = why_lost(s, unit, target)
        if refusal is not None:
            facts = {"unit": unit, "target": target, "reason": refusal.reason, "step": str(Step.FIRE)}
            yield Tell("lost_fire", refusal.clause, facts)
        else:
            yield from _fire(s, unit, target)
        s.fires = s.fires[1:]


def _fire(s: State, unit: str, target: str) -> Steps:
    """The fire of one unit: a die a figure, losses at once."""
    kills_with, dice = needed(s, unit, target), list[int]()
    s.dice = True
    order, later = Fire(unit, target), tuple(Fire(*other) for other in s.fires[1:])
    for shot in shots(s, unit, target):
        of, behind = (None, ()) if dice else (order, later)
        dice += yield from roll(s, "fire", unit, shot.dice, kills_with, shot.hit, of, behind)
    left = s.left(target)
    total = min(sum(s.kills), left)
    facts = {
        "unit": unit,
        "target": target,
        "from": label(s.at[unit]),
        "at": label(s.at[target]),
        "dice": dice,
        "needed": kills_with,
        "kills": total,
        "of": left,
        "result": str(total),
        "step": str(Step.FIRE),
    }
    yield Tell("fire", "fire_combat.7", facts)
    yield from lose(s, target, "combat.7")


def options(s: State, side: str) -> Iterator[Order]:
    """Every declaration, the end of the step and of the turn."""
    for unit in shooters(s, side):
        yield from (Fire(unit, target) for target in targets(s, unit))
    yield End(Step.FIRE)
    yield DONE


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random declaration; seldom fewer than there can be."""
    found = shooters(s, side)
    if not found or chance.randrange(12) == 0:
        return End(Step.FIRE)
    unit = chance.choice(found)
    return Fire(unit, chance.choice(targets(s, unit)))


CHAPTER = Chapter(
    kind=str(Step.FIRE),
    prompt=lambda _: "declare fire, and give all other orders of the turn",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=lambda s, side: bool(s.fires) or next(_shooters(s, side), None) is not None,
    carry_out=lambda s, _, order: declare(s, order),
    never=why_never,
    done=DONE,
)
"""One declaration after another (fire_combat.1)."""
