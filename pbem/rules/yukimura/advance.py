"""Advance after combat (rulebook 11-3; R86): into the vacated hex, in pursuit, or freely after an elimination."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.kit.ask import Steps, dropped
from pbem.rules.kit.retreats import Bar
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Choose, Tell, Words
from pbem.rules.yukimura import held, victory
from pbem.rules.yukimura.acting import asked_refusal
from pbem.rules.yukimura.combat import participants
from pbem.rules.yukimura.orders import Advance, AdvancePlan, Fire, Hold, Melee, Order, Path, order_words
from pbem.rules.yukimura.state import State

__all__ = ["FREE", "Opening", "after_fire", "after_melee", "ways", "why_not_advance", "why_not_plan", "why_not_plans"]

FREE = 4
"""Hexes of a free advance, the vacated hex included (11-3-4.a)."""


class Opening(NamedTuple):
    """What a combat has opened to the attackers.

    vacated   the hex that the target held
    trail     the hexes that a retreated target entered (11-3-3.b); None for a free advance (11-3-4.a)
    """

    vacated: Hex
    trail: Path | None


def why_not_plans(s: State, order: Fire | Melee) -> Refusal | None:
    """Why the advances named in a fire or hand-to-hand combat can't be, whatever comes of it."""
    for i, plan in enumerate(order.advance):
        if isinstance(order, Fire) and not s.step:
            return Refusal("11-3-2", "nobody advances after defensive fire")
        if isinstance(order, Fire) and i:
            return Refusal("11-3-1", "a single unit advances after fire: name one")
        if plan.unit in [other.unit for other in order.advance[:i]]:
            return Refusal("11-3-3.d", f"{s.board.describe(plan.unit)} is named twice: each unit advances once")
        refusal = why_not_plan(s, order, plan)
        if refusal is not None:
            return refusal
    return None


def why_not_plan(s: State, order: Fire | Melee, plan: AdvancePlan) -> Refusal | None:
    """Why one unit's advance can't be named in an order that is legal without it."""
    if plan.unit not in participants(order):
        return Refusal("11-3.a", f"{s.board.describe(plan.unit)} takes no part and can't advance")
    refusal = held.why_not_move(s, plan.unit)
    if refusal is not None or not plan.path:
        return refusal
    target = s.at[order.target]
    if isinstance(order, Fire):
        return Refusal("11-3-1", f"after fire the advance goes to {s.board.place(target)}: name no hexes")
    return _why_not_path(s, advance_bar(s, s.board.units[plan.unit].side), target, plan.path)


def advance_bar(s: State, side: str) -> Bar:
    """The clause that forbids a step of an advance to units of a side, empty when it is legal; friends don't matter."""
    ground, enemies, west = s.board.ground, s.stands[s.board.enemy[side]], held.barred(s, side)

    def bar(here: Hex, h: Hex) -> str:
        if h not in ground.near[here]:
            return "11-3-4.a"
        if h not in ground.open_to[here]:
            return "11-3-6.a"
        if h in enemies:
            return "11-3-3.c"
        return held.LINE if held.crosses(west, here, h) else ""

    return bar


def _why_not_path(s: State, bar: Bar, vacated: Hex, path: Path) -> Refusal | None:
    """Why hexes can't be a way of advance, whoever stands in them."""
    if path[0] != vacated:
        return Refusal("11-3-4.b", f"the first hex of the advance must be {s.board.place(vacated)}")
    if len(path) > FREE:
        return Refusal("11-3-4.a", f"an advance goes at most {FREE} hexes, not {len(path)}")
    for a, b in pairwise(path):
        clause = bar(a, b)
        if clause in ("11-3-4.a", "11-3-6.a"):
            return _why_not_step(s, clause, a, b)
    return None


def _why_not_step(s: State, clause: str, a: Hex, b: Hex) -> Refusal:
    """The refusal of a step that a clause forbids."""
    place = s.board.place
    match clause:
        case "11-3-4.a":
            reason = f"{place(a)} and {place(b)} aren't adjacent"
        case "11-3-6.a":
            return s.board.why_shut(a, b, clause)
        case "11-3-3.c":
            reason = f"{place(b)} is occupied by an enemy unit"
        case _:
            reason = held.west_of_line(s, b)
    return Refusal(clause, reason)


