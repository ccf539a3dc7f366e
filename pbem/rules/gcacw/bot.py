"""A computer player by rules of thumb: goes for what scores by corps, raids, and attacks where it is ahead."""

from __future__ import annotations

from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw import activation, campaign, may_march, raid, recovery
from pbem.rules.gcacw.actions import going_along
from pbem.rules.gcacw.aims import FAR, Aim, aims, besides, way_to
from pbem.rules.gcacw.board import UNION
from pbem.rules.gcacw.designs import designs
from pbem.rules.gcacw.detachments import left_behind
from pbem.rules.gcacw.goals import Goal, actions_left, as_good, forces_easily, forces_left, most_points
from pbem.rules.gcacw.holds import closed
from pbem.rules.gcacw.leaders import in_radius, is_corps, why_not_hop
from pbem.rules.gcacw.leaders import transfers as can_transfer
from pbem.rules.gcacw.orders import (
    ALWAYS,
    NEVER,
    PASS,
    ROUTE,
    Activate,
    Close,
    Entrench,
    March,
    Order,
    Path,
    Place,
    PutOff,
    Raid,
)
from pbem.rules.gcacw.sequence import Kind
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.strikes import Found, attacks
from pbem.rules.gcacw.ways import ways
from pbem.rules.gcacw.weights import BOLD, Style, last
from pbem.rules.gcacw.zones import zone
from pbem.rules.requests import Chance, Choose, Words

__all__ = ["advise", "doubts"]

MANY = 4
"""The marches that a unit can force and still spare one that doesn't bring it to its aim."""

RESTED = 2
"""The fatigue to which a unit marches as long as nothing presses."""

PRESSING = 0.5
"""What two actions less must cost for a unit to go on though it is tired."""

TOGETHER = 3
"""How near units are to each other that a corps leader leads in one action."""

GREAT = 1.0
"""What an attack must bring to come before all marches in a campaign, in which a cycle may end behind any action."""


def advise(s: State, choose: Choose, chance: Chance, style: Style = BOLD) -> Order:
    """A sensible answer to a pending decision."""
    if choose.reaction:
        default: Order = choose.default() if choose.default is not None else choose.sample(chance)
        return default
    match choose.kind:
        case Kind.REINFORCEMENTS:
            return _place(s, choose)
        case Kind.TRANSFER:
            return _transfer(s, choose.side)
        case Kind.ATTACHMENT:
            return campaign.merging(s, choose.side) or Close("attachment")
        case Kind.RECOVERY:
            return _work(s, choose.side) or campaign.foraging(s, choose.side) or Close("recovery")
    return _act(s, choose.side, last(style) if s.turn == s.board.turns else style)


def _place(s: State, choose: Choose) -> Order:
    """Reinforcements at the hex from which it is the least way to something that scores, or later at a better one."""
    orders = [order for order in choose.options() if isinstance(order, Place | PutOff)]
    if not orders:
        return Close("transfer")
    if s.board.advanced is not None:
        return max(orders, key=lambda order: campaign.worth_of_arrival(s, order))
    hexes = [aim.at for aim in aims(s)]
    placed = [order for order in orders if isinstance(order, Place)]
    return min(placed, key=lambda o: min((way_to(s.board, h).get(o.at, FAR) for h in hexes), default=0))


def doubts(s: State, side: str, order: Order) -> list[Words]:
    """Conditions behind a march that has been made at which what follows is thought anew: it ends where it didn't now.

    That is of interest where it leads to an aim, and who makes it could go on this turn.
    """
    marches = order.marches if isinstance(order, Activate) else (order,) if isinstance(order, March) else ()
    places = {aim.at for aim in aims(s)} if side != UNION else set()
    ended = [one.unit for one in marches if one.unit in s.manpower and one.path and one.path[-1] in places]
    return [(*["not"] * (unit in s.shorts), "short", unit) for unit in ended if _rested(s, side, unit)]


# --- leaders ----------------------------------------------------------------------------------------------------------


