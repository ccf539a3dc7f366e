"""Orders at Tabaruzaka before they are signed: commanders named in them, standing orders, units that may come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import pytest

from pbem.match.check import Checked, check
from pbem.match.form import form
from pbem.match.game import Game
from pbem.match.later import never
from pbem.match.table import Table
from pbem.rules import bakumatsu
from systems.test_reports import empty_table

PLACES = "go-04:1216 go-05:1213 go-20:1110 sg-01:1217 sg-02:1212 gc-01:1214 gc-05:1230 sc-01:1220"
LOST = {"go-06": 2, "go-07": 3, "gc-02": 2, "sg-05": 2}
"""Pieces that were removed, in turn 3 or before; the Government's units among them may come back."""


def standing_at(
    places: str,
    phase: int,
    scenario: str = "tabaruzaka",
    turn: int = 3,
    removed: Mapping[str, int] = MappingProxyType({}),
    disordered: str = "",
) -> Table:
    """A table in a phase of a turn, by its number, with pieces where `places` puts them and no others on the map."""
    table = empty_table("bakumatsu", scenario)
    table.course.begin()
    s, at = bakumatsu.copy(table.game.state), dict(word.split(":") for word in places.split())
    for cups in (s.cups, s.commander_cups):
        cups |= {side: tuple(piece for piece in cup if piece not in {*at, *removed}) for side, cup in cups.items()}
    for piece, number in at.items():
        s.put(piece, table.board.parse(number))
    s.turn, s.phase, s.opened = turn, phase, True
    s.removed |= removed
    s.disordered |= set(disordered.split())
    table.course.game = Game(bakumatsu, table.board, s, table.course._hear)
    table.seq = 2
    table.steps.clear()
    return table


def with_losses(phase: int) -> Table:
    """A table in turn 3 after losses on both sides."""
    return standing_at(PLACES, phase, removed=LOST)


def checked(table: Table, text: str) -> Checked:
    """Orders of the player who is asked."""
    return check(table, table.genesis.of_side(table.game.request.side).name, f"{text}\ndone;")


def told(errors: Iterable[object]) -> list[tuple[str, str]]:
    """The line and clause of each error."""
    return [(getattr(error, "where", ""), getattr(error, "clause", "")) for error in errors]


# --- commanders and helpers named in vain


NO_HELP = "15-2-7-2(3)2a"


@pytest.mark.clause("15-2-7-2(3)2c", "15-2-7-2(3)2a", "10-1(5)a")
@pytest.mark.parametrize(
    ("behind", "clause"),
    [
        ("by gc-01", ""),
        ("by gc-03", ""),  # he may be drawn before
        ("by none", ""),
        ("by gc-02", NO_HELP),  # lost for good
        ("by go-05", NO_HELP),  # no commander
        ("by sc-01", NO_HELP),  # the enemy's
        ("with go-05", ""),
        ("with go-06", ""),  # it may come back
        ("with go-04", "10-1(5)a"),
        ("with go-05 go-05", "10-1(5)a"),
    ],
)
def test_a_plan_that_names_who_can_never_help_is_refused(behind: str, clause: str) -> None:
    order = bakumatsu.read_order(with_losses(1).board, "government", tuple(f"melee go-04 at sg-01 {behind}".split()))
    why = bakumatsu.why_never(with_losses(1).game.state, "government", "government-melee", order)
    assert ("" if why is None else why.clause) == clause
    found = checked(with_losses(1), f"in melee: melee go-04 at sg-01 {behind};") if clause else None
    assert found is None or told(found.errors) == [("line 1", clause)]


@pytest.mark.clause("15-2-7-2(3)2a")
@pytest.mark.parametrize(("by", "clause"), [("gc-03", None), ("gc-02", NO_HELP), ("sc-01", NO_HELP)])
def test_so_is_a_recovery_that_is_planned(by: str, clause: str | None) -> None:
    table = with_losses(3)
    order = bakumatsu.read_order(table.board, "government", ("recover", "go-04", "by", by))
    why = bakumatsu.why_never(table.game.state, "government", "government-move", order)
    assert (None if why is None else why.clause) == clause


