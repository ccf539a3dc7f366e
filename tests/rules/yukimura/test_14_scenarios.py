"""Rulebook 14: held forces, the Ishikawa Line, Hideyori, and how battles are won; on small fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ROWS = (". " * 12 + "\n") * 5

HELD = [
    {"force": "akashi", "until": 5, "clause": "14-1(5)1"},
    {"force": "mori", "until": 7, "gate": "yes", "clause": "14-1(5)2a"},
    {"force": "sanada", "until": 10, "die": 3, "clause": "14-1(5)3a"},
]
UNITS = {"da-01": "0308 3-3-5", "ak-01": "0101", "mo-01": "0201", "sa-01": "0301", "sa-02": "0401", "go-01": "0512"}


def line(column: int) -> tuple[str, ...]:
    """A line of hexsides that parts columns up to this one from the rest, over five rows."""
    west, east = f"{column:02}", f"{column + 1:02}"
    sides = []
    for row in range(1, 6):
        sides.append(f"{row:02}{west}/{row:02}{east}")
        if row < 5:
            below = f"{row + 1:02}"
            sides.append(f"{row:02}{east}/{below}{west}" if row % 2 else f"{row:02}{west}/{below}{east}")
    return tuple(sides)


@pytest.fixture
def line_field(field: Callable[..., Any]) -> Callable[..., Any]:
    """A field parted between columns 04 and 05, with the three held forces in the west."""

    def build(units: dict[str, str] = UNITS, **more: Any) -> Any:
        settings = {"held": HELD, "line": line(4), "victory": {"west-of-line": 10, "otherwise": "osaka"}, "idle": True}
        return field(ROWS, units, **{**settings, **more})

    return build


GATE = [{"force": "mori", "until": 7, "gate": "yes", "clause": "14-1(5)2a"}]
"""One held force, and the line closed until its turn."""


def to_osaka_move(battle: Any, *dice: int) -> None:
    """Say `done` until Osaka's next Movement Phase; the dice are those of its beginning."""
    battle.do("done")
    while battle.phase != "osaka-move":
        battle.do("done")
    if dice:
        battle.do("", *dice)


def released(battle: Any) -> set[str]:
    found: set[str] = battle.state.released
    return found


# --- 14-1(5): held forces


@pytest.mark.clause("14-1(5)", "14-1(5)1", "14-1(5)2a", "14-1(5)3a", "14-3(7)")
@pytest.mark.parametrize(
    ("unit", "until", "clause"), [("ak-01", 5, "14-1(5)1"), ("mo-01", 7, "14-1(5)2a"), ("sa-01", 10, "14-1(5)3a")]
)
def test_a_held_force_moves_from_its_turn_on(
    line_field: Callable[..., Any], unit: str, until: int, clause: str
) -> None:
    row = UNITS[unit][:2]
    before = line_field(phase="osaka-combat", turn=until - 2)
    before.do("done")
    while before.phase != "osaka-move":
        before.do("done")
    assert before.state.turn == until - 1
    assert before.refused(f"move {unit} {row}02") == clause
    assert before.is_(unit, "held")
    while before.state.turn < until or before.phase != "osaka-move":
        before.do("done")
    assert before.state.turn == until
    assert not before.is_(unit, "held")
    before.do(f"move {unit} {row}02")
    assert before.at(unit) == f"{row}02"


@pytest.mark.clause("14-1(5)1", "14-1(5)2a")
def test_each_force_has_its_own_turn(line_field: Callable[..., Any]) -> None:
    battle = line_field(phase="osaka-combat", turn=4)
    battle.do("done")
    assert [tell.facts for tell in battle.told if tell.what == "release"] == [
        {"force": "akashi", "title": "Akashi", "side": "osaka", "die": None, "needed": None, "released": True}
    ]
    assert released(battle) == {"akashi"}
    assert battle.is_("mo-01", "held")
    assert not battle.is_("go-01", "held")


