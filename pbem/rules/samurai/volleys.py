"""Fires declared one behind the other: what a later one brings behind the earlier ones, and all at one target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from math import comb
from typing import Any

from pbem.records import NamedTuple
from pbem.rules.fates import NONE, fate, together
from pbem.rules.kit.throws import Shares
from pbem.rules.requests import Roll, Tell
from pbem.rules.samurai import fire
from pbem.rules.samurai.losses import DIE, lose
from pbem.rules.samurai.orders import Fire
from pbem.rules.samurai.state import State, copy

__all__ = ["Volley", "befallen", "falling", "losing", "volley"]

MOST = 400
"""Of more different situations behind the earlier fires none is told: each of them takes a moment."""

NOT_FIRED = "the shot is lost"
"""What becomes of a fire whose target is gone, out of range or hidden when its turn comes."""


class Volley(NamedTuple):
    """What the last of several fires brings, and all of them together that are at its target."""

    last: Shares
    together: Shares


class _Branch(NamedTuple):
    """How it stands behind some fires: its share of all, what befell the target by those at it, and by the last one.

    The last one is None where it wasn't carried out.
    """

    share: Fraction
    state: State
    toll: tuple[Tell, ...] = ()
    last: tuple[Tell, ...] | None = ()


def falling(dice: int, needed: int, most: int) -> dict[int, Fraction]:
    """How many figures so many dice kill, `most` of all, each with a number from `needed` on; each with its chance."""
    hit = Fraction(max(0, min(DIE, DIE + 1 - needed)), DIE)
    found: dict[int, Fraction] = {}
    for n in range(dice + 1):
        number, share = min(n, most), comb(dice, n) * hit**n * (1 - hit) ** (dice - n)
        found[number] = found.get(number, Fraction(0)) + share
    return {number: share for number, share in found.items() if share}


def volley(s: State, fires: Sequence[Fire]) -> Volley | None:
    """What the last of some fires brings that are resolved in this order, exactly; None of too many situations."""
    branches, target = [_Branch(Fraction(1), s)], fires[-1].target
    for order in fires:
        branches = _merged(after for branch in branches for after in _behind(branch, order, target))
        if len(branches) > MOST:
            return None
    return Volley(_shares((b.last, b.share) for b in branches), _shares((b.toll, b.share) for b in branches))


def _shares(found: Iterable[tuple[tuple[Tell, ...] | None, Fraction]]) -> Shares:
    """What befell the target, with its share: who loses most last, who runs behind who stands, no fire at the end."""
    shares: Shares = {}
    for events, share in sorted(found, key=lambda one: _rank(one[0])):
        told = NOT_FIRED if events is None else befallen(events)
        shares[told] = shares.get(told, Fraction(0)) + share
    return shares


def _behind(branch: _Branch, order: Fire, target: str) -> Iterator[_Branch]:
    """All that a fire may bring; what befalls others than the target counts only by where they stand then."""
    s = branch.state
    if fire.why_lost(s, order.unit, order.target) is not None:
        yield branch._replace(last=None)
        return
    shots = fire.shots(s, order.unit, order.target)
    dice, needed, most = (
        sum(shot.dice for shot in shots),
        fire.needed(s, order.unit, order.target),
        s.left(order.target),
    )
    for number, share in falling(dice, needed, most).items():
        for chance, ahead, events in _fallen(s, order.target, number, shots[0].hit):
            toll = (*branch.toll, *events) if order.target == target else branch.toll
            yield _Branch(branch.share * share * chance, ahead, toll, events)


def _fallen(s: State, target: str, number: int, hit: int) -> Iterator[tuple[Fraction, State, tuple[Tell, ...]]]:
    """What so many kills come to, with both ends of a check if there is one: chance, state, events of the target."""
    checked, passed, events = losing(s, target, number, hit, 1)
    fails = Fraction(DIE + 1 - s.board.tables.fails[s.board.units[target].kind.rank], DIE) if checked else Fraction(0)
    yield 1 - fails, passed, events
    if fails:
        _, failed, events = losing(s, target, number, hit, DIE)
        yield fails, failed, events


def losing(s: State, target: str, number: int, hit: int, die: int) -> tuple[bool, State, tuple[Tell, ...]]:
    """Whether a target that loses so many figures checks, how it stands behind that check's die, what befell it."""
    ahead, events, checked = copy(s), list[Tell](), False
    ahead.kills = (number, 0) if hit == 0 else (0, number)
    events_of, answer = lose(ahead, target, "combat.7"), None
    with suppress(StopIteration):
        while True:
            step = events_of.send(answer)
            answer = (die,) if isinstance(step, Roll) else None
            checked |= isinstance(step, Roll)
            if isinstance(step, Tell) and step.facts["unit"] == target:
                events.append(step)
    return checked, ahead, tuple(events)


def befallen(events: Sequence[Tell]) -> str:
    """What befell a target, all its losses told as one."""
    losses = [event.facts for event in events if event.what == "loss"]
    if not losses:
        return NONE
    all_of_them: dict[str, Any] = {**losses[-1], "figures": sum(facts["figures"] for facts in losses)}
    others = (fate(event.what, event.facts) for event in events if event.what != "loss")
    return together(filter(None, [fate("loss", all_of_them), *others]))


def _merged(branches: Iterator[_Branch]) -> list[_Branch]:
    """Those as one behind which all stands alike, and of which the same is told."""
    found: dict[Any, _Branch] = {}
    for branch in branches:
        s = branch.state
        stands = (tuple(s.at.items()), tuple(s.figures.items()), frozenset(s.routed), frozenset(s.checked))
        key = (stands, befallen(branch.toll), None if branch.last is None else befallen(branch.last))
        other = found.get(key)
        found[key] = branch if other is None else other._replace(share=other.share + branch.share)
    return [*found.values()]


def _rank(events: Sequence[Tell] | None) -> tuple[bool, int, int]:
    """In which order it is told what befell a target."""
    fallen = sum(event.facts["figures"] for event in events or () if event.what == "loss")
    return events is None, fallen, len([event for event in events or () if event.what != "loss"])
