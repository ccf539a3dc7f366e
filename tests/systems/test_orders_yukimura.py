"""The order language of the Siege of Osaka under any words: what is read has words, and what has words is read."""

from __future__ import annotations

import random
from functools import lru_cache

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import AmbiguousOrder, MalformedOrder, OrderError
from pbem.match.game import Game
from pbem.match.orders import Act, Standing, StopIf, read_parts
from pbem.rules import yukimura
from pbem.rules.kit.words import CONDITIONS, directions
from pbem.rules.requests import Order
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.conditions import STATES
from pbem.rules.yukimura.orders import (
    DONE,
    USAGE,
    Advance,
    AdvancePlan,
    Beside,
    Displace,
    Enter,
    Fire,
    Hold,
    March,
    Melee,
    Move,
    Retreat,
)
from pbem.rules.yukimura.reading import STANDING
from pbem.rules.yukimura.standing import advance_policy, defence_policy, preferences
from pbem.wire.blocks import parse_statements
from systems.yukimura_fields import board_of


@lru_cache(maxsize=1)
def board() -> Board:
    """The connected scenario: the most units, and hexes of two maps."""
    return board_of({"scenario": "connected"})


SIDE_NAMES = ("east", "osaka")
HEXES = st.sampled_from(sorted(board().label))
PATHS = st.lists(HEXES, min_size=1, max_size=6).map(tuple)


def units(side: str) -> st.SearchStrategy[str]:
    return st.sampled_from(board().of_side[side])


@st.composite
def orders(draw: st.DrawFn) -> tuple[str, Order]:
    """A side and one of its orders, legal or not, of any kind."""
    side = draw(st.sampled_from(SIDE_NAMES))
    mine, foes = units(side), units(board().enemy[side])
    many = st.lists(mine, max_size=4).map(tuple)
    plan = st.builds(AdvancePlan, mine, st.just(()) | PATHS)
    follower = st.lists(st.builds(AdvancePlan, mine, st.just(())), max_size=1).map(tuple)
    found = draw(
        st.one_of(
            st.builds(Beside, st.sampled_from(sorted(board().forces)), HEXES),
            st.builds(Move, mine, PATHS, st.booleans()) | st.builds(Move, mine, st.just(()), st.just(True)),
            st.builds(March, mine, PATHS, st.booleans()) | st.builds(March, mine, st.just(()), st.just(True)),
            st.builds(Enter, mine, PATHS),
            st.builds(Fire, mine, foes, many, follower, st.booleans()),
            st.builds(Melee, mine, foes, many, st.lists(plan, max_size=3).map(tuple), st.booleans()),
            st.builds(Retreat, mine, PATHS),
            st.builds(Displace, mine, HEXES),
            st.builds(Advance, mine, st.just(()) | PATHS),
            st.builds(Hold, mine),
            st.just(DONE),
        )
    )  # fmt: skip
    return side, found


TOKENS = st.one_of(
    st.sampled_from([*USAGE, *CONDITIONS, *STANDING, *STATES, "at", "with", "advance", "hold", "off",
                     "any", "follow", "enter", "best", "none", "east", "osaka", "north", "",
                     *directions(board().maps["domyoji"])]),
    st.sampled_from([*board().units, *board().forces]),
    st.sampled_from(sorted(board().units)).map(lambda unit: unit[:4]),
    st.sampled_from(sorted(board().numbers)),
    st.sampled_from(["D0000", "Y9999", "D20", "2022", "d2022", "Y0201", "go-", "ki-0", "-", "0", "d"]),
    st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=6),
)  # fmt: skip
WORDS = st.lists(TOKENS, max_size=8).map(tuple)


