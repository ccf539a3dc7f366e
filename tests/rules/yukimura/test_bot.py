"""The computer player of Yukimura: positions in which a weight turns the choice, and its weights by scenario."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules import rules_of
from pbem.rules.yukimura.posting import Post
from pbem.rules.yukimura.weights import BOLD, Style
from pbem.scenario import load_scenario

ROWS = (". " * 8 + "\n") * 5
FAR = {"go-01": "0508"}


def advised(battle: Any, style: Style) -> str:
    """What the computer player would do next, in words."""
    order = battle.rules.advise(battle.state, battle.request, random.Random(1), style)
    assert battle.request.why_not(order) is None
    return " ".join(battle.rules.order_words(battle.board, order))


def worth(battle: Any, unit: str, h: str, style: Style) -> float:
    """What a hex is worth to a unit."""
    state, at = battle.state, battle.board.parse(h)
    return Post(state, battle.board.units[unit], state.at[unit], style).worth(at)


def test_hope_counts_friends_who_can_still_come_to_the_fight(field: Callable[..., Any]) -> None:
    def gain(more: str, hope: float) -> float:
        units = {"da-01": "0302", "da-02": more, "go-01": "0304"}
        battle = field(ROWS, units, phase="east-move")
        style = BOLD._replace(hope=hope)
        return worth(battle, "da-01", "0303", style) - worth(battle, "da-01", "0303", BOLD)

    assert gain("0202", hope=0.0) == 0
    assert gain("0202", hope=1.0) == 2.0 * 3
    assert gain("0202", hope=0.5) == 2.0 * 1.5
    assert gain("0508", hope=1.0) == 0  # too far away
    assert gain("0202 moved", hope=1.0) == 0


def test_hope_counts_no_more_friends_than_there_is_room_for(field: Callable[..., Any]) -> None:
    units = {"da-01": "0102", "da-02": "0201 3-3-5", "da-03": "0202 3-3-5", "go-01": "0101"}
    battle = field(ROWS, units, phase="east-move", impassable=("0101/0201",))
    style = BOLD._replace(hope=1.0)
    assert worth(battle, "da-01", "0102", style) == worth(battle, "da-01", "0102", BOLD)


def test_front_weighs_the_hexes_from_which_an_enemy_could_come(field: Callable[..., Any]) -> None:
    units = {"go-01": "0303", "go-02": "0501", "da-01": "0305"}
    battle = field(ROWS, units, phase="osaka-move")

    def gain(h: str) -> float:
        return worth(battle, "go-01", h, BOLD._replace(front=1.0)) - worth(battle, "go-01", h, BOLD)

    assert gain("0303") == 1  # 0304 alone lies beside the enemy
    assert gain("0304") == 3  # the enemy, and two hexes beside him
    assert gain("0301") == 0


@pytest.mark.parametrize(
    ("scenario", "unit", "counts"),
    [("connected", "ak-04", True), ("connected", "ki-07", False), ("domyoji", "ak-04", True), ("yao", "ki-07", False)],
)
def test_the_weights_for_the_line_count_on_its_map_alone(scenario: str, unit: str, counts: bool) -> None:
    found = load_scenario(scenario)
    rules = rules_of(found.system)
    board = rules.board(found.data)
    state = rules.start(board, {})
    line = BOLD._replace(front=1.0)
    assert (Post(state, board.units[unit], state.at[unit], BOLD._replace(line=line)).style == line) is counts


@pytest.mark.parametrize(("needed", "answer"), [(0, "melee da-01 at"), (1, "done")])
def test_the_weights_for_the_line_count_in_fights(field: Callable[..., Any], needed: int, answer: str) -> None:
    units = {"da-01": "0303 6-3-3", "go-01": "0304", "go-02": "0508"}
    line = [f"0{row}01/0{row}02" for row in range(1, 6)]
    line += [f"0{row}02/0{row + 1}01" if row % 2 else f"0{row}01/0{row + 1}02" for row in range(1, 5)]
    more = {"line": line, "victory": {"west-of-line": needed}} if needed else {}
    battle = field(ROWS, units, phase="east-combat", **more)
    style = BOLD._replace(line=BOLD._replace(losses=9.0))
    assert advised(battle, style).startswith(answer)


def test_guards_says_how_many_friends_beside_a_leader_are_enough(field: Callable[..., Any]) -> None:
    units = {
        "ki-01": "0303 2-5-5 command 5",
        "ki-02": "0302",
        "ki-03": "0203",
        "ki-04": "0402",
        "ki-05": "0501",
        "da-01": "0307",
    }
    battle = field(ROWS, units, phase="osaka-move", victory={"collapse": {"osaka": ["ki-01"]}})
    few, many = (worth(battle, "ki-05", "0403", BOLD._replace(guards=guards)) for guards in (3, 4))
    assert many - few == 20.0


def test_a_guard_stands_where_the_leader_can_be_attacked_from(field: Callable[..., Any]) -> None:
    units = {"ki-01": "0303 2-5-5 command 5", "ki-02": "0502", "da-01": "0308"}
    victory = {"collapse": {"osaka": ["ki-01"]}}

    def gain(**more: Any) -> float:
        battle = field(ROWS, units, phase="osaka-move", victory=victory, **more)
        return worth(battle, "ki-02", "0403", BOLD) - worth(battle, "ki-02", "0403", BOLD._replace(guards=0))

    assert gain() == 20.0
    assert gain(impassable=("0303/0403",)) == 0


@pytest.mark.parametrize(("others", "worth_of_it"), [({}, 10.0), ({"ki-03": "0203"}, 0.0), ({"ki-03": "0302"}, 10.0)])
def test_screen_says_how_many_stand_where_the_leader_can_only_be_fired_at(
    field: Callable[..., Any], others: dict[str, str], worth_of_it: float
) -> None:
    units = {"ki-01": "0303 2-5-5 command 5", "ki-02": "0502", "da-01": "0308", **others}
    shut = ("0303/0403", "0303/0203")
    battle = field(ROWS, units, phase="osaka-move", victory={"collapse": {"osaka": ["ki-01"]}}, impassable=shut)
    gain = worth(battle, "ki-02", "0403", BOLD._replace(screen=1)) - worth(battle, "ki-02", "0403", BOLD)
    assert gain == worth_of_it


def test_ground_prefers_the_enemy_who_stands_where_it_counts(field: Callable[..., Any]) -> None:
    rows = """
    . . . . .
     . m * . .
    . . . . .
    """
    units = {"da-01": "0202 9-3-3", "go-01": "0203 5-6-3", "go-02": "0302 3-3-3"}
    battle = field(rows, units, phase="east-combat", victory={"star": "0203"}, turn=12)
    assert advised(battle, BOLD._replace(worth=-99.0)).startswith("melee da-01 at go-02")
    assert advised(battle, BOLD._replace(worth=-99.0, ground=60.0)).startswith("melee da-01 at")


@pytest.mark.parametrize("style", [BOLD._replace(losses=9.0), BOLD._replace(worth=9.0)])
def test_losses_and_worth_hold_a_unit_back(field: Callable[..., Any], style: Style) -> None:
    battle = field(ROWS, {"da-01": "0303 6-3-3", "go-01": "0304", "go-02": "0508"}, phase="east-combat")
    assert advised(battle, BOLD).startswith("melee da-01 at")
    assert advised(battle, style) == "done"


def test_home_keeps_the_nearest_units_with_a_leader(field: Callable[..., Any]) -> None:
    units = {"ki-01": "0301 2-5-5 command 5", "ki-02": "0302", "ki-03": "0304", "da-01": "0308"}
    battle = field(ROWS, units, phase="osaka-move", victory={"collapse": {"osaka": ["ki-01"]}})

    def gain(unit: str, h: str, home: int) -> float:
        return worth(battle, unit, h, BOLD._replace(home=home)) - worth(battle, unit, h, BOLD)

    assert gain("ki-02", "0303", home=1) == 0  # two hexes are near enough
    assert gain("ki-02", "0305", home=1) == -16.0
    assert gain("ki-03", "0305", home=1) == 0  # another is nearer
    assert gain("ki-03", "0305", home=2) == -16.0


def test_home_keeps_the_nearest_units_at_komatsuyama(field: Callable[..., Any]) -> None:
    rows = "* " + ROWS[2:]
    units = {"go-02": "0102", "go-03": "0104", "da-01": "0108"}
    battle = field(rows, units, phase="osaka-move", victory={"star": "0101"})

    def gain(unit: str, h: str) -> float:
        return worth(battle, unit, h, BOLD._replace(home=1)) - worth(battle, unit, h, BOLD)

    assert gain("go-02", "0103") == 0
    assert gain("go-02", "0105") == -16.0
    assert gain("go-03", "0105") == 0  # another is nearer


def test_gate_keeps_the_nearest_units_of_osaka_at_a_road_off_the_map(field: Callable[..., Any]) -> None:
    units = {"ki-01": "0303 2-5-5 command 5", "ki-02": "0304", "da-01": "0308", "da-02": "0302"}
    victory = {"collapse": {"osaka": ["ki-01"]}, "breakthrough": ["0301"]}
    battle = field(ROWS, units, phase="osaka-move", victory=victory, roads=("0301 0302",), entries={"west": "0301"})

    def gain(unit: str, **values: int) -> float:
        style = BOLD._replace(gate=values["gate"])
        return worth(battle, unit, "0305", style) - worth(battle, unit, "0305", BOLD)

    assert gain("ki-02", gate=1) == -16.0
    assert gain("da-02", gate=1) == 0  # the East keeps no road

    def guard(gate: int) -> float:
        style = BOLD._replace(gate=gate)
        return worth(battle, "ki-02", "0304", style) - worth(battle, "ki-02", "0304", style._replace(guard=0.0))

    assert guard(gate=0) == 20.0
    assert guard(gate=1) == 0  # who keeps a road is no guard


def test_ford_keeps_off_bridges_and_nothing_else(field: Callable[..., Any]) -> None:
    rows = """
    . . ~ . .
     . . ~ . .
    . . ~ . .
    """
    units = {"go-01": "0201", "da-01": "0205"}
    battle = field(rows, units, phase="osaka-move", roads=("0202 0203 0204",))

    def gain(h: str) -> float:
        return worth(battle, "go-01", h, BOLD._replace(ford=40.0)) - worth(battle, "go-01", h, BOLD)

    assert gain("0203") == -40.0
    assert gain("0202") == gain("0204") == 0


def test_ground_drives_an_enemy_from_a_road_off_the_map_at_any_time(field: Callable[..., Any]) -> None:
    units = {"ki-01": "0501 2-5-5 command 5", "ki-02": "0302", "da-01": "0301 5-5-3", "da-02": "0508"}
    victory = {"collapse": {"osaka": ["ki-01"]}, "breakthrough": ["0301"]}
    more = {"victory": victory, "roads": ("0301 0302",), "entries": {"west": "0301"}}
    battle = field(ROWS, units, phase="osaka-combat", turn=2, **more)
    assert advised(battle, BOLD) == "done"
    assert advised(battle, BOLD._replace(ground=20.0)).startswith("melee ki-02 at da-01")


REINFORCED = {
    "reinforcements": [
        {"force": "hideyori", "turn": 8, "edge": "west", "beside": "yes", "die": 2, "clause": "14-3(6)c"}
    ],
    "entries": {"west": "0101 0501"},
}


def test_nobody_stays_where_others_are_still_to_enter(field: Callable[..., Any]) -> None:
    def gain(unit: str, h: str, *, waiting: str = "hi-02", arrived: bool = True) -> float:
        units = {"go-01": "0503", "da-01": "0303", "da-02": "0108", "hi-01": "0502", waiting: "waiting"}
        units[unit] = units.get(unit, "0502")
        battle = field(ROWS, units, phase="osaka-move", turn=8, **REINFORCED)
        state, found = battle.state, []
        for beside in ("0101", "0501"):
            state.beside["hideyori"] = battle.hex(beside)
            state.arrived |= {"hideyori"} if arrived else set()
            post = Post(state, battle.board.units[unit], battle.hex("0503"), BOLD)
            found.append(post.worth(battle.hex(h)))
        return found[1] - found[0]

    assert gain("go-01", "0501") == gain("hi-01", "0501") == -100.0
    assert gain("go-01", "0502") == gain("da-01", "0501") == 0
    assert gain("go-01", "0501", arrived=False) == 0
    assert gain("hi-02", "0501") == 0  # the last of them may stay in it


@pytest.mark.parametrize(("star", "road"), [("0103", "0101"), ("0503", "0501")])
def test_a_force_is_put_beside_the_road_nearest_to_what_the_east_makes_for(
    field: Callable[..., Any], star: str, road: str
) -> None:
    rows = [list(line) for line in ROWS.split("\n")[:5]]
    rows[int(star[1]) - 1][4] = "*"
    units = {"da-01": "0308", "go-01": "0205", "hi-01": "waiting"}
    ground = "\n".join("".join(row) for row in rows) + "\n"
    battle = field(ground, units, phase="start", opened=False, victory={"star": star}, **REINFORCED)
    assert advised(battle, BOLD) == f"beside hideyori {road}"


@pytest.mark.parametrize("step", ["", "fire"])
@pytest.mark.parametrize("scenario", ["yao", "domyoji", "connected", "gotos-dream"])
def test_styles_are_several_and_differ_in_what_the_phase_asks(scenario: str, step: str) -> None:
    found = load_scenario(scenario)
    rules = rules_of(found.system)
    state = rules.start(rules.board(found.data), {})
    state.step = step
    waits = scenario != "domyoji" or bool(step)
    for side in ("east", "osaka"):
        several = rules.styles(state, side)
        assert len(set(several)) == len(several) == 2 + waits
        assert several[0] != BOLD
        if not waits:
            continue
        careful, best = (style.line or style for style in (several[2], several[0]))
        assert (careful.losses > best.losses) is bool(step)
        assert (careful.ahead < best.ahead) is not bool(step)
        if best is not several[0]:
            assert {style._replace(line=None) for style in several} == {several[0]._replace(line=None)}


@pytest.mark.parametrize("scenario", ["yao", "domyoji", "connected", "gotos-dream"])
def test_a_prospect_is_a_chance_that_both_sides_share(scenario: str) -> None:
    found = load_scenario(scenario)
    rules = rules_of(found.system)
    state = rules.start(rules.board(found.data), {})
    east, osaka = (rules.prospect(state, side) for side in ("east", "osaka"))
    assert 0.1 < east < 0.9
    assert east + osaka == pytest.approx(1.0)


def test_a_prospect_is_better_with_the_enemy_beside_a_leader(field: Callable[..., Any]) -> None:
    def east(at: str) -> float:
        units = {"ki-01": "0303 2-5-5 command 5", "ii-01": "0108 2-5-5 command 5", "da-01": at}
        victory = {"collapse": {"osaka": ["ki-01"], "east": ["ii-01"]}}
        battle = field(ROWS, units, phase="osaka-move", victory=victory)
        return float(battle.rules.prospect(battle.state, "east"))

    assert east("0304") > east("0306")


def test_a_prospect_is_worse_with_the_enemy_beside_ones_own_leader(field: Callable[..., Any]) -> None:
    def east(at: str) -> float:
        units = {"ki-01": "0501 2-5-5 command 5", "ii-01": "0108 2-5-5 command 5", "ki-02": at, "da-01": "0505"}
        victory = {"collapse": {"osaka": ["ki-01"], "east": ["ii-01"]}}
        battle = field(ROWS, units, phase="osaka-move", victory=victory)
        return float(battle.rules.prospect(battle.state, "east"))

    assert east("0107") < east("0106") < east("0103")


class Alike(random.Random):
    """Lots that are all the same, as two may be."""

    def random(self) -> float:
        return 0.5


@pytest.mark.parametrize(("moats", "words"), [((), "melee da-01 at"), (("0202/0203", "0202/0302"), "fire da-01 at")])
def test_of_equal_fights_with_the_same_lot_one_is_taken(
    field: Callable[..., Any], moats: tuple[str, ...], words: str
) -> None:
    units = {"da-01": "0202 9-3-3 rifle", "go-01": "0203 3-3-3", "go-02": "0302 3-3-3"}
    battle = field(ROWS, units, phase="east-combat", impassable=moats)
    order = battle.rules.advise(battle.state, battle.request, Alike(), BOLD._replace(worth=-99.0))
    assert " ".join(battle.rules.order_words(battle.board, order)).startswith(words)
