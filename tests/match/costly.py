"""The costliest legal entries of a system: as many and as long orders as an entry holds, in shapes that take long."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

from matches import Match, planned, replayed, scenario_of, signer, statements, write_home

from pbem.desk.desk import Desk
from pbem.home.folders import Home
from pbem.match.table import Table
from pbem.rules import State
from pbem.rules.requests import Choose, Order, Words

__all__ = ["BODY_MAX", "SHAPES", "STATEMENTS_MAX", "Moment", "filled", "moments"]

BODY_MAX = 262_144 - 5_600
"""Bytes of an entry's orders; what is left is its header."""
STATEMENTS_MAX = 4_980
STATEMENT_MAX = 4_096

WAYS = ("north-east", "east", "south-east", "south-west", "west", "north-west")


class Moment(NamedTuple):
    """A match at a decision: the side and player asked, the names of units and hexes to write orders with."""

    match: Match
    side: str
    player: str
    own: list[str]
    enemy: list[str]
    hexes: list[str]
    options: list[Words]

    @property
    def system(self) -> str:
        """The system's name."""
        return str(self._situation["system"])

    @property
    def at(self) -> dict[str, str]:
        """The units on the map, with the numbers of their hexes."""
        return {unit["id"]: unit["at"] for unit in self._situation["units"] if unit["at"]}

    @property
    def _situation(self) -> dict[str, Any]:
        return self.table.rules.situation(self.table.game.state)

    @property
    def table(self) -> Table:
        """The state of play."""
        return self.match.table


def _advised(match: Match, share: float) -> Callable[[State, Choose, random.Random], Order]:
    """A chooser that plays sensibly, but for a share of its orders."""

    def choose(state: State, request: Choose, chance: random.Random) -> Order:
        advice = match.table.rules.advise(state, request, chance)
        return request.sample(chance) if chance.random() < share else advice

    return choose


def moments(scenario_id: str, most: int = 60, **terms: str) -> dict[str, Moment]:
    """For each kind of decision the moment of a match at which the most orders were legal."""
    match, chance = Match(scenario_of(scenario_id), 1, None, **terms), random.Random(scenario_id)
    choosers = {name: _advised(match, 0.1) for name in match.sides}
    blocks: dict[str, tuple[int, int]] = {}
    while len(match.blocks) < most:
        what, name = match.due()
        if name is None:
            break
        request = match.table.game.request
        if what != "reveal" and isinstance(request, Choose):
            count = len(list(request.options()))
            if count > blocks.get(request.kind, (0, 0))[0]:
                blocks[request.kind] = count, len(match.blocks)
        text = "" if what == "reveal" else statements(planned(match.table, match.sides[name], choosers[name], chance))
        match.play(text)
    return {kind: _moment(match, length) for kind, (_, length) in blocks.items()}


def _moment(match: Match, length: int) -> Moment:
    """The match as it was with so many blocks."""
    earlier = object.__new__(Match)
    earlier.__dict__.update(match.__dict__)
    earlier.blocks = match.blocks[:length]
    table = replayed(earlier.log).table
    assert table is not None
    earlier.table = table
    _, name = earlier.due()
    assert name is not None
    request, side, board = table.game.request, match.sides[name], table.board
    assert isinstance(request, Choose)
    options = [table.rules.order_words(board, order) for order in request.options()]
    alone = table.rules.situation(table.game.state)["system"] == "gcacw"  # its leaders do nothing alone
    units = {unit.id: unit.side for unit in board.units.values() if not (alone and unit.leader)}
    own = [unit for unit in units if units[unit] == side]
    enemy = [unit for unit in units if units[unit] != side]
    return Moment(earlier, side, name, own, enemy, sorted(board.label.values()), options)


def desk_of(m: Moment, root: Path) -> Desk:
    """The other player at a home folder of his own, as it is before the entry comes."""
    reader = next(name for name in m.match.sides if name != m.player)
    write_home(m.match, reader, root)
    return Desk(Home(root), lambda: signer(reader), os.urandom)