@pytest.mark.clause("14-1(5)", "14-2(5)1")
def test_a_held_unit_fires_fights_and_retreats_but_does_not_advance(field: Callable[..., Any]) -> None:
    """R89; being attacked does not release it."""
    held = [{"force": "akashi", "until": 5, "clause": "14-1(5)1"}]
    units = {"ak-01": "0303 9-3-3 rifle", "ak-02": "0402 9-3-3", "da-01": "0304 3-2-3", "da-02": "0503 3-2-3"}
    battle = field(ROWS, units, phase="osaka-combat", held=held, idle=True)
    assert battle.refused("fire ak-01 at da-01 advance ak-01") == "14-1(5)1"
    assert battle.refused("melee ak-02 at da-02 advance ak-02") == "14-1(5)1"
    battle.do("fire ak-01 at da-01", 6, 6, 6)
    assert battle.facts("fire")["unit"] == "ak-01"
    battle.do("melee ak-02 at da-02", 6, 6)
    assert battle.facts("remove")["unit"] == "da-02"
    assert battle.at("ak-02") == "0402"
    assert battle.is_("ak-02", "held")
    beaten = field(ROWS, {"ak-01": "0303 3-2-3", "da-01": "0304 9-3-3"}, phase="east-combat", held=held, idle=True)
    beaten.game.apply(beaten.order("melee da-01 at ak-01 hold"))
    beaten.game.apply((4, 4))
    beaten.game.apply((1,))
    beaten.do("retreat ak-01 0302 0301")
    assert beaten.at("ak-01") == "0301"
    assert beaten.is_("ak-01", "held")


# --- 14-1(5)2b: the line


@pytest.mark.clause("14-1(5)2b")
def test_the_east_may_not_cross_the_line_before_turn_7(line_field: Callable[..., Any]) -> None:
    roads = (" ".join(f"03{c:02}" for c in range(9, 0, -1)),)
    units = {"da-01": "0306 3-3-5", "mo-01": "0512"}
    for turn, refused in ((6, True), (7, False)):
        battle = line_field(units, phase="east-move", turn=turn, roads=roads, held=GATE)
        for order in ("move da-01 0305 0304", "march da-01 0305 0304 0303"):
            refusal = battle.why_not(order)
            assert (refusal.clause if refusal else None) == ("14-1(5)2b" if refused else None)
        assert battle.why_not("move da-01 0305") is None
        crossing = [order for order in battle.options() if "0304" in order.split()[2:] and "da-01" in order]
        assert bool(crossing) is not refused


@pytest.mark.clause("14-1(5)2b")
def test_osaka_may_cross_the_line_at_any_time(line_field: Callable[..., Any]) -> None:
    units = {"go-01": "0306", "go-02": "0304", "da-01": "0112", "mo-01": "0512"}
    battle = line_field(units, phase="osaka-move", held=GATE)
    assert battle.why_not("move go-01 0305 0204 0203") is None
    assert battle.why_not("move go-02 0305") is None


@pytest.mark.clause("14-1(5)2b", "11-1-1")
def test_a_forced_retreat_may_cross_and_is_no_crossing(line_field: Callable[..., Any]) -> None:
    units = {"da-01": "0305 3-2-3", "go-01": "0306 9-3-3", "sa-01": "0101"}
    held = [{"force": "sanada", "until": 10, "die": 3, "gate": "yes"}]
    battle = line_field(units, phase="osaka-combat", held=held)
    battle.game.apply(battle.order("melee go-01 at da-01 hold"))
    battle.game.apply((4, 4))
    battle.game.apply((1,))
    battle.do("retreat da-01 0304 0303")
    assert battle.at("da-01") == "0303"
    assert not battle.state.crossed
    assert "crossing" not in battle.events()


@pytest.mark.clause("14-1(5)2b", "11-3.a")
def test_an_advance_may_not_cross_before_turn_7(line_field: Callable[..., Any]) -> None:
    units = {"da-01": "0305 9-3-3", "go-01": "0304 3-2-3", "mo-01": "0512"}
    early = line_field(units, phase="east-combat", turn=6, held=GATE)
    early.do("melee da-01 at go-01 advance da-01 0304", 6, 6)
    assert early.at("da-01") == "0305"
    assert "Ishikawa Line" in early.facts("drop")["reason"]
    assert not early.state.crossed
    late = line_field(units, phase="east-combat", turn=7, held=GATE)
    late.do("melee da-01 at go-01 advance da-01 0304", 6, 6)
    assert late.at("da-01") == "0304"
    assert late.facts("crossing") == {"unit": "da-01", "at": "0304"}