def _transfer(s: State, side: str) -> Order:
    """A leader to where more of his command is within his radius."""
    best, gain = None, 0
    for order in can_transfer(s, side):
        leader = order.leader
        there = _led(s, leader, s.at[order.unit])
        here = _led(s, leader, s.at[leader]) if leader in s.at else -1
        if there - here > gain:
            best, gain = order, there - here
    return best if best is not None else Close("transfer")


def _led(s: State, leader: str, h: Hex) -> int:
    """The manpower of a leader's command within three hexes of a hex."""
    units = s.board.units
    mine = (u for u in s.own(units[leader].side) if s.commands(leader, u))
    return sum(s.manpower[u] for u in mine if distance(h, s.at[u]) <= 3)


# --- works ------------------------------------------------------------------------------------------------------------


def _work(s: State, side: str) -> Order | None:
    """Works for who stands where it wants to stand, with the enemy near."""
    wanted = designs(s, side)
    enemies = [s.at[e] for e in s.own(s.board.enemy[side])]
    for unit in s.own(side):
        goal, order = wanted.get(unit), Entrench(unit)
        if goal is None or goal.aim.at != s.at[unit] or (not goal.aim.late and side != UNION):
            continue
        if any(distance(s.at[unit], e) <= 6 for e in enemies) and recovery.why_not_entrench(s, side, order) is None:
            return order
    return None


# --- actions ----------------------------------------------------------------------------------------------------------


def _act(s: State, side: str, style: Style) -> Order:
    """A raid, the best attack, a way by rail, or the march of who has the most to go for; else a pass."""
    order = campaign.unbridging(s, side) or _raid(s, side)
    if order is not None:
        return order
    strike = _attack(s, side, style)
    first = strike is not None and (s.board.advanced is None or strike.worth > GREAT)
    order = (
        strike.order if first and strike is not None else campaign.by_rail(s, side, designs(s, side)) or _go(s, side)
    )
    return order or (strike.order if strike is not None else PASS)


def _raid(s: State, side: str) -> Order | None:
    """The raid that brings most."""
    best, worth = None, 0.0
    for aim in aims(s):
        for unit in s.units_in(aim.at, side) if aim.actions else ():
            able = aim.cavalry or s.board.units[unit].infantry
            if able and aim.worth > worth and raid.why_not(s, side, Raid(unit)) is None:
                best, worth = Raid(unit), aim.worth
    return best


def _attack(s: State, side: str, style: Style) -> Found | None:
    """The attack that brings most, if one brings anything."""
    prizes: dict[Hex, float] = {}
    wanted = designs(s, side)
    for goal in wanted.values():
        prizes[goal.aim.at] = max(prizes.get(goal.aim.at, 0), goal.aim.worth)

    def time(unit: str, at: Hex) -> float:
        goal = wanted.get(unit)
        if goal is None or (goal.aim.actions and goal.aim.at == at):
            return 0.0
        return goal.spared + _leaves(s, side, unit, goal.aim)

    best = max(attacks(s, side, style, prizes, time), key=lambda found: found.worth, default=None)
    return best if best is not None and best.worth > 0 else None


def _leaves(s: State, side: str, unit: str, aim: Aim) -> float:
    """What it would cost at the end that a unit has gone on behind an enemy who was driven off."""
    alone = len(set(s.own(side)).intersection(s.units_in(s.at[unit], side))) == 1
    return aim.worth if s.turn == s.board.turns and aim.late and aim.at == s.at[unit] and alone else 0.0


def _go(s: State, side: str) -> Order | None:
    """The march, or the marches of a corps, of who is least tired and has the most to go for."""
    wanted = designs(s, side)
    units = [unit for unit in wanted if _goes(s, side, unit, wanted[unit])]
    weight = _together(s, side, units, wanted)
    units.sort(key=lambda unit: (s.fatigue.get(unit, 0), -weight[unit], unit))
    for unit in units:
        order = _led_march(s, side, unit, units, wanted) or _march(s, side, unit, wanted[unit])
        if order is not None:
            return order
    return None


