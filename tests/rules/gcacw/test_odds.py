"""Chances: of events, marches, attacks, assaults; against every throw of orders played out, each die by itself."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from rules.gcacw.conftest import SCENARIOS

from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules import gcacw
from pbem.rules.gcacw import actions
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.brought import chances
from pbem.rules.gcacw.odds import class_of, known_courses, results, tell_odds
from pbem.rules.gcacw.orders import Activate, Assault, Bridge, Entrench, Grand, March, Order, Raid, Strike
from pbem.rules.gcacw.reasons import factors
from pbem.rules.gcacw.state import State, copy, dump
from pbem.rules.gcacw.tables import ATTACKS
from pbem.rules.requests import Choose, Roll, Tell
from pbem.words import per_cent

Field = Callable[..., State]
ROAD = {"road": "0101 0201 0301 0401 0501 0601"}
ROW = ". . . . . ."
MOST = 6**5
"""So many throws of an order are played out at most."""


def futures(s: State, order: Order) -> Iterator[tuple[Fraction, list[Tell]]]:
    """Every throw of an order up to a first combat, each die by itself, with what is told; the rules answer."""
    waiting: list[tuple[tuple[int, ...], ...]] = [()]
    while waiting:
        thrown = waiting.pop()
        trial, told, rest, share = copy(s), list[Tell](), [*thrown], Fraction(1)
        activity: Any = actions.carry_out(trial, "", order)
        answer: Any = None
        while True:
            try:
                request = activity.send(answer)
            except StopIteration:
                yield share, told
                break
            answer = None
            if isinstance(request, Tell):
                told.append(request)
                if request.what == "fight":
                    yield share, told
                    break
            elif isinstance(request, Choose):
                assert request.default is not None
                answer = request.default()
            elif rest:
                answer = rest.pop(0)
                share /= request.sides**request.dice
            else:
                assert isinstance(request, Roll)
                waiting += [(*thrown, one) for one in product(range(1, request.sides + 1), repeat=request.dice)]
                break


def sums(found: Iterator[tuple[str, Fraction]]) -> dict[str, Fraction]:
    """The shares of what is called alike."""
    counted: dict[str, Fraction] = {}
    for what, share in found:
        counted[what] = counted.get(what, Fraction(0)) + share
    return counted


def compare(s: State, order: Order) -> bool:
    """Hold the counted courses of an order against every throw of it; whether it comes to a combat at all."""
    before = dump(s)
    found = known_courses(s, order)
    assert found is not None
    assert dump(s) == before, "what is tried is tried on a copy"
    every = [*futures(s, order)]
    assert sum(share for share, _ in every) == sum(course.share for course in found) == 1
    fights = [(share, told[-1].facts) for share, told in every if told and told[-1].what == "fight"]
    counted = results(s, found)
    assert counted.share == sum(share for share, _ in fights)
    for cells, fact in ((counted.defender, "result"), (counted.attacker, "own_result")):
        brute = sums((facts[fact], share / counted.share) for share, facts in fights)
        assert cells == brute
    kinds = sums((facts["kind"], share) for share, facts in fights)
    assert kinds == sums((c.facts("fight")[0]["kind"], c.share) for c in found if c.facts("fight"))

    def ends(told: list[Tell]) -> str:
        return " ".join(repr(t.facts["path"]) for t in told if t.what == "march")

    assert sums((ends(told), share) for share, told in every) == sums((ends([*c.told]), c.share) for c in found)
    return bool(fights)


def throws_of(s: State, order: Order) -> int:
    """About how many throws an order has."""
    if isinstance(order, Assault | Grand):
        return 6**4 * 6 ** (len(getattr(order, "others", ())))
    marches = order.marches if isinstance(order, Activate) else (order,)
    dice = 2 if s.board.units[marches[0].unit].cavalry else 1
    fatigued = sum(s.fatigue.get(one.unit, 0) >= 2 for one in marches)
    return int(6 ** (dice + fatigued + 3 * any(one.strike for one in marches)))


@pytest.mark.parametrize("name", SCENARIOS)
def test_odds_are_those_of_every_throw_in_random_games(name: str, board_of: Callable[[str], Board]) -> None:
    chance, left = random.Random(name), Counter({"March": 3, "Activate": 1, "combat": 2})
    for seed in range(3):
        game = Game.new(gcacw, board_of(name), {}, lambda _: None)
        game_chance = random.Random(seed)
        while (request := game.request) is not None and any(times > 0 for times in left.values()):
            if not isinstance(request, Choose):
                game.apply(chance_answer(request, game_chance))
                continue
            order = request.sample(game_chance)
            kind = type(order).__name__
            if not request.reaction and isinstance(order, March | Activate | Assault) and chance.random() < 0.3:
                fights = not isinstance(order, March | Activate) or any(
                    one.strike for one in (order.marches if isinstance(order, Activate) else (order,))
                )
                few = throws_of(game.state, order) <= MOST and known_courses(game.state, order) is not None
                if few and left[kind] + left["combat"] * fights > 0:
                    left[kind] -= 1
                    left["combat"] -= compare(game.state, order)
            game.apply(order)
    assert left["March"] <= 0 or name == "stuarts-raid"


# --- single orders ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-5.1-2", "std-6.1-2")
def test_the_spread_of_a_march(field: Field) -> None:
    """Confederate infantry, a die and one: 2 points for sure; five hexes of road with 5 or 6 in one of three."""
    s = field(ROW, {"hood": "0101 8"}, roads=ROAD, choice="confederate")
    way = tuple(s.board.parse(number) for number in ("0201", "0301", "0401", "0501", "0601"))
    told = tell_odds(s, March("hood", way))
    assert told == ("1d6+1 points, 2 to 7: to 0601 50 %, as far as 0501, 0401 or 0301, each 16.7 %")
    assert tell_odds(s, March("hood", way[:2])) == "1d6+1 points, 2 to 7: to 0301 for sure"
    assert tell_odds(s, March("hood", (*way[:2], *reversed(way[:1]), s.at["hood"]))) == (
        "1d6+1 points, 2 to 7: back to 0101 66.7 %, as far as 0201 on the way back or 0301, each 16.7 %"
    )
    assert tell_odds(s, March("hood")) == "1d6+1 points, 2 to 7: it stays where it is"
    compare(s, March("hood", way))


@pytest.mark.clause("std-2.4-6")
def test_a_march_that_never_comes_to_its_end_is_told_so(field: Field) -> None:
    """The zone of the enemy stops it, whatever the die."""
    s = field(f"{ROW}\n{ROW}", {"hood": "0101 8", "king": "0302 4"}, roads=ROAD, choice="confederate")
    way = tuple(s.board.parse(number) for number in ("0201", "0301", "0401"))
    assert tell_odds(s, March("hood", way)) == "1d6+1 points, 2 to 7: as far as 0301 for sure, never to 0401"


def test_of_a_way_beyond_all_points_it_is_told_what_it_costs(field: Field) -> None:
    s = field(f"{'. ' * 10}\n{'. ' * 10}", {"hood": "0101 8"}, choice="confederate")
    way = tuple(s.board.parse(f"{column:02}01") for column in range(2, 11))
    assert tell_odds(s, March("hood", way)).endswith("never to 1001, 27 points away")
    assert "away" not in tell_odds(s, March("hood", way[:2]))


@pytest.mark.clause("std-5.1-2")
def test_many_ends_of_a_march_are_told_by_the_nearest_and_the_farthest(field: Field) -> None:
    s = field(ROW, {"stuart": "0101", "f-lee": "0101 3", "robertson": "0101 2"}, roads=ROAD, choice="confederate")
    way = tuple(s.board.parse(number) for number in ("0201", "0301", "0401", "0501", "0601"))
    back = (*way, *reversed(way[:-1]), s.at["f-lee"])
    assert (
        tell_odds(s, March("f-lee", back))
        == "2d6 points, 2 to 12: back to 0101 8.3 %, as far as 0301 to 0201 on the way back 91.7 %"
    )
    several = Activate("stuart", (March("f-lee", way), March("robertson", back, ("stuart",))))
    told = tell_odds(s, several)
    assert "f-lee to 0601 97.2 %, as far as 0501 2.8 %; robertson " in told
    compare(s, several)


@pytest.mark.clause("std-7.7-3", "std-7.7-7")
def test_who_follows_cavalry_that_goes_back_is_told_by_where_it_comes_in_the_end(field: Field) -> None:
    units = {"hood": "0101 18", "bayard": "0301 1"}
    s = field(ROW, units, roads=ROAD, choice="confederate")
    way = tuple(s.board.parse(number) for number in ("0201", "0301"))
    order = March("hood", way, strike=Strike(way[-1]))
    found = known_courses(s, order)
    assert found is not None
    there = sum(c.share for c in found if sum(len(f["path"]) for f in c.facts("march")) == len(way))
    assert 0 < there < 1
    assert f"to 0301 {per_cent(there, 1)}, as far as 0201 {per_cent(1 - there, 1)}" in tell_odds(s, order)


@pytest.mark.clause("std-5.1-8")
def test_an_extended_march_tells_what_it_may_cost(field: Field) -> None:
    """To fatigue 3, army ANV: nothing with 1 to 3, a point of manpower lost with 6."""
    s = field(ROW, {"hood": "0101 8 F2"}, roads=ROAD, choice="confederate")
    order = March("hood", (s.board.parse("0201"),))
    strain = "extended march: no effect 50 %, disorganised 33.3 %, disorganised and 1 lost 16.7 %"
    assert strain in tell_odds(s, order)
    rested = field(ROW, {"hood": "0101 8 F1"}, roads=ROAD, choice="confederate")
    assert "extended" not in tell_odds(rested, order)
    (factor,) = [f for f in factors(s, order) if f.clause == "std-5.1-8"]
    assert factor.value == "no effect (1 to 3), disorganised (4 to 5), disorganised and 1 lost (6)"


@pytest.mark.clause("std-5.1-9")
def test_an_extended_march_of_the_disorganised_tells_the_points_that_it_costs(field: Field) -> None:
    """A point in place of D: of the same table 1 and, with a 6, 2 in all."""
    s = field(ROW, {"hood": "0101 8 F2 disorganised"}, roads=ROAD, choice="confederate")
    order = March("hood", (s.board.parse("0201"),))
    assert "extended march: no effect 50 %, 1 lost 33.3 %, 2 lost 16.7 %" in tell_odds(s, order)
    (factor,) = [f for f in factors(s, order) if f.clause == "std-5.1-9"]
    assert factor.what == "the die of the extended march of hood, disorganised already"
    assert factor.value == "no effect (1 to 3), 1 lost (4 to 5), 2 lost (6)"
    assert not [f for f in factors(s, order) if f.clause == "std-5.1-8"]


@pytest.mark.clause("std-5.1-9", "std-7.5-2")
def test_an_extended_march_tells_no_more_loss_than_there_is_manpower(field: Field) -> None:
    """With a 6 the table asks for a point besides that of the disorganised: one is all that there is."""
    s = field(ROW, {"hood": "0101 1 F2 disorganised"}, roads=ROAD, choice="confederate")
    order = March("hood", (s.board.parse("0201"),))
    assert "extended march: no effect 50 %, 1 lost and removed 50 %" in tell_odds(s, order)
    (factor,) = [f for f in factors(s, order) if f.clause == "std-5.1-9"]
    assert factor.value == "no effect (1 to 3), 1 lost and removed (4 to 6)"
    two = field(ROW, {"hood": "0101 2 F2 disorganised"}, roads=ROAD, choice="confederate")
    assert "no effect 50 %, 1 lost 33.3 %, 2 lost and removed 16.7 %" in tell_odds(two, order)


@pytest.mark.clause("std-5.1-11")
def test_a_forced_march_goes_farther(field: Field) -> None:
    """Two points more when they are needed: the whole way with one less."""
    s = field(ROW, {"hood": "0101 8"}, roads=ROAD, choice="confederate")
    way = tuple(s.board.parse(number) for number in ("0201", "0301", "0401", "0501", "0601"))
    told = tell_odds(s, March("hood", way, force="route"))
    assert "2 to 7: to 0601 83.3 %, as far as 0301 16.7 %" in told
    assert "force marches 33.3 %" in told
    compare(s, March("hood", way, force="route"))


@pytest.mark.clause("std-7.1-2")
def test_the_kinds_of_an_attack_by_what_the_way_leaves(field: Field) -> None:
    """One hex on, of 2 to 7 points 1 to 6 are left: prepared with 4 to 6, normal with 2 and 3."""
    s = field(ROW, {"hood": "0101 8", "king": "0301 6"}, roads=ROAD, choice="confederate")
    order = March("hood", (s.board.parse("0201"),), strike=Strike(s.board.parse("0301")))
    assert "attack prepared 50 %, normal 33.3 %, hasty 16.7 %" in tell_odds(s, order)
    least = March("hood", order.path, strike=Strike(s.board.parse("0301"), "normal"))
    assert "attack prepared 50 %, normal 33.3 %, no attack 16.7 %" in tell_odds(s, least)
    assert compare(s, order)
    assert compare(s, least)


def test_the_classes_of_results_are_those_of_the_cells(field: Field) -> None:
    """What is told in short adds up the cells of the chart, each by the worst that it brings."""
    called = {"-": "no effect", "1": "losses alone", "f": "tired", "1F": "tired", "2D": "disorganised"}
    called |= {"Dr": "retreats", "2DR*": "routs", "a": "no effect", "Ea": "tired", "1a": "losses alone"}
    assert {cell: class_of(cell) for cell in called} == called
    s = field(ROW, {"hood": "0201 8", "king": "0301 6"}, roads=ROAD, choice="confederate")
    order = March("hood", (), strike=Strike(s.board.parse("0301")))
    found = results(s, known_courses(s, order) or ())
    back = sum(share for cell, share in found.defender.items() if "r" in cell.lower())
    assert 0 < back < 1
    told = tell_odds(s, order)
    assert told.count("%") >= 6
    assert "loses" in told
    assert "may advance" in told


@pytest.mark.clause("std-7.7-1", "std-7.7-7")
def test_cavalry_that_goes_back_is_not_attacked(field: Field) -> None:
    """A brigade of a tenth of the value goes back by the rules' answer; its standing order keeps it there."""
    s = field(f"{ROW}\n{ROW}", {"hood": "0101 18", "bayard": "0201 1"}, roads=ROAD, choice="confederate")
    order = March("hood", (), strike=Strike(s.board.parse("0201")))
    assert "cavalry goes back before it 100 %; never an attack" in tell_odds(s, order)
    stays = {"union": [("evade", "any", "no")]}
    assert "attack prepared" in tell_odds(s, order, stays)
    assert "goes back" not in tell_odds(s, order, stays)