@pytest.mark.clause("14-1(5)2b", "14-3(7)")
def test_under_the_other_reading_a_crossing_frees_mori(line_field: Callable[..., Any]) -> None:
    units = {**UNITS, "da-01": "0305 3-3-5"}
    battle = line_field(units, phase="east-move", options={"ishikawa-reading": "release"})
    assert battle.is_("mo-01", "held")
    battle.do("move da-01 0304")
    assert battle.events() == ["move", "crossing", "release"]
    assert released(battle) == {"mori"}
    gate = line_field(units, phase="east-move", turn=7)
    gate.do("move da-01 0304")
    assert gate.events() == ["move", "crossing"]


# --- 14-1(5)3: Sanada's die


@pytest.mark.clause("14-1(5)3b")
@pytest.mark.parametrize(("die", "free"), [(1, True), (3, True), (4, False), (6, False)])
def test_after_a_crossing_a_die_may_free_sanada(line_field: Callable[..., Any], die: int, free: bool) -> None:
    battle = line_field({**UNITS, "da-01": "0305 3-3-5"}, phase="east-move", turn=8)
    battle.do("move da-01 0304")
    to_osaka_move(battle, die)
    assert battle.facts("release") == {
        "force": "sanada",
        "title": "Sanada",
        "side": "osaka",
        "die": die,
        "needed": 3,
        "released": free,
    }
    assert (battle.why_not("move sa-01 0302") is None) is free
    assert (battle.why_not("move sa-02 0402") is None) is free


@pytest.mark.clause("14-1(5)3b")
def test_a_failed_die_is_rolled_again_next_turn_and_success_is_for_good(line_field: Callable[..., Any]) -> None:
    battle = line_field({**UNITS, "da-01": "0305 3-3-5"}, phase="east-move", turn=7)
    battle.do("move da-01 0304")
    for die, free in ((4, False), (3, True)):
        to_osaka_move(battle, die)
        assert battle.facts("release")["released"] is free
    assert battle.state.turn == 8
    to_osaka_move(battle)
    assert battle.state.turn == 9
    assert battle.request.kind == "move"  # no die any more
    assert battle.why_not("move sa-01 0302") is None


@pytest.mark.clause("14-1(5)3b")
def test_without_a_crossing_there_is_no_die(line_field: Callable[..., Any]) -> None:
    battle = line_field(phase="east-move", turn=8)
    while battle.phase != "osaka-move":
        battle.do("done")
    assert "sanada" not in released(battle)
    assert battle.refused("move sa-01 0302") == "14-1(5)3a"


@pytest.mark.clause("14-1(5)3b")
def test_the_crossing_is_remembered(line_field: Callable[..., Any]) -> None:
    """One unit crosses on turn 7 and is gone when the die is due."""
    battle = line_field({**UNITS, "da-01": "0305 3-3-5"}, phase="east-move", turn=8)
    battle.do("move da-01 0304 0303 0302")
    battle.state.remove("da-01", "test", "test")
    to_osaka_move(battle, 2)
    assert battle.facts("release")["released"]


# --- 14-1(6): ten units beyond the line


@pytest.mark.clause("14-1(6)a", "14-1(6)b", "14-3(9)a", "14-3(9)c")
@pytest.mark.parametrize(("west", "winner", "clause"), [(10, "east", "14-1(6)a"), (9, "osaka", "14-1(6)b")])
def test_ten_units_beyond_the_line_win_at_the_end(
    line_field: Callable[..., Any], west: int, winner: str, clause: str
) -> None:
    hexes = [f"{row:02}{column:02}" for row in range(1, 6) for column in range(1, 4)][:west]
    units = {f"da-{i:02}": number for i, number in enumerate(hexes, 1)} | {"mo-01": "0512", "da-50": "0506"}
    battle = line_field(units, phase="osaka-combat", turn=11, held=GATE)
    battle.do("done")
    assert battle.outcome is None  # only at the end of turn 12
    while battle.outcome is None:
        battle.do("done")
    assert (battle.outcome.winner, battle.outcome.clause) == (winner, clause)
    assert str(west) in battle.outcome.reason


@pytest.mark.clause("14-1(6)a")
def test_units_that_left_the_map_do_not_count(line_field: Callable[..., Any]) -> None:
    hexes = [f"{row:02}{column:02}" for row in range(1, 6) for column in range(1, 3)]
    units = {f"da-{i:02}": number for i, number in enumerate(hexes, 1)} | {"mo-01": "0512"}
    battle = line_field(units, phase="east-move", turn=12, held=GATE)
    battle.do("move da-01 off")
    while battle.outcome is None:
        battle.do("done")
    assert battle.outcome.winner == "osaka"


