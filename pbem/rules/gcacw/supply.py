"""Supply: repair of stations, who is in supply, depots, foraging, and what want of it does (20)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw.advanced import Advanced
from pbem.rules.gcacw.board import CONFEDERATE, DAMAGED, UNION
from pbem.rules.gcacw.harm import disorganise, lose
from pbem.rules.gcacw.leaders import settle
from pbem.rules.gcacw.orders import Feed, Forage
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import in_zone
from pbem.rules.kit.asking import only
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Activity, Choose, Roll, Tell, Words

__all__ = [
    "FEED", "FORAGES", "added", "by_county", "by_place", "effects", "fed_by_county", "fed_in", "forage",
    "forage_number", "foragers", "repair", "status", "union_supplied", "wanting", "why_not", "why_not_forage",
]  # fmt: skip

FORAGES = 2
"""The fatigue up to which a unit forages (20.4-1)."""

FEED = "feed"
"""The keyword of the standing order that says who is fed at a depot: `feed any U ...` (20.3-c4)."""


def advanced_of(s: State) -> Advanced:
    """What the scenario of the advanced game has besides."""
    assert s.board.advanced is not None  # noqa: S101 only its phases ask
    return s.board.advanced


# --- repair (20.2) -----------------------------------------------------------------------------------------------


def repair(s: State) -> Activity:
    """The Union tries to make each damaged station whole that the Confederate doesn't hold or control (20.2-1)."""
    for h in sorted((h for h, how in s.station.items() if how == DAMAGED), key=s.board.order):
        if s.units_in(h, CONFEDERATE) or in_zone(s, UNION, h):
            continue
        place, number = s.board.label[h], s.board.tables.repair
        (die,) = yield Roll(f"repair/{place.lower()}", 1)
        if die <= number:
            del s.station[h]
        facts = {"at": place, "station": s.board.stations[h], "die": die, "number": number, "side": UNION}
        yield Tell("repair", "20.2-1", facts | {"made": die <= number})


# --- supply status (20.3) ----------------------------------------------------------------------------------------


def _county(s: State, unit: str) -> str:
    return s.board.map.region.get(s.at[unit], "")


def by_county(s: State, units: Iterable[str]) -> dict[str, list[str]]:
    """County -> the units in it, as they come; "" of those in none."""
    found: dict[str, list[str]] = {}
    for unit in units:
        found.setdefault(_county(s, unit), []).append(unit)
    return found


def fed_by_county(s: State, unit: str) -> str:
    """The clause by which a Union unit is in supply where it stands, or "" (20.3-u1, 20.3-u5)."""
    return fed_in(s, _county(s, unit))


def fed_in(s: State, county: str) -> str:
    """The clause by which Union units are in supply in a county, or "" (20.3-u1, 20.3-u5)."""
    advanced, region = advanced_of(s), s.board.map.region
    if any(region.get(h) == county for h in advanced.depots if s.board.label[h] in s.depots):
        return "20.3-u1"
    return "20.3-u5" if county in _counties_on_rail(s) else ""


def _counties_on_rail(s: State) -> set[str]:
    """The counties with a whole station from which whole stations lead to the railheads (20.3-u5, 20.3-u6)."""
    advanced, rail = advanced_of(s), s.board.ground.rail
    stations = {*advanced.stations, *s.board.stations}
    found = {h for h in advanced.ends if not s.station.get(h)}
    edge = [*found]
    while edge:
        h = edge.pop()
        for n in rail[h]:
            if n not in found and not s.station.get(n):
                found.add(n)
                edge.append(n)
    return {s.board.map.region[h] for h in found & stations if h in s.board.map.region}


def _granted(s: State, unit: str) -> str:
    """The clause by which a unit is in supply until it has acted, or "" (22.1-sp3b2, 22.1-sp3e2)."""
    granted = advanced_of(s).granted
    return next((one.clause for one in granted if unit in one.units and unit not in s.acted), "")


def union_supplied(s: State, unit: str) -> str:
    """The clause by which a Union unit is in supply now, or "" (20.3-u1 to -u10)."""
    return _granted(s, unit) or fed_by_county(s, unit)


def by_place(s: State, side: str) -> dict[str, str]:
    """Each unit of a side with the clause by which it is in supply where it stands; depots feed Confederates too."""
    if side == UNION:
        return {unit: union_supplied(s, unit) for unit in s.own(UNION)}
    home = advanced_of(s).home
    return {unit: "20.3-c1" if _county(s, unit) in home else "" for unit in s.own(CONFEDERATE)}