def _together(s: State, side: str, units: list[str], wanted: dict[str, Goal]) -> dict[str, float]:
    """Unit -> what it goes for; in a campaign, of which a cycle may end early, what all do who can go in its action."""
    if s.board.advanced is None:
        return {unit: wanted[unit].aim.worth for unit in units}
    worth = {unit: wanted[unit].aim.worth * (s.value(unit) if side == UNION else 1) for unit in units}
    found = dict(worth)
    for leader in s.leaders(side):
        led = [unit for unit in units if is_corps(s, leader) and s.commands(leader, unit)]
        for unit in led:
            mates = [mate for mate in led if s.fatigue.get(mate, 0) == s.fatigue.get(unit, 0)]
            near = (worth[mate] for mate in mates if distance(s.at[mate], s.at[unit]) <= TOGETHER)
            found[unit] = max(found[unit], sum(near))
    return found


def _goes(s: State, side: str, unit: str, goal: Goal) -> bool:
    """Whether a unit marches on: it isn't there, has what it lives on, and isn't too tired for what is left."""
    if s.at[unit] == goal.aim.at or goal.rests or campaign.stays_fed(s, unit, goal):
        return False
    if goal.force is not None:
        return True
    return _rested(s, side, unit) or _presses(s, unit, goal)


def _presses(s: State, unit: str, goal: Goal) -> bool:
    """Whether a unit that is tired goes on all the same, as its time is short: in a campaign cycles may end early."""
    if s.board.advanced is None or s.fatigue.get(unit, 0) > RESTED or unit in s.disorganised:
        return False
    return goal.spared > PRESSING and s.manpower[unit] > 1


def _rested(s: State, side: str, unit: str) -> bool:
    """Whether a unit isn't too tired for what is left of the battle."""
    if s.fatigue.get(unit, 0) < RESTED:
        return True
    last = s.turn == s.board.turns
    return (
        last and side != UNION and (s.manpower[unit] > 1 or s.board.units[unit].cavalry) and actions_left(s, unit) > 0
    )


def _march(s: State, side: str, unit: str, goal: Goal) -> Order | None:
    """A unit's march towards its aim, with leaders who would be left alone; by rail where it can."""
    leaders = going_along(s, unit)
    path = _path(s, unit, goal, leaders)
    detached = left_behind(s, unit, path, designs(s, side))
    order = March(unit, path, leaders, _force(s, unit, goal, path), detached=detached)
    return order if path and may_march.why_not(s, side, order) is None else None


def _force(s: State, unit: str, goal: Goal, path: Path) -> str:
    """Whether a unit forces its march: if that brings it to its aim at once, else where its time is short."""
    if goal.force is not None:
        return goal.force
    barred = may_march.why_no_force(s, s.board.units[unit].side) is not None
    if barred or forces_left(s, unit) < 1 or goal.spur <= 0:
        return NEVER
    there, campaign_on = bool(path) and path[-1] in as_good(s, unit, goal), s.board.advanced is not None
    if there and (campaign_on or not goal.hurries or forces_left(s, unit) <= MANY):
        return ROUTE
    return ALWAYS if goal.hurries or (campaign_on and forces_easily(s, unit)) else NEVER


def _path(s: State, unit: str, to: Goal, leaders: tuple[str, ...] = ()) -> Path:
    """The way towards a goal round the enemies as far as a march may come, or to what is as good on the way."""
    if s.board.advanced is not None:
        return _as_far(s, unit, ways(s, unit, leaders).path(to.aim.at), leaders)
    side = s.board.units[unit].side
    enemies = frozenset(s.at[e] for e in s.own(s.board.enemy[side]))
    barred = closed(s, unit).union(*(closed(s, leader) for leader in leaders))
    only = s.board.one_sided.get(s.turn)
    if only is not None and only.no_zoc:
        barred |= frozenset(zone(s, s.board.enemy[side]))
    goal, ends = to.aim.at, as_good(s, unit, to)
    field, cost = way_to(s.board, goal, enemies, barred), s.board.ground.cost
    path: list[Hex] = []
    here, spent, most = s.at[unit], 0, most_points(s, unit)
    while here not in ends:
        dear = {h: field.get(h, FAR) + price + besides(s.board, enemies, h) for h, price in cost[here].items()}
        h = min(dear, key=lambda h: (dear[h], s.board.order(h)))
        spent += cost[here][h]
        if field.get(h, FAR) >= field.get(here, FAR) or (path and spent > most):
            break
        if may_march.why_no_step(s, unit, here, h, leaders) is not None:
            break
        path.append(h)
        here = h
    return tuple(path)


