"""Orders that only the position makes plain: `move FORCE to PLACE`, `attack FORCE at PLACE`, who takes units over."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import AmbiguousOrder, IllegalOrder, MalformedOrder, Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.going import FAR, Going, first_legal, going
from pbem.rules.kit.words import not_understood
from pbem.rules.requests import Choose, Words
from pbem.rules.sengoku import deployment, movement
from pbem.rules.sengoku.acting import open_in, why_closed
from pbem.rules.sengoku.naming import Names
from pbem.rules.sengoku.orders import DEPLOYMENT, STEPS, Attack, MarchOut, Move, Order, Organise, Path, Pursue, Retreat
from pbem.rules.sengoku.sequence import PHASES, why_not
from pbem.rules.sengoku.state import State, copy
from pbem.rules.sengoku.wording import (
    AND,
    AS,
    AT,
    ENTER,
    HOW,
    LEAVE,
    LEAVES,
    REPLENISH,
    TAKES,
    WAYS,
    as_meant,
    read_order,
)
from pbem.words import listed

__all__ = ["USAGE", "way"]

USAGE = {
    "move": "move FORCE to PLACE [strategic] [enter] [leave U ... at HEX]",
    "retreat": "retreat FORCE to PLACE [enter]",
    "pursue": "pursue FORCE to PLACE",
    "march-out": "march-out CASTLE to PLACE",
    "attack": "attack FORCE at PLACE",
    "organise": "organise FORCE [takes U ...] [leaves U ...] [replenish [castle CASTLE | U ...]]",
}
"""Keyword -> how the order is written when the position is known."""

NOT_NEXT = ("15-1-2", "15-2-1", "15-6-3", "16-1-1", "16.0")
"""The clauses that refuse a single step, or a castle at its end, but not a way of several."""


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words mean now of which only the position tells whom or which way they mean; None for others.

    `move FORCE to PLACE` goes tactically, and strategically where only that leads there. `attack FORCE at PLACE` is at
    all enemies in the open there. `organise FORCE takes U ... leaves U ...`: those taken come under it, each with all
    whom he leads; of those left a commander named first leads the others, else each is alone. Raises MalformedOrder,
    AmbiguousOrder, or IllegalOrder without a legal way.
    """
    words = as_meant(s.board, words)
    s, choose = _behind_deployment(s, choose)
    if words[0] == "organise" and (TAKES in words or LEAVES in words):
        return _organised(s, choose, words)
    if words[0] == "attack":
        return _at_place(s, choose, words)
    end = words.index(LEAVE) if LEAVE in words else len(words)
    told = going(words[:end], HOW)
    if told is None or words[0] not in WAYS.keys() | {"march-out"}:
        return None
    h = s.board.parse(told.place)
    if words[0] == "move":
        return _move(s, choose, told, h, words)
    return first_legal(_answers(choose, told, h), choose.why_not, lambda: _why_no_answer(s, choose, told, h), words)


def _behind_deployment(s: State, choose: Choose) -> tuple[State, Choose]:
    """The first stage as the deployment of the side that begins it leaves it, whoever may act then."""
    side = choose.side
    if choose.kind != DEPLOYMENT or side != s.board.sides[0].id or s.board.side[side].deploys == 0:
        return s, choose
    s = copy(s)
    for _ in deployment.close(s, side):
        pass
    s.phase, s.stage = next(place for place, phase in enumerate(PHASES) if phase.player == 0), 1
    for rule in s.board.idle:
        s.thawed.update(rule.armies)
        s.declared.update(filter(None, [rule.declared]))
    return s, choose._replace(why_not=lambda order: why_not(s, side, order))


def _at_place(s: State, choose: Choose, words: Words) -> Order | None:
    """The attack at all enemies in the open at a place; None for other words."""
    at = words.index(AT) + 1 if AT in words else len(words)
    try:
        h = s.board.parse("_".join(words[at:]))
    except (AmbiguousOrder, MalformedOrder):
        return None
    targets = open_in(s, h, s.board.enemy[choose.side])
    if not targets:
        before = choose.kind in STEPS and PHASES[s.phase].kind in STEPS  # then the hex isn't the reason
        barred = choose.why_not(Attack(Names(s.board, choose.side).own(words[1]), ())) if before else None
        if barred is not None:
            raise IllegalOrder(f"`{' '.join(words)}`: {barred.reason}", clause=barred.clause)
        place = s.board.place(h)
        raise IllegalOrder(f"`{' '.join(words)}`: no enemies stand in the open at {place}", clause="22.0")
    return read_order(s.board, choose.side, (*words[:at], *targets))


# --- moves ------------------------------------------------------------------------------------------------------------


def _move(s: State, choose: Choose, told: Going, h: Hex, words: Words) -> Order:
    """The move of a force to a hex, by the cheapest legal way, over the hexes in which it leaves units."""
    force = Names(s.board, choose.side).own(told.unit)
    left = words[words.index(LEAVE) :] if LEAVE in words else ()
    straight = read_order(s.board, choose.side, ("move", force, s.board.label[h], *told.behind, *left))
    assert isinstance(straight, Move)  # noqa: S101 its keyword
    found = (straight._replace(path=path, strategic=how) for how, path in _paths(s, force, h, straight))
    return first_legal(found, choose.why_not, lambda: _why_no_way(s, choose, straight, h), words)


def _paths(s: State, force: str, h: Hex, straight: Move) -> Iterator[tuple[bool, Path]]:
    """The cheapest paths to a hex, tactically before strategically; none for the hex where a force stands."""
    if force not in s.at:
        return
    if s.at[force] == h:
        yield straight.strategic, ()
    for strategic in (False, True)[straight.strategic :]:
        found = movement.destinations(s, force, strategic=strategic).get(h)
        if found is not None:
            yield strategic, found[1]
        if straight.drops and (over := _over(s, straight, h, strategic=strategic)) is not None:
            yield strategic, over


