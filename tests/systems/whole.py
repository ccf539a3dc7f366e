"""Whole games by mail, as games/SYSTEM/games.yaml tells them: how one is made, its log, what it comes to.

A game there has, each but `scenario` and `players` where it matters:

    scenario, options, terms    as an offer names them; `most` entries, then whoever is due gives up
    players     side -> what the adapter makes a chooser of
    standing    side -> standing orders that lead its orders in all entries `before` a number
    plans       `turn`: each entry orders what is left of the turn, as it would go for some dice
    dress       a function of the adapter that puts more statements round the orders
    clauses     of the rulebook, that the game shows
    ends        the clause and the winner;  finally: conditions that hold then, or `not` hold
    told        events that were told, each so many `times` where that is said;  never: events that weren't
    last        the last of all events
    answers     how the sides answered -> keywords of some answers; in no other way, and both sides
    entries, statements     kind of entry, keyword of a statement -> how many at least
    stops, lapses           reasons of stops; how many orders lapsed for a clause at least

An event is told by its kind, `in` which turn and phase, and facts: a pattern with `*` for what stands between (items of
lists are parted by blanks), a number, or one that it is `< 4` or `> 3`.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from matches import MOST_ENTRIES, Chooser, Dress, Match, replayed, scenario_of, statements

from pbem.match.chances import chance_answer
from pbem.match.replay import Replayed
from pbem.match.table import Table
from pbem.rules.requests import Choose, Words
from systems.adapters import ADAPTERS

__all__ = [
    "GAMES", "JUDGES", "Whole", "expected", "log_of", "missing", "read_log", "table_of", "wanted_game", "wholes",
]  # fmt: skip

GAMES = Path(__file__).parent / "games"


class Whole(NamedTuple):
    """How a game is made: scenario, choosers, what is put round orders, options, terms, the most entries."""

    scenario: str
    choosers: tuple[Chooser, Chooser]
    dress: Dress | None
    options: Mapping[str, str]
    terms: Mapping[str, str]
    most: int
    wanted: Mapping[str, Any]

    def begun(self, number: int) -> Match:
        """The game of this number, which gives the gnonces, before its first entry."""
        return Match(scenario_of(self.scenario), number, self.options, **self.terms)

    def play(self, number: int) -> Match:
        """The game of this number to its end; the number gives the whims, too."""
        match = self.begun(number)
        match.run(dict(zip(match.sides, self.choosers, strict=True)), random.Random(number), self.dress, self.most)
        if match.due()[0] != "nothing":
            match.resign()
        return match


@cache
def wholes(system: str) -> dict[str, Whole]:
    """The games of a system; any one of each way of ending."""
    found = yaml.safe_load((GAMES / system / "games.yaml").read_text("ascii"))
    return {name: _whole(system, p) for name, p in found.items()}


def _whole(system: str, p: dict[str, Any]) -> Whole:
    adapter = ADAPTERS[system]
    first, second = map(adapter.player, p["players"].values())
    dress = getattr(adapter, p["dress"]) if "dress" in p else standing(p["standing"]) if "standing" in p else None
    dress = whole_turns(dict(zip(p["players"], (first, second), strict=True))) if "plans" in p else dress
    options, terms, most = p.get("options", {}), p.get("terms", {}), p.get("most", MOST_ENTRIES)
    return Whole(p["scenario"], (first, second), dress, options, terms, most, p)


def standing(said: Mapping[str, Any]) -> Dress:
    """Puts the standing orders of a side before its orders in the first entries."""

    def dress(match: Match, what: str, side: str, orders: Any, chance: random.Random) -> str:
        first = said.get(side, ()) if match.table.seq < said["before"] else ()
        return "".join(f"standing {words};\n" for words in first) + statements(orders)

    return dress


def wanted_game(system: str, name: str) -> tuple[int, Match]:
    """The stored game while it comes out as wanted, else the first that does: a changed scenario changes all dice."""
    whole, stored = wholes(system)[name], expected(system).get(name)
    for number in [stored["number"], *range(200)] if stored else range(200):
        match = whole.play(number)
        if not missing(whole, replayed(match.log)):
            return number, match
    raise AssertionError(f"no game came out as {name}; the last: {match.table.outcome}")


def whole_turns(choosers: Mapping[str, Chooser]) -> Dress:
    """Lets each side order what is left of the turn in one entry."""

    def dress(match: Match, what: str, side: str, orders: Any, chance: random.Random) -> str:
        return statements(rest_of_turn(match.table, side, choosers, chance))

    return dress


def rest_of_turn(table: Table, side: str, choosers: Mapping[str, Chooser], chance: random.Random) -> Iterator[Words]:
    """What a side orders to the end of the turn, for some dice and with the other side doing as its chooser does."""
    game, turn = table.game.fork(), table.game.state.turn
    while (request := game.request) is not None and game.state.turn == turn:
        if not isinstance(request, Choose):
            game.apply(chance_answer(request, chance))
            continue
        order = choosers[request.side](game.state, request, chance)
        if request.side == side and not request.reaction:
            yield game.rules.order_words(game.board, order)
        game.apply(order)
    yield ("done",)


# --- logs ----------------------------------------------------------------------------------------------------------


@cache
def log_of(system: str, name: str) -> str:
    """The text of a log."""
    return (GAMES / system / f"{name}.log").read_text("ascii")


@cache
def read_log(system: str, name: str) -> Replayed:
    """A log as it is read; not to be changed."""
    return replayed(log_of(system, name))


def table_of(system: str, name: str) -> Table:
    """The table of a log; not to be changed."""
    table = read_log(system, name).table
    assert table is not None
    return table


@cache
def expected(system: str) -> dict[str, Any]:
    """What each log of a system comes to."""
    found: dict[str, Any] = json.loads((GAMES / system / "expected.json").read_text("ascii"))
    return found


# --- what a game came to -------------------------------------------------------------------------------------------


def missing(whole: Whole, found: Replayed) -> list[str]:
    """In what a game isn't as it was wanted."""
    assert found.table is not None
    wrong: list[str] = []
    for word, judge in JUDGES.items():
        if word in whole.wanted:
            wrong += (f"{word}: {what}" for what in judge(whole.wanted[word], found, found.table))
    return wrong


