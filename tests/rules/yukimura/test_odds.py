"""Odds: against every throw of the dice played out, and against the percentages by which the tables were made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pbem.rules import yukimura
from pbem.rules.fates import NO_EFFECT, REMOVED, RETREATS, STANDS
from pbem.rules.requests import Roll, Tell
from pbem.rules.yukimura.odds import factors, fire_odds, melee_odds

OPEN = "\n".join(" " * (i % 2) + ". " * 12 for i in range(11))
DIE = range(1, 7)

FIRE = """
    1-2 2 18 5 23
    1-2 3 17 2 19
    1-2 4 13 0 14
    1-2 5 9 0 9
    3-4 2 27 6 34
    3-4 3 25 2 27
    3-4 4 20 0 20
    3-4 5 13 0 13
    5-6 2 38 10 49
    5-6 3 36 3 39
    5-6 4 29 0 30
    5-6 5 20 0 20
    7-8 2 46 16 62
    7-8 3 45 6 52
    7-8 4 38 2 40
    7-8 5 28 0 28
    9-10 2 52 22 75
    9-10 3 53 10 63
    9-10 4 47 3 50
    9-10 5 36 0 36
    11-12 2 54 29 83
    11-12 3 55 17 72
    11-12 4 50 8 58
    11-12 5 40 4 44
    13+ 2 54 34 88
    13+ 3 58 21 79
    13+ 4 54 12 66
    13+ 5 45 5 50
"""
"""Column, target's morale: per cent retreat with a way open, removed then, removed when encircled."""

MELEE = """
    <=-4 2 6 4 1 7 44 43
    <=-4 3 6 4 0 6 44 43
    <=-4 4 4 3 0 4 44 43
    <=-4 5 3 1 0 3 44 43
    -3..-2 2 11 8 3 14 48 30
    -3..-2 3 11 8 0 11 48 30
    -3..-2 4 8 6 0 8 48 30
    -3..-2 5 6 3 0 6 48 30
    -1 2 19 14 5 24 49 19
    -1 3 19 14 0 19 49 19
    -1 4 14 10 0 14 49 19
    -1 5 10 5 0 10 49 19
    0 2 27 21 9 36 45 10
    0 3 28 21 2 30 45 10
    0 4 22 15 0 23 45 10
    0 5 16 9 0 16 45 10
    +1 2 37 29 14 51 38 5
    +1 3 38 29 5 43 38 5
    +1 4 32 22 2 34 38 5
    +1 5 24 14 0 24 38 5
    +2..+3 2 44 35 21 65 28 2
    +2..+3 3 47 36 9 56 28 2
    +2..+3 4 41 29 4 45 28 2
    +2..+3 5 31 19 1 33 28 2
    +4..+5 2 47 38 29 76 19 0
    +4..+5 3 51 40 16 67 19 0
    +4..+5 4 47 33 9 56 19 0
    +4..+5 5 38 24 5 43 19 0
    >=+6 2 47 38 39 86 11 0
    >=+6 3 52 42 25 78 11 0
    >=+6 4 50 36 17 67 11 0
    >=+6 5 42 28 12 53 11 0
"""
"""Column, defender's morale: per cent retreat with a way open, of that by 2 or more hexes, removed then, removed when
encircled; an attacker of morale 3: retreats, removed."""

STRENGTH = {"1-2": 1, "3-4": 4, "5-6": 5, "7-8": 8, "9-10": 9, "11-12": 12, "13+": 13}
DIFFERENCE = {"<=-4": -4, "-3..-2": -3, "-1": -1, "0": 0, "+1": 1, "+2..+3": 3, "+4..+5": 4, ">=+6": 6}


@pytest.mark.clause("9-2.a", "9-2-1(0-4)")
@pytest.mark.parametrize("line", [line.strip() for line in FIRE.strip().splitlines()])
def test_fire_by_column(field: Callable[..., Any], line: str) -> None:
    column, morale, *wanted = line.split()
    strength = STRENGTH[column]
    units = {"da-01": f"0605 {min(strength, 9)}-3-3 rifle", "go-01": f"0606 3-{morale}-3"}
    order = "fire da-01 at go-01"
    if strength > 9:
        units["da-03"], order = f"0506 {strength - 9}-3-3 rifle", f"{order} with da-03"
    battle = field(OPEN, units, phase="east-combat")
    free = fire_odds(battle.state, battle.order(order))
    assert sum(free.values()) == 1
    closed = field(OPEN, {**units, "da-02": "0607"}, phase="east-combat")
    encircled = fire_odds(closed.state, closed.order(order))
    found = [free.get(RETREATS, Fraction(0)), free.get(REMOVED, Fraction(0)), encircled[REMOVED]]
    assert RETREATS not in encircled
    assert all(abs(100 * share - int(number)) <= Fraction(51, 100) for share, number in zip(found, wanted, strict=True))


