"""Attacks by a key that its owner says is lost: he has seen the dice, and worse ones shall do him no good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import toy
import toy.play
from match.entry_hex import ATTACK, beside_the_entry
from toy.players import Duel

from pbem.desk.desk import terms_of
from pbem.match import adverse
from pbem.match.course import Course
from pbem.match.game import Game
from pbem.match.orders import read_parts
from pbem.match.table import Table
from pbem.rules.gcacw import actions
from pbem.rules.gcacw.board import DAMAGED
from pbem.rules.gcacw.orders import March
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Answer, Choose, Draw, Outcome, Roll
from pbem.scenario import load_scenario
from pbem.simulate.game import Run, begun
from pbem.wire.orderfile import parse_statements

MakeDuel = Callable[..., Duel]
Harmed = Callable[[toy.play.State, str], tuple[int, ...]]


def lost(game: Duel, orders: str) -> Table:
    """The table of a duel behind anna's orders, when ben has lost the secret that is due for them."""
    game.play("anna", orders)
    table = game.replayed()
    table.reveal_due, table.course.adverse = None, "blue"
    return table


def dice_of(table: Table) -> list[list[int]]:
    return [step["result"] for step in table.steps if step["kind"] == "roll"]


# --- what he is asked


@pytest.mark.parametrize("reactions", ["standing", "ask"])
def test_who_lost_his_secret_answers_by_default_whatever_he_has_ordered(duel: MakeDuel, reactions: str) -> None:
    """Fleeing at a die of one is worse than standing: but that he had said before he saw the dice, and chosen then."""
    game = duel(reactions=reactions)
    game.play("anna", "rest;")
    game.play("ben", "move lancer front; standing flee all; rest;")
    table = lost(game, "hit lancer; rest;")
    table.course.resolve()
    (answer,) = (step for step in table.steps if step["kind"] == "answer")
    assert (answer["how"], answer["adverse"], answer["words"]) == ("default", "blue", ["stand", "lancer"])
    assert table.due().what == "orders", "nothing was asked of ben"


# --- the end of the game comes before high and low


def ends_for(monkeypatch: pytest.MonkeyPatch, winners: dict[int, str]) -> None:
    """A toy in which a bet of red's, from 10 points, by which he then has so many, ends the game for somebody."""

    def judge(s: toy.play.State) -> None:
        if s.points["red"] in winners:
            s.ended = Outcome(winners[s.points["red"]], "T7", "so it is")

    monkeypatch.setattr(toy.play, "_judge", judge)


@pytest.mark.parametrize(
    ("winners", "dice"),
    [
        ({}, [[6], [6]]),
        ({+2: "blue"}, [[3], [6]]),
        ({+2: "blue", -2: "blue"}, [[6]]),
        ({+3: "blue"}, [[6], [3]]),
        ({-2: "red"}, [[3]]),
        ({+2: "blue", -2: "red"}, [[3]]),
    ],
)
def test_the_worst_dice_lose_the_game_if_any_can_and_win_it_only_if_all_do(
    duel: MakeDuel, monkeypatch: pytest.MonkeyPatch, winners: dict[int, str], dice: list[list[int]]
) -> None:
    game = duel()
    stake = game.table.board.stake
    ends_for(monkeypatch, {stake + points: winner for points, winner in winners.items()})
    table = lost(game, "bet 2; bet 1; rest;")
    table.course.resolve()
    assert dice_of(table) == dice


# --- then what the rules count as harm


def rich(s: toy.play.State, side: str) -> tuple[int, ...]:
    """Points of a side's own: more of them is worse."""
    return (s.points[side],)


def poor(s: toy.play.State, side: str) -> tuple[int, ...]:
    return (7, -s.points["red"] if side == "blue" else 0)


