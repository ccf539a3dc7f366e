"""The Battle of Toba-Fushimi (rulebook 15-1), clause by clause, on its own map."""

from __future__ import annotations

from collections import Counter, deque

import pytest

from pbem.errors import BadScenario, IllegalAnswer, MalformedOrder
from pbem.match.game import Game
from pbem.rules import bakumatsu, rules_of
from pbem.rules.requests import Choose, Draw, Roll
from pbem.scenario import load_scenario

AREAS = {  # side, code: the areas of the map
    ("shogunate", "west"): ["shogunate-west"],
    ("shogunate", "east"): ["shogunate-east"],
    ("satcho", "west"): ["satsuma-west"],
    ("satcho", "east"): ["satsuma-east"],
    ("satcho", "choshu"): ["choshu"],
    ("satcho", "tosa"): ["tosa"],
}
NUMBERS = {
    ("shogunate", "west"): 7,
    ("shogunate", "east"): 10,
    ("satcho", "west"): 6,
    ("satcho", "east"): 6,
    ("satcho", "choshu"): 3,
    ("satcho", "tosa"): 2,
}
TOWN = ["0920", "0921", "0922", "0819", "0820", "0821", "0822", "0720", "0721", "0722"]
BETSUIN = ["1118", "1117", "1017", "1018", "0918", "0917"]
"""The two parts of the Shogunate's eastern area."""


@pytest.fixture(scope="session")
def board():
    return bakumatsu.board(load_scenario("toba-fushimi").data)


class Table:
    """A game on the battle's map from its very beginning, orders in words; `told` has everything told so far."""

    def __init__(self, board, state=None):
        self.board = board
        self.told = []
        self.game = Game(rules_of("bakumatsu"), board, state or bakumatsu.start(board, {}), self.told.append)

    @property
    def request(self):
        return self.game.request

    @property
    def clock(self):
        return bakumatsu.clock(self.game.state)

    def do(self, text):
        self.game.apply(bakumatsu.read_order(self.board, self.request.side, tuple(text.split())))

    def refused(self, text):
        with pytest.raises(IllegalAnswer) as caught:
            self.do(text)
        return caught.value.clause

    def why_not(self, text):
        return self.request.why_not(bakumatsu.read_order(self.board, self.request.side, tuple(text.split())))

    def set_up(self, side, code, hexes=None):
        """Set up all units of a code, in the first hexes of their area or in these."""
        free = hexes or area(self.board, side, code)
        for unit, number in zip(coded(self.board, side, code), free, strict=False):
            self.do(f"setup {unit} {number}")

    def set_up_side(self, side):
        for owner, code in AREAS:
            if owner == side:
                self.set_up(side, code)


@pytest.fixture
def table(board):
    return Table(board)


@pytest.fixture
def ready(table):
    """All units set up: the first order of turn 1 is due."""
    table.set_up_side("shogunate")
    table.set_up_side("satcho")
    return table


def coded(board, side, code):
    return [unit for unit in board.of_side[side] if board.units[unit].code == code]


def area(board, side, code):
    return sorted(board.label[h] for name in AREAS[side, code] for h in board.map.areas[name])


def empty(board, turn, phase):
    """A state without units on the map."""
    state = bakumatsu.start(board, {})
    state.turn, state.phase, state.opened = turn, phase, True
    return state


# 15-1, 15-1-1, 15-1-2, 15-1-3: sides, length, map, forces


@pytest.mark.clause("15-1(0)")
def test_the_former_shogunate_is_the_first_player_and_satsuma_choshu_the_second(ready):
    assert [side.id for side in ready.board.sides] == ["shogunate", "satcho"]
    assert (ready.clock, ready.request.side) == ((1, "shogunate-move"), "shogunate")
    ready.do("done")  # nobody stands beside an enemy: no fire, no melee
    assert (ready.clock, ready.request.side) == ((1, "satcho-move"), "satcho")
    ready.do("done")
    assert ready.clock == (2, "shogunate-move")
    phases = [tell.facts["phase"] for tell in ready.told if tell.what == "phase" and tell.facts["turn"] == 1]
    assert phases == [
        "start", "shogunate-move", "satcho-fire", "shogunate-melee", "satcho-move", "shogunate-fire", "satcho-melee"
    ]  # fmt: skip


