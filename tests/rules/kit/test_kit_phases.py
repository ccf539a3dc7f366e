"""The sequence of play and its questions, with a made-up harvest: two sides pick apples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from pbem.errors import Refusal
from pbem.rules.kit.ask import OF_THE_PHASE, Chapter
from pbem.rules.kit.phases import Phase, next_phase, next_turn, phase_id, phase_title, run, titles
from pbem.rules.requests import Activity, Choose, Tell


class Side(NamedTuple):
    id: str
    title: str


class Board(NamedTuple):
    sides: tuple[Side, ...] = (Side("red", "The Reds"), Side("blue", "The Blues"))


@dataclass
class State:
    board: Board = field(default_factory=Board)
    turn: int = 1
    phase: int = 0
    opened: bool = False
    ended: str | None = None
    apples: int = 3
    picked: list[str] = field(default_factory=list)


PHASES = (Phase(None, "frost", "1", "Frost"), Phase(0, "pick", "2", "Picking"), Phase(1, "pick", "3", "Picking"))


def carry_out(s: State, side: str, order: str) -> Activity:
    s.apples -= 1
    s.picked.append(side)
    yield Tell("pick", "2.a", {"side": side, "order": order})
    if order == "all":
        s.ended = "the tree is felled"


PICKING: Chapter[State] = Chapter(
    kind="pick",
    prompt=lambda s: f"pick, {s.apples} are left",
    why_not=lambda s, side, order: None if order in ("one", "all", "done") else Refusal(OF_THE_PHASE, f"{side} picks"),
    options=lambda s, side: ("one", "all", "done"),
    sample=lambda s, side, chance: chance.choice((side, "done")),
    anyone=lambda s, side: s.apples > 0,
    carry_out=carry_out,
    done="done",
)


def begin(s: State, phase: Phase, side: str | None) -> Activity:
    yield Tell("begin", phase.clause, {"side": side})


def end(s: State) -> Activity:
    yield Tell("end", "4", {"opened": s.opened})
    if not next_phase(s, PHASES):
        next_turn(s, 2, first=1)


def go(s: State, *orders: str) -> list[Any]:
    """One activity: what it told and asked."""
    player = PHASES[s.phase].player
    side = None if player is None else s.board.sides[player].id
    told, left, answer = [], list(orders), None
    activity = run(s, PHASES[s.phase], side, PICKING, begin, end)
    try:
        while True:
            asked = activity.send(answer)
            told.append(asked)
            answer = left.pop(0) if isinstance(asked, Choose) else None
    except StopIteration:
        assert not left
        return told


def test_a_phase_is_called_after_its_side_and_one_that_is_nobodys_by_itself() -> None:
    sides = Board().sides
    assert [phase_id(phase, sides) for phase in PHASES] == ["frost", "red-pick", "blue-pick"]
    assert [phase_title(phase, sides) for phase in PHASES] == ["Frost", "The Reds Picking", "The Blues Picking"]
    assert [title.side for title in titles(PHASES, sides)] == [None, "red", "blue"]
    assert titles(PHASES, sides)[2] == ("blue-pick", "blue", "The Blues Picking", "3", False)
    called = [title.title for title in titles(PHASES, sides, {"blue": "Blue"})]
    assert called == ["Frost", "The Reds Picking", "Blue Picking"], "who has no adjective is called by the title"


def test_a_phase_begins_with_its_tell_and_what_the_rules_do_and_is_open_then() -> None:
    s = State(phase=1)
    assert go(s) == [Tell("phase", "2", {"turn": 1, "phase": "red-pick"}), Tell("begin", "2", {"side": "red"})]
    assert (s.phase, s.opened) == (1, True)


def test_an_order_is_carried_out_and_the_phase_goes_on() -> None:
    s = State(phase=1, opened=True)
    asked, told = go(s, "one")
    assert (asked.side, asked.kind, asked.clause, asked.prompt) == ("red", "pick", "2", "pick, 3 are left")
    assert told == Tell("pick", "2.a", {"side": "red", "order": "one"})
    assert (s.phase, s.opened, s.apples) == (1, True, 2)


def test_the_closing_order_ends_the_phase_and_is_not_carried_out() -> None:
    s = State(phase=1, opened=True)
    assert go(s, "done")[1:] == [Tell("end", "4", {"opened": False})]
    assert (s.phase, s.opened, s.apples) == (2, False, 3)


def test_a_phase_ends_unasked_when_nobody_can_act_or_nobody_is_left_to_ask() -> None:
    nothing_left, nobodys = State(phase=2, opened=True, apples=0), State(phase=0, opened=True)
    for s in (nothing_left, nobodys):
        assert go(s) == [Tell("end", "4", {"opened": False})]
    assert (nothing_left.turn, nothing_left.phase) == (2, 1)
    assert (nobodys.turn, nobodys.phase) == (1, 1)


def test_a_phase_in_which_the_game_ends_stays_as_it_is() -> None:
    s = State(phase=1, opened=True)
    assert len(go(s, "all")) == 2
    assert (s.phase, s.opened) == (1, True)


def test_the_last_turn_is_the_last() -> None:
    s = State(turn=2, phase=2)
    assert not next_phase(s, PHASES)
    assert not next_turn(s, 2, first=1)
    assert (s.turn, s.phase) == (2, 2)


def test_a_question_asks_the_chapter_and_a_refusal_without_a_clause_is_by_that_of_the_phase() -> None:
    (asked,) = [each for each in go(State(phase=1, opened=True), "done") if isinstance(each, Choose)]
    assert asked.why_not("one") is None
    assert asked.why_not("sing") == Refusal("2", "red picks")
    assert list(asked.options()) == ["one", "all", "done"]
    assert (asked.reaction, asked.standing, asked.default) == (False, None, None)


@pytest.mark.parametrize("orders", [[("share",)], []])
def test_a_chapter_with_standing_orders_asks_for_a_reaction(orders: list[tuple[str, ...]]) -> None:
    chapter = PICKING._replace(
        standing=lambda s, side, orders: f"{side} {orders[-1][0]}s" if orders else None,
        default=lambda s, side: f"{side} keeps",
    )
    asked = next(run(State(phase=2, opened=True), PHASES[2], "blue", chapter, begin, end))
    assert isinstance(asked, Choose)
    assert asked.reaction
    assert asked.standing is not None
    assert asked.default is not None
    assert asked.standing(orders) == ("blue shares" if orders else None)
    assert asked.default() == "blue keeps"
    assert asked.window == ""


def test_orders_live_for_a_sides_part_of_the_phase() -> None:
    windows = []
    for turn, phase in ((1, 1), (1, 2), (2, 1), (1, 1)):
        (asked,) = [each for each in go(State(turn=turn, phase=phase, opened=True), "done") if isinstance(each, Choose)]
        windows.append(asked.window)
    assert windows[0] == windows[3]
    assert len(set(windows)) == 3