@pytest.mark.parametrize(
    ("harmed", "winners", "dice"),
    [
        (poor, {}, [[3], [3]]),
        (rich, {}, [[6], [6]]),
        (poor, {+2: "blue"}, [[3], [3]]),
        (poor, {+2: "red"}, [[6]]),
        (poor, {-2: "blue"}, [[6], [3]]),
        (poor, {-2: "blue", +2: "blue"}, [[3]]),
        (poor, {-2: "red", +2: "red"}, [[3]]),
    ],
)
def test_of_dice_that_end_nothing_those_come_that_harm_most(
    duel: MakeDuel, monkeypatch: pytest.MonkeyPatch, harmed: Harmed, winners: dict[int, str], dice: list[list[int]]
) -> None:
    """Of those that harm alike the first, as where a bet of red's harms or spares nobody."""
    game = duel()
    stake = game.table.board.stake
    ends_for(monkeypatch, {stake + points: winner for points, winner in winners.items()})
    monkeypatch.setattr(toy, "harmed", harmed)
    table = lost(game, "bet 2; bet 1; rest;")
    table.course.resolve()
    assert dice_of(table) == dice


ATTACK_FROM_AFAR = "march ri-1 S1127 S1027 S0928 S0828 S0728 attack S0628; done;"
SEEN = 60
"""Seeds that he might have seen."""


def marched(seed: bytes | None) -> Table:
    """Cedar Mountain behind a plan of the Union's to march and attack and one of its enemy to do nothing; the dice of
    a seed, or where there is none those of a secret that the Union has lost."""
    table = begun(Run(load_scenario("cedar-mountain"), terms_of(load_scenario("cedar-mountain"), {}), ("bold",) * 2, 1))
    for side, text in (("union", ATTACK_FROM_AFAR), ("confederate", "done;")):
        statements, _ = parse_statements(text)
        parts, errors = read_parts(table.rules, table.board, side, statements)
        assert not errors
        table.course.play(side, parts, reaction=False)
    table.course.bind((3, bytes(32)))
    table.course.seed, table.course.adverse = seed, "union" if seed is None else None
    table.course.resolve()
    return table


def test_a_march_does_not_fall_short_of_the_attack_that_was_lost() -> None:
    """The lowest dice for the points are the worst for a march, but the best for who has seen his attack fail."""
    seen = [marched(bytes([number]) * 32) for number in range(SEEN)]
    harms = [table.rules.harmed(table.game.state, "union") for table in seen]
    gone = [table for table in seen if "ri-1" in table.game.state.removed]
    short = [table for table in seen if not any(step.get("what") == "fight" for step in table.steps)]
    assert gone
    assert short
    table = marched(None)
    assert table.rules.harmed(table.game.state, "union") == max(harms) > min(harms)
    assert "ri-1" in table.game.state.removed
    assert [step["adverse"] for step in table.steps if step["kind"] == "roll"] == ["union"] * len(dice_of(table))


# --- dice that come of no order


def campaign(turn: int) -> Table:
    """The first campaign at the Confederates' transfers of a turn, when nobody has done anything before."""
    scenario = load_scenario("rapidan-to-rappahannock")
    table = begun(Run(scenario, terms_of(scenario, {}), ("bold", "bold"), 1))
    table.course.seed = bytes(32)
    while (found := table.rules.clock(table.game.state)) != (turn, "confederate-transfer"):
        assert found[0] <= turn
        assert isinstance(table.game.request, Choose)
        lay(table, table.game.request.side, "close transfer;" if found[0] == turn else "done;")
        table.course.bind((3, bytes(32)))
        table.course.seed = bytes(32)
        table.course.resolve()
    return table


def lay(table: Table, side: str, text: str) -> None:
    """Lay a side's orders ready."""
    statements, _ = parse_statements(text)
    parts, errors = read_parts(table.rules, table.board, side, statements)
    assert not errors
    table.course.play(side, parts, reaction=False)


def behind(table: Table, side: str) -> list[dict[str, Any]]:
    """What happens when the secret of a side is lost for what both have ordered."""
    table.course.bind((4, bytes(32)))
    table.course.adverse = side
    before = len(table.steps)
    table.course.resolve()
    return table.steps[before:]


