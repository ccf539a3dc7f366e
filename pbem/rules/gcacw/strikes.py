"""What attacks bring on the average, exactly by the chart, in points of the score; and the best one that a side has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pbem.maps.hexes import Hex, distance
from pbem.records import NamedTuple
from pbem.rules.gcacw import actions, march, may_march
from pbem.rules.gcacw.actions import assaults, going_along, ways
from pbem.rules.gcacw.aims import worth_of_loss, worth_of_panic, worth_of_rout
from pbem.rules.gcacw.assault import assault_number, is_commander
from pbem.rules.gcacw.board import UNION
from pbem.rules.gcacw.combat import ASSAULT, ATTACKER, Fight, guns, modifiers, read_chart, values
from pbem.rules.gcacw.flanks import as_the_rules_choose
from pbem.rules.gcacw.holds import why_held
from pbem.rules.gcacw.leaders import in_radius, is_corps
from pbem.rules.gcacw.march import attack_of
from pbem.rules.gcacw.orders import Activate, Assault, Grand, March, Order, Strike
from pbem.rules.gcacw.state import MOST_FATIGUE, State, copy
from pbem.rules.gcacw.tables import Allowance, Cell
from pbem.rules.gcacw.weights import Style
from pbem.rules.gcacw.zones import is_open
from pbem.rules.kit.throws import throws

__all__ = ["Found", "attacks", "expected"]

NEAR = {True: 6, False: 3}
"""The hexes within which an enemy is looked for, by whether a unit is cavalry."""

WEAK = 0.75
"""The share of the defender's value below which an attack is out of the question."""


class Found(NamedTuple):
    """An attack and what it brings."""

    worth: float
    order: Order


def expected(s: State, f: Fight, style: Style, prize: float = 0, kinds: Mapping[str, float] | None = None) -> float:
    """What a combat brings the attacker on the average; of a march attack by how likely each of its kinds is."""
    odds, found = values(s, f), guns(s, f)
    f = as_the_rules_choose(s, f, odds.entrenched)
    mods = sum(m.points if m.of == ATTACKER else -m.points for m in modifiers(s, f) if m.name != f.kind)
    tables = s.board.tables
    shares = {tables.assault: 1.0} if f.kind == ASSAULT else {}
    for kind, share in (kinds or {}).items():
        shares[tables.attacks[kind].modifier] = shares.get(tables.attacks[kind].modifier, 0) + share
    worth = _worth_of(s, f, style, prize)
    known: dict[int, float] = {}
    total = 0.0
    for more, share in shares.items():
        for gun, part in ((found.points, 0.5), (found.otherwise, 0.5)):
            for (own,) in throws(1):
                for (other,) in throws(1):
                    difference = own - other + mods + more + gun
                    if difference not in known:
                        known[difference] = worth(*read_chart(s, odds, difference))
                    total += share * part * known[difference] / 36
    return total


def _worth_of(s: State, f: Fight, style: Style, prize: float) -> Callable[[Cell, Cell], float]:
    """What a pair of cells of the chart brings the attacker."""
    enemy = s.board.enemy[f.side]
    defenders = s.units_in(f.at, enemy)
    men, own = sum(s.manpower[u] for u in defenders), sum(s.manpower[u] for u in f.units)
    kill = worth_of_loss(s, f.side, enemy) + style.blood
    cost = style.blood - worth_of_loss(s, f.side, f.side)
    rout = worth_of_rout(s, f.side, enemy) if any(s.board.units[u].infantry for u in defenders) else 0.0

    panic = worth_of_panic(s)

    def worth(attacker: Cell, defender: Cell) -> float:
        total = panic * defender.panic if f.side != UNION else -panic * attacker.panic
        total += kill * min(men, defender.loss) - cost * min(own, attacker.loss)
        total += style.order * (men * _harm(defender) - own * _harm(attacker))
        if defender.move:
            total += style.ground + prize * style.prize
        if defender.move == "R":
            total += style.ground + rout
        return total

    return worth


def _harm(cell: Cell) -> float:
    """How much of its worth a stack loses by a letter."""
    return {"D": 1.0, "F": 0.6, "f": 0.2, "E": 0.2}.get(cell.state, 0.0)