# --- 14-2(5): forces held for ever


@pytest.mark.clause("14-2(5)1", "14-3(8)")
def test_forces_held_for_ever_and_until_a_turn(field: Callable[..., Any]) -> None:
    units = {"sk-01": "0101", "da-01": "0105", "go-01": "0512"}
    for turn in (1, 8, 12):
        never = field(
            ROWS, units, phase="east-move", turn=turn, opened=False, held=[{"force": "sakakibara", "until": "never"}]
        )
        assert never.refused("move sk-01 0102") == "14-1(5)"
        assert never.why_not("move da-01 0104") is None
    until = [{"force": "sakakibara", "until": 8, "clause": "14-3(8)"}]
    early = field(ROWS, units, phase="east-move", turn=7, opened=False, held=until)
    assert early.refused("move sk-01 0102") == "14-3(8)"
    late = field(ROWS, units, phase="east-move", turn=8, opened=False, held=until)
    assert late.why_not("move sk-01 0102") is None


# --- 14-2(6): collapse, breakthrough, superior power

LEADERS = {
    "ii-01": "0303 2-5-5 mounted command 10",
    "to-01": "0503 2-5-5 mounted command 10",
    "ki-01": "0308 2-5-5 mounted command 10",
    "ch-01": "0508 2-5-5 mounted command 10",
}
YAO = {
    "collapse": {"east": ["ii-01", "to-01"], "osaka": ["ki-01", "ch-01"]},
    "breakthrough": ["0101", "0501"],
    "superior-power": "yes",
    "otherwise": "draw",
}


@pytest.mark.clause("14-2(6)1", "14-2(6)2")
@pytest.mark.parametrize(
    ("unit", "phase", "order", "winner", "clause"),
    [
        ("ii-01", "east-move", "move ii-01 0302", "osaka", "14-2(6)1"),
        ("to-01", "east-move", "move to-01 0502", "osaka", "14-2(6)1"),
        ("ki-01", "osaka-move", "move ki-01 0309", "east", "14-2(6)2"),
        ("ch-01", "osaka-move", "move ch-01 0509", "east", "14-2(6)2"),
    ],
)
def test_a_leader_who_moves_loses_the_battle_at_once(
    field: Callable[..., Any], unit: str, phase: str, order: str, winner: str, clause: str
) -> None:
    battle = field(ROWS, LEADERS, phase=phase, victory=YAO, idle=True)
    assert battle.why_not(order) is None
    battle.do(order)
    assert (battle.outcome.winner, battle.outcome.clause) == (winner, clause)
    assert unit in battle.outcome.reason
    assert battle.request is None
    assert battle.events() == ["move", "end"]


@pytest.mark.clause("14-2(6)1")
@pytest.mark.parametrize(("dice", "ends"), [((4, 4, 3), False), ((4, 4, 5), True)])
def test_a_leader_who_falls_back_loses_the_battle_in_mid_phase(
    field: Callable[..., Any], dice: tuple[int, ...], ends: bool
) -> None:
    """D3 at morale 6: die 3 passes, die 5 retreats by 2."""
    units = {**LEADERS, "ii-01": "0303 2-6-5 mounted command 10", "go-01": "0304 9-3-3"}
    battle = field(ROWS, units, phase="osaka-combat", victory=YAO, idle=True)
    battle.game.apply(battle.order("melee go-01 at ii-01 hold"))
    battle.game.apply(dice[:2])
    battle.game.apply(dice[2:])
    if battle.request is not None and battle.request.kind == "retreat":
        battle.game.apply(next(iter(battle.request.options())))
    assert (battle.outcome is not None) is ends
    if ends:
        assert (battle.outcome.winner, battle.outcome.clause) == ("osaka", "14-2(6)1")


