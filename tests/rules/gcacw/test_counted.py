"""What `pbem odds` counts of an order with all that follows, against the odds that the rules tell of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from matches import Match, scenario_of

from pbem.match.table import Table
from pbem.report.odds import Chances, chances
from pbem.rules.gcacw.brought import pairs
from pbem.rules.gcacw.odds import known_courses
from pbem.rules.gcacw.orders import Assault, March, Order
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Choose


def sampled(_: State, choose: Choose, chance: random.Random) -> Order:
    """Any order at all."""
    return choose.sample(chance)


def attacks(scenario: str, most: int) -> Iterator[tuple[Table, str, Order]]:
    """Some attacks that could be ordered in a random game by mail: by a unit from its hex, and assaults."""
    match, chance = Match(scenario_of(scenario), 1), random.Random(1)
    while most > 0 and len(match.blocks) < 60:
        match.run(dict.fromkeys(("asuka", "ben"), sampled), chance, most=len(match.blocks) + 1)
        request = match.table.game.request
        if not isinstance(request, Choose) or request.kind != "action":
            continue
        found = [o for o in request.options() if isinstance(o, Assault) or (isinstance(o, March) and o.strike)]
        near = [o for o in found if isinstance(o, Assault) or not o.path]
        for order in near[:1] + [o for o in near if isinstance(o, Assault)][-1:]:
            yield match.table, request.side, order
            most -= 1


def told(s: State, order: Order) -> dict[str, Fraction]:
    """The results of the first combat of an order as `odds` calls them, each with its share of all courses."""
    found: dict[str, Fraction] = {}
    for course in known_courses(s, order) or ():
        for facts in course.facts("fight"):
            for pair, part in pairs(s.board, facts).items():
                own, other = ("no effect" if cell == "-" else cell for cell in pair)
                own, other = (f"{cell} lost" if cell.isdigit() else cell for cell in (own, other))
                what = f"attacker {own}, defender {other}"
                found[what] = found.get(what, Fraction(0)) + course.share * part
    return found


def test_results_of_an_order_are_those_that_its_odds_count() -> None:
    """Every die of a combat counts, though nothing is told before the last has fallen."""
    tried = 0
    for table, side, order in attacks("lee-vs-pope", 2):
        found: Chances = chances(table, side, table.rules.order_words(table.board, order))
        assert sum(found.each.values()) == pytest.approx(1)
        brute = told(table.game.state, order)
        assert {what: pytest.approx(float(share)) for what, share in brute.items()} == {
            what: float(share) for what, share in found.results.items()
        }
        assert all(factor.clause and factor.value for factor in found.factors)
        words = {word for shares in found.fates.values() for word in shares}
        assert not any("check +" in word or "killed" in word or word.count("fatigue") > 1 for word in words)
        tried += 1
    assert tried
