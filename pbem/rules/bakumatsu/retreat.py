"""Retreat (rulebook 11): the ways open to a unit, the owner's choice, his standing orders, and the default."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.bakumatsu import victory
from pbem.rules.bakumatsu.acting import enemy_zoc, phase_refusal, why_not_on_map
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.orders import Order, Path, Retreat
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit import retreats
from pbem.rules.kit.ask import Steps
from pbem.rules.kit.retreats import Bar, legal_steps, preferred
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Chance, Choose, Tell, Words

__all__ = ["complete_paths", "default", "has_way", "retreat", "retreat_bar", "standing", "ways", "why_never", "why_not"]


def retreat(s: State, unit_id: str, cause: str) -> Steps:
    """Retreat a unit by one hex, or over friends to the first free one; remove it when it can't."""
    unit = s.board.units[unit_id]
    found = list(islice(complete_paths(s, unit), 2))
    if not found:
        yield s.remove(unit_id, f"no hex to retreat to after {cause}", "11(2)")  # 11(2)
        return
    path, how = found[0], "only way"
    if len(found) > 1:
        order = yield Choose(
            side=unit.side,  # 11(0)
            kind="retreat",
            clause="11(3)",
            prompt=f"retreat {s.board.describe(unit_id)} from {s.board.place(s.at[unit_id])}",
            why_not=lambda order: why_not(s, unit, order),
            options=lambda: (Retreat(unit_id, path) for path in ways(s, unit).values()),
            sample=lambda chance: _sample(s, unit, chance),
            reaction=True,
            about=(unit_id,),
            standing=lambda orders: standing(s, unit, orders),
            default=lambda: default(s, unit),
        )
        path, how = order.path, "chosen"  # 11(3)
    yield from _carry_out(s, unit, path, how)


def retreat_bar(s: State, unit: Unit) -> Bar:
    """The clause that forbids a step of a unit's retreat, empty when it is legal; friends are no hindrance."""
    ground, enemies, shut = s.board.ground, s.stands[s.board.enemy[unit.side]], enemy_zoc(s, unit.side)
    bridges = s.options.retreat_over_bridge == "yes"

    def bar(here: Hex, h: Hex) -> str:
        if h not in ground.near[here]:
            return "11(1)0"
        if h in enemies:
            return "11(1)1"
        if shut(h):
            return "11(1)2"  # 3-2(3)2
        return "" if h in ground.open_to[here] or (bridges and h in ground.roads[here]) else "11(1)3"  # 11(1)4

    return bar


def complete_paths(s: State, unit: Unit) -> Iterator[Path]:
    """Every way over friends to the first free hex, none of which enters a hex twice; lazily, without dead ends."""
    friends = s.stands[unit.side]
    steps = legal_steps(s.board.ground.near, retreat_bar(s, unit))
    leads_out = partial(_leads_out, steps, friends)
    return retreats.ways(s.at[unit.id], steps, lambda path: path[-1] not in friends, leads_out)  # 11(4)a


def has_way(s: State, unit: Unit) -> bool:
    """Whether a unit can retreat at all."""
    steps = legal_steps(s.board.ground.near, retreat_bar(s, unit))
    return _leads_out(steps, s.stands[unit.side], (s.at[unit.id],))


def _leads_out(steps: Callable[[Hex], Iterable[Hex]], friends: Container[Hex], gone: Path) -> bool:
    """Whether a way over friends can still reach a free hex."""
    seen, todo = set(gone), [gone[-1]]
    while todo:
        for h in steps(todo.pop()):
            if h not in seen:
                if h not in friends:
                    return True
                seen.add(h)
                todo.append(h)
    return False


def ways(s: State, unit: Unit, begun: Path = ()) -> dict[Hex, Path]:
    """For each hex where the retreat may end its shortest way, on which the fewest friends are removed; in order.

    `begun` is the beginning of the way, up to a hex with a friend.
    """
    friends, start = s.stands[unit.side], s.at[unit.id]
    open_steps = legal_steps(s.board.ground.near, retreat_bar(s, unit))
    found: dict[Hex, Path] = {}
    passed = {start, *begun}
    edge: dict[Hex, Path] = {(start, *begun)[-1]: begun}
    while edge:
        steps: dict[Hex, Path] = {}
        for here, path in edge.items():
            for h in open_steps(here):
                if h not in passed and h not in found:
                    steps[h] = min(steps.get(h, (*path, h)), (*path, h), key=lambda p: _losses(s, p))
        found |= {h: path for h, path in steps.items() if h not in friends}
        edge = {h: path for h, path in steps.items() if h in friends}
        passed |= edge.keys()
    return {h: found[h] for h in sorted(found)}


def _losses(s: State, path: Path) -> tuple[int, tuple[str, ...]]:
    """The number of units removed by passing over them; ties go to the lower hex numbers."""
    removed = sum(s.unit_in(h) in s.disordered for h in path[:-1])
    return removed, tuple(s.board.label[h] for h in path)