@pytest.mark.clause("14-2(6)1", "14-2(6)2")
def test_removal_exit_and_advance_of_a_leader_lose_the_battle(field: Callable[..., Any]) -> None:
    units = {**LEADERS, "ki-01": "0308 2-5-5 mounted command 10", "da-01": "0309 9-3-3"}
    removed = field(ROWS, units, phase="east-combat", victory=YAO, idle=True)
    removed.do("melee da-01 at ki-01 hold", 6, 6)
    assert (removed.outcome.winner, removed.outcome.clause) == ("east", "14-2(6)2")
    units = {**LEADERS, "ii-01": "0301 2-5-5 mounted command 10"}
    exited = field(ROWS, units, phase="east-move", victory=YAO, idle=True)
    exited.do("move ii-01 off")
    assert exited.outcome.winner == "osaka"
    units = {**LEADERS, "ii-01": "0303 9-5-5 mounted command 10", "go-01": "0304 3-2-3"}
    advanced = field(ROWS, units, phase="east-combat", victory=YAO, idle=True)
    advanced.do("melee ii-01 at go-01 advance ii-01 0304", 6, 6)
    assert (advanced.outcome.winner, advanced.outcome.clause) == ("osaka", "14-2(6)1")


@pytest.mark.clause("14-2(6)1", "14-3(9)b")
def test_without_eastern_collapse_ii_may_move(field: Callable[..., Any]) -> None:
    connected = {"collapse": {"osaka": ["ki-01", "ch-01"]}, "breakthrough": ["0101"], "otherwise": "osaka"}
    battle = field(ROWS, LEADERS, phase="east-move", victory=connected, idle=True)
    battle.do("move ii-01 0302")
    assert battle.outcome is None
    ended = field(ROWS, LEADERS, phase="osaka-move", victory=connected, idle=True)
    ended.do("move ki-01 0309")
    assert (ended.outcome.winner, ended.outcome.clause) == ("east", "14-2(6)2")


@pytest.mark.clause("14-2(6)1")
def test_other_commanders_may_move(field: Callable[..., Any]) -> None:
    units = {**LEADERS, "ii-02": "0107 2-5-5 mounted command 3"}
    battle = field(ROWS, units, phase="east-move", victory=YAO, idle=True)
    battle.do("move ii-02 0106")
    assert battle.outcome is None


@pytest.mark.clause("14-2(6)3", "14-3(9)a")
@pytest.mark.parametrize(("number", "wins"), [("0101", True), ("0501", True), ("0102", False)])
def test_a_breakthrough_counts_at_the_end_of_a_turn(field: Callable[..., Any], number: str, wins: bool) -> None:
    units = {**LEADERS, "da-01": number}
    battle = field(ROWS, units, phase="osaka-move", turn=3, victory=YAO, idle=True)
    assert battle.outcome is None
    while battle.state.turn == 3 and battle.outcome is None:
        battle.do("done")
    assert (battle.outcome is not None) is wins
    if wins:
        assert (battle.outcome.winner, battle.outcome.clause) == ("east", "14-2(6)3")


@pytest.mark.clause("14-2(6)3")
def test_a_unit_pushed_out_before_the_turns_end_has_not_broken_through(field: Callable[..., Any]) -> None:
    units = {**LEADERS, "da-01": "0101 3-2-3", "go-01": "0102 9-3-3"}
    battle = field(ROWS, units, phase="osaka-combat", turn=3, victory=YAO, idle=True)
    battle.do("melee go-01 at da-01 hold", 6, 6)
    assert battle.at("da-01") is None
    battle.do("done")
    assert battle.outcome is None
    own = field(ROWS, {**LEADERS, "go-01": "0101"}, phase="osaka-combat", turn=3, victory=YAO, idle=True)
    own.do("done")
    assert own.outcome is None


def superior(field: Callable[..., Any], units: dict[str, str], **more: Any) -> Any:
    """The outcome at the end of the last turn."""
    battle = field(ROWS, {**LEADERS, **units}, phase="osaka-combat", turn=12, victory=YAO, idle=True, **more)
    while battle.outcome is None:
        battle.do("done")
    return battle.outcome


ROUND_EAST = {"go-01": "0302", "go-02": "0304", "go-03": "0403", "go-04": "0502", "go-05": "0504"}
ROUND_OSAKA = {"da-01": "0307", "da-02": "0309", "da-03": "0408", "da-04": "0507"}


