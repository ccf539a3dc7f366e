"""What the page offers: all that the rules have for a unit, and nothing that `check` refuses behind the list."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from toy.players import Duel

from page.positions import GAMES, OPENINGS, asked, by_bot, listed, of_game, opening, sheet_of, waiting
from pbem.errors import Refused
from pbem.match.check import check
from pbem.match.orders import Act
from pbem.match.table import Table
from pbem.page.choices import Choice
from pbem.page.sheet import Sheet
from pbem.rules.requests import Words

TRIED = 8
"""So many of the choices of a position are given to `check`."""

PLACES = [*(("game", *game) for game in GAMES), *(("opening", *start) for start in OPENINGS)]
EVERY_PLACE = pytest.mark.parametrize(("kind", "system", "name"), PLACES)


def tables(kind: str, system: str, name: str) -> tuple[Table, ...]:
    return of_game(system, name) if kind == "game" else (opening(system, name),)


def units(table: Table, side: str) -> tuple[str, ...]:
    return ("", *table.rules.of_side(table.board)[side])


def every_choice(sheet: Sheet, text: str) -> list[Choice]:
    """All choices behind a list, as they are told without counting odds."""
    return [
        choice
        for unit in units(sheet.table, sheet.side)
        for choice in sheet.choices(text, unit=unit, patience=lambda: False).choices
    ]


def some(found: list[Choice]) -> Iterator[Choice]:
    """Some of them from all over, of each keyword one at least."""
    yield from {choice.keyword: choice for choice in found}.values()
    yield from found[:: max(1, len(found) // TRIED)]


def read_behind(table: Table, text: str, typed: str) -> tuple[Words, list[str]]:
    """The words as which an order is read behind a list, and all errors."""
    name, _ = asked(table)
    found = check(table, name, f"{text}{typed};\n", runs=0)
    last = [part for _, part in found.parts if isinstance(part, Act)][-1]
    return last.words, [str(error) for error in found.errors]


@EVERY_PLACE
def test_every_option_of_the_rules_is_offered_for_its_unit(kind: str, system: str, name: str) -> None:
    assert tables(kind, system, name)
    for table in tables(kind, system, name):
        _, request = asked(table)
        rules, sheet = table.rules, sheet_of(table)
        expected = {rules.order_words(table.board, order) for order in request.options()}
        of_units = {
            unit: [rules.order_words(table.board, o) for o in rules.options_of(table.game.state, request, unit)]
            for unit in units(table, request.side)
        }
        assert sorted(words for those in of_units.values() for words in those) == sorted(expected), "each for one unit"
        for unit, those in of_units.items():
            assert all(sheet.naming.actor(words) == unit for words in those), "the first that its words name"
            offered = {choice.words for choice in sheet.choices("", unit=unit, patience=lambda: False).choices}
            assert {" ".join(words) for words in those} <= offered


@EVERY_PLACE
def test_what_is_offered_is_accepted_behind_the_list(kind: str, system: str, name: str) -> None:
    for table in tables(kind, system, name):
        orders, sheet = by_bot(table), sheet_of(table)
        for text in ("", listed(orders[:3]), listed(orders)):
            assert not sheet.listing(text).errors
            for choice in some(every_choice(sheet, text)):
                words, errors = read_behind(table, text, choice.words)
                assert (" ".join(words), errors) == (choice.words, []), f"behind {text!r}"


@EVERY_PLACE
def test_shortest_words_mean_the_same(kind: str, system: str, name: str) -> None:
    table = tables(kind, system, name)[-1]
    sheet, text, tried = sheet_of(table), listed(by_bot(table)[:2]), 0
    for choice in [*some(every_choice(sheet, text))][:12]:
        found = sheet.odds(text, choice.words)
        assert (found.good, found.words) == (True, choice.words)
        words, errors = read_behind(table, text, found.typed)
        assert (" ".join(words), errors) == (choice.words, []), found.typed
        tried += 1
    assert tried or not every_choice(sheet, text)


def test_ways_become_short_and_cost_what_the_form_says() -> None:
    table = opening("yukimura", "yao")
    sheet = sheet_of(table)
    offered = sheet.choices("", unit=next(u for u in units(table, sheet.side)[1:] if sheet.choices("", unit=u).choices))
    assert offered.whole
    (entry,) = offered.entries
    shown = {(typed.split()[0], typed.split()[-1]): note.split(",")[0] for typed, note in entry.orders}
    assert shown, "the form has some of them"
    assert shown.items() <= {(choice.keyword, choice.target): choice.cost for choice in offered.choices}.items()
    assert any(" to " in choice.typed and len(choice.way) > 2 for choice in offered.choices)


def test_behind_its_move_a_unit_can_do_nothing_more_and_it_is_said_why() -> None:
    table = opening("yukimura", "yao")
    sheet = sheet_of(table)
    choice = next(c for c in every_choice(sheet, "") if c.keyword == "move" and not sheet.odds("", c.words).ends)
    text = f"{choice.words};\n"
    assert sheet.choices("", unit=choice.unit).choices
    behind = sheet.choices(text, unit=choice.unit)
    assert (behind.choices, "each unit moves once in a phase" in behind.why) == ((), True)
    assert sheet.choices(text, at=1, unit=choice.unit).choices, "before it it still can"
    assert choice.target not in {c.target for c in every_choice(sheet, text) if c.keyword == "move"}, "it stands there"


def test_a_reason_that_names_its_unit_names_it_once() -> None:
    sheet = sheet_of(of_game("bakumatsu", "shogunate-holds")[0])
    found = sheet.choices("", unit="sg-18")
    assert found.told == found.why
    assert found.told.count("sg-18") == 1
    assert found.told.startswith("sg-18 4th Infantry Regiment, I Battalion isn't on the map")


def test_who_has_dice_before_him_is_taken_at_their_best() -> None:
    table = next(t for t in of_game("bakumatsu", "shogunate-holds") if asked(t)[1].kind in ("fire", "melee"))
    sheet = sheet_of(table)
    found = every_choice(sheet, "")
    fight = next(c for c in found if c.target in sheet.naming.enemies)
    behind = every_choice(sheet, f"{fight.words};\n")
    assert fight.unit not in {choice.unit for choice in behind}, "it has fought"
    assert all(choice.unsure for choice in behind)
    assert not any(choice.unsure for choice in found)


def test_later_steps_of_the_window_are_offered_too() -> None:
    """In the great campaign transfers come before marches; the form lists both."""
    table = opening("gcacw", "cedar-mountain")
    sheet = sheet_of(table)
    _, request = asked(table)
    now = {table.rules.order_words(table.board, order)[0] for order in request.options()}
    keywords = {choice.keyword for choice in every_choice(sheet, "")}
    assert "march" in keywords - now


def test_a_place_has_those_who_can_come_there_or_fight_there() -> None:
    table = opening("yukimura", "yao")
    sheet = sheet_of(table)
    move = next(c for c in every_choice(sheet, "") if c.keyword == "move")
    there = sheet.choices("", place=move.target, patience=lambda: True)
    assert move.words in {choice.words for choice in there.choices}
    assert {choice.target for choice in there.choices} == {move.target}
    assert [c.words for c in sheet.choices("", unit=move.unit, place=move.target).choices if c.keyword == "move"] == [
        move.words
    ]
    far = next(
        label for label in sorted(sheet.naming.labels) if label not in {c.target for c in every_choice(sheet, "")}
    )
    nothing = sheet.choices("", unit=move.unit, place=far)
    assert (nothing.choices, nothing.why != "") == ((), True)


def test_behind_an_order_that_ends_the_game_nothing_is_asked() -> None:
    """A leader of the Eastern Army who leaves his hex."""
    table = opening("yukimura", "yao")
    sheet = sheet_of(table)
    lost = next(c for c in every_choice(sheet, "") if c.keyword == "move" and sheet.odds("", c.words).ends)
    found = sheet.listing(f"{lost.words};\n")
    assert (found.asked, found.comes) == (None, "Behind these orders the game ends.")
    assert every_choice(sheet, f"{lost.words};\n") == []


def test_for_an_enemy_unit_it_is_what_can_be_done_to_it() -> None:
    table = next(t for t in of_game("bakumatsu", "shogunate-holds") if asked(t)[1].kind in ("fire", "melee"))
    sheet = sheet_of(table)
    fights = [choice for choice in every_choice(sheet, "") if choice.target in sheet.naming.enemies]
    target = fights[0].target
    found = sheet.choices("", unit=target)
    assert {c.words for c in found.choices} == {c.words for c in fights if c.target == target}
    safe = min(sheet.naming.enemies - {choice.target for choice in fights})
    nothing = sheet.choices("", unit=safe)
    assert (nothing.choices, "is aimed at" in nothing.why) == ((), True)


def test_an_enemy_in_a_hex_that_is_attacked_is_meant_with_it() -> None:
    tables = [*of_game("gcacw", "union-marginal"), *of_game("gcacw", "manassas-union-marginal")]
    attacked = 0
    for table in tables:
        sheet = sheet_of(table)
        at = sheet.naming.places(table.game.state)
        attacks = [choice for choice in every_choice(sheet, "") if " attack " in choice.words]
        for unit in sorted(unit for unit in sheet.naming.enemies if at.get(unit) in {c.target for c in attacks})[:2]:
            found = sheet.choices("", unit=unit, patience=lambda: False)
            assert {c.words for c in found.choices} >= {c.words for c in attacks if c.target == at[unit]}
            assert {c.target for c in found.choices} == {at[unit]}
            attacked += 1
    assert attacked


def test_the_side_has_the_orders_of_no_unit() -> None:
    table = opening("yukimura", "yao")
    assert [choice.words for choice in sheet_of(table).choices("").choices] == [table.rules.CLOSING]


def test_without_patience_odds_wait_until_it_is_asked_again() -> None:
    table = next(t for t in of_game("bakumatsu", "shogunate-holds") if asked(t)[1].kind in ("fire", "melee"))
    sheet = sheet_of(table)
    unit = next(c.unit for c in every_choice(sheet, "") if c.target in sheet.naming.enemies)
    hasty = sheet.choices("", unit=unit, patience=lambda: False)
    assert (hasty.whole, {choice.odds for choice in hasty.choices}) == (False, {None})
    assert all(choice.dice for choice in hasty.choices)
    calm = sheet.choices("", unit=unit)
    assert calm.whole
    assert all(choice.odds and choice.dice and choice.odds in choice.told for choice in calm.choices)
    assert [c.odds for c in sheet.choices("", unit=unit, patience=lambda: False).choices] == [
        c.odds for c in calm.choices
    ]


def test_a_spot_of_a_table_is_for_orders_that_name_one() -> None:
    table = next(t for t in of_game("samurai", "drawn") if asked(t)[1].kind in ("fire", "move"))
    sheet = sheet_of(table)
    daimyo = next(u for u in units(table, sheet.side) if u.startswith("d"))
    x, y = sheet.naming.places(table.game.state)[daimyo].split("-")
    found = sheet.choices("", unit=daimyo, place=f"{x} {float(y) + 0.5:g}")
    assert [choice.keyword for choice in found.choices] == ["move"] or found.why
    far = sheet.choices("", unit=daimyo, place="0.1 0.1")
    assert (far.choices, far.why != "") == ((), True)


def test_a_move_over_a_table_tells_what_it_meets() -> None:
    table = next(t for t in of_game("samurai", "drawn") if asked(t)[1].kind == "move")
    told = {choice.words: choice.told for choice in sheet_of(table).choices("", unit="bw-1").choices}
    assert told["move bw-1 left 0.22"] == "move bw-1 left 0.22; 0.22 inches; they meet ro-1 Left ronin"
    assert told["move bw-1 6"] == "move bw-1 6; 6 inches"


# --- one order --------------------------------------------------------------------------------------------------------


@EVERY_PLACE
def test_a_wrong_order_has_the_error_of_check(kind: str, system: str, name: str) -> None:
    """An order of the other side's unit, and one that nobody knows."""
    table = tables(kind, system, name)[0]
    sheet = sheet_of(table)
    player, _ = asked(table)
    whole = next((c for c in every_choice(sheet, "") if c.unit), None)
    enemy = min(sheet.naming.enemies)
    others = [" ".join(enemy if word == whole.unit else word for word in whole.words.split())] if whole else []
    for wrong in (*others, "juggle 3"):
        (error, *_) = check(table, player, f"{wrong};\n", runs=0).errors
        found = sheet.odds("", wrong)
        assert (found.good, found.why, found.right) == (False, error.what, error.hint)
        assert found.clause == getattr(error, "clause", "")