def why_not(s: State, unit: Unit, order: Order) -> Refusal | None:
    """Why a unit can't retreat along a path."""
    if not isinstance(order, Retreat) or order.unit != unit.id:
        return phase_refusal(s, order, "11(0)", f"`retreat {unit.id} HEX`")
    friends, here, place = s.stands[unit.side], s.at[unit.id], s.board.place
    bar = retreat_bar(s, unit)
    if not order.path:
        return Refusal("11(1)0", "a retreat goes to an adjacent hex")
    gone = [here]
    for h in order.path:
        if len(gone) > 1 and here not in friends:
            return Refusal("11(4)a", f"{place(here)} is free: the retreat ends there")
        clause = bar(here, h)
        if clause:
            return _why_not_step(s, clause, here, h)
        if h in gone:
            return Refusal("11(4)a", f"the retreat enters {place(h)} twice")
        gone.append(h)
        here = h
    if here in friends:
        other = s.board.describe(friends[here])
        return Refusal("11(4)a", f"{place(here)} is occupied by {other}: go on to a hex without a friendly unit")
    return None


def why_never(s: State, unit_id: str) -> Refusal | None:
    """Why a piece is never asked where it retreats, whatever comes."""
    unit, name = s.board.units[unit_id], s.board.describe(unit_id)
    if unit.command is not None:
        return Refusal("15-2-7-2(4)5b", f"{name} is a commander and never retreats")
    if unit.artillery:
        return Refusal("12(3)", f"{name} is artillery and never retreats: what drives others back removes it")  # 12(4)
    return why_not_on_map(s, unit_id) if s.is_lost(unit_id) else None


def _why_not_step(s: State, clause: str, here: Hex, h: Hex) -> Refusal:
    """The refusal of a step that a clause forbids."""
    label, place = s.board.label, s.board.place(h)
    match clause:
        case "11(1)0":
            reason = f"{label[here]} and {place} aren't adjacent"
        case "11(1)1":
            reason = f"{place} is occupied by an enemy unit"
        case "11(1)2":
            reason = f"{place} is in an enemy ZOC"
        case _:
            reason = f"a river or pond lies between {label[here]} and {place}"  # 11(1)3
    return Refusal(clause, reason)


def standing(s: State, unit: Unit, orders: Sequence[Words]) -> Retreat | None:
    """The answer of standing orders (latest last): the unit's own first, then those for `any`."""
    ending = {s.board.label[h]: path for h, path in ways(s, unit).items()}
    path = preferred(preferences(orders, "retreat", unit.id), ending.get, lambda word: _by_direction(s, unit, word))
    return None if path is None else Retreat(unit.id, path)


def _by_direction(s: State, unit: Unit, word: str) -> Path | None:
    """The best way whose first step goes in a direction."""
    start = s.at[unit.id]
    for h in legal_steps(s.board.ground.near, retreat_bar(s, unit))(start):
        if s.board.map.direction(start, h) == word:
            found = ways(s, unit, (h,)) if h in s.stands[unit.side] else {h: (h,)}
            return min(found.values(), key=lambda path: _rank(s, unit, path), default=None)
    return None


def default(s: State, unit: Unit) -> Retreat:
    """The way by the ruling: shortest, fewest friends removed, farthest from the enemy, nearer home, lowest number."""
    return Retreat(unit.id, min(ways(s, unit).values(), key=lambda path: _rank(s, unit, path)))


def _rank(s: State, unit: Unit, path: Path) -> tuple[int, int, int, int, str]:
    """The order of the ruling; as many friends are disturbed as the way is longer, so removals decide among them."""
    end, entry = path[-1], s.board.side[unit.side].entry
    enemies = s.stands[s.board.enemy[unit.side]]
    nearest = min((distance(end, h) for h in enemies), default=0)
    home = distance(end, entry) if entry is not None else 0
    return len(path), _losses(s, path)[0], -nearest, home, s.board.label[end]


def _sample(s: State, unit: Unit, chance: Chance) -> Retreat:
    paths = list(ways(s, unit).values())
    return Retreat(unit.id, paths[int(chance.random() * len(paths))])


def _carry_out(s: State, unit: Unit, path: Path, how: str) -> Iterator[Tell]:
    """Take a way: friends on it are disordered or removed, hexes on it are entered."""
    label, start = s.board.label, s.at[unit.id]
    friends = [s.stands[unit.side][h] for h in path[:-1]]
    told = []
    for h in path:
        told += victory.enter(s, unit.id, h)
    s.put(unit.id, path[-1])
    facts = {"unit": unit.id, "from": label[start], "path": [label[h] for h in path], "how": how}
    yield Tell("retreat", "11(1)0", facts)
    for friend in friends:
        why = f"{unit.id} retreated through it"
        if friend in s.disordered:
            yield s.remove(friend, why, "11(4)c")  # 11(4)c
        else:
            yield s.disorder(friend, why, "11(4)b")  # 11(4)b
    yield from told