@pytest.mark.clause("15-1-1(0)", "14(4)2")
@pytest.mark.parametrize(("turn", "over"), [(7, False), (8, True)])
def test_the_battle_lasts_eight_turns(board, turn, over):
    assert board.turns == 8
    state = empty(board, turn, 6)
    state.cups = dict.fromkeys(state.cups, ())
    state.put("sa-01", board.map.parse("2012"))
    state.put("sg-01", board.map.parse("2113"))
    table = Table(board, state)
    table.do("done")
    if over:
        assert table.request is None
        assert table.game.outcome.clause == "14(4)2"
        assert table.game.outcome.winner == "shogunate"  # 9 : 4 as at the start
    else:
        assert table.clock == (8, "shogunate-move")


@pytest.mark.clause("15-1-2(0)")
def test_the_battle_is_played_on_its_own_map():
    data = load_scenario("toba-fushimi").data
    assert bakumatsu.board(data).map.name == "toba-fushimi"
    wrong = {**data, "scenario": {**data["scenario"], "map": "tabaruzaka"}}
    with pytest.raises(BadScenario, match="tabaruzaka"):
        bakumatsu.board(wrong)


@pytest.mark.clause("15-1-3.1", "15-1-3.2")
@pytest.mark.parametrize(
    ("side", "formations"),
    [
        ("shogunate", {"shogunate-army": 17, "shinsengumi": 1, "various": 3, "aizu": 2, "domains": 10}),
        ("satcho", {"satsuma": 12, "choshu": 3, "tosa": 2}),
    ],
)
def test_the_forces_by_formation(board, side, formations):
    assert Counter(board.units[unit].formation for unit in board.of_side[side]) == formations


# 15-1-4: initial deployment


@pytest.mark.clause("15-1-4(1)0", "15-1-4(2)0")
def test_the_shogunate_sets_up_first_and_openly_then_satsuma_choshu(table):
    """Ruling R12."""
    assert (table.request.kind, table.request.side) == ("setup", "shogunate")
    assert table.refused("setup sa-01 2012") == "15-1-4(1)0"
    table.set_up("shogunate", "west")
    table.set_up("shogunate", "east", [*TOWN, *BETSUIN])
    assert (table.request.kind, table.request.side) == ("setup", "satcho")
    assert len(bakumatsu.dump(table.game.state)["at"]) == 17
    assert table.refused("setup sg-01 1209") == "15-1-4(1)0"
    table.set_up_side("satcho")
    assert (table.request.kind, table.request.side) == ("move", "shogunate")
    assert table.clock == (1, "shogunate-move")


@pytest.mark.clause("15-1-4(0)", "15-1-4(1)1", "15-1-4(1)2a", "15-1-4(2)1", "15-1-4(2)2", "15-1-4(2)3", "15-1-4(2)4")
@pytest.mark.parametrize(("side", "code"), list(AREAS))
def test_units_of_a_code_go_anywhere_in_their_area_and_nowhere_else(table, side, code):
    if side == "satcho":
        table.set_up_side("shogunate")
    board = table.board
    own, units = set(area(board, side, code)), coded(board, side, code)
    assert len(units) == NUMBERS[side, code]
    for h in board.map.hexes:
        refusal = table.why_not(f"setup {units[0]} {board.label[h]}")
        if board.label[h] in own:
            assert refusal is None, board.label[h]
        else:
            assert refusal is not None, board.label[h]
            assert refusal.clause == "2-2-1(2)7"
    offered = {bakumatsu.order_words(board, order)[2] for order in table.request.options() if order.unit == units[0]}
    assert offered == own


@pytest.mark.clause("15-1-4(0)")
def test_one_unit_stands_in_a_setup_hex(table):
    table.do("setup sg-01 1209")
    first, second = coded(table.board, "shogunate", "west")[:2]
    assert first == "sg-01"
    assert table.refused(f"setup {second} 1209") == "15-1-4(0)"
    assert table.refused("setup sg-01 1309") == "15-1-4(0)"
    table.do(f"setup {second} 1309")