def test_odds_tell_what_decides_them_and_whether_the_game_may_end() -> None:
    table = next(t for t in of_game("bakumatsu", "shogunate-holds") if asked(t)[1].kind in ("fire", "melee"))
    sheet, (player, request) = sheet_of(table), asked(table)
    fight = next(c for c in every_choice(sheet, "") if c.target in sheet.naming.enemies)
    order = table.rules.read_order(table.board, request.side, tuple(fight.words.split()))
    found = sheet.odds("", fight.words)
    assert found.odds == table.rules.tell_odds(table.game.state, request.side, order) != ""
    assert list(found.factors) == list(table.rules.factors(table.game.state, request.side, order)) != []
    assert found.ends is table.rules.decisive(table.game.state, order)
    assert player == sheet.name


@pytest.mark.parametrize("system", ["yukimura", "gcacw", "sengoku"])
def test_answers_to_what_the_other_does_are_offered(system: str) -> None:
    table = waiting(system, "asked", "react")
    sheet, (name, request) = sheet_of(table), asked(table)
    expected = {" ".join(table.rules.order_words(table.board, order)) for order in request.options()}
    found = every_choice(sheet, "")
    assert {choice.words for choice in found} == expected != set()
    for choice in found[:5]:
        assert check(table, name, f"{choice.words};\n", runs=0).errors == []
        assert sheet.listing(f"{choice.words};\n").items[0].state == "good"


