"""Orders that say only where to: the way is found at the position that the orders before it surely leave."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from matches import Match, scenario_of
from toy.players import Duel

from pbem.errors import IllegalOrder, OrderError
from pbem.match.check import Checked, check
from pbem.match.orders import statement_of


@cache
def fushimi() -> Match:
    """Both armies of Toba-Fushimi stand, Shinsengumi at 0722; the Shogunate is to move. Nothing changes it."""
    match = Match(scenario_of("toba-fushimi"), 7)
    board = match.table.board
    for side in board.of_side:
        free: dict[str, list[str]] = {}
        orders = []
        for unit in sorted(board.of_side[side], key=lambda unit: unit != "sg-13"):
            rule = board.set_up[side].get(board.units[unit].code)
            if rule is not None:
                hexes = free.setdefault(rule.code, sorted(board.label[h] for h in rule.hexes))
                orders.append(f"setup {unit} {hexes.pop(hexes.index('0722') if unit == 'sg-13' else 0)};")
        match.play("\n".join(orders))
    match.due()
    return match


def checked(text: str, runs: int = 5) -> Checked:
    match = fushimi()
    return check(match.table, "asuka", text, random.Random(1), runs)


def signed(text: str) -> list[str]:
    found = checked(text)
    assert not found.errors, found.errors[0]
    return [str(statement_of(part)) for _, part in found.parts]


def refused(text: str) -> OrderError:
    (error,) = checked(text).errors
    return error


def test_talk_is_shown_as_it_will_be_signed_and_what_ends_it(duel: Any) -> None:
    """`say meet me at #5 now` was signed as `say meet me at`, without a word."""
    assert toys(duel, "say meet me at #5 now\nrest; # say it") == [
        "line 1 is read as `say meet me at`, which the `#` ends: what follows is a comment"
    ]
    assert toys(duel, "SAY I am done; rest") == [
        "line 1 is read as `say I am done`, which the `;` ends: what follows is no talk"
    ]
    assert toys(duel, "say  Hello there; # a greeting\nrest;") == [], "word for word what was typed"
    assert toys(duel, "say It\u2019s late;\nrest;") == ["line 1 is read as `say It's late`"]


def at(unit: str) -> str:
    table = fushimi().table
    return str(table.board.label[table.game.state.at[unit]])


def test_a_way_is_written_into_what_is_signed() -> None:
    state, board = fushimi().table.game.state, fushimi().table.board
    (move,) = signed("Move Shinsengumi to 0622")
    words = move.rstrip(";").split()
    assert (words[:2], words[-1]) == (["move", "sg-13"], "0622")
    assert [reading.words for reading in checked("Move Shinsengumi to 0622").readings] == [tuple(words)]
    assert checked(move).readings == []
    for other in (
        "move 13 to Bungo bridge",
        'MOVE sg-13 TO "Bungo Bridge"',
        "move shin to bungo",
        "move sg-13 to 0622;",
    ):
        assert signed(other) == [move]
    assert board.label[state.at["sg-13"]] == at("sg-13")


def test_a_way_begins_where_the_orders_before_have_left_the_unit_and_its_friends() -> None:
    """Who stands in the way, or in the hex, has gone on by then; the other way round he hasn't."""
    here = at("sg-13")
    units = [u for u in fushimi().table.game.state.at if u.startswith("sg") and u != "sg-13"]
    follower = next(u for u in units if not checked(f"move sg-13 to 0622\nmove {u} to {here}").errors)
    found = signed(f"move sg-13 to 0622\nmove {follower} to {here}")
    assert found[1].split()[-1] == f"{here};"
    error = refused(f"move {follower} to {here}\nmove sg-13 to 0622")
    assert isinstance(error, IllegalOrder)
    assert (error.where, error.clause) == ("line 1", "8(4)")
    assert error.what == f"`move {follower} to {here}`: {here} is occupied by sg-13 Shinsengumi"


def test_who_is_set_up_goes_no_way() -> None:
    """A note on the way stands with orders that have one."""
    match = Match(scenario_of("toba-fushimi"), 7)
    table, rules = match.table, match.table.board.set_up["shogunate"]
    unit = next(u for u in table.board.of_side["shogunate"] if table.board.units[u].code in rules)
    place = table.board.label[min(rules[table.board.units[unit].code].hexes)]
    (reading,) = check(table, "asuka", f"setup {unit[3:]} to {place}", random.Random(1), 0).readings
    assert (reading.words, reading.note) == (("setup", unit, place), "")