@pytest.mark.clause("14-2(6)4a", "14-2(6)4b")
def test_more_units_round_the_enemys_leaders_win(field: Callable[..., Any]) -> None:
    """0403 lies next to Ii and Todo both: its unit counts once (R94)."""
    outcome = superior(field, {**ROUND_EAST, **ROUND_OSAKA})
    assert (outcome.winner, outcome.clause) == ("osaka", "14-2(6)4a")
    assert "4 of the Eastern Army and 5 of the Osaka Army" in outcome.reason
    outcome = superior(field, {**dict(list(ROUND_EAST.items())[:3]), **ROUND_OSAKA})
    assert (outcome.winner, outcome.clause) == ("east", "14-2(6)4a")


@pytest.mark.clause("14-2(6)4b")
def test_units_round_other_commanders_and_across_impassable_sides(field: Callable[..., Any]) -> None:
    other = {"ii-02": "0111 2-5-5 command 3", "go-06": "0112"}
    assert superior(field, {**other, "da-01": "0307"}).winner == "east"
    shut = superior(field, {"da-01": "0307"}, impassable=("0307/0308",))
    assert shut.winner == "east"


@pytest.mark.clause("14-2(6)4c")
@pytest.mark.parametrize("count", [0, 4])
def test_neither_side_ahead_is_a_draw(field: Callable[..., Any], count: int) -> None:
    units = dict([*list(ROUND_EAST.items())[:count], *list(ROUND_OSAKA.items())[:count]])
    outcome = superior(field, units)
    assert (outcome.winner, outcome.clause) == (None, "14-2(6)4c")


@pytest.mark.clause("14-2(6)4a", "14-3(9)b", "14-3(9)c")
def test_superior_power_is_not_used_in_the_connected_scenario(field: Callable[..., Any]) -> None:
    connected = {"collapse": {"osaka": ["ki-01", "ch-01"]}, "breakthrough": ["0101"], "otherwise": "osaka"}
    units = {**LEADERS, **ROUND_OSAKA}
    battle = field(ROWS, units, phase="osaka-combat", turn=12, victory=connected, idle=True)
    battle.do("done")
    assert (battle.outcome.winner, battle.outcome.clause) == ("osaka", "14-3(9)c")


# --- 14-3(6): Hideyori

HIDEYORI = {
    "reinforcements": [
        {"force": "hideyori", "turn": 8, "edge": "west", "beside": "yes", "die": 2, "clause": "14-3(6)c"}
    ],
    "entries": {"west": "0101 0501", "east": "0312"},
}
WITH_HIDEYORI = {"da-01": "0110", "go-01": "0505", "hi-01": "waiting", "hi-02": "waiting"}


@pytest.mark.clause("14-3(6)a")
def test_osaka_puts_hideyori_beside_a_western_road(field: Callable[..., Any]) -> None:
    battle = field(ROWS, WITH_HIDEYORI, phase="start", opened=False, **HIDEYORI)
    assert battle.request.side == "osaka"
    assert battle.refused("beside hideyori 0312") == "14-3(6)a"
    assert battle.refused("beside hideyori 0301") == "14-3(6)a"
    assert battle.refused("beside goto 0101") == "14-3(6)a"
    assert battle.refused("done") == "14-3(6)a"
    assert battle.refused("move go-01 0504") == "14-3(6)a"
    assert battle.options() == ["beside hideyori 0101", "beside hideyori 0501"]
    battle.do("beside hideyori 0501")
    assert battle.facts("beside")["at"] == "0501"
    assert battle.at("hi-01") is None
    assert battle.phase == "east-move"
    assert battle.state.turn == 1


@pytest.mark.clause("14-3(6)a")
def test_the_order_is_refused_to_the_east(field: Callable[..., Any]) -> None:
    from pbem.rules.yukimura.movement_phase import why_not_beside
    from pbem.rules.yukimura.orders import Beside

    battle = field(ROWS, WITH_HIDEYORI, phase="start", opened=False, **HIDEYORI)
    order = Beside("hideyori", battle.hex("0101"))
    assert why_not_beside(battle.state, "osaka", order) is None
    refusal = why_not_beside(battle.state, "east", order)
    assert refusal is not None
    assert refusal.clause == "1-a"


def waiting_hideyori(field: Callable[..., Any], turn: int, **more: Any) -> Any:
    """A battle before the Eastern Combat Phase of a turn, Hideyori beside 0501."""
    battle = field(ROWS, WITH_HIDEYORI, phase="east-combat", turn=turn, idle=True, **{**HIDEYORI, **more})
    battle.state.beside["hideyori"] = battle.hex("0501")
    return battle