@pytest.mark.clause("std-5.3-5")
def test_an_assault_comes_about_by_its_number(field: Field) -> None:
    """Jackson with command value 7 and three units: 5 or less; a fourth makes it 4."""
    units = {"jackson": "0201", "ap-hill": "0201 10", "winder": "0201 4", "ewell-a": "0201 4", "king": "0301 6"}
    s = field(ROW, units, roads=ROAD, choice="confederate")
    order = Assault("jackson", s.board.parse("0301"), ("ap-hill", "winder", "ewell-a"))
    assert tell_odds(s, order).startswith("assault number 5: comes about 83.3 %; then enemy ")
    one = Assault("jackson", s.board.parse("0301"), ("ap-hill",))
    assert tell_odds(s, one).startswith("assault number 7: comes about for sure; enemy ")
    assert compare(s, order)
    what = {f.what: (f.value, f.clause) for f in factors(s, order)}
    assert what["the assault number"] == (
        "5 or less: command value 7, less 2 for the units beyond the first",
        "std-5.3-5",
    )
    assert what["die for Lee or Jackson"] == ("+1", "std-7.1-8")
    assert what["die for an assault"] == ("+1", "std-5.3-4")


@pytest.mark.clause("std-7.1-7")
def test_further_hexes_of_a_grand_assault_join_each_by_a_die(field: Field) -> None:
    units = {
        "lee": "0201", "longstreet": "0201", "hood": "0201 8", "kemper": "0302 8", "king": "0301 6",
    }  # fmt: skip
    s = field(f"{ROW}\n{ROW}", units, roads=ROAD, choice="confederate")
    order = Grand("lee", s.board.parse("0301"), "longstreet", ("hood",), ("kemper",))
    assert gcacw.why_not(s, "confederate", order) is None
    told = tell_odds(s, order)
    assert "each further hex by 5 or less: joins 83.3 %" in told
    assert compare(s, order)