def test_what_is_said_of_a_way_is_so() -> None:
    """A march goes by the shortest road, which was called the cheapest way."""
    table = fushimi().table
    options = [table.rules.order_words(table.board, order) for order in table.game.request.options()]  # type: ignore[union-attr]
    unit, end = next((words[1], words[-1]) for words in options if words[0] == "march" and len(words) > 3)
    far = next(words[-1] for words in options if words[:2] == ("move", "sg-13") and len(words) > 3)
    near = next(words[-1] for words in options if words[:2] == ("move", "sg-13") and len(words) == 3)
    assert [reading.note for reading in checked(f"march {unit} to {end}\nmove sg-13 to {far}").readings] == [
        "the shortest way by road",
        "the cheapest way",
    ]
    assert checked(f"move sg-13 to {near}").readings == [], "a hex beside it: nothing was found that isn't written"
    assert [reading.note for reading in checked(f"move 13 to {near}").readings] == [""]


def test_an_order_that_disorders_its_own_unit_is_remarked() -> None:
    """A gun that moves (12(1)); nobody else who does."""
    table = fushimi().table
    options = [" ".join(table.rules.order_words(table.board, order)) for order in table.game.request.options()]  # type: ignore[union-attr]
    gun, foot = (next(words for words in options if words.startswith(f"move {unit} ")) for unit in ("sg-05", "sg-13"))
    assert checked(f"{foot}\n{gun}\ndone").remarks == [f"line 2: `{gun}`: sg-05 is disordered then [12(1)]"]
    assert checked(f"{foot}\ndone").remarks == []


def test_a_condition_before_any_dice_is_known() -> None:
    here = at("sg-13")
    units = [u for u in fushimi().table.game.state.at if u.startswith("sg") and u != "sg-13"]
    follower = next(u for u in units if not checked(f"move sg-13 to 0622\nmove {u} to {here}").errors)
    go = f"move {follower} to {here}"
    assert len(signed(f"if at sg-13 {here} then move sg-13 to 0622\n{go}")) == 2
    assert "is occupied" in refused(f"if gone sg-13 then move sg-13 to 0622\n{go}").what
    (way,) = signed("if empty 0622 then move sg-13 to 0622")
    assert way.startswith("if empty 0622 then move sg-13 ")


@pytest.mark.parametrize(
    ("text", "clause", "why"),
    [
        ("move sg-13 to 0106", "8(2)a", "the cheapest way to 0106 Osaka road costs "),
        ("march sg-13 to 2429", "8-2", ""),
        ("move sa-01 to 0622", "8(0)", "belongs to Satsuma-Choshu"),
        ("enter sg-18 to 0106", "", "sg-18"),
        ("retreat sg-13 to 0622", "5(0)a", "`retreat` isn't an order of this phase"),
        ("setup sg-13 to 0922", "5(0)a", "`setup` isn't an order of this phase"),
    ],
)
def test_where_no_way_is_legal_the_reason_is_told(text: str, clause: str, why: str) -> None:
    error = refused(text)
    assert isinstance(error, IllegalOrder)
    assert error.clause.startswith(clause)
    assert why in error.what


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "move Gokonomiya to 0622",
            "sa-12 Satsuma Artillery, guns and mortars of Gokonomiya belongs to Satsuma-Choshu",
        ),
        ("move sg-13 to Gokonomiya", "1122 Gokonomiya"),  # a unit's name and a place's: each where it can stand
        ("move sg-13 to Shinsengumi", "'shinsengumi' isn't a hex number"),
        ("move sg-13 to Gokonomya", "the nearest is 1122 Gokonomiya"),
        ("move Sumizome to 0622", "no unit is called `Sumizome`"),
        ("move 1st to 0622", "`1st` fits 2 units; write one of sg-03 (1st Infantry Regiment, I Battalion), sg-04 "),
        ("move sg-13 to", "no place stands behind `to`; write `move sg-13 to PLACE`"),
        ("move to 0622", ""),
        ("fire sg-13 to sa-01", "can't be read"),
        ("move sg-13 to ka", ""),
    ],
)
def test_what_names_no_unit_or_place_is_refused(text: str, why: str) -> None:
    assert why in str(refused(text))


# --- behind dice, with the toy ----------------------------------------------------------------------------------------


