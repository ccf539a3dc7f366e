"""Set-up (daimyos.2): each wing in its part of the table, units of two stands with a daimyo; black first, then red."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from pbem.errors import BadScenario, Refusal
from pbem.rules.kit.ask import Chapter
from pbem.rules.requests import Chance, Tell
from pbem.rules.samurai.board import FACINGS, Board, Unit, inches
from pbem.rules.samurai.daimyos import around, barrier, beside_at
from pbem.rules.samurai.geometry import Base, overlap, spans
from pbem.rules.samurai.orders import DONE, SIDES, Done, Order, SetUp, order_words
from pbem.rules.samurai.state import ABREAST, BEHIND, State, copy, label

__all__ = ["CHAPTER", "needy", "of_army", "suggested", "unplaced", "why_not"]

TRIES = 400
"""Random places that are tried for a unit before those of the line-up."""

MENDS = 60
"""Random places that are tried for daimyos with whom others could come together."""

GAP = 20
"""Between the bases of the line-up: a fifth of an inch."""


def of_army(s: State, side: str) -> Sequence[Unit]:
    """The units and daimyos of a side, in the order of its list."""
    return _army(s.board, side)


@lru_cache(64)
def _army(board: Board, side: str) -> Sequence[Unit]:
    return tuple(u for u in board.units.values() if u.side == side and not u.bannerman)  # definitions.4


@lru_cache(64)
def _in_turn(board: Board, side: str) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """A side's units of two stands, its other units, its daimyos: so they are set up at random."""
    army = _army(board, side)
    troops = [u for u in army if u.troops]
    return (
        tuple(u.id for u in troops if u.stands > 1),
        tuple(u.id for u in troops if u.stands == 1),
        tuple(u.id for u in army if not u.troops),
    )


def unplaced(s: State, side: str) -> list[str]:
    """Who has still to be set up."""
    at = s.at
    return [u.id for u in of_army(s, side) if u.id not in at]


def needy(s: State, side: str) -> list[str]:
    """The units of two stands that no daimyo touches."""
    return [unit for unit in s.troops(side) if s.doubled(unit) and not s.daimyos(unit)]


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why a unit can't be set up there, or the set-up not be over."""
    if isinstance(order, Done):
        return _why_not_done(s, side)
    if not isinstance(order, SetUp):
        return Refusal("", "the armies are being set up: write `setup U X Y [FACING]`")
    u, name = s.board.units[order.unit], s.board.describe
    if u.side != side:
        return Refusal("turn_sequence.1", s.board.belongs(order.unit))
    if u.bannerman:
        return Refusal(
            "definitions.4", f"{name(u.id)} is a bannerman: he marks the end of a wing and has no place of his own"
        )
    b = _base(u, order)
    if not u.daimyo and (order.facing - s.board.side[side].ahead) % 8 not in (7, 0, 1):
        ahead = FACINGS[s.board.side[side].ahead]
        return Refusal("figures.7", f"{name(u.id)} face the enemy or up to 45 degrees off: {ahead}, or next to it")
    zone = s.board.zones[side][u.wing]
    if not zone.holds(b):
        x, y, _, _ = spans(b.facing, b.hw, b.hd)
        part = _part(zone.west, zone.east, zone.south, zone.north)
        lies = _part(b.x - x, b.x + x, b.y - y, b.y + y)
        be = s.board.does(u.id, "is", "are")
        what = f"{be} of the {u.wing} wing, which sets up wholly within {part}, and would take {lies}"
        return Refusal("definitions.3", what)
    if s.stopped(b):
        return Refusal("figures.7", f"{name(u.id)} would lie over {barrier(s, b)}")
    under = s.over(b, {order.unit})
    if under:
        return Refusal("figures.7", f"{name(u.id)} would lie over {name(s.by_id(under)[0])}")
    return None


def _part(west: int, east: int, south: int, north: int) -> str:
    return f"x {inches(west)} to {inches(east)}, y {inches(south)} to {inches(north)}"


def _why_not_done(s: State, side: str) -> Refusal | None:
    missing, alone = unplaced(s, side), needy(s, side)
    if missing:
        still = "1 unit has" if len(missing) == 1 else f"{len(missing)} units have"
        return Refusal("figures.7", f"{still} still to be set up, {missing[0]} first")
    if alone:
        places = (order for daimyo in s.all_daimyos(side) for order in _beside(s, daimyo, alone[0]))
        place = next((order for order in places if why_not(s, side, order) is None), None)
        where = f", as `{' '.join(order_words(s.board, place))}`" if place is not None else ""
        return Refusal("daimyos.2", f"{s.board.describe(alone[0])} have two stands: a daimyo must touch them{where}")
    return None