@pytest.mark.clause("14-3(6)b")
def test_no_die_before_turn_8(field: Callable[..., Any]) -> None:
    battle = waiting_hideyori(field, 7)
    battle.do("done")
    assert battle.phase == "osaka-move"
    assert battle.refused("enter hi-01 0501") == "8.a"


@pytest.mark.clause("14-3(6)b", "4-1(4)A")
@pytest.mark.parametrize(("die", "enters"), [(1, True), (2, True), (3, False), (6, False)])
def test_from_turn_8_a_die_lets_hideyori_in(field: Callable[..., Any], die: int, enters: bool) -> None:
    battle = waiting_hideyori(field, 8)
    battle.do("done", die)
    told = battle.facts("reinforcements")
    assert (told["die"], told["units"]) == (die, ["hi-01", "hi-02"] if enters else [])
    assert (battle.why_not("enter hi-01 0501") is None) is enters
    while battle.state.turn == 8:
        battle.do("done")
    while battle.phase != "osaka-move":
        battle.do("done", *([1] if battle.phase == "east-combat" and not enters else []))
    assert battle.why_not("enter hi-01 0501") is None


@pytest.mark.clause("14-3(6)c")
def test_hideyori_enters_by_the_chosen_road_alone(field: Callable[..., Any]) -> None:
    battle = waiting_hideyori(field, 8)
    battle.do("done", 2)
    assert battle.refused("enter hi-01 0101") == "14-3(6)c"
    assert battle.refused("enter hi-01 0312") == "14-3(6)c"
    battle.do("enter hi-01 0501 0502")
    assert battle.refused("enter hi-02 0101") == "14-3(6)c"
    battle.do("enter hi-02 0501")
    assert (battle.at("hi-01"), battle.at("hi-02")) == ("0502", "0501")


# --- 14-4(6): Komatsuyama

STAR = (". " * 5 + "* " + ". " * 6 + "\n") + (". " * 12 + "\n") * 4
GOTO = {"star": "0106", "otherwise": "draw"}


@pytest.mark.clause("14-4(6)")
@pytest.mark.parametrize(
    ("units", "winner"),
    [
        ({"go-01": "0106", "da-01": "0510"}, "osaka"),
        ({"go-01": "0510", "da-01": "0106"}, "east"),
        ({"go-01": "0510", "da-01": "0107"}, None),
    ],
)
def test_who_stands_on_komatsuyama_at_the_end_wins(
    field: Callable[..., Any], units: dict[str, str], winner: str | None
) -> None:
    """Never occupied is a draw: a ZOC gives no control (R93)."""
    battle = field(STAR, units, phase="osaka-combat", turn=12, victory=GOTO, idle=True)
    battle.do("done")
    assert (battle.outcome.winner, battle.outcome.clause) == (winner, "14-4(6)")


@pytest.mark.clause("14-4(6)")
def test_an_empty_komatsuyama_belongs_to_who_was_in_it_last(field: Callable[..., Any]) -> None:
    """Passing through counts (R93)."""
    units = {"go-01": "0106 3-3-5", "da-01": "0204 3-3-9"}
    battle = field(STAR, units, phase="osaka-move", turn=12, victory=GOTO, idle=True)
    battle.do("move go-01 0107 0108 0109")
    assert "control" not in battle.events()
    assert battle.state.star_holder == "osaka"
    east = field(STAR, {"da-01": "0105 3-3-9", "go-01": "0510"}, phase="east-move", turn=12, victory=GOTO, idle=True)
    east.do("move da-01 0106 0107")
    assert east.facts("control") == {"hex": "0106", "place": None, "side": "east", "from": None}
    while east.outcome is None:
        east.do("done")
    assert east.outcome.winner == "east"


@pytest.mark.clause("14-4(6)")
def test_control_is_lost_when_the_hill_is_entered(field: Callable[..., Any]) -> None:
    units = {"go-01": "0106 3-2-3", "da-01": "0107 9-3-3"}
    battle = field(STAR, units, phase="east-combat", turn=12, victory=GOTO, idle=True)
    battle.do("melee da-01 at go-01 hold", 6, 6)
    assert battle.state.star_holder == "osaka"
    battle = field(STAR, units, phase="east-combat", turn=12, victory=GOTO, idle=True)
    battle.do("melee da-01 at go-01 advance da-01 0106", 6, 6)
    assert battle.state.star_holder == "east"