def led_by(keywords: list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    """Words that mostly begin as they should."""
    return st.tuples(st.sampled_from(keywords), WORDS).map(lambda pair: (pair[0], *pair[1])) | WORDS


@settings(deadline=None, max_examples=150)
@given(orders())
def test_every_order_survives_its_words(pair: tuple[str, Order]) -> None:
    side, order = pair
    words = yukimura.order_words(board(), order)
    assert all(word and word.isascii() and " " not in word for word in words)
    assert yukimura.read_order(board(), side, words) == order
    assert yukimura.step(order) == {"done": 2, "melee": 1}.get(words[0], 0)


@settings(deadline=None, max_examples=150)
@given(orders())
def test_every_order_survives_a_signed_text(pair: tuple[str, Order]) -> None:
    """Through the statements of an entry, as it is mailed."""
    side, order = pair
    text = " ".join(yukimura.order_words(board(), order)) + ";\n"
    statements, wrong = parse_statements(text)
    parts, errors = read_parts(yukimura, board(), side, statements)
    assert [*wrong, *errors] == []
    (act,) = [part for _, part in parts]
    assert isinstance(act, Act)
    assert act.order == order


@settings(deadline=None, max_examples=250)
@given(st.sampled_from(SIDE_NAMES), led_by(list(USAGE)))
def test_any_words_are_an_order_or_are_refused_with_a_hint(side: str, words: tuple[str, ...]) -> None:
    try:
        order = yukimura.read_order(board(), side, words)
    except (MalformedOrder, AmbiguousOrder):
        return
    full = yukimura.order_words(board(), order)
    assert full[0] == words[0]
    assert yukimura.read_order(board(), side, full) == order


@settings(deadline=None, max_examples=250)
@given(st.sampled_from(SIDE_NAMES), led_by(list(STANDING)))
def test_any_words_are_a_standing_order_or_are_refused(side: str, words: tuple[str, ...]) -> None:
    try:
        found = yukimura.read_standing(board(), side, words)
    except (MalformedOrder, AmbiguousOrder):
        return
    assert yukimura.read_standing(board(), side, found) == found
    assert set(preferences([found], "go-01")) <= set(found[2:])
    assert advance_policy([found], "go-01") in (None, "follow", "enter", "hold")
    assert defence_policy([found]) in (None, "best", "none")


@lru_cache(maxsize=1)
def moments() -> tuple[Game, ...]:
    """A random game at several moments."""
    chance, game, found = random.Random(3), Game.new(yukimura, board(), {}), []
    for number in range(400):
        if game.request is None:
            break
        if number % 50 == 0:
            found.append(game.fork())
        sample = getattr(game.request, "sample", None)
        game.apply(sample(chance) if sample else tuple(chance.randrange(1, 7) for _ in range(game.request.dice)))
    return tuple(found)


@settings(deadline=None, max_examples=250)
@given(led_by(list(CONDITIONS)), st.integers(0, 7))
def test_any_words_are_a_condition_or_are_refused_and_each_holds_or_not(words: tuple[str, ...], moment: int) -> None:
    try:
        found = yukimura.read_test(board(), words)
    except (MalformedOrder, AmbiguousOrder):
        return
    assert yukimura.read_test(board(), found) == found
    assert found[0] == words[0]
    state = moments()[moment % len(moments())].state
    assert yukimura.test(state, found) in (True, False)


def test_conditions_tell_the_state_apart() -> None:
    """At some moment each kind of condition holds for something, at some it doesn't."""
    b = board()
    seen: set[tuple[str, bool]] = set()
    for game in moments():
        for unit, h in list(game.state.at.items())[::9]:
            side = b.units[unit].side
            for words in (("gone", unit), ("alive", unit), ("at", unit, b.label[h]), ("at", unit, "D0101"),
                          ("empty", b.label[h]), ("empty", "D0103"), ("held", b.label[h], side),
                          ("held", b.label[h], b.enemy[side])):  # fmt: skip
                seen.add((words[0], yukimura.test(game.state, words)))
    assert seen >= {("at", True), ("at", False), ("empty", True), ("empty", False), ("held", True), ("held", False),
                    ("alive", True), ("gone", False)}  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(SIDE_NAMES), st.lists(st.text(max_size=60), max_size=4))
def test_any_text_gives_parts_or_errors(side: str, lines: list[str]) -> None:
    statements, wrong = parse_statements("\n".join(lines))
    parts, errors = read_parts(yukimura, board(), side, statements)
    assert all(isinstance(error, OrderError) for error in [*wrong, *errors])
    assert len(parts) + len(errors) <= len(statements)


def test_statements_of_every_kind_are_read_together() -> None:
    text = """
    standing retreat any D2001 east;  standing advance go-01 follow;  standing defence none;
    if at go-01 D2022 and not gone mi-01 then move go-01 D2122;
    stop if held D2022 east;
    fire go-04 at mi-01 with go-05 advance go-05 hold;
    done;
    """
    statements, wrong = parse_statements(text)
    parts, errors = read_parts(yukimura, board(), "osaka", statements)
    assert [*wrong, *errors] == []
    kinds = [type(part) for _, part in parts]
    assert kinds == [Standing, Standing, Standing, Act, StopIf, Act, Act]