def wanting(s: State, side: str) -> list[str]:
    """The units of a side that would be out of supply if that were judged now; of those at a depot none is told."""
    stocked = {h for h in advanced_of(s).depots if s.board.label[h] in s.depots and side == CONFEDERATE}
    return [unit for unit, clause in by_place(s, side).items() if not clause and s.at[unit] not in stocked]


def status(s: State) -> Activity:
    """Who is in supply and who isn't, until the next time (20.3-0, 20.3-3)."""
    yield from _judged(s, UNION, by_place(s, UNION))
    fed = by_place(s, CONFEDERATE)
    yield from _at_depots(s, fed)
    yield from _judged(s, CONFEDERATE, fed)
    if not s.hungry:
        damaged = [s.board.label[h] for h in sorted(s.station, key=s.board.order) if s.station[h] == DAMAGED]
        yield Tell("all-supplied", "20.3-0", {"damaged": damaged})
    yield from settle(s, [UNION, CONFEDERATE])


def _at_depots(s: State, fed: dict[str, str]) -> Activity:
    """Feed Confederates in the hex of a depot that stands, so many at most (20.3-c4, 20.3-c5)."""
    most = advanced_of(s).fed
    for h in sorted(advanced_of(s).depots, key=s.board.order):
        if s.board.label[h] not in s.depots:
            continue
        there = [unit for unit in s.units_in(h, CONFEDERATE) if not fed[unit]]
        chosen = tuple(sorted(there, key=lambda unit: (-s.manpower[unit], unit))[:most])
        if len(there) > most:
            chosen = (yield _ask(s, h, there, chosen)).units
        fed.update(dict.fromkeys(chosen, "20.3-c4"))


def _ask(s: State, h: Hex, there: Sequence[str], first: tuple[str, ...]) -> Choose:
    """Ask the Confederate whom a depot feeds (20.3-c4)."""
    most, place = len(first), s.board.place(h)
    prompt = f"say which {most} units the depot in {place} feeds"

    def why_not(order: Feed) -> Refusal | None:
        if len(order.units) == most == len({*order.units}) and {*order.units} <= {*there}:
            return None
        return Refusal("20.3-c4", f"the depot in {place} feeds {most} of {', '.join(there)}")

    def standing(orders: Sequence[Words]) -> Feed | None:
        wanted = [unit for unit in preferences(orders, FEED, there[0]) if unit in there]
        return Feed(tuple(dict.fromkeys([*wanted, *first]))[:most]) if wanted else None

    options = [Feed(first), *(Feed((unit, *(u for u in first if u != unit))[:most]) for unit in there)]
    options = [*dict.fromkeys(options)]
    return Choose(
        side=CONFEDERATE,
        kind="feed",
        clause="20.3-c4",
        prompt=prompt,
        why_not=only(Feed, "20.3-c4", prompt, why_not),
        options=lambda: iter(options),
        sample=lambda chance: chance.choice(options),
        reaction=True,
        about=tuple(there),
        standing=standing,
        default=lambda: options[0],
        heeds=(FEED,),
    )


def _judged(s: State, side: str, fed: dict[str, str]) -> Activity:
    """Turn the flags of a side's units, and let those suffer that are out of supply once more (20.3-c3, 20.3-u10)."""
    supplied = [unit for unit in fed if fed[unit] and unit in s.hungry]
    wanting = [unit for unit in fed if not fed[unit] and unit not in s.hungry]
    again = [unit for unit in fed if not fed[unit] and unit in s.hungry]
    s.hungry.difference_update(supplied)
    s.hungry.update(wanting)
    if supplied:
        clause = {UNION: "20.3-u8", CONFEDERATE: "20.3-c1"}
        yield Tell("supplied", clause[side], {"side": side, "units": supplied})
    if wanting:
        yield _out(s, side, {UNION: "20.3-u9", CONFEDERATE: "20.3-c2"}[side], wanting)
    clause = {UNION: "20.3-u10", CONFEDERATE: "20.3-c3"}
    if again:
        yield _out(s, side, clause[side], again, again=True)
    for unit in again:
        yield from lose(s, unit, 1, clause[side], counted=False)  # 20.3-6
        yield from disorganise(s, unit, clause[side], price=False)


