"""Losses (combat.7, combat.8, daimyos.3): figures taken off at once, the check at half strength, dead daimyos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Roll, Tell
from pbem.rules.samurai import routs
from pbem.rules.samurai.geometry import Base
from pbem.rules.samurai.state import NO_UNITS, NONE, Gone, State, Step, label

__all__ = ["DIE", "check", "least", "lose", "risk", "split"]

DIE = 12
"""The sides of every die (figures.8)."""


def least(number: int) -> str:
    """What a die must show that shows so much at least: `9+`, `12`."""
    return f"{number}+" if number < DIE else str(number)


def split(figures: Sequence[int], kills: Sequence[int]) -> tuple[int, ...]:
    """The figures that each stand of a unit loses, by kills against each; what is left over goes to the other one."""
    taken = [min(killed, left) for killed, left in zip(kills, figures, strict=False)]
    over = sum(kills) - sum(taken)
    for number, left in enumerate(figures):
        more = min(over, left - taken[number])
        taken[number], over = taken[number] + more, over - more
    return tuple(taken)


def lose(s: State, unit: str, clause: str) -> Steps:
    """Take who was killed off a unit at once; daimyos who touch it are at risk, and at half its strength it checks."""
    before = s.figures[unit]
    taken, s.kills = split(before, s.kills), NONE
    if not any(taken):
        return
    s.at_risk |= {*s.daimyos(unit)} if s.board.units[unit].troops else set()  # daimyos.3
    bases = dict(s.bases(unit))
    left = tuple(figures - lost for figures, lost in zip(before, taken, strict=True))
    s.leave(unit, left)  # combat.7
    facts: dict[str, Any] = {"unit": unit, "figures": sum(taken), "left": sum(left)}
    facts |= {} if s.board.units[unit].troops else {"alone": True}
    yield Tell("loss", "combat.7", facts)
    if not any(left):
        yield s.remove(unit, Gone.KILLED, clause)
        return
    _close_up(s, unit, bases)
    yield from check(s, unit)


def _close_up(s: State, unit: str, bases: Mapping[int, Base]) -> None:
    """A unit whose stand has lost its last figure becomes the other one where that stands."""
    stands = s.stands(unit)
    if len(bases) > len(stands):
        s.put(unit, bases[stands[0]])
        s.arrange(unit, "")
        s.led -= {unit}  # daimyos.1


def check(s: State, unit: str) -> Steps:
    """The check of a unit that has fallen to half of its figures, once in the game; it routs at once if it fails."""
    kind = s.board.units[unit].kind
    if unit in s.checked or 2 * s.left(unit) > s.board.units[unit].figures:  # combat.8
        return
    s.checked |= {unit}
    (die,) = yield Roll(f"morale/{unit}", 1, DIE)
    failed = die >= s.board.tables.fails[kind.rank]  # morale_check.1
    facts = {"unit": unit, "at": label(s.at[unit]), "die": die, "fails": s.board.tables.fails[kind.rank]}
    yield Tell("check", "combat.8", facts | {"success": not failed})
    if failed:
        yield from routs.rout(s, unit)  # morale_check.2


def risk(s: State) -> Steps:
    """The dice for the daimyos whose units took losses in the turn, each once, by id."""
    for daimyo in s.by_id(s.at_risk & s.at.keys()):  # daimyos.4
        (die,) = yield Roll(f"risk/{daimyo}", 1, DIE)
        killed = die >= s.board.tables.risk  # daimyos.3
        facts = {"unit": daimyo, "at": label(s.at[daimyo]), "die": die, "success": not killed}
        yield Tell("risk", "daimyos.3", facts | {"step": str(Step.END)})
        if killed:
            yield _falls(s, daimyo)
    s.at_risk = NO_UNITS


def _falls(s: State, daimyo: str) -> Tell:
    """The death of a daimyo, told with the units that no daimyo leads any more, and those of them that can't go so."""
    led = s.friends(daimyo)
    s.leave(daimyo, (0,))
    gone = s.remove(daimyo, Gone.KILLED, "daimyos.3")
    alone = [unit for unit in led if not s.daimyos(unit)]
    facts = {"unled": alone, "stand": [unit for unit in alone if s.doubled(unit) and unit not in s.routed]}  # daimyos.1
    return gone._replace(facts=gone.facts | {name: units for name, units in facts.items() if units} | {"risk": True})
