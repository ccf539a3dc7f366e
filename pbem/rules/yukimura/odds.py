"""Dice: exact chances of a fire and a hand-to-hand combat by counting every throw; those that are worst for a side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.fates import NO_EFFECT, REMOVED, RETREATS, STANDS, result_words
from pbem.rules.kit import throws
from pbem.rules.kit.ask import Steps
from pbem.rules.kit.tables import ResultsTable
from pbem.rules.kit.throws import Shares, by_sum, shares
from pbem.rules.requests import Choose, Draw, Factor, Roll
from pbem.rules.yukimura import fire, melee
from pbem.rules.yukimura.board import OSAKA, Board
from pbem.rules.yukimura.combat import participants, shifts
from pbem.rules.yukimura.orders import Fire, Melee, Order
from pbem.rules.yukimura.retreat import REMOVED_AT, Procedure, check_value, remove, retreat
from pbem.rules.yukimura.sequence import side_of
from pbem.rules.yukimura.situation import GOOD
from pbem.rules.yukimura.state import State, copy

__all__ = ["MeleeOdds", "chances", "factors", "fire_odds", "melee_odds", "worst"]

FATES = (NO_EFFECT, STANDS, RETREATS, REMOVED)

MUST_RETREAT = "must retreat"
"""What a die of a check may bring: whether a way is open it doesn't tell, and without one the unit is removed."""


class MeleeOdds(NamedTuple):
    """The chances of a hand-to-hand combat: of the target, and of each attacker by himself."""

    target: Shares
    attackers: dict[str, Shares]


def fire_odds(s: State, order: Fire) -> Shares:
    """What a legal fire does to its target.

    A retreat that can't be is a removal. Retreats are taken as the ruling takes them, and the chances are those of
    the moment when the unit's own retreat is done: what chain retreats bring on others isn't counted.
    """
    threats = frozenset(s.at[unit] for unit in participants(order))
    fates = _Fates(s, order.target, threats)
    table, column = s.board.tables.firing, fire.column(s, order)
    found: Counter[str] = Counter()
    for result, times in by_sum(lambda total: table.cell(total, column)).items():
        if result == "-":
            found[NO_EFFECT] += 6 * times  # 9-2-1(-)
        elif result == "E":
            found[REMOVED] += 6 * times
        else:
            found.update({fate: n * times for fate, n in fates.of_check(int(result)).items()})
    return shares(found, FATES)


def melee_odds(s: State, order: Melee) -> MeleeOdds:
    """What a legal hand-to-hand combat does to its target and to each attacker; counted as for fire.

    Each attacker is taken by himself, as if no other had to retreat.
    """
    units, target, at = participants(order), order.target, s.at[order.target]
    table, column = s.board.tables.hand_to_hand, melee.column(s, order)
    threats = frozenset(s.at[unit] for unit in units)
    of_target: Counter[str] = Counter()
    of_attackers: dict[str, Counter[str]] = {unit: Counter() for unit in units}
    for result, times in by_sum(lambda total: table.cell(total, column)).items():
        fates = _of_result(s, target, result, "D", threats)
        of_target.update({fate: 6 * n * times for fate, n in fates.items()})
        for unit, found in of_attackers.items():
            if result == "B1":
                fates = _after_the_target(s, target, unit, threats, at)
            else:
                fates = Counter({fate: 6 * n for fate, n in _of_result(s, unit, result, "A", {at}).items()})
            found.update({fate: n * times for fate, n in fates.items()})
    return MeleeOdds(shares(of_target, FATES), {unit: shares(found, FATES) for unit, found in of_attackers.items()})


def _of_result(s: State, unit: str, result: str, side: str, threats: Collection[Hex]) -> Counter[str]:
    """Out of 6 the fates of a unit under a result; `side` is D for the target, A for an attacker."""
    if result == f"{side}E":
        return Counter({REMOVED: 6})
    if result[0] == side or result == "B1":
        return _Fates(s, unit, threats).of_check(int(result[1]))
    return Counter({STANDS: 6})


def _after_the_target(s: State, target: str, unit: str, threats: frozenset[Hex], at: Hex) -> Counter[str]:
    """Out of 36 the fates of an attacker under B1, where the target checks first and may open or close his way."""
    found: Counter[str] = Counter()
    for (die,) in throws.throws(1):
        trial = copy(s)
        checked = check_value(s.board.units[target].morale, die, 1)
        if checked >= REMOVED_AT:
            _by_default(remove(trial, target, "", ""))
        elif checked > 0:
            _by_default(retreat(trial, Procedure(threats), target, checked, "melee"))
        found.update({STANDS: 6} if trial.ended else _Fates(trial, unit, {at}).of_check(1))
    return found


