"""The order form, and what remains of an order when some of its units are gone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules import yukimura
from pbem.rules.requests import FormEntry
from pbem.rules.yukimura.sequence import remainder

OPEN = "\n".join(" " * (i % 2) + ". " * 8 for i in range(7))

UNITS = {
    "da-01": "0403 3-3-3 rifle",
    "da-02": "0304 4-3-3",
    "da-03": "0406 2-3-3 mounted-rifle",
    "go-01": "0404 3-3-3",
    "go-02": "0405 2-2-3 rifle",
}


def entries(battle: Any) -> list[FormEntry]:
    return list(yukimura.form(battle.state, battle.request))


def orders(battle: Any) -> list[str]:
    return [" ".join(words) for entry in entries(battle) for words, _ in entry.orders]


def test_combat_is_listed_by_target(field: Callable[..., Any]) -> None:
    battle = field(OPEN, UNITS, phase="east-combat")
    found = entries(battle)
    assert [entry.heading for entry in found] == [
        "Against go-01 Unit go-01 (foot, 3-3-3) at 0404",
        "Against go-02 Unit go-02 (rifle, 2-2-3) at 0405",
        "The phase",
    ]
    assert [" ".join(words) for words, _ in found[0].orders] == [
        "fire da-01 at go-01",
        "melee da-02 at go-01",
        "melee da-01 at go-01",
        "melee da-02 at go-01 with da-01",
    ]
    notes = [note for _, note in found[0].orders]
    assert notes[0].startswith("strength 3, column 3-4: no effect 58.3 %, stands 14.4 %, retreats 25")
    assert notes[3].startswith("strength 7 against 3, difference +4, column +4..+5: target stands")
    assert notes[3].endswith("removed 15.7 %; each attacker stands 81 %, retreats 18.5 %, removed 0.5 %")
    assert any("advance U" in note for note in found[0].notes)
    assert orders(battle)[-1] == "done"
    assert set(orders(battle)) == set(battle.options())
    assert all(battle.why_not(order) is None for order in orders(battle))


def test_attackers_with_the_same_chances_are_told_together(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**UNITS, "da-04": "0305 3-5-3"}, phase="east-combat")
    three = next(note for entry in entries(battle) for words, note in entry.orders if {"da-01", "da-04"} <= {*words})
    assert re.search(r"; each of da-0[12], da-0[12] stands 88.9 %, retreats 11.1 %; da-04 stands [^;]*$", three), three


def test_after_the_first_melee_fire_is_no_longer_listed(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**UNITS, "go-01": "0404 3-6-3"}, phase="east-combat", idle=True)
    assert any(order.startswith("fire") for order in orders(battle))
    battle.do("melee da-02 at go-01 hold", 6, 2, 1)
    assert not any(order.startswith("fire") for order in orders(battle))


def test_shifts_are_told(field: Callable[..., Any]) -> None:
    rows = OPEN.splitlines()
    rows[3] = " . . . m . . . ."
    battle = field("\n".join(rows), UNITS, phase="east-combat", rivers=["0403/0404"])
    notes = {" ".join(words): note for entry in entries(battle) for words, note in entry.orders}
    note = notes["fire da-01 at go-01"]
    assert "column 1-2, 1 to the left for target in mountain, 1 to the left for all across small river" in note


def test_defensive_fire_lists_no_melee_and_no_advance(field: Callable[..., Any]) -> None:
    battle = field(OPEN, UNITS, phase="osaka-defence")
    assert orders(battle) == ["fire go-02 at da-03", "done"]
    target, others, phase = entries(battle)
    assert (target.notes, phase.notes) == ((), ())
    assert others.heading == "As things stand, nothing can be done with"
    assert others.notes == ("go-01 Unit go-01: has no rifles: only riflemen and mounted riflemen fire [9.b]",)
    battle = field(OPEN, {**UNITS, "go-01": "0404 3-3-3 rifle", "da-03": "0505 2-3-3"}, phase="osaka-defence")
    (found,) = (entry for entry in entries(battle) if entry.heading.startswith("Against da-03"))
    assert ("fire", "go-01", "at", "da-03", "with", "go-02") in dict(found.orders)
    assert [note.split()[:5] for note in found.notes] == [["several", "units:", "add", "`or", "fewer`"]]


def test_retreats_and_displacements_list_the_default_first(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 3-3-3", "go-01": "0404 3-1-3", "go-02": "0405 3-3-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01 hold", 4, 5, 1)
    (entry,) = entries(battle)
    assert "by 1 hex" in entry.heading
    assert [note for _, note in entry.orders] == ["as the rules would choose", "", ""]
    assert orders(battle) == battle.options()
    battle.do("retreat go-01 0405")
    (entry,) = entries(battle)
    assert "which holds two units" in entry.heading
    assert entry.orders[0][1] == "as the rules would choose"
    assert orders(battle) == battle.options()


def test_advances_are_listed_with_hold_first(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 9-3-3", "go-01": "0404 1-3-3", "go-02": "0406 3-3-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01", 6, 6)
    (entry,) = entries(battle)
    assert entry.orders[0] == (("hold", "da-01"), "stays; as the rules would choose")
    assert dict(entry.orders)[("advance", "da-01", "0404", "0405")] == "into enemy ZOC"
    assert orders(battle) == battle.options()


def test_moves_are_listed_by_unit(field: Callable[..., Any]) -> None:
    victory = {"collapse": {"osaka": ["go-01"], "east": ["da-01"]}}
    units = {
        "da-01": "0403 3-3-3 mounted command 10", "da-02": "0101 3-3-2", "go-01": "0405 3-3-3 mounted command 10",
    }  # fmt: skip
    battle = field(OPEN, units, phase="east-move", victory=victory, roads=["0101 0102 0103 0104 0105"])
    found = {entry.heading.split()[0]: entry for entry in entries(battle)}
    assert list(found) == ["da-01", "da-02", "The"]
    assert "leaving its start hex loses the battle at once" in found["da-01"].notes
    assert (("move", "da-01", "0404"), "1 point, faces go-01") in found["da-01"].orders
    march = ("march", "da-02", "0102", "0103", "0104", "0105")
    assert (march, "4 hexes, the longest march") in found["da-02"].orders
    assert found["da-02"].typed[march] == ("march", "da-02", "to", "0105")
    assert "`march U to HEX`: 0102-0105" in found["da-02"].notes
    assert (("move", "da-02", "off"), "leaves the map for good") in found["da-02"].orders
    assert all(battle.why_not(order) is None for order in orders(battle))
    assert not any("loses" in note for note in found["da-02"].notes)


def test_who_can_do_nothing_is_told_why(field: Callable[..., Any]) -> None:
    """By the check of legality itself: of units that are held, pinned, far from the enemy, or beaten."""
    units = {"da-01": "0403 9-3-3", "da-02": "0101 3-3-3", "go-01": "0404 1-3-3", "go-02": "0107 3-3-3 rifle"}
    battle = field(OPEN, units, phase="east-move")
    (why,) = (entry for entry in entries(battle) if entry.heading == "As things stand, nothing can be done with")
    assert why.notes == ("da-01 Unit da-01: began the phase in an enemy ZOC and can't move [7-3-2]",)
    battle = field(OPEN, units, phase="east-combat", idle=True)
    (why,) = (entry for entry in entries(battle) if entry.heading == "As things stand, nothing can be done with")
    assert why.notes == ("da-02 Unit da-02: isn't adjacent to go-01 Unit go-01 at 0404 [10.b]",)
    battle.do("melee da-01 at go-01", 6, 6)
    battle.do("hold da-01")
    (why,) = (entry for entry in entries(battle) if entry.heading == "As things stand, nothing can be done with")
    assert "da-01 Unit da-01: has attacked: each unit attacks once in a phase [10-1-2]" in why.notes


@pytest.mark.clause("9.d", "10.d", "10-1-3")
@pytest.mark.parametrize("kind", ["fire", "melee"])
def test_a_combat_of_several_lapses_when_one_cannot_take_part(field: Callable[..., Any], kind: str) -> None:
    """R81: it may be removed, have moved away, fired or fought; `or fewer` lets the others do it."""
    battle = field(OPEN, {**UNITS, "da-02": "0304 4-3-3 rifle"}, phase="east-combat", idle=True)
    whole = f"{kind} da-01 at go-01 with da-02 advance da-02 advance da-01"
    whole = whole if kind == "melee" else whole.removesuffix(" advance da-01")
    few = whole.replace("with da-02", "with da-02 or fewer")
    for gone, clause, other in [("da-01", "9-1-2" if kind == "fire" else "9-1-7.a", "da-02"), ("da-02", "", "da-01")]:
        s = yukimura.copy(battle.state)
        assert remainder(s, "east", battle.order(few)) is None  # all of it is legal
        if clause:
            s.fired.add(gone)
        else:
            s.remove(gone, "", "")
            clause = "9.a" if kind == "fire" else "10.a"
        assert remainder(s, "east", battle.order(whole)) is None
        left, told = remainder(s, "east", battle.order(few))
        advances = () if kind == "fire" and other == "da-01" else ("advance", other)
        assert yukimura.order_words(battle.board, left) == (kind, other, "at", "go-01", *advances)
        assert [(tell.what, tell.clause, tell.facts["unit"]) for tell in told] == [("drop", clause, gone)]
        assert told[0].facts["order"] == few


@pytest.mark.clause("9.d", "10.d")
def test_the_remainder_of_three_says_or_fewer_again(field: Callable[..., Any]) -> None:
    units = {**UNITS, "da-02": "0304 4-3-3 rifle", "da-04": "0305 2-3-3 rifle"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    s = battle.state
    order = battle.order("melee da-01 at go-01 with da-02 da-04 or fewer")
    s.fired.add("da-01")
    left, _ = remainder(s, "east", order)
    assert yukimura.order_words(battle.board, left) == ("melee", "da-02", "at", "go-01", "with", "da-04", "or", "fewer")
    s.fought.update(("da-02", "da-04"))
    assert remainder(s, "east", order) is None  # nobody is left
    s.fired.clear()
    s.fought.clear()
    s.attacked.add("go-01")
    assert remainder(s, "east", order) is None  # the target can't be attacked at all
    assert remainder(s, "east", battle.order("done")) is None


@pytest.mark.clause("9.d", "11-3-5.a")
def test_an_advance_that_cannot_be_is_only_left_out(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {**UNITS, "da-02": "0304 4-3-3 rifle"}, phase="east-combat", idle=True)
    s = battle.state
    s.put("go-01", battle.hex("0503"))  # it has retreated before the order's turn
    left, told = remainder(s, "east", battle.order("melee da-01 at go-01 advance da-01 0404 0504"))
    assert left.advance == ()
    assert [(tell.what, tell.clause, tell.facts["unit"]) for tell in told] == [("drop", "11-3-4.b", "da-01")]
    s.step = "melee"
    assert remainder(s, "east", battle.order("fire da-01 at go-01 with da-02 or fewer")) is None


def test_sampled_orders_are_legal(field: Callable[..., Any]) -> None:
    import random

    battle = field(OPEN, UNITS, phase="east-combat", idle=True)
    chance = random.Random(1)
    seen = set()
    for _ in range(200):
        order = battle.request.sample(chance)
        assert battle.request.why_not(order) is None
        words = yukimura.order_words(battle.board, order)
        assert battle.order(" ".join(words)) == order
        seen.add(words)
    assert len(seen) > 20
