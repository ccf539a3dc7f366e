"""Orders that only the position makes plain: `march U to PLACE`, also when led and by rail; `retreat to PLACE`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from pbem.errors import IllegalOrder, MalformedOrder, Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw import may_march, railway
from pbem.rules.gcacw.actions import MOST, going_along
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.orders import Activate, FallBack, March, Order, Path, Rail
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.wording import MARCH, PARTS, as_meant, read_order
from pbem.rules.gcacw.zones import points, stacking, stops
from pbem.rules.kit import reach
from pbem.rules.kit.going import FAR, TO, first_legal
from pbem.rules.requests import Choose, Words

__all__ = ["along_rails", "onward", "toward", "way"]


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words with `to PLACE` mean now; None for others.

    Steps that stand before `to` are gone as they are; a leader who would be left alone goes along where none is named.
    """
    words = as_meant(s.board, words)
    order = _found(s, choose, words)
    for one in order.marches if isinstance(order, Activate) else [order]:
        if isinstance(one, March | Rail) and (refusal := _there_already(s, one)) is not None:
            raise IllegalOrder(f"`{' '.join(words)}`: {refusal.reason}", clause=refusal.clause)
    return order


def _there_already(s: State, order: March | Rail) -> Refusal | None:
    """Why a march isn't meant that leads nowhere and does nothing: it would cost fatigue all the same (std-4.0-7)."""
    if order.path or (isinstance(order, March) and not order.only_goes):
        return None
    what = f"{s.board.units[order.unit].name} stands in {s.board.place(s.at[order.unit])} already"
    return Refusal("std-4.0-7", f"{what}: a march that leads nowhere would cost it fatigue")


