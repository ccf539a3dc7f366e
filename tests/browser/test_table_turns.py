"""Every scenario at the page in a browser: a whole turn is clicked and sent, and its log is that of typed orders."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from browser.seats import At, windows
from matches import Match, scenario_of
from systems.whole import expected, log_of, wholes

from pbem.match.ahead import Ahead
from pbem.match.orders import read_parts
from pbem.match.table import BARE
from pbem.resources import data_folder
from pbem.wire.blocks import Block, read_log_blocks
from pbem.wire.orderfile import parse_statements

__all__ = ["windows"]  # a fixture

WHERE = {
    "toba-fushimi": ("satcho-holds", 5),
    "tabaruzaka": ("tabaruzaka-draw", 14),
    "domyoji": ("domyoji-osaka", 2),
    "yao": ("yao-osaka-collapses", 3),
    "connected": ("connected-osaka-collapses", 3),
    "gotos-dream": ("dream-osaka", 2),
    "shizugatake": ("siege-resigned", 3),
    "stuarts-raid": ("union-decisive", 2),
    "cedar-mountain": ("confederate-substantial", 2),
    "jacksons-march": ("", 2),
    "to-bull-run": ("union-resigned", 2),
    "lee-vs-pope": ("standing-resigned", 1),
    "rapidan-to-rappahannock": ("rappahannock-union-marginal", 4),
    "rapidan-to-manassas": ("manassas-union-marginal", 5),
    "skirmish": ("red-breaks-black", 6),
    "wooded-valley": ("black-breaks-red", 9),
    "pitched-battle": ("red-resigned", 2),
}
"""Scenario -> the stored game and its turn that is clicked: one in which the sides meet; "": any game."""

MOST = 2
"""So many orders are clicked in an entry."""

ACTS = 2
"""So many entries of a kind of decision have orders of a player in a turn: then he is through."""

COMBAT = ("fire", "melee", "attack", "assault", "battle", "storm", "charge")
"""What is ordered rather than anything else where it is offered."""


def at_turn(scenario: str) -> Match:
    """The stored game of a scenario as its turn begins; of its first turn as it goes on when both chains have begun."""
    name, turn = WHERE[scenario]
    system = scenario_of(scenario).system
    name = name or next(name for name, whole in wholes(system).items() if whole.scenario == scenario)
    match = wholes(system)[name].begun(expected(system)[name]["number"])
    for block in read_log_blocks(log_of(system, name))[2:]:
        if match.table.game.state.turn == turn and match.table.seq > len(match.sides) and match.due()[0] not in BARE:
            return match
        match.take(block)
    raise AssertionError(f"{name} has no turn {turn}")


def clicked(window: At) -> list[str]:
    """Click some orders, combat first; as they are on the list."""
    orders: list[str] = []
    for unit in [one for one in window.view["units"] if one["mine"]]:
        if len(orders) == MOST:
            break
        if window.pick(unit):
            fights = [typed for typed in window.choices() if typed.split()[0] in COMBAT]
            orders.append(window.take(fights[0] if fights else ""))
    if not orders:  # what is asked names no unit
        window.page.keyboard.press("Escape")
        orders.append(window.take())
    return orders


def typed_entry(match: Match, name: str, typed: list[str]) -> Block:
    """The entry of a player whose orders are these, as he may type them."""
    side = match.sides[name]
    statements, wrong = parse_statements("".join(f"{words};\n" for words in typed))
    parts, errors = read_parts(match.table.rules, match.table.board, side, statements, 1, Ahead(match.table, side))
    assert [*wrong, *errors] == []
    return match.signed(match.table, name, [part for _, part in parts])


def test_every_scenario_has_its_turn() -> None:
    found = {path.stem for path in data_folder("scenarios").glob("*/*.yaml") if "scenario:" in path.read_text("utf-8")}
    assert {*WHERE} == found - {"tables"}


@pytest.mark.parametrize("scenario", WHERE)
def test_a_turn_that_is_clicked_is_the_one_that_is_typed(scenario: str, windows: Any) -> None:
    match = at_turn(scenario)
    seats: dict[str, At] = {name: windows(match, name=name) for name in match.sides}
    turn, acts, kinds = match.table.game.state.turn, Counter[tuple[str, str]](), set[str]()
    while match.table.outcome is None and match.table.game.state.turn == turn:
        what, name = match.due()
        assert name is not None
        if what in BARE:
            block = match.play()
            for seat in seats.values():
                seat.learn(block)
            continue
        window, phase = seats[name], getattr(match.table.game.request, "kind", what)
        window.look_again()
        acts[name, phase] += 1
        orders = clicked(window) if acts[name, phase] <= ACTS else []
        typed = [text for text in window.page.locator("#list li code").all_text_contents() if text]
        assert sorted(typed) == sorted(orders)
        window.send()
        signed = window.seat.signed()
        closing = [" ".join([last.keyword, *last.tokens]) for last in signed[len(typed) :]]
        kinds.update(words.split()[0] for words in typed)
        block = match.take(typed_entry(match, name, [*typed, *closing]))
        assert window.seat.newest() == block
        seats[match.genesis.other(name).name].learn(block)
    assert kinds
    for seat in seats.values():
        assert seat.seat.log.read_text("ascii") == match.log
        assert seat.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