def after_fire(s: State, order: Fire, vacated: Hex) -> Steps:
    """The advance of at most one firing unit into the vacated hex (11-3-1, R86)."""
    opening = Opening(vacated, ())
    if order.advance:
        yield from _planned(s, order.advance[0], opening)
        return
    for unit in participants(order) if not order.hold else ():
        yield from _asked(s, unit, opening)  # nobody after one has gone: the hex is occupied then
        if s.ended is not None:
            return


def after_melee(s: State, order: Melee, vacated: Hex, trail: Path, retreated: Collection[str]) -> Steps:
    """The advances of the attackers that didn't retreat: those named, then the others one by one (11-3-3.a)."""
    opening = Opening(vacated, trail if order.target in s.at else None)
    named = [plan.unit for plan in order.advance]
    for plan in order.advance:
        if plan.unit in s.at and plan.unit not in retreated:
            yield from _planned(s, plan, opening)
        else:
            why = "it retreated" if plan.unit in s.at else "it was removed"
            yield from _dropped(s, plan, Refusal("11-3-3.a", why))
        if s.ended is not None:
            return
    for unit in participants(order) if not order.hold else ():
        if unit in s.at and unit not in retreated and unit not in named:
            yield from _asked(s, unit, opening)
            if s.ended is not None:
                return


def _planned(s: State, plan: AdvancePlan, opening: Opening) -> Steps:
    """Carry out an advance named in the order, or tell why it can't be."""
    path = _as_planned(s, plan, opening)
    if isinstance(path, Refusal):
        yield from _dropped(s, plan, path)
    else:
        yield from _carry_out(s, plan.unit, path, opening)


def _as_planned(s: State, plan: AdvancePlan, opening: Opening) -> Path | Refusal:
    """The way of an advance named in the order: in pursuit as far as it can, but not beyond the last hex named."""
    found = ways(s, plan.unit, opening)
    if opening.trail is None or not plan.path:
        return _way(s, plan.unit, opening, plan.path, found)
    pursuit = (opening.vacated, *opening.trail)
    stop = max((i for i, h in enumerate(pursuit) if h in plan.path), default=0)
    fit = [path for path in found.values() if len(path) <= stop + 1]
    return max(fit, key=len) if fit else _why_none(s, plan.unit, opening)


def _way(s: State, unit: str, opening: Opening, named: Path, found: Mapping[Hex, Path]) -> Path | Refusal:
    """The way that `advance U [HEX ...]` means after a combat, of those `found` by `ways`, or why it is refused."""
    if not found:
        return _why_none(s, unit, opening)
    if opening.trail is None:
        path = named or (opening.vacated,)
        refusal = _why_not_free(s, unit, opening, path)
        return path if refusal is None else refusal
    if not named:
        return max(found.values(), key=len)
    if named[-1] not in found or not set(named) <= set(found[named[-1]]):
        return Refusal("11-3-3.b", f"the way open to it is {' '.join(s.board.label[h] for h in found)}, or part of it")
    return found[named[-1]]


def ways(s: State, unit: str, opening: Opening) -> dict[Hex, Path]:
    """For each hex where an advance may end a way to it; in pursuit there is but one."""
    start, vacated, bar = s.at[unit], opening.vacated, advance_bar(s, s.board.units[unit].side)
    if held.is_held(s, unit) or bar(start, vacated):  # R101
        return {}
    if opening.trail is None:
        return _free(s, bar, vacated)
    found: dict[Hex, Path] = {}
    path: Path = ()
    for h in (vacated, *opening.trail):
        if s.unit_in(h) is not None or (path and bar(path[-1], h)):
            break  # 11-3-3.c, 11-3-3.d
        path = (*path, h)
        found[h] = path
    return found


def _free(s: State, bar: Bar, vacated: Hex) -> dict[Hex, Path]:
    """The ends of a free advance, each with its shortest way; it may lead through friends (11-3-4.c)."""
    reached: dict[Hex, Path] = {vacated: (vacated,)}
    edge = [vacated]
    for _ in range(FREE - 1):
        steps = {n: reached[h] for h in reversed(edge) for n in s.board.ground.open_to[h] if not bar(h, n)}
        edge = sorted(n for n in steps if n not in reached)
        reached |= {n: (*steps[n], n) for n in edge}
    return {h: path for h, path in reached.items() if s.unit_in(h) is None}