@pytest.mark.clause("10-3", "10-3-1(D)")
@pytest.mark.parametrize("line", [line.strip() for line in MELEE.strip().splitlines()])
def test_melee_by_column(field: Callable[..., Any], line: str) -> None:
    column, morale, retreat, _, removed, encircled, attacker_retreats, attacker_removed = line.split()
    strength = 5 if DIFFERENCE[column] < 0 else 3
    units = {"da-01": f"0605 {strength + DIFFERENCE[column]}-3-3", "go-01": f"0606 {strength}-{morale}-3"}
    battle = field(OPEN, units, phase="east-combat")
    odds = melee_odds(battle.state, battle.order("melee da-01 at go-01"))
    closed = field(OPEN, {**units, "da-02": "0607"}, phase="east-combat")
    shut = melee_odds(closed.state, closed.order("melee da-01 at go-01"))
    pairs = [
        (odds.target.get(RETREATS), retreat),
        (odds.target.get(REMOVED), removed),
        (shut.target.get(REMOVED), encircled),
        (odds.attackers["da-01"].get(RETREATS), attacker_retreats),
        (odds.attackers["da-01"].get(REMOVED), attacker_removed),
    ]
    assert all(abs(100 * (share or Fraction(0)) - int(number)) <= Fraction(51, 100) for share, number in pairs)


def test_everybodys_morale_that_a_column_checks_is_a_factor(field: Callable[..., Any]) -> None:
    units = {"da-01": "0605 5-4-3 rifle", "da-02": "0506 2-*-3", "go-01": "0606 3-2-3"}
    battle = field(OPEN, units, phase="east-combat")
    told = [
        (f.what.split()[2], f.value, f.clause)
        for f in factors(battle.state, battle.order("melee da-01 at go-01 with da-02"))
        if "mor" in f.what
    ]
    assert told == [
        ("go-01", "2, checked by B1, D1, D2, D3, D4", "10-3-1(D), 10-3-1(B1)"),
        ("da-01", "4, checked by A1, A2, B1", "10-3-1(A), 10-3-1(B1)"),
        ("da-02", "*, checked by A1, A2, B1", "10-3-1(A), 10-3-1(B1)"),
    ]
    fire = [f for f in factors(battle.state, battle.order("fire da-01 at go-01")) if f.what.startswith("morale")]
    assert [(f.value, f.clause) for f in fire] == [("2", "9-2.b")], "who fires checks nothing"


# --- brute force -----------------------------------------------------------------------------------------------------


def played(battle: Any, order: str) -> Iterable[tuple[Fraction, list[Tell]]]:
    """Every course of an order by all its dice, with its chance; chain checks are passed, choices the default."""
    stack = [(battle.game.fork(), Fraction(1), [], [battle.order(order)])]
    while stack:
        game, chance, told, given = stack.pop()
        told = list(told)
        game.hear = told.append
        for answer in given:
            game.apply(answer)
        request = game.request
        chain = isinstance(request, Roll) and _in_chain(told)
        if isinstance(request, Roll) and not chain:
            stack += [(game.fork(), chance * share, told, [throw]) for throw, share in throws(request.dice)]
        elif isinstance(request, Roll):
            stack.append((game.fork(), chance, told, [(1,)]))
        elif request is not None and request.kind in ("retreat", "displace"):
            stack.append((game.fork(), chance, told, [request.default()]))
        else:
            yield chance, told