def _out(s: State, side: str, clause: str, units: Sequence[str], *, again: bool = False) -> Tell:
    """That units are out of supply, by their counties; of Confederates also where they would be in supply (20.3-2)."""
    facts: dict[str, object] = {"side": side, "units": [*units], "counties": by_county(s, units), "again": again}
    facts |= {"home": sorted(advanced_of(s).home)} if side == CONFEDERATE else {}
    return Tell("unsupplied", clause, facts)


# --- foraging (20.4) ---------------------------------------------------------------------------------------------


def why_not_forage(s: State, side: str, unit: str) -> Refusal | None:
    """Why a unit can't forage (20.4-1, 20.4-2, 20.4-3)."""
    board = s.board
    name = board.units[unit].name
    if board.units[unit].side != side or unit not in s.manpower:
        return Refusal("20.4-3", f"{board.describe(unit)} is no combat unit of yours on the map")
    if unit not in s.hungry:
        return Refusal("20.4-3", f"{name} is in supply")
    if s.fatigue.get(unit, 0) > FORAGES:
        return Refusal("20.4-1", f"{name} is at fatigue {s.fatigue[unit]}: {FORAGES} at most can forage")
    if unit in s.worked:
        return Refusal("20.4-2", f"{name} has worked in this recovery")
    if unit in s.foraged:
        return Refusal("20.4-8", f"{name} has foraged in this recovery")
    return None


def foragers(s: State, side: str) -> Iterator[Forage]:
    """The units of a side that can forage, each by itself."""
    if s.board.advanced is not None:
        yield from (Forage((unit,)) for unit in s.own(side) if why_not_forage(s, side, unit) is None)


def why_not(s: State, side: str, order: Forage) -> Refusal | None:
    """Why units can't forage."""
    if s.board.advanced is None:
        return Refusal("14.0-0", "nobody forages in the basic game")
    if not order.units or len({*order.units}) < len(order.units):
        return Refusal("20.4-1", "name at least one unit, each once")
    found = (why_not_forage(s, side, unit) for unit in order.units)
    return next((refusal for refusal in found if refusal is not None), None)


def forage_number(s: State, unit: str) -> int:
    """What a unit's die, with all that is added, is to show or less where it stands (20.4-5)."""
    return s.board.tables.forage[_county(s, unit)][s.board.units[unit].side]


def added(s: State, unit: str, foraged: Iterable[str]) -> int:
    """What dispersal adds to a unit's die: friendly infantry that has tried in or beside its hex (20.4-opt, -opt2)."""
    units, near = s.board.units, {s.at[unit], *s.board.ground.near[s.at[unit]]}
    if s.options.forage_dispersal != "yes" or not units[unit].infantry:
        return 0
    side = units[unit].side
    return sum(units[u].side == side and units[u].infantry and s.at.get(u) in near for u in foraged)


def forage(s: State, order: Forage) -> Activity:
    """Forage: a die and the fatigue, up to the county's value for the side (20.4-5, 20.4-6)."""
    for unit in order.units:
        (die,) = yield Roll(f"forage/{unit}", 1, settled=True)
        county = _county(s, unit)
        number, fatigue, add = forage_number(s, unit), s.fatigue.get(unit, 0), added(s, unit, s.foraged)
        made = die + fatigue + add <= number
        s.foraged.add(unit)
        if made:
            s.hungry.discard(unit)  # 20.4-7
        facts = {"unit": unit, "county": county, "die": die, "fatigue": fatigue, "add": add, "number": number}
        yield Tell("forage", "20.4-6", facts | {"made": made})


# --- supply effects (20.5) ---------------------------------------------------------------------------------------


def effects(s: State) -> Activity:
    """What want of supply does: disorganised units lose manpower, then organised ones lose order (20.5-3 to -8)."""
    hungry = [unit for side in (UNION, CONFEDERATE) for unit in s.own(side) if unit in s.hungry]
    before = {unit for unit in hungry if unit in s.disorganised}
    for unit in hungry:
        if unit in before and s.fatigue.get(unit, 0) and s.manpower[unit] > 1:  # 20.5-4, 20.5-7
            yield from lose(s, unit, 1, "20.5-3", counted=False)
    for unit in hungry:
        if unit not in before:
            yield from disorganise(s, unit, "20.5-5", price=False)