# --- orders ----------------------------------------------------------------------------------------------------------


def filled(orders: Iterable[str], most: int = BODY_MAX) -> str:
    """As many of these orders as an entry holds, or so many bytes."""
    lines, size = [], 0
    for order in islice(orders, STATEMENTS_MAX):
        size += len(order) + 2
        if size > most:
            break
        lines.append(f"{order};\n")
    return "".join(lines)


def long(begin: str, words: Iterable[str], end: str = "", size: int = STATEMENT_MAX) -> str:
    """One statement as long as may be (or of `size` bytes): its begin, these words over and over, its end."""
    found, room = [begin], size - len(begin) - len(end) - 3
    for word in words:
        room -= len(word) + 1
        if room < 0:
            break
        found.append(word)
    return " ".join([*found, end] if end else found)


def _walks(m: Moment) -> list[Words]:
    """Legal moves and marches that end on the map, the longest first."""
    keywords = ("move", "march", "enter", "retreat")
    found = [words for words in m.options if words[0] in keywords and words[-1] != "off" and "attack" not in words]
    return sorted(found, key=len, reverse=True)


def _zigzags(m: Moment, size: int, keywords: tuple[str, ...]) -> Iterator[str]:
    """Moves of each unit along a legal way, then to and fro between its two last hexes."""
    walks = [words for words in _walks(m) if words[0] in keywords and len(words) > 3] or _walks(m)
    by_unit = list({words[1]: words for words in reversed(walks)}.values())
    for words in cycle(by_unit) if by_unit else ():
        yield long(" ".join(words), cycle(words[-2:]), size=size)


def _with(m: Moment, keyword: str, units: list[str], size: int, end: str = "") -> Iterator[str]:
    """Fights with long lists of units."""
    begun = list({words[1:4]: words for words in m.options if words[0] == keyword}.values())
    for words in cycle(begun) if begun else ():
        yield long(f"{' '.join(words[:4])} with", cycle(units), end, size)


def _near_first(m: Moment, keyword: str) -> list[str]:
    """The units that fight somewhere, then all others: the first ones are legal supporters."""
    fighting = dict.fromkeys(unit for words in m.options if words[0] == keyword for unit in (words[1], *words[5:]))
    return [unit for unit in [*fighting, *m.own] if unit in m.own]


def _advances(m: Moment, size: int) -> Iterator[str]:
    """Hand-to-hand combats with advances of everybody; only the one system has these."""
    begun = list({words[1:4]: words for words in m.options if words[0] == "melee"}.values())
    for words in cycle(begun) if begun and m.system == "yukimura" else ():
        yield long(" ".join(words[:4]), (f"advance {unit}" for unit in cycle([words[1], *m.own])), size=size)


def _advance_ways(m: Moment) -> Iterator[str]:
    """Hand-to-hand combats with a long way of advance."""
    begun = [words for words in m.options if words[0] == "melee"]
    for words in cycle(begun) if begun and m.system == "yukimura" else ():
        yield long(f"{' '.join(words)} advance {words[1]}", cycle([m.at[words[3]]]))


def _wrong_answers(m: Moment, size: int) -> Iterator[str]:
    """What is asked, answered with a way that stays where it has begun."""
    begun = [words[:3] for words in m.options if words[0] in ("retreat", "advance") and len(words) > 2]
    for words in cycle(begun) if begun else ():
        yield long(" ".join(words), cycle([words[2]]), size=size)