@pytest.mark.clause("15-2-7-2(3)2c", "9-1(4)a")
@pytest.mark.parametrize(
    ("behind", "clause"),
    [
        ("by gc-01", ""),
        ("by none", ""),
        ("by gc-02", NO_HELP),
        ("by sc-01", NO_HELP),
        ("by go-04", NO_HELP),
        ("by gc-05", NO_HELP),  # out of his range, and nobody moves before it
        ("with go-05", "9-1(4)a"),
    ],
)
def test_behind_the_first_dice_it_is_refused_where_it_is_seen_before(behind: str, clause: str) -> None:
    found = checked(with_losses(5), f"fire go-04 at sg-01;\nfire go-05 at sg-02 {behind};")
    assert told(found.errors) == ([("line 2", clause)] if clause else [])
    assert not any("futures" in str(error) for error in found.errors), "as it would be said before any dice"


# --- units that may come back


@pytest.mark.clause("15-2-7-1(1)1a", "15-2-7-1(2)")
@pytest.mark.parametrize(
    ("phase", "name", "text", "clause"),
    [
        ("government-move", "asuka", "enter go-07;", ""),  # lost in this turn, it comes back in the next
        ("government-melee", "asuka", "melee go-06 at sg-01;", ""),
        ("saigo-melee", "ben", "melee sg-01 at go-07;", ""),
        ("government-melee", "asuka", "melee go-04 at sg-05;", "2-1-1(0)a"),
        ("saigo-melee", "ben", "melee sg-01 at go-04 with sg-05;", "2-1-1(0)a"),
    ],
)
def test_orders_are_laid_for_and_against_units_that_may_come_back(
    phase: str, name: str, text: str, clause: str
) -> None:
    found = never(with_losses(5), name, phase, text, due=False)
    assert told(found) == ([("line 1", clause)] if clause else [])


# --- standing orders


@pytest.mark.clause("15-2-7-1(1)1a", "15-2-7-2(4)5b", "12(3)", "12(4)")
@pytest.mark.parametrize(
    ("words", "clause"),
    [
        ("retreat go-04 west", ""),
        ("retreat go-06 west", ""),  # lost, and may come back
        ("retreat go-08 west", ""),  # still in hand
        ("retreat any west", ""),
        ("retreat gc-01 west", "15-2-7-2(4)5b"),
        ("retreat gc-02 west", "15-2-7-2(4)5b"),
        ("retreat go-20 west", "12(3)"),
    ],
)
def test_a_standing_order_is_in_force_or_refused_as_one_that_can_answer_nothing(words: str, clause: str) -> None:
    table = with_losses(1)
    table.course.standing["government"] = [tuple(words.split())]
    assert told(checked(table, f"standing {words};").errors) == ([("line 1", clause)] if clause else [])
    assert told(never(table, "asuka", "government-melee", f"standing {words};", due=False)) == (
        [("line 1", clause)] if clause else []
    )
    assert (f"in force: standing {words};" in form(table, "asuka")) == (not clause)


@pytest.mark.clause("15-2-7-1(2)")
def test_so_is_one_of_a_unit_that_never_comes_back() -> None:
    state = with_losses(1).game.state
    for unit, clause in (("sg-01", None), ("sg-05", "2-1-1(0)a")):
        why = bakumatsu.why_unanswered(state, ("retreat", unit, "west"))
        assert (None if why is None else why.clause) == clause
        assert bakumatsu.in_force(state, [("retreat", unit, "west")]) == ([("retreat", unit, "west")][: not clause])


def test_a_standing_order_may_be_cleared_whoever_it_was_for() -> None:
    for unit in ("gc-01", "go-20", "go-06"):
        assert checked(with_losses(1), f"standing retreat {unit};").errors == []


# --- an entry hex left empty


def warned(places: str, phase: int, text: str, **more: object) -> list[str]:
    """The dangers of which orders are told; they are remarks of the check too."""
    found = checked(standing_at(places, phase, **more), text)  # type: ignore[arg-type]
    assert found.errors == []
    assert set(found.dangers) <= set(found.remarks)
    return list(found.dangers)


EMPTY = "your entry hex 2401 Takase road is empty: in the next movement of Saigo's Army"
OPEN = f"{EMPTY} {{}} can enter it, and win [14(4)1]"


