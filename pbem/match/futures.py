"""What may come of orders before they are signed: played out with random dice, how often they lapse or end the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.match.chances import Steady, chance_answer, chances_of
from pbem.match.comes import Comes
from pbem.match.heeded import Heeded
from pbem.match.orders import Part
from pbem.match.prospects import Ending, Lapse, Stop
from pbem.match.table import Table
from pbem.match.take import imagine_on
from pbem.match.tally import Tally
from pbem.match.way import Way, answers_told, imagined
from pbem.records import NamedTuple
from pbem.rules.requests import Answer, Chance, Draw, Roll

__all__ = ["SURE", "Futures", "all_looked_at", "futures"]

SURE = 20
"""Futures that must at least have been played out before what was so in all of them counts as certain."""

AGAIN = 3
"""How many times as many futures are looked at when an order has lapsed in all so far."""


class Futures(NamedTuple):
    """What may come of orders: lapses, ends of the game, how many futures were played out, who makes the choices there.

    `unused` are the orders, each with its line and why, that are carried out in none, without a lapse; none are named
    where the futures are too few. `idle` names the other player where he decides between the orders and plans behind
    them, and is taken to do nothing then. `comes` tells what each order comes to, `dangers` what
    threatens behind all of them.
    `behind` are plans behind a decision with which futures end, `asks` who is asked it. `stops` are the conditions to
    stop that don't hold in all futures. `replies` are the answers of `replied`, as canonical JSON, each with the number
    of futures in which it came, `theirs` the orders of the other player that surely lapse, `may_end` says that he can
    end the phase before orders that are left for it, or is asked before they come to their turn, `heeded` which
    standing orders and answers are used.
    """

    lapses: list[Lapse]
    endings: list[Ending]
    played: int
    answers: list[str]
    unused: list[tuple[int, Part, str]]
    idle: str
    comes: Comes
    dangers: Sequence[str] = ()
    behind: Sequence[tuple[int, Part]] = ()
    asks: str = ""
    stops: Sequence[Stop] = ()
    replies: Mapping[bytes, int] = {}
    theirs: Sequence[str] = ()
    may_end: Sequence[str] = ()
    heeded: Sequence[str] = ()


def futures(
    table: Table, side: str, parts: list[tuple[int, Part]], chance: Chance | None, runs: int, most: int
) -> Futures:
    """What comes of an entry when it is played out with random dice, in so many runs; by its `chances_of`, or a chance.

    Several orders may stand on one line. Up to the first chance all futures are one, which is played once. Of what has
    lapsed in all of them more are looked at, `most` of all.
    """
    way = Way(side)
    common = imagined(table, side, parts)
    heeded = Heeded(table, side, parts, common)
    sure = way.on(common, lambda _: None)
    dice = isinstance(common.game.request, Roll | Draw)
    runs = runs if dice else 1
    tally, comes = Tally(table, side, parts), Comes(common)
    ahead, before, chances = common, way.choices, chances_of(common)
    falls: Chance = chance or Steady(0)

    def chancer(request: Roll | Draw) -> Answer:
        comes.look(ahead, common.steps)
        return chance_answer(request, falls)

    again = all_looked_at(runs, most)
    while tally.played < runs or (SURE <= runs <= tally.played < again and tally.none_left()):
        ahead, way.choices, way.first, falls = common.fork(), [], "", chance or next(chances)
        imagine_on(ahead, chancer)
        later = way.on(ahead, chancer)
        if sure is None and later is not None:
            later += len(common.steps)
        choices = [*before, *(c._replace(steps=[*common.steps, *c.steps]) for c in way.choices)]
        tally.count(ahead, common.steps, sure=later if sure is None else sure, choices=choices, first=way.first)
        tally.look_out(ahead)
        comes.count([*common.steps, *ahead.steps])
        heeded.count([*common.steps, *ahead.steps])
    enough = not dice or tally.played >= SURE
    unused, stops = (tally.unused(ahead), tally.stops(ahead)) if enough else ([], [])
    idle = tally.other if way.idle else ""
    answers = answers_told(table, side, tally.answers, asked=way.asked, but=heeded.words())
    known = not (dice or way.asked or way.idle)
    lapses, ends, dangers = tally.lapses(), tally.endings(), [*tally.dangers()]
    otherwise = [*(line for line, *_ in unused), *(lapse.line for lapse in lapses if lapse.never)]
    given = [*heeded.told(known=known, but=otherwise)]
    found = Futures(
        lapses, ends, tally.played, answers, unused, idle, comes, dangers, tally.behind(), tally.asks, stops
    )
    held_up = [*tally.may_end(), *tally.waits()]
    found = found._replace(replies=tally.replies, theirs=[*tally.theirs_lapsed()], may_end=held_up)
    return found._replace(heeded=given)


def all_looked_at(runs: int, most: int) -> int:
    """So many futures are looked at of what lapses in all."""
    return min(most, (1 + AGAIN) * runs)
