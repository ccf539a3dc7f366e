"""The order language of every system under any words: what is read has words, and what has words is read."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import AmbiguousOrder, MalformedOrder, OrderError
from pbem.match.game import Game
from pbem.match.orders import Act, Standing, StopIf, read_parts
from pbem.rules import Board, Rules, rules_of
from pbem.rules.kit.standing import preferences
from pbem.rules.kit.words import ANY, CONDITIONS
from pbem.rules.requests import Order, Words
from pbem.wire.orderfile import parse_statements
from systems.adapters import ADAPTERS, ALL
from systems.random_play import random_game

EVERY_SYSTEM = pytest.mark.parametrize("system", ALL)
LAX = settings(max_examples=150)


@cache
def language(system: str) -> tuple[Rules, Board]:
    """A system's rules, and the board whose units and hexes are named."""
    game = moments(system)[0]
    return game.rules, game.board


@cache
def moments(system: str) -> tuple[Game, ...]:
    """A random game at several moments."""
    nodes = enumerate(random_game(ALL[system], *ALL[system].SHOWING[0]).play.nodes())
    return tuple(game.fork() for number, game in nodes if number % 10 == 0 and number <= 400)


@cache
def tokens(system: str) -> st.SearchStrategy[str]:
    """Words of orders, names whole and cut, numbers of hexes, and anything else."""
    _, board = language(system)
    adapter = ALL[system]
    plain = [*adapter.USAGE, *CONDITIONS, *adapter.ORDER_WORDS, "at", "with", "north", "", "-", "0", "0000", "9999"]
    return st.one_of(
        st.sampled_from(plain),
        st.sampled_from(sorted(board.units)),
        st.sampled_from(sorted(board.units)).map(lambda unit: unit[:4]),
        st.sampled_from(sorted(board.label.values())),
        st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=6),
    )


@cache
def led_by(system: str, keywords: tuple[str, ...]) -> st.SearchStrategy[Words]:
    """Words that mostly begin as they should."""
    words = st.lists(tokens(system), max_size=8).map(tuple)
    return st.tuples(st.sampled_from(keywords), words).map(lambda pair: (pair[0], *pair[1])) | words


@cache
def orders(system: str, side: str) -> st.SearchStrategy[Order]:
    """Orders of a side; a strategy costs much to make and little to use."""
    found: st.SearchStrategy[Order] = ALL[system].orders(side)
    return found


def side_of(system: str, data: st.DataObject) -> str:
    """One of the sides."""
    return data.draw(st.sampled_from(sorted(language(system)[1].enemy)))


@EVERY_SYSTEM
@LAX
@given(data=st.data())
def test_every_order_survives_its_words(system: str, data: st.DataObject) -> None:
    """Alone, and through the statements of an entry, as it is mailed."""
    rules, board = language(system)
    side = side_of(system, data)
    order = data.draw(orders(system, side))
    words = rules.order_words(board, order)
    assert all(word and word.isascii() and " " not in word for word in words)
    assert rules.read_order(board, side, words) == order
    steps = ALL[system].STEPS
    assert rules.step(order) == steps.get(" ".join(words[:2]), steps.get(words[0], 0))
    statements, wrong = parse_statements(" ".join(words) + ";\n")
    parts, errors = read_parts(rules, board, side, statements)
    assert [*wrong, *errors] == []
    (act,) = [part for _, part in parts]
    assert isinstance(act, Act)
    assert act.order == order


@EVERY_SYSTEM
@LAX
@given(data=st.data())
def test_any_words_are_an_order_or_are_refused_with_a_hint(system: str, data: st.DataObject) -> None:
    rules, board = language(system)
    side, words = side_of(system, data), data.draw(led_by(system, tuple(ALL[system].USAGE)))
    try:
        order = rules.read_order(board, side, words)
    except (MalformedOrder, AmbiguousOrder):
        return
    full = rules.order_words(board, order)
    assert full[0] == words[0]
    assert rules.read_order(board, side, full) == order