@pytest.mark.parametrize(
    ("terrain", "water", "name", "value", "clause"),
    [
        ("h", "", "enemy's die for a hill", "+1", "std-7.4-7"),
        ("m", "", "enemy's die for a mountain", "+2", "std-7.4-5"),
        (".", "creek", "enemy's die for a creek", "+1", "std-7.4-8"),
        (".", "minor_river", "enemy's die for a river crossing", "+2", "std-7.4-4"),
    ],
)
def test_the_ground_is_a_factor_with_its_clause(
    field: Field, terrain: str, water: str, name: str, value: str, clause: str
) -> None:
    sides = {water: "0201/0301"} if water else {}
    roads = {"road": "0101 0201"} | ({"bridge": "0201 0301"} if "river" in water else {})
    s = field(
        f". . {terrain} . . .", {"hood": "0201 8", "king": "0301 6"}, roads=roads, sides=sides, choice="confederate"
    )
    order = March("hood", (), strike=Strike(s.board.parse("0301")))
    what = {f.what: (f.value, f.clause) for f in factors(s, order)}
    assert what[name] == (value, clause)
    assert what["the points of movement"] == ("1d6+1 points, 2 to 7", "std-5.1-2")
    kinds = {f"die for a {kind} attack, where it is one" for kind in ATTACKS}
    assert kinds & {*what} == {f"die for a {kind} attack, where it is one" for kind in ("prepared",)}
    assert compare(s, order)