@pytest.mark.clause("13-2(1)", "14(4)1")
@pytest.mark.parametrize(
    ("places", "phase", "text", "who"),
    [
        ("go-04:1216 sg-01:2404", 1, "", "sg-01 1st Battalion, company 1"),
        ("go-04:2401 sg-01:2404", 1, "move go-04 2501", "sg-01 1st Battalion, company 1"),
        ("go-04:1216 sg-01:2509", 1, "", "sg-01 1st Battalion, company 1"),  # by road
        ("go-04:2401 sg-01:2404", 1, "", ""),  # held
        ("go-04:1216 sg-01:2409", 1, "", ""),  # too far
        ("go-04:2502 sg-01:2404", 1, "", ""),  # zones of control in the way
        ("go-04:1216 gc-01:2401 sg-01:2404", 1, "", "sg-01 1st Battalion, company 1"),  # a commander holds nothing
        ("go-04:1216 sg-09:1230 sc-01:2404", 1, "", ""),  # nor does one win
        ("go-04:2404 sg-01:2405", 3, "melee go-04 at sg-01", ""),
        ("go-04:1216 sg-01:1217 sg-02:2404", 3, "melee go-04 at sg-01", "sg-02 1st Battalion, company 2"),
        ("go-04:1216 sg-01:1217 sg-02:2404", 5, "fire go-04 at sg-01", ""),  # the Government moves before him
    ],
)
def test_an_entry_hex_left_empty_is_told_where_an_enemy_can_enter_it_next(
    places: str, phase: int, text: str, who: str
) -> None:
    found = warned(places, phase, text and f"{text};")
    assert found == ([OPEN.format(who)] if who else [])


@pytest.mark.clause("14(4)1", "15-2-6(0)a")
@pytest.mark.parametrize(
    ("scenario", "places", "phase", "turn", "told"),
    [
        (
            "tabaruzaka",
            "sg-04:1216 go-01:0229",
            4,
            3,
            "0131 Kumamoto road is empty: in the next movement of Gov",
        ),
        ("tabaruzaka", "sg-04:1216 go-01:0229", 4, 14, ""),  # nobody moves after it
        ("tabaruzaka", "go-04:1216 sg-01:2404", 1, 14, "2401 Takase road is empty: "),
        ("toba-fushimi", "sg-04:0622 sa-01:0207", 1, 3, "0106 Osaka road is empty: in the next movement of Satsuma-"),
        ("toba-fushimi", "sg-04:0106 sa-01:0207", 1, 3, ""),
        ("toba-fushimi", "sg-04:0207 sa-01:0622", 4, 3, ""),  # who has no entry hex can't leave it empty
    ],
)
def test_it_is_told_to_either_side_in_either_battle_while_the_enemy_still_moves(
    scenario: str, places: str, phase: int, turn: int, told: str
) -> None:
    found = warned(places, phase, "", scenario=scenario, turn=turn)
    assert [danger.startswith(f"your entry hex {told}") for danger in found] == ([True] if told else [])


@pytest.mark.clause("14(4)1")
def test_where_it_hangs_on_the_dice_it_is_told_in_how_many_futures() -> None:
    """sg-19 is removed when it fails its check."""
    table = standing_at("go-17:2404 go-18:2304 sg-19:2403 sg-02:1217", 3, disordered="sg-19")
    (danger,) = checked(table, "melee go-17 at sg-19 with go-18;").dangers
    assert danger.startswith("in ")
    assert f"% of the futures {EMPTY} sg-19 " in danger


@pytest.mark.clause("14(4)1")
def test_of_many_enemies_three_are_named() -> None:
    (danger,) = warned("go-04:1216 sg-01:2301 sg-02:2302 sg-03:2402 sg-04:2502 sg-05:2501", 1, "")
    assert ", sg-03 1st Battalion, company 3 and 2 more can enter it" in danger


@pytest.mark.clause("14(4)1")
@pytest.mark.parametrize(
    ("places", "phase", "turn", "told"),
    [
        ("go-04:1216 sg-01:2404", 1, 3, True),
        ("go-04:1216 sg-01:2404", 1, 14, True),
        ("go-04:2401 sg-01:2404", 1, 3, False),
        ("go-04:1216 sg-02:1217 sg-01:2404", 3, 3, False),  # nothing is brought on in a melee phase
        ("sg-04:1216 go-01:0229", 4, 13, True),
        ("sg-04:1216 go-01:0229", 4, 14, False),  # nobody moves after it
    ],
)
def test_the_form_of_a_movement_phase_says_it_first(places: str, phase: int, turn: int, told: bool) -> None:
    table = standing_at(places, phase, turn=turn)
    lines = form(table, table.genesis.of_side(table.game.request.side).name)
    assert " ".join(lines.replace("#", "").split()).count(" As things stand your entry hex ") == int(told)
