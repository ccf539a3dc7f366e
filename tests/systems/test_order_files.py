"""Orders as people write them, in every system: each free form has one canonical result, or is refused."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest
from matches import scenario_of

from pbem.errors import AmbiguousOrder, IllegalOrder, MalformedOrder
from pbem.match.game import Game
from pbem.match.orders import read_canonical
from pbem.rules import rules_of
from pbem.rules.requests import Choose, FormEntry, Words
from pbem.wire.orderfile import parse_statements
from pbem.wire.statements import Statement
from systems.adapters import ADAPTERS
from systems.random_play import board_of
from systems.test_perft import position

SCENARIOS = ("toba-fushimi", "tabaruzaka", "domyoji", "connected")
GO = ("move", "march", "enter", "retreat", "displace", "advance", "setup")


def moments(name: str, seed: int, most: int) -> Iterator[Game]:
    """A random game's decisions."""
    chance = random.Random(seed)
    rules = rules_of(scenario_of(name).system)
    game = Game.new(rules, board_of(name), {})
    for _ in range(most):
        request = game.request
        if request is None:
            return
        if isinstance(request, Choose):
            yield game
            game.apply(request.sample(chance))
        else:
            from pbem.match.chances import chance_answer

            game.apply(chance_answer(request, chance))


def decided(name: str, seed: int, most: int, wanted: Callable[[int, str], bool]) -> Iterator[tuple[Game, list[Words]]]:
    """Those of a random game's decisions that are wanted, by number and kind, with the options in words."""
    for number, game in enumerate(moments(name, seed, most)):
        assert isinstance(game.request, Choose)
        if wanted(number, game.request.kind):
            yield game, [game.rules.order_words(game.board, order) for order in game.request.options()]


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_is_named_by_its_end_alone_is_the_cheapest_order_that_ends_there(name: str) -> None:
    """Each option of a unit is found again by its keyword, unit and end; `options` lists the cheapest way to each."""
    chance, seen = random.Random(5), set[str]()
    for game, options in decided(name, 3, 700, lambda number, kind: not (number % 9 and kind in ("move", "setup"))):
        request, rules, board = game.request, game.rules, game.board
        assert isinstance(request, Choose)
        ways = [words for words in options if words[0] in GO and words[-1][-1:].isdigit() and len(words) > 2]
        for words in chance.sample(ways, min(12, len(ways))):
            how = words[:3] if words[2] in ("move", "march") else words[:2]
            found = rules.way(game.state, request, (*how, "to", words[-1]))
            got = rules.order_words(board, found)
            assert request.why_not(found) is None
            assert (got[0], got[1], got[-1]) == (words[0], words[1], words[-1])
            assert got == words or words[0] in ("enter", "retreat", "advance")
            seen.add(words[0])
    assert seen >= {"move", "march"}


@pytest.mark.parametrize("name", SCENARIOS)
def test_where_no_way_leads_there_is_a_reason(name: str) -> None:
    """Every hex that no option of a unit ends in is refused, with a clause that the rules have."""
    chance, told = random.Random(6), set[str]()
    for game, options in decided(name, 4, 500, lambda number, kind: kind == "move" and number % 23 == 0):
        request, rules, board = game.request, game.rules, game.board
        assert isinstance(request, Choose)
        units = [unit for unit in board.units if chance.random() < 0.2]
        for unit in units:
            for keyword in ("move", "march", "enter"):
                ends = {words[-1] for words in options if words[:2] == (keyword, unit)}
                ends |= {words[2] for words in options if words[:2] == ("enter", unit) and len(words) > 2}
                h = chance.choice(sorted(board.label.values()))
                if h in ends or h in entry_hexes(board):  # where `enter U` ends
                    continue
                with pytest.raises(IllegalOrder) as refused:
                    rules.way(game.state, request, (keyword, unit, "to", h))
                told.add(refused.value.clause)
    assert len(told) > 4


@pytest.mark.parametrize("name", SCENARIOS)
def test_words_that_go_nowhere_are_left_to_others(name: str) -> None:
    game = next(moments(name, 1, 400))
    request, unit = game.request, next(iter(game.board.units))
    assert isinstance(request, Choose)
    for words in (
        ("fire", unit, "to", unit),
        ("move", unit, "0101"),
        ("done",),
        ("move", "to", unit),
        ("move", unit, "to"),
    ):
        assert game.rules.way(game.state, request, words) is None
    for wrong in (("move", "nobody", "to", "0101"), ("move", unit, "to", "nowhere"), ("move", unit, "0101", "to", "x")):
        with pytest.raises((MalformedOrder, AmbiguousOrder)):
            game.rules.way(game.state, request, wrong)


def entry_hexes(board: Any) -> set[str]:
    """The numbers of the hexes where sides enter."""
    return {board.label[side.entry] for side in board.sides if getattr(side, "entry", None) is not None}


# --- what is signed stays as strict as it was ----------------------------------------------------------------------


