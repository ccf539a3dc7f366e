"""What dice may bring: kills of a fire or attack with exact chances, checks, the worst dice for a side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.rules.fates import STANDS, killed, odds
from pbem.rules.kit import throws
from pbem.rules.kit.throws import Shares
from pbem.rules.requests import Answer, Draw, Factor, Roll
from pbem.rules.samurai import combat, fire
from pbem.rules.samurai.board import Board
from pbem.rules.samurai.losses import DIE, least
from pbem.rules.samurai.orders import Attack, Fire, Order, Rally
from pbem.rules.samurai.situation import GOOD
from pbem.rules.samurai.state import State
from pbem.rules.samurai.volleys import befallen, falling, losing, volley
from pbem.words import listed, per_cent

__all__ = ["at", "chances", "factors", "kills", "tell_odds", "worst"]

RALLY = ("rallied", "dispersed")


def kills(dice: int, needed: int, most: int) -> Shares:
    """How many figures so many dice kill, `most` of all, each with a number from `needed` on; each with its chance."""
    return {killed(number): share for number, share in falling(dice, needed, most).items()}


def outcomes(s: State, order: Fire | Attack, target: str) -> Shares:
    """What becomes of the target of a fire or attack, with its check and flight at half strength; with its chances."""
    found: Shares = {}
    for number, share in falling(*at(s, order, target), s.left(target)).items():
        stands, flees = _became(s, order, target, number, 1), _became(s, order, target, number, DIE)
        fails = Fraction(DIE + 1 - s.board.tables.fails[s.board.units[target].kind.rank], DIE)
        parts = {stands: share} if stands == flees else {stands: share * (1 - fails), flees: share * fails}
        found |= {outcome: found.get(outcome, 0) + part for outcome, part in parts.items()}
    return found


def _became(s: State, order: Fire | Attack, target: str, number: int, die: int) -> str:
    """What becomes of a target that loses so many figures, and checks with this die if it comes to that."""
    hit = (
        fire.shots(s, order.unit, target)[0].hit if isinstance(order, Fire) else combat.stand_hit(s, order.unit, target)
    )
    return befallen(losing(s, target, number, hit, die)[2])


def at(s: State, order: Fire | Attack, target: str) -> tuple[int, int]:
    """The dice of a fire or attack at a target, and the least that kills."""
    if isinstance(order, Fire):
        return sum(shot.dice for shot in fire.shots(s, order.unit, target)), fire.needed(s, order.unit, target)
    found = combat.fight(s, order.unit, target)
    return found.dice, found.needed


def target_of(s: State, order: Fire | Attack) -> str | None:
    """The enemy that an order is at as things stand."""
    if isinstance(order, Fire):
        return order.target
    named = (target for target in order.targets if combat.why_not_at(s, order.unit, target) is None)
    return next(named, None) if order.targets else combat.best(s, order.unit)


def tell_odds(s: State, order: Order) -> str:
    """What a legal order's dice may bring, with chances; "" for an order without dice."""
    if isinstance(order, Rally):
        return odds(_check(s.board.tables.fails[s.board.units[order.unit].kind.rank], *RALLY))
    if not isinstance(order, Fire | Attack):
        return ""
    target = target_of(s, order)
    if target is None or order.unit not in s.at or target not in s.at:
        return ""
    dice, needed = at(s, order, target)
    rolled = f"1 die, {least(needed)}" if dice == 1 else f"{dice} dice, {least(needed)}"
    if isinstance(order, Fire) and (before := _before(s, order)):
        return _behind(s, order, before, rolled)
    return "; ".join([f"{rolled}: {odds(outcomes(s, order, target))}", *_at_risk(s, order, target)])


def _before(s: State, order: Fire) -> list[Fire]:
    """The fires that are declared and resolved before a fire, which is declared too, or may be now."""
    fires = [Fire(*other) for other in s.fires]
    return fires[: fires.index(order)] if order in fires else [] if order.unit in s.shot else fires