@pytest.mark.parametrize("side", ["union", "confederate"])
def test_who_loses_his_key_is_himself_paralysed_by_the_random_event(side: str) -> None:
    """The dice of an event harm nobody at once: by high and low it was the Confederates who were, for both alike."""
    table = campaign(1)
    for one in ("union", "confederate"):
        lay(table, one, "done;")
    (event,) = (step["facts"] for step in behind(table, side) if step.get("what") == "event")
    assert (event["kind"], event["side"]) == ("paralysis", side)


PLAN = ("march hood S1830 S1931", "march wilcox S1928 S2027", "march anderson S0831 S0830")


@pytest.mark.parametrize("own", ["done;", "close attachment;"])
def test_a_lost_key_ends_no_cycle_before_the_enemy_s_plan_is_carried_out(own: str) -> None:
    """Whom rest does more good than the enemy is spared, by harm alone, all that he saw the enemy's orders do to him;
    and who is asked has new dice for it."""
    table = campaign(3)
    lay(table, "union", own)
    lay(table, "confederate", "".join(f"{order};" for order in PLAN) + "done;")
    steps = behind(table, "union")
    assert [step for step in steps if step.get("what") == "cycle-roll"] == []
    assert sum(step["kind"] == "order" and step["words"][0] == "march" for step in steps) == len(PLAN)


@pytest.mark.parametrize(
    ("own", "enemy", "carried"),
    [
        (PLAN, "done;", 0),
        (("in cycle: march hood S1830 S1931",), "done;", 0),
        (PLAN, "close action;", 1),
        (PLAN, "march {} done;", 0),
        (PLAN, "close attachment; in cycle: march {} in cycle: done;", 0),
        (PLAN, "march {}", 3),
        (("entrench hood",), "done;", 0),
        ((*PLAN, "if near hood 1 then march hood S1830 attack S1931"), "done;", 3),
    ],
)
def test_a_lost_key_brings_no_orders_back_that_the_end_of_the_cycle_took(
    own: tuple[str, ...], enemy: str, carried: int
) -> None:
    """Who had seen his cycle end before his orders had them carried out by losing his key: it ends as soon as that
    takes nothing from his enemy, but where it would spare him an attack that fails."""
    table = campaign(3)
    state, board = table.game.state, table.board
    steps_of = ((u, h) for u in state.own("union") for h in board.ground.near[state.at[u]])
    unit, to = next((u, h) for u, h in steps_of if actions.why_not(state, "union", March(u, (h,))) is None)
    enemy = enemy.format(f"{unit} {board.label[to]};")
    lay(table, "union", enemy)
    lay(table, "confederate", "".join(f"{order};" for order in own) + "done;")
    steps = behind(table, "confederate")
    marched = [step["words"][1] for step in steps if step["kind"] == "order" and step["words"][0] == "march"]
    assert marched.count(unit) == enemy.count(unit)
    assert len(marched) - marched.count(unit) == carried
    dice = [step["result"] for step in steps if step["kind"] == "roll" and step["label"].startswith("cycle/")]
    assert dice == ([[1]] if carried < 3 and own[0] != "entrench hood" else [])


# --- a retreat onto the hex that wins


def driven(*enemies: str, before: str = "") -> Table:
    """Saigo's melee, with orders `before` it, behind Government's orders to retreat onto his entry hex; the secret
    of its owner is lost."""
    table = beside_the_entry(*enemies)
    for side, text in (("government", "standing retreat any 0131;"), ("saigo", before + ATTACK)):
        statements, _ = parse_statements(text)
        parts, errors = read_parts(table.rules, table.board, side, statements)
        assert not errors
        table.course.play(side, parts, reaction=False)
    table.course.adverse = "government"
    table.course.resolve()
    return table


def test_who_loses_his_key_is_not_driven_onto_the_hex_that_wins() -> None:
    """By R54 it wins for him who must retreat there; he had ordered it, and worse dice than his would drive him."""
    table = driven("0229")
    assert dice_of(table)[:2] == [[6, 6], [6]], "a retreat is the worst as long as it wins nothing"
    assert table.board.label[table.game.state.at["go-01"]] != "0131"
    assert table.game.outcome is None