def free_forms(board: Any, words: Words, chance: random.Random) -> Iterator[Words]:
    """Other ways to write a canonical order."""
    for i, word in enumerate(words[1:], 1):
        others: list[str] = [word.upper()]
        if word in board.units:
            unit = board.units[word]
            others += [
                unit.name.lower().replace(" ", "_"),
                unit.short.lower(),
                word.replace("-0", "-"),
                word.split("-")[1],
            ]
        if word in (places := {board.label[h]: n for m in maps_of(board) for n, h in m.places.items()}):
            others.append(places[word].lower().replace(" ", "_"))
        for other in others:
            if other != word:
                yield (*words[:i], other, *words[i + 1 :])
    if words[0] in GO:
        yield (*words[:-1], "to", words[-1])


def maps_of(board: Any) -> list[Any]:
    return [board.map] if hasattr(board, "map") else list(board.maps.values())


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_free_form_stands_in_a_log(name: str) -> None:
    """Whoever reads a log takes the canonical words alone: every other way to write them is refused there."""
    chance, tried = random.Random(8), 0
    for number, game in enumerate(moments(name, 9, 300)):
        request, rules, board = game.request, game.rules, game.board
        assert isinstance(request, Choose)
        if number % 5:
            continue
        words = rules.order_words(board, request.sample(chance))
        assert read_canonical(rules, board, request.side, [Statement(words[0], words[1:])])
        for free in free_forms(board, words, chance):
            tried += 1
            with pytest.raises((MalformedOrder, AmbiguousOrder)):
                read_canonical(rules, board, request.side, [Statement(free[0], free[1:])])
    assert tried > 100


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_unit_and_place_is_called_by_its_names_or_the_word_is_refused_with_all_that_fit(name: str) -> None:
    board, rules = board_of(name), rules_of(scenario_of(name).system)
    h, several = next(iter(board.label.values())), 0
    for side, units in board.of_side.items():
        for unit in units:
            ids = (unit, unit.upper(), unit.replace("-0", "-"))
            for called in (*ids, board.units[unit].name, board.units[unit].short):
                read = partial(rules.read_order, board, side, typed(f'Move "{called}" {h}'))
                if called in ids or alone(board, units, called):
                    assert read().unit == unit
                    continue
                several += 1
                with pytest.raises(AmbiguousOrder) as refused:
                    read()
                assert unit in refused.value.hint
    for m in maps_of(board):
        for place, at in m.places.items():
            assert rules.read_order(board, side, typed(f'move {unit} "{place}"')).path == (at,)
    assert several < 10


def typed(text: str) -> Words:
    (((_, statement),), wrong) = parse_statements(text)
    assert not wrong
    return (statement.keyword, *statement.tokens)


def alone(board: Any, units: Sequence[str], called: str) -> bool:
    """Whether one unit of these alone has this name or short name."""
    return sum(called in (board.units[unit].name, board.units[unit].short) for unit in units) == 1


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_form_lists_every_unit_and_says_of_those_without_orders_why(name: str) -> None:
    """In random games: who has no order in it has none among the options either; `to HEX` means the order it is for."""
    seen, short = set[str](), 0
    for number, game in enumerate(moments(name, 4, 500)):
        request, rules, board = game.request, game.rules, game.board
        assert isinstance(request, Choose)
        if request.reaction or request.kind == "beside" or (request.kind in seen and number % 23):
            continue
        seen.add(request.kind)
        entries = list(rules.form(game.state, request))
        listed = {word for entry in entries for words, _ in entry.orders for word in words}
        said = [entry for entry in entries if not entry.orders and "in hand may enter" not in entry.heading]
        (idle,) = said or [FormEntry("", ())]
        told = {unit for note in idle.notes for unit in re.findall(r"[a-z]{2}-[0-9]{2}\b", note.partition(": ")[0])}
        able = {word for order in request.options() for word in rules.order_words(board, order)}
        units = set(board.of_side[request.side])
        assert told == units - able, "whom the rules leave an order, and nobody else, has one in the form"
        assert units - listed == told
        assert all(re.search(r": .+ \[[^]]+\]$", note) for note in idle.notes), "a reason with its clause"
        for entry in entries:
            for words, typed in entry.typed.items():
                way = rules.read_order(board, request.side, words)
                if typed != words:
                    assert rules.way(game.state, request, typed) == way
                    short += 1
    assert "move" in seen
    assert len(seen) > 1 or name == "tabaruzaka", "where players at random don't meet"
    assert short > 50


def test_a_form_says_how_many_of_a_hand_may_come_the_guns_behind_the_others_too() -> None:
    """Two are called, a man and a gun are in hand: the gun may follow as soon as he has come."""
    p = position("bakumatsu", "two-gates")
    hand = {"government": [], "saigo": ["sg-05", "sg-20"]}
    game = ADAPTERS["bakumatsu"].game_at({**p, "at": {"sg-01": "0330"}, "done": [], "hand": hand, "disordered": []})
    assert isinstance(game.request, Choose)
    first = next(iter(game.rules.form(game.state, game.request)))
    assert first.heading == "2 units of 2 in hand may enter"
    assert "[15-2-5(1)2]" in first.notes[-1]
    for words in (("enter", "sg-05", "move", "0130"), ("enter", "sg-20")):
        game.apply(game.rules.read_order(game.board, "saigo", words))