@pytest.mark.clause("std-5.2-2", "std-6.2-3")
def test_several_units_have_one_allowance(field: Field) -> None:
    """Both go as far as the same die lets them: the fourth hex with four points or more, as his mate costs nothing."""
    units = {"jackson": "0101", "ap-hill": "0101 10", "winder": "0101 4"}
    s = field(ROW, units, roads=ROAD, choice="confederate")
    way = tuple(s.board.parse(number) for number in ("0201", "0301", "0401", "0501"))
    order = Activate("jackson", (March("ap-hill", way[:2], ("jackson",)), March("winder", way)))
    assert gcacw.why_not(s, "confederate", order) is None
    assert tell_odds(s, order) == (
        "1d6+2 points, 3 to 8: ap-hill to 0301 for sure; winder to 0501 83.3 %, as far as 0401 16.7 %"
    )
    compare(s, order)


def test_orders_without_dice_have_no_odds(field: Field) -> None:
    s = field(ROW, {"hood": "0101 8"}, choice="confederate")
    for order in (Entrench("hood"), Raid("hood")):
        assert tell_odds(s, order) == ""
        (factor,) = factors(s, order)
        assert "without a die" in factor.value


@pytest.mark.clause("std-10.0-2")
@pytest.mark.parametrize(
    ("unit", "told"), [("king", "built 66.7 %, not built 33.3 %"), ("hood", "built 50 %, not built 50 %")]
)
def test_a_bridge_is_built_by_its_sides_number(field: Field, unit: str, told: str) -> None:
    s = field(ROW, {unit: "0101 8"}, sides={"minor_river": "0101/0201"}, choice="union")
    assert tell_odds(s, Bridge(unit, s.board.parse("0201"))) == told