def _beside(s: State, daimyo: str, unit: str) -> Iterator[SetUp]:
    """The places of a daimyo behind a unit, to its left and right."""
    places = (beside_at(s, daimyo, s.at[unit], where) for where in SIDES)
    return (SetUp(daimyo, b.x, b.y, b.facing) for b in places)


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no set-up."""
    return why_not(s, side, order) if not isinstance(order, SetUp | Done) else None


def _base(u: Unit, order: SetUp) -> Base:
    return u.size(order.shape, u.stands).at(order.x, order.y, order.facing)


def set_up(s: State, order: SetUp) -> Iterator[Tell]:
    """Put a unit into its place, from another one too."""
    u = s.board.units[order.unit]
    b = _base(u, order)
    s.put(order.unit, b)
    if u.stands > 1:
        s.arrange(order.unit, order.shape)
    facts = {"unit": order.unit, "at": label(b), "facing": FACINGS[b.facing]}
    yield Tell("setup", "figures.7", facts | ({"shape": order.shape} if u.stands > 1 else {}))


# --- places -----------------------------------------------------------------------------------------------------------


def options(s: State, side: str) -> Iterator[Order]:
    """The place of the line-up for everybody who has none; the end when it may be."""
    yield from suggested(s, side)
    if _why_not_done(s, side) is None:
        yield DONE


def suggested(s: State, side: str, back: int = 0) -> Iterator[SetUp]:
    """A line-up: each wing's units in rows from the front edge of its part, daimyos behind units of two stands.

    The first row stands so many hundredths behind the edge. Each order is legal when those before it have been carried
    out.
    """
    taken = dict(s.at)
    for u in sorted(of_army(s, side), key=lambda u: u.daimyo):
        if u.id in s.at:
            continue
        order = next((o for o in _rows(s, u, taken, back) if why_not(s, side, o) is None and _apart(taken, u, o)), None)
        if order is not None:
            taken[u.id] = _base(u, order)
            yield order


def _apart(taken: dict[str, Base], u: Unit, order: SetUp) -> bool:
    return not any(overlap(_base(u, order), b) for b in taken.values())


def _rows(s: State, u: Unit, taken: dict[str, Base], back: int = 0) -> Iterator[SetUp]:
    """Places for a unit: of a daimyo beside those of his wing that have two stands, then along rows from the front."""
    facing = s.board.side[u.side].ahead
    if u.daimyo:
        wing = [other for other in taken if s.board.units[other].wing == u.wing and s.board.units[other].side == u.side]
        for other in sorted(wing, key=lambda other: s.board.units[other].stands, reverse=True):
            for where in SIDES:
                b = beside_at(s, u.id, taken[other], where)
                yield SetUp(u.id, b.x, b.y, b.facing)
    zone = s.board.zones[u.side][u.wing]
    wide, deep, _, _ = spans(facing, *u.size(ABREAST, u.stands).at(0, 0, facing)[3:])
    rows = range(zone.north - back - deep, zone.south + deep - 1, -2 * deep - 100)
    if facing:
        rows = range(zone.south + back + deep, zone.north - deep + 1, 2 * deep + 100)
    middle = (zone.west + zone.east) // 2
    offs = range(0, (zone.east - zone.west) // 2 - wide + 1, GAP)
    held = [
        (b.x, b.y, spans(b.facing, b.hw, b.hd)) for other, b in taken.items() if other != u.id and b.facing % 2 == 0
    ]
    for y in rows:
        row = [(x - middle, wide + w) for x, at, (w, d, _, _) in held if abs(at - y) < deep + d]
        west, east = (_covered(offs, [(sign * x, reach) for x, reach in row]) for sign in (-1, 1))
        for off in offs:
            if off not in west:
                yield SetUp(u.id, middle - off, y, facing)
            if off and off not in east:
                yield SetUp(u.id, middle + off, y, facing)


def _covered(offs: range, held: Iterable[tuple[int, int]]) -> set[int]:
    """Those of the steps from the middle of a row that lie less than a reach from where somebody stands."""
    found: set[int] = set()
    for x, reach in held:
        found.update(offs[max((x - reach) // GAP + 1, 0) : max(-((-x - reach) // GAP), 0)])
    return found


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random place for the next unit; daimyos go beside units that need one."""
    at = s.at
    doubled, others, daimyos = _in_turn(s.board, side)
    for troops in (doubled, others):
        if missing := [unit for unit in troops if unit not in at]:
            return _anywhere(s, side, chance.choice(missing), chance)
    daimyo = next((unit for unit in daimyos if unit not in at), None)
    if daimyo is None:
        return _mended(s, side, chance)
    return _beside_needy(s, side, daimyo) or _anywhere(s, side, daimyo, chance)