@EVERY_SYSTEM
@LAX
@given(data=st.data())
def test_any_words_are_a_standing_order_or_are_refused(system: str, data: st.DataObject) -> None:
    """What is read is a policy for every question that it is about."""
    rules, board = language(system)
    side, words = side_of(system, data), data.draw(led_by(system, ALL[system].STANDING_WORDS or ("hold",)))
    try:
        found = rules.read_standing(board, side, words)
    except (MalformedOrder, AmbiguousOrder):
        return
    assert rules.read_standing(board, side, found) == found
    policy = [*(word for word in found[1:2] if word not in (*board.units, ANY)), *found[2:]]
    assert set(preferences([found], found[0], ANY) if len(found) > 2 else ()) <= set(policy)
    if found[0] in ALL[system].POLICIES:
        assert policy in ([], *([word] for word in ALL[system].POLICIES[found[0]]))


@EVERY_SYSTEM
@LAX
@given(data=st.data())
def test_any_words_are_a_condition_or_are_refused_and_each_holds_or_not(system: str, data: st.DataObject) -> None:
    rules, board = language(system)
    words = data.draw(led_by(system, tuple(CONDITIONS)))
    try:
        found = rules.read_test(board, words)
    except (MalformedOrder, AmbiguousOrder):
        return
    assert rules.read_test(board, found) == found
    assert found[0] == words[0]
    assert rules.test(data.draw(st.sampled_from(moments(system))).state, found) in (True, False)


@EVERY_SYSTEM
def test_conditions_tell_the_state_apart(system: str) -> None:
    """At some moment each kind of condition holds for something, at some it doesn't."""
    rules, b = language(system)
    place = getattr(ALL[system], "place", lambda b, h: b.label[h])
    empty, seen = sorted(b.label.values())[-1], set[tuple[str, bool]]()
    for game in moments(system):
        for unit, h in list(game.state.at.items())[:: 1 + len(game.state.at) // 12]:
            side, here = next(side for side, units in b.of_side.items() if unit in units), place(b, h)
            for words in (("gone", unit), ("alive", unit), ("at", unit, here), ("at", unit, empty), ("empty", here),
                          ("empty", empty), ("held", here, side), ("held", here, b.enemy[side])):  # fmt: skip
                seen.add((words[0], rules.test(game.state, words)))
    assert seen >= {("at", True), ("at", False), ("empty", True), ("empty", False), ("held", True), ("held", False),
                    ("alive", True), ("gone", False)}  # fmt: skip


@EVERY_SYSTEM
@LAX
@given(lines=st.lists(st.text(max_size=60), max_size=4))
def test_any_text_gives_parts_or_errors(system: str, lines: list[str]) -> None:
    rules, board = language(system)
    statements, wrong = parse_statements("\n".join(lines))
    for side in board.enemy:
        parts, errors = read_parts(rules, board, side, statements)
        assert all(isinstance(error, OrderError) for error in [*wrong, *errors])
        assert len(parts) + len(errors) <= len(statements)


@EVERY_SYSTEM
def test_statements_of_every_kind_are_read_together(system: str) -> None:
    rules, board = language(system)
    side, text = ALL[system].STATEMENTS
    statements, wrong = parse_statements(text)
    parts, errors = read_parts(rules, board, side, statements)
    assert [*wrong, *errors] == []
    kinds: dict[str, type] = {"standing": Standing, "stop": StopIf}
    assert [type(part) for _, part in parts] == [kinds.get(statement.keyword, Act) for _, statement in statements]
    assert {type(part) for _, part in parts} == {StopIf, Act, *([Standing] if ALL[system].STANDING_WORDS else [])}


def test_every_system_has_its_adapter() -> None:
    from pbem.rules import SYSTEMS

    assert ADAPTERS.keys() == SYSTEMS.keys()
    for system in SYSTEMS:
        assert rules_of(system).EDITION.startswith(f"{system}/")