def _over(s: State, straight: Move, h: Hex, *, strategic: bool) -> Path | None:
    """The cheapest path to a hex over those in which units are left, one after another; None where none leads there."""
    force, there = straight.force, copy(s)
    path: Path = ()
    for stop in (*dict.fromkeys(drop.at for drop in straight.drops), h):
        if there.at[force] == stop:
            continue
        found = movement.destinations(there, force, strategic=strategic).get(stop)
        if found is None:
            return None
        there.lift(force)
        there.let_out(force)
        there.put(force, *found[1])
        path += found[1]
    return path


def _why_no_way(s: State, choose: Choose, straight: Move, h: Hex) -> Refusal:
    """Why a force can't come to a hex."""
    force, name, place = straight.force, s.board.describe(straight.force), s.board.place(h)
    refusal = choose.why_not(straight._replace(drops=()))
    if force not in s.at or (refusal and refusal.clause not in NOT_NEXT):
        return refusal or Refusal("", f"{name} can't move")
    if s.at[force] == h and not straight.enter:
        return Refusal("15-1", f"{name} stands at {place} already")
    if closed := why_closed(s, choose.side, h):
        return closed
    ways = movement.destinations(s, force, strategic=straight.strategic, points=FAR)
    points = movement.points_of(s, force)
    if h not in ways:
        beside = min((ways[n] for n in s.board.ground.near.get(h, ()) if n in ways), default=(0, ()))
        barred = choose.why_not(straight._replace(path=(*beside[1], h)))
        if barred is not None and barred.clause not in NOT_NEXT:
            return barred
        return Refusal("15-1-2", f"no way for {name} leads to {place}: enemies or the ground bar it")
    if ways[h][0] > points:
        reason = f"the cheapest way to {place} costs {ways[h][0]} movement points, {name} has {points}"
        return Refusal("15-6-3" if force in s.morale else "15-2-1", reason)
    if over := [drop.at for drop in straight.drops if drop.at not in (s.at[force], *ways[h][1])]:
        return Refusal(
            "15-5", f"no way of {points} points leads {name} over {listed(map(s.board.place, over))} to {place}"
        )
    return choose.why_not(straight._replace(path=ways[h][1])) or Refusal("", f"{name} can't end at {place}")


# --- answers ----------------------------------------------------------------------------------------------------------


def _answers(choose: Choose, told: Going, h: Hex) -> Iterator[Order]:
    """The answers that may be meant by words with `to`."""
    enter = ENTER in told.behind
    for order in choose.options():
        match order:
            case Retreat(_, path, into) if told.before[0] == "retreat" and path[-1:] == (h,) and into == enter:
                yield order
            case Pursue(_, path) if told.before[0] == "pursue" and path[-1:] == (h,):
                yield order
            case MarchOut(_, to) if told.before[0] == "march-out" and to == h:
                yield order


def _why_no_answer(s: State, choose: Choose, told: Going, h: Hex) -> Refusal:
    """Why no answer leads to a hex."""
    names = Names(s.board, choose.side)
    match told.before[0]:
        case "retreat":
            tried: Order = Retreat(names.own(told.unit), (h,), ENTER in told.behind)
        case "pursue":
            tried = Pursue(names.own(told.unit), (h,))
        case _:
            tried = MarchOut(names.castle_first(told.before[1:])[0], h)
    return choose.why_not(tried) or Refusal("", f"{s.board.place(h)} can't be reached so")


# --- organisation -----------------------------------------------------------------------------------------------------


def _organised(s: State, choose: Choose, words: Words) -> Organise:
    """The organisation by which a force takes units over and leaves others."""
    names, end = Names(s.board, choose.side), words.index(REPLENISH) if REPLENISH in words else len(words)
    force, parts = names.own(words[1]), dict[str, list[str]]()
    for word in words[2:end]:
        if word in (TAKES, LEAVES):
            parts[word] = []
        elif not parts:
            raise not_understood(words, USAGE, "order")
        else:
            list(parts.values())[-1].append(word)
    if not all(parts.values()):
        empty = next(word for word, behind in parts.items() if not behind)
        raise MalformedOrder(f"no unit stands behind `{empty}`", hint=f"write `{USAGE['organise']}`")
    named = [names.own(word) for word in parts.get(TAKES, ())]
    taken = [unit for one in named for unit in (s.forces.get(one, (one,)))]
    left = [names.own(word) for word in parts.get(LEAVES, ())]
    for unit in left:
        if force in s.forces and unit not in s.forces[force]:
            what = f"{s.board.describe(unit)} isn't under {s.board.describe(force)}, and so can't leave it"
            raise MalformedOrder(what, hint=f"name units of its force behind `{LEAVES}`")
    groups = _groups(s, force, taken, left)
    written = tuple(word for group in groups for word in (AND, *group))[1:]
    order = read_order(s.board, choose.side, ("organise", force, AS, *written, *words[end:]))
    assert isinstance(order, Organise)  # noqa: S101 its keyword
    return order


def _groups(s: State, force: str, taken: list[str], left: list[str]) -> list[tuple[str, ...]]:
    """The forces that come of it: the one that takes, those left, and what remains of others, each leader first."""
    groups = [(*(unit for unit in s.forces.get(force, (force,)) if unit not in left), *dict.fromkeys(taken))]
    if left:
        together = s.board.units[left[0]].commander
        groups += [tuple(left)] if together else [(unit,) for unit in left]
    for other in dict.fromkeys(s.leader[unit] for unit in taken if unit in s.leader):
        rest = tuple(unit for unit in s.forces[other] if unit not in taken)
        if rest and other != force:
            groups.append(rest)
    return groups