def _mended(s: State, side: str, chance: Chance) -> Order:
    """The end of the set-up, or a place that brings a unit of two stands and a daimyo together.

    Where one doesn't do, a daimyo is put where fewer are without one when others have joined him: so it comes to an
    end. Raises BadScenario where no such place is found.
    """
    alone = needy(s, side)
    if not alone:
        return DONE
    joined = _joined(s, side)
    if joined is not None:
        return joined
    for _ in range(MENDS):
        order = _near_an_end(s, side, chance)
        if why_not(s, side, order) is None and len(_needy_after(s, side, order)) < len(alone):
            return order
    what = f"no place is found where a daimyo touches {s.board.describe(alone[0])}, who have two stands"
    raise BadScenario(what, f"scenario {s.board.scenario}", "give the army more room or more daimyos")


def _near_an_end(s: State, side: str, chance: Chance) -> SetUp:
    """A random place for one of the daimyos, at an end of his wing as often as not: there he may touch others too."""
    u = s.board.units[chance.choice(s.all_daimyos(side))]
    zone, (_, _, facing, hw, hd) = s.board.zones[side][u.wing], s.at[u.id]
    wide, deep, _, _ = spans(facing, hw, hd)
    x = zone.west + wide + chance.randrange(max(zone.east - zone.west - 2 * wide, 0) + 1)
    y = zone.south + deep + chance.randrange(max(zone.north - zone.south - 2 * deep, 0) + 1)
    return SetUp(u.id, chance.choice((x, x, zone.west + wide, zone.east - wide)), y, facing)


def _needy_after(s: State, side: str, order: SetUp) -> list[str]:
    """Who is without a daimyo when a place has been taken, and who can has joined a daimyo, one after another."""
    ahead = copy(s)
    following: SetUp | None = order
    while following is not None:
        for _ in set_up(ahead, following):
            pass
        following = _joined(ahead, side)
    return needy(ahead, side)


def _joined(s: State, side: str) -> SetUp | None:
    """A place round a daimyo for a unit of two stands that has none, or beside it for one who leads no such unit."""
    ways = (order for unit in needy(s, side) for daimyo in s.all_daimyos(side) for order in _round(s, unit, daimyo))
    joining = next((order for order in ways if why_not(s, side, order) is None), None)
    if joining is not None:
        return joining
    free = (daimyo for daimyo in s.all_daimyos(side) if not any(s.doubled(unit) for unit in s.friends(daimyo)))
    return next((order for daimyo in free if (order := _beside_needy(s, side, daimyo)) is not None), None)


def _round(s: State, unit: str, daimyo: str) -> Iterator[SetUp]:
    """The places of a unit round a daimyo, in either shape: those first that leave room for others."""
    u = s.board.units[unit]
    for shape in (ABREAST, BEHIND):
        for b in reversed(around(u.size(shape, u.stands), s.at[daimyo])):
            yield SetUp(unit, b.x, b.y, b.facing, shape)


def _beside_needy(s: State, side: str, daimyo: str) -> SetUp | None:
    """A legal place for a daimyo beside a unit of two stands that has none."""
    ways = (order for unit in needy(s, side) for order in _beside(s, daimyo, unit))
    return next((order for order in ways if why_not(s, side, order) is None), None)


def _anywhere(s: State, side: str, unit: str, chance: Chance) -> SetUp:
    """A random legal place for a unit. Raises BadScenario where none is found."""
    u, zone = s.board.units[unit], s.board.zones[side][s.board.units[unit].wing]
    facing = s.board.side[side].ahead
    for _ in range(TRIES):
        shape = (ABREAST, BEHIND)[chance.randrange(2)] if u.stands > 1 else ABREAST
        x = zone.west + chance.randrange(zone.east - zone.west + 1)
        y = zone.south + chance.randrange(zone.north - zone.south + 1)
        way = facing if u.stands > 1 else (facing + chance.choice((7, 0, 0, 1))) % 8
        order = SetUp(unit, x, y, way, shape)
        if why_not(s, side, order) is None:
            return order
    found = next((order for order in _rows(s, u, dict(s.at)) if why_not(s, side, order) is None), None)
    if found is None:
        what = f"no place is left for {s.board.describe(unit)} in the {u.wing} wing"
        raise BadScenario(what, f"scenario {s.board.scenario}", "give the army more room or fewer units")
    return found


CHAPTER = Chapter(
    kind="setup",
    prompt=lambda _: "set up the army",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=lambda *_: True,
    carry_out=lambda s, _, order: set_up(s, order),
    never=why_never,
    done=DONE,
    once=True,
)
"""The place of one unit after another, as often as its owner likes, until all is in order (daimyos.2)."""