def toys(duel: Any, text: str) -> list[str]:
    game: Duel = duel()
    found = check(game.view("anna"), "anna", text, random.Random(1), 2)
    assert not found.errors, found.errors[0]
    return [str(reading) for reading in found.readings]


def test_behind_dice_the_position_before_them_counts_and_that_is_said(duel: Any) -> None:
    assert toys(duel, "move sc to rear; rest;") == ["line 1 is read as `move scout rear`"], "there is one way alone"
    assert toys(duel, "bet 1\npull 1\nmove sc to rear") == [
        "line 3 is read as `move scout rear`, by the position before the dice of line 1"
    ]
    assert toys(duel, "move sc rear; rest;") == ["line 1 is read as `move scout rear`"]
    assert toys(duel, "MOVE SCOUT REAR; rest;") == []


# --- behind what needs no dice, with gcacw ----------------------------------------------------------------------------


def marched(*lines: str) -> tuple[list[str], list[str]]:
    """How lines of the Confederates in Cedar Mountain are read that aren't signed as they stand, and what lapses."""
    match = Match(scenario_of("cedar-mountain"), 7)
    match.play("march buford S0223;")
    (player,) = (player for player in match.table.genesis.players if player.side == "confederate")
    found = check(match.table, player.name, "\n".join(lines), random.Random(1), 20)
    assert not found.errors, found.errors[0]
    return [str(reading) for reading in found.readings], [lapse.reason for lapse in found.lapses if lapse.never]


def test_a_way_begins_behind_a_transfer_with_which_the_phase_ends() -> None:
    """Jackson would be left alone by Winder, to whom he has gone over before, and no more by A.P. Hill.

    Behind the transfer the dice for the initiative fall: these are none of its own.
    """
    lines = ["transfer jackson winder", "march winder to S0832"]
    readings, never = marched(*lines)
    assert readings == ["line 2 is read as `march winder with jackson S0832`, the cheapest way"]
    assert never == []
    assert marched(lines[1])[0] == ["line 1 is read as `march winder S0832`"], "else he stays with A.P. Hill"


def test_a_second_march_begins_where_the_first_one_leads_at_best() -> None:
    readings, never = marched("march winder S0832", "march winder to S0931", "march lawton to S0732")
    assert readings[-2:] == [
        "line 2 is read as `march winder along S0832 S0932 S0931`, "
        "from wherever on that way the dice of the lines before it lead",
        "line 3 is read as `march lawton S0732`, by the position before the dice of line 1",
    ]
    assert never == []


HILL = "march ap-hill to S1129 attack S1128"


def test_a_way_that_an_enemy_bars_today_is_that_of_the_futures_in_which_he_is_gone() -> None:
    """Cavalry may go back from S1128; `the enemy is in S1128` was an error, though he may be gone by then."""
    readings, never = marched(HILL, "march winder to S1128")
    assert "`march winder S0832 S0932 S0931 S1030 S1029 S1129 S1128`, the way there in " in readings[-1]
    assert readings[-1].endswith(" of 20 futures behind the dice of line 1")
    assert never == []


def test_where_no_future_has_a_way_it_is_said_how_things_stand() -> None:
    match = Match(scenario_of("cedar-mountain"), 7)
    match.play("march buford S0223;")
    (error,) = check(match.table, "ben", f"{HILL}\nmarch winder to S1418", random.Random(1), 20).errors
    assert str(error).startswith(
        "line 2: `march winder to S1418`: as things stand the enemy is in S1418 Culpeper, and in none of "
    )
    assert " futures played out a way leads there" in str(error)
    assert "as things stand" not in str(refused("move sg-13 to Gokonomiya")), "no dice come before it"


def test_a_way_behind_a_condition_begins_where_the_condition_holds() -> None:
    """It was `march ap-hill` alone, for he is there at best."""
    readings, _ = marched("march ap-hill to S1429", "if not at ap-hill S1429 then march ap-hill to S1429")
    assert "S1429`, the way there in " in readings[-1]
    readings, _ = marched("march ap-hill to S1429", "march ap-hill to S1429")
    assert "S1429`, from wherever on that way " in readings[-1], "without one it goes on from wherever it is then"
    readings, _ = marched("march ap-hill to S1429", "if at ap-hill S1429 then march ap-hill to S0832")
    assert "along S1429 S1330" in readings[-1], "he begins where the first march leads at best"
