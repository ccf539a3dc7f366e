"""Ends of the game that orders may bring: those that came in futures, and those that came in none, however seldom."""

from __future__ import annotations

from pbem.match.exact import endings
from pbem.match.orders import Act, Part, in_steps
from pbem.match.prospects import Ending
from pbem.match.table import Table
from pbem.match.take import imagine
from pbem.match.way import behind, forked
from pbem.rules.requests import Choose, Draw, Roll

__all__ = ["counted", "is_last_turn"]

COUNTED = 40
"""Orders of which every throw is counted."""


def counted(table: Table, side: str, parts: list[tuple[int, Part]], found: list[Ending]) -> list[Ending]:
    """The ends that came in the futures, and those by which an order may lose as things stand, however seldom.

    Of the order whose dice fall first every throw is counted, as in the form; that is exact.
    """
    told = list(found)
    acts = [(line, part) for line, part in in_steps(table.rules, parts) if isinstance(part, Act)]
    known, there = _first_dice(table, side, parts)
    for line, act in acts[:COUNTED]:
        first = act is known
        for ending in endings(there if first else table, side, act.words):
            key = (line, act.words, ending.winner, ending.clause, ending.chooser)
            like = [place for place, e in enumerate(told) if (e.line, e.words, e.winner, e.clause, e.chooser) == key]
            if like and first:
                told[like[0]] = ending._replace(line=line)
            elif not like and ending.lost:
                told.append(ending._replace(line=line, about=ending.about or not first))
    return told


def _first_dice(table: Table, side: str, parts: list[tuple[int, Part]]) -> tuple[Act | None, Table]:
    """The order whose dice fall first, whatever comes, and where it is given; None where several are declared first."""
    if isinstance(asked := table.game.request, Choose) and asked.reaction:
        first = next((part for _, part in parts if isinstance(part, Act)), None)
        return (first if first is not None and not first.tests else None), table
    ahead, places = forked(table), [(place, part) for place, (_, part) in enumerate(parts, 1)]
    imagine(ahead, side, places, lambda _: None)
    given = [step["number"] for step in ahead.steps if step["kind"] == "order" and step["number"]]
    request, ordered = ahead.game.request, [number for number, _ in in_steps(table.rules, places)]
    if not given or not isinstance(request, Roll | Draw):
        return None, table
    number = given[0] if isinstance(request, Roll) and request.of is not None else given[-1]
    act = places[number - 1][1]
    before = set(ordered[: ordered.index(number)])
    there = behind(table, side, [part for part in places if part[0] in before])
    asked = there.game.request
    legal = isinstance(act, Act) and isinstance(asked, Choose) and asked.why_not(act.order) is None
    return (act, there) if legal and isinstance(act, Act) else (None, table)


def is_last_turn(table: Table) -> bool:
    """Whether it is the turn with which the game ends in any case."""
    situation = table.rules.situation(table.game.state)
    return bool(situation["turn"] >= situation["turns"])