def throws(dice: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """Every throw with its chance; of throws with the same sum one stands for all."""
    every = list(product(DIE, repeat=dice))
    sums = Counter(map(sum, every))
    return [(throw, Fraction(sums.pop(sum(throw)), len(every))) for throw in every if sum(throw) in sums]


def _in_chain(told: list[Tell]) -> bool:
    """Whether the next check is that of a marked unit: one is marked and hasn't been checked."""
    marked = [tell.facts["unit"] for tell in told if tell.what == "mark"]
    checked = [tell.facts["unit"] for tell in told if tell.what == "check" and tell.facts["why"] == "chain"]
    return len(marked) > len(checked)


def fates(battle: Any, order: str, unit: str) -> dict[str, Fraction]:
    found: Counter[str] = Counter()
    for chance, told in played(battle, order):
        events = {tell.what for tell in told if tell.facts.get("unit") == unit}
        stays = NO_EFFECT if any(tell.facts.get("result") == "-" for tell in told) else STANDS
        fate = REMOVED if "remove" in events else RETREATS if "retreat" in events else stays
        found[fate] += chance
    return dict(found)


POSITIONS = {
    "open": {"da-01": "0605 3-3-3 rifle", "go-01": "0606 3-2-3"},
    "edge": {"da-01": "0610 4-3-3 rifle", "go-01": "0611 2-1-3"},
    "two": {"da-01": "0605 3-3-3 rifle", "da-02": "0506 2-2-3 rifle", "go-01": "0606 4-2-3"},
    "friends": {
        "da-01": "0605 5-3-3 rifle", "go-01": "0606 3-2-3", "go-02": "0607 2-6-3", "go-03": "0507 2-*-3",
        "go-04": "0707 2-6-3", "go-05": "0608 2-*-3",
    },
    "shut": {"da-01": "0611 4-3-3 rifle", "go-01": "0612 3-1-3", "go-02": "0512 3-*-3"},
    "asterisk": {"da-01": "0605 7-*-3 rifle", "go-01": "0606 1-*-3"},
    "zoc": {"da-01": "0605 4-1-3 rifle", "go-01": "0606 4-2-3", "go-02": "0403 3-6-3", "da-03": "0809 3-3-3"},
}  # fmt: skip
"""Positions; chain checks are always passed in them, so that they change nothing."""


@pytest.mark.parametrize("name", POSITIONS)
def test_fire_odds_are_those_of_all_throws(field: Callable[..., Any], name: str) -> None:
    battle = field(OPEN, POSITIONS[name], phase="east-combat", idle=True)
    order = "fire da-01 at go-01" + (" with da-02" if "da-02" in POSITIONS[name] else "") + " hold"
    assert fire_odds(battle.state, battle.order(order)) == fates(battle, order, "go-01")


@pytest.mark.parametrize("name", POSITIONS)
def test_melee_odds_are_those_of_all_throws(field: Callable[..., Any], name: str) -> None:
    battle = field(OPEN, POSITIONS[name], phase="east-combat", idle=True)
    order = "melee da-01 at go-01" + (" with da-02" if "da-02" in POSITIONS[name] else "") + " hold"
    odds = melee_odds(battle.state, battle.order(order))
    assert odds.target == fates(battle, order, "go-01")
    for unit, shares in odds.attackers.items():
        assert shares == fates(battle, order, unit), unit
        assert sum(shares.values()) == 1


@pytest.mark.clause("10-3-1(B1).b")
def test_b1_against_a_leader_whose_flight_ends_the_battle(field: Callable[..., Any]) -> None:
    """The attackers check behind the defender, and not at all when the battle is over by then."""
    units = {
        "da-01": "0605 3-1-3", "da-09": "0101 command 3", "go-09": "0606 2-1-3 command 3", "go-01": "0107",
    }  # fmt: skip
    order = "melee da-01 at go-09 hold"
    odds = {}
    for name, victory in [("decides", {"collapse": {"osaka": ["go-09"], "east": ["da-09"]}}), ("not", {})]:
        battle = field(OPEN, units, phase="east-combat", idle=True, victory=victory)
        odds[name] = melee_odds(battle.state, battle.order(order))
        assert odds[name].attackers["da-01"] == fates(battle, order, "da-01")
        assert odds[name].target == fates(battle, order, "go-09")
    assert odds["decides"].attackers != odds["not"].attackers


def test_odds_change_nothing(field: Callable[..., Any]) -> None:
    battle = field(OPEN, POSITIONS["friends"], phase="east-combat", idle=True)
    before = yukimura.dump(battle.state)
    melee_odds(battle.state, battle.order("melee da-01 at go-01"))
    assert yukimura.dump(battle.state) == before