def _found(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that such words mean; a march leads nowhere whose unit is there."""
    if TO not in words[1:-1]:
        return None
    order = toward(s.board, choose.side, words)
    goals = [_goals(part) for part in _parts(words)]
    if isinstance(order, March):
        order = _filled(s, order, goals[0], words)
        return order._replace(leaders=order.leaders or going_along(s, order.unit))
    if isinstance(order, Activate):
        marches = (_filled(s, one, count, words) for one, count in zip(order.marches, goals, strict=True))
        return order._replace(marches=tuple(marches))
    if isinstance(order, Rail):
        _must_stand(s, order.unit, words)
        path = _through(
            s, order.unit, order.path, goals[0], words, lambda here, goal: along_rails(s, order, here, goal)
        )
        return order._replace(path=path, leaders=order.leaders or going_along(s, order.unit))
    if isinstance(order, FallBack):
        found = [one for one in choose.options() if isinstance(one, FallBack) and one.path[-1:] == order.path[-1:]]
        none = Refusal(choose.clause, f"no way back leads to {s.board.place(order.path[-1])}")
        return first_legal(found, choose.why_not, lambda: none, words)
    return None


def toward(board: Board, side: str, words: Words) -> Order:
    """The order that words with `to PLACE` mean wherever units stand: as if one step led there."""
    words = as_meant(board, words)
    order = read_order(board, side, tuple(word for word in words if word != TO))
    if not isinstance(order, March | Activate | Rail | FallBack):
        return read_order(board, side, words)
    if any(TO in part and not _goals(part) for part in _parts(words)):
        what = f"`{' '.join(words)}`: no place stands behind `{TO}`"
        raise MalformedOrder(what, hint=f"write `{TO} PLACE`, or leave `{TO}` out")
    return order


def onward(s: State, choose: Choose, words: Words, before: Sequence[Order]) -> Order | None:
    """The march that begins where those before it lead at best, `s`: along their ways and on, wherever they end.

    None where the unit hasn't marched by them.
    """
    order = _found(s, choose, as_meant(s.board, words))
    on = order
    if isinstance(order, Activate):
        on = order._replace(marches=tuple(_onward(s, before, one) for one in order.marches))
    elif isinstance(order, March):
        on = _onward(s, before, order)
    return None if on == order else on


def _onward(s: State, before: Sequence[Order], order: March) -> March:
    marches = [one for act in before for one in (act.marches if isinstance(act, Activate) else [act])]
    gone = [h for one in marches if isinstance(one, March) and one.unit == order.unit for h in one.path]
    here = s.at.get(order.unit)
    if here not in gone:
        return order
    way = [*gone[: len(gone) - gone[::-1].index(here)], *order.path]
    once = next(place for place in range(len(way)) if len({*way[place:]}) == len(way) - place)
    return order._replace(path=tuple(way[once:]), along=True)


def _parts(words: Words) -> list[Words]:
    """The words of each march of an order; of any other, all words."""
    at = [i for i, word in enumerate(words) if word == MARCH] or [0]
    return [words[start:end] for start, end in pairwise((*at, len(words)))]


def _goals(part: Words) -> int:
    """How many hexes of a march stand behind `to`: those to which its way leads."""
    if TO not in part:
        return 0
    behind = part[part.index(TO) + 1 :]
    return next((n for n, word in enumerate(behind) if word in PARTS), len(behind))


def _must_stand(s: State, unit: str, words: Words) -> None:
    """Refuse a way for a unit that isn't on the map. Raises IllegalOrder."""
    if unit not in s.at:
        refusal = may_march.why_not_act(s, s.board.units[unit].side, unit)
        refusal = refusal or Refusal("std-4.0-6", f"{s.board.describe(unit)} isn't on the map")
        raise IllegalOrder(f"`{' '.join(words)}`: {refusal.reason}", clause=refusal.clause)


def _filled(s: State, order: March, goals: int, words: Words) -> March:
    """The march with its way filled in to the last so many of its hexes."""
    _must_stand(s, order.unit, words)

    def barred(goal: Hex) -> Refusal | None:
        return _barred(s, order, goal)

    path = _through(s, order.unit, order.path, goals, words, lambda here, goal: _marches(s, order, here, goal), barred)
    return order._replace(path=path)


def _through(
    s: State,
    unit: str,
    named: Path,
    goals: int,
    words: Words,
    between: Callable[[Hex, Hex], Path | None],
    barred: Callable[[Hex], Refusal | None] = lambda _: None,
) -> Path:
    """The hexes named, with ways to the last so many of them. Raises IllegalOrder where there is none.

    `barred` tells what bars the goal itself, if anything does.
    """
    path = [*named[: len(named) - goals]]
    for goal in named[len(named) - goals :]:
        here = path[-1] if path else s.at[unit]
        found = between(here, goal)
        if found is None:
            why = barred(goal) or Refusal("std-6.1-1", f"no way leads to {s.board.place(goal)}")
            raise IllegalOrder(f"`{' '.join(words)}`: {why.reason}", clause=why.clause)
        path += found
    return tuple(path)


def _barred(s: State, order: March, goal: Hex) -> Refusal | None:
    """Why a march can't enter a hex from any side, by what bars most of them; None where it can from one."""
    found = [may_march.why_no_step(s, order.unit, a, goal, order.leaders) for a in s.board.ground.near[goal]]
    refusals = [why for why in found if why is not None]
    return Counter(refusals).most_common(1)[0][0] if refusals and len(refusals) == len(found) else None


def _marches(s: State, order: March, here: Hex, goal: Hex) -> Path | None:
    """The cheapest way from one hex to another: one that no zone of control stops before its end, if there is any."""
    if here == goal:
        return ()
    side = s.board.units[order.unit].side

    def step(a: Hex, b: Hex) -> int | str:
        if may_march.why_no_step(s, order.unit, a, b, order.leaders) is not None:
            return "closed"
        return (points(s, side, a, b) or 0) + stacking(s, side, b, (order.unit,))

    def stopped(h: Hex) -> bool:
        return h == goal or stops(s, order.unit, h)

    tries = ((MOST, stopped), (FAR, stopped), (FAR, lambda h: h == goal))  # most places are near
    found = (reach.cheapest(here, most, s.board.ground.near, step, end).get(goal) for most, end in tries)
    return next((ways[1] for ways in found if ways is not None), None)


def along_rails(s: State, order: Rail, here: Hex, goal: Hex) -> Path | None:
    """The shortest way along the railroad, one that is open if there is any."""
    if here == goal:
        return ()
    rail = s.board.ground.rail

    def step(a: Hex, b: Hex) -> int | str:
        return "closed" if railway.why_no_rail_step(s, order.unit, a, b) is not None else 1

    found = (reach.shortest(here, FAR, rail, one).get(goal) for one in (step, lambda *_: 1))
    return next((path for path in found if path is not None), None)