def _as_far(s: State, unit: str, way: Path, leaders: tuple[str, ...]) -> Path:
    """As much of a way as a march may come to."""
    here, spent, most = s.at[unit], 0, most_points(s, unit)
    for gone, h in enumerate(way):
        spent += s.board.ground.cost[here][h]
        if (gone and spent > most) or may_march.why_no_step(s, unit, here, h, leaders) is not None:
            return way[:gone]
        here = h
    return way


def _led_march(s: State, side: str, unit: str, units: list[str], wanted: dict[str, Goal]) -> Order | None:
    """The activation of the unit's leader for it and all of his who go on from near him and are as fresh.

    In a campaign he goes first to whom he leads most from.
    """
    for leader in s.leaders(side):
        if not is_corps(s, leader) or not s.commands(leader, unit):
            continue
        tired = s.fatigue.get(unit, 0)
        mates = [u for u in units if s.commands(leader, u) and s.fatigue.get(u, 0) == tired]
        mates = [u for u in mates if s.board.units[u].branch == s.board.units[unit].branch]
        hop = _hop(s, leader, unit, mates)
        start = s.at[leader if hop is None else hop]
        if not in_radius(s, leader, unit, start):
            continue
        mates = [u for u in mates if in_radius(s, leader, u, start)]
        order = _activation(s, side, Activate(leader, (), hop), mates, wanted)
        if order is not None:
            return order
    return None


def _hop(s: State, leader: str, unit: str, mates: list[str]) -> str | None:
    """The unit to which a leader goes before he is activated, as he leads most from there; None where he stays."""
    if s.board.advanced is None:
        return None
    best, most = None, len(_led_from(s, leader, s.at[leader], unit, mates))
    for at in dict.fromkeys(s.at[mate] for mate in mates):
        led = _led_from(s, leader, at, unit, mates)
        if len(led) > most:
            to = next(mate for mate in mates if s.at[mate] == at)
            if why_not_hop(s, leader, to) is None:
                best, most = to, len(led)
    return best


def _led_from(s: State, leader: str, at: Hex, unit: str, mates: list[str]) -> list[str]:
    """Whom a leader leads from a hex, if a unit is among them."""
    led = [mate for mate in mates if in_radius(s, leader, mate, at)]
    return led if unit in led else []


def _activation(s: State, side: str, order: Activate, units: list[str], wanted: dict[str, Goal]) -> Order | None:
    """The march of units under their leader, who goes along with the first from his hex."""
    marches: list[March] = []
    start = activation.led_from(s, order)
    with_him = next((u for u in units if s.at[u] == start), None)
    others = _left_alone(s, order, start, units)
    for unit in units:
        along = (*((order.leader,) if unit == with_him else ()), *others.get(unit, ()))
        path = _path(s, unit, wanted[unit], along)
        if path:
            detached = () if any(one.detached for one in marches) else left_behind(s, unit, path, wanted)
            marches.append(March(unit, path, along, _force(s, unit, wanted[unit], path), detached=detached))
    order = order._replace(marches=tuple(marches))
    while order.marches:
        if activation.why_not(s, side, order) is None:
            return order
        order = order._replace(marches=order.marches[:-1])
    return None


def _left_alone(s: State, order: Activate, start: Hex, units: list[str]) -> dict[str, tuple[str, ...]]:
    """Unit -> the other leaders who go along with it in a campaign, as they would be left alone."""
    found: dict[str, tuple[str, ...]] = {}
    if s.board.advanced is not None:
        for leader, theirs in activation.left_alone(s, order.leader, start, units).items():
            if leader != order.leader:
                first = next(unit for unit in units if unit in theirs)
                found[first] = (*found.get(first, ()), leader)
    return found