class _Fates:
    """The fates of one unit in a state: which of its retreats are possible."""

    def __init__(self, s: State, unit: str, threats: Collection[Hex]) -> None:
        self.s, self.unit, self.threats = s, unit, frozenset(threats)
        self.known: dict[int, str] = {}

    def of_check(self, add: int) -> Counter[str]:
        """Out of 6 the fates of a check with a number added."""
        return by_sum(lambda die: self.of_value(check_value(self.s.board.units[self.unit].morale, die, add)), dice=1)

    def of_value(self, checked: int) -> str:
        """The fate by a check's value."""
        if checked <= 0:
            return STANDS
        if checked >= REMOVED_AT:
            return REMOVED
        if checked not in self.known:
            trial = copy(self.s)
            _by_default(retreat(trial, Procedure(self.threats), self.unit, checked, ""))
            self.known[checked] = RETREATS if self.unit in trial.at else REMOVED
        return self.known[checked]


def _by_default(steps: Steps) -> None:
    """Carry out what needs no dice, with the ruling's answers."""
    answer = None
    try:
        while True:
            request = steps.send(answer)
            answer = request.default() if isinstance(request, Choose) and request.default else None
    except StopIteration:
        return


def factors(s: State, order: Order) -> Iterator[Factor]:
    """What decides what a legal order's dice mean, one by one."""
    if not isinstance(order, Fire | Melee):
        return
    units, label, by_fire = s.board.units, s.board.describe, isinstance(order, Fire)
    clause = "9-2.a" if by_fire else "10-2"
    for unit in participants(order):
        yield Factor(f"strength of {label(unit)}", f"{units[unit].strength:+d}", clause)
    if isinstance(order, Melee):
        yield Factor(f"strength of {label(order.target)}", f"-{units[order.target].strength}", "10-2")
    for shift in shifts(s, order):
        columns = "1 column" if abs(shift.value) == 1 else f"{abs(shift.value)} columns"
        yield Factor(shift.what, f"{columns} to the {'left' if shift.value < 0 else 'right'}", shift.clause)
    if isinstance(order, Fire):
        yield _of_column(s.board.tables.firing, fire.column(s, order), "9-2.a")
        yield Factor(f"morale of {label(order.target)}", _morale(s, order.target), "9-2.b")
    else:
        table, column = s.board.tables.hand_to_hand, melee.column(s, order)
        yield _of_column(table, column, "10-3")
        results = {cells[column] for cells in table.cells}
        yield from _checking(s, (order.target,), results & {"D1", "D2", "D3", "D4", "B1"}, "10-3-1(D)")
        yield from _checking(s, participants(order), results & {"A1", "A2", "A3", "A4", "B1"}, "10-3-1(A)")


def _of_column(table: ResultsTable, column: int, clause: str) -> Factor:
    """The column of a table, by the dice as they are thrown."""
    return Factor(f"dice thrown in column {table.headings[column]} bring", table.by_throw(column), clause)


def _checking(s: State, units: Iterable[str], results: Collection[str], clause: str) -> Iterator[Factor]:
    """The morale of those who check it by some results, of which a column may have none."""
    clauses = (clause, "10-3-1(B1)") if "B1" in results else (clause,)
    for unit in units if results else ():
        told = f"{_morale(s, unit)}, checked by {', '.join(sorted(results))}"
        yield Factor(f"morale of {s.board.describe(unit)}", told, ", ".join(clauses))


def _morale(s: State, unit: str) -> str:
    """A unit's morale as printed."""
    morale = s.board.units[unit].morale
    return "*" if morale is None else str(morale)


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the dice of an event told could have brought, each with its chance; none of an event without dice."""
    match what:
        case "fire":
            return _results(b.tables.firing, facts["column"])  # 9-2.a
        case "melee":
            return _results(b.tables.hand_to_hand, facts["column"])  # 10-3
        case "check":
            values = by_sum(lambda die: check_value(facts["morale"], die, facts["add"]), dice=1)
            found: Counter[str] = Counter()
            for value, times in values.items():
                found[STANDS if value <= 0 else REMOVED if value >= REMOVED_AT else MUST_RETREAT] += times
            return shares(found, (STANDS, MUST_RETREAT, REMOVED))
    return {}


def _results(table: ResultsTable, heading: str) -> Shares:
    """The results of two dice in the column of that heading, in the order that rising totals bring."""
    column = table.headings.index(heading)
    found = by_sum(lambda total: result_words(table.cell(total, column)))
    return shares(found, found)


# --- the worst that may come, for a game in which a side's secret is lost ---------------------------------------------


def worst(s: State, request: Roll | Draw, side: str) -> tuple[int, ...] | tuple[str, ...]:
    """The answer to a pending chance that is worst for `side`: the lowest or the highest dice."""
    return throws.worst(request, side, _owner(s, request.label), GOOD)


def _owner(s: State, label: str) -> str | None:
    """The side whose phase it is, who has the unit that checks, or the force that waits."""
    what, _, place = label.partition("/")
    if what in ("fire", "melee"):
        return side_of(s)
    if what == "check":
        unit = s.unit_in(s.board.parse(place))
        return s.board.units[unit].side if unit is not None else OSAKA
    return s.board.forces[place].side