def _tests(tests: Iterator[str], order: str) -> Iterator[str]:
    """Orders behind as many conditions as a statement holds."""
    while True:
        begin = f"if {next(tests)}"
        words = [f"and {test}" for test in islice(tests, (STATEMENT_MAX - len(order) - 60) // (len(begin) + 4))]
        yield f"{begin} {' '.join(words)} then {order}"


def _near(m: Moment) -> Iterator[str]:
    """Orders under conditions for which each enemy is looked at; only the one system has these."""
    return _tests((f"not near {unit} 0" for unit in cycle(m.own)), _idle(m)) if m.system == "gcacw" else iter(())


def _first(m: Moment) -> str:
    """An order that is legal, and not the end of the phase."""
    return " ".join(next((words for words in m.options if words != ("done",)), ("done",)))


def _idle(m: Moment) -> str:
    """An order that lapses at once."""
    return _idle_of(m, m.own[0], m.hexes[0])


def _idle_of(m: Moment, unit: str, h: str) -> str:
    """Such an order for a unit that is far from a hex."""
    return f"{'march' if m.system == 'gcacw' else 'retreat'} {unit} {h}"


def _there_and_back(m: Moment, unit: str, size: int) -> str:
    """A march of a unit to and fro, with one step in the middle that can't be made."""
    walk = next((words for words in _walks(m) if words[:2] == ("march", unit) and len(words) > 3), None)
    if walk is None:
        return f"march {unit} {m.hexes[0]}"
    begin, ends = " ".join(walk), walk[-2:]
    there = long(begin, cycle(ends), size=size // 2)
    return long(f"{there} {m.hexes[0]}", cycle(ends), size=size)


def _activations(m: Moment, size: int) -> Iterator[str]:
    """Activations in which a unit is named twice, first with a long way."""
    alone = [words for words in m.options if words[0] == "activate" and words[4:] and words[4] in m.hexes]
    for words in cycle({words[1:4]: words for words in alone}.values()):
        unit = words[3]
        yield f"activate {words[1]} {_there_and_back(m, unit, size - 60)} march {unit} {words[4]}"


def _many_marches(m: Moment, keyword: str) -> Iterator[str]:
    """Activations with as many marches as a statement holds, by the leader's units in turn, or with him each time."""
    begun = list({words[1]: words for words in m.options if words[0] == "activate"}.values())
    for words in cycle(begun):
        led = [other[3] for other in m.options if other[:2] == words[:2]]
        along = f" with {words[1]}" if keyword else ""
        yield long(f"activate {words[1]}", (f"march {unit}{along} {m.hexes[0]}" for unit in cycle(dict.fromkeys(led))))


def _with_leaders(m: Moment) -> Iterator[str]:
    """Marches with the same leader again and again, and a last step that can't be made."""
    begun = [words for words in m.options if words[0] == "march" and "with" in words and "attack" not in words]
    for words in cycle(begun):
        at = words.index("with")
        leaders = long(" ".join(words[: at + 2]), cycle([words[at + 1]]), size=STATEMENT_MAX // 2)
        yield long(leaders, cycle([*words[at + 2 :], m.hexes[0]]))


def _standing(m: Moment, words: Iterable[str], units: Iterable[str]) -> Iterator[str]:
    """Orders for what will be asked; in gcacw one goes towards one hex, and the longest say who loses first."""
    known = list(words)
    for number, unit in enumerate(units):
        if m.system == "gcacw":
            yield f"standing retreat {unit} {m.hexes[number]}"
            yield long(f"standing lose {unit}", cycle(m.own))
        else:
            yield long(f"standing retreat {unit}", cycle(known))


def _attacks(m: Moment) -> Iterator[str]:
    """Fights, each with all who can, as they come."""
    fights = [words for words in m.options if words[0] in ("fire", "melee")]
    for words in sorted(fights, key=len, reverse=True):
        yield " ".join(words)


def _turn(m: Moment) -> Iterator[str]:
    """A plan for a turn: marches and activations of everybody, again and again, of which most lapse in the end."""
    there = (_there_and_back(m, unit, 1_000) for unit in m.own)
    return cycle([*there, *islice(_activations(m, 1_000), 20), *(" ".join(words) for words in _walks(m)[:40])])


SHAPES: dict[str, Callable[[Moment], Iterable[str]]] = {
    "zigzag moves of 4096 bytes": lambda m: _zigzags(m, STATEMENT_MAX, ("move", "enter", "retreat")),
    "zigzag moves of 200 bytes": lambda m: _zigzags(m, 200, ("move", "enter", "retreat")),
    "zigzag moves of 60 bytes": lambda m: _zigzags(m, 60, ("move", "enter", "retreat")),
    "zigzag marches of 4096 bytes": lambda m: _zigzags(m, STATEMENT_MAX, ("march",)),
    "zigzag marches of 60 bytes": lambda m: _zigzags(m, 60, ("march",)),
    "fires with all, again and again": lambda m: _with(m, "fire", _near_first(m, "fire"), STATEMENT_MAX),
    "fires with one, again and again": lambda m: _with(m, "fire", _near_first(m, "fire")[:1], STATEMENT_MAX),
    "fires with a few": lambda m: _with(m, "fire", _near_first(m, "fire"), 60),
    "melees with all, again and again": lambda m: _with(m, "melee", _near_first(m, "melee"), STATEMENT_MAX),
    "melees with one, again and again": lambda m: _with(m, "melee", _near_first(m, "melee")[:1], STATEMENT_MAX),
    "melees with a few": lambda m: _with(m, "melee", _near_first(m, "melee"), 60),
    "melees with advances": lambda m: _advances(m, STATEMENT_MAX),
    "melees with short advances": lambda m: _advances(m, 80),
    "melees with long ways of advance": _advance_ways,
    "conditions on units": lambda m: _tests((f"alive {unit}" for unit in cycle(m.own)), _idle(m)),
    "conditions on hexes": lambda m: _tests((f"not held {h} {m.side}" for h in cycle(m.hexes)), _idle(m)),
    "conditions on empty hexes": lambda m: _tests(cycle([f"empty {_empty(m)}"]), _idle(m)),
    "conditions on words": lambda m: _tests(cycle([f"not is {m.own[0]} {_word(m)}"]), _idle(m)),
    "conditions on enemies": lambda m: _near(m),
    "stops": lambda m: (f"stop if not alive {unit}" for unit in cycle(m.own)),
    "stops and orders": lambda m: (o for o in cycle([f"stop if not alive {m.own[0]}", _idle(m)])),
    "orders that lapse": lambda m: cycle([_idle(m)]),
    "orders of all units that lapse": lambda m: (_idle_of(m, u, h) for h in cycle(m.hexes) for u in m.own),
    "strict again and again": lambda m: (*["strict"] * (STATEMENTS_MAX - 1), _idle(m)),
    "activations of a long way": lambda m: _activations(m, STATEMENT_MAX),
    "activations of a way": lambda m: _activations(m, 300),
    "activations of many": lambda m: _many_marches(m, ""),
    "activations of many with their leader": lambda m: _many_marches(m, "with"),
    "marches with a leader, again and again": _with_leaders,
    "a plan for a turn": lambda m: _turn(m) if m.system == "gcacw" else (),
    "strict orders": lambda m: cycle(["strict", f"if gone {m.own[0]} then done"]),
    "done under conditions": lambda m: cycle([f"if gone {m.own[0]} then done"]),
    "orders in mixed steps": lambda m: cycle([_idle(m), _first(m)]),
    "retreats that stand": lambda m: (*_standing(m, m.hexes, m.own[:30]), *_attacks(m)),
    "retreats that stand for any": lambda m: (*_standing(m, m.hexes, ["any"] * 60), *_attacks(m)),
    "directions that stand": lambda m: (*_standing(m, WAYS, m.own[:60]), *_attacks(m)),
    "attacks by all": _attacks,
    "answers": lambda m: (" ".join(words) for words in cycle(m.options[:-1])),
    "wrong answers": lambda m: _wrong_answers(m, 30),
    "long wrong answers": lambda m: _wrong_answers(m, STATEMENT_MAX),
    "talk": lambda m: ["say a b c d e f g h"] * 180,
}


def _empty(m: Moment) -> str:
    """A hex where nobody stands."""
    taken = set(m.at.values())
    return next(number for number in m.hexes if number not in taken)


def _word(m: Moment) -> str:
    """What a unit can be asked."""
    return {"bakumatsu": "artillery", "gcacw": "held"}.get(m.system, "pinned")