def _behind(s: State, order: Fire, before: Sequence[Fire], rolled: str) -> str:
    """What a fire may bring behind those before it, and all at its target together; "" of too many situations."""
    found, alike = volley(s, [*before, order]), [other.unit for other in before if other.target == order.target]
    if found is None:
        return ""
    risk = _at_risk(s, order, order.target) if not alike else []
    if not alike and found.last == outcomes(s, order, order.target):
        return "; ".join([f"{rolled}: {odds(found.last)}", *risk])
    told = f"{rolled}, behind the fire of {listed(alike or [other.unit for other in before])}: {odds(found.last)}"
    if not alike:
        return "; ".join([told, *risk])
    every = "both fires" if len(alike) == 1 else f"all {len(alike) + 1} fires"
    return f"{told}; {every} at {order.target} together: {odds(found.together)}"


def _at_risk(s: State, order: Fire | Attack, target: str) -> list[str]:
    """What the dice of an order may come to for the daimyos of its target when the turn ends, whatever else is done."""
    led = s.daimyos(target) if s.board.units[target].troops else ()
    if not led:
        return []
    share = per_cent(_dies(s, order, target), 1)
    alone = f"{share} each by this alone" if len(led) > 1 else f"{share} by this alone"
    return [f"if a figure falls, {least(s.board.tables.risk)} at the end of the turn kills {listed(led)} ({alone})"]


def _dies(s: State, order: Fire | Attack, target: str) -> Fraction:
    """How likely it is that a figure of a target falls, and a daimyo of its then (daimyos.3)."""
    falls = 1 - falling(*at(s, order, target), 1).get(0, Fraction(0))
    return Fraction(DIE + 1 - s.board.tables.risk, DIE) * falls


def _check(fails: int, passed: str, failed: str) -> Shares:
    share = Fraction(fails - 1, DIE)
    return {passed: share, failed: 1 - share}


def factors(s: State, order: Order) -> Iterator[Factor]:
    """What decides what a legal order's dice mean."""
    if isinstance(order, Rally):
        kind = s.board.units[order.unit].kind
        yield Factor(
            f"a check of {combat.CLASSES[kind.rank]}", f"fails on {least(s.board.tables.fails[kind.rank])}", "rally.2"
        )
    elif isinstance(order, Fire):
        yield from fire.factors(s, order.unit, order.target)
        before = _before(s, order)
        found = volley(s, [*before, order]) if before else None
        if found is not None and found.last != outcomes(s, order, order.target):
            behind = listed([other.unit for other in before])
            yield Factor(f"behind the fire of {behind}, in all:", odds(found.last), "fire_combat.3")
        yield from _risks(s, order, order.target)
    elif isinstance(order, Attack) and (target := target_of(s, order)) is not None:
        yield from combat.factors(s, order.unit, target)
        yield from _risks(s, order, target)


def _risks(s: State, order: Fire | Attack, target: str) -> Iterator[Factor]:
    """What the order may come to for the daimyos of its target at the end of the turn, for whom no die falls yet."""
    if not s.board.units[target].troops:
        return
    dies, on = _dies(s, order, target), least(s.board.tables.risk)
    for daimyo in s.daimyos(target):
        if daimyo not in s.at_risk:
            what = f"if a figure of {target} falls, {on} at the end of the turn kills {daimyo}; in all:"
            yield Factor(what, odds({"unhurt": 1 - dies, "killed": dies}), "daimyos.3")


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the dice of an event told could have brought or may bring, each with its chance; none without dice."""
    if what in ("fire", "attack"):
        return kills(len(facts["dice"]), facts["needed"], facts["of"])
    if what == "declare":
        return kills(facts["figures"], facts["needed"], facts["of"])
    if what == "check":
        return _check(facts["fails"], STANDS, "breaks")
    if what == "rally":
        return _check(facts["fails"], *RALLY)
    return _check(b.tables.risk, "unhurt", "killed") if what == "risk" else {}


def worst(s: State, request: Roll | Draw, side: str) -> Answer:
    """The answer to a pending chance that is worst for a side."""
    stem, unit = request.label.split("/")[:2]
    own = s.board.units[unit].side
    if stem == "morale" and side == own and _shot_down(s, unit):
        return (1,)  # who stands is killed by the fire that is still to come; who flees may be out of its sight
    return throws.worst(request, side, own, GOOD)


def _shot_down(s: State, unit: str) -> bool:
    """Whether the fire that was declared at a unit behind the one that is resolved has a die for each figure left."""
    later = [Fire(*other) for other in s.fires[1:] if other[1] == unit and fire.why_lost(s, *other) is None]
    return sum(at(s, order, unit)[0] for order in later) >= s.left(unit) if later else False