def tells(table: Table) -> list[dict[str, Any]]:
    """All events: their facts, kind, turn and phase."""
    return [{**s["facts"], "what": s["what"], "in": s["turn"], "phase": s["phase"]} for s in _steps("tell", table)]


def fits(pattern: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    """Whether an event is as a pattern says."""
    return all(_same(wanted, told.get(key)) for key, wanted in pattern.items() if key != "times")


def _same(wanted: Any, value: Any) -> bool:
    if isinstance(wanted, str) and wanted[:2] in ("< ", "> "):
        least, most = (float(wanted[2:]), value) if wanted[0] == ">" else (value, float(wanted[2:]))
        return value is not None and bool(least < most)
    if isinstance(wanted, str) and value is not None:
        return fnmatchcase(" ".join(map(str, value)) if isinstance(value, list) else str(value), wanted)
    return bool(wanted == value)


def _ends(wanted: list[str | None], _: Replayed, table: Table) -> Iterator[str]:
    found = table.outcome
    if found is None or [found.clause, found.winner] != wanted:
        yield str(found)


def _finally(wanted: list[str], _: Replayed, table: Table) -> Iterator[str]:
    for words in wanted:
        test = table.rules.read_test(table.board, tuple(words.removeprefix("not ").split()))
        if table.rules.test(table.game.state, test) == words.startswith("not "):
            yield words


def _last(wanted: list[dict[str, Any]], _: Replayed, table: Table) -> Iterator[str]:
    found = tells(table)[-len(wanted) :]
    yield from (str(told) for pattern, told in zip(wanted, found, strict=True) if not fits(pattern, told))


def _told(wanted: list[dict[str, Any]], _: Replayed, table: Table) -> Iterator[str]:
    for pattern in wanted:
        count = sum(fits(pattern, told) for told in tells(table))
        if count != pattern.get("times", count or 1):
            yield f"{pattern}: {count} times"


def _never(wanted: list[dict[str, Any]], _: Replayed, table: Table) -> Iterator[str]:
    yield from (str(told) for told in tells(table) if any(fits(pattern, told) for pattern in wanted))


def _answers(wanted: dict[str, list[str]], _: Replayed, table: Table) -> Iterator[str]:
    answers = [step for step in table.steps if step["kind"] == "answer"]
    given = Counter((step["how"], step["words"][0]) for step in answers)
    yield from (f"nobody gave {how} {word}" for how, words in wanted.items() for word in words if not given[how, word])
    yield from (f"given {how}" for how, _ in given if how not in wanted)
    if {step["side"] for step in answers} != set(table.board.enemy):
        yield "one side was not asked"


def _at_least(name: str, count: Callable[[Replayed], Counter[str]]) -> Callable[..., Iterator[str]]:
    def judge(wanted: dict[str, int], found: Replayed, _: Table) -> Iterator[str]:
        counted = count(found)
        yield from (f"{counted[word]} {word}" for word, least in wanted.items() if counted[word] < least)

    return judge


def _steps(kind: str, table: Table) -> list[dict[str, Any]]:
    return [step for step in table.steps if step["kind"] == kind]


JUDGES: dict[str, Callable[..., Iterator[str]]] = {
    "ends": _ends,
    "finally": _finally,
    "last": _last,
    "told": _told,
    "never": _never,
    "answers": _answers,
    "entries": _at_least("entries", lambda found: Counter(entry.kind for _, entry, _ in found.turns)),
    "statements": _at_least(
        "statements", lambda found: Counter(s.keyword for _, entry, _ in found.turns[2:] for s in entry.body)
    ),
    "stops": lambda wanted, _, table: set(wanted) - {step["reason"] for step in _steps("stop", table)},
    "lapses": lambda least, _, table: [least] * (sum(bool(s["clause"]) for s in _steps("lapse", table)) < least),
}
"""What a game's file may ask -> how it isn't so."""