def test_where_no_other_hex_is_open_he_is_not_driven_at_all() -> None:
    table = driven("0229", "0129", "0330")
    assert table.board.label[table.game.state.at["go-01"]] == "0230"
    assert table.game.outcome is None
    assert dice_of(table)[:2] == [[6, 6], [1]], "it stands at a one alone"


# --- a flood of orders that lapse


class Forgets(dict[tuple[int, bool, str], adverse.Worth]):
    """Positions of which nothing is kept."""

    def update(self, *_: object, **__: object) -> None:
        pass


def test_orders_that_lapse_behind_the_dice_are_gone_through_once_for_each_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A legal flood of them made a recovery take minutes. The dice are the same as by going through all of them."""
    real, lapsed, tally = Course._lapse, [0], [0, 0]

    def lapse(course: Course, *given: Any) -> None:
        lapsed[0] += 1
        real(course, *given)

    def both_ways(course: Course, request: Roll | Draw, side: str) -> Answer:
        ways = []
        for number, known in enumerate((Forgets(), adverse.Known())):
            before = lapsed[0]
            ways.append(adverse._found(course, request, side, adverse.TRIES, known))
            tally[number] += lapsed[0] - before
        assert ways[0] == ways[1]
        return ways[1][1]

    monkeypatch.setattr(Course, "_lapse", lapse)
    monkeypatch.setattr(adverse, "worst", both_ways)
    table = driven("0229", "0129", "0330", before=ATTACK.removesuffix("done;") * 20)
    assert dice_of(table) == [[6, 6], [1], [1]]
    assert tally[0] > 10 * tally[1] > 0


# --- a flood of dice


def copies(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many courses are copied for each adverse die that falls."""
    real_fork, real_worst, found = Course.fork, adverse.worst, list[int]()

    def fork(course: Course) -> Course:
        found[-1:] = [found[-1] + 1] if found else []
        return real_fork(course)

    def worst(course: Course, request: Roll | Draw, side: str) -> Answer:
        found.append(0)
        return real_worst(course, request, side)

    monkeypatch.setattr(Course, "fork", fork)
    monkeypatch.setattr(adverse, "worst", worst)
    return found


def as_it_would_be(table: Table, change: Callable[[State], object]) -> None:
    """Change the state of a game in which a decision is asked."""
    state = table.rules.copy(table.game.state)
    change(state)
    table.course.game = Game(table.rules, table.board, state, table.course._hear)


def test_nothing_is_copied_for_a_throw_of_which_one_answer_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind three dice the tries are used up: each try had a copy for each of the other dice of a repair."""
    table = campaign(6)
    as_it_would_be(table, lambda s: s.station.update(dict.fromkeys(table.board.stations, DAMAGED)))
    for one in ("union", "confederate"):
        lay(table, one, "close transfer;")
    found = copies(monkeypatch)
    steps = [step for step in behind(table, "union") if step.get("what") == "repair"]
    assert [step["facts"]["die"] for step in steps] == [6] * len(steps)
    assert len(steps) > 10
    assert max(found) == 6 + 6**2 + 6**3


def test_dice_of_initiative_that_bring_the_same_side_to_act_are_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 36 throws had its own search through the march behind it: a plan of many marches took many seconds."""
    table = campaign(3)
    lay(table, "union", "done;")
    lay(table, "confederate", "".join(f"{order};" for order in PLAN) + "done;")
    found = copies(monkeypatch)
    behind(table, "union")
    assert max(found) < 100


def test_an_order_of_many_dice_that_harm_nobody_at_once_costs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nineteen hungry units that forage took minutes with orders that lapse behind them."""
    table = campaign(3)
    hungry = table.game.state.own("union")[:19]
    as_it_would_be(table, lambda s: s.hungry.update(hungry))
    lay(table, "union", f"close action; forage {' '.join(hungry)}; " + "entrench waagner; " * 50 + "done;")
    lay(table, "confederate", "done;")
    found = copies(monkeypatch)
    steps = [step for step in behind(table, "union") if step["kind"] == "roll" and "forage" in step["label"]]
    assert [step["result"] for step in steps] == [[6]] * 19
    assert found.count(0) >= 19