# --- events told ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lee-vs-pope", "to-bull-run"])
def test_what_dice_have_brought_is_among_what_they_could_bring(name: str, board_of: Callable[[str], Board]) -> None:
    board, chance = board_of(name), random.Random(7)
    seen = Counter[str]()

    def hear(told: Tell) -> None:
        found = chances(board, told.what, told.facts)
        assert not found or sum(found.values()) == 1
        seen[told.what] += bool(found)
        match told.what:
            case "allowance":
                points = told.facts["points"]
                assert f"{points} point{'s' * (points != 1)}" in found
            case "fight":
                both = [told.facts["result"], told.facts["own_result"]]
                said = ["no effect" if cell == "-" else f"{cell} lost" if cell.isdigit() else cell for cell in both]
                assert f"defender {said[0]}, attacker {said[1]}" in found
            case "initiative" | "march" | "tired":
                assert not found

    game = Game.new(gcacw, board, {}, hear)
    while (request := game.request) is not None:
        game.apply(request.sample(chance) if isinstance(request, Choose) else chance_answer(request, chance))
    assert {what for what, times in seen.items() if times} >= {"allowance", "fight", "extended", "assault-roll"}


def test_a_row_of_the_chart_is_told_once_for_all_values_that_read_it(field: Field) -> None:
    """Strained to half its value or not, a unit of 2 reads the first column."""
    s = field(ROW, {"hood": "0201 3 F2", "king": "0301 6"}, roads=ROAD, choice="confederate")
    found = [
        f.what for f in factors(s, March("hood", (), strike=Strike(s.board.parse("0301")))) if f.clause == "std-7.5-1"
    ]
    assert found == [
        "what the difference of the dice brings the enemy with 6",
        "what the difference of the dice brings you with 1 or 2 or 3",
    ]


def test_of_an_order_with_too_many_courses_none_are_told(field: Field) -> None:
    """Five units to fatigue 3, each with a die of its own: their points alone."""
    names = ("ap-hill", "winder", "ewell-a", "taliaferro", "lawton")
    units = {"jackson": "0101"} | dict.fromkeys(names, "0101 4 F2")
    s = field(ROW, units, roads=ROAD, choice="confederate")
    order = Activate(
        "jackson", tuple(March(name, (s.board.parse("0201"),), ("jackson",) * (name == "ap-hill")) for name in names)
    )
    assert gcacw.why_not(s, "confederate", order) is None
    assert known_courses(s, order) is None
    told = tell_odds(s, order)
    assert told.startswith("1d6+2 points, 3 to 8: what comes of it hangs on too many dice")
    two = Activate("jackson", order.marches[:2])
    assert "too many" not in tell_odds(s, two)