def _why_none(s: State, unit: str, opening: Opening) -> Refusal:
    """Why a unit that took part can't advance at all."""
    start, vacated, side = s.at[unit], opening.vacated, s.board.units[unit].side
    refusal = held.why_not_move(s, unit)
    if refusal is not None:
        return refusal
    clause, other = advance_bar(s, side)(start, vacated), s.unit_in(vacated)
    if clause not in ("", "11-3-3.c"):
        return _why_not_step(s, clause, start, vacated)
    again = f"{s.board.place(vacated)} is occupied again"
    return Refusal(clause or "11-3-3.d", f"{again}, by {s.board.describe(other)}" if other else again)


def why_not_advance(
    s: State, unit: str, opening: Opening, order: Order, found: Mapping[Hex, Path] | None = None
) -> Refusal | None:
    """Why a unit can't advance so, or hold, when it is asked; `found` are its ways, where they are known already."""
    if order == Hold(unit):
        return None  # 11-3-5.a
    if not isinstance(order, Advance) or order.unit != unit:
        return asked_refusal(s, order, "11-3.a", unit, f"`advance {unit} HEX ...` or `hold {unit}`")
    way = _way(s, unit, opening, order.path, ways(s, unit, opening) if found is None else found)
    return way if isinstance(way, Refusal) else None


def _why_not_free(s: State, unit: str, opening: Opening, path: Path) -> Refusal | None:
    """Why a free advance can't go this way, where there is one at all."""
    bar, place = advance_bar(s, s.board.units[unit].side), s.board.place
    refusal = _why_not_path(s, bar, opening.vacated, path)
    if refusal is not None:
        return refusal
    for a, b in pairwise(path):
        clause = bar(a, b)
        if clause:
            return _why_not_step(s, clause, a, b)
    end = s.unit_in(path[-1])
    if end is not None and end != unit:
        return Refusal("11-3-4.c", f"{place(path[-1])} is occupied by {s.board.describe(end)}")
    return None


def _asked(s: State, unit: str, opening: Opening) -> Steps:
    """Ask the owner whether a unit advances, when it can; without an answer it stays (11-3-5.a)."""
    found = ways(s, unit, opening)
    if not found:
        return
    paths = sorted(found.values(), key=lambda path: (len(path), [s.board.label[h] for h in path]))
    order = yield Choose(
        side=s.board.units[unit].side,
        kind="advance",
        clause="11-3.a",
        prompt=f"advance with {s.board.describe(unit)} from {s.board.place(s.at[unit])}, or hold",
        why_not=lambda order: why_not_advance(s, unit, opening, order, found),
        options=lambda: (Hold(unit), *(Advance(unit, path) for path in paths)),
        sample=lambda chance: Advance(unit, chance.choice(paths)) if chance.random() < 0.7 else Hold(unit),
        reaction=True,
        about=(unit,),
        standing=lambda orders: _by_policy(s, unit, opening, orders, found),
        default=lambda: Hold(unit),
    )
    if isinstance(order, Advance):
        way = _way(s, unit, opening, order.path, found)
        if not isinstance(way, Refusal):
            yield from _carry_out(s, unit, way, opening)


def _by_policy(
    s: State, unit: str, opening: Opening, orders: Sequence[Words], found: Mapping[Hex, Path]
) -> Advance | Hold | None:
    """The answer of standing orders: `follow` goes as far as a pursuit leads, `enter` into the vacated hex."""
    policy = next(iter(preferences(orders, "advance", unit)), None)
    if policy is None:
        return None
    path = () if policy == "follow" else (opening.vacated,)
    order = Advance(unit, path)
    return Hold(unit) if policy == "hold" or why_not_advance(s, unit, opening, order, found) else order


def _carry_out(s: State, unit: str, path: Path, opening: Opening) -> Iterator[Tell]:
    """Advance a unit, whatever the terrain and enemy ZOC (11-3-6.a, 11-3-6.b)."""
    start = s.at[unit]
    s.put(unit, path[-1])
    clause = "11-3-4.a" if opening.trail is None else "11-3-3.b" if opening.trail else "11-3.a"
    facts = {"unit": unit, "from": s.board.label[start], "path": [s.board.label[h] for h in path]}
    yield Tell("advance", clause, facts)
    yield from victory.moved(s, unit, forced=False, way=(start, *path))


def _dropped(s: State, plan: AdvancePlan, refusal: Refusal) -> tuple[Tell, ...]:
    """What is told of an advance that was named and can't be."""
    return dropped(order_words(s.board, Advance(plan.unit, plan.path)), {plan.unit: refusal})