@pytest.mark.clause("15-1-4(0)", "15-1-4(1)1", "15-1-4(1)2a", "15-1-4(2)1", "15-1-4(2)2", "15-1-4(2)3", "15-1-4(2)4")
@pytest.mark.parametrize("missing", list(AREAS))
def test_every_unit_must_be_set_up(table, missing):
    side, code = missing
    if side == "satcho":
        table.set_up_side("shogunate")
    for owner, other in AREAS:
        if owner == side and other != code:
            table.set_up(side, other)
    *others, last = coded(table.board, side, code)
    *hexes, number = area(table.board, side, code)[: len(others) + 1]
    table.set_up(side, code, hexes)
    assert (table.request.kind, table.request.side) == ("setup", side)
    assert table.refused("done") == "15-1-4(0)"
    table.do(f"setup {last} {number}")
    assert (table.request.kind, table.request.side) == (
        ("setup", "satcho") if side == "shogunate" else ("move", "shogunate")
    )


@pytest.mark.clause("15-1-4(1)2b")
@pytest.mark.parametrize(("in_town", "beyond"), [(10, 0), (5, 5), (4, 6)])
def test_the_eastern_area_has_two_parts_used_freely(table, in_town, beyond):
    assert set(area(table.board, "shogunate", "east")) == {*TOWN, *BETSUIN}
    table.set_up("shogunate", "east", TOWN[:in_town] + BETSUIN[:beyond])
    stands = list(bakumatsu.dump(table.game.state)["at"].values())
    assert len(stands) == 10
    assert (sum(h in TOWN for h in stands), sum(h in BETSUIN for h in stands)) == (in_town, beyond)


@pytest.mark.clause("15-1-4(1)3")
def test_sixteen_reinforcements_wait_in_one_cup(ready):
    waiting = coded(ready.board, "shogunate", "R")
    state = bakumatsu.dump(ready.game.state)
    assert len(waiting) == 16
    assert state["cups"] == {"shogunate": sorted(waiting), "satcho": []}
    assert not set(waiting) & set(state["at"])
    fresh = Table(ready.board)
    for number in ("1209", "0922", "0106"):
        assert fresh.refused(f"setup {waiting[0]} {number}") == "4(3)b"
    assert ready.refused(f"move {waiting[0]} 0107") == "4(3)b"


# 15-1-5 and 15-1-7: reinforcements


def play_on(table, until, dice=()):
    """`done` after `done` up to a turn; the dice for the checks, draws from the front of the cup; the rolls seen."""
    rolls, left = [], deque(dice)
    while table.request is not None and table.clock[0] < until:
        request = table.request
        if isinstance(request, Roll):
            rolls.append((table.clock, request))
            table.game.apply((left.popleft(),))
        elif isinstance(request, Draw):
            table.game.apply(request.cup[: request.count])
        else:
            table.do("done")
    return rolls


@pytest.mark.clause("15-1-5(1)0", "15-1-7(1)0")
def test_no_check_in_turn_1_and_one_at_the_beginning_of_the_shogunates_phase_from_turn_2_on(ready):
    """Rulings R3, R5."""
    assert isinstance(ready.request, Choose)  # turn 1 begins without a roll
    assert play_on(ready, 2) == []
    assert ready.request == Roll("reinforcement/2", dice=1, sides=6)
    assert ready.clock == (2, "shogunate-move")
    rolls = play_on(ready, 9, dice=[1] * 7)
    assert [(clock, roll.label, roll.dice) for clock, roll in rolls] == [
        ((turn, "shogunate-move"), f"reinforcement/{turn}", 1) for turn in range(2, 9)
    ]
    checks = [tell.facts["side"] for tell in ready.told if tell.what == "reinforcements"]
    assert checks == ["shogunate"] * 7
    assert len(ready.game.state.received["shogunate"]) == 7