def attacks(
    s: State, side: str, style: Style, prizes: Mapping[Hex, float], time: Callable[[str, Hex], float]
) -> Iterator[Found]:
    """The attacks of a side that aren't out of the question, and what each brings above what it must.

    `prizes` are what it is worth that a hex is free of the enemy; `time` what it costs that a unit attacks there, and
    does nothing elsewhere.
    """
    for leader in s.leaders(side):
        for order in assaults(s, side, leader):
            units = order.units if isinstance(order, Assault) else (*order.first, *order.others)
            yield Found(
                _assault(s, side, order, style, prizes) - sum(style.nerve + time(u, order.at) for u in units), order
            )
    ghost = copy(s)
    for unit in s.own(side):
        for at, found in _marches(s, ghost, side, unit, style, prizes):
            yield Found(found.worth - time(unit, at), found.order)


def _assault(s: State, side: str, order: Assault | Grand, style: Style, prizes: Mapping[Hex, float]) -> float:
    """What an assault brings: nothing where its leader's die is too high."""
    if isinstance(order, Assault):
        units, chief, lee = order.units, order.leader, is_commander(s, order.leader, "corps")
    else:
        units, chief = (*order.first, *order.others), order.chief
        lee = is_commander(s, order.leader, "army") or is_commander(s, order.chief, "corps")
    first = len(order.units if isinstance(order, Assault) else order.first)
    made = min(6, assault_number(s, chief, first)) / 6
    f = Fight(side, order.at, units, ASSAULT, lee)
    if _hopeless(s, f):
        return -1.0
    return made * expected(s, f, style, prizes.get(order.at, 0.0))


def _hopeless(s: State, f: Fight) -> bool:
    odds = values(s, f)
    return odds.attacker < WEAK * float(odds.entrenched)


def _marches(
    s: State, ghost: State, side: str, unit: str, style: Style, prizes: Mapping[Hex, float]
) -> Iterator[tuple[Hex, Found]]:
    """The march attacks of a unit from its hex and from those that it reaches on the average, with where they go."""
    enemy, one = s.board.enemy[side], s.board.units[unit]
    if unit in s.demoralised or s.fatigue.get(unit, 0) >= MOST_FATIGUE - (s.turn < s.board.turns):
        return
    near = [h for h in {s.at[e] for e in s.own(enemy)} if distance(h, s.at[unit]) <= NEAR[one.cavalry]]
    near = [h for h in near if s.value_in(h, enemy) * WEAK <= s.value(unit) and not _in_vain(s, unit, h, prizes)]
    if not near:
        return
    leaders = going_along(s, unit)
    if may_march.why_not(s, side, March(unit, (), leaders)) is not None:
        return
    chief = _chief(s, unit)
    allowance = march.allowance(s, unit, led=chief is not None)
    most = 2 * allowance.points(6 * allowance.dice) - s.board.tables.attacks["column"].points[one.branch]
    found = {s.at[unit]: (0, ()), **ways(s, unit, most, leaders)}
    for at in sorted(near, key=s.board.order):
        for h in s.board.ground.near[at]:
            if h not in found or not is_open(s, side, h, at):
                continue
            cost, path = found[h]
            alone = March(unit, path, leaders, strike=Strike(at))
            order = alone if chief is None else Activate(chief, (alone,))
            if actions.why_not(s, side, order) is not None:
                continue
            ghost.put(unit, h)
            f = Fight(side, at, (unit,), "normal")
            worth = expected(ghost, f, style, prizes.get(at, 0.0), _kinds(s, unit, allowance, cost))
            ghost.put(unit, s.at[unit])
            yield at, Found(worth - style.nerve, order)


def _in_vain(s: State, unit: str, at: Hex, prizes: Mapping[Hex, float]) -> bool:
    """Whether infantry would chase cavalry that goes back, over the days of a campaign, from where nothing is won."""
    units, defenders = s.board.units, s.units_in(at, s.board.enemy[s.board.units[unit].side])
    chases = units[unit].infantry and all(units[other].cavalry for other in defenders)
    return s.board.advanced is not None and chases and not prizes.get(at)


def _chief(s: State, unit: str) -> str | None:
    """The corps leader who can activate a unit, which brings it more points than a march of its own."""
    one = s.board.units[unit]
    if (one.side, one.branch) not in s.board.tables.activation:
        return None
    chiefs = (x for x in s.leaders(one.side) if is_corps(s, x) and s.commands(x, unit))
    return next((x for x in chiefs if in_radius(s, x, unit) and why_held(s, x) is None), None)


def _kinds(s: State, unit: str, allowance: Allowance, cost: int) -> dict[str, float]:
    """Kind of a march attack -> how likely the points left pay for it and no better one."""
    found: dict[str, float] = {}
    rolls = [*throws(allowance.dice)]
    for roll in rolls:
        kind = attack_of(s, unit, 2 * allowance.points(sum(roll)) - cost, "column")
        if kind is not None:
            found[kind] = found.get(kind, 0) + 1 / len(rolls)
    return found