def test_where_only_a_reveal_is_due_nothing_is_offered() -> None:
    table = waiting("yukimura", "asked", "reveal")
    sheet = Sheet(table, str(table.due().player))
    assert every_choice(sheet, "") == []
    found = sheet.listing("done;\n")
    assert (found.asked, found.comes) == (None, "Only a reveal is due: it is sent without orders.")
    assert [fault.what for fault in found.errors] == ["only a reveal is due, no orders are asked"]


def test_the_toy_offers_all_that_it_has_and_check_takes_it(duel: Callable[..., Duel]) -> None:
    """Places that are words, an order that names an enemy alone, one for several units."""
    table = duel().view("anna")
    sheet, (_, request) = Sheet(table, "anna"), asked(table)
    for text in ("", "move sc rear;\n", "bet 1;\nmove guard-1 rear;\n"):
        found = every_choice(sheet, text)
        for choice in found:
            assert read_behind(table, text, choice.words) == (tuple(choice.words.split()), [])
    assert {c.words for c in every_choice(sheet, "")} == {" ".join(o.words) for o in request.options()}
    assert {c.target for c in sheet.choices("", unit="scout").choices} == {"rear"}, "it stands at the front"
    assert [c.words for c in sheet.choices("", unit="lancer").choices] == ["hit lancer"]


def test_nobody_else_is_offered_anything() -> None:
    table = opening("yukimura", "yao")
    name, _ = asked(table)
    other = Sheet(table, table.genesis.other(name).name)
    with pytest.raises(Refused, match="nothing is due from"):
        other.choices("")
    with pytest.raises(Refused, match="nothing is due from"):
        other.listing("")