@pytest.mark.clause("15-1-5(1)1", "15-1-7(1)1")
def test_the_die_says_how_many_are_drawn_at_random_without_replacement(ready):
    """Ruling R57."""
    play_on(ready, 2)
    cup = tuple(sorted(coded(ready.board, "shogunate", "R")))
    ready.game.apply((4,))
    assert ready.request == Draw("cup/shogunate", cup, 4)  # the player isn't asked
    drawn = (cup[9], cup[0], cup[15], cup[3])
    for wrong in (drawn[:3], (*drawn, cup[5]), (cup[0], cup[0], cup[1], cup[2]), (*drawn[:3], "sg-01")):
        with pytest.raises(IllegalAnswer):
            ready.game.apply(wrong)
    ready.game.apply(drawn)
    assert ready.request.kind == "move"
    state = ready.game.state
    assert set(state.received["shogunate"]) == set(drawn)
    rest = tuple(unit for unit in cup if unit not in drawn)
    assert state.cups["shogunate"] == rest
    assert ready.why_not(f"enter {cup[9]}") is None
    assert ready.refused(f"enter {cup[1]}") == "4(3)b"

    play_on(ready, 3)
    ready.game.apply((6,))
    assert ready.request == Draw("cup/shogunate", rest, 6)


@pytest.mark.clause("15-1-5(1)1")
def test_a_die_above_what_is_left_draws_what_is_left_and_an_empty_cup_makes_no_check(ready):
    """Ruling R56."""
    rolls = play_on(ready, 9, dice=[6, 6, 6])
    assert [clock[0] for clock, _ in rolls] == [2, 3, 4]
    drawn = [len(tell.facts["units"]) for tell in ready.told if tell.what == "reinforcements"]
    assert drawn == [6, 6, 4]
    assert ready.game.state.cups["shogunate"] == ()


@pytest.mark.clause("15-1-5(1)2", "15-1-7(1)2")
def test_reinforcements_enter_at_the_shogunates_entry_hex_only(ready):
    """Ruling R59."""
    play_on(ready, 2)
    ready.game.apply((3,))
    first, second, third = ready.request.cup[:3]
    ready.game.apply((first, second, third))
    board = ready.board
    assert board.label[board.side["shogunate"].entry] == "0106"
    with pytest.raises(MalformedOrder):
        ready.do(f"enter {first} 0207")
    assert ready.refused(f"move {first} 0206") == "13-2(1)"
    assert ready.refused(f"enter {first} move 0308") == "8(1)"
    ready.do(f"enter {first} move 0206")
    ready.do(f"enter {second}")
    at = bakumatsu.dump(ready.game.state)["at"]
    assert (at[first], at[second]) == ("0206", "0106")
    assert ready.refused(f"enter {third}") == "13-1(4)"


@pytest.mark.clause("15-1-5(2)", "15-1-7(2)")
def test_satsuma_choshu_gets_no_reinforcements(ready):
    """Ruling R62."""
    board = ready.board
    assert board.side["satcho"].reinforcement_turns == frozenset()
    assert board.side["satcho"].entry is None
    assert coded(board, "satcho", "R") == []
    rolls = play_on(ready, 4, dice=[2, 2])
    assert {clock[1] for clock, _ in rolls} == {"shogunate-move"}
    assert ready.game.state.received["satcho"] == ()
    while ready.clock[1] != "satcho-move":
        if isinstance(ready.request, Roll):
            ready.game.apply((1,))
        elif isinstance(ready.request, Draw):
            ready.game.apply(ready.request.cup[:1])
        else:
            ready.do("done")
    assert isinstance(ready.request, Choose)
    assert ready.refused("enter sa-01") == "13-2(1)"


# 15-1-6: victory hexes


@pytest.mark.clause("15-1-6(0)a", "15-1-6(0)b")
def test_four_victory_hexes_begin_with_satsuma_choshu_and_nine_with_the_shogunate(ready):
    control = bakumatsu.dump(ready.game.state)["control"]
    assert {number for number, side in control.items() if side == "satcho"} == {"2411", "2419", "2424", "1122"}
    assert Counter(control.values()) == {"satcho": 4, "shogunate": 9}
    progress = bakumatsu.situation(ready.game.state)["progress"]
    assert [(entry["side"], entry["count"]) for entry in progress] == [("shogunate", 9), ("satcho", 4)]


@pytest.mark.clause("15-1-6(0)a")
def test_setting_up_changes_no_control(ready):
    """Gokokuji is in an area of Satsuma's, victory hexes of the Shogunate are in its own."""
    before = bakumatsu.dump(Table(ready.board).game.state)["control"]
    assert bakumatsu.dump(ready.game.state)["control"] == before
